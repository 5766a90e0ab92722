"""Where only a correction by hand can lead: rulebooks go on as the table stands."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cards import shipped_deck
from companion.games.high_bid import board as high_bid_board
from companion.games.high_bid import rulebook as high_bid
from companion.games.mammon import board as mammon_board
from companion.games.mammon import rulebook as mammon
from companion.rules.game import Game
from companion.session.session import find_no_card
from companion.table.seats import SEAT_COLOURS, make_seats
from companion.table.table import Table


def table_of(game: Game) -> Table:
    """An empty table of a game for two."""
    decks = {name: shipped_deck(name) for name in game.decks}
    return Table(make_seats(["Aki", "Ben"], SEAT_COLOURS), game.parse_options({}), decks, find_no_card)


def test_nothing_is_bought_where_the_last_card_was_taken_away() -> None:
    """Mammon: who would buy from an empty row buys nothing, and play goes on."""
    board = mammon_board.Board(table_of(mammon.GAME))
    for slot in board.filled_market_slots:
        board.table.move(board.market[slot], board.hands[board.seats[1]])
    buys: Any = mammon.ask_and_buy_card(board, board.seats[0])
    with pytest.raises(StopIteration):
        buys.send(None)


def test_a_buyers_card_that_was_laid_into_a_section_is_not_sold() -> None:
    """High Bid: the board sells properties alone."""
    board = high_bid_board.Board(table_of(high_bid.GAME))
    gallery = high_bid_board.PLACE_BY_SECTION["gallery"]
    cards = {
        kind: board.faces.parse_card({"card": name})
        for kind, name in (("buyer", "buyer.1"), ("books", "books.1"))
    }
    board.move_cards_face_up(cards.values(), high_bid_board.PILE_PLACE, gallery)
    assert [card.id for _, card in board.properties_for_sale("gallery").values()] == ["books.1"]
