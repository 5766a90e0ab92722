"""All devices of one table: handles what they send, and keeps their displays up to date.

    import threading

    from hardware.devices import Devices
    from hardware.signals import Inbox
    from hardware.wiring import read_wiring

    awake = threading.Event()
    with Devices(read_wiring(), Inbox(wake=awake.set)) as devices:
        while session.question is not None:
            for sentence in devices.pump(session, "en"):
                print(sentence.in_("en"))
            awake.wait()
            awake.clear()

For the game's thread. The desk decides what an answer means.
A driver loads only if the wiring names a device for it: without keypads pyserial isn't imported, and without
devices at pins gpiozero isn't.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from companion.session.session import Session
from companion.session.view import View, view
from companion.table.seats import SEAT_COLOURS, Seat
from companion.texts import Say, Text, render, say
from hardware.desk.answers import NO_GAME, KeyRefusal, hidden_counts, submit
from hardware.desk.prompts import seat_panel
from hardware.desk.tags import TagInput
from hardware.device_drivers import (
    ButtonInput,
    DeviceDriver,
    Identifiable,
    InputDevice,
    InputWithoutDisplay,
    OutputDevice,
)
from hardware.numpads import InputSource, kernel_inputs
from hardware.panel import SeatPanel
from hardware.rfid.readers import ReaderChip, open_reader_at_spi
from hardware.signals import (
    ButtonDown,
    ButtonHeld,
    ButtonUp,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    DuplicateKeypad,
    Inbox,
    KeyAnswer,
    NumbersAnswer,
    PadKeyDown,
    RawInput,
    Signal,
    TagArrived,
    TagLeft,
    TagSignal,
    TagUnreadable,
)
from hardware.wiring import Reader, Section, Wiring
from hardware.wiring.sections import SECTION_TYPES, InputSection, OutputSection

ALL_SEAT_NUMBERS = range(1, len(SEAT_COLOURS) + 1)
"""An output device of the table also serves the seats that have no device of their own."""
NO_QUESTION_SHOWN = (0, math.inf)
"""No question, and the time at which it was shown: never."""


DUPLICATE_KEYPAD_TEXT = say(
    "Another keypad has the same id as {seat}'s keypad: {id}. The other keypad isn't used; give it a "
    "different id."
)
"""The text for the table when two keypads have the same id; it is announced once."""


class MissingDevice(msgspec.Struct, frozen=True):
    """A device that can't be used, and what people can do; a question to its seat waits.

    No seat: the table's device.
    """

    seat: Seat | None
    message: Say


def open_header_pins() -> Any:
    """Returns the pins of this machine's header; raises OSError or ImportError if it has none.

    PermissionError if it has pins, but they may not be used.
    """
    from hardware.gpio.gpiod_pins import GpiodFactory

    return GpiodFactory()


class DeviceContext(NamedTuple):
    """What drivers are made with, beside their sections.

    `clock` returns the monotonic seconds of all signals; `pins` returns the pins of the header, which may
    fail; `spi` opens a reader's chip by its path, as `open_reader_at_spi` does; `inputs` finds number pads;
    buzzers wait with `pause`.
    """

    inbox: Inbox
    clock: Callable[[], float]
    pins: Callable[[], Any]
    spi: Callable[..., ReaderChip]
    inputs: Callable[[], InputSource]
    pause: Callable[[float], None]


def is_peek(said: DeviceAnswer | None) -> bool:
    """Returns whether somebody pressed OWN to see the hidden pieces of their own seat."""
    return isinstance(said, KeyAnswer) and said.key == "own"


class EntryEcho:
    """What a seat's display shows of another device at that seat: the current entry, or hidden counts.

    Four digits have no room for several counts. Each press of OWN shows one count more, as if it were being
    entered: `22`, `2-14`, `3- 5`; after the last count the display is blank. Any other key ends it.
    """

    def __init__(self) -> None:
        self._own: dict[str, str] = {}

    def show_next_count(self, device: str, counts: Sequence[int]) -> None:
        """OWN was pressed: shows one more of these counts."""
        before = self._own.pop(device, "")
        many = len(before.split(".")) + 1 if before else 1
        if many <= len(counts):
            self._own[device] = ".".join(map(str, counts[:many]))

    def end_peek(self, device: str) -> None:
        """Hides the counts: another key was pressed, or a different question is open."""
        self._own.pop(device, None)

    def text_for(self, device: str, end: InputWithoutDisplay | None) -> str:
        """Returns what the display of this device's seat shows.

        `end` is None for a device with its own display.
        """
        return self._own.get(device) or (end.current_entry(device) if end else "")


class Devices:
    """The wired devices of one table; starts with `open` or `with`, ends with `close`.

    `inbox` wakes the game's thread, which then calls `pump`.
    `clock` returns the monotonic seconds that signals carry; `pins` returns the pins of the header; `spi`
    opens a reader's chip by its path; `inputs` finds number pads; buzzers wait with `pause`.
    """

    def __init__(  # noqa: PLR0913 - each a way to the metal, with the real one as default
        self,
        wiring: Wiring,
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        pins: Callable[[], Any] = open_header_pins,
        spi: Callable[..., ReaderChip] = open_reader_at_spi,
        inputs: Callable[[], InputSource] = kernel_inputs,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wiring = wiring
        self._inbox = inbox
        self._clock = clock
        self._pins = cache(pins)
        self._context = DeviceContext(inbox, clock, self._pins, spi, inputs, pause)
        self._sections = {section.device_name: section for _, section in wiring.named_sections()}
        self._seats = {
            device: section.seat_number or 0
            for device, section in self._sections.items()
            if isinstance(section, InputSection)
        }
        self._lost = {
            device: DeviceLost(device, section.reason_at_start)
            for device, section in self._sections.items()
            if isinstance(section, InputSection)
        }
        self._asked: dict[str, tuple[int, float]] = {}
        self._unconfirmed: dict[str, int] = {}
        self._refused: set[str] = set()
        self._inputs: dict[str, InputDevice] = {}
        self._without_display: dict[str, InputWithoutDisplay] = {}
        self._echo = EntryEcho()
        self._outputs: list[tuple[OutputDevice, Sequence[int]]] = []
        self._drivers: list[DeviceDriver] = []
        self.tag_input = TagInput(wiring.reader, clock)
        self.tag_listener: Callable[[TagSignal], None] | None = None
        """Gets tags in place of the game, while somebody teaches or counts tags."""
        self.signal_listeners: list[Callable[[Signal], None]] = []
        """Get every signal before it is handled: whoever tests or shows the devices."""

    def open(self) -> None:
        """Opens ports and pins.

        Each device that people answer with counts as missing until it sends `DeviceFound`.

        If the packages of a device type aren't installed, its devices are lost, and the game goes on without
        them.
        """
        for section_type in SECTION_TYPES.values():
            sections = self._wiring.of_type(section_type)
            driver = self._make_driver(sections)
            if driver is None:
                continue
            if issubclass(section_type, InputSection):
                found = {each.device_name: driver for each in sections}
                self._inputs |= found
                self._without_display |= found if isinstance(driver, InputWithoutDisplay) else {}
            elif issubclass(section_type, OutputSection):
                seats = [each.seat_number for each in sections]
                served = [number for number in seats if number is not None]
                self._outputs.append((driver, ALL_SEAT_NUMBERS if None in seats else served))
        for driver in self._drivers:
            driver.start()

    def close(self) -> None:
        """Frees all ports and pins."""
        for opened in self._drivers:
            opened.close()
        if self._pins.cache_info().currsize:
            self._pins().close()

    def pump(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals, then refreshes the displays.

        Returns the sentences that the whole table must hear.

        To be called when the inbox wakes, and after everything that changes the game or the language.
        `session` is None while no game is played. Front ends that show the game themselves call
        `process_signals` and `refresh_displays`.
        """
        aloud = self.process_signals(session, language)
        self.refresh_displays(session, view(session) if session else None, language)
        return aloud

    def process_signals(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals since the last call.

        Returns what the whole table must hear: that something could not be saved, that the rules crashed, or
        that two keypads have the same id.
        """
        aloud = []
        for signal in self._inbox.drain():
            self.tag_input.update_question(session)
            for hears in tuple(self.signal_listeners):
                hears(signal)
            match signal:
                case DeviceFound(device):
                    self._lost.pop(device, None)
                case DeviceLost(device):
                    self._lost[device] = signal
                case DuplicateKeypad(device, name) if session and (seat := self._seat_of(session, device)):
                    aloud.append(say(DUPLICATE_KEYPAD_TEXT.template, id=name, seat=seat))
                case ButtonDown() | ButtonHeld() | ButtonUp() | PadKeyDown():
                    aloud += self._handle_raw_input(session, signal, language)
                case KeyAnswer() | NumbersAnswer():
                    aloud += self._submit(session, signal, language)
                case TagArrived() | TagLeft() | TagUnreadable():
                    aloud += self._tag(session, signal)
        return aloud

    def refresh_displays(self, session: Session | None, seen: View | None, language: str = "en") -> None:
        """Brings every display up to date with the public view, and the number of cards on each reader."""
        self.tag_input.update_question(session)
        self._show(cache(partial(self._panel, session, seen, language=language)))

    def missing_devices(self, session: Session) -> tuple[MissingDevice, ...]:
        """Returns the lost devices that this game needs, with what to do.

        Readers only if the game has cards.
        """
        found = []
        for device, lost in self._lost.items():
            section, seat = self._sections[device], self._seat_of(session, device)
            is_needed = not isinstance(section, Reader) or bool(session.began.decks)
            if is_needed and (seat is not None or section.seat_number is None):
                found.append(MissingDevice(seat, section.describe_missing(lost, seat)))
        return tuple(found)

    @property
    def lost_devices(self) -> Mapping[str, DeviceLost]:
        """Every device that can't be used now, needed or not, by name."""
        return dict(self._lost)

    def devices_at_seat(self, number: int) -> Mapping[str, bool]:
        """Returns the devices that a seat answers with, and whether each can be used now."""
        return {
            device: device not in self._lost
            for device, section in self._sections.items()
            if isinstance(section, InputSection) and section.seat_number == number
        }

    def describe_device(self, device: str) -> Text:
        """Returns what a device says it is, such as its firmware or chip; "" while that isn't known."""
        known = (each.describe_device(device) for each in self._drivers if isinstance(each, Identifiable))
        return next((text for text in known if text), "")

    def was_refused(self, device: str) -> bool:
        """Returns whether the last answer from this device was refused."""
        return device in self._refused

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _make_driver(self, sections: Sequence[Section]) -> Any:
        """Makes and keeps the driver of these devices; None if there are none, or if a package is missing."""
        if not sections:
            return None
        try:
            driver = sections[0].driver.make(sections, self._context)
        except ImportError:
            self._lost |= {each.device_name: DeviceLost(each.device_name, "no_package") for each in sections}
            return None
        self._drivers.append(driver)
        return driver

    def _tag(self, session: Session | None, signal: TagSignal) -> list[Say]:
        if self.tag_listener is None:
            return self.tag_input.handle_signal(session, signal)
        self.tag_input.handle_signal(None, signal)
        self.tag_listener(signal)
        return []

    def _handle_raw_input(self, session: Session | None, signal: RawInput, language: str) -> list[Say]:
        presses = self._inputs[signal.device]
        assert isinstance(presses, ButtonInput)
        if isinstance(signal, ButtonDown | PadKeyDown):
            self._refused.discard(signal.device)
        seat = self._seat_of(session, signal.device) if session else None
        part = session.question.question_for(seat) if session and session.question and seat else None
        said = presses.handle_signal(signal, part.form if part else None)
        if said is None:
            self._echo.end_peek(signal.device)
            return []
        return self._submit(session, said, language)

    def _submit(self, session: Session | None, said: DeviceAnswer, language: str) -> list[Say]:
        refused: KeyRefusal | None = KeyRefusal(NO_GAME)
        seat = self._seat_of(session, said.device) if session else None
        if session is not None:
            _, shown = self._asked.get(said.device, NO_QUESTION_SHOWN)
            sure = self._unconfirmed.pop(said.device, 0) == said.question
            laid = self.tag_input.current_tags(session, seat)
            refused = submit(session, seat, said, shown, is_confirmed=sure, tags_on_reader=laid)
        if refused is not None and refused.needs_confirmation:
            self._unconfirmed[said.device] = said.question
        end = self._inputs[said.device]
        if refused is None:
            self._refused.discard(said.device)
            self._echo.end_peek(said.device)
            end.show_answer_accepted(said)
            return []
        if not is_peek(said):
            self._refused.add(said.device)
            self._echo.end_peek(said.device)
        elif session is not None and seat is not None:
            self._echo.show_next_count(said.device, hidden_counts(session, seat))
        end.show_answer_refused(said, render(refused.text, language))
        return [] if refused.announcement is None else [refused.announcement]

    def _show(self, panels: Callable[[int], SeatPanel]) -> None:
        """Brings everything up to date that shows something; a seat's light tells of its own refusal."""
        for device, end in self._inputs.items():
            asked = panels(self._seats[device])
            if asked.question != self._asked.get(device, NO_QUESTION_SHOWN)[0]:
                self._asked[device] = (asked.question, self._clock())
                self._refused.discard(device)
                self._echo.end_peek(device)
            if asked.is_sealed and not asked.question:
                self._refused.discard(device)  # not shown now, it would be when the envelopes are opened
            end.show_panel(device, asked)
        entered = {
            self._seats[device]: text
            for device in self._inputs
            if (text := self._echo.text_for(device, self._without_display.get(device)))
        }
        refused = {self._seats[device] for device in self._refused}
        for teller, seats in self._outputs:
            for seat in seats:
                asked = replace(panels(seat), entry=entered.get(seat, ""))
                # Of an envelope nobody else may see that it was refused: what a 0 means may be asked again.
                blinks = seat in refused and not asked.is_sealed
                teller.show_panel(seat, replace(asked, light="blink") if blinks else asked)

    def _panel(self, session: Session | None, seen: View | None, number: int, *, language: str) -> SeatPanel:
        """Returns what a seat's devices show; an empty panel where nobody plays."""
        if session is None or seen is None or session.is_put_away or number > len(seen.seats):
            return SeatPanel()
        seat = seen.seats.seat_numbered(number)
        return replace(
            seat_panel(seen, seat, language, len(self.tag_input.current_tags(session, seat))),
            colour=seat.colour,
            is_sealed=seen.question is not None and seen.question.is_sealed,
        )

    def _seat_of(self, session: Session, device: str) -> Seat | None:
        """Returns who sits at a device; None where nobody plays, and for devices of the table."""
        seats, number = session.table.seats, self._sections[device].seat_number
        return seats.seat_numbered(number) if number is not None and number <= len(seats) else None
