"""The wires from devices to the 40-pin header: as a list, and as a picture with a legend.

    Path("header.svg").write_text(draw_header_svg("My table", load_wiring_without_faulty_sections(path)))

    for connection in list_pin_connections(read_machine_wiring()):
        print(connection.section.device_name, connection.wire_name, connection.physical_pin)

The pins in hardware.toml are fixed; power and ground are a proposal, because any pin of that kind will do.
Devices on USB have no wire to the header.
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
    GPIO_OF_PHYSICAL_PIN,
    PHYSICAL_PIN_OF_GPIO,
    ROLE_BY_GPIO,
    USE_BY_FIXED_PIN,
)
from hardware.wiring.sections import Buttons, Keypad, Numpad, Reader, Section, Wiring

PANEL_POWER_PINS = (2, 4, 6)
"""Physical pins under the plug that gives a touchscreen panel its power."""
PHYSICAL_PINS_BY_SUPPLY = {
    supply: tuple(
        pin for pin, use in USE_BY_FIXED_PIN.items() if use == supply and pin not in PANEL_POWER_PINS
    )
    for supply in ("3.3 V", "ground")
}
"""Physical pins to take 3.3 V and ground from, by supply."""


class PinConnection(NamedTuple):
    """One wire: its device, its name at the device, and the physical pin at the other end."""

    section: Section
    wire_name: str
    physical_pin: int


def list_pin_connections(wiring: Wiring) -> tuple[PinConnection, ...]:
    """Returns every wire to the header, device by device."""
    use_count_by_pin = Counter[int]()
    return tuple(
        connection
        for _, section in wiring.sections_with_keys()
        for connection in _connections_of_section(section, use_count_by_pin)
    )


def _connections_of_section(section: Section, use_count_by_pin: Counter[int]) -> Iterator[PinConnection]:
    physical_pin_by_wire = dict(_signal_wires(section))
    for name, physical_pin in physical_pin_by_wire.items():
        yield PinConnection(section, name, physical_pin)
    for name, supply in section.supply_wires():
        # Wires share a pin only if all pins are taken. Of equally used pins, the nearest is chosen.
        chosen_pin = min(
            PHYSICAL_PINS_BY_SUPPLY[supply],
            key=lambda pin: (
                use_count_by_pin[pin],
                sum(abs(pin - signal_pin) for signal_pin in physical_pin_by_wire.values()),
            ),
        )
        use_count_by_pin[chosen_pin] += 1
        yield PinConnection(section, name, chosen_pin)


def _signal_wires(section: Section) -> Iterator[tuple[str, int]]:
    for name, gpio in section.bus_wires():
        yield name, PHYSICAL_PIN_OF_GPIO[gpio]
    for key, pin in section.pins.items():
        yield section.wire_name_by_key.get(key, key), pin.physical_number


# The picture


WIDTH = 1120
FIRST_ROW_Y, ROW_HEIGHT, ROWS = 128, 30, 20
ODD_PINS_X, EVEN_PINS_X, PIN_RADIUS = 545, 575, 11
LINE_LENGTH, ROLE_WIDTH = 30, 160
"""The length of a line, and the room for a pin's own name."""
PINS_BOTTOM_Y = FIRST_ROW_Y + ROW_HEIGHT * ROWS
LEGEND_TOP_Y, LEGEND_LINE_HEIGHT, LEGEND_COLUMNS = PINS_BOTTOM_Y + 80, 19, 3
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"
GREY, UNUSED_PIN_COLOUR = "#6b6b6b", "#d9d9d9"
SUPPLY_COLOURS = {"3.3 V": "#e08a00", "5 V": "#c62828", "ground": "#303030", "GPIO0/GPIO1": UNUSED_PIN_COLOUR}
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
    colour_by_device = {
        section.device_name: SECTION_COLOURS[index % len(SECTION_COLOURS)]
        for index, section in enumerate(sections)
    }
    connections = list_pin_connections(wiring)
    legend, bottom = _draw_legend(sections, connections, colour_by_device)
    shapes = [
        *_draw_board(),
        *(_text_svg(20, 30 + 22 * index, note, 14) for index, note in enumerate(NOTES, 1)),
    ]
    for physical_pin in range(1, 2 * ROWS + 1):
        connections_of_pin = [each for each in connections if each.physical_pin == physical_pin]
        shapes += _draw_pin(physical_pin, connections_of_pin, colour_by_device)
    return "\n".join(
        [
            f'<svg xmlns="{SVG_NAMESPACE}" viewBox="0 0 {WIDTH} {bottom}" font-family="{FONT}" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{bottom}" fill="#fff"/>',
            _text_svg(20, 30, title, 20, weight="bold"),
            *shapes,
            *legend,
            "</svg>\n",
        ]
    )


def describe_device_with_owner(section: Section) -> str:
    """Returns a device's owner and type: `seat 3 light`, `reader market` or `table's buzzer`."""
    seat = section.seat_number
    if isinstance(section, Reader):
        return f"reader {section.zone}"
    kind = section.type_name()
    if isinstance(section, Buttons) and len(section.pins) == 1:
        kind = "button"
    return f"seat {seat} {kind}" if seat else f"table's {kind}"


def _draw_board() -> Iterator[str]:
    """Yields the board with its sockets, and the header at its edge."""
    right, top = EVEN_PINS_X + 28, FIRST_ROW_Y - 28
    green = 'stroke="#7fae8a"'
    yield _rect_svg(12, top, right - 12, PINS_BOTTOM_Y + 18 - top, f'rx="14" fill="#eaf4ec" {green}')
    header = (ODD_PINS_X - 17, FIRST_ROW_Y - 17, EVEN_PINS_X - ODD_PINS_X + 34, ROW_HEIGHT * (ROWS - 1) + 34)
    yield _rect_svg(*header, f'rx="4" fill="#fff" {green}')
    yield _text_svg(right + 12, top + 12, "edge of the board", 12, GREY)
    for x, socket in ((90, "network"), (250, "USB"), (410, "USB")):
        yield _rect_svg(x, PINS_BOTTOM_Y + 2, 120, 34, 'fill="#c9ced3" stroke="#8a9097"')
        yield _text_svg(x + 60, PINS_BOTTOM_Y + 24, socket, 12, anchor="middle")


def _draw_pin(
    physical_pin: int, connections: Sequence[PinConnection], colour_by_device: dict[str, str]
) -> Iterator[str]:
    is_odd = physical_pin % 2 == 1
    x, y = ODD_PINS_X if is_odd else EVEN_PINS_X, FIRST_ROW_Y + ROW_HEIGHT * ((physical_pin - 1) // 2)
    direction, anchor = (-1, "end") if is_odd else (1, "start")
    devices = list(dict.fromkeys(connection.section.device_name for connection in connections))
    fixed_use = USE_BY_FIXED_PIN.get(physical_pin)
    fills = [colour_by_device[device] for device in devices] or [
        SUPPLY_COLOURS[fixed_use] if fixed_use else UNUSED_PIN_COLOUR
    ]
    line_ends = f'x1="{x + direction * PIN_RADIUS}" y1="{y}" x2="{x + direction * LINE_LENGTH}" y2="{y}"'
    yield f'<line {line_ends} stroke="{fills[0]}" stroke-width="2"/>'
    yield from _draw_dot(physical_pin, x, y, fills)
    yield _text_svg(
        x,
        y + 4,
        str(physical_pin),
        11,
        GREY if fills == [UNUSED_PIN_COLOUR] else "#fff",
        "middle",
        weight="bold",
    )
    text_x = x + direction * (LINE_LENGTH + 5)
    yield _text_svg(text_x, y + 4, _pin_name(physical_pin), 13, "#000" if connections else GREY, anchor)
    yield from _draw_connections(text_x + direction * ROLE_WIDTH, y, connections, colour_by_device, anchor)


def _draw_connections(
    x: int, y: int, connections: Sequence[PinConnection], colour_by_device: dict[str, str], anchor: str
) -> Iterator[str]:
    """Yields the text about what is wired to a pin, in one or two lines."""
    texts_with_colours = list[tuple[str, str]]()
    for section, section_connections in groupby(connections, key=lambda connection: connection.section):
        wires = " and ".join(connection.wire_name for connection in section_connections)
        colour = colour_by_device[section.device_name]
        texts_with_colours.append((f"{describe_device_with_owner(section)}: {wires}", colour))
    half = (len(texts_with_colours) + 1) // 2
    if len(texts_with_colours) == 1:
        yield _text_svg_in_colours(x, y + 4, texts_with_colours, anchor)
    elif texts_with_colours:
        yield _text_svg_in_colours(x, y - 3, texts_with_colours[:half], anchor, 11)
        yield _text_svg_in_colours(x, y + 10, texts_with_colours[half:], anchor, 11)


def _pin_name(physical_pin: int) -> str:
    """Returns the name of a pin, with its special function."""
    if physical_pin in USE_BY_FIXED_PIN:
        use = USE_BY_FIXED_PIN[physical_pin].replace("GPIO0/GPIO1", "for add-on boards")
        return f"{use} (panel)" if physical_pin in PANEL_POWER_PINS else use
    gpio = GPIO_OF_PHYSICAL_PIN[physical_pin]
    return f"GPIO{gpio}" + (f", {ROLE_BY_GPIO[gpio]}" if gpio in ROLE_BY_GPIO else "")


def _draw_dot(physical_pin: int, x: int, y: int, fills: Sequence[str]) -> Iterator[str]:
    """Yields a pin in the colours of all its wires; pin 1 is square."""
    if physical_pin == 1:
        stripe_width = 2 * PIN_RADIUS / len(fills)
        for index, fill in enumerate(fills):
            left = x - PIN_RADIUS + index * stripe_width
            yield _rect_svg(left, y - PIN_RADIUS, stripe_width, 2 * PIN_RADIUS, f'fill="{fill}"')
    elif len(fills) == 1:
        yield f'<circle cx="{x}" cy="{y}" r="{PIN_RADIUS}" fill="{fills[0]}"/>'
    else:
        edges = [math.tau * index / len(fills) - math.pi / 2 for index in range(len(fills) + 1)]
        for fill, start, end in zip(fills, edges, edges[1:], strict=False):
            points = [
                f"{x + PIN_RADIUS * math.cos(angle):.1f} {y + PIN_RADIUS * math.sin(angle):.1f}"
                for angle in (start, end)
            ]
            is_large_arc = int(end - start > math.pi)
            arc = f"A{PIN_RADIUS} {PIN_RADIUS} 0 {is_large_arc} 1 {points[1]}"
            yield f'<path d="M{x} {y}L{points[0]}{arc}Z" fill="{fill}"/>'


def _draw_legend(
    sections: Sequence[Section], connections: Sequence[PinConnection], colour_by_device: dict[str, str]
) -> tuple[list[str], int]:
    """Returns the legend, in columns of about equal height, and the y at which the longest column ends."""
    lines_by_section = [
        _legend_lines(section, [connection for connection in connections if connection.section is section])
        for section in sections
    ]
    max_rows = math.ceil(sum(len(lines) + 1 for lines in lines_by_section) / LEGEND_COLUMNS)
    shapes, column, row, longest = [], 0, 0, 0
    for section, lines in zip(sections, lines_by_section, strict=True):
        if row and row + len(lines) / 2 > max_rows and column < LEGEND_COLUMNS - 1:
            column, row = column + 1, 0
        x = 20 + column * (WIDTH - 20) // LEGEND_COLUMNS
        y = LEGEND_TOP_Y + row * LEGEND_LINE_HEIGHT
        shapes.append(_rect_svg(x, y - 11, 13, 13, f'rx="3" fill="{colour_by_device[section.device_name]}"'))
        shapes.append(_text_svg(x + 22, y, lines[0], 13, weight="bold"))
        shapes += [
            _text_svg(x + 22, y + LEGEND_LINE_HEIGHT * line_number, line, 13)
            for line_number, line in enumerate(lines[1:], 1)
        ]
        row += len(lines) + 1
        longest = max(longest, row)
    return shapes, LEGEND_TOP_Y + longest * LEGEND_LINE_HEIGHT


def _legend_lines(section: Section, connections: Sequence[PinConnection]) -> list[str]:
    wires = [
        f"{wire_name} → pin {physical_pin}, {describe_physical_pin(physical_pin)}"
        for _, wire_name, physical_pin in connections
    ]
    if not wires and isinstance(section, Keypad | Numpad):
        wires = ["its cable → any USB socket"]
    title = describe_device_with_owner(section)
    return [title[0].upper() + title[1:], *wires]


def describe_physical_pin(physical_pin: int) -> str:
    """Returns what a physical pin is: its GPIO, power or ground."""
    return USE_BY_FIXED_PIN.get(physical_pin) or f"GPIO{GPIO_OF_PHYSICAL_PIN[physical_pin]}"


def _rect_svg(x: float, y: float, width: float, height: float, attributes: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {attributes}/>'


def _text_svg(  # noqa: PLR0913  # a text needs all of them
    x: int,
    y: int,
    text: str,
    size: int,
    colour: str = "#000",
    anchor: str = "start",
    *,
    weight: str = "normal",
) -> str:
    return _text_svg_in_colours(x, y, [(text, colour)], anchor, size, weight)


def _text_svg_in_colours(
    x: int,
    y: int,
    texts_with_colours: Sequence[tuple[str, str]],
    anchor: str,
    size: int = 13,
    weight: str = "bold",
) -> str:
    """Returns a line of text with a colour for each part."""
    spans = ", ".join(
        f'<tspan fill="{colour}">{html.escape(text)}</tspan>' for text, colour in texts_with_colours
    )
    attributes = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {attributes}>{spans}</text>'
