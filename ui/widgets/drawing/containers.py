"""Puts widgets into others, and a frame that turns its children to face a side of the table."""

from __future__ import annotations

from math import pi
from typing import Any, TypeVar

from kivy.graphics import MatrixInstruction, PopMatrix, PushMatrix
from kivy.graphics.transformation import Matrix
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

W = TypeVar("W", bound=Widget)


def put(box: W, *parts: Widget) -> W:
    """The box with these in it, behind what is there, wherever they stood before."""
    for part in parts:
        take_away(part)
        box.add_widget(part)
    return box


def take_away(part: Widget) -> None:
    """From where it is, if it is anywhere."""
    if part.parent is not None:
        part.parent.remove_widget(part)


# The turned frame


QUARTERS = 4
RIGHT_ANGLE = pi / 2


class Turned(Widget):
    """Its children have a frame of their own, turned anticlockwise by so many quarters: (0, 0) lower left."""

    quarter = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint", (None, None))
        super().__init__(**kwargs)
        with self.canvas.before:
            PushMatrix()
            self._turning = MatrixInstruction()
        with self.canvas.after:
            PopMatrix()
        for name in ("pos", "size", "quarter"):
            self.fbind(name, self._turn)
        self._turn()

    @property
    def inner(self) -> tuple[float, float]:
        """How wide and high it is for who looks from that side."""
        return (self.height, self.width) if self.quarter % 2 else (self.width, self.height)

    def _turn(self, *_: object) -> None:
        width, height = self.inner
        turning = Matrix()
        turning.translate(-width / 2, -height / 2, 0)
        turned = Matrix()
        turned.rotate(self.quarter * RIGHT_ANGLE, 0, 0, 1)
        there = Matrix()
        there.translate(self.center_x, self.center_y, 0)
        self._turning.matrix = there.multiply(turned).multiply(turning)

    @property
    def turning(self) -> Matrix:
        """From its own frame to that of its parent, as it is drawn."""
        return self._turning.matrix

    def to_parent(self, x: float, y: float, **_: object) -> tuple[float, float]:
        """From its own frame to that of its parent."""
        width, height = self.inner
        right, up = x - width / 2, y - height / 2
        for _quarter in range(int(self.quarter) % QUARTERS):
            right, up = -up, right
        return self.center_x + right, self.center_y + up

    def to_local(self, x: float, y: float, **_: object) -> tuple[float, float]:
        """From its parent's frame to its own."""
        width, height = self.inner
        right, up = x - self.center_x, y - self.center_y
        for _quarter in range(int(self.quarter) % QUARTERS):
            right, up = up, -right
        return right + width / 2, up + height / 2

    def _touched(self, event: str, touch: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        taken = bool(getattr(super(), event)(touch))
        touch.pop()
        return taken

    def on_touch_down(self, touch: Any) -> bool:
        """A touch outside is none of its children's."""
        return self.collide_point(*touch.pos) and self._touched("on_touch_down", touch)

    def on_touch_move(self, touch: Any) -> bool:
        """In the children's frame."""
        return self._touched("on_touch_move", touch)

    def on_touch_up(self, touch: Any) -> bool:
        """In the children's frame."""
        return self._touched("on_touch_up", touch)
