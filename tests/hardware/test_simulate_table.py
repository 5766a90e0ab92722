"""`companion simulate table`: hardware.toml without metal and without a game, worked from a shell."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import INTERRUPTED_STATUS
from hardware.signals import (
    ButtonDown,
    ButtonStillHeld,
    ButtonUp,
    ControlKeyAnswer,
    DeviceFound,
    DeviceLost,
    DuplicateKeypad,
    NumbersAnswer,
    NumpadKeyDown,
    Signal,
    TagLeft,
)
from hardware.simulated.table import describe_signal, run_simulation_script
from hardware.wiring import Buttons, Numpad, Wiring
from hardware.wiring.pins import Pin
from tests.support.program import wait_until_idle

PROGRAM = "import sys; from companion.cli import main; sys.exit(main())"
WIRED = """\
[[keypad]]
seat = 1
id = "kp-1"

[[buttons]]
seat = 2
tap = "GPIO17"

[[reader]]
zone = "market"
spi = "/dev/spidev0.0"
"""
SCRIPT = """\
2 bounce tap           # one press, whatever the contact does
1 keys 12 OK
market lay 04A1B2C3D4E580
wait 0.5
market lift 04A1B2C3D4E580
9 ok
"""


def test_a_script_works_every_device(tmp_path: Path) -> None:
    """What the drivers hear is printed, once each; a line that is wrong is told, and the rest goes on."""
    (tmp_path / "hardware.toml").write_text(WIRED)
    words = [sys.executable, "-c", PROGRAM, "simulate", "table", "--file", str(tmp_path / "hardware.toml")]
    ended = subprocess.run(words, input=SCRIPT, capture_output=True, text=True, check=False, timeout=60)
    assert ended.stderr == ""
    assert ended.returncode == 0
    lines = ended.stdout.splitlines()
    assert {"keypad 1: is connected", "buttons 2: is connected", "reader market: is connected"} <= set(lines)
    assert lines.count("buttons 2: tap down") == 1
    assert lines.count("keypad 1: 12 OK") == 1
    assert lines.index("reader market: tag 04A1B2C3D4E580 laid") < lines.index(
        "reader market: tag 04A1B2C3D4E580 lifted"
    )
    assert "9 ok: unknown: 9; choose from: 1, 2, market, wait" in lines


def test_number_pads_without_their_package_are_lost_as_on_metal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else is worked."""
    for name in ("evdev", "hardware.simulated.numpads"):
        monkeypatch.setitem(sys.modules, name, None)
    told: list[str] = []
    wiring = Wiring(numpad=(Numpad(1, "usb-1.3"),), buttons=(Buttons(2, tap=Pin(17)),))
    run_simulation_script(wiring, ["1 keys 12 OK", "2 tap"], told.append)
    assert {"numpad 1: is disconnected: no_package", "buttons 2: tap down"} <= set(told)
    assert "1 keys 12 OK: unknown: 1; choose from: 2, wait" in told


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    """The drivers let go too."""
    (tmp_path / "hardware.toml").write_text(WIRED)
    words = [sys.executable, "-c", PROGRAM, "simulate", "table", "--file", str(tmp_path / "hardware.toml")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("9 ok\n")
        process.stdin.flush()
        assert any(line.startswith("9 ok: ") for line in process.stdout)
        wait_until_idle(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == INTERRUPTED_STATUS


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (DeviceFound("keypad 1"), "keypad 1: is connected"),
        (DeviceLost("keypad 1", "unplugged"), "keypad 1: is disconnected: unplugged"),
        (DeviceLost("buttons 2", "stuck", "ok"), "buttons 2: is disconnected: stuck ok"),
        (
            DuplicateKeypad("keypad 1", "kp-1", "/dev/ttyACM1"),
            "keypad 1: another keypad kp-1 at /dev/ttyACM1",
        ),
        (ButtonDown("buttons 2", "ok", 0.0), "buttons 2: ok down"),
        (ButtonStillHeld("buttons 2", "ok", 0.0), "buttons 2: ok held"),
        (ButtonUp("buttons 2", "ok", 0.0), "buttons 2: ok up"),
        (NumpadKeyDown("numpad 3", None, 0.0), "numpad 3: key None"),
        (ControlKeyAnswer("keypad 1", 0, "no", 0.0, 1), "keypad 1: no"),
        (NumbersAnswer("keypad 1", 0, (2, 3), 0.0, 1), "keypad 1: 2.3 OK"),
        (TagLeft("reader market", "market", "DEADBEEF", 0.0), "reader market: tag DEADBEEF lifted"),
    ],
)
def test_each_signal_has_its_words(said: Signal, words: str) -> None:
    """The device first, then what it said."""
    assert describe_signal(said) == words
