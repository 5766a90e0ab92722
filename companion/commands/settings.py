"""The subcommand `settings`: shows and changes the settings, for instance over SSH."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from getpass import getpass
from pathlib import Path
from typing import Any, NamedTuple

from companion import installed_games
from companion.errors import UnknownName, UserError
from companion.files.state_directory import state_directory
from companion.house_rules import (
    HOUSE_RULES_KEY,
    GameVariant,
    HouseRules,
    find_game_variant,
    game_variants,
    load_house_rules,
    save_house_rule,
    save_moved_house_rules,
)
from companion.monospace_text import align_columns
from companion.pin import PIN_DIGITS
from companion.rules.game import (
    ChoiceOption,
    GameOption,
    NumberOption,
    TextOption,
    option_value_as_typed,
)
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
from companion.table.table import OptionValue
from companion.texts import render, say

SET_PIN = "companion settings set pin on"
"""The command that asks for a new PIN."""


def _list(args: Namespace) -> int:
    directory, settings = state_directory(args.state), _load_and_print_faults(args)
    definitions, house_rules = setting_definitions().values(), list(_listed_house_rules(directory, settings))
    if args.json:
        settings_as_json = _settings_as_json(definitions, settings)
        _print_json({**settings_as_json, **_house_rules_as_json(house_rules, settings)})
        return 0
    headings = (say("Setting"), say("Value"), say("Allowed"), say("Applies to"))
    rows = [[*map(render, headings)]]
    for definition in definitions:
        value = definition.format_value(getattr(settings, definition.name))
        allowed = render(definition.allowed_values_text)
        scope = render(APPLIES_TO[definition.description.applies_to])
        rows.append([definition.name, value, allowed, scope])
    for rule in house_rules:
        allowed, scope = render(rule.option.allowed_values_text), render(APPLIES_TO["table"])
        rows.append([rule.name, rule.value_as_typed(settings.house_rules), allowed, scope])
    print(*align_columns(rows), sep="\n")
    return 0


def _get(args: Namespace) -> int:
    variant = _find_variant(args)
    if variant is None:
        setting_or_rule = _find_setting_or_house_rule(args)
        _print(setting_or_rule, _load_and_print_faults(args), as_json=args.json)
        return 0
    rules, settings = (
        [HouseRule(variant, each) for each in _options_of(variant)],
        _load_and_print_faults(args),
    )
    if args.json:
        _print_json(_house_rules_as_json(rules, settings))
        return 0
    headings = (say("Option"), say("Value"), say("Allowed"))
    rows = [[*map(render, headings)]]
    for rule in rules:
        value, allowed = rule.value_as_typed(settings.house_rules), render(rule.option.allowed_values_text)
        rows.append([rule.option.key, value, allowed])
    print(*align_columns(rows), sep="\n")
    return 0


def _set(args: Namespace) -> int:
    setting_or_rule = _find_setting_or_house_rule(args)
    if isinstance(setting_or_rule, SettingDefinition):
        definition = setting_or_rule
        value = definition.parse_value(
            _ask_for_pin(args.value) if definition.description.is_pin else args.value
        )
        change_store(args, lambda store: save_setting(store, definition.name, value))
    else:
        variant, option = setting_or_rule
        rule_value = option.parse_value(args.value)
        change_store(args, lambda store: save_house_rule(store, variant, option.key, rule_value))
    _print(setting_or_rule, _load_and_print_faults(args), as_json=args.json)
    return 0


def _reset(args: Namespace) -> int:
    """Gives a setting or a house rule its usual value, or all house rules of a game theirs."""
    variant = _find_variant(args)
    key = " ".join(args.name) if variant is None else variant.key
    if variant is not None or _has_unusable_rules(args, key):
        change_store(args, lambda store: save_moved_house_rules(store, key))
        title = key if variant is None else variant.title
        print(render(say("{game} has no house rules now.", game=title)))
        return 0
    setting_or_rule = _find_setting_or_house_rule(args)
    if isinstance(setting_or_rule, SettingDefinition):
        name, default = setting_or_rule.name, setting_or_rule.default
        change_store(args, lambda store: save_setting(store, name, default))
    else:
        variant, option = setting_or_rule
        usual_value = variant.usual_values[option.key]
        change_store(args, lambda store: save_house_rule(store, variant, option.key, usual_value))
    _print(setting_or_rule, _load_and_print_faults(args), as_json=args.json)
    return 0


def change_store(args: Namespace, change: Callable[[Store], None]) -> None:
    """Opens the store for writing, prints its notices, and calls `change` with it."""
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        for notice in store.notices:
            print(render(notice), file=sys.stderr)
        change(store)


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


def _print(setting_or_rule: SettingDefinition | HouseRule, settings: Settings, *, as_json: bool) -> None:
    """Prints the value of a setting or of a house rule."""
    if isinstance(setting_or_rule, HouseRule):
        if as_json:
            _print_json(_house_rules_as_json([setting_or_rule], settings))
        else:
            print(setting_or_rule.value_as_typed(settings.house_rules))
    elif as_json:
        _print_json(_settings_as_json([setting_or_rule], settings))
    else:
        print(setting_or_rule.format_value(getattr(settings, setting_or_rule.name)))


def _print_json(value: Mapping[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False))


def _settings_as_json(definitions: Iterable[SettingDefinition], settings: Settings) -> dict[str, Any]:
    return {definition.name: _setting_as_json(definition, settings) for definition in definitions}


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


# House rules


class HouseRule(NamedTuple):
    """An option of a game or of one of its presets, which can have a house rule."""

    variant: GameVariant
    option: GameOption

    @property
    def name(self) -> str:
        """The words that people type for it, such as `egypt pay_rule`."""
        return f"{self.variant.key} {self.option.key}"

    def value(self, house_rules: HouseRules) -> OptionValue:
        """Returns the value with which new games begin."""
        return house_rules.get(self.variant.key, {}).get(
            self.option.key, self.variant.usual_values[self.option.key]
        )

    def value_as_typed(self, house_rules: HouseRules) -> str:
        """Returns the value with which new games begin, as people type it."""
        return option_value_as_typed(self.value(house_rules))


def _listed_house_rules(directory: Path, settings: Settings) -> Iterator[HouseRule]:
    """Yields the house rules of the list; of presets, of which there are many, only those that are set."""
    for game in installed_games.playable_games():
        for variant in game_variants(directory, game):
            values = settings.house_rules.get(variant.key, {})
            for option in variant.options:
                if game.presets is None or option.key in values:
                    yield HouseRule(variant, option)


def _find_setting_or_house_rule(args: Namespace) -> SettingDefinition | HouseRule:
    """Returns the setting that people typed, or the house rule: a game and one of its options."""
    *game_words, last_word = args.name
    if _find_variant(args) is not None or _is_game(args):
        variant = find_game_variant(" ".join(args.name), state_directory(args.state))
        names = ", ".join(option.key for option in _options_of(variant))
        text = "Type an option of {game} after its name: {names}."
        raise UserError(say(text, game=variant.title, names=names))
    if not game_words:
        return find_setting(last_word)
    variant = find_game_variant(" ".join(game_words), state_directory(args.state))
    return HouseRule(variant, variant.find_option(last_word))


def _find_variant(args: Namespace) -> GameVariant | None:
    """Returns the game or the preset that people typed; None if they typed something else."""
    words = " ".join(args.name)
    if words in setting_definitions():
        return None
    with suppress(UnknownName):
        return find_game_variant(words, state_directory(args.state))
    return None


def _is_game(args: Namespace) -> bool:
    """Returns whether people typed a game, even one that needs a template or can't be loaded."""
    words, games = " ".join(args.name), installed_games.games()
    return words not in setting_definitions() and installed_games.match_game_key(words, games) in games


def _options_of(variant: GameVariant) -> Sequence[GameOption]:
    """Returns the options of a game or a preset; raises `UserError` if there are none."""
    if not variant.options:
        raise UserError(say("{game} has no options.", game=variant.title))
    return variant.options


def _has_unusable_rules(args: Namespace, variant_key: str) -> bool:
    """Returns whether saved house rules can't be used, for instance because the game isn't installed."""
    with closing(Store.open(state_directory(args.state))) as store:
        return variant_key in load_house_rules(store).faults


def _house_rules_as_json(house_rules: Iterable[HouseRule], settings: Settings) -> dict[str, Any]:
    rules_by_game: dict[str, dict[str, Any]] = {}
    for rule in house_rules:
        rules_by_game.setdefault(rule.variant.key, {})[rule.option.key] = {
            "value": rule.value(settings.house_rules),
            "default": rule.variant.usual_values[rule.option.key],
            **_allowed_values_as_json(rule.option),
            "applies_to": "table",
            "label": render(rule.option.label),
            "hint": render(rule.option.hint),
        }
    return {HOUSE_RULES_KEY: rules_by_game}


def _allowed_values_as_json(option: GameOption) -> dict[str, Any]:
    match option:
        case ChoiceOption(choices=choices):
            return {"choices": [*choices]}
        case NumberOption(least=least, most=most):
            return {"least": least, "most": most}
        case TextOption(max_letters=max_letters):
            return {"max_letters": max_letters}
    raise NotImplementedError(option.key)


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list, json=False)
    subparsers = parser.add_subparsers(metavar="ACTION")
    for name, help_text, do, examples in (
        (
            "list",
            "List all settings with their values and what is allowed.",
            _list,
            ("companion settings list",),
        ),
        (
            "get",
            "Print the value of a setting, or the house rules of a game.",
            _get,
            ("companion settings get language", "companion settings get egypt"),
        ),
        (
            "set",
            "Change a setting, or a house rule of a game.",
            _set,
            ("companion settings set sound off", "companion settings set egypt pay_rule winning_bid"),
        ),
        (
            "reset",
            "Go back to the usual value of a setting, or to the usual rules of a game.",
            _reset,
            ("companion settings reset volume", "companion settings reset egypt"),
        ),
    ):
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, *examples)
        if do is not _list:
            subparser.add_argument(
                "name",
                metavar="NAME",
                nargs="+",
                help="the setting, or a game and one of its options; companion settings list shows all names",
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
