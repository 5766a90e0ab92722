"""All devices of this machine beside one game: hears them, settles what they say, keeps their displays right.

    import threading

    from hardware.devices import Devices
    from hardware.inbox import Inbox
    from hardware.wiring import read_wiring

    awake = threading.Event()
    with Devices(read_wiring(), Inbox(wake=awake.set)) as devices:
        while session.question is not None:
            for sentence in devices.pump(session, "ja"):
                print(sentence.in_("ja"))
            awake.wait()
            awake.clear()

For the game's thread. What an answer means is decided by the desk.
Metal is touched only where the wiring names some: without keypads pyserial isn't even imported.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

import msgspec

from companion.seats import Seat
from companion.session import Session
from companion.view import view
from companion.words import Say, render, say
from hardware.desk import NO_GAME, UNSURE, Refused, settle
from hardware.inbox import Inbox
from hardware.panel import Panel
from hardware.prompts import panel
from hardware.signals import Answered, Found, Lost, Pressed, Typed, Why
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.keypads import Keypads

WHY: dict[Why, Say] = {
    "unplugged": say("{seat}'s keypad is unplugged. Plug it in again or let {seat} use the screen."),
    "silent": say("{seat}'s keypad says nothing. Plug it in anew or let {seat} use the screen."),
    "another": say("Another keypad is at {seat}'s port. Plug in the right one or let {seat} use the screen."),
    "protocol": say("{seat}'s keypad speaks another version. Let {seat} use the screen."),
    "failed": say("The keypads have failed. Start again or let {seat} use the screen."),
}

NOTHING_YET = (0, math.inf)
"""No question, and when it was shown: never."""


class Missing(msgspec.Struct, frozen=True):
    """A seat whose device can't be used; its question waits. `why` says what to do."""

    seat: Seat
    why: Say


class Devices:
    """The wired devices; starts with `open` or `with`, ends with `close`.

    `inbox` wakes the game's thread, which then calls `pump`.
    `clock` gives the monotonic seconds that signals carry.
    """

    def __init__(self, wiring: Wiring, inbox: Inbox, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._wired = wiring.keypad
        self._inbox = inbox
        self._clock = clock
        self._seats = {keypad.device: keypad.seat for keypad in wiring.keypad}
        self._lost: dict[str, Why] = dict.fromkeys(self._seats, "unplugged")
        self._asked: dict[str, tuple[int, float]] = {}
        self._unsure: dict[str, int] = {}
        self._keypads: Keypads | None = None

    def open(self) -> None:
        """Opens the ports; each device is missing until it answers."""
        if self._wired:
            from hardware.keypads import Keypads

            self._keypads = Keypads(self._wired, self._inbox)
            self._keypads.start()

    def close(self) -> None:
        """Lets go of all ports."""
        if self._keypads is not None:
            self._keypads.close()

    def pump(self, session: Session | None, language: str = "en") -> list[Say]:
        """Settles all that was said since the last time, then brings every display up to date.

        To be called when the inbox wakes and after everything that changes the game or the language;
        None: no game is being played.
        Gives what the whole table must hear: that something could not be saved, or that the rules failed.
        """
        aloud = []
        for signal in self._inbox.drain():
            match signal:
                case Found(device):
                    self._lost.pop(device, None)
                case Lost(device, why):
                    self._lost[device] = why
                case Pressed() | Typed():
                    aloud += self._settle(session, signal, language)
        for device in self._seats:
            self._show(device, self._panel(session, device, language))
        return aloud

    def missing(self, session: Session) -> tuple[Missing, ...]:
        """The seats of this game whose devices can't be used now."""
        seats = {device: self._seat(session, device) for device in self._lost}
        return tuple(
            Missing(seat, say(WHY[self._lost[device]].id, seat=seat))
            for device, seat in seats.items()
            if seat is not None
        )

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _settle(self, session: Session | None, said: Answered, language: str) -> list[Say]:
        assert self._keypads is not None
        refused: Refused | None = Refused(NO_GAME)
        if session is not None:
            _, shown = self._asked.get(said.device, NOTHING_YET)
            sure = self._unsure.pop(said.device, 0) == said.question
            refused = settle(session, self._seat(session, said.device), said, shown, sure=sure)
        if refused == UNSURE:
            self._unsure[said.device] = said.question
        if refused is None:
            self._keypads.taken(said)
            return []
        self._keypads.refused(said, render(refused.text, language))
        return [] if refused.aloud is None else [refused.aloud]

    def _show(self, device: str, panel: Panel) -> None:
        if self._keypads is not None:
            if panel.question != self._asked.get(device, NOTHING_YET)[0]:
                self._asked[device] = (panel.question, self._clock())
            self._keypads.show(device, panel)

    def _panel(self, session: Session | None, device: str, language: str) -> Panel:
        if session is None or session.put_aside or (seat := self._seat(session, device)) is None:
            return Panel()
        return panel(view(session, seat), seat, language)

    def _seat(self, session: Session, device: str) -> Seat | None:
        """Who sits at a device; None where nobody plays."""
        seats, number = session.table.seats, self._seats[device]
        return seats.numbered(number) if number <= len(seats) else None
