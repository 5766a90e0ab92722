"""The card that shows what has been decided, such as a battle or a sale, and who gains or loses what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.rules.scene_views import MatView
from companion.scenes import number_in_piece_name
from companion.session.view_changes import PublicMove
from companion.table.ledger import Piece
from companion.table.outcomes import Outcome
from companion.table.seats import Seat
from companion.texts import render
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.marks import (
    PAPER_TEXT_COLOURS,
    HorizontalGroup,
    Mark,
    TextMark,
    TokenMark,
    make_equal_width_digits_mark,
)
from ui.widgets.pieces.rows import MarkRows, flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.signs_of_change import format_signed_change
from ui.widgets.pieces.worded import has_picture, make_piece_mark, make_quiet_label_mark
from ui.widgets.sheets.overlays import MAX_NOTICE_LINES, TimedNotice

MAX_WINNERS_WITH_SIGN = 3
"""Most winners whose signs stand before the headline."""


class PlayerGains(NamedTuple):
    """What a player has gained or lost, as marks."""

    seat: Seat
    marks: Sequence[Mark]


def find_gains(
    moves: Iterable[PublicMove],
    mats: Iterable[MatView],
    changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]],
    lang: str,
) -> Iterator[PlayerGains]:
    """Yields what each player who has gained or lost something has more and less, as everybody sees it.

    Pieces that only moved among places of one player are left out, and so are markers, unless the player's
    panel counts them.
    """
    piece_moves = [move for move in moves if not move.piece.is_marker]
    for mat in mats:
        changes = _add_up(move for move in piece_moves if move.place.seat == mat.seat)
        marks = [_make_piece_gain_mark(piece, change, lang) for piece, change in changes.items() if change]
        for index, change in changes_by_seat.get(mat.seat, {}).items():
            if index >= 0 and mat.cells[index].label is not None and change not in changes.values():
                name = make_quiet_label_mark(mat.cells[index].name, lang, PAPER_TEXT_COLOURS)
                marks.append(
                    HorizontalGroup(name, _make_number_mark(format_signed_change(change)), gap_share=0.25)
                )
        if marks:
            yield PlayerGains(mat.seat, marks)


def _add_up(moves: Iterable[PublicMove]) -> dict[Piece, int]:
    changes: dict[Piece, int] = {}
    for move in moves:
        changes[move.piece] = changes.get(move.piece, 0) + move.difference
    return changes


def _make_piece_gain_mark(piece: Piece, change: int, lang: str) -> Mark:
    """Returns the picture of a piece with a sign such as +3, or a sign with the name of a piece."""
    mark = make_piece_mark(piece, lang, PAPER_TEXT_COLOURS)
    if has_picture(piece):
        return HorizontalGroup(mark, _make_number_mark(format_signed_change(change)), gap_share=0.12)
    sign = format_signed_change(change)[0]
    if abs(change) == 1:
        return HorizontalGroup(_make_number_mark(sign), mark, gap_share=0.12)
    return TextMark(f"{sign}{render(piece.quantity_text(abs(change)), lang)}", theme.INK)


def _make_number_mark(text: str) -> Mark:
    return make_equal_width_digits_mark(text, theme.INK)


class GainsList(AutoRedrawWidget):
    """A list of players, each with what the player has gained or lost."""

    def __init__(self, gains: Sequence[PlayerGains], **kwargs: Any) -> None:
        self._gains = gains
        super().__init__(size_hint_y=None, **kwargs)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [
            text
            for seat, marks in self._gains
            for text in (seat.name, *[mark.visible_text for mark in marks if mark.visible_text])
        ]

    def needed_height(self, width: float) -> float:
        """Returns the height of all players at a width."""
        return rows_height(self._rows(width), _line_height(), theme.length.gap * 0.5)

    def _rows(self, width: float) -> MarkRows:
        rows: list[list[Mark]] = []
        for seat, marks in self._gains:
            name = HorizontalGroup(TokenMark(seat), TextMark(seat.name, theme.INK), gap_share=0.25)
            rows += flow_into_rows([name, *marks], _line_height(), width, theme.length.space)
        return rows

    def draw(self) -> None:
        """Draws a row for each player, or more if one is too long."""
        gap = theme.length.space
        for placed in place_rows(
            self._rows(self.width), self.x, self.top, _line_height(), gap, theme.length.gap * 0.5
        ):
            placed.draw()


def _line_height() -> float:
    return theme.length.glyph * 1.2


class ResultCard(TimedNotice):
    """A card over the table: what has been decided, everything else that happened, and who gains what.

    `texts` are all sentences, with the headlines. `page_size` is the size of the page over which the card is.
    The card goes after `seconds`, or only at a touch if they are None.
    """

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        texts: Sequence[str],
        gains: Sequence[PlayerGains],
        page_size: tuple[float, float],
        lang: str,
        seconds: float | None,
    ) -> None:
        sizes = theme.length
        super().__init__(seconds, padding=sizes.margin)
        self.texts = texts
        headlines = [render(outcome.headline, lang) for outcome in outcomes]
        others = [text for text in texts if text not in headlines]
        width = page_size[0] - 4 * sizes.margin
        head = self._make_head(outcomes, headlines, width, lang)
        self.label = FittedLabel(
            text="\n".join(others), lines=MAX_NOTICE_LINES, line_height=1.0, valign="middle"
        )
        max_height = page_size[1] - 2 * sizes.margin
        rows: list[Widget] = [head]
        needed_height = head.height + 2 * sizes.margin
        if others:
            rows.append(self.label)
            needed_height += self._height_of_others(width) + sizes.gap
        gains_list = GainsList(gains)
        gains_list.height = gains_list.needed_height(width)
        # The panels have signs such as +37, too, so gains are left out if there is no room.
        if gains and needed_height + gains_list.height + sizes.gap <= max_height:
            rows.append(gains_list)
            needed_height += gains_list.height + sizes.gap
        sheet = PaperBoxLayout(
            padding=sizes.margin,
            spacing=sizes.gap,
            size_hint_y=None,
            height=min(needed_height, max_height),
            pos_hint={"center_y": 0.5},
        )
        add_children(self, add_children(sheet, *rows))

    def _make_head(
        self, outcomes: Sequence[Outcome], headlines: Sequence[str], width: float, lang: str
    ) -> BoxLayout:
        """Builds the head: a picture of the piece, or else the winners' signs, and the headlines."""
        sizes = theme.length
        pieces = [
            outcome.about
            for outcome in outcomes
            if outcome.about is not None
            and (has_picture(outcome.about) or number_in_piece_name(outcome.about) is not None)
        ]
        winners = list(dict.fromkeys(seat for outcome in outcomes for seat in outcome.winners))
        marks: list[Mark] = [make_piece_mark(piece, lang, PAPER_TEXT_COLOURS) for piece in pieces[:1]]
        marks = marks or [TokenMark(seat) for seat in winners[:MAX_WINNERS_WITH_SIGN]]
        picture = MarkWidget(HorizontalGroup(*marks), height=sizes.head, pos_hint={"center_y": 0.5})
        picture_width = picture.width + sizes.space if marks else 0.0
        self.headline = FittedLabel(
            text="\n".join(headlines), style="question", lines=MAX_NOTICE_LINES, line_height=1.0
        )
        needed = self.headline.min_height_at(width - picture_width) * sizes.note / sizes.smallest
        head = BoxLayout(spacing=sizes.space, size_hint_y=None, height=max(sizes.head, needed))
        return add_children(head, *([picture] if marks else []), self.headline)

    def _height_of_others(self, width: float) -> float:
        return float(self.label.min_height_at(width)) * theme.length.body / theme.length.smallest
