"""Numbers on a screen that lies flat, which people also see upside down."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Done
from companion.rules.scene import ComputedCell, Scene, SeatMat
from companion.table.table import Table
from companion.texts import say
from tests.ui.test_surfaces import SIDE, draw_on_red

NUMBERS = {
    "6 9 66 99 16 19 61 68 86 89 91 98 106 116 901 606": True,
    "0 1 8 10 11 18 69 96 60 90 600 609 1001 7 26 6½ +6 9:00 #9 ": False,
}


@pytest.mark.parametrize(
    ("number", "is_other"), [(one, other) for text, other in NUMBERS.items() for one in text.split(" ")]
)
def test_which_numbers_are_other_numbers_upside_down(number: str, is_other: bool) -> None:
    """Those of 0, 1, 6, 8 and 9 alone, if a 6 or a 9 is among them, but none that would begin with 0."""
    from ui.widgets.drawing.text import is_other_number_upside_down

    assert is_other_number_upside_down(number) == is_other


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("line_height", [21, 28, 42, 60])
@pytest.mark.parametrize("is_flat", [False, True])
def test_a_line_is_under_such_a_number_only_if_the_screen_lies_flat(
    is_flat: bool,
    line_height: int,
) -> None:
    """It is as wide as the digits and in the line that they have anyway, below a gap."""
    from ui import theme
    from ui.widgets.pieces.marks import DigitsMark

    def rows_of(text: str) -> list[float]:
        """Share of each row of pixels that is ink, from the bottom of the line."""
        mark, y = DigitsMark(text, theme.INK), (SIDE - line_height) // 2
        rows = draw_on_red(lambda: mark.draw(8, y, line_height))
        widths = [sum(red < 128 for red, *_ in row) for row in rows]
        assert not any(widths[:y] + widths[y + line_height :])
        return [one / mark.width_at(line_height) for one in widths[y : y + line_height]]

    theme.is_read_from_all_sides = is_flat
    rows = rows_of("9")
    lowest = next(number for number, share in enumerate(rows) if share)
    assert (rows[lowest] > 0.95, 0.0 in rows[lowest : line_height // 2]) == (is_flat, is_flat)
    assert max(rows_of("8")) < 0.95


async def test_the_layout_says_where_people_sit(open_small_game: Any) -> None:
    """Everything on the play screen is drawn anew when the layout changes, even what stays where it is."""
    from ui import theme
    from ui.widgets.drawing.canvas_diff import record_drawing
    from ui.widgets.drawing.surfaces import AutoRedrawWidget
    from ui.widgets.pieces.glyph import MarkWidget
    from ui.widgets.pieces.marks import DigitsMark

    async def rules(_table: Table) -> None:
        await Done(None, say("Well"))

    cells = ComputedCell(say("points"), lambda _table, _seat: 6), ComputedCell(say("coins"), lambda *_: 9)
    table, game = await open_small_game(rules, scene=lambda _: Scene(SeatMat(cells=cells)))
    game.play_screen.add_widget(MarkWidget(DigitsMark("6", theme.INK)))
    seen = set[int]()
    for layout in ("landscape", "flat", "upright", "flat"):
        game.play_screen.layout_name = layout
        await table.wait_frames(4)
        panel, *_ = game.play_screen.panels.values()
        seen.add(len(record_drawing(panel.draw)))
        for widget in game.play_screen.walk():
            if isinstance(widget, AutoRedrawWidget) and widget.width:
                assert record_drawing(widget.draw) == [one for one, _ in widget._applied], (layout, widget)
    assert len(seen) > 1
