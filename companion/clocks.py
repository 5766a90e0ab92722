"""Clocks for games against time: how they are set, how a game used its time, and what they show.

The module knows no thread, no screen and no time of day. Seconds of play come from outside, everything else
from the log.

People write settings as `turn=60 ring, Raise=20 answer`, or in TOML with the same keys and values.

All times are in ticks, thousandths of a second of play, so that sums are exact. The time of an undone answer
isn't given back to a budget. Undo gives turn and lot their whole time again, and a turn its whole delay. A
question that was undone before it was answered costs nobody time. A game that is put away and reopened goes
on where its clocks stood.

A delay of 5 seconds with a budget of 60: Aki takes 3 seconds for a turn, then 8 for the next one. With a
simple delay, the clock stands at 60 while Aki thinks for 3 seconds; in the next turn it stands for 5 seconds
and runs for 3. With Bronstein's delay, it runs to 57, and 3 seconds are given back after the turn; in the
next turn it runs to 52, and 5 are given back. Both ways Aki has 57 seconds left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from companion.errors import UserError
from companion.files import toml
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
from companion.requests import REQUEST_TYPE_BY_KIND, Raise, Request
from companion.table.reminder import Reminder
from companion.table.seats import Seat, Seats
from companion.texts import Say, say

# Settings


COUNT_UP_WORD, RING_WORD, ANSWER_WORD = "up", "ring", "answer"
MAX_CLOCK_SECONDS = 24 * 60 * 60
"""The longest time limit of a clock: a day."""
CLOCK_KEYS = ("turn", "lot", "price", "game", "budget")
TURN_TIME_KEYS = ("increment", "delay", "bronstein")
"""Settings that give a budget time for each turn; a table has one of them."""
DURATION_KEYS = (*TURN_TIME_KEYS, "extension")
ALL_CLOCK_KEYS = (*CLOCK_KEYS, *DURATION_KEYS, *REQUEST_TYPE_BY_KIND)
TIME_PATTERN = re.compile(r"[0-9]{1,5}|(?:[0-9]{1,2}:)?[0-9]{1,2}:[0-5][0-9]")

CLOCK_PRESETS = {
    "none": "",
    "watch": "turn=up, game=up",
    "turn": "turn=60 ring",
    "bids": "Raise=20 answer, Together=60 answer",
    "budget": "budget=15:00 ring, increment=10",
    "auction": "lot=60 answer, extension=10",
    "falling": "price=4 answer",
}
"""The clock settings that the set-up page offers, by name."""


class TimeLimit(msgspec.Struct, frozen=True):
    """The time limit of a clock in seconds, None if the clock only counts up.

    On a timeout the default answer is given, or the clock rings.
    """

    seconds: int | None
    answers_on_timeout: bool = False


class ClockSettings(msgspec.Struct, frozen=True):
    """The settings of a table's clocks: which clocks run, and for how long.

    `turn`: from when a seat is asked until another seat is asked. `lot`: the open bidding for one thing.
    `price`: each price of a falling price. `game`: the whole game. `budget`: the time of each seat for the
    whole game, with `increment` seconds more for each turn that the seat has finished. Instead of an
    increment, the budget can wait `delay` seconds in each turn before it runs, or give back up to `bronstein`
    seconds of each finished turn. After a bid in the last `extension` seconds of a lot, that many seconds are
    left again. `limit_by_question_kind`: a limit for each question of a kind.
    """

    turn: TimeLimit | None = None
    lot: TimeLimit | None = None
    price: TimeLimit | None = None
    game: TimeLimit | None = None
    budget: TimeLimit | None = None
    increment: int = 0
    extension: int = 0
    delay: int = 0
    bronstein: int = 0
    limit_by_question_kind: dict[str, TimeLimit] = {}

    def __bool__(self) -> bool:
        """Returns whether there is any clock."""
        return self != ClockSettings()

    @property
    def as_text(self) -> str:
        """The settings as text, in the form that `parse_clocks` reads."""
        limits = {key: getattr(self, key) for key in CLOCK_KEYS} | self.limit_by_question_kind
        parts = [f"{key}={_format_limit(limit)}" for key, limit in limits.items() if limit]
        return ", ".join(
            parts + [f"{key}={getattr(self, key)}" for key in DURATION_KEYS if getattr(self, key)]
        )


def parse_clocks(text: str) -> ClockSettings:
    """Returns the clock settings that a text describes: the name of a preset, or `KEY=VALUE, KEY=VALUE`.

    Raises `UserError` for any other text.
    """
    settings = [part.strip() for part in CLOCK_PRESETS.get(text.strip(), text).split(",")]
    pairs = [part.partition("=") for part in settings if part]
    for key, equals, _ in pairs:
        if not equals:
            raise UserError(
                say(
                    "{text} isn't a clock. Write KEY=VALUE, such as turn=60, or use one of these "
                    "names: {names}.",
                    names=", ".join(CLOCK_PRESETS),
                    text=key,
                )
            )
    return _clocks_from_pairs((key.strip(), value.strip()) for key, _, value in pairs)


def parse_clocks_toml(text: str, file_name: str) -> ClockSettings:
    """Returns clocks from the text of a TOML file; raises `UserError`, which names file and key."""
    try:
        rows = toml.parse_toml(text)
    except UserError as error:
        raise UserError(say("{file} is not valid TOML: {why}", file=file_name, why=error.text)) from error
    try:
        return _clocks_from_pairs(rows.items())
    except UserError as error:
        raise UserError(say("{file}: {why}", file=file_name, why=error.text)) from error


def _clocks_from_pairs(pairs: Iterable[tuple[str, Any]]) -> ClockSettings:
    settings: dict[str, Any] = {}
    for key, value in pairs:
        if key not in ALL_CLOCK_KEYS:
            keys = ", ".join(ALL_CLOCK_KEYS)
            raise UserError(say("There is no clock called {key}. Clocks: {keys}.", key=key, keys=keys))
        if key in settings:
            raise UserError(say("The clock {key} is set twice; set it once.", key=key))
        settings[key] = _parse_seconds(key, value) if key in DURATION_KEYS else _parse_limit(key, value)
    _require_compatible_settings(settings)
    kinds = {key: settings.pop(key) for key in REQUEST_TYPE_BY_KIND if key in settings}
    return ClockSettings(**settings, limit_by_question_kind=kinds)


def _require_compatible_settings(settings: Mapping[str, Any]) -> None:
    """Raises `UserError` if two settings contradict each other."""
    for key, needed_key in (*[(key, "budget") for key in TURN_TIME_KEYS], ("extension", "lot")):
        if key in settings and (needed_key not in settings or settings[needed_key].seconds is None):
            raise UserError(
                say('"{key}" works only with a time limit for "{needs}".', key=key, needs=needed_key)
            )
    if len(turn_times := [key for key in TURN_TIME_KEYS if key in settings]) > 1:
        raise UserError(
            say("A budget works with only one of these settings: {keys}.", keys=", ".join(turn_times))
        )
    if "extension" in settings and settings["extension"] > settings["lot"].seconds:
        raise UserError(
            say(
                '"extension" can be at most {most} seconds, the total time for one lot.',
                most=settings["lot"].seconds,
            )
        )


def _parse_limit(key: str, value: Any) -> TimeLimit:
    """Returns a limit from `60`, `1:30 ring`, `20 answer` or `up`."""
    if not isinstance(value, str):
        return TimeLimit(_parse_seconds(key, value))
    time, _, timeout_word = value.partition(" ")
    if value == COUNT_UP_WORD:
        if key not in ("turn", "lot", "game"):
            raise UserError(
                say(
                    'Only the clocks "turn", "lot" and "game" can count up. The clock "{key}" needs a '
                    "time limit.",
                    key=key,
                )
            )
        return TimeLimit(None)
    if timeout_word.strip() not in ("", RING_WORD, ANSWER_WORD):
        raise UserError(
            say("{key}: what happens when time is up must be {ring} or {answer}, not {silence}.",
                key=key, ring=RING_WORD, answer=ANSWER_WORD, silence=toml.shorten_to_one_line(timeout_word))
        )  # fmt: skip  # one sentence
    if key == "game" and timeout_word.strip() == ANSWER_WORD:
        raise UserError(
            say('The clock "game" can only ring when its time is up, because no answer can end a game.')
        )
    return TimeLimit(_parse_seconds(key, time), timeout_word.strip() == ANSWER_WORD)


def _parse_seconds(key: str, value: Any) -> int:
    """Returns the seconds of `90`, `1:30` or `1:02:03`."""
    seconds = 0
    if not isinstance(value, bool) and TIME_PATTERN.fullmatch(str(value)):
        for part in str(value).split(":"):
            seconds = seconds * 60 + int(part)
    if not 1 <= seconds <= MAX_CLOCK_SECONDS:
        raise UserError(
            say(
                "{key} must be a time from 1 second to 24:00:00, such as 90 or 1:30, not {value}.",
                key=key,
                value=toml.shorten_to_one_line(value) if isinstance(value, str) else toml.quote_value(value),
            )
        )
    return seconds


def _format_limit(limit: TimeLimit) -> str:
    return (
        COUNT_UP_WORD
        if limit.seconds is None
        else f"{limit.seconds} {ANSWER_WORD if limit.answers_on_timeout else RING_WORD}"
    )


# The use of time


TICKS_PER_SECOND = 1000
"""The ticks in a second of play: all times are whole thousandths of a second."""
SEAT_KEY_PATTERN = re.compile("@[0-9]{1,2}")
"""The pattern of a seat's key in a log, such as `@1` or `@12`."""


class QuestionSequence(msgspec.Struct, gc=False):
    """Successive questions about one `subject`: the tick at which they began, and the ticks of the bids."""

    subject: object
    start_ticks: int
    bid_ticks: list[int] = []


class TurnTime(msgspec.Struct, gc=False):
    """The ticks that a seat used in one turn, and whether a default answer was its last one.

    Undo ends a turn, too; the open question is then the first one of another turn.
    """

    ticks: int = 0
    has_timed_out: bool = False


class TimeUse(msgspec.Struct):
    """How a game used its time.

    `ticks_by_seat` are the ticks that each seat has used, by its number. `asked_ticks`: when the open
    question was asked. `sealed_ticks`: when each seat last sealed an answer to it. `waited_ticks`:
    how long each seat waited with a closed envelope, before the game was put away and reopened.
    `turn_questions` and `lot_questions` are those of the last answer; the open question may continue them.
    `default_answers`: the numbers of question and seat of each default answer. `turns_by_seat` are all turns
    of each seat, also undone ones.
    """

    now_ticks: int = 0
    asked_ticks: int = 0
    ticks_by_seat: Counter[int] = msgspec.field(default_factory=Counter)
    sealed_ticks: dict[int, int] = {}
    waited_ticks: dict[int, int] = {}
    turn_questions: QuestionSequence | None = None
    lot_questions: QuestionSequence | None = None
    default_answers: set[tuple[int, int]] = set()
    turns_by_seat: dict[int, list[TurnTime]] = {}

    def add_event(self, event: Event) -> None:
        """Adds the time of one more event of the log."""
        self.now_ticks = max(self.now_ticks, to_ticks(getattr(event, "at", 0.0)))
        match event:
            case Answered():
                self._add_answer(event)
                self._begin_question()
            case Sealed():
                self.sealed_ticks[event.seat] = self.now_ticks
                self._note_timeout(event.n, event.seat, timed_out=event.silent)
            case Undone() | Redone() | Amended():
                self._begin_other_question()
            case Reopened():
                self._reopen_envelopes()
            case Corrected() if event.opens_new_question:
                self._begin_other_question()

    def _add_answer(self, event: Answered) -> None:
        kind, seats, about = parse_question_key(event.asks)
        continues_turn = self.is_same_turn(seats)
        for seat in seats:
            ticks = self.open_ticks(seat, self.now_ticks)
            self.ticks_by_seat[seat] += ticks
            if not event.salts:  # in a sealed round the event of each envelope says so
                self._note_timeout(event.n, seat, timed_out=event.via in DEFAULT_ANSWER_SOURCES)
            turns = self.turns_by_seat.setdefault(seat, [])
            if not continues_turn:
                turns.append(TurnTime())
            turns[-1].ticks += ticks
            turns[-1].has_timed_out = (event.n, seat) in self.default_answers
        self.turn_questions = self.continue_or_start_sequence(self.turn_questions, seats)
        self.lot_questions = (
            self.continue_or_start_sequence(self.lot_questions, about) if kind == Raise.kind else None
        )
        if self.lot_questions and event.answer is not None:
            self.lot_questions.bid_ticks.append(self.now_ticks)

    def _note_timeout(self, n: int, seat: int, *, timed_out: bool) -> None:
        if timed_out:
            self.default_answers.add((n, seat))
        else:
            self.default_answers.discard((n, seat))

    def is_same_turn(self, seats: tuple[int, ...]) -> bool:
        """Returns True if a question to these seats belongs to the turn of the last answer."""
        return self.turn_questions is not None and self.turn_questions.subject == seats

    def continue_or_start_sequence(
        self, previous: QuestionSequence | None, subject: object
    ) -> QuestionSequence:
        """Returns `previous` if the open question has the same subject, else a new sequence."""
        if previous and previous.subject == subject:
            return previous
        return QuestionSequence(subject, self.asked_ticks)

    def _reopen_envelopes(self) -> None:
        """Lets seats go on with their answer to the open question: what they had sealed is gone.

        They have waited since then, and not used their time.
        """
        for seat, ticks in self.sealed_ticks.items():
            self.waited_ticks[seat] = self.waited_ticks.get(seat, 0) + self.now_ticks - ticks
        self.sealed_ticks = {}

    def open_ticks(self, seat: int, now_ticks: int, *, is_sealed: bool = True) -> int:
        """Returns the ticks that a seat has used for the open question: up to now, or to its envelope."""
        end_ticks = self.sealed_ticks.get(seat, now_ticks) if is_sealed else now_ticks
        return end_ticks - self.asked_ticks - self.waited_ticks.get(seat, 0)

    def _begin_other_question(self) -> None:
        self.turn_questions = self.lot_questions = None
        self._begin_question()

    def _begin_question(self) -> None:
        self.asked_ticks = self.now_ticks
        self.sealed_ticks, self.waited_ticks = {}, {}


def compute_time_use(events: Iterable[Event]) -> TimeUse:
    """Returns how the time was used in these events."""
    time_use = TimeUse()
    for event in events:
        time_use.add_event(event)
    return time_use


class QuestionKey(NamedTuple):
    """The parts of a question's log key: its kind, the numbers of its seats, and what it is about."""

    kind: str
    seat_numbers: tuple[int, ...]
    about: str


@lru_cache(1024)
def parse_question_key(log_key: str) -> QuestionKey:
    """Parses a question's log key: `Raise @1: chip 7` is ("Raise", (1,), "chip 7").

    With a key that no question has, nobody uses time; the replay reports that the key no longer fits.
    """
    head, _, about = log_key.partition(": ")
    kind, *seats = head.split() or [""]
    seat_numbers = tuple(int(seat[1:]) for seat in seats if SEAT_KEY_PATTERN.fullmatch(seat))
    return QuestionKey(kind, seat_numbers, about)


def count_finished_turns(
    steps: Sequence[Step], open_question: Request[object], default_answers: Collection[tuple[int, int]]
) -> Counter[int]:
    """Returns the number of finished turns of each seat.

    A turn counts only if it is in force and the seat has finished it itself. A turn that the open question
    continues isn't finished. `default_answers` are the numbers of question and seat of each default answer,
    which finishes no turn.
    """
    turns: Counter[int] = Counter()
    answered = [
        (step.n, parse_question_key(step.asks).seat_numbers) for step in steps if isinstance(step, Answered)
    ]
    for (n, seats), (_, next_seats) in pairwise(
        [*answered, (0, parse_question_key(open_question.log_key).seat_numbers)]
    ):
        if seats != next_seats:
            turns.update(seat for seat in seats if (n, seat) not in default_answers)
    return turns


def thinking_ticks(
    times: TimeUse, seat: Seat, now_ticks: int, asked_seats: Collection[Seat], sealed_seats: Collection[Seat]
) -> int:
    """Returns the ticks that a seat has used for its answers up to now."""
    if seat not in asked_seats:
        return times.ticks_by_seat[seat.number]
    open_ticks = times.open_ticks(seat.number, now_ticks, is_sealed=seat in sealed_seats)
    return times.ticks_by_seat[seat.number] + open_ticks


def delay_ticks(
    settings: ClockSettings, times: TimeUse, seat: Seat, asked_seats: Collection[Seat], open_ticks: int
) -> tuple[int, int]:
    """Returns the ticks of a seat's thinking that its budget doesn't count, and those that it still waits.

    `open_ticks` are those that the open question has taken so far. A simple delay counts from the first tick
    of a turn. Bronstein's delay gives the time of a turn back when the turn is over, unless a default answer
    ended it.
    """
    limit_ticks = max(settings.delay, settings.bronstein) * TICKS_PER_SECOND
    ended_turns, open_turn_ticks = times.turns_by_seat.get(seat.number, []), open_ticks
    if seat in asked_seats and times.is_same_turn(tuple(asked.number for asked in asked_seats)):
        open_turn_ticks += ended_turns[-1].ticks
        ended_turns = ended_turns[:-1]
    free_ticks = sum(
        min(limit_ticks, turn.ticks) for turn in ended_turns if settings.delay or not turn.has_timed_out
    )
    if not settings.delay or seat not in asked_seats:
        return free_ticks, 0
    return free_ticks + min(limit_ticks, open_turn_ticks), max(0, limit_ticks - open_turn_ticks)


def to_ticks(seconds: float) -> int:
    """Returns seconds as whole ticks."""
    return round(seconds * TICKS_PER_SECOND)


# Clocks


BUDGET_KEY, PRICE_KEY, REMINDER_KEY = "budget", "price", "reminder"
LABEL_BY_CLOCK_KEY = {"turn": say("turn"), "lot": say("lot"), "price": say("price"), "game": say("game")}
"""Labels of clocks; clocks of questions have another one."""
FINAL_WARNING_SECONDS = 10
"""The last seconds of a clock, in which front ends show and sound a warning."""


class ClockState(msgspec.Struct, frozen=True):
    """The state of one clock: what it measures, its time and its limit.

    `key` is turn, lot, price, game, budget, reminder or a kind of question. `limit_ticks` is None if the
    clock only counts up. The time is that of `seats`; the clock stops unless it `is_running`.
    `waiting_ticks`: the rest of a simple delay, which passes before the elapsed time grows. `reminder`: what
    the rules remind people of with this clock.
    """

    key: str
    elapsed_ticks: int
    limit_ticks: int | None
    answers_on_timeout: bool
    seats: tuple[Seat, ...] = ()
    is_running: bool = True
    waiting_ticks: int = 0
    reminder: Reminder | None = None

    @property
    def ticks_until_time_up(self) -> int | None:
        """The ticks of play until the time is up, with the rest of a delay; None if the time is never up."""
        ticks = self.remaining_ticks
        return ticks if ticks is None or ticks <= 0 else ticks + self.waiting_ticks

    @property
    def remaining_ticks(self) -> int | None:
        """The ticks until the time is up, negative afterwards; None if the clock only counts up."""
        return None if self.limit_ticks is None else self.limit_ticks - self.elapsed_ticks

    @property
    def is_time_up(self) -> bool:
        """True if the time is up."""
        return self.is_running and self.remaining_ticks is not None and self.remaining_ticks <= 0

    @property
    def is_in_final_seconds(self) -> bool:
        """True in the last ten seconds of the clock.

        A price is never longer, so it needs no warning. A clock that still waits for a delay has time.
        """
        return (
            self.key != PRICE_KEY
            and self.is_running
            and not self.waiting_ticks
            and self.remaining_ticks is not None
            and 0 < self.remaining_ticks <= FINAL_WARNING_SECONDS * TICKS_PER_SECOND
        )

    @property
    def remaining_fraction(self) -> float:
        """The part of the time that remains, from 1 to 0; 1 if the clock only counts up."""
        if not self.limit_ticks or self.remaining_ticks is None:
            return 1.0
        return min(1.0, max(0.0, self.remaining_ticks / self.limit_ticks))

    @property
    def display_text(self) -> str:
        """The text that the clock displays: its remaining time, such as `0:42`, `1:02:03` or `-0:05`.

        A clock that only counts up displays the elapsed time.
        """
        if self.remaining_ticks is None:
            total_seconds = self.elapsed_ticks // TICKS_PER_SECOND
        else:
            total_seconds = -(-self.remaining_ticks // TICKS_PER_SECOND)  # rounded up
        sign = "-" if total_seconds < 0 else ""
        minutes, seconds = divmod(abs(total_seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{sign}{hours}:{minutes:02}:{seconds:02}" if hours else f"{sign}{minutes}:{seconds:02}"

    @property
    def label(self) -> Say:
        """The label of the clock, such as the name of its seat."""
        if self.reminder is not None:
            return self.reminder.label
        if self.key == BUDGET_KEY:
            return say("{seat}", seat=self.seats[0])
        return LABEL_BY_CLOCK_KEY.get(self.key, say("question"))

    @property
    def timeout_text(self) -> Say:
        """The announcement when the time is up."""
        match self.key, self.seats:
            case "game", _:
                return say("The time for this game is up.")
            case _ if self.reminder is not None:
                return self.reminder.text
            case "lot", _:
                return say("The time for this lot is up.")
            case "budget", (seat,):
                return say("{seat} has used up all their time.", seat=seat)
            case _, (seat,):
                return say("Time is up, {seat}.", seat=seat)
        return say("Time is up.")


class ClockContext(msgspec.Struct, frozen=True):
    """The state of the game on which clocks depend.

    `sealed_seats` have sealed an answer to the open question. `finished_turns` counts the turns that each
    seat has finished. `reminder` counts from `reminder_start_ticks`.
    """

    question: Request[object]
    now_ticks: int
    seats: Seats
    sealed_seats: Collection[Seat]
    finished_turns: Counter[int]
    reminder: Reminder | None = None
    reminder_start_ticks: int = 0


def compute_clock_states(settings: ClockSettings, times: TimeUse, context: ClockContext) -> list[ClockState]:
    """Returns the states of all clocks of the table at a moment."""
    missing_seats = tuple(seat for seat in context.question.seats if seat not in context.sealed_seats)
    clocks = [
        _make_clock(key, limit, context.now_ticks - start_ticks, missing_seats)
        for key, limit, start_ticks in _question_clocks(settings, times, context.question)
    ]
    if settings.lot and isinstance(context.question, Raise):
        clocks.append(_make_lot_clock(settings, settings.lot, times, context))
    if settings.game:
        clocks.append(_make_clock("game", settings.game, context.now_ticks, ()))
    if context.reminder is not None:
        clocks.append(
            ClockState(
                REMINDER_KEY,
                context.now_ticks - context.reminder_start_ticks,
                context.reminder.seconds * TICKS_PER_SECOND,
                answers_on_timeout=False,
                reminder=context.reminder,
            )
        )
    return [*clocks, *_budget_clocks(settings, times, context)]


def _question_clocks(
    settings: ClockSettings, times: TimeUse, question: Request[object]
) -> Iterator[tuple[str, TimeLimit, int]]:
    """Yields the key and limit of each clock of the open question, and the tick at which the clock began."""
    if question.kind in settings.limit_by_question_kind:
        yield question.kind, settings.limit_by_question_kind[question.kind], times.asked_ticks
    if settings.price and "race" in question.form.side_facts:
        yield PRICE_KEY, settings.price, times.asked_ticks
    if settings.turn and question.seats:
        seats = tuple(seat.number for seat in question.seats)
        yield "turn", settings.turn, times.continue_or_start_sequence(times.turn_questions, seats).start_ticks


def _make_lot_clock(
    settings: ClockSettings, limit: TimeLimit, times: TimeUse, context: ClockContext
) -> ClockState:
    assert isinstance(context.question, Raise)
    lot = times.continue_or_start_sequence(times.lot_questions, context.question.about.key)
    clock = _make_clock("lot", limit, context.now_ticks - lot.start_ticks, context.question.seats)
    if clock.limit_ticks is None:
        return clock
    extension_ticks = settings.extension * TICKS_PER_SECOND
    limits_after_bids = [bid + extension_ticks - lot.start_ticks for bid in lot.bid_ticks]
    return msgspec.structs.replace(clock, limit_ticks=max([clock.limit_ticks, *limits_after_bids]))


def _budget_clocks(settings: ClockSettings, times: TimeUse, context: ClockContext) -> Iterator[ClockState]:
    limit, asked_seats = settings.budget, context.question.seats
    if limit is None or limit.seconds is None:
        return
    for seat in context.seats:
        limit_seconds = limit.seconds + settings.increment * context.finished_turns[seat.number]
        elapsed_ticks = thinking_ticks(times, seat, context.now_ticks, asked_seats, context.sealed_seats)
        is_running = seat in asked_seats and seat not in context.sealed_seats
        free_ticks = waiting_ticks = 0
        if settings.delay or settings.bronstein:
            open_ticks = elapsed_ticks - times.ticks_by_seat[seat.number]
            free_ticks, waiting_ticks = delay_ticks(settings, times, seat, asked_seats, open_ticks)
        yield ClockState(
            BUDGET_KEY,
            elapsed_ticks - free_ticks,
            limit_seconds * TICKS_PER_SECOND,
            limit.answers_on_timeout,
            (seat,),
            is_running,
            waiting_ticks,
        )


def _make_clock(key: str, limit: TimeLimit, elapsed_ticks: int, seats: tuple[Seat, ...]) -> ClockState:
    limit_ticks = None if limit.seconds is None else limit.seconds * TICKS_PER_SECOND
    return ClockState(key, elapsed_ticks, limit_ticks, limit.answers_on_timeout, seats)


class Stopwatch:
    """A stopwatch that counts the seconds of play.

    `Stopwatch(time.monotonic, 812.5)` shows 812.5 until `start`. `clock` never jumps.
    """

    def __init__(self, clock: Callable[[], float], start_seconds: float = 0.0) -> None:
        self._clock = clock
        self._stopped_at = start_seconds
        self._offset: float | None = None

    @property
    def seconds(self) -> float:
        """The seconds of play, to the thousandth."""
        seconds = self._stopped_at if self._offset is None else self._clock() + self._offset
        return int(seconds * 1000 + 0.5) / 1000  # a quarter of the time that `round` takes, at every answer

    @property
    def is_stopped(self) -> bool:
        """True if the watch is stopped."""
        return self._offset is None

    def start(self) -> None:
        """Counts the time from now on as play."""
        if self._offset is None:
            self._offset = self._stopped_at - self._clock()

    def stop(self) -> None:
        """Stops counting."""
        self._stopped_at, self._offset = self.seconds, None
