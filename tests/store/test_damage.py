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
from tests.support.damaged_files import FILES, Evenings, kept, lost
from tests.support.sealed_bid_games import goes_on, play_round, resume
from tests.support.soak import SOAK

pytestmark = pytest.mark.unwatched
SHARES = 4
TRIALS = 250 if SOAK else 8
"""How often something is damaged between two evenings, in each share."""
WHILE_PLAYING = 50 if SOAK else 3


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Evenings:
    """What was acknowledged up to several moments."""
    return Evenings(tmp_path_factory.mktemp("evenings"))


@pytest.mark.parametrize("share", range(SHARES))
def test_a_damage_takes_nothing_or_is_told(evenings: Evenings, memory: Path, share: int) -> None:
    """Whatever one file suffers: all is there again but envelopes, and of these people are told."""
    for seed in range(share * 1_000_000, share * 1_000_000 + TRIALS):
        moment, *damage = evenings.damaged(seed, memory / "state")
        with closing(Store.open(memory / "state", for_writing=True)) as store:
            told = [render(notice) for notice in store.notices]
            found = kept(store)
            gone = lost(evenings.moments[moment], found)
            assert gone == [] or (gone == ["drafts"] and told), (seed, moment, damage, gone, told)
            if store.find_open_game():
                goes_on(resume(store))
        with closing(Store.open(memory / "state", for_writing=True)) as store:
            assert not any("damaged" in render(notice) for notice in store.notices), (seed, moment, damage)


@pytest.mark.parametrize("share", range(SHARES))
def test_a_damage_while_people_play_takes_nothing_or_is_told(
    evenings: Evenings, memory: Path, share: int
) -> None:
    """A file that is damaged under the program: what is acknowledged after it is there or missed, too."""
    for seed in range(share * 1_000_000, share * 1_000_000 + WHILE_PLAYING):
        rng = random.Random(seed)
        state = evenings.copy("some rounds", memory / "state")
        with closing(Store.open(state, for_writing=True)) as store:
            session = resume(store)
            play_round(session, 7, 8)
            file = state / rng.choice([name for name in FILES if (state / name).stat().st_size])
            damage = file.name, evenings.harm(file, rng, past=file)
            with suppress(CompanionError):
                for amount in range(rng.randint(1, 30)):
                    play_round(session, amount, 9)
            steps = list(session.steps)
        with closing(Store.open(state, for_writing=True)) as store:
            found = list(resume(store).steps)
            assert found[: len(steps)] == steps or store.notices, (seed, damage)
            assert found[: len(steps)] == steps[: len(found)], (seed, damage)
