"""A monkey test of the screen: touches random keys while devices fail and players change.

A seed decides all actions; a failure reports the last ones in words. `monkey_checks` checks the screen after
each action. `monkey_actions` has the actions other than touches.
"""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.languages import languages
from hardware.simulated.table import SimulatedTable
from tests.support.hardware.device_helpers import LaggingClock
from tests.support.ui.device_table import LONG_READING_SECONDS, WIRING
from tests.support.ui.monkey_actions import SIZES, MonkeyActions
from tests.support.ui.monkey_checks import MonkeyChecks, key_description, key_name

REPORTED_ACTIONS = 40
"""A failure reports this many last actions."""
ACTIONS_BETWEEN_GC = 100
"""Average number of actions between two garbage collections."""
DRAWER_CHANCE = 0.2
"""Probability that a touch is in the drawer of devices."""
KEYS_LEADING_HOME = (
    "home",
    "close",
    "no",
    "not now",
    "go on",
    "cancel",
    "way out",
    "back",
    "more",
    "done",
    "put away",
    "shelf",
)
"""Names of keys that lead towards the home screen, the shortest way first."""
MAX_TOUCHES_TO_HOME = 60
"""From any screen, this many touches lead home."""
TOUCH_WEIGHTS = {"a key": 85, "again": 12, "anywhere": 8, "long": 3, "drag": 6, "two fingers": 3}
"""Weights of the kinds of touches; other actions have their own weights."""


class MonkeyFailure(AssertionError):
    """A check failed; the message has the last actions in words."""


class TouchingMonkey(ABC):
    """A monkey on a state directory: `await start_app()`, `await play(key, taps)`, then `close()`.

    The subclass says which app it plays on, and which actions it takes.
    """

    def __init__(self, open_app: Any, state: Path, seed: str) -> None:
        self.rng, self.seed, self.tap_count = Random(seed), seed, 0
        self.last_actions: deque[str] = deque(maxlen=REPORTED_ACTIONS)
        self._open, self._state = open_app, state
        self.checks = MonkeyChecks()
        gc.disable()  # it would take a third of the time, as widgets are in reference cycles

    def close(self) -> None:
        """Stops the checks."""
        gc.enable()
        self.checks.close()

    @abstractmethod
    def make_app(self, lang: str) -> Any:
        """Returns a new app on the saved games."""

    @abstractmethod
    async def _act(self, key: str) -> None:
        """Takes one action in the game with this key."""

    async def start_app(self) -> None:
        """Starts the program on the saved games, in a random language and size."""
        lang, size = self.rng.choice([*languages()]), self.rng.choice(SIZES)
        self.app = self.checks.app = self.make_app(lang)
        self.table = await self._open(self.app, size)

    async def play(self, key: str, taps: int) -> None:
        """Touches `taps` times, with this game and no other, and goes home at the end."""
        end = self.tap_count + taps
        try:
            while self.tap_count < end:
                await self._act_or_restart(key)
                self.checks.check_screen()
                if not self.rng.randrange(ACTIONS_BETWEEN_GC):
                    gc.collect()
            await self._go_home()
        except (Exception, pytest.fail.Exception) as error:
            last_actions = "\n".join(self.last_actions)
            raise MonkeyFailure(
                f"{error!r}\nseed {self.seed!r}, {key}, tap {self.tap_count}:\n{last_actions}"
            ) from error

    async def _act_or_restart(self, key: str) -> None:
        """Performs one action; restarts the program if the action ended it."""
        try:
            await self._act(key)
            await self.table.wait_frames(1)
        except pytest.fail.Exception:
            if not self.table.running.done() or self.table.running.exception():
                raise
            await self._restart()

    # Touches

    async def _tap_random_key(self) -> None:
        if keys := self._keys_to_touch():
            key = self.rng.choices(keys, [self._weight_of(key) for key in keys])[0]
            await self._tap(key.to_window(*key.center), key_description(key))
        else:
            await self._tap_anywhere()

    def _keys_to_touch(self) -> list[Any]:
        return self.checks.touchable_keys()

    def _weight_of(self, _key: Any) -> float:
        """Returns how likely a key is touched, compared with others."""
        return 1.0

    async def _tap_key_repeatedly(self) -> None:
        """Taps one key several times while it is there, which also deletes everything that is typed."""
        key = self.rng.choice(self.checks.touchable_keys() or [None])
        for _ in range(self.rng.randint(2, 6)):
            if key in self.checks.touchable_keys():
                await self._tap(key.to_window(*key.center), key_description(key))
                await self.table.wait_frames(1)

    async def _tap_anywhere(self) -> None:
        await self._tap(self._random_position(), "somewhere")

    async def _hold_key(self) -> None:
        """Holds a key long enough for things that are shown only during a long touch."""
        key = self.rng.choice(self.checks.touchable_keys() or [None])
        position = self._random_position() if key is None else key.to_window(*key.center)
        await self._tap(position, f"long on {key_description(key)}" if key else "long somewhere", 8)

    async def _tap(self, position: tuple[float, float], description: str, frames: int = 1) -> None:
        self.last_actions.append(f"tap {description} at {position[0]:.0f},{position[1]:.0f}")
        touch = self._touch_down(position)
        await self.table.wait_frames(frames)
        touch.touch_up()

    async def _drag(self) -> None:
        (ax, ay), (bx, by) = self._random_position(), self._random_position()
        self.last_actions.append(f"drag {ax:.0f},{ay:.0f} to {bx:.0f},{by:.0f}")
        touch = self._touch_down((ax, ay))
        for part in (0.3, 0.6, 1.0):
            touch.touch_move(ax + (bx - ax) * part, ay + (by - ay) * part)
            await self.table.wait_frames(1)
        touch.touch_up()

    async def _tap_with_two_fingers(self) -> None:
        """Presses two keys; the second finger goes down before the first is lifted."""
        if not (keys := self.checks.touchable_keys()):
            return
        first, second = self.rng.choices(keys, k=2)
        self.last_actions.append(f"two fingers, on {key_description(first)} and {key_description(second)}")
        touches = []
        for position in [key.to_window(*key.center) for key in (first, second)]:
            touches.append(self._touch_down(position))
            await self.table.wait_frames(1)
        for touch in self.rng.sample(touches, 2):
            touch.touch_up()

    def _touch_down(self, position: tuple[float, float]) -> Any:
        from kivy.tests.common import UnitTestTouch

        self.tap_count += 1
        touch = UnitTestTouch(*position)
        touch.touch_down()
        return touch

    def _random_position(self) -> tuple[float, float]:
        width, height = self.table.window.size
        return self.rng.uniform(0, width - 1), self.rng.uniform(0, height - 1)

    # The whole program

    async def _restart(self) -> None:
        for left in self.table.window.children[:]:
            self.table.window.remove_widget(left)
        await self.start_app()

    async def _go_home(self) -> None:
        """Returns to the home screen by its keys; fails if they don't lead there."""
        for _ in range(MAX_TOUCHES_TO_HOME):
            if self.checks.is_home:
                return
            keys = {
                name: key
                for key in self.checks.touchable_keys()
                for name in (key_description(key), key_name(key))
            }
            name = next((name for name in KEYS_LEADING_HOME if name in keys), None)
            if name is None:
                await self._tap_anywhere()
            else:
                await self._tap(keys[name].to_window(*keys[name].center), f"home by {name}")
            await self.table.wait_frames(2)
            self.checks.check_screen()
        pytest.fail(f"there is no way home from {self.table.texts()}")


class Monkey(TouchingMonkey):
    """A monkey with simulated devices, which also fail, and with short cuts into the game and the disk."""

    def __init__(self, open_app: Any, state: Path, seed: str) -> None:
        super().__init__(open_app, state, seed)
        self.simulated = SimulatedTable(WIRING, LaggingClock(LONG_READING_SECONDS))
        self.actions = MonkeyActions(self.rng, self.simulated, self.last_actions.append)

    def close(self) -> None:
        """Stops the checks and the simulated devices."""
        super().close()
        self.simulated.close()

    def make_app(self, lang: str) -> Any:
        """Returns an app with the simulated devices and their drawer."""
        from ui.screen import make_app

        return make_app(self._state, simulated_table=self.simulated, lang=lang)

    async def start_app(self) -> None:
        """Starts the program, with the clock of the devices."""
        await super().start_app()
        self.actions.app = self.app
        self.actions.share_clock_with_devices()

    async def _act(self, key: str) -> None:
        weight_by_action: dict[Callable[[], Any], float] = {
            self._tap_random_key: TOUCH_WEIGHTS["a key"],
            self._tap_key_repeatedly: TOUCH_WEIGHTS["again"],
            self._tap_anywhere: TOUCH_WEIGHTS["anywhere"],
            self._hold_key: TOUCH_WEIGHTS["long"],
            self._drag: TOUCH_WEIGHTS["drag"],
            self._tap_with_two_fingers: TOUCH_WEIGHTS["two fingers"],
            self._fill_disk_for_a_while: 0.5,
            self._quit_and_restart: 0.25,
            **self.actions.weight_by_action(key),
        }
        coroutine = self.rng.choices(list(weight_by_action), list(weight_by_action.values()))[0]()
        if coroutine is not None:
            await coroutine

    def _keys_to_touch(self) -> list[Any]:
        return self.checks.touchable_keys(in_drawer=self.rng.random() < DRAWER_CHANCE)

    async def _fill_disk_for_a_while(self) -> None:
        if not self.app.has_open_evening:
            return
        self.last_actions.append("the disk is full")
        disk = self.app.evening.store._disk
        for full in ("ON", "OFF"):
            for _ in range(3 if full == "OFF" else 0):
                await self._tap_random_key()
                self.actions.answer_questions()
                await self.table.wait_frames(1)
            for file in (disk.games, disk.sealed):
                file.execute(f"PRAGMA query_only = {full}")
        self.last_actions.append("there is room again")

    async def _quit_and_restart(self) -> None:
        """Ends the program in the middle of the game, and restarts it."""
        self.last_actions.append("end")
        self.app.stop()
        await self.table.running
        await self._restart()

    async def _go_home(self) -> None:
        self.app.drawer.open_at("")
        await super()._go_home()
