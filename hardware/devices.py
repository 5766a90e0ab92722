"""All devices of one table: `Devices` handles their signals, and keeps their displays up to date.

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

Only the game's thread may use the devices. The desk decides what an answer means.
A driver is imported only if the wiring names a device for it: without keypads pyserial isn't imported, and
without devices at pins gpiozero isn't.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from companion.requests import Together
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.seats import SEAT_COLOURS, Seat
from companion.texts import Say, Text, render, say
from hardware.desk.answers import (
    NO_GAME_TEXT,
    DeviceAnswerRefusal,
    find_device_question,
    hidden_piece_counts,
    submit_device_answer,
)
from hardware.desk.prompts import build_seat_panel
from hardware.desk.tags import TagInput
from hardware.device_drivers import (
    DeviceDriver,
    InputDriver,
    InputDriverWithoutDisplay,
    OutputDriver,
    RawInputDriver,
    SeatPanel,
    SelfDescribingDriver,
)
from hardware.numpads import InputDeviceSource, make_kernel_input_devices
from hardware.rfid.readers import ReaderChip, open_reader_at_spi
from hardware.signals import (
    ButtonDown,
    ButtonStillHeld,
    ButtonUp,
    ControlKeyAnswer,
    DeviceAnswer,
    DeviceFound,
    DeviceLost,
    DuplicateKeypad,
    Inbox,
    NumbersAnswer,
    NumpadKeyDown,
    PhoneSignal,
    RawInput,
    Signal,
    TagArrived,
    TagLeft,
    TagSignal,
    TagUnreadable,
    WebLinkLost,
    WebSignal,
)
from hardware.wiring import Reader, Section, Wiring
from hardware.wiring.sections import SECTION_TYPE_BY_NAME, InputSection, OutputSection

ALL_SEAT_NUMBERS = range(1, len(SEAT_COLOURS) + 1)
"""The numbers of all seats; an output device of the table gets the panels of all of them."""
NO_QUESTION_SHOWN = (0, math.inf)
"""Question number and time for a device on which no question is shown."""


DUPLICATE_KEYPAD_TEXT = say(
    "Another keypad has the same id as {seat}'s keypad: {id}. The other keypad isn't used; give it a "
    "different id."
)
"""Message for the table when two keypads have the same id; the message appears once."""


class MissingDevice(msgspec.Struct, frozen=True):
    """A device that can't be used, and a message with what people can do.

    A question to the seat of the device waits. `seat` is None for a device of the table.
    """

    seat: Seat | None
    message: Say


PhoneListener = Callable[[WebSignal, Session | None], Sequence[Say]]


def _ignore_phones(_signal: WebSignal, _session: Session | None) -> Sequence[Say]:
    return ()


def open_header_pins() -> Any:
    """Returns the pins of this machine's header.

    Raises OSError or ImportError if the machine has none, PermissionError if its pins may not be used.
    """
    from hardware.gpio.gpiod_pins import GpiodFactory

    return GpiodFactory()


class DriverDependencies(NamedTuple):
    """What a driver needs besides its sections of the wiring.

    `clock` returns the monotonic seconds of all signals; `pins` opens the pins of the header, which may
    fail; `spi` opens a reader's chip by its path, as `open_reader_at_spi` does;
    `inputs` finds number pads; buzzers wait with `pause`.
    """

    inbox: Inbox
    clock: Callable[[], float]
    pins: Callable[[], Any]
    spi: Callable[..., ReaderChip]
    inputs: Callable[[], InputDeviceSource]
    pause: Callable[[float], None]


def is_peek_at_own_pieces(answer: DeviceAnswer | None) -> bool:
    """Returns whether somebody pressed OWN to see the hidden pieces of their own seat."""
    return isinstance(answer, ControlKeyAnswer) and answer.key == "own"


class SeatDisplayContent:
    """The text on a seat's display: what is entered on another device there, or hidden piece counts.

    Four digits have no room for several counts. Each press of OWN shows one more count, as if it were being
    entered: `22`, `2-14`, `3- 5`; after the last count the display is blank. Any other key hides them.
    """

    def __init__(self) -> None:
        self._revealed_counts: dict[str, str] = {}

    def show_next_hidden_count(self, device: str, piece_counts: Sequence[int]) -> None:
        """Shows one more of a seat's hidden piece counts, after OWN was pressed."""
        shown_text = self._revealed_counts.pop(device, "")
        count_number = len(shown_text.split(".")) + 1 if shown_text else 1
        if count_number <= len(piece_counts):
            self._revealed_counts[device] = ".".join(map(str, piece_counts[:count_number]))

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

    `open` or `with` starts the devices, and `close` ends them. `inbox` wakes the game's thread, which then
    calls `process_signals_and_refresh`. `clock` returns the monotonic seconds that signals carry; `pins`
    returns the pins of the header; `spi` opens a reader's chip by its path; `inputs`
    finds number pads; buzzers wait with `pause`.
    """

    phone_listener: PhoneListener = staticmethod(_ignore_phones)
    """Gets what phones do, in its order among the signals; returns messages for the whole table."""

    def __init__(  # noqa: PLR0913 - each a way to the metal, with the real one as default
        self,
        wiring: Wiring,
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        pins: Callable[[], Any] = open_header_pins,
        spi: Callable[..., ReaderChip] = open_reader_at_spi,
        inputs: Callable[[], InputDeviceSource] = make_kernel_input_devices,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wiring = wiring
        self._inbox = inbox
        self._clock = clock
        self._pins = cache(pins)
        self._driver_dependencies = DriverDependencies(inbox, clock, self._pins, spi, inputs, pause)
        self._section_by_device = {section.device_name: section for _, section in wiring.sections_with_keys()}
        self._seat_number_by_device = {
            device: section.seat_number or 0
            for device, section in self._section_by_device.items()
            if isinstance(section, InputSection)
        }
        self._lost_by_device = {
            device: DeviceLost(device, section.lost_reason_until_first_signal)
            for device, section in self._section_by_device.items()
            if isinstance(section, InputSection)
        }
        self._shown_question_by_device: dict[str, tuple[int, float]] = {}
        self._unconfirmed_answer_by_device: dict[str, tuple[int, object]] = {}
        """The question and the keys of a device's last answer, if they count only when entered again."""
        self._refused_devices: set[str] = set()
        self._input_driver_by_device: dict[str, InputDriver] = {}
        self._displayless_driver_by_device: dict[str, InputDriverWithoutDisplay] = {}
        self._display_content = SeatDisplayContent()
        self._output_drivers: list[tuple[OutputDriver, Sequence[int]]] = []
        """Each output driver, with the numbers of the seats whose panels it shows."""
        self._drivers: list[DeviceDriver] = []
        self.tag_input = TagInput(wiring.reader, clock)
        self.tag_listener: Callable[[TagSignal], None] | None = None
        """Gets tags in place of the game, while somebody teaches or counts tags."""
        self.find_shown_round: Callable[[Session], Together[Any] | None] = lambda _: None
        """Returns the upcoming round that is shown now instead of the session's open menu, if one is."""
        self.signal_listeners: list[Callable[[Signal], None]] = []
        """Functions that get every signal before it is handled, to test or show the devices."""

    def open(self) -> None:
        """Opens the ports and pins of all devices.

        Each device that people answer with counts as missing until it sends `DeviceFound`. If the packages of
        a device type aren't installed, its devices are lost, and the game goes on without them. If a driver
        can't start, everything is released again.
        """
        for section_type in SECTION_TYPE_BY_NAME.values():
            sections = self._wiring.sections_of_type(section_type)
            driver = self._make_driver(sections)
            if driver is None:
                continue
            if issubclass(section_type, InputSection):
                driver_by_device = {section.device_name: driver for section in sections}
                self._input_driver_by_device |= driver_by_device
                self._displayless_driver_by_device |= (
                    driver_by_device if isinstance(driver, InputDriverWithoutDisplay) else {}
                )
            elif issubclass(section_type, OutputSection):
                seat_numbers = [section.seat_number for section in sections]
                own_device_numbers = [number for number in seat_numbers if number is not None]
                self._output_drivers.append(
                    (driver, ALL_SEAT_NUMBERS if None in seat_numbers else own_device_numbers)
                )
        try:
            for driver in self._drivers:
                driver.start()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Releases all ports and pins."""
        for driver in self._drivers:
            driver.close()
        if self._pins.cache_info().currsize:
            self._pins().close()

    def process_signals_and_refresh(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals, then refreshes the displays; returns the messages for the whole table.

        Call it when the inbox wakes, and after everything that changes the game or the language.
        `session` is None while no game is played. Front ends that show the game themselves call
        `process_signals` and `refresh_displays`.
        """
        messages = self.process_signals(session, language)
        self.refresh_displays(session, make_view(session) if session else None, language)
        return messages

    def process_signals(self, session: Session | None, language: str = "en") -> list[Say]:
        """Handles all signals since the last call; returns the messages for the whole table.

        A message says that something could not be saved, that the rules crashed, that two keypads have the
        same id, or why the card on a reader is no answer.
        """
        messages: list[Say] = []
        for signal in self._inbox.drain():
            if isinstance(signal, PhoneSignal | WebLinkLost):
                messages += self.phone_listener(signal, session)
                continue
            self.tag_input.update_open_question(session)
            for listener in tuple(self.signal_listeners):
                listener(signal)
            match signal:
                case DeviceFound(device):
                    self._lost_by_device.pop(device, None)
                case DeviceLost(device):
                    self._lost_by_device[device] = signal
                case DuplicateKeypad(device, keypad_id) if session and (
                    seat := self._seat_of(session, device)
                ):
                    messages.append(say(DUPLICATE_KEYPAD_TEXT.template, id=keypad_id, seat=seat))
                case ButtonDown() | ButtonStillHeld() | ButtonUp() | NumpadKeyDown():
                    messages += self._handle_raw_input(session, signal, language)
                case ControlKeyAnswer() | NumbersAnswer():
                    messages += self._submit_answer(session, signal, language)
                case TagArrived() | TagLeft() | TagUnreadable():
                    messages += self._handle_tag_signal(session, signal)
        return messages

    def refresh_displays(
        self, session: Session | None, public_view: View | None, language: str = "en"
    ) -> None:
        """Shows the public view, and the number of cards on each reader, on every display.

        If a round is shown instead of the menu, the view has the round.
        """
        self.tag_input.update_open_question(session)
        self._show_panels(cache(partial(self._build_panel, session, public_view, language=language)))

    def missing_devices_needed_by_game(self, session: Session) -> tuple[MissingDevice, ...]:
        """Returns the missing devices that this game needs, each with a message that says what people can do.

        Readers are needed only if the game has cards.
        """
        missing = []
        for device, lost in self._lost_by_device.items():
            section, seat = self._section_by_device[device], self._seat_of(session, device)
            is_needed = not isinstance(section, Reader) or bool(session.began.decks)
            if is_needed and (seat is not None or section.seat_number is None):
                missing.append(MissingDevice(seat, section.describe_missing(lost, seat)))
        return tuple(missing)

    @property
    def lost_devices(self) -> Mapping[str, DeviceLost]:
        """All devices that can't be used now, by name, whether the game needs them or not."""
        return dict(self._lost_by_device)

    def usability_by_input_device_at_seat(self, seat_number: int) -> Mapping[str, bool]:
        """Returns the usability of each input device at a seat: whether the device can be used now."""
        return {
            device: device not in self._lost_by_device
            for device, section in self._section_by_device.items()
            if isinstance(section, InputSection) and section.seat_number == seat_number
        }

    def describe_device(self, device: str) -> Text:
        """Returns a device's description of itself, such as its firmware or chip.

        Returns "" while the description isn't known.
        """
        descriptions = (
            driver.describe_device(device)
            for driver in self._drivers
            if isinstance(driver, SelfDescribingDriver)
        )
        return next((text for text in descriptions if text), "")

    def was_last_answer_refused(self, device: str) -> bool:
        """Returns whether the last answer from this device was refused."""
        return device in self._refused_devices

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _make_driver(self, sections: Sequence[Section]) -> Any:
        """Makes and stores the driver of these devices.

        Returns None without devices, or if a package is missing.
        """
        if not sections:
            return None
        try:
            driver = sections[0].driver.make_driver(sections, self._driver_dependencies)
        except ImportError:
            self._lost_by_device |= {
                each.device_name: DeviceLost(each.device_name, "no_package") for each in sections
            }
            return None
        self._drivers.append(driver)
        return driver

    def _handle_tag_signal(self, session: Session | None, signal: TagSignal) -> list[Say]:
        if self.tag_listener is None:
            return self.tag_input.handle_tag_signal(session, signal)
        self.tag_input.handle_tag_signal(None, signal)
        self.tag_listener(signal)
        return []

    def _handle_raw_input(self, session: Session | None, signal: RawInput, language: str) -> list[Say]:
        driver = self._input_driver_by_device[signal.device]
        assert isinstance(driver, RawInputDriver)
        if isinstance(signal, ButtonDown | NumpadKeyDown):
            self._refused_devices.discard(signal.device)
        seat = self._seat_of(session, signal.device) if session else None
        question = find_device_question(session, self.find_shown_round(session)).question if session else None
        part = question.question_for(seat) if question and seat else None
        answer = driver.interpret_press(signal, part.form if part else None)
        if answer is None:
            self._display_content.hide_counts(signal.device)
            return []
        return self._submit_answer(session, answer, language)

    def _submit_answer(self, session: Session | None, answer: DeviceAnswer, language: str) -> list[Say]:
        refusal: DeviceAnswerRefusal | None = DeviceAnswerRefusal(NO_GAME_TEXT)
        keys = answer.key if isinstance(answer, ControlKeyAnswer) else answer.numbers
        keys_of_question = (answer.question, keys)
        seat = self._seat_of(session, answer.device) if session else None
        if session is not None:
            _, question_shown_at = self._shown_question_by_device.get(answer.device, NO_QUESTION_SHOWN)
            is_confirmed = self._unconfirmed_answer_by_device.pop(answer.device, None) == keys_of_question
            tags = self.tag_input.tags_for_open_question(session, seat)
            refusal = submit_device_answer(
                session,
                seat,
                answer,
                question_shown_at,
                is_confirmed=is_confirmed,
                tags_for_question=tags,
                upcoming_round=self.find_shown_round(session),
            )
        if refusal is not None and refusal.needs_confirmation:
            self._unconfirmed_answer_by_device[answer.device] = keys_of_question
        driver = self._input_driver_by_device[answer.device]
        if refusal is None:
            self._refused_devices.discard(answer.device)
            self._display_content.hide_counts(answer.device)
            driver.handle_answer_accepted(answer)
            return []
        if not is_peek_at_own_pieces(answer):
            self._refused_devices.add(answer.device)
            self._display_content.hide_counts(answer.device)
        elif session is not None and seat is not None:
            self._display_content.show_next_hidden_count(answer.device, hidden_piece_counts(session, seat))
        driver.handle_answer_refused(answer, render(refusal.text, language))
        return [] if refusal.announcement is None else [refusal.announcement]

    def _show_panels(self, panel_at_seat: Callable[[int], SeatPanel]) -> None:
        """Shows the panels on all devices; a seat's light blinks after that seat's answer was refused."""
        entry_by_seat: dict[int, str] = {}
        for device, driver in self._input_driver_by_device.items():
            panel = panel_at_seat(self._seat_number_by_device[device])
            if panel.question != self._shown_question_by_device.get(device, NO_QUESTION_SHOWN)[0]:
                self._shown_question_by_device[device] = (panel.question, self._clock())
                self._refused_devices.discard(device)
                self._display_content.hide_counts(device)
            if panel.is_sealed and not panel.question:
                # The refusal isn't shown now, but it would be when the envelopes are opened.
                self._refused_devices.discard(device)
            driver.show_panel(device, panel)
            displayless_driver = self._displayless_driver_by_device.get(device)
            if text := self._display_content.display_text(device, displayless_driver):
                entry_by_seat[self._seat_number_by_device[device]] = text
        refused_seats = {self._seat_number_by_device[device] for device in self._refused_devices}
        for output_driver, seat_numbers in self._output_drivers:
            for seat_number in seat_numbers:
                panel = replace(panel_at_seat(seat_number), entry=entry_by_seat.get(seat_number, ""))
                # Nobody else may see that a sealed answer was refused, because only a 0 may be asked again.
                blinks = seat_number in refused_seats and not panel.is_sealed
                output_driver.show_panel(seat_number, replace(panel, light="blink") if blinks else panel)

    def _build_panel(
        self, session: Session | None, public_view: View | None, seat_number: int, *, language: str
    ) -> SeatPanel:
        """Builds the panel of a seat's devices; an empty panel where nobody plays."""
        if (
            session is None
            or public_view is None
            or session.is_put_away
            or seat_number > len(public_view.seats)
        ):
            return SeatPanel()
        seat = public_view.seats.seat_numbered(seat_number)
        panel = build_seat_panel(
            public_view, seat, language, len(self.tag_input.tags_for_open_question(session, seat))
        )
        number = find_device_question(session, self.find_shown_round(session)).number
        return replace(
            panel,
            question=number if panel.question else 0,
            seat_colour=seat.colour,
            is_sealed=public_view.question is not None and public_view.question.is_sealed,
        )

    def _seat_of(self, session: Session, device: str) -> Seat | None:
        """Returns the seat of a device; None where nobody plays, and for devices of the table."""
        seats, number = session.table.seats, self._section_by_device[device].seat_number
        return seats.seat_numbered(number) if number is not None and number <= len(seats) else None
