"""A number while it is typed: the effect of each key of a number pad, without widgets.

TypedNumber().with_digit("1").with_opposite_sign().with_digit("2").amount  # -12
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.bounds import MAX_ENTERED_NUMBER
from companion.half_numbers import HALF_SIGN, HalfNumber, WholeOrHalf, parse_number

MAX_DIGITS = len(str(MAX_ENTERED_NUMBER))
"""Maximum number of digits that can be typed; the first six are shown in full size."""


class TypedNumber(msgspec.Struct, frozen=True):
    """Digits, a half and a sign as typed so far; each may be missing.

    `is_offered`: a default that nobody typed.
    """

    digits: str = ""
    is_negative: bool = False
    is_offered: bool = False
    has_half: bool = False

    @staticmethod
    def from_amount(amount: WholeOrHalf | None, *, is_offered: bool = False) -> TypedNumber:
        """Returns the typed number of an amount, empty for None."""
        if amount is None:
            return TypedNumber()
        has_half = isinstance(amount, HalfNumber)
        digits = str(abs(amount)).removesuffix(HALF_SIGN)
        return TypedNumber(digits, amount < 0, is_offered, has_half)

    @property
    def amount(self) -> WholeOrHalf | None:
        """The typed amount; None before the first digit or half."""
        return parse_number(self.ascii_text)

    @property
    def ascii_text(self) -> str:
        """Text with an ASCII minus, as Python writes it."""
        return ("-" if self.is_negative else "") + self.digits + (HALF_SIGN if self.has_half else "")

    @property
    def display_text(self) -> str:
        """The number as text to display, with a typographic minus; a dash if nothing is typed."""
        return self.ascii_text.replace("-", "−") or "–"

    def with_digit(self, digit: str) -> TypedNumber:
        """Returns the number with one more digit, up to `MAX_DIGITS`.

        The digit replaces an offered number, a lone 0, and a half.
        """
        before = replace(TypedNumber() if self.is_offered else self, has_half=False)
        if len(before.digits) >= MAX_DIGITS:  # step keys reach higher numbers
            return before
        return replace(before, digits=before.digits.lstrip("0") + digit)

    def with_half(self) -> TypedNumber:
        """Returns the number with a half more, such as 7½ for 7; the half replaces an offered number."""
        before = TypedNumber() if self.is_offered else self
        return replace(before, has_half=True)

    def without_last_digit_or_sign(self) -> TypedNumber:
        """Returns the number without its half or last digit or, if it has none, without its sign."""
        if self.has_half:
            return TypedNumber(self.digits, self.is_negative)
        return TypedNumber(self.digits[:-1], self.is_negative) if self.digits else TypedNumber()

    def with_opposite_sign(self) -> TypedNumber:
        """Returns the number with the opposite sign, also before the first digit."""
        return replace(self, is_negative=not self.is_negative, is_offered=False)

    def changed_by_steps(
        self, step_count: int, least: WholeOrHalf, most: WholeOrHalf | None, step_size: WholeOrHalf = 1
    ) -> TypedNumber:
        """Returns the number some steps up or down, within its limits; an empty one counts as 0."""
        distance = (self.amount or 0) + step_count * step_size - least
        steps_above_least = distance // step_size if step_count > 0 else -(-distance // step_size)
        highest = MAX_ENTERED_NUMBER if most is None else most
        steps_above_least = max(0, min(steps_above_least, (highest - least) // step_size))
        return TypedNumber.from_amount(least + steps_above_least * step_size)

    def changed_to_further_value(self, step_count: int, values: Sequence[int]) -> TypedNumber:
        """Returns the value some steps up or down in a list of ascending values, within the list."""
        amount = self.amount
        if step_count > 0:
            higher = [value for value in values if amount is None or value > amount] or [*values[-1:]]
            return TypedNumber.from_amount(higher[min(step_count, len(higher)) - 1])
        lower = [value for value in values if amount is not None and value < amount] or [*values[:1]]
        return TypedNumber.from_amount(lower[max(step_count, -len(lower))])
