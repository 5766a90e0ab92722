"""What a widget is drawn with: Kivy's instructions, of which one that is as it was is not made again.

    strokes = drawn(widget.draw)
    lay(widget.canvas.before, before, strokes)

Making an instruction and giving its corners to the graphics costs more than drawing it, and of a strip of
thirty a number or a colour changes. So `Color(…)`, `Rectangle(…)` and the others here only write down what
is to be made; outside `drawn` they make it at once, as Kivy's do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from kivy import graphics
from kivy.properties import ObservableList

AHEAD = 12
"""A stroke is looked for among so many that come next of those there were."""


class Described(msgspec.Struct, frozen=True):
    """What is made by `make(*args, **settings)`."""

    make: Callable[..., Any]
    args: tuple[Any, ...]
    settings: dict[str, Any]

    def made(self) -> Any:
        """The instruction."""
        return self.make(*self.args, **self.settings)


_sheets: list[list[Described]] = []
"""Where strokes are written down now, the last one."""


class Instruction:
    """One of Kivy's kinds of instruction."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make

    def __call__(self, *args: Any, **settings: Any) -> None:
        """Adds one to what is drawn now."""
        if not _sheets:
            self._make(*args, **settings)
            return
        for name, value in settings.items():
            if isinstance(value, ObservableList):
                settings[name] = list(value)  # of this moment: a widget's own `pos` goes on with the widget
        _sheets[-1].append(Described(self._make, args, settings))


BorderImage = Instruction(graphics.BorderImage)
Color = Instruction(graphics.Color)
PlainLine = Instruction(graphics.Line)  # Kivy draws it
Mesh = Instruction(graphics.Mesh)
Rectangle = Instruction(graphics.Rectangle)
RoundedRectangle = Instruction(graphics.RoundedRectangle)
SmoothEllipse = Instruction(graphics.SmoothEllipse)
SmoothLine = Instruction(graphics.SmoothLine)
SmoothTriangle = Instruction(graphics.SmoothTriangle)
StencilPop = Instruction(graphics.StencilPop)
StencilPush = Instruction(graphics.StencilPush)
StencilUnUse = Instruction(graphics.StencilUnUse)
StencilUse = Instruction(graphics.StencilUse)


def drawn(draw: Callable[[], None]) -> list[Described]:
    """What that draws."""
    _sheets.append([])
    try:
        draw()
    finally:
        strokes = _sheets.pop()
    return strokes


Laid = list[tuple[Described, Any]]
"""Strokes with their instructions."""


def lay(canvas: Any, before: Laid, strokes: Sequence[Described]) -> Laid:
    """Has these on the canvas instead of those from before; returns what to come with the next time."""
    kept = _matched(before, strokes)
    used = {id(made) for made in kept if made is not None}
    spare = [one for one in before if id(one[1]) not in used]
    now = [
        (stroke, _changed(spare, stroke) if made is None else made)
        for stroke, made in zip(strokes, kept, strict=True)
    ]
    if [made for _, made in now] != [made for _, made in before]:
        canvas.clear()
        for _, made in now:
            canvas.add(made)
    return now


def _matched(before: Laid, strokes: Sequence[Described]) -> list[Any]:
    """The instruction of each stroke that was there before, in the same order; None for the others.

    What is as it was at both ends is found first: mostly a few in the middle are other.
    """
    most = min(len(before), len(strokes))
    head = next((at for at in range(most) if before[at][0] != strokes[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at][0] != strokes[-1 - at]), most - head)
    old, new = len(before) - tail, len(strokes) - tail
    first, last = before[:head], before[old:]
    between = _found_ahead(before[head:old], strokes[head:new])
    return [*(made for _, made in first), *between, *(made for _, made in last)]


def _found_ahead(before: Laid, strokes: Sequence[Described]) -> list[Any]:
    """The instruction of each stroke, looked for from where the last one was found."""
    found: list[Any] = []
    at = 0
    for stroke in strokes:
        for there in range(at, min(at + AHEAD, len(before))):
            if before[there][0] == stroke:
                found.append(before[there][1])
                at = there + 1
                break
        else:
            found.append(None)
    return found


def _changed(spare: Laid, stroke: Described) -> Any:
    """The instruction, of one that isn't needed any more where there is one of its kind."""
    for at, (old, made) in enumerate(spare):
        if old.make is stroke.make and old.settings.keys() == stroke.settings.keys():
            del spare[at]
            if old.args != stroke.args:
                made.rgba = stroke.args  # a colour alone is given without a name
            for name, value in stroke.settings.items():
                if old.settings[name] != value:
                    setattr(made, name, value)
            return made
    return stroke.made()
