"""The state directory: whether it keeps what is written, how much room it has, how long a commit takes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from companion.files.regular_files import temporary_file
from companion.texts import say
from hardware.doctor.computer import Computer
from hardware.doctor.machine import Finding

ENOUGH = 100
"""Megabytes; an evening needs less than one."""
EVENT = b"x" * 143
"""As long as an event of a game usually is."""
COMMITS = 20
LONG_ENOUGH = 1.0
"""Seconds that measuring may take; a card so slow is known by then."""
SLOW = 0.1
"""Seconds a commit may take before people feel it at every touch."""
IN_MEMORY = ("tmpfs", "ramfs")
WITHOUT_OWNERS = ("vfat", "exfat", "msdos")
OVER_MEMORY = "overlayroot"
"""What Raspberry Pi's read-only mode calls the layer that it keeps in memory."""


def findings(host: Computer) -> Iterator[Finding]:
    """What there is; a directory that isn't there yet is judged by the one it will lie in."""
    folder = _there(host.state)
    yield _kept(host, folder)
    yield _room(folder)
    yield _commits(host, folder)


def _there(state: Path) -> Path:
    return next(folder for folder in (state.absolute(), *state.absolute().parents) if folder.is_dir())


def _kept(host: Computer, folder: Path) -> Finding:
    what = say("state directory: {folder}", folder=str(host.state))
    mounts = (line.split() for line in host.read("/proc/self/mounts").splitlines())
    below = [mount for mount in mounts if len(mount) > 3 and folder.resolve().is_relative_to(mount[1])]  # noqa: PLR2004 - source, place, kind, options
    if not below:
        return Finding(what)
    source, _, kind, options, *_ = max(below, key=lambda mount: len(mount[1]))
    if kind in IN_MEMORY or source == OVER_MEMORY:
        return Finding(
            what,
            say(
                "This directory is in memory, so games are lost when the power goes off. Choose another "
                "directory with COMPANION_STATE."
            ),
        )
    if kind in WITHOUT_OWNERS and "mask=0077" not in options:
        return Finding(
            what,
            say(
                "The file system of this directory doesn't record who owns a file. Use a file system that "
                "does, such as ext4."
            ),
        )
    return Finding(what)


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free // 1_000_000
    what = say("free space: {free} MB", free=free)
    return Finding(what, None if free >= ENOUGH else say("Free some space, or use a larger memory card."))


def _commits(host: Computer, folder: Path) -> Finding:
    """The time until an event is on the disk, again and again; the file is taken away."""
    try:
        with temporary_file(folder) as (_, opened):
            took = [_commit(host, opened.fileno())]
            while len(took) < COMMITS and sum(took) < LONG_ENOUGH:
                took.append(_commit(host, opened.fileno()))
    except OSError as error:
        todo = say(
            "Nothing can be saved in this directory. Make this user the owner of the directory, or choose "
            "another directory with COMPANION_STATE."
        )
        return Finding(say("saving: {why}", why=error.strerror or str(error)), todo)
    what = say(
        "saving: an answer usually takes {usual} ms, and at most {most} ms",
        usual=_ms(median(took)),
        most=_ms(max(took)),
    )
    return Finding(
        what, None if median(took) < SLOW else say("Use a faster memory card (class A1 or A2), or an SSD.")
    )


def _commit(host: Computer, opened: int) -> float:
    begun = host.seconds()
    os.write(opened, EVENT)
    os.fsync(opened)
    return host.seconds() - begun


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
