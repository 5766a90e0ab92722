"""What has been decided at a table: a battle, a round, a sale."""

from __future__ import annotations

import msgspec

from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Say


class ScoreTableLine(msgspec.Struct, frozen=True):
    """A seat's line of a score table: the pieces that count, and a number for each column.

    `sentence`: the note that says the same; front ends show either of the two.
    """

    seat: Seat
    pieces: tuple[Piece, ...]
    numbers: tuple[int, ...]
    sentence: Say


class ScoreTable(msgspec.Struct, frozen=True):
    """The numbers that decided a round: a heading for each column, and a line for each seat that scored."""

    column_headings: tuple[Say, ...]
    lines: tuple[ScoreTableLine, ...]


class Outcome(msgspec.Struct, frozen=True):
    """Something that has been decided, in a sentence, with its winners and the piece that it was about.

    `scores`: the numbers that decided it; None if there are none.
    """

    headline: Say
    winners: tuple[Seat, ...] = ()
    about: Piece | None = None
    scores: ScoreTable | None = None
