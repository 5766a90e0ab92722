"""Kana for the keyboard: voicing marks and small forms change the last letter typed."""

from __future__ import annotations

from unicodedata import normalize

HIRAGANA_COLUMNS = (
    "あいうえお",
    "かきくけこ",
    "さしすせそ",
    "たちつてと",
    "なにぬねの",
    "はひふへほ",
    "まみむめも",
    "や゛ゆ゜よ",
    "らりるれろ",
    "わをんー小",
)
"""The ten hiragana columns of the keyboard, top to bottom; marks fill the gaps."""

VOICING_MARKS = {"゛": "\u3099", "゜": "\u309a"}
SMALL_KANA_KEY = "小"
_BIG_FORMS = "あいうえおつやゆよわ"
_SMALL_FORMS = "ぁぃぅぇぉっゃゅょゎ"
_TO_KATAKANA = {code: code + 0x60 for code in range(ord("ぁ"), ord("ゖ") + 1)}
_TO_HIRAGANA = {katakana: hiragana for hiragana, katakana in _TO_KATAKANA.items()}
_TOGGLED_SIZE = str.maketrans(_BIG_FORMS + _SMALL_FORMS, _SMALL_FORMS + _BIG_FORMS)


def hiragana_to_katakana(text: str) -> str:
    """Converts hiragana to katakana; other characters stay."""
    return text.translate(_TO_KATAKANA)


def katakana_to_hiragana(text: str) -> str:
    """Converts katakana to hiragana; other characters stay."""
    return text.translate(_TO_HIRAGANA)


def toggle_voicing_mark(text: str, mark: str) -> str:
    """Adds ゛ or ゜ to the last letter, exchanges them, or removes the mark.

    A letter that can't carry the mark stays as it is.
    """
    if not text:
        return text
    decomposed = normalize("NFD", text[-1])
    base, present_mark = decomposed[0], decomposed[1:]
    if present_mark == VOICING_MARKS[mark]:
        return text[:-1] + base
    marked_letter = normalize("NFC", base + VOICING_MARKS[mark])
    return text[:-1] + marked_letter if len(marked_letter) == 1 else text


def toggle_small_kana(text: str) -> str:
    """Makes the last letter small, or large again, if it has both forms."""
    if not text:
        return text
    last = text[-1]
    hiragana = katakana_to_hiragana(last)
    toggled = hiragana.translate(_TOGGLED_SIZE)
    return text[:-1] + (toggled if last == hiragana else hiragana_to_katakana(toggled))
