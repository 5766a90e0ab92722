"""Configures Kivy, before it is first imported.

    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(state / "kivy", WindowSettings(800, 480))
    from ui.app import CompanionApp

Kivy's messages go to Python's logging like all others. The module opens no window and reads no configuration
file, so that an old file can't prevent a start.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import msgspec

from companion.files.regular_files import create_folder

TouchSource = Literal["mouse", "panel", "none"]
ScreenRotation = Literal[0, 90, 180, 270]

# Exactly one provider: two of them give two releases for one tap.
_INPUT_PROVIDER_BY_TOUCH = {
    "mouse": ("mouse", "mouse,disable_multitouch"),
    "panel": ("%(name)s", "probesysfs,provider=mtdev"),
}


class WindowSettings(msgspec.Struct, frozen=True):
    """Settings of the window: its size in pixels, its rotation, whether it is full-screen, and its input.

    The input is the mouse, a touch panel or nothing (tests).
    """

    width: int = 800
    height: int = 480
    touch: TouchSource = "mouse"
    fullscreen: bool = False
    rotation: ScreenRotation = 0


def find_panel_graphics_card_number(drm_directory: Path = Path("/sys/class/drm")) -> str | None:
    """Returns the number of the graphics card that has a panel; None if no panel is connected.

    A Pi 5 has several cards, and SDL takes the first.
    """
    statuses = sorted(drm_directory.glob("card*-*/status"))
    connected = [status for status in statuses if status.read_text().strip() == "connected"]
    return connected[0].parent.name.removeprefix("card").partition("-")[0] if connected else None


def configure_kivy(kivy_home: Path, settings: WindowSettings) -> None:
    """Configures Kivy for a window with these settings.

    Kivy's files are in the directory `kivy_home`, which is made if it is missing. Raises RuntimeError if Kivy
    was imported before, because then the settings would have no effect.
    """
    if "kivy" in sys.modules:
        raise RuntimeError("Kivy is already loaded; configure_kivy() comes before the first kivy import")
    create_folder(kivy_home)
    os.environ.update(
        KIVY_HOME=str(kivy_home),
        KIVY_NO_ARGS="1",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",
        KIVY_WINDOW="sdl2",
        KIVY_AUDIO="sdl2",
    )
    if (
        os.environ.get("SDL_VIDEODRIVER") == "kmsdrm"
        and (card := find_panel_graphics_card_number()) is not None
    ):
        os.environ.setdefault("SDL_KMSDRM_DEVICE_INDEX", card)
    _set_kivy_options(settings)


def _set_kivy_options(settings: WindowSettings) -> None:
    from kivy.config import Config

    Config.set("kivy", "log_level", "warning")
    Config.set("kivy", "exit_on_escape", "0")
    graphics: dict[str, object] = {
        "width": settings.width,
        "height": settings.height,
        "rotation": settings.rotation,
        "fullscreen": "auto" if settings.fullscreen else "0",
        # Shapes have smooth edges of their own; four samples of each pixel took half of every frame.
        "multisamples": 0,
        "vsync": 1,
        "show_cursor": int(settings.touch == "mouse"),
    }
    for name, value in graphics.items():
        Config.set("graphics", name, str(value))
    for name, _ in Config.items("input", raw=True):
        Config.remove_option("input", name)
    if settings.touch != "none":
        Config.set("input", *_INPUT_PROVIDER_BY_TOUCH[settings.touch])
