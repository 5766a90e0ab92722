"""Settings of the screen itself on the real window: each does what it says, at once and after a restart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.settings import find_setting
from hardware.backlight import find_backlight
from tests.support.hardware.sysfs_backlight import add_backlight
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.setting_slips import choose, turn_to_slip


@pytest.fixture
def start(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """A function that starts the app on the same games again and again; `light` is that of its screen."""

    async def begin(size: tuple[int, int] = (800, 480), light: Any = None, **kwargs: Any) -> Any:
        app = make_test_app(tmp_path / "state", **kwargs)
        app.light = light or app.light
        table = await open_app(app, size)
        await table.wait_until(lambda: hasattr(app, "table_flow"))
        return table

    return begin


async def test_reduced_motion_stops_every_animation_at_once(start: Callable[..., Any]) -> None:
    """After a restart it still does, until somebody turns it off."""
    from ui import theme

    table = await start()
    assert theme.animation_seconds(theme.TURN_SECONDS) > 0
    await table.tap("settings")
    await turn_to_slip(table, "Reduced motion")
    await choose(table, "reduced_motion", "on")
    assert theme.animation_seconds(theme.TURN_SECONDS) == 0
    table.app.close_evening()
    theme.reduced_motion = False
    table = await start()
    assert theme.animation_seconds(theme.TURN_SECONDS) == 0
    table.app.controller.change_setting("reduced_motion", value=False)
    assert theme.animation_seconds(theme.TURN_SECONDS) > 0


async def test_a_lower_brightness_darkens_the_whole_window(start: Callable[..., Any], tmp_path: Path) -> None:
    """Also over a page, and after a restart; while it stays, no frame is drawn."""
    table = await start()
    await table.tap("settings")
    await turn_to_slip(table, "Brightness")
    bright = mean_red(await table.take_screenshot(tmp_path / "bright.png"))
    await table.tap("brightness", "clear", "3", "confirm")
    assert mean_red(await table.take_screenshot(tmp_path / "dark.png")) < bright * 0.6
    frames: list[object] = []
    table.window.bind(on_flip=frames.append)
    await table.wait_frames(5)
    table.window.unbind(on_flip=frames.append)
    assert frames == []
    table.app.close_evening()
    assert (await start()).app.light.veil_opacity > 0


async def test_a_panel_with_a_backlight_is_dimmed_by_it(start: Callable[..., Any], tmp_path: Path) -> None:
    """Nothing is drawn over the window; if the backlight fails, a veil is drawn."""
    from ui.screen_light import MAX_BRIGHTNESS, ScreenLight

    panel = add_backlight(tmp_path, "rpi_backlight")
    table = await start(light=ScreenLight(find_backlight(tmp_path)))
    light, controller = table.app.light, table.app.controller
    controller.change_setting("brightness", 4)
    assert (panel.read_text(), light.veil_opacity) == ("102", 0)
    panel.unlink()
    panel.mkdir()
    controller.change_setting("brightness", 3)
    assert light.veil_opacity > 0
    controller.change_setting("brightness", MAX_BRIGHTNESS)
    assert light.veil_opacity == 0
    assert find_setting("brightness").description.most == MAX_BRIGHTNESS


def mean_red(picture: Path) -> float:
    """Returns how much red a picture has on average, from 0 to 255."""
    from kivy.core.image import Image

    reds: bytes = Image.load(str(picture), nocache=True).texture.pixels[::4]
    return sum(reds) / len(reds)
