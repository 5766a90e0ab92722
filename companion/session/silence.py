"""What silence answers: for a seat whose player has left, or for all that are slow once time is up.

It decides nothing about time and keeps nothing; each question says itself what silence means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from companion.requests import Request
from companion.table.seats import Seat


def unanswered(
    question: Request[Any] | None, sealed: Collection[Seat], silent: Collection[Seat]
) -> Iterator[tuple[Seat | None, Any]]:
    """What the open question gets in the stead of silent seats, as JSON; with the seat in a sealed round.

    Nothing where silence means only a ring, or where somebody else is asked.
    """
    if question and question.parts:
        for seat, part in question.parts.items():
            if seat in silent and seat not in sealed and part.otherwise:
                yield seat, part.dump(part.otherwise[0])
    elif question and question.otherwise and question.seats and set(question.seats) <= set(silent):
        yield None, question.dump(question.otherwise[0])
