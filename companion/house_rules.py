"""House rules: the options with which a group always plays a game, set once for all evenings.

    variant = find_game_variant("egypt", store.directory)
    save_house_rule(store, variant, "pay_rule", "winning_bid")
    load_house_rules(store).rules["egypt"]

A new game begins with them unless people choose something else for that game. They are one value in the table
of settings. What isn't allowed there, such as a rule of a game that isn't installed, stays in the file, and
the usual rule is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion import installed_games
from companion.errors import UserError, make_unknown_name_error
from companion.files.bounded_json import decode_stored_json
from companion.presets import (
    options_set_by_preset,
    options_unused_by_preset,
    starting_decks,
    with_own_presets,
)
from companion.rules.game import Game, GameOption, find_option, option_value_as_typed
from companion.store import Store
from companion.table.table import OptionValue
from companion.texts import Labelled, Say, say, say_list

HOUSE_RULES_KEY = "house_rules"
"""The key under which the house rules are saved."""
HouseRules = Mapping[str, Mapping[str, OptionValue]]
"""By the key of a `GameVariant`: the value of each of its options that has a house rule."""
SavedHouseRules = dict[str, dict[str, Any]]


def variant_key(game_key: str, preset_name: str = "") -> str:
    """Returns the key of a game, or of one of its presets: `egypt`, `any_game rummy`."""
    return f"{game_key} {preset_name}".rstrip()


class GameVariant(msgspec.Struct, frozen=True):
    """A game without presets, or one preset of a game, with the options that can have house rules.

    `usual_values` are the values of all options of the game without house rules. `preset_name` is empty if
    the game has no presets.
    """

    game: Game
    directory: Path
    preset_name: str
    title: Say
    options: tuple[GameOption, ...]
    usual_values: Mapping[str, OptionValue]

    @property
    def key(self) -> str:
        """The key by which house rules are saved, which people also type."""
        return variant_key(self.game.key, self.preset_name)

    def find_option(self, key: str) -> GameOption:
        """Returns an option by its key; raises `UnknownName`, which lists all keys."""
        return find_option(self.title, self.options, key)

    def describe_values(self, values: Mapping[str, OptionValue]) -> Labelled:
        """Returns values in words: *Payment: the winning bid, …*."""
        options = [option for option in self.options if option.key in values]
        return say_list([option.describe(values[option.key]) for option in options])

    def check_values(self, values: Mapping[str, OptionValue]) -> None:
        """Raises `UserError` if the game can't begin with these values, whatever the number of players."""
        preset = self.game.presets
        preset_option = {} if preset is None else {preset.option: self.preset_name}
        decks = starting_decks(self.game, self.directory, preset_option)
        options = {**self.usual_values, **preset_option, **values}
        least, most = self.game.players
        refusal: UserError | None = None
        for player_count in range(least, most + 1):
            try:
                self.game.check_options(options, decks, player_count)
            except UserError as error:
                refusal = refusal or error
            else:
                return
        if refusal is not None:
            raise refusal


def make_game_variant(game: Game, directory: Path, preset_name: str = "") -> GameVariant:
    """Returns the variant of a game, which may have people's own presets among its choices."""
    usual_values = {option.key: option.default for option in game.options}
    if game.presets is None:
        return GameVariant(game, directory, "", game.title, game.options, usual_values)
    usual_values |= options_set_by_preset(game, directory, preset_name)
    unused = {game.presets.option, *options_unused_by_preset(game, directory, preset_name)}
    options = tuple([option for option in game.options if option.key not in unused])
    title = game.preset_option.choices[preset_name]
    return GameVariant(game, directory, preset_name, title, options, usual_values)


def find_game_variant(words: str, directory: Path) -> GameVariant:
    """Returns the variant that people mean: a game, and of a game with presets also one: `any_game rummy`.

    Raises `UnknownName`, which says what there is.
    """
    games = installed_games.games()
    first_words, _, last_word = words.rpartition(" ")
    key = installed_games.match_game_key(words, games)
    preset_name = ""
    if key not in games and first_words:
        other_key = installed_games.match_game_key(first_words, games)
        key, preset_name = (other_key, last_word) if other_key in games else (key, "")
    game = with_own_presets(installed_games.playable_game(key), directory)
    if game.presets is None and preset_name:
        installed_games.playable_game(words)  # there is no such game, and the error says which there are
    if game.presets is not None and preset_name not in game.preset_option.choices:
        names = game.preset_option.choices
        text = "Type a template of {game} after its name. Templates: {names}."
        unknown = say(text, game=game.title, names=", ".join(names))
        raise make_unknown_name_error(preset_name, names, unknown)
    return make_game_variant(game, directory, preset_name)


def game_variants(directory: Path, game: Game) -> Iterator[GameVariant]:
    """Yields the variants of a game that have options, in the order of its presets."""
    game = with_own_presets(game, directory)
    preset_names = [""] if game.presets is None else game.preset_option.choices
    for preset_name in preset_names:
        variant = _try_to_make_variant(game, directory, preset_name)
        if variant is not None and variant.options:
            yield variant


def _try_to_make_variant(game: Game, directory: Path, preset_name: str) -> GameVariant | None:
    """Returns the variant of a game; None if functions of the game fail."""
    try:
        return make_game_variant(game, directory, preset_name)
    except Exception:  # noqa: BLE001  whatever somebody else's game raises, the other games have house rules
        return None


# Rules that are loaded, changed and saved


class LoadedHouseRules(NamedTuple):
    """The saved house rules, and a sentence about each that can't be used, by the key of the variant."""

    rules: HouseRules
    faults: Mapping[str, list[Say]]


def load_house_rules(store: Store) -> LoadedHouseRules:
    """Returns the saved house rules. What can't be used stays in the file, and the usual rule is used."""
    try:
        saved = _load_saved(store)
    except (msgspec.DecodeError, UnicodeDecodeError):
        text = "The saved house rules can't be read. Until you change one, the usual rules are used."
        return LoadedHouseRules({}, {"": [say(text)]})
    rules: dict[str, dict[str, OptionValue]] = {}
    faults: dict[str, list[Say]] = {}
    for key, values in saved.items():
        variant = _find_saved_variant(key, store.directory)
        if variant is None:
            text = "House rules are saved for {name}, which isn't installed or can't be loaded."
            faults[key] = [say(text, name=key)]
            continue
        allowed = {option: value for option, value in values.items() if _is_allowed(variant, option, value)}
        if allowed:
            rules[key] = allowed
        if wrong := [option for option in values if option not in allowed]:
            faults[key] = [_describe_fault(variant, option) for option in wrong]
    return LoadedHouseRules(rules, faults)


def change_house_rule(
    rules: HouseRules, variant: GameVariant, option_key: str, value: OptionValue
) -> HouseRules:
    """Returns the house rules with another value for an option; the usual value is no house rule.

    Raises `UserError` if the value isn't allowed, or doesn't go together with the other rules.
    """
    option = variant.find_option(option_key)
    option.parse_value(option_value_as_typed(value))
    changed = _with_value(rules, variant, option_key, value)
    if variant.key in changed:
        variant.check_values(changed[variant.key])
    return changed


def move_house_rules(rules: HouseRules, key: str, new_key: str = "") -> HouseRules:
    """Returns the house rules with those of one variant under a new key; without a new key they are gone."""
    renamed = {new_key if other == key else other: values for other, values in rules.items()}
    return {other: values for other, values in renamed.items() if other}


def save_house_rule(store: Store, variant: GameVariant, option_key: str, value: OptionValue) -> None:
    """Saves a house rule; raises as `change_house_rule` does, and then nothing has changed."""
    change_house_rule(load_house_rules(store).rules, variant, option_key, value)
    store.save_value(HOUSE_RULES_KEY, _with_value(_load_saved_or_none(store), variant, option_key, value))


def has_saved_house_rules(store: Store, key: str) -> bool:
    """Returns whether house rules are saved under the key of a variant, even if they can't be used."""
    return key in _load_saved_or_none(store)


def save_moved_house_rules(store: Store, key: str, new_key: str = "") -> None:
    """Saves the house rules of a renamed preset under its new key; without a new key, deletes them.

    The game or the preset needn't be installed any more.
    """
    store.save_value(HOUSE_RULES_KEY, move_house_rules(_load_saved_or_none(store), key, new_key))


def _with_value(rules: HouseRules, variant: GameVariant, option_key: str, value: OptionValue) -> HouseRules:
    values = {key: other for key, other in rules.get(variant.key, {}).items() if key != option_key}
    if value != variant.usual_values[option_key]:
        values[option_key] = value
    return {**move_house_rules(rules, variant.key), **({variant.key: values} if values else {})}


def _load_saved(store: Store) -> SavedHouseRules:
    """Returns what is saved, allowed or not; raises an error if it can't be decoded."""
    text = store.load_json_text(HOUSE_RULES_KEY)
    return {} if text is None else decode_stored_json(msgspec.json.Decoder(SavedHouseRules), text)


def _load_saved_or_none(store: Store) -> SavedHouseRules:
    try:
        return _load_saved(store)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _find_saved_variant(key: str, directory: Path) -> GameVariant | None:
    """Returns the variant with that key; None if its game or preset isn't there or can't be loaded."""
    games = installed_games.games()
    game_key, _, preset_name = (key, "", "") if key in games else key.rpartition(" ")
    game = games.get(game_key)
    if not isinstance(game, Game):
        return None
    game = with_own_presets(game, directory)
    names = [""] if game.presets is None else game.preset_option.choices
    return _try_to_make_variant(game, directory, preset_name) if preset_name in names else None


def _is_allowed(variant: GameVariant, option_key: str, value: Any) -> bool:
    if type(value) not in (int, str, type(None)):
        return False
    try:
        return bool(variant.find_option(option_key).parse_value(option_value_as_typed(value)) == value)
    except UserError:
        return False


def _describe_fault(variant: GameVariant, option_key: str) -> Say:
    """Returns the sentence about a house rule that can't be used."""
    option = next((option for option in variant.options if option.key == option_key), None)
    if option is None:
        text = "{game} has no option {name}, for which a house rule is saved."
        return say(text, game=variant.title, name=option_key)
    text = "The house rule “{option}” of {game} can't be used. Until you change it, the usual rule is used."
    return say(text, option=option.label, game=variant.title)
