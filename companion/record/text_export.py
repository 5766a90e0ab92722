"""A record as plain text for a terminal or a printer, and short texts about it for every format.

A phone reads the summary of the score from a QR code, without network.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.monospace_text import align_columns
from companion.record.dates import format_duration
from companion.record.record import GameRecord
from companion.scenes import SceneView, middle_tables, other_holdings_tables, seat_table
from companion.table.scores import PROVISIONAL_NOTE, GameResult
from companion.texts import Say, Text, render, say, say_list

FIRST_COLUMN_CHARACTERS = 8
"""The width of the first column in characters: the room for a time."""


def record_to_text(record: GameRecord, lang: str = "en") -> str:
    """Returns the record as text, with a newline at the end."""
    lines = [
        *_heading_lines(record, lang),
        *_score_lines(record, lang),
        *_table_lines(record, lang),
        *_thinking_time_lines(record, lang),
        *_history_lines(record, lang),
    ]
    return "\n".join(lines) + "\n"


def _heading_lines(record: GameRecord, lang: str) -> Iterator[str]:
    yield render(record_heading(record), lang)
    yield render(describe_ending(record), lang)
    yield from (render(text, lang) for text in record.facts.sentences)
    if record.has_provisional_values:
        yield render(PROVISIONAL_NOTE, lang)
    if record.replay_error:
        yield render(record.replay_error, lang)


def _score_lines(record: GameRecord, lang: str) -> Iterator[str]:
    for standing in record.result.standings if record.result else ():
        yield ""
        yield render(standing.text, lang)
        for line in standing.counted_lines:
            yield f"{line.value:>8}  {render(line.label, lang)}"
        if standing.uncounted_lines_text:
            yield f"{'':8}  ({render(standing.uncounted_lines_text, lang)})"


def _table_lines(record: GameRecord, lang: str) -> Iterator[str]:
    for headings, lines in scene_tables(record.scene, lang) if record.scene else ():
        yield ""
        yield from align_columns([headings, *lines] if headings else lines)


def _thinking_time_lines(record: GameRecord, lang: str) -> Iterator[str]:
    if record.thinking_times:
        yield from ("", render(say("Thinking times"), lang))
    for time in record.thinking_times:
        who = time.seat or say("the table")
        longest = format_duration(time.longest_seconds)
        text = render(say("{who}, longest answer {longest}", who=who, longest=longest), lang)
        yield f"{format_duration(time.seconds):>{FIRST_COLUMN_CHARACTERS}}  {time.percent:>3} %  {text}"


def _history_lines(record: GameRecord, lang: str) -> Iterator[str]:
    if record.entries:
        yield from ("", render(say("What happened"), lang))
    for entry in record.entries:
        time = "" if entry.played_seconds is None else format_duration(entry.played_seconds)
        mark = "! " if entry.is_undone else ""
        yield f"{time:>{FIRST_COLUMN_CHARACTERS}}  {mark}{render(entry.text, lang)}"
        yield from (f"{'':{FIRST_COLUMN_CHARACTERS}}    {render(note, lang)}" for note in entry.notes)


# Texts for every format


def record_heading(record: GameRecord) -> Say:
    """Returns the title of the game and its players."""
    return say("{game}: {names}", game=record.title, names=say_list(record.seats))


def describe_ending(record: GameRecord) -> Say:
    """Returns how the game ended, as a sentence."""
    if record.was_put_away_early:
        return say("This game was put away before the end.")
    return record.result.winners_text if record.result else say("This game is not over yet.")


class TableOfTexts(NamedTuple):
    """A table as text: the column headings, empty if there are none, and the lines of cells."""

    column_headings: list[str]
    lines: list[list[str]]


def scene_tables(scene_view: SceneView, lang: str) -> Iterator[TableOfTexts]:
    """Yields the tables of a scene.

    The table of the seats comes first, then the middle, then the rest.
    """
    for table in (seat_table(scene_view), *middle_tables(scene_view), *other_holdings_tables(scene_view)):
        lines = [["" if cell is None else render(cell, lang) for cell in line] for line in table.lines]
        headings = ["" if cell is None else render(cell, lang) for cell in table.column_headings]
        yield TableOfTexts(headings, lines)


QR_ENCODING = "utf-8"


def score_summary(title: Text, result: GameResult, lang: str = "en") -> str:
    """Returns the score as a short text: the title on the first line, then `1. Aki 40` for each seat.

    The total of a player who is out is in parentheses.
    """
    lines = [f"{standing.rank}. {standing.seat.name} {standing.total_text}" for standing in result.standings]
    return "\n".join([render(title, lang), *lines])


def qr_code(text: str) -> tuple[tuple[bool, ...], ...]:
    """Returns the rows of a QR code from the top, True where it is dark, without its quiet zone.

    The result is empty if the text is too long for a code.
    """
    import segno  # loading it takes longer than all of the screen's own modules that show the score

    is_ascii = text.isascii()
    # Without its designator some readers take short Japanese for Shift JIS.
    try:
        code = segno.make_qr(text, encoding=None if is_ascii else QR_ENCODING, eci=not is_ascii, error="m")
    except segno.DataOverflowError:
        return ()
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)
