"""A widget that draws itself, the few strokes all of them share, and what most lie on: paper and felt."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.graphics import Fbo
from kivy.graphics.texture import Texture
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing import textures
from ui.widgets.drawing.rounded import draw_rounded
from ui.widgets.drawing.strokes import (
    BorderImage,
    Color,
    Laid,
    Rectangle,
    RoundedRectangle,
    drawn,
    lay,
)

Box = tuple[float, float, float, float]
"""x, y, width, height in window pixels."""


class Drawn(Widget):
    """Draws itself again, at most once a frame, when its place or something in `shows` changes."""

    shows: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._laid: Laid = []
        self._draw_soon = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", *self.shows):
            self.fbind(name, self._draw_soon)
        self._draw_soon()

    @property
    def box(self) -> Box:
        """Where the widget stands."""
        return self.x, self.y, self.width, self.height

    def draw(self) -> None:
        """Add the instructions of the canvas and place the children."""
        raise NotImplementedError  # each kind of widget says it

    def _draw(self, _seconds: float) -> None:
        self._laid = lay(self.canvas.before, self._laid, drawn(self.draw))


def inset(box: Box, by: float) -> Box:
    """The box with `by` less on every side."""
    x, y, width, height = box
    return x + by, y + by, max(0.0, width - 2 * by), max(0.0, height - 2 * by)


def is_within(box: Box, x: float, y: float) -> bool:
    """Whether that point lies in the box."""
    left, low, width, height = box
    return left <= x <= left + width and low <= y <= low + height


def fill(colour: Colour, box: Box, radius: float | None = None) -> None:
    """A smooth filled rectangle, rounded by the theme's radius unless told."""
    Color(*colour)
    draw_rounded(box, theme.length.radius if radius is None else radius)


def rim(colour: Colour, box: Box, width: float, radius: float | None = None) -> None:
    """A smooth line around a box; `width` is its whole thickness."""
    Color(*colour)
    corner = theme.length.radius if radius is None else radius
    draw_rounded(box, corner + width / 2, width)


def shade(box: Box, drop: float, strength: float = 1.0) -> None:
    """The shadow of a thing that lies `drop` pixels above the table."""
    blur = theme.length.blur
    x, y, width, height = inset(box, -blur / 2)
    Color(*theme.fade(theme.SHADOW, strength))
    BorderImage(
        texture=textures.shadow(),
        pos=(x, y - drop),
        size=(width, height),
        border=[21, 21, 21, 21],
        display_border=[blur, blur, blur, blur],
    )


def texture_over(box: Box, strength: float, radius: float | None = None) -> None:
    """The grain of paper or felt over a box; it never stretches with it."""
    across, up = box[2] / theme.length.grain, box[3] / theme.length.grain
    Color(1, 1, 1, strength)
    RoundedRectangle(
        pos=box[:2],
        size=box[2:],
        texture=textures.grain(),
        radius=[theme.length.radius if radius is None else radius],
        tex_coords=[0, 0, across, 0, across, up, 0, up],
    )


def paper(box: Box, lift: float, colour: Colour = theme.PAPER, radius: float | None = None) -> None:
    """A piece of paper or card `lift` pixels thick, with its shadow, edge and grain."""
    x, y, width, height = box
    shade(box, lift)
    fill(theme.PAPER_EDGE, (x, y - lift, width, height), radius)
    fill(colour, box, radius)
    texture_over(box, 0.05, radius)
    rim(theme.fade(theme.PAPER_LIT, 0.8), inset(box, theme.length.hair / 2), theme.length.hair, radius)


def brass_round(box: Box) -> None:
    """Who is asked, and where something may be laid down; no more of it lies inside than a strip's edge."""
    around = inset(box, -theme.length.line)
    rim(theme.BRASS_DARK, around, theme.length.rim * 1.4)
    rim(theme.BRASS, around, theme.length.rim)


def dent(box: Box) -> None:
    """What is only told, pressed into the felt."""
    fill(theme.fade(theme.FELT_DARK, 0.55), box)


class Sheet(Drawn, BoxLayout):
    """A column on paper; padding and spacing come from the theme unless given."""

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("padding", theme.length.space)
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Thin paper with its shadow."""
        paper(self.box, theme.length.line)


class Felt(Drawn):
    """Green-black felt, a little lighter in the middle."""

    def draw(self) -> None:
        """One picture, as large as the window."""
        Color(1, 1, 1, 1)
        Rectangle(pos=self.pos, size=self.size, texture=_felt(round(self.width), round(self.height)))


@lru_cache(maxsize=2)  # the window's size, and the one a new widget begins with
def _felt(width: int, height: int) -> Texture:
    """The picture of it, painted once: to lay three sheets over each other was a seventh of every frame."""
    picture = Fbo(size=(max(1, width), max(1, height)))
    lay(picture, [], drawn(lambda: _paint_felt((0.0, 0.0, float(width), float(height)))))
    picture.draw()
    return picture.texture


def _paint_felt(box: Box) -> None:
    """Ground, light, nap."""
    Color(*theme.FELT)
    Rectangle(pos=box[:2], size=box[2:])
    Color(*theme.fade(theme.FELT_LIT, 0.75))
    Rectangle(pos=box[:2], size=box[2:], texture=textures.vignette())
    texture_over(box, 0.045, radius=0)
