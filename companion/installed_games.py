"""The installed games, found by the entry points of the group `companion.games`.

A game that can't be loaded is a `BrokenGame` with the reason. It doesn't affect the other games. A game from
another package is checked before the home screen lists it. Built-in games are checked by their tests; reading
their decks too would only delay the first frame. What a rulebook does during play is caught by `RulebookRun`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec

from companion import languages, name_matching
from companion.cards import shipped_deck_file
from companion.errors import UnknownName, UserError, describe_exception, make_unknown_name_error
from companion.owner_decks import OwnerDeck
from companion.requests import REQUEST_TYPE_BY_KIND
from companion.rules.game import (
    ChoiceOption,
    Game,
    NumberOption,
    PresetConfig,
    TextOption,
    option_value_as_typed,
)
from companion.table.seats import SEAT_COLOURS
from companion.texts import Labelled, Say, render, say

ENTRY_POINT_GROUP = "companion.games"
SHIPPED_GAMES_MODULE_PREFIX = "companion.games."
"""The beginning of the module names of the games that ship with Companion."""


class BrokenGame(msgspec.Struct, frozen=True):
    """An installed game that can't be played, and why."""

    key: str
    why: Say


class _ThirdParty(msgspec.Struct):
    is_disabled: bool = False


_third_party = _ThirdParty()


def games() -> dict[str, Game | BrokenGame]:
    """Returns all installed games by key, in the order of their keys."""
    points = _entry_points(ENTRY_POINT_GROUP, tuple(sys.path))
    if _third_party.is_disabled:
        points = {
            key: point
            for key, point in points.items()
            if point.module.startswith(SHIPPED_GAMES_MODULE_PREFIX)
        }
    return {key: _load_game(key, points[key]) for key in sorted(points)}


def disable_third_party_games() -> None:
    """Ignores games and languages of other packages from now on.

    Safe mode does so, because one of them may be at fault.
    """
    _third_party.is_disabled = True
    languages.disable_third_party_languages()


def broken_games() -> list[BrokenGame]:
    """Returns the broken games: installed games that can't be played.

    Nobody knows whether they have cards.
    """
    return [game for game in games().values() if isinstance(game, BrokenGame)]


def playable_games() -> list[Game]:
    """Returns the installed games that can be played, in the order of their keys."""
    return [game for game in games().values() if isinstance(game, Game)]


def playable_game(key: str) -> Game:
    """Returns the game with this key.

    Raises `UnknownName`, which lists the playable games or says what is broken.
    """
    installed = games()
    match installed.get(key):
        case Game() as playable:
            return playable
        case BrokenGame(why=why):
            raise UnknownName(why)
    names = [name for name, game in installed.items() if isinstance(game, Game)]
    text = say("There is no game called {name}. Installed games: {names}.", name=key, names=", ".join(names))
    raise make_unknown_name_error(key, names, text)


def find_playable_game(word: str) -> Game:
    """Returns the game that a word means, its key or its title in any language.

    Raises as `playable_game` does.
    """
    return playable_game(match_game_key(word, games()))


def match_game_key(word: str, games_by_key: Mapping[str, Game | BrokenGame | None]) -> str:
    """Returns the key of the game that a word means; the word itself if it means none.

    In `games_by_key`, None stands for a game that isn't installed.
    """
    spellings_by_key = {key: _game_spellings(key, game) for key, game in games_by_key.items()}
    keys = name_matching.find_by_name(word, spellings_by_key)
    return keys[0] if len(keys) == 1 else word


def _game_spellings(key: str, game: Game | BrokenGame | None) -> list[str]:
    """Returns the ways to write a game: without punctuation, and with spaces or dashes in its key."""
    names = [key, key.replace("_", " "), key.replace("_", "-"), key.replace("_", "")]
    titles = [render(game.title, code) for code in languages.languages()] if isinstance(game, Game) else []
    return [*names, *titles, *(title.strip("!?「」") for title in titles)]


def owner_decks_by_name(state_directory: Path) -> dict[str, OwnerDeck]:
    """Returns the owner's decks of all playable games, by the names of the decks.

    A deck belongs to the game with its name, even if other games use it too.
    """
    playable = playable_games()
    game_by_deck = {name: game for game in playable for name in game.decks}
    game_by_deck |= {game.key: game for game in playable if game.key in game_by_deck}
    return {name: OwnerDeck(game, name, state_directory) for name, game in game_by_deck.items()}


def games_offering_presets() -> list[Game]:
    """Returns the playable games that have presets."""
    return [game for game in playable_games() if game.presets is not None]


@lru_cache(1)
def _entry_points(group: str, _path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Returns the entry points by key.

    If several have the same key, ours gets it, else the first one. The others are listed with their packages.
    The search runs only once: after installing a game people start the program again.
    """
    points: dict[str, EntryPoint] = {}
    for point in sorted(
        entry_points(group=group), key=lambda point: not point.module.startswith(SHIPPED_GAMES_MODULE_PREFIX)
    ):
        first = points.setdefault(point.name, point)
        if first.value != point.value:
            points[f"{point.name} ({point.dist.name if point.dist else point.module})"] = point
    return points


def _load_game(key: str, point: EntryPoint) -> Game | BrokenGame:
    if key != point.name:
        return _make_broken_game(key, say("another game has the same name."))
    try:
        loaded = point.load()
        if not isinstance(loaded, Game):
            return _make_broken_game(key, say("{what} is not a Game.", what=point.value))
        if loaded.key != key:
            return _make_broken_game(
                key,
                say(
                    "its key is {key}; the key must be the same as the name of the game.", key=str(loaded.key)
                ),
            )
        if not point.module.startswith(SHIPPED_GAMES_MODULE_PREFIX):
            check_game_definition(loaded)
            languages.add_game_catalogues(loaded.folder / "locale", key)
    except UserError as error:
        return _make_broken_game(key, error.text)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever somebody else's game raises, the other games work
        return _make_broken_game(key, f"{describe_exception(fault)}.")
    return loaded


def _make_broken_game(key: str, why: Labelled | str) -> BrokenGame:
    return BrokenGame(key, say("The game {name} can't be loaded: {why}", name=key, why=why))


# The definition of a game from another package


MAX_PLAYERS = len(SEAT_COLOURS)


def check_game_definition(game: Game) -> None:
    """Raises `UserError`, a sentence for the game's author, if the game's definition is invalid.

    Errors of the game's own functions are raised unchanged.
    """
    for field_name, is_valid, requirement in GAME_FIELD_CHECKS:
        value = getattr(game, field_name)
        if not is_valid(value):
            text = "its {part} {wanted}, not {value}."
            raise UserError(say(text, part=field_name, wanted=requirement, value=str(value)))
    for option in game.options:
        option.parse_value(option_value_as_typed(option.default))
    for name in game.decks:
        check_game_deck(game, name)
    if game.presets is not None and not _are_presets_valid(game.presets, game):
        raise UserError(say("its presets must name a choice in its options and a deck in its decks."))


def check_game_deck(game: Game, deck_name: str) -> None:
    """Raises `UserError` if a deck is missing, refused by the game, or named like that of another game."""
    deck = shipped_deck_file(deck_name, game.folder).deck
    is_own_name = deck_name == game.key or deck_name.startswith(f"{game.key}_")
    if not is_own_name and (game.folder / f"{deck_name}.toml").is_file():
        raise UserError(
            say(
                "the name of its deck must be {key} or begin with {key}_; {name} isn't allowed.",
                key=game.key,
                name=deck_name,
            )
        )
    try:
        game.check_deck(deck)
    except UserError as error:
        raise UserError(say("{deck}: {why}", deck=deck_name, why=error.text)) from error


def _are_players_valid(players: object) -> bool:
    if not isinstance(players, tuple) or [type(number) for number in players] != [int, int]:
        return False
    least, most = players
    return bool(1 <= least <= most <= MAX_PLAYERS)


def _are_options_valid(options: object) -> bool:
    if not isinstance(options, tuple) or not all(
        isinstance(option, (ChoiceOption, NumberOption, TextOption)) for option in options
    ):
        return False
    return len({option.key for option in options}) == len(options)


def _are_question_kinds(kinds: object) -> bool:
    return isinstance(kinds, tuple) and all(kind in REQUEST_TYPE_BY_KIND for kind in kinds)


def _are_names(names: object) -> bool:
    return isinstance(names, tuple) and all(isinstance(name, str) for name in names)


def _are_presets_valid(presets: object, game: Game) -> bool:
    """Returns whether option and deck exist; only Any Game may have another folder, that of version 0.2."""
    if (
        not isinstance(presets, PresetConfig)
        or presets.own_folder is not None
        or presets.deck not in game.decks
    ):
        return False
    return any(isinstance(option, ChoiceOption) and option.key == presets.option for option in game.options)


GameFieldCheck = tuple[str, Callable[[Any], bool], Labelled]
GAME_FIELD_CHECKS: tuple[GameFieldCheck, ...] = (
    ("version", lambda version: type(version) is int, say("must be a whole number")),
    ("title", lambda title: isinstance(title, Say), say("must be a text made with say()")),
    (
        "players",
        _are_players_valid,
        say("must be two numbers from 1 to {most}, the fewest and the most players", most=MAX_PLAYERS),
    ),
    ("play", callable, say("must be a coroutine function")),
    (
        "options",
        _are_options_valid,
        say("must be a tuple of ChoiceOption, NumberOption and TextOption with different keys"),
    ),
    ("decks", _are_names, say("must be a tuple of names")),
    ("check_deck", callable, say("must be a function")),
    (
        "question_kinds",
        _are_question_kinds,
        say("must be a tuple of question kinds: {kinds}", kinds=", ".join(REQUEST_TYPE_BY_KIND)),
    ),
)
"""The checked fields of a `Game`: the name, the test of its value, and the requirement in words."""
