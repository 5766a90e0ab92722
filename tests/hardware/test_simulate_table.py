"""`companion simulate table`: hardware.toml without metal and without a game, worked from a shell."""

import subprocess
import sys
from pathlib import Path

import pytest

from hardware.signals import (
    Doubled,
    Found,
    Held,
    KeyDown,
    LetGo,
    Lost,
    Pressed,
    Pushed,
    Signal,
    TagLeft,
    Typed,
)
from hardware.simulate_table import heard

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
wait 1
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
    assert {"keypad 1: is there", "buttons 2: is there", "reader market: is there"} <= set(lines)
    assert lines.count("buttons 2: tap down") == 1
    assert lines.count("keypad 1: 12 OK") == 1
    assert lines.index("reader market: 04A1B2C3D4E580 arrived") < lines.index(
        "reader market: 04A1B2C3D4E580 left"
    )
    assert any(line.startswith("9 ok: SEAT BUTTON") for line in lines)


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        (Found("keypad 1"), "keypad 1: is there"),
        (Lost("keypad 1", "unplugged"), "keypad 1: is lost: unplugged"),
        (Lost("buttons 2", "stuck", "ok"), "buttons 2: is lost: stuck ok"),
        (Doubled("keypad 1", "kp-1", "/dev/ttyACM1"), "keypad 1: a second kp-1 at /dev/ttyACM1"),
        (Pushed("buttons 2", "ok", 0.0), "buttons 2: ok down"),
        (Held("buttons 2", "ok", 0.0), "buttons 2: ok held"),
        (LetGo("buttons 2", "ok", 0.0), "buttons 2: ok up"),
        (KeyDown("numpad 3", None, 0.0), "numpad 3: key None"),
        (Pressed("keypad 1", 0, "no", 0.0, 1), "keypad 1: no"),
        (Typed("keypad 1", 0, (2, 3), 0.0, 1), "keypad 1: 2.3 OK"),
        (TagLeft("reader market", "market", "DEADBEEF", 0.0), "reader market: DEADBEEF left"),
    ],
)
def test_each_signal_has_its_words(signal: Signal, words: str) -> None:
    """The device first, then what it said."""
    assert heard(signal) == words
