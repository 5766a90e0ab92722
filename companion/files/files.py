"""Files that people name: read and written whole, or a sentence says why not."""

from __future__ import annotations

import io
import os
from pathlib import Path

from companion.errors import TableError
from companion.files.atomic import make_folder, put, sync_directory
from companion.files.places import OWNER_ONLY, OWNER_ONLY_FILE
from companion.files.plain import open_plain
from companion.words import say

RIGHTS = 0o666
"""Who may read and write."""
FOR_ALL = 0o755
"""A directory in which everybody finds a file."""


def read(path: Path, most: int, *, follow: bool = True) -> str:
    """The text of a plain file; raises `TableError` where there is none, or more than so many characters.

    A link is refused, unless it may be followed.
    """
    try:
        # some editors begin a file with a mark
        with io.TextIOWrapper(open_plain(path, follow=follow), encoding="utf-8-sig") as file:
            text = file.read(most + 1)
    except OSError as error:
        raise TableError(say("{file} can't be read: {why}.", file=str(path), why=_why(error))) from error
    except UnicodeError as error:
        raise TableError(say("{file} is not UTF-8 text.", file=str(path))) from error
    if most < len(text):
        raise TableError(say("{file} has more than {most} characters.", file=str(path), most=most))
    return text


def meant(path: str) -> str:
    """The file that a link leads to; one that goes away in that moment leads nowhere but to itself."""
    try:
        return os.path.realpath(path)
    except OSError:
        return path


def there(path: Path) -> bool:
    """Whether there is such a file; none has a name that can't be one."""
    try:
        return path.is_file()
    except OSError:
        return False


def write(path: Path, text: str, mode: int | None = None) -> None:
    """Writes a file where people want it, whole or not at all; raises `TableError` where that can't be.

    A link is replaced, not followed; what is no file, such as a pipe, is written to. A new file is its
    owner's alone; one of ours that is replaced keeps the rights it was given. `mode` sets others.
    """
    try:
        if _is_written_through(path):
            path.write_text(text, encoding="utf-8")
        else:
            put(path, text.encode(), _rights_of(path) if mode is None else mode)
    except OSError as error:
        raise _not_written(path, error) from error


def replace(path: Path, text: str, mode: int = OWNER_ONLY_FILE) -> None:
    """Writes a file of our own, its owner's alone if nothing else is said; then it is on the disk.

    Its folder is made. Raises `TableError` where it can't be written.
    """
    try:
        make_folder(path.parent)
        put(path, text.encode(), mode)
    except OSError as error:
        raise _not_written(path, error) from error


def hand_over(path: Path, text: str, *, over: bool = False) -> None:
    """Writes a file where people want it, whole or not at all, and over another one only if told `over`.

    Raises `TableError` where that can't be; whatever was there is still there then.
    """
    path = path.resolve()  # so that a link stays one
    if path.exists() and not path.is_file():
        raise TableError(say("{file} already exists, but it is not a regular file.", file=str(path)))
    if path.exists() and not over:
        raise TableError(say("{file} already exists. Add --force to overwrite it.", file=str(path)))
    write(path, text)


def write_new(path: Path, text: str, mode: int = OWNER_ONLY_FILE) -> None:
    """Writes a file where nothing is yet, whole or not at all; its folders are made.

    Raises `TableError` where something is, or where that can't be.
    """
    if os.path.lexists(path):
        raise TableError(say("{file} already exists and was not changed.", file=str(path)))
    try:
        make_folder(path.parent, OWNER_ONLY if mode == OWNER_ONLY_FILE else FOR_ALL)
    except OSError as error:
        raise _not_written(path, error) from error
    write(path, text, mode)


def move(path: Path, target: Path) -> None:
    """Gives a file of our own another name, in the same folder; raises `TableError` where that can't be."""
    try:
        path.rename(target)
        sync_directory(target.parent)
    except OSError as error:
        raise _not_written(target, error) from error


def delete(path: Path) -> None:
    """A file of our own is no more; raises `TableError` where that can't be."""
    try:
        path.unlink()
        sync_directory(path.parent)
    except OSError as error:
        raise _not_written(path, error) from error


def _is_written_through(path: Path) -> bool:
    """Whether it is a pipe, a device, a directory, or a name for what a program has open, as /dev/stdout."""
    if not path.exists():
        return False
    folder = path.parent.resolve()
    names = (folder, folder / path.readlink()) if path.is_symlink() else (folder,)
    return not path.is_file() or any(name.is_relative_to("/proc") for name in names)


def _rights_of(path: Path) -> int:
    """Those of our file that lies there; those of somebody else's say nothing about ours."""
    if path.is_symlink() or not path.exists() or (found := path.stat()).st_uid != os.geteuid():
        return OWNER_ONLY_FILE
    return found.st_mode & RIGHTS


def _not_written(path: Path, error: OSError) -> TableError:
    return TableError(say("{file} can't be written: {why}.", file=str(path), why=_why(error)))


def _why(error: OSError) -> str:
    return error.strerror or str(error)
