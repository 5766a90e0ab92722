"""Where games are kept; known before anything is opened there."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory(given: Path | None) -> Path:
    """The directory that was given, else `$COMPANION_STATE`, else `companion` in the XDG state directory."""
    if given is not None:
        return given
    if own := os.environ.get("COMPANION_STATE"):
        return Path(own)
    return states() / "companion"


def states() -> Path:
    """The XDG state directory."""
    shared = Path(os.environ.get("XDG_STATE_HOME", ""))
    return shared if shared.is_absolute() else Path.home() / ".local" / "state"
