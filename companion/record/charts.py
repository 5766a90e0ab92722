"""The charts of the page, as inline SVG that needs no script: drawn by leather.

Ink on paper, and the seats' signs, the same as on the screen, whose `ui.theme` no module here may know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

import leather
from leather import theme

from companion.record.standing import Thinking, Totals, marks, reach, turns
from companion.table.seats import Seat
from companion.table.signs import SEAT_SIGNS, shape_outline
from companion.texts import render, say

INK, INK_QUIET, LINE = "#221C14", "#5B5040", "#D3C4A3"

CORNERS = {
    sign.shape: " ".join(f"{x:.2f},{-y:.2f}" for x, y in shape_outline(sign.shape))
    for sign in SEAT_SIGNS.values()
}
"""The shapes' corners in SVG, downwards."""


def outline(colour: str, x: float, y: float, width: float) -> str:
    """A seat's shape in SVG, its middle at x, y."""
    sign = SEAT_SIGNS[colour]
    paint = f'fill="{sign.colour}" stroke="{INK}" stroke-width="{2 / width:.2f}"'
    where = f'transform="translate({x:.1f} {y:.1f}) scale({width / 2:g})"'
    return f'<polygon points="{CORNERS[sign.shape]}" {paint} {where}/>'


def token(colour: str) -> str:
    """A seat's shape as a picture of its own."""
    return f'<svg class="token" viewBox="-13 -13 26 26" aria-hidden="true">{outline(colour, 0, 0, 20)}</svg>'


WIDTH, HEIGHT = 460, 280
BAR = 34
"""Height of one bar with its share of the space between."""
MARK = 9.0
"""Width of a shape on a line."""
ASIDE = 2.2
"""Width of a line, and from one to the next where several seats stand alike."""
LONG = re.compile(r"(\d+\.\d)\d+")
"""More digits than an eye can see."""
LETTER = 7
"""Width of a narrow letter of a tick; a wide one has two of it."""

theme.background_color = "none"
theme.margin = 0.03
theme.legend_font_char_height = 4
theme.label_color, theme.tick_color, theme.zero_color = INK_QUIET, LINE, INK_QUIET
theme.tick_font_family, theme.tick_font_size = "inherit", 13
theme.tick_font_char_width = LETTER + 1
theme.axis_title_color, theme.axis_title_font_family, theme.axis_title_font_size = INK_QUIET, "inherit", 13


def standing_chart(moments: Sequence[Totals], lang: str) -> str:
    """Everybody's total over the answers of the game."""
    chart = leather.Chart()
    seats = list(moments[-1].totals)
    for at, seat in enumerate(seats):
        chart.add_series(leather.Series(turns(moments, seat)), Trail(moments, seat, at, len(seats)))
    chart.add_x_scale(0, len(moments) - 1)
    chart.add_y_scale(*reach(moments))
    chart.add_x_axis(tick_formatter=_whole, name=render(say("answers"), lang))
    chart.add_y_axis(tick_formatter=_whole)
    return _svg(chart, WIDTH, HEIGHT)


def thinking_chart(times: Sequence[Thinking], lang: str) -> str:
    """A bar of minutes for each seat, and one for the table."""
    names = [render(one.seat or say("the table"), lang) for one in times]
    minutes = [one.seconds / 60 for one in times]
    colours = {one.seat.name: SEAT_SIGNS[one.seat.colour].colour for one in times if one.seat}
    chart = leather.Chart()
    chart.add_bars(list(zip(minutes, names, strict=True)), fill_color=lambda bar: colours.get(bar.y, LINE))
    chart.add_x_scale(0, max(0.1, *minutes))
    chart.add_x_axis(name=render(say("minutes"), lang))
    overhang = max(LETTER * sum(east_asian_width(letter) in "WF" for letter in name) for name in names)
    return _svg(chart, WIDTH, BAR * len(times) + 70, overhang)


class Trail:
    """One seat's line with its shape on it, so that nobody needs the colour to follow it; a leather shape.

    Of several seats that stand alike each is still seen: the lines lie side by side, the shapes take turns.
    """

    def __init__(self, moments: Sequence[Totals], seat: Seat, at: int, seats: int) -> None:
        self._totals = [moment.totals[seat] for moment in moments]
        self._colour = seat.colour
        self._aside = (at - (seats - 1) / 2) * ASIDE
        self._turn = at / seats
        self._line = leather.ScoreLine(stroke_color=SEAT_SIGNS[seat.colour].colour, width=ASIDE)

    def validate_series(self, series: Any) -> None:
        """Whatever is fit for a line."""
        self._line.validate_series(series)

    def legend_to_svg(self, _series: Any, _palette: Any) -> list[Any]:
        """No legend: names and shapes stand above the chart."""
        return []

    def to_svg(self, width: float, height: float, *how: Any) -> ET.Element:
        """The line, and shapes on it from end to end."""
        x_scale, y_scale, _, _ = how
        group: ET.Element = self._line.to_svg(width, height, *how)
        group.set("transform", f"translate(0 {self._aside:.1f})")
        for at in marks(len(self._totals), self._turn):
            x, y = x_scale.project(at, 0, width), y_scale.project(self._totals[at], height, 0)
            group.append(ET.fromstring(outline(self._colour, float(x), float(y), MARK)))  # noqa: S314  ours
        return group


def _whole(value: Any, _index: int, _count: int) -> str:
    """A tick between two whole numbers has no number."""
    return f"{int(value)}" if value == int(value) else ""


def _svg(chart: leather.Chart, width: int, height: int, overhang: int = 0) -> str:
    """A chart as wide as its place, whose texts are as people set theirs; `overhang` is room at its left."""
    drawn = LONG.sub(r"\1", ET.tostring(chart.to_svg_group(width, height), encoding="unicode"))
    box = f"{-overhang} 0 {width + overhang} {height}"
    return f'<svg viewBox="{box}" role="img">{drawn}</svg>'
