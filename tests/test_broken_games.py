"""One broken game never takes the others with it, whatever the program is asked to do."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from companion import cli, installed_games
from companion.errors import RulesCrashed, UnknownName, UserError
from companion.installed_games import BrokenGame
from companion.jsonlines import JsonSession
from companion.log.log import MemoryLog
from companion.presets import starting_decks
from companion.rules.game import Game
from companion.session.session import Session
from companion.subcommand import USER_ERROR_STATUS
from companion.texts import render
from tests.support.third_party_packages import (
    BROKEN_GAMES,
    GAMES_THAT_FAIL_AT_START,
    PLAYABLE_GAMES,
    install_all_games,
)

OURS = ["any_game", "bidders", "egypt", "high_bid", "mammon", "oyakata", "sealed_bid"]


@pytest.fixture(autouse=True)
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with games that are broken in every way is installed, and some whole ones with them."""
    folder = tmp_path / "site"
    folder.mkdir()
    install_all_games(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    yield
    for module in [name for name in sys.modules if name.startswith("strangers_")]:
        del sys.modules[module]


class Shell:
    """Runs verbs, and keeps what they said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch
        self.out = self.err = ""

    def runs(self, line: str, said: str = "") -> int:
        """The exit status of `companion LINE` with `said` on its standard input."""
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
        try:
            status = cli.main(line.split())
        except SystemExit as end:  # so argparse ends after its help
            status = int(end.code or 0)
        self.out, self.err = self._capsys.readouterr()
        return status


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell."""
    return Shell(capsys, monkeypatch)


@pytest.mark.parametrize("key", sorted(BROKEN_GAMES.keys() - {"egypt"}))
def test_a_broken_game_is_a_status_with_a_sentence(key: str) -> None:
    """It names the game and what is wrong with it, when listed and when asked for."""
    found = installed_games.games()[key]
    assert isinstance(found, BrokenGame)
    said = render(found.why)
    assert said.startswith(f"The game {key} can't be loaded: {BROKEN_GAMES[key][1]}")
    assert said.endswith(".")
    assert not said.endswith("..")
    with pytest.raises(UnknownName, match=f"The game {key} can't be loaded"):
        installed_games.playable_game(key)


def test_all_others_can_be_played() -> None:
    """Ours, the whole ones of others, and those that only fail as they begin."""
    playable = [key for key, found in installed_games.games().items() if isinstance(found, Game)]
    assert sorted(playable) == sorted([*OURS, *PLAYABLE_GAMES, *GAMES_THAT_FAIL_AT_START])
    assert installed_games.playable_game("egypt").title.template == "Egypt"


def test_a_game_keeps_its_name() -> None:
    """A second game of a name that is there is listed as broken beside it, with the package it is from."""
    second = installed_games.games()["egypt (strangers)"]
    assert isinstance(second, BrokenGame)
    assert render(second.why) == (
        "The game egypt (strangers) can't be loaded: another game has the same name."
    )


@pytest.mark.parametrize("key", GAMES_THAT_FAIL_AT_START)
def test_a_game_that_fails_as_it_begins_says_why_and_begins_nothing(key: str) -> None:
    """The sentence names the game and the fault; nothing is kept of it."""
    log = MemoryLog()
    with pytest.raises(RulesCrashed) as crashed:
        Session.begin(installed_games.playable_game(key), ["Aki", "Ben"], {}, log)
    assert str(crashed.value).startswith(
        f"The rules of {key.title()} crashed at the start: {GAMES_THAT_FAIL_AT_START[key][1]}"
    )
    assert list(log) == []


def test_a_score_that_can_not_be_told_ends_no_evening() -> None:
    """A game whose score so far fails is put away without one."""
    session = Session.begin(installed_games.playable_game("hides"), ["Aki", "Ben"], {}, MemoryLog())
    assert JsonSession(session).reply(1, b'{"do": "put_away"}')["result"] is None


def test_cards_belong_to_the_game_of_their_name(tmp_path: Path) -> None:
    """A game that uses another one's deck doesn't get to say what may be printed on it."""
    copies = installed_games.owner_decks_by_name(tmp_path)
    assert copies["egypt"].game is installed_games.playable_game("egypt")
    assert sorted(copies) == ["any_game", "bidders", "egypt", "high_bid", "mammon", "oyakata"]


def test_a_fault_in_checking_cards_is_a_sentence(tmp_path: Path) -> None:
    """Where a game fails on what its owner has entered, the file is named and nothing begins."""
    file = tmp_path / "cards" / "egypt.toml"
    file.parent.mkdir()
    cards = "".join(f"[[card]]\nnumber = {n}\ncopies = {n}\n" for n in range(4, 14))
    file.write_text(f"provisional = true\n{cards}")
    with pytest.raises(UserError, match=r"egypt.toml: Lender can't check this file: ValueError: no dice\."):
        starting_decks(installed_games.playable_game("lender"), tmp_path, {})
    assert starting_decks(installed_games.playable_game("egypt"), tmp_path, {})["egypt"].provisional


# The verbs

EGYPT = "play egypt --json --seats Aki,Ben,Chie"
LINES = {
    "api": ["", "Raise", "Rais"],
    "backup": ["", "kept.zip", "absent/kept.zip"],
    "cards": ["list", "show egypt", "check bidders", "export egypt -", "tags egypt", "learn egypt --lang xx",
              "show lanterns", "learn lanterns", "tags absent", "check misreads"],
    "demo": ["egypt --help"],
    "doctor": [""],
    "export": ["egypt", "egypt --format csv", "egypt --format json", "egypt --format html", "lanterns"],
    "games": ["", "new ours"],
    "hardware": ["check", "show"],
    "health": ["--help"],
    "history": ["list", "show egypt", "show 1", "resume egypt", "delete egypt", "show lanterns"],
    "log": ["", "egypt", "lanterns"],
    "new": ["game ours", "game crash", "game egypt"],
    "play": ["egypt --json --resume", "claps --seats Aki,Ben", "lanterns --seats Aki,Ben", "blank",
             "stops --seats Aki,Ben", "ends --json --seats Aki,Ben", "lender --json --seats Aki,Ben",
             "crash --json --resume"],
    "players": ["list"],
    "settings": ["list", "get sound", "set sound off"],
    "replay": ["game.log", "game.log --json"],
    "restore": ["absent.zip --yes", "game.log --yes", "game.log"],
    "screen": ["--help"],
    "show": ["--help", "lanterns"],
    "simulate": ["--help"],
    "templates": ["list", "export poker -", "export absent -", "import game.log", "delete absent"],
    "update": ["--back", "absent.tar.gz", "--help"],
    "verify": ["", "egypt", "game.log", "lanterns"],
    "web": ["--help", "--link absent --certificate absent"],
}  # fmt: skip  # a table
"""What is asked of each verb; what has a window is looked at in `tests/ui/test_broken_boxes.py`."""


def test_every_verb_is_tried() -> None:
    """A verb that is registered has its lines here."""
    assert set(LINES) == set(entry_points(group=cli.ENTRY_POINT_GROUP).names)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("verb", LINES)
def test_no_verb_fails_beside_broken_games(verb: str, shell: Shell) -> None:
    """Each ends with a status of ours and a sentence at most; none with a traceback."""
    assert shell.runs(EGYPT, '{"n": 1, "answer": "1"}\n') == 0
    assert shell.runs("log") == 0
    Path(shell.out.strip()).rename("game.log")
    for line in LINES[verb]:
        status = shell.runs(f"{verb} {line}")
        assert status in {0, cli.INTERNAL_ERROR_STATUS, USER_ERROR_STATUS}, line
        assert "Traceback" not in shell.out + shell.err
        assert status == 0 or verb == "doctor" or shell.err.strip(), line


def test_every_game_is_listed(shell: Shell) -> None:
    """`games` lists those that can be played and, with the reason, those that can't."""
    assert shell.runs("games") == 0
    for key in [*OURS, *PLAYABLE_GAMES, *GAMES_THAT_FAIL_AT_START]:
        assert f"\n{key}  " in f"\n{shell.out}"
    for key in BROKEN_GAMES.keys() - {"egypt"}:
        assert f"\n{key}  The game {key} can't be loaded: " in f"\n{shell.out}"


def test_cards_are_listed_beside_those_that_are_broken(shell: Shell) -> None:
    """Every deck has its line, and a broken game, which may have cards, its sentence."""
    assert shell.runs("cards list") == 0
    assert "Egypt: 85 cards, complete\n" in shell.out
    assert "The game lanterns can't be loaded: there is no deck lanterns" in shell.out
    assert shell.runs("cards show lanterns") == USER_ERROR_STATUS
    assert shell.err.startswith("The game lanterns can't be loaded: there is no deck lanterns")


@pytest.mark.parametrize("key", [*OURS, *PLAYABLE_GAMES])
def test_every_whole_game_begins(key: str, shell: Shell) -> None:
    """In JSON lines each asks its first question."""
    assert shell.runs(f"play {key} --json --seats Aki,Ben,Chie") == 0
    assert json.loads(shell.out)["n"] == 1


def test_a_saved_game_whose_rules_are_broken_now_is_told(shell: Shell, tmp_path: Path) -> None:
    """History, export and verify say why it can't be played; the other games are shown as ever."""
    assert shell.runs("play claps --json --seats Aki,Ben", "") == 0
    module = tmp_path / "site" / "strangers_claps.py"
    module.write_text(module.read_text().replace("await Done", "fails()\n    await Done"))
    del sys.modules["strangers_claps"]
    assert shell.runs("play egypt --json --seats Aki,Ben,Chie", "") == 0
    assert shell.runs("history show claps") == 0
    assert "The rules of Claps crashed at the start: ValueError: no dice" in shell.out
    assert shell.runs("verify claps") == USER_ERROR_STATUS
    assert "The rules of Claps crashed at the start: ValueError: no dice" in shell.out
    assert shell.runs("play claps --json --resume") == cli.INTERNAL_ERROR_STATUS
    assert shell.runs("history show egypt") == 0
