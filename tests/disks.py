"""Real disks for the tests of the store: mounted, pulled out, taken away again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


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
    yield path
    if path.is_mount():
        pull(path)


def pull(disk: Path) -> None:
    """Out it goes; what is open on it stays open, as with a stick."""
    subprocess.run(["umount", "--lazy", str(disk)], check=True)
