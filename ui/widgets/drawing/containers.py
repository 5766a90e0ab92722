"""Functions that add and remove child widgets, and a frame that rotates its children to face a side."""

from __future__ import annotations

from math import pi
from typing import Any, TypeVar

from kivy.graphics import MatrixInstruction, PopMatrix, PushMatrix
from kivy.graphics.transformation import Matrix
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

WidgetType = TypeVar("WidgetType", bound=Widget)


def add_children(parent: WidgetType, *children: Widget) -> WidgetType:
    """Adds widgets to a parent, above its other children, and returns the parent.

    A widget that has another parent is removed from it first.
    """
    for child in children:
        detach_from_parent(child)
        parent.add_widget(child)
    return parent


def detach_from_parent(widget: Widget) -> None:
    """Removes a widget from its parent, if it has one."""
    if widget.parent is not None:
        widget.parent.remove_widget(widget)


def make_filler() -> Widget:
    """Returns an empty widget that takes the height of a column that nothing else wants.

    Its least height isn't 0: Kivy lets a widget that gets no height at all keep the height that it had.
    """
    return Widget(size_hint_y=0.001, size_hint_min_y=0.01)


# The rotated frame


QUARTERS_PER_TURN, QUARTERS_PER_HALF_TURN = 4, 2
RIGHT_ANGLE = pi / 2


class RotatedFrame(Widget):
    """Frame that rotates its children anticlockwise by quarter turns.

    For its children, (0, 0) is the frame's lower left corner after the rotation.
    """

    quarter_turns = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint", (None, None))
        super().__init__(**kwargs)
        with self.canvas.before:
            PushMatrix()
            self._rotation_instruction = MatrixInstruction()
        with self.canvas.after:
            PopMatrix()
        for name in ("pos", "size", "quarter_turns"):
            self.fbind(name, self._update_rotation)
        self._update_rotation()

    @property
    def inner_size(self) -> tuple[float, float]:
        """Width and height in the children's coordinates: swapped at an odd number of quarter turns."""
        return (self.height, self.width) if self.quarter_turns % 2 else (self.width, self.height)

    def _update_rotation(self, *_: object) -> None:
        width, height = self.inner_size
        to_centre = Matrix()
        to_centre.translate(-width / 2, -height / 2, 0)
        rotation = Matrix()
        rotation.rotate(self.quarter_turns * RIGHT_ANGLE, 0, 0, 1)
        to_place = Matrix()
        # Kivy may tell of a new `pos` or `size` before its cached `center` is new.
        to_place.translate(self.x + self.width / 2, self.y + self.height / 2, 0)
        self._rotation_instruction.matrix = to_place.multiply(rotation).multiply(to_centre)

    @property
    def rotation_to_parent(self) -> Matrix:
        """Matrix from the children's coordinates to those of the parent, as drawn."""
        return self._rotation_instruction.matrix

    def to_parent(self, x: float, y: float, **_: object) -> tuple[float, float]:
        """Converts a point from the children's coordinates to those of the parent."""
        width, height = self.inner_size
        right, up = x - width / 2, y - height / 2
        for _quarter in range(int(self.quarter_turns) % QUARTERS_PER_TURN):
            right, up = -up, right
        return self.center_x + right, self.center_y + up

    def to_local(self, x: float, y: float, **_: object) -> tuple[float, float]:
        """Converts a point from the parent's coordinates to those of the children."""
        width, height = self.inner_size
        right, up = x - self.center_x, y - self.center_y
        for _quarter in range(int(self.quarter_turns) % QUARTERS_PER_TURN):
            right, up = up, -right
        return right + width / 2, up + height / 2

    def _pass_touch_to_children(self, event: str, touch: Any) -> bool:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        is_handled = bool(getattr(super(), event)(touch))
        touch.pop()
        return is_handled

    def on_touch_down(self, touch: Any) -> bool:
        """Passes a touch inside the frame to the children, in their coordinates."""
        return self.collide_point(*touch.pos) and self._pass_touch_to_children("on_touch_down", touch)

    def on_touch_move(self, touch: Any) -> bool:
        """Passes a move to the children, in their coordinates."""
        return self._pass_touch_to_children("on_touch_move", touch)

    def on_touch_up(self, touch: Any) -> bool:
        """Passes the end of a touch to the children, in their coordinates."""
        return self._pass_touch_to_children("on_touch_up", touch)
