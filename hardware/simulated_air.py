"""What becomes of bits between a simulated chip and its tags.

Answers lie over each other, and bits arrive wrong.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from hardware.simulated_tags import BYTE, Bits


class Heard(NamedTuple):
    """What arrives: the bits, where two answers first differ, and whether all parity bits fit."""

    bits: Bits
    collision: int | None
    is_sound: bool


def damaged(bits: Bits, chance: float, rng: random.Random, *, has_parity: bool, align: int = 0) -> Heard:
    """The bits after the air: each one and each byte's parity bit may have turned.

    `align` bits of the first byte were said before: its parity can't be checked.
    """
    if chance == 0 or rng.random() >= 1 - (1 - chance) ** (len(bits) * 9 // BYTE):
        return Heard(bits, None, is_sound=True)
    turned = [rng.random() < chance for _ in bits]
    turned[rng.randrange(len(bits))] = True
    is_sound = True
    for end in range(BYTE - align, len(bits) + 1, BYTE) if has_parity else ():
        byte = turned[max(0, end - BYTE) : end]
        is_first_of_two_parts = end < BYTE
        if (sum(byte) + (rng.random() < chance)) % 2 and not is_first_of_two_parts:
            is_sound = False
    return Heard(tuple(bit ^ turn for bit, turn in zip(bits, turned, strict=True)), None, is_sound=is_sound)


def answered(answers: Sequence[Bits], chance: float, rng: random.Random, align: int) -> Heard:
    """Answers that begin at the same instant; where they differ, there is a collision, and it reads 1."""
    heard = [damaged(answer, chance, rng, has_parity=True, align=align) for answer in answers]
    longest = max(len(said.bits) for said in heard)
    over: list[int] = []
    collision = None
    for at in range(longest):
        here = {said.bits[at] for said in heard if at < len(said.bits)}
        if len(here) > 1 and collision is None:
            collision = at
        over.append(max(here))
    # After a collision parity says nothing.
    is_sound = collision is not None or all(said.is_sound for said in heard)
    return Heard(tuple(over), collision, is_sound=is_sound)
