"""Several numbers under one condition."""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import strategies as st

from companion.errors import IllegalAnswer
from companion.requests import CountedItem, Counts, NumberField, QuantitiesField
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import render, say, say_n

AKI, BEN = make_seats(["Aki", "Ben"])
PAY = say("Pay for the card")
BANK, PURSE, BAG = Place(say("bank")), Place(say("purse"), AKI), Place(say("bag"), AKI)
OWN = Piece("own", say("own coins"), count_label=say_n("{n} own coin", "{n} own coins", n=2))
FOREIGN = Piece(
    "foreign", say("foreign coins"), count_label=say_n("{n} foreign coin", "{n} foreign coins", n=2)
)


def held(count: int, *, place: Place = PURSE, piece: Piece = OWN, covered: bool = False) -> Account:
    """What Aki has."""
    ledger = Ledger()
    return ledger.supply_from_box(ledger.open_account(place, piece, covered=covered), count)


def counts(own: Any = 4, foreign: Any = 2, **limits: Any) -> Counts:
    """Aki pays in own and foreign coins."""
    return Counts(
        AKI, PAY, {"own": CountedItem(OWN, own), "foreign": CountedItem(FOREIGN, foreign)}, **limits
    )


def refusal(question: Counts, given: object) -> str:
    """Why it takes no such answer."""
    with pytest.raises(IllegalAnswer) as refused:
        question.check_answer(question.parse_answer(given))
    return str(refused.value)


def test_what_is_asked() -> None:
    """One seat, or the table, is asked one question, whatever the limits."""
    assert counts().log_key == counts(9, least=3).log_key == "Counts @1: Pay for the card"
    assert counts().seats == (AKI,)
    assert Counts(None, PAY, {"own": CountedItem(OWN, 1)}).seats == ()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"own": 2, "foreign": 1}, "Aki: 2 own coins, 1 foreign coin"),
        ({"own": 0, "foreign": 1}, "Aki: 1 foreign coin"),
        ({"own": 0, "foreign": 0}, "Aki: nothing"),
        (None, "Aki: can't pay"),
    ],
)
def test_the_history_names_what_was_counted(answer: dict[str, int] | None, told: str) -> None:
    """What was counted is told with its number, and that somebody can't in the rulebook's words."""
    assert render(counts(decline=say("can't pay")).describe_answer(answer)) == told


def test_the_table_counts_too() -> None:
    """A question to nobody in particular is answered by the table."""
    question = Counts(None, PAY, {"own": CountedItem(OWN, 3)})
    assert render(question.describe_answer({"own": 3})) == "The table: 3 own coins"
    assert render(question.describe_answer(None)) == "The table: none"


def test_every_key_is_in_the_answer() -> None:
    """A key that is missing in the JSON counts 0."""
    assert counts().parse_answer({"foreign": 1}) == {"own": 0, "foreign": 1}
    assert counts().parse_answer({}) == {"own": 0, "foreign": 0}
    assert list(counts().parse_answer({"foreign": 1, "own": 2}) or ()) == ["own", "foreign"]


@pytest.mark.parametrize("given", [[], [1, 2], 3, "own 2", True, {"gold": 1}, {"own": 1, "x": 0}])
def test_an_answer_has_only_the_keys_asked_for(given: object) -> None:
    """Anything else is refused with the keys there are."""
    assert refusal(counts(), given) == "Answer with numbers for: own, foreign."


@pytest.mark.parametrize("number", [None, "2", 2.0, True])
def test_each_number_is_whole(number: object) -> None:
    """Nothing, text, fractions and true are no numbers."""
    assert refusal(counts(), {"own": number}) == "Aki must answer with a whole number."


@pytest.mark.parametrize(
    ("limits", "given", "why"),
    [
        ({}, {"own": -1}, "own coins must be at least 0."),
        ({}, {"own": 5}, "own coins can be at most 4."),
        ({}, {"own": 5, "foreign": 3}, "own coins can be at most 4."),
        ({"least": 2}, {"own": 1}, "The sum is 1; it must be at least 2."),
        ({"most": 2}, {"own": 2, "foreign": 1}, "The sum is 3; it can be at most 2."),
        ({"least": 3, "most": 3}, {"own": 4}, "The sum is 4; it must be exactly 3."),
        ({"least": 3, "most": 3}, {"own": 1}, "The sum is 1; it must be exactly 3."),
        ({"max_nonzero_items": 1}, {"own": 1, "foreign": 1}, "Choose at most 1 kind."),
        ({"max_nonzero_items": 0}, {"own": 1}, "Choose at most 0 kinds."),
        ({}, None, "Aki must answer with numbers."),
    ],
)
def test_numbers_that_are_refused(limits: dict[str, int], given: object, why: str) -> None:
    """Each number, how many of them, and their sum are limited; a refusal says what is allowed."""
    assert refusal(counts(**limits), given) == why


@pytest.mark.parametrize(
    ("limits", "given"),
    [
        ({}, {"own": 4, "foreign": 2}),
        ({"least": 3, "most": 3}, {"own": 1, "foreign": 2}),
        ({"max_nonzero_items": 1}, {"foreign": 2}),
        ({"decline": say("can't")}, None),
    ],
)
def test_numbers_that_are_taken(limits: dict[str, Any], given: object) -> None:
    """Up to the limits everything is taken; None where one may say that one can't."""
    question = counts(**limits)
    question.check_answer(question.parse_answer(given))


def test_limits_are_written_for_all_to_read() -> None:
    """The limits name each most and each label, those of the sum, and whether one can't."""
    assert counts(least=1, most=5, max_nonzero_items=2, decline=say("can't")).limits_json == {
        "counts": {"own": 4, "foreign": 2},
        "labels": {"own": "own coins", "foreign": "foreign coins"},
        "least": 1,
        "most": 5,
        "kinds": 2,
        "cant": True,
    }
    assert [counts().limits_json[key] for key in ("least", "most", "kinds", "cant")] == [0, None, None, False]


def test_limits_are_live() -> None:
    """What a purse holds now is the limit, also after a correction while the question is open."""
    ledger = Ledger()
    purse, bank = ledger.open_account(PURSE, OWN), ledger.open_account(BANK, OWN)
    question = counts(ledger.supply_from_box(purse, 3), most=purse)
    question.check_answer({"own": 3, "foreign": 0})
    ledger.transfer(purse, bank, 1)
    assert question.limits_json["counts"] == {"own": 2, "foreign": 2}
    assert question.limits_json["most"] == 2
    assert refusal(question, {"own": 3}) == "own coins can be at most 2."
    assert refusal(question, {"own": 2, "foreign": 1}) == "The sum is 3; it can be at most 2."


def bag(count: int) -> Account:
    """What is covered."""
    return held(count, place=BAG, covered=True)


@pytest.mark.parametrize(
    ("question", "given", "missing"),
    [
        (lambda count: counts(bag(count)), {"own": 4}, 3),
        (lambda count: counts(most=bag(count)), {"own": 4}, 2),
        (lambda count: counts(least=bag(3 - count)), {"own": 0}, 3),
        (lambda count: counts(max_nonzero_items=bag(count // 2)), {"own": 1, "foreign": 1}, 2),
    ],
)
def test_what_is_covered_is_checked_but_never_told(
    question: Callable[[int], Counts], given: dict[str, int], missing: int
) -> None:
    """A limit over a covered account is null, and in no field; its refusal names the place and no number."""
    assert {refusal(question(count), given) for count in (1, 2)} == {
        "These pieces can't come from Aki's bag."
    }
    assert question(1).limits_json == question(2).limits_json
    assert question(1).form == question(2).form
    told = question(1).limits_json
    assert [told["counts"]["own"], told["least"], told["most"], told["kinds"]].count(None) == missing


def test_what_is_open_is_refused_before_what_is_covered() -> None:
    """A refusal for what all know doesn't depend on what is covered."""
    given = {"own": 5, "foreign": 3}
    assert {refusal(counts(bag(count)), given) for count in (1, 9)} == {"foreign coins can be at most 2."}


LIMIT = st.none() | st.integers(0, 7)


@over(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=3),
    st.integers(0, 7),
    LIMIT,
    LIMIT,
    st.booleans(),
    st.integers(0, 2**32),
)
def test_a_sample_is_legal_wherever_an_answer_is(
    mosts: list[tuple[int, bool]], least: int, most: int | None, kinds: int | None, cant: bool, seed: int
) -> None:
    """Over all limits, open and covered: if any numbers are legal a sample is; else it is None."""
    counted = {
        str(at): CountedItem(say("things"), bag(number) if covered else number)
        for at, (number, covered) in enumerate(mosts)
    }
    question = Counts(AKI, PAY, counted, least, most, kinds, say("can't") if cant else None)
    legal = [
        dict(zip(counted, numbers, strict=True))
        for numbers in product(*(range(number + 1) for number, _ in mosts))
        if sum(numbers) >= least
        and (most is None or sum(numbers) <= most)
        and (kinds is None or sum(map(bool, numbers)) <= kinds)
    ]
    sample = question.random_legal_answer(Random(seed))
    assert sample in legal or (sample is None and (cant or not legal))
    for answer in legal:
        question.check_answer(answer)


def test_a_sample_counts_the_kinds_that_suffice() -> None:
    """Where few kinds may be counted, those are that there are enough of."""
    question = counts(2, 5, least=4, max_nonzero_items=1)
    samples = [question.random_legal_answer(Random(seed)) for seed in range(50)]
    assert {tuple((sample or {}).values()) for sample in samples} == {(0, 4), (0, 5)}


def test_samples_reach_every_legal_answer() -> None:
    """No legal answer is beyond samples, "can't" among them."""
    question = counts(2, 1, least=1, most=2, decline=say("can't"))
    samples = [question.random_legal_answer(Random(seed)) for seed in range(500)]
    legal = [{"own": 1, "foreign": 0}, {"own": 0, "foreign": 1}, {"own": 2, "foreign": 0}]
    assert all(answer in samples for answer in [*legal, {"own": 1, "foreign": 1}, None])


@pytest.mark.parametrize(
    "limits",
    [
        {"least": 7},
        {"least": 5, "most": 3},
        {"least": 5, "max_nonzero_items": 1},
        {"own": held(1), "least": 4},
    ],
)
def test_where_only_that_one_cant_is_left(limits: dict[str, Any]) -> None:
    """Where no numbers make the least, question, limits and every refusal say what alone is left."""
    question = counts(**limits, decline=say("can't pay"))
    assert render(question.text) == "Pay for the card – the only possible answer: can't pay"
    assert question.limits_json["cant"] == "only"
    assert refusal(question, {"own": 1}) == "Aki: Pay for the card – the only possible answer: can't pay."
    question.check_answer(None)
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {None}


def test_what_is_covered_never_tells_that_nothing_is_left() -> None:
    """What all may know decides alone: an empty bag under cover asks as a full one does."""
    bag = held(0, place=BAG, covered=True)
    for limits in (
        {"own": bag, "foreign": 0, "least": 1},
        {"own": 1, "foreign": 0, "least": held(9, covered=True)},
    ):
        question = counts(**limits, decline=say("can't pay"))
        assert (render(question.text), question.limits_json["cant"]) == ("Pay for the card", True)
    assert counts(least=9).limits_json["cant"] is False


@pytest.mark.parametrize("open_one", [held(-1), held(-1, covered=True)])
def test_what_is_owed_is_no_limit_below_nothing(open_one: Account) -> None:
    """Where people took more out of a place than was counted there, nothing is left: 0 can be answered."""
    question = counts(open_one, 2, most=2)
    question.check_answer({"own": 0, "foreign": 2})
    for number in range(20):
        question.check_answer(question.random_legal_answer(Random(number)))
    with pytest.raises(IllegalAnswer):
        question.check_answer({"own": 1, "foreign": 0})


@pytest.mark.parametrize(
    ("question", "only"),
    [
        (counts(4, 2, least=6, most=6), {"own": 4, "foreign": 2}),
        (counts(4, 0, least=3, most=3), {"own": 3, "foreign": 0}),
        (counts(1, 0, least=1), {"own": 1, "foreign": 0}),
        (counts(4, 2, least=3, most=3), None),
        (counts(4, 2), None),
        (counts(4, 2, least=4, most=4, max_nonzero_items=1), {"own": 4, "foreign": 0}),
        (counts(held(6, covered=True), 0, least=6, most=6), {"own": 6, "foreign": 0}),
        (counts(held(4, covered=True), held(2, covered=True), least=6, most=6), None),
        (counts(10**9, 2, least=10**9, most=10**9), None),
    ],
)
def test_the_only_numbers_that_fit(question: Counts, only: dict[str, int] | None) -> None:
    """A form knows them if all others break a limit that everybody may know; never by what is hidden."""
    field = question.form.single_field
    assert isinstance(field, QuantitiesField)
    assert field.only_fitting_numbers == only


def test_a_total_with_too_many_ways_has_no_obvious_one() -> None:
    """Nothing is filled in; to try millions of ways would take longer than to type the numbers."""
    kinds = [NumberField(key=f"{n}", label=say("kind"), least=0, most=60, unit_value=2) for n in range(9)]
    odd = QuantitiesField(numbers=tuple(kinds), least=901, most=901)
    assert odd.only_fitting_numbers is None
    of_one_kind = QuantitiesField(numbers=tuple(kinds), least=100, most=100, max_nonzero_numbers=1)
    assert of_one_kind.only_fitting_numbers is None
