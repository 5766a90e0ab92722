"""Any Game's bank: payments between anybody, pots, salaries, loans, and what each round brings."""

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import check_deck
from companion.session import typed_payments
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    NAMES,
    begin_with_cards,
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

PAYS = rules_card(payments="yes")
POT = template_card("place", "pot")


# Payments


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        ("1, 2, Aki 37", [63, 137, 100]),
        ("2, bank, Ben 30", [100, 70, 100]),
        ("bank, 3, table 50", [100, 100, 150]),
        ("all, 1, table 10", [120, 90, 90]),
        ("1, all, Aki 10", [80, 110, 110]),
        ("1, evenly, Aki 10", [90, 105, 105]),
        ("bank, evenly, table 30", [110, 110, 110]),
        ("all, bank, table 5", [95, 95, 95]),
        ("3, place 0, Chie 8", [100, 100, 92]),
    ],
)
def test_a_payment(lines: str, held: list[int]) -> None:
    """From anybody to anybody; to or from everybody so much each, or one sum shared."""
    payer, payee, amount = lines.split(", ")
    script = begin_with_cards_and_coins(PAYS, POT).says(
        "table: payment", f"table: {payer}", f"table: {payee}", amount
    )
    assert purse_counts(script) == held
    assert question_text(script) == "What is next?"
    script.says("undo")
    assert purse_counts(script) == [100, 100, 100]


@pytest.mark.parametrize(
    ("lines", "questions"),
    [
        ("payment, 1, 2", ["Whom does Aki pay?", "From Aki to Ben: how much?"]),
        (
            "payment, bank, evenly",
            ["Whom does the bank pay?", "From bank to Everybody, shared evenly: how much?"],
        ),
        ("payment, all, place 0", ["Whom does everybody pay?", "From Everybody to pot: how much?"]),
        ("percentage, 1, place 0", ["Whom does Aki pay?", "From Aki to pot: what percentage?"]),
    ],
)
def test_each_step_says_what_is_settled(lines: str, questions: list[str]) -> None:
    """Whoever looks up in the middle of a payment reads who pays whom."""
    act, payer, payee = lines.split(", ")
    script = begin_with_cards_and_coins(PAYS, POT).says(f"table: {act}")
    assert [question_text(script.says(f"table: {key}")) for key in (payer, payee)] == questions


def test_the_rest_of_a_share_is_named() -> None:
    """What can't be shared evenly goes to whoever people say, or stays."""
    script = begin_with_cards_and_coins(PAYS).says(
        "table: payment", "table: bank", "table: evenly", "table 101"
    )
    assert question_text(script) == "2 is left over. Who gets the rest?"
    assert purse_counts(script.copy().says("table: 3")) == [133, 133, 135]
    assert purse_counts(script.says("table: stays")) == [133, 133, 133]


def test_percent_are_rounded_down() -> None:
    """A tax on everybody: each pays of what is there."""
    script = correct_count(begin_with_cards_and_coins(PAYS, POT), 55, "coin", "Aki/purse", "bank")
    script.says("table: percentage", "table: all", "table: place 0", "table 10")
    assert script.last_notes == ["Aki pays 10 %: 4 (rounded down).", "Ben and Chie each pay 10 %: 10."]
    assert script["pot", "coin"] == 24


def test_percent_go_to_a_person_too() -> None:
    """From one, or from everybody else."""
    script = begin_with_cards_and_coins(PAYS).says("table: percentage", "table: 2", "table: 1", "Ben 10")
    assert purse_counts(script) == [110, 90, 100]
    script.says("table: percentage", "table: all", "table: 3", "table 50")
    assert purse_counts(script) == [55, 45, 200]


def test_percent_of_a_pot() -> None:
    """Whatever isn't endless pays a part of what it has."""
    script = begin_with_cards_and_coins(PAYS, POT).says(
        "table: payment", "table: 1", "table: place 0", "Aki 50"
    )
    script.says("table: percentage")
    assert "bank" not in script.open_question_limits["options"]
    script.says("table: place 0", "table: 2", "table 50")
    assert (purse_counts(script), script["pot", "coin"]) == ([50, 125, 100], 25)


# Pots


def test_a_pot_is_paid_out() -> None:
    """To one, or evenly to several; the rest is asked about."""
    script = begin_with_cards_and_coins(POT)
    assert script.refuses("table: pay_out") == "No money is in pot."
    correct_count(script, 31, "coin", "Aki/purse", "pot").says("table: pay_out")
    assert purse_counts(script.copy().says("table: 2")) == [69, 131, 100]
    script.says("table: several", "table: 1", "table: 2")
    assert question_text(script) == "pot: who shares the money?"
    script.says("table: done")
    assert question_text(script) == "1 is left over. Who gets the rest?"
    assert purse_counts(script.says("table: stays")) == [84, 115, 100]
    assert script["pot", "coin"] == 1


def test_several_pots() -> None:
    """Which of them is asked; all may share one."""
    script = correct_count(
        begin_with_cards_and_coins(POT, template_card("place", "side")), 30, "coin", "Aki/purse", "side"
    )
    assert script.says("table: pay_out").refuses("table: 0") == "No money is in pot."
    script.says("table: 1", "table: several", "table: 1", "table: 2", "table: 3")
    assert purse_counts(script) == [80, 110, 110]


# Salary, income, loans, blinds


def test_a_salary_is_two_answers() -> None:
    """The menu says how much it is."""
    script = begin_with_cards_and_coins(rules_card(salary=200))
    assert script.open_question_limits["options"]["salary"] == "Salary 200"
    assert purse_counts(script.says("table: salary", "table: 2")) == [100, 300, 100]


def test_each_round_brings_income() -> None:
    """The bank pays everybody; where it is broken the table is asked."""
    bank = 'id = "coin"\nkind = "piece"\nstart = 10\nsupply = 8'
    broken = begin_with_cards(bank, rules_card(income=4))
    broken.says("table: round")
    assert question_text(broken) == "bank must pay Aki, Ben, Chie 12 in all, but has only 8. What now?"
    assert purse_counts(broken.copy().says("table: nothing")) == [10, 10, 10]
    broken.says("table: part", "table: stays")
    assert (purse_counts(broken), broken.last_notes) == ([12, 12, 12], ["bank pays only 6."])


def test_loans_cost_interest_with_each_round() -> None:
    """A tenth, rounded up; who can't pay it can borrow first. What is owed counts at the end."""
    script = begin_with_cards_and_coins(rules_card(loans="yes", interest=10)).says(
        "table: borrow", "table: 1", "Aki 55"
    )
    assert (purse_counts(script), script["Aki/front", "loan"]) == ([155, 100, 100], 55)
    script.says("table: round")
    assert script.last_notes == ["Aki pays 6 (rounded up) interest."]
    correct_count(script, 149, "coin", "Aki/purse", "bank").says("table: round")
    assert question_text(script) == "Aki must pay bank 6, but has only 0. What now?"
    script.says("table: loan", "Aki 10")
    assert (purse_counts(script)[0], script["Aki/front", "loan"]) == (4, 65)
    script.says("table: repay")
    assert script.refuses("table: 2") == "Ben owes nothing."
    assert script.says("table: 1").refuses("Aki 5") == "Aki can answer at most 4."
    script.says("Aki 4")
    assert rank_and_total_by_player(script) == {"Ben": (1, 100), "Chie": (1, 100), "Aki": (3, -61)}


def test_nobody_owes_anything() -> None:
    """To pay back can be left."""
    script = begin_with_cards_and_coins(rules_card(loans="yes"))
    assert script.refuses("table: repay") == "Nobody owes anything."
    script.says("table: borrow", "table: 1", "Aki 5")
    assert question_text(script.copy().says("table: repay", "table: done")) == "What is next?"
    correct_count(script, 105, "coin", "Aki/purse", "bank")
    assert script.says("table: repay").refuses("table: 1") == "Aki has no money."


def test_what_the_bank_cant_make_isnt_lent() -> None:
    """Where its notes don't make the amount people are asked, and what isn't paid isn't owed."""
    tens = 'id = "ten"\nkind = "piece"\nstart = 1\nsupply = 9\nnote = 10'
    script = begin_with_cards(tens, rules_card(loans="yes")).says("table: borrow", "table: 1", "Aki 5")
    assert question_text(script) == "bank has no notes to pay Aki exactly 5. What now?"
    script.says("table: nothing")
    assert script["Aki/front", "loan"] == 0
    script.says("table: borrow", "table: 1", "Aki 20", "table: repay", "table: 1", "Aki 5")
    assert question_text(script) == "Aki has no notes to pay bank exactly 5. What now?"
    assert script.says("table: nothing")["Aki/front", "loan"] == 20


def test_a_loan_that_is_gone_while_it_is_paid_back_stays_gone() -> None:
    """Where people move the loan away while they are asked about the notes, the payment alone is made."""
    ten = 'id = "ten"\nkind = "piece"\nnote = 10\nstart = 5\nsupply = 50'
    one = 'id = "one"\nkind = "piece"\nnote = 1\nsupply = 5'
    script = begin_with_cards(ten, one, rules_card(loans="yes")).says("table: borrow", "table: 1", "Aki 5")
    correct_count(script, 5, "one", "Aki/purse", "Ben/purse")
    script.says("table: repay", "table: 1", "Aki 5")
    correct_count(script, 5, "loan", "Aki/front", "box")
    correct_count(script, 5, "one", "Ben/purse", "Aki/purse")
    assert script.says("table: pay").last_notes == ["5 one from Aki to bank.", "Aki pays back 5."]


@pytest.mark.parametrize(
    ("names", "blinds", "paid"),
    [
        (NAMES, ["Ben pays a blind of 1.", "Chie pays a blind of 2."], [100, 99, 98]),
        (NAMES[:2], ["Aki pays a blind of 1.", "Ben pays a blind of 2."], [99, 98]),
    ],
)
def test_blinds_go_into_the_pot(names: tuple[str, ...], blinds: list[str], paid: list[int]) -> None:
    """The two after the dealer pay with each round; of two people the dealer pays the small one."""
    script = begin_with_cards_and_coins(rules_card(small_blind=1, big_blind=2), POT, names=names).says(
        "table: round"
    )
    assert script["pot", "coin"] == 0
    script.says("table: start_player", f"table: {len(names)}", "table: round")
    assert script.last_notes[1:] == blinds
    assert purse_counts(script) == paid


@pytest.mark.parametrize("scoring", ["free", "rounds"])
def test_each_round_brings_as_much(scoring: str) -> None:
    """The first one too, where it is open from the beginning; nothing comes of one that isn't played."""
    points = template_card("category", "points")
    script = begin_with_cards_and_coins(
        rules_card(scoring=scoring, rounds=3, income=10, best="highest"), points
    )
    for _ in range(3):
        script.says(*(["table: round"] if scoring == "free" else ["table: write_round", "table: 0, 0, 0"]))
    assert question_text(script) == "All rounds have been played. Finish the game?"
    assert purse_counts(script) == [130, 130, 130]


def test_a_loan_is_no_money() -> None:
    """It isn't paid like a piece, also once somebody has borrowed."""
    script = begin_with_cards_and_coins(rules_card(loans="yes")).says("table: borrow", "table: 1", "Aki 5")
    assert typed_payments.parse_payment(script.session, "Aki bank 5 loan", "en") is None
    assert typed_payments.parse_payment(script.session, "Aki bank 5 coin", "en")


# Covered purses


def test_covered_purses_are_never_shown() -> None:
    """What must be paid out of one is asked always: whether it is there, no question tells."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", covered="yes")).says(
        "table: payment", "table: 1", "table: 2", "Aki 30"
    )
    assert question_text(script) == "Aki must pay Ben 30. What now?"
    assert purse_counts(script.copy().says("table: pay")) == [70, 130, 100]
    assert purse_counts(script.copy().says("table: part", "Aki 12")) == [88, 112, 100]
    script.says("table: nothing", "table: payment", "table: 1", "table: 2", "Aki 101")
    assert script.refuses("table: pay") == "Aki can't pay 101."
    assert "percentage" not in script.says("table: nothing").open_question_limits["options"]


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        (
            (
                rules_card(covered="yes"),
                template_card("piece", "bill", note=5),
                template_card("piece", "one", note=1),
            ),
            "one kind of money",
        ),
        ((rules_card(covered="yes", debts=5),), "can't have debts"),
        ((rules_card(small_blind=1),), "need a place"),
        ((rules_card(payee="place"),), "need a place"),
        ((rules_card(lots="shares"),), "works only with a company"),
        ((template_card("place", "bank"),), "is a reserved name"),
        ((template_card("place", "pot", name="All"),), "is a reserved name"),
    ],
)
def test_what_no_table_can_keep_to_is_refused(cards: tuple[str, ...], why: str) -> None:
    """A template that contradicts itself is refused with a sentence."""
    text = "\n".join(f"[[card]]\n{one}" for one in (COIN_CARD, *cards))
    with pytest.raises(UserError, match=why):
        check_deck(read(text, "own.toml"))


def test_a_bank_needs_money() -> None:
    """Companies without anything to pay in are refused."""
    text = f"[[card]]\n{template_card('company', 'north')}\n[[card]]\n{template_card('category', 'points')}"
    with pytest.raises(UserError, match="need a piece that serves as money"):
        check_deck(read(text, "own.toml"))


def test_equal_payments_of_several_people_are_one_sentence() -> None:
    """Of the chips that move, and of who pays; somebody who pays something else has a sentence."""
    script = begin_with_shipped_template("poker").says(
        "table: done", "table: payment", "table: all", "table: place 0", "table 2"
    )
    assert script.last_notes == [
        "2 white chips from each of Aki, Ben and Chie to pot.",
        "Aki, Ben and Chie each pay pot 2.",
    ]
    script = begin_with_cards_and_coins(PAYS, POT)
    correct_count(script, 55, "coin", "Aki/purse", "bank")
    script.says("table: percentage", "table: all", "table: place 0", "table 10")
    assert script.last_notes == ["Aki pays 10 %: 4 (rounded down).", "Ben and Chie each pay 10 %: 10."]


def test_payments_before_and_after_a_question_have_sentences_of_their_own() -> None:
    """What was said before the question was read then."""
    script = begin_with_cards_and_coins(PAYS, POT)
    correct_count(script, 95, "coin", "Ben/purse", "bank")
    script.says("table: payment", "table: all", "table: place 0", "table 10")
    assert script.last_notes == ["Aki pays pot 10."]
    assert script.says("table: nothing").last_notes == ["Ben pays nothing.", "Chie pays pot 10."]
