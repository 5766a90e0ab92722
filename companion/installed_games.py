"""The installed games, found by the entry points of the group `companion.games`.

A game that can't be loaded is a `BrokenGame` with the reason. It doesn't affect the other games.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec

from companion import languages, name_matching
from companion.errors import UnknownName, UserError, describe_exception, make_unknown_name_error
from companion.owner_decks import OwnerDeck
from companion.rules import game_checks
from companion.rules.game import Game
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
            game_checks.check_game_definition(loaded)
            languages.add_game_catalogues(loaded.folder / "locale", key)
    except UserError as error:
        return _make_broken_game(key, error.text)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever somebody else's game raises, the other games work
        return _make_broken_game(key, f"{describe_exception(fault)}.")
    return loaded


def _make_broken_game(key: str, why: Labelled | str) -> BrokenGame:
    return BrokenGame(key, say("The game {name} can't be loaded: {why}", name=key, why=why))
