"""The envelopes of the open question: what each seat has answered, until all are in.

In a round that is open to all they are sheets of paper: kept as well, and without a commitment in the log.
Nothing here looks into the rules; the session says which question is open and when to open them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from companion.errors import IllegalAnswer
from companion.log.log import Draft, Log
from companion.requests import Request
from companion.table.seats import Seat, Seats


class Envelopes:
    """One draft a seat; each is in the log's drafts before its seat hears that it is in."""

    def __init__(self, log: Log, salt: Callable[[], str]) -> None:
        self.drafts: dict[Seat, Draft] = {}
        self._log = log
        self._salt = salt

    def keep(self, n: int, seat: Seat, answer: Any) -> Draft:
        """Keeps an answer (as JSON) beside the seat's earlier one; raises OSError where it can't."""
        draft = Draft(n, seat.number, answer, self._salt())
        self._log.seal(draft)
        return draft

    def accept(self, seat: Seat, draft: Draft) -> None:
        """Makes a draft count, once its commitment is in the log; destroys the draft it replaces."""
        replaced = seat in self.drafts
        self.drafts[seat] = draft
        if replaced:
            self.erase_unused()

    def is_complete(self, question: Request[Any] | None) -> bool:
        """Returns whether everybody who is asked has answered."""
        parts = question.parts_by_seat if question else {}
        return bool(parts) and len(self.drafts) == len(parts)

    def answers_and_salts(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Returns all answers and all salts, by seat number."""
        drafts = self.drafts.values()
        return {str(one.seat): one.answer for one in drafts}, {str(one.seat): one.salt for one in drafts}

    def restore(self, question: Request[Any] | None, n: int, seals: Mapping[int, str]) -> None:
        """Restores the drafts for question `n`; sealed drafts only if the log has their commitment."""
        if question is None or not question.parts_by_seat:
            return
        parts = question.parts_by_seat
        seats = {seat.number: seat for seat in parts}
        for draft in self._log.drafts():
            counts = not question.is_sealed or draft.commitment == seals.get(draft.seat)
            if draft.n == n and draft.seat in seats and counts:
                seat = seats[draft.seat]
                with suppress(IllegalAnswer):  # an older version may have asked for something else
                    parts[seat].load(draft.answer)
                    self.drafts[seat] = draft

    def reseat(self, seats: Seats) -> None:
        """Gives the drafts to the seats by their new names."""
        self.drafts = {seats.seat_numbered(draft.seat): draft for draft in self.drafts.values()}

    def discard(self, seat: Seat) -> None:
        """Destroys the draft in a seat's envelope, if there is one."""
        if self.drafts.pop(seat, None):
            self.erase_unused()

    def discard_all(self) -> None:
        """Destroys all drafts."""
        self.drafts.clear()
        self.erase_unused()

    def erase_unused(self) -> None:
        """Destroys drafts that no longer count; what can't be erased now is erased with the next ones."""
        with suppress(OSError):
            self._log.erase(keep=self.drafts.values())
