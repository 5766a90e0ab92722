"""The envelopes of the open question: what each seat has answered, until all have answered.

The answers to an open round are stored too, but without a commitment in the log. The module doesn't know the
rules; the session says which question is open and when to open the envelopes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from companion.errors import IllegalAnswer
from companion.log.log import Log, SealedDraft
from companion.requests import Request
from companion.table.seats import Seat, Seats


class Envelopes:
    """The drafts for the open question, one for each seat.

    A draft is stored with the log's drafts before its seat learns that the answer is in.
    """

    def __init__(self, log: Log, make_salt: Callable[[], str]) -> None:
        self.drafts: dict[Seat, SealedDraft] = {}
        self._log = log
        self._make_salt = make_salt

    def save_draft(
        self, question_number: int, seat: Seat, json_answer: Any, *, is_default: bool
    ) -> SealedDraft:
        """Saves a JSON answer as a new draft, beside the seat's earlier one; raises OSError if that fails."""
        draft = SealedDraft(question_number, seat.number, json_answer, self._make_salt(), is_default)
        self._log.add_draft(draft)
        return draft

    def activate_draft(self, seat: Seat, draft: SealedDraft) -> None:
        """Makes a saved draft the seat's answer; destroys the draft that it replaces.

        Call it once the log has the draft's commitment.
        """
        has_earlier_draft = seat in self.drafts
        self.drafts[seat] = draft
        if has_earlier_draft:
            self.erase_unused_drafts()

    def has_all_answers(self, question: Request[Any] | None) -> bool:
        """Returns whether every seat that is asked has answered."""
        parts = question.parts_by_seat if question else {}
        return bool(parts) and len(self.drafts) == len(parts)

    def answers_and_salts_by_seat_number(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Returns all answers and all salts, each by seat number."""
        drafts = self.drafts.values()
        answers = {str(draft.seat): draft.answer for draft in drafts}
        return answers, {str(draft.seat): draft.salt for draft in drafts}

    def restore_drafts(
        self,
        question: Request[Any] | None,
        question_number: int,
        commitment_by_seat_number: Mapping[int, str],
    ) -> None:
        """Restores the drafts for a question; sealed drafts only if the log has their commitment."""
        if question is None or not question.parts_by_seat:
            return
        parts = question.parts_by_seat
        seat_by_number = {seat.number: seat for seat in parts}
        for draft in self._log.drafts():
            is_valid = not question.is_sealed or draft.commitment == commitment_by_seat_number.get(draft.seat)
            if draft.n == question_number and draft.seat in seat_by_number and is_valid:
                seat = seat_by_number[draft.seat]
                with suppress(IllegalAnswer):  # an older version may have asked another kind of question
                    parts[seat].parse_answer(draft.answer)
                    self.drafts[seat] = draft

    def update_seat_names(self, seats: Seats) -> None:
        """Assigns the drafts to the seats with their new names."""
        self.drafts = {seats.seat_numbered(draft.seat): draft for draft in self.drafts.values()}

    def discard_default_draft(self, seat: Seat) -> None:
        """Destroys the draft in a seat's envelope if it is a default answer."""
        if seat in self.drafts and self.drafts[seat].is_default:
            del self.drafts[seat]
            self.erase_unused_drafts()

    def discard_all_drafts(self) -> None:
        """Destroys all drafts."""
        self.drafts.clear()
        self.erase_unused_drafts()

    def erase_unused_drafts(self) -> None:
        """Destroys drafts that no longer count; if that fails, the next call tries again."""
        with suppress(OSError):
            self._log.delete_drafts(drafts_to_keep=self.drafts.values())
