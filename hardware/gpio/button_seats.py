"""The seats that answer with buttons: presses in, answers for the desk out, in the game's thread.

It remembers what each seat has entered for the question that stands there, and forgets it with the
question. What presses mean is decided by `hardware.desk.button_entry`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from companion.requests import Form
from hardware.desk.button_entry import EntryState, apply_button, format_entry
from hardware.gpio.buttons import ButtonReader
from hardware.gpio.taking import Pins
from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.signals import Given, LetGo, Moved, Pressed, Pushed, Typed
from hardware.wiring.sections import Buttons

NO_RECEIPT = 0
"""Nothing waits at a button to hear what came of it."""


class ButtonSeats(Openable):
    """The wired buttons; see `ButtonReader`."""

    def __init__(
        self,
        wired: Sequence[Buttons],
        inbox: Inbox,
        *,
        pins: Callable[[], Pins],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._reader = ButtonReader(wired, inbox, pins=pins, clock=clock)
        self._schemes = {each.device: each.scheme for each in wired}
        self._entries = {each.device: EntryState() for each in wired}
        self._shown = {each.device: "" for each in wired}
        self._asked = {each.device: (0, math.inf) for each in wired}

    def start(self) -> None:
        """Takes the pins; every seat whose buttons can be read is `Found`."""
        self._reader.start()

    def close(self) -> None:
        """Gives the pins back."""
        self._reader.close()

    def heard(self, signal: Moved, form: Form | None) -> Given | None:
        """The answer that a press completes, if any; `form` is what this seat is asked for."""
        device = signal.device
        question, shown = self._asked[device]
        if isinstance(signal, Pushed) and question and signal.at < shown:
            return None  # meant for the question before, and so is its release
        if form is None or not question:
            unasked = isinstance(signal, Pushed)
            return Pressed(device, 0, "ok", signal.at, NO_RECEIPT) if unasked else None
        entry = self._entries[device]
        self._entries[device], said = apply_button(self._schemes[device], entry, signal, form)
        self._shown[device] = format_entry(self._entries[device], form)
        at = dict(entry.down).get(signal.cap, signal.at) if isinstance(signal, LetGo) else signal.at
        match said:
            case None:
                return None
            case "ok" | "no":
                return Pressed(device, question, said, at, NO_RECEIPT)
        return Typed(device, question, said, at, NO_RECEIPT)

    def show(self, device: str, panel: Panel) -> None:
        """From now on this is asked there; with another question what was entered is forgotten."""
        if panel.question != self._asked[device][0]:
            self._asked[device] = (panel.question, self._clock())
            self._entries[device] = EntryState()
            self._shown[device] = ""

    def entry(self, device: str) -> str:
        """What is entered there so far, as keypads show it: `12`, `2.3`."""
        return self._shown[device]

    def taken(self, _said: Given) -> None:
        """The answer counts."""

    def refused(self, _said: Given, _why: str) -> None:
        """It doesn't; the seat's light says so."""
