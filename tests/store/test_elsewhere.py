"""A game whose state directory is lost goes on in another one, with all that was acknowledged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from companion.errors import EventNotSaved, StoreUnavailable
from companion.evening import Evening
from companion.jsonlines import play_over_streams
from companion.log.events import Began
from companion.session.session import Session
from companion.store import Store
from companion.terminal import Terminal, play_in_terminal
from tests.support.disks import pull_out
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    finish_open_round,
    resume_game,
    seal_bid,
    state_kept_by_restart,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own things lie."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def store(tmp_path: Path, home: Path) -> Iterator[Store]:
    """A table with tags and settings, whose directory can go away."""
    assert not home.exists()
    store = Store.open(tmp_path / "state", for_writing=True)
    store.assign_tag("04a2", "egypt", "6.1")
    store.save_value("sound", value=False)
    yield store
    store.close()


def begun(store: Store) -> Session:
    """A renamed player, a correction, a clock and an envelope that is in."""
    session = begin_game_with_open_envelope(store, rounds=3)
    session.rename_player(session.table.seats.find_seat("Ben"), "Dai")
    session.correct("bank", "Dai/front", "paid", 1, "forgotten")
    return session


def refused(session: Session) -> None:
    """Nobody can bid any more."""
    with pytest.raises(EventNotSaved):
        seal_bid(session, session.table.seats.seat_numbered(2).name, 7)


@pytest.mark.parametrize("opened", ["begun", "resumed"])
def test_a_game_goes_on_elsewhere_with_all_that_was_taken(store: Store, tmp_path: Path, opened: str) -> None:
    """Answers, corrections, names, envelopes, tags and settings come along; then it is kept there."""
    session = begun(store)
    if opened == "resumed":
        store.close()
        store = Store.open(tmp_path / "state", for_writing=True)
        session = resume_game(store)
    before = state_kept_by_restart(session)
    shutil.rmtree(tmp_path / "state")
    refused(session)
    place = store.find_new_directory_if_lost()
    assert place == tmp_path / "home" / "companion-2"
    store.move_current_game_to(place)
    assert (state_kept_by_restart(session), store.directory, store.find_new_directory_if_lost()) == (
        before,
        place,
        None,
    )
    seal_bid(session, "Dai", 7)
    session.answer(session.question_number, "again")
    after = state_kept_by_restart(session)
    store.close()
    with closing(Store.open(place, for_writing=True)) as again:
        assert again.notices == []
        assert state_kept_by_restart(resume_game(again)) == after
        assert [seat.name for seat in resume_game(again).table.seats] == ["Aki", "Dai"]
        assert (again.card_of_tag("04a2"), again.load_value("sound")) == (("egypt", "6.1"), False)
        assert [game.number for game in again.all_saved_games()] == [1]


def test_a_game_leaves_a_stick_that_was_pulled(memory_stick: Path, home: Path) -> None:
    """Nothing but what is in memory is needed."""
    store = Store.open(memory_stick / "state", for_writing=True)
    session = begun(store)
    before = state_kept_by_restart(session)
    pull_out(memory_stick)
    refused(session)
    store.move_current_game_to(home / "companion-2")
    assert state_kept_by_restart(session) == before
    finish_open_round(session)
    store.close()


def test_nobody_goes_on_among_other_games(store: Store, tmp_path: Path) -> None:
    """A directory with games is refused, and all stays as it was; a free name is proposed."""
    with closing(Store.open(tmp_path / "home" / "companion-2", for_writing=True)) as other:
        begin_game(other)
    session = begun(store)
    (tmp_path / "state").rename(tmp_path / "away")
    refused(session)
    with pytest.raises(StoreUnavailable, match="There are already other games in"):
        store.move_current_game_to(tmp_path / "home" / "companion-2")
    assert store.find_new_directory_if_lost() == tmp_path / "home" / "companion-3"
    (tmp_path / "away").rename(tmp_path / "state")
    seal_bid(session, "Dai", 7)
    assert store.find_new_directory_if_lost() is None


def test_where_the_user_may_not_write_nothing_is_proposed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then people only hear that their directory is gone."""
    session = begun(store)
    shutil.rmtree(tmp_path / "state")
    refused(session)
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/1")
    assert store.find_new_directory_if_lost() is None


def test_before_a_game_tags_and_settings_go_along(store: Store, home: Path, tmp_path: Path) -> None:
    """Nothing is on the table yet, or it didn't come to that."""
    shutil.rmtree(tmp_path / "state")
    with pytest.raises(StoreUnavailable):
        store.save_value("sound", value=True)
    store.move_current_game_to(home / "companion-2")
    assert (store.load_value("sound"), store.all_saved_games()) == (False, [])
    shutil.rmtree(home / "companion-2")
    with pytest.raises(EventNotSaved):
        begin_game(store)
    store.move_current_game_to(home / "companion-3")
    session = begin_game(store)
    shutil.rmtree(home / "companion-3")
    refused(session)
    store.move_current_game_to(home / "companion-4")
    seal_bid(session, "Ben", 7)
    assert isinstance(store.open_game_log(1).events()[0], Began)
    assert store.all_saved_games()[0].names == ("Aki", "Ben")


def test_programs_are_told_where_they_can_go_on(store: Store, home: Path, tmp_path: Path) -> None:
    """An error has the place, `go_on_in` goes there, and the question is open still."""
    session = begun(store)
    shutil.rmtree(tmp_path / "state")
    place = str(home / "companion-2")
    said = [
        {"n": session.question_number, "seat": "Dai", "answer": 7},
        {"do": "go_on_in", "directory": place},
        {"n": session.question_number, "seat": "Dai", "answer": 7},
    ]
    out = BytesIO()
    lines = b"".join(json.dumps(line).encode() + b"\n" for line in said)
    play_over_streams(session, BytesIO(lines), out, store)
    _, error, done, taken = map(json.loads, out.getvalue().splitlines())
    assert (error["elsewhere"], "The directory with the saved games" in error["error"]) == (place, True)
    assert (done["done"], done["n"], done["in"]) == ("go_on_in", error["n"], ["Aki"])
    assert taken["n"] == error["n"] + 1
    assert "elsewhere" not in taken


@pytest.mark.parametrize("agreed", [True, False])
def test_people_at_a_terminal_are_asked(store: Store, home: Path, tmp_path: Path, *, agreed: bool) -> None:
    """After the refusal; who says yes types the answer again, and hears at the end how to come back."""
    session = begun(store)
    shutil.rmtree(tmp_path / "state")
    place = home / "companion-2"
    there = Terminal(StringIO("7\nyes\n7\n" if agreed else "7\nno\n"), out := StringIO(), "en", {})
    assert play_in_terminal(session, there, tmp_path / "state", store) == 0
    text = out.getvalue()
    assert f"Save this game in {place} from now on, with all answers so far? (yes or no)" in text
    assert (f"The game continues in {place}." in text) is agreed
    assert f"--state {place if agreed else tmp_path / 'state'}\n" in text
    assert len(session.steps) == (5 if agreed else 4) + 3


def test_a_payment_that_was_refused_is_not_reported(store: Store, tmp_path: Path) -> None:
    """The game goes on elsewhere without it: the last event is shown only when the game is opened."""
    session = Evening(store).begin_game("any_game", ["Aki", "Ben"], {})
    opened = Terminal(StringIO("bank Aki 5\n"), StringIO(), "en", {})
    assert play_in_terminal(session, opened, tmp_path / "state", store) == 0
    shutil.rmtree(tmp_path / "state")
    resumed = Terminal(StringIO("bank Aki 7\nyes\n"), out := StringIO(), "en", {})
    assert play_in_terminal(session, resumed, tmp_path / "state", store) == 0
    text = out.getvalue()
    assert "The game continues in" in text
    assert text.count("5 coins from bank to Aki") == 1
