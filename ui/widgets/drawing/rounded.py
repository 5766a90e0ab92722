"""Rectangles with round corners, and their rims: one small picture, stretched between its corners.

Kivy's smooth rectangle and smooth line work out a hundred corners each, again when a key goes down by three
pixels, and lay a texture over all of it. Sixteen corners and a picture of the edge are as smooth.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache

from ui.widgets.drawing import textures
from ui.widgets.drawing.strokes import Mesh

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
    picture = textures.rounded(corner, rim)
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
