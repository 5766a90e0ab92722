"""Names, ranks and totals as a few lines of text, and as a QR code that a phone reads without network."""

from __future__ import annotations

from companion.table.scores import Result
from companion.words import Text, render

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
