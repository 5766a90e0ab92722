"""What is higher than a line: cards with what lies on them, lots; and the steps of a track."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.cards import CardFace
from companion.rules.scene_views import CardsView, CellView, LotsView, LotView, RowView
from companion.scenes.text import describe_card, number_in_name
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import Box, fill, inset, rim
from ui.widgets.drawing.text import across, inscribe
from ui.widgets.pieces.card import draw_card, least_wide
from ui.widgets.pieces.marks import CARD_WIDE, ON_FELT, Mark, Said, Wooden, digits, draw_back
from ui.widgets.pieces.rows import flow, height_of, place
from ui.widgets.pieces.worded import counted, named, picture, row_marks, sign

TALL = 3.4
"""Lines that a card with something on it is high."""
SLOT = 2.0
"""Lines that a card in a numbered row is high."""
LARGE = 1.3
"""How much larger the lot of the question is than the others."""
LOTS_GAP = 0.14
"""Between lots, as a share of the height."""
NAME_GAP = 0.25
"""Between their name and the first of them."""
FEW = 12
"""A track of no more steps is drawn step by step."""
BESIDE = 3.4
"""Lines that what lies on a card is wide beside it."""


class SpreadMark(Mark):
    """Open cards and backs side by side, their name above them; beside them what lies on them.

    Backs are one back with how many they are, if they are several. Where nothing lies a place stays free.
    """

    def __init__(self, part: CardsView, lang: str, *, is_named: bool = True, shows_on: bool = True) -> None:
        self._part, self._lang = part, lang
        self._on: list[Mark] = []
        for one in part.on_top if shows_on else ():
            self._on += row_marks(one, lang, ON_FELT) if isinstance(one, RowView) else [_on_card(one, lang)]
        name = _name(part, lang) if is_named else ""
        self._name = Said(name, ON_FELT.quiet, bold=False) if name else None
        has_back = part.back is not None and part.back_count != 0
        self._back = part.back if has_back else None
        many = "?" if part.back_count is None else str(part.back_count)
        self._many = digits(many, ON_FELT.word) if has_back and part.back_count != 1 else None
        self.lines = TALL + (1 if self._name else 0)
        faces = [render(describe_card(face), lang) for face in part.open_cards]
        said = [name, *faces, self._many.said if self._many else "", *(mark.said for mark in self._on)]
        self.said = " ".join(text for text in said if text)

    def _faces_wide(self, high: float) -> list[float]:
        """How wide each open card is: no less than the name on it."""
        names = [least_wide(face, self._lang) for face in self._part.open_cards]
        return [max(TALL * high * CARD_WIDE, name + 2 * theme.length.line) for name in names]

    def _cards_wide(self, high: float) -> list[float]:
        """Widths of the open cards and then the backs; without any card, the width of one place."""
        faces = self._faces_wide(high)
        if self._back is None and faces:
            return faces
        many = self._many.across(high) + theme.length.gap if self._many else 0.0
        return [*faces, TALL * high * CARD_WIDE + many]

    def _on_wide(self, high: float) -> float:
        if not self._on:
            return 0.0
        widest = max(mark.across(high) for mark in self._on)
        return max(widest, BESIDE * high if len(self._on) > TALL else 0.0) + theme.length.gap

    def across(self, high: float) -> float:
        """The cards, what lies on them, and no less than the name."""
        gap = theme.length.gap
        cards = sum(wide + gap for wide in self._cards_wide(high)) - gap
        name = self._name.across(high) if self._name else 0.0
        return max(cards + self._on_wide(high), name)

    def apart(self, high: float, width: float) -> Sequence[Mark]:
        """Rows of as many cards as have room, the name above the first, what lies on them beside the last."""
        part, gap = self._part, theme.length.gap
        wides, room = self._faces_wide(high), max(width - self._on_wide(high), 0.0)
        rows: list[list[CardFace]] = [[]]
        used = 0.0
        for face, wide in zip(part.open_cards, wides, strict=True):
            if rows[-1] and used + wide > room:
                rows.append([])
                used = 0.0
            rows[-1].append(face)
            used += wide + gap
        if self._back is not None and rows[-1] and used + self._cards_wide(high)[-1] > room:
            rows.append([])
        if len(rows) == 1:
            return (self,)
        *firsts, last = (replace(part, open_cards=tuple(row)) for row in rows)
        shown = [replace(one, back=None, back_count=0) for one in firsts]
        return [
            *(SpreadMark(one, self._lang, is_named=not at, shows_on=False) for at, one in enumerate(shown)),
            SpreadMark(last, self._lang, is_named=False),
        ]

    def draw(self, x: float, y: float, high: float) -> None:
        """The name above, the cards below it, the rest beside them."""
        part, gap, tall, wides = self._part, theme.length.gap, TALL * high, self._cards_wide(high)
        if self._name is not None:
            self._name.draw(x, y + tall, high)
        for face, wide in zip(part.open_cards, wides, strict=False):  # the last may be that of the backs
            draw_card(face, inset((x, y, wide, tall), theme.length.line), self._lang, wanted=part.is_subject)
            x += wide + gap
        if len(wides) > len(part.open_cards):
            self._draw_back((x, y, tall * CARD_WIDE, tall), high)
            x += wides[-1] + gap
        rows = flow(self._on, high, self._on_wide(high), gap * 0.75)
        used = height_of(rows, high, theme.length.line)
        for one in place(rows, x, y + (tall + used) / 2, high, gap * 0.75, theme.length.line):
            one.draw()

    def _draw_back(self, spot: Box, high: float) -> None:
        """The back with how many there are, or the place of a card."""
        x, y, wide, tall = spot
        box = inset(spot, theme.length.line)
        if self._back is None:
            rim(theme.fade(theme.QUIET, 0.4), box, theme.length.hair, theme.length.radius * 0.5)
            return
        draw_back(self._back.colour, box)
        if self._many is not None:
            self._many.draw(x + wide + theme.length.gap, y + (tall - high) / 2, high)


def _name(part: CardsView, lang: str) -> str:
    """The label and, in a numbered row, the number; without a label the place."""
    if part.label is None:
        return render(part.place, lang)
    number = [] if part.place.slot is None else [str(part.place.slot)]
    return " ".join([render(part.label, lang), *number])


def _on_card(number: CellView, lang: str) -> Mark:
    return counted(number, lang, ON_FELT)


class SlotMark(Mark):
    """A single card of a numbered row, its number on it, what lies on it below."""

    lines = SLOT

    @staticmethod
    def shows(part: CardsView) -> bool:
        """Whether it has room for all that lies there: at most one card, and on it nothing but pieces."""
        if part.label is not None or part.back_count is None or len(part.open_cards) + part.back_count > 1:
            return False
        return all(isinstance(one, RowView) and not one.open_cards for one in part.on_top)

    def __init__(self, part: CardsView, lang: str) -> None:
        self._part, self._lang = part, lang
        things = [row.counted_pieces for row in part.on_top if isinstance(row, RowView)]
        self._on = [(picture(piece, lang, ON_FELT), count or 0) for each in things for piece, count in each]
        self.said = " ".join([str(part.place.slot), *(f"{count} {mark.said}" for mark, count in self._on)])

    def across(self, high: float) -> float:
        """A card."""
        return SLOT * high * CARD_WIDE

    def draw(self, x: float, y: float, high: float) -> None:
        """The back, its number at the top, coins side by side below it."""
        part, wide, tall = self._part, SLOT * high * CARD_WIDE, SLOT * high
        box = inset((x, y, wide, tall), theme.length.hair)
        if part.open_cards:
            draw_card(part.open_cards[0], box, self._lang, wanted=part.is_subject)
        else:
            draw_back(part.back.colour if part.back else "", box)
        size = max(theme.length.smallest, high * 0.66)
        fill(
            theme.FELT_DARK,
            (x + wide / 2 - size * 0.6, y + tall - size * 1.15, size * 1.2, size * 1.1),
            size / 2,
        )
        inscribe(str(part.place.slot), (x + wide / 2, y + tall - size * 0.6), size, theme.PAPER, theme.MONEY)
        self._draw_on(x, y, wide, high)

    def _draw_on(self, x: float, y: float, wide: float, high: float) -> None:
        side = min(wide / max(1, len(self._on)), high * 0.9)
        left = x + (wide - side * len(self._on)) / 2
        for mark, count in self._on:
            mark.draw(left, y + theme.length.line, side)
            if count > 1:
                size = theme.length.smallest
                inscribe(
                    str(count),
                    (left + side / 2, y + theme.length.line + side / 2),
                    size,
                    theme.INK,
                    theme.MONEY,
                )
            left += side


class LotsMark(Mark):
    """Lots in a row, that of the question larger than the others; their name before them gives way first."""

    lines = LARGE

    def __init__(self, part: LotsView, lang: str, *, is_named: bool = True) -> None:
        self._part, self._lang = part, lang
        self._name = named(part.label, lang, ON_FELT) if is_named else None
        self._lots = [(_wooden(lot, lang), LARGE if lot.is_subject else 1.0) for lot in part.lots]
        name = [self._name.said] if self._name else []
        self.said = " ".join([*name, *(one.said for one, _ in self._lots)])

    def _name_wide(self, high: float) -> float:
        return self._name.across(high) + NAME_GAP * high if self._name else 0.0

    def across(self, high: float) -> float:
        """The name and all of them, one of them larger."""
        small = sum(one.across(high) for one, _ in self._lots) + LOTS_GAP * high * (len(self._lots) - 1)
        larger = max((one.across(high * LARGE) - one.across(high) for one, _ in self._lots), default=0.0)
        return self._name_wide(high) + small + larger

    def apart(self, high: float, width: float) -> Sequence[Mark]:
        """The lots without their name, in as many rows as they need."""
        bare = LotsMark(self._part, self._lang, is_named=False)
        rows: list[list[LotView]] = [[]]
        for lot in self._part.lots:
            if rows[-1] and self._of([*rows[-1], lot]).across(high) > width:
                rows.append([])
            rows[-1].append(lot)
        return [self._of(row) for row in rows] if len(rows) > 1 else (bare,)

    def _of(self, lots: Sequence[LotView]) -> LotsMark:
        return LotsMark(replace(self._part, lots=tuple(lots)), self._lang, is_named=False)

    def draw(self, x: float, y: float, high: float) -> None:
        """From the left, all with their middles on one line."""
        if self._name is not None:
            self._name.draw(x, y + high * (LARGE - 1) / 2, high)
            x += self._name_wide(high)
        for one, share in self._lots:
            one.draw(x, y + high * (LARGE - share) / 2, high * share)
            x += one.across(high * share) + LOTS_GAP * high


def _wooden(lot: LotView, lang: str) -> Wooden:
    number = number_in_name(lot.piece)
    text = str(number) if number is not None else sign(lot.piece, lang) or render(lot.piece, lang)
    owner = lot.owner.colour if lot.owner is not None else ""
    return Wooden(text, wanted=lot.is_subject, gone=lot.is_gone, owner=owner)


class StepsMark(Mark):
    """How far a marker is: `3/10`, and where there are few steps each of them."""

    def __init__(self, at: int, of: int) -> None:
        self._at, self._of = at, of
        self.said = f"{at}/{of}"

    def across(self, high: float) -> float:
        """The numbers, and the steps."""
        steps = self._of * high * 0.34 + high * 0.3 if self._of <= FEW else 0.0
        return across(self.said, self._size(high), theme.MONEY) + steps

    def _size(self, high: float) -> float:
        return max(theme.length.smallest, high * 0.8)

    def draw(self, x: float, y: float, high: float) -> None:
        """Steps gone in brass."""
        wide = across(self.said, self._size(high), theme.MONEY)
        inscribe(self.said, (x + wide / 2, y + high / 2), self._size(high), theme.PAPER, theme.MONEY)
        if self._of > FEW:
            return
        side, x = high * 0.24, x + wide + high * 0.3
        for step in range(self._of):
            box = (x + step * high * 0.34, y + (high - side) / 2, side, side)
            fill(theme.BRASS if step < self._at else theme.fade(theme.QUIET, 0.35), box, side / 2)
