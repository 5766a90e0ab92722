"""What a plan places: the widgets of the play screen, whatever screen holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kivy.uix.widget import Widget

from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.surfaces import Box
from ui.widgets.keys.icon_bar import Bar
from ui.widgets.pieces.middle import Middle
from ui.widgets.seats.strip import Strip
from ui.widgets.seats.turn import Turn
from ui.widgets.sheets.messages import Notes, Refusal


class Parts(NamedTuple):
    """The question (`turn`, and `asking` for the answer), the table's middle, what was said, the rest.

    `heading` says where in the game people are. `centre` is the frame of all of them but the strips, which
    have a frame each; what it holds stands in it. `across` is the question once more, for who sits opposite.
    """

    centre: Turned
    bar: Bar
    heading: Widget
    across: Turned
    turn: Turn
    notes: Notes
    refusal: Refusal
    middle: Middle
    asking: Any
    strips: Sequence[Strip]


def frame(turned: Turned, box: Box, quarter: int = 0) -> None:
    """The frame there, turned by so many quarters."""
    turned.pos, turned.size = (round(box[0]), round(box[1])), (round(box[2]), round(box[3]))
    turned.quarter, turned.opacity = quarter, 1.0


def fill(turned: Turned) -> None:
    """What stands in the frame takes all of it."""
    for child in turned.children:
        child.pos, child.size = (0, 0), turned.inner


def seat(strip: Strip, box: Box, quarter: int = 0) -> None:
    """A strip in its frame there, turned to its owner."""
    frame(strip.parent, box, quarter)
    fill(strip.parent)


def put(widget: Widget, x: float, y: float, width: float, height: float) -> None:
    """There and no larger; what has no room is not seen and not touched."""
    widget.pos, widget.size = (round(x), round(y)), (round(width), round(height))
    widget.opacity = 1.0 if width > 0 and height > 0 else 0.0


def hide(*widgets: Widget) -> None:
    """Out of sight and out of reach."""
    for widget in widgets:
        widget.pos, widget.size, widget.opacity = (-1.0, -1.0), (0.0, 0.0), 0.0
