"""The examples of hardware.toml: any of them together are one file in which everything has its own pins."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from pathlib import Path

import pytest

from companion import cli
from companion.errors import UserError
from companion.texts import render
from hardware.wiring import Section, Wiring, load_wiring_without_faulty_sections
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE, EXAMPLES_FOLDER, combine_examples
from hardware.wiring.files import list_pin_claims, parse_wiring
from hardware.wiring.pins import PHYSICAL_PIN_OF_GPIO

SUBSETS = [
    names
    for count in range(1, len(DESCRIPTION_BY_EXAMPLE) + 1)
    for names in combinations(DESCRIPTION_BY_EXAMPLE, count)
]
MIXED = [names for count in (2, 3) for names in permutations(DESCRIPTION_BY_EXAMPLE, count)]
COMBINATIONS = list(dict.fromkeys([*SUBSETS, *(names[::-1] for names in SUBSETS), *MIXED]))


def wired(text: str) -> Wiring:
    """What a file with that text would say."""
    return parse_wiring(Path("hardware.toml"), text)


def devices(names: tuple[str, ...]) -> dict[str, Section]:
    """All devices of these examples, each as it is in the first that has it."""
    found: dict[str, Section] = {}
    for name in names:
        for _, each in load_wiring_without_faulty_sections(
            EXAMPLES_FOLDER / f"{name}.toml"
        ).sections_with_keys():
            found.setdefault(each.device_name, each)
    return found


def pins_needed(there: Mapping[str, Section]) -> int:
    """The pins of buses, and those of the devices by themselves."""
    buses = {claim.pin for claim in list_pin_claims(list(there.items())) if claim.bus_signal}
    return len(buses) + sum(len(each.pins) for each in there.values())


@pytest.mark.sweep(100)
@pytest.mark.parametrize("names", COMBINATIONS, ids="+".join)
def test_examples_go_together_in_one_file(names: tuple[str, ...]) -> None:
    """Each device of each of them is there, once, and no pin is needed twice; or none of it is written."""
    wanted = devices(names)
    if pins_needed(wanted) > len(PHYSICAL_PIN_OF_GPIO):
        with pytest.raises(UserError, match="There aren't enough pins for all of these"):
            combine_examples(names)
        return
    wiring = wired(combine_examples(names).text)
    assert wiring.faults == ()
    assert sorted(each.device_name for _, each in wiring.sections_with_keys()) == sorted(wanted)


@pytest.mark.parametrize("name", DESCRIPTION_BY_EXAMPLE)
def test_an_example_alone_is_its_file(name: str) -> None:
    """Word for word, with its remarks; twice it is once."""
    text = (EXAMPLES_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert combine_examples([name]).text == combine_examples([name, name]).text == text


def test_several_are_written_and_what_differs_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file keeps the remarks; a moved pin and a device that isn't brought twice are told beside it."""
    file = tmp_path / "hardware.toml"
    assert cli.main(["hardware", "init", "reader", "one-button", "full-table", "--file", str(file)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{file}\n"
    assert told.err.splitlines()[:2] == [
        "full-table: buttons 3 is left out, because the file already has it.",
        "full-table: buttons 4 is left out, because the file already has it.",
    ]
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# Several examples in one file: reader, one-button, full-table.\n\n# One reader")
    assert "# Tap: one more. Long press: OK." in text
    assert cli.main(["hardware", "check", "--simulate", "--file", str(file)]) == 0


def test_a_pin_that_is_taken_is_told_with_the_one_in_its_place() -> None:
    """People wire by the page of an example, so they must know where it differs."""
    changes = [render(change) for change in combine_examples(["one-button", "full-table"]).changes]
    assert "full-table: buttons 3 is left out, because the file already has it." in changes
    moved = [render(change) for change in combine_examples(["full-table", "one-button"]).changes]
    assert "one-button: buttons 1 uses GPIO4 for tap, because GPIO5 is taken." in moved


@pytest.mark.parametrize("typed", ["raeder", "one-buton"])
def test_an_example_is_misspelled(typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says which was probably meant, and nothing is written."""
    file = tmp_path / "hardware.toml"
    assert cli.main(["hardware", "init", "number-pads", typed, "--file", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f'There is no "{typed}". Did you mean ')
    assert not file.exists()
