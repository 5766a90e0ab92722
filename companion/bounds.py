"""How much may come in from outside, told once: numbers, texts, cards.

What is beyond is refused where it comes in: by the readers of logs, JSON and TOML, by the questions, and by
the types of what is kept. Nothing further inside need be prepared for it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

MAX_NUMBER = 10**9
"""Of whatever is counted, paid or printed; no evening comes near it, and a million of them add up exactly."""
MAX_TEXT_CHARACTERS = 200
"""Of a text that somebody writes, and of whatever a refusal repeats."""
MAX_LOGGED_TEXT_CHARACTERS = 10_000
"""Of a text in a log: texts longer than `MAX_TEXT_CHARACTERS` were kept by older versions."""
MAX_EVENTS_PER_GAME = 50_000
"""In the log of one game: an answer a second for fourteen hours. It is what is written and what is read."""
MAX_CARDS_PER_DECK = 1_000
"""In one deck, all copies counted."""
MAX_COPIES_PER_CARD = 99
"""Of one card."""
MAX_OWN_TEMPLATES = 400
"""Of people's own: nobody finds one among more."""

BoundedNatural = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
BoundedInteger = Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
Int64 = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""What many of them add up to."""
LoggedText = Annotated[str, Meta(max_length=MAX_LOGGED_TEXT_CHARACTERS)]
ShortText = Annotated[str, Meta(max_length=MAX_TEXT_CHARACTERS)]
