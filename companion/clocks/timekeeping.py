"""How long everything took, computed from the log of a game, and what the clocks show at a moment.

All times are in ticks, thousandths of a second of play, so that sums are exact. The time of an undone answer
isn't given back to a budget. Undo gives turn and lot their whole time again. A question that was taken back
before it was answered costs nobody time.
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
    DEFAULT_ANSWER_SOURCES,
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
"""The ticks in a second of play: all times are whole thousandths of a second."""
SEAT_KEY = re.compile("@[0-9]")


class QuestionSequence(msgspec.Struct, gc=False):
    """Successive questions about one `subject`: the tick at which they began, and the ticks of the bids."""

    subject: object
    start_ticks: int
    bid_ticks: list[int] = []


class TimeUse(msgspec.Struct):
    """How a game used its time: `ticks_by_seat` goes by the number of the seat.

    `asked_ticks`: when the open question was asked. `sealed_ticks`: when a seat's envelope for it was last
    closed. `turn` and `lot` are those of the last answer; the open question may continue them.
    `timed_out`: the numbers of question and seat that the default answer answered.
    """

    now_ticks: int = 0
    asked_ticks: int = 0
    ticks_by_seat: Counter[int] = msgspec.field(default_factory=Counter)
    sealed_ticks: dict[int, int] = {}
    turn: QuestionSequence | None = None
    lot: QuestionSequence | None = None
    timed_out: set[tuple[int, int]] = set()

    def add_event(self, event: Event) -> None:
        """Adds the time of one more event of the log."""
        self.now_ticks = max(self.now_ticks, to_ticks(getattr(event, "at", 0.0)))
        match event:
            case Answered():
                self._answered(event)
                self._ask()
            case Sealed():
                self.sealed_ticks[event.seat] = self.now_ticks
                self._note_silence(event.n, event.seat, silent=event.silent)
            case Undone() | Redone() | Amended() | Reopened():
                self._ask_another()
            case Corrected() if event.opens_new_question:
                self._ask_another()

    def _answered(self, event: Answered) -> None:
        kind, seats, about = parse_question_key(event.asks)
        for seat in seats:
            self.ticks_by_seat[seat] += self.sealed_ticks.get(seat, self.now_ticks) - self.asked_ticks
            if not event.salts:  # of a sealed round each envelope says so
                self._note_silence(event.n, seat, silent=event.via in DEFAULT_ANSWER_SOURCES)
        self.turn = self.continue_or_start_sequence(self.turn, seats)
        self.lot = self.continue_or_start_sequence(self.lot, about) if kind == Raise.kind else None
        if self.lot and event.answer is not None:
            self.lot.bid_ticks.append(self.now_ticks)

    def _note_silence(self, n: int, seat: int, *, silent: bool) -> None:
        if silent:
            self.timed_out.add((n, seat))
        else:
            self.timed_out.discard((n, seat))

    def continue_or_start_sequence(
        self, previous: QuestionSequence | None, subject: object
    ) -> QuestionSequence:
        """Returns `previous` if the open question has the same subject, else a new sequence."""
        return (
            previous
            if previous and previous.subject == subject
            else QuestionSequence(subject, self.asked_ticks)
        )

    def _ask_another(self) -> None:
        self.turn = self.lot = None
        self._ask()

    def _ask(self) -> None:
        self.asked_ticks = self.now_ticks
        self.sealed_ticks = {}


def compute_time_use(events: Iterable[Event]) -> TimeUse:
    """Returns how the time was used in these events."""
    times = TimeUse()
    for event in events:
        times.add_event(event)
    return times


@lru_cache(1024)
def parse_question_key(log_key: str) -> tuple[str, tuple[int, ...], str]:
    """Returns the parts of a question's log key: `Raise @1: chip 7` is ("Raise", (1,), "chip 7").

    A key that no question has takes nobody's time; the replay reports that it no longer fits.
    """
    head, _, about = log_key.partition(": ")
    kind, *seats = head.split() or [""]
    return kind, tuple(int(seat[1:]) for seat in seats if SEAT_KEY.fullmatch(seat)), about


def count_finished_turns(
    steps: Sequence[Step], question: Request[object], timed_out: Collection[tuple[int, int]]
) -> Counter[int]:
    """Returns the number of finished turns of each seat.

    Only turns in force count that the seat has finished itself. Those that `question` continues
    aren't finished. `timed_out` are the numbers of question and seat that the default answer
    answered: it finishes no turn.
    """
    found: Counter[int] = Counter()
    answered = [(step.n, parse_question_key(step.asks)[1]) for step in steps if isinstance(step, Answered)]
    for (n, seats), (_, following) in pairwise([*answered, (0, parse_question_key(question.log_key)[1])]):
        if seats != following:
            found.update(seat for seat in seats if (n, seat) not in timed_out)
    return found


def thinking_ticks(
    times: TimeUse, seat: Seat, now_ticks: int, asked_seats: Collection[Seat], sealed_seats: Collection[Seat]
) -> int:
    """Returns the ticks that a seat has used for its answers up to now."""
    if seat not in asked_seats:
        return times.ticks_by_seat[seat.number]
    until = times.sealed_ticks.get(seat.number, now_ticks) if seat in sealed_seats else now_ticks
    return times.ticks_by_seat[seat.number] + until - times.asked_ticks


def to_ticks(seconds: float) -> int:
    """Returns seconds as whole ticks."""
    return round(seconds * TICKS_PER_SECOND)


# Clocks


BUDGET_KEY, PRICE_KEY = "budget", "price"
FINAL_WARNING_SECONDS = 10
"""The last seconds of a clock, in which front ends show and sound a warning."""


class ClockState(msgspec.Struct, frozen=True):
    """The state of one clock: what it measures, its time and its limit.

    `key` is turn, lot, price, game, budget or a kind of question. `limit_ticks` is None if the clock
    only counts up. The time is that of `seats`; the clock stops unless it `is_running`.
    """

    key: str
    elapsed_ticks: int
    limit_ticks: int | None
    answers_on_timeout: bool
    seats: tuple[Seat, ...] = ()
    is_running: bool = True

    @property
    def remaining_ticks(self) -> int | None:
        """The ticks that remain until the time is up.

        They are negative afterwards. None if the clock only counts up.
        """
        return None if self.limit_ticks is None else self.limit_ticks - self.elapsed_ticks

    @property
    def is_time_up(self) -> bool:
        """True if the time is up."""
        return self.is_running and self.remaining_ticks is not None and self.remaining_ticks <= 0

    @property
    def is_in_final_seconds(self) -> bool:
        """True in the last ten seconds of the clock; a price is never longer, so it needs no warning."""
        return (
            self.key != PRICE_KEY
            and self.is_running
            and self.remaining_ticks is not None
            and 0 < self.remaining_ticks <= FINAL_WARNING_SECONDS * TICKS_PER_SECOND
        )

    @property
    def remaining_fraction(self) -> float:
        """The part of the time that remains, from 1 to 0; 1 if the clock only counts up."""
        return (
            1.0
            if not self.limit_ticks or self.remaining_ticks is None
            else min(1.0, max(0.0, self.remaining_ticks / self.limit_ticks))
        )

    @property
    def display_text(self) -> str:
        """The text that the clock displays: its remaining time, such as `0:42`, `1:02:03` or `-0:05`.

        A clock that only counts up displays the elapsed time.
        """
        shown = self.elapsed_ticks if self.remaining_ticks is None else self.remaining_ticks
        seconds = (
            -(-shown // TICKS_PER_SECOND) if self.remaining_ticks is not None else shown // TICKS_PER_SECOND
        )
        sign, (minutes, seconds) = "-" * (seconds < 0), divmod(abs(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{sign}{hours}:{minutes:02}:{seconds:02}" if hours else f"{sign}{minutes}:{seconds:02}"

    @property
    def name(self) -> Say:
        """The label of the clock, such as the name of its seat."""
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
    def timeout_text(self) -> Say:
        """The announcement when the time is up."""
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
    """The context of clocks: the state of the game that they depend on.

    That is the question, the time in ticks, the seats, and the seats that have sealed.
    `finished_turns` counts the turns that each seat has finished.
    """

    question: Request[object]
    now_ticks: int
    seats: Seats
    sealed_seats: Collection[Seat]
    finished_turns: Counter[int]


def compute_clock_states(settings: ClockSettings, times: TimeUse, context: ClockContext) -> list[ClockState]:
    """Returns the states of all clocks of the table at a moment."""
    asked = context.question.seats
    missing = tuple(seat for seat in asked if seat not in context.sealed_seats)
    found = [
        _clock(key, limit, context.now_ticks - since, missing)
        for key, limit, since in _question_clocks(settings, times, context.question)
    ]
    if settings.lot and isinstance(context.question, Raise):
        found.append(_lot_clock(settings, settings.lot, times, context))
    if settings.game:
        found.append(_clock("game", settings.game, context.now_ticks, ()))
    return [*found, *_budget_clocks(settings, times, context)]


def _question_clocks(
    clocks: ClockSettings, times: TimeUse, question: Request[object]
) -> Iterator[tuple[str, TimeLimit, int]]:
    """Yields the clocks of the open question, with the tick at which each began."""
    if question.kind in clocks.kinds:
        yield question.kind, clocks.kinds[question.kind], times.asked_ticks
    if clocks.price and "race" in question.form.side_facts:
        yield PRICE_KEY, clocks.price, times.asked_ticks
    if clocks.turn and question.seats:
        seats = tuple(seat.number for seat in question.seats)
        yield "turn", clocks.turn, times.continue_or_start_sequence(times.turn, seats).start_ticks


def _lot_clock(clocks: ClockSettings, limit: TimeLimit, times: TimeUse, moment: ClockContext) -> ClockState:
    assert isinstance(moment.question, Raise)
    lot = times.continue_or_start_sequence(times.lot, moment.question.about.key)
    shown = _clock("lot", limit, moment.now_ticks - lot.start_ticks, moment.question.seats)
    late = clocks.extension * TICKS_PER_SECOND
    for bid in lot.bid_ticks if shown.limit_ticks is not None else ():
        shown = msgspec.structs.replace(
            shown, limit_ticks=max(shown.limit_ticks or 0, bid + late - lot.start_ticks)
        )
    return shown


def _budget_clocks(clocks: ClockSettings, times: TimeUse, moment: ClockContext) -> Iterator[ClockState]:
    limit, asked = clocks.budget, moment.question.seats
    if limit is None or limit.seconds is None:
        return
    for seat in moment.seats:
        whole = (limit.seconds + clocks.increment * moment.finished_turns[seat.number]) * TICKS_PER_SECOND
        gone = thinking_ticks(times, seat, moment.now_ticks, asked, moment.sealed_seats)
        goes = seat in asked and seat not in moment.sealed_seats
        yield ClockState(BUDGET_KEY, gone, whole, limit.answers_on_timeout, (seat,), goes)


def _clock(key: str, limit: TimeLimit, gone: int, seats: tuple[Seat, ...]) -> ClockState:
    whole = None if limit.seconds is None else limit.seconds * TICKS_PER_SECOND
    return ClockState(key, gone, whole, limit.answers_on_timeout, seats)


class Stopwatch:
    """A stopwatch that counts the seconds of play.

    `Stopwatch(time.monotonic, 812.5)` stands at 812.5 until `start`. `clock` never jumps.
    """

    def __init__(self, clock: Callable[[], float], at: float = 0.0) -> None:
        self._clock = clock
        self._at = at
        self._ahead: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds of play, to the thousandth."""
        at = self._at if self._ahead is None else self._clock() + self._ahead
        return int(at * 1000 + 0.5) / 1000  # a quarter of what `round` takes, at every answer

    @property
    def is_stopped(self) -> bool:
        """True if the watch is stopped."""
        return self._ahead is None

    def start(self) -> None:
        """Counts the time from now on as play."""
        if self._ahead is None:
            self._ahead = self._at - self._clock()

    def stop(self) -> None:
        """Stops counting."""
        self._at, self._ahead = self.seconds, None
