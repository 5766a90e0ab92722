"""Marks of cards with the things on them, of lots, and of the steps of a track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.cards import CardFace
from companion.rules.scene_views import CardSpreadView, LotRowView, LotView, RowView
from companion.scenes import describe_card, number_in_piece_name
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box, inset_box
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.widgets.pieces.card import draw_open_card, min_width_for_card_name
from ui.widgets.pieces.marks import (
    CARD_WIDTH_TO_HEIGHT,
    FELT_TEXT_COLOURS,
    SUBJECT_SCALE,
    CompositeMark,
    DigitsMark,
    Mark,
    PlacedMark,
    TableLabelMark,
    WoodenTileMark,
    draw_small_card_back,
)
from ui.widgets.pieces.rows import flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.worded import (
    make_cell_mark,
    make_piece_mark,
    make_piece_row_marks,
    make_quiet_label_mark,
    piece_letter,
)

SPREAD_CARD_HEIGHT_LINES = 3.4
"""Height of a card with things on it, in lines."""
NUMBERED_CARD_HEIGHT_LINES = 2.0
"""Height of a card in a numbered row, in lines."""
PIECE_ON_CARD_SIZE_LINES = 0.9
"""Size of a piece on a card in a numbered row, in lines."""
LOT_GAP_SHARE = 0.14
"""Gap between lots, as a share of the line height."""
NAME_TO_LOTS_GAP_SHARE = 0.25
"""Gap between the name of the lots and the first lot, as a share of the line height."""
MAX_DRAWN_TRACK_STEPS = 12
"""Maximum number of steps of a track that are drawn; a longer track is shown only as numbers."""
THINGS_ON_CARD_WIDTH_LINES = 3.4
"""Width, in line heights, for the things on a card, which stand beside it."""


class _CardsMark(Mark):
    """Mark of the open cards and backs of a spread side by side, or of the outline of a card."""

    height_in_lines = SPREAD_CARD_HEIGHT_LINES

    def __init__(self, part: CardSpreadView, lang: str) -> None:
        self._part, self._lang = part, lang
        has_back = part.back is not None and part.back_count != 0
        self.back = part.back if has_back else None
        count_text = "?" if part.back_count is None else str(part.back_count)
        self._back_count_mark = (
            DigitsMark(count_text, FELT_TEXT_COLOURS.normal) if has_back and part.back_count != 1 else None
        )
        self.visible_text = self._back_count_mark.visible_text if self._back_count_mark else ""

    def width_at(self, line_height: float) -> float:
        """Returns the width of the cards with the gaps between them."""
        gap = theme.length.gap
        return sum(card_width + gap for card_width in self.card_widths(line_height)) - gap

    def open_card_widths(self, line_height: float) -> list[float]:
        """Returns the width of each open card, on which its name fits."""
        name_widths = [min_width_for_card_name(face, self._lang) for face in self._part.open_cards]
        return [
            max(
                SPREAD_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT,
                name_width + 2 * theme.length.line,
            )
            for name_width in name_widths
        ]

    def card_widths(self, line_height: float) -> list[float]:
        """Returns the widths of the open cards and then the backs; without any card, the width of a place."""
        faces = self.open_card_widths(line_height)
        if self.back is None and faces:
            return faces
        count_width = (
            self._back_count_mark.width_at(line_height) + theme.length.gap if self._back_count_mark else 0.0
        )
        return [*faces, SPREAD_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT + count_width]

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the open cards, then the backs."""
        part, gap, card_height, card_widths = (
            self._part,
            theme.length.gap,
            SPREAD_CARD_HEIGHT_LINES * line_height,
            self.card_widths(line_height),
        )
        for face, card_width in zip(
            part.open_cards, card_widths, strict=False
        ):  # the last width may be that of the backs
            draw_open_card(
                face,
                inset_box((x, y, card_width, card_height), theme.length.line),
                self._lang,
                is_highlighted=part.is_subject,
            )
            x += card_width + gap
        if len(card_widths) > len(part.open_cards):
            self._draw_back((x, y, card_height * CARD_WIDTH_TO_HEIGHT, card_height), line_height)

    def _draw_back(self, card_box: Box, line_height: float) -> None:
        """Draws the back and the number of backs, or the outline of a card."""
        x, y, width, height = card_box
        box = inset_box(card_box, theme.length.line)
        if self.back is None:
            draw_border(
                theme.multiply_opacity(theme.QUIET, 0.4), box, theme.length.hair, theme.length.radius * 0.5
            )
            return
        draw_small_card_back(self.back.colour, box)
        if self._back_count_mark is not None:
            self._back_count_mark.draw(
                x + width + theme.length.gap, y + (height - line_height) / 2, line_height
            )


class CardSpreadMark(CompositeMark):
    """Mark of open cards and backs side by side, with the name above and the things on the cards beside.

    Several backs are one back with their number. A place without cards has the outline of a card.
    """

    def __init__(
        self, part: CardSpreadView, lang: str, *, has_name: bool = True, shows_contents: bool = True
    ) -> None:
        self._part, self._lang = part, lang
        self._contents: list[Mark] = []
        for content in part.on_top if shows_contents else ():
            self._contents += (
                make_piece_row_marks(content, lang, FELT_TEXT_COLOURS)
                if isinstance(content, RowView)
                else [make_cell_mark(content, lang, FELT_TEXT_COLOURS)]
            )
        name = _name_mark(part, lang) if has_name else ""
        self._name_mark = TableLabelMark(name, FELT_TEXT_COLOURS.quiet, bold=False) if name else None
        self._cards = _CardsMark(part, lang)
        self.height_in_lines = SPREAD_CARD_HEIGHT_LINES + (1 if self._name_mark else 0)
        faces = [render(describe_card(face), lang) for face in part.open_cards]
        texts = [
            name,
            *faces,
            self._cards.visible_text,
            *(mark.visible_text for mark in self._contents),
        ]
        self.visible_text = " ".join(text for text in texts if text)

    def _contents_width(self, line_height: float) -> float:
        if not self._contents:
            return 0.0
        max_width = max(mark.width_at(line_height) for mark in self._contents)
        return (
            max(
                max_width,
                THINGS_ON_CARD_WIDTH_LINES * line_height
                if len(self._contents) > SPREAD_CARD_HEIGHT_LINES
                else 0.0,
            )
            + theme.length.gap
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of the cards and the things on them, or of the name if it is wider."""
        cards_width = self._cards.width_at(line_height)
        name_width = self._name_mark.width_at(line_height) if self._name_mark else 0.0
        return max(cards_width + self._contents_width(line_height), name_width)

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns marks with some of the cards each, as rows that fit.

        The name is above the first row, the things on the cards are beside the last row.
        """
        part, gap = self._part, theme.length.gap
        card_widths, available_width = (
            self._cards.open_card_widths(line_height),
            max(max_width - self._contents_width(line_height), 0.0),
        )
        rows: list[list[CardFace]] = [[]]
        used_width = 0.0
        for face, card_width in zip(part.open_cards, card_widths, strict=True):
            if rows[-1] and used_width + card_width > available_width:
                rows.append([])
                used_width = 0.0
            rows[-1].append(face)
            used_width += card_width + gap
        if (
            self._cards.back is not None
            and rows[-1]
            and used_width + self._cards.card_widths(line_height)[-1] > available_width
        ):
            rows.append([])
        if len(rows) == 1:
            return (self,)
        *first_parts, last_part = (replace(part, open_cards=tuple(row)) for row in rows)
        parts_without_back = [
            replace(part_without_back, back=None, back_count=0) for part_without_back in first_parts
        ]
        return [
            *(
                CardSpreadMark(part_without_back, self._lang, has_name=not index, shows_contents=False)
                for index, part_without_back in enumerate(parts_without_back)
            ),
            CardSpreadMark(last_part, self._lang, has_name=False),
        ]

    def place_parts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields the name, the cards below it and the things beside them."""
        gap, card_height = theme.length.gap, SPREAD_CARD_HEIGHT_LINES * line_height
        if self._name_mark is not None:
            yield PlacedMark(self._name_mark, x, y + card_height, line_height)
        yield PlacedMark(self._cards, x, y, line_height)
        x += self._cards.width_at(line_height) + gap
        rows = flow_into_rows(self._contents, line_height, self._contents_width(line_height), gap * 0.75)
        contents_height = rows_height(rows, line_height, theme.length.line)
        top = y + (card_height + contents_height) / 2
        yield from place_rows(rows, x, top, line_height, gap * 0.75, theme.length.line)


def _name_mark(part: CardSpreadView, lang: str) -> str:
    """Returns the label, with the number in a numbered row, or the place's name if there is no label."""
    if part.label is None:
        return render(part.place, lang)
    number = [] if part.place.slot is None else [str(part.place.slot)]
    return " ".join([render(part.label, lang), *number])


class CardInNumberedRowMark(Mark):
    """Mark of a single card of a numbered row, with the number and the pieces on it."""

    height_in_lines = NUMBERED_CARD_HEIGHT_LINES

    @staticmethod
    def is_at_most_one_card_with_pieces(part: CardSpreadView) -> bool:
        """True if the part is at most one card of a numbered row, with only pieces on it.

        The mark can show the whole of such a part.
        """
        if part.label is not None or part.back_count is None or len(part.open_cards) + part.back_count > 1:
            return False
        return all(isinstance(content, RowView) and not content.open_cards for content in part.on_top)

    def __init__(self, part: CardSpreadView, lang: str) -> None:
        self._part, self._lang = part, lang
        counted_pieces_by_row = [row.counted_pieces for row in part.on_top if isinstance(row, RowView)]
        self._contents = [
            (make_piece_mark(piece, lang, FELT_TEXT_COLOURS), count or 0)
            for counted_pieces in counted_pieces_by_row
            for piece, count in counted_pieces
        ]
        self.visible_text = " ".join(
            [str(part.place.slot), *(f"{count} {mark.visible_text}" for mark, count in self._contents)]
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of a card, or of the pieces on it, which may stand out."""
        pieces_width = len(self._contents) * self.piece_size_at(line_height)
        return max(self._card_width_at(line_height), pieces_width)

    @staticmethod
    def piece_size_at(line_height: float) -> float:
        """Returns the width of each piece on the card."""
        return line_height * PIECE_ON_CARD_SIZE_LINES

    @staticmethod
    def _card_width_at(line_height: float) -> float:
        return NUMBERED_CARD_HEIGHT_LINES * line_height * CARD_WIDTH_TO_HEIGHT

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the card, with its number at the top and the pieces at the bottom."""
        part, width, height = (
            self._part,
            self._card_width_at(line_height),
            NUMBERED_CARD_HEIGHT_LINES * line_height,
        )
        contents_x, x = x, x + (self.width_at(line_height) - width) / 2
        box = inset_box((x, y, width, height), theme.length.hair)
        if part.open_cards:
            draw_open_card(part.open_cards[0], box, self._lang, is_highlighted=part.is_subject)
        else:
            draw_small_card_back(part.back.colour if part.back else "", box)
        size = max(theme.length.smallest, line_height * 0.66)
        fill_rounded_box(
            theme.FELT_DARK,
            (x + width / 2 - size * 0.6, y + height - size * 1.15, size * 1.2, size * 1.1),
            size / 2,
        )
        draw_text(
            str(part.place.slot),
            (x + width / 2, y + height - size * 0.6),
            size,
            theme.PAPER,
            theme.MONEY_FONT,
        )
        self._draw_contents(contents_x, y, line_height)

    def _draw_contents(self, x: float, y: float, line_height: float) -> None:
        side = self.piece_size_at(line_height)
        left = x + (self.width_at(line_height) - side * len(self._contents)) / 2
        for mark, count in self._contents:
            mark.draw(left, y + theme.length.line, side)
            if count > 1:
                size = theme.length.smallest
                draw_text(
                    str(count),
                    (left + side / 2, y + theme.length.line + side / 2),
                    size,
                    theme.INK,
                    theme.MONEY_FONT,
                )
            left += side


class LotsMark(Mark):
    """Mark of lots in a row; the lot that the question is about is larger.

    If room is short, the name of the row is left out first.
    """

    height_in_lines = SUBJECT_SCALE

    def __init__(self, part: LotRowView, lang: str, *, has_name: bool = True) -> None:
        self._part, self._lang = part, lang
        self._name_mark = make_quiet_label_mark(part.label, lang, FELT_TEXT_COLOURS) if has_name else None
        self._lots = [
            (_make_lot_tile(lot, lang), SUBJECT_SCALE if lot.is_subject else 1.0) for lot in part.lots
        ]
        name = [self._name_mark.visible_text] if self._name_mark else []
        self.visible_text = " ".join([*name, *(tile.visible_text for tile, _ in self._lots)])

    def _name_width(self, line_height: float) -> float:
        return (
            self._name_mark.width_at(line_height) + NAME_TO_LOTS_GAP_SHARE * line_height
            if self._name_mark
            else 0.0
        )

    def width_at(self, line_height: float) -> float:
        """Returns the width of the name and all lots, with room for one larger lot."""
        return self._name_width(line_height) + _lots_width(self._lot_widths(line_height), line_height)

    def _lot_widths(self, line_height: float) -> list[tuple[float, float]]:
        """Returns the width of each lot: the usual one, and that of the lot that the question is about."""
        return [
            (tile.width_at(line_height), tile.width_at(line_height * SUBJECT_SCALE)) for tile, _ in self._lots
        ]

    def split_to_fit(self, line_height: float, max_width: float) -> Sequence[Mark]:
        """Returns the lots without a name, in as many marks as rows are needed."""
        rows: list[list[LotView]] = [[]]
        row_widths: list[tuple[float, float]] = []
        for lot, widths in zip(self._part.lots, self._lot_widths(line_height), strict=True):
            if rows[-1] and _lots_width([*row_widths, widths], line_height) > max_width:
                rows.append([])
                row_widths = []
            rows[-1].append(lot)
            row_widths.append(widths)
        return [LotsMark(replace(self._part, lots=tuple(row)), self._lang, has_name=False) for row in rows]

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the lots from the left, with their middles on one line."""
        if self._name_mark is not None:
            self._name_mark.draw(x, y + line_height * (SUBJECT_SCALE - 1) / 2, line_height)
            x += self._name_width(line_height)
        for tile, scale in self._lots:
            tile.draw(x, y + line_height * (SUBJECT_SCALE - scale) / 2, line_height * scale)
            x += tile.width_at(line_height * scale) + LOT_GAP_SHARE * line_height


def _lots_width(widths: Sequence[tuple[float, float]], line_height: float) -> float:
    """Returns the width of lots beside each other, each of which may be the larger one."""
    usual_width = sum(width for width, _ in widths) + LOT_GAP_SHARE * line_height * (len(widths) - 1)
    return usual_width + max((larger_width - width for width, larger_width in widths), default=0.0)


def _make_lot_tile(lot: LotView, lang: str) -> WoodenTileMark:
    number = number_in_piece_name(lot.piece)
    text = str(number) if number is not None else piece_letter(lot.piece, lang) or render(lot.piece, lang)
    owner = lot.owner.colour if lot.owner is not None else ""
    return WoodenTileMark(text, is_highlighted=lot.is_subject, is_gone=lot.is_gone, owner_colour=owner)


class TrackMark(Mark):
    """Mark of the position on a track, such as `3/10`; each step of a short track is drawn."""

    def __init__(self, position: int, step_count: int) -> None:
        self._position, self._step_count = position, step_count
        self.visible_text = f"{position}/{step_count}"

    def width_at(self, line_height: float) -> float:
        """Returns the width of the numbers and the steps."""
        steps_width = (
            self._step_count * line_height * 0.34 + line_height * 0.3
            if self._step_count <= MAX_DRAWN_TRACK_STEPS
            else 0.0
        )
        return measure_text_width(self.visible_text, self._size(line_height), theme.MONEY_FONT) + steps_width

    def _size(self, line_height: float) -> float:
        return max(theme.length.smallest, line_height * 0.8)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the numbers and the steps; the steps up to the position are brass."""
        text_width = measure_text_width(self.visible_text, self._size(line_height), theme.MONEY_FONT)
        draw_text(
            self.visible_text,
            (x + text_width / 2, y + line_height / 2),
            self._size(line_height),
            theme.PAPER,
            theme.MONEY_FONT,
        )
        if self._step_count > MAX_DRAWN_TRACK_STEPS:
            return
        side, x = line_height * 0.24, x + text_width + line_height * 0.3
        for step in range(self._step_count):
            box = (x + step * line_height * 0.34, y + (line_height - side) / 2, side, side)
            fill_rounded_box(
                theme.BRASS if step < self._position else theme.multiply_opacity(theme.QUIET, 0.35),
                box,
                side / 2,
            )
