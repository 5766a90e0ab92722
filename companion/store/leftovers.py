"""What should lie in a state directory no longer: deleted by the next start of whoever plays there."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.files.atomic import remove_leftovers
from companion.files.places import OWNER_ONLY_FILE
from companion.store.places import Places
from companion.store.replacing import WRITTEN

FOLDERS = ("", "sealed", "backups", "exports", "reports", *WRITTEN)
OTHERS = 0o077


def clean(places: Places) -> None:
    """Deletes files that were cut off and envelopes that are no longer needed; keeps files to their owner.

    Version 0.2 left envelopes in copies that were cut off, in damaged files, and in `before-restore-1`.
    The caller holds the lock. What can't be deleted stays.
    """
    shutil.rmtree(places.restoring, ignore_errors=True)
    for folder in _with_envelopes(places):
        shutil.rmtree(folder, ignore_errors=True)
    for damaged in places.sealed.parent.glob("drafts.damaged-*"):
        with suppress(OSError):
            damaged.unlink()
    for name in FOLDERS:
        remove_leftovers(places.directory / name)
        _keep_to_owner(places.directory / name)


def _with_envelopes(places: Places) -> Iterator[Path]:
    yield from places.directory.glob(".backup-*")
    yield from places.directory.glob("before-restore-*/sealed")


def _keep_to_owner(folder: Path) -> None:
    """Before version 0.3 only games were."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False) and stat.S_IMODE(entry.stat().st_mode) & OTHERS:
                with suppress(OSError):
                    Path(entry).chmod(OWNER_ONLY_FILE)
