"""Evenings with each template of rounds, to their end; a sum of our own agrees with the sheets.

The evening of tricks under contract is played on every front end, and its acts are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from companion.games.any_game.rulebook import GAME
from companion.jsonlines import JsonSession
from companion.session.session import Session
from companion.testing import Script
from hardware.desk.answers import submit_device_answer
from hardware.signals import NumbersAnswer
from tests.any_game_presets import deck_of
from tests.support.terminal_sessions import play_lines

FIVE = ("Aki", "Ben", "Chie", "Dai", "Emi")
NOWHERE = Path("/nonexistent")
LATER = 9.0
"""Seconds after a question appeared: it has been read."""


def evening(template: str, *names: str) -> Script:
    """People with a template that comes along."""
    return Script(GAME, *names, decks={"any_game": deck_of(template, NOWHERE)})


def totals(script: Script) -> dict[str, float]:
    """What stands on the sheets."""
    return {one["seat"]: one["total"] for one in script.result_json["standings"]}


def ranks(script: Script) -> dict[str, int]:
    """Who is where."""
    return {one["seat"]: one["rank"] for one in script.result_json["standings"]}


def in_order(books: Counter[str], *, lowest: bool = False) -> dict[str, int]:
    """The ranks of our own books, equals together."""
    sign = -1 if lowest else 1
    return {
        name: 1 + sum(sign * other > sign * mine for other in books.values()) for name, mine in books.items()
    }


def row(numbers: Sequence[int]) -> str:
    """A round as the table says it."""
    return "table: " + ", ".join(map(str, numbers))


# Points by rounds, and the fewest points


def test_an_evening_of_points() -> None:
    """Twelve rounds, below zero too, and a bonus at the end."""
    script, chance, books = evening("points", *FIVE), Random(12), Counter(dict.fromkeys(FIVE, 0))
    for _ in range(12):
        numbers = [chance.randint(-20, 60) for _ in FIVE]
        script.says("table: write_round", row(numbers))
        books.update(dict(zip(FIVE, numbers, strict=True)))
    script.says("table: points", row([5, 0, 10, 0, 5]), "table: finish")
    books.update({"Aki": 5, "Chie": 10, "Emi": 5})
    assert totals(script) == dict(books)
    assert ranks(script) == in_order(books)


def test_an_evening_in_which_the_fewest_win() -> None:
    """Rounds until somebody has a hundred; the deal has gone round until then, and a slip was amended."""
    script, chance, books = evening("lowest", *FIVE), Random(100), Counter(dict.fromkeys(FIVE, 0))
    rounds = 0
    while max(books.values()) < 100:
        numbers = [chance.randint(0, 26) for _ in FIVE]
        script.says("table: write_round", row(numbers))
        books.update(dict(zip(FIVE, numbers, strict=True)))
        rounds += 1
    assert script[f"{FIVE[(rounds - 1) % 5]}/front", "dealer"] == 1
    first = script.session.rulebook_run.answered_questions[1]
    slip = first.answer[script.session.table.seats[2]]
    script.says(f"amend {first.question_number}: Chie 1", "table: finish")
    books["Chie"] += 1 - slip
    assert totals(script) == dict(books)
    assert ranks(script) == in_order(books, lowest=True)


# Tricks under contract

Bids = list[tuple[int, int]]
"""What each bid and made in a round."""


def contract() -> list[Bids]:
    """Ten rounds of five people: in round n there are n tricks, and each of them is somebody's."""
    chance, evening = Random(10), []
    for tricks in range(1, 11):
        made = Counter(chance.randrange(5) for _ in range(tricks))
        evening.append([(max(0, made[at] + chance.choice((0, 0, 0, 1, -1))), made[at]) for at in range(5)])
    return evening


def by_script(script: Script, evening: Sequence[Bids]) -> Iterator[int]:
    """As a test says it: an act to open the round, and one with all of it."""
    for bids in evening:
        yield len([script.says("table: write_round"), script.says(_said(bids))])


def _said(bids: Bids) -> str:
    return "table: " + "; ".join(f"bid {bid}, made {made}" for bid, made in bids)


def by_terminal(script: Script, evening: Sequence[Bids]) -> Iterator[int]:
    """As people type it: two lines a round."""
    for bids in evening:
        lines = "1", " ".join(f"{bid}/{made}" for bid, made in bids)
        assert "\n! " not in play_lines(script.session, *lines), "a line was refused"
        yield len(lines)


def by_json(script: Script, evening: Sequence[Bids]) -> Iterator[int]:
    """As a program says it: two messages a round."""
    wire = JsonSession(script.session)
    for bids in evening:
        given = {str(at): {"bid": bid, "made": made} for at, (bid, made) in enumerate(bids, 1)}
        for answer in ("write_round", given):
            reply = wire.reply(1, json.dumps({"n": script.question_number, "answer": answer}).encode())
            assert "error" not in reply, reply
        yield 2


def by_keypads(script: Script, evening: Sequence[Bids]) -> Iterator[int]:
    """As keypads say it: somebody opens the round, and each enters their own; the last one sends it."""
    session = script.session
    for bids in evening:
        seats = session.table.seats
        assert submit_device_answer(session, seats[0], _typed(session, 1), 0.0) is None
        for seat, both in zip(seats, bids, strict=True):
            assert submit_device_answer(session, seat, _typed(session, *both), 0.0) is None
        yield 1 + len(bids)


def _typed(session: Session, *numbers: int) -> NumbersAnswer:
    return NumbersAnswer("pad", session.question_number, numbers, LATER, 1)


Play = Callable[[Script, Sequence[Bids]], Iterator[int]]


@pytest.mark.parametrize(("play", "acts"), [(by_script, 2), (by_terminal, 2), (by_json, 2), (by_keypads, 6)])
def test_an_evening_of_tricks_under_contract(play: Play, acts: int) -> None:
    """Five people, ten rounds: one act opens a round and one sends it, or each keypad its own."""
    script, played = evening("contract", *FIVE), contract()
    assert set(play(script, played)) == {acts}
    assert script.question_log_key == "Choose: Finish now?"
    script.says("table: finish")
    books = Counter[str]()
    for bids in played:
        for name, (bid, made) in zip(FIVE, bids, strict=True):
            books[name] += 20 + 10 * made if bid == made else -10 * abs(bid - made)
    assert totals(script) == dict(books)
    assert ranks(script) == in_order(books)


# A sheet for five dice


def test_an_evening_with_a_sheet() -> None:
    """Three people fill all thirteen boxes; the upper six give a bonus from 63 on."""
    names = FIVE[:3]
    script, books, upper = evening("sheet", *names), Counter[str](), Counter[str]()
    written = {
        "ones": (3, 2, 4), "twos": (6, 6, 8), "threes": (9, 9, 6), "fours": (12, 8, 12),
        "fives": (15, 15, 10), "sixes": (18, 12, 24), "three": (22, 0, 17), "four": (0, 24, 0),
        "house": (25, 0, 25),
        "short": (30, 30, 0), "long": (0, 40, 0), "five": (0, 0, 50), "any": (21, 19, 24),
    }  # fmt: skip  # a sheet
    script.says("table: start_player", "table: Aki", "table: turns")
    for box, points in written.items():
        for name, number in zip(names, points, strict=True):
            script.says(f"{name}: {box}", f"{name} {number}")
            books[name] += number
            upper[name] += number if box in list(written)[:6] else 0
    books.update({name: 35 for name, number in upper.items() if number >= 63})
    assert [upper[name] for name in names] == [63, 52, 64]
    script.says("table: finish")
    assert totals(script) == dict(books)
    assert ranks(script) == in_order(books)


# Area majority


def test_an_evening_of_area_majority() -> None:
    """Four areas are counted in each of three rounds; ties share; goals and what is left over come last."""
    names, chance, books = FIVE[:4], Random(4), Counter[str]()
    script = evening("majority", *names)
    for _ in range(3):
        script.says("table: points")
        for area in ("north", "east", "south", "west"):
            cubes = [chance.randint(0, 4) for _ in names]
            script.says(f"table: {area}", row(cubes))
            for name, many in zip(names, cubes, strict=True):
                ahead, tied = sum(other > many for other in cubes), cubes.count(many)
                books[name] += sum(([6, 3, 1] + [0] * 9)[ahead : ahead + tied]) // tied if many else 0
        script.says("table: done", "table: round")
    script.says(
        "table: go_on", "table: points", "table: goals", row([4, 0, 8, 2]), "table: left", row([1, 2, 0, 3])
    )
    books.update(dict(zip(names, (5, 2, 8, 5), strict=True)))
    script.says("table: done", "table: finish")
    assert totals(script) == dict(books)
    assert ranks(script) == in_order(books)


# All together


@pytest.mark.parametrize("luck", [1, 2, 3, 4])
def test_an_evening_all_together(luck: int) -> None:
    """Quest and danger go on by dice until one is at its end: all have won, or all have lost."""
    script, chance, quest, danger = evening("coop", *FIVE), Random(luck), 0, 0
    while quest < 12 and danger < 8:
        die = chance.randint(1, 6)
        script.says("table: chance", "table: dice", f"table: {die}")
        track, steps = ("quest", 2) if die > 2 else ("danger", die)
        quest, danger = (quest + steps, danger) if track == "quest" else (quest, danger + steps)
        script.says("table: track", f"table: {track} {steps:+}")
    script.says("table: finish")
    won = quest >= 12
    assert script.result_json["winners"] == (list(FIVE) if won else [])
    assert set(ranks(script).values()) == {1}


# A knock-out tournament


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_an_evening_of_matches(count: int) -> None:
    """Every match has a loser, so there is one less than people; whoever was never beaten is first."""
    names, chance = FIVE[:count], Random(count)
    script = evening("tournament", *names).says("table: chance", "table: order", "roll")
    beaten: list[str] = []
    won = Counter(dict.fromkeys(names, 0))
    while script.question_log_key == "Choose: What is next?":
        script.says("table: match")
        one, other = script.open_question_limits["options"].values()
        winner, loser = (one, other) if chance.random() < 0.5 else (other, one)
        script.says(f"table: {winner}")
        won[winner] += 1
        beaten.append(loser)
    assert len(beaten) == count - 1
    script.says("table: finish")
    (champion,) = set(names) - set(beaten)
    assert script.result_json["winners"] == [champion]
    assert totals(script) == dict(won)
    assert ranks(script)[champion] == 1
    assert ranks(script)[beaten[-1]] == 2
