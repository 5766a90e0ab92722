"""Dice: a row of keys with the faces of each real die, or the companion rolls."""

from __future__ import annotations

from math import ceil

from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.requests import Die, Roll
from ui import theme
from ui.asking.question import Question
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key

IN_A_ROW = 7
"""Faces side by side."""
LINES = 4
"""So many lines of faces have room at most; where there is less, one die is touched after the other."""


class RollKeys(Question[Roll]):
    """Answers as soon as a face of every die was touched.

    That the companion rolls is not offered under cover, where nobody could watch. Only the companion rolls
    where some die has more faces than have room.
    """

    __events__ = ("on_roll",)  # the companion is to roll

    def build(self) -> None:
        """The name of each die over its faces, the brass key below."""
        sizes = theme.length
        self.spacing = sizes.gap / 2
        self.chosen: dict[int, int] = {}
        lines = [ceil(len(set(die.faces)) / IN_A_ROW) for die in self.request.dice]
        self.is_short, self.has_keys = sum(lines) <= LINES, max(lines) <= LINES
        self.fits_all = self.is_short
        self.labels = [
            Writing(felt=True, size_hint_y=None, height=sizes.body * 1.3) for _ in self.request.dice
        ]
        self.rows = [self._row(at, die) for at, die in enumerate(self.request.dice) if self.has_keys]
        self.roll = Key(look="brass", name="roll", size_hint_y=None, height=sizes.row)
        self.roll.bind(on_release=lambda _: self.dispatch("on_roll"))
        self._lay()

    def _lay(self) -> None:
        """Every die, or the one that is to be touched next."""
        parts: list[Widget] = [part for pair in zip(self.labels, self.rows, strict=False) for part in pair]
        if not self.fits_all:
            parts = parts[2 * len(self.chosen) :][:2]
        if self.seen.question is self.request:
            parts.append(self.roll)
        self.clear_widgets()
        for part in parts:
            self.add_widget(part)
        self._widen()

    def fit(self) -> None:
        """As many faces side by side as have room, and every die if all have."""
        fits_all = self.is_short and self.height >= self.wish(self.width)[0] - 1
        if fits_all != self.fits_all:
            self.fits_all = fits_all
            self._lay()
            self.speak()
        self._widen()

    def _widen(self) -> None:
        for row in self.rows:
            row.cols = ceil(len(row.children) / self._lines(row, self.width))
            row.height = self._high(row, self.width)

    def wish(self, width: float) -> tuple[float, float]:
        """As high as all of it is at that width."""
        high = self._needed(width, all_dice=self.is_short)
        return high, high

    @property
    def folded(self) -> float:
        """One die after the other."""
        return self._needed(self.width, all_dice=False)

    def _needed(self, width: float, *, all_dice: bool) -> float:
        dice = list(zip(self.labels, self.rows, strict=False))
        if not all_dice:
            dice = dice[len(self.chosen) :][:1]
        parts = [label.height + self.spacing + self._high(row, width) for label, row in dice]
        if self.seen.question is self.request:
            parts.append(self.roll.height)
        return float(sum(parts) + self.spacing * max(0, len(parts) - 1))

    def _lines(self, row: GridLayout, width: float) -> int:
        target, gap = theme.length.target, theme.length.gap / 2
        room = max(1, int((width + gap) // (target + gap)))
        return ceil(len(row.children) / min(IN_A_ROW, room))

    def _high(self, row: GridLayout, width: float) -> float:
        lines = self._lines(row, width)
        return lines * theme.length.target + (lines - 1) * theme.length.gap / 2

    def speak(self) -> None:
        """The names of the dice, after what the earlier ones show where only one is seen; the key's word."""
        for at, die in enumerate(self.request.dice):
            before = (
                [] if self.fits_all else [str(self.chosen[one]) for one in sorted(self.chosen) if one < at]
            )
            self.labels[at].text = " · ".join([*before, self.said(die.label)])
        self.roll.text = self.app.tr("Do it for us")

    def _row(self, at: int, die: Die) -> GridLayout:
        row = GridLayout(cols=IN_A_ROW, spacing=theme.length.gap / 2, size_hint_y=None)
        for face in sorted(set(die.faces)):
            key = Key(text=str(face), style="digit", name=f"die {at + 1} {face}")
            key.face_of_die = face
            key.bind(on_release=lambda _, face=face: self._choose(at, face))
            row.add_widget(key)
        return row

    def _choose(self, at: int, face: int) -> None:
        self.chosen[at] = face
        for key in self.rows[at].children:
            key.chosen = key.face_of_die == face
        if len(self.chosen) == len(self.request.dice):
            self.dispatch("on_answer", [self.chosen[die] for die in sorted(self.chosen)])
        elif not self.fits_all:
            self._lay()
            self.speak()
