"""What older versions kept is brought up to date, and the game goes on where it stood."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.errors import RulesDifferFromLog
from companion.evening import Evening
from companion.store import Store, archive
from companion.store.database import GAMES_MIGRATIONS, open_read_only, schema_version
from companion.testing.random_game import play_randomly_to_end
from tests.support.disks import memory_directory
from tests.support.in_process import run_in_process

OLD = Path(__file__).parents[1] / "old_states"
SCHEMAS = range(1, len(GAMES_MIGRATIONS) + 1)
OPEN, ASKS = 15, "Raise @2: chip 5"
ASKED_OTHERWISE = "Shuffle all cards"
"""How the deal was asked for before the first release."""
RELEASED = OLD / "release-0.2.0"
TOLD = json.loads((RELEASED / "told.json").read_text(encoding="utf-8"))
"""What that release itself said of its unfinished games."""


@pytest.fixture(params=SCHEMAS)
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A state directory as that version left it."""
    directory = tmp_path / "state"
    shutil.copytree(OLD / f"schema-{request.param}", directory)
    with closing(open_read_only(directory / "companion.sqlite3")) as db:
        assert schema_version(db) == request.param
    return directory


def goes_on(state: Path) -> None:
    """The open game stands at its question, and can be played to its end; or it is said why it can't."""
    with closing(Store.open(state, for_writing=True)) as store:
        assert store.notices == []
        if (number := store.all_saved_games()[0].number) and ASKED_OTHERWISE in str(
            store.open_game_log(number).events()
        ):
            with pytest.raises(RulesDifferFromLog, match="“Shuffle all cards"):
                Evening(store).resume_game()
            return
        session, rng = Evening(store).resume_game(), Random(1)
        assert session.question is not None
        assert (session.question_number, session.question.log_key) == (OPEN, ASKS)
        assert [seat.name for seat in session.table.seats] == ["Aki", "Ben", "ちえ"]
        while (question := session.question) is not None:
            session.answer(
                session.question_number, question.answer_to_json(question.random_legal_answer(rng))
            )
        assert session.result is not None


def test_a_game_of_an_older_version_goes_on(state: Path) -> None:
    """At its very question, with all its people, and a second start finds it up to date."""
    Store.open(state, for_writing=True).close()
    goes_on(state)


def test_who_only_looks_changes_nothing(state: Path) -> None:
    """The older version could still read it."""
    before = (state / "companion.sqlite3").read_bytes()
    with closing(Store.open(state)) as store:
        assert [one.game for one in store.all_saved_games()] == ["egypt"]
    assert (state / "companion.sqlite3").read_bytes() == before


def test_a_copy_of_an_older_version_comes_back(state: Path, tmp_path: Path) -> None:
    """As it was kept; it is brought up to date when somebody plays."""
    archive.write_archive(state, tmp_path / "kept.zip", "0.1.0", "2026-11-24 03:00:00", {})
    archive.restore_archive(tmp_path / "new", tmp_path / "kept.zip")
    goes_on(tmp_path / "new")


@pytest.fixture
def released() -> Iterator[Path]:
    """A state directory as release 0.2.0 left it."""
    with memory_directory() as there:
        directory = Path(there) / "state"
        shutil.copytree(RELEASED, directory, ignore=shutil.ignore_patterns("told.json"))
        yield directory


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told["game"])
def test_every_unfinished_game_of_a_release_goes_on(released: Path, told: dict[str, object]) -> None:
    """At its very question, though undone, amended and corrected; its envelopes hold what they held."""
    with closing(Store.open(released, for_writing=True)) as store:
        assert store.notices == []
        evening = Evening(store)
        (saved,) = (one for one in evening.unfinished_games() if one.game == told["game"])
        session = evening.resume_game(saved)
        assert session.question is not None
        assert told == {
            "game": saved.game,
            "n": session.question_number,
            "asks": session.question.log_key,
            "names": [seat.name for seat in session.table.seats],
            "in": {seat.name: draft.answer for seat, draft in session.drafts.items()},
        }
        play_randomly_to_end(session, Random(1))
        assert session.result is not None


def test_what_was_over_in_a_release_is_seen_with_its_score(released: Path) -> None:
    """Finished and put away, one of every game, as they ended; also what was taught and set."""
    with closing(Store.open(released, for_writing=True)) as store:
        evening = Evening(store)
        over = evening.past_games()
        assert {one.game for one in over} == {told["game"] for told in TOLD}
        assert {one.state for one in over} == {"finished", "put away"}
        for saved in over:
            evening.show_finished_game(saved)
            assert evening.view_for().result is not None
        assert store.card_of_tag("04a2b3c4d5e680") is not None
        assert store.load_value("lang") == "ja"


def test_every_game_of_a_release_is_still_proved(released: Path) -> None:
    """No bid changed, all in order, and the score that was kept is the one that the log leads to."""
    with closing(Store.open(released)) as store:
        numbers = [saved.number for saved in store.all_saved_games()]
    for number in numbers:
        ended = run_in_process(["verify", str(number), "--state", str(released)])
        assert ended.status == 0, ended.output + ended.error_output
