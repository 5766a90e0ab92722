"""The board of Bidders!: where its pieces are, and what can be read from them.

This module asks people nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.rulebook import BOX, Account, Card, Piece, Place, Say, Seat, Seats, Table, say, say_n

WORKERS_PER_SEAT = {3: 10, 4: 9, 5: 8}
CARDS_PER_COLOUR = 12

GUILD, CHIPS, FRONT, EDGE = say("guild card"), say("chips"), say("front"), say("left edge")
DECK, BANK, ROUND_TRACK = say("deck"), say("bank"), say("round track")
PROJECT_PLACE_NAME_BY_COLOUR = {"white": say("white project"), "black": say("black project")}
FACE_DOWN_NAME_BY_PLACE_NAME = {FRONT: say("face down in front"), EDGE: say("face down on the left edge")}

CARD_BY_COLOUR = {
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
MARKER_BY_COLOUR = {
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
START_PLAYER_MARKER = Piece("start player", say("start player"), count_label=say("start player marker"))
ROUND_MARKER = Piece(
    "round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2)
)


def face_down_label(place_name: Say, seat: Seat) -> Say:
    """Returns the label of the place where the cards of a spot lie face down."""
    if place_name == EDGE:
        return say("face down on {seat}'s left edge", seat=seat)
    return say("face down in front of {seat}", seat=seat)


class WonCardSpot(msgspec.Struct, frozen=True):
    """Where won cards lie with their workers: in front of a seat, or on the edge to its left."""

    place_name: Say
    seat: Seat

    @property
    def place(self) -> Place:
        """The place where the backs of the cards and the workers are seen."""
        return Place(self.place_name, self.seat)

    @property
    def place_of_hidden_faces(self) -> Place:
        """The place of the faces of the cards.

        The place belongs to no seat, because owners may not look at the faces either.
        """
        return Place(
            FACE_DOWN_NAME_BY_PLACE_NAME[self.place_name],
            None,
            self.seat.number,
            face_down_label(self.place_name, self.seat),
        )


class Project:
    """One of the two projects: its card, the dollars under it, the workers on it, and who has its marker."""

    def __init__(self, board: Board, colour: str) -> None:
        place_name, table = PROJECT_PLACE_NAME_BY_COLOUR[colour], board.table
        self.board, self.colour = board, colour
        self.place, self.piece = Place(place_name), CARD_BY_COLOUR[colour]
        self.marker = table.supply_from_box(table.account(MARKER_BY_COLOUR[colour], place_name))
        self.marker_account_by_seat = table.account_by_seat(MARKER_BY_COLOUR[colour], GUILD)
        self.worker_account_by_seat = {
            seat: table.account(guild.piece, place_name)
            for seat, guild in board.guild_workers_by_seat.items()
        }
        self.dollars = table.account(DOLLAR, place_name)
        self.upturned_account = table.account(self.piece, place_name)
        self.deck = table.supply_from_box(table.account(self.piece, DECK), CARDS_PER_COLOUR)

    @property
    def upturned_cards(self) -> list[Card]:
        """The card turned up now, as a list; empty without a card.

        A card of another colour is there only by mistake, and doesn't count.
        """
        return [
            card
            for card in self.board.faces.known_cards_at(self.place)
            if card.has_printed_values({"colour": self.colour})
        ]

    @property
    def best_bidder(self) -> Seat | None:
        """The seat with the marker of the project: the best bidder, and after the auction the winner."""
        return self.board.table.first_holder(self.marker_account_by_seat)

    @property
    def placed_worker_count(self) -> int:
        """Number of workers now on the card."""
        return sum([account.count for account in self.worker_account_by_seat.values()])

    def printed_number(self, value_name: str) -> int:
        """Returns a number printed on the card turned up now."""
        return int(self.upturned_cards[0].values[value_name])

    def place_higher_bid(self, seat: Seat, workers: int) -> None:
        """Places a higher bid of workers and gives the bidder the marker; outbid workers go back first."""
        self.return_all_workers()
        self.board.table.move_up_to(
            self.board.guild_workers_by_seat[seat], self.worker_account_by_seat[seat], workers
        )
        self.board.table.move_single_piece(self.marker_account_by_seat[seat])

    def return_all_workers(self) -> None:
        """Moves all workers on the card back to their guild cards."""
        for seat, account in self.worker_account_by_seat.items():
            self.board.table.move_all(account, self.board.guild_workers_by_seat[seat])

    def discard_card_and_dollars(self) -> None:
        """Moves a card that nobody won to the box, and its dollars to the bank."""
        table = self.board.table
        self.return_all_workers()
        table.move_all(self.dollars, table.account(DOLLAR, BANK))
        table.move_all(self.upturned_account, table.account(self.piece, BOX))
        self.board.faces.move_faces(self.upturned_cards, Place(BOX), source_places=(self.place,))

    def place_card_face_down(self, spot: WonCardSpot) -> None:
        """Moves the card face down to its winner's spot, with all workers on it."""
        table = self.board.table
        for account in (self.upturned_account, *self.worker_account_by_seat.values()):
            table.move_all(account, table.ledger.open_account(spot.place, account.piece))
        self.board.faces.move_faces(
            self.upturned_cards, spot.place_of_hidden_faces, source_places=(self.place,)
        )


class Board:
    """The accounts of a match of Bidders!, and what can be read from them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.guild_workers_by_seat = {
            seat: table.account(make_worker_piece(seat), GUILD, seat) for seat in table.seats
        }
        for guild in self.guild_workers_by_seat.values():
            table.supply_from_box(guild, WORKERS_PER_SEAT[len(table.seats)])
        self.white, self.black = Project(self, "white"), Project(self, "black")
        self.projects = (self.white, self.black)
        self.chips = table.account_by_seat(DOLLAR, CHIPS)
        table.supply_from_box(table.account(START_PLAYER_MARKER, BOX))
        self.start_marks = table.account_by_seat(START_PLAYER_MARKER, GUILD)
        self.round = table.round_counter = table.account(ROUND_MARKER, ROUND_TRACK)
        self.spots = [WonCardSpot(place_name, seat) for place_name in (FRONT, EDGE) for seat in table.seats]
        for spot in self.spots:
            table.ledger.open_account(spot.place, CARD_BY_COLOUR["white"])
        self.faces = table.track_faces("bidders", *[spot.place_of_hidden_faces for spot in self.spots])
        self.printed_rows = table.find_deck("bidders").board

    @property
    def start_player(self) -> Seat | None:
        """The seat with the start player marker."""
        return self.table.first_holder(self.start_marks)

    @property
    def cooperation_partner(self) -> Seat | None:
        """The winner's neighbour who has workers on the white card; None without cooperation."""
        winner = self.white.best_bidder
        neighbours = left_and_right_neighbour(self.seats, winner) if winner else ()
        return next((seat for seat in neighbours if self.white.worker_account_by_seat[seat].count), None)

    def appoint_start_player(self, seat: Seat) -> None:
        """Gives a seat the start player marker."""
        self.table.move_single_piece(self.start_marks[seat])

    def worker_account_at(self, seat: Seat, spot: WonCardSpot) -> Account:
        """Returns the account of a seat's workers at a spot."""
        return self.table.ledger.open_account(spot.place, self.guild_workers_by_seat[seat].piece)

    def cards_won(self, seat: Seat) -> list[Card]:
        """Returns a seat's won cards, face up or still face down."""
        places = [
            place
            for spot in spots_of_seat(self.seats, seat)
            for place in (spot.place, spot.place_of_hidden_faces)
        ]
        return [card for place in places for card in self.faces.known_cards_at(place)]

    def popularity_on_guild_card(self, seat: Seat) -> int:
        """Returns the popularity on a seat's guild card."""
        return sum_of_filled_slots(self.printed_rows["hearts"], self.guild_workers_by_seat[seat].count)

    def total_popularity(self, seat: Seat) -> int:
        """Returns the popularity of a seat's won cards and guild card."""
        return sum(
            [int(card.values["popularity"]) for card in self.cards_won(seat)]
        ) + self.popularity_on_guild_card(seat)

    def money_on_guild_card(self, seat: Seat) -> int:
        """Returns the dollars on a seat's guild card."""
        return sum_of_filled_slots(self.printed_rows["dollars"], self.guild_workers_by_seat[seat].count)

    def money_including_guild_card(self, seat: Seat) -> int:
        """Returns a seat's money in chips and on the guild card."""
        return self.chips[seat].count + self.money_on_guild_card(seat)


def make_worker_piece(seat: Seat) -> Piece:
    """Returns the worker piece of a seat's colour."""
    label, count_label = say("{seat}'s worker", seat=seat), say("{n} of {seat}'s workers", n=2, seat=seat)
    return Piece(f"{seat.colour} worker", label, look="cube", colour=seat.colour, count_label=count_label)


def sum_of_filled_slots(slot_values: Sequence[int], worker_count: int) -> int:
    """Returns the sum of the numbers in the slots of a guild card that workers fill, one each."""
    return sum(slot_values[:worker_count])


def left_and_right_neighbour(seats: Seats, seat: Seat) -> tuple[Seat, Seat]:
    """Returns the left neighbour (clockwise next) and the right neighbour."""
    return seats.starting_after(seat)[0], seats.starting_after(seat)[-2]


def spots_of_seat(seats: Seats, seat: Seat) -> tuple[WonCardSpot, WonCardSpot, WonCardSpot]:
    """Returns the three spots of a seat: the edge to the left, the front, the edge to the right."""
    _, right_neighbour = left_and_right_neighbour(seats, seat)
    return WonCardSpot(EDGE, seat), WonCardSpot(FRONT, seat), WonCardSpot(EDGE, right_neighbour)


def white_card_spot(seats: Seats, winner: Seat, partner: Seat | None) -> WonCardSpot:
    """Returns the spot for a white card: between its winner and the partner, or in front of the winner."""
    if partner is None:
        return WonCardSpot(FRONT, winner)
    left_neighbour, _ = left_and_right_neighbour(seats, winner)
    return WonCardSpot(EDGE, winner if partner == left_neighbour else partner)


def first_seat_clockwise_from(seats: Seats, spot: WonCardSpot) -> Seat:
    """Returns the first seat clockwise from a spot."""
    return spot.seat if spot.place_name == FRONT else seats.starting_after(spot.seat)[0]
