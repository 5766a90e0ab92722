"""Text: short texts within drawings, and a label that shrinks its text before it would be cut off.

Textures of short texts are cached, because drawings are repeated often. This module chooses no language:
every text arrives translated.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise, product
from math import ceil, inf
from typing import Any, NamedTuple

from kivy import graphics
from kivy.clock import Clock
from kivy.core.text import DEFAULT_FONT, LabelBase
from kivy.graphics.texture import Texture
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    NumericProperty,
    OptionProperty,
    StringProperty,
    VariableListProperty,
)
from kivy.uix.widget import Widget

from companion.name_matching import split_graphemes
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.font_runs import FallbackLabel, is_in_main_font
from ui.widgets.drawing.line_breaking import (
    contains_japanese,
    find_japanese_phrases,
    find_name_parts,
    hyphenate_long_words,
    join_short_endings,
    split_word_evenly,
    widest_word_width,
    wrap_japanese,
    wrap_text,
)

Point = tuple[float, float]
MAX_WRAPPED_NAME_LINES = 3
"""Maximum number of lines over which a name is wrapped."""
MAX_NAME_WIDTH_ON_KEY_EM = 13.5
"""Width that a name may have in a sentence on a key, in smallest font sizes: about twenty Latin letters."""
ELLIPSIS = "…"
"""Replaces the end of a name that has no room."""
NO_LETTERS_OF_NAMES = f" -\u2010\u30fb\uff65=\uff1d\u3000{ELLIPSIS}"
"""Characters that stand between the parts of a name, or in place of its end."""
LINE_SPACING_EM = 1.15
"""Distance between lines, in font sizes."""
_OTHER_DIGIT_UPSIDE_DOWN = str.maketrans("01689", "01986")
UNDERLINE_THICKNESS_EM = 0.05
"""Thickness of the line under a number that reads as another number upside down, in font sizes."""


def measure_text_width(
    text: str, font_size: float, font: str = theme.TEXT_FONT, *, bold: bool = True
) -> float:
    """Returns the width of a text at a font size, in pixels."""
    return _measure_text(text, round(font_size), font, bold)


def wrap_at_size(text: str, max_width: float, font_size: float, *, bold: bool = True) -> Sequence[str]:
    """Splits a text into lines no wider than `max_width` at a font size, as `wrap_text` does."""
    return _wrap_text(text, max_width, round(font_size), bold)


def count_name_lines(name: str, max_width: float, *, bold: bool = True) -> int:
    """Returns the number of lines that a name needs: 1, or 2 if it can't be read in one at that width."""
    return 1 if measure_text_width(name, theme.length.smallest, bold=bold) <= max_width else 2


def split_in_two_lines(name: str) -> list[str]:
    """Splits a name into two lines, between its words or after a hyphen; a single letter stays one line."""
    by_words, by_marks, *finer = find_name_parts(name)
    for parts_of_kind in ((by_words, by_marks), *((parts,) for parts in finer)):
        if splits := [lines for parts in parts_of_kind for lines in _join_in_lines(parts, 2)]:
            return min(splits, key=lambda lines: max(map(len, lines)))
    return split_word_evenly(name, 2)


def wrap_name(
    name: str, max_width: float, *, bold: bool = True, max_lines: int = MAX_WRAPPED_NAME_LINES
) -> list[str]:
    """Splits a name into as few readable lines as possible, shortened with "…" if `max_lines` aren't enough.

    Lines end where `find_name_parts` lets them end. Only a word that is wider than a line is broken, with a
    hyphen if there is room. A name may have twenty letters, and a screen of twelve players has small panels.
    Players' tokens tell them apart, and a touch shows the whole name.
    """
    return list(_wrap_name(name, max_width, theme.length.smallest, bold, max_lines))


def min_name_width(name: str) -> float:
    """Returns the least width for a name in the smallest letters, with no word broken."""
    return max(
        widest_word_width(
            part, lambda text: measure_text_width(text, theme.length.smallest), may_split_kanji=True
        )
        for part in find_name_parts(name)[1]
    )


@lru_cache(maxsize=2048)  # a layout wraps the names of all players at a dozen widths
def _wrap_name(
    name: str,
    max_width: float,
    size: float,
    bold: bool,  # noqa: FBT001 - lru_cache needs a positional key
    max_lines: int,
) -> Sequence[str]:
    def measure(text: str) -> float:
        return measure_text_width(text, size, bold=bold)

    if measure(name) <= max_width:
        return [name]
    granularities = find_name_parts(name)
    for line_count in range(2, max_lines + 1):
        for parts in granularities:
            widest, lines = min(
                ((max(map(measure, lines)), lines) for lines in _join_in_lines(parts, line_count)),
                default=(inf, []),
            )
            if widest <= max_width:
                return lines
    for part_count, hyphen in product((2, 3), ("-", "")):
        lines = [
            line
            for part in granularities[-1]
            for line in _split_if_too_wide(part.strip(), part_count, hyphen, max_width, measure)
        ]
        if len(lines) <= max_lines and max(map(measure, lines), default=0.0) <= max_width:
            return lines
    return _shorten_to_lines(granularities[-1], max_width, max_lines, measure)


def _split_if_too_wide(
    word: str, part_count: int, hyphen: str, max_width: float, measure: Callable[[str], float]
) -> Sequence[str]:
    return [word] if measure(word) <= max_width else split_word_evenly(word, part_count, hyphen)


def _join_in_lines(parts: Sequence[str], line_count: int) -> Iterator[list[str]]:
    """Yields every way to join parts in that number of lines."""
    for inner_ends in combinations(range(1, len(parts)), line_count - 1):
        ends = (0, *inner_ends, len(parts))
        yield ["".join(parts[start:end]).strip() for start, end in pairwise(ends)]


def is_name_whole(name: str, lines: Sequence[str]) -> bool:
    """Whether lines have all letters of a name and no word of it is broken by a hyphen or shortened."""
    return "".join("".join(lines).split()) == "".join(name.split())


def count_left_out_letters(name: str, lines: Sequence[str]) -> int:
    """Returns the number of letters of a name that its lines don't show.

    Spaces, dots and hyphens, which lines leave out or add, don't count, nor does "…".
    """
    return _count_letters(name) - sum(map(_count_letters, lines))


def _count_letters(text: str) -> int:
    return sum(grapheme not in NO_LETTERS_OF_NAMES for grapheme in split_graphemes(text))


def shorten_name(name: str, max_width_em: float = MAX_NAME_WIDTH_ON_KEY_EM) -> str:
    """Shortens a name for a sentence on a key: only its beginning if it is wider than `max_width_em`."""
    return wrap_name(name, max_width_em * theme.length.smallest, max_lines=1)[0]


def _shorten_to_lines(
    parts: Sequence[str], max_width: float, max_lines: int, measure: Callable[[str], float]
) -> list[str]:
    """Returns as many parts of a name as fit in `max_lines` lines, with "…" behind the last one.

    If a part has room only without "…", it is shown whole: people read a first name rather than its
    beginning. Only a first part that is wider than a line is broken, and fills the line with its first
    letters; a name ends before any other part that is.
    """
    rest, lines, is_word_broken = list(parts), list[str](), False

    def count_fitting(pieces: Sequence[str], line_end: str) -> int:
        return sum(measure(_end_line(beginning, line_end)) <= max_width for beginning in accumulate(pieces))

    while rest and len(lines) < max_lines:
        is_last = len(lines) == max_lines - 1
        line_end = ELLIPSIS if is_last and count_fitting(rest, "") < len(rest) else ""
        count = count_fitting(rest, line_end)
        if not count and count_fitting(rest[:1], ""):
            line_end, count = "", 1
        if not count and lines and not is_word_broken:
            return [*lines[:-1], lines[-1] + (ELLIPSIS if count_fitting(lines[-1:], ELLIPSIS) else "")]
        is_word_broken = not count
        if not count:
            letters = split_graphemes(rest[0])
            line_end = line_end or ("" if contains_japanese(rest[0]) else "-")
            letter_count = max(1, count_fitting(letters, line_end))
            rest[:1] = ["".join(letters[:letter_count]), "".join(letters[letter_count:])]
            count = 1
        lines.append(_end_line("".join(rest[:count]), line_end))
        del rest[:count]
    return lines


def _end_line(text: str, line_end: str) -> str:
    """Returns a line of a shortened name: a dot between names isn't needed at its end."""
    return text.strip().rstrip("・") + line_end


def widest_line_width_in_smallest_font(lines: Sequence[str], *, bold: bool = True) -> float:
    """Returns the width of the widest line in the smallest readable font size."""
    return max((measure_text_width(line, theme.length.smallest, bold=bold) for line in lines), default=0.0)


def draw_text(
    text: str,
    centre: Point,
    font_size: float,
    colour: Colour,
    font: str = theme.TEXT_FONT,
    *,
    bold: bool = True,
) -> None:
    """Draws a text around a centre, bold unless `bold` is False.

    If people read the screen from all sides, a number that reads as another number upside down is underlined,
    as on wooden chips.
    """
    texture = _text_texture(text, round(font_size), font, bold)
    Color(*colour)
    x, y = round(centre[0] - texture.width / 2), round(centre[1] - texture.height / 2)
    Rectangle(texture=texture, size=texture.size, pos=(x, y))
    if theme.is_read_from_all_sides and is_other_number_upside_down(text):
        thickness = ceil(font_size * UNDERLINE_THICKNESS_EM)
        Rectangle(size=(texture.width, thickness), pos=(x, y - thickness))


def is_other_number_upside_down(text: str) -> bool:
    """Whether a text is a number with a 6 or a 9 that reads as another number upside down, as 16 reads 91."""
    if not {"6", "9"} & {*text} or not {*text} <= {*"01689"}:
        return False
    turned = text[::-1].translate(_OTHER_DIGIT_UPSIDE_DOWN)
    return turned != text and not turned.startswith("0")


def draw_text_lines(
    lines: Sequence[str], centre: Point, font_size: float, colour: Colour, *, bold: bool = True
) -> None:
    """Draws lines below each other around a centre."""
    for line_number, line in enumerate(lines):
        offset = font_size * LINE_SPACING_EM * ((len(lines) - 1) / 2 - line_number)
        draw_text(line, (centre[0], centre[1] + offset), font_size, colour, bold=bold)


@lru_cache(maxsize=4096)  # layouts measure a number at a dozen sizes and draw it at one
def _measure_text(text: str, size: int, font: str, bold: bool) -> float:  # noqa: FBT001 - lru_cache needs a positional key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.resolve_font_name()
    return max(1.0, float(label.render()[0]))


@lru_cache(maxsize=2048)  # a layout asks for the lines of each text at a dozen widths, and again
def _wrap_text(text: str, max_width: float, size: int, bold: bool) -> Sequence[str]:  # noqa: FBT001 - lru_cache needs a positional key
    return tuple(wrap_text(text, max_width, lambda part: _measure_text(part, size, theme.TEXT_FONT, bold)))


@lru_cache(maxsize=384)  # a table of twelve shows 64; each new number is a new texture
def _text_texture(text: str, size: int, font: str, bold: bool) -> Texture:  # noqa: FBT001 - lru_cache needs a positional key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.refresh()
    return label.texture


# Measuring a text without drawing it


class TextMeasurer:
    """Measures a text at several font sizes without drawing it; with `is_one_line` the text isn't wrapped."""

    def __init__(
        self,
        text: str,
        font: str,
        padding: Sequence[float],
        line_height: float,
        *,
        bold: bool,
        is_one_line: bool,
    ) -> None:
        self.text, self._is_one_line = text, is_one_line
        self._padding = padding
        self._label = FallbackLabel(font_name=font, bold=bold, padding=list(padding), line_height=line_height)
        self._label.resolve_font_name()

    def measure_size(self, font_size: float, max_width: float | None = None) -> tuple[float, float]:
        """Returns width and height of the text at a font size, wrapped to a width, padding included."""
        self._label.options["font_size"] = font_size
        self._label.text_size = (max_width, None)
        self._label.text = self.text
        if max_width is not None and not self._is_one_line:
            self._label.text = wrap_japanese(
                self.text, max_width - self._padding[0] - self._padding[2], self._measure_width
            )
        width, height = self._label.render()
        return float(width), float(height)

    def measure_widest_word(self, *, may_split_kanji: bool = False) -> float:
        """Returns the width of the widest word at the font size that was measured last."""
        return widest_word_width(self.text, self._measure_width, may_split_kanji=may_split_kanji)

    def find_wide_phrases(self, font_size: float, max_width: float) -> set[str]:
        """Returns the Japanese phrases that are wider than a line at a font size, padding included."""
        text_width = max_width - self._padding[0] - self._padding[2]
        self._label.options["font_size"] = font_size
        return {
            phrase for phrase in find_japanese_phrases(self.text) if self._measure_width(phrase) > text_width
        }

    def _measure_width(self, text: str) -> float:
        return float(self._label.get_extents(text)[0])


# The label


TextFitResult = tuple[float, float, bool, Sequence[float | None], str]
"""The settings with which a text fits its box.

They are its font size, its line height, whether to cut it off, `text_size` and the shown text.
"""
MAX_LINE_TO_BOX_HEIGHT_RATIO_BY_FONT = {theme.TEXT_FONT: 1.3, theme.MONEY_FONT: 1.13}
"""Maximum ratio of a line's height to the height of its box, by font.

It is above 1, because letters don't fill a line. Digits fill more of it.
"""
MAX_LINE_TO_BOX_HEIGHT_RATIO_IN_FALLBACK_FONT = 1.8
"""Maximum ratio of a line's height to the height of its box in a fallback font.

Such fonts keep room for marks.
"""
MAX_CACHED_FITS = 2000
_fit_cache: dict[tuple[Any, ...], TextFitResult] = {}
"""Cache of fitted texts, because a long text is laid out at up to ten sizes to find the one that fits."""


class TextStyle(NamedTuple):
    """Font, weight and size of a text; `theme_length` is the name of the size in the theme."""

    theme_length: str
    font: str = theme.TEXT_FONT
    bold: bool = False


TEXT_STYLES = {
    "title": TextStyle("title", bold=True),
    "headline": TextStyle("amount", bold=True),
    "question": TextStyle("question", bold=True),
    "body": TextStyle("body"),
    "quiet": TextStyle("smallest"),
    "note": TextStyle("note"),
    "key": TextStyle("key", bold=True),
    "seal": TextStyle("key", theme.MONEY_FONT, bold=True),
    "kana": TextStyle("kana"),
    "digit": TextStyle("digit", theme.MONEY_FONT, bold=True),
    "bid": TextStyle("bid", theme.MONEY_FONT, bold=True),
    "amount": TextStyle("amount", theme.MONEY_FONT, bold=True),
    "number": TextStyle("number", theme.MONEY_FONT, bold=True),
    "grand": TextStyle("grand", theme.MONEY_FONT, bold=True),
}


def load_fonts() -> None:
    """Loads the theme's fonts into Kivy, and makes its text font Kivy's default font."""
    for name, (regular, bold) in theme.FILES_BY_FONT.items():
        LabelBase.register(name, str(regular), fn_bold=str(bold))
    regular, bold = theme.FILES_BY_FONT[theme.TEXT_FONT]
    LabelBase.register(DEFAULT_FONT, str(regular), fn_bold=str(bold))


class FittedLabel(Widget):
    """Widget with a text that it shrinks to fit its box, in one of `TEXT_STYLES`.

    `lines` is the number of lines that the text may take before it gets smaller. The lines of a paragraph,
    which is running text on a sheet, stand as far apart as the theme says if the text is no smaller for it;
    else, and in other texts, `line_height` says how far. With `abbreviates`, as for names, a text that
    doesn't fit even in the smallest font size is shortened with "…". `shown_text` is the text that people
    read.

    It isn't a subclass of Kivy's label, whose forty other properties make 385 objects instead of 158: to make
    it, fit it and collect it took three times as long.
    """

    text = StringProperty("")
    style = OptionProperty("body", options=list(TEXT_STYLES))
    is_on_felt = BooleanProperty(defaultvalue=False)
    lines = NumericProperty(1)
    abbreviates = BooleanProperty(defaultvalue=False)
    shorter_text = StringProperty("")
    """Replaces a text that doesn't fit in the smallest letters, rather than to leave out its end."""
    halign = OptionProperty("left", options=["left", "center", "right"])
    valign = OptionProperty("middle", options=["top", "middle"])
    padding = VariableListProperty([0, 0, 0, 0])
    line_height = NumericProperty(1.12)
    is_paragraph = BooleanProperty(defaultvalue=False)
    color = ColorProperty(theme.INK)
    is_dimmed = BooleanProperty(defaultvalue=False)
    """Whether the text is quiet: a number that doesn't count."""

    def __init__(self, **kwargs: Any) -> None:
        self._fit_soon = Clock.create_trigger(self._fit, -1)
        self._label = FallbackLabel(split_str="")
        self._drawn_state: tuple[Any, ...] = ()
        self.font_size, self.shorten, self.shown_text = 0.0, False, ""
        self.texture: Texture | None = None
        self.texture_size = (0, 0)
        super().__init__(**kwargs)
        with self.canvas:
            graphics.Color(1, 1, 1, 1)  # the texture has the colour of the text
            self._rectangle = graphics.Rectangle(size=self.texture_size)
        for name in ("text", "size", "lines", "abbreviates", "halign", "valign", "padding"):
            self.fbind(name, self._fit_soon)
        for name in ("line_height", "is_paragraph", "shorter_text"):
            self.fbind(name, self._fit_soon)
        for name in ("style", "color", "disabled", "is_dimmed"):
            self.fbind(name, self._fit_soon)
        for name in ("style", "is_on_felt", "disabled", "is_dimmed"):
            self.fbind(name, self._apply_style)
        for name in ("pos", "size"):
            self.fbind(name, self._place_texture)
        self._apply_style()
        self._fit_soon()

    def on_touch_down(self, _touch: Any) -> bool:
        """Ignores every touch.

        Kivy lets disabled widgets swallow touches, even where nothing is drawn.
        """
        return False

    def _apply_style(self, *_: object) -> None:
        is_quiet = self.style == "quiet" or self.disabled or self.is_dimmed
        if self.is_on_felt:
            self.color = theme.QUIET if is_quiet else theme.PAPER
        else:
            self.color = theme.INK_QUIET if is_quiet else theme.INK

    def _fit(self, _seconds: float) -> None:
        """Chooses the largest font size at which the text fits, from the style's own down to the smallest."""
        exact_size = getattr(theme.length, TEXT_STYLES[self.style].theme_length)
        min_size = self._min_size
        # Rounded down: in a box that is exactly high enough, half a pixel more would stand out.
        style_size = max(min_size, int(exact_size))
        line_settings = self.line_height, self.is_paragraph, self.lines, self.abbreviates
        box_settings = *self.size, *self.padding, *line_settings
        texts = self.text, self.shorter_text
        cache_key = texts, self.style, style_size, min_size, box_settings, self.halign, self.valign
        if cache_key not in _fit_cache:
            if len(_fit_cache) >= MAX_CACHED_FITS:
                _fit_cache.clear()
            _fit_cache[cache_key] = self._compute_fit(self.text, style_size, min_size)
        self.font_size, line_height, self.shorten, text_size, self.shown_text = _fit_cache[cache_key]
        self._draw(text_size, line_height)

    def _draw(self, text_size: Sequence[float | None], line_height: float) -> None:
        """Draws the text with the line breaks of `line_breaking`, unless it would look as before."""
        label, style = self._label, TEXT_STYLES[self.style]
        label.options |= {
            "font_name": style.font,
            "bold": style.bold,
            "font_size": self.font_size,
            "halign": self.halign,
            "valign": self.valign,
            "padding": list(self.padding),
            "line_height": line_height,
            "shorten": self.shorten,
            "color": list(self.color),
        }
        label.resolve_font_name()
        label.text, label.text_size = self._wrap(text_size[0]), text_size
        state = label.text, text_size, {**label.options}
        if state == self._drawn_state:
            return
        self._drawn_state = state
        # Always a new texture: writing into the shown one would wait until it has been drawn.
        label.texture = None
        if label.text:
            label.refresh()
        self.texture = self._rectangle.texture = label.texture
        self.texture_size = label.texture.size if label.texture else (0, 0)
        self._place_texture()

    def _place_texture(self, *_: object) -> None:
        width, height = self._rectangle.size = self.texture_size
        # Kivy may tell of a new `pos` before its cached `center` is new.
        x, y = self.x + (self.width - width) / 2, self.y + (self.height - height) / 2
        self._rectangle.pos = int(x), int(y)

    def _compute_fit(self, text: str, style_size: int, min_size: int) -> TextFitResult:
        measurer, size, line_height = self._make_measurer(text), style_size, self.line_height
        if self.is_paragraph:
            paragraph_line_height = theme.paragraph_line_height(is_japanese=contains_japanese(text))
            paragraph_measurer = self._make_measurer(text, paragraph_line_height)
            if self._fits_at(paragraph_measurer, style_size):
                measurer, line_height = paragraph_measurer, paragraph_line_height
        fits = self._fits_at(measurer, style_size)
        if not fits:
            first_too_large = bisect_left(
                range(min_size, style_size), True, key=lambda size: not self._fits_at(measurer, size)
            )
            size = max(min_size, min_size + first_too_large - 1)
            fits = self._fits_at(measurer, size)
        if not fits and text != self.shorter_text != "":
            return self._compute_fit(self.shorter_text, style_size, min_size)
        if not fits and self.abbreviates:
            measurer, fits = self._make_measurer(self._abbreviate(text, size)), True
        # If Kivy gets a height, it puts the text after a newline into half of it, and drops what has no room.
        height = None if self.valign == "middle" else self.height
        return (
            size,
            line_height,
            self.lines == 1 and not fits,
            [self._balanced_width(measurer, size), height],
            measurer.text,
        )

    def _abbreviate(self, text: str, font_size: int) -> str:
        """Returns as many letters of a text as fit, at least one, with "…" behind them."""
        letters = split_graphemes(text)

        def beginning(count: int) -> str:
            return "".join(letters[:count]).rstrip() + ELLIPSIS

        def is_too_long(count: int) -> bool:
            return not self._fits_at(self._make_measurer(beginning(count)), font_size)

        return beginning(max(1, bisect_left(range(1, len(letters) + 1), True, key=is_too_long)))

    def _make_measurer(self, text: str, line_height: float | None = None) -> TextMeasurer:
        style = TEXT_STYLES[self.style]
        return TextMeasurer(
            text,
            style.font,
            self.padding,
            line_height or self.line_height,
            bold=style.bold,
            is_one_line=self.lines == 1,
        )

    def min_height_at(self, width: float) -> float:
        """Returns the height of the text in the smallest font size, wrapped to that width."""
        return self.min_height_of(self.text, width)

    def min_height_of(self, text: str, width: float) -> float:
        """Returns the height that a text would have in the smallest font size, wrapped to that width."""
        return self._make_measurer(text).measure_size(round(theme.length.smallest), width)[1]

    def widest_word_width(self) -> float:
        """Returns the width of the widest word in the smallest letters; a narrower label would break it."""
        measurer = self._make_measurer(self.text)
        measurer.measure_size(round(theme.length.smallest))
        return measurer.measure_widest_word()

    def one_line_width(self) -> float:
        """Returns the width of the text in one line at its style's own size."""
        style = TEXT_STYLES[self.style]
        return measure_text_width(
            self.text, getattr(theme.length, style.theme_length), style.font, bold=style.bold
        )

    def _balanced_width(self, measurer: TextMeasurer, font_size: int) -> float:
        """Returns the width at which centred lines are about equally long, and none is a single letter."""
        if self.halign != "center" or self.lines == 1:
            return float(self.width)
        height, width = measurer.measure_size(font_size, self.width)[1], float(self.width)
        sentence_ends = self._count_sentence_ends(font_size, self.width)
        for share in (0.9, 0.8, 0.7, 0.6):
            narrower_height = measurer.measure_size(font_size, self.width * share)[1]
            splits_word = measurer.measure_widest_word(may_split_kanji=self.abbreviates) > self.width * share
            splits_phrase = self._splits_phrase(measurer, font_size, self.width * share)
            if narrower_height > height or height < 2 * font_size or splits_word or splits_phrase:
                break
            if self._count_sentence_ends(font_size, self.width * share) < sentence_ends:
                break
            width = self.width * share
        return width

    def _count_sentence_ends(self, font_size: float, width: float) -> int:
        """Returns the number of lines at that width that end with a Japanese sentence."""
        if not contains_japanese(self.text):
            return 0
        style = TEXT_STYLES[self.style]
        lines = wrap_text(
            self.text,
            width - self.padding[0] - self.padding[2],
            lambda text: measure_text_width(text, font_size, style.font, bold=style.bold),
        )
        return sum(line.endswith(("。", "？", "！")) for line in lines)

    def _fits_at(self, measurer: TextMeasurer, font_size: int) -> bool:
        _left, top, _right, bottom = self.padding
        width, height = measurer.measure_size(font_size, None if self.lines == 1 else self.width)
        if self.lines == 1:
            max_ratio = self._max_line_to_box_height_ratio(measurer.text)
            return bool(width <= self.width and height <= self.height * max_ratio)
        if measurer.measure_widest_word(may_split_kanji=self.abbreviates) > self.width:
            return False
        if self._splits_phrase(measurer, font_size, self.width):
            return False
        return bool(height <= self.height and height - top - bottom <= self.lines * font_size * 1.6)

    def _max_line_to_box_height_ratio(self, text: str) -> float:
        if not is_in_main_font(text):
            return MAX_LINE_TO_BOX_HEIGHT_RATIO_IN_FALLBACK_FONT
        font = TEXT_STYLES[self.style].font
        if font == theme.MONEY_FONT and "/" in text:
            return 1.0  # the slash of 0/1 is as high as the line
        return MAX_LINE_TO_BOX_HEIGHT_RATIO_BY_FONT[font]

    def _splits_phrase(self, measurer: TextMeasurer, font_size: float, max_width: float) -> bool:
        """Whether a phrase would be broken that is whole in the smallest letters and the label's width."""
        wide_phrases = set() if self.abbreviates else measurer.find_wide_phrases(font_size, max_width)
        return bool(wide_phrases and wide_phrases - measurer.find_wide_phrases(self._min_size, self.width))

    @property
    def _min_size(self) -> int:
        """The smallest font size of the text."""
        style_size: float = getattr(theme.length, TEXT_STYLES[self.style].theme_length)
        return min(round(style_size), round(theme.length.smallest))

    def _wrap(self, max_width: float | None) -> str:
        """Returns the text wrapped to a width; at the smallest font size long words get hyphens."""
        if self.lines == 1 or max_width is None:
            return self.shown_text
        text_width = max_width - self.padding[0] - self.padding[2]
        text = join_short_endings(self.shown_text, text_width, self._measure_width)
        wrapped = wrap_japanese(text, text_width, self._measure_width)
        if self.font_size > round(theme.length.smallest):
            return wrapped
        return hyphenate_long_words(wrapped, text_width, self._measure_width)

    def _measure_width(self, text: str) -> float:
        return float(self._label.get_extents(text)[0])
