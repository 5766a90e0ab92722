"""Small generated pictures: the grain of felt and paper, soft shadows, the vignette.

Made once a process from a fixed seed, so that two screenshots of one thing are equal.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache
from math import ceil, exp, hypot

from kivy.graphics.texture import Texture

_GRAIN = 128
_SHADOW = 64
_VIGNETTE = 48
_WHITE = b"\xff"


def _texture(side: int, light: bytes, alpha: bytes, wrap: str | None = None) -> Texture:
    texture = Texture.create(size=(side, side), colorfmt="luminance_alpha")
    data = bytearray(2 * side * side)
    data[::2], data[1::2] = light, alpha
    texture.blit_buffer(bytes(data), colorfmt="luminance_alpha", bufferfmt="ubyte")
    texture.min_filter = texture.mag_filter = "linear"
    if wrap:
        texture.wrap = wrap
    return texture


@cache
def grain() -> Texture:
    """Light and dark specks that repeat every 128 pixels; draw it faintly over a surface."""
    rng, pixels = random.Random(7), _GRAIN * _GRAIN
    strengths = bytes(int(min(255, abs(rng.gauss(0, 60)))) for _ in range(256))
    tones = bytes(255 * (tone % 2) for tone in range(256))
    # One look-up a pixel: a sum a pixel would delay the first frame by 15 ms.
    return _texture(
        _GRAIN, rng.randbytes(pixels).translate(tones), rng.randbytes(pixels).translate(strengths), "repeat"
    )


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

    pixels = bytes(alpha(x, y) for y in range(_SHADOW) for x in range(_SHADOW))
    return _texture(_SHADOW, _WHITE * len(pixels), pixels)


@lru_cache(maxsize=512)
def rounded(radius: float, width: float | None) -> Texture:
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
        shown = _share(deep) if width is None else _share(deep) - _share(deep - width)
        return round(255 * shown)

    quarter = [bytes(alpha(x, y) for x in range(half)) for y in range(half)]
    rows = [row + row[::-1] for row in quarter]
    pixels = b"".join([*rows, *reversed(rows)])
    return _texture(2 * half, _WHITE * len(pixels), pixels)


def _share(deep: float) -> float:
    """How much of a pixel lies within an edge that is so far from its middle."""
    return max(0.0, min(1.0, 0.5 + deep))


@cache
def vignette() -> Texture:
    """Light in the middle that falls off to the corners; dithered, so that no rings show."""
    rng = random.Random(11)
    middle = (_VIGNETTE - 1) / 2

    across = [exp(-1.6 * ((x - middle) / middle) ** 2) for x in range(_VIGNETTE)]
    up = [255 * exp(-1.6 * ((y - middle) * 0.9 / middle) ** 2) for y in range(_VIGNETTE)]
    lit = (column * row + 3 * rng.random() - 1.5 for row in up for column in across)
    pixels = bytes([int(max(0.0, min(255.0, light))) for light in lit])
    return _texture(_VIGNETTE, _WHITE * len(pixels), pixels)
