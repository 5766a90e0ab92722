"""The board of Bidders!: where its pieces lie, and what can be read off them. No rule asks anything here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.rulebook import BOX, Account, Card, Piece, Place, Say, Seat, Seats, Table, say, say_n

WORKERS = {3: 10, 4: 9, 5: 8}
CARDS = 12

GUILD, CHIPS, FRONT, EDGE = say("guild card"), say("chips"), say("front"), say("left edge")
DECK, BANK, TRACK = say("deck"), say("bank"), say("round track")
PROJECT = {"white": say("white project"), "black": say("black project")}
FACE_DOWN = {FRONT: say("face down in front"), EDGE: say("face down on the left edge")}

CARD = {
    "white": Piece(
        "white card",
        say("white card"),
        look="card",
        colour="white",
        count_label=say_n("{n} white card", "{n} white cards", n=2),
    ),
    "black": Piece(
        "black card",
        say("black card"),
        look="card",
        colour="black",
        count_label=say_n("{n} black card", "{n} black cards", n=2),
    ),
}
MARKER = {
    "white": Piece(
        "white marker",
        say("white bid marker"),
        look="chip",
        colour="white",
        count_label=say("white bid marker"),
    ),
    "black": Piece(
        "black marker",
        say("black bid marker"),
        look="chip",
        colour="black",
        count_label=say("black bid marker"),
    ),
}
DOLLAR = Piece("dollar", say("$1"), is_endless=True, look="coin", count_label=say("${n}", n=2))
START = Piece("start player", say("start player"), count_label=say("start player marker"))
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))


def called(what: Say, seat: Seat) -> Say:
    """What people call the place where a spot's faces are kept."""
    if what == EDGE:
        return say("face down on {seat}'s left edge", seat=seat)
    return say("face down in front of {seat}", seat=seat)


class Spot(msgspec.Struct, frozen=True):
    """Where won cards lie with their workers: in front of a seat, or on the edge to its left."""

    what: Say
    seat: Seat

    @property
    def place(self) -> Place:
        """Where their backs and workers are seen."""
        return Place(self.what, self.seat)

    @property
    def face_down(self) -> Place:
        """Where their faces are kept: not a seat's own place, because owners may not look either."""
        return Place(FACE_DOWN[self.what], None, self.seat.number, called(self.what, self.seat))


class Project:
    """One of the two projects: its card, the dollars under it, the workers on it, and who has its marker."""

    def __init__(self, board: Board, colour: str) -> None:
        at, table = PROJECT[colour], board.table
        self.board, self.colour, self.place, self.piece = board, colour, Place(at), CARD[colour]
        self.marker = table.supply(table.account(MARKER[colour], at))
        self.markers = table.account_per_seat(MARKER[colour], GUILD)
        self.workers = {seat: table.account(guild.piece, at) for seat, guild in board.guilds.items()}
        self.dollars = table.account(DOLLAR, at)
        self.turned = table.account(self.piece, at)
        self.deck = table.supply(table.account(self.piece, DECK), CARDS)

    @property
    def cards(self) -> list[Card]:
        """The card now turned up, as a list; another colour's is there by mistake."""
        return [card for card in self.board.faces.cards_at(self.place) if card.shows({"colour": self.colour})]

    @property
    def bidder(self) -> Seat | None:
        """Who has the marker: the best bidder, and after the auction the winner."""
        return self.board.table.first_holder(self.markers)

    @property
    def placed(self) -> int:
        """The workers now on the card."""
        return sum([account.count for account in self.workers.values()])

    def printed(self, name: str) -> int:
        """A number on the card now turned up."""
        return int(self.cards[0].values[name])

    def bid(self, seat: Seat, workers: int) -> None:
        """Who is outbid takes the workers back; then the new bidder's are placed, for the marker."""
        self.release()
        self.board.table.move_up_to(self.board.guilds[seat], self.workers[seat], workers)
        self.board.table.move_only_piece(self.markers[seat])

    def release(self) -> None:
        """All workers go back to their guild cards."""
        for seat, account in self.workers.items():
            self.board.table.move_all(account, self.board.guilds[seat])

    def to_box(self) -> None:
        """The card that nobody wants goes to the box, its dollars to the bank."""
        table = self.board.table
        self.release()
        table.move_all(self.dollars, table.account(DOLLAR, BANK))
        table.move_all(self.turned, table.account(self.piece, BOX))
        self.board.faces.show(self.cards, Place(BOX), at=(self.place,))

    def lay(self, spot: Spot) -> None:
        """The card goes face down to where its winner keeps it, with all workers on it."""
        table = self.board.table
        for account in (self.turned, *self.workers.values()):
            table.move_all(account, table.ledger.account(spot.place, account.piece))
        self.board.faces.show(self.cards, spot.face_down, at=(self.place,))


class Board:
    """The accounts of Bidders!, and what can be read off them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.guilds = {seat: table.account(worker(seat), GUILD, seat) for seat in table.seats}
        for guild in self.guilds.values():
            table.supply(guild, WORKERS[len(table.seats)])
        self.white, self.black = Project(self, "white"), Project(self, "black")
        self.projects = (self.white, self.black)
        self.chips = table.account_per_seat(DOLLAR, CHIPS)
        table.supply(table.account(START, BOX))
        self.starts = table.account_per_seat(START, GUILD)
        self.round = table.account(ROUND, TRACK)
        self.spots = [Spot(what, seat) for what in (FRONT, EDGE) for seat in table.seats]
        for spot in self.spots:
            table.ledger.account(spot.place, CARD["white"])
        self.faces = table.track_faces("bidders", *[spot.face_down for spot in self.spots])
        self.printed = table.deck("bidders").board

    @property
    def start(self) -> Seat | None:
        """Who has the start player marker."""
        return self.table.first_holder(self.starts)

    @property
    def partner(self) -> Seat | None:
        """Whose workers lie on the white card beside the winner's."""
        winner = self.white.bidder
        beside = neighbours(self.seats, winner) if winner else ()
        return next((seat for seat in beside if self.white.workers[seat].count), None)

    def appoint(self, seat: Seat) -> None:
        """Gives a seat the start player marker."""
        self.table.move_only_piece(self.starts[seat])

    def stack(self, seat: Seat, spot: Spot) -> Account:
        """A seat's workers at a spot."""
        return self.table.ledger.account(spot.place, self.guilds[seat].piece)

    def won(self, seat: Seat) -> list[Card]:
        """A seat's won cards, turned up or still face down."""
        places = [place for spot in around(self.seats, seat) for place in (spot.place, spot.face_down)]
        return [card for place in places for card in self.faces.cards_at(place)]

    def hearts(self, seat: Seat) -> int:
        """The popularity of a seat's guild card."""
        return filled(self.printed["hearts"], self.guilds[seat].count)

    def popularity(self, seat: Seat) -> int:
        """Won cards and guild card."""
        return sum([int(card.values["popularity"]) for card in self.won(seat)]) + self.hearts(seat)

    def earned(self, seat: Seat) -> int:
        """The dollars of a seat's guild card."""
        return filled(self.printed["dollars"], self.guilds[seat].count)

    def money(self, seat: Seat) -> int:
        """Chips and guild card."""
        return self.chips[seat].count + self.earned(seat)


def worker(seat: Seat) -> Piece:
    """A worker of a seat's colour."""
    label, counted = say("{seat}'s worker", seat=seat), say("{n} of {seat}'s workers", n=2, seat=seat)
    return Piece(f"{seat.colour} worker", label, look="cube", colour=seat.colour, count_label=counted)


def filled(slots: Sequence[int], workers: int) -> int:
    """What is printed in the first slots of a guild card, of which each worker fills one."""
    return sum(slots[:workers])


def neighbours(seats: Seats, seat: Seat) -> tuple[Seat, Seat]:
    """Who sits to the left, clockwise next, and who to the right."""
    return seats.starting_after(seat)[0], seats.starting_after(seat)[-2]


def around(seats: Seats, seat: Seat) -> tuple[Spot, Spot, Spot]:
    """The three places of a seat: the edge to the left, the front, the edge to the right."""
    _, right = neighbours(seats, seat)
    return Spot(EDGE, seat), Spot(FRONT, seat), Spot(EDGE, right)


def between(seats: Seats, winner: Seat, partner: Seat | None) -> Spot:
    """Where a white card is laid: between its winner and the partner, or in front of a winner alone."""
    if partner is None:
        return Spot(FRONT, winner)
    left, _ = neighbours(seats, winner)
    return Spot(EDGE, winner if partner == left else partner)


def nearest(seats: Seats, spot: Spot) -> Seat:
    """The first seat clockwise from a spot."""
    return spot.seat if spot.what == FRONT else seats.starting_after(spot.seat)[0]
