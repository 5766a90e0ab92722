"""High Bid's arithmetic: the best use of Buyer's cards, penalties, what may be printed; and its books."""

from itertools import combinations
from random import Random

import msgspec
import pytest

from companion.cards import Card, Deck
from companion.errors import UserError
from companion.games.high_bid.board import (
    CARDS_IN_ALL,
    PROPERTY_VALUES,
    VALUE_OF_UNUSED_BUYER,
    most_valuable_card_sets,
    penalty_for_bid,
    printed_number,
)
from companion.games.high_bid.rulebook import GAME
from companion.table.ledger import Ledger
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import render
from tests.support.games.high_bid_helpers import DECK, PRINTED

DESIGNS = {design.id: design for design in DECK.designs}
BUYER = Card("buyer.1", "buyer", DESIGNS["buyer"].values)
HANDS = 10_000


def held(name: str, count: int, size: int = 3, value: int = 1000) -> list[Card]:
    """Returns `count` cards of an invented set."""
    return [Card(None, name, {"kind": "property", "size": size, "value": value})] * count


# Wealth


@pytest.mark.parametrize(
    ("values", "buyers", "worth"),
    [
        ([1000, 600, 400], 2, 1000 + 600),
        ([1000, 450], 2, 1000 + 500),
        ([500], 1, 500),
        ([510], 1, 510),
        ([1000, 600], 0, 0),
        ([], 3, 1500),
    ],
)
def test_buyers_cards_stand_in_where_that_brings_most(values: list[int], buyers: int, worth: int) -> None:
    """A Buyer's card completes the set that lacks one card and is worth more than $500, the dearest first."""
    cards = [card for value in values for card in held(f"set {value}", 2, value=value)]
    assert most_valuable_card_sets([*cards, *[BUYER] * buyers]).total_worth == worth


def test_a_buyers_card_stands_in_once_a_set() -> None:
    """At most one a set: two missing cards are too many."""
    assert most_valuable_card_sets([*held("maps", 2, size=4), BUYER, BUYER]).total_worth == 1000
    assert most_valuable_card_sets([*held("maps", 3, size=4), BUYER, BUYER]).total_worth == 1000 + 500


def test_an_incomplete_set_is_worth_nothing() -> None:
    """A whole set is worth its value, not that of each card; a set with gaps nothing."""
    assert most_valuable_card_sets(held("maps", 4, size=4, value=900)).total_worth == 900
    assert most_valuable_card_sets(held("maps", 2)).total_worth == 0
    assert most_valuable_card_sets([]).total_worth == 0


def test_what_the_cards_are_used_for() -> None:
    """Each whole set, each completed one and the Buyer's cards left are named for the score sheet."""
    cards = [*held("maps", 3), *held("coins", 2, value=700), *held("lamps", 1), BUYER, BUYER]
    assert most_valuable_card_sets(cards) == (held("maps", 1), held("coins", 1, value=700), 1)


def all_uses(cards: list[Card]) -> int:
    """The best of all ways to give Buyer's cards to sets, tried one by one."""
    buyers = sum(not card.has_printed_values(PROPERTY_VALUES) for card in cards)
    counts: dict[str, int] = {}
    for card in cards:
        if card.design and card.has_printed_values(PROPERTY_VALUES):
            counts[card.design] = counts.get(card.design, 0) + 1
    best = 0
    for used in range(buyers + 1):
        for given in combinations(counts, min(used, len(counts))):
            worth = VALUE_OF_UNUSED_BUYER * (buyers - len(given))
            for name, count in counts.items():
                values = DESIGNS[name].values
                if count + (name in given) >= int(values["size"]):
                    worth += int(values["value"])
            best = max(best, worth)
    return best


@pytest.mark.without_coverage
def test_the_best_use_of_buyers_cards_is_the_best_of_all() -> None:
    """For random hands no way at all to use the Buyer's cards is worth more."""
    rng = Random(46)
    completed = 0
    for _ in range(HANDS):
        properties = [name for name in PRINTED if not name.startswith("buyer")]
        sets = rng.sample(sorted(DESIGNS.keys() - {"buyer"}), rng.randint(1, 6))
        likely = [name for name in properties if PRINTED[name].id in sets]
        picked = rng.sample(likely, rng.randint(0, min(len(likely), 18)))
        cards = [Card(name, PRINTED[name].id, PRINTED[name].values) for name in picked]
        cards += [BUYER] * rng.randint(0, 5)
        rng.shuffle(cards)
        best = most_valuable_card_sets(cards)
        completed += bool(best.sets_completed_by_buyers)
        assert best.total_worth == all_uses(cards), picked
    assert completed > HANDS / 10


@pytest.mark.parametrize(
    ("bid", "owed"), [(10, 10), (40, 10), (50, 20), (80, 20), (90, 30), (2020, 510), (2060, 520)]
)
def test_a_quarter_of_the_bid(bid: int, owed: int) -> None:
    """With penalty bid a quarter of the bid is owed, rounded up to $10; else the warehouse price."""
    books = Card("books.1", "books", DESIGNS["books"].values)
    assert penalty_for_bid(bid, books, is_quarter_of_bid=True) == owed
    assert penalty_for_bid(bid, books, is_quarter_of_bid=False) == printed_number(books, "warehouse") == 60


# What is printed


def test_the_shipped_values_are_plausible_and_provisional() -> None:
    """Twelve sets of 3 to 6, 46 properties, 8 Buyer's cards: a guess until the owner has entered theirs."""
    assert DECK.provisional
    assert GAME.check_deck(DECK) == []
    assert len(DECK.cards) == CARDS_IN_ALL
    assert (DECK.board["red"], DECK.board["green"].count(0)) == ((25, 50, 75, 75, 100, 200), 1)


def changed(card: str, copies: int | None = None, **values: int) -> Deck:
    """The shipped deck with other values on one card."""
    designs = [
        msgspec.structs.replace(design, copies=copies or design.copies, values={**design.values, **values})
        if design.id == card
        else design
        for design in DECK.designs
    ]
    return msgspec.structs.replace(DECK, designs=tuple(designs))


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (changed("buyer", 7), "There must be 8 Buyer's cards, not 7."),
        (changed("maps", 5), "There must be 46 properties, not 47."),
        (msgspec.structs.replace(DECK, designs=DECK.designs[1:]), "There must be 12 sets, not 11."),
        (changed("maps", size=5), "Card maps: copies can't be 4. It must be 5, the same number as size."),
        (
            msgspec.structs.replace(DECK, board={"red": (25, 30), "green": (0,)}),
            "board.red: each number must be one of 25, 50, 75, 100, 200, not 30.",
        ),
    ],
)
def test_printed_values_that_can_not_be(deck: Deck, why: str) -> None:
    """The sentence names the card or key and what is allowed."""
    with pytest.raises(UserError) as refused:
        GAME.check_deck(deck)
    assert str(refused.value) == why


def test_printed_values_that_are_odd() -> None:
    """A green die without a 0 is a warning only."""
    odd = msgspec.structs.replace(DECK, board={**DECK.board, "green": (1,) * 6})
    assert [render(why) for why in GAME.check_deck(odd)] == [
        "board.green needs a 0. Otherwise there is never a public auction."
    ]


# Conservation


def balanced(ledger: Ledger) -> None:
    """Each dollar and each card lies with somebody, and where cards lie open their faces do."""
    backs: dict[str, int] = {}
    faces: dict[str, int] = {}
    dollars = 0
    for account in ledger:
        if account.piece.key == "dollar":
            dollars += account.count
            assert account.count >= 0 or account.place.key == "bank"
        elif account.piece.key == "card":
            backs[account.place.key] = account.count
        elif account.piece.look == "card" and account.place.key != "unseen":
            faces[account.place.key] = faces.get(account.place.key, 0) + account.count
    assert dollars == 0
    assert sum(backs.values()) == CARDS_IN_ALL
    hidden = ("auction pile", "hand")
    lying = {place: count for place, count in backs.items() if count and not place.endswith(hidden)}
    assert lying == {place: count for place, count in faces.items() if count}


@pytest.mark.without_coverage
@pytest.mark.sweep(4)
@pytest.mark.parametrize("number", range(9))
def test_each_dollar_comes_from_somebody_and_goes_to_somebody(number: int) -> None:
    """At every event of random games purses and bank make up what was there, and so do all 54 cards."""
    trial = RandomGame.begin(GAME, number, Random(f"books {number}"))
    play_randomly_to_end(trial.session, trial.rng, lambda: balanced(trial.session.table.ledger))
