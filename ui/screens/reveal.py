"""The reveal: a drum-roll, the envelopes open, bids rise as bars, and a sentence says what follows.

It shows what everybody has already been told by the view, never anything before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, TypeVar

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout

from companion.session.view import OpenedEnvelopes, View
from companion.table.seats import Seat
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.host import running_app
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.line_breaking import longest
from ui.widgets.drawing.surfaces import Box, Felt, fill, shade, texture_over
from ui.widgets.drawing.text import Writing, across, within
from ui.widgets.keys.key import Key
from ui.widgets.seats.answer_rows import RevealRow
from ui.widgets.seats.envelope import Envelope
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS

SLIP_WIDTH_SHARE = 0.82
"""A slip's share of its envelope's width."""
WIDE, NARROW, RATIO, LOWEST = 0.92, 0.52, 0.6, 0.4
"""An envelope's width as a share of its bar's width, and of its bar's height; its own height as a share of
its width, and in targets at least."""
MAX_SLIPS_HEIGHT_SHARE = 0.4
"""The share of the page's height for a row of slips."""
MAX_FOOT_HEIGHT_SHARE = 0.45
"""The share of the page's height for the notes."""
MAX_LINES = 24
TREMBLES = 9
"""Trembles of the envelopes before they open."""


class BidBar(Envelope):
    """An envelope out of which the bid rises as a bar; `reach` is its share of the highest."""

    reach = NumericProperty(0.0)
    name_lines = NumericProperty(2)

    def __init__(self, *, lines: Sequence[str] = (), **kwargs: Any) -> None:
        self._content = Writing(text="\n".join(lines), style="body", lines=MAX_LINES, line_height=1.0)
        self._highs: dict[float, float] = {}
        self.others: Sequence[BidBar] = ()
        """All bars of the reveal: bars of equal bids are equally high, with any text on their slips."""
        super().__init__(waiting=False, **kwargs)
        if lines:
            self.amount = self._content.text
            self.figure.style, self.figure.lines, self.figure.line_height = "body", MAX_LINES, 1.0

    def make_room_for_names(self, width: float) -> None:
        """Gives all names as many lines as the longest needs, so that the envelopes stand on one line."""
        lines = max(2, *(len(within(each.name, width)) for each in self.others))
        for each in self.others:
            each.name_lines = lines

    @property
    def _least(self) -> float:
        """Returns the least height of the text on the slip."""
        if not self._content.text:
            left = self.height - self.name_area_height - theme.length.target * LOWEST
            return float(min(theme.length.amount * 1.1, max(theme.length.smallest, left)))
        return self._high_at(self._inner) + theme.length.gap

    def _high_at(self, width: float) -> float:
        """Returns the least height of the text at a width; cached, as the bar is drawn in each frame."""
        if width not in self._highs:
            self._highs[width] = self._content.high_at(width)
        return self._highs[width]

    @property
    def _lowest(self) -> float:
        """Returns the height of the slip of the lowest bid."""
        return max([self._least, *(bar._least for bar in self.others)])  # noqa: SLF001 - one of its own kind

    def has_room(self, width: float, height: float) -> bool:
        """Returns whether the text fits on a slip in a bar of this width and height."""
        inner = width * WIDE * SLIP_WIDTH_SHARE - 2 * theme.length.gap
        small, text = theme.length.smallest, self._content.text
        word = longest(text, lambda word: across(word, small, bold=False))
        return not text or (word <= inner and self._high_at(inner) <= height)

    @property
    def _inner(self) -> float:
        """Returns the width for the text on the slip."""
        return self._across * SLIP_WIDTH_SHARE - 2 * theme.length.gap

    def body_box(self) -> Box:
        """Returns the box of the envelope, lower and narrower than usual: the bar needs the room above.

        Where words stand on the slip it is as wide as can be, and lower where they need more room.
        """
        across = self._across
        room = self.height - self.name_area_height - self._lowest
        tall = max(min(across * RATIO, room), theme.length.target * LOWEST)
        return self.center_x - across / 2, self.y + self.name_area_height, across, tall

    @property
    def _across(self) -> float:
        are_worded = any(bar._content.text for bar in (self, *self.others))  # noqa: SLF001 - of its own kind
        narrow = self.height * (1.0 if are_worded else NARROW)
        return float(min(self.width * WIDE, narrow))

    def _draw_slip(self, body: Box) -> None:
        x, y, width, height = body
        least, lowest = self._least, self._lowest
        above = (lowest + max(0.0, self.top - y - height - lowest) * self.reach) * self.slip
        slip = (
            x + width * (1 - SLIP_WIDTH_SHARE) / 2,
            y + height * 0.2,
            width * SLIP_WIDTH_SHARE,
            height * 0.8 + above,
        )
        shade(slip, 0, 0.6)
        fill(theme.PAPER_LIT, slip, theme.length.radius * 0.4)
        texture_over(slip, 0.05, theme.length.radius * 0.4)
        stripe = (slip[0], slip[1], theme.length.gap, slip[3])
        fill(theme.PLAYER_LOOKS[self.colour].colour, stripe, theme.length.radius * 0.4)
        self.figure.pos = (slip[0] + theme.length.gap * 1.5, slip[1] + slip[3] - least)
        self.figure.size = (slip[2] - theme.length.gap * 2, least)


class RevealScreen(EventMixin, FloatLayout):
    """Lies over the table until its brass key is pressed; an earlier touch skips to the end.

    `is_flat`: people sit all round it, and a key turns it.
    """

    shake = NumericProperty(0.0)
    __events__ = ("on_close",)  # everybody has seen it

    def __init__(self, seen: View, *, is_flat: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert seen.opened is not None
        self._is_flat = is_flat
        self.notes: Writing | None = None
        self.app = running_app()
        self.bars: dict[Seat, BidBar | RevealRow] = {**dict(_bars(seen.opened, self.app.lang, BidBar))}
        self._is_list = not self._have_room()
        if self._is_list:
            self.bars = {**dict(_bars(seen.opened, self.app.lang, RevealRow))}
        self.winners = seen.winners
        self.notes_text = "\n".join(render(note, self.app.lang) for note in seen.notes)
        put(self, Felt(), self._page(render(seen.opened.question.text, self.app.lang)))
        self._steps = [
            Clock.schedule_once(lambda _: self._open(), theme.movement_seconds(theme.REVEAL_PAUSE_SECONDS))
        ]
        self._roll()

    def _page(self, heading: str) -> BoxLayout:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        top = Writing(text=heading, style="question", felt=True, halign="center", lines=2, line_height=1.0)
        needed = top.high_at(self.app.stage.page_size[0] - 2 * sizes.margin) * 1.1
        top.size_hint_y, top.height = None, max(sizes.question * 1.5, needed)
        row = self._row()
        with row.canvas.before:
            PushMatrix()
            shift = Translate()
        with row.canvas.after:
            PopMatrix()
        self.bind(shake=lambda _, x: setattr(shift, "x", x))
        self.foot = BoxLayout(size_hint_y=None, height=sizes.row * 1.1, spacing=sizes.space)
        self.bind(size=self._fit_foot)
        closed = self.app.tr("Everybody has answered.")
        put(self.foot, Writing(text=closed, style="question", felt=True, halign="center"))
        return put(page, top, row, self.foot)

    def _have_room(self) -> bool:
        """Returns whether all answers in words fit on their slips."""
        bars = [bar for bar in self.bars.values() if isinstance(bar, BidBar)]
        width, height = self.app.stage.page_size
        rows = 2 if len(bars) > MAX_DETAILED_SEATS else 1
        beside = ceil(len(bars) / rows)
        room = width - 2 * theme.length.margin * (3 - rows) - theme.length.space * (beside - 1)
        return all(bar.has_room(room / beside, height * MAX_SLIPS_HEIGHT_SHARE / rows) for bar in bars)

    def _row(self) -> GridLayout:
        """Returns the envelopes side by side, many in two rows; long answers as a list."""
        sizes, many = theme.length, len(self.bars) > MAX_DETAILED_SEATS
        if self._is_list:
            grid = GridLayout(cols=2 if many and not self.app.stage.is_upright else 1, spacing=sizes.gap)
            return put(grid, *self.bars.values())
        rows = 2 if many else 1
        row = GridLayout(
            rows=rows, cols=ceil(len(self.bars) / rows), padding=(0 if many else sizes.margin, 0)
        )
        row.spacing = sizes.gap if many else sizes.space
        for bar in self.bars.values():
            if isinstance(bar, BidBar):
                bar.others = [each for each in self.bars.values() if isinstance(each, BidBar)]
                bar.bind(width=lambda bar, width: bar.make_room_for_names(width))
        for bar in self.bars.values():
            row.add_widget(bar)
        return row

    def _roll(self) -> None:
        if theme.reduced_motion:
            return
        by, beat = theme.length.line, theme.REVEAL_PAUSE_SECONDS / TREMBLES / 2
        roll = Animation(shake=by, duration=beat) + Animation(shake=-by, duration=beat)
        roll.repeat = True
        roll.start(self)

    def _open(self) -> None:
        Animation.cancel_all(self, "shake")
        self.shake = 0.0
        for bar in self.bars.values():
            bar.open(bar.amount)
        moving = theme.movement_seconds(theme.TURN_SECONDS) + theme.movement_seconds(theme.SLIDE_SECONDS)
        self._steps.append(Clock.schedule_once(lambda _: self._tell(), moving))

    def _tell(self) -> None:
        """Lights the winner, and shows the notes and the key that goes on."""
        self._steps.clear()
        for seat, bar in self.bars.items():
            bar.winner = seat in self.winners
        self.foot.clear_widgets()
        onward = Key(text=self.app.tr("Go on"), look="brass", name="go on", size_hint_x=None)
        onward.width = theme.length.target * 2.6
        onward.bind(on_release=lambda _: self.close())
        if self._is_flat:
            turn = Key(icon="turn", name="turn", look="felt", size_hint_x=None, width=theme.length.target)
            turn.bind(on_release=lambda _: self.app.stage.turn_round())
            self.foot.add_widget(turn)
        self.notes = Writing(text=self.notes_text, style="key", felt=True, lines=MAX_LINES, line_height=1.0)
        put(self.foot, self.notes, onward)
        self._fit_foot()

    def _fit_foot(self, *_: object) -> None:
        """Fits the notes into the foot, up to a share of the page; the table shows longer notes."""
        if self.notes is None or self.width <= 1:
            return
        sizes, row = theme.length, theme.length.row * 1.1
        keys = sum(key.width + sizes.space for key in self.foot.children if key is not self.notes)
        high = self.notes.high_at(self.width - 2 * sizes.margin - keys)
        self.notes.opacity = 1.0 if high <= self.height * MAX_FOOT_HEIGHT_SHARE else 0.0
        self.foot.height = max(row, high) if self.notes.opacity else row

    def skip(self) -> None:
        """Opens everything at once."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "shake")
        self.shake = 0.0
        for bar in self.bars.values():
            bar.skip()
        self._tell()

    def close(self) -> None:
        """Stops all motion and removes the screen."""
        for step in self._steps:
            step.cancel()
        Animation.cancel_all(self, "shake")
        take_away(self)
        self.dispatch("on_close")

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, so that nothing below is touched."""
        if self._steps:
            self.skip()
        else:
            super().on_touch_down(touch)
        return True


Bar = TypeVar("Bar", BidBar, RevealRow)


def _bars(opened: OpenedEnvelopes, lang: str, kind: type[Bar]) -> Iterator[tuple[Seat, Bar]]:
    """Yields a bar for each seat: higher for a higher bid, with words for another answer."""
    amounts = {seat: _amount(answer) for seat, answer in opened.answers.items()}
    highest = max(amounts.values(), default=0) or 1
    for seat, answer in opened.answers.items():
        bar = kind(colour=seat.colour, name=seat.name, lines=_lines(opened, seat, lang))
        if isinstance(answer, int):
            bar.amount = str(answer)
        bar.reach = max(0, amounts[seat]) / highest
        yield seat, bar


def _amount(answer: object) -> int:
    """Returns a number, or the sum of several; 0 for other answers."""
    if isinstance(answer, dict):
        return sum(answer.values())
    return answer if isinstance(answer, int) else 0


def _lines(opened: OpenedEnvelopes, seat: Seat, lang: str) -> list[str]:
    """Returns the lines of an answer that isn't a number."""
    answer = opened.answers[seat]
    if isinstance(answer, int):
        return []
    return [render(one, lang) for one in opened.question.parts_by_seat[seat].answer_lines(answer)]
