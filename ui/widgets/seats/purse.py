"""A place of the table as a purse: what lies there, each piece with its name, to be taken hold of."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, ClassVar

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.view import Holding
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, brass_round, is_within, paper
from ui.widgets.drawing.symbols import Token
from ui.widgets.drawing.text import REST, Writing, lines_of, within
from ui.widgets.pieces.glyph import Glyph
from ui.widgets.pieces.marks import ON_PAPER, Beside, Mark, Said, digits, middle
from ui.widgets.pieces.pieces import Pieces
from ui.widgets.pieces.things import THINGS
from ui.widgets.pieces.worded import is_drawn, lying, picture

ENDLESS_SIGN = "∞"
MAX_NAME_LINES = 2
"""Lines that its name may have."""
EASY_PIECE_SHARE = 0.67
"""Pieces like to be no smaller than this share of the largest."""


class Purse(Drawn, BoxLayout):
    """`lit`: whatever is let go now comes here. A covered holding is a back without a number."""

    shows: ClassVar[tuple[str, ...]] = ("lit",)
    lit = BooleanProperty(defaultvalue=False)

    def __init__(self, place: Place, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap, gap * 0.5), spacing=gap * 0.25, **kwargs)
        self.place, self.name, self._lang = place, render(place, lang), lang
        self._line = theme.length.body * 1.4
        self.head = BoxLayout(spacing=gap, size_hint_y=None, height=self._line)
        if place.seat is not None:
            put(self.head, Token(colour=place.seat.colour, size_hint_x=None, width=self._line * 0.85))
        self.writing = Writing(text=self.name, style="body", line_height=1.0, abbreviates=True)
        self.things = Pieces(lambda one: _named(one, lang))
        put(self, put(self.head, self.writing), self.things)
        self.writing.bind(width=self._make_room)

    def _make_room(self, _writing: Writing, width: float) -> None:
        """A name that is too long for one line has two."""
        self.writing.lines = lines_of(self.name, width)
        self.head.height = self._line if self.writing.lines == 1 else theme.length.smallest * 2.4

    def needed_height(self, width: float, piece_share: float = EASY_PIECE_SHARE) -> float:
        """How high it must be where it is so wide, so that it can be touched, and its pieces taken hold of.

        `share`: how large these are, of the largest. Without end where its name has no room.
        """
        gap, token = theme.length.gap, self._line * 0.85 + theme.length.gap
        inner = width - 2 * gap
        named = inner - (token if self.place.seat is not None else 0.0)
        lines = within(self.name, named)
        if len(lines) > MAX_NAME_LINES and not lines[-1].endswith(REST):
            return inf
        head = self._line if lines_of(self.name, named) == 1 else theme.length.smallest * 2.4
        return max(theme.length.target, head + gap * 1.25 + self.things.high(inner, piece_share))

    def show_name(self, place: Place) -> None:
        """What it is called now: a row may have closed up."""
        self.name = render(place, self._lang)
        if self.name != self.writing.text:
            self.writing.text = self.name
            self._make_room(self.writing, self.writing.width)

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """What lies here now; nothing is drawn again where nothing has changed."""
        self.things.held = tuple(holdings)

    @property
    def holdings(self) -> Sequence[Holding]:
        """What lies here."""
        found: Sequence[Holding] = self.things.held
        return found

    def holding_at(self, x: float, y: float) -> Holding | None:
        """What a finger there takes hold of."""
        return next((held for held, placed in self.things.placed if is_within(placed.box, x, y)), None)

    def position_of(self, piece: str) -> tuple[float, float] | None:
        """Where that piece lies, if it has room here."""
        found = (placed.box for held, placed in self.things.placed if held.piece.key == piece)
        return next((middle(box) for box in found), None)

    def draw(self) -> None:
        """A sheet of paper; brass round it where something may be laid down."""
        paper(self.box, theme.length.line)
        if self.lit:
            brass_round(self.box)


def _named(one: Holding, lang: str) -> Mark:
    """The piece; behind its name where the piece alone, or a player's sign on it, doesn't tell."""
    is_told = one.piece.look in THINGS and one.piece.colour in theme.PLAYERS and one.count is not None
    if is_told or not (is_drawn(one.piece) or one.count is None):
        return _taken(one, lang)
    name = Said(render(one.piece, lang), ON_PAPER.quiet, 0.0, bold=False)
    return Beside(name, _taken(one, lang))


def _taken(one: Holding, lang: str) -> Mark:
    """How a holding looks: what never runs out has the sign of that."""
    if not one.is_endless:
        return lying(one, lang)
    alone = picture(one.piece, lang, ON_PAPER)
    return Beside(alone, digits(ENDLESS_SIGN, ON_PAPER.word)) if is_drawn(one.piece) else alone


def holding_picture(one: Holding, lang: str) -> Glyph:
    """A holding under a finger."""
    return Glyph(_taken(one, lang))
