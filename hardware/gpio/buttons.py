"""Buttons at the pins of the header: reads edges, removes the bounce, and makes answers of presses.

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

The pins' own thread only puts edges into a queue. One thread of `ButtonReader` removes the bounce
and puts signals into the inbox, in the order of their times: a press waits for a line that was touched
earlier and still bounces.
`SeatButtons` makes answers of the presses, in the game's thread. It remembers what each seat has entered for
the open question (`hardware.desk.entry`).

The functions that remove the bounce from a line are pure. A level counts when it has been stable for
`MIN_STABLE_SECONDS`, with the time of the first edge that led to it. So no press waits longer, and bounce
doesn't change who was first. Then the line is ignored for `MAX_BOUNCE_SECONDS`; after that, its level is
compared with the accepted level. Times are seconds of one monotonic clock.
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
from typing import Literal, NamedTuple, TypeAlias, cast

import msgspec
from gpiozero import DigitalInputDevice
from msgspec.structs import replace

from companion.requests import Form
from hardware.desk.entry import ButtonEntry, apply_button_signal, format_button_entry
from hardware.device_drivers import DeviceDriver, SeatPanel
from hardware.gpio.pin_claims import PinClaims, PinFactory
from hardware.signals import (
    RECEIPT_NOT_NEEDED,
    ButtonDown,
    ButtonName,
    ButtonStillHeld,
    ButtonUp,
    ControlKeyAnswer,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    Inbox,
    LostReason,
    NumbersAnswer,
    RawInput,
    Signal,
)
from hardware.wiring.sections import Buttons

# The bounce of one line


MIN_STABLE_SECONDS = 0.004
"""Minimum time without an edge until a level counts.

Hum and sparks on a long wire are mostly shorter.
"""
MAX_BOUNCE_SECONDS = 0.018
"""Maximum time in which a contact may bounce; cheap buttons need 5 to 15 ms, a finger at least 14."""
MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS = 0.012
"""Minimum seconds between edges that show that the line doesn't chatter: a quiet pause.

Mains hum on a loose wire leaves 10 ms between edges, a finger leaves longer pauses.
"""
MAX_CHATTER_SECONDS = 1.0
"""Maximum seconds that a line may chatter, without a quiet pause, until it counts as faulty.

After this long without edges, the line is sound again.
"""
MAX_PRESSES_PER_SECOND = 15
"""Maximum presses per second on a sound line; a line with more is faulty.

A finger can't make more, and a strong hum makes 50.
"""
PRESS_RATE_WINDOW_SECONDS = 0.999
"""Time in which presses are counted: a little less than a second, so that 15 in one are allowed."""
STUCK_AFTER_SECONDS = 20.0
"""A button that is down for this long is stuck: something lies on it, or its cable is pinched."""

LineFault: TypeAlias = Literal["stuck", "chatters"]


class LevelChange(msgspec.Struct, frozen=True):
    """A change of a button's level: the button went down or came up."""

    is_down: bool
    at: float


class LineFaultChange(msgspec.Struct, frozen=True):
    """A change of a line's fault: the line became faulty, or works again (`fault` None)."""

    fault: LineFault | None


LineEvent: TypeAlias = LevelChange | LineFaultChange


class DebounceState(msgspec.Struct, frozen=True):
    """The debounce state of a line between two edges.

    `is_down` is the accepted level, since `changed_at`. `last_level` is the level of the last edge, at
    `last_edge_at`; the line first left the accepted level at `left_level_at`. While `is_settled` is false,
    the level must be checked: at `mismatch_since` it differed from the last edge, so an edge is late, or lost
    after `MAX_BOUNCE_SECONDS`. Before `ignore_changes_until` no change is accepted. Edges have come without a
    pause since `busy_since`. `recent_presses` are the times of the last presses.
    """

    is_down: bool
    changed_at: float
    last_level: bool
    last_edge_at: float
    busy_since: float
    left_level_at: float = -math.inf
    is_settled: bool = True
    mismatch_since: float = -math.inf
    ignore_changes_until: float = -math.inf
    recent_presses: tuple[float, ...] = ()
    fault: LineFault | None = None

    @property
    def check_due_at(self) -> float:
        """Time at which `handle_level_check` must be called if no edge comes before; infinity for never."""
        if self.fault == "chatters":
            return self.last_edge_at + MAX_CHATTER_SECONDS
        if not self.is_settled:
            return max(self.stable_at, self.mismatch_since + MAX_BOUNCE_SECONDS)
        return self.changed_at + STUCK_AFTER_SECONDS if self.is_down and self.fault is None else math.inf

    @property
    def stable_at(self) -> float:
        """Time at which the level of the last edge counts if no other edge comes before."""
        return max(self.last_edge_at + MIN_STABLE_SECONDS, self.ignore_changes_until)

    @property
    def pending_change_since(self) -> float:
        """Time of the first edge that may still lead to an accepted change; infinity without one."""
        return (
            self.left_level_at if not self.is_settled and self.left_level_at > self.changed_at else math.inf
        )


def initial_debounce_state(at: float, *, is_down: bool) -> DebounceState:
    """Returns the state of a line at the start; a button that is already down was not pressed."""
    return DebounceState(is_down, at, is_down, at, at)


class DebounceResult(NamedTuple):
    """The new state of a line, and the events that people caused or that a fault causes."""

    state: DebounceState
    events: list[LineEvent]


def handle_edge(line: DebounceState, at: float, *, is_down: bool) -> DebounceResult:
    """Handles an edge that the kernel reported."""
    events: list[LineEvent] = []
    if not line.is_settled and at >= line.stable_at:
        line, events = _accept_level(line)
    line = _record_edge(line, at, is_down)
    if line.fault != "chatters" and at - line.busy_since >= MAX_CHATTER_SECONDS:
        return DebounceResult(_mark_chattering(line), [*events, LineFaultChange("chatters")])
    return DebounceResult(line, events)


def handle_level_check(line: DebounceState, now: float, *, is_down: bool) -> DebounceResult:
    """Handles a level that was read because a check was due. No edge may be waiting."""
    if now < line.check_due_at:
        return DebounceResult(line, [])
    if line.fault == "chatters":
        return DebounceResult(initial_debounce_state(now, is_down=is_down), [LineFaultChange(None)])
    if is_down != line.last_level and line.mismatch_since == -math.inf:
        return DebounceResult(replace(line, is_settled=False, mismatch_since=now), [])
    if is_down != line.last_level:
        line = _record_edge(line, line.mismatch_since, is_down)
    if not line.is_settled:
        return _accept_level(line)
    return DebounceResult(replace(line, fault="stuck"), [LineFaultChange("stuck")])


def _record_edge(line: DebounceState, at: float, is_down: bool) -> DebounceState:  # noqa: FBT001 - the level
    was_stable = line.last_level == line.is_down and at - line.last_edge_at >= MIN_STABLE_SECONDS
    is_new = is_down != line.is_down and (was_stable or at - line.left_level_at >= MAX_BOUNCE_SECONDS)
    return replace(
        line,
        last_level=is_down,
        last_edge_at=at,
        left_level_at=at if is_new else line.left_level_at,
        is_settled=line.fault == "chatters",
        mismatch_since=-math.inf,
        busy_since=line.busy_since if at - line.last_edge_at < MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS else at,
    )


def _accept_level(line: DebounceState) -> DebounceResult:
    """Accepts the level that has been stable for long enough."""
    if line.last_level == line.is_down:
        return DebounceResult(replace(line, is_settled=True, mismatch_since=-math.inf), [])
    at, fault_events = line.left_level_at, [LineFaultChange(None)] if line.fault == "stuck" else []
    presses = (
        (*line.recent_presses, at)[-MAX_PRESSES_PER_SECOND - 1 :] if line.last_level else line.recent_presses
    )
    # The line stays unsettled, because edges may be missed until the bounce is over.
    line = replace(
        line,
        is_down=line.last_level,
        changed_at=at,
        ignore_changes_until=at + MAX_BOUNCE_SECONDS,
        recent_presses=presses,
        fault=None,
    )
    if line.is_down and len(presses) > MAX_PRESSES_PER_SECOND and at - presses[0] < PRESS_RATE_WINDOW_SECONDS:
        return DebounceResult(_mark_chattering(line), [*fault_events, LineFaultChange("chatters")])
    return DebounceResult(line, [LevelChange(line.is_down, at), *fault_events])


def _mark_chattering(line: DebounceState) -> DebounceState:
    return replace(line, fault="chatters", is_down=False, is_settled=True)


# The buttons of the seats


FIRST_HOLD_REPORT_SECONDS = 0.6
"""Time from a press until the first report that the button is held."""
HOLD_REPORT_INTERVAL_SECONDS = 0.12
"""Time between two reports that a button is held."""


class _Button:
    """One button: its gpiozero device, its debounce state, and when it is next reported as held."""

    def __init__(self, device: str, cap: ButtonName, gpio_device: DigitalInputDevice, now: float) -> None:
        self.device, self.cap, self.gpio_device = device, cap, gpio_device
        self.debounce = initial_debounce_state(now, is_down=self.is_down)
        self.next_hold_report_at = math.inf

    @property
    def is_down(self) -> bool:
        """The level of the line at this moment."""
        return bool(self.gpio_device.value)

    @property
    def name(self) -> str:
        """The button's name and pin, for people: `plus (GPIO6)`."""
        return f"{self.cap} ({self.gpio_device.pin.info.name})"

    @property
    def next_check_at(self) -> float:
        return (
            min(self.debounce.check_due_at, self.next_hold_report_at)
            if self.debounce.is_settled
            else self.debounce.check_due_at
        )

    def earliest_unsure_press(self, now: float) -> float:
        """Returns the time of a press that this line may still report; infinity without one.

        Signals from this time on must wait, but never longer than a bounce lasts.
        """
        since = self.debounce.pending_change_since
        return since if now - since < MAX_BOUNCE_SECONDS else math.inf


class ButtonReader(DeviceDriver):
    """Reads the wired buttons and sends signals of presses.

    `pins` opens the pin factory. If that fails, every button is lost, and the game goes on without buttons.
    If another program holds a pin, the buttons of the seat are found when that program frees the pin. `clock`
    is the clock of the kernel's edges.
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
        # gpiozero holds only weak references to callbacks.
        self._callbacks: list[Callable[[float, int], None]] = []
        self._troubles_by_device: dict[str, dict[ButtonName, DeviceLost]] = {}
        self._queued_signals: list[tuple[float, Signal]] = []
        self._read_pending_edges: Callable[[], object] = lambda: None
        self._is_closed = False
        self._claims = PinClaims(sections, self._take_pins, inbox)
        self._thread = Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> None:
        """Claims the pins and starts the thread; the buttons of a seat are found or lost together."""
        self._claims.start()
        self._thread.start()

    def wake(self) -> None:
        """Wakes the thread, which then checks whether something is due."""
        self._edges.put(None)

    def close(self) -> None:
        """Stops the thread and releases the pins."""
        if self._is_closed:
            return
        self._is_closed = True
        self._claims.stop_and_wait()
        if self._thread.ident is not None:
            self.wake()
            self._thread.join()
        for button in self._buttons:
            button.gpio_device.close()

    def _take_pins(self, section: Buttons) -> None:
        """Takes all pins of a seat, or none."""
        pins, is_active_low = self._pins(), section.active == "low"
        pins.on_thread_failure = partial(self._report_all_lost, "dead")
        # Only libgpiod's pins can read pending edges; other pins report an edge at any time.
        self._read_pending_edges = getattr(pins, "read_pending_edges", self._read_pending_edges)
        buttons = []
        with ExitStack() as opened_pins:
            for name, pin in section.pins.items():
                gpio_device = opened_pins.enter_context(
                    DigitalInputDevice(int(pin), pull_up=is_active_low, pin_factory=pins)
                )
                buttons.append(
                    _Button(section.device_name, cast(ButtonName, name), gpio_device, self._clock())
                )
            for button in buttons:
                self._watch_edges(button, is_active_low=is_active_low)
            opened_pins.pop_all()
        self._troubles_by_device[section.device_name] = {}
        self._buttons = [*self._buttons, *buttons]  # another list: a thread may be going through this one
        self.wake()

    def _watch_edges(self, button: _Button, *, is_active_low: bool) -> None:
        edges = self._edges

        def queue_edge(ticks: float, state: int) -> None:
            # An exception would end the pins' thread, so nothing in this function can raise.
            edges.put((button, ticks, bool(state) != is_active_low))

        self._callbacks.append(queue_edge)
        button.gpio_device.pin.when_changed = queue_edge

    def _run(self) -> None:
        try:
            while not self._is_closed:
                self._process_next()
        except BaseException:
            # A game must never wait for buttons that no thread reads.
            self._report_all_lost("dead")
            raise

    def _process_next(self) -> None:
        next_check = self._next_check_time()
        seconds = None if next_check == math.inf else max(0.0, next_check - self._clock())
        try:
            edge = self._edges.get(timeout=seconds)
        except Empty:
            edge = None
        if edge is not None:
            button, at, is_down = edge
            button.debounce, events = handle_edge(button.debounce, at, is_down=is_down)
            self._handle_events(button, events)
        now = self._clock()
        if self._edges.empty() and (self._queued_signals or self._next_check_time() <= now):
            self._check_levels(now)

    def _next_check_time(self) -> float:
        return min((button.next_check_at for button in self._buttons), default=math.inf)

    def _check_levels(self, now: float) -> None:
        is_down_by_button = {
            button: button.is_down for button in self._buttons if button.debounce.check_due_at <= now
        }
        self._read_pending_edges()
        if not self._edges.empty():
            return  # some edges are older than the levels that were just read
        # A later time would be wrong from here on: edges that came after the levels wait in the queue.
        for button in self._buttons:
            if button in is_down_by_button:
                button.debounce, events = handle_level_check(
                    button.debounce, now, is_down=is_down_by_button[button]
                )
                self._handle_events(button, events)
            if button.debounce.is_settled:
                self._report_holds(button, now)
        self._release_signals_before(
            min((button.earliest_unsure_press(now) for button in self._buttons), default=math.inf)
        )

    def _report_holds(self, button: _Button, until: float) -> None:
        while button.next_hold_report_at <= until:
            self._queue_signal(
                button.next_hold_report_at,
                ButtonStillHeld(button.device, button.cap, button.next_hold_report_at),
            )
            button.next_hold_report_at += HOLD_REPORT_INTERVAL_SECONDS

    def _handle_events(self, button: _Button, events: Sequence[LineEvent]) -> None:
        for event in events:
            if not isinstance(event, LevelChange):
                self._report_trouble(button, event.fault)
            elif event.is_down:
                button.next_hold_report_at = event.at + FIRST_HOLD_REPORT_SECONDS
                self._queue_signal(event.at, ButtonDown(button.device, button.cap, event.at))
            else:
                self._report_holds(button, event.at)
                button.next_hold_report_at = math.inf
                self._queue_signal(event.at, ButtonUp(button.device, button.cap, event.at))

    def _queue_signal(self, at: float, signal: Signal) -> None:
        insort(self._queued_signals, (at, signal), key=itemgetter(0))

    def _release_signals_before(self, moment: float) -> None:
        while self._queued_signals and self._queued_signals[0][0] < moment:
            self._inbox.put(self._queued_signals.pop(0)[1])

    def _report_trouble(self, button: _Button, reason: LostReason | None) -> None:
        """Reports the first bad line of a seat, and when no line is bad any more."""
        troubles = self._troubles_by_device[button.device]
        old_report = next(iter(troubles.values()), None)
        if reason is None:
            troubles.pop(button.cap, None)
        else:
            button.next_hold_report_at = math.inf
            troubles[button.cap] = DeviceLost(button.device, reason, button.name)
        new_report = next(iter(troubles.values()), None)
        if new_report != old_report:
            self._queue_signal(
                button.debounce.last_edge_at, DeviceFound(button.device) if new_report is None else new_report
            )

    def _report_all_lost(self, reason: LostReason) -> None:
        self._claims.stop_retrying()
        for section in self._sections:
            self._inbox.put(DeviceLost(section.device_name, reason))


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
        self._scheme_by_device = {each.device_name: each.scheme for each in sections}
        self._entry_by_device = {each.device_name: ButtonEntry() for each in sections}
        self._entry_text_by_device = {each.device_name: "" for each in sections}
        self._shown_question_by_device = {each.device_name: (0, math.inf) for each in sections}

    def start(self) -> None:
        """Claims the pins; every seat whose buttons can be read is found."""
        self._reader.start()

    def close(self) -> None:
        """Releases the pins."""
        self._reader.close()

    def interpret_press(self, signal: RawInput, form: Form | None) -> DeviceAnswer | None:
        """Returns the answer that a press completes, or None; `form` is that of the seat's question."""
        device = signal.device
        question, question_shown_at = self._shown_question_by_device[device]
        if isinstance(signal, ButtonDown) and question and signal.at < question_shown_at:
            return None  # the press was meant for the earlier question, and so is its release
        if form is None or not question:
            is_press = isinstance(signal, ButtonDown)
            return ControlKeyAnswer(device, 0, "ok", signal.at, RECEIPT_NOT_NEEDED) if is_press else None
        entry = self._entry_by_device[device]
        self._entry_by_device[device], result = apply_button_signal(
            self._scheme_by_device[device], entry, signal, form
        )
        self._entry_text_by_device[device] = format_button_entry(self._entry_by_device[device], form)
        pressed_at = (
            dict(entry.held_since_by_button).get(signal.button, signal.at)
            if isinstance(signal, ButtonUp)
            else signal.at
        )
        match result:
            case None:
                return None
            case "ok" | "no":
                return ControlKeyAnswer(device, question, result, pressed_at, RECEIPT_NOT_NEEDED)
        return NumbersAnswer(device, question, result, pressed_at, RECEIPT_NOT_NEEDED)

    def show_panel(self, device: str, panel: SeatPanel) -> None:
        """Notes the question in the seat's panel, and erases the entry if the question is new.

        Buttons have no display.
        """
        if panel.question != self._shown_question_by_device[device][0]:
            self._shown_question_by_device[device] = (panel.question, self._clock())
            self._entry_by_device[device] = ButtonEntry()
            self._entry_text_by_device[device] = ""

    def current_entry(self, device: str) -> str:
        """Returns what is entered on a device so far, as keypads show it: `12`, `2.3`."""
        return self._entry_text_by_device[device]

    def handle_answer_accepted(self, _answer: DeviceAnswer) -> None:
        """Does nothing: the seat's light shows that the answer is accepted."""

    def handle_answer_refused(self, _answer: DeviceAnswer, _reason: str) -> None:
        """Does nothing: the seat's light blinks."""
