"""One of several things."""

from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Choose, DetailedOption, OptionRequirement
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
WHAT = say("What now?")


def test_the_answer_is_a_key() -> None:
    """A key and nothing else is the answer."""
    question = Choose(AKI, WHAT, {"sell": say("Sell"), "pass": say("Pass")})
    assert question.parse_answer("sell") == "sell"
    question.check_answer("pass")


@pytest.mark.parametrize(
    ("given", "named"),
    [("Sell", '"Sell"'), (1, "1"), (None, "null"), (["sell"], '["sell"]'), ("x" * 99, '"' + "x" * 39 + "…")],
)
def test_a_refusal_names_what_was_given_and_what_there_is(given: object, named: str) -> None:
    """Each option stands there with its key and what it means, unless that is the same."""
    question = Choose(AKI, WHAT, {"sell": say("Sell"), "1": AKI, "pass": say("pass")})
    with pytest.raises(IllegalAnswer) as refused:
        question.parse_answer(given)
    assert (
        str(refused.value) == f'{named} can\'t be chosen now. Choose from: "sell" (Sell), "1" (Aki), "pass".'
    )


def test_of_many_options_only_the_keys_are_told() -> None:
    """A sentence that names more than nine options with what they mean would be no clear one."""
    question = Choose(AKI, WHAT, {str(n): say("card {n}", n=n) for n in range(10)})
    with pytest.raises(IllegalAnswer, match=r'Choose from: "0", "1", "2", .*, "9"\.$'):
        question.parse_answer("10")


def test_options_are_shown_in_words() -> None:
    """An option may be anything with a label, a seat for instance."""
    assert Choose(None, WHAT, {"1": AKI, "2": BEN}).limits_json == {"options": {"1": "Aki", "2": "Ben"}}


@pytest.mark.parametrize(
    ("seat", "seats", "asks", "told"),
    [
        (AKI, (AKI,), "Choose @1: What now?", "Aki: What now? → Sell"),
        (None, (), "Choose: What now?", "What now? Sell"),
    ],
)
def test_a_seat_or_the_table_is_asked(seat: object, seats: object, asks: str, told: str) -> None:
    """A question to the table is asked of nobody in particular."""
    question = Choose(AKI if seat else None, WHAT, {"sell": say("Sell")})
    assert (question.seats, question.log_key) == (seats, asks)
    assert render(question.describe_answer("sell")) == told


def test_an_option_may_need_what_is_covered() -> None:
    """An option that takes more than its account holds is shown, refused in its own words, never sampled."""
    ledger, coin = Ledger(), Piece("coin", say("coin"), is_endless=True)
    akis = ledger.supply_from_box(ledger.open_account(Place(say("purse"), AKI), coin, covered=True), 3)
    why = say("These pieces can't come from the purse.")
    question = Choose(
        AKI, WHAT, {"buy": say("Buy"), "pass": say("Pass")}, {"buy": OptionRequirement(akis, 4, why)}
    )
    assert question.limits_json == {"options": {"buy": "Buy", "pass": "Pass"}}
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {"pass"}
    with pytest.raises(IllegalAnswer, match=r"^These pieces can't come from the purse\.$"):
        question.check_answer("buy")
    ledger.transfer(ledger.open_account(Place(say("bank")), coin), akis, 1)
    question.check_answer("buy")


def test_a_reason_that_follows_from_a_covered_purse_is_not_shown() -> None:
    """Before a choice everybody sees why it is barred, but never because of what lies in a covered purse."""
    why, shown = say("{seat} has too little money.", seat=AKI), []
    for covered in (False, True):
        purse = Ledger().open_account(Place(say("purse"), AKI), Piece("coin", say("coin")), covered=covered)
        question = Choose(AKI, WHAT, {"buy": say("Buy")}, {"buy": OptionRequirement(purse, 4, why)})
        shown.append(question.public_barred_reason("buy"))
    assert shown == [why, None]


FORBIDDEN = Choose(
    AKI,
    WHAT,
    {
        "hire": DetailedOption(say("Hire"), price=2, gain=say("a worker"), note=say("or more")),
        "sell": DetailedOption(say("Sell"), barred_reason=say("There is nothing to sell.")),
        "pass": DetailedOption(say("pass"), is_decline_option=True),
    },
)


def test_what_can_not_be_chosen_is_shown_and_refused_with_the_reason() -> None:
    """It is no option of programs, keypads and chance, and whoever names it hears why."""
    with pytest.raises(IllegalAnswer, match="There is nothing to sell"):
        FORBIDDEN.check_answer("sell")
    assert FORBIDDEN.limits_json == {
        "options": {"hire": "Hire · costs 2 · a worker · or more", "pass": "pass"},
        "cant": {"sell": "There is nothing to sell."},
    }
    assert list(FORBIDDEN.offered_options) == FORBIDDEN.legal_option_keys == ["hire", "pass"]
    assert {FORBIDDEN.random_legal_answer(Random(seed)) for seed in range(20)} == {"hire", "pass"}
    with pytest.raises(IllegalAnswer, match=r'Choose from: "hire" \(Hire\), "pass"\.$'):
        FORBIDDEN.parse_answer("buy")


def test_silence_does_not_pass_where_nobody_can() -> None:
    """A pass that is forbidden now is no answer of a clock."""
    assert FORBIDDEN.default_answer == ("pass",)
    barred = DetailedOption(say("pass"), barred_reason=say("Somebody must open."))
    assert Choose(AKI, WHAT, {"bid": say("bid"), "pass": barred}).default_answer is None


def test_the_log_keeps_the_label_of_an_option() -> None:
    """What was chosen is told by its label alone."""
    told = FORBIDDEN.describe_answer("hire")
    assert render(told).endswith("Hire")
    assert told.key.endswith("Hire")
    assert render(FORBIDDEN.describe_answer("pass")) == "Aki passes."


def test_a_question_may_be_worded_anew() -> None:
    """Logs go on to call it as before, so that a saved game opens, and people read the new words."""
    question = Choose(AKI, say("Dig, or rest?"), {"dig": say("Dig")}, log_name=say("Day"))
    assert question.log_key == "Choose @1: Day"
    assert render(question.text) == "Dig, or rest?"
