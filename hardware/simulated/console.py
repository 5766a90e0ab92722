"""Fingers on a simulated table, by lines of text: presses, keys, cards, and whatever can go wrong.

What may be said, and an example, stands in docs/simulate.md. It decides nothing: what a press means is for
the desk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from companion import installed_games
from hardware.simulated.cards import tag_of
from hardware.simulated.chip import SimulatedChip
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.pins import WORN, SimulatedButton, SimulatedTable
from hardware.simulated.tags import SimulatedTag

AT_KEYPAD = ("keys KEYS", "unplug", "plug", "noise", "damage PERCENT", "silent", "speak")
AT_NUMPAD = ("keys KEYS", "unplug", "plug")
AT_READER = (
    "lay CARD…", "lift CARD…", "again CARD", "flicker CARD SECONDS", "edge CARD PERCENT", "broken CARD",
    "deaf", "brown-out", "noise PERCENT", "unplug", "plug",
)  # fmt: skip  # a list that is read as one
READER_FAULTS: Mapping[str, Callable[[SimulatedChip], None]] = {
    "unplug": SimulatedChip.unplug,
    "plug": SimulatedChip.plug_in,
    "deaf": SimulatedChip.go_deaf,
    "brown-out": SimulatedChip.brown_out,
}
SEAT = re.compile("[1-9]")
UID = "(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{14}|[0-9A-Fa-f]{20})"
Pad: TypeAlias = Any
"""A keypad or a number pad; the second's module is there only where evdev is."""
CHUNK = 4096
LONGEST = 60.0
"""Seconds that one press may take."""


def work(table: SimulatedTable, line: str) -> str:
    """Does what a line says; returns what was wrong with it, or nothing."""
    who, *words = line.partition("#")[0].split() or [""]
    try:
        if who == "wait" and len(words) == 1:
            table.clock.wait(_lasting(words[0]))
        elif who and not _work(table, who, words):
            return f"{line}: {_instead(table, who)}"
    except KeyError as error:
        there = ", ".join(sorted(table.readers[who].tags)) or "none"
        return f"{line}: no tag {error.args[0]} lies there; tags there: {there}"
    except (ValueError, OSError) as error:
        return f"{line}: {error}"
    return ""


def _work(table: SimulatedTable, who: str, words: Sequence[str]) -> bool:
    """Whether it was something that can be done there."""
    if who in table.readers:
        return _work_reader(table.readers[who], words)
    seat = int(who) if SEAT.fullmatch(who) else 0
    return (
        _work_buttons(table.buttons.get(seat, {}), words)
        or _work_pad(table.keypads.get(seat) or table.numpads.get(seat), words)
        or _work_cable(table.keypads.get(seat), words)
    )


def _instead(table: SimulatedTable, who: str) -> str:
    """What there is, where that isn't; what can be done there, where nobody can do that."""
    there = {str(seat): list[str]() for seat in sorted({*table.buttons, *table.keypads, *table.numpads})}
    for seat, buttons in table.buttons.items():
        there[str(seat)] += [f"{name} [SECONDS]" for name in buttons]
        there[str(seat)] += [f"bounce {'|'.join(buttons)}", f"chatter {'|'.join(buttons)} SECONDS"]
    for seat in {*table.keypads, *table.numpads}:
        there[str(seat)] += AT_KEYPAD if seat in table.keypads else AT_NUMPAD
    there |= {zone: list(AT_READER) for zone in table.readers}
    if who == "wait":
        return "wait takes SECONDS"
    if who in there:
        return f"{who} takes: {', '.join(there[who])}"
    return f"unknown: {who}; choose from: {', '.join([*there, 'wait'])}"


def _work_buttons(buttons: Mapping[str, SimulatedButton], words: Sequence[str]) -> bool:
    """Whether it was a press of one of them."""
    match words:
        case ["bounce", name] if name in buttons:
            buttons[name].press(bounce=WORN)
        case ["chatter", name, seconds] if name in buttons:
            buttons[name].chatter(_lasting(seconds))
        case [name] if name in buttons:
            buttons[name].press()
        case [name, seconds] if name in buttons:
            buttons[name].press(_lasting(seconds))
        case _:
            return False
    return True


def _work_pad(pad: Pad | None, words: Sequence[str]) -> bool:
    """Whether it was something that a keypad or a number pad can do."""
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


def _work_cable(keypad: SimulatedKeypad | None, words: Sequence[str]) -> bool:
    """Whether it was a fault that a serial keypad can have."""
    match words:
        case ["noise"] if keypad is not None:
            keypad.spark()
        case ["damage", percent] if keypad is not None:
            keypad.damage(_share(percent))
        case ["silent"] if keypad is not None:
            keypad.hang()
        case ["speak"] if keypad is not None:
            keypad.recover()
        case _:
            return False
    return True


def _work_reader(reader: SimulatedChip, words: Sequence[str]) -> bool:
    """Whether it was something that hands can do there, or a fault. KeyError for a tag that isn't there."""
    match words:
        case [("lay" | "lift") as how, *cards] if cards:
            for tag in [_tag(each) for each in cards]:
                (reader.lay if how == "lay" else reader.lift)(tag)
        case ["again", card]:
            reader.lift(_tag(card))
            reader.lay(_tag(card))
        case ["flicker", card, seconds]:
            reader.flicker(_tag(card), _lasting(seconds))
        case ["edge", card, percent]:
            reader.lay(SimulatedTag(bytes.fromhex(_tag(card)), deaf=_share(percent)))
        case ["broken", card]:
            reader.lay(SimulatedTag.broken(_tag(card)))
        case ["noise", percent]:
            reader.disturb(_share(percent))
        case [fault] if fault in READER_FAULTS:
            READER_FAULTS[fault](reader)
        case _:
            return False
    return True


def _tag(card: str) -> str:
    """The tag of a card such as `egypt/7.1`, or one by its UID."""
    deck, is_named, name = card.partition("/")
    if is_named:
        return tag_of(deck, _named(deck, name))
    if re.fullmatch(UID, card) is None:
        raise ValueError("write a tag as 8, 14 or 20 hexadecimal digits, or a card as GAME/CARD")
    return card.upper()


def _named(deck: str, card: str) -> str:
    """A card that there is."""
    copies = installed_games.owner_decks(Path())
    if deck not in copies:
        raise ValueError(f"unknown deck {deck}; choose from: {', '.join(copies)}")
    names = copies[deck].shipped_file.deck.cards
    if card not in names:
        raise ValueError(f"unknown card {card} of {deck}; choose from: {', '.join(names)}")
    return card


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text} is not a number") from None


def _share(percent: str) -> float:
    share = _number(percent) / 100
    if not 0 <= share <= 1:
        raise ValueError("a percentage is from 0 to 100")
    return share


def listen(table: SimulatedTable, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Does line after line, until there are no more; what is wrong with one is said."""
    for line in lines:
        if wrong := work(table, line.strip()):
            say(wrong)


def _lasting(seconds: str) -> float:
    lasting = _number(seconds)
    if not 0 < lasting <= LONGEST:
        raise ValueError(f"a time is more than 0 and at most {LONGEST:g} seconds")
    return lasting


def lines_of(fd: int) -> Iterator[str]:
    """The lines that arrive there; the last one may lack its end.

    Python's own reader of standard input would be held by its lock when the program ends.
    """
    rest = b""
    while chunk := os.read(fd, CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
    if rest:
        yield rest.decode("utf-8", "replace")
