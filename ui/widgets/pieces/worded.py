"""Makes the marks of cells, rows and holdings: the picture, the word and the number of each piece."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from companion.rules.scene_views import CellView, RowView
from companion.scenes import number_in_piece_name
from companion.session.view import Holding
from companion.table.ledger import Piece
from companion.texts import Labelled, render
from ui.widgets.pieces.marks import (
    FELT_TEXT_COLOURS,
    PAPER_TEXT_COLOURS,
    SUBJECT_SCALE,
    BadgeMark,
    CardNameMark,
    CoveredMark,
    DigitsMark,
    EnlargedMark,
    HorizontalGroup,
    Mark,
    PieceCountMark,
    PieceMark,
    StackMark,
    TableLabelMark,
    TextColours,
    TextMark,
    WoodenTileMark,
)
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS, name_letters

QUIET_TEXT_LINE_SHARE = 0.6
"""Height of quiet text, such as the names of places, as a share of the line."""
BADGE_TEXT_LINE_SHARE = 0.56
"""Height of the letters on a badge, as a share of the line."""
MIN_NUMBERS_IN_RUN = 3
"""The least number of consecutive numbers that are written as one run, such as `1–3`."""
MAX_STACK_SHOWN_PIECE_BY_PIECE = 8
"""Maximum number of pieces in a stack that is shown piece by piece."""


def has_picture(piece: Piece) -> bool:
    """Whether the piece has a picture; other pieces are shown by their name."""
    return piece.look in SOLID_PIECE_LOOKS or piece.is_physical_card


def piece_letter(piece: Piece, lang: str) -> str:
    """Returns a piece's emblem, or the letters of its name."""
    return piece.emblem or name_letters(piece, lang)


def make_piece_mark(piece: Piece, lang: str, colours: TextColours) -> Mark:
    """Returns the mark of a piece without a count: the picture, its number on a wooden tile, or its name."""
    if has_picture(piece):
        return PieceMark(piece, piece_letter(piece, lang))
    number = number_in_piece_name(piece)
    if number is not None:
        return WoodenTileMark(str(number))
    return TextMark(render(piece, lang), colours.quiet, bold=False)


def format_cell_number_and_maximum(cell: CellView) -> str:
    """Returns a cell's number as text, with its maximum if there is one, such as `3/10`.

    The text of a covered number is empty.
    """
    value = cell.value
    if value is None:
        return ""
    if not isinstance(value, tuple) and cell.maximum:
        return f"{value}/{cell.maximum}"
    return f"{value[0]}/{value[1]}" if isinstance(value, tuple) else str(value)


def make_cell_picture_or_name_mark(
    cell: CellView, lang: str, colours: TextColours, max_size: float = inf
) -> Mark:
    """Returns the mark of what a cell counts: the picture of the piece, or the cell's name.

    The letters of the name are no larger than `max_size`.
    """
    if cell.piece is not None and (cell.label is None or has_picture(cell.piece)):
        return make_piece_mark(cell.piece, lang, colours)
    return make_quiet_label_mark(cell.name, lang, colours, max_size)


def make_cell_value_mark(
    cell: CellView, colours: TextColours, line_share: float = 0.86, min_size: float = 0.0
) -> Mark:
    """Returns the mark of a cell's number: a card's back if covered, faint if zero or void.

    Its digits are no smaller than `min_size`.
    """
    if cell.value is None:
        return CoveredMark()
    text, is_quiet = format_cell_number_and_maximum(cell), cell.value == 0 or cell.is_void
    return DigitsMark(text, colours.quiet if is_quiet else colours.normal, line_share, min_size)


def make_cell_mark(cell: CellView, lang: str, colours: TextColours) -> Mark:
    """Returns the mark of a cell: what is counted, and the number beside it."""
    if cell.value is None and cell.piece is not None and cell.piece.is_physical_card:
        return CoveredMark()
    return HorizontalGroup(
        make_cell_picture_or_name_mark(cell, lang, colours), make_cell_value_mark(cell, colours)
    )


def make_piece_row_marks(row: RowView, lang: str, colours: TextColours) -> list[Mark]:
    """Returns the marks of a row: its name, then its pieces side by side, or a pile as a stack.

    A marker that has only a name, such as a lot, is a badge; several of one name are counted on one badge.
    What the question is about is larger.
    """
    marks: list[Mark] = []
    if row.label is not None and not row.is_empty:
        marks.append(make_quiet_label_mark(row.label, lang, colours))
    piece_marks = [
        PieceMark(piece, piece_letter(piece, lang)) for piece, _ in row.counted_pieces if has_picture(piece)
    ]
    if (
        row.is_pile
        and len(piece_marks) == len(row.counted_pieces) <= MAX_STACK_SHOWN_PIECE_BY_PIECE
        and piece_marks
    ):
        return [*marks, StackMark(piece_marks)]
    if any(count is None for _, count in row.counted_pieces):
        return [*marks, CoveredMark()]
    count_by_name = _count_named_goods(row, lang)
    for piece, count in row.counted_pieces:
        mark = make_piece_mark(piece, lang, colours)
        if _is_named_good(piece):
            name = render(piece, lang)
            if (name_count := count_by_name.pop(name, 0)) > 0:
                text = f"{name} ×{name_count}" if name_count > 1 else name
                marks.append(_make_badge(text, is_subject=row.is_subject))
        elif count == 1 and row.is_subject and isinstance(mark, TextMark):
            marks.append(_make_badge(mark.visible_text, is_subject=True))
        elif count == 1 and not has_picture(piece):
            marks.append(mark)
        else:
            marks.append(PieceCountMark(piece, mark, DigitsMark(str(count), colours.normal)))
    return marks


def _make_badge(text: str, *, is_subject: bool) -> Mark:
    """Returns a badge with a name, larger if the question is about it."""
    badge = BadgeMark(text, line_share=BADGE_TEXT_LINE_SHARE)
    return EnlargedMark(badge, SUBJECT_SCALE) if is_subject else badge


def _is_named_good(piece: Piece) -> bool:
    """Returns whether a piece is a good that has only a name, such as a lot that somebody has won."""
    return piece.is_marker and not has_picture(piece) and number_in_piece_name(piece) is None


def _count_named_goods(row: RowView, lang: str) -> dict[str, int]:
    """Returns the number of goods by name, in the order of the row: several lots may have one name."""
    count_by_name: dict[str, int] = {}
    for piece, count in row.counted_pieces:
        if _is_named_good(piece):
            name = render(piece, lang)
            count_by_name[name] = count_by_name.get(name, 0) + (count or 0)
    return count_by_name


def make_number_run_marks(row: RowView, lang: str, colours: TextColours) -> list[Mark]:
    """Returns the marks of a row, with one tile for several consecutive numbers, such as `1–4`."""
    numbers = [number_in_piece_name(piece) for piece, _ in row.counted_pieces]
    if None in numbers or any(count != 1 or has_picture(piece) for piece, count in row.counted_pieces):
        return make_piece_row_marks(row, lang, colours)
    label = [] if row.label is None or row.is_empty else [make_quiet_label_mark(row.label, lang, colours)]
    runs = find_number_runs([number for number in numbers if number is not None])
    return [*label, *map(WoodenTileMark, runs)]


def find_number_runs(numbers: Sequence[int]) -> list[str]:
    """Returns numbers as texts, with three or more consecutive numbers as one text, such as `1–4`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [
        text
        for run in runs
        for text in ([f"{run[0]}–{run[-1]}"] if len(run) >= MIN_NUMBERS_IN_RUN else map(str, run))
    ]


def make_holding_mark(holding: Holding, lang: str) -> Mark:
    """Returns the mark of a holding on paper: the piece with its number, or a back if it is covered."""
    piece, count = holding.piece, holding.count
    if count is None:
        return CoveredMark()
    if piece.is_card_face:
        return CardNameMark(card_name_or_id(piece, lang))
    if has_picture(piece):
        mark = make_piece_mark(piece, lang, PAPER_TEXT_COLOURS)
        is_alone = count == 1 and piece.look in SOLID_PIECE_LOOKS
        return mark if is_alone else HorizontalGroup(mark, DigitsMark(str(count), PAPER_TEXT_COLOURS.normal))
    number = number_in_piece_name(piece)
    if number is not None and count == 1:
        return WoodenTileMark(str(number))
    text = piece if count == 1 else piece.quantity_text(count)
    return BadgeMark(render(text, lang), line_share=BADGE_TEXT_LINE_SHARE)


def card_name_or_id(piece: Piece, lang: str) -> str:
    """Returns the name of an open card, or its id if it has no name."""
    ids = [value for name, value in piece.label.args if name == "id"]
    return str(ids[0]) if ids else render(piece, lang)


def keep_label_with_first_mark(marks: list[Mark], row: RowView) -> list[Mark]:
    """Joins the row's label with its first mark, so that the label never stands alone."""
    if row.label is None or len(marks) < 2:  # noqa: PLR2004 - a label and a piece
        return marks
    return [HorizontalGroup(*marks[:2], gap_share=0.25), *marks[2:]]


def make_quiet_label_mark(
    label: Labelled, lang: str, colours: TextColours, max_size: float = inf
) -> TextMark:
    """Returns the mark of a place's name, in a quiet colour."""
    return make_quiet_text_mark(render(label, lang), colours, max_size)


def make_quiet_text_mark(text: str, colours: TextColours, max_size: float = inf) -> TextMark:
    """Returns a text mark in a quiet colour; on the felt, where the tables are, in larger letters."""
    kind = TableLabelMark if colours == FELT_TEXT_COLOURS else TextMark
    return kind(text, colours.quiet, QUIET_TEXT_LINE_SHARE, bold=False, max_size=max_size)


def make_paper_table_label_mark(label: Labelled, lang: str, max_size: float) -> TextMark:
    """Returns the mark of a heading in a table on paper, in letters no larger than `max_size`."""
    text, quiet = render(label, lang), PAPER_TEXT_COLOURS.quiet
    return TableLabelMark(text, quiet, QUIET_TEXT_LINE_SHARE, bold=False, max_size=max_size)
