"""Kivy's clock as a device at the table: it looks at the limits of time, in the thread that runs the screen.

It draws nothing. What it may do to the game goes through `do`, like every other input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ListProperty

from companion.session.session import Session
from companion.session.timekeeper import Ring, Timekeeper
from ui import theme
from ui.events import Tells


class ClockTicker(Tells, EventDispatcher):
    """`do` does something to the game and shows what came of it; whether it could be done.

    `timed`: the game is played with clocks; `clocks`: what those that count now show.
    """

    timed = BooleanProperty(defaultvalue=False)
    clocks = ListProperty()
    paused = BooleanProperty(defaultvalue=False)
    __events__ = ("on_ring",)  # text: a clock is up

    def __init__(self, do: Callable[[Callable[[], object]], bool], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._do = do
        self._session: Session | None = None
        self._keeper: Timekeeper | None = None
        self._ticking = Clock.schedule_interval(lambda _: self.tick(), theme.TICK)
        self._ticking.cancel()

    def watch(self, session: Session | None) -> None:
        """From now on the clocks of that game; called whenever something has changed."""
        if session is not self._session:
            self._session, self._keeper = session, Timekeeper(session) if session else None
        self.timed = bool(session and session.clocks and session.result is None)
        if self.timed:
            self._ticking()
        else:
            self._ticking.cancel()
        self._show()

    def stop(self) -> None:
        """Looks at no clock any more."""
        self._ticking.cancel()

    def tick(self) -> None:
        """The first clock that is up; one at a time, so that people see who is passed over."""
        keeper, rung = self._keeper, list[Ring | None]()
        assert keeper is not None
        if keeper.due == 0 and self._do(lambda: rung.append(keeper.tick())):
            for ring in rung:
                if ring is not None and not ring.quiet:
                    self.dispatch("on_ring", ring.text)
        self._show()

    def _show(self) -> None:
        self.clocks = self._keeper.clocks if self._keeper else []
        self.paused = self.timed and self._session is not None and self._session.paused
