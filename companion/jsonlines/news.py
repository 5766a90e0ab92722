"""What has happened since a moment, as everybody may know it: for a front end that tells it line by line.

Nothing is told twice: what was taken back is not told, what is put back is, and of what is played again
only that which came otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.log.events import Answered
from companion.session.session import Session
from companion.session.view import HistoryEntry, happened, history, view
from companion.table.seats import Seat
from companion.words import Say


class News:
    """`News(session)`, then something is done; `told()` says what came of it.

    `own`: whose answers need no telling, as the front end itself gave them; what was sealed is told always.
    `again`: what is done plays answers again.
    """

    def __init__(self, session: Session, *, own: str | None = None, again: bool = False) -> None:
        self._session = session
        self._own = own
        self._known = {told.n for told in session.run.told}
        self._before = {entry.n: entry for entry in history(session)} if again else {}

    def told(self) -> list[Say]:
        """What happened, oldest first: answers, and what each led to."""
        return [text for entry in self._entries() for text in self._texts(entry)]

    def won(self) -> tuple[Seat, ...]:
        """Who won what the last answer revealed, where that answer is news."""
        last = [told.n for told in self._session.run.told[-1:]]
        return winners(self._session) if any(entry.n in last for entry in self._entries()) else ()

    def _entries(self) -> Iterator[HistoryEntry]:
        for at, told in enumerate(self._session.run.told):
            if told.n not in self._known or told.n in self._before:
                entry = happened(self._session, at)
                if entry != self._before.get(told.n):
                    yield entry

    def _texts(self, entry: HistoryEntry) -> Iterator[Say]:
        if not self._is_own(entry):
            yield entry.text
        yield from entry.notes

    def _is_own(self, entry: HistoryEntry) -> bool:
        answers = (step for step in reversed(self._session.steps) if isinstance(step, Answered))
        step = next(step for step in answers if step.n == entry.n)
        return step.via == self._own and not step.salts


def last(session: Session) -> list[Say]:
    """The last answer in force and what it led to; before the first one, what the rules said at once."""
    told = session.run.told
    if not told:
        return list(session.table.notes)
    entry = happened(session, len(told) - 1)
    return [entry.text, *entry.notes]


def winners(session: Session) -> tuple[Seat, ...]:
    """Who won what the last answer revealed, as the rules say; nobody where no envelopes were opened."""
    seen = view(session)
    return seen.winners if seen.opened is not None else ()
