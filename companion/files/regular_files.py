"""Writes files whole or not at all, and safely opens files that somebody else made.

    with open_replacement(path) as file:
        file.write(content)

Companion writes files in no other way. A file is written under a temporary name in its folder and then
renamed. Nobody can guess the temporary name; no file and no link may have it already. Only the owner may read
the file, whatever the umask. The content is on the disk before the file is renamed; afterwards the name is on
the disk too. A reader, now or after a power cut, finds the old file or the new one.

An interrupted write leaves the temporary file, which nobody locks any more: `remove_unfinished_files` deletes
it. SQLite writes its own files; `ensure_private_file` creates them first.
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
from typing import BinaryIO, NamedTuple

from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE

UNFINISHED_FILE_NAME_PATTERN = re.compile(r"\.companion-[0-9a-f]{32}\.part")
"""The pattern of the name of a file that isn't completely written yet."""
UNSUPPORTED_SYNC_ERRNOS = {errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
"""The errors for a directory that can't be synced.

Some file systems can't sync directories, and some directories can't be listed.
"""


@contextmanager
def open_replacement(path: Path, mode: int = OWNER_ONLY_FILE_MODE) -> Iterator[BinaryIO]:
    """Opens a new file that replaces `path` at the end, whole and on the disk.

    After an error nothing has changed. A link at `path` is replaced, not followed. Raises `OSError`.
    """
    with open_temporary_file(path.parent) as (new_path, file):
        yield file
        file.flush()
        if mode != OWNER_ONLY_FILE_MODE:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
        new_path.replace(path)
    sync_folder(path.parent)


def replace_file(path: Path, content: bytes, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a file as `open_replacement` does."""
    with open_replacement(path, mode) as file:
        file.write(content)


class OpenTemporaryFile(NamedTuple):
    """A temporary file, open for reading and writing, and its path."""

    path: Path
    file: BinaryIO


@contextmanager
def open_temporary_file(folder: Path) -> Iterator[OpenTemporaryFile]:
    """Opens a new temporary file for reading and writing.

    At the end the file is deleted unless it was moved.
    """
    new_path, file = _create_locked_file(folder)
    with file:
        try:
            _restrict_to_owner(file.fileno())
            yield OpenTemporaryFile(new_path, file)
        finally:
            with suppress(OSError):
                new_path.unlink(missing_ok=True)


def _create_locked_file(folder: Path) -> tuple[Path, BinaryIO]:
    """Returns the path of a new file, and the file, open and locked.

    If another program deletes the file before it is locked, another file is made.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    while True:
        path = folder / f".companion-{os.urandom(16).hex()}.part"
        file = os.fdopen(os.open(path, flags, OWNER_ONLY_FILE_MODE), "w+b")
        with suppress(OSError):  # where files can't be locked, none is deleted as unfinished
            fcntl.flock(file, fcntl.LOCK_EX)
        if os.path.lexists(path):
            return path, file
        file.close()


def remove_unfinished_files(folder: Path) -> None:
    """Deletes the unfinished files in a folder: those whose writing was interrupted.

    A file that somebody is writing now stays.
    """
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if UNFINISHED_FILE_NAME_PATTERN.fullmatch(path.name)]:
            with suppress(OSError), open_regular_file(path, follow_links=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def ensure_private_file(path: Path) -> None:
    """Ensures that there is a file that only its owner may read.

    An empty file is created if there is none; an existing file becomes readable only for its owner. Raises
    `OSError`.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, OWNER_ONLY_FILE_MODE)
    try:
        _restrict_to_owner(descriptor)
    finally:
        os.close(descriptor)


def create_folder(folder: Path, mode: int = OWNER_ONLY_FOLDER_MODE) -> None:
    """Creates a folder and the missing ones above it; by default only their owner may open them."""
    for missing_folder in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing_folder.mkdir(mode=OWNER_ONLY_FOLDER_MODE, exist_ok=True)
        if mode != OWNER_ONLY_FOLDER_MODE:
            missing_folder.chmod(mode)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def sync_folder(folder: Path) -> None:
    """Writes the names in a folder to the disk, if the file system can do that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in UNSUPPORTED_SYNC_ERRNOS:
            raise


def _restrict_to_owner(descriptor: int) -> None:
    """Makes a file private. A file system without permissions, such as FAT, refuses or forgets that."""
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != OWNER_ONLY_FILE_MODE:
        with suppress(PermissionError):
            os.fchmod(descriptor, OWNER_ONLY_FILE_MODE)


# Opening regular files: anything else is refused at once, so nothing waits for it.


def open_regular_file(path: Path, *, follow_links: bool = True) -> BinaryIO:
    """Opens a regular file for reading.

    Raises `OSError` for a pipe, a device, a directory, or a link. Links are followed where people
    arrange files as they like, such as hardware.toml. In the state directory and on USB sticks they
    aren't: a link could lead to any file of ours, and an error message would repeat a line of it.
    """
    # The path is checked before it is opened, because opening a device may set something off.
    _require_regular(path, path.stat() if follow_links else path.lstat())
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    descriptor = os.open(path, flags)
    try:
        _require_regular(path, os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular_file(path: Path, max_bytes: int, *, follow_links: bool = True) -> bytes:
    """Returns the content of a regular file.

    Raises `OSError` as `open_regular_file` does, and for a larger file.
    """
    with open_regular_file(path, follow_links=follow_links) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise _make_os_error(path, errno.EFBIG)
    return content


def is_regular_file(path: Path) -> bool:
    """Returns whether the path is a regular file and not a link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _require_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise _make_os_error(path, errno.EISDIR)
    if stat.S_ISLNK(status.st_mode):
        raise _make_os_error(path, errno.ELOOP, "It is a link")
    if not stat.S_ISREG(status.st_mode):
        raise _make_os_error(path, errno.EINVAL, "It is not a regular file")


def _make_os_error(path: Path, number: int, why: str | None = None) -> OSError:
    return OSError(number, why or os.strerror(number), str(path))
