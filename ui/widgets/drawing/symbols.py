"""Draws small pictures: icons, the shapes that tell players apart, and players' tokens."""

from __future__ import annotations

import re
from functools import lru_cache
from math import cos, pi, sin
from typing import ClassVar

from kivy.properties import BooleanProperty, OptionProperty

from companion.table.seat_signs import shape_outline
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, Mesh, SmoothEllipse, SmoothLine
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, inset_box

UnitSquarePolyline = list[tuple[float, float]]
"""Points of a line in a unit square, (0, 0) bottom left."""


_STROKES_BY_ICON = {
    "undo": "16,60 (60 38 22 90 -90) 30,16; 36,84 12,60 36,36",
    "history": "(52 50 36 160 -160); 4,46 19,62 34,50; 52,72 52,48 68,38",
    "home": "8,50 50,88 92,50; 20,44 20,12 80,12 80,44; 42,12 42,38 58,38 58,12",
    "turn": "(50 50 34 20 160); 4,76 18,60 36,72; (50 50 34 200 340); 96,24 82,40 64,28",
    "power": "(50 46 36 60 -240); 50,52 50,90",
    "service": "36,50 10,24 24,10 50,36; 36,50 (66 66 26 200 100); 50,36 (66 66 26 250 350);"
    "61,92 56,70 70,56 92,61",
    "settings": "(50 50 13 0 360); (50 50 29 0 360); 79,50 94,50; 71,71 81,81; 50,79 50,94; 29,71 19,81; "
    "21,50 6,50; 29,29 19,19; 50,21 50,6; 71,29 81,19",
    "sound": "8,38 8,62 26,62 50,84 50,16 26,38 8,38; (54 50 14 -50 50); (54 50 30 -50 50)",
    "muted": "8,38 8,62 26,62 50,84 50,16 26,38 8,38; 66,36 94,64; 66,64 94,36",
    "language": "(50 50 40 0 360); 10,50 90,50; (15 50 53 -49 49); (85 50 53 131 229)",
    "delete": "4,50 30,20 94,20 94,80 30,80 4,50; 46,36 74,64; 46,64 74,36",
    "bin": "20,74 28,10 72,10 80,74; 12,74 88,74; 38,74 40,88 60,88 62,74; 42,58 44,26; 58,58 56,26",
    "shift": "50,90 10,48 32,48 32,14 68,14 68,48 90,48 50,90",
    "pause": "34,16 34,84; 66,16 66,84",
    "chart": "10,90 10,10 90,10; 24,30 44,52 60,40 88,78",
    "phone": "28,6 28,94 72,94 72,6 28,6; 44,18 56,18",
    "code": "10,58 42,58 42,90 10,90 10,58; 58,58 90,58 90,90 58,90 58,58; 10,10 42,10 42,42 10,42 10,10;"
    "60,42 60,24 74,24; 90,40 90,10 74,10",
    "save": "50,92 50,36; 28,58 50,36 72,58; 12,34 12,10 88,10 88,34",
    "bank": "38,70 16,42 14,20 30,10 70,10 86,20 84,42 62,70; 32,70 68,70;"
    "38,70 28,92 44,84 50,94 56,84 72,92 62,70; (50 36 12 0 360)",
    "more": "(16 50 3 0 360); (50 50 3 0 360); (84 50 3 0 360)",
    "leave": "90,50 12,50; 44,82 12,50 44,18",
    "up": "50,10 50,88; 18,56 50,88 82,56",
    "back": "64,84 30,50 64,16",
    "next": "36,84 70,50 36,16",
    "tick": "12,50 40,20 90,80",
    "cross": "20,20 80,80; 20,80 80,20",
    "info": "(50 50 42 0 360); 50,26 50,54; (50 71 2 0 360)",
    "pen": "14,14 20,36 72,88 88,72 36,20 14,14",
    "plus": "50,14 50,86; 14,50 86,50",
    "minus": "14,50 86,50",
    "go on": "28,12 84,50 28,88 28,12",
}
"""The strokes of each icon, in hundredths of a square: points `x,y`, and arcs `(x y radius start end)`."""
_POINT_OR_ARC_PATTERN = re.compile(r"\(([^)]*)\)|(\d+),(\d+)")


def _arc_points(x: float, y: float, radius: float, start: float, end: float) -> UnitSquarePolyline:
    """Returns an arc; angles are in degrees, anticlockwise from the right."""
    step_count = 24
    angles = [pi / 180 * (start + (end - start) * step / step_count) for step in range(step_count + 1)]
    return [((x + radius * cos(angle)) / 100, (y + radius * sin(angle)) / 100) for angle in angles]


def _parse_stroke(text: str) -> UnitSquarePolyline:
    points: UnitSquarePolyline = []
    for arc, x, y in _POINT_OR_ARC_PATTERN.findall(text):
        points += _arc_points(*map(float, arc.split())) if arc else [(int(x) / 100, int(y) / 100)]
    return points


POLYLINES_BY_ICON = {
    icon: [_parse_stroke(stroke) for stroke in strokes.split(";")]
    for icon, strokes in _STROKES_BY_ICON.items()
}
"""The lines of each icon."""
POLYLINES_BY_ICON["redo"] = [[(1 - x, y) for x, y in stroke] for stroke in POLYLINES_BY_ICON["undo"]]


def draw_icon(icon: str, box: Box, colour: Colour) -> None:
    """Draws an icon of `POLYLINES_BY_ICON` inside a square box."""
    x, y, side, _ = box
    width = max(theme.length.hair, side * 0.055)
    Color(*colour)
    for stroke in POLYLINES_BY_ICON[icon]:
        points = [value for px, py in stroke for value in (x + px * side, y + py * side)]
        SmoothLine(points=points, width=width, cap="round", joint="round")


def draw_filled_dot(box: Box, colour: Colour) -> None:
    """Draws a filled dot."""
    Color(*colour)
    SmoothEllipse(pos=box[:2], size=box[2:])


# Shapes


GEM_OUTLINE = [(1.08 * cos(pi * corner / 3), 1.08 * sin(pi * corner / 3)) for corner in range(6)]
"""Outline of a gem, which no seat has as its shape."""
LEADER_TOKEN_SHARE, CROWN_SHARE = 0.75, 0.35
"""Sizes of a leader's token and of the crown above it, as shares of the usual token's."""
LEADER_OVERHANG_SHARE = 0.035
"""How far a leader's token is below, and the crown above, the box of a usual token, as a share of the box.

Both are still inside the ring of a clock.
"""
FLOATS_PER_VERTEX = 4
"""Numbers in each vertex of a mesh: x, y and two texture coordinates."""


def draw_shape(
    shape_name: str, box: Box, colour: Colour, outline_colour: Colour, outline_width: float
) -> None:
    """Draws a shape with its outline inside `box`, filled unless its colour is clear."""
    fan, outline = _place_shape(shape_name, box, outline_width)
    if colour != theme.CLEAR:
        Color(*colour)
        Mesh(vertices=fan, indices=list(range(len(fan) // FLOATS_PER_VERTEX)), mode="triangle_fan")
    Color(*outline_colour)
    SmoothLine(points=outline, width=outline_width / 2, close=True)


@lru_cache(maxsize=512)  # a table of twelve has a hundred shapes of 50 corners, which hardly ever move
def _place_shape(shape: str, box: Box, line_width: float) -> tuple[list[float], list[float]]:
    """Returns the vertices of a fan that fills the shape, and the points of its outline."""
    x, y, width, height = box
    half_size = (min(width, height) - line_width) / 2 / 1.08
    centre = x + width / 2, y + height / 2
    outline = GEM_OUTLINE if shape == "gem" else shape_outline(shape)
    points = [(centre[0] + px * half_size, centre[1] + py * half_size) for px, py in outline]
    fan = [value for point in (centre, *points, points[0]) for value in (*point, 0, 0)]
    return fan, [value for point in points for value in point]


# Tokens


class PlayerToken(AutoRedrawWidget):
    """Widget with a player's wooden token; `is_faded`: the player is out, `wears_crown`: the player leads."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("colour", "is_faded", "wears_crown")
    colour = OptionProperty("orange", options=list(theme.PLAYER_LOOKS))
    is_faded = BooleanProperty(defaultvalue=False)
    wears_crown = BooleanProperty(defaultvalue=False)

    def draw(self) -> None:
        """Draws the token as large as the widget's shorter side."""
        side = min(self.size)
        box = (self.center_x - side / 2, self.center_y - side / 2, side, side)
        opacity = 0.35 if self.is_faded else 1.0
        (draw_leader_token if self.wears_crown else draw_player_token)(self.colour, box, opacity)


def draw_leader_token(player_colour: str, box: Box, opacity: float = 1.0) -> None:
    """Draws the token of a player who leads in a box: a little smaller than usual, below a brass crown."""
    x, y, width, height = box
    overhang = height * LEADER_OVERHANG_SHARE
    token_width, crown_width = width * LEADER_TOKEN_SHARE, width * CROWN_SHARE
    token_box = x + (width - token_width) / 2, y - overhang, token_width, height * LEADER_TOKEN_SHARE
    draw_player_token(player_colour, token_box, opacity)
    crown_height = height * CROWN_SHARE
    draw_shape(
        "crown",
        (x + (width - crown_width) / 2, y + height + overhang - crown_height, crown_width, crown_height),
        theme.BRASS_LIT,
        theme.INK,
        theme.length.hair,
    )


def draw_player_token(player_colour: str, box: Box, opacity: float = 1.0) -> None:
    """Draws a player's token in a box.

    The token has thickness, light from above and an ink outline.
    """
    player = theme.PLAYER_LOOKS[player_colour]
    line_width = max(theme.length.line, box[2] * 0.035)
    outline_colour = theme.multiply_opacity(theme.INK, opacity)
    x, y, width, height = inset_box(box, line_width / 2)
    thickness = height * 0.06
    side_colour = theme.multiply_opacity(theme.blend_colours(player.colour, theme.INK, 0.45), opacity)
    draw_shape(player.shape, (x, y - thickness, width, height), side_colour, outline_colour, line_width)
    draw_shape(
        player.shape,
        (x, y, width, height),
        theme.multiply_opacity(player.colour, opacity),
        outline_colour,
        line_width,
    )
    highlight_colour = theme.multiply_opacity(
        theme.blend_colours(player.colour, theme.PAPER_LIT, 0.55), 0.8 * opacity
    )
    draw_shape(
        player.shape,
        inset_box((x, y, width, height), width * 0.13),
        theme.CLEAR,
        highlight_colour,
        line_width * 0.55,
    )
