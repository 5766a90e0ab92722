"""Any Game: bank, purses, rounds, auctions on demand and a score sheet beside any other game. 2 to 5 players.

What is on the table is a template: pieces, of which the first pays bids, and categories of points.
Pieces are moved by hand at any time and without a reason; nothing here says who may take what.

Rulings:
1. Each seat begins with what the template says; a bank without a limit never runs out.
2. The start player is whom the table chooses, at first nobody; with each round the marker passes to the left.
3. Sealed bids: 0 is no bid. With `wins = unique` the highest bid that nobody else made wins.
4. A tie that is only named is won by nobody; then only `pays = all` takes money.
5. Who pays for a bid pays the bank in the template's first piece, out of the purse that bids are limited to.
6. In an open auction a pass is not final.
7. Points may be entered below zero. In the end pieces count what the template says, points as entered.
8. Equal totals share a rank, or go by what `tie_rule` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.auctions import BEST, open_bids, payments, sealed_bids, sealed_round
from companion.cards import Deck, Design
from companion.cards.deck import NAME, spoken
from companion.errors import TableError
from companion.game import Game, Number, Pick
from companion.ledger import Account, Piece
from companion.requests import Amount, Choose
from companion.scores import Line, Result, ranked
from companion.seats import Seat
from companion.table import Table
from companion.words import Labelled, Say, listed, say

DECK = "any_game"
PLAIN = "plain"
"""What a piece is painted in that has no colour."""
PURSE, FRONT, BANK, TRACK, BOX = say("purse"), say("front"), say("bank"), say("round track"), say("box")
START = Piece("start player", say("start player"), mark=True)
ROUND = Piece("round", say("round"), endless=True, mark=True)
LOT = Piece("lot", say("lot"), endless=True, mark=True)
MOST_POINTS = 9_999


class Category:
    """Points of one kind: those gained and those lost, as no place holds less than nothing."""

    def __init__(self, table: Table, printed: Design) -> None:
        self.label = named(printed)
        gained = Piece(printed.id, self.label, endless=True, mark=True)
        lost = Piece(f"{printed.id} lost", say("{points} lost", points=self.label), endless=True, mark=True)
        self.gained, self.lost = table.each(gained, FRONT), table.each(lost, FRONT)
        self._table = table

    def add(self, seat: Seat, points: int) -> None:
        """Notes points gained, or lost where there are less than none."""
        account = (self.gained if points > 0 else self.lost)[seat]
        self._table.move(self._table.account(account.piece, BOX), account, abs(points))

    def of(self, seat: Seat) -> int:
        """The points of a seat."""
        return self.gained[seat].count - self.lost[seat].count


class Shelf:
    """What the template has laid on the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        designs = table.deck(DECK).designs
        self.pieces = {piece(one): one for one in designs if one.values["kind"] == "piece"}
        self.categories = [Category(table, one) for one in designs if one.values["kind"] == "category"]
        self.purses = {one: table.each(one, PURSE) for one in self.pieces}
        self.banks = {one: table.account(one, BANK) for one in self.pieces}
        for one, printed in self.pieces.items():
            table.lay(self.banks[one], int(printed.values["supply"]))
            for purse in self.purses[one].values():
                table.lay(purse, int(printed.values["start"]))
        self.money = next(iter(self.pieces))
        self.round, self.lot = table.account(ROUND, TRACK), table.account(LOT, TRACK)
        self.starts = table.each(START, FRONT)
        table.lay(table.account(START, BOX))

    @property
    def start(self) -> Seat | None:
        """The start player, if there is one."""
        return next((seat for seat in self.seats if self.starts[seat].count), None)

    def appoint(self, seat: Seat) -> None:
        """The marker goes to a seat, wherever it lies."""
        source = self.table.ledger.holding(START)
        if source is not self.starts[seat]:
            self.table.move(source, self.starts[seat])

    def mark(self, account: Account) -> None:
        """One more of what is only counted."""
        self.table.move(self.table.account(account.piece, BOX), account)

    def pay(self, seat: Seat, amount: int) -> None:
        """A bid is paid to the bank."""
        self.table.move(self.purses[self.money][seat], self.banks[self.money], amount)

    def worth(self, one: Piece, seat: Seat) -> int:
        """What a seat's pieces of one kind count."""
        return self.purses[one][seat].count * int(self.pieces[one].values["worth"])

    def total(self, seat: Seat) -> int:
        """Pieces and points."""
        return sum(self.worth(one, seat) for one in self.pieces) + sum(
            one.of(seat) for one in self.categories
        )


def piece(printed: Design) -> Piece:
    """A piece of the template; one whose bank has no limit may be owed."""
    values = {"look": "coin", "colour": PLAIN, **printed.values}  # logs of older games lack them
    return Piece(
        printed.id,
        named(printed),
        endless=not values["supply"],
        look=str(values["look"]),
        colour="" if values["colour"] == PLAIN else str(values["colour"]),
    )


def named(printed: Design) -> Say:
    """How people call it."""
    return spoken(str(printed.values.get(NAME, printed.id)))


async def evening(table: Table) -> Result:
    """Whatever the table wants, as often as it likes."""
    shelf = Shelf(table)
    table.so_far = lambda: standings(shelf)
    deeds = {
        "round": next_round,
        "start_player": choose_start,
        "sealed_bid": sealed_bid,
        "auction": auction,
        "points": points,
    }
    texts: dict[str, Labelled] = {
        "round": say("Next round"),
        "start_player": say("Start player"),
        "sealed_bid": say("Sealed bid"),
        "auction": say("Auction"),
        "points": say("Points"),
        "finish": say("Finish"),
    }
    if not shelf.categories:
        del texts["points"]
    while (choice := await Choose(None, say("What is next?"), texts)) != "finish":
        await deeds[choice](shelf)
    return table.so_far()


async def next_round(shelf: Shelf) -> None:
    """The round track goes on, and the start player marker passes to the left."""
    shelf.mark(shelf.round)
    shelf.table.heading = say("Round {round}", round=shelf.round.count)
    if shelf.start:
        shelf.appoint(shelf.seats.after(shelf.start)[0])
        shelf.table.tell(say("{seat} is the start player.", seat=shelf.start))


async def choose_start(shelf: Shelf) -> None:
    """The table says who has the marker."""
    seats: dict[str, Seat] = {str(seat.number): seat for seat in shelf.seats}
    shelf.appoint(seats[await Choose(None, say("Who is the start player?"), dict(seats))])


async def sealed_bid(shelf: Shelf) -> None:
    """Everybody bids in secret; the options say what wins, who pays and what a tie means."""
    table, options = shelf.table, shelf.table.options
    question = say("Your sealed bid in {unit}; 0 is no bid", unit=shelf.money)

    def tie(ahead: Sequence[Seat], bid: int) -> None:
        table.tell(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=listed(ahead)))

    most, purses = int(options["most"] or 0), shelf.purses[shelf.money]
    bids, ahead = await sealed_round(
        lambda seats: sealed_bids(say("Sealed bid"), question, seats, most, purses),
        BEST[str(options["wins"])],
        shelf.seats,
        tie if options["ties"] == "again" else None,
    )
    tell_winner(shelf, ahead, bids[ahead[0]] if ahead else 0)
    for seat, amount in payments(bids, ahead, str(options["pays"])).items():
        table.tell(say("{seat} pays {amount}.", seat=seat, amount=amount))
        shelf.pay(seat, amount)


def tell_winner(shelf: Shelf, ahead: Sequence[Seat], bid: int) -> None:
    """Who has won, who ties, or that nobody has bid."""
    if not ahead:
        shelf.table.tell(say("Nobody wins."))
    elif len(ahead) == 1:
        shelf.table.tell(say("{seat} wins with {bid}.", seat=ahead[0], bid=bid))
    else:
        text = "Tie at {bid}: {seats}. Nobody wins; your game decides."
        shelf.table.tell(say(text, bid=bid, seats=listed(ahead)))


async def auction(shelf: Shelf) -> None:
    """Bids in turn from the start player on; the winner pays the bank, as far as the purse goes."""
    table, first = shelf.table, shelf.start or shelf.seats[0]
    shelf.mark(shelf.lot)
    number = shelf.lot.count
    most = int(table.options["most"] or 0)
    about = Piece(f"lot {number}", say("lot {number}", number=number))
    winner, bid = await open_bids(shelf.seats.from_(first), about, most=most)
    if winner is None:
        table.tell(say("Nobody wins."))
        return
    purse = shelf.purses[shelf.money][winner]
    paid = min(bid, purse.count)
    table.tell(say("{seat} wins with {bid}.", seat=winner, bid=bid))
    if paid < bid:
        table.tell(say("{seat} can pay only {amount}.", seat=winner, amount=paid))
    shelf.pay(winner, paid)


async def points(shelf: Shelf) -> None:
    """Points of one category for everybody; they add to what was entered before."""
    categories = {str(at): one for at, one in enumerate(shelf.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    for seat in shelf.seats:
        question = say("Points for {category}", category=category.label)
        category.add(seat, await Amount(seat, question, -MOST_POINTS, MOST_POINTS))


def standings(shelf: Shelf) -> Result:
    """The highest total first; equals share or go by the tie rule."""
    rule = TIE_RULES[str(shelf.table.options["tie_rule"])]
    return ranked(
        shelf.seats,
        shelf.total,
        lambda seat: score_sheet(shelf, seat),
        by=lambda seat: (shelf.total(seat), rule(shelf, seat)),
    )


def first_in_turn(shelf: Shelf, seat: Seat) -> int:
    """Who sits nearest from the start player on comes first."""
    return -shelf.seats.from_(shelf.start or shelf.seats[0]).index(seat)


TIE_RULES: dict[str, Callable[[Shelf, Seat], int]] = {
    "shared": lambda _shelf, _seat: 0,
    "money": lambda shelf, seat: shelf.purses[shelf.money][seat].count,
    "turn_order": first_in_turn,
}


def score_sheet(shelf: Shelf, seat: Seat) -> tuple[Line, ...]:
    """What pieces and points count."""
    pieces = [Line(one.label, shelf.worth(one, seat)) for one in shelf.pieces]
    return (*pieces, *(Line(one.label, one.of(seat)) for one in shelf.categories))


def check_deck(deck: Deck) -> list[Say]:
    """Bids are made in a piece, so a template must have one."""
    if not any(one.values["kind"] == "piece" for one in deck.designs):
        raise TableError(say("card: there is no piece; bids are made in the first one."))
    return []


OPTIONS = (
    Pick("template", say("Template"), say("What lies on the table."), "plain",
         choices={"plain": say("coins and points"), "poker": say("poker-chip bank"),
                  "train": say("train game's bank"), "points": say("points sheet")}),
    Number("most", say("Highest bid"), say("No bid may be higher."), 999, least=1, most=99_999),
    Pick("wins", say("Winning bid"), say("Which sealed bid wins."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest"),
                  "unique": say("the highest nobody shares")}),
    Pick("ties", say("Ties"), say("What happens when the best bid was made more than once."), "named",
         choices={"named": say("only named"), "again": say("they bid again")}),
    Pick("pays", say("Who pays"), say("Who pays after a sealed bid."), "winner",
         choices={"winner": say("the winner"), "second": say("the winner, the second bid"),
                  "all": say("everybody"), "nobody": say("nobody")}),
    Pick("tie_rule", say("Equal totals"), say("Who is ranked first where totals are equal."), "shared",
         choices={"shared": say("they share the rank"), "money": say("more of the first piece"),
                  "turn_order": say("the first from the start player on")}),
)  # fmt: skip

GAME = Game(
    "any_game",
    1,
    say("Any Game"),
    (2, 5),
    evening,
    OPTIONS,
    (DECK,),
    check_deck=check_deck,
    free_moves=True,
    asks=("Choose", "Raise", "Amount", "Together"),
)
