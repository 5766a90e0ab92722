"""Damaged files: set aside by name, never deleted, and as much rescued as can be read."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from companion.errors import StoreUnavailable
from companion.log.events import Sealed
from companion.session.session import Session
from companion.store import Store
from companion.texts import render
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    play_last_round_and_put_away,
    play_round,
    resume_game,
    seal_bid,
    state_kept_by_restart,
)

PAGE = 4096
FINISHED, BACKED_UP, WHOLE = 6, 82, 118
"""How many events the finished game has, the open one in the backup, and the open one in all."""


@pytest.fixture
def state(sound: Path, tmp_path: Path) -> Path:
    """Such a directory, to damage."""
    return shutil.copytree(sound, tmp_path / "state")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state directory with a finished game, a waiting one, a tag, a setting and an open game.

    The backup is the one made when it was opened last, as if the plug had been pulled; the open game has
    gone on since.
    """
    state = tmp_path_factory.mktemp("sound") / "state"
    store = Store.open(state, for_writing=True)
    play_last_round_and_put_away(begin_game(store))
    begin_game_with_open_envelope(store, rounds=20)
    store.assign_tag("04a2", "egypt", "6.1")
    store.save_value("sound", value=False)
    begin_game_with_open_envelope(store, rounds=20)
    store.close()
    store = Store.open(state, for_writing=True)
    backup = (state / "backup.sqlite3").read_bytes()
    session = resume_game(store)
    seal_bid(session, "Ben", 1)
    session.answer(session.question_number, "again")
    for amount in range(8):
        play_round(session, amount, amount + 1)
    seal_bid(session, "Aki", 4)
    store.close()
    (state / "backup.sqlite3").write_bytes(backup)
    return state


def opened(state: Path) -> tuple[Store, list[str]]:
    """The directory as it opens, and what it says."""
    store = Store.open(state, for_writing=True)
    return store, [render(notice) for notice in store.notices]


def truncate(path: Path) -> None:
    """The second half is missing."""
    os.truncate(path, path.stat().st_size // 2 // PAGE * PAGE)


def truncate_oddly(path: Path) -> None:
    """The file ends in the middle of a page."""
    os.truncate(path, path.stat().st_size * 2 // 3 + 77)


def empty(path: Path) -> None:
    """Nothing is left."""
    os.truncate(path, 0)


def overwrite_header(path: Path) -> None:
    """The first hundred bytes are something else."""
    overwrite(path, 0, random.Random(1).randbytes(100))


def overwrite_last_page(path: Path) -> None:
    """A page is something else."""
    overwrite(path, path.stat().st_size - PAGE, random.Random(2).randbytes(PAGE))


def overwrite_with_zeros(path: Path) -> None:
    """Two pages in the middle were never written."""
    overwrite(path, path.stat().st_size // 2 // PAGE * PAGE, bytes(2 * PAGE))


def overwrite_all(path: Path) -> None:
    """It is another file altogether."""
    path.write_bytes(random.Random(3).randbytes(path.stat().st_size))


def overwrite(path: Path, at: int, what: bytes) -> None:
    """Writes over what is there."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(what)


DAMAGES = [
    truncate,
    truncate_oddly,
    empty,
    overwrite_header,
    overwrite_last_page,
    overwrite_with_zeros,
    overwrite_all,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_and_the_last_good_game_offered(
    state: Path, damage: Callable[[Path], None]
) -> None:
    """Whatever the damage: the file is kept by name, all games are there, and the open one goes on."""
    games = state / "companion.sqlite3"
    damage(games)
    damaged = games.read_bytes()
    store, told = opened(state)
    assert told[:3] == [
        "The saved games were damaged. The damaged file is kept as companion.damaged-1.sqlite3.",
        "3 games were rescued.",
        "sealed_bid with Aki, Ben can continue from the last event that could be read.",
    ]
    assert (state / "companion.damaged-1.sqlite3").read_bytes() == damaged
    assert [(game.number, game.state) for game in store.all_saved_games()] == [
        (3, "open"),
        (2, "waiting"),
        (1, "finished"),
    ]
    assert store.all_saved_games()[2].winners == ["Aki"]
    assert len(store.open_game_log(1).events()) == FINISHED
    assert BACKED_UP <= len(store.open_game_log(3).events()) <= WHOLE
    assert (store.card_of_tag("04a2"), store.load_value("sound")) == (("egypt", "6.1"), False)
    session = resume_game(store)
    session.correct("bank", "Ben/front", "paid", 1, "forgotten")
    store.close()
    again, told = opened(state)
    assert told == []
    assert state_kept_by_restart(resume_game(again)) == state_kept_by_restart(session)
    again.close()


def raw(path: Path, script: str) -> None:
    """What a bad disk or another program did to a file."""
    db = sqlite3.connect(path)
    db.executescript(script)
    db.close()


def without_backup(state: Path) -> Path:
    """The games' file, and nothing else to rescue them from."""
    (state / "backup.sqlite3").unlink()
    return state / "companion.sqlite3"


@pytest.mark.parametrize(
    ("script", "length"),
    [
        ("UPDATE event SET body = substr(body, 3) WHERE game = 3 AND seq = 31", 30),
        ("UPDATE event SET body = CAST(X'22FF22' AS TEXT) WHERE game = 3 AND seq = 31", 30),
        ("UPDATE event SET chain = CAST(X'63FF' AS TEXT) WHERE game = 3 AND seq = 31", 30),
        ("DELETE FROM event WHERE game = 3 AND seq = 17", 16),
        ("UPDATE event SET body = (SELECT body FROM event WHERE seq = 1) WHERE game = 3 AND seq = 9", 8),
    ],
)
def test_a_log_is_good_up_to_the_first_event_that_is_not(state: Path, script: str, length: int) -> None:
    """A log goes on from the last event before the one that is garbled, missing or out of place."""
    raw(without_backup(state), script)
    store, told = opened(state)
    assert told[1] == "3 games were rescued."
    assert len(store.open_game_log(3).events()) == length
    assert resume_game(store).question is not None
    store.close()


def test_what_the_backup_has_longer_comes_from_the_backup(state: Path) -> None:
    """Of a log that is readable in two places the longer one counts."""
    raw(state / "companion.sqlite3", "DELETE FROM event WHERE game = 3 AND seq = 17")
    store, _ = opened(state)
    assert len(store.open_game_log(3).events()) == BACKED_UP
    store.close()


def test_a_game_without_a_beginning_is_no_game(state: Path) -> None:
    """A log whose first event is lost can't be continued; the newest game that can is offered."""
    raw(without_backup(state), "UPDATE event SET body = '' WHERE game = 3 AND seq = 1")
    store, told = opened(state)
    assert told[1] == "2 games were rescued."
    assert [(game.number, game.state) for game in store.all_saved_games()] == [(2, "open"), (1, "finished")]
    store.close()


def test_the_log_brings_back_the_list_of_games(state: Path) -> None:
    """If the list of games is lost, it follows from the logs: who played, what, and how it ended."""
    games = without_backup(state)
    looking = Store.open(state)
    before = looking.all_saved_games()
    looking.close()
    db = sqlite3.connect(games)
    (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'game'").fetchone()
    db.close()
    overwrite(games, (page - 1) * PAGE, random.Random(4).randbytes(PAGE))
    store, _ = opened(state)
    assert store.all_saved_games() == before
    assert len(store.open_game_log(3).events()) == WHOLE
    store.close()


def test_what_was_not_yet_folded_in_is_rescued_too(state: Path, tmp_path: Path) -> None:
    """After a pulled plug the newest events are in the -wal: they are rescued, and it is kept."""
    store = Store.open(state, for_writing=True)
    sealed = [event for event in store.open_game_log(2).events() if isinstance(event, Sealed)][9]
    session = resume_game(store, 3)
    seal_bid(session, "Ben", 5)
    cut_off = tmp_path / "cut off"
    shutil.copytree(state, cut_off)
    store.close()
    games, wal = cut_off / "companion.sqlite3", (cut_off / "companion.sqlite3-wal").read_bytes()
    overwrite(games, games.read_bytes().index(sealed.commitment.encode()), b"\xff" * 20)
    store, told = opened(cut_off)
    assert told[1] == "3 games were rescued."
    assert (cut_off / "companion.damaged-1.sqlite3-wal").read_bytes() == wal
    assert [len(store.open_game_log(number).events()) for number in (2, 3)] == [BACKED_UP, WHOLE + 2]
    store.close()


def test_nothing_set_aside_is_ever_overwritten(state: Path) -> None:
    """Damaged again and again, each file is kept under its own number."""
    for time in (1, 2, 3):
        overwrite(state / "companion.sqlite3", 0, f"damage {time}".encode())
        opened(state)[0].close()
    kept = [(state / f"companion.damaged-{time}.sqlite3").read_bytes()[:8] for time in (1, 2, 3)]
    assert kept == [b"damage 1", b"damage 2", b"damage 3"]


def test_the_first_evening_is_in_the_backup_once_it_is_over(tmp_path: Path) -> None:
    """A game begun and left on the first evening is rescued even if nothing of its file can be read."""
    store = Store.open(tmp_path, for_writing=True)
    session = begin_game(store)
    seal_bid(session, "Aki", 4)
    before = state_kept_by_restart(session)
    store.close()
    (tmp_path / "companion.sqlite3").write_bytes(b"?" * 9000)
    store, _ = opened(tmp_path)
    assert state_kept_by_restart(resume_game(store)) == before
    store.close()


def test_a_disk_that_refuses_the_last_backup_closes_all_the_same(state: Path) -> None:
    """At the end of an evening a backup that can't be written is left as it was."""
    store, _ = opened(state)
    (state / "backup.sqlite3").unlink()
    (state / "backup.sqlite3").mkdir()
    store.close()
    (state / "backup.sqlite3").rmdir()
    with closing(Store.open(state)) as store:
        assert store.all_saved_games()


def test_a_missing_file_is_taken_from_the_backup(state: Path) -> None:
    """If the games' file is gone, the backup stands in for it, and people are told."""
    (state / "companion.sqlite3").unlink()
    store, told = opened(state)
    assert told[0] == "The saved games were missing. They were restored from the backup."
    assert len(store.open_game_log(3).events()) == BACKED_UP
    store.close()


@pytest.mark.parametrize("renamed", [False, True])
def test_a_rescue_that_was_cut_off_is_finished(state: Path, *, renamed: bool) -> None:
    """If the power goes during a rescue, the next start finishes it, and nothing rescued is lost."""
    games, rescued = state / "companion.sqlite3", state / "rescued.sqlite3"
    shutil.copy(games, rescued)
    (state / "rescued.part").write_bytes(b"an earlier try")
    overwrite_all(games)
    if renamed:
        games.rename(state / "companion.damaged-1.sqlite3")
    store, _ = opened(state)
    assert len(store.open_game_log(3).events()) == WHOLE
    assert (state / "companion.damaged-1.sqlite3").exists()
    assert not rescued.exists()
    store.close()


def test_a_half_written_rescue_is_begun_anew(state: Path) -> None:
    """What a rescue had written before the power went is thrown away, and it begins again."""
    (state / "rescued.part").write_bytes(b"an earlier try")
    overwrite_all(state / "companion.sqlite3")
    store, _ = opened(state)
    assert len(store.open_game_log(3).events()) == BACKED_UP
    assert not (state / "rescued.part").exists()
    store.close()


def test_a_damaged_backup_is_set_aside_and_made_anew(state: Path) -> None:
    """A damaged backup is kept by name; the new one can rescue the games."""
    overwrite_header(state / "backup.sqlite3")
    store, told = opened(state)
    assert "The damaged backup is kept as backup.damaged-1.sqlite3" in told[0]
    store.close()
    overwrite_all(state / "companion.sqlite3")
    store, _ = opened(state)
    assert len(store.open_game_log(3).events()) == WHOLE
    store.close()


@pytest.mark.parametrize("damage", [overwrite_header, overwrite_all, truncate_oddly])
def test_damaged_drafts_are_deleted_and_asked_again(state: Path, damage: Callable[[Path], None]) -> None:
    """Damaged drafts are deleted: kept, they would tell sealed bids for ever. The question asks again."""
    damage(state / "sealed" / "drafts.sqlite3")
    store, told = opened(state)
    (said,) = told
    assert (
        said == "The sealed answers were damaged and had to be deleted. Players who had sealed an answer are "
        "asked again."
    )
    assert {file.name.partition("-")[0] for file in (state / "sealed").iterdir()} == {"drafts.sqlite3"}
    for file in (state / "sealed").iterdir():
        assert file.stat().st_mode & 0o077 == 0
    session = resume_game(store)
    assert session.drafts == {}
    play_round(session, 5, 3)
    store.close()


def test_a_garbled_draft_is_deleted(state: Path) -> None:
    """A draft that is no JSON any more is damage too."""
    raw(state / "sealed" / "drafts.sqlite3", "UPDATE draft SET body = 'no'")
    store, told = opened(state)
    assert "were damaged and had to be deleted" in told[0]
    store.close()


def test_who_only_reads_sets_nothing_aside(state: Path) -> None:
    """Reading a damaged file is refused with what to do, and changes nothing."""
    overwrite_header(state / "companion.sqlite3")
    with pytest.raises(StoreUnavailable, match=r"damaged. Restart the Companion"):
        Store.open(state)
    assert sorted(path.name for path in state.glob("*.damaged*")) == []


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE event SET body = 'no' WHERE game = 1 AND seq = 3",
        "UPDATE event SET body = replace(body, 'screen', 'Screen') WHERE game = 1 AND seq = 5",
        "UPDATE event SET chain = 'no' WHERE game = 1 AND seq = 6",
        "DELETE FROM event WHERE game = 1 AND seq = 6",
        "UPDATE game SET result = replace(result, 'Aki', 'Ali') WHERE number = 1",
        "UPDATE game SET names = replace(names, 'Aki', 'Ali') WHERE number = 1",
        "UPDATE tag SET card = '6.2'",
        "UPDATE setting SET value = 'true' WHERE key = 'sound'",
        "UPDATE kept SET marks = marks + 1",
        "UPDATE kept SET deeds = 9223372036854775807",
    ],
)
def test_what_changed_by_itself_comes_from_the_backup(state: Path, script: str) -> None:
    """A finished game, a name, a tag or a setting that isn't what was kept is noticed and put right."""
    raw(state / "companion.sqlite3", script)
    store, told = opened(state)
    assert told[0].startswith("The saved games were damaged.")
    assert (store.all_saved_games()[2].names, store.all_saved_games()[2].winners) == (("Aki", "Ben"), ["Aki"])
    assert len(store.open_game_log(1).events()) == FINISHED
    assert (store.card_of_tag("04a2"), store.load_value("sound")) == (("egypt", "6.1"), False)
    store.close()


def test_a_finished_game_that_no_backup_has_is_good_as_far_as_it_goes(state: Path) -> None:
    """Its log is read up to where it was garbled, so it goes on from there."""
    raw(without_backup(state), "UPDATE event SET body = 'no' WHERE game = 1 AND seq = 3")
    store, told = opened(state)
    assert told[1] == "3 games were rescued."
    assert store.all_saved_games()[2].state == "waiting"
    assert len(store.open_game_log(1).events()) == 2
    store.close()


def test_a_log_of_an_older_file_is_chained_from_its_next_event_on(state: Path) -> None:
    """What was kept before there was a chain is believed; what comes after it is chained to it."""
    for name in ("companion", "backup"):
        raw(
            state / f"{name}.sqlite3",
            "UPDATE event SET chain = ''; UPDATE game SET mark = 0; UPDATE tag SET mark = 0;"
            "UPDATE setting SET mark = 0",
        )
    store, told = opened(state)
    session = resume_game(store)
    seal_bid(session, "Ben", 1)
    session.answer(session.question_number, "again")
    store.close()
    raw(state / "companion.sqlite3", "UPDATE event SET body = body || ' ' WHERE seq = 120")
    store, told = opened(state)
    assert told[0].startswith("The saved games were damaged.")
    assert state_kept_by_restart(resume_game(store)) == state_kept_by_restart(session)
    store.close()


def pulled(state: Path) -> Session:
    """An evening that is cut short by the plug: nothing was folded in, nothing closed."""
    live = state.with_name("live")
    store = Store.open(live, for_writing=True)
    session = begin_game_with_open_envelope(store, rounds=40)
    shutil.copytree(live, state)
    store.close()
    return session


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_no_bit_of_the_wal_takes_an_evening_along(tmp_path: Path, share: float) -> None:
    """SQLite ends a -wal unseen where a frame is damaged; what was acknowledged comes from the backup."""
    state = tmp_path / "state"
    session = pulled(state)
    wal = state / "companion.sqlite3-wal"
    at = int(wal.stat().st_size * share)
    overwrite(wal, at, bytes([wal.read_bytes()[at] ^ 1]))
    store, told = opened(state)
    assert told[0].startswith("The saved games were damaged.")
    assert state_kept_by_restart(resume_game(store)) == state_kept_by_restart(session)
    store.close()


def test_whose_envelope_is_empty_is_told(tmp_path: Path) -> None:
    """Where the disk has lost drafts without a trace, who had sealed is named."""
    live, state = tmp_path / "live", tmp_path / "state"
    with closing(Store.open(live, for_writing=True)) as store:
        session = begin_game(store, ["Aki", "Ben", "Chie", "Dan"])
        seal_bid(session, "Aki", 4)
        session.mark_player_absent(session.table.seats.find_seat("Ben"))
        seal_bid(session, "Chie", 5)
        shutil.copytree(live, state)
    truncate(state / "sealed" / "drafts.sqlite3-wal")
    overwrite(state / "sealed" / "drafts.sqlite3-wal", 0, bytes(32))
    store, told = opened(state)
    assert told == ["Some sealed answers were lost. These players are asked again: Aki, Ben, Chie."]
    store.close()


@pytest.mark.parametrize(
    ("name", "have"),
    [*product(["companion", "backup"], [0, 2, 3]), ("sealed/drafts", 0)],
)
def test_a_wrong_version_is_damage(state: Path, name: str, have: int) -> None:
    """A file that says it is of an older version than its tables are is set aside."""
    raw(state / f"{name}.sqlite3", f"PRAGMA user_version = {have}")
    store, told = opened(state)
    assert "damaged" in told[0]
    assert len(store.open_game_log(3).events()) == WHOLE
    store.close()


def test_where_nothing_can_be_read_people_are_told_and_play(state: Path) -> None:
    """Without a backup, and with a file that is none: it is set aside, and a new evening begins."""
    overwrite_header(without_backup(state))
    store, told = opened(state)
    assert told[:2] == [
        "The saved games were damaged. The damaged file is kept as companion.damaged-1.sqlite3.",
        "0 games were rescued.",
    ]
    begin_game(store)
    store.close()


def test_a_longer_log_keeps_the_names_and_whether_it_waits(state: Path) -> None:
    """Of a game of which the backup has less, only the log is taken from the damaged file."""
    raw(state / "backup.sqlite3", "DELETE FROM event WHERE game = 2 AND seq > 50")
    raw(state / "companion.sqlite3", "UPDATE event SET body = 'no' WHERE game = 3 AND seq = 100")
    store, _ = opened(state)
    assert [(game.number, game.state) for game in store.all_saved_games()][:2] == [
        (3, "open"),
        (2, "waiting"),
    ]
    assert [len(store.open_game_log(number).events()) for number in (3, 2)] == [99, BACKED_UP]
    store.close()


def test_what_was_written_last_is_missed(tmp_path: Path) -> None:
    """A tag, a setting or a name kept after the last answer is there, though the -wal ends before."""
    live, state = tmp_path / "live", tmp_path / "state"
    with closing(Store.open(live, for_writing=True)) as store:
        session = begin_game(store)
        store.assign_tag("04a2", "egypt", "6.1")
        store.save_value("sound", value=False)
        session.rename_player(session.table.seats.find_seat("Ben"), "Dai")
        shutil.copytree(live, state)
    wal = state / "companion.sqlite3-wal"
    os.truncate(wal, wal.stat().st_size - 4 * PAGE)
    store, told = opened(state)
    assert told[0].startswith("The saved games were damaged.")
    assert (store.card_of_tag("04a2"), store.load_value("sound")) == (("egypt", "6.1"), False)
    assert store.all_saved_games()[0].names == ("Aki", "Dai")
    store.close()


def test_what_was_cut_off_while_it_was_made_is_taken_back(tmp_path: Path) -> None:
    """The power went during the very first start: SQLite's journal is played back, and an evening begins."""
    half, state = tmp_path / "half.sqlite3", tmp_path / "state"
    state.mkdir()
    with closing(sqlite3.connect(half, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("CREATE TABLE half (made BLOB)")
        db.executemany("INSERT INTO half VALUES (?)", [(bytes(3000),)] * 30)
        for suffix in ("", "-journal"):
            shutil.copy(f"{half}{suffix}", f"{state}/companion.sqlite3{suffix}")
    assert (state / "companion.sqlite3").stat().st_size > 0
    store, told = opened(state)
    assert told == []
    begin_game(store)
    store.close()
