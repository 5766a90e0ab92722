"""The subcommand `settings`: shows and changes the settings, for instance over SSH."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import closing
from typing import Any

from companion.files.state_directory import state_directory
from companion.monospace_text import align_columns
from companion.settings import (
    APPLIES_TO,
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


def _list(args: Namespace) -> int:
    settings, every = _load(args), setting_definitions().values()
    if args.json:
        _print_json(every, settings)
        return 0
    heads = (say("Setting"), say("Value"), say("Allowed"), say("Applies to"))
    rows = [[*map(render, heads)]]
    for setting in every:
        about = setting.description
        value, allowed = (
            setting.format_value(getattr(settings, setting.name)),
            render(setting.as_option.allowed_values_text),
        )
        rows.append([setting.name, value, allowed, render(APPLIES_TO[about.applies_to])])
    print(*align_columns(rows), sep="\n")
    return 0


def _get(args: Namespace) -> int:
    _print(find_setting(args.name), _load(args), as_json=args.json)
    return 0


def _set(args: Namespace) -> int:
    setting = find_setting(args.name)
    value = setting.parse_value(args.value)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        for notice in store.notices:
            print(render(notice), file=sys.stderr)
        save_setting(store, setting.name, value)
    _print(setting, _load(args), as_json=args.json)
    return 0


def _load(args: Namespace) -> Settings:
    """Returns what is saved; sentences about values that aren't allowed go to people."""
    with closing(Store.open(state_directory(args.state))) as store:
        settings, faults = load_settings(store)
    for fault in faults:
        print(render(fault), file=sys.stderr)
    return settings


def _print(setting: SettingDefinition, settings: Settings, *, as_json: bool) -> None:
    if as_json:
        _print_json([setting], settings)
    else:
        print(setting.format_value(getattr(settings, setting.name)))


def _print_json(shown: Iterable[SettingDefinition], settings: Settings) -> None:
    print(json.dumps({one.name: _plain(one, settings) for one in shown}, ensure_ascii=False))


def _plain(setting: SettingDefinition, settings: Settings) -> dict[str, Any]:
    """Returns a setting as JSON: its value, and all that a page of settings needs."""
    about = setting.description
    allowed: dict[str, Any] = {"least": about.least, "most": about.most}
    if setting.choices:
        allowed = {"choices": [setting.parse_value(choice) for choice in setting.choices]}
    return {
        "value": getattr(settings, setting.name),
        "default": setting.default,
        **allowed,
        "applies_to": about.applies_to,
        "label": render(about.label),
        "hint": render(about.hint),
    }


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list, json=False)
    parts = parser.add_subparsers(metavar="ACTION")
    for name, help_, do, example in (
        (
            "list",
            "List all settings with their values and what is allowed.",
            _list,
            "companion settings list",
        ),
        ("get", "Print the value of a setting.", _get, "companion settings get language"),
        ("set", "Change a setting.", _set, "companion settings set sound off"),
    ):
        one = parts.add_parser(name, help=help_, description=help_)
        add_examples(one, example)
        if do is not _list:
            one.add_argument(
                "name", metavar="NAME", help="the setting; companion settings list shows all names"
            )
        if do is _set:
            one.add_argument("value", metavar="VALUE", help="the new value")
        one.add_argument("--json", action="store_true", help="print a line of JSON, for programs")
        add_state_argument(one, is_nested=True)
        one.set_defaults(do=do)


SETTINGS = Subcommand(
    "Show and change the settings.",
    _arguments,
    lambda args: int(args.do(args)),
    ("companion settings list", "companion settings set sound off"),
)
