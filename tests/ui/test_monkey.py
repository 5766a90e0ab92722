"""A monkey plays every game on the real window, with devices that fail: nothing it touches ends the program.

Another one has no devices, but seats people by touch and answers: nothing keeps it from playing on. `make
test` lets each touch a few dozen times, `make soak` all games together 15,000 and 10,500 times.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from tests.conformance.registry import GAMES
from tests.support.soak import SOAK
from tests.support.ui.monkey import Monkey, MonkeyFailure, TouchingMonkey
from tests.support.ui.seated_monkey import SeatedMonkey

SEEDS = range(1, 8) if SOAK else (1,)
TAPS = 310 if SOAK else 30
"""Times that it touches each game with each seed."""
SEATED_SEEDS = range(1, 6) if SOAK else (1,)
SEATED_TAPS, MIN_ANSWERS = (300, 40) if SOAK else (40, 5)
"""Times that the other one touches each game after set-up, and how many questions it answers at least."""
AnyMonkey = TypeVar("AnyMonkey", bound=TouchingMonkey)
pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
def make_monkey(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[type[AnyMonkey], str], AnyMonkey]]:
    """A function that makes a monkey of that class and seed, by which dice and decks go, too."""
    begun: list[TouchingMonkey] = []

    def begin(monkey_class: type[AnyMonkey], seed: str) -> AnyMonkey:
        monkeypatch.setattr(secrets, "randbits", Random(seed).getrandbits)
        monkey = monkey_class(open_app, tmp_path, seed)
        begun.append(monkey)
        return monkey

    yield begin
    for each in begun:
        each.close()


@pytest.fixture
def monkey(make_monkey: Callable[[type[Monkey], str], Monkey]) -> Callable[[str], Monkey]:
    """A function that makes a monkey with devices."""
    return partial(make_monkey, Monkey)


@pytest.mark.sweep(1)
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


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", SEATED_SEEDS)
@pytest.mark.parametrize("key", [game.key for game in GAMES])
async def test_people_seated_by_touch_can_play_on(
    make_monkey: Callable[[type[SeatedMonkey], str], SeatedMonkey], key: str, seed: int
) -> None:
    """Whatever they touch between their answers, by touch alone: no fault, no dead end, and many answers."""
    ours = make_monkey(SeatedMonkey, f"{key} {seed}")
    await ours.start_app()
    await ours.play(key, SEATED_TAPS)
    figures = ours.answer_count, ours.tap_count, ours.seating_count, ours.checks.finished_game_count
    logging.getLogger("monkey").info("%s answers by %s taps, seated %s times, %s finished", *figures)
    assert ours.answer_count >= MIN_ANSWERS


async def test_a_fall_is_told_in_words(monkey: Callable[[str], Monkey]) -> None:
    """With the seed and what was touched last, so that it can be done again."""
    ours = monkey("3")
    await ours.start_app()
    ours.app.stage.fbind("children", lambda *_: logging.getLogger("table").error("a fault"))
    with pytest.raises(MonkeyFailure, match=r"(?s)a fault.*seed '3', egypt, tap \d+:\n.*(tap|begin) "):
        await ours.play("egypt", 200)
