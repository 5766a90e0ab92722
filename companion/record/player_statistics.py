"""Statistics of players over all evenings: names with games and wins, counted from the saved games.

A log is never changed. Merged and deleted names and excluded games are saved separately. Merging or deleting
a name affects the games that exist at that time; later games of this name count again. Names that read the
same are one player, spelled as in the newest game, unless they have played at one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.errors import UnknownName, UserError
from companion.name_matching import find_by_name, find_indistinguishable_names, fold_name
from companion.store import SavedGame, Store
from companion.store.game_rows import GAMES_EXCLUDED_FROM_STATISTICS_KEY
from companion.texts import say

NAME_CHANGES_KEY = "register"
"""The key under which the store saves merged and deleted names."""


class PlayerStatistics(msgspec.Struct, frozen=True):
    """The statistics of one player: how many games they finished, and how many they won, alone or shared."""

    name: str
    games: int
    wins: int


class NameChange(msgspec.Struct, frozen=True):
    """A change of a player's name in the statistics: the name was merged into another one or deleted.

    In games up to number `until`, `name` counts as `into`, or not at all if that is None.
    """

    name: str
    into: str | None
    until: int


def statistics_of_all_players(store: Store) -> list[PlayerStatistics]:
    """Returns the statistics of all players.

    The players with the most wins come first.
    """
    return _count_games(_counted_games(store), _NameChanges(_name_changes(store), _finished_games(store)))


def player_statistics_by_game(store: Store, name: str) -> dict[str, PlayerStatistics]:
    """Returns the statistics of one player, by the key of the game."""
    games, deeds = _counted_games(store), _NameChanges(_name_changes(store), _finished_games(store))
    name = deeds.newest_spelling(name)
    return {
        key: player
        for key in dict.fromkeys(game.game for game in games)
        for player in _count_games((game for game in games if game.game == key), deeds)
        if player.name == name
    }


def merge_players(store: Store, name: str, into_name: str) -> None:
    """Merges two players: the games of `name` count for `into_name`.

    Raises `UserError` if the two have played against each other, so that they are two people.
    """
    name, into_name = _find_player_name(store, name), _find_player_name(store, into_name)
    if name == into_name:
        raise UserError(say("{name} is one player. Name two different players.", name=name))
    games = _finished_games(store)
    deeds = _NameChanges(_name_changes(store), games)
    for game in games:
        if {name, into_name} <= {deeds.counted_as(player, game.number) for player in game.names}:
            raise UserError(
                say(
                    "{name} and {into} played against each other in game {number}, so they are two people.",
                    name=name,
                    into=into_name,
                    number=game.number,
                )
            )
    _add_name_change(store, NameChange(name, into_name, _newest_number(store)))


def delete_player_statistics(store: Store, name: str) -> None:
    """Deletes the statistics of a player until now; the games stay in the list of games."""
    _add_name_change(store, NameChange(_find_player_name(store, name), None, _newest_number(store)))


def exclude_from_statistics(store: Store, game_number: int) -> None:
    """Excludes a game from the statistics.

    `include_in_statistics` reverses that. The game stays in the list of games.
    """
    _save_excluded_games(store, _excluded_games(store) | {game_number})


def include_in_statistics(store: Store, game_number: int) -> None:
    """Includes a game in the statistics again."""
    _save_excluded_games(store, _excluded_games(store) - {game_number})


def is_counted_in_statistics(store: Store, game_number: int) -> bool:
    """Returns whether a game is counted in the statistics."""
    return game_number not in _excluded_games(store)


def _excluded_games(store: Store) -> set[int]:
    found: list[int] = store.load_value(GAMES_EXCLUDED_FROM_STATISTICS_KEY, [], list[int])
    return set(found)


def _save_excluded_games(store: Store, numbers: set[int]) -> None:
    store.save_value(GAMES_EXCLUDED_FROM_STATISTICS_KEY, sorted(numbers))


class _NameChanges:
    """Whose game it is that a name played, after all changes of names in their order."""

    def __init__(self, deeds: Sequence[NameChange], games: Sequence[SavedGame]) -> None:
        self._newest = {
            fold_name(name): name for game in sorted(games, key=_game_number) for name in game.names
        }
        self._apart = {
            fold_name(alike[0])
            for game in games
            if (alike := find_indistinguishable_names(game.names)) is not None
        }
        self._deeds = [(self.newest_spelling(deed.name), deed) for deed in deeds]

    def newest_spelling(self, name: str) -> str:
        """Returns the name as it was last written.

        Unchanged if two that read the same played against each other.
        """
        folded = fold_name(name)
        return name if folded in self._apart else self._newest.get(folded, name)

    def counted_as(self, name: str, number: int) -> str | None:
        """Returns the player for whom that name counts in that game; None if it is deleted."""
        now: str | None = self.newest_spelling(name)
        for before, deed in self._deeds:
            if before == now and number <= deed.until:
                now = None if deed.into is None else self.newest_spelling(deed.into)
        return now


def _count_games(games: Iterable[SavedGame], deeds: _NameChanges) -> list[PlayerStatistics]:
    found: dict[str, tuple[int, int]] = {}
    for game in games:
        for name in game.names:
            counted = deeds.counted_as(name, game.number)
            if counted is not None:
                played, won = found.get(counted, (0, 0))
                found[counted] = played + 1, won + (name in game.winners)
    everybody = [PlayerStatistics(name, played, won) for name, (played, won) in found.items()]
    return sorted(everybody, key=lambda player: (-player.wins, -player.games, player.name))


def _finished_games(store: Store) -> list[SavedGame]:
    return [game for game in store.saved_games() if game.state == "finished"]


def _counted_games(store: Store) -> list[SavedGame]:
    left_out = _excluded_games(store)
    return [game for game in _finished_games(store) if game.number not in left_out]


def _game_number(game: SavedGame) -> int:
    return game.number


def _newest_number(store: Store) -> int:
    return max((game.number for game in store.saved_games()), default=0)


def _name_changes(store: Store) -> list[NameChange]:
    deeds: list[NameChange] = store.load_value(NAME_CHANGES_KEY, [], list[NameChange])
    return deeds


def _add_name_change(store: Store, deed: NameChange) -> None:
    store.save_value(NAME_CHANGES_KEY, msgspec.to_builtins([*_name_changes(store), deed]))


def _find_player_name(store: Store, name: str) -> str:
    """Returns the player with that name; raises `UnknownName`, which lists the names."""
    names = [player.name for player in statistics_of_all_players(store)]
    found = find_by_name(name, {one: (one,) for one in names})
    if len(found) != 1:
        if not names:
            raise UnknownName(say("No player called {name} has finished a game yet.", name=name))
        text = "No player called {name} has finished a game yet. Players: {names}."
        raise UnknownName(say(text, name=name, names=", ".join(found or names)))
    return found[0]
