"""What a seat's display shows of the device beside it: what is being entered, or one's own covered counts.

Four digits have no room for several counts. With each press of OWN one more is shown, as if it were being
entered: `22`, `2-14`, `3- 5`, and after the last one nothing. Any other key ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.kinds import Echoing
from hardware.signals import Given, Pressed


def asks_for_own(said: Given | None) -> bool:
    """Whether somebody pressed OWN."""
    return isinstance(said, Pressed) and said.key == "own"


class Echoes:
    """Whose own counts are being shown, and how many of them."""

    def __init__(self) -> None:
        self._own: dict[str, str] = {}

    def show_own(self, device: str, counts: Sequence[int]) -> None:
        """OWN was pressed there: one more of these is shown."""
        before = self._own.pop(device, "")
        many = len(before.split(".")) + 1 if before else 1
        if many <= len(counts):
            self._own[device] = ".".join(map(str, counts[:many]))

    def forget_own(self, device: str) -> None:
        """Another key was pressed there, or something else is asked."""
        self._own.pop(device, None)

    def shown(self, device: str, end: Echoing | None) -> str:
        """What stands on the display of the seat that has this device; None: it shows its entry itself."""
        return self._own.get(device) or (end.entry(device) if end else "")
