"""The device types of hardware.toml: one class for each, with what the rest of the program knows about it.

A section of the file is an object of one of these classes. The class says which keys a section has, which
pins it needs, where the driver is, what the device is called, and what people read when it is missing.
Wiring, drawing, doctor and devices read the class. So a new output device needs its driver and one class
here, in `SECTION_TYPE_BY_NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import msgspec

from companion.files import user_files
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text, say
from hardware.keypad_protocol import KEYPAD_ID_PATTERN
from hardware.signals import DeviceLost, LostReason
from hardware.wiring.pins import (
    ALLOWED_PINS_TEXT,
    CHIP_SELECT_GPIOS_BY_BUS,
    PULLED_UP_GPIOS,
    SPI_PINS,
    UART_PINS,
    Pin,
)

MAX_SEATS_WITH_DEVICES = 5
"""Maximum seats that can have devices of their own; other seats answer on the screen."""
ButtonScheme: TypeAlias = Literal["one", "two", "three"]
"""The scheme of a seat's buttons: with how many of them the seat answers."""
BuzzerSound: TypeAlias = Literal["turn", "taken", "refused"]
"""Sounds of a buzzer: the seat's turn begins, its answer is accepted, or refused."""
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS_WITH_DEVICES)]
DEFAULT_SPI_MHZ, MAX_SPI_MHZ = 4, 10
"""The SPI clock of a reader, and the fastest that its chip allows."""
DevicePath = Annotated[str, msgspec.Meta(pattern=r"^/[^\x00-\x1f\x7f]*\Z")]
HEADER_UART_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Paths of the serial port on the pins of the header."""

ALLOWED_SEATS_TEXT = say("a whole number from 1 to {most}", most=MAX_SEATS_WITH_DEVICES)
ALLOWED_SOUNDS_TEXT = say('a list with one or more of "turn", "taken" and "refused", or [] for no sounds')
PACKAGE_MISSING_TEXT = say(
    "A package for {seat}'s device is missing. Install it or let {seat} use the screen."
)


def parse_usb_port(phys: str) -> str:
    """Returns the USB port in the kernel's `phys`, without the number of the input device.

    The number differs between the two devices of one number pad.
    """
    return phys.partition("/")[0]


class DriverSpec(NamedTuple):
    """The specification of a device type's driver: its class, and what the class needs.

    It doesn't name sections and inbox, which every driver class needs.
    """

    class_path: str
    """Path of the class, as `module:Class`; loaded only if hardware.toml has such a device."""
    dependency_names: tuple[str, ...] = ()
    """Fields of `hardware.devices.DriverDependencies` that the class takes by keyword."""

    def make_driver(self, sections: Sequence[Section], dependencies: Any) -> Any:
        """Makes the driver of these sections; raises ImportError if a package isn't installed."""
        driver = resolve_name(self.class_path)
        return driver(
            sections,
            dependencies.inbox,
            **{name: getattr(dependencies, name) for name in self.dependency_names},
        )


class SectionMistake(NamedTuple):
    """A mistake in one section: its key ("" for the section), the reason, and what is allowed."""

    key: str
    why: Text
    allowed: Text


class BusPin(NamedTuple):
    """A pin that a bus or port fixes: the section's key that chooses the bus, the GPIO and the bus signal."""

    key: str
    gpio: int
    bus_signal: str


class BusWire(NamedTuple):
    """A wire to a pin of a bus or port: its name at the device, and the GPIO."""

    name: str
    gpio: int


class SupplyWire(NamedTuple):
    """A wire to power or ground: its name at the device, and where it leads."""

    name: str
    supply: Literal["3.3 V", "ground"]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The section of one device in hardware.toml."""

    driver: ClassVar[DriverSpec]
    title_text: ClassVar[Say]
    """Name of the device in messages, such as `{seat}'s light`."""
    unique_fields: ClassVar[tuple[str, ...]] = ("seat",)
    """Fields in which two devices of one type must differ."""
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {}
    """Text about the allowed values of a key, by key; not for seats and pins."""
    allowed_sections_text: ClassVar[Text | None] = None
    """Text about the sections of this type that are allowed; None for the usual text."""
    wire_name_by_key: ClassVar[Mapping[str, str]] = {}
    """Name of a wire at the device, by its key in the section, if it isn't the key itself."""

    @classmethod
    def type_name(cls) -> str:
        """Returns the name of the type as hardware.toml writes it, such as `light`."""
        return cls.__name__.lower()

    @property
    def device_name(self) -> str:
        """Name of the device in signals and commands, such as `light 3`: type and value of the first key."""
        return f"{self.type_name()} {getattr(self, self.__struct_fields__[0])}"

    @property
    def seat_number(self) -> int | None:
        """The seat that has this device; None if it belongs to the table."""
        seat: int | None = getattr(self, "seat", None)
        return seat

    @property
    def pins(self) -> dict[str, Pin]:
        """The pins that the section names, by key."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if isinstance(value, Pin)}

    def bus_pins(self) -> Iterator[BusPin]:
        """Yields the pins that a bus or port fixes."""
        yield from ()

    def bus_wires(self) -> Iterator[BusWire]:
        """Yields the wires to the pins of a bus or port."""
        yield from ()

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the wires to power and ground."""
        yield from ()

    def uniqueness_key(self, field: str) -> str | int | None:
        """Returns the key by which two devices of the type are compared; they conflict if it is equal.

        Usually the key is the field's value. Returns None if any device may have the same value.
        """
        value: str | int | None = getattr(self, field)
        return value

    def find_mistakes(self) -> Iterator[SectionMistake]:
        """Yields the mistakes within this section, beyond the types of its values."""
        yield from ()

    def device_title(self, person_at_seat: Labelled | str | None = None) -> Say:
        """Returns the name of this device in messages; `person_at_seat` is whom it belongs to."""
        return say(
            self.title_text.template,
            seat=person_at_seat or say("seat {number}", number=self.seat_number or 0),
        )

    def describe_missing(self, lost: DeviceLost, seat: Seat | None) -> Say:
        """Describes this missing device: returns a message with what people can do."""
        raise NotImplementedError

    def _found_pins(self) -> Text:
        return say("found: {keys}", keys=", ".join(self.pins) or say("no pins"))


class InputSection(Section, frozen=True):
    """The section of a device that people answer with."""

    missing_text_by_reason: ClassVar[Mapping[LostReason, Say]]
    """Messages while the device can't be used, by the reason of its loss."""
    lost_reason_until_first_signal: ClassVar[LostReason] = "unplugged"
    """Reason for which the device counts as lost until its first signal."""

    def describe_missing(self, lost: DeviceLost, seat: Seat | None) -> Say:
        """Describes this missing device: returns the message for the reason of its loss, with the seat."""
        return say(self.missing_text_by_reason[lost.reason].template, seat=seat or "", what=lost.detail)


class OutputSection(Section, frozen=True):
    """The section of a device that only shows or sounds something at a seat."""

    missing_text: ClassVar[Say]
    """Message while the device can't be used."""
    missing_text_for_table_device: ClassVar[Say | None] = None
    """Message for a device of the table, for types that the table may have."""

    def describe_missing(self, lost: DeviceLost, seat: Seat | None) -> Say:  # noqa: ARG002 - as every type
        """Describes this missing device: returns the message for its type.

        The doctor shows why the device is lost.
        """
        if seat is None and self.missing_text_for_table_device is not None:
            return self.missing_text_for_table_device
        return say(self.missing_text.template, seat=seat or "")


class Keypad(InputSection, frozen=True):
    """The section of a serial keypad: its seat, and its port, its id, or both."""

    driver: ClassVar = DriverSpec("hardware.keypads:Keypads")
    title_text: ClassVar = say("{seat}'s keypad")
    unique_fields: ClassVar[tuple[str, ...]] = ("seat", "port", "id")
    allowed_sections_text: ClassVar[Text | None] = say("a [[keypad]] section for each keypad")
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {
        "port": say('a path such as "/dev/serial/by-id/…"'),
        "id": say("1 to 24 characters: A-Z a-z, digits, - _ ."),
    }
    missing_text_by_reason: ClassVar[Mapping[LostReason, Say]] = {
        "unplugged": say("{seat}'s keypad is unplugged. Plug it in again or let {seat} use the screen."),
        "silent": say(
            "{seat}'s keypad isn't responding. Unplug it and plug it in again, or let {seat} use the screen."
        ),
        "another": say(
            "A different keypad is plugged into {seat}'s port. Plug in the right keypad or let "
            "{seat} use the "
            "screen."
        ),
        "protocol": say(
            "The firmware on {seat}'s keypad is from another version. Flash it again or let {seat} use the "
            "screen."
        ),
        "denied": say(
            "No permission to read {seat}'s keypad. Join the group {what} (sudo usermod -aG {what} "
            "$USER) and "
            "log in again, or let {seat} use the screen."
        ),
        "failed": say(
            "The keypads have stopped working. Restart the Companion or let {seat} use the screen."
        ),
        "no_package": PACKAGE_MISSING_TEXT,
    }
    seat: SeatNumber
    port: DevicePath | None = None
    id: Annotated[str, msgspec.Meta(pattern=rf"^{KEYPAD_ID_PATTERN}\Z")] | None = None

    @property
    def is_at_header(self) -> bool:
        """Whether the keypad is wired to the serial port on the header."""
        return self.port in HEADER_UART_PORTS

    def bus_pins(self) -> Iterator[BusPin]:
        """Yields the bus pins of the keypad: the two pins of the UART, if the keypad is wired to it."""
        if self.is_at_header:
            yield from (BusPin("port", gpio, f"UART {signal}") for gpio, signal in UART_PINS.items())

    def bus_wires(self) -> Iterator[BusWire]:
        """Yields the bus wires of the keypad, which lead to the UART.

        RX of the keypad goes to TXD of the header, and TX to RXD.
        """
        if self.is_at_header:
            name_by_signal = {"TXD": "RX", "RXD": "TX"}
            yield from (BusWire(name_by_signal[signal], gpio) for gpio, signal in UART_PINS.items())

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wire of a keypad at the header: ground.

        A keypad at USB gets power and ground from its plug.
        """
        if self.is_at_header:
            yield SupplyWire("GND", "ground")

    def uniqueness_key(self, field: str) -> str | int | None:
        """Returns the key of a field that must be unique among keypads.

        The key of a port is its device file, because two names in /dev may be one port.
        """
        if field == "port" and self.port is not None:
            return user_files.resolve_link(self.port)
        return super().uniqueness_key(field)

    def find_mistakes(self) -> Iterator[SectionMistake]:
        """Finds the mistake within a keypad's section: neither a port nor an id."""
        if self.port is None and self.id is None:
            yield SectionMistake(
                "",
                say('the keys "port" and "id" are both missing'),
                say('the key "port", the key "id", or both keys'),
            )


class Numpad(InputSection, frozen=True):
    """The section of a USB number pad, known by its USB port (the kernel's `phys`)."""

    driver: ClassVar = DriverSpec("hardware.numpads:Numpads", ("inputs", "clock"))
    title_text: ClassVar = say("{seat}'s number pad")
    unique_fields: ClassVar[tuple[str, ...]] = ("seat", "port")
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {
        "port": say("the USB port, as shown in /sys/class/input/event*/device/phys")
    }
    missing_text_by_reason: ClassVar[Mapping[LostReason, Say]] = {
        "unplugged": say("{seat}'s number pad is unplugged. Plug it in again or let {seat} use the screen."),
        "denied": say(
            "No permission to read {seat}'s number pad. Join the group {what} (sudo usermod -aG "
            "{what} $USER) "
            "and log in again, or let {seat} use the screen."
        ),
        "busy": say(
            "Another program is using {seat}'s number pad. Close that program or let {seat} use the screen."
        ),
        "stuck": say(
            "A key of {seat}'s number pad is stuck: {what}. Free the key or let {seat} use the screen."
        ),
        "dead": say(
            "The number pads have stopped working. Restart the Companion or let {seat} use the screen."
        ),
        "no_package": PACKAGE_MISSING_TEXT,
    }
    seat: SeatNumber
    port: Annotated[str, msgspec.Meta(pattern=r"^[^\x00-\x1f\x7f]+\Z")]

    def uniqueness_key(self, field: str) -> str | int | None:
        """Returns the key of a field that must be unique among number pads.

        The key of a port is the USB port without the input device.
        """
        return parse_usb_port(self.port) if field == "port" else super().uniqueness_key(field)


class Buttons(InputSection, frozen=True):
    """The section of a seat's buttons: `tap` alone, `plus` and `ok`, or `minus`, `plus` and `ok`.

    `active`: the level of a pressed button; low (to ground) needs no resistor.
    """

    driver: ClassVar = DriverSpec("hardware.gpio.buttons:SeatButtons", ("pins", "clock"))
    title_text: ClassVar = say("{seat}'s buttons")
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {"active": '"low", "high"'}
    lost_reason_until_first_signal: ClassVar[LostReason] = "no_pins"
    missing_text_by_reason: ClassVar[Mapping[LostReason, Say]] = {
        "no_pins": say("This computer can't read {seat}'s buttons. Let {seat} use the screen."),
        "taken": say(
            "{what} is using a pin of {seat}'s buttons. Close that program or let {seat} use the screen."
        ),
        "denied": say(
            "No permission to read {seat}'s buttons. Join the group {what} (sudo usermod -aG {what} "
            "$USER) and "
            "log in again, or let {seat} use the screen."
        ),
        "stuck": say("{seat}'s button {what} is stuck. Free the button or let {seat} use the screen."),
        "chatters": say(
            "{seat}'s button {what} has a loose wire, or a long wire with interference. Fix the wire or let "
            "{seat} use the screen."
        ),
        "dead": say("The buttons have stopped working. Restart the Companion or let {seat} use the screen."),
        "no_package": PACKAGE_MISSING_TEXT,
    }
    seat: SeatNumber
    tap: Pin | None = None
    minus: Pin | None = None
    plus: Pin | None = None
    ok: Pin | None = None
    active: Literal["low", "high"] = "low"

    @property
    def scheme(self) -> ButtonScheme:
        """How many buttons the seat answers with; raises KeyError for other combinations of buttons."""
        return BUTTON_SCHEMES[tuple(self.pins)]

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wire of the buttons: to ground, or to 3.3 V if a pressed button is high.

        The wire comes from the other legs of the buttons.
        """
        name = "other leg" if len(self.pins) == 1 else "other legs"
        yield SupplyWire(name, "ground" if self.active == "low" else "3.3 V")

    def find_mistakes(self) -> Iterator[SectionMistake]:
        """Finds the mistakes within a section of buttons.

        The mistakes are wrong combinations of buttons, and pins whose pull-up resistor doesn't fit.
        """
        if tuple(self.pins) not in BUTTON_SCHEMES:
            yield SectionMistake(
                "",
                self._found_pins(),
                say('the key "tap" alone; the keys "plus" and "ok"; or the keys "minus", "plus" and "ok"'),
            )
        for name, pin in self.pins.items():
            if self.active == "high" and pin in PULLED_UP_GPIOS:
                text = '{pin} has a pull-up resistor on the board, so active = "high" doesn\'t work'
                yield SectionMistake(
                    name, say(text, pin=pin), say('another pin, or the setting active = "low"')
                )


BUTTON_SCHEMES: Mapping[tuple[str, ...], ButtonScheme] = {
    ("tap",): "one",
    ("plus", "ok"): "two",
    ("minus", "plus", "ok"): "three",
}
"""Scheme by the keys of the section that name pins; other combinations aren't allowed."""


class Light(OutputSection, frozen=True):
    """The section of a seat's light: one pin, or one pin each for red, green and blue."""

    driver: ClassVar = DriverSpec("hardware.gpio.lights:Lights", ("pins",))
    title_text: ClassVar = say("{seat}'s light")
    wire_name_by_key: ClassVar[Mapping[str, str]] = {
        "pin": "long leg, 330 Ω",
        "red": "red, 330 Ω",
        "green": "green, 100 Ω",
        "blue": "blue, 100 Ω",
    }
    missing_text: ClassVar = say(
        "{seat}'s light isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    )
    seat: SeatNumber
    pin: Pin | None = None
    red: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wire of the light: from the common leg to ground."""
        yield SupplyWire("short leg" if len(self.pins) == 1 else "longest leg", "ground")

    def find_mistakes(self) -> Iterator[SectionMistake]:
        """Finds the mistake within a light's section: pins that are neither one nor all three colours."""
        if tuple(self.pins) not in {("pin",), ("red", "green", "blue")}:
            text = 'the key "pin" alone, or the keys "red", "green" and "blue" together'
            yield SectionMistake("", self._found_pins(), say(text))


class Buzzer(OutputSection, frozen=True):
    """The section of a buzzer: its seat or the table, and which sounds the buzzer makes.

    A buzzer without a seat belongs to the table. An active buzzer sounds while its pin is high; a passive one
    needs a pin that swings.
    """

    driver: ClassVar = DriverSpec("hardware.gpio.buzzers:Buzzers", ("pins", "pause"))
    title_text: ClassVar = say("{seat}'s buzzer")
    wire_name_by_key: ClassVar[Mapping[str, str]] = {"pin": "signal"}
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {
        "model": '"active", "passive"',
        "sounds": ALLOWED_SOUNDS_TEXT,
        "sounds[]": ALLOWED_SOUNDS_TEXT,
    }
    missing_text: ClassVar = say(
        "{seat}'s buzzer isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    )
    missing_text_for_table_device: ClassVar[Say | None] = say(
        "The table's buzzer isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    )
    pin: Pin
    seat: SeatNumber | None = None
    model: Literal["active", "passive"] = "active"
    sounds: tuple[BuzzerSound, ...] = get_args(BuzzerSound)

    @property
    def device_name(self) -> str:
        """Name of the device: `buzzer 2` for the buzzer of seat 2, `buzzer table` for that of the table."""
        return f"buzzer {self.seat or 'table'}"

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wires of the buzzer: power and ground, or ground alone for a passive buzzer.

        The ground wire of a passive buzzer is its other wire.
        """
        if self.model == "active":
            yield SupplyWire("plus", "3.3 V")
            yield SupplyWire("ground", "ground")
        else:
            yield SupplyWire("other wire", "ground")

    def uniqueness_key(self, field: str) -> str | int | None:  # noqa: ARG002 - there is one
        """Returns the key of the only field that must be unique among buzzers.

        The key is the seat, or "table" for a buzzer without a seat: the table may have only one buzzer, too.
        """
        return self.seat or "table"

    def device_title(self, person_at_seat: Labelled | str | None = None) -> Say:
        """Returns the name of this buzzer in messages."""
        return say("the table's buzzer") if self.seat is None else super().device_title(person_at_seat)


class Display(OutputSection, frozen=True):
    """The section of a seat's display of four digits."""

    driver: ClassVar = DriverSpec("hardware.gpio.displays:Displays", ("pins",))
    title_text: ClassVar = say("{seat}'s display")
    wire_name_by_key: ClassVar[Mapping[str, str]] = {"clock": "CLK", "data": "DIO"}
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {"model": '"tm1637"'}
    missing_text: ClassVar = say(
        "{seat}'s display isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    )
    seat: SeatNumber
    clock: Pin
    data: Pin
    model: Literal["tm1637"] = "tm1637"

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wires of the display: power and ground."""
        yield SupplyWire("VCC", "3.3 V")
        yield SupplyWire("GND", "ground")


class Reader(Section, frozen=True):
    """The section of a tag reader at an SPI device; `zone` names its place on the table.

    `mhz`: the SPI clock in MHz; a slower clock forgives long wires.
    """

    driver: ClassVar = DriverSpec("hardware.rfid.readers:TagReaders", ("spi", "pins", "clock"))
    title_text: ClassVar = say("reader {zone}")
    unique_fields: ClassVar[tuple[str, ...]] = ("zone", "spi")  # a seat may have several readers
    wire_name_by_key: ClassVar[Mapping[str, str]] = {"reset": "RST"}
    allowed_text_by_key: ClassVar[Mapping[str, Text]] = {
        "model": '"mfrc522"',
        "zone": say("1 to 24 characters: a-z, digits, -"),
        "mhz": say("a whole number from 1 to {most}", most=MAX_SPI_MHZ),
        "spi": '"/dev/spidev0.0", "/dev/spidev0.1", "/dev/spidev1.0" …',
    }
    missing_text_by_reason: ClassVar[Mapping[LostReason, Say]] = {
        "unplugged": say("The reader {zone} wasn't found. Switch SPI on, or pick cards on the screen."),
        "silent": say("The reader {zone} isn't responding. Check its wires, or pick cards on the screen."),
        "no_pins": say(
            'The reset pin of the reader {zone} can\'t be used. To see why, run "companion doctor", or pick '
            "cards on the screen."
        ),
        "taken": say(
            "{what} is using the reset pin of the reader {zone}. Close that program, or pick cards "
            "on the screen."
        ),
        "denied": say(
            "No permission to use the reader {zone}. Join the group {what} (sudo usermod -aG {what} "
            "$USER) and "
            "log in again, or pick cards on the screen."
        ),
        "failed": say(
            "The readers have stopped working. Restart the Companion, or pick cards on the screen."
        ),
        "no_package": say(
            "A package for the reader {zone} is missing. Install it, or pick cards on the screen."
        ),
    }
    zone: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,23}\Z")]
    spi: Annotated[str, msgspec.Meta(pattern=r"^/dev/spidev(0\.[01]|1\.[0-2])\Z")]
    reset: Pin | None = None
    seat: SeatNumber | None = None
    model: Literal["mfrc522"] = "mfrc522"
    mhz: Annotated[int, msgspec.Meta(ge=1, le=MAX_SPI_MHZ)] = DEFAULT_SPI_MHZ

    @property
    def spi_bus_and_device(self) -> tuple[int, int]:
        """The number of the SPI bus, and the number of the reader's device on it."""
        bus, _, device = self.spi.removeprefix("/dev/spidev").partition(".")
        return int(bus), int(device)

    def bus_pins(self) -> Iterator[BusPin]:
        """Yields the bus pins of the reader, which are those of the SPI bus.

        The kernel also holds the select lines of unused devices.
        """
        bus, device = self.spi_bus_and_device
        for gpio, signal in SPI_PINS[bus].items():
            yield BusPin("spi", gpio, f"SPI{bus} {signal}")
        for other_device, gpio in enumerate(CHIP_SELECT_GPIOS_BY_BUS[bus]):
            if bus == 0 or other_device <= device:
                yield BusPin("spi", gpio, f"SPI{bus} CE{other_device}")

    def bus_wires(self) -> Iterator[BusWire]:
        """Yields the bus wires of the reader, which lead to the SPI bus.

        Their names are those that reader boards print.
        """
        bus, device = self.spi_bus_and_device
        gpio_by_signal = {signal: gpio for gpio, signal in SPI_PINS[bus].items()}
        yield BusWire("SDA", CHIP_SELECT_GPIOS_BY_BUS[bus][device])
        yield BusWire("SCK", gpio_by_signal["SCLK"])
        yield BusWire("MOSI", gpio_by_signal["MOSI"])
        yield BusWire("MISO", gpio_by_signal["MISO"])

    def supply_wires(self) -> Iterator[SupplyWire]:
        """Yields the supply wires of the reader: power and ground.

        Without a reset pin, the reset wire is a supply wire too.
        """
        yield SupplyWire("3.3V", "3.3 V")
        if self.reset is None:
            yield SupplyWire("RST", "3.3 V")
        yield SupplyWire("GND", "ground")

    def device_title(self, person_at_seat: Labelled | str | None = None) -> Say:  # noqa: ARG002 - a zone has its own name
        """Returns the name of this reader in messages, which is the name of its zone.

        One seat may have several readers, so the seat's name isn't enough.
        """
        return say(self.title_text.template, zone=self.zone)

    def describe_missing(self, lost: DeviceLost, seat: Seat | None) -> Say:  # noqa: ARG002 - the zone says it
        """Describes this missing reader: returns the message for the reason of its loss, with the zone."""
        return say(self.missing_text_by_reason[lost.reason].template, zone=self.zone, what=lost.detail)


SECTION_TYPE_BY_NAME: dict[str, type[Section]] = {
    each.type_name(): each for each in (Keypad, Numpad, Buttons, Light, Buzzer, Display, Reader)
}
"""Class of every device type by its name in hardware.toml, in the order of lists of devices."""


AnySection = TypeVar("AnySection", bound=Section)


class Wiring(msgspec.Struct, frozen=True):
    """All devices in hardware.toml; sections with mistakes are left out and described in `faults`.

    `file_keys` has the key in the file, such as `light[3]`, of each device that comes after such a section.
    """

    keypad: tuple[Keypad, ...] = ()
    numpad: tuple[Numpad, ...] = ()
    buttons: tuple[Buttons, ...] = ()
    outputs: tuple[OutputSection, ...] = ()
    reader: tuple[Reader, ...] = ()
    faults: tuple[Say, ...] = ()
    file_keys: Mapping[str, str] = {}

    def sections_of_type(self, section_type: type[AnySection]) -> tuple[AnySection, ...]:
        """Returns the sections of one device type, in the order of the file."""
        all_sections = (*self.keypad, *self.numpad, *self.buttons, *self.outputs, *self.reader)
        return tuple([section for section in all_sections if type(section) is section_type])

    def sections_with_keys(self) -> list[tuple[str, Section]]:
        """Returns all sections with their keys in the file, such as `light[2]`, type by type."""
        return [
            (self.file_keys.get(section.device_name, f"{name}[{number}]"), section)
            for name, section_type in SECTION_TYPE_BY_NAME.items()
            for number, section in enumerate(self.sections_of_type(section_type), 1)
        ]


def format_allowed_sections() -> str:
    """Formats the sections that hardware.toml may have: `[[keypad]], [[numpad]], …`."""
    return ", ".join(f"[[{name}]]" for name in SECTION_TYPE_BY_NAME)


def describe_allowed_value(key: str) -> Text:
    """Returns a text about what is allowed at a key such as `light[].pin`, for errors and documentation."""
    name, _, field = key.partition("[]")
    if not name:
        return format_allowed_sections()
    section_type = SECTION_TYPE_BY_NAME[name]
    if not field and key.endswith("[]"):
        return ", ".join(section_type.__struct_fields__)
    if not field:
        return section_type.allowed_sections_text or say("a [[{kind}]] section for each device", kind=name)
    field = field.removeprefix(".")
    if field in section_type.allowed_text_by_key:
        return section_type.allowed_text_by_key[field]
    return ALLOWED_SEATS_TEXT if field == "seat" else ALLOWED_PINS_TEXT
