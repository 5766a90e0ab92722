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

from companion.errors import TableError
from companion.files import toml
from companion.files.atomic import make_folder, new_file, remove_leftovers, replacing
from companion.files.plain import is_plain, open_plain
from companion.store.database import has_content, look
from companion.store.places import Places
from companion.store.replacing import WRITTEN
from companion.store.troubles import spoken
from companion.words import Say, say

FORMAT = 1
MANIFEST = "manifest.json"
GAMES = "companion.sqlite3"
ENVELOPES = "sealed/drafts.sqlite3"
"""In archives of version 0.2 only."""
CONFIG = "config/"
"""Before the names of what lies outside the state directory."""
OF_PEOPLE = re.compile(rf"(?:{'|'.join(WRITTEN)})(?:/[\w-]+)?/[\w.-]+\.toml")
"""The names of what people wrote, in the letters of any script; presets of a game may lie in its folder."""
NIGHTLY = "companion-????-??-??-??????.zip"
"""How copies are called that nobody named."""
KEPT = 7
LARGEST = 2**28
"""Bytes that an archive may hold in all; a thousand evenings have a twentieth of that."""
LARGEST_TEXT = 4 * toml.MOST
"""Bytes of a file that people wrote: as many as the characters that are read of one can take."""
MOST_FILES = 500
"""Files that people wrote: there are seven games, and nobody keeps so many templates."""
AT_ONCE = 2**16
"""Bytes that are copied at once."""


class Member(msgspec.Struct, frozen=True):
    """One file of the archive: its size in bytes and its SHA-256 in hex."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What the archive holds, and when and by which version it was made."""

    format: int
    version: str
    at: str
    members: dict[str, Member]


def keep(directory: Path, file: Path, version: str, at: str, beside: Mapping[str, Path]) -> Manifest:
    """Writes the archive, whole and on the disk, or not at all; `beside` are files of the configuration.

    Raises `TableError` where a file is there already, or there are no games, or more than `restore` takes;
    `StoreUnavailable` where a disk refuses.
    """
    if file.exists():
        raise TableError(say("{file} already exists and was not changed.", file=str(file)))
    Places(directory).check()
    if not has_content(Places(directory).games):
        raise TableError(say("There are no saved games in {directory}.", directory=str(directory)))
    Places(directory).check_owner()
    with spoken(file.parent):
        remove_leftovers(file.parent)
        with replacing(file) as archive:
            return _write(archive, directory, file.parent, Manifest(FORMAT, version, at, {}), beside)


def keep_nightly(directory: Path, version: str, at: str, beside: Mapping[str, Path]) -> Path:
    """Writes a copy into the directory's `backups`, keeps the seven newest there, and returns its path."""
    folder = directory / "backups"
    with spoken(directory):
        make_folder(folder)
    file = folder / f"companion-{at.replace(' ', '-').replace(':', '')}.zip"
    keep(directory, file, version, at, beside)
    for old in sorted(folder.glob(NIGHTLY))[:-KEPT]:
        with suppress(OSError):  # it goes with the next one
            old.unlink()
    return file


def excess(sizes: Mapping[str, int]) -> Say | None:
    """Why an archive with members of these sizes in bytes is too large to be brought back; None: it isn't."""
    texts = sizes.keys() - {GAMES, ENVELOPES, MANIFEST}
    if len(texts) > MOST_FILES:
        return say("it contains more than {most} files", most=MOST_FILES)
    if (large := next((name for name in texts if sizes[name] > LARGEST_TEXT), None)) is not None:
        return say("{name} has more than {most} bytes", name=large, most=LARGEST_TEXT)
    if sum(size for name, size in sizes.items() if name != MANIFEST) > LARGEST:
        return say("it contains more than {most} bytes", most=LARGEST)
    return None


def copy_bytes(source: IO[bytes], target: IO[bytes], most: int) -> Member:
    """Copies a file to its end, but no more than one byte beyond `most`; returns what was copied."""
    size, summed = 0, hashlib.sha256()
    while size <= most and (part := source.read(min(AT_ONCE, most + 1 - size))):
        size += len(part)
        summed.update(part)
        target.write(part)
    return Member(size, summed.hexdigest())


def _write(
    file: BinaryIO, directory: Path, folder: Path, manifest: Manifest, beside: Mapping[str, Path]
) -> Manifest:
    """Writes it there, with `folder` for what is copied first; returns the manifest with all members."""
    members = manifest.members
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        closing(_found(directory, folder, beside)) as found,
    ):
        for name, source in found:
            with source, archive.open(name, "w") as target:
                members[name] = copy_bytes(source, target, LARGEST)
            if why := excess({name: member.size for name, member in members.items()}):
                raise TableError(say("No backup was made: {why}.", why=why))
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _found(
    directory: Path, folder: Path, beside: Mapping[str, Path]
) -> Generator[tuple[str, BinaryIO], None, None]:
    """Every file by the name it has in the archive; the games as a copy of one moment."""
    with new_file(folder) as (path, copy):
        with closing(look(Places(directory).games)) as db, closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA journal_mode = OFF")  # nothing beside it; what is cut off is no copy anyway
            db.backup(other)
        yield GAMES, copy
    for name in _of_people(directory):
        yield name, open_plain(directory / name, follow=False)
    for name, configuration in beside.items():
        yield CONFIG + name, open_plain(configuration)


def _of_people(directory: Path) -> list[str]:
    """What people wrote themselves; whatever else lies there no program of ours reads."""
    paths = (path for folder in WRITTEN for path in (directory / folder).rglob("*.toml") if is_plain(path))
    return sorted(name for path in paths if OF_PEOPLE.fullmatch(name := str(path.relative_to(directory))))
