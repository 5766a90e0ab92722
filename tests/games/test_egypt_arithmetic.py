"""Egypt's sums, each against every case there is or against what the rulebook prints."""

import pytest

from companion.cards import ANY_CARD, Card, shipped_deck
from companion.games.egypt.rulebook import card_bonus, describe_cards_of_value, make_card_price, surplus_cards
from companion.texts import render
from tests.support.reference_egypt_play import small_hands

CHIP = 6
OWN = Card(None, "6", {"number": 6})
OTHER = ANY_CARD


def test_the_deck_holds_n_copies_of_number_n() -> None:
    """85 resource cards: n copies of number n for n = 4 … 13."""
    designs = shipped_deck("egypt").designs
    assert [(design.values["number"], design.copies) for design in designs] == [(n, n) for n in range(4, 14)]
    assert len(shipped_deck("egypt").cards) == 85


@pytest.mark.parametrize(
    ("cards", "points"), [(0, 0), (1, 0), (2, 0), (3, 1), (5, 1), (6, 2), (17, 5), (25, 8)]
)
def test_one_point_for_three_cards(cards: int, points: int) -> None:
    """One point per 3 cards still held, rounded down."""
    assert card_bonus(cards) == points


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
    assert make_card_price(CHIP, 1).value_of(card) == worth


def test_payments_of_every_small_hand() -> None:
    """Of all payments a hand allows, exactly those go through without a warning that need every card."""
    for hand in small_hands(8):
        worth = make_card_price(CHIP, hand.owed)
        laid = {
            (own, others): [OWN] * own + [OTHER] * others
            for own in range(hand.own + 1)
            for others in range(hand.others + 1)
        }
        enough = {counts: cards for counts, cards in laid.items() if worth.total_value(cards) >= hand.owed}
        unwarned = {counts for counts, cards in enough.items() if not surplus_cards(worth, cards)}
        assert bool(enough) == hand.can_pay, hand
        assert unwarned == set(hand.minimal), hand


def test_without_the_surplus_a_payment_needs_every_card() -> None:
    """What is left is what is owed, or 1 above where only cards worth 2 are left."""
    for hand in small_hands(8):
        worth = make_card_price(CHIP, hand.owed)
        paid = [OWN] * hand.own + [OTHER] * hand.others
        if worth.total_value(paid) >= hand.owed:
            for card in surplus_cards(worth, paid):
                paid.remove(card)
            assert worth.total_value(paid) == hand.owed or (
                worth.total_value(paid) == hand.owed + 1 and OTHER not in paid
            )


THIRTEEN = [Card(f"13.{copy}", "13", {"number": 13}) for copy in (1, 2)]


@pytest.mark.parametrize(
    ("owed", "paid", "back"),
    [
        (1, [OTHER, OWN], [OTHER]),
        (1, [OWN, OTHER], [OTHER]),
        (1, [OWN, OWN], [OWN]),
        (2, [OTHER, THIRTEEN[0], OWN], [THIRTEEN[0], OTHER]),
        (1, THIRTEEN, THIRTEEN[1:]),
        (2, [OWN, *THIRTEEN, OTHER, OWN], [*THIRTEEN[::-1], OTHER, OWN]),
        (3, [OWN, OWN], []),
    ],
)
def test_which_cards_are_taken_back(owed: int, paid: list[Card], back: list[Card]) -> None:
    """Other cards before those numbered n, ones that are known before others, the last first."""
    assert surplus_cards(make_card_price(CHIP, owed), paid) == back


@pytest.mark.parametrize(
    ("count", "printed", "name"),
    [
        (1, None, "1 card not numbered 6"),
        (2, None, "2 cards not numbered 6"),
        (1, 6, "1 card numbered 6"),
        (3, 13, "3 cards numbered 13"),
    ],
)
def test_how_cards_are_called(count: int, printed: int | None, name: str) -> None:
    """A warning names the cards by what people see on them."""
    assert render(describe_cards_of_value(count, printed, CHIP)) == name
