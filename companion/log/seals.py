"""What a closed envelope shows of its commitment: twelve letters, `K7MQ 93XD 2HVT`.

They are its first 60 bits. `python -m benchmarks seal` measures how soon letters are forged; docs/safety.md
says what these prove, and to whom.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Commitment = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""SHA-256 in hex."""
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Five bits each, without those that look like others."""
BITS = 60
_ALIKE = str.maketrans("OIL", "011", " -")


def letters(commitment: str) -> str:
    """The letters of a commitment, in three groups."""
    bits = int(commitment[: BITS // 4], 16)
    return _grouped("".join(LETTERS[bits >> at & 31] for at in range(BITS - 5, -1, -5)))


def as_noted(text: str) -> str:
    """Letters that somebody wrote down, as the envelope had them, whatever their case, spaces and hyphens."""
    return _grouped(text.upper().translate(_ALIKE))


def _grouped(found: str) -> str:
    return f"{found[:4]} {found[4:8]} {found[8:]}"
