"""The column of every plan: what is asked, what was said, the middle of the table, the answer's keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from kivy.uix.widget import Widget

from ui import theme
from ui.plans.dividing import Wish, divide, fits
from ui.plans.parts import Parts, hide, put
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import across

ASKED = (0.45, 0.55, 0.39, 0.5, 0.36, 0.33)
"""Shares of a wide place that what is asked takes."""
WHOLE = 2
"""The last of the tries that leaves nothing out but the heading."""
FOLDED = 8
"""The first of the tries in which the answer's keys are folded."""
ESSENTIAL = 16
"""The last of the tries that shows what happened, or its line, and what the question is about."""
ALL_TRIES = 100
"""The try that stands for "none has room"."""


Thing = tuple[Widget, Wish]
"""A part, and how high it must be and likes to be."""


def column(parts: Parts, box: Box) -> None:
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
        parts.middle.fit()


def columns(parts: Parts, box: Box) -> None:
    """What is asked, said and lies there at the left, the answer's keys at the right."""
    x, y, width, height = box
    wide = width * _share(parts, width, height)[1]
    tries = [things[:-1] for things in _tries(parts, wide)]
    if parts.middle in _stack(parts, tries, (x, y, wide, height)):
        parts.middle.fit()
    left = x + wide + theme.length.gap
    right = x + width - left
    high = min(height, max(parts.asking.height_range(right)))
    put(parts.asking, left, y + (height - high) / 2, right, high)


def lay_refusal(parts: Parts) -> None:
    """Lays the slip over what was said and the middle, over the question only where those are too low.

    Nothing moves for it, so that whoever touched a key finds it where it was. Where the question is too
    narrow for it, it lies over the keys too.
    """
    refusal, turn, asking, gap = parts.refusal, parts.turn, parts.asking, theme.length.gap * 0.75
    if not refusal.text:
        hide(refusal)
        return
    is_above, wide = asking.x < turn.right, turn.width
    if refusal.height_range(wide)[0] > turn.top:
        wide = max(wide, asking.right - turn.x)
    high = max(refusal.height_range(wide)[0], theme.length.remark)
    floor = asking.top + gap if is_above else 0.0
    put(refusal, turn.x, min(max(turn.y - gap - high, floor), turn.top - high), wide, high)


def _share(parts: Parts, width: float, height: float) -> tuple[int, float]:
    """How much is left out at least, and the share for what is asked at which that is so.

    The first at which nothing is: measuring is most of the work of a plan.
    """
    best = ALL_TRIES, ASKED[0]
    for share in ASKED:
        left_out = _left_out_beside(parts, width, height, share)
        best = min(best, (left_out, share), key=lambda each: each[0])
        if left_out <= WHOLE:
            break
    return best


def _left_out_beside(parts: Parts, width: float, height: float, share: float) -> int:
    """How much is left out where what is asked has that share; more than ever where the keys have no room."""
    right = width * (1 - share) - theme.length.gap
    keys = _keys_left_out(parts, right, height)
    if (
        keys == ALL_TRIES
        or parts.asking.is_too_narrow(right)
        or parts.turn.is_too_narrow(width * share)
        or parts.middle.is_too_narrow(width * share)
    ):
        return ALL_TRIES
    tries = [things[:-1] for things in _tries(parts, width * share)]
    return max(_first_fitting(tries, height), keys)


def _keys_left_out(parts: Parts, width: float, height: float) -> int:
    """How much of the answer's keys must be left out there: none, a page of them, or all that may be."""
    least = parts.asking.height_range(width)[0]
    tries = {0: least, WHOLE: parts.asking.compact_height, FOLDED: parts.asking.collapsed_height}
    fitting = (at for at, high in tries.items() if (high or not at) and high <= height + 1)
    return next(fitting, ALL_TRIES)


def left_out(parts: Parts, width: float, height: float, *, beside: bool) -> int:
    """How much must be left out there: nothing, up to `WHOLE` no more than the heading or a page of keys."""
    if beside:
        return _share(parts, width, height)[0]
    if parts.asking.is_too_narrow(width) or parts.turn.is_too_narrow(width):
        return ALL_TRIES
    return _first_fitting(_tries(parts, width), height)


def _first_fitting(tries: Sequence[Sequence[Thing]], height: float) -> int:
    """Which of these is the first that has room."""
    gap = theme.length.gap * 0.75
    fitting = (at for at, things in enumerate(tries) if fits(height, [wish for _, wish in things], gap))
    return next(fitting, ALL_TRIES)


def _high(things: Sequence[tuple[Widget, Wish]]) -> float:
    return sum(wish.least for _, wish in things) + theme.length.gap * 0.75 * (len(things) - 1)


def needed(parts: Parts, width: float) -> float:
    """How high it must be so that all that was asked and said and lies there is seen."""
    return _high(_tries(parts, width)[WHOLE])


def _stack(parts: Parts, tries: Sequence[Sequence[tuple[Widget, Wish]]], box: Box) -> Sequence[Widget]:
    """The first of these that has room, from top to bottom; what is in none of its things is not seen."""
    width, height, gap = box[2], box[3], theme.length.gap * 0.75
    fitting = (things for things in tries if fits(height, [wish for _, wish in things], gap))
    chosen = next(fitting, tries[-1])
    shown = [thing for thing, _ in chosen]
    everything = (parts.heading, parts.turn, parts.notes, parts.middle)
    hide(*(thing for thing in everything if thing not in shown))
    heights = divide(height - gap * (len(chosen) - 1), [wish for _, wish in chosen])
    top = box[1] + height
    for thing, high in zip(shown, heights, strict=True):
        put(thing, box[0], top - high, width, high)
        top -= high + gap
    if parts.notes in shown:
        parts.notes.fit()
    return shown


def _tries(parts: Parts, wide: float) -> list[list[Thing]]:
    """What may stand there, in the order in which it is given up."""
    width = int(wide)  # what is put there is no narrower
    heading, turn = _heading(parts, width), (parts.turn, _wish(parts.turn.height_range(width)))
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


def _heading(parts: Parts, width: int) -> Thing:
    sizes = theme.length
    lines = ceil(across(parts.heading.text, sizes.smallest, bold=False) / width)
    parts.heading.lines = lines
    line = sizes.smallest * 1.3 * lines
    return parts.heading, Wish(line, line, max(line, sizes.body * 1.3))


def _said(parts: Parts, width: int) -> tuple[list[Thing], list[Thing]]:
    """What happened, whole, and as the one line that stands for it."""
    if not parts.notes.texts:
        return [], []
    line = parts.notes.collapsed_height
    return [(parts.notes, _wish(parts.notes.height_range(width)))], [(parts.notes, Wish(line, line, line))]


def _middles(parts: Parts, width: int) -> tuple[list[Thing], list[Thing], list[Thing]]:
    """The middle whole, the part of it that matters most, and that part where the question is about it."""
    if not parts.middle.parts:
        return [], [], []
    least, best = parts.middle.height_range(width)
    some: list[Thing] = [(parts.middle, Wish(parts.middle.first(width), least, best))]
    return [(parts.middle, Wish(least, least, best))], some, some if parts.middle.has_subject else []


def _wish(wish: tuple[float, float]) -> Wish:
    least, best = wish
    return Wish(least, least, best)
