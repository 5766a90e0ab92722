"""A picture of everything that stands still behind what moves, so that a frame of a motion draws little else.

    still_picture = StillPicture(Window)
    still_picture.stop()

Kivy draws all widgets of a window again in each frame. A coin that slides over the table therefore cost as
much as the whole table. Kivy marks each instruction that has changed, and all canvases around it. So each
frame tells what has changed first in the drawing order; everything before that lies behind it and looks as in
the last frame. Nobody has to say what moves. The widgets stay where they are: only while a frame is drawn,
their canvases lack what the picture shows.

Kivy's `export_to_png` takes these marks away. So don't call it on a widget of a window in which something
moves; a screenshot of the window leaves them alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.graphics import (
    Canvas,
    CanvasBase,
    Color,
    InstructionGroup,
    LoadIdentity,
    PopMatrix,
    PushMatrix,
    Rectangle,
)
from kivy.graphics.instructions import ContextInstruction
from kivy.graphics.opengl import GL_VIEWPORT, glCopyTexSubImage2D, glGetIntegerv
from kivy.graphics.texture import Texture

FRAMES_UNTIL_DROPPED = 2
"""Number of frames without a drawing after which the picture is dropped, because the motion has ended."""

MIN_INSTRUCTIONS_IN_PICTURE = 60
"""Least number of instructions that a picture replaces.

To copy a frame takes about as long as to draw the felt, and so does the picture. With only the felt and a
title behind the envelopes of a reveal, frames took longer than without a picture.
"""


class CanvasSplit(NamedTuple):
    """A canvas that is split before the child that has changed; the children before it stand still."""

    canvas: Canvas
    opacity: float
    still_children: Sequence[Any]
    changed_child: Any

    def is_still(self) -> bool:
        """Returns whether nothing before the changed child has changed since the last frame."""
        return bool(
            _can_be_split(self.canvas)
            and self.canvas.opacity == self.opacity
            and self.canvas.children[: len(self.still_children)] == self.still_children
            and not any(child.needs_redraw for child in self.still_children)
        )

    def has_same_changed_child(self) -> bool:
        """Returns whether the changed child still follows those that stand still."""
        return bool(self.canvas.children[len(self.still_children) :][:1] == [self.changed_child])

    def children_behind_change(self, *, with_changed_child: bool) -> list[Any]:
        """Returns the children that stand still, with the matrices of the canvas."""
        changed_child = [self.changed_child] * with_changed_child
        return [*self.still_children, *changed_child, *self.canvas.children[-1:] * self.canvas.has_after]

    def children_from_change(self) -> list[Any]:
        """Returns the changed child and those above it, with the matrices of the canvas."""
        children = self.canvas.children
        return [*children[:1] * self.canvas.has_before, *children[len(self.still_children) :]]


def find_change(canvas: Canvas, *, is_first: bool) -> list[CanvasSplit]:
    """Finds what has changed first, or last, in the drawing order since the last frame.

    Returns how each canvas around it is split, the outermost first; nothing if all of `canvas` has changed.
    A canvas that draws something itself isn't split, as it would be drawn twice.
    """
    splits: list[CanvasSplit] = []
    while _can_be_split(canvas):
        children = canvas.children
        indices = [index for index, child in enumerate(children) if child.needs_redraw]
        if not indices:
            break
        index = indices[0 if is_first else -1]
        splits.append(CanvasSplit(canvas, canvas.opacity, children[:index], children[index]))
        canvas = children[index]
    return splits


def _can_be_split(canvas: Any) -> bool:
    """Returns whether a canvas has only canvases of children, and turns or moves them at most."""
    if type(canvas) is not Canvas or not all(isinstance(child, CanvasBase) for child in canvas.children):
        return False
    own_groups = canvas.children[:1] * canvas.has_before + canvas.children[-1:] * canvas.has_after
    return not any(
        group.needs_redraw or not all(isinstance(each, ContextInstruction) for each in group.children)
        for group in own_groups
    )


def _walk_single_instructions(instructions: Iterable[Any]) -> Iterator[Any]:
    """Yields the instructions that are no groups, also those inside groups."""
    for instruction in instructions:
        if isinstance(instruction, InstructionGroup):
            yield from _walk_single_instructions(instruction.children)
        else:
            yield instruction


def _is_worth_a_picture(splits: Sequence[CanvasSplit]) -> bool:
    """Returns whether enough stands still before the changed children; counts no further than that."""
    still = _walk_single_instructions(child for split in splits for child in split.still_children)
    return next(islice(still, MIN_INSTRUCTIONS_IN_PICTURE - 1, None), None) is not None


class StillPicture:
    """Draws the frames of a window from a picture of what stands still, while something moves.

    The picture is made in the second of two frames in a row, as one frame alone is no motion; after
    `expect_motion` in the first one. It is copied from the frame itself, so both look alike to the pixel. Any
    other change drops the picture before the next frame.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._splits: list[CanvasSplit] = []
        self._picture: InstructionGroup | None = None
        self._viewport: tuple[int, ...] = ()
        self._last_frame = -1
        self._drop_soon = Clock.create_trigger(self._drop_after_motion)
        window.fbind("on_draw", self._draw)

    def stop(self) -> None:
        """Lets the window draw as usual."""
        self._window.funbind("on_draw", self._draw)
        self._drop_soon.cancel()
        self._drop()

    def expect_motion(self) -> None:
        """Makes the picture in the next frame already, because a motion begins in it."""
        self._last_frame = Clock.frames

    @property
    def is_shown(self) -> bool:
        """Returns whether the last frame was drawn from the picture, or has made it."""
        return self._picture is not None

    def _drop(self) -> None:
        self._splits, self._picture = [], None

    def _drop_after_motion(self, _seconds: float) -> None:
        if Clock.frames - self._last_frame < FRAMES_UNTIL_DROPPED:
            self._drop_soon()
        else:
            self._drop()

    def _draw(self, window: Any) -> bool:
        """Draws a frame; returns False if the window has to draw all of it."""
        is_moving, self._last_frame = Clock.frames - self._last_frame <= 1, Clock.frames
        splits = find_change(window.canvas, is_first=True)
        if is_moving and self._is_picture_current(splits):
            self._draw_from_picture()
        else:
            if self._picture is None:
                # A motion often begins above something that changes once, such as the numbers of a payment.
                splits = find_change(window.canvas, is_first=False)
            self._drop()
            if not is_moving or not _is_worth_a_picture(splits):
                return False
            self._draw_and_take_picture(splits)
        self._drop_soon()
        return True

    def _is_picture_current(self, first_change: list[CanvasSplit]) -> bool:
        """Returns whether the picture shows all that has not changed before the first change.

        The last frame of a motion changes no child: a canvas has only lost the one that moved.
        """
        return (
            self._picture is not None
            and self._splits[: len(first_change)] == first_change
            and self._viewport == _read_viewport()
            and all(split.is_still() for split in self._splits)
            and all(split.has_same_changed_child() for split in self._splits[:-1])
        )

    def _draw_and_take_picture(self, splits: list[CanvasSplit]) -> None:
        children_behind_change = {
            split.canvas: split.children_behind_change(with_changed_child=split is not splits[-1])
            for split in splits
        }
        with _replaced_children(children_behind_change):
            self._window.on_draw()
        if self._window.canvas.needs_redraw:  # the window has left this frame out
            return
        self._splits, self._viewport = splits, _read_viewport()
        self._picture = _copy_frame(self._viewport)
        with _replaced_children({split.canvas: split.children_from_change() for split in splits}):
            self._window.render_context.draw()

    def _draw_from_picture(self) -> None:
        children = {split.canvas: split.children_from_change() for split in self._splits}
        children[self._window.canvas].insert(0, self._picture)
        with _replaced_children(children):
            self._window.on_draw()


@contextmanager
def _replaced_children(children_by_canvas: Mapping[Canvas, list[Any]]) -> Iterator[None]:
    """Lets canvases draw other children; their widgets and what flags their changes stay as they are."""
    usual_children_by_canvas = {canvas: canvas.children for canvas in children_by_canvas}
    try:
        _replace_children(children_by_canvas)
        yield
    finally:
        _replace_children(usual_children_by_canvas)


def _replace_children(children_by_canvas: Mapping[Canvas, list[Any]]) -> None:
    for canvas, children in children_by_canvas.items():
        canvas.children = children


def _read_viewport() -> tuple[int, ...]:
    """Returns left, bottom, width and height of what the window draws, in pixels of the screen."""
    return tuple(glGetIntegerv(GL_VIEWPORT))


def _copy_frame(viewport: Sequence[int]) -> InstructionGroup:
    """Copies what has been drawn of this frame; returns instructions that draw it in the same place."""
    left, bottom, width, height = viewport
    texture = Texture.create(size=(width, height), colorfmt="rgb")
    texture.min_filter = texture.mag_filter = "nearest"
    texture.bind()
    glCopyTexSubImage2D(texture.target, 0, 0, 0, left, bottom, width, height)
    picture = InstructionGroup()
    for instruction in (
        PushMatrix(),
        LoadIdentity(),  # a window that is turned turns everything else
        Color(1, 1, 1, 1),
        Rectangle(texture=texture, size=(width, height)),
        PopMatrix(),
    ):
        picture.add(instruction)
    return picture
