"""Why something in a log can't be taken, in people's words: what it was then, and what is asked now."""

from __future__ import annotations

import re
from typing import Any

from companion.errors import TableError
from companion.log.events import Corrected, Step
from companion.requests import Request
from companion.table.ledger import Ledger
from companion.table.table import Table
from companion.words import Say, Text, brief, listed, render, say


def is_hidden(ledger: Ledger, step: Corrected) -> bool:
    """Whether pieces went into or out of a covered place; raises `TableError` where there is none such."""
    return any(ledger.find(place, step.piece).covered for place in (step.source, step.target))


def corrected(ledger: Ledger, step: Corrected) -> Say:
    """What people moved by hand; raises `TableError` where there is no such place or piece."""
    if is_hidden(ledger, step):
        return brief(say("Corrected under cover ({reason})", reason=step.reason))
    source, target = ledger.find(step.source, step.piece), ledger.find(step.target, step.piece)
    piece = ledger.find(step.source, step.face).piece if step.face else source.piece
    moved: dict[str, Any] = {
        "count": step.count,
        "piece": piece,
        "source": source.place,
        "target": target.place,
    }
    if not step.reason:
        return say("{count} × {piece}: {source} → {target}", **moved)
    text = "Corrected: {count} × {piece} from {source} to {target} ({reason})"
    return brief(say(text, reason=step.reason, **moved))  # of old a reason might be as long as a page


def then(table: Table, step: Step) -> Text:
    """What a step was, as far as the log tells it by itself: a question names pieces by their keys there."""
    if isinstance(step, Corrected):
        try:
            return corrected(table.ledger, step)
        except TableError:
            return say("Corrected ({reason})", reason=step.reason)
    head, _, about = step.asks.partition(": ")
    labels = {account.piece.key: render(account.piece) for account in table.ledger}
    if labels:
        keys = "|".join(re.escape(key) for key in sorted(labels, key=len, reverse=True))
        about = re.sub(rf"\b({keys})\b", lambda found: labels[found[0]], about)
    seats = [seat for seat in table.seats if seat.key in head.split()]
    return say("{seat}: {question}", seat=listed(seats), question=about) if seats else about


def now(question: Request[Any]) -> Say:
    """What is asked, and of whom."""
    text = question.text
    seats = [seat for seat in question.seats if ("seat", seat) not in text.args]
    if seats:
        text = say("{seat}: {question}", seat=listed(seats), question=text)
    return say("Now this is asked: “{question}”", question=text)
