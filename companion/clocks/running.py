"""The watch of play, and what the clocks of a table show at a moment: how long each has gone and has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

import msgspec

from companion.clocks.settings import Clocks, Limit
from companion.clocks.times import SECOND, Times, thought
from companion.requests import Raise, Request
from companion.table.seats import Seat, Seats
from companion.texts import Say, say

BUDGET, PRICE = "budget", "price"
LAST = 10
"""The last seconds of a clock, which are seen and heard."""


class Running(msgspec.Struct, frozen=True):
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
        return self.key != PRICE and self.goes and self.left is not None and 0 < self.left <= LAST * SECOND

    @property
    def share(self) -> float:
        """How much of its time is left, from 1 to 0; 1 where it only counts up."""
        return 1.0 if not self.whole or self.left is None else min(1.0, max(0.0, self.left / self.whole))

    @property
    def face(self) -> str:
        """What is left, or where it only counts up what has gone: `0:42`, `1:02:03`, `-0:05`."""
        shown = self.gone if self.left is None else self.left
        seconds = -(-shown // SECOND) if self.left is not None else shown // SECOND
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


class Moment(msgspec.Struct, frozen=True):
    """What clocks must know of a game: the question, `now` in ticks of play, who sits there and has sealed.

    `turns` are those each seat has finished.
    """

    question: Request[object]
    now: int
    seats: Seats
    sealed: Collection[Seat]
    turns: Counter[int]


def running(clocks: Clocks, times: Times, moment: Moment) -> list[Running]:
    """All clocks of the table at this moment."""
    asked = moment.question.seats
    missing = tuple(seat for seat in asked if seat not in moment.sealed)
    found = [
        _shown(key, limit, moment.now - since, missing)
        for key, limit, since in _questions(clocks, times, moment.question)
    ]
    if clocks.lot and isinstance(moment.question, Raise):
        found.append(_lot(clocks, clocks.lot, times, moment))
    if clocks.game:
        found.append(_shown("game", clocks.game, moment.now, ()))
    return [*found, *_budgets(clocks, times, moment)]


def _questions(clocks: Clocks, times: Times, question: Request[object]) -> Iterator[tuple[str, Limit, int]]:
    """The clocks of the open question, with the tick at which each began."""
    if question.kind in clocks.kinds:
        yield question.kind, clocks.kinds[question.kind], times.asked
    if clocks.price and "race" in question.form.side_facts:
        yield PRICE, clocks.price, times.asked
    if clocks.turn and question.seats:
        seats = tuple(seat.number for seat in question.seats)
        yield "turn", clocks.turn, times.stretch(times.turn, seats).since


def _lot(clocks: Clocks, limit: Limit, times: Times, moment: Moment) -> Running:
    assert isinstance(moment.question, Raise)
    lot = times.stretch(times.lot, moment.question.about.key)
    shown = _shown("lot", limit, moment.now - lot.since, moment.question.seats)
    late = clocks.extension * SECOND
    for bid in lot.bids if shown.whole is not None else ():
        shown = msgspec.structs.replace(shown, whole=max(shown.whole or 0, bid + late - lot.since))
    return shown


def _budgets(clocks: Clocks, times: Times, moment: Moment) -> Iterator[Running]:
    limit, asked = clocks.budget, moment.question.seats
    if limit is None or limit.seconds is None:
        return
    for seat in moment.seats:
        whole = (limit.seconds + clocks.increment * moment.turns[seat.number]) * SECOND
        gone = thought(times, seat, moment.now, asked, moment.sealed)
        goes = seat in asked and seat not in moment.sealed
        yield Running(BUDGET, gone, whole, limit.answers, (seat,), goes)


def _shown(key: str, limit: Limit, gone: int, seats: tuple[Seat, ...]) -> Running:
    whole = None if limit.seconds is None else limit.seconds * SECOND
    return Running(key, gone, whole, limit.answers, seats)


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
