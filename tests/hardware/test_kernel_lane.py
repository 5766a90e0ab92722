"""The real drivers of buttons and number pads on a real kernel without metal; see scripts/kernel-lane."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import pytest

from scripts import kernel_lane
from scripts.kernel_lane import MISSING, ROOT, kernel, named

needs_it = pytest.mark.skipif(bool(MISSING), reason=MISSING)


def run(*words: str, program: str = "kernel_buttons.py", **environ: str) -> Any:
    """What a program prints in that kernel."""
    return kernel_lane.run(ROOT / "tests/support/hardware" / program, *words, **environ)


def test_a_packed_kernel_is_unpacked_once(tmp_path: Path) -> None:
    """As COMPANION_UML names it, from the project's root or from anywhere; another one beside the first."""
    packed, cache = tmp_path / "linux.xz", tmp_path / "cache"
    assert named({"COMPANION_UML": str(packed)}) is None
    packed.write_bytes(lzma.compress(b"a kernel"))
    assert named({"COMPANION_UML": str(packed)}) == packed
    first = kernel(packed, cache)
    assert (first.read_bytes(), first.stat().st_mode & 0o777) == (b"a kernel", 0o755)
    first.write_bytes(b"the same")
    assert kernel(packed, cache).read_bytes() == b"the same"
    packed.write_bytes(lzma.compress(b"another"))
    assert kernel(packed, cache).read_bytes() == b"another"
    assert set(cache.iterdir()) == {first, kernel(packed, cache)}
    assert kernel(first, cache) == first


@needs_it
@pytest.mark.parametrize(
    ("label", "revision"), [("pinctrl-bcm2711", "c03115"), ("pinctrl-rp1", "c04170")], ids=["Pi 4", "Pi 5"]
)
def test_the_chip_is_found_by_its_label_and_not_by_its_number(label: str, revision: str) -> None:
    """Another chip is the first one, as on a Raspberry Pi 5."""
    found = run("chip", CHIP_LABEL=label, PI_REVISION=revision, DECOY="1")
    assert found["taken"] == label
    assert len(found["chips"]) == 2
    assert found["chips"]["/dev/gpiochip0"] != label


@needs_it
def test_of_600_presses_at_15_buttons_none_is_lost_and_none_invented() -> None:
    """Mashed at once, 14 to 34 ms long, bouncing: by the kernel's times, each is heard once."""
    heard = run("mash")
    assert heard["pressed"] == 600
    assert heard["settled"] >= 600
    assert (heard["lost"], heard["invented"], heard["faults"]) == (0, 0, 0)


@pytest.fixture(scope="module")
def pins() -> Any:
    """Three scenes in one kernel: a light and a press, a display, a pin that another program has taken."""
    return run("pins")


@needs_it
def test_a_light_and_a_press_go_through_the_pins(pins: Any) -> None:
    """What the driver drives is on the line, and a button's level is read back."""
    assert pins["light"] == {"lit": "1", "dark": "0", "pushed": True, "held": True, "let_go": True}


@needs_it
def test_a_pin_of_another_program_is_told_and_found_again(pins: Any) -> None:
    """By the name that the kernel has of it, in a game and by a check; when that program ends, it is used."""
    seen = pins["taken"]
    others = [f"DeviceFound(device='buttons {seat}')" for seat in range(2, 6)]
    lost = "DeviceLost(device='buttons 1', reason='taken', detail='doorbell (GPIO4)')"
    assert seen["at_first"] == [lost, *others]
    assert seen["checked"] == ["buttons[1]: GPIO4 is in use by doorbell"]
    found, pushed, let_go = seen["later"]
    assert found == "DeviceFound(device='buttons 1')"
    assert pushed.startswith("ButtonDown(device='buttons 1', button='minus'")
    assert let_go.startswith("ButtonUp(device='buttons 1', button='minus'")


@needs_it
def test_a_display_goes_through_the_pins(pins: Any) -> None:
    """Where there is none, nothing acknowledges; a change takes a moment, and the lines can be had again."""
    found = pins["display"]
    assert found["said"] == "no display answers at GPIO26 and GPIO27"
    assert found["seconds"] < 0.25


@needs_it
def test_idle_buttons_cost_nothing() -> None:
    """Fifteen buttons that nobody presses wake the process at most once a second."""
    assert run("idle")["idle_wakeups"] <= 1


@pytest.fixture(scope="module")
def bids() -> Any:
    """Five people's sealed bids by number pads, and then five pads that nobody touches."""
    return run(program="kernel_numpads.py")


@needs_it
def test_five_number_pads_bid_and_one_is_pulled_out_in_the_middle_of_its_bid(bids: Any) -> None:
    """It is missed at once, found again within a second, and every bid arrives once and as it was meant.

    Nothing that is typed reaches a console that listens to the same pads, until they are let go.
    """
    assert bids["missing"] == ["Chie's number pad is unplugged. Plug it in again or let Chie use the screen."]
    assert bids["noticed"] < 0.1
    assert bids["found"] < 1
    assert bids["bids"] == [3, 14, 2, 7, 5]
    assert bids["leaked"] == bids["leaked_again"] == 0
    assert bids["heard_by_others_after_the_end"] > 0


@needs_it
def test_a_number_pads_light_says_that_its_seat_is_waited_for(bids: Any) -> None:
    """On while it is asked, off when its envelope is in, on for the next question; so whatever is bid."""
    assert bids["lights"] == [[1, 0, 1], [1, 0, 1], [1], [1, 0, 1], [1, 0, 1]]


@needs_it
def test_idle_number_pads_cost_next_to_nothing(bids: Any) -> None:
    """Five pads that nobody touches wake the process a few times a second, to look for pads plugged in."""
    assert bids["idle_wakeups"] <= 10
