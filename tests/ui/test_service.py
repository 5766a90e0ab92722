"""Service on the real window: the doctor's lines, and devices that light up as they are worked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.store.archive import restore_archive
from hardware.doctor import Computer
from hardware.firmware.keypad.pad import NO_HOST_TEXT
from hardware.signals import NumbersAnswer
from hardware.simulated.table import SimulatedTable
from tests.support.disks import mount_disk
from tests.support.hardware.fake_raspberry_pi import make_raspberry_pi
from tests.support.ui.device_table import simulate_wiring
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import check_all_texts_are_whole, ink_box_in_window
from ui.screen import make_app

WIRED = """\
[[keypad]]
seat = 1
id = "kp-1"

[[buttons]]
seat = 2
minus = "GPIO5"
plus = "GPIO6"
ok = "GPIO13"

[[buttons]]
seat = 3
tap = "GPIO17"

[[light]]
seat = 3
pin = "GPIO12"

[[buzzer]]
pin = "GPIO18"

[[reader]]
zone = "market"
spi = "/dev/spidev0.0"
"""
LIMIT = 20.0


@pytest.fixture
def metal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedTable]:
    """What is wired, without metal."""
    with simulate_wiring(WIRED, tmp_path, monkeypatch) as metal:
        yield metal


@pytest.fixture
def host(tmp_path: Path) -> Computer:
    """A Raspberry Pi on which SPI is on, the date unknown and the power bad."""
    (tmp_path / "pi").mkdir()
    pi = make_raspberry_pi(tmp_path / "pi", is_time_known=lambda: False)
    return replace(pi, throttling_report=lambda: "throttled=0x50005")


async def served(open_app: Any, metal: SimulatedTable, host: Computer, **kwargs: Any) -> Any:
    """The app with its service open, and everything examined."""
    size = kwargs.pop("size", (800, 480))
    app: Any = make_app(host.state_directory, simulated_table=metal, **{"lang": "en"} | kwargs)
    table = await open_app(app, size)
    app.controller.diagnostics.read_computer = lambda: host
    await table.tap("settings", "service")
    await table.wait_until(lambda: app.controller.diagnostics.is_examination_done)
    await table.wait_frames()
    return table


async def test_failing_lines_come_first_with_what_to_do(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """From home by one touch; the others follow page by page; the way back leads home."""
    table = await served(open_app, metal, host)
    first = table.texts()
    assert "Connect this machine to a network. Until then, games are saved without a date." in first
    assert "Use the power supply made for this computer, with a short and thick cable." in first
    assert "computer: Raspberry Pi 5 Model B Rev 1.0" in first
    assert "Python 3.13.2" not in first
    await table.tap("page on")
    assert "Python 3.13.2" in table.texts()
    await table.tap("close")
    assert "Demo table" in table.texts()


async def test_advice_ends_above_the_edge_of_its_row(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """Two lines of it, too: at least 6 px above the rim at 800×480."""
    from ui import theme
    from ui.screens.service import FindingRow
    from ui.widgets.drawing.text import FittedLabel

    table = await served(open_app, metal, host)
    rows = [widget for widget in table.widgets() if isinstance(widget, FindingRow)]
    assert rows
    for row in rows:
        labels = [
            widget for widget in row.walk(restrict=True) if isinstance(widget, FittedLabel) and widget.texture
        ]
        assert min(ink_box_in_window(label)[1] for label in labels) >= row.y + theme.length.rim + 6


async def test_an_examination_with_a_check_that_crashes_ends(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """The page says which error it was, and waits no longer."""

    def crash() -> str:
        raise RuntimeError("no firmware")

    table = await served(open_app, metal, replace(host, throttling_report=crash))
    assert any("RuntimeError: no firmware" in text for text in table.texts())


async def test_all_games_go_onto_a_stick(open_app: Any, metal: SimulatedTable, host: Computer) -> None:
    """Without one it is said what to do; the file that is made there brings the games back."""
    table = await served(open_app, metal, host)
    table.app.controller.start_new_game("egypt", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
    table.app.controller.leave_table()
    await table.wait_frames()
    table.app.service_flow.open()
    await table.wait_frames()
    await table.tap("copy")
    assert any(text.startswith("No USB stick was found") for text in table.texts())
    await table.tap("Understood")
    media = host.machine.root / "media"
    media.mkdir()
    with mount_disk(media / "stick", "4m") as stick:
        await table.tap("copy")
        (file,) = stick.glob("companion-*.zip")
        assert any(text.startswith(f"All games were saved in {file}.") for text in table.texts())
        assert [one.game for one in restore_archive(host.state_directory.parent / "new", file).games] == [
            "egypt"
        ]


async def test_a_report_is_written_beside_the_games(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """Its name is told; a second one has another name; where none can be written the reason is told."""
    table = await served(open_app, metal, host)
    first, report = (host.state_directory / f"reports/doctor-{number}.txt" for number in (1, 2))
    for path in (first, report):
        await table.tap("report")
        assert f"The report was saved as {path}." in table.texts()
        await table.tap("Understood")
    lines = report.read_text().splitlines()
    assert "failed  date: 2023" in report.read_text()
    assert any("seat 2's buttons: minus GPIO5, plus GPIO6, ok GPIO13" in line for line in lines)
    for each in host.state_directory.glob("reports/*"):
        each.unlink()
    report.parent.rmdir()
    report.parent.touch()
    await table.tap("report")
    assert any("can't be written" in text for text in table.texts())


async def test_devices_show_what_they_say(open_app: Any, metal: SimulatedTable, host: Computer) -> None:
    """A pressed button is lit until it comes up, and a tag is shown while it lies there."""
    table = await served(open_app, metal, host)
    diagnostics = table.app.controller.diagnostics
    await table.wait_until(
        lambda: {"keypad 1", "buttons 2", "reader market"}.isdisjoint(diagnostics._devices.lost_devices)
    )
    await table.tap("devices")
    there = {"seat 1's keypad", "kp-1, simulated", "reader market", "pin GPIO12", "seat 3's light"}
    assert there | {"the table's buzzer"} <= set(table.texts())
    await table.wait_until(lambda: "MFRC522 2.0" in table.texts())  # once its thread has found it
    lamps = next(
        each for each in table.widgets() if getattr(each, "button_names", None) == ["minus", "plus", "ok"]
    )
    metal.buttons[2]["plus"].press_down()
    await table.wait_until(lambda: list(lamps.pressed_buttons) == ["plus"])
    metal.buttons[2]["plus"].release()
    await table.wait_until(lambda: list(lamps.pressed_buttons) == [])
    metal.readers["market"].add_tag("04A1B2C3D4E5F6")
    await table.wait_until(lambda: "…E5F6" in table.texts())
    metal.readers["market"].remove_tag("04A1B2C3D4E5F6")
    await table.wait_until(lambda: "…E5F6" not in table.texts())
    await table.tap("close")
    assert "Service" in table.texts()


async def test_where_nothing_is_wired_that_is_said(home: Any) -> None:
    """And how to begin a hardware.toml."""
    await home.tap("settings", "service", "devices")
    assert "No devices are set up yet. To begin, run: companion hardware init" in home.texts()


async def test_a_keypad_shows_what_is_typed_while_nothing_is_asked(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """A number with OK, a key alone; once it is unplugged what to do stands there."""
    table = await served(open_app, metal, host)
    await table.tap("devices")
    metal.keypads[1].wait_until(lambda: NO_HOST_TEXT not in metal.keypads[1].display, LIMIT)
    metal.keypads[1].type("12 OK")
    await table.wait_until(lambda: "12 OK" in table.texts())
    metal.keypads[1].wait_until(lambda: ">" not in metal.keypads[1].display, LIMIT)
    metal.keypads[1].type("NO")
    await table.wait_until(lambda: "NO" in table.texts())
    metal.keypads[1].unplug()
    await table.wait_until(lambda: "Plug this device in." in table.texts())


async def test_an_entry_made_for_a_question_is_not_shown(
    open_app: Any, metal: SimulatedTable, host: Computer, tmp_path: Path
) -> None:
    """A sealed bid that a keypad still wants to send looks the same on the service screen, whatever it is."""
    table = await served(open_app, metal, host)
    devices, pictures = table.app.controller._devices, []
    await table.wait_until(lambda: not devices.lost_devices)  # one that is found later changes its tile
    await table.tap("devices")
    for amount in (7, 4711):
        devices._inbox.put(NumbersAnswer("keypad 1", 5, (amount,), 1.0, amount))
        await table.wait_until(lambda: "•••" in table.texts())
        pictures.append((await table.take_screenshot(tmp_path / f"{amount}.png")).read_bytes())
    assert pictures[0] == pictures[1]
    assert not {"7", "7 OK", "4711", "4711 OK"} & set(table.texts())


async def test_devices_are_called_by_the_names_of_the_open_game(
    open_app: Any, metal: SimulatedTable, host: Computer
) -> None:
    """Nobody knows the seats by their numbers."""
    table = await served(open_app, metal, host)
    controller = table.app.controller
    await table.tap("close")
    assert controller.start_new_game("egypt", ["Aki", "Ben", "ちえ"], ["orange", "sky", "green"], {})
    controller.leave_table()
    await table.wait_frames()
    await table.tap("settings", "service", "devices")
    assert {"Aki's keypad", "Ben's buttons", "ちえ's light"} <= set(table.texts())


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_nothing_is_cut_and_every_key_can_be_hit(
    open_app: Any, metal: SimulatedTable, host: Computer, size: tuple[int, int], lang: str
) -> None:
    """In both languages and sizes, on every page."""
    from kivy.uix.behaviors import ButtonBehavior

    from ui.simulate import SimulatedDevicesDrawer

    table = await served(open_app, metal, host, size=size, lang=lang)
    from ui import theme

    least = theme.length.target - 0.5
    await table.wait_until(lambda: "keypad 1" not in table.app.controller.diagnostics._devices.lost_devices)
    for steps in ([], *[["page on"]] * 5, ["devices"]):
        await table.tap(*steps)
        await table.wait_frames()
        check_all_texts_are_whole(table.widgets())
        keys = [each for each in table.widgets() if isinstance(each, ButtonBehavior)]
        for key in [
            each for each in keys if not isinstance(each.parent, SimulatedDevicesDrawer)
        ]:  # its tab lies over others
            assert min(key.size) >= least, (key, key.size)
