"""What Any Game's keys say is what they do: each number on a key is moved, no other."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.errors import UserError
from companion.games.any_game.loans import LOAN
from companion.requests import Amount, Choose, Request, Together
from companion.requests.choose import option_line_with_details
from companion.session.session import Session
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import SHIPPED
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    rules_card,
    template_card,
)
from tests.support.soak import SOAK

SAYS = {
    "costs": re.compile(r"costs (\d+)"),
    "total": re.compile(r"(\d+) in all"),
    "a share": re.compile(r"^\D+ · (\d+) per share$"),
    "salary": re.compile(r"^Salary (\d+)$"),
    "track": re.compile(r" ([+-]\d)(?: · to (\d+))?$"),
    "owes": re.compile(r"owes (\d+)"),
}
"""What numbers on keys mean."""
ANSWERS = 500 if SOAK else 150
"""Of one evening."""
MENU = "Choose: What is next?"
TRIES = 40
"""Answers after which one thing that was chosen is done."""
OWN = {
    "companies": lambda: begin_with_cards(
        'id = "coin"\nkind = "piece"\nstart = 8\nworth = 1',
        rules_card(payments="yes", loans="yes", salary=20, debts=50),
        template_card("company", "north", shares=5, step_at=1, treasury=4),
        template_card("company", "coast", shares=2, step_at=1, treasury=1),
        template_card("place", "pot"),
    ),
    "debts": lambda: begin_with_cards(
        'id = "coin"\nkind = "piece"\nworth = 1', rules_card(payments="yes", debts=50)
    ),
    "tracks": lambda: begin_with_cards_and_coins(
        template_card("track", "threat", goal=4, at=2), template_card("track", "hope", goal=9)
    ),
}
"""Tables with what no template that comes along has all of."""


ALWAYS = {"companies": ("total", "a share", "salary", "owes"), "debts": ("costs",), "tracks": ("track",)}
"""What must have been looked at there."""


def begun(name: str) -> Script:
    """People at a table with that template."""
    return OWN[name]() if name in OWN else begin_with_shipped_template(name)


def answer(script: Script, rng: Random) -> None:
    """The open question is answered in some legal way, with small numbers; the evening goes on if it can."""
    session, question = script.session, script.question
    for _ in range(1000):
        try:
            if isinstance(question, Together) and not question.is_open:
                for seat, part in question.parts_by_seat.items():
                    session.put_answer_in_envelope(
                        session.question_number, seat, part.answer_to_json(small(part, rng))
                    )
                return
            given = small(question, rng)
            if given != "finish" or len(question.limits_json["options"]) == 1:
                session.answer(session.question_number, question.answer_to_json(given))
                return
        except UserError:
            continue


def small(question: Request[Any], rng: Random) -> Any:
    """A legal answer that is no large number."""
    given = question.random_legal_answer(rng)
    return max(question.least, min(given, rng.randrange(9))) if isinstance(question, Amount) else given


def held(session: Session, *, notes: bool) -> dict[tuple[str, str], int]:
    """What lies where, by place and piece: money by its worth, or all that is no mark."""
    return {
        (one.place.key, one.piece.key): one.count * (one.piece.money_value or 1)
        for one in session.table.ledger
        if bool(one.piece.money_value) == notes and (notes or not one.piece.is_marker)
    }


def moved(before: Session, after: Session, *, notes: bool) -> int:
    """How much came to other places."""
    old, new = (held(session, notes=notes) for session in (before, after))
    return sum(max(0, count - old.get(at, 0)) for at, count in new.items())


def tracks(session: Session) -> dict[str, int]:
    """Where the marker of each track stands."""
    return {one.piece.key: one.count for one in session.table.ledger if one.place.key == "tracks"}


def done(script: Script, key: str, rng: Random) -> Session | None:
    """The table once that was chosen and all that it leads to is answered.

    None where people have to say what happens to a payment: it may be made in part, or not at all.
    """
    there = script.copy()
    try:
        there.session.answer(there.question_number, key)
    except UserError:  # it is refused now, with a reason
        return None
    for _ in range(TRIES):
        question = there.session.question
        if question is None or question.log_key == MENU:
            return there.session
        if "What happens?" in question.log_key:
            return None
        answer(there, rng)
    return None


def is_true(kind: str, numbers: list[int], before: Session, after: Session) -> bool:
    """Whether what was done is what the key said."""
    money, (first, *more) = moved(before, after, notes=True), numbers
    match kind:
        case "a share":
            return money == first * moved(before, after, notes=False)
        case "track":
            old, new = tracks(before), tracks(after)
            went = sum(new.values()) - sum(old.values())
            return went == first if not more else went != first and more[0] in new.values()
        case "owes":
            return first in [one.count for one in before.table.ledger if one.piece.key == LOAN.key]
    return money == first


def look(script: Script, rng: Random) -> Counter[str]:
    """How many keys of the open question were pressed to see whether they say what they do."""
    found: Counter[str] = Counter()
    question = script.question
    for key, option in question.offered_options.items() if isinstance(question, Choose) else ():
        text = render(option_line_with_details(option))
        for kind, pattern in SAYS.items():
            if (said := pattern.search(text)) and (after := done(script, key, rng)):
                numbers = [int(number) for number in said.groups() if number]
                assert is_true(kind, numbers, script.session, after), (question.log_key, text)
                found[kind] += 1
    return found


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", [*OWN, *SHIPPED])
def test_a_key_says_what_it_does(name: str) -> None:
    """Whatever number stands on it is what comes to other places: in money, shares and steps of a track."""
    script, rng = begun(name), Random(name)
    found: Counter[str] = Counter()
    for _ in range(ANSWERS):
        if script.session.question is None:
            break
        found += look(script, rng)
        answer(script, rng)
    assert all(found[kind] for kind in ALWAYS.get(name, ())), found
