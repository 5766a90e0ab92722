"""A sample of a `Read` is a legal answer wherever there is one, whatever the deck and the limits."""

from itertools import combinations
from random import Random

import pytest

from companion.cards import CardDesign, CardField, Deck
from companion.errors import IllegalAnswer
from companion.requests import CardRate, PriceInCards, Read
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import say

AKI, BEN = make_seats(["Aki", "Ben"])
CARD = Piece("card", say("card"))


def generated(rng: Random) -> Deck:
    """A small deck, of one kind or several copies each, with up to two printed fields."""
    fields = {name: CardField(1, 3) for name in ("number", "suit")[: rng.randrange(3)]}
    designs = tuple(
        CardDesign(f"kind {at}", rng.randint(1, 2), {name: rng.randint(1, 3) for name in fields})
        for at in range(rng.randint(1, 5))
    )
    return Deck(
        "generated", designs, fields=fields if rng.random() < 0.7 else {}, provisional=rng.random() < 0.5
    )


def asked(rng: Random) -> Read:
    """A question for some of such cards."""
    ledger = Ledger()
    deck = generated(rng)
    places = [Place(say("hand"), seat) for seat in (AKI, BEN)]
    faces = KnownCardTracker(deck, ledger, lambda uid: None, Place(say("bank")))
    for place in places:
        ledger.supply_from_box(ledger.open_account(place, CARD, covered=rng.random() < 0.5), rng.randrange(4))
    names = [*deck.cards]
    for name in rng.sample(names, rng.randrange(len(names) + 1)):
        design = deck.cards[name]
        typed = rng.random() < 0.3 and {"values": design.values}
        card = faces.parse_card(typed or {"card": name})
        if faces.can_come_from([card]):
            faces.move_faces([card], rng.choice(places))
    hand = ledger.open_account(places[0], CARD)
    rates = [CardRate(say("others"), rng.randrange(3))]
    if deck.fields:
        rates.insert(0, CardRate(say("ones"), rng.randrange(3), {"number": 1}))
    return Read(
        AKI,
        say("Cards"),
        faces,
        rng.randrange(3),
        hand if rng.random() < 0.5 else rng.randint(1, 4),
        PriceInCards(rng.randrange(6), tuple(rates)) if rng.random() < 0.5 else None,
        rng.choice([None, say("can't")]),
        {"number": rng.randint(1, 3)} if deck.fields and rng.random() < 0.3 else {},
        places=tuple(rng.sample(places, rng.randrange(3))),
        max_unseen=rng.choice([None, rng.randrange(3)]),
    )


def legal(question: Read, answer: object) -> bool:
    """Whether it would be taken."""
    try:
        question.check_answer(question.parse_answer(answer))
    except IllegalAnswer:
        return False
    return True


def any_legal(question: Read) -> bool:
    """Whether any answer would be taken, of named cards or none."""
    names = [*question.tracker.deck.cards]
    given = [[{"card": name} for name in some] for n in range(5) for some in combinations(names, n)]
    return any(legal(question, answer) for answer in (None, *given))


@pytest.mark.sweep(150)
@pytest.mark.parametrize("seed", range(400))
def test_a_sample_is_legal(seed: int) -> None:
    """Of decks without fields, several cards, prices and limits alike."""
    rng = Random(f"samples {seed}")
    question = asked(rng)
    sample = question.random_legal_answer(rng)
    assert legal(question, question.answer_to_json(sample)) or not any_legal(question)
