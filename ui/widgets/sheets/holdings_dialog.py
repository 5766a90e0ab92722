"""Everything that lies somewhere, piece by piece with its name: what a strip or the table opens into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import Holding, View
from companion.texts import render
from ui import theme
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import Glyph
from ui.widgets.pieces.laid import visible
from ui.widgets.pieces.marks import Mark, Picture, Plaque, Stacked
from ui.widgets.pieces.things import THINGS
from ui.widgets.pieces.worded import WHOLE, lying, sign
from ui.widgets.sheets.dialog import Dialog

COLUMNS, ROWS = 2, 4


class Inventory(Dialog):
    """Two columns of pieces, page by page, each with the place where it lies."""

    wide = 0.94
    tall = 0.96

    def __init__(self, seen: View, held: Sequence[Holding], lang: str, **kwargs: Any) -> None:
        lines = [_line(seen, there, lang) for there in _apart(seen, visible(held))]
        pager = Pager(things=lines, cols=COLUMNS, rows=ROWS, between=theme.length.gap / 2, look="paper")
        super().__init__(body=pager, **kwargs)


def _apart(seen: View, held: Sequence[Holding]) -> list[list[Holding]]:
    """Each holding by itself, but a pile as a whole."""
    lines: list[list[Holding]] = []
    for one in held:
        pile = one.place in seen.piles
        if pile and lines and lines[-1][0].place == one.place:
            lines[-1].append(one)
        else:
            lines.append([one])
    return lines


def _line(seen: View, there: Sequence[Holding], lang: str) -> Widget:
    """The piece with its number, then its name over that of the place."""
    one, shown = there[0], _picture(seen, there, lang)
    row = BoxLayout(spacing=theme.length.gap)
    place = render(one.place.label if one.place.slot_name else one.place.name, lang)
    slot = None if one.place.slot_name else seen.slots.get(one.place, one.place).slot
    if slot is not None:
        place = f"{place} {slot}"
    if shown is not None:
        put(row, Glyph(shown, pos_hint={"center_y": 0.5}))
    is_only_placed = isinstance(shown, Stacked) or one.count is None
    name = place if is_only_placed else _called(one, lang, counted=shown is not None)
    texts = ((name, "body"), (place, "quiet"))[: 1 if name == place else 2]
    named = [Writing(text=text, style=style) for text, style in texts]
    return put(row, put(BoxLayout(orientation="vertical"), *named))


def _picture(seen: View, there: Sequence[Holding], lang: str) -> Mark | None:
    """The piece with its number, or a pile in its order; None for what has nothing but a name."""
    pile = seen.piles.get(there[0].place, ())
    if 0 < len(pile) <= WHOLE and all(piece.look in THINGS for piece in pile):
        return Stacked([Picture(piece, sign(piece, lang)) for piece in pile])
    shown = (lying(one, lang) for one in there if not one.piece.is_face)
    return next((mark for mark in shown if not isinstance(mark, Plaque)), None)


def _called(one: Holding, lang: str, *, counted: bool) -> str:
    if counted or one.count is None or one.count == 1:
        return render(one.piece, lang)
    return render(one.piece.quantity(one.count), lang)
