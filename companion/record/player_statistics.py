"""Statistics of players over all evenings: names with games and wins, counted from the saved games.

`load_counted_games` returns the games that count, with each player's result; the module `player_records`
finds what there is to say about them.

A log is never changed. Merged and deleted names and excluded games are saved separately. Merging or deleting
a name affects the games that exist at that time; later games of this name count again. Names that read the
same are one player, spelled as in the newest game, unless they have played at one table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from companion.errors import UnknownName, UserError
from companion.half_numbers import WholeOrHalf, number_from_float
from companion.log.log import PlayDates
from companion.name_matching import find_by_name, find_indistinguishable_names, fold_name
from companion.record.remembered_players import forget_remembered_player, rename_remembered_player
from companion.store import SavedGame, Store
from companion.store.game_rows import GAMES_EXCLUDED_FROM_STATISTICS_KEY
from companion.table.scores import GameResult, format_total
from companion.texts import Say, say

NAME_CHANGES_KEY = "register"
"""The key under which the store saves merged and deleted names."""


class PlayerStatistics(msgspec.Struct, frozen=True):
    """The statistics of one player: how many games they finished, and how many they won, alone or shared."""

    name: str
    games: int
    wins: int


class PlayerResult(msgspec.Struct, frozen=True):
    """How one player finished one game; `name` is the player for whom the seat's name counts."""

    name: str
    rank: int
    total: WholeOrHalf
    is_winner: bool
    is_eliminated: bool

    @property
    def text(self) -> str:
        """Rank, name and total, such as `1. Aki 40`."""
        return f"{self.rank}. {self.name} {self.total_text}"

    @property
    def total_text(self) -> str:
        """The total, in parentheses if it doesn't count because the player was out."""
        return format_total(self.total, is_eliminated=self.is_eliminated)


class CountedGame(msgspec.Struct, frozen=True):
    """A finished game that counts, with the results of its players, best first.

    Games of one `title` can be compared: a template of Any Game is a title of its own. Players who never
    joined have no result, nor have those whose statistics were deleted.
    """

    number: int
    title: Say
    results: tuple[PlayerResult, ...]
    play_dates: PlayDates = PlayDates()
    played_seconds: float = 0.0

    def result_of(self, name: str) -> PlayerResult | None:
        """Returns the result of a player; None if the player didn't play."""
        return next((result for result in self.results if result.name == name), None)


class MergedOrDeletedName(msgspec.Struct, frozen=True):
    """A change of a player's name in the statistics: the name was merged into another one or deleted.

    In games up to number `until`, `name` counts as `into`, or not at all if `into` is None.
    """

    name: str
    into: str | None
    until: int


def statistics_of_all_players(store: Store) -> list[PlayerStatistics]:
    """Returns the statistics of all players, those with the most wins first."""
    player_names = _PlayerNames(_load_name_changes(store), _finished_games(store))
    return _count_games(_counted_games(store), player_names)


def load_counted_games(
    store: Store, find_title: Callable[[SavedGame], Say], game_key: str | None = None
) -> list[CountedGame]:
    """Returns the games that count, the newest first; with `game_key` only those of that game.

    `find_title` returns the title of what was played.
    """
    player_names = _PlayerNames(_load_name_changes(store), _finished_games(store))
    counted_games = []
    for saved in _counted_games(store):
        if saved.result is not None and game_key in (None, saved.game):
            results = [
                PlayerResult(
                    player,
                    standing["rank"],
                    number_from_float(standing["total"]),
                    standing["seat"] in saved.winners,
                    standing["out"],
                )
                for standing in saved.result["standings"]
                if standing.get("joined", True)
                and (player := player_names.counted_as(standing["seat"], saved.number)) is not None
            ]
            dates, seconds = store.play_dates(saved.number), store.seconds_played(saved.number)
            counted_games.append(CountedGame(saved.number, find_title(saved), tuple(results), dates, seconds))
    return counted_games


def results_on_table(store: Store, game_number: int, result: GameResult) -> list[PlayerResult]:
    """Returns the results of a game that is over but not yet put away, each for the player who counts."""
    player_names = _PlayerNames(_load_name_changes(store), _finished_games(store))
    return [
        PlayerResult(
            player, standing.rank, standing.total, standing.seat in result.winners, standing.is_eliminated
        )
        for standing in result.standings
        if standing.has_joined
        and (player := player_names.counted_as(standing.seat.name, game_number)) is not None
    ]


def merge_players(store: Store, name: str, into_name: str) -> None:
    """Merges two players: the games of `name` count for `into_name`, and set-up offers only `into_name`.

    Raises `UserError` if the two have played against each other, so that they are two people.
    """
    name, into_name = find_player_name(store, name), find_player_name(store, into_name)
    if name == into_name:
        raise UserError(say("{name} is one player. Name two different players.", name=name))
    games = _finished_games(store)
    player_names = _PlayerNames(_load_name_changes(store), games)
    for game in games:
        if {name, into_name} <= {player_names.counted_as(player, game.number) for player in game.names}:
            raise UserError(
                say(
                    "{name} and {into} played against each other in game {number}, so they are two people.",
                    name=name,
                    into=into_name,
                    number=game.number,
                )
            )
    _add_name_change(store, MergedOrDeletedName(name, into_name, _newest_game_number(store)))
    rename_remembered_player(store, name, into_name)


def delete_player_statistics(store: Store, name: str) -> None:
    """Deletes the statistics of a player until now; the games stay in the list of games.

    Set-up doesn't offer the name any more.
    """
    name = find_player_name(store, name)
    _add_name_change(store, MergedOrDeletedName(name, None, _newest_game_number(store)))
    forget_remembered_player(store, name)


def exclude_from_statistics(store: Store, game_number: int) -> None:
    """Excludes a game from the statistics; the game stays in the list of games."""
    _save_excluded_games(store, _load_excluded_games(store) | {game_number})


def include_in_statistics(store: Store, game_number: int) -> None:
    """Includes a game in the statistics again."""
    _save_excluded_games(store, _load_excluded_games(store) - {game_number})


def is_counted_in_statistics(store: Store, game_number: int) -> bool:
    """Returns whether a game is counted in the statistics."""
    return game_number not in _load_excluded_games(store)


def _load_excluded_games(store: Store) -> set[int]:
    numbers: list[int] = store.load_value(GAMES_EXCLUDED_FROM_STATISTICS_KEY, [], list[int])
    return set(numbers)


def _save_excluded_games(store: Store, numbers: set[int]) -> None:
    store.save_value(GAMES_EXCLUDED_FROM_STATISTICS_KEY, sorted(numbers))


class _PlayerNames:
    """The player for whom a name counts in a game, after all changes of names in their order."""

    def __init__(self, changes: Sequence[MergedOrDeletedName], games: Sequence[SavedGame]) -> None:
        self._newest_spelling_by_folded_name = {
            fold_name(name): name for game in sorted(games, key=_game_number) for name in game.names
        }
        self._folded_names_of_several_players = {
            fold_name(pair[0])
            for game in games
            if (pair := find_indistinguishable_names(game.names)) is not None
        }
        self._changes_by_spelling = [(self.newest_spelling(change.name), change) for change in changes]

    def newest_spelling(self, name: str) -> str:
        """Returns the name as it is spelled in the newest game.

        A name stays unchanged if another one that reads the same has played against it.
        """
        folded = fold_name(name)
        if folded in self._folded_names_of_several_players:
            return name
        return self._newest_spelling_by_folded_name.get(folded, name)

    def counted_as(self, name: str, game_number: int) -> str | None:
        """Returns the player for whom a name counts in a game; None if the name was deleted."""
        player: str | None = self.newest_spelling(name)
        for spelling, change in self._changes_by_spelling:
            if spelling == player and game_number <= change.until:
                player = None if change.into is None else self.newest_spelling(change.into)
        return player


def _count_games(games: Iterable[SavedGame], player_names: _PlayerNames) -> list[PlayerStatistics]:
    games_and_wins: dict[str, tuple[int, int]] = {}
    for game in games:
        for name in game.names:
            player = player_names.counted_as(name, game.number)
            if player is not None and name not in _names_of_absentees(game):
                played, won = games_and_wins.get(player, (0, 0))
                games_and_wins[player] = played + 1, won + (name in game.winners)
    everybody = [PlayerStatistics(name, played, won) for name, (played, won) in games_and_wins.items()]
    return sorted(everybody, key=lambda player: (-player.wins, -player.games, player.name))


def _names_of_absentees(game: SavedGame) -> set[str]:
    """Returns the names of seats whose players were to come later, and never joined."""
    standings = game.result["standings"] if game.result is not None else ()
    return {standing["seat"] for standing in standings if not standing.get("joined", True)}


def _finished_games(store: Store) -> list[SavedGame]:
    return [game for game in store.all_saved_games() if game.state == "finished"]


def _counted_games(store: Store) -> list[SavedGame]:
    excluded = _load_excluded_games(store)
    return [game for game in _finished_games(store) if game.number not in excluded]


def _game_number(game: SavedGame) -> int:
    return game.number


def _newest_game_number(store: Store) -> int:
    return max((game.number for game in store.all_saved_games()), default=0)


def _load_name_changes(store: Store) -> list[MergedOrDeletedName]:
    changes: list[MergedOrDeletedName] = store.load_value(NAME_CHANGES_KEY, [], list[MergedOrDeletedName])
    return changes


def _add_name_change(store: Store, change: MergedOrDeletedName) -> None:
    store.save_value(NAME_CHANGES_KEY, msgspec.to_builtins([*_load_name_changes(store), change]))


def find_player_name(store: Store, name: str) -> str:
    """Returns the player with a name that people typed; raises `UnknownName`, which lists the names."""
    names = [player.name for player in statistics_of_all_players(store)]
    matches = find_by_name(name, {player: (player,) for player in names})
    if len(matches) != 1:
        if not names:
            raise UnknownName(say("No player called {name} has finished a game yet.", name=name))
        text = "No player called {name} has finished a game yet. Players: {names}."
        raise UnknownName(say(text, name=name, names=", ".join(matches or names)))
    return matches[0]
