"""Plays a whole day in minutes: game after game on the real window, with five keypads whose plugs are loose.

A seed decides all random events, and the hours are those of a simulated clock. `ResourceUse` measures the
process between two games, when nothing is in progress.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion import installed_games
from companion.actions import UNDO
from companion.clocks import parse_clocks
from companion.requests import Read, Request, Roll, Together
from companion.rules.game import Game
from companion.store import Store, archive
from companion.table.seats import SEAT_COLOURS, Seat
from companion.testing.random_game import PLAYER_NAMES, choose_random_options, sample_answer
from hardware.devices import Devices
from hardware.firmware.keypad.pad import NO_HOST_TEXT
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Keypad, Wiring
from tests.support.hardware.device_helpers import LaggingClock
from tests.support.ui.clock_helpers import ManualSeconds
from tests.support.ui.device_table import LONG_READING_SECONDS, READING_SECONDS
from ui.demo.presses import keypad_keys_for_answer
from ui.journal import LOG

KEYPAD_SEATS = 5
HOUR = 3600.0
SECONDS_BETWEEN_ARCHIVES = 3 * HOUR
"""Seconds between two archives of all games, so that a day makes more archives than are kept."""
START_OF_DAY = 1_795_392_000.0
"""Start of the day, in seconds since 1970."""
KEYPAD_ANSWER_CHANCE, PLUG_CHANCE, UNDO_CHANCE, CLOCKS_CHANCE = 0.2, 0.1, 0.03, 0.5
"""Probabilities that a player answers by keypad, moves a plug, undoes something, and plays with clocks."""


class ResourceUse(NamedTuple):
    """Resources of the process: bytes of memory, names of open files and threads, number of open fonts."""

    memory: int
    files: Sequence[str]
    font_count: int
    threads: Sequence[str]

    @classmethod
    def measure(cls) -> ResourceUse:
        """Measures this process after a garbage collection."""
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        opened = _open_files()
        files = [name for name in opened if not name.endswith(".ttf")]
        threads = sorted(thread.name for thread in threading.enumerate())
        return cls(pages * os.sysconf("SC_PAGE_SIZE"), files, len(opened) - len(files), threads)


def _open_files() -> list[str]:
    """Returns the names of open files, without the changing numbers of terminals, pipes and sockets.

    The directory handle of this function is closed when its link is read, so it is skipped.
    """
    found = []
    for name in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(re.sub(r"\d+", "…", str(name.readlink())))
    return sorted(found)


def _open_terminal_count() -> int:
    """Returns the number of open ends of pseudo-terminals."""
    return sum(name.startswith("/dev/pt") for name in _open_files())


class JournalRecorder(logging.Handler):
    """Records every line of the journal."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Appends a line."""
        self.lines.append(record.getMessage())


class LongDay:
    """The app and five simulated keypads: `open`, then `play_game` until the day is over, then `close`."""

    def __init__(self, state: Path, seed: int) -> None:
        from ui.app import CompanionApp
        from ui.evening.controller import TableController

        self.state, self.rng = state, Random(seed)
        self.seconds, self.answer_count, self.moved_plug_count, self.keypad_answer_count = (
            ManualSeconds(),
            0,
            0,
            0,
        )
        self.journal = JournalRecorder()
        self._copied = self._begun = self.seconds.now
        self._cables: int | None = None
        self._hand_clock = LaggingClock(LONG_READING_SECONDS)
        self.simulated = SimulatedTable(
            Wiring(keypad=tuple(Keypad(seat, id=f"kp-{seat}") for seat in range(1, KEYPAD_SEATS + 1))),
            self._hand_clock,
        )
        devices = partial(Devices, pins=self.simulated.pins, clock=self._hand_clock)
        self.app: Any = CompanionApp(
            lambda: TableController(
                Store.open(state, for_writing=True),
                self.simulated.wiring,
                clock=self.current_time,
                seconds=self.seconds,
                devices=devices,
            ),
            lang="en",
        )

    async def open(self, open_app: Any) -> None:
        """Opens the window, and waits until all keypads are found."""
        LOG.addHandler(self.journal)
        LOG.setLevel(logging.INFO)
        self.table = await open_app(self.app)
        await self.table.wait_until(lambda: self.app.number_pads_flow is not None)
        self._controller = self.app.controller
        await self.plug_in_all()
        self._cables = _open_terminal_count()

    def close(self) -> None:
        """Stops recording the journal and closes the keypads."""
        LOG.removeHandler(self.journal)
        LOG.setLevel(logging.NOTSET)
        self.simulated.close()

    def listener_counts(self) -> Counter[str]:
        """Returns the number of listeners of each property of objects that outlive every screen.

        Listeners that no longer exist count. Kivy's derived properties, which listen to others from their
        first use, don't count.
        """
        from kivy.core.window import Window
        from kivy.properties import Property

        lasting = {"app": self.app, "window": Window, "stage": self.app.stage, "evening": self._controller}
        return Counter(
            {
                f"{whose}.{name}": sum(
                    not isinstance(getattr(one, "__self__", None), Property)
                    for one in each.get_property_observers(name)
                )
                for whose, each in lasting.items()
                for name in each.properties()
            }
        )

    def current_time(self) -> float:
        """Returns the simulated time in seconds since 1970."""
        return START_OF_DAY + self.hours * HOUR

    @property
    def hours(self) -> float:
        """Hours since the day began."""
        return (self.seconds.now - self._begun) / HOUR

    async def plug_in_all(self) -> None:
        """Plugs in all keypads; waits until all are found, have found their host, and no old port is open."""
        keypads = self.simulated.keypads.values()
        for keypad in keypads:
            keypad.plug_in()
        await self.table.wait_until(
            lambda: (
                not self._controller._devices.lost_devices
                and self._cables in {None, _open_terminal_count()}
                and not any(keypad.display.startswith(NO_HOST_TEXT) for keypad in keypads)
            )
        )

    async def play_game(self, key: str, duration: float, most: int) -> None:
        """Plays a game to its end or for `most` answers, and puts it away; takes at least `duration` seconds.

        The time of the simulated clock counts. Afterwards a nightly archive is written if one is due.
        """
        game, end = installed_games.playable_game(key), self.seconds.now + duration
        self._begin_game(game)
        for _ in range(most):
            if self._controller.view.question is None:
                break
            await self._answer_question()
            self.seconds.now += 1.0
            await self._make_incident()
        self._controller.put_away()
        self.seconds.now = max(self.seconds.now, end)
        await self.table.wait_frames(3)
        if self.seconds.now - self._copied >= SECONDS_BETWEEN_ARCHIVES:
            self._copied = self.seconds.now
            timestamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(self.current_time()))
            archive.write_nightly_archive(self.state, "0.2.0", timestamp, {})

    def _begin_game(self, game: Game) -> None:
        least, most = game.players
        people = self.rng.randint(least, min(most, len(PLAYER_NAMES)))
        options = choose_random_options(game, self.rng)
        clocks = [parse_clocks("turn=600")] if self.rng.random() < CLOCKS_CHANCE else []
        assert self._controller.start_new_game(
            game.key, PLAYER_NAMES[:people], SEAT_COLOURS[:people], options, *clocks
        )

    async def _answer_question(self) -> None:
        """Answers the open question for everybody who is asked."""
        session = self._controller.evening.session
        question: Any = session.question
        n, self.answer_count = session.question_number, self.answer_count + 1
        if isinstance(question, Together):
            for seat in self.rng.sample(question.seats, len(question.seats)):
                await self._answer_for_seat(n, seat, question.parts_by_seat[seat])
        elif isinstance(question, Roll):
            self._controller.roll_dice(n)
        else:
            seats = question.seats or session.table.seats
            await self._answer_for_seat(n, self.rng.choice(list(seats)), question)
        assert session.question_number != n

    async def _answer_for_seat(self, n: int, seat: Seat, part: Request[Any]) -> None:
        """Gives a random answer of one player, sometimes by keypad, otherwise through the controller."""
        answer, session = sample_answer(part, self.rng), self._controller.evening.session
        keypad = self.simulated.keypads.get(seat.number)
        keys = "" if isinstance(part, Read) else keypad_keys_for_answer(part.form, answer)
        if keys and keypad is not None and keypad.is_plugged_in and self.rng.random() < KEYPAD_ANSWER_CHANCE:
            await self._answer_by_keypad(n, seat, keys)
        if session.question_number == n and seat not in session.drafts:
            sealed = isinstance(session.question, Together)
            give_answer = (
                partial(self._controller.seal_answer_in_envelope, n, seat)
                if sealed
                else partial(self._controller.answer_question, n)
            )
            give_answer(answer)

    async def _answer_by_keypad(self, n: int, seat: Seat, text: str) -> None:
        """Types an answer on the keypad, and waits until it is taken or refused."""
        session, keypad = self._controller.evening.session, self.simulated.keypads[seat.number]
        await self.table.wait_until(lambda: keypad.answerable_question_number == n)
        self._hand_clock.wait(READING_SECONDS)
        keypad.type(text)
        self.keypad_answer_count += 1
        device = f"keypad {seat.number}"
        await self.table.wait_until(
            lambda: (
                session.question_number != n
                or seat in session.drafts
                or self._controller._devices.was_last_answer_refused(device)
            )
        )

    async def _make_incident(self) -> None:
        """Sometimes pulls or inserts a plug, or undoes something."""
        chance = self.rng.random()
        if chance < PLUG_CHANCE:
            keypad = self.rng.choice(list(self.simulated.keypads.values()))
            (keypad.unplug if keypad.is_plugged_in else keypad.plug_in)()
            self.moved_plug_count += 1
        elif chance < PLUG_CHANCE + UNDO_CHANCE:
            self._controller.run_table_action(UNDO, {}, UNDO.confirmations)
            await self.table.wait_frames(2)
            if "All moved" in self.table.texts():
                await self.table.tap("All moved")
        await self.table.wait_frames(1)
