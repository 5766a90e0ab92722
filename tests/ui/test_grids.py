"""Long grids in the middle of a table: halves beside each other, rounds long past in one line."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.scene_views import CellView, GridView, MiddlePartView
from companion.table.seats import make_seats
from companion.texts import say
from tests.support.ui.screen_sizes import make_bare_app

SEATS = make_seats(("Aki", "Ben"))
NARROW = 150.0
"""Pixels across that have no room for two halves."""
HIGH = 300.0
"""Pixels in which eight lines at their smallest have room."""


def grid(names: list[str], *, adds: bool = False) -> GridView:
    """The first line is 1 and 10, the second 2 and 20."""
    lines = [
        (say(name), tuple([CellView(None, say("points"), number * each) for each in (1, 10)]))
        for number, name in enumerate(names, 1)
    ]
    return GridView(tuple(SEATS), tuple(lines), last_line_is_sum=adds)


def rounds(many: int) -> GridView:
    """A grid of rounds, and their sum."""
    return grid([*[f"r{at}" for at in range(1, many + 1)], "sum"], adds=True)


@pytest.fixture
def middle(kivy_window: Any) -> Any:
    """The middle of a table, not yet so high or wide."""
    from ui.widgets.drawing.text import load_fonts
    from ui.widgets.pieces.middle import TableMiddle

    assert kivy_window
    load_fonts()
    return TableMiddle()


def lay(middle: Any, *parts: MiddlePartView, size: tuple[float, float]) -> list[str]:
    """What stands there, line by line of each grid; it has room."""
    middle.parts, middle.size = parts, size
    middle.choose_line_height()
    middle._draw(0)
    for one in middle.placed:
        assert middle.y - 1 <= one.y, one.mark.visible_text
        assert one.x + one.mark.width_at(one.line_height) <= middle.right + 1, one.mark.visible_text
    return [str(one) for one in middle.visible_texts]


def test_a_long_grid_stands_in_two_halves(middle: Any) -> None:
    """Its lines in order, the second half at the height of the first; a short one, or a narrow place: one."""
    boxes = grid([f"box {at}" for at in range(1, 12)])
    wide = lay(middle, boxes, size=(800, HIGH))
    assert wide == ["1 10 2 20 3 30 4 40 5 50 6 60", "7 70 8 80 9 90 10 100 11 110"]
    one, other = middle.placed
    assert (one.y, one.mark.height_in_lines) == (other.y, other.mark.height_in_lines)
    assert len(lay(middle, boxes, size=(NARROW, 900))) == 1
    assert len(lay(middle, grid(["box"] * 9), size=(800, 900))) == 1


def test_where_room_is_short_rounds_long_past_are_summed_up(middle: Any) -> None:
    """As few as may be, in a line of their own; the sum of all stays what it is, and at last stands alone."""
    assert lay(middle, rounds(4), size=(NARROW, HIGH)) == ["1 10 2 20 3 30 4 40 5 50"]
    assert lay(middle, rounds(12), size=(NARROW, HIGH))[0].endswith("11 110 12 120 13 130")
    (few,) = lay(middle, rounds(12), size=(NARROW, 150))
    assert few.split()[-2:] == ["13", "130"]
    numbers = [int(one) for one in few.split()]
    assert sum(numbers[:-2:2]) == sum(range(1, 13))
    assert lay(middle, rounds(12), size=(NARROW, 60)) == ["13 130"]


def test_a_grid_that_is_no_sum_is_never_summed_up(middle: Any) -> None:
    """Its lines have nothing in common."""
    boxes = grid([f"box {at}" for at in range(1, 8)])
    assert boxes.with_earlier_lines_summed(3) is boxes
    assert rounds(4).with_earlier_lines_summed(4) == rounds(4)


def test_without_room_nothing_is_drawn(middle: Any) -> None:
    """Not even below the window's edge."""
    assert lay(middle, rounds(4), size=(NARROW, 0)) == []


def test_without_room_for_a_grid_it_stands_another_way(middle: Any) -> None:
    """Its halves beside each other, or its lines as columns: rather than that it is left out."""
    boxes = grid([f"box {at}" for at in range(1, 8)])
    assert lay(middle, boxes, size=(800, 110)) == ["1 2 3 4 5 6 7 10 20 30 40 50 60 70"]
    assert lay(middle, boxes, size=(NARROW * 2, 160)) == ["1 10 2 20 3 30 4 40", "5 50 6 60 7 70"]


def test_a_number_is_beside_a_grid_where_no_line_is_left_above_it(middle: Any) -> None:
    """Rather than that the number or the grid is left out; with room, the number is above the grid."""
    number, boxes = CellView(None, say("round"), 3), grid([f"box {at}" for at in range(1, 6)])
    lines_as_columns = "1 2 3 4 5 10 20 30 40 50"
    assert lay(middle, number, boxes, size=(800, 100)) == ["round 3", lines_as_columns]
    assert lay(middle, number, boxes, size=(800, 80)) == [lines_as_columns, "round 3"]


async def test_grids_stay_where_a_number_above_them_makes_way(open_app: Any, middle: Any) -> None:
    """In the least height that the layout takes for the grids, they are seen, and not the number alone."""
    await open_app(make_bare_app(lang="en"))
    number, boxes = CellView(None, say("round"), 3), grid([f"box {at}" for at in range(1, 6)])
    middle.parts = (number, boxes)
    height = middle.min_height_of_required_rows_and_grids(NARROW)
    shown = lay(middle, number, boxes, size=(NARROW, height))
    assert any("5 50" in each for each in shown), shown


def test_low_marks_that_leave_a_higher_row_are_not_drawn_twice(middle: Any) -> None:
    """A mark of one line beside a mark that is slightly higher stands in one row only."""
    from ui.widgets.pieces.marks import FELT_TEXT_COLOURS, DigitsMark
    from ui.widgets.pieces.middle import _gather_one_line_marks

    assert middle
    low, higher = (DigitsMark(digits, FELT_TEXT_COLOURS.normal) for digits in ("1", "2"))
    higher.height_in_lines = 1.3
    assert _gather_one_line_marks([[higher, low]], 20, 300) == [[low], [higher]]


def test_a_number_is_no_grid_and_takes_a_line(middle: Any) -> None:
    """Also if there are grids that say nothing yet: the layout never takes less than a line for it."""
    number, empty = CellView(None, say("goal"), 5000), GridView((say("price"),), ())
    middle.parts = (number, empty)
    line = middle.min_height_of_required_rows(400)
    assert middle.min_height_of_required_rows_and_grids(400) == line > 0


def prices(for_sale: tuple[int, ...]) -> GridView:
    """What four sections pay, and how many cards each sells."""
    lines = [
        (
            say(f"section {at}"),
            (CellView(None, say("price"), 100 * at), CellView(None, say("for sale"), count)),
        )
        for at, count in enumerate(for_sale, 1)
    ]
    return GridView((say("price"), say("for sale")), tuple(lines))


def test_in_the_lowest_room_zeros_and_a_single_head_make_way(middle: Any) -> None:
    """Four prices need four lines; with more room, or numbers to say, the column and the heads stay."""
    assert lay(middle, prices((0, 0, 0, 0)), size=(NARROW, 90.0)) == ["100 200 300 400"]
    assert lay(middle, prices((0, 0, 0, 0)), size=(2 * NARROW, HIGH)) == ["100 0 200 0 300 0 400 0"]
    assert prices((0, 0, 1, 0)).without_zero_columns() == prices((0, 0, 1, 0))
    assert prices((0, 0, 0, 0)).without_zero_columns().column_headings == (say("price"),)


def test_no_column_of_a_player_or_of_a_sum_makes_way() -> None:
    """Zeros of a player say something, and those that are added up; a grid of zeros keeps all of them."""
    nothing = GridView(tuple(SEATS), ((say("r1"), (CellView(None, say("points"), 0), None)),))
    assert nothing.without_zero_columns() == nothing
    lines = [(say("r1"), (CellView(None, say("a"), 0), CellView(None, say("b"), 1)))] * 2
    sums = GridView((say("a"), say("b")), tuple(lines), last_line_is_sum=True)
    assert sums.without_zero_columns() == sums
    zeros = GridView((say("a"),), ((say("r1"), (CellView(None, say("a"), 0),)),))
    assert zeros.without_zero_columns() == zeros


def test_a_grid_of_zeros_says_nothing_yet() -> None:
    """A number or a hidden number says something."""

    def line(*cells: CellView | None) -> GridView:
        return GridView(tuple(SEATS[: len(cells)]), ((say("r1"), cells),))

    zero, three, hidden = (CellView(None, say("points"), value) for value in (0, 3, None))
    assert line(zero, None).is_all_zero
    assert not line(zero, three).is_all_zero
    assert not line(zero, hidden).is_all_zero
