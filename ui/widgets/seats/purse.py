"""A place of the table as a purse: what lies there, each piece with its name, to be taken hold of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import Holding
from companion.table.ledger import Place
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import Drawn, inset, paper, rim
from ui.widgets.drawing.inscribed import lines_of
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.pieces.glyph import Back, Glyph, Thing, glyph
from ui.widgets.pieces.laid import named
from ui.widgets.pieces.pieces import Pieces

ENDLESS = "∞"


class Purse(Drawn, BoxLayout):
    """`lit`: whatever is let go now comes here. A covered holding is a back without a number."""

    shows: ClassVar[tuple[str, ...]] = ("lit",)
    lit = BooleanProperty(defaultvalue=False)

    def __init__(self, place: Place, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap, gap * 0.5), spacing=gap * 0.25, **kwargs)
        self.place, self.name, self._lang = place, render(place, lang), lang
        self.held: Sequence[Holding] = ()
        self._line = theme.length.body * 1.4
        self.head = BoxLayout(spacing=gap, size_hint_y=None, height=self._line)
        if place.seat is not None:
            self.head.add_widget(Token(colour=place.seat.colour, size_hint_x=None, width=self._line * 0.85))
        self.writing = Writing(text=self.name, style="body", line_height=1.0)
        self.head.add_widget(self.writing)
        self.things = Pieces()
        self.add_widget(self.head)
        self.add_widget(self.things)
        self.writing.bind(width=self._make_room)

    def _make_room(self, _writing: Writing, width: float) -> None:
        """A name that is too long for one line has two."""
        self.writing.lines = lines_of(self.name, width)
        self.head.height = self._line if self.writing.lines == 1 else theme.length.smallest * 2.4

    def call(self, place: Place) -> None:
        """What it is called now: a row may have closed up."""
        self.name = render(place, self._lang)
        if self.name != self.writing.text:
            self.writing.text = self.name
            self._make_room(self.writing, self.writing.width)

    def show(self, held: Sequence[Holding]) -> None:
        """What lies here now; nothing is made again where nothing has changed."""
        if list(held) != list(self.held):
            self.held = held
            self.things.lay([_lying(one, self._lang) for one in held])

    def at(self, x: float, y: float) -> Holding | None:
        """What a finger there takes hold of."""
        return next((thing.held for thing in self._shown() if thing.collide_point(x, y)), None)

    def spot(self, piece: str) -> tuple[float, float] | None:
        """Where that piece lies, if it has room here."""
        shown = (thing for thing in self._shown() if thing.held.piece.key == piece)
        return next((thing.center for thing in shown), None)

    def _shown(self) -> Iterator[Any]:
        return (thing for thing in self.things.children if thing.opacity and hasattr(thing, "held"))

    def draw(self) -> None:
        """A sheet of paper; brass round it where something may be laid down."""
        paper(self.box, theme.length.line)
        if self.lit:
            rim(theme.BRASS_DARK, inset(self.box, -theme.length.line), theme.length.rim * 1.6)
            rim(theme.BRASS, inset(self.box, -theme.length.line), theme.length.rim)


def _lying(one: Holding, lang: str) -> Widget:
    """The piece; with its name where the piece alone, or a player's sign on it, doesn't tell."""
    shown = piece_of(one, lang)
    thing: Any = shown
    is_named_by_sign = isinstance(shown, Thing) and one.piece.colour in theme.PLAYERS
    if isinstance(shown, (Thing, Back)) and not is_named_by_sign:
        thing = named(render(one.piece, lang), shown, felt=False)
    thing.held = one
    return thing


def piece_of(one: Holding, lang: str) -> Glyph:
    """How a holding looks: what never runs out has the sign of that."""
    if is_endless(one):
        shown = glyph(Holding(one.place, one.piece, 2), lang)
        shown.text = ENDLESS if isinstance(shown, (Thing, Back)) else render(one.piece, lang)
        return shown
    return glyph(one, lang)


def is_endless(one: Holding) -> bool:
    """Whether this place may owe the piece, so that there is always more of it."""
    return one.piece.endless and not one.piece.mark and one.place.seat is None
