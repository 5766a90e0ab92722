"""What a plan places: the widgets of the play screen, whatever screen holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kivy.uix.widget import Widget

from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.surfaces import Box
from ui.widgets.keys.icon_bar import Bar
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.seats.player_panel import PlayerPanel
from ui.widgets.seats.turn import QuestionBanner
from ui.widgets.sheets.messages import Notes, Refusal


class PlayWidgets(NamedTuple):
    """The question (`turn`, and `asking` for the answer), the table's middle, what was said, the rest.

    `heading` says where in the game people are. `centre` is the frame of all of them but the strips, which
    have a frame each; what it holds stands in it. `across` is the question once more, for who sits opposite.
    """

    centre: Turned
    bar: Bar
    heading: Widget
    question_across: Turned
    question: QuestionBanner
    notes: Notes
    refusal: Refusal
    middle: TableMiddle
    asking: Any
    panels: Sequence[PlayerPanel]


def place_frame(frame: Turned, box: Box, quarter: int = 0) -> None:
    """The frame there, turned by so many quarters."""
    frame.pos, frame.size = (round(box[0]), round(box[1])), (round(box[2]), round(box[3]))
    frame.quarter, frame.opacity = quarter, 1.0


def fill_frame(frame: Turned) -> None:
    """What stands in the frame takes all of it."""
    for child in frame.children:
        child.pos, child.size = (0, 0), frame.inner


def place_panel(panel: PlayerPanel, box: Box, quarter: int = 0) -> None:
    """A strip in its frame there, turned to its owner."""
    place_frame(panel.parent, box, quarter)
    fill_frame(panel.parent)


def place_widget(widget: Widget, x: float, y: float, width: float, height: float) -> None:
    """There and no larger; what has no room is not seen and not touched."""
    widget.pos, widget.size = (round(x), round(y)), (round(width), round(height))
    widget.opacity = 1.0 if width > 0 and height > 0 else 0.0


def hide_widgets(*widgets: Widget) -> None:
    """Out of sight and out of reach."""
    for widget in widgets:
        widget.pos, widget.size, widget.opacity = (-1.0, -1.0), (0.0, 0.0), 0.0
