"""Who has played over the evenings: names with games and wins, counted from the history.

A log is never touched: merging, deleting and leaving games out are kept beside. A merged or deleted name
counts so for the games that there were then. Who plays again is counted again. Names that read the same are
one player, written as in the newest game, unless they have sat at one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.errors import UnknownName, UserError
from companion.name_matching import find_by_name, find_indistinguishable_names, fold_name
from companion.store import SavedGame, Store
from companion.store.rows import EXCLUDED_GAMES_KEY
from companion.texts import say

REGISTER = "register"
"""The key under which the deeds are kept."""


class Player(msgspec.Struct, frozen=True):
    """One name, the games it played to their end, and those it won, alone or shared."""

    name: str
    games: int
    wins: int


class Deed(msgspec.Struct, frozen=True):
    """In games up to number `until`, `name` is counted as `into`, or not at all where that is None."""

    name: str
    into: str | None
    until: int


def players(store: Store) -> list[Player]:
    """Everybody, the most wins first."""
    return _counted(_counting(store), _Deeds(_deeds(store), _finished(store)))


def by_game(store: Store, name: str) -> dict[str, Player]:
    """What one of them played and won, by the key of the game."""
    games, deeds = _counting(store), _Deeds(_deeds(store), _finished(store))
    name = deeds.spelled(name)
    return {
        key: player
        for key in dict.fromkeys(game.game for game in games)
        for player in _counted((game for game in games if game.game == key), deeds)
        if player.name == name
    }


def merge(store: Store, name: str, into: str) -> None:
    """From now on what `name` played counts for `into`; raises `UserError` where they are two people."""
    name, into = _known(store, name), _known(store, into)
    if name == into:
        raise UserError(say("{name} is one player. Name two different players.", name=name))
    games = _finished(store)
    deeds = _Deeds(_deeds(store), games)
    for game in games:
        if {name, into} <= {deeds.counted_as(player, game.number) for player in game.names}:
            raise UserError(
                say(
                    "{name} and {into} played against each other in game {number}, so they are two people.",
                    name=name,
                    into=into,
                    number=game.number,
                )
            )
    _keep(store, Deed(name, into, _newest(store)))


def delete(store: Store, name: str) -> None:
    """Forgets what `name` played until now; the games stay in the history."""
    _keep(store, Deed(_known(store, name), None, _newest(store)))


def leave_out(store: Store, number: int) -> None:
    """The game counts for nobody, until `count_in`; it stays in the history."""
    _keep_left_out(store, _left_out(store) | {number})


def count_in(store: Store, number: int) -> None:
    """The game counts again."""
    _keep_left_out(store, _left_out(store) - {number})


def counts(store: Store, number: int) -> bool:
    """Whether the game is in the statistics, as far as people want that."""
    return number not in _left_out(store)


def _left_out(store: Store) -> set[int]:
    found: list[int] = store.recall(EXCLUDED_GAMES_KEY, [], list[int])
    return set(found)


def _keep_left_out(store: Store, numbers: set[int]) -> None:
    store.remember(EXCLUDED_GAMES_KEY, sorted(numbers))


class _Deeds:
    """Whose game it is that a name played, after all deeds in their order."""

    def __init__(self, deeds: Sequence[Deed], games: Sequence[SavedGame]) -> None:
        self._newest = {fold_name(name): name for game in sorted(games, key=_number) for name in game.names}
        self._apart = {
            fold_name(alike[0])
            for game in games
            if (alike := find_indistinguishable_names(game.names)) is not None
        }
        self._deeds = [(self.spelled(deed.name), deed) for deed in deeds]

    def spelled(self, name: str) -> str:
        """The name as it was written last; itself where two that read the same played against each other."""
        folded = fold_name(name)
        return name if folded in self._apart else self._newest.get(folded, name)

    def counted_as(self, name: str, number: int) -> str | None:
        """Who is counted for that name in that game; None where it is deleted."""
        now: str | None = self.spelled(name)
        for before, deed in self._deeds:
            if before == now and number <= deed.until:
                now = None if deed.into is None else self.spelled(deed.into)
        return now


def _counted(games: Iterable[SavedGame], deeds: _Deeds) -> list[Player]:
    found: dict[str, tuple[int, int]] = {}
    for game in games:
        for name in game.names:
            counted = deeds.counted_as(name, game.number)
            if counted is not None:
                played, won = found.get(counted, (0, 0))
                found[counted] = played + 1, won + (name in game.winners)
    everybody = [Player(name, played, won) for name, (played, won) in found.items()]
    return sorted(everybody, key=lambda player: (-player.wins, -player.games, player.name))


def _finished(store: Store) -> list[SavedGame]:
    return [game for game in store.saved() if game.state == "finished"]


def _counting(store: Store) -> list[SavedGame]:
    left_out = _left_out(store)
    return [game for game in _finished(store) if game.number not in left_out]


def _number(game: SavedGame) -> int:
    return game.number


def _newest(store: Store) -> int:
    return max((game.number for game in store.saved()), default=0)


def _deeds(store: Store) -> list[Deed]:
    deeds: list[Deed] = store.recall(REGISTER, [], list[Deed])
    return deeds


def _keep(store: Store, deed: Deed) -> None:
    store.remember(REGISTER, msgspec.to_builtins([*_deeds(store), deed]))


def _known(store: Store, name: str) -> str:
    """The one in the register who is called so; raises `UnknownName`, which lists the names."""
    names = [player.name for player in players(store)]
    found = find_by_name(name, {one: (one,) for one in names})
    if len(found) != 1:
        if not names:
            raise UnknownName(say("No player called {name} has finished a game yet.", name=name))
        text = "No player called {name} has finished a game yet. Players: {names}."
        raise UnknownName(say(text, name=name, names=", ".join(found or names)))
    return found[0]
