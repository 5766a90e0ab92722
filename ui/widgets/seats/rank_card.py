"""A seat's card in the final score, which turns over to show rank, name, reason and total."""

from __future__ import annotations

from typing import ClassVar

from kivy.animation import Animation
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.table.scores import Standing
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_border, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_icon, draw_player_token
from ui.widgets.drawing.text import FittedLabel, wrap_name
from ui.widgets.pieces.cardback import draw_card_back

_UPRIGHT = 0.5
"""The value of `turned_share` at which a card is seen from its edge."""


NAME_LINE_HEIGHT_EM = 1.3
"""The height that the name needs above a reason, in heights of the smallest letters."""
MAX_NARROW_TOTAL_SHARE = 0.3
"""Most of a narrow card's width for its total; a longer one has smaller digits, so the name has room."""


class RankCard(ButtonBehavior, AutoRedrawWidget):
    """Card with one seat's rank, name and total; `turned_share` runs from 0 (face down) to 1.

    The owner opens the sum behind the total when somebody presses the card. A narrow card doesn't show the
    reason of the rank, nor does one that is too low for it: the sheet with the sum does.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "turned_share", "is_sum_complete")
    turned_share = NumericProperty(0.0)
    is_sum_complete = BooleanProperty(defaultvalue=True)
    """Whether the whole total is shown, and with it the reason of the rank."""
    name = StringProperty("")
    """Name of the seat once the card is face up; until then nobody may learn whose card it is."""
    min_card_height = NumericProperty(0.0)
    """Least height of the card.

    It depends on the length of the reason only once the card turns: until then the height would tell it.
    """

    def __init__(
        self,
        standing: Standing,
        *,
        ended_early: bool = False,
        is_narrow: bool = False,
        total_style: str = "",
    ) -> None:
        self.standing, self._ended_early, self._is_narrow = standing, ended_early, is_narrow
        self.rank_label = FittedLabel(style="digit", halign="center", text=str(standing.rank))
        self.name_label = FittedLabel(style="question", lines=3 if is_narrow else 2, text=standing.seat.name)
        self.name_label.abbreviates = True
        self.reason_label = FittedLabel(style="quiet", lines=9)
        self.total_label = FittedLabel(
            style=total_style or ("digit" if is_narrow else "amount"),
            halign="right",
            text=str(standing.total),
            is_dimmed=standing.has_void_total,
        )
        if is_narrow:
            self.name_label.line_height = 1.0
        self._one_line_total_width = self.total_label.one_line_width()
        self._is_turned_up, self._reason_height = False, 0.0
        super().__init__()
        self.bind(turned_share=self._show_or_hide_labels, width=self._measure)
        self._show_or_hide_labels()

    @property
    def is_winner(self) -> bool:
        """Whether the card's seat is a winner; a game that ended early has no winner."""
        return self.standing.rank == 1 and not self.standing.is_eliminated and not self._ended_early

    def show_rank_reason(self, lang: str) -> None:
        """Shows the reason of the seat's rank, if there is one and the card isn't narrow."""
        reason = None if self._is_narrow else self.standing.rank_reason
        self.reason_label.text = render(reason, lang) if reason else ""
        self._measure()

    def _measure(self, *_: object) -> None:
        """Measures the least height, with the name above all lines of the reason."""
        sizes = theme.length
        has_reason = self._is_turned_up and self.reason_label.text
        self._reason_height = self.reason_label.min_height_at(self._column[1]) if has_reason else 0.0
        if self._is_narrow:
            self.name_label.text = "\n".join(wrap_name(self.standing.seat.name, self._column[1]))
        self.min_card_height = max(sizes.target, sizes.body * 1.2 + self._reason_height + sizes.line * 3)

    @property
    def _column(self) -> tuple[float, float]:
        """Left end and width of the texts between token and total."""
        sizes = theme.length
        rank_width, token_width, total_width, end_width = self._widths
        left = sizes.line + rank_width + token_width + (sizes.gap if self._is_narrow else sizes.space)
        return left, max(1.0, self.width - left - total_width - end_width - sizes.gap * 2)

    @property
    def _widths(self) -> tuple[float, float, float, float]:
        """Widths of the rank, the token, the total, and the space right of the total."""
        sizes = theme.length
        rank_width = self.rank_label.one_line_width() + sizes.gap
        if self._is_narrow:
            total_width = min(self._one_line_total_width + sizes.line, self.width * MAX_NARROW_TOTAL_SHARE)
            return max(sizes.row * 0.45, rank_width), sizes.token * 0.7, total_width, sizes.line
        total_width = min(max(sizes.amount, self._one_line_total_width + sizes.gap), sizes.amount * 2)
        return max(sizes.row * 0.6, rank_width), sizes.token, total_width, sizes.token * 1.2

    def turn_face_up(self) -> None:
        """Turns the card face up."""
        self._make_room_for_reason()
        Animation(
            turned_share=1.0, duration=theme.animation_seconds(theme.TURN_SECONDS), t="in_out_sine"
        ).start(self)

    def show_sum(self, line_count: int) -> None:
        """Shows the sum of the first counted lines as the total; the reason of the rank stays hidden."""
        self.total_label.text, self.is_sum_complete = str(self.standing.sum_of_lines(line_count)), False

    def show_everything(self) -> None:
        """Turns the card face up at once, with the whole total and the reason of the rank."""
        Animation.cancel_all(self, "turned_share")
        self._make_room_for_reason()
        self.turned_share = 1.0
        self.total_label.text, self.is_sum_complete = str(self.standing.total), True

    def _make_room_for_reason(self) -> None:
        self._is_turned_up = True
        self._measure()

    def _show_or_hide_labels(self, *_: object) -> None:
        labels = (self.rank_label, self.name_label, self.reason_label, self.total_label)
        is_face_up = self.turned_share == 1.0
        if is_face_up != (self.rank_label.parent is self):
            self.name = self.standing.seat.name if is_face_up else ""
            for label in labels:
                (self.add_widget if is_face_up else self.remove_widget)(label)

    def draw(self) -> None:
        """Draws the card's back, edge or face, as far as it is turned."""
        x, y, width, height = inset_box(self.box, theme.length.line)
        visible_height = height * abs(1 - 2 * self.turned_share)
        card = (x, y + (height - visible_height) / 2, width, visible_height)
        if self.turned_share < _UPRIGHT:
            draw_card_back(card)
        else:
            self._draw_face(card)

    def _draw_face(self, card: Box) -> None:
        sizes = theme.length
        is_pressed = self.state == "down"
        draw_paper(card, 0 if is_pressed else sizes.line, theme.PAPER_PRESSED if is_pressed else theme.PAPER)
        if self.is_winner:
            draw_border(theme.BRASS, card, sizes.rim)
        if self.turned_share == 1.0:
            self._place_labels(card)

    def _place_labels(self, card: Box) -> None:
        x, y, width, height = card
        sizes = theme.length
        rank_width, token_width, total_width, _ = self._widths
        token_side = min(height * 0.7, token_width)
        draw_player_token(
            self.standing.seat.colour, (x + rank_width, y + (height - token_side) / 2, token_side, token_side)
        )
        end = x + width - (0 if self._is_narrow else token_width)
        if not self._is_narrow:
            draw_icon(
                "next",
                (end, y + (height - token_side * 0.5) / 2, token_side * 0.5, token_side * 0.5),
                theme.INK,
            )
        self.rank_label.pos, self.rank_label.size = (x, y), (rank_width, height)
        self.total_label.pos, self.total_label.size = (
            (end - sizes.gap - total_width, y),
            (total_width, height),
        )
        left, column_width = self._column
        has_room = height >= self._reason_height + sizes.smallest * NAME_LINE_HEIGHT_EM + 2 * sizes.line
        self.reason_label.opacity = float(has_room and self.is_sum_complete)
        free_height = max(sizes.line, height - self._reason_height - sizes.question * 1.2) / 2
        name_bottom = self._reason_height + free_height if self._reason_height and has_room else 0.0
        self.name_label.pos, self.name_label.size = (
            (self.x + left, y + name_bottom),
            (column_width, height - name_bottom - sizes.line),
        )
        self.reason_label.pos, self.reason_label.size = (
            (self.x + left, y + free_height),
            (column_width, self._reason_height or 1.0),
        )
