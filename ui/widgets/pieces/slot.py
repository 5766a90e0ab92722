"""A card of a row on the table, face down: its place in the row, and the coins that lie on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.table.ledger import Piece
from ui import theme
from ui.widgets.drawing.drawn import fill, inset, rim
from ui.widgets.drawing.inscribed import across, inscribe
from ui.widgets.pieces.glyph import Glyph
from ui.widgets.pieces.things import draw_thing

WIDE = 0.74
"""Of a card, as a share of its height."""
IN_A_ROW = 3
"""Coins side by side on a card."""


class Slot(Glyph):
    """As high as the row; its coins are small, but keep their shapes."""

    def __init__(self, number: int, things: Sequence[Piece], **kwargs: Any) -> None:
        self.things = things
        super().__init__(str(number), **kwargs)

    def reach(self, height: float) -> float:
        """The card and the number before it."""
        return height * WIDE + across(self.text, theme.length.smallest, theme.MONEY) + theme.length.rim

    def draw(self) -> None:
        """Number, card, coins."""
        wide = self.height * WIDE
        card = (self.right - wide, self.y, wide, self.height)
        number = (self.x + (self.width - wide - theme.length.rim) / 2, self.center_y)
        inscribe(self.text, number, theme.length.smallest, theme.QUIET, theme.MONEY)
        fill(theme.PAPER_LIT, card, theme.length.rim)
        rim(theme.INK, card, theme.length.hair, theme.length.rim)
        inner = inset(card, theme.length.line)
        fill(theme.FELT_LIT, inner, theme.length.line)
        self._draw_things(inner)

    def _draw_things(self, card: tuple[float, float, float, float]) -> None:
        x, y, wide, high = card
        few = len(self.things) <= 1
        side = min(wide, high) if few else min(wide / 2, high / IN_A_ROW)
        for at, piece in enumerate(self.things):
            across, up = (x + (wide - side) / 2, y + (high - side) / 2) if few else _spot(card, side, at)
            draw_thing(piece, "", (across, up, side, side))


def _spot(card: tuple[float, float, float, float], side: float, at: int) -> tuple[float, float]:
    """Two columns from the top."""
    x, y, wide, high = card
    return x + (at % 2) * (wide - side), y + high - side - (at // 2) * (high - side) / 2
