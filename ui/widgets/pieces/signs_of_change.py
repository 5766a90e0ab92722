"""Signs such as +37 that say how a number has just changed, and where they have room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from math import hypot
from typing import NamedTuple

from companion.half_numbers import WholeOrHalf
from ui import theme
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box
from ui.widgets.drawing.text import Point, draw_text, measure_text_width
from ui.widgets.pieces.marks import PAPER_TEXT_COLOURS, Mark, PlacedMark, TextColours, box_centre

SIGN_HEIGHT_EM, SIGN_MARGIN_EM, SIGN_RADIUS_EM = 1.1, 0.25, 0.3
"""Height of a sign's slip, its margin left and right of the digits, and the radius of its corners, in heights
of the digits."""

SMALL_LETTER_SHARES = (0.8, 0.65)
"""Heights of the digits of a sign that has no room elsewhere, as shares of the smallest letters."""
COVERED_DIGIT_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Shares of the height of a number that a small sign may cover at a corner, the best first."""
HEAD_OVERHANGS = (0.5, 0.25, 0.0)
"""Shares of the height of a small sign beyond the end of the picture that it covers, the best first."""
STEP_EM = 0.25
"""The distance between places that are tried for a sign, in heights of its digits."""


def format_signed_change(change: WholeOrHalf) -> str:
    """Returns a change as text with a sign, such as +150."""
    return f"+{change}" if change > 0 else f"−{-change}"


class Sign(NamedTuple):
    """A sign such as +37; `counted` shows what it counts, if that can't be seen beside it.

    `colours` are those of text on the slip: dark on a light slip, which is for felt, else light.
    """

    text: str
    colours: TextColours
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


class Change(NamedTuple):
    """A sign, and the placed mark that it belongs to: the digits of a number, or the place of a thing.

    `head` is the picture or word before the digits. A small sign may cover a part of it where nothing else
    at the digits has room.
    """

    sign: Sign
    owner: PlacedMark
    head: PlacedMark | None = None


class PlacedSign(NamedTuple):
    """The sign of a change in its box."""

    change: Change
    box: Box

    @property
    def sign(self) -> Sign:
        """The sign without its place."""
        return self.change.sign

    @property
    def letter_size(self) -> float:
        """Height of the digits."""
        return self.box[3] / SIGN_HEIGHT_EM

    @property
    def is_small(self) -> bool:
        """Whether the digits are smaller than the smallest letters elsewhere."""
        return self.letter_size < theme.length.smallest - 0.5

    def draw(self) -> None:
        """Draws the sign on a small slip that contrasts with the ground; a gain has a brass edge."""
        (x, y, width, height), text, colours = self.box, self.sign.text, self.sign.colours
        size, edge = self.letter_size, theme.BRASS if text.startswith("+") else colours.quiet
        slip_colour = theme.PAPER_LIT if colours == PAPER_TEXT_COLOURS else theme.FELT_DARK
        fill_rounded_box(slip_colour, self.box, SIGN_RADIUS_EM * size)
        line = theme.length.hair if self.is_small else theme.length.line
        draw_border(edge, self.box, line, SIGN_RADIUS_EM * size)
        left, counted_width = x + SIGN_MARGIN_EM * size, self.sign.counted_width(size)
        self.sign.counted.draw(left, y + (height - size) / 2, size)
        left += counted_width
        middle = ((left + x + width - SIGN_MARGIN_EM * size) / 2, y + height / 2)
        draw_text(text, middle, size, colours.normal, theme.MONEY_FONT)


def place_signs(changes: Iterable[Change], marks: Iterable[PlacedMark], bounds: Box) -> list[PlacedSign]:
    """Returns the signs that have room within `bounds`, each at the number that it belongs to.

    A sign is right behind the number, below, or above, or at a corner before it, in the largest letters for
    which there is room; else it is small, over the end of the picture or word before the number. It is nearer
    to its number than to any other number or word, and covers none.
    """
    marks, placed_signs = [*marks], list[PlacedSign]()
    small_sizes = [theme.length.smallest * share for share in SMALL_LETTER_SHARES]
    for change in changes:
        boxes = [sign.box for sign in placed_signs]
        tries = chain(
            _try_places_at_owner(change, bounds, (theme.length.note, theme.length.smallest)),
            _try_places_at_owner(change, bounds, small_sizes),
            _try_places_over_head(change, small_sizes),
        )
        placed_sign = _find_room(tries, marks, boxes, bounds)
        if placed_sign is not None:
            placed_signs.append(placed_sign)
    return placed_signs


def place_small_sign(
    change: Change, marks: Iterable[PlacedMark], signs: Iterable[Box], bounds: Box, *, is_number: bool
) -> PlacedSign | None:
    """Returns a sign in small letters, which fits where no other does; None if there is no room at all.

    The sign is over the upper right corner of a number, which stays readable. If the number isn't shown, it
    is as near to its owner as there is room. It covers nothing else.
    """
    pieces, signs = [part for mark in marks for part in mark.walk() if not part.parts], [*signs]
    sizes = [theme.length.smallest * share for share in SMALL_LETTER_SHARES]
    if is_number:
        others = [piece for piece in pieces if piece != change.owner]
        return _find_room(_try_places_over_owner(change, sizes[-1]), others, signs, bounds)
    places_by_distance = [_try_places_by_distance(change, bounds, size) for size in sizes]
    return _find_room(chain(*places_by_distance), pieces, signs, bounds, must_be_nearest=False)


def _find_room(
    tries: Iterable[PlacedSign],
    marks: Iterable[PlacedMark],
    signs: Iterable[Box],
    bounds: Box,
    *,
    must_be_nearest: bool = True,
) -> PlacedSign | None:
    """Returns the first sign that is within the bounds and covers none of the marks and signs.

    With `must_be_nearest`, its owner is nearer to it than any other number or word.
    """
    pieces = [piece for mark in marks for piece in mark.walk() if not piece.parts and piece.box[2]]
    return next(
        (
            sign
            for sign in tries
            if _is_inside(sign.box, bounds)
            and not _covers_any(sign, pieces, signs)
            and (not must_be_nearest or _is_nearest_to_owner(sign, pieces))
        ),
        None,
    )


def _is_nearest_to_owner(placed_sign: PlacedSign, pieces: Iterable[PlacedMark]) -> bool:
    """Returns whether the sign's owner is clearly nearer to it than any other piece that people read."""
    owner, head = placed_sign.change.owner, placed_sign.change.head
    least = measure_distance(placed_sign.box, owner.ink_box) + theme.length.hair
    return all(
        measure_distance(placed_sign.box, piece.ink_box) > least
        for piece in pieces
        if piece.mark.visible_text and piece not in (owner, head)
    )


def measure_distance(one: Box, other: Box) -> float:
    """Returns the distance between two boxes; 0 if they touch or overlap."""
    gaps = [
        max(0.0, one[axis] - other[axis] - other[axis + 2], other[axis] - one[axis] - one[axis + 2])
        for axis in (0, 1)
    ]
    return hypot(*gaps)


def draw_marks_and_signs(marks: Iterable[PlacedMark], signs: Iterable[PlacedSign]) -> None:
    """Draws the marks, and the signs."""
    for mark in marks:
        mark.draw()
    for sign in signs:
        sign.draw()


def _try_places_over_head(change: Change, letter_sizes: Iterable[float]) -> Iterator[PlacedSign]:
    """Yields the sign over the lower and the upper end of what is before its owner, then over its middle.

    The sign ends at the owner.
    """
    if change.head is None:
        return
    owner, (_, y, _, height) = change.owner.ink_box, change.head.ink_box
    for letter_size in letter_sizes:
        sign_width, sign_height = change.sign.size_at(letter_size)
        left = owner[0] - theme.length.hair - sign_width
        for overhang in HEAD_OVERHANGS:
            for bottom in (y - sign_height * overhang, y + height - sign_height * (1 - overhang)):
                yield PlacedSign(change, (left, bottom, sign_width, sign_height))
        yield PlacedSign(change, (left, y + (height - sign_height) / 2, sign_width, sign_height))


def _try_places_over_owner(change: Change, letter_size: float) -> Iterator[PlacedSign]:
    """Yields the sign over the upper right corner of its owner, the highest place first."""
    x, y, width, height = change.owner.ink_box
    sign_width, sign_height = change.sign.size_at(letter_size)
    for covered_share in COVERED_DIGIT_SHARES:
        yield PlacedSign(
            change,
            (x + width - sign_width, y + height * (1 - covered_share), sign_width, sign_height),
        )


def _try_places_by_distance(change: Change, bounds: Box, letter_size: float) -> Iterator[PlacedSign]:
    """Yields the sign at all places within the bounds, the nearest to its owner first."""
    (x, y, width, height), (sign_width, sign_height) = bounds, change.sign.size_at(letter_size)
    owner_x, owner_y, step = *box_centre(change.owner.box), letter_size * STEP_EM
    places = [
        (x + step * column, y + step * row)
        for column in range(int((width - sign_width) / step) + 1)
        for row in range(int((height - sign_height) / step) + 1)
    ]

    def distance(place: tuple[float, float]) -> float:
        return hypot(place[0] + sign_width / 2 - owner_x, place[1] + sign_height / 2 - owner_y)

    for left, bottom in sorted(places, key=distance):
        yield PlacedSign(change, (left, bottom, sign_width, sign_height))


def _try_places_at_owner(change: Change, bounds: Box, letter_sizes: Iterable[float]) -> Iterator[PlacedSign]:
    """Yields the sign behind, below, above and before its owner, in letters of each size."""
    gap, (x, y, width, height) = theme.length.line, change.owner.ink_box
    sizes = [change.sign.size_at(letter_size) for letter_size in letter_sizes]
    for sign_width, sign_height in sizes:
        yield PlacedSign(change, (x + width + gap, y + (height - sign_height) / 2, sign_width, sign_height))
    for sign_width, sign_height in sizes:
        rightmost = min(x + width, bounds[0] + bounds[2] - sign_width)
        for left in (x + (width - sign_width) / 2, x + width - sign_width, x, rightmost):
            yield PlacedSign(change, (left, y + height, sign_width, sign_height))
            yield PlacedSign(change, (left, y - sign_height, sign_width, sign_height))
    for sign_width, sign_height in sizes:
        for overhang in (0, sign_height / 2, sign_height):
            for bottom in (y + height - sign_height + overhang, y - overhang):
                yield PlacedSign(change, (x - gap - sign_width, bottom, sign_width, sign_height))


def _covers_any(placed_sign: PlacedSign, pieces: Iterable[PlacedMark], signs: Iterable[Box]) -> bool:
    """Whether a sign overlaps any of the pieces or signs, or nearly touches one that isn't its owner.

    A small sign may cover a part of the picture or word before its owner.
    """
    owner, head = placed_sign.change.owner, placed_sign.change.head
    gap = theme.length.line if placed_sign.is_small else theme.length.gap / 2
    pieces = [piece for piece in pieces if not (placed_sign.is_small and piece == head)]
    return any(
        do_boxes_overlap(placed_sign.box, piece.ink_box, 0.0 if piece == owner else gap) for piece in pieces
    ) or any(do_boxes_overlap(placed_sign.box, box, gap) for box in signs)


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


def _is_inside(box: Box, bounds: Box) -> bool:
    return all(
        bounds[axis] <= box[axis] and box[axis] + box[axis + 2] <= bounds[axis] + bounds[axis + 2]
        for axis in (0, 1)
    )
