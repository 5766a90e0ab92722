"""A record as one HTML page that needs nothing else: no script, no network, no font but the reader's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from companion.record.charts import standing_chart, thinking_chart, token
from companion.record.entries import RecordEntry
from companion.record.record import Record
from companion.record.when import play_time
from companion.record.wording import dots, ending, heading, summary, tables
from companion.table.scores import PROVISIONAL_NOTE, ScoreLine, Standing
from companion.table.seats import Seat
from companion.texts import Labelled, Text, render, say

QUIET = 4
"""Dots of white that a reader wants round a QR code."""


def as_html(record: Record, lang: str = "en") -> str:
    """The whole page."""
    return _Page(record, lang).written()


class _Page:
    """One page being written in one language; every text of people is escaped in `_say`."""

    def __init__(self, record: Record, lang: str) -> None:
        self._record = record
        self._lang = lang

    def written(self) -> str:
        style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        title = self._say(heading(self._record))
        body = "\n".join((*self._top(), *self._score(), *self._table(), *self._charts(), *self._events()))
        lang = self._lang.replace("_", "-")
        return (
            f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>{head}<title>{title}</title>\n'
            f"<style>\n{style}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
        )

    def _say(self, text: Labelled | Text) -> str:
        return escape(render(text, self._lang))

    def _top(self) -> Iterator[str]:
        record = self._record
        yield f"<h1>{self._say(record.title)}</h1>"
        yield f'<p class="ending">{self._say(ending(record))}</p>'
        facts = "<br>".join(self._say(text) for text in record.facts.told)
        yield f'<p class="facts quiet">{facts}</p>'
        warnings = (PROVISIONAL_NOTE if record.provisional else None, record.trouble)
        yield from (f'<p class="warning">{self._say(text)}</p>' for text in warnings if text)
        if not record.result:
            yield self._names(record.seats)

    def _names(self, seats: Iterable[Seat]) -> str:
        items = (f"<li>{token(seat.colour)}{self._say(seat)}</li>" for seat in seats)
        return f'<ul class="names">{"".join(items)}</ul>'

    def _score(self) -> Iterator[str]:
        result = self._record.result
        if result is None:
            return
        yield '<div class="cards">'
        yield from (self._card(one) for one in result.standings)
        yield "</div>"
        if rows := dots(summary(self._record.title, result, self._lang)):
            caption = self._say(say("Scan this code with a phone to copy the names, ranks and totals."))
            yield f'<div class="code">{_code(rows)}<p class="quiet">{caption}</p></div>'

    def _card(self, one: Standing) -> str:
        won = " won" if one.rank == 1 and not one.is_out else ""
        why = f'<p class="quiet">{self._say(one.reason)}</p>' if one.reason else ""
        apart = (
            f'<table class="apart">{self._rows(one.information_lines)}</table>'
            if one.information_lines
            else ""
        )
        return (
            f'<section class="card{won}"><header><span class="rank">{one.rank}.</span>'
            f"{token(one.seat.colour)}<h3>{self._say(one.seat)}</h3><b>{one.total}</b></header>"
            f"{why}<table>{self._rows(one.counted_lines)}</table>{apart}</section>"
        )

    def _rows(self, lines: Iterable[ScoreLine]) -> str:
        return "".join(f"<tr><td>{self._say(line.label)}</td><td>{line.value}</td></tr>" for line in lines)

    def _table(self) -> Iterator[str]:
        if self._record.laid is None:
            return
        yield f"<h2>{self._say(say('Where everything is'))}</h2>"
        for heads, lines in tables(self._record.laid, self._lang):
            head = _row(heads, "th") if heads else ""
            rows = "".join(_row(line, "td") for line in lines)
            yield f'<div class="lies"><table>{head}{rows}</table></div>'

    def _charts(self) -> Iterator[str]:
        record, lang = self._record, self._lang
        yield '<div class="charts">'
        if record.standing:
            names, chart = self._names(record.seats), standing_chart(record.standing, lang)
            yield f"<figure><h2>{self._say(say('Scores during the game'))}</h2>{names}{chart}</figure>"
        if any(one.seconds for one in record.thinking):
            chart = thinking_chart(record.thinking, lang)
            yield f"<figure><h2>{self._say(say('Thinking times'))}</h2>{chart}</figure>"
        yield "</div>"

    def _events(self) -> Iterator[str]:
        if not self._record.entries:
            return
        yield f'<h2>{self._say(say("What happened"))}</h2>\n<table class="events">'
        yield from (self._event(one) for one in self._record.entries)
        yield "</table>"

    def _event(self, one: RecordEntry) -> str:
        at = "" if one.at is None else play_time(one.at)
        undone = ' class="undone"' if one.undone else ""
        notes = "".join(f'<p class="note">{self._say(note)}</p>' for note in one.notes)
        return f"<tr><td>{at}</td><td><p{undone}>{self._say(one.text)}</p>{notes}</td></tr>"


def _row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _code(rows: Sequence[Sequence[bool]]) -> str:
    """A QR code as one path of rows."""
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    side = len(rows) + 2 * QUIET
    return (
        f'<svg viewBox="{-QUIET} {-QUIET} {side} {side}" role="img" shape-rendering="crispEdges">'
        f'<path d="{path}"/></svg>'
    )
