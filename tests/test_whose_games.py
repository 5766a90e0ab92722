"""Whose games a command works on, where the service of the machine has games of its own."""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import cli
from companion.files import state_directory

Types = Callable[..., tuple[str, str]]


@pytest.fixture
def types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Types:
    """Somebody who is logged in on a machine with the service; what is said, and what is said aside."""
    monkeypatch.setattr(state_directory, "SERVICE_STATE_DIRECTORY", tmp_path / "service")
    (tmp_path / "service").mkdir()
    monkeypatch.delenv("COMPANION_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "own"))

    def types(*words: str) -> tuple[str, str]:
        cli.main(words)
        told = capsys.readouterr()
        return told.out, told.err

    return types


VERBS = {
    "history list": "companion history list",
    "history": "companion history",
    "players": "companion players",
    "games": "companion games",
    "templates": "companion templates",
    "cards list": "companion cards list",
    "cards edit bidders W1 popularity=3": "companion cards edit bidders W1 popularity=3",
    "cards tags egypt": "companion cards tags egypt",
    "export 1 --format csv --out evening.csv": "companion export 1 --format csv > evening.csv",
    "export 1 --out=/home/aki/evening.html": "companion export 1 > /home/aki/evening.html",
    "cards export bidders -": "companion cards export bidders -",
    "log 1": "companion log 1",
    "verify": "companion verify",
    "play egypt --json --seats Aki": "companion play egypt --json --seats Aki",
}


@pytest.mark.parametrize("typed", VERBS)
def test_a_command_says_which_games_it_uses_and_how_to_use_those_of_the_panel(
    typed: str, types: Types, tmp_path: Path
) -> None:
    """Both directories and the command, aside, so that what programs read stays as it is."""
    out, aside = types(*typed.split())
    own, others = tmp_path / "own/companion", tmp_path / "service"
    command = f"sudo -u companion {VERBS[typed]}"
    assert (
        f"This command used the games in {own}. The games of the touchscreen are in "
        f"{others}. To use the touchscreen's games, run: {command}\n" in aside
    )
    assert "sudo" not in out


@pytest.mark.parametrize(
    "typed",
    [
        "backup /nowhere/games.zip",
        "restore games.zip --yes",
        "cards export bidders values.toml",
        "cards import bidders values.toml",
        "templates export plain plain.toml",
        "templates import plain.toml",
        "log 1 --to evening.log",
    ],
)
def test_where_the_user_of_the_service_needs_a_file_it_says_which_folder_it_can_use(
    typed: str, types: Types, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that names a file runs as the service's user, who has no rights in people's own folders."""
    monkeypatch.chdir(tmp_path)
    aside = types(*typed.split())[1]
    assert (
        f"To use the touchscreen's games, run: sudo -u companion companion {typed}\n"
        "The file must be in a folder that the user companion can use, such as /tmp.\n" in aside
    )


def test_where_no_file_is_named_no_folder_is(types: Types) -> None:
    """Nor where the shell writes the file."""
    for typed in ("history list", "cards export bidders -", "export 1 --out evening.html"):
        assert "The file must be" not in types(*typed.split())[1]


def test_nothing_is_said_where_somebody_said_which_games(
    types: Types, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an option or in the environment."""
    assert types("history", "--state", str(tmp_path))[1] == ""
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    assert types("history")[1] == ""


def test_nothing_is_said_where_there_is_no_service(types: Types, tmp_path: Path) -> None:
    """As on a PC."""
    (tmp_path / "service").rmdir()
    assert types("history") == ("No game is saved yet.\n", "")


def test_the_user_of_the_service_uses_its_games(
    types: Types, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who came by `sudo -u companion` needs no option, and is told nothing."""
    mine = pwd.getpwuid(os.geteuid())
    service = pwd.struct_passwd((*mine[:5], str(tmp_path / "service"), mine[6]))
    monkeypatch.setattr(state_directory, "getpwuid", lambda _: service)
    assert state_directory.state_directory(None) == tmp_path / "service"
    assert types("history") == ("No game is saved yet.\n", "")


def test_what_the_unit_says_is_what_the_command_tells() -> None:
    """The directory and the user of the service."""
    root = Path(__file__).parents[1]
    unit = (root / "systemd/companion.service").read_text(encoding="utf-8")
    assert f"Environment=COMPANION_STATE={state_directory.SERVICE_STATE_DIRECTORY}\n" in unit
    assert f"User={state_directory.SERVICE_USER}\n" in unit
    lines = (root / "systemd/companion.sysusers.conf").read_text(encoding="utf-8").splitlines()
    (user,) = [line for line in lines if line.startswith(f"u {state_directory.SERVICE_USER} ")]
    assert user.endswith(f" {state_directory.SERVICE_STATE_DIRECTORY}")
