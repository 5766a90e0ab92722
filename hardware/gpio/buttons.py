"""Buttons at the pins of the header: metal in, signals out.

    import threading

    from hardware.gpio.buttons import ButtonReader
    from hardware.inbox import Inbox
    from hardware.wiring.pins import pin
    from hardware.wiring import Buttons

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with ButtonReader([Buttons(seat=1, tap=pin("GPIO17"))], inbox):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

The pins' own thread does nothing but put an edge into a queue; one thread here takes the bounce out
(`hardware.gpio.debounce`) and only puts signals into the inbox, in the order of their times: a press waits
for another line's that was touched before it and bounces still.
What a press means is not known here.
"""

from __future__ import annotations

import math
import time
from bisect import insort
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from operator import itemgetter
from queue import Empty, SimpleQueue
from threading import Thread
from typing import cast

from gpiozero import DigitalInputDevice

from hardware.gpio.debounce import WINDOW, Change, News, begun, edge, looked
from hardware.gpio.taking import Pins, Taking
from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.signals import Cap, Found, Held, LetGo, Lost, Pushed, Signal, Why
from hardware.wiring.sections import Buttons

HOLD = 0.6
"""Seconds a button is down before it says that it is held."""
REPEAT = 0.12
"""Seconds between that and every further time."""


class _Button:
    """One line: the gpiozero device, what is known of it, and when it says next that it is held."""

    def __init__(self, device: str, cap: Cap, metal: DigitalInputDevice, now: float) -> None:
        self.device, self.cap, self.metal = device, cap, metal
        self.line = begun(now, is_down=self.is_down)
        self.held_at = math.inf

    @property
    def is_down(self) -> bool:
        """What the line says at this moment."""
        return bool(self.metal.value)

    @property
    def name(self) -> str:
        """How people are told of it."""
        return f"{self.cap} ({self.metal.pin.info.name})"

    @property
    def due(self) -> float:
        return min(self.line.due, self.held_at) if self.line.is_sure else self.line.due

    def holds_back(self, now: float) -> float:
        """From which time on others have to wait for what comes of it; never longer than a bounce lasts."""
        since = self.line.in_doubt_since
        return since if now - since < WINDOW else math.inf


class ButtonReader(Openable):
    """The wired buttons.

    `pins` returns the factory of the pins; where it can't, every button is `Lost` and the game goes on
    without them; a seat that lacks a pin that another program holds is `Found` when that lets it go.
    `clock` is the one of the kernel's edges.
    """

    def __init__(
        self,
        wired: Sequence[Buttons],
        inbox: Inbox,
        *,
        pins: Callable[[], Pins],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wired = wired
        self._inbox = inbox
        self._pins = cache(pins)
        self._clock = clock
        self._buttons: list[_Button] = []
        self._edges: SimpleQueue[tuple[_Button, float, bool] | None] = SimpleQueue()
        # gpiozero holds what it calls weakly.
        self._callbacks: list[Callable[[float, int], None]] = []
        self._troubles: dict[str, dict[Cap, Lost]] = {}
        self._said: list[tuple[float, Signal]] = []
        self._catch_up: Callable[[], object] = lambda: None
        self._closed = False
        self._taking = Taking(wired, self._take, inbox)
        self._thread = Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> None:
        """Takes the pins; all buttons of a seat are `Found`, or `Lost` where that fails."""
        self._taking.start()
        self._thread.start()

    def wake(self) -> None:
        """Looks whether something is due by the clock."""
        self._edges.put(None)

    def close(self) -> None:
        """Gives the pins back."""
        if self._closed:
            return
        self._closed = True
        self._taking.close()
        if self._thread.ident is not None:
            self.wake()
            self._thread.join()
        for button in self._buttons:
            button.metal.close()

    def _take(self, wired: Buttons) -> None:
        """Takes all pins of a seat, or none."""
        pins, low = self._pins(), wired.active == "low"
        pins.when_failed = partial(self._lose_all, "dead")
        # Other pins than libgpiod's tell of an edge when they will.
        self._catch_up = getattr(pins, "catch_up", self._catch_up)
        buttons = []
        with ExitStack() as taken:
            for name, pin in wired.pins.items():
                metal = taken.enter_context(DigitalInputDevice(int(pin), pull_up=low, pin_factory=pins))
                buttons.append(_Button(wired.device, cast(Cap, name), metal, self._clock()))
            for button in buttons:
                self._listen(button, low=low)
            taken.pop_all()
        self._troubles[wired.device] = {}
        self._buttons = [*self._buttons, *buttons]  # another list: a thread may be going through this one
        self.wake()

    def _listen(self, button: _Button, *, low: bool) -> None:
        edges = self._edges

        def changed(ticks: float, state: int) -> None:
            # An exception here would kill the pins' thread, so there is nothing that can raise.
            edges.put((button, ticks, bool(state) != low))

        self._callbacks.append(changed)
        button.metal.pin.when_changed = changed

    def _run(self) -> None:
        try:
            while not self._closed:
                self._turn()
        except BaseException:
            # A game must never wait for buttons that nobody reads.
            self._lose_all("dead")
            raise

    def _turn(self) -> None:
        due = self._due()
        wait = None if due == math.inf else max(0.0, due - self._clock())
        try:
            happened = self._edges.get(timeout=wait)
        except Empty:
            happened = None
        if happened is not None:
            button, at, is_down = happened
            button.line, news = edge(button.line, at, is_down=is_down)
            self._heard(button, news)
        now = self._clock()
        if self._edges.empty() and (self._said or self._due() <= now):
            self._look(now)

    def _due(self) -> float:
        return min((button.due for button in self._buttons), default=math.inf)

    def _look(self, now: float) -> None:
        levels = {button: button.is_down for button in self._buttons if button.line.due <= now}
        self._catch_up()
        if not self._edges.empty():
            return  # some of them are older than what was just read
        now = self._clock()
        for button in self._buttons:
            if button in levels:
                button.line, news = looked(button.line, now, is_down=levels[button])
                self._heard(button, news)
            if button.line.is_sure:
                self._hold(button, now)
        self._say_until(min((button.holds_back(now) for button in self._buttons), default=math.inf))

    def _hold(self, button: _Button, until: float) -> None:
        while button.held_at <= until:
            self._say(button.held_at, Held(button.device, button.cap, button.held_at))
            button.held_at += REPEAT

    def _heard(self, button: _Button, news: Sequence[News]) -> None:
        for each in news:
            if not isinstance(each, Change):
                self._trouble(button, each.trouble)
            elif each.is_down:
                button.held_at = each.at + HOLD
                self._say(each.at, Pushed(button.device, button.cap, each.at))
            else:
                self._hold(button, each.at)
                button.held_at = math.inf
                self._say(each.at, LetGo(button.device, button.cap, each.at))

    def _say(self, at: float, signal: Signal) -> None:
        insort(self._said, (at, signal), key=itemgetter(0))

    def _say_until(self, moment: float) -> None:
        while self._said and self._said[0][0] < moment:
            self._inbox.put(self._said.pop(0)[1])

    def _trouble(self, button: _Button, why: Why | None) -> None:
        """Tells of the first bad line of a seat, and that it can be used again when none is bad."""
        troubles = self._troubles[button.device]
        before = next(iter(troubles.values()), None)
        if why is None:
            troubles.pop(button.cap, None)
        else:
            button.held_at = math.inf
            troubles[button.cap] = Lost(button.device, why, button.name)
        after = next(iter(troubles.values()), None)
        if after != before:
            self._say(button.line.heard, Found(button.device) if after is None else after)

    def _lose_all(self, why: Why) -> None:
        self._taking.give_up()
        for wired in self._wired:
            self._inbox.put(Lost(wired.device, why))
