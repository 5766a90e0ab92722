"""A widget that draws itself, and the surfaces most widgets lie on: paper, felt, shadows, grain, corners."""

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
    BorderImage,
    Color,
    Laid,
    Mesh,
    Rectangle,
    RoundedRectangle,
    drawn,
    lay,
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
def grain_texture() -> Texture:
    """Light and dark specks that repeat every 128 pixels; draw it faintly over a surface."""
    rng, pixels = random.Random(7), _GRAIN * _GRAIN
    strengths = bytes(int(min(255, abs(rng.gauss(0, 60)))) for _ in range(256))
    tones = bytes(255 * (tone % 2) for tone in range(256))
    # One look-up a pixel: a sum a pixel would delay the first frame by 15 ms.
    return _make_texture(
        _GRAIN, rng.randbytes(pixels).translate(tones), rng.randbytes(pixels).translate(strengths), "repeat"
    )


@cache
def shadow_texture() -> Texture:
    """The soft shadow of a rectangle, to be stretched by its borders (a third each)."""
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
def rounded_texture(radius: float, width: float | None) -> Texture:
    """A square with round corners, whole or only its rim of that width; in the middle it can be stretched.

    Its corners take `radius`, or `width` where that is more, in pixels; two pixels more lie between them.
    """
    half = ceil(max(radius, width or 0)) + 1

    def inside(x: float, y: float) -> float:
        """How far from the edge."""
        if x < radius and y < radius:
            return radius - hypot(radius - x, radius - y)
        return min(x, y)

    def alpha(x: int, y: int) -> int:
        deep = inside(x + 0.5, y + 0.5)
        shown = _coverage(deep) if width is None else _coverage(deep) - _coverage(deep - width)
        return round(255 * shown)

    quarter = [bytes(alpha(x, y) for x in range(half)) for y in range(half)]
    rows = [row + row[::-1] for row in quarter]
    pixels = b"".join([*rows, *reversed(rows)])
    return _make_texture(2 * half, _WHITE * len(pixels), pixels)


def _coverage(deep: float) -> float:
    """How much of a pixel lies within an edge that is so far from its middle."""
    return max(0.0, min(1.0, 0.5 + deep))


@cache
def vignette_texture() -> Texture:
    """Light in the middle that falls off to the corners; dithered, so that no rings show."""
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
"""The squares between four times four corners, each by its first one."""


def _triangles(squares: Sequence[int]) -> array[int]:
    return array("H", [first + corner for first in squares for corner in (0, 1, 5, 0, 5, 4)])


_WHOLE, _RIM = _triangles((*_EDGE, _MIDDLE)), _triangles(_EDGE)


def draw_rounded(box: tuple[float, float, float, float], radius: float, rim: float | None = None) -> None:
    """A filled rectangle in the colour of now, or its rim of that thickness, which lies within the box.

    `box` is x, y, width and height in pixels. It is laid on whole ones, so that a rim is as thick on every
    side, and the radius is rounded to half a one, so that a layout that grows needs few pictures.
    """
    left, low, right, top = round(box[0]), round(box[1]), round(box[0] + box[2]), round(box[1] + box[3])
    half = max(0.0, min(right - left, top - low) / 2)
    corner = round(2 * min(radius, half)) / 2
    picture = rounded_texture(corner, rim)
    Mesh(
        vertices=_corners(left, low, right, top, min(half, max(corner, rim or 0.0)), picture.width),
        indices=_WHOLE if rim is None else _RIM,
        mode="triangles",
        texture=picture,
    )


@lru_cache(maxsize=4096)  # what lies still is found again, and found equal by being the same
def _corners(left: int, low: int, right: int, top: int, edge: float, side: int) -> array[float]:
    """Where they are in the window and in a picture of so many pixels: x, y, u, v of each."""
    part = edge / side
    across = ((left, 0.0), (left + edge, part), (right - edge, 1 - part), (right, 1.0))
    up = ((low, 0.0), (low + edge, part), (top - edge, 1 - part), (top, 1.0))
    return array("f", [value for y, v in up for x, u in across for value in (x, y, u, v)])


# Drawing in a rectangle, and the widgets that do


Box = tuple[float, float, float, float]
"""x, y, width, height in window pixels."""


class Drawn(Widget):
    """Draws itself again, at most once a frame, when its place or something in `shows` changes."""

    shows: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._laid: Laid = []
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", *self.shows):
            self.fbind(name, self._draw_soon)
        self._draw_soon()

    @property
    def box(self) -> Box:
        """Where the widget stands."""
        return self.x, self.y, self.width, self.height

    def draw(self) -> None:
        """Add the instructions of the canvas and place the children."""
        raise NotImplementedError  # each kind of widget says it

    def _draw(self, _seconds: float) -> None:
        self._laid = lay(self.canvas.before, self._laid, drawn(self.draw))


def inset(box: Box, by: float) -> Box:
    """The box with `by` less on every side."""
    x, y, width, height = box
    return x + by, y + by, max(0.0, width - 2 * by), max(0.0, height - 2 * by)


def is_within(box: Box, x: float, y: float) -> bool:
    """Whether that point lies in the box."""
    left, low, width, height = box
    return left <= x <= left + width and low <= y <= low + height


def fill(colour: Colour, box: Box, radius: float | None = None) -> None:
    """A smooth filled rectangle, rounded by the theme's radius unless told."""
    Color(*colour)
    draw_rounded(box, theme.length.radius if radius is None else radius)


def rim(colour: Colour, box: Box, width: float, radius: float | None = None) -> None:
    """A smooth line around a box; `width` is its whole thickness."""
    Color(*colour)
    corner = theme.length.radius if radius is None else radius
    draw_rounded(box, corner + width / 2, width)


def shade(box: Box, drop: float, strength: float = 1.0) -> None:
    """The shadow of a thing that lies `drop` pixels above the table."""
    blur = theme.length.blur
    x, y, width, height = inset(box, -blur / 2)
    Color(*theme.fade(theme.SHADOW, strength))
    BorderImage(
        texture=shadow_texture(),
        pos=(x, y - drop),
        size=(width, height),
        border=[21, 21, 21, 21],
        display_border=[blur, blur, blur, blur],
    )


def texture_over(box: Box, strength: float, radius: float | None = None) -> None:
    """The grain of paper or felt over a box; it never stretches with it."""
    across, up = box[2] / theme.length.grain, box[3] / theme.length.grain
    Color(1, 1, 1, strength)
    RoundedRectangle(
        pos=box[:2],
        size=box[2:],
        texture=grain_texture(),
        radius=[theme.length.radius if radius is None else radius],
        tex_coords=[0, 0, across, 0, across, up, 0, up],
    )


def paper(box: Box, lift: float, colour: Colour = theme.PAPER, radius: float | None = None) -> None:
    """A piece of paper or card `lift` pixels thick, with its shadow, edge and grain."""
    x, y, width, height = box
    shade(box, lift)
    fill(theme.PAPER_EDGE, (x, y - lift, width, height), radius)
    fill(colour, box, radius)
    texture_over(box, 0.05, radius)
    rim(theme.fade(theme.PAPER_LIT, 0.8), inset(box, theme.length.hair / 2), theme.length.hair, radius)


def brass_round(box: Box) -> None:
    """Who is asked, and where something may be laid down; no more of it lies inside than a strip's edge."""
    around = inset(box, -theme.length.line)
    rim(theme.BRASS_DARK, around, theme.length.rim * 1.4)
    rim(theme.BRASS, around, theme.length.rim)


def dent(box: Box) -> None:
    """What is only told, pressed into the felt."""
    fill(theme.fade(theme.FELT_DARK, 0.55), box)


class Sheet(Drawn, BoxLayout):
    """A column on paper; padding and spacing come from the theme unless given."""

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("padding", theme.length.space)
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Thin paper with its shadow."""
        paper(self.box, theme.length.line)


class Felt(Drawn):
    """Green-black felt, a little lighter in the middle."""

    def draw(self) -> None:
        """One picture, as large as the window."""
        Color(1, 1, 1, 1)
        Rectangle(pos=self.pos, size=self.size, texture=_felt(round(self.width), round(self.height)))


@lru_cache(maxsize=2)  # the window's size, and the one a new widget begins with
def _felt(width: int, height: int) -> Texture:
    """The picture of it, painted once: to lay three sheets over each other was a seventh of every frame."""
    picture = Fbo(size=(max(1, width), max(1, height)))
    lay(picture, [], drawn(lambda: _paint_felt((0.0, 0.0, float(width), float(height)))))
    picture.draw()
    return picture.texture


def _paint_felt(box: Box) -> None:
    """Ground, light, nap."""
    Color(*theme.FELT)
    Rectangle(pos=box[:2], size=box[2:])
    Color(*theme.fade(theme.FELT_LIT, 0.75))
    Rectangle(pos=box[:2], size=box[2:], texture=vignette_texture())
    texture_over(box, 0.045, radius=0)
