"""Where games are kept, and for whose eyes; known before anything is opened there."""

from __future__ import annotations

import os
from pathlib import Path

OWNER_ONLY = 0o700
OWNER_ONLY_FILE = 0o600
"""Nobody else may look into what lies there: a directory, a file."""


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
