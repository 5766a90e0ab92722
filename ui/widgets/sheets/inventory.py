"""Everything that lies somewhere, piece by piece with its name: what a strip or the table opens into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import Holding, View
from companion.words import render
from ui import theme
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import FaceGlyph, Plate, Stack
from ui.widgets.pieces.laid import glyphs, visible
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
    one, shown = there[0], glyphs(seen, there, lang)[0]
    row = BoxLayout(spacing=theme.length.gap)
    place = render(one.place.label if one.place.called else one.place.what, lang)
    slot = None if one.place.called else seen.numbered.get(one.place, one.place).slot
    if slot is not None:
        place = f"{place} {slot}"
    is_drawn = not isinstance(shown, (Plate, FaceGlyph))
    if is_drawn:
        row.add_widget(shown)
        shown.pos_hint = {"center_y": 0.5}
    named = BoxLayout(orientation="vertical")
    name = place if isinstance(shown, Stack) or one.count is None else _called(one, lang, counted=is_drawn)
    for text, style in ((name, "body"), (place, "quiet"))[: 1 if name == place else 2]:
        named.add_widget(Writing(text=text, style=style))
    row.add_widget(named)
    return row


def _called(one: Holding, lang: str, *, counted: bool) -> str:
    name = render(one.piece, lang)
    return name if counted or one.count == 1 else f"{one.count} × {name}"
