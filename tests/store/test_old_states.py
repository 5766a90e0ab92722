"""What older versions kept is brought up to date, and the game goes on where it stood."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.errors import RulesDifferFromLog
from companion.evening import Evening
from companion.pin import is_pin_correct
from companion.settings import Settings, load_settings
from companion.store import Store, archive
from companion.store.database import GAMES_MIGRATIONS, open_read_only, schema_version
from companion.testing.random_game import play_randomly_to_end
from scripts.old_states import describe_unfinished_game
from tests.support.disks import memory_directory
from tests.support.in_process import run_in_process

OLD = Path(__file__).parents[1] / "old_states"
SCHEMAS = range(1, len(GAMES_MIGRATIONS) + 1)
OPEN, ASKS = 15, "Raise @2: chip 5"
ASKED_OTHERWISE = "Shuffle all cards"
"""How the deal was asked for before the first release."""
SETTINGS = {
    "release-0.2.0": Settings(),
    "release-0.3.0": Settings(
        language="ja",
        placement="flat",
        volume=5,
        dim_after="10",
        large_text=True,
        house_rules={
            "egypt": {"pay_rule": "winning_bid"},
            "any_game plain": {"wins": "lowest", "most": 12},
        },
    ),
}
"""What people had set in each release, but for the PIN."""
PINS = {"release-0.3.0": "0042"}
TEMPLATES = {"release-0.3.0": "our-railway"}
"""A template of Any Game that people had made, by release."""
TOLD = {
    release: json.loads((OLD / release / "told.json").read_text(encoding="utf-8")) for release in SETTINGS
}
"""What each release itself said of its unfinished games, in the order of their numbers."""
GAMES = [(release, game) for release in TOLD for game in sorted({told["game"] for told in TOLD[release]})]
"""Each release with each of its games."""
UNFINISHED = [
    pytest.param(release, index, id=f"{release}-{index}-{told['game']}")
    for release in TOLD
    for index, told in enumerate(TOLD[release])
]


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


@pytest.fixture(params=TOLD)
def release(request: pytest.FixtureRequest) -> str:
    """The name of a folder that a release left."""
    return str(request.param)


@pytest.fixture
def released(release: str) -> Iterator[Path]:
    """A state directory as that release left it."""
    with memory_directory() as there:
        directory = Path(there) / "state"
        copy_release(release, directory)
        yield directory


def copy_release(release: str, directory: Path) -> None:
    """Makes a state directory as a release left it."""
    shutil.copytree(OLD / release, directory, ignore=shutil.ignore_patterns("told.json"))


def test_each_release_is_opened() -> None:
    """No folder is left out."""
    assert sorted(TOLD) == sorted(folder.name for folder in OLD.glob("release-*"))


@pytest.mark.parametrize(("release", "index"), UNFINISHED)
def test_every_unfinished_game_of_a_release_goes_on(release: str, released: Path, index: int) -> None:
    """At its very question, though undone, amended and corrected; its envelopes hold what they held."""
    with closing(Store.open(released, for_writing=True)) as store:
        assert store.notices == []
        evening = Evening(store)
        unfinished = sorted(evening.unfinished_games(), key=lambda saved: saved.number)
        assert len(unfinished) == len(TOLD[release])
        session = evening.resume_game(unfinished[index])
        assert describe_unfinished_game(session) == TOLD[release][index]
        play_randomly_to_end(session, Random(1))
        assert session.result is not None


def test_what_was_over_in_a_release_is_seen_with_its_score(release: str, released: Path) -> None:
    """Finished and put away, one of every game, as they ended; also what was taught."""
    with closing(Store.open(released, for_writing=True)) as store:
        evening = Evening(store)
        over = evening.past_games()
        assert {one.game for one in over} == {told["game"] for told in TOLD[release]}
        assert {one.state for one in over} == {"finished", "put away"}
        for saved in over:
            evening.show_finished_game(saved)
            assert evening.view_for().result is not None
        assert store.card_of_tag("04a2b3c4d5e680") is not None


def test_what_was_set_in_a_release_is_still_set(release: str, released: Path) -> None:
    """Each setting and each house rule, and none is refused."""
    with closing(Store.open(released)) as store:
        settings, faults = load_settings(store)
    assert faults == []
    assert msgspec.structs.replace(settings, pin="") == SETTINGS[release]


@pytest.mark.parametrize(("release", "pin"), PINS.items())
def test_the_pin_of_a_release_is_still_the_pin(released: Path, pin: str) -> None:
    """And no other one is."""
    with closing(Store.open(released)) as store:
        saved_pin = load_settings(store)[0].pin
    assert is_pin_correct(pin, saved_pin)
    assert not is_pin_correct(pin[::-1], saved_pin)


@pytest.mark.parametrize(("release", "template"), TEMPLATES.items())
def test_a_game_begins_with_a_template_of_a_release(released: Path, template: str) -> None:
    """It can be played to its end."""
    with closing(Store.open(released, for_writing=True)) as store:
        session = Evening(store).begin_game("any_game", ["Aki", "Ben"], {"template": template})
        play_randomly_to_end(session, Random(1))
        assert session.result is not None


def test_every_game_of_a_release_is_still_proved(released: Path) -> None:
    """No bid changed, all in order, and the score that was kept is the one that the log leads to."""
    with closing(Store.open(released)) as store:
        numbers = [saved.number for saved in store.all_saved_games()]
    for number in numbers:
        ended = run_in_process(["verify", str(number), "--state", str(released)])
        assert ended.status == 0, ended.output + ended.error_output
