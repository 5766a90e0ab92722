"""Limits of the numbers in a template and of the numbers that people enter.

The limits fit each other: an amount that a template allows can also be bid, paid, scored and typed.
"""

from __future__ import annotations

MAX_AMOUNT = 99_999_999
"""The largest amount of money or points in a template or an answer, and the most pieces of one kind.

It is what people can type on the screen. A large poker tournament has 13,050,000 in play.
"""
MAX_VALUE_OF_ONE = 9_999_999
"""The largest value of one piece, of one share or of one trick.

`MAX_AMOUNT` pieces of that value are still a number that JSON can hold, 2**53 - 1 at most.
"""
