"""The words of the screen."""

from __future__ import annotations

import re
from pathlib import Path

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
