"""One rulebook that plays on one table, and how it gets back to any point: replay.

Undo, redo, amend, crash recovery and opening a saved game are all a replay of a log's steps. A step that no
longer fits raises `ReplayConflict`, which says in people's words what it was and what is asked now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from companion.cards import TagLookup, cached_deck
from companion.errors import IllegalAnswer, ReplayConflict, RulesCrashed, UserError, describe_exception
from companion.log.events import Answered, Began, Corrected, Step, Transfer
from companion.requests import Done, Request
from companion.rules.game import Game
from companion.screen_characters import check_showable
from companion.table.ledger import Ledger, Piece, Place
from companion.table.moves import PieceMove, diff_snapshots, take_snapshot
from companion.table.moves_by_hand import overdrawn_accounts
from companion.table.scores import GameResult
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.texts import Say, Text, render, say, say_list, shorten


def load_new_answer(question: Request[Any], given: object) -> Any:
    """The answer, loaded and checked against its question; raises `IllegalAnswer`."""
    answer = question.load(given)
    question.check(answer)
    try:
        _check_texts(given)
    except UserError as error:
        raise IllegalAnswer(error.text) from None
    return answer


def _check_texts(given: object) -> None:
    """Checks every text in a plain answer; the question has bounded its size and depth already."""
    if isinstance(given, str):
        check_showable(given)
    elif isinstance(given, dict):
        for each in given.values():
            _check_texts(each)
    elif isinstance(given, list | tuple):
        for each in given:
            _check_texts(each)


# Descriptions of steps and questions


NO_SLOTS: dict[Place, Place] = {}
"""The slots of a table without compact rows."""


def is_hidden_correction(ledger: Ledger, step: Corrected) -> bool:
    """Returns whether pieces went into or out of a covered place; raises `UserError` for unknown places."""
    return any(_is_covered(ledger, one) for one in step.moves)


def _is_covered(ledger: Ledger, one: Transfer) -> bool:
    return any(ledger.find_account(place, one.piece).covered for place in (one.source, one.target))


def describe_correction(ledger: Ledger, step: Corrected, numbered: Mapping[Place, Place] = NO_SLOTS) -> Say:
    """Returns a sentence about what people moved by hand; raises `UserError` for unknown places or pieces.

    `numbered` is how the places of rows were called then.
    """
    seen = [_moved(ledger, one, numbered).line for one in step.moves if not _is_covered(ledger, one)]
    if not seen:
        return _because(say("Hidden correction"), step.reason)
    more = [say("other moves, which are hidden")] if len(seen) < len(step.moves) else []
    moves = say_list([*seen, *more])
    if not step.reason:
        return say("{moves}", moves=moves)
    return _because(say("Corrected: {moves}", moves=moves), step.reason)


def _because(what: Say, reason: str) -> Say:
    """Returns the sentence with the reason, shortened: in old logs a reason may be as long as a page."""
    return shorten(say("{what} ({reason})", what=what, reason=reason)) if reason else what


def _moved(ledger: Ledger, one: Transfer, numbered: Mapping[Place, Place]) -> PieceMove:
    """Returns the move; it names the card's face, because that says more than its back."""
    source, target = (
        ledger.find_account(one.source, one.face or one.piece),
        ledger.find_account(one.target, one.piece),
    )
    start, end = (numbered.get(place, place) for place in (source.place, target.place))
    return PieceMove(source.piece, start, end, one.count)


def describe_step(table: Table, step: Step) -> Text:
    """Returns what a step was, from the log alone. There a question names pieces by their keys."""
    if isinstance(step, Corrected):
        try:
            return describe_correction(table.ledger, step)
        except UserError:
            return _because(say("Corrected"), step.reason)
    head, _, about = step.asks.partition(": ")
    labels = {account.piece.key: render(account.piece) for account in table.ledger}
    if labels:
        keys = "|".join(re.escape(key) for key in sorted(labels, key=len, reverse=True))
        about = re.sub(rf"\b({keys})\b", lambda found: labels[found[0]], about)
    seats = [seat for seat in table.seats if seat.key in head.split()]
    return say("{seat}: {question}", seat=say_list(seats), question=about) if seats else about


def describe_question(question: Request[Any]) -> Say:
    """Returns a sentence with the question that is open now and whom it asks."""
    text = question.text
    seats = [seat for seat in question.seats if ("seat", seat) not in text.args]
    if seats:
        text = say("{seat}: {question}", seat=say_list(seats), question=text)
    return say("The question now is: “{question}”", question=text)


# Replay


T = TypeVar("T")


class AnsweredQuestion(msgspec.Struct, frozen=True, gc=False):
    """One answered question, for the history; its notes are `table.notes[first_note:]` up to the next's.

    Its winners are `table.winners[first_winner:]`, alike.
    """

    n: int
    question: Request[Any]
    answer: Any
    first_note: int
    heading: Say | None
    """The heading when it was asked: where in the game that was."""
    first_winner: int = 0

    @property
    def sentence(self) -> Say:
        """What happened, as a sentence."""
        return self.question.describe(self.answer)

    @property
    def shuffles(self) -> tuple[Piece, ...]:
        """The cards that were shuffled."""
        return self.question.shuffled_pieces if isinstance(self.question, Done) else ()


RecallAnswer = Callable[[int], Say | None]


def recall_nothing(_: int) -> None:
    """Returns None: nothing was answered before."""


class RulebookRun:
    """A rulebook that waits at a question, or has returned its result.

    `steps`: all it took so far; `answered`: its answers, each as it was read; `slots_at_corrections`: how the
    places of rows were called at each correction.
    `recalled`: what was answered to a question another time, for the sentence about what no longer fits.
    """

    def __init__(
        self,
        game: Game,
        began: Began,
        tags: TagLookup,
        names: Sequence[str] = (),
        recalled: RecallAnswer = recall_nothing,
    ) -> None:
        self.game = game
        self._recalled = recalled
        options = game.parse_options({}) | began.options  # an older version's log lacks what came later
        decks = {name: cached_deck(deck) for name, deck in began.decks.items()}
        seats = make_seats(names or began.names, began.colours)
        self.table = Table(seats, options, decks, tags, began.version)
        self.question: Request[Any] | None = None
        self.result: GameResult | None = None
        self.answered: list[AnsweredQuestion] = []
        self.steps: list[Step] = []
        self.slots_at_corrections: list[Mapping[Place, Place]] = []
        self._play: Any = None
        self._begin()

    def send(self, step: Answered, answer: Any) -> None:
        """Sends a checked answer to the rulebook; raises `RulesCrashed`, after which only a replay helps."""
        question, table = self.question, self.table
        assert question is not None
        counts = len(table.notes), table.heading, len(table.winners)
        self.answered.append(AnsweredQuestion(step.n, question, answer, *counts))
        self.steps.append(step)
        if isinstance(answer, dict):
            for seat, why in question.illegal_parts(answer).items():
                table.add_note(say("Only {seat} must answer again: {why}", seat=seat, why=why))
            answer = {**answer}  # the rules may change what they get
        try:
            self._send(answer)
        except Exception as fault:
            raise RulesCrashed(self._crash()) from fault

    def apply(self, step: Step) -> None:
        """Plays one event of a log; raises `ReplayConflict` where it doesn't fit the question now asked."""
        try:
            if isinstance(step, Corrected):
                self.correct(step)
            else:
                self.send(step, self._checked(step))
        except UserError as error:
            raise ReplayConflict(step.n, self.describe_step(step), error.text) from error

    def describe(self, step: Answered) -> Say:
        """The sentence for an answer to the open question; raises `UserError` where it doesn't fit.

        The question stays open.
        """
        answer = self._checked(step)
        assert self.question is not None
        return self.question.describe(answer)

    def correct(self, step: Corrected) -> None:
        """Moves pieces as the table did by hand; raises `UserError` where they aren't there."""
        if self.result is not None:
            raise UserError(say("The game is over. Undo first, then correct."))
        self.slots_at_corrections.append(self.table.ledger.current_slots() or NO_SLOTS)
        self.move(step)
        for one in step.more:
            self.move(one)
        self.table.after_moves_by_hand()
        self.table.ledger.end_step()
        self.steps.append(step)

    def move(self, one: Transfer | Corrected) -> None:
        """Moves pieces, and what else people decide from it isn't done yet; raises `UserError`."""
        ledger = self.table.ledger
        moves = [(one.piece, one.target), *([(one.face, one.face_to)] if one.face else ())]
        for piece, target in moves:
            self.table.move_by_hand(
                ledger.find_account(one.source, piece), ledger.find_account(target, piece), one.count
            )

    def adopt_steps(self, known: RulebookRun, steps: Sequence[Step]) -> int:
        """Takes those first steps that another run of this game took too; gives how many they are.

        As that was at the same place then, they are neither read nor checked once more.
        """
        if known.table.seats != self.table.seats:
            return 0
        told, at = iter(known.answered), 0
        for step, same in zip(steps, known.steps, strict=False):
            if step is not same and step != same:
                break
            if isinstance(step, Answered):
                self.send(step, next(told).answer)
            else:
                self.correct(step)
            at += 1
        self.table.ledger.share_step_log(known.table.ledger)
        return at

    def steps_up_to(self, n: int) -> list[Step]:
        """Returns the steps up to the answer to question `n`."""
        (at,) = [at for at, step in enumerate(self.steps) if isinstance(step, Answered) and step.n == n]
        return self.steps[: at + 1]

    def rulebook_line(self) -> str:
        """Returns the line of the rulebook that waits for an answer: `match:120 › auction:74`."""
        lines = []
        frame = self._play
        while frame is not None and getattr(frame, "cr_frame", None) is not None:
            lines.append(f"{frame.cr_code.co_name}:{frame.cr_frame.f_lineno}")
            frame = frame.cr_await
        return " › ".join(lines)

    def with_player_names(self, asks: str) -> str:
        """Returns a log key with the names of players instead of seat numbers."""
        for seat in self.table.seats:
            asks = asks.replace(seat.key, seat.name)
        return asks

    def describe_step(self, step: Step) -> Text:
        """Returns what a step was, in people's words if the question is still known."""
        told = self._recalled(step.n) if isinstance(step, Answered) else None
        return told or describe_step(self.table, step)

    def _checked(self, step: Answered) -> Any:
        question = self.question
        if question is None:
            raise IllegalAnswer(say("The game is already over at that point."))
        if not question.matches_log_key(step.asks):
            raise IllegalAnswer(describe_question(question))
        answer = question.load(step.answer)
        if not question.parts_by_seat:  # what was sealed is checked when it is open
            question.check(answer)
        return answer

    def score(self) -> GameResult | None:
        """Returns the result, or the score so far; None if the rules can't tell it."""
        if self.result is not None or self.table.score_so_far is None:
            return self.result
        try:
            return self.table.score_so_far()
        except Exception:  # noqa: BLE001 - nobody can be kept in a game by a sum that fails
            return None

    def _begin(self) -> None:
        """Starts the rulebook and runs it to its first question."""
        try:
            self._play = _coroutine(self.game.play(self.table))
            self._send(None)
        except Exception as fault:
            text = "The rules of {game} crashed at the start: {why}."
            raise RulesCrashed(say(text, game=self.game.title, why=describe_exception(fault))) from fault

    def _send(self, answer: Any) -> None:
        """Raises whatever the rulebook raises, `TypeError` for what is neither a question nor a result."""
        try:
            question = self._play.send(answer)
        except StopIteration as end:
            self.question, self.result = None, _of(GameResult, end.value)
            for text in overdrawn_accounts(self.table.ledger):
                self.table.add_note(text)
        else:
            if (fault := _of(Request, question).find_fault()) is not None:
                raise ValueError(fault)
            self.question = question
        self.table.ledger.end_step()

    def _crash(self) -> Say:
        return say("The rules of {game} crashed here. The answer doesn't count. Undo or correct something, "
"then go on.",
                   game=self.game.title)  # fmt: skip  # one sentence


def _of(kind: type[T], value: Any) -> T:
    if isinstance(value, kind):
        return value
    if value is None:
        raise TypeError(f"The rulebook ends without a {kind.__name__}")
    raise TypeError(f"{value!r} is not a {kind.__name__}")


def _coroutine(value: object) -> object:
    if isinstance(value, Coroutine):
        return value
    raise TypeError("The rulebook isn't written with async def")


def replay(
    game: Game, began: Began, steps: Iterable[Step], tags: TagLookup, names: Sequence[str] = ()
) -> RulebookRun:
    """The run after these steps, with other names if any.

    Raises `ReplayConflict` at the first that doesn't fit.
    """
    run = RulebookRun(game, began, tags, names)
    for step in steps:
        run.apply(step)
    return run


def amended_answer(question: Request[Any] | None, old: Answered, given: object, seat: Seat | None) -> Any:
    """Returns the new answer of an amendment (as JSON), checked against the question as it was asked."""
    assert question is not None
    if question.parts_by_seat and (seat is not None or question.is_sealed):
        if seat is None or seat not in question.parts_by_seat:
            names = say_list(question.seats)
            raise IllegalAnswer(
                say("Whose answer do you want to change? Type one of these names: {names}.", names=names)
            )
        part = question.parts_by_seat[seat]
        return {**old.answer, str(seat.number): part.dump(load_new_answer(part, given))}
    if seat is not None:
        text = "The answers to that question were not sealed: {question}"
        raise IllegalAnswer(say(text, question=question.text))
    return question.dump(load_new_answer(question, given))


def count_fitting(run: RulebookRun, steps: Sequence[Step]) -> tuple[int, ReplayConflict | None]:
    """Applies steps while they fit; returns how many fitted, and why the next doesn't."""
    for taken, step in enumerate(steps):
        try:
            run.apply(step)
        except ReplayConflict as misfit:
            return taken, misfit
    return len(steps), None


def moves_by_hand(
    before: RulebookRun, now: RulebookRun, replay: Callable[[Sequence[Step]], RulebookRun], *, back: bool
) -> list[Say]:
    """Returns what people move to get from one run's table to the other's; shuffled cards can't be put back.

    `replay` gives the run after some of the steps that `now` took.
    """
    here, there = take_snapshot(before.table.ledger), take_snapshot(now.table.ledger)
    was, known = ({told.n: told.shuffles for told in _done(run) if told.shuffles} for run in (before, now))
    texts: list[Say] = []
    if lost := was.keys() - known.keys():
        texts.append(say("Gather all the cards and shuffle them again."))
        here = here.without_history_of({piece for n in lost for piece in was[n]})
        if isinstance(now.question, Done):
            here = here.with_pieces_of(there, now.question.shuffled_pieces)
    shuffled = [told for told in _done(now) if told.shuffles and told.n not in was]
    if shuffled:
        dealt = take_snapshot(replay(now.steps_up_to(shuffled[-1].n)).table.ledger)
        for done in shuffled:
            texts.append(done.question.text)
            here = here.with_pieces_of(dealt, done.shuffles)
    return [*texts, *(move.instruction(back=back) for move in diff_snapshots(here, there))]


def _done(run: RulebookRun) -> Iterator[AnsweredQuestion]:
    """Yields the answered `Done` questions of a run."""
    return (told for told in run.answered if type(told.question) is Done)
