"""The pieces and accounts of Oyakata, and what can be read off them. The rules are in oyakata.py.

It asks nothing. Over 300 lines, because everything a player could ask about is a piece at a place here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.games.oyakata.printed import (
    MARKET_CARDS,
    TILES_A_LETTER,
    VALUES,
    accidents,
    at,
    fifth_colour,
    gem_colours,
)
from companion.rulebook import (
    BOX,
    UNSEEN_PLACE,
    Account,
    Card,
    CountedItem,
    Piece,
    Place,
    Say,
    Seat,
    Table,
    say,
    say_list,
    say_n,
)

SOIL_IN_ALL, GEMS_A_COLOUR, CHIPS_A_COLOUR = 60, 15, 5
SOIL_AT_FIRST, MUD_AT_FIRST, GOLD_AT_FIRST, WORKERS_AT_FIRST = 3, 1, 3, 3
WAGE, LAST_WAGE = 2, 5
LETTERS = ("A", "B")
COLOURS = {
    "red": say("red"), "blue": say("blue"), "yellow": say("yellow"), "black": say("black"),
    "white": say("white"), "green": say("green"), "purple": say("purple"), "orange": say("orange"),
    "brown": say("brown"), "grey": say("grey"),
}  # fmt: skip  # a table

BANK, CENTRE, BAG, MARKET = say("bank"), say("centre"), say("bag"), say("market price")
PURSE, BOARD, STORAGE, TUNNEL = say("purse"), say("board"), say("storage"), say("tunnel")
DISCONTENT, DISCONTENT_BAG, TONIGHT = say("discontent"), say("discontent bag"), say("tonight")
PILE, DISCARDS, DRAWN, ASIDE = say("pile"), say("discards"), say("drawn tiles"), say("accidents")
FINAL, STACK, TRACK = say("final price"), say("market pile"), say("round track")
UPTURNED = Place(say("turned up"))
LAID, SEEN = Place(say("laid tiles")), Place(say("seen market cards"))
"""Where the companion keeps the faces that were shown: people have the tiles and the prices before them."""

GOLD = Piece(
    "gold", say("gold"), is_endless=True, look="coin", colour="yellow", count_label=say("{n} gold", n=2)
)
SOIL = Piece("soil", say("soil"), look="cube", colour="brown", count_label=say("{n} soil", n=2))
MUD = Piece("mud", say("mud"), look="cube", colour="grey", count_label=say("{n} mud", n=2))
TILE = {
    letter: Piece(
        f"tile {letter}",
        say("{letter} tile", letter=letter),
        look="tile",
        count_label=say_n("{n} {letter} tile", "{n} {letter} tiles", n=2, letter=letter),
    )
    for letter in LETTERS
}
CARD = Piece(
    "market card",
    say("market card"),
    look="card",
    count_label=say_n("{n} market card", "{n} market cards", n=2),
)
START = Piece("start player", say("start player"), is_marker=True)
TURN = Piece("turn", say("turn"), is_marker=True)
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))
ILLNESS = Piece("illness", say("illness"), is_endless=True, is_marker=True)
STRIKE = Piece("strike", say("strike"), is_endless=True, is_marker=True)
HOLIDAY = Piece("holiday", say("holiday"), is_endless=True, is_marker=True)

EFFECTS = {"blue": ILLNESS, "black": STRIKE}
"""What lasts as long as chips of this colour lie there."""
CHIP_COLOURS = ("blue", "black", "red", "yellow")
"""The colours with an effect; the fifth has none."""
TRACKS = {
    name: Piece(
        name,
        label,
        is_endless=True,
        count_label=say_n("{n} step of {track}", "{n} steps of {track}", n=2, track=label),
    )
    for name, label in {
        "workers": say("workers"),
        "digging": say("digging skill"),
        "survey": say("survey skill"),
        "dormitory": say("dormitory"),
        "storage": say("storage"),
        "negotiation": say("negotiation: price"),
        "kinds": say("negotiation: number of colours"),
    }.items()
}
ACTIONS = {
    "survey_A": say("Survey, tiles A"),
    "survey_B": say("Survey, tiles B"),
    "hire": say("Hire"),
    "dismiss": say("Dismiss"),
    "sell": say("Sell gems"),
    "digging": say("Digging skill"),
    "survey": say("Survey skill"),
    "dormitory": say("Dormitory"),
    "storage": say("Storage"),
    "negotiation": say("Negotiation: price"),
    "kinds": say("Negotiation: number of colours"),
}
"""What can be done at night."""
SAME_ACTION = {"survey_B": "survey_A", "kinds": "negotiation"}
"""Two ways of one action, of which a night has only one."""


def gem(colour: str) -> Piece:
    """The gem of a colour."""
    label = say("{colour} gem", colour=COLOURS[colour])
    counted = say_n("{n} {colour} gem", "{n} {colour} gems", n=2, colour=COLOURS[colour])
    return Piece(f"{colour} gem", label, look="gem", colour=colour, count_label=counted)


def chip(colour: str) -> Piece:
    """The discontent chip of a colour."""
    label = say("{colour} chip", colour=COLOURS[colour])
    counted = say_n("{n} {colour} chip", "{n} {colour} chips", n=2, colour=COLOURS[colour])
    return Piece(f"{colour} chip", label, look="chip", colour=colour, count_label=counted)


def price_mark(colour: str) -> Piece:
    """The price of a gem, a mark for each gold."""
    label = say("{colour} gem price (gold)", colour=COLOURS[colour])
    return Piece(f"{colour} price", label, is_endless=True, is_marker=True, look="gem", colour=colour)


@lru_cache
def heading(number: int, card: int, wages: int) -> Say:
    """What stands above a turn."""
    text = "Round {round} · card {n}/{cards} · wages {gold}"
    return say(text, round=number, n=card, cards=MARKET_CARDS, gold=wages)


class Board:
    """The accounts of Oyakata, and what can be read off them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.deck = deck = table.deck("oyakata")
        self.printed = deck.board
        self.accidents_in_all = accidents(deck)
        self.colours = gem_colours(deck)
        self.rounds = int(table.options["rounds"] or 0)
        self.boss_on_track = table.options["boss_on_track"] == "true"
        self.has_discontent = table.options["discontent"] == "true"
        self.faces = table.track_faces("oyakata", LAID, SEEN)
        self._lay_market()
        self._lay_money_and_tracks()
        self._lay_bags()
        self._lay_discontent(fifth_colour(deck))
        self._lay_piles()
        table.after_moves_by_hand = self.calm_all

    def _lay_market(self) -> None:
        table = self.table
        prices = {colour: price_mark(colour) for colour in self.colours}
        self.today, self.final = table.accounts(prices, MARKET), table.accounts(prices, FINAL)
        self.last = table.account(CARD, FINAL)
        self.stack = table.supply(table.account(CARD, STACK), MARKET_CARDS)
        self.turned = table.ledger.account(UPTURNED, CARD)

    def _lay_money_and_tracks(self) -> None:
        table = self.table
        self.bank = table.account(GOLD, BANK)
        self.gold = table.account_per_seat(GOLD, PURSE)
        places = {
            name: len(self.printed["hire_prices" if name == "workers" else f"{name}_prices"])
            for name in TRACKS
        }
        self.tracks = {
            name: table.account_per_seat(piece, BOARD, most=places[name]) for name, piece in TRACKS.items()
        }
        self.workers = self.tracks["workers"]
        for seat in self.seats:
            table.supply(self.gold[seat], GOLD_AT_FIRST)
            table.supply(self.workers[seat], WORKERS_AT_FIRST)
        self.starts = table.account_per_seat(START, BOARD)
        self.turns = table.account_per_seat(TURN, BOARD)
        for mark in (START, TURN):
            table.supply(table.account(mark, BOX))
        self.effects = {colour: table.account_per_seat(piece, BOARD) for colour, piece in EFFECTS.items()}
        self.holidays = table.account_per_seat(HOLIDAY, TONIGHT)
        marks = {
            key: Piece(f"done {key}", name, is_endless=True, is_marker=True) for key, name in ACTIONS.items()
        }
        done = {key: marks[SAME_ACTION.get(key, key)] for key in marks}
        self.done = {seat: table.accounts(done, TONIGHT, seat) for seat in self.seats}
        self.round = table.account(ROUND, TRACK)

    def _lay_bags(self) -> None:
        table = self.table
        gems = {colour: gem(colour) for colour in self.colours}
        pieces = {"soil": SOIL, "mud": MUD} | gems
        # A bag is a place of nobody's: its owner mustn't look into it either.
        places = {seat: Place(BAG, None, seat.number, say("{seat}'s bag", seat=seat)) for seat in self.seats}
        covered = table.options["bag_odds"] != "true"
        self.bags = {
            seat: {
                name: table.ledger.account(place, piece, covered=covered) for name, piece in pieces.items()
            }
            for seat, place in places.items()
        }
        self.diggable = {
            seat: {name: CountedItem(account.piece, account) for name, account in held.items()}
            for seat, held in self.bags.items()
        }
        self.centre = table.accounts({"soil": SOIL} | gems, CENTRE)
        self.stored = {seat: table.accounts(gems, STORAGE, seat) for seat in self.seats}
        for name, account in self.centre.items():
            table.supply(account, GEMS_A_COLOUR if name in self.colours else SOIL_IN_ALL)
        for held in self.bags.values():
            table.supply(held["mud"], MUD_AT_FIRST)
            table.move(self.centre["soil"], held["soil"], SOIL_AT_FIRST)

    def _lay_discontent(self, fifth: str) -> None:
        table = self.table
        pieces = {colour: chip(colour) for colour in (*CHIP_COLOURS, fifth)}
        self.stacks = {seat: table.make_pile(DISCONTENT, seat) for seat in self.seats}
        self.chips = {seat: table.accounts(pieces, DISCONTENT, seat) for seat in self.seats}
        self.chip_bag = table.accounts(pieces, DISCONTENT_BAG)
        for account in self.chip_bag.values():
            table.supply(account, CHIPS_A_COLOUR)

    def _lay_piles(self) -> None:
        table = self.table
        self.piles, self.discards = table.accounts(TILE, PILE), table.accounts(TILE, DISCARDS)
        self.aside = table.accounts(TILE, ASIDE)
        self.drawn = {letter: table.account_per_seat(piece, DRAWN) for letter, piece in TILE.items()}
        self.tunnels = {letter: table.account_per_seat(piece, TUNNEL) for letter, piece in TILE.items()}
        for pile in self.piles.values():
            table.supply(pile, TILES_A_LETTER)

    # What can be read

    def level(self, seat: Seat, track: str) -> int:
        """How many steps a marker has made."""
        return self.tracks[track][seat].count

    def value(self, seat: Seat, track: str, printed: str = "") -> int:
        """What is printed at a marker's place; the last place where it was laid too far."""
        return at(self.printed[printed or VALUES[track]], self.level(seat, track))

    def acted(self, seat: Seat) -> int:
        """How many actions a player has taken tonight."""
        return sum([account.count for key, account in self.done[seat].items() if key not in SAME_ACTION])

    def employees(self, seat: Seat) -> int:
        """All workers but the boss."""
        return max(self.workers[seat].count - self.boss_on_track, 0)

    @property
    def wage(self) -> int:
        """What each employee is to be paid at the end of this round; nothing where only one is played."""
        if self.rounds == 1:
            return 0
        return LAST_WAGE if self.round.count == self.rounds else WAGE

    def free(self, seat: Seat) -> int:
        """How many more gems fit into the storage."""
        return max(self.value(seat, "storage") - sum([a.count for a in self.stored[seat].values()]), 0)

    def has_gems(self, seat: Seat) -> bool:
        """Whether any gem lies in the storage."""
        return any(account.count for account in self.stored[seat].values())

    def chip_count(self, seat: Seat) -> int:
        """How many discontent chips lie there."""
        return len(self.table.ledger.piles[self.stacks[seat]])

    def colours_stacked(self, seat: Seat) -> list[str]:
        """The colours of the discontent chips, the lowest first."""
        colours = {account.piece: colour for colour, account in self.chips[seat].items()}
        return [colours[piece] for piece in self.table.ledger.piles[self.stacks[seat]]]

    def suffers(self, seat: Seat, colour: str) -> bool:
        """Whether illness (blue) or strike (black) lasts."""
        return bool(self.effects[colour][seat].count and self.chips[seat][colour].count)

    def prices(self) -> dict[str, int]:
        """Today's price of each gem."""
        return {colour: account.count for colour, account in self.today.items()}

    def holder(self, marks: Mapping[Seat, Account]) -> Seat:
        """Who has a mark; the first seat where people took it away by hand."""
        return self.table.first_holder(marks) or self.seats[0]

    def in_bag(self, seat: Seat) -> int:
        """All chips left in a bag."""
        return sum([account.count for account in self.bags[seat].values()])

    # What is told and moved

    def head(self, seat: Seat) -> None:
        """Says how many market cards have come, and what the employees will cost."""
        due = self.wage * self.employees(seat)
        self.table.heading = heading(self.round.count, self.turned.count, due)

    def pay(self, seat: Seat, gold: int) -> None:
        """Gold to the bank."""
        self.table.move(self.gold[seat], self.bank, gold)

    def end_turn(self, seat: Seat) -> None:
        """What was done tonight is forgotten; the turn goes on clockwise, unless people moved it by hand."""
        for account in (self.holidays[seat], *self.done[seat].values()):
            if account.count:
                self.table.remove_markers(account)
        if self.turns[seat].count:
            self.table.move(self.turns[seat], self.turns[self.seats.starting_after(seat)[0]])

    def open_card(self, card: Card, prices: Mapping[str, Account]) -> None:
        """A market card lies open: its prices are marked."""
        self.faces.show([card], SEEN)
        for colour, account in prices.items():
            more = int(card.values[colour]) - account.count
            if more > 0:
                self.table.add_markers(account, more)
            else:
                self.table.remove_markers(account, -more)

    def turn_last(self) -> None:
        """The card that lay open since the round began is today's."""
        self.table.move_all(self.last, self.turned)
        for colour, account in self.final.items():
            self.table.remove_markers(self.today[colour])
            self.table.move_all(account, self.today[colour])

    def shuffle_market(self) -> None:
        """All market cards are one pile again; the prices hold until the next card."""
        self.table.move_all(self.turned, self.stack)
        self.faces.show(self.faces.cards_at(SEEN), UNSEEN_PLACE, (SEEN,))

    def calm(self, seat: Seat) -> None:
        """Without employees there is no discontent; without chips of its colour an effect is over."""
        if not self.employees(seat):
            for colour in self.chips[seat]:
                self.table.move_all(self.chips[seat][colour], self.chip_bag[colour])
        for colour, marks in self.effects.items():
            if marks[seat].count and not self.chips[seat][colour].count:
                self.table.remove_markers(marks[seat])

    def calm_all(self) -> None:
        """Calms every player, all at the same moment."""
        for seat in self.seats:
            self.calm(seat)

    def send_back(self, seat: Seat, chips: Mapping[str, int]) -> None:
        """Discontent chips go back to their bag."""
        for colour, number in chips.items():
            self.table.move(self.chips[seat][colour], self.chip_bag[colour], number)
        self.calm(seat)

    def leave(self, seat: Seat, number: int) -> None:
        """Removes employees from a player, who is calmed then."""
        self.table.remove_markers(self.workers[seat], number)
        self.calm(seat)

    def left_of(self, letter: str) -> int:
        """How many tiles of a letter can be drawn, after its discards are shuffled too."""
        return self.piles[letter].count + self.discards[letter].count

    def draw_tiles(self, seat: Seat, letter: str, number: int) -> None:
        """Tiles from the pile, and from the discards once it is empty; fewer where there are no more."""
        pile, drawn = self.piles[letter], self.drawn[letter][seat]
        first = self.table.move_up_to(pile, drawn, number)
        if first < number and self.discards[letter].count:
            self.table.move_all(self.discards[letter], pile)
            self.table.add_note(
                say("Shuffle the discarded {letter} tiles: they become the new pile.", letter=letter)
            )
            self.table.move_up_to(pile, drawn, number - first)

    def lay_tiles(self, seat: Seat, letter: str, tiles: Sequence[Card]) -> None:
        """Some of the drawn tiles into the tunnel, what is printed on them into the bag, the rest away."""
        table, drawn = self.table, self.drawn[letter][seat]
        table.move_up_to(drawn, self.tunnels[letter][seat], len(tiles))
        table.move_all(drawn, self.discards[letter])
        table.move_all(self.aside[letter], self.discards[letter])
        self.faces.show(tiles, LAID)
        for name, source in self.centre.items():
            printed = sum(int(tile.values["soil" if name == "soil" else f"{name}_gems"]) for tile in tiles)
            moved = table.move_up_to(source, self.bags[seat][name], printed)
            if moved < printed:
                table.add_note(_too_few(moved, source.piece))


def _too_few(moved: int, piece: Piece) -> Say:
    """What the centre could give instead of all that is printed."""
    if not moved:
        return say("The centre has no {piece} left and gives none.", piece=piece)
    return say("The centre gives only {pieces}: that's all it has left.", pieces=piece.quantity(moved))


def chips_named(colours: Sequence[str]) -> Say:
    """Several chips by their colours."""
    return say("{colours}", colours=say_list([COLOURS[colour] for colour in colours]))
