"""What people do to what has happened: correct it, take it back, put it back, change it.

All of it is a replay of what is in force then.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from companion.bounds import MAX_TEXT_CHARACTERS
from companion.errors import (
    NoLegalContinuation,
    ReplayConflict,
    RulesCrashed,
    UserError,
    WouldDeleteDrafts,
    WouldUndoReveal,
)
from companion.log.events import Amended, Answered, Corrected, Redone, Step, Transfer, Undone
from companion.requests.request import check_whole_number
from companion.screen_characters import check_showable
from companion.session.kept import KeptGame
from companion.session.misfits import is_hidden
from companion.session.run import Run, amended, by_hand, still_fitting
from companion.session.settling import Settled, counts_from_now, reason, settled, stands
from companion.table.backs import BackAndFace, pair_of
from companion.table.ledger import Account, Ledger
from companion.table.seats import Seat
from companion.texts import Say, say


class GoingBack(KeptGame):
    """A game that can be corrected and played again from any point."""

    @property
    def may_redo(self) -> bool:
        """Whether something can be redone now."""
        return bool(self._offered.count)

    @property
    def waiting(self) -> int:
        """How many things that an amendment took back wait to be redone."""
        return len(self._timeline.undone) if self._timeline.mends else 0

    @property
    def fitting(self) -> int:
        """How many of them fit in a row to the open question, so that `redo` can put them back at once."""
        return self._offered.count if self.waiting else 0

    @property
    def withdrawn(self) -> Sequence[Corrected]:
        """All corrections that were taken back."""
        return self._timeline.withdrawn

    @property
    def withdrawn_rolls(self) -> list[tuple[int, Say]]:
        """The companion's rolls that were taken back: the question, and the sentence that told the roll.

        Raises nothing: a roll that can't be played again is left out.
        """
        rolls = self._timeline.withdrawn_rolls
        self._recall_taken_back(rolls)
        return [(n, sentence) for n in rolls if (sentence := self._taken_back[n]) is not None]

    def correct(self, source: str, target: str, piece: str, count: int, reason: str, **how: bool) -> Settled:
        """Moves `count` of a piece by hand, as `correct_all` does."""
        return self.correct_all([(source, target, piece, count)], reason, **how)

    def correct_all(
        self,
        moves: Sequence[tuple[str, str, str, int]],
        reason: str,
        *,
        again: bool = False,
        drop_drafts: bool = False,
    ) -> Settled:
        """Moves pieces by hand in one go: source, target, piece and count of each. Free moves need no reason.

        What the open question offers was computed when it was asked. Where that no longer holds, or with
        `again`, the last answer is played once more after it, so that the question is asked again;
        where that answer no longer fits, it is taken back. Raises `UserError` where one of them can't be or
        the game can't go on, and `WouldDeleteDrafts` where answers of the open round would be deleted, unless
        `drop_drafts`. Nothing has moved then.
        """
        self._not_put_away()
        if not reason.isprintable() or not (reason.strip() or self.game.has_free_moves):
            raise UserError(say("A correction needs a reason, in one line."))
        if len(reason) > MAX_TEXT_CHARACTERS:
            raise UserError(say("A reason can have at most {most} characters.", most=MAX_TEXT_CHARACTERS))
        check_showable(reason)
        settled = self._moved(self._correction(moves, reason, again=again), drop_drafts=drop_drafts)
        self._wake_silence()
        return settled

    def _correction(
        self, moves: Sequence[tuple[str, str, str, int]], reason: str, *, again: bool
    ) -> Corrected:
        """The event of these moves, each as it can be after those before it."""
        run = self.run if len(moves) == 1 else self._replay(self._timeline.steps)
        made: list[Transfer] = []
        hidden = False
        for source, target, piece, count in moves:
            if made:
                run.move(made[-1])
            one, other = (
                run.table.ledger.find_account(source, piece),
                run.table.ledger.find_account(target, piece),
            )
            made.append(_by_hand(run.table.ledger, one, other, count))
            hidden |= one.covered or other.covered
        # What may have become impossible under cover must not show as something that can't be redone.
        rest = 0 if hidden else self.waiting
        first, *more = made
        way = first.source, first.target, first.piece, first.count
        face, to = first.face, first.face_to
        when = self.seconds
        return Corrected(self.n, *way, reason, when, again, rest, face=face, face_to=to, more=tuple(more))

    def undo(self, *, past_reveal: bool = False) -> list[Say]:
        """Takes back the last answer or correction; gives what to move back by hand."""
        at = self._timeline.inserted
        if at >= 0 and not self.put_aside:
            with suppress(ReplayConflict, RulesCrashed):  # the answer after it may need it
                run = self._replay([*self.steps[:at], *self.steps[at + 1 :]])
                return self._go(run, Undone(self.n, 1, self.seconds, correction=True))
        return self.go_back(len(self.steps) - 1, past_reveal=past_reveal)

    def go_back(self, kept: int, *, past_reveal: bool = False) -> list[Say]:
        """Takes back all that is in force but the first `kept` things; gives what to move back by hand."""
        self._not_put_away()
        gone = self.steps[max(0, kept) :]
        if not gone:
            raise UserError(say("There is nothing to undo."))
        _ask_first(gone, past_reveal=past_reveal)
        run = self._replay(self.steps[:kept])
        return self._go(run, Undone(self.n, len(gone), self.seconds))

    def before(self, event: int) -> int:
        """How many things were in force before the answer to question `event`, for `go_back`."""
        return self._timeline.index(event)

    def redo(self, count: int = 1) -> list[Say]:
        """Puts back what was undone last, or as many things as fit up to `count`; gives what to move by hand.

        Raises `ReplayConflict` where it no longer fits. What an amendment took back and isn't asked any more
        is left out, see `redoing`.
        """
        self._not_put_away()
        if count < 1:
            raise UserError(say("Redo at least 1 answer, not {count}.", count=count))
        if not self._timeline.undone:
            raise UserError(say("There is nothing to redo."))
        offer = self._offered
        event = Redone(self.n, self.seconds, max(1, min(count, offer.count)), offer.skipped)
        steps, _ = self._timeline.redone(event.count, event.skipped)
        moves = self._go(self._replay(steps), event)
        self._wake_silence()
        return moves

    def amend(
        self,
        event: int,
        given: object,
        seat: Seat | None = None,
        *,
        go_back: bool = False,
        past_reveal: bool = False,
    ) -> list[Say]:
        """Changes an earlier answer and plays all later ones again; gives what to move by hand.

        Raises `ReplayConflict` at the first later event that no longer fits, unless `go_back`: then the
        game goes back to before that event, as `go_back` does, and the rest waits to be redone as soon as
        it fits.
        """
        self._not_put_away()
        old = self._timeline.answered(event)
        at = self.before(event)
        run = self._replay(self.steps[:at])
        answer = amended(run.question, old, given, seat)
        steps, _ = self._timeline.amended(event, answer)
        kept, misfit = still_fitting(run, steps[at:])
        if misfit is not None:
            if not go_back:
                raise misfit
            _ask_first(steps[at + kept :], past_reveal=past_reveal)
            run = self._replay(steps[: at + kept])
        moves = self._go(run, Amended(self.n, old.n, answer, kept - 1, self.seconds, self.waiting))
        self._wake_silence()
        return moves

    def _moved(self, event: Corrected, *, drop_drafts: bool) -> Settled:
        """Moves pieces by hand and keeps that from where the open question can stand; raises `UserError`."""
        try:
            kept, run = self._asked_again(event) if event.again else self._settled(event)
            if kept.asks_anew and self._envelopes.drafts and not drop_drafts:
                raise WouldDeleteDrafts
        except UserError:
            self._stand(self._replay(self._timeline.steps))
            raise
        if not kept.asks_anew:
            self._commit(kept)
            return Settled()
        why = None if event.again and not kept.back else reason(self.run, kept)
        return Settled(why, self._go(run, kept))

    def _settled(self, event: Corrected) -> tuple[Corrected, Run]:
        self.run.correct(event)
        if self.game.has_free_moves:
            return event, self.run
        stay = bool(self._envelopes.drafts)
        return settled(self._replay, self._timeline, event, self.run, stay=stay)

    def _asked_again(self, event: Corrected) -> tuple[Corrected, Run]:
        if not any(isinstance(step, Answered) for step in self._timeline.steps):
            raise UserError(say("There is no earlier question to ask again."))
        ledger = self.run.table.ledger
        if is_hidden(ledger, event) or counts_from_now(ledger, self._timeline):
            return self._settled(msgspec.structs.replace(event, again=False))
        steps = self._timeline.taken(event)
        run = self._replay(steps)
        if not stands(self._replay, steps, event):
            raise NoLegalContinuation
        with suppress(UserError):
            self.run.correct(event)  # what people have moved already is not told them again
        return event, run

    def _go(self, run: Run, event: Undone | Redone | Amended | Corrected) -> list[Say]:
        """Goes to another point of the game; gives what to move by hand."""
        before = self.run
        self._commit(event)
        self._stand(run)
        stay = {told.n for told in run.told}
        self._taken_back |= {told.n: told.sentence for told in before.told if told.n not in stay}
        self._envelopes.drop()
        return by_hand(before, run, self._replay, back=isinstance(event, Undone))

    def _wake_silence(self) -> None:
        """After whatever may have left the open question to silence; the session knows who is absent."""


def _by_hand(ledger: Ledger, source: Account, target: Account, count: object) -> Transfer:
    """A move by hand as it is kept; a card's back and its face move together."""
    many = check_whole_number(count, say("A correction"))
    ledger.check_target_by_hand(target, many)
    pair = pair_of(ledger, source, target.place, many) or BackAndFace(source.piece)
    face = (pair.face.key, pair.face_target.key) if pair.face and pair.face_target else ("", "")
    return Transfer(source.place.key, target.place.key, pair.piece.key, many, *face)


def _ask_first(gone: Sequence[Step], *, past_reveal: bool) -> None:
    """Raises `WouldUndoReveal` if a reveal is among what is taken back and nobody confirmed it."""
    if not past_reveal and any(isinstance(step, Answered) and step.salts for step in gone):
        raise WouldUndoReveal
