"""Dice: keys with the faces of each real die, side by side or on pages, or the companion rolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from kivy.uix.boxlayout import BoxLayout

from companion.requests import Die, Roll
from companion.texts import Labelled
from ui import theme
from ui.questions.question import Question
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.line_breaking import longest_phrase
from ui.widgets.drawing.text import MOST_LINES, Writing, across, within
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

MOST_FACES = 28
"""A die with more faces has no keys."""
LINES = 2
"""Most lines of faces that have room; where there is less, one die is touched after the other.

Where even one die has more lines than have room, its faces stand on pages of so many lines, or of one.
"""
TURNING = 3
"""Targets that the keys to other pages take side by side, with the dots between them."""
WORD, TIGHT, MANY = 2.2, 1.35, 6
"""A face with a name is so many times as wide as one with a number, and where many have to be narrow."""


class DieKeys(Pager):
    """The name of a die over a key for each of its faces; `nameless`: the keys alone.

    `names` are those of the faces that have any. Faces that have no room stand on pages.
    """

    def __init__(self, die: Die, names: Sequence[str], *, nameless: bool) -> None:
        self.faces = faces = sorted(set(die.faces))
        super().__init__(
            cols=len(faces), rows=1, spacing=_gap(), between=_gap(), is_apart=True, size_hint_y=None
        )
        self.die = die
        self._least = theme.length.target * (1 if not names else WORD if len(faces) <= MANY else TIGHT)
        self._whole = max([self._least, *(longest_phrase(name, _small) + _edges() for name in names)])
        self.is_tight = False
        """Whether long names go on in another line, because whole they have no room."""
        self.keys: dict[int, Key] = {}
        self.label = Writing(felt=True, size_hint_y=None, height=theme.length.body * 1.3)
        if nameless:
            self.label.height = 0
        else:
            self.add_widget(self.label, index=len(self.children))

    def is_too_narrow(self, width: float) -> bool:
        """Whether a face has no room there, even with its name broken."""
        return self._least > width

    @property
    def wide(self) -> float:
        """How wide a key is at least."""
        return self._least if self.is_tight else self._whole

    def arrange(self, width: float, rows: int) -> None:
        """Lays out the keys in lines of one length, on as few pages of `rows` lines as possible."""
        count, columns = len(self.faces), self._columns(width)
        pages = ceil(count / (columns * rows))
        rows = min(rows, self.lines(width))
        self.cols, self.rows = min(columns, ceil(ceil(count / pages) / rows)), rows
        self.things = list(self.keys.values())

    def name(self, face: int, name: str) -> None:
        """What a key says."""
        self.keys[face].lines = MOST_LINES if self.is_tight else 2
        self.keys[face].text = "\n".join(within(name, self._least - _edges())) if self.is_tight else name

    def lines(self, width: float) -> int:
        """How many lines its faces take there."""
        return ceil(len(self.faces) / self._columns(width))

    def _columns(self, width: float) -> int:
        return max(1, int((width + _gap()) // (self.wide + _gap())))

    def high(self, width: float, most: int | None = None) -> float:
        """How high it is where it is so wide, with no more than so many lines on a page."""
        lines = self.lines(width)
        return float(self.label.height + min(lines, most or lines) * _line())

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
        self.roll = Key(look="brass", name="roll")
        self.roll.bind(on_release=lambda _: self.dispatch("on_roll"))
        self.fits_all = True
        self._compact_height = self._collapsed_height = 0.0

    def _die(self, at: int, asked: Die) -> DieKeys:
        names = [self.said(name) for name in self.request.drawn_lots or asked.face_names]
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

    def _rest(self) -> list[DieKeys]:
        """The dice that are still to be touched."""
        return self.dice[len(self.chosen) :]

    def _is_short(self, width: float) -> bool:
        """Whether all have room; of lots nobody knows who is left before the one before is drawn."""
        if self.request.drawn_lots and len(self.dice) > 1:
            return False
        return sum(max(die.lines(width) for die in line) for line in self._beside(width)) <= LINES

    def _lay(self) -> None:
        for die in self.dice:
            take_away(die)
        self.clear_widgets()
        self.roll.text = self.app.tr("Let the companion do it")
        self.roll.size_hint_min_x = self.roll.across_in_two_lines()
        lines = self._beside(self.width) if self.fits_all else [[die] for die in self._rest()[:1]]
        for dice in lines:
            most = MOST_FACES if self.fits_all else self._most_lines(dice[0])
            high = max(die.high(self.width, most) for die in dice)
            line = BoxLayout(spacing=theme.length.gap, size_hint_y=None, height=high)
            for die in dice:
                die.height, die.size_hint_x = high, len(die.faces)
                die.arrange(self.width, most)
                line.add_widget(die)
            self.add_widget(line)
        self._lay_foot([die for dice in lines for die in dice if die.turning])
        self._name()

    def _lay_foot(self, paged: Sequence[DieKeys]) -> None:
        """The ways to other faces, and the key that rolls: beside each other where they have room."""
        ways = [key for die in paged for key in (die.back, die.dots, die.on)]
        roll = [self.roll] if self._may_roll else []
        feet = [(ways, theme.length.target), (roll, theme.length.row)]
        if ways and self._is_roll_beside(self.width):
            feet = [([*ways, *roll], theme.length.target)]
        for keys, high in feet:
            if keys:
                self.add_widget(put(BoxLayout(spacing=_gap(), size_hint_y=None, height=high), *keys))

    @property
    def _may_roll(self) -> bool:
        return self.seen.question is self.request

    def _is_roll_beside(self, width: float) -> bool:
        """Whether the key that rolls has room beside the ways to other faces."""
        return bool(_turning() + self.roll.size_hint_min_x <= width)

    def fit(self) -> None:
        """As many faces side by side as have room, and every die if all have."""
        self._tighten(to=False)
        self.fits_all = self._is_short(self.width) and self.height >= self.height_range(self.width)[1] - 1
        self._tighten(to=self._alone(self._rest()[:1], self.width) > self.height + 1)
        self._lay()

    def _most_lines(self, die: DieKeys) -> int:
        """How many lines of its faces have room on a page."""
        tries = range(die.lines(self.width), 1, -1)
        return next((most for most in tries if self._alone([die], self.width, most) <= self.height + 1), 1)

    def _tighten(self, *, to: bool) -> None:
        for die in self.dice:
            die.is_tight = to

    def height_range(self, width: float) -> tuple[float, float]:
        """One die after the other, rather than that the middle of the table is hidden; all where they may.

        Rather than that, too, long names are broken.
        """
        was_tight = any(die.is_tight for die in self.dice)
        self._tighten(to=True)
        least = self._alone(self._rest(), width)
        self._compact_height, self._collapsed_height = (
            self._alone(self._rest(), width, most) if self._has_pages(width, most) else 0.0
            for most in (LINES, 1)
        )
        self._tighten(to=False)
        one = self._alone(self._rest(), width)
        best = self._needed(self._beside(width), width) if self._is_short(width) else one
        self._tighten(to=was_tight)
        return least, max(least, best)

    @property
    def compact_height(self) -> float:
        """Two lines of faces, and the others on other pages."""
        return self._compact_height

    @property
    def collapsed_height(self) -> float:
        """One line of faces, and the others on other pages."""
        return self._collapsed_height

    def is_too_narrow(self, width: float) -> bool:
        """Whether a face has no room there, or the ways to others have none."""
        is_narrow = self._has_pages(width, LINES) and _turning() > width
        return is_narrow or any(die.is_too_narrow(width) for die in self.dice)

    def _has_pages(self, width: float, most: int) -> bool:
        """Whether a die has more lines of faces than so many."""
        return any(die.lines(width) > most for die in self.dice)

    def _alone(self, dice: Sequence[DieKeys], width: float, most: int = MOST_FACES) -> float:
        """How high the highest of these is, seen alone, with so many lines of faces on a page."""
        return max((self._high(die, width, most) for die in dice), default=self._needed([], width))

    def _high(self, die: DieKeys, width: float, most: int) -> float:
        if die.lines(width) <= most:
            return self._needed([[die]], width)
        is_roll_below = self._may_roll and not self._is_roll_beside(width)
        below = self.spacing + theme.length.row if is_roll_below else 0.0
        return float(die.high(width, most) + self.spacing + theme.length.target + below)

    def _needed(self, lines: Iterable[Sequence[DieKeys]], width: float) -> float:
        parts = [max(die.high(width) for die in line) for line in lines]
        if self._may_roll:
            parts.append(theme.length.row)
        return float(sum(parts) + self.spacing * max(0, len(parts) - 1))

    def speak(self) -> None:
        """Writes all, and places it: the words say how much room it takes."""
        self._lay()

    def _name(self) -> None:
        """The names of the dice, after what earlier ones show where only one is seen; those of the faces."""
        for at, die in enumerate(self.dice):
            before = [self.chosen[one] for one in range(at) if one in self.chosen]
            shown = [] if self.fits_all else [self.said(one) for one in self.request.face_labels(before)]
            if self.request.drawn_lots:
                shown = shown[-1:]  # all names would be too many
            die.label.text = " · ".join([*shown, self.said(die.die.label)])
            for face in die.keys:
                die.name(face, self.said(self._called(at, before, face)))

    def _called(self, at: int, before: Sequence[int], face: int) -> Labelled | int:
        """What a face says; of lots once those before it are drawn."""
        drawn = self.request.drawn_lots and len(before) == at
        return (
            self.request.face_labels([*before, face])[-1] if drawn else self.request.dice[at].face_label(face)
        )

    # What was rolled

    def _choose(self, at: int, face: int) -> None:
        self.chosen[at] = face
        for each, key in self.dice[at].keys.items():
            key.chosen = each == face
        if len(self.chosen) == len(self.request.dice):
            self.dispatch("on_answer", [self.chosen[die] for die in sorted(self.chosen)])
        elif not self.fits_all:
            self.fit()


def _gap() -> float:
    return theme.length.gap / 2


def _turning() -> float:
    """How wide the ways to other faces are, with the dots between them and the gap beside them."""
    return TURNING * (theme.length.target + _gap())


def _line() -> float:
    """How high a line of faces is with what lies below it."""
    return theme.length.target + _gap()


def _small(word: str) -> float:
    return across(word, theme.length.smallest)


def _edges() -> float:
    """What lies beside the word of a key."""
    return theme.length.rim + 2 * theme.length.line + 1


def _across(dice: Sequence[DieKeys]) -> float:
    return sum(die.across for die in dice) + theme.length.gap * (len(dice) - 1)
