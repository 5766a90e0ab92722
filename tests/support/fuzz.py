"""Odd things at every way into the program, each way in a process of its own.

    python -m tests.support.fuzz                         # every way, 200 times
    python -m tests.support.fuzz replay --minutes 10     # one of them as long as that
    python -m tests.support.fuzz replay --only 4711      # one of its tries again

Whatever comes in, the program ends as `tests.support.in_process` says, with at most 200 MB more than it had.
Tries that take more than a second of the processor are counted; ten seconds are a fault. A try has its
number as its seed.
"""

from __future__ import annotations

import argparse
import itertools
import math
import resource
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from random import Random

from tests.support.disks import fast
from tests.support.fuzz_targets import WAYS
from tests.support.in_process import SECOND, Spent

MEGABYTES = 200


def tried(way: str, number: int) -> str:
    """What went wrong; nothing where nothing did."""
    with fast() as there:
        try:
            WAYS[way](Random(f"{way} {number}"), Path(there))
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - whatever it is, it is what was looked for
            return traceback.format_exc(limit=-6)[-2_000:]
    return ""


def rounds(way: str, numbers: Iterable[int], minutes: float | None) -> int:
    """Tries these numbers until the time is up, and tells what came of it; gives how many went wrong."""
    tried(way, 0)  # what is loaded at first counts for nobody
    before, most = kilobytes("VmHWM"), kilobytes("VmSize") * 1024 + MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    Spent.longest, Spent.slow = 0.0, 0
    end = time.monotonic() + (minutes or math.inf) * 60
    faults = tries = 0
    for number in numbers:
        tries += 1
        if fault := tried(way, number):
            faults += 1
            print(f"--- {way} {number}\n{fault}", flush=True)
        if time.monotonic() > end:
            break
    more = (kilobytes("VmHWM") - before) / 1024
    print(
        f"{way}: {tries} tries, {faults} faults, {Spent.slow} over {SECOND:.0f} s, "
        f"longest {Spent.longest:.2f} s, {more:.0f} MB more"
    )
    return faults


def kilobytes(line: str) -> int:
    """What Linux says of the memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(line))


def main() -> int:
    """Every way in a process of its own."""
    parser = argparse.ArgumentParser(description="Odd things at every way into the program.")
    parser.add_argument("way", choices=[*WAYS, "all"], nargs="?", default="all")
    parser.add_argument("--tries", type=int, default=200, help="how many, where no time is given")
    parser.add_argument("--minutes", type=float, help="as long as that")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first try")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="that one alone")
    args = parser.parse_args()
    if args.way == "all":
        here = [sys.executable, "-m", "tests.support.fuzz"]
        return max(subprocess.run([*here, way, *sys.argv[1:]], check=False).returncode for way in WAYS)
    if args.only is not None:
        numbers: Iterable[int] = [args.only]
    else:
        numbers = itertools.count(args.first) if args.minutes else range(args.first, args.first + args.tries)
    return min(1, rounds(args.way, numbers, args.minutes))


if __name__ == "__main__":
    sys.exit(main())
