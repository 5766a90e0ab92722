"""Entering a dice roll: people enter the faces of their real dice, or the companion rolls.

There is a key for each face. The faces of large dice are typed on a number pad.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from kivy.uix.boxlayout import BoxLayout

from companion.requests import Die, Roll
from companion.texts import Labelled
from ui import theme
from ui.questions.question import QuestionWidget
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.line_breaking import widest_phrase_width
from ui.widgets.drawing.text import MAX_WRAPPED_NAME_LINES, FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager

MAX_FACES_WITH_KEYS = 28
"""The most faces of a die for which there are keys; the faces of larger dice are typed."""
MAX_FACE_LINES_AT_ONCE = 2
"""The most lines of face keys at once; if the dice need more, the widget shows one die after the other.

If even one die needs more lines, its faces are on pages of this many lines, or of one line.
"""
PAGE_KEYS_WIDTH_IN_TARGETS = 3
"""The width of the page keys and the dots between them, in targets."""
MIN_NAMED_FACE_WIDTH_IN_TARGETS, MIN_WIDTH_OF_MANY_NAMED_FACES_IN_TARGETS, MAX_WIDE_NAMED_FACES = 2.2, 1.35, 6
"""The minimum width of a named face's key in targets: up to a number of faces, beyond it, and that number."""


class DieFaceKeys(Pager):
    """A key for each face of a die, below the die's name; on pages if they don't fit.

    `names` are the names of the faces, if the faces have any. `nameless` hides the name of the die.
    """

    def __init__(self, die: Die, names: Sequence[str], *, nameless: bool) -> None:
        self.faces = faces = sorted(set(die.faces))
        super().__init__(
            cols=len(faces), rows=1, spacing=_gap(), between=_gap(), has_external_keys=True, size_hint_y=None
        )
        self.die = die
        self._wrapped_key_width = theme.length.target * (
            1
            if not names
            else MIN_NAMED_FACE_WIDTH_IN_TARGETS
            if len(faces) <= MAX_WIDE_NAMED_FACES
            else MIN_WIDTH_OF_MANY_NAMED_FACES_IN_TARGETS
        )
        self._unwrapped_key_width = max(
            [
                self._wrapped_key_width,
                *(widest_phrase_width(name, _text_width) + _key_edges_width() for name in names),
            ]
        )
        self.is_tight = False
        """Whether long names are broken into lines, because they don't fit in one."""
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
        return self._wrapped_key_width > width

    @property
    def min_key_width(self) -> float:
        """Returns the minimum width of a key; names are broken into lines if `is_tight`."""
        return self._wrapped_key_width if self.is_tight else self._unwrapped_key_width

    def arrange_in_equal_lines(self, width: float, lines_per_page: int) -> None:
        """Arranges the keys in lines of equal length, on as few pages as possible."""
        count, columns = len(self.faces), self._column_count(width)
        pages = ceil(count / (columns * lines_per_page))
        lines_per_page = min(lines_per_page, self.line_count_at(width))
        self.cols, self.rows = min(columns, ceil(ceil(count / pages) / lines_per_page)), lines_per_page
        self.items = list(self.keys.values())

    def set_face_name(self, face: int, name: str) -> None:
        """Sets the text on the key of a face."""
        self.keys[face].lines = MAX_WRAPPED_NAME_LINES if self.is_tight else 2
        self.keys[face].text = (
            "\n".join(wrap_name(name, self._wrapped_key_width - _key_edges_width()))
            if self.is_tight
            else name
        )

    def line_count_at(self, width: float) -> int:
        """Returns how many lines the keys take at this width."""
        return ceil(len(self.faces) / self._column_count(width))

    def _column_count(self, width: float) -> int:
        return max(1, int((width + _gap()) // (self.min_key_width + _gap())))

    def height_at(self, width: float, max_lines: int | None = None) -> float:
        """Returns the height at this width, with at most `max_lines` lines on a page."""
        lines = self.line_count_at(width)
        return float(self.label.height + min(lines, max_lines or lines) * _line_height())

    @property
    def one_line_width(self) -> float:
        """Returns the width with all faces in one line."""
        return len(self.faces) * (self.min_key_width + _gap()) - _gap()


class RollKeys(QuestionWidget[Roll]):
    """The widget for entering a dice roll: keys for the faces of all dice.

    The widget answers as soon as each die has a chosen face. In a sealed answer the companion doesn't offer
    to roll, because nobody could watch. If a die has too many faces for keys, a key opens a number pad, on
    which people type the face of one die after the other.
    """

    __events__ = ("on_roll",)  # people want the companion to roll

    def build_widgets(self) -> None:
        """Builds the dice and the brass key with which the companion rolls."""
        self.spacing = _gap()
        self.chosen: dict[int, int] = {}
        self.has_keys = max(len(set(die.faces)) for die in self.request.dice) <= MAX_FACES_WITH_KEYS
        self.dice = (
            [self._make_face_keys(index, die) for index, die in enumerate(self.request.dice)]
            if self.has_keys
            else []
        )
        self.roll_key = Key(look="brass", name="roll")
        self.roll_key.bind(on_release=lambda _: self.dispatch("on_roll"))
        self.type_key = Key(name="type roll")
        self.type_key.bind(on_release=lambda _: self._open_or_close_pad(is_open=True))
        self.pad = NumberPad()
        self.pad.bind(
            on_confirm=lambda _, face: self._enter_typed_face(face),
            on_decline=lambda _: self._open_or_close_pad(is_open=False),
        )
        self._is_pad_open = False
        self.shows_all_dice = True
        self._min_compact_height = self._min_collapsed_height = 0.0

    def _make_face_keys(self, index: int, die: Die) -> DieFaceKeys:
        names = [self.render_with_short_names(name) for name in self.request.lots_to_draw or die.face_names]
        face_keys = DieFaceKeys(die, names, nameless=bool(names) and len(self.request.dice) == 1)
        for face in die.faces:
            key = Key(
                has_narrow_margins=True,
                abbreviates=bool(names),
                style="key" if names else "digit",
                name=f"die {index + 1} {face}",
            )
            key.bind(on_release=lambda _, face=face: self._choose(index, face))
            face_keys.keys[face] = key
        return face_keys

    # The layout

    def _dice_in_lines(self, width: float) -> list[list[DieFaceKeys]]:
        """Returns the dice in lines, in order: as many side by side as fit with all their faces."""
        lines: list[list[DieFaceKeys]] = []
        for die in self.dice:
            if lines and _width_in_one_line([*lines[-1], die]) <= width:
                lines[-1].append(die)
            else:
                lines.append([die])
        return lines

    def _dice_without_face(self) -> list[DieFaceKeys]:
        """Returns the dice without a chosen face."""
        return [die for index, die in enumerate(self.dice) if index not in self.chosen]

    def _do_all_dice_fit(self, width: float) -> bool:
        """Returns whether all dice fit at once.

        Drawn lots appear one by one, because a lot is known only once the lot before is drawn.
        """
        if self.request.lots_to_draw and len(self.dice) > 1:
            return False
        return (
            sum(max(die.line_count_at(width) for die in line) for line in self._dice_in_lines(width))
            <= MAX_FACE_LINES_AT_ONCE
        )

    def _arrange(self) -> None:
        self.roll_key.text = self.app.tr("Let the companion do it")
        self.roll_key.size_hint_min_x = self.roll_key.min_width_in_two_lines()
        if not self.has_keys:
            self._arrange_typing()
            return
        for die in self.dice:
            detach_from_parent(die)
        self.clear_widgets()
        lines = (
            self._dice_in_lines(self.width)
            if self.shows_all_dice
            else [[die] for die in self._dice_without_face()[:1]]
        )
        for dice in lines:
            max_lines = MAX_FACES_WITH_KEYS if self.shows_all_dice else self._max_lines_on_page(dice[0])
            height = max(die.height_at(self.width, max_lines) for die in dice)
            line = BoxLayout(spacing=theme.length.gap, size_hint_y=None, height=height)
            for die in dice:
                die.height, die.size_hint_x = height, len(die.faces)
                die.arrange_in_equal_lines(self.width, max_lines)
                line.add_widget(die)
            self.add_widget(line)
        self._add_foot([die for dice in lines for die in dice if die.page_turn_keys])
        self._update_names()

    def _arrange_typing(self) -> None:
        """Shows the pad, or the key that opens it and the key that rolls."""
        self.type_key.text = self.app.tr("Enter it yourself")
        self.type_key.size_hint_min_x = self.type_key.min_width_in_two_lines()
        self._update_pad()
        self.clear_widgets()
        if self._shows_pad:
            self.add_widget(self.pad)
            return
        keys = [self.type_key, self.roll_key]
        for row in [keys] if self._do_keys_fit_side_by_side(self.width) else [[key] for key in keys]:
            self.add_widget(
                add_children(BoxLayout(spacing=_gap(), size_hint_y=None, height=theme.length.row), *row)
            )

    def _update_pad(self) -> None:
        """Updates the texts and the limits of the pad: those of the first die without a typed face."""
        index = min(len(self.chosen), len(self.request.dice) - 1)
        die = self.request.dice[index]
        faces = sorted(set(die.faces))
        has_gaps = len(faces) <= faces[-1] - faces[0]
        self.pad.least, self.pad.most, self.pad.values = faces[0], faces[-1], faces if has_gaps else ()
        labels = [*self.request.face_labels([self.chosen[earlier] for earlier in range(index)]), die.label]
        self.pad.limits_text = " · ".join(map(self.render_with_short_names, labels))
        seals = self.is_sealed and index + 1 == len(self.request.dice)
        self.pad.confirm_text = (
            self.app.tr("Seal {amount}", amount="{amount}")
            if seals
            else self.app.tr("Take {amount}", amount="{amount}")
        )
        self.pad.decline_text = self.app.tr("Cancel") if self._may_companion_roll else ""

    @property
    def _shows_pad(self) -> bool:
        """Returns whether the faces are typed now; if the companion may not roll, nothing else is offered."""
        return not self.has_keys and (self._is_pad_open or not self._may_companion_roll)

    def _do_keys_fit_side_by_side(self, width: float) -> bool:
        """Returns whether the key that opens the pad fits beside the key that rolls."""
        return bool(self.type_key.size_hint_min_x + _gap() + self.roll_key.size_hint_min_x <= width)

    def _add_foot(self, paged_dice: Sequence[DieFaceKeys]) -> None:
        """Adds the page keys and the key that rolls, side by side if they fit."""
        page_keys = [key for die in paged_dice for key in (die.back_key, die.dots, die.next_key)]
        roll_keys = [self.roll_key] if self._may_companion_roll else []
        rows_with_heights = [(page_keys, theme.length.target), (roll_keys, theme.length.row)]
        if page_keys and self._has_roll_key_beside_page_keys(self.width):
            rows_with_heights = [([*page_keys, *roll_keys], theme.length.target)]
        for keys, height in rows_with_heights:
            if keys:
                self.add_widget(
                    add_children(BoxLayout(spacing=_gap(), size_hint_y=None, height=height), *keys)
                )

    @property
    def _may_companion_roll(self) -> bool:
        return self.view.question is self.request

    def _has_roll_key_beside_page_keys(self, width: float) -> bool:
        """Returns whether the key that rolls fits beside the page keys."""
        return bool(_page_keys_width() + self.roll_key.size_hint_min_x <= width)

    def adapt_to_size(self) -> None:
        """Adapts to the size: shows all dice if they fit, else one after the other."""
        self._set_tight(is_tight=False)
        self.shows_all_dice = (
            self._do_all_dice_fit(self.width)
            and self.height >= self.min_and_preferred_height(self.width)[1] - 1
        )
        self._set_tight(
            is_tight=self._max_height_alone(self._dice_without_face()[:1], self.width) > self.height + 1
        )
        self._arrange()

    def _max_lines_on_page(self, die: DieFaceKeys) -> int:
        """Returns how many lines of a die's faces fit on a page."""
        line_counts = range(die.line_count_at(self.width), 1, -1)
        return next(
            (
                lines
                for lines in line_counts
                if self._max_height_alone([die], self.width, lines) <= self.height + 1
            ),
            1,
        )

    def _set_tight(self, *, is_tight: bool) -> None:
        for die in self.dice:
            die.is_tight = is_tight

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The minimum shows one die after the other, the preferred height all dice. The minimum breaks long
        names, because hiding the middle of the table would be worse. If the faces are typed, both are those
        of the pad or of the keys before it.
        """
        if not self.has_keys:
            if self._shows_pad:
                return self.pad.min_and_preferred_height(width)
            rows = 1 if self._do_keys_fit_side_by_side(width) else 2
            keys_height = float(rows * theme.length.row + (rows - 1) * self.spacing)
            return keys_height, keys_height
        was_tight = any(die.is_tight for die in self.dice)
        self._set_tight(is_tight=True)
        min_height = self._max_height_alone(self._dice_without_face(), width)
        self._min_compact_height, self._min_collapsed_height = (
            self._max_height_alone(self._dice_without_face(), width, max_lines)
            if self._has_pages(width, max_lines)
            else 0.0
            for max_lines in (MAX_FACE_LINES_AT_ONCE, 1)
        )
        self._set_tight(is_tight=False)
        height_alone = self._max_height_alone(self._dice_without_face(), width)
        preferred_height = (
            self._height_of_lines(self._dice_in_lines(width), width)
            if self._do_all_dice_fit(width)
            else height_alone
        )
        self._set_tight(is_tight=was_tight)
        return min_height, max(min_height, preferred_height)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages of two lines of faces."""
        return self._min_compact_height

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with pages of one line of faces."""
        return self._min_collapsed_height

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the face keys and the page keys, or for the pad."""
        if self._shows_pad:
            return self.pad.is_too_narrow(width)
        is_narrow = self._has_pages(width, MAX_FACE_LINES_AT_ONCE) and _page_keys_width() > width
        return is_narrow or any(die.is_too_narrow(width) for die in self.dice)

    def _has_pages(self, width: float, max_lines: int) -> bool:
        """Returns whether a die has more lines of faces than `most`."""
        return any(die.line_count_at(width) > max_lines for die in self.dice)

    def _max_height_alone(
        self, dice: Sequence[DieFaceKeys], width: float, max_lines: int = MAX_FACES_WITH_KEYS
    ) -> float:
        """Returns the height for the highest of the dice, alone, with `max_lines` lines on a page."""
        return max(
            (self._height_alone(die, width, max_lines) for die in dice),
            default=self._height_of_lines([], width),
        )

    def _height_alone(self, die: DieFaceKeys, width: float, max_lines: int) -> float:
        if die.line_count_at(width) <= max_lines:
            return self._height_of_lines([[die]], width)
        is_roll_below = self._may_companion_roll and not self._has_roll_key_beside_page_keys(width)
        roll_key_height = self.spacing + theme.length.row if is_roll_below else 0.0
        return float(die.height_at(width, max_lines) + self.spacing + theme.length.target + roll_key_height)

    def _height_of_lines(self, lines: Iterable[Sequence[DieFaceKeys]], width: float) -> float:
        heights = [max(die.height_at(width) for die in line) for line in lines]
        if self._may_companion_roll:
            heights.append(theme.length.row)
        return float(sum(heights) + self.spacing * max(0, len(heights) - 1))

    def update_texts(self) -> None:
        """Updates all texts, and the layout, which depends on the texts' widths."""
        self._arrange()

    def _update_names(self) -> None:
        """Updates the names of dice and faces; a die shown alone also names the faces of earlier dice."""
        for index, die in enumerate(self.dice):
            previous_faces = [
                self.chosen[die_index] for die_index in range(index) if die_index in self.chosen
            ]
            previous_labels = (
                []
                if self.shows_all_dice
                else [
                    self.render_with_short_names(label) for label in self.request.face_labels(previous_faces)
                ]
            )
            if self.request.lots_to_draw:
                previous_labels = previous_labels[-1:]  # all names would be too many
            die.label.text = " · ".join([*previous_labels, self.render_with_short_names(die.die.label)])
            for face in die.keys:
                die.set_face_name(
                    face, self.render_with_short_names(self._face_label(index, previous_faces, face))
                )

    def _face_label(self, index: int, previous_faces: Sequence[int], face: int) -> Labelled | int:
        """Returns the name of a face, or of the lot that it draws once all lots before are drawn."""
        is_current_lot = self.request.lots_to_draw and len(previous_faces) == index
        return (
            self.request.face_labels([*previous_faces, face])[-1]
            if is_current_lot
            else self.request.dice[index].face_label(face)
        )

    # The answer

    def _open_or_close_pad(self, *, is_open: bool) -> None:
        """Opens the pad, or closes it and forgets the typed faces."""
        self._is_pad_open = is_open
        self.chosen.clear()
        self.pad.clear()
        self._arrange()
        self.property("height").dispatch(self)

    def _enter_typed_face(self, face: int) -> None:
        """Takes the typed face of a die, and asks for the next die or answers."""
        self.chosen[len(self.chosen)] = face
        self.pad.clear()
        self._update_pad()
        if len(self.chosen) == len(self.request.dice):
            self.dispatch("on_answer", [self.chosen[die] for die in sorted(self.chosen)])

    def _choose(self, index: int, face: int) -> None:
        self.chosen[index] = face
        for other_face, key in self.dice[index].keys.items():
            key.chosen = other_face == face
        if len(self.chosen) == len(self.request.dice):
            self.dispatch("on_answer", [self.chosen[die] for die in sorted(self.chosen)])
        elif not self.shows_all_dice:
            self.adapt_to_size()


def _gap() -> float:
    return theme.length.gap / 2


def _page_keys_width() -> float:
    """Returns the width of the page keys, with the dots between them and the gap beside them."""
    return PAGE_KEYS_WIDTH_IN_TARGETS * (theme.length.target + _gap())


def _line_height() -> float:
    """Returns the height of a line of faces, with the gap below it."""
    return theme.length.target + _gap()


def _text_width(word: str) -> float:
    return measure_text_width(word, theme.length.smallest)


def _key_edges_width() -> float:
    """Returns the width of both edges beside the text of a key."""
    return theme.length.rim + 2 * theme.length.line + 1


def _width_in_one_line(dice: Sequence[DieFaceKeys]) -> float:
    return sum(die.one_line_width for die in dice) + theme.length.gap * (len(dice) - 1)
