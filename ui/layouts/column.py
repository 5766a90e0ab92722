"""The column of every layout: heading, question, what happened, middle of the table, buttons for the answer.

If space is short, parts are left out or shortened in the order of `ALTERNATIVES_BEST_FIRST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from kivy.uix.widget import Widget

from ui import theme
from ui.layouts.play_widgets import PlayWidgets, hide_widgets, place_widget
from ui.widgets.drawing.line_breaking import count_wrapped_lines
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import measure_text_width

QUESTION_WIDTH_FRACTIONS = (0.45, 0.55, 0.39, 0.5, 0.36, 0.33)
"""Fractions of the width that are tried for the question when its answer is beside it."""


class HeightRange(NamedTuple):
    """The heights of a widget: the minimum, the height that shows everything, and the preferred height."""

    min_height: float
    content_height: float
    preferred_height: float


ColumnItem = tuple[Widget, HeightRange]
"""A widget of a column, and its height range."""


class ColumnAlternative(NamedTuple):
    """One way to fill a column: which parts it shows, and how fully.

    `notes` say what happened: all of it, or one line that opens a sheet. `middle` is the middle of the table:
    whole, the part of it that matters most, or that part only if the question is about it. `answer` are the
    buttons for the answer: all, one page of them, or one button that opens them.
    """

    has_heading: bool
    notes: Literal["all", "line", ""]
    middle: Literal["whole", "some", "subject", ""]
    answer: Literal["full", "compact", "collapsed"]


ALTERNATIVES_BEST_FIRST = (
    ColumnAlternative(True, "all", "whole", "full"),
    ColumnAlternative(False, "all", "whole", "full"),
    ColumnAlternative(False, "all", "whole", "compact"),
    ColumnAlternative(True, "all", "some", "full"),
    ColumnAlternative(False, "all", "some", "full"),
    ColumnAlternative(False, "all", "some", "compact"),
    ColumnAlternative(False, "all", "subject", "full"),
    ColumnAlternative(False, "all", "subject", "compact"),
    ColumnAlternative(True, "all", "whole", "collapsed"),
    ColumnAlternative(False, "all", "some", "collapsed"),
    ColumnAlternative(False, "all", "subject", "collapsed"),
    ColumnAlternative(False, "line", "some", "full"),
    ColumnAlternative(False, "line", "some", "compact"),
    ColumnAlternative(False, "line", "subject", "full"),
    ColumnAlternative(False, "line", "subject", "compact"),
    ColumnAlternative(False, "line", "some", "collapsed"),
    ColumnAlternative(False, "line", "subject", "collapsed"),
    ColumnAlternative(False, "line", "", "compact"),
    ColumnAlternative(False, "", "", "compact"),
)
"""The alternatives to fill a column, best first: the first that fits is shown.

An omission level is an index here.
"""
COMPLETE = ColumnAlternative(False, "all", "whole", "compact")
MAX_COMPLETE_LEVEL = ALTERNATIVES_BEST_FIRST.index(COMPLETE)
"""The highest omission level at which a column counts as complete.

Up to it a column leaves out at most the heading or pages of buttons.
"""
MIN_COLLAPSED_LEVEL = ALTERNATIVES_BEST_FIRST.index(ColumnAlternative(True, "all", "whole", "collapsed"))
"""The lowest omission level at which the answer's buttons are collapsed into one button."""
MAX_ESSENTIAL_LEVEL = ALTERNATIVES_BEST_FIRST.index(ColumnAlternative(False, "line", "subject", "collapsed"))
"""The highest omission level at which a column still shows everything essential.

Essential are what happened, at least as a line, and what the question is about.
"""
LEVEL_IF_NOTHING_FITS = 100
"""The omission level if not even the last alternative fits."""


def distribute_height(height: float, ranges: Sequence[HeightRange]) -> list[float]:
    """Distributes the height among widgets, and returns the height of each.

    Minimums come first, then content heights, then preferred heights. If there is too little for all,
    each gets an equal share of what it lacks. None gets less than its minimum: the caller leaves
    parts out.
    """
    got = [one.min_height for one in ranges]
    for wanted in ([one.content_height for one in ranges], [one.preferred_height for one in ranges]):
        more = [max(0.0, want - has) for want, has in zip(wanted, got, strict=True)]
        share = min(1.0, max(0.0, height - sum(got)) / max(1.0, sum(more)))
        got = [has + share * each for has, each in zip(got, more, strict=True)]
    return got


def arrange_in_one_column(parts: PlayWidgets, box: Box) -> None:
    """Places everything from top to bottom, in the first alternative that fits."""
    shown = _stack(parts, _alternatives(parts, box[2]), box)
    gap = _gap()
    # The keys stand at the bottom, under the thumbs, whatever is left above them.
    parts.answer_widget.y = round(box[1])
    if parts.middle in shown:
        parts.middle.height += max(0, parts.middle.y - parts.answer_widget.top - gap)
        parts.middle.y = parts.answer_widget.top + round(gap)
        parts.middle.choose_line_height()


def arrange_in_two_columns(parts: PlayWidgets, box: Box) -> None:
    """Places the answer's buttons at the right and everything else at the left."""
    x, y, width, height = box
    left_width = width * _choose_share(parts, width, height)[1]
    alternatives = [items[:-1] for items in _alternatives(parts, left_width)]
    if parts.middle in _stack(parts, alternatives, (x, y, left_width, height)):
        parts.middle.choose_line_height()
    right_x = x + left_width + theme.length.gap
    right_width = x + width - right_x
    high = min(height, max(parts.answer_widget.height_range(right_width)))
    place_widget(parts.answer_widget, right_x, y + (height - high) / 2, right_width, high)


def place_refusal_message(parts: PlayWidgets) -> None:
    """Places the refusal message over other parts, which stay where they are.

    The message says why something isn't possible. It is over what happened and the middle; it covers
    the question only if those are too low, and the buttons too if the question is too narrow. Nothing
    moves for it, so a button stays where the finger found it.
    """
    refusal, question, asking, gap = parts.refusal, parts.question, parts.answer_widget, _gap()
    if not refusal.text:
        hide_widgets(refusal)
        return
    is_one_column, width = asking.x < question.right, question.width
    if refusal.height_range(width)[0] > question.top:
        width = max(width, asking.right - question.x)
    high = max(refusal.height_range(width)[0], theme.length.remark)
    floor = asking.top + gap if is_one_column else 0.0
    y = min(max(question.y - gap - high, floor), question.top - high)
    place_widget(refusal, question.x, y, width, high)


def omission_level(parts: PlayWidgets, width: float, height: float, *, in_two_columns: bool) -> int:
    """Returns the index of the first alternative that fits, or `LEVEL_IF_NOTHING_FITS`."""
    if in_two_columns:
        return _choose_share(parts, width, height)[0]
    if parts.answer_widget.is_too_narrow(width) or parts.question.is_too_narrow(width):
        return LEVEL_IF_NOTHING_FITS
    return _first_fitting(_alternatives(parts, width), height)


def min_complete_height(parts: PlayWidgets, width: float) -> float:
    """Returns the least height at which the column is complete.

    At most the heading or pages of buttons are left out then.
    """
    return _least_height(_alternatives(parts, width)[MAX_COMPLETE_LEVEL])


def _choose_share(parts: PlayWidgets, width: float, height: float) -> tuple[int, float]:
    """Returns the least omission level of two columns, and the question's fraction of the width for it.

    The search stops at the first fraction that shows everything: measuring is most of the work of a layout.
    """
    best = LEVEL_IF_NOTHING_FITS, QUESTION_WIDTH_FRACTIONS[0]
    for share in QUESTION_WIDTH_FRACTIONS:
        level = _level_at_share(parts, width, height, share)
        best = min(best, (level, share), key=lambda each: each[0])
        if level <= MAX_COMPLETE_LEVEL:
            break
    return best


def _level_at_share(parts: PlayWidgets, width: float, height: float, share: float) -> int:
    """Returns the omission level at which both columns fit."""
    right = width * (1 - share) - theme.length.gap
    keys_level = _level_of_keys(parts, right, height)
    if (
        keys_level == LEVEL_IF_NOTHING_FITS
        or parts.answer_widget.is_too_narrow(right)
        or parts.question.is_too_narrow(width * share)
        or parts.middle.is_too_narrow(width * share)
    ):
        return LEVEL_IF_NOTHING_FITS
    alternatives = [items[:-1] for items in _alternatives(parts, width * share)]
    return max(_first_fitting(alternatives, height), keys_level)


def _level_of_keys(parts: PlayWidgets, width: float, height: float) -> int:
    """Returns the omission level of the answer's keys in a column of their own."""
    tries = {
        0: parts.answer_widget.height_range(width)[0],
        MAX_COMPLETE_LEVEL: parts.answer_widget.min_compact_height,
        MIN_COLLAPSED_LEVEL: parts.answer_widget.min_collapsed_height,
    }
    # A question that can't be compact or collapsed has height 0 there.
    fitting = (level for level, high in tries.items() if (high or not level) and high <= height + 1)
    return next(fitting, LEVEL_IF_NOTHING_FITS)


def _first_fitting(alternatives: Sequence[Sequence[ColumnItem]], height: float) -> int:
    fitting = (at for at, items in enumerate(alternatives) if _least_height(items) <= height + 1)
    return next(fitting, LEVEL_IF_NOTHING_FITS)


def _least_height(items: Sequence[ColumnItem]) -> float:
    return sum(heights.min_height for _, heights in items) + _gap() * max(0, len(items) - 1)


def _gap() -> float:
    return theme.length.gap * 0.75


def _stack(parts: PlayWidgets, alternatives: Sequence[Sequence[ColumnItem]], box: Box) -> list[Widget]:
    """Places the first alternative that fits, or the last, and hides what it doesn't have."""
    x, y, width, height = box
    at = min(_first_fitting(alternatives, height), len(alternatives) - 1)
    items = alternatives[at]
    shown = [widget for widget, _ in items]
    everything = (parts.heading, parts.question, parts.notes, parts.middle)
    hide_widgets(*(widget for widget in everything if widget not in shown))
    heights = distribute_height(height - _gap() * (len(items) - 1), [heights for _, heights in items])
    top = y + height
    for widget, high in zip(shown, heights, strict=True):
        place_widget(widget, x, top - high, width, high)
        top -= high + _gap()
    if parts.notes in shown:
        parts.notes.collapse_if_too_low()
    return shown


def _alternatives(parts: PlayWidgets, available: float) -> list[list[ColumnItem]]:
    """Returns the widgets of each alternative with their heights at that width, from top to bottom."""
    width = int(available)  # widgets are placed at whole pixels and are no narrower
    heading, question = _heading(parts, width), (parts.question, _range(parts.question.height_range(width)))
    full = _range(parts.answer_widget.height_range(width))
    compact_height = parts.answer_widget.min_compact_height or full.min_height
    compact = full._replace(min_height=min(full.min_height, compact_height))
    collapsed = full._replace(min_height=parts.answer_widget.min_collapsed_height or compact.min_height)
    answers = {"full": full, "compact": compact, "collapsed": collapsed}
    notes, middles = _notes(parts, width), _middles(parts, width)
    return [
        [
            *([heading] if one.has_heading else []),
            question,
            *notes[one.notes],
            *middles[one.middle],
            (parts.answer_widget, answers[one.answer]),
        ]
        for one in ALTERNATIVES_BEST_FIRST
    ]


def _heading(parts: PlayWidgets, width: int) -> ColumnItem:
    sizes = theme.length
    lines = count_wrapped_lines(
        parts.heading.text, width, lambda text: measure_text_width(text, sizes.smallest, bold=False)
    )
    parts.heading.lines = lines
    line = sizes.smallest * 1.3 * lines
    return parts.heading, HeightRange(line, line, max(line, sizes.body * 1.3))


def _notes(parts: PlayWidgets, width: int) -> dict[str, list[ColumnItem]]:
    """Returns the widgets that say what happened, by `ColumnAlternative.notes`."""
    if not parts.notes.texts:
        return {"all": [], "line": [], "": []}
    line, notes = parts.notes.collapsed_height, _range(parts.notes.height_range(width))
    return {"all": [(parts.notes, notes)], "line": [(parts.notes, HeightRange(line, line, line))], "": []}


def _middles(parts: PlayWidgets, width: int) -> dict[str, list[ColumnItem]]:
    """Returns the middle of the table, by `ColumnAlternative.middle`."""
    if not parts.middle.parts:
        return {"whole": [], "some": [], "subject": [], "": []}
    whole = _range(parts.middle.height_range(width))
    some: list[ColumnItem] = [
        (parts.middle, whole._replace(min_height=parts.middle.min_height_of_required_rows(width)))
    ]
    subject = some if parts.middle.has_subject else []
    return {"whole": [(parts.middle, whole)], "some": some, "subject": subject, "": []}


def _range(heights: tuple[float, float]) -> HeightRange:
    least, preferred = heights
    return HeightRange(least, least, preferred)
