"""Settings of the screen itself on the real window: each does what it says, at once and after a restart."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from companion.settings import find_setting, save_setting
from hardware.backlight import find_backlight
from hardware.signals import DeviceFound
from scripts.album import Album
from tests.support.hardware.sysfs_backlight import add_backlight
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.clock_helpers import begin_game_with_clocks, pass_time
from tests.support.ui.screen_faults import contrast_ratio, find_faults
from tests.support.ui.setting_slips import choose, turn_to_slip

ONE_OF = 1 if SOAK else 6
"""One in this many screens of an album is checked."""


@pytest.fixture
def start(open_app: Any, tmp_path: Path, seconds: Any) -> Callable[..., Any]:
    """A function that starts the app on the same games again and again.

    Without touches, time passes only on the clock `seconds`. `backlight` is that of the panel. With
    `home_snapshot`, home is drawn before the evening is opened; `before_evening` is called between the two.
    """
    from ui.idle_dimmer import IdleDimmer
    from ui.screen_light import ScreenLight

    async def begin(
        backlight: Any = None,
        *,
        home_snapshot: bool = False,
        before_evening: Callable[[], object] = lambda: None,
    ) -> Any:
        app = make_test_app(tmp_path / "state", seconds=seconds)
        open_evening = app._open_evening
        app._open_evening = lambda: (before_evening(), open_evening())[1]
        app.home_snapshot_file = tmp_path / "home.json" if home_snapshot else None
        app.dimmer = IdleDimmer(ScreenLight(backlight), seconds)
        table = await open_app(app)
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
    """Step by step, also over a page, and after a restart; while it stays, no frame is drawn."""
    table = await start()
    await table.tap("settings")
    await turn_to_slip(table, "Brightness")
    bright = mean_red(await table.take_screenshot(tmp_path / "bright.png"))
    shown = []
    for brightness in range(9, 2, -1):
        await table.tap("less brightness")
        assert table.app.controller.settings.brightness == brightness
        shown.append(table.app.dimmer.light.veil_opacity)
    assert shown == sorted(set(shown))
    assert mean_red(await table.take_screenshot(tmp_path / "dark.png")) < bright * 0.6
    frames: list[object] = []
    table.window.bind(on_flip=frames.append)
    await table.wait_frames(5)
    table.window.unbind(on_flip=frames.append)
    assert frames == []
    table.app.close_evening()
    assert (await start()).app.dimmer.light.veil_opacity > 0


async def test_a_panel_with_a_backlight_is_dimmed_by_it(start: Callable[..., Any], tmp_path: Path) -> None:
    """From the start on; nothing is drawn over the window, except if the backlight fails."""
    from ui.screen_light import MAX_BRIGHTNESS

    panel = add_backlight(tmp_path, "rpi_backlight")
    table = await start(find_backlight(tmp_path))
    light, controller = table.app.dimmer.light, table.app.controller
    assert panel.read_text() == "255"
    controller.change_setting("brightness", 4)
    assert (panel.read_text(), light.veil_opacity) == ("102", 0)
    panel.unlink()
    panel.mkdir()
    controller.change_setting("brightness", 3)
    assert light.veil_opacity > 0
    controller.change_setting("brightness", MAX_BRIGHTNESS)
    assert light.veil_opacity == 0
    assert find_setting("brightness").description.most == MAX_BRIGHTNESS


def let_people_be_idle(table: Any, seconds: Any, minutes: float) -> None:
    """Lets time pass in which nobody does anything."""
    seconds.now += 60 * minutes
    table.app.dimmer.check()


async def test_the_screen_dims_and_then_turns_dark(
    start: Callable[..., Any], seconds: Any, tmp_path: Path
) -> None:
    """After the times that people have chosen, also after a restart; a dark screen shows nothing."""
    table = await start()
    await table.tap("settings")
    for label, name, value in (("Dim the screen after", "dim_after", "1"), SLEEP_AFTER_TWO_MINUTES):
        await turn_to_slip(table, label)
        await choose(table, name, value)
    table.app.close_evening()
    table = await start()
    light = table.app.dimmer.light
    let_people_be_idle(table, seconds, 0.9)
    assert light.dimming == "awake"
    let_people_be_idle(table, seconds, 0.2)
    assert light.dimming == "dimmed"
    bright_enough = mean_red(await table.take_screenshot(tmp_path / "dimmed.png"))
    let_people_be_idle(table, seconds, 1)
    assert light.dimming == "dark"
    assert 0 == mean_red(await table.take_screenshot(tmp_path / "dark.png")) < bright_enough


SLEEP_AFTER_TWO_MINUTES = ("Screen goes dark after", "sleep_after", "2")


@pytest.mark.parametrize("minutes", [6, 31])
async def test_the_touch_that_wakes_the_screen_presses_nothing(
    start: Callable[..., Any], seconds: Any, minutes: int
) -> None:
    """No widget gets any part of it, nor a second finger; the next touch counts."""
    table = await start()
    got: list[str] = []
    for event in ("on_touch_down", "on_touch_move", "on_touch_up"):
        table.app.stage.fbind(event, lambda *_, event=event: got.append(event))
    let_people_be_idle(table, seconds, minutes)
    first = table.press("settings")
    assert table.app.dimmer.light.dimming == "awake"
    second = table.press("Demo table")
    for touch in (first, second):
        touch.touch_move(touch.x + 5, touch.y)
        touch.touch_up()
    await table.wait_frames()
    assert got == []
    assert "Demo table" in table.texts()
    seconds.now += 1
    await table.tap("settings")
    assert "Language" in table.texts()
    assert got == ["on_touch_down", "on_touch_up"]


async def test_the_touch_that_wakes_the_screen_also_leads_back_to_the_table(
    start: Callable[..., Any], seconds: Any
) -> None:
    """From the page for people across the room; the touch presses nothing, and the page comes again later."""
    table = await start()
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames()
    flow, number = table.app.table_flow.across_room_flow, table.app.controller.view.question_number
    flow.show()
    flow._show_later.cancel()  # it has rung
    let_people_be_idle(table, seconds, 31)
    touch = table.press("Aki")
    await table.wait_frames(1)
    touch.touch_up()
    await table.wait_frames()
    assert table.app.dimmer.light.dimming == "awake"
    assert flow.page is None
    assert flow._show_later.is_triggered
    assert table.app.controller.view.question_number == number


async def test_people_who_use_a_device_wake_the_screen(start: Callable[..., Any], seconds: Any) -> None:
    """So does whatever changes the game; the signal of the device itself counts as always."""
    table = await start()
    light, controller = table.app.dimmer.light, table.app.controller
    let_people_be_idle(table, seconds, 31)
    controller._devices._inbox.put(DeviceFound("keypad 1"))
    await table.wait_until(lambda: light.dimming == "awake")
    let_people_be_idle(table, seconds, 31)
    assert light.dimming == "dark"
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    assert light.dimming == "awake"


async def test_a_clock_that_will_ring_keeps_the_screen_awake(start: Callable[..., Any], seconds: Any) -> None:
    """Until it has rung; people then see the notice, and the screen dims after the usual time."""
    table = await start()
    light = table.app.dimmer.light
    await begin_game_with_clocks(table, "egypt", "game=3600 ring")
    let_people_be_idle(table, seconds, 59)
    assert light.dimming == "awake"
    await pass_time(table, seconds, 70)
    let_people_be_idle(table, seconds, 4)
    assert light.dimming == "awake"
    let_people_be_idle(table, seconds, 2)
    assert light.dimming == "dimmed"


async def test_a_screen_that_never_dims_stays_awake(start: Callable[..., Any], seconds: Any) -> None:
    """If people chose never, a day without a touch changes nothing."""
    table = await start()
    for name in ("dim_after", "sleep_after"):
        table.app.controller.change_setting(name, "never")
    let_people_be_idle(table, seconds, 24 * 60)
    assert table.app.dimmer.light.dimming == "awake"


async def test_an_app_that_has_stopped_dims_no_window(open_app: Any, tmp_path: Path, seconds: Any) -> None:
    """Whatever it had planned before, and whatever devices do while they are closed."""
    from kivy.clock import Clock

    from ui.idle_dimmer import IdleDimmer
    from ui.screen_light import ScreenLight

    table = await open_app(make_test_app(tmp_path))
    dimmer = IdleDimmer(ScreenLight(), seconds)
    dimmer.start()
    dimmer.set_delays(dim_after_seconds=0.01, sleep_after_seconds=None)
    dimmer.check()
    dimmer.stop()
    dimmer.wake()
    seconds.now += 1
    passed: list[float] = []
    Clock.schedule_once(passed.append, 0.02)
    await table.wait_until(lambda: bool(passed))
    assert (dimmer.light.dimming, dimmer.light.veil_opacity) == ("awake", 0)


async def test_a_panel_is_dimmed_and_turned_off_by_its_backlight(
    start: Callable[..., Any], seconds: Any, tmp_path: Path
) -> None:
    """It stays at its lowest step under the black picture; when the app stops, it is as bright as set."""
    panel = add_backlight(tmp_path, "rpi_backlight")
    table = await start(find_backlight(tmp_path))
    let_people_be_idle(table, seconds, 6)
    assert panel.read_text() == "76"
    let_people_be_idle(table, seconds, 31)
    assert (panel.read_text(), table.app.dimmer.light.veil_opacity) == ("1", 1)
    table.app.stop()
    assert (panel.read_text(), table.app.dimmer.light.veil_opacity) == ("255", 0)


async def test_a_backlight_that_failed_once_is_set_again(
    start: Callable[..., Any], seconds: Any, tmp_path: Path
) -> None:
    """A screen that should wake would stay dark otherwise; each second until it succeeds."""
    panel = add_backlight(tmp_path, "rpi_backlight")
    table = await start(find_backlight(tmp_path))
    light = table.app.dimmer.light
    let_people_be_idle(table, seconds, 31)
    panel.unlink()
    panel.mkdir()
    table.app.dimmer.wake()
    panel.rmdir()
    panel.write_text("1")
    await table.wait_until(lambda: panel.read_text() == "255")
    assert (light.dimming, light.veil_opacity) == ("awake", 0)


async def test_a_panel_that_a_crash_left_dark_is_lit_on_every_page(open_app: Any, tmp_path: Path) -> None:
    """Also on a page that says why the evening can't begin."""
    from ui.idle_dimmer import IdleDimmer
    from ui.screen_light import ScreenLight
    from ui.screens.recovery import StartErrorScreen

    panel = add_backlight(tmp_path, "rpi_backlight")
    panel.write_text("0")
    (tmp_path / "state").write_text("a file, no directory")
    app = make_test_app(tmp_path / "state")
    app.dimmer = IdleDimmer(ScreenLight(find_backlight(tmp_path)))
    table = await open_app(app)
    assert isinstance(table.app.stage.screen, StartErrorScreen)
    assert panel.read_text() == "255"


def test_only_the_service_changes_the_panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full window on somebody's desktop leaves the panel as bright as it is."""
    from ui.screen import _make_dimmer

    monkeypatch.setattr("hardware.backlight.find_backlight", lambda: find_backlight(tmp_path))
    panel = add_backlight(tmp_path, "rpi_backlight")
    for is_service, brightness in (("0", "127\n"), ("1", "255")):
        monkeypatch.setenv("COMPANION_SERVICE", is_service)
        _make_dimmer().light.set_brightness(10)
        assert panel.read_text() == brightness


@pytest.mark.parametrize(
    ("label", "name"), [("Large text", "large_text"), ("High contrast", "high_contrast")]
)
async def test_another_look_is_drawn_at_once(start: Callable[..., Any], label: str, name: str) -> None:
    """The page stays open at its slip; after a restart already the first home screen has the look."""
    from ui import theme

    table = await start(home_snapshot=True)
    usual = theme.INK, theme.length.body
    await table.tap("settings")
    await turn_to_slip(table, label)
    await choose(table, name, "on")
    await table.wait_frames()
    changed = theme.INK, theme.length.body
    assert changed != usual
    assert label in table.texts()
    assert table.find(f"{name} on").label.color == list(theme.INK)
    await table.tap("close")
    table.app.close_evening()
    theme.use_look(theme.Look())
    looks: list[object] = []
    table = await start(home_snapshot=True, before_evening=lambda: looks.append(theme.look))
    assert looks == [theme.Look(has_large_text=name == "large_text", has_high_contrast=name != "large_text")]
    assert (theme.INK, theme.length.body) == changed
    await table.tap("settings")
    await turn_to_slip(table, label)
    await choose(table, name, "off")
    await table.wait_frames()
    assert (theme.INK, theme.length.body) == usual


async def test_a_look_that_was_changed_elsewhere_counts_at_the_next_start(start: Callable[..., Any]) -> None:
    """Home was drawn in the look of the last evening; it is drawn again."""
    from ui import theme

    table = await start(home_snapshot=True)
    save_setting(table.app.evening.store, "high_contrast", value=True)
    table.app.close_evening()
    table = await start(home_snapshot=True)
    assert theme.look.has_high_contrast
    assert table.find("Demo table").title_label.color == list(theme.HIGH_CONTRAST_COLOURS["INK"])


def test_high_contrast_is_higher_for_every_text() -> None:
    """Also quiet texts have a contrast of at least 10 : 1 with what they stand on."""
    from ui import theme

    theme.use_look(theme.Look(has_high_contrast=True))
    assert contrast_ratio(theme.INK_QUIET, theme.PAPER) >= 10
    assert contrast_ratio(theme.INK, theme.PAPER_PRESSED) >= 10
    assert contrast_ratio(theme.QUIET, theme.FELT) >= 10
    assert contrast_ratio(theme.PAPER, theme.FELT_DARK) >= 10


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "placement"), [((480, 800), "standing"), ((1920, 1080), "flat")], ids=str)
async def test_large_text_has_room_where_little_is_left(
    open_app: Any, tmp_path: Path, without_motion: None, size: tuple[int, int], placement: str
) -> None:
    """From the first bid of Egypt to the first payment: the name of who is asked, and what is still owed."""
    table = await open_app(make_test_app(tmp_path, lang="de"), size)
    controller = table.app.controller
    controller.change_setting("placement", placement)
    controller.change_setting("large_text", value=True)
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    found: list[str] = []
    for answer in ("1", True, 3, 4, None, None):
        await table.wait_frames(4)
        found += find_faults(table, size)
        answer_questions(controller, answer)
    await table.wait_frames(4)
    for overlay in table.app.stage.overlays_topmost_first:
        table.app.stage.remove_overlay(overlay)
    await table.wait_frames(4)
    assert controller.view.question.kind == "Read"
    assert [*found, *find_faults(table, size)] == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", ["large_text", "high_contrast"])
@pytest.mark.parametrize(
    ("size", "lang"),
    [*product([(800, 480), (1280, 720)], languages()), ((480, 800), "en"), ((480, 800), "ja")],
    ids=lambda at: str(at).replace(", ", "x"),
)
async def test_nothing_is_wrong_with_any_screen_in_another_look(
    open_app: Any, tmp_path: Path, without_motion: None, size: tuple[int, int], lang: str, look: str
) -> None:
    """By touch, from the empty shelf to the score: texts whole and clear, keys large, apart and inside."""
    from ui.demo.hand import SimulatedFinger

    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    table.app.controller.change_setting(look, value=True)
    found: list[str] = []
    passed = count()

    async def check_screen(what: str) -> None:
        await table.wait_frames(3)
        if next(passed) % ONE_OF == 0:
            found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    await Album(table.app, SimulatedFinger(table.app, table.window), check_screen).fill((), ())
    assert not found, "\n".join(found)


def mean_red(picture: Path) -> float:
    """Returns how much red a picture has on average, from 0 to 255."""
    from kivy.core.image import Image

    reds: bytes = Image.load(str(picture), nocache=True).texture.pixels[::4]
    return sum(reds) / len(reds)
