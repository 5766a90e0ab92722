"""What every kind of question must hold: a kind is tested by being registered and given its examples here."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.cards import shipped_deck
from companion.errors import IllegalAnswer
from companion.requests import (
    REQUEST_TYPE_BY_KIND,
    Amount,
    CardRate,
    Choose,
    CountedItem,
    Counts,
    Die,
    Done,
    PriceInCards,
    Raise,
    Read,
    Request,
    Roll,
    Together,
    Write,
)
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.testing.random_game import question_as_json_text
from companion.texts import Say, render, say

AKI, BEN, CHIE = make_seats(["Aki", "Ben", "Chie"])
MONEY, CHIP = Piece("money", say("coin")), Piece("chip 7", say("daughter 7"))
PURSE = Place(say("purse"), AKI)
WHAT = say("What now?")
SELL_OR_PASS = {"sell": say("Sell"), "pass": say("Pass")}


def purse(count: int, *, covered: bool = False) -> Any:
    """What Aki holds."""
    ledger = Ledger()
    return ledger.supply_from_box(ledger.open_account(PURSE, MONEY, covered=covered), count)


def faces() -> KnownCardTracker:
    """Egypt's cards, none of them seen."""
    return KnownCardTracker(shipped_deck("egypt"), Ledger(), lambda uid: None, Place(say("bank")))


def price(owed: int) -> PriceInCards:
    """Cards numbered 7 count 2, others 1."""
    return PriceInCards(
        owed, (CardRate(say("cards numbered 7"), 2, {"number": 7}), CardRate(say("other cards"), 1))
    )


Examples = list[Callable[[], Request[Any]]]
EXAMPLES: dict[str, Examples] = {
    "Choose": [
        lambda: Choose(AKI, WHAT, dict(SELL_OR_PASS)),
        lambda: Choose(AKI, WHAT, {"buy": say("Buy")}),
    ],
    "Raise": [
        lambda: Raise(AKI, CHIP, {}, decline=None),
        lambda: Raise(AKI, CHIP, {BEN: 4}, decline="withdraw", most=99, still_bidding=(AKI, BEN)),
        lambda: Raise(AKI, CHIP, {BEN: 99}, most=99),
        lambda: Raise(AKI, CHIP, {BEN: 10}, least=10, step=5, most=42),
        lambda: Raise(AKI, CHIP, {BEN: 4}, values=(2, 5, 9)),
        lambda: Raise(AKI, CHIP, {}, pieces={7: purse(1), 9: purse(1, covered=True)}),
        lambda: Raise(AKI, CHIP, {BEN: 9}, values=(2, 5, 9)),
    ],
    "Amount": [
        lambda: Amount(AKI, WHAT),
        lambda: Amount(AKI, WHAT, 10, 40, 5),
        lambda: Amount(AKI, WHAT, 60, step=10, decline=True),
        lambda: Amount(AKI, WHAT, 0, 999, paid_from=purse(12)),
        lambda: Amount(AKI, WHAT, 0, 999, paid_from=purse(12, covered=True)),
        lambda: Amount(AKI, WHAT, values=(2, 5, 9)),
        lambda: Amount(AKI, WHAT, pieces={7: purse(1), 9: purse(0, covered=True)}, decline=True),
    ],
    "Counts": [
        lambda: Counts(
            AKI, WHAT, {"own": CountedItem(MONEY, 4), "foreign": CountedItem(CHIP, 2)}, least=3, most=3
        ),
        lambda: Counts(
            AKI,
            WHAT,
            {"red": CountedItem(MONEY, 9), "blue": CountedItem(CHIP, 9)},
            max_nonzero_items=1,
            decline=say("no"),
        ),
        lambda: Counts(AKI, WHAT, {"soil": CountedItem(MONEY, purse(2, covered=True))}, most=purse(9)),
        lambda: Counts(AKI, WHAT, {"soil": CountedItem(MONEY, 2)}, least=3, decline=say("can't")),
    ],
    "Roll": [
        lambda: Roll(AKI, WHAT, (Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 0, 2, 5)))),
        lambda: Roll(AKI, WHAT, (Die(say("tens"), (0, 25)),)),
    ],
    "Read": [
        lambda: Read(AKI, WHAT, faces(), 1, 3),
        lambda: Read(AKI, WHAT, faces(), 1, purse(5), price(7), say("can't")),
        lambda: Read(AKI, WHAT, faces(), 1, purse(9), price(7), say("can't")),
        lambda: Read(AKI, WHAT, faces(), 1, purse(9, covered=True), price(7), say("can't")),
        lambda: Read(AKI, WHAT, faces(), 0, 3, decline=say("none")),
    ],
    "Write": [
        lambda: Write(AKI, WHAT, decline=say("No name")),
        lambda: Write(AKI, WHAT, max_letters=4),
    ],
    "Done": [lambda: Done(None, say("Deal.")), lambda: Done(None, say("Deal."))],
    "Together": [
        lambda: Together(WHAT, {AKI: Amount(AKI, WHAT, most=9), BEN: Amount(BEN, WHAT, most=9)}),
        lambda: Together(WHAT, {AKI: Amount(AKI, WHAT, most=4), BEN: Choose(BEN, WHAT, SELL_OR_PASS)}),
    ],
}
each_example = pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=f"{kind}-{at}")
        for kind, group in EXAMPLES.items()
        for at, example in enumerate(group)
    ],
)


def test_every_kind_has_examples() -> None:
    """Every registered kind is tried here, at least two of it that ask the same within other limits."""
    assert set(REQUEST_TYPE_BY_KIND) == set(EXAMPLES)
    assert all(len(group) >= 2 for group in EXAMPLES.values())


@pytest.mark.parametrize("kind", REQUEST_TYPE_BY_KIND)
def test_what_is_asked_is_identity_only(kind: str) -> None:
    """Questions that differ only in options, limits and bids ask the same, so that an amended game fits."""
    examples = [example() for example in EXAMPLES[kind]]
    assert {example.kind for example in examples} == {kind}
    assert len({example.log_key for example in examples}) == 1


@each_example
def test_samples_are_legal_and_read_as_written(example: Callable[[], Request[Any]]) -> None:
    """A sample passes the check, and its JSON form is read as the same answer."""
    question = example()
    for seed in range(200):
        answer = question.random_legal_answer(Random(seed))
        question.check_answer(answer)
        written = json.loads(json.dumps(question.answer_to_json(answer)))
        assert question.parse_answer(written) == answer
        assert isinstance(question.describe_answer(answer), Say)


@each_example
def test_a_question_can_be_written_as_json(example: Callable[[], Request[Any]]) -> None:
    """What is asked, the text and the limits are JSON and sentences."""
    assert json.loads(question_as_json_text(example()))[0] == example().log_key
    assert render(example().text)


@each_example
@pytest.mark.parametrize("given", [True, False, 1.0, 0.5, "7", {"x": 1}, [True], [1.0]])
def test_no_kind_takes_what_is_not_its_own(example: Callable[[], Request[Any]], given: object) -> None:
    """JSON's true, 1.0 and text are no numbers, a number is no card, and only text is words."""
    question = example()
    if (given is True and isinstance(question, Done)) or (given == "7" and isinstance(question, Write)):
        return
    with pytest.raises(IllegalAnswer):
        question.check_answer(question.parse_answer(given))
