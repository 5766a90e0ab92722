"""Archives: everything of a state directory in one zip file, and restoring it.

    write_archive(directory, Path("stick/companion-2026-11-24.zip"), "0.3.0", "", {"hardware.toml": path})

An archive holds `manifest.json` with the checksum of every member, the games, and the files that people wrote
beside them (the values of their cards, their presets). Envelopes stay out, because an archive stays when
envelopes have been opened or taken back. Players who had closed an envelope are asked again. An archive holds
hidden values, as the log of any game does. People can play while an archive is written; answers saved
meanwhile may or may not be in the archive.
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
    GAMES_MIGRATIONS,
    exists_and_is_not_empty,
    ignore_damage,
    is_intact,
    open_read_only,
    schema_version,
    sqlite_side_file,
    translate_disk_errors,
    try_to_drop_foreign_schema_objects,
)
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
MAX_USER_FILE_BYTES = 4 * toml.MAX_TOML_CHARACTERS
"""The most bytes of a file that people wrote: as many as the characters that are read of it can need."""
MAX_USER_FILES = 500
"""The most files that people wrote in an archive; nobody has so many cards' values and presets."""
COPY_BUFFER_BYTES = 2**16
"""The number of bytes that are copied at once."""
MAX_MANIFEST_BYTES = 2**20
"""The most bytes of an archive's manifest that are read; 500 files need about 200,000 bytes."""


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
    state_files = StateFiles(directory)
    state_files.check_file_types()
    if not exists_and_is_not_empty(state_files.games):
        raise UserError(say("There are no saved games in {directory}.", directory=str(directory)))
    state_files.refuse_root_in_directory_of_other_user()
    with translate_disk_errors(file.parent):
        remove_unfinished_files(file.parent)
        manifest = ArchiveManifest(ARCHIVE_FORMAT, version, created_at, {})
        with open_replacement(file) as archive:
            _write_members(archive, directory, file.parent, manifest, config_files)
    return manifest


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
        with suppress(OSError):  # the next archive deletes it
            old.unlink()
    return file


def why_archive_too_large(bytes_by_member: Mapping[str, int]) -> Say | None:
    """Returns why an archive with members of these sizes in bytes is too large to be restored; else None."""
    user_files = bytes_by_member.keys() - {GAMES_MEMBER, LEGACY_DRAFTS_MEMBER, MANIFEST_MEMBER}
    if len(user_files) > MAX_USER_FILES:
        return say("it contains more than {most} files", most=MAX_USER_FILES)
    for name in user_files:
        if bytes_by_member[name] > MAX_USER_FILE_BYTES:
            return say("{name} has more than {most} bytes", name=name, most=MAX_USER_FILE_BYTES)
    total = sum(size for name, size in bytes_by_member.items() if name != MANIFEST_MEMBER)
    if total > MAX_UNPACKED_ARCHIVE_BYTES:
        return say("it contains more than {most} bytes", most=MAX_UNPACKED_ARCHIVE_BYTES)
    return None


def copy_and_hash_bytes(source: IO[bytes], target: IO[bytes], truncate_above_bytes: int) -> ArchiveMember:
    """Copies bytes to another file and returns their number and checksum.

    Copying stops one byte above the limit, so that the caller sees that there are more.
    """
    size, checksum = 0, hashlib.sha256()
    while size <= truncate_above_bytes and (
        chunk := source.read(min(COPY_BUFFER_BYTES, truncate_above_bytes + 1 - size))
    ):
        size += len(chunk)
        checksum.update(chunk)
        target.write(chunk)
    return ArchiveMember(size, checksum.hexdigest())


def _write_members(
    file: BinaryIO,
    directory: Path,
    temporary_folder: Path,
    manifest: ArchiveManifest,
    config_files: Mapping[str, Path],
) -> None:
    """Writes all members into the archive and their checksums into the manifest."""
    members = manifest.members
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        closing(_files_to_archive(directory, temporary_folder, config_files)) as files_by_name,
    ):
        for name, source in files_by_name:
            with source, archive.open(name, "w") as target:
                members[name] = copy_and_hash_bytes(source, target, MAX_UNPACKED_ARCHIVE_BYTES)
            if why := why_archive_too_large({name: member.size for name, member in members.items()}):
                raise UserError(say("No backup was made: {why}.", why=why))
        archive.writestr(MANIFEST_MEMBER, msgspec.json.format(msgspec.json.encode(manifest)))


def _files_to_archive(
    directory: Path, temporary_folder: Path, config_files: Mapping[str, Path]
) -> Generator[tuple[str, BinaryIO], None, None]:
    """Yields every file with its name in the archive; the games are a copy of one moment."""
    with open_temporary_file(temporary_folder) as (path, copy):
        with (
            closing(open_read_only(StateFiles(directory).games)) as db,
            closing(sqlite3.connect(path)) as copy_db,
        ):
            copy_db.execute(
                "PRAGMA journal_mode = OFF"
            )  # no file beside the copy; an interrupted copy is of no use
            db.backup(copy_db)
        yield GAMES_MEMBER, copy
    for name in _user_file_names(directory):
        yield name, open_regular_file(directory / name, follow_links=False)
    for name, config_file in config_files.items():
        yield CONFIG_MEMBER_PREFIX + name, open_regular_file(config_file)


def _user_file_names(directory: Path) -> list[str]:
    """Returns the paths of the files that people wrote; our programs read no other files in their folders."""
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
"""The compression methods of our archives, and of archives that people packed again.

Other methods raise other errors.
"""
WIRING_MEMBER = f"{CONFIG_MEMBER_PREFIX}hardware.toml"
MAX_BYTES_PER_ZIP_READ = 2**20
"""The most bytes read at once from a zip file.

The zip's list of members is read at once and could fill the memory; for 500 files it needs 50,000 bytes.
"""


class RestoredState(msgspec.Struct, frozen=True):
    """The result of a restore: the games, the folder of the replaced files, and the configuration files."""

    games: list[SavedGame]
    replaced_files_folder: Path | None
    config_text_by_name: dict[str, str]


def restore_archive(directory: Path, file: Path) -> RestoredState:
    """Replaces the games and files of a directory by those of an archive.

    Raises `UserError` for a file that is no complete archive of ours, and `StoreUnavailable` while somebody
    plays there or if a disk refuses; then nothing has changed.
    """
    files = StateFiles(directory)
    with translate_disk_errors(directory), ExitStack() as opened:
        files.check_file_types()
        files.create_directories()
        opened.callback(release_lock, files.acquire_lock())
        finish_interrupted_restore(files)  # of an earlier restore
        shutil.rmtree(files.unfinished_restore, ignore_errors=True)
        opened.callback(shutil.rmtree, files.unfinished_restore, ignore_errors=True)
        create_folder(files.unfinished_restore)
        unpack_archive(file, files.unfinished_restore)
        _check_databases(files.unfinished_restore, file)
        config_texts = {
            path.name: path.read_text(encoding="utf-8")
            for path in files.unfinished_restore.glob(f"{CONFIG_MEMBER_PREFIX}*")
        }
        files.unfinished_restore.rename(files.pending_restore)
        sync_folder(directory)
        replaced_files_folder = finish_interrupted_restore(files)
        with closing(open_read_only(files.games)) as db:
            return RestoredState(list_games(db), replaced_files_folder, config_texts)


def unpack_archive(file: Path, folder: Path) -> ArchiveManifest:
    """Writes the members of an archive into a folder, readable only for the owner; raises `UserError`."""
    try:
        with (
            open_regular_file(file) as binary_file,
            zipfile.ZipFile(_BoundedArchiveReader(binary_file, file)) as archive,
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
    """A reader that returns at most `MAX_BYTES_PER_ZIP_READ` bytes of an archive at once."""

    def __init__(self, binary_file: IO[bytes], path: Path) -> None:
        super().__init__(io.FileIO(binary_file.fileno(), closefd=False))
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        """Returns the next bytes; raises `UserError` if there are more than `MAX_BYTES_PER_ZIP_READ`."""
        max_size = MAX_BYTES_PER_ZIP_READ + 1
        content = super().read(max_size if size is None or size < 0 else min(size, max_size))
        if len(content) > MAX_BYTES_PER_ZIP_READ:
            raise _unusable_archive(
                self._path, say("it contains more than {most} files", most=MAX_USER_FILES)
            )
        return content


def _read_manifest(archive: zipfile.ZipFile, file: Path) -> ArchiveManifest:
    """Returns the manifest; raises `UserError` if the archive is too large or differs from its manifest."""
    infos = archive.infolist()
    other_methods = {info.compress_type for info in infos} - ALLOWED_COMPRESSION_METHODS
    sizes = {info.filename: info.file_size for info in infos}
    # A read asks for as much memory as the stated compressed size, before it reads.
    is_size_wrong = sum(info.compress_size for info in infos) > file.stat().st_size
    if other_methods or len(sizes) < len(infos) or is_size_wrong:
        raise zipfile.BadZipFile
    if why := why_archive_too_large(sizes):
        raise _unusable_archive(file, why)
    try:
        with archive.open(MANIFEST_MEMBER) as member:  # `archive.read` would unpack it whole, up to 1 GB
            manifest = msgspec.json.decode(member.read(MAX_MANIFEST_BYTES), type=ArchiveManifest)
    except msgspec.MsgspecError as error:
        raise _unusable_archive(file, say("its list of contents is missing")) from error
    if manifest.format > ARCHIVE_FORMAT:
        raise _unusable_archive(
            file, say("it was made by a newer version, {version}", version=manifest.version)
        )
    fixed_names = {GAMES_MEMBER, LEGACY_DRAFTS_MEMBER, WIRING_MEMBER}
    for name in manifest.members:
        if name not in fixed_names and not USER_FILE_PATH_PATTERN.fullmatch(name):
            raise _unusable_archive(file, say("{name} is not a Companion file", name=name))
    if {*manifest.members, MANIFEST_MEMBER} != {*sizes} or GAMES_MEMBER not in manifest.members:
        raise _unusable_archive(file, say("its files don't match its list of contents"))
    return manifest


def _check_databases(folder: Path, file: Path) -> None:
    """Raises `UserError` unless both databases are readable, `StoreUnavailable` if they are newer."""
    files = StateFiles(folder)
    for path, migrations in ((files.games, GAMES_MIGRATIONS), (files.sealed_drafts, DRAFTS_MIGRATIONS)):
        if not _remove_foreign_objects(path, migrations):
            raise _unusable_archive(file, say("its games can't be read"))
    has_games = is_intact(files.games, GAMES_MIGRATIONS, are_games_readable) and _has_schema(files.games)
    if not has_games or not is_intact(files.sealed_drafts, DRAFTS_MIGRATIONS, are_drafts_readable):
        raise _unusable_archive(file, say("its games can't be read"))
    for path in (files.games, files.sealed_drafts):
        for suffix in ("-wal", "-shm"):
            sqlite_side_file(path, suffix).unlink(missing_ok=True)


def _remove_foreign_objects(path: Path, migrations: Sequence[str]) -> bool:
    """Drops all foreign objects of a database before it is read; returns whether that worked."""
    if not exists_and_is_not_empty(path):
        return True
    with ignore_damage(), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        return try_to_drop_foreign_schema_objects(db, migrations)
    return False


def _has_schema(path: Path) -> bool:
    """Returns whether a database has our tables; an intact database may be empty."""
    if not exists_and_is_not_empty(path):
        return False
    with closing(open_read_only(path)) as db:
        return schema_version(db) > 0


def _unusable_archive(file: Path, why: Say | str) -> UserError:
    return UserError(say("{file} can't be restored: {why}.", file=str(file), why=why))
