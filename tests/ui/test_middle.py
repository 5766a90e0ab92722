"""The middle of a table: every part is called something, and all that lies there is drawn and written."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.cards import CardDesign, Deck
from companion.commands.new import write_new_game
from companion.log.log import MemoryLog
from companion.requests import Done
from companion.rules.game import Game
from companion.rules.scene import (
    CardPile,
    CardSpread,
    ComputedCell,
    CountCell,
    LotQueue,
    LotRow,
    MiddlePart,
    PieceRow,
    Scene,
)
from companion.scenes import SceneView, evaluate_scene
from companion.scenes import middle_tables as middle_in_words
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.table.scores import GameResult
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say

CARD, COIN = Piece("card", say("card"), look="card"), Piece("coin", say("coin"), look="coin")
TILES = tuple([Piece(f"tile {n}", say("tile {n}", n=n)) for n in (4, 5)])
HALL, PILE = say("hall"), say("pile")
NAMES = ("book", "lamp", "map", "key", "urn", "cup", "bell", "ring")
DECK = Deck("hall", tuple([CardDesign(name, 1, {"name": name}) for name in NAMES]))
ROOM = (440.0, 330.0)
"""What the middle has of a panel with 800 × 480 pixels."""


def laid(parts: tuple[MiddlePart, ...], faces: int, backs: int, slot: int | None = None) -> SceneView:
    """In the hall lie so many open cards and so many face down, two coins and two tiles."""

    async def rules(table: Table) -> GameResult:
        deck = table.track_faces("hall")
        pile = table.supply_from_box(table.account(CARD, PILE), len(NAMES))
        hall = table.supply_from_box(table.account(CARD, HALL, slot=slot), backs)
        table.supply_from_box(table.account(COIN, HALL, slot=slot), 2)
        for tile in TILES:
            table.supply_from_box(table.account(tile, HALL, slot=slot))
        deck.move_cards_openly([deck.deck.cards[name] for name in NAMES[:faces]], pile, hall)
        await Done(None, say("Well"))
        return GameResult(())

    scene = (lambda _: Scene(middle=parts)) if parts else None
    game = Game("hall", 1, say("Hall"), (2, 2), rules, decks=("hall",), scene=scene)
    session = Session.begin(game, ("Aki", "Ben"), {}, MemoryLog(), deck_by_name={"hall": DECK})
    return evaluate_scene(make_view(session), session.scene)


def in_words(table: SceneView) -> list[str]:
    """The lines that terminal and record write of the middle."""
    return [
        " ".join(render(cell) for cell in line if cell is not None)
        for each in middle_in_words(table)
        for line in each.lines
    ]


@pytest.fixture
def middle(kivy_window: Any) -> Any:
    """The middle of a table on a small panel."""
    from ui.widgets.drawing.text import load_fonts
    from ui.widgets.pieces.middle import TableMiddle

    assert kivy_window
    load_fonts()
    return TableMiddle()


def drawn(middle: Any, table: SceneView, size: tuple[float, float] = ROOM) -> list[str]:
    """What each mark says; each stands within the middle."""
    middle.parts, middle.size = table.middle_parts, size
    middle.choose_line_height()
    middle._draw(0)
    for one in middle.placed:
        assert middle.y - 1 <= one.y, one.mark.visible_text
        assert one.x + one.mark.width_at(one.line_height) <= middle.right + 1, one.mark.visible_text
    return [str(text) for text in middle.visible_texts]


UNNAMED: dict[str, tuple[MiddlePart, ...]] = {
    "cards": (CardSpread(HALL),),
    "cards with a back": (CardSpread(HALL, back=CARD),),
    "a slot": (CardSpread(HALL, 3, back=CARD),),
    "a pile": (CardPile(CARD, HALL),),
    "a row of pieces": (PieceRow(HALL, (COIN, *TILES)),),
    "a row of open cards": (PieceRow(HALL),),
    "a row at a slot": (PieceRow(HALL, (COIN,), slot=3),),
    "lots": (LotRow(HALL, TILES),),
    "no scene": (),
}


@pytest.mark.parametrize("part", UNNAMED)
@pytest.mark.parametrize("faces", [1, 2])
def test_a_part_without_a_label_is_called_after_its_place(middle: Any, part: str, faces: int) -> None:
    """On the window, in the terminal and in the record; nothing is called None or by a dash."""
    slot = 3 if "slot" in part else None
    table = laid(UNNAMED[part], faces, 0, slot)
    name = "3" if slot and faces == 1 and "row" not in part else "hall 3" if slot else "hall"
    on_window, words = drawn(middle, table), in_words(table)
    assert any(text.startswith(name) for text in on_window), on_window
    assert any(line.startswith("hall") for line in words), words
    assert not {"None", "–"} & {word for text in (*on_window, *words) for word in text.split()}


ON: dict[str, tuple[CountCell | ComputedCell | PieceRow, ...]] = {
    "nothing": (),
    "pieces": (PieceRow(HALL, (COIN,), slot=3),),
    "a number": (CountCell(COIN, HALL, slot=3),),
    "a figure": (ComputedCell(say("worth"), lambda *_: 2),),
}


@pytest.mark.sweep(80)
@pytest.mark.parametrize(
    ("faces", "backs", "slot", "label", "on"),
    list(product((0, 1, 2, 5, 8), (0, 1, 3), (None, 3), (None, say("shop")), ON)),
)
def test_all_that_lies_in_a_place_of_cards_is_drawn(
    middle: Any, faces: int, backs: int, slot: int | None, label: Any, on: str
) -> None:
    """Each open card, how many lie face down if they are several, and what lies on them; all in the room."""
    lying = ON[on] if slot else ()
    table = laid((CardSpread(HALL, slot, CARD, lying, label),), faces, backs, slot)
    said, words = " ".join(drawn(middle, table)).split(), " ".join(in_words(table)).split()
    assert [name for name in NAMES[:faces] if name not in words] == []
    if faces > 1:
        assert [name for name in said if name in NAMES] == list(NAMES[:faces])
    if backs > 1:
        assert str(backs) in said
    if lying and (faces or backs):
        assert "2" in said


@pytest.mark.parametrize(("faces", "backs"), [(0, 0), (2, 0), (2, 3), (0, 3)])
def test_lots_to_come_are_named_only_if_they_are_known(middle: Any, faces: int, backs: int) -> None:
    """Open cards are named, of those face down there is only the number. With none, nothing is there."""
    table = laid((LotQueue(HALL, 5, CARD, say("to come")),), faces, backs, 3)
    said, words = " ".join(drawn(middle, table)).split(), " ".join(in_words(table)).split()
    assert [name for name in NAMES if name in said] == list(NAMES[:faces])
    assert [name for name in words if name in NAMES] == list(NAMES[:faces])
    assert ("to" in said, "to" in words) == (bool(faces + backs), bool(faces + backs))
    assert (str(backs) in said, str(backs) in words) == (backs > 0, backs > 0)


def test_what_nobody_may_count_is_a_back_that_says_so(middle: Any) -> None:
    """A place whose cards are covered is never a blank."""

    async def rules(table: Table) -> GameResult:
        table.supply_from_box(table.covered_account(CARD, HALL), 4)
        await Done(None, say("Well"))
        return GameResult(())

    game = Game(
        "hall", 1, say("Hall"), (2, 2), rules, scene=lambda _: Scene(middle=(CardSpread(HALL, back=CARD),))
    )
    session = Session.begin(game, ("Aki", "Ben"), {}, MemoryLog())
    table = evaluate_scene(make_view(session), session.scene)
    assert drawn(middle, table) == ["hall ?"]
    assert in_words(table) == ["hall card: hidden"]


def test_a_new_game_s_find_lies_on_its_stall(
    middle: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package that `companion new game` writes has cards without a label: place and card can be read."""
    monkeypatch.syspath_prepend(write_new_game("fair_stall", tmp_path))
    table = Script(import_module("fair_stall.rulebook").GAME, "Aki", "Ben").says("table: turns crown")
    laid_now = evaluate_scene(make_view(table.session), table.session.scene)
    assert drawn(middle, laid_now) == ["stall lost crown", "pile 8"]
    assert in_words(laid_now) == ["stall lost crown", "pile 8"]


async def test_numbers_on_wooden_tiles_are_never_smaller_than_the_smallest_letters(
    open_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the lowest lines, too: of a lot for sale and of one that is gone."""
    from tests.support.ui.screen_sizes import make_bare_app
    from ui import theme
    from ui.widgets.drawing.text import measure_text_width
    from ui.widgets.pieces import marks
    from ui.widgets.pieces.middle import line_heights_to_try

    await open_app(make_bare_app(lang="en"))
    sizes: list[float] = []
    monkeypatch.setattr(marks, "draw_text", lambda _text, _centre, size, *_: sizes.append(size))
    for is_gone in (False, True):
        tile = marks.WoodenTileMark("13", is_gone=is_gone)
        lowest = line_heights_to_try()[-1]
        tile.draw(0, 0, lowest)
        assert tile.width_at(lowest) > measure_text_width("13", sizes[-1], theme.MONEY_FONT)
    assert min(sizes) >= theme.length.smallest
