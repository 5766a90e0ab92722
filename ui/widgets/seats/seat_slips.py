"""Slips along the edges of a screen that lies flat: each says a result to one player, upright."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kivy.properties import BooleanProperty, ListProperty, StringProperty
from kivy.uix.widget import Widget

from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.containers import RotatedFrame, add_children
from ui.widgets.drawing.line_breaking import widest_word_width
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_border, draw_paper
from ui.widgets.drawing.symbols import draw_filled_dot, draw_player_token
from ui.widgets.drawing.text import FittedLabel, measure_text_width

BELOW, RIGHT, ABOVE, LEFT = range(4)
SLIP_DEPTH_IN_TARGETS, MAX_SLIP_LENGTH_IN_TARGETS = 0.7, 7.0
"""The depth and the greatest length of a slip, in touch targets."""
MIN_DIGITS_SCALE, MIN_NAME_WIDTH_EM = 0.65, 2.5
"""The least scale of digits beside a note, and the least width of a name there in its smallest letters."""
DOT_SHARE = 0.6
"""The size of the dot between rank and number, as a share of a gap."""
MAX_TEXT_LINES, TOKEN_SHARE = 2, 0.75
"""The most lines of the text, and the height of the piece as a share of the slip's."""


class SeatSlip(AutoRedrawWidget):
    """A player's slip: the piece, a text, and a number at the right end.

    With a `rank`, a place such as 4th, the rank and the number come first. A `rank_note` says that others
    have the rank, too; the digits get smaller for it, down to `MIN_DIGITS_SCALE`. The text is the first of
    `texts` that has room, else the player's name. With `is_number_void` the number is quiet, because it
    doesn't count.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "rank",
        "rank_note",
        "texts",
        "number",
        "is_number_void",
        "is_winner",
    )
    rank = StringProperty("")
    rank_note = StringProperty("")
    texts = ListProperty()
    number = StringProperty("")
    is_number_void = BooleanProperty(defaultvalue=False)
    is_winner = BooleanProperty(defaultvalue=False)

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.rank_label = FittedLabel(style="digit", halign="center")
        self.rank_note_label = FittedLabel(style="quiet", halign="center")
        self.text_label = FittedLabel(style="question", lines=MAX_TEXT_LINES, line_height=1.0)
        self.number_label = FittedLabel(style="digit", halign="right")
        super().__init__()
        add_children(self, self.rank_label, self.rank_note_label, self.text_label, self.number_label)

    def draw(self) -> None:
        """Draws the slip; a winner's slip has a brass edge."""
        sizes, (x, y, width, height) = theme.length, self.box
        draw_paper(self.box, sizes.line)
        if self.is_winner:
            draw_border(theme.BRASS, self.box, sizes.rim)
        self.number_label.is_dimmed = self.is_number_void
        left, right = x + sizes.gap, x + width - sizes.gap
        side = min(sizes.token, height * TOKEN_SHARE)
        self._fit_labels(right - left - side - 2 * sizes.gap)
        if self.rank:
            labels = [self.rank_label, self.rank_note_label, self.number_label]
            for label in [label for label in labels if label.width]:
                if label is self.number_label:
                    side_of_dot = sizes.gap * DOT_SHARE
                    draw_filled_dot(
                        (left, y + (height - side_of_dot) / 2, side_of_dot, side_of_dot), theme.INK
                    )
                    left += sizes.gap + side_of_dot
                label.pos = left, y
                left = label.right + sizes.gap
        else:
            self.number_label.pos = right - self.number_label.width, y
            right = self.number_label.x - sizes.gap
        draw_player_token(self.seat.colour, (left, y + (height - side) / 2, side, side))
        left += side + sizes.gap
        self._place_text((left, y, right - left, height))

    def _fit_labels(self, available_width: float) -> None:
        """Gives rank, note and number their widths; the note has none if the digits were too small for it."""
        gap = theme.length.gap
        for label, text in (
            (self.rank_label, self.rank),
            (self.rank_note_label, self.rank_note),
            (self.number_label, self.number),
        ):
            label.text = text
            label.size = (label.one_line_width() if text else 0.0, self.height)
        if self.rank_note:
            note_width = self.rank_note_label.width + (2 + DOT_SHARE) * gap
            digits_width = self.rank_label.width + self.number_label.width
            scale = min(1.0, (available_width - note_width) / digits_width)
            if scale >= MIN_DIGITS_SCALE:
                self.rank_label.width *= scale
                self.number_label.width *= scale
            else:
                self.rank_note_label.text, self.rank_note_label.width = "", 0.0

    def _place_text(self, box: Box) -> None:
        """Shows the text; beside a note on the rank, a name without room for a letter is left out."""
        x, y, width, height = box
        label, width = self.text_label, max(1.0, width)
        fitting = (text for text in self.texts if self._has_room(text, width, height))
        label.text, label.pos, label.size = next(fitting, self.seat.name), (x, y), (width, height)
        label.abbreviates = label.text == self.seat.name
        if self.rank_note_label.text and width < MIN_NAME_WIDTH_EM * theme.length.smallest:
            label.text = ""

    def _has_room(self, text: str, width: float, height: float) -> bool:
        smallest = theme.length.smallest
        word_width = widest_word_width(text, lambda word: measure_text_width(word, smallest))
        return word_width <= width and self.text_label.min_height_of(text, width) <= height


class SeatSlips(Widget):
    """The slips of all players, each along the edge where its player sits, turned to the player.

    People at the side that the page between the slips faces read the page itself, and have no slip.
    """

    def __init__(self, slips: Sequence[SeatSlip], side_by_seat: Mapping[Seat, int]) -> None:
        super().__init__(size_hint=(None, None))
        self._slips_by_side = {
            side: [slip for slip in slips if side_by_seat.get(slip.seat) == side] for side in range(4)
        }
        self._frames = {slip.seat: add_children(RotatedFrame(), slip) for slip in slips}

    def inner_box(self, box: Box, faced_side: int) -> Box:
        """Returns the box of a page between the slips that faces a side."""
        x, y, width, height = box
        depth = self._depth
        left, right, below, above = (
            depth if self._slips_by_side[side] and side != faced_side else 0.0
            for side in (LEFT, RIGHT, BELOW, ABOVE)
        )
        return x + left, y + below, width - left - right, height - below - above

    @property
    def _depth(self) -> float:
        return float(theme.length.target * SLIP_DEPTH_IN_TARGETS)

    def place_around(self, box: Box, faced_side: int) -> None:
        """Places the slips along the edges of a box, around a page that faces a side."""
        self.clear_widgets()
        x, y, width, height = box
        inner_x, inner_y, inner_width, inner_height = self.inner_box(box, faced_side)
        # The slips at the short sides have the whole edge.
        along_x, along_y = (
            ((inner_x, inner_width), (y, height))
            if width >= height
            else (
                (x, width),
                (inner_y, inner_height),
            )
        )
        for side, slips in self._slips_by_side.items():
            if side == faced_side or not slips:
                continue
            start, edge = along_y if side in (LEFT, RIGHT) else along_x
            across = {BELOW: y, ABOVE: y + height - self._depth, LEFT: x, RIGHT: x + width - self._depth}
            self._place_side(slips, side, (start, edge), across[side])

    def _place_side(
        self, slips: Sequence[SeatSlip], side: int, along: tuple[float, float], across: float
    ) -> None:
        """Places the slips of one side in the middle of its edge; `along` is its start and its length."""
        (start, edge), gap, rim = along, theme.length.gap, theme.length.rim
        max_length = theme.length.target * MAX_SLIP_LENGTH_IN_TARGETS
        length = min(max_length, (edge - gap * (len(slips) + 1)) / len(slips))
        start += (edge - length * len(slips) - gap * (len(slips) - 1)) / 2
        depth = self._depth - 2 * rim
        for index, slip in enumerate(slips if side in (ABOVE, LEFT) else reversed(slips)):
            frame, offset = self._frames[slip.seat], start + index * (length + gap)
            is_upright = side in (LEFT, RIGHT)
            frame.pos = (across + rim, offset) if is_upright else (offset, across + rim)
            frame.size = (depth, length) if is_upright else (length, depth)
            frame.quarter_turns = side
            slip.pos, slip.size = (0, 0), frame.inner_size
            self.add_widget(frame)
