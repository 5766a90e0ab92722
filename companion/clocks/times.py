"""How long everything took, folded from the log of a game: nothing of it is kept anywhere else.

All is in ticks, thousandths of a second of play, so that sums are exact.
Time never comes back to a budget. What is taken back gives turn and lot their whole time again,
and a question taken back before it was answered costs nobody anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

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
from companion.table.seats import Seat

SECOND = 1000
"""Ticks."""
SEAT = re.compile("@[0-9]")


class Stretch(msgspec.Struct, gc=False):
    """Questions in a row about the same (`of`), since when; `bids` are the ticks at which somebody bid."""

    of: object
    since: int
    bids: list[int] = []


class Times(msgspec.Struct):
    """`asked` is when the open question was; `spent` goes by the number of the seat.

    `sealed` is when a seat's envelope for the open question was closed last.
    `turn` and `lot` are those of the last answer; the open question may go on with them.
    `silent` are the numbers of question and seat where silence answered.
    """

    now: int = 0
    asked: int = 0
    spent: Counter[int] = msgspec.field(default_factory=Counter)
    sealed: dict[int, int] = {}
    turn: Stretch | None = None
    lot: Stretch | None = None
    silent: set[tuple[int, int]] = set()

    def add(self, event: Event) -> None:
        """Takes one more event of the log into account."""
        self.now = max(self.now, ticks(getattr(event, "at", 0.0)))
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
        kind, seats, about = parts(event.asks)
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

    def stretch(self, last: Stretch | None, of: object) -> Stretch:
        """The last one where the open question goes on with it, else one that begins with that question."""
        return last if last and last.of == of else Stretch(of, self.asked)

    def _ask_another(self) -> None:
        self.turn = self.lot = None
        self._ask()

    def _ask(self) -> None:
        self.asked = self.now
        self.sealed = {}


def timed(events: Iterable[Event]) -> Times:
    """What these events say of time."""
    times = Times()
    for event in events:
        times.add(event)
    return times


@lru_cache(1024)
def parts(asks: str) -> tuple[str, tuple[int, ...], str]:
    """What a log says was asked, taken apart: `Raise @1: chip 7` is ("Raise", (1,), "chip 7").

    What no question asks so takes nobody's time; that it no longer fits is said when it is played again.
    """
    head, _, about = asks.partition(": ")
    kind, *seats = head.split() or [""]
    return kind, tuple(int(seat[1:]) for seat in seats if SEAT.fullmatch(seat)), about


def turns(
    steps: Sequence[Step], question: Request[object], silent: Collection[tuple[int, int]]
) -> Counter[int]:
    """How many turns in force each seat has finished itself; what `question` goes on with isn't finished.

    `silent` are the numbers of question and seat where silence answered: it finishes no turn for a seat.
    """
    found: Counter[int] = Counter()
    answered = [(step.n, parts(step.asks)[1]) for step in steps if isinstance(step, Answered)]
    for (n, seats), (_, following) in pairwise([*answered, (0, parts(question.log_key)[1])]):
        if seats != following:
            found.update(seat for seat in seats if (n, seat) not in silent)
    return found


def thought(times: Times, seat: Seat, now: int, asked: Collection[Seat], sealed: Collection[Seat]) -> int:
    """The ticks a seat has used, up to now."""
    if seat not in asked:
        return times.spent[seat.number]
    until = times.sealed.get(seat.number, now) if seat in sealed else now
    return times.spent[seat.number] + until - times.asked


def ticks(seconds: float) -> int:
    """Seconds as whole ticks."""
    return round(seconds * SECOND)
