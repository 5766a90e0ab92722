"""Copies of all games, and the sticks they go to: file systems that desktops and our udev rule mount."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from companion.distribution import DISTRIBUTION_NAME
from companion.errors import UserError
from companion.store import archive
from companion.texts import say
from hardware.wiring.files import FILE, config_folders, find_config

NOW = "%Y-%m-%d %H:%M:%S"
PLACES = ("media/*", "media/*/*", "run/media/*/*", "mnt/*")


def sticks(root: Path = Path("/")) -> Sequence[Path]:
    """Each by where it is mounted."""
    found = (path for place in PLACES for path in sorted(root.glob(place)))
    return [path for path in found if path.is_mount() and os.access(path, os.W_OK)]


def of_now() -> tuple[str, str, Mapping[str, Path]]:
    """Which version makes a copy, when, and the wiring, which goes along."""
    found = find_config(FILE, config_folders(os.environ))
    return version(DISTRIBUTION_NAME), time.strftime(NOW), {FILE: found} if found and found.is_file() else {}


def back_up(state: Path, root: Path = Path("/")) -> Path:
    """Puts all games into a new file on the first stick; raises `UserError` where there is none."""
    found = sticks(root)
    if not found:
        raise UserError(say("No USB stick was found. Plug in a USB stick, wait a few seconds and try again."))
    maker, at, beside = of_now()
    file = found[0] / f"companion-{at.replace(' ', '-').replace(':', '')}.zip"
    archive.write_archive(state, file, maker, at, beside)
    return file
