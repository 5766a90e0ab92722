"""How often the program ended without being told to, since the machine was switched on.

    before = Starts(state).begun()
    if before.torn: …lay the game on the table again…
    if before.in_a_row >= TOO_OFTEN: …offer safe mode…
    …the program runs…
    starts.ended()

A pulled plug tears a game away, but is no fault of the program: it begins another count.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.files import bounded_json
from companion.files.regular_files import read_regular_file, replace_file

FILE = "starts.json"
MOST = 1_000
"""Bytes of the file; it has some 60."""
TOO_OFTEN = 3
"""After so many such ends in a row safe mode is offered."""
BLAMELESS = 3600.0
"""Seconds after which an end has nothing to do with the start."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
"""What changes with each start of the machine."""


class Before(msgspec.Struct, frozen=True):
    """Whether the last start ended unasked, and how many did in a row since the machine was switched on."""

    torn: bool = False
    in_a_row: int = 0


class _Counted(msgspec.Struct, frozen=True):
    """Number of starts in a row that never ended properly since the machine was started."""

    boot: str
    starts: int


_DECODER = msgspec.json.Decoder(_Counted)


class Starts:
    """The count in the state directory; where it can't be kept nothing is counted."""

    def __init__(self, directory: Path, boot: Path = BOOT) -> None:
        self._path = directory / FILE
        self._boot = boot

    def begun(self) -> Before:
        """Counts this start."""
        before, boot = Before(), self._machine()
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            found = bounded_json.decode_stored(
                _DECODER, read_regular_file(self._path, MOST, follow_links=False)
            )
            before = Before(torn=True, in_a_row=found.starts if found.boot == boot else 0)
        self._keep(_Counted(boot, before.in_a_row + 1))
        return before

    def forgive(self) -> None:
        """It has gone on so long that an end has nothing to do with its start."""
        self._keep(_Counted(self._machine(), 0))

    def ended(self) -> None:
        """It ended as it should."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _machine(self) -> str:
        """Which start of the machine this is."""
        try:
            return self._boot.read_text(encoding="ascii").strip()
        except OSError:
            return ""

    def _keep(self, counted: _Counted) -> None:
        with suppress(OSError):
            replace_file(self._path, msgspec.json.encode(counted))
