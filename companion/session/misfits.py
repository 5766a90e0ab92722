"""Why something in a log can't be taken, in people's words: what it was then, and what is asked now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.errors import UserError
from companion.log.events import Corrected, Step, Transfer
from companion.requests import Request
from companion.table.ledger import Ledger, Place
from companion.table.moves import PieceMove
from companion.table.table import Table
from companion.texts import Say, Text, render, say, say_list, shorten

NUMBERED: dict[Place, Place] = {}
"""No row has closed up."""


def is_hidden(ledger: Ledger, step: Corrected) -> bool:
    """Whether pieces went into or out of a covered place; raises `UserError` where there is none such."""
    return any(_is_covered(ledger, one) for one in step.moves)


def _is_covered(ledger: Ledger, one: Transfer) -> bool:
    return any(ledger.find_account(place, one.piece).covered for place in (one.source, one.target))


def corrected(ledger: Ledger, step: Corrected, numbered: Mapping[Place, Place] = NUMBERED) -> Say:
    """What people moved by hand; raises `UserError` where there is no such place or piece.

    `numbered` is how the places of rows were called then.
    """
    seen = [_moved(ledger, one, numbered).line for one in step.moves if not _is_covered(ledger, one)]
    if not seen:
        return _because(say("Hidden correction"), step.reason)
    more = [say("other moves, which are hidden")] if len(seen) < len(step.moves) else []
    moves = say_list([*seen, *more])
    if not step.reason:
        return say("{moves}", moves=moves)
    return _because(say("Corrected: {moves}", moves=moves), step.reason)


def _because(what: Say, reason: str) -> Say:
    """With the reason, if people gave one; of old it might be as long as a page."""
    return shorten(say("{what} ({reason})", what=what, reason=reason)) if reason else what


def _moved(ledger: Ledger, one: Transfer, numbered: Mapping[Place, Place]) -> PieceMove:
    """What it was; the name of a card tells more than its back."""
    source, target = (
        ledger.find_account(one.source, one.face or one.piece),
        ledger.find_account(one.target, one.piece),
    )
    start, end = (numbered.get(place, place) for place in (source.place, target.place))
    return PieceMove(source.piece, start, end, one.count)


def then(table: Table, step: Step) -> Text:
    """What a step was, as far as the log tells it by itself: a question names pieces by their keys there."""
    if isinstance(step, Corrected):
        try:
            return corrected(table.ledger, step)
        except UserError:
            return _because(say("Corrected"), step.reason)
    head, _, about = step.asks.partition(": ")
    labels = {account.piece.key: render(account.piece) for account in table.ledger}
    if labels:
        keys = "|".join(re.escape(key) for key in sorted(labels, key=len, reverse=True))
        about = re.sub(rf"\b({keys})\b", lambda found: labels[found[0]], about)
    seats = [seat for seat in table.seats if seat.key in head.split()]
    return say("{seat}: {question}", seat=say_list(seats), question=about) if seats else about


def now(question: Request[Any]) -> Say:
    """What is asked, and of whom."""
    text = question.text
    seats = [seat for seat in question.seats if ("seat", seat) not in text.args]
    if seats:
        text = say("{seat}: {question}", seat=say_list(seats), question=text)
    return say("The question now is: “{question}”", question=text)
