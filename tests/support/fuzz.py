"""Runs the fuzz targets, each in its own process.

    python -m tests.support.fuzz                         # every target, 200 runs each
    python -m tests.support.fuzz replay --minutes 10     # one target for ten minutes
    python -m tests.support.fuzz replay --only 4711      # one run of a target again

The program must end as `tests.support.in_process` demands, and use at most 200 MB more memory than before.
Runs that take more than a second of CPU time are counted; ten seconds are a fault. The number of a run is its
seed.
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

from tests.support.disks import memory_directory
from tests.support.fuzz_targets import FUZZ_TARGETS
from tests.support.in_process import SLOW_CPU_SECONDS, CpuTimeStats

MAX_EXTRA_MEGABYTES = 200


def run_once(target: str, number: int) -> str:
    """Runs a target once; returns the traceback of its failure, or an empty text."""
    with memory_directory() as directory:
        try:
            FUZZ_TARGETS[target](Random(f"{target} {number}"), Path(directory))
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - any exception is a finding
            return traceback.format_exc(limit=-6)[-2_000:]
    return ""


def run_target(target: str, numbers: Iterable[int], minutes: float | None) -> int:
    """Runs a target with these numbers until the time is up, prints a summary; returns the fault count."""
    run_once(target, 0)  # modules that the first run loads don't count
    before = memory_kilobytes("VmHWM")
    max_bytes = memory_kilobytes("VmSize") * 1024 + MAX_EXTRA_MEGABYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    CpuTimeStats.longest, CpuTimeStats.over_limit_count = 0.0, 0
    end = time.monotonic() + (minutes or math.inf) * 60
    faults = runs = 0
    for number in numbers:
        runs += 1
        if fault := run_once(target, number):
            faults += 1
            print(f"--- {target} {number}\n{fault}", flush=True)
        if time.monotonic() > end:
            break
    extra_megabytes = (memory_kilobytes("VmHWM") - before) / 1024
    print(
        f"{target}: {runs} runs, {faults} faults, "
        f"{CpuTimeStats.over_limit_count} over {SLOW_CPU_SECONDS:.0f} s, "
        f"longest {CpuTimeStats.longest:.2f} s, {extra_megabytes:.0f} MB more"
    )
    return faults


def memory_kilobytes(line: str) -> int:
    """Returns a line of /proc/self/status, such as VmHWM, which Linux gives in kilobytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(line))


def main() -> int:
    """Runs one target, or every target in its own process; returns 1 if there were faults."""
    parser = argparse.ArgumentParser(description="Feeds random input to every input of the program.")
    parser.add_argument("target", choices=[*FUZZ_TARGETS, "all"], nargs="?", default="all")
    parser.add_argument("--tries", type=int, default=200, help="number of runs, unless --minutes is given")
    parser.add_argument("--minutes", type=float, help="run for this time instead")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="number of the first run")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run only this number")
    args = parser.parse_args()
    if args.target == "all":
        command = [sys.executable, "-m", "tests.support.fuzz"]
        runs = (subprocess.run([*command, each, *sys.argv[1:]], check=False) for each in FUZZ_TARGETS)
        return max(run.returncode for run in runs)
    if args.only is not None:
        numbers: Iterable[int] = [args.only]
    else:
        numbers = itertools.count(args.first) if args.minutes else range(args.first, args.first + args.tries)
    return min(1, run_target(args.target, numbers, args.minutes))


if __name__ == "__main__":
    sys.exit(main())
