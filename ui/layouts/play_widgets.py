"""The widgets of the play screen that a layout places, and functions that place one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kivy.uix.widget import Widget

from ui.widgets.drawing.containers import RotatedFrame
from ui.widgets.drawing.surfaces import Box
from ui.widgets.keys.icon_bar import IconBar
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.seats.heading_line import HeadingLine
from ui.widgets.seats.player_panel import PlayerPanel
from ui.widgets.seats.question_banner import QuestionBanner
from ui.widgets.sheets.messages import CollapsibleMessages, RefusalNotice, UndoneNotice
from ui.widgets.sheets.opposite_headline import OppositeHeadline


class PlayWidgets(NamedTuple):
    """All widgets of the play screen that a layout places.

    `central_frame` is a frame that turns; it holds everything but the panels, each of which has a frame of
    its own. `heading` says where in the game people are, `notes` what happened, `refusal` why something isn't
    possible, `undone` what was just undone. `answer_widget` has the buttons for the answer.
    `opposite_question` repeats the question for people who sit opposite, `opposite_notes` the most important
    note.
    """

    central_frame: RotatedFrame
    bar: IconBar
    heading: HeadingLine
    opposite_question: RotatedFrame
    opposite_notes: OppositeHeadline
    question: QuestionBanner
    notes: CollapsibleMessages
    refusal: RefusalNotice
    undone: UndoneNotice
    middle: TableMiddle
    answer_widget: Any
    panels: Sequence[PlayerPanel]


def place_turned_frame(frame: RotatedFrame, box: Box, quarter_turns: int = 0) -> None:
    """Places a frame and turns its contents by that many quarter turns."""
    frame.pos, frame.size = (round(box[0]), round(box[1])), (round(box[2]), round(box[3]))
    frame.quarter_turns, frame.opacity = quarter_turns, 1.0


def fill_frame(frame: RotatedFrame) -> None:
    """Gives the widget in a frame all of the frame's space."""
    for child in frame.children:
        child.pos, child.size = (0, 0), frame.inner_size


def place_panel(panel: PlayerPanel, box: Box, quarter_turns: int = 0) -> None:
    """Places a panel with its frame, turned to its player."""
    place_turned_frame(panel.parent, box, quarter_turns)
    fill_frame(panel.parent)


def place_widget(widget: Widget, x: float, y: float, width: float, height: float) -> None:
    """Gives a widget this position and size, rounded to whole pixels.

    A widget without width or height is hidden.
    """
    widget.pos, widget.size = (round(x), round(y)), (round(width), round(height))
    widget.opacity = 1.0 if width > 0 and height > 0 else 0.0


def hide_widgets(*widgets: Widget) -> None:
    """Hides widgets by moving them where nobody sees or touches them."""
    for widget in widgets:
        widget.pos, widget.size, widget.opacity = (-1.0, -1.0), (0.0, 0.0), 0.0
