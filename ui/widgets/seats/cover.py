"""The cover: nobody sees what lies beneath until the one named has taken the screen."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import OptionProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from ui import theme
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, inset, paper
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import Writing
from ui.widgets.pieces.cardback import draw_back


class HandOverCover(ButtonBehavior, Drawn):
    """The back of a card as large as the screen, with a slip: `text` says who takes the screen.

    `hint` says what to do ("Press when only you can see it").
    Event: `on_release()` opens it; until then every touch ends here.
    """

    shows: ClassVar[tuple[str, ...]] = ("colour", "state")
    colour = OptionProperty("orange", options=list(theme.PLAYERS))
    text = StringProperty("")
    hint = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        self.title = Writing(style="title", halign="center", lines=2)
        self.note = Writing(style="body", halign="center", lines=2)
        super().__init__(**kwargs)
        put(self, self.title, self.note)
        self.bind(text=self.title.setter("text"), hint=self.note.setter("text"))
        self.title.text, self.note.text = self.text, self.hint

    def draw(self) -> None:
        """Back, slip, token and words."""
        Color(*theme.FELT_DARK)
        Rectangle(pos=self.pos, size=self.size)
        draw_back(inset(self.box, theme.length.gap))
        width, height = self.width * 0.66, self.height * 0.62
        x, y = self.center_x - width / 2, self.center_y - height / 2
        down = self.state == "down"
        paper((x, y, width, height), theme.length.lift, theme.PAPER_PRESSED if down else theme.PAPER)
        side = height * 0.36
        draw_token(self.colour, (self.center_x - side / 2, y + height * 0.56, side, side))
        pad = theme.length.space
        self.title.pos, self.title.size = (x + pad, y + height * 0.27), (width - 2 * pad, height * 0.25)
        self.note.pos, self.note.size = (x + pad, y + height * 0.06), (width - 2 * pad, height * 0.2)
