"""Texts as values."""

import json

import pytest

from companion.languages import languages
from companion.table.seats import make_seats
from companion.texts import (
    CURRENT_TEMPLATE_BY_OLD_TEMPLATE,
    Say,
    parse_text_json,
    render,
    say,
    say_list,
    say_n,
    text_to_json,
)

AKI, BEN = make_seats(["Aki", "Ben"])


def test_a_text_is_rendered_late() -> None:
    """A text names its seats when it is read, and the log's key keeps their numbers."""
    text = say("{seat} must bid more than {least}.", seat=BEN, least=4)
    assert render(text) == "Ben must bid more than 4."
    assert text.key == "@2 must bid more than 4."


def test_a_text_may_contain_a_text() -> None:
    """Texts nest, in a sentence and in its key; a text is its own label."""
    text = say("Give {what} to {seat}", what=say("card {id}", id=6), seat=AKI)
    assert text.in_language("en") == "Give card 6 to Aki"
    assert text.key == "Give card 6 to @1"
    assert text.label is text


def test_no_text_is_no_text_in_any_language() -> None:
    """A card whose name was left empty shows nothing, not the heading of a catalogue."""
    assert {render(Say(""), language) for language in languages()} == {""}


@pytest.mark.parametrize(("n", "expected"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards")])
def test_one_and_many(n: int, expected: str) -> None:
    """The template for one is used for one only, in sentence and key."""
    text = say_n("{n} card", "{n} cards", n)
    assert render(text) == expected
    assert text.key == expected


def test_what_people_wrote_is_no_template() -> None:
    """Braces in a name or a unit stay as they are."""
    assert render(say("{unit}", unit="{seat} {0}")) == "{seat} {0}"


@pytest.mark.parametrize(("text", "expected"), [("Aki", "Aki"), (4, "4"), (AKI, "Aki")])
def test_names_and_numbers_are_texts_too(text: str | int, expected: str) -> None:
    """Whatever may be an argument can be rendered alone."""
    assert render(text) == expected


def test_several_as_one_argument() -> None:
    """Names are listed with commas."""
    assert render(say_list([AKI, BEN, say("all")])) == "Aki, Ben, all"


@pytest.mark.parametrize(
    "text",
    [say("Deal."), say("{seat}: {amount}", seat=AKI, amount=3), say_n("{n} card", "{n} cards", 2, who=AKI)],
)
def test_a_text_can_be_kept_as_json(text: Say) -> None:
    """JSON keeps id and arguments; read again it says the same in every language."""
    kept = json.loads(json.dumps(text_to_json(text)))
    assert render(parse_text_json(kept)) == render(text)
    assert text_to_json(parse_text_json(kept)) == kept


@pytest.mark.parametrize(("before", "now"), CURRENT_TEMPLATE_BY_OLD_TEMPLATE.items())
def test_a_text_of_an_older_version_is_read_as_it_is_called_now(before: str, now: str) -> None:
    """So what older versions kept is shown in today's words, and translated."""
    kept = {"say": before, "many": None, "args": {"reason": "more cash", "piece": "coin", "number": 3}}
    assert parse_text_json(kept) == Say(now, (("reason", "more cash"), ("piece", "coin"), ("number", 3)))
    assert before not in {render(parse_text_json(kept), language) for language in languages()}
