"""What the store keeps, and that a game goes on from it as if nothing had happened."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import EventNotSaved, StoreUnavailable, UnknownName
from companion.files.state_directory import state_directory
from companion.games.sealed_bid.rulebook import GAME
from companion.log.events import Sealed
from companion.log.log import SealedDraft
from companion.session.session import Session
from companion.store import SavedGame, Store, is_state_directory_in_use
from companion.store.database import GAMES_MIGRATIONS, migrate, schema_version
from companion.texts import render, text_to_json
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    play_last_round_and_put_away,
    play_round,
    resume_game,
    seal_bid,
    state_kept_by_restart,
)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory that doesn't exist yet."""
    return tmp_path / "state"


@pytest.fixture
def store(state: Path) -> Iterator[Store]:
    """Somebody plays."""
    store = Store.open(state, for_writing=True)
    yield store
    store.close()


def test_whether_somebody_plays_is_found_out_without_a_trace(
    store: Store, state: Path, tmp_path: Path
) -> None:
    """While a store is open for playing its directory is taken; where nothing is kept, nothing is made."""
    assert is_state_directory_in_use(state)
    store.close()
    assert not is_state_directory_in_use(state)
    assert not is_state_directory_in_use(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def reopened(store: Store, state: Path) -> Store:
    """The program ended and was started again."""
    store.close()
    return Store.open(state, for_writing=True)


# Where


def test_the_next_may_play_though_a_program_still_has_the_lock_open(state: Path) -> None:
    """A program that is being started has a copy of every descriptor until it has begun."""
    first = Store.open(state, for_writing=True)
    held = [int(fd.name) for fd in Path("/proc/self/fd").iterdir() if is_lock(fd, state)]
    copies = [os.dup(fd) for fd in held]
    assert len(copies) == 1
    first.close()
    try:
        Store.open(state, for_writing=True).close()
    finally:
        os.close(copies[0])


def is_lock(descriptor: Path, state: Path) -> bool:
    """Whether an open file is the lock of that directory."""
    try:
        return descriptor.readlink() == state / "lock"
    except FileNotFoundError:  # the listing's own, closed meanwhile
        return False


def test_the_given_directory_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """--state comes before $COMPANION_STATE, and that before the XDG state directory."""
    monkeypatch.setenv("COMPANION_STATE", "/own")
    monkeypatch.setenv("XDG_STATE_HOME", "/xdg")
    monkeypatch.setenv("HOME", "/home/aki")
    assert state_directory(Path("/given")) == Path("/given")
    assert state_directory(None) == Path("/own")
    monkeypatch.delenv("COMPANION_STATE")
    assert state_directory(None) == Path("/xdg/companion")
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    assert state_directory(None) == Path("/home/aki/.local/state/companion")


# Games


def test_a_game_begins_with_its_first_event(store: Store) -> None:
    """A log that was never begun is no game; the first event gives it a number and lists it as open."""
    log = store.new_game_log()
    assert (log.number, store.all_saved_games()) == (None, [])
    begin_game(store)
    assert store.find_open_game() == SavedGame(1, "sealed_bid", ("Aki", "Ben"), "open", None)


def test_one_game_is_open_and_the_others_wait(store: Store) -> None:
    """A new game makes the open one wait; taking up a waiting one makes the other wait."""
    begin_game(store)
    begin_game(store, ["Chie", "Dan"])
    assert [(game.number, game.state) for game in store.all_saved_games()] == [(2, "open"), (1, "waiting")]
    assert store.open_game_log(1).number == 1
    assert [(game.number, game.state) for game in store.all_saved_games()] == [(2, "waiting"), (1, "open")]


def test_two_open_games_are_impossible(store: Store, state: Path) -> None:
    """The database itself refuses a second open game."""
    begin_game(store)
    begin_game(store)
    with (
        sqlite3.connect(state / "companion.sqlite3") as db,
        pytest.raises(sqlite3.IntegrityError, match="UNIQUE"),
    ):
        db.execute("UPDATE game SET state = 'open'")
    db.close()


def test_a_finished_game_is_a_plain_row(store: Store) -> None:
    """Put away with its result, a game lists its final score as JSON and is opened by nobody any more."""
    session = begin_game(store)
    play_last_round_and_put_away(session)
    assert session.result is not None
    (game,) = store.all_saved_games()
    assert (game.state, game.winners) == ("finished", ["Aki"])
    assert game.result is not None
    assert [standing["seat"] for standing in game.result["standings"]] == ["Aki", "Ben"]
    assert len(store.open_game_log(1).events()) == 6
    assert store.find_open_game() is None


def test_a_game_put_away_unfinished_keeps_the_score_so_far(store: Store) -> None:
    """Put away before its end, a game stays in the history as that, with the score so far."""
    score = begin_game(store).put_away()
    assert score is not None
    assert store.all_saved_games() == [
        SavedGame(1, "sealed_bid", ("Aki", "Ben"), "put away", score.to_json(text_to_json))
    ]
    assert store.open_game_log(1).events() != []
    assert store.find_open_game() is None


def test_an_unknown_game_is_refused(store: Store) -> None:
    """A number that no game has is named."""
    with pytest.raises(UnknownName, match="There is no saved game 9"):
        store.open_game_log(9)


def test_the_log_is_readable_rows(store: Store, state: Path) -> None:
    """Game, place, question, kind and JSON stand in a table that any SQLite tool shows."""
    play_round(begin_game(store), 5, 3)
    with sqlite3.connect(state / "companion.sqlite3") as db:
        rows = db.execute("SELECT game, seq, n, kind, json_extract(body, '$.via') FROM event").fetchall()
    db.close()
    assert rows == [
        (1, 1, 0, "Began", None),
        (1, 2, 1, "Sealed", None),
        (1, 3, 1, "Sealed", None),
        (1, 4, 1, "Answered", "screen"),
        (1, 5, 2, "Answered", "screen"),
    ]


def test_a_restart_changes_nothing_at_any_event(store: Store, state: Path) -> None:
    """After every event of a game the store gives back the same question, drafts, steps and table."""
    session = begin_game(store)
    acts: list[Callable[[Session], object]] = [
        lambda s: seal_bid(s, "Aki", 5),
        lambda s: seal_bid(s, "Aki", 6),
        lambda s: seal_bid(s, "Ben", 3),
        lambda s: s.undo(past_reveal=True),
        lambda s: seal_bid(s, "Ben", 4),
        lambda s: seal_bid(s, "Aki", 2),
        lambda s: s.answer(s.question_number, "again"),
        lambda s: s.correct("bank", "Ben/front", "paid", 2, "forgotten"),
        lambda s: seal_bid(s, "Ben", 9),
        lambda s: s.undo(),
        lambda s: s.redo(),
        lambda s: s.amend_answer(3, 7, s.table.seats[0]),
        lambda s: seal_bid(s, "Aki", 1),
        lambda s: seal_bid(s, "Ben", 1),
        lambda s: s.answer(s.question_number, "finish"),
    ]
    for act in acts:
        act(session)
        store = reopened(store, state)
        again = resume_game(store)
        assert state_kept_by_restart(session) == state_kept_by_restart(again)
        session = again
    assert session.result is not None
    store.close()


# Drafts


def test_drafts_of_another_question_are_erased_at_the_start(store: Store, state: Path) -> None:
    """A draft that a crash left behind for a question no longer open is gone once the game is opened."""
    session = begin_game_with_open_envelope(store, rounds=1)
    store.open_game_log(1).add_draft(SealedDraft(1, 2, 8, "left behind"))
    store = reopened(store, state)
    assert len(store.open_game_log(1).drafts()) == 2
    resumed = resume_game(store)
    assert list(resumed.drafts.values()) == store.open_game_log(1).drafts() == list(session.drafts.values())
    store.close()


def test_drafts_without_a_game_are_erased(store: Store, state: Path) -> None:
    """Drafts of a game that is finished or isn't listed are gone once the directory is opened."""
    play_last_round_and_put_away(begin_game(store))
    store.open_game_log(1).add_draft(SealedDraft(1, 2, 8, "left behind"))
    store = reopened(store, state)
    assert store.open_game_log(1).drafts() == []
    store.close()


def test_drafts_of_a_waiting_game_stay(store: Store, state: Path) -> None:
    """A game that waits keeps what is in its envelopes, whatever the open game erases."""
    begin_game_with_open_envelope(store, rounds=1)
    play_last_round_and_put_away(begin_game(store, ["Chie", "Aki", "Ben"][1:]))
    store = reopened(store, state)
    assert [draft.answer for draft in resume_game(store, 1).drafts.values()] == [4]
    store.close()


def test_a_complete_set_is_answered_at_the_start(state: Path) -> None:
    """If the power went after the last envelope and before the reveal, the start opens them all."""
    store = Store.open(state, for_writing=True)
    session = begin_game_with_open_envelope(store, rounds=0)
    log = store.open_game_log(1)
    draft = SealedDraft(session.question_number, 2, 9, "salt")
    log.add_draft(draft)
    log.append(Sealed(session.question_number, 2, draft.commitment))
    store = reopened(store, state)
    resumed = resume_game(store)
    assert resumed.question is not None
    assert (resumed.question.kind, resumed.drafts, store.open_game_log(1).drafts()) == ("Choose", {}, [])
    store.close()


def test_nothing_of_a_draft_is_in_the_first_file(store: Store, state: Path) -> None:
    """Until the reveal a sealed value is in no file but the drafts' own; after it, in that one no more."""
    session = begin_game(store)
    session.put_answer_in_envelope(1, session.table.seats[0], 733)
    session.put_answer_in_envelope(1, session.table.seats[0], 734)
    assert not any(_holds(path, b'"answer":733') for path in state.rglob("*"))
    holders = {path.parent.name for path in state.rglob("*") if _holds(path, b'"answer":734')}
    assert holders == {"sealed"}
    seal_bid(session, "Ben", 1)
    holders = {path.parent.name for path in state.rglob("*") if _holds(path, b"734")}
    assert holders == {"state"}


@pytest.mark.parametrize("size", [3, 400, 1500, 9000])
def test_what_is_erased_is_in_no_file(store: Store, state: Path, size: int) -> None:
    """Drafts of any size, replaced again and again, leave nothing behind in the file or its -wal."""
    begin_game(store)
    log = store.open_game_log(1)
    kept: dict[int, SealedDraft] = {}
    for turn in range(60):
        kept[turn % 5] = SealedDraft(1, turn % 5, f"secret{turn:03}" * (size // 9 + 1), "salt")
        log.add_draft(kept[turn % 5])
        if turn % 3 == 0:
            log.delete_drafts(drafts_to_keep=kept.values())
    log.delete_drafts(drafts_to_keep=kept.values())
    gone = [f"secret{turn:03}".encode() for turn in range(55)]
    files = [path for path in (state / "sealed").iterdir() if not path.name.endswith("-shm")]
    assert [mark for mark in gone for path in files if _holds(path, mark)] == []
    assert sorted(log.drafts(), key=lambda draft: draft.seat) == [kept[seat] for seat in range(5)]
    log.delete_drafts()
    assert not any(_holds(path, b"secret") for path in files)


def _holds(path: Path, mark: bytes) -> bool:
    return path.is_file() and mark in path.read_bytes()


def modes(directory: Path) -> dict[str, str]:
    """Who may do what with each file, in octal."""
    files = (file for file in directory.rglob("*") if file.is_file())
    return {file.name: f"{stat.S_IMODE(file.stat().st_mode):o}" for file in files}


@pytest.fixture
def careless() -> Iterator[None]:
    """A user whose new files everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_only_the_owner_can_read_what_is_kept(state: Path) -> None:
    """Every file is 0600 whatever the umask and the directory's mode, even where it was laid open before."""
    state.mkdir(mode=0o777)
    Store.open(state, for_writing=True).close()
    (state / "sealed").chmod(0o755)
    for file in state.rglob("*.sqlite3"):
        file.chmod(0o666)
    store = Store.open(state, for_writing=True)
    seal_bid(begin_game(store), "Aki", 5)
    assert modes(state) == dict.fromkeys(
        ["lock"]
        + [
            f"{name}.sqlite3{suffix}"
            for name in ("companion", "backup", "drafts")
            for suffix in ("", "-wal", "-shm")
        ],
        "600",
    )
    assert stat.S_IMODE((state / "sealed").stat().st_mode) == 0o700
    store.close()


@pytest.mark.usefixtures("careless")
def test_what_a_kill_left_open_to_all_is_closed(state: Path) -> None:
    """The files that SQLite keeps beside a database take its mode at the next start."""
    state.mkdir()
    games = sqlite3.connect(state / "companion.sqlite3")
    games.execute("PRAGMA journal_mode = WAL")
    games.execute("CREATE TABLE left_over (x)")
    assert modes(state)["companion.sqlite3-wal"] == "644"
    store = Store.open(state, for_writing=True)
    assert set(modes(state).values()) == {"600"}
    store.close()
    games.close()


# Tags and settings


def test_a_tag_is_the_card_it_was_learnt_as(store: Store, state: Path) -> None:
    """A tag nobody has learnt is None; learnt again, it is the new card; a restart forgets none."""
    assert store.card_of_tag("04a2") is None
    store.assign_tag("04a2", "egypt", "6.1")
    store.assign_tag("04a2", "egypt", "6.2")
    store = reopened(store, state)
    assert store.card_of_tag("04a2") == ("egypt", "6.2")
    assert store.tag_uid_by_card("egypt") == {"6.2": "04A2"}
    store.close()


def test_a_tag_is_one_card_and_a_card_has_one_tag(store: Store) -> None:
    """A card that gets another tag gives up the one it had; cards of other decks keep theirs."""
    store.assign_tag("04A2", "egypt", "6.1")
    store.assign_tag("04B3", "egypt", "6.1")
    store.assign_tag("04C4", "mammon", "spy.1")
    assert (store.card_of_tag("04A2"), store.card_of_tag("04b3")) == (None, ("egypt", "6.1"))
    assert (store.tag_uid_by_card("egypt"), store.tag_uid_by_card("mammon")) == (
        {"6.1": "04B3"},
        {"spy.1": "04C4"},
    )
    store.close()


def test_a_forgotten_tag_is_nobodys(store: Store, state: Path) -> None:
    """It stays forgotten after a restart, and where the games had to be taken from their backup."""
    for uid, card in (("04A2", "6.1"), ("04B3", "6.2")):
        store.assign_tag(uid, "egypt", card)
    store = reopened(store, state)
    store.unassign_tag("04a2")
    store.unassign_tag("FFFF")
    store = reopened(store, state)
    store.close()
    for path in state.glob("companion.sqlite3*"):
        path.unlink()
    store = Store.open(state, for_writing=True)
    assert (store.card_of_tag("04A2"), store.tag_uid_by_card("egypt")) == (None, {"6.2": "04B3"})
    store.assign_tag("04A2", "egypt", "6.3")
    assert store.tag_uid_by_card("egypt") == {"6.2": "04B3", "6.3": "04A2"}
    store.close()


@pytest.mark.parametrize("value", [None, 0, "日本語", ["Aki", "Ben"], {"limit": 30, "sound": False}])
def test_a_setting_comes_back_as_it_was(store: Store, state: Path, value: object) -> None:
    """What was set comes back after a restart; what never was is the default."""
    assert store.load_value("key", default="unset") == "unset"
    store.save_value("key", 1)
    store.save_value("key", value)
    store = reopened(store, state)
    assert store.load_value("key", default="unset") == value
    store.close()


# Reading


def test_a_reader_sees_what_is_played(store: Store, state: Path) -> None:
    """Reading needs no lock and sees every event at once."""
    session = begin_game(store)
    looking = Store.open(state)
    play_round(session, 5, 3)
    assert len(looking.open_game_log(1).events()) == 5
    assert looking.find_open_game() == store.find_open_game()
    looking.close()


def test_a_reader_of_nothing_finds_no_games(state: Path) -> None:
    """Reading a directory that doesn't exist finds nothing and makes nothing."""
    looking = Store.open(state)
    assert (looking.all_saved_games(), looking.card_of_tag("04a2"), looking.notices) == ([], None, [])
    assert not state.exists()
    looking.close()


def test_a_reader_changes_nothing(store: Store, state: Path) -> None:
    """Who only reads sees no drafts, opens no other game, and gets no answer taken."""
    begin_game_with_open_envelope(store, rounds=1)
    begin_game(store)
    looking = Store.open(state)
    session = resume_game(looking, 1)
    assert session.drafts == {}
    with pytest.raises(EventNotSaved, match="no permission to write"):
        seal_bid(session, "Ben", 5)
    with pytest.raises(StoreUnavailable, match="no permission to write"):
        looking.assign_tag("04a2", "egypt", "6.1")
    looking.close()
    assert [(game.number, game.state) for game in store.all_saved_games()] == [(2, "open"), (1, "waiting")]
    assert len(resume_game(store, 1).drafts) == 1


def test_a_reader_needs_no_older_file_brought_up_to_date(state: Path) -> None:
    """A file from before the newest migration is read through a copy and stays as it was."""
    state.mkdir()
    with sqlite3.connect(state / "companion.sqlite3") as db:
        db.execute("CREATE TABLE older (it)")
    db.close()
    looking = Store.open(state)
    assert looking.all_saved_games() == []
    looking.close()
    db = sqlite3.connect(state / "companion.sqlite3")
    assert schema_version(db) == 0
    db.close()


# Migrations


def test_migrations_run_once_and_whole() -> None:
    """Each migration is done once; one that fails leaves the database at the version before it."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, ["CREATE TABLE a (x)"])
    migrate(db, ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y"])
    assert schema_version(db) == 2
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(db, ["", "", "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)"])
    db.execute("ROLLBACK")
    assert schema_version(db) == 2
    assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("a",)]
    db.close()


def test_foreign_triggers_of_our_tables_go(store: Store, state: Path) -> None:
    """What somebody made to act on the saved games is gone once somebody plays; their own tables stay."""
    begin_game_with_open_envelope(store, rounds=2)
    store.close()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as db:
        db.execute("CREATE TABLE theirs (x)")
        db.execute("CREATE TRIGGER gone AFTER INSERT ON event BEGIN DELETE FROM event; END")
        db.execute("CREATE UNIQUE INDEX only_one ON event (game, seq, body)")
        db.commit()
    again = Store.open(state, for_writing=True)
    assert again.notices == []
    session = resume_game(again)
    play_round(session, 1, 2)
    assert len(again.open_game_log(1).events()) > 2
    again.close()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
    assert "theirs" in names
    assert names.isdisjoint({"gone", "only_one"})


def test_migrations_need_no_second_look(store: Store, state: Path) -> None:
    """Opening again keeps every row."""
    session = begin_game_with_open_envelope(store, rounds=2)
    store = reopened(store, state)
    assert state_kept_by_restart(resume_game(store)) == state_kept_by_restart(session)
    assert (
        Session(GAME, store.open_game_log(1).events(), store.open_game_log(1)).question_number
        == session.question_number
    )
    db = sqlite3.connect(state / "companion.sqlite3")
    assert schema_version(db) == len(GAMES_MIGRATIONS)
    db.close()
    store.close()


def test_where_files_have_no_owners_that_is_said(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a stick with FAT all is kept; whoever plays is told that others can look into envelopes."""
    (state / "sealed").mkdir(parents=True)
    (state / "sealed").chmod(0o755)
    monkeypatch.setattr(Path, "chmod", lambda *_: None)  # as FAT takes it: nothing happens
    with closing(Store.open(state, for_writing=True)) as store:
        (notice,) = store.notices
        assert "Every user of this machine can read sealed answers" in render(notice)
        seal_bid(begin_game(store), "Aki", 5)
    with closing(Store.open(state, for_writing=True)) as store:
        assert [draft.answer for draft in resume_game(store).drafts.values()] == [5]
