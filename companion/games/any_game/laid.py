"""What a template lays on the table of Any Game: pieces, purses, a bank, categories of points, and markers.

It asks nobody anything but which side is meant; what people want is told by `any_game`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

from companion.games.any_game.companies import Company
from companion.games.any_game.points import FRONT, Bonus, Category
from companion.games.any_game.printed import DECK, kind_of, named, number, rules_of, word
from companion.games.any_game.teams import called, keepers
from companion.games.any_game.terms import notes_of, terms_of
from companion.games.any_game.tracks import TableTrack
from companion.rulebook import (
    BOX,
    NO_PURSES,
    Account,
    Choose,
    Deck,
    Design,
    Labelled,
    MoneyAtPlace,
    Piece,
    Place,
    Request,
    Say,
    Seat,
    Table,
    money_at,
    say,
    say_n,
)

COUNTED = {
    "coin": say_n("{n} coin", "{n} coins", n=2),
    "house": say_n("{n} house", "{n} houses", n=2),
    "white chip": say_n("{n} white chip", "{n} white chips", n=2),
    "red chip": say_n("{n} red chip", "{n} red chips", n=2),
    "blue chip": say_n("{n} blue chip", "{n} blue chips", n=2),
    "chip": say_n("{n} chip", "{n} chips", n=2),
    "cube": say_n("{n} cube", "{n} cubes", n=2),
    "gem": say_n("{n} gem", "{n} gems", n=2),
}
"""How a count of a piece is said whose name templates share; of any other name nobody knows the plural."""
PLAIN = "plain"
"""What a piece is painted in that has no colour."""
NO_AUCTION, BOTH = "none", "both"
PURSE, BANK, TRACK = say("purse"), say("bank"), say("round track")
START = Piece("start player", say("start player"), is_marker=True)
DEALER = Piece("dealer", say("dealer"), is_marker=True)
OUT = Piece("out", say("out"), is_endless=True, is_marker=True)
"""1 lies before the first who left the game for good, 2 before the second."""
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))
LOT = Piece("lot", say("lot"), is_endless=True, is_marker=True, count_label=say_n("{n} lot", "{n} lots", n=2))
BID = Piece("bid", say("bid"), is_endless=True, is_marker=True, count_label=say("bid {n}", n=2))
WON = Piece(
    "match won",
    say("match won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} match won", "{n} matches won", n=2),
)
STAGE = Piece("stage", say("stage"), is_endless=True, is_marker=True)
SEED = Piece("place in the draw", say("place in the draw"), is_endless=True, is_marker=True)
LOTS = say("lots won")
NO_LOT = Piece("no lot", LOTS, is_endless=True, is_marker=True)
"""Never lies anywhere: it opens the places where lots come to lie."""
LOAN = Piece("loan", say("loan"), is_endless=True, count_label=say("loan of {n}", n=2))
"""What is owed to the bank lies as so many of these before a seat."""


def has_lots(deck: Deck) -> bool:
    """Whether lots are sold that are no shares, so that the table shows who has won which.

    Where the template says nothing of auctions there are sealed bids for other things than shares.
    """
    terms = terms_of(deck)
    are_numbered = terms.auction != NO_AUCTION and terms.lots == "numbered"
    return bool(kind_of(deck, "piece")) and (are_numbered or terms.auction == BOTH)


class Raising(NamedTuple):
    """A way to money for whoever can't pay: what it is called, whether a seat has it, and what is done."""

    label: Say
    there: Callable[[Laid, Seat], bool]
    do: Callable[[Laid, Seat], Coroutine[Request[Any], Any, None]]


class Laid:
    """What the template has laid on the table; `raising` is what the rulebook offers whoever can't pay."""

    def __init__(self, table: Table, raising: Mapping[str, Raising] | None = None) -> None:
        self.table, self.raising = table, raising or {}
        self.seats = table.seats
        deck = table.deck(DECK)
        self.rules, self.terms = rules_of(deck), terms_of(deck)
        self.keeper = table.keeper_of = keepers(self.seats, self.rules.teams)
        table.seats_in_game = lambda: self.playing
        self.pieces = pieces_of(deck)
        self.categories = [Category(table, one, self.keeper) for one in kind_of(deck, "category")]
        self.purses = {one: self._purses(one) for one in self.pieces}
        self.banks = {one: table.account(one, BANK) for one in self.pieces}
        for one, printed in self.pieces.items():
            table.supply(self.banks[one], number(printed, "supply"))
            for held in self.purses[one].values():
                table.supply(held, number(printed, "start"))
        self.bank, self.places = Place(BANK), [Place(named(one)) for one in kind_of(deck, "place")]
        self.companies = [self._company(one, deck) for one in kind_of(deck, "company")]
        for place in self.places:
            for one in self.pieces:
                table.ledger.account(place, one, debt=0)
        self.loans = table.account_per_seat(LOAN, FRONT) if self.terms.loans else {}
        self.round, self.lot = table.account(ROUND, TRACK), self._lots(deck)
        marker = DEALER if self.rules.deal == "left" else START
        self.starts = table.account_per_seat(marker, FRONT)
        table.supply(table.account(marker, BOX))
        self.outs = table.account_per_seat(OUT, FRONT) if self.rules.out else {}
        self.bonuses = [Bonus(one) for one in kind_of(deck, "bonus")]
        self.tracks = [TableTrack(table, one) for one in kind_of(deck, "track")]
        self.bids = table.account_per_seat(BID, FRONT) if self.rules.scoring == "contract" else {}
        self.wins, self.stages, self.seeds = (
            table.account_per_seat(mark, FRONT) if self.rules.scoring == "knockout" else {}
            for mark in (WON, STAGE, SEED)
        )

    @cached_property
    def named_lots(self) -> Iterator[int]:
        """Numbers of the lots that have a name and are sold by sealed bid; others have none."""
        return count(1)

    @property
    def by_rounds(self) -> bool:
        """Whether the points of a round are written down in one go, and the round goes on by itself."""
        return self.rules.scoring in ("rounds", "contract")

    @property
    def slot(self) -> int | None:
        """Which round it is, at whose place points lie; None where rounds don't count."""
        if not self.rules.knows_rounds:
            return None
        return self.round.count + self.by_rounds or None

    def _lots(self, deck: Deck) -> Account:
        """How many lots were sold; before each seat there is a place for those it wins."""
        if has_lots(deck):
            self.table.account_per_seat(NO_LOT, LOTS)
        return self.table.account(LOT, TRACK)

    def _purses(self, one: Piece) -> dict[Seat, Account]:
        """Where a piece lies before each seat; money perhaps covered, perhaps owed."""
        terms, ledger = self.terms, self.table.ledger
        if terms.covered and one.money_value:
            return {seat: self.table.covered_account(one, PURSE, kept) for seat, kept in self.keeper.items()}
        smallest = min((each for each in self.pieces if each.money_value), key=lambda each: each.money_value)
        debt = terms.debts // one.money_value if one is smallest and terms.debts else None
        return {
            seat: ledger.account(Place(PURSE, kept), one, debt=debt) for seat, kept in self.keeper.items()
        }

    def _company(self, printed: Design, deck: Deck) -> Company:
        """A company, with what lies in its treasury."""
        found = Company(self.table, printed, deck.board["prices"], BANK, PURSE)
        for at, one in enumerate(self.pieces):
            account = self.table.ledger.account(found.treasury, one, debt=0)
            self.table.supply(account, 0 if at else number(printed, "treasury"))
        return found

    @cached_property
    def funds(self) -> Mapping[Seat, MoneyAtPlace]:
        """All money of each seat."""
        return {seat: self.fund(Place(PURSE, kept)) for seat, kept in self.keeper.items()}

    def fund(self, place: Place) -> MoneyAtPlace:
        """All money that lies there: from the beginning there is an account for every note."""
        if place not in self._known:  # every payment asks for two of them
            self._known[place] = money_at(self.table.ledger, place)
        return self._known[place]

    @cached_property
    def _known(self) -> dict[Place, MoneyAtPlace]:
        return {}

    def purse(self, seat: Seat) -> MoneyAtPlace:
        """All money of a seat."""
        return self.funds[seat]

    @property
    def money(self) -> Piece:
        """The first piece that is money, in which bids are made; ask only where there are `pieces`."""
        return next(one for one in self.pieces if one.money_value)

    @property
    def most(self) -> int | None:
        """The table's own limit of every bid."""
        most = self.table.options["most"]
        return most if isinstance(most, int) else None

    @property
    def paid_from(self) -> Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]:
        """The purses that pay bids; none where nobody pays."""
        if self.table.options["pays"] == "nobody":
            return NO_PURSES
        if [one.money_value for one in self.pieces if one.money_value] != [1] or self.terms.debts:
            return self.funds
        return self.purses[self.money]

    @property
    def start(self) -> Seat | None:
        """Who begins, if that is known: whoever has the marker, or sits next to the dealer.

        Where whoever has it has left for good, the next who is in the game begins.
        """
        marked = self.table.first_holder(self.starts)
        if marked is None or (self.rules.deal == "nobody" and not self.is_out(marked)):
            return marked
        return self.following(marked)

    def following(self, seat: Seat) -> Seat:
        """Who comes after a seat, clockwise, of those in the game; nobody else: itself."""
        return next((one for one in self.seats.starting_after(seat) if one in self.playing), seat)

    @property
    def playing(self) -> Sequence[Seat]:
        """Everybody who has not left the game for good; all, where people laid a mark before everybody."""
        if not self.outs:
            return self.seats
        return tuple([seat for seat in self.seats if not self.is_out(seat)]) or self.seats

    def side(self, seat: Seat) -> Labelled:
        """How people call whoever holds this seat's purse: its team, or itself."""
        return called(self.keeper, seat)

    async def choose_side(
        self, question: Say, sides: Iterable[Seat] | None = None, known_as: Say | None = None
    ) -> Seat:
        """Which side it is, of these or of all, as the table says."""
        named = {str(one.number): one for one in (self.sides if sides is None else sides)}
        texts = {key: self.side(one) for key, one in named.items()}
        return named[await Choose(None, question, texts, known_as=known_as)]

    @property
    def sides(self) -> tuple[Seat, ...]:
        """Who holds a purse and writes points: everybody who plays, but of a team only one."""
        return tuple(self.table.paying_seats)

    def is_out(self, seat: Seat) -> bool:
        """Whether a seat has left the game for good."""
        return bool(self.outs) and self.outs[seat].count > 0

    def appoint(self, seat: Seat) -> None:
        """The marker goes to a seat, wherever it lies."""
        self.table.move_only_piece(self.starts[seat])

    def pay(self, seat: Seat, amount: int) -> None:
        """A bid is paid to the bank, as far as the purse goes: pieces may have been moved since."""
        paid = self.table.move_up_to(self.purses[self.money][seat], self.banks[self.money], amount)
        text = "{seat} pays {amount}." if paid == amount else "{seat} can pay only {amount}."
        self.table.add_note(say(text, seat=seat, amount=paid))

    def worth(self, one: Piece, seat: Seat) -> int:
        """What a seat's pieces of one kind count."""
        return self.purses[one][seat].count * number(self.pieces[one], "worth")

    def total(self, seat: Seat) -> int:
        """Pieces, shares, loans, points, bonuses and matches won."""
        held = sum(self.worth(one, seat) for one in self.pieces) + self.invested(seat)
        bonuses = sum(one.of(self.categories, seat) for one in self.bonuses)
        won = self.wins[seat].count if self.wins else 0
        return held + sum(one.of(seat) for one in self.categories) + bonuses + won

    def invested(self, seat: Seat) -> int:
        """What shares count, less what is owed to the bank: as much as the money they stand for."""
        shares = sum(self.counted(one.worth(self.keeper[seat])) for one in self.companies)
        return shares - self.counted(self.owed(seat))

    def owed(self, seat: Seat) -> int:
        """What a seat owes to the bank."""
        return self.loans[self.keeper[seat]].count if self.loans else 0

    def counted(self, amount: int) -> int:
        """What so much money counts at the end."""
        return counted(self.pieces, amount)


def pieces_of(deck: Deck) -> dict[Piece, Design]:
    """The pieces of a template."""
    notes = notes_of(deck)
    return {piece(one, notes[one.id]): one for one in kind_of(deck, "piece")}


def counted(pieces: Mapping[Piece, Design], amount: int) -> int:
    """What so much money counts at the end; nothing where there is none, or it counts nothing."""
    money = next((one for one in pieces if one.money_value), None)
    return amount * number(pieces[money], "worth") // money.money_value if money else 0


def piece(printed: Design, note: int) -> Piece:
    """A piece of the template; one whose bank has no limit may be owed."""
    colour = word(printed, "colour", PLAIN)
    label = named(printed)
    return Piece(
        printed.id,
        label,
        is_endless=not number(printed, "supply"),
        look=word(printed, "look", "coin"),
        colour="" if colour == PLAIN else colour,
        money_value=note,
        count_label=COUNTED.get(label.id),
    )
