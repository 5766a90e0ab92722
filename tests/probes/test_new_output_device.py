"""A new output device needs its driver and one class: wiring, drawing, doctor and missing devices read it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from companion import cli
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.texts import render
from hardware.devices import Devices
from hardware.doctor.machine import Machine, check_wiring_needs
from hardware.signals import Inbox
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Wiring, WiringError, load_wiring_without_faulty_sections
from hardware.wiring.header_drawing import draw_header_svg, list_pin_connections
from hardware.wiring.pins import Pin
from hardware.wiring.sections import SECTION_TYPE_BY_NAME
from tests.probes.segments import Segments

FILE = """
[[segments]]
seat = 1
ones = "GPIO20"
tens = "GPIO21"
"""
AKI = Segments(1, ones=Pin(20), tens=Pin(21))


@pytest.fixture(autouse=True)
def segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device type more in the table."""
    monkeypatch.setitem(SECTION_TYPE_BY_NAME, "segments", Segments)


@pytest.fixture
def wiring_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a hardware.toml."""

    def write(text: str) -> Path:
        path = tmp_path / "hardware.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def session() -> Session:
    """Aki, Ben and Chie bid."""
    return Session.begin(sealed_bid.GAME, ["Aki", "Ben", "Chie"], {}, MemoryLog(), seed=7)


def test_the_wiring_file_may_have_it(wiring_file: Callable[[str], Path]) -> None:
    """Its section is read and checked; a mistake names what is allowed, and so does an unknown section."""
    assert load_wiring_without_faulty_sections(wiring_file(FILE)).sections_of_type(Segments) == (AKI,)
    wrong = (
        FILE + FILE.replace("seat = 1", "seat = 2").replace("GPIO20", "GPIO22") + "[[segments]]\nglow = 'x'\n"
    )
    faults = [render(fault) for fault in load_wiring_without_faulty_sections(wiring_file(wrong)).faults]
    assert any("segments[3].glow: " in fault and fault.endswith("allowed: 1 to 3") for fault in faults)
    assert any("segments[2].tens: segments[1].tens already uses GPIO21" in fault for fault in faults)
    (fault,) = load_wiring_without_faulty_sections(wiring_file("[[knob]]\n")).faults
    assert render(fault).endswith("[[reader]], [[segments]]")


def test_the_wiring_is_listed_and_drawn(
    wiring_file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands list its pins, and the drawing has its wires and its supply."""
    path = wiring_file(FILE)
    assert cli.main(["hardware", "show", "--file", str(path)]) == 0
    assert "seat 1  segments ones GPIO20 (pin 38), tens GPIO21 (pin 40)" in capsys.readouterr().out
    wires = [
        (one.wire_name, one.physical_pin)
        for one in list_pin_connections(load_wiring_without_faulty_sections(path))
    ]
    assert wires[:2] == [("ones", 38), ("D1", 40)]
    assert wires[2][0] == "GND"
    assert "seat 1 segments" in draw_header_svg("Toy", load_wiring_without_faulty_sections(path))


def test_the_doctor_checks_its_pins() -> None:
    """A pin that another program holds is named; the device has a title."""
    machine = Machine(lambda: {"/dev/gpiochip0": "pinctrl-rp1"}, pin_holders=lambda: {21: "fan"})
    found = [render(each.subject) for each in check_wiring_needs(Wiring(outputs=(AKI,)), machine)]
    assert "segments[1]: GPIO21 is in use by fan" in found
    assert render(AKI.device_title("Aki")) == "Aki's segments"


def test_people_are_told_when_it_is_missing() -> None:
    """In the words of the type; the game goes on."""

    def no_pins() -> object:
        raise OSError(19, "no such device")

    with Devices(Wiring(outputs=(AKI,)), Inbox(lambda: None), pins=no_pins) as devices:
        devices.process_signals_and_refresh(playing := session())
        assert [render(each.message) for each in devices.missing_devices_needed_by_game(playing)] == [
            "Aki's segments stay dark."
        ]


def test_it_shows_what_is_entered_at_its_seat() -> None:
    """Two presses of plus on Aki's buttons are one digit; ten are two."""
    wiring = Wiring(buttons=(Buttons(1, plus=Pin(5), ok=Pin(6)),), outputs=(AKI,))
    clock = ManualClock()
    playing = session()
    with SimulatedTable(wiring, clock) as metal:
        lamps = [metal.pins().pin(number) for number in (20, 21)]
        devices = Devices(metal.wiring, Inbox(lambda: None), clock=clock, pins=metal.pins)
        with devices:
            for digits, presses in ((1, 2), (2, 10)):
                devices.process_signals_and_refresh(playing)
                clock.wait(1.0)
                for _ in range(presses):
                    metal.buttons[1]["plus"].press()
                _wait(partial(_shows, devices, playing, lamps, digits))


def test_the_product_names_no_device_type_of_a_test() -> None:
    """The toy isn't in any file that ships."""
    root = Path(__file__).parents[2]
    code = [path for room in ("companion", "hardware", "ui") for path in (root / room).rglob("*.py")]
    assert not [path for path in code if "SegmentDriver" in path.read_text(encoding="utf-8")]
    with pytest.raises(WiringError):
        load_wiring_without_faulty_sections(root / "none.toml")


def _shows(devices: Devices, playing: Session, lamps: list[object], digits: int) -> bool:
    devices.process_signals_and_refresh(playing)
    return sum(bool(getattr(lamp, "state", False)) for lamp in lamps) == digits


def _wait(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
