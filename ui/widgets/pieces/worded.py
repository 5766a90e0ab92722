"""From what a scene shows to marks: which picture a piece has, which word, which number."""

from __future__ import annotations

from companion.rules.scene_views import CellView, RowView
from companion.scenes.text import number_in_name
from companion.session.view import Holding
from companion.table.ledger import Piece
from companion.texts import Labelled, render
from ui.widgets.pieces.marks import (
    ON_PAPER,
    Beside,
    CoveredMark,
    Ground,
    Mark,
    NameCard,
    Picture,
    Plaque,
    Said,
    Stacked,
    Wooden,
    digits,
)
from ui.widgets.pieces.things import THINGS, letter

QUIETLY = 0.6
"""How high the names of places are."""
PLATE = 0.56
"""How high the letters on a plate are."""
WHOLE = 8
"""A stack of no more pieces is shown in its order."""


def is_drawn(piece: Piece) -> bool:
    """Whether the piece has a picture; all others are called by their name."""
    return piece.look in THINGS or piece.is_back


def sign(piece: Piece, lang: str) -> str:
    """What is written on a piece: a tile has the letter in its name, everything else that of its colour."""
    if piece.look != "tile":
        return letter(piece, lang)
    words = [value for _, value in piece.label.args if isinstance(value, str)]
    return words[0][:1] if words else ""


def picture(piece: Piece, lang: str, ground: Ground) -> Mark:
    """The piece alone: its picture, its number on wood, or its name."""
    if is_drawn(piece):
        return Picture(piece, sign(piece, lang))
    number = number_in_name(piece)
    if number is not None:
        return Wooden(str(number))
    return Said(render(piece, lang), ground.quiet, bold=False)


def written(number: CellView) -> str:
    """A number as people read it, with how many there can be; nothing where it is covered."""
    value = number.value
    if value is None:
        return ""
    if isinstance(value, int) and number.maximum:
        value = value, number.maximum
    return f"{value[0]}/{value[1]}" if isinstance(value, tuple) else str(value)


def heading(number: CellView, lang: str, ground: Ground) -> Mark:
    """What a number is of: its picture, or its word."""
    if number.piece is not None and (number.label is None or is_drawn(number.piece)):
        return picture(number.piece, lang, ground)
    return named(number.name, lang, ground)


def value_of(number: CellView, ground: Ground, share: float = 0.86) -> Mark:
    """The number itself: covered, or in digits, faint where it is nought."""
    if number.value is None:
        return CoveredMark()
    nought = number.value == 0
    return digits(written(number), ground.faint if nought else ground.word, share)


def counted(number: CellView, lang: str, ground: Ground) -> Mark:
    """A number beside what it is of."""
    if number.value is None and number.piece is not None and number.piece.is_back:
        return CoveredMark()
    return Beside(heading(number, lang, ground), value_of(number, ground))


def row_marks(row: RowView, lang: str, ground: Ground) -> list[Mark]:
    """Things side by side, a pile one over the other; its name first where it has one."""
    marks: list[Mark] = []
    if row.label is not None and not row.is_empty:
        marks.append(named(row.label, lang, ground))
    pictures = [Picture(piece, sign(piece, lang)) for piece, _ in row.counted_pieces if is_drawn(piece)]
    if row.is_pile and len(pictures) == len(row.counted_pieces) <= WHOLE and pictures:
        return [*marks, Stacked(pictures)]
    if any(count is None for _, count in row.counted_pieces):
        return [*marks, CoveredMark()]
    for piece, count in row.counted_pieces:
        shown = picture(piece, lang, ground)
        if count == 1 and not is_drawn(piece):
            marks.append(shown)
        else:
            marks.append(Beside(shown, digits(str(count), ground.word)))
    return marks


def lying(one: Holding, lang: str) -> Mark:
    """What lies somewhere, on paper, with its number; covered it is a back, and nobody may know how much."""
    piece, count = one.piece, one.count
    if count is None:
        return CoveredMark()
    if piece.is_face:
        return NameCard(card_name(piece, lang))
    if is_drawn(piece):
        shown = picture(piece, lang, ON_PAPER)
        is_alone = count == 1 and piece.look in THINGS
        return shown if is_alone else Beside(shown, digits(str(count), ON_PAPER.word))
    number = number_in_name(piece)
    if number is not None and count == 1:
        return Wooden(str(number))
    text = piece if count == 1 else piece.quantity(count)
    return Plaque(render(text, lang), share=PLATE)


def card_name(piece: Piece, lang: str) -> str:
    """What stands on an open card: its name, or the id that a card without a name is known by."""
    ids = [value for name, value in piece.label.args if name == "id"]
    return str(ids[0]) if ids else render(piece, lang)


def with_label(marks: list[Mark], row: RowView) -> list[Mark]:
    """The name of a place never stands without the first thing that lies there."""
    if row.label is None or len(marks) < 2:  # noqa: PLR2004 - a name and a thing
        return marks
    return [Beside(*marks[:2], gap=0.25), *marks[2:]]


def named(label: Labelled, lang: str, ground: Ground) -> Said:
    """The name of a place, quietly."""
    return quietly(render(label, lang), ground)


def quietly(text: str, ground: Ground) -> Said:
    """A word that says what is there."""
    return Said(text, ground.quiet, QUIETLY, bold=False)
