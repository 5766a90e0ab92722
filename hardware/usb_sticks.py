"""USB sticks, which desktops and our udev rule mount, and the backups that are written to them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from companion.distribution import DISTRIBUTION_NAME
from companion.errors import UserError
from companion.store import archive
from companion.texts import say
from hardware.wiring.files import WIRING_FILE, config_folders, find_config_file

DATE_FORMAT = "%Y-%m-%d %H:%M:%S"
MOUNT_PATTERNS = ("media/*", "media/*/*", "run/media/*/*", "mnt/*")


def find_writable_usb_sticks(root: Path = Path("/")) -> Sequence[Path]:
    """Returns the folder of each mounted USB stick that can be written."""
    paths = (path for pattern in MOUNT_PATTERNS for path in sorted(root.glob(pattern)))
    return [path for path in paths if path.is_mount() and os.access(path, os.W_OK)]


class BackupMetadata(NamedTuple):
    """What a backup contains besides games: the program's version, its own time, and files by name."""

    program_version: str
    created_at: str
    config_files: Mapping[str, Path]


def collect_backup_metadata() -> BackupMetadata:
    """Returns the metadata of a backup made now. The wiring is its only configuration file."""
    wiring_file = find_config_file(WIRING_FILE, config_folders(os.environ))
    return BackupMetadata(
        version(DISTRIBUTION_NAME),
        time.strftime(DATE_FORMAT),
        {WIRING_FILE: wiring_file} if wiring_file and wiring_file.is_file() else {},
    )


def back_up_games_to_first_stick(state_directory: Path, root: Path = Path("/")) -> Path:
    """Backs up all games into a new file on the first USB stick, and returns the file's path.

    Raises `UserError` if there is no stick.
    """
    sticks = find_writable_usb_sticks(root)
    if not sticks:
        raise UserError(say("No USB stick was found. Plug in a USB stick, wait a few seconds and try again."))
    metadata = collect_backup_metadata()
    file = sticks[0] / f"companion-{metadata.created_at.replace(' ', '-').replace(':', '')}.zip"
    archive.write_archive(state_directory, file, *metadata)
    return file
