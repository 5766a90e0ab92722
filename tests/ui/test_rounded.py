"""Rectangles with round corners, and their rims, as they are on the pixels."""

from __future__ import annotations

from typing import Any

import pytest

SIDE = 48
pytestmark = pytest.mark.usefixtures("home")
Lit = list[list[int]]


def lit(box: tuple[float, float, float, float], radius: float, rim: float | None = None) -> Lit:
    """How bright each pixel is, row by row from below, of a white one on black."""
    from kivy.graphics import ClearBuffers, ClearColor, Fbo, InstructionGroup

    from ui.widgets.drawing.canvas_diff import Color, record_drawing, update_canvas
    from ui.widgets.drawing.surfaces import draw_rounded_rectangle

    def draw() -> None:
        Color(1, 1, 1, 1)
        draw_rounded_rectangle(box, radius, rim)

    sheet, group = Fbo(size=(SIDE, SIDE)), InstructionGroup()
    with sheet:
        ClearColor(0, 0, 0, 1)
        ClearBuffers()
    update_canvas(group, [], record_drawing(draw))
    sheet.add(group)
    sheet.draw()
    reds: Any = bytes(sheet.pixels)[::4]
    return [list(reds[at : at + SIDE]) for at in range(0, SIDE * SIDE, SIDE)]


def test_a_rectangle_fills_its_box_but_for_its_corners() -> None:
    """All of it is full, nothing outside is touched, and of the corners as much is left out as is round."""
    shown = lit((8, 8, 32, 24), 6)
    assert [row[20] for row in shown] == [0] * 8 + [255] * 24 + [0] * 16
    assert shown[20] == [0] * 8 + [255] * 32 + [0] * 8
    assert [shown[y][x] for x, y in ((8, 8), (39, 8), (8, 31), (39, 31))] == [0] * 4
    full = sum(map(sum, shown)) / 255
    assert full == pytest.approx(32 * 24 - (4 - 3.1416) * 6**2, abs=1.5)


@pytest.mark.parametrize("at", [8, 8.3, 8.5, 8.8])
def test_a_rim_is_as_thick_on_every_side(at: float) -> None:
    """Wherever its box begins, the four sides look alike, and what it goes around is left as it was."""
    shown = lit((at, at, 30.4, 22.4), 5, 1.4)
    row = [value for value in shown[20] if value]
    column = [value for value in (line[20] for line in shown) if value]
    assert row[:2] == row[:-3:-1] == column[:2] == column[:-3:-1]
    assert row[0] == 255
    assert len(row) == len(column) == 4


def test_a_radius_is_at_most_half_of_a_side() -> None:
    """A large radius makes a disc; of a line nothing but a line is left; of nothing, nothing."""
    disc = sum(map(sum, lit((8, 8, 20, 20), 99))) / 255
    assert disc == pytest.approx(3.1416 * 10**2, rel=0.02)
    assert sum(map(sum, lit((8, 8, 20, 1), 9))) > 0
    assert sum(map(sum, lit((8, 8, 0, 20), 9))) == 0


def test_the_pictures_of_a_layout_that_grows_are_few() -> None:
    """A key that grows pixel by pixel needs one picture as long as its corners are as round."""
    from ui.widgets.drawing import surfaces

    lit((0, 0, 40, 40), 7)
    before = surfaces.make_rounded_texture.cache_info().currsize
    for wide in range(20, 40):
        lit((0, 0, wide, 20.0 + wide / 7), 7)
    assert surfaces.make_rounded_texture.cache_info().currsize == before
