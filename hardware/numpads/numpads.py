"""USB number pads: keys in, answers for the desk out, in the game's thread.

    [[numpad]]
    seat = 1
    port = "usb-0000:01:00.0-1.3"

Digits are put together as a keypad does it (`hardware.desk.keying`); what is keyed can't be seen, so a pad's
NumLock light, where it has one, blinks when an answer doesn't count, until the next key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from companion.requests import Form
from hardware.desk.keying import Keyed, keyed
from hardware.inbox import Inbox
from hardware.numpads.reader import Inputs, NumpadReader, event_files
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.signals import Given, KeyDown, Lost, Moved, Pressed, Typed
from hardware.wiring.sections import Numpad, port_of

NO_RECEIPT = 0
"""Nothing waits at a number pad to hear what came of it."""


HASTE = 1.0
"""Seconds within which a key and the next belong to one number, even if a question appears between them."""


class Numpads(Openable):
    """The wired number pads; see `NumpadReader`."""

    def __init__(
        self,
        wired: Sequence[Numpad],
        inbox: Inbox,
        *,
        inputs: Callable[[], Inputs] = event_files,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox = inbox
        self._clock = clock
        self._entries = {each.device: Keyed() for each in wired}
        self._asked = {each.device: (0, 0, math.inf) for each in wired}
        self._struck = {each.device: -math.inf for each in wired}
        self._refused: set[str] = set()
        ports = {port_of(each.port): each.device for each in wired}
        self._reader = NumpadReader(ports.get, inbox, inputs)

    def start(self) -> None:
        """Every seat whose pad is plugged in is `Found`."""
        try:
            self._reader.start()
        except ImportError:
            for device in self._entries:
                self._inbox.put(Lost(device, "no_package"))

    def close(self) -> None:
        """Lets go of the pads."""
        self._reader.close()

    def heard(self, signal: Moved, _form: Form | None) -> Given | None:
        """The answer that a key completes, if any; a key while nothing is asked is for the desk to refuse."""
        assert isinstance(signal, KeyDown)
        device, cap, at = signal.device, signal.cap, signal.at
        self._refused.discard(device)
        self._struck[device] = at
        entry = self._entries[device]
        if cap is None:
            self._entries[device] = Keyed()
            return None
        before, now, shown = self._asked[device]
        question = now if at >= shown else before
        self._entries[device], said = keyed(entry, cap, question)
        if isinstance(said, tuple):
            return Typed(device, entry.question, said, at, NO_RECEIPT)
        if said is not None:
            return Pressed(device, question, said, at, NO_RECEIPT)
        is_missing_a_number = cap == "OK"
        if is_missing_a_number or not question:
            return Pressed(device, 0, "ok", at, NO_RECEIPT)  # for no question: the desk refuses it
        return None

    def show(self, device: str, panel: Panel) -> None:
        """From now on this is asked there."""
        _, now, _ = self._asked[device]
        if panel.question != now:
            shown = self._clock()
            self._asked[device] = (now, panel.question, shown)
            self._refused.discard(device)
            # Who fiddled while nothing was asked begins again; of who is typing just now, half a number
            # must not count for the whole.
            if not now and self._struck[device] < shown - HASTE:
                self._entries[device] = Keyed()
        if panel.is_sealed and not panel.question:
            self._refused.discard(device)  # not shown now, it would be when the envelopes are opened
        blinks = device in self._refused and not panel.is_sealed
        self._reader.shine(device, "blink" if blinks else panel.light)

    def entry(self, device: str) -> str:
        """What is keyed there so far: `12`, `2.3`."""
        return self._entries[device].text

    def taken(self, _said: Given) -> None:
        """The answer counts; the light goes with the next panel."""

    def refused(self, said: Given, _why: str) -> None:
        """It doesn't. What lies covered was asked for, not refused: that needs a display."""
        if not (isinstance(said, Pressed) and said.key == "own"):
            self._refused.add(said.device)
