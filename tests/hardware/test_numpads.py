"""USB number pads, simulated by the kernel's own events: what is plugged in, pressed and told."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.device_drivers import SeatPanel
from hardware.input_events import KERNEL_KEY_NAMES_BY_PAD_KEY, KernelInputDevices
from hardware.numpads import (
    MAX_TYPING_PAUSE_AT_NEW_QUESTION_SECONDS,
    InputDeviceSource,
    NumpadReader,
    Numpads,
)
from hardware.signals import (
    ControlKeyAnswer,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    NumbersAnswer,
    NumpadKeyDown,
)
from hardware.simulated.keypads import parse_keys
from hardware.simulated.numpads import SimulatedInputs, SimulatedNumpad
from hardware.simulated.pins import ManualClock
from hardware.wiring.sections import Numpad
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, SignalListener

ASKED = SeatPanel(question=7, light="on")


class Bench:
    """One wired number pad at its port, and a game's thread that is asked question 7 by hand."""

    def __init__(self, *, plugged: bool = True, **made: Any) -> None:
        self.clock = ManualClock()
        self.inputs = SimulatedInputs(self.clock)
        self.listener = SignalListener()
        self.numpads = Numpads(
            [Numpad(2, "usb-1.3")], self.listener.inbox, inputs=lambda: self.inputs, clock=self.clock
        )
        if plugged:
            self.pad = self.inputs.add_numpad("usb-1.3", **made)
        self.numpads.start()
        if plugged:
            self.listener.wait_for_signal(DeviceFound)

    def shows(self, panel: SeatPanel) -> None:
        """From now on this is asked; people look at it for a while."""
        self.numpads.show_panel("numpad 2", panel)
        self.clock.wait(10)

    def types(self, keys: str) -> list[DeviceAnswer]:
        """Keys by what they stand for; the answers that they make."""
        self.pad.type(keys)
        return self.hears(len(parse_keys(keys)))

    def hears(self, count: int) -> list[DeviceAnswer]:
        """The answers that so many keys make."""
        said = [
            self.numpads.interpret_press(self.listener.wait_for_signal(NumpadKeyDown), None)
            for _ in range(count)
        ]
        return [each for each in said if each is not None]

    def pulled_out(self) -> NumpadKeyDown:
        """What says that the pad's keys were for nothing."""
        [found] = [
            each for each in self.listener.signals if isinstance(each, NumpadKeyDown) and each.key is None
        ]
        return found

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is to be seen."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while not seen():
            assert time.monotonic() < end
            self.listener.listen(0.01)


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A pad that is asked question 7."""
    bench = Bench()
    bench.shows(ASKED)
    yield bench
    bench.numpads.close()


def test_keys_make_an_answer_that_carries_the_kernels_time(bench: Bench) -> None:
    """Digits and Enter are one answer, for the question that was asked at the first digit."""
    assert bench.types("12 OK") == [NumbersAnswer("numpad 2", 7, (12,), bench.clock(), 0)]
    assert bench.types("2.3 OK") == [NumbersAnswer("numpad 2", 7, (2, 3), bench.clock(), 0)]
    assert bench.types("NO OK") == [
        ControlKeyAnswer("numpad 2", 7, "no", bench.clock(), 0),
        ControlKeyAnswer("numpad 2", 7, "ok", bench.clock(), 0),
    ]


@pytest.mark.parametrize("name", [name for names in KERNEL_KEY_NAMES_BY_PAD_KEY.values() for name in names])
def test_every_key_means_what_the_table_says(bench: Bench, name: str) -> None:
    """Those of a pad on which NumLock is off too."""
    cap = next(cap for cap, names in KERNEL_KEY_NAMES_BY_PAD_KEY.items() if name in names)
    bench.pad.press_key(name)
    assert bench.listener.wait_for_signal(NumpadKeyDown) == NumpadKeyDown("numpad 2", cap, bench.clock())


def test_other_keys_do_nothing(bench: Bench) -> None:
    """NumLock around each digit, as some pads send it, changes nothing."""
    for name in ("KEY_NUMLOCK", "KEY_KP1", "KEY_NUMLOCK", "KEY_KPSLASH", "KEY_TAB", "KEY_KPEQUAL"):
        bench.pad.press_key(name)
    bench.pad.press_key("KEY_KPENTER")
    assert bench.hears(2) == [NumbersAnswer("numpad 2", 7, (1,), bench.clock(), 0)]


def test_a_key_that_is_held_counts_once(bench: Bench) -> None:
    """What the kernel repeats while a key is down isn't pressed again."""
    bench.pad.press_key_down("KEY_KP1")
    bench.pad.repeat_key("KEY_KP1")
    bench.pad.release_key("KEY_KP1")
    bench.pad.press_key("KEY_KPENTER")
    assert bench.hears(2) == [NumbersAnswer("numpad 2", 7, (1,), bench.clock(), 0)]


def test_a_number_for_the_question_before_stays_for_it(bench: Bench) -> None:
    """Half a number that is typed on under another question isn't taken for that one."""
    assert bench.types("1") == []
    bench.shows(SeatPanel(question=8, light="on"))
    assert bench.types("2 OK") == [NumbersAnswer("numpad 2", 7, (12,), bench.clock(), 0)]
    assert bench.types("2 OK") == [NumbersAnswer("numpad 2", 8, (2,), bench.clock(), 0)]


def test_a_key_that_was_pressed_before_its_question_was_shown_is_for_the_one_before(bench: Bench) -> None:
    """The kernel knows when it went down, however late the game's thread hears of it."""
    bench.pad.type("1 OK")
    bench.clock.wait(1)
    bench.shows(SeatPanel(question=8, light="on"))
    assert [each.question for each in bench.hears(2)] == [7]


def test_a_key_while_nothing_is_asked_is_for_no_question(bench: Bench) -> None:
    """The desk refuses it, and the light says so to that seat alone."""
    bench.shows(SeatPanel())
    assert bench.types("5") == [ControlKeyAnswer("numpad 2", 0, "ok", bench.clock(), 0)]


@pytest.mark.parametrize(
    ("pause", "meant"), [(0.0, (0, (512,))), (MAX_TYPING_PAUSE_AT_NEW_QUESTION_SECONDS + 0.1, (7, (12,)))]
)
def test_who_types_into_a_question_has_not_answered_it(
    bench: Bench, pause: float, meant: tuple[int, tuple[int, ...]]
) -> None:
    """Who fiddled before may answer at once; of who is typing just then, a part isn't taken for the whole."""
    bench.shows(SeatPanel())
    bench.types("5")
    bench.clock.wait(pause)
    bench.numpads.show_panel("numpad 2", ASKED)
    assert bench.types("12 OK") == [NumbersAnswer("numpad 2", meant[0], meant[1], bench.clock(), 0)]


def test_enter_after_a_point_is_refused(bench: Bench) -> None:
    """A number is missing; what was typed may be gone on with."""
    assert bench.types("2. OK") == [ControlKeyAnswer("numpad 2", 0, "ok", bench.clock(), 0)]
    assert bench.numpads.current_entry("numpad 2") == "2."
    assert bench.types("3 OK") == [NumbersAnswer("numpad 2", 7, (2, 3), bench.clock(), 0)]


def test_the_light_says_who_is_waited_for_and_blinks_after_a_refusal(bench: Bench) -> None:
    """Until the next key. What lies covered is told, not refused."""
    bench.until(lambda: bench.pad.is_lit)
    bench.shows(SeatPanel(question=7, light="off"))
    bench.until(lambda: not bench.pad.is_lit)
    [said] = bench.types("3 OK")
    bench.numpads.handle_answer_accepted(said)
    bench.numpads.handle_answer_refused(ControlKeyAnswer("numpad 2", 7, "own", 0.0, 0), "Own: 3")
    bench.shows(SeatPanel(question=7, light="off"))
    bench.numpads.handle_answer_refused(said, "Only 5-9")
    bench.shows(SeatPanel(question=7, light="off"))
    bench.until(lambda: bench.pad.is_lit)
    bench.until(lambda: not bench.pad.is_lit)
    bench.until(lambda: bench.pad.is_lit)
    bench.types("3")
    bench.shows(SeatPanel(question=7, light="off"))
    bench.until(lambda: not bench.pad.is_lit)


def test_the_light_does_not_tell_that_an_envelope_was_refused(bench: Bench) -> None:
    """It stays as it is: what a 0 means may be asked again."""
    sealed = SeatPanel(question=7, light="off", is_sealed=True)
    bench.shows(sealed)
    bench.until(lambda: not bench.pad.is_lit)
    [said] = bench.types("0 OK")
    bench.numpads.handle_answer_refused(said, "0? Press again")
    bench.shows(sealed)
    assert bench.numpads._reader._light_by_device["numpad 2"] == "off"


def test_a_key_beside_a_sealed_round_is_over_when_it_is_opened(bench: Bench) -> None:
    """The light of who wasn't asked doesn't begin to blink then."""
    bench.shows(SeatPanel(is_sealed=True))
    [said] = bench.types("5")
    bench.numpads.handle_answer_refused(said, "Not your turn")
    bench.shows(SeatPanel(is_sealed=True))
    bench.shows(SeatPanel())
    assert bench.numpads._reader._light_by_device["numpad 2"] == "off"


def test_a_pad_without_a_light_works_too() -> None:
    """Not every pad has NumLock."""
    bench = Bench(has_light=False)
    bench.shows(ASKED)
    assert len(bench.types("3 OK")) == 1
    assert not bench.pad.is_lit
    bench.numpads.close()


def test_a_pad_may_be_pulled_out_and_plugged_in(bench: Bench) -> None:
    """Also by another name, and within a second; what was keyed is forgotten."""
    bench.types("1")
    bench.pad.unplug()
    assert bench.listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 2", "unplugged")
    begun = time.monotonic()
    bench.pad.plug_in()
    assert bench.listener.wait_for_signal(DeviceFound) == DeviceFound("numpad 2")
    assert time.monotonic() - begun < 1
    forgotten = next(
        each for each in bench.listener.signals if isinstance(each, NumpadKeyDown) and each.key is None
    )
    assert bench.numpads.interpret_press(forgotten, None) is None
    assert bench.types("2 OK") == [NumbersAnswer("numpad 2", 7, (2,), bench.clock(), 0)]


def test_a_pad_that_comes_later_is_found() -> None:
    """The game begins without it; a pad at another port is left alone."""
    bench = Bench(plugged=False)
    other = bench.inputs.add_numpad("usb-1.30")
    bench.pad = bench.inputs.add_numpad("usb-1.3")
    assert bench.listener.wait_for_signal(DeviceFound) == DeviceFound("numpad 2")
    other.type("9 OK")
    bench.shows(ASKED)
    assert bench.types("1 OK") == [NumbersAnswer("numpad 2", 7, (1,), bench.clock(), 0)]
    assert other.open_file_count == 0
    bench.numpads.close()


def test_both_devices_of_a_pad_are_one_pad(bench: Bench) -> None:
    """A calculator's key has a device of its own at the same port; pulled out alone it is nobody's loss."""
    second = bench.inputs.add_numpad("usb-1.3", has_digits=False)
    bench.until(lambda: second.open_file_count == 1)
    second.unplug()
    bench.until(lambda: second.path == "")
    assert bench.types("1 OK") == [NumbersAnswer("numpad 2", 7, (1,), bench.clock(), 0)]
    assert [type(each) for each in bench.listener.signals if isinstance(each, DeviceFound | DeviceLost)] == [
        DeviceFound
    ]


def test_nobody_else_hears_a_grabbed_pad(bench: Bench) -> None:
    """Its keys reach neither the screen nor a console, until it is let go."""
    console = bench.pad.open_file()
    bench.types("12 OK")
    assert console.read() == []
    bench.numpads.close()
    bench.pad.type("1")
    assert [each.key for each in console.read()] == ["1"]
    console.close()


def test_a_pad_that_another_program_has_grabbed_is_waited_for() -> None:
    """It is lost until the other one lets it go."""
    inputs, listener = SimulatedInputs(), SignalListener()
    other = inputs.add_numpad("usb-1.3").open_file()
    other.grab()
    with NumpadReader({"usb-1.3": "pad"}.get, listener.inbox, lambda: inputs):
        assert listener.wait_for_signal(DeviceLost) == DeviceLost("pad", "busy")
        other.close()
        assert listener.wait_for_signal(DeviceFound) == DeviceFound("pad")


def test_a_pad_that_may_not_be_read_is_named_so() -> None:
    """Only when that lasts: its rights come a moment after its file."""
    bench = Bench(plugged=False)
    bench.pad = SimulatedNumpad(bench.inputs, "usb-1.3")
    bench.pad.may_be_read = False
    bench.pad.plug_in()
    assert bench.listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 2", "denied", "input")
    bench.pad.unplug()
    assert bench.listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 2", "unplugged")
    bench.pad.may_be_read = True
    bench.pad.plug_in()
    assert bench.listener.wait_for_signal(DeviceFound) == DeviceFound("numpad 2")
    bench.numpads.close()


def test_a_pad_with_a_key_down_is_not_taken_yet() -> None:
    """Who heard the key go down must hear it come up, or it repeats there for ever."""
    bench = Bench(plugged=False)
    bench.pad = SimulatedNumpad(bench.inputs, "usb-1.3")
    bench.pad.press_key_down("KEY_KPENTER")
    bench.pad.plug_in()
    assert bench.listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 2", "stuck", "KPENTER")
    bench.pad.release_key("KEY_KPENTER")
    assert bench.listener.wait_for_signal(DeviceFound) == DeviceFound("numpad 2")
    bench.numpads.close()


def test_keys_that_the_kernel_lost_are_no_number(bench: Bench) -> None:
    """The pad is taken again, and what was keyed is forgotten."""
    bench.types("1")
    bench.pad.report_dropped_events()
    bench.listener.wait_for_signal(DeviceLost)
    bench.listener.wait_for_signal(DeviceFound)
    assert bench.numpads.interpret_press(bench.pulled_out(), None) is None
    assert bench.numpads.current_entry("numpad 2") == ""


def test_who_was_first_is_known_by_the_kernel() -> None:
    """Of keys that are read together the one that went down first comes first, whosever it is."""
    clock = ManualClock()
    inputs, listener = SimulatedInputs(clock), SignalListener()
    pads = [inputs.add_numpad(port) for port in ("usb-1", "usb-2")]
    reader = NumpadReader(lambda port: port, listener.inbox, lambda: inputs)
    reader._inputs = inputs  # the test is its thread
    reader._wake_thread()
    reader._poll()
    clock.wait(2)
    pads[0].type("OK")
    clock.wait(-1)
    pads[1].type("OK")
    reader._poll()
    reader.close()
    assert [listener.wait_for_signal(NumpadKeyDown).device for _ in pads] == ["usb-2", "usb-1"]


def test_where_evdev_is_not_installed_the_game_goes_on() -> None:
    """Every seat is told, none is waited for."""

    def missing() -> InputDeviceSource:
        raise ImportError("No module named 'evdev'")

    listener = SignalListener()
    numpads = Numpads([Numpad(1, "usb-1")], listener.inbox, inputs=missing)
    numpads.start()
    assert listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 1", "no_package")
    numpads.show_panel("numpad 1", ASKED)
    numpads.close()


def test_what_is_shown_after_the_end_is_for_nobody(bench: Bench) -> None:
    """A screen may still be brought up to date; what was open here may be another file by then."""
    bench.numpads.close()
    bench.shows(SeatPanel(light="blink"))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_reader_that_fails_lets_nobody_wait(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pads are lost, and the error is not hidden."""
    monkeypatch.setattr(bench.inputs, "ports_by_path", lambda: 1 / 0)
    assert bench.listener.wait_for_signal(DeviceLost) == DeviceLost("numpad 2", "dead")


def test_the_ports_are_those_of_the_kernel(tmp_path: Path) -> None:
    """Each device's file in /dev and what the kernel says of its port; one without a port is left out."""
    for number, phys in enumerate(("usb-0000:01:00.0-1.3/input0", "usb-0000:01:00.0-1.3/input1")):
        device = tmp_path / f"sys/class/input/event{number}/device"
        device.mkdir(parents=True)
        (device / "phys").write_text(f"{phys}\n")
    (tmp_path / "sys/class/input/event2").mkdir()
    files = KernelInputDevices(tmp_path)
    assert files.ports_by_path() == {
        str(tmp_path / "dev/input/event0"): "usb-0000:01:00.0-1.3/input0",
        str(tmp_path / "dev/input/event1"): "usb-0000:01:00.0-1.3/input1",
    }
    (tmp_path / "sys/class/input/event0").rename(tmp_path / "sys/class/input/event7")
    assert set(files.ports_by_path()) == {str(tmp_path / f"dev/input/event{number}") for number in (1, 7)}
    with pytest.raises(FileNotFoundError):
        files.open_file(str(tmp_path / "dev/input/event0"))


def test_another_device_under_a_name_that_was_known_is_seen(tmp_path: Path) -> None:
    """The kernel gives names again."""
    files, event = KernelInputDevices(tmp_path), tmp_path / "sys/class/input/event0"
    assert files.ports_by_path() == {}
    for port in ("usb-1/input0", "usb-2/input0"):
        new = tmp_path / port[:5]
        (new / "device").mkdir(parents=True)
        (new / "device/phys").write_text(port)
        event.parent.mkdir(parents=True, exist_ok=True)
        event.unlink(missing_ok=True)
        event.symlink_to(new)
        assert list(files.ports_by_path().values()) == [port]
