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
Metal is touched only where the wiring names some: without keypads pyserial isn't even imported, and
without buttons and lights neither is gpiozero.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec

from companion.seats import Seat
from companion.session import Session
from companion.view import view
from companion.words import Say, render, say
from hardware.desk import NO_GAME, UNSURE, Refused, settle
from hardware.header import header_pins
from hardware.inbox import Inbox
from hardware.panel import Panel
from hardware.prompts import panel, part_of
from hardware.signals import Answered, Found, Held, LetGo, Lost, Moved, Pressed, Pushed, Typed, Why
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.button_seats import ButtonSeats
    from hardware.lights import Lights

WHY: dict[Why, Say] = {
    "unplugged": say("{seat}'s keypad is unplugged. Plug it in again or let {seat} use the screen."),
    "silent": say("{seat}'s keypad says nothing. Plug it in anew or let {seat} use the screen."),
    "another": say("Another keypad is at {seat}'s port. Plug in the right one or let {seat} use the screen."),
    "protocol": say("{seat}'s keypad speaks another version. Let {seat} use the screen."),
    "failed": say("The keypads have failed. Start again or let {seat} use the screen."),
    "no_pins": say("{seat}'s buttons can't be read here. Let {seat} use the screen."),
    "stuck": say("{seat}'s button {what} doesn't come up. Free it or let {seat} use the screen."),
    "chatters": say("{seat}'s button {what} has a loose wire. Mend it or let {seat} use the screen."),
    "dead": say("The buttons have failed. Start again or let {seat} use the screen."),
}

NOTHING_YET = (0, math.inf)
"""No question, and when it was shown: never."""


class Missing(msgspec.Struct, frozen=True):
    """A seat whose device can't be used; its question waits. `why` says what to do."""

    seat: Seat
    why: Say


class Answering(Protocol):
    """Devices of one kind that people answer with."""

    def start(self) -> None:
        """Begins to listen."""

    def close(self) -> None:
        """Lets go."""

    def show(self, device: str, panel: Panel) -> None:
        """From now on this is asked there."""

    def taken(self, answer: Answered) -> None:
        """The answer is committed."""

    def refused(self, answer: Answered, why: str) -> None:
        """The answer doesn't count."""


class Devices:
    """The wired devices; starts with `open` or `with`, ends with `close`.

    `inbox` wakes the game's thread, which then calls `pump`.
    `clock` gives the monotonic seconds that signals carry; `pins` the pins of the header.
    """

    def __init__(
        self,
        wiring: Wiring,
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        pins: Callable[[], Any] = header_pins,
    ) -> None:
        self._wired = wiring
        self._inbox = inbox
        self._clock = clock
        self._pins = cache(pins)
        self._seats = {each.device: each.seat for each in wiring.keypad}
        self._seats |= {each.device: each.seat for each in wiring.buttons}
        self._lost = {each.device: Lost(each.device, "unplugged") for each in wiring.keypad}
        self._lost |= {each.device: Lost(each.device, "no_pins") for each in wiring.buttons}
        self._asked: dict[str, tuple[int, float]] = {}
        self._unsure: dict[str, int] = {}
        self._ends: dict[str, Answering] = {}
        self._buttons: ButtonSeats | None = None
        self._lights: Lights | None = None

    def open(self) -> None:
        """Opens ports and pins; each device is missing until it answers."""
        if self._wired.keypad:
            from hardware.keypads import Keypads

            keypads = Keypads(self._wired.keypad, self._inbox)
            self._ends |= {each.device: keypads for each in self._wired.keypad}
        if self._wired.buttons:
            from hardware.button_seats import ButtonSeats

            self._buttons = ButtonSeats(self._wired.buttons, self._inbox, pins=self._pins, clock=self._clock)
            self._ends |= {each.device: self._buttons for each in self._wired.buttons}
        if self._wired.light:
            from hardware.lights import Lights

            self._lights = Lights(self._wired.light, self._pins)
        for end in self._kinds():
            end.start()

    def close(self) -> None:
        """Lets go of all ports and pins."""
        for end in self._kinds():
            end.close()
        if self._lights is not None:
            self._lights.close()
        if self._pins.cache_info().currsize:
            self._pins().close()

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
                case Lost(device) if device in self._seats:
                    self._lost[device] = signal
                case Pushed() | Held() | LetGo():
                    aloud += self._moved(session, signal, language)
                case Pressed() | Typed():
                    aloud += self._settle(session, signal, language)
        for device in self._ends:
            self._show(device, self._panel(session, self._seats[device], language))
        self._shine(session)
        return aloud

    def missing(self, session: Session) -> tuple[Missing, ...]:
        """The seats of this game whose devices can't be used now."""
        return tuple(
            Missing(seat, say(WHY[lost.why].id, seat=seat, what=lost.what))
            for device, lost in self._lost.items()
            if (seat := self._seat(session, device)) is not None
        )

    def is_refused(self, device: str) -> bool:
        """Whether what was last answered with these buttons didn't count."""
        return self._buttons is not None and self._buttons.is_refused(device)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _moved(self, session: Session | None, signal: Moved, language: str) -> list[Say]:
        assert self._buttons is not None
        seat = self._seat(session, signal.device) if session else None
        part = part_of(session.question, seat) if session and seat else None
        said = self._buttons.heard(signal, part)
        return [] if said is None else self._settle(session, said, language)

    def _kinds(self) -> list[Answering]:
        """Each kind of device that is open, once."""
        return list(dict.fromkeys(self._ends.values()))

    def _settle(self, session: Session | None, said: Answered, language: str) -> list[Say]:
        refused: Refused | None = Refused(NO_GAME)
        if session is not None:
            _, shown = self._asked.get(said.device, NOTHING_YET)
            sure = self._unsure.pop(said.device, 0) == said.question
            refused = settle(session, self._seat(session, said.device), said, shown, sure=sure)
        if refused == UNSURE:
            self._unsure[said.device] = said.question
        end = self._ends[said.device]
        if refused is None:
            end.taken(said)
            return []
        end.refused(said, render(refused.text, language))
        return [] if refused.aloud is None else [refused.aloud]

    def _show(self, device: str, panel: Panel) -> None:
        if panel.question != self._asked.get(device, NOTHING_YET)[0]:
            self._asked[device] = (panel.question, self._clock())
        self._ends[device].show(device, panel)

    def _shine(self, session: Session | None) -> None:
        """A light tells its seat that the table waits for it, or that its buttons weren't understood."""
        if self._lights is None:
            return
        for light in self._wired.light:
            asked = self._panel(session, light.seat, "en").light
            refused = self.is_refused(f"buttons {light.seat}")
            self._lights.show(light.seat, "blink" if refused else asked)

    def _panel(self, session: Session | None, number: int, language: str) -> Panel:
        """What is shown at a seat; nothing where nobody plays."""
        if session is None or session.put_aside or number > len(session.table.seats):
            return Panel()
        seat = session.table.seats.numbered(number)
        return panel(view(session, seat), seat, language)

    def _seat(self, session: Session, device: str) -> Seat | None:
        """Who sits at a device; None where nobody plays."""
        seats, number = session.table.seats, self._seats[device]
        return seats.numbered(number) if number <= len(seats) else None
