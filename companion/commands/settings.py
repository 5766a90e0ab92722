"""The subcommand `settings`: shows and changes the settings, for instance over SSH."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import closing
from getpass import getpass
from typing import Any

from companion.errors import UserError
from companion.files.state_directory import state_directory
from companion.monospace_text import align_columns
from companion.pin import PIN_DIGITS
from companion.settings import (
    APPLIES_TO,
    OFF,
    ON,
    SettingDefinition,
    Settings,
    find_setting,
    load_settings,
    save_setting,
    setting_definitions,
)
from companion.store import Store
from companion.subcommand import Subcommand, add_examples, add_state_argument
from companion.texts import render, say

SET_PIN = "companion settings set pin on"
"""The command that asks for a new PIN."""


def _list(args: Namespace) -> int:
    settings, definitions = _load_and_print_faults(args), setting_definitions().values()
    if args.json:
        _print_json(definitions, settings)
        return 0
    headings = (say("Setting"), say("Value"), say("Allowed"), say("Applies to"))
    rows = [[*map(render, headings)]]
    for definition in definitions:
        value = definition.format_value(getattr(settings, definition.name))
        allowed = render(definition.allowed_values_text)
        scope = render(APPLIES_TO[definition.description.applies_to])
        rows.append([definition.name, value, allowed, scope])
    print(*align_columns(rows), sep="\n")
    return 0


def _get(args: Namespace) -> int:
    _print(find_setting(args.name), _load_and_print_faults(args), as_json=args.json)
    return 0


def _set(args: Namespace) -> int:
    definition = find_setting(args.name)
    text = _ask_for_pin(args.value) if definition.description.is_pin else args.value
    value = definition.parse_value(text)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        for notice in store.notices:
            print(render(notice), file=sys.stderr)
        save_setting(store, definition.name, value)
    _print(definition, _load_and_print_faults(args), as_json=args.json)
    return 0


def _ask_for_pin(word: str) -> str:
    """Asks for the PIN twice after the word on, and returns it; returns the word off as it is.

    Raises `UserError` for a PIN as an argument, which the shell would keep and the list of programs show.
    """
    if word == OFF:
        return word
    if word != ON:
        text = "Don't type the PIN here, where others could read it. Type: {command}"
        raise UserError(say(text, command=SET_PIN))
    pin = getpass(render(say("Four digits: ")))
    if pin != getpass(render(say("The same four digits: "))):
        raise UserError(say("The two PINs weren't the same."))
    return pin


def _load_and_print_faults(args: Namespace) -> Settings:
    """Returns the saved settings, and prints a sentence about each saved value that isn't allowed."""
    with closing(Store.open(state_directory(args.state))) as store:
        settings, faults = load_settings(store)
    for fault in faults:
        print(render(fault), file=sys.stderr)
    return settings


def _print(definition: SettingDefinition, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        _print_json([definition], settings)
    else:
        print(definition.format_value(getattr(settings, definition.name)))


def _print_json(definitions: Iterable[SettingDefinition], settings: Settings) -> None:
    json_by_name = {definition.name: _setting_as_json(definition, settings) for definition in definitions}
    print(json.dumps(json_by_name, ensure_ascii=False))


def _setting_as_json(definition: SettingDefinition, settings: Settings) -> dict[str, Any]:
    """Returns a setting as JSON: its value, and everything else that a page of settings needs."""
    description = definition.description
    allowed: dict[str, Any] = {"least": description.least, "most": description.most}
    if description.is_pin:
        allowed = {"digits": PIN_DIGITS}
    elif definition.choices:
        allowed = {"choices": [definition.parse_value(choice) for choice in definition.choices]}
    return {
        "value": definition.public_value(getattr(settings, definition.name)),
        "default": definition.public_value(definition.default),
        **allowed,
        "applies_to": description.applies_to,
        "label": render(description.label),
        "hint": render(description.hint),
    }


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list, json=False)
    subparsers = parser.add_subparsers(metavar="ACTION")
    for name, help_text, do, example in (
        (
            "list",
            "List all settings with their values and what is allowed.",
            _list,
            "companion settings list",
        ),
        ("get", "Print the value of a setting.", _get, "companion settings get language"),
        ("set", "Change a setting.", _set, "companion settings set sound off"),
    ):
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, example)
        if do is not _list:
            subparser.add_argument(
                "name", metavar="NAME", help="the setting; companion settings list shows all names"
            )
        if do is _set:
            subparser.add_argument("value", metavar="VALUE", help="the new value")
        subparser.add_argument("--json", action="store_true", help="print a line of JSON, for programs")
        add_state_argument(subparser, is_nested=True)
        subparser.set_defaults(do=do)


SETTINGS = Subcommand(
    "Show and change the settings.",
    _add_arguments,
    lambda args: int(args.do(args)),
    ("companion settings list", "companion settings set sound off"),
)
