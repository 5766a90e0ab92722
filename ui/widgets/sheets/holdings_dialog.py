"""Lists all pieces in front of a player or on the table, each with its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import Holding, View
from companion.texts import render
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.laid import visible_holdings
from ui.widgets.pieces.marks import BadgeMark, Mark, PieceMark, StackMark
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS
from ui.widgets.pieces.worded import MAX_STACK_SHOWN_PIECE_BY_PIECE, make_holding_mark, piece_letter
from ui.widgets.sheets.dialog import Dialog

COLUMNS, ROWS = 2, 4


class HoldingsDialog(Dialog):
    """Dialog that lists holdings page by page in two columns, each with its place."""

    width_share = 0.94
    height_share = 0.96

    def __init__(self, view: View, holdings: Sequence[Holding], lang: str, **kwargs: Any) -> None:
        lines = [_line(view, there, lang) for there in _split_keeping_piles(view, visible_holdings(holdings))]
        pager = Pager(items=lines, cols=COLUMNS, rows=ROWS, between=theme.length.gap / 2, look="paper")
        super().__init__(body=pager, **kwargs)


def _split_keeping_piles(view: View, holdings: Sequence[Holding]) -> list[list[Holding]]:
    """Returns each holding by itself, but a pile as a whole."""
    lines: list[list[Holding]] = []
    for one in holdings:
        pile = one.place in view.piles
        if pile and lines and lines[-1][0].place == one.place:
            lines[-1].append(one)
        else:
            lines.append([one])
    return lines


def _line(view: View, holdings: Sequence[Holding], lang: str) -> Widget:
    """Builds a line: the piece with its number, then its name above that of the place."""
    one, shown = holdings[0], _picture(view, holdings, lang)
    row = BoxLayout(spacing=theme.length.gap)
    place = render(one.place.label if one.place.slot_name else one.place.name, lang)
    slot = None if one.place.slot_name else view.current_slots.get(one.place, one.place).slot
    if slot is not None:
        place = f"{place} {slot}"
    if shown is not None:
        add_children(row, MarkWidget(shown, pos_hint={"center_y": 0.5}))
    is_only_placed = isinstance(shown, StackMark) or one.count is None
    name = place if is_only_placed else _piece_text(one, lang, counted=shown is not None)
    texts = ((name, "body"), (place, "quiet"))[: 1 if name == place else 2]
    named = [FittedLabel(text=text, style=style) for text, style in texts]
    return add_children(row, add_children(BoxLayout(orientation="vertical"), *named))


def _picture(view: View, holdings: Sequence[Holding], lang: str) -> Mark | None:
    """The piece with its number, or a pile in its order; None for what has nothing but a name."""
    pile = view.piles.get(holdings[0].place, ())
    if 0 < len(pile) <= MAX_STACK_SHOWN_PIECE_BY_PIECE and all(
        piece.look in SOLID_PIECE_LOOKS for piece in pile
    ):
        return StackMark([PieceMark(piece, piece_letter(piece, lang)) for piece in pile])
    shown = (make_holding_mark(one, lang) for one in holdings if not one.piece.is_card_face)
    return next((mark for mark in shown if not isinstance(mark, BadgeMark)), None)


def _piece_text(holding: Holding, lang: str, *, counted: bool) -> str:
    if counted or holding.count is None or holding.count == 1:
        return render(holding.piece, lang)
    return render(holding.piece.quantity_text(holding.count), lang)
