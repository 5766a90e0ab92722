"""How much may come in from outside, told once: numbers, texts, cards.

What is beyond is refused where it comes in: by the readers of logs, JSON and TOML, by the questions, and by
the types of what is kept. Nothing further inside need be prepared for it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

MOST = 10**9
"""Of whatever is counted, paid or printed; no evening comes near it, and a million of them add up exactly."""
LETTERS = 200
"""Of a text that somebody writes, and of whatever a refusal repeats."""
KEPT_LETTERS = 10_000
"""Of a text in a log: longer ones than `LETTERS` were kept before somebody was asked to be brief."""
MOST_EVENTS = 50_000
"""In the log of one game: an answer a second for fourteen hours. It is what is written and what is read."""
MOST_CARDS = 1_000
"""In one deck, all copies counted."""
MOST_COPIES = 99
"""Of one card."""
MOST_TEMPLATES = 400
"""Of people's own: nobody finds one among more."""

Natural = Annotated[int, Meta(ge=0, le=MOST)]
Whole = Annotated[int, Meta(ge=-MOST, le=MOST)]
Total = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""What many of them add up to."""
KeptText = Annotated[str, Meta(max_length=KEPT_LETTERS)]
Word = Annotated[str, Meta(max_length=LETTERS)]
