"""One set of files in another's place: all of it or nothing, also when the plug is pulled in between.

What is to come lies in `restored.part`; renamed to `restored` it counts. From then on what was there goes to
`before-restore-1` (2, 3, …), and what is new comes; where that was cut off, the next start ends it.
"""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

from companion.files.regular_files import create_folder, replace_file, sync_folder
from companion.store.places import StateFiles

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
