"""`companion new game NAME`: a package of one's own that is complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import cli
from tests.support import third_party_packages

ROOT = Path(__file__).parents[2]
POINTS = "[companion.games]\nbazaar = bazaar.rulebook:GAME\n"


@pytest.fixture
def bazaar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A new game, begun in an empty folder, and known to Python as if it were installed."""
    assert cli.main(["new", "game", "bazaar", "--in", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path}/bazaar/bazaar/rulebook.py\nTest it: ")
    home = tmp_path / "bazaar"
    described = home / "companion_bazaar-0.1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Name: companion-bazaar\nVersion: 0.1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    code = "import sys\n\nfrom companion.cli import main\n\nsys.exit(main(sys.argv[1:]))\n"
    (home / "run.py").write_text(code, encoding="utf-8")
    return home


def ran(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A tool run in the folder of the game, with the game on Python's path."""
    env = {**os.environ, "PYTHONPATH": f"{home}:{ROOT}", "COMPANION_STATE": str(home / "state")}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=home, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.without_coverage
def test_its_own_tests_pass_as_written(bazaar: Path) -> None:
    """Rules, promises and Japanese: all seven tests, also where a clone called companion is in the way."""
    ended = ran_beside_a_clone(bazaar, "pytest", "-q", "-p", "no:cacheprovider")
    assert "7 passed" in ended.stdout, ended.stdout + ended.stderr


@pytest.mark.without_coverage
def test_a_recorded_match_that_stops_early_is_not_shown(bazaar: Path) -> None:
    """A sentence says so before the window opens."""
    log = bazaar / "bazaar/bazaar.log"
    *lines, _last = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(lines), encoding="utf-8")
    shown = ran(bazaar, "run", "show", "bazaar", "--offscreen")
    assert shown.stderr == "The recorded match of bazaar stops before the game is over.\n"


@pytest.mark.without_coverage
def test_a_recorded_match_that_stops_early_is_caught(bazaar: Path) -> None:
    """What a game brings is among what `check_game` proves."""
    log = bazaar / "bazaar/bazaar.log"
    *lines, _last = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(lines), encoding="utf-8")
    ended = ran(bazaar, "pytest", "-q", "-p", "no:cacheprovider", "-k", "promise")
    assert "AssertionError: bazaar.log isn't over at its end" in ended.stdout


@pytest.mark.without_coverage
def test_it_is_written_as_we_write(bazaar: Path) -> None:
    """Neither linter nor type checker finds anything in it."""
    for command in (
        ("ruff", "check", "--config", str(ROOT / "pyproject.toml"), "--ignore", "D,INP", "bazaar"),
        ("ruff", "format", "--check", "--config", str(ROOT / "pyproject.toml"), "."),
        ("mypy", "--strict", "--config-file", os.devnull, "bazaar", "tests"),
    ):
        ended = ran(bazaar, *command)
        assert ended.returncode == 0, ended.stdout + ended.stderr


def test_it_is_on_the_shelf_with_all_it_brings(bazaar: Path) -> None:
    """Listed with its option; its deck is one that can be entered."""
    listed = ran(bazaar, "run", "games").stdout
    assert (
        "bazaar  Bazaar, 2 to 5 players\n    --option coins=10  Coins that each player starts with." in listed
    )
    assert "bazaar    Bazaar: 9 cards, complete" in ran(bazaar, "run", "cards", "list").stdout
    found = (
        "from companion.installed_games import playable_game\n"
        "print(playable_game('bazaar').title.in_language('ja'), end='')\n"
    )
    (bazaar / "title.py").write_text(found, encoding="utf-8")
    assert ran(bazaar, "title").stdout == "「Bazaar」"
    played = ran(bazaar, "run", "replay", "bazaar/bazaar.log").stdout
    assert "Chie buys it for 6 coins." in played
    assert (
        "There is no recorded match of claps. Recorded matches: bazaar,"
        in ran(bazaar, "run", "demo", "claps").stderr
    )


def test_the_key_of_an_installed_game_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where its module is called differently: there it would be the second of that key."""
    third_party_packages.install_games(tmp_path, {"claps": third_party_packages.game_module_text("claps")})
    monkeypatch.syspath_prepend(tmp_path)
    assert cli.main(["new", "game", "claps", "--in", str(tmp_path / "mine")]) == 2
    assert capsys.readouterr().err == "An installed game is already called claps. Choose another name.\n"
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "Bazaar",
            (
                "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; "
                "Bazaar isn't allowed."
            ),
        ),
        (
            "2bazaar",
            (
                "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; "
                "2bazaar isn't allowed."
            ),
        ),
        (
            "my-game",
            (
                "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; "
                "my-game isn't allowed."
            ),
        ),
        (
            "class",
            (
                "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; "
                "class isn't allowed."
            ),
        ),
        (
            "../x",
            (
                "A game's name must be 2 to 20 lowercase letters, digits or _, and begin with a letter; "
                "../x isn't allowed."
            ),
        ),
        ("json", "A Python module is already called json. Choose another name."),
        ("msgspec", "A Python module is already called msgspec. Choose another name."),
        ("egypt", "An installed game is already called egypt. Choose another name."),
    ],
)
def test_a_name_that_can_not_be_had_is_refused(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and nothing is written."""
    assert cli.main(["new", "game", name, "--in", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{why}\n"
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of that name is left alone, and a place that can't be written to is named."""
    (tmp_path / "bazaar").mkdir()
    (tmp_path / "file").touch()
    assert cli.main(["new", "game", "bazaar", "--in", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}/bazaar already exists.\n"
    assert cli.main(["new", "game", "bazaar", "--in", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path}/file/bazaar can't be written: NotADirectoryError")
    assert list((tmp_path / "bazaar").iterdir()) == []


def ran_beside_a_clone(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A tool of the installed program, run where folders are called as our packages; there is no display."""
    for house in ("companion", "hardware", "ui"):
        (home / house / house).mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "PYTHONPATH": str(home), "COMPANION_STATE": str(home / "state")}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=home,
        env={**env, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.without_coverage
def test_a_clone_called_companion_is_in_nobody_s_way(bazaar: Path) -> None:
    """Beside it `python -m` takes the clone for the package, and everything that comes along is found."""
    for command, words in (
        (("run", "--version"), "companion "),
        (("run", "--help"), "Begin a game of your own"),
        (("run", "new", "game", "fair", "--in", "others"), "others/fair/fair/rulebook.py"),
        (("run", "hardware", "init", "reader", "--file", "hardware.toml"), "hardware.toml"),
        (("run", "templates", "export", "poker", "-"), "small_blind = 1"),
        (("run", "replay", "bazaar/bazaar.log"), "Chie buys it for 6 coins."),
        (("run", "demo", "egypt"), "Aki"),
        (("run", "doctor"), "packages: tabletop-companion"),
    ):
        ended = ran_beside_a_clone(bazaar, *command)
        assert words in ended.stdout, (command, ended.stdout, ended.stderr)


@pytest.mark.without_coverage
def test_its_recorded_match_is_played_in_the_window(bazaar: Path) -> None:
    """`companion show` touches every answer, sets the options, corrects, and ends as recorded.

    A clone called companion is in its way as little.
    """
    log = bazaar / "bazaar/bazaar.log"
    written = log.read_text(encoding="utf-8")
    written = written.replace("option coins = 10", "option coins = 12").replace("seat Chie", "seat Zoë-1")
    written = re.sub(r"\bChie\b", "Zoë-1", written)
    read = "3  Read: Turn up find 2"
    written = written.replace(read, f'3  correct 2 coin: bank -> Zoë-1/purse = "miscounted"  (9.0 s)\n{read}')
    log.write_text(written, "utf-8")
    shown = ran_beside_a_clone(bazaar, "run", "show", "bazaar", "--offscreen", "--out", "pictures")
    assert ": 17\n   finds: 11\n   coins left: 6\n" in shown.stdout, shown.stderr
    assert (bazaar / "pictures" / "score.txt").exists()
