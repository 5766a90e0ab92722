"""What the panels of one table share: the width of each column of numbers, so that nothing moves.

It also has the marks that stand in columns, and the card of a bid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from companion.cards import CardFace
from companion.rules.scene_views import CellView, MatView
from companion.texts import Labelled
from ui import theme
from ui.widgets.drawing.surfaces import Box, fill, rim
from ui.widgets.drawing.text import across, inscribe
from ui.widgets.pieces.card import CardMark
from ui.widgets.pieces.marks import DIGITS, Beside, CoveredMark, Mark
from ui.widgets.pieces.worded import is_drawn, written

MAX_DETAILED_SEATS = 5
"""Players whose panels stand below each other with all details; more share the space."""
MIN_COLUMN_DIGITS = 2
"""Digits that every column has room for, whatever stands there."""
SAME_PIECES_GAP = 0.3
"""The gap between pieces of one kind, as a share of the height."""
PICTURE_GAP = 0.16
"""The gap between a picture and its number, as a share of the height."""


class ColumnNumber(Mark):
    """A number behind its picture or word, with room for as many digits as its column ever had."""

    def __init__(self, head: Mark, value: Mark, room: int, share: float = DIGITS) -> None:
        self._head, self._value, self._room, self._share = head, value, room, share
        self.said = " ".join(part.said for part in (head, value) if part.said)

    def across(self, high: float) -> float:
        """The width of the picture and of the column."""
        size = max(theme.length.smallest, high * self._share)
        number = max(across("0" * self._room, size, theme.MONEY), self._value.across(high))
        return self._head.across(high) + PICTURE_GAP * high + number

    def draw(self, x: float, y: float, high: float) -> None:
        """Draws the picture and right behind it the number."""
        self._head.draw(x, y, high)
        self._value.draw(x + self._head.across(high) + PICTURE_GAP * high, y, high)


class CoveredColumnNumber(Mark):
    """A covered number whose picture would be a card's back: one back stands for both."""

    def __init__(self, room: int) -> None:
        self._as_wide = ColumnNumber(CoveredMark(), CoveredMark(), room)

    def across(self, high: float) -> float:
        """The width that it would have if it could be read."""
        return self._as_wide.across(high)

    def draw(self, x: float, y: float, high: float) -> None:
        """Draws the back."""
        CoveredMark().draw(x, y, high)


def group_same_pieces(cells: Sequence[CellView], marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yields the marks of the cells; pieces of one kind, such as gems, become one mark that stays whole."""
    looks = [cell.piece.look if cell.piece is not None and is_drawn(cell.piece) else "" for cell in cells]
    for look, group in groupby(zip(looks, marks, strict=True), key=lambda each: each[0]):
        alike = [mark for _, mark in group]
        if look and len(alike) > 1:
            yield Beside(*alike, gap=SAME_PIECES_GAP)
        else:
            yield from alike


class PanelColumns:
    """The most digits that each column has had, and the names of all players.

    `bid_digits` is 0 as long as nobody has bid.
    """

    def __init__(self) -> None:
        self.cell_digits: list[int] = []
        self.headline_digits = MIN_COLUMN_DIGITS
        self.bid_digits = 0
        self.names: tuple[str, ...] = ()
        self.badges_so_far: tuple[tuple[Labelled, bool], ...] = ()
        """Every badge that any player has had."""
        self.widest_card: CardMark | None = None
        """The widest open card that any player has had."""
        self._faces: tuple[str, set[CardFace]] = "", set()

    def widen(self, mats: Sequence[MatView], bids: Iterable[int], names: Iterable[str], lang: str) -> None:
        """Widens the columns for these numbers, bids and cards; a column never gets narrower."""
        self._widen_for_cards({face for mat in mats for row in mat.rows for face in row.open_cards}, lang)
        self.names = tuple(names)
        self.badges_so_far = tuple(
            dict.fromkeys([*self.badges_so_far, *(badge for mat in mats for badge in mat.badges)])
        )
        for mat in mats:
            self.cell_digits += [MIN_COLUMN_DIGITS] * (len(mat.cells) - len(self.cell_digits))
            for at, cell in enumerate(mat.cells):
                self.cell_digits[at] = max(self.cell_digits[at], len(written(cell)))
            if mat.headline is not None:
                self.headline_digits = max(self.headline_digits, len(written(mat.headline)))
        self.bid_digits = max([len(str(bid)) for bid in bids], default=0)

    def _widen_for_cards(self, faces: set[CardFace], lang: str) -> None:
        """Finds the widest card: a card is as wide as its words, so another language changes it."""
        known_lang, known = self._faces
        if lang != known_lang:
            faces, known, self.widest_card = faces | known, set(), None
        if not (new := faces - known):
            return
        self._faces = lang, known | new
        marks = [CardMark(face, lang) for face in new]
        marks += [] if self.widest_card is None else [self.widest_card]
        self.widest_card = max(marks, key=lambda mark: mark.across(theme.length.glyph), default=None)

    @property
    def layout_key(self) -> tuple[object, ...]:
        """All widths as one value: if it changes, panels are measured and drawn again."""
        return (
            *self.cell_digits,
            self.headline_digits,
            self.bid_digits,
            self.names,
            self.badges_so_far,
            self.widest_card,
        )


class ReservedSpace(Mark):
    """An empty space of a certain width, where a bid or a clock comes and goes."""

    def __init__(self, width: float) -> None:
        self.width = width

    def across(self, high: float) -> float:  # noqa: ARG002 - what is drawn there has its own height
        """The width."""
        return self.width


def draw_bid(box: Box, bid: int, *, is_highest: bool, is_faded: bool) -> None:
    """Draws a bid on a small card; the highest has a brass edge."""
    sizes, (x, y, width, height) = theme.length, box
    fill(theme.PAPER_LIT, box, sizes.radius * 0.6)
    edge, line = (theme.BRASS, sizes.rim) if is_highest else (theme.PAPER_LINE, sizes.line)
    rim(edge, box, line, sizes.radius * 0.6)
    colour = theme.INK_QUIET if is_faded else theme.INK
    middle = (x + width / 2, y + height / 2)
    inscribe(str(bid), middle, min(sizes.bid, height * 0.95), colour, theme.MONEY)
