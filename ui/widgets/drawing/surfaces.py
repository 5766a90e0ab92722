"""A widget that redraws itself, and functions that draw surfaces: paper, felt, shadows, grain, corners."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from math import ceil, exp, hypot
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.graphics import Fbo
from kivy.graphics.opengl import GL_BLEND, glDisable, glEnable
from kivy.graphics.texture import Texture
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import (
    AppliedInstructions,
    Callback,
    Color,
    Mesh,
    Rectangle,
    RoundedRectangle,
    record_drawing,
    update_canvas,
)

_GRAIN_SIDE = 128
_SHADOW_SIDE, _SHADOW_EDGE = 64, 21
_VIGNETTE_SIDE = 48
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
    rng, pixel_count = random.Random(7), _GRAIN_SIDE * _GRAIN_SIDE
    strengths = bytes(int(min(255, abs(rng.gauss(0, 60)))) for _ in range(256))
    tones = bytes(255 * (tone % 2) for tone in range(256))
    # Each pixel costs a look-up; a calculation for each pixel would delay the first frame by 15 ms.
    return _make_texture(
        _GRAIN_SIDE,
        rng.randbytes(pixel_count).translate(tones),
        rng.randbytes(pixel_count).translate(strengths),
        "repeat",
    )


@cache
def make_shadow_texture() -> Texture:
    """Returns the texture of a soft rectangular shadow, to stretch at its borders (a third each)."""
    third = _SHADOW_SIDE / 3

    def alpha(x: int, y: int) -> int:
        outside = hypot(
            max(0.0, third - x, x - (_SHADOW_SIDE - 1 - third)),
            max(0.0, third - y, y - (_SHADOW_SIDE - 1 - third)),
        )
        edge = max(0.0, 1 - outside / third)
        return int(255 * edge * edge * (3 - 2 * edge))

    pixels = bytes(alpha(x, y) for y in range(_SHADOW_SIDE) for x in range(_SHADOW_SIDE))
    return _make_texture(_SHADOW_SIDE, _WHITE * len(pixels), pixels)


@lru_cache(maxsize=512)
def make_rounded_texture(radius: float, rim_width: float | None) -> Texture:
    """Returns the texture of a square with round corners, filled or only its rim.

    Corners take `radius` pixels, or `rim_width` if that is more. The two pixels between them can be
    stretched.
    """
    half = ceil(max(radius, rim_width or 0)) + 1

    def depth(x: float, y: float) -> float:
        """Returns the distance from the edge, below 0 outside."""
        if x < radius and y < radius:
            return radius - hypot(radius - x, radius - y)
        return min(x, y)

    def alpha(x: int, y: int) -> int:
        pixel_depth = depth(x + 0.5, y + 0.5)
        coverage = (
            _coverage(pixel_depth)
            if rim_width is None
            else _coverage(pixel_depth) - _coverage(pixel_depth - rim_width)
        )
        return round(255 * coverage)

    quarter = [bytes(alpha(x, y) for x in range(half)) for y in range(half)]
    rows = [row + row[::-1] for row in quarter]
    pixels = b"".join([*rows, *reversed(rows)])
    return _make_texture(2 * half, _WHITE * len(pixels), pixels)


def _coverage(depth: float) -> float:
    """Returns the share of a pixel inside an edge, from the distance of its middle to the edge."""
    return max(0.0, min(1.0, 0.5 + depth))


@cache
def make_vignette_texture() -> Texture:
    """Returns a texture that gets dark from the middle to the corners; dithered, so that no rings show."""
    rng = random.Random(11)
    middle = (_VIGNETTE_SIDE - 1) / 2

    brightness_by_column = [exp(-1.6 * ((x - middle) / middle) ** 2) for x in range(_VIGNETTE_SIDE)]
    brightness_by_row = [255 * exp(-1.6 * ((y - middle) * 0.9 / middle) ** 2) for y in range(_VIGNETTE_SIDE)]
    pixel_brightnesses = (
        column_brightness * row_brightness + 3 * rng.random() - 1.5
        for row_brightness in brightness_by_row
        for column_brightness in brightness_by_column
    )
    pixels = bytes([int(max(0.0, min(255.0, brightness))) for brightness in pixel_brightnesses])
    return _make_texture(_VIGNETTE_SIDE, _WHITE * len(pixels), pixels)


# Round corners


_EDGE_SQUARES = (0, 1, 2, 4, 6, 8, 9, 10)
_MIDDLE_SQUARE = 5
"""The squares between four times four corners, each as the index of its first corner.

The edge squares make a rim; the middle square fills it.
"""


def _triangle_indices(squares: Sequence[int]) -> array[int]:
    return array("H", [first + corner for first in squares for corner in (0, 1, 5, 0, 5, 4)])


_FILLED_TRIANGLES, _RIM_TRIANGLES = (
    _triangle_indices((*_EDGE_SQUARES, _MIDDLE_SQUARE)),
    _triangle_indices(_EDGE_SQUARES),
)


def draw_rounded_rectangle(
    box: tuple[float, float, float, float], radius: float, rim_width: float | None = None
) -> None:
    """Draws a rounded rectangle in the current colour, filled or only its rim, which lies within the box.

    `box` is rounded to whole pixels, so that a rim is equally thick on every side. The radius is rounded to
    half a pixel, so that a growing layout needs few textures.
    """
    left, bottom, right, top = round(box[0]), round(box[1]), round(box[0] + box[2]), round(box[1] + box[3])
    half_side = max(0.0, min(right - left, top - bottom) / 2)
    corner_radius = round(2 * min(radius, half_side)) / 2
    texture = make_rounded_texture(corner_radius, rim_width)
    edge = min(half_side, max(corner_radius, rim_width or 0.0))
    Mesh(
        vertices=_mesh_vertices(left, bottom, right, top, edge, edge / texture.width),
        indices=_FILLED_TRIANGLES if rim_width is None else _RIM_TRIANGLES,
        mode="triangles",
        texture=texture,
    )


@lru_cache(maxsize=4096)  # most boxes stay where they are, and identical arrays compare faster
def _mesh_vertices(
    left: float, bottom: float, right: float, top: float, edge: float, texture_edge: float
) -> array[float]:
    """Returns x, y, u, v of each corner: its place in the window and in the texture.

    `edge` is the side of a corner's square in pixels, `texture_edge` its share of the texture.
    """
    columns = ((left, 0.0), (left + edge, texture_edge), (right - edge, 1 - texture_edge), (right, 1.0))
    rows = ((bottom, 0.0), (bottom + edge, texture_edge), (top - edge, 1 - texture_edge), (top, 1.0))
    return array("f", [value for y, v in rows for x, u in columns for value in (x, y, u, v)])


# Drawing in a rectangle, and the widgets that do


Box = tuple[float, float, float, float]
"""x, y, width, height in window pixels."""


class AutoRedrawWidget(Widget):
    """Widget that redraws itself, at most once a frame, if its box or one of `redraw_properties` changes."""

    redraw_properties: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._applied: AppliedInstructions = []
        self.draw_soon = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", *self.redraw_properties):
            self.fbind(name, self.draw_soon)
        self.draw_soon()

    @property
    def box(self) -> Box:
        """Position and size of the widget: x, y, width, height."""
        return self.x, self.y, self.width, self.height

    def draw(self) -> None:
        """Draws the widget and places its children; each subclass implements it."""
        raise NotImplementedError

    def _draw(self, _seconds: float) -> None:
        self._applied = update_canvas(self.canvas.before, self._applied, record_drawing(self.draw))


def redraw_below(root: Widget) -> None:
    """Redraws a widget and all widgets in it, after something has changed that they don't observe."""
    for widget in root.walk(restrict=True):
        if isinstance(widget, AutoRedrawWidget):
            widget.draw_soon()


def inset_box(box: Box, margin: float) -> Box:
    """Returns the box made smaller by a margin on every side."""
    x, y, width, height = box
    return x + margin, y + margin, max(0.0, width - 2 * margin), max(0.0, height - 2 * margin)


def box_contains(box: Box, x: float, y: float) -> bool:
    """Returns whether a point is in the box."""
    left, bottom, width, height = box
    return left <= x <= left + width and bottom <= y <= bottom + height


def fill_rounded_box(colour: Colour, box: Box, radius: float | None = None) -> None:
    """Fills a box with a colour, with round corners.

    If `radius` is None, the corners have the theme's radius.
    """
    Color(*colour)
    draw_rounded_rectangle(box, theme.length.radius if radius is None else radius)


def draw_border(colour: Colour, box: Box, line_width: float, radius: float | None = None) -> None:
    """Draws the border of a box as a line, which lies within the box.

    If `radius` is None, the corners have the theme's radius.
    """
    Color(*colour)
    corner_radius = theme.length.radius if radius is None else radius
    draw_rounded_rectangle(box, corner_radius + line_width / 2, line_width)


def draw_shadow(box: Box, elevation_px: float, opacity: float = 1.0) -> None:
    """Draws the shadow of a thing that lies `elevation_px` pixels above the table.

    Only the edge of the shadow is drawn, because the thing hides the rest: it must be opaque.
    """
    blur = theme.length.blur
    x, y, width, height = inset_box(box, -blur / 2)
    bottom = y - elevation_px
    Color(*theme.multiply_opacity(theme.SHADOW, opacity))
    Mesh(
        vertices=_mesh_vertices(
            x,
            bottom,
            x + width,
            bottom + height,
            min(blur, width / 2, height / 2),
            _SHADOW_EDGE / _SHADOW_SIDE,
        ),
        indices=_RIM_TRIANGLES,
        mode="triangles",
        texture=make_shadow_texture(),
    )


def draw_grain(box: Box, opacity: float, radius: float | None = None) -> None:
    """Draws the grain of paper or felt over a box; the grain isn't stretched."""
    repeats_across, repeats_up = box[2] / theme.length.grain, box[3] / theme.length.grain
    Color(1, 1, 1, opacity)
    RoundedRectangle(
        pos=box[:2],
        size=box[2:],
        texture=make_grain_texture(),
        radius=[theme.length.radius if radius is None else radius],
        tex_coords=[0, 0, repeats_across, 0, repeats_across, repeats_up, 0, repeats_up],
    )


def draw_paper(
    box: Box, thickness_px: float, colour: Colour | None = None, radius: float | None = None
) -> None:
    """Draws a piece of paper or card with its shadow, edge and grain; without a colour it is paper."""
    x, y, width, height = box
    draw_shadow(box, thickness_px)
    # The paper hides its edge but for the lowest corners.
    edge_height = min(height, 2 * (theme.length.radius if radius is None else radius) + thickness_px)
    fill_rounded_box(theme.PAPER_EDGE, (x, y - thickness_px, width, edge_height), radius)
    fill_rounded_box(theme.PAPER if colour is None else colour, box, radius)
    draw_grain(box, 0.05, radius)
    draw_border(
        theme.multiply_opacity(theme.PAPER_LIT, 0.8),
        inset_box(box, theme.length.hair / 2),
        theme.length.hair,
        radius,
    )


def draw_brass_frame(box: Box) -> None:
    """Highlights a box with a brass frame.

    The frame marks the player whose turn it is, or a place to drop a piece. It is around the box, so that
    nothing in the box is near the frame.
    """
    frame_box = inset_box(box, -theme.length.rim * 1.4)
    draw_border(theme.BRASS_DARK, frame_box, theme.length.rim * 1.4)
    draw_border(theme.BRASS, frame_box, theme.length.rim)


def draw_sunken_background(box: Box) -> None:
    """Draws a dark background, as if the box were sunk into the felt.

    Text on such a background isn't a key.
    """
    fill_rounded_box(theme.multiply_opacity(theme.FELT_DARK, 0.55), box)


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
        """Draws the felt as one picture, as large as the widget, unmixed with what lies below it."""
        Color(1, 1, 1, 1)
        Callback(callback=_stop_blending)
        Rectangle(
            pos=self.pos,
            size=self.size,
            texture=_paint_felt_texture(round(self.width), round(self.height), theme.look),
        )
        Callback(callback=_blend_again)


def _stop_blending(_instruction: object) -> None:
    """Lets pixels replace others without mixing, which takes a fifth less time."""
    glDisable(GL_BLEND)


def _blend_again(_instruction: object) -> None:
    glEnable(GL_BLEND)


@lru_cache(maxsize=2)  # for the window's size, and for the size that a new widget begins with
def _paint_felt_texture(width: int, height: int, _look: theme.Look) -> Texture:
    """Returns the felt as one texture, in the colours of the look.

    It is painted once, because its three layers took a seventh of every frame.
    """
    picture = Fbo(size=(max(1, width), max(1, height)))
    # The picture isn't scaled, and the mean of four pixels took a quarter of the time.
    picture.texture.min_filter = picture.texture.mag_filter = "nearest"
    update_canvas(picture, [], record_drawing(lambda: _draw_felt((0.0, 0.0, float(width), float(height)))))
    picture.draw()
    return picture.texture


def _draw_felt(box: Box) -> None:
    """Draws the colour, the light and the grain of the felt."""
    Color(*theme.FELT)
    Rectangle(pos=box[:2], size=box[2:])
    Color(*theme.multiply_opacity(theme.FELT_LIT, 0.75))
    Rectangle(pos=box[:2], size=box[2:], texture=make_vignette_texture())
    draw_grain(box, 0.045, radius=0)
