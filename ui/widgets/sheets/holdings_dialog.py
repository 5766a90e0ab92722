"""A dialog that lists all pieces in front of a player or on the table, each with its name."""

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
from ui.widgets.pieces.laid import select_holdings_to_show
from ui.widgets.pieces.marks import BadgeMark, Mark, PieceMark, StackMark
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS
from ui.widgets.pieces.worded import MAX_STACK_SHOWN_PIECE_BY_PIECE, make_holding_mark, piece_letter
from ui.widgets.sheets.overlays import Dialog

COLUMNS, ROWS = 2, 4


class HoldingsDialog(Dialog):
    """Dialog that lists holdings page by page in two columns, each with its place."""

    width_share = 0.94
    height_share = 0.96

    def __init__(self, view: View, holdings: Sequence[Holding], lang: str, **kwargs: Any) -> None:
        lines = [
            _build_line(view, line_holdings, lang)
            for line_holdings in _split_keeping_piles(view, select_holdings_to_show(holdings))
        ]
        pager = Pager(items=lines, cols=COLUMNS, rows=ROWS, between=theme.length.gap / 2, look="paper")
        super().__init__(body=pager, **kwargs)


def _split_keeping_piles(view: View, holdings: Sequence[Holding]) -> list[list[Holding]]:
    """Returns the holdings of each line: one holding, or all of a pile."""
    lines: list[list[Holding]] = []
    for holding in holdings:
        is_in_pile = holding.place in view.piles
        if is_in_pile and lines and lines[-1][0].place == holding.place:
            lines[-1].append(holding)
        else:
            lines.append([holding])
    return lines


def _build_line(view: View, holdings: Sequence[Holding], lang: str) -> Widget:
    """Builds a line: the piece with its number, and its name above the place's name."""
    holding, mark = holdings[0], _make_mark(view, holdings, lang)
    row = BoxLayout(spacing=theme.length.gap)
    place_name = render(holding.place.label if holding.place.slot_name else holding.place.name, lang)
    slot = (
        None if holding.place.slot_name else view.current_slot_by_place.get(holding.place, holding.place).slot
    )
    if slot is not None:
        place_name = f"{place_name} {slot}"
    if mark is not None:
        add_children(row, MarkWidget(mark, pos_hint={"center_y": 0.5}))
    is_only_placed = isinstance(mark, StackMark) or holding.count is None
    name = place_name if is_only_placed else _piece_text(holding, lang, counted=mark is not None)
    texts = ((name, "body"), (place_name, "quiet"))[: 1 if name == place_name else 2]
    labels = [FittedLabel(text=text, style=style) for text, style in texts]
    return add_children(row, add_children(BoxLayout(orientation="vertical"), *labels))


def _make_mark(view: View, holdings: Sequence[Holding], lang: str) -> Mark | None:
    """Returns the mark of a pile in its order, or of a piece with its number; None without a picture."""
    pile = view.piles.get(holdings[0].place, ())
    if 0 < len(pile) <= MAX_STACK_SHOWN_PIECE_BY_PIECE and all(
        piece.look in SOLID_PIECE_LOOKS for piece in pile
    ):
        return StackMark([PieceMark(piece, piece_letter(piece, lang)) for piece in pile])
    marks = (make_holding_mark(holding, lang) for holding in holdings if not holding.piece.is_card_face)
    return next((mark for mark in marks if not isinstance(mark, BadgeMark)), None)


def _piece_text(holding: Holding, lang: str, *, counted: bool) -> str:
    if counted or holding.count is None or holding.count == 1:
        return render(holding.piece, lang)
    return render(holding.piece.quantity_text(holding.count), lang)
