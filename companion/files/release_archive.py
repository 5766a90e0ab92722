"""Unpacking a release that people got as .tar.gz: checked to its end, then unpacked into an empty folder.

Only files and folders are unpacked, with the permissions of new files. If the archive contains what a release
never does (links, devices, names that lead out of the folder), all of it is refused. That is stricter than
the filter `data` of tarfile (PEP 706), and it also works on Debian 12, whose Python 3.11.2 has no filters
yet.
"""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

MAX_UNPACKED_BYTES = 2**28
"""The greatest size of an unpacked archive: ten times the project."""
MAX_ARCHIVE_MEMBERS = 20_000
"""The most files and folders in an archive; the project has a fifteenth.

Each costs memory, however small it is.
"""
READ_BUFFER_BYTES = 2**20
"""The size of the part of the archive that is in memory at once."""
FILE_MODE, PROGRAM_MODE, FOLDER_MODE = 0o644, 0o755, 0o755
OWNER_MAY_RUN = 0o100
REGULAR_FILE_TYPES = {tarfile.REGTYPE, tarfile.AREGTYPE}

UNPACK_ERRORS = (OSError, tarfile.TarError, zlib.error, EOFError, ValueError, KeyError, RecursionError)
"""The errors of `unpack_release` for an archive that is damaged, too large or unsafe: they share no class."""


def unpack_release(archive: Path, folder: Path) -> None:
    """Unpacks an archive into a folder, which is new or empty; raises one of `UNPACK_ERRORS`.

    After an error the unpacked files stay in the folder. Nothing outside of it is ever written.
    """
    if not archive.is_file():  # reading a pipe would wait for ever
        raise ValueError("no file")
    with archive.open("rb") as packed:
        _check_to_its_end(packed)
        packed.seek(0)
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=packed, mode="r:gz") as file:
            for count, member in enumerate(file, 1):
                if count > MAX_ARCHIVE_MEMBERS:
                    raise ValueError("too many files")
                _extract(file, member, folder)


def _check_to_its_end(packed: IO[bytes]) -> None:
    """Reads an archive up to its checksum, which comes last; raises if it is wrong or there is too much."""
    size = 0
    with gzip.open(packed) as whole:
        while part := whole.read(READ_BUFFER_BYTES):
            size += len(part)
            if size > MAX_UNPACKED_BYTES:
                raise ValueError("too many bytes")


def _extract(file: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise ValueError(f"{name} leads out of the folder")
    if member.isdir():
        _make_folder(folder, name)
        return
    # A sparse file may claim any size: the bytes of the archive don't bound it.
    if member.type not in REGULAR_FILE_TYPES or member.issparse():
        raise ValueError(f"{name} is neither a file nor a folder")
    _make_folder(folder, name.parent)
    content = file.extractfile(member)
    if content is None:
        raise ValueError(f"{name} has no content")
    path = folder / name
    with content, path.open("xb") as new:  # a second file of this name is refused
        shutil.copyfileobj(content, new)
    path.chmod(PROGRAM_MODE if member.mode & OWNER_MAY_RUN else FILE_MODE)


def _make_folder(folder: Path, name: PurePosixPath) -> None:
    """Makes a folder in `folder`, and those above it; no link can be in the way, for none is ever made."""
    for part in name.parts:
        folder /= part
        if not folder.is_dir():
            folder.mkdir()
            folder.chmod(FOLDER_MODE)
