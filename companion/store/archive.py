"""Everything of a state directory in one file, to lie somewhere else.

    keep(directory, Path("stick/companion-2026-11-24.zip"), {"hardware.toml": path})

A zip: `manifest.json` with the sum of every member, the games, and what people wrote beside them (the values
of their cards, their templates). No envelope is in it: a copy stays when envelopes have been opened or taken
back. Who had closed one is asked again. What is covered is in it, as in the log of any game.
It may be made while somebody plays; what is acknowledged meanwhile may be in it or not.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import zipfile
from collections.abc import Generator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from companion.errors import UserError
from companion.files import toml
from companion.files.regular_files import (
    create_folder,
    is_regular_file,
    open_regular_file,
    open_replacement,
    remove_unfinished_files,
    temporary_file,
)
from companion.store.database import has_content, open_read_only
from companion.store.places import StateFiles
from companion.store.replacing import USER_FOLDERS
from companion.store.troubles import translate_errors
from companion.texts import Say, say

ARCHIVE_FORMAT = 1
MANIFEST_MEMBER = "manifest.json"
GAMES_MEMBER = "companion.sqlite3"
ENVELOPES_MEMBER = "sealed/drafts.sqlite3"
"""In archives of version 0.2 only."""
CONFIG_PREFIX = "config/"
"""Before the names of what lies outside the state directory."""
USER_FILE_NAME = re.compile(rf"(?:{'|'.join(USER_FOLDERS)})(?:/[\w-]+)?/[\w.-]+\.toml")
"""The names of what people wrote, in the letters of any script; presets of a game may lie in its folder."""
NIGHTLY_NAME_PATTERN = "companion-????-??-??-??????.zip"
"""How copies are called that nobody named."""
MAX_NIGHTLY_ARCHIVES = 7
MAX_ARCHIVE_BYTES = 2**28
"""Bytes that an archive may hold in all; a thousand evenings have a twentieth of that."""
MAX_USER_FILE_BYTES = 4 * toml.MAX_FILE_CHARACTERS
"""Bytes of a file that people wrote: as many as the characters that are read of one can take."""
MAX_USER_FILES = 500
"""Files that people wrote: there are seven games, and nobody keeps so many templates."""
COPY_BUFFER_BYTES = 2**16
"""Bytes that are copied at once."""


class ArchiveMember(msgspec.Struct, frozen=True):
    """One file of the archive: its size in bytes and its SHA-256 in hex."""

    size: int
    sha256: str


class ArchiveManifest(msgspec.Struct, frozen=True):
    """What the archive holds, and when and by which version it was made."""

    format: int
    version: str
    at: str
    members: dict[str, ArchiveMember]


def write_archive(
    directory: Path, file: Path, version: str, at: str, beside: Mapping[str, Path]
) -> ArchiveManifest:
    """Writes the archive, whole and on the disk, or not at all; `beside` are files of the configuration.

    Raises `UserError` where a file is there already, or there are no games, or more than `restore` takes;
    `StoreUnavailable` where a disk refuses.
    """
    if file.exists():
        raise UserError(say("{file} already exists and was not changed.", file=str(file)))
    StateFiles(directory).check()
    if not has_content(StateFiles(directory).games):
        raise UserError(say("There are no saved games in {directory}.", directory=str(directory)))
    StateFiles(directory).check_owner()
    with translate_errors(file.parent):
        remove_unfinished_files(file.parent)
        with open_replacement(file) as archive:
            return _write_members(
                archive, directory, file.parent, ArchiveManifest(ARCHIVE_FORMAT, version, at, {}), beside
            )


def write_nightly_archive(directory: Path, version: str, at: str, beside: Mapping[str, Path]) -> Path:
    """Writes a copy into the directory's `backups`, keeps the seven newest there, and returns its path."""
    folder = directory / "backups"
    with translate_errors(directory):
        create_folder(folder)
    file = folder / f"companion-{at.replace(' ', '-').replace(':', '')}.zip"
    write_archive(directory, file, version, at, beside)
    for old in sorted(folder.glob(NIGHTLY_NAME_PATTERN))[:-MAX_NIGHTLY_ARCHIVES]:
        with suppress(OSError):  # it goes with the next one
            old.unlink()
    return file


def describe_excess(sizes: Mapping[str, int]) -> Say | None:
    """Why an archive with members of these sizes in bytes is too large to be brought back; None: it isn't."""
    texts = sizes.keys() - {GAMES_MEMBER, ENVELOPES_MEMBER, MANIFEST_MEMBER}
    if len(texts) > MAX_USER_FILES:
        return say("it contains more than {most} files", most=MAX_USER_FILES)
    if (large := next((name for name in texts if sizes[name] > MAX_USER_FILE_BYTES), None)) is not None:
        return say("{name} has more than {most} bytes", name=large, most=MAX_USER_FILE_BYTES)
    if sum(size for name, size in sizes.items() if name != MANIFEST_MEMBER) > MAX_ARCHIVE_BYTES:
        return say("it contains more than {most} bytes", most=MAX_ARCHIVE_BYTES)
    return None


def copy_bytes(source: IO[bytes], target: IO[bytes], most: int) -> ArchiveMember:
    """Copies a file to its end, but no more than one byte beyond `most`; returns what was copied."""
    size, summed = 0, hashlib.sha256()
    while size <= most and (part := source.read(min(COPY_BUFFER_BYTES, most + 1 - size))):
        size += len(part)
        summed.update(part)
        target.write(part)
    return ArchiveMember(size, summed.hexdigest())


def _write_members(
    file: BinaryIO, directory: Path, folder: Path, manifest: ArchiveManifest, beside: Mapping[str, Path]
) -> ArchiveManifest:
    """Writes it there, with `folder` for what is copied first; returns the manifest with all members."""
    members = manifest.members
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        closing(_files_to_archive(directory, folder, beside)) as found,
    ):
        for name, source in found:
            with source, archive.open(name, "w") as target:
                members[name] = copy_bytes(source, target, MAX_ARCHIVE_BYTES)
            if why := describe_excess({name: member.size for name, member in members.items()}):
                raise UserError(say("No backup was made: {why}.", why=why))
        archive.writestr(MANIFEST_MEMBER, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _files_to_archive(
    directory: Path, folder: Path, beside: Mapping[str, Path]
) -> Generator[tuple[str, BinaryIO], None, None]:
    """Every file by the name it has in the archive; the games as a copy of one moment."""
    with temporary_file(folder) as (path, copy):
        with (
            closing(open_read_only(StateFiles(directory).games)) as db,
            closing(sqlite3.connect(path)) as other,
        ):
            other.execute("PRAGMA journal_mode = OFF")  # nothing beside it; what is cut off is no copy anyway
            db.backup(other)
        yield GAMES_MEMBER, copy
    for name in _user_files(directory):
        yield name, open_regular_file(directory / name, follow=False)
    for name, configuration in beside.items():
        yield CONFIG_PREFIX + name, open_regular_file(configuration)


def _user_files(directory: Path) -> list[str]:
    """What people wrote themselves; whatever else lies there no program of ours reads."""
    paths = (
        path
        for folder in USER_FOLDERS
        for path in (directory / folder).rglob("*.toml")
        if is_regular_file(path)
    )
    return sorted(
        name for path in paths if USER_FILE_NAME.fullmatch(name := str(path.relative_to(directory)))
    )
