"""Egypt's sums, each against every case there is or against what the rulebook prints."""

import pytest

from companion.cards import ANY_CARD, Card, deck_of
from companion.games.egypt import bonus, called, one_too_many, price
from companion.words import render
from tests.test_reducer_egypt import hands_and_bids

CHIP = 6
OWN = Card(None, "6", {"number": 6})
OTHER = ANY_CARD


def test_the_deck_holds_n_copies_of_number_n() -> None:
    """85 resource cards: n copies of number n for n = 4 … 13."""
    designs = deck_of("egypt").designs
    assert [(design.values["number"], design.copies) for design in designs] == [(n, n) for n in range(4, 14)]
    assert len(deck_of("egypt").named()) == 85


@pytest.mark.parametrize(
    ("cards", "points"), [(0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (6, 2), (17, 5), (25, 8)]
)
def test_one_point_for_three_cards(cards: int, points: int) -> None:
    """One point per 3 cards still held, rounded down."""
    assert bonus(cards) == points


@pytest.mark.parametrize(
    ("card", "worth"),
    [
        (OWN, 2),
        (OTHER, 1),
        (Card("6.1", "6", {"number": 6}), 2),
        (Card("13.1", "13", {"number": 13}), 1),
        (Card(None, "5", {"number": 5}), 1),
    ],
)
def test_what_a_card_is_worth(card: Card, worth: int) -> None:
    """A card numbered like the chip is worth 2, any other card 1, however it was read."""
    assert price(CHIP, 1).of(card) == worth


def test_payments_of_every_small_hand() -> None:
    """Of all payments a hand allows, exactly those go through without a warning that need every card."""
    for hand in hands_and_bids(8):
        worth = price(CHIP, hand.owed)
        laid = {
            (own, others): [OWN] * own + [OTHER] * others
            for own in range(hand.own + 1)
            for others in range(hand.others + 1)
        }
        enough = {counts: cards for counts, cards in laid.items() if worth.sum(cards) >= hand.owed}
        unwarned = {counts for counts, cards in enough.items() if not one_too_many(worth, cards)}
        assert bool(enough) == hand.can_pay, hand
        assert unwarned == set(hand.minimal), hand


def test_taking_back_card_after_card_ends_at_a_payment_that_needs_every_card() -> None:
    """Whoever follows each warning ends at what is owed, or 1 above where only cards worth 2 are left."""
    for hand in hands_and_bids(8):
        worth = price(CHIP, hand.owed)
        paid = [OWN] * hand.own + [OTHER] * hand.others
        if worth.sum(paid) >= hand.owed:
            while spare := one_too_many(worth, paid):
                paid.remove(spare)
            assert worth.sum(paid) == hand.owed or (worth.sum(paid) == hand.owed + 1 and OTHER not in paid)


@pytest.mark.parametrize(
    ("paid", "spare"),
    [
        ([OTHER, OWN], OTHER),
        ([OWN, OTHER], OTHER),
        ([OWN, OWN], OWN),
        ([OTHER, Card("13.1", "13", {"number": 13}), OWN], OTHER),
        (
            [Card("13.1", "13", {"number": 13}), Card("13.2", "13", {"number": 13})],
            Card("13.2", "13", {"number": 13}),
        ),
    ],
)
def test_which_card_is_taken_back(paid: list[Card], spare: Card) -> None:
    """Another card goes back before a card numbered n, a typed one before one read, the last first."""
    assert one_too_many(price(CHIP, 1), paid) == spare


@pytest.mark.parametrize(
    ("card", "name"),
    [
        (OTHER, "another card"),
        (OWN, "a card numbered 6"),
        (Card("13.2", "13", {"number": 13}), "a card numbered 13"),
    ],
)
def test_how_a_card_is_called(card: Card, name: str) -> None:
    """A warning names the card by what people see on it."""
    assert render(called(card)) == name
