"""Every way to sell, with every kind of purse and random terms: something can be answered, and money adds up.

`tests/conformance` plays whole evenings of a few templates; here each lot is reckoned up by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.errors import PrivateRefusal
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.lots import SALE_METHOD_BY_TEMPLATE_WORD
from companion.games.any_game.rulebook import OPTIONS
from companion.requests import Amount, Choose, Raise, Request, Together
from companion.rules.game import ChoiceOption
from companion.table.ledger import Place
from companion.table.money import money_at
from companion.table.seats import Seat
from companion.testing import Script
from companion.testing.random_game import sample_answer
from companion.texts import Say, say
from tests.support.games.any_game_helpers import begin_with_cards, question_text, rules_card, template_card
from tests.support.soak import SOAK

TABLES = 200 if SOAK else 8
LOTS = 3
ANSWERS = 3_000
"""No lot takes more, though a price falls often."""
BOLD = 0.3
"""How often somebody bids all that is allowed."""
FAR = 40
"""A price is at most so much above the least: nobody has time for it to fall from farther up."""
PURSES: dict[str, dict[str, object]] = {"open": {}, "owing": {"debts": 20}, "covered": {"covered": "yes"}}
NOTES: dict[str, tuple[str, ...]] = {
    "coins": (template_card("piece", "coin", start=30),),
    "gem": (template_card("piece", "gem", start=2), template_card("piece", "coin", start=30, note=1)),
    "fives": (template_card("piece", "five", start=6, supply=5, note=5),),
    "several": tuple(
        [template_card("piece", f"{note}", start=2, supply=3, note=note) for note in (5, 1, 25)]
    ),
}


def begun(auction: str, held: str, payee: str, rng: Random) -> Script:
    """A table with random terms and options; the highest bid is at least the least, as it must be."""
    reserve = rng.choice([0, 1, 1, 5, 9])
    terms = {
        "step": rng.choice([1, 1, 2, 7]),
        "reserve_by": rng.choice(["template", "seller"]),
        "refund": rng.choice([0, 50, 100]),
        "limit": rng.choice(["purse", "purse", "nothing"]),
        "payee": payee,
        "lots": rng.choice(["numbered", "shares"]),
        "unsold": rng.choice(
            [
                *("stays", "stays", "free", "cheaper"),
                *(["seller"] * 3 if payee in ("seller", "ask") else []),
                *(["last"] * 3 if auction in ("final", "ask") else []),
            ]
        ),
    }
    kinds = [one for one in NOTES if held != "covered" or one != "several"]
    cards = (
        *NOTES[rng.choice(kinds)],
        template_card("place", "pot"),
        template_card("company", "rust", shares=2),
    )
    most = rng.choice([None, reserve or 1, 12, 60])
    picks = [one for one in OPTIONS if isinstance(one, ChoiceOption) and one.key in ("wins", "ties", "pays")]
    options: dict[str, Any] = {one.key: rng.choice(list(one.choices)) for one in picks}
    said = rules_card(auction=auction, reserve=reserve, **terms, **PURSES[held])
    return begin_with_cards(*cards, said, most="none" if most is None else str(most), **options)


def parts(question: Request[Any]) -> Iterator[tuple[Seat | None, Request[Any]]]:
    """Each seat's own question, or that of the whole table."""
    if isinstance(question, Together):
        yield from question.parts_by_seat.items()
    else:
        yield None, question


def answer(part: Request[Any], rng: Random) -> object:
    """All that is allowed now and then, else any legal answer; what is allowed doesn't contradict itself."""
    least, most = part.limits_json.get("least"), part.limits_json.get("most")
    assert least is None or most is None or least <= most, (part.text, part.limits_json)
    if isinstance(part, Choose):
        assert part.offered_options, part.limits_json
    if isinstance(part, Raise | Amount) and part.may_bid and most is not None and rng.random() < BOLD:
        step = part.limits_json["step"]
        with suppress(PrivateRefusal):  # more than lies covered
            part.check_answer(most - (most - least) % step)
            return most - (most - least) % step
    if isinstance(part, Amount) and part.question.template == "Price of {about}?":
        highest = part.highest_publicly_allowed
        price = rng.randint(part.least, min(part.least + FAR, FAR if highest is None else highest))
        with suppress(PrivateRefusal):  # more than a seller's covered purse holds
            part.check_answer(price)
            return price
    given = sample_answer(part, rng)
    return "bank" if given == "others" else given  # what is shared evenly isn't told


def held(script: Script) -> dict[Seat, int]:
    """All money of each seat, and of nobody in particular what there is in all."""
    ledger = script.session.table.ledger
    return {
        seat: money_at(ledger, Place(say("purse"), seat)).total_value for seat in script.session.table.seats
    }


def total(script: Script) -> int:
    """All money there is."""
    return sum(one.count * one.piece.money_value for one in script.session.table.ledger)


def told(notes: list[Say]) -> tuple[Counter[Seat], Counter[Seat]]:
    """What each is said to have paid, less what they got; and what was paid in part, not said to whom."""
    paid, in_part = Counter[Seat](), Counter[Seat]()
    for note in notes:
        said: dict[str, Any] = dict(note.args)
        if isinstance(said.get("who"), Say):  # the name of a seat
            said["who"] = dict(said["who"].args)["seat"]
        if note.template == "{who} pays only {amount}.":
            paid[said["who"]] += said["amount"]
            in_part[said["who"]] += said["amount"]
        elif note.template in ("{seat} pays {amount}.", "{seat} pays {who} {amount}."):
            paid[said["seat"]] += said["amount"]
            if isinstance(said.get("who"), Seat):
                paid[said["who"]] -= said["amount"]
    return paid, in_part


def adds_up(left: dict[Seat, int], notes: list[Say]) -> bool:
    """Whether what is told as paid is what left the purses; one seat at most got what others paid in part."""
    paid, in_part = told(notes)
    got = {seat: paid[seat] - gone for seat, gone in left.items() if gone != paid[seat]}
    return not got or [*got.values()] == [in_part.total() - in_part[seat] for seat in got][:1]


def bounded_by_what_all_know(script: Script) -> None:
    """Out of covered purses the highest bid that is told of is the limit of the table."""
    table = script.session.table
    if any(one.covered for one in table.ledger):
        assert {part.limits_json["most"] for _, part in parts(script.question)} == {
            table.options["most"] or MAX_AMOUNT
        }


def play_a_lot(script: Script, rng: Random) -> None:
    """Sells one thing, whatever it takes."""
    session = script.session
    deeds = [
        key for key in script.open_question_limits["options"] if key in ("auction", "sealed_bid", "lot 0")
    ]
    session.answer(session.question_number, rng.choice(deeds))
    for _ in range(ANSWERS):
        if question_text(script) == "What is next?":
            return
        if isinstance(script.question, Raise | Together):
            bounded_by_what_all_know(script)
        given = {seat: answer(part, rng) for seat, part in parts(script.question)}
        n = session.question_number
        for seat, one in given.items():
            if seat is None:
                session.answer(n, one)
            else:
                session.put_answer_in_envelope(n, seat, one)
    raise AssertionError(f"the lot has no end: {question_text(script)}")


@pytest.mark.sweep(14)
@pytest.mark.without_coverage
@pytest.mark.parametrize("purses", PURSES)
@pytest.mark.parametrize("auction", [*SALE_METHOD_BY_TEMPLATE_WORD, "ask", "both"])
def test_every_lot_can_be_sold_and_paid(auction: str, purses: str) -> None:
    """At every question something is legal; money is only moved, and what is told as paid is what left."""
    for number in range(TABLES):
        rng = Random(f"{auction} {purses} {number}")
        payee = rng.choice(["bank", "seller", "place", "others", "ask"])
        script = begun(auction, purses, payee, rng)
        for _ in range(LOTS):
            before, all_before, first = held(script), total(script), len(script.session.table.notes)
            play_a_lot(script, rng)
            left = {seat: before[seat] - now for seat, now in held(script).items()}
            assert total(script) == all_before
            if script.session.table.options["pays"] == "nobody":
                assert not any(left.values())
            elif payee == "others":
                assert sum(left.values()) == 0
            else:
                assert adds_up(left, script.session.table.notes[first:]), (script.history_texts, left)
