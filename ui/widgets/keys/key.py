"""The key, a piece of card to press, and a row of keys of which one is chosen.

    Key(text="Bid 5", look="brass", on_release=…)

Brass is a frame around the paper, because brass is never the ground of text.
The look of a press shows in the same frame in which the touch arrives.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.line_breaking import lines_in, longest_phrase
from ui.widgets.drawing.surfaces import Box, Drawn, Sheet, fill, inset, paper, rim, texture_over
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import Writing, across

TWO_LINES, MOST_LINES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9), 2
"""Shares of a text's width that are tried for its two lines."""


class Key(ButtonBehavior, Drawn):
    """Paper to press; `brass` is the thing to do now, `danger` what can't be taken lightly.

    `felt` is a flat key without paper, for the bar; `icon` stands before the text or alone.
    The widget's whole box is the target, its paper is drawn `rim` pixels inside.
    """

    shows: ClassVar[tuple[str, ...]] = ("state", "look", "icon", "chosen", "disabled", "faint", "text")
    text = StringProperty("")
    look = OptionProperty("paper", options=["paper", "brass", "danger", "felt"])
    style = StringProperty("key")
    icon = StringProperty("")
    name = StringProperty("")
    """What an icon without text does, for whoever can't see it (and for tests)."""
    chosen = BooleanProperty(defaultvalue=False)
    faint = BooleanProperty(defaultvalue=False)
    """Whether it can be pressed, but only says why it can't do what it says."""
    lines = NumericProperty(2)
    abbreviates = BooleanProperty(defaultvalue=False)
    """Whether its text, a name, may be shown by its beginning: see `Writing`."""
    is_full = BooleanProperty(defaultvalue=False)
    """Whether its text may come close to its edge, where keys are small and many."""

    def __init__(self, **kwargs: Any) -> None:
        self.writing = Writing(halign="center")
        super().__init__(**kwargs)
        self.add_widget(self.writing)
        for name in ("text", "style", "lines", "abbreviates", "disabled", "look", "icon"):
            self.fbind(name, self._write)
        self._write()

    def _write(self, *_: object) -> None:
        self.writing.text, self.writing.style = self.text, self.style
        self.writing.lines, self.writing.disabled = self.lines, self.disabled
        self.writing.abbreviates = self.abbreviates
        self.writing.halign = "left" if self.icon else "center"

    def across_at_least(self) -> float:
        """How wide it must be, that no word on it is broken."""
        return across_key(self.text, self.icon, is_full=self.is_full)

    def across_in_two_lines(self) -> float:
        """How wide it must be where it is a target high: its words take no more than two lines."""
        sizes, whole = theme.length, _small(self.text)
        shares = (
            share for share in TWO_LINES if lines_in(self.text, whole * share + 1, _small) <= MOST_LINES
        )
        two = whole * next(shares, 1.0) + 1 + 2 * sizes.gap + sizes.rim
        return max(sizes.target, self.across_at_least(), two)

    @property
    def face(self) -> Box:
        """Where its paper lies now: lower while it is pressed."""
        sizes = theme.length
        x, y, width, height = inset(self.box, sizes.rim / 2)
        sunk = sizes.lift if self.state == "down" or self.disabled else 0.0
        return x, y + sizes.lift - sunk, width, height - sizes.lift

    def draw(self) -> None:
        """Card, frame, icon; the writing is moved with them."""
        pressed = self.state == "down"
        self.writing.felt = self.look == "felt" or ((self.disabled or self.faint) and self._on_felt())
        if self.look == "felt":
            self._draw_on_felt(pressed=pressed)
        else:
            self._draw_card(pressed=pressed)
            if self.chosen:
                self._draw_tick()
        self._place_writing()

    def _draw_tick(self) -> None:
        """The frame alone would say it by colour only."""
        x, y, width, height = self.face
        side = theme.length.smallest * 0.65
        gap = theme.length.gap
        draw_icon("tick", (x + width - side - gap, y + height - side - gap, side, side), theme.INK)

    def _draw_on_felt(self, *, pressed: bool) -> None:
        if pressed or self.chosen:
            fill(theme.fade(theme.PAPER, 0.16), self.face)

    def _draw_card(self, *, pressed: bool) -> None:
        sizes = theme.length
        box = self.face
        if self.disabled or self.faint:
            self._draw_asleep(box)
            return
        colour = theme.PAPER_PRESSED if pressed else theme.PAPER
        lift = 0.0 if pressed else sizes.lift
        if self.look in ("brass", "danger") or self.chosen:
            self._draw_framed(box, lift, colour)
        else:
            paper(box, lift, colour)

    def _draw_asleep(self, box: Box) -> None:
        """On felt no more than an outline; on paper a paler piece of it."""
        if self.writing.felt:
            fill(theme.fade(theme.PAPER, 0.08), box)
            rim(theme.fade(theme.PAPER, 0.3), box, theme.length.line)
        else:
            fill(theme.fade(theme.PAPER, 0.55), box)

    def _on_felt(self) -> bool:
        above = self.parent
        while isinstance(above, Widget) and not isinstance(above, Sheet):
            above = above.parent
        return not isinstance(above, Sheet)

    def _draw_framed(self, box: Box, lift: float, colour: theme.Colour) -> None:
        sizes = theme.length
        danger = self.look == "danger"
        metal, dark, lit = (
            (theme.DANGER, theme.blend(theme.DANGER, theme.INK, 0.5), theme.DANGER)
            if danger
            else (theme.BRASS, theme.BRASS_DARK, theme.BRASS_LIT)
        )
        paper(box, lift, metal)
        if lift:
            fill(dark, (box[0], box[1] - lift, box[2], box[3]))
            fill(metal, box)
        rim(lit, inset(box, sizes.hair), sizes.hair)
        inner = inset(box, sizes.rim)
        fill(dark, inset(box, sizes.rim - sizes.hair), sizes.radius - sizes.rim / 2)
        fill(colour, inner, sizes.radius - sizes.rim / 2)
        texture_over(inner, 0.05, sizes.radius - sizes.rim / 2)

    def _place_writing(self) -> None:
        margin = theme.length.line if self.look == "felt" or self.is_full else theme.length.gap
        x, y, width, height = inset(self.face, margin)
        if not self.icon:
            self.writing.pos, self.writing.size = (x, y), (width, height)
            return
        colour = theme.PAPER if self.writing.felt else theme.INK
        colour = theme.fade(colour, 0.35) if self.disabled else colour
        side = min(height, theme.length.target * 0.5)
        if not self.text:
            draw_icon(self.icon, (x + (width - side) / 2, y + (height - side) / 2, side, side), colour)
            return
        gap = theme.length.gap
        draw_icon(self.icon, (x + gap, y + (height - side) / 2, side, side), colour)
        self.writing.pos = (x + side + 2.5 * gap, y)
        self.writing.size = (width - side - 2.5 * gap, height)


def across_key(text: str, icon: str = "", *, is_full: bool = False) -> float:
    """How wide a key with that text and icon must be, that no word is broken."""
    sizes = theme.length
    words = longest_phrase(text, _small) if text else 0.0
    picture = sizes.target * 0.5 + 2.5 * sizes.gap if icon and text else 0.0
    return words + picture + 2 * (sizes.line if is_full else sizes.gap) + sizes.rim + 1


def _small(text: str) -> float:
    return across(text, theme.length.smallest)


# A row of keys of which one is chosen


class Chips(BoxLayout):
    """`choices` are (value, text) pairs, `chosen` one of the values.

    The chosen one wears a brass frame and a tick. The keys are called by `name` and their value.
    """

    choices = ListProperty()
    chosen = ObjectProperty(None, allownone=True)
    style = StringProperty("key")
    name = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap / 2)
        super().__init__(**kwargs)
        self.bind(choices=self._lay, chosen=self._mark)
        self._lay()

    def _lay(self, *_: object) -> None:
        self.clear_widgets()
        pairs: Sequence[tuple[Hashable, str]] = self.choices
        for value, text in pairs:
            key = Key(text=text, style=self.style, on_release=self._choose)
            key.value = value
            key.name = f"{self.name} {value}" if self.name else ""
            self.add_widget(key)
        self._mark()

    def _mark(self, *_: object) -> None:
        for key in self.children:
            key.chosen = key.value == self.chosen

    def _choose(self, key: Key) -> None:
        self.chosen = key.value
