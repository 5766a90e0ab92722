"""The interface of a log, and the data of a game that are no events: drafts, names, clocks and dates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Protocol

import msgspec

from companion.log.events import Event, PlaySeconds

UnixTime = Annotated[float, msgspec.Meta(ge=0, le=10**11)]
"""Seconds since 1970."""
OptionalIsoDate = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""A date such as 2026-11-24, or an empty text."""


class PlayDates(msgspec.Struct, frozen=True, rename={"entered_date": "day"}):
    """The dates of a game: when it began, when it was last on the table, and the date entered by hand.

    `began` and `ended` are None if this machine didn't know the time. `entered_date` is empty if people
    entered no date; databases call it `day`.
    """

    began: UnixTime | None = None
    ended: UnixTime | None = None
    entered_date: OptionalIsoDate = ""


class SealedDraft(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that one seat has sealed for question `n`, and may replace until all answers are revealed.

    `is_default`: nobody entered the answer; the seat's time was up or its player had left.
    """

    n: int
    seat: int
    answer: Any
    salt: str
    is_default: bool = False

    @property
    def commitment(self) -> str:
        """The SHA-256 checksum of salt, seat, question number and answer, in hex.

        The commitment binds the seat to its answer and reveals nothing.
        """
        answer = json.dumps(self.answer, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{self.salt}:{self.seat}:{self.n}:{answer}".encode()).hexdigest()


class ClocksAndPlayTime(msgspec.Struct, frozen=True):
    """The clock settings of a game as text, and its seconds of play when the clocks last stopped."""

    clocks: str = ""
    at: PlaySeconds = 0.0


class Log(Protocol):
    """The log of a game: the place where its events are saved.

    What `append` and `add_draft` have saved survives a power cut once they return.
    """

    def append(self, event: Event) -> None:
        """Saves one more event; raises `OSError` if that isn't possible."""

    def add_draft(self, draft: SealedDraft) -> None:
        """Saves a sealed answer, in addition to earlier drafts of the same seat."""

    def drafts(self) -> list[SealedDraft]:
        """Returns all drafts that are still saved."""

    def delete_drafts(self, drafts_to_keep: Iterable[SealedDraft] = ()) -> None:
        """Deletes all drafts except `drafts_to_keep`."""

    def current_names(self) -> Sequence[str]:
        """Returns the current names of the players; may be empty if they were never renamed."""

    def save_names(self, names: Sequence[str]) -> None:
        """Saves new names of the players."""

    def timing(self) -> ClocksAndPlayTime:
        """Returns the clock settings and the seconds of play.

        No event has them, because no rule depends on time.
        """

    def save_timing(self, timing: ClocksAndPlayTime) -> None:
        """Saves the clock settings and the seconds of play.

        Before the first event, they are saved together with that event.
        """


class MemoryLog(list[Event]):
    """A log in memory, for games that needn't outlive the program: tests, samples, demonstrations."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._drafts: list[SealedDraft] = []
        self._names: Sequence[str] = ()
        self._timing = ClocksAndPlayTime()

    def add_draft(self, draft: SealedDraft) -> None:
        """Adds a sealed answer to the drafts."""
        self._drafts.append(draft)

    def drafts(self) -> list[SealedDraft]:
        """Returns all drafts."""
        return list(self._drafts)

    def delete_drafts(self, drafts_to_keep: Iterable[SealedDraft] = ()) -> None:
        """Deletes all drafts except `drafts_to_keep`."""
        self._drafts = list(drafts_to_keep)

    def current_names(self) -> Sequence[str]:
        """Returns the current names of the players; empty if they were never renamed."""
        return self._names

    def save_names(self, names: Sequence[str]) -> None:
        """Sets new names of the players."""
        self._names = names

    def timing(self) -> ClocksAndPlayTime:
        """Returns the clock settings and the seconds of play."""
        return self._timing

    def save_timing(self, timing: ClocksAndPlayTime) -> None:
        """Sets the clock settings and the seconds of play."""
        self._timing = timing
