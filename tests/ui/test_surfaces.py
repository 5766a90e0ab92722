"""Paper, shadows and shapes leave out what nobody would see, because each layer takes time in each frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

SIDE, MIDDLE = 96, 48
RED = (255, 0, 0)
BOX = (24, 24, 48, 48)
pytestmark = pytest.mark.usefixtures("home")


def draw_on_red(draw: Callable[[], None]) -> list[list[tuple[int, ...]]]:
    """Returns the colour of each pixel, row by row from below, of what is drawn on a red sheet."""
    from kivy.graphics import ClearBuffers, ClearColor, Fbo, InstructionGroup

    from ui.widgets.drawing.canvas_diff import record_drawing, update_canvas

    sheet, group = Fbo(size=(SIDE, SIDE)), InstructionGroup()
    with sheet:
        ClearColor(1, 0, 0, 1)
        ClearBuffers()
    update_canvas(group, [], record_drawing(draw))
    sheet.add(group)
    sheet.draw()
    pixels: Any = bytes(sheet.pixels)
    colours = [tuple(pixels[at : at + 3]) for at in range(0, len(pixels), 4)]
    return [colours[at : at + SIDE] for at in range(0, SIDE * SIDE, SIDE)]


def test_a_brass_frame_is_around_its_thing() -> None:
    """It covers nothing of the thing, so that no letter at the edge touches it."""
    from ui.widgets.drawing.surfaces import draw_brass_frame

    rows = draw_on_red(lambda: draw_brass_frame(BOX))
    x, y, width, height = BOX
    assert all(rows[at][MIDDLE] == RED for at in range(y, y + height))
    assert all(rows[MIDDLE][at] == RED for at in range(x, x + width))
    assert RED not in (rows[y - 2][MIDDLE], rows[y + height + 1][MIDDLE], rows[MIDDLE][x - 2])


def test_a_shadow_leaves_out_what_its_thing_hides() -> None:
    """It is dark on every side of the thing, and not drawn below its middle."""
    from ui.widgets.drawing.surfaces import draw_shadow

    rows = draw_on_red(lambda: draw_shadow(BOX, 0.0))
    assert rows[MIDDLE][MIDDLE] == RED
    assert all(rows[y][x] < RED for x, y in ((22, MIDDLE), (73, MIDDLE), (MIDDLE, 22), (MIDDLE, 73)))


@pytest.mark.parametrize("thickness", [0.0, 2.0, 4.0])
@pytest.mark.parametrize("radius", [2.0, 10.0, 20.0, 24.0])
def test_a_paper_hides_the_table_below_it(thickness: float, radius: float) -> None:
    """The table shines neither through the paper nor through its edge, with any corners."""
    from ui import theme
    from ui.widgets.drawing.surfaces import draw_paper, fill_rounded_box

    left, bottom, width, height = BOX
    paper = draw_on_red(lambda: draw_paper(BOX, thickness, radius=radius))

    def fill_whole_box_and_edge() -> None:
        fill_rounded_box(theme.PAPER, BOX, radius)
        fill_rounded_box(theme.PAPER, (left, bottom - thickness, width, height), radius)

    covered = draw_on_red(fill_whole_box_and_edge)
    white = [(x, y) for y in range(SIDE) for x in range(SIDE) if covered[y][x][2] > 200]
    assert white
    assert all(paper[y][x][2] > 90 for x, y in white)


def test_a_clear_shape_is_only_its_outline() -> None:
    """Nothing is filled with a colour that nobody sees."""
    from ui import theme
    from ui.widgets.drawing.canvas_diff import record_drawing
    from ui.widgets.drawing.symbols import draw_shape

    def count_instructions(colour: theme.Colour) -> int:
        return len(record_drawing(lambda: draw_shape("star", BOX, colour, theme.INK, 1.0)))

    assert count_instructions(theme.PAPER) == 4
    assert count_instructions(theme.CLEAR) == 2


def test_felt_replaces_what_lies_below_it_and_all_else_is_mixed() -> None:
    """Felt is opaque, so its pixels aren't mixed with those below; what is drawn later is mixed again."""
    from ui.widgets.drawing.surfaces import FeltBackground, fill_rounded_box

    felt = FeltBackground(size=(SIDE, SIDE))

    def draw() -> None:
        felt.draw()
        fill_rounded_box((1.0, 1.0, 1.0, 0.5), BOX)

    rows = draw_on_red(draw)
    felt_red, mixed_red = rows[4][4][0], rows[MIDDLE][MIDDLE][0]
    assert felt_red < 60
    assert 100 < mixed_red < 200
