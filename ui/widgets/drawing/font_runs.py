"""Text in several scripts: a Kivy text label that draws each word in a font that has its letters.

Kivy's SDL provider draws a label in one font, from left to right. `FallbackLabel` splits each line into
runs of one font and one direction, in their order on the screen, and draws them beside each other on one
baseline. HarfBuzz, inside SDL_ttf, joins and orders the letters within a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from kivy.core.text import Label
from kivy.core.text._text_sdl2 import _SurfaceContainer

from companion.screen_characters import characters_in_font, screen_font_names
from ui import theme

SCRIPT_CODE_BY_FONT = {"Noto Sans Hebrew": "Hebr", "Noto Sans Arabic": "Arab", "Noto Sans Thai": "Thai"}
"""Script code (ISO 15924) that each font is shaped for; other fonts are shaped as Latin."""
RIGHT_TO_LEFT_FONTS = {"Noto Sans Hebrew", "Noto Sans Arabic"}

SIZE_FACTOR_BY_FONT = {"Noto Sans Arabic": 0.8, "Noto Sans Thai": 0.9}
"""Size of a font relative to others.

Fonts with high marks are smaller, so that names are equally high.
"""
ASCENT_EM_OVERRIDE_BY_FONT: Mapping[str | None, float] = {"Noto Sans Arabic": 1.05}
"""Height of letters above the baseline, in font sizes, where the font's own figure is too large."""
DESCENT_EM_OVERRIDE_BY_FONT: Mapping[str | None, float] = {"Noto Sans Arabic": 0.5}
"""Depth of letters below the baseline, in font sizes, where the font's own figure is too large.

The font's own figures for height and depth (1.37, 0.74) include ornaments.
"""
SECOND_ACCENT_HEIGHT_EM = 0.25
"""Height of a second accent above a letter, in font sizes.

Fonts have room for only one accent.
"""

UNDERSCORE_FONT, UNDERSCORE_SIZE_FACTOR, UNDERSCORE_LIFT_PX = "Noto Sans", 0.72, 1
"""The font of underscores, its size at which they are as wide as those of the text font, and their lift.

The text font has them at its lowest edge, one pixel thin: in half of all sizes they are cut off.
"""

MAX_CACHED_EXTENTS = 8000
_extents_cache: dict[tuple[str, str, float, bool], tuple[int, int]] = {}
"""Extents of measured lines: most words are measured again, on the same screen and on the next."""


class FontRun(NamedTuple):
    """A piece of a line in one font; None is the label's own font."""

    text: str
    font: str | None


class _Piece(NamedTuple):
    """A part of a run, in logical order; an odd `level` means that it is read from right to left (UAX #9)."""

    text: str
    font: str | None
    level: int


def is_in_main_font(text: str) -> bool:
    """Returns whether the theme's text font has every character of the text."""
    return text.isascii() or characters_in_font(theme.TEXT_FONT).issuperset(text)


@lru_cache(maxsize=1024)
def split_into_font_runs(line: str) -> tuple[FontRun, ...]:
    """Splits a line into pieces of one font each, from left to right on the screen."""
    levels = _embedding_levels(line)
    pieces = [
        piece for word in re.finditer(r"\s+|\S+", line) for piece in _split_word_into_pieces(word, levels)
    ]
    return tuple(_merge_pieces(_put_in_visual_order(pieces)))


class FallbackLabel(Label):
    """Kivy's text label, which takes characters that its font lacks from other fonts."""

    options: dict[str, Any]

    def get_extents(self, text: str) -> tuple[int, int]:
        """Returns width and height of one line, in pixels; a line that was measured before is remembered."""
        options = self.options
        key = text, options["font_name_r"], options["font_size"], options["bold"]
        if (extents := _extents_cache.get(key)) is None:
            if len(_extents_cache) >= MAX_CACHED_EXTENTS:
                _extents_cache.clear()
            extents = _extents_cache[key] = self._measure_extents(text)
        return extents

    def _measure_extents(self, text: str) -> tuple[int, int]:
        if is_in_main_font(text):
            return super().get_extents(text)  # type: ignore[no-any-return] # Kivy has no types
        width = depth = 0
        for run in split_into_font_runs(text):
            with self._use_font(run.font):
                width += self._run_width(run)
                depth = max(
                    depth, self._letter_extent(DESCENT_EM_OVERRIDE_BY_FONT, run.font, -self.get_descent())
                )
        return width, self._ascent(text) + depth

    def _render_text(self, text: str, x: float, y: float) -> None:
        if is_in_main_font(text):
            self._render_run(text, x, y)
            return
        baseline = y + self._ascent(text)
        for run in split_into_font_runs(text):
            with self._use_font(run.font):
                self._render_run(run.text, x, baseline - self.get_ascent())
                x += self._run_width(run)

    def _render_run(self, text: str, x: float, y: float) -> None:
        """Draws a text in one font, with the underscores of another one."""
        if "_" not in text:
            super()._render_text(text, x, y)
            return
        baseline = y + self.get_ascent()
        for part in filter(None, re.split("(_+)", text)):
            if part.startswith("_"):
                with self._use_font(UNDERSCORE_FONT, UNDERSCORE_SIZE_FACTOR):
                    super()._render_text(part, x, baseline - self.get_ascent() - UNDERSCORE_LIFT_PX)
            else:
                super()._render_text(part, x, y)
            x += super().get_extents(part)[0]

    def _run_width(self, run: FontRun) -> int:
        if run.font in SCRIPT_CODE_BY_FONT:
            # Kivy tells SDL_ttf script and direction when it draws, not when it measures.
            _SurfaceContainer(1, 1).render(self, run.text[0], 0, 0)
        return super().get_extents(run.text)[0]  # type: ignore[no-any-return] # Kivy has no types

    def _ascent(self, line: str) -> int:
        ascent = 0
        for run in split_into_font_runs(line):
            with self._use_font(run.font):
                ascent = max(
                    ascent, self._letter_extent(ASCENT_EM_OVERRIDE_BY_FONT, run.font, self.get_ascent())
                )
        return ascent + (
            round(SECOND_ACCENT_HEIGHT_EM * self.options["font_size"])
            if _stacked_marks_pattern().search(line)
            else 0
        )

    def _letter_extent(
        self, extent_em_by_font: Mapping[str | None, float], font: str | None, default: int
    ) -> int:
        return (
            default
            if font not in extent_em_by_font
            else round(extent_em_by_font[font] * self.options["font_size"])
        )

    @contextmanager
    def _use_font(self, font: str | None, size_factor: float | None = None) -> Iterator[None]:
        if font is None:
            yield
            return
        own_options = self.options
        regular, bold = theme.FILES_BY_FONT[font]
        self.options = {
            **own_options,
            "font_size": own_options["font_size"] * (size_factor or SIZE_FACTOR_BY_FONT.get(font, 1)),
            "font_name_r": str(bold if own_options["bold"] else regular),
            "font_direction": "rtl" if font in RIGHT_TO_LEFT_FONTS else "ltr",
            "font_script_name": SCRIPT_CODE_BY_FONT.get(font, "Latn"),
        }
        try:
            yield
        finally:
            self.options = own_options


def _embedding_levels(line: str) -> Sequence[int]:
    """Returns the embedding level of each character: all 0 in a line without right-to-left letters."""
    if not _right_to_left_pattern().search(line):
        return [0] * len(line)
    from bidi import algorithm

    storage = algorithm.get_empty_storage()
    storage["base_level"], storage["base_dir"] = 0, "L"
    algorithm.get_embedding_levels(line, storage)
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    return [character["level"] for character in storage["chars"]]


@cache
def _right_to_left_pattern() -> re.Pattern[str]:
    return re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@cache
def _stacked_marks_pattern() -> re.Pattern[str]:
    return re.compile("[\u0300-\u036f\u064b-\u0655]{2}")


def _split_word_into_pieces(word: re.Match[str], levels: Sequence[int]) -> Iterator[_Piece]:
    """Splits a word or a space into as few pieces of one direction and one font as possible."""
    for level, group in groupby(range(*word.span()), key=lambda position: levels[position]):
        positions = list(group)
        text = word.string[positions[0] : positions[-1] + 1]
        font = _find_fallback_font(text, level)
        if font is not None or is_in_main_font(text):
            yield _Piece(text, font, level)
        else:
            for letter_font, letters in groupby(text, key=lambda letter: _find_fallback_font(letter, level)):
                yield _Piece("".join(letters), letter_font, level)


def _find_fallback_font(text: str, level: int) -> str | None:
    """Returns the first fallback font that has the whole text; None if none has, or if the own font has."""
    if is_in_main_font(text):
        return None
    right_to_left = bool(level % 2)
    return next(
        (
            font
            for font in screen_font_names()[1:]
            if (font in RIGHT_TO_LEFT_FONTS) == right_to_left and characters_in_font(font).issuperset(text)
        ),
        None,
    )


def _put_in_visual_order(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Returns the pieces in their order on the screen, right-to-left ones reversed (rule L2 of UAX #9)."""
    ordered = [
        _mirror(piece) if piece.level % 2 and piece.font not in RIGHT_TO_LEFT_FONTS else piece
        for piece in pieces
    ]
    for min_level in range(max((piece.level for piece in pieces), default=0), 0, -1):
        runs = [
            (is_deep, list(run))
            for is_deep, run in groupby(ordered, key=lambda piece: piece.level >= min_level)
        ]
        ordered = [piece for is_deep, run in runs for piece in (reversed(run) if is_deep else run)]
    return ordered


def _mirror(piece: _Piece) -> _Piece:
    """Returns a piece with its letters reversed and mirrored.

    Punctuation and spaces between right-to-left words need this, because their font isn't one that HarfBuzz
    reverses.
    """
    from bidi.mirror import MIRRORED

    return piece._replace(text="".join(MIRRORED.get(letter, letter) for letter in reversed(piece.text)))


def _merge_pieces(pieces: Sequence[_Piece]) -> Iterator[FontRun]:
    """Yields neighbours of one font and direction as one run, so that letters keep their distances."""
    for (font, _level), group in groupby(pieces, key=lambda piece: (piece.font, piece.level)):
        texts = [piece.text for piece in group]
        yield FontRun("".join(reversed(texts) if font in RIGHT_TO_LEFT_FONTS else texts), font)
