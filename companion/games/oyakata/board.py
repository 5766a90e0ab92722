"""The board of Oyakata: its pieces and accounts, what is printed on cards and boards, and sums.

This module asks people nothing. The rules are in `rulebook.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.rulebook import (
    BOX,
    UNSEEN_PLACE,
    Account,
    Card,
    CountedItem,
    Deck,
    Piece,
    Place,
    Say,
    Seat,
    Table,
    UserError,
    say,
    say_list,
    say_n,
)

TILES_PER_LETTER, MARKET_CARD_COUNT, MAX_WORKERS = 35, 20, 5
VALUE_ROW_BY_TRACK = {"survey": "survey_taken"} | {
    name: name for name in ("dormitory", "storage", "negotiation", "kinds")
}
"""Name of the row of numbers printed along each track; digging counts its own steps."""

PrintedRowByName = Mapping[str, Sequence[int]]
"""The rows of numbers printed on the boards, by name."""

SOIL_COUNT, GEMS_PER_COLOUR, CHIPS_PER_COLOUR = 60, 15, 5
STARTING_SOIL, STARTING_MUD, STARTING_GOLD, STARTING_WORKERS = 3, 1, 3, 3
WAGE_PER_EMPLOYEE, LAST_WAGE_PER_EMPLOYEE = 2, 5
LETTERS = ("A", "B")
LABEL_BY_COLOUR = {
    "red": say("red"), "blue": say("blue"), "yellow": say("yellow"), "black": say("black"),
    "white": say("white"), "green": say("green"), "purple": say("purple"), "orange": say("orange"),
    "brown": say("brown"), "grey": say("grey"),
}  # fmt: skip  # a table

BANK, CENTRE, BAG, MARKET = say("bank"), say("centre"), say("bag"), say("market price")
PURSE, BOARD, STORAGE, TUNNEL = say("purse"), say("board"), say("storage"), say("tunnel")
DISCONTENT, DISCONTENT_BAG, TONIGHT = say("discontent"), say("discontent bag"), say("tonight")
PILE, DISCARDS, DRAWN, ASIDE = say("pile"), say("discards"), say("drawn tiles"), say("accidents")
FINAL, STACK, TRACK = say("final price"), say("market pile"), say("round track")
UPTURNED_CARD_PLACE = Place(say("turned up"))
PLACED_TILES_PLACE, SHOWN_MARKET_CARDS_PLACE = Place(say("laid tiles")), Place(say("seen market cards"))
"""Places for the faces that were shown: people have the tiles and the prices before them."""

GOLD = Piece(
    "gold", say("gold"), is_endless=True, look="coin", colour="yellow", count_label=say("{n} gold", n=2)
)
SOIL = Piece("soil", say("soil"), look="cube", colour="brown", count_label=say("{n} soil", n=2))
MUD = Piece("mud", say("mud"), look="cube", colour="grey", count_label=say("{n} mud", n=2))
EMBLEM_BY_TILE_LETTER = {"A": "🪨", "B": "🔦"}
TILE_BY_LETTER = {
    letter: Piece(
        f"tile {letter}",
        say("{letter} tile", letter=letter),
        look="tile",
        count_label=say_n("{n} {letter} tile", "{n} {letter} tiles", n=2, letter=letter),
        emblem=EMBLEM_BY_TILE_LETTER[letter],
    )
    for letter in LETTERS
}
CARD = Piece(
    "market card",
    say("market card"),
    look="card",
    count_label=say_n("{n} market card", "{n} market cards", n=2),
)
START_PLAYER_MARKER = Piece("start player", say("start player"), is_marker=True)
TURN_MARKER = Piece("turn", say("turn"), is_marker=True)
ROUND_MARKER = Piece(
    "round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2)
)
ILLNESS_MARKER = Piece("illness", say("illness"), is_endless=True, is_marker=True)
STRIKE_MARKER = Piece("strike", say("strike"), is_endless=True, is_marker=True)
HOLIDAY_MARKER = Piece("holiday", say("holiday"), is_endless=True, is_marker=True)

LASTING_EFFECT_BY_CHIP_COLOUR = {"blue": ILLNESS_MARKER, "black": STRIKE_MARKER}
"""Effects that last while a seat has chips of their colour."""
EFFECT_CHIP_COLOURS = ("blue", "black", "red", "yellow")
"""The colours of discontent chips with an effect; the fifth colour has none."""
MARKER_BY_TRACK = {
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
NIGHT_ACTION_LABELS = {
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
"""The actions of a night, with their labels."""
EMBLEM_BY_NIGHT_ACTION = {
    "survey_A": "🔍",
    "survey_B": "🔍",
    "hire": "🤝",
    "dismiss": "👋",
    "sell": "💎",
    "digging": "⛏",
    "survey": "🔭",
    "dormitory": "🛏",
    "storage": "📦",
    "negotiation": "💬",
    "kinds": "🎨",
}
ACTION_COUNTED_AS = {"survey_B": "survey_A", "kinds": "negotiation"}
"""Maps an action to the action that it counts as: a night has only one of the two."""


# Sums


def colour_kept_by_explosion(colours_from_bottom: Sequence[str]) -> str:
    """Returns the colour of the chips that an explosion keeps: the most common one in the stack.

    The stack begins with the lowest chip. If colours are tied, the one nearest the top is kept.
    """
    return max(reversed(colours_from_bottom), key=colours_from_bottom.count)


def redundancy_pay(dismissed_count: int) -> int:
    """Returns the redundancy pay for this many employees at once: 1, 3, 6 or 10."""
    return dismissed_count * (dismissed_count + 1) // 2


class PaidAndUnpaidEmployees(NamedTuple):
    """Numbers of paid and of unpaid employees."""

    paid: int
    unpaid: int


def count_paid_employees(employees: int, gold: int, wage_each: int) -> PaidAndUnpaidEmployees:
    """Returns how many employees the gold pays, and how many it doesn't."""
    paid = min(employees, gold // wage_each)
    return PaidAndUnpaidEmployees(paid, employees - paid)


def sale_proceeds(
    count_by_colour: Mapping[str, int], price_by_colour: Mapping[str, int], bonus_per_gem: int
) -> int:
    """Returns the gold for sold gems: today's price and the bonus for each."""
    return sum(count * (price_by_colour[colour] + bonus_per_gem) for colour, count in count_by_colour.items())


def most_expensive_held_colours(
    count_by_colour: Mapping[str, int], price_by_colour: Mapping[str, int]
) -> list[str]:
    """Returns the held gem colours with the highest price, several if tied."""
    highest_price = max(
        (price_by_colour[colour] for colour, count in count_by_colour.items() if count), default=0
    )
    return [
        colour
        for colour, count in count_by_colour.items()
        if count and price_by_colour[colour] == highest_price
    ]


# What is printed


def printed_value_at_level(values: Sequence[int], level: int) -> int:
    """Returns the number printed at a marker's place; the last number if the marker is too far."""
    return values[min(level, len(values) - 1)]


def next_step_price(printed: PrintedRowByName, track: str, level: int) -> int | None:
    """Returns the cost of a marker's next step; None on its last place."""
    prices = printed[f"{track}_prices"]
    return prices[level] if level < len(prices) else None


def remaining_hire_prices(printed: PrintedRowByName, worker_count: int) -> Sequence[int]:
    """Returns the prices of the employees that can still be hired, the next one first."""
    return printed["hire_prices"][worker_count:MAX_WORKERS]


def gem_colours(deck: Deck) -> list[str]:
    """Returns the colours of gems: those with a price on every market card."""
    return [name for name, field in deck.fields.items() if field.on == {"kind": "market"}]


def chip_colour_without_effect(deck: Deck) -> str:
    """Returns the colour of the chips without an effect."""
    return str(next(design.values["colour"] for design in deck.designs if design.values["kind"] == "chip"))


def count_accident_tiles(deck: Deck) -> int:
    """Returns the number of tiles that show an accident."""
    return sum(design.copies for design in deck.designs if design.values.get("accident") == "yes")


def check_deck(deck: Deck) -> list[Say]:
    """Checks the deck and returns warnings; raises `UserError` for impossible cards or boards."""
    counts = {"market": 0, "A": 0, "B": 0, "chip": 0}
    for design in deck.designs:
        kind = str(design.values["kind"])
        counts[str(design.values["letter"]) if kind == "tile" else kind] += design.copies
        if design.values.get("letter") == "A" and design.values["accident"] == "yes":
            raise UserError(
                say("card {id}: this is an A tile, and A tiles never show an accident.", id=design.id)
            )
    required_counts = {"market": MARKET_CARD_COUNT, "A": TILES_PER_LETTER, "B": TILES_PER_LETTER, "chip": 1}
    for name, required_count in required_counts.items():
        if counts[name] != required_count:
            text = "The number of cards of kind {kind} must be {wanted}, not {count}."
            raise UserError(say(text, wanted=required_count, kind=name, count=counts[name]))
    _check_printed_rows(deck.board)
    return [] if count_accident_tiles(deck) else [say("At least one B tile must show an accident.")]


def _check_printed_rows(board: Mapping[str, Sequence[int]]) -> None:
    for name in ("survey_taken", "survey_placed", "dormitory", "storage", "negotiation", "kinds"):
        if sorted(board[name]) != list(board[name]):
            raise UserError(say("The numbers in board.{key} must not get smaller.", key=name))
    for track, values in VALUE_ROW_BY_TRACK.items():
        prices = f"{track}_prices"
        if len(board[prices]) != len(board[values]) - 1:
            text = "board.{key} needs one number fewer than board.{values}."
            raise UserError(say(text, key=prices, values=values))
    for taken_count, placed_count in zip(board["survey_taken"], board["survey_placed"], strict=True):
        if placed_count > taken_count:
            raise UserError(say("board.survey_placed can't be higher than board.survey_taken."))


# Pieces, and the board


def make_gem_piece(colour: str) -> Piece:
    """Returns the gem piece of a colour."""
    label = say("{colour} gem", colour=LABEL_BY_COLOUR[colour])
    count_label = say_n("{n} {colour} gem", "{n} {colour} gems", n=2, colour=LABEL_BY_COLOUR[colour])
    return Piece(f"{colour} gem", label, look="gem", colour=colour, count_label=count_label)


def make_chip_piece(colour: str) -> Piece:
    """Returns the discontent chip piece of a colour."""
    label = say("{colour} chip", colour=LABEL_BY_COLOUR[colour])
    count_label = say_n("{n} {colour} chip", "{n} {colour} chips", n=2, colour=LABEL_BY_COLOUR[colour])
    return Piece(f"{colour} chip", label, look="chip", colour=colour, count_label=count_label)


def make_gem_price_marker(colour: str) -> Piece:
    """Returns the marker of a gem's price; there is one marker for each gold."""
    label = say("{colour} gem price (gold)", colour=LABEL_BY_COLOUR[colour])
    return Piece(f"{colour} price", label, is_endless=True, is_marker=True, look="gem", colour=colour)


@lru_cache
def turn_heading(round_number: int, card_number: int, total_wages: int) -> Say:
    """Returns the heading of a turn: the round, the market card, and the wages to pay."""
    text = "Round {round} · card {n}/{cards} · wages {gold}"
    return say(text, round=round_number, n=card_number, cards=MARKET_CARD_COUNT, gold=total_wages)


class Board:
    """The accounts of a match of Oyakata, and what can be read from them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.deck = deck = table.find_deck("oyakata")
        self.printed = deck.board
        self.accidents_in_all = count_accident_tiles(deck)
        self.colours = gem_colours(deck)
        self.rounds = int(table.options["rounds"] or 0)
        self.boss_on_track = table.options["boss_on_track"] == "true"
        self.has_discontent = table.options["discontent"] == "true"
        self.faces = table.track_faces("oyakata", PLACED_TILES_PLACE, SHOWN_MARKET_CARDS_PLACE)
        self._set_up_market()
        self._set_up_money_and_tracks()
        self._set_up_bags_and_gems()
        self._set_up_discontent(chip_colour_without_effect(deck))
        self._set_up_tile_piles()
        table.after_moves_by_hand = self.remove_ended_discontent_of_all

    def _set_up_market(self) -> None:
        table = self.table
        marker_by_colour = {colour: make_gem_price_marker(colour) for colour in self.colours}
        self.price_markers_today = table.account_by_key(marker_by_colour, MARKET)
        self.final_price_markers = table.account_by_key(marker_by_colour, FINAL)
        self.last_card_account = table.account(CARD, FINAL)
        self.market_pile = table.supply_from_box(table.account(CARD, STACK), MARKET_CARD_COUNT)
        self.upturned_account = table.ledger.open_account(UPTURNED_CARD_PLACE, CARD)

    def _set_up_money_and_tracks(self) -> None:
        table = self.table
        self.bank = table.account(GOLD, BANK)
        self.gold = table.account_by_seat(GOLD, PURSE)
        capacity_by_track = {
            name: len(self.printed["hire_prices" if name == "workers" else f"{name}_prices"])
            for name in MARKER_BY_TRACK
        }
        self.tracks = {
            name: table.account_by_seat(piece, BOARD, capacity=capacity_by_track[name])
            for name, piece in MARKER_BY_TRACK.items()
        }
        self.workers = self.tracks["workers"]
        for seat in self.seats:
            table.supply_from_box(self.gold[seat], STARTING_GOLD)
            table.supply_from_box(self.workers[seat], STARTING_WORKERS)
        self.start_player_marks = table.account_by_seat(START_PLAYER_MARKER, BOARD)
        self.turn_marks = table.account_by_seat(TURN_MARKER, BOARD)
        for marker in (START_PLAYER_MARKER, TURN_MARKER):
            table.supply_from_box(table.account(marker, BOX))
        self.effects = {
            colour: table.account_by_seat(piece, BOARD)
            for colour, piece in LASTING_EFFECT_BY_CHIP_COLOUR.items()
        }
        self.holidays = table.account_by_seat(HOLIDAY_MARKER, TONIGHT)
        marker_by_action = {
            key: Piece(f"done {key}", name, is_endless=True, is_marker=True)
            for key, name in NIGHT_ACTION_LABELS.items()
        }
        counted_marker_by_action = {
            key: marker_by_action[ACTION_COUNTED_AS.get(key, key)] for key in marker_by_action
        }
        self.action_marks_tonight = {
            seat: table.account_by_key(counted_marker_by_action, TONIGHT, seat) for seat in self.seats
        }
        self.round = table.round_counter = table.account(ROUND_MARKER, TRACK)

    def _set_up_bags_and_gems(self) -> None:
        table = self.table
        gem_by_colour = {colour: make_gem_piece(colour) for colour in self.colours}
        piece_by_name = {"soil": SOIL, "mud": MUD} | gem_by_colour
        # A bag belongs to no seat, because its owner mustn't look into it either.
        bag_by_seat = {
            seat: Place(BAG, None, seat.number, say("{seat}'s bag", seat=seat)) for seat in self.seats
        }
        covered = table.options["bag_odds"] != "true"
        self.bags = {
            seat: {
                name: table.ledger.open_account(place, piece, covered=covered)
                for name, piece in piece_by_name.items()
            }
            for seat, place in bag_by_seat.items()
        }
        self.item_by_bag_content = {
            seat: {name: CountedItem(account.piece, account) for name, account in accounts.items()}
            for seat, accounts in self.bags.items()
        }
        self.centre = table.account_by_key({"soil": SOIL} | gem_by_colour, CENTRE)
        self.gems_in_storage = {
            seat: table.account_by_key(gem_by_colour, STORAGE, seat) for seat in self.seats
        }
        for name, account in self.centre.items():
            table.supply_from_box(account, GEMS_PER_COLOUR if name in self.colours else SOIL_COUNT)
        for accounts in self.bags.values():
            table.supply_from_box(accounts["mud"], STARTING_MUD)
            table.move(self.centre["soil"], accounts["soil"], STARTING_SOIL)

    def _set_up_discontent(self, effectless_colour: str) -> None:
        table = self.table
        chip_by_colour = {
            colour: make_chip_piece(colour) for colour in (*EFFECT_CHIP_COLOURS, effectless_colour)
        }
        self.discontent_stacks = {seat: table.make_pile(DISCONTENT, seat) for seat in self.seats}
        self.discontent_chips = {
            seat: table.account_by_key(chip_by_colour, DISCONTENT, seat) for seat in self.seats
        }
        self.chip_bag = table.account_by_key(chip_by_colour, DISCONTENT_BAG)
        for account in self.chip_bag.values():
            table.supply_from_box(account, CHIPS_PER_COLOUR)

    def _set_up_tile_piles(self) -> None:
        table = self.table
        self.tile_piles = table.account_by_key(TILE_BY_LETTER, PILE)
        self.discarded_tiles = table.account_by_key(TILE_BY_LETTER, DISCARDS)
        self.accident_tiles = table.account_by_key(TILE_BY_LETTER, ASIDE)
        self.drawn_tiles = {
            letter: table.account_by_seat(piece, DRAWN) for letter, piece in TILE_BY_LETTER.items()
        }
        self.tunnels = {
            letter: table.account_by_seat(piece, TUNNEL) for letter, piece in TILE_BY_LETTER.items()
        }
        for pile in self.tile_piles.values():
            table.supply_from_box(pile, TILES_PER_LETTER)

    # What can be read

    def track_level(self, seat: Seat, track: str) -> int:
        """Returns the number of steps that a seat's marker has made on a track."""
        return self.tracks[track][seat].count

    def track_value(self, seat: Seat, track: str, printed_row: str = "") -> int:
        """Returns the number printed on a track at a seat's marker; the last one if it is too far."""
        return printed_value_at_level(
            self.printed[printed_row or VALUE_ROW_BY_TRACK[track]], self.track_level(seat, track)
        )

    def actions_taken_tonight(self, seat: Seat) -> int:
        """Returns the number of actions that a player has taken tonight."""
        return sum(
            [
                account.count
                for key, account in self.action_marks_tonight[seat].items()
                if key not in ACTION_COUNTED_AS
            ]
        )

    def employee_count(self, seat: Seat) -> int:
        """Returns the number of a seat's workers without the boss."""
        return max(self.workers[seat].count - self.boss_on_track, 0)

    @property
    def wage_per_employee_this_round(self) -> int:
        """The wage of each employee at the end of this round; 0 if only one round is played."""
        if self.rounds == 1:
            return 0
        return LAST_WAGE_PER_EMPLOYEE if self.round.count == self.rounds else WAGE_PER_EMPLOYEE

    def free_gem_storage(self, seat: Seat) -> int:
        """Returns how many more gems fit into the storage."""
        stored_count = sum([account.count for account in self.gems_in_storage[seat].values()])
        return max(self.track_value(seat, "storage") - stored_count, 0)

    def has_gems(self, seat: Seat) -> bool:
        """Returns True if any gem is in the storage."""
        return any(account.count for account in self.gems_in_storage[seat].values())

    def discontent_chip_count(self, seat: Seat) -> int:
        """Returns the number of discontent chips of a player."""
        return len(self.table.ledger.piles[self.discontent_stacks[seat]])

    def chip_colours_from_bottom(self, seat: Seat) -> list[str]:
        """Returns the colours of a player's discontent chips, the lowest chip first."""
        colours = {account.piece: colour for colour, account in self.discontent_chips[seat].items()}
        return [colours[piece] for piece in self.table.ledger.piles[self.discontent_stacks[seat]]]

    def suffers_effect(self, seat: Seat, colour: str) -> bool:
        """Returns True while a seat suffers the effect of a colour: illness (blue) or strike (black)."""
        return bool(self.effects[colour][seat].count and self.discontent_chips[seat][colour].count)

    def gem_price_today_by_colour(self) -> dict[str, int]:
        """Returns today's price of each gem."""
        return {colour: account.count for colour, account in self.price_markers_today.items()}

    def mark_holder(self, mark_accounts: Mapping[Seat, Account]) -> Seat:
        """Returns the seat that holds a mark; the first seat if people took the mark away by hand."""
        return self.table.first_holder(mark_accounts) or self.seats[0]

    def chips_in_bag(self, seat: Seat) -> int:
        """Returns the number of chips left in a seat's bag."""
        return sum([account.count for account in self.bags[seat].values()])

    # What is shown and moved

    def show_turn_heading(self, seat: Seat) -> None:
        """Shows the heading of a turn: the round, its market card, and what the employees will cost."""
        wages_due = self.wage_per_employee_this_round * self.employee_count(seat)
        self.table.heading = turn_heading(self.round.count, self.upturned_account.count, wages_due)

    def pay_gold_to_bank(self, seat: Seat, amount: int) -> None:
        """Moves gold of a seat to the bank."""
        self.table.move(self.gold[seat], self.bank, amount)

    def end_turn(self, seat: Seat) -> None:
        """Ends a seat's turn: clears tonight's actions and passes the turn clockwise.

        If people moved the turn by hand, nothing is passed.
        """
        for account in (self.holidays[seat], *self.action_marks_tonight[seat].values()):
            if account.count:
                self.table.remove_markers(account)
        if self.turn_marks[seat].count:
            self.table.move(self.turn_marks[seat], self.turn_marks[self.seats.starting_after(seat)[0]])

    def show_market_card(self, card: Card, price_accounts: Mapping[str, Account]) -> None:
        """Shows a market card and marks its prices."""
        self.faces.move_faces([card], SHOWN_MARKET_CARDS_PLACE)
        for colour, account in price_accounts.items():
            change = int(card.values[colour]) - account.count
            if change > 0:
                self.table.add_markers(account, change)
            else:
                self.table.remove_markers(account, -change)

    def apply_last_market_card(self) -> None:
        """Makes the last market card, which was face up since the round began, today's card."""
        self.table.move_all(self.last_card_account, self.upturned_account)
        for colour, account in self.final_price_markers.items():
            self.table.remove_markers(self.price_markers_today[colour])
            self.table.move_all(account, self.price_markers_today[colour])

    def reshuffle_market_cards(self) -> None:
        """Makes all market cards one pile again; the prices hold until the next card."""
        self.table.move_all(self.upturned_account, self.market_pile)
        self.faces.move_faces(
            self.faces.known_cards_at(SHOWN_MARKET_CARDS_PLACE), UNSEEN_PLACE, (SHOWN_MARKET_CARDS_PLACE,)
        )

    def remove_ended_discontent(self, seat: Seat) -> None:
        """Removes a seat's discontent that has ended.

        A seat without employees returns its chips. An effect ends without chips of its colour.
        """
        if not self.employee_count(seat):
            for colour in self.discontent_chips[seat]:
                self.table.move_all(self.discontent_chips[seat][colour], self.chip_bag[colour])
        for colour, marker_by_seat in self.effects.items():
            if marker_by_seat[seat].count and not self.discontent_chips[seat][colour].count:
                self.table.remove_markers(marker_by_seat[seat])

    def remove_ended_discontent_of_all(self) -> None:
        """Removes discontent that has ended from all seats."""
        for seat in self.seats:
            self.remove_ended_discontent(seat)

    def return_discontent_chips(self, seat: Seat, count_by_colour: Mapping[str, int]) -> None:
        """Returns discontent chips of a seat to their bag."""
        for colour, count in count_by_colour.items():
            self.table.move(self.discontent_chips[seat][colour], self.chip_bag[colour], count)
        self.remove_ended_discontent(seat)

    def remove_employees(self, seat: Seat, count: int) -> None:
        """Removes employees from a seat.

        Discontent that has ended with them is removed too.
        """
        self.table.remove_markers(self.workers[seat], count)
        self.remove_ended_discontent(seat)

    def tiles_left(self, letter: str) -> int:
        """Returns how many tiles of a letter can be drawn, discards included."""
        return self.tile_piles[letter].count + self.discarded_tiles[letter].count

    def draw_tiles(self, seat: Seat, letter: str, max_count: int) -> None:
        """Draws tiles of a letter; fewer if there are no more.

        The pile comes first, then the shuffled discards.
        """
        pile, drawn = self.tile_piles[letter], self.drawn_tiles[letter][seat]
        drawn_from_pile = self.table.move_up_to(pile, drawn, max_count)
        if drawn_from_pile < max_count and self.discarded_tiles[letter].count:
            self.table.move_all(self.discarded_tiles[letter], pile)
            self.table.add_note(
                say("The discarded {letter} tiles are shuffled: they become the new pile.", letter=letter)
            )
            self.table.move_up_to(pile, drawn, max_count - drawn_from_pile)

    def place_drawn_tiles_in_tunnel(self, seat: Seat, letter: str, tiles: Sequence[Card]) -> None:
        """Places drawn tiles in the tunnel and discards the rest.

        The bag is filled with what is printed on the placed tiles.
        """
        table, drawn = self.table, self.drawn_tiles[letter][seat]
        table.move_up_to(drawn, self.tunnels[letter][seat], len(tiles))
        table.move_all(drawn, self.discarded_tiles[letter])
        table.move_all(self.accident_tiles[letter], self.discarded_tiles[letter])
        self.faces.move_faces(tiles, PLACED_TILES_PLACE)
        for name, source in self.centre.items():
            printed_count = sum(
                int(tile.values["soil" if name == "soil" else f"{name}_gems"]) for tile in tiles
            )
            moved = table.move_up_to(source, self.bags[seat][name], printed_count)
            if moved < printed_count:
                table.add_note(_describe_shortage(moved, source.piece))


def _describe_shortage(moved: int, piece: Piece) -> Say:
    """Returns a text that says that the centre gives less than is printed, and how much."""
    if not moved:
        return say("The centre has no {piece} left and gives none.", piece=piece)
    return say("The centre gives only {pieces}: that's all it has left.", pieces=piece.quantity_text(moved))


def describe_chip_colours(colours: Sequence[str]) -> Say:
    """Returns chips as text, by their colours."""
    return say("{colours}", colours=say_list([LABEL_BY_COLOUR[colour] for colour in colours]))
