"""Which wire of which device goes to which place on the header.

    from hardware.wiring import read_wiring
    from hardware.wiring.leads import leads

    for lead in leads(read_wiring()):
        print(lead.section.device, lead.name, lead.place)

What hardware.toml says has its place; power and ground are a proposal, as any pin of that kind will do.
What hangs on USB has no wire here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from hardware.wiring.conflicts import UART_PORTS
from hardware.wiring.pins import CHIP_SELECT, ON_THE_BOARD, POWER, SPI, UART
from hardware.wiring.sections import Buttons, Buzzer, Display, Keypad, Light, Reader, Section, Wiring

PANEL = (2, 4, 6)
"""Header pins under the plug that gives a panel its power."""
SUPPLY = {
    what: tuple(place for place, is_what in POWER.items() if is_what == what and place not in PANEL)
    for what in ("3.3 V", "ground")
}
"""Where power and ground are taken from."""

PRINTED = {
    ("light", "pin"): "long leg, 330 Ω",
    ("light", "red"): "red, 330 Ω",
    ("light", "green"): "green, 100 Ω",
    ("light", "blue"): "blue, 100 Ω",
    ("display", "clock"): "CLK",
    ("display", "data"): "DIO",
    ("buzzer", "pin"): "signal",
    ("reader", "reset"): "RST",
}
"""What a wire is called at the part, where that isn't its key in the file."""


class Lead(NamedTuple):
    """One wire: its device, what stands at that end of it, and the physical pin at the other."""

    section: Section
    name: str
    place: int


def leads(wiring: Wiring) -> tuple[Lead, ...]:
    """Every wire to the header, device by device."""
    taken = Counter[int]()
    return tuple(lead for _, section in wiring.sections() for lead in _leads(section, taken))


def _leads(section: Section, taken: Counter[int]) -> Iterator[Lead]:
    signals = dict(_signals(section))
    for name, place in signals.items():
        yield Lead(section, name, place)
    for name, what in _supplies(section):
        # Each has a pin of its own as long as there are some, and then the nearest.
        near = min(
            SUPPLY[what], key=lambda place: (taken[place], sum(abs(place - at) for at in signals.values()))
        )
        taken[near] += 1
        yield Lead(section, name, near)


def _signals(section: Section) -> Iterator[tuple[str, int]]:
    match section:
        case Keypad(port=str(port)) if port in UART_PORTS:
            crossed = {"TXD": "RX", "RXD": "TX"}
            yield from ((crossed[use], ON_THE_BOARD[number]) for number, use in UART.items())
        case Reader(bus=(bus, number)):
            lines = {use: at for at, use in SPI[bus].items()}
            yield "SDA", ON_THE_BOARD[CHIP_SELECT[bus][number]]
            yield "SCK", ON_THE_BOARD[lines["SCLK"]]
            yield "MOSI", ON_THE_BOARD[lines["MOSI"]]
            yield "MISO", ON_THE_BOARD[lines["MISO"]]
    kind = type(section).__name__.lower()
    for key, pin in section.pins.items():
        yield PRINTED.get((kind, key), key), pin.physical


def _supplies(section: Section) -> Iterator[tuple[str, str]]:
    """What else the device needs: the name of the wire, and of which kind its pin is."""
    match section:
        case Keypad(port=str(port)) if port in UART_PORTS:
            yield "GND", "ground"
        case Buttons(active=active):
            yield (
                "other leg" if len(section.pins) == 1 else "other legs",
                "ground" if active == "low" else "3.3 V",
            )
        case Light():
            yield "short leg" if len(section.pins) == 1 else "longest leg", "ground"
        case Display():
            yield "VCC", "3.3 V"
            yield "GND", "ground"
        case Buzzer(model="active"):
            yield "plus", "3.3 V"
            yield "ground", "ground"
        case Buzzer():
            yield "other wire", "ground"
        case Reader(reset=reset):
            yield "3.3V", "3.3 V"
            if reset is None:
                yield "RST", "3.3 V"
            yield "GND", "ground"
