"""The moving picture of the README: envelopes open, a rent is paid, and a winner stands on the podium.

    shots = await Film(app, finger, names).evening()

The game is real, and so are the touches. Kivy's clock stands still while a frame is photographed, so the film
runs evenly however slow the machine is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kivy.clock import Clock

from scripts.pictures import Picture, Shot, photograph
from ui import theme
from ui.screens.paying import MoneyPlaceTile
from ui.widgets.seats.private_view import hand_over_text

FRAME = 1 / 16
"""Seconds between two frames of a movement."""
COLOURS = ("orange", "sky", "green")
BIDS = (12, 7, 9)
RENT = 150
"""What the first player pays the second one."""
LOOK, READ = 0.9, 2.5
"""Seconds for something new to be seen, and for words to be read."""
MOVES = theme.TURN_SECONDS + 2 * FRAME
"""An envelope closes."""
PAUSE = theme.REVEAL_PAUSE_SECONDS
"""As people see it; other pictures may have been taken with another one."""
PAYS = theme.COIN_SLIDE_SECONDS + 2 * FRAME
"""A coin slides, and both numbers have a sign."""
DRUM_ROLL, CONFETTI = 0.4, 1.0
"""Seconds that are filmed of movements whose frames are large."""


class Film:
    """Stops Kivy's clock of this process for good."""

    def __init__(self, app: Any, finger: Any, names: Sequence[str]) -> None:
        self._app, self._finger, self._names = app, finger, names
        self._now = 0.0
        self._shots: list[Shot] = []

    async def evening(self) -> list[Shot]:
        """A sealed bid, a rent that is paid, and the final score."""
        await self._stop_the_clock()
        theme.REVEAL_PAUSE_SECONDS = PAUSE
        await self._reveal()
        await self._rent()
        await self._ceremony()
        return self._shots

    async def _reveal(self) -> None:
        """The first bids behind the cover, the others with their own keypads; then the envelopes open."""
        controller = self._app.controller
        controller.start_new_game("sealed_bid", self._names, COLOURS, {})
        await self._hold(LOOK)
        await self._seal_bids()
        await self._roll(DRUM_ROLL)
        await self._pass(PAUSE - DRUM_ROLL)
        await self._roll_until(lambda: self._finger.can_tap("go on"))
        await self._hold(READ)
        controller.leave_table()

    async def _rent(self) -> None:
        """In a game of property trading, the amount is typed, and payer and payee are touched."""
        self._app.controller.start_new_game("any_game", self._names, COLOURS, {"template": "property"})
        await self._finger.wait_frames(2)
        await self._finger.tap_buttons("bank", "pay", *str(RENT))
        await self._hold(LOOK)
        tiles = [each for each in self._finger.walk_widgets_from_top() if isinstance(each, MoneyPlaceTile)]
        for tile in tiles[:-3:-1]:
            await self._finger.tap_widget(tile)
        await self._hold(LOOK)
        await self._finger.tap_buttons("close", "close")
        await self._roll(PAYS)
        await self._hold(LOOK)

    async def _ceremony(self) -> None:
        """The cards turn from last to first, the sums add up, and the winner stands on the podium."""
        await self._finger.tap_buttons("finish", "sure")
        score = self._app.stage.screen
        await self._roll_until(lambda: score.winners_page is not None)
        await self._roll(CONFETTI)
        await self._hold(READ)

    async def _seal_bids(self) -> None:
        controller = self._app.controller
        question = controller.view.question_number
        first, *others = controller.view.seats
        await self._behind_the_cover(first.name)
        for seat, bid in zip(others, BIDS[1:], strict=True):
            controller.seal_answer_in_envelope(question, seat, bid)
            await self._finger.wait_frames(2)
            if seat != others[-1]:
                await self._roll(MOVES)
                await self._hold(LOOK)

    async def _behind_the_cover(self, name: str) -> None:
        """Takes the screen, bids, and passes it on."""
        await self._finger.tap_buttons(name)
        await self._hold(LOOK)
        await self._finger.tap_buttons(hand_over_text(name))
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

    async def _roll_until(self, is_over: Callable[[], bool]) -> None:
        """Films a movement until it is over."""
        while not is_over():
            await self._roll(FRAME)

    async def _hold(self, seconds: float) -> None:
        """Films what rests."""
        self._shots.append(Shot(await self._photograph(), seconds))

    async def _photograph(self) -> Picture:
        with TemporaryDirectory(prefix="companion-") as folder:
            file = Path(folder, "frame.png")
            await self._finger.save_screenshot(file)
            return photograph(file)
