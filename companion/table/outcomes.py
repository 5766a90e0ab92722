"""What has been decided at a table: a battle, a round, a sale."""

from __future__ import annotations

from collections.abc import Collection

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

    def in_order(self, winners: Collection[Seat]) -> ScoreTable:
        """Returns the table with the lines of the winners first, as in a final score, then the highest.

        The last number of a line is the one that decides.
        """
        lines = sorted(self.lines, key=lambda line: (line.seat not in winners, -line.numbers[-1]))
        return ScoreTable(self.column_headings, tuple(lines))


class Outcome(msgspec.Struct, frozen=True):
    """Something that has been decided, in a sentence, with its winners and the piece that it was about.

    `scores`: the numbers that decided it; None if there are none.
    """

    headline: Say
    winners: tuple[Seat, ...] = ()
    about: Piece | None = None
    scores: ScoreTable | None = None
