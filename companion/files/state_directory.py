"""Where the saved games are, and who may read them. The module opens no file."""

from __future__ import annotations

import os
from pathlib import Path
from pwd import getpwuid

OWNER_ONLY_FOLDER_MODE = 0o700
OWNER_ONLY_FILE_MODE = 0o600
"""The permissions of a folder and of a file that only their owner may read."""
SERVICE_STATE_DIRECTORY = Path("/var/lib/companion")
"""The directory of the service's saved games, and the home directory of its user."""
SERVICE_USER = "companion"


def state_directory(chosen_directory: Path | None) -> Path:
    """Returns the state directory, where the saved games are.

    It is the chosen directory, else `$COMPANION_STATE`, else that of the service for the service's user, else
    `companion` in the XDG state directory.
    """
    if chosen_directory is not None:
        return chosen_directory
    if own := os.environ.get("COMPANION_STATE"):
        return Path(own)
    return SERVICE_STATE_DIRECTORY if _is_service_user() else xdg_state_home() / "companion"


def service_directory_if_none_chosen(chosen_directory: Path | None) -> Path | None:
    """Returns the directory of the service's saved games if the user has another one, else None.

    The result is also None if people have chosen a directory.
    """
    if chosen_directory is not None or os.environ.get("COMPANION_STATE") or _is_service_user():
        return None
    return SERVICE_STATE_DIRECTORY if SERVICE_STATE_DIRECTORY.is_dir() else None


def _is_service_user() -> bool:
    """Returns whether this is the user of the service, perhaps by `sudo -u companion`."""
    try:
        return Path(getpwuid(os.geteuid()).pw_dir) == SERVICE_STATE_DIRECTORY
    except KeyError:
        return False  # the user's number has no name


def xdg_state_home() -> Path:
    """Returns the XDG state directory."""
    directory = Path(os.environ.get("XDG_STATE_HOME", ""))
    return directory if directory.is_absolute() else Path.home() / ".local" / "state"
