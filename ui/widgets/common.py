"""What lies before nobody: the market slot by slot, then the bank and the rest, on the felt."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.ledger import Piece
from companion.requests import Raise
from companion.view import Holding, View
from companion.words import render
from ui import theme
from ui.widgets.glyph import Chip, Glyph, glyph
from ui.widgets.inscribed import across
from ui.widgets.writing import Writing


class Common(StackLayout):
    """Each place's name and what lies there; the lot in question is framed. Marks are left out."""

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(spacing=(gap * 0.5, gap * 0.25), **kwargs)
        self._shown: object = None

    def show(self, seen: View, lang: str) -> None:
        """What the view says."""
        held = [one for one in seen.common() if one.count and not one.piece.mark]
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
            self.add_widget(piece if name == before else _named(name, piece))
            before = name

    def do_layout(self, *largs: Any) -> None:
        """What there is no room for isn't shown by halves."""
        super().do_layout(*largs)
        for child in self.children:
            child.opacity = float(child.y >= self.y - 1)


def _named(text: str, piece: Glyph) -> BoxLayout:
    """The first piece of a place stays beside the place's name."""
    pair = BoxLayout(size_hint=(None, None))
    pair.add_widget(_name(text))
    pair.add_widget(piece)
    pair.size = (sum(child.width for child in pair.children), piece.height)
    return pair


def _name(text: str) -> Writing:
    return Writing(
        text=text,
        style="quiet",
        felt=True,
        size_hint=(None, None),
        size=(across(text, theme.length.smallest) + theme.length.gap, theme.length.glyph),
    )


def _piece(one: Holding, about: Piece | None, lang: str) -> Glyph:
    made = glyph(one, lang, felt=True)
    if isinstance(made, Chip):
        made.wanted = one.piece == about
    return made
