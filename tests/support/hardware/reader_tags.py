"""What the tests of the readers share: sets of tags drawn by chance, and a count of what a look costs."""

import random
from collections.abc import Callable, Collection
from typing import NamedTuple

from hardware.simulated.rc522 import SimulatedRc522

UID_LENGTHS = (4, 7, 10)


def random_uid(rng: random.Random, length: int) -> bytes:
    """A UID; where ISO/IEC 14443-3 keeps the mark 88 for itself, none begins with it."""
    uid = rng.randbytes(length)
    return random_uid(rng, length) if uid[0] == 0x88 or uid[3] == 0x88 else uid


def random_uids(rng: random.Random) -> set[bytes]:
    """One to ten tags; as from one reel, some differ only in their last bytes."""
    uids = {random_uid(rng, rng.choice(UID_LENGTHS)) for _ in range(rng.randint(1, 6))}
    reel = [uid for uid in sorted(uids) if rng.random() < 0.5]
    return uids | {uid[:-1] + bytes((uid[-1] ^ 1 << rng.randrange(8),)) for uid in reel[:4]}


def reader_chip_with_tags(
    uids: Collection[bytes], *, bit_error_chance: float = 0.0, seed: int = 0
) -> SimulatedRc522:
    """A chip on which these lie."""
    chip = SimulatedRc522(bit_error_chance=bit_error_chance, rng=random.Random(seed))
    for uid in sorted(uids):
        chip.add_tag(uid.hex())
    return chip


class ReaderCost(NamedTuple):
    """What something took: transfers, frames, and seconds of the chip's time."""

    transfers: int
    frames: int
    seconds: float


def measure_cost(chip: SimulatedRc522, work: Callable[[], object]) -> ReaderCost:
    """What this work takes."""
    transfers, frames, now = chip.transfers, chip.frames_sent, chip.now
    work()
    return ReaderCost(chip.transfers - transfers, chip.frames_sent - frames, chip.now - now)
