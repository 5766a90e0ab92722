"""What every form of a record says alike: its heading, times, what lies where, and names with totals.

The last as a few lines, and as a QR code that a phone reads without network.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.record.record import Record
from companion.record.when import when
from companion.scenes import TableLaid
from companion.scenes.written import middle, rest, seats
from companion.table.scores import Result
from companion.words import Say, Text, listed, render, say

MINUTE, HOUR = 60, 3600
REOPENED = say("This game was reopened after it had been put away.")
LEFT_OUT = say("This game doesn't count in the statistics.")


def heading(record: Record) -> Say:
    """The game and who plays it."""
    return say("{game}: {names}", game=record.title, names=listed(record.seats))


def ending(record: Record) -> Say:
    """How it ended, in a sentence."""
    if record.early:
        return say("This game was put away before its end.")
    return record.result.text if record.result else say("This game is not over yet.")


def about(record: Record) -> Iterator[Say]:
    """What was played, when, how long and who started, a sentence each."""
    if record.template is not None:
        yield say("Template: {template}", template=record.template.title)
    yield when(record.played)
    if round(record.seconds):
        yield say("Playing time: {time}", time=play_time(record.seconds))
    if record.starter is not None:
        yield say("Start player: {seat}", seat=record.starter)
    if record.reopened:
        yield REOPENED
    if not record.counts:
        yield LEFT_OUT


def tables(laid: TableLaid, lang: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """What lies where: heads, if there are any, and lines of cells; seats, the middle, then the rest."""
    for one in (seats(laid), *middle(laid), *rest(laid)):
        cells = [["" if cell is None else render(cell, lang) for cell in line] for line in one.lines]
        yield ["" if cell is None else render(cell, lang) for cell in one.heads], cells


def play_time(seconds: float) -> str:
    """`0:05`, `12:34` or `1:02:03`."""
    whole = round(seconds)
    hours, minutes, rest = whole // HOUR, whole % HOUR // MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


ENCODING = "utf-8"


def summary(title: Text, result: Result, lang: str = "en") -> str:
    """`Egypt` on the first line, then `1. Aki 40` for each seat."""
    lines = [f"{one.rank}. {one.seat.name} {one.total}" for one in result.standings]
    return "\n".join([render(title, lang), *lines])


def dots(text: str) -> tuple[tuple[bool, ...], ...]:
    """A QR code of the text, row by row from the top, true where it is dark; the quiet zone is not in it.

    Empty where the text is too long for any.
    """
    import segno  # loading it takes longer than all of the screen's own modules that show the score

    plain = text.isascii()
    # Without its designator some readers take short Japanese for Shift JIS.
    try:
        code = segno.make_qr(text, encoding=None if plain else ENCODING, eci=not plain, error="m")
    except segno.DataOverflowError:
        return ()
    return tuple(tuple(bool(dot) for dot in row) for row in code.matrix)
