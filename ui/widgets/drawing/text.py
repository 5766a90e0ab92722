"""Text: short texts that drawings contain, and a label that shrinks before its text would be cut.

A short text is set once and its texture is kept, because drawings are repeated often. Nothing here chooses a
language: every text comes translated.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.core.text import DEFAULT_FONT, LabelBase
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty
from kivy.uix.label import Label

from companion.name_matching import split_graphemes
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.font_runs import FallbackLabel, is_in_main_font
from ui.widgets.drawing.line_breaking import broken, cut, hyphened, longest

Point = tuple[float, float]
MOST_LINES = 3
"""Most lines for a name."""
WIDEST = 13.5
"""How wide a name may be in a sentence on a key, in heights of the smallest letters: twenty Latin ones."""
REST = "…"
"""Stands for the end of a name that has no room."""
LINE = 1.15
"""How far lines lie apart, in heights of their letters."""


def across(text: str, size: float, font: str = theme.TEXT_FONT, *, bold: bool = True) -> float:
    """How wide a text of that size is, in pixels."""
    return _measure_text(text, round(size), font, bold)


def lines_of(name: str, width: float, *, bold: bool = True) -> int:
    """A name stands in one line as long as it can be read so, else in two."""
    return 1 if across(name, theme.length.smallest, bold=bold) <= width else 2


def in_two(name: str) -> list[str]:
    """A name in two lines, between its words if it has more; one letter has one."""
    words = name.split()
    pairs = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
    return min(pairs, key=lambda pair: max(map(len, pair)), default=cut(name, 2))


def within(name: str, width: float, *, bold: bool = True, most: int = MOST_LINES) -> list[str]:
    """A name in as few lines, of `most` at most, as can be read so.

    Where no such lines have room, its beginning with "…": a name may have twenty letters, and many people may
    sit at a small panel. Their signs tell them apart; the whole name is a touch away.
    """
    words = name.split()

    def fits(lines: Sequence[str]) -> bool:
        return len(lines) <= most and widest_of(lines, bold=bold) <= width

    def split(parts: int, hyphen: str) -> list[str]:
        cuts = [[word] if fits([word]) else cut(word, parts, hyphen) for word in words]
        return [line for lines in cuts for line in lines]

    tries = ([name], in_two(name), words, *(split(parts, hyphen) for parts in (2, 3) for hyphen in ("-", "")))
    return next((lines for lines in tries if fits(lines)), None) or _begun(name, width, most, bold=bold)


def called(name: str, wide: float = WIDEST) -> str:
    """A name in a sentence on a key: its beginning where it is wider than so many of the widest letters."""
    return within(name, wide * theme.length.smallest, most=1)[0]


def _begun(name: str, width: float, most: int, *, bold: bool) -> list[str]:
    """The beginning of a name in so many lines, each as full as can be, and "…" at the end."""
    letters, lines = split_graphemes(name), list[str]()
    for at in range(most):
        end = REST if at == most - 1 else ""
        full = [
            count
            for count in range(1, len(letters) + 1)
            if across("".join(letters[:count]).strip() + end, theme.length.smallest, bold=bold) <= width
        ]
        count = max(full, default=1)
        lines.append("".join(letters[:count]).strip() + end)
        del letters[:count]
    return lines


def widest_of(lines: Sequence[str], *, bold: bool = True) -> float:
    """How wide the widest of these is where it can just be read."""
    return max((across(line, theme.length.smallest, bold=bold) for line in lines), default=0.0)


def inscribe(
    text: str, middle: Point, size: float, colour: Colour, font: str = theme.TEXT_FONT, *, bold: bool = True
) -> None:
    """A text around a point, bold unless told."""
    texture = _text_texture(text, round(size), font, bold)
    Color(*colour)
    Rectangle(
        texture=texture,
        size=texture.size,
        pos=(round(middle[0] - texture.width / 2), round(middle[1] - texture.height / 2)),
    )


def inscribe_lines(
    lines: Sequence[str], middle: Point, size: float, colour: Colour, *, bold: bool = True
) -> None:
    """Lines below each other around a point."""
    for at, line in enumerate(lines):
        up = size * LINE * ((len(lines) - 1) / 2 - at)
        inscribe(line, (middle[0], middle[1] + up), size, colour, bold=bold)


@lru_cache(maxsize=4096)  # plans try a number at a dozen sizes and draw it at one
def _measure_text(text: str, size: int, font: str, bold: bool) -> float:  # noqa: FBT001 - a column of a key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.resolve_font_name()
    return max(1.0, float(label.render()[0]))


@lru_cache(maxsize=1024)
def _text_texture(text: str, size: int, font: str, bold: bool) -> Texture:  # noqa: FBT001 - a column of a key
    label = FallbackLabel(text=text, font_size=size, font_name=font, bold=bold)
    label.refresh()
    return label.texture


# Measuring a text without drawing it


class Ruler:
    """Measures `text`, one size after the other; `is_one_line`: it has no lines but its own."""

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

    def room(self, font_size: float, width: float | None = None) -> tuple[float, float]:
        """How wide and high it is at that size, in lines no longer than that; padding is part of it."""
        self._label.options["font_size"] = font_size
        self._label.text_size = (width, None)
        self._label.text = self.text
        if width is not None and not self._is_one_line:
            self._label.text = broken(self.text, width - self._padding[0] - self._padding[2], self._across)
        across, up = self._label.render()
        return float(across), float(up)

    def longest_word(self, *, is_name: bool = False) -> float:
        """How wide its widest word is at the size measured last: more than a line, and it is broken."""
        return longest(self.text, self._across, is_name=is_name)

    def _across(self, text: str) -> float:
        return float(self._label.get_extents(text)[0])


# The label


Fitted = tuple[float, bool, Sequence[float | None], str]
"""How large a text is in its room, whether it is cut all the same, how wide its lines are, what is shown."""
OPEN = {theme.TEXT_FONT: 1.3, theme.MONEY: 1.13}
"""How much higher than its room one line may be, as letters don't fill it; digits fill more of it."""
OPEN_FALLBACK = 1.8
"""How much higher than its room a line in another font may be: such fonts keep room for marks."""
MOST_FITTED = 2000
_fitted: dict[tuple[Any, ...], Fitted] = {}
"""What was found out once: the longest texts are laid out at ten sizes for it."""


class Style(NamedTuple):
    """The length it takes from the theme, its font and weight."""

    length: str
    font: str = theme.TEXT_FONT
    bold: bool = False


STYLES = {
    "title": Style("title", bold=True),
    "question": Style("question", bold=True),
    "body": Style("body"),
    "quiet": Style("smallest"),
    "note": Style("note"),
    "key": Style("key", bold=True),
    "seal": Style("key", theme.MONEY, bold=True),
    "kana": Style("kana"),
    "digit": Style("digit", theme.MONEY, bold=True),
    "bid": Style("bid", theme.MONEY, bold=True),
    "amount": Style("amount", theme.MONEY, bold=True),
    "number": Style("number", theme.MONEY, bold=True),
    "grand": Style("grand", theme.MONEY, bold=True),
}


def load_fonts() -> None:
    """Makes our fonts known to Kivy; text outside of `Writing` uses the theme's own font, too."""
    for name, (regular, bold) in theme.FONT_FILES.items():
        LabelBase.register(name, str(regular), fn_bold=str(bold))
    regular, bold = theme.FONT_FILES[theme.TEXT_FONT]
    LabelBase.register(DEFAULT_FONT, str(regular), fn_bold=str(bold))


class Writing(Label):
    """A text in one of `STYLES`; `lines` is how many it may take before it gets smaller.

    With `abbreviates`, as for names, which may be long, a text that has no room at its smallest is its
    beginning and "…". `shown` is what can be read.
    """

    style = OptionProperty("body", options=list(STYLES))
    felt = BooleanProperty(defaultvalue=False)
    lines = NumericProperty(1)
    abbreviates = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("halign", "left")
        kwargs.setdefault("valign", "middle")
        kwargs.setdefault("line_height", 1.12)
        self._fit_soon = Clock.create_trigger(self._fit, -1)
        self._drawn: tuple[Any, ...] = ()
        self._fitted_text = ""
        self.shown = ""
        super().__init__(**kwargs)
        for name in ("text", "size", "style", "lines", "padding", "abbreviates"):
            self.fbind(name, self._fit_soon)
        for name in ("style", "felt", "disabled"):
            self.fbind(name, self._dress)
        self._dress()
        self._fit_soon()

    def on_touch_down(self, _touch: Any) -> bool:
        """Is never touched: Kivy lets what is disabled swallow touches, even where nothing is drawn."""
        return False

    def _create_label(self) -> None:
        options = {name: getattr(self, name) for name in self._font_properties}
        self._label = FallbackLabel(**options, usersize=self.text_size)

    def _dress(self, *_: object) -> None:
        quiet = self.style == "quiet"
        if self.felt:
            self.color = theme.QUIET if quiet else theme.PAPER
        else:
            self.color = theme.INK_QUIET if quiet else theme.INK
        self.disabled_color = theme.fade(self.color, 0.4)
        self.bold = STYLES[self.style].bold
        self.font_name = STYLES[self.style].font

    def _fit(self, _seconds: float) -> None:
        """The largest size, from the style's own down to the smallest, at which the text fits."""
        wanted = round(getattr(theme.length, STYLES[self.style].length))
        least = min(wanted, round(theme.length.smallest))
        room = *self.size, *self.padding, self.line_height, self.lines, self.abbreviates
        asked = self.text, self.style, wanted, least, room, self.halign, self.valign
        if asked not in _fitted:
            if len(_fitted) >= MOST_FITTED:
                _fitted.clear()
            _fitted[asked] = self._measured(wanted, least)
        self.font_size, self.shorten, self.text_size, self.shown = _fitted[asked]
        self._fitted_text = self.text
        self.texture_update()

    def _measured(self, wanted: int, least: int) -> Fitted:
        ruler, size = self._ruler(self.text), wanted
        fits = self._fits_at(ruler, wanted)
        if not fits:
            fitting = bisect_left(range(least, wanted), True, key=lambda size: not self._fits_at(ruler, size))
            size = max(least, least + fitting - 1)
            fits = self._fits_at(ruler, size)
        if not fits and self.abbreviates:
            ruler, fits = self._ruler(self._beginning(size)), True
        # Given a height, Kivy puts what follows a newline into half of it and drops what is too much.
        height = None if self.valign == "middle" else self.height
        return size, self.lines == 1 and not fits, [self._balanced(ruler, size), height], ruler.text

    def _beginning(self, font_size: int) -> str:
        """As many of the text's letters as have room with "…" behind them, at least one."""
        letters = split_graphemes(self.text)

        def begun(count: int) -> str:
            return "".join(letters[:count]).rstrip() + REST

        def too_long(count: int) -> bool:
            return not self._fits_at(self._ruler(begun(count)), font_size)

        return begun(max(1, bisect_left(range(1, len(letters) + 1), True, key=too_long)))

    def _ruler(self, text: str) -> Ruler:
        return Ruler(
            text,
            self.font_name,
            self.padding,
            self.line_height,
            bold=self.bold,
            is_one_line=self.lines == 1,
        )

    def high_at(self, width: float) -> float:
        """How high the text is at its smallest, over as many lines as a column of that width asks for."""
        return self._ruler(self.text).room(round(theme.length.smallest), width)[1]

    def across_at_best(self) -> float:
        """How wide the text is in one line at its style's own size."""
        style = STYLES[self.style]
        return across(self.text, getattr(theme.length, style.length), style.font, bold=style.bold)

    def _balanced(self, ruler: Ruler, font_size: int) -> float:
        """The width at which centred lines are about equally long, so that none is a lone letter."""
        if self.halign != "center" or self.lines == 1:
            return float(self.width)
        height, width = ruler.room(font_size, self.width)[1], float(self.width)
        for share in (0.9, 0.8, 0.7, 0.6):
            narrower = ruler.room(font_size, self.width * share)[1]
            is_broken = ruler.longest_word(is_name=self.abbreviates) > self.width * share
            if narrower > height or height < 2 * font_size or is_broken:
                break
            width = self.width * share
        return width

    def _fits_at(self, ruler: Ruler, font_size: int) -> bool:
        _left, top, _right, bottom = self.padding
        across, up = ruler.room(font_size, None if self.lines == 1 else self.width)
        if self.lines == 1:
            share = OPEN[STYLES[self.style].font] if is_in_main_font(ruler.text) else OPEN_FALLBACK
            return bool(across <= self.width and up <= self.height * share)
        if ruler.longest_word(is_name=self.abbreviates) > self.width:
            return False
        return bool(up <= self.height and up - top - bottom <= self.lines * font_size * 1.6)

    def texture_update(self, *largs: Any) -> None:
        """Draws it with lines that end where Japanese allows it, unless it would be as it is."""
        if largs and self._fit_soon.is_triggered:
            return  # how large it is to be isn't known yet
        label = self._label
        label.resolve_font_name()
        label.text = self._with_ends()
        drawn = label.text, tuple(self.text_size), tuple(self.padding), {**label.options}
        if drawn != self._drawn:
            self._drawn = drawn
            # Always a new texture: to write into the one that is shown waits until all of it is drawn.
            label.texture = None
            super().texture_update(*largs)

    def _with_ends(self) -> str:
        """The text with its lines ended for its width; at its smallest a word may still be wider."""
        width = None if self.lines == 1 else self.text_size[0]
        shown = str(self.shown if self._fitted_text == self.text else self.text)
        if width is None:
            return shown
        left, _top, right, _bottom = self.padding
        text = broken(shown, width - left - right, self._across)
        if self.font_size > round(theme.length.smallest):
            return text
        return hyphened(text, width - left - right, self._across)

    def _across(self, text: str) -> float:
        return float(self._label.get_extents(text)[0])
