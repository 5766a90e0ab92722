"""Signs such as +37 that say how a number has just changed: each is right behind its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import hypot
from typing import NamedTuple

from companion.half_numbers import WholeOrHalf
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box
from ui.widgets.drawing.text import Point, draw_text, measure_text_width
from ui.widgets.pieces.marks import (
    PAPER_TEXT_COLOURS,
    CompositeMark,
    PlacedMark,
    TextColours,
    box_centre,
)

SIGN_HEIGHT_EM, SIGN_MARGIN_EM, SIGN_RADIUS_EM = 1.1, 0.25, 0.3
"""Height of a sign's slip, its margin left and right of the digits, and the radius of its corners, in heights
of the digits."""

SIGN_LETTER_SHARES = (1.0, 0.8)
"""Heights of the digits of signs, as shares of the smallest letters: all signs of a panel have one height."""
NUMBER_SCALES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""Sizes of a number with a sign, the best first; its digits stay at least as high as the smallest letters."""
MAX_LINE_OFFSET = 1.0
"""How far apart the middles of two marks of one row may be, in pixels."""
MAX_EXCESS = 0.5
"""How far a row that moved may extend beyond its limits, in pixels."""


def format_signed_change(change: WholeOrHalf) -> str:
    """Returns a change as text with a sign, such as +150."""
    return f"+{change}" if change > 0 else f"−{-change}"


class Change(NamedTuple):
    """A sign such as +37, and the placed mark of the number that it belongs to, with its picture or word.

    `colours` are those of text on the slip: dark on a light slip, which is for felt, else light.
    """

    text: str
    colours: TextColours
    owner: PlacedMark

    def size_at(self, letter_size: float) -> tuple[float, float]:
        """Returns width and height of the sign's slip."""
        text_width = measure_text_width(self.text, letter_size, theme.MONEY_FONT)
        return text_width + 2 * SIGN_MARGIN_EM * letter_size, letter_size * SIGN_HEIGHT_EM


class PlacedSign(NamedTuple):
    """The sign of a change in its box, and its number where that is drawn."""

    change: Change
    number: PlacedMark
    box: Box

    @property
    def text(self) -> str:
        """The sign as text."""
        return self.change.text

    @property
    def digits(self) -> PlacedMark:
        """The digits that the sign is behind."""
        return _find_digits(self.number)

    def draw(self) -> None:
        """Draws the sign on a small slip that contrasts with the ground; a gain has a brass edge."""
        (_, _, _, height), text, colours = self.box, self.text, self.change.colours
        size, edge = height / SIGN_HEIGHT_EM, theme.BRASS if text.startswith("+") else colours.quiet
        slip_colour = theme.PAPER_LIT if colours == PAPER_TEXT_COLOURS else theme.FELT_DARK
        fill_rounded_box(slip_colour, self.box, SIGN_RADIUS_EM * size)
        draw_border(edge, self.box, theme.length.hair, SIGN_RADIUS_EM * size)
        draw_text(text, box_centre(self.box), size, colours.normal, theme.MONEY_FONT)


def _find_digits(number: PlacedMark) -> PlacedMark:
    """Returns the digits of a number with or without its picture or word."""
    return number.parts[-1] if number.parts else number


class _MovableMark:
    """A mark of a row, which may move sideways to make room for signs."""

    def __init__(self, placed: PlacedMark) -> None:
        self.change: Change | None = None
        self.sign_size = (0.0, 0.0)
        self.put(placed)

    def put(self, placed: PlacedMark) -> None:
        """Puts the mark at its usual place, in its usual size or smaller."""
        self.placed, self.x = placed, placed.x
        boxes = [part.ink_box for part in placed.walk() if not part.parts and part.box[2]]
        self.left = min((box[0] for box in boxes), default=placed.x)
        self.right = max((box[0] + box[2] for box in boxes), default=placed.x)
        self.bottom = min((box[1] for box in boxes), default=placed.y)
        self.top = max((box[1] + box[3] for box in boxes), default=placed.y)
        self.middle = box_centre(placed.box)[1]

    @property
    def shift(self) -> float:
        """How far the mark has moved to the right."""
        return self.x - self.placed.x

    @property
    def width(self) -> float:
        """Width of what is drawn, with the sign behind it."""
        return self.right - self.left + (self.sign_size[0] + theme.length.line if self.change else 0.0)

    @property
    def ink_box(self) -> Box:
        """Box of what is drawn, with the sign behind it."""
        return self.left + self.shift, self.bottom, self.width, self.top - self.bottom

    @property
    def moved(self) -> PlacedMark:
        """The mark where it is drawn."""
        return self.placed._replace(x=self.x)

    @property
    def sign_box(self) -> Box:
        """Box of the sign right behind the number, in the middle of its digits."""
        (width, height), digits = self.sign_size, _find_digits(self.moved)
        x, y, digits_width, digits_height = digits.ink_box
        return x + digits_width + theme.length.line, y + (digits_height - height) / 2, width, height


def place_signs(
    changes: Sequence[Change], marks: Sequence[PlacedMark], fixed_boxes: Sequence[Box], bounds: Box
) -> tuple[list[PlacedMark], list[PlacedSign]]:
    """Returns the marks where they are drawn, and the signs that have room, each right behind its number.

    The other marks of the row move aside, but not over `fixed_boxes` nor out of the `bounds`. All signs have
    one size. A number has no sign if there is no room behind it; earlier changes have room first.
    """
    movable = list[_MovableMark]()
    for share in SIGN_LETTER_SHARES:
        movable = [_MovableMark(part) for mark in marks for part in _split_at_owners(mark, changes)]
        letter_size = theme.length.smallest * share
        has_room = [_accept(change, movable, fixed_boxes, bounds, letter_size) for change in changes]
        if all(has_room):
            break
    signs = [PlacedSign(mark.change, mark.moved, mark.sign_box) for mark in movable if mark.change]
    return [mark.moved for mark in movable], signs


def _split_at_owners(placed: PlacedMark, changes: Iterable[Change]) -> Iterator[PlacedMark]:
    """Yields a mark, or the parts of a group that has the number of a change."""
    owners = [change.owner for change in changes]
    has_owner = placed not in owners and any(part in owners for part in placed.walk())
    if not (has_owner and isinstance(placed.mark, CompositeMark)):
        yield placed
        return
    for part in placed.parts:
        part.mark.place = part.mark.place or placed.mark.place
        yield from _split_at_owners(part, changes)


def _accept(
    change: Change,
    movable: Sequence[_MovableMark],
    fixed_boxes: Sequence[Box],
    bounds: Box,
    letter_size: float,
) -> bool:
    """Makes room for a sign and returns True; returns False, and moves nothing, if there is no room.

    If the marks of its row have no room to move, the number gets smaller, or loses its word if it is alone.
    """
    owner = next((mark for mark in movable if mark.placed == change.owner), None)
    if owner is None:
        return False
    row = [mark for mark in movable if abs(mark.middle - owner.middle) <= MAX_LINE_OFFSET and mark.width]
    others = [*fixed_boxes, *_boxes_of(mark for mark in movable if mark not in row)]
    x, owner.change, owner.sign_size = owner.x, change, change.size_at(letter_size)
    head, digits = change.owner.parts[0], change.owner.parts[-1]
    without_word = [digits] if row == [owner] and head.mark.visible_text else []
    for number, scale in product((change.owner, *without_word), NUMBER_SCALES):
        placed = _scale(number, scale)
        owner.put(placed)
        if _make_room(owner, row, others, bounds):
            return True
    owner.change = None
    owner.put(change.owner)
    owner.x = x  # it may have moved aside for another sign
    return False


def _scale(placed: PlacedMark, scale: float) -> PlacedMark:
    """Returns a mark in lines of another height, with the same right end and the same middle."""
    mark, x, y, line_height = placed
    new_height = line_height * scale
    right = x + mark.width_at(line_height) - mark.width_at(new_height)
    return PlacedMark(mark, right, y + (line_height - new_height) * mark.height_in_lines / 2, new_height)


def _make_room(owner: _MovableMark, row: Sequence[_MovableMark], others: Iterable[Box], bounds: Box) -> bool:
    """Moves the marks of a row so that the sign of its owner has room; returns False if there is none.

    No sign of the row may come to lie on anything else.
    """
    middle, height = box_centre(_find_digits(owner.placed).ink_box)[1], owner.sign_size[1]
    bottom = min([middle - height / 2, *(mark.bottom for mark in row)])
    top = max([middle + height / 2, *(mark.top for mark in row)])
    beside = [box for box in others if box[1] < top and bottom < box[1] + box[3]]
    left, right = _find_limits(owner.left + owner.shift, owner.right + owner.shift, beside, bounds)
    moved = [
        mark
        for mark in row
        if left - MAX_EXCESS <= mark.ink_box[0] and mark.right + mark.shift <= right + MAX_EXCESS
    ]
    others = [*others, *_boxes_of(mark for mark in row if mark not in moved)]
    places = [mark.x for mark in moved]
    if owner not in moved or not _spread(moved, left, right):
        return False
    signs, least = [mark.sign_box for mark in moved if mark.change], theme.length.line + theme.length.hair
    if all(_measure_distance(sign, box) > least for sign, box in product(signs, others)):
        return True
    for mark, x in zip(moved, places, strict=True):
        mark.x = x
    return False


def _boxes_of(marks: Iterable[_MovableMark]) -> Iterator[Box]:
    """Yields the boxes of what marks draw, and of their signs, which may be higher."""
    for mark in marks:
        yield mark.ink_box
        if mark.change:
            yield mark.sign_box


def _measure_distance(one: Box, other: Box) -> float:
    """Returns the distance between two boxes; 0 if they touch or overlap."""
    gaps = [
        max(0.0, one[axis] - other[axis] - other[axis + 2], other[axis] - one[axis] - one[axis + 2])
        for axis in (0, 1)
    ]
    return hypot(*gaps)


def _find_limits(left: float, right: float, others: Iterable[Box], bounds: Box) -> tuple[float, float]:
    """Returns from where to where a row may be spread: to what is beside the number."""
    gap, middle = theme.length.gap / 2, (left + right) / 2
    least, most = min(bounds[0], left), max(bounds[0] + bounds[2], right)
    for x, _, width, _ in others:
        if x + width / 2 < middle:
            least = max(least, min(x + width + gap, left))
        else:
            most = min(most, max(x - gap, right))
    return least, most


def _spread(row: Sequence[_MovableMark], left: float, right: float) -> bool:
    """Moves the marks of a row apart, as little as possible; returns False if they have no room."""
    row, gap = sorted(row, key=lambda mark: mark.ink_box[0]), theme.length.gap * 0.75
    gaps = [
        gap if one.change else min(gap, max(0.0, other.ink_box[0] - one.ink_box[0] - one.width))
        for one, other in pairwise(row)
    ]
    lefts = [mark.ink_box[0] for mark in row]
    for index, mark in enumerate(row[:-1]):
        lefts[index + 1] = max(lefts[index + 1], lefts[index] + mark.width + gaps[index])
    limit = right
    for index in reversed(range(len(row))):
        lefts[index] = min(lefts[index], limit - row[index].width)
        limit = lefts[index] - (gaps[index - 1] if index else 0.0)
    if lefts[0] < left - MAX_EXCESS:
        return False
    for mark, new_left in zip(row, lefts, strict=True):
        mark.x += new_left - mark.ink_box[0]
    return True


def draw_marks_and_signs(marks: Iterable[PlacedMark], signs: Iterable[PlacedSign]) -> None:
    """Draws the marks, and the signs."""
    for mark in marks:
        mark.draw()
    for sign in signs:
        sign.draw()


def do_boxes_overlap(one: Box, other: Box, gap: float = 0.0) -> bool:
    """Returns whether two boxes overlap, or are closer side by side than the gap."""
    return (
        one[0] - gap < other[0] + other[2]
        and other[0] < one[0] + one[2] + gap
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def find_free_place(
    size: tuple[float, float], taken: Iterable[Box], bounds: Box, near: Point
) -> Point | None:
    """Returns the place within the bounds for something of this size that is nearest to a point.

    It is apart from everything taken. None if there is no such place.
    """
    (x, y, width, height), taken, step = bounds, [*taken], theme.length.gap / 2
    places = [
        (x + step * column, y + step * row)
        for column in range(int((width - size[0]) / step) + 1)
        for row in range(int((height - size[1]) / step) + 1)
    ]
    free_places = (
        place
        for place in sorted(
            places, key=lambda place: hypot(place[0] - near[0], place[1] + size[1] / 2 - near[1])
        )
        if not any(do_boxes_overlap((*place, *size), box, theme.length.gap) for box in taken)
    )
    return next(free_places, None)
