"""Battles of two by brute force, beside sums of another make.

All wagers of 0 to 6 coins, own and foreign, with all subsets of reactions, in any order; in a soak every one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.cards import shipped_deck
from companion.games.mammon.board import Board
from companion.games.mammon.rulebook import eliminate_and_list_survivors, fight_battle
from companion.requests import Amount, Choose, Request, Together
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage

SAMPLE, SHARES = 1_200, 4
MOST_COINS, FOREIGN = 6, 2
STRENGTHS = ((2, 2), (3, 1), (6, 6))
HAND = 5
SEATS = make_seats(["Aki", "Ben"])


class Fighter(NamedTuple):
    """What one of the two brings: strength, the coins bet, and the spies and retreats played."""

    strength: int
    own: int
    foreign: int
    spies: int
    retreats: int


class Duel(NamedTuple):
    """A battle of two, the first of whom calls it."""

    scale: int
    fighters: tuple[Fighter, Fighter]


class Outcome(NamedTuple):
    """What somebody has after it: strength, own and foreign coins, cards, and whether they are out."""

    strength: int
    own: int
    foreign: int
    cards: int
    out: bool


@cache
def every_duel() -> list[Duel]:
    """Every one: 4 scales, 3 pairs of strengths, 18 ways to bet for each, 36 ways to react."""
    return list(duels())


def duels() -> Iterator[Duel]:
    """One after the other; only resolve calls a battle above the own strength."""
    bets = [(coins - foreign, foreign) for coins in range(7) for foreign in range(min(coins, FOREIGN) + 1)]
    shared = [(mine, yours) for mine in range(3) for yours in range(3 - mine)]
    for scale, strengths in product((1, 2, 3, 5), STRENGTHS):
        if scale == 5 or scale <= strengths[0]:
            for one, other, spies, retreats in product(bets, bets, shared, shared):
                aki = Fighter(strengths[0], *one, spies[0], retreats[0])
                yield Duel(scale, (aki, Fighter(strengths[1], *other, spies[1], retreats[1])))


def expected(duel: Duel) -> list[Outcome]:
    """The rules once more: who bets the best value above 0 pays, who doesn't loses, unless they retreat."""
    counted = [fighter.own + fighter.foreign * 2 + fighter.spies * 3 for fighter in duel.fighters]
    outcomes = []
    for fighter, mine, yours in zip(duel.fighters, counted, reversed(counted), strict=True):
        own, foreign, strength = MOST_COINS, FOREIGN, fighter.strength
        if mine and mine >= yours:
            own, foreign = own - fighter.own, foreign - fighter.foreign
        elif fighter.retreats == 0:
            strength = strength - duel.scale if strength > duel.scale else 0
        cards = HAND - fighter.spies - fighter.retreats
        outcomes.append(Outcome(strength, own, foreign, cards, out=False) if strength else FALLEN)
    return outcomes


FALLEN = Outcome(0, 0, 0, 0, out=True)


def fought(duel: Duel, rng: Random) -> list[Outcome]:
    """Fights the battle by the rulebook, with the reactions in some order."""
    board = Board(Table(SEATS, {}, {"mammon": shipped_deck("mammon")}, lambda _: None))
    by_seat = dict(zip(SEATS, duel.fighters, strict=True))
    for seat, other in zip(SEATS, reversed(SEATS), strict=True):
        lay(board, seat, other, by_seat[seat].strength)
    held = {seat: ["spy"] * by_seat[seat].spies + ["retreat"] * by_seat[seat].retreats for seat in SEATS}
    for cards in held.values():
        rng.shuffle(cards)
    play = fight_battle(board, SEATS[0], duel.scale)
    question = play.send(None)
    while question is not None:
        answer = answered(question, by_seat, held, rng)
        question.check_answer(answer)
        try:
            question = play.send(answer)
        except StopIteration:
            break
    assert not any(held.values()), "everybody could play all cards"
    eliminate_and_list_survivors(board)
    return [outcome(board, seat, other) for seat, other in zip(SEATS, reversed(SEATS), strict=True)]


def lay(board: Board, seat: Seat, other: Seat, strength: int) -> None:
    """Six own and two foreign coins, some strength and five cards; the rest is at the bank."""
    board.table.move(board.own_coin_account(seat), board.strength[seat], strength)
    board.table.move(board.own_coin_account(seat), board.treasury[other][seat], FOREIGN)
    board.table.move(
        board.own_coin_account(seat), board.bank[seat], board.own_coin_account(seat).count - MOST_COINS
    )
    for slot in board.filled_market_slots[:HAND]:
        board.table.move(board.market[slot], board.hands[seat])


def answered(
    question: Request[Any], by_seat: dict[Seat, Fighter], held: dict[Seat, list[str]], rng: Random
) -> Any:
    """What these two answer; who has a card to play may wait as long as the other still has one too."""
    if isinstance(question, Together):
        return {
            seat: by_seat[seat].own
            if isinstance(part, Amount)
            else {"own": by_seat[seat].own, "foreign": by_seat[seat].foreign}
            for seat, part in question.parts_by_seat.items()
        }
    assert isinstance(question, Choose)
    assert question.seat is not None
    mine = held[question.seat]
    waits = all(held.values()) and rng.random() < 0.3
    return mine.pop() if mine and not (waits and question.seat == SEATS[0]) else "pass"


def outcome(board: Board, seat: Seat, other: Seat) -> Outcome:
    """What somebody has now."""
    return Outcome(
        board.strength[seat].count,
        board.own_coin_account(seat).count,
        board.treasury[seat][other].count,
        board.hands[seat].count,
        bool(board.eliminated[seat].count),
    )


@pytest.mark.sweep(2)
@pytest.mark.parametrize("share", range(SHARES))
def test_battles_of_two(share: int) -> None:
    """All wagers 0–6 with all subsets of reactions end as the rules say."""
    rng = Random(share)
    wanted = every_duel()[share::SHARES]
    for duel in wanted if SOAK else rng.sample(wanted, SAMPLE // SHARES):
        assert fought(duel, rng) == expected(duel), duel
