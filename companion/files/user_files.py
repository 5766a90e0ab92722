"""Files that people name: read and written whole, or a sentence says why not."""

from __future__ import annotations

import io
import os
from pathlib import Path

from companion.errors import UserError
from companion.files.regular_files import create_folder, open_regular_file, replace_file, sync_folder
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE
from companion.texts import say

PERMISSION_BITS = 0o666
"""Who may read and write."""
PUBLIC_FOLDER_MODE = 0o755
"""A directory in which everybody finds a file."""


def read_text(path: Path, most: int, *, follow: bool = True) -> str:
    """The text of a plain file; raises `UserError` where there is none, or more than so many characters.

    A link is refused, unless it may be followed.
    """
    try:
        # some editors begin a file with a mark
        with io.TextIOWrapper(open_regular_file(path, follow=follow), encoding="utf-8-sig") as file:
            text = file.read(most + 1)
    except OSError as error:
        raise UserError(say("{file} can't be read: {why}.", file=str(path), why=_reason(error))) from error
    except UnicodeError as error:
        raise UserError(say("{file} is not UTF-8 text.", file=str(path))) from error
    if most < len(text):
        raise UserError(say("{file} has more than {most} characters.", file=str(path), most=most))
    return text


def resolve_link(path: str) -> str:
    """The file that a link leads to; one that goes away in that moment leads nowhere but to itself."""
    try:
        return os.path.realpath(path)
    except OSError:
        return path


def file_exists(path: Path) -> bool:
    """Whether there is such a file; none has a name that can't be one."""
    try:
        return path.is_file()
    except OSError:
        return False


def write_text(path: Path, text: str, mode: int | None = None) -> None:
    """Writes a file where people want it, whole or not at all; raises `UserError` where that can't be.

    A link is replaced, not followed; what is no file, such as a pipe, is written to. A new file is its
    owner's alone; one of ours that is replaced keeps the rights it was given. `mode` sets others.
    """
    try:
        if _is_written_through(path):
            path.write_text(text, encoding="utf-8")
        else:
            replace_file(path, text.encode(), _permissions_of(path) if mode is None else mode)
    except OSError as error:
        raise _write_error(path, error) from error


def write_own_file(path: Path, text: str, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a file of our own, its owner's alone if nothing else is said; then it is on the disk.

    Its folder is made. Raises `UserError` where it can't be written.
    """
    try:
        create_folder(path.parent)
        replace_file(path, text.encode(), mode)
    except OSError as error:
        raise _write_error(path, error) from error


def export_text(path: Path, text: str, *, over: bool = False) -> None:
    """Writes a file where people want it, whole or not at all, and over another one only if told `over`.

    Raises `UserError` where that can't be; whatever was there is still there then.
    """
    path = path.resolve()  # so that a link stays one
    if path.exists() and not path.is_file():
        raise UserError(say("{file} already exists, but it is not a regular file.", file=str(path)))
    if path.exists() and not over:
        raise UserError(say("{file} already exists. Add --force to overwrite it.", file=str(path)))
    write_text(path, text)


def write_new_file(path: Path, text: str, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a file where nothing is yet, whole or not at all; its folders are made.

    Raises `UserError` where something is, or where that can't be.
    """
    if os.path.lexists(path):
        raise UserError(say("{file} already exists and was not changed.", file=str(path)))
    try:
        create_folder(
            path.parent, OWNER_ONLY_FOLDER_MODE if mode == OWNER_ONLY_FILE_MODE else PUBLIC_FOLDER_MODE
        )
    except OSError as error:
        raise _write_error(path, error) from error
    write_text(path, text, mode)


def rename_own_file(path: Path, target: Path) -> None:
    """Gives a file of our own another name, in the same folder; raises `UserError` where that can't be."""
    try:
        path.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise _write_error(target, error) from error


def delete_own_file(path: Path) -> None:
    """A file of our own is no more; raises `UserError` where that can't be."""
    try:
        path.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise _write_error(path, error) from error


def _is_written_through(path: Path) -> bool:
    """Whether it is a pipe, a device, a directory, or a name for what a program has open, as /dev/stdout."""
    if not path.exists():
        return False
    folder = path.parent.resolve()
    names = (folder, folder / path.readlink()) if path.is_symlink() else (folder,)
    return not path.is_file() or any(name.is_relative_to("/proc") for name in names)


def _permissions_of(path: Path) -> int:
    """Those of our file that lies there; those of somebody else's say nothing about ours."""
    if path.is_symlink() or not path.exists() or (found := path.stat()).st_uid != os.geteuid():
        return OWNER_ONLY_FILE_MODE
    return found.st_mode & PERMISSION_BITS


def _write_error(path: Path, error: OSError) -> UserError:
    return UserError(say("{file} can't be written: {why}.", file=str(path), why=_reason(error)))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
