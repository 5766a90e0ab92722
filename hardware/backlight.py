"""The backlight of a panel: `find_backlight()` returns the first one that this program may dim.

    backlight = find_backlight()
    if backlight is not None:
        backlight.set_brightness(0.5)

The kernel has a folder for each backlight, with the files `brightness` and `max_brightness`.
systemd/60-companion.rules lets the Companion's user write the first one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

BACKLIGHTS_FOLDER = Path("/sys/class/backlight")
"""The folder in which the kernel has a folder for each backlight."""


class Backlight(msgspec.Struct, frozen=True):
    """The backlight of a panel: its folder, and its greatest brightness in the panel's own steps."""

    folder: Path
    max_brightness: int

    def set_brightness(self, fraction: float) -> None:
        """Sets the brightness as a fraction of the greatest one, and at least the lowest step above 0.

        So nobody sees a dark panel after a crash. Raises `OSError` if the panel can't be dimmed.
        """
        steps = max(1, round(self.max_brightness * fraction))
        (self.folder / "brightness").write_text(str(steps), encoding="ascii")


def find_backlight(folder: Path = BACKLIGHTS_FOLDER) -> Backlight | None:
    """Returns the first backlight that this program may dim; None if there is none."""
    for brightness_file in sorted(folder.glob("*/brightness")):
        with suppress(OSError, ValueError):
            max_brightness = int((brightness_file.parent / "max_brightness").read_text(encoding="ascii"))
            if max_brightness > 0 and os.access(brightness_file, os.W_OK):
                return Backlight(brightness_file.parent, max_brightness)
    return None
