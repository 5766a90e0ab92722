"""Coins that slide over the table from who pays to who is paid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

from kivy.animation import Animation
from kivy.properties import NumericProperty

from companion.table.ledger import Piece
from companion.texts import say
from ui import theme
from ui.widgets.drawing.containers import detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.drawing.text import Point
from ui.widgets.pieces.things import MONEY_LOOK_AND_COLOUR, SOLID_PIECE_LOOKS, draw_solid_piece

PLAIN_COIN = Piece("coin", say("coin"), look=MONEY_LOOK_AND_COLOUR[0], colour=MONEY_LOOK_AND_COLOUR[1])
"""The coin that stands for money without a picture of its own."""


class CoinSlide(NamedTuple):
    """A coin with the points between which it slides."""

    piece: Piece
    start: Point
    end: Point


class SlidingCoins(AutoRedrawWidget):
    """A layer over the table on which coins slide once: `SlidingCoins(find_slides)`; then it removes itself.

    `find_slides` returns the slides in each frame, because the table may get another layout while a coin is
    on its way. The layer takes no touch.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("progress",)
    progress = NumericProperty(0.0)

    def __init__(self, find_slides: Callable[[], Iterable[CoinSlide]], **kwargs: Any) -> None:
        self.find_slides = find_slides
        super().__init__(size_hint=(None, None), **kwargs)
        sliding = Animation(progress=1.0, duration=theme.COIN_SLIDE_SECONDS, transition="in_out_cubic")
        sliding.bind(on_complete=lambda *_: self.stop())
        sliding.start(self)

    def stop(self) -> None:
        """Ends the slide at once and removes the coins."""
        Animation.cancel_all(self)
        detach_from_parent(self)

    def draw(self) -> None:
        """Draws each coin on its way."""
        side = theme.length.piece
        for piece, (start_x, start_y), (end_x, end_y) in self.find_slides():
            x = start_x + (end_x - start_x) * self.progress
            y = start_y + (end_y - start_y) * self.progress
            coin = piece if piece.look in SOLID_PIECE_LOOKS else PLAIN_COIN
            draw_solid_piece(coin, "", (x - side / 2, y - side / 2, side, side))
