"""`companion hardware`: what a machine lacks, what is wired where, and a file to begin with."""

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.cli import load_subcommand
from companion.errors import UserError
from companion.texts import render
from hardware.commands.hardware import HARDWARE
from hardware.doctor.machine import Machine, check_wiring_needs
from hardware.wiring import (
    Buttons,
    Keypad,
    Light,
    Numpad,
    Reader,
    Wiring,
    load_wiring_without_faulty_sections,
)
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE
from hardware.wiring.pins import Pin

PI_5 = {"/dev/gpiochip0": "pinctrl-rp1", "/dev/gpiochip10": "gpio-brcmstb@107d508500"}
BUTTONS = Wiring(buttons=(Buttons(1, tap=Pin(4)),))


def companion(*words: str) -> int:
    """What `companion hardware WORDS` ends with."""
    parser = ArgumentParser()
    HARDWARE.add_arguments(parser)
    return HARDWARE.run(parser.parse_args(words))


def machine(
    root: Path, *, labels: dict[str, str] | None = None, closed: str = "", lacks: str = ""
) -> Machine:
    """A machine whose device files are under a folder; one of them may not be used, a package may lack."""
    return Machine(
        lambda: PI_5 if labels is None else labels,
        root,
        lambda path: not (closed and path.name.startswith(closed)),
        lambda name: name != lacks,
        install_python="'/srv/my companion/bin/python'",
        sees_system_packages=True,
    )


def told(wiring: Wiring, there: Machine) -> list[str]:
    """What is missing."""
    return [
        f"{render(each.subject)} | {render(each.advice)}"
        for each in check_wiring_needs(wiring, there)
        if each.advice
    ]


def test_a_machine_that_has_all_lacks_nothing(tmp_path: Path) -> None:
    """Each thing that was looked at is told, with nothing to do."""
    for name in ("spidev0.0", "ttyACM0", "input/event7"):
        (tmp_path / "dev" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dev" / name).touch()
    phys = tmp_path / "sys/class/input/event7/device/phys"
    phys.parent.mkdir(parents=True)
    phys.write_text("usb-1.2/input0\n")
    wiring = Wiring(
        keypad=(Keypad(2, port="/dev/ttyACM0"), Keypad(3, id="kp-3")),
        numpad=(Numpad(4, "usb-1.2/input0"),),
        buttons=BUTTONS.buttons,
        reader=(Reader("market", "/dev/spidev0.0"),),
    )
    assert told(wiring, machine(tmp_path)) == []
    assert len(list(check_wiring_needs(wiring, machine(tmp_path)))) == 7
    assert list(check_wiring_needs(Wiring(), machine(tmp_path))) == []


def test_a_device_that_can_not_be_looked_at_is_another_one(tmp_path: Path) -> None:
    """It may be unplugged while one looks; that stops nobody from finding the right one."""
    (tmp_path / "sys/class/input/event1/device/phys").mkdir(parents=True)
    phys = tmp_path / "sys/class/input/event7/device/phys"
    phys.parent.mkdir(parents=True)
    phys.write_text("usb-1.2/input0\n")
    assert told(Wiring(numpad=(Numpad(1, "usb-1.2"),)), machine(tmp_path)) == []


@pytest.mark.parametrize(
    ("wiring", "closed", "lacks", "labels", "missing"),
    [
        (
            BUTTONS,
            "",
            "gpiod",
            PI_5,
            ["package gpiod | Run: '/srv/my companion/bin/python' -m pip install gpiod"],
        ),
        (
            BUTTONS,
            "gpiochip",
            "",
            {},
            ["Join the group gpio: sudo usermod -aG gpio $USER, then log in again."],
        ),
        (
            BUTTONS,
            "",
            "",
            {"/dev/gpiochip0": "INT3453:00"},
            ["found: INT3453:00 | On another computer, try the wiring with --simulate."],
        ),
        (
            Wiring(reader=(Reader("hand", "/dev/spidev0.1"),)),
            "",
            "",
            PI_5,
            ["reader[1]: /dev/spidev0.1 | Switch SPI on: "],
        ),
        (Wiring(reader=(Reader("hand", "/dev/spidev0.0"),)), "spidev", "", PI_5, ["Join the group spi: "]),
        (Wiring(keypad=(Keypad(1, port="/dev/ttyACM0"),)), "tty", "", PI_5, ["Join the group dialout: "]),
        (Wiring(keypad=(Keypad(1, port="/dev/ttyACM9"),)), "", "", PI_5, ["A game can start without it."]),
        (Wiring(numpad=(Numpad(1, "usb-1.2/input0"),)), "event", "", PI_5, ["Join the group input: "]),
        (Wiring(numpad=(Numpad(1, "usb-9"),)), "", "", PI_5, ["numpad[1]: usb-9 | Plug this device in."]),
        (
            Wiring(numpad=(Numpad(1, "usb-1.2"),)),
            "",
            "evdev",
            PI_5,
            ["package evdev | Run: sudo apt install python3-evdev"],
        ),
        (
            Wiring(reader=(Reader("hand", "/dev/spidev0.0"),)),
            "",
            "spidev",
            PI_5,
            ["package spidev | Run: sudo apt install python3-spidev"],
        ),
    ],
)
def test_what_is_missing_says_what_to_do(
    tmp_path: Path, wiring: Wiring, closed: str, lacks: str, labels: dict[str, str], missing: list[str]
) -> None:
    """A package, a group, a device that isn't there, or a machine without pins."""
    for name in ("gpiochip0", "spidev0.0", "ttyACM0", "input/event7"):
        (tmp_path / "dev" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dev" / name).touch()
    phys = tmp_path / "sys/class/input/event7/device/phys"
    phys.parent.mkdir(parents=True)
    phys.write_text("usb-1.2/input0\n")
    found = told(wiring, machine(tmp_path, labels=labels, closed=closed, lacks=lacks))
    assert len(found) == len(missing)
    assert all(expected in line for expected, line in zip(missing, found, strict=True))


NUMPAD, READER = Wiring(numpad=(Numpad(1, "usb-1.2"),)), Wiring(reader=(Reader("hand", "/dev/spidev0.0"),))


@pytest.mark.parametrize(
    ("wiring", "lacks", "kind", "todo"),
    [
        (NUMPAD, "evdev", "x86_64", "Run: '/srv/my companion/bin/python' -m pip install evdev-binary"),
        (READER, "spidev", "x86_64", "Run: '/srv/my companion/bin/python' -m pip install spidev"),
        (NUMPAD, "evdev", "aarch64", 'In the Companion\'s folder, run "scripts/setup"'),
        (READER, "spidev", "aarch64", 'In the Companion\'s folder, run "scripts/setup"'),
    ],
)
def test_an_environment_without_debians_packages_is_told_what_it_can_use(
    tmp_path: Path, wiring: Wiring, lacks: str, kind: str, todo: str
) -> None:
    """It would never see what apt installs, and on a board pip could only build from source."""
    there = replace(machine(tmp_path, lacks=lacks), sees_system_packages=False, processor=kind)
    assert told(wiring, there)[0].startswith(f"package {lacks} | {todo}")


def test_a_pin_of_another_program_is_told_by_its_name(tmp_path: Path) -> None:
    """Of every device at the pins; those of the companion that plays here are well, others' don't matter."""
    wiring = Wiring(
        buttons=(Buttons(1, plus=Pin(5), ok=Pin(6)),),
        outputs=(Light(2, pin=Pin(16)), Light(3, pin=Pin(17))),
        reader=(Reader("market", "/dev/spidev0.0", reset=Pin(25)),),
    )
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/spidev0.0").touch()
    held = {6: "fan-control", 16: "companion", 25: "", 4: "doorbell"}
    there = replace(machine(tmp_path), pin_holders=lambda: held)
    todo = (
        "Close the program that uses this pin, or use another pin. A running game uses the pin as soon as "
        "it is free."
    )
    assert told(wiring, there) == [
        f"buttons[1]: GPIO6 is in use by fan-control | {todo}",
        f"reader[1]: GPIO25 is in use by ? | {todo}",
    ]
    well = [render(each.subject) for each in check_wiring_needs(wiring, there) if each.advice is None]
    assert "light[1]: GPIO16 is in use by the running Companion" in well
    assert not any("GPIO17" in line for line in well)


@pytest.mark.parametrize("name", DESCRIPTION_BY_EXAMPLE)
def test_a_file_to_begin_with_is_written_once(name: str, tmp_path: Path) -> None:
    """`init` writes a file that is right and leaves one alone that is there."""
    path = tmp_path / "config" / "hardware.toml"
    assert companion("init", name, "--file", str(path)) == 0
    assert load_wiring_without_faulty_sections(path).faults == ()
    path.write_text("# mine\n")
    with pytest.raises(UserError, match="was not changed"):
        companion("init", "reader", "--file", str(path))
    assert path.read_text() == "# mine\n"
    with pytest.raises(UserError, match="can't be written"):
        companion("init", "reader", "--file", str(path / "below"))


def test_the_files_to_begin_with_are_told_each_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """By `init --help`, and by `init` alone, which writes nothing."""
    with pytest.raises(SystemExit):
        companion("init", "--help")
    helped = capsys.readouterr().out
    assert companion("init") == 0
    for told in (helped, capsys.readouterr().out):
        assert all(
            f"{name:14} {sentence}" in told.splitlines() for name, sentence in DESCRIPTION_BY_EXAMPLE.items()
        )


def test_who_has_what_is_shown_with_both_numbers_of_a_pin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line a device: seat or table, kind, and where it is."""
    path = tmp_path / "hardware.toml"
    companion("init", "full-table", "--file", str(path))
    capsys.readouterr()
    assert companion("show", "--file", str(path)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(path)
    assert "seat 4  buttons  plus GPIO19 (pin 35), ok GPIO26 (pin 37), active low" in lines
    assert "table   buzzer   pin GPIO18 (pin 12), model active, sounds turn taken refused" in lines


def test_a_check_fails_where_something_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --simulate the file alone is checked; a file that is wrong fails both ways; no file is named."""
    path = tmp_path / "hardware.toml"
    path.write_text("[[keypad]]\nseat = 1\nport = '/dev/not-there'\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    assert companion("check") == 2
    assert "missing keypad[1]: /dev/not-there. Plug this device in." in capsys.readouterr().out
    assert companion("check", "--simulate") == 0
    path.write_text("[[keypad]\n")
    with pytest.raises(
        UserError, match=r"can't be read: line 1, column 9: a bracket or a quotation mark is not closed"
    ):
        companion("check", "--simulate")
    path.unlink()
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UserError, match="companion hardware init"):
        companion("show")


def test_what_is_wrong_is_told_beside_what_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each wrong section is a line of its own and fails the check; the others are checked and shown."""
    path = tmp_path / "hardware.toml"
    port = "/dev/not-there"
    path.write_text(f"[[keypad]]\nseat = 9\n[[keypad]]\nseat = 2\nport = '{port}'\n[[light]]\nseat = 1\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    wrong = [
        f"wrong   {path}: keypad[1].seat: 9 isn't allowed here",
        f"wrong   {path}: light[1]: found: no pins",
    ]
    for act, right in {
        "check --simulate": [],
        "check": [f"missing keypad[2]: {port}. Plug this device in. A game can start without it."],
        "show": [f"seat 2  keypad   port {port}"],
    }.items():
        assert companion(*act.split()) == 2
        told = [line.partition("; allowed")[0] for line in capsys.readouterr().out.splitlines()]
        assert told == [str(path), *wrong, *right]


def test_the_verb_is_found_and_loads_no_metal() -> None:
    """`companion hardware` is an entry point, and neither gpiozero nor serial loads for it."""
    assert load_subcommand("hardware") is HARDWARE
    code = (
        "import sys, hardware.commands.hardware; "
        "print([m for m in ('gpiod', 'gpiozero', 'serial') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
