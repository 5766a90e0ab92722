"""Fingers on a simulated table, by lines of text, until a game hears them."""

import os
from contextlib import closing

import pytest

from hardware.gpio.buttons import ButtonReader
from hardware.numpads import Numpads
from hardware.rfid.readers import TagReaders
from hardware.signals import ButtonDown, ButtonUp, DeviceFound, DeviceLost, NumpadKeyDown, TagArrived, TagLeft
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import (
    KEYPAD_SCRIPT_LINES,
    READER_SCRIPT_LINES,
    SimulatedTable,
    read_lines,
    run_script_line,
    run_script_lines,
)
from hardware.wiring import Buttons, Keypad, Numpad, Reader, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import SignalListener

WIRING = Wiring(
    keypad=(Keypad(4, id="kp-4"),),
    buttons=(Buttons(2, plus=Pin(5), ok=Pin(6)),),
    reader=(Reader("market", "/dev/spidev0.0"),),
)


BUTTONS = "plus [SECONDS], ok [SECONDS], bounce plus|ok, chatter plus|ok SECONDS"


def test_lines_press_what_the_wiring_names() -> None:
    """A press, a long one, and a wire that hardly touches."""
    listener, clock = SignalListener(), ManualClock()
    metal = SimulatedTable(WIRING, clock)
    said: list[str] = []
    with metal, ButtonReader(WIRING.buttons, listener.inbox, pins=metal.pins, clock=clock):
        run_script_lines(metal, ["2 plus", "", "2 ok 0.7", "2 chatter plus 2"], said.append)
        pushed, let_go = listener.wait_for_signal(ButtonDown), listener.wait_for_signal(ButtonUp)
        assert (pushed.button, round(let_go.at - pushed.at, 3)) == ("plus", 0.1)
        pushed, let_go = listener.wait_for_signal(ButtonDown), listener.wait_for_signal(ButtonUp)
        assert (pushed.button, round(let_go.at - pushed.at, 3)) == ("ok", 0.7)
        assert listener.wait_for_signal(DeviceLost).reason == "chatters"
    assert said == []


def test_lines_work_a_number_pad() -> None:
    """Its keys and its plug, as a keypad's."""
    listener, wired = SignalListener(), (Numpad(3, "usb-3"),)
    with SimulatedTable(Wiring(numpad=wired)) as metal:
        with Numpads(wired, listener.inbox, inputs=metal.inputs):
            listener.wait_for_signal(DeviceFound)
            assert run_script_line(metal, "3 keys 1 OK") == ""
            assert [listener.wait_for_signal(NumpadKeyDown).key for _ in range(2)] == ["1", "OK"]
            assert run_script_line(metal, "3 unplug") == ""
            assert listener.wait_for_signal(DeviceLost).reason == "unplugged"
            assert run_script_line(metal, "3 plug") == ""
            listener.wait_for_signal(DeviceFound)
        assert "there is no key" in run_script_line(metal, "3 keys F1")


def test_lines_work_a_keypad() -> None:
    """Its plug, and its keys, which need a host to be typed for."""
    with SimulatedTable(WIRING, ManualClock()) as metal:
        path = metal.keypads[4].path
        assert run_script_line(metal, "4 unplug") == ""
        assert not path.exists()
        assert run_script_line(metal, "4 plug") == ""
        assert path.exists()
        assert run_script_line(metal, "4 keys 12 OK") == ""
        assert metal.wiring.keypad == (Keypad(4, port=str(path), id="kp-4"),)


def test_lines_lay_cards() -> None:
    """Laid, lifted, and a reader whose wires are pulled."""
    listener = SignalListener()
    metal = SimulatedTable(WIRING)
    readers = TagReaders(WIRING.reader, listener.inbox, pins=metal.pins, spi=metal.open_reader)
    with metal, closing(readers):
        readers.start()
        listener.wait_for_signal(DeviceFound)
        assert run_script_line(metal, "market lay 04a2b3c4") == ""
        assert listener.wait_for_signal(TagArrived).tag == "04A2B3C4"
        assert run_script_line(metal, "market lift 04a2b3c4") == ""
        assert listener.wait_for_signal(TagLeft).tag == "04A2B3C4"
        assert run_script_line(metal, "market unplug") == ""
        assert listener.wait_for_signal(DeviceLost) == DeviceLost("reader market", "silent")
        assert run_script_line(metal, "market plug") == ""
        listener.wait_for_signal(DeviceFound)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("dance", "unknown: dance; choose from: 2, 4, market, wait"),
        ("1 plus", "unknown: 1; choose from: 2, 4, market, wait"),
        ("x plus", "unknown: x; choose from: 2, 4, market, wait"),
        ("２ plus", "unknown: ２; choose from: 2, 4, market, wait"),
        ("tray lay 04A2B3C4", "unknown: tray; choose from: 2, 4, market, wait"),
        ("2 minus", f"2 takes: {BUTTONS}"),
        ("2 unplug", f"2 takes: {BUTTONS}"),
        ("2", f"2 takes: {BUTTONS}"),
        ("4 plus", f"4 takes: {', '.join(KEYPAD_SCRIPT_LINES)}"),
        ("market", f"market takes: {', '.join(READER_SCRIPT_LINES)}"),
        ("market dance", f"market takes: {', '.join(READER_SCRIPT_LINES)}"),
        ("wait", "wait takes SECONDS"),
        ("2 plus 0", "a time is more than 0"),
        ("2 plus 3600", "at most 60"),
        ("2 plus nan", "a time is more than 0"),
        ("2 plus soon", "soon is not a number"),
        ("4 keys 12 DANCE", "there is no key"),
        ("market lay 04A2", "8, 14 or 20 hexadecimal digits"),
        ("market lay joker", "8, 14 or 20 hexadecimal digits"),
        ("market lift 04A2B3C4", "no tag 04A2B3C4 lies there; tags there: none"),
        ("market lay egypt/99.1", "unknown card 99.1 of egypt; choose from: 4.1, 4.2, "),
        ("market lay chess/1", "unknown deck chess; choose from: "),
    ],
)
def test_what_a_line_can_not_do_is_said(line: str, wrong: str) -> None:
    """Nothing is pressed, and the line is named with what can be said."""
    with SimulatedTable(WIRING, ManualClock()) as metal:
        said = run_script_line(metal, line)
        assert said.startswith(f"{line}: ")
        assert wrong in said


def test_lines_are_cut_where_they_end() -> None:
    """Pieces of any length, and what isn't a text; a file's last line may lack its end."""
    end, begin = os.pipe()
    os.write(begin, b"2 plus\n2 o")
    os.write(begin, b"k\n\xff\n4 unplug")
    os.close(begin)
    assert list(read_lines(end)) == ["2 plus", "2 ok", "\ufffd", "4 unplug"]
    os.close(end)
