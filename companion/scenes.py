"""How a game's table looks at one moment: the evaluated scene as labelled cells, and as text.

Everything comes from a view, so a scene shows nothing that the viewer may not see. Terminals and records show
the text, in lines and columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby

import msgspec
from msgspec.structs import replace

from companion.cards import CardFace
from companion.cards.deck import NAME_FIELD, describe_values
from companion.rules.scene import (
    MAX_CROWNS,
    AnnouncedLot,
    CardPile,
    ComputedCell,
    CountCell,
    LotQueue,
    MiddlePart,
    PieceRow,
    Scene,
    SceneReader,
    SeatBadge,
    SeatMat,
    VisibleTable,
)
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
from companion.session.view import Holding, View
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, Say, say, say_list, say_plain_text

PLACES_WITHOUT_LABEL = ("front", "hand")
"""The names of places without a label: these names say no more than the pieces there."""


class SceneView(msgspec.Struct, frozen=True):
    """A game's evaluated scene: a mat for each seat, the parts in the middle, and all other holdings.

    `other_holdings` are the holdings that the scene doesn't name: seat by seat, then common holdings.
    """

    mats: tuple[MatView, ...]
    middle_parts: tuple[MiddlePartView, ...]
    other_holdings: tuple[Holding, ...] = ()

    def mat_of(self, seat: Seat) -> MatView:
        """Returns the mat of a seat."""
        return next(mat for mat in self.mats if mat.seat == seat)


def evaluate_scene(view: View, scene: Scene | None = None) -> SceneView:
    """Returns a scene evaluated with the numbers of a view; without a scene, everything on the table."""
    scene = default_scene(view) if scene is None else scene
    counts = {(holding.place, holding.piece): holding.count for holding in view.holdings}
    reader = SceneReader(
        VisibleTable(counts, dict(view.faces), view.question, view.piles, view.current_slot_by_place)
    )
    middle = tuple(_evaluate_middle(scene.middle, reader))
    leaders = () if scene.leaders is None else scene.leaders(reader.visible_table)
    if len(leaders) > MAX_CROWNS:
        leaders = ()
    mats = tuple([replace(scene.mat.evaluate(reader, seat), leads=seat in leaders) for seat in view.seats])
    seat_holdings = [holding for seat in view.seats for holding in view.holdings_of(seat)]
    other_holdings = [
        holding
        for holding in (*seat_holdings, *view.common_holdings())
        if (holding.place, holding.piece) not in reader.shown_accounts
        and (holding.count is None or holding.count > 0)
    ]
    return SceneView(mats, middle, tuple(other_holdings))


def _evaluate_middle(parts: tuple[MiddlePart, ...], reader: SceneReader) -> Iterator[MiddlePartView]:
    """Yields the views of the parts, without those that have nothing to show.

    These are grids that have no line, parts for lots that have none, and cells that are hidden while 0.
    """
    for part in parts:
        part_view = part.evaluate(reader)
        if isinstance(part_view, RowView) and part_view.label is None:
            part_view = replace(part_view, label=part_view.place)
        has_nothing = (isinstance(part_view, GridView) and not part_view.lines) or (
            isinstance(part, LotQueue | AnnouncedLot)
            and isinstance(part_view, RowView)
            and part_view.is_empty
        )
        if isinstance(part, CountCell | ComputedCell) and isinstance(part_view, CellView):
            has_nothing = part.hidden_when_zero and part_view.value == 0
        if not has_nothing:
            yield part_view


# The scene of a game without its own scene


def default_scene(view: View) -> Scene:
    """Returns a scene that shows everything on the table, for a game without its own scene.

    On each mat, the first place is shown as cells, the others as rows. The middle has a part for each place.
    """
    seat_holdings = [holding for holding in view.holdings if holding.place.seat is not None]
    badge_keys = dict.fromkeys(
        (holding.place.name, holding.piece) for holding in seat_holdings if _is_badge(holding)
    )
    pieces_by_place: dict[Say, dict[Piece, None]] = {}
    for holding in seat_holdings:
        if not holding.piece.is_marker:
            pieces_by_place.setdefault(holding.place.name, {})[holding.piece] = None
    face_places = dict.fromkeys(holding.place.name for holding in seat_holdings if holding.piece.is_card_face)
    first_place = next(iter(pieces_by_place), None)
    cells: list[CountCell] = []
    if first_place is not None:
        cells = [CountCell(piece, first_place) for piece in pieces_by_place.pop(first_place)]
    rows = [
        PieceRow(
            place_name,
            tuple(pieces),
            label=None if place_name.template in PLACES_WITHOUT_LABEL else place_name,
        )
        for place_name, pieces in pieces_by_place.items()
        if not (place_name in face_places and all(piece.is_physical_card for piece in pieces))
    ]
    rows += [PieceRow(place_name) for place_name in face_places]
    badges = tuple([SeatBadge(piece, place_name) for place_name, piece in badge_keys])
    headline = cells[0] if cells else None
    return Scene(SeatMat(headline, tuple(cells[1:]), badges, tuple(rows)), _default_middle(view))


def _is_badge(holding: Holding) -> bool:
    return holding.piece.is_marker and not holding.piece.is_card_face


def _default_middle(view: View) -> tuple[MiddlePart, ...]:
    """Returns a part for each place that belongs to nobody: backs as piles, everything else as named rows."""
    holdings_by_place: dict[tuple[Say, int | None], list[Holding]] = {}
    for holding in view.common_holdings():
        if holding.count and holding.count > 0 and (holding.piece.look or not holding.piece.is_marker):
            holdings_by_place.setdefault((holding.place.name, holding.place.slot), []).append(holding)
    parts: list[MiddlePart] = []
    for (place_name, slot), holdings in holdings_by_place.items():
        is_single_pile = len(holdings) == 1 and holdings[0].piece.is_physical_card and slot is None
        has_open_cards = any(holding.piece.is_card_face for holding in holdings)
        pieces = tuple(
            [
                holding.piece
                for holding in holdings
                if not (holding.piece.is_card_face or (has_open_cards and holding.piece.is_physical_card))
            ]
        )
        if is_single_pile:
            parts.append(CardPile(holdings[0].piece, place_name))
        elif pieces:
            parts.append(PieceRow(place_name, pieces, slot=slot))
        if has_open_cards:
            parts.append(PieceRow(place_name, slot=slot))
    return tuple(parts)


# The scene as text


EMPTY_CELL_TEXT = say_plain_text("–")
"""Text in a cell without a number, and for a missing label."""
HIDDEN_VALUE_TEXT = say("hidden")
ENDLESS_COUNT_TEXT = "∞"
"""Sign shown as the count of pieces that never run out."""
EndlessAccounts = Collection[tuple[Place, Piece]]
"""Places with the pieces that never run out there."""


class TextTable(msgspec.Struct, frozen=True):
    """A table of texts: lines with the same number of cells, and a heading for each column, or no headings.

    None is an empty cell.
    """

    lines: tuple[tuple[Labelled | None, ...], ...]
    column_headings: tuple[Labelled | None, ...] = ()


def seat_table(scene_view: SceneView) -> TextTable:
    """Returns a table with a line for each seat: the numbers of its mat, then its badges and rows."""
    cells = _mat_cells(scene_view.mats[0])
    headings = (None, *[cell.name for cell in cells], None)
    return TextTable(tuple([_seat_line(mat) for mat in scene_view.mats]), headings)


def middle_tables(scene_view: SceneView, endless_accounts: EndlessAccounts = ()) -> Iterator[TextTable]:
    """Yields the middle of the scene as tables: one for each grid, and a line for each other part.

    Cards of one numbered row share a line.
    """
    for key, group in groupby(scene_view.middle_parts, key=_grouping_key):
        parts = list(group)
        if key is GridView:
            yield from [_grid_table(part) for part in parts if isinstance(part, GridView)]
        elif isinstance(key, Say):
            text = join_with_middle_dots(
                [_describe_slot(part) for part in parts if isinstance(part, CardSpreadView)]
            )
            yield from _table_if_lines([] if text is None else [(key, text)])
        else:
            yield from _table_if_lines(
                [line for part in parts if (line := _part_line(part, endless_accounts)) is not None]
            )


def other_holdings_tables(
    scene_view: SceneView, endless_accounts: EndlessAccounts = ()
) -> Iterator[TextTable]:
    """Yields tables of the holdings that the scene doesn't name, with a line for each place.

    A place of a grid has the name that the grid gives it.
    """
    holdings_by_place: dict[Place, list[Holding]] = {}
    for holding in scene_view.other_holdings:
        holdings_by_place.setdefault(holding.place, []).append(holding)
    grid_labels = dict(_grid_places(scene_view))
    yield from _table_if_lines(
        [
            (
                grid_labels.get(place, place),
                describe_pieces(
                    [(holding.piece, holding.count) for holding in holdings],
                    [piece for endless_place, piece in endless_accounts if endless_place == place],
                ),
            )
            for place, holdings in holdings_by_place.items()
        ]
    )


def _grid_places(scene_view: SceneView) -> Iterator[tuple[Place, Labelled]]:
    """Yields the places whose numbers are in a grid, each with the label of the grid's line."""
    grids = [part for part in scene_view.middle_parts if isinstance(part, GridView)]
    for label, cells in [line for grid in grids for line in grid.lines]:
        answers = [cell.amendable_answer for cell in cells if cell is not None and cell.amendable_answer]
        for subject, seat in answers:
            if isinstance(subject, Place):
                yield Place(subject.name, seat, subject.slot), say("{seat}, {line}", seat=seat, line=label)


def describe_pieces(
    counted_pieces: Sequence[tuple[Piece, int | None]], endless_pieces: Collection[Piece] = ()
) -> Labelled | None:
    """Returns pieces as text like `leader · 2 points · daughter 4, 5, 9`; None without pieces.

    Pieces that differ only in their number are named once. `endless_pieces` have the count ∞.
    """
    parts: list[tuple[Say, list[int]]] = []
    visible = [(piece, count) for piece, count in counted_pieces if count is not None]
    covered_pieces = [piece for piece, count in counted_pieces if count is None]
    for piece, count in visible:
        shown_count = ENDLESS_COUNT_TEXT if piece in endless_pieces else count
        label = piece.label if shown_count == 1 else piece.quantity_text(shown_count)
        number = number_in_piece_name(piece) if shown_count == 1 and len(label.args) == 1 else None
        if number is not None and parts and parts[-1][1] and parts[-1][0].template == label.template:
            parts[-1][1].append(number)
        else:
            parts.append((label, [] if number is None else [number]))
    hidden_text = say("{piece}: hidden", piece=say_list(covered_pieces)) if covered_pieces else None
    return join_with_middle_dots([*[_with_numbers(label, numbers) for label, numbers in parts], hidden_text])


def number_in_piece_name(piece: Piece) -> int | None:
    """Returns the number in a piece's name, as in "daughter 7"; None without one or with several."""
    numbers = [arg for _, arg in piece.label.args if isinstance(arg, int)]
    return numbers[0] if len(numbers) == 1 else None


def join_with_middle_dots(texts: Iterable[Labelled | None]) -> Labelled | None:
    """Returns the texts joined with ` · `, None if there are none."""
    present = [text for text in texts if text is not None]
    if not present:
        return None
    return reduce(lambda one, other: say("{one} · {other}", one=one, other=other), present)


def describe_cell(cell: CellView) -> Labelled:
    """Returns the number of a cell as text, in parentheses if it is a total that doesn't count."""
    text = describe_cell_value(cell.value, cell.maximum)
    return say_plain_text(f"({cell.value})") if cell.is_void and cell.value is not None else text


def describe_cell_value(value: CellValue, maximum: int = 0) -> Labelled:
    """Returns the value of a cell as text: `3`, `2/5` or `hidden`."""
    if value is None:
        return HIDDEN_VALUE_TEXT
    if maximum:
        return say_plain_text(f"{value}/{maximum}")
    return say_plain_text(f"{value[0]}/{value[1]}" if isinstance(value, tuple) else str(value))


def describe_card(face: CardFace) -> Labelled:
    """Returns text for an open card: its name, or what is visibly printed on it.

    The text never has the code of the card.
    """
    values = {printed.field: printed.value for printed in (face.big, *face.corners, *face.row) if printed}
    return face.card.label if NAME_FIELD in face.card.values or not values else describe_values(values)


def describe_cards(faces: Iterable[CardFace]) -> Labelled | None:
    """Returns open cards as text, None without cards.

    Cards that look alike are named once, with their count.
    """
    counts = Counter(describe_card(face) for face in faces)
    return join_with_middle_dots(
        [
            text if count == 1 else say("{count} × {card}", count=count, card=text)
            for text, count in counts.items()
        ]
    )


def _table_if_lines(lines: Sequence[tuple[Labelled | None, ...]]) -> Iterator[TextTable]:
    """Yields a table of these lines, if there are any. Neighbours with the same label share a line."""
    merged_lines: list[tuple[Labelled | None, ...]] = []
    for label, *texts in lines:
        if merged_lines and merged_lines[-1][0] == label:
            merged_lines[-1] = (label, join_with_middle_dots([*merged_lines[-1][1:], *texts]))
        else:
            merged_lines.append((label, *texts))
    if merged_lines:
        yield TextTable(tuple(merged_lines))


def _mat_cells(mat: MatView) -> list[CellView]:
    return [cell for cell in (mat.headline, *mat.cells) if cell is not None]


def _seat_line(mat: MatView) -> tuple[Labelled | None, ...]:
    badge_labels = [label for label, _ in mat.badges]
    content = join_with_middle_dots([*badge_labels, *[_describe_row(row) for row in mat.rows]])
    return (mat.seat, *map(describe_cell, _mat_cells(mat)), content)


def _grid_table(grid: GridView) -> TextTable:
    lines = [
        (
            label,
            *[EMPTY_CELL_TEXT if cell is None else describe_cell(cell) for cell in cells],
        )
        for label, cells in grid.lines
    ]
    return TextTable(tuple(lines), (None, *grid.column_headings))


def _part_line(
    part: MiddlePartView, endless_accounts: EndlessAccounts
) -> tuple[Labelled, Labelled | None] | None:
    """Returns a part's label and content; None if it is empty."""
    match part:
        case CellView():
            return part.name, describe_cell_value(part.value, part.maximum)
        case RowView():
            content = _describe_row_content(
                part, [piece for place, piece in endless_accounts if place == part.place]
            )
            return None if content is None else (part.label or EMPTY_CELL_TEXT, content)
        case CardSpreadView():
            return _spread_line(part)
        case LotRowView():
            pieces = [(lot.piece, 1) for lot in part.lots if lot.owner is None and not lot.is_gone]
            return (part.label, describe_pieces(pieces)) if pieces else None
        case _:
            raise NotImplementedError(part)


def _grouping_key(part: MiddlePartView) -> object:
    """Returns a key: neighbouring parts with the same key share a table.

    If the key is the name of a numbered row, its cards share a line.
    """
    if isinstance(part, CardSpreadView) and part.label is None:
        return part.place.name
    return GridView if isinstance(part, GridView) else None


def _describe_slot(part: CardSpreadView) -> Labelled | None:
    """Returns text like `2: card + Ben's coin`, with the number of the card's place if it has one."""
    line, slot = _spread_line(part), part.place.slot
    if line is None or slot is None:
        return line and line[1]
    return say("{spot}: {things}", spot=slot, things=line[1])


def _spread_line(part: CardSpreadView) -> tuple[Labelled, Labelled] | None:
    backs = [] if part.back is None or part.back_count == 0 else [(part.back, part.back_count)]
    texts_on_top = [
        _describe_row(item)
        if isinstance(item, RowView)
        else _with_label(item.name, describe_cell_value(item.value))
        for item in part.on_top
    ]
    texts = [
        text
        for text in (describe_cards(part.open_cards), describe_pieces(backs), *texts_on_top)
        if text is not None
    ]
    if not texts:
        return None
    content = reduce(lambda one, other: say("{one} + {other}", one=one, other=other), texts)
    return part.label or part.place, content


def _describe_row(row: RowView) -> Labelled | None:
    """Returns a row's content with its label, if it has one; None if the row is empty."""
    content = _describe_row_content(row)
    return content if content is None or row.label is None else _with_label(row.label, content)


def _describe_row_content(row: RowView, endless_pieces: Collection[Piece] = ()) -> Labelled | None:
    return join_with_middle_dots(
        [describe_pieces(row.counted_pieces, endless_pieces), describe_cards(row.open_cards)]
    )


def _with_label(label: Labelled, text: Labelled) -> Say:
    return say("{what}: {text}", what=label, text=text)


def _with_numbers(label: Say, numbers: Sequence[int]) -> Say:
    """Returns a piece's name once, followed by all its numbers."""
    if not numbers:
        return label
    ((name, _),) = label.args
    return Say(label.template, ((name, ", ".join(map(str, numbers))),))
