"""An evaluated scene as text in lines and columns, for terminals and records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby

import msgspec

from companion.cards import CardFace
from companion.cards.deck import NAME_FIELD, describe_values
from companion.rules.scene_views import (
    CardSpreadView,
    CellValue,
    CellView,
    GridView,
    LotRowView,
    MatView,
    MiddlePartView,
    RowView,
)
from companion.scenes.evaluate import SceneView
from companion.session.view import Holding
from companion.table.ledger import Piece, Place
from companion.texts import Labelled, Say, say, say_list, say_plain_text

EMPTY_CELL_TEXT = say_plain_text("–")
"""Text in a cell without a number, and for a missing label."""
HIDDEN_VALUE = say("hidden")
ENDLESS_COUNT_TEXT = "∞"
"""Sign shown as the count of pieces that never run out."""
EndlessAccounts = Collection[tuple[Place, Piece]]
"""Places with the pieces that never run out there."""


class TextTable(msgspec.Struct, frozen=True):
    """A table of texts: lines of equally many cells, and a heading for each column or none.

    None is an empty cell.
    """

    lines: tuple[tuple[Labelled | None, ...], ...]
    column_headings: tuple[Labelled | None, ...] = ()


def seat_table(scene_view: SceneView) -> TextTable:
    """Returns a table with a line for each seat: the numbers of its mat, then its badges and rows."""
    cells = _numbers(scene_view.mats[0])
    heads = (None, *[cell.name for cell in cells], None)
    return TextTable(tuple([_seat(mat) for mat in scene_view.mats]), heads)


def middle_tables(scene_view: SceneView, endless_accounts: EndlessAccounts = ()) -> Iterator[TextTable]:
    """Yields the middle of the scene as tables: one for each grid, and a line for each other part.

    Cards of one numbered row share a line.
    """
    for kind, group in groupby(scene_view.middle, key=_together):
        parts = list(group)
        if kind is GridView:
            yield from [_grid(part) for part in parts if isinstance(part, GridView)]
        elif isinstance(kind, Say):
            spots = join_with_middle_dots([_spot(part) for part in parts if isinstance(part, CardSpreadView)])
            yield from _gathered([] if spots is None else [(kind, spots)])
        else:
            yield from _gathered(
                [line for part in parts if (line := _part(part, endless_accounts)) is not None]
            )


def other_holdings_tables(
    scene_view: SceneView, endless_accounts: EndlessAccounts = ()
) -> Iterator[TextTable]:
    """Yields tables of what the scene doesn't name, with a line for each place.

    A place of a grid has the name that the grid gives it.
    """
    held: dict[Place, list[Holding]] = {}
    for one in scene_view.other_holdings:
        held.setdefault(one.place, []).append(one)
    in_grids = dict(_places_in(scene_view))
    yield from _gathered(
        [
            (
                in_grids.get(place, place),
                describe_pieces(
                    [(one.piece, one.count) for one in there],
                    [piece for at, piece in endless_accounts if at == place],
                ),
            )
            for place, there in held.items()
        ]
    )


def _places_in(scene_view: SceneView) -> Iterator[tuple[Place, Labelled]]:
    """Yields the places whose numbers are in a grid, with the label of the grid's line."""
    grids = [part for part in scene_view.middle if isinstance(part, GridView)]
    for label, cells in [line for grid in grids for line in grid.lines]:
        for about, seat in [
            cell.amendable_answer for cell in cells if cell is not None and cell.amendable_answer
        ]:
            if isinstance(about, Place):
                yield Place(about.name, seat, about.slot), say("{seat}, {line}", seat=seat, line=label)


def describe_pieces(
    counted_pieces: Sequence[tuple[Piece, int | None]], endless_pieces: Collection[Piece] = ()
) -> Labelled | None:
    """Returns pieces as text like `leader · 2 points · daughter 4, 5, 9`, None without pieces.

    Pieces that differ only in their number are named once. `endless_pieces` have the count ∞.
    """
    parts: list[tuple[Say, list[int]]] = []
    known = [(piece, count) for piece, count in counted_pieces if count is not None]
    covered = [piece for piece, count in counted_pieces if count is None]
    for piece, count in known:
        many = ENDLESS_COUNT_TEXT if piece in endless_pieces else count
        label = piece.label if many == 1 else piece.quantity_text(many)
        number = number_in_piece_name(piece) if many == 1 and len(label.args) == 1 else None
        if number is not None and parts and parts[-1][1] and parts[-1][0].template == label.template:
            parts[-1][1].append(number)
        else:
            parts.append((label, [] if number is None else [number]))
    hidden = say("{piece}: hidden", piece=say_list(covered)) if covered else None
    return join_with_middle_dots([*[_numbered(label, numbers) for label, numbers in parts], hidden])


def number_in_piece_name(piece: Piece) -> int | None:
    """Returns the number in a piece's name, as in "daughter 7"; None without one or with several."""
    numbers = [arg for _, arg in piece.label.args if isinstance(arg, int)]
    return numbers[0] if len(numbers) == 1 else None


def join_with_middle_dots(texts: Iterable[Labelled | None]) -> Labelled | None:
    """Returns the texts joined with ` · `, None if there are none."""
    there = [text for text in texts if text is not None]
    return reduce(lambda one, other: say("{one} · {other}", one=one, other=other), there) if there else None


def describe_cell_value(value: CellValue, maximum: int = 0) -> Labelled:
    """Returns the value of a cell as text: `3`, `2/5` or `hidden`."""
    if value is None:
        return HIDDEN_VALUE
    if maximum:
        return say_plain_text(f"{value}/{maximum}")
    return say_plain_text(f"{value[0]}/{value[1]}" if isinstance(value, tuple) else str(value))


def describe_card(face: CardFace) -> Labelled:
    """Returns text for an open card: its name, or what is visibly printed on it.

    The text never has the code of the card.
    """
    spots = {spot.field: spot.value for spot in (face.big, *face.corners, *face.row) if spot}
    return face.card.label if NAME_FIELD in face.card.values or not spots else describe_values(spots)


def describe_cards(faces: Iterable[CardFace]) -> Labelled | None:
    """Returns open cards as text, None without cards. Cards that look alike are named once and counted."""
    alike = Counter(describe_card(face) for face in faces)
    return join_with_middle_dots(
        [text if count == 1 else _copies(text, count) for text, count in alike.items()]
    )


def _gathered(lines: Sequence[tuple[Labelled | None, ...]]) -> Iterator[TextTable]:
    """Yields a table of these lines, if there are any; neighbours with the same label share a line."""
    together: list[tuple[Labelled | None, ...]] = []
    for name, *texts in lines:
        if together and together[-1][0] == name:
            together[-1] = (name, join_with_middle_dots([*together[-1][1:], *texts]))
        else:
            together.append((name, *texts))
    if together:
        yield TextTable(tuple(together))


def _numbers(mat: MatView) -> list[CellView]:
    return [number for number in (mat.headline, *mat.cells) if number is not None]


def _seat(mat: MatView) -> tuple[Labelled | None, ...]:
    marks = [label for label, _ in mat.badges]
    own = join_with_middle_dots([*marks, *[_row(row) for row in mat.rows]])
    return (mat.seat, *[describe_cell_value(number.value, number.maximum) for number in _numbers(mat)], own)


def _grid(grid: GridView) -> TextTable:
    lines = [
        (
            label,
            *[
                EMPTY_CELL_TEXT if one is None else describe_cell_value(one.value, one.maximum)
                for one in numbers
            ],
        )
        for label, numbers in grid.lines
    ]
    return TextTable(tuple(lines), (None, *grid.column_headings))


def _part(part: MiddlePartView, endless_accounts: EndlessAccounts) -> tuple[Labelled, Labelled | None] | None:
    """Returns a part's label and content; None if it is empty."""
    match part:
        case CellView():
            return part.name, describe_cell_value(part.value, part.maximum)
        case RowView():
            things = _things(part, [piece for place, piece in endless_accounts if place == part.place])
            return None if things is None else (part.label or EMPTY_CELL_TEXT, things)
        case CardSpreadView():
            return _cards(part)
        case LotRowView():
            there = [(lot.piece, 1) for lot in part.lots if lot.owner is None and not lot.is_gone]
            return (part.label, describe_pieces(there)) if there else None
        case _:
            raise NotImplementedError(part)


def _together(part: MiddlePartView) -> object:
    """Returns the key by which neighbouring parts share a table, or cards of a numbered row a line."""
    if isinstance(part, CardSpreadView) and part.label is None:
        return part.place.name
    return GridView if isinstance(part, GridView) else None


def _spot(part: CardSpreadView) -> Labelled | None:
    """Returns text like `2: card + Ben's coin`, with the number of the card's place if it has one."""
    line, spot = _cards(part), part.place.slot
    if line is None or spot is None:
        return line and line[1]
    return say("{spot}: {things}", spot=spot, things=line[1])


def _cards(part: CardSpreadView) -> tuple[Labelled, Labelled] | None:
    backs = [] if part.back is None or part.back_count == 0 else [(part.back, part.back_count)]
    on = [
        _row(one) if isinstance(one, RowView) else _labelled(one.name, describe_cell_value(one.value))
        for one in part.on_top
    ]
    there = [
        text for text in (describe_cards(part.open_cards), describe_pieces(backs), *on) if text is not None
    ]
    if not there:
        return None
    return part.label or part.place, reduce(
        lambda one, other: say("{one} + {other}", one=one, other=other), there
    )


def _row(row: RowView) -> Labelled | None:
    """Returns a row's content with its label, if it has one; None if the row is empty."""
    things = _things(row)
    return things if things is None or row.label is None else _labelled(row.label, things)


def _things(row: RowView, endless_pieces: Collection[Piece] = ()) -> Labelled | None:
    return join_with_middle_dots(
        [describe_pieces(row.counted_pieces, endless_pieces), describe_cards(row.open_cards)]
    )


def _labelled(label: Labelled, text: Labelled) -> Say:
    return say("{what}: {text}", what=label, text=text)


def _copies(card: Labelled, count: int) -> Say:
    return say("{count} × {card}", count=count, card=card)


def _numbered(label: Say, numbers: Sequence[int]) -> Say:
    """Returns a piece's name once, followed by all its numbers."""
    if not numbers:
        return label
    ((name, _),) = label.args
    return Say(label.template, ((name, ", ".join(map(str, numbers))),))
