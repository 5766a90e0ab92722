"""Pairing number pads on the real window: 1 is pressed at one seat after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.signals import NumpadKeyDown
from hardware.simulated.numpads import SimulatedNumpad
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Numpad, Wiring, load_wiring_without_faulty_sections
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import check_all_texts_are_whole
from ui.screen import make_app

OLD = '# Ours.\n[[light]]\nseat = 1\npin = "GPIO4"\n\n[[numpad]]\nseat = 2\nport = "usb-1.2"\n'


@pytest.fixture
def metal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedTable]:
    """One pad is wired already, another one isn't."""
    (tmp_path / "hardware.toml").write_text(OLD)
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    with SimulatedTable(Wiring(numpad=(Numpad(2, "usb-1.2"),))) as metal:
        yield metal


def is_pairing(table: Any) -> bool:
    """Whether pads are asked for."""
    from ui.screens.number_pads import NumberPadsPage  # Kivy loads only in a window's test

    return isinstance(table.app.stage.screen, NumberPadsPage)


async def paired(open_app: Any, metal: SimulatedTable, state: Path, **kwargs: Any) -> Any:
    """The app where it asks for the first seat's pad."""
    size = kwargs.pop("size", (800, 480))
    table = await open_app(make_app(state, simulated_table=metal, **{"lang": "en"} | kwargs), size)
    for key in ("settings", "service", "devices", "pair"):
        await table.tap(key)
    await table.wait_until(lambda: is_pairing(table))
    return table


async def pressed(table: Any, pad: SimulatedNumpad, keys: str, then: str) -> None:
    """Somebody presses keys until the screen says that."""
    await table.wait_until(lambda: pad.open_file_count == 1)
    pad.type(keys)
    await table.wait_until(lambda: then in table.texts())


async def test_pads_are_paired_and_written_into_the_file(
    open_app: Any, metal: SimulatedTable, tmp_path: Path
) -> None:
    """A pad that had another seat is heard too; what else stands in the file stays."""
    table = await paired(open_app, metal, tmp_path / "state")
    new = metal.inputs().add_numpad("usb-1.4")
    assert "Seat 1: press 1 on your number pad" in table.texts()
    await pressed(table, new, "3", "You pressed 3. Press 1.")
    await pressed(table, new, "1", "Seat 2: press 1 on your number pad")
    await table.tap("skip")
    await pressed(table, metal.numpads[2], "1", "Seat 4: press 1 on your number pad")
    await table.tap("save")
    await table.wait_until(
        lambda: f"The number pads were saved in {tmp_path / 'hardware.toml'}." in table.texts()
    )
    assert load_wiring_without_faulty_sections(tmp_path / "hardware.toml").numpad == (
        Numpad(1, "usb-1.4"),
        Numpad(3, "usb-1.2"),
    )
    assert (tmp_path / "hardware.toml").read_text().startswith(OLD.partition("[[numpad]]")[0])
    assert table.app.has_open_evening


async def test_who_goes_back_changes_nothing(open_app: Any, metal: SimulatedTable, tmp_path: Path) -> None:
    """Home again, with the devices as before."""
    table = await paired(open_app, metal, tmp_path / "state")
    await pressed(table, metal.numpads[2], "1", "Seat 2: press 1 on your number pad")
    await table.tap("close")
    await table.wait_until(lambda: "Companion" in table.texts())
    assert (tmp_path / "hardware.toml").read_text() == OLD
    assert table.app.has_open_evening


async def test_a_key_on_its_way_is_forgotten(open_app: Any, metal: SimulatedTable, tmp_path: Path) -> None:
    """Who goes back and begins again is asked for the first seat, and heard."""
    table = await paired(open_app, metal, tmp_path / "state")
    pads = table.app.number_pads_flow
    pads._inbox.put(NumpadKeyDown("usb-1.2", "1", 0.0))
    pads.reopen_evening()
    pads.start_pairing(())
    await table.wait_frames()
    assert "Seat 1: press 1 on your number pad" in table.texts()
    await pressed(table, metal.numpads[2], "1", "Seat 2: press 1 on your number pad")


async def test_every_seat_may_be_asked(open_app: Any, metal: SimulatedTable, tmp_path: Path) -> None:
    """After the last one nothing is left but to save."""
    table = await paired(open_app, metal, tmp_path / "state")
    for _ in range(5):
        await table.tap("skip")
    assert "Who has which number pad?" in table.texts()
    assert table.find("skip").disabled


async def test_a_file_that_can_not_be_written_is_named(
    open_app: Any, metal: SimulatedTable, tmp_path: Path
) -> None:
    """One may try again, or go back."""
    table = await paired(open_app, metal, tmp_path / "state")
    (tmp_path / "hardware.toml").write_text("[[keypad]]\nseat = 1\n")
    await table.tap("save")
    await table.wait_until(
        lambda: any('the keys "port" and "id" are both missing' in text for text in table.texts())
    )
    assert is_pairing(table)


async def test_a_folder_that_can_not_be_made_is_named(
    open_app: Any, metal: SimulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no hardware.toml yet, nor can be any."""
    table = await paired(open_app, metal, tmp_path / "state")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "hardware.toml/companion"))
    monkeypatch.setenv("HOME", str(tmp_path))
    await table.tap("save")
    await table.wait_until(lambda: any("can't be written: Not a directory" in text for text in table.texts()))
    assert is_pairing(table)


async def test_a_right_that_is_missing_is_named(open_app: Any, metal: SimulatedTable, tmp_path: Path) -> None:
    """With the group to join; once, however many devices it concerns."""
    for pad in (metal.numpads[2], metal.inputs().add_numpad("usb-1.4")):
        pad.may_be_read = False
    table = await paired(open_app, metal, tmp_path / "state")
    await table.wait_until(lambda: len(table.app.number_pads_flow._reader._reported_state_by_device) == 2)
    await table.wait_frames()
    assert any("Join the group input" in text for text in table.texts())
    await table.tap("done")
    assert not any("Join the group input" in text for text in table.texts())


async def test_without_its_package_nothing_can_be_paired(
    open_app: Any, metal: SimulatedTable, tmp_path: Path
) -> None:
    """The sentence says what to install, and the app goes on."""

    def missing() -> Any:
        raise ImportError("No module named 'evdev'")

    table = await open_app(make_app(tmp_path / "state", simulated_table=metal, lang="en"))
    table.app.number_pads_flow._inputs = missing
    for key in ("settings", "service", "devices", "pair"):
        await table.tap(key)
    await table.wait_until(lambda: any("python3-evdev" in text for text in table.texts()))
    assert table.app.has_open_evening


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_nothing_is_cut(
    open_app: Any, metal: SimulatedTable, tmp_path: Path, size: Any, lang: str
) -> None:
    """In both languages and at every size, with the long port of a real machine."""
    table = await paired(open_app, metal, tmp_path / "state", size=size, lang=lang)
    page = table.app.stage.screen
    first = page.head.title.text
    pad = metal.inputs().add_numpad("usb-0000:01:00.0-1.3.4")
    await table.wait_until(lambda: pad.open_file_count == 1)
    pad.type("1")
    await table.wait_until(lambda: page.head.title.text != first)
    pad.type("7")
    await table.wait_until(lambda: page.error_label.text != "")
    await table.wait_frames()
    check_all_texts_are_whole(table.widgets())
