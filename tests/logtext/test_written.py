"""A laid table in words: what terminals and records write, in the order of the scene."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion import installed_games
from companion.cards import Card, FaceLayout
from companion.cards.deck import PrintedValues
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.monospace_text import display_width
from companion.requests import Done
from companion.rules.game import Game
from companion.rules.scene import (
    CardPile,
    CardSpread,
    ComputedCell,
    CountCell,
    CountGrid,
    LotRow,
    PieceRow,
    ProgressTrack,
    Scene,
    SceneSetup,
    SeatBadge,
    SeatMat,
)
from companion.scenes import (
    SceneView,
    TextTable,
    describe_card,
    evaluate_scene,
    middle_tables,
    other_holdings_tables,
    seat_table,
)
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece, Place
from companion.table.scores import GameResult
from companion.table.table import Table
from companion.terminal.table_text import print_seats
from companion.texts import render, say
from tests.support.terminal_sessions import piped_terminal, terminal_output

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")

COIN, GEM, CARD, FIRST = (Piece(key, say(key)) for key in ("coin", "gem", "card", "starts"))
TILES = tuple([Piece(f"tile {n}", say("tile {n}", n=n)) for n in (4, 5, 6)])
PURSE, FRONT, ROW, PILE, SHOP, BAG, STALL = (
    say(what) for what in ("purse", "front", "row", "pile", "shop", "bag", "stall")
)


async def rules(table: Table) -> GameResult:
    """Something of everything that a scene can name lies there."""
    aki, ben = table.seats
    lay = table.supply_from_box
    account = table.ledger.open_account
    lay(account(Place(PURSE, aki), COIN, covered=True), 7)
    lay(account(Place(PURSE, ben), COIN), 3)
    lay(account(Place(FRONT, ben), FIRST), 1)
    for tile in TILES[:2]:
        lay(account(Place(FRONT, ben), tile), 1)
    lay(account(Place(SHOP), TILES[2]), 1)
    lay(account(Place(PILE), CARD), 9)
    for slot, gems in ((1, 0), (2, 2)):
        lay(account(Place(ROW, slot=slot), CARD), 1)
        lay(account(Place(ROW, slot=slot), GEM), gems)
    lay(account(Place(STALL), CARD), 3)
    lay(account(Place(BAG), GEM, covered=True), 2)
    lay(account(Place(BAG), COIN, covered=True), 2)
    await Done(None, say("Well"))
    return GameResult(())


def scene(_: SceneSetup) -> Scene:
    """A word of the vocabulary each."""
    prices = CountGrid((GEM, COIN), ((say("price"), (ComputedCell(say("price"), lambda *_: (1, 4)), None)),))
    return Scene(
        SeatMat(
            CountCell(COIN, PURSE), (CountCell(GEM, PURSE, label=say("pips"), maximum=5),),
            (SeatBadge(FIRST, FRONT),),
            (PieceRow(FRONT, TILES, label=FRONT),),
        ),
        (
            LotRow(SHOP, TILES), prices,
            *[
                CardSpread(ROW, slot, back=CARD, on_top=(PieceRow(ROW, (GEM,), slot=slot),))
                for slot in (1, 2)
            ],
            CardSpread(STALL, back=CARD), CardPile(CARD, PILE),
            ProgressTrack(say("day"), ComputedCell(say("day"), lambda *_: 2), 7), PieceRow(PURSE, (COIN,)),
        ),
    )  # fmt: skip  # a word each


@pytest.fixture
def laid() -> SceneView:
    """That table."""
    game = Game("all", 1, say("All"), (2, 2), rules, scene=scene)
    session = Session.begin(game, ("Aki", "Ben"), {}, MemoryLog())
    return evaluate_scene(make_view(session), session.scene)


def text(tables: Iterable[TextTable]) -> list[list[str]]:
    """Every line of every table, heads first."""
    return [
        ["" if cell is None else render(cell) for cell in line]
        for table in tables
        for line in ((table.column_headings, *table.lines) if table.column_headings else table.lines)
    ]


def test_a_line_a_seat_has_the_numbers_of_its_mat_and_then_what_comes_and_goes(laid: SceneView) -> None:
    """Covered numbers are hidden, limited ones stand beside their limit, tiles are named once."""
    assert text([seat_table(laid)]) == [
        ["", "coin", "pips", ""],
        ["Aki", "hidden", "0/5", ""],
        ["Ben", "3", "0/5", "starts · front: tile 4, 5"],
    ]


def test_the_middle_is_written_in_the_order_of_the_scene(laid: SceneView) -> None:
    """A grid under its heads, a row of cards on one line with what lies on each, nothing of what is empty.

    Only cards of a row have numbers.
    """
    assert text(middle_tables(laid)) == [
        ["shop", "tile 6"],
        ["", "gem", "coin"],
        ["price", "1/4", "–"],
        ["row", "1: card · 2: card + 2 gems"],
        ["stall", "3 cards"],
        ["pile", "9"],
        ["day", "2/7"],
    ]


def test_all_else_is_written_place_by_place(laid: SceneView) -> None:
    """What the scene doesn't name is not lost, and what is covered is only said to be hidden."""
    assert text(other_holdings_tables(laid)) == [["bag", "gem, coin: hidden"]]


@pytest.mark.parametrize(
    ("printed", "words"),
    [({"name": "Books", "size": 3}, "Books"), ({"strength": 2}, "strength 2"), ({}, "another card")],
)
def test_a_card_is_called_by_its_name_or_by_what_is_printed_on_it(printed: PrintedValues, words: str) -> None:
    """Never by its code; of a card of which nothing is known only that it is one."""
    face = FaceLayout(big="name" if "name" in printed else "strength").build_face(
        Card(None, None, dict(printed))
    )
    assert render(describe_card(face)) == words


@pytest.mark.parametrize("game", ["bidders", "egypt", "high_bid", "mammon", "oyakata"])
def test_no_line_of_numbers_is_wider_than_a_terminal(game: str) -> None:
    """Columns that have no room on a line of 80 stand in a second table."""
    rules = installed_games.playable_game(game)
    session = Session.begin(rules, NAMES[: rules.players[1]], {}, MemoryLog(), seed=2)
    for language in languages():
        there = piped_terminal(language=language)
        seen = make_view(session)
        print_seats(there, seen, evaluate_scene(seen, session.scene))
        lines = [line for line in terminal_output(there).splitlines() if any(name in line for name in NAMES)]
        assert len(lines) >= len(session.table.seats)
        assert all(display_width(line) <= 80 for line in terminal_output(there).splitlines())
