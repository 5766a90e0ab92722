"""Files that people name: read and written whole; a `UserError` says why this isn't possible."""

from __future__ import annotations

import io
import os
from pathlib import Path

from companion.errors import UserError
from companion.files.regular_files import create_folder, open_regular_file, replace_file, sync_folder
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE
from companion.texts import say

READ_WRITE_PERMISSION_BITS = 0o666
"""The permission bits for reading and writing, without those for running."""
PUBLIC_FOLDER_MODE = 0o755
"""The permissions of a folder in which everybody can find files."""


def read_user_file(path: Path, max_characters: int, *, follow_links: bool = True) -> str:
    """Returns the text of a file that people named.

    Raises `UserError` if there is no such regular file, or if it is too long. A link is refused,
    unless `follow_links`.
    """
    try:
        # Some editors begin a file with a byte order mark, which utf-8-sig skips.
        with io.TextIOWrapper(
            open_regular_file(path, follow_links=follow_links), encoding="utf-8-sig"
        ) as file:
            text = file.read(max_characters + 1)
    except OSError as error:
        raise UserError(
            say("{file} can't be read: {why}.", file=str(path), why=_error_reason(error))
        ) from error
    except UnicodeError as error:
        raise UserError(say("{file} is not UTF-8 text.", file=str(path))) from error
    if max_characters < len(text):
        raise UserError(say("{file} has more than {most} characters.", file=str(path), most=max_characters))
    return text


def resolve_link(path: str) -> str:
    """Returns the file that a link leads to; the link itself if somebody removes it at that moment."""
    try:
        return os.path.realpath(path)
    except OSError:
        return path


def file_exists(path: Path) -> bool:
    """Returns whether there is a file at the path; raises nothing.

    The result for a name that no file can have is False.
    """
    try:
        return path.is_file()
    except OSError:
        return False


def write_user_file(path: Path, text: str, mode: int | None = None) -> None:
    """Writes a file that people named, whole or not at all; raises `UserError` if that isn't possible.

    A link is replaced, not followed. A pipe or a device is written to. `mode` are the permissions of the
    file. Without `mode`, only the owner may read a new file, and a file of ours that is replaced keeps its
    permissions.
    """
    try:
        if _must_be_written_in_place(path):
            path.write_text(text, encoding="utf-8")
        else:
            replace_file(path, text.encode(), _permissions_to_keep(path) if mode is None else mode)
    except OSError as error:
        raise _make_write_error(path, error) from error


def write_app_file(path: Path, content: str | bytes, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a text or bytes into a file of the program on the disk.

    By default only its owner may read it. The folder of the file is created. Raises `UserError` if
    the file can't be written.
    """
    try:
        create_folder(path.parent)
        replace_file(path, content if isinstance(content, bytes) else content.encode(), mode)
    except OSError as error:
        raise _make_write_error(path, error) from error


def export_text(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Exports a text to a file that people named.

    The file is written whole or not at all. An existing file is replaced only with `overwrite`.
    Raises `UserError` if that isn't possible; then the existing file is unchanged.
    """
    try:
        path = path.resolve()  # so that a link stays one
        exists, is_regular = path.exists(), path.is_file()
    except OSError as error:  # a name that is too long, or a folder that nobody may look into
        raise _make_write_error(path, error) from error
    if exists and not is_regular:
        raise UserError(say("{file} already exists, but it is not a regular file.", file=str(path)))
    if exists and not overwrite:
        raise UserError(say("{file} already exists. Add --force to overwrite it.", file=str(path)))
    write_user_file(path, text)


def write_new_file(path: Path, text: str, mode: int = OWNER_ONLY_FILE_MODE) -> None:
    """Writes a new file, which doesn't exist yet, whole or not at all.

    The folders above it are created. Raises `UserError` if the file exists or can't be written.
    """
    if os.path.lexists(path):
        raise UserError(say("{file} already exists and was not changed.", file=str(path)))
    try:
        create_folder(
            path.parent, OWNER_ONLY_FOLDER_MODE if mode == OWNER_ONLY_FILE_MODE else PUBLIC_FOLDER_MODE
        )
    except OSError as error:
        raise _make_write_error(path, error) from error
    write_user_file(path, text, mode)


def rename_app_file(path: Path, target: Path) -> None:
    """Renames a file of the program within its folder; raises `UserError` if that isn't possible."""
    try:
        path.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise _make_write_error(target, error) from error


def delete_app_file(path: Path) -> None:
    """Deletes a file of the program; raises `UserError` if it is missing or can't be deleted."""
    try:
        path.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise _make_write_error(path, error) from error


def _must_be_written_in_place(path: Path) -> bool:
    """Returns whether a file can't be replaced.

    It is a pipe, a device, a directory, or the name of an open file, such as /dev/stdout.
    """
    if not path.exists():
        return False
    folder = path.parent.resolve()
    paths = (folder, folder / path.readlink()) if path.is_symlink() else (folder,)
    return not path.is_file() or any(each_path.is_relative_to("/proc") for each_path in paths)


def _permissions_to_keep(path: Path) -> int:
    """Returns the permissions of a file of ours; otherwise those of a private file.

    The permissions of somebody else's file say nothing about ours.
    """
    if path.is_symlink() or not path.exists() or (status := path.stat()).st_uid != os.geteuid():
        return OWNER_ONLY_FILE_MODE
    return status.st_mode & READ_WRITE_PERMISSION_BITS


def _make_write_error(path: Path, error: OSError) -> UserError:
    return UserError(say("{file} can't be written: {why}.", file=str(path), why=_error_reason(error)))


def _error_reason(error: OSError) -> str:
    return error.strerror or str(error)
