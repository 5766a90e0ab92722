"""A seat's card in the final score, which turns over to show rank, name, reason and total."""

from __future__ import annotations

from typing import ClassVar

from kivy.animation import Animation
from kivy.properties import NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.table.scores import Standing
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_border, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_icon, draw_player_token
from ui.widgets.drawing.text import FittedLabel, wrap_name
from ui.widgets.pieces.cardback import draw_card_back

_UPRIGHT = 0.5
"""The point of the turn at which a card is seen from its edge."""


class RankCard(ButtonBehavior, AutoRedrawWidget):
    """One seat's rank, name and total on a card; `turned` runs from 0 (face down) to 1.

    Pressed, it opens the sum behind the total. A narrow card leaves the reason of the rank to that page.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "turned")
    turned = NumericProperty(0.0)
    name = StringProperty("")
    min_card_height = NumericProperty(0.0)
    """Least height of the card; cards with less text are lower."""

    def __init__(self, standing: Standing, *, ended_early: bool = False, is_narrow: bool = False) -> None:
        self.standing, self._early, self._is_narrow = standing, ended_early, is_narrow
        self.rank_label = FittedLabel(style="digit", halign="center", text=str(standing.rank))
        self.name_label = FittedLabel(style="question", lines=3 if is_narrow else 2, text=standing.seat.name)
        self.name_label.abbreviates = True
        self.reason_label = FittedLabel(style="quiet", lines=9)
        self.total_label = FittedLabel(
            style="digit" if is_narrow else "amount", halign="right", text=str(standing.total)
        )
        if is_narrow:
            self.name_label.line_height = 1.0
        self._low = 0.0
        super().__init__(name=standing.seat.name)
        self.bind(turned=self._write, width=self._need)
        self._write()

    @property
    def is_winner(self) -> bool:
        """Whether the card's seat is a winner.

        A game that ended early has no winner.
        """
        return self.standing.rank == 1 and not self.standing.is_eliminated and not self._early

    def show_rank_reason(self, lang: str) -> None:
        """Shows the reason of the seat's rank, if the total doesn't tell it."""
        reason = None if self._is_narrow else self.standing.rank_reason
        self.reason_label.text = render(reason, lang) if reason else ""
        self._need()

    def _need(self, *_: object) -> None:
        """Measures the least height: the name above all lines of the reason."""
        sizes = theme.length
        self._low = self.reason_label.min_height_at(self._column[1]) if self.reason_label.text else 0.0
        if self._is_narrow:
            self.name_label.text = " ".join(wrap_name(self.name, self._column[1]))
        self.min_card_height = max(sizes.target, sizes.body * 1.2 + self._low + sizes.line * 3)

    @property
    def _column(self) -> tuple[float, float]:
        """Left end and width of the texts between token and total."""
        sizes = theme.length
        rank, side, total, end = self._widths
        left = sizes.line + rank + side + (sizes.gap if self._is_narrow else sizes.space)
        return left, max(1.0, self.width - left - total - end - sizes.gap * 2)

    @property
    def _widths(self) -> tuple[float, float, float, float]:
        """Of the rank, the token, the total, and what is right of that."""
        sizes = theme.length
        rank = self.rank_label.one_line_width() + sizes.gap
        if self._is_narrow:
            total = self.total_label.one_line_width() + sizes.line
            return max(sizes.row * 0.45, rank), sizes.token * 0.7, total, sizes.line
        return max(sizes.row * 0.6, rank), sizes.token, sizes.amount * 2, sizes.token * 1.2

    def turn_face_up(self) -> None:
        """Turns the card face up."""
        Animation(turned=1.0, duration=theme.animation_seconds(theme.TURN_SECONDS), t="in_out_sine").start(
            self
        )

    def skip_animation(self) -> None:
        """Turns the card face up at once."""
        Animation.cancel_all(self, "turned")
        self.turned = 1.0

    def _write(self, *_: object) -> None:
        writings = (self.rank_label, self.name_label, self.reason_label, self.total_label)
        is_up = self.turned == 1.0
        if is_up != (self.rank_label.parent is self):
            for writing in writings:
                (self.add_widget if is_up else self.remove_widget)(writing)

    def draw(self) -> None:
        """Draws the card's back, edge or face, as far as it is turned."""
        x, y, width, height = inset_box(self.box, theme.length.line)
        tall = height * abs(1 - 2 * self.turned)
        card = (x, y + (height - tall) / 2, width, tall)
        if self.turned < _UPRIGHT:
            draw_card_back(card)
        else:
            self._draw_face(card)

    def _draw_face(self, card: Box) -> None:
        sizes = theme.length
        pressed = self.state == "down"
        draw_paper(card, 0 if pressed else sizes.line, theme.PAPER_PRESSED if pressed else theme.PAPER)
        if self.is_winner:
            draw_border(theme.BRASS, card, sizes.rim)
        if self.turned == 1.0:
            self._place(card)

    def _place(self, card: Box) -> None:
        x, y, width, height = card
        sizes = theme.length
        rank, token, digits, _ = self._widths
        side = min(height * 0.7, token)
        draw_player_token(self.standing.seat.colour, (x + rank, y + (height - side) / 2, side, side))
        end = x + width - (0 if self._is_narrow else token)
        if not self._is_narrow:
            draw_icon("next", (end, y + (height - side * 0.5) / 2, side * 0.5, side * 0.5), theme.INK)
        self.rank_label.pos, self.rank_label.size = (x, y), (rank, height)
        self.total_label.pos, self.total_label.size = (end - sizes.gap - digits, y), (digits, height)
        left, room = self._column
        spare = max(sizes.line, height - self._low - sizes.question * 1.2) / 2
        low = self._low + spare if self._low else 0.0
        self.name_label.pos, self.name_label.size = (
            (self.x + left, y + low),
            (room, height - low - sizes.line),
        )
        self.reason_label.pos, self.reason_label.size = (self.x + left, y + spare), (room, self._low or 1.0)
