"""While something moves, each frame looks as if all of it were drawn, and nobody sees an old state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.ui.test_change import begin_train, pay

FRAMES = 12 if SOAK else 4
Motion = Callable[[Any], Awaitable[None]]


def read_pixels(window: Any) -> bytes:
    """Returns what the window shows now."""
    from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels

    return bytes(glReadPixels(0, 0, *window.system_size, GL_RGB, GL_UNSIGNED_BYTE))


class WatchedFrames:
    """Draws the whole of each frame of a window after the frame, and compares both."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.with_picture, self.different = 0, 0
        self._window = table.window

    async def watch(self, frames: int = FRAMES) -> None:
        """Watches as many frames."""
        self._window.bind(on_flip=self._compare)
        await self._table.wait_frames(frames)
        self._window.unbind(on_flip=self._compare)

    def _compare(self, window: Any) -> None:
        pixels = read_pixels(window)
        window.on_draw()
        self.different += pixels != read_pixels(window)
        self.with_picture += self._table.app.still_picture.is_shown


async def slide_a_coin(table: Any) -> None:
    """A coin slides from one player to the next."""
    await begin_train(table)
    pay(table, "Aki", "Ben", 150)


async def slide_a_coin_over_a_flat_table(table: Any) -> None:
    """The table is turned to people on the far side."""
    await begin_train(table)
    table.app.stage.turn_to_opposite_side()
    await table.wait_frames()
    pay(table, "Aki", "Ben", 150)


async def open_envelopes(table: Any) -> None:
    """Envelopes tremble."""
    controller = table.app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await table.wait_frames()
    for seat, bid in zip(controller.view.seats, (12, 7, 9), strict=True):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)


async def open_envelopes_at_once(table: Any) -> None:
    """One envelope opens after the other."""
    await open_envelopes(table)
    await table.wait_until(lambda: hasattr(table.app.stage.topmost_widget, "bars"))
    table.app.stage.topmost_widget._open_envelopes()


async def let_confetti_fall(table: Any) -> None:
    """Confetti falls over the winners."""
    table.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "points"})
    answer_questions(table.app.controller, "finish")
    await table.wait_until(lambda: hasattr(table.app.stage.screen, "turn_up_all_cards"))
    score = table.app.stage.screen
    score.turn_up_all_cards()
    score._open_winners_page()


@pytest.fixture
def slow_motion(home: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Motions that no test outlasts; they end with the test, or they would go on in the next one."""
    from kivy.animation import Animation

    from ui import theme

    monkeypatch.setattr(theme, "reduced_motion", False)
    for name in ("COIN_SLIDE_SECONDS", "REVEAL_PAUSE_SECONDS", "TURN_SECONDS", "CONFETTI_SECONDS"):
        monkeypatch.setattr(theme, name, 60.0)
    yield
    for widget in home.app.root.walk():
        Animation.cancel_all(widget)


@pytest.mark.parametrize(
    "motion",
    [
        slide_a_coin,
        slide_a_coin_over_a_flat_table,
        open_envelopes,
        open_envelopes_at_once,
        let_confetti_fall,
    ],
)
async def test_each_frame_of_a_motion_looks_as_if_all_of_it_were_drawn(
    home: Any, slow_motion: None, motion: Motion
) -> None:
    """The picture is the frame itself, to the pixel."""
    await motion(home)
    frames = WatchedFrames(home)
    await frames.watch()
    assert frames.different == 0
    if motion in (slide_a_coin, slide_a_coin_over_a_flat_table):
        assert frames.with_picture >= FRAMES // 2


async def test_a_change_behind_the_motion_is_seen_at_once(home: Any, slow_motion: None) -> None:
    """A dialog that opens, a sign that goes, another size of the window: nothing old is shown."""
    await slide_a_coin(home)
    frames = WatchedFrames(home)
    await frames.watch()
    for change in (
        lambda: setattr(home.app.stage.screen.notes.label, "text", "Ben sings"),
        lambda: setattr(home.app.stage.screen.panels[home.app.controller.view.seats[0]], "opacity", 0.3),
        lambda: home.app.stage.screen.remove_widget(home.app.stage.screen.children[-1]),
        home.app.stage.turn_to_opposite_side,
        lambda: setattr(home.window, "size", (480, 720)),  # no higher than the surface, which never grows
    ):
        change()
        await frames.watch()
    assert frames.different == 0


@pytest.fixture
def turn_window(home: Any) -> Iterator[Callable[[int], None]]:
    """Turns the window, as for a panel that is mounted upright or upside down; back after the test."""

    def turn(rotation: int) -> None:
        home.window.rotation = rotation
        home.window.update_viewport()  # a window on a screen does so by itself

    yield turn
    turn(0)


@pytest.mark.parametrize("rotation", [90, 180, 270])
async def test_the_picture_lies_right_in_a_turned_window(
    home: Any, slow_motion: None, turn_window: Callable[[int], None], rotation: int
) -> None:
    """Kivy turns everything but the picture, which is copied as it lies on the screen."""
    turn_window(rotation)
    await home.wait_frames(3)
    await slide_a_coin(home)
    frames = WatchedFrames(home)
    await frames.watch()
    assert frames.different == 0
    assert frames.with_picture >= FRAMES // 2


async def test_a_dimmed_screen_has_no_picture(home: Any, slow_motion: None) -> None:
    """The veil over the window would be drawn twice; when it goes, the picture comes back."""
    await slide_a_coin(home)
    await WatchedFrames(home).watch()
    light = home.app.dimmer.light
    light._draw_veil(0.5)
    frames = WatchedFrames(home)
    await frames.watch()
    assert (frames.different, frames.with_picture) == (0, 0)
    light._draw_veil(0.0)
    await frames.watch()
    assert frames.different == 0
    assert frames.with_picture >= FRAMES // 2


async def test_what_opens_above_the_motion_is_seen_at_once(home: Any, slow_motion: None) -> None:
    """A dialog comes, changes and goes above a sliding coin; clipped pictures and faint widgets lie below."""
    from kivy.uix.label import Label
    from kivy.uix.stencilview import StencilView

    from ui.widgets.drawing.containers import add_children

    await slide_a_coin(home)
    screen, stage = home.app.stage.screen, home.app.stage
    clipped = add_children(StencilView(size=(60, 40), size_hint=(None, None)), Label(text="wide " * 9))
    screen.add_widget(clipped, index=len(screen.children))
    dialog = Label(text="Really?", opacity=0.5)
    frames = WatchedFrames(home)
    await frames.watch()
    for change in (
        lambda: stage.show_overlay(dialog),
        lambda: setattr(dialog, "text", "Really so?"),
        lambda: setattr(dialog, "opacity", 0.9),
        lambda: setattr(clipped, "opacity", 0.4),
        lambda: setattr(clipped.children[0], "text", "narrow"),
        lambda: setattr(clipped, "width", 30),
        lambda: dialog.parent.remove_widget(dialog),
    ):
        change()
        await frames.watch(6)
    assert frames.different == 0
    assert frames.with_picture


async def test_the_picture_goes_with_the_motion(home: Any, slow_motion: None) -> None:
    """It takes memory only as long as something moves; afterwards nothing more is drawn."""
    await slide_a_coin(home)
    await WatchedFrames(home).watch()
    assert home.app.still_picture.is_shown
    frames = WatchedFrames(home)
    home.app.stage.screen._money.end_slide()
    await frames.watch(5)
    assert frames.different == 0
    flips: list[object] = []
    home.window.bind(on_flip=flips.append)
    await home.wait_frames(2)  # what was changed while nobody looked
    flips.clear()
    await home.wait_frames(10)
    home.window.unbind(on_flip=flips.append)
    assert not home.app.still_picture.is_shown
    assert flips == []


async def test_two_motions_at_a_time_are_above_one_picture(home: Any, slow_motion: None) -> None:
    """The picture ends before the lower of both."""
    await slide_a_coin(home)
    await WatchedFrames(home).watch()
    label = home.app.stage.screen.notes.label
    frames = WatchedFrames(home)
    for index in range(4):
        label.text = f"Ben sings {index} times"
        await frames.watch(1)
    assert frames.different == 0
    assert frames.with_picture


async def test_one_frame_alone_makes_no_picture(home: Any) -> None:
    """A copy of it would only delay the frame that shows an answer."""
    await home.wait_frames(5)
    shown: list[bool] = []
    note = lambda _: shown.append(home.app.still_picture.is_shown)  # noqa: E731 - bound twice
    home.window.bind(on_flip=note)
    home.app.stage.screen.canvas.ask_update()
    await home.wait_frames(3)
    home.window.unbind(on_flip=note)
    assert shown == [False]
