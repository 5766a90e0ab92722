"""Files that people name: read and written whole, or a sentence says why not."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import TableError
from companion.files.places import OWNER_ONLY
from companion.words import say

ANYBODY = 0o666


def read(path: Path, most: int = -1) -> str:
    """The text of a file; raises `TableError` where there is none, or more than so many characters."""
    try:
        with path.open(encoding="utf-8-sig") as file:  # some editors begin a file with a mark
            text = file.read(most + 1) if most >= 0 else file.read()
    except OSError as error:
        raise TableError(say("{file} can't be read: {why}.", file=str(path), why=_why(error))) from error
    except UnicodeError as error:
        raise TableError(say("{file} is no text in UTF-8.", file=str(path))) from error
    if 0 <= most < len(text):
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

    A link is replaced, not followed. Without a `mode` a file stays as open as it was.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
        else:
            _put_in_its_place(path, text, mode)
    except OSError as error:
        raise _not_written(path, error) from error


def replace(path: Path, text: str) -> None:
    """Writes a file of our own: whoever reads it, now or after a pulled plug, finds the old or the new one.

    Its folder and the one above are made for their owner only. It is on the disk when this returns;
    raises `TableError` where it can't be.
    """
    try:
        for folder in (path.parent.parent, path.parent):
            folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
        _put_in_its_place(path, text)
    except OSError as error:
        raise _not_written(path, error) from error


def hand_over(path: Path, text: str, *, over: bool = False) -> None:
    """Writes a file where people want it, whole or not at all, and over another one only if told `over`.

    Raises `TableError` where that can't be; whatever was there is still there then.
    """
    path = path.resolve()  # so that a link stays one
    if path.exists() and not path.is_file():
        raise TableError(say("{file} is there already and is no file.", file=str(path)))
    if path.exists() and not over:
        raise TableError(say("{file} is there already; --force writes over it.", file=str(path)))
    write(path, text)


def write_new(path: Path, text: str) -> None:
    """Writes a file where nothing is yet, whole or not at all; its folders are made.

    Raises `TableError` where something is, or where that can't be.
    """
    if path.exists():
        raise TableError(say("{file} is there already and stays as it is.", file=str(path)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(path, error) from error
    write(path, text)


def move(path: Path, target: Path) -> None:
    """Gives a file of our own another name, in the same folder; raises `TableError` where that can't be."""
    try:
        path.rename(target)
        _keep_name(target.parent)
    except OSError as error:
        raise _not_written(target, error) from error


def delete(path: Path) -> None:
    """A file of our own is no more; raises `TableError` where that can't be."""
    try:
        path.unlink()
        _keep_name(path.parent)
    except OSError as error:
        raise _not_written(path, error) from error


def _put_in_its_place(path: Path, text: str, mode: int | None = None) -> None:
    new = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    new.touch(mode=ANYBODY if mode is None else mode, exist_ok=False)
    try:
        if mode is None and path.exists():
            new.chmod(path.stat().st_mode & ANYBODY)
        with new.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink()
        raise
    _keep_name(path.parent)


def _keep_name(directory: Path) -> None:
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _not_written(path: Path, error: OSError) -> TableError:
    return TableError(say("{file} can't be written: {why}.", file=str(path), why=_why(error)))


def _why(error: OSError) -> str:
    return error.strerror or str(error)
