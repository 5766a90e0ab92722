"""A game for tests of sessions: Aki may buy as long as the purse has coins."""

from companion.requests import Choose
from companion.rules.game import Game
from companion.table.ledger import Piece
from companion.table.scores import GameResult, ScoreLine, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import say, say_n

COIN, PURSE, BANK = (
    Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
    say("purse"),
    say("bank"),
)


async def play_shop(table: Table) -> GameResult:
    """Asks Aki nine times whether to buy for a coin; an empty purse removes that option."""
    purses, bank = table.account_by_seat(COIN, PURSE), table.account(COIN, BANK)
    for purse in purses.values():
        table.supply_from_box(purse, 2)

    def lines(seat: Seat) -> tuple[ScoreLine, ...]:
        return (ScoreLine(say("coins"), purses[seat].count),)

    table.score_so_far = lambda: rank_seats(table.seats, lambda seat: purses[seat].count, lines)

    for turn in range(9):
        options = {"buy": say("buy")} if purses[table.seats[0]].count else {}
        if await Choose(table.seats[0], say("Turn {n}", n=turn), options | {"pass": say("pass")}) == "buy":
            table.move(purses[table.seats[0]], bank)
    return table.score_so_far()


SHOP_GAME = Game("shop", 1, say("Shop"), (2, 3), play_shop)
