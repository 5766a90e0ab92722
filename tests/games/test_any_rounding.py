"""How a template rounds refunds, percentages, interest, dividends and shared prizes, and how it is said."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.any_game.rounding import DOWN, NEAREST, UP, percentage_of, round_amount
from companion.texts import render
from tests.support.games.any_evening import COIN, card, own, purses, rules, table
from tests.support.games.any_table import put

EXACT = st.fractions(min_value=-9_999, max_value=9_999, max_denominator=120)
WORDS = (DOWN, UP, NEAREST)
PAYS = rules(payments="yes")


# The arithmetic


@given(EXACT)
def test_down_and_up_are_the_whole_numbers_around_an_amount(exact: Fraction) -> None:
    """Down is never more than the amount and up never less, also below zero; both are less than 1 away."""
    down, up = round_amount(exact, DOWN).amount, round_amount(exact, UP).amount
    assert exact - 1 < down <= exact <= up < exact + 1


@given(EXACT)
def test_down_below_zero_mirrors_up(exact: Fraction) -> None:
    """What is rounded down as a gain is rounded up as a loss."""
    assert round_amount(-exact, DOWN).amount == -round_amount(exact, UP).amount


@given(EXACT)
def test_nearest_is_at_most_a_half_away(exact: Fraction) -> None:
    """No whole number is nearer."""
    assert abs(round_amount(exact, NEAREST).amount - exact) <= Fraction(1, 2)


@given(st.integers(-9_999, 9_999))
def test_nearest_rounds_exactly_half_up(whole: int) -> None:
    """3½ becomes 4, and −3½ becomes −3."""
    assert round_amount(whole + Fraction(1, 2), NEAREST).amount == whole + 1


@given(EXACT, st.integers(-999, 999), st.sampled_from(WORDS))
def test_whole_amounts_change_nothing(exact: Fraction, whole: int, word: str) -> None:
    """A whole amount stays as it is, and adding one doesn't change how the rest is rounded."""
    assert round_amount(Fraction(whole), word).amount == whole
    assert round_amount(exact + whole, word).amount == round_amount(exact, word).amount + whole


@given(EXACT, st.sampled_from(WORDS))
def test_rounding_is_said_only_where_something_was_rounded(exact: Fraction, word: str) -> None:
    """The text says in which direction the amount was rounded; a whole amount stands alone."""
    rounded = round_amount(exact, word)
    text = rounded.label if isinstance(rounded.label, int) else render(rounded.label)
    ending = " (rounded up)" if rounded.amount > exact else " (rounded down)"
    assert text == (rounded.amount if rounded.amount == exact else f"{rounded.amount}{ending}")


@given(st.integers(0, 9_999), st.integers(0, 100), st.sampled_from(WORDS))
def test_a_percentage_is_never_more_than_the_whole(amount: int, percent: int, word: str) -> None:
    """Nobody has to pay more than they have, however it is rounded."""
    assert 0 <= percentage_of(amount, percent, word).amount <= amount


# Refunds


@pytest.mark.parametrize(
    ("word", "refunds"),
    [
        # For Sale: a player who passes takes back half of the bid. One edition rounds it down …
        ("down", {1: "0 (rounded down)", 2: "1", 3: "1 (rounded down)", 5: "2 (rounded down)"}),
        # … and another one rounds it up.
        ("up", {1: "1 (rounded up)", 2: "1", 3: "2 (rounded up)", 5: "3 (rounded up)"}),
        ("nearest", {1: "1 (rounded up)", 2: "1", 3: "2 (rounded up)", 5: "3 (rounded up)"}),
    ],
)
def test_half_a_bid_comes_back_as_the_edition_says(word: str, refunds: dict[int, str]) -> None:
    """The note says how the half was rounded, also where the whole bid comes back."""
    for bid, refund in refunds.items():
        script = own(rules(auction="final", refund=50, refund_rounding=word)).says("table: auction")
        script.says(f"Aki {bid}", "Ben 8", "Chie withdraws", "Aki withdraws")
        assert script.last_notes[0] == f"Aki gets back {refund} of {bid}."
        assert purses(script) == [100 - bid + int(refund.split()[0]), 92, 100]


def test_a_third_is_rounded_to_the_nearer_number() -> None:
    """33 % of 4 is 1.32, and 33 % of 5 is 1.65."""
    for bid, refund in ((4, "1 (rounded down)"), (5, "2 (rounded up)")):
        script = own(rules(auction="final", refund=33, refund_rounding="nearest")).says("table: auction")
        script.says(f"Aki {bid}", "Ben 8", "Chie withdraws", "Aki withdraws")
        assert script.last_notes[0] == f"Aki gets back {refund} of {bid}."


# Percentages and interest


@pytest.mark.parametrize(
    ("word", "paid", "said"),
    [
        ("down", 10, "10 (rounded down)"),
        ("up", 11, "11 (rounded up)"),
        ("nearest", 11, "11 (rounded up)"),
    ],
)
def test_a_tax_of_ten_percent(word: str, paid: int, said: str) -> None:
    """Monopoly's income tax was 10 % in earlier editions: of 105 it is 10½."""
    script = own(rules(payments="yes", percentage_rounding=word))
    put(script, 5, "coin", "bank", "Aki/purse")
    script.says("table: percentage", "table: 1", "table: bank", "Aki 10")
    assert (purses(script), script.last_notes) == ([105 - paid, 100, 100], [f"Aki pays {said}."])


@pytest.mark.parametrize(
    ("word", "loan", "paid"),
    [("up", 21, "3 (rounded up)"), ("down", 21, "2 (rounded down)"), ("nearest", 21, "2 (rounded down)"),
     ("nearest", 25, "3 (rounded up)"), ("up", 20, "2"), ("down", 20, "2")],
)  # fmt: skip  # a table
def test_ten_percent_interest_on_a_loan(word: str, loan: int, paid: str) -> None:
    """Interest is rounded up if the template says nothing, as the bank of most games does."""
    said = {} if word == "up" else {"interest_rounding": word}
    script = own(rules(loans="yes", interest=10, **said))
    script.says("table: borrow", "table: Aki", f"Aki {loan}", "table: round")
    assert script.last_notes == [f"Aki pays {paid} interest."]
    assert purses(script)[0] == 100 + loan - int(paid.split(maxsplit=1)[0])


def test_interest_that_is_rounded_to_nothing_is_not_paid() -> None:
    """10 % of 4 is less than a half coin."""
    script = own(rules(loans="yes", interest=10, interest_rounding="nearest"))
    script.says("table: borrow", "table: Aki", "Aki 4", "table: round")
    assert (script.last_notes, purses(script)) == ([], [104, 100, 100])


def test_a_part_that_is_paid_isnt_called_rounded() -> None:
    """Only the amount that was due was rounded; what somebody pays instead is said as it is."""
    script = table(COIN, rules(payments="yes", loans="yes", interest=10))
    script.says("table: borrow", "table: Aki", "Aki 21", "table: payment", "table: 1", "table: 2", "Aki 119")
    assert script.says("table: round", "table: part").last_notes[-1] == "Aki pays 2 interest."


# Shared prizes


@pytest.mark.parametrize(
    ("word", "points", "said"),
    [
        ("down", 4, "4 (rounded down)"),
        ("up", 5, "5 (rounded up)"),
        ("nearest", 5, "5 (rounded up)"),
    ],
)
def test_two_who_tie_share_two_prizes(word: str, points: int, said: str) -> None:
    """Two who tie for first share 6 + 3 points. Alhambra rounds such a share down, Acquire rounds it up."""
    area = card("category", "north", first=6, second=3, third=1, prize_rounding=word)
    script = own(rules(), area).says("table: points", "table: 4, 4, 1")
    assert script.last_notes == [f"Points: Aki {said}, Ben {said}, Chie 1."]
    assert [script[f"{name}/front", "north"] for name in ("Aki", "Ben", "Chie")] == [points, points, 1]


def test_three_who_tie_share_the_nearest_number() -> None:
    """A third of 5 + 3 is 2⅔, which is nearer to 3."""
    area = card("category", "north", first=5, second=3, prize_rounding="nearest")
    script = own(rules(), area).says("table: points", "table: 2, 2, 2")
    said = "3 (rounded up)"
    assert script.last_notes == [f"Points: Aki {said}, Ben {said}, Chie {said}."]
