"""The sign of each seat: a colour and a shape, always shown together; no two seats share either.

Screen, terminal and record take the signs from here. The first five colours, by Okabe and Ito, are those that
colour-blind people tell apart best. The other seven were searched for beside them: any two of the twelve are
at least as far apart as the closest two of the five, for people with full sight and for those without red,
green or blue. No two shapes look alike, whichever way a player's panel is turned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, hypot, pi, sin, sqrt

import msgspec

Point = tuple[float, float]
Outline = list[Point]
"""The points of a closed outline in a square around (0, 0), from -1 to 1; y points up.

Every point of the outline can be seen from (0, 0).
"""


class SeatSign(msgspec.Struct, frozen=True):
    """The sign of a seat: a colour as `#RRGGBB`, a named shape, and a letter for the shape in plain text.

    `terminal_colour` is the colour's number among the 256 colours of terminals.
    """

    colour: str
    shape: str
    letter: str
    terminal_colour: int


SIGN_BY_SEAT_COLOUR = {
    "orange": SeatSign("#E69F00", "circle", "●", 214),
    "sky": SeatSign("#56B4E9", "triangle", "▲", 75),
    "green": SeatSign("#009E73", "square", "■", 35),
    "vermilion": SeatSign("#D55E00", "diamond", "◆", 166),
    "purple": SeatSign("#CC79A7", "star", "★", 176),
    "lemon": SeatSign("#F2F05B", "bolt", "↯", 227),
    "indigo": SeatSign("#5D64D3", "cross", "✚", 62),
    "rose": SeatSign("#E2B5C7", "heart", "♥", 218),
    "cocoa": SeatSign("#925D43", "bar", "▬", 95),
    "mint": SeatSign("#ABD198", "clover", "♣", 150),
    "slate": SeatSign("#666972", "arrow", "↑", 242),
    "pearl": SeatSign("#F8FCF3", "bow", "⋈", 255),
}
"""The sign for each seat colour, in the order in which seats take the colours."""


def _circle() -> Outline:
    return [(0.96 * cos(2 * pi * step / 48), 0.96 * sin(2 * pi * step / 48)) for step in range(48)]


def _triangle() -> Outline:
    return _round_corners([(-1.0, -0.8), (1.0, -0.8), (0.0, 0.98)], 0.14)


def _square() -> Outline:
    return _round_corners([(-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)], 0.16)


def _diamond() -> Outline:
    return _round_corners([(0.0, -1.06), (0.94, 0.0), (0.0, 1.06), (-0.94, 0.0)], 0.13)


def _star() -> Outline:
    def corner(number: int) -> Point:
        radius = 1.08 if number % 2 == 0 else 0.52
        return radius * sin(pi * number / 5), radius * cos(pi * number / 5) - 0.06

    return _round_corners([corner(number) for number in range(10)], 0.16)


def _crown() -> Outline:
    """Returns the leader's crown, which is no seat's sign: three points over a straight rim."""
    right = [(0.78, -0.86), (1.08, 0.72), (0.34, 0.26), (0.0, 1.02)]
    return _round_corners(_add_left_half(right), 0.1)


def _bolt() -> Outline:
    """Returns a flash of lightning."""
    right = [(0.42, 1.06), (-0.98, -0.26), (-0.26, -0.26)]
    return _round_corners([*right, *((-x, -y) for x, y in right)], 0.08)


def _cross() -> Outline:
    arm, end = 0.36, 1.0
    quarter = [(arm, arm), (arm, end), (-arm, end)]
    turned = [quarter, [(-y, x) for x, y in quarter], [(-x, -y) for x, y in quarter]]
    return _round_corners(
        [*(point for quarter_points in turned for point in quarter_points), *((y, -x) for x, y in quarter)],
        0.12,
    )


def _heart() -> Outline:
    """Returns a heart: two discs, and from them straight lines down to a blunt point."""
    turns = [pi * (-42 + 206 * step / 24) / 180 for step in range(25)]
    right = [(0.07, -0.9), *((0.5 + 0.52 * cos(turn), 0.36 + 0.52 * sin(turn)) for turn in turns)]
    return _add_left_half(right)


def _bar() -> Outline:
    return _round_corners([(-1.06, -0.42), (1.06, -0.42), (1.06, 0.42), (-1.06, 0.42)], 0.16)


CLOVER_LEAF_CIRCLES = ((0.0, 0.53, 0.46), (0.53, -0.16, 0.46), (-0.53, -0.16, 0.46))
"""The circles of the clover's leaves as x, y and radius."""
CLOVER_STALK_CIRCLES = ((0.0, 0.0, 0.24), (0.0, -0.3, 0.2), (0.0, -0.55, 0.2), (0.0, -0.8, 0.22))
"""The circles of the clover's stalk as x, y and radius."""


def _clover() -> Outline:
    def farthest_edge(x: float, y: float) -> float:
        return max(_ray_exit_distance(disc, x, y) for disc in (*CLOVER_LEAF_CIRCLES, *CLOVER_STALK_CIRCLES))

    directions = [(cos(2 * pi * step / 96), sin(2 * pi * step / 96)) for step in range(96)]
    return [(x * farthest_edge(x, y), y * farthest_edge(x, y)) for x, y in directions]


def _ray_exit_distance(circle: tuple[float, float, float], x: float, y: float) -> float:
    """Returns the distance from (0, 0) at which a ray leaves the circle; 0 if the ray misses the circle.

    (`x`, `y`) is the direction of the ray, with length 1.
    """
    along_ray = circle[0] * x + circle[1] * y
    beside_ray = hypot(circle[0] - along_ray * x, circle[1] - along_ray * y)
    return along_ray + sqrt(circle[2] ** 2 - beside_ray**2) if beside_ray < circle[2] else 0.0


def _arrow() -> Outline:
    right = [(0.3, -1.0), (0.3, -0.06), (0.92, -0.06), (0.0, 1.02)]
    return _round_corners(_add_left_half(right), 0.1)


def _bow() -> Outline:
    """Returns a bow: two triangles whose points meet in a knot."""
    right = [(0.0, -0.2), (1.02, -0.82), (1.02, 0.82), (0.0, 0.2)]
    return _round_corners([*right, *((-x, y) for x, y in right[2:0:-1])], 0.12)


def _add_left_half(right: Outline) -> Outline:
    """Returns the outline of a symmetrical shape from its right half, whose last point is on the axis."""
    return [*right, *((-x, y) for x, y in reversed(right[:-1]))]


def _round_corners(corners: Outline, share: float) -> Outline:
    """Returns the polygon with each corner bent into a small curve."""
    points: Outline = []
    for before, corner, after in zip(
        corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True
    ):
        start, end = _interpolate(corner, before, share), _interpolate(corner, after, share)
        for step in range(7):
            first_point, second_point = (
                _interpolate(start, corner, step / 6),
                _interpolate(corner, end, step / 6),
            )
            points.append(_interpolate(first_point, second_point, step / 6))
    return points


def _interpolate(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


_MAKE_OUTLINE_BY_SHAPE: dict[str, Callable[[], Outline]] = {
    "circle": _circle,
    "triangle": _triangle,
    "square": _square,
    "diamond": _diamond,
    "star": _star,
    "bolt": _bolt,
    "crown": _crown,
    "cross": _cross,
    "heart": _heart,
    "bar": _bar,
    "clover": _clover,
    "arrow": _arrow,
    "bow": _bow,
}


@cache  # made on demand: the home page shows few shapes, and doesn't wait for the others
def shape_outline(shape: str) -> Outline:
    """Returns the outline of the named shape."""
    return _MAKE_OUTLINE_BY_SHAPE[shape]()
