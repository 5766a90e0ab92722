"""Dice: keys with the faces of each real die, small dice side by side, or the companion rolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.requests import Die, Roll
from companion.words import Labelled
from ui import theme
from ui.asking.question import Question
from ui.widgets.drawing.inscribed import MOST_LINES, across, within
from ui.widgets.drawing.line_ends import longest_phrase
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key

MOST_FACES = 28
"""A die with more faces has no keys."""
LINES = 2
"""So many lines of faces have room at most; where there is less, one die is touched after the other."""
WORD, TIGHT, MANY = 2.2, 1.35, 6
"""A face with a name is so many times as wide as one with a number, and where many have to be narrow."""


class DieKeys(BoxLayout):
    """The name of a die over a key for each of its faces; `nameless`: the keys alone.

    `names` are those of the faces that have any.
    """

    def __init__(self, die: Die, names: Sequence[str], *, nameless: bool) -> None:
        super().__init__(orientation="vertical", spacing=_gap(), size_hint_y=None)
        self.die = die
        self.faces = faces = sorted(set(die.faces))
        self._least = theme.length.target * (1 if not names else WORD if len(faces) <= MANY else TIGHT)
        self._whole = max([self._least, *(longest_phrase(name, _small) + _edges() for name in names)])
        self.is_tight = False
        """Whether long names go on in another line, because whole they have no room."""
        self.keys: dict[int, Key] = {}
        self.label = Writing(felt=True, size_hint_y=None, height=theme.length.body * 1.3)
        self.grid = GridLayout(cols=len(faces), spacing=_gap())
        if nameless:
            self.label.height = 0
        put(self, *([] if nameless else [self.label]), self.grid)

    @property
    def wide(self) -> float:
        """How wide a key is at least."""
        return self._least if self.is_tight else self._whole

    def name(self, face: int, name: str) -> None:
        """What a key says."""
        self.keys[face].lines = MOST_LINES if self.is_tight else 2
        self.keys[face].text = "\n".join(within(name, self._least - _edges())) if self.is_tight else name

    def lines(self, width: float) -> int:
        """How many lines its faces take there."""
        return ceil(len(self.faces) / max(1, int((width + _gap()) // (self.wide + _gap()))))

    def high(self, width: float) -> float:
        """How high it is where it is so wide."""
        lines = self.lines(width)
        return float(self.label.height + lines * (theme.length.target + _gap()))

    @property
    def across(self) -> float:
        """How wide it is with all faces side by side."""
        return len(self.faces) * (self.wide + _gap()) - _gap()


class RollKeys(Question[Roll]):
    """Answers as soon as a face of every die was touched.

    That the companion rolls is not offered under cover, where nobody could watch. Only the companion rolls
    where some die has more faces than have room.
    """

    __events__ = ("on_roll",)  # the companion is to roll

    def build(self) -> None:
        """The dice, the brass key below."""
        self.spacing = _gap()
        self.chosen: dict[int, int] = {}
        self.has_keys = max(len(set(die.faces)) for die in self.request.dice) <= MOST_FACES
        self.dice = [self._die(at, die) for at, die in enumerate(self.request.dice)] if self.has_keys else []
        self.roll = Key(look="brass", name="roll", size_hint_y=None, height=theme.length.row)
        self.roll.bind(on_release=lambda _: self.dispatch("on_roll"))
        self.fits_all = True
        self._lay()

    def _die(self, at: int, asked: Die) -> DieKeys:
        names = [self.said(name) for name in self.request.lots or asked.names]
        die = DieKeys(asked, names, nameless=bool(names) and len(self.request.dice) == 1)
        for face in die.faces:
            key = Key(
                is_full=True,
                abbreviates=bool(names),
                style="key" if names else "digit",
                name=f"die {at + 1} {face}",
            )
            key.bind(on_release=lambda _, face=face: self._choose(at, face))
            die.keys[face] = key
            die.grid.add_widget(key)
        return die

    # How they stand

    def _beside(self, width: float) -> list[list[DieKeys]]:
        """The dice in their order, as many of them beside each other as have room with all their faces."""
        lines: list[list[DieKeys]] = []
        for die in self.dice:
            if lines and _across([*lines[-1], die]) <= width:
                lines[-1].append(die)
            else:
                lines.append([die])
        return lines

    def _next(self) -> list[list[DieKeys]]:
        """The die that is to be touched next, alone."""
        return [[die] for die in self.dice[len(self.chosen) :][:1]]

    def _is_short(self, width: float) -> bool:
        """Whether all have room; of lots nobody knows who is left before the one before is drawn."""
        if self.request.lots and len(self.dice) > 1:
            return False
        return sum(max(die.lines(width) for die in line) for line in self._beside(width)) <= LINES

    def _lay(self) -> None:
        for die in self.dice:
            if die.parent is not None:
                die.parent.remove_widget(die)
        self.clear_widgets()
        for dice in self._beside(self.width) if self.fits_all else self._next():
            high = max(die.high(self.width) for die in dice)
            line = BoxLayout(spacing=theme.length.gap, size_hint_y=None, height=high)
            for die in dice:
                die.height, die.size_hint_x = high, len(die.faces)
                die.grid.cols = ceil(len(die.faces) / die.lines(self.width))
                line.add_widget(die)
            self.add_widget(line)
        if self.seen.question is self.request:
            self.add_widget(self.roll)
        self.speak()

    def fit(self) -> None:
        """As many faces side by side as have room, and every die if all have."""
        self._tighten(to=False)
        self.fits_all = self._is_short(self.width) and self.height >= self.wish(self.width)[1] - 1
        self._tighten(to=self._needed(self._next(), self.width) > self.height + 1)
        self._lay()

    def _tighten(self, *, to: bool) -> None:
        for die in self.dice:
            die.is_tight = to

    def wish(self, width: float) -> tuple[float, float]:
        """One die after the other, rather than that the middle of the table is hidden; all where they may.

        Rather than that, too, long names are broken.
        """
        was_tight = any(die.is_tight for die in self.dice)
        self._tighten(to=True)
        least = self._needed(self._next(), width)
        self._tighten(to=False)
        one = self._needed(self._next(), width)
        best = self._needed(self._beside(width), width) if self._is_short(width) else one
        self._tighten(to=was_tight)
        return least, max(least, best)

    def _needed(self, lines: Iterable[Sequence[DieKeys]], width: float) -> float:
        parts = [max(die.high(width) for die in line) for line in lines]
        if self.seen.question is self.request:
            parts.append(self.roll.height)
        return float(sum(parts) + self.spacing * max(0, len(parts) - 1))

    def speak(self) -> None:
        """The names of the dice, after what earlier ones show where only one is seen; the key's word."""
        for at, die in enumerate(self.dice):
            before = [self.chosen[one] for one in range(at) if one in self.chosen]
            shown = [] if self.fits_all else [self.said(one) for one in self.request.shown(before)]
            if self.request.lots:
                shown = shown[-1:]  # all names would be too many
            die.label.text = " · ".join([*shown, self.said(die.die.label)])
            for face in die.keys:
                die.name(face, self.said(self._called(at, before, face)))
        self.roll.text = self.app.tr("Do it for us")

    def _called(self, at: int, before: Sequence[int], face: int) -> Labelled | int:
        """What a face says; of lots once those before it are drawn."""
        drawn = self.request.lots and len(before) == at
        return self.request.shown([*before, face])[-1] if drawn else self.request.dice[at].called(face)

    # What was rolled

    def _choose(self, at: int, face: int) -> None:
        self.chosen[at] = face
        for each, key in self.dice[at].keys.items():
            key.chosen = each == face
        if len(self.chosen) == len(self.request.dice):
            self.dispatch("on_answer", [self.chosen[die] for die in sorted(self.chosen)])
        elif not self.fits_all:
            self._lay()


def _gap() -> float:
    return theme.length.gap / 2


def _small(word: str) -> float:
    return across(word, theme.length.smallest)


def _edges() -> float:
    """What lies beside the word of a key."""
    return theme.length.rim + 2 * theme.length.line + 1


def _across(dice: Sequence[DieKeys]) -> float:
    return sum(die.across for die in dice) + theme.length.gap * (len(dice) - 1)
