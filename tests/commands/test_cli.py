"""The command `companion`: its subcommands, its sentences and its exit statuses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from companion import cli
from companion.monospace_text import display_width
from tests.support import third_party_packages
from tests.support.program import COMPANION
from tests.support.pseudo_terminal import PseudoTerminal
from tests.support.third_party_packages import ECHO_SUBCOMMAND

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a subcommand of a stranger for this test: its name, and the text of its module."""
    monkeypatch.syspath_prepend(str(tmp_path))

    return partial(third_party_packages.install_subcommand, tmp_path)


# Verbs


def test_help_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    """The overview names every registered subcommand with a sentence."""
    assert cli.main(["--help"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    listed = {name: sentence.strip() for name, sentence in (line.split(maxsplit=1) for line in told)}
    assert {
        point.name: cli.load_subcommand(point.name).help
        for point in entry_points(group=cli.ENTRY_POINT_GROUP)
    } == listed


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says its version."""
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("companion 0.")


def test_a_subcommand_of_a_stranger(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """A subcommand is found by its entry point, takes its own arguments and gives the exit status."""
    install("echo", ECHO_SUBCOMMAND)
    assert cli.main(["echo", "hello", "--out", "there"]) == 7
    assert capsys.readouterr().out == "['hello'] False there\n"


def test_without_a_subcommand_the_screen_opens(
    install: Install, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a subcommand, or with options only, it is the subcommand of the screen that runs."""
    assert cli.DEFAULT_SUBCOMMAND == "screen"
    install("echo", ECHO_SUBCOMMAND)
    monkeypatch.setattr(cli, "DEFAULT_SUBCOMMAND", "echo")
    assert (cli.main([]), cli.main(["--offscreen"])) == (7, 7)
    assert capsys.readouterr().out == "[] False None\n[] True None\n"


def test_an_unknown_subcommand_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A subcommand that doesn't exist is a sentence with those that do, and status 2."""
    assert cli.main(["dance"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(
        'Unknown command "dance". Commands: api, backup, cards, demo, doctor, export, games, hardware, '
    )
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("VERB = 5", "stranger_broken:VERB is not a Subcommand"),
    ],
)
def test_a_broken_subcommand_is_a_sentence(
    install: Install, capsys: pytest.CaptureFixture[str], module: str, why: str
) -> None:
    """A subcommand that can't be loaded is a sentence and status 1, in the overview too; the others go on."""
    install("broken", module)
    assert cli.main(["broken"]) == 1
    sentence = f"The command broken can't be loaded: {why}."
    assert capsys.readouterr().err == sentence + "\n"
    assert cli.main(["--help"]) == 0
    overview = capsys.readouterr().out
    assert sentence in overview
    assert "List all games" in overview


def test_a_fault_of_the_program_is_status_1(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """The table's errors are status 2 and ours 1, each as one sentence."""
    raising = ECHO_SUBCOMMAND.replace(
        "print(args.words, args.offscreen, args.out)", "raise getattr(errors, args.words[0])(say('Oh.'))"
    )
    install("fail", "from companion import errors\nfrom companion.texts import say\n" + raising)
    assert (cli.main(["fail", "UnknownName"]), cli.main(["fail", "RulesCrashed"])) == (2, 1)
    assert capsys.readouterr().err == "Oh.\nOh.\n"


def test_ctrl_c_is_no_traceback(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends a subcommand with status 130 and nothing else to read."""
    install(
        "stop",
        ECHO_SUBCOMMAND.replace("print(args.words, args.offscreen, args.out)", "raise KeyboardInterrupt"),
    )
    assert cli.main(["stop"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    """When nobody reads the output any more, the command ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run(
        [COMPANION, "games", "--state", str(tmp_path)], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (run.returncode, run.stderr) == (1, b"")


def test_the_command_loads_neither_screen_nor_metal() -> None:
    """What a subcommand doesn't need isn't loaded: no Kivy, no GPIO, no serial line for a list of games."""
    script = (
        "import sys; from companion.cli import main; main(['games']); "
        "print([m for m in ('kivy', 'gpiozero', 'serial', 'ui', 'hardware') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_games_says_what_is_broken(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that can't be loaded is listed with the reason."""
    install("chess", "import no_such_module")
    points = tmp_path / "stranger_chess-1.dist-info" / "entry_points.txt"
    points.write_text("[companion.games]\nchess = stranger_chess:GAME\n", encoding="utf-8")
    assert cli.main(["games", "--state", str(tmp_path / "state")]) == 0
    assert "chess  The game chess can't be loaded: ModuleNotFoundError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("page", "builders"), [("README.md", set()), ("README.ja.md", {"api", "new", "update", "health"})]
)
def test_each_subcommand_is_in_the_readme(page: str, builders: set[str]) -> None:
    """Whoever reads the README meets every subcommand, but for what `companion` alone does.

    The Japanese page is for players, and leaves out what only builders need.
    """
    readme = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    names = {point.name for point in entry_points(group=cli.ENTRY_POINT_GROUP)}
    named = names - {cli.DEFAULT_SUBCOMMAND} - builders
    assert {one for one in named if not re.search(rf"(companion|make|`) ?{one}\b", readme)} == set()


# Words that are no subcommands


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("help", "--help"),
        ("HELP", "--help"),
        ("?", "--help"),
        ("version", "--version"),
        ("list", "games"),
        ("ls", "games"),
        ("stats", "players list"),
        ("Games", "games"),
        ("history", "history list"),
        ("players", "players list"),
        ("cards", "cards list"),
        ("demo Egypt", "demo egypt"),
        ("cards show egypt", "cards show Egypt"),
        ("history --state . list", "history list --state ."),
    ],
)
def test_what_people_type_is_understood(
    typed: str,
    meant: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Another word, capitals, a title, or a subcommand alone does what was meant."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.chdir(tmp_path)
    assert cli.main(typed.split()) == 0
    told = capsys.readouterr()
    assert cli.main(meant.split()) == 0
    assert (told.out, told.err) == capsys.readouterr()
    assert told.out


@pytest.mark.parametrize("subcommand", ["play", "history", "cards", "games"])
def test_help_is_a_subcommand_before_another(subcommand: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion help play` is `companion play --help`."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["help", subcommand])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: companion {subcommand}")


@pytest.mark.parametrize("word", ["q", "quit", "exit", "bye"])
def test_there_is_nothing_to_leave(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Who wants to leave is told that nothing runs."""
    assert cli.main([word]) == 0
    assert capsys.readouterr().out == 'No game is running here. Type "companion" to open the touchscreen.\n'


TYPOS = {
    "histroy": 'Unknown command "histroy". Did you mean "history"?',
    "plya egypt": 'Unknown command "plya". Did you mean "play"?',
    "play egipt --seats A,B": 'There is no "egipt". Did you mean "egypt"?',
    "play oyakat --seats A,B": 'There is no "oyakat". Did you mean "oyakata"?',
    "play egypt --seets A,B": "unrecognized arguments: --seets A,B. Did you mean --seats?",
    "play egypt --seats Aki,Ben,Chie --option pay_rul=all": 'There is no "pay_rul". Did you mean "pay_rule"?',
    "history shw 1": "Did you mean show?",
    "history lst": "Did you mean list?",
    "cards shwo egypt": "Did you mean show?",
    "cards show mamon": 'There is no "mamon". Did you mean "mammon"?',
    "demo bidder": 'There is no "bidder". Did you mean "bidders"?',
    "templates export pokr -": 'There is no "pokr". Did you mean "poker"?',
    "hardware innit": "Did you mean init?",
    "export 1 --formt csv": "Did you mean --format?",
}


@pytest.mark.parametrize("typed", TYPOS)
def test_a_typo_is_answered_with_what_was_probably_meant(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Verbs, their parts and options, games, options of games, decks and templates."""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    with suppress(SystemExit):
        assert cli.main(typed.split()) == 2
    error = capsys.readouterr().err.rstrip()
    assert error.endswith(TYPOS[typed])


# On a terminal


@pytest.mark.sweep(3)
@pytest.mark.parametrize("columns", [40, 60, 100])
@pytest.mark.parametrize("command", ["help", "games", "dance", "history shw", "q", "demo egypt"])
def test_lines_break_between_words_on_a_terminal(columns: int, command: str, tmp_path: Path) -> None:
    """Whatever is told has the width that the terminal has."""
    with PseudoTerminal(
        command.split(), COMPANION_STATE=str(tmp_path), DISPLAY="", columns=str(columns)
    ) as tty:
        tty.wait_for_exit()
        assert max(map(display_width, tty.plain_output.splitlines())) <= columns


def test_a_file_and_a_pipe_get_lines_as_they_are(tmp_path: Path) -> None:
    """What programs read isn't broken, whatever COLUMNS says."""
    env = {**os.environ, "COMPANION_STATE": str(tmp_path), "COLUMNS": "20"}
    ended = subprocess.run([COMPANION, "dance"], env=env, capture_output=True, text=True, check=False)
    assert ended.stderr.count("\n") == 1
