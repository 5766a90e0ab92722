"""Archives: everything of a state directory in one zip file, and restoring it.

    write_archive(directory, Path("stick/companion-2026-11-24.zip"), "0.3.0", "", {"hardware.toml": path})

An archive holds `manifest.json` with the checksum of every member, the games, and the files that people wrote
beside them (the values of their cards, their presets). It holds no envelopes: an archive stays when envelopes
have been opened or taken back. Players who had closed an envelope are asked again. Hidden values are in it,
as they are in the log of any game. An archive may be written while somebody plays; answers that are saved
meanwhile may or may not be in it.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
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
    open_temporary_file,
    remove_unfinished_files,
    sync_folder,
)
from companion.store.database import (
    DRAFTS_MIGRATIONS,
    drop_foreign_schema_objects,
    exists_and_is_not_empty,
    ignore_damage,
    is_intact,
    open_read_only,
    schema_version,
    sqlite_side_file,
)
from companion.store.database import GAMES_MIGRATIONS as TABLES
from companion.store.disk import translate_disk_errors
from companion.store.game_rows import SavedGame, list_games
from companion.store.recovery import are_drafts_readable, are_games_readable
from companion.store.state_files import USER_FOLDERS, StateFiles, finish_interrupted_restore, release_lock
from companion.texts import Say, say

ARCHIVE_FORMAT = 1
MANIFEST_MEMBER = "manifest.json"
GAMES_MEMBER = "companion.sqlite3"
LEGACY_DRAFTS_MEMBER = "sealed/drafts.sqlite3"
"""Name of the sealed drafts in an archive; only archives of version 0.2 have them."""
CONFIG_MEMBER_PREFIX = "config/"
"""Prefix of the archive members that are configuration files, which aren't in the state directory."""
USER_FILE_PATH_PATTERN = re.compile(rf"(?:{'|'.join(USER_FOLDERS)})(?:/[\w-]+)?/[\w.-]+\.toml")
"""Pattern of the paths of files that people wrote; names may use the letters of any script."""
NIGHTLY_ARCHIVE_GLOB = "companion-????-??-??-??????.zip"
"""Glob pattern of the archives that are written each night."""
MAX_NIGHTLY_ARCHIVES = 7
MAX_UNPACKED_ARCHIVE_BYTES = 2**28
"""The most bytes of all members together; a thousand evenings need a twentieth of that."""
MAX_USER_FILE_BYTES = 4 * toml.MAX_FILE_CHARACTERS
"""The most bytes of a file that people wrote: as many as the characters that are read of it can need."""
MAX_USER_FILES = 500
"""The most files that people wrote in an archive. There are seven games, and nobody has so many presets."""
COPY_BUFFER_BYTES = 2**16
"""The number of bytes that are copied at once."""


class ArchiveMember(msgspec.Struct, frozen=True):
    """One file of an archive: its size in bytes and its SHA-256 in hex."""

    size: int
    sha256: str


class ArchiveManifest(msgspec.Struct, frozen=True):
    """What an archive holds, when it was made, and by which version."""

    format: int
    version: str
    at: str
    members: dict[str, ArchiveMember]


def write_archive(
    directory: Path, file: Path, version: str, created_at: str, config_files: Mapping[str, Path]
) -> ArchiveManifest:
    """Writes an archive of a state directory to a file, whole or not at all.

    `config_files` are files of the configuration. Raises `UserError` if the file exists, if there are no
    games, or if there is more than `restore_archive` accepts; `StoreUnavailable` if a disk refuses.
    """
    if file.exists():
        raise UserError(say("{file} already exists and was not changed.", file=str(file)))
    StateFiles(directory).check_file_types()
    if not exists_and_is_not_empty(StateFiles(directory).games):
        raise UserError(say("There are no saved games in {directory}.", directory=str(directory)))
    StateFiles(directory).refuse_root_in_directory_of_other_user()
    with translate_disk_errors(file.parent):
        remove_unfinished_files(file.parent)
        with open_replacement(file) as archive:
            return _write_members(
                archive,
                directory,
                file.parent,
                ArchiveManifest(ARCHIVE_FORMAT, version, created_at, {}),
                config_files,
            )


def write_nightly_archive(
    directory: Path, version: str, created_at: str, config_files: Mapping[str, Path]
) -> Path:
    """Writes an archive into the directory's `backups`, keeps the seven newest, and returns its path."""
    folder = directory / "backups"
    with translate_disk_errors(directory):
        create_folder(folder)
    file = folder / f"companion-{created_at.replace(' ', '-').replace(':', '')}.zip"
    write_archive(directory, file, version, created_at, config_files)
    for old in sorted(folder.glob(NIGHTLY_ARCHIVE_GLOB))[:-MAX_NIGHTLY_ARCHIVES]:
        with suppress(OSError):  # it goes with the next one
            old.unlink()
    return file


def why_archive_too_large(bytes_by_member: Mapping[str, int]) -> Say | None:
    """Returns why an archive with members of these sizes in bytes is too large to be restored; else None."""
    texts = bytes_by_member.keys() - {GAMES_MEMBER, LEGACY_DRAFTS_MEMBER, MANIFEST_MEMBER}
    if len(texts) > MAX_USER_FILES:
        return say("it contains more than {most} files", most=MAX_USER_FILES)
    if (
        large := next((name for name in texts if bytes_by_member[name] > MAX_USER_FILE_BYTES), None)
    ) is not None:
        return say("{name} has more than {most} bytes", name=large, most=MAX_USER_FILE_BYTES)
    if (
        sum(size for name, size in bytes_by_member.items() if name != MANIFEST_MEMBER)
        > MAX_UNPACKED_ARCHIVE_BYTES
    ):
        return say("it contains more than {most} bytes", most=MAX_UNPACKED_ARCHIVE_BYTES)
    return None


def copy_and_hash_bytes(source: IO[bytes], target: IO[bytes], max_bytes: int) -> ArchiveMember:
    """Copies bytes to another file and returns their number and checksum.

    At most one byte more than `max_bytes` is copied.
    """
    size, summed = 0, hashlib.sha256()
    while size <= max_bytes and (part := source.read(min(COPY_BUFFER_BYTES, max_bytes + 1 - size))):
        size += len(part)
        summed.update(part)
        target.write(part)
    return ArchiveMember(size, summed.hexdigest())


def _write_members(
    file: BinaryIO, directory: Path, folder: Path, manifest: ArchiveManifest, beside: Mapping[str, Path]
) -> ArchiveManifest:
    """Writes the archive; `folder` is for temporary copies. Returns the manifest with all members."""
    members = manifest.members
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        closing(_files_to_archive(directory, folder, beside)) as found,
    ):
        for name, source in found:
            with source, archive.open(name, "w") as target:
                members[name] = copy_and_hash_bytes(source, target, MAX_UNPACKED_ARCHIVE_BYTES)
            if why := why_archive_too_large({name: member.size for name, member in members.items()}):
                raise UserError(say("No backup was made: {why}.", why=why))
        archive.writestr(MANIFEST_MEMBER, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _files_to_archive(
    directory: Path, folder: Path, beside: Mapping[str, Path]
) -> Generator[tuple[str, BinaryIO], None, None]:
    """Yields every file with its name in the archive; the games are a copy of one moment."""
    with open_temporary_file(folder) as (path, copy):
        with (
            closing(open_read_only(StateFiles(directory).games)) as db,
            closing(sqlite3.connect(path)) as other,
        ):
            other.execute("PRAGMA journal_mode = OFF")  # nothing beside it; what is cut off is no copy anyway
            db.backup(other)
        yield GAMES_MEMBER, copy
    for name in _user_files(directory):
        yield name, open_regular_file(directory / name, follow_links=False)
    for name, configuration in beside.items():
        yield CONFIG_MEMBER_PREFIX + name, open_regular_file(configuration)


def _user_files(directory: Path) -> list[str]:
    """Returns the files that people wrote. No program of ours reads anything else there."""
    paths = (
        path
        for folder in USER_FOLDERS
        for path in (directory / folder).rglob("*.toml")
        if is_regular_file(path)
    )
    return sorted(
        name for path in paths if USER_FILE_PATH_PATTERN.fullmatch(name := str(path.relative_to(directory)))
    )


# Restoring


ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    NotImplementedError,
    RuntimeError,
)
"""The errors that zipfile raises for a file that isn't a complete zip file."""
ALLOWED_COMPRESSION_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""The compression methods of archives, ours and those that people packed again.

Other methods fail in ways of their own.
"""
WIRING_MEMBER = f"{CONFIG_MEMBER_PREFIX}hardware.toml"
MAX_BYTES_PER_ZIP_READ = 2**20
"""The most bytes read at once from a zip file, whose list of members could fill the memory.

A zip's list of members is read at once; for 500 files it needs 50,000 bytes.
"""


class RestoredState(msgspec.Struct, frozen=True):
    """The result of a restore: the games, the folder of the replaced files, and the configuration files."""

    games: list[SavedGame]
    replaced_files_folder: Path | None
    config_text_by_name: dict[str, str]


def restore_archive(directory: Path, file: Path) -> RestoredState:
    """Replaces the games of a directory by those of an archive.

    Raises `UserError` for a file that is no complete archive of ours, and `StoreUnavailable` while somebody
    plays there or if a disk refuses; then nothing has changed.
    """
    places = StateFiles(directory)
    with translate_disk_errors(directory), ExitStack() as opened:
        places.check_file_types()
        places.create_directories()
        opened.callback(release_lock, places.acquire_lock())
        finish_interrupted_restore(places)  # one that was cut off before
        shutil.rmtree(places.unfinished_restore, ignore_errors=True)
        opened.callback(shutil.rmtree, places.unfinished_restore, ignore_errors=True)
        create_folder(places.unfinished_restore)
        unpack_archive(file, places.unfinished_restore)
        _check_databases(places.unfinished_restore, file)
        found = {
            path.name: path.read_text(encoding="utf-8")
            for path in places.unfinished_restore.glob(f"{CONFIG_MEMBER_PREFIX}*")
        }
        places.unfinished_restore.rename(places.pending_restore)
        sync_folder(directory)
        aside = finish_interrupted_restore(places)
        with closing(open_read_only(places.games)) as db:
            return RestoredState(list_games(db), aside, found)


def unpack_archive(file: Path, folder: Path) -> ArchiveManifest:
    """Writes the members of an archive to the disk, readable only for the owner; raises `UserError`."""
    try:
        with (
            open_regular_file(file) as opened,
            zipfile.ZipFile(_BoundedArchiveReader(opened, file)) as archive,
        ):
            manifest = _read_manifest(archive, file)
            for name, member in manifest.members.items():
                create_folder((folder / name).parent)
                with archive.open(name) as source, open_replacement(folder / name) as target:
                    if copy_and_hash_bytes(source, target, member.size) != member:
                        raise _unusable_archive(file, say("{name} has changed since it was saved", name=name))
    except OSError as error:
        raise _unusable_archive(file, error.strerror or str(error)) from error
    except ZIP_ERRORS as error:
        raise _unusable_archive(file, say("it is damaged or not a backup")) from error
    return manifest


class _BoundedArchiveReader(io.BufferedReader):
    """An archive of which at most `MAX_READ_BYTES` are read at once; its list could fill the memory."""

    def __init__(self, opened: IO[bytes], file: Path) -> None:
        super().__init__(io.FileIO(opened.fileno(), closefd=False))
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises `UserError` for more than `MAX_READ_BYTES`."""
        content = super().read(
            MAX_BYTES_PER_ZIP_READ + 1 if size is None or size < 0 else min(size, MAX_BYTES_PER_ZIP_READ + 1)
        )
        if len(content) > MAX_BYTES_PER_ZIP_READ:
            raise _unusable_archive(
                self._file, say("it contains more than {most} files", most=MAX_USER_FILES)
            )
        return content


def _read_manifest(archive: zipfile.ZipFile, file: Path) -> ArchiveManifest:
    """Returns the manifest, if it agrees with the zip's own list.

    Raises `UserError` for an archive too large.
    """
    parts = archive.infolist()
    odd = {part.compress_type for part in parts} - ALLOWED_COMPRESSION_METHODS
    sizes = {part.filename: part.file_size for part in parts}
    # As much memory as it says is asked for before it is read.
    if odd or len(sizes) < len(parts) or sum(part.compress_size for part in parts) > file.stat().st_size:
        raise zipfile.BadZipFile
    if why := why_archive_too_large(sizes):
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
        if name not in {
            GAMES_MEMBER,
            LEGACY_DRAFTS_MEMBER,
            WIRING_MEMBER,
        } and not USER_FILE_PATH_PATTERN.fullmatch(name):
            raise _unusable_archive(file, say("{name} is not a Companion file", name=name))
    if {*manifest.members, MANIFEST_MEMBER} != {*sizes} or GAMES_MEMBER not in manifest.members:
        raise _unusable_archive(file, say("its files don't match its list of contents"))
    return manifest


def _check_databases(folder: Path, file: Path) -> None:
    """Raises `UserError` unless both databases are readable, `StoreUnavailable` if they are newer."""
    places = StateFiles(folder)
    for path, tables in ((places.games, TABLES), (places.sealed_drafts, DRAFTS_MIGRATIONS)):
        if not _remove_foreign_objects(path, tables):
            raise _unusable_archive(file, say("its games can't be read"))
    games = is_intact(places.games, TABLES, are_games_readable) and _ever_had_games(places.games)
    if not games or not is_intact(places.sealed_drafts, DRAFTS_MIGRATIONS, are_drafts_readable):
        raise _unusable_archive(file, say("its games can't be read"))
    for path in (places.games, places.sealed_drafts):
        for suffix in ("-wal", "-shm"):
            sqlite_side_file(path, suffix).unlink(missing_ok=True)


def _remove_foreign_objects(path: Path, tables: Sequence[str]) -> bool:
    """Drops all foreign objects of a database before it is read; returns whether that worked."""
    if not exists_and_is_not_empty(path):
        return True
    with ignore_damage(), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        return drop_foreign_schema_objects(db, tables)
    return False


def _ever_had_games(path: Path) -> bool:
    """Returns whether a database ever held games; an empty database is as intact as any."""
    if not exists_and_is_not_empty(path):
        return False
    with closing(open_read_only(path)) as db:
        return schema_version(db) > 0


def _unusable_archive(file: Path, why: Say | str) -> UserError:
    return UserError(say("{file} can't be restored: {why}.", file=str(file), why=why))
