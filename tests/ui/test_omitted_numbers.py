"""Numbers that no player panel shows, because they say nothing now or repeat another number."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.rules.scene_views import CellValue, CellView, MatView, RowView
from companion.session.session import Session
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import say
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import answer, laid
from tests.ui.test_panel_room import begin, show

SEATS = (Seat(1, "Aki", "orange"), Seat(2, "Ben", "sky"))
HEADLINE = -1


def mats(*columns: tuple[CellValue, CellValue], total: tuple[CellValue, CellValue] = (1, 2)) -> list[MatView]:
    """Two mats with a total as headline, and a cell for each column."""
    return [
        MatView(
            seat,
            CellView(None, say("total"), total[index], is_total=True),
            tuple([CellView(None, say("coin"), column[index]) for column in columns]),
            (),
            (),
        )
        for index, seat in enumerate(SEATS)
    ]


@pytest.mark.parametrize(
    ("columns", "total", "omitted"),
    [
        ([(0, 0), (0, 3)], (1, 2), {0}),
        ([(3, 4)], (0, 0), {HEADLINE}),
        ([(400, 380), (400, 400)], (400, 380), {0}),
        ([(400, 400)], (400, 400), {0}),
        ([(None, 0), (None, None)], (None, None), set()),
        ([((0, 4), (0, 4))], (1, 2), set()),
    ],
)
def test_zeros_of_everybody_and_repeated_totals_are_omitted(
    columns: Any, total: Any, omitted: set[int]
) -> None:
    """A number that is 0 for everybody, and one that equals everybody's total; never what is hidden."""
    from ui.widgets.seats.omitted_numbers import find_omitted_numbers

    assert find_omitted_numbers(mats(*columns, total=total)) == omitted


def test_equal_numbers_that_are_no_total_are_both_shown() -> None:
    """Three workers and three beds are different things."""
    from ui.widgets.seats.omitted_numbers import find_omitted_numbers

    cells = (CellView(None, say("workers"), 3), CellView(None, say("beds"), 3))
    assert not find_omitted_numbers([MatView(seat, cells[0], cells, (), ()) for seat in SEATS])


def test_details_are_omitted_where_a_table_reads_from_all_sides() -> None:
    """On any other screen, they are shown."""
    from ui.widgets.seats.omitted_numbers import find_omitted_numbers

    cells = (CellView(None, say("workers"), 3), CellView(None, say("beds"), 2, is_detail=True))
    all_mats = [MatView(seat, None, cells, (), ()) for seat in SEATS]
    assert find_omitted_numbers(all_mats, are_details_omitted=True) == {1}
    assert not find_omitted_numbers(all_mats)


MAX_ROWS = 2


@pytest.mark.parametrize("game", ["mammon", "oyakata"])
async def test_panels_on_a_table_have_few_large_rows(open_app: Any, game: str) -> None:
    """Flat on the smallest screen, what a touch shows too leaves its room to holdings, in two large rows."""
    from ui import theme

    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table = await laid(open_app, ScreenVariant("flat", (800, 480), "en"))
    for index, step in enumerate(build_timeline(events).steps):
        if index % 25 == 0:
            for panel in await show(table, session, ScreenVariant("flat", (800, 480), "en")):
                arranged = panel.arranged
                headline = panel.find_headline(arranged)
                rows = {round(one.y) for one in arranged.marks if one is not headline}
                assert len(rows) <= MAX_ROWS, (index, panel.visible_texts)
                assert panel.line_height >= theme.length.glyph, (index, panel.visible_texts)
        repeat_step(session, step)


async def test_panels_of_mammon_begin_without_bets_and_battles(open_app: Any) -> None:
    """Nobody has bet, fought or won yet: panels show coins and cards, and leave out the zeros."""
    look = ScreenVariant("flat", (800, 480), "en")
    table, session, rng = (
        await laid(open_app, look),
        begin("mammon", 4, "en", has_long_names=False),
        Random(3),
    )
    for _answer in range(14):
        answer(session, rng)
    for panel in await show(table, session, look):
        said = " ".join(panel.visible_texts)
        assert not {"bet", "strength", "front", "won"} & set(said.split())


@pytest.mark.parametrize(("numbers", "shown"), [((4, 6), ["4", "6"]), ((4, 5, 6, 9), ["4–6", "9"])])
def test_won_tiles_are_drawn_as_tiles_on_low_panels_too(numbers: Any, shown: list[str]) -> None:
    """A number alone would be read as an amount; consecutive numbers share a tile."""
    from ui.widgets.pieces.marks import PAPER_TEXT_COLOURS, WoodenTileMark
    from ui.widgets.pieces.worded import make_number_run_marks

    pieces = [Piece(f"tile {number}", say("tile {number}", number=number)) for number in numbers]
    row = RowView(None, tuple([(piece, 1) for piece in pieces]), place=Place(say("front"), SEATS[0]))
    marks = make_number_run_marks(row, "en", PAPER_TEXT_COLOURS)
    assert [mark.visible_text for mark in marks] == shown
    assert all(isinstance(mark, WoodenTileMark) for mark in marks)


async def test_no_piece_of_bidders_is_on_a_panel_twice_without_a_word(open_app: Any) -> None:
    """Workers on won cards stand behind a word; the free workers are the main number."""
    look = ScreenVariant("flat", (800, 480), "en")
    table, session, rng = (
        await laid(open_app, look),
        begin("bidders", 4, "en", has_long_names=False),
        Random(3),
    )
    for _answer in range(70):
        answer(session, rng)
    panels = await show(table, session, look)
    rows = [row for panel in panels for row in panel.mat.rows if row.counted_pieces]
    assert rows
    assert all(row.label is not None for row in rows)
    assert any("cards won" in " ".join(panel.visible_texts) for panel in panels)
