"""The column of every layout: heading, question, what happened, middle of the table, buttons for the answer.

If space is short, parts are left out or shortened in the order of `ALTERNATIVES_BEST_FIRST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from kivy.uix.widget import Widget

from ui import theme
from ui.layouts.play_widgets import PlayWidgets, hide_widgets, place_widget
from ui.widgets.drawing.surfaces import Box
from ui.widgets.sheets.messages import RefusalNotice, UndoneNotice

CANDIDATE_QUESTION_WIDTH_FRACTIONS = (0.45, 0.55, 0.39, 0.5, 0.36, 0.33)
"""Fractions of the width that are tried for the question when its answer is beside it."""


class HeightRange(NamedTuple):
    """The heights of a widget: the minimum, the height that shows everything, and the preferred height."""

    min_height: float
    content_height: float
    preferred_height: float


ColumnItem = tuple[Widget, HeightRange]
"""A widget of a column, and its heights."""


class ColumnAlternative(NamedTuple):
    """One way to fill a column: which parts it shows, and how fully.

    `notes` say what happened: all of it, or one line that opens a sheet. They are short, if the answer's
    buttons outrank them: then they are one line, unless all of it is even lower. What the table shows
    elsewhere, too, is only shown where there is room for all. `middle` is the middle of the table: whole, the
    part of it that matters most and all grids of numbers, that part alone, or that part only if the question
    is about it. `answer` are the buttons for
    the answer: all, one page of them, or one button that opens them.
    """

    has_heading: bool
    notes: Literal["all", "short", "line", ""]
    middle: Literal["whole", "most", "some", "subject", ""]
    answer: Literal["full", "compact", "collapsed"]


ALTERNATIVES_BEST_FIRST = (
    ColumnAlternative(True, "all", "whole", "full"),
    ColumnAlternative(False, "all", "whole", "full"),
    ColumnAlternative(True, "all", "whole", "compact"),
    ColumnAlternative(False, "all", "whole", "compact"),
    ColumnAlternative(False, "short", "whole", "full"),
    ColumnAlternative(True, "short", "most", "full"),
    ColumnAlternative(False, "short", "most", "full"),
    ColumnAlternative(True, "short", "some", "full"),
    ColumnAlternative(False, "short", "some", "full"),
    ColumnAlternative(False, "short", "some", "compact"),
    ColumnAlternative(False, "short", "subject", "full"),
    ColumnAlternative(False, "short", "subject", "compact"),
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

An omission level is an index here. Of the alternatives up to `MAX_COMPLETE_LEVEL`, those with fewer pages of
buttons come first.
"""
BEST_ALTERNATIVE_WITHOUT_PAGES = ColumnAlternative(False, "all", "whole", "full")
"""The lowest alternative that leaves out at most the heading."""
WORST_COMPLETE_ALTERNATIVE = ColumnAlternative(False, "all", "whole", "compact")
MAX_COMPLETE_LEVEL = ALTERNATIVES_BEST_FIRST.index(WORST_COMPLETE_ALTERNATIVE)
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


class Omission(NamedTuple):
    """What a layout leaves out; the smaller, the less.

    `level` is the omission level, at least `MAX_COMPLETE_LEVEL`. `page_count` is the number of pages of
    buttons.
    """

    level: int
    page_count: int

    @property
    def is_complete(self) -> bool:
        """Returns whether the column leaves out at most the heading or pages of buttons."""
        return self.level <= MAX_COMPLETE_LEVEL

    @property
    def is_least(self) -> bool:
        """Returns whether nothing better is possible: complete, and all buttons at once."""
        return self.is_complete and self.page_count == 1


OMISSION_IF_NOTHING_FITS = Omission(LEVEL_IF_NOTHING_FITS, 0)


def distribute_height(height: float, ranges: Sequence[HeightRange]) -> list[float]:
    """Distributes the height among widgets, and returns the height of each.

    Minimums come first, then content heights, then preferred heights. If there is too little for all,
    each widget gets the same share of what it lacks. No widget gets less than its minimum: the caller
    leaves parts out.
    """
    heights = [each.min_height for each in ranges]
    for targets in ([each.content_height for each in ranges], [each.preferred_height for each in ranges]):
        missing = [max(0.0, target - current) for target, current in zip(targets, heights, strict=True)]
        share = min(1.0, max(0.0, height - sum(heights)) / max(1.0, sum(missing)))
        heights = [current + share * lack for current, lack in zip(heights, missing, strict=True)]
    return heights


def arrange_in_one_column(parts: PlayWidgets, box: Box) -> None:
    """Places everything from top to bottom, in the best alternative that fits."""
    alternatives = _measure_alternatives(parts, box[2])
    _, level = _choose_alternative(parts, alternatives, box[2], box[3])
    shown = _stack(parts, alternatives[level], box)
    gap = _gap()
    # The keys are at the bottom, under the thumbs, even if space above them stays empty.
    parts.answer_widget.y = round(box[1])
    if parts.middle in shown:
        parts.middle.height += max(0, parts.middle.y - parts.answer_widget.top - gap)
        parts.middle.y = parts.answer_widget.top + round(gap)
        parts.middle.choose_line_height()


def arrange_in_two_columns(parts: PlayWidgets, box: Box) -> None:
    """Places the answer's buttons at the right and everything else at the left."""
    x, y, width, height = box
    left_width = width * _choose_question_fraction(parts, width, height)[1]
    alternatives = [items[:-1] for items in _measure_alternatives(parts, left_width)]
    level = min(_first_fitting_level(alternatives, height), len(alternatives) - 1)
    if parts.middle in _stack(parts, alternatives[level], (x, y, left_width, height)):
        parts.middle.choose_line_height()
    right_x = x + left_width + theme.length.gap
    right_width = x + width - right_x
    answer_height = min(height, max(parts.answer_widget.min_and_preferred_height(right_width)))
    place_widget(parts.answer_widget, right_x, y + (height - answer_height) / 2, right_width, answer_height)


def place_messages(parts: PlayWidgets) -> None:
    """Places the messages over other parts, which stay where they are: a refusal, and what was undone.

    A message is over what happened and the middle; it covers the question only if those two are too low, and
    the buttons too if the question is too narrow for a word or for all lines. Nothing moves for a message, so
    a button stays where the finger found it.
    """
    for message in (parts.refusal, parts.undone):
        _place_message(parts, message)


def _place_message(parts: PlayWidgets, message: RefusalNotice | UndoneNotice) -> None:
    question, answer, gap = parts.question, parts.answer_widget, _gap()
    if not message.text:
        hide_widgets(message)
        return
    is_one_column, width = answer.x < question.right, question.width
    if message.is_too_narrow(width) or message.min_and_preferred_height(width)[0] > question.top:
        width = max(width, answer.right - question.x)
    height = max(message.min_and_preferred_height(width)[0], theme.length.remark)
    min_y = answer.top + gap if is_one_column else 0.0
    y = min(max(question.y - gap - height, min_y), question.top - height)
    place_widget(message, question.x, y, width, height)


def least_omission(parts: PlayWidgets, width: float, height: float, *, in_two_columns: bool) -> Omission:
    """Returns what the best layout of this size leaves out."""
    if in_two_columns:
        return _choose_question_fraction(parts, width, height)[0]
    if parts.answer_widget.is_too_narrow(width) or parts.question.is_too_narrow(width):
        return OMISSION_IF_NOTHING_FITS
    return _choose_alternative(parts, _measure_alternatives(parts, width), width, height)[0]


def min_height_without_pages(parts: PlayWidgets, width: float) -> float:
    """Returns the least height at which the column leaves out at most the heading."""
    level = ALTERNATIVES_BEST_FIRST.index(BEST_ALTERNATIVE_WITHOUT_PAGES)
    return _least_height(_measure_alternatives(parts, width)[level])


def _choose_alternative(
    parts: PlayWidgets, alternatives: Sequence[Sequence[ColumnItem]], width: float, height: float
) -> tuple[Omission, int]:
    """Returns what the best alternative that fits leaves out, and its index; the last one if none fits.

    Of the complete alternatives that one is best which has the fewest pages of buttons. If the buttons belong
    on one page, alternatives with everything essential count as complete.
    """
    is_essential_enough = parts.answer_widget.belongs_on_one_page
    max_complete_level = MAX_ESSENTIAL_LEVEL if is_essential_enough else MAX_COMPLETE_LEVEL
    fitting = [level for level, items in enumerate(alternatives) if _least_height(items) <= height + 1]
    if not fitting:
        return OMISSION_IF_NOTHING_FITS, len(alternatives) - 1
    candidates = [level for level in fitting if level <= max_complete_level] or fitting[:1]
    best = OMISSION_IF_NOTHING_FITS, candidates[0]
    for level in candidates:
        *_, answer_height = _distribute_column(alternatives[level], height)
        page_count = parts.answer_widget.page_count_at(int(width), int(answer_height))
        counted_level = MAX_COMPLETE_LEVEL if level <= max_complete_level else level
        best = min(best, (Omission(counted_level, page_count), level))
        if best[0].is_least:
            break
    return best


def _choose_question_fraction(parts: PlayWidgets, width: float, height: float) -> tuple[Omission, float]:
    """Returns what two columns leave out at least, and the question's fraction of the width for that.

    Fractions that can't be better are skipped: measuring is most of the work of a layout.
    """
    best = OMISSION_IF_NOTHING_FITS, CANDIDATE_QUESTION_WIDTH_FRACTIONS[0]
    for fraction in CANDIDATE_QUESTION_WIDTH_FRACTIONS:
        page_count = parts.answer_widget.page_count_at(_answer_width(width, fraction), int(height))
        if not best[0].is_complete or page_count < best[0].page_count:
            omission = _omission_at_fraction(parts, width, height, fraction, page_count)
            best = min(best, (omission, fraction), key=lambda each: each[0])
        if best[0].is_least:
            break
    return best


def _answer_width(width: float, fraction: float) -> int:
    """Returns the width of the answer beside a question that has this fraction of the width."""
    return int(width * (1 - fraction) - theme.length.gap)


def _omission_at_fraction(
    parts: PlayWidgets, width: float, height: float, fraction: float, page_count: int
) -> Omission:
    """Returns what is left out if the question has this fraction of the width, and the answer the rest."""
    right_width = _answer_width(width, fraction)
    keys_level = _level_of_answer_keys(parts, right_width, height)
    if (
        keys_level == LEVEL_IF_NOTHING_FITS
        or parts.answer_widget.is_too_narrow(right_width)
        or parts.question.is_too_narrow(width * fraction)
        or parts.middle.is_too_narrow(width * fraction)
    ):
        return OMISSION_IF_NOTHING_FITS
    alternatives = [items[:-1] for items in _measure_alternatives(parts, width * fraction)]
    level = max(_first_fitting_level(alternatives, height), keys_level)
    if level == LEVEL_IF_NOTHING_FITS:
        return OMISSION_IF_NOTHING_FITS
    return Omission(max(level, MAX_COMPLETE_LEVEL), page_count)


def _level_of_answer_keys(parts: PlayWidgets, width: float, height: float) -> int:
    """Returns the omission level of the answer's keys in a column of their own."""
    min_height_by_level = {
        0: parts.answer_widget.min_and_preferred_height(width)[0],
        MAX_COMPLETE_LEVEL: parts.answer_widget.min_compact_height,
        MIN_COLLAPSED_LEVEL: parts.answer_widget.min_collapsed_height,
    }
    # A question that can't be compact or collapsed has height 0 there.
    fitting_levels = (
        level
        for level, min_height in min_height_by_level.items()
        if (min_height or not level) and min_height <= height + 1
    )
    return next(fitting_levels, LEVEL_IF_NOTHING_FITS)


def _first_fitting_level(alternatives: Sequence[Sequence[ColumnItem]], height: float) -> int:
    fitting = (level for level, items in enumerate(alternatives) if _least_height(items) <= height + 1)
    return next(fitting, LEVEL_IF_NOTHING_FITS)


def _least_height(items: Sequence[ColumnItem]) -> float:
    return sum(heights.min_height for _, heights in items) + _gap() * max(0, len(items) - 1)


def _gap() -> float:
    return theme.length.gap * 0.75


def _distribute_column(items: Sequence[ColumnItem], height: float) -> list[float]:
    """Returns the height of each widget of a column, with gaps between them."""
    return distribute_height(height - _gap() * (len(items) - 1), [heights for _, heights in items])


def _stack(parts: PlayWidgets, shown_items: Sequence[ColumnItem], box: Box) -> list[Widget]:
    """Places the widgets of an alternative, and hides the other parts; returns the widgets."""
    x, y, width, height = box
    shown_widgets = [widget for widget, _ in shown_items]
    column_parts = (parts.heading, parts.question, parts.notes, parts.middle)
    hide_widgets(*(widget for widget in column_parts if widget not in shown_widgets))
    parts.question.is_warning_elsewhere = parts.heading in shown_widgets
    top = y + height
    for widget, widget_height in zip(shown_widgets, _distribute_column(shown_items, height), strict=True):
        place_widget(widget, x, top - widget_height, width, widget_height)
        top -= widget_height + _gap()
    if parts.notes in shown_widgets:
        parts.notes.collapse_or_expand_to_fit()
    return shown_widgets


def _measure_alternatives(parts: PlayWidgets, available_width: float) -> list[list[ColumnItem]]:
    """Returns the widgets of each alternative, from top to bottom, with their height ranges at that width."""
    width = int(available_width)  # widgets are placed at whole pixels and are no narrower
    heading = (parts.heading, _to_height_range(parts.heading.min_and_preferred_height(width)))
    question = (parts.question, _to_height_range(parts.question.min_and_preferred_height(width)))
    full = _to_height_range(parts.answer_widget.min_and_preferred_height(width))
    compact_height = parts.answer_widget.min_compact_height or full.min_height
    compact = full._replace(min_height=min(full.min_height, compact_height))
    collapsed = full._replace(min_height=parts.answer_widget.min_collapsed_height or compact.min_height)
    answers = {"full": full, "compact": compact, "collapsed": collapsed}
    notes, middles = _measure_notes(parts, width), _measure_middles(parts, width)
    return [
        [
            *([heading] if alternative.has_heading else []),
            question,
            *notes[alternative.notes],
            *middles[alternative.middle],
            (parts.answer_widget, answers[alternative.answer]),
        ]
        for alternative in ALTERNATIVES_BEST_FIRST
    ]


def _measure_notes(parts: PlayWidgets, width: int) -> dict[str, list[ColumnItem]]:
    """Returns the widgets that say what happened, by `ColumnAlternative.notes`."""
    if not parts.notes.texts:
        return {"all": [], "short": [], "line": [], "": []}
    collapsed, full = (
        parts.notes.collapsed_height,
        _to_height_range(parts.notes.min_and_preferred_height(width)),
    )
    full = full._replace(content_height=parts.notes.content_height(width))
    if parts.notes.is_shown_elsewhere:
        return {"all": [(parts.notes, full)], "short": [], "line": [], "": []}
    line = HeightRange(collapsed, collapsed, collapsed)
    is_line_shorter = parts.answer_widget.outranks_notes and collapsed < full.min_height
    return {
        "all": [(parts.notes, full)],
        "short": [(parts.notes, line if is_line_shorter else full)],
        "line": [(parts.notes, line)],
        "": [],
    }


def _measure_middles(parts: PlayWidgets, width: int) -> dict[str, list[ColumnItem]]:
    """Returns the middle of the table, by `ColumnAlternative.middle`."""
    if not parts.middle.parts:
        return {"whole": [], "most": [], "some": [], "subject": [], "": []}
    whole = _to_height_range(parts.middle.min_and_preferred_height(width))
    some: list[ColumnItem] = [
        (parts.middle, whole._replace(min_height=parts.middle.min_height_of_required_rows(width)))
    ]
    most_height = parts.middle.min_height_of_required_rows_and_grids(width)
    most: list[ColumnItem] = [(parts.middle, whole._replace(min_height=most_height))]
    subject = some if parts.middle.has_question_subject else []
    return {"whole": [(parts.middle, whole)], "most": most, "some": some, "subject": subject, "": []}


def _to_height_range(heights: tuple[float, float]) -> HeightRange:
    least, preferred = heights
    return HeightRange(least, least, preferred)
