"""What lies before nobody: the market slot by slot on the felt, and piles of cards in the bar."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.ledger import Piece
from companion.requests import Raise
from companion.view import Holding, View
from companion.words import render
from ui import theme
from ui.widgets.glyph import Back, Chip, Glyph, glyph
from ui.widgets.inscribed import across
from ui.widgets.pieces import STEPS, Named, Pieces
from ui.widgets.writing import Writing


class Common(Pieces):
    """Each place's name and what lies there; the lot in question is framed. Marks and piles are left out."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._shown: object = None

    def show(self, seen: View, lang: str) -> None:
        """What the view says."""
        held = [one for one in _common(seen) if not _is_pile(one, lang)]
        held.sort(key=lambda one: one.place.slot is None)
        about = seen.question.about if isinstance(seen.question, Raise) else None
        if (held, about, lang) == self._shown:
            return
        self._shown = (held, about, lang)
        self.clear_widgets()
        before = ""
        for one in held:
            name = render(one.place.what, lang)
            piece = _piece(one, about, lang)
            self.add_widget(piece if name == before else Named(_name(name), piece))
            before = name


class Piles(BoxLayout):
    """Cards that lie in one pile, such as a bank: the place's name over the back of a card."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.space, **kwargs)
        self._shown: object = None

    def show(self, seen: View, lang: str) -> None:
        """What the view says."""
        held = [one for one in _common(seen) if _is_pile(one, lang)]
        if (held, lang) == self._shown:
            return
        self._shown = (held, lang)
        self.clear_widgets()
        for one in held:
            self.add_widget(_pile(one, lang))


def _common(seen: View) -> list[Holding]:
    return [one for one in seen.common() if one.count and not one.piece.mark]


def _is_pile(one: Holding, lang: str) -> bool:
    return one.place.slot is None and isinstance(glyph(one, lang), Back)


def _pile(one: Holding, lang: str) -> BoxLayout:
    text, line = render(one.place.what, lang), theme.length.smallest * 1.3
    pile = BoxLayout(orientation="vertical", size_hint_y=None)
    pile.add_widget(
        Writing(text=text, style="quiet", felt=True, halign="center", size_hint_y=None, height=line)
    )
    back = glyph(one, lang, felt=True)
    back.height, back.pos_hint = theme.length.piece * STEPS[1], {"center_x": 0.5}
    pile.add_widget(back)
    pile.height = line + back.height
    return pile


def _name(text: str) -> Writing:
    width = across(text, theme.length.smallest) + theme.length.gap
    return Writing(text=text, style="quiet", felt=True, size_hint=(None, None), width=width)


def _piece(one: Holding, about: Piece | None, lang: str) -> Glyph:
    made = glyph(one, lang, felt=True)
    if isinstance(made, Chip):
        made.wanted = one.piece == about
    return made
