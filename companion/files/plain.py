"""Plain files, opened to read: whatever else lies there is refused at once and keeps nobody waiting."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_plain(path: Path, *, follow: bool = True) -> BinaryIO:
    """A plain file to read; raises `OSError` for a pipe, a device, a directory, or a link.

    Links are followed where people keep files as they like, such as hardware.toml. In the state directory and
    on sticks they aren't: one could lead to any file of ours, and a refusal would repeat a line of it.
    """
    _check(path, path.stat() if follow else path.lstat())  # first, as opening a device may set something off
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    opened = os.open(path, flags)
    try:
        _check(path, os.fstat(opened))
        return os.fdopen(opened, "rb")
    except BaseException:
        os.close(opened)
        raise


def read_plain(path: Path, most: int, *, follow: bool = True) -> bytes:
    """What a plain file holds; raises `OSError` as `open_plain` does, and for more than so many bytes."""
    with open_plain(path, follow=follow) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise _refused(path, errno.EFBIG)
    return content


def is_plain(path: Path) -> bool:
    """Whether a plain file lies there, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _check(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise _refused(path, errno.EISDIR)
    if stat.S_ISLNK(found.st_mode):
        raise _refused(path, errno.ELOOP, "It is a link")
    if not stat.S_ISREG(found.st_mode):
        raise _refused(path, errno.EINVAL, "It is not a regular file")


def _refused(path: Path, number: int, why: str | None = None) -> OSError:
    return OSError(number, why or os.strerror(number), str(path))
