"""Computes how different two colours look, with normal vision and without one kind of cones.

Matrices: Machado, Oliveira and Fernandes, 2009, at full severity. Differences: CIEDE2000.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Triple = tuple[float, float, float]
MATRIX_BY_VISION: dict[str, tuple[Triple, Triple, Triple]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
WHITE_POINT: Triple = (0.95047, 1.0, 1.08883)


def linear_rgb(code: str) -> Triple:
    """Returns the linear red, green and blue of `#RRGGBB`."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def relative_luminance(code: str) -> float:
    """Returns the relative luminance as WCAG 2.2 defines it."""
    red, green, blue = linear_rgb(code)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_ratio(one: str, other: str) -> float:
    """Returns the contrast ratio from 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted((relative_luminance(one), relative_luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colour_difference(one: str, other: str, vision: str) -> float:
    """Returns the CIEDE2000 difference for a key of `MATRIX_BY_VISION`; below 2 hardly anybody sees it."""
    return _ciede2000(_lab(one, vision), _lab(other, vision))


def _lab(code: str, sight: str) -> Triple:
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear_rgb(code), strict=True))))
        for row in MATRIX_BY_VISION[sight]
    )
    x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
    along, up, deep = (_root(part / white) for part, white in zip((x, y, z), WHITE_POINT, strict=True))
    return 116 * up - 16, 500 * (along - up), 200 * (up - deep)


def _root(part: float) -> float:
    return float(part ** (1 / 3)) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def _ciede2000(one: Triple, other: Triple) -> float:
    (light, red, yellow), (light2, red2, yellow2) = one, other
    mean = (hypot(red, yellow) + hypot(red2, yellow2)) / 2
    more = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    chroma, chroma2 = hypot(red * more, yellow), hypot(red2 * more, yellow2)
    hue, hue2 = degrees(atan2(yellow, red * more)) % 360, degrees(atan2(yellow2, red2 * more)) % 360
    turn = (hue2 - hue + 180) % 360 - 180
    along = 2 * sqrt(chroma * chroma2) * sin(radians(turn / 2))
    lightness, middle, way = (light + light2) / 2, (chroma + chroma2) / 2, (hue + turn / 2) % 360
    weight = (
        1
        - 0.17 * cos(radians(way - 30))
        + 0.24 * cos(radians(2 * way))
        + 0.32 * cos(radians(3 * way + 6))
        - 0.2 * cos(radians(4 * way - 63))
    )
    steps = (
        (light2 - light) / (1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)),
        (chroma2 - chroma) / (1 + 0.045 * middle),
        along / (1 + 0.015 * middle * weight),
    )
    bend = -2 * sqrt(middle**7 / (middle**7 + 25**7)) * sin(radians(60 * exp(-(((way - 275) / 25) ** 2))))
    return sqrt(sum(step**2 for step in steps) + bend * steps[1] * steps[2])
