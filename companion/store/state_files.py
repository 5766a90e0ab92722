"""The files in a state directory: their paths, the lock, an interrupted restore and obsolete files.

A restore replaces one set of files by another: all of it or nothing, also when the power fails in between.
The new files are in `restored.part`; once that is renamed to `restored`, the restore counts. Then the old
files are moved to `before-restore-1` (2, 3, …) and the new files to their places. If that is interrupted, the
next start completes it.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.errors import StoreUnavailable
from companion.files.regular_files import create_folder, remove_unfinished_files, replace_file, sync_folder
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, OWNER_ONLY_FOLDER_MODE, xdg_state_home
from companion.texts import Say, say

OTHERS_PERMISSIONS = 0o077
"""The permission bits of everybody but the owner."""
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's own files beside a database; SQLite would wait for a pipe with such a name."""


def find_path_for_new_state_directory() -> Path | None:
    """Returns the path of a new state directory, which doesn't exist yet; None if none can be made."""
    home = xdg_state_home()
    existing_folder = next(path for path in (home, *home.parents) if path.exists())
    if not os.access(existing_folder, os.W_OK):
        return None
    paths = (home / f"companion-{number}" for number in count(2))
    return next(path for path in paths if not path.exists())


def is_state_directory_in_use(directory: Path) -> bool:
    """Returns whether a program has locked the games in a directory. Nothing is created to find out."""
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
        self.rescued_games = directory / "rescued.sqlite3"
        self.unfinished_restore = directory / "restored.part"
        self.pending_restore = directory / "restored"
        self.sealed_drafts = directory / "sealed" / "drafts.sqlite3"
        self.lock = directory / "lock"

    def check_file_types(self) -> None:
        """Raises `StoreUnavailable` if a path is a file instead of a directory, or the other way round."""
        for path in (*reversed(self.directory.parents), self.directory, self.sealed_drafts.parent):
            if path.exists() and not path.is_dir():
                raise _wrong_file_type(say("{path} is a file, but must be a directory.", path=str(path)))
        databases = (self.games, self.backup, self.rescued_games, self.sealed_drafts)
        side_files = (path.with_name(path.name + suffix) for path in databases for suffix in SQLITE_SUFFIXES)
        for path in (self.lock, *databases, *side_files):
            if path.is_dir():
                raise _wrong_file_type(say("{path} is a directory, but must be a file.", path=str(path)))
            if path.exists() and not path.is_file():
                raise _wrong_file_type(say("{path} must be a regular file.", path=str(path)))

    def refuse_root_in_directory_of_other_user(self) -> None:
        """Raises `StoreUnavailable` for root in the directory of a user, who couldn't read root's files."""
        if os.geteuid() != 0 or not self.directory.exists() or not (owner := self.directory.stat().st_uid):
            return
        with suppress(KeyError):
            name = pwd.getpwuid(owner).pw_name
            text = (
                "{directory} belongs to the user {user}. Run the command as that user: sudo -u {user} "
                "companion …"
            )
            raise StoreUnavailable(say(text, directory=str(self.directory), user=name))

    def create_directories(self) -> None:
        """Creates the directories, so that they still exist after a power cut."""
        self.refuse_root_in_directory_of_other_user()
        missing = [
            path
            for path in (self.sealed_drafts.parent, *self.sealed_drafts.parent.parents)
            if not path.exists()
        ]
        create_folder(self.sealed_drafts.parent)
        for path in missing:
            sync_folder(path.parent)
        self.sealed_drafts.parent.chmod(OWNER_ONLY_FOLDER_MODE)

    @property
    def is_private(self) -> bool:
        """True if nobody else can open the sealed answers; FAT, for example, gives files no owners."""
        return not self.sealed_drafts.parent.stat().st_mode & OTHERS_PERMISSIONS

    def acquire_lock(self) -> int:
        """Locks the directory and returns the descriptor, for `release_lock`.

        Raises `StoreUnavailable` while another program holds the lock.
        """
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
    """Releases a lock that `acquire_lock` returned.

    Closing the descriptor would not be enough while another program has a copy of it: a program that another
    thread is just starting, such as one of the doctor's, has all descriptors until it has begun.
    """
    fcntl.flock(lock, fcntl.LOCK_UN)
    os.close(lock)


def _wrong_file_type(what: Say) -> StoreUnavailable:
    return StoreUnavailable(
        say("{what} Move it to another place, or choose another directory with --state.", what=what)
    )


# Completing a restore


USER_FOLDERS = ("cards", "templates")
"""The folders of the TOML files that people write themselves."""


def finish_interrupted_restore(files: StateFiles) -> Path | None:
    """Finishes a restore whose new files are complete; returns the folder of the old files, or None.

    Finishing can be interrupted and repeated. First all old files are moved away, then all new files are
    moved in. The file `gone` says that the first step is done. The old envelopes are destroyed.
    """
    if not files.pending_restore.exists():
        return None
    old_files_folder, gone = _create_folder_for_replaced_files(files), files.pending_restore / "gone"
    names = (files.games.name, files.backup.name, *USER_FOLDERS)
    if not gone.exists():
        if files.sealed_drafts.parent.exists():
            shutil.rmtree(files.sealed_drafts.parent)
        create_folder(files.sealed_drafts.parent)
        for name in (f"{name}{suffix}" for name in names for suffix in ("", "-wal", "-shm")):
            old_file = files.directory / name
            # Each start makes empty folders again, so the name may be there a second time.
            if old_file.exists() and not (old_files_folder / name).exists():
                old_file.rename(old_files_folder / name)
        sync_folder(old_files_folder)
        replace_file(gone, b"")
    for name in (*names, files.sealed_drafts.parent.name):
        if (files.pending_restore / name).exists():
            (files.pending_restore / name).rename(files.directory / name)
    sync_folder(files.directory)
    files.pending_restore.rename(files.unfinished_restore)
    sync_folder(files.directory)
    shutil.rmtree(files.unfinished_restore)
    return old_files_folder


def next_folder_for_replaced_files(directory: Path) -> Path:
    """Returns the folder to which the next restore moves the current files of a state directory."""
    paths = (directory / f"before-restore-{number}" for number in count(1))
    return next(path for path in paths if not path.exists())


def _create_folder_for_replaced_files(files: StateFiles) -> Path:
    """Creates and returns the folder for the old files; each call for the same restore returns it."""
    name_file = files.pending_restore / "aside"
    if not name_file.exists():
        replace_file(name_file, next_folder_for_replaced_files(files.directory).name.encode())
    folder = files.directory / name_file.read_text(encoding="ascii")
    create_folder(folder)
    return folder


# Obsolete files


FOLDERS_TO_CLEAN = ("", "sealed", "backups", "exports", "reports", *USER_FOLDERS)


def remove_obsolete_files(files: StateFiles) -> None:
    """Deletes unfinished files and obsolete envelopes, and makes all files private to their owner.

    Version 0.2 left envelopes in unfinished copies, in damaged files, and in `before-restore-1`.
    The caller holds the lock. A file that can't be deleted stays.
    """
    shutil.rmtree(files.unfinished_restore, ignore_errors=True)
    for pattern in (".backup-*", "before-restore-*/sealed"):
        for folder in files.directory.glob(pattern):
            shutil.rmtree(folder, ignore_errors=True)
    for damaged_file in files.sealed_drafts.parent.glob("drafts.damaged-*"):
        with suppress(OSError):
            damaged_file.unlink()
    for name in FOLDERS_TO_CLEAN:
        remove_unfinished_files(files.directory / name)
        _restrict_to_owner(files.directory / name)


def _restrict_to_owner(folder: Path) -> None:
    """Makes the files of a folder private; before version 0.3 only the games were private."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                entry.is_file(follow_symlinks=False)
                and stat.S_IMODE(entry.stat().st_mode) & OTHERS_PERMISSIONS
            ):
                with suppress(OSError):
                    Path(entry).chmod(OWNER_ONLY_FILE_MODE)
