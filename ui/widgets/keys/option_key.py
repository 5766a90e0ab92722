"""A key for one of several options, with a picture of what it is about."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.cards import CardFace
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.line_breaking import widest_phrase_width, widest_word_width
from ui.widgets.drawing.surfaces import Box, inset_box
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import TEXT_STYLES, draw_text, measure_text_width, wrap_at_size
from ui.widgets.keys.key import Key
from ui.widgets.pieces.card import draw_open_card
from ui.widgets.pieces.marks import CARD_WIDTH_TO_HEIGHT, PAPER_TEXT_COLOURS
from ui.widgets.pieces.worded import make_piece_mark

MAX_TEXT_LINES, MAX_DETAIL_LINES = 3, 2
"""Lines that the text and the detail below it may take."""
TEXT_LINE_HEIGHT_EM, DETAIL_LINE_HEIGHT_EM = 1.03, 1.15
"""Heights of a line of the text and of the detail, in smallest font sizes."""
EMBLEM_LETTER_SHARE = 0.9
"""Size of an emblem's letter, as a share of the room for it."""
PIECES_ROW_HEIGHT_EM = 1.4
"""Height of the row of the number and the pieces, in smallest font sizes."""
MIN_WIDTH_WITH_BEGINNING_TARGETS, MAX_BEGINNING_LINES = 2.0, 2
"""The least width, in targets, of a key with a player's piece and the beginning of a name, and its lines."""
TEXT_MARGIN_LINE_WIDTHS = 2
"""Margin between the edge of a key's face and its text, in line widths."""


class OptionKey(Key):
    """Key for one of several options, with a picture of its subject at the left, text, price and detail.

    An option that can't be chosen looks disabled and says why in place of the detail, if there is room; a
    touch says it as well.
    """

    redraw_properties = (
        *Key.redraw_properties,
        "detail_text",
        "subject",
        "price_text",
        "emblem",
        "has_pieces_row",
        "counted_pieces",
    )
    detail_text = StringProperty("")
    price_text = StringProperty("")
    """Price of the option, written beside the picture of its subject: a number of such pieces."""
    subject = ObjectProperty(None, allownone=True)
    """The seat, piece or card's face that the option is about; it is drawn at the left."""
    emblem = StringProperty("")
    """A character drawn at the left edge, before the picture and the text, if there is room."""
    lang = StringProperty("en")
    has_pieces_row = BooleanProperty(defaultvalue=False)
    """Whether the key's text is a number in a row at its top, before the pieces that lie on its subject."""
    counted_pieces = ObjectProperty(())
    """The pieces in that row, each with its count."""
    is_beginning_enough = BooleanProperty(defaultvalue=False)
    """Whether the text is a name of which the key needs room only for the beginning: one of many people."""

    @property
    def width_left_of_text(self) -> float:
        """Width left of the text: the picture, the gap behind it and the price; 0 without a picture."""
        match self.subject:
            case None:
                return 0.0
            case CardFace():
                return theme.length.token + theme.length.gap
            case _:
                return theme.length.token + theme.length.gap + self._price_width

    def __init__(self, **kwargs: Any) -> None:
        self._emblem_width, self.shown_detail = 0.0, ""
        self._texts_of_widest_word: tuple[str, str, float] | None = None
        self._known_widest_word_width = 0.0
        super().__init__(**{"lines": MAX_TEXT_LINES, **kwargs})
        self.label.line_height = 1.0

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether a word would be broken, or a text would need too many lines, at that width."""
        if self.is_beginning_enough:
            return bool(width < MIN_WIDTH_WITH_BEGINNING_TARGETS * theme.length.target)
        text_width = self.available_text_width(width)
        return bool(self.text or self.detail_text) and (
            self._widest_word_width > text_width
            or self._count_text_lines(text_width) > MAX_TEXT_LINES
            or len(self.wrap_detail(text_width)) > MAX_DETAIL_LINES
        )

    def min_width(self) -> float:
        """Returns the least width at which no word is broken."""
        return self._widest_word_width - self.available_text_width(0.0) + 1

    def min_width_in_row(self) -> float:
        """Returns the least width in a row that is one target high: all lines have room."""

        def has_room(width: int) -> bool:
            return not self.is_too_narrow(width) and self.min_height_at(width) <= theme.length.target

        one_line_width = max(self._measure_text(self.text), self._measure_detail(self.detail_text))
        highest_width = one_line_width - self.available_text_width(0.0)
        widths = range(ceil(self.min_width()), ceil(highest_width) + 1)
        return float(widths.start + bisect_left(widths, True, key=has_room))

    @property
    def _widest_word_width(self) -> float:
        """Width of the widest word of the text and the detail; layouts ask for it at many widths."""
        texts = self.text, self.detail_text, theme.length.smallest
        if self._texts_of_widest_word != texts:
            self._texts_of_widest_word = texts
            self._known_widest_word_width = max(
                widest_phrase_width(self.text, self._measure_text),
                widest_word_width(self.detail_text, self._measure_detail),
            )
        return self._known_widest_word_width

    def min_height_at(self, width: float) -> float:
        """Returns the least height at that width."""
        text_width = self.available_text_width(width)
        text_height = self._count_text_lines(text_width) * TEXT_LINE_HEIGHT_EM
        detail_height = len(self.wrap_detail(text_width)) * DETAIL_LINE_HEIGHT_EM
        words_height = (text_height + detail_height) * theme.length.smallest
        return words_height + self._pieces_height + theme.length.rim + theme.length.lift

    @property
    def _pieces_height(self) -> float:
        return PIECES_ROW_HEIGHT_EM * theme.length.smallest if self.has_pieces_row else 0.0

    def min_height_with_reason_at(self, width: float) -> float:
        """Returns the least height at that width at which an inactive key says why it can't be chosen.

        A number in the row of pieces is large at that height.
        """
        text_width = self.available_text_width(width)
        reason_lines = self.wrap_reason(text_width)
        text_height = self._count_text_lines(text_width) * TEXT_LINE_HEIGHT_EM
        words_height = (text_height + len(reason_lines) * DETAIL_LINE_HEIGHT_EM) * theme.length.smallest
        words_height += theme.length.rim + theme.length.lift
        if self.has_pieces_row:
            words_height += self._large_row_height + 2 * self.wide_margin
        return max(self.min_height_at(width), words_height)

    def _count_text_lines(self, max_width: float) -> int:
        if self.has_pieces_row or not self.text:
            return 0
        lines = len(wrap_at_size(self.text, max_width, theme.length.smallest))
        return min(lines, MAX_BEGINNING_LINES) if self.is_beginning_enough else lines

    def wrap_detail(self, max_width: float) -> Sequence[str]:
        """Splits the detail below the text into lines of that width."""
        if not self.detail_text:
            return ()
        return wrap_at_size(self.detail_text, max_width, theme.length.smallest, bold=False)

    @staticmethod
    def _measure_text(text: str) -> float:
        return measure_text_width(text, theme.length.smallest)

    @staticmethod
    def _measure_detail(text: str) -> float:
        return measure_text_width(text, theme.length.smallest, bold=False)

    def available_text_width(self, key_width: float) -> float:
        """Returns the width for text in a key of that width: beside the picture, within face and margins."""
        return (
            key_width
            - 2 * theme.length.line
            - self.width_left_of_text
            - self._emblem_width
            - 2 * self._least_text_margin
        )

    @property
    def _least_text_margin(self) -> float:
        """Margin between the face and the text of a key without room for more: within its frame.

        A frame that only shows that the key is chosen makes no key wider: nothing moves when it is touched.
        """
        sizes = theme.length
        frame = sizes.rim + sizes.line if self.look in ("brass", "danger") else 0.0
        return max(sizes.line * TEXT_MARGIN_LINE_WIDTHS, frame)

    @property
    def _price_width(self) -> float:
        if not self.price_text:
            return 0.0
        return measure_text_width(self.price_text, theme.length.key, theme.MONEY_FONT) + theme.length.gap

    def _choose_emblem_width(self) -> float:
        """Returns the width for the emblem in the key as it is now; 0 if text and detail need it.

        They may take one line more beside the emblem, but no smaller letters.
        """
        emblem_width = theme.length.token + theme.length.gap
        rest_width = self.width - emblem_width
        if not self.emblem or self.is_too_narrow(rest_width):
            return 0.0
        if len(self.wrap_reason(self.available_text_width(rest_width))) != len(
            self.wrap_reason(self.available_text_width(self.width))
        ):
            return 0.0
        height_beside = self.min_height_with_reason_at(rest_width)
        max_height = min(
            self.height - theme.length.gap / 2,
            self.min_height_at(self.width) + theme.length.smallest * DETAIL_LINE_HEIGHT_EM,
        )
        return emblem_width if height_beside <= max_height + 1 else 0.0

    def draw(self) -> None:
        """Draws the key, the picture, the price and the detail."""
        super().draw()
        self._emblem_width = 0.0  # measures are those without the emblem
        self._emblem_width = self._choose_emblem_width()
        self._draw_content()
        self._emblem_width = 0.0

    def _draw_content(self) -> None:
        x, y, width, height = self.face_box
        if self.has_pieces_row:
            row_height = self._choose_row_height()
            height -= row_height
            self._place_number_and_draw_pieces((x, y + height, width, row_height))
        sizes = theme.length
        left = x + sizes.gap
        if self._emblem_width:
            self._draw_emblem((left + sizes.token / 2, y + height / 2), min(height * 0.62, sizes.token))
            left += self._emblem_width
        self._draw_subject(left, y, height)
        left_width = self._emblem_width + self.width_left_of_text
        self._place_text_and_draw_detail((x + left_width, y, width - left_width, height))

    def _draw_subject(self, left: float, y: float, height: float) -> None:
        """Draws the picture and the price, in the middle of the height."""
        gap, sizes = theme.length.gap, theme.length
        match self.subject:
            case Seat():
                side = min(height * 0.62, sizes.token)
                draw_player_token(self.subject.colour, (left, y + (height - side) / 2, side, side))
            case CardFace():
                card_height = min(height - gap, sizes.token / CARD_WIDTH_TO_HEIGHT)
                card_y = y + (height - card_height) / 2
                card_box = (left, card_y, card_height * CARD_WIDTH_TO_HEIGHT, card_height)
                draw_open_card(self.subject, card_box, self.lang)
            case None:
                pass
            case _:
                side = min(height * 0.6, sizes.token)
                make_piece_mark(self.subject, self.lang, PAPER_TEXT_COLOURS).draw(
                    left, y + (height - side) / 2, side
                )
                self._draw_price(left + sizes.token + gap / 2, y + height / 2)

    def _choose_row_height(self) -> float:
        """Returns the height of the row of number and pieces: up to a large number's, if the key is high."""
        spare_height: float = max(0.0, self.height - self.min_height_at(self.width) - 2 * self.wide_margin)
        return max(self._pieces_height, min(self._large_row_height, self._pieces_height + spare_height))

    @property
    def _large_row_height(self) -> float:
        height: float = theme.length.digit * TEXT_LINE_HEIGHT_EM + self.wide_margin
        return height

    def _place_number_and_draw_pieces(self, box: Box) -> None:
        """Places the number in the corner and draws the pieces beside it, each with its count if above 1."""
        margin = self.wide_margin
        x, y, width, height = box[0] + margin, box[1], box[2] - 2 * margin, box[3] - margin
        marks = [make_piece_mark(piece, self.lang, PAPER_TEXT_COLOURS) for piece, _ in self.counted_pieces]
        number_size = max(ceil(theme.length.smallest), min(theme.length.digit, height / TEXT_LINE_HEIGHT_EM))
        number_width = measure_text_width(self.text, number_size, theme.MONEY_FONT) + 1
        self.label.pos, self.label.size = (x, y), (number_width, max(height, number_size))
        left, right = x + number_width + theme.length.gap, x + width
        side = min((right - left) / max(1, len(marks)), height)
        left, y = (left + right - side * len(marks)) / 2, y + (height - side) / 2
        for mark, (_, count) in zip(marks, self.counted_pieces, strict=True):
            mark.draw(left, y, side)
            if (count or 0) > 1:
                middle = left + side / 2, y + side / 2
                draw_text(str(count), middle, theme.length.smallest, theme.INK, theme.MONEY_FONT)
            left += side

    def _draw_emblem(self, middle: tuple[float, float], side: float) -> None:
        colour = self.quiet_text_colour if self.is_inactive else theme.INK
        draw_text(self.emblem, middle, side * EMBLEM_LETTER_SHARE, colour)

    def _draw_price(self, left: float, middle: float) -> None:
        if self.price_text:
            width = measure_text_width(self.price_text, theme.length.key, theme.MONEY_FONT)
            colour = self.quiet_text_colour if self.is_inactive else theme.INK
            draw_text(self.price_text, (left + width / 2, middle), theme.length.key, colour, theme.MONEY_FONT)

    def _place_text_and_draw_detail(self, box: Box) -> None:
        x, y, width, height = box
        available_width = self.available_text_width(self.width)
        margin = self._choose_text_margin(available_width, height)
        text_width = width - 2 * margin
        lines = self._choose_detail_lines(text_width, height)
        self.shown_detail = " ".join(lines)
        self.shown_reason = self.reason if lines and lines == self.wrap_reason(text_width) else ""
        size = self._choose_detail_size(lines, width - 2 * self.wide_margin, height - 2 * self.wide_margin)
        detail_height = size * DETAIL_LINE_HEIGHT_EM * len(lines)
        text_height = self._count_text_lines(text_width) * theme.length.smallest * TEXT_LINE_HEIGHT_EM
        vertical_margin = min(self.wide_margin, max(0.0, (height - text_height - detail_height) / 2))
        y, height = y + vertical_margin, height - 2 * vertical_margin
        has_picture = self.subject is not None or bool(self._emblem_width)
        if self.has_pieces_row:
            y += (height - detail_height) / 2
        else:
            text_margin = self._choose_text_margin(available_width, 0.0)
            left_margin = margin if has_picture else text_margin  # beside a picture, text and detail align
            self.label.pos = (x + left_margin, y + detail_height)
            self.label.size = (width - left_margin - text_margin, height - detail_height)
        self.label.halign = "left" if has_picture else "center"
        for index, line in enumerate(reversed(lines)):
            line_width = measure_text_width(line, size, bold=False)
            centre_x = x + margin + line_width / 2 if has_picture else x + width / 2
            centre_y = y + size * DETAIL_LINE_HEIGHT_EM * (index + 0.55)
            draw_text(line, (centre_x, centre_y), size, self.quiet_text_colour, bold=False)

    def _choose_text_margin(self, text_width: float, height: float) -> float:
        """Returns the margin beside the text: as wide as costs no line and breaks no word or phrase.

        `text_width` is the width for text with the least margin. In a height of 0 only the text counts, no
        detail.
        """
        least_margin = self._least_text_margin
        detail_lines = self._choose_detail_lines(text_width, height)
        widest = max(
            widest_phrase_width(self.text, self._measure_text),
            widest_word_width(" ".join(detail_lines), self._measure_detail),
        )
        margin = min(self.wide_margin, least_margin + max(0.0, (text_width - widest) / 2 - 1))
        narrower_width = text_width - 2 * (margin - least_margin)
        has_room = self._count_text_lines(narrower_width) <= self._count_text_lines(text_width) and len(
            self._choose_detail_lines(narrower_width, height)
        ) == len(detail_lines)
        return margin if has_room else least_margin

    def _draw_reason(self, _box: Box) -> float:
        """Draws nothing: the reason has the place of the detail."""
        return 0.0

    def _choose_detail_size(self, lines: Sequence[str], max_width: float, height: float) -> float:
        """Returns the size of the letters of the detail: a note's, if the text above needn't be smaller."""
        note, text_size = theme.length.note, getattr(theme.length, TEXT_STYLES[self.style].theme_length)
        text_lines = 0 if self.has_pieces_row else len(wrap_at_size(self.text, max_width, text_size))
        text_height = text_lines * text_size * TEXT_LINE_HEIGHT_EM
        is_too_high = text_height + len(lines) * note * DETAIL_LINE_HEIGHT_EM > height
        is_too_wide = any(measure_text_width(line, note, bold=False) > max_width for line in lines)
        return theme.length.smallest if is_too_high or is_too_wide else note

    def _choose_detail_lines(self, text_width: float, height: float) -> Sequence[str]:
        """Returns the lines below the text: the reason of an inactive key if it fits, else the detail."""
        small = theme.length.smallest
        text_lines = 0 if self.has_pieces_row else max(1, self._count_text_lines(text_width))
        room = height - text_lines * small * TEXT_LINE_HEIGHT_EM
        max_lines = max(0, int((room + 1) / (small * DETAIL_LINE_HEIGHT_EM)))  # 1: heights are rounded
        reason_lines = self.wrap_reason(text_width)
        if 0 < len(reason_lines) <= max_lines:
            return reason_lines
        one_text_line = 0 if self.has_pieces_row else small * TEXT_LINE_HEIGHT_EM
        max_lines = int((height + 1 - one_text_line) / (small * DETAIL_LINE_HEIGHT_EM))
        return self.wrap_detail(text_width)[: max(0, max_lines)]


class CardKey(Key):
    """Key that shows a card, or its name if nothing printed on the card is known."""

    redraw_properties = (*Key.redraw_properties, "card", "lang")
    card = ObjectProperty(None, allownone=True)
    lang = StringProperty("en")

    @property
    def shows_only_name(self) -> bool:
        """Whether nothing printed on the card is known, so that the key shows its name."""
        face = self.card
        return face is None or not (face.big is not None or face.row or face.emblem)

    def draw(self) -> None:
        """Draws the card in place of the key's paper; a brass frame shows that the card is chosen."""
        super().draw()
        face = self.card
        self.label.opacity = 1.0 if self.shows_only_name else 0.0
        if not self.shows_only_name:
            box = inset_box(self.face_box, theme.length.rim if self.chosen else 0.0)
            draw_open_card(face, box, self.lang)
            if self.chosen:
                self._draw_tick()
