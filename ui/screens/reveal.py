"""The reveal: a drum-roll, all envelopes open together, bids rise as bars, and a sentence says what follows.

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
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.line_breaking import longest
from ui.widgets.drawing.surfaces import Box, Felt, fill, shade, texture_over
from ui.widgets.drawing.text import Writing, across, within
from ui.widgets.keys.key import Key
from ui.widgets.seats.answer_rows import RevealRow
from ui.widgets.seats.envelope import Envelope
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS

SLIP = 0.82
"""The share of its envelope's width that a slip has."""
WIDE, NARROW, RATIO, LOWEST = 0.92, 0.52, 0.6, 0.4
"""An envelope's width as a share of its bar's width, and of its bar's height; its own height as a share of
its width, and in targets at least."""
SLIPS = 0.4
"""The share of the page that a row of slips may take."""
FOOT = 0.45
"""The share of the page that what happened may take."""
MOST_LINES = 24
ROLLS = 9
"""Trembles of the envelopes before they open."""


class RisingBid(Envelope):
    """An envelope out of which the bid rises as a bar; `reach` is its share of the highest."""

    reach = NumericProperty(0.0)
    name_lines = NumericProperty(2)

    def __init__(self, *, lines: Sequence[str] = (), **kwargs: Any) -> None:
        self._content = Writing(text="\n".join(lines), style="body", lines=MOST_LINES, line_height=1.0)
        self._highs: dict[float, float] = {}
        self.others: Sequence[RisingBid] = ()
        """All bars of the reveal: those of equal bids are equally high, whatever stands on their slips."""
        super().__init__(waiting=False, **kwargs)
        if lines:
            self.amount = self._content.text
            self.figure.style, self.figure.lines, self.figure.line_height = "body", MOST_LINES, 1.0

    def make_room_for_names(self, width: float) -> None:
        """As many lines below every envelope as the longest name takes, so that all stand on one line."""
        lines = max(2, *(len(within(each.name, width)) for each in self.others))
        for each in self.others:
            each.name_lines = lines

    @property
    def _least(self) -> float:
        """How high what stands on the slip is at its smallest."""
        if not self._content.text:
            left = self.height - self.name_area_height - theme.length.target * LOWEST
            return float(min(theme.length.amount * 1.1, max(theme.length.smallest, left)))
        return self._high_at(self._inner) + theme.length.gap

    def _high_at(self, width: float) -> float:
        """How high its words are at their smallest; measured once, as it is drawn frame by frame."""
        if width not in self._highs:
            self._highs[width] = self._content.high_at(width)
        return self._highs[width]

    @property
    def _lowest(self) -> float:
        """How high the slip of the lowest bid is."""
        return max([self._least, *(bar._least for bar in self.others)])  # noqa: SLF001 - one of its own kind

    def has_room(self, width: float, height: float) -> bool:
        """Whether words on its slip have room where it is so wide and a slip may be so high."""
        inner = width * WIDE * SLIP - 2 * theme.length.gap
        small, text = theme.length.smallest, self._content.text
        word = longest(text, lambda word: across(word, small, bold=False))
        return not text or (word <= inner and self._high_at(inner) <= height)

    @property
    def _inner(self) -> float:
        """How wide what stands on the slip may be."""
        return self._across * SLIP - 2 * theme.length.gap

    def body_box(self) -> Box:
        """Lower and narrower than an envelope that only lies there: the bar needs the room above.

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
        slip = (x + width * (1 - SLIP) / 2, y + height * 0.2, width * SLIP, height * 0.8 + above)
        shade(slip, 0, 0.6)
        fill(theme.PAPER_LIT, slip, theme.length.radius * 0.4)
        texture_over(slip, 0.05, theme.length.radius * 0.4)
        stripe = (slip[0], slip[1], theme.length.gap, slip[3])
        fill(theme.PLAYER_LOOKS[self.colour].colour, stripe, theme.length.radius * 0.4)
        self.figure.pos = (slip[0] + theme.length.gap * 1.5, slip[1] + slip[3] - least)
        self.figure.size = (slip[2] - theme.length.gap * 2, least)


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
        self.said: Writing | None = None
        self.app = running()
        self.bars: dict[Seat, RisingBid | RevealRow] = {**dict(_bars(seen.opened, self.app.lang, RisingBid))}
        self._is_list = not self._have_room()
        if self._is_list:
            self.bars = {**dict(_bars(seen.opened, self.app.lang, RevealRow))}
        self.winners = seen.winners
        self.told = "\n".join(render(note, self.app.lang) for note in seen.notes)
        put(self, Felt(), self._page(render(seen.opened.question.text, self.app.lang)))
        self._steps = [
            Clock.schedule_once(lambda _: self._open(), theme.movement_seconds(theme.REVEAL_PAUSE_SECONDS))
        ]
        self._roll()

    def _page(self, heading: str) -> BoxLayout:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        top = Writing(text=heading, style="question", felt=True, halign="center", lines=2, line_height=1.0)
        needed = top.high_at(self.app.stage.room[0] - 2 * sizes.margin) * 1.1
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
        """Whether all answers in words have room on their slips, as wide as the page makes them."""
        bars = [bar for bar in self.bars.values() if isinstance(bar, RisingBid)]
        width, height = self.app.stage.room
        rows = 2 if len(bars) > MAX_DETAILED_SEATS else 1
        beside = ceil(len(bars) / rows)
        room = width - 2 * theme.length.margin * (3 - rows) - theme.length.space * (beside - 1)
        return all(bar.has_room(room / beside, height * SLIPS / rows) for bar in bars)

    def _row(self) -> GridLayout:
        """The envelopes side by side, many in two rows; rows of words below each other."""
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
            if isinstance(bar, RisingBid):
                bar.others = [each for each in self.bars.values() if isinstance(each, RisingBid)]
                bar.bind(width=lambda bar, width: bar.make_room_for_names(width))
        for bar in self.bars.values():
            row.add_widget(bar)
        return row

    def _roll(self) -> None:
        if theme.reduced_motion:
            return
        by, beat = theme.length.line, theme.REVEAL_PAUSE_SECONDS / ROLLS / 2
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
        """The winner glows, the sentence stands, and the key goes on."""
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
        self.said = Writing(text=self.told, style="key", felt=True, lines=MOST_LINES, line_height=1.0)
        put(self.foot, self.said, onward)
        self._fit_foot()

    def _fit_foot(self, *_: object) -> None:
        """All that happened has room, up to half of the page; more than that the table shows by itself."""
        if self.said is None or self.width <= 1:
            return
        sizes, row = theme.length, theme.length.row * 1.1
        keys = sum(key.width + sizes.space for key in self.foot.children if key is not self.said)
        high = self.said.high_at(self.width - 2 * sizes.margin - keys)
        self.said.opacity = 1.0 if high <= self.height * FOOT else 0.0
        self.foot.height = max(row, high) if self.said.opacity else row

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


Bar = TypeVar("Bar", RisingBid, RevealRow)


def _bars(opened: OpenedEnvelopes, lang: str, kind: type[Bar]) -> Iterator[tuple[Seat, Bar]]:
    """The higher the more there is in it; an answer that is no number, in its words."""
    amounts = {seat: _amount(answer) for seat, answer in opened.answers.items()}
    highest = max(amounts.values(), default=0) or 1
    for seat, answer in opened.answers.items():
        bar = kind(colour=seat.colour, name=seat.name, lines=_lines(opened, seat, lang))
        if isinstance(answer, int):
            bar.amount = str(answer)
        bar.reach = max(0, amounts[seat]) / highest
        yield seat, bar


def _amount(answer: object) -> int:
    """A number, or the sum of several; 0 for anything else."""
    if isinstance(answer, dict):
        return sum(answer.values())
    return answer if isinstance(answer, int) else 0


def _lines(opened: OpenedEnvelopes, seat: Seat, lang: str) -> list[str]:
    """What stood in an envelope, if it was no number."""
    answer = opened.answers[seat]
    if isinstance(answer, int):
        return []
    return [render(one, lang) for one in opened.question.parts_by_seat[seat].answer_lines(answer)]
