"""Marks higher than a line: cards with the things on them, lots; and the steps of a track."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.cards import CardFace
from companion.rules.scene_views import CardSpreadView, CellView, LotRowView, LotView, RowView
from companion.scenes.text import describe_card, number_in_piece_name
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_box, inset_box
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.widgets.pieces.card import draw_open_card, min_width_for_card_name
from ui.widgets.pieces.marks import (
    CARD_WIDTH_TO_HEIGHT,
    FELT_TEXT_COLOURS,
    Mark,
    TextMark,
    WoodenTileMark,
    draw_small_card_back,
    make_digits_mark,
)
from ui.widgets.pieces.rows import flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.worded import (
    make_cell_mark,
    make_piece_mark,
    make_place_name_mark,
    make_row_marks,
    piece_letter,
)

SPREAD_CARD_HEIGHT_LINES = 3.4
"""Height in lines of a card with things on it."""
SLOT_CARD_HEIGHT_LINES = 2.0
"""Height in lines of a card in a numbered row."""
SUBJECT_LOT_SCALE = 1.3
"""Size of the lot that the question is about, relative to the others."""
LOT_GAP_SHARE = 0.14
"""Gap between lots, as a share of the line height."""
NAME_TO_LOTS_GAP_SHARE = 0.25
"""Gap between the name of the lots and the first lot, as a share of the line height."""
MAX_DRAWN_TRACK_STEPS = 12
"""Maximum number of a track's steps that are drawn.

A longer track is shown only as numbers.
"""
CARD_CONTENTS_WIDTH_LINES = 3.4
"""Width, in line heights, for the things on a card, which stand beside it."""


class CardSpreadMark(Mark):
    """Open cards and backs side by side, with their name above and the things on them beside.

    Several backs are one back with their number. A place without cards stays free.
    """

    def __init__(
        self, part: CardSpreadView, lang: str, *, has_name: bool = True, shows_contents: bool = True
    ) -> None:
        self._part, self._lang = part, lang
        self._contents: list[Mark] = []
        for one in part.on_top if shows_contents else ():
            self._contents += (
                make_row_marks(one, lang, FELT_TEXT_COLOURS)
                if isinstance(one, RowView)
                else [_make_content_mark(one, lang)]
            )
        name = _name(part, lang) if has_name else ""
        self._name = TextMark(name, FELT_TEXT_COLOURS.quiet, bold=False) if name else None
        has_back = part.back is not None and part.back_count != 0
        self._back = part.back if has_back else None
        many = "?" if part.back_count is None else str(part.back_count)
        self._many = (
            make_digits_mark(many, FELT_TEXT_COLOURS.normal) if has_back and part.back_count != 1 else None
        )
        self.height_in_lines = SPREAD_CARD_HEIGHT_LINES + (1 if self._name else 0)
        faces = [render(describe_card(face), lang) for face in part.open_cards]
        said = [
            name,
            *faces,
            self._many.visible_text if self._many else "",
            *(mark.visible_text for mark in self._contents),
        ]
        self.visible_text = " ".join(text for text in said if text)

    def _open_card_widths(self, line_height: float) -> list[float]:
        """How wide each open card is: no less than the name on it."""
        names = [min_width_for_card_name(face, self._lang) for face in self._part.open_cards]
        return [
            max(SPREAD_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT, name + 2 * theme.length.line)
            for name in names
        ]

    def _card_widths(self, line_height: float) -> list[float]:
        """Widths of the open cards and then the backs; without any card, the width of one place."""
        faces = self._open_card_widths(line_height)
        if self._back is None and faces:
            return faces
        many = self._many.width_at(line_height) + theme.length.gap if self._many else 0.0
        return [*faces, SPREAD_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT + many]

    def _contents_width(self, line_height: float) -> float:
        if not self._contents:
            return 0.0
        widest = max(mark.width_at(line_height) for mark in self._contents)
        return (
            max(
                widest,
                CARD_CONTENTS_WIDTH_LINES * line_height
                if len(self._contents) > SPREAD_CARD_HEIGHT_LINES
                else 0.0,
            )
            + theme.length.gap
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of the cards and the things on them, or of the name if it is wider."""
        gap = theme.length.gap
        cards = sum(wide + gap for wide in self._card_widths(line_height)) - gap
        name = self._name.width_at(line_height) if self._name else 0.0
        return max(cards + self._contents_width(line_height), name)

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Splits the cards into rows that fit.

        The name is above the first row, the things on the cards beside the last.
        """
        part, gap = self._part, theme.length.gap
        wides, room = (
            self._open_card_widths(line_height),
            max(max_width - self._contents_width(line_height), 0.0),
        )
        rows: list[list[CardFace]] = [[]]
        used = 0.0
        for face, wide in zip(part.open_cards, wides, strict=True):
            if rows[-1] and used + wide > room:
                rows.append([])
                used = 0.0
            rows[-1].append(face)
            used += wide + gap
        if self._back is not None and rows[-1] and used + self._card_widths(line_height)[-1] > room:
            rows.append([])
        if len(rows) == 1:
            return (self,)
        *firsts, last = (replace(part, open_cards=tuple(row)) for row in rows)
        shown = [replace(one, back=None, back_count=0) for one in firsts]
        return [
            *(
                CardSpreadMark(one, self._lang, has_name=not at, shows_contents=False)
                for at, one in enumerate(shown)
            ),
            CardSpreadMark(last, self._lang, has_name=False),
        ]

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the name, the cards below it and the things beside them."""
        part, gap, tall, wides = (
            self._part,
            theme.length.gap,
            SPREAD_CARD_HEIGHT_LINES * line_height,
            self._card_widths(line_height),
        )
        if self._name is not None:
            self._name.draw(x, y + tall, line_height)
        for face, wide in zip(part.open_cards, wides, strict=False):  # the last may be that of the backs
            draw_open_card(
                face,
                inset_box((x, y, wide, tall), theme.length.line),
                self._lang,
                is_highlighted=part.is_subject,
            )
            x += wide + gap
        if len(wides) > len(part.open_cards):
            self._draw_back((x, y, tall * CARD_WIDTH_TO_HEIGHT, tall), line_height)
            x += wides[-1] + gap
        rows = flow_into_rows(self._contents, line_height, self._contents_width(line_height), gap * 0.75)
        used = rows_height(rows, line_height, theme.length.line)
        for one in place_rows(rows, x, y + (tall + used) / 2, line_height, gap * 0.75, theme.length.line):
            one.draw()

    def _draw_back(self, spot: Box, line_height: float) -> None:
        """The back with how many there are, or the place of a card."""
        x, y, wide, tall = spot
        box = inset_box(spot, theme.length.line)
        if self._back is None:
            draw_border(
                theme.fade_colour(theme.QUIET, 0.4), box, theme.length.hair, theme.length.radius * 0.5
            )
            return
        draw_small_card_back(self._back.colour, box)
        if self._many is not None:
            self._many.draw(x + wide + theme.length.gap, y + (tall - line_height) / 2, line_height)


def _name(part: CardSpreadView, lang: str) -> str:
    """Returns the label and, in a numbered row, the number; without a label the place."""
    if part.label is None:
        return render(part.place, lang)
    number = [] if part.place.slot is None else [str(part.place.slot)]
    return " ".join([render(part.label, lang), *number])


def _make_content_mark(number: CellView, lang: str) -> Mark:
    return make_cell_mark(number, lang, FELT_TEXT_COLOURS)


class NumberedCardMark(Mark):
    """A single card of a numbered row, with its number on it and its contents below."""

    height_in_lines = SLOT_CARD_HEIGHT_LINES

    @staticmethod
    def can_show(part: CardSpreadView) -> bool:
        """Whether the mark can show all that lies in a part.

        One card at most has room, and only pieces on it.
        """
        if part.label is not None or part.back_count is None or len(part.open_cards) + part.back_count > 1:
            return False
        return all(isinstance(one, RowView) and not one.open_cards for one in part.on_top)

    def __init__(self, part: CardSpreadView, lang: str) -> None:
        self._part, self._lang = part, lang
        things = [row.counted_pieces for row in part.on_top if isinstance(row, RowView)]
        self._contents = [
            (make_piece_mark(piece, lang, FELT_TEXT_COLOURS), count or 0)
            for each in things
            for piece, count in each
        ]
        self.visible_text = " ".join(
            [str(part.place.slot), *(f"{count} {mark.visible_text}" for mark, count in self._contents)]
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of a card."""
        return SLOT_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card, its number at the top and the pieces on it below."""
        part, wide, tall = (
            self._part,
            SLOT_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT,
            SLOT_CARD_HEIGHT_LINES * line_height,
        )
        box = inset_box((x, y, wide, tall), theme.length.hair)
        if part.open_cards:
            draw_open_card(part.open_cards[0], box, self._lang, is_highlighted=part.is_subject)
        else:
            draw_small_card_back(part.back.colour if part.back else "", box)
        size = max(theme.length.smallest, line_height * 0.66)
        fill_box(
            theme.FELT_DARK,
            (x + wide / 2 - size * 0.6, y + tall - size * 1.15, size * 1.2, size * 1.1),
            size / 2,
        )
        draw_text(str(part.place.slot), (x + wide / 2, y + tall - size * 0.6), size, theme.PAPER, theme.MONEY)
        self._draw_contents(x, y, wide, line_height)

    def _draw_contents(self, x: float, y: float, wide: float, line_height: float) -> None:
        side = min(wide / max(1, len(self._contents)), line_height * 0.9)
        left = x + (wide - side * len(self._contents)) / 2
        for mark, count in self._contents:
            mark.draw(left, y + theme.length.line, side)
            if count > 1:
                size = theme.length.smallest
                draw_text(
                    str(count),
                    (left + side / 2, y + theme.length.line + side / 2),
                    size,
                    theme.INK,
                    theme.MONEY,
                )
            left += side


class LotsMark(Mark):
    """Mark of lots in a row.

    The lot that the question is about is larger. The name of the row is left out first if room is short.
    """

    height_in_lines = SUBJECT_LOT_SCALE

    def __init__(self, part: LotRowView, lang: str, *, has_name: bool = True) -> None:
        self._part, self._lang = part, lang
        self._name = make_place_name_mark(part.label, lang, FELT_TEXT_COLOURS) if has_name else None
        self._lots = [
            (_make_lot_tile(lot, lang), SUBJECT_LOT_SCALE if lot.is_subject else 1.0) for lot in part.lots
        ]
        name = [self._name.visible_text] if self._name else []
        self.visible_text = " ".join([*name, *(one.visible_text for one, _ in self._lots)])

    def _name_width(self, line_height: float) -> float:
        return self._name.width_at(line_height) + NAME_TO_LOTS_GAP_SHARE * line_height if self._name else 0.0

    def width_at(self, line_height: float) -> float:
        """Returns the width of the name and all lots, one of them larger."""
        small = sum(one.width_at(line_height) for one, _ in self._lots) + LOT_GAP_SHARE * line_height * (
            len(self._lots) - 1
        )
        larger = max(
            (
                one.width_at(line_height * SUBJECT_LOT_SCALE) - one.width_at(line_height)
                for one, _ in self._lots
            ),
            default=0.0,
        )
        return self._name_width(line_height) + small + larger

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns the lots without their name, in as many rows as they need."""
        bare = LotsMark(self._part, self._lang, has_name=False)
        rows: list[list[LotView]] = [[]]
        for lot in self._part.lots:
            if rows[-1] and self._of([*rows[-1], lot]).width_at(line_height) > max_width:
                rows.append([])
            rows[-1].append(lot)
        return [self._of(row) for row in rows] if len(rows) > 1 else (bare,)

    def _of(self, lots: Sequence[LotView]) -> LotsMark:
        return LotsMark(replace(self._part, lots=tuple(lots)), self._lang, has_name=False)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the lots from the left, with their middles on one line."""
        if self._name is not None:
            self._name.draw(x, y + line_height * (SUBJECT_LOT_SCALE - 1) / 2, line_height)
            x += self._name_width(line_height)
        for one, share in self._lots:
            one.draw(x, y + line_height * (SUBJECT_LOT_SCALE - share) / 2, line_height * share)
            x += one.width_at(line_height * share) + LOT_GAP_SHARE * line_height


def _make_lot_tile(lot: LotView, lang: str) -> WoodenTileMark:
    number = number_in_piece_name(lot.piece)
    text = str(number) if number is not None else piece_letter(lot.piece, lang) or render(lot.piece, lang)
    owner = lot.owner.colour if lot.owner is not None else ""
    return WoodenTileMark(text, is_highlighted=lot.is_subject, is_gone=lot.is_gone, owner_colour=owner)


class TrackMark(Mark):
    """Mark of the position on a track, such as `3/10`.

    If the track has few steps each is drawn.
    """

    def __init__(self, position: int, step_count: int) -> None:
        self._position, self._step_count = position, step_count
        self.visible_text = f"{position}/{step_count}"

    def width_at(self, line_height: float) -> float:
        """Returns the width of the numbers and the steps."""
        steps = (
            self._step_count * line_height * 0.34 + line_height * 0.3
            if self._step_count <= MAX_DRAWN_TRACK_STEPS
            else 0.0
        )
        return measure_text_width(self.visible_text, self._size(line_height), theme.MONEY) + steps

    def _size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * 0.8)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the numbers and the steps; those passed are brass."""
        wide = measure_text_width(self.visible_text, self._size(line_height), theme.MONEY)
        draw_text(
            self.visible_text,
            (x + wide / 2, y + line_height / 2),
            self._size(line_height),
            theme.PAPER,
            theme.MONEY,
        )
        if self._step_count > MAX_DRAWN_TRACK_STEPS:
            return
        side, x = line_height * 0.24, x + wide + line_height * 0.3
        for step in range(self._step_count):
            box = (x + step * line_height * 0.34, y + (line_height - side) / 2, side, side)
            fill_box(
                theme.BRASS if step < self._position else theme.fade_colour(theme.QUIET, 0.35), box, side / 2
            )
