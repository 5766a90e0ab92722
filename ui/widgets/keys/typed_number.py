"""A number while it is typed: what each key of a pad makes of the keys before it. Knows no widget.

Numeral().typed("1").turned().typed("2").amount  # -12
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

MAX_DIGITS = 6
"""Digits that stay readable at two metres."""


class Numeral(msgspec.Struct, frozen=True):
    """Digits and sign as they stand, both may be there alone; `is_offered`: nobody has typed them."""

    digits: str = ""
    is_negative: bool = False
    is_offered: bool = False

    @staticmethod
    def of(amount: int | None, *, is_offered: bool = False) -> Numeral:
        """That amount; None: nothing."""
        return Numeral() if amount is None else Numeral(str(abs(amount)), amount < 0, is_offered)

    @property
    def amount(self) -> int | None:
        """The number; None before its first digit."""
        return int(self.text) if self.digits else None

    @property
    def text(self) -> str:
        """As a program writes it."""
        return f"-{self.digits}" if self.is_negative else self.digits

    @property
    def shown(self) -> str:
        """As people write it; a dash where there is nothing."""
        return self.text.replace("-", "−") or "–"

    def typed(self, digit: str) -> Numeral:
        """One more digit, up to the `LONGEST`; it replaces what was offered, and a 0 that stands alone."""
        before = Numeral() if self.is_offered else self
        if len(before.digits) == MAX_DIGITS:
            return before
        return replace(before, digits=before.digits.lstrip("0") + digit)

    def deleted(self) -> Numeral:
        """Without what was typed last: a digit, then the sign."""
        return Numeral(self.digits[:-1], self.is_negative) if self.digits else Numeral()

    def turned(self) -> Numeral:
        """With the other sign, which may come before the first digit."""
        return Numeral(self.digits, not self.is_negative)

    def stepped(self, steps: int, least: int, most: int | None, step: int = 1) -> Numeral:
        """Returns the number some steps up or down, within its limits; nothing counts as 0."""
        wanted = (self.amount or 0) + steps * step - least
        on_grid = wanted // step if steps > 0 else -(-wanted // step)
        top = 10**MAX_DIGITS - 1 if most is None else most
        return Numeral.of(least + max(0, min(on_grid, (top - least) // step)) * step)
