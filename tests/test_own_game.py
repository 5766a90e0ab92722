"""The page that teaches authors holds a game that works, and a test that passes."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import rulebook

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "your-own-game.md"
CALLS = re.compile(r"^\| `(\w+)\(([\w, ]+)\)` \|", re.MULTILINE)
"""A row of a table that says how something is called."""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The page's three files, as a reader would save them."""
    game, test, more = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "lanterns.py").write_text(game, encoding="utf-8")
    (tmp_path / "test_lanterns.py").write_text(test, encoding="utf-8")
    (tmp_path / "test_texts.py").write_text(more, encoding="utf-8")
    return tmp_path


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A tool run in that folder."""
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.unwatched
def test_the_pages_game_passes_its_own_test(written: Path) -> None:
    """Saved and run as the page says, all five tests pass."""
    ended = ran(written, "pytest", "-q", "-p", "no:cacheprovider")
    assert "5 passed" in ended.stdout, ended.stdout + ended.stderr


@pytest.mark.unwatched
def test_a_fault_in_the_pages_game_is_found(written: Path) -> None:
    """With another winner than the page's, its test fails."""
    game = (written / "lanterns.py").read_text(encoding="utf-8")
    assert "winner = ahead[0]" in game
    faulty = game.replace("winner = ahead[0]", "winner = min(bids, key=lambda seat: bids[seat])")
    (written / "lanterns.py").write_text(faulty, encoding="utf-8")
    assert "1 failed" in ran(written, "pytest", "-q", "-p", "no:cacheprovider").stdout


@pytest.mark.parametrize(("page", "rows"), [("your-own-game.md", 7), ("your-own-card-game.md", 10)])
def test_what_the_pages_call_is_called_so(page: str, rows: int) -> None:
    """Each row of their tables names something of `companion.rulebook`, and what it takes, in that order."""
    called = CALLS.findall((DOCS / page).read_text(encoding="utf-8"))
    assert len(called) == rows
    for name, takes in called:
        parameters = list(inspect.signature(getattr(rulebook, name)).parameters)
        assert takes.split(", ") == parameters[: len(takes.split(", "))], name
