"""Numbered tiles or cards to bid with: which tiles each side may bid, and what happens with a paid tile.

The board of the template lists the numbers. Tiles are pieces, so people can move them by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.games.any_game.state import LOTS_GROUP, FeatureState, MenuAction, NeededPieces, TemplateState
from companion.games.any_game.template import Template, find_reserved_place_name_errors
from companion.rulebook import Account, Piece, PieceRow, Say, Seat, UserError, say, say_list

MONEY, DEALT, EACH, SHARED = "money", "dealt", "each", "shared"
"""Words of the template for what people bid with."""
WORDS_WITH_TILES_BEFORE_SEATS, WORDS_WITH_TILES_IN_MIDDLE = (DEALT, EACH), (DEALT, SHARED)
TILES, USED_TILES = say("bid tiles"), say("used bid tiles")
"""Names of places: before a seat, and in the middle."""
MIN_DEALT_TILES = 3
"""The fewest tiles that can be dealt: one for each of two players, and one for the middle."""


class TileRules(msgspec.Struct, frozen=True):
    """Rules for what people bid with; any_game.toml explains each word."""

    bid_with: str = MONEY


def bids_with_tiles(template: Template) -> bool:
    """Returns whether people bid with numbered tiles instead of money."""
    return template.read_rules(TileRules).bid_with != MONEY


def make_tile(number: int) -> Piece:
    """Returns the tile with a number."""
    return Piece(f"bid tile {number}", say("tile {n}", n=number))


def tile_by_number(template: Template) -> dict[int, Piece]:
    """Returns all tiles of a template by their number, in ascending order; none if people bid money."""
    numbers = template.tile_numbers if bids_with_tiles(template) else ()
    return {number: make_tile(number) for number in sorted(set(numbers))}


class BidTiles(FeatureState):
    """The tiles before each side and in the middle: those that can be bid, and those that are used.

    Dealt tiles lie before the sides, in the order of seats and of the list, each side the same number. The
    next tile lies in the middle, and those left stay in the box. With `each`, all tiles lie before each side;
    with `shared`, all lie in the middle.
    """

    def __init__(self, state: TemplateState) -> None:
        self._table, template = state.table, state.template
        self.distribution = template.read_rules(TileRules).bid_with
        tiles = tile_by_number(template)
        sides = tuple(dict.fromkeys(state.captain_by_seat.values()))
        self._tiles_by_seat, self._used_tiles_by_seat = (
            {seat: state.table.account_by_key(tiles, place, seat) for seat in state.seats}
            if self.distribution in WORDS_WITH_TILES_BEFORE_SEATS
            else {}
            for place in (TILES, USED_TILES)
        )
        self._middle_tiles = (
            state.table.account_by_key(tiles, TILES)
            if self.distribution in WORDS_WITH_TILES_IN_MIDDLE
            else {}
        )
        self._used_middle_tiles = (
            state.table.account_by_key(tiles, USED_TILES) if self.distribution == SHARED else {}
        )
        numbers = template.tile_numbers
        if self.distribution == DEALT:
            self._deal(sides, numbers)
        elif self.distribution == EACH:
            for side in sides:
                self._supply(self._tiles_by_seat[side], numbers)
        elif self.distribution == SHARED:
            self._supply(self._middle_tiles, numbers)

    def _deal(self, sides: Sequence[Seat], numbers: Sequence[int]) -> None:
        """Deals tiles evenly and puts one into the middle."""
        count_each = (len(numbers) - 1) // len(sides)
        for index, side in enumerate(sides):
            first = index * count_each
            self._supply(self._tiles_by_seat[side], numbers[first : first + count_each])
        self._supply(self._middle_tiles, numbers[count_each * len(sides) :][:1])

    def _supply(self, account_by_number: Mapping[int, Account], numbers: Sequence[int]) -> None:
        """Puts tiles with these numbers from the box to a place."""
        for number in numbers:
            self._table.supply_from_box(account_by_number[number])

    def tiles_to_bid(self, side: Seat) -> Mapping[int, Account]:
        """Returns the tiles that a side may bid, by number; a tile counts only while it lies there."""
        return self._middle_tiles if self.distribution == SHARED else self._tiles_by_seat[side]

    def has_tile_to_bid(self, side: Seat) -> bool:
        """Returns whether a side has a tile that it may bid."""
        return any(account.count > 0 for account in self.tiles_to_bid(side).values())

    def pay_tile(self, side: Seat, number: int) -> None:
        """Uses the tile that a side has bid, and announces it.

        A dealt tile changes places with the tiles in the middle, which the side can't bid until they are
        taken back. Another tile is used up. A tile that people have moved away by hand stays where it is.
        """
        source = self.tiles_to_bid(side)[number]
        if source.count <= 0:
            return
        if self.distribution == DEALT:
            self._exchange_with_middle(side, number)
            return
        used_tiles = self._used_tiles_by_seat.get(side, self._used_middle_tiles)
        self._table.move(source, used_tiles[number])
        self._table.add_note(say("{seat} has used {tile}.", seat=side, tile=source.piece))

    def _exchange_with_middle(self, side: Seat, number: int) -> None:
        """Puts a side's tile into the middle; the tiles that lay there become used tiles of the side."""
        taken = [other for other, account in self._middle_tiles.items() if account.count > 0]
        for other in taken:
            self._table.move_all(self._middle_tiles[other], self._used_tiles_by_seat[side][other])
        self._table.move(self._tiles_by_seat[side][number], self._middle_tiles[number])
        tile = make_tile(number)
        text = say("{seat} puts {tile} in the middle.", seat=side, tile=tile)
        if taken:
            tiles = say_list([make_tile(other) for other in taken])
            text = say(
                "{seat} puts {tile} in the middle and takes {tiles}.", seat=side, tile=tile, tiles=tiles
            )
        self._table.add_note(text)

    @property
    def used_accounts(self) -> list[Account]:
        """The accounts of all used tiles."""
        used_tiles = [self._used_middle_tiles, *self._used_tiles_by_seat.values()]
        return [account for account_by_number in used_tiles for account in account_by_number.values()]

    def take_back_all(self) -> bool:
        """Makes all used tiles available again; returns whether there were any."""
        sources_and_targets = [
            (self._used_middle_tiles, self._middle_tiles),
            *((used, self._tiles_by_seat[seat]) for seat, used in self._used_tiles_by_seat.items()),
        ]
        moves = [
            (used, target_by_number[number])
            for used_by_number, target_by_number in sources_and_targets
            for number, used in used_by_number.items()
            if used.count > 0
        ]
        for used, target in moves:
            self._table.move_all(used, target)
        return bool(moves)


def find_used_tiles(state: TemplateState) -> NeededPieces:
    """Returns all used tiles, without which none can be taken back."""
    return NeededPieces(BidTiles.of(state).used_accounts, say("No tile has been used."))


async def return_all_used_tiles(state: TemplateState) -> None:
    """Makes all used tiles available again, such as for a new round, and announces it."""
    is_changed = BidTiles.of(state).take_back_all()
    state.table.add_note(
        say("All used tiles can be bid again.") if is_changed else say("No tile has been used.")
    )


def build_tile_rows(template: Template) -> Iterator[PieceRow]:
    """Yields the rows of a seat's tiles, if tiles lie before the seats."""
    if template.read_rules(TileRules).bid_with in WORDS_WITH_TILES_BEFORE_SEATS:
        tiles = tuple(tile_by_number(template).values())
        yield PieceRow(TILES, tiles, label=say("tiles"))
        yield PieceRow(USED_TILES, tiles, label=say("used"))


def build_middle_tile_rows(template: Template) -> Iterator[PieceRow]:
    """Yields the rows of the tiles in the middle, if there are any."""
    distribution, tiles = template.read_rules(TileRules).bid_with, tuple(tile_by_number(template).values())
    if distribution in WORDS_WITH_TILES_IN_MIDDLE:
        yield PieceRow(TILES, tiles, label=say("tiles"))
    if distribution == SHARED:
        yield PieceRow(USED_TILES, tiles, label=say("used"))


def check_enough_tiles(template: Template, player_count: int) -> None:
    """Raises `UserError` if there are too few tiles to deal one to each side and one into the middle."""
    side_count = min(template.general_rules.teams or player_count, player_count)
    tile_count, needed_count = len(template.tile_numbers), side_count + 1
    if template.read_rules(TileRules).bid_with == DEALT and tile_count < needed_count:
        text = "With {count} players, this template needs at least {least} tiles, but it has only {n}."
        raise UserError(say(text, count=player_count, least=needed_count, n=tile_count))


def find_tile_errors(template: Template) -> Iterator[Say]:
    """Yields errors of a template with tiles: too few to deal, and names that mean tiles or their places."""
    if not bids_with_tiles(template):
        return
    if template.read_rules(TileRules).bid_with == DEALT and len(template.tile_numbers) < MIN_DEALT_TILES:
        text = '"bid_with = dealt" needs at least {least} tiles: one for each player, and one for the middle.'
        yield say(text, least=MIN_DEALT_TILES)
    tile_ids = {tile.key for tile in tile_by_number(template).values()}
    for design in template.deck.designs:
        if design.id in tile_ids:
            yield say("{id} is a reserved name. Choose another name.", id=design.id)
    yield from find_reserved_place_name_errors(template, (TILES.template, USED_TILES.template))


MENU = (
    MenuAction("tiles", say("Used tiles back"), return_all_used_tiles, LOTS_GROUP,
               lambda state: bids_with_tiles(state.template), find_used_tiles),
)  # fmt: skip  # a menu
