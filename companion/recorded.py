"""A recorded match that plays itself, answer by answer."""

from __future__ import annotations

from collections.abc import Sequence

from companion import catalogue
from companion.log.events import Began, Corrected, Event
from companion.log.memory import Memory
from companion.log.timeline import fold
from companion.session.session import Session


class Recorded:
    """`Recorded(events)`, then `play_on` until it `is_over`; what was taken back isn't played."""

    def __init__(self, events: Sequence[Event]) -> None:
        began = events[0]
        assert isinstance(began, Began)
        self.log = Memory()
        self.session = Session(catalogue.game(began.game), [began], self.log)
        self._to_come = list(fold(events).steps[::-1])

    @property
    def is_over(self) -> bool:
        """Whether all was played."""
        return not self._to_come

    def play_on(self) -> None:
        """The next answer or correction; raises a `CompanionError` where it can't be."""
        session, step = self.session, self._to_come.pop()
        if isinstance(step, Corrected):
            moves = [(one.source, one.target, one.piece, one.count) for one in step.moves]
            session.correct_all(moves, step.reason)
        elif session.question and session.question.is_sealed:
            for seat in session.question.seats:
                session.draft(session.n, seat, step.answer[str(seat.number)])
        else:
            session.answer(session.n, step.answer)
