"""The command: its verbs, its sentences and statuses, and what games, log, replay and demo print."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from companion import cli, golden, logs
from companion.events import Memory
from companion.games import egypt, sealed_bid
from companion.requests import Together
from companion.session import Session
from companion.store import Store
from tests.program import COMPANION

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a verb of a stranger for this test: its name, and the text of its module."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(name: str, module: str) -> None:
        (tmp_path / f"stranger_{name}.py").write_text(module, encoding="utf-8")
        described = tmp_path / f"stranger_{name}-1.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(f"Name: stranger-{name}\nVersion: 1\n", encoding="utf-8")
        points = f"[companion.verbs]\n{name} = stranger_{name}:VERB\n"
        (described / "entry_points.txt").write_text(points, encoding="utf-8")

    return installed


ECHO = """
from companion.cli import Verb

def arguments(parser):
    parser.add_argument("words", nargs="*")
    parser.add_argument("--offscreen", action="store_true")
    parser.add_argument("--out")

def run(args):
    print(args.words, args.offscreen, args.out)
    return 7

VERB = Verb("Print what it is told.", arguments, run)
"""


# Verbs


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    """The overview names every registered verb with a sentence."""
    assert cli.main(["--help"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    listed = {name: sentence.strip() for name, sentence in (line.split(maxsplit=1) for line in told)}
    assert {point.name: cli.verb(point.name).help for point in entry_points(group=cli.GROUP)} == listed


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says its version."""
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("companion 0.")


def test_a_verb_of_a_stranger(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """A verb is found by its entry point, takes its own arguments and gives the exit status."""
    install("echo", ECHO)
    assert cli.main(["echo", "hello", "--out", "there"]) == 7
    assert capsys.readouterr().out == "['hello'] False there\n"


def test_without_a_verb_the_screen_opens(
    install: Install, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a verb, or with options only, it is the verb of the screen that runs."""
    assert cli.WITHOUT_A_VERB == "screen"
    install("echo", ECHO)
    monkeypatch.setattr(cli, "WITHOUT_A_VERB", "echo")
    assert (cli.main([]), cli.main(["--offscreen"])) == (7, 7)
    assert capsys.readouterr().out == "[] False None\n[] True None\n"


def test_an_unknown_verb_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A verb that doesn't exist is a sentence with those that do, and status 2."""
    assert cli.main(["dance"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("There is no verb dance; there are: demo, games, log, play, replay")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("VERB = 5", "stranger_broken:VERB is no Verb"),
    ],
)
def test_a_broken_verb_is_a_sentence(
    install: Install, capsys: pytest.CaptureFixture[str], module: str, why: str
) -> None:
    """A verb that can't be loaded is a sentence and status 1, in the overview too; the others go on."""
    install("broken", module)
    assert cli.main(["broken"]) == 1
    sentence = f"The verb broken can't be loaded: {why}."
    assert capsys.readouterr().err == sentence + "\n"
    assert cli.main(["--help"]) == 0
    overview = capsys.readouterr().out
    assert sentence in overview
    assert "List the games" in overview


def test_a_fault_of_the_program_is_status_1(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """The table's errors are status 2 and ours 1, each as one sentence."""
    raising = ECHO.replace(
        "print(args.words, args.offscreen, args.out)", "raise getattr(errors, args.words[0])(say('Oh.'))"
    )
    install("fail", "from companion import errors\nfrom companion.words import say\n" + raising)
    assert (cli.main(["fail", "Unknown"]), cli.main(["fail", "RulesCrashed"])) == (2, 1)
    assert capsys.readouterr().err == "Oh.\nOh.\n"


def test_ctrl_c_is_no_traceback(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends a verb with status 130 and nothing else to read."""
    install("stop", ECHO.replace("print(args.words, args.offscreen, args.out)", "raise KeyboardInterrupt"))
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
    """What a verb doesn't need isn't loaded: no Kivy, no GPIO, no serial line for a list of games."""
    script = (
        "import sys; from companion.cli import main; main(['games']); "
        "print([m for m in ('kivy', 'gpiozero', 'serial', 'ui', 'hardware') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


# Games and logs


def play(session: Session, seed: int = 1) -> None:
    """Plays to the result by samples, bids and all."""
    rng = random.Random(seed)
    while (question := session.question) is not None:
        if isinstance(question, Together):
            for seat, part in question.parts.items():
                session.draft(session.n, seat, part.dump(part.sample(rng)))
        else:
            session.answer(session.n, question.dump(question.sample(rng)))


class Shelf:
    """A state directory with two games: a finished sealed bid (1) and an open Egypt (2)."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        with closing(Store.open(directory, playing=True)) as store:
            finished = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, store.new_game())
            play(finished)
            finished.put_away()
            self.text = golden.write(store.log(1).events())
            unfinished = Session.begin(egypt.GAME, ["Aki", "Ben", "Chie"], {}, store.new_game())
            for answer in ("2", True, 3, None):
                unfinished.answer(unfinished.n, answer)

    def run(self, *words: str) -> int:
        """Runs a verb in this directory."""
        return cli.main([*words, "--state", str(self.directory)])


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Two saved games."""
    return Shelf(tmp_path / "state")


def test_games_lists_what_can_be_played_and_what_is_saved(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list has every game with players and options, then the saved games, newest first."""
    assert shelf.run("games") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "egypt  Egypt, 3 to 5 players" in lines
    assert (
        "    --option start=none  What each seat begins with; none: payments are only noted."
        " (0 to 99999 or none)"
    ) in lines
    assert "    --option pay_rule=own_bid  What everybody who bid pays. (own_bid, winning_bid)" in lines
    assert lines[-2:] == ["  2  egypt: Aki, Ben, Chie (open)", "  1  sealed_bid: Aki, Ben (finished)"]


def test_games_says_what_is_broken(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that can't be loaded is listed with the reason."""
    install("chess", "import no_such_module")
    points = tmp_path / "stranger_chess-1.dist-info" / "entry_points.txt"
    points.write_text("[companion.games]\nchess = stranger_chess:GAME\n", encoding="utf-8")
    assert cli.main(["games", "--state", str(tmp_path / "state")]) == 0
    assert "chess  The game chess can't be loaded: ModuleNotFoundError" in capsys.readouterr().out


def test_the_log_of_a_finished_game_is_printed(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    """A finished game's log goes to standard output, by its number or its kind."""
    assert (shelf.run("log", "1"), capsys.readouterr().out) == (0, shelf.text)
    assert (shelf.run("log", "sealed_bid"), capsys.readouterr().out) == (0, shelf.text)


def test_the_log_of_a_finished_game_goes_where_it_is_wanted(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A finished game's log is written to the file that --to names, or the reason is said."""
    wanted = tmp_path / "evening.log"
    assert shelf.run("log", "1", "--to", str(wanted)) == 0
    assert wanted.read_text(encoding="utf-8") == shelf.text
    assert shelf.run("log", "1", "--to", str(tmp_path / "nowhere" / "evening.log")) == 2
    assert "nowhere/evening.log can't be written: " in capsys.readouterr().err


def test_the_log_of_an_unfinished_game_stays_beside_its_state(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unfinished game holds covered things: its log is only written beside its state, for its owner."""
    assert shelf.run("log") == 0
    written = shelf.directory / "egypt-2.log"
    assert capsys.readouterr().out == f"{written}\n"
    assert written.stat().st_mode & 0o777 == 0o600
    assert (
        written.read_text(encoding="utf-8")
        .splitlines()[-1]
        .startswith("4  Raise Chie: chip 4 = no  (screen, ")
    )
    assert shelf.run("log", "--to", str(tmp_path / "egypt.log")) == 2
    assert not (tmp_path / "egypt.log").exists()


def test_the_log_of_a_game_that_is_not_there(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown saved game is named with those there are."""
    assert (shelf.run("log", "3"), cli.main(["log", "--state", str(tmp_path / "empty")])) == (2, 2)
    assert capsys.readouterr().err == (
        "There is no saved game 3; there are: 2 (egypt), 1 (sealed_bid).\nNo game is saved yet.\n"
    )


# Replay and demo


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The log of a whole sealed bid with known bids."""
    log = Memory()
    session = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {"start": "20"}, log)
    aki, ben = session.table.seats
    session.draft(1, aki, 3)
    session.draft(1, ben, 5)
    session.correct("Ben/purse", "bank", "money", 1, "tip")
    session.answer(2, "finish")
    path = tmp_path / "sealed_bid.log"
    path.write_text(golden.write(log), encoding="utf-8")
    return path


TOLD = """\
   1  Aki: 3, Ben: 5
      Ben wins with 5.
      To pay: Ben 5.
      Corrected: 1 × coin from Ben's purse to bank (tip)
   2  Another round? Finish

   1. Ben: 1
      rounds won: 1
      paid: 5
   2. Aki: 0
      rounds won: 0
      paid: 0
"""


def test_replay_tells_what_happened(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A replayed log is told in sentences, up to its end and the score."""
    assert (cli.main(["replay", str(recorded)]), capsys.readouterr().out) == (0, TOLD)


def test_replay_until(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --until N only the lines up to number N count, and the question then open is said."""
    assert cli.main(["replay", str(recorded), "--until", "1"]) == 0
    assert capsys.readouterr().out == "".join(
        [*TOLD.splitlines(keepends=True)[:3], "\n", "   2  Another round?\n"]
    )


def test_replay_as_json(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the result is one line, or the state where the game isn't over."""
    assert cli.main(["replay", str(recorded), "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"result": {"winners": ["Ben"], ')
    assert cli.main(["replay", str(recorded), "--json", "--until", "1"]) == 0
    assert capsys.readouterr().out.startswith('{"state": {"n": 2, "game": "sealed_bid", "over": false, ')


def test_replay_as_json_keeps_names_readable(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Letters of any script stand in the JSON as they are, as in JSON lines."""
    text = recorded.read_text(encoding="utf-8")
    recorded.write_text(text.replace("Ben", "べん"), encoding="utf-8")
    assert cli.main(["replay", str(recorded), "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"result": {"winners": ["べん"], ')


def test_replay_refuses_what_is_no_log(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that isn't there, isn't text or isn't a log is a sentence; so is an answer that doesn't fit."""
    broken = recorded.with_name("broken.log")
    assert cli.main(["replay", str(broken)]) == 2
    broken.write_bytes(b"\xff")
    assert cli.main(["replay", str(broken)]) == 2
    broken.write_text(recorded.read_text(encoding="utf-8").replace("= finish", "~ finish"), encoding="utf-8")
    assert cli.main(["replay", str(broken)]) == 2
    broken.write_text(recorded.read_text(encoding="utf-8").replace("= finish", "= fly"), encoding="utf-8")
    assert cli.main(["replay", str(broken)]) == 1
    missing, binary, unread, misfit = capsys.readouterr().err.splitlines()
    assert missing.startswith(f"{broken} can't be read: ")
    assert binary == f"{broken} is no text in UTF-8."
    assert unread.startswith("Line 17: here should stand ' = ': ")
    assert misfit == "Event 2 (Choose: Another round?) no longer fits: Choose one of: again, finish."


@pytest.fixture
def demos(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorded log as the one that ships."""
    monkeypatch.setattr(logs, "DEMOS", recorded.parent)


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a display."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.mark.usefixtures("demos", "no_display")
def test_a_demo_without_a_display_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a display the recorded match is told in the terminal."""
    assert (cli.main(["demo", "sealed_bid"]), capsys.readouterr().out) == (0, TOLD)


@pytest.mark.usefixtures("demos", "no_display")
def test_a_demo_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A match that was never recorded is named with those that were."""
    assert cli.main(["demo", "chess"]) == 2
    assert capsys.readouterr().err == "There is no recorded match of chess; there are: sealed_bid.\n"


@pytest.mark.usefixtures("demos", "no_display")
@pytest.mark.parametrize(
    ("words", "display", "told"),
    [
        (["--offscreen", "--out", "pictures"], "", "['sealed_bid'] True pictures\n"),
        ([], ":0", "['sealed_bid'] False None\n"),
    ],
)
def test_a_demo_on_the_screen(
    words: list[str],
    display: str,
    told: str,
    install: Install,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With a display, or off screen on demand, the verb of the screen plays the recorded match."""
    install("echo", ECHO)
    monkeypatch.setattr(logs, "ON_SCREEN", "echo")
    monkeypatch.setenv("DISPLAY", display)
    assert (cli.main(["demo", "sealed_bid", *words]), capsys.readouterr().out) == (7, told)
