"""The latest messages: what happened after the last answer, and why an answer was refused."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, ClassVar

from kivy.properties import BooleanProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_word_width
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    PaperBoxLayout,
    draw_border,
    draw_paper,
    draw_sunken_background,
    fill_rounded_box,
)
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key, min_key_width

MAX_MESSAGE_LINES = 14


class MessagesKey(ButtonBehavior, BoxLayout):
    """Messages that can be pressed."""


class CollapsibleMessages(AutoRedrawWidget, BoxLayout):
    """Messages that collapse into one key if they don't fit.

    Each message is one line on the felt, in letters as large as fit. If `is_collapsed`, the key
    `expand_key` is shown in place of the messages; the owner opens all of them when it is pressed. If there
    `is_more_to_open`, the messages themselves are on a key, `messages_key`.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("is_more_to_open", "is_collapsed", "padding")
    is_collapsed = BooleanProperty(defaultvalue=False)
    is_more_to_open = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        self.label = FittedLabel(
            style="note", is_on_felt=True, lines=MAX_MESSAGE_LINES, line_height=theme.NOTE_LINE_HEIGHT
        )
        self.expand_key = Key(name="what happened", icon="next", look="felt")
        self.texts: Sequence[str] = ()
        self.is_shown_elsewhere = False
        """Whether the table says the same without the messages, which may then be left out."""
        self._shorter_texts: Sequence[Sequence[str]] = ()
        self._collapsed_title = self._headline = ""
        self.messages_key = MessagesKey()
        self.messages_key.name = "result"
        self._height_range_by_width: dict[float, tuple[float, float]] = {}
        super().__init__(padding=(gap * 1.5, gap * 0.25, gap * 0.5, gap * 0.25), **kwargs)
        self.add_widget(self.label)
        self.bind(is_collapsed=self._show_key_or_messages, is_more_to_open=self._show_key_or_messages)

    def show_messages(
        self,
        texts: Sequence[str],
        collapsed_title: str,
        headline: str = "",
        shorter_texts: Sequence[Sequence[str]] = (),
        *,
        is_more_to_open: bool = False,
    ) -> None:
        """Replaces the messages; `collapsed_title` is the text of `expand_key`.

        `headline` is the most important message: `expand_key` says it instead if there is room.
        The first of the `shorter_texts` that has room is shown instead of the messages if these have none.
        """
        self.texts, self._collapsed_title, self._headline = texts, collapsed_title, headline
        self._shorter_texts = shorter_texts or (texts,)
        self.is_more_to_open = is_more_to_open
        self.label.text = "\n".join(texts)
        self._height_range_by_width.clear()

    def _title_key(self) -> None:
        """Gives the key the headline, if there is room for it in one line."""
        icon_width = min_key_width("-", self.expand_key.icon)
        key_width = icon_width + measure_text_width(self._headline, theme.length.smallest)
        has_room = bool(self._headline) and key_width <= self.width - self.padding[0] - self.padding[2]
        self.expand_key.text = self._headline if has_room else self._collapsed_title

    def _right_padding(self, width: float) -> float:
        """Returns the padding right of the messages, with room for an arrow if no word is broken for it."""
        padding = theme.length.gap * 0.5
        word_width = widest_word_width("\n".join(self.texts), _measure_smallest)
        has_arrow = word_width <= width - self.padding[0] - padding - theme.length.glyph
        return padding + (theme.length.glyph if self.is_more_to_open and has_arrow else 0.0)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        if width not in self._height_range_by_width:
            inner_width = width - self.padding[0] - self._right_padding(width)
            min_key_height = self.collapsed_height if self.is_more_to_open else 0.0
            row_count = _count_rows(self.texts, inner_width)
            self._height_range_by_width[width] = (
                max(min_key_height, self._min_height_of(self._shorter_texts[-1], inner_width)),
                max(min_key_height, row_count * theme.length.note * 1.45),
            )
        return self._height_range_by_width[width]

    def content_height(self, width: float) -> float:
        """Returns the height at which the longest of the shorter messages have room."""
        inner_width = width - self.padding[0] - self._right_padding(width)
        heights = [self._min_height_of(texts, inner_width) for texts in self._shorter_texts]
        return max(self.min_and_preferred_height(width)[0], *heights)

    def _min_height_of(self, texts: Sequence[str], inner_width: float) -> float:
        """Returns the least height of these messages, with the margins."""
        lines_height = _count_rows(texts, inner_width) * theme.length.smallest * 1.3
        wrapped_height = self.label.min_height_of("\n".join(texts), inner_width)
        return float(max(lines_height, wrapped_height) + theme.length.gap)

    @property
    def collapsed_height(self) -> float:
        """Height of the collapsed messages."""
        return float(theme.length.target + self.padding[1] + self.padding[3])

    def collapse_or_expand_to_fit(self) -> None:
        """Collapses the messages if the height is too low for them, else expands them."""
        self.is_collapsed = self.height + 1 < self.min_and_preferred_height(self.width)[0]
        right_padding = self._right_padding(self.width)
        self.padding[2] = theme.length.gap * 0.5 if self.is_collapsed else right_padding
        inner_width = self.width - self.padding[0] - right_padding
        fitting_texts = (
            texts
            for texts in (self.texts, *self._shorter_texts)
            if self.height + 1 >= self._min_height_of(texts, inner_width)
        )
        self.label.text = "\n".join(next(fitting_texts, self._shorter_texts[-1]))
        if self.is_collapsed:
            self._title_key()

    def _show_key_or_messages(self, *_: object) -> None:
        self.clear_widgets()
        if self.is_collapsed:
            add_children(self, self.expand_key)
        else:
            has_key = self.is_more_to_open
            add_children(self, add_children(self.messages_key, self.label) if has_key else self.label)

    def draw(self) -> None:
        """Draws a sunken background with a brass line at the left edge, and an arrow if there is more."""
        draw_sunken_background(self.box)
        fill_rounded_box(theme.BRASS_DARK, (self.x, self.y, theme.length.rim, self.height), theme.length.line)
        if self.padding[2] > theme.length.glyph:
            side = theme.length.smallest
            box = (self.right - side - theme.length.gap * 0.5, self.center_y - side / 2, side, side)
            draw_icon("next", box, theme.QUIET)


class RefusalNotice(PaperBoxLayout):
    """Slip with a red edge that says why an answer was refused."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(lines=2)
        super().__init__(padding=(theme.length.space, theme.length.rim), **kwargs)
        self.add_widget(self.label)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        inner_width = width - 2 * theme.length.space
        row_count = max(2, count_wrapped_lines(self.text, inner_width, _measure_smallest))
        self.label.lines = row_count
        return row_count * theme.length.smallest * 1.3 + 2 * theme.length.rim, theme.length.remark

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether a slip of that width would break a word, such as a long name."""
        return widest_word_width(self.text, _measure_smallest) > width - 2 * theme.length.space

    @property
    def text(self) -> str:
        """Sentence that says why an answer was refused; "" if nothing was refused."""
        return str(self.label.text)

    @text.setter
    def text(self, text: str) -> None:
        self.label.text = text

    def draw(self) -> None:
        """Draws paper with a red edge."""
        draw_paper(self.box, theme.length.line)
        draw_border(theme.DANGER, self.box, theme.length.rim)

    def show_over(self, page: Widget, box: Box) -> None:
        """Shows the notice over a page, from the top of a box down, so that nothing on the page moves."""
        x, y, width, height = box
        self.size_hint, self.size = (
            (None, None),
            (width, max(height, self.min_and_preferred_height(width)[0])),
        )
        self.pos = x, max(page.y, y + height - self.height)
        if self.parent is None:
            add_children(page.parent, self)

    def dismiss(self) -> None:
        """Removes the notice from the page."""
        detach_from_parent(self)
        self.text = ""

    def dismiss_on_touch(self, touch: Any) -> bool:
        """Removes the notice at any touch; returns whether the touch was on the notice."""
        if self.parent is None:
            return False
        self.dismiss()
        return bool(self.collide_point(*touch.pos))


class UndoneNotice(PaperBoxLayout):
    """Slip that says what was undone, with a key that puts it back."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(lines=2, line_height=1.0)
        self.put_back_key = Key(name="put back", look="brass", size_hint_x=None)
        padding = (theme.length.space, theme.length.rim, theme.length.rim, theme.length.rim)
        super().__init__(orientation="horizontal", padding=padding, spacing=theme.length.gap, **kwargs)
        add_children(self, self.label, self.put_back_key)

    def show_text(self, text: str, put_back_text: str) -> None:
        """Shows what was undone, and the text of the key; with an empty text the slip is empty."""
        self.label.text, self.put_back_key.text = text, put_back_text
        self.put_back_key.width = self.put_back_key.min_width_in_row()

    @property
    def text(self) -> str:
        """Sentence that says what was undone; "" for nothing."""
        return str(self.label.text)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        self.label.lines = row_count = max(
            2, count_wrapped_lines(self.text, self._label_width(width), _measure_smallest)
        )
        lines_height = row_count * theme.length.smallest * 1.3
        height = max(lines_height, theme.length.target) + 2 * theme.length.rim
        return height, height

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether a slip of that width would break a word, such as a long name."""
        return widest_word_width(self.text, _measure_smallest) > self._label_width(width)

    def _label_width(self, width: float) -> float:
        return float(width - self.put_back_key.width - sum(self.padding[::2]) - theme.length.gap)

    def draw(self) -> None:
        """Draws paper with a brass edge."""
        draw_paper(self.box, theme.length.line)
        draw_border(theme.BRASS_DARK, self.box, theme.length.line)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes a touch on the slip, because people can't see what lies below."""
        return bool(super().on_touch_down(touch)) or bool(self.text and self.collide_point(*touch.pos))


def _count_rows(texts: Sequence[str], width: float) -> int:
    """Returns how many lines the texts take in the smallest letters."""
    return sum(ceil(measure_text_width(text, theme.length.smallest, bold=False) / width) for text in texts)


def _measure_smallest(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)
