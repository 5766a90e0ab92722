"""A key for one of several things, with a picture of what it is about."""

from __future__ import annotations

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.cards import CardFace
from companion.table.seats import Seat
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box, inset
from ui.widgets.drawing.inscribed import across, inscribe
from ui.widgets.drawing.line_ends import lines_in, longest
from ui.widgets.drawing.token import draw_token
from ui.widgets.keys.key import Key
from ui.widgets.pieces.card import draw_card
from ui.widgets.pieces.marks import CARD_WIDE, ON_PAPER
from ui.widgets.pieces.worded import picture

BRIEF = 3
"""Its words may take so many lines where nothing stands below them."""
MARGIN = 2
"""Lines between the edge of a key's face and its words."""


class OptionKey(Key):
    """A key with what its option is about at the left, and a line below its words: its price, what it gives.

    One that can't be chosen is faint; touched it says why.
    """

    shows = (*Key.shows, "below", "brief", "about", "price")
    below = StringProperty("")
    brief = BooleanProperty(defaultvalue=False)
    """Whether its words need all the room."""
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

    def lines_at(self, width: float, *, brief: bool = False) -> int:
        """How many lines its words take at their smallest, no word being broken.

        Too many where a word, or what stands below unless it is `brief`, has no room at all.
        """
        room, small = self.words_across(width), theme.length.smallest
        below = 0.0 if brief else across(self.below, small, bold=False)
        if below > room or longest(self.text, self._small) > room:
            return BRIEF + 1
        return lines_in(self.text, room, self._small)

    @staticmethod
    def _small(text: str) -> float:
        return across(text, theme.length.smallest)

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
        small = theme.length.smallest
        margin = theme.length.line * MARGIN
        wide = across(self.below, small, bold=False)
        below = self.below if wide <= width - margin and not self.brief else ""
        low = small * 1.25 if below else 0.0
        self.writing.pos = (x + margin, y + low)
        self.writing.size = (width - 2 * margin, height - low)
        self.writing.halign = "left" if self.about is not None else "center"
        if below:
            colour = theme.QUIET if self.faint or self.disabled else theme.INK_QUIET
            middle = x + margin + wide / 2 if self.about is not None else x + width / 2
            inscribe(below, (middle, y + low * 0.6), small, colour, bold=False)


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
