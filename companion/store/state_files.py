"""Where the files lie, and the lock that lets one player in."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.errors import StoreUnavailable
from companion.files.regular_files import create_folder, remove_unfinished_files, replace_file, sync_folder
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE, xdg_state_home
from companion.texts import Say, say

OTHERS_PERMISSIONS = 0o077
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
"""What SQLite calls its own files beside a database; it would wait for a pipe of that name."""


def unused_state_directory() -> Path | None:
    """A directory of the user's own that isn't there yet, for a game whose place is lost; None: no such."""
    home = xdg_state_home()
    there = next(path for path in (home, *home.parents) if path.exists())
    if not os.access(there, os.W_OK):
        return None
    names = (home / f"companion-{number}" for number in count(2))
    return next(path for path in names if not path.exists())


def is_in_use(directory: Path) -> bool:
    """Whether somebody plays with the games kept there now; nothing is made to find out."""
    try:
        lock = os.open(StateFiles(directory).lock, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


class StateFiles:
    """The paths of all files in one state directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.games = directory / "companion.sqlite3"
        self.backup = directory / "backup.sqlite3"
        self.rescued = directory / "rescued.sqlite3"
        self.restoring = directory / "restored.part"
        self.restored = directory / "restored"
        self.sealed = directory / "sealed" / "drafts.sqlite3"
        self.lock = directory / "lock"

    def check(self) -> None:
        """Raises `StoreUnavailable` where a file lies in a directory's place, or a directory in a file's."""
        for path in (*reversed(self.directory.parents), self.directory, self.sealed.parent):
            if path.exists() and not path.is_dir():
                raise _wrong_file_type(say("{path} is a file, but must be a directory.", path=str(path)))
        databases = (self.games, self.backup, self.rescued, self.sealed)
        beside = (path.with_name(path.name + suffix) for path in databases for suffix in SQLITE_SUFFIXES)
        for path in (self.lock, *databases, *beside):
            if path.is_dir():
                raise _wrong_file_type(say("{path} is a directory, but must be a file.", path=str(path)))
            if path.exists() and not path.is_file():
                raise _wrong_file_type(say("{path} must be a regular file.", path=str(path)))

    def check_owner(self) -> None:
        """Raises `StoreUnavailable` for root in another's directory, who couldn't read its files then."""
        if os.geteuid() != 0 or not self.directory.exists() or not (owner := self.directory.stat().st_uid):
            return
        with suppress(KeyError):
            name = pwd.getpwuid(owner).pw_name
            text = (
                "{directory} belongs to the user {user}. Run the command as that user: sudo -u {user} "
                "companion …"
            )
            raise StoreUnavailable(say(text, directory=str(self.directory), user=name))

    def prepare(self) -> None:
        """Makes the directories, so that they are there after a power cut too."""
        self.check_owner()
        missing = [path for path in (self.sealed.parent, *self.sealed.parent.parents) if not path.exists()]
        create_folder(self.sealed.parent)
        for path in missing:
            sync_folder(path.parent)
        self.sealed.parent.chmod(OWNER_ONLY_FOLDER_MODE)

    @property
    def are_owners_alone(self) -> bool:
        """Whether nobody else can open what is sealed; FAT, for one, gives files no owners."""
        return not self.sealed.parent.stat().st_mode & OTHERS_PERMISSIONS

    def take_lock(self) -> int:
        """Locks the directory until the descriptor is closed; `StoreUnavailable` while another holds it."""
        lock = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, OWNER_ONLY_FILE_MODE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            raise StoreUnavailable(
                say(
                    "Another Companion is already using the saved games in {directory}. Close it first, or "
                    "choose another directory with --state.",
                    directory=str(self.directory),
                )
            ) from error
        return lock


def release_lock(lock: int) -> None:
    """Ends a lock that `take_lock` returned.

    Closing alone would keep it while a copy of the descriptor is open: a program that another thread is just
    starting, such as one of the doctor's, has all descriptors until it has begun.
    """
    fcntl.flock(lock, fcntl.LOCK_UN)
    os.close(lock)


def _wrong_file_type(what: Say) -> StoreUnavailable:
    return StoreUnavailable(
        say("{what} Move it to another place, or choose another directory with --state.", what=what)
    )


# One set of files in another's place: all of it or nothing, also when the plug is pulled in between.
#
# What is to come lies in `restored.part`; renamed to `restored` it counts. From then on what was there goes
# to
# `before-restore-1` (2, 3, …), and what is new comes; where that was cut off, the next start ends it.


USER_FOLDERS = ("cards", "templates")
"""The folders of what people write themselves, as TOML."""


def finish_restore(places: StateFiles) -> Path | None:
    """Ends a restore that counts, as often as it is begun; returns where the files of before are.

    First all old ones go, then all new ones come: a mark between the two says which of them are meant.
    Envelopes that were closed there are destroyed.
    """
    if not places.restored.exists():
        return None
    aside, gone = _replaced_directory(places), places.restored / "gone"
    names = (places.games.name, places.backup.name, *USER_FOLDERS)
    if not gone.exists():
        if places.sealed.parent.exists():
            shutil.rmtree(places.sealed.parent)
        create_folder(places.sealed.parent)
        for name in (f"{name}{suffix}" for name in names for suffix in ("", "-wal", "-shm")):
            old = places.directory / name
            if old.exists() and not (aside / name).exists():  # an empty folder is made again by each start
                old.rename(aside / name)
        sync_folder(aside)
        replace_file(gone, b"")
    for name in (*names, places.sealed.parent.name):
        if (places.restored / name).exists():
            (places.restored / name).rename(places.directory / name)
    sync_folder(places.directory)
    places.restored.rename(places.restoring)
    sync_folder(places.directory)
    shutil.rmtree(places.restoring)
    return aside


def next_replaced_directory(directory: Path) -> Path:
    """Where the next restore moves what is in a state directory now."""
    numbers = (directory / f"before-restore-{number}" for number in count(1))
    return next(path for path in numbers if not path.exists())


def _replaced_directory(places: StateFiles) -> Path:
    mark = places.restored / "aside"
    if not mark.exists():
        replace_file(mark, next_replaced_directory(places.directory).name.encode())
    aside = places.directory / mark.read_text(encoding="ascii")
    create_folder(aside)
    return aside


# What should lie in a state directory no longer: deleted by the next start of whoever plays there.


CLEANED_FOLDERS = ("", "sealed", "backups", "exports", "reports", *USER_FOLDERS)
_OTHERS_PERMISSIONS = 0o077


def remove_obsolete_files(places: StateFiles) -> None:
    """Deletes files that were cut off and envelopes that are no longer needed; keeps files to their owner.

    Version 0.2 left envelopes in copies that were cut off, in damaged files, and in `before-restore-1`.
    The caller holds the lock. What can't be deleted stays.
    """
    shutil.rmtree(places.restoring, ignore_errors=True)
    for folder in _folders_with_envelopes(places):
        shutil.rmtree(folder, ignore_errors=True)
    for damaged in places.sealed.parent.glob("drafts.damaged-*"):
        with suppress(OSError):
            damaged.unlink()
    for name in CLEANED_FOLDERS:
        remove_unfinished_files(places.directory / name)
        _restrict_to_owner(places.directory / name)


def _folders_with_envelopes(places: StateFiles) -> Iterator[Path]:
    yield from places.directory.glob(".backup-*")
    yield from places.directory.glob("before-restore-*/sealed")


def _restrict_to_owner(folder: Path) -> None:
    """Before version 0.3 only games were."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                entry.is_file(follow_symlinks=False)
                and stat.S_IMODE(entry.stat().st_mode) & _OTHERS_PERMISSIONS
            ):
                with suppress(OSError):
                    Path(entry).chmod(OWNER_ONLY_FILE_MODE)
