"""The examples of hardware.toml, one or several in a file: no device twice, and no pin for two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from companion.errors import UserError, make_unknown_name_error
from companion.texts import Say, say
from hardware.wiring import Section, Wiring
from hardware.wiring.files import list_pin_claims, parse_wiring
from hardware.wiring.pins import PHYSICAL_PIN_OF_GPIO, PULLED_UP_GPIOS, ROLE_BY_GPIO, Pin
from hardware.wiring.sections import Buttons

DESCRIPTION_BY_EXAMPLE = {
    "reader": "One reader for the tags of cards; people answer on the screen.",
    "one-keypad": "One USB keypad for seat 1; the others answer on the screen.",
    "one-button": "One button per seat, for five.",
    "three-buttons": "Three buttons and a light per seat, for five.",
    "usb-keypads": "One USB keypad per seat, for four.",
    "number-pads": "One USB number pad per seat, for three.",
    "full-table": "Keypads, buttons, lights, displays, a buzzer and two readers, for four.",
}
"""Description of each example that a hardware.toml can be made of; docs/build has a page for each."""
EXAMPLES_FOLDER = Path(__file__).parents[1] / "examples"
"""Folder with the files of the examples."""
GPIOS_BY_PREFERENCE = sorted(PHYSICAL_PIN_OF_GPIO, key=lambda gpio: (gpio in ROLE_BY_GPIO, gpio))
"""GPIOs in the order in which a free one is chosen: those without another use come first."""
BLOCK_START = re.compile(r"^(?=\[\[)", re.MULTILINE)


class ExampleSection(msgspec.Struct):
    """The section of one device in an example, parsed and as text."""

    example: str
    text: str
    section: Section


class CombinedExamples(msgspec.Struct, frozen=True):
    """The text of a hardware.toml made of examples, and how it differs from them."""

    text: str
    changes: tuple[Say, ...] = ()


def read_example(example: str) -> str:
    """Returns the text of an example; raises `UnknownName`."""
    if example not in DESCRIPTION_BY_EXAMPLE:
        names = ", ".join(DESCRIPTION_BY_EXAMPLE)
        none = say("Unknown example {name}. Choose from: {names}.", name=example, names=names)
        raise make_unknown_name_error(example, DESCRIPTION_BY_EXAMPLE, none)
    return (EXAMPLES_FOLDER / f"{example}.toml").read_text(encoding="utf-8")


def combine_examples(examples: Sequence[str]) -> CombinedExamples:
    """Combines several examples in one hardware.toml.

    Raises `UserError` if the header has too few pins for all of them.

    A device that an earlier example gives to a seat isn't added again. A pin that is in use is replaced by
    another.
    """
    examples = list(dict.fromkeys(examples))
    texts = {name: read_example(name) for name in examples}
    if len(examples) == 1:
        return CombinedExamples(texts[examples[0]])
    kept: list[ExampleSection] = []
    changes: list[Say] = []
    for name in examples:
        for block in _blocks(name, texts[name]):
            if any(_is_same_device(block.section, other.section) for other in kept):
                text = "{example}: {device} is left out, because the file already has it."
                changes.append(say(text, example=name, device=block.section.device_name))
            else:
                kept.append(block)
    changes += _find_pins(kept, examples)
    heads = {name: BLOCK_START.split(text)[0].strip() for name, text in texts.items()}
    parts = [f"# Several examples in one file: {', '.join(examples)}."]
    for name in examples:
        mine = [block.text.strip() for block in kept if block.example == name]
        parts += [heads[name], *mine] if mine else []
    return CombinedExamples("\n\n".join(parts) + "\n", tuple(changes))


def _blocks(example: str, text: str) -> Iterator[ExampleSection]:
    for part in BLOCK_START.split(text)[1:]:
        ((_, section),) = _read(part).sections_with_keys()
        yield ExampleSection(example, part, section)


def _read(text: str) -> Wiring:
    return parse_wiring(Path("hardware.toml"), text)


def _is_same_device(one: Section, other: Section) -> bool:
    """Returns whether a file may have only one of both: a seat's buttons, or a device at one port."""
    if type(one) is not type(other):
        return False
    return any(one.unique_value(key) == other.unique_value(key) is not None for key in one.unique_fields)


def _find_pins(blocks: Sequence[ExampleSection], examples: Sequence[str]) -> Iterator[Say]:
    """Gives each device pins of its own, those of its example if they are free; yields what was changed."""
    placed = [(str(at), block.section) for at, block in enumerate(blocks)]
    taken = {claim.pin for claim in list_pin_claims(placed) if claim.bus_signal}
    wanted = {pin for block in blocks for pin in block.section.pins.values()}
    for block in blocks:
        for key, pin in block.section.pins.items():
            found = pin if pin not in taken else _free_pin(block.section, taken, wanted)
            if found is None:
                text = "There aren't enough pins for all of these examples: {names}. Leave one example out."
                raise UserError(say(text, names=", ".join(examples)))
            taken.add(found)
            if found != pin:
                block.text = re.sub(rf'^({key} *= *)"[^"]*"', rf'\1"{found}"', block.text, flags=re.MULTILINE)
                text = "{example}: {device} uses {pin} for {key}, because {old} is taken."
                device = block.section.device_name
                yield say(text, example=block.example, device=device, key=key, pin=str(found), old=str(pin))


def _free_pin(section: Section, taken: set[Pin], requested: set[Pin]) -> Pin | None:
    """Returns a free pin, if possible one that no device asks for."""
    high = isinstance(section, Buttons) and section.active == "high"
    free = [
        Pin(gpio)
        for gpio in GPIOS_BY_PREFERENCE
        if gpio not in taken and not (high and gpio in PULLED_UP_GPIOS)
    ]
    return next((pin for pin in free if pin not in requested), free[0] if free else None)
