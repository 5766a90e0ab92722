"""The widgets of the play screen that a layout places, and how it places one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kivy.uix.widget import Widget

from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.surfaces import Box
from ui.widgets.keys.icon_bar import Bar
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.seats.player_panel import PlayerPanel
from ui.widgets.seats.question_banner import QuestionBanner
from ui.widgets.sheets.messages import Notes, Refusal


class PlayWidgets(NamedTuple):
    """All widgets of the play screen.

    `centre` is a frame that turns; it holds everything but the panels, each of which has a frame of its own.
    `heading` says where in the game people are, `notes` what happened, `refusal` why something can't be.
    `asking` are the keys for the answer. `question_across` is the question once more, for people who sit
    opposite.
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
    """Places a frame and turns what it holds by that many quarters."""
    frame.pos, frame.size = (round(box[0]), round(box[1])), (round(box[2]), round(box[3]))
    frame.quarter, frame.opacity = quarter, 1.0


def fill_frame(frame: Turned) -> None:
    """Gives the widget in a frame all of its space."""
    for child in frame.children:
        child.pos, child.size = (0, 0), frame.inner


def place_panel(panel: PlayerPanel, box: Box, quarter: int = 0) -> None:
    """Places a panel with its frame, turned to its player."""
    place_frame(panel.parent, box, quarter)
    fill_frame(panel.parent)


def place_widget(widget: Widget, x: float, y: float, width: float, height: float) -> None:
    """Places a widget at whole pixels; without width or height it can't be seen or touched."""
    widget.pos, widget.size = (round(x), round(y)), (round(width), round(height))
    widget.opacity = 1.0 if width > 0 and height > 0 else 0.0


def hide_widgets(*widgets: Widget) -> None:
    """Moves widgets where nobody sees or touches them."""
    for widget in widgets:
        widget.pos, widget.size, widget.opacity = (-1.0, -1.0), (0.0, 0.0), 0.0
