"""How long everything took, folded from the log of a game: nothing of it is kept anywhere else.

All is in ticks, thousandths of a second of play, so that sums are exact.
Time never comes back to a budget. What is taken back gives turn and lot their whole time again,
and a question taken back before it was answered costs nobody anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from companion.clocks.clock_settings import ClockSettings, TimeLimit
from companion.log.events import (
    SILENCE,
    Amended,
    Answered,
    Corrected,
    Event,
    Redone,
    Reopened,
    Sealed,
    Step,
    Undone,
)
from companion.requests import Raise, Request
from companion.table.seats import Seat, Seats
from companion.texts import Say, say

TICKS_PER_SECOND = 1000
"""Ticks."""
SEAT_KEY = re.compile("@[0-9]")


class QuestionStretch(msgspec.Struct, gc=False):
    """Questions in a row about the same (`of`), since when; `bids` are the ticks at which somebody bid."""

    of: object
    since: int
    bids: list[int] = []


class TimeUse(msgspec.Struct):
    """`asked` is when the open question was; `spent` goes by the number of the seat.

    `sealed` is when a seat's envelope for the open question was closed last.
    `turn` and `lot` are those of the last answer; the open question may go on with them.
    `silent` are the numbers of question and seat where silence answered.
    """

    now: int = 0
    asked: int = 0
    spent: Counter[int] = msgspec.field(default_factory=Counter)
    sealed: dict[int, int] = {}
    turn: QuestionStretch | None = None
    lot: QuestionStretch | None = None
    silent: set[tuple[int, int]] = set()

    def add(self, event: Event) -> None:
        """Takes one more event of the log into account."""
        self.now = max(self.now, to_ticks(getattr(event, "at", 0.0)))
        match event:
            case Answered():
                self._answered(event)
                self._ask()
            case Sealed():
                self.sealed[event.seat] = self.now
                self._note_silence(event.n, event.seat, silent=event.silent)
            case Undone() | Redone() | Amended() | Reopened():
                self._ask_another()
            case Corrected() if event.asks_anew:
                self._ask_another()

    def _answered(self, event: Answered) -> None:
        kind, seats, about = parse_question_key(event.asks)
        for seat in seats:
            self.spent[seat] += self.sealed.get(seat, self.now) - self.asked
            if not event.salts:  # of a sealed round each envelope says so
                self._note_silence(event.n, seat, silent=event.via in SILENCE)
        self.turn = self.stretch(self.turn, seats)
        self.lot = self.stretch(self.lot, about) if kind == Raise.kind else None
        if self.lot and event.answer is not None:
            self.lot.bids.append(self.now)

    def _note_silence(self, n: int, seat: int, *, silent: bool) -> None:
        if silent:
            self.silent.add((n, seat))
        else:
            self.silent.discard((n, seat))

    def stretch(self, last: QuestionStretch | None, of: object) -> QuestionStretch:
        """The last one where the open question goes on with it, else one that begins with that question."""
        return last if last and last.of == of else QuestionStretch(of, self.asked)

    def _ask_another(self) -> None:
        self.turn = self.lot = None
        self._ask()

    def _ask(self) -> None:
        self.asked = self.now
        self.sealed = {}


def time_use(events: Iterable[Event]) -> TimeUse:
    """What these events say of time."""
    times = TimeUse()
    for event in events:
        times.add(event)
    return times


@lru_cache(1024)
def parse_question_key(asks: str) -> tuple[str, tuple[int, ...], str]:
    """What a log says was asked, taken apart: `Raise @1: chip 7` is ("Raise", (1,), "chip 7").

    What no question asks so takes nobody's time; that it no longer fits is said when it is played again.
    """
    head, _, about = asks.partition(": ")
    kind, *seats = head.split() or [""]
    return kind, tuple(int(seat[1:]) for seat in seats if SEAT_KEY.fullmatch(seat)), about


def count_finished_turns(
    steps: Sequence[Step], question: Request[object], silent: Collection[tuple[int, int]]
) -> Counter[int]:
    """How many turns in force each seat has finished itself; what `question` goes on with isn't finished.

    `silent` are the numbers of question and seat where silence answered: it finishes no turn for a seat.
    """
    found: Counter[int] = Counter()
    answered = [(step.n, parse_question_key(step.asks)[1]) for step in steps if isinstance(step, Answered)]
    for (n, seats), (_, following) in pairwise([*answered, (0, parse_question_key(question.log_key)[1])]):
        if seats != following:
            found.update(seat for seat in seats if (n, seat) not in silent)
    return found


def thinking_ticks(
    times: TimeUse, seat: Seat, now: int, asked: Collection[Seat], sealed: Collection[Seat]
) -> int:
    """The ticks a seat has used, up to now."""
    if seat not in asked:
        return times.spent[seat.number]
    until = times.sealed.get(seat.number, now) if seat in sealed else now
    return times.spent[seat.number] + until - times.asked


def to_ticks(seconds: float) -> int:
    """Seconds as whole ticks."""
    return round(seconds * TICKS_PER_SECOND)


# The watch of play, and what the clocks of a table show at a moment: how long each has gone and has left.


BUDGET_KEY, PRICE_KEY = "budget", "price"
FINAL_SECONDS = 10
"""The last seconds of a clock, which are seen and heard."""


class RunningClock(msgspec.Struct, frozen=True):
    """One clock: `key` is turn, lot, price, game, budget or a kind of question; `gone` and `whole` are ticks.

    `whole` is None where it only counts up. It is up for `seats`, and stands still unless it `goes`.
    """

    key: str
    gone: int
    whole: int | None
    answers: bool
    seats: tuple[Seat, ...] = ()
    goes: bool = True

    @property
    def left(self) -> int | None:
        """Ticks until it is up, less than 0 afterwards; None where it only counts up."""
        return None if self.whole is None else self.whole - self.gone

    @property
    def up(self) -> bool:
        """Whether its time is over."""
        return self.goes and self.left is not None and self.left <= 0

    @property
    def ending(self) -> bool:
        """Whether it is in its last ten seconds; a price is never longer and doesn't frighten anybody."""
        return (
            self.key != PRICE_KEY
            and self.goes
            and self.left is not None
            and 0 < self.left <= FINAL_SECONDS * TICKS_PER_SECOND
        )

    @property
    def share(self) -> float:
        """How much of its time is left, from 1 to 0; 1 where it only counts up."""
        return 1.0 if not self.whole or self.left is None else min(1.0, max(0.0, self.left / self.whole))

    @property
    def face(self) -> str:
        """What is left, or where it only counts up what has gone: `0:42`, `1:02:03`, `-0:05`."""
        shown = self.gone if self.left is None else self.left
        seconds = -(-shown // TICKS_PER_SECOND) if self.left is not None else shown // TICKS_PER_SECOND
        sign, (minutes, seconds) = "-" * (seconds < 0), divmod(abs(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{sign}{hours}:{minutes:02}:{seconds:02}" if hours else f"{sign}{minutes}:{seconds:02}"

    @property
    def name(self) -> Say:
        """Which clock it is."""
        match self.key, self.seats:
            case "turn", _:
                return say("turn")
            case "lot", _:
                return say("lot")
            case "price", _:
                return say("price")
            case "game", _:
                return say("game")
            case "budget", (seat,):
                return say("{seat}", seat=seat)
        return say("question")

    @property
    def ring(self) -> Say:
        """What is said when it is up."""
        match self.key, self.seats:
            case "game", _:
                return say("The time for this game is up.")
            case "lot", _:
                return say("The time for this lot is up.")
            case "budget", (seat,):
                return say("{seat} has used up all their time.", seat=seat)
            case _, (seat,):
                return say("Time is up, {seat}.", seat=seat)
        return say("Time is up.")


class ClockContext(msgspec.Struct, frozen=True):
    """What clocks must know of a game: the question, `now` in ticks of play, who sits there and has sealed.

    `turns` are those each seat has finished.
    """

    question: Request[object]
    now: int
    seats: Seats
    sealed: Collection[Seat]
    turns: Counter[int]


def running_clocks(clocks: ClockSettings, times: TimeUse, moment: ClockContext) -> list[RunningClock]:
    """All clocks of the table at this moment."""
    asked = moment.question.seats
    missing = tuple(seat for seat in asked if seat not in moment.sealed)
    found = [
        _clock(key, limit, moment.now - since, missing)
        for key, limit, since in _question_clocks(clocks, times, moment.question)
    ]
    if clocks.lot and isinstance(moment.question, Raise):
        found.append(_lot_clock(clocks, clocks.lot, times, moment))
    if clocks.game:
        found.append(_clock("game", clocks.game, moment.now, ()))
    return [*found, *_budget_clocks(clocks, times, moment)]


def _question_clocks(
    clocks: ClockSettings, times: TimeUse, question: Request[object]
) -> Iterator[tuple[str, TimeLimit, int]]:
    """The clocks of the open question, with the tick at which each began."""
    if question.kind in clocks.kinds:
        yield question.kind, clocks.kinds[question.kind], times.asked
    if clocks.price and "race" in question.form.side_facts:
        yield PRICE_KEY, clocks.price, times.asked
    if clocks.turn and question.seats:
        seats = tuple(seat.number for seat in question.seats)
        yield "turn", clocks.turn, times.stretch(times.turn, seats).since


def _lot_clock(clocks: ClockSettings, limit: TimeLimit, times: TimeUse, moment: ClockContext) -> RunningClock:
    assert isinstance(moment.question, Raise)
    lot = times.stretch(times.lot, moment.question.about.key)
    shown = _clock("lot", limit, moment.now - lot.since, moment.question.seats)
    late = clocks.extension * TICKS_PER_SECOND
    for bid in lot.bids if shown.whole is not None else ():
        shown = msgspec.structs.replace(shown, whole=max(shown.whole or 0, bid + late - lot.since))
    return shown


def _budget_clocks(clocks: ClockSettings, times: TimeUse, moment: ClockContext) -> Iterator[RunningClock]:
    limit, asked = clocks.budget, moment.question.seats
    if limit is None or limit.seconds is None:
        return
    for seat in moment.seats:
        whole = (limit.seconds + clocks.increment * moment.turns[seat.number]) * TICKS_PER_SECOND
        gone = thinking_ticks(times, seat, moment.now, asked, moment.sealed)
        goes = seat in asked and seat not in moment.sealed
        yield RunningClock(BUDGET_KEY, gone, whole, limit.answers, (seat,), goes)


def _clock(key: str, limit: TimeLimit, gone: int, seats: tuple[Seat, ...]) -> RunningClock:
    whole = None if limit.seconds is None else limit.seconds * TICKS_PER_SECOND
    return RunningClock(key, gone, whole, limit.answers, seats)


class Stopwatch:
    """`Stopwatch(time.monotonic, 812.5)` stands at 812.5 until `go`; `clock` has any zero and never jumps."""

    def __init__(self, clock: Callable[[], float], at: float = 0.0) -> None:
        self._clock = clock
        self._at = at
        self._ahead: float | None = None

    @property
    def seconds(self) -> float:
        """How long was played, to the thousandth."""
        at = self._at if self._ahead is None else self._clock() + self._ahead
        return int(at * 1000 + 0.5) / 1000  # a quarter of what `round` takes, at every answer

    @property
    def stands(self) -> bool:
        """Whether time stands still."""
        return self._ahead is None

    def go(self) -> None:
        """From now on time is play."""
        if self._ahead is None:
            self._ahead = self._at - self._clock()

    def stop(self) -> None:
        """From now on nothing is counted."""
        self._at, self._ahead = self.seconds, None
