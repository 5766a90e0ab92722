"""The words of the screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.words import ScreenTexts

UI = Path(__file__).parents[2] / "ui"


def test_every_text_is_where_it_is_found() -> None:
    """`tr` begins with it, `said` with the language; elsewhere it would be shown, and stay English."""
    sources = [*UI.rglob("*.py"), *UI.rglob("*.kv")]
    wrong = [
        f"{source.relative_to(UI)}: {call}"
        for source in sources
        for call in re.findall(
            r"""\btrn?\((?!self, )\s*[^"'\s)].*|\.said(?:_n)?\(\s*["'].*""", source.read_text("utf-8")
        )
    ]
    assert not [call for call in wrong if "`" not in call]


@pytest.mark.parametrize(
    ("name", "shown"), [("アキ", "アキさん、画面をどうぞ"), ("プレイヤー1", "プレイヤー1、画面をどうぞ")]
)
def test_no_honorific_follows_a_name_that_ends_with_a_digit(name: str, shown: str) -> None:
    """Texts of the screen leave さん out as texts of the games do."""
    assert ScreenTexts().translate_text("ja", "{name}, take the screen", name=name) == shown
