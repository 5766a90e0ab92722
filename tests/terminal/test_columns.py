"""Lines on a terminal: as long as it is wide, broken between words, whatever the script and the colours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.monospace_text import ANSI_ESCAPE_PATTERN, display_width, wrap_line

WORDS = st.sampled_from(
    ["a", "bid", "Ben", "seventeen", "·", "千恵", "ゲームを片付けました。", "x" * 30, "\x1b[1mbold\x1b[0m"]
)
LINES = st.builds(
    lambda indent, words, gap: " " * indent + gap.join(words),
    st.integers(0, 12),
    st.lists(WORDS, max_size=12),
    st.sampled_from([" ", "  ", "   "]),
)


@given(LINES, st.integers(2, 80))
def test_no_line_is_wider_than_the_terminal(line: str, columns: int) -> None:
    """And nothing is lost but space where a line ends."""
    wrapped = wrap_line(line, columns)
    assert [each for each in wrapped if display_width(each.rstrip()) > columns] == []
    assert re.sub(r"\s", "", "".join(wrapped)) == re.sub(r"\s", "", line)


@given(LINES, st.integers(31, 80))
def test_a_word_that_has_room_is_never_broken(line: str, columns: int) -> None:
    """Each word of the line stands whole on one of the lines; of Japanese each phrase."""
    words = {word for word in ANSI_ESCAPE_PATTERN.sub("", line).split() if word.isascii()}
    shown = {word for each in wrap_line(line, columns) for word in ANSI_ESCAPE_PATTERN.sub("", each).split()}
    assert words <= shown


@pytest.mark.parametrize(
    ("line", "columns", "lines"),
    [
        ("short", 60, ["short"]),
        ("one two three", 7, ["one two", "three"]),
        ("  1  sell the whole lot", 14, ["  1  sell the", "     whole lot"]),
        ("  amend N   changes it again", 20, ["  amend N   changes", "it again"]),
        ("  amend N   changes it again", 24, ["  amend N   changes it", "            again"]),
        ("/a/long/path", 5, ["/a/lo", "ng/pa", "th"]),
        ("ゲームを片付けました。", 14, ["ゲームを", "片付けました。"]),
        ("go on? ", 60, ["go on? "]),
    ],
)
def test_what_follows_stands_below_the_text(line: str, columns: int, lines: list[str]) -> None:
    """Under the second column where that leaves room; a prompt keeps the space at its end."""
    assert wrap_line(line, columns) == lines
