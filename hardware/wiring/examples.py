"""Makes a hardware.toml of one or several examples: with no device twice, and no pin for two devices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from companion.errors import UserError, make_unknown_name_error
from companion.texts import Say, say
from hardware.wiring import Section
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
SECTION_START_PATTERN = re.compile(r"^(?=\[\[)", re.MULTILINE)
"""Pattern for the start of a section's text."""


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

    A device that an earlier example gives to a seat isn't added again. A pin that is in use is replaced by
    another. Raises `UserError` if the header has too few pins for all devices.
    """
    examples = list(dict.fromkeys(examples))
    text_by_example = {name: read_example(name) for name in examples}
    if len(examples) == 1:
        return CombinedExamples(text_by_example[examples[0]])
    kept_sections: list[ExampleSection] = []
    changes: list[Say] = []
    for name in examples:
        for example_section in _split_sections(name, text_by_example[name]):
            if any(
                _conflict_as_devices(example_section.section, earlier.section) for earlier in kept_sections
            ):
                text = "{example}: {device} is left out, because the file already has it."
                changes.append(say(text, example=name, device=example_section.section.device_name))
            else:
                kept_sections.append(example_section)
    changes += _assign_pins(kept_sections, examples)
    intro_by_example = {
        name: SECTION_START_PATTERN.split(text)[0].strip() for name, text in text_by_example.items()
    }
    paragraphs = [f"# Several examples in one file: {', '.join(examples)}."]
    for name in examples:
        section_texts = [
            example_section.text.strip()
            for example_section in kept_sections
            if example_section.example == name
        ]
        paragraphs += [intro_by_example[name], *section_texts] if section_texts else []
    return CombinedExamples("\n\n".join(paragraphs) + "\n", tuple(changes))


def _split_sections(example: str, text: str) -> Iterator[ExampleSection]:
    for section_text in SECTION_START_PATTERN.split(text)[1:]:
        ((_, section),) = parse_wiring(Path("hardware.toml"), section_text).sections_with_keys()
        yield ExampleSection(example, section_text, section)


def _conflict_as_devices(section: Section, other: Section) -> bool:
    """Returns whether a file may have only one of both, such as two sections of one seat's buttons."""
    if type(section) is not type(other):
        return False
    return any(
        section.uniqueness_key(key) == other.uniqueness_key(key) is not None for key in section.unique_fields
    )


def _assign_pins(sections: Sequence[ExampleSection], examples: Sequence[str]) -> Iterator[Say]:
    """Gives each device pins of its own: those of its example if they are free; yields the changes."""
    sections_with_keys = [
        (str(index), example_section.section) for index, example_section in enumerate(sections)
    ]
    taken_pins = {claim.pin for claim in list_pin_claims(sections_with_keys) if claim.bus_signal}
    requested_pins = {pin for example_section in sections for pin in example_section.section.pins.values()}
    for example_section in sections:
        for key, pin in example_section.section.pins.items():
            assigned_pin = (
                pin
                if pin not in taken_pins
                else _find_free_pin(example_section.section, taken_pins, requested_pins)
            )
            if assigned_pin is None:
                text = "There aren't enough pins for all of these examples: {names}. Leave one example out."
                raise UserError(say(text, names=", ".join(examples)))
            taken_pins.add(assigned_pin)
            if assigned_pin != pin:
                example_section.text = re.sub(
                    rf'^({key} *= *)"[^"]*"', rf'\1"{assigned_pin}"', example_section.text, flags=re.MULTILINE
                )
                text = "{example}: {device} uses {pin} for {key}, because {old} is taken."
                device = example_section.section.device_name
                yield say(
                    text,
                    example=example_section.example,
                    device=device,
                    key=key,
                    pin=str(assigned_pin),
                    old=str(pin),
                )


def _find_free_pin(section: Section, taken_pins: set[Pin], requested_pins: set[Pin]) -> Pin | None:
    """Returns a free pin, if possible one that no device asks for; None if no pin is free."""
    is_active_high = isinstance(section, Buttons) and section.active == "high"
    free_pins = [
        Pin(gpio)
        for gpio in GPIOS_BY_PREFERENCE
        if gpio not in taken_pins and not (is_active_high and gpio in PULLED_UP_GPIOS)
    ]
    return next((pin for pin in free_pins if pin not in requested_pins), free_pins[0] if free_pins else None)
