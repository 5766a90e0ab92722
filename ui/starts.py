"""How often the program ended without being told to, since the machine was switched on.

    starts = Starts(state)
    if starts.begun() >= TOO_OFTEN: …offer safe mode…
    …the program runs…
    starts.ended()

A pulled plug is no such end: it begins another count.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.store.places import OWNER_ONLY_FILE

FILE = "starts.json"
TOO_OFTEN = 3
"""After so many such ends in a row safe mode is offered."""
BLAMELESS = 3600.0
"""Seconds after which an end has nothing to do with the start."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
"""What changes with each start of the machine."""


class _Counted(msgspec.Struct, frozen=True):
    """So many starts of which none was seen to end, all since that start of the machine."""

    boot: str
    starts: int


class Starts:
    """The count in the state directory; where it can't be kept nothing is counted."""

    def __init__(self, directory: Path, boot: Path = BOOT) -> None:
        self._path = directory / FILE
        self._boot = boot

    def begun(self) -> int:
        """Counts this start; gives how many before it, in a row, didn't end as they should."""
        boot, before = "", 0
        with suppress(OSError):
            boot = self._boot.read_text(encoding="ascii").strip()
        with suppress(OSError, msgspec.MsgspecError):
            found = msgspec.json.decode(self._path.read_bytes(), type=_Counted)
            before = found.starts if found.boot == boot else 0
        with suppress(OSError):
            self._keep(_Counted(boot, before + 1))
        return before

    def ended(self) -> None:
        """It ended as it should, or went on so long that an end has nothing to do with its start."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _keep(self, counted: _Counted) -> None:
        new = self._path.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY_FILE), "wb") as file:
            file.write(msgspec.json.encode(counted))
        new.replace(self._path)
