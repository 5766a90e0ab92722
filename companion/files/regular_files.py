"""The one way in which files are written: under a new name beside their place, then moved there.

    with replacing(path) as file:
        file.write(content)

Nobody can guess the new name; no file and no link may be there already. The file is its owner's alone,
whatever the umask, and on the disk before it takes its place; afterwards its name is on the disk too.
Whoever reads it, now or after a power cut, finds the old file or the new one.

A write that was cut off leaves the new file, which nobody locks any more: `remove_unfinished_files` deletes
it. SQLite writes its own files; `ensure_private_file` makes them first.
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

UNFINISHED_FILE_NAME = re.compile(r"\.companion-[0-9a-f]{32}\.part")
"""How a file is called that isn't whole yet."""
NO_SYNC_ERRNOS = {errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}
"""How a directory refuses to be synced: some file systems can't, and some directories nobody may list."""


@contextmanager
def open_replacement(path: Path, mode: int = OWNER_ONLY_FILE_MODE) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` at the end, whole and on the disk; or nothing changes.

    A link that lies there is replaced, not followed. Raises `OSError`.
    """
    with temporary_file(path.parent) as (new, file):
        yield file
        file.flush()
        if mode != OWNER_ONLY_FILE_MODE:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
        new.replace(path)
    sync_folder(path.parent)


def replace_file(path: Path, content: bytes, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a file, as `open_replacement` does."""
    with open_replacement(path, mode) as file:
        file.write(content)


@contextmanager
def temporary_file(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file to read and write, and its name, which is gone at the end unless the file was moved."""
    new, file = _create_locked(folder)
    with file:
        try:
            _restrict_to_owner(file.fileno())
            yield new, file
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)


def _create_locked(folder: Path) -> tuple[Path, BinaryIO]:
    """A new file, locked. Before it has its lock it can be taken for a leftover; then another one is made."""
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
    """Deletes what was cut off while it was written there; what somebody is writing now stays."""
    with suppress(OSError):
        for path in [path for path in folder.iterdir() if UNFINISHED_FILE_NAME.fullmatch(path.name)]:
            with suppress(OSError), open_regular_file(path, follow=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def ensure_private_file(path: Path) -> None:
    """Makes a file, empty, if there is none; its owner alone may read it from now on. Raises `OSError`."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
    opened = os.open(path, flags, OWNER_ONLY_FILE_MODE)
    try:
        _restrict_to_owner(opened)
    finally:
        os.close(opened)


def create_folder(folder: Path, mode: int = OWNER_ONLY_FOLDER_MODE) -> None:
    """Makes a directory and those above it, as far as they are missing; by default for their owner alone."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=OWNER_ONLY_FOLDER_MODE, exist_ok=True)
        if mode != OWNER_ONLY_FOLDER_MODE:
            missing.chmod(mode)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def sync_folder(directory: Path) -> None:
    """The names in a directory are on the disk when this returns, where the file system can do that."""
    try:
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        if error.errno not in NO_SYNC_ERRNOS:
            raise


def _restrict_to_owner(opened: int) -> None:
    """A file system that knows no rights, as FAT, refuses or forgets it."""
    if stat.S_IMODE(os.fstat(opened).st_mode) != OWNER_ONLY_FILE_MODE:
        with suppress(PermissionError):
            os.fchmod(opened, OWNER_ONLY_FILE_MODE)


# Plain files, opened to read: whatever else lies there is refused at once and keeps nobody waiting.


def open_regular_file(path: Path, *, follow: bool = True) -> BinaryIO:
    """A plain file to read; raises `OSError` for a pipe, a device, a directory, or a link.

    Links are followed where people keep files as they like, such as hardware.toml. In the state directory and
    on sticks they aren't: one could lead to any file of ours, and a refusal would repeat a line of it.
    """
    _check_is_regular(
        path, path.stat() if follow else path.lstat()
    )  # first, as opening a device may set something off
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    opened = os.open(path, flags)
    try:
        _check_is_regular(path, os.fstat(opened))
        return os.fdopen(opened, "rb")
    except BaseException:
        os.close(opened)
        raise


def read_regular_file(path: Path, most: int, *, follow: bool = True) -> bytes:
    """What a plain file holds.

    Raises `OSError` as `open_regular_file` does, and for more than so many bytes.
    """
    with open_regular_file(path, follow=follow) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise _os_error(path, errno.EFBIG)
    return content


def is_regular_file(path: Path) -> bool:
    """Whether a plain file lies there, and no link to one."""
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
