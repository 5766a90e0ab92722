"""Marks and sizes on the last kana typed."""

from __future__ import annotations

import pytest

from ui.widgets.keys import kana


@pytest.mark.parametrize(
    ("before", "mark", "after"),
    [
        ("か", "゛", "が"),
        ("が", "゛", "か"),
        ("は", "゜", "ぱ"),
        ("ば", "゜", "ぱ"),
        ("ハ", "゛", "バ"),
        ("う", "゛", "ゔ"),
        ("あ", "゛", "あ"),
        ("か", "゜", "か"),
        ("A", "゛", "A"),
        ("", "゛", ""),
        ("きか", "゛", "きが"),
    ],
)
def test_a_mark_goes_on_changes_or_comes_off(before: str, mark: str, after: str) -> None:
    """A letter that can't carry a mark stays as it is."""
    assert after == kana.toggle_voicing_mark(before, mark)


@pytest.mark.parametrize(
    ("before", "after"), [("や", "ゃ"), ("ゃ", "や"), ("ツ", "ッ"), ("ッ", "ツ"), ("か", "か"), ("", "")]
)
def test_a_letter_becomes_small_and_big_again(before: str, after: str) -> None:
    """Only letters with both forms change."""
    assert after == kana.toggle_small_kana(before)


def test_the_board_holds_every_basic_kana_once() -> None:
    """Fifty places: forty-six sounds, two marks, the long vowel and the small form."""
    board = "".join(kana.HIRAGANA_COLUMNS)
    assert 50 == len(board) == len(set(board))
    assert sum("ぁ" <= letter <= "ん" for letter in board) == 46


def test_hiragana_and_katakana_turn_into_each_other() -> None:
    """Marks and small forms included; the long vowel stays."""
    assert kana.hiragana_to_katakana("ちゃーが") == "チャーガ"
    assert kana.katakana_to_hiragana("チャーガ") == "ちゃーが"
