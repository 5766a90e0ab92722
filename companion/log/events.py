"""The events of a game's log, which only grows, and the letters that an envelope shows of its commitment.

The letters are the first 60 bits of the commitment, as `K7MQ 93XD 2HVT`. `python -m benchmarks seal` measures
how soon letters are forged; docs/safety.md says what they prove, and to whom.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.bounds import BoundedNatural, LoggedText, ShortText
from companion.cards import Deck
from companion.table.scores import StoredResult
from companion.table.table import OptionValue

Commitment = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""SHA-256 in hex."""
SEAL_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Five bits each, without those that look like others."""
SEAL_BITS = 60
_ALIKE = str.maketrans("OIL", "011", " -")


def seal_letters(commitment: str) -> str:
    """The letters of a commitment, in three groups."""
    bits = int(commitment[: SEAL_BITS // 4], 16)
    return _grouped("".join(SEAL_ALPHABET[bits >> at & 31] for at in range(SEAL_BITS - 5, -1, -5)))


def normalize_letters(text: str) -> str:
    """Letters that somebody wrote down, as the envelope had them, whatever their case, spaces and hyphens."""
    return _grouped(text.upper().translate(_ALIKE))


def _grouped(found: str) -> str:
    return f"{found[:4]} {found[4:8]} {found[8:]}"


Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=10**9)]
"""How long was played; thirty years at the most."""


class Began(msgspec.Struct, frozen=True, tag=True):
    """The game, who plays with which colours, the options, the printed values used and the seed of chance."""

    game: ShortText
    version: BoundedNatural
    names: tuple[LoggedText, ...]
    colours: tuple[LoggedText, ...]
    options: dict[str, OptionValue]
    decks: dict[str, Deck]
    seed: Seed


DEFAULT_ANSWER_SOURCES = ("clock", "absent")
"""What answers in the stead of a player: a clock that is up, or that the player has left."""

APP_DICE_SOURCE = "dice"
"""The way in of the companion's own rolls."""


class Answered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Question `n` got an answer (as JSON) after `at` seconds of play; `salts` open the seals of a round.

    `rest`: so much of what was taken back before can still be redone after it.
    """

    n: BoundedNatural
    asks: LoggedText
    answer: Any
    via: LoggedText
    at: Seconds
    salts: dict[str, LoggedText] = {}
    rest: BoundedNatural = 0


class Sealed(msgspec.Struct, frozen=True, tag=True):
    """A seat's envelope for question `n` is closed; the commitment is `commitment(…)` of what is in it.

    `silent`: silence filled it, because the seat's time was up or its player had left.
    """

    n: BoundedNatural
    seat: BoundedNatural
    commitment: Commitment
    at: Seconds = 0.0
    silent: bool = False


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """A correction that moved pieces from place to place; places are written as `@1/hand`.

    `face`: the face of the card that was moved, which went to `face_to`.
    """

    source: LoggedText
    target: LoggedText
    piece: LoggedText
    count: BoundedNatural
    face: LoggedText = ""
    face_to: LoggedText = ""


class Corrected(msgspec.Struct, frozen=True, tag=True):
    """The table moved pieces by hand while question `n` was open, and after them `more` in the same go.

    `again`: the last answer was given again after it, so that the open question was asked again.
    `back`: so many answers were taken back before that, as what they led to could not stand any more.
    `rest` as of an answer; the others as of a `Transfer`.
    """

    n: BoundedNatural
    source: LoggedText
    target: LoggedText
    piece: LoggedText
    count: BoundedNatural
    reason: LoggedText
    at: Seconds
    again: bool = False
    rest: BoundedNatural = 0
    back: BoundedNatural = 0
    face: LoggedText = ""
    face_to: LoggedText = ""
    more: tuple[Transfer, ...] = ()

    @property
    def moves(self) -> tuple[Transfer, ...]:
        """All that was moved, in the order in which it was."""
        first = Transfer(self.source, self.target, self.piece, self.count, self.face, self.face_to)
        return first, *self.more

    @property
    def asks_anew(self) -> bool:
        """Whether another question was open after it, or the same one again."""
        return self.again or self.back > 0


class Undone(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the last `count` things in force were taken back.

    `correction`: not they, but the correction that was made last and counts from before the last answer.
    """

    n: BoundedNatural
    count: BoundedNatural = 1
    at: Seconds = 0.0
    correction: bool = False


class Redone(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the last `count` things taken back were put in force again.

    Before them `skipped` were left out, because they aren't asked any more.
    """

    n: BoundedNatural
    at: Seconds = 0.0
    count: BoundedNatural = 1
    skipped: BoundedNatural = 0


class Amended(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open the answer to `event` was changed; `kept` later steps still fit.

    What doesn't fit any more waits to be redone, on top of the `rest` of what waited before.
    """

    n: BoundedNatural
    event: BoundedNatural
    answer: Any
    kept: BoundedNatural
    at: Seconds = 0.0
    rest: BoundedNatural = 0


class Left(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open a player left; from now on silence answers for the seat."""

    n: BoundedNatural
    seat: BoundedNatural


class Returned(msgspec.Struct, frozen=True, tag=True):
    """While question `n` was open somebody took the seat again."""

    n: BoundedNatural
    seat: BoundedNatural


class PutAway(msgspec.Struct, frozen=True, tag=True):
    """The game left the table with its `result` as JSON; `early`: that is only the score so far."""

    n: BoundedNatural
    result: StoredResult | None
    early: bool = False


class Reopened(msgspec.Struct, frozen=True, tag=True):
    """The game that had been put away while question `n` was open came back to the table as it stood."""

    n: BoundedNatural


Step = Answered | Corrected
"""What can be in force: an answer or a correction."""
Event = (
    Began | Answered | Sealed | Corrected | Undone | Redone | Amended | Left | Returned | PutAway | Reopened
)
