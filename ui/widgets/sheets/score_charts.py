"""Charts below a final score: a line of points for each seat, bars of thinking time, a QR code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.record.dates import format_duration
from companion.record.record import (
    ScoreMoment,
    ThinkingTime,
    counts_rounds,
    marker_moment_indices,
    moments_of_chart,
    score_axis_range,
    score_axis_ticks,
    score_line_corners,
)
from companion.record.text_export import qr_code
from companion.table.seats import Seat
from companion.texts import render, say
from ui import theme
from ui.widgets.drawing.canvas_diff import Color, Rectangle, SmoothLine
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, fill_rounded_box
from ui.widgets.drawing.symbols import PlayerToken, draw_shape
from ui.widgets.drawing.text import FittedLabel, measure_text_width, shorten_name, wrap_name
from ui.words import get_running_translator


def spread_heights_apart(
    preferred_heights: Sequence[float], min_distance: float, lowest: float
) -> list[float]:
    """Returns heights at least `min_distance` apart, each near its preferred height, none below `lowest`.

    The heights are sorted from high to low.
    """
    heights: list[float] = []
    for height in preferred_heights:
        heights.append(min(height, heights[-1] - min_distance) if heights else height)
    for index in reversed(range(len(heights))):
        min_height = lowest if index == len(heights) - 1 else heights[index + 1] + min_distance
        heights[index] = max(heights[index], min_height)
    return heights


NAMES_WIDTH_SHARE, MAX_NAMES_WIDTH_SHARE = 0.32, 0.55
"""Share of the width for names and totals, and maximum share for long ones."""


MAX_AXIS_TICKS, AXIS_TICK_WIDTH_EM = 12, 2.2
"""The most numbers below the score chart, and the least width of each in heights of its letters."""


class ScoreLineChart(AutoRedrawWidget):
    """Line chart of each seat's score over the course of a game, on paper.

    The lines have a point for each round, and the axis below the numbers of rounds; in a game without rounds
    of questions. Seats differ by colour and shape; equal lines are drawn side by side. Each line leads to its
    name.
    """

    def __init__(self, moments: Sequence[ScoreMoment], **kwargs: Any) -> None:
        self._moments = moments = moments_of_chart(moments)
        self._min_total, self._max_total = score_axis_range(moments)
        final = moments[-1].totals
        self._seats = list(final)
        self._ranked = sorted(final, key=lambda seat: -final[seat])
        self.names = {
            seat: FittedLabel(text=self._name_and_total(seat), style="body") for seat in self._ranked
        }
        self.scale = {
            number: FittedLabel(text=_format_number(number), style="quiet", halign="right")
            for number in sorted({self._min_total, max(0, self._min_total), self._max_total})
        }
        self.axis_label = FittedLabel(style="quiet")
        self.update_texts()
        self.ticks = [FittedLabel(style="quiet", halign="center") for _ in range(MAX_AXIS_TICKS)]
        self._lines_left = self._lines_width = self._lines_bottom = self._lines_height = 1.0
        super().__init__(**kwargs)
        add_children(self, *self.names.values(), *self.scale.values(), self.axis_label, *self.ticks)

    def update_texts(self) -> None:
        """Says in the language of the screen what the axis counts."""
        tr = get_running_translator().tr
        self.axis_label.text = tr("Round") if counts_rounds(self._moments) else tr("Question")

    def draw(self) -> None:
        """Draws scale, axis, lines and names."""
        sizes = theme.length
        line_height = sizes.smallest * 1.5
        scale_width = max(
            sizes.amount, *(label.one_line_width() + sizes.gap * 2 for label in self.scale.values())
        )
        names_width = max(
            measure_text_width(self._name_and_total(seat), sizes.smallest) for seat in self._ranked
        )
        names_area_width = min(names_width + line_height + sizes.gap * 2, self.width * MAX_NAMES_WIDTH_SHARE)
        lines_width = (
            self.width - max(min(sizes.seats, self.width * NAMES_WIDTH_SHARE), names_area_width) - scale_width
        )
        self._lines_left, self._lines_width = float(self.x + scale_width), max(1.0, float(lines_width))
        self._lines_bottom, self._lines_height = (
            float(self.y + line_height * 1.5),
            max(1.0, float(self.height - line_height * 2)),
        )
        for number, label in self.scale.items():
            height = self._height(number)
            is_crowded = number != 0 and abs(height - self._height(0)) < line_height
            label.opacity = 0.0 if is_crowded else 1.0
            label.size = (scale_width - sizes.gap, line_height)
            label.pos = (self.x, height - line_height / 2)
            Color(*theme.PAPER_LINE)
            SmoothLine(
                points=[self._lines_left, height, self._lines_left + self._lines_width, height],
                width=sizes.hair / 2,
            )
        self._draw_axis(line_height)
        for index, seat in enumerate(self._seats):
            self._draw_line(index, seat)
        self._place_names(line_height)

    def _draw_axis(self, line_height: float) -> None:
        """Draws the numbers of rounds or questions below the lines, and right of them what is counted."""
        sizes, right = theme.length, self._lines_left + self._lines_width
        numbers = [str(tick.number) for tick in score_axis_ticks(self._moments, MAX_AXIS_TICKS)]
        widest = max((measure_text_width(number, sizes.smallest) for number in numbers), default=0.0)
        tick_width = max(sizes.smallest * AXIS_TICK_WIDTH_EM, widest + 2 * sizes.gap)
        # The tick at the end of the lines extends beyond them.
        axis_label_left = right + tick_width / 2 + sizes.gap
        self.axis_label.pos = (axis_label_left, self.y)
        self.axis_label.size = (max(0.0, self.right - axis_label_left), line_height)
        max_count = min(MAX_AXIS_TICKS, int(self._lines_width // tick_width))
        for label in self.ticks:
            label.text = ""
        labels, free_from = iter(self.ticks), -inf
        for tick in score_axis_ticks(self._moments, max_count):
            x = self._x(tick.moment_index)
            if x - tick_width / 2 < free_from:
                continue
            free_from = x + tick_width / 2
            label = next(labels)
            label.text, label.size = str(tick.number), (tick_width, line_height)
            label.pos = (x - tick_width / 2, self.y)
            Color(*theme.PAPER_LINE)
            points = [x, self._lines_bottom, x, self._lines_bottom - sizes.line * 2]
            SmoothLine(points=points, width=sizes.hair / 2)

    def _draw_line(self, index: int, seat: Seat) -> None:
        sizes, player, offset = theme.length, theme.PLAYER_LOOKS[seat.colour], self._line_offset(index)
        points = [
            (self._x(step), self._height(total) + offset)
            for step, total in score_line_corners(self._moments, seat)
        ]
        Color(*player.colour)
        # Each part by itself, because a smooth line shoots far beyond a sharp corner.
        for start, end in pairwise(points):
            SmoothLine(points=[*start, *end], width=sizes.line * 0.8)
        side = sizes.smallest * 0.7
        for step in marker_moment_indices(len(self._moments), index / len(self._seats)):
            x, y = self._x(step), self._height(self._moments[step].totals[seat]) + offset
            box = (x - side / 2, y - side / 2, side, side)
            draw_shape(player.shape, box, player.colour, theme.INK, sizes.hair)

    def _line_offset(self, index: int) -> float:
        """Returns how far the line of a seat is above its totals, so that equal lines are side by side."""
        return float((index - (len(self._seats) - 1) / 2) * theme.length.line)

    def _line_height_at_end(self, seat: Seat) -> float:
        offset = self._line_offset(self._seats.index(seat))
        return self._height(self._moments[-1].totals[seat]) + offset

    def _place_names(self, line_height: float) -> None:
        sizes = theme.length
        left, side = self._lines_left + self._lines_width + sizes.gap, line_height * 0.8
        preferred_heights = [self._height(self._moments[-1].totals[seat]) for seat in self._ranked]
        for seat, height in zip(
            self._ranked,
            spread_heights_apart(preferred_heights, line_height, self._lines_bottom),
            strict=True,
        ):
            player = theme.PLAYER_LOOKS[seat.colour]
            box = (left, height - side / 2, side, side)
            Color(*player.colour)
            end = self._lines_left + self._lines_width, self._line_height_at_end(seat)
            SmoothLine(points=[*end, left + side / 2, height], width=sizes.line * 0.8)
            draw_shape(player.shape, box, player.colour, theme.INK, sizes.line)
            name_width = self.right - left - side - sizes.gap
            self.names[seat].text = self._name_and_total(seat, name_width)
            self.names[seat].size = (name_width, line_height)
            self.names[seat].pos = (left + side + sizes.gap, height - line_height / 2)

    def _name_and_total(self, seat: Seat, width: float = inf) -> str:
        """Returns the name and the score of a player; the name is shortened to the width.

        The score of a player who is out is in parentheses.
        """
        last = self._moments[-1]
        number = _format_number(last.totals[seat])
        total = f" ({number})" if seat in last.eliminated_seats else f" {number}"
        name_width = width - measure_text_width(total, theme.length.smallest, bold=False)
        name = wrap_name(shorten_name(seat.name), name_width, bold=False, max_lines=1)[0]
        return f"{name}{total}"

    def _x(self, step: int) -> float:
        return self._lines_left + self._lines_width * step / (len(self._moments) - 1)

    def _height(self, total: WholeOrHalf) -> float:
        return self._lines_bottom + self._lines_height * float(total - self._min_total) / float(
            self._max_total - self._min_total
        )


class ScoreChartSheet(ButtonBehavior, PaperBoxLayout):
    """Sheet of paper with the chart of the score under a heading; it can be pressed.

    Without a history of the score, the sheet is empty.
    """

    def __init__(self, moments: Sequence[ScoreMoment]) -> None:
        sizes = theme.length
        super().__init__(padding=(sizes.space, sizes.gap), spacing=sizes.gap / 2)
        self.name = "small chart"
        self.has_lines = bool(moments)
        self.heading = FittedLabel(style="quiet", size_hint_y=None, height=sizes.smallest * 1.4)
        self._charts = [ScoreLineChart(moments)] if moments else []
        add_children(self, self.heading, *self._charts)
        self.update_texts()

    def update_texts(self) -> None:
        """Writes the texts in the language of the screen."""
        self.heading.text = get_running_translator().tr("Score over time")
        for chart in self._charts:
            chart.update_texts()


def _format_number(number: WholeOrHalf) -> str:
    """Returns a number as text with a typographic minus."""
    return str(number).replace("-", "−")


MAX_BARS_WITH_LARGE_DIGITS = 6
"""Maximum number of bars with large digits; with more bars the digits are smaller."""
QR_QUIET_ZONE_DOTS = 4
"""Width of the quiet zone round a QR code, in dots: a phone needs the white edge."""


class QrCode(AutoRedrawWidget):
    """Widget with the QR code of a text."""

    def __init__(self, text: str, **kwargs: Any) -> None:
        self.encoded_text = text
        self._dots = qr_code(text)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the white ground, then each dark dot on whole pixels, so that no dot is grey."""
        count = len(self._dots) + 2 * QR_QUIET_ZONE_DOTS
        dot = max(1, int(min(self.size) // count))
        side = dot * count
        left, top = round(self.center_x - side / 2), round(self.center_y + side / 2)
        Color(*theme.WHITE)
        Rectangle(pos=(left, top - side), size=(side, side))
        Color(*theme.INK)
        for down, row in enumerate(self._dots, QR_QUIET_ZONE_DOTS + 1):
            for along, is_dark in enumerate(row, QR_QUIET_ZONE_DOTS):
                if is_dark:
                    Rectangle(pos=(left + along * dot, top - down * dot), size=(dot, dot))


class SeatThinkingTimeBar(AutoRedrawWidget):
    """Bar of one seat's thinking time, which fills `filled_share` of its width, with an ink edge."""

    def __init__(self, filled_share: float, colour: theme.Colour, **kwargs: Any) -> None:
        self.filled_share, self._colour = filled_share, colour
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws the bar in ink, and the colour within the edge."""
        height, edge = min(self.height * 0.6, theme.length.token), theme.length.line
        box = (self.x, self.center_y - height / 2, max(3 * edge, self.width * self.filled_share), height)
        fill_rounded_box(theme.INK, box, edge * 2)
        inner = (box[0] + edge, box[1] + edge, box[2] - 2 * edge, box[3] - 2 * edge)
        fill_rounded_box(self._colour, inner, edge)


MIN_BAR_ROW_HEIGHT_EM = 1.9
"""The least height of a row of the bar chart, in heights of its letters; lower rows stand in two columns."""
LOW_BAR_HEIGHT_SHARE = 0.4
"""Height of a bar below its name, as a share of the row."""


class ThinkingTimeBars(GridLayout):
    """Bar chart of the thinking time of each seat in a finished game, on paper.

    If rows would touch in one column, they are in two, with the bar below the name instead of beside it.
    """

    def __init__(self, times: Sequence[ThinkingTime], lang: str, **kwargs: Any) -> None:
        super().__init__(cols=1, orientation="tb-lr", spacing=(theme.length.space, 0), **kwargs)
        longest = max(time.seconds for time in times)
        self._style = "body" if len(times) > MAX_BARS_WITH_LARGE_DIGITS else "digit"
        self._time_rows = [
            _ThinkingTimeRow(time, time.seconds / longest, lang, self._style) for time in times
        ]
        add_children(self, *self._time_rows)
        self.fbind("size", lambda *_: self._choose_columns())

    def _choose_columns(self) -> None:
        min_height = MIN_BAR_ROW_HEIGHT_EM * theme.length.body * len(self._time_rows)
        self.cols = 1 if self.height >= min_height else 2
        width = (self.width - self.spacing[0] * (self.cols - 1)) / self.cols
        labels = [row.duration_label for row in self._time_rows]
        # In two columns, the smallest digits leave more width to the names.
        duration_width = theme.length.gap + max(
            label.one_line_width()
            if self.cols == 1
            else measure_text_width(label.text, theme.length.smallest, bold=False)
            for label in labels
        )
        for row in self._time_rows:
            row.arrange(width, duration_width, has_bar_below=self.cols > 1)


class _ThinkingTimeRow(BoxLayout):
    """Row of the bar chart: token, name, bar and time."""

    def __init__(self, thinking_time: ThinkingTime, share: float, lang: str, style: str) -> None:
        sizes, seat = theme.length, thinking_time.seat
        super().__init__(spacing=sizes.gap, size_hint_max_y=sizes.row)
        token = PlayerToken(colour=seat.colour) if seat else Widget()
        token.size_hint_x, token.width = None, sizes.token
        self._name = render(seat or say("the table"), lang)
        self._name_label = FittedLabel(lines=2, abbreviates=True)
        self._bar = SeatThinkingTimeBar(
            share, theme.PLAYER_LOOKS[seat.colour].colour if seat else theme.PAPER_LINE
        )
        self.duration_label = FittedLabel(
            text=f"{format_duration(thinking_time.seconds)}  {thinking_time.percent} %",
            style=style,
            halign="right",
            size_hint_x=None,
        )
        self._name_and_bar = BoxLayout(spacing=sizes.gap)
        add_children(self._name_and_bar, self._name_label, self._bar)
        add_children(self, token, self._name_and_bar, self.duration_label)

    def arrange(self, width: float, duration_width: float, *, has_bar_below: bool) -> None:
        """Arranges the row at a width, with the bar below or beside the name."""
        sizes, space = theme.length, width - theme.length.token - duration_width - 2 * theme.length.gap
        self.duration_label.width = duration_width
        self._name_and_bar.orientation = "vertical" if has_bar_below else "horizontal"
        self._name_and_bar.spacing = 0 if has_bar_below else sizes.gap
        name_width = space if has_bar_below else min(sizes.seats * 0.8, space / 2)
        self._name_label.size_hint_x, self._name_label.width = (1 if has_bar_below else None), name_width
        self._bar.size_hint_y = LOW_BAR_HEIGHT_SHARE / (1 - LOW_BAR_HEIGHT_SHARE) if has_bar_below else 1
        lines = wrap_name(self._name, name_width, bold=False, max_lines=1 if has_bar_below else 2)
        self._name_label.text = "\n".join(lines)
