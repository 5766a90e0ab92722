"""Rounds amounts that a template's rules divide: refunds, percentages, interest, dividends and shared prizes.

A template chooses how. Notes say how an amount was rounded, if it wasn't whole.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import msgspec

from companion.rulebook import Labelled, WholeOrHalf, say

DOWN, UP, NEAREST = "down", "up", "nearest"
"""Words of the template for how an amount is rounded."""
HUNDRED_PERCENT = 100


class RoundedAmount(msgspec.Struct, frozen=True):
    """A whole amount, and the exact amount from which it was rounded."""

    amount: int
    exact_amount: Fraction

    @property
    def label(self) -> Labelled | int:
        """The amount as a note says it: with how it was rounded, if it was."""
        return self.label_as(self.amount)

    def label_as(self, number: WholeOrHalf) -> Labelled | int:
        """Returns the label with another number for the amount, such as 3½ for seven halves."""
        if self.amount > self.exact_amount:
            return say("{n} (rounded up)", n=number)
        if self.amount < self.exact_amount:
            return say("{n} (rounded down)", n=number)
        return number

    def label_of_payment(self, paid: int) -> Labelled | int:
        """Returns the label, or the plain amount that was paid if it is a different one."""
        return self.label if paid == self.amount else paid


def round_amount(exact_amount: Fraction, word: str) -> RoundedAmount:
    """Rounds an amount to a whole one, as a word of the template says.

    `down` rounds to the smaller number and `up` to the larger one, also below zero. `nearest` rounds to the
    nearer number, and exactly half up.
    """
    if word == NEAREST:
        rounded = floor(exact_amount + Fraction(1, 2))
    else:
        rounded = ceil(exact_amount) if word == UP else floor(exact_amount)
    return RoundedAmount(rounded, exact_amount)


def percentage_of(amount: int, percent: int, word: str) -> RoundedAmount:
    """Returns a percentage of an amount, rounded as a word of the template says."""
    return round_amount(Fraction(amount * percent, HUNDRED_PERCENT), word)
