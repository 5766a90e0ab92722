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
"""So many lines of faces have room; where there would be more, one die is touched after the other."""


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
        self.fits_all, self.has_keys = sum(lines) <= LINES, max(lines) <= LINES
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
        self.fit()

    def fit(self) -> None:
        """As many faces side by side as have room."""
        for row in self.rows:
            row.cols = ceil(len(row.children) / self._lines(row, self.width))
            row.height = self._high(row, self.width)

    def wish(self, width: float) -> tuple[float, float]:
        """As high as all of it is at that width."""
        parts = [self._high(part, width) if part in self.rows else part.height for part in self.children]
        high = sum(parts) + self.spacing * (len(parts) - 1)
        return high, high

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
        self.roll.text = self.app.tr("Roll for us")

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
