"""The only way in which files are written, and the safe way to open a file that somebody else made.

    with open_replacement(path) as file:
        file.write(content)

A file is written under a new name beside its place and then moved there. Nobody can guess the new name; no
file and no link may have it already. Only the owner may read the file, whatever the umask. It is on the disk
before it takes its place; afterwards its name is on the disk too. Whoever reads it, now or after a power
cut, finds the old file or the new one.

An interrupted write leaves the new file, which nobody locks any more: `remove_unfinished_files` deletes it.
SQLite writes its own files; `ensure_private_file` creates them first.
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

from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE

UNFINISHED_FILE_NAME_PATTERN = re.compile(r"\.companion-[0-9a-f]{32}\.part")
"""The pattern of the name of a file that isn't completely written yet."""
UNSUPPORTED_SYNC_ERRNOS = {errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
"""The errors for a directory that can't be synced: some file systems can't, and some directories can't be
listed."""


@contextmanager
def open_replacement(path: Path, mode: int = OWNER_ONLY_FILE_MODE) -> Iterator[BinaryIO]:
    """Opens a new file that replaces `path` at the end, whole and on the disk.

    After an error nothing has changed.
    A link at `path` is replaced, not followed. Raises `OSError`.
    """
    with open_temporary_file(path.parent) as (new, file):
        yield file
        file.flush()
        if mode != OWNER_ONLY_FILE_MODE:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
        new.replace(path)
    sync_folder(path.parent)


def replace_file(path: Path, content: bytes, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a file as `open_replacement` does."""
    with open_replacement(path, mode) as file:
        file.write(content)


@contextmanager
def open_temporary_file(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Opens a new temporary file for reading and writing.

    Its name is deleted at the end unless the file was moved.
    """
    new, file = _create_locked(folder)
    with file:
        try:
            _restrict_to_owner(file.fileno())
            yield new, file
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def _create_locked(folder: Path) -> tuple[Path, BinaryIO]:
    """Returns a new, locked file. Before it is locked, another program may delete it.

    Then another one is made.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        new = folder / f".companion-{os.urandom(16).hex()}.part"
        file = os.fdopen(os.open(new, flags, OWNER_ONLY_FILE_MODE), "w+b")
        with suppress(OSError):  # without a lock, on some file systems, nothing is taken for a leftover
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.path.lexists(new):
            return new, file
        file.close()


def remove_unfinished_files(folder: Path) -> None:
    """Deletes the unfinished files in a folder: their writing was interrupted.

    A file that somebody is writing now stays.
    """
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if UNFINISHED_FILE_NAME_PATTERN.fullmatch(path.name)]:
            with suppress(OSError), open_regular_file(path, follow_links=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def ensure_private_file(path: Path) -> None:
    """Ensures that there is a file that only its owner may read.

    An empty one is created if there is none; a file that exists becomes readable only for its owner.
    Raises `OSError`.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    opened = os.open(path, flags, OWNER_ONLY_FILE_MODE)
    try:
        _restrict_to_owner(opened)
    finally:
        os.close(opened)


def create_folder(folder: Path, mode: int = OWNER_ONLY_FOLDER_MODE) -> None:
    """Creates a folder and the missing ones above it; by default only their owner may open them."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=OWNER_ONLY_FOLDER_MODE, exist_ok=True)
        if mode != OWNER_ONLY_FOLDER_MODE:
            missing.chmod(mode)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def sync_folder(folder: Path) -> None:
    """Writes the names in a folder to the disk, if the file system can do that."""
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        if error.errno not in UNSUPPORTED_SYNC_ERRNOS:
            raise


def _restrict_to_owner(opened: int) -> None:
    """Makes a file private; a file system without permissions, such as FAT, refuses or forgets that."""
    if stat.S_IMODE(os.fstat(opened).st_mode) != OWNER_ONLY_FILE_MODE:
        with suppress(PermissionError):
            os.fchmod(opened, OWNER_ONLY_FILE_MODE)


# Opening regular files: anything else is refused at once and keeps nobody waiting.


def open_regular_file(path: Path, *, follow_links: bool = True) -> BinaryIO:
    """Opens a regular file for reading.

    Raises `OSError` for a pipe, a device, a directory, or a link. Links are followed where people
    arrange files as they like, such as hardware.toml. In the state directory and on USB sticks they
    aren't: a link could lead to any file of ours, and an error message would repeat a line of it.
    """
    _check_is_regular(
        path, path.stat() if follow_links else path.lstat()
    )  # first, as opening a device may set something off
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    opened = os.open(path, flags)
    try:
        _check_is_regular(path, os.fstat(opened))
        return os.fdopen(opened, "rb")
    except BaseException:
        os.close(opened)
        raise


def read_regular_file(path: Path, max_bytes: int, *, follow_links: bool = True) -> bytes:
    """Returns the content of a regular file.

    Raises `OSError` as `open_regular_file` does, and for a larger file.
    """
    with open_regular_file(path, follow_links=follow_links) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise _os_error(path, errno.EFBIG)
    return content


def is_regular_file(path: Path) -> bool:
    """Returns whether the path is a regular file and not a link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _check_is_regular(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise _os_error(path, errno.EISDIR)
    if stat.S_ISLNK(found.st_mode):
        raise _os_error(path, errno.ELOOP, "It is a link")
    if not stat.S_ISREG(found.st_mode):
        raise _os_error(path, errno.EINVAL, "It is not a regular file")


def _os_error(path: Path, number: int, why: str | None = None) -> OSError:
    return OSError(number, why or os.strerror(number), str(path))
