"""A number while it is typed: the effect of each key of a number pad. It uses no widget.

TypedNumber().with_digit("1").with_opposite_sign().with_digit("2").amount  # -12
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

MAX_DIGITS = 6
"""Maximum number of digits that can be typed.

So many stay readable at two metres.
"""


class TypedNumber(msgspec.Struct, frozen=True):
    """Digits and sign as typed so far, either may be missing; `is_offered`: a default that nobody typed."""

    digits: str = ""
    is_negative: bool = False
    is_offered: bool = False

    @staticmethod
    def from_amount(amount: int | None, *, is_offered: bool = False) -> TypedNumber:
        """Returns the typed number of an amount, empty for None."""
        return TypedNumber() if amount is None else TypedNumber(str(abs(amount)), amount < 0, is_offered)

    @property
    def amount(self) -> int | None:
        """The amount that was typed.

        None before the first digit.
        """
        return int(self.plain_text) if self.digits else None

    @property
    def plain_text(self) -> str:
        """Text with an ASCII minus, as Python writes it."""
        return f"-{self.digits}" if self.is_negative else self.digits

    @property
    def display_text(self) -> str:
        """The number as text to display, with a typographic minus.

        The text is a dash if nothing is typed.
        """
        return self.plain_text.replace("-", "−") or "–"

    def with_digit(self, digit: str) -> TypedNumber:
        """Returns the number with one more digit, up to `MAX_DIGITS`.

        The digit replaces an offered number, and a lone 0.
        """
        before = TypedNumber() if self.is_offered else self
        if len(before.digits) == MAX_DIGITS:
            return before
        return replace(before, digits=before.digits.lstrip("0") + digit)

    def without_last_entry(self) -> TypedNumber:
        """Returns the number without the entry typed last.

        The last digit is removed or, if there is none, the sign.
        """
        return TypedNumber(self.digits[:-1], self.is_negative) if self.digits else TypedNumber()

    def with_opposite_sign(self) -> TypedNumber:
        """Returns the number with the opposite sign.

        The sign may come before the first digit.
        """
        return TypedNumber(self.digits, not self.is_negative)

    def changed_by_steps(
        self, step_count: int, least: int, most: int | None, step_size: int = 1
    ) -> TypedNumber:
        """Returns the number some steps up or down, within its limits; an empty one counts as 0."""
        wanted = (self.amount or 0) + step_count * step_size - least
        on_grid = wanted // step_size if step_count > 0 else -(-wanted // step_size)
        top = 10**MAX_DIGITS - 1 if most is None else most
        return TypedNumber.from_amount(least + max(0, min(on_grid, (top - least) // step_size)) * step_size)
