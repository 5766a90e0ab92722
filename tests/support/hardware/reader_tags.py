"""Helpers for tests of the card readers: random sets of tags, and the cost of reading them."""

import random
from collections.abc import Callable, Collection
from typing import NamedTuple

from hardware.simulated.rc522 import SimulatedRc522

UID_LENGTHS = (4, 7, 10)


def random_uid(rng: random.Random, length: int) -> bytes:
    """Returns a random UID; bytes 0 and 3 aren't 88, which ISO/IEC 14443-3 reserves as the cascade tag."""
    uid = rng.randbytes(length)
    return random_uid(rng, length) if uid[0] == 0x88 or uid[3] == 0x88 else uid


def random_uids(rng: random.Random) -> set[bytes]:
    """Returns one to ten UIDs; some differ only in their last byte, like tags from one reel."""
    uids = {random_uid(rng, rng.choice(UID_LENGTHS)) for _ in range(rng.randint(1, 6))}
    reel = [uid for uid in sorted(uids) if rng.random() < 0.5]
    return uids | {uid[:-1] + bytes((uid[-1] ^ 1 << rng.randrange(8),)) for uid in reel[:4]}


def reader_chip_with_tags(
    uids: Collection[bytes], *, bit_error_chance: float = 0.0, seed: int = 0
) -> SimulatedRc522:
    """Returns a simulated reader chip on which these tags lie."""
    chip = SimulatedRc522(bit_error_chance=bit_error_chance, rng=random.Random(seed))
    for uid in sorted(uids):
        chip.add_tag(uid.hex())
    return chip


class ReaderCost(NamedTuple):
    """What some work took: transfers, frames, and seconds of the chip's time."""

    transfers: int
    frames: int
    seconds: float


def measure_cost(chip: SimulatedRc522, work: Callable[[], object]) -> ReaderCost:
    """Runs some work and returns its cost."""
    transfers, frames, now = chip.transfers, chip.frames_sent, chip.now
    work()
    return ReaderCost(chip.transfers - transfers, chip.frames_sent - frames, chip.now - now)
