"""Aligned columns and wrapped lines of text in letters of one width, in any script."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from budoux import Parser

COLUMN_GAP = "   "
ANSI_ESCAPE_PATTERN = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""The pattern of an escape sequence that colours a terminal and takes no room there."""
HANGING_INDENT_PATTERN = re.compile(r" *(?:\S+(?: \S+)* {2,})?")
"""The pattern of the beginning of a line whose width is the indent of its further lines.

The beginning is space and a first column, such as a number.
"""
JAPANESE_LETTER_PATTERN = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]")
"""The pattern of a Japanese letter: lines can be wrapped there, as Japanese has no space between words."""


def display_width(text: str) -> int:
    """Returns how many columns a text takes: a Japanese letter two, a combining mark none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in (ANSI_ESCAPE_PATTERN.sub("", text) if "\x1b" in text else text)
    )


def wrap_line(line: str, columns: int) -> list[str]:
    """Returns a line as lines of at most `columns` columns, broken between words.

    Only a longer word is broken itself. Further lines are indented to the text of the first line, if there is
    room.
    """
    if display_width(line) <= columns:
        return [line]
    if (first_word := re.match(r"\s*\S+", line)) is not None and display_width(first_word[0]) > columns:
        line = line.lstrip()  # the word needs the room of the indent
    hanging_part = HANGING_INDENT_PATTERN.match(line)
    indent = display_width(hanging_part[0]) if hanging_part else 0
    indent = indent if 2 * indent <= columns else 0
    lines, width, line_indent = [""], 0, 0
    for word in _split_words(line):
        if width + display_width(word.rstrip()) > columns and width > line_indent:
            word = word.lstrip()  # noqa: PLW2901 - a new line replaces the space
            line_indent = indent if display_width(word.rstrip()) <= columns - indent else 0
            lines.append(" " * line_indent)
            width = line_indent
        for piece in _split_word(word, columns - width, columns - line_indent):
            if width + display_width(piece.rstrip()) > columns and width > line_indent:
                lines.append(" " * line_indent)
                width = line_indent
            lines[-1] += piece
            width += display_width(piece)
    return [*(wrapped.rstrip() for wrapped in lines[:-1]), lines[-1]]


def _split_words(line: str) -> Iterator[str]:
    """Yields words with the space after them, the first word also with the space before it.

    In Japanese it yields phrases.
    """
    for word in re.findall(r"^\s+\S+\s*|\S+\s*", line):
        if JAPANESE_LETTER_PATTERN.search(word) and "\x1b" not in word:
            yield from _japanese_parser().parse(word)
        else:
            yield word


@cache
def _japanese_parser() -> Parser:
    from budoux import load_default_japanese_parser  # it takes 20 ms, and only Japanese needs it

    return load_default_japanese_parser()


def _split_word(word: str, room: int, columns: int) -> Iterator[str]:
    """Yields the word, or pieces of a word that is wider than a line; the first piece has `room` columns."""
    if display_width(word.rstrip()) <= max(room, columns):
        yield word
        return
    piece = ""
    for letter in re.findall(rf"{ANSI_ESCAPE_PATTERN.pattern}|.", word):
        if piece and display_width(piece + letter) > (room if room > 0 else columns):
            yield piece
            piece, room = "", columns
        piece += letter
    yield piece


def columns_to_wrap_at(stream: TextIO, environ: Mapping[str, str] = {}) -> int | None:
    """Returns the width at which the lines of a stream are wrapped; None if they aren't wrapped.

    A terminal has its own width; without a terminal, COLUMNS in `environ` counts. Output for programs isn't
    wrapped: without `environ`, COLUMNS is ignored.
    """
    if stream.isatty():
        with suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or None
    columns = environ.get("COLUMNS", "")
    return int(columns) if columns.isascii() and columns.isdecimal() and int(columns) else None


def wrap_text(text: str, columns: int | None) -> str:
    """Returns a text with lines of at most `columns` columns; None leaves the lines as they are."""
    if columns is None:
        return text
    return "\n".join(wrapped for line in text.split("\n") for wrapped in wrap_line(line, columns))


class WrappingOutput:
    """An output stream that wraps lines between words. All its other attributes are those of `stream`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes the text, wrapped to the current width of the terminal."""
        return self.stream.write(wrap_text(text, columns_to_wrap_at(self.stream)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def pad_to_width(text: str, columns: int) -> str:
    """Returns the text with spaces added up to a width of `columns`."""
    return text + " " * (columns - display_width(text))


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns rows of cells as lines with aligned columns."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return [
        COLUMN_GAP.join(
            pad_to_width(cell, columns) for cell, columns in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
