"""What may stand in hardware.toml: one class for each kind of device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

import msgspec

from companion.texts import Say, Text, say
from hardware.protocol.protocol import ID
from hardware.wiring.pins import ALLOWED_PINS, Pin

MOST_SEATS = 5
"""Seats that have devices of their own; whoever sits beyond them answers on the screen."""
Scheme: TypeAlias = Literal["one", "two", "three"]
"""How many buttons a seat has to answer with."""
Sound: TypeAlias = Literal["turn", "taken", "refused"]
"""What a buzzer tells: a seat's turn begins, its answer is taken, it isn't."""
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
MHZ, MOST_MHZ = 4, 10
"""How fast a reader is spoken to, and how fast its chip may be."""
DevicePath = Annotated[str, msgspec.Meta(pattern=r"^/[^\x00-\x1f\x7f]*\Z")]


def port_of(phys: str) -> str:
    """The USB port in what the kernel says of a device; of one number pad's they differ after it."""
    return phys.partition("/")[0]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One device."""

    once: ClassVar[tuple[str, ...]] = ("seat",)
    """The fields that tell it from the others of its kind: no two may have the same."""

    @property
    def device(self) -> str:
        """The name by which signals speak of it: its kind, and what stands first in it, such as `light 3`."""
        return f"{type(self).__name__.lower()} {getattr(self, self.__struct_fields__[0])}"

    @property
    def pins(self) -> dict[str, Pin]:
        """The pins it takes, by the key that names them."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if isinstance(value, Pin)}


class Keypad(Section, frozen=True):
    """One keypad: its seat, and the port it is at, the id it says, or both."""

    once: ClassVar[tuple[str, ...]] = ("seat", "port", "id")
    seat: SeatNumber
    port: DevicePath | None = None
    id: Annotated[str, msgspec.Meta(pattern=rf"^{ID}\Z")] | None = None


class Numpad(Section, frozen=True):
    """A number pad for computers, known by the USB port (`phys`) it is plugged into."""

    once: ClassVar[tuple[str, ...]] = ("seat", "port")
    seat: SeatNumber
    port: Annotated[str, msgspec.Meta(pattern=r"^[^\x00-\x1f\x7f]+\Z")]


class Buttons(Section, frozen=True):
    """A seat's buttons: `tap` alone, `plus` and `ok`, or `minus`, `plus` and `ok`.

    `active`: what a pressed button gives; low (to ground) needs no resistor.
    """

    seat: SeatNumber
    tap: Pin | None = None
    minus: Pin | None = None
    plus: Pin | None = None
    ok: Pin | None = None
    active: Literal["low", "high"] = "low"

    @property
    def scheme(self) -> Scheme:
        """Which way of answering these buttons have. KeyError if there is none for them."""
        return SCHEMES[tuple(self.pins)]


SCHEMES: Mapping[tuple[str, ...], Scheme] = {
    ("tap",): "one",
    ("plus", "ok"): "two",
    ("minus", "plus", "ok"): "three",
}


class Light(Section, frozen=True):
    """A seat's light: one pin, or one each for red, green and blue."""

    seat: SeatNumber
    pin: Pin | None = None
    red: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None


class Buzzer(Section, frozen=True):
    """A buzzer, and which sounds it makes; without a seat it is the table's.

    An active one sounds by itself while its pin is high, a passive one has to be swung.
    """

    pin: Pin
    seat: SeatNumber | None = None
    model: Literal["active", "passive"] = "active"
    sounds: tuple[Sound, ...] = get_args(Sound)

    @property
    def device(self) -> str:
        """The table's has no seat."""
        return f"buzzer {self.seat or 'table'}"


class Display(Section, frozen=True):
    """A seat's four digits."""

    seat: SeatNumber
    clock: Pin
    data: Pin
    model: Literal["tm1637"] = "tm1637"


class Reader(Section, frozen=True):
    """A reader for tags at an SPI device; `zone` says what a card laid there means to the table.

    `mhz`: million bits a second over SPI; fewer forgive long wires.
    """

    once: ClassVar[tuple[str, ...]] = ("zone", "spi")  # a seat may have several
    zone: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,23}\Z")]
    spi: Annotated[str, msgspec.Meta(pattern=r"^/dev/spidev(0\.[01]|1\.[0-2])\Z")]
    reset: Pin | None = None
    seat: SeatNumber | None = None
    model: Literal["mfrc522"] = "mfrc522"
    mhz: Annotated[int, msgspec.Meta(ge=1, le=MOST_MHZ)] = MHZ

    @property
    def bus(self) -> tuple[int, int]:
        """The number of its SPI bus, and its own number there."""
        bus, _, number = self.spi.removeprefix("/dev/spidev").partition(".")
        return int(bus), int(number)


class Wiring(msgspec.Struct, frozen=True):
    """The whole file, but for the sections that can't be: these are told in `faults`, and cost nobody else.

    `keys` says of the devices behind such a section where they stand in the file.
    """

    keypad: tuple[Keypad, ...] = ()
    numpad: tuple[Numpad, ...] = ()
    buttons: tuple[Buttons, ...] = ()
    light: tuple[Light, ...] = ()
    buzzer: tuple[Buzzer, ...] = ()
    display: tuple[Display, ...] = ()
    reader: tuple[Reader, ...] = ()
    faults: tuple[Say, ...] = ()
    keys: Mapping[str, str] = {}

    def sections(self) -> list[tuple[str, Section]]:
        """Every device with its key as errors write it, `light[2]`, in the order of the file's kinds."""
        return [
            (self.keys.get(section.device, f"{kind}[{number}]"), section)
            for kind in TYPES
            for number, section in enumerate(getattr(self, kind), 1)
        ]


TYPES: Mapping[str, type[Section]] = {
    each.__name__.lower(): each for each in (Keypad, Numpad, Buttons, Light, Buzzer, Display, Reader)
}
SEAT = say("a whole number from 1 to {most}", most=MOST_SEATS)
PORT = say('a path such as "/dev/serial/by-id/…"')
SOUNDS = say('a list with one or more of "turn", "taken" and "refused", or [] for no sounds')
KINDS = ", ".join(f"[[{kind}]]" for kind in TYPES)

ALLOWED: Mapping[str, Text] = {
    "": KINDS,
    "keypad": say("a [[keypad]] section for each keypad"),
    "keypad[].port": PORT,
    "keypad[].id": say("1 to 24 characters: A-Z a-z, digits, - _ ."),
    "numpad[].port": say("the USB port, as shown in /sys/class/input/event*/device/phys"),
    "buttons[].active": '"low", "high"',
    "buzzer[].model": '"active", "passive"',
    "buzzer[].sounds": SOUNDS,
    "buzzer[].sounds[]": SOUNDS,
    "display[].model": '"tm1637"',
    "reader[].model": '"mfrc522"',
    "reader[].zone": say("1 to 24 characters: a-z, digits, -"),
    "reader[].mhz": say("a whole number from 1 to {most}", most=MOST_MHZ),
    "reader[].spi": '"/dev/spidev0.0", "/dev/spidev0.1", "/dev/spidev1.0" …',
}
"""What may stand at a key, in the words of errors and documentation; for all others see `allowed`."""


def allowed(key: str) -> Text:
    """What may stand at a key such as `light[].pin`."""
    kind, _, field = key.partition("[]")
    if key in ALLOWED:
        return ALLOWED[key]
    if not field:
        return (
            ", ".join(TYPES[kind].__struct_fields__)
            if key.endswith("[]")
            else say("a [[{kind}]] section for each device", kind=kind)
        )
    return SEAT if field == ".seat" else ALLOWED_PINS
