"""Sealed bid: one sealed round on demand, as often as the table likes, beside any other game. 2 to 5 players.

Rulings:
1. 0 is no bid, also where the lowest bid wins; a round in which nobody bids is won by nobody.
2. A tie that is only named is won by nobody: the other game decides, and only `pays = all` takes money.
3. Where ties bid again, only those tied bid, as often as it takes; what is paid is each one's last bid.
4. Without purses payments are only noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.game import Game, Number, Pick, Word
from companion.ledger import Account, Piece
from companion.requests import Amount, Choose, Together
from companion.scores import Line, Result, ranked
from companion.seats import Seat
from companion.table import Setting, Table
from companion.words import Labelled, listed, say

PURSE, FRONT, BANK, TRACK = say("purse"), say("front"), say("bank"), say("round track")
WON = Piece("round won", say("round won"), endless=True, mark=True)
PAID = Piece("paid", say("paid"), endless=True, mark=True)
ROUND = Piece("round", say("round"), endless=True, mark=True)


class Purses:
    """What the seats hold, have paid and have won."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.unit = str(table.options["unit"])
        label = say("{unit}", unit=self.unit) if self.unit else say("coin")
        self.money = Piece("money", label, endless=True)
        self.purses = table.each(self.money, PURSE)
        self.won = table.each(WON, FRONT)
        self.paid = table.each(PAID, FRONT)
        self.round = table.account(ROUND, TRACK)
        start = table.options["start"]
        self.counted = isinstance(start, int)
        if isinstance(start, int):
            for purse in self.purses.values():
                table.lay(purse, start)

    def take(self, account: Account, count: int = 1) -> None:
        """Moves pieces from the bank."""
        self.table.move(self.table.account(account.piece, BANK), account, count)

    def pay(self, seat: Seat, amount: int) -> None:
        """Moves the money where there are purses, and notes it."""
        if self.counted:
            self.table.move(self.purses[seat], self.table.account(self.money, BANK), amount)
        self.take(self.paid[seat], amount)

    def sum(self, amount: int) -> Labelled | int:
        """An amount as people say it."""
        return say("{amount} {unit}", amount=amount, unit=self.unit) if self.unit else amount


def best(bids: Mapping[Seat, int], wins: Setting) -> list[Seat]:
    """Who made the best bid: nobody if nobody bid, several if they tie."""
    made = [bid for bid in bids.values() if bid > 0]
    if not made:
        return []
    winning = max(made) if wins == "highest" else min(made)
    return [seat for seat, bid in bids.items() if bid == winning]


def payments(bids: Mapping[Seat, int], ahead: Sequence[Seat], pays: Setting) -> dict[Seat, int]:
    """What is paid by whom after a round; only a lone winner pays as the winner."""
    paying = {"winner": ahead if len(ahead) == 1 else (), "all": bids, "nobody": ()}[str(pays)]
    return {seat: bids[seat] for seat in paying if bids[seat]}


async def rounds(table: Table) -> Result:
    """Sealed rounds until the table has enough."""
    purses = Purses(table)
    another = True
    while another:
        purses.take(purses.round)
        table.heading = say("Round {round}", round=purses.round.count)
        await sealed_round(purses)
        choices = {"again": say("Again"), "finish": say("Finish")}
        another = await Choose(None, say("Another round?"), dict(choices)) == "again"
    return ranked(table.seats, lambda seat: purses.won[seat].count, lambda seat: score_sheet(purses, seat))


async def sealed_round(purses: Purses) -> None:
    """Everybody bids at once; the best bid wins; then whoever the options say pays."""
    table, wins = purses.table, purses.table.options["wins"]
    bids = await sealed_bids(purses, table.seats)
    ahead = best(bids, wins)
    while len(ahead) > 1 and table.options["ties"] == "again":
        tie = purses.sum(bids[ahead[0]])
        table.tell(say("Tie at {bid}: {seats} bid again.", bid=tie, seats=listed(ahead)))
        again = await sealed_bids(purses, ahead)
        bids |= again
        ahead = best(again, wins)
    settle(purses, bids, ahead)


async def sealed_bids(purses: Purses, seats: Iterable[Seat]) -> dict[Seat, int]:
    """One sealed bid from each of these seats; where purses are counted, none above what is in it."""
    most = purses.table.options["most"]
    assert isinstance(most, int)
    question = say("Your sealed bid; 0 is no bid")
    if purses.unit:
        question = say("Your sealed bid in {unit}; 0 is no bid", unit=purses.unit)
    held = purses.purses if purses.counted else {}
    bids = {seat: Amount(seat, question, 0, most, held=held.get(seat)) for seat in seats}
    return await Together(say("Sealed bid"), dict(bids))


def settle(purses: Purses, bids: Mapping[Seat, int], ahead: Sequence[Seat]) -> None:
    """Names the winner or the tie, and takes the payments."""
    table = purses.table
    if not ahead:
        table.tell(say("No bid: nobody wins this round."))
    elif len(ahead) > 1:
        tie = purses.sum(bids[ahead[0]])
        table.tell(
            say("Tie at {bid}: {seats}. Nobody wins; your game decides.", bid=tie, seats=listed(ahead))
        )
    else:
        table.tell(say("{seat} wins with {bid}.", seat=ahead[0], bid=purses.sum(bids[ahead[0]])))
        purses.take(purses.won[ahead[0]])
    paid = payments(bids, ahead, table.options["pays"])
    if paid:
        sums = [say("{seat} {amount}", seat=seat, amount=purses.sum(paid[seat])) for seat in paid]
        table.tell(say("To pay: {payments}.", payments=listed(sums)))
    for seat, amount in paid.items():
        purses.pay(seat, amount)


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

GAME = Game("sealed_bid", 1, say("Sealed bid"), (2, 5), rounds, OPTIONS)
