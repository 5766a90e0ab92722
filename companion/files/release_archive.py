"""Checks a release that people got as .tar.gz to its end, and unpacks it into an empty folder.

Only files and folders are unpacked, with the permissions of new files. If the archive contains what no
release contains (links, devices, names that lead out of the folder), all of it is refused. That is stricter
than the filter `data` of tarfile (PEP 706), and it also works on Debian 12, whose Python 3.11.2 has no
filters yet.
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
"""The errors of `unpack_release` for a damaged, too large or unsafe archive. They have no common class."""


def unpack_release(archive: Path, folder: Path) -> None:
    """Unpacks an archive into a folder, which is new or empty.

    Raises one of `UNPACK_ERRORS`; the files that were unpacked before the error stay in the folder. Nothing
    is written outside of the folder.
    """
    if not archive.is_file():  # reading a pipe would wait for ever
        raise ValueError("no file")
    with archive.open("rb") as archive_file:
        _require_intact(archive_file)
        archive_file.seek(0)
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(fileobj=archive_file, mode="r:gz") as tar:
            for count, member in enumerate(tar, 1):
                if count > MAX_ARCHIVE_MEMBERS:
                    raise ValueError("too many files")
                _unpack_member(tar, member, folder)


def _require_intact(archive_file: IO[bytes]) -> None:
    """Reads an archive up to its checksum, which comes last; raises an error if it is wrong or too large."""
    size = 0
    with gzip.open(archive_file) as unpacked:
        while part := unpacked.read(READ_BUFFER_BYTES):
            size += len(part)
            if size > MAX_UNPACKED_BYTES:
                raise ValueError("too many bytes")


def _unpack_member(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise ValueError(f"{name} leads out of the folder")
    if member.isdir():
        _create_subfolder(folder, name)
        return
    # A sparse file may claim any size: the bytes of the archive don't bound it.
    if member.type not in REGULAR_FILE_TYPES or member.issparse():
        raise ValueError(f"{name} is neither a file nor a folder")
    _create_subfolder(folder, name.parent)
    content = tar.extractfile(member)
    if content is None:
        raise ValueError(f"{name} has no content")
    path = folder / name
    with content, path.open("xb") as new_file:  # a second file of this name is refused
        shutil.copyfileobj(content, new_file)
    path.chmod(PROGRAM_MODE if member.mode & OWNER_MAY_RUN else FILE_MODE)


def _create_subfolder(folder: Path, name: PurePosixPath) -> None:
    """Creates a folder in `folder`, and those above it. No link can be in the way: none is unpacked."""
    for part in name.parts:
        folder /= part
        if not folder.is_dir():
            folder.mkdir()
            folder.chmod(FOLDER_MODE)
