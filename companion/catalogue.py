"""Finds the games that are installed, by the entry points of the group `companion.games`.

A game that can't be loaded is a status with a sentence and never in the way of the others.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec

from companion import languages, name_matching, translations
from companion.copies import Copy
from companion.errors import UnknownName, UserError, describe_exception, unknown_name
from companion.rules import strangers
from companion.rules.game import Game
from companion.texts import Labelled, Say, render, say

GROUP = "companion.games"
OURS = "companion.games."
"""Where the modules of this package's games are."""


class Broken(msgspec.Struct, frozen=True):
    """An installed game that can't be played, and why."""

    key: str
    why: Say


class _Strangers(msgspec.Struct):
    kept_out: bool = False


_strangers = _Strangers()


def games() -> dict[str, Game | Broken]:
    """All installed games by key, in the order of their keys."""
    points = _points(GROUP, tuple(sys.path))
    if _strangers.kept_out:
        points = {key: point for key, point in points.items() if point.module.startswith(OURS)}
    return {key: _load(key, points[key]) for key in sorted(points)}


def keep_to_ours() -> None:
    """From now on only this package's games and languages are found: in safe mode others may be at fault."""
    _strangers.kept_out = True
    languages.keep_to_ours()


def broken() -> list[Broken]:
    """The games that can't be played; nobody knows whether they have cards."""
    return [found for found in games().values() if isinstance(found, Broken)]


def game(key: str) -> Game:
    """The game of that key.

    Raises `UnknownName`, which names those that can be played or says what is broken.
    """
    found = games()
    match found.get(key):
        case Game() as playable:
            return playable
        case Broken(why=why):
            raise UnknownName(why)
    names = [name for name, one in found.items() if isinstance(one, Game)]
    none = say("There is no game called {name}. Installed games: {names}.", name=key, names=", ".join(names))
    raise unknown_name(key, names, none)


def named(word: str) -> Game:
    """The game that people call so: by its key or by its title, in any language. Raises as `game` does."""
    return game(key_of(word, games()))


def key_of(word: str, found: Mapping[str, Game | Broken | None]) -> str:
    """The key of these that people mean by a word, else the word; None: nobody knows the game any more."""
    called = {key: _names_of(key, one) for key, one in found.items()}
    keys = name_matching.find_by_name(word, called)
    return keys[0] if len(keys) == 1 else word


def _names_of(key: str, one: Game | Broken | None) -> list[str]:
    """How people write a game: without punctuation, and with spaces or dashes in its key."""
    names = [key, key.replace("_", " "), key.replace("_", "-"), key.replace("_", "")]
    titles = [render(one.title, code) for code in languages.languages()] if isinstance(one, Game) else []
    return [*names, *titles, *(title.strip("!?「」") for title in titles)]


def copies(directory: Path) -> dict[str, Copy]:
    """One's own copies of the decks of all games that can be played, by the names of the decks.

    A deck belongs to the game that is called like it, whoever else plays with it.
    """
    playable = [one for one in games().values() if isinstance(one, Game)]
    owners = {name: one for one in playable for name in one.decks}
    owners |= {one.key: one for one in playable if one.key in owners}
    return {name: Copy(owner, name, directory) for name, owner in owners.items()}


def games_with_presets() -> list[Game]:
    """The games that can be played and have presets."""
    return [one for one in games().values() if isinstance(one, Game) and one.presets is not None]


@lru_cache(1)
def _points(group: str, _path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """By key; of several with one key ours keeps it, else the first, and the others are named beside it.

    Looked for once: who installs a game starts the program again.
    """
    points: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: not point.module.startswith(OURS)):
        first = points.setdefault(point.name, point)
        if first.value != point.value:
            points[f"{point.name} ({point.dist.name if point.dist else point.module})"] = point
    return points


def _load(key: str, point: EntryPoint) -> Game | Broken:
    if key != point.name:
        return _broken(key, say("another game has the same name."))
    try:
        loaded = point.load()
        if not isinstance(loaded, Game):
            return _broken(key, say("{what} is not a Game.", what=point.value))
        if loaded.key != key:
            return _broken(
                key,
                say(
                    "its key is {key}; the key must be the same as the name of the game.", key=str(loaded.key)
                ),
            )
        if not point.module.startswith(OURS):
            strangers.check_game_parts(loaded)
            translations.learn(loaded.folder / "locale", key)
    except UserError as error:
        return _broken(key, error.text)
    except (Exception, SystemExit) as fault:  # noqa: BLE001  whatever a stranger raises, the others go on
        return _broken(key, f"{describe_exception(fault)}.")
    return loaded


def _broken(key: str, why: Labelled | str) -> Broken:
    return Broken(key, say("The game {name} can't be loaded: {why}", name=key, why=why))
