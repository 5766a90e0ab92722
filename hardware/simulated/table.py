"""A whole simulated table: every device of a wiring, operated from Python or by lines of text.

    from hardware.simulated.table import SimulatedTable
    from hardware.wiring import load_wiring_without_faulty_sections

    with SimulatedTable(load_wiring_without_faulty_sections(path)) as table:
        devices = Devices(table.wiring, inbox, pins=table.pins, clock=table.clock)
        table.buttons[1]["plus"].press()

docs/simulate.md describes the lines, with an example. `run_simulation_script` prints every signal of the
drivers, and what is wrong with a line. It decides nothing: the desk knows what a press means.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from companion import installed_games
from companion.texts import render
from hardware.devices import Devices
from hardware.firmware.keypad.pad import NO_HOST_TEXT
from hardware.rfid.readers import ReaderChip
from hardware.signals import (
    ButtonDown,
    ButtonStillHeld,
    ButtonUp,
    ControlKeyAnswer,
    DeviceFound,
    DeviceLost,
    DuplicateKeypad,
    Inbox,
    NumbersAnswer,
    NumpadKeyDown,
    Signal,
    TagArrived,
    TagLeft,
    TagUnreadable,
)
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.pins import (
    WORN_CONTACT_BOUNCE_SECONDS,
    RealClock,
    SimulatedButton,
    SimulatedPins,
    SimulatedTM1637,
    WaitableClock,
)
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.tags import SimulatedTag, simulated_tag_uid
from hardware.wiring import Display, Light, Numpad, Reader, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import DEFAULT_SPI_MHZ, parse_usb_port

if TYPE_CHECKING:
    from hardware.simulated.numpads import SimulatedInputs, SimulatedNumpad


class SimulatedTable:
    """A simulated table with every device of a wiring.

    `close` or the end of `with` unplugs all devices.
    `wiring` is the same wiring with its keypads at simulated ports; `pins`, `open_reader`, `inputs` and
    `clock` are for `Devices`. Tags are put on `readers`, by zone:
    `table.readers["market"].add_tag("04A2B3C4D5E680")`.
    """

    def __init__(self, wiring: Wiring, clock: WaitableClock | None = None) -> None:
        self.clock: WaitableClock = RealClock() if clock is None else clock
        self._header = SimulatedPins(self.clock)
        self._exit_stack = ExitStack()
        folder = Path(self._exit_stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        self.keypads = {
            section.seat: self._exit_stack.enter_context(
                SimulatedKeypad(section.id or f"kp-{section.seat}", folder / f"kp-{section.seat}")
            )
            for section in wiring.keypad
        }
        self._inputs: SimulatedInputs | None = None
        self.numpads = self._make_numpads(wiring.numpad)
        simulated_keypads = tuple(
            replace(section, port=str(self.keypads[section.seat].path)) for section in wiring.keypad
        )
        self.wiring = replace(wiring, keypad=simulated_keypads)
        self.buttons = {
            section.seat: {
                name: SimulatedButton(self._pin(pin), self.clock, is_active_low=section.active == "low")
                for name, pin in section.pins.items()
            }
            for section in wiring.buttons
        }
        self.displays = {
            section.seat: SimulatedTM1637(self._pin(section.clock), self._pin(section.data))
            for section in wiring.sections_of_type(Display)
        }
        self.readers = {section.zone: self._make_reader(section) for section in wiring.reader}
        self._reader_by_spi_path = {section.spi: self.readers[section.zone] for section in wiring.reader}
        self._lights = {section.seat: section for section in wiring.sections_of_type(Light)}

    def pins(self) -> SimulatedPins:
        """Returns the factory of the simulated header's pins."""
        return self._header

    def open_reader(
        self, spi_path: str, *, reset: Callable[[], None] = lambda: None, mhz: int = DEFAULT_SPI_MHZ
    ) -> ReaderChip:
        """Opens the simulated reader at an SPI device, with the real driver."""
        return open_simulated_reader(self._reader_by_spi_path[spi_path], reset=reset, mhz=mhz)

    def inputs(self) -> SimulatedInputs:
        """Returns the simulated input devices, such as number pads; raises ImportError without evdev."""
        if self._inputs is None:
            from hardware.simulated.numpads import SimulatedInputs

            self._inputs = SimulatedInputs(self.clock)
        return self._inputs

    def is_light_on(self, seat: int) -> bool:
        """Returns whether a seat's light is on at this moment."""
        return any(self.led_states(seat))

    def led_states(self, seat: int) -> tuple[bool, ...]:
        """Returns the state of each LED of a seat's light: whether it is on.

        There is one LED, or one each for red, green and blue.
        """
        return tuple(bool(self._pin(pin).state) for pin in self._lights[seat].pins.values())

    def close(self) -> None:
        """Closes the simulated table by unplugging every device."""
        self._exit_stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _make_numpads(self, sections: Sequence[Numpad]) -> dict[int, SimulatedNumpad]:
        """Returns new simulated number pads by seat; none if evdev isn't installed.

        The drivers report that evdev is missing, as for real pads.
        """
        try:
            return {
                section.seat: self.inputs().add_numpad(parse_usb_port(section.port)) for section in sections
            }
        except ImportError:
            return {}

    def _make_reader(self, section: Reader) -> SimulatedRc522:
        chip = SimulatedRc522(clock=self.clock)
        if section.reset is not None:
            pin = self._pin(section.reset)
            pin.watchers.append(lambda: chip.set_reset_pin(is_high=bool(pin.state)))
        return chip

    def _pin(self, pin: Pin) -> Any:
        return self._header.pin(int(pin))


KEYPAD_SCRIPT_LINES = ("keys KEYS", "unplug", "plug", "noise", "damage PERCENT", "silent", "speak")
NUMPAD_SCRIPT_LINES = ("keys KEYS", "unplug", "plug")
READER_SCRIPT_LINES = (
    "lay CARD…", "lift CARD…", "again CARD", "flicker CARD SECONDS", "edge CARD PERCENT", "broken CARD",
    "deaf", "brown-out", "noise PERCENT", "unplug", "plug",
)  # fmt: skip  # short enough for three lines
READER_FAULTS: Mapping[str, Callable[[SimulatedRc522], None]] = {
    "unplug": SimulatedRc522.unplug,
    "plug": SimulatedRc522.plug_in,
    "deaf": SimulatedRc522.hang_receiver,
    "brown-out": SimulatedRc522.dip_power,
}
SEAT_PATTERN = re.compile("[1-9]")
UID_PATTERN = "(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{14}|[0-9A-Fa-f]{20})"
SimulatedKeypadOrNumpad: TypeAlias = Any
"""A simulated keypad or number pad; the second's module exists only with evdev."""
MAX_READ_BYTES = 4096
MAX_PRESS_OR_WAIT_SECONDS = 60.0
"""Maximum seconds of a press and of a wait in a script line."""


def run_script_line(table: SimulatedTable, line: str) -> str:
    """Runs one line of a simulation script; returns what was wrong with it, or ""."""
    target, *words = line.partition("#")[0].split() or [""]
    try:
        if target == "wait" and len(words) == 1:
            table.clock.wait(_parse_seconds(words[0]))
        elif target and not _run_at_target(table, target, words):
            return f"{line}: {_describe_allowed(table, target)}"
    except KeyError as error:
        tags_there = ", ".join(sorted(table.readers[target].tag_uids)) or "none"
        return f"{line}: no tag {error.args[0]} lies there; tags there: {tags_there}"
    except (ValueError, OSError) as error:
        return f"{line}: {error}"
    return ""


def _run_at_target(table: SimulatedTable, target: str, words: Sequence[str]) -> bool:
    """Runs the words at a seat or reader; returns whether they are allowed there."""
    if target in table.readers:
        return _run_at_reader(table.readers[target], words)
    seat = int(target) if SEAT_PATTERN.fullmatch(target) else 0
    return (
        _run_at_buttons(table.buttons.get(seat, {}), words)
        or _run_at_pad(table.keypads.get(seat) or table.numpads.get(seat), words)
        or _run_at_cable(table.keypads.get(seat), words)
    )


def _describe_allowed(table: SimulatedTable, target: str) -> str:
    """Returns a text about what is allowed at this seat or reader, or about the targets that exist."""
    lines_by_target = {
        str(seat): list[str]() for seat in sorted({*table.buttons, *table.keypads, *table.numpads})
    }
    for seat, buttons in table.buttons.items():
        lines_by_target[str(seat)] += [f"{name} [SECONDS]" for name in buttons]
        lines_by_target[str(seat)] += [f"bounce {'|'.join(buttons)}", f"chatter {'|'.join(buttons)} SECONDS"]
    for seat in {*table.keypads, *table.numpads}:
        lines_by_target[str(seat)] += KEYPAD_SCRIPT_LINES if seat in table.keypads else NUMPAD_SCRIPT_LINES
    lines_by_target |= {zone: list(READER_SCRIPT_LINES) for zone in table.readers}
    if target == "wait":
        return "wait takes SECONDS"
    if target in lines_by_target:
        return f"{target} takes: {', '.join(lines_by_target[target])}"
    return f"unknown: {target}; choose from: {', '.join([*lines_by_target, 'wait'])}"


def _run_at_buttons(buttons: Mapping[str, SimulatedButton], words: Sequence[str]) -> bool:
    """Runs the words as a press of one of the buttons; returns whether they are one."""
    match words:
        case ["bounce", name] if name in buttons:
            buttons[name].press(bounce_seconds=WORN_CONTACT_BOUNCE_SECONDS)
        case ["chatter", name, seconds] if name in buttons:
            buttons[name].simulate_loose_wire(_parse_seconds(seconds))
        case [name] if name in buttons:
            buttons[name].press()
        case [name, seconds] if name in buttons:
            buttons[name].press(_parse_seconds(seconds))
        case _:
            return False
    return True


def _run_at_pad(pad: SimulatedKeypadOrNumpad | None, words: Sequence[str]) -> bool:
    """Runs the words at a keypad or a number pad; returns whether they are allowed there."""
    match words:
        case ["keys", *keys] if pad is not None:
            pad.type(" ".join(keys))
        case ["unplug"] if pad is not None:
            pad.unplug()
        case ["plug"] if pad is not None:
            pad.plug_in()
        case _:
            return False
    return True


def _run_at_cable(keypad: SimulatedKeypad | None, words: Sequence[str]) -> bool:
    """Runs the words as a fault of a serial keypad; returns whether they are one."""
    match words:
        case ["noise"] if keypad is not None:
            keypad.send_garbage()
        case ["damage", percent] if keypad is not None:
            keypad.set_damaged_chunk_share(_parse_percent(percent))
        case ["silent"] if keypad is not None:
            keypad.hang_program()
        case ["speak"] if keypad is not None:
            keypad.resume_program()
        case _:
            return False
    return True


def _run_at_reader(reader: SimulatedRc522, words: Sequence[str]) -> bool:
    """Runs the words at a reader; returns whether they are allowed there.

    Raises KeyError for a tag that isn't there.
    """
    match words:
        case [("lay" | "lift") as action, *cards] if cards:
            for tag in [_parse_tag(card_name) for card_name in cards]:
                (reader.add_tag if action == "lay" else reader.remove_tag)(tag)
        case ["again", card]:
            reader.remove_tag(_parse_tag(card))
            reader.add_tag(_parse_tag(card))
        case ["flicker", card, seconds]:
            reader.interrupt_tag_power(_parse_tag(card), _parse_seconds(seconds))
        case ["edge", card, percent]:
            reader.add_tag(
                SimulatedTag(bytes.fromhex(_parse_tag(card)), missed_share=_parse_percent(percent))
            )
        case ["broken", card]:
            reader.add_tag(SimulatedTag.with_wrong_check_byte(_parse_tag(card)))
        case ["noise", percent]:
            reader.set_bit_error_chance(_parse_percent(percent))
        case [fault] if fault in READER_FAULTS:
            READER_FAULTS[fault](reader)
        case _:
            return False
    return True


def _parse_tag(card: str) -> str:
    """Returns the tag of a card such as `egypt/7.1`, or one by its UID."""
    deck, slash, card_id = card.partition("/")
    if slash:
        return simulated_tag_uid(deck, _check_card(deck, card_id))
    if re.fullmatch(UID_PATTERN, card) is None:
        raise ValueError("write a tag as 8, 14 or 20 hexadecimal digits, or a card as GAME/CARD")
    return card.upper()


def _check_card(deck: str, card: str) -> str:
    """Returns the card's id; raises ValueError if the deck has no such card."""
    owner_decks = installed_games.owner_decks_by_name(Path())
    if deck not in owner_decks:
        raise ValueError(f"unknown deck {deck}; choose from: {', '.join(owner_decks)}")
    card_ids = owner_decks[deck].shipped_file.deck.cards
    if card not in card_ids:
        raise ValueError(f"unknown card {card} of {deck}; choose from: {', '.join(card_ids)}")
    return card


def _parse_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text} is not a number") from None


def _parse_percent(percent: str) -> float:
    share = _parse_number(percent) / 100
    if not 0 <= share <= 1:
        raise ValueError("a percentage is from 0 to 100")
    return share


def run_script_lines(
    table: SimulatedTable, lines: Iterable[str], report_error: Callable[[str], object]
) -> None:
    """Runs the lines of a simulation script; `report_error` gets what is wrong with a line."""
    for line in lines:
        if error_text := run_script_line(table, line.strip()):
            report_error(error_text)


def _parse_seconds(seconds: str) -> float:
    duration = _parse_number(seconds)
    if not 0 < duration <= MAX_PRESS_OR_WAIT_SECONDS:
        raise ValueError(f"a time is more than 0 and at most {MAX_PRESS_OR_WAIT_SECONDS:g} seconds")
    return duration


def read_lines(fd: int) -> Iterator[str]:
    """Yields the lines that arrive at a file descriptor; the last line may lack its end.

    Python's own reader of standard input could block the end of the program, because it holds a lock.
    """
    rest = b""
    while chunk := os.read(fd, MAX_READ_BYTES):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
    if rest:
        yield rest.decode("utf-8", "replace")


MAX_WAIT_BEFORE_SCRIPT_SECONDS = 5.0
"""Time limit for every device to send a signal; after it, the first line runs even without them."""
FINAL_REPORT_SECONDS = 0.5
"""Time for the drivers to report the effect of the last line."""

SIGNAL_TEMPLATE_BY_TYPE: dict[type[Signal], str] = {
    DeviceFound: "is connected",
    DeviceLost: "is disconnected: {reason} {detail}",
    DuplicateKeypad: "another keypad {id} at {port}",
    ButtonDown: "{button} down",
    ButtonStillHeld: "{button} held",
    ButtonUp: "{button} up",
    NumpadKeyDown: "key {key}",
    ControlKeyAnswer: "{key}",
    NumbersAnswer: "{numbers} OK",
    TagArrived: "tag {tag} laid",
    TagLeft: "tag {tag} lifted",
    TagUnreadable: "tag {claimed_tag} can't be read: {reason}",
}
"""Text template for each type of signal."""


def run_simulation_script(
    wiring: Wiring, script_lines: Iterable[str], print_line: Callable[[str], None]
) -> None:
    """Runs a script on a simulated table, and prints each signal with `print_line`.

    The first line waits until the drivers are ready, as people would wait before they press a button.
    """
    for fault in wiring.faults:
        print_line(render(fault))
    with SimulatedTable(wiring) as table, _DriverThread(table, print_line) as drivers:
        drivers.all_devices_reported.wait(MAX_WAIT_BEFORE_SCRIPT_SECONDS)
        for keypad in table.keypads.values():
            _wait_for_host(keypad)
        run_script_lines(table, script_lines, print_line)
        table.clock.wait(FINAL_REPORT_SECONDS)


class _DriverThread:
    """Thread of the drivers: runs them until the end of `with`, and prints their signals."""

    def __init__(self, table: SimulatedTable, print_line: Callable[[str], None]) -> None:
        self.all_devices_reported = threading.Event()
        """Set when every device has sent a signal."""
        self._table, self._print_line = table, print_line
        self._unreported_devices = {section.device_name for _, section in table.wiring.sections_with_keys()}
        self._wake_event = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="ear")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended = True
        self._wake_event.set()
        self._thread.join()

    def _run(self) -> None:
        table, inbox = self._table, Inbox(wake=self._wake_event.set)
        with Devices(
            table.wiring, inbox, pins=table.pins, spi=table.open_reader, inputs=table.inputs
        ) as devices:
            devices.signal_listeners.append(self._print_signal)
            while not self._ended:
                if not self._unreported_devices:
                    self.all_devices_reported.set()
                self._wake_event.wait()
                self._wake_event.clear()
                devices.process_signals_and_refresh(None)

    def _print_signal(self, signal: Signal) -> None:
        self._unreported_devices.discard(signal.device)
        self._print_line(describe_signal(signal))


def _wait_for_host(keypad: SimulatedKeypad) -> None:
    """Waits until the host has contacted a keypad; before that, a keypad ignores keys."""
    with suppress(TimeoutError):
        keypad.wait_until(lambda: not keypad.display.startswith(NO_HOST_TEXT), MAX_WAIT_BEFORE_SCRIPT_SECONDS)


def describe_signal(signal: Signal) -> str:
    """Returns a signal as a short text that begins with the device."""
    fields = msgspec.structs.asdict(signal)
    if isinstance(signal, NumbersAnswer):
        fields["numbers"] = ".".join(map(str, signal.numbers))
    return f"{signal.device}: {SIGNAL_TEMPLATE_BY_TYPE[type(signal)].format_map(fields)}".rstrip()
