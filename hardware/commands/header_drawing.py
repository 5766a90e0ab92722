"""The 40 pins of a Raspberry Pi as a picture: what is wired to each, and a legend from device to wire to pin.

    Path("header.svg").write_text(draw_header("My table", load_wiring(path)))

Seen from above, the sockets for USB at the bottom. A line leads outward from each pin to what is said of it
and over nothing else, so that no wire strikes through a number.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from hardware.doctor.machine import seat_of
from hardware.wiring import Buttons, Keypad, Numpad, Reader, Section, Wiring
from hardware.wiring.leads import PANEL, Lead, leads
from hardware.wiring.pins import AT, POWER, ROLES

WIDTH = 1120
TOP, PITCH, ROWS = 128, 30, 20
ODD, EVEN, RADIUS = 545, 575, 11
REACH, ROLE = 30, 160
"""How far a line leads, and how much room there is for a pin's own name."""
BOTTOM = TOP + PITCH * ROWS
LEGEND, LINE, COLUMNS = BOTTOM + 80, 19, 3
SVG = "http://www.w3.org/2000/svg"
FONT = "DejaVu Sans, Verdana, sans-serif"
GREY, UNUSED = "#6b6b6b", "#d9d9d9"
SUPPLY = {"3.3 V": "#e08a00", "5 V": "#c62828", "ground": "#303030", "GPIO0/GPIO1": UNUSED}
COLOURS = (
    *("#0b63b0", "#b3410a", "#00795a", "#8e3a80", "#7a5c00", "#a1123c"),
    *("#00708a", "#4b3fa7", "#4d6b00", "#7d4a35", "#5b5b8c", "#9c2a9c"),
)
"""All dark enough for white numbers."""
NOTES = (
    "The header seen from above, with the USB and network sockets towards you. The square pin is number 1.",
    "Unplug the power supply before you wire. Leave grey pins free. Never wire a device to a red pin (5 V).",
)


def draw_header(title: str, wiring: Wiring) -> str:
    """The picture as SVG."""
    sections = [section for _, section in wiring.sections()]
    colours = {section.device: COLOURS[at % len(COLOURS)] for at, section in enumerate(sections)}
    wired = leads(wiring)
    legend, bottom = _legend(sections, wired, colours)
    shapes = [*_board(), *(_text(20, 30 + 22 * at, note, 14) for at, note in enumerate(NOTES, 1))]
    for place in range(1, 2 * ROWS + 1):
        shapes += _pin(place, [lead for lead in wired if lead.place == place], colours)
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


def name_of(section: Section) -> str:
    """Who has this device: a seat, a reader's zone, or the table."""
    seat = seat_of(section)
    if isinstance(section, Reader):
        return f"reader {section.zone}"
    kind = type(section).__name__.lower()
    if isinstance(section, Buttons) and len(section.pins) == 1:
        kind = "button"
    return f"seat {seat} {kind}" if seat else f"table's {kind}"


def _board() -> Iterator[str]:
    """The board with its sockets, and the header at its edge."""
    right, top = EVEN + 28, TOP - 28
    green = 'stroke="#7fae8a"'
    yield _rect(12, top, right - 12, BOTTOM + 18 - top, f'rx="14" fill="#eaf4ec" {green}')
    header = (ODD - 17, TOP - 17, EVEN - ODD + 34, PITCH * (ROWS - 1) + 34)
    yield _rect(*header, f'rx="4" fill="#fff" {green}')
    yield _text(right + 12, top + 12, "edge of the board", 12, GREY)
    for x, what in ((90, "network"), (250, "USB"), (410, "USB")):
        yield _rect(x, BOTTOM + 2, 120, 34, 'fill="#c9ced3" stroke="#8a9097"')
        yield _text(x + 60, BOTTOM + 24, what, 12, anchor="middle")


def _pin(place: int, wired: Sequence[Lead], colours: dict[str, str]) -> Iterator[str]:
    is_odd = place % 2 == 1
    x, y = ODD if is_odd else EVEN, TOP + PITCH * ((place - 1) // 2)
    out, anchor = (-1, "end") if is_odd else (1, "start")
    devices = list(dict.fromkeys(lead.section.device for lead in wired))
    power = POWER.get(place)
    fills = [colours[device] for device in devices] or [SUPPLY[power] if power else UNUSED]
    ends = f'x1="{x + out * RADIUS}" y1="{y}" x2="{x + out * REACH}" y2="{y}"'
    yield f'<line {ends} stroke="{fills[0]}" stroke-width="2"/>'
    yield from _dot(place, x, y, fills)
    yield _text(x, y + 4, str(place), 11, GREY if fills == [UNUSED] else "#fff", "middle", weight="bold")
    at = x + out * (REACH + 5)
    yield _text(at, y + 4, _own_name(place), 13, "#000" if wired else GREY, anchor)
    yield from _wired(at + out * ROLE, y, wired, colours, anchor)


def _wired(x: int, y: int, wired: Sequence[Lead], colours: dict[str, str], anchor: str) -> Iterator[str]:
    """What is wired to a pin: in one line, or where there is more in two."""
    parts = [
        (f"{name_of(section)}: {' and '.join(lead.name for lead in some)}", colours[section.device])
        for section, some in groupby(wired, key=lambda lead: lead.section)
    ]
    half = (len(parts) + 1) // 2
    if len(parts) == 1:
        yield _spans(x, y + 4, parts, anchor)
    elif parts:
        yield _spans(x, y - 3, parts[:half], anchor, 11)
        yield _spans(x, y + 10, parts[half:], anchor, 11)


def _own_name(place: int) -> str:
    """What the pin is called, and what it does beside."""
    if place in POWER:
        what = POWER[place].replace("GPIO0/GPIO1", "for add-on boards")
        return f"{what} (panel)" if place in PANEL else what
    gpio = AT[place]
    return f"GPIO{gpio}" + (f", {ROLES[gpio]}" if gpio in ROLES else "")


def _dot(place: int, x: int, y: int, fills: Sequence[str]) -> Iterator[str]:
    """A pin in the colours of all that is wired to it; the first pin is square."""
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
    sections: Sequence[Section], wired: Sequence[Lead], colours: dict[str, str]
) -> tuple[list[str], int]:
    """Device by device: wire, pin; in columns of about one height, and where the longest of them ends."""
    blocks = [_block(section, [lead for lead in wired if lead.section is section]) for section in sections]
    most = math.ceil(sum(len(block) + 1 for block in blocks) / COLUMNS)
    shapes, column, row, longest = [], 0, 0, 0
    for section, block in zip(sections, blocks, strict=True):
        if row and row + len(block) / 2 > most and column < COLUMNS - 1:
            column, row = column + 1, 0
        x = 20 + column * (WIDTH - 20) // COLUMNS
        y = LEGEND + row * LINE
        shapes.append(_rect(x, y - 11, 13, 13, f'rx="3" fill="{colours[section.device]}"'))
        shapes.append(_text(x + 22, y, block[0], 13, weight="bold"))
        shapes += [_text(x + 22, y + LINE * at, line, 13) for at, line in enumerate(block[1:], 1)]
        row += len(block) + 1
        longest = max(longest, row)
    return shapes, LEGEND + longest * LINE


def _block(section: Section, wired: Sequence[Lead]) -> list[str]:
    where = [f"{lead.name} → pin {lead.place}, {called(lead.place)}" for lead in wired]
    if not where and isinstance(section, Keypad | Numpad):
        where = ["its cable → any USB socket"]
    title = name_of(section)
    return [title[0].upper() + title[1:], *where]


def called(place: int) -> str:
    """What a pin is: its GPIO, power or ground."""
    return POWER.get(place) or f"GPIO{AT[place]}"


def _rect(x: float, y: float, width: float, height: float, looks: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {looks}/>'


def _text(  # noqa: PLR0913  # a text has so many
    x: int, y: int, text: str, size: int, ink: str = "#000", anchor: str = "start", *, weight: str = "normal"
) -> str:
    return _spans(x, y, [(text, ink)], anchor, size, weight)


def _spans(
    x: int, y: int, parts: Sequence[tuple[str, str]], anchor: str, size: int = 13, weight: str = "bold"
) -> str:
    """A line of text, its parts each in a colour."""
    spans = ", ".join(f'<tspan fill="{ink}">{html.escape(text)}</tspan>' for text, ink in parts)
    looks = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {looks}>{spans}</text>'
