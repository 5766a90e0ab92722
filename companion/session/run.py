"""A rulebook running on a table, and how it returns to any point: replay.

Undo, redo, amend, crash recovery and opening a saved game are all a replay of a log's steps. A step that no
longer fits raises `ReplayConflict`, which says in people's words what it was and what is asked now.

How many of the steps that an amendment undid can be redone after other answers is found by replay, too. The
log stores the number, so that it can be read without any rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.cards import TagLookup, cached_equal_deck
from companion.errors import IllegalAnswer, ReplayConflict, RulesCrashed, UserError, describe_exception
from companion.log.events import Answered, Began, Corrected, CorrectionMove, Step
from companion.requests import Choose, DetailedOption, Done, Request
from companion.requests.choose import PASS_KEY
from companion.rules.game import Game
from companion.screen_characters import require_showable
from companion.table.ledger import Ledger, Piece, Place
from companion.table.moves import PieceMove, diff_snapshots, take_snapshot
from companion.table.moves_by_hand import overdrawn_place_texts
from companion.table.scores import GameResult
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.texts import Say, Text, render, say, say_list, shorten_long_values


def parse_and_check_answer(question: Request[Any], json_answer: object) -> Any:
    """Returns a JSON answer parsed and checked against its question; raises `IllegalAnswer`."""
    answer = question.parse_answer(json_answer)
    question.check_answer(answer)
    try:
        _check_texts(json_answer)
    except UserError as error:
        raise IllegalAnswer(error.text) from None
    return answer


def _check_texts(json_answer: object) -> None:
    """Checks every text in a JSON answer, whose size and depth the question has bounded already."""
    if json_answer is None or isinstance(json_answer, int):
        return  # first, because most answers are numbers
    if isinstance(json_answer, str):
        require_showable(json_answer)
    elif isinstance(json_answer, (dict, list, tuple)):
        for item in json_answer.values() if isinstance(json_answer, dict) else json_answer:
            if type(item) is not int:  # without a call, because most parts of an answer are numbers
                _check_texts(item)


# Descriptions of steps and questions


NO_SHOWN_PLACES: dict[Place, Place] = {}
"""No current slots, for a table without rows that close up: every place is shown by its own number."""


def is_hidden_correction(ledger: Ledger, correction: Corrected) -> bool:
    """Returns whether a correction moved pieces into or out of a hidden place.

    Raises `UserError` for unknown places.
    """
    return any(_is_hidden_move(ledger, move) for move in correction.moves)


def _is_hidden_move(ledger: Ledger, move: CorrectionMove) -> bool:
    return any(ledger.find_account_by_keys(place, move.piece).covered for place in (move.source, move.target))


def describe_correction(
    ledger: Ledger, correction: Corrected, numbered_place_by_place: Mapping[Place, Place] = NO_SHOWN_PLACES
) -> Say:
    """Returns a sentence about what people moved by hand; raises `UserError` for unknown places or pieces.

    `shown_place_by_place` gives the places of rows as they were numbered then.
    """
    visible_moves = [
        _piece_move(ledger, move, numbered_place_by_place).description_text
        for move in correction.moves
        if not _is_hidden_move(ledger, move)
    ]
    if not visible_moves:
        return _with_reason(say("Hidden correction"), correction.reason)
    has_hidden_moves = len(visible_moves) < len(correction.moves)
    hidden_moves = [say("other moves, which are hidden")] if has_hidden_moves else []
    moves = say_list([*visible_moves, *hidden_moves])
    if not correction.reason:
        return say("{moves}", moves=moves)
    return _with_reason(say("Corrected: {moves}", moves=moves), correction.reason)


def _with_reason(sentence: Say, reason: str) -> Say:
    """Returns a sentence with the reason, shortened: in old logs a reason may be as long as a page."""
    if not reason:
        return sentence
    return shorten_long_values(say("{what} ({reason})", what=sentence, reason=reason))


def _piece_move(
    ledger: Ledger, move: CorrectionMove, shown_place_by_place: Mapping[Place, Place]
) -> PieceMove:
    """Returns the move; it names the card's face, because that says more than its back."""
    source = ledger.find_account_by_keys(move.source, move.face or move.piece)
    target = ledger.find_account_by_keys(move.target, move.piece)
    start, end = (shown_place_by_place.get(place, place) for place in (source.place, target.place))
    return PieceMove(source.piece, start, end, move.count)


def describe_step_from_log(table: Table, step: Step) -> Text:
    """Returns a description of a step from the log alone, where questions name pieces by their keys."""
    if isinstance(step, Corrected):
        try:
            return describe_correction(table.ledger, step)
        except UserError:
            return _with_reason(say("Corrected"), step.reason)
    head, _, about = step.asks.partition(": ")
    labels = {account.piece.key: render(account.piece) for account in table.ledger}
    if labels:
        keys = "|".join(re.escape(key) for key in sorted(labels, key=len, reverse=True))
        about = re.sub(rf"\b({keys})\b", lambda match: labels[match[0]], about)
    seats = [seat for seat in table.seats if seat.key in head.split()]
    return say("{seat}: {question}", seat=say_list(seats), question=about) if seats else about


def describe_open_question(question: Request[Any]) -> Say:
    """Returns a sentence with the question that is open now and the seats it asks."""
    text = question.text
    seats = [seat for seat in question.seats if ("seat", seat) not in text.args]
    if seats:
        text = say("{seat}: {question}", seat=say_list(seats), question=text)
    return say("The question now is: “{question}”", question=text)


# Replay


T = TypeVar("T")


class AnsweredQuestion(msgspec.Struct, frozen=True, gc=False):
    """One answered question, for the history.

    Its notes are `table.notes` from `first_note_index` up to that of the next question; its outcomes too.
    """

    question_number: int
    question: Request[Any]
    answer: Any
    first_note_index: int
    heading: Say | None
    """The heading when the question was asked: the phase of the game."""
    first_outcome_index: int = 0

    @property
    def sentence(self) -> Say:
        """What happened, as a sentence."""
        return self.question.describe_answer(self.answer)

    @property
    def shuffled_pieces(self) -> tuple[Piece, ...]:
        """The cards that were shuffled or dealt."""
        return self.question.shuffled_pieces if isinstance(self.question, Done) else ()


RecallAnswer = Callable[[int], Say | None]
"""A function that returns the earlier answer to a question number as a sentence; None if it is unknown."""


def recall_no_answer(_: int) -> None:
    """Returns None for every question: no earlier answer is known."""


class RulebookRun:
    """A run of a rulebook: it waits at a question, or has returned its result.

    `steps`: all steps that the run received. `answered_questions`: its answers, each as it was parsed.
    `shown_places_at_corrections`: the shown places of rows at each correction. `reminder_step_count`: the
    number of steps after which the rulebook set the reminder of the table. `navigation_question_numbers`: the
    questions whose answer moved nothing and only opened the next question. `illegal_parts_by_number`: of each
    question asked part by part, the seats whose answer was no longer legal, with the reasons.
    `recall_answer` returns the earlier answer to a question; `ReplayConflict` quotes it.
    """

    def __init__(
        self,
        game: Game,
        began: Began,
        tags: TagLookup,
        player_names: Sequence[str] = (),
        recall_answer: RecallAnswer = recall_no_answer,
    ) -> None:
        self.game = game
        self._recall_answer = recall_answer
        options = game.parse_options({}) | began.options  # an older version's log lacks newer options
        decks = {name: cached_equal_deck(deck) for name, deck in began.decks.items()}
        seats = make_seats(player_names or began.names, began.colours)
        self.table = Table(seats, options, decks, tags, began.version)
        self.question: Request[Any] | None = None
        self.result: GameResult | None = None
        self.answered_questions: list[AnsweredQuestion] = []
        self.steps: list[Step] = []
        self.shown_places_at_corrections: list[Mapping[Place, Place]] = []
        self.reminder_step_count = 0
        self.navigation_question_numbers: set[int] = set()
        self.illegal_parts_by_number: dict[int, Mapping[Seat, Say]] = {}
        self._coroutine: Any = None
        self._start_rulebook()

    def send_answer(self, step: Answered, answer: Any) -> None:
        """Sends a checked answer to the rulebook; raises `RulesCrashed`, after which only a replay helps."""
        question, table = self.question, self.table
        assert question is not None
        if isinstance(answer, dict):
            self.illegal_parts_by_number[step.n] = question.illegal_parts(answer)
        may_only_navigate = _may_only_navigate(question)
        state = _visible_state(table) if may_only_navigate else ()
        self._record_and_send(step, answer)
        if may_only_navigate and _visible_state(table) == state and self._is_told_by_next_question(answer):
            self.navigation_question_numbers.add(step.n)

    def _record_and_send(self, step: Answered, answer: Any, *, is_adopted: bool = False) -> None:
        """Adds an answer to the history and sends it to the rulebook; raises `RulesCrashed`."""
        question, table = self.question, self.table
        assert question is not None
        self.answered_questions.append(
            AnsweredQuestion(
                step.n,
                question,
                answer,
                len(table.notes),
                table.heading,
                len(table.outcomes),
            )
        )
        self.steps.append(step)
        if table.shared_notes:
            table.shared_notes.clear()
        if isinstance(answer, dict):
            for seat, reason in self.illegal_parts_by_number[step.n].items():
                table.add_note(say("Only {seat} must answer again: {why}", seat=seat, why=reason))
            answer = {**answer}  # the rules may change the dictionary that they get
        try:
            self._send_to_rulebook(answer, is_adopted=is_adopted)
        except Exception as error:
            text = (
                "The rules of {game} crashed here. The answer doesn't count. Undo or correct something, "
                "then go on."
            )
            raise RulesCrashed(say(text, game=self.game.title)) from error

    def _is_told_by_next_question(self, answer: str) -> bool:
        """Returns whether the next question, or the end of the game, follows from an answer and says enough.

        If a player was chosen, the next question names or asks this player. If a player chose, the same
        player is asked what follows, or the table is asked after somebody went back.
        """
        question = self.answered_questions[-1].question
        if not isinstance(question, Choose):
            return True
        choice = question.options[answer]
        if self.question is None:
            return not question.seats and not seats_named_in(choice)
        if len(question.seats) == 1:
            is_way_back = (
                answer != PASS_KEY and isinstance(choice, DetailedOption) and choice.is_decline_option
            )
            return self.question.seats == question.seats or (is_way_back and not self.question.seats)
        chosen_seats = seats_named_in(choice)
        said_seats = seats_named_in(self.question.text) | seats_named_in(self.table.heading)
        asked_seats = self.question.seats if len(self.question.seats) == 1 else ()
        return chosen_seats <= said_seats.union(asked_seats)

    def apply_step(self, step: Step) -> None:
        """Applies one step of a log; raises `ReplayConflict` if it doesn't fit the open question."""
        try:
            if isinstance(step, Corrected):
                self.apply_correction_moves(step)
            else:
                self.send_answer(step, self._parse_and_check(step))
        except UserError as error:
            raise ReplayConflict(step.n, self.describe_step(step), error.text) from error

    def check_and_describe_answer(self, step: Answered) -> Say:
        """Returns the sentence for an answer to the open question; raises `UserError` if it isn't legal.

        The question stays open.
        """
        answer = self._parse_and_check(step)
        assert self.question is not None
        return self.question.describe_answer(answer)

    def apply_correction_moves(self, correction: Corrected) -> None:
        """Moves the pieces of a correction; raises `UserError` if they aren't there."""
        if self.result is not None:
            raise UserError(say("The game is over. Undo first, then correct."))
        self.shown_places_at_corrections.append(self.table.ledger.current_slot_by_place() or NO_SHOWN_PLACES)
        self.apply_transfer(correction)
        for transfer in correction.more:
            self.apply_transfer(transfer)
        self.table.after_moves_by_hand()
        self.table.ledger.end_movement_step()
        self.steps.append(correction)

    def apply_transfer(self, transfer: CorrectionMove | Corrected) -> None:
        """Moves the pieces of one transfer, without the follow-ups of a correction; raises `UserError`."""
        ledger = self.table.ledger
        moves = [(transfer.piece, transfer.target)]
        if transfer.face:
            moves.append((transfer.face, transfer.face_to))
        for piece_key, target_key in moves:
            self.table.move_by_hand(
                ledger.find_account_by_keys(transfer.source, piece_key),
                ledger.find_account_by_keys(target_key, piece_key),
                transfer.count,
            )

    def adopt_common_steps(self, other: RulebookRun, steps: Sequence[Step]) -> int:
        """Applies the first steps that are equal to those of another run; returns their number.

        The other run applied these steps at the same point, so they are neither parsed nor checked again.
        """
        if other.table.seats != self.table.seats:
            return 0
        answered_questions, step_count = iter(other.answered_questions), 0
        for step, other_step in zip(steps, other.steps, strict=False):
            if step is not other_step and step != other_step:
                break
            if isinstance(step, Answered):
                if step.n in other.illegal_parts_by_number:
                    self.illegal_parts_by_number[step.n] = other.illegal_parts_by_number[step.n]
                if step.n in other.navigation_question_numbers:
                    self.navigation_question_numbers.add(step.n)
                self._record_and_send(step, next(answered_questions).answer, is_adopted=True)
            else:
                self.apply_correction_moves(step)
            step_count += 1
        self.table.ledger.reuse_card_movements_of(other.table.ledger)
        return step_count

    def steps_up_to_answer(self, question_number: int) -> list[Step]:
        """Returns the steps up to the answer to a question."""
        (index,) = [
            index
            for index, step in enumerate(self.steps)
            if isinstance(step, Answered) and step.n == question_number
        ]
        return self.steps[: index + 1]

    def current_rulebook_line(self) -> str:
        """Returns the line of the rulebook that waits for an answer: `match:120 › auction:74`."""
        lines = []
        coroutine = self._coroutine
        while coroutine is not None and getattr(coroutine, "cr_frame", None) is not None:
            lines.append(f"{coroutine.cr_code.co_name}:{coroutine.cr_frame.f_lineno}")
            coroutine = coroutine.cr_await
        return " › ".join(lines)

    def replace_seat_numbers_with_names(self, log_key: str) -> str:
        """Returns a log key with the names of players instead of seat numbers."""
        for seat in self.table.seats:
            log_key = log_key.replace(seat.key, seat.name)
        return log_key

    def describe_step(self, step: Step) -> Text:
        """Returns a description of a step, in people's words if the question is still known."""
        sentence = self._recall_answer(step.n) if isinstance(step, Answered) else None
        return sentence or describe_step_from_log(self.table, step)

    def _parse_and_check(self, step: Answered) -> Any:
        question = self.question
        if question is None:
            raise IllegalAnswer(say("The game is already over at that point."))
        if not question.matches_log_key(step.asks):
            raise IllegalAnswer(describe_open_question(question))
        answer = question.parse_answer(step.answer)
        if not question.parts_by_seat:  # sealed answers are checked at the reveal
            question.check_answer(answer)
        return answer

    def result_or_score_so_far(self) -> GameResult | None:
        """Returns the result, or the score so far; None if the rules can't compute it."""
        if self.result is not None or self.table.score_so_far is None:
            return self.result
        try:
            return self.table.score_so_far()
        except Exception:  # noqa: BLE001 - people can end a game even if the rules can't compute its score
            return None

    def _tell_ending(self) -> None:
        """Adds a note of what ended the game, unless the last answer led to that note."""
        ending, answered = self.table.ending, self.answered_questions
        first_index = answered[-1].first_note_index if answered else 0
        if ending is not None and ending not in self.table.notes[first_index:]:
            self.table.add_note(ending)

    def _start_rulebook(self) -> None:
        """Starts the rulebook and runs it to its first question."""
        try:
            self._coroutine = _require_coroutine(self.game.play(self.table))
            self._send_to_rulebook(None)
        except Exception as error:
            text = "The rules of {game} crashed at the start: {why}."
            raise RulesCrashed(say(text, game=self.game.title, why=describe_exception(error))) from error

    def _send_to_rulebook(self, answer: Any, *, is_adopted: bool = False) -> None:
        """Sends an answer to the coroutine; raises the rulebook's errors.

        Raises `TypeError` if the rulebook yields no question or returns no result. The definition of a
        question that another run has asked already isn't checked again.
        """
        reminder = self.table.reminder
        try:
            question = self._coroutine.send(answer)
        except StopIteration as stop:
            self.question, self.result = None, _require_type(GameResult, stop.value)
            self._tell_ending()
            for text in overdrawn_place_texts(self.table.ledger):
                self.table.add_note(text)
        else:
            if not is_adopted and (fault := _require_type(Request, question).find_definition_fault()):
                raise ValueError(fault)
            self.question = question
        if self.table.reminder is not reminder:
            self.reminder_step_count = len(self.steps)
        self.table.ledger.end_movement_step()


def _may_only_navigate(question: Request[Any]) -> bool:
    """Returns whether an answer may do nothing but lead to the next question.

    It may be an answer that the table gives, also by an open question to several players, or the choice of a
    player. A number that a player answers alone is never without an effect.
    """
    return not question.is_sealed and (len(question.seats) != 1 or isinstance(question, Choose))


def _visible_state(table: Table) -> tuple[object, ...]:
    """Returns what everybody sees of the table, without counters of no player, such as that of the rounds.

    The heading or the next question says their number.
    """
    return (
        len(table.notes),
        len(table.outcomes),
        [
            (account.place, account.piece, account.count)
            for account in table.ledger
            if account.count and not account.covered and not account.is_common_counter
        ],
    )


def seats_named_in(text: object) -> frozenset[Seat]:
    """Returns the seats whose names are in a text or an option."""
    if isinstance(text, Seat):
        return frozenset((text,))
    if isinstance(text, DetailedOption):
        return seats_named_in(text.label)
    if not isinstance(text, Say):
        return frozenset()
    return frozenset[Seat]().union(*[seats_named_in(value) for _, value in text.args])


def _require_type(expected_type: type[T], value: Any) -> T:
    if isinstance(value, expected_type):
        return value
    if value is None:
        raise TypeError(f"The rulebook ends without a {expected_type.__name__}")
    raise TypeError(f"{value!r} is not a {expected_type.__name__}")


def _require_coroutine(value: object) -> object:
    if isinstance(value, Coroutine):
        return value
    raise TypeError("The rulebook isn't written with async def")


def replay_steps(
    game: Game, began: Began, steps: Iterable[Step], tags: TagLookup, player_names: Sequence[str] = ()
) -> RulebookRun:
    """Returns a run of the game after these steps, with other player names if any.

    Raises `ReplayConflict` at the first step that doesn't fit.
    """
    run = RulebookRun(game, began, tags, player_names)
    for step in steps:
        run.apply_step(step)
    return run


def build_amended_answer(
    question: Request[Any] | None, old_answer: Answered, json_answer: object, seat: Seat | None
) -> Any:
    """Returns the new answer of an amendment as JSON, checked against the question as it was asked."""
    assert question is not None
    if question.parts_by_seat and (seat is not None or question.is_sealed):
        if seat is None or seat not in question.parts_by_seat:
            names = say_list(question.seats)
            raise IllegalAnswer(
                say("Whose answer do you want to change? Type one of these names: {names}.", names=names)
            )
        part = question.parts_by_seat[seat]
        return {
            **old_answer.answer,
            str(seat.number): part.answer_to_json(parse_and_check_answer(part, json_answer)),
        }
    if seat is not None:
        text = "The answers to that question were not sealed: {question}"
        raise IllegalAnswer(say(text, question=question.text))
    return question.answer_to_json(parse_and_check_answer(question, json_answer))


class AppliedSteps(NamedTuple):
    """How many steps fitted and were applied, and why the next one doesn't fit; None if all fitted."""

    fitting_count: int
    conflict: ReplayConflict | None


def apply_fitting_steps(run: RulebookRun, steps: Sequence[Step]) -> AppliedSteps:
    """Applies steps while they fit."""
    for fitting_count, step in enumerate(steps):
        try:
            run.apply_step(step)
        except ReplayConflict as conflict:
            return AppliedSteps(fitting_count, conflict)
    return AppliedSteps(len(steps), None)


def describe_moves_between_runs(
    run_before: RulebookRun,
    run_after: RulebookRun,
    replay_to: Callable[[Sequence[Step]], RulebookRun],
    *,
    is_undo: bool,
) -> list[Say]:
    """Returns what people must move by hand to get from one run's table to another's.

    Shuffled cards can't be put back; people gather and shuffle them again. `replay_to` returns the run after
    some of the steps of `run_after`.
    """
    table, target = take_snapshot(run_before.table.ledger), take_snapshot(run_after.table.ledger)
    shuffles_before, shuffles_after = _shuffles_by_number(run_before), _shuffles_by_number(run_after)
    texts: list[Say] = []
    if undone_numbers := shuffles_before.keys() - shuffles_after.keys():
        texts.append(say("Gather all the cards and shuffle them again."))
        table = table.without_card_steps_of(
            {piece for n in undone_numbers for piece in shuffles_before[n].shuffled_pieces}
        )
        if isinstance(run_after.question, Done):
            table = table.with_pieces_from(target, run_after.question.shuffled_pieces)
    new_shuffles = [shuffle for n, shuffle in shuffles_after.items() if n not in shuffles_before]
    if new_shuffles:
        run_after_shuffles = replay_to(run_after.steps_up_to_answer(new_shuffles[-1].question_number))
        shuffled_table = take_snapshot(run_after_shuffles.table.ledger)
        for shuffle in new_shuffles:
            texts.append(shuffle.question.text)
            table = table.with_pieces_from(shuffled_table, shuffle.shuffled_pieces)
    return [*texts, *(move.instruction_text(is_return=is_undo) for move in diff_snapshots(table, target))]


def _shuffles_by_number(run: RulebookRun) -> dict[int, AnsweredQuestion]:
    """Returns the answered questions that asked people to shuffle or deal cards, by question number."""
    return {
        answered.question_number: answered
        for answered in run.answered_questions
        if isinstance(answered.question, Done) and answered.shuffled_pieces
    }


# What an amendment undid, after other answers


class RedoPlan(msgspec.Struct, frozen=True):
    """Which undone steps can be redone now: `redoable_count` steps, after `skipped_count` no longer asked."""

    skipped_count: int = 0
    redoable_count: int = 0


def plan_redo(run: RulebookRun, waiting_steps: Sequence[Step]) -> RedoPlan:
    """Returns how many of the undone steps (the next one first) can be redone; it consumes the run.

    Steps that are no longer asked are skipped if at least as many steps are redone after them. Nothing is
    redone if a skipped answer is asked right after the first answer that fits: the fitting answer belongs to
    a later time.
    """
    skipped_count, redoable_count, is_first_answer = _first_redoable_index(run, waiting_steps), 0, True
    for step in waiting_steps[skipped_count:]:
        try:
            run.apply_step(step)
        except (ReplayConflict, RulesCrashed):
            if redoable_count or isinstance(step, Answered):
                break
            skipped_count += 1
            continue
        redoable_count += 1
        if is_first_answer and isinstance(step, Answered):
            is_first_answer = False
            if any(_is_answer_to(run.question, skipped) for skipped in waiting_steps[:skipped_count]):
                return RedoPlan()
    if redoable_count and redoable_count >= skipped_count:
        return RedoPlan(skipped_count, redoable_count)
    return RedoPlan()


def redo_count_left_after_answer(
    get_redo_plan: Callable[[], RedoPlan], question: Request[object], waiting_steps: Sequence[Step]
) -> int:
    """Returns the number of redoable steps left after the open question is answered by hand.

    The new answer replaces the next answer that would be redone, or the first undone answer to this question.
    All steps stay if none of them answers it. `get_redo_plan` costs a replay, so it is called only if needed.
    """
    index = _index_of_answer(question, waiting_steps)
    if index is None:
        return len(waiting_steps)
    is_next = all(isinstance(step, Corrected) for step in waiting_steps[:index])
    if is_next or get_redo_plan().redoable_count:
        return len(waiting_steps) - index - 1
    return len(waiting_steps)


def _first_redoable_index(run: RulebookRun, waiting_steps: Sequence[Step]) -> int:
    """Returns where redo begins: at the answer to the open question, with the corrections just before it."""
    index = _index_of_answer(run.question, waiting_steps) or 0
    while index and isinstance(waiting_steps[index - 1], Corrected):
        index -= 1
    return index


def _index_of_answer(question: Request[object] | None, steps: Sequence[Step]) -> int | None:
    """Returns the index of the first step that is an answer to this question; None if there is none."""
    return next((index for index, step in enumerate(steps) if _is_answer_to(question, step)), None)


def _is_answer_to(question: Request[object] | None, step: Step) -> bool:
    """Returns whether a step is the answer to this question."""
    return isinstance(step, Answered) and question is not None and question.matches_log_key(step.asks)
