"""Home is drawn before anything that home doesn't show is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.program import TIMEOUT_SECONDS
from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME

ROOT = Path(__file__).parents[2]
LATER = (
    "companion.cards",
    "companion.games",
    "companion.log",
    "companion.requests",
    "companion.rules",
    "companion.session",
    "companion.store",
    "hardware",
    "sqlite3",
    "ui.questions",
)
"""Packages of games, of saved games and of devices."""
NEEDED = {
    "companion.rules",
    "companion.rules.preset_pictures",
    "hardware",
    "hardware.backlight",
    "hardware.signals",
    "hardware.system_clock",
}
"""What home itself needs of them: pictures of templates, the display's brightness, the clock."""


def start(folder: Path) -> str:
    """What one start prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.ui.first_frame", str(folder)],
        cwd=ROOT,
        env={**os.environ, "SDL_VIDEODRIVER": "offscreen"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
    )
    return done.stdout


def test_the_first_frame_loads_nothing_of_games_saved_games_and_devices(tmp_path: Path) -> None:
    """They are loaded once home can be seen."""
    assert start(tmp_path) == ""
    assert (tmp_path / "state" / SNAPSHOT_FILE_NAME).exists()
    loaded = start(tmp_path).split()
    assert "ui.screens.home" in loaded
    later = tuple(f"{package}." for package in LATER)
    assert {name for name in loaded if f"{name}.".startswith(later)} <= NEEDED
