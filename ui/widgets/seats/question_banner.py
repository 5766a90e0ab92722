"""The banner that people read first, from two metres: the question, and a tag with the asked player."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty
from kivy.uix.widget import Widget

from companion.session.view import View
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import widest_word_width
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_border, draw_paper, fill_rounded_box
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel, measure_text_width, wrap_at_size
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import DemoOrProvisionalBadge
from ui.widgets.seats.clock_face import RING_TO_TOKEN_WIDTH_RATIO, ClockFace, FallingPriceDisplay
from ui.words import render_sentence

MAX_NAMED_SEATS = 2
"""Maximum number of asked seats that the banner names."""
MIN_BANNER_HEIGHT_TARGETS, PREFERRED_BANNER_HEIGHT_TARGETS = 1.0, 1.7
"""Least and preferred height of the banner, in targets."""
CLOCK_DIGITS_PX = 48
"""Height of the running clock's digits, in pixels at 800×480."""
TAG_HEIGHT_EM = 1.25
"""Height of the tag with the name, in heights of the smallest letters."""
QUESTION_LINE_HEIGHT_EM, ONE_LINE_QUESTION_HEIGHT_EM = 1.1, 1.3
"""Height of a line of a question in several lines, and of a question in one, in heights of its letters."""
MAX_NAME_WIDTH_EM = 12
"""Maximum width that a name needs, in heights of the smallest letters."""
MAX_STACKED_NAME_WIDTH_EM = 8
"""Maximum width that a name above the question needs, in heights of the smallest letters."""
FALLING_PRICE_WIDTH_SHARE = 0.62
"""Share of the banner's width for a falling price beside the words."""
MAX_QUESTION_LINES_BESIDE_TOKEN = 3
"""Maximum number of lines of a question beside the token; a longer question is below the name."""
MARGIN_BELOW_QUESTION_GAPS = 0.75
"""Least space between the question and the lower edge of the banner, in gaps."""
USUAL_MAX_QUESTION_LINES = 4
"""Maximum number of lines of a question that fits in fewer; a longer question gets more."""
STACKED_NAME_HEIGHT_TARGETS = 0.6
"""Height of the name above the question, in targets."""
PIXELS_OF_SMALLEST_LETTERS = 18
"""Height of the smallest letters, in pixels at 800×480."""
HELP_MARK_EM = 1.6
"""Width and height of the question mark's disc, in heights of the smallest letters."""
STACKED_CLOCK_DIGITS_PX = 20
"""Height of the clock's digits beside a name above the question, in pixels at 800×480."""


class HelpKey(Key):
    """Key below the words of a question, which opens its rule; only a small question mark shows it.

    The mark is in the middle of the right edge, or of a line of `mark_line_height` at the top.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (*Key.redraw_properties, "mark_line_height")
    mark_line_height = NumericProperty(0.0)

    def __init__(self) -> None:
        super().__init__(text="?", name="help", look="felt", lines=1, size_hint=(None, None))  # no paper

    @property
    def mark_width(self) -> float:
        """Width of the question mark with the gap before it."""
        return float(HELP_MARK_EM * theme.length.smallest + theme.length.gap / 2)

    def draw(self) -> None:
        """Draws the question mark on a small disc at the right."""
        side, gap = HELP_MARK_EM * theme.length.smallest, theme.length.gap
        middle = self.top - (self.mark_line_height or self.height) / 2
        disc = (self.right - gap - side, middle - side / 2, side, side)
        fill_rounded_box(theme.PAPER_LIT, disc, side / 2)
        draw_border(theme.BRASS_DARK, disc, theme.length.line, side / 2)
        self.label.pos, self.label.size = disc[:2], disc[2:]


class QuestionBanner(EventMixin, AutoRedrawWidget, Widget):
    """Banner with the question, the token of the asked player, a tag with the name, the clock and a help key.

    The question has the larger letters. A question to many players has no tag. In a narrow banner the
    question is below the token. A falling price is the largest part: right of the words or, in a narrow
    banner, below. A hint above the question says how to answer, if there is room for it.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("colour", "is_warning_elsewhere")
    colour = OptionProperty("", options=["", *theme.PLAYER_LOOKS])
    clock = ObjectProperty(None, allownone=True)
    """Clock of the question, or None."""
    is_warning_elsewhere = BooleanProperty(defaultvalue=False)
    """Whether the heading line shows the warning, so that the banner needn't."""
    __events__ = ("on_help",)  # somebody wants to read the rule

    def __init__(self, **kwargs: Any) -> None:
        self.tag_label = FittedLabel(style="quiet", abbreviates=True)
        self.hint_label = FittedLabel(style="quiet")
        self.warning_badge = DemoOrProvisionalBadge()
        self.question_label = FittedLabel(style="question", lines=USUAL_MAX_QUESTION_LINES, line_height=1.0)
        self.help_key = HelpKey()
        self.clock_face = ClockFace(digits_height=_scale_pixels(CLOCK_DIGITS_PX), size_hint=(None, None))
        self.falling_price = FallingPriceDisplay(size_hint=(None, None))
        super().__init__(**kwargs)
        labels = (self.tag_label, self.hint_label, self.question_label)
        add_children(self, *labels, self.warning_badge, self.clock_face)
        self.help_key.bind(on_release=lambda _: self.dispatch("on_help"), state=lambda *_: self.draw_soon())
        self.fbind("clock", lambda _, clock: self._set_clock(clock))

    def show_question(self, view: View, lang: str, *, is_demo: bool = False, hint: str = "") -> None:
        """Shows the open question of a view, with a hint how to answer it."""
        question = view.question
        assert question is not None
        seats = question.seats
        self.colour = seats[0].colour if len(seats) == 1 else ""
        names_seats = 0 < len(seats) <= MAX_NAMED_SEATS and len(seats) < len(view.seats)
        self.tag_label.text = render(say_list(seats), lang) if names_seats else ""
        self.question_label.text = _without_leading_name(
            render_sentence(question.text, lang), self.tag_label.text
        )
        self.hint_label.text = hint
        self.warning_badge.show_warning(view, lang, is_demo=is_demo)
        self.falling_price.falling = question.form.side_facts.get("falling")
        self.falling_price.lang = lang
        self._add_or_remove(self.falling_price, is_shown=self.falling_price.falling is not None)
        self._set_clock(self.clock)
        self._add_or_remove(self.help_key, is_shown=view.help_text is not None, is_below=True)
        self.draw_soon()

    def _add_or_remove(self, widget: Widget, *, is_shown: bool, is_below: bool = False) -> None:
        if is_shown and widget.parent is None:
            self.add_widget(widget, index=len(self.children) if is_below else 0)
        elif not is_shown and widget.parent is not None:
            self.remove_widget(widget)

    @property
    def _help_width(self) -> float:
        """Width that the question mark takes beside the words.

        Beside a badge, which is a key too, the words leave the help key a whole target.
        """
        if self.help_key.parent is None:
            return 0.0
        return float(theme.length.target) if self.warning_badge.text else self.help_key.mark_width

    def _set_clock(self, clock: Any) -> None:
        had_clock = self.clock_face.clock is not None
        self.falling_price.clock, self.clock_face.clock = (
            (clock, None) if self.has_falling_price else (None, clock)
        )
        clock = self.clock_face.clock
        if had_clock != (clock is not None):
            self.draw_soon()

    @property
    def has_falling_price(self) -> bool:
        """Returns whether the question has a price that falls as long as nobody takes it."""
        return self.falling_price.parent is not None

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        if not self.has_falling_price:
            return self._words_height_range(width)
        gap, price_width = theme.length.gap, self._price_width_beside_words(width)
        words_height = self._words_height_range(width)[0]
        min_height, preferred_height = (
            words_height + price_height
            for price_height in self.falling_price.min_and_preferred_height(width - 2 * gap)
        )
        if self.falling_price.largest_digits_size(price_width, preferred_height) >= theme.length.number:
            heights_beside = (
                self._words_height_range(width - price_width)[0],
                self.falling_price.min_and_preferred_height(price_width)[0] + gap,
            )
            min_height = min(min_height, max(heights_beside))
        return min_height, preferred_height

    def _price_width_beside_words(self, width: float) -> float:
        """Returns the width of a price beside the words."""
        return width * FALLING_PRICE_WIDTH_SHARE - self._help_width

    def _words_height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height of the words alone."""
        sizes = theme.length
        if self._is_stacked(width):
            min_height = self._stacked_height(width)
            return min_height, max(min_height, sizes.target * PREFERRED_BANNER_HEIGHT_TARGETS)
        words_width = self._words_width(width)
        min_height, preferred_height = (
            self._tag_line_height(words_width, has_badge=bool(self.warning_badge.text))
            + self._question_height(words_width, letter_size)
            + 2 * _margin_below_question()
            for letter_size in (_least_letter_size(), theme.length.question)
        )
        return max(min_height, sizes.target * MIN_BANNER_HEIGHT_TARGETS), max(
            preferred_height, sizes.target * PREFERRED_BANNER_HEIGHT_TARGETS
        )

    def _tag_line_height(self, words_width: float, *, has_badge: bool) -> float:
        """Returns the height of the tag and the badge above the question; 0 without both."""
        tag_height = TAG_HEIGHT_EM * theme.length.smallest if self.tag_label.text else 0.0
        badge_height = self.warning_badge.height if has_badge else 0.0
        return (
            max(tag_height, badge_height)
            if self._does_badge_fit_beside_tag(words_width)
            else tag_height + badge_height
        )

    @property
    def _has_badge(self) -> bool:
        """Whether the banner itself shows a warning."""
        return bool(self.warning_badge.text) and not self.is_warning_elsewhere

    def is_too_narrow(self, width: float) -> bool:
        """Whether a banner of a width would break a word, or has no room for the name or the badge."""
        inner_width = width - 2 * theme.length.gap
        right_width = self._stacked_right_width
        name_width = min(self._name_width, MAX_STACKED_NAME_WIDTH_EM * theme.length.smallest)
        if self._has_mark_beside_name:
            name_width += self.help_key.mark_width
        name_line_width = name_width + theme.length.target * STACKED_NAME_HEIGHT_TARGETS + theme.length.space
        is_name_line_too_wide = max(name_line_width, self.warning_badge.min_width) > inner_width
        return self._is_stacked(width) and (
            is_name_line_too_wide
            or widest_word_width(self.question_label.text, _smallest_letters_width)
            > inner_width - right_width
        )

    def _is_stacked(self, width: float) -> bool:
        """Whether the words have no room beside token, clock and help key, so that the question is below."""
        words_width = self._words_width(width)
        needed_width = max(
            widest_word_width(self.question_label.text, _letters_width),
            self._name_width,
            self.warning_badge.min_width,
        )
        lines = len(wrap_at_size(self.question_label.text, words_width, _least_letter_size()))
        return (
            needed_width > words_width
            or lines > MAX_QUESTION_LINES_BESIDE_TOKEN
            or (bool(self.colour) and self._is_lower_if_stacked(width))
        )

    def _is_lower_if_stacked(self, width: float) -> bool:
        """Whether a question with too many usual lines beside the token has fewer below the name."""
        words_width, size = max(1.0, self._words_width(width)), theme.length.question
        usual_height = self._question_height(words_width, size)
        if usual_height <= size * QUESTION_LINE_HEIGHT_EM * MAX_QUESTION_LINES_BESIDE_TOKEN:
            return False
        beside = self._tag_line_height(words_width, has_badge=bool(self.warning_badge.text))
        beside += self._question_height(words_width, _least_letter_size()) + 2 * _margin_below_question()
        return self._stacked_height(width) <= max(beside, theme.length.target)

    @property
    def _name_width(self) -> float:
        """Width that the name needs; a very long name takes two lines or is cut."""
        letter_size = theme.length.smallest
        return min(_smallest_letters_width(self.tag_label.text), MAX_NAME_WIDTH_EM * letter_size)

    def _stacked_height(self, width: float) -> float:
        """Returns the least height with the question below the name, on the help key."""
        sizes, gap = theme.length, theme.length.gap
        badge_height = self._badge_height_below_tag(width) if self.warning_badge.text else 0.0
        question_height = len(self._stacked_lines(width)) * _least_letter_size() * QUESTION_LINE_HEIGHT_EM
        has_key_below_name = self.help_key.parent is not None and not self._has_mark_beside_name
        help_key_height = sizes.target if has_key_below_name else 0.0
        height = max(question_height + _margin_below_question(), help_key_height) + gap / 2
        return self._stacked_tag_height + badge_height + height

    def _badge_height_below_tag(self, width: float) -> float:
        """Returns the height of the badge between tag and question; 0 if it has room beside the tag."""
        used_width = self._stacked_tag_height + self._name_width + self.warning_badge.min_width
        used_width += self.clock_face.digits_width_at(_scale_pixels(STACKED_CLOCK_DIGITS_PX))
        has_room = self._stacked_tag_height and used_width + 5 * theme.length.gap <= width
        return 0.0 if has_room else float(self.warning_badge.height)

    @property
    def _stacked_tag_height(self) -> float:
        """Height of the line with token, tag and clock above the question; 0 without them."""
        has_tag = self.colour or self.tag_label.text or self.clock_face.clock is not None
        return theme.length.target * STACKED_NAME_HEIGHT_TARGETS if has_tag else 0.0

    def _stacked_lines(self, width: float) -> Sequence[str]:
        words_width = width - 2 * theme.length.gap - self._stacked_right_width
        return wrap_at_size(self.question_label.text, max(1.0, words_width), _least_letter_size())

    @property
    def _stacked_right_width(self) -> float:
        """Width right of a question below the name."""
        has_mark = self.help_key.parent is not None and not self._has_mark_beside_name
        return float(theme.length.gap + (self.help_key.mark_width if has_mark else 0.0))

    @property
    def _has_mark_beside_name(self) -> bool:
        """Whether the question mark is in the line of the name above the question, if that is free."""
        has_free_line = self.clock_face.clock is None and not self.warning_badge.text
        return self.help_key.parent is not None and has_free_line and self._stacked_tag_height > 0

    def _question_height(self, words_width: float, letter_size: float) -> float:
        """Returns the height of the question in a width, with letters of that size."""
        lines = len(wrap_at_size(self.question_label.text, max(1.0, words_width), letter_size))
        return letter_size * (ONE_LINE_QUESTION_HEIGHT_EM if lines == 1 else QUESTION_LINE_HEIGHT_EM * lines)

    def _does_badge_fit_beside_tag(self, words_width: float) -> bool:
        """Whether the badge has room beside the tag."""
        tag_width = self._name_width + theme.length.gap if self.tag_label.text else 0.0
        return bool(tag_width + self.warning_badge.min_width <= words_width)

    def _words_width(self, width: float) -> float:
        digits_width = self.clock_face.digits_width_at(_scale_pixels(CLOCK_DIGITS_PX))
        right_width = digits_width + self._help_width
        return width - self._words_left - right_width - theme.length.gap

    @property
    def _words_left(self) -> float:
        return theme.length.target * 1.1 if self.colour else theme.length.space

    def draw(self) -> None:
        """Draws paper, a bar in the player's colour and the token, and places the words beside the token."""
        sizes, gap = theme.length, theme.length.gap
        is_pressed = self.help_key.state == "down"
        draw_paper(self.box, sizes.line, theme.PAPER_PRESSED if is_pressed else theme.PAPER)
        self.warning_badge.opacity = 1.0 if self._has_badge else 0.0
        if self._is_stacked(self.width):
            self._draw_stacked()
            return
        self.clock_face.digits_height = _scale_pixels(CLOCK_DIGITS_PX)
        self.question_label.lines = max(
            USUAL_MAX_QUESTION_LINES,
            len(
                wrap_at_size(
                    self.question_label.text, max(1.0, self._words_width(self.width)), _least_letter_size()
                )
            ),
        )
        right = self.right - gap - self._help_width
        digits_width = self.clock_face.digits_width
        self.clock_face.digits_box = (
            (right - digits_width, self.y, digits_width, self.height) if digits_width else None
        )
        price_height, price_width = self._place_price(right)
        words_height, middle = self.height - price_height, self.center_y + price_height / 2
        if self.help_key.parent is not None:
            self.help_key.mark_line_height = 0.0
            key_width = self._help_width if self.warning_badge.text else self.width
            self.help_key.size = key_width, words_height
            self.help_key.pos = self.right - key_width, self.y + price_height
        if self.colour:
            self._draw_token(self.x + gap * 2.4, middle, min(sizes.target * 0.68, words_height * 0.7))
        self._place_words(
            (
                self.x + self._words_left,
                self.y + price_height,
                right - digits_width - price_width,
                words_height,
            )
        )

    def _draw_token(self, left: float, middle: float, ring_side: float) -> None:
        """Draws a bar in the player's colour, and the token, smaller if a ring is drawn round it."""
        bar_width = theme.length.gap
        fill_rounded_box(
            theme.PLAYER_LOOKS[self.colour].colour,
            (self.x, self.y, bar_width, self.height),
            bar_width / 2,
        )
        token_side = ring_side / RING_TO_TOKEN_WIDTH_RATIO * 1.1 if self.clock_face.clock else ring_side
        token = (left + (ring_side - token_side) / 2, middle - token_side / 2, token_side, token_side)
        draw_player_token(self.colour, token)
        self.clock_face.token_box = token

    def _draw_stacked(self) -> None:
        """Draws the token, places name and clock beside it, and the question below."""
        gap = theme.length.gap
        self.clock_face.digits_height = _scale_pixels(STACKED_CLOCK_DIGITS_PX)
        price_height, _ = self._place_price(self.right - gap)
        name_height, top, left = self._stacked_tag_height, self.top - gap / 2, self.x + gap
        digits_width = self.clock_face.digits_width
        self.clock_face.digits_box = (
            (self.right - gap - digits_width, top - name_height, digits_width, name_height)
            if digits_width
            else None
        )
        if self.colour:
            ring_side = name_height * 0.8
            self._draw_token(left + gap, top - name_height / 2, ring_side)
            left += ring_side + 1.5 * gap
        badge_height = self._badge_height_below_tag(self.width) if self._has_badge else 0.0
        self.warning_badge.fit_into(self.width - 4 * gap)
        self.warning_badge.pos = self.x + 2 * gap, top - name_height - badge_height
        has_badge_beside = self._has_badge and not badge_height
        tag_box = (
            left + gap / 2,
            top - name_height,
            self.right - 1.5 * gap - digits_width - left,
            name_height,
        )
        if self._has_mark_beside_name:
            tag_box = (*tag_box[:2], tag_box[2] - self.help_key.mark_width, name_height)
        self._place_tag(tag_box, has_badge_beside=has_badge_beside)
        bottom, top = self.y + price_height, top - name_height - badge_height
        min_height = self._stacked_height(self.width) - name_height - badge_height
        hint_height = self._hint_height_in(self.right - left - 2 * gap, top - bottom - min_height)
        hint_box = (self.x + 2 * gap, top - hint_height, self.right - left - 2 * gap, hint_height)
        self._place_hint(hint_box)
        self._place_question(bottom, max(1.0, top - hint_height - bottom))

    def _place_tag(self, box: Box, *, has_badge_beside: bool) -> None:
        """Places the name in a box, with the badge at its end if there is one beside it."""
        x, y, width, height = box
        if has_badge_beside:
            self.warning_badge.fit_into(
                width - theme.length.gap - _smallest_letters_width(self.tag_label.text)
            )
            width -= self.warning_badge.width + theme.length.gap
            badge_y = y + (height - self.warning_badge.height) / 2
            self.warning_badge.pos = x + width + theme.length.gap, badge_y
        self.tag_label.pos, self.tag_label.size = (x, y), (max(1.0, width), height)

    def _hint_height_in(self, width: float, free_height: float) -> float:
        """Returns the height of the hint; 0 if it has no room in one line of a width and a free height."""
        height = TAG_HEIGHT_EM * theme.length.smallest
        has_room = height <= free_height and _smallest_letters_width(self.hint_label.text) <= width
        return height if self.hint_label.text and has_room else 0.0

    def _place_hint(self, box: Box) -> None:
        self.hint_label.pos, self.hint_label.size = box[:2], box[2:]
        self.hint_label.opacity = 1.0 if box[3] else 0.0

    def _place_question(self, bottom: float, height: float) -> None:
        """Places the question below the name, beside the help key."""
        gap, right_width = theme.length.gap, self._stacked_right_width
        has_mark_above = self._has_mark_beside_name
        self.help_key.mark_line_height = self._stacked_tag_height if has_mark_above else 0.0
        key_height = self.top - bottom if has_mark_above else height
        self.help_key.pos, self.help_key.size = (self.x, bottom), (self.width, key_height)
        self.question_label.lines = max(USUAL_MAX_QUESTION_LINES, len(self._stacked_lines(self.width)))
        margin = _margin_below_question()
        self.question_label.pos = self.x + 2 * gap, bottom + margin
        question_height = max(1.0, height - margin)
        self.question_label.size = max(1.0, self.width - 2 * gap - right_width), question_height

    def _place_price(self, right: float) -> tuple[float, float]:
        """Places the price, and returns the height and the width that the words lose; one of both is 0."""
        if not self.has_falling_price:
            return 0.0, 0.0
        gap, price_width = theme.length.gap, self._price_width_beside_words(self.width)
        free_height = max(0.0, self.height - self._words_height_range(self.width)[0])
        size_beside, size_below = (price_width, self.height - gap), (self.width - 2 * gap, free_height)
        if self.falling_price.largest_digits_size(*size_beside) > self.falling_price.largest_digits_size(
            *size_below
        ):
            self.falling_price.pos, self.falling_price.size = (
                (right - price_width, self.y + gap / 2),
                size_beside,
            )
            return 0.0, price_width
        self.falling_price.pos, self.falling_price.size = (self.x + gap, self.y + gap / 2), size_below
        return free_height, 0.0

    def _place_words(self, box: Box) -> None:
        """Places the tag, with the badge beside or below it, and the question, around the middle of a box."""
        left, bottom, right, height = box
        gap, width = theme.length.gap, max(1.0, right - left)
        tag_line_height = self._tag_line_height(width, has_badge=self._has_badge)
        least_question_height = self._question_height(width, _least_letter_size())
        margins = 2 * _margin_below_question()
        free_height = height - margins - tag_line_height - least_question_height
        hint_height = self._hint_height_in(width, free_height)
        height -= hint_height
        question_height = max(
            1.0,
            min(
                height - margins - tag_line_height,
                max(
                    self._question_height(width, size)
                    for size in (_least_letter_size(), theme.length.question)
                ),
            ),
        )
        top = bottom + (height + tag_line_height + question_height) / 2
        self._place_hint((left, top, width, hint_height))
        is_badge_beside_tag = not self._has_badge or self._does_badge_fit_beside_tag(width)
        tag_height = tag_line_height if is_badge_beside_tag else tag_line_height - self.warning_badge.height
        tag_width = _smallest_letters_width(self.tag_label.text) + gap if self.tag_label.text else 0.0
        self.warning_badge.fit_into(width - (tag_width if is_badge_beside_tag else 0.0))
        badge_width = self.warning_badge.width + gap if self._has_badge and is_badge_beside_tag else 0.0
        self.tag_label.pos = left, top - tag_height
        self.tag_label.size = max(1.0, width - badge_width), tag_height
        badge_y = (
            top - (tag_height + self.warning_badge.height) / 2
            if is_badge_beside_tag
            else top - tag_line_height
        )
        self.warning_badge.pos = (right - self.warning_badge.width if is_badge_beside_tag else left, badge_y)
        self.question_label.pos = left, top - tag_line_height - question_height
        self.question_label.size = width, question_height


def _without_leading_name(text: str, name: str) -> str:
    """Returns a question such as "Aki, bid for a vase" without the name, which the tag shows."""
    rest = text.removeprefix(name)
    if not name or rest == text or not (match := re.match(r"(さん)?[,、]\s*", rest)):
        return text
    rest = rest[match.end() :]
    return rest[:1].upper() + rest[1:]


def _margin_below_question() -> float:
    """Returns the least space between the question and the lower edge of the banner."""
    return theme.length.gap * MARGIN_BELOW_QUESTION_GAPS


def _least_letter_size() -> float:
    """Returns the size of the question's letters if there is little room: larger than those of the tag."""
    return theme.length.body


def _letters_width(text: str) -> float:
    return measure_text_width(text, _least_letter_size())


def _smallest_letters_width(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def _scale_pixels(pixels: float) -> float:
    """Returns the pixels of this screen for pixels at 800×480, where the smallest letters have 18."""
    return theme.length.smallest * pixels / PIXELS_OF_SMALLEST_LETTERS
