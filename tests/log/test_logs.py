"""Saved games and logs: what games, log, replay and demo print."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion import cli, installed_games, logtext
from companion.commands import logs
from companion.games.any_game import rulebook as any_game
from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.log import MemoryLog
from companion.presets import chosen_preset_decks, with_own_presets
from companion.requests import Choose
from companion.session.session import Session
from companion.store import Store
from companion.testing.random_game import answer_randomly, play_randomly_to_end
from tests.any_game_presets import library
from tests.support import third_party_packages

LONG = 5_000


class Shelf:
    """A state directory with two games: a finished sealed bid (1) and an open Egypt (2)."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        with closing(Store.open(directory, for_writing=True)) as store:
            finished = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, store.new_game_log())
            play_randomly_to_end(finished, Random(1))
            finished.put_away()
            self.text = logtext.format_log_text(store.open_game_log(1).events())
            unfinished = Session.begin(egypt.GAME, ["Aki", "Ben", "Chie"], {}, store.new_game_log())
            for answer in ("2", True, 3, None):
                unfinished.answer(unfinished.question_number, answer)

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
        "    --option start=none  Money that each player begins with. "
        "None: the companion only records payments. (0 to 99999 or none)"
    ) in lines
    assert "    --option pay_rule=own_bid  Choose what each bidder pays. (own_bid, winning_bid)" in lines
    assert lines[-2:] == ["  2  egypt: Aki, Ben, Chie (open)", "  1  sealed_bid: Aki, Ben (finished)"]


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
        "There is no saved game 3. Saved games: 2 (egypt), 1 (sealed_bid).\nNo game is saved yet.\n"
    )


# Replay and demo


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The log of a whole sealed bid with known bids."""
    log = MemoryLog()
    session = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {"start": "20"}, log)
    aki, ben = session.table.seats
    session.put_answer_in_envelope(1, aki, 3)
    session.put_answer_in_envelope(1, ben, 5)
    session.correct("Ben/purse", "bank", "money", 1, "tip")
    session.answer(2, "finish")
    path = tmp_path / "sealed_bid.log"
    path.write_text(logtext.format_log_text(log), encoding="utf-8")
    return path


ALONE = "option most = 9\nseed 1\n"

TOLD = """\
   1  Aki: 3, Ben: 5
      Ben wins with 5.
      To pay: Ben 5.
      Corrected: 1 coin from Ben to bank (tip)
   2  Another round? Finish

   1. Ben: 1
      rounds won: 1
      (for information: paid 5)
   2. Aki: 0
      rounds won: 0
      (for information: paid 0)
"""


def test_replay_tells_what_happened(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A replayed log is told in sentences, up to its end and the score."""
    assert (cli.main(["replay", str(recorded)]), capsys.readouterr().out) == (0, TOLD)


@pytest.fixture(scope="module")
def long_game() -> MemoryLog:
    """Any Game with 5,000 answers, put away."""
    log, rng = MemoryLog(), Random(1)
    session = Session.begin(any_game.GAME, ["Aki", "Ben", "Chie"], {}, log, seed=2**32 - 1)
    while len(session.steps) < LONG:
        if isinstance(session.question, Choose) and "finish" in session.question.options:
            session.answer(session.question_number, "round")
        else:
            answer_randomly(session, rng)
    session.put_away()
    return log


def test_a_long_game_is_read_back(
    long_game: MemoryLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `companion log` writes of an evening of 5,000 answers, `replay` and `verify` take."""
    path = tmp_path / "long.log"
    path.write_text(logtext.format_log_text(long_game), encoding="utf-8")
    assert logtext.parse_log_text(path.read_text(encoding="utf-8")) == list(long_game)
    for words in (["replay", "--json"], ["verify"]):
        assert cli.main([words[0], str(path), *words[1:]]) == 0, capsys.readouterr().err


def test_replay_until(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --until N only the lines up to number N count, and the question then open is said."""
    assert cli.main(["replay", str(recorded), "--until", "1"]) == 0
    assert capsys.readouterr().out == "".join(
        [*TOLD.splitlines(keepends=True)[:3], "\n", "   2  Another round?\n"]
    )


@pytest.mark.parametrize("number", ["0", "-3"])
def test_replay_until_no_question(recorded: Path, capsys: pytest.CaptureFixture[str], number: str) -> None:
    """Questions are numbered from 1; a lower number is refused in a sentence, and nothing is replayed."""
    assert cli.main(["replay", str(recorded), "--until", number]) == 2
    assert capsys.readouterr() == (
        "",
        f"--until must be the number of a question, 1 or higher, not {number}.\n",
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
    broken.write_text(recorded.read_text(encoding="utf-8").split("seat Ben")[0] + ALONE, encoding="utf-8")
    assert cli.main(["replay", str(broken)]) == 2
    missing, binary, unread, misfit, alone = capsys.readouterr().err.splitlines()
    assert alone == "Sealed bid is for 2 to 12 players, not 1."
    assert missing.startswith(f"{broken} can't be read: ")
    assert binary == f"{broken} is not UTF-8 text."
    assert unread.startswith("Line 17: ' = ' is expected here, not ")
    assert misfit == (
        "With the rules of this version, this game can't continue."
        ' “Another round?” is no longer possible (answer 2). "fly" can\'t be chosen now.'
        ' Choose from: "again" (Again), "finish" (Finish).'
        " The game stays saved, and you can begin a new game."
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('most = "9"', ""),
        ("most = 100000000", "most must be a number from 1 to 99999 or none, not 100000000."),
        ("most = no", ""),
        ("most = maybe", "most must be a number from 1 to 99999 or none, not maybe."),
        ("speed = 9", "Sealed bid has no option speed. Its options: unit, start, most, wins, ties, pays."),
    ],
)
def test_replay_refuses_options_that_can_not_be(
    recorded: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    """An option that the game hasn't, or a value it can't have, is one sentence with what is allowed."""
    text = recorded.read_text(encoding="utf-8")
    recorded.write_text(re.sub("option most = .*", f"option {line}", text), encoding="utf-8")
    assert (cli.main(["replay", str(recorded)]), capsys.readouterr().err.strip()) == (2 if told else 0, told)


def test_replay_knows_templates_of_ones_own(tmp_path: Path) -> None:
    """A template of one's own stands in the log with all that lies on the table, wherever it is replayed."""
    log = MemoryLog()
    mine = library(tmp_path / "state").create_copy("mine", "poker")
    game = with_own_presets(any_game.GAME, tmp_path / "state")
    chosen = {"template": "mine"}
    decks = chosen_preset_decks(game, chosen, tmp_path / "state")
    Session.begin(game, ["Aki", "Ben"], chosen, log, deck_by_name=decks)
    mine.unlink()
    (tmp_path / "any.log").write_text(logtext.format_log_text(log), encoding="utf-8")
    assert cli.main(["replay", str(tmp_path / "any.log")]) == 0


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package that brings its recorded match: whoever plays it claps once."""
    monkeypatch.delitem(sys.modules, "strangers_claps", raising=False)
    third_party_packages.install_games(tmp_path, {"claps": third_party_packages.game_module_text("claps")})
    monkeypatch.syspath_prepend(tmp_path)
    log = MemoryLog()
    session = Session.begin(installed_games.playable_game("claps"), ["Aki", "Ben"], {}, log)
    session.answer(1, True)
    (tmp_path / "claps.log").write_text(logtext.format_log_text(log), encoding="utf-8")


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a display."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.mark.usefixtures("demo", "no_display")
def test_a_demo_without_a_display_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a display the recorded match is told in the terminal."""
    assert cli.main(["demo", "claps"]) == 0
    assert capsys.readouterr().out.startswith("   1  Done: Clap your hands.")


@pytest.mark.usefixtures("demo", "no_display")
def test_a_demo_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A match that was never recorded is named with those that were."""
    assert cli.main(["demo", "chess"]) == 2
    there_are = "bidders, claps, egypt, high_bid, mammon, oyakata"
    assert capsys.readouterr().err == f"There is no recorded match of chess. Recorded matches: {there_are}.\n"


@pytest.mark.usefixtures("demo", "no_display")
@pytest.mark.parametrize(
    ("words", "display", "told"),
    [
        (["--offscreen", "--out", "pictures"], "", "['claps'] True pictures\n"),
        ([], ":0", "['claps'] False None\n"),
    ],
)
def test_a_demo_on_the_screen(
    words: list[str],
    display: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With a display, or off screen on demand, the verb of the screen plays the recorded match."""
    monkeypatch.syspath_prepend(str(tmp_path))
    third_party_packages.install_subcommand(tmp_path, "echo", third_party_packages.ECHO_SUBCOMMAND)
    monkeypatch.setattr(logs, "SHOW_RECORDED_MATCH_SUBCOMMAND", "echo")
    monkeypatch.setenv("DISPLAY", display)
    assert (cli.main(["demo", "claps", *words]), capsys.readouterr().out) == (7, told)
