"""Checks that texts on the screen are displayed completely."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from ui.widgets.drawing.line_breaking import NOT_AT_LINE_START

UNBREAKABLE_WORDS = (
    "掘削技術",
    "事業計画",
    "協力入札",
    "秘密入札",
    "得点表",
    "持ち時間",
    "制限時間",
    "いくつ",
    "ずつ",
    "どおり",
)
"""Words of the games and the screen that must not be broken at the end of a line."""
PARTICLE = re.compile(
    r"(?:は|が|を|に|へ|と|で|も|の|や|か|から|まで|より|だけ|しか|ずつ|ほど|など)(?![ぁ-ん])"
)
"""A Japanese particle, which belongs to the word before it; with more kana behind it, it is another word."""

MIN_LETTERS_OF_NAME = 2
"""Letters of a name that are displayed at least; with fewer, people don't recognize it."""

_ink_box_by_texture: WeakKeyDictionary[Any, tuple[int, int, int, int]] = WeakKeyDictionary()


def check_text_is_whole(label: Any) -> None:
    """Checks that every letter of a label is drawn, and that its ink is inside its box.

    The ink may stand out by a rim's width, as the space between lines is below the letters of the last line.
    """
    from ui import theme

    if not label.text:
        return
    assert not label.shorten, label.text
    drawn_text = "".join(word.text for line in label._label._cached_lines for word in line.words)
    assert "".join(drawn_text.split()) == "".join(displayed_text(label).split())
    left, low, right, high = ink_box_in_window(label)
    assert label.x - theme.length.rim <= left, label.text
    assert right <= label.right + theme.length.rim, label.text
    details = label.text, label.size, label.font_size
    assert label.y - theme.length.rim <= low, details
    assert high <= label.top + theme.length.rim, details


def displayed_text(label: Any) -> str:
    """Returns what is displayed of a text: its shorter text, or the beginning of a name that doesn't fit.

    At least `MIN_LETTERS_OF_NAME` letters are displayed, "…" not counted.
    """
    if label.shorter_text and label.shown_text == label.shorter_text:
        return str(label.shorter_text)
    text: str = label.shown_text if label.abbreviates else label.text
    beginning = text.removesuffix("…")
    is_readable = label.text.startswith(beginning) and len(beginning) >= MIN_LETTERS_OF_NAME
    assert text == label.text or is_readable, (text, label.text)
    return text


def is_bad_line_break(before: str, after: str, text: str) -> bool:
    """Whether a line of Japanese ends inside a word, or before a particle or sign that belongs to it."""
    if not before or not after or f"{before}{after}" not in text:
        return False  # there is a space or a new line between the two
    return bool(
        PARTICLE.match(after)
        or after[0] in NOT_AT_LINE_START
        or any(
            before.endswith(word[:index]) and after[0] == word[index]
            for word in UNBREAKABLE_WORDS
            for index in range(1, len(word))
        )
    )


def check_all_texts_are_whole(widgets: Iterable[Any]) -> None:
    """Checks that no visible text among the widgets is cut."""
    from ui.widgets.drawing.text import FittedLabel

    for widget in widgets:
        if isinstance(widget, FittedLabel) and widget.opacity:
            check_text_is_whole(widget)


def check_texts_do_not_touch(label: Any, other_label: Any) -> None:
    """Checks that the letters of two labels don't touch."""
    left, low, right, high = ink_box_in_window(label)
    left_too, low_too, right_too, high_too = ink_box_in_window(other_label)
    is_beside = right <= left_too or right_too <= left
    assert is_beside or high <= low_too or high_too <= low, (label.text, other_label.text)


def ink_box_in_window(label: Any) -> tuple[float, float, float, float]:
    """Returns left, bottom, right and top of a label's ink in the window."""
    x, y = label.center_x - label.texture_size[0] / 2, label.center_y - label.texture_size[1] / 2
    left, low, right, high = ink_box(label.texture)
    return x + left, y + low, x + right, y + high


def ink_box(texture: Any) -> tuple[int, int, int, int]:
    """Returns left, bottom, right and top of the pixels that aren't transparent; rows start at the top.

    A texture is read once, which takes longer than most checks: a changed text gets a new texture.
    """
    if texture not in _ink_box_by_texture:
        _ink_box_by_texture[texture] = _read_ink_box(texture)
    return _ink_box_by_texture[texture]


def _read_ink_box(texture: Any) -> tuple[int, int, int, int]:
    width, height = texture.size
    alpha = texture.pixels[3::4]
    if not (end := len(alpha.rstrip(b"\0"))):
        return 0, 0, 0, 0
    first_row, last_row = (len(alpha) - len(alpha.lstrip(b"\0"))) // width, (end - 1) // width
    left = next(column for column in range(width) if any(alpha[column::width]))
    last_column = next(column for column in reversed(range(width)) if any(alpha[column::width]))
    return left, height - 1 - last_row, last_column + 1, height - first_row
