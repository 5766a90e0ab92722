"""Where a log is kept, and what belongs to a game but is no event: drafts, player names, clocks and dates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Protocol

import msgspec

from companion.log.events import Event, Seconds

Moment = Annotated[float, msgspec.Meta(ge=0, le=10**11)]
"""Seconds since 1970."""
Day = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""A date such as 2026-11-24, or none."""


class PlayedDates(msgspec.Struct, frozen=True):
    """When a game began and when it last lay on the table; None where this machine didn't know the time.

    `day` is the date that people gave it by hand, empty where they gave none.
    """

    began: Moment | None = None
    ended: Moment | None = None
    day: Day = ""


class Draft(msgspec.Struct, frozen=True):
    """What one seat has put into its envelope for question `n`; known to nobody else until the reveal."""

    n: int
    seat: int
    answer: Any
    salt: str

    @property
    def commitment(self) -> str:
        """SHA-256, in hex, of salt, seat, number and value; it binds the seat and tells nothing."""
        value = json.dumps(self.answer, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{self.salt}:{self.seat}:{self.n}:{value}".encode()).hexdigest()


class Timing(msgspec.Struct, frozen=True):
    """How time is kept in a game: its clocks as text, and the seconds of play when they last stood still."""

    clocks: str = ""
    at: Seconds = 0.0


class Log(Protocol):
    """Where a game is kept. What `append` and `seal` took survives a pulled plug once they return."""

    def append(self, event: Event) -> None:
        """Keeps one more event; raises OSError where it can't."""

    def seal(self, draft: Draft) -> None:
        """Keeps what is in an envelope, beside earlier drafts of the same seat."""

    def drafts(self) -> list[Draft]:
        """All drafts that are still kept."""

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Destroys all drafts but these."""

    def names(self) -> Sequence[str]:
        """How the players are called now; none before they were ever renamed."""

    def rename(self, names: Sequence[str]) -> None:
        """Keeps other names for the players."""

    def timing(self) -> Timing:
        """How time is kept; no event, because no rule knows of time."""

    def keep_timing(self, timing: Timing) -> None:
        """Keeps time otherwise; before the first event it is kept together with that."""


class MemoryLog(list[Event]):
    """A log in memory, for games that need not outlive the program: tests, samples, demonstrations."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._drafts: list[Draft] = []
        self._names: Sequence[str] = ()
        self._timing = Timing()

    def seal(self, draft: Draft) -> None:
        """Keeps the draft."""
        self._drafts.append(draft)

    def drafts(self) -> list[Draft]:
        """All drafts."""
        return list(self._drafts)

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Forgets all drafts but these."""
        self._drafts = list(keep)

    def names(self) -> Sequence[str]:
        """The names, if there were ever others than at the beginning."""
        return self._names

    def rename(self, names: Sequence[str]) -> None:
        """Other names."""
        self._names = names

    def timing(self) -> Timing:
        """How time is kept."""
        return self._timing

    def keep_timing(self, timing: Timing) -> None:
        """Otherwise."""
        self._timing = timing
