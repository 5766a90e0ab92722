"""One game being played: its log, its rulebook, undo and redo, and what people do at the table.

`Session` is built in three layers, each a class: `PersistedGame` opens a log and stores every change in it,
`UndoableGame` corrects, undoes, redoes and amends, and `Session` adds answers, players, clocks and the end.
The session draws nothing, listens to no device, and is used by one thread.
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
from typing import Any, NamedTuple

import msgspec

from companion.bounds import MAX_ENTERED_NUMBER, MAX_EVENTS_PER_GAME, MAX_TEXT_CHARACTERS
from companion.cards import (
    Deck,
    FaceLayout,
    TagLookup,
    find_part_missing_in_logged_deck,
    shipped_deck,
    shipped_deck_file,
)
from companion.clocks import (
    TICKS_PER_SECOND,
    ClockSettings,
    Stopwatch,
    TimeUse,
    compute_time_use,
    parse_clocks,
)
from companion.errors import (
    EventNotSaved,
    IllegalAnswer,
    NoLegalContinuation,
    ReplayConflict,
    RulesCrashed,
    RulesDifferFromLog,
    StaleAnswer,
    StoreUnavailable,
    UserError,
    WouldDeleteDrafts,
    WouldUndoReveal,
)
from companion.log.events import (
    ABSENT_PLAYER_SOURCE,
    APP_DICE_SOURCE,
    DEFAULT_ANSWER_SOURCES,
    Amended,
    Answered,
    Began,
    Corrected,
    CorrectionMove,
    Event,
    PlayerLeft,
    PlayerReturned,
    PutAway,
    Redone,
    Reopened,
    Sealed,
    Step,
    Undone,
)
from companion.log.log import ClocksAndPlayTime, Log, MemoryLog, SealedDraft
from companion.log.timeline import build_timeline, events_recreating_steps
from companion.requests import Request
from companion.requests.request import parse_whole_number
from companion.rules.game import Game
from companion.rules.scene import Scene, SceneSetup, check_scene
from companion.screen_characters import require_showable
from companion.session.corrections import (
    CorrectionResult,
    PlacedCorrection,
    apply_correction,
    can_continue_after_correction,
    has_hidden_correction_since_last_answer,
    why_asked_again,
)
from companion.session.envelopes import Envelopes
from companion.session.run import (
    RedoPlan,
    RulebookRun,
    apply_fitting_steps,
    build_amended_answer,
    describe_moves_between_runs,
    is_hidden_correction,
    parse_and_check_answer,
    plan_redo,
    redo_count_left_after_answer,
    replay_steps,
)
from companion.table.ledger import Account, Ledger
from companion.table.moves_by_hand import BackAndFace, find_back_and_face
from companion.table.reminder import Reminder
from companion.table.scores import GameResult
from companion.table.seats import (
    SEAT_COLOURS,
    Seat,
    Seats,
    check_new_name,
    make_new_seats,
    make_seats,
    normalize_name_to_nfc,
)
from companion.table.table import Table
from companion.texts import Say, say, say_list, text_to_json


class DefaultAnswer(NamedTuple):
    """A default answer as JSON, and its seat; None if one answer answers the whole question."""

    seat: Seat | None
    json_answer: Any


class VisibleUndoneStep(NamedTuple):
    """An undone step that stays visible: the number of its question, and a sentence about the step."""

    question_number: int
    sentence: Say


def default_answers_for_silent_seats(
    question: Request[Any] | None, sealed_seats: Collection[Seat], silent_seats: Collection[Seat]
) -> Iterator[DefaultAnswer]:
    """Yields the default answers of silent seats.

    Yields nothing if there is no default answer, or if a question to several seats asks a seat that isn't
    silent.
    """
    if question and question.parts_by_seat:
        for seat, part in question.parts_by_seat.items():
            if seat in silent_seats and seat not in sealed_seats and part.default_answer:
                yield DefaultAnswer(seat, part.answer_to_json(part.default_answer[0]))
    elif question and question.default_answer and question.seats and set(question.seats) <= set(silent_seats):
        yield DefaultAnswer(None, question.answer_to_json(question.default_answer[0]))


NO_SALTS: dict[str, str] = {}
"""No salts, for an answer that was not sealed."""


class PersistedGame:
    """A game and its log: the running rulebook, the effective events, the envelopes and the time.

    The order is always check, send, commit. Nothing is acknowledged before it is saved, and an event that
    could not be saved has not happened.
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
        """Opens a game from its log; raises `RulesDifferFromLog` if the rulebook asks otherwise."""
        assert isinstance(events[0], Began)
        self.game = game
        self.began = events[0]
        self._log = log
        self._tags = tags
        self._envelopes = Envelopes(log, salt)
        self._timeline = build_timeline(events)
        self._event_count = len(events)
        self._time_used = compute_time_use(events)
        self._events_without_time_use: list[Event] = []
        self._withdrawn_sentences: dict[int, Say | None] = {}
        self._cached_redo_plan: tuple[object, RedoPlan] = None, RedoPlan()
        self.change_count = 0
        """The number of visible changes so far; a front end draws the game again when the number grows."""
        self.rulebook_run = self._run_from_log()
        timing = log.timing()
        self._clock_settings = parse_clocks(timing.clocks)
        self._watch = Stopwatch(clock, max(timing.at, self.time_used.now_ticks / TICKS_PER_SECOND))
        if not self.has_clocks and not self.is_put_away:
            self._watch.start()
        self._restore_envelopes()

    # State

    @property
    def question_number(self) -> int:
        """The number of the open question; a number is never used twice in a game."""
        return self._timeline.question_number

    @property
    def question(self) -> Request[Any] | None:
        """The open question; None when the game is over. Replay makes new questions, so store the number."""
        return self.rulebook_run.question

    @property
    def result(self) -> GameResult | None:
        """The final result of the game; None before the end.

        Undo still changes the score until the game is put away.
        """
        return self.rulebook_run.result

    @property
    def table(self) -> Table:
        """The table with all its pieces, only for reading."""
        return self.rulebook_run.table

    @property
    def tags(self) -> TagLookup:
        """The tag lookup: a function that returns the card of a tag."""
        return self._tags

    @property
    def steps(self) -> Sequence[Step]:
        """The steps in force, oldest first: answers and corrections that haven't been undone."""
        return self._timeline.steps

    @property
    def drafts(self) -> Mapping[Seat, SealedDraft]:
        """The drafts for the open question: what each seat has answered so far.

        Only the commitment of a sealed answer may be shown.
        """
        return self._envelopes.drafts

    @property
    def is_put_away(self) -> bool:
        """True if the game has been put away, finished or not."""
        return self._timeline.is_put_away

    @property
    def played_seconds(self) -> float:
        """The seconds of play, without pauses and without the time between two evenings."""
        return self._watch.seconds

    @property
    def has_clocks(self) -> bool:
        """True if any clock runs: people chose clocks, or the rules remind them of something."""
        return bool(self._clock_settings) or self.table.reminder is not None

    @property
    def reminder_clock_start(self) -> float:
        """The seconds of play from which the reminder of the table counts: those of an answer in force."""
        step_count = self.rulebook_run.reminder_step_count
        return self.rulebook_run.steps[step_count - 1].at if step_count else 0.0

    @property
    def due_reminder(self) -> Reminder | None:
        """The reminder of the table whose time is over; None before."""
        reminder = self.table.reminder
        if reminder is None or self.played_seconds < self.reminder_clock_start + reminder.seconds:
            return None
        return reminder

    @property
    def time_used(self) -> TimeUse:
        """The time that each question and seat took, up to the last event; computed when read."""
        for event in self._events_without_time_use:
            self._time_used.add_event(event)
        self._events_without_time_use.clear()
        return self._time_used

    # Saving events

    def _require_open_question(self, n: int) -> Request[Any]:
        """Returns the open question if `n` is its number; raises `StaleAnswer` or `UserError` otherwise."""
        timeline, question = self._timeline, self.rulebook_run.question
        if n != timeline.question_number:
            text = "Question {n} has been answered. Question {now} is open now."
            if n > timeline.question_number:
                text = "Question {n} isn't open yet. Question {now} is open now."
            elif n < 1:
                text = "There is no question {n}. Question {now} is open now."
            raise StaleAnswer(say(text, n=n, now=timeline.question_number))
        if timeline.is_put_away or question is None:
            self._check_not_put_away()
            raise UserError(say("The game is over. There are no more questions."))
        return question

    def _check_not_put_away(self) -> None:
        """Raises `UserError` if the game has been put away."""
        if self._timeline.is_put_away:
            raise UserError(say("This game has been put away."))

    def _commit(self, event: Event) -> None:
        """Saves an event; raises `NotSaved` if that fails, and then the game is as it was before.

        The last event that a log has room for puts the game away.
        """
        try:
            if self._event_count >= MAX_EVENTS_PER_GAME and not isinstance(event, PutAway):
                raise StoreUnavailable(say("This game's log is full. Put the game away and begin another."))
            self._log.append(event)
        except OSError as error:
            self._use_run(self._replay(self._timeline.steps))
            raise _not_saved_error(error) from error
        self._event_count += 1
        self._timeline.add_event(event)
        self._events_without_time_use.append(event)
        self.change_count += 1

    def _save_answer(
        self, question: Request[Any], answer: Any, via: str, salts: dict[str, str] = NO_SALTS
    ) -> None:
        """Sends a checked answer to the rulebook and saves it; raises `RulesCrashed`, `NotSaved`."""
        redo_count_left = 0
        if self._timeline.continues_amendment:
            redo_count_left = redo_count_left_after_answer(
                lambda: self._redo_plan, question, self._timeline.redoable_steps[::-1]
            )
        event = Answered(
            self._timeline.question_number,
            question.log_key,
            question.answer_to_json(answer),
            via,
            self._watch.seconds,
            salts,
            redo_count_left,
        )
        try:
            self.rulebook_run.send_answer(event, answer)
        except RulesCrashed:
            self._use_run(self._replay(self._timeline.steps))
            raise
        self._commit(event)

    def _seal(self, question: Request[Any], seat: Seat, answer: Any, *, is_default: bool) -> None:
        """Saves a checked JSON answer in an envelope; the log gets the commitment of a sealed answer."""
        try:
            draft = self._envelopes.save_draft(
                self._timeline.question_number, seat, answer, is_default=is_default
            )
        except OSError as error:
            raise _not_saved_error(error) from error
        if question.is_sealed:
            self._commit(Sealed(draft.n, draft.seat, draft.commitment, self.played_seconds, is_default))
        else:
            self.change_count += 1
        self._envelopes.activate_draft(seat, draft)

    def _reveal(self, question: Request[Any], via: str) -> None:
        """Opens all envelopes and answers the question with their content, legal or not."""
        answers, salts = self._envelopes.answers_and_salts_by_seat_number()
        self._save_answer(
            question, question.parse_answer(answers), via, salts if question.is_sealed else NO_SALTS
        )
        self._envelopes.discard_all_drafts()

    def _restore_envelopes(self) -> None:
        """Restores the drafts left by a crash or the end of the program; if all are in, opens them.

        If that fails, the envelopes stay closed, and the next seat that seals an answer opens them.
        """
        question = self.rulebook_run.question
        self._envelopes.restore_drafts(
            question, self._timeline.question_number, self._timeline.commitment_by_seat
        )
        self._envelopes.erase_unused_drafts()
        if question is not None and self._envelopes.has_all_answers(question):
            with suppress(EventNotSaved, RulesCrashed):
                self._reveal(question, "resume")

    @property
    def _redo_plan(self) -> RedoPlan:
        """Which steps can be redone now: after an amendment, as many as fit the open question."""
        timeline = self._timeline
        if not timeline.continues_amendment:
            return RedoPlan(0, len(timeline.redoable_steps))
        cache_key = timeline.question_number, len(timeline.steps), len(timeline.redoable_steps)
        if self._cached_redo_plan[0] != cache_key:
            plan = plan_redo(self._replay(timeline.steps), timeline.redoable_steps[::-1])
            self._cached_redo_plan = cache_key, plan
        return self._cached_redo_plan[1]

    def _use_run(self, run: RulebookRun) -> None:
        """Makes this the running rulebook."""
        self.rulebook_run = run
        self.change_count += 1

    def _replay(self, steps: Sequence[Step]) -> RulebookRun:
        """Returns the run after these steps; raises `ReplayConflict` at the first that doesn't fit."""
        run = RulebookRun(self.game, self.began, self._tags, self._log.current_names(), self._recall_answer)
        for step in steps[run.adopt_common_steps(self.rulebook_run, steps) :]:
            run.apply_step(step)
        return run

    def question_after(self, json_answer: object) -> Request[Any] | None:
        """Returns the question that an answer to the open question leads to; None if it leads to none.

        Nothing is answered: another run of the rulebook gets the answer.
        """
        question = self.rulebook_run.question
        assert question is not None
        answer = Answered(self.question_number, question.log_key, json_answer, "preview", self.played_seconds)
        try:
            return self._replay([*self.steps, answer]).question
        except (ReplayConflict, RulesCrashed):
            return None

    def _recall_answer(self, n: int) -> Say | None:
        """Returns the answer to a question as a sentence, even if it was undone in an earlier session."""
        for answered_question in self.rulebook_run.answered_questions:
            if answered_question.question_number == n:
                return answered_question.sentence
        if n not in self._withdrawn_sentences:
            redoable = {step.n for step in self._timeline.redoable_steps if isinstance(step, Answered)}
            self._recall_withdrawn_answers({n} | redoable)
        return self._withdrawn_sentences[n]

    def _recall_withdrawn_answers(self, numbers: Iterable[int]) -> None:
        """Finds the sentences of undone answers; None if an answer can't be played again.

        Only the question knows what an answer means in words. So the steps before the answer are replayed,
        once for all answers on the same path. Answers undone since the game was opened are known already.
        """
        missing = [n for n in numbers if n not in self._withdrawn_sentences]
        self._withdrawn_sentences |= dict.fromkeys(missing)
        for steps, answers in self._timeline.withdrawn_answers.steps_before_withdrawn_answers(missing):
            with suppress(ReplayConflict, RulesCrashed):
                run = RulebookRun(self.game, self.began, self._tags, self._log.current_names())
                for step_count in range(len(steps) + 1):
                    for answer in answers.get(step_count, ()):
                        with suppress(UserError):
                            self._withdrawn_sentences[answer.n] = run.check_and_describe_answer(answer)
                    if step_count < len(steps):
                        run.apply_step(steps[step_count])

    def _run_from_log(self) -> RulebookRun:
        if missing := [name for name in self.game.decks if name not in self.began.decks]:
            raise RulesDifferFromLog(
                0, say("The printed values of these cards are missing: {decks}.", decks=", ".join(missing))
            )
        try:
            run = replay_steps(self.game, self.began, (), self._tags, self._log.current_names())
        except RulesCrashed as crash:
            if fault := self._find_deck_fault():
                raise RulesDifferFromLog(0, fault) from crash
            raise
        for step in self._timeline.steps:
            try:
                run.apply_step(step)
            except ReplayConflict as conflict:
                raise RulesDifferFromLog(conflict.event_number, conflict.text) from conflict
            except RulesCrashed as crash:
                text = "The rules crashed at event {event} ({asks})."
                reason = self._find_deck_fault() or say(text, event=step.n, asks=run.describe_step(step))
                raise RulesDifferFromLog(step.n, reason) from crash
        return run

    def _find_deck_fault(self) -> Say | None:
        """Returns what is wrong with the printed values on which the rules failed; None if unknown."""
        text = "The card values of {deck} are wrong: {why}"
        for name, deck in self.began.decks.items():
            with suppress(UserError):  # the owner's own deck has no file beside the rulebook
                if fault := find_part_missing_in_logged_deck(
                    deck, shipped_deck_file(name, self.game.folder).deck
                ):
                    return say(text, deck=name, why=fault)
            with suppress(Exception):  # people are told then that the rules crashed
                try:
                    self.game.check_deck(deck)
                except UserError as error:
                    return say(text, deck=name, why=error.text)
        return None


def _not_saved_error(error: OSError) -> EventNotSaved:
    why = error.text if isinstance(error, UserError) else str(error)
    return EventNotSaved(say("This could not be saved, so it doesn't count: {why}", why=why))


class UndoableGame(PersistedGame):
    """A game that can be corrected, undone, redone and amended: each replays the steps that remain."""

    @property
    def may_redo(self) -> bool:
        """True if something can be redone now."""
        return bool(self._redo_plan.redoable_count)

    @property
    def waiting_redo_count(self) -> int:
        """The number of steps that an amendment undid and that can still be redone, now or later."""
        return len(self._timeline.redoable_steps) if self._timeline.continues_amendment else 0

    @property
    def fitting_redo_count(self) -> int:
        """The number of consecutive waiting steps that fit the open question; `redo` can restore them."""
        return self._redo_plan.redoable_count if self.waiting_redo_count else 0

    @property
    def correction_count(self) -> int:
        """The number of corrections that were ever made, undone or not."""
        return len(self._timeline.corrections)

    @property
    def undone_corrections(self) -> Sequence[Corrected]:
        """All corrections that were undone."""
        return self._timeline.corrections_not_in_force

    @property
    def undone_app_rolls(self) -> list[VisibleUndoneStep]:
        """Companion's rolls that were undone, so that everybody sees them.

        A roll that can't be played again is left out.
        """
        rolls = self._timeline.questions_with_undone_app_roll
        self._recall_withdrawn_answers(rolls)
        return [
            VisibleUndoneStep(n, sentence)
            for n in rolls
            if (sentence := self._withdrawn_sentences[n]) is not None
        ]

    def correct(
        self, source_key: str, target_key: str, piece_key: str, count: int, reason: str, **options: bool
    ) -> CorrectionResult:
        """Moves `count` copies of one piece by hand, as `correct_all` does."""
        return self.correct_all([(source_key, target_key, piece_key, count)], reason, **options)

    def correct_all(
        self,
        moves: Sequence[tuple[str, str, str, int]],
        reason: str,
        *,
        ask_again: bool = False,
        drop_drafts: bool = False,
    ) -> CorrectionResult:
        """Moves pieces by hand in one correction: source, target, piece and count of each move.

        Free moves need no reason. The options of the open question were computed when it was asked. If they
        are no longer valid, or with `ask_again`, the last answer is replayed after the correction, so that
        the question is asked again. An answer that no longer fits is undone. Raises `UserError` if a move is
        impossible or the game can't continue, and `WouldDeleteDrafts` if answers of the open round would be
        deleted, unless `drop_drafts`. Nothing has moved if an error is raised.
        """
        self._check_not_put_away()
        if not reason.isprintable() or not (reason.strip() or self.game.has_free_moves):
            raise UserError(say("A correction needs a reason, in one line."))
        if len(reason) > MAX_TEXT_CHARACTERS:
            raise UserError(say("A reason can have at most {most} characters.", most=MAX_TEXT_CHARACTERS))
        require_showable(reason)
        event = self._correction_event(moves, reason, again=ask_again)
        result = self._apply_correction(event, drop_drafts=drop_drafts)
        self._answer_by_default()
        return result

    def _correction_event(
        self, moves: Sequence[tuple[str, str, str, int]], reason: str, *, again: bool
    ) -> Corrected:
        """Returns the event for these moves; each is checked after the moves before it."""
        run = self.rulebook_run if len(moves) == 1 else self._replay(self._timeline.steps)
        transfers: list[CorrectionMove] = []
        is_hidden = False
        for source_key, target_key, piece_key, count in moves:
            if transfers:
                run.apply_transfer(transfers[-1])
            ledger = run.table.ledger
            source = ledger.find_account_by_keys(source_key, piece_key)
            target = ledger.find_account_by_keys(target_key, piece_key)
            transfers.append(_transfer_by_hand(ledger, source, target, count))
            is_hidden |= source.covered or target.covered
        # Nobody may see from redo which steps have become impossible because of hidden pieces.
        redo_count_left = 0 if is_hidden else self.waiting_redo_count
        first, *more = transfers
        return Corrected(
            self.question_number,
            first.source,
            first.target,
            first.piece,
            first.count,
            reason,
            self.played_seconds,
            again,
            redo_count_left,
            face=first.face,
            face_to=first.face_to,
            more=tuple(more),
        )

    def undo(self, *, past_reveal: bool = False) -> list[Say]:
        """Undoes the last answer or correction; returns what people must move back by hand."""
        index = self._timeline.last_inserted_correction_index
        if index >= 0 and not self.is_put_away:
            with suppress(ReplayConflict, RulesCrashed):  # the answer after the correction may need it
                run = self._replay([*self.steps[:index], *self.steps[index + 1 :]])
                return self._replace_run(
                    run, Undone(self.question_number, 1, self.played_seconds, correction=True)
                )
        return self.undo_to_step_count(len(self.steps) - 1, past_reveal=past_reveal)

    def undo_to_step_count(self, step_count: int, *, past_reveal: bool = False) -> list[Say]:
        """Undoes all steps but the first `step_count` ones; returns what people must move back by hand."""
        self._check_not_put_away()
        step_count = max(0, step_count)
        undone_steps = self.steps[step_count:]
        if not undone_steps:
            raise UserError(say("There is nothing to undo."))
        _check_reveal_may_be_undone(undone_steps, past_reveal=past_reveal)
        run = self._replay(self.steps[:step_count])
        return self._replace_run(run, Undone(self.question_number, len(undone_steps), self.played_seconds))

    def step_count_before_answer(self, question_number: int) -> int:
        """Returns the number of effective steps before the answer to a question, for `undo_to_step_count`."""
        return self._timeline.index_of_answer(question_number)

    def redo(self, count: int = 1) -> list[Say]:
        """Restores what was undone last, or as many steps as fit up to `count`; returns what to move by hand.

        Raises `ReplayConflict` if a step no longer fits. Steps that an amendment undid are left out if nobody
        asks for them any more, see `plan_redo`.
        """
        self._check_not_put_away()
        if count < 1:
            raise UserError(say("Redo at least 1 answer, not {count}.", count=count))
        if not self._timeline.redoable_steps:
            raise UserError(say("There is nothing to redo."))
        plan = self._redo_plan
        event = Redone(
            self.question_number,
            self.played_seconds,
            max(1, min(count, plan.redoable_count)),
            plan.skipped_count,
        )
        steps = self._timeline.preview_redo(event.count, event.skipped).in_force
        moves = self._replace_run(self._replay(steps), event)
        self._answer_by_default()
        return moves

    def amend_answer(
        self,
        question_number: int,
        json_answer: object,
        seat: Seat | None = None,
        *,
        go_back: bool = False,
        past_reveal: bool = False,
    ) -> list[Say]:
        """Changes an earlier answer and replays all later ones; returns what to move by hand.

        Raises `ReplayConflict` at the first later event that no longer fits, unless `go_back`: then the game
        goes back to before that event, as `undo_to_step_count` does, and the later events wait to be redone
        as soon as they fit.
        """
        self._check_not_put_away()
        old = self._timeline.answer_to_question(question_number)
        index = self.step_count_before_answer(question_number)
        run = self._replay(self.steps[:index])
        answer = build_amended_answer(run.question, old, json_answer, seat)
        steps = self._timeline.preview_amendment(question_number, answer).in_force
        fitting_count, conflict = apply_fitting_steps(run, steps[index:])
        if conflict is not None:
            if not go_back:
                raise conflict
            _check_reveal_may_be_undone(steps[index + fitting_count :], past_reveal=past_reveal)
            run = self._replay(steps[: index + fitting_count])
        moves = self._replace_run(
            run,
            Amended(
                self.question_number,
                old.n,
                answer,
                fitting_count - 1,
                self.played_seconds,
                self.waiting_redo_count,
            ),
        )
        self._answer_by_default()
        return moves

    def _apply_correction(self, event: Corrected, *, drop_drafts: bool) -> CorrectionResult:
        """Moves pieces by hand and saves the correction; raises `UserError`.

        The correction counts from where the open question is possible.
        """
        try:
            placed_event, run = (
                self._place_correction_before_last_answer(event)
                if event.again
                else self._place_correction(event)
            )
            if placed_event.opens_new_question and self._envelopes.drafts and not drop_drafts:
                raise WouldDeleteDrafts
        except UserError:
            self._use_run(self._replay(self._timeline.steps))
            raise
        if not placed_event.opens_new_question:
            self._commit(placed_event)
            return CorrectionResult()
        is_as_wanted = event.again and not placed_event.back
        reason = None if is_as_wanted else why_asked_again(self.rulebook_run, placed_event)
        return CorrectionResult(reason, self._replace_run(run, placed_event))

    def _place_correction(self, event: Corrected) -> PlacedCorrection:
        """Applies the correction from the point from which it counts."""
        self.rulebook_run.apply_correction_moves(event)
        if self.game.has_free_moves:
            return PlacedCorrection(event, self.rulebook_run)
        has_drafts = bool(self._envelopes.drafts)
        return apply_correction(
            self._replay, self._timeline, event, self.rulebook_run, keep_open_question=has_drafts
        )

    def _place_correction_before_last_answer(self, event: Corrected) -> PlacedCorrection:
        if not any(isinstance(step, Answered) for step in self._timeline.steps):
            raise UserError(say("There is no earlier question to ask again."))
        ledger = self.rulebook_run.table.ledger
        if is_hidden_correction(ledger, event) or has_hidden_correction_since_last_answer(
            ledger, self._timeline
        ):
            return self._place_correction(msgspec.structs.replace(event, again=False))
        steps = self._timeline.preview_step(event)
        run = self._replay(steps)
        if not can_continue_after_correction(self._replay, steps, event):
            raise NoLegalContinuation
        with suppress(UserError):
            self.rulebook_run.apply_correction_moves(event)  # people aren't told again to make these moves
        return PlacedCorrection(event, run)

    def _replace_run(self, run: RulebookRun, event: Undone | Redone | Amended | Corrected) -> list[Say]:
        """Saves the event and continues with another run; returns what people must move by hand."""
        run_before = self.rulebook_run
        self._commit(event)
        self._use_run(run)
        remaining_numbers = {answered.question_number for answered in run.answered_questions}
        self._withdrawn_sentences |= {
            answered.question_number: answered.sentence
            for answered in run_before.answered_questions
            if answered.question_number not in remaining_numbers
        }
        self._envelopes.discard_all_drafts()
        return describe_moves_between_runs(run_before, run, self._replay, is_undo=isinstance(event, Undone))

    def _answer_by_default(self) -> None:
        """Does nothing here; `Session` gives default answers for absent players after each change."""


def _transfer_by_hand(ledger: Ledger, source: Account, target: Account, count: object) -> CorrectionMove:
    """Returns a move by hand as the log stores it; the back and the face of a card move together."""
    number = parse_whole_number(count, say("A correction"), MAX_ENTERED_NUMBER)
    ledger.check_target_of_move_by_hand(target, number)
    pair = find_back_and_face(ledger, source, target.place, number) or BackAndFace(source.piece)
    face_and_target = (pair.face.key, pair.face_target.key) if pair.face and pair.face_target else ("", "")
    return CorrectionMove(source.place.key, target.place.key, pair.piece.key, number, *face_and_target)


def _check_reveal_may_be_undone(undone_steps: Sequence[Step], *, past_reveal: bool) -> None:
    """Raises `WouldUndoReveal` if a reveal is among the undone steps and nobody confirmed it."""
    if not past_reveal and any(isinstance(step, Answered) and step.salts for step in undone_steps):
        raise WouldUndoReveal


MAX_DEFAULT_ANSWERS_IN_A_ROW = 50
"""The most default answers in a row for absent players; then the table must answer."""
NO_CLOCKS = ClockSettings()
"""Settings without any clock."""


def find_no_card(tag_uid: str) -> None:
    """Returns None for every tag: a table without enrolled tags."""


class Session(UndoableGame):
    """A game being played, with answers, players and clocks.

    `Session.begin(game, ["Aki", "Ben"], {}, log=MemoryLog())`, then `answer` until there is a `result`.
    Every input names the number of the question it is meant for; late and double input is refused.
    `clock` gives monotonic seconds; `salt` gives the secret that makes a commitment unguessable.
    """

    def __init__(
        self,
        game: Game,
        events: Sequence[Event],
        log: Log,
        *,
        tags: TagLookup = find_no_card,
        clock: Callable[[], float] = time.monotonic,
        salt: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """Opens a game from its log; raises `RulesDifferFromLog` if the rulebook asks otherwise."""
        super().__init__(game, events, log, tags, clock, salt)
        self._scene: tuple[Seats, Scene] | None = None

    @classmethod
    def begin(  # noqa: PLR0913 - each argument says one thing about a new game
        cls,
        game: Game,
        player_names: Sequence[str],
        option_texts: Mapping[str, str],
        log: Log,
        *,
        colours: Sequence[str] = SEAT_COLOURS,
        deck_by_name: Mapping[str, Deck] | None = None,
        seed: int | None = None,
        clock_settings: ClockSettings = NO_CLOCKS,
        **session_arguments: Any,
    ) -> Session:
        """Begins a new game; without `deck_by_name`, with the decks that come with the game.

        Raises `UserError` for players or options that don't fit, or a scene that doesn't fit the table.
        """
        game.check_player_count(player_names)
        for text in option_texts.values():
            require_showable(text)
        seats = make_new_seats(player_names, colours)
        if deck_by_name is None:
            deck_by_name = {deck: shipped_deck(deck, game.folder) for deck in game.decks}
        began = Began(
            game.key,
            game.version,
            tuple(seat.name for seat in seats),
            tuple(seat.colour for seat in seats),
            game.parse_options_with_preset(option_texts, deck_by_name),
            dict(deck_by_name),
            secrets.randbits(32) if seed is None else seed,
        )
        game.check_options(began.options, began.decks, len(began.names))
        log.save_timing(ClocksAndPlayTime(clock_settings.as_text))
        session = cls(game, [began], log, **session_arguments)
        session.load_scene()
        game.check_player_names_unambiguous(began.names, session.table.ledger)
        session._commit(began)
        session.resume_clocks()
        return session

    # State

    def replay_step_by_step(self) -> Iterator[RulebookRun]:
        """Yields the run after each effective step, replayed from the start: one run, which continues."""
        run = self._replay(())
        for step in self.steps:
            run.apply_step(step)
            yield run

    def session_after_steps(self, step_count: int) -> Session:
        """Returns the game as it was after its first steps, only for reading; its log is only in memory."""
        log = MemoryLog([self.began, *events_recreating_steps(self.steps[:step_count])])
        log.save_names([seat.name for seat in self.table.seats])
        return Session(self.game, list(log), log, tags=self._tags)

    @property
    def scene(self) -> Scene | None:
        """The scene of the game: what front ends show of its table."""
        return self.load_scene()

    def load_scene(self) -> Scene | None:
        """Returns the scene; raises `UserError` if it names something that isn't on the table."""
        make_scene, table = self.game.scene, self.table
        if make_scene is None:
            return None
        if self._scene is None or self._scene[0] != table.seats:
            scene = make_scene(SceneSetup(table.seats, table.options, self.began.decks))
            check_scene(scene, table.ledger, self.game.title)
            self._scene = table.seats, scene
        return self._scene[1]

    @cached_property
    def face_layouts(self) -> tuple[FaceLayout, ...]:
        """The layouts of the card faces of all decks."""
        layouts: list[FaceLayout] = []
        for deck_name in self.game.decks:
            with suppress(UserError):  # the owner's own deck has no file beside the rulebook
                layouts += shipped_deck_file(deck_name, self.game.folder).faces
        return tuple(layouts)

    def current_rulebook_line(self) -> str:
        """Returns the line of the rulebook that waits for an answer."""
        return self.rulebook_run.current_rulebook_line()

    # Actions

    def answer_for_absent_players(self) -> None:
        """Answers by default for players who are absent; call after opening a game."""
        self._answer_by_default()

    def answer(self, question_number: int, json_answer: object, answer_source: str = "screen") -> None:
        """Answers the open question; when this returns, the answer is saved. An answer ends a pause."""
        self._answer(question_number, json_answer, answer_source)
        self._watch.start()
        if self._timeline.absent_seats:
            self._answer_by_default()

    def _answer(self, n: int, json_answer: object, via: str) -> None:
        question = self._require_open_question(n)
        if question.is_sealed:
            raise IllegalAnswer(say("Each player must answer this question alone."))
        self._save_answer(question, parse_and_check_answer(question, json_answer), via)
        if self._envelopes.drafts:
            self._envelopes.discard_all_drafts()

    def roll_app_dice(self, question_number: int) -> None:
        """Answers the open Roll with Companion's own dice; raises `IllegalAnswer` if no roll is asked.

        The faces are drawn from the seed of the game and the answers that haven't been undone. So an undone
        roll comes again after equal answers, whatever was corrected, and the history shows it.

        The number of the question would let people fish for better faces, because undo changes it. A stream
        of random numbers would too, because each undone roll would use it up. The count of the answers would
        reveal beforehand what comes after another answer.
        """
        question = self._require_open_question(question_number)
        if not question.form.app_may_roll:
            raise IllegalAnswer(say("There are no dice to roll now."))
        answers = [(step.asks, step.answer) for step in self.steps if isinstance(step, Answered)]
        answers_hash = hashlib.sha256(msgspec.json.encode(answers, order="deterministic")).hexdigest()
        faces = question.random_legal_answer(Random(f"{self.began.seed} {answers_hash}"))
        self.answer(question_number, question.answer_to_json(faces), APP_DICE_SOURCE)

    def put_answer_in_envelope(
        self, question_number: int, seat: Seat, json_answer: object, answer_source: str = "screen"
    ) -> None:
        """Puts a seat's answer into its envelope, or replaces it; the last one opens all envelopes.

        In an open round everybody sees the answer at once.
        """
        self._draft_answer(question_number, seat, json_answer, answer_source)
        self.resume_clocks()
        self._answer_by_default()

    def _draft_answer(self, n: int, seat: Seat, json_answer: object, via: str) -> None:
        question = self._require_open_question(n)
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
            question,
            seat,
            part.answer_to_json(parse_and_check_answer(part, json_answer)),
            is_default=via in DEFAULT_ANSWER_SOURCES,
        )
        if self._envelopes.has_all_answers(question):
            self._reveal(question, via)

    def rename_player(self, seat: Seat, new_name: str) -> None:
        """Changes the name of a seat's player. The log knows seats by number, so this is no event."""
        self._check_not_put_away()
        new_name = normalize_name_to_nfc(new_name)
        names = [new_name if other.number == seat.number else other.name for other in self.table.seats]
        make_seats(names, self.began.colours)
        check_new_name(new_name, [other.name for other in self.table.seats if other.number != seat.number])
        self.game.check_player_names_unambiguous([new_name], self.table.ledger)
        self._log.save_names(names)
        self._withdrawn_sentences.clear()  # the sentences have the old name
        self._use_run(self._replay(self.steps))
        self._envelopes.update_seat_names(self.table.seats)
        self._answer_by_default()

    def mark_player_absent(self, seat: Seat) -> None:
        """Marks a player as absent: the seat gets default answers; without a default, the table answers."""
        self._check_not_put_away()
        if seat.number in self._timeline.absent_seats:
            raise UserError(say("{seat} has already left.", seat=seat))
        self._commit(PlayerLeft(self.question_number, seat.number))
        self._answer_for_absent_seats()

    def mark_player_returned(self, seat: Seat) -> None:
        """Marks an absent player as returned.

        An answer that was sealed by default must be sealed again; one that was sealed by hand stays.
        """
        self._check_not_put_away()
        if seat.number not in self._timeline.absent_seats:
            raise UserError(say("{seat} is already at the table.", seat=seat))
        self._commit(PlayerReturned(self.question_number, seat.number))
        self._envelopes.discard_default_draft(seat)
        self._answer_by_default()

    @property
    def absent_seats(self) -> list[Seat]:
        """The seats whose players have left."""
        return [seat for seat in self.table.seats if seat.number in self._timeline.absent_seats]

    # Time

    @property
    def clock_settings(self) -> ClockSettings:
        """The clock settings of this table; the front end watches them and calls `give_timeout_answers`."""
        return self._clock_settings

    @property
    def are_clocks_paused(self) -> bool:
        """True while the clocks are stopped; a game with clocks is opened like this."""
        return self._watch.is_stopped

    def set_clock_settings(self, clock_settings: ClockSettings) -> None:
        """Changes the clock settings from now on. The rules don't know the time, so this is no event."""
        self._log.save_timing(ClocksAndPlayTime(clock_settings.as_text, self.played_seconds))
        self._clock_settings = clock_settings

    def pause_clocks(self) -> None:
        """Stops the clocks until `resume_clocks` or an answer; raises OSError if that can't be saved."""
        self._watch.stop()
        self._log.save_timing(ClocksAndPlayTime(self._clock_settings.as_text, self.played_seconds))

    def resume_clocks(self) -> None:
        """Starts the clocks again."""
        self._watch.start()

    def give_timeout_answers(self, question_number: int, seats: Sequence[Seat] | None = None) -> bool:
        """Gives the default answers for `seats`, or for all who are asked, because their time is up.

        Returns False if there is no default answer, so that the clock only rings.
        """
        question = self._require_open_question(question_number)
        has_answered = self._give_default_answers(question.seats if seats is None else seats, "clock")
        self._answer_by_default()
        return has_answered

    def put_away(self) -> GameResult | None:
        """Puts the game away; returns the result, or the score so far of an unfinished game."""
        self._check_not_put_away()
        result = self.rulebook_run.result_or_score_so_far()
        is_early = result is not self.result
        result_json = None if result is None else result.to_json(text_to_json)
        was_paused = self.are_clocks_paused
        try:
            self.pause_clocks()
            self._commit(PutAway(self.question_number, result_json, is_early))
        except OSError as error:
            if not was_paused:
                self.resume_clocks()
            if isinstance(error, EventNotSaved):
                raise
            raise _not_saved_error(error) from error
        self._envelopes.discard_all_drafts()
        return result

    def reopen(self) -> None:
        """Continues a game that was put away, as it was then; log and record mention it."""
        if not self.is_put_away:
            raise UserError(say("This game has not been put away."))
        self._commit(Reopened(self.question_number, self.played_seconds))
        if not self.has_clocks:
            self.resume_clocks()
        self._answer_by_default()

    # Default answers

    def _answer_by_default(self) -> None:
        """Gives default answers for absent players, unless something can still be redone.

        Otherwise nobody could redo past the default answers.
        """
        if self._timeline.absent_seats and not self.may_redo:
            self._answer_for_absent_seats()

    def _answer_for_absent_seats(self) -> None:
        """Gives default answers while only absent players are asked and somebody is left at the table.

        The number of answers is limited: a rulebook may ask the seats of a tie again and again, and default
        answers would never decide it. An answer that is refused or can't be saved waits for the table.
        """
        with suppress(UserError, RulesCrashed):
            for _ in range(self._latest_absent_answer_count, MAX_DEFAULT_ANSWERS_IN_A_ROW):
                if len(self.absent_seats) == len(self.table.seats) or not self._give_default_answers(
                    self.absent_seats, ABSENT_PLAYER_SOURCE
                ):
                    break

    @property
    def _latest_absent_answer_count(self) -> int:
        """The number of latest answers in a row that were given for absent players."""
        absent_answers = takewhile(
            lambda step: isinstance(step, Answered) and step.via == ABSENT_PLAYER_SOURCE, self.steps[::-1]
        )
        return sum(1 for _ in islice(absent_answers, MAX_DEFAULT_ANSWERS_IN_A_ROW))

    def _give_default_answers(self, silent_seats: Sequence[Seat], via: str) -> bool:
        """Gives the default answers of these seats; returns whether there are any."""
        answers = list(default_answers_for_silent_seats(self.question, self.drafts, silent_seats))
        for seat, json_answer in answers:
            if seat is None:
                self._answer(self.question_number, json_answer, via)
            else:
                self._draft_answer(self.question_number, seat, json_answer, via)
        return bool(answers)
