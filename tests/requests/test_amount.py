"""One number."""

from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests import Amount, NumberField
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.terminal.answers import parse_typed_answer
from companion.texts import render, say, say_n

AKI, BEN = make_seats(["Aki", "Ben"])
BID = say("Your sealed bid")
BANK, PURSE = Place(say("bank")), Place(say("purse"), AKI)
MONEY = Piece("money", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2))


def purse(ledger: Ledger, count: int, *, covered: bool = False) -> Account:
    """What Aki can pay from."""
    return ledger.supply_from_box(ledger.open_account(PURSE, MONEY, covered=covered), count)


def amount(**limits: Any) -> Amount:
    """Aki is asked."""
    return Amount(AKI, BID, **limits)


def test_what_is_asked() -> None:
    """One seat is asked one question, whatever the limits."""
    assert amount().log_key == amount(most=3).log_key == "Amount @1: Your sealed bid"
    assert amount().seats == (AKI,)
    assert render(amount().text) == "Your sealed bid"
    assert render(amount().describe_answer(4)) == "Aki: Your sealed bid → 4"
    assert render(amount().describe_revealed_answer(4)) == "Aki: 4"


@pytest.mark.parametrize(
    ("limits", "number", "why"),
    [
        ({}, -1, "Aki must answer at least 0."),
        ({"least": 5, "most": 9}, 4, "Aki must answer at least 5."),
        ({"most": 9}, 10, "Aki can answer at most 9."),
        ({"least": 5, "step": 5}, 7, "Aki must answer 5 or more, in steps of 5."),
    ],
)
def test_a_number_that_is_refused(limits: dict[str, int], number: int, why: str) -> None:
    """A number is within its limits and on the grid."""
    with pytest.raises(IllegalAnswer) as refused:
        amount(**limits).check_answer(number)
    assert str(refused.value) == why


def test_0_may_be_asked_about_before_it_is_taken() -> None:
    """Where 0 is grave the question has a sentence for it, in its limits too; 0 stays an answer."""
    sure = say("With 0 you are out.")
    grave = amount(most=9, zero_confirmation=sure)
    assert grave.limits_json == {"least": 0, "most": 9, "step": 1, "sure": "With 0 you are out."}
    assert (grave.confirmation_for(0), grave.confirmation_for(1), amount().confirmation_for(0)) == (
        sure,
        None,
        None,
    )
    grave.check_answer(0)


def test_what_is_known_tells_nothing_of_what_is_covered() -> None:
    """What all may know of a check stands by itself: a covered purse is not looked at."""
    bid = amount(least=2, step=2, decline=True, paid_from=purse(Ledger(), 3, covered=True))
    for number in (0, 2, 4):
        bid.check_public_limits(number)
    with pytest.raises(IllegalAnswer, match="2 or more, in steps of 2"):
        bid.check_public_limits(5)
    with pytest.raises(IllegalAnswer, match="can't answer that"):
        bid.check_answer(4)


def test_no_bid_below_the_least() -> None:
    """Where there may be none, 0 is an answer below the least, and said in limits and refusals."""
    bid = amount(least=60, step=10, decline=True)
    assert bid.limits_json == {"least": 60, "most": None, "step": 10, "none": True}
    for number in (0, 60, 130):
        bid.check_answer(number)
    for number, why in (
        (50, "Aki must answer 0, or at least 60."),
        (65, "Aki must answer 60 or more, in steps of 10."),
    ):
        with pytest.raises(IllegalAnswer) as refused:
            bid.check_answer(number)
        assert str(refused.value) == why
    samples = [bid.random_legal_answer(Random(seed)) for seed in range(50)]
    assert 0 in samples
    assert max(samples) >= 60


@pytest.mark.parametrize("limits", [{"most": 50}, {"most": 999, "paid_from": 50}])
def test_where_only_no_bid_is_left(limits: dict[str, int]) -> None:
    """Where the least is above the most and 0 is no bid, limits and refusals say that 0 alone is left."""
    bid = amount(least=60, decline=True, **limits)
    assert (bid.limits_json["least"], bid.limits_json["most"]) == (0, 0)
    for number in (50, 60):
        with pytest.raises(IllegalAnswer, match=r"^Aki can answer only 0\.$"):
            bid.check_answer(number)
    bid.check_answer(0)
    assert {bid.random_legal_answer(Random(seed)) for seed in range(20)} == {0}


@pytest.mark.parametrize("given", [None, "4", 4.0, True])
def test_an_amount_is_a_whole_number(given: object) -> None:
    """Nothing, text, fractions and true are no amounts."""
    with pytest.raises(IllegalAnswer, match="Aki must answer with a whole number"):
        amount().parse_answer(given)


def test_a_purse_is_a_limit_while_it_changes() -> None:
    """What a purse holds now is the limit, also after a correction while the question is open."""
    ledger = Ledger()
    akis, bank = purse(ledger, 7), ledger.open_account(BANK, MONEY)
    question = amount(most=999, paid_from=akis)
    assert question.limits_json == {"least": 0, "most": 7, "step": 1}
    question.check_answer(question.parse_answer(7))
    ledger.transfer(akis, bank, 4)
    assert question.limits_json["most"] == 3
    with pytest.raises(IllegalAnswer, match="Aki has only 3 coins"):
        question.check_answer(7)


def test_a_covered_purse_is_never_told() -> None:
    """A limit over a covered purse is null, its refusal says no number, and all else is refused before it."""
    refusals = set()
    for count in (2, 7):
        question = amount(most=20, step=2, paid_from=purse(Ledger(), count, covered=True))
        assert question.limits_json == {"least": 0, "most": 20, "step": 2}
        for number in (9, 30):
            with pytest.raises(IllegalAnswer) as refused:
                question.check_answer(number)
            refusals.add((number, str(refused.value)))
    assert refusals == {(9, "Aki must answer 0 or more, in steps of 2."), (30, "Aki can answer at most 20.")}
    with pytest.raises(IllegalAnswer, match=r"^Aki can't answer that\.$"):
        amount(paid_from=purse(Ledger(), 7, covered=True)).check_answer(8)


@pytest.mark.parametrize("limit", ["most", "paid_from"])
def test_the_form_tells_nothing_of_a_covered_purse(limit: str) -> None:
    """The highest number on screen and keypad is the same, whatever lies in a covered purse."""
    poor, rich = (amount(**{limit: purse(Ledger(), count, covered=True)}).form for count in (5, 7))
    assert poor == rich
    open_poor, open_rich = (amount(**{limit: purse(Ledger(), count)}).form for count in (5, 7))
    assert open_poor != open_rich


def test_samples_stay_within_the_limits() -> None:
    """Samples keep to the smallest of all limits, and to human numbers where there is none."""
    few = amount(least=1, most=9, step=2, paid_from=purse(Ledger(), 5))
    assert {few.random_legal_answer(Random(seed)) for seed in range(100)} == {1, 3, 5}
    assert max(amount().random_legal_answer(Random(seed)) for seed in range(5_000)) == 20


def test_where_no_number_is_legal_the_sample_is_refused() -> None:
    """A correction may leave less than the least: then every number is refused, a sample like any other."""
    question = amount(least=4, paid_from=purse(Ledger(), 2))
    assert question.random_legal_answer(Random(1)) == 4
    with pytest.raises(IllegalAnswer, match="has only 2"):
        question.check_answer(4)


PROPERTIES = (3, 17, 30)
"""Cards that Aki holds in the second half of For Sale; each player bids one of them in secret."""


@pytest.mark.parametrize("decline", [True, False])
def test_a_sealed_bid_of_ones_own_numbers(decline: bool) -> None:
    """Only these are answers, and 0 where no bid is allowed; the form names them for every front end."""
    question = amount(values=PROPERTIES, decline=decline)
    assert question.form.fields == (NumberField(least=3, most=30, values=PROPERTIES),)
    assert question.limits_json["values"] == [3, 17, 30]
    assert question.default_answer == ((0,) if decline else None)
    numbers = {0, *PROPERTIES} if decline else {*PROPERTIES}
    assert {question.random_legal_answer(Random(seed)) for seed in range(100)} == numbers
    for number in numbers:
        question.check_answer(number)
    with pytest.raises(IllegalAnswer) as refused:
        question.check_answer(4)
    allowed = "0, 3, 17, 30" if decline else "3, 17, 30"
    assert str(refused.value) == f"Aki can answer only these numbers: {allowed}."


def test_own_numbers_keep_the_limits_of_an_amount() -> None:
    """The lowest and the highest number count as always; without any number only 0 is left."""
    assert amount(least=4, most=20, values=PROPERTIES).allowed_values == (17,)
    nothing = amount(values=(), decline=True)
    assert (nothing.may_bid, nothing.form.fields) == (False, ())
    with pytest.raises(IllegalAnswer, match=r"^Aki can answer only 0\.$"):
        nothing.check_answer(3)
    assert amount(values=(0, 3)).default_answer == (0,)
    fault = amount(values=()).find_definition_fault()
    assert fault == 'Amount "Your sealed bid" has no values that can be answered'


def test_a_covered_piece_is_bid_without_telling_others_which_one_is_missing() -> None:
    """All are named, and a missing one is refused privately; in the open, only those that are there."""
    ledger = Ledger()
    held = {number: Piece(f"card {number}", say("card {n}", n=number)) for number in (3, 17)}
    for covered in (True, False):
        place = Place(say("hand"), AKI, slot=int(covered))
        own = {number: ledger.open_account(place, piece, covered=covered) for number, piece in held.items()}
        ledger.supply_from_box(own[3], 1)
        question = amount(pieces=own, decline=True)
        assert question.allowed_values == ((3, 17) if covered else (3,))
        with pytest.raises(PrivateRefusal if covered else IllegalAnswer) as refused:
            question.check_answer(17)
        refusal = "Aki can't answer that." if covered else "Aki can answer only these numbers: 0, 3."
        assert str(refused.value) == refusal
        assert {question.random_legal_answer(Random(seed)) for seed in range(50)} == {0, 3}


def test_an_amount_with_both_kinds_of_own_numbers_is_an_error_of_the_rules() -> None:
    """Nobody could know which of them count; one of them is fine."""
    ledger = Ledger()
    tile = ledger.supply_from_box(
        ledger.open_account(Place(say("tiles"), AKI), Piece("tile", say("tile"))), 1
    )
    fault = amount(values=(2, 5), pieces={9: tile}).find_definition_fault()
    assert fault == 'Amount "Your sealed bid" has both values and pieces'
    assert amount(pieces={9: tile}).find_definition_fault() is None


def test_pieces_that_limit_an_amount_have_no_halves() -> None:
    """The limit would count whole pieces where the answer counts halves; a fixed limit is fine."""
    chips = Ledger().open_account(Place(say("chips"), AKI), Piece("chip", say("chip")))
    fault = amount(most=chips, in_halves=True).find_definition_fault()
    assert fault == 'Amount "Your sealed bid" has values, pieces, money or an account, which have no halves'
    assert amount(most=20, in_halves=True).find_definition_fault() is None
    assert amount(in_halves=True).find_definition_fault() is None
    assert amount(most=chips).find_definition_fault() is None


def test_who_must_bid_a_piece_and_has_none_left_is_told_to_move_one_back() -> None:
    """If all pieces were moved away, no number is promised, not even 0, and the refusal says why."""
    ledger = Ledger()
    suns = ledger.open_account(Place(say("suns"), AKI), Piece("sun 9", say("sun 9")))
    question = amount(pieces={9: ledger.supply_from_box(suns, 1)})
    ledger.transfer(suns, ledger.open_account(Place(say("middle")), suns.piece), 1)
    assert question.limits_json == {"least": None, "most": None, "step": 1, "values": []}
    nothing_left = r"^Aki has nothing left to bid\. Move a piece back by hand\.$"
    for number in (0, 9):
        with pytest.raises(IllegalAnswer, match=nothing_left):
            question.check_answer(number)
    with pytest.raises(IllegalAnswer, match=nothing_left):
        question.check_answer(question.parse_answer(parse_typed_answer(question.form, "9", "en", AKI)))
