"""The reveal: a drum-roll, all envelopes open together, bids rise as bars, and a sentence says what follows.

It shows what everybody has already been told by the view, never anything before.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.session.view import Opened, View
from companion.table.seats import Seat
from companion.words import Say, render
from ui import theme
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.drawn import Box, Felt, fill, shade, texture_over
from ui.widgets.drawing.putting import put, take_away
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.seats.columns import FEW_SEATS
from ui.widgets.seats.envelope import Envelope

ROLLS = 9
"""Trembles of the envelopes before they open."""


class RisingBid(Envelope):
    """An envelope out of which the bid rises as a bar; `reach` is its share of the highest."""

    reach = NumericProperty(0.0)
    name_lines = NumericProperty(2)

    def body(self) -> Box:
        """Lower and narrower than an envelope that only lies there: the bar needs the room above."""
        across = min(self.width * 0.92, self.height * 0.52)
        return self.center_x - across / 2, self.y + self.foot, across, across * 0.6

    def _draw_slip(self, body: Box) -> None:
        x, y, width, height = body
        least = theme.length.amount * 1.1
        above = (least + (self.top - y - height - least) * self.reach) * self.slip
        slip = (x + width * 0.09, y + height * 0.2, width * 0.82, height * 0.8 + above)
        shade(slip, 0, 0.6)
        fill(theme.PAPER_LIT, slip, theme.length.radius * 0.4)
        texture_over(slip, 0.05, theme.length.radius * 0.4)
        stripe = (slip[0], slip[1], theme.length.gap, slip[3])
        fill(theme.PLAYERS[self.colour].colour, stripe, theme.length.radius * 0.4)
        self.figure.pos = (slip[0] + theme.length.gap, slip[1] + slip[3] - least)
        self.figure.size = (slip[2] - theme.length.gap, least)


class Reveal(Tells, FloatLayout):
    """Lies over the table until its brass key is pressed; a touch before that skips to the end.

    `is_flat`: people sit all round it, and a key turns it.
    """

    shake = NumericProperty(0.0)
    __events__ = ("on_close",)  # everybody has seen it

    def __init__(self, seen: View, *, is_flat: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert seen.opened is not None
        self._is_flat = is_flat
        self.app = running()
        self.bars = dict(_bars(seen.opened, self.app.lang))
        self.ahead = named(seen.notes[0]) if seen.notes else []
        self.told = "\n".join(render(note, self.app.lang) for note in seen.notes)
        put(self, Felt(), self._page(render(seen.opened.question.text, self.app.lang)))
        self._steps = [Clock.schedule_once(lambda _: self._open(), theme.lasting(theme.PAUSE))]
        self._roll()

    def _page(self, heading: str) -> BoxLayout:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        top = Writing(text=heading, style="question", felt=True, halign="center")
        top.size_hint_y, top.height = None, sizes.question * 1.5
        row = self._row()
        with row.canvas.before:
            PushMatrix()
            shift = Translate()
        with row.canvas.after:
            PopMatrix()
        self.bind(shake=lambda _, x: setattr(shift, "x", x))
        self.foot = BoxLayout(size_hint_y=None, height=sizes.row * 1.1, spacing=sizes.space)
        closed = self.app.tr("All are sealed.")
        put(self.foot, Writing(text=closed, style="question", felt=True, halign="center"))
        return put(page, top, row, self.foot)

    def _row(self) -> GridLayout:
        """The envelopes side by side, many in two rows."""
        sizes, many = theme.length, len(self.bars) > FEW_SEATS
        rows = 2 if many else 1
        row = GridLayout(
            rows=rows, cols=ceil(len(self.bars) / rows), padding=(0 if many else sizes.margin, 0)
        )
        row.spacing = sizes.gap if many else sizes.space
        for bar in self.bars.values():
            row.add_widget(bar)
        return row

    def _roll(self) -> None:
        if theme.reduced_motion:
            return
        by, beat = theme.length.line, theme.PAUSE / ROLLS / 2
        roll = Animation(shake=by, duration=beat) + Animation(shake=-by, duration=beat)
        roll.repeat = True
        roll.start(self)

    def _open(self) -> None:
        Animation.cancel_all(self, "shake")
        self.shake = 0.0
        for bar in self.bars.values():
            bar.open(bar.amount)
        moving = theme.lasting(theme.TURN) + theme.lasting(theme.SLIDE)
        self._steps.append(Clock.schedule_once(lambda _: self._tell(), moving))

    def _tell(self) -> None:
        """The winner glows, the sentence stands, and the key goes on."""
        self._steps.clear()
        for seat, bar in self.bars.items():
            bar.winner = [seat] == self.ahead
        self.foot.clear_widgets()
        onward = Key(text=self.app.tr("Go on"), look="brass", name="go on", size_hint_x=None)
        onward.width = theme.length.target * 2.6
        onward.bind(on_release=lambda _: self.close())
        if self._is_flat:
            turn = Key(icon="turn", name="turn", look="felt", size_hint_x=None, width=theme.length.target)
            turn.bind(on_release=lambda _: self.app.stage.turn_round())
            self.foot.add_widget(turn)
        put(self.foot, Writing(text=self.told, style="key", felt=True, lines=3), onward)

    def skip(self) -> None:
        """Everything open at once."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "shake")
        self.shake = 0.0
        for bar in self.bars.values():
            bar.skip()
        self._tell()

    def close(self) -> None:
        """Takes itself away, whatever was moving."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "shake")
        take_away(self)
        self.dispatch("on_close")

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing below can be touched."""
        if self._steps:
            self.skip()
        else:
            super().on_touch_down(touch)
        return True


def named(text: Say) -> list[Seat]:
    """The seats that a sentence names, in its order: those it is about."""
    seats: list[Seat] = []
    for _, value in text.args:
        seats += [value] if isinstance(value, Seat) else named(value) if isinstance(value, Say) else []
    return seats


def _bars(opened: Opened, lang: str) -> Iterator[tuple[Seat, RisingBid]]:
    amounts = [answer for answer in opened.answers.values() if isinstance(answer, int)]
    highest = max(amounts, default=0) or 1
    for seat, answer in opened.answers.items():
        bar = RisingBid(colour=seat.colour, name=seat.name, waiting=False)
        if isinstance(answer, int):
            bar.amount, bar.reach = str(answer), answer / highest
        else:
            bar.amount, bar.reach = render(opened.question.parts[seat].told(answer), lang), 1.0
        yield seat, bar
