"""The one way in which files are written: under a new name beside their place, then moved there.

    with replacing(path) as file:
        file.write(content)

Nobody can guess the new name; no file and no link may be there already. The file is its owner's alone,
whatever the umask, and on the disk before it takes its place; afterwards its name is on the disk too.
Whoever reads it, now or after a power cut, finds the old file or the new one.

A write that was cut off leaves the new file, which nobody locks any more: `remove_leftovers` deletes it.
SQLite writes its own files; `make_private` makes them first.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from companion.files.places import OWNER_ONLY, OWNER_ONLY_FILE
from companion.files.plain import open_plain

LEFTOVER = re.compile(r"\.companion-[0-9a-f]{32}\.part")
"""How a file is called that isn't whole yet."""
WITHOUT_SYNC = {errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
"""How a directory refuses to be synced: some file systems can't, and some directories nobody may list."""


@contextmanager
def replacing(path: Path, mode: int = OWNER_ONLY_FILE) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` at the end, whole and on the disk; or nothing changes.

    A link that lies there is replaced, not followed. Raises `OSError`.
    """
    with new_file(path.parent) as (new, file):
        yield file
        file.flush()
        if mode != OWNER_ONLY_FILE:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
        new.replace(path)
    sync_directory(path.parent)


def put(path: Path, content: bytes, mode: int = OWNER_ONLY_FILE) -> None:
    """Writes a file, as `replacing` does."""
    with replacing(path, mode) as file:
        file.write(content)


@contextmanager
def new_file(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file to read and write, and its name, which is gone at the end unless the file was moved."""
    new, file = _create(folder)
    with file:
        try:
            _keep_to_owner(file.fileno())
            yield new, file
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def _create(folder: Path) -> tuple[Path, BinaryIO]:
    """A new file, locked. Before it has its lock it can be taken for a leftover; then another one is made."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        new = folder / f".companion-{os.urandom(16).hex()}.part"
        file = os.fdopen(os.open(new, flags, OWNER_ONLY_FILE), "w+b")
        with suppress(OSError):  # without a lock, on some file systems, nothing is taken for a leftover
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.path.lexists(new):
            return new, file
        file.close()


def remove_leftovers(folder: Path) -> None:
    """Deletes what was cut off while it was written there; what somebody is writing now stays."""
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if LEFTOVER.fullmatch(path.name)]:
            with suppress(OSError), open_plain(path, follow=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def make_private(path: Path) -> None:
    """Makes a file, empty, if there is none; its owner alone may read it from now on. Raises `OSError`."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    opened = os.open(path, flags, OWNER_ONLY_FILE)
    try:
        _keep_to_owner(opened)
    finally:
        os.close(opened)


def make_folder(folder: Path, mode: int = OWNER_ONLY) -> None:
    """Makes a directory and those above it, as far as they are missing; by default for their owner alone."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=OWNER_ONLY, exist_ok=True)
        if mode != OWNER_ONLY:
            missing.chmod(mode)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def sync_directory(directory: Path) -> None:
    """The names in a directory are on the disk when this returns, where the file system can do that."""
    try:
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        if error.errno not in WITHOUT_SYNC:
            raise


def _keep_to_owner(opened: int) -> None:
    """A file system that knows no rights, as FAT, refuses or forgets it."""
    if stat.S_IMODE(os.fstat(opened).st_mode) != OWNER_ONLY_FILE:
        with suppress(PermissionError):
            os.fchmod(opened, OWNER_ONLY_FILE)
