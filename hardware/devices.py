"""All devices of one table: handles what they send, and keeps their displays up to date.

    import threading

    from companion.texts import render
    from hardware.devices import Devices
    from hardware.signals import Inbox
    from hardware.wiring import read_machine_wiring

    awake = threading.Event()
    with Devices(read_machine_wiring(), Inbox(wake=awake.set)) as devices:
        while session.question is not None:
            for sentence in devices.process_signals_and_refresh(session, "en"):
                print(render(sentence, "en"))
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
from companion.session.view import View, make_view
from companion.table.seats import SEAT_COLOURS, Seat
from companion.texts import Say, Text, render, say
from hardware.desk.answers import NO_GAME, DeviceAnswerRefusal, hidden_piece_counts, submit_device_answer
from hardware.desk.prompts import build_seat_panel
from hardware.desk.tags import TagInput
from hardware.device_drivers import (
    DeviceDriver,
    IdentifiableDriver,
    InputDriver,
    InputDriverWithoutDisplay,
    OutputDriver,
    RawInputDriver,
)
from hardware.numpads import InputDeviceSource, make_kernel_inputs
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
    NumpadKeyDown,
    RawInput,
    Signal,
    TagArrived,
    TagLeft,
    TagSignal,
    TagUnreadable,
)
from hardware.wiring import Reader, Section, Wiring
from hardware.wiring.sections import SECTION_TYPE_BY_NAME, InputSection, OutputSection

ALL_SEAT_NUMBERS = range(1, len(SEAT_COLOURS) + 1)
"""The numbers of all seats.

An output device of the table serves those that have no device of their own.
"""
NO_QUESTION_SHOWN = (0, math.inf)
"""Question number and time for a device on which no question is shown."""


DUPLICATE_KEYPAD_TEXT = say(
    "Another keypad has the same id as {seat}'s keypad: {id}. The other keypad isn't used; give it a "
    "different id."
)
"""Message for the table when two keypads have the same id; it appears once."""


class MissingDevice(msgspec.Struct, frozen=True):
    """A device that can't be used, and a message with what people can do.

    A question to its seat waits. `seat` is None for a device of the table.
    """

    seat: Seat | None
    message: Say


def open_header_pins() -> Any:
    """Returns the pins of this machine's header; raises OSError or ImportError if it has none.

    PermissionError if it has pins, but they may not be used.
    """
    from hardware.gpio.gpiod_pins import GpiodFactory

    return GpiodFactory()


class DriverDependencies(NamedTuple):
    """What drivers are made with, besides their sections of the wiring.

    `clock` returns the monotonic seconds of all signals; `pins` opens the pins of the header, which may fail;
    `spi` opens a reader's chip by its path, as `open_reader_at_spi` does; `inputs` finds number pads; buzzers
    wait with `pause`.
    """

    inbox: Inbox
    clock: Callable[[], float]
    pins: Callable[[], Any]
    spi: Callable[..., ReaderChip]
    inputs: Callable[[], InputDeviceSource]
    pause: Callable[[float], None]


def is_peek_at_own_pieces(answer: DeviceAnswer | None) -> bool:
    """Returns whether somebody pressed OWN to see the hidden pieces of their own seat."""
    return isinstance(answer, KeyAnswer) and answer.key == "own"


class SeatDisplayContent:
    """The text on a seat's display: what is entered on another device there, or hidden piece counts.

    Four digits have no room for several counts. Each press of OWN shows one more count, as if it were being
    entered: `22`, `2-14`, `3- 5`; after the last count the display is blank. Any other key hides them.
    """

    def __init__(self) -> None:
        self._revealed_counts: dict[str, str] = {}

    def reveal_next_count(self, device: str, piece_counts: Sequence[int]) -> None:
        """Shows one more of a seat's hidden piece counts, after OWN was pressed."""
        before = self._revealed_counts.pop(device, "")
        many = len(before.split(".")) + 1 if before else 1
        if many <= len(piece_counts):
            self._revealed_counts[device] = ".".join(map(str, piece_counts[:many]))

    def hide_counts(self, device: str) -> None:
        """Hides the counts: another key was pressed, or a different question is open."""
        self._revealed_counts.pop(device, None)

    def display_text(self, device: str, input_driver: InputDriverWithoutDisplay | None) -> str:
        """Returns the text for the display of a device's seat.

        `input_driver` is None for a device with its own display.
        """
        return self._revealed_counts.get(device) or (
            input_driver.current_entry(device) if input_driver else ""
        )


class Devices:
    """The wired devices of one table.

    They start with `open` or `with`, and end with `close`.
    `inbox` wakes the game's thread, which then calls `process_signals_and_refresh`.
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
        inputs: Callable[[], InputDeviceSource] = make_kernel_inputs,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wiring = wiring
        self._inbox = inbox
        self._clock = clock
        self._pins = cache(pins)
        self._context = DriverDependencies(inbox, clock, self._pins, spi, inputs, pause)
        self._sections = {section.device_name: section for _, section in wiring.sections_with_keys()}
        self._seats = {
            device: section.seat_number or 0
            for device, section in self._sections.items()
            if isinstance(section, InputSection)
        }
        self._lost = {
            device: DeviceLost(device, section.lost_reason_at_start)
            for device, section in self._sections.items()
            if isinstance(section, InputSection)
        }
        self._shown_questions: dict[str, tuple[int, float]] = {}
        self._unconfirmed: dict[str, int] = {}
        self._refused: set[str] = set()
        self._inputs: dict[str, InputDriver] = {}
        self._without_display: dict[str, InputDriverWithoutDisplay] = {}
        self._display_content = SeatDisplayContent()
        self._outputs: list[tuple[OutputDriver, Sequence[int]]] = []
        self._drivers: list[DeviceDriver] = []
        self.tag_input = TagInput(wiring.reader, clock)
        self.tag_listener: Callable[[TagSignal], None] | None = None
        """Gets tags in place of the game, while somebody teaches or counts tags."""
        self.signal_listeners: list[Callable[[Signal], None]] = []
        """Receive every signal before it is handled, to test or show the devices."""

    def open(self) -> None:
        """Opens the ports and pins of all devices.

        Each device that people answer with counts as missing until it sends `DeviceFound`. If the packages of
        a device type aren't installed, its devices are lost, and the game goes on without them.
        """
        for section_type in SECTION_TYPE_BY_NAME.values():
            sections = self._wiring.sections_of_type(section_type)
            driver = self._make_driver(sections)
            if driver is None:
                continue
            if issubclass(section_type, InputSection):
                found = {each.device_name: driver for each in sections}
                self._inputs |= found
                self._without_display |= found if isinstance(driver, InputDriverWithoutDisplay) else {}
            elif issubclass(section_type, OutputSection):
                seats = [each.seat_number for each in sections]
                served = [number for number in seats if number is not None]
                self._outputs.append((driver, ALL_SEAT_NUMBERS if None in seats else served))
        for driver in self._drivers:
            driver.start()

    def close(self) -> None:
        """Releases all ports and pins."""
        for opened in self._drivers:
            opened.close()
        if self._pins.cache_info().currsize:
            self._pins().close()

    def process_signals_and_refresh(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals, then refreshes the displays; returns the messages for the whole table.

        To be called when the inbox wakes, and after everything that changes the game or the language.
        `session` is None while no game is played. Front ends that show the game themselves call
        `process_signals` and `refresh_displays`.
        """
        aloud = self.process_signals(session, language)
        self.refresh_displays(session, make_view(session) if session else None, language)
        return aloud

    def process_signals(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals since the last call; returns the messages for the whole table.

        These are: something could not be saved, the rules crashed, or two keypads have the same id.
        """
        aloud = []
        for signal in self._inbox.drain():
            self.tag_input.update_open_question(session)
            for hears in tuple(self.signal_listeners):
                hears(signal)
            match signal:
                case DeviceFound(device):
                    self._lost.pop(device, None)
                case DeviceLost(device):
                    self._lost[device] = signal
                case DuplicateKeypad(device, name) if session and (seat := self._seat_of(session, device)):
                    aloud.append(say(DUPLICATE_KEYPAD_TEXT.template, id=name, seat=seat))
                case ButtonDown() | ButtonHeld() | ButtonUp() | NumpadKeyDown():
                    aloud += self._handle_raw_input(session, signal, language)
                case KeyAnswer() | NumbersAnswer():
                    aloud += self._submit(session, signal, language)
                case TagArrived() | TagLeft() | TagUnreadable():
                    aloud += self._tag(session, signal)
        return aloud

    def refresh_displays(
        self, session: Session | None, public_view: View | None, language: str = "en"
    ) -> None:
        """Shows the public view, and the number of cards on each reader, on every display."""
        self.tag_input.update_open_question(session)
        self._show(cache(partial(self._panel, session, public_view, language=language)))

    def missing_devices_needed_by_game(self, session: Session) -> tuple[MissingDevice, ...]:
        """Returns the missing devices that this game needs, each with a message that says what people can do.

        Readers are needed only if the game has cards.
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
        """All devices that can't be used now, by name, whether the game needs them or not."""
        return dict(self._lost)

    def usability_by_input_device_at_seat(self, seat_number: int) -> Mapping[str, bool]:
        """Returns the usability of each input device at a seat: whether the device can be used now."""
        return {
            device: device not in self._lost
            for device, section in self._sections.items()
            if isinstance(section, InputSection) and section.seat_number == seat_number
        }

    def describe_device(self, device: str) -> Text:
        """Returns a description that a device gives of itself, such as its firmware or chip.

        Returns "" while that isn't known.
        """
        known = (
            each.describe_device(device) for each in self._drivers if isinstance(each, IdentifiableDriver)
        )
        return next((text for text in known if text), "")

    def was_last_answer_refused(self, device: str) -> bool:
        """Returns whether the last answer from this device was refused."""
        return device in self._refused

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _make_driver(self, sections: Sequence[Section]) -> Any:
        """Makes and stores the driver of these devices; None without devices, or if a package is missing."""
        if not sections:
            return None
        try:
            driver = sections[0].driver.make_driver(sections, self._context)
        except ImportError:
            self._lost |= {each.device_name: DeviceLost(each.device_name, "no_package") for each in sections}
            return None
        self._drivers.append(driver)
        return driver

    def _tag(self, session: Session | None, signal: TagSignal) -> list[Say]:
        if self.tag_listener is None:
            return self.tag_input.handle_tag_signal(session, signal)
        self.tag_input.handle_tag_signal(None, signal)
        self.tag_listener(signal)
        return []

    def _handle_raw_input(self, session: Session | None, signal: RawInput, language: str) -> list[Say]:
        presses = self._inputs[signal.device]
        assert isinstance(presses, RawInputDriver)
        if isinstance(signal, ButtonDown | NumpadKeyDown):
            self._refused.discard(signal.device)
        seat = self._seat_of(session, signal.device) if session else None
        part = session.question.question_for(seat) if session and session.question and seat else None
        said = presses.interpret_press(signal, part.form if part else None)
        if said is None:
            self._display_content.hide_counts(signal.device)
            return []
        return self._submit(session, said, language)

    def _submit(self, session: Session | None, answer: DeviceAnswer, language: str) -> list[Say]:
        refused: DeviceAnswerRefusal | None = DeviceAnswerRefusal(NO_GAME)
        seat = self._seat_of(session, answer.device) if session else None
        if session is not None:
            _, shown = self._shown_questions.get(answer.device, NO_QUESTION_SHOWN)
            sure = self._unconfirmed.pop(answer.device, 0) == answer.question
            laid = self.tag_input.tags_for_open_question(session, seat)
            refused = submit_device_answer(
                session, seat, answer, shown, is_confirmed=sure, tags_for_question=laid
            )
        if refused is not None and refused.needs_confirmation:
            self._unconfirmed[answer.device] = answer.question
        end = self._inputs[answer.device]
        if refused is None:
            self._refused.discard(answer.device)
            self._display_content.hide_counts(answer.device)
            end.show_answer_accepted(answer)
            return []
        if not is_peek_at_own_pieces(answer):
            self._refused.add(answer.device)
            self._display_content.hide_counts(answer.device)
        elif session is not None and seat is not None:
            self._display_content.reveal_next_count(answer.device, hidden_piece_counts(session, seat))
        end.show_answer_refused(answer, render(refused.text, language))
        return [] if refused.announcement is None else [refused.announcement]

    def _show(self, panels: Callable[[int], SeatPanel]) -> None:
        """Shows the panels on all devices. A seat's light blinks after a refusal of that seat's answer."""
        for device, end in self._inputs.items():
            asked = panels(self._seats[device])
            if asked.question != self._shown_questions.get(device, NO_QUESTION_SHOWN)[0]:
                self._shown_questions[device] = (asked.question, self._clock())
                self._refused.discard(device)
                self._display_content.hide_counts(device)
            if asked.is_sealed and not asked.question:
                self._refused.discard(device)  # not shown now, it would be when the envelopes are opened
            end.show_panel(device, asked)
        entered = {
            self._seats[device]: text
            for device in self._inputs
            if (text := self._display_content.display_text(device, self._without_display.get(device)))
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
            build_seat_panel(seen, seat, language, len(self.tag_input.tags_for_open_question(session, seat))),
            seat_colour=seat.colour,
            is_sealed=seen.question is not None and seen.question.is_sealed,
        )

    def _seat_of(self, session: Session, device: str) -> Seat | None:
        """Returns who sits at a device; None where nobody plays, and for devices of the table."""
        seats, number = session.table.seats, self._sections[device].seat_number
        return seats.seat_numbered(number) if number is not None and number <= len(seats) else None
