"""How a template rounds refunds, percentages, interest, dividends and shared prizes, and how it is said."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.any_game.companies import DividendRules, Earnings
from companion.games.any_game.rounding import DOWN, NEAREST, UP, percentage_of, round_amount
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

EXACT = st.fractions(min_value=-9_999, max_value=9_999, max_denominator=120)
WORDS = (DOWN, UP, NEAREST)
PAYS = rules_card(payments="yes")


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
        script = begin_with_cards_and_coins(
            rules_card(auction="final", refund=50, refund_rounding=word)
        ).says("table: auction")
        script.says(f"Aki {bid}", "Ben 8", "Chie withdraws", "Aki withdraws")
        assert script.last_notes[0] == f"Aki gets back {refund} of {bid}."
        assert purse_counts(script) == [100 - bid + int(refund.split()[0]), 92, 100]


def test_a_third_is_rounded_to_the_nearer_number() -> None:
    """33 % of 4 is 1.32, and 33 % of 5 is 1.65."""
    for bid, refund in ((4, "1 (rounded down)"), (5, "2 (rounded up)")):
        script = begin_with_cards_and_coins(
            rules_card(auction="final", refund=33, refund_rounding="nearest")
        ).says("table: auction")
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
    script = begin_with_cards_and_coins(rules_card(payments="yes", percentage_rounding=word))
    correct_count(script, 5, "coin", "bank", "Aki/purse")
    script.says("table: percentage", "table: 1", "table: bank", "Aki 10")
    notes = [f"Aki pays 10 %: {said}."]
    assert (purse_counts(script), script.last_notes) == ([105 - paid, 100, 100], notes)


@pytest.mark.parametrize(
    ("word", "loan", "paid"),
    [("up", 21, "3 (rounded up)"), ("down", 21, "2 (rounded down)"), ("nearest", 21, "2 (rounded down)"),
     ("nearest", 25, "3 (rounded up)"), ("up", 20, "2"), ("down", 20, "2")],
)  # fmt: skip  # a table
def test_ten_percent_interest_on_a_loan(word: str, loan: int, paid: str) -> None:
    """Interest is rounded up if the template says nothing, as the bank of most games does."""
    said = {} if word == "up" else {"interest_rounding": word}
    script = begin_with_cards_and_coins(rules_card(loans="yes", interest=10, **said))
    script.says("table: borrow", "table: Aki", f"Aki {loan}", "table: round")
    assert script.last_notes == [f"Aki pays {paid} interest."]
    assert purse_counts(script)[0] == 100 + loan - int(paid.split(maxsplit=1)[0])


def test_interest_that_is_rounded_to_nothing_is_not_paid() -> None:
    """10 % of 4 is less than a half coin."""
    script = begin_with_cards_and_coins(rules_card(loans="yes", interest=10, interest_rounding="nearest"))
    script.says("table: borrow", "table: Aki", "Aki 4", "table: round")
    assert (script.last_notes, purse_counts(script)) == ([], [104, 100, 100])


def test_a_part_that_is_paid_isnt_called_rounded() -> None:
    """Only the amount that was due was rounded; what somebody pays instead is said as it is."""
    script = begin_with_cards(COIN_CARD, rules_card(payments="yes", loans="yes", interest=10))
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
    area = template_card("category", "north", first=6, second=3, third=1, prize_rounding=word)
    script = begin_with_cards_and_coins(rules_card(), area).says("table: points", "table: 4, 4, 1")
    assert script.last_notes == [f"Points: Aki {said}, Ben {said}, Chie 1."]
    assert [script[f"{name}/front", "north"] for name in ("Aki", "Ben", "Chie")] == [points, points, 1]


def test_three_who_tie_share_the_nearest_number() -> None:
    """A third of 5 + 3 is 2⅔, which is nearer to 3."""
    area = template_card("category", "north", first=5, second=3, prize_rounding="nearest")
    script = begin_with_cards_and_coins(rules_card(), area).says("table: points", "table: 2, 2, 2")
    said = "3 (rounded up)"
    assert script.last_notes == [f"Points: Aki {said}, Ben {said}, Chie {said}."]


# Dividends

NORTH = template_card("company", "north", shares=10, step_at=1)
TOTAL = {"dividend": "total"}


def with_shares(*held: int, **said: object) -> Script:
    """A table where seats hold shares of North; one share is in its treasury."""
    script = begin_with_cards_and_coins(rules_card(**said), NORTH)
    for name, count in zip(("Aki", "Ben", "Chie"), held, strict=True):
        if count:
            correct_count(script, count, "north", "bank", f"{name}/purse")
    return correct_count(script, 1, "north", "bank", "north")


def test_a_total_is_shared_by_shares() -> None:
    """1830: a railroad earns 180 with ten shares, so each share gets 18. The bank's shares get nothing."""
    script = with_shares(3, 2, 0, **TOTAL).says("table: dividend", "table: 0")
    assert question_text(script) == "north: how much in all?"
    script.says("table 180")
    assert question_text(script) == "north earns 180 in all. Who is paid?"
    options = script.open_question_limits["options"]
    assert options == {
        "holders": "Shareholders · 18 per share · 108 in all",
        "kept": "The company keeps everything · 180 in all",
    }
    kept = script.copy().says("table: kept")
    assert (kept["north", "coin"], kept.last_notes) == (180, ["bank pays north 180."])
    script.says("table: holders")
    assert script.last_notes == ["Aki gets 54.", "Ben gets 36.", "north gets 18."]
    assert (purse_counts(script), script["north", "coin"]) == ([154, 136, 100], 18)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("down", ["Aki gets 7 (rounded down).", "Ben gets 5.", "north gets 2 (rounded down)."]),
        ("up", ["Aki gets 8 (rounded up).", "Ben gets 5.", "north gets 3 (rounded up)."]),
        ("nearest", ["Aki gets 8 (rounded up).", "Ben gets 5.", "north gets 3 (rounded up)."]),
    ],
)
def test_what_a_shareholder_gets_of_a_total_is_rounded_once(word: str, said: list[str]) -> None:
    """25 for ten shares is 2½ for each: three shares get 7½ before it is rounded, and two get exactly 5."""
    script = with_shares(3, 2, 0, **TOTAL, dividend_rounding=word)
    script.says("table: dividend", "table: 0", "table 25")
    assert script.open_question_limits["options"]["holders"].startswith("Shareholders · 1")
    assert script.says("table: holders").last_notes == said


@pytest.mark.parametrize("way", ["share", "total"])
def test_half_pay_as_in_1846(way: str) -> None:
    """1846: of 110 each of ten shares gets 6, which is half of 11 rounded up; the company keeps 50."""
    script = with_shares(3, 2, 0, dividend=way, half_pay="up").says("table: dividend", "table: 0")
    script.says("table 110" if way == "total" else "table 11")
    assert script.open_question_limits["options"]["half"] == (
        "Half for the shareholders, half for the company · 6 (rounded up) per share · 50 for the company"
    )
    script.says("table: half")
    assert script.last_notes == [
        "north pays 6 (rounded up) per share.",
        "Aki gets 18.",
        "Ben gets 12.",
        "north gets 6.",
        "bank pays north 50.",
    ]
    assert (purse_counts(script), script["north", "coin"]) == ([118, 112, 100], 56)


@pytest.mark.parametrize(
    ("word", "per_share", "company"), [("down", 5, 60), ("nearest", 6, 50), ("up", 6, 50)]
)
def test_the_half_that_is_rounded_is_that_of_each_share(word: str, per_share: int, company: int) -> None:
    """The company gets what is left of the whole, so that both halves are together what was earned."""
    script = with_shares(1, 0, 0, dividend="total", half_pay=word)
    script.says("table: dividend", "table: 0", "table 110", "table: half")
    assert (purse_counts(script)[0], script["north", "coin"]) == (100 + per_share, company + per_share)


@given(st.integers(1, 9_999), st.integers(1, 20), st.sampled_from(WORDS))
def test_both_halves_are_together_what_was_earned(total: int, shares: int, word: str) -> None:
    """Neither half is below zero, and no share gets more than it has earned."""
    earnings = Earnings(Fraction(total, shares), shares, DividendRules("total", half_pay=word))
    half = earnings.half_per_share.amount
    assert 0 <= half <= earnings.per_share
    assert earnings.retained_amount >= 0
    assert half * shares + earnings.retained_amount == total


@given(st.integers(1, 9_999), st.lists(st.integers(0, 9), min_size=1, max_size=6), st.sampled_from(WORDS))
def test_rounded_dividends_differ_from_the_total_by_less_than_one_each(
    total: int, held: list[int], word: str
) -> None:
    """If all shares are held, the rounded parts add up to the total, give or take less than 1 a holder."""
    shares = max(1, sum(held))
    earnings = Earnings(Fraction(total, shares), shares, DividendRules("total", word))
    paid = [earnings.dividend_of(count).amount for count in held if count]
    assert abs(sum(paid) - total * (sum(held) > 0)) < max(1, len(paid))


def test_half_pay_is_offered_only_where_the_template_says_so() -> None:
    """Without the field, two ways to pay a dividend are offered, as before."""
    script = with_shares(1, 0, 0).says("table: dividend", "table: 0", "table 5")
    assert list(script.open_question_limits["options"]) == ["holders", "kept"]
