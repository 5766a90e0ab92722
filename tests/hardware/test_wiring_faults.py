"""A hardware.toml with mistakes: each is named in one plain sentence and costs its own devices alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cards import parse_deck_file, shipped_deck_file
from companion.clocks import parse_clocks_toml
from companion.errors import UserError
from companion.languages import languages
from companion.texts import Text, render
from hardware.devices import Devices
from hardware.signals import Inbox
from hardware.simulated.table import SimulatedTable, run_simulation_script
from hardware.wiring import Keypad, WiringError, load_wiring_without_faulty_sections
from hardware.wiring.files import MAX_SECTIONS_OF_A_TYPE, list_pin_claims
from tests.any_game_presets import read
from tests.support.hardware.random_wiring import ODD_VALUES, VALID_SECTION_BY_DEVICE, random_wiring_text
from tests.support.soak import SOAK

RUNS = 20_000 if SOAK else 400
PROGRAMS_OWN = ("`", "regex", "codec", "Expected", "Object", "got ", "Traceback", "error", "int(", "\n")
"""What only a program says."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where hardware.toml is."""
    return tmp_path / "hardware.toml"


def faults(path: Path, text: str) -> list[str]:
    """What is wrong with a text, each as people read it."""
    path.write_text(text, encoding="utf-8")
    return [check_plain(fault) for fault in load_wiring_without_faulty_sections(path).faults]


def check_plain(text: Text) -> str:
    """One sentence for people, in every language."""
    for language in languages():
        told = render(text, language)
        assert not [word for word in PROGRAMS_OWN if word in told], told
        assert len(told) < 600
    return render(text)


@pytest.mark.parametrize("wrong", VALID_SECTION_BY_DEVICE)
def test_a_wrong_section_costs_its_own_devices_alone(path: Path, wrong: str) -> None:
    """Whichever it is, all the others are there, and what is told of them stands where the file has it."""
    broken = VALID_SECTION_BY_DEVICE[wrong].replace("]]\n", "]]\nknob = 1\n")
    (fault,) = faults(
        path,
        "".join(VALID_SECTION_BY_DEVICE.values()).replace(
            VALID_SECTION_BY_DEVICE[wrong], broken + VALID_SECTION_BY_DEVICE[wrong]
        ),
    )
    kind = wrong.partition(" ")[0]
    assert fault.startswith(f"{path}: {kind}[1]: unknown key knob; allowed: ")
    sections = load_wiring_without_faulty_sections(path).sections_with_keys()
    assert [section.device_name for _, section in sections] == list(VALID_SECTION_BY_DEVICE)
    assert {key for key, _ in sections} == {
        f"{name.partition(' ')[0]}[{2 if name == wrong else 1}]" for name in VALID_SECTION_BY_DEVICE
    }


def test_of_two_that_clash_the_first_stays(path: Path) -> None:
    """Seat, pin or bus: the later one is named with the earlier, and a third that is right is there."""
    text = (
        "[[keypad]]\nseat = 1\nid = 'a'\n[[keypad]]\nseat = 1\nid = 'b'\n[[keypad]]\nseat = 2\nid = 'c'\n"
        "[[light]]\nseat = 1\npin = 'GPIO10'\n[[light]]\nseat = 2\npin = 'GPIO20'\n"
    ) + VALID_SECTION_BY_DEVICE["reader market"]
    assert [fault.removeprefix(f"{path}: ") for fault in faults(path, text)] == [
        "keypad[2].seat: keypad[1] already uses 1; allowed: each seat only once",
        "light[1].pin: reader[1].spi already uses GPIO10 as SPI0 MOSI; allowed: each pin only once",
    ]
    wiring = load_wiring_without_faulty_sections(path)
    assert wiring.keypad == (Keypad(1, id="a"), Keypad(2, id="c"))
    assert [key for key, _ in wiring.sections_with_keys()] == [
        "keypad[1]",
        "keypad[3]",
        "light[2]",
        "reader[1]",
    ]
    assert "light[2].pin" in [claim.key for claim in list_pin_claims(wiring.sections_with_keys())]


def test_everything_that_is_wrong_is_named(path: Path) -> None:
    """An unknown kind, a table where a list belongs, sections without end: none hides another."""
    text = (
        "knob = 1\n[keypad]\nseat = 1\n"
        + "[[light]]\nseat = 9\n" * (MAX_SECTIONS_OF_A_TYPE + 5)
        + VALID_SECTION_BY_DEVICE["buzzer table"]
    )
    told = [fault.removeprefix(f"{path}: ") for fault in faults(path, text)]
    assert told[0].startswith("top: unknown key knob; allowed: [[keypad]], ")
    assert told[1] == "keypad: a table isn't allowed here; allowed: a [[keypad]] section for each keypad"
    assert told[2] == "light[1].seat: 9 isn't allowed here; allowed: a whole number from 1 to 5"
    most = MAX_SECTIONS_OF_A_TYPE
    assert told[-1] == f"light: there are {most + 5} devices of this kind; allowed: at most {most}"
    assert len(told) == MAX_SECTIONS_OF_A_TYPE + 3
    assert [
        section.device_name for _, section in load_wiring_without_faulty_sections(path).sections_with_keys()
    ] == ["buzzer table"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("id", r"a\n"),
        ("id", "a "),
        ("id", ""),
        ("id", r"\u0000"),
        ("port", r"/dev/a\u0000"),
        ("port", r"/a\nb"),
    ],
)
def test_no_name_has_what_nobody_sees(path: Path, key: str, value: str) -> None:
    """A line's end, a space or a NUL in an id or a port is refused as any other letter that can't be."""
    (fault,) = faults(path, f'[[keypad]]\nseat = 1\n{key} = "{value}"\n')
    assert fault.startswith(f"{path}: keypad[1].{key}: ")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_file_from_windows_is_a_file(path: Path, mark: bytes, end: bytes) -> None:
    """A mark at its begin and other line ends change nothing."""
    path.write_bytes(mark + "".join(VALID_SECTION_BY_DEVICE.values()).encode().replace(b"\n", end))
    wiring = load_wiring_without_faulty_sections(path)
    assert (len(wiring.sections_with_keys()), wiring.faults) == (len(VALID_SECTION_BY_DEVICE), ())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a = " + b"[" * 5_000, ": can't be read: line 1: lists, tables or parts"),
        (b"a = " + b"{a=" * 5_000, ": can't be read: line 1: lists, tables or parts"),
        (b".".join([b"a"] * 100_000) + b" = 1", ": can't be read: line 1: lists, tables or parts"),
        (b"a = " + b"9" * 5_000, ": can't be read: line 1: a number"),
        (b"\xff\xfe[\x00", " is not UTF-8 text."),
        (b"#" * 300_000, " has more than 250000 characters."),
        (b"[[keypad", ": can't be read: at the end of the file: a bracket or a quotation mark is not closed"),
    ],
)
def test_a_file_that_can_not_be_read_says_why(path: Path, content: bytes, why: str) -> None:
    """One sentence; whatever is in it, it is soon said."""
    path.write_bytes(content)
    with pytest.raises(WiringError) as caught:
        load_wiring_without_faulty_sections(path)
    assert check_plain(caught.value.text).startswith(f"{path}{why}")


def test_a_simulated_table_tells_what_is_wrong(path: Path) -> None:
    """And works what is right."""
    path.write_text("[[buttons]]\nseat = 9\ntap = 'GPIO4'\n" + VALID_SECTION_BY_DEVICE["buttons 3"])
    told: list[str] = []
    run_simulation_script(load_wiring_without_faulty_sections(path), ["3 ok"], told.append)
    assert told[0].startswith(f"{path}: buttons[1].seat: 9 isn't allowed here")
    assert "buttons 3: ok down" in told


# The fuzz


def test_no_file_ends_in_a_fault_of_the_program(path: Path) -> None:
    """Whatever it says, it is a wiring, or one plain sentence says why not, as of each fault in it."""
    rng, read, wrong = random.Random(28), 0, 0
    for _ in range(RUNS):
        path.write_text(random_wiring_text(rng), encoding="utf-8")
        try:
            wiring = load_wiring_without_faulty_sections(path)
        except WiringError as error:
            check_plain(error.text)
            continue
        devices = [section.device_name for _, section in wiring.sections_with_keys()]
        assert len(set(devices)) == len(devices)
        read += 1
        wrong += len(wiring.faults)
        for fault in wiring.faults:
            check_plain(fault)
    assert read > RUNS / 10
    assert wrong > RUNS / 10


def test_what_was_read_can_be_opened(path: Path) -> None:
    """The drivers begin with whatever stands in a wiring; nothing in it ends one of them."""
    rng = random.Random(82)
    for _ in range(RUNS // 100):
        path.write_text(random_wiring_text(rng), encoding="utf-8")
        try:
            wiring = load_wiring_without_faulty_sections(path)
        except WiringError:
            continue
        with SimulatedTable(wiring) as metal:
            devices = Devices(
                metal.wiring, Inbox(lambda: None), pins=metal.pins, spi=metal.open_reader, inputs=metal.inputs
            )
            devices.open()
            devices.process_signals_and_refresh(None)
            devices.close()


DECK = (
    "provisional", "board.hearts", "id", "copies", "name", "colour", "popularity", "start", "crew", "kind",
    "supply", "worth", "look",
)  # fmt: skip  # a table
TABLES = ("[[card]]", "[card]", "[board]", "")
CLOCKS = ("turn", "lot", "game", "budget", "increment", "extension", "Raise", "a.b", "knob")


@pytest.mark.parametrize(
    ("heads", "keys", "reads"),
    [
        (TABLES, DECK, lambda text: parse_deck_file("bidders", text, "b.toml", shipped_deck_file("bidders"))),
        (TABLES, DECK, lambda text: read(text, "t.toml")),
        (("", "[turn]", "[[lot]]"), CLOCKS, lambda text: parse_clocks_toml(text, "c.toml")),
    ],
    ids=["cards", "templates", "clocks"],
)
def test_no_other_file_does(
    heads: tuple[str, ...], keys: tuple[str, ...], reads: Callable[[str], object]
) -> None:
    """Cards, templates and clocks are refused in one plain sentence, too."""
    rng, refused = random.Random(29), 0
    for _ in range(RUNS):
        lines = [
            f"{rng.choice(keys)} = {rng.choice((*ODD_VALUES, *ODD_VALUES[:12]))}"
            for _ in range(rng.randrange(6))
        ]
        rng.shuffle(lines)
        try:
            reads("\n".join([rng.choice(heads), *lines, ""]))
        except UserError as error:
            check_plain(error.text)
            refused += 1
    assert refused > RUNS / 10
