"""A widget that draws itself, and the surfaces of most widgets: paper, felt, shadows, grain, corners."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil, exp, hypot
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.graphics import Fbo
from kivy.graphics.texture import Texture
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import (
    AppliedInstructions,
    BorderImage,
    Color,
    Mesh,
    Rectangle,
    RoundedRectangle,
    record_drawing,
    update_canvas,
)

_GRAIN = 128
_SHADOW = 64
_VIGNETTE = 48
_WHITE = b"\xff"


def _make_texture(side: int, light: bytes, alpha: bytes, wrap: str | None = None) -> Texture:
    texture = Texture.create(size=(side, side), colorfmt="luminance_alpha")
    data = bytearray(2 * side * side)
    data[::2], data[1::2] = light, alpha
    texture.blit_buffer(bytes(data), colorfmt="luminance_alpha", bufferfmt="ubyte")
    texture.min_filter = texture.mag_filter = "linear"
    if wrap:
        texture.wrap = wrap
    return texture


@cache
def make_grain_texture() -> Texture:
    """Returns a repeating texture of light and dark specks, to draw faintly over a surface.

    It repeats every 128 pixels.
    """
    rng, pixels = random.Random(7), _GRAIN * _GRAIN
    strengths = bytes(int(min(255, abs(rng.gauss(0, 60)))) for _ in range(256))
    tones = bytes(255 * (tone % 2) for tone in range(256))
    # One look-up a pixel: a sum a pixel would delay the first frame by 15 ms.
    return _make_texture(
        _GRAIN, rng.randbytes(pixels).translate(tones), rng.randbytes(pixels).translate(strengths), "repeat"
    )


@cache
def make_shadow_texture() -> Texture:
    """Returns the texture of a soft rectangular shadow, to stretch at its borders (a third each)."""
    third = _SHADOW / 3

    def alpha(x: int, y: int) -> int:
        outside = hypot(
            max(0.0, third - x, x - (_SHADOW - 1 - third)),
            max(0.0, third - y, y - (_SHADOW - 1 - third)),
        )
        edge = max(0.0, 1 - outside / third)
        return int(255 * edge * edge * (3 - 2 * edge))

    pixels = bytes(alpha(x, y) for y in range(_SHADOW) for x in range(_SHADOW))
    return _make_texture(_SHADOW, _WHITE * len(pixels), pixels)


@lru_cache(maxsize=512)
def make_rounded_texture(radius: float, rim_width: float | None) -> Texture:
    """Returns the texture of a square with round corners, filled or only its rim; its middle stretches.

    Corners take `radius` pixels, or `rim_width` if that is more; two pixels lie between them.
    """
    half = ceil(max(radius, rim_width or 0)) + 1

    def inside(x: float, y: float) -> float:
        """How far from the edge."""
        if x < radius and y < radius:
            return radius - hypot(radius - x, radius - y)
        return min(x, y)

    def alpha(x: int, y: int) -> int:
        deep = inside(x + 0.5, y + 0.5)
        shown = _coverage(deep) if rim_width is None else _coverage(deep) - _coverage(deep - rim_width)
        return round(255 * shown)

    quarter = [bytes(alpha(x, y) for x in range(half)) for y in range(half)]
    rows = [row + row[::-1] for row in quarter]
    pixels = b"".join([*rows, *reversed(rows)])
    return _make_texture(2 * half, _WHITE * len(pixels), pixels)


def _coverage(deep: float) -> float:
    """Returns the share of a pixel inside an edge, from the distance of its middle to the edge."""
    return max(0.0, min(1.0, 0.5 + deep))


@cache
def make_vignette_texture() -> Texture:
    """Returns a texture that gets dark from the middle to the corners; dithered, so that no rings show."""
    rng = random.Random(11)
    middle = (_VIGNETTE - 1) / 2

    across = [exp(-1.6 * ((x - middle) / middle) ** 2) for x in range(_VIGNETTE)]
    up = [255 * exp(-1.6 * ((y - middle) * 0.9 / middle) ** 2) for y in range(_VIGNETTE)]
    lit = (column * row + 3 * rng.random() - 1.5 for row in up for column in across)
    pixels = bytes([int(max(0.0, min(255.0, light))) for light in lit])
    return _make_texture(_VIGNETTE, _WHITE * len(pixels), pixels)


# Round corners


_EDGE = (0, 1, 2, 4, 6, 8, 9, 10)
_MIDDLE = 5
"""The squares between four times four corners, each as the index of its first corner."""


def _triangles(squares: Sequence[int]) -> array[int]:
    return array("H", [first + corner for first in squares for corner in (0, 1, 5, 0, 5, 4)])


_WHOLE, _RIM = _triangles((*_EDGE, _MIDDLE)), _triangles(_EDGE)


def draw_rounded_rectangle(
    box: tuple[float, float, float, float], radius: float, rim_width: float | None = None
) -> None:
    """Draws a rounded rectangle in the current colour, filled or only its rim, which lies within the box.

    `box` is rounded to whole pixels, so that a rim is equally thick on every side. The radius is rounded to
    half a pixel, so that a growing layout needs few textures.
    """
    left, low, right, top = round(box[0]), round(box[1]), round(box[0] + box[2]), round(box[1] + box[3])
    half = max(0.0, min(right - left, top - low) / 2)
    corner = round(2 * min(radius, half)) / 2
    picture = make_rounded_texture(corner, rim_width)
    Mesh(
        vertices=_corners(left, low, right, top, min(half, max(corner, rim_width or 0.0)), picture.width),
        indices=_WHOLE if rim_width is None else _RIM,
        mode="triangles",
        texture=picture,
    )


@lru_cache(maxsize=4096)  # what lies still is found again, and found equal by being the same
def _corners(left: int, low: int, right: int, top: int, edge: float, side: int) -> array[float]:
    """Returns x, y, u, v of each corner: its place in the window and in a texture of `side` pixels."""
    part = edge / side
    across = ((left, 0.0), (left + edge, part), (right - edge, 1 - part), (right, 1.0))
    up = ((low, 0.0), (low + edge, part), (top - edge, 1 - part), (top, 1.0))
    return array("f", [value for y, v in up for x, u in across for value in (x, y, u, v)])


# Drawing in a rectangle, and the widgets that do


Box = tuple[float, float, float, float]
"""x, y, width, height in window pixels."""


class AutoRedrawWidget(Widget):
    """Widget that redraws itself, at most once a frame, if its box or one of `redraw_properties` changes."""

    redraw_properties: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._applied: AppliedInstructions = []
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", *self.redraw_properties):
            self.fbind(name, self._draw_soon)
        self._draw_soon()

    @property
    def box(self) -> Box:
        """Position and size of the widget: x, y, width, height."""
        return self.x, self.y, self.width, self.height

    def draw(self) -> None:
        """Draws the widget and places its children; each subclass implements it."""
        raise NotImplementedError  # each kind of widget says it

    def _draw(self, _seconds: float) -> None:
        self._applied = update_canvas(self.canvas.before, self._applied, record_drawing(self.draw))


def inset_box(box: Box, margin: float) -> Box:
    """Returns the box made smaller by a margin on every side."""
    x, y, width, height = box
    return x + margin, y + margin, max(0.0, width - 2 * margin), max(0.0, height - 2 * margin)


def box_contains(box: Box, x: float, y: float) -> bool:
    """Whether a point lies in the box."""
    left, low, width, height = box
    return left <= x <= left + width and low <= y <= low + height


def fill_box(colour: Colour, box: Box, radius: float | None = None) -> None:
    """Fills a box with a colour, with round corners.

    If `radius` is None, the corners have the theme's radius.
    """
    Color(*colour)
    draw_rounded_rectangle(box, theme.length.radius if radius is None else radius)


def draw_border(colour: Colour, box: Box, line_width: float, radius: float | None = None) -> None:
    """Draws the border of a box as a line.

    Half of the line's width lies outside the box.
    """
    Color(*colour)
    corner = theme.length.radius if radius is None else radius
    draw_rounded_rectangle(box, corner + line_width / 2, line_width)


def draw_shadow(box: Box, elevation_px: float, opacity: float = 1.0) -> None:
    """Draws the shadow of a thing that lies `elevation_px` pixels above the table."""
    blur = theme.length.blur
    x, y, width, height = inset_box(box, -blur / 2)
    Color(*theme.fade_colour(theme.SHADOW, opacity))
    BorderImage(
        texture=make_shadow_texture(),
        pos=(x, y - elevation_px),
        size=(width, height),
        border=[21, 21, 21, 21],
        display_border=[blur, blur, blur, blur],
    )


def draw_grain(box: Box, opacity: float, radius: float | None = None) -> None:
    """Draws the grain of paper or felt over a box; the grain isn't stretched."""
    across, up = box[2] / theme.length.grain, box[3] / theme.length.grain
    Color(1, 1, 1, opacity)
    RoundedRectangle(
        pos=box[:2],
        size=box[2:],
        texture=make_grain_texture(),
        radius=[theme.length.radius if radius is None else radius],
        tex_coords=[0, 0, across, 0, across, up, 0, up],
    )


def draw_paper(
    box: Box, thickness_px: float, colour: Colour = theme.PAPER, radius: float | None = None
) -> None:
    """Draws a piece of paper or card with its shadow, edge and grain."""
    x, y, width, height = box
    draw_shadow(box, thickness_px)
    fill_box(theme.PAPER_EDGE, (x, y - thickness_px, width, height), radius)
    fill_box(colour, box, radius)
    draw_grain(box, 0.05, radius)
    draw_border(
        theme.fade_colour(theme.PAPER_LIT, 0.8),
        inset_box(box, theme.length.hair / 2),
        theme.length.hair,
        radius,
    )


def draw_brass_highlight(box: Box) -> None:
    """Highlights a box with a brass frame.

    The frame marks the player whose turn it is, or a place to drop a piece. No more of it lies
    inside the box than a panel's edge.
    """
    around = inset_box(box, -theme.length.line)
    draw_border(theme.BRASS_DARK, around, theme.length.rim * 1.4)
    draw_border(theme.BRASS, around, theme.length.rim)


def draw_sunken_background(box: Box) -> None:
    """Draws a dark background, as if the box were sunk into the felt.

    Text on it can't be touched.
    """
    fill_box(theme.fade_colour(theme.FELT_DARK, 0.55), box)


class PaperBoxLayout(AutoRedrawWidget, BoxLayout):
    """A Kivy BoxLayout on paper.

    The layout is vertical unless set; padding and spacing come from the theme.
    """

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("padding", theme.length.space)
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Draws thin paper with its shadow."""
        draw_paper(self.box, theme.length.line)


class FeltBackground(AutoRedrawWidget):
    """Background of felt.

    The felt is green-black, a little lighter in the middle.
    """

    def draw(self) -> None:
        """Draws one picture, as large as the widget."""
        Color(1, 1, 1, 1)
        Rectangle(pos=self.pos, size=self.size, texture=_felt(round(self.width), round(self.height)))


@lru_cache(maxsize=2)  # the window's size, and the one a new widget begins with
def _felt(width: int, height: int) -> Texture:
    """Returns the felt as one texture, painted once: its three layers took a seventh of every frame."""
    picture = Fbo(size=(max(1, width), max(1, height)))
    update_canvas(picture, [], record_drawing(lambda: _paint_felt((0.0, 0.0, float(width), float(height)))))
    picture.draw()
    return picture.texture


def _paint_felt(box: Box) -> None:
    """Draws the ground, the light and the nap of the felt."""
    Color(*theme.FELT)
    Rectangle(pos=box[:2], size=box[2:])
    Color(*theme.fade_colour(theme.FELT_LIT, 0.75))
    Rectangle(pos=box[:2], size=box[2:], texture=make_vignette_texture())
    draw_grain(box, 0.045, radius=0)
