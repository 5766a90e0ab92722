"""The one import of an author: all that our own games use, and nothing that draws or stores."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from companion import rulebook

ROOT = Path(__file__).parents[2]
RULEBOOKS = sorted((ROOT / "companion/games").rglob("*.py"))
HEAVY = ("asyncio", "kivy", "sqlite3", "serial", "gpiozero", "companion.session", "companion.store")
"""What a rulebook never waits for."""


def test_the_docstring_tells_of_every_name() -> None:
    """An author finds each name that can be imported in the text at its head."""
    text = str(rulebook.__doc__)
    assert [name for name in rulebook.__all__ if f"`{name}`" not in text] == []


@pytest.mark.parametrize("file", RULEBOOKS, ids=[file.stem for file in RULEBOOKS])
def test_our_own_games_need_nothing_else(file: Path) -> None:
    """What a game of ours takes from Companion is in that import, but for its own files."""
    found = [
        node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    ours = {str(node.module) for node in found if str(node.module).startswith("companion")}
    assert [
        name for name in ours if name != "companion.rulebook" and not name.startswith("companion.games.")
    ] == []


def test_it_loads_nothing_that_draws_or_stores() -> None:
    """Whoever imports it has neither screen, metal nor disk in memory."""
    code = (  # what measures tests has them loaded already
        "import sys; before = set(sys.modules); import companion.rulebook; "
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
