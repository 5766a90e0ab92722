"""Numbers that may have a half, such as 7½: how they are counted, read and written.

    >>> print(number_from_halves(15), number_from_halves(14), parse_number("-3,5"))
    7½ 7 -3½

A number without a half is an `int`. A `HalfNumber` is always between two whole numbers. Both can be added and
compared, and `str` writes both. Nothing is ever rounded.
"""

from __future__ import annotations

import re

import msgspec

HALF_SIGN = "½"
_NUMBER_PATTERN = re.compile(
    rf"(?P<sign>-?)(?:(?P<whole>[0-9]{{1,18}})(?:(?P<half>\ ?{HALF_SIGN}|\ 1/2|[.,]5)|[.,]0)?"
    rf"|(?:{HALF_SIGN}|1/2|[.,]5))"
)


class HalfNumber(msgspec.Struct, frozen=True, gc=False):
    """A number between two whole numbers: an odd number of halves. `number_from_halves` makes it.

    It is a text that people can read, too: `say("{seat} {points}", seat=ann, points=number)`.
    """

    halves: int

    def __str__(self) -> str:
        sign = "-" if self.halves < 0 else ""
        whole = abs(self.halves) // 2
        return f"{sign}{whole or ''}{HALF_SIGN}"

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)

    @property
    def label(self) -> str:
        """The number as people read it, such as `7½`."""
        return str(self)

    @property
    def key(self) -> str:
        """The number as a log writes it in a text."""
        return str(self)

    def __float__(self) -> float:
        return self.halves / 2

    def __neg__(self) -> HalfNumber:
        return HalfNumber(-self.halves)

    def __abs__(self) -> HalfNumber:
        return HalfNumber(abs(self.halves))

    def __add__(self, other: WholeOrHalf) -> WholeOrHalf:
        return number_from_halves(self.halves + halves_of(other))

    __radd__ = __add__

    def __sub__(self, other: WholeOrHalf) -> WholeOrHalf:
        return number_from_halves(self.halves - halves_of(other))

    def __rsub__(self, other: int) -> WholeOrHalf:
        return number_from_halves(halves_of(other) - self.halves)

    def __mul__(self, other: int) -> WholeOrHalf:
        return number_from_halves(self.halves * other)

    __rmul__ = __mul__

    def __floordiv__(self, other: WholeOrHalf) -> int:
        return self.halves // halves_of(other)

    def __rfloordiv__(self, other: int) -> int:
        return halves_of(other) // self.halves

    def __mod__(self, other: WholeOrHalf) -> WholeOrHalf:
        return number_from_halves(self.halves % halves_of(other))

    def __rmod__(self, other: int) -> WholeOrHalf:
        return number_from_halves(halves_of(other) % self.halves)

    def __lt__(self, other: WholeOrHalf) -> bool:
        return self.halves < halves_of(other)

    def __le__(self, other: WholeOrHalf) -> bool:
        return self.halves <= halves_of(other)

    def __gt__(self, other: WholeOrHalf) -> bool:
        return self.halves > halves_of(other)

    def __ge__(self, other: WholeOrHalf) -> bool:
        return self.halves >= halves_of(other)


WholeOrHalf = int | HalfNumber
"""A number that may have a half."""
JsonNumber = int | float
"""A number in JSON or TOML: 7.5 for 7½, and a whole number without a point."""
ONE_HALF = HalfNumber(1)


def number_from_halves(halves: int) -> WholeOrHalf:
    """Returns the number that so many halves are: 15 halves are 7½, 14 are 7."""
    return HalfNumber(halves) if halves % 2 else halves // 2


def halves_of(number: WholeOrHalf) -> int:
    """Returns how many halves a number is."""
    return number.halves if isinstance(number, HalfNumber) else 2 * number


def number_from_json(value: object) -> WholeOrHalf | None:
    """Returns the number in a JSON or TOML value; None if it is no number, or neither whole nor a half."""
    if type(value) is int:
        return value
    if type(value) is float and (value * 2).is_integer():
        return number_from_halves(int(value * 2))
    return None


def number_from_float(value: float) -> WholeOrHalf:
    """Returns the number of a value that is known to be whole or a half, such as 7½ for 7.5."""
    return number_from_halves(round(2 * value))


def number_to_json(number: WholeOrHalf) -> JsonNumber:
    """Returns a number as JSON writes it: 7.5 for 7½."""
    return float(number) if isinstance(number, HalfNumber) else number


def parse_number(text: str) -> WholeOrHalf | None:
    """Returns the number that somebody typed: `7`, `7.0`, `7½`, `7 1/2`, `7.5`, `7,5` or `.5`; else None."""
    match = _NUMBER_PATTERN.fullmatch(text)
    if match is None:
        return None
    whole, has_half = int(match["whole"] or 0), match["whole"] is None or match["half"] is not None
    return number_from_halves((2 * whole + has_half) * (-1 if match["sign"] else 1))


def number_as_ascii(number: WholeOrHalf) -> str:
    """Returns a number for a display that has only ASCII: `7.5`, `-0.5`."""
    return str(number_to_json(number))
