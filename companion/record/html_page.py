"""A record as one HTML page that needs nothing else: no script, no network, only the reader's own fonts.

The charts are inline SVG, drawn by leather: ink on paper, with the seats' shapes as on the screen. The module
repeats the colours of the screen because it must not import `ui.theme`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

import leather
from leather import theme

from companion.half_numbers import number_to_json
from companion.record.dates import format_duration
from companion.record.record import (
    GameRecord,
    RecordEntry,
    ScoreMoment,
    ThinkingTime,
    counts_rounds,
    marker_moment_indices,
    moments_of_chart,
    score_axis_range,
    score_line_corners,
)
from companion.record.text_export import describe_ending, qr_code, record_heading, scene_tables, score_summary
from companion.table.scores import PROVISIONAL_NOTE, ScoreLine, Standing
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR, shape_outline
from companion.table.seats import Seat
from companion.texts import Labelled, Text, render, say

QR_QUIET_ZONE_DOTS = 4
"""The width of the white margin that a reader needs around a QR code, in dots of the code."""


def record_to_html(record: GameRecord, lang: str = "en") -> str:
    """Returns the record as an HTML page."""
    return _HtmlPage(record, lang).to_html()


class _HtmlPage:
    """The HTML page of a record in one language; `_escape` escapes every text."""

    def __init__(self, record: GameRecord, lang: str) -> None:
        self._record = record
        self._lang = lang

    def to_html(self) -> str:
        style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        title = self._escape(record_heading(self._record))
        parts = (
            *self._heading_html(),
            *self._score_html(),
            *self._scene_html(),
            *self._charts_html(),
            *self._history_html(),
        )
        body = "\n".join(parts)
        lang = self._lang.replace("_", "-")
        return (
            f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>{head}<title>{title}</title>\n'
            f"<style>\n{style}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
        )

    def _escape(self, text: Labelled | Text) -> str:
        return escape(render(text, self._lang))

    def _heading_html(self) -> Iterator[str]:
        record = self._record
        yield f"<h1>{self._escape(record.title)}</h1>"
        yield f'<p class="ending">{self._escape(describe_ending(record))}</p>'
        facts = "<br>".join(self._escape(text) for text in record.facts.sentences)
        yield f'<p class="facts quiet">{facts}</p>'
        warnings = (PROVISIONAL_NOTE if record.has_provisional_values else None, record.replay_error)
        yield from (f'<p class="warning">{self._escape(text)}</p>' for text in warnings if text)
        if not record.result:
            yield self._names_html(record.seats)

    def _names_html(self, seats: Iterable[Seat]) -> str:
        items = (f"<li>{seat_token_svg(seat.colour)}{self._escape(seat)}</li>" for seat in seats)
        return f'<ul class="names">{"".join(items)}</ul>'

    def _score_html(self) -> Iterator[str]:
        result = self._record.result
        if result is None:
            return
        yield '<div class="cards">'
        yield from (self._standing_html(standing) for standing in result.standings)
        yield "</div>"
        if qr_rows := qr_code(score_summary(self._record.title, result, self._lang)):
            caption = self._escape(say("Scan this code with a phone to copy the names, ranks and totals."))
            yield f'<div class="code">{_qr_code_svg(qr_rows)}<p class="quiet">{caption}</p></div>'

    def _standing_html(self, standing: Standing) -> str:
        winner_class = " won" if standing.rank == 1 and not standing.is_eliminated else ""
        reason = f'<p class="quiet">{self._escape(standing.rank_reason)}</p>' if standing.rank_reason else ""
        total = f"<s>{standing.total}</s>" if standing.has_void_total else f"<b>{standing.total}</b>"
        counted_lines = self._score_lines_html(standing.counted_lines)
        uncounted_lines = self._score_lines_html(standing.uncounted_lines)
        uncounted_table = f'<table class="apart">{uncounted_lines}</table>' if uncounted_lines else ""
        return (
            f'<section class="card{winner_class}"><header><span class="rank">{standing.rank}.</span>'
            f"{seat_token_svg(standing.seat.colour)}<h3>{self._escape(standing.seat)}</h3>"
            f"{total}</header>"
            f"{reason}<table>{counted_lines}</table>{uncounted_table}</section>"
        )

    def _score_lines_html(self, lines: Iterable[ScoreLine]) -> str:
        return "".join(f"<tr><td>{self._escape(line.label)}</td><td>{line.value}</td></tr>" for line in lines)

    def _scene_html(self) -> Iterator[str]:
        if self._record.scene is None:
            return
        yield f"<h2>{self._escape(say('Where everything is'))}</h2>"
        for headings, lines in scene_tables(self._record.scene, self._lang):
            heading_row = _table_row_html(headings, "th") if headings else ""
            rows = "".join(_table_row_html(line, "td") for line in lines)
            yield f'<div class="lies"><table>{heading_row}{rows}</table></div>'

    def _charts_html(self) -> Iterator[str]:
        record, lang = self._record, self._lang
        yield '<div class="charts">'
        if record.scores_after_each_step:
            names, chart = (
                self._names_html(record.seats),
                score_chart_svg(record.scores_after_each_step, lang),
            )
            yield f"<figure><h2>{self._escape(say('Scores during the game'))}</h2>{names}{chart}</figure>"
        if any(thinking_time.seconds for thinking_time in record.thinking_times):
            chart = thinking_time_chart_svg(record.thinking_times, lang)
            yield f"<figure><h2>{self._escape(say('Thinking times'))}</h2>{chart}</figure>"
        yield "</div>"

    def _history_html(self) -> Iterator[str]:
        if not self._record.entries:
            return
        yield f'<h2>{self._escape(say("What happened"))}</h2>\n<table class="events">'
        yield from (self._entry_html(entry) for entry in self._record.entries)
        yield "</table>"

    def _entry_html(self, entry: RecordEntry) -> str:
        time = "" if entry.played_seconds is None else format_duration(entry.played_seconds)
        undone_class = ' class="undone"' if entry.is_undone else ""
        notes = "".join(f'<p class="note">{self._escape(note)}</p>' for note in entry.notes)
        return f"<tr><td>{time}</td><td><p{undone_class}>{self._escape(entry.text)}</p>{notes}</td></tr>"


def _table_row_html(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _qr_code_svg(rows: Sequence[Sequence[bool]]) -> str:
    """Returns a QR code as SVG, drawn as one path."""
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark
    )
    start, side = -QR_QUIET_ZONE_DOTS, len(rows) + 2 * QR_QUIET_ZONE_DOTS
    return (
        f'<svg viewBox="{start} {start} {side} {side}" role="img" shape-rendering="crispEdges">'
        f'<path d="{path}"/></svg>'
    )


# Charts


INK_COLOUR, QUIET_INK_COLOUR, GRID_COLOUR = "#221C14", "#5B5040", "#D3C4A3"

SVG_CORNERS_BY_SHAPE = {
    sign.shape: " ".join(f"{x:.2f},{-y:.2f}" for x, y in shape_outline(sign.shape))
    for sign in SIGN_BY_SEAT_COLOUR.values()
}
"""The corners of each seat shape in SVG, whose y axis goes down."""


def seat_shape_svg(colour: str, x: float, y: float, width: float) -> str:
    """Returns a seat's shape in SVG, with its middle at x, y."""
    sign = SIGN_BY_SEAT_COLOUR[colour]
    paint = f'fill="{sign.colour}" stroke="{INK_COLOUR}" stroke-width="{2 / width:.2f}"'
    placement = f'transform="translate({x:.1f} {y:.1f}) scale({width / 2:g})"'
    return f'<polygon points="{SVG_CORNERS_BY_SHAPE[sign.shape]}" {paint} {placement}/>'


def seat_token_svg(colour: str) -> str:
    """Returns a seat's shape as an SVG picture of its own."""
    shape = seat_shape_svg(colour, 0, 0, 20)
    return f'<svg class="token" viewBox="-13 -13 26 26" aria-hidden="true">{shape}</svg>'


CHART_WIDTH, CHART_HEIGHT = 460, 280
BAR_HEIGHT_WITH_GAP = 34
"""The height of a bar with the gap to the next bar."""
MARKER_WIDTH = 9.0
"""The width of a seat's shape on its line."""
LINE_WIDTH = 2.2
"""The width of a line in the score chart.

Lines of seats with equal totals have this distance too.
"""
SUPERFLUOUS_DECIMALS_PATTERN = re.compile(r"(\d+\.\d)\d+")
"""The pattern of a number with more decimals than an eye can see."""
NARROW_TICK_LETTER_WIDTH = 7
"""The width of a narrow letter in a tick's label; a wide letter is twice as wide."""

theme.background_color = "none"
theme.margin = 0.03
theme.legend_font_char_height = 4
theme.label_color, theme.tick_color, theme.zero_color = QUIET_INK_COLOUR, GRID_COLOUR, QUIET_INK_COLOUR
theme.tick_font_family, theme.tick_font_size = "inherit", 13
theme.tick_font_char_width = NARROW_TICK_LETTER_WIDTH + 1
theme.axis_title_color, theme.axis_title_font_family, theme.axis_title_font_size = (
    QUIET_INK_COLOUR,
    "inherit",
    13,
)


def score_chart_svg(moments: Sequence[ScoreMoment], lang: str) -> str:
    """Returns a chart in SVG with each seat's total after each round, or answer, of the game."""
    name = say("rounds played") if counts_rounds(moments) else say("answers")
    moments, chart = moments_of_chart(moments), leather.Chart()
    seats = list(moments[-1].totals)
    for index, seat in enumerate(seats):
        corners = [(step, number_to_json(total)) for step, total in score_line_corners(moments, seat)]
        chart.add_series(leather.Series(corners), SeatScoreLine(moments, seat, index, len(seats)))
    chart.add_x_scale(0, len(moments) - 1)
    chart.add_y_scale(*map(number_to_json, score_axis_range(moments)))
    chart.add_x_axis(tick_formatter=_format_tick, name=render(name, lang))
    chart.add_y_axis(tick_formatter=_format_tick)
    return _chart_to_svg(chart, CHART_WIDTH, CHART_HEIGHT)


def thinking_time_chart_svg(times: Sequence[ThinkingTime], lang: str) -> str:
    """Returns a chart in SVG with a bar of minutes for each thinking time: the seats, and the table."""
    names = [f"{render(time.seat or say('the table'), lang)}, {time.percent} %" for time in times]
    minutes = [time.seconds / 60 for time in times]
    colours = {
        name: SIGN_BY_SEAT_COLOUR[time.seat.colour].colour
        for name, time in zip(names, times, strict=True)
        if time.seat
    }
    chart = leather.Chart()
    chart.add_bars(
        list(zip(minutes, names, strict=True)), fill_color=lambda bar: colours.get(bar.y, GRID_COLOUR)
    )
    chart.add_x_scale(0, max(0.1, *minutes))
    chart.add_x_axis(name=render(say("minutes"), lang))
    overhang = max(
        NARROW_TICK_LETTER_WIDTH * sum(east_asian_width(letter) in "WF" for letter in name) for name in names
    )
    return _chart_to_svg(chart, CHART_WIDTH, BAR_HEIGHT_WITH_GAP * len(times) + 70, overhang)


class SeatScoreLine:
    """The line of one seat's score in a chart, drawn with the seat's shape.

    Leather uses the object as a shape. The seat's shape makes the line recognisable without its colour.
    The lines of seats with equal totals can all be seen: the lines are side by side, the shapes take turns.
    """

    def __init__(self, moments: Sequence[ScoreMoment], seat: Seat, seat_index: int, seat_count: int) -> None:
        self._totals = [number_to_json(moment.totals[seat]) for moment in moments]
        self._colour = seat.colour
        self._vertical_offset = (seat_index - (seat_count - 1) / 2) * LINE_WIDTH
        self._marker_offset_fraction = seat_index / seat_count
        self._line = leather.Line(stroke_color=SIGN_BY_SEAT_COLOUR[seat.colour].colour, width=LINE_WIDTH)

    def validate_series(self, series: Any) -> None:
        """Validates a series for the line: any series fits."""
        self._line.validate_series(series)

    def legend_to_svg(self, _series: Any, _palette: Any) -> list[Any]:
        """Returns the SVG elements of the line's legend, which is empty.

        Names and shapes are above the chart.
        """
        return []

    def to_svg(self, width: float, height: float, *scales_series_palette: Any) -> ET.Element:
        """Returns the line with the seat's shapes along it."""
        x_scale, y_scale, _, _ = scales_series_palette
        group: ET.Element = self._line.to_svg(width, height, *scales_series_palette)
        group.set("transform", f"translate(0 {self._vertical_offset:.1f})")
        for index in marker_moment_indices(len(self._totals), self._marker_offset_fraction):
            x, y = x_scale.project(index, 0, width), y_scale.project(self._totals[index], height, 0)
            group.append(ET.fromstring(seat_shape_svg(self._colour, float(x), float(y), MARKER_WIDTH)))  # noqa: S314  ours
        return group


def _format_tick(value: Any, _index: int, _count: int) -> str:
    """Returns a tick's number; a tick between two whole numbers has none."""
    return f"{int(value)}" if value == int(value) else ""


def _chart_to_svg(chart: leather.Chart, width: int, height: int, overhang: int = 0) -> str:
    """Returns a chart that is as wide as its container, in the reader's fonts.

    `overhang` is extra room at the left.
    """
    svg = SUPERFLUOUS_DECIMALS_PATTERN.sub(
        r"\1", ET.tostring(chart.to_svg_group(width, height), encoding="unicode")
    )
    view_box = f"{-overhang} 0 {width + overhang} {height}"
    return f'<svg viewBox="{view_box}" role="img">{svg}</svg>'
