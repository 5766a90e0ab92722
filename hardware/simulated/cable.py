r"""A bad cable: what arrives of what was sent, by a chance that can be repeated.

from hardware.simulated.cable import Noise

noise = Noise(seed=1, share=0.3)
print(noise.through(b"0 WHO*CCBC\n"))
"""

import random

BURST = 1000
"""Bytes of garbage that a spark makes."""


class Noise:
    """Damages a share of the chunks: flipped bits, lost bytes, garbage between, and pieces cut apart."""

    def __init__(self, seed: int, share: float = 0.0) -> None:
        self.share = share
        self.damaged = 0
        self._random = random.Random(seed)

    def through(self, chunk: bytes) -> list[bytes]:
        """What arrives of a chunk, in the pieces in which it does."""
        if not chunk or self._random.random() >= self.share:
            return [chunk]
        self.damaged += 1
        at = self._random.randrange(len(chunk))
        match self._random.randrange(4):
            case 0:
                return [self._flipped(chunk)]
            case 1:
                return [chunk[:at] + chunk[at + self._random.randint(1, 9) :]]
            case 2:
                return [chunk[:at], self._random.randbytes(self._random.randint(1, 300)), chunk[at:]]
            case _:
                return [chunk[:at], chunk[at:]]

    def burst(self) -> bytes:
        """Garbage out of nothing: any bytes, then a line that is far too long."""
        return self._random.randbytes(BURST) + b"7" * BURST + b"\n"

    def _flipped(self, chunk: bytes) -> bytes:
        flipped = bytearray(chunk)
        for _ in range(self._random.randint(1, 12)):
            flipped[self._random.randrange(len(chunk))] ^= 1 << self._random.randrange(8)
        return bytes(flipped)
