"""The on-screen button, and a row of buttons of which one is chosen.

    Key(text="Bid 5", look="brass", on_release=…)

Brass is a frame around the paper, because text never stands on brass. A key looks pressed in the same video
frame in which the touch arrives.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from kivy.properties import (
    BooleanProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    OptionProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import bind_weak
from ui.widgets.drawing.line_breaking import widest_phrase_width
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    PaperBoxLayout,
    draw_border,
    draw_grain,
    draw_paper,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import (
    LINE_SPACING_EM,
    FittedLabel,
    draw_text_lines,
    measure_text_width,
    wrap_at_size,
)
from ui.widgets.keys.icon_words import icon_word
from ui.words import get_running_translator

TWO_LINE_WIDTH_SHARES, MAX_TEXT_LINES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9), 2
"""Shares of a text's width that are tried as the width of two lines, and the most lines of a key's text."""

MIN_ICON_SIDE_ABOVE_CAPTION = 0.4
"""The least side of an icon above its caption, in targets."""


class Key(ButtonBehavior, AutoRedrawWidget):
    """On-screen key of paper, a button.

    `brass` marks the main action, `danger` one that can't be undone easily. `felt` is a flat key
    without paper, for the bar; `icon` stands before the text or alone. The widget's whole box is
    the touch target, its paper is drawn `rim` pixels inside.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "state",
        "look",
        "icon",
        "chosen",
        "disabled",
        "looks_disabled",
        "text",
        "caption",
        "reason",
    )
    text = StringProperty("")
    look = OptionProperty("paper", options=["paper", "brass", "danger", "felt"])
    style = StringProperty("key")
    icon = StringProperty("")
    name = StringProperty("")
    """Name by which screen readers, tests and event handlers tell the key from others.

    The name of an icon without text says what the icon does.
    """
    caption = StringProperty("")
    """The word for an icon without text; the key shows it below the icon if all of it has room."""
    chosen = BooleanProperty(defaultvalue=False)
    looks_disabled = BooleanProperty(defaultvalue=False)
    """Whether the key looks disabled but can be pressed: a press only says why it isn't possible."""
    reason = StringProperty("")
    """Why the key can't be used now: an inactive key says it below its text, if all of it has room."""
    lines = NumericProperty(2)
    abbreviates = BooleanProperty(defaultvalue=False)
    """Whether the key may shorten its text, a name, to its beginning; see `FittedLabel`."""
    has_narrow_margins = BooleanProperty(defaultvalue=False)
    """Whether the margins beside the key's text are narrow, for small keys in a crowd."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(halign="center")
        self.shown_reason = ""
        """The reason as people read it on the key: all of it, or nothing."""
        super().__init__(**kwargs)
        self.add_widget(self.label)
        for name in ("text", "style", "lines", "abbreviates", "disabled", "looks_disabled", "look", "icon"):
            self.fbind(name, self._update_label)
        for name in ("icon", "text"):
            self.fbind(name, self.update_caption)
        self._follows_language = False
        self._update_label()
        self.update_caption()

    def update_caption(self, *_: object) -> None:
        """Updates the word below an icon without text, in the reader's language."""
        self.caption = icon_word(self.icon) if self.icon and not self.text else ""
        if self.caption and not self._follows_language:
            self._follows_language = True
            bind_weak(get_running_translator(), "lang", self.update_caption)

    def _update_label(self, *_: object) -> None:
        self.label.text, self.label.style = self.text, self.style
        self.label.lines, self.label.disabled = self.lines, self.is_inactive
        self.label.abbreviates = self.abbreviates
        self.label.halign = "left" if self.icon else "center"

    @property
    def is_inactive(self) -> bool:
        """Whether the key is or looks disabled: an outline with quiet text."""
        return bool(self.disabled or self.looks_disabled)

    @property
    def quiet_text_colour(self) -> theme.Colour:
        """Colour of less important text on the key, and of all text on a disabled one."""
        return theme.QUIET if self.label.is_on_felt else theme.INK_QUIET

    def min_width(self) -> float:
        """Returns the least width at which no word is broken."""
        return min_key_width(self.text, self.icon, has_narrow_margins=self.has_narrow_margins)

    def min_width_in_two_lines(self) -> float:
        """Returns the least width of a key one target high, whose text takes two lines at most."""
        return min_key_width_in_two_lines(self.text, self.icon, has_narrow_margins=self.has_narrow_margins)

    def min_width_in_row(self) -> float:
        """Returns the least width in a row of keys that is one target high."""
        return self.min_width_in_two_lines()

    @property
    def face_box(self) -> Box:
        """Box of the key's paper; lower while it is pressed."""
        sizes = theme.length
        x, y, width, height = inset_box(self.box, sizes.rim / 2)
        press_depth = sizes.lift if self.state == "down" or self.disabled else 0.0
        return x, y + sizes.lift - press_depth, width, height - sizes.lift

    def draw(self) -> None:
        """Draws the key's paper, frame and icon, and places its text."""
        is_pressed = self.state == "down"
        self.label.is_on_felt = self.look == "felt" or (self.is_inactive and self._is_on_felt())
        if self.look == "felt":
            self._draw_felt_highlight(is_pressed=is_pressed)
        else:
            self._draw_paper(is_pressed=is_pressed)
            if self.chosen:
                self._draw_tick()
        self._draw_icon_and_place_text()

    def _draw_tick(self) -> None:
        """Draws a tick, because the frame alone would show only by colour that the key is chosen."""
        x, y, width, height = self.face_box
        side, rim = theme.length.smallest * 0.65, theme.length.rim
        # In the corner of the frame: a text of two lines in a narrow key leaves no other room.
        draw_icon("tick", (x + width - side - rim, y + height - side - rim, side, side), theme.INK)

    def _draw_felt_highlight(self, *, is_pressed: bool) -> None:
        if is_pressed or self.chosen:
            fill_rounded_box(theme.multiply_opacity(theme.PAPER, 0.16), self.face_box)

    def _draw_paper(self, *, is_pressed: bool) -> None:
        sizes = theme.length
        box = self.face_box
        if self.is_inactive:
            edge = theme.multiply_opacity(theme.PAPER, 0.3) if self.label.is_on_felt else theme.PAPER_EDGE
            draw_border(edge, box, sizes.line)
            return
        colour = theme.PAPER_PRESSED if is_pressed else theme.PAPER
        lift = 0.0 if is_pressed else sizes.lift
        if self.look in ("brass", "danger") or self.chosen:
            self._draw_framed_paper(box, lift, colour)
        else:
            draw_paper(box, lift, colour)

    def _is_on_felt(self) -> bool:
        ancestor = self.parent
        while isinstance(ancestor, Widget) and not isinstance(ancestor, PaperBoxLayout):
            ancestor = ancestor.parent
        return not isinstance(ancestor, PaperBoxLayout)

    def _draw_framed_paper(self, box: Box, lift: float, colour: theme.Colour) -> None:
        sizes = theme.length
        metal, dark, light = theme.BRASS, theme.BRASS_DARK, theme.BRASS_LIT
        if self.look == "danger":
            dark = theme.blend_colours(theme.DANGER, theme.INK, 0.5)
            metal = light = theme.DANGER
        draw_paper(box, lift, metal)
        if lift:
            fill_rounded_box(dark, (box[0], box[1] - lift, box[2], box[3]))
            fill_rounded_box(metal, box)
        draw_border(light, inset_box(box, sizes.hair), sizes.hair)
        inner = inset_box(box, sizes.rim)
        fill_rounded_box(dark, inset_box(box, sizes.rim - sizes.hair), sizes.radius - sizes.rim / 2)
        fill_rounded_box(colour, inner, sizes.radius - sizes.rim / 2)
        draw_grain(inner, 0.05, sizes.radius - sizes.rim / 2)

    def _draw_icon_and_place_text(self) -> None:
        gap = theme.length.gap
        side = min(inset_box(self.face_box, self._least_margin)[3], theme.length.target * 0.5)
        icon_width = side + 2.5 * gap if self.icon and self.text else 0.0
        box = self._choose_box_for_text(icon_width)
        side = min(box[3], side)
        reason_height = self._draw_reason((box[0] + icon_width, box[1], box[2] - icon_width, box[3]))
        x, y, width, height = box[0], box[1] + reason_height, box[2], box[3] - reason_height
        if not self.icon:
            self.label.pos, self.label.size = (x, y), (width, height)
            return
        colour = theme.PAPER if self.label.is_on_felt else theme.INK
        if self.is_inactive:
            colour = self.quiet_text_colour
        if not self.text:
            caption_height = self._draw_caption(colour)
            side = min(side, height - caption_height)
            y, height = y + caption_height, height - caption_height
            draw_icon(self.icon, (x + (width - side) / 2, y + (height - side) / 2, side, side), colour)
            return
        draw_icon(self.icon, (x + gap, box[1] + (box[3] - side) / 2, side, side), colour)
        self.label.pos = (x + icon_width, y)
        self.label.size = (width - icon_width, height)

    @property
    def _least_margin(self) -> float:
        """Margin between the face and the text of a key without room for `wide_margin`."""
        is_crowded = self.has_narrow_margins or (self.is_inactive and self.reason)
        return theme.length.line if self.look == "felt" or is_crowded else theme.length.gap

    @property
    def wide_margin(self) -> float:
        """Margin between the face and the text of a key with room: a gap within the frame."""
        is_framed = not self.is_inactive and (self.look in ("brass", "danger") or self.chosen)
        return theme.length.gap + (theme.length.rim if is_framed else 0.0)

    def _choose_box_for_text(self, icon_width: float) -> Box:
        """Returns the box for icon and text: with margins as wide as cost no line and break no phrase.

        A key on felt has no frame: its margins are beside the text, for the text of the next key is near.
        """
        margin, wide_margin = self._least_margin, self.wide_margin
        if not self.text:
            return inset_box(self.face_box, margin)
        x, y, width, height = self.face_box
        text_width = width - icon_width
        lines = self._count_small_lines(text_width - 2 * margin, has_reason=True)
        has_reason = _height_of_small_lines(lines) <= height - 2 * margin  # else it isn't shown
        if not has_reason:
            lines = self._count_small_lines(text_width - 2 * margin, has_reason=False)
        room_beside = (text_width - self._widest_phrase_width(has_reason=has_reason)) / 2 - 1
        horizontal_margin = min(wide_margin, max(margin, room_beside))
        if self._count_small_lines(text_width - 2 * horizontal_margin, has_reason=has_reason) > lines:
            horizontal_margin = margin
        spare_height = height - _height_of_small_lines(lines)
        vertical_margin = margin if self.look == "felt" else min(wide_margin, max(margin, spare_height / 2))
        return (
            x + horizontal_margin,
            y + vertical_margin,
            width - 2 * horizontal_margin,
            height - 2 * vertical_margin,
        )

    def _count_small_lines(self, width: float, *, has_reason: bool) -> int:
        """Returns the number of lines of text and perhaps reason in the smallest letters."""
        text_lines = sum(
            len(wrap_at_size(line, width, theme.length.smallest)) for line in self.text.split("\n") if line
        )
        return text_lines + (len(self.wrap_reason(width)) if has_reason else 0)

    def _widest_phrase_width(self, *, has_reason: bool) -> float:
        """Returns the width of the widest word or phrase of text and perhaps reason, in small letters."""
        reason = self.reason if has_reason and self.is_inactive else ""
        return max(
            widest_phrase_width(self.text, _measure_small_text),
            widest_phrase_width(reason, _measure_small_reason),
        )

    @property
    def shown_caption(self) -> str:
        """The caption, if the key is wide and high enough for it below the icon; else ""."""
        width, height = self.width - 2 * theme.length.hair, self.face_box[3] - 2 * theme.length.line
        needed_height = theme.length.target * MIN_ICON_SIDE_ABOVE_CAPTION + _height_of_small_lines(1)
        has_room = width >= _measure_small_reason(self.caption) and height >= needed_height
        return str(self.caption) if has_room and self.icon and not self.text else ""

    def _draw_caption(self, colour: theme.Colour) -> float:
        """Draws the word below the icon at the bottom of the key; returns its height, 0 without it."""
        if not self.shown_caption:
            return 0.0
        height, small = _height_of_small_lines(1), theme.length.smallest
        middle = self.center_x, self.face_box[1] + theme.length.line + height / 2
        draw_text_lines([self.shown_caption], middle, small, colour, bold=False)
        return height

    def width_with_caption(self) -> float:
        """Returns the least width at which a key with only an icon has room for its caption."""
        return max(theme.length.target, _measure_small_reason(self.caption) + 2 * theme.length.line + 1)

    def _draw_reason(self, box: Box) -> float:
        """Draws why the key can't be used now at the bottom of the box; returns its height, 0 without it."""
        lines = self.wrap_reason(box[2])
        self.shown_reason = ""
        small, height = theme.length.smallest, _height_of_small_lines(len(lines))
        text_lines = len(wrap_at_size(self.text, box[2], theme.length.smallest)) if self.text else 1
        if not lines or height + _height_of_small_lines(text_lines) > box[3]:
            return 0.0
        self.shown_reason = self.reason
        centre = (box[0] + box[2] / 2, box[1] + height / 2)
        draw_text_lines(lines, centre, small, self.quiet_text_colour, bold=False)
        return height

    def wrap_reason(self, max_width: float) -> Sequence[str]:
        """Splits the reason of an inactive key into lines of that width; none if a phrase would be broken."""
        if not (self.is_inactive and self.reason) or self.has_wider_reason_than(max_width):
            return ()
        return wrap_at_size(self.reason, max_width, theme.length.smallest, bold=False)

    def has_wider_reason_than(self, width: float) -> bool:
        """Returns whether a word or a Japanese phrase of the reason is wider than that."""
        return widest_phrase_width(self.reason, _measure_small_reason) > width


def min_key_width(text: str, icon: str = "", *, has_narrow_margins: bool = False) -> float:
    """Returns the least width of a key with that text and icon at which no word is broken."""
    text_width = widest_phrase_width(text, _measure_small_text) if text else 0.0
    return text_width + _width_beside_text(text, icon, has_narrow_margins=has_narrow_margins)


def min_key_width_in_two_lines(text: str, icon: str = "", *, has_narrow_margins: bool = False) -> float:
    """Returns the least width of a key one target high, whose text takes two lines at most."""
    text_width = _measure_small_text(text)
    shares = (
        share
        for share in TWO_LINE_WIDTH_SHARES
        if len(wrap_at_size(text, text_width * share + 1, theme.length.smallest)) <= MAX_TEXT_LINES
    )
    other_width = _width_beside_text(text, icon, has_narrow_margins=has_narrow_margins)
    two_line_width = text_width * next(shares, 1.0) + other_width if text else 0.0
    one_word_width = min_key_width(text, icon, has_narrow_margins=has_narrow_margins)
    return max(theme.length.target, one_word_width, two_line_width)


def _width_beside_text(text: str, icon: str, *, has_narrow_margins: bool) -> float:
    """Returns the width of the icon, the margins and the rim beside the text of a key."""
    sizes = theme.length
    icon_width = sizes.target * 0.5 + 2.5 * sizes.gap if icon and text else 0.0
    return icon_width + 2 * (sizes.line if has_narrow_margins else sizes.gap) + sizes.rim + 1


def _measure_small_text(text: str) -> float:
    return measure_text_width(text, theme.length.smallest)


def _measure_small_reason(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def _height_of_small_lines(lines: int) -> float:
    return float(lines * theme.length.smallest * LINE_SPACING_EM)


# Keys side by side


def with_danger_apart(keys: Sequence[Widget], gap_px: float) -> Iterator[Widget]:
    """Yields the keys of a row or column, with a gap between those that can't be undone easily and others.

    The gap comes on top of the spacing before and behind it.
    """
    yield from keys[:1]
    for left, right in pairwise(keys):
        if _is_danger(left) != _is_danger(right):
            yield Widget(size_hint=(None, None), size=(gap_px, gap_px))
        yield right


def _is_danger(key: Widget) -> bool:
    return getattr(key, "look", "") == "danger"


# A row of keys of which one is chosen


class SingleChoiceRow(BoxLayout):
    """Row of keys of which one is chosen; `choices` are (value, text) pairs, `chosen` is one of the values.

    The chosen key has a brass frame and a tick. A key's name is the row's `name` and its value.
    """

    choices = ListProperty()
    chosen = ObjectProperty(None, allownone=True)
    style = StringProperty("key")
    name = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap / 2)
        super().__init__(**kwargs)
        self.bind(choices=self._rebuild_keys, chosen=self._mark_chosen_key, width=self._fit_key_widths)
        self._rebuild_keys()

    def _rebuild_keys(self, *_: object) -> None:
        self.clear_widgets()
        pairs: Sequence[tuple[Hashable, str]] = self.choices
        for value, text in pairs:
            key = Key(text=text, style=self.style, on_release=self._choose)
            key.value = value
            key.name = f"{self.name} {value}" if self.name else ""
            self.add_widget(key)
        self._fit_key_widths()
        self._mark_chosen_key()

    def _fit_key_widths(self, *_: object) -> None:
        """Makes the keys equally wide, except one whose word is wider, if all words have room."""
        min_widths = [key.min_width() for key in self.children]
        has_room = sum(min_widths) + self.spacing * (len(min_widths) - 1) <= self.width
        for key, min_width in zip(self.children, min_widths, strict=True):
            key.size_hint_min_x = min_width if has_room else None

    def _mark_chosen_key(self, *_: object) -> None:
        for key in self.children:
            key.chosen = key.value == self.chosen

    def _choose(self, key: Key) -> None:
        self.chosen = key.value
