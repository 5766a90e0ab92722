"""Confetti: paper that falls once from the upper edge past the lower edge, and then is gone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import cos, sin, tau
from typing import Any, ClassVar

import msgspec
from kivy.animation import Animation
from kivy.properties import NumericProperty

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, Mesh
from ui.widgets.drawing.containers import detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget

PIECE_COUNT = 120
LAST_START_SHARE = 0.45
"""The latest moment at which a piece begins to fall, as a share of the whole time."""
HEIGHT_TO_FALL = 1.2
"""How far a piece falls, in heights of the widget: from above the upper edge to below the lower one."""
QUAD_TRIANGLES = (0, 1, 2, 0, 2, 3)


class ConfettiPiece(msgspec.Struct, frozen=True):
    """One piece: where and when it begins to fall, as shares of width and time, and how it moves."""

    x_share: float
    start_share: float
    speed: float
    sway_share: float
    sway_phase: float
    turns: float
    size_share: float


def _make_pieces() -> list[ConfettiPiece]:
    rng = random.Random(5)
    return [
        ConfettiPiece(
            x_share=rng.random(),
            start_share=rng.random() * LAST_START_SHARE,
            speed=rng.uniform(1.0, 1.6),
            sway_share=rng.uniform(0.01, 0.04),
            sway_phase=rng.random() * tau,
            turns=rng.uniform(2.0, 6.0),
            size_share=rng.uniform(0.6, 1.0),
        )
        for _ in range(PIECE_COUNT)
    ]


class Confetti(AutoRedrawWidget):
    """Confetti in some colours, which falls once: `begin()`. It takes no touch, and removes itself.

    All pieces of one colour are one mesh, so that a frame costs little on a Raspberry Pi.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("time_share",)
    time_share = NumericProperty(0.0)
    """The share of the time that has passed."""

    def __init__(self, colours: Sequence[Colour], **kwargs: Any) -> None:
        self._colours, self._pieces = colours, _make_pieces()
        super().__init__(**kwargs)

    def begin(self) -> None:
        """Lets the confetti fall; with reduced motion it is gone at once."""
        if theme.reduced_motion:
            detach_from_parent(self)
            return
        fall = Animation(time_share=1.0, duration=theme.CONFETTI_SECONDS)
        fall.bind(on_complete=lambda *_: detach_from_parent(self))
        fall.start(self)

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: stops falling when the widget is removed."""
        if parent is None:
            Animation.cancel_all(self)

    def on_touch_down(self, _touch: Any) -> bool:
        """Lets every touch through."""
        return False

    def draw(self) -> None:
        """Draws the pieces that are falling now, colour by colour."""
        for index, colour in enumerate(self._colours):
            vertices: list[float] = []
            for piece in self._pieces[index :: len(self._colours)]:
                self._add_corners(vertices, piece)
            quad_count = len(vertices) // (4 * 4)
            indices = [first * 4 + corner for first in range(quad_count) for corner in QUAD_TRIANGLES]
            Color(*colour)
            Mesh(vertices=vertices, indices=indices, mode="triangles")

    def _add_corners(self, vertices: list[float], piece: ConfettiPiece) -> None:
        """Adds the four corners of a piece to the vertices; a piece turns about its own axis as it falls."""
        falling_share = (self.time_share - piece.start_share) / (1.0 - LAST_START_SHARE) * piece.speed
        if not 0.0 < falling_share < 1.0:
            return
        side = theme.length.glyph * 0.75 * piece.size_share
        sway = sin(piece.sway_phase + falling_share * tau * 1.5) * piece.sway_share
        x = self.x + self.width * (piece.x_share + sway)
        y = self.y + self.height * (1.0 - falling_share) * HEIGHT_TO_FALL - side
        angle = piece.sway_phase + falling_share * piece.turns
        across = cos(falling_share * piece.turns * tau)
        right, up = (
            (side * across * cos(angle), side * across * sin(angle)),
            (
                -side * 0.6 * sin(angle),
                side * 0.6 * cos(angle),
            ),
        )
        for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            vertices += (x + a * right[0] + b * up[0], y + a * right[1] + b * up[1], 0.0, 0.0)
