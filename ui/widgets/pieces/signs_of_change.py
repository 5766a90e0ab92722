"""Signs such as +37 beside a number that has just changed, and where they have room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.half_numbers import WholeOrHalf
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box
from ui.widgets.drawing.text import draw_text, measure_text_width
from ui.widgets.pieces.marks import Mark

SIGN_HEIGHT_EM, SIGN_MARGIN_EM = 1.2, 0.3
"""Height of a sign's slip, and its margin left and right of the digits, in heights of the digits."""


def format_signed_change(change: WholeOrHalf) -> str:
    """Returns a change as text with a sign, such as +150."""
    return f"+{change}" if change > 0 else f"−{-change}"


class Obstacles(NamedTuple):
    """What a sign must not cover: boxes that it never covers, and those that it covers if need be."""

    fixed: Sequence[Box]
    removable: Sequence[Box]


class Sign(NamedTuple):
    """A sign such as +37; `counted` shows what it counts, if that can't be seen beside it."""

    text: str
    counted: Mark = Mark()

    def counted_width(self, letter_size: float) -> float:
        """Returns the width of the picture or name with the gap behind it."""
        width = self.counted.width_at(letter_size)
        return width + SIGN_MARGIN_EM * letter_size if width else 0.0

    def size_at(self, letter_size: float) -> tuple[float, float]:
        """Returns width and height of the sign's slip."""
        text_width = measure_text_width(self.text, letter_size, theme.MONEY_FONT)
        width = self.counted_width(letter_size) + text_width + 2 * SIGN_MARGIN_EM * letter_size
        return width, letter_size * SIGN_HEIGHT_EM


class PlacedSign(NamedTuple):
    """A sign in its box."""

    sign: Sign
    box: Box

    def draw(self) -> None:
        """Draws the sign on a small slip; a gain has a brass edge."""
        (x, y, width, height), text = self.box, self.sign.text
        size, edge = height / SIGN_HEIGHT_EM, theme.BRASS if text.startswith("+") else theme.INK_QUIET
        fill_rounded_box(theme.PAPER_LIT, self.box, height / 2)
        draw_border(edge, self.box, theme.length.line, height / 2)
        left, counted_width = x + SIGN_MARGIN_EM * size, self.sign.counted_width(size)
        self.sign.counted.draw(left, y + (height - size) / 2, size)
        left += counted_width
        middle = ((left + x + width - SIGN_MARGIN_EM * size) / 2, y + height / 2)
        draw_text(text, middle, size, theme.INK, theme.MONEY_FONT)

    def covers(self, box: Box) -> bool:
        """Returns whether the sign covers a part of a box."""
        return do_boxes_overlap(self.box, box)


def place_sign(
    sign: Sign, number_box: Box, bounds: Box, obstacles: Obstacles, name_line: Box | None = None
) -> PlacedSign | None:
    """Returns a sign beside its number, in the largest letters for which there is room.

    The sign is left of the number, below, right, above, or at the end of `name_line`. If it has room nowhere,
    it covers as few of the removable obstacles as possible; None if it would cover a fixed one.
    """
    for size in (theme.length.note, theme.length.smallest):
        for box in _candidate_boxes(sign, size, number_box, name_line):
            if _is_inside(box, bounds) and not _count_overlaps(
                box, [*obstacles.fixed, *obstacles.removable], theme.length.gap / 2
            ):
                return PlacedSign(sign, box)
    boxes = [
        box
        for box in _candidate_boxes(sign, theme.length.smallest, number_box, name_line)
        if _is_inside(box, bounds) and not _count_overlaps(box, obstacles.fixed)
    ]
    if not boxes:
        return None
    return PlacedSign(sign, min(boxes, key=lambda box: _count_overlaps(box, obstacles.removable)))


def _candidate_boxes(sign: Sign, size: float, number_box: Box, name_line: Box | None) -> Iterator[Box]:
    x, y, width, height = number_box
    gap = theme.length.gap / 2
    sign_width, sign_height = sign.size_at(size)
    middle_y = y + (height - sign_height) / 2
    yield x - gap - sign_width, middle_y, sign_width, sign_height
    yield x + width - sign_width, y - sign_height, sign_width, sign_height
    yield x + width + gap, middle_y, sign_width, sign_height
    yield x + width - sign_width, y + height, sign_width, sign_height
    if name_line is not None:
        right, line_y = name_line[0] + name_line[2], name_line[1] + (name_line[3] - sign_height) / 2
        yield right - sign_width, line_y, sign_width, sign_height


def do_boxes_overlap(one: Box, other: Box, gap: float = 0.0) -> bool:
    """Returns whether two boxes overlap, or are closer side by side than the gap."""
    return (
        one[0] - gap < other[0] + other[2]
        and other[0] < one[0] + one[2] + gap
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def _is_inside(box: Box, bounds: Box) -> bool:
    return all(
        bounds[axis] <= box[axis] and box[axis] + box[axis + 2] <= bounds[axis] + bounds[axis + 2]
        for axis in (0, 1)
    )


def _count_overlaps(box: Box, others: Iterable[Box], gap: float = 0.0) -> int:
    return sum(do_boxes_overlap(box, other, gap) for other in others)
