"""Requirements on every installed game: a registered game is tested."""

import hashlib
import os
import subprocess
import sys
from random import Random

import pytest

from companion.rules.game import Game
from companion.testing import check_game
from companion.testing.random_game import RandomGame, play_randomly_to_end
from tests.conformance.registry import (
    GAMES,
    GAMES_WITH_ONE_TEMPLATE,
    RANDOM_GAMES,
    GameConfig,
    config_name,
    each_config,
)
from tests.support.soak import SOAK

SHARES = 5 if SOAK else 1
"""Number of tests that share the games of one game, so that they can run side by side."""

each_game = pytest.mark.parametrize("game", GAMES_WITH_ONE_TEMPLATE, ids=config_name)


@each_config
@pytest.mark.parametrize("share", range(SHARES))
def test_random_games_hold_every_promise(config: GameConfig, share: int) -> None:
    """Random games end, balance, refuse, replay, undo and redo, and can be corrected and amended."""
    check_game(config.game, games=RANDOM_GAMES // SHARES, seed=share, decks=config.decks)


@each_game
def test_the_lid_is_complete(game: Game) -> None:
    """A game has a title, at least one number of players, and options that say what they change."""
    least, most = game.players
    assert 1 <= least <= most
    assert game.title.in_language("en")
    for option in game.options:
        assert option.label.in_language("en")
        assert option.hint.in_language("en").endswith(".")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", GAMES, ids=config_name)
def test_hash_seeds_make_no_difference(game: Game) -> None:
    """Equal answers lead to an equal ledger and an equal log in every process."""
    prints = {seed: _fingerprint_in_other_process(game.key, seed) for seed in ("0", "31415")}
    assert prints["0"] == prints["31415"] == fingerprint(game)


def fingerprint(game: Game) -> str:
    """Returns a digest of all events, and of the places of all pieces, in five random games."""
    print_ = hashlib.sha256()
    for number in range(5):
        trial = RandomGame.begin(game, number, Random(number))
        play_randomly_to_end(trial.session, trial.rng)
        accounts = [repr(account) for account in trial.reopen_from_log().session.table.ledger]
        print_.update(repr((list(trial.log), accounts)).encode())
    return print_.hexdigest()


def _fingerprint_in_other_process(key: str, seed: str) -> str:
    program = (
        "from companion.installed_games import playable_game;"
        "from tests.conformance.test_games import fingerprint;"
        f"print(fingerprint(playable_game({key!r})))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.strip()
