"""The file formats of a record, and where the screen saves its exports.

JSON is for programs: docs/record.md says what each key means. CSV is one table for a spreadsheet, each row
one fact: `part,n,seconds,who,what,value`; filter by `part`.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.files import spreadsheet, user_files
from companion.half_numbers import number_to_json
from companion.record.dates import format_duration, game_date, iso_timestamp
from companion.record.html_page import record_to_html
from companion.record.record import EXCLUDED_TEXT, REOPENED_TEXT, GameRecord, RecordEntry
from companion.record.text_export import describe_ending, record_heading, record_to_text
from companion.texts import render

Json = dict[str, Any]


def record_to_json(record: GameRecord, lang: str = "en") -> str:
    """Returns the record as one JSON object over several lines, with a newline at the end."""
    return json.dumps(_record_as_json(record, lang), ensure_ascii=False, indent=1) + "\n"


def _record_as_json(record: GameRecord, lang: str) -> Json:
    facts = record.facts
    head: Json = {
        "game": record.game_key,
        "title": render(record.title, lang),
        "number": record.game_number,
        "version": record.version,
        "template": facts.preset and facts.preset.key,
        "date": game_date(facts.play_dates),
        "dated_by_hand": bool(facts.play_dates.entered_date),
        "began": iso_timestamp(facts.play_dates.began),
        "ended": iso_timestamp(facts.play_dates.ended),
        "seconds": facts.played_seconds,
        "starter": facts.start_player and facts.start_player.name,
        "counts": facts.is_counted,
        "reopened": facts.reopen_count,
        "seats": [{"seat": seat.name, "colour": seat.colour} for seat in record.seats],
        "options": dict(record.options),
        "over": record.is_over,
        "early": record.was_put_away_early,
        "provisional": record.has_provisional_values,
        "result": record.result and record.result.to_json(lambda label: render(label, lang)),
    }
    return head | _course_as_json(record, lang)


def _course_as_json(record: GameRecord, lang: str) -> Json:
    places: dict[str, dict[str, int | None]] = {}
    for holding in record.public_holdings:
        places.setdefault(holding.place.key_with_player_name, {})[holding.piece.key] = holding.count
    return {
        "places": places,
        "standing": [
            {
                "n": moment.question_number,
                "totals": {seat.name: number_to_json(total) for seat, total in moment.totals.items()},
            }
            for moment in record.scores_after_each_step
        ],
        "thinking": [
            {
                "seat": thinking_time.seat and thinking_time.seat.name,
                "answers": thinking_time.answer_count,
                "seconds": thinking_time.seconds,
                "longest": thinking_time.longest_seconds,
                "percent": thinking_time.percent,
            }
            for thinking_time in record.thinking_times
        ],
        "events": [_entry_as_json(entry, lang) for entry in record.entries],
        "trouble": record.replay_error and render(record.replay_error, lang),
    }


def _entry_as_json(entry: RecordEntry, lang: str) -> Json:
    notes = [render(note, lang) for note in entry.notes]
    return {
        "n": entry.question_number,
        "at": entry.played_seconds,
        "text": render(entry.text, lang),
        "notes": notes,
        "undone": entry.is_undone,
    }


CSV_COLUMNS = ("part", "n", "seconds", "who", "what", "value")
UTF8_BOM = "\ufeff"
"""The byte order mark by which spreadsheets recognise UTF-8."""
CsvCell = str | int | float | None
CsvRow = tuple[CsvCell, ...]


def record_to_csv(record: GameRecord, lang: str = "en") -> str:
    """Returns the record as a CSV table, with a byte order mark for spreadsheets."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(CSV_COLUMNS)
    for row in _csv_rows(record, lang):
        writer.writerow([_escape_cell(cell) for cell in row])
    return UTF8_BOM + text.getvalue()


def _csv_rows(record: GameRecord, lang: str) -> Iterator[CsvRow]:
    yield "game", None, None, None, render(record_heading(record), lang), record.game_number
    yield "game", None, None, None, render(describe_ending(record), lang), None
    if record.replay_error:
        yield "game", None, None, None, render(record.replay_error, lang), None
    yield from _fact_rows(record, lang)
    yield from _score_rows(record, lang)
    for holding in record.public_holdings:
        piece = render(holding.piece, lang)
        yield "table", None, None, render(holding.place, lang), piece, holding.count
    for thinking_time in record.thinking_times:
        yield (
            "thinking",
            thinking_time.answer_count,
            thinking_time.seconds,
            thinking_time.seat.name if thinking_time.seat else None,
            f"{thinking_time.percent} %",
            thinking_time.longest_seconds,
        )
    for moment in record.scores_after_each_step:
        for seat, total in moment.totals.items():
            yield "standing", moment.question_number, None, seat.name, None, number_to_json(total)
    for entry in record.entries:
        yield "event", entry.question_number, entry.played_seconds, None, render(entry.text, lang), None
        for note in entry.notes:
            yield "note", entry.question_number, entry.played_seconds, None, render(note, lang), None


def _fact_rows(record: GameRecord, lang: str) -> Iterator[CsvRow]:
    """Yields a row for each known fact: date, duration, preset, start player, and whether it counts."""
    facts, play_dates = record.facts, record.facts.play_dates
    if (date := game_date(play_dates)) is not None:
        yield "date", None, None, None, date, "by hand" if play_dates.entered_date else None
    for name, unix_time in (("began", play_dates.began), ("ended", play_dates.ended)):
        if unix_time is not None:
            yield name, None, None, None, iso_timestamp(unix_time), None
    if round(facts.played_seconds):
        yield "duration", None, facts.played_seconds, None, format_duration(facts.played_seconds), None
    if facts.preset is not None:
        yield "template", None, None, None, render(facts.preset.title, lang), facts.preset.key
    if facts.start_player is not None:
        yield "starter", None, None, facts.start_player.name, None, None
    if facts.reopen_count:
        yield "reopened", None, None, None, render(REOPENED_TEXT, lang), facts.reopen_count
    if not facts.is_counted:
        yield "left out", None, None, None, render(EXCLUDED_TEXT, lang), None


def _score_rows(record: GameRecord, lang: str) -> Iterator[CsvRow]:
    for standing in record.result.standings if record.result else ():
        yield "rank", None, None, standing.seat.name, "out" if standing.is_eliminated else None, standing.rank
        if standing.why:
            yield "why", None, None, standing.seat.name, render(standing.why, lang), None
        for line in standing.counted_lines:
            value = number_to_json(line.value)
            yield "score", None, None, standing.seat.name, render(line.label, lang), value
        yield "total", None, None, standing.seat.name, None, number_to_json(standing.total)
        for line in standing.uncounted_lines:
            value = number_to_json(line.value)
            yield "information", None, None, standing.seat.name, render(line.label, lang), value


def _escape_cell(cell: CsvCell) -> CsvCell:
    return spreadsheet.escape_formulas(cell) if isinstance(cell, str) else cell


EXPORTS_FOLDER_NAME = "exports"
"""The folder, in the folder of the games, into which the screen exports."""
EXPORT_FORMATS: Mapping[str, Callable[[GameRecord, str], str]] = {
    "html": record_to_html,
    "csv": record_to_csv,
    "json": record_to_json,
    "text": record_to_text,
}


def export_file_name(game_number: int | None, game_key: str, suffix: str) -> str:
    """Returns the name of an exported file, such as `12-egypt.html`."""
    name = game_key.replace("_", "-")  # the screen's font draws _ so thin that nobody sees it
    return f"{game_number}-{name}.{suffix}"


def save_export(record: GameRecord, format_name: str, lang: str, directory: Path) -> Path:
    """Writes the record to `exports/NUMBER-GAME.FORMAT` in a directory, and returns the file.

    An earlier export of the game is replaced: no other game has its number. Raises `UserError` if the file
    can't be written; then nothing has changed.
    """
    path = (
        directory / EXPORTS_FOLDER_NAME / export_file_name(record.game_number, record.game_key, format_name)
    )
    user_files.write_app_file(path, EXPORT_FORMATS[format_name](record, lang))
    return path
