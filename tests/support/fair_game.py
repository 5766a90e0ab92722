"""A fair: the smallest game that rolls dice and asks for several numbers at once."""

from companion.requests import CountedItem, Counts, Die, Roll
from companion.rules.game import Game
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say, say_n

OWN = Piece("own", say("own coins"), count_label=say_n("{n} own coin", "{n} own coins", n=2))
FOREIGN = Piece(
    "foreign", say("foreign coins"), count_label=say_n("{n} foreign coin", "{n} foreign coins", n=2)
)
PURSE, TILL = say("purse"), say("till")
DICE = (Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 5)))
PRICE, ROUNDS = 3, 9
FREE_THROW_MINIMUM = 50
"""A throw below this number costs coins."""


async def play(table: Table) -> GameResult:
    """Lets each seat throw nine times; a bad throw costs three coins of any kind, if the seat has them."""
    tills = {piece: table.account(piece, TILL) for piece in (OWN, FOREIGN)}
    purses = {piece: table.account_by_seat(piece, PURSE) for piece in tills}
    for seat in table.seats:
        table.supply_from_box(purses[OWN][seat], 4)
        table.supply_from_box(purses[FOREIGN][seat], 1)
    for seat in table.seats * ROUNDS:
        if sum(await Roll(seat, say("Throw at the cans"), DICE)) < FREE_THROW_MINIMUM:
            counted = {piece.key: CountedItem(piece, purses[piece][seat]) for piece in tills}
            paid = await Counts(
                seat, say("Pay for the throw"), counted, PRICE, PRICE, decline=say("can't pay")
            )
            for piece, till in tills.items():
                if paid and paid[piece.key]:
                    table.move(purses[piece][seat], till, paid[piece.key])
    return rank_seats(table.seats, lambda seat: purses[OWN][seat].count, lambda _: ())


FAIR_GAME = Game("fair", 1, say("Fair"), (1, 3), play)
