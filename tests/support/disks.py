"""Real disks for tests: mounted, pulled out, without room; and one that is none."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FAST = Path("/dev/shm")  # noqa: S108 - only made and removed there
"""Where keeping a file takes no time."""


def fast() -> tempfile.TemporaryDirectory[str]:
    """A directory that takes no time to write in, where this machine has such a place."""
    return tempfile.TemporaryDirectory(prefix="companion", dir=FAST if FAST.is_dir() else None)


def mounted(kind: str, path: Path, *options: str) -> None:
    """Mounts something, or skips where this machine lets nobody mount."""
    path.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *options, kind, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't mount here: {done.stderr.strip()}")


@contextmanager
def disk(path: Path, size: str) -> Iterator[Path]:
    """A disk of that size, until the test is over or pulls it out."""
    mounted("tmpfs", path, "-t", "tmpfs", "-o", f"size={size}")
    try:
        yield path
    finally:
        if path.is_mount():
            pull(path)


def pull(disk: Path) -> None:
    """Out it goes; what is open on it stays open, as with a stick."""
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


NO_ROOM = """
import resource, signal, sys
from pathlib import Path
from companion.files import user_files
from companion.errors import UserError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
try:
    user_files.{verb}(Path(sys.argv[1]), "x" * 5000{how})
except UserError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))  # what watches it writes at the end
"""


def without_room(verb: str, path: Path, **how: bool) -> str:
    """What a function of `user_files` says that has room for no more than 1000 bytes."""
    given = "".join(f", {name}={value}" for name, value in how.items())
    program = [sys.executable, "-c", NO_ROOM.format(verb=verb, how=given), str(path)]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout
