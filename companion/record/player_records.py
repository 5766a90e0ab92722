"""What the counted games say about players and games: win rates, head-to-head, bests, records, evenings.

Each function gets the games of `player_statistics.load_counted_games`, newest first, and reads nothing else.
A total is the best of several if the ranks say so: in most games the highest, in some the lowest. Where ranks
and totals don't go together there is no best total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import combinations, groupby
from typing import Literal

import msgspec

from companion.half_numbers import WholeOrHalf
from companion.record.dates import format_duration
from companion.record.player_statistics import CountedGame, PlayerResult
from companion.texts import Labelled, Say, join_names_with_commas, say, say_n

MAX_LAST_RESULTS = 10
"""The number of results that `PlayerSummary.last_results` holds."""
EVENING_ENDS_AT_HOUR = 5
"""A game that begins before this hour belongs to the evening of the day before."""
BestTotal = Literal["highest", "lowest"]


def find_best_total_rule(games: Iterable[CountedGame]) -> BestTotal | None:
    """Returns whether the highest or the lowest total is the best, by the ranks; None if neither is known."""
    is_higher_better = is_lower_better = False
    for game in games:
        remaining = [result for result in game.results if not result.is_eliminated]
        for one, other in combinations(remaining, 2):
            if one.rank != other.rank and one.total != other.total:
                is_same_order = (one.rank < other.rank) == (one.total > other.total)
                is_higher_better |= is_same_order
                is_lower_better |= not is_same_order
    if is_higher_better == is_lower_better:
        return None
    return "highest" if is_higher_better else "lowest"


def _best(totals: Iterable[WholeOrHalf], rule: BestTotal | None) -> WholeOrHalf | None:
    """Returns the best of some totals; None if there are none, or if no total is better than another."""
    numbers = list(totals)
    if not numbers or rule is None:
        return None
    return max(numbers) if rule == "highest" else min(numbers)


def _valid_totals(games: Iterable[CountedGame], name: str | None = None) -> Iterator[WholeOrHalf]:
    """Yields the totals of all players, or of one, who weren't eliminated."""
    for game in games:
        for result in game.results:
            if not result.is_eliminated and name in (None, result.name):
                yield result.total


# New bests, for the final score


def describe_new_bests(
    earlier_games: Sequence[CountedGame], title: Say, results: Sequence[PlayerResult]
) -> list[Say]:
    """Returns sentences about totals that are better than all earlier ones in games of this title.

    The best total of all is named first, then players who have never had a better one; who does the first
    isn't named again. A game in which all have one rank, alone or together, has no new bests.
    """
    comparable = [game for game in earlier_games if game.title == title]
    rule = find_best_total_rule([*comparable, CountedGame(0, title, tuple(results))])
    valid_results = [result for result in results if not result.is_eliminated]
    best_now = _best((result.total for result in valid_results), rule)
    have_all_one_rank = all(result.rank == results[0].rank for result in results)
    if not comparable or best_now is None or have_all_one_rank:
        return []

    def is_better(total: WholeOrHalf, earlier: WholeOrHalf | None) -> bool:
        return earlier is not None and (total > earlier if rule == "highest" else total < earlier)

    record_holders = [
        result.name
        for result in valid_results
        if result.total == best_now and is_better(best_now, _best(_valid_totals(comparable), rule))
    ]
    improved = [
        result.name
        for result in valid_results
        if result.name not in record_holders
        and is_better(result.total, _best(_valid_totals(comparable, result.name), rule))
    ]
    sentences = []
    if record_holders:
        text = "A new record in {game}: {total} by {names}"
        sentences.append(say(text, game=title, total=best_now, names=join_names_with_commas(record_holders)))
    if len(improved) == 1:
        sentences.append(say("{name}'s best score in {game}", name=improved[0], game=title))
    elif improved:
        sentences.append(
            say("Best scores in {game}: {names}", game=title, names=join_names_with_commas(improved))
        )
    return sentences


# One player


class TitleSummary(msgspec.Struct, frozen=True):
    """One player's games of one title: how many, how many won, the best and the average total.

    `results` are all results, oldest first. `best` is None if no total is better than another.
    """

    title: Say
    games: int
    wins: int
    best: WholeOrHalf | None
    average: float
    results: tuple[PlayerResult, ...]

    @property
    def text(self) -> Say:
        """The best and the average total."""
        average = f"{self.average:.1f}"
        if self.best is None:
            return say("average {average}", average=average)
        return say("best {best}, average {average}", best=self.best, average=average)


class HeadToHead(msgspec.Struct, frozen=True):
    """How often a player finished ahead of another, and behind.

    Games in which both have one rank don't count: they were a team, or tied.
    """

    name: str
    ahead: int
    behind: int

    @property
    def text(self) -> Say:
        """How often the player was ahead of the other, and behind."""
        return say("ahead {ahead}, behind {behind}", ahead=self.ahead, behind=self.behind)


class PlayerSummary(msgspec.Struct, frozen=True):
    """One player's games: all, by title, and against each other player who played them.

    `last_results` are the newest results, oldest first.
    """

    name: str
    games: int
    wins: int
    by_title: tuple[TitleSummary, ...]
    opponents: tuple[HeadToHead, ...]
    last_results: tuple[PlayerResult, ...]

    @property
    def win_percent(self) -> int:
        """The share of games won, in percent."""
        return win_percent(self.games, self.wins)


def win_percent(games: int, wins: int) -> int:
    """Returns the share of games won, in percent; 0 without games."""
    return round(100 * wins / games) if games else 0


def summarize_player(games: Sequence[CountedGame], name: str) -> PlayerSummary:
    """Returns the summary of one player's games; titles and opponents with most games come first."""
    own_games = [game for game in games if game.result_of(name) is not None]
    results = [result for game in own_games if (result := game.result_of(name)) is not None]
    titles = list(dict.fromkeys(game.title for game in own_games))
    by_title = [_summarize_title([game for game in games if game.title == title], name) for title in titles]
    return PlayerSummary(
        name,
        len(results),
        sum(result.is_winner for result in results),
        tuple(sorted(by_title, key=lambda summary: -summary.games)),
        tuple(_compare_with_opponents(own_games, name)),
        tuple(reversed(results[:MAX_LAST_RESULTS])),
    )


def _summarize_title(games: Sequence[CountedGame], name: str) -> TitleSummary:
    results = [result for game in games if (result := game.result_of(name)) is not None]
    totals = [result.total for result in results]
    return TitleSummary(
        games[0].title,
        len(results),
        sum(result.is_winner for result in results),
        _best(_valid_totals(games, name), find_best_total_rule(games)),
        float(sum(totals)) / len(totals),
        tuple(reversed(results)),
    )


def _compare_with_opponents(games: Sequence[CountedGame], name: str) -> list[HeadToHead]:
    counts: dict[str, tuple[int, int]] = {}
    for game in games:
        own = game.result_of(name)
        if own is None or all(result.is_eliminated for result in game.results):
            continue  # all have lost together
        for other in game.results:
            if other.rank != own.rank:
                ahead, behind = counts.get(other.name, (0, 0))
                counts[other.name] = ahead + (own.rank < other.rank), behind + (own.rank > other.rank)
    compared = [HeadToHead(other, ahead, behind) for other, (ahead, behind) in counts.items()]
    return sorted(compared, key=lambda pair: (-pair.ahead - pair.behind, pair.name))


# Records of a game


class TotalRecord(msgspec.Struct, frozen=True):
    """A record of a game, such as the best total: its value, the players who hold it, and the game."""

    value: WholeOrHalf
    names: tuple[str, ...]
    game_number: int


class TimeRecord(msgspec.Struct, frozen=True):
    """The longest game of a title."""

    seconds: float
    game_number: int


class RecordRow(msgspec.Struct, frozen=True):
    """A record for a table of them: what it is, its value, and the players who hold it, if it is theirs."""

    label: Say
    value: str
    names: tuple[str, ...] = ()


class TitleRecords(msgspec.Struct, frozen=True):
    """The records of one title: best total, biggest margin of a winner, and longest game; None if unknown."""

    title: Say
    games: int
    best: TotalRecord | None
    margin: TotalRecord | None
    longest: TimeRecord | None
    best_rule: BestTotal | None

    @property
    def games_text(self) -> Say:
        """How many games of this title count."""
        return say_n("{n} game", "{n} games", n=self.games)

    @property
    def entries(self) -> Iterator[RecordRow]:
        """Yields each known record for a table."""
        if self.best is not None:
            label = say("Lowest score") if self.best_rule == "lowest" else say("Highest score")
            yield RecordRow(label, str(self.best.value), self.best.names)
        if self.margin is not None:
            yield RecordRow(say("Biggest margin"), str(self.margin.value), self.margin.names)
        if self.longest is not None:
            yield RecordRow(say("Longest game"), format_duration(self.longest.seconds))

    @property
    def sentences(self) -> Iterator[Say]:
        """Yields each known record as a sentence."""
        if self.best is not None:
            yield say(
                "Lowest score: {value} by {names} (game {number})"
                if self.best_rule == "lowest"
                else "Highest score: {value} by {names} (game {number})",
                **_record_values(self.best),
            )
        if self.margin is not None:
            yield say("Biggest margin: {value} by {names} (game {number})", **_record_values(self.margin))
        if self.longest is not None:
            time, number = format_duration(self.longest.seconds), self.longest.game_number
            yield say("Longest game: {time} (game {number})", time=time, number=number)


def _record_values(record: TotalRecord) -> dict[str, Labelled | int | str]:
    return {
        "value": record.value,
        "names": join_names_with_commas(record.names),
        "number": record.game_number,
    }


def find_title_records(games: Sequence[CountedGame]) -> list[TitleRecords]:
    """Returns the records of each title, the most played first.

    Whoever reached a value first holds the record.
    """
    titles = list(dict.fromkeys(game.title for game in games))
    records = [_find_records([game for game in games if game.title == title]) for title in titles]
    return sorted(records, key=lambda each: -each.games)


def _find_records(games: Sequence[CountedGame]) -> TitleRecords:
    oldest_first = games[::-1]
    rule = find_best_total_rule(games)
    best_total = _best(_valid_totals(games), rule)
    best = next(
        (
            TotalRecord(best_total, names, game.number)
            for game in oldest_first
            if best_total is not None
            and (names := _names_with(game, lambda result: result.total == best_total))
        ),
        None,
    )
    margins = [margin for game in oldest_first if (margin := _winning_margin(game)) is not None]
    biggest_margin = _best((margin.value for margin in margins), "highest")
    timed = [
        TimeRecord(game.played_seconds, game.number) for game in oldest_first if game.played_seconds >= 1
    ]
    return TitleRecords(
        games[0].title,
        len(games),
        best,
        next((margin for margin in margins if rule is not None and margin.value == biggest_margin), None),
        max(timed, key=lambda each: each.seconds, default=None),
        rule,
    )


def _names_with(game: CountedGame, has: Callable[[PlayerResult], bool]) -> tuple[str, ...]:
    return tuple(result.name for result in game.results if not result.is_eliminated and has(result))


def _winning_margin(game: CountedGame) -> TotalRecord | None:
    """Returns by how much the winners were ahead of the next; None if nobody else finished the game."""
    winners = [result for result in game.results if result.is_winner]
    others = [result for result in game.results if not result.is_winner and not result.is_eliminated]
    if not winners or not others:
        return None
    next_rank = min(result.rank for result in others)
    next_total = next(result.total for result in others if result.rank == next_rank)
    difference = winners[0].total - next_total
    margin = difference if difference > 0 else -difference
    return TotalRecord(margin, tuple(result.name for result in winners), game.number) if margin else None


# Evenings


class GamesOfOneEvening(msgspec.Struct, frozen=True):
    """The games of one evening, newest first; `date` is None if it isn't known."""

    date: str | None
    games: tuple[CountedGame, ...]

    @property
    def wins_by_name(self) -> dict[str, int]:
        """How many games each winner has won that evening, most wins first."""
        wins: dict[str, int] = {}
        for game in self.games:
            for result in game.results:
                if result.is_winner:
                    wins[result.name] = wins.get(result.name, 0) + 1
        return dict(sorted(wins.items(), key=lambda pair: -pair[1]))

    @property
    def winners_text(self) -> Say:
        """Who won how many games, such as `Aki 2, Ben 1`; several winners of one game all count."""
        return join_names_with_commas([f"{name} {wins}" for name, wins in self.wins_by_name.items()])

    @property
    def games_text(self) -> Say:
        """How many games were played."""
        return say_n("{n} game", "{n} games", n=len(self.games))


def group_by_evening(games: Sequence[CountedGame]) -> list[GamesOfOneEvening]:
    """Returns the evenings, newest first: games of one evening are next to each other and have one date."""
    return [GamesOfOneEvening(date, tuple(evening)) for date, evening in groupby(games, key=_date_of_evening)]


def _date_of_evening(game: CountedGame) -> str | None:
    """Returns the date on which a game's evening began; a date entered by hand comes first."""
    dates = game.play_dates
    if dates.entered_date:
        return dates.entered_date
    unix_time = dates.began if dates.began is not None else dates.ended
    if unix_time is None:
        return None
    local_time = datetime.fromtimestamp(unix_time).astimezone() - timedelta(hours=EVENING_ENDS_AT_HOUR)
    return f"{local_time:%Y-%m-%d}"
