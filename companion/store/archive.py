"""Everything of a state directory in one file, to lie somewhere else.

    keep(directory, Path("stick/companion-2026-11-24.zip"), {"hardware.toml": path})

A zip: `manifest.json` with the sum of every member, the two databases, and what people wrote beside them (the
values of their cards, their templates). Closed envelopes are in it: it is its owner's, like the directory.
It may be made while somebody plays; what is acknowledged meanwhile may be in it or not.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import msgspec

from companion.errors import TableError
from companion.files.places import OWNER_ONLY_FILE
from companion.store.database import has_content, look
from companion.store.places import Places, sync_names
from companion.store.replacing import WRITTEN
from companion.store.troubles import spoken
from companion.words import say

FORMAT = 1
MANIFEST = "manifest.json"
CONFIG = "config/"
"""Before the names of what lies outside the state directory."""
NIGHTLY = "companion-????-??-??-??????.zip"
"""How copies are called that nobody named."""
KEPT = 7


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

    Raises `TableError` where something is there already or there are no games, and `StoreUnavailable` where a
    disk refuses.
    """
    if file.exists():
        raise TableError(say("{file} is there already and stays as it is.", file=str(file)))
    if not has_content(Places(directory).games):
        raise TableError(say("There are no saved games in {directory}.", directory=str(directory)))
    Places(directory).check_owner()
    part = file.with_name(f".{file.name}.part")
    with spoken(file.parent):
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, OWNER_ONLY_FILE)
        try:
            with os.fdopen(descriptor, "w+b") as written:
                manifest = _write(written, directory, version, at, beside)
                written.flush()
                os.fsync(written.fileno())
            part.rename(file)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        sync_names(file.parent)
    return manifest


def keep_nightly(directory: Path, version: str, at: str, beside: Mapping[str, Path]) -> Path:
    """The same in the directory's own `backups`, of which the seven newest stay; returns where it is."""
    folder = directory / "backups"
    with spoken(directory):
        folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"companion-{at.replace(' ', '-').replace(':', '')}.zip"
    keep(directory, file, version, at, beside)
    for old in sorted(folder.glob(NIGHTLY))[:-KEPT]:
        with suppress(OSError):  # it goes with the next one
            old.unlink()
    return file


def _write(file: BinaryIO, directory: Path, version: str, at: str, beside: Mapping[str, Path]) -> Manifest:
    members: dict[str, Member] = {}
    with (
        TemporaryDirectory(dir=directory, prefix=".backup-") as folder,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name, path in _found(directory, Path(folder), beside):
            content = path.read_bytes()
            archive.writestr(name, content)
            members[name] = Member(len(content), hashlib.sha256(content).hexdigest())
        manifest = Manifest(FORMAT, version, at, members)
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _found(directory: Path, folder: Path, beside: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Every file by the name it has in the archive; the databases as copies of one moment each.

    The drafts come first: one that is sealed between the two is asked for again, and none is there twice.
    """
    places = Places(directory)
    for path in (places.sealed, places.games):
        if has_content(path):
            copy = folder / path.name
            with closing(look(path)) as db, closing(sqlite3.connect(copy)) as other:
                db.backup(other)
            yield str(path.relative_to(directory)), copy
    for path in written(directory):
        yield str(path.relative_to(directory)), path
    for name, path in beside.items():
        yield CONFIG + name, path


def written(directory: Path) -> Sequence[Path]:
    """What people wrote themselves."""
    return sorted(path for folder in WRITTEN for path in (directory / folder).glob("*.toml"))
