"""The examples of hardware.toml, one or several in a file: no device twice, and no pin for two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from companion.errors import UserError, unknown_name
from companion.texts import Say, say
from hardware.wiring import Section, Wiring
from hardware.wiring.conflicts import claims, unique_value
from hardware.wiring.files import parse_wiring
from hardware.wiring.pins import ON_THE_BOARD, PULLED_UP, ROLES, Pin
from hardware.wiring.sections import Buttons

EXAMPLES = {
    "reader": "One reader for the tags of cards; people answer on the screen.",
    "one-keypad": "One USB keypad for seat 1; the others answer on the screen.",
    "one-button": "One button per seat, for five.",
    "three-buttons": "Three buttons and a light per seat, for five.",
    "usb-keypads": "One USB keypad per seat, for four.",
    "number-pads": "One USB number pad per seat, for three.",
    "full-table": "Keypads, buttons, lights, displays, a buzzer and two readers, for four.",
}
"""What a hardware.toml can begin with, each in a sentence; docs/build has a page of each."""
FOLDER = Path(__file__).parents[1] / "examples"
"""Where their files lie."""
FREE_FIRST = sorted(ON_THE_BOARD, key=lambda gpio: (gpio in ROLES, gpio))
"""Pins that do nothing else come first where one has to be found."""
BLOCK = re.compile(r"^(?=\[\[)", re.MULTILINE)


class Block(msgspec.Struct):
    """One device of an example, as its file says it."""

    example: str
    text: str
    section: Section


class Combined(msgspec.Struct, frozen=True):
    """The text of a hardware.toml, and what differs in it from the examples it was made of."""

    text: str
    changes: tuple[Say, ...] = ()


def text_of(example: str) -> str:
    """The file of an example; raises `UnknownName`."""
    if example not in EXAMPLES:
        names = ", ".join(EXAMPLES)
        none = say("Unknown example {name}. Choose from: {names}.", name=example, names=names)
        raise unknown_name(example, EXAMPLES, none)
    return (FOLDER / f"{example}.toml").read_text(encoding="utf-8")


def combine(examples: Sequence[str]) -> Combined:
    """Several examples in one file; raises `UserError` where the header has too few pins for all of them.

    What a seat has by an earlier example, a later one doesn't bring again. In the place of a pin that is
    taken another is found.
    """
    examples = list(dict.fromkeys(examples))
    texts = {name: text_of(name) for name in examples}
    if len(examples) == 1:
        return Combined(texts[examples[0]])
    kept: list[Block] = []
    changes: list[Say] = []
    for name in examples:
        for block in _blocks(name, texts[name]):
            if any(_is_same(block.section, other.section) for other in kept):
                text = "{example}: {device} is left out, because the file already has it."
                changes.append(say(text, example=name, device=block.section.device))
            else:
                kept.append(block)
    changes += _find_pins(kept, examples)
    heads = {name: BLOCK.split(text)[0].strip() for name, text in texts.items()}
    parts = [f"# Several examples in one file: {', '.join(examples)}."]
    for name in examples:
        mine = [block.text.strip() for block in kept if block.example == name]
        parts += [heads[name], *mine] if mine else []
    return Combined("\n\n".join(parts) + "\n", tuple(changes))


def _blocks(example: str, text: str) -> Iterator[Block]:
    for part in BLOCK.split(text)[1:]:
        ((_, section),) = _read(part).sections()
        yield Block(example, part, section)


def _read(text: str) -> Wiring:
    return parse_wiring(Path("hardware.toml"), text)


def _is_same(one: Section, other: Section) -> bool:
    """Whether there may be only one of both: a seat's buttons, or what is at one port."""
    if type(one) is not type(other):
        return False
    return any(unique_value(one, key) == unique_value(other, key) is not None for key in one.once)


def _find_pins(blocks: Sequence[Block], examples: Sequence[str]) -> Iterator[Say]:
    """Gives each device pins of its own, as its example says where they are free; tells which it changed."""
    placed = [(str(at), block.section) for at, block in enumerate(blocks)]
    taken = {claim.pin for claim in claims(placed) if claim.use}
    wanted = {pin for block in blocks for pin in block.section.pins.values()}
    for block in blocks:
        for key, pin in block.section.pins.items():
            found = pin if pin not in taken else _free(block.section, taken, wanted)
            if found is None:
                text = "There aren't enough pins for all of these examples: {names}. Leave one example out."
                raise UserError(say(text, names=", ".join(examples)))
            taken.add(found)
            if found != pin:
                block.text = re.sub(rf'^({key} *= *)"[^"]*"', rf'\1"{found}"', block.text, flags=re.MULTILINE)
                text = "{example}: {device} uses {pin} for {key}, because {old} is taken."
                device = block.section.device
                yield say(text, example=block.example, device=device, key=key, pin=str(found), old=str(pin))


def _free(section: Section, taken: set[Pin], wanted: set[Pin]) -> Pin | None:
    """A pin that nobody has; one that nobody wants, if there is one."""
    high = isinstance(section, Buttons) and section.active == "high"
    free = [Pin(gpio) for gpio in FREE_FIRST if gpio not in taken and not (high and gpio in PULLED_UP)]
    return next((pin for pin in free if pin not in wanted), free[0] if free else None)
