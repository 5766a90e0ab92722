"""What is higher than a line: cards with what lies on them, lots; and the steps of a track."""

from __future__ import annotations

from collections.abc import Sequence

from companion.scenes import CardsLaid, LotLaid, NumberLaid, RowLaid
from companion.scenes.written import number_in
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import fill, inset, rim
from ui.widgets.drawing.inscribed import across, inscribe
from ui.widgets.pieces.card import draw_card, least_wide
from ui.widgets.pieces.marks import CARD_WIDE, ON_FELT, Mark, Said, Wooden, draw_back
from ui.widgets.pieces.rows import flow, height_of, place
from ui.widgets.pieces.worded import counted, picture, row_marks, sign

TALL = 3.4
"""Lines that a card with something on it is high."""
SLOT = 2.0
"""The same of a card in a numbered row."""
LARGE = 1.3
"""How much larger the lot of the question is than the others."""
LOTS_GAP = 0.14
"""Between lots, as a share of the height."""
FEW = 12
"""A track of no more steps is drawn step by step."""
BESIDE = 3.4
"""Lines that what lies on a card is wide beside it."""


class SpreadMark(Mark):
    """Open cards, or a back, side by side; beside them what lies on them, below them where they are."""

    def __init__(self, part: CardsLaid, lang: str) -> None:
        self._part, self._lang = part, lang
        self._on: list[Mark] = []
        for one in part.on:
            self._on += row_marks(one, lang, ON_FELT) if isinstance(one, RowLaid) else [_on_card(one, lang)]
        text = [] if part.label is None else [render(part.label, lang)]
        text += [] if part.place.slot is None else [str(part.place.slot)]
        self._name = Said(" ".join(text), ON_FELT.quiet, bold=False) if text else None
        self.lines = TALL + (1 if self._name else 0)
        self.said = " ".join(mark.said for mark in self._on if mark.said)

    def _cards_wide(self, high: float) -> list[float]:
        """How wide each card is; without any as wide as a back, or the place of one."""
        names = [least_wide(face, self._lang) for face in self._part.cards] or [0.0]
        return [max(TALL * high * CARD_WIDE, name + 2 * theme.length.line) for name in names]

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

    def draw(self, x: float, y: float, high: float) -> None:
        """The name above, the cards below it, the rest beside them."""
        part, gap, tall, wides = self._part, theme.length.gap, TALL * high, self._cards_wide(high)
        if self._name is not None:
            self._name.draw(x, y + tall, high)
        for face, wide in zip(part.cards, wides, strict=False):  # there is a place where no card is
            draw_card(face, inset((x, y, wide, tall), theme.length.line), self._lang, wanted=part.wanted)
            x += wide + gap
        if not part.cards:
            box = inset((x, y, wides[0], tall), theme.length.line)
            if part.backs and part.back is not None:
                draw_back(part.back.colour, box)
            else:
                rim(theme.fade(theme.QUIET, 0.4), box, theme.length.hair, theme.length.radius * 0.5)
            x += wides[0] + gap
        rows = flow(self._on, high, self._on_wide(high), gap * 0.75)
        used = height_of(rows, high, theme.length.line)
        for one in place(rows, x, y + (tall + used) / 2, high, gap * 0.75, theme.length.line):
            one.draw()


def _on_card(number: NumberLaid, lang: str) -> Mark:
    return counted(number, lang, ON_FELT)


class SlotMark(Mark):
    """A card of a row, its number on it, what lies on it below."""

    lines = SLOT

    def __init__(self, part: CardsLaid, lang: str) -> None:
        self._part, self._lang = part, lang
        things = [row.things for row in part.on if isinstance(row, RowLaid)]
        self._on = [(picture(piece, lang, ON_FELT), count or 0) for each in things for piece, count in each]
        self.said = " ".join([str(part.place.slot), *(f"{count} {mark.said}" for mark, count in self._on)])

    def across(self, high: float) -> float:
        """A card."""
        return SLOT * high * CARD_WIDE

    def draw(self, x: float, y: float, high: float) -> None:
        """The back, its number at the top, coins side by side below it."""
        part, wide, tall = self._part, SLOT * high * CARD_WIDE, SLOT * high
        box = inset((x, y, wide, tall), theme.length.hair)
        if part.cards:
            draw_card(part.cards[0], box, self._lang, wanted=part.wanted)
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
    """Lots in a row, that of the question larger than the others."""

    lines = LARGE

    def __init__(self, lots: Sequence[LotLaid], lang: str) -> None:
        self._lots = [(_wooden(lot, lang), LARGE if lot.wanted else 1.0) for lot in lots]
        self.said = " ".join(one.said for one, _ in self._lots)

    def across(self, high: float) -> float:
        """All of them, one of them larger."""
        small = sum(one.across(high) for one, _ in self._lots) + LOTS_GAP * high * (len(self._lots) - 1)
        return small + max(
            (one.across(high * LARGE) - one.across(high) for one, _ in self._lots), default=0.0
        )

    def draw(self, x: float, y: float, high: float) -> None:
        """From the left, all with their middles on one line."""
        for one, share in self._lots:
            one.draw(x, y + high * (LARGE - share) / 2, high * share)
            x += one.across(high * share) + LOTS_GAP * high


def _wooden(lot: LotLaid, lang: str) -> Wooden:
    number = number_in(lot.piece)
    text = str(number) if number is not None else sign(lot.piece, lang) or render(lot.piece, lang)
    owner = lot.owner.colour if lot.owner is not None else ""
    return Wooden(text, wanted=lot.wanted, gone=lot.gone, owner=owner)


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
