"""One game as far as it was played, and how each change of it is kept.

The order is always check, send, commit: nothing is acknowledged before it is kept,
and what could not be kept has not happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.bounds import MAX_EVENTS_PER_GAME
from companion.cards import TagLookup, find_deck_fault, shipped_deck_file
from companion.clocks import TICKS_PER_SECOND, Stopwatch, TimeUse, parse_clocks, time_use
from companion.errors import (
    NotSaved,
    ReplayConflict,
    RulesChanged,
    RulesCrashed,
    StaleAnswer,
    StoreUnavailable,
    UserError,
)
from companion.log.events import Answered, Began, Event, PutAway, Sealed, Step
from companion.log.memory import Draft, Log
from companion.log.timeline import fold_events
from companion.requests import Request
from companion.rules.game import Game
from companion.session.envelopes import Envelopes
from companion.session.redoing import RedoOffer, offer, rest
from companion.session.run import RulebookRun, replay
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import Say, say

NO_SALTS: dict[str, str] = {}
"""Nothing was sealed."""


class KeptGame:
    """The rulebook at work (`run`), what of the log is in force, its envelopes and its time.

    It is the first chapter of a `Session`; the second is `going_back`.
    """

    def __init__(
        self,
        game: Game,
        events: Sequence[Event],
        log: Log,
        tags: TagLookup,
        clock: Callable[[], float],
        salt: Callable[[], str],
    ) -> None:
        """Opens a game from its log; raises `RulesChanged` where the rulebook no longer asks the same."""
        assert isinstance(events[0], Began)
        self.game = game
        self.began = events[0]
        self._log = log
        self._tags = tags
        self._envelopes = Envelopes(log, salt)
        self._timeline = fold_events(events)
        self._events = len(events)
        self._times = time_use(events)
        self._untimed: list[Event] = []
        self._taken_back: dict[int, Say | None] = {}
        self._last_offer: tuple[object, RedoOffer] = None, RedoOffer()
        self.changes = 0
        """How often what can be seen of the game has changed: whoever shows it looks again then."""
        self.run = self._reopened()
        timing = log.timing()
        self._clocks = parse_clocks(timing.clocks)
        self._watch = Stopwatch(clock, max(timing.at, self.times.now_ticks / TICKS_PER_SECOND))
        if not self._clocks:
            self._watch.start()
        self._find_envelopes()

    # To look at

    @property
    def n(self) -> int:
        """The number of the open question; never used twice in a game."""
        return self._timeline.n

    @property
    def question(self) -> Request[Any] | None:
        """The open question, None when the game is over. Hold its number, not it: replay makes new ones."""
        return self.run.question

    @property
    def result(self) -> GameResult | None:
        """The final score; undo still works on it until the game is put away."""
        return self.run.result

    @property
    def table(self) -> Table:
        """Everything on the table, to look at."""
        return self.run.table

    @property
    def tags(self) -> TagLookup:
        """Which tag is which card."""
        return self._tags

    @property
    def steps(self) -> Sequence[Step]:
        """All answers and corrections in force, oldest first."""
        return self._timeline.steps

    @property
    def drafts(self) -> Mapping[Seat, Draft]:
        """What the seats have answered to the open question; of sealed ones only commitments may be shown."""
        return self._envelopes.drafts

    @property
    def put_aside(self) -> bool:
        """Whether the game has been put away."""
        return self._timeline.is_put_away

    @property
    def seconds(self) -> float:
        """How long was played: pauses and the time between two evenings don't count."""
        return self._watch.seconds

    @property
    def times(self) -> TimeUse:
        """How long everything took, up to the last event; what came last is added when somebody asks."""
        for event in self._untimed:
            self._times.add_event(event)
        self._untimed.clear()
        return self._times

    # How it is kept

    def _open(self, n: int) -> Request[Any]:
        """The open question, if `n` is its number; raises `StaleAnswer` or `UserError` otherwise."""
        timeline, question = self._timeline, self.run.question
        if n != timeline.n:
            text = "Question {n} has been answered. Question {now} is open now."
            if n > timeline.n:
                text = "Question {n} isn't open yet. Question {now} is open now."
            elif n < 1:
                text = "There is no question {n}. Question {now} is open now."
            raise StaleAnswer(say(text, n=n, now=timeline.n))
        if timeline.is_put_away or question is None:
            self._not_put_away()
            raise UserError(say("The game is over. There are no more questions."))
        return question

    def _not_put_away(self) -> None:
        """Raises `UserError` where the game has been put away."""
        if self._timeline.is_put_away:
            raise UserError(say("This game has been put away."))

    def _commit(self, event: Event) -> None:
        """Keeps an event; raises `NotSaved` where it can't, and then the game stands as before it.

        The last that a log has room for puts the game away.
        """
        try:
            if self._events >= MAX_EVENTS_PER_GAME and not isinstance(event, PutAway):
                raise StoreUnavailable(say("This game's log is full. Put the game away and begin another."))
            self._log.append(event)
        except OSError as error:
            self._stand(self._replay(self._timeline.steps))
            raise _not_taken(error) from error
        self._events += 1
        self._timeline.add(event)
        self._untimed.append(event)
        self.changes += 1

    def _keep_answer(
        self, question: Request[Any], answer: Any, via: str, salts: dict[str, str] = NO_SALTS
    ) -> None:
        """Sends a checked answer to the rulebook and keeps it; raises `RulesCrashed`, `NotSaved`."""
        left = 0
        if self._timeline.continues_amendment:
            left = rest(lambda: self._offered, question, self._timeline.undone[::-1])
        event = Answered(
            self._timeline.n, question.log_key, question.dump(answer), via, self._watch.seconds, salts, left
        )
        try:
            self.run.send(event, answer)
        except RulesCrashed:
            self._stand(self._replay(self._timeline.steps))
            raise
        self._commit(event)

    def _seal(self, question: Request[Any], seat: Seat, answer: Any, *, silent: bool) -> None:
        """Keeps a checked answer (as JSON) in an envelope; the log has the commitment of a sealed one."""
        try:
            draft = self._envelopes.keep(self._timeline.n, seat, answer)
        except OSError as error:
            raise _not_taken(error) from error
        if question.is_sealed:
            self._commit(Sealed(draft.n, draft.seat, draft.commitment, self.seconds, silent))
        else:
            self.changes += 1
        self._envelopes.accept(seat, draft)

    def _reveal(self, question: Request[Any], via: str) -> None:
        """Opens the full set of envelopes and answers the question with what is in them, fitting or not."""
        given, salts = self._envelopes.answers_and_salts()
        self._keep_answer(question, question.load(given), via, salts if question.is_sealed else NO_SALTS)
        self._envelopes.discard_all()

    def _find_envelopes(self) -> None:
        """Takes up the drafts that a crash or the end of the program left; a full set is opened.

        If that fails, the envelopes stay closed, and whoever seals again opens them.
        """
        question = self.run.question
        self._envelopes.restore(question, self._timeline.n, self._timeline.seals)
        self._envelopes.erase_unused()
        if question is not None and self._envelopes.is_complete(question):
            with suppress(NotSaved, RulesCrashed):
                self._reveal(question, "resume")

    @property
    def _offered(self) -> RedoOffer:
        """What can be put back now; of what an amendment took back, as much as fits to the open question."""
        timeline = self._timeline
        if not timeline.continues_amendment:
            return RedoOffer(0, len(timeline.undone))
        now = timeline.n, len(timeline.steps), len(timeline.undone)
        if self._last_offer[0] != now:
            self._last_offer = now, offer(self._replay(timeline.steps), timeline.undone[::-1])
        return self._last_offer[1]

    def _stand(self, run: RulebookRun) -> None:
        """From now on this is the rulebook at work."""
        self.run = run
        self.changes += 1

    def _replay(self, steps: Sequence[Step]) -> RulebookRun:
        """The rulebook after these steps; raises `ReplayConflict` at the first that doesn't fit."""
        run = RulebookRun(self.game, self.began, self._tags, self._log.names(), self._recalled)
        for step in steps[run.adopt_steps(self.run, steps) :]:
            run.apply(step)
        return run

    def _recalled(self, n: int) -> Say | None:
        """What was answered to a question, in force or taken back, also before the game was opened."""
        told = next((told for told in self.run.answered if told.n == n), None)
        if told is not None:
            return told.sentence
        if n not in self._taken_back:
            waiting = {step.n for step in self._timeline.undone if isinstance(step, Answered)}
            self._recall_taken_back({n} | waiting)
        return self._taken_back[n]

    def _recall_taken_back(self, numbers: Iterable[int]) -> None:
        """Finds the sentences of answers that were taken back; None where one can't be played again.

        Only the question knows what an answer means in words, so what was in force before it is replayed,
        once for all answers on the same way. What was taken back since the game was opened is known already.
        """
        missing = [n for n in numbers if n not in self._taken_back]
        self._taken_back |= dict.fromkeys(missing)
        for steps, answers in self._timeline.withdrawn_answers.paths(missing):
            with suppress(ReplayConflict, RulesCrashed):
                run = RulebookRun(self.game, self.began, self._tags, self._log.names())
                for at in range(len(steps) + 1):
                    for answer in answers.get(at, ()):
                        with suppress(UserError):
                            self._taken_back[answer.n] = run.describe(answer)
                    if at < len(steps):
                        run.apply(steps[at])

    def _reopened(self) -> RulebookRun:
        if missing := [name for name in self.game.decks if name not in self.began.decks]:
            raise RulesChanged(
                0, say("The printed values of these cards are missing: {decks}.", decks=", ".join(missing))
            )
        try:
            run = replay(self.game, self.began, (), self._tags, self._log.names())
        except RulesCrashed as crash:
            if fault := self._fault_of_its_decks():
                raise RulesChanged(0, fault) from crash
            raise
        for step in self._timeline.steps:
            try:
                run.apply(step)
            except ReplayConflict as misfit:
                raise RulesChanged(misfit.event, misfit.text) from misfit
            except RulesCrashed as crash:
                text = "The rules crashed at event {event} ({asks})."
                why = say(text, event=step.n, asks=run.describe_step(step))
                raise RulesChanged(step.n, self._fault_of_its_decks() or why) from crash
        return run

    def _fault_of_its_decks(self) -> Say | None:
        """What its printed values lack, once the rules have failed on them; None: nothing that is known."""
        text = "The card values of {deck} are wrong: {why}"
        for name, deck in self.began.decks.items():
            with suppress(UserError):  # a deck of the owner's own has no file beside the rulebook
                if fault := find_deck_fault(deck, shipped_deck_file(name, self.game.folder).deck):
                    return say(text, deck=name, why=fault)
            with suppress(Exception):  # that the rules fail is what is told then
                try:
                    self.game.check_deck(deck)
                except UserError as error:
                    return say(text, deck=name, why=error.text)
        return None


def _not_taken(error: OSError) -> NotSaved:
    why = error.text if isinstance(error, UserError) else str(error)
    return NotSaved(say("This could not be saved, so it doesn't count: {why}", why=why))
