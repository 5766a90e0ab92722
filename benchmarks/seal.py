"""How soon somebody finds another bid whose closed envelope looks the same, on this machine.

A try is another salt: one block of SHA-256. As nobody's program for that is at hand, its speed is that of
hashing a long text on all processors at once, which no program that tries salts here can exceed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from companion.log.events import SEAL_BITS

BLOCK, TEXT = 64, bytes(1 << 25)
"""Bytes: what a try hashes, and a long text."""
ROUNDS = 5
YEAR = 31_557_600
"""Seconds."""


def figures() -> Iterator[dict[str, Any]]:
    """`seal.tries`: a second, and what that means for seals of 16, 32 and as many bits as ours have."""
    rate = max(tries_a_second() for _ in range(ROUNDS))
    yield {
        "name": "seal.tries",
        "value": round(rate),
        "unit": "tries/s",
        "beside": {
            "16 bits": f"{2**16 / rate * 1000:.2g} ms",
            "32 bits": f"{2**32 / rate:.3g} s",
            f"{SEAL_BITS} bits": f"{2**SEAL_BITS / rate / YEAR:,.0f} years",
            f"{SEAL_BITS} bits, a thousand times as fast": f"{2**SEAL_BITS / rate / 1000 / YEAR:.2g} years",
            f"any two alike of {SEAL_BITS} bits": f"{2 ** (SEAL_BITS / 2) / rate:.3g} s",
        },
        "ratio": None,
    }


def tries_a_second() -> float:
    """Blocks that all processors hash in a second; hashing a long text they don't wait for each other."""
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        begun = perf_counter()
        list(pool.map(lambda _: hashlib.sha256(TEXT).digest(), range(workers)))
        return workers * len(TEXT) / BLOCK / (perf_counter() - begun)
