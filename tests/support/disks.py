"""Real disks for tests: mounted, pulled out, full, or only in memory."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - only made and removed there
"""A directory in memory, where saving a file takes no time."""


def memory_directory() -> tempfile.TemporaryDirectory[str]:
    """Returns a temporary directory, in memory if this machine has such a place."""
    return tempfile.TemporaryDirectory(prefix="companion", dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None)


def mount_or_skip(kind: str, path: Path, *options: str) -> None:
    """Mounts something; skips the test if this machine doesn't allow mounting."""
    path.mkdir(exist_ok=True)
    result = subprocess.run(["mount", *options, kind, str(path)], capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.skip(f"can't mount here: {result.stderr.strip()}")


@contextmanager
def mount_disk(path: Path, size: str) -> Iterator[Path]:
    """Mounts a disk of this size until the test is over or pulls it out."""
    mount_or_skip("tmpfs", path, "-t", "tmpfs", "-o", f"size={size}")
    try:
        yield path
    finally:
        if path.is_mount():
            pull_out(path)


def pull_out(disk: Path) -> None:
    """Pulls a disk out; files that are open on it stay open, as with a memory stick."""
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


WRITE_WITHOUT_SPACE_PROGRAM = """
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
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))  # coverage writes a file at the end
"""


def write_without_space(verb: str, path: Path, **options: bool) -> str:
    """Calls a function of `user_files` with room for only 1000 bytes; returns its error message."""
    keyword_text = "".join(f", {name}={value}" for name, value in options.items())
    program = [
        sys.executable,
        "-c",
        WRITE_WITHOUT_SPACE_PROGRAM.format(verb=verb, how=keyword_text),
        str(path),
    ]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout
