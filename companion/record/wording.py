"""What every form of a record says alike: its heading, what lies where, and names with totals.

The last as a few lines, and as a QR code that a phone reads without network.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.record.record import Record
from companion.scenes.evaluate import SceneView
from companion.scenes.text import middle_tables, other_tables, seat_table
from companion.table.scores import GameResult
from companion.texts import Say, Text, render, say, say_list


def heading(record: Record) -> Say:
    """The game and who plays it."""
    return say("{game}: {names}", game=record.title, names=say_list(record.seats))


def ending(record: Record) -> Say:
    """How it ended, in a sentence."""
    if record.early:
        return say("This game was put away before the end.")
    return record.result.text if record.result else say("This game is not over yet.")


def tables(laid: SceneView, lang: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """What lies where: heads, if there are any, and lines of cells; seats, the middle, then the rest."""
    for one in (seat_table(laid), *middle_tables(laid), *other_tables(laid)):
        cells = [["" if cell is None else render(cell, lang) for cell in line] for line in one.lines]
        yield ["" if cell is None else render(cell, lang) for cell in one.heads], cells


ENCODING = "utf-8"


def summary(title: Text, result: GameResult, lang: str = "en") -> str:
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
