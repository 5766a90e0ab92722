"""The column of every plan: what is asked, what was said, the middle of the table, the answer's keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from kivy.uix.widget import Widget

from ui import theme
from ui.plans.dividing import HeightRange, distribute, fit_below_each_other
from ui.plans.parts import PlayWidgets, hide_widgets, place_widget
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import across

QUESTION_WIDTH_SHARES = (0.45, 0.55, 0.39, 0.5, 0.36, 0.33)
"""Shares of a wide place that what is asked takes."""
MAX_COMPLETE_LEVEL = 2
"""The last of the tries that leaves nothing out but the heading."""
MIN_COLLAPSED_LEVEL = 8
"""The first of the tries in which the answer's keys are folded."""
MAX_ESSENTIAL_LEVEL = 16
"""The last of the tries that shows what happened, or its line, and what the question is about."""
NOTHING_FITS = 100
"""The try that stands for "none has room"."""


ColumnItem = tuple[Widget, HeightRange]
"""A part, and how high it must be and likes to be."""


def arrange_in_one_column(parts: PlayWidgets, box: Box) -> None:
    """From top to bottom. Where room is short the heading goes first, then what nobody asks about.

    What happened and what the question is about stay: where not all that happened has room, one line stands
    for it, which opens.
    """
    shown = _stack(parts, _tries(parts, box[2]), box)
    gap = theme.length.gap * 0.75
    # The keys stand at the bottom, under the thumbs, whatever is left above them.
    parts.asking.y = round(box[1])
    if parts.middle in shown:
        parts.middle.height += max(0, parts.middle.y - parts.asking.top - gap)
        parts.middle.y = parts.asking.top + round(gap)
        parts.middle.choose_line_height()


def arrange_in_two_columns(parts: PlayWidgets, box: Box) -> None:
    """What is asked, said and lies there at the left, the answer's keys at the right."""
    x, y, width, height = box
    wide = width * _share(parts, width, height)[1]
    tries = [things[:-1] for things in _tries(parts, wide)]
    if parts.middle in _stack(parts, tries, (x, y, wide, height)):
        parts.middle.choose_line_height()
    left = x + wide + theme.length.gap
    right = x + width - left
    high = min(height, max(parts.asking.height_range(right)))
    place_widget(parts.asking, left, y + (height - high) / 2, right, high)


def place_refusal(parts: PlayWidgets) -> None:
    """Lays the slip over what was said and the middle, over the question only where those are too low.

    Nothing moves for it, so that whoever touched a key finds it where it was. Where the question is too
    narrow for it, it lies over the keys too.
    """
    refusal, turn, asking, gap = parts.refusal, parts.question, parts.asking, theme.length.gap * 0.75
    if not refusal.text:
        hide_widgets(refusal)
        return
    is_above, wide = asking.x < turn.right, turn.width
    if refusal.height_range(wide)[0] > turn.top:
        wide = max(wide, asking.right - turn.x)
    high = max(refusal.height_range(wide)[0], theme.length.remark)
    floor = asking.top + gap if is_above else 0.0
    place_widget(refusal, turn.x, min(max(turn.y - gap - high, floor), turn.top - high), wide, high)


def _share(parts: PlayWidgets, width: float, height: float) -> tuple[int, float]:
    """How much is left out at least, and the share for what is asked at which that is so.

    The first at which nothing is: measuring is most of the work of a plan.
    """
    best = NOTHING_FITS, QUESTION_WIDTH_SHARES[0]
    for share in QUESTION_WIDTH_SHARES:
        left_out = _left_out_beside(parts, width, height, share)
        best = min(best, (left_out, share), key=lambda each: each[0])
        if left_out <= MAX_COMPLETE_LEVEL:
            break
    return best


def _left_out_beside(parts: PlayWidgets, width: float, height: float, share: float) -> int:
    """How much is left out where what is asked has that share; more than ever where the keys have no room."""
    right = width * (1 - share) - theme.length.gap
    keys = _keys_left_out(parts, right, height)
    if (
        keys == NOTHING_FITS
        or parts.asking.is_too_narrow(right)
        or parts.question.is_too_narrow(width * share)
        or parts.middle.is_too_narrow(width * share)
    ):
        return NOTHING_FITS
    tries = [things[:-1] for things in _tries(parts, width * share)]
    return max(_first_fitting(tries, height), keys)


def _keys_left_out(parts: PlayWidgets, width: float, height: float) -> int:
    """How much of the answer's keys must be left out there: none, a page of them, or all that may be."""
    least = parts.asking.height_range(width)[0]
    tries = {
        0: least,
        MAX_COMPLETE_LEVEL: parts.asking.compact_height,
        MIN_COLLAPSED_LEVEL: parts.asking.collapsed_height,
    }
    fitting = (at for at, high in tries.items() if (high or not at) and high <= height + 1)
    return next(fitting, NOTHING_FITS)


def omission_level(parts: PlayWidgets, width: float, height: float, *, in_two_columns: bool) -> int:
    """How much must be left out there: nothing, up to `WHOLE` no more than the heading or a page of keys."""
    if in_two_columns:
        return _share(parts, width, height)[0]
    if parts.asking.is_too_narrow(width) or parts.question.is_too_narrow(width):
        return NOTHING_FITS
    return _first_fitting(_tries(parts, width), height)


def _first_fitting(tries: Sequence[Sequence[ColumnItem]], height: float) -> int:
    """Which of these is the first that has room."""
    gap = theme.length.gap * 0.75
    fitting = (
        at
        for at, things in enumerate(tries)
        if fit_below_each_other(height, [wish for _, wish in things], gap)
    )
    return next(fitting, NOTHING_FITS)


def _high(things: Sequence[tuple[Widget, HeightRange]]) -> float:
    return sum(wish.least for _, wish in things) + theme.length.gap * 0.75 * (len(things) - 1)


def complete_height(parts: PlayWidgets, width: float) -> float:
    """How high it must be so that all that was asked and said and lies there is seen."""
    return _high(_tries(parts, width)[MAX_COMPLETE_LEVEL])


def _stack(
    parts: PlayWidgets, tries: Sequence[Sequence[tuple[Widget, HeightRange]]], box: Box
) -> Sequence[Widget]:
    """The first of these that has room, from top to bottom; what is in none of its things is not seen."""
    width, height, gap = box[2], box[3], theme.length.gap * 0.75
    fitting = (things for things in tries if fit_below_each_other(height, [wish for _, wish in things], gap))
    chosen = next(fitting, tries[-1])
    shown = [thing for thing, _ in chosen]
    everything = (parts.heading, parts.question, parts.notes, parts.middle)
    hide_widgets(*(thing for thing in everything if thing not in shown))
    heights = distribute(height - gap * (len(chosen) - 1), [wish for _, wish in chosen])
    top = box[1] + height
    for thing, high in zip(shown, heights, strict=True):
        place_widget(thing, box[0], top - high, width, high)
        top -= high + gap
    if parts.notes in shown:
        parts.notes.fit()
    return shown


def _tries(parts: PlayWidgets, wide: float) -> list[list[ColumnItem]]:
    """What may stand there, in the order in which it is given up."""
    width = int(wide)  # what is put there is no narrower
    heading, turn = _heading(parts, width), (parts.question, _wish(parts.question.height_range(width)))
    wish = _wish(parts.asking.height_range(width))
    asking = (parts.asking, wish)
    bare = (parts.asking, wish._replace(least=min(wish.least, parts.asking.compact_height or wish.least)))
    folded = (parts.asking, wish._replace(least=parts.asking.collapsed_height or bare[1].least))
    said, line = _said(parts, width)
    whole, some, subject = _middles(parts, width)
    return [
        [heading, turn, *said, *whole, asking],
        [turn, *said, *whole, asking],
        [turn, *said, *whole, bare],
        [heading, turn, *said, *some, asking],
        [turn, *said, *some, asking],
        [turn, *said, *some, bare],
        [turn, *said, *subject, asking],
        [turn, *said, *subject, bare],
        [heading, turn, *said, *whole, folded],
        [turn, *said, *some, folded],
        [turn, *said, *subject, folded],
        [turn, *line, *some, asking],
        [turn, *line, *some, bare],
        [turn, *line, *subject, asking],
        [turn, *line, *subject, bare],
        [turn, *line, *some, folded],
        [turn, *line, *subject, folded],
        [turn, *line, bare],
        [turn, bare],
    ]


def _heading(parts: PlayWidgets, width: int) -> ColumnItem:
    sizes = theme.length
    lines = ceil(across(parts.heading.text, sizes.smallest, bold=False) / width)
    parts.heading.lines = lines
    line = sizes.smallest * 1.3 * lines
    return parts.heading, HeightRange(line, line, max(line, sizes.body * 1.3))


def _said(parts: PlayWidgets, width: int) -> tuple[list[ColumnItem], list[ColumnItem]]:
    """What happened, whole, and as the one line that stands for it."""
    if not parts.notes.texts:
        return [], []
    line = parts.notes.collapsed_height
    return [(parts.notes, _wish(parts.notes.height_range(width)))], [
        (parts.notes, HeightRange(line, line, line))
    ]


def _middles(parts: PlayWidgets, width: int) -> tuple[list[ColumnItem], list[ColumnItem], list[ColumnItem]]:
    """The middle whole, the part of it that matters most, and that part where the question is about it."""
    if not parts.middle.parts:
        return [], [], []
    least, best = parts.middle.height_range(width)
    some: list[ColumnItem] = [(parts.middle, HeightRange(parts.middle.min_height(width), least, best))]
    return [(parts.middle, HeightRange(least, least, best))], some, some if parts.middle.has_subject else []


def _wish(wish: tuple[float, float]) -> HeightRange:
    least, best = wish
    return HeightRange(least, least, best)
