"""A laid table as words and numbers in lines and columns: what terminals and records write of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby

import msgspec

from companion.cards import CardFace
from companion.cards.deck import NAME, told
from companion.rules.scene import Value
from companion.scenes.laid import (
    CardsLaid,
    GridLaid,
    LotsLaid,
    MatLaid,
    NumberLaid,
    PartLaid,
    PileLaid,
    RowLaid,
    TableLaid,
    TrackLaid,
)
from companion.session.view import Holding
from companion.table.ledger import Piece, Place
from companion.words import Labelled, Say, listed, literal, say

NOTHING = literal("–")
"""In a cell without a number, and the name of what has none."""
HIDDEN = say("hidden")
ENDLESS = "∞"
"""Stands for the number of what never runs out."""
Endless = Collection[tuple[Place, Piece]]
"""What never runs out, and where."""


class Written(msgspec.Struct, frozen=True):
    """Lines of as many cells, under heads where there are any; None: an empty cell."""

    lines: tuple[tuple[Labelled | None, ...], ...]
    heads: tuple[Labelled | None, ...] = ()


def seats(laid: TableLaid) -> Written:
    """A line a seat in the order of the mats' cells; its last cell is what comes and goes before it."""
    cells = _numbers(laid.mats[0])
    heads = (None, *[cell.name for cell in cells], None)
    return Written(tuple([_seat(mat) for mat in laid.mats]), heads)


def middle(laid: TableLaid, endless: Endless = ()) -> Iterator[Written]:
    """The middle in its order: each grid alone, all else a line a part, a row of cards together a line."""
    for kind, group in groupby(laid.middle, key=_together):
        parts = list(group)
        if kind is GridLaid:
            yield from [_grid(part) for part in parts if isinstance(part, GridLaid)]
        elif isinstance(kind, Say):
            spots = joined([_spot(part) for part in parts if isinstance(part, CardsLaid)])
            yield from _gathered([] if spots is None else [(kind, spots)])
        else:
            yield from _gathered([line for part in parts if (line := _part(part, endless)) is not None])


def rest(laid: TableLaid, endless: Endless = ()) -> Iterator[Written]:
    """What the scene doesn't name, place by place, of seats and of nobody; a place of a grid as it says."""
    held: dict[Place, list[Holding]] = {}
    for one in (one for whose in (*[mat.rest for mat in laid.mats], laid.rest) for one in whose):
        held.setdefault(one.place, []).append(one)
    in_grids = dict(_places_in(laid))
    yield from _gathered(
        [
            (
                in_grids.get(place, place),
                pieces(
                    [(one.piece, one.count) for one in there],
                    [piece for at, piece in endless if at == place],
                ),
            )
            for place, there in held.items()
        ]
    )


def _places_in(laid: TableLaid) -> Iterator[tuple[Place, Labelled]]:
    """The places whose numbers stand in a grid, each as its line is called."""
    grids = [part for part in laid.middle if isinstance(part, GridLaid)]
    for label, cells in [line for grid in grids for line in grid.lines]:
        for about, seat in [cell.told for cell in cells if cell is not None and cell.told]:
            if isinstance(about, Place):
                yield Place(about.what, seat, about.slot), say("{seat}, {line}", seat=seat, line=label)


def pieces(held: Sequence[tuple[Piece, int | None]], endless: Collection[Piece] = ()) -> Labelled | None:
    """`leader · 2 points · daughter 4, 5, 9`: what differs only in its number is named once.

    Of what is `endless` there are ∞.
    """
    parts: list[tuple[Say, list[int]]] = []
    known = [(piece, count) for piece, count in held if count is not None]
    covered = [piece for piece, count in held if count is None]
    for piece, count in known:
        many = ENDLESS if piece in endless else count
        label = piece.label if many == 1 else piece.quantity(many)
        number = number_in(piece) if many == 1 and len(label.args) == 1 else None
        if number is not None and parts and parts[-1][1] and parts[-1][0].id == label.id:
            parts[-1][1].append(number)
        else:
            parts.append((label, [] if number is None else [number]))
    hidden = say("{piece}: hidden", piece=listed(covered)) if covered else None
    return joined([*[_numbered(label, numbers) for label, numbers in parts], hidden])


def number_in(piece: Piece) -> int | None:
    """The number that is part of a piece's name, as in "daughter 7"."""
    numbers = [arg for _, arg in piece.label.args if isinstance(arg, int)]
    return numbers[0] if len(numbers) == 1 else None


def joined(texts: Iterable[Labelled | None]) -> Labelled | None:
    """One after the other; nothing where there is none."""
    there = [text for text in texts if text is not None]
    return reduce(lambda one, other: say("{one} · {other}", one=one, other=other), there) if there else None


def value(shown: Value, of: int = 0) -> Labelled:
    """A number as people read it: `3`, `2/5` or hidden."""
    if shown is None:
        return HIDDEN
    if of:
        return literal(f"{shown}/{of}")
    return literal(f"{shown[0]}/{shown[1]}" if isinstance(shown, tuple) else str(shown))


def card(face: CardFace) -> Labelled:
    """A card by its name or what can be seen printed on it, never by its code."""
    spots = {spot.field: spot.value for spot in (face.big, *face.corners, *face.row) if spot}
    return face.card.label if NAME in face.card.values or not spots else told(spots)


def cards(faces: Iterable[CardFace]) -> Labelled | None:
    """Open cards; those that look alike are named once."""
    alike = Counter(card(face) for face in faces)
    return joined([text if count == 1 else _copies(text, count) for text, count in alike.items()])


def _gathered(lines: Sequence[tuple[Labelled | None, ...]]) -> Iterator[Written]:
    """A table of these lines; neighbours of one name are one line."""
    together: list[tuple[Labelled | None, ...]] = []
    for name, *texts in lines:
        if together and together[-1][0] == name:
            together[-1] = (name, joined([*together[-1][1:], *texts]))
        else:
            together.append((name, *texts))
    if together:
        yield Written(tuple(together))


def _numbers(mat: MatLaid) -> list[NumberLaid]:
    return [number for number in (mat.hero, *mat.cells) if number is not None]


def _seat(mat: MatLaid) -> tuple[Labelled | None, ...]:
    marks = [label for label, _ in mat.badges]
    own = joined([*marks, *[_row(row) for row in mat.rows]])
    return (mat.seat, *[value(number.value, number.of) for number in _numbers(mat)], own)


def _grid(grid: GridLaid) -> Written:
    lines = [
        (label, *[NOTHING if one is None else value(one.value, one.of) for one in numbers])
        for label, numbers in grid.lines
    ]
    return Written(tuple(lines), (None, *grid.heads))


def _part(part: PartLaid, endless: Endless) -> tuple[Labelled, Labelled | None] | None:
    """What it is called and what is there; None where nothing is."""
    match part:
        case CardsLaid():
            return _cards(part)
        case PileLaid():
            return part.label, value(part.count)
        case TrackLaid():
            return part.label, value(part.at, part.of)
        case LotsLaid():
            there = [(lot.piece, 1) for lot in part.lots if lot.owner is None and not lot.gone]
            return (part.label, pieces(there)) if there else None
        case RowLaid():
            things = _things(part, [piece for place, piece in endless if place == part.place])
            return None if things is None else (part.label or NOTHING, things)
        case NumberLaid():
            return part.name, value(part.value, part.of)
        case _:
            raise NotImplementedError(part)


def _together(part: PartLaid) -> object:
    """What is the same for parts that are written together: a table's lines, a row of cards by its place."""
    if isinstance(part, CardsLaid) and part.label is None:
        return part.place.what
    return GridLaid if isinstance(part, GridLaid) else None


def _spot(part: CardsLaid) -> Labelled | None:
    """`2: card + Ben's coin`: a card of a row under its number; what is in no row has none."""
    line, spot = _cards(part), part.place.slot
    if line is None or spot is None:
        return line and line[1]
    return say("{spot}: {things}", spot=spot, things=line[1])


def _cards(part: CardsLaid) -> tuple[Labelled, Labelled] | None:
    backs = [] if part.back is None or part.backs == 0 else [(part.back, part.backs)]
    on = [_row(one) if isinstance(one, RowLaid) else _labelled(one.name, value(one.value)) for one in part.on]
    there = [text for text in (cards(part.cards), pieces(backs), *on) if text is not None]
    if not there:
        return None
    return part.label or part.place, reduce(
        lambda one, other: say("{one} + {other}", one=one, other=other), there
    )


def _row(row: RowLaid) -> Labelled | None:
    """With its name, where it has one and anything lies there."""
    things = _things(row)
    return things if things is None or row.label is None else _labelled(row.label, things)


def _things(row: RowLaid, endless: Collection[Piece] = ()) -> Labelled | None:
    return joined([pieces(row.things, endless), cards(row.cards)])


def _labelled(label: Labelled, text: Labelled) -> Say:
    return say("{what}: {text}", what=label, text=text)


def _copies(card: Labelled, count: int) -> Say:
    return say("{count} × {card}", count=count, card=card)


def _numbered(label: Say, numbers: Sequence[int]) -> Say:
    """A piece's name once, with all the numbers."""
    if not numbers:
        return label
    ((name, _),) = label.args
    return Say(label.id, ((name, ", ".join(map(str, numbers))),))
