"""Entering a dice roll: a key for each face of each real die, on pages if needed, or the companion rolls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from kivy.uix.boxlayout import BoxLayout

from companion.requests import Die, Roll
from companion.texts import Labelled
from ui import theme
from ui.questions.question import Question
from ui.widgets.drawing.containers import add_children, detach
from ui.widgets.drawing.line_breaking import widest_phrase_width
from ui.widgets.drawing.text import MAX_WRAPPED_NAME_LINES, FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

MAX_FACES_WITH_KEYS = 28
"""The most faces of a die for which there are keys."""
MAX_FACE_LINES = 2
"""The most lines of face keys at once; if the dice need more, people touch one die after the other.

If even one die needs more lines, its faces are on pages of this many lines, or of one line.
"""
PAGE_KEYS_WIDTH_IN_TARGETS = 3
"""The width of the page keys and the dots between them, in targets."""
NAMED_FACE_WIDTH_IN_TARGETS, NARROW_NAMED_FACE_WIDTH_IN_TARGETS, MAX_WIDE_NAMED_FACES = 2.2, 1.35, 6
"""The minimum width of a named face's key in targets: up to the last number of faces, and beyond it."""


class DieFaceKeys(Pager):
    """A key for each face of a die, below the die's name; on pages if they don't fit.

    `names` are the names of the faces, if they have any. `nameless`: the name of the die isn't shown.
    """

    def __init__(self, die: Die, names: Sequence[str], *, nameless: bool) -> None:
        self.faces = faces = sorted(set(die.faces))
        super().__init__(
            cols=len(faces), rows=1, spacing=_gap(), between=_gap(), is_apart=True, size_hint_y=None
        )
        self.die = die
        self._least = theme.length.target * (
            1
            if not names
            else NAMED_FACE_WIDTH_IN_TARGETS
            if len(faces) <= MAX_WIDE_NAMED_FACES
            else NARROW_NAMED_FACE_WIDTH_IN_TARGETS
        )
        self._whole = max([self._least, *(widest_phrase_width(name, _small) + _edges() for name in names)])
        self.is_tight = False
        """Whether long names go on in another line, because whole they have no room."""
        self.keys: dict[int, Key] = {}
        self.label = FittedLabel(is_on_felt=True, size_hint_y=None, height=theme.length.body * 1.3)
        if nameless:
            self.label.height = 0
        else:
            self.add_widget(self.label, index=len(self.children))

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for a face key.

        Names of faces may be broken into lines.
        """
        return self._least > width

    @property
    def min_key_width(self) -> float:
        """Returns the minimum width of a key."""
        return self._least if self.is_tight else self._whole

    def arrange_in_equal_lines(self, width: float, lines_per_page: int) -> None:
        """Arranges the keys in lines of equal length, on as few pages as possible."""
        count, columns = len(self.faces), self._columns(width)
        pages = ceil(count / (columns * lines_per_page))
        lines_per_page = min(lines_per_page, self.line_count_at(width))
        self.cols, self.rows = min(columns, ceil(ceil(count / pages) / lines_per_page)), lines_per_page
        self.items = list(self.keys.values())

    def set_face_name(self, face: int, name: str) -> None:
        """Sets the text on the key of a face."""
        self.keys[face].lines = MAX_WRAPPED_NAME_LINES if self.is_tight else 2
        self.keys[face].text = "\n".join(wrap_name(name, self._least - _edges())) if self.is_tight else name

    def line_count_at(self, width: float) -> int:
        """Returns how many lines the keys take at this width."""
        return ceil(len(self.faces) / self._columns(width))

    def _columns(self, width: float) -> int:
        return max(1, int((width + _gap()) // (self.min_key_width + _gap())))

    def height_at(self, width: float, max_lines: int | None = None) -> float:
        """Returns the height at this width, with at most `max_lines` lines on a page."""
        lines = self.line_count_at(width)
        return float(self.label.height + min(lines, max_lines or lines) * _line())

    @property
    def one_line_width(self) -> float:
        """Returns the width with all faces in one line."""
        return len(self.faces) * (self.min_key_width + _gap()) - _gap()


class RollKeys(Question[Roll]):
    """The widget for entering a dice roll: keys for the faces of all dice.

    The answer is given as soon as each die has a chosen face. The companion doesn't offer to roll in a
    sealed answer, where nobody could watch. If some die has too many faces for keys, only the companion
    rolls.
    """

    __events__ = ("on_roll",)  # the companion is to roll

    def build_widgets(self) -> None:
        """Builds the dice, and the brass key that lets the companion roll."""
        self.spacing = _gap()
        self.chosen: dict[int, int] = {}
        self.has_keys = max(len(set(die.faces)) for die in self.request.dice) <= MAX_FACES_WITH_KEYS
        self.dice = [self._die(at, die) for at, die in enumerate(self.request.dice)] if self.has_keys else []
        self.roll_key = Key(look="brass", name="roll")
        self.roll_key.bind(on_release=lambda _: self.dispatch("on_roll"))
        self.fits_all = True
        self._min_compact_height = self._min_collapsed_height = 0.0

    def _die(self, at: int, asked: Die) -> DieFaceKeys:
        names = [self.render_with_short_names(name) for name in self.request.drawn_lots or asked.face_names]
        die = DieFaceKeys(asked, names, nameless=bool(names) and len(self.request.dice) == 1)
        for face in die.faces:
            key = Key(
                has_narrow_margins=True,
                abbreviates=bool(names),
                style="key" if names else "digit",
                name=f"die {at + 1} {face}",
            )
            key.bind(on_release=lambda _, face=face: self._choose(at, face))
            die.keys[face] = key
        return die

    # How they stand

    def _beside(self, width: float) -> list[list[DieFaceKeys]]:
        """Returns the dice in lines, in order: as many side by side as fit with all their faces."""
        lines: list[list[DieFaceKeys]] = []
        for die in self.dice:
            if lines and _across([*lines[-1], die]) <= width:
                lines[-1].append(die)
            else:
                lines.append([die])
        return lines

    def _rest(self) -> list[DieFaceKeys]:
        """Returns the dice without a chosen face."""
        return self.dice[len(self.chosen) :]

    def _is_short(self, width: float) -> bool:
        """Returns whether all dice fit at once.

        Drawn lots are shown one by one: who is left is known only once the lot before is drawn.
        """
        if self.request.drawn_lots and len(self.dice) > 1:
            return False
        return (
            sum(max(die.line_count_at(width) for die in line) for line in self._beside(width))
            <= MAX_FACE_LINES
        )

    def _lay(self) -> None:
        for die in self.dice:
            detach(die)
        self.clear_widgets()
        self.roll_key.text = self.app.tr("Let the companion do it")
        self.roll_key.size_hint_min_x = self.roll_key.min_width_in_two_lines()
        lines = self._beside(self.width) if self.fits_all else [[die] for die in self._rest()[:1]]
        for dice in lines:
            most = MAX_FACES_WITH_KEYS if self.fits_all else self._most_lines(dice[0])
            high = max(die.height_at(self.width, most) for die in dice)
            line = BoxLayout(spacing=theme.length.gap, size_hint_y=None, height=high)
            for die in dice:
                die.height, die.size_hint_x = high, len(die.faces)
                die.arrange_in_equal_lines(self.width, most)
                line.add_widget(die)
            self.add_widget(line)
        self._lay_foot([die for dice in lines for die in dice if die.page_turn_keys])
        self._name()

    def _lay_foot(self, paged: Sequence[DieFaceKeys]) -> None:
        """Adds the page keys and the key that rolls, side by side if they fit."""
        ways = [key for die in paged for key in (die.back_key, die.dots, die.next_key)]
        roll = [self.roll_key] if self._may_roll else []
        feet = [(ways, theme.length.target), (roll, theme.length.row)]
        if ways and self._is_roll_beside(self.width):
            feet = [([*ways, *roll], theme.length.target)]
        for keys, high in feet:
            if keys:
                self.add_widget(add_children(BoxLayout(spacing=_gap(), size_hint_y=None, height=high), *keys))

    @property
    def _may_roll(self) -> bool:
        return self.view.question is self.request

    def _is_roll_beside(self, width: float) -> bool:
        """Returns whether the key that rolls fits beside the page keys."""
        return bool(_turning() + self.roll_key.size_hint_min_x <= width)

    def adapt_to_size(self) -> None:
        """Adapts to the size: shows all dice if they fit, else one after the other."""
        self._tighten(to=False)
        self.fits_all = self._is_short(self.width) and self.height >= self.height_range(self.width)[1] - 1
        self._tighten(to=self._alone(self._rest()[:1], self.width) > self.height + 1)
        self._lay()

    def _most_lines(self, die: DieFaceKeys) -> int:
        """Returns how many lines of a die's faces fit on a page."""
        tries = range(die.line_count_at(self.width), 1, -1)
        return next((most for most in tries if self._alone([die], self.width, most) <= self.height + 1), 1)

    def _tighten(self, *, to: bool) -> None:
        for die in self.dice:
            die.is_tight = to

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The minimum shows one die after the other, the preferred height all dice. Long names are broken
        rather than hiding the middle of the table.
        """
        was_tight = any(die.is_tight for die in self.dice)
        self._tighten(to=True)
        least = self._alone(self._rest(), width)
        self._min_compact_height, self._min_collapsed_height = (
            self._alone(self._rest(), width, most) if self._has_pages(width, most) else 0.0
            for most in (MAX_FACE_LINES, 1)
        )
        self._tighten(to=False)
        one = self._alone(self._rest(), width)
        best = self._needed(self._beside(width), width) if self._is_short(width) else one
        self._tighten(to=was_tight)
        return least, max(least, best)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages of two lines of faces."""
        return self._min_compact_height

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with pages of one line of faces."""
        return self._min_collapsed_height

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the face keys or the page keys."""
        is_narrow = self._has_pages(width, MAX_FACE_LINES) and _turning() > width
        return is_narrow or any(die.is_too_narrow(width) for die in self.dice)

    def _has_pages(self, width: float, most: int) -> bool:
        """Returns whether a die has more lines of faces than `most`."""
        return any(die.line_count_at(width) > most for die in self.dice)

    def _alone(self, dice: Sequence[DieFaceKeys], width: float, most: int = MAX_FACES_WITH_KEYS) -> float:
        """Returns the height of the highest of these dice alone, with `most` lines of faces on a page."""
        return max((self._high(die, width, most) for die in dice), default=self._needed([], width))

    def _high(self, die: DieFaceKeys, width: float, most: int) -> float:
        if die.line_count_at(width) <= most:
            return self._needed([[die]], width)
        is_roll_below = self._may_roll and not self._is_roll_beside(width)
        below = self.spacing + theme.length.row if is_roll_below else 0.0
        return float(die.height_at(width, most) + self.spacing + theme.length.target + below)

    def _needed(self, lines: Iterable[Sequence[DieFaceKeys]], width: float) -> float:
        parts = [max(die.height_at(width) for die in line) for line in lines]
        if self._may_roll:
            parts.append(theme.length.row)
        return float(sum(parts) + self.spacing * max(0, len(parts) - 1))

    def update_texts(self) -> None:
        """Updates all texts and the layout, which depends on their width."""
        self._lay()

    def _name(self) -> None:
        """Updates the names of dice and faces; a single shown die also says what the earlier ones show."""
        for at, die in enumerate(self.dice):
            before = [self.chosen[one] for one in range(at) if one in self.chosen]
            shown = (
                []
                if self.fits_all
                else [self.render_with_short_names(one) for one in self.request.face_labels(before)]
            )
            if self.request.drawn_lots:
                shown = shown[-1:]  # all names would be too many
            die.label.text = " · ".join([*shown, self.render_with_short_names(die.die.label)])
            for face in die.keys:
                die.set_face_name(face, self.render_with_short_names(self._called(at, before, face)))

    def _called(self, at: int, before: Sequence[int], face: int) -> Labelled | int:
        """Returns the name of a face; for lots, once the lots before it are drawn."""
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
            self.adapt_to_size()


def _gap() -> float:
    return theme.length.gap / 2


def _turning() -> float:
    """Returns the width of the page keys, with the dots between them and the gap beside them."""
    return PAGE_KEYS_WIDTH_IN_TARGETS * (theme.length.target + _gap())


def _line() -> float:
    """Returns the height of a line of faces, with the gap below it."""
    return theme.length.target + _gap()


def _small(word: str) -> float:
    return measure_text_width(word, theme.length.smallest)


def _edges() -> float:
    """Returns the width of the edges beside the word on a key."""
    return theme.length.rim + 2 * theme.length.line + 1


def _across(dice: Sequence[DieFaceKeys]) -> float:
    return sum(die.one_line_width for die in dice) + theme.length.gap * (len(dice) - 1)
