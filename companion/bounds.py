"""Limits of the numbers, texts and cards that may come in from outside.

Values beyond a limit are refused where they come in: by the readers of logs, JSON and TOML, by the questions,
and by the types of saved data. Code further inside needn't check them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

MAX_NUMBER = 10**9
"""The largest number that is counted, paid or printed.

No evening comes near it, and the sum of a million such numbers is still exact.
"""
MAX_ENTERED_NUMBER = 99_999_999
"""The largest number that people can type or move by hand: eight digits.

A large poker tournament has 13,050,000 in play. Logs of older versions may hold numbers up to `MAX_NUMBER`.
"""
MAX_TEXT_CHARACTERS = 200
"""The greatest length of a text that somebody writes, and of each value that an error repeats."""
MAX_LOGGED_TEXT_CHARACTERS = 10_000
"""The greatest length of a text in a log; older versions saved texts longer than `MAX_TEXT_CHARACTERS`."""
MAX_EVENTS_PER_GAME = 50_000
"""The most events in the log of one game, written or read: an answer a second for fourteen hours."""
MAX_CARDS_PER_DECK = 1_000
"""The most cards in one deck, with all copies."""
MAX_COPIES_PER_CARD = 99
"""The most copies of one card."""
MAX_OWN_TEMPLATES_PER_GAME = 400
"""The most templates of their own that people can save for a game; nobody finds a template among more."""

BoundedNatural = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
BoundedInteger = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
BoundedHalf = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER, multiple_of=0.5)]
"""A number with a half, such as 7.5 for 7½."""
Int64 = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""A whole number that fits in 64 bits, such as the sum of many numbers."""
LoggedText = Annotated[str, Meta(max_length=MAX_LOGGED_TEXT_CHARACTERS)]
ShortText = Annotated[str, Meta(max_length=MAX_TEXT_CHARACTERS)]
