"""What is drawn again looks as if it were drawn for the first time, however little of it is made anew."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.support.soak import SOAK

SIDE, PICTURES = 48, 400 if SOAK else 60
pytestmark = pytest.mark.usefixtures("home")


def pixels(group: Any) -> bytes:
    """How a group of instructions looks."""
    from kivy.graphics import ClearBuffers, ClearColor, Fbo

    sheet = Fbo(size=(SIDE, SIDE))
    with sheet:
        ClearColor(0.1, 0.2, 0.3, 1)
        ClearBuffers()
    sheet.add(group)
    sheet.draw()
    return bytes(sheet.pixels)


def some(rng: Random) -> None:
    """A few strokes of all kinds, often the same ones."""
    from ui.widgets.drawing import canvas_diff, surfaces
    from ui.widgets.drawing.surfaces import draw_rounded_rectangle

    def box() -> dict[str, tuple[int, int]]:
        return {"pos": (rng.randrange(3) * 12, rng.randrange(3) * 12), "size": (rng.choice((9, 21)), 15)}

    def around() -> tuple[int, int, int, int]:
        return (*box()["pos"], *box()["size"])

    def line() -> list[int]:
        return [rng.choice((4, 20, 44)) for _ in range(6)]

    def mesh() -> None:
        corners = [(4, 4), (40, 4), (20, rng.choice((30, 44)))]
        vertices = [value for x, y in corners for value in (x, y, 0, 0)]
        canvas_diff.Mesh(vertices=vertices, indices=[0, 1, 2], mode="triangle_fan")

    kinds: list[Any] = [
        lambda: canvas_diff.Rectangle(**box()),
        lambda: canvas_diff.Rectangle(
            **box(), texture=rng.choice((surfaces.make_grain_texture(), surfaces.make_vignette_texture()))
        ),
        lambda: draw_rounded_rectangle(around(), rng.choice((2, 6))),
        lambda: draw_rounded_rectangle(around(), rng.choice((2, 6)), 2),
        lambda: canvas_diff.SmoothEllipse(**box()),
        lambda: canvas_diff.SmoothLine(points=line(), width=rng.choice((1, 2)), joint="round"),
        lambda: canvas_diff.SmoothLine(
            rounded_rectangle=(*box()["pos"], 20, 14, rng.choice((2, 5))), width=1
        ),
        lambda: canvas_diff.SmoothLine(
            circle=(24, 24, rng.choice((8, 16)), 0, rng.choice((90, 300))), width=2
        ),
        lambda: canvas_diff.SmoothTriangle(points=line()),
        lambda: surfaces.draw_shadow((*box()["pos"], 20, 14), rng.choice((0, 4))),
        mesh,
    ]
    for _ in range(rng.randrange(8)):
        canvas_diff.Color(*rng.choice(((1, 0, 0, 1), (0, 1, 0, 0.5), (0, 0, 1, 1))))
        rng.choice(kinds)()


def test_what_is_drawn_again_looks_like_new() -> None:
    """Strokes that stay, change, come and go in any order: the picture is that of new ones."""
    from kivy.graphics import InstructionGroup

    from ui.widgets.drawing.canvas_diff import record_drawing, update_canvas

    canvas: Any = InstructionGroup()
    laid: list[Any] = []
    for picture in range(PICTURES):
        canvas_diff = record_drawing(lambda seed=picture: some(Random(seed)))  # type: ignore[misc]  # it is called at once
        laid = update_canvas(canvas, laid, canvas_diff)
        new = InstructionGroup()
        update_canvas(new, [], canvas_diff)
        assert pixels(canvas) == pixels(new), f"picture {picture}"


def test_only_what_is_other_is_made() -> None:
    """Of strokes as they were nothing is made; of one that moved, not even that."""
    from kivy.graphics import InstructionGroup

    from ui.widgets.drawing.canvas_diff import Color, Rectangle, record_drawing, update_canvas

    def draw(x: int) -> None:
        Color(1, 0, 0, 1)
        Rectangle(pos=(x, 0), size=(9, 9))

    canvas = InstructionGroup()
    before = update_canvas(canvas, [], record_drawing(lambda: draw(0)))
    after = update_canvas(canvas, before, record_drawing(lambda: draw(7)))
    assert [made for _, made in after] == [made for _, made in before]
    assert tuple(after[1][1].pos) == (7, 0)


def test_a_widget_that_grows_is_drawn_as_large_as_it_is() -> None:
    """Its place and size are those of the moment in which it was drawn, though they change with it."""
    from kivy.uix.widget import Widget

    from ui.widgets.drawing.canvas_diff import Rectangle, record_drawing, update_canvas

    widget = Widget(pos=(3, 4), size=(5, 6))
    laid = update_canvas(
        widget.canvas.before, [], record_drawing(lambda: Rectangle(pos=widget.pos, size=widget.size))
    )
    widget.size = (50, 60)
    ((_, made),) = update_canvas(
        widget.canvas.before, laid, record_drawing(lambda: Rectangle(pos=widget.pos, size=widget.size))
    )
    assert tuple(made.size) == (50, 60)
