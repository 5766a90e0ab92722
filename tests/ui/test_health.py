"""What an update learns from `companion health`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion.installed_games import playable_game
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from tests.support.program import run_companion
from tests.support.shop_game import SHOP_GAME


def health_with_open_game(state: Path, game: Game) -> subprocess.CompletedProcess[str]:
    """Runs the check in a state directory whose open game is a new one."""
    store = Store.open(state, for_writing=True)
    Session.begin(game, ["Aki", "Ben", "Chie"], {}, store.new_game_log())
    store.close()
    return run_companion(["health"], state)


@pytest.fixture(autouse=True)
def offscreen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program has no display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")


def test_a_last_game_that_opens_is_drawn(tmp_path: Path) -> None:
    """The exit status is 0, and the output names the game."""
    run = health_with_open_game(tmp_path, playable_game("egypt"))
    assert (run.returncode, run.stdout) == (0, "OK: the home screen draws; egypt draws at question 1.\n")


def test_a_last_game_that_does_not_open_fails_the_check(tmp_path: Path) -> None:
    """The exit status isn't 0, so an update keeps the old version; the reason is on standard error."""
    run = health_with_open_game(tmp_path, SHOP_GAME)
    assert (run.returncode, run.stdout) == (1, "")
    assert "The last game doesn't open: " in run.stderr
