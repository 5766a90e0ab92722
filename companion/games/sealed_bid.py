"""Sealed bid: one sealed round on demand, as often as the table likes, beside any other game. 2 to 5 players.

Rulings:
1. 0 is no bid, also where the lowest bid wins; a round in which nobody bids is won by nobody.
2. A tie that is only named is won by nobody: the other game's rules decide, and only `pays = all` takes money.
3. Where ties bid again, only those tied bid, as often as it takes; each one's last bid is the one that is paid.
4. Without purses payments are only noted.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.game import Game, Number, Pick, Play, Word
from companion.ledger import Account, Piece
from companion.requests import Amount, Choose, Together
from companion.scores import Line, Result, ranked
from companion.seats import Seat
from companion.table import Table
from companion.words import Say, say

PURSE, FRONT, BANK, TRACK = say("purse"), say("front"), say("bank"), say("round track")
WON = Piece("round won", say("round won"), endless=True, mark=True)
PAID = Piece("paid", say("paid"), endless=True, mark=True)
ROUND = Piece("round", say("round"), endless=True, mark=True)


class Purses:
    """What the seats hold, have paid and have won."""

    def __init__(self, table: Table) -> None:
        self.table = table
        unit = str(table.options["unit"])
        self.money = Piece("money", say("{unit}", unit=unit) if unit else say("coin"))
        self.purses = table.each(self.money, PURSE)
        self.won = table.each(WON, FRONT)
        self.paid = table.each(PAID, FRONT)
        self.round = table.account(ROUND, TRACK)
        start = table.options["start"]
        self.counted = isinstance(start, int)
        if isinstance(start, int):
            for purse in self.purses.values():
                table.lay(purse, start)

    def at_bank(self, piece: Piece) -> Account:
        """The bank's account of a piece."""
        return self.table.account(piece, BANK)

    def pay(self, seat: Seat, amount: int) -> None:
        """Moves the money where there are purses, and notes it."""
        if self.counted:
            self.table.move(self.purses[seat], self.at_bank(self.money), amount)
        self.table.move(self.at_bank(PAID), self.paid[seat], amount)


def best(bids: dict[Seat, int], wins: str) -> list[Seat]:
    """Who made the best bid: nobody if nobody bid, several if they tie."""
    made = [bid for bid in bids.values() if bid > 0]
    if not made:
        return []
    winning = max(made) if wins == "highest" else min(made)
    return [seat for seat, bid in bids.items() if bid == winning]


async def rounds(table: Table) -> Result:
    """Sealed rounds until the table has enough."""
    purses = Purses(table)
    while True:
        table.move(purses.at_bank(ROUND), purses.round)
        table.heading = say("Round {round}", round=purses.round.count)
        await sealed_round(purses)
        if (
            await Choose(None, say("Another round?"), {"again": say("Again"), "finish": say("Finish")})
            == "finish"
        ):
            return ranked(
                table.seats,
                lambda seat: purses.won[seat].count,
                lambda seat: score_sheet(purses, seat),
            )


async def sealed_round(purses: Purses) -> None:
    """Everybody bids at once; the best bid wins; then whoever the options say pays."""
    table = purses.table
    bids = await sealed_bids(purses, table.seats)
    ahead = best(bids, str(table.options["wins"]))
    while len(ahead) > 1 and table.options["ties"] == "again":
        table.tell(say("{seats} tie at {bid} and bid again.", seats=listed(ahead), bid=bids[ahead[0]]))
        again = await sealed_bids(purses, ahead)
        bids |= again
        ahead = best(again, str(table.options["wins"]))
    settle(purses, bids, ahead)


async def sealed_bids(purses: Purses, seats: Iterable[Seat]) -> dict[Seat, int]:
    """One sealed bid from each of these seats."""
    most = purses.table.options["most"]
    assert isinstance(most, int)
    return await Together(
        say("Sealed bid"),
        {
            seat: Amount(
                seat,
                say("Your sealed bid"),
                0,
                most,
                held=purses.purses[seat] if purses.counted else None,
            )
            for seat in seats
        },
    )


def settle(purses: Purses, bids: dict[Seat, int], ahead: list[Seat]) -> None:
    """Names the winner or the tie, and takes the payments."""
    table, pays = purses.table, purses.table.options["pays"]
    if not ahead:
        table.tell(say("Nobody wins this round."))
    elif len(ahead) > 1:
        table.tell(say("{seats} tie at {bid}.", seats=listed(ahead), bid=bids[ahead[0]]))
    else:
        table.tell(say("{seat} wins with {bid}.", seat=ahead[0], bid=bids[ahead[0]]))
        table.move(purses.at_bank(WON), purses.won[ahead[0]])
    for seat, bid in bids.items():
        if pays == "all" or (pays == "winner" and ahead == [seat]):
            purses.pay(seat, bid)


def listed(seats: list[Seat]) -> Say:
    """Names with an "and"."""
    text = say("{seat}", seat=seats[0])
    for seat in seats[1:]:
        text = say("{one} and {other}", one=text, other=seat)
    return text


def score_sheet(purses: Purses, seat: Seat) -> tuple[Line, ...]:
    """Rounds won, and what was paid in all."""
    return Line(say("rounds won"), purses.won[seat].count), Line(say("paid"), purses.paid[seat].count)


OPTIONS = (
    Word("unit", say("Unit"), say("What the bids are counted in, such as $ or gold."), "", letters=8),
    Number("start", say("Purse"), say("What each seat begins with; none: payments are only noted."), None,
           least=0, most=99_999),
    Number("most", say("Highest bid"), say("No bid may be higher."), 999, least=1, most=99_999),
    Pick("wins", say("Winning bid"), say("Which bid wins the round."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest")}),
    Pick("ties", say("Ties"), say("What happens when the best bid was made more than once."), "named",
         choices={"named": say("only named"), "again": say("they bid again")}),
    Pick("pays", say("Who pays"), say("Who pays their bid after the round."), "winner",
         choices={"winner": say("the winner"), "all": say("everybody"), "nobody": say("nobody")}),
)  # fmt: skip


def play(table: Table) -> Play:
    """All rounds."""
    return rounds(table)


GAME = Game("sealed_bid", 1, say("Sealed bid"), (2, 5), play, OPTIONS)
