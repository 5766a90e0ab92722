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
"""A SHA-256 checksum in hex."""
SEAL_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of a seal, each five bits, without those that look like others."""
SEAL_BITS = 60
_LOOKALIKES_AND_SEPARATORS = str.maketrans("OIL", "011", " -")


def seal_letters(commitment: str) -> str:
    """Returns the letters of the seal of an envelope with this commitment, in three groups."""
    bits = int(commitment[: SEAL_BITS // 4], 16)
    return _group_letters(
        "".join(SEAL_ALPHABET[bits >> shift & 31] for shift in range(SEAL_BITS - 5, -1, -5))
    )


def normalize_seal_letters(text: str) -> str:
    """Returns the letters of a seal that somebody wrote down as the envelope shows them.

    Capitals, spaces, hyphens and letters that look alike make no difference.
    """
    return _group_letters(text.upper().translate(_LOOKALIKES_AND_SEPARATORS))


def _group_letters(letters: str) -> str:
    return f"{letters[:4]} {letters[4:8]} {letters[8:]}"


Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
PlaySeconds = Annotated[float, msgspec.Meta(ge=0, le=10**9)]
"""Seconds of play since the beginning of the game, at most thirty years."""


class Began(msgspec.Struct, frozen=True, tag=True):
    """The event that a game began: who plays what, with which options, printed values and random seed."""

    game: ShortText
    version: BoundedNatural
    names: tuple[LoggedText, ...]
    colours: tuple[LoggedText, ...]
    options: dict[str, OptionValue]
    decks: dict[str, Deck]
    seed: Seed


ABSENT_PLAYER_SOURCE = "absent"
DEFAULT_ANSWER_SOURCES = ("clock", ABSENT_PLAYER_SOURCE)
"""The sources of answers that are given instead of a player: a timeout, or a player who has left."""

APP_DICE_SOURCE = "dice"
"""The source of rolls of Companion's own dice."""


class Answered(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The event that question `n` was answered.

    The answer is JSON, given after `at` seconds of play. `salts` open the seals of a round. `rest`:
    the number of steps, undone before, that can still be redone afterwards.
    """

    n: BoundedNatural
    asks: LoggedText
    answer: Any
    via: LoggedText
    at: PlaySeconds
    salts: dict[str, LoggedText] = {}
    rest: BoundedNatural = 0


class Sealed(msgspec.Struct, frozen=True, tag=True):
    """The event that a seat sealed its answer to question `n`: it closed its envelope.

    `commitment` is the checksum of the sealed answer. `silent`: the default answer was sealed,
    because the seat's time was up or its player had left.
    """

    n: BoundedNatural
    seat: BoundedNatural
    commitment: Commitment
    at: PlaySeconds = 0.0
    silent: bool = False


class CorrectionMove(msgspec.Struct, frozen=True, gc=False):
    """The transfer of pieces from one place to another in a correction.

    Places are written as `@1/hand`. `face`: the face of the card that was moved, which became
    `face_to`.
    """

    source: LoggedText
    target: LoggedText
    piece: LoggedText
    count: BoundedNatural
    face: LoggedText = ""
    face_to: LoggedText = ""


class Corrected(msgspec.Struct, frozen=True, tag=True):
    """The event that people corrected the table: they moved pieces by hand.

    Question `n` was open then. `more` are further moves of the correction. `again`: the last answer
    was played again afterwards, so that the open question was asked again. `back`: the number of
    answers that were undone before, because they were no longer possible. `rest` is as in `Answered`,
    the other fields are as in `CorrectionMove`.
    """

    n: BoundedNatural
    source: LoggedText
    target: LoggedText
    piece: LoggedText
    count: BoundedNatural
    reason: LoggedText
    at: PlaySeconds
    again: bool = False
    rest: BoundedNatural = 0
    back: BoundedNatural = 0
    face: LoggedText = ""
    face_to: LoggedText = ""
    more: tuple[CorrectionMove, ...] = ()

    @property
    def moves(self) -> tuple[CorrectionMove, ...]:
        """All moves of the correction, in their order."""
        first = CorrectionMove(self.source, self.target, self.piece, self.count, self.face, self.face_to)
        return first, *self.more

    @property
    def opens_new_question(self) -> bool:
        """True if a new question is asked after the correction.

        The new question may be the open one, asked again.
        """
        return self.again or self.back > 0


class Undone(msgspec.Struct, frozen=True, tag=True):
    """The event that the last `count` steps were undone while question `n` was open.

    `correction`: only the last correction was undone, which had been inserted before the last answer.
    """

    n: BoundedNatural
    count: BoundedNatural = 1
    at: PlaySeconds = 0.0
    correction: bool = False


class Redone(msgspec.Struct, frozen=True, tag=True):
    """The event that the last `count` undone steps were redone while question `n` was open.

    Before them `skipped` steps were left out, because their questions aren't asked any more.
    """

    n: BoundedNatural
    at: PlaySeconds = 0.0
    count: BoundedNatural = 1
    skipped: BoundedNatural = 0


class Amended(msgspec.Struct, frozen=True, tag=True):
    """The event that the answer to question `event` was amended while question `n` was open.

    `kept` later steps still fit. Later steps that don't fit any more can be redone, and so can `rest`
    of the steps that could be redone before.
    """

    n: BoundedNatural
    event: BoundedNatural
    answer: Any
    kept: BoundedNatural
    at: PlaySeconds = 0.0
    rest: BoundedNatural = 0


class PlayerLeft(msgspec.Struct, frozen=True, tag="Left"):
    """The event that a player left while question `n` was open.

    From then on the default answer is given for the seat.
    """

    n: BoundedNatural
    seat: BoundedNatural


class PlayerReturned(msgspec.Struct, frozen=True, tag="Returned"):
    """The event that somebody returned to the seat of an absent player while question `n` was open."""

    n: BoundedNatural
    seat: BoundedNatural


class PutAway(msgspec.Struct, frozen=True, tag=True):
    """The event that the game was put away, finished or not, with its `result` as JSON.

    `early`: the result is only the score so far.
    """

    n: BoundedNatural
    result: StoredResult | None
    early: bool = False


class Reopened(msgspec.Struct, frozen=True, tag=True):
    """The event that a game was reopened which had been put away while question `n` was open.

    Nothing in the game has changed, but envelopes that were closed are empty again. `at` are the seconds of
    play when it was put away; 0 in older logs.
    """

    n: BoundedNatural
    at: PlaySeconds = 0.0


Step = Answered | Corrected
"""A step in force: an answer or a correction."""
Event = (
    Began
    | Answered
    | Sealed
    | Corrected
    | Undone
    | Redone
    | Amended
    | PlayerLeft
    | PlayerReturned
    | PutAway
    | Reopened
)
