"""The moving picture of the README: three people seal a bid, and the envelopes open.

    shots = await Film(app, finger, names).sealed_bid()

The game is real, and so are the touches. Kivy's clock stands still while a frame is photographed, so the film
runs evenly however slow the machine is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kivy.clock import Clock

from scripts.pictures import Picture, Shot, photograph
from ui import theme

FRAME = 1 / 16
"""Seconds between two frames of a movement."""
COLOURS = ("orange", "sky", "green")
BIDS = (12, 7, 9)
LOOK, READ = 0.9, 3.0
"""Seconds for something new to be seen, and for the end to be read."""
MOVES = theme.TURN_SECONDS + 2 * FRAME
"""An envelope closes."""
PAUSE = theme.REVEAL_PAUSE_SECONDS
"""As people see it; other pictures may have been taken with another one."""
OPENS = PAUSE + theme.TURN_SECONDS + theme.SLIDE_SECONDS + 3 * FRAME
"""The drum-roll, and then the envelopes open."""


class Film:
    """Stops Kivy's clock of this process for good."""

    def __init__(self, app: Any, finger: Any, names: Sequence[str]) -> None:
        self._app, self._finger, self._names = app, finger, names
        self._now = 0.0
        self._shots: list[Shot] = []

    async def sealed_bid(self) -> list[Shot]:
        """One round: the first bids behind the cover, the others with their own keypads."""
        controller = self._app.controller
        await self._stop_the_clock()
        theme.REVEAL_PAUSE_SECONDS = PAUSE
        controller.start_new_game("sealed_bid", self._names, COLOURS, {})
        question = controller.view.question_number
        first, second, third = controller.view.seats
        await self._hold(LOOK)
        await self._behind_the_cover(first.name)
        controller.seal_answer_in_envelope(question, second, BIDS[1])
        await self._finger.wait_frames(2)
        await self._roll(MOVES)
        await self._hold(LOOK)
        controller.seal_answer_in_envelope(question, third, BIDS[2])
        await self._finger.wait_frames(2)
        await self._roll(OPENS)
        assert self._finger.can_tap("go on")
        await self._hold(READ)
        return self._shots

    async def _behind_the_cover(self, name: str) -> None:
        """Takes the screen, bids, and passes it on."""
        await self._finger.tap_buttons(name)
        await self._hold(LOOK)
        await self._finger.tap_buttons(self._app.tr("{name}, take the screen", name=name))
        await self._hold(LOOK / 2)
        for digit in str(BIDS[0]):
            await self._finger.tap_buttons(digit)
            await self._hold(LOOK / 2)
        await self._finger.tap_buttons("confirm")
        await self._roll(MOVES)
        await self._hold(LOOK)
        await self._pass(PAUSE)
        await self._hold(LOOK / 2)

    async def _stop_the_clock(self) -> None:
        Clock._max_fps = 0  # noqa: SLF001 it would wait for the end of a frame by that clock
        await self._finger.wait_frames(2)
        self._now = Clock.time()
        Clock.time = lambda: self._now

    async def _pass(self, seconds: float) -> None:
        """Lets time pass that nobody needs to see."""
        for _ in range(round(seconds / FRAME)):
            self._now += FRAME
            await self._finger.wait_frames(1)

    async def _roll(self, seconds: float) -> None:
        """Films a movement."""
        for _ in range(round(seconds / FRAME)):
            self._shots.append(Shot(await self._photograph(), FRAME))
            await self._pass(FRAME)

    async def _hold(self, seconds: float) -> None:
        """Films what rests."""
        self._shots.append(Shot(await self._photograph(), seconds))

    async def _photograph(self) -> Picture:
        with TemporaryDirectory(prefix="companion-") as folder:
            file = Path(folder, "frame.png")
            await self._finger.save_screenshot(file)
            return photograph(file)
