"""Draws widgets with Kivy instructions, and reuses the instructions that haven't changed.

    recorded = record_drawing(widget.draw)
    applied = update_canvas(widget.canvas.before, applied, recorded)

Making an instruction and sending its corners to the graphics card costs more than drawing it, and on a
panel of thirty marks only a number or a colour changes. So `Color(…)`, `Rectangle(…)` and the others here
only record the instruction; outside `record_drawing` they make it at once, as Kivy's classes do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from kivy import graphics
from kivy.properties import ObservableList

MAX_LOOKAHEAD_INSTRUCTIONS = 12
"""Number of old instructions after the last match among which an equal one is searched for."""


class RecordedInstruction(msgspec.Struct, frozen=True):
    """A recorded Kivy instruction, not made yet: `instruction_class(*args, **keyword_args)`."""

    instruction_class: Callable[..., Any]
    args: tuple[Any, ...]
    keyword_args: dict[str, Any]

    def create_instruction(self) -> Any:
        """Makes the Kivy instruction."""
        return self.instruction_class(*self.args, **self.keyword_args)


_open_recordings: list[list[RecordedInstruction]] = []
"""Lists of recorded instructions, one for each open `record_drawing`; the last is being recorded."""


class InstructionRecorder:
    """Stand-in for one of Kivy's instruction classes: records calls instead of making the instruction."""

    def __init__(self, instruction_class: Callable[..., Any]) -> None:
        self._instruction_class = instruction_class

    def __call__(self, *args: Any, **keyword_args: Any) -> None:
        """Records an instruction; makes it at once if nothing is being recorded."""
        if not _open_recordings:
            self._instruction_class(*args, **keyword_args)
            return
        for name, value in keyword_args.items():
            if isinstance(value, ObservableList):
                keyword_args[name] = list(value)  # a copy, because a widget's own `pos` moves with the widget
        _open_recordings[-1].append(RecordedInstruction(self._instruction_class, args, keyword_args))


Callback = InstructionRecorder(graphics.Callback)
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
    _open_recordings.append([])
    try:
        draw()
    finally:
        recorded = _open_recordings.pop()
    return recorded


AppliedInstructions = list[tuple[RecordedInstruction, Any]]
"""Recorded instructions, each with the Kivy instruction on the canvas that was made from it."""


def update_canvas(
    canvas: Any, applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]
) -> AppliedInstructions:
    """Updates a canvas so that it shows the recorded instructions.

    Instructions that haven't changed stay on the canvas. Returns what to pass as `applied` next
    time.
    """
    unchanged = _match_instructions(applied, recorded)
    used_ids = {id(kivy_instruction) for kivy_instruction in unchanged if kivy_instruction is not None}
    unused = [pair for pair in applied if id(pair[1]) not in used_ids]
    updated = [
        (instruction, _adapt_or_create(unused, instruction) if kivy_instruction is None else kivy_instruction)
        for instruction, kivy_instruction in zip(recorded, unchanged, strict=True)
    ]
    if [kivy_instruction for _, kivy_instruction in updated] != [
        kivy_instruction for _, kivy_instruction in applied
    ]:
        canvas.clear()
        for _, kivy_instruction in updated:
            canvas.add(kivy_instruction)
    return updated


def _match_instructions(applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]) -> list[Any]:
    """Finds for each recorded instruction an equal one on the canvas, in the same order, or None.

    The ends are compared first, because mostly only a few instructions in the middle differ.
    """
    shorter_length = min(len(applied), len(recorded))
    start_count = next(
        (index for index in range(shorter_length) if applied[index][0] != recorded[index]), shorter_length
    )
    end_count = next(
        (
            index
            for index in range(shorter_length - start_count)
            if applied[-1 - index][0] != recorded[-1 - index]
        ),
        shorter_length - start_count,
    )
    applied_end, recorded_end = len(applied) - end_count, len(recorded) - end_count
    start_pairs, end_pairs = applied[:start_count], applied[applied_end:]
    middle = _match_ahead(applied[start_count:applied_end], recorded[start_count:recorded_end])
    return [
        *(kivy_instruction for _, kivy_instruction in start_pairs),
        *middle,
        *(kivy_instruction for _, kivy_instruction in end_pairs),
    ]


def _match_ahead(applied: AppliedInstructions, recorded: Sequence[RecordedInstruction]) -> list[Any]:
    """Finds equal instructions on the canvas; each search starts behind the last match."""
    matches: list[Any] = []
    search_start = 0
    for instruction in recorded:
        for index in range(search_start, min(search_start + MAX_LOOKAHEAD_INSTRUCTIONS, len(applied))):
            if applied[index][0] == instruction:
                matches.append(applied[index][1])
                search_start = index + 1
                break
        else:
            matches.append(None)
    return matches


def _adapt_or_create(unused: AppliedInstructions, instruction: RecordedInstruction) -> Any:
    """Returns a Kivy instruction: an unused one of the same class with new values, or a new one.

    An adapted instruction is removed from `unused`.
    """
    for index, (old_instruction, kivy_instruction) in enumerate(unused):
        if (
            old_instruction.instruction_class is instruction.instruction_class
            and old_instruction.keyword_args.keys() == instruction.keyword_args.keys()
        ):
            del unused[index]
            if old_instruction.args != instruction.args:
                kivy_instruction.rgba = instruction.args  # only `Color` has arguments without names
            for name, value in instruction.keyword_args.items():
                if old_instruction.keyword_args[name] != value:
                    setattr(kivy_instruction, name, value)
            return kivy_instruction
    return instruction.create_instruction()
