"""Evenings with Any Game's shipped templates for points and tracks, with the figures of a known game.

Each test names the game and the page that its figures come from. The arithmetic beside the script is its own:
it knows no code of the templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest

from companion.half_numbers import WholeOrHalf, halves_of
from companion.testing import Script
from tests.support.games.any_game_helpers import (
    begin_with_shipped_template,
    question_text,
    rank_and_total_by_player,
)

FOUR = ("Aki", "Ben", "Chie", "Dai")


def totals(script: Script) -> dict[str, WholeOrHalf]:
    """Everybody's total now, before the game is finished."""
    score_so_far = script.session.table.score_so_far
    assert score_so_far is not None
    return {standing.seat.name: standing.total for standing in score_so_far().standings}


def enter_points(script: Script, line: str, *names: str) -> None:
    """Enters the points of a round, written like `12 -3 10 5`."""
    numbers = zip(names, line.split(), strict=True)
    script.says("table: write_round", *[f"{name} {number}" for name, number in numbers])


# Half points: chess


def test_a_round_robin_of_four_with_draws() -> None:
    """Chess: a win is 1, a draw ½ for each; of four players' six games every total is exact."""
    script, books = begin_with_shipped_template("chess", *FOUR), Counter[str]()
    for line in ("½ ½ 1 0", "1 ½ 0 ½", "0 1 ½ ½"):
        enter_points(script, line, *FOUR)
        for name, points in zip(FOUR, line.split(), strict=True):
            books[name] += {"0": 0, "½": 1, "1": 2}[points]
    assert {name: halves_of(total) for name, total in totals(script).items()} == dict(books)
    assert rank_and_total_by_player(script) == {
        "Ben": (1, 2),
        "Aki": (2, 1.5),
        "Chie": (2, 1.5),
        "Dai": (4, 1),
    }


# Tricks with bonus points: Skull King


def skull_king_points(round_number: int, bid: int, made: int, bonus: int) -> int:
    """The score of one player, as the rulebook of Skull King counts it (Grandpa Beck's Games)."""
    if bid == 0:
        return 10 * round_number + bonus if made == 0 else -10 * round_number
    return 20 * bid + bonus if made == bid else -10 * abs(made - bid)


def test_ten_rounds_of_tricks_with_bonus_points() -> None:
    """Skull King: ten rounds with one more trick each, bids of 0 by the round, bonuses only for bids made."""
    script, books, chance = begin_with_shipped_template("tricks", *FOUR), Counter[str](), Random(1717)
    for round_number in range(1, 11):
        winners = Counter(chance.choice(FOUR) for _trick in range(round_number))
        bids = {name: max(0, winners[name] + chance.choice((-1, 0, 0, 0, 1))) for name in FOUR}
        bids = {name: min(bid, round_number) for name, bid in bids.items()}
        bonus = {name: chance.choice((0, 0, 10, 20, 30)) for name in FOUR}
        script.says("table: write_round", *[f"{name} {bids[name]}" for name in FOUR])
        script.says(*[f"{name} made {winners[name]}, bonus {bonus[name]}" for name in FOUR])
        for name in FOUR:
            books[name] += skull_king_points(round_number, bids[name], winners[name], bonus[name])
    assert question_text(script) == "All rounds have been played. Finish the game?"
    assert totals(script) == dict(books)


def test_a_round_of_skull_king_from_its_rules() -> None:
    """In round 7 a bid of 0 made is 70, two tricks of two are 40, and four tricks of three lose 10."""
    script = begin_with_shipped_template("tricks")
    for round_number in range(1, 7):
        script.says("table: write_round", "Aki 0", "Ben 0", f"Chie {round_number}")
        script.says("Aki made 0, bonus 0", "Ben made 0, bonus 0", f"Chie made {round_number}, bonus 0")
    before = totals(script)
    assert before == {"Aki": 210, "Ben": 210, "Chie": 420}
    script.says("table: write_round", "Aki 0", "Ben 2", "Chie 3")
    script.says("Aki made 0, bonus 0", "Ben made 2, bonus 0", "Chie made 4, bonus 20")
    assert question_text(script).startswith("The tricks add up to 6, but this round has 7.")
    script.says("table: keep")
    assert totals(script) == {"Aki": 280, "Ben": 250, "Chie": 410}


# Tricks for two teams: Spades


def spades_points(bids: tuple[int, int], made: tuple[int, int]) -> tuple[int, int]:
    """Points and new bags of one team, as MSN Spades counts them (Zone.com, Learn to Play: Scoring)."""
    points, bags, bid, tricks = 0, 0, sum(bids), 0
    for one, won in zip(bids, made, strict=True):
        if one:
            tricks += won
        else:
            points += 100 if not won else -100
            bags += won
    if bid:
        points += 10 * bid + tricks - bid if tricks >= bid else -10 * bid
        bags += max(0, tricks - bid)
    return points, bags


def test_spades_points_of_our_own() -> None:
    """The worked examples of MSN (60, -60, 61, -120 with a bag) and of Dummies (72, 81 and 90)."""
    assert [spades_points((3, 3), made) for made in ((3, 3), (3, 2), (4, 3))] == [(60, 0), (-60, 0), (61, 1)]
    assert spades_points((0, 2), (1, 1)) == (-120, 1)
    assert [spades_points((bid, 0 + 1), (8, 1))[0] for bid in (6, 7, 8)] == [72, 81, 90]


def test_an_evening_of_tricks_for_two_teams() -> None:
    """Spades: hands until a team has 500; bids, bags and nils agree, and so does the end."""
    script, chance = begin_with_shipped_template("partners", *FOUR), Random(13)
    books, bags = [0, 0], [0, 0]
    while max(books) < 500:
        made = Counter(chance.choices(range(4), k=13))
        bids = [max(0, made[seat] - chance.choice((0, 0, 1, 1, 2, -1))) for seat in range(4)]
        script.says("table: write_round", *[f"{name} {bid}" for name, bid in zip(FOUR, bids, strict=True)])
        script.says(*[f"{name} {made[seat]}" for seat, name in enumerate(FOUR)])
        for team in (0, 1):
            points, new_bags = spades_points((bids[team], bids[team + 2]), (made[team], made[team + 2]))
            bags[team] += new_bags
            books[team] += points - 100 * (bags[team] // 10)
            bags[team] %= 10
        assert totals(script) == {name: books[seat % 2] for seat, name in enumerate(FOUR)}
    assert question_text(script).startswith("Target of 500 points reached: ")
    assert [script[f"{name}/front", "overtrick bag"] for name in FOUR[:2]] == bags


# Rummy: pool rummy to 101


def test_an_evening_of_rummy() -> None:
    """Pool Rummy 101: drops cost 20 and 40, a full hand 80; whoever has 101 is out, and a guest joins level.

    Junglee Rummy: a player with 80 and 40 has 120 points and is out. RummyCircle: drops cost 20 or 40.
    """
    script = begin_with_shipped_template("rummy", *FOUR).says("table: 4", "table: done")
    enter_points(script, "80 0 20", "Aki", "Ben", "Chie")
    script.says("table: join")
    assert script.last_notes == ["Dai joins in round 2.", "Dai begins with 80 points."]
    enter_points(script, "40 20 0 7", *FOUR)
    assert totals(script) == {"Aki": 120, "Ben": 20, "Chie": 20, "Dai": 87}
    assert question_text(script) == "Target of 101 points reached: Aki. Finish the game?"
    script.says("table: go_on", "table: out", "table: Aki")
    enter_points(script, "0 40 80", "Ben", "Chie", "Dai")
    script.says("table: go_on", "table: out", "table: Dai")
    enter_points(script, "64 0", "Ben", "Chie")
    assert rank_and_total_by_player(script) == {
        "Chie": (1, 20 + 40),
        "Ben": (2, 20 + 64),
        "Dai": (3, 87 + 80),
        "Aki": (4, 120),
    }


# A race to 121: cribbage


def cribbage_points(hand: str, starter: str) -> int:
    """The points of four cards and the starter: fifteens, pairs, runs, a flush and his nob."""
    cards = [*hand.split(), starter]
    ranks = sorted("A23456789TJQK".index(card[0]) + 1 for card in cards)
    points = sum(
        2
        for size in range(2, 6)
        for group in combinations(ranks, size)
        if sum(min(rank, 10) for rank in group) == 15
    )
    points += 2 * sum(one == other for one, other in combinations(ranks, 2))
    for size in (5, 4, 3):
        runs = [one for one in combinations(ranks, size) if list(one) == [*range(one[0], one[0] + size)]]
        if runs:
            points += size * len(runs)
            break
    suits = [card[1] for card in cards]
    points += (5 if suits[4] == suits[0] else 4) if len({*suits[:4]}) == 1 else 0
    return points + any(card[0] == "J" and card[1] == suits[4] for card in cards[:4])


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5C 5D 5S JH", "5H", 29),  # the highest hand of all
        ("5C 5D 5S TH", "5H", 28),
        (
            "TC QD 5S 5H",
            "2C",
            10,
        ),  # two tenth cards and two fives: fifteen eight (Britannica, 11th ed.), and a pair
        ("3C 4D 5S 3H", "9C", 8 + 4),  # two runs of three, a pair, 3 + 3 + 9 and 3 + 3 + 4 + 5
        ("2H 4H 6H 8H", "KD", 4),
    ],
)
def test_cribbage_points_of_our_own(hand: str, starter: str, points: int) -> None:
    """Hands whose points everybody knows."""
    assert cribbage_points(hand, starter) == points


def test_a_race_to_121_points() -> None:
    """Cribbage: play, hand and crib are pegged in turn, and whoever has 121 first has won."""
    script, chance = begin_with_shipped_template("race", "Aki", "Ben"), Random(1642)
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    books, names, deal = Counter(dict.fromkeys(("Aki", "Ben"), 0)), ("Aki", "Ben"), 0

    def peg(name: str, points: int) -> None:
        books[name] += points
        script.says("table: points", *[f"{one} {points if one == name else 0}" for one in names])

    while not any(points >= 121 for points in books.values()):
        dealer, other = names[deal % 2], names[(deal + 1) % 2]
        cards = chance.sample(deck, 13)
        starter, hands = cards[12], [" ".join(cards[start : start + 4]) for start in (0, 4, 8)]
        for name, points in (
            (other, chance.randint(0, 4)),
            (dealer, chance.randint(1, 5)),
            (other, cribbage_points(hands[0], starter)),
            (dealer, cribbage_points(hands[1], starter)),
            (dealer, cribbage_points(hands[2], starter)),
        ):
            if books[name] < 121 and books[names[name == "Aki"]] < 121:
                peg(name, points)
        deal += 1
        if not any(points >= 121 for points in books.values()):
            script.says("table: round")
    assert question_text(script).startswith("Target of 121 points reached: ")
    assert totals(script) == dict(books)
    assert deal > 5


# Mahjong


def test_sixteen_hands_of_mahjong() -> None:
    """Competition rules (MCR): all pay 8, the discarder the hand as well; after a drawn tile all pay both.

    The winner enters 0, and the companion works out the rest. After 16 hands the four totals add up to 0.
    """
    script, chance, books = begin_with_shipped_template("mahjong", *FOUR), Random(88), Counter[str]()
    for hand in range(1, 17):
        winner, discarder = chance.sample(FOUR, 2)
        fan, is_drawn = chance.choice((8, 9, 12, 24, 88)), chance.random() < 0.3
        loss = {name: 8 + (fan if is_drawn or name == discarder else 0) for name in FOUR if name != winner}
        enter_points(script, " ".join(str(-loss.get(name, 0)) for name in FOUR), *FOUR)
        points = sum(loss.values())
        assert question_text(script) == f"Round {hand}, points: the points add up to {-points}, not to 0."
        script.says(f"table: {points} for {winner}")
        books[winner] += 3 * (8 + fan) if is_drawn else 3 * 8 + fan
        books.subtract(loss)
    assert question_text(script) == "All rounds have been played. Finish the game?"
    assert totals(script) == {name: books[name] for name in FOUR}
    assert sum(books.values()) == 0


# Areas with three prizes: El Grande


def el_grande_points(pieces: list[int], prizes: tuple[int, int, int]) -> list[int]:
    """The points of a region; all players who tie slide down one place (El Grande, Rio Grande's rules)."""
    points, place = [0] * len(pieces), 0
    for count in sorted({*pieces} - {0}, reverse=True):
        tied = [index for index, one in enumerate(pieces) if one == count]
        place += len(tied) > 1
        for index in tied:
            points[index] = (*prizes, 0, 0, 0, 0)[place]
        place += 1
    return points


def test_ties_in_areas_are_those_of_the_rules() -> None:
    """El Grande's two examples: 5/3/1 with 4, 4, 4, 3 pieces, and 6/4/2 with 4, 3, 2, 2 pieces."""
    script = begin_with_shipped_template("areas", *FOUR).says("table: points")
    script.says("table: coast", *[f"{name} {n}" for name, n in zip(FOUR, (4, 4, 4, 3), strict=True)])
    assert list(totals(script).values()) == [3, 3, 3, 1]
    script.says("table: east", *[f"{name} {n}" for name, n in zip(FOUR, (4, 3, 2, 2), strict=True)])
    by_seat = totals(script)
    assert [by_seat[name] for name in FOUR] == [3 + 6, 3 + 4, 3, 1]


def test_three_scorings_of_ten_areas() -> None:
    """El Grande: after rounds 3, 6 and 9 the tower and nine regions score; the king gives 2 points more."""
    script, chance, books = begin_with_shipped_template("areas", *FOUR), Random(1492), [0] * 4
    prizes = dict.fromkeys(("north", "south", "coast", "hills", "border", "tower"), (5, 3, 1))
    prizes |= dict.fromkeys(("east", "west", "middle", "valley"), (6, 4, 2))
    for round_number in range(1, 10):
        if round_number % 3 == 0:
            script.says("table: points")
            for area, three in prizes.items():
                pieces = [chance.randint(0, 5) for _ in FOUR]
                script.says(f"table: {area}", *[f"{name} {n}" for name, n in zip(FOUR, pieces, strict=True)])
                books = [a + b for a, b in zip(books, el_grande_points(pieces, three), strict=True)]
            king = chance.randrange(4)
            books[king] += 2
            script.says("table: bonus", *[f"{name} {2 * (seat == king)}" for seat, name in enumerate(FOUR)])
            script.says("table: done")
        script.says("table: round")
    assert question_text(script) == "All rounds have been played. Finish the game?"
    assert totals(script) == dict(zip(FOUR, books, strict=True))


# All together on three tracks: Pandemic


def infect(script: Script, cubes: Iterable[tuple[str, int]]) -> None:
    """Puts cubes of these colours from the bank on the map."""
    for colour, count in cubes:
        script.session.correct("bank", "map", colour, count, "infection")


def test_a_win_on_three_tracks() -> None:
    """Pandemic begins with 3 × 3 + 3 × 2 + 3 × 1 cubes on the map; the fourth cure wins for everybody."""
    script = begin_with_shipped_template("tracks", *FOUR)
    start = (
        ("yellow", 3),
        ("red", 3),
        ("red", 3),
        ("blue", 2),
        ("blue", 2),
        ("black", 2),
        *[("black", 1)] * 3,
    )
    infect(script, start)
    on_map = {colour: script["map", colour] for colour in ("yellow", "red", "blue", "black")}
    assert (on_map, sum(on_map.values())) == ({"yellow": 3, "red": 6, "blue": 4, "black": 5}, 18)
    assert [script["bank", colour] for colour in on_map] == [21, 18, 20, 19]
    script.says("table: track", "table: spread +1", "table: track", "table: outbreaks +1")
    assert script.last_notes == ["outbreaks: step 1 of 8."]
    for cure in range(4):
        script.says("table: track", "table: cures +1")
        assert (question_text(script) == "What is next?") == (cure < 3)
    script.says("table: finish")
    assert {one["rank"] for one in script.result_json["standings"]} == {1}


def test_a_loss_on_three_tracks() -> None:
    """With the eighth outbreak all lose, also with three cures."""
    script = begin_with_shipped_template("tracks").says("table: track", "table: cures +3")
    script.says(*["table: track", "table: outbreaks +3"] * 2)
    assert question_text(script) == "What is next?"
    script.says("table: track", "table: outbreaks +3")
    assert question_text(script) == "The track “outbreaks” has reached its end. Finish the game?"
