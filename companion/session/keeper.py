"""One game as far as it was played, and how each change of it is kept.

The order is always check, send, commit: nothing is acknowledged before it is kept,
and what could not be kept has not happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from companion.cards import Tags
from companion.clocks import Times, timed
from companion.errors import Misfit, NothingTaken, RulesChanged, RulesCrashed, Stale, Stuck, TableError
from companion.log.events import Amended, Answered, Began, Corrected, Event, Redone, Sealed, Step, Undone
from companion.log.memory import Log
from companion.log.timeline import fold
from companion.requests import Request
from companion.rules.game import Game
from companion.session.envelopes import Envelopes
from companion.session.misfits import is_hidden
from companion.session.redoing import Offer, offer, rest
from companion.session.run import Run, by_hand, replay
from companion.session.settling import Settled, counts_from_now, reason, settled, stands
from companion.table.seats import Seat
from companion.words import Say, say


class Keeper:
    """The rulebook at work (`run`), what of the log is in force (`timeline`), its envelopes and times."""

    def __init__(
        self, game: Game, events: Sequence[Event], log: Log, tags: Tags, salt: Callable[[], str]
    ) -> None:
        """Opens a game from its log; raises `RulesChanged` where the rulebook no longer asks the same."""
        assert isinstance(events[0], Began)
        self.game = game
        self.began = events[0]
        self._log = log
        self._tags = tags
        self.envelopes = Envelopes(log, salt)
        self.timeline = fold(events)
        self._times = timed(events)
        self._untimed: list[Event] = []
        self._taken_back: dict[int, Say] = {}
        self._offer: tuple[object, Offer] = None, Offer()
        self.run = self._reopened()

    @property
    def times(self) -> Times:
        """How long everything took; the last events are added only when somebody asks."""
        for event in self._untimed:
            self._times.add(event)
        self._untimed.clear()
        return self._times

    def open(self, n: int) -> Request[Any]:
        """The open question, if `n` is its number; raises `Stale` or `TableError` otherwise."""
        now = self.timeline.n
        if n != now:
            raise Stale(say("Question {n} is no longer open; now it is question {now}.", n=n, now=now))
        self.not_put_away()
        if self.run.question is None:
            raise TableError(say("The game is over; nothing is asked."))
        return self.run.question

    def not_put_away(self) -> None:
        """Raises `TableError` where the game has been put away."""
        if self.timeline.over:
            raise TableError(say("This game has been put away."))

    def commit(self, event: Event) -> None:
        """Keeps an event; raises `NothingTaken` where it can't, and then the game stands as before it."""
        try:
            self._log.append(event)
        except OSError as error:
            self.run = self.replay(self.timeline.steps)
            raise _not_taken(error) from error
        self.timeline.add(event)
        self._untimed.append(event)

    def answer(
        self, question: Request[Any], answer: Any, via: str, at: float, salts: dict[str, str] | None = None
    ) -> None:
        """Sends a checked answer to the rulebook and keeps it; raises `RulesCrashed`, `NothingTaken`."""
        left = 0
        if self.timeline.mends:
            left = rest(lambda: self.offer, question, self.timeline.undone[::-1])
        event = Answered(self.timeline.n, question.asks, question.dump(answer), via, at, salts or {}, left)
        try:
            self.run.send(event, answer)
        except RulesCrashed:
            self.run = self.replay(self.timeline.steps)
            raise
        self.commit(event)

    def correct(self, event: Corrected) -> Settled:
        """Moves pieces by hand and keeps that from where the open question can stand; raises `TableError`."""
        try:
            kept, run = self._asked_again(event) if event.again else self._settled(event)
        except TableError:
            self.run = self.replay(self.timeline.steps)
            raise
        if not kept.asks_anew:
            self.commit(kept)
            return Settled()
        why = None if event.again and not kept.back else reason(self.run, kept)
        return Settled(why, self.go(run, kept))

    def _settled(self, event: Corrected) -> tuple[Corrected, Run]:
        self.run.correct(event)
        if self.game.free_moves:
            return event, self.run
        stay = bool(self.envelopes.drafts)
        return settled(self.replay, self.timeline, event, self.run, stay=stay)

    def _asked_again(self, event: Corrected) -> tuple[Corrected, Run]:
        if not any(isinstance(step, Answered) for step in self.timeline.steps):
            raise TableError(say("Nothing was answered yet that could be asked for again."))
        ledger = self.run.table.ledger
        if is_hidden(ledger, event) or counts_from_now(ledger, self.timeline):
            return self._settled(msgspec.structs.replace(event, again=False))
        steps = self.timeline.taken(event)
        run = self.replay(steps)
        if not stands(self.replay, steps, event):
            raise Stuck
        with suppress(TableError):
            self.run.correct(event)  # what people have moved already is not told them again
        return event, run

    def seal(self, seat: Seat, answer: Any, at: float) -> None:
        """Keeps a checked answer (as JSON) in the seat's envelope, and its commitment in the log."""
        try:
            draft = self.envelopes.write(self.timeline.n, seat, answer)
        except OSError as error:
            raise _not_taken(error) from error
        self.commit(Sealed(draft.n, draft.seat, draft.commitment, at))
        self.envelopes.close(seat, draft)

    def reveal(self, question: Request[Any], via: str, at: float) -> None:
        """Opens the full set of envelopes and answers the question with what is in them, fitting or not."""
        given, salts = self.envelopes.contents()
        self.answer(question, question.load(given), via, at, salts)
        self.envelopes.drop()

    def find_envelopes(self, at: float) -> None:
        """Takes up the drafts that a crash or the end of the program left; a full set is opened.

        If that fails, the envelopes stay closed, and whoever seals again opens them.
        """
        question = self.run.question
        self.envelopes.find(question, self.timeline.n, self.timeline.seals)
        self.envelopes.tidy()
        if question is not None and self.envelopes.full(question):
            with suppress(NothingTaken, RulesCrashed):
                self.reveal(question, "resume", at)

    @property
    def offer(self) -> Offer:
        """What can be put back now; of what an amendment took back, as much as fits to the open question."""
        timeline = self.timeline
        if not timeline.mends:
            return Offer(0, len(timeline.undone))
        now = timeline.n, len(timeline.steps), len(timeline.undone)
        if self._offer[0] != now:
            self._offer = now, offer(self.replay(timeline.steps), timeline.undone[::-1])
        return self._offer[1]

    def replay(self, steps: Sequence[Step]) -> Run:
        """The rulebook after these steps; raises `Misfit` at the first that doesn't fit."""
        run = Run(self.game, self.began, self._tags, self._log.names(), self._recalled)
        for step in steps[run.again(self.run, steps) :]:
            run.take(step)
        return run

    def _recalled(self, n: int) -> Say | None:
        """What was answered to a question, in force or taken back since the game was opened."""
        told = next((told for told in self.run.told if told.n == n), None)
        return told.sentence if told else self._taken_back.get(n)

    def go(self, run: Run, event: Undone | Redone | Amended | Corrected) -> list[Say]:
        """Goes to another point of the game; gives what to move by hand."""
        before = self.run
        self.commit(event)
        self.run, stay = run, {told.n for told in run.told}
        self._taken_back |= {told.n: told.sentence for told in before.told if told.n not in stay}
        self.envelopes.drop()
        return by_hand(before, run, self.replay, back=isinstance(event, Undone))

    def _reopened(self) -> Run:
        if missing := [name for name in self.game.decks if name not in self.began.decks]:
            raise RulesChanged(0, say("It lacks the printed values of: {decks}.", decks=", ".join(missing)))
        run = replay(self.game, self.began, (), self._tags, self._log.names())
        for step in self.timeline.steps:
            try:
                run.take(step)
            except Misfit as misfit:
                raise RulesChanged(misfit.event, misfit.text) from misfit
            except RulesCrashed as crash:
                text = "The rules failed at event {event} ({asks})."
                why = say(text, event=step.n, asks=run.was(step))
                raise RulesChanged(step.n, why) from crash
        return run


def _not_taken(error: OSError) -> NothingTaken:
    why = error.text if isinstance(error, TableError) else str(error)
    return NothingTaken(say("This could not be saved, so it was not taken: {why}", why=why))
