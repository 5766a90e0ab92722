"""The envelopes of the open question: what each seat has sealed, until all are in.

Nothing here looks into the rules; the session says which question is open and when to open them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from companion.errors import IllegalAnswer
from companion.events import Draft, Log
from companion.requests import Request, Together
from companion.seats import Seat, Seats


class Envelopes:
    """One draft a seat; each is in the log's drafts before its seat hears that it is in."""

    def __init__(self, log: Log, salt: Callable[[], str]) -> None:
        self.drafts: dict[Seat, Draft] = {}
        self._log = log
        self._salt = salt

    def write(self, n: int, seat: Seat, answer: Any) -> Draft:
        """Keeps an answer (as JSON) beside the seat's earlier one; raises OSError where it can't."""
        draft = Draft(n, seat.number, answer, self._salt())
        self._log.seal(draft)
        return draft

    def close(self, seat: Seat, draft: Draft) -> None:
        """The draft counts: its commitment is in the log. What it replaces is destroyed."""
        replaced = seat in self.drafts
        self.drafts[seat] = draft
        if replaced:
            self.tidy()

    def full(self, question: Request[Any] | None) -> bool:
        """Whether everybody who is asked has sealed."""
        return isinstance(question, Together) and len(self.drafts) == len(question.parts)

    def contents(self) -> tuple[dict[str, Any], dict[str, str]]:
        """All answers and all salts, by seat number."""
        drafts = self.drafts.values()
        return {str(one.seat): one.answer for one in drafts}, {str(one.seat): one.salt for one in drafts}

    def find(self, seats: Seats, n: int, seals: Mapping[int, str]) -> None:
        """Takes up the drafts for question `n` that the log has the commitments of."""
        for draft in self._log.drafts():
            if draft.n == n and draft.commitment == seals.get(draft.seat):
                self.drafts[seats.numbered(draft.seat)] = draft

    def reseat(self, seats: Seats) -> None:
        """The same envelopes, where the seats have other names."""
        self.drafts = {seats.numbered(draft.seat): draft for draft in self.drafts.values()}

    def reopen(self, seat: Seat) -> None:
        """Destroys what is in a seat's envelope, if it is closed."""
        if self.drafts.pop(seat, None):
            self.tidy()

    def drop_misfits(self, question: Request[Any] | None) -> list[Seat]:
        """Destroys what the question no longer allows; gives the seats that must seal again."""
        dropped = [seat for seat, draft in self.drafts.items() if not _fits(question, seat, draft)]
        for seat in dropped:
            del self.drafts[seat]
        if dropped:
            self.tidy()
        return dropped

    def drop(self) -> None:
        """Destroys all drafts."""
        self.drafts.clear()
        self.tidy()

    def tidy(self) -> None:
        """Destroys all drafts that no longer count; what a disk refuses to erase goes with the next ones."""
        with suppress(OSError):
            self._log.erase(keep=self.drafts.values())


def _fits(question: Request[Any] | None, seat: Seat, draft: Draft) -> bool:
    if not isinstance(question, Together) or seat not in question.parts:
        return False
    part = question.parts[seat]
    try:
        part.check(part.load(draft.answer))
    except IllegalAnswer:
        return False
    return True
