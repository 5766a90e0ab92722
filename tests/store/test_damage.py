"""Files that a disk has damaged: what was acknowledged is there again, or people are told.

How they are damaged stands in `tests.support.damaged_files`.
"""

from __future__ import annotations

import random
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.store import Store
from companion.texts import render
from tests.support.damaged_files import DAMAGEABLE_FILES, DamageSource, missing_data, read_saved_state
from tests.support.sealed_bid_games import finish_open_round, play_round, resume_game
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage
SHARES = 4
TRIALS = 250 if SOAK else 4
"""How often something is damaged between two evenings, in each share."""
WHILE_PLAYING = 50 if SOAK else 3


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> DamageSource:
    """What was acknowledged up to several moments."""
    return DamageSource(tmp_path_factory.mktemp("evenings"))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("share", range(SHARES))
def test_a_damage_takes_nothing_or_is_told(evenings: DamageSource, fast_directory: Path, share: int) -> None:
    """Whatever one file suffers: all is there again but envelopes, and of these people are told."""
    for seed in range(share * 1_000_000, share * 1_000_000 + TRIALS):
        moment, *damage = evenings.copy_with_damage(seed, fast_directory / "state")
        with closing(Store.open(fast_directory / "state", for_writing=True)) as store:
            told = [render(notice) for notice in store.notices]
            found = read_saved_state(store)
            gone = missing_data(evenings.state_by_moment[moment], found)
            assert gone == [] or (gone == ["drafts"] and told), (seed, moment, damage, gone, told)
            if store.find_open_game():
                finish_open_round(resume_game(store))
        with closing(Store.open(fast_directory / "state", for_writing=True)) as store:
            assert not any("damaged" in render(notice) for notice in store.notices), (seed, moment, damage)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("share", range(SHARES))
def test_a_damage_while_people_play_takes_nothing_or_is_told(
    evenings: DamageSource, fast_directory: Path, share: int
) -> None:
    """A file that is damaged under the program: what is acknowledged after it is there or missed, too."""
    for seed in range(share * 1_000_000, share * 1_000_000 + WHILE_PLAYING):
        rng = random.Random(seed)
        state = evenings.copy_moment("some rounds", fast_directory / "state")
        with closing(Store.open(state, for_writing=True)) as store:
            session = resume_game(store)
            play_round(session, 7, 8)
            file = state / rng.choice([name for name in DAMAGEABLE_FILES if (state / name).stat().st_size])
            damage = file.name, evenings.damage_file(file, rng, past=file)
            with suppress(CompanionError):
                for amount in range(rng.randint(1, 30)):
                    play_round(session, amount, 9)
            steps = list(session.steps)
        with closing(Store.open(state, for_writing=True)) as store:
            found = list(resume_game(store).steps)
            assert found[: len(steps)] == steps or store.notices, (seed, damage)
            assert found[: len(steps)] == steps[: len(found)], (seed, damage)
