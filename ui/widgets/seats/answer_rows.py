"""Rows with one player's answer: for a reveal whose words don't fit on a slip, and for an open round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_brass_frame,
    draw_paper,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_icon, draw_player_token
from ui.widgets.drawing.text import FittedLabel, measure_text_width, wrap_name
from ui.widgets.pieces.cardback import draw_card_back

TOKEN_AND_NAME_WIDTH_SHARE = 0.36
"""Share of a row's width for token and name together."""
MAX_ANSWER_LINES = 9


class RevealRow(AutoRedrawWidget):
    """Row of a reveal with one player's answer: a card's back until `open`, then token, name and answer."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("colour", "is_opened", "is_winner")
    colour = OptionProperty("orange", options=list(theme.PLAYER_LOOKS))
    name = StringProperty("")
    answer_text = StringProperty("")
    is_opened = BooleanProperty(defaultvalue=False)
    is_winner = BooleanProperty(defaultvalue=False)
    bid_share = NumericProperty(0.0)
    """Share of the highest bid: the reveal sets the share on rows and bars alike, a row doesn't draw it."""

    def __init__(self, *, lines: Sequence[str] = (), total: str = "", **kwargs: Any) -> None:
        """`total` is the value of an answer of several numbers; it stands above the `lines`."""
        self.name_label = FittedLabel(style="key", lines=3, line_height=1.0)
        self.answer_label = FittedLabel(style="body", lines=MAX_ANSWER_LINES, line_height=1.0)
        super().__init__(**kwargs)
        self.answer_text = "\n".join([*([total] if total else []), *lines])

    def min_height_at(self, width: float) -> float:
        """Returns the least height at which the whole answer and the name fit into a row of this width."""
        edge, gap = theme.length.line * 2, theme.length.gap
        inner_width = width - 2 * edge
        name_width = inner_width * TOKEN_AND_NAME_WIDTH_SHARE - theme.length.token - 2 * gap
        name = "\n".join(wrap_name(self.name, max(1.0, name_width)))
        answer_width = inner_width * (1 - TOKEN_AND_NAME_WIDTH_SHARE) - 2 * gap
        heights = (
            self.name_label.min_height_of(name, max(1.0, name_width)),
            self.answer_label.min_height_of(self.answer_text, answer_width),
        )
        return float(max(heights) + 2 * edge)

    def open(self, answer_text: str) -> None:
        """Opens the row, so that it shows the answer."""
        self.answer_text, self.is_opened = answer_text, True
        self.answer_label.text = answer_text
        add_children(self, self.name_label, self.answer_label)

    def skip_animation(self) -> None:
        """Skips the animation: shows the answer at once."""
        self.open(self.answer_text)

    def draw(self) -> None:
        """Draws a card's back, or the opened row on paper, with a brass frame for a winner."""
        box = inset_box(self.box, theme.length.line * 2)
        if not self.is_opened:
            draw_card_back(box)
            return
        x, y, width, height = box
        gap, side = theme.length.gap, min(height * 0.7, theme.length.token)
        draw_paper(box, theme.length.line)
        if self.is_winner:
            draw_brass_frame(box)
        draw_player_token(self.colour, (x + gap, y + (height - side) / 2, side, side))
        left = x + side + 2 * gap
        right = x + width * TOKEN_AND_NAME_WIDTH_SHARE
        self.name_label.text = "\n".join(wrap_name(self.name, max(1.0, right - left)))
        self.name_label.pos, self.name_label.size = (left, y), (max(1.0, right - left), height)
        self.answer_label.pos, self.answer_label.size = (
            (right + gap, y),
            (x + width - right - 2 * gap, height),
        )


# Rows of an open round


WIDEST_USUAL_NUMBER, WIDEST_USUAL_NUMBER_WITH_LABEL = "−888", "−8888"
"""The widest number that a round usually has, alone or as one of several with a label.

A wider number is smaller.
"""
MAX_NAME_WIDTH_EM = 8
"""Maximum width of a name in one line, in heights of the smallest letters; a longer name takes two lines."""
MIN_WIDTH_WITH_NUMBER_BESIDE_NAME_TARGETS, WIDTH_PER_FURTHER_NUMBER_TARGETS = 4.2, 1.4
"""Least width in targets at which a number stands beside the name, and more for each further number."""


class SeatNumbersRow(ButtonBehavior, AutoRedrawWidget):
    """One seat's row in an open round: its token, its name and its numbers.

    `labels` name the numbers; a single number has none. `active_number_index` is the index of the number
    that people enter now, or -1.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "active_number_index", "is_answer_complete")
    active_number_index = NumericProperty(-1)
    is_answer_complete = BooleanProperty(defaultvalue=False)
    """Whether the seat's answer is complete."""

    def __init__(self, seat: Seat, labels: Sequence[str], **kwargs: Any) -> None:
        self.seat, self.name, self.touched_number_index = seat, seat.name, 0
        self.name_label = FittedLabel(text=seat.name, style="key", line_height=1.0)
        self.labels = [FittedLabel(text=label, style="quiet", halign="right") for label in labels]
        self.number_labels = [FittedLabel(style="digit", halign="right", line_height=1.0) for _ in labels]
        super().__init__(**kwargs)
        for label in (self.name_label, *self.labels, *self.number_labels):
            self.add_widget(label)

    def show_numbers(self, numbers: Sequence[str]) -> None:
        """Shows the numbers, with a dash for a missing one."""
        for label, number in zip(self.number_labels, numbers, strict=True):
            label.text = number or "–"

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch as a button does, and remembers which number was touched."""
        if self.collide_point(*touch.pos):
            touched_indices = [
                index for index, label in enumerate(self.number_labels) if label.x <= touch.x <= label.right
            ]
            self.touched_number_index = touched_indices[0] if touched_indices else 0
        return bool(super().on_touch_down(touch))

    def draw(self) -> None:
        """Draws the row on paper, with a brass frame if active, and a tick if the answer is complete."""
        sizes = theme.length
        x, y, width, height = inset_box(self.box, sizes.line)
        draw_paper((x, y, width, height), 0.0 if self.state == "down" else sizes.line)
        frame = sizes.rim * 1.4
        if self.active_number_index >= 0:
            draw_border(theme.BRASS_DARK, (x, y, width, height), frame)
            draw_border(theme.BRASS, (x, y, width, height), sizes.rim)
        gap, tick_side = sizes.gap, sizes.smallest * 0.75
        if self.is_answer_complete:
            draw_icon(
                "tick",
                (x + width - tick_side - gap, y + height - tick_side - gap, tick_side, tick_side),
                theme.INK,
            )
        # Space for the frame is always left, so that nothing moves when the frame appears.
        self._place_labels((x + frame + gap, y + frame, width - frame - gap * 3, height - 2 * frame))

    def _place_labels(self, box: Box) -> None:
        """Places the numbers at the right, and token and name left of the numbers.

        In a narrow row the name is above the token, and several numbers are below the name.
        """
        x, y, width, height = box
        sizes, count = theme.length, len(self.number_labels)
        numbers_width, name_height = (
            measure_text_width(
                WIDEST_USUAL_NUMBER if count == 1 else WIDEST_USUAL_NUMBER_WITH_LABEL,
                sizes.digit,
                theme.MONEY_FONT,
            )
            * count,
            sizes.smallest * 1.35,
        )
        max_name_width = MAX_NAME_WIDTH_EM * sizes.smallest
        name_and_token_width = (
            min(max_name_width, measure_text_width(self.seat.name, sizes.smallest))
            + sizes.token
            + sizes.smallest
            + sizes.gap
        )
        is_beside = (
            self.width
            >= (MIN_WIDTH_WITH_NUMBER_BESIDE_NAME_TARGETS + WIDTH_PER_FURTHER_NUMBER_TARGETS * (count - 1))
            * sizes.target
            and name_and_token_width + numbers_width <= width
        )
        token_area_height = height if is_beside else height - name_height
        token_side = min(token_area_height * (0.55 if is_beside else 0.95), sizes.token)
        draw_player_token(
            self.seat.colour, (x, y + (token_area_height - token_side) / 2, token_side, token_side)
        )
        left = x + token_side + sizes.gap / 2
        if is_beside:
            right = x + width - sizes.smallest - numbers_width
            self.name_label.pos, self.name_label.size = (left, y), (right - left, height)
            self._write_name(right - left, 2)
            self._place_numbers((right, y, numbers_width, height))
        else:
            right = x + width - sizes.smallest  # the tick is right of it
            is_number_beside_name = (
                count == 1 and measure_text_width(self.seat.name, sizes.smallest) <= right - numbers_width - x
            )
            self.name_label.pos = (x, y + height - name_height)
            self.name_label.size = (
                right - x - (numbers_width if is_number_beside_name else 0.0),
                name_height,
            )
            self._write_name(self.name_label.width, 1)
            self._place_numbers(
                (right - numbers_width, y, numbers_width, height)
                if is_number_beside_name
                else (left, y, x + width - left, token_area_height)
            )

    def _write_name(self, width: float, max_lines: int) -> None:
        """Writes the name in at most `max_lines` lines."""
        lines = wrap_name(self.seat.name, width, max_lines=max_lines)
        self.name_label.lines, self.name_label.text = len(lines), "\n".join(lines)

    def _place_numbers(self, box: Box) -> None:
        """Places the numbers side by side, each behind its label.

        An active number is as large as the row allows; of several numbers, the active one is underlined.
        """
        x, y, width, height = box
        sizes, number_width = theme.length, width / len(self.number_labels)
        for index, (label, number_label) in enumerate(zip(self.labels, self.number_labels, strict=True)):
            text_width = (
                measure_text_width(label.text, sizes.smallest, bold=False) + sizes.gap if label.text else 0.0
            )
            label_width = min(text_width, number_width * 0.7)
            is_large = index == self.active_number_index and len(self.number_labels) == 1
            number_label.style = "number" if is_large else "digit"
            label.pos, label.size = (x + index * number_width, y), (label_width, height)
            number_label.pos, number_label.size = (
                (x + index * number_width + label_width, y),
                (number_width - label_width, height),
            )
            if index == self.active_number_index and len(self.number_labels) > 1:
                line_width = number_label.width - sizes.gap
                line_box = (number_label.x + sizes.gap, y + sizes.rim * 0.75, line_width, sizes.line * 1.5)
                fill_rounded_box(theme.BRASS_DARK, line_box, sizes.line)
