"""The pictures of docs/build that show a mistake which destroys something, beside the right way.

`python -m scripts.draw_wiring` draws them together with the headers. Each picture is a row of panels;
a panel has a tick or a cross, a drawing and a caption. What each pin is comes from `hardware.wiring.pins`.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from hardware.wiring.header_drawing import FONT, GREY, SUPPLY_COLOURS, SVG_NAMESPACE
from hardware.wiring.pins import USE_BY_FIXED_PIN

GAP, TITLE, HEAD, TOP = 16, 50, 34, 96
"""Space round panels; heights of the picture's title and of a panel's verdict; where its drawing begins."""
SIZE, LINE, LETTER = 13, 18, 0.6
"""Size of captions, their line height, and how wide a letter is at most, as a part of its size."""
RIGHT, WRONG, STEP, HARMLESS = "#00795a", "#c62828", "#6b6b6b", "#7a5c00"
PITCH, RADIUS = 24, 9
PIN = "#dfe5df"
BLACK, RED, WIRE, COPPER = "#303030", "#c62828", "#0b63b0", "#b87333"


class Point(NamedTuple):
    """A place in a picture."""

    x: float
    y: float


class Panel(NamedTuple):
    """One drawing of a row. Its colour says whether it is right, wrong or a step; its texts say why."""

    colour: str
    title: str
    caption: str
    draw: Callable[[float, float], Iterator[str]]


class Picture(NamedTuple):
    """A row of panels of one size; `depth` is the height of their drawings."""

    title: str
    width: int
    depth: int
    panels: tuple[Panel, ...]


def draw(picture: Picture) -> str:
    """The picture as SVG."""
    letters = int((picture.width - 2 * 12) / (SIZE * LETTER))
    captions = [textwrap.wrap(panel.caption, letters) for panel in picture.panels]
    height = HEAD + picture.depth + LINE * max(map(len, captions)) + 16
    width = GAP + (picture.width + GAP) * len(picture.panels)
    shapes = [_text(GAP, 32, picture.title, 17, weight="bold")]
    for at, (panel, lines) in enumerate(zip(picture.panels, captions, strict=True)):
        left = GAP + at * (picture.width + GAP)
        looks = f'rx="8" fill="#fff" stroke="{panel.colour}" stroke-width="2"'
        shapes.append(_rect(left, TITLE, picture.width, height, looks))
        shapes += _sign(left + 20, TITLE + 18, panel.colour, at + 1)
        shapes.append(_text(left + 38, TITLE + 23, panel.title, 14, panel.colour, weight="bold"))
        shapes += panel.draw(left, TITLE + HEAD)
        first = TITLE + HEAD + picture.depth + 14
        shapes += [_text(left + 12, first + LINE * row, line) for row, line in enumerate(lines)]
    bottom = TITLE + height + GAP
    return "\n".join(
        [
            f'<svg xmlns="{SVG_NAMESPACE}" viewBox="0 0 {width} {bottom}" font-family="{FONT}" role="img">',
            f"<title>{html.escape(picture.title)}</title>",
            f'<rect width="{width}" height="{bottom}" fill="#fff"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def _sign(x: float, y: float, colour: str, number: int) -> Iterator[str]:
    """A tick, a cross, for a step its number, and an exclamation mark for what breaks nothing."""
    if colour in (STEP, HARMLESS):
        yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="{colour}"/>'
        yield _text(x, y + 5, str(number) if colour == STEP else "!", 13, "#fff", "middle", weight="bold")
        return
    line = f'fill="none" stroke="{colour}" stroke-width="4" stroke-linecap="round"'
    if colour == RIGHT:
        yield f'<path d="M{x - 8:g} {y:g}l6 7l11 -14" {line}/>'
    else:
        yield f'<path d="M{x - 7:g} {y - 7:g}l14 14m0 -14l-14 14" {line}/>'


def _header(x: float, y: float, rows: int, *, is_turned: bool = False) -> tuple[dict[int, Point], list[str]]:
    """The first rows of the header: where each pin is, and the shapes. Turned round, pin 40 comes first."""
    places, shapes = {}, [_rect(x - 14, y - 14, PITCH + 28, PITCH * (rows - 1) + 28, 'rx="4" fill="#eaf4ec"')]
    for row in range(rows):
        for side in (0, 1):
            place = 40 - 2 * row - side if is_turned else 2 * row + side + 1
            at = places[place] = Point(x + side * PITCH, y + row * PITCH)
            fill = SUPPLY_COLOURS.get(USE_BY_FIXED_PIN.get(place, ""), PIN)
            ink = (
                "#fff"
                if fill in (SUPPLY_COLOURS["5 V"], SUPPLY_COLOURS["ground"], SUPPLY_COLOURS["3.3 V"])
                else "#000"
            )
            if place == 1:
                shapes.append(_rect(at.x - RADIUS, at.y - RADIUS, 2 * RADIUS, 2 * RADIUS, f'fill="{fill}"'))
            else:
                shapes.append(f'<circle cx="{at.x:g}" cy="{at.y:g}" r="{RADIUS}" fill="{fill}"/>')
            shapes.append(_text(at.x, at.y + 3.5, str(place), 10, ink, "middle", weight="bold"))
    return places, shapes


def _wire(points: str, colour: str = WIRE, width: float = 3) -> str:
    return f'<path d="{points}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _rect(x: float, y: float, width: float, height: float, looks: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {looks}/>'


def _text(  # noqa: PLR0913  # a text has so many
    x: float,
    y: float,
    text: str,
    size: int = SIZE,
    ink: str = "#000",
    anchor: str = "start",
    *,
    weight: str = "normal",
) -> str:
    looks = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{ink}"'
    return f'<text x="{x:g}" y="{y:g}" {looks}>{html.escape(text)}</text>'


def _disks(good: str, chosen: int) -> Callable[[float, float], Iterator[str]]:
    """The list of storage in Raspberry Pi Imager, one row chosen."""

    def shapes(x: float, y: float) -> Iterator[str]:
        rows = (("Card reader", good), ("USB disk", "1 TB"))
        for at, (name, size) in enumerate(rows):
            looks = f'rx="6" fill="{"#dcecfb" if at == chosen else "#fff"}" stroke="{GREY}"'
            yield _rect(x + 20, y + 14 + 46 * at, 250, 36, looks)
            yield _text(x + 34, y + 37 + 46 * at, name, 14)
            yield _text(x + 256, y + 37 + 46 * at, size, 14, anchor="end")

    return shapes


def _power_sign(x: float, y: float) -> Iterator[str]:
    yield _rect(x + 35, y + 8, 110, 66, 'rx="6" fill="#10211C"')
    yield _wire(f"M{x + 82:g} {y + 32:g}a14 14 0 1 0 16 0M{x + 90:g} {y + 24:g}v18", "#D9A441", 4)


def _lights(x: float, y: float) -> Iterator[str]:
    yield _rect(x + 50, y + 14, 80, 56, 'rx="6" fill="#eaf4ec" stroke="#7fae8a"')
    yield f'<circle cx="{x + 74:g}" cy="{y + 42:g}" r="8" fill="{RED}"/>'
    off = 'fill="#fff" stroke="#00795a" stroke-dasharray="3 2"'
    yield f'<circle cx="{x + 106:g}" cy="{y + 42:g}" r="8" {off}/>'


def _plug(x: float, y: float) -> Iterator[str]:
    yield _rect(x + 20, y + 24, 40, 36, 'rx="4" fill="#eaf4ec" stroke="#7fae8a"')
    yield _rect(x + 84, y + 32, 36, 20, f'rx="4" fill="{BLACK}"')
    yield _wire(f"M{x + 120:g} {y + 42:g}h40", BLACK, 5)
    yield _wire(f"M{x + 78:g} {y + 42:g}h-12m5 -5l-6 5l6 5", GREY, 2)


def _wires(x: float, y: float) -> Iterator[str]:
    places, shapes = _header(x + 60, y + 20, 3)
    yield from shapes
    yield _wire(f"M{places[6].x + RADIUS:g} {places[6].y:g}h60", BLACK)
    yield _wire(f"M{places[5].x - RADIUS:g} {places[5].y:g}h-40")


def _board(*, is_turned: bool) -> Callable[[float, float], Iterator[str]]:
    """The whole board with the first rows of its header and its sockets."""

    def shapes(x: float, y: float) -> Iterator[str]:
        yield _rect(x + 60, y + 24, 180, 196, 'rx="10" fill="#f4faf5" stroke="#7fae8a"')
        socket = y + 10 if is_turned else y + 204
        for at in range(3):
            yield _rect(
                x + (106 if is_turned else 72) + 44 * at, socket, 36, 30, 'fill="#c9ced3" stroke="#8a9097"'
            )
        sockets = Point(x + 150, y + 58 if is_turned else y + 196)
        yield _text(sockets.x, sockets.y, "USB, network", 12, anchor="middle")
        left = x + 78 if is_turned else x + 198
        yield from _header(left, y + 46 if not is_turned else y + 84, 5, is_turned=is_turned)[1]

    return shapes


def _panel_plug(red: int, black: int) -> Callable[[float, float], Iterator[str]]:
    """The panel's three-pole plug on the right row, its red and its black wire."""

    def shapes(x: float, y: float) -> Iterator[str]:
        places, header = _header(x + 60, y + 24, 5)
        yield from header
        first, last = sorted((places[red].y, places[black].y))
        right = places[red].x
        plug = 'rx="4" fill="none" stroke="#000" stroke-width="3"'
        yield _rect(right - 12, first - 12, 24, last - first + 24, plug)
        for place, colour, word in ((red, RED, "red"), (black, BLACK, "black")):
            yield _wire(f"M{right + 12:g} {places[place].y:g}h60", colour, 4)
            yield _text(right + 78, places[place].y + 4, word)

    return shapes


def _module(place: int) -> Callable[[float, float], Iterator[str]]:
    """A reader whose power comes from this pin."""

    def shapes(x: float, y: float) -> Iterator[str]:
        places, header = _header(x + 190, y + 24, 4)
        yield from header
        yield _rect(x + 20, y + 8, 92, 96, f'rx="6" fill="#dbe7fb" stroke="{WIRE}"')
        yield _text(x + 30, y + 28, "RC522", 13, weight="bold")
        yield _text(x + 104, y + 62, "3.3V", 12, anchor="end")
        pin, colour = places[place], SUPPLY_COLOURS[USE_BY_FIXED_PIN[place]]
        if place % 2:
            yield _wire(f"M{x + 112:g} {y + 58:g}H{x + 150:g}V{pin.y:g}H{pin.x - RADIUS:g}", colour)
        else:
            round_it = (
                f"M{x + 112:g} {y + 58:g}H{x + 144:g}V{y + 4:g}H{pin.x + 34:g}V{pin.y:g}H{pin.x + RADIUS:g}"
            )
            yield _wire(round_it, colour)
        yield _text(x + 262, y + 28, USE_BY_FIXED_PIN[place], 13, colour, weight="bold")

    return shapes


def _button(one: str, other: str) -> Callable[[float, float], Iterator[str]]:
    """A button between two kinds of pins."""

    def shapes(x: float, y: float) -> Iterator[str]:
        for name, row in ((one, y + 26), (other, y + 84)):
            yield _rect(x + 14, row - 14, 72, 28, f'rx="4" fill="{SUPPLY_COLOURS.get(name, PIN)}"')
            yield _text(
                x + 50,
                row + 5,
                name,
                13,
                "#fff" if name in SUPPLY_COLOURS else "#000",
                "middle",
                weight="bold",
            )
        yield _wire(
            f"M{x + 86:g} {y + 26:g}H{x + 170:g}V{y + 40:g}M{x + 170:g} {y + 70:g}V{y + 84:g}H{x + 86:g}"
        )
        yield _wire(f"M{x + 170:g} {y + 70:g}L{x + 184:g} {y + 44:g}")
        yield _text(x + 190, y + 62, "button", 12)

    return shapes


def _light(*, has_resistor: bool, is_turned: bool = False) -> Callable[[float, float], Iterator[str]]:
    """An LED between a pin and ground."""

    def shapes(x: float, y: float) -> Iterator[str]:
        for name, row in (("GPIO", y + 32), ("ground", y + 96)):
            yield _rect(x + 14, row - 14, 64, 28, f'rx="4" fill="{SUPPLY_COLOURS.get(name, PIN)}"')
            yield _text(
                x + 46,
                row + 5,
                name,
                13,
                "#fff" if name in SUPPLY_COLOURS else "#000",
                "middle",
                weight="bold",
            )
        middle = f"H{x + 92:g}M{x + 132:g} {y + 32:g}" if has_resistor else ""
        yield _wire(f"M{x + 78:g} {y + 32:g}{middle}H{x + 164:g}")
        yield _wire(f"M{x + 184:g} {y + 32:g}H{x + 214:g}V{y + 96:g}H{x + 78:g}")
        if has_resistor:
            yield _rect(x + 92, y + 24, 40, 16, 'fill="#fff" stroke="#000" stroke-width="2"')
            yield _text(x + 112, y + 58, "330 Ω", 12, anchor="middle")
        flat, point = (184, 164) if is_turned else (164, 184)
        shape = f"M{x + flat:g} {y + 20:g}v24L{x + point:g} {y + 32:g}ZM{x + point:g} {y + 20:g}v24"
        yield f'<path d="{shape}" fill="#e69f00" stroke="#000" stroke-width="2"/>'
        legs = ("short", "long") if is_turned else ("long", "short")
        yield _text(x + 160, y + 14, legs[0], 12, anchor="end")
        yield _text(x + 188, y + 14, legs[1], 12)

    return shapes


def _terminal(x: float, y: float, name: str) -> Iterator[str]:
    yield _rect(x, y - 14, 68, 28, f'rx="4" fill="{SUPPLY_COLOURS.get(name, PIN)}"')
    yield _text(
        x + 34, y + 5, name, 13, "#fff" if name in SUPPLY_COLOURS else "#000", "middle", weight="bold"
    )


def _buzzer(*, has_transistor: bool) -> Callable[[float, float], Iterator[str]]:
    """An active buzzer that a transistor switches, or that hangs at the pin itself."""

    def shapes(x: float, y: float) -> Iterator[str]:
        pin, ground = y + (86 if has_transistor else 26), y + 138
        yield _wire(f"M{x + 84:g} {pin:g}H{x + 236:g}V{ground:g}H{x + 84:g}")
        yield from _terminal(x + 16, pin, "GPIO")
        yield from _terminal(x + 16, ground, "ground")
        if has_transistor:
            yield _wire(f"M{x + 84:g} {y + 26:g}H{x + 236:g}V{pin:g}", SUPPLY_COLOURS["3.3 V"])
            yield from _terminal(x + 16, y + 26, "3.3 V")
            yield _rect(x + 112, pin - 8, 40, 16, 'fill="#fff" stroke="#000" stroke-width="2"')
            yield _text(x + 132, pin + 24, "1 kΩ", 12, anchor="middle")
            yield _rect(x + 190, pin - 16, 92, 32, 'rx="6" fill="#fff" stroke="#000" stroke-width="2"')
            yield _text(x + 236, pin + 5, "transistor", 12, anchor="middle")
        looks = 'fill="#fbf3e4" stroke="#000" stroke-width="2"'
        yield f'<circle cx="{x + 150:g}" cy="{y + 26:g}" r="15" {looks}/>'
        yield _text(x + 170, y + 17, "buzzer", 12)

    return shapes


def _ends(*, are_covered: bool) -> Callable[[float, float], Iterator[str]]:
    """Two wires that end beside each other in a terminal strip."""

    def shapes(x: float, y: float) -> Iterator[str]:
        for name, row, colour in (
            ("3.3 V", y + 32, SUPPLY_COLOURS["3.3 V"]),
            ("ground", y + 80, SUPPLY_COLOURS["ground"]),
        ):
            yield _rect(x + 14, row - 18, 84, 36, f'rx="4" fill="{colour}"')
            yield _text(x + 56, row + 5, name, 13, "#fff", "middle", weight="bold")
            yield _wire(f"M{x + (98 if are_covered else 150):g} {row:g}H{x + 236:g}", colour, 7)
        if not are_covered:
            yield _wire(
                f"M{x + 150:g} {y + 30:g}H{x + 98:g}M{x + 150:g} {y + 34:g}L{x + 98:g} {y + 76:g}", COPPER
            )
            yield _wire(f"M{x + 150:g} {y + 80:g}H{x + 98:g}", COPPER)

    return shapes


PICTURES: Mapping[str, Picture] = {
    "storage": Picture(
        "Choose the memory card, not a disk",
        290,
        112,
        (
            Panel(
                RIGHT, "The size is the card's", "The card will be erased and written.", _disks("32 GB", 0)
            ),
            Panel(
                WRONG, "The size is a disk's", "Everything on that disk would be erased.", _disks("32 GB", 1)
            ),
        ),
    ),
    "power-off": Picture(
        "Before you wire, each time",
        180,
        84,
        (
            Panel(STEP, "Shut down", "Power sign, or sudo poweroff", _power_sign),
            Panel(STEP, "Wait", "Green has stopped blinking. Pi 5: only red is on.", _lights),
            Panel(STEP, "Unplug", "Pull the power plug out of the Pi.", _plug),
            Panel(STEP, "Wire", "Check all wires, then plug in.", _wires),
        ),
    ),
    "orientation": Picture(
        "How to hold the Pi when you count pins",
        300,
        240,
        (
            Panel(
                RIGHT,
                "USB sockets towards you",
                "The header is at the right edge. The square pin, number 1, is at the top left.",
                _board(is_turned=False),
            ),
            Panel(
                WRONG,
                "Turned round",
                "The pin at the top left is number 40, not number 1. Every wire would be wrong.",
                _board(is_turned=True),
            ),
        ),
    ),
    "panel-plug": Picture(
        "The panel's power plug: pins 2, 4 and 6",
        240,
        140,
        (
            Panel(RIGHT, "Red on 2, black on 6", "5 V and ground of the panel.", _panel_plug(2, 6)),
            Panel(WRONG, "Turned round", "Plus and minus are swapped: the panel dies.", _panel_plug(6, 2)),
            Panel(WRONG, "One pin too low", "Black is on GPIO14: panel and Pi may die.", _panel_plug(4, 8)),
        ),
    ),
    "five-volts": Picture(
        "Readers and displays take 3.3 V, never 5 V",
        330,
        120,
        (
            Panel(RIGHT, "Pin 1 or 17: 3.3 V", "The same goes for VCC of a TM1637 display.", _module(1)),
            Panel(WRONG, "Pin 2 or 4: 5 V", "5 V destroys the reader and can destroy the Pi.", _module(2)),
        ),
    ),
    "button": Picture(
        "A button goes between a GPIO pin and ground",
        250,
        112,
        (
            Panel(RIGHT, "GPIO and ground", "Needs no resistor.", _button("GPIO", "ground")),
            Panel(WRONG, "3.3 V and ground", "Each press is a short circuit.", _button("3.3 V", "ground")),
            Panel(
                WRONG, "GPIO and 5 V", "The first press destroys the pin or the Pi.", _button("GPIO", "5 V")
            ),
        ),
    ),
    "light": Picture(
        "A light needs its resistor",
        240,
        120,
        (
            Panel(RIGHT, "330 Ω, long leg to it", "The short leg goes to ground.", _light(has_resistor=True)),
            Panel(
                WRONG, "No resistor", "Too much current: light and pin can die.", _light(has_resistor=False)
            ),
            Panel(
                HARMLESS,
                "Turned round",
                "Stays dark. Nothing breaks: turn it.",
                _light(has_resistor=True, is_turned=True),
            ),
        ),
    ),
    "buzzer": Picture(
        "An active buzzer needs a transistor",
        300,
        162,
        (
            Panel(
                RIGHT,
                "Through a transistor",
                "The 30 mA come from 3.3 V; the pin only switches.",
                _buzzer(has_transistor=True),
            ),
            Panel(
                WRONG,
                "Directly at a pin",
                "30 mA, but a pin gives 16 mA at most: the pin can die.",
                _buzzer(has_transistor=False),
            ),
        ),
    ),
    "touching": Picture(
        "Wires that touch",
        250,
        120,
        (
            Panel(RIGHT, "No bare metal", "The wires can't touch.", _ends(are_covered=True)),
            Panel(
                WRONG,
                "A loose strand",
                "3.3 V meets ground, a short circuit: unplug at once.",
                _ends(are_covered=False),
            ),
        ),
    ),
}
"""Each by its name: docs/build/warning-NAME.svg."""
