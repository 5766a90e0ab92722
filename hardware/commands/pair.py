"""Asks in the terminal for 1 to be pressed at one seat after the other: `companion hardware pair`.

Pads are not grabbed meanwhile, so that a keyboard can still be typed on. Nothing is written here.
"""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable
from contextlib import ExitStack
from typing import Self

from companion.errors import UserError
from companion.texts import Say, render, say
from hardware.desk.missing import NO_EVDEV
from hardware.doctor.machine import join
from hardware.inbox import Inbox
from hardware.numpads.pairing import Pairing, at_usb, skipped, struck
from hardware.numpads.reader import Inputs, NumpadReader, event_files
from hardware.signals import Found, KeyDown, Lost, Signal
from hardware.wiring.sections import Numpad

CHUNK = 4096
SKIP, STOP = "s", "q"


class _Ears:
    """Hears pads and typed lines; the end of input is as good as `STOP`."""

    def __init__(self, fd: int, inputs: Callable[[], Inputs]) -> None:
        self._fd = fd
        self._opened = ExitStack()
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            self._opened.callback(os.close, end)
        self._inbox = Inbox(self._rouse)
        self._reader = NumpadReader(at_usb, self._inbox, inputs, grab=False)
        # Files may be typed from too, which epoll can't wait for.
        self._selector = self._opened.enter_context(selectors.SelectSelector())
        for end in (fd, self._woken):
            self._selector.register(end, selectors.EVENT_READ)

    def _rouse(self) -> None:
        os.write(self._wake, b"!")

    def hear(self) -> list[Signal | str]:
        """What comes next."""
        heard: list[Signal | str] = []
        for key, _ in self._selector.select():
            said = os.read(key.fd, CHUNK)
            if key.fd == self._woken:
                heard += self._inbox.drain()
            else:
                heard += said.decode("utf-8", "replace").split() if said else [STOP]
        return heard

    def __enter__(self) -> Self:
        self._opened.callback(self._reader.close)
        try:
            self._reader.start()
        except ImportError as error:
            self._opened.close()
            raise UserError(NO_EVDEV) from error
        return self

    def __exit__(self, *_error: object) -> None:
        self._opened.close()


def pair(
    seats: int, tell: Callable[[str], object], *, fd: int = 0, inputs: Callable[[], Inputs] = event_files
) -> tuple[Numpad, ...] | None:
    """The pads of so many seats, as people press them; None if they would rather stop.

    `fd` is where lines are typed. Raises `UserError` where pads can't be read.
    """
    pairing = Pairing(tuple(range(1, seats + 1)))
    with _Ears(fd, inputs) as ears:
        tell(_asked(pairing))
        while pairing.seat is not None:
            seat = pairing.seat
            for heard in ears.hear():
                if heard == STOP:
                    return None
                pairing, remark = _taken(pairing, heard)
                if remark is not None:
                    tell(render(remark))
            if pairing.seat not in (None, seat):
                tell(_asked(pairing))
    return pairing.numpads


def _taken(pairing: Pairing, heard: Signal | str) -> tuple[Pairing, Say | None]:
    match heard:
        case KeyDown(port, cap):
            return struck(pairing, port, cap)
        case Found(port):
            return pairing, say("Number pad found at {port}.", port=port)
        case Lost(why="denied"):
            raise UserError(join("input"))
        case str() if heard == SKIP:
            return skipped(pairing), None
    return pairing, None


def _asked(pairing: Pairing) -> str:
    asked = say(
        "Press 1 on the number pad of seat {number}. If this seat has no number pad, type {skip} and press "
        "Enter. To stop, type {stop} and press Enter.",
        number=pairing.seat or 0,
        skip=SKIP,
        stop=STOP,
    )
    return render(asked)
