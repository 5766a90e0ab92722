"""Several numbers under one condition: a dial for each, and their sum as the number that matters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.requests import QuantitiesField, Request
from companion.session.view import View
from companion.texts import Labelled, render
from ui import theme
from ui.questions.question import ROOMY, Question, is_narrow
from ui.widgets.drawing.line_breaking import longest
from ui.widgets.drawing.surfaces import Drawn, fill
from ui.widgets.drawing.text import Writing, across, called
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import Pad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial
from ui.words import rename_seats

NAMED = 5
"""How many of the widest letters a very long name has room for beside a dial."""
COLUMN = 3
"""Most numbers that stand in one column beside their sum; more stand in two columns above it.

One more stands there too where their names are long.
"""
HALF = 0.56
"""The share of a text that the longer of its two lines takes."""
WIDER = (1.7, 3.0)
"""How much wider the dials are than the sum beside them, and where their names need it."""
SUM, SUM_IN_FOOT = 1.65, 2.2
"""Targets that the sum is wide at least, beside the dials and between the keys."""
BESIDE, BELOW, IN_FOOT = "beside", "below", "in foot"
"""Where the sum stands: beside the dials, in a line of its own below them, or between the keys."""
LEAST_ROWS = 2
"""Of dials on a page."""
LAST = 10**6
"""No number that people count by hand is larger."""


class Sum(Drawn, BoxLayout):
    """The sum, large, and what is still missing beside it, or under it where it is turned upright.

    It lies in the felt, as it is no key.
    """

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 4), spacing=gap / 2, **kwargs)
        self.figure = Writing(halign="center", felt=True)
        self.caption = Writing(style="body", halign="center", felt=True)
        self.add_widget(self.figure)
        self.add_widget(self.caption)
        self.caption.fbind("text", self._widen)

    def _widen(self, *_: object) -> None:
        """No word of the caption is broken; the number has the rest."""
        words = longest(self.caption.text, lambda word: across(word, theme.length.smallest, bold=False))
        self.caption.size_hint_min_x = words + theme.length.line

    def draw(self) -> None:
        """A dent."""
        fill(theme.fade(theme.FELT_DARK, 0.55), self.box)

    def turn(self, *, upright: bool) -> None:
        """Under each other, or side by side."""
        self.orientation = "vertical" if upright else "horizontal"
        self.figure.style, self.caption.lines = ("number", 4) if upright else ("amount", 2)
        self.caption.size_hint_y, self.figure.size_hint_x = (0.8, 1) if upright else (1, 0.7)


class CountsPad(Question[Request[Any]]):
    """What was counted stays when the language changes or the limits do; `forget` sets it back to nothing."""

    def build(self) -> None:
        """Dials, sum, keys; one column of dials has its sum beside it."""
        self.dials = {part.key: self._dial(part.key) for part in self.numbers.numbers}
        sizes = theme.length
        self.typing: tuple[Pad, Dial] | None = None
        self._compact_height = self._collapsed_height = 0.0
        if not self.dials:  # only declining is left
            self.foot = BoxLayout(size_hint_y=None, height=sizes.row)
            self._lay_foot(self.foot)
            self.add_widget(self.foot)
            return
        self.few = len(self.dials) <= COLUMN or (len(self.dials) == COLUMN + 1 and self._is_wordy())
        self.sum, self.body = Sum(), BoxLayout(spacing=sizes.gap)
        self._sum_stands = ""
        between = (sizes.gap / 2, sizes.gap / 4)
        self.pager = Pager(
            things=list(self.dials.values()), rows=len(self.dials), between=between, is_apart=True
        )
        for key in (self.pager.back, self.pager.on):
            key.look, key.width = "paper", sizes.target
        dense = len(self.dials) > COLUMN or not self.few
        self.foot = BoxLayout(
            size_hint_y=None, height=sizes.target if dense else sizes.row, spacing=sizes.gap
        )
        self.spacing = sizes.gap / 4 if dense else sizes.gap
        self._lay_foot(self.foot)
        self.body.add_widget(self.pager)
        self.fit()
        self._count()

    def fit(self) -> None:
        """In one column or two; where even so not all dials have room, on pages."""
        if not self.dials:
            return
        low = self.height + 1 < self._least(self.width, low=False)
        cols, stands = self._shape(self.width, low=low)
        rows = ceil(len(self.dials) / cols)
        rest = self._least(self.width, low=low) - rows * self._row
        if rest + rows * self._row > self.height + 1 and stands == IN_FOOT and self._is_crowded(self.width):
            stands, rest = BELOW, rest + theme.length.target + theme.length.gap
        self._arrange(cols, stands, self.width)
        self.pager.rows = max(1, min(rows, int((self.height + 1 - rest) / self._row)))
        turning = self.pager.turning
        for key in (self.pager.back, self.pager.on):
            if (key in turning) == (key.parent is None):
                self.foot.add_widget(key, index=1) if key in turning else self.foot.remove_widget(key)

    @property
    def _row(self) -> float:
        """How high a dial is with what lies between two of them."""
        return theme.length.target + theme.length.gap / 4

    def height_range(self, width: float) -> tuple[float, float]:
        """So high that every key is large enough, in two columns if need be."""
        if not self.dials:
            return float(self.foot.height), float(self.foot.height)
        tall, low = (self._least(width, low=low) for low in (False, True))
        rows = ceil(len(self.dials) / self._shape(width, low=True)[0])
        is_below = self._shape(width, low=True)[1] == IN_FOOT and self._is_crowded(width)
        below = theme.length.target + theme.length.gap if is_below else 0.0
        self._compact_height, self._collapsed_height = (
            min(tall, low) - max(0, rows - most) * self._row + (below if rows > most else 0.0)
            for most in (LEAST_ROWS, 1)
        )
        if self.typing is not None:
            return self.typing[0].height_range(width)
        return min(tall, low), tall + ROOMY * theme.length.target

    @property
    def compact_height(self) -> float:
        """Two rows of dials, and the others on other pages."""
        return self._compact_height if self.typing is None else 0.0

    @property
    def collapsed_height(self) -> float:
        """One row of dials, where more has no room."""
        return self._collapsed_height if self.typing is None and len(self.dials) > LEAST_ROWS else 0.0

    def _least(self, width: float, *, low: bool) -> float:
        cols, stands = self._shape(width, low=low)
        rows, sizes = ceil(len(self.dials) / cols), theme.length
        below = sizes.target + sizes.gap if stands == BELOW else 0.0
        return float(rows * self._row + self.foot.height + self.spacing + below)

    def is_too_narrow(self, width: float) -> bool:
        """Whether a label, or the number below it, has no room between the keys of its dial."""
        if not self.dials:
            return False
        if self.typing is not None:
            return self.typing[0].is_too_narrow(width)
        cols, stands = self._shape(width, low=False)
        turning = 2 * (theme.length.target + theme.length.gap) if len(self.dials) > LEAST_ROWS else 0.0
        if (
            self._foot_wide + max(turning, SUM_IN_FOOT * theme.length.target if stands == IN_FOOT else 0.0)
            > width
        ):
            return True
        whole = (width - theme.length.gap / 2) / cols - 2 * theme.length.target
        room = self._room_beside(width) if stands == BESIDE else whole
        return bool(room < self._least_room)

    @property
    def _foot_wide(self) -> float:
        """How wide the keys are at least."""
        keys = self._keys
        return float(sum((key.size_hint_min_x or 0) + theme.length.gap for key in keys))

    def _is_crowded(self, width: float) -> bool:
        """Whether the sum has no room in the foot beside the ways to other pages."""
        target, gap = theme.length.target, theme.length.gap
        return self._foot_wide + SUM_IN_FOOT * target + 2 * (target + gap) > width

    def _room_beside(self, width: float) -> float:
        """How much room a label has between the keys of a dial beside the sum."""
        share = self._wider(width)
        return float((width - theme.length.gap) * share / (share + 1) - 2 * theme.length.target)

    @property
    def _least_room(self) -> float:
        """How much it needs: the longest word, and the number below it is a target."""
        words = [word for label in self._labels for word in label.split()]
        widest = max(across(word, theme.length.smallest, bold=False) for word in words)
        return max(widest + theme.length.rim, theme.length.target)

    def _shape(self, width: float, *, low: bool) -> tuple[int, str]:
        """One column of dials or two, as their words have room; where the sum stands.

        A few have two columns only where it is `low`.
        """
        is_few = self.few and not (low and len(self.dials) > 1)
        cols = 1 if is_few or not self._has_room(width / 2) else 2
        return cols, self._where(width) if cols == 1 or not self.few else IN_FOOT

    def _arrange(self, cols: int, stands: str, width: float) -> None:
        self.pager.cols = cols
        self.pager.size_hint_x = self._wider(width) if stands == BESIDE else 1
        if stands != self._sum_stands:
            if self.sum.parent is not None:
                self.sum.parent.remove_widget(self.sum)
            self._sum_stands = stands
            self.body.orientation = "vertical" if stands == BELOW else "horizontal"
            self.sum.turn(upright=stands == BESIDE)
            self.sum.size_hint_min_x = SUM_IN_FOOT * theme.length.target if stands == IN_FOOT else None
            self.sum.size_hint_y, self.sum.height = (None if stands == BELOW else 1), theme.length.target
            self.foot.add_widget(self.sum, index=1) if stands == IN_FOOT else self.body.add_widget(self.sum)

    def _where(self, width: float) -> str:
        """The sum stands beside a few dials, else among the keys, or below all where those need the room."""
        if (
            self.few
            and not (is_narrow(width) and self._is_wordy())
            and self._room_beside(width) >= self._least_room
        ):
            return BESIDE
        has_no_room = is_narrow(width) or self._foot_wide + SUM_IN_FOOT * theme.length.target > width
        return BELOW if self.form.decline and has_no_room else IN_FOOT

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
        return [self._label(part.label) for part in self.numbers.numbers]

    def _label(self, label: Labelled) -> str:
        """What is counted; a name that has no room on a key has less beside a dial."""
        return render(rename_seats(label, _beside_a_dial), self.app.lang)

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
        for key in self._keys:
            foot.add_widget(key)

    @property
    def numbers(self) -> QuantitiesField:
        """What is counted; nothing where only declining is left."""
        field = self.form.single_field
        return field if isinstance(field, QuantitiesField) else QuantitiesField(numbers=())

    @property
    def _keys(self) -> list[Key]:
        """The key that declines, if there is one, and the key that takes the numbers, if there are any."""
        return [*([self.cant] if self.form.decline else []), *([self.take] if self.dials else [])]

    def answer(self) -> dict[str, int]:
        """Every number as it stands."""
        return {key: int(dial.count) for key, dial in self.dials.items()}

    def show(self, seen: View) -> None:
        """The limits are live: where only declining was left there may be numbers now."""
        super().show(seen)
        if [*self.dials] != [part.key for part in self.numbers.numbers]:
            self.forget()
        self.speak()

    def begin_at(self, answer: Mapping[str, int] | None) -> None:
        """Every number as it was."""
        for key, count in (answer or {}).items():
            self.dials[key].count = count

    def speak(self) -> None:
        """Labels, limits, the sum and what it lacks."""
        self.cant.text = self.decline_label
        if not self.dials:
            return
        numbers, total = self.numbers, sum(self.answer().values())
        most, kinds = numbers.most, numbers.max_kinds
        full = most is not None and total >= most
        counted = sum(dial.count > 0 for dial in self.dials.values())
        for part, dial in zip(numbers.numbers, self.dials.values(), strict=True):
            dial.may_rise = not full and (kinds is None or dial.count > 0 or counted < kinds)
            dial.most = part.most
            dial.text = self._label(part.label)
            dial.show()
        self.sum.figure.text = str(total)
        self.sum.caption.text = self._caption(total, numbers)
        self.take.text = self.app.tr("Done")
        for key in (self.cant, self.take):
            key.size_hint_min_x = key.across_in_two_lines()
        if self.typing is not None:
            self._speak_of_typing(*self.typing)
        self.fit()
        least = numbers.least
        self.take.disabled = (least is not None and total < least) or (most is not None and total > most)

    def _caption(self, total: int, numbers: QuantitiesField) -> str:
        tr = self.app.tr
        least, most, kinds = numbers.least, numbers.most, numbers.max_kinds
        if least is not None and total < least:
            said = tr("{n} missing", n=least - total)
        elif most is not None and total > most:
            said = tr("{n} too many", n=total - most)
        elif most is not None and least != most:
            said = tr("at most {n}", n=most)
        else:
            said = tr("total")
        if kinds is not None and kinds < len(self.dials):
            said += "\n" + self.app.trn("at most {n} kind", "at most {n} kinds", kinds)
        return str(said)

    def _count(self, *_: object) -> None:
        self.typing = None
        self.clear_widgets()
        for part in (self.body, self.foot):
            self.add_widget(part)
        self.property("height").dispatch(self)

    def _type(self, key: str) -> None:
        """The pad in place of the dials, until a number is typed or given up."""
        dial = self.dials[key]
        pad = Pad()
        pad.start_at(int(dial.count))
        pad.bind(on_confirm=partial(self._typed, dial), on_no=self._count)
        self.typing = pad, dial
        self._speak_of_typing(pad, dial)
        self.clear_widgets()
        self.add_widget(pad)
        self.property("height").dispatch(self)

    def _speak_of_typing(self, pad: Pad, dial: Dial) -> None:
        pad.most = LAST if dial.most is None else int(dial.most)
        pad.sentence = dial.text if dial.most is None else f"{dial.text} ≤ {dial.most}"
        pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        pad.way_out = self.app.tr("Cancel")
        pad.no_key.lines = 1

    def _typed(self, dial: Dial, _pad: Pad, amount: int) -> None:
        dial.count = amount
        self._count()


def _beside_a_dial(name: str) -> str:
    return name if called(name) == name else called(name, NAMED)
