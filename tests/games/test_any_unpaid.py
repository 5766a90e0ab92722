"""What happens at Any Game's bank where something can't be paid: people are asked, and told what is paid."""

import pytest

from companion.errors import UserError
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

PAYS, BORROWS = rules_card(payments="yes"), rules_card(payments="yes", loans="yes")
POT = template_card("place", "pot")


def test_who_cant_pay_is_asked() -> None:
    """Nothing is paid in silence: what is there, nothing, or all of it once more has been found."""
    script = begin_with_cards_and_coins(BORROWS).says("table: payment", "table: 1", "table: 2", "Aki 130")
    assert question_text(script) == "Aki must pay Ben 130, but has only 100. What now?"
    unpaid = script.copy().says("table: nothing")
    assert (purse_counts(unpaid), unpaid.last_notes) == ([100, 100, 100], ["Aki pays nothing."])
    part = script.copy().says("table: part")
    assert (purse_counts(part), part.last_notes) == ([0, 200, 100], ["Aki pays only 100."])
    assert script.refuses("table: pay") == "Aki can't pay 130."
    correct_count(script, 40, "coin", "Chie/purse", "Aki/purse")
    assert question_text(script.copy().says("table: part")) == "You owe 130. How much will you pay?"
    assert purse_counts(script.says("table: pay")) == [10, 230, 60]


@pytest.mark.parametrize(
    ("payer", "payee", "most", "refusal"),
    [
        ("1", "2", 100, "Aki can pay at most 100."),
        ("1", "evenly", 100, "Aki can pay at most 100."),
        ("1", "all", 50, "Aki has 100 and can pay everybody at most 50."),
        ("bank", "2", 20, "bank can pay at most 20."),
        ("all", "2", 320, "The table can answer at most 320."),
    ],
)
def test_nobody_pays_more_than_there_is(payer: str, payee: str, most: int, refusal: str) -> None:
    """Where nobody can borrow, sell or owe: the limit is shown, and a sentence refuses a higher amount."""
    few = 'id = "coin"\nkind = "piece"\nstart = 100\nsupply = 20'
    script = begin_with_cards(few, PAYS).says("table: payment", f"table: {payer}", f"table: {payee}")
    who = "Aki" if payer == "1" else "table"
    assert script.open_question_limits["most"] == most
    assert script.refuses(f"{who} {most + 1}") == refusal
    assert question_text(script.says(f"{who} {most}")) == (
        "What is next?" if payer != "all" else "Aki must pay Ben 320, but has only 100. What now?"
    )


def test_who_has_nothing_pays_nothing() -> None:
    """The key of a payer without money says why it is dead, as does paying everybody with a coin for one."""
    script = begin_with_cards_and_coins(PAYS)
    correct_count(script, 99, "coin", "Aki/purse", "Ben/purse").says("table: payment")
    assert script.copy().says("table: 1").refuses("table: all") == (
        "Aki has 1 and can pay everybody at most 0."
    )
    correct_count(script, 1, "coin", "Aki/purse", "Ben/purse")
    assert script.refuses("table: 1") == "Aki has no money."


@pytest.mark.parametrize(
    "rules", [{"loans": "yes"}, {"debts": 50}, {"covered": "yes"}], ids=lambda rules: next(iter(rules))
)
def test_where_debts_happen_no_amount_is_too_high(rules: dict[str, object]) -> None:
    """People may owe more than they have, and are asked what happens."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", **rules))
    script.says("table: payment", "table: 1", "table: 2", "Aki 170")
    assert question_text(script).endswith("What now?")


def test_debts_where_the_template_allows_them() -> None:
    """As far below zero as it says; that it is a debt is said before."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", debts=50)).says(
        "table: payment", "table: 1", "table: 2", "Aki 130"
    )
    assert (
        script.open_question_limits["options"]["pay"]
        == "Pay everything · costs 130 · 30 of this becomes debt"
    )
    assert purse_counts(script.says("table: pay")) == [-30, 230, 100]
    script.says("table: payment", "table: 1", "table: 2", "Aki 21")
    assert question_text(script) == "Aki already owes 30 and must pay Ben 21. What now?"
    assert script.refuses("table: pay") == "Aki can't pay 21."
    script.says("table: nothing", "table: payment", "table: 1", "table: 2", "Aki 20")
    assert rank_and_total_by_player(script.says("table: pay")) == {
        "Ben": (1, 250),
        "Chie": (2, 100),
        "Aki": (3, -50),
    }


def test_a_part_of_a_debt_is_as_much_as_is_said() -> None:
    """What may still be owed is no part of what is there: how much of it is paid, people say."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", debts=50)).says(
        "table: payment", "table: 1", "table: 2", "Aki 170"
    )
    assert script.open_question_limits["options"]["part"] == "Pay a part"
    script.says("table: part")
    assert question_text(script) == "You owe 170. How much will you pay?"
    assert script.refuses("Aki 151") == "Aki can answer at most 150."
    script.says("Aki 120")
    assert (purse_counts(script), script.last_notes) == ([-20, 220, 100], ["Aki pays only 120."])


def test_notes_that_cant_be_changed_are_asked_about() -> None:
    """There is enough, but nothing makes the amount: that is said, and a part is as much as is said."""
    script = begin_with_cards(
        PAYS, template_card("piece", "ten", start=2, supply=2, note=10), names=("Aki", "Ben")
    )
    script.says("table: payment", "table: 1", "table: 2", "Aki 7")
    assert question_text(script) == "Aki has no notes to pay Ben exactly 7. What now?"
    script.says("table: pay")
    assert question_text(script) == "Aki has no notes to pay Ben exactly 7. What now?"
    assert script.last_notes == ["Aki has no notes for exactly 7, and must change some first."]
    script.says("table: part", "Aki 4")
    assert script.last_notes == ["Aki has no notes for exactly 4, and must change some first."]
    assert (question_text(script), purse_counts(script, "ten")) == (
        "Aki has no notes to pay Ben exactly 7. What now?",
        [2, 2],
    )
    script.says("table: part", "Aki 0")
    assert (question_text(script), script.last_notes) == ("What is next?", ["Aki pays nothing."])


def test_a_covered_note_that_cant_be_changed_is_told() -> None:
    """Whoever says that it is paid learns why it isn't."""
    bill = template_card("piece", "bill", start=2, supply=4, note=5)
    script = begin_with_cards(rules_card(payments="yes", covered="yes"), bill)
    script.says("table: payment", "table: 1", "table: 2", "Aki 7", "table: pay")
    assert question_text(script) == "Aki must pay Ben 7. What now?"
    assert script.last_notes == ["Aki has no notes for exactly 7, and must change some first."]
    script.says("table: part", "Aki 5")
    assert (purse_counts(script, "bill"), script.last_notes) == ([1, 3, 2], ["Aki pays only 5."])


def test_which_pieces_move_is_told_where_there_are_several() -> None:
    """Nobody has to work out how 37 is laid down, or what comes back."""
    script = begin_with_cards(
        PAYS,
        template_card("piece", "one", start=3, note=1),
        template_card("piece", "ten", start=4, note=10),
        POT,
    )
    script.says("table: payment", "table: 1", "table: place 0", "Aki 22")
    assert script.last_notes == [
        "2 one from Aki to pot, 2 ten from Aki to pot.",
        "Aki pays pot 22.",
    ]


def test_who_cant_pay_everybody_is_asked_once() -> None:
    """Not one after the other until nothing is left: what is there is shared, and the rest named."""
    script = begin_with_cards_and_coins(BORROWS).says("table: payment", "table: 1", "table: all", "Aki 60")
    assert question_text(script) == "Aki must pay Ben, Chie 120 in all, but has only 100. What now?"
    assert purse_counts(script.copy().says("table: nothing")) == [100, 100, 100]
    part = script.copy().says("table: part")
    assert (question_text(part), purse_counts(part)) == ("What is next?", [0, 150, 150])
    correct_count(script, 30, "coin", "Chie/purse", "Aki/purse")
    assert purse_counts(script.says("table: pay")) == [10, 160, 130]


def test_a_share_of_more_than_is_there() -> None:
    """Each gets as much of what is there; nobody is asked about the rest of what isn't."""
    script = begin_with_cards_and_coins(BORROWS)
    script.says("table: payment", "table: 1", "table: evenly", "Aki 205")
    assert question_text(script) == "Aki must pay Ben, Chie 204 in all, but has only 100. What now?"
    assert question_text(script.copy().says("table: nothing")) == "What is next?"
    script.says("table: part")
    assert (question_text(script), purse_counts(script)) == ("What is next?", [0, 150, 150])


def test_what_a_covered_purse_pays_everybody_is_asked_once() -> None:
    """Nobody may see whether it is there."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", covered="yes"))
    script.says("table: payment", "table: 1", "table: all", "Aki 20")
    assert question_text(script) == "Aki must pay Ben, Chie 40 in all. What now?"
    assert purse_counts(script.says("table: pay")) == [60, 120, 120]


def test_nobody_reads_from_the_question_what_a_covered_purse_lacks() -> None:
    """The choices and the texts beside them are the same for an empty purse as for a full one."""
    asked = []
    for lost in (0, 99):
        script = begin_with_cards_and_coins(rules_card(payments="yes", covered="yes", loans="yes"))
        correct_count(script, lost, "coin", "Aki/purse", "Chie/purse")
        script.says("table: payment", "table: 1", "table: 2", "Aki 70")
        asked.append((question_text(script), script.open_question_limits))
    assert asked[0] == asked[1]


def test_a_pot_gives_what_lies_there() -> None:
    """Unlike the bank it never owes."""
    script = begin_with_cards_and_coins(PAYS, POT).says("table: payment")
    assert script.refuses("table: place 0") == "pot has no money."
    with pytest.raises(UserError, match="pot has only 0 coins, not 1"):
        script.session.correct("pot", "Aki/purse", "coin", 1, "")


def test_nothing_can_be_borrowed_or_paid_back() -> None:
    """A bank without money lends 0, and who has nothing, be it in secret, pays back 0."""
    few = 'id = "coin"\nkind = "piece"\nstart = 10\nsupply = 2'
    script = begin_with_cards(few, rules_card(loans="yes")).says(
        "table: borrow", "table: 1", "Aki 2", "table: borrow", "table: 2"
    )
    assert (script.refuses("Ben 1"), question_text(script)) == (
        "Ben can answer at most 0.",
        "You have 10 and owe 0. How much do you want to borrow?",
    )
    assert question_text(script.says("Ben 0")) == "What is next?"
    script = begin_with_cards_and_coins(rules_card(loans="yes", covered="yes", payments="yes"))
    script.says("table: borrow", "table: 1", "Aki 5", "table: payment", "table: 1", "table: bank", "Aki 105")
    script.says("table: pay", "table: repay", "table: 1")
    assert script.refuses("Aki 1") == "Aki can't answer that."
    assert question_text(script.says("Aki 0")) == "What is next?"


def test_only_is_said_of_less_than_was_due() -> None:
    """A part that is all of it is all of it."""
    script = begin_with_cards_and_coins(rules_card(payments="yes", covered="yes"))
    script.says("table: payment", "table: 1", "table: all", "Aki 20", "table: part", "Aki 40")
    assert (purse_counts(script), script.last_notes) == ([60, 120, 120], ["Aki pays Ben, Chie 40 in all."])
