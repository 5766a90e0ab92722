"""What tags cost on the simulated chip, beside the packages `mfrc522` (stock) and `pi-rc522` as they are.

Transfers over SPI and frames on air are counted, so the machine doesn't matter.
"""

from __future__ import annotations

import importlib
import logging
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.openspiel import HOME
from benchmarks.pi_modules import plug_in, stand_ins, stock_reader
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader

STICKER = "04A2B3C4D5E680"
SETS = 200
"""Random sets of ten stickers; the dearest one counts."""
PAUSE = 0.05


def figures() -> Iterator[dict[str, Any]]:
    """A look at nothing, a UID of seven bytes, ten tags known and ten new."""
    sys.modules.update(stand_ins())
    peers = {"mfrc522": stock(), "pi-rc522": pi_rc522()}
    yield beside("rfid.poll_without_card.transfers", [], peers)
    yield beside("rfid.id_7_bytes.transfers", [STICKER], peers)
    new, known = zip(*(ten_tags(random.Random(seed)) for seed in range(SETS)), strict=True)
    others = {
        peer: "skipped: not installed" if opened is None else blind(opened) for peer, opened in peers.items()
    }
    yield figure("rfid.ten_cards.frames", max(known), "frames", others, None)
    yield figure("rfid.ten_new_cards.frames", max(new), "frames", others, None)


def beside(
    name: str, tags: list[str], peers: dict[str, Callable[[SimulatedRc522], Any] | None]
) -> dict[str, Any]:
    """The transfers until these tags are known, ours beside the peers'."""
    ours, _ = transfers(tags, lambda chip: open_simulated_reader(chip).read_tags)
    others: dict[str, object] = {}
    for peer, opened in peers.items():
        if opened is None:
            others[peer] = "skipped: not installed"
            continue
        count, said = transfers(tags, opened)
        is_whole = not tags or bytes.fromhex(tags[0]) == bytes(said if isinstance(said, list) else ())
        others[peer] = count if is_whole else f"{count}, reads another id"
    numbers = [count for count in others.values() if isinstance(count, int)]
    return figure(name, ours, "transfers", others, round(ours / min(numbers), 4) if numbers else None)


def transfers(tags: list[str], opened: Callable[[SimulatedRc522], Any]) -> tuple[int, Any]:
    """How many transfers one look takes after an empty one, and what it gives."""
    chip = SimulatedRc522()
    look = opened(chip)
    look()
    for tag in tags:
        chip.add_tag(tag)
    chip.wait(PAUSE)
    before = chip.transfers
    said = look()
    return chip.transfers - before, said


def ten_tags(rng: random.Random) -> tuple[int, int]:
    """The frames in which ten new stickers are found, and in which they are confirmed; all must be."""
    chip = SimulatedRc522()
    reader = open_simulated_reader(chip)
    draw_ten(chip, rng)
    frames = []
    for _ in range(2):
        before = chip.frames_sent
        assert {uid.hex().upper() for uid in reader.read_tags()} == chip.tag_uids
        frames.append(chip.frames_sent - before)
    return frames[0], frames[1]


def draw_ten(chip: SimulatedRc522, rng: random.Random) -> None:
    """Lay ten random stickers on the reader."""
    while len(chip.tag_uids) < 10:  # noqa: PLR2004  ten, as it is called
        chip.add_tag("04" + rng.randbytes(2).hex() + "01" + rng.randbytes(3).hex())
    chip.wait(PAUSE)


def blind(opened: Callable[[SimulatedRc522], Any]) -> str:
    """How many looks of twenty at ten stickers give anything."""
    chip = SimulatedRc522()
    look = opened(chip)
    draw_ten(chip, random.Random(0))
    return f"{sum(look() is not None for _ in range(20))} of 20 looks see any"


def stock() -> Callable[[SimulatedRc522], Any]:
    """The package's own reader: gives a number of the first level and its check byte, or None."""
    warnings.filterwarnings("ignore", "Bitwise inversion", DeprecationWarning)
    reader = stock_reader()

    def opened(chip: SimulatedRc522) -> Any:
        plug_in(chip, bus=0, device=0)
        return reader().read_id_no_block

    return opened


def pi_rc522() -> Callable[[SimulatedRc522], Any] | None:
    """The other package's reader, from the environment of the peers: gives the bytes of the UID, or None."""
    logging.getLogger("pirc522").setLevel(logging.ERROR)  # it warns of every collision
    sys.path += (packages := peer_packages())
    try:
        reader = importlib.import_module("pirc522").RFID
    except ImportError:
        return None
    finally:
        sys.path[:] = [path for path in sys.path if path not in packages]

    def opened(chip: SimulatedRc522) -> Any:
        plug_in(chip, bus=0, device=0)
        return reader(pin_irq=None).read_id

    return opened


def peer_packages() -> list[str]:
    """Where the peers' Python keeps its packages; empty where there is none."""
    python = os.environ.get("BENCH_PEERS", str(HOME))
    if not Path(python).exists():
        return []
    probe = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return [subprocess.run(probe, check=True, capture_output=True, text=True).stdout.strip()]


def figure(name: str, value: int, unit: str, others: dict[str, Any], ratio: float | None) -> dict[str, Any]:
    """One line of the results."""
    return {"name": name, "value": value, "unit": unit, "beside": others, "ratio": ratio}
