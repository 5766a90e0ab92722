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
    if question and question.parts_by_seat:
        for seat, part in question.parts_by_seat.items():
            if seat in silent and seat not in sealed and part.default_answer:
                yield seat, part.dump(part.default_answer[0])
    elif question and question.default_answer and question.seats and set(question.seats) <= set(silent):
        yield None, question.dump(question.default_answer[0])
