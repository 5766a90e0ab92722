"""A small number or word between a minus key and a plus key."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import count_wrapped_lines, min_width_in_lines, widest_word_width
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, draw_border, fill_rounded_box
from ui.widgets.drawing.text import FittedLabel, count_name_lines, measure_text_width
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import BadgeWidget

NUMBER_WIDTH_TARGETS = 0.7
"""Width of a stepper's number, in targets."""
STEP_KEY_WIDTH_TARGETS = 1.3
"""Width of the keys of steps without a label, in targets."""


class CountBetweenKeys(BoxLayout):
    """The base class of steppers: a `count` with a minus key and a plus key, which subclasses arrange."""

    count = NumericProperty(0)
    least = NumericProperty(0)
    most = NumericProperty(99)

    def __init__(self, name: str, key_width: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.number_label = FittedLabel(style="digit", halign="center")
        self.minus_key = Key(icon="minus", name=f"less {name}", size_hint_x=None, width=key_width)
        self.plus_key = Key(icon="plus", name=f"more {name}", size_hint_x=None, width=key_width)
        self.minus_key.bind(on_press=lambda _: self._change_count(-1))
        self.plus_key.bind(on_press=lambda _: self._change_count(1))
        for property_name in ("count", "least", "most"):
            self.fbind(property_name, self._update_texts_and_keys)

    def _change_count(self, change: int) -> None:
        self.count = min(self.most, max(self.least, self.count + change))

    def _update_texts_and_keys(self, *_: object) -> None:
        self.number_label.text = str(self.count)
        self.minus_key.disabled, self.plus_key.disabled = self.count <= self.least, self.count >= self.most


class Stepper(CountBetweenKeys, PaperBoxLayout):
    """A `count` between a minus key and a plus key.

    `text` names what is counted; `note` says how much each of them is worth.
    """

    text = StringProperty("")
    note = StringProperty("")

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        gap, target = theme.length.gap, theme.length.target
        super().__init__(
            name, target, orientation="horizontal", padding=(gap * 1.5, 0, gap, 0), spacing=0, **kwargs
        )
        self.label, self.badge = FittedLabel(lines=2), BadgeWidget("")
        label_column = BoxLayout(orientation="vertical", padding=(0, gap * 0.25), spacing=0)
        add_children(label_column, self.label, self.badge)
        self.number_label.size_hint_x, self.number_label.width = None, target * NUMBER_WIDTH_TARGETS
        for key in (self.minus_key, self.plus_key):
            key.size_hint_y, key.height, key.pos_hint = None, target, {"center_y": 0.5}
        add_children(self, label_column, self.minus_key, self.number_label, self.plus_key)
        for property_name in ("text", "note"):
            self.fbind(property_name, self._update_texts_and_keys)
        self._update_texts_and_keys()

    @staticmethod
    def label_width(stepper_width: float) -> float:
        """Returns the width for the label in a stepper of that width."""
        return stepper_width - theme.length.target * (2 + NUMBER_WIDTH_TARGETS) - theme.length.gap * 2.5

    def _update_texts_and_keys(self, *_: object) -> None:
        super()._update_texts_and_keys()
        self.label.text, self.badge.text = self.text, self.note


class CountSteps(CountBetweenKeys):
    """A `count` between a minus key and a plus key, without a label."""

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        super().__init__(name, theme.length.target * STEP_KEY_WIDTH_TARGETS, **kwargs)
        add_children(self, self.minus_key, self.number_label, self.plus_key)
        self._update_texts_and_keys()


# The stepper whose number can be typed


MAX_STEPS_BEFORE_TYPING = 5
"""The most steps between the limits of a dial that can't be typed; typing is quicker for more steps."""
MAX_DIAL_LABEL_LINES = 2
"""The most lines of a dial's label; a dial one target high has no room for more above its number."""


class TypableStepperNumber(ButtonBehavior, AutoRedrawWidget, BoxLayout):
    """The number of a dial, with its label; a line under the number shows that it can be typed."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "can_type")
    can_type = BooleanProperty(defaultvalue=False)
    """Whether a touch lets people type the number."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(style="quiet", halign="center", size_hint_y=None, line_height=1.0)
        self.number = FittedLabel(style="digit", halign="center")
        super().__init__(orientation="vertical", padding=(0, theme.length.rim / 2), **kwargs)
        self.label.color = theme.INK
        add_children(self, self.label, self.number)

    def show_label_and_number(self, label: str, number: str, number_style: str) -> None:
        """Shows the label above the number, or beside it.

        A long label takes two lines. If label and number are too high then, the label stands beside the
        number. If there is no room there, or a word would be broken, the number is small.
        """
        sizes = theme.length
        self.label.text, self.number.text = label, number
        self.label.lines = count_name_lines(label, max(self.width, sizes.target), bold=False)
        self.label.height = sizes.smallest * 1.15
        if self.label.lines > 1:  # lines with letters of another font may be higher than usual ones
            self.label.height = max(sizes.smallest * 2.1, self.label.min_height_at(self.width))
        number_width = measure_text_width(number, sizes.digit, theme.MONEY_FONT) + sizes.gap / 2
        room = self.height - 2 * self.padding[1]
        is_low = self.label.lines > 1 and room < self.label.height + sizes.digit
        is_beside = (
            is_low
            and number_width < self.width / 2
            and self._has_room_for_label(label, self.width - number_width)
        )
        self.orientation = "horizontal" if is_beside else "vertical"
        small_style = "seal" if number_style == "digit" else "key"
        self.number.style = small_style if is_low and not is_beside else number_style
        self.label.size_hint_y = 1 if is_beside else None
        self.number.size_hint_x, self.number.width = (None, number_width) if is_beside else (1, self.width)

    def _has_room_for_label(self, label: str, width: float) -> bool:
        """Returns whether a label of the whole height fits in a width, with no word broken."""
        if widest_word_width(label, _measure_quiet_text) > width:
            return False
        height = count_wrapped_lines(label, width, _measure_quiet_text) * theme.length.smallest
        return bool(height <= self.height - 2 * self.padding[1])

    def draw(self) -> None:
        """Draws a line under a number that can be typed, and a pressed look while it is touched."""
        if self.can_type and self.state == "down":
            fill_rounded_box(theme.PAPER_PRESSED, self.box)
        if self.can_type:
            line_width = min(self.width * 0.5, theme.length.target)
            line_x, line_y = self.center_x - line_width / 2, self.y + theme.length.line
            line_box = (line_x, line_y, line_width, theme.length.line)
            draw_border(theme.BRASS_DARK, line_box, theme.length.hair, theme.length.hair)


def _measure_quiet_text(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def min_dial_label_width(labels: Iterable[str]) -> float:
    """Returns the least width between the keys of a dial at which each label can be read."""
    return max((_min_label_width(label, theme.length.smallest) for label in labels), default=0.0)


@lru_cache(maxsize=256)  # a layout asks at dozens of widths
def _min_label_width(label: str, letter_size: float) -> float:
    return min_width_in_lines(
        label, MAX_DIAL_LABEL_LINES, lambda text: measure_text_width(text, letter_size, bold=False)
    )


class TypableStepper(EventMixin, PaperBoxLayout):
    """Count between a minus and a plus key, whose number can also be typed; with a step of a half, 7½ too.

    `text` names what is counted. `count` goes up to `most` (None: no limit). `words_by_count` are shown in
    place of 0, 1, 2 …. `can_increase` says whether one more is allowed now.
    """

    count = ObjectProperty(0)
    step_size = ObjectProperty(1)
    """Amount that one press of a key adds."""
    shows_limit = BooleanProperty(defaultvalue=False)
    """Whether the limit is shown beside the number."""
    least = ObjectProperty(0)
    most = ObjectProperty(None, allownone=True)
    text = StringProperty("")
    words_by_count = ListProperty()
    __events__ = ("on_type_request",)  # the number was touched, or one of many words

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        super().__init__(orientation="horizontal", padding=0, spacing=0, **kwargs)
        target = theme.length.target
        self.size_hint_max_y = target * 1.4
        self.minus_key = Key(icon="minus", name=f"less {name}", size_hint_x=None, width=target)
        self.plus_key = Key(icon="plus", name=f"more {name}", size_hint_x=None, width=target)
        self.number = TypableStepperNumber()
        self.number.name = f"type {name}"
        self.minus_key.bind(on_press=lambda _: self.change_count_by_steps(-1))
        self.plus_key.bind(on_press=lambda _: self.change_count_by_steps(1))
        self.number.bind(on_release=lambda number: number.can_type and self.dispatch("on_type_request"))
        add_children(self, self.minus_key, self.number, self.plus_key)
        self.can_increase = True
        for property_name in ("count", "least", "most", "text", "words_by_count", "shows_limit"):
            self.fbind(property_name, self.refresh_texts)
        self.number.fbind("size", self.refresh_texts)
        self.refresh_texts()

    def change_count_by_steps(self, step_count: int) -> None:
        """Changes the count by a number of steps, within the limits."""
        count = self.count + step_count * self.step_size
        self.count = max(self.least, count if self.most is None else min(self.most, count))

    def refresh_texts(self, *_: object) -> None:
        """Updates all texts and keys."""
        number = str(self.count).replace("-", "−")
        if self.shows_limit and self.most is not None:
            number = f"{number}/{self.most}"
        word = self.words_by_count[self.count] if self.words_by_count else ""
        self.number.show_label_and_number(self.text, word or number, "key" if word else "digit")
        self.number.can_type = (
            self.most is None or self.most - self.least > MAX_STEPS_BEFORE_TYPING * self.step_size
        )
        for key in (self.minus_key, self.plus_key):  # a number that can't change needs no keys
            key.opacity = 0.0 if self.least == self.most else 1.0
        self.minus_key.disabled = self.count <= self.least
        self.plus_key.disabled = not self.can_increase or (self.most is not None and self.count >= self.most)
