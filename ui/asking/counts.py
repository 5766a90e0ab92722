"""Several numbers under one condition: a dial for each, and their sum as the number that matters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.requests import Counts
from companion.session.view import View
from ui import theme
from ui.asking.question import ROOMY, Question, is_narrow
from ui.widgets.drawing.drawn import Drawn, fill
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.dial import Dial
from ui.widgets.keys.key import Key
from ui.widgets.keys.pad import Pad

COLUMN = 3
"""So many numbers or fewer stand in one column beside their sum, more in two columns above it.

One more stands there too where their names are long.
"""
HALF = 0.56
"""The share of a text that the longer of its two lines takes."""
WIDER = (1.7, 3.0)
"""How much wider the dials are than the sum beside them, and where their names need it."""
SUM = 1.65
"""Targets that the sum is wide at least."""
BESIDE, BELOW, IN_FOOT = "beside", "below", "in foot"
"""Where the sum stands: beside the dials, in a line of its own below them, or between the keys."""
LAST = 10**6
"""No number that people count by hand is larger."""


class Sum(Drawn, BoxLayout):
    """The sum, large, and what is still missing beside it, or under it where it is `turned` upright.

    It lies in the felt, as it is no key.
    """

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 4), spacing=gap / 2, **kwargs)
        self.figure = Writing(halign="center", felt=True)
        self.caption = Writing(style="body", halign="center", felt=True)
        self.add_widget(self.figure)
        self.add_widget(self.caption)

    def draw(self) -> None:
        """A dent."""
        fill(theme.fade(theme.FELT_DARK, 0.55), self.box)

    def turn(self, *, upright: bool) -> None:
        """Under each other, or side by side."""
        self.orientation = "vertical" if upright else "horizontal"
        self.figure.style, self.caption.lines = ("number", 4) if upright else ("amount", 2)
        self.caption.size_hint_y, self.figure.size_hint_x = (0.8, 1) if upright else (1, 0.7)


class CountsPad(Question[Counts]):
    """What was counted stays when the language changes or the limits do; `forget` sets it back to nothing."""

    def build(self) -> None:
        """Dials, sum, keys; one column of dials has its sum beside it."""
        self.dials = {key: self._dial(key) for key in self.request.counted}
        sizes = theme.length
        self.few = len(self.dials) <= COLUMN or (len(self.dials) == COLUMN + 1 and self._is_wordy())
        self.sum, self.body = Sum(), BoxLayout(spacing=sizes.gap)
        self._sum_stands = ""
        self.grid = GridLayout(cols=1, spacing=(sizes.gap / 2, sizes.gap / 4))
        for dial in self.dials.values():
            self.grid.add_widget(dial)
        dense = len(self.dials) > COLUMN or not self.few
        self.foot = BoxLayout(
            size_hint_y=None, height=sizes.target if dense else sizes.row, spacing=sizes.gap
        )
        self.spacing = sizes.gap / 4 if dense else sizes.gap
        self._lay_foot(self.foot)
        self.body.add_widget(self.grid)
        self.typing: tuple[Pad, Dial] | None = None
        self._arrange(self.width)
        self._count()

    def fit(self) -> None:
        """In one column or two."""
        self._arrange(self.width)

    def wish(self, width: float) -> tuple[float, float]:
        """So high that every key is large enough."""
        self._arrange(width)
        rows, sizes = ceil(len(self.dials) / self.grid.cols), theme.length
        low = sizes.target + sizes.gap if self._sum_stands == BELOW else 0.0
        least = (rows + 1) * sizes.target + rows * sizes.gap / 4 + self.spacing + low
        return least, least + ROOMY * sizes.target

    def _arrange(self, width: float) -> None:
        """One column of dials or two, as their words have room; the sum has its place."""
        self.grid.cols = 1 if self.few or not self._has_room(width / 2) else 2
        stands = self._where(width)
        self.grid.size_hint_x = self._wider(width) if stands == BESIDE else 1
        if stands != self._sum_stands:
            if self.sum.parent is not None:
                self.sum.parent.remove_widget(self.sum)
            self._sum_stands = stands
            self.body.orientation = "vertical" if stands == BELOW else "horizontal"
            self.sum.turn(upright=stands == BESIDE)
            self.sum.size_hint_y, self.sum.height = (None if stands == BELOW else 1), theme.length.target
            self.foot.add_widget(self.sum, index=1) if stands == IN_FOOT else self.body.add_widget(self.sum)

    def _where(self, width: float) -> str:
        """The sum stands beside a few dials, else among the keys, or below all where those need the room."""
        if self.few and not (is_narrow(width) and self._is_wordy()):
            return BESIDE
        return BELOW if self.request.cant and is_narrow(width) else IN_FOOT

    def _wider(self, width: float) -> float:
        """So much that the names stand in a line each, if the sum still has room beside them."""
        target = theme.length.target
        widest = max(across(label, theme.length.smallest, bold=False) for label in self._labels)
        for share in WIDER:
            room = (width - theme.length.gap) / (share + 1)
            if widest <= room * share - 2 * target and room >= SUM * target:
                return share
        return WIDER[0]

    def _has_room(self, width: float) -> bool:
        """Whether every label has room in a dial that is so wide, in two lines."""
        room = width - theme.length.gap - 2 * theme.length.target
        return all(across(label, theme.length.smallest, bold=False) * HALF <= room for label in self._labels)

    @property
    def _labels(self) -> list[str]:
        return [self.said(count.label) for count in self.request.counted.values()]

    def _is_wordy(self) -> bool:
        """Whether a label is too long for half the width."""
        widest = max(across(label, theme.length.smallest) for label in self._labels)
        return widest > theme.length.target * 2.4

    def _dial(self, key: str) -> Dial:
        dial = Dial(name=key, is_limited=True)
        dial.fbind("count", self._speak)
        dial.bind(on_type=lambda _: self._type(key))
        return dial

    def _lay_foot(self, foot: BoxLayout) -> None:
        self.cant = Key(name="cant", size_hint_x=0.75)
        self.cant.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.take = Key(look="brass", name="take")
        self.take.bind(on_release=lambda _: self.dispatch("on_answer", self.answer()))
        for key in (self.cant, self.take) if self.request.cant else (self.take,):
            foot.add_widget(key)

    def answer(self) -> dict[str, int]:
        """Every number as it stands."""
        return {key: int(dial.count) for key, dial in self.dials.items()}

    def show(self, seen: View) -> None:
        """The limits are live."""
        super().show(seen)
        self.speak()

    def begin_at(self, answer: Mapping[str, int] | None) -> None:
        """Every number as it was."""
        for key, count in (answer or {}).items():
            self.dials[key].count = count

    def speak(self) -> None:
        """Labels, limits, the sum and what it lacks."""
        limits, total = self.request.limits, sum(self.answer().values())
        most, kinds = limits["most"], limits["kinds"]
        full = most is not None and total >= most
        counted = sum(dial.count > 0 for dial in self.dials.values())
        for key, dial in self.dials.items():
            dial.may_rise = not full and (kinds is None or dial.count > 0 or counted < kinds)
            dial.most = limits["counts"][key]
            dial.text = self.said(self.request.counted[key].label)
            dial.show()
        self.sum.figure.text = str(total)
        self.sum.caption.text = self._caption(total, limits)
        self.cant.text = self.said(self.request.cant) if self.request.cant else ""
        self.take.text = self.app.tr("Done")
        if self.typing is not None:
            self._speak_of_typing(*self.typing)
        least = limits["least"]
        self.take.disabled = (least is not None and total < least) or (most is not None and total > most)

    def _caption(self, total: int, limits: dict[str, Any]) -> str:
        tr = self.app.tr
        least, most, kinds = limits["least"], limits["most"], limits["kinds"]
        if least is not None and total < least:
            said = tr("{n} missing", n=least - total)
        elif most is not None and total > most:
            said = tr("{n} too much", n=total - most)
        elif most is not None and least != most:
            said = tr("at most {n}", n=most)
        else:
            said = tr("in all")
        if kinds is not None and kinds < len(self.dials):
            said += "\n" + self.app.trn("{n} kind at most", "{n} kinds at most", kinds)
        return str(said)

    def _count(self, *_: object) -> None:
        self.typing = None
        self.clear_widgets()
        for part in (self.body, self.foot):
            self.add_widget(part)

    def _type(self, key: str) -> None:
        """The pad in place of the dials, until a number is typed or given up."""
        dial = self.dials[key]
        pad = Pad(most=LAST if dial.most is None else int(dial.most))
        pad.start_at(int(dial.count))
        pad.bind(on_confirm=partial(self._typed, dial), on_no=self._count)
        self.typing = pad, dial
        self._speak_of_typing(pad, dial)
        self.clear_widgets()
        self.add_widget(pad)

    def _speak_of_typing(self, pad: Pad, dial: Dial) -> None:
        pad.sentence = dial.text if dial.most is None else f"{dial.text} ≤ {dial.most}"
        pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        pad.way_out = self.app.tr("Cancel")
        pad.no_key.lines = 1

    def _typed(self, dial: Dial, _pad: Pad, amount: int) -> None:
        dial.count = amount
        self._count()
