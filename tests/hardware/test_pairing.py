"""Which number pad is at which seat: presses of 1, and what they make of hardware.toml."""

import os
from argparse import ArgumentParser
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.texts import render
from hardware.commands.hardware import HARDWARE, pair_numpads
from hardware.numpads import (
    InputDeviceSource,
    NumpadPairingProgress,
    format_numpad_sections,
    handle_pairing_key,
    replace_numpad_sections,
    save_numpads,
    skip_seat,
)
from hardware.signals import PadKey
from hardware.simulated.numpads import SimulatedInputs
from hardware.wiring import WiringError, load_wiring_without_faulty_sections
from hardware.wiring.sections import Numpad

PATH = Path("hardware.toml")


def pressed(
    pairing: NumpadPairingProgress, *presses: tuple[str, PadKey]
) -> tuple[NumpadPairingProgress, list[str]]:
    """What presses make of it, and what is said."""
    said = []
    for port, cap in presses:
        pairing, remark = handle_pairing_key(pairing, port, cap)
        said += [render(remark)] if remark else []
    return pairing, said


def test_1_at_one_seat_after_the_other_says_where_each_pad_is() -> None:
    """In any order of ports; once everybody was asked, nothing more is heard."""
    pairing, said = pressed(NumpadPairingProgress((1, 2)), ("usb-4", "1"), ("usb-2", "1"), ("usb-3", "1"))
    assert pairing.numpads == (Numpad(1, "usb-4"), Numpad(2, "usb-2"))
    assert pairing.current_seat is None
    assert said == []


@pytest.mark.parametrize(
    ("presses", "said"),
    [
        ([("usb-1", "7")], ["You pressed 7. Press 1."]),
        ([("usb-1", "OK")], []),
        (
            [("usb-1", "1"), ("usb-1", "1")],
            ["This number pad already belongs to seat 1. Press 1 on another number pad."],
        ),
    ],
)
def test_other_presses_bind_nothing(presses: list[tuple[str, PadKey]], said: list[str]) -> None:
    """Another digit, a pad that has its seat already; Enter is pressed in passing."""
    pairing, remarks = pressed(NumpadPairingProgress((1, 2)), *presses)
    assert remarks == said
    assert len(pairing.numpads) == len([each for each in presses[:1] if each[1] == "1"])


def test_a_seat_without_a_pad_is_skipped() -> None:
    """It uses something else."""
    pairing, _ = pressed(skip_seat(NumpadPairingProgress((1, 2))), ("usb-2", "1"))
    assert (pairing.remaining_seats, pairing.numpads) == ((), (Numpad(2, "usb-2"),))


def test_a_pad_that_is_pulled_out_binds_nothing() -> None:
    """What the reader says then is no key."""
    assert handle_pairing_key(NumpadPairingProgress((1,)), "usb-1", None) == (
        NumpadPairingProgress((1,)),
        None,
    )


OTHERS = """\
# Our table.
[[keypad]]
seat = 3
id = "kp-3"  # the red one

[[light]]
seat = 1
pin = "GPIO4"
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[[numpad]]\nseat = 1\nport = "usb-2"\n'),
        (OTHERS, f'{OTHERS}\n[[numpad]]\nseat = 1\nport = "usb-2"\n'),
        (
            f'{OTHERS}\n[[numpad]]\nseat=5\nport="usb-9"\n',
            f'{OTHERS}\n[[numpad]]\nseat = 1\nport = "usb-2"\n',
        ),
        (
            f'[[numpad]]\nport = "usb-1"\nseat = 1\n# Keypads.\n{OTHERS}',
            f'# Keypads.\n{OTHERS}\n[[numpad]]\nseat = 1\nport = "usb-2"\n',
        ),
    ],
)
def test_the_sections_take_the_place_of_those_that_were_there(before: str, after: str) -> None:
    """Everything else stays as people wrote it, comments too."""
    assert replace_numpad_sections(PATH, before, [Numpad(1, "usb-2")]) == after


def test_no_pads_at_all_take_them_out() -> None:
    """Nobody has a number pad any more."""
    assert (
        replace_numpad_sections(PATH, f"{OTHERS}\n{format_numpad_sections([Numpad(1, 'usb-1')])}", [])
        == OTHERS
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("numpad = [{seat = 1, port = 'usb-1'}]\n", "can't be changed automatically"),
        ("[[keypad]]\nseat = 1\n", 'the keys "port" and "id" are both missing'),
        ("[[keypad]\n", "can't be read"),
    ],
)
def test_a_file_that_can_not_be_rewritten_stays(tmp_path: Path, text: str, why: str) -> None:
    """What is wrong with it is named."""
    path = tmp_path / "hardware.toml"
    path.write_text(text)
    with pytest.raises(WiringError, match=why):
        save_numpads(path, [Numpad(1, "usb-2")])
    assert path.read_text() == text


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    """The file and its folder are made if there are none."""
    path = tmp_path / "config" / "hardware.toml"
    save_numpads(path, [Numpad(1, "usb-2"), Numpad(4, "usb-1")])
    assert load_wiring_without_faulty_sections(path).numpad == (Numpad(1, "usb-2"), Numpad(4, "usb-1"))


class Terminal:
    """Somebody at a terminal with three number pads; every line that is told lets the next be done."""

    def __init__(self, *deeds: tuple[str, str]) -> None:
        self.inputs = SimulatedInputs()
        self.pads = {name: self.inputs.add_numpad(f"usb-{name}") for name in ("left", "right")}
        self.keyboard = self.inputs.add_numpad("i8042")
        self.typed, self.keys = os.pipe()
        self.told: list[str] = []
        self._deeds = list(deeds)

    def tell(self, text: str) -> None:
        """Once both pads are there, each thing that is told is followed by what people do next."""
        self.told.append(text)
        if len(self.told) >= 3 and self._deeds:
            where, what = self._deeds.pop(0)
            if where == "types":
                os.write(self.keys, f"{what}\n".encode())
            else:
                self.pads[where].type(what)

    def pairs(self, seats: int = 2) -> tuple[Numpad, ...] | None:
        """What comes of it."""
        try:
            return pair_numpads(seats, self.tell, input_fd=self.typed, inputs=lambda: self.inputs)
        finally:
            os.close(self.typed)
            os.close(self.keys)


def test_pads_are_paired_in_the_terminal() -> None:
    """Each question names the seat; a pad that isn't on USB, such as a laptop's keyboard, isn't looked at."""
    table = Terminal(("right", "7"), ("right", "1"), ("left", "1"))
    table.keyboard.type("1")
    assert table.pairs() == (Numpad(1, "usb-right"), Numpad(2, "usb-left"))
    assert table.told[0].startswith("Press 1 on the number pad of seat 1.")
    assert sorted(table.told[1:3]) == ["Number pad found at usb-left.", "Number pad found at usb-right."]
    assert table.told[3] == "You pressed 7. Press 1."
    assert table.told[4].startswith("Press 1 on the number pad of seat 2.")
    assert table.keyboard.open_file_count == 0


def test_a_seat_may_be_skipped_in_the_terminal() -> None:
    """By a letter, which no number pad has."""
    assert Terminal(("types", "s"), ("left", "1")).pairs() == (Numpad(2, "usb-left"),)


def test_pairing_may_be_stopped() -> None:
    """By a letter, or by the end of input."""
    assert Terminal(("types", "q")).pairs() is None
    ended, keys = os.pipe()
    os.close(keys)
    assert pair_numpads(1, lambda _: None, input_fd=ended, inputs=SimulatedInputs) is None
    os.close(ended)


def test_a_right_that_is_missing_is_named() -> None:
    """With the group to join."""
    table = Terminal()
    for each in table.pads.values():
        each.may_be_read = False
    with pytest.raises(UserError, match="Join the group input"):
        table.pairs()


def test_a_package_that_is_missing_is_named() -> None:
    """With what to install."""

    def missing() -> InputDeviceSource:
        raise ImportError("No module named 'evdev'")

    with pytest.raises(UserError, match="python3-evdev"):
        pair_numpads(1, lambda _: None, inputs=missing)


@pytest.mark.parametrize(("words", "written"), [([], False), (["--write"], True)])
def test_the_verb_prints_the_sections_or_writes_them(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    written: bool,
) -> None:
    """The output is what goes into the file, so that it may be led there; people are spoken to aside."""
    path = tmp_path / "hardware.toml"
    monkeypatch.setattr(
        "hardware.commands.hardware.pair_numpads", lambda seats, _tell: (Numpad(seats, "usb-1"),)
    )
    parser = ArgumentParser()
    HARDWARE.add_arguments(parser)
    assert HARDWARE.run(parser.parse_args(["pair", "--seats", "3", "--file", str(path), *words])) == 0
    section = '[[numpad]]\nseat = 3\nport = "usb-1"\n'
    assert capsys.readouterr().out == (f"{path}\n" if written else section)
    assert (path.read_text() if path.exists() else "") == (section if written else "")


def test_a_file_that_can_not_take_them_is_named_before_anybody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody goes round the table for nothing; what is only printed needs no file."""
    path = tmp_path / "hardware.toml"
    path.write_text("[[buttons]]\nseat = 1\ntap = 4\n")
    asked: list[int] = []
    monkeypatch.setattr("hardware.commands.hardware.pair_numpads", lambda seats, _tell: asked.append(seats))
    parser = ArgumentParser()
    HARDWARE.add_arguments(parser)
    words = ["pair", "--seats", "3", "--file", str(path)]
    with pytest.raises(WiringError, match="buttons"):
        HARDWARE.run(parser.parse_args([*words, "--write"]))
    assert asked == []
    assert HARDWARE.run(parser.parse_args(words)) == 0
    assert asked == [3]
