"""Covers for secrets: a cover for handing over the screen, and a view that people hold to see a secret.

A private view shows a secret only while somebody presses the drawn hand. When the finger is lifted, the
secret is gone in the same frame, from the screen and from the widget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.table.seats import Seat
from ui import theme
from ui.events import EventMixin
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, PlainLine, Rectangle
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    box_contains,
    draw_border,
    draw_paper,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.pieces.cardback import draw_card_back
from ui.words import get_running_translator


def hand_over_text(name: str) -> str:
    """Returns whose turn it is to look at the screen alone; only a screen that stands is handed over."""
    tr = get_running_translator().tr
    if theme.is_read_from_all_sides:
        return str(tr("Only {name} looks now", name=name))
    return str(tr("{name}, take the screen", name=name))


class HandOverCover(ButtonBehavior, AutoRedrawWidget):
    """A card's back over the whole screen, with a slip that says who takes the screen, or looks alone.

    `text` says who that is, `hint` what to do ("Press when only you can see it"), and `seal` which
    letters the player's closed envelope has. The cover takes every touch, and dispatches `on_release` when it
    was pressed.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("colour", "state")
    colour = OptionProperty("orange", options=list(theme.PLAYER_LOOKS))
    text = StringProperty("")
    hint = StringProperty("")
    seal = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        self.title = FittedLabel(style="title", halign="center", lines=2)
        self.note = FittedLabel(style="body", halign="center", lines=2)
        self.seal_label = FittedLabel(style="seal", halign="center")
        super().__init__(**kwargs)
        add_children(self, self.title, self.note, self.seal_label)
        for name, label in (("text", self.title), ("hint", self.note), ("seal", self.seal_label)):
            self.fbind(name, label.setter("text"))
            label.text = getattr(self, name)

    def draw(self) -> None:
        """Draws a card's back and the slip, and places token and words on the slip."""
        Color(*theme.FELT_DARK)
        Rectangle(pos=self.pos, size=self.size)
        draw_card_back(inset_box(self.box, theme.length.gap))
        width, height = self.width * 0.66, self.height * 0.62
        x, y = self.center_x - width / 2, self.center_y - height / 2
        is_pressed = self.state == "down"
        draw_paper(
            (x, y, width, height), theme.length.lift, theme.PAPER_PRESSED if is_pressed else theme.PAPER
        )
        side = height * 0.36
        draw_player_token(self.colour, (self.center_x - side / 2, y + height * 0.56, side, side))
        margin = theme.length.space
        inner_width, seal_height = width - 2 * margin, height * 0.13 if self.seal else 0.0
        self.title.pos, self.title.size = (x + margin, y + height * 0.29), (inner_width, height * 0.25)
        self.seal_label.pos, self.seal_label.size = (
            (x + margin, y + height * 0.03),
            (inner_width, seal_height),
        )
        self.note.pos = (x + margin, y + height * 0.05 + seal_height)
        self.note.size = (inner_width, height * 0.22 - seal_height / 2)


# The private view


FINGER_LINES = (
    (0.38, 0.22, 0.09, 0.5), (0.355, 0.4, 0.27, 0.82), (0.475, 0.42, 0.455, 0.92), (0.595, 0.42, 0.64, 0.85),
           (0.705, 0.36, 0.82, 0.68),
)  # fmt: skip  # a table
"""Both ends of each finger of the drawn hand in a unit square; the thumb comes first."""
PALM_BOX = (0.29, 0.08, 0.48, 0.44)


class PrivateView(EventMixin, AutoRedrawWidget):
    """A cover that shows the secret of a seat only while somebody presses the hand on the cover.

    `build_secret()` returns a new widget with the secret for each press. Nobody keeps the widget.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_pressed",)
    is_pressed = BooleanProperty(defaultvalue=False)
    __events__ = ("on_close",)  # the view has removed itself

    def __init__(
        self,
        seat: Seat,
        build_secret: Callable[[], Widget],
        *,
        title: str,
        hint: str,
        close_text: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.seat, self._build_secret, self.name = seat, build_secret, f"hand of {seat.name}"
        self.title = FittedLabel(text=title, style="question", halign="center", lines=2)
        self.note = FittedLabel(text=hint, halign="center", lines=2)
        self.close_key = Key(text=close_text, name="close", size_hint=(None, None))
        self.close_key.bind(on_release=lambda _: self.close())
        self._secret: Widget | None = None
        add_children(self, self.title, self.note, self.close_key)

    @property
    def _slip_box(self) -> Box:
        width, height = self.width * 0.9, self.height * 0.52
        return self.center_x - width / 2, self.top - height - theme.length.margin, width, height

    @property
    def _spot(self) -> Box:
        """Box of the hand: in the middle, or left of the close key if the view is too narrow."""
        margin, available_width = (
            theme.length.margin,
            self.width - 2 * theme.length.bar - 3 * theme.length.margin,
        )
        side = min(self.height * 0.38, available_width)
        x = min(self.center_x - side / 2, self.x + margin + available_width - side)
        return x, self.y + theme.length.gap, side, side

    def close(self) -> None:
        """Hides the secret and removes the view."""
        self._hide()
        if self.parent is not None:
            self.parent.remove_widget(self)
            self.dispatch("on_close")

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a new parent: hides the secret if the view was removed."""
        if parent is None:
            self._hide()

    def on_touch_down(self, touch: Any) -> bool:
        """Shows the secret if the hand is touched. Nothing under the view gets the touch."""
        if box_contains(self._spot, *touch.pos) and self._secret is None:
            touch.grab(self)
            self._show()
        else:
            super().on_touch_down(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Hides the secret if the finger slides off the hand."""
        if touch.grab_current is self and not box_contains(self._spot, *touch.pos):
            touch.ungrab(self)
            self._hide()
        return bool(super().on_touch_move(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """Hides the secret when the finger leaves the screen."""
        if touch.grab_current is self:
            touch.ungrab(self)
            self._hide()
            return True
        return bool(super().on_touch_up(touch))

    def _show(self) -> None:
        self._secret = self._build_secret()
        x, y, width, height = inset_box(self._slip_box, theme.length.space)
        self._secret.size_hint = (None, None)
        self._secret.pos, self._secret.size = (x, y), (width, height)
        self.title.opacity = self.note.opacity = 0
        self.add_widget(self._secret)
        self.is_pressed = True

    def _hide(self) -> None:
        """Removes the secret at once, without waiting for the next frame."""
        if self._secret is not None:
            self.remove_widget(self._secret)
            self._secret = None
        self.title.opacity = self.note.opacity = 1
        self.is_pressed = False
        self._draw(0)

    def draw(self) -> None:
        """Draws a card's back, the slip, and the hand below the slip."""
        Color(*theme.FELT_DARK)
        Rectangle(pos=self.pos, size=self.size)
        draw_card_back(inset_box(self.box, theme.length.gap))
        slip, gap = self._slip_box, theme.length.gap
        draw_paper(slip, theme.length.lift)
        x, y, width, height = slip
        if not self.is_pressed:
            side = height * 0.34
            draw_player_token(self.seat.colour, (self.center_x - side / 2, y + height * 0.6, side, side))
        self.title.pos, self.title.size = (x + gap, y + height * 0.28), (width - 2 * gap, height * 0.28)
        self.note.pos, self.note.size = (x + gap, y + height * 0.04), (width - 2 * gap, height * 0.22)
        draw_hand_plate(self._spot, is_lit=self.is_pressed)
        key_width = theme.length.bar * 2
        self.close_key.size = (key_width, theme.length.row)
        self.close_key.pos = (self.right - key_width - theme.length.margin, self.y + theme.length.margin)


def draw_hand_plate(box: Box, *, is_lit: bool) -> None:
    """Draws a plate of felt with an open hand in brass."""
    fill_rounded_box(theme.FELT, box)
    draw_border(theme.BRASS_LIT if is_lit else theme.BRASS_DARK, box, theme.length.rim)
    _draw_hand_lines(inset_box(box, box[2] * 0.1), theme.BRASS_LIT if is_lit else theme.BRASS)


def _draw_hand_lines(box: Box, colour: Colour) -> None:
    x, y, side, _ = box
    Color(*colour)
    for ax, ay, bx, by in FINGER_LINES:
        points = [x + ax * side, y + ay * side, x + bx * side, y + by * side]
        PlainLine(points=points, width=side * 0.06, cap="round")
    left, bottom, width, height = PALM_BOX
    fill_rounded_box(colour, (x + left * side, y + bottom * side, width * side, height * side), side * 0.16)
