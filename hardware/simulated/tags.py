"""Tags without metal: what an ISO/IEC 14443-3 type A tag does with every frame it hears.

    from hardware.simulated.tags import SimulatedTag

    tag = SimulatedTag.named("04A2B3C4D5E680")

Frames are bits in the order in which they are sent, without parity; a simulated
chip carries them. Only what tells tags apart is here: no pages, no keys.
"""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, Self, TypeAlias

from hardware.rfid.iso14443 import (
    CASCADE,
    HALT,
    LEVEL,
    MORE_LEVELS,
    REQA,
    SELECTS,
    SETTLE,
    WHOLE_LEVEL,
    WUPA,
    bcc,
    levels,
    sealed,
)

Bits: TypeAlias = tuple[int, ...]
State: TypeAlias = Literal["idle", "ready", "active", "halted"]

BYTE = 8
SHORT = 7
"""Bits of REQA and WUPA."""
CODES = 16
"""Bits of a level's code and of the count of bits that follow."""
ATQA = {1: bytes((0x04, 0x00)), 2: bytes((0x44, 0x00)), 3: bytes((0x84, 0x00))}
"""What a tag says to REQA, by the levels of its UID."""


@lru_cache(1024)  # the same frames come again in every look
def to_bits(data: bytes) -> Bits:
    """Bytes as they go on air, lowest bit first."""
    return tuple(byte >> bit & 1 for byte in data for bit in range(BYTE))


@lru_cache(1024)
def to_bytes(bits: Bits) -> bytes:
    """Bits put together to bytes, the last one perhaps not full."""
    starts = range(0, len(bits), BYTE)
    return bytes(sum(bit << at for at, bit in enumerate(bits[start : start + BYTE])) for start in starts)


class SimulatedTag:
    """One tag. `obeys_halt`: false for the odd clone that answers REQA after HLTA, too.

    `deaf` is the share of frames that it doesn't hear, as at the edge of the field, drawn from `rng`.
    `said` are the levels that it says instead of its UID's, as broken and forged ones do.
    """

    def __init__(
        self,
        uid: bytes,
        *,
        obeys_halt: bool = True,
        deaf: float = 0.0,
        rng: random.Random | None = None,
        said: Sequence[bytes] = (),
    ) -> None:
        self.uid = uid
        self.obeys_halt = obeys_halt
        self.deaf = deaf
        self.state: State = "idle"
        self._rng = rng or random.Random(0)
        self._levels = [to_bits(level) for level in said or levels(uid)]
        self._level = 0
        self._was_halted = False
        self._powered: bool = False
        self._since = float("-inf")

    @classmethod
    def named(cls, name: str) -> Self:
        """The tag with this UID in hexadecimal digits, or a forged one for 88 and six more.

        ValueError for anything else.
        """
        uid = bytes.fromhex(name)
        is_forged = len(uid) == LEVEL - 1 and uid[0] == CASCADE
        return cls(uid, said=[uid + bytes((bcc(uid),))] if is_forged else ())

    @classmethod
    def broken(cls, name: str) -> Self:
        """The tag with this UID and a wrong check byte."""
        *before, last = levels(bytes.fromhex(name))
        return cls(bytes.fromhex(name), said=[*before, last[:-1] + bytes((last[-1] ^ 1,))])

    def power(self, on: bool, now: float) -> None:  # noqa: FBT001  the field is there or not
        """The field it lies in is on or off, since now."""
        if on and not self._powered and now - self._since >= SETTLE:
            self.state, self._was_halted = "idle", False
        if on != self._powered:
            self._powered, self._since = on, now

    def hear(self, frame: Bits | None, now: float) -> Bits | None:
        """Its answer to a frame, or None; a damaged frame is None."""
        if not self._powered or now - self._since < SETTLE or (self.deaf and self._rng.random() < self.deaf):
            return None
        if frame is not None and len(frame) == SHORT:
            return self._request(to_bytes(frame)[0])
        answer = None
        if frame is not None and self.state == "ready":
            answer = self._level_asked(frame)
        elif self.state == "active" and frame == to_bits(sealed(HALT)) and self.obeys_halt:
            self.state, self._was_halted = "halted", True
        elif self.state != "halted":
            self._fall_back()
        return answer

    def _request(self, command: int) -> Bits | None:
        wakes = self.state == "idle" or (self.state == "halted" and command == WUPA)
        if wakes and command in {REQA, WUPA}:
            self.state, self._level = "ready", 0
            return to_bits(ATQA[len(self._levels)])
        if self.state != "halted":
            self._fall_back()
        return None

    def _level_asked(self, frame: Bits) -> Bits | None:
        codes, known = to_bytes(frame[:CODES]), frame[CODES:]
        level = self._levels[self._level]
        if len(codes) == 2 and codes[0] == SELECTS[self._level]:  # noqa: PLR2004  a code and a count
            count = (codes[1] >> 4) * BYTE - CODES + (codes[1] & 0x0F)
            if codes[1] == WHOLE_LEVEL and known[: len(level)] == level:
                return self._selected(frame)
            if codes[1] != WHOLE_LEVEL and count == len(known) < len(level):
                return level[count:] if known == level[:count] else None
        self._fall_back()
        return None

    def _selected(self, frame: Bits) -> Bits | None:
        said = to_bytes(frame)
        if sealed(said[:-2]) != said:
            self._fall_back()
            return None
        is_last = self._level == len(self._levels) - 1
        if is_last:
            self.state = "active"
        else:
            self._level += 1
        return to_bits(sealed(bytes((0x00 if is_last else MORE_LEVELS,))))

    def _fall_back(self) -> None:
        self.state = "halted" if self._was_halted else "idle"
