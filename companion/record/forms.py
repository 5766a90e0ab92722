"""The forms in which a record is written, and where the screen keeps what it writes.

JSON is for programs: docs/record.md says what each key means. CSV is one table for a spreadsheet, each row
one fact: `part,n,seconds,who,what,value`; filter by `part`.
Nothing here asks people; a verb or a screen names the form.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.files import spreadsheet, user_files
from companion.record.as_text import as_text
from companion.record.entries import RecordEntry
from companion.record.facts import LEFT_OUT, REOPENED
from companion.record.page import as_html
from companion.record.record import Record
from companion.record.when import day_of, for_programs, play_time
from companion.record.wording import ending, heading
from companion.texts import render

Json = dict[str, Any]


def as_json(record: Record, lang: str = "en") -> str:
    """One object over several lines; it ends with a newline."""
    return json.dumps(_record(record, lang), ensure_ascii=False, indent=1) + "\n"


def _record(record: Record, lang: str) -> Json:
    facts = record.facts
    said: Json = {
        "game": record.game,
        "title": render(record.title, lang),
        "number": record.number,
        "version": record.version,
        "template": facts.preset and facts.preset.key,
        "date": day_of(facts.played),
        "dated_by_hand": bool(facts.played.day),
        "began": for_programs(facts.played.began),
        "ended": for_programs(facts.played.ended),
        "seconds": facts.seconds,
        "starter": facts.starter and facts.starter.name,
        "counts": facts.counts,
        "reopened": facts.reopened,
        "seats": [{"seat": seat.name, "colour": seat.colour} for seat in record.seats],
        "options": dict(record.options),
        "over": record.over,
        "early": record.early,
        "provisional": record.provisional,
        "result": record.result and record.result.to_json(lambda label: render(label, lang)),
    }
    return said | _course(record, lang)


def _course(record: Record, lang: str) -> Json:
    places: dict[str, dict[str, int | None]] = {}
    for holding in record.table:
        places.setdefault(holding.place.named_key, {})[holding.piece.key] = holding.count
    return {
        "places": places,
        "standing": [
            {"n": moment.n, "totals": {seat.name: total for seat, total in moment.totals.items()}}
            for moment in record.standing
        ],
        "thinking": [
            {
                "seat": one.seat and one.seat.name,
                "answers": one.answers,
                "seconds": one.seconds,
                "longest": one.longest,
            }
            for one in record.thinking
        ],
        "events": [_happened(one, lang) for one in record.entries],
        "trouble": record.trouble and render(record.trouble, lang),
    }


def _happened(one: RecordEntry, lang: str) -> Json:
    notes = [render(note, lang) for note in one.notes]
    return {"n": one.n, "at": one.at, "text": render(one.text, lang), "notes": notes, "undone": one.undone}


COLUMNS = ("part", "n", "seconds", "who", "what", "value")
MARK = "\ufeff"
"""By this spreadsheets know UTF-8."""
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
    yield from _about(record, lang)
    yield from _score(record, lang)
    for holding in record.table:
        piece = render(holding.piece, lang)
        yield "table", None, None, render(holding.place, lang), piece, holding.count
    for one in record.thinking:
        yield "thinking", one.answers, one.seconds, one.seat.name if one.seat else None, None, one.longest
    for moment in record.standing:
        for seat, total in moment.totals.items():
            yield "standing", moment.n, None, seat.name, None, total
    for entry in record.entries:
        yield "event", entry.n, entry.at, None, render(entry.text, lang), None
        for note in entry.notes:
            yield "note", entry.n, entry.at, None, render(note, lang), None


def _about(record: Record, lang: str) -> Iterator[Row]:
    """When, how long, which template and who started; what isn't known has no row."""
    facts, played = record.facts, record.facts.played
    if (day := day_of(played)) is not None:
        yield "date", None, None, None, day, "by hand" if played.day else None
    for part, moment in (("began", played.began), ("ended", played.ended)):
        if moment is not None:
            yield part, None, None, None, for_programs(moment), None
    if round(facts.seconds):
        yield "duration", None, facts.seconds, None, play_time(facts.seconds), None
    if facts.preset is not None:
        yield "template", None, None, None, render(facts.preset.title, lang), facts.preset.key
    if facts.starter is not None:
        yield "starter", None, None, facts.starter.name, None, None
    if facts.reopened:
        yield "reopened", None, None, None, render(REOPENED, lang), facts.reopened
    if not facts.counts:
        yield "left out", None, None, None, render(LEFT_OUT, lang), None


def _score(record: Record, lang: str) -> Iterator[Row]:
    for one in record.result.standings if record.result else ():
        yield "rank", None, None, one.seat.name, "out" if one.is_out else None, one.rank
        if one.why:
            yield "why", None, None, one.seat.name, render(one.why, lang), None
        for line in one.counted_lines:
            yield "score", None, None, one.seat.name, render(line.label, lang), line.value
        yield "total", None, None, one.seat.name, None, one.total
        for line in one.information_lines:
            yield "information", None, None, one.seat.name, render(line.label, lang), line.value


def _plain(cell: Cell) -> Cell:
    return spreadsheet.escape_formulas(cell) if isinstance(cell, str) else cell


FORMATS: Mapping[str, Callable[[Record, str], str]] = {
    "html": as_html,
    "csv": as_csv,
    "json": as_json,
    "text": as_text,
}


def keep(record: Record, form: str, lang: str, state: Path) -> Path:
    """Writes it as `exports/NUMBER-GAME.FORM` in the state directory; returns the file.

    The same game written before is replaced, for its number is no other's.
    Raises `UserError` where that can't be; then nothing has changed.
    """
    game = record.game.replace("_", "-")  # the screen's font draws _ so thin that nobody sees it
    path = state / "exports" / f"{record.number}-{game}.{form}"
    user_files.write_own_file(path, FORMATS[form](record, lang))
    return path
