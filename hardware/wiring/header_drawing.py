"""The wires from devices to the 40-pin header: as a list, and as a picture with a legend.

    Path("header.svg").write_text(draw_header_svg("My table", load_wiring_file(path)))

    for connection in list_pin_connections(read_machine_wiring()):
        print(connection.section.device_name, connection.wire_name, connection.physical_pin)

The pins in hardware.toml are fixed; power and ground are a proposal, because any pin of that kind will do.
Devices on USB have no wire here.
The picture shows the board from above, with the sockets for USB at the bottom. A line leads outward from each
pin to its text and crosses nothing, so that no wire strikes through a number.
"""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hardware.wiring.pins import (
    FIXED_PINS,
    GPIO_OF_PHYSICAL_PIN,
    PHYSICAL_PIN_OF_GPIO,
    ROLE_BY_GPIO,
)
from hardware.wiring.sections import Buttons, Keypad, Numpad, Reader, Section, Wiring

PANEL_POWER_PINS = (2, 4, 6)
"""Header pins under the plug that gives a touchscreen panel its power."""
PHYSICAL_PINS_BY_SUPPLY = {
    what: tuple(
        place for place, is_what in FIXED_PINS.items() if is_what == what and place not in PANEL_POWER_PINS
    )
    for what in ("3.3 V", "ground")
}
"""Physical pins to take 3.3 V and ground from, by supply."""


class PinConnection(NamedTuple):
    """One wire: its device, its name at the device, and the physical pin at the other end."""

    section: Section
    wire_name: str
    physical_pin: int


def list_pin_connections(wiring: Wiring) -> tuple[PinConnection, ...]:
    """Returns every wire to the header, device by device."""
    taken = Counter[int]()
    return tuple(
        connection
        for _, section in wiring.sections_with_keys()
        for connection in _connections_of(section, taken)
    )


def _connections_of(section: Section, taken: Counter[int]) -> Iterator[PinConnection]:
    signals = dict(_signal_wires(section))
    for name, place in signals.items():
        yield PinConnection(section, name, place)
    for name, what in section.supply_wires():
        # Each has a pin of its own as long as there are some, and then the nearest.
        near = min(
            PHYSICAL_PINS_BY_SUPPLY[what],
            key=lambda place: (taken[place], sum(abs(place - at) for at in signals.values())),
        )
        taken[near] += 1
        yield PinConnection(section, name, near)


def _signal_wires(section: Section) -> Iterator[tuple[str, int]]:
    for name, gpio in section.bus_wires():
        yield name, PHYSICAL_PIN_OF_GPIO[gpio]
    for key, pin in section.pins.items():
        yield section.wire_name_by_key.get(key, key), pin.physical_number


# The picture


WIDTH = 1120
TOP, ROW_HEIGHT, ROWS = 128, 30, 20
ODD, EVEN, RADIUS = 545, 575, 11
LINE_LENGTH, ROLE_WIDTH = 30, 160
"""The length of a line, and the room for a pin's own name."""
BOTTOM = TOP + ROW_HEIGHT * ROWS
LEGEND, LINE, COLUMNS = BOTTOM + 80, 19, 3
SVG = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"
GREY, UNUSED = "#6b6b6b", "#d9d9d9"
SUPPLY_COLOURS = {"3.3 V": "#e08a00", "5 V": "#c62828", "ground": "#303030", "GPIO0/GPIO1": UNUSED}
SECTION_COLOURS = (
    *("#0b63b0", "#b3410a", "#00795a", "#8e3a80", "#7a5c00", "#a1123c"),
    *("#00708a", "#4b3fa7", "#4d6b00", "#7d4a35", "#5b5b8c", "#9c2a9c"),
)
"""Colours of the sections, dark enough for white numbers."""
NOTES = (
    "The header seen from above, with the USB and network sockets towards you. The square pin is number 1.",
    "Unplug the power supply before you wire. Leave grey pins free. Never wire a device to a red pin (5 V).",
)


def draw_header_svg(title: str, wiring: Wiring) -> str:
    """Draws the header with all wires and a legend, as SVG."""
    sections = [section for _, section in wiring.sections_with_keys()]
    colours = {
        section.device_name: SECTION_COLOURS[at % len(SECTION_COLOURS)] for at, section in enumerate(sections)
    }
    wired = list_pin_connections(wiring)
    legend, bottom = _legend(sections, wired, colours)
    shapes = [*_board(), *(_text(20, 30 + 22 * at, note, 14) for at, note in enumerate(NOTES, 1))]
    for place in range(1, 2 * ROWS + 1):
        shapes += _pin(place, [lead for lead in wired if lead.physical_pin == place], colours)
    return "\n".join(
        [
            f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {bottom}" font-family="{FONT}" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{bottom}" fill="#fff"/>',
            _text(20, 30, title, 20, weight="bold"),
            *shapes,
            *legend,
            "</svg>\n",
        ]
    )


def describe_owner(section: Section) -> str:
    """Returns whose device this is: `seat 3 light`, a reader's zone, or `table's buzzer`."""
    seat = section.seat_number
    if isinstance(section, Reader):
        return f"reader {section.zone}"
    kind = section.type_name()
    if isinstance(section, Buttons) and len(section.pins) == 1:
        kind = "button"
    return f"seat {seat} {kind}" if seat else f"table's {kind}"


def _board() -> Iterator[str]:
    """Yields the board with its sockets, and the header at its edge."""
    right, top = EVEN + 28, TOP - 28
    green = 'stroke="#7fae8a"'
    yield _rect(12, top, right - 12, BOTTOM + 18 - top, f'rx="14" fill="#eaf4ec" {green}')
    header = (ODD - 17, TOP - 17, EVEN - ODD + 34, ROW_HEIGHT * (ROWS - 1) + 34)
    yield _rect(*header, f'rx="4" fill="#fff" {green}')
    yield _text(right + 12, top + 12, "edge of the board", 12, GREY)
    for x, what in ((90, "network"), (250, "USB"), (410, "USB")):
        yield _rect(x, BOTTOM + 2, 120, 34, 'fill="#c9ced3" stroke="#8a9097"')
        yield _text(x + 60, BOTTOM + 24, what, 12, anchor="middle")


def _pin(place: int, wired: Sequence[PinConnection], colours: dict[str, str]) -> Iterator[str]:
    is_odd = place % 2 == 1
    x, y = ODD if is_odd else EVEN, TOP + ROW_HEIGHT * ((place - 1) // 2)
    out, anchor = (-1, "end") if is_odd else (1, "start")
    devices = list(dict.fromkeys(lead.section.device_name for lead in wired))
    power = FIXED_PINS.get(place)
    fills = [colours[device] for device in devices] or [SUPPLY_COLOURS[power] if power else UNUSED]
    ends = f'x1="{x + out * RADIUS}" y1="{y}" x2="{x + out * LINE_LENGTH}" y2="{y}"'
    yield f'<line {ends} stroke="{fills[0]}" stroke-width="2"/>'
    yield from _dot(place, x, y, fills)
    yield _text(x, y + 4, str(place), 11, GREY if fills == [UNUSED] else "#fff", "middle", weight="bold")
    at = x + out * (LINE_LENGTH + 5)
    yield _text(at, y + 4, _own_name(place), 13, "#000" if wired else GREY, anchor)
    yield from _wired(at + out * ROLE_WIDTH, y, wired, colours, anchor)


def _wired(
    x: int, y: int, wired: Sequence[PinConnection], colours: dict[str, str], anchor: str
) -> Iterator[str]:
    """Yields what is wired to a pin, in one line or two."""
    parts = [
        (
            f"{describe_owner(section)}: {' and '.join(lead.wire_name for lead in some)}",
            colours[section.device_name],
        )
        for section, some in groupby(wired, key=lambda lead: lead.section)
    ]
    half = (len(parts) + 1) // 2
    if len(parts) == 1:
        yield _spans(x, y + 4, parts, anchor)
    elif parts:
        yield _spans(x, y - 3, parts[:half], anchor, 11)
        yield _spans(x, y + 10, parts[half:], anchor, 11)


def _own_name(place: int) -> str:
    """Returns what the pin is called, and what else it does."""
    if place in FIXED_PINS:
        what = FIXED_PINS[place].replace("GPIO0/GPIO1", "for add-on boards")
        return f"{what} (panel)" if place in PANEL_POWER_PINS else what
    gpio = GPIO_OF_PHYSICAL_PIN[place]
    return f"GPIO{gpio}" + (f", {ROLE_BY_GPIO[gpio]}" if gpio in ROLE_BY_GPIO else "")


def _dot(place: int, x: int, y: int, fills: Sequence[str]) -> Iterator[str]:
    """Yields a pin in the colours of all its wires; the first pin is square."""
    if place == 1:
        wide = 2 * RADIUS / len(fills)
        for at, fill in enumerate(fills):
            left = x - RADIUS + at * wide
            yield _rect(left, y - RADIUS, wide, 2 * RADIUS, f'fill="{fill}"')
    elif len(fills) == 1:
        yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fills[0]}"/>'
    else:
        edges = [math.tau * at / len(fills) - math.pi / 2 for at in range(len(fills) + 1)]
        for fill, begin, end in zip(fills, edges, edges[1:], strict=False):
            points = [f"{x + RADIUS * math.cos(a):.1f} {y + RADIUS * math.sin(a):.1f}" for a in (begin, end)]
            large = int(end - begin > math.pi)
            yield f'<path d="M{x} {y}L{points[0]}A{RADIUS} {RADIUS} 0 {large} 1 {points[1]}Z" fill="{fill}"/>'


def _legend(
    sections: Sequence[Section], wired: Sequence[PinConnection], colours: dict[str, str]
) -> tuple[list[str], int]:
    """Returns the legend, in columns of about equal height, and where the longest column ends."""
    blocks = [_block(section, [lead for lead in wired if lead.section is section]) for section in sections]
    most = math.ceil(sum(len(block) + 1 for block in blocks) / COLUMNS)
    shapes, column, row, longest = [], 0, 0, 0
    for section, block in zip(sections, blocks, strict=True):
        if row and row + len(block) / 2 > most and column < COLUMNS - 1:
            column, row = column + 1, 0
        x = 20 + column * (WIDTH - 20) // COLUMNS
        y = LEGEND + row * LINE
        shapes.append(_rect(x, y - 11, 13, 13, f'rx="3" fill="{colours[section.device_name]}"'))
        shapes.append(_text(x + 22, y, block[0], 13, weight="bold"))
        shapes += [_text(x + 22, y + LINE * at, line, 13) for at, line in enumerate(block[1:], 1)]
        row += len(block) + 1
        longest = max(longest, row)
    return shapes, LEGEND + longest * LINE


def _block(section: Section, wired: Sequence[PinConnection]) -> list[str]:
    where = [
        f"{lead.wire_name} → pin {lead.physical_pin}, {describe_physical_pin(lead.physical_pin)}"
        for lead in wired
    ]
    if not where and isinstance(section, Keypad | Numpad):
        where = ["its cable → any USB socket"]
    title = describe_owner(section)
    return [title[0].upper() + title[1:], *where]


def describe_physical_pin(physical_pin: int) -> str:
    """Returns what a physical pin is: its GPIO, power or ground."""
    return FIXED_PINS.get(physical_pin) or f"GPIO{GPIO_OF_PHYSICAL_PIN[physical_pin]}"


def _rect(x: float, y: float, width: float, height: float, attributes: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {attributes}/>'


def _text(  # noqa: PLR0913  # a text has so many
    x: int,
    y: int,
    text: str,
    size: int,
    colour: str = "#000",
    anchor: str = "start",
    *,
    weight: str = "normal",
) -> str:
    return _spans(x, y, [(text, colour)], anchor, size, weight)


def _spans(
    x: int, y: int, parts: Sequence[tuple[str, str]], anchor: str, size: int = 13, weight: str = "bold"
) -> str:
    """Returns a line of text with a colour for each part."""
    spans = ", ".join(f'<tspan fill="{ink}">{html.escape(text)}</tspan>' for text, ink in parts)
    looks = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {looks}>{spans}</text>'
