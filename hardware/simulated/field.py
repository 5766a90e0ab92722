"""The field of a simulated reader: the tags in it, and what becomes of bits between them and the reader.

Answers lie over each other, bits arrive wrong, tags lose their power.
Times are the chip's own seconds.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from hardware.rfid.iso14443 import tag_name
from hardware.simulated.tags import BYTE, SHORT, Bits, SimulatedTag


class Received(NamedTuple):
    """What arrives: the bits, where two answers first differ, and whether all parity bits fit."""

    bits: Bits
    collision: int | None
    is_sound: bool


class SimulatedField:
    """What lies in front of an antenna. `bit_errors` is the chance of a bit to arrive wrong."""

    def __init__(self, bit_errors: float, rng: random.Random) -> None:
        self.bit_errors = bit_errors
        self.tags: dict[str, SimulatedTag] = {}
        self._rng = rng
        self._away: dict[str, float] = {}
        self._is_on = False

    def lay(self, tag: SimulatedTag, now: float) -> None:
        """A tag comes into the field."""
        self.tags[tag_name(tag.uid)] = tag
        self.power(now)

    def lift(self, name: str, now: float) -> None:
        """A tag goes out of it. KeyError if it isn't there."""
        self.tags.pop(name).power(False, now)

    def flicker(self, name: str, now: float, seconds: float) -> None:
        """A tag has no power for so long."""
        self._away[name] = now + seconds
        self.power(now)

    def switch(self, *, on: bool, now: float) -> None:
        """The antenna is switched on or off."""
        self._is_on = on
        self.power(now)

    def power(self, now: float) -> None:
        """Every tag knows whether it has power now."""
        for name, tag in self.tags.items():
            back = self._away.get(name, now)
            if back <= now:
                self._away.pop(name, None)
            tag.power(self._is_on and back <= now, min(back, now))

    def ask(self, frame: Bits, align: int, now: float) -> Received | None:
        """A reader's frame, heard by all tags: what arrives of their answers; None is silence.

        `align` bits of the answer's first byte were said by the reader.
        """
        self.power(now)
        said = damaged(frame, self.bit_errors, self._rng, has_parity=len(frame) > SHORT)
        heard = said.bits if said.is_sound else None
        answers = [answer for tag in self.tags.values() if (answer := tag.hear(heard, now)) is not None]
        return answered(answers, self.bit_errors, self._rng, align) if answers else None


def damaged(bits: Bits, chance: float, rng: random.Random, *, has_parity: bool, align: int = 0) -> Received:
    """The bits after the air: each one and each byte's parity bit may have turned.

    `align` bits of the first byte were said before: its parity can't be checked.
    """
    if chance == 0 or rng.random() >= 1 - (1 - chance) ** (len(bits) * 9 // BYTE):
        return Received(bits, None, is_sound=True)
    turned = [rng.random() < chance for _ in bits]
    turned[rng.randrange(len(bits))] = True
    is_sound = True
    for end in range(BYTE - align, len(bits) + 1, BYTE) if has_parity else ():
        byte = turned[max(0, end - BYTE) : end]
        is_first_of_two_parts = end < BYTE
        if (sum(byte) + (rng.random() < chance)) % 2 and not is_first_of_two_parts:
            is_sound = False
    return Received(
        tuple(bit ^ turn for bit, turn in zip(bits, turned, strict=True)), None, is_sound=is_sound
    )


def answered(answers: Sequence[Bits], chance: float, rng: random.Random, align: int) -> Received:
    """Answers that begin at the same instant; where they differ, there is a collision, and it reads 1."""
    heard = [damaged(answer, chance, rng, has_parity=True, align=align) for answer in answers]
    if len(heard) == 1:
        return heard[0]
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
    return Received(tuple(over), collision, is_sound=is_sound)
