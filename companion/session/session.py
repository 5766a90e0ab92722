"""One game being played: its log, its rulebook, undo and redo, and what people do at the table.

`Session` is built in three layers, each a class: `PersistedGame` opens a log and keeps every change in it,
`UndoableGame` corrects, undoes, redoes and amends, and `Session` adds answers, players, clocks and the end.
It draws nothing, listens to no device, and is used by one thread.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, takewhile
from random import Random
from typing import Any

import msgspec

from companion.bounds import MAX_EVENTS_PER_GAME, MAX_TEXT_CHARACTERS
from companion.cards import Deck, FaceLayout, TagLookup, find_deck_fault, shipped_deck, shipped_deck_file
from companion.clocks import TICKS_PER_SECOND, ClockSettings, Stopwatch, TimeUse, parse_clocks, time_use
from companion.errors import (
    IllegalAnswer,
    NoLegalContinuation,
    NotSaved,
    ReplayConflict,
    RulesChanged,
    RulesCrashed,
    StaleAnswer,
    StoreUnavailable,
    UserError,
    WouldDeleteDrafts,
    WouldUndoReveal,
)
from companion.log.events import (
    APP_DICE_SOURCE,
    DEFAULT_ANSWER_SOURCES,
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    Left,
    PutAway,
    Redone,
    Reopened,
    Returned,
    Sealed,
    Step,
    Transfer,
    Undone,
)
from companion.log.log import Draft, Log, MemoryLog, Timing
from companion.log.timeline import as_new_events, fold_events
from companion.requests import Request
from companion.requests.request import check_whole_number
from companion.rules.game import Game
from companion.rules.scene import Scene, SceneSetup, check_scene
from companion.screen_characters import check_showable
from companion.session.corrections import (
    CorrectionResult,
    apply_correction,
    can_continue,
    has_hidden_correction,
    why_asked_again,
)
from companion.session.envelopes import Envelopes
from companion.session.redo import RedoPlan, plan_redo, remaining_redo
from companion.session.run import (
    RulebookRun,
    amended_answer,
    count_fitting,
    is_hidden_correction,
    load_new_answer,
    moves_by_hand,
    replay,
)
from companion.table.ledger import Account, Ledger
from companion.table.moves_by_hand import BackAndFace, pair_of
from companion.table.scores import GameResult
from companion.table.seats import (
    SEAT_COLOURS,
    Seat,
    Seats,
    check_new_name,
    compose_name,
    make_new_seats,
    make_seats,
)
from companion.table.table import Table
from companion.texts import Say, say, say_list, text_to_json


def default_answers(
    question: Request[Any] | None, sealed: Collection[Seat], silent: Collection[Seat]
) -> Iterator[tuple[Seat | None, Any]]:
    """Yields the default answers (as JSON) of the open question for silent seats, with the seat in a round.

    Yields nothing if there is no default answer, or if a seat that isn't silent is asked.
    """
    if question and question.parts_by_seat:
        for seat, part in question.parts_by_seat.items():
            if seat in silent and seat not in sealed and part.default_answer:
                yield seat, part.dump(part.default_answer[0])
    elif question and question.default_answer and question.seats and set(question.seats) <= set(silent):
        yield None, question.dump(question.default_answer[0])


NO_SALTS: dict[str, str] = {}
"""The salts of an answer that was not sealed."""


class PersistedGame:
    """A game and its log: the running rulebook (`run`), the events in force, the envelopes and the time.

    The order is always check, send, commit: nothing is acknowledged before it is kept, and what could not be
    kept has not happened.
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
        self._last_offer: tuple[object, RedoPlan] = None, RedoPlan()
        self.change_count = 0
        """The number of visible changes so far. A front end looks at the game again when it grows."""
        self.run = self._run_from_log()
        timing = log.timing()
        self._clocks = parse_clocks(timing.clocks)
        self._watch = Stopwatch(clock, max(timing.at, self.times.now_ticks / TICKS_PER_SECOND))
        if not self._clocks:
            self._watch.start()
        self._restore_envelopes()

    # State

    @property
    def question_number(self) -> int:
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
        """The look-up that returns the card of a tag."""
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
    def is_put_away(self) -> bool:
        """True if the game has been put away."""
        return self._timeline.is_put_away

    @property
    def played_seconds(self) -> float:
        """The seconds of play, without pauses and without the time between two evenings."""
        return self._watch.seconds

    @property
    def times(self) -> TimeUse:
        """The time that each question and seat took, up to the last event; computed when it is read."""
        for event in self._untimed:
            self._times.add_event(event)
        self._untimed.clear()
        return self._times

    # Keeping events

    def _open_question(self, n: int) -> Request[Any]:
        """Returns the open question if `n` is its number; raises `StaleAnswer` or `UserError` otherwise."""
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
            self._use_run(self._replay(self._timeline.steps))
            raise _not_taken(error) from error
        self._events += 1
        self._timeline.add(event)
        self._untimed.append(event)
        self.change_count += 1

    def _keep_answer(
        self, question: Request[Any], answer: Any, via: str, salts: dict[str, str] = NO_SALTS
    ) -> None:
        """Sends a checked answer to the rulebook and keeps it; raises `RulesCrashed`, `NotSaved`."""
        left = 0
        if self._timeline.continues_amendment:
            left = remaining_redo(lambda: self._redo_plan, question, self._timeline.undone[::-1])
        event = Answered(
            self._timeline.n, question.log_key, question.dump(answer), via, self._watch.seconds, salts, left
        )
        try:
            self.run.send(event, answer)
        except RulesCrashed:
            self._use_run(self._replay(self._timeline.steps))
            raise
        self._commit(event)

    def _seal(self, question: Request[Any], seat: Seat, answer: Any, *, silent: bool) -> None:
        """Keeps a checked answer (as JSON) in an envelope; the log has the commitment of a sealed one."""
        try:
            draft = self._envelopes.keep(self._timeline.n, seat, answer)
        except OSError as error:
            raise _not_taken(error) from error
        if question.is_sealed:
            self._commit(Sealed(draft.n, draft.seat, draft.commitment, self.played_seconds, silent))
        else:
            self.change_count += 1
        self._envelopes.accept(seat, draft)

    def _reveal(self, question: Request[Any], via: str) -> None:
        """Opens the full set of envelopes and answers the question with what is in them, fitting or not."""
        given, salts = self._envelopes.answers_and_salts()
        self._keep_answer(question, question.load(given), via, salts if question.is_sealed else NO_SALTS)
        self._envelopes.discard_all()

    def _restore_envelopes(self) -> None:
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
    def _redo_plan(self) -> RedoPlan:
        """What can be put back now; of what an amendment took back, as much as fits to the open question."""
        timeline = self._timeline
        if not timeline.continues_amendment:
            return RedoPlan(0, len(timeline.undone))
        now = timeline.n, len(timeline.steps), len(timeline.undone)
        if self._last_offer[0] != now:
            self._last_offer = now, plan_redo(self._replay(timeline.steps), timeline.undone[::-1])
        return self._last_offer[1]

    def _use_run(self, run: RulebookRun) -> None:
        """Makes this the running rulebook."""
        self.run = run
        self.change_count += 1

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

    def _run_from_log(self) -> RulebookRun:
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


class UndoableGame(PersistedGame):
    """A game that can be corrected, undone, redone and amended: each is a replay of what is then in force."""

    @property
    def may_redo(self) -> bool:
        """True if something can be redone now."""
        return bool(self._redo_plan.count)

    @property
    def waiting_redo_count(self) -> int:
        """The number of steps that an amendment took back and that wait to be redone."""
        return len(self._timeline.undone) if self._timeline.continues_amendment else 0

    @property
    def fitting_redo_count(self) -> int:
        """The number of those steps that fit the open question in a row, so that `redo` can put them back."""
        return self._redo_plan.count if self.waiting_redo_count else 0

    @property
    def undone_corrections(self) -> Sequence[Corrected]:
        """All corrections that were undone."""
        return self._timeline.undone_corrections

    @property
    def undone_rolls(self) -> list[tuple[int, Say]]:
        """The companion's rolls that were taken back: the question, and the sentence that told the roll.

        Raises nothing: a roll that can't be played again is left out.
        """
        rolls = self._timeline.undone_rolls
        self._recall_taken_back(rolls)
        return [(n, sentence) for n in rolls if (sentence := self._taken_back[n]) is not None]

    def correct(
        self, source: str, target: str, piece: str, count: int, reason: str, **how: bool
    ) -> CorrectionResult:
        """Moves `count` copies of one piece by hand, as `correct_all` does."""
        return self.correct_all([(source, target, piece, count)], reason, **how)

    def correct_all(
        self,
        moves: Sequence[tuple[str, str, str, int]],
        reason: str,
        *,
        again: bool = False,
        drop_drafts: bool = False,
    ) -> CorrectionResult:
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
        settled = self._apply_correction(
            self._correction(moves, reason, again=again), drop_drafts=drop_drafts
        )
        self._answer_by_default()
        return settled

    def _correction(
        self, moves: Sequence[tuple[str, str, str, int]], reason: str, *, again: bool
    ) -> Corrected:
        """Returns the event for these moves; each is checked after the moves before it."""
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
        rest = 0 if hidden else self.waiting_redo_count
        first, *more = made
        way = first.source, first.target, first.piece, first.count
        face, to = first.face, first.face_to
        when = self.played_seconds
        return Corrected(
            self.question_number, *way, reason, when, again, rest, face=face, face_to=to, more=tuple(more)
        )

    def undo(self, *, past_reveal: bool = False) -> list[Say]:
        """Undoes the last answer or correction; returns what people must move back by hand."""
        at = self._timeline.inserted_correction_index
        if at >= 0 and not self.is_put_away:
            with suppress(ReplayConflict, RulesCrashed):  # the answer after it may need it
                run = self._replay([*self.steps[:at], *self.steps[at + 1 :]])
                return self._replace_run(
                    run, Undone(self.question_number, 1, self.played_seconds, correction=True)
                )
        return self.go_back(len(self.steps) - 1, past_reveal=past_reveal)

    def go_back(self, kept: int, *, past_reveal: bool = False) -> list[Say]:
        """Undoes all steps but the first `kept` ones; returns what people must move back by hand."""
        self._not_put_away()
        gone = self.steps[max(0, kept) :]
        if not gone:
            raise UserError(say("There is nothing to undo."))
        _ask_first(gone, past_reveal=past_reveal)
        run = self._replay(self.steps[:kept])
        return self._replace_run(run, Undone(self.question_number, len(gone), self.played_seconds))

    def steps_before(self, event: int) -> int:
        """Returns the number of steps in force before the answer to question `event`, for `go_back`."""
        return self._timeline.index_of_answer(event)

    def redo(self, count: int = 1) -> list[Say]:
        """Puts back what was undone last, or as many things as fit up to `count`; gives what to move by hand.

        Raises `ReplayConflict` where it no longer fits. What an amendment took back and isn't asked any more
        is left out, see `redo`.
        """
        self._not_put_away()
        if count < 1:
            raise UserError(say("Redo at least 1 answer, not {count}.", count=count))
        if not self._timeline.undone:
            raise UserError(say("There is nothing to redo."))
        offer = self._redo_plan
        event = Redone(
            self.question_number, self.played_seconds, max(1, min(count, offer.count)), offer.skipped
        )
        steps, _ = self._timeline.preview_redo(event.count, event.skipped)
        moves = self._replace_run(self._replay(steps), event)
        self._answer_by_default()
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
        old = self._timeline.answer_to(event)
        at = self.steps_before(event)
        run = self._replay(self.steps[:at])
        answer = amended_answer(run.question, old, given, seat)
        steps, _ = self._timeline.preview_amendment(event, answer)
        kept, misfit = count_fitting(run, steps[at:])
        if misfit is not None:
            if not go_back:
                raise misfit
            _ask_first(steps[at + kept :], past_reveal=past_reveal)
            run = self._replay(steps[: at + kept])
        moves = self._replace_run(
            run,
            Amended(
                self.question_number, old.n, answer, kept - 1, self.played_seconds, self.waiting_redo_count
            ),
        )
        self._answer_by_default()
        return moves

    def _apply_correction(self, event: Corrected, *, drop_drafts: bool) -> CorrectionResult:
        """Moves pieces by hand and keeps that from where the open question can stand; raises `UserError`."""
        try:
            kept, run = self._asked_again(event) if event.again else self._settled(event)
            if kept.asks_anew and self._envelopes.drafts and not drop_drafts:
                raise WouldDeleteDrafts
        except UserError:
            self._use_run(self._replay(self._timeline.steps))
            raise
        if not kept.asks_anew:
            self._commit(kept)
            return CorrectionResult()
        why = None if event.again and not kept.back else why_asked_again(self.run, kept)
        return CorrectionResult(why, self._replace_run(run, kept))

    def _settled(self, event: Corrected) -> tuple[Corrected, RulebookRun]:
        self.run.correct(event)
        if self.game.has_free_moves:
            return event, self.run
        stay = bool(self._envelopes.drafts)
        return apply_correction(self._replay, self._timeline, event, self.run, stay=stay)

    def _asked_again(self, event: Corrected) -> tuple[Corrected, RulebookRun]:
        if not any(isinstance(step, Answered) for step in self._timeline.steps):
            raise UserError(say("There is no earlier question to ask again."))
        ledger = self.run.table.ledger
        if is_hidden_correction(ledger, event) or has_hidden_correction(ledger, self._timeline):
            return self._settled(msgspec.structs.replace(event, again=False))
        steps = self._timeline.with_step(event)
        run = self._replay(steps)
        if not can_continue(self._replay, steps, event):
            raise NoLegalContinuation
        with suppress(UserError):
            self.run.correct(event)  # what people have moved already is not told them again
        return event, run

    def _replace_run(self, run: RulebookRun, event: Undone | Redone | Amended | Corrected) -> list[Say]:
        """Keeps the event and continues with another run; returns what people must move by hand."""
        before = self.run
        self._commit(event)
        self._use_run(run)
        stay = {told.n for told in run.answered}
        self._taken_back |= {told.n: told.sentence for told in before.answered if told.n not in stay}
        self._envelopes.discard_all()
        return moves_by_hand(before, run, self._replay, back=isinstance(event, Undone))

    def _answer_by_default(self) -> None:
        """After whatever may have left the open question to silence; the session knows who is absent."""


def _by_hand(ledger: Ledger, source: Account, target: Account, count: object) -> Transfer:
    """Returns a move by hand as the log keeps it; the back and the face of a card move together."""
    many = check_whole_number(count, say("A correction"))
    ledger.check_target_by_hand(target, many)
    pair = pair_of(ledger, source, target.place, many) or BackAndFace(source.piece)
    face = (pair.face.key, pair.face_target.key) if pair.face and pair.face_target else ("", "")
    return Transfer(source.place.key, target.place.key, pair.piece.key, many, *face)


def _ask_first(gone: Sequence[Step], *, past_reveal: bool) -> None:
    """Raises `WouldUndoReveal` if a reveal is among what is taken back and nobody confirmed it."""
    if not past_reveal and any(isinstance(step, Answered) and step.salts for step in gone):
        raise WouldUndoReveal


MAX_DEFAULT_ANSWERS_IN_A_ROW = 50
"""After so many default answers in a row for absent players, the table must answer."""
NO_CLOCKS = ClockSettings()
"""Settings without any clock."""


def no_tags(uid: str) -> None:
    """Returns None for every tag: a table without enrolled tags."""


class Session(UndoableGame):
    """`Session.begin(game, ["Aki", "Ben"], {}, log=MemoryLog())`, then `answer` until there is a `result`.

    Every input names the number `n` of the question it is meant for; late and double input is refused.
    `clock` gives monotonic seconds; `salt` gives the secret that makes a commitment unguessable.
    """

    def __init__(
        self,
        game: Game,
        events: Sequence[Event],
        log: Log,
        *,
        tags: TagLookup = no_tags,
        clock: Callable[[], float] = time.monotonic,
        salt: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """Opens a game from its log; raises `RulesChanged` where the rulebook no longer asks the same."""
        super().__init__(game, events, log, tags, clock, salt)
        self._scene: tuple[Seats, Scene] | None = None

    @classmethod
    def begin(  # noqa: PLR0913 - each says one thing about a new game
        cls,
        game: Game,
        names: Sequence[str],
        options: Mapping[str, str],
        log: Log,
        *,
        colours: Sequence[str] = SEAT_COLOURS,
        decks: Mapping[str, Deck] | None = None,
        seed: int | None = None,
        clocks: ClockSettings = NO_CLOCKS,
        **outside: Any,
    ) -> Session:
        """A new game with these printed values, or those that come along.

        Raises `UserError` for people or options that don't fit, or a scene that doesn't fit the table.
        """
        game.check_players(names)
        for text in options.values():
            check_showable(text)
        seats = make_new_seats(names, colours)
        began = Began(
            game.key,
            game.version,
            tuple(seat.name for seat in seats),
            tuple(seat.colour for seat in seats),
            game.parse_options(options),
            {deck: shipped_deck(deck, game.folder) for deck in game.decks} if decks is None else dict(decks),
            secrets.randbits(32) if seed is None else seed,
        )
        game.check_options(began.options, began.decks)
        log.keep_timing(Timing(clocks.text))
        session = cls(game, [began], log, **outside)
        session.load_scene()
        game.check_names(began.names, session.table.ledger)
        session._commit(began)
        session.resume_clocks()
        return session

    # State

    def replay_moments(self) -> Iterator[RulebookRun]:
        """Yields the run after each step in force, replayed from the start. It is one object that goes on."""
        run = self._replay(())
        for step in self.steps:
            run.apply(step)
            yield run

    def session_at(self, kept: int) -> Session:
        """Returns the game as it was after the first `kept` steps, to look at; its log is only in memory."""
        log = MemoryLog([self.began, *as_new_events(self.steps[:kept])])
        log.rename([seat.name for seat in self.table.seats])
        return Session(self.game, list(log), log, tags=self._tags)

    @property
    def scene(self) -> Scene | None:
        """The scene of the game: what front ends show of its table."""
        return self.load_scene()

    def load_scene(self) -> Scene | None:
        """Returns the scene; raises `UserError` if it names something that isn't on the table."""
        make, table = self.game.scene, self.table
        if make is None:
            return None
        if self._scene is None or self._scene[0] != table.seats:
            made = make(SceneSetup(table.seats, table.options, self.began.decks))
            check_scene(made, table.ledger, self.game.title)
            self._scene = table.seats, made
        return self._scene[1]

    @cached_property
    def looks(self) -> tuple[FaceLayout, ...]:
        """The layouts of the cards of all decks."""
        found: list[FaceLayout] = []
        for deck in self.game.decks:
            with suppress(UserError):  # a deck of the owner's own has no file beside the rulebook
                found += shipped_deck_file(deck, self.game.folder).faces
        return tuple(found)

    def rulebook_line(self) -> str:
        """Returns the line of the rulebook that waits for an answer."""
        return self.run.rulebook_line()

    # Actions

    def resume(self) -> None:
        """Continues an opened game: gives the default answers that were due in the meantime."""
        self._answer_by_default()

    def answer(self, n: int, given: object, via: str = "screen") -> None:
        """Answers the open question; when this returns, the answer is kept. It ends a pause."""
        self._answer(n, given, via)
        self._watch.start()
        if self._timeline.left:
            self._answer_by_default()

    def _answer(self, n: int, given: object, via: str) -> None:
        question = self._open_question(n)
        if question.is_sealed:
            raise IllegalAnswer(say("Each player must answer this question alone."))
        self._keep_answer(question, load_new_answer(question, given), via)
        if self._envelopes.drafts:
            self._envelopes.discard_all()

    def roll(self, n: int) -> None:
        """Answers the open Roll with the companion's own dice; raises `IllegalAnswer` where there is none.

        They are drawn from the seed of the game and the answers in force. The number of the question would
        let people fish: undo renews it. So would a stream of chance: each undone roll would use it up. The
        count of the answers would tell beforehand what comes after another answer. So a roll that was taken
        back comes again as it was after the same answers, whatever was corrected, and the history shows it.
        """
        question = self._open_question(n)
        if not question.form.app_may_roll:
            raise IllegalAnswer(say("There are no dice to roll now."))
        answers = [(step.asks, step.answer) for step in self.steps if isinstance(step, Answered)]
        played = hashlib.sha256(msgspec.json.encode(answers, order="deterministic")).hexdigest()
        faces = question.sample(Random(f"{self.began.seed} {played}"))
        self.answer(n, question.dump(faces), APP_DICE_SOURCE)

    def draft(self, n: int, seat: Seat, given: object, via: str = "screen") -> None:
        """Puts a seat's answer into its envelope, or another in its stead; the last one in opens them all.

        In a round that is open to all everybody sees it at once.
        """
        self._draft(n, seat, given, via)
        self.resume_clocks()
        self._answer_by_default()

    def _draft(self, n: int, seat: Seat, given: object, via: str) -> None:
        question = self._open_question(n)
        if not question.parts_by_seat:
            raise IllegalAnswer(
                say("The answers to the present question are not sealed: {question}", question=question.text)
            )
        if seat not in question.parts_by_seat:
            text = "{seat} isn't asked now. Sealed answers must come from: {names}."
            if not question.is_sealed:
                text = "{seat} isn't asked now. Answers must come from: {names}."
            raise IllegalAnswer(say(text, seat=seat, names=say_list(question.seats)))
        part = question.parts_by_seat[seat]
        self._seal(
            question, seat, part.dump(load_new_answer(part, given)), silent=via in DEFAULT_ANSWER_SOURCES
        )
        if self._envelopes.is_complete(question):
            self._reveal(question, via)

    def rename(self, seat: Seat, name: str) -> None:
        """Another name for a seat, whoever sits there now; no event, as the log knows seats by number."""
        self._not_put_away()
        name = compose_name(name)
        names = [name if one.number == seat.number else one.name for one in self.table.seats]
        make_seats(names, self.began.colours)
        check_new_name(name, [one.name for one in self.table.seats if one.number != seat.number])
        self.game.check_names([name], self.table.ledger)
        self._log.rename(names)
        self._taken_back.clear()  # the sentences have the old name
        self._use_run(self._replay(self.steps))
        self._envelopes.reseat(self.table.seats)
        self._answer_by_default()

    def leave(self, seat: Seat) -> None:
        """Marks a player as absent: default answers are given for the seat; without one the table answers."""
        self._not_put_away()
        if seat.number in self._timeline.left:
            raise UserError(say("{seat} has already left.", seat=seat))
        self._commit(Left(self.question_number, seat.number))
        self._answer_for_the_absent()

    def come_back(self, seat: Seat) -> None:
        """Marks a seat as taken again; an answer that was sealed by default must be sealed again."""
        self._not_put_away()
        if seat.number not in self._timeline.left:
            raise UserError(say("{seat} is already at the table.", seat=seat))
        self._commit(Returned(self.question_number, seat.number))
        self._envelopes.discard(seat)
        self._answer_by_default()

    @property
    def absent_seats(self) -> list[Seat]:
        """The seats whose players have left."""
        return [seat for seat in self.table.seats if seat.number in self._timeline.left]

    # Time

    @property
    def clocks(self) -> ClockSettings:
        """The clock settings of this table. The front end watches the clocks and calls `expire_time`."""
        return self._clocks

    @property
    def are_clocks_paused(self) -> bool:
        """True while the clocks are stopped; a game with clocks is opened like this."""
        return self._watch.is_stopped

    def set_clocks(self, clocks: ClockSettings) -> None:
        """Changes the clocks from now on. It is no event, because no rule knows the time."""
        self._log.keep_timing(Timing(clocks.text, self.played_seconds))
        self._clocks = clocks

    def pause_clocks(self) -> None:
        """Stops the clocks until `resume_clocks` or an answer; raises OSError if that can't be kept."""
        self._watch.stop()
        self._log.keep_timing(Timing(self._clocks.text, self.played_seconds))

    def resume_clocks(self) -> None:
        """Starts the clocks again."""
        self._watch.start()

    def expire_time(self, n: int, seats: Sequence[Seat] | None = None) -> bool:
        """Gives the default answers for `seats`, or for all who are asked, because their time is up.

        Returns False if there is no default answer, so that the clock only rings.
        """
        question = self._open_question(n)
        answered = self._answer_for(question.seats if seats is None else seats, "clock")
        self._answer_by_default()
        return answered

    def put_away(self) -> GameResult | None:
        """Puts the game away; returns the result, or the score so far of an unfinished game."""
        self._not_put_away()
        result = self.run.score()
        early = result is not self.result
        self._commit(
            PutAway(self.question_number, None if result is None else result.to_json(text_to_json), early)
        )
        self._envelopes.discard_all()
        return result

    def reopen(self) -> None:
        """Continues a game that was put away, as it was then; log and record mention it."""
        if not self.is_put_away:
            raise UserError(say("This game has not been put away."))
        self._commit(Reopened(self.question_number))
        if self._clocks:
            self._watch.stop()
        self._answer_by_default()

    # Default answers

    def _answer_by_default(self) -> None:
        """After whatever may have left a question to silence, unless something can still be redone.

        Or nobody could go back past what silence answered.
        """
        if self._timeline.left and not self.may_redo:
            self._answer_for_the_absent()

    def _answer_for_the_absent(self) -> None:
        """As long as only absent players are waited for; with nobody left at the table nothing goes on.

        Nor for ever: a rulebook may ask those who tie again and again, and silence would never decide.
        What can't be taken, or kept, waits for the table.
        """
        with suppress(UserError, RulesCrashed):
            for _ in range(self._silent_in_a_row, MAX_DEFAULT_ANSWERS_IN_A_ROW):
                if len(self.absent_seats) == len(self.table.seats) or not self._answer_for(
                    self.absent_seats, "absent"
                ):
                    break

    @property
    def _silent_in_a_row(self) -> int:
        """The number of latest answers in a row that were given for absent players."""
        silent = takewhile(lambda step: isinstance(step, Answered) and step.via == "absent", self.steps[::-1])
        return sum(1 for _ in islice(silent, MAX_DEFAULT_ANSWERS_IN_A_ROW))

    def _answer_for(self, silent: Sequence[Seat], via: str) -> bool:
        answers = list(default_answers(self.question, self.drafts, silent))
        for seat, given in answers:
            if seat is None:
                self._answer(self.question_number, given, via)
            else:
                self._draft(self.question_number, seat, given, via)
        return bool(answers)
