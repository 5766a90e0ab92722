"""What the counted games say: bests, head-to-head, records and evenings, from games made up here."""

from __future__ import annotations

import pytest

from companion.half_numbers import WholeOrHalf, number_from_float
from companion.log.log import PlayDates
from companion.record.player_records import (
    GamesOfOneEvening,
    describe_new_bests,
    find_best_total_rule,
    find_title_records,
    group_by_evening,
    summarize_player,
    win_percent,
)
from companion.record.player_statistics import CountedGame, PlayerResult
from companion.texts import render, say

EGYPT, GOLF = say("Egypt"), say("Golf")


def results(totals: str, *, lowest: bool = False) -> tuple[PlayerResult, ...]:
    """The results of `Aki 7 Ben 5½ Chie 3x`; an x is an elimination, and then nobody of them has won."""
    words = totals.split()
    numbers: dict[str, tuple[WholeOrHalf, bool]] = {}
    for name, number in zip(words[::2], words[1::2], strict=True):
        digits = number.removesuffix("x").replace("½", ".5")
        numbers[name] = number_from_float(float(digits)), number.endswith("x")

    def rank(name: str) -> int:
        key = {
            each: (is_out, (1 if lowest else -1) * float(total)) for each, (total, is_out) in numbers.items()
        }
        return 1 + sum(other < key[name] for other in key.values())

    found = [
        PlayerResult(name, rank(name), total, rank(name) == 1 and not is_out, is_out)
        for name, (total, is_out) in numbers.items()
    ]
    return tuple(sorted(found, key=lambda result: result.rank))


def games(*totals: str) -> list[CountedGame]:
    """Games of Egypt, given oldest first, returned newest first as the store does."""
    return [CountedGame(number, EGYPT, results(text)) for number, text in enumerate(totals, 1)][::-1]


@pytest.mark.parametrize(
    ("totals", "rule"),
    [("Aki 7 Ben 5", "highest"), ("Aki 5 Ben 5", None), ("Aki 5 Ben 7x", None), ("Aki 5", None)],
)
def test_in_most_games_the_highest_total_is_the_best(totals: str, rule: str | None) -> None:
    """The ranks say so; a tie says nothing, and those who are out are not compared."""
    assert find_best_total_rule(games(totals)) == rule


def test_where_few_points_win_the_lowest_total_is_the_best() -> None:
    """In games whose ranks and totals go both ways no total is better than another."""
    golf = CountedGame(1, GOLF, results("Aki 60 Ben 72", lowest=True))
    assert find_best_total_rule([golf]) == "lowest"
    assert find_best_total_rule([golf, *games("Aki 7 Ben 5")]) is None
    assert summarize_player([golf], "Ben").by_title[0].best == 72


@pytest.mark.parametrize(
    ("earlier", "now", "sentences"),
    [
        ([], "Aki 9 Ben 3", []),
        (["Aki 7 Ben 5"], "Aki 9 Ben 3", ["A new record in Egypt: 9 by Aki"]),
        (["Aki 7 Ben 5"], "Aki 7 Ben 3", []),
        (["Chie 20 Aki 7"], "Aki 9 Ben 3", ["Aki's best score in Egypt"]),
        (["Chie 20 Aki 7 Ben 5"], "Aki 9 Ben 6½", ["Best scores in Egypt: Aki, Ben"]),
        (
            ["Chie 20 Aki 7 Ben 5"],
            "Aki 30 Ben 6",
            ["A new record in Egypt: 30 by Aki", "Ben's best score in Egypt"],
        ),
        (["Aki 7 Ben 5"], "Aki 9x Ben 9x", []),
        (["Aki 7 Ben 5"], "Aki 9 Ben 9 Chie 3", ["A new record in Egypt: 9 by Aki, Ben"]),
        (["Aki 7 Ben 5"], "Aki 9 Ben 9", []),
        (["Aki 7 Ben 5"], "Aki 9", []),
    ],
)
def test_a_total_that_was_never_reached_is_named(earlier: list[str], now: str, sentences: list[str]) -> None:
    """The record of all comes first; a first game, an equal total and a lost game are no best."""
    assert [render(each) for each in describe_new_bests(games(*earlier), EGYPT, results(now))] == sentences
    assert describe_new_bests(games(*earlier), GOLF, results(now)) == []


def test_one_player_is_summed_up() -> None:
    """Win rate, best and average per title, everybody they met, and the last results, oldest first."""
    played = games("Aki 7 Ben 5", "Aki 3 Ben 6½ Chie 1", "Aki 4x Ben 4x", "Aki 5 Ben 5")
    aki = summarize_player(played, "Aki")
    assert (aki.games, aki.wins, aki.win_percent) == (4, 2, 50)
    assert [(pair.name, pair.ahead, pair.behind) for pair in aki.opponents] == [("Ben", 1, 1), ("Chie", 1, 0)]
    (egypt,) = aki.by_title
    assert (egypt.games, egypt.wins, egypt.best, egypt.average) == (4, 2, 7, 4.75)
    assert [result.total for result in egypt.results] == [7, 3, 4, 5]
    assert render(egypt.text) == "best 7, average 4.8"
    assert render(aki.opponents[0].text) == "ahead 1, behind 1"
    assert [result.is_winner for result in aki.last_results] == [True, False, False, True]
    many = summarize_player(games(*["Aki 7 Ben 5"] * 12), "Ben")
    assert len(many.last_results) == 10
    assert win_percent(0, 0) == many.win_percent == 0


def test_partners_are_not_compared() -> None:
    """A team has one rank: its members are never ahead of each other."""
    team = CountedGame(1, EGYPT, results("Aki 9 Chie 9 Ben 4 Dai 4"))
    assert [pair.name for pair in summarize_player([team], "Aki").opponents] == ["Ben", "Dai"]


def test_the_records_of_a_title() -> None:
    """The best total, the biggest margin and the longest game; whoever was first holds a record."""
    timed = CountedGame(4, EGYPT, results("Aki 7 Ben 6"), played_seconds=3700.0)
    records = find_title_records([timed, *games("Aki 7 Ben 5", "Ben 7 Aki 2½ Chie 7x", "Aki 3x Ben 3x")])
    (egypt,) = records
    assert egypt.games == 4
    assert egypt.best is not None
    assert (egypt.best.value, egypt.best.names, egypt.best.game_number) == (7, ("Aki",), 1)
    assert egypt.margin is not None
    assert (str(egypt.margin.value), egypt.margin.names, egypt.margin.game_number) == ("4½", ("Ben",), 2)
    assert egypt.longest is not None
    assert (egypt.longest.seconds, egypt.longest.game_number) == (3700.0, 4)
    assert [render(sentence) for sentence in egypt.sentences] == [
        "Highest score: 7 by Aki (game 1)",
        "Biggest margin: 4½ by Ben (game 2)",
        "Longest game: 1:01:40 (game 4)",
    ]
    assert [(render(entry.label), entry.value, entry.names) for entry in egypt.entries] == [
        ("Highest score", "7", ("Aki",)),
        ("Biggest margin", "4½", ("Ben",)),
        ("Longest game", "1:01:40", ()),
    ]
    (lost,) = find_title_records(games("Aki 3x Ben 3x"))
    assert (lost.best, lost.margin, lost.longest) == (None, None, None)


def test_games_of_one_evening_are_together() -> None:
    """An evening goes on after midnight; a date by hand counts, and unknown dates have no evening."""
    noon = 1795348800.0  # 2026-11-22 or a neighbour, in any time zone
    hours = (6, 11, 13, 30)
    played = [
        CountedGame(number, EGYPT, results("Aki 2 Ben 1"), PlayDates(noon + hour * 3600))
        for number, hour in enumerate(hours, 1)
    ]
    by_hand = CountedGame(5, EGYPT, results("Aki 2 Ben 1"), PlayDates(noon, noon, "2026-12-24"))
    undated = CountedGame(6, EGYPT, results("Ben 2 Aki 1"))
    evenings = group_by_evening([undated, by_hand, *played[::-1]])
    assert [len(evening.games) for evening in evenings[:2]] == [1, 1]
    assert [evening.date for evening in evenings[:2]] == [None, "2026-12-24"]
    assert sum(len(evening.games) for evening in evenings) == 6
    assert 2 <= len(evenings[2:]) <= 3
    assert GamesOfOneEvening(None, (undated, *played)).wins_by_name == {"Aki": 4, "Ben": 1}
