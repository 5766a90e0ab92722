"""Cards of which more is known: what they must show, where they lie by now, which are barred."""

from random import Random
from typing import Any

import pytest

from companion.cards import Card, CardDesign, CardField, Deck
from companion.errors import IllegalAnswer
from companion.requests import Read
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Ledger, Place
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
FRONT, BENS, BOX = Place(say("front"), AKI), Place(say("front"), BEN), Place(say("box"))
WHITE = {"colour": "white"}
DESIGNS = (
    CardDesign("bridge", 1, {"colour": "white", "popularity": 3, "name": "bridge"}),
    CardDesign("tower", 1, {"colour": "white", "popularity": 4}),
    CardDesign("mine", 3, {"colour": "black", "popularity": -2}),
)
FIELDS = {"colour": CardField(choices=("white", "black")), "popularity": CardField(-9, 9)}
MINE: dict[str, Any] = {"values": {"colour": "black", "popularity": -2}}


@pytest.fixture
def faces() -> KnownCardTracker:
    """Two white cards and three black ones, all unseen; in the box nobody sees them."""
    return KnownCardTracker(
        Deck("town", DESIGNS, fields=FIELDS, provisional=True), Ledger(), lambda uid: None, BOX
    )


def ask(faces: KnownCardTracker, least: int = 1, **more: Any) -> Read:
    """Aki is asked for cards, at most four."""
    return Read(AKI, say("Which cards?"), faces, least, 4, **more)


def cards(faces: KnownCardTracker, *items: Any) -> list[Card]:
    """Those cards."""
    return [faces.parse_card({"card": item} if isinstance(item, str) else item) for item in items]


def refusal(question: Read, *items: Any) -> str:
    """Why these cards are refused."""
    given = [{"card": item} if isinstance(item, str) else item for item in items]
    with pytest.raises(IllegalAnswer) as refused:
        question.check_answer(question.parse_answer(given))
    return str(refused.value)


def test_only_cards_that_show_it(faces: KnownCardTracker) -> None:
    """Another card is refused by its name; a description needs only the rest; limits say what is wanted."""
    white = ask(faces, required_values=WHITE)
    assert refusal(white, "mine.1") == "card mine.1 doesn't show colour white."
    assert white.parse_answer([{"values": {"popularity": 7}}]) == (
        Card(None, None, WHITE | {"popularity": 7}),
    )
    assert white.limits_json["shows"] == WHITE
    assert "shows" not in ask(faces).limits_json


def test_a_card_known_to_lie_elsewhere(faces: KnownCardTracker) -> None:
    """Where it lies open, the refusal says where; where it is covered, only that it can't be."""
    faces.move_faces(cards(faces, "bridge"), BENS)
    assert (
        refusal(ask(faces, places=(FRONT,)), "bridge") == "bridge is already at another place: Ben's front."
    )
    faces.move_faces(cards(faces, "tower"))
    assert refusal(ask(faces, places=(FRONT,)), "tower") == "card tower has already been turned over."
    why = "At least one of these cards can't be here any more: card tower, card mine.1."
    assert refusal(ask(faces, places=(FRONT,)), "tower", "mine.1") == why
    question = ask(faces, places=(FRONT, BENS))
    question.check_answer(question.parse_answer([{"card": "bridge"}, MINE]))


def test_so_many_cards_may_come_unseen(faces: KnownCardTracker) -> None:
    """Cards that lie at the places named don't count among the new ones."""
    faces.move_faces(cards(faces, MINE), FRONT)
    question = ask(faces, places=(FRONT,), max_unseen=1)
    question.check_answer(question.parse_answer([MINE, MINE]))
    assert refusal(question, MINE, "tower", "bridge") == "Aki doesn't have enough cards in hand."


def test_barred_cards(faces: KnownCardTracker) -> None:
    """A card that can't be used here is refused by name, read or typed."""
    question = ask(faces, barred_cards=tuple(cards(faces, "bridge", "mine.2")))
    assert refusal(question, "bridge") == "bridge can't be used here. Choose another card."
    assert refusal(question, "mine.2") == "card mine.2 can't be used here. Choose another card."
    assert refusal(question, MINE) == "card mine can't be used here. Choose another card."
    question.check_answer(question.parse_answer([{"card": "mine.1"}]))


def test_open_cards_are_told_by_name(faces: KnownCardTracker) -> None:
    """What lies face up is in the history with its name; of other cards only how many."""
    shown = tuple(cards(faces, "bridge", MINE))
    assert (
        render(ask(faces, is_face_up=True).describe_answer(shown))
        == "Aki turns over bridge, a card with colour black, popularity -2."
    )
    assert render(ask(faces).describe_answer(shown)) == "Aki lays down 2 cards."
    assert render(ask(faces, is_face_up=True).describe_answer(())) == "Aki lays down no cards."


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"letter": "A", "soil": 2}, "Aki turns over a card with soil 2."),
        ({"letter": "A", "soil": 0, "red_gems": 3}, "Aki turns over a card with soil 0, red gems 3."),
        ({"letter": "A", "soil": 1, "red_gems": 1}, "Aki turns over a card with soil 1, red gems 1."),
    ],
)
def test_a_card_without_a_name_is_told_by_its_values(values: dict[str, int | str], told: str) -> None:
    """What is printed on it, without what was asked for and what is usual; never the id in the list."""
    fields = {
        "letter": CardField(choices=("A", "B")),
        "soil": CardField(0, 9),
        "red_gems": CardField(0, 9, default=0),
    }
    design = CardDesign("a1", 1, {"letter": "A", "soil": 1, "red_gems": 1})
    tiles = KnownCardTracker(
        Deck("mine", (design,), fields=fields, provisional=True), Ledger(), lambda uid: None
    )
    question = ask(tiles, required_values={"letter": "A"}, is_face_up=True)
    answer = question.parse_answer([{"values": values}])
    assert render(question.describe_answer(answer)) == told


@pytest.mark.parametrize("seed", range(40))
def test_samples_keep_to_all_of_it(faces: KnownCardTracker, seed: int) -> None:
    """Whatever is asked for, a sample is legal; cards at hand come too."""
    faces.move_faces(cards(faces, "bridge", MINE), FRONT)
    barred = tuple(cards(faces, "tower"))
    question = ask(faces, required_values=WHITE, places=(FRONT,), max_unseen=1, barred_cards=barred)
    answer = question.random_legal_answer(Random(seed))
    if answer is not None:
        question.check_answer(answer)
    whole = ask(faces, 3, places=(FRONT,))
    answer = whole.random_legal_answer(Random(seed))
    assert answer is not None
    whole.check_answer(answer)


def test_a_card_that_all_know_to_lie_elsewhere(faces: KnownCardTracker) -> None:
    """It can be in no answer, and a list needn't offer it; one that nobody has seen may be anywhere."""
    faces.move_faces(cards(faces, "mine.1"), BENS)
    question = ask(faces, places=(FRONT,))
    seen, unseen = cards(faces, "mine.1", "mine.2")
    assert question.max_copies_in_answer(seen) == 0
    assert question.max_copies_in_answer(unseen) == 1
    (alike,) = cards(faces, MINE)
    assert question.max_copies_in_answer(alike, 3) == 3  # the list is a guess: there may be another one
    faces = KnownCardTracker(Deck("town", DESIGNS), Ledger(), lambda uid: None, BOX)
    faces.move_faces(cards(faces, "mine.1"), BENS)
    (alike,) = cards(faces, MINE)
    assert ask(faces).max_copies_in_answer(alike, 3) == 2
