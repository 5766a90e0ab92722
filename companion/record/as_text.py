"""The score sheet and everything that happened, as lines for a terminal or a printer."""

from __future__ import annotations

from collections.abc import Iterator

from companion.monospace_text import align_columns
from companion.record.record import Record
from companion.record.when import play_time
from companion.record.wording import ending, heading, tables
from companion.table.scores import PROVISIONAL_NOTE
from companion.texts import render, say

TIME = 8
"""Columns for a time."""


def as_text(record: Record, lang: str = "en") -> str:
    """All of it; it ends with a newline."""
    lines = [
        *_top(record, lang),
        *_score(record, lang),
        *_table(record, lang),
        *_thinking(record, lang),
        *_happened(record, lang),
    ]
    return "\n".join(lines) + "\n"


def _top(record: Record, lang: str) -> Iterator[str]:
    yield render(heading(record), lang)
    yield render(ending(record), lang)
    yield from (render(text, lang) for text in record.facts.told)
    if record.provisional:
        yield render(PROVISIONAL_NOTE, lang)
    if record.trouble:
        yield render(record.trouble, lang)


def _score(record: Record, lang: str) -> Iterator[str]:
    for one in record.result.standings if record.result else ():
        yield ""
        yield render(one.text, lang)
        for line in one.counted_lines:
            yield f"{line.value:>8}  {render(line.label, lang)}"
        if one.information_text:
            yield f"{'':8}  ({render(one.information_text, lang)})"


def _table(record: Record, lang: str) -> Iterator[str]:
    for heads, lines in tables(record.laid, lang) if record.laid else ():
        yield ""
        yield from align_columns([heads, *lines] if heads else lines)


def _thinking(record: Record, lang: str) -> Iterator[str]:
    if record.thinking:
        yield from ("", render(say("Thinking times"), lang))
    for one in record.thinking:
        who = one.seat or say("the table")
        took = say("{who}, longest answer {longest}", who=who, longest=play_time(one.longest))
        yield f"{play_time(one.seconds):>{TIME}}  {render(took, lang)}"


def _happened(record: Record, lang: str) -> Iterator[str]:
    if record.entries:
        yield from ("", render(say("What happened"), lang))
    for one in record.entries:
        at = "" if one.at is None else play_time(one.at)
        yield f"{at:>{TIME}}  {'! ' if one.undone else ''}{render(one.text, lang)}"
        yield from (f"{'':{TIME}}    {render(note, lang)}" for note in one.notes)
