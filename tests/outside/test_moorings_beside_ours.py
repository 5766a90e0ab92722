"""A sixth game, of another package, is as much at home as ours: listed, played, kept, taken away again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from companion import cli, installed_games
from companion.owner_decks import OwnerDeck
from companion.presets import with_own_presets
from companion.rules.game import COVER_SUFFIX, Game
from companion.session.session import Session
from companion.store import Store
from companion.texts import render
from tests.conformance import test_front_ends as front_ends
from tests.conformance import test_typed
from tests.conformance.registry import GameConfig
from tests.outside.shelf import HOME, put_on_the_shelf

pytestmark = pytest.mark.without_coverage  # whole matches are played

ROOT = Path(__file__).parents[2]
NAMES = ["Aki", "Ben", "Chie"]


@pytest.fixture
def moorings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """It is installed."""
    put_on_the_shelf(tmp_path / "site", monkeypatch)
    return installed_games.playable_game("moorings")


def test_it_brings_all_that_ours_have(moorings: Game, tmp_path: Path) -> None:
    """A title in both languages, a cover, and two decks whose values are complete."""
    assert [render(moorings.title, lang) for lang in ("en", "ja")] == ["Moorings", "係留所"]
    assert moorings.find_file(COVER_SUFFIX) == HOME / "moorings/moorings.png"
    copies = {name: OwnerDeck(moorings, name, tmp_path) for name in moorings.decks}
    assert [len(copy.load_own_or_shipped_deck().cards) for copy in copies.values()] == [30, 30]
    assert installed_games.owner_decks_by_name(tmp_path).keys() >= copies.keys()
    assert with_own_presets(moorings, tmp_path) == moorings


def test_whole_games_through_json_lines(moorings: Game) -> None:
    """As every registered game."""
    front_ends.test_random_games_through_json_lines(GameConfig("moorings", moorings))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_whole_game_at_the_terminal(moorings: Game, count: int) -> None:
    """With each number of players, typed line by line."""
    front_ends.test_a_random_game_at_the_terminal(GameConfig("moorings", moorings), count)


def test_a_card_that_is_typed_as_it_is_shown_can_come(moorings: Game) -> None:
    """The example is none of the ships that all have seen by now."""
    test_typed.test_the_example_names_a_card_that_can_come(GameConfig("moorings", moorings))


def test_when_it_is_taken_away_its_games_are_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They can't be opened, and say why; once it is back they go on."""
    state, metadata = tmp_path / "state", put_on_the_shelf(tmp_path / "site", monkeypatch)
    store = Store.open(state, for_writing=True)
    session = Session.begin(installed_games.playable_game("moorings"), NAMES, {}, store.new_game_log())
    session.answer(session.question_number, "2")
    store.close()
    shutil.move(metadata, tmp_path / "away.dist-info")
    installed_games._entry_points.cache_clear()  # the program starts again
    assert cli.main(["games", "--state", str(state)]) == 0
    assert "  1  moorings: Aki, Ben, Chie (open; its game is not installed)\n" in capsys.readouterr().out
    assert cli.main(["play", "moorings", "--resume", "--json", "--state", str(state)]) == 2
    assert capsys.readouterr().err.startswith("There is no game called moorings. Installed games: ")
    assert cli.main(["history", "show", "1", "--state", str(state)]) == 0
    assert "There is no game called moorings" in capsys.readouterr().out
    shutil.move(tmp_path / "away.dist-info", metadata)
    installed_games._entry_points.cache_clear()
    store = Store.open(state, for_writing=True)
    log = store.open_game_log(1)
    assert Session(installed_games.playable_game("moorings"), log.events(), log).question_number == 2
    store.close()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new virtual environment with both wheels; what they need is that of this one. Nothing is fetched."""
    made = tmp_path_factory.mktemp("fresh")
    caches = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for room in ("companion", "hardware", "ui"):
        shutil.copytree(ROOT / room, made / "ours" / room, ignore=caches)
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, made / "ours")
    shutil.copytree(HOME, made / "theirs", ignore=caches)
    for source in ("ours", "theirs"):
        pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(made / source))
    venv.create(made / "venv")
    (site,) = (made / "venv/lib").glob("python3*/site-packages")
    (site / "needs.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n", encoding="utf-8")
    pip("install", "--no-deps", "--target", str(site), *map(str, made.glob("*.whl")))
    code = "import sys\nfrom companion.cli import main\nsys.exit(main(sys.argv[1:]))\n"
    (made / "companion").write_text(code, encoding="utf-8")
    return made


def pip(*words: str) -> None:
    """Pip, without any index."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    env |= {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "pip", *words], env=env, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def runs(fresh: Path, *words: str, said: str = "") -> str:
    """What Python of that environment prints."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(fresh), "COMPANION_STATE": str(fresh / "state")}
    line = [str(fresh / "venv/bin/python"), *words]
    ended = subprocess.run(line, cwd=fresh, env=env, input=said, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.without_coverage
def test_it_installs_beside_the_built_wheel(fresh: Path) -> None:
    """In a fresh virtual environment it is on the shelf, plays in both forms, and keeps every promise."""
    code = "import companion, moorings; print(companion.__file__, moorings.__file__)"
    where = runs(fresh, "-c", code).split()
    assert all(Path(path).is_relative_to(fresh / "venv") for path in where)
    assert "moorings  Moorings, 3 to 5 players\n" in runs(fresh, "companion", "games")
    assert "moorings_freights  Moorings: 30 cards, complete" in runs(fresh, "companion", "cards", "list")
    begin = ("companion", "play", "moorings", "--seats", ",".join(NAMES))
    lines = '{"n": 1, "answer": "2"}\n{"n": 2, "answer": true}\n{"n": 3, "answer": [{"card": "7"}]}\n'
    told = runs(fresh, *begin, "--json", said=lines).splitlines()
    assert '"error"' not in "".join(told)
    assert '"Auction 1: turn up ship 2"' in told[-1]
    typed = runs(fresh, *begin, "--lang", "ja", said="2\n\n7\n")
    assert "競り1：2枚目の船をめくってください。" in typed
    promise = "from companion.testing import check_game; from moorings.rulebook import GAME; "
    runs(fresh, "-c", f"{promise}check_game(GAME, games=3)")


@pytest.mark.without_coverage
def test_the_wheel_has_all_that_our_games_bring(fresh: Path) -> None:
    """Decks, covers, recorded matches and texts, and the picture of the demo table."""
    (site,) = (fresh / "venv/lib").glob("python3*/site-packages")
    ending = {".toml", ".png", ".log", ".po"}
    for room in ("companion", "ui"):
        ours = {path.relative_to(ROOT) for path in (ROOT / room).rglob("*") if path.suffix in ending}
        assert {path for path in ours if not (site / path).is_file()} == set()


@pytest.mark.without_coverage
def test_it_is_written_as_we_write() -> None:
    """Its author's type checker finds nothing."""
    env = {**os.environ, "MYPYPATH": str(ROOT)}
    line = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "moorings", "tests"]
    ended = subprocess.run(line, cwd=HOME, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
