"""A key for one of several things, with a picture of what it is about."""

from __future__ import annotations

from typing import Any

from kivy.properties import ObjectProperty, StringProperty

from companion.cards import CardFace
from companion.table.seats import Seat
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.line_breaking import filled, lines_in, longest, longest_phrase
from ui.widgets.drawing.surfaces import Box, inset
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import across, inscribe
from ui.widgets.keys.key import Key
from ui.widgets.pieces.card import draw_card
from ui.widgets.pieces.marks import CARD_WIDE, ON_PAPER
from ui.widgets.pieces.worded import picture

LINES, BELOW = 3, 2
"""Lines that its words may take, and what stands below them."""
LINE, LINE_BELOW = 1.03, 1.15
"""How high such a line is, in heights of the smallest letters."""
MARGIN = 2
"""Lines between the edge of a key's face and its words."""


class OptionKey(Key):
    """A key with what its option is about at the left; below its words stand its price and what it gives.

    One that can't be chosen is faint; touched it says why.
    """

    shows = (*Key.shows, "below", "about", "price")
    below = StringProperty("")
    price = StringProperty("")
    """What it costs of the piece that it is about."""
    about = ObjectProperty(None, allownone=True)
    """A seat, a piece or a card's face."""
    lang = StringProperty("en")

    @property
    def picture_across(self) -> float:
        """How wide the picture is, with the gap behind it."""
        match self.about:
            case None:
                return 0.0
            case CardFace():
                return theme.length.token + theme.length.gap
            case _:
                return theme.length.token + theme.length.gap + self._price_across

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"lines": LINES, **kwargs})
        self.writing.line_height = 1.0

    def is_too_narrow(self, width: float) -> bool:
        """Whether a word would be broken there, or too many lines be needed, of its words or below them."""
        room = self.words_across(width)
        return self._widest > room or self._lines(room) > LINES or len(self.below_in(room)) > BELOW

    def across_at_least(self) -> float:
        """How wide it must be, that no word on it is broken."""
        return self._widest - self.words_across(0.0) + 1

    @property
    def _widest(self) -> float:
        """How wide the longest word is, of its words or below them."""
        return max(longest_phrase(self.text, self._small), longest(self.below, self._quiet))

    def high_at(self, width: float) -> float:
        """How high it must be where it is so wide."""
        small, room = theme.length.smallest, self.words_across(width)
        words = self._lines(room) * LINE + len(self.below_in(room)) * LINE_BELOW
        return words * small + theme.length.rim + theme.length.lift

    def _lines(self, room: float) -> int:
        return lines_in(self.text, room, self._small) if self.text else 0

    def below_in(self, room: float) -> list[str]:
        """The lines below its words, where there is so much room."""
        return filled(self.below, room, self._quiet) if self.below else []

    @staticmethod
    def _small(text: str) -> float:
        return across(text, theme.length.smallest)

    @staticmethod
    def _quiet(text: str) -> float:
        return across(text, theme.length.smallest, bold=False)

    def words_across(self, width: float) -> float:
        """The room that its words have where it is so wide: beside the picture, within face and margins."""
        return width - 2 * theme.length.line - self.picture_across - 2 * MARGIN * theme.length.line

    @property
    def _price_across(self) -> float:
        return across(self.price, theme.length.key, theme.MONEY) + theme.length.gap if self.price else 0.0

    def draw(self) -> None:
        """The key, what it is about, the line below."""
        super().draw()
        x, y, width, height = self.face
        gap, sizes = theme.length.gap, theme.length
        left = x + gap
        match self.about:
            case Seat():
                side = min(height * 0.62, sizes.token)
                draw_token(self.about.colour, (left, y + (height - side) / 2, side, side))
            case CardFace():
                high = min(height - gap, sizes.token / CARD_WIDE)
                card = (left, y + (height - high) / 2, high * CARD_WIDE, high)
                draw_card(self.about, card, self.lang)
            case None:
                pass
            case _:
                side = min(height * 0.6, sizes.token)
                picture(self.about, self.lang, ON_PAPER).draw(left, y + (height - side) / 2, side)
                self._draw_price(left + sizes.token + gap / 2, y + height / 2)
        self._place_words((x + self.picture_across, y, width - self.picture_across, height))

    def _draw_price(self, left: float, middle: float) -> None:
        if self.price:
            wide = across(self.price, theme.length.key, theme.MONEY)
            inscribe(self.price, (left + wide / 2, middle), theme.length.key, self._ink, theme.MONEY)

    @property
    def _ink(self) -> Colour:
        """Quiet on the felt where it can't be chosen."""
        return theme.QUIET if self.faint or self.disabled else theme.INK

    def _place_words(self, box: Box) -> None:
        x, y, width, height = box
        small, margin = theme.length.smallest, theme.length.line * MARGIN
        room = self.words_across(self.width)
        lines = self.below_in(room)
        lines = lines[: max(0, int((height - small * LINE) / (small * LINE_BELOW)))]
        low = small * LINE_BELOW * len(lines)
        self.writing.pos = (x + margin, y + low)
        self.writing.size = (width - 2 * margin, height - low)
        self.writing.halign = "left" if self.about is not None else "center"
        colour = theme.QUIET if self.faint or self.disabled else theme.INK_QUIET
        for at, line in enumerate(reversed(lines)):
            wide = self._quiet(line)
            middle = x + margin + wide / 2 if self.about is not None else x + width / 2
            inscribe(line, (middle, y + small * LINE_BELOW * (at + 0.55)), small, colour, bold=False)


class CardKey(Key):
    """A key that is a card: what is printed on it, or where nothing is known of that, its name."""

    shows = (*Key.shows, "card", "lang")
    card = ObjectProperty(None, allownone=True)
    lang = StringProperty("en")

    def draw(self) -> None:
        """The card in place of the paper, in brass where it is chosen."""
        super().draw()
        face = self.card
        shown = face is not None and (face.big is not None or face.row)
        self.writing.opacity = 0.0 if shown else 1.0
        if shown:
            box = inset(self.face, theme.length.rim if self.chosen else 0.0)
            draw_card(face, box, self.lang)
            if self.chosen:
                self._draw_tick()
