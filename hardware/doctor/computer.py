"""The computer under examination: what can be read of it, below one root, for which a folder may stand."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from companion import wall_clock
from hardware.doctor.machine import Machine, chip_labels
from hardware.wiring import FILE, config_folders, find_config

PATIENCE = 2.0
"""Seconds for a program of the system to answer."""
THIS_PROGRAM = Path(__file__)


class Computer(msgspec.Struct, frozen=True, kw_only=True):
    """A computer; paths of the system are looked up below `machine.root`.

    `state` is where games are kept, `wiring` the hardware.toml that counts, `packages` where Python looks
    for what is installed; `firmware` gives what `vcgencmd get_throttled` prints, nothing where there is none.
    `built` is when this program was made and `now` the date, in seconds since 1970;
    `is_told` says whether somebody has told the machine the time, and `seconds` never jumps.
    """

    machine: Machine
    state: Path
    wiring: Path | None
    packages: Sequence[str]
    environ: Mapping[str, str]
    python: str
    bits: int
    built: float
    now: Callable[[], float] = time.time
    is_told: Callable[[], bool] = lambda: wall_clock.trusted_now() is not None
    seconds: Callable[[], float] = time.perf_counter
    firmware: Callable[[], str] = lambda: printed("vcgencmd", "get_throttled")

    def read(self, path: str) -> str:
        """The text of a file of the system; empty where it can't be read."""
        try:
            return self.machine.at(path).read_text("utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return "Raspberry Pi" in self.read("/proc/device-tree/model")

    @property
    def user(self) -> int:
        """The number of the user this program runs as."""
        return int((*_status(self, "Uid"), "0")[0])

    @property
    def user_name(self) -> str:
        """The name of that user; empty where nobody knows it."""
        entries = (line.split(":") for line in self.read("/etc/passwd").splitlines())
        return next((entry[0] for entry in entries if entry[2:3] == [str(self.user)]), "")

    @property
    def groups(self) -> set[str]:
        """The numbers of the groups whose rights this program has now."""
        return {*_status(self, "Gid")[:1], *_status(self, "Groups")}


def this_host(state: Path, wiring: Path | None = None) -> Computer:
    """The computer this runs on; `wiring` is another hardware.toml than the one that is found."""
    return Computer(
        machine=Machine(chip_labels),
        state=state,
        wiring=wiring or find_config(FILE, config_folders(os.environ)),
        packages=sys.path,
        environ=os.environ,
        python=".".join(map(str, sys.version_info[:3])),
        bits=struct.calcsize("P") * 8,
        built=THIS_PROGRAM.stat().st_mtime,
    )


def printed(*command: str) -> str:
    """What a program of the system prints; nothing where it isn't there or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)  # noqa: S603 - a command of our own
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _status(host: Computer, key: str) -> list[str]:
    lines = (line.partition(":") for line in host.read("/proc/self/status").splitlines())
    return next((value.split() for name, _, value in lines if name == key), [])
