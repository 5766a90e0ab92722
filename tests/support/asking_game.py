"""A game that asks the questions that a test gives it, one after the other, whatever the answers are."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.requests import Request
from companion.rules.game import Game, RulebookCoroutine
from companion.table.ledger import Piece, Place
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say

COIN = Piece("coin", say("coins"))
PURSE = say("purse")
MakeQuestion = Callable[[Table], Request[Any]]


def asking_game(*questions: MakeQuestion, covered_coins: Sequence[int] = ()) -> Game:
    """Returns a game with these questions. Each seat has as many covered coins as `covered_coins` says."""

    async def ask_all(table: Table) -> GameResult:
        for seat, count in zip(table.seats, covered_coins, strict=False):
            purse = table.ledger.open_account(Place(PURSE, seat), COIN, covered=True)
            table.supply_from_box(purse, count)
        for make_question in questions:
            await make_question(table)
        return rank_seats(table.seats, lambda seat: 0, lambda _: ())

    def play(table: Table) -> RulebookCoroutine:
        return ask_all(table)

    return Game("asking", 1, say("Asking"), (1, 12), play)
