"""Draws widgets with Kivy instructions, and reuses the instructions that haven't changed.

    recorded = record_drawing(widget.draw)
    applied = update_canvas(widget.canvas.before, applied, recorded)

Making an instruction and sending its corners to the graphics card costs more than drawing it, and on a
panel of thirty marks only a number or a colour changes. So `Color(…)`, `Rectangle(…)` and the others here
only record what to make; outside `record_drawing` they make it at once, as Kivy's classes do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from kivy import graphics
from kivy.properties import ObservableList

MAX_LOOKAHEAD_INSTRUCTIONS = 12
"""Number of old instructions to look ahead at, from the last match on, for one equal to a new one."""


class RecordedInstruction(msgspec.Struct, frozen=True):
    """A recorded Kivy instruction, not made yet: `instruction_class(*args, **keyword_args)`."""

    instruction_class: Callable[..., Any]
    args: tuple[Any, ...]
    keyword_args: dict[str, Any]

    def create_instruction(self) -> Any:
        """Makes the Kivy instruction."""
        return self.instruction_class(*self.args, **self.keyword_args)


_sheets: list[list[RecordedInstruction]] = []
"""Lists of recorded instructions, one for each open `record_drawing`; the last is being recorded."""


class InstructionRecorder:
    """Stands in for one of Kivy's instruction classes: records calls instead of making the instruction."""

    def __init__(self, instruction_class: Callable[..., Any]) -> None:
        self._instruction_class = instruction_class

    def __call__(self, *args: Any, **keyword_args: Any) -> None:
        """Records an instruction; makes it at once if nothing is being recorded."""
        if not _sheets:
            self._instruction_class(*args, **keyword_args)
            return
        for name, value in keyword_args.items():
            if isinstance(value, ObservableList):
                keyword_args[name] = list(
                    value
                )  # of this moment: a widget's own `pos` goes on with the widget
        _sheets[-1].append(RecordedInstruction(self._instruction_class, args, keyword_args))


BorderImage = InstructionRecorder(graphics.BorderImage)
Color = InstructionRecorder(graphics.Color)
PlainLine = InstructionRecorder(graphics.Line)  # Kivy draws it
Mesh = InstructionRecorder(graphics.Mesh)
Rectangle = InstructionRecorder(graphics.Rectangle)
RoundedRectangle = InstructionRecorder(graphics.RoundedRectangle)
SmoothEllipse = InstructionRecorder(graphics.SmoothEllipse)
SmoothLine = InstructionRecorder(graphics.SmoothLine)
SmoothTriangle = InstructionRecorder(graphics.SmoothTriangle)
StencilPop = InstructionRecorder(graphics.StencilPop)
StencilPush = InstructionRecorder(graphics.StencilPush)
StencilUnUse = InstructionRecorder(graphics.StencilUnUse)
StencilUse = InstructionRecorder(graphics.StencilUse)


def record_drawing(draw: Callable[[], None]) -> list[RecordedInstruction]:
    """Calls a function that draws, and returns the instructions that it recorded."""
    _sheets.append([])
    try:
        draw()
    finally:
        strokes = _sheets.pop()
    return strokes


AppliedInstructions = list[tuple[RecordedInstruction, Any]]
"""Recorded instructions, each with the Kivy instruction on the canvas that was made from it."""


def update_canvas(
    canvas: Any, applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]
) -> AppliedInstructions:
    """Updates a canvas so that it shows the recorded instructions.

    Instructions that haven't changed stay on the canvas. Returns what to pass as `applied` next
    time.
    """
    kept = _matched(applied, recorded)
    used = {id(made) for made in kept if made is not None}
    spare = [one for one in applied if id(one[1]) not in used]
    now = [
        (stroke, _changed(spare, stroke) if made is None else made)
        for stroke, made in zip(recorded, kept, strict=True)
    ]
    if [made for _, made in now] != [made for _, made in applied]:
        canvas.clear()
        for _, made in now:
            canvas.add(made)
    return now


def _matched(applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]) -> list[Any]:
    """Finds for each recorded instruction an equal one on the canvas, in the same order, or None.

    Equal instructions at both ends are found first: mostly only a few in the middle differ.
    """
    most = min(len(applied), len(recorded))
    head = next((at for at in range(most) if applied[at][0] != recorded[at]), most)
    tail = next((at for at in range(most - head) if applied[-1 - at][0] != recorded[-1 - at]), most - head)
    old, new = len(applied) - tail, len(recorded) - tail
    first, last = applied[:head], applied[old:]
    between = _found_ahead(applied[head:old], recorded[head:new])
    return [*(made for _, made in first), *between, *(made for _, made in last)]


def _found_ahead(applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]) -> list[Any]:
    """Finds equal instructions on the canvas; each search starts behind the last match."""
    found: list[Any] = []
    at = 0
    for stroke in recorded:
        for there in range(at, min(at + MAX_LOOKAHEAD_INSTRUCTIONS, len(applied))):
            if applied[there][0] == stroke:
                found.append(applied[there][1])
                at = there + 1
                break
        else:
            found.append(None)
    return found


def _changed(spare: AppliedInstructions, stroke: RecordedInstruction) -> Any:
    """Makes an instruction, from an unused one of the same class if there is one."""
    for at, (old, made) in enumerate(spare):
        if (
            old.instruction_class is stroke.instruction_class
            and old.keyword_args.keys() == stroke.keyword_args.keys()
        ):
            del spare[at]
            if old.args != stroke.args:
                made.rgba = stroke.args  # a colour alone is given without a name
            for name, value in stroke.keyword_args.items():
                if old.keyword_args[name] != value:
                    setattr(made, name, value)
            return made
    return stroke.create_instruction()
