"""An envelope with a sealed answer: waiting, closed under a player's seal, or open.

Envelope(colour="sky", name="Ben", is_waiting=False).open("12")
"""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.canvas_diff import Color, SmoothLine, SmoothTriangle
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_grain,
    draw_shadow,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import (
    FittedLabel,
    count_left_out_letters,
    measure_text_width,
    min_name_width,
    wrap_name,
)

FLAP_HEIGHT_SHARE, MAX_FLAP_SHARE_OF_WIDTH = 0.62, 0.4
"""Height of a flap as a share of its envelope's height, and at most as a share of its width."""
TOKEN_SHARE, MAX_TOKEN_SHARE_OF_WIDTH = 0.44, 0.7
"""Height of the token, which is the seal, as a share of an envelope's height, and at most of its width."""
MAX_NAME_LINES_BESIDE = 3
"""The most lines of a name beside an envelope."""
_UPRIGHT = 0.5
"""The value of `flap` at which the turning flap is seen from its edge."""


def raised_flap_height(width: float, height: float) -> float:
    """Returns the height of the raised flap of an envelope."""
    return min(height * FLAP_HEIGHT_SHARE, width * MAX_FLAP_SHARE_OF_WIDTH)


def envelope_name_height(line_count: int) -> float:
    """Returns the height of a name of `line_count` lines below an envelope."""
    return max(theme.length.body * 1.5, theme.length.smallest * 1.35 * line_count + theme.length.rim)


class Envelope(EventMixin, AutoRedrawWidget):
    """A player's envelope, with the `name` below it and the player's token on it, as its seal.

    `answer_text` is the answer on the slip. `flap` runs from 0 (shut) to 1 (up), `slip` from 0 (inside) to 1
    (out). `height_to_width` is the ratio of height to width, `max_body_width` the most width of the body.
    `raised_flap_share` is the most height of the raised flap, relative to the width of the body.
    `name_lines` is the number of lines that the name may take. With `has_name_beside`, the name is beside the
    body instead, which then has its most width.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "colour",
        "is_waiting",
        "flap",
        "slip",
        "is_winner",
        "height_to_width",
        "max_body_width",
        "raised_flap_share",
        "name_lines",
        "has_name_beside",
    )
    colour = OptionProperty("orange", options=list(theme.PLAYER_LOOKS))
    name = StringProperty("")
    answer_text = StringProperty("")
    is_waiting = BooleanProperty(defaultvalue=True)
    is_winner = BooleanProperty(defaultvalue=False)
    flap = NumericProperty(0.0)
    slip = NumericProperty(0.0)
    height_to_width = NumericProperty(0.6)
    max_body_width = NumericProperty(inf)
    raised_flap_share = NumericProperty(MAX_FLAP_SHARE_OF_WIDTH)
    name_lines = NumericProperty(1)
    has_name_beside = BooleanProperty(defaultvalue=False)
    __events__ = ("on_opened",)  # people can read the answer

    def __init__(self, **kwargs: Any) -> None:
        self.name_label = FittedLabel(halign="center", valign="top", is_on_felt=True)
        self.answer_label = FittedLabel(style="amount", halign="center")
        super().__init__(**kwargs)
        add_children(self, self.name_label, self.answer_label)
        for name in (
            "name",
            "name_lines",
            "answer_text",
            "slip",
            "size",
            "max_body_width",
            "has_name_beside",
        ):
            self.fbind(name, self._update_labels)
        self._update_labels()

    def open(self, answer_text: str) -> None:
        """Raises the flap, then the slip with the answer."""
        self.answer_text = answer_text
        flap_animation = Animation(
            flap=1.0, duration=theme.animation_seconds(theme.TURN_SECONDS), t="out_cubic"
        )
        slip_animation = Animation(
            slip=1.0, duration=theme.animation_seconds(theme.SLIDE_SECONDS), t="out_cubic"
        )
        flap_animation.bind(on_complete=lambda *_: slip_animation.start(self))
        slip_animation.bind(on_complete=lambda *_: self.dispatch("on_opened"))
        flap_animation.start(self)

    def skip_animation(self) -> None:
        """Stops the animation and opens the envelope at once."""
        Animation.cancel_all(self)
        self.flap = self.slip = 1.0
        self.dispatch("on_opened")

    def _update_labels(self, *_: object) -> None:
        lines = (
            wrap_name(self.name, self._name_width_beside(self.width), max_lines=MAX_NAME_LINES_BESIDE)
            if self.has_name_beside
            else wrap_name(self.name, self.width, max_lines=int(self.name_lines))
        )
        self.name_label.lines, self.name_label.text = len(lines), "\n".join(lines)
        self.answer_label.text = self.answer_text if self.slip else ""

    def draw(self) -> None:
        """Draws the parts from back to front: raised flap, slip, body, shut flap, seal."""
        body = self.body_box()
        self.name_label.valign = "middle" if self.has_name_beside else "top"
        self.name_label.halign = "left" if self.has_name_beside else "center"
        if self.has_name_beside:
            width = self._name_width_beside(self.width)
            self.name_label.pos, self.name_label.size = (self.right - width, self.y), (width, self.height)
        else:
            self._place_name_below(body)
        if self.is_waiting:
            self._draw_empty_place(body)
            return
        if self.flap > _UPRIGHT:
            self._draw_flap(body)
        if self.slip:
            self._draw_slip(body)
        self._draw_body(body)
        if self.flap <= _UPRIGHT:
            self._draw_flap(body)
        draw_player_token(self.colour, self.token_box())

    def _place_name_below(self, body: Box) -> None:
        """Places the name below the body, and the frame of a winner; beside the token if that is there."""
        height = body[1] - self.y - 2 * theme.length.rim
        self.name_label.pos, self.name_label.size = self.pos, (self.width, height)
        if self._has_token_beside_name:
            side = theme.length.glyph + theme.length.gap / 2
            width = min(self.name_label.one_line_width(), self.width - side)
            self.name_label.x, self.name_label.width = self.center_x - (width - side) / 2, width

    def body_box(self) -> Box:
        """Returns the box of the envelope's body, below the raised flap, and above or beside the name."""
        if self.has_name_beside:
            width, height = self.max_body_width, self.max_body_width * self.height_to_width
            whole_height = height + self._raised_flap_height(width, height)
            return self.x, self.y + max(0.0, self.height - whole_height) / 2, width, height
        height_to_width = self.height_to_width + self._raised_flap_height(1.0, self.height_to_width)
        body_width = min(
            self.width,
            self.max_body_width,
            (self.height - self.name_area_height) * 1.12 / height_to_width,
        )
        return (
            self.center_x - body_width / 2,
            self.y + self.name_area_height,
            body_width,
            body_width * self.height_to_width,
        )

    def _raised_flap_height(self, width: float, height: float) -> float:
        return float(min(raised_flap_height(width, height), self.raised_flap_share * width))

    def fits_beside_name(self, width: float, height: float) -> bool:
        """Returns whether the whole name has room beside the body, both in this size."""
        name_width = self._name_width_beside(width)
        lines = wrap_name(self.name, name_width, max_lines=MAX_NAME_LINES_BESIDE)
        is_low_enough = len(lines) * theme.length.smallest * theme.NOTE_LINE_HEIGHT <= height
        is_whole = min_name_width(self.name) <= name_width
        return bool(is_low_enough and is_whole) and not count_left_out_letters(self.name, lines)

    def _name_width_beside(self, width: float) -> float:
        return float(max(1.0, width - self.max_body_width - theme.length.gap))

    def token_box(self) -> Box:
        """Returns the box of the owner's token: in the middle of the body, or beside the name."""
        if not self._has_token_beside_name:
            return _middle_box(self.body_box(), TOKEN_SHARE)
        side, label = theme.length.glyph, self.name_label
        middle = label.top - theme.length.body * label.line_height / 2  # the name is at the label's top
        return label.x - theme.length.gap / 2 - side, middle - side / 2, side, side

    @property
    def _has_token_beside_name(self) -> bool:
        """Whether the body is too low for a token that people recognise, and the name leaves room for it."""
        side = theme.length.glyph
        if self.has_name_beside or _middle_box(self.body_box(), TOKEN_SHARE)[2] >= side:
            return False
        # A long name may have the smallest letters: the token says sooner whose envelope it is.
        name_width = measure_text_width(self.name, theme.length.smallest, bold=False)
        has_room = name_width + side + theme.length.gap / 2 <= self.width
        return bool(has_room and self.name_label.lines == 1)

    @property
    def name_area_height(self) -> float:
        """Height of the name below the envelope."""
        return envelope_name_height(int(self.name_lines))

    def _draw_empty_place(self, body: Box) -> None:
        fill_rounded_box(theme.multiply_opacity(theme.FELT_DARK, 0.5), body)
        draw_border(theme.multiply_opacity(theme.QUIET, 0.45), body, theme.length.line)
        draw_player_token(self.colour, _middle_box(body, 0.42), 0.35)

    def _draw_flap(self, body: Box) -> None:
        x, y, width, height = body
        edge = theme.length.radius * 0.4
        top = y + height - edge * 0.4
        measure = raised_flap_height if self.flap <= _UPRIGHT else self._raised_flap_height
        drop = measure(width, height) * (1 - 2 * self.flap)
        colour = theme.KRAFT if self.flap <= _UPRIGHT else theme.KRAFT_DARK
        Color(*colour)
        corners = [x + edge, top, x + width - edge, top, x + width / 2, top - drop]
        SmoothTriangle(points=corners)
        Color(*theme.BRASS_DARK)
        SmoothLine(points=[*corners[:2], *corners[4:], *corners[2:4]], width=theme.length.hair, joint="round")

    def _draw_slip(self, body: Box) -> None:
        x, y, width, height = body
        slip = (x + width * 0.09, y + height * (0.1 + 0.8 * self.slip), width * 0.82, height * 0.9)
        draw_shadow(slip, 0, 0.6)
        fill_rounded_box(theme.PAPER_LIT, slip, theme.length.radius * 0.4)
        draw_grain(slip, 0.05, theme.length.radius * 0.4)
        top = max(y + height, slip[1])
        self.answer_label.pos = (slip[0], top)
        self.answer_label.size = (slip[2], max(1.0, slip[1] + slip[3] - top))

    def _draw_body(self, body: Box) -> None:
        x, y, width, height = body
        colour = theme.PLAYER_LOOKS[self.colour].colour
        radius = theme.length.radius * 0.5
        draw_shadow(body, theme.length.line)
        fill_rounded_box(theme.KRAFT, body, radius)
        draw_grain(body, 0.06, radius)
        Color(*theme.multiply_opacity(theme.KRAFT_DARK, 0.9))
        for side in (x + theme.length.line, x + width - theme.length.line):
            SmoothLine(
                points=[side, y + theme.length.line, x + width / 2, y + height * 0.52],
                width=theme.length.hair,
            )
        draw_border(colour, inset_box(body, 0), theme.length.rim, radius)
        if self.is_winner:  # dark beside the colour of any player, then light on the felt
            draw_border(theme.INK, inset_box(body, -theme.length.rim), theme.length.rim, radius)
            draw_border(theme.PAPER_LIT, inset_box(body, -2 * theme.length.rim), theme.length.rim, radius)


def _middle_box(body: Box, share: float) -> Box:
    """Returns a square in the middle of a body, with a share of its height, but not too small for a token."""
    x, y, width, height = body
    side = min(max(height * share, theme.length.min_token), height, width * MAX_TOKEN_SHARE_OF_WIDTH)
    return x + (width - side) / 2, y + (height - side) / 2, side, side
