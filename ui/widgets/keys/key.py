"""The on-screen button, and a row of buttons of which one is chosen.

    Key(text="Bid 5", look="brass", on_release=…)

Brass is a frame around the paper, because brass is never the ground of text. The look of a press shows in
the same frame in which the touch arrives.
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
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_phrase_width
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    PaperBoxLayout,
    draw_border,
    draw_grain,
    draw_paper,
    fill_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import FittedLabel, measure_text_width

TWO_LINE_WIDTH_SHARES, MAX_TEXT_LINES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9), 2
"""Shares of a text's width that are tried for its two lines."""


class Key(ButtonBehavior, AutoRedrawWidget):
    """On-screen key of paper, a button.

    `brass` marks the main action, `danger` one that can't be undone easily. `felt` is a flat key
    without paper, for the bar; `icon` stands before the text or alone. The widget's whole box is
    the touch target, its paper is drawn `rim` pixels inside.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "state",
        "look",
        "icon",
        "chosen",
        "disabled",
        "looks_disabled",
        "text",
    )
    text = StringProperty("")
    look = OptionProperty("paper", options=["paper", "brass", "danger", "felt"])
    style = StringProperty("key")
    icon = StringProperty("")
    name = StringProperty("")
    """Name of the key for screen readers and tests, such as what an icon without text does."""
    chosen = BooleanProperty(defaultvalue=False)
    looks_disabled = BooleanProperty(defaultvalue=False)
    """Whether the key looks disabled but can be pressed: a press only says why it isn't possible."""
    lines = NumericProperty(2)
    abbreviates = BooleanProperty(defaultvalue=False)
    """Whether the key may shorten its text, a name, to its beginning.

    See `FittedLabel`.
    """
    has_narrow_margins = BooleanProperty(defaultvalue=False)
    """Whether the margins beside the key's text are narrow, for small keys in a crowd."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(halign="center")
        super().__init__(**kwargs)
        self.add_widget(self.label)
        for name in ("text", "style", "lines", "abbreviates", "disabled", "look", "icon"):
            self.fbind(name, self._write)
        self._write()

    def _write(self, *_: object) -> None:
        self.label.text, self.label.style = self.text, self.style
        self.label.lines, self.label.disabled = self.lines, self.disabled
        self.label.abbreviates = self.abbreviates
        self.label.halign = "left" if self.icon else "center"

    def min_width(self) -> float:
        """Returns the least width at which no word is broken."""
        return min_key_width(self.text, self.icon, has_narrow_margins=self.has_narrow_margins)

    def min_width_in_two_lines(self) -> float:
        """Returns the least width of a key of one target's height: its text takes two lines at most."""
        return min_key_width_in_two_lines(self.text, self.icon, has_narrow_margins=self.has_narrow_margins)

    def min_width_in_row(self) -> float:
        """Returns the least width in a row of keys that is one target high."""
        return self.min_width_in_two_lines()

    @property
    def face_box(self) -> Box:
        """Box of the key's paper; lower while it is pressed."""
        sizes = theme.length
        x, y, width, height = inset_box(self.box, sizes.rim / 2)
        sunk = sizes.lift if self.state == "down" or self.disabled else 0.0
        return x, y + sizes.lift - sunk, width, height - sizes.lift

    def draw(self) -> None:
        """Draws the key.

        Draws the card, the frame and the icon, and places the text.
        """
        pressed = self.state == "down"
        self.label.is_on_felt = self.look == "felt" or (
            (self.disabled or self.looks_disabled) and self._on_felt()
        )
        if self.look == "felt":
            self._draw_on_felt(pressed=pressed)
        else:
            self._draw_card(pressed=pressed)
            if self.chosen:
                self._draw_tick()
        self._place_writing()

    def _draw_tick(self) -> None:
        """Draws a tick, because the frame alone would tell it by colour only."""
        x, y, width, height = self.face_box
        side = theme.length.smallest * 0.65
        gap = theme.length.gap
        draw_icon("tick", (x + width - side - gap, y + height - side - gap, side, side), theme.INK)

    def _draw_on_felt(self, *, pressed: bool) -> None:
        if pressed or self.chosen:
            fill_box(theme.fade_colour(theme.PAPER, 0.16), self.face_box)

    def _draw_card(self, *, pressed: bool) -> None:
        sizes = theme.length
        box = self.face_box
        if self.disabled or self.looks_disabled:
            self._draw_asleep(box)
            return
        colour = theme.PAPER_PRESSED if pressed else theme.PAPER
        lift = 0.0 if pressed else sizes.lift
        if self.look in ("brass", "danger") or self.chosen:
            self._draw_framed(box, lift, colour)
        else:
            draw_paper(box, lift, colour)

    def _draw_asleep(self, box: Box) -> None:
        """Draws an inactive key: an outline on felt, paler paper on paper."""
        if self.label.is_on_felt:
            fill_box(theme.fade_colour(theme.PAPER, 0.08), box)
            draw_border(theme.fade_colour(theme.PAPER, 0.3), box, theme.length.line)
        else:
            fill_box(theme.fade_colour(theme.PAPER, 0.55), box)

    def _on_felt(self) -> bool:
        above = self.parent
        while isinstance(above, Widget) and not isinstance(above, PaperBoxLayout):
            above = above.parent
        return not isinstance(above, PaperBoxLayout)

    def _draw_framed(self, box: Box, lift: float, colour: theme.Colour) -> None:
        sizes = theme.length
        danger = self.look == "danger"
        metal, dark, lit = (
            (theme.DANGER, theme.blend_colours(theme.DANGER, theme.INK, 0.5), theme.DANGER)
            if danger
            else (theme.BRASS, theme.BRASS_DARK, theme.BRASS_LIT)
        )
        draw_paper(box, lift, metal)
        if lift:
            fill_box(dark, (box[0], box[1] - lift, box[2], box[3]))
            fill_box(metal, box)
        draw_border(lit, inset_box(box, sizes.hair), sizes.hair)
        inner = inset_box(box, sizes.rim)
        fill_box(dark, inset_box(box, sizes.rim - sizes.hair), sizes.radius - sizes.rim / 2)
        fill_box(colour, inner, sizes.radius - sizes.rim / 2)
        draw_grain(inner, 0.05, sizes.radius - sizes.rim / 2)

    def _place_writing(self) -> None:
        margin = theme.length.line if self.look == "felt" or self.has_narrow_margins else theme.length.gap
        x, y, width, height = inset_box(self.face_box, margin)
        if not self.icon:
            self.label.pos, self.label.size = (x, y), (width, height)
            return
        colour = theme.PAPER if self.label.is_on_felt else theme.INK
        colour = theme.fade_colour(colour, 0.35) if self.disabled else colour
        side = min(height, theme.length.target * 0.5)
        if not self.text:
            draw_icon(self.icon, (x + (width - side) / 2, y + (height - side) / 2, side, side), colour)
            return
        gap = theme.length.gap
        draw_icon(self.icon, (x + gap, y + (height - side) / 2, side, side), colour)
        self.label.pos = (x + side + 2.5 * gap, y)
        self.label.size = (width - side - 2.5 * gap, height)


def min_key_width(text: str, icon: str = "", *, has_narrow_margins: bool = False) -> float:
    """Returns the least width of a key with that text and icon at which no word is broken."""
    words = widest_phrase_width(text, _small) if text else 0.0
    return words + _width_beside_text(text, icon, has_narrow_margins=has_narrow_margins)


def min_key_width_in_two_lines(text: str, icon: str = "", *, has_narrow_margins: bool = False) -> float:
    """Returns the least width of a key of one target's height: its text takes two lines at most."""
    whole = _small(text)
    shares = (
        share
        for share in TWO_LINE_WIDTH_SHARES
        if count_wrapped_lines(text, whole * share + 1, _small) <= MAX_TEXT_LINES
    )
    beside = _width_beside_text(text, icon, has_narrow_margins=has_narrow_margins)
    two = whole * next(shares, 1.0) + beside if text else 0.0
    return max(theme.length.target, min_key_width(text, icon, has_narrow_margins=has_narrow_margins), two)


def _width_beside_text(text: str, icon: str, *, has_narrow_margins: bool) -> float:
    """Returns the width of the icon, the margins and the rim beside the text of a key."""
    sizes = theme.length
    picture = sizes.target * 0.5 + 2.5 * sizes.gap if icon and text else 0.0
    return picture + 2 * (sizes.line if has_narrow_margins else sizes.gap) + sizes.rim + 1


def _small(text: str) -> float:
    return measure_text_width(text, theme.length.smallest)


# A row of keys of which one is chosen


class SingleChoiceRow(BoxLayout):
    """Row of keys of which one is chosen; `choices` are (value, text) pairs, `chosen` is one of the values.

    The chosen key has a brass frame and a tick. A key's name is the row's `name` and its value.
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
