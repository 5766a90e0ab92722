"""Finds the games that are installed, by the entry points of the group `companion.games`.

A game that can't be loaded is a status with a sentence and never in the way of the others.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import msgspec

from companion.errors import Unknown
from companion.game import Game
from companion.owned import Copy
from companion.words import Say, say

GROUP = "companion.games"


class Broken(msgspec.Struct, frozen=True):
    """An installed game that can't be played, and why."""

    key: str
    why: Say


def games() -> dict[str, Game | Broken]:
    """All installed games by key, in the order of their keys."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    return {key: _load(points[key]) for key in sorted(points)}


def game(key: str) -> Game:
    """The game of that key; raises `Unknown`, which names those that can be played or says what is broken."""
    found = games()
    match found.get(key):
        case Game() as playable:
            return playable
        case Broken(why=why):
            raise Unknown(why)
    names = ", ".join(name for name, one in found.items() if isinstance(one, Game))
    raise Unknown(say("There is no game {name}; there are: {names}.", name=key, names=names))


def copies(directory: Path) -> dict[str, Copy]:
    """One's own copies of the decks of all games that can be played, by the names of the decks."""
    playable = [one for one in games().values() if isinstance(one, Game)]
    return {name: Copy(one, name, directory) for one in playable for name in one.decks}


def _load(point: EntryPoint) -> Game | Broken:
    try:
        loaded = point.load()
    except Exception as fault:  # noqa: BLE001  whatever a stranger's module raises, the others must go on
        return _broken(point, f"{type(fault).__name__}: {fault}")
    if not isinstance(loaded, Game):
        return _broken(point, f"{point.value} is no Game")
    if loaded.key != point.name:
        return _broken(point, f"its key is {loaded.key}")
    return loaded


def _broken(point: EntryPoint, why: str) -> Broken:
    return Broken(point.name, say("The game {name} can't be loaded: {why}.", name=point.name, why=why))
