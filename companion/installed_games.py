"""The installed games, found by the entry points of the group `companion.games`.

A game that can't be loaded is a `BrokenGame` with the reason; it doesn't affect the other games.
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

    Safe mode, because one of them may be at fault.
    """
    _third_party.is_disabled = True
    languages.disable_third_party_languages()


def broken_games() -> list[BrokenGame]:
    """Returns the broken games: installed games that can't be played.

    Nobody knows whether they have cards.
    """
    return [found for found in games().values() if isinstance(found, BrokenGame)]


def playable_game(key: str) -> Game:
    """Returns the game with this key.

    Raises `UnknownName`, which lists the playable games or says what is broken.
    """
    found = games()
    match found.get(key):
        case Game() as playable:
            return playable
        case BrokenGame(why=why):
            raise UnknownName(why)
    names = [name for name, one in found.items() if isinstance(one, Game)]
    none = say("There is no game called {name}. Installed games: {names}.", name=key, names=", ".join(names))
    raise make_unknown_name_error(key, names, none)


def find_playable_game(word: str) -> Game:
    """Returns the game that a word means, its key or its title in any language.

    Raises as `playable_game` does.
    """
    return playable_game(match_game_key(word, games()))


def match_game_key(word: str, games_by_key: Mapping[str, Game | BrokenGame | None]) -> str:
    """Returns the key of the game that a word means; the word itself if it means none.

    In `games_by_key`, None stands for a game that isn't installed.
    """
    called = {key: _spellings_of(key, one) for key, one in games_by_key.items()}
    keys = name_matching.find_by_name(word, called)
    return keys[0] if len(keys) == 1 else word


def _spellings_of(key: str, one: Game | BrokenGame | None) -> list[str]:
    """Returns the ways to write a game: without punctuation, and with spaces or dashes in its key."""
    names = [key, key.replace("_", " "), key.replace("_", "-"), key.replace("_", "")]
    titles = [render(one.title, code) for code in languages.languages()] if isinstance(one, Game) else []
    return [*names, *titles, *(title.strip("!?「」") for title in titles)]


def owner_decks(directory: Path) -> dict[str, OwnerDeck]:
    """Returns the owner's decks of all playable games, by the names of the decks.

    A deck belongs to the game with its name, even if other games use it too.
    """
    playable = [one for one in games().values() if isinstance(one, Game)]
    owners = {name: one for one in playable for name in one.decks}
    owners |= {one.key: one for one in playable if one.key in owners}
    return {name: OwnerDeck(owner, name, directory) for name, owner in owners.items()}


def games_offering_presets() -> list[Game]:
    """Returns the playable games that have presets."""
    return [one for one in games().values() if isinstance(one, Game) and one.presets is not None]


@lru_cache(1)
def _entry_points(group: str, _path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Returns the entry points by key. If several have one key, ours has it, else the first.

    The others are listed too.
    They are searched only once: after installing a game people start the program again.
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
        return _broken_game(key, say("another game has the same name."))
    try:
        loaded = point.load()
        if not isinstance(loaded, Game):
            return _broken_game(key, say("{what} is not a Game.", what=point.value))
        if loaded.key != key:
            return _broken_game(
                key,
                say(
                    "its key is {key}; the key must be the same as the name of the game.", key=str(loaded.key)
                ),
            )
        if not point.module.startswith(SHIPPED_GAMES_MODULE_PREFIX):
            game_checks.check_game_definition(loaded)
            languages.add_game_catalogues(loaded.folder / "locale", key)
    except UserError as error:
        return _broken_game(key, error.text)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever a stranger raises, the others go on
        return _broken_game(key, f"{describe_exception(fault)}.")
    return loaded


def _broken_game(key: str, why: Labelled | str) -> BrokenGame:
    return BrokenGame(key, say("The game {name} can't be loaded: {why}", name=key, why=why))
