"""Fingers on a simulated table, by lines of text: a press, a key, a plug that is pulled.

    2 plus            seat 2 presses plus
    1 tap 0.7         seat 1 holds its button for 0.7 seconds
    3 chatter ok 2    the wire of seat 3's OK hardly touches for 2 seconds
    4 keys 12 OK      keys of seat 4's keypad or number pad
    4 unplug          and 4 plug
    market lay 04A2B3C4D5E680   that tag is laid on the reader of the zone market
    market lift 04A2B3C4D5E680  and taken away; market unplug and market plug as above

It decides nothing: what a press means is for the desk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from hardware.simulated_chip import SimulatedChip
from hardware.simulated_pins import SimulatedTable

HELP = (
    "SEAT BUTTON [SECONDS] | SEAT chatter BUTTON SECONDS | SEAT keys KEYS | SEAT unplug | SEAT plug | "
    "ZONE lay TAG | ZONE lift TAG | ZONE unplug | ZONE plug"
)
CHUNK = 4096
LONGEST = 60.0
"""Seconds that one press may take."""


def work(table: SimulatedTable, line: str) -> str:
    """Does what a line says; gives what was wrong with it, or nothing."""
    seat, *words = line.split() or [""]
    if seat in table.readers:
        return _work_reader(table.readers[seat], line, words)
    buttons = table.buttons.get(_number(seat), {})
    keypad = table.keypads.get(_number(seat)) or table.numpads.get(_number(seat))
    try:
        match words:
            case ["keys", *keys] if keypad is not None:
                keypad.type(" ".join(keys))
            case ["unplug"] if keypad is not None:
                keypad.unplug()
            case ["plug"] if keypad is not None:
                keypad.plug_in()
            case ["chatter", name, seconds] if name in buttons:
                buttons[name].chatter(_lasting(seconds))
            case [name] if name in buttons:
                buttons[name].press()
            case [name, seconds] if name in buttons:
                buttons[name].press(_lasting(seconds))
            case _ if line:
                return f"{line}: {HELP}"
    except (ValueError, OSError) as error:
        return f"{line}: {error}"
    return ""


def _work_reader(reader: SimulatedChip, line: str, words: Sequence[str]) -> str:
    try:
        match words:
            case ["lay", tag]:
                reader.lay(tag)
            case ["lift", tag]:
                reader.lift(tag.upper())
            case ["unplug"]:
                reader.unplug()
            case ["plug"]:
                reader.plug_in()
            case _:
                return f"{line}: {HELP}"
    except ValueError:
        return f"{line}: a tag is 8, 14 or 20 hexadecimal digits"
    except KeyError:
        return f"{line}: no such tag lies there"
    return ""


def listen(table: SimulatedTable, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Does line after line, until there are no more; what is wrong with one is said."""
    for line in lines:
        if wrong := work(table, line.strip()):
            say(wrong)


def _number(seat: str) -> int:
    return int(seat) if seat.isdecimal() else 0


def _lasting(seconds: str) -> float:
    lasting = float(seconds)
    if not 0 < lasting <= LONGEST:
        raise ValueError(f"more than 0 seconds, at most {LONGEST:g}")
    return lasting


def lines_of(fd: int) -> Iterator[str]:
    """The lines that arrive there.

    Python's own reader of standard input would be held by its lock when the program ends.
    """
    rest = b""
    while chunk := os.read(fd, CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
