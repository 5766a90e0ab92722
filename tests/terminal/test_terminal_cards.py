"""Cards at the terminal where more is printed on them than a number."""

from typing import Any

import pytest

from companion.cards import CardDesign, CardField, Deck
from companion.errors import IllegalAnswer
from companion.requests import CardRate, PriceInCards, Read
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Ledger, Place
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.texts import render, say

WHITE: dict[str, int | str] = {"colour": "white"}
DECK = Deck(
    "town",
    (
        CardDesign("W1", 1, {"name": "old bridge", "colour": "white", "popularity": 3}),
        CardDesign("B1", 2, {"name": "mine", "colour": "black", "popularity": -1, "start": 9}),
    ),
    fields={
        "colour": CardField(choices=("white", "black")),
        "popularity": CardField(-9, 9),
        "start": CardField(1, 20, on={"colour": "black"}),
    },
)


def question(**more: Any) -> Read:
    """The table is asked for one card or two."""
    faces = KnownCardTracker(DECK, Ledger(), lambda uid: None, Place(say("box")))
    return Read(None, say("Which card?"), faces, 1, 2, **more)


def test_the_hint_says_what_may_be_typed() -> None:
    """A card that fits is the example; what must be typed to describe one is listed."""
    expected = ['the cards, such as "W1", or the values printed on the card: popularity=…']
    assert [render(hint) for hint in typing_hints(question(required_values=WHITE).form)] == expected


def test_the_example_is_a_card_that_can_come() -> None:
    """Not one that all know to lie elsewhere; where all of them do, no card is named."""
    asked = question()
    for name, example in (("W1", "B1"), ("B1.1", "B1"), ("B1.2", "other")):
        asked.tracker.move_faces([asked.tracker.parse_card({"card": name})], Place(say("front")))
        assert render(typing_hints(asked.form)[0]).startswith(f'the cards, such as "{example}"')


def test_the_example_of_a_payment_is_a_card_that_can_come() -> None:
    """Where none of the first worth can, it is another one that still may be laid there."""
    asked = question(price=PriceInCards(4, (CardRate(say("white"), 2, WHITE), CardRate(say("others"), 1))))
    assert 'such as "W1 other other"' in render(typing_hints(asked.form)[-1])
    asked.tracker.move_faces([asked.tracker.parse_card({"card": "W1"})], Place(say("front")))
    assert 'such as "B1 other other"' in render(typing_hints(asked.form)[-1])


def test_the_example_is_no_card_that_is_barred() -> None:
    """The answer would be refused."""
    faces = question().tracker
    asked = question(barred_cards=(faces.parse_card({"card": "W1"}),))
    assert 'such as "B1"' in render(typing_hints(asked.form)[0])


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("W1", [{"card": "W1"}]),
        ("Old bridge", [{"card": "W1"}]),
        ("mine", [{"values": DECK.designs[1].values}]),
        ("popularity=4", [{"values": {"popularity": 4}}]),
        ("popularity=-4, start=5", [{"values": {"popularity": -4, "start": 5}}]),
        ("popularity=4 popularity=5", [{"values": {"popularity": 4}}, {"values": {"popularity": 5}}]),
        ("popularity=4 W1", [{"values": {"popularity": 4}}, {"card": "W1"}]),
        ("colour=white popularity=4", [{"values": {"colour": "white", "popularity": 4}}]),
        ("popularity=many", [{"values": {"popularity": "many"}}]),
    ],
)
def test_cards_by_name_or_by_what_is_printed(line: str, cards: list[object]) -> None:
    """A name, an id, or values; a value that comes a second time begins the next card."""
    assert parse_typed_answer(question().form, line, "en") == cards


def test_what_is_printed_is_checked_by_the_question() -> None:
    """A value that can't be is refused with what may stand there."""
    asked = question(required_values=WHITE)
    with pytest.raises(IllegalAnswer, match="popularity must be a number from -9 to 9, not many"):
        asked.parse_answer(parse_typed_answer(asked.form, "popularity=many", "en"))


def card_with_worth() -> Read:
    """A question for one card of a deck whose draws may have a half."""
    deck = Deck(
        "results",
        (
            CardDesign("R1", 1, {"kind": "win", "worth": 8}),
            CardDesign("R2", 1, {"kind": "draw", "worth": 7.5}),
        ),
        fields={
            "kind": CardField(choices=("win", "draw")),
            "worth": CardField(1, 9, halves_on={"kind": "draw"}),
        },
    )
    faces = KnownCardTracker(deck, Ledger(), lambda uid: None, Place(say("box")))
    return Read(None, say("Which card?"), faces, 1, 1)


@pytest.mark.parametrize("line", ["kind=draw worth=7.5", "kind=draw worth=7½", "draw 7.5", "draw 7½"])
def test_a_half_on_a_card_can_be_typed(line: str) -> None:
    """With the name of the value, or bare."""
    asked = card_with_worth()
    typed = parse_typed_answer(asked.form, line, "en")
    assert typed == [{"values": {"kind": "draw", "worth": 7.5}}]
    asked.check_answer(asked.parse_answer(typed))


def test_a_whole_number_on_a_card_may_be_typed_with_a_0() -> None:
    """7.0 is 7, and a half on a card that has no halves is refused with what is allowed."""
    asked = card_with_worth()
    typed = parse_typed_answer(asked.form, "kind=win worth=7.0", "en")
    assert typed == [{"values": {"kind": "win", "worth": 7}}]
    with pytest.raises(IllegalAnswer, match=r"^worth must be a number from 1 to 9, not 7\.5\.$"):
        asked.parse_answer(parse_typed_answer(asked.form, "win 7.5", "en"))
