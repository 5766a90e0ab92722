"""Small generated pictures: the grain of felt and paper, soft shadows, the vignette.

Made once a process from a fixed seed, so that two screenshots of one thing are equal.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from math import exp, hypot

from kivy.graphics.texture import Texture

_GRAIN = 128
_SHADOW = 64
_VIGNETTE = 96


def _texture(side: int, pixels: Iterable[tuple[int, int]], wrap: str | None = None) -> Texture:
    texture = Texture.create(size=(side, side), colorfmt="luminance_alpha")
    data = bytes(value for pixel in pixels for value in pixel)
    texture.blit_buffer(data, colorfmt="luminance_alpha", bufferfmt="ubyte")
    texture.min_filter = texture.mag_filter = "linear"
    if wrap:
        texture.wrap = wrap
    return texture


@cache
def grain() -> Texture:
    """Light and dark specks that repeat every 128 pixels; draw it faintly over a surface."""
    rng = random.Random(7)
    specks = [int(min(255, abs(rng.gauss(0, 60)))) for _ in range(_GRAIN * _GRAIN)]
    return _texture(_GRAIN, ((rng.choice((0, 255)), speck) for speck in specks), "repeat")


@cache
def shadow() -> Texture:
    """The soft shadow of a rectangle, to be stretched by its borders (a third each)."""
    third = _SHADOW / 3

    def alpha(x: int, y: int) -> int:
        outside = hypot(
            max(0.0, third - x, x - (_SHADOW - 1 - third)),
            max(0.0, third - y, y - (_SHADOW - 1 - third)),
        )
        edge = max(0.0, 1 - outside / third)
        return int(255 * edge * edge * (3 - 2 * edge))

    return _texture(_SHADOW, ((255, alpha(x, y)) for y in range(_SHADOW) for x in range(_SHADOW)))


@cache
def vignette() -> Texture:
    """Light in the middle that falls off to the corners; dithered, so that no rings show."""
    rng = random.Random(11)
    middle = (_VIGNETTE - 1) / 2

    def alpha(x: int, y: int) -> int:
        far = hypot(x - middle, (y - middle) * 0.9) / middle
        return int(max(0.0, min(255.0, 255 * exp(-1.6 * far * far) + rng.uniform(-1.5, 1.5))))

    return _texture(_VIGNETTE, ((255, alpha(x, y)) for y in range(_VIGNETTE) for x in range(_VIGNETTE)))
