"""Scene parts after evaluation: labelled cells with their values for one viewer.

Front ends draw the values of this module and know no other part. Equal values look alike, so nothing is drawn
twice.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.cards import CardFace
from companion.half_numbers import HalfNumber, WholeOrHalf
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, say

CellValue = WholeOrHalf | tuple[int, int] | None
"""A number, a pair (count, maximum), or None for a hidden count."""
CellDisplay = Literal["number", "pile", "track"]
"""How a cell is drawn: as a number, as a pile of cards with name and count, or as steps along a track."""
EARLIER_LINES_LABEL = say("earlier")
"""Label of the line that sums up all earlier lines."""


class CellView(msgspec.Struct, frozen=True):
    """A cell as one viewer sees it: a label and a number, which may be hidden.

    Front ends draw `piece`; without a piece or a picture of it, they write `label`.
    `value` None means hidden: a card's back is drawn instead. `maximum` is the highest possible count, 0 if
    there is none. `amendable_answer`: the number comes from an answer; the subject of that question and the
    seat that answered it. `shows_change`: when the number changes, a sign such as +37 is shown beside it.
    `is_money`: the number says how much money there is. `is_total`: the number is a sum of other numbers.
    `is_void`: the number is a total above or below 0 that doesn't count, because its player is out.
    `accounts`: the places with the piece whose count the number is; empty if the number is anything else.
    `is_detail`: a panel that is read from all sides of the table leaves the number to a touch.
    """

    piece: Piece | None
    label: Labelled | None
    value: CellValue
    maximum: int = 0
    amendable_answer: tuple[Piece | Place, Seat] | None = None
    display: CellDisplay = "number"
    shows_change: bool = False
    is_money: bool = False
    is_total: bool = False
    is_void: bool = False
    accounts: tuple[tuple[Place, Piece], ...] = ()
    is_detail: bool = False

    @property
    def number(self) -> WholeOrHalf | None:
        """The value if it is one number; None for a hidden count and for a pair."""
        return self.value if isinstance(self.value, int | HalfNumber) else None

    @property
    def name(self) -> Labelled:
        """The label, or the piece if there is no label."""
        name = self.label or self.piece
        assert name is not None
        return name


class RowView(msgspec.Struct, frozen=True):
    """A row of pieces, each with its count, and of open cards, as one viewer sees it.

    In a pile, the first piece is the lowest. A row in the middle of the table always has a `label`. On a mat
    and on a card, None means that the row needs none. A count of None is hidden.
    `is_subject`: the open question is about these pieces.
    `is_detail`: a panel that is read from all sides of the table leaves the row to a touch.
    """

    label: Labelled | None
    counted_pieces: tuple[tuple[Piece, int | None], ...] = ()
    open_cards: tuple[CardFace, ...] = ()
    is_pile: bool = False
    place: Place | None = None
    is_subject: bool = False
    is_detail: bool = False

    @property
    def is_empty(self) -> bool:
        """True if the row has neither pieces nor open cards."""
        return not (self.counted_pieces or self.open_cards)


class MatView(msgspec.Struct, frozen=True):
    """A seat's mat as one viewer sees it: its numbers, badges and rows.

    `headline` is the main number, `cells` are the other ones.
    `badges` holds the badges that the seat has now; the boolean says whether the badge takes it out of play.
    `leads`: everybody can see that nobody is ahead of the seat.
    """

    seat: Seat
    headline: CellView | None
    cells: tuple[CellView, ...]
    badges: tuple[tuple[Labelled, bool], ...]
    rows: tuple[RowView, ...]
    leads: bool = False

    @property
    def sits_out(self) -> bool:
        """True if the seat sits out for now, as one of its badges says."""
        return any(sits_out for _, sits_out in self.badges)


class GridView(msgspec.Struct, frozen=True):
    """A grid of numbers as one viewer sees it: columns with headings and labelled lines.

    None is an empty cell. `last_line_is_sum`: the last line is the sum of the lines before it.
    """

    column_headings: tuple[Labelled, ...]
    lines: tuple[tuple[Labelled, tuple[CellView | None, ...]], ...]
    last_line_is_sum: bool = False

    @property
    def has_amendable_answers(self) -> bool:
        """True if some of the grid's numbers are answers, which people can amend."""
        return any(cell is not None and cell.amendable_answer for _, cells in self.lines for cell in cells)

    @property
    def running_column_sums(self) -> list[list[WholeOrHalf]]:
        """The sum of each column up to each line; empty if the last line isn't a sum."""
        sums: list[WholeOrHalf] = [0] * len(self.column_headings)
        running_sums = []
        for _, cells in self.lines[:-1] if self.last_line_is_sum else ():
            values = [0 if cell is None else cell.number or 0 for cell in cells]
            sums = [column_sum + value for column_sum, value in zip(sums, values, strict=True)]
            running_sums.append(sums)
        return running_sums

    @property
    def is_all_zero(self) -> bool:
        """True if every number is 0 or missing, as before the first points: the grid says nothing yet."""
        return all(_is_zero(cell) for _, cells in self.lines for cell in cells)

    def without_zero_columns(self) -> GridView:
        """Returns the grid without columns in which every number is 0 and has no maximum.

        A player's column stays, and so do all columns of a grid with a sum, and of a grid of zeros.
        """
        kept = [
            index
            for index, heading in enumerate(self.column_headings)
            if isinstance(heading, Seat) or not all(_is_zero(cells[index]) for _, cells in self.lines)
        ]
        if self.last_line_is_sum or not kept:
            return self
        lines = tuple((label, tuple(cells[index] for index in kept)) for label, cells in self.lines)
        return replace(self, column_headings=tuple(self.column_headings[each] for each in kept), lines=lines)

    def with_earlier_lines_summed(self, last_lines_to_keep: int) -> GridView:
        """Returns the grid with only its last lines, after one line that sums up all earlier ones.

        Returns the whole grid if its last line isn't a sum, or if at most one line would be left out.
        """
        earlier_line_count = len(self.lines) - last_lines_to_keep
        if not self.last_line_is_sum or earlier_line_count <= 1:
            return self
        sums = self.running_column_sums[earlier_line_count - 1]
        sum_cells = tuple([CellView(None, EARLIER_LINES_LABEL, value) for value in sums])
        sum_lines = [(EARLIER_LINES_LABEL, sum_cells)] if last_lines_to_keep > 1 else []
        return replace(self, lines=(*sum_lines, *self.lines[earlier_line_count:]))


def _is_zero(cell: CellView | None) -> bool:
    return cell is None or (cell.value == 0 and not cell.maximum)


class CardSpreadView(msgspec.Struct, frozen=True):
    """A card spread as one viewer sees it: open cards, the count of face-down cards, and what is on top.

    `label` None: the cards are in a numbered row, where the number of the place is their name.
    `back_count` None: hidden. `place` has its current number if the row closes up.
    `is_subject`: the open question is about these cards.
    """

    label: Labelled | None
    place: Place
    open_cards: tuple[CardFace, ...]
    back: Piece | None
    back_count: int | None
    on_top: tuple[CellView | RowView, ...]
    is_subject: bool

    @property
    def is_empty(self) -> bool:
        """True if there are neither cards nor anything on top of them."""
        is_anything_on_top = any(
            not part.is_empty if isinstance(part, RowView) else part.value != 0 for part in self.on_top
        )
        return not (self.open_cards or self.back_count != 0 or is_anything_on_top)


class LotView(msgspec.Struct, frozen=True):
    """A lot as one viewer sees it: for sale, sold, or gone.

    A sold lot has an `owner`. `is_subject`: the lot is being sold now.
    """

    piece: Piece
    is_subject: bool
    owner: Seat | None
    is_gone: bool


class LotRowView(msgspec.Struct, frozen=True):
    """A row of lots as one viewer sees it, each at its own spot."""

    label: Labelled
    lots: tuple[LotView, ...]

    @property
    def is_subject(self) -> bool:
        """True if the open question is about the row: one of its lots is being sold now."""
        return any(lot.is_subject for lot in self.lots)


MiddlePartView = GridView | CardSpreadView | LotRowView | CellView | RowView
"""An evaluated part of the middle of the table."""
