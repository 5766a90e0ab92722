"""Where games are kept, and for whose eyes; known before anything is opened there."""

from __future__ import annotations

import os
from pathlib import Path
from pwd import getpwuid

OWNER_ONLY_FOLDER_MODE = 0o700
OWNER_ONLY_FILE_MODE = 0o600
"""Nobody else may look into what lies there: a directory, a file."""


SERVICE_STATE_DIRECTORY = Path("/var/lib/companion")
"""Where the games of the service are, and the home of its user."""
SERVICE_USER = "companion"


def state_directory(given: Path | None) -> Path:
    """The directory that was given, else `$COMPANION_STATE`, else `companion` in the XDG state directory.

    The user of the service has no other games than the service.
    """
    if given is not None:
        return given
    if own := os.environ.get("COMPANION_STATE"):
        return Path(own)
    return SERVICE_STATE_DIRECTORY if _is_service_user() else xdg_state_home() / "companion"


def other_state_directory(given: Path | None) -> Path | None:
    """Where the service has its games, if nobody said which are meant and this user has others."""
    if given is not None or os.environ.get("COMPANION_STATE") or _is_service_user():
        return None
    return SERVICE_STATE_DIRECTORY if SERVICE_STATE_DIRECTORY.is_dir() else None


def _is_service_user() -> bool:
    """Whether this is the user of the service, who can have come by `sudo -u companion`."""
    try:
        return Path(getpwuid(os.geteuid()).pw_dir) == SERVICE_STATE_DIRECTORY
    except KeyError:
        return False  # a number without a name


def xdg_state_home() -> Path:
    """The XDG state directory."""
    shared = Path(os.environ.get("XDG_STATE_HOME", ""))
    return shared if shared.is_absolute() else Path.home() / ".local" / "state"
