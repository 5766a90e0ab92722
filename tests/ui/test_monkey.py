"""A monkey plays every game on the real window, with devices that fail: nothing it touches ends the program.

`make test` lets it touch each game a few dozen times, `make soak` all games together 15,000 times.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conformance.registry import GAMES
from tests.support.soak import SOAK
from tests.support.ui.monkey import Monkey, MonkeyFailure

SEEDS = range(1, 8) if SOAK else (1,)
TAPS = 310 if SOAK else 30
"""Times that it touches each game with each seed."""
pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
def monkey(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Monkey]]:
    """A monkey of that seed, by which dice and decks go, too."""
    begun: list[Monkey] = []

    def begin(seed: str) -> Monkey:
        monkeypatch.setattr(secrets, "randbits", Random(seed).getrandbits)
        begun.append(Monkey(open_app, tmp_path, seed))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", [game.key for game in GAMES])
async def test_nothing_it_touches_ends_the_program(
    monkey: Callable[[str], Monkey], key: str, seed: int
) -> None:
    """No fault is logged, no piece lost, nothing shown that is no longer asked, and no way home barred."""
    ours = monkey(f"{key} {seed}")
    await ours.start_app()
    await ours.play(key, TAPS)
    assert ours.tap_count >= TAPS
    figures = ours.tap_count, ours.actions.begun_game_count, ours.checks.finished_game_count
    logging.getLogger("monkey").info("%s taps, %s games begun, %s finished", *figures)


async def test_a_fall_is_told_in_words(monkey: Callable[[str], Monkey]) -> None:
    """With the seed and what was touched last, so that it can be done again."""
    ours = monkey("3")
    await ours.start_app()
    ours.app.stage.fbind("children", lambda *_: logging.getLogger("table").error("a fault"))
    with pytest.raises(MonkeyFailure, match=r"(?s)a fault.*seed '3', egypt, tap \d+:\n.*(tap|begin) "):
        await ours.play("egypt", 200)
