"""Requirements on every kind of question: a registered kind is tested by its examples here."""

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
QUESTION_TEXT = say("What now?")
SELL_OR_PASS = {"sell": say("Sell"), "pass": say("Pass")}


def make_purse(count: int, *, covered: bool = False) -> Any:
    """Returns Aki's purse."""
    ledger = Ledger()
    return ledger.supply_from_box(ledger.open_account(PURSE, MONEY, covered=covered), count)


def make_card_tracker() -> KnownCardTracker:
    """Returns a tracker of Egypt's cards, none of them seen."""
    return KnownCardTracker(shipped_deck("egypt"), Ledger(), lambda uid: None, Place(say("bank")))


def make_price(owed: int) -> PriceInCards:
    """Returns a price for which cards numbered 7 count 2, others 1."""
    return PriceInCards(
        owed, (CardRate(say("cards numbered 7"), 2, {"number": 7}), CardRate(say("other cards"), 1))
    )


ExampleFunctions = list[Callable[[], Request[Any]]]
EXAMPLES: dict[str, ExampleFunctions] = {
    "Choose": [
        lambda: Choose(AKI, QUESTION_TEXT, dict(SELL_OR_PASS)),
        lambda: Choose(AKI, QUESTION_TEXT, {"buy": say("Buy")}),
    ],
    "Raise": [
        lambda: Raise(AKI, CHIP, {}, decline=None),
        lambda: Raise(AKI, CHIP, {BEN: 4}, decline="withdraw", most=99, still_bidding=(AKI, BEN)),
        lambda: Raise(AKI, CHIP, {BEN: 99}, most=99),
        lambda: Raise(AKI, CHIP, {BEN: 10}, least=10, step=5, most=42),
        lambda: Raise(AKI, CHIP, {BEN: 4}, values=(2, 5, 9)),
        lambda: Raise(AKI, CHIP, {}, pieces={7: make_purse(1), 9: make_purse(1, covered=True)}),
        lambda: Raise(AKI, CHIP, {BEN: 9}, values=(2, 5, 9)),
    ],
    "Amount": [
        lambda: Amount(AKI, QUESTION_TEXT),
        lambda: Amount(AKI, QUESTION_TEXT, 10, 40, 5),
        lambda: Amount(AKI, QUESTION_TEXT, 60, step=10, decline=True),
        lambda: Amount(AKI, QUESTION_TEXT, 0, 999, paid_from=make_purse(12)),
        lambda: Amount(AKI, QUESTION_TEXT, 0, 999, paid_from=make_purse(12, covered=True)),
        lambda: Amount(AKI, QUESTION_TEXT, values=(2, 5, 9)),
        lambda: Amount(
            AKI, QUESTION_TEXT, pieces={7: make_purse(1), 9: make_purse(0, covered=True)}, decline=True
        ),
    ],
    "Counts": [
        lambda: Counts(
            AKI,
            QUESTION_TEXT,
            {"own": CountedItem(MONEY, 4), "foreign": CountedItem(CHIP, 2)},
            least=3,
            most=3,
        ),
        lambda: Counts(
            AKI,
            QUESTION_TEXT,
            {"red": CountedItem(MONEY, 9), "blue": CountedItem(CHIP, 9)},
            max_nonzero_items=1,
            decline=say("no"),
        ),
        lambda: Counts(
            AKI, QUESTION_TEXT, {"soil": CountedItem(MONEY, make_purse(2, covered=True))}, most=make_purse(9)
        ),
        lambda: Counts(AKI, QUESTION_TEXT, {"soil": CountedItem(MONEY, 2)}, least=3, decline=say("can't")),
    ],
    "Roll": [
        lambda: Roll(AKI, QUESTION_TEXT, (Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 0, 2, 5)))),
        lambda: Roll(AKI, QUESTION_TEXT, (Die(say("tens"), (0, 25)),)),
    ],
    "Read": [
        lambda: Read(AKI, QUESTION_TEXT, make_card_tracker(), 1, 3),
        lambda: Read(AKI, QUESTION_TEXT, make_card_tracker(), 1, make_purse(5), make_price(7), say("can't")),
        lambda: Read(AKI, QUESTION_TEXT, make_card_tracker(), 1, make_purse(9), make_price(7), say("can't")),
        lambda: Read(
            AKI,
            QUESTION_TEXT,
            make_card_tracker(),
            1,
            make_purse(9, covered=True),
            make_price(7),
            say("can't"),
        ),
        lambda: Read(AKI, QUESTION_TEXT, make_card_tracker(), 0, 3, decline=say("none")),
    ],
    "Write": [
        lambda: Write(AKI, QUESTION_TEXT, decline=say("No name")),
        lambda: Write(AKI, QUESTION_TEXT, max_letters=4),
    ],
    "Done": [lambda: Done(None, say("Deal.")), lambda: Done(None, say("Deal."))],
    "Together": [
        lambda: Together(
            QUESTION_TEXT, {AKI: Amount(AKI, QUESTION_TEXT, most=9), BEN: Amount(BEN, QUESTION_TEXT, most=9)}
        ),
        lambda: Together(
            QUESTION_TEXT,
            {AKI: Amount(AKI, QUESTION_TEXT, most=4), BEN: Choose(BEN, QUESTION_TEXT, SELL_OR_PASS)},
        ),
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
    """Every registered kind has at least two examples here, which ask the same with different limits."""
    assert set(REQUEST_TYPE_BY_KIND) == set(EXAMPLES)
    assert all(len(group) >= 2 for group in EXAMPLES.values())


@pytest.mark.parametrize("kind", REQUEST_TYPE_BY_KIND)
def test_what_is_asked_is_identity_only(kind: str) -> None:
    """Questions that differ only in options, limits and bids have the same key, so that amended games fit."""
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
    """The key and the limits can be written as JSON, and the text can be rendered."""
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
