"""A state directory as an archive has it: what was kept in one file comes back."""

from __future__ import annotations

import io
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

import msgspec

from companion.errors import TableError
from companion.files.atomic import make_folder, replacing, sync_directory
from companion.files.plain import open_plain
from companion.store.archive import (
    CONFIG,
    ENVELOPES,
    FORMAT,
    GAMES,
    MANIFEST,
    MOST_FILES,
    OF_PEOPLE,
    Manifest,
    copy_bytes,
    excess,
)
from companion.store.database import beside, has_content, is_sound, look, suppress_damage
from companion.store.opening import drafts_read_well
from companion.store.places import Places, release_lock
from companion.store.replacing import finish
from companion.store.rescue import reads_well
from companion.store.rows import Saved, saved
from companion.store.schema import DRAFTS, drop_foreign, version
from companion.store.schema import GAMES as TABLES
from companion.store.troubles import spoken
from companion.words import Say, say

NO_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile raises for what isn't one, or not a whole one."""
PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How archives are packed, ours and those that people packed again; others fail in ways of their own."""
WIRING = f"{CONFIG}hardware.toml"
LONGEST_LIST = 2**20
"""Bytes of the list of what an archive holds, which zipfile reads at once; 500 files take 50,000."""


class Restored(msgspec.Struct, frozen=True):
    """The games that are there now, where those of before are, and the files of the configuration."""

    games: list[Saved]
    aside: Path | None
    config: dict[str, str]


def restore(directory: Path, file: Path) -> Restored:
    """Puts the archive's games in the place of those of the directory.

    Raises `TableError` for what is no whole archive of ours, `StoreUnavailable` while somebody plays there or
    where a disk refuses; then nothing has changed.
    """
    places = Places(directory)
    with spoken(directory), ExitStack() as opened:
        places.check()
        places.prepare()
        opened.callback(release_lock, places.take_lock())
        finish(places)  # one that was cut off before
        shutil.rmtree(places.restoring, ignore_errors=True)
        opened.callback(shutil.rmtree, places.restoring, ignore_errors=True)
        make_folder(places.restoring)
        unpack(file, places.restoring)
        _check(places.restoring, file)
        found = {path.name: path.read_text(encoding="utf-8") for path in places.restoring.glob(f"{CONFIG}*")}
        places.restoring.rename(places.restored)
        sync_directory(directory)
        aside = finish(places)
        with closing(look(places.games)) as db:
            return Restored(saved(db), aside, found)


def unpack(file: Path, folder: Path) -> Manifest:
    """Writes what an archive holds there, on the disk, each file its owner's alone; raises `TableError`."""
    try:
        with open_plain(file) as opened, zipfile.ZipFile(_InParts(opened, file)) as archive:
            manifest = _manifest(archive, file)
            for name, member in manifest.members.items():
                make_folder((folder / name).parent)
                with archive.open(name) as source, replacing(folder / name) as target:
                    if copy_bytes(source, target, member.size) != member:
                        raise _broken(file, say("{name} has changed since it was saved", name=name))
    except OSError as error:
        raise _broken(file, error.strerror or str(error)) from error
    except NO_ARCHIVE as error:
        raise _broken(file, say("it is damaged or not a backup")) from error
    return manifest


class _InParts(io.BufferedReader):
    """An archive of which no more than `LONGEST_LIST` is read at once; its list could fill the memory."""

    def __init__(self, opened: IO[bytes], file: Path) -> None:
        super().__init__(io.FileIO(opened.fileno(), closefd=False))
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises `TableError` for more."""
        content = super().read(LONGEST_LIST + 1 if size is None or size < 0 else min(size, LONGEST_LIST + 1))
        if len(content) > LONGEST_LIST:
            raise _broken(self._file, say("it contains more than {most} files", most=MOST_FILES))
        return content


def _manifest(archive: zipfile.ZipFile, file: Path) -> Manifest:
    """What the archive says it holds, in its list and in its manifest; raises `TableError` for too much."""
    parts = archive.infolist()
    odd = {part.compress_type for part in parts} - PACKED
    sizes = {part.filename: part.file_size for part in parts}
    # As much memory as it says is asked for before it is read.
    if odd or len(sizes) < len(parts) or sum(part.compress_size for part in parts) > file.stat().st_size:
        raise zipfile.BadZipFile
    if why := excess(sizes):
        raise _broken(file, why)
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    except msgspec.MsgspecError as error:
        raise _broken(file, say("its list of contents is missing")) from error
    if manifest.format > FORMAT:
        raise _broken(file, say("it was made by a newer version, {version}", version=manifest.version))
    for name in manifest.members:
        if name not in {GAMES, ENVELOPES, WIRING} and not OF_PEOPLE.fullmatch(name):
            raise _broken(file, say("{name} is not a Companion file", name=name))
    if {*manifest.members, MANIFEST} != {*sizes} or GAMES not in manifest.members:
        raise _broken(file, say("its files don't match its list of contents"))
    return manifest


def _check(folder: Path, file: Path) -> None:
    """Whether both databases can be read; raises `StoreUnavailable` for those of a newer version."""
    places = Places(folder)
    for path, tables in ((places.games, TABLES), (places.sealed, DRAFTS)):
        if not _is_only_ours(path, tables):
            raise _broken(file, say("its games can't be read"))
    games = is_sound(places.games, TABLES, reads_well) and _has_tables(places.games)
    if not games or not is_sound(places.sealed, DRAFTS, drafts_read_well):
        raise _broken(file, say("its games can't be read"))
    for path in (places.games, places.sealed):
        for suffix in ("-wal", "-shm"):
            beside(path, suffix).unlink(missing_ok=True)


def _is_only_ours(path: Path, tables: Sequence[str]) -> bool:
    """Whether a database holds nothing foreign any more: it goes before anything of it is read or checked."""
    if not has_content(path):
        return True
    with suppress_damage(), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        return drop_foreign(db, tables)
    return False


def _has_tables(path: Path) -> bool:
    """Whether it ever held games; an empty database is as sound as any."""
    if not has_content(path):
        return False
    with closing(look(path)) as db:
        return version(db) > 0


def _broken(file: Path, why: Say | str) -> TableError:
    return TableError(say("{file} can't be restored: {why}.", file=str(file), why=why))
