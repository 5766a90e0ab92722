"""The pages that teach authors: every file on them is complete, and their tests pass."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import rulebook
from companion.cards import parse_deck_file

DOCS = Path(__file__).parents[2] / "docs"
PAGE, CARD_PAGE = DOCS / "your-own-game.md", DOCS / "your-own-card-game.md"
CALLS = re.compile(r"^\| `(\w+)\(([\w, ]+)\)` \|", re.MULTILINE)
"""A row of a table that says how something is called."""
FILE = re.compile(r"`([\w.]+)`:\n\n```(?:python|toml)\n(.*?)```", re.DOTALL)
"""A file on a page: its name at the end of a paragraph, then what is in it."""


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The files of both pages, as a reader would save them."""
    for page in (PAGE, CARD_PAGE):
        for name, text in FILE.findall(page.read_text(encoding="utf-8")):
            (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A tool run in that folder."""
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("page", [PAGE, CARD_PAGE], ids=lambda page: page.stem)
def test_every_example_is_a_whole_file(page: Path) -> None:
    """Each piece of Python on the page has a file name before it, so the test below runs it."""
    text = page.read_text(encoding="utf-8")
    files = [name for name, _ in FILE.findall(text)]
    assert sum(name.endswith(".py") for name in files) == text.count("```python\n") > 0
    assert len(set(files)) == len(files)


@pytest.mark.without_coverage
def test_the_pages_games_pass_their_own_tests(written: Path) -> None:
    """Saved and run as the pages say, all twelve tests of Lanterns, Rafts and Harbour pass."""
    assert sorted(file.stem for file in written.glob("*.py")) == [
        "harbour",
        "lanterns",
        "rafts",
        *("test_harbour", "test_lanterns", "test_rafts", "test_texts"),
    ]
    ended = ran(written, "pytest", "-q", "-p", "no:cacheprovider")
    assert "12 passed" in ended.stdout, ended.stdout + ended.stderr


@pytest.mark.without_coverage
@pytest.mark.parametrize(
    ("game", "right", "wrong"),
    [
        ("lanterns", "winner = ahead[0]", "winner = min(bids, key=lambda seat: bids[seat])"),
        ("rafts", "table.seats.starting_with(starter)", "table.seats"),
        ("rafts", "HOLE * leaks", "leaks"),
        ("harbour", "faces.move_faces(back, UNSEEN_PLACE,", "faces.move_faces([], UNSEEN_PLACE,"),
    ],
)
def test_a_fault_in_a_pages_game_is_found(written: Path, game: str, right: str, wrong: str) -> None:
    """Another winner, another order, no negative points, a reshuffle that forgets the faces: a test fails."""
    file = written / f"{game}.py"
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), encoding="utf-8")
    test = f"test_{game}.py"
    assert " failed" in ran(written, "pytest", "-q", "-p", "no:cacheprovider", test).stdout


@pytest.mark.without_coverage
def test_the_pages_package_is_found(written: Path, tmp_path: Path) -> None:
    """Installed as the page says, the game is on the shelf."""
    there = tmp_path / "installed"
    offline = ("--no-index", "--no-build-isolation", "--no-deps", "--target", str(there))
    installed = ran(written, "pip", "install", "--quiet", *offline, str(written))
    assert installed.returncode == 0, installed.stderr
    run = "import sys; from companion.cli import main; sys.exit(main(['games', '--state', 'state']))"
    listed = subprocess.run(
        [sys.executable, "-c", run],
        cwd=there,
        env={**os.environ, "PYTHONPATH": str(there)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "lanterns  Lanterns, 2 to 5 players\n" in listed.stdout


def test_every_deck_on_the_card_page_is_one() -> None:
    """The deck of the game, and one that uses most of what a deck's file can say."""
    text = CARD_PAGE.read_text(encoding="utf-8")
    first, second = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(parse_deck_file("harbour", first, "harbour.toml").deck.cards) == 9
    assert parse_deck_file("ships", second, "ships.toml").deck.cards.keys() == {"1", "2.1", "2.2", "2.3"}


@pytest.mark.parametrize(("page", "rows"), [("your-own-game.md", 7), ("your-own-card-game.md", 12)])
def test_what_the_pages_call_is_called_so(page: str, rows: int) -> None:
    """Each row of their tables names something of `companion.rulebook`, and what it takes, in that order."""
    called = CALLS.findall((DOCS / page).read_text(encoding="utf-8"))
    assert len(called) == rows
    for name, takes in called:
        parameters = list(inspect.signature(getattr(rulebook, name)).parameters)
        assert takes.split(", ") == parameters[: len(takes.split(", "))], name
