"""How long everybody thought: a bar for each seat and one for the table, in proportion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.record.thinking import Thinking
from companion.record.wording import play_time
from companion.words import render, say
from ui import theme
from ui.widgets.drawing.drawn import Drawn, fill
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing


class TimeBar(Drawn):
    """`share` of its width is filled, with ink round it."""

    def __init__(self, share: float, colour: theme.Colour, **kwargs: Any) -> None:
        self.share, self._colour = share, colour
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Ink, and the colour on it."""
        tall, edge = min(self.height * 0.6, theme.length.token), theme.length.line
        box = (self.x, self.center_y - tall / 2, max(3 * edge, self.width * self.share), tall)
        fill(theme.INK, box, edge * 2)
        inner = (box[0] + edge, box[1] + edge, box[2] - 2 * edge, box[3] - 2 * edge)
        fill(self._colour, inner, edge)


class Bars(BoxLayout):
    """Give it the times of a finished game; on paper."""

    def __init__(self, times: Sequence[Thinking], lang: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        longest = max(one.seconds for one in times)
        for one in times:
            self.add_widget(self._row(one, one.seconds / longest, lang))

    def _row(self, one: Thinking, share: float, lang: str) -> Widget:
        sizes = theme.length
        row = BoxLayout(spacing=sizes.gap, size_hint_max_y=sizes.row)
        token = Token(colour=one.seat.colour) if one.seat else Widget()
        token.size_hint_x, token.width = None, sizes.token
        colour = theme.PLAYERS[one.seat.colour].colour if one.seat else theme.PAPER_LINE
        name = render(one.seat or say("the table"), lang)
        row.add_widget(token)
        row.add_widget(Writing(text=name, lines=2, size_hint_x=None, width=sizes.seats * 0.8))
        row.add_widget(TimeBar(share, colour))
        time = Writing(text=play_time(one.seconds), style="digit", halign="right", size_hint_x=None)
        time.width = sizes.amount * 1.8
        row.add_widget(time)
        return row
