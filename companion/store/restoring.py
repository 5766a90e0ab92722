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

from companion.errors import UserError
from companion.files.regular_files import create_folder, open_regular_file, open_replacement, sync_folder
from companion.store.archive import (
    ARCHIVE_FORMAT,
    CONFIG_PREFIX,
    ENVELOPES_MEMBER,
    GAMES_MEMBER,
    MANIFEST_MEMBER,
    MAX_USER_FILES,
    USER_FILE_NAME,
    ArchiveManifest,
    copy_bytes,
    describe_excess,
)
from companion.store.database import has_content, ignore_damage, is_intact, open_read_only, sqlite_side_file
from companion.store.opening import are_drafts_readable
from companion.store.places import StateFiles, release_lock
from companion.store.replacing import finish_restore
from companion.store.rescue import are_games_readable
from companion.store.rows import SavedGame, list_games
from companion.store.schema import DRAFTS_MIGRATIONS, drop_foreign_objects, schema_version
from companion.store.schema import GAMES_MIGRATIONS as TABLES
from companion.store.troubles import translate_errors
from companion.texts import Say, say

ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile raises for what isn't one, or not a whole one."""
ALLOWED_COMPRESSION = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""How archives are packed, ours and those that people packed again; others fail in ways of their own."""
WIRING_MEMBER = f"{CONFIG_PREFIX}hardware.toml"
MAX_READ_BYTES = 2**20
"""Bytes of the list of what an archive holds, which zipfile reads at once; 500 files take 50,000."""


class RestoredState(msgspec.Struct, frozen=True):
    """The games that are there now, where those of before are, and the files of the configuration."""

    games: list[SavedGame]
    aside: Path | None
    config: dict[str, str]


def restore_archive(directory: Path, file: Path) -> RestoredState:
    """Puts the archive's games in the place of those of the directory.

    Raises `UserError` for what is no whole archive of ours, `StoreUnavailable` while somebody plays there or
    where a disk refuses; then nothing has changed.
    """
    places = StateFiles(directory)
    with translate_errors(directory), ExitStack() as opened:
        places.check()
        places.prepare()
        opened.callback(release_lock, places.take_lock())
        finish_restore(places)  # one that was cut off before
        shutil.rmtree(places.restoring, ignore_errors=True)
        opened.callback(shutil.rmtree, places.restoring, ignore_errors=True)
        create_folder(places.restoring)
        unpack_archive(file, places.restoring)
        _check_databases(places.restoring, file)
        found = {
            path.name: path.read_text(encoding="utf-8") for path in places.restoring.glob(f"{CONFIG_PREFIX}*")
        }
        places.restoring.rename(places.restored)
        sync_folder(directory)
        aside = finish_restore(places)
        with closing(open_read_only(places.games)) as db:
            return RestoredState(list_games(db), aside, found)


def unpack_archive(file: Path, folder: Path) -> ArchiveManifest:
    """Writes what an archive holds there, on the disk, each file its owner's alone; raises `UserError`."""
    try:
        with (
            open_regular_file(file) as opened,
            zipfile.ZipFile(_BoundedArchiveReader(opened, file)) as archive,
        ):
            manifest = _read_manifest(archive, file)
            for name, member in manifest.members.items():
                create_folder((folder / name).parent)
                with archive.open(name) as source, open_replacement(folder / name) as target:
                    if copy_bytes(source, target, member.size) != member:
                        raise _unusable_archive(file, say("{name} has changed since it was saved", name=name))
    except OSError as error:
        raise _unusable_archive(file, error.strerror or str(error)) from error
    except ZIP_ERRORS as error:
        raise _unusable_archive(file, say("it is damaged or not a backup")) from error
    return manifest


class _BoundedArchiveReader(io.BufferedReader):
    """An archive of which no more than `MAX_READ_BYTES` is read at once; its list could fill the memory."""

    def __init__(self, opened: IO[bytes], file: Path) -> None:
        super().__init__(io.FileIO(opened.fileno(), closefd=False))
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises `UserError` for more."""
        content = super().read(
            MAX_READ_BYTES + 1 if size is None or size < 0 else min(size, MAX_READ_BYTES + 1)
        )
        if len(content) > MAX_READ_BYTES:
            raise _unusable_archive(
                self._file, say("it contains more than {most} files", most=MAX_USER_FILES)
            )
        return content


def _read_manifest(archive: zipfile.ZipFile, file: Path) -> ArchiveManifest:
    """What the archive says it holds, in its list and in its manifest; raises `UserError` for too much."""
    parts = archive.infolist()
    odd = {part.compress_type for part in parts} - ALLOWED_COMPRESSION
    sizes = {part.filename: part.file_size for part in parts}
    # As much memory as it says is asked for before it is read.
    if odd or len(sizes) < len(parts) or sum(part.compress_size for part in parts) > file.stat().st_size:
        raise zipfile.BadZipFile
    if why := describe_excess(sizes):
        raise _unusable_archive(file, why)
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST_MEMBER), type=ArchiveManifest)
    except msgspec.MsgspecError as error:
        raise _unusable_archive(file, say("its list of contents is missing")) from error
    if manifest.format > ARCHIVE_FORMAT:
        raise _unusable_archive(
            file, say("it was made by a newer version, {version}", version=manifest.version)
        )
    for name in manifest.members:
        if name not in {GAMES_MEMBER, ENVELOPES_MEMBER, WIRING_MEMBER} and not USER_FILE_NAME.fullmatch(name):
            raise _unusable_archive(file, say("{name} is not a Companion file", name=name))
    if {*manifest.members, MANIFEST_MEMBER} != {*sizes} or GAMES_MEMBER not in manifest.members:
        raise _unusable_archive(file, say("its files don't match its list of contents"))
    return manifest


def _check_databases(folder: Path, file: Path) -> None:
    """Whether both databases can be read; raises `StoreUnavailable` for those of a newer version."""
    places = StateFiles(folder)
    for path, tables in ((places.games, TABLES), (places.sealed, DRAFTS_MIGRATIONS)):
        if not _remove_foreign_objects(path, tables):
            raise _unusable_archive(file, say("its games can't be read"))
    games = is_intact(places.games, TABLES, are_games_readable) and _ever_had_games(places.games)
    if not games or not is_intact(places.sealed, DRAFTS_MIGRATIONS, are_drafts_readable):
        raise _unusable_archive(file, say("its games can't be read"))
    for path in (places.games, places.sealed):
        for suffix in ("-wal", "-shm"):
            sqlite_side_file(path, suffix).unlink(missing_ok=True)


def _remove_foreign_objects(path: Path, tables: Sequence[str]) -> bool:
    """Whether a database holds nothing foreign any more: it goes before anything of it is read or checked."""
    if not has_content(path):
        return True
    with ignore_damage(), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        return drop_foreign_objects(db, tables)
    return False


def _ever_had_games(path: Path) -> bool:
    """Whether it ever held games; an empty database is as sound as any."""
    if not has_content(path):
        return False
    with closing(open_read_only(path)) as db:
        return schema_version(db) > 0


def _unusable_archive(file: Path, why: Say | str) -> UserError:
    return UserError(say("{file} can't be restored: {why}.", file=str(file), why=why))
