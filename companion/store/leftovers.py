"""What should lie in a state directory no longer: deleted by the next start of whoever plays there."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.files.regular_files import remove_unfinished_files
from companion.files.state_directory import OWNER_ONLY_FILE_MODE
from companion.store.places import StateFiles
from companion.store.replacing import USER_FOLDERS

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
