"""What lies before nobody: the market slot by slot on the felt, and piles of cards in the bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.properties import ListProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import Raise
from companion.session.view import Holding, View
from companion.table.ledger import Piece, Place
from companion.words import render
from ui import theme
from ui.events import Tells
from ui.widgets.drawing.drawn import fill, inset, rim
from ui.widgets.drawing.inscribed import across, inscribe, lines_of
from ui.widgets.drawing.writing import Writing
from ui.widgets.pieces.glyph import Back, Chip, Glyph, glyph, is_card, is_face
from ui.widgets.pieces.laid import glyphs, named, visible
from ui.widgets.pieces.pieces import STEPS, Pieces
from ui.widgets.pieces.things import draw_thing

ASIDE = "box"
"""What lies in this place is out of the game for now."""
PILES = 2
"""So many piles have room in the bar; others lie with the rest."""


class Common(Tells, Pieces):
    """Each place's name and what lies there; the lot in question is framed. Marks and piles are left out."""

    __events__ = ("on_look",)  # it was touched, to see everything

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._shown: object = None

    def show(self, seen: View, lang: str, piles: Sequence[Holding]) -> None:
        """What the view says, but for the piles that have room elsewhere."""
        held = [one for one in common(seen) if one not in piles and one.place.what.id != ASIDE]
        held = [one for one in held if one.count is not None]
        about = seen.question.about if isinstance(seen.question, Raise) else None
        if (held, about, lang) == self._shown:
            return
        self._shown = (held, about, lang)
        places: dict[Place, list[Holding]] = {}
        for one in sorted(held, key=_weight):
            places.setdefault(one.place, []).append(one)
        things: list[Widget] = []
        before = ""
        for place, there in places.items():
            name = render(place.what, lang)
            shown = _slot(seen.numbered.get(place, place), there) or _pieces(seen, there, about, lang)
            things += shown if name == before else [named(name, shown[0], felt=True), *shown[1:]]
            before = name
        self.lay(things)

    def on_touch_down(self, touch: Any) -> bool:
        """Only a finger that came down here counts: what lies over it is touched by itself."""
        taken = bool(super().on_touch_down(touch))
        if self.collide_point(*touch.pos) and self.things:
            touch.grab(self)
            return True
        return taken

    def on_touch_up(self, touch: Any) -> bool:
        """Whoever touches it wants to see more."""
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        if self.collide_point(*touch.pos):
            self.dispatch("on_look")
        return True


class Piles(BoxLayout):
    """Cards that lie in one pile, such as a bank: the place's name over the back of a card.

    `held` are those that have `room`, which is how high they may be together; the others lie with the rest.
    """

    room = NumericProperty(0)
    held = ListProperty()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.space, **kwargs)
        self._seen: tuple[list[Holding], str] = ([], "")
        self.fbind("room", self._lay)

    def show(self, seen: View, lang: str) -> None:
        """What the view says."""
        if (_piles(seen), lang) != self._seen:
            self._seen = (_piles(seen), lang)
            self._lay()

    def _lay(self, *_: object) -> None:
        piles, lang = self._seen
        self.clear_widgets()
        left, held = self.room, []
        for one in piles:
            pile = _pile(one, lang)
            left -= pile.height + self.spacing
            if left < 0:
                break
            held.append(one)
            self.add_widget(pile)
        self.held = held


def common(seen: View) -> list[Holding]:
    """What lies before nobody and can be seen; of the marks only those that look like something."""
    return [one for one in visible(seen.common()) if one.piece.look or not one.piece.mark]


def _weight(one: Holding) -> int:
    """What lies in a row first, then marks such as prices, then open cards, then all other things."""
    if one.place.slot is not None:
        return 0
    return 1 if one.piece.mark and not is_face(one.piece) else 2 if is_face(one.piece) else 3


def _piles(seen: View) -> list[Holding]:
    """Backs of cards that lie nowhere in a row: those in the game first."""
    lone = [one for one in common(seen) if one.place.slot is None and is_card(one.piece)]
    backs = [one for one in lone if not one.piece.mark and one.count is not None]
    backs = [one for one in backs if sum(other.place == one.place for other in common(seen)) == 1]
    return sorted(backs, key=lambda one: one.place.what.id == ASIDE)[:PILES]


def _pile(one: Holding, lang: str) -> BoxLayout:
    text = render(one.place.what, lang)
    lines = lines_of(text, theme.length.bar)
    line = theme.length.smallest * 1.25 * lines
    pile = BoxLayout(orientation="vertical", size_hint_y=None)
    pile.add_widget(
        Writing(
            text=text, style="quiet", felt=True, halign="center", lines=lines, size_hint_y=None, height=line
        )
    )
    back = glyph(one, lang, felt=True)
    back.height, back.pos_hint = theme.length.piece * STEPS[1], {"center_x": 0.5}
    pile.add_widget(back)
    pile.height = line + back.height
    return pile


def _slot(place: Place, there: list[Holding]) -> list[Glyph]:
    """A card face down in a row, with what lies on it."""
    if place.slot is None or not isinstance(glyph(there[0], "en"), Back):
        return []
    return [Slot(place.slot, [one.piece for one in there[1:] for _ in range(one.count or 0)])]


def _pieces(seen: View, there: list[Holding], about: Piece | None, lang: str) -> list[Glyph]:
    made = glyphs(seen, there, lang, felt=True)
    for one, piece in zip(there, made, strict=False):
        if isinstance(piece, Chip):
            piece.wanted = one.piece == about
    return made


WIDE = 0.74
"""Of a card, as a share of its height."""
IN_A_ROW = 3
"""Coins side by side on a card."""


class Slot(Glyph):
    """As high as the row; its coins are small, but keep their shapes."""

    def __init__(self, number: int, things: Sequence[Piece], **kwargs: Any) -> None:
        self.things = things
        super().__init__(str(number), **kwargs)

    def reach(self, height: float) -> float:
        """The card and the number before it."""
        return height * WIDE + across(self.text, theme.length.smallest, theme.MONEY) + theme.length.rim

    def draw(self) -> None:
        """Number, card, coins."""
        wide = self.height * WIDE
        card = (self.right - wide, self.y, wide, self.height)
        number = (self.x + (self.width - wide - theme.length.rim) / 2, self.center_y)
        inscribe(self.text, number, theme.length.smallest, theme.QUIET, theme.MONEY)
        fill(theme.PAPER_LIT, card, theme.length.rim)
        rim(theme.INK, card, theme.length.hair, theme.length.rim)
        inner = inset(card, theme.length.line)
        fill(theme.FELT_LIT, inner, theme.length.line)
        self._draw_things(inner)

    def _draw_things(self, card: tuple[float, float, float, float]) -> None:
        x, y, wide, high = card
        few = len(self.things) <= 1
        side = min(wide, high) if few else min(wide / 2, high / IN_A_ROW)
        for at, piece in enumerate(self.things):
            across, up = (x + (wide - side) / 2, y + (high - side) / 2) if few else _spot(card, side, at)
            draw_thing(piece, "", (across, up, side, side))


def _spot(card: tuple[float, float, float, float], side: float, at: int) -> tuple[float, float]:
    """Two columns from the top."""
    x, y, wide, high = card
    return x + (at % 2) * (wide - side), y + high - side - (at // 2) * (high - side) / 2
