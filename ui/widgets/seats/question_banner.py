"""The banner that people read first, from two metres: whose turn it is and what is asked."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import ObjectProperty, OptionProperty
from kivy.uix.widget import Widget

from companion.session.view import View
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_word_width, wrap_text
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_paper, fill_box
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import WarningBadge
from ui.widgets.seats.clock_face import RING_TO_TOKEN_WIDTH_RATIO, ClockFace, FallingPrice
from ui.words import get_running_translator

MAX_NAMED_SEATS = 2
"""Maximum number of seats whose players are named.

More are called the table.
"""
MIN_TARGETS, PREFERRED_TARGETS = 1.0, 1.7
"""Least and preferred height of the banner, in targets."""
CLOCK_DIGITS_PX = 48
"""Height of the running clock's digits, in pixels at 800×480."""
NAME_LINE, NAME_TWO_LINES = 1.5, 2.7
"""Least height of a name in one line and in two, in heights of the smallest letters."""
MAX_NAME_WIDTH_EM = 12
"""Width that a name needs at most, in heights of the smallest letters."""
MAX_STACKED_NAME_WIDTH_EM = 8
"""Width that a name needs at most if the question stands below it, in heights of the smallest letters."""
FALLING_PRICE_WIDTH_SHARE = 0.62
"""Share of the banner's width for a falling price.

The price gets this share if that is wide enough.
"""
MAX_ONE_LINE_QUESTION_LETTERS = 30
"""Maximum number of letters of a question in one line.

A question with more letters takes at least two lines.
"""
MAX_QUESTION_LINES_BESIDE_TOKEN = 3
"""Maximum number of lines of a question that stands beside the token.

With more lines, or with too long a word, the question stands below.
"""
USUAL_MAX_QUESTION_LINES = 4
"""Lines that a question may take, unless it needs more."""
STACKED_NAME_HEIGHT_TARGETS = 0.6
"""Height of the name above the question, in targets."""
STACKED_CLOCK_DIGITS_PX = 20
"""Height of the clock's digits there, in pixels at 800×480."""


class QuestionBanner(EventMixin, AutoRedrawWidget, Widget):
    """Banner with token and name of the player who is asked, the question, the clock and a key for the rule.

    A question for several players names the table. In a narrow banner the question stands below the name. A
    falling price is the largest thing: right of the words or, if that is too narrow, below them.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("colour",)
    colour = OptionProperty("", options=["", *theme.PLAYER_LOOKS])
    clock = ObjectProperty(None, allownone=True)
    """Clock of the player who is asked."""
    __events__ = ("on_help",)  # somebody wants to know the rule

    def __init__(self, **kwargs: Any) -> None:
        self.asked_label, self.warning_badge, self._asked_text = (
            FittedLabel(style="question", abbreviates=True),
            WarningBadge(),
            "",
        )
        self.question_label = FittedLabel(lines=USUAL_MAX_QUESTION_LINES, line_height=1.0)
        self.help_key = Key(text="?", look="paper", style="question", name="help", size_hint=(None, None))
        self.clock_face = ClockFace(
            digits_height=theme.length.smallest * CLOCK_DIGITS_PX / 18, size_hint=(None, None)
        )
        self.falling_price = FallingPrice(size_hint=(None, None))
        super().__init__(**kwargs)
        add_children(self, self.asked_label, self.warning_badge, self.question_label, self.clock_face)
        self.help_key.bind(on_release=lambda _: self.dispatch("on_help"))
        self.fbind("clock", lambda _, clock: self._set_clock(clock))

    def show_question(self, view: View, lang: str, *, is_demo: bool = False) -> None:
        """Shows the open question of a view."""
        question = view.question
        assert question is not None
        seats = question.seats
        self.colour = seats[0].colour if len(seats) == 1 else ""
        app = get_running_translator()
        few = len(seats) <= MAX_NAMED_SEATS and len(seats) < len(view.seats)
        self._asked_text = render(say_list(seats), lang) if seats and few else app.tr("The table")
        self.question_label.text = render(question.text, lang)
        self.warning_badge.show_warning(view, lang, is_demo=is_demo)
        self.falling_price.falling = question.form.side_facts.get("falling")
        self.falling_price.lang = lang
        if (self.falling_price.falling is None) == (self.falling_price.parent is not None):
            add_children(
                self, self.falling_price
            ) if self.falling_price.parent is None else self.remove_widget(self.falling_price)
        self._set_clock(self.clock)
        if (view.help_text is None) != (self.help_key.parent is None):
            self.add_widget(self.help_key) if view.help_text is not None else self.remove_widget(
                self.help_key
            )
        self._draw_soon()

    def _set_clock(self, clock: Any) -> None:
        had = self.clock_face.clock is not None
        self.falling_price.clock, self.clock_face.clock = (
            (clock, None) if self.falling_price.parent else (None, clock)
        )
        clock = self.clock_face.clock
        if had != (clock is not None):
            self._draw_soon()

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        if self.falling_price.parent is None:
            return self._words_height_range(width)
        gap, wide = theme.length.gap, self._price_wide(width)
        words = self._words_height_range(width)[0]
        least, best = (words + high for high in self.falling_price.height_range(width - 2 * gap))
        if self.falling_price.largest_digits_size(wide, best) >= theme.length.number:
            beside = self._words_height_range(width - wide)[0], self.falling_price.height_range(wide)[0] + gap
            least = min(least, max(beside))
        return least, best

    def _price_wide(self, width: float) -> float:
        """Width of a price that stands beside the words."""
        return width * FALLING_PRICE_WIDTH_SHARE - (theme.length.target if self.help_key.parent else 0.0)

    def _words_height_range(self, width: float) -> tuple[float, float]:
        """Least and preferred height of the words alone."""
        sizes = theme.length
        if self._is_stacked(width):
            least = self._stacked_high(width)
            return least, max(least, sizes.target * PREFERRED_TARGETS)
        room = self._words_wide(width)
        badge = 0.0 if self._is_beside(room) else self.warning_badge.height
        least = NAME_LINE * sizes.smallest + self._what_high(room) + badge + sizes.gap
        best = least + (self._who_high(room) - NAME_LINE) * sizes.smallest
        return max(least, sizes.target * MIN_TARGETS), max(best, sizes.target * PREFERRED_TARGETS)

    def _who_high(self, room: float) -> float:
        """Preferred height of the name, in heights of the smallest letters: two lines if need be."""
        return NAME_LINE if len(wrap_name(self._asked_text, room, max_lines=2)) == 1 else NAME_TWO_LINES

    def is_too_narrow(self, width: float) -> bool:
        """Whether the banner is too narrow for its words at that width.

        A word would be broken, or the name or the badge has no room.
        """
        room = width - 2 * theme.length.gap
        beside = theme.length.target if self.help_key.parent else theme.length.gap
        wide = min(self._who_wide, MAX_STACKED_NAME_WIDTH_EM * theme.length.smallest)
        named = wide + theme.length.target * STACKED_NAME_HEIGHT_TARGETS + theme.length.space
        is_wide = max(named, self.warning_badge.width if self.warning_badge.text else 0.0) > room
        return self._is_stacked(width) and (
            is_wide or widest_word_width(self.question_label.text, _small) > room - beside
        )

    def _is_stacked(self, width: float) -> bool:
        """Whether the question stands below the name: it has no room beside token, clock and help."""
        room = self._words_wide(width)
        words = max(widest_word_width(self.question_label.text, _small), self._who_wide)
        return (
            words > room
            or count_wrapped_lines(self.question_label.text, room, _small) > MAX_QUESTION_LINES_BESIDE_TOKEN
        )

    @property
    def _who_wide(self) -> float:
        """Width that the name needs; a very long one takes two lines or is cut."""
        small = theme.length.smallest
        return min(measure_text_width(self._asked_text, small), MAX_NAME_WIDTH_EM * small)

    def _stacked_high(self, width: float) -> float:
        """Least height with the question below the name; the help key stands beside the question."""
        sizes, gap = theme.length, theme.length.gap
        badge = self.warning_badge.height if self.warning_badge.text else 0.0
        question = len(self._stacked_lines(width)) * sizes.smallest * 1.05
        help_high = sizes.target if self.help_key.parent else 0.0
        return (
            sizes.target * STACKED_NAME_HEIGHT_TARGETS + badge + max(question + gap / 2, help_high) + gap / 2
        )

    def _stacked_lines(self, width: float) -> list[str]:
        beside = theme.length.target if self.help_key.parent else theme.length.gap
        return wrap_text(self.question_label.text, max(1.0, width - 2 * theme.length.gap - beside), _small)

    def _what_high(self, room: float) -> float:
        """Least height of the question."""
        small = theme.length.smallest
        lines = count_wrapped_lines(self.question_label.text, max(1.0, room), _small)
        return small * 1.3 if lines == 1 else small * 1.1 * lines

    def _is_beside(self, room: float) -> bool:
        """Whether the badge has room beside the name."""
        name = measure_text_width(self._asked_text, theme.length.body)
        return not self.warning_badge.text or name + theme.length.gap + self.warning_badge.width <= room

    def _words_wide(self, width: float) -> float:
        time = self.clock_face.digits_width_at(theme.length.smallest * CLOCK_DIGITS_PX / 18)
        right = time + (theme.length.target if self.help_key.parent else 0.0)
        return width - self._left - right - theme.length.gap

    @property
    def _left(self) -> float:
        return theme.length.target * 1.1 if self.colour else theme.length.space

    def draw(self) -> None:
        """Draws paper with a bar in the player's colour and their token, and places the words beside it."""
        sizes, gap = theme.length, theme.length.gap
        draw_paper(self.box, sizes.line)
        if self._is_stacked(self.width):
            self._draw_stacked()
            return
        self.clock_face.digits_height = sizes.smallest * CLOCK_DIGITS_PX / 18
        self.question_label.lines = max(
            USUAL_MAX_QUESTION_LINES,
            count_wrapped_lines(self.question_label.text, max(1.0, self._words_wide(self.width)), _small),
        )
        right = self.right - gap
        if self.help_key.parent is not None:
            right -= sizes.target
        wide = self.clock_face.digits_width
        self.clock_face.digits_box = (right - wide, self.y, wide, self.height) if wide else None
        low, taken = self._place_price(right)
        words, middle = self.height - low, self.center_y + low / 2
        if self.help_key.parent is not None:
            self.help_key.size = (sizes.target, min(sizes.target, words))
            self.help_key.pos = (self.right - sizes.target, middle - self.help_key.height / 2)
        if self.colour:
            fill_box(theme.PLAYER_LOOKS[self.colour].colour, (self.x, self.y, gap, self.height), gap / 2)
            side = min(sizes.target * 0.68, words * 0.7)
            inner = (
                side / RING_TO_TOKEN_WIDTH_RATIO * 1.1 if self.clock_face.clock else side
            )  # a ring is drawn round it
            token = (self.x + gap * 2.4 + (side - inner) / 2, middle - inner / 2, inner, inner)
            draw_player_token(self.colour, token)
            self.clock_face.token_box = token
        self._place_words((self.x + self._left, self.y + low, right - wide - taken, words))

    def _draw_stacked(self) -> None:
        """Draws the token before the name and the clock at its end, and places the question below."""
        sizes, gap = theme.length, theme.length.gap
        self.clock_face.digits_height = sizes.smallest * STACKED_CLOCK_DIGITS_PX / 18
        low, _ = self._place_price(self.right - gap)
        named, top, left = sizes.target * STACKED_NAME_HEIGHT_TARGETS, self.top - gap / 2, self.x + gap
        wide = self.clock_face.digits_width
        self.clock_face.digits_box = (self.right - gap - wide, top - named, wide, named) if wide else None
        if self.colour:
            fill_box(theme.PLAYER_LOOKS[self.colour].colour, (self.x, self.y, gap, self.height), gap / 2)
            side = named * 0.8
            inner = side / RING_TO_TOKEN_WIDTH_RATIO * 1.1 if self.clock_face.clock else side
            token = (left + gap + (side - inner) / 2, top - (named + inner) / 2, inner, inner)
            draw_player_token(self.colour, token)
            self.clock_face.token_box = token
            left += side + 1.5 * gap
        self.asked_label.lines, self.asked_label.text = 1, self._asked_text
        self.asked_label.pos = left + gap / 2, top - named
        self.asked_label.size = max(1.0, self.right - gap - wide - left - gap / 2), named
        badge = self.warning_badge.height if self.warning_badge.text else 0.0
        self.warning_badge.pos = self.x + 2 * gap, top - named - badge
        self._place_question(self.y + low, max(1.0, top - named - badge - self.y - low))

    def _place_question(self, bottom: float, high: float) -> None:
        """Places the question below the name, beside the help key."""
        sizes, gap = theme.length, theme.length.gap
        beside = gap
        if self.help_key.parent is not None:
            beside = sizes.target
            self.help_key.size = sizes.target, min(sizes.target, high)
            self.help_key.pos = self.right - sizes.target, bottom + (high - self.help_key.height) / 2
        self.question_label.lines = max(USUAL_MAX_QUESTION_LINES, len(self._stacked_lines(self.width)))
        self.question_label.pos = self.x + 2 * gap, bottom
        self.question_label.size = max(1.0, self.width - 2 * gap - beside), high

    def _place_price(self, right: float) -> tuple[float, float]:
        """Places the price. Returns the height or the width that it takes from the words."""
        if self.falling_price.parent is None:
            return 0.0, 0.0
        gap, wide = theme.length.gap, self._price_wide(self.width)
        low = max(0.0, self.height - self._words_height_range(self.width)[0])
        beside, below = (wide, self.height - gap), (self.width - 2 * gap, low)
        if self.falling_price.largest_digits_size(*beside) > self.falling_price.largest_digits_size(*below):
            self.falling_price.pos, self.falling_price.size = (right - wide, self.y + gap / 2), beside
            return 0.0, wide
        self.falling_price.pos, self.falling_price.size = (self.x + gap, self.y + gap / 2), below
        return low, 0.0

    def _place_words(self, box: Box) -> None:
        left, bottom, right, height = box
        gap = theme.length.gap
        beside = self._is_beside(right - left)
        low = 0.0 if beside else self.warning_badge.height
        high = height - gap - low
        share = high * (0.42 if len(self.question_label.text) > MAX_ONE_LINE_QUESTION_LETTERS else 0.5)
        least, spare = theme.length.smallest, high - self._what_high(right - left)
        share = max(share, self._who_high(right - left) * least)
        first = max(NAME_LINE * least, min(share, spare))
        badge = self.warning_badge.width + gap if self.warning_badge.text and beside else 0.0
        most = 2 if first >= NAME_TWO_LINES * least else 1
        lines = wrap_name(self._asked_text, max(1.0, right - left - badge), max_lines=most)
        self.asked_label.lines, self.asked_label.text = len(lines), "\n".join(lines)
        self.asked_label.pos, self.asked_label.size = (
            (left, self.top - gap / 2 - first),
            (max(1.0, right - left - badge), first),
        )
        middle = self.top - gap / 2 - (first + self.warning_badge.height) / 2 if beside else bottom + gap / 2
        self.warning_badge.pos = (right - self.warning_badge.width if beside else left, middle)
        self.question_label.pos, self.question_label.size = (
            (left, bottom + gap / 2 + low),
            (max(1.0, right - left), high - first),
        )


def _small(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)
