"""What lies before somebody, small: cards, chips, coins with their number, a plate with a word.

Which it is follows from the piece alone, never from the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.app import App
from kivy.properties import BooleanProperty, StringProperty

from companion.scenes.written import number_in
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.words import Say, render, say
from ui import theme
from ui.widgets.drawing.drawn import Box, Drawn, fill, inset, rim, shade
from ui.widgets.drawing.inscribed import across, inscribe
from ui.widgets.drawing.shapes import draw_shape
from ui.widgets.pieces.things import THINGS, draw_thing, letter
from ui.widgets.pieces.worded import sign

CARD = "card"
"""Pieces of this key, or of one that begins so, are cards."""
OVERLAP = 0.78
"""How far the pieces of a stack lie apart, as a share of one."""


class Glyph(Drawn):
    """As wide as what it shows; `text` is its number or word."""

    shows: ClassVar[tuple[str, ...]] = ("text",)
    text = StringProperty("")

    def __init__(self, text: str, **kwargs: Any) -> None:
        kwargs.setdefault("height", theme.length.glyph)
        super().__init__(size_hint=(None, None), text=text, **kwargs)
        self.fbind("height", self._widen)
        self.fbind("text", self._widen)
        self._widen()

    def _widen(self, *_: object) -> None:
        self.width = self.reach(self.height)

    def reach(self, height: float) -> float:
        """How wide it must be where it is so high."""
        raise NotImplementedError  # each kind of widget says it


class Chip(Glyph):
    """A round piece of wood with its number; brass all round if it is the one in question."""

    shows: ClassVar[tuple[str, ...]] = (*Glyph.shows, "wanted")
    wanted = BooleanProperty(defaultvalue=False)

    def reach(self, height: float) -> float:
        """Round, or longer for a long number."""
        return max(height, across(self.text, height * 0.75, theme.MONEY) + theme.length.gap * 0.7)

    def draw(self) -> None:
        """Wood, rim, number."""
        lift = theme.length.line
        box = inset((self.x, self.y, self.width, self.height), lift / 2)
        fill(theme.BRASS_DARK, (box[0], box[1] - lift, box[2], box[3]), box[3] / 2)
        fill(theme.PAPER_LIT if self.wanted else theme.KRAFT, box, box[3] / 2)
        if self.wanted:
            rim(theme.BRASS, inset(box, -theme.length.line), theme.length.rim * 1.5, box[3] / 2)
        rim(theme.INK, box, theme.length.hair, box[3] / 2)
        inscribe(self.text, self.center, self.height * 0.75, theme.INK, theme.MONEY)


class Back(Glyph):
    """Cards face down, or anything covered, with their number beside them where it is known."""

    felt = BooleanProperty(defaultvalue=False)
    colour = StringProperty("")
    """What the back is printed in, where the game has several decks."""

    def reach(self, height: float) -> float:
        """The card, a gap and the number."""
        number = across(self.text, height * 0.78, theme.MONEY) if self.text else 0.0
        return height * 0.76 + number + theme.length.gap * 0.9

    def draw(self) -> None:
        """The card, then the number."""
        side = self.height * 0.72
        card = (self.x, self.y, side, self.height)
        fill(theme.PAPER_LIT, card, theme.length.rim)
        rim(theme.INK, card, theme.length.hair, theme.length.rim)
        inner = inset(card, theme.length.line * 1.4)
        fill(theme.PIECES.get(self.colour, theme.FELT_LIT), inner, theme.length.line)
        draw_shape("diamond", inset(inner, side * 0.08), theme.BRASS, theme.FELT, theme.length.hair)
        if self.text:
            middle = (self.x + side + (self.width - side) / 2, self.center_y)
            colour = theme.PAPER if self.felt else theme.INK
            inscribe(self.text, middle, self.height * 0.78, colour, theme.MONEY)


class Plate(Glyph):
    """A word on a small plate of paper: a mark, or what is neither card nor chip; nothing without a word."""

    warning = BooleanProperty(defaultvalue=False)

    def reach(self, height: float) -> float:
        """The word with a margin."""
        return across(self.text, self._letters(height)) + theme.length.gap * 1.4 if self.text else 0.0

    def _letters(self, height: float) -> float:
        return max(theme.length.smallest, height * 0.56)

    def draw(self) -> None:
        """Paper with a brass rim, or a red one, and the word in ink."""
        if not self.text:
            return
        box: Box = inset(self.box, theme.length.hair)
        shade(box, theme.length.hair, 0.4)
        fill(theme.PAPER_LIT, box, theme.length.radius * 0.5)
        edge = theme.DANGER if self.warning else theme.BRASS
        rim(edge, box, theme.length.line, theme.length.radius * 0.5)
        inscribe(self.text, self.center, self._letters(self.height), theme.INK)


class Thing(Glyph):
    """A coin, cube, gem, chip or tile with the count beside it; one alone has none."""

    felt = BooleanProperty(defaultvalue=False)

    def __init__(self, piece: Piece, sign: str, count: int, **kwargs: Any) -> None:
        self.piece, self.sign = piece, sign
        super().__init__("" if count == 1 else str(count), **kwargs)

    def reach(self, height: float) -> float:
        """The piece, and its number."""
        number = across(self.text, height * 0.78, theme.MONEY) + theme.length.rim if self.text else 0.0
        return height + number

    def draw(self) -> None:
        """The piece, then the number."""
        draw_thing(self.piece, self.sign, (self.x, self.y, self.height, self.height))
        if self.text:
            middle = (self.x + self.height + (self.width - self.height) / 2, self.center_y)
            colour = theme.PAPER if self.felt else theme.INK
            inscribe(self.text, middle, self.height * 0.78, colour, theme.MONEY)


class Stack(Glyph):
    """A few pieces in the order in which they lie, the lowest on the left and the topmost whole."""

    def __init__(self, pieces: Sequence[Piece], lang: str, **kwargs: Any) -> None:
        self.pieces = [(piece, letter(piece, lang)) for piece in pieces]
        super().__init__(" ".join(letters for _, letters in self.pieces), **kwargs)

    def reach(self, height: float) -> float:
        """They overlap."""
        return height * (1 + OVERLAP * (len(self.pieces) - 1))

    def draw(self) -> None:
        """From the lowest to the topmost."""
        for at, (piece, letters) in enumerate(self.pieces):
            draw_thing(
                piece, letters, (self.x + at * OVERLAP * self.height, self.y, self.height, self.height)
            )


class FaceGlyph(Glyph):
    """An open card: what it is called on a small piece of card."""

    def reach(self, height: float) -> float:
        """The name with a margin."""
        return max(height * 0.76, across(self.text, self._letters(height)) + theme.length.gap * 1.2)

    def _letters(self, height: float) -> float:
        return max(theme.length.smallest, height * 0.5)

    def draw(self) -> None:
        """Card, ink edge, a stroke of brass at its head, the name."""
        box = inset(self.box, theme.length.hair / 2)
        fill(theme.PAPER_LIT, box, theme.length.rim)
        rim(theme.INK, box, theme.length.hair, theme.length.rim)
        x, y, width, height = inset(box, theme.length.line)
        fill(theme.BRASS, (x, y + height - theme.length.line, width, theme.length.line), theme.length.hair)
        inscribe(self.text, self.center, self._letters(self.height), theme.INK)


def glyph(held: Holding, lang: str, *, felt: bool = False) -> Glyph:
    """The glyph of something that lies somewhere, on paper or on felt."""
    piece, count = held.piece, held.count
    if count is None:
        return Back("", felt=felt)
    if is_face(piece):
        return FaceGlyph(called(piece, lang))
    if is_card(piece):
        return Back(str(count), felt=felt, colour=piece.colour)
    if piece.look in THINGS:
        return Thing(piece, sign(piece, lang), count, felt=felt)
    return _written(piece, count, lang)


def _written(piece: Piece, count: int, lang: str) -> Glyph:
    number = number_in(piece)
    if number is not None and count == 1:
        return Chip(str(number))
    return Plate(render(piece if count == 1 else say("{count} × {piece}", count=count, piece=piece), lang))


def called(piece: Piece, lang: str) -> str:
    """What stands on an open card: its name, or the id that a card without a name is known by."""
    label: Say = piece.label
    ids = [value for name, value in label.args if name == "id"]
    return str(ids[0]) if ids else render(piece, lang)


def is_face(piece: Piece) -> bool:
    """Whether the piece is what is printed on one card, of which the back is a piece of its own."""
    return piece.mark and piece.look == CARD


def is_card(piece: Piece) -> bool:
    """Whether the piece is the back of a card."""
    return CARD in (piece.look, piece.key) or piece.key.startswith(f"{CARD} ")


class Warned(Plate):
    """A plate with a red edge: a demo, or values that aren't the owner's; else without width and words."""

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(text, warning=True, pos_hint={"center_y": 0.5}, **kwargs)
        self.height = theme.length.glyph * 1.1

    def show(self, seen: View, lang: str, *, is_demo: bool) -> None:
        """What the view says; what belongs to a demo needs no other warning."""
        app = App.get_running_app()
        warning = app.words.said(lang, "provisional values") if seen.provisional else ""
        self.text = app.words.said(lang, "Demo") if is_demo else warning
