"""A player's answer as a row of a reveal: for words that have no room on the slip of an envelope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty

from ui import theme
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, brass_round, inset, paper
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import Writing, within
from ui.widgets.pieces.cardback import draw_back

NAME_SHARE = 0.36
"""The share of its width that the token and the name take."""
MAX_ANSWER_LINES = 9


class RevealRow(Drawn):
    """The back of a card until it is `open`; then the player's token, name and answer."""

    shows: ClassVar[tuple[str, ...]] = ("colour", "opened", "winner")
    colour = OptionProperty("orange", options=list(theme.PLAYERS))
    name = StringProperty("")
    amount = StringProperty("")
    opened = BooleanProperty(defaultvalue=False)
    winner = BooleanProperty(defaultvalue=False)
    reach = NumericProperty(0.0)

    def __init__(self, *, lines: Sequence[str] = (), **kwargs: Any) -> None:
        self.called = Writing(style="key", lines=3, line_height=1.0)
        self.figure = Writing(style="body", lines=MAX_ANSWER_LINES, line_height=1.0)
        super().__init__(**kwargs)
        self.amount = "\n".join(lines)

    def open(self, amount: str) -> None:
        """Shows the answer."""
        self.amount, self.opened = amount, True
        self.figure.text = amount
        put(self, self.called, self.figure)

    def skip(self) -> None:
        """Shows the answer at once; nothing moves here."""
        self.open(self.amount)

    def draw(self) -> None:
        """Paper, brass round a winner's."""
        box = inset(self.box, theme.length.line * 2)
        if not self.opened:
            draw_back(box)
            return
        x, y, width, height = box
        gap, side = theme.length.gap, min(height * 0.7, theme.length.token)
        paper(box, theme.length.line)
        if self.winner:
            brass_round(box)
        draw_token(self.colour, (x + gap, y + (height - side) / 2, side, side))
        left = x + side + 2 * gap
        right = x + width * NAME_SHARE
        self.called.text = " ".join(within(self.name, max(1.0, right - left)))
        self.called.pos, self.called.size = (left, y), (max(1.0, right - left), height)
        self.figure.pos, self.figure.size = (right + gap, y), (x + width - right - 2 * gap, height)
