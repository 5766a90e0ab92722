"""Signs drawn with a pen, for what needs no word."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.strokes import Color, SmoothEllipse, SmoothLine

Stroke = list[tuple[float, float]]
"""A line in a unit square, (0, 0) bottom left."""


def _arc(x: float, y: float, radius: float, start: float, end: float) -> Stroke:
    """Degrees, counted anticlockwise from the right."""
    steps = 24
    turns = [pi / 180 * (start + (end - start) * at / steps) for at in range(steps + 1)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _mirrored(strokes: list[Stroke]) -> list[Stroke]:
    return [[(1 - x, y) for x, y in stroke] for stroke in strokes]


def _undo() -> list[Stroke]:
    return [
        [(0.16, 0.6), *_arc(0.6, 0.38, 0.22, 90, -90), (0.3, 0.16)],
        [(0.36, 0.84), (0.12, 0.6), (0.36, 0.36)],
    ]


def _redo() -> list[Stroke]:
    return _mirrored(_undo())


def _history() -> list[Stroke]:
    return [
        _arc(0.52, 0.5, 0.36, 160, -160),
        [(0.04, 0.46), (0.19, 0.62), (0.34, 0.5)],
        [(0.52, 0.72), (0.52, 0.48), (0.68, 0.38)],
    ]


def _home() -> list[Stroke]:
    return [
        [(0.08, 0.5), (0.5, 0.88), (0.92, 0.5)],
        [(0.2, 0.44), (0.2, 0.12), (0.8, 0.12), (0.8, 0.44)],
        [(0.42, 0.12), (0.42, 0.38), (0.58, 0.38), (0.58, 0.12)],
    ]


def _power() -> list[Stroke]:
    return [_arc(0.5, 0.46, 0.36, 60, -240), [(0.5, 0.52), (0.5, 0.9)]]


def _delete() -> list[Stroke]:
    return [
        [(0.04, 0.5), (0.3, 0.2), (0.94, 0.2), (0.94, 0.8), (0.3, 0.8), (0.04, 0.5)],
        [(0.46, 0.36), (0.74, 0.64)],
        [(0.46, 0.64), (0.74, 0.36)],
    ]


def _shift() -> list[Stroke]:
    return [
        [
            (0.5, 0.9),
            (0.1, 0.48),
            (0.32, 0.48),
            (0.32, 0.14),
            (0.68, 0.14),
            (0.68, 0.48),
            (0.9, 0.48),
            (0.5, 0.9),
        ]
    ]


def _code() -> list[Stroke]:
    """A QR code as a sign: three corners and a few dots."""
    corners = [(0.1, 0.58), (0.58, 0.58), (0.1, 0.1)]
    squares = [[(x, y), (x + 0.32, y), (x + 0.32, y + 0.32), (x, y + 0.32), (x, y)] for x, y in corners]
    return [*squares, [(0.6, 0.42), (0.6, 0.24), (0.74, 0.24)], [(0.9, 0.4), (0.9, 0.1), (0.74, 0.1)]]


def _bank() -> list[Stroke]:
    """A purse, tied."""
    return [
        [
            (0.38, 0.7),
            (0.16, 0.42),
            (0.14, 0.2),
            (0.3, 0.1),
            (0.7, 0.1),
            (0.86, 0.2),
            (0.84, 0.42),
            (0.62, 0.7),
        ],
        [(0.32, 0.7), (0.68, 0.7)],
        [(0.38, 0.7), (0.28, 0.92), (0.44, 0.84), (0.5, 0.94), (0.56, 0.84), (0.72, 0.92), (0.62, 0.7)],
        _arc(0.5, 0.36, 0.12, 0, 360),
    ]


def _bin() -> list[Stroke]:
    """A bin with its lid."""
    return [
        [(0.2, 0.74), (0.28, 0.1), (0.72, 0.1), (0.8, 0.74)],
        [(0.12, 0.74), (0.88, 0.74)],
        [(0.38, 0.74), (0.4, 0.88), (0.6, 0.88), (0.62, 0.74)],
        [(0.42, 0.58), (0.44, 0.26)],
        [(0.58, 0.58), (0.56, 0.26)],
    ]


def _pause() -> list[Stroke]:
    return [[(0.34, 0.16), (0.34, 0.84)], [(0.66, 0.16), (0.66, 0.84)]]


def _service() -> list[Stroke]:
    """A spanner."""
    return [
        [(0.36, 0.5), (0.1, 0.24), (0.24, 0.1), (0.5, 0.36)],
        [(0.36, 0.5), *_arc(0.66, 0.66, 0.26, 200, 100)],
        [(0.5, 0.36), *_arc(0.66, 0.66, 0.26, 250, 350)],
        [(0.61, 0.92), (0.56, 0.7), (0.7, 0.56), (0.92, 0.61)],
    ]


_SIGNS: dict[str, Callable[[], list[Stroke]]] = {
    "undo": _undo,
    "redo": _redo,
    "history": _history,
    "home": _home,
    "power": _power,
    "service": _service,
    "delete": _delete,
    "bin": _bin,
    "shift": _shift,
    "pause": _pause,
    "chart": lambda: [
        [(0.1, 0.9), (0.1, 0.1), (0.9, 0.1)],
        [(0.24, 0.3), (0.44, 0.52), (0.6, 0.4), (0.88, 0.78)],
    ],
    "code": _code,
    "save": lambda: [
        [(0.5, 0.92), (0.5, 0.36)],
        [(0.28, 0.58), (0.5, 0.36), (0.72, 0.58)],
        [(0.12, 0.34), (0.12, 0.1), (0.88, 0.1), (0.88, 0.34)],
    ],
    "bank": _bank,
    "more": lambda: [_arc(x, 0.5, 0.03, 0, 360) for x in (0.16, 0.5, 0.84)],
    "back": lambda: [[(0.64, 0.84), (0.3, 0.5), (0.64, 0.16)]],
    "next": lambda: [[(0.36, 0.84), (0.7, 0.5), (0.36, 0.16)]],
    "tick": lambda: [[(0.12, 0.5), (0.4, 0.2), (0.9, 0.8)]],
    "cross": lambda: [[(0.2, 0.2), (0.8, 0.8)], [(0.2, 0.8), (0.8, 0.2)]],
    "pen": lambda: [[(0.14, 0.14), (0.2, 0.36), (0.72, 0.88), (0.88, 0.72), (0.36, 0.2), (0.14, 0.14)]],
    "plus": lambda: [[(0.5, 0.14), (0.5, 0.86)], [(0.14, 0.5), (0.86, 0.5)]],
    "minus": lambda: [[(0.14, 0.5), (0.86, 0.5)]],
    "go on": lambda: [[(0.28, 0.12), (0.84, 0.5), (0.28, 0.88), (0.28, 0.12)]],
}
SIGNS = {name: strokes() for name, strokes in _SIGNS.items()}


def draw_icon(name: str, box: Box, colour: Colour) -> None:
    """One of `SIGNS` inside a square box."""
    x, y, side, _ = box
    width = max(theme.length.hair, side * 0.055)
    Color(*colour)
    for stroke in SIGNS[name]:
        points = [value for px, py in stroke for value in (x + px * side, y + py * side)]
        SmoothLine(points=points, width=width, cap="round", joint="round")


def draw_dot(box: Box, colour: Colour) -> None:
    """A filled dot."""
    Color(*colour)
    SmoothEllipse(pos=box[:2], size=box[2:])
