"""What older versions kept is brought up to date, and the game goes on where it stood."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.errors import RulesChanged
from companion.evening import Evening
from companion.store import Store, archive, restoring
from companion.store.database import look
from companion.store.schema import GAMES, version

OLD = Path(__file__).parent / "old_states"
SCHEMAS = range(1, len(GAMES) + 1)
OPEN, ASKS = 15, "Raise @2: chip 5"
ASKED_OTHERWISE = "Shuffle all cards"
"""How the deal was asked for before the first release."""


@pytest.fixture(params=SCHEMAS)
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A state directory as that version left it."""
    directory = tmp_path / "state"
    shutil.copytree(OLD / f"schema-{request.param}", directory)
    with closing(look(directory / "companion.sqlite3")) as db:
        assert version(db) == request.param
    return directory


def goes_on(state: Path) -> None:
    """The open game stands at its question, and can be played to its end; or it is said why it can't."""
    with closing(Store.open(state, playing=True)) as store:
        assert store.notices == []
        if (number := store.saved()[0].number) and ASKED_OTHERWISE in str(store.log(number).events()):
            with pytest.raises(RulesChanged, match="Event 2 no longer fits: “Shuffle all cards"):
                Evening(store).resume()
            return
        session, rng = Evening(store).resume(), Random(1)
        assert session.question is not None
        assert (session.n, session.question.asks) == (OPEN, ASKS)
        assert [seat.name for seat in session.table.seats] == ["Aki", "Ben", "ちえ"]
        while (question := session.question) is not None:
            session.answer(session.n, question.dump(question.sample(rng)))
        assert session.result is not None


def test_a_game_of_an_older_version_goes_on(state: Path) -> None:
    """At its very question, with all its people, and a second start finds it up to date."""
    Store.open(state, playing=True).close()
    goes_on(state)


def test_who_only_looks_changes_nothing(state: Path) -> None:
    """The older version could still read it."""
    before = (state / "companion.sqlite3").read_bytes()
    with closing(Store.open(state)) as store:
        assert [one.game for one in store.saved()] == ["egypt"]
    assert (state / "companion.sqlite3").read_bytes() == before


def test_a_copy_of_an_older_version_comes_back(state: Path, tmp_path: Path) -> None:
    """As it was kept; it is brought up to date when somebody plays."""
    archive.keep(state, tmp_path / "kept.zip", "0.1.0", "2026-11-24 03:00:00", {})
    restoring.restore(tmp_path / "new", tmp_path / "kept.zip")
    goes_on(tmp_path / "new")
