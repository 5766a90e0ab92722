"""One rulebook at work on one table, and how to get it back to any point: replay.

Undo, redo, amend, crash recovery and opening a saved game are all `replay`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from companion.cards import TagLookup, cached_deck
from companion.errors import IllegalAnswer, ReplayConflict, RulesCrashed, UserError, describe_exception
from companion.log.events import Answered, Began, Corrected, Step, Transfer
from companion.requests import Done, Request
from companion.rules.game import Game
from companion.session import misfits
from companion.session.entering import load_entered
from companion.table.belief import overdrawn_accounts
from companion.table.ledger import Piece, Place
from companion.table.moves import diff_snapshots, take_snapshot
from companion.table.scores import GameResult
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.texts import Say, Text, say, say_list

T = TypeVar("T")


class Told(msgspec.Struct, frozen=True, gc=False):
    """One answered question, for the history; its notes are `table.notes[first_note:]` up to the next's.

    Its winners are `table.winners[first_winner:]`, alike.
    """

    n: int
    question: Request[Any]
    answer: Any
    first_note: int
    heading: Say | None
    """Where in the game it was asked."""
    first_winner: int = 0

    @property
    def sentence(self) -> Say:
        """What happened, as a sentence."""
        return self.question.describe(self.answer)

    @property
    def shuffles(self) -> tuple[Piece, ...]:
        """The cards that were shuffled."""
        return self.question.shuffled_pieces if isinstance(self.question, Done) else ()


Recalled = Callable[[int], Say | None]


def nothing(_: int) -> None:
    """What is recalled where nothing was answered before."""


class Run:
    """A rulebook waiting at a question, or at its result.

    `taken`: all it took so far; `told`: its answers, each as it was read; `numbered`: how the places of rows
    were called at each correction.
    `recalled`: what was answered to a question another time, for the sentence about what no longer fits.
    """

    def __init__(
        self,
        game: Game,
        began: Began,
        tags: TagLookup,
        names: Sequence[str] = (),
        recalled: Recalled = nothing,
    ) -> None:
        self.game = game
        self._recalled = recalled
        options = game.parse_options({}) | began.options  # an older version's log lacks what came later
        decks = {name: cached_deck(deck) for name, deck in began.decks.items()}
        seats = make_seats(names or began.names, began.colours)
        self.table = Table(seats, options, decks, tags, began.version)
        self.question: Request[Any] | None = None
        self.result: GameResult | None = None
        self.told: list[Told] = []
        self.taken: list[Step] = []
        self.numbered: list[Mapping[Place, Place]] = []
        self._play: Any = None
        self._begin()

    def send(self, step: Answered, answer: Any) -> None:
        """Gives a checked answer to the rulebook; raises `RulesCrashed`, after which only a replay helps."""
        question, table = self.question, self.table
        assert question is not None
        counts = len(table.notes), table.heading, len(table.winners)
        self.told.append(Told(step.n, question, answer, *counts))
        self.taken.append(step)
        if isinstance(answer, dict):
            for seat, why in question.illegal_parts(answer).items():
                table.add_note(say("Only {seat} must answer again: {why}", seat=seat, why=why))
            answer = {**answer}  # the rules may change what they get
        try:
            self._send(answer)
        except Exception as fault:
            raise RulesCrashed(self._crash()) from fault

    def take(self, step: Step) -> None:
        """Plays one event of a log; raises `ReplayConflict` where it doesn't fit the question now asked."""
        try:
            if isinstance(step, Corrected):
                self.correct(step)
            else:
                self.send(step, self._checked(step))
        except UserError as error:
            raise ReplayConflict(step.n, self.was(step), error.text) from error

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
        self.numbered.append(self.table.ledger.current_slots() or misfits.NUMBERED)
        self.move(step)
        for one in step.more:
            self.move(one)
        self.table.after_moves_by_hand()
        self.table.ledger.end_step()
        self.taken.append(step)

    def move(self, one: Transfer | Corrected) -> None:
        """Moves pieces, and what else people decide from it isn't done yet; raises `UserError`."""
        ledger = self.table.ledger
        moves = [(one.piece, one.target), *([(one.face, one.face_to)] if one.face else ())]
        for piece, target in moves:
            self.table.move_by_hand(
                ledger.find_account(one.source, piece), ledger.find_account(target, piece), one.count
            )

    def again(self, known: Run, steps: Sequence[Step]) -> int:
        """Takes those first steps that another run of this game took too; gives how many they are.

        As that was at the same place then, they are neither read nor checked once more.
        """
        if known.table.seats != self.table.seats:
            return 0
        told, at = iter(known.told), 0
        for step, same in zip(steps, known.taken, strict=False):
            if step is not same and step != same:
                break
            if isinstance(step, Answered):
                self.send(step, next(told).answer)
            else:
                self.correct(step)
            at += 1
        self.table.ledger.share_step_log(known.table.ledger)
        return at

    def up_to(self, n: int) -> list[Step]:
        """All it took up to the answer to question `n`."""
        (at,) = [at for at, step in enumerate(self.taken) if isinstance(step, Answered) and step.n == n]
        return self.taken[: at + 1]

    def where(self) -> str:
        """The line of the rulebook the game waits at: `match:120 › auction:74`."""
        lines = []
        frame = self._play
        while frame is not None and getattr(frame, "cr_frame", None) is not None:
            lines.append(f"{frame.cr_code.co_name}:{frame.cr_frame.f_lineno}")
            frame = frame.cr_await
        return " › ".join(lines)

    def named(self, asks: str) -> str:
        """What a question asks, with names for the numbers of seats."""
        for seat in self.table.seats:
            asks = asks.replace(seat.key, seat.name)
        return asks

    def was(self, step: Step) -> Text:
        """What a step was, in people's words if somebody still knows the question."""
        told = self._recalled(step.n) if isinstance(step, Answered) else None
        return told or misfits.then(self.table, step)

    def _checked(self, step: Answered) -> Any:
        question = self.question
        if question is None:
            raise IllegalAnswer(say("The game is already over at that point."))
        if not question.matches_log_key(step.asks):
            raise IllegalAnswer(misfits.now(question))
        answer = question.load(step.answer)
        if not question.parts_by_seat:  # what was sealed is checked when it is open
            question.check(answer)
        return answer

    def score(self) -> GameResult | None:
        """The result, or the score as it stands; None where the rules can't tell it."""
        if self.result is not None or self.table.score_so_far is None:
            return self.result
        try:
            return self.table.score_so_far()
        except Exception:  # noqa: BLE001 - nobody can be kept in a game by a sum that fails
            return None

    def _begin(self) -> None:
        """Goes to the first question."""
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
) -> Run:
    """The run after these steps, with other names if any.

    Raises `ReplayConflict` at the first that doesn't fit.
    """
    run = Run(game, began, tags, names)
    for step in steps:
        run.take(step)
    return run


def amended(question: Request[Any] | None, old: Answered, given: object, seat: Seat | None) -> Any:
    """The answer to put in the old one's stead, checked against the question as it was asked."""
    assert question is not None
    if question.parts_by_seat and (seat is not None or question.is_sealed):
        if seat is None or seat not in question.parts_by_seat:
            names = say_list(question.seats)
            raise IllegalAnswer(
                say("Whose answer do you want to change? Type one of these names: {names}.", names=names)
            )
        part = question.parts_by_seat[seat]
        return {**old.answer, str(seat.number): part.dump(load_entered(part, given))}
    if seat is not None:
        text = "The answers to that question were not sealed: {question}"
        raise IllegalAnswer(say(text, question=question.text))
    return question.dump(load_entered(question, given))


def still_fitting(run: Run, steps: Sequence[Step]) -> tuple[int, ReplayConflict | None]:
    """How many of the steps this run takes, and why not the next."""
    for taken, step in enumerate(steps):
        try:
            run.take(step)
        except ReplayConflict as misfit:
            return taken, misfit
    return len(steps), None


def by_hand(before: Run, now: Run, replay: Callable[[Sequence[Step]], Run], *, back: bool) -> list[Say]:
    """What people do to make one run's table the other's; cards that were shuffled can't be laid `back`.

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
        dealt = take_snapshot(replay(now.up_to(shuffled[-1].n)).table.ledger)
        for done in shuffled:
            texts.append(done.question.text)
            here = here.with_pieces_of(dealt, done.shuffles)
    return [*texts, *(move.instruction(back=back) for move in diff_snapshots(here, there))]


def _done(run: Run) -> Iterator[Told]:
    """What people did to cards and pieces because they were told to; every going back looks for it."""
    return (told for told in run.told if type(told.question) is Done)
