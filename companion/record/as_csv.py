"""A record as one table for a spreadsheet: score, standing, thinking times, what lies where, what happened.

Each row is one fact: `part,n,seconds,who,what,value`; filter by `part`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from companion.record.record import Record
from companion.record.wording import ending, heading
from companion.words import render

COLUMNS = ("part", "n", "seconds", "who", "what", "value")
MARK = "\ufeff"
"""By this spreadsheets know UTF-8."""
FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet would calculate instead of showing it, when people wrote it."""
Cell = str | int | float | None
Row = tuple[Cell, ...]


def as_csv(record: Record, lang: str = "en") -> str:
    """The table, with a mark before it by which spreadsheets read it right."""
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for row in _rows(record, lang):
        rows.writerow([_plain(cell) for cell in row])
    return MARK + out.getvalue()


def _rows(record: Record, lang: str) -> Iterator[Row]:
    yield "game", None, None, None, render(heading(record), lang), record.number
    yield "game", None, None, None, render(ending(record), lang), None
    if record.trouble:
        yield "game", None, None, None, render(record.trouble, lang), None
    yield from _score(record, lang)
    for holding in record.table:
        piece = render(holding.piece, lang)
        yield "table", None, None, render(holding.place, lang), piece, holding.count
    for one in record.thinking:
        yield "thinking", one.answers, one.seconds, one.seat.name if one.seat else None, None, one.longest
    for moment in record.standing:
        for seat, total in moment.totals.items():
            yield "standing", moment.n, None, seat.name, None, total
    for happened in record.happenings:
        yield "event", happened.n, happened.at, None, render(happened.text, lang), None
        for note in happened.notes:
            yield "note", happened.n, happened.at, None, render(note, lang), None


def _score(record: Record, lang: str) -> Iterator[Row]:
    for one in record.result.standings if record.result else ():
        yield "rank", None, None, one.seat.name, "out" if one.out else None, one.rank
        if one.why:
            yield "why", None, None, one.seat.name, render(one.why, lang), None
        for line in one.sum:
            yield "score", None, None, one.seat.name, render(line.label, lang), line.value
        yield "total", None, None, one.seat.name, None, one.total
        for line in one.apart:
            yield "information", None, None, one.seat.name, render(line.label, lang), line.value


def _plain(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
