"""Counts crashes of the program since the machine was switched on; after several, the app offers safe mode.

    starts = CrashCounter(state)
    before = starts.count_start()
    if before.was_interrupted: …continue the game…
    if before.crashes_in_a_row >= MAX_CRASHES_IN_A_ROW: …offer safe mode…
    …the program runs…
    starts.record_clean_exit()

A power cut interrupts a game, but is no fault of the program: the count begins again.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.files import bounded_json
from companion.files.regular_files import read_regular_file, replace_file

STARTS_FILE = "starts.json"
MAX_STARTS_FILE_BYTES = 1_000
"""Maximum size of a file that is read; the file has some 60 bytes."""
MAX_CRASHES_IN_A_ROW = 3
"""Number of crashes in a row after which the app offers safe mode."""
STABLE_AFTER_SECONDS = 3600.0
"""Seconds after which a run counts as stable, because a later crash has nothing to do with the start."""
SYSTEM_BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")
"""The system's file with an id that changes with each start of the machine."""


class PreviousStarts(msgspec.Struct, frozen=True):
    """How the starts before this one ended: whether the last was interrupted, and how many in a row crashed.

    Only crashes since the machine started are counted.
    """

    was_interrupted: bool = False
    crashes_in_a_row: int = 0


class _StoredCount(msgspec.Struct, frozen=True):
    """The stored count: starts in a row without a clean exit since the machine was started."""

    boot: str
    starts: int


_DECODER = msgspec.json.Decoder(_StoredCount)


def read_boot_id(file: Path = SYSTEM_BOOT_ID_FILE) -> str:
    """Returns the id of this start of the machine; an empty text if it is unknown."""
    try:
        return file.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class CrashCounter:
    """Counts crashes in a file in the state directory; without a writable disk nothing is counted."""

    def __init__(self, directory: Path, boot: Path = SYSTEM_BOOT_ID_FILE) -> None:
        self._path = directory / STARTS_FILE
        self._boot_id_file = boot

    def count_start(self) -> PreviousStarts:
        """Counts this start, and returns how the starts before it ended."""
        previous, boot_id = PreviousStarts(), read_boot_id(self._boot_id_file)
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            stored = bounded_json.decode_stored_json(
                _DECODER, read_regular_file(self._path, MAX_STARTS_FILE_BYTES, follow_links=False)
            )
            previous = PreviousStarts(
                was_interrupted=True, crashes_in_a_row=stored.starts if stored.boot == boot_id else 0
            )
        self._save_count(_StoredCount(boot_id, previous.crashes_in_a_row + 1))
        return previous

    def reset_crash_count(self) -> None:
        """Sets the count to zero; to be called when the program has run for `STABLE_AFTER_SECONDS`."""
        self._save_count(_StoredCount(read_boot_id(self._boot_id_file), 0))

    def record_clean_exit(self) -> None:
        """Records that the program exits cleanly, by deleting the count."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _save_count(self, count: _StoredCount) -> None:
        with suppress(OSError):
            replace_file(self._path, msgspec.json.encode(count))
