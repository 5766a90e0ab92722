"""`companion api`: every name that an author imports, with its signature and what it says."""

from __future__ import annotations

import pytest

from companion import cli, rulebook, testing
from companion.commands import api

QUESTIONS = ("Choose", "Raise", "Amount", "Counts", "Read", "Roll", "Write", "Done", "Together")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command prints."""
    assert cli.main(["api", *words]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The sentence with which the command refuses."""
    assert cli.main(["api", *words]) == 2
    return capsys.readouterr().err


def test_the_list_has_every_name_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name: all that a rulebook and its tests may import, each with a sentence on its line."""
    rows = [line.split(maxsplit=1) for line in said(capsys).splitlines() if line.startswith("  ")]
    assert sorted(name for name, _ in rows) == sorted([*rulebook.__all__, *testing.__all__])
    assert [name for name, *sentence in rows if not sentence] == []


def test_the_list_stands_in_the_groups_of_the_import() -> None:
    """The groups are those of the docstring of `companion.rulebook`."""
    found = api.names_by_docstring_heading(rulebook)
    assert found["Money"] == ["MoneyAtPlace", "money_at", "plan_payment_moves"]
    assert {*QUESTIONS} <= {*found["Questions"]}
    assert api.names_by_docstring_heading(testing) == {
        "": ["Script", "check_game", "find_untranslated_texts"]
    }


@pytest.mark.parametrize("name", sorted(api.rulebook_api_by_name()))
def test_each_name_says_something(name: str) -> None:
    """How it is imported, its signature without modules, defaults without addresses, and a text."""
    found = api.rulebook_api_by_name()[name]
    text = api.describe_name(name)
    assert text.startswith(f"from {found.module.__name__} import {name}\n\n")
    assert found.docstring
    assert found.docstring in text
    assert not any(each in text for each in ("companion.table.", "collections.abc", " at 0x", "<factory>"))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_awaited(name: str) -> None:
    """It says so before its name; what Companion calls on it isn't listed."""
    lines = api.describe_name(name).splitlines()
    assert lines[2].startswith(f"await {name}(")
    assert "check(" not in "".join(lines)


def test_a_function_shows_its_signature(capsys: pytest.CaptureFixture[str]) -> None:
    """With types and defaults as the source has them, and the whole docstring."""
    text = said(capsys, "say_n")
    assert "say_n(singular: str, plural: str, n: WholeOrHalf, **args: Labelled | int | str) -> Say\n" in text
    assert "`singular` is used if `n` is 1" in text
    assert "await ask_open_bids(\n    turn_order: Seats,\n" in said(capsys, "ask_open_bids")
    assert "    purses: BidPurses = {},\n    *,\n    lots_place: Place | None = None,\n" in said(
        capsys, "ask_open_bids"
    )


def test_a_class_lists_its_methods(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its first sentence; one method alone has all that it says."""
    text = said(capsys, "Table")
    assert (
        "  move_up_to(source: Account, target: Account, count: int) -> int\n      Moves `count` pieces"
        in text
    )
    assert "  captains_in_game -> Sequence[Seat]\n" in text
    method = said(capsys, "KnownCardTracker.move_cards_openly")
    assert method.startswith(
        "KnownCardTracker.move_cards_openly(cards: Iterable[Card], source: Account, target: Account)\n"
    )
    assert "A card from a hand or a pile counts as seen from now on." in method


def test_a_method_is_found_without_its_class(capsys: pytest.CaptureFixture[str]) -> None:
    """Where several classes have one, all of them are shown."""
    assert said(capsys, "mark_all_unseen").startswith("KnownCardTracker.mark_all_unseen()")
    assert [line for line in said(capsys, "has_printed_values").splitlines() if line.startswith("Card")] == [
        "Card.has_printed_values(values: CardValues) -> bool",
        "CardDesign.has_printed_values(values: CardValues) -> bool",
    ]


def test_a_value_shows_what_is_written_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A value has no docstring; the text below it in the source is its description."""
    assert said(capsys, "Limit").endswith(
        "Limit = int | LiveCount\n\nA fixed number, or an account whose present count is the limit.\n"
    )
    assert "\n\nNAME_FIELD = 'name'\n\n" in said(capsys, "NAME_FIELD")
    assert "\n\nWINNER_RULE_BY_KEY\n\n" in said(capsys, "WINNER_RULE_BY_KEY")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("Rais", 'There is no "Rais". Did you mean "Raise"?'),
        ("sayn", 'There is no "sayn". Did you mean "say_n"?'),
        ("Table.mov", 'There is no "Table.mov". Did you mean "Table.move"?'),
        ("xyzzy", 'There is no "xyzzy" in the API. To list every name, run "companion api".'),
    ],
)
def test_a_typing_error_is_answered_with_a_name(
    word: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name that was probably meant, else where all of them are listed."""
    assert refused(capsys, word) == f"{sentence}\n"


def test_its_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """They are commands that work."""
    with pytest.raises(SystemExit):
        cli.main(["api", "--help"])
    assert all(f"\n  {command}\n" in capsys.readouterr().out for command in api.API.examples[:1])
    for command in api.API.examples:
        assert cli.main(command.split()[1:]) == 0
