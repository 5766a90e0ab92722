"""Buttons at the pins of the header: reads edges, takes the bounce out, and makes answers of presses.

    import threading

    from hardware.gpio.buttons import ButtonReader
    from hardware.devices import open_header_pins
    from hardware.signals import Inbox
    from hardware.wiring import Buttons
    from hardware.wiring.pins import parse_pin

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with ButtonReader([Buttons(seat=1, tap=parse_pin("GPIO17"))], inbox, pins=open_header_pins):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

The pins' own thread only puts edges into a queue. One thread of `ButtonReader` takes the bounce out
(`hardware.gpio.debounce`) and puts signals into the inbox, in the order of their times: a press waits for a
line that was touched before it and still bounces.
`SeatButtons` makes answers of the presses, in the game's thread. It remembers what each seat has entered for
the open question (`hardware.desk.entry`).
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

from companion.requests import Form
from hardware.desk.entry import ButtonEntry, apply_button_signal, format_button_entry
from hardware.device_drivers import DeviceDriver
from hardware.gpio.debounce import (
    MAX_BOUNCE_SECONDS,
    LevelChange,
    LineEvent,
    handle_edge,
    handle_level_check,
    initial_debounce_state,
)
from hardware.gpio.pin_claims import PinClaims, PinFactory
from hardware.panel import SeatPanel
from hardware.signals import (
    ButtonDown,
    ButtonHeld,
    ButtonName,
    ButtonUp,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    Inbox,
    KeyAnswer,
    LostReason,
    NumbersAnswer,
    RawInput,
    Signal,
)
from hardware.wiring.sections import Buttons

FIRST_HOLD_REPORT_SECONDS = 0.6
"""Time from a press until the first report that the button is held."""
HOLD_REPORT_INTERVAL_SECONDS = 0.12
"""Time between two reports that a button is held."""


class _Button:
    """One button: its gpiozero device, its debounce state, and when it is next reported as held."""

    def __init__(self, device: str, cap: ButtonName, metal: DigitalInputDevice, now: float) -> None:
        self.device, self.cap, self.metal = device, cap, metal
        self.line = initial_debounce_state(now, is_down=self.is_down)
        self.held_at = math.inf

    @property
    def is_down(self) -> bool:
        """The level of the line at this moment."""
        return bool(self.metal.value)

    @property
    def name(self) -> str:
        """The button as people read it."""
        return f"{self.cap} ({self.metal.pin.info.name})"

    @property
    def due(self) -> float:
        return min(self.line.check_due_at, self.held_at) if self.line.is_settled else self.line.check_due_at

    def holds_back(self, now: float) -> float:
        """Returns the time from which other signals must wait for this line.

        Never longer than a bounce lasts.
        """
        since = self.line.pending_change_since
        return since if now - since < MAX_BOUNCE_SECONDS else math.inf


class ButtonReader(DeviceDriver):
    """Reads the wired buttons and sends signals of presses.

    `pins` opens the pin factory. If it can't, every button is lost, and the game goes on without them. A seat
    that lacks a pin held by another program is found when that program frees the pin. `clock` is the clock of
    the kernel's edges.
    """

    def __init__(
        self,
        sections: Sequence[Buttons],
        inbox: Inbox,
        *,
        pins: Callable[[], PinFactory],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sections = sections
        self._inbox = inbox
        self._pins = cache(pins)
        self._clock = clock
        self._buttons: list[_Button] = []
        self._edges: SimpleQueue[tuple[_Button, float, bool] | None] = SimpleQueue()
        # gpiozero holds what it calls weakly.
        self._callbacks: list[Callable[[float, int], None]] = []
        self._troubles: dict[str, dict[ButtonName, DeviceLost]] = {}
        self._queued_signals: list[tuple[float, Signal]] = []
        self._catch_up: Callable[[], object] = lambda: None
        self._closed = False
        self._claims = PinClaims(sections, self._take_pins, inbox)
        self._thread = Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> None:
        """Claims the pins and starts the thread; the buttons of a seat are found together, or lost."""
        self._claims.start()
        self._thread.start()

    def wake(self) -> None:
        """Wakes the thread, which then checks whether something is due."""
        self._edges.put(None)

    def close(self) -> None:
        """Stops the thread and releases the pins."""
        if self._closed:
            return
        self._closed = True
        self._claims.stop_and_wait()
        if self._thread.ident is not None:
            self.wake()
            self._thread.join()
        for button in self._buttons:
            button.metal.close()

    def _take_pins(self, section: Buttons) -> None:
        """Takes all pins of a seat, or none."""
        pins, low = self._pins(), section.active == "low"
        pins.on_thread_failure = partial(self._lose_all, "dead")
        # Other pins than libgpiod's tell of an edge when they will.
        self._catch_up = getattr(pins, "read_pending_edges", self._catch_up)
        buttons = []
        with ExitStack() as taken:
            for name, pin in section.pins.items():
                metal = taken.enter_context(DigitalInputDevice(int(pin), pull_up=low, pin_factory=pins))
                buttons.append(_Button(section.device_name, cast(ButtonName, name), metal, self._clock()))
            for button in buttons:
                self._listen(button, low=low)
            taken.pop_all()
        self._troubles[section.device_name] = {}
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
                self._process_next()
        except BaseException:
            # A game must never wait for buttons that nobody reads.
            self._lose_all("dead")
            raise

    def _process_next(self) -> None:
        due = self._due()
        wait = None if due == math.inf else max(0.0, due - self._clock())
        try:
            happened = self._edges.get(timeout=wait)
        except Empty:
            happened = None
        if happened is not None:
            button, at, is_down = happened
            button.line, news = handle_edge(button.line, at, is_down=is_down)
            self._handle_events(button, news)
        now = self._clock()
        if self._edges.empty() and (self._queued_signals or self._due() <= now):
            self._check_levels(now)

    def _due(self) -> float:
        return min((button.due for button in self._buttons), default=math.inf)

    def _check_levels(self, now: float) -> None:
        levels = {button: button.is_down for button in self._buttons if button.line.check_due_at <= now}
        self._catch_up()
        if not self._edges.empty():
            return  # some of them are older than what was just read
        now = self._clock()
        for button in self._buttons:
            if button in levels:
                button.line, news = handle_level_check(button.line, now, is_down=levels[button])
                self._handle_events(button, news)
            if button.line.is_settled:
                self._report_holds(button, now)
        self._release_signals_before(
            min((button.holds_back(now) for button in self._buttons), default=math.inf)
        )

    def _report_holds(self, button: _Button, until: float) -> None:
        while button.held_at <= until:
            self._queue_signal(button.held_at, ButtonHeld(button.device, button.cap, button.held_at))
            button.held_at += HOLD_REPORT_INTERVAL_SECONDS

    def _handle_events(self, button: _Button, news: Sequence[LineEvent]) -> None:
        for each in news:
            if not isinstance(each, LevelChange):
                self._report_trouble(button, each.trouble)
            elif each.is_down:
                button.held_at = each.at + FIRST_HOLD_REPORT_SECONDS
                self._queue_signal(each.at, ButtonDown(button.device, button.cap, each.at))
            else:
                self._report_holds(button, each.at)
                button.held_at = math.inf
                self._queue_signal(each.at, ButtonUp(button.device, button.cap, each.at))

    def _queue_signal(self, at: float, signal: Signal) -> None:
        insort(self._queued_signals, (at, signal), key=itemgetter(0))

    def _release_signals_before(self, moment: float) -> None:
        while self._queued_signals and self._queued_signals[0][0] < moment:
            self._inbox.put(self._queued_signals.pop(0)[1])

    def _report_trouble(self, button: _Button, why: LostReason | None) -> None:
        """Reports the first bad line of a seat, and when no line is bad any more."""
        troubles = self._troubles[button.device]
        before = next(iter(troubles.values()), None)
        if why is None:
            troubles.pop(button.cap, None)
        else:
            button.held_at = math.inf
            troubles[button.cap] = DeviceLost(button.device, why, button.name)
        after = next(iter(troubles.values()), None)
        if after != before:
            self._queue_signal(
                button.line.last_edge_at, DeviceFound(button.device) if after is None else after
            )

    def _lose_all(self, why: LostReason) -> None:
        self._claims.stop_retrying()
        for wired in self._sections:
            self._inbox.put(DeviceLost(wired.device_name, why))


RECEIPT_NOT_NEEDED = 0
"""Receipt of an answer from buttons, which get no confirmation of their answers."""


class SeatButtons(DeviceDriver):
    """Driver of the wired buttons of all seats; makes answers of presses."""

    def __init__(
        self,
        sections: Sequence[Buttons],
        inbox: Inbox,
        *,
        pins: Callable[[], PinFactory],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._reader = ButtonReader(sections, inbox, pins=pins, clock=clock)
        self._schemes = {each.device_name: each.scheme for each in sections}
        self._entries = {each.device_name: ButtonEntry() for each in sections}
        self._entry_texts = {each.device_name: "" for each in sections}
        self._shown_questions = {each.device_name: (0, math.inf) for each in sections}

    def start(self) -> None:
        """Claims the pins; every seat whose buttons can be read is found."""
        self._reader.start()

    def close(self) -> None:
        """Releases the pins."""
        self._reader.close()

    def interpret_press(self, signal: RawInput, form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a press completes, or None; `form` is that of the seat's question."""
        device = signal.device
        question, shown = self._shown_questions[device]
        if isinstance(signal, ButtonDown) and question and signal.at < shown:
            return None  # meant for the question before, and so is its release
        if form is None or not question:
            unasked = isinstance(signal, ButtonDown)
            return KeyAnswer(device, 0, "ok", signal.at, RECEIPT_NOT_NEEDED) if unasked else None
        entry = self._entries[device]
        self._entries[device], said = apply_button_signal(self._schemes[device], entry, signal, form)
        self._entry_texts[device] = format_button_entry(self._entries[device], form)
        at = (
            dict(entry.held_since_by_button).get(signal.cap, signal.at)
            if isinstance(signal, ButtonUp)
            else signal.at
        )
        match said:
            case None:
                return None
            case "ok" | "no":
                return KeyAnswer(device, question, said, at, RECEIPT_NOT_NEEDED)
        return NumbersAnswer(device, question, said, at, RECEIPT_NOT_NEEDED)

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Shows nothing, because buttons have no display, but notes the question in the seat's panel.

        What was entered for another question is erased.
        """
        if panel.question != self._shown_questions[device][0]:
            self._shown_questions[device] = (panel.question, self._clock())
            self._entries[device] = ButtonEntry()
            self._entry_texts[device] = ""

    def current_entry(self, device: str) -> str:
        """Returns what is entered on a device so far, as keypads show it: `12`, `2.3`."""
        return self._entry_texts[device]

    def show_answer_accepted(self, _answer: DeviceAnswer) -> None:
        """Shows nothing at the buttons, because the seat's light shows it."""

    def show_answer_refused(self, _answer: DeviceAnswer, _reason: str) -> None:
        """Shows nothing at the buttons, because the seat's light blinks."""
