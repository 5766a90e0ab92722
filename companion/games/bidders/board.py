"""The board of Bidders!: where its pieces lie, and what can be read off them. No rule asks anything here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.rulebook import BOX, Account, Card, Piece, Place, Say, Seat, Seats, Table, say, say_n

WORKERS_PER_SEAT = {3: 10, 4: 9, 5: 8}
CARDS_PER_COLOUR = 12

GUILD, CHIPS, FRONT, EDGE = say("guild card"), say("chips"), say("front"), say("left edge")
DECK, BANK, ROUND_TRACK = say("deck"), say("bank"), say("round track")
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
START_PLAYER = Piece("start player", say("start player"), count_label=say("start player marker"))
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))


def face_down_label(what: Say, seat: Seat) -> Say:
    """Returns the label of the place that keeps a spot's faces."""
    if what == EDGE:
        return say("face down on {seat}'s left edge", seat=seat)
    return say("face down in front of {seat}", seat=seat)


class Spot(msgspec.Struct, frozen=True):
    """Where won cards lie with their workers: in front of a seat, or on the edge to its left."""

    place_name: Say
    seat: Seat

    @property
    def place(self) -> Place:
        """The place where backs and workers are seen."""
        return Place(self.place_name, self.seat)

    @property
    def face_down(self) -> Place:
        """The place that keeps the faces: not a seat's own place, because owners may not look either."""
        return Place(
            FACE_DOWN[self.place_name], None, self.seat.number, face_down_label(self.place_name, self.seat)
        )


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
        self.deck = table.supply(table.account(self.piece, DECK), CARDS_PER_COLOUR)

    @property
    def upturned_cards(self) -> list[Card]:
        """The card now turned up, as a list; a card of another colour lies there by mistake."""
        return [card for card in self.board.faces.cards_at(self.place) if card.shows({"colour": self.colour})]

    @property
    def bidder(self) -> Seat | None:
        """The seat with the marker: the best bidder, and after the auction the winner."""
        return self.board.table.first_holder(self.markers)

    @property
    def placed_workers(self) -> int:
        """Number of workers now on the card."""
        return sum([account.count for account in self.workers.values()])

    def printed_number(self, name: str) -> int:
        """Returns a number printed on the card now turned up."""
        return int(self.upturned_cards[0].values[name])

    def place_bid(self, seat: Seat, workers: int) -> None:
        """Returns the outbid workers, then places the new bidder's workers and gives out the marker."""
        self.return_workers()
        self.board.table.move_up_to(self.board.guilds[seat], self.workers[seat], workers)
        self.board.table.move_only_piece(self.markers[seat])

    def return_workers(self) -> None:
        """Moves all workers back to their guild cards."""
        for seat, account in self.workers.items():
            self.board.table.move_all(account, self.board.guilds[seat])

    def discard_card(self) -> None:
        """Moves a card that nobody wants to the box, and its dollars to the bank."""
        table = self.board.table
        self.return_workers()
        table.move_all(self.dollars, table.account(DOLLAR, BANK))
        table.move_all(self.turned, table.account(self.piece, BOX))
        self.board.faces.show(self.upturned_cards, Place(BOX), at=(self.place,))

    def place_card(self, spot: Spot) -> None:
        """Moves the card face down to its winner's spot, with all workers on it."""
        table = self.board.table
        for account in (self.turned, *self.workers.values()):
            table.move_all(account, table.ledger.account(spot.place, account.piece))
        self.board.faces.show(self.upturned_cards, spot.face_down, at=(self.place,))


class Board:
    """The accounts of Bidders!, with questions about them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.guilds = {seat: table.account(worker_piece(seat), GUILD, seat) for seat in table.seats}
        for guild in self.guilds.values():
            table.supply(guild, WORKERS_PER_SEAT[len(table.seats)])
        self.white, self.black = Project(self, "white"), Project(self, "black")
        self.projects = (self.white, self.black)
        self.chips = table.account_per_seat(DOLLAR, CHIPS)
        table.supply(table.account(START_PLAYER, BOX))
        self.start_marks = table.account_per_seat(START_PLAYER, GUILD)
        self.round = table.account(ROUND, ROUND_TRACK)
        self.spots = [Spot(what, seat) for what in (FRONT, EDGE) for seat in table.seats]
        for spot in self.spots:
            table.ledger.account(spot.place, CARD["white"])
        self.faces = table.track_faces("bidders", *[spot.face_down for spot in self.spots])
        self.printed = table.deck("bidders").board

    @property
    def start_player(self) -> Seat | None:
        """The seat with the start player marker."""
        return self.table.first_holder(self.start_marks)

    @property
    def partner(self) -> Seat | None:
        """The seat whose workers lie on the white card beside the winner's."""
        winner = self.white.bidder
        beside = neighbours(self.seats, winner) if winner else ()
        return next((seat for seat in beside if self.white.workers[seat].count), None)

    def appoint_start_player(self, seat: Seat) -> None:
        """Gives a seat the start player marker."""
        self.table.move_only_piece(self.start_marks[seat])

    def workers_at(self, seat: Seat, spot: Spot) -> Account:
        """Returns the account of a seat's workers at a spot."""
        return self.table.ledger.account(spot.place, self.guilds[seat].piece)

    def cards_won(self, seat: Seat) -> list[Card]:
        """Returns a seat's won cards, turned up or still face down."""
        places = [place for spot in spots_around(self.seats, seat) for place in (spot.place, spot.face_down)]
        return [card for place in places for card in self.faces.cards_at(place)]

    def guild_popularity(self, seat: Seat) -> int:
        """Returns the popularity on a seat's guild card."""
        return sum_of_filled_slots(self.printed["hearts"], self.guilds[seat].count)

    def popularity(self, seat: Seat) -> int:
        """Returns the popularity of won cards and guild card."""
        return sum([int(card.values["popularity"]) for card in self.cards_won(seat)]) + self.guild_popularity(
            seat
        )

    def guild_money(self, seat: Seat) -> int:
        """Returns the dollars on a seat's guild card."""
        return sum_of_filled_slots(self.printed["dollars"], self.guilds[seat].count)

    def money(self, seat: Seat) -> int:
        """Returns the money in chips and on the guild card."""
        return self.chips[seat].count + self.guild_money(seat)


def worker_piece(seat: Seat) -> Piece:
    """Returns the worker of a seat's colour."""
    label, counted = say("{seat}'s worker", seat=seat), say("{n} of {seat}'s workers", n=2, seat=seat)
    return Piece(f"{seat.colour} worker", label, look="cube", colour=seat.colour, count_label=counted)


def sum_of_filled_slots(slots: Sequence[int], workers: int) -> int:
    """Returns the sum of the numbers in the slots of a guild card that workers fill, one each."""
    return sum(slots[:workers])


def neighbours(seats: Seats, seat: Seat) -> tuple[Seat, Seat]:
    """Returns the left neighbour (clockwise next) and the right neighbour."""
    return seats.starting_after(seat)[0], seats.starting_after(seat)[-2]


def spots_around(seats: Seats, seat: Seat) -> tuple[Spot, Spot, Spot]:
    """Returns the three spots of a seat: the edge to the left, the front, the edge to the right."""
    _, right = neighbours(seats, seat)
    return Spot(EDGE, seat), Spot(FRONT, seat), Spot(EDGE, right)


def spot_between(seats: Seats, winner: Seat, partner: Seat | None) -> Spot:
    """Returns the spot for a white card: between its winner and the partner, or in front of the winner."""
    if partner is None:
        return Spot(FRONT, winner)
    left, _ = neighbours(seats, winner)
    return Spot(EDGE, winner if partner == left else partner)


def nearest_seat(seats: Seats, spot: Spot) -> Seat:
    """Returns the first seat clockwise from a spot."""
    return spot.seat if spot.place_name == FRONT else seats.starting_after(spot.seat)[0]
