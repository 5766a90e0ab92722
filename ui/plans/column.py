"""The column of every plan: what is asked, what was said, the middle of the table, the answer's keys."""

from __future__ import annotations

from kivy.uix.widget import Widget

from ui import theme
from ui.plans.dividing import Wish, divide, fits
from ui.plans.parts import Parts, hide, put
from ui.widgets.drawing.drawn import Box


def column(parts: Parts, box: Box) -> None:
    """From top to bottom. Where room is short the heading goes first, then the middle while there are notes.

    A refusal stands in place of the notes.
    """
    width, height, gap = box[2], box[3], theme.length.gap * 0.75
    chosen: list[tuple[Widget, Wish]] = []
    for things in _tries(parts, width):
        chosen = things
        if fits(height, [wish for _, wish in things], gap):
            break
    shown = [thing for thing, _ in chosen]
    everything = (parts.heading, parts.turn, parts.notes, parts.refusal, parts.middle)
    hide(*(thing for thing in everything if thing not in shown))
    heights = divide(height - gap * (len(chosen) - 1), [wish for _, wish in chosen])
    top = box[1] + height
    for thing, high in zip(shown, heights, strict=True):
        put(thing, box[0], top - high, width, high)
        top -= high + gap
    # The keys stand at the bottom, under the thumbs, whatever is left above them.
    parts.asking.y = round(box[1])
    if parts.middle in shown:
        parts.middle.height += max(0, parts.middle.y - parts.asking.top - gap)
        parts.middle.y = parts.asking.top + round(gap)
        parts.middle.fit()


def least(parts: Parts, width: float) -> float:
    """How high the question and its answer are at least."""
    things = _tries(parts, width)[-1]
    return sum(wish.least for _, wish in things) + theme.length.gap * 0.75 * (len(things) - 1)


def _tries(parts: Parts, width: float) -> list[list[tuple[Widget, Wish]]]:
    """What may stand there, in the order in which it is given up."""
    sizes = theme.length
    heading = (parts.heading, Wish(sizes.smallest * 1.3, sizes.smallest * 1.3, sizes.body * 1.3))
    turn = (parts.turn, _wish(parts.turn.wish(width)))
    wish = _wish(parts.asking.wish(width))
    asking = (parts.asking, wish)
    bare = (parts.asking, wish._replace(least=min(wish.least, parts.asking.bare or wish.least)))
    said: list[tuple[Widget, Wish]] = []
    if parts.refusal.text:
        said = [(parts.refusal, _wish(parts.refusal.wish(width)))]
    elif parts.notes.texts:
        said = [(parts.notes, _wish(parts.notes.wish(width)))]
    middle: list[tuple[Widget, Wish]] = []
    whole = middle
    if parts.middle.parts:
        least, best = parts.middle.wish(width)
        middle = [(parts.middle, Wish(parts.middle.first(width), least, best))]
        whole = [(parts.middle, Wish(least, least, best))]
    return [
        [heading, turn, *said, *whole, asking],
        [turn, *said, *whole, asking],
        [heading, turn, *said, *middle, asking],
        [turn, *said, *middle, asking],
        [turn, *(said or middle), asking],
        [*(said if parts.refusal.text else [turn]), asking],
        [*(said if parts.refusal.text else [turn]), bare],
    ]


def _wish(wish: tuple[float, float]) -> Wish:
    least, best = wish
    return Wish(least, least, best)
