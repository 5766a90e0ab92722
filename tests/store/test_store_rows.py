"""Whatever the rows of the saved games hold, every verb ends with a sentence and the next game can begin."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
import pytest

from companion import cli
from companion.bounds import MAX_NUMBER
from companion.errors import StoreUnavailable
from companion.log.events import Began, Event, PlayerLeft, PlayerReturned, Sealed
from companion.store import Store
from companion.texts import render
from tests.support.altered_rows import COLUMNS_BY_TABLE, DELETE_CHECKSUMS, RowAlterer
from tests.support.fuzz_targets import COMMANDS_FOR_SAVED_GAMES, check_altered_games, check_command
from tests.support.sealed_bid_games import (
    begin_game,
    finish_open_round,
    play_last_round_and_put_away,
    resume_game,
)
from tests.support.soak import SOAK

SHARES = 4
TRIALS = 12_500 if SOAK else 15
"""How often something is altered, in each share."""
TAGS = ["cards", "tags", "egypt"]
LOOKS = (["history", "list"], ["history", "show", "1"], ["verify", "1"], ["log", "1"], ["players", "list"])


@pytest.fixture(scope="module")
def alterations(tmp_path_factory: pytest.TempPathFactory) -> RowAlterer:
    """Sound files."""
    return RowAlterer(tmp_path_factory.mktemp("sound") / "state")


@pytest.fixture
def one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which verbs are installed is looked up once for all, which takes part of the time."""
    monkeypatch.setattr(cli, "entry_points", cache(entry_points))


@pytest.mark.sweep(1)
@pytest.mark.without_coverage
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.usefixtures("one_look")
def test_no_row_ends_the_program(alterations: RowAlterer, fast_directory: Path, share: int) -> None:
    """Read, shown, exported, proved or played: what can't be read is a sentence, never a fault of ours."""
    for seed in range(share * 1_000_000, share * 1_000_000 + TRIALS):
        try:
            check_altered_games(alterations, seed, fast_directory / "state")
        except Exception as fault:
            raise AssertionError(f"seed {seed}") from fault


STEERING = """
    UPDATE game SET names = replace(names, 'Aki', '\\u001b[2J');
    UPDATE game SET result = replace(result, 'Aki', '\\u001b[2J');
    UPDATE event SET body = replace(replace(body, 'Aki', '\\u001b[2J'), 'lost', '\\u001b[2J');
    UPDATE setting SET value = replace(replace(value, 'Aki', '\\u001b[2J'), 'Dai', '\\u001b[2J');
    UPDATE tag SET uid = char(27) || uid;
"""
"""Names, reasons and tags that clear the screen of whoever reads them."""


def test_no_row_steers_the_terminal_of_who_reads_it(
    alterations: RowAlterer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is in a row is shown by every verb, not obeyed."""
    state = shutil.copytree(alterations.unaltered_directory, tmp_path / "state")
    (state / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS + STEERING)
    for words in (*COMMANDS_FOR_SAVED_GAMES, TAGS):
        if "--resume" not in words and "--seats" not in words:
            cli.main([*words, "--state", str(state)])
            out, err = capsys.readouterr()
            assert "\x1b" not in out + err, words


ROWS = {
    "game": "number = 1",
    "event": "(game, seq) = (1, 3)",
    "tag": "uid = '04A2'",
    "setting": "key = 'register'",
    "deleted": "number = 9",
    "kept": "true",
}
NUMBERS = {"game.number", "deleted.number"}
"""Here SQLite itself keeps nothing else."""
CELLS = sorted(
    {f"{table}.{column}" for table in COLUMNS_BY_TABLE for column in COLUMNS_BY_TABLE[table]} - NUMBERS
)
ROW = {"game": "?, 'sealed_bid', '[\"Aki\", \"Ben\"]', 'waiting', NULL, 0", "deleted": "?, 0"}


@pytest.mark.sweep(7)
@pytest.mark.parametrize("unmark", ["", DELETE_CHECKSUMS], ids=["marked", "unmarked"])
@pytest.mark.parametrize("cell", CELLS)
def test_bytes_of_any_kind_are_read(
    alterations: RowAlterer, fast_directory: Path, cell: str, unmark: str
) -> None:
    """Where a cell holds text that is no UTF-8 all that can't be told from sound is there as it was."""
    state, (table, column) = (
        shutil.copytree(alterations.unaltered_directory, fast_directory / "state"),
        cell.split("."),
    )
    with closing(Store.open(state, for_writing=True)) as store:
        for number in (1, 2, 3):
            store.assign_tag(f"04a{number}", "egypt", f"6.{number}")
        log = store.open_game_log(4).events()
    (state / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.executescript(unmark)
        games.execute("INSERT INTO deleted VALUES (9, 0)")
        games.execute("PRAGMA ignore_check_constraints = ON")
        games.execute(f"UPDATE {table} SET {column} = CAST(x'63ff00' AS TEXT) WHERE {ROWS[table]}")  # noqa: S608 - our own tables
    for words in (*LOOKS, TAGS):
        check_command(words, state)
    with closing(Store.open(state, for_writing=True)) as store:
        assert len(store.all_saved_games()) >= 3
        assert store.open_game_log(4).events()[: len(log)] == log
        assert store.tag_uid_by_card("egypt").items() >= {"6.1": "04A1", "6.3": "04A3"}.items()
        assert store.load_value("sound") is False


@pytest.mark.parametrize("event", [PlayerLeft(1, 3), PlayerReturned(1, 0), Sealed(1, 9, "0" * 64)])
def test_nobody_comes_or_goes_who_has_no_seat(tmp_path: Path, event: Event) -> None:
    """A log is read up to the event that names a seat which isn't at the table."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
    (tmp_path / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS)
        games.execute("UPDATE event SET body = ? WHERE seq = 2", (msgspec.json.encode(event).decode(),))
    for verb in (
        ["history", "show", "1"],
        ["export", "1"],
        ["verify", "1"],
        ["play", "sealed_bid", "--resume"],
    ):
        check_command(verb, tmp_path)


@pytest.mark.parametrize("odd", [2**63 - 1, MAX_NUMBER, -7])
@pytest.mark.parametrize("table", ["game", "deleted"])
def test_a_number_that_no_game_can_have_is_never_counted_from(tmp_path: Path, table: str, odd: int) -> None:
    """The next games are numbered after those that were played."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS)
        games.execute(f"INSERT INTO {table} VALUES ({ROW[table]})", (odd,))  # noqa: S608 - our own tables
        games.execute("INSERT INTO event SELECT ?, seq, n, kind, body, chain FROM event", (odd,))
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        for _ in range(3):
            play_last_round_and_put_away(begin_game(store))
        assert sorted({one.number for one in store.all_saved_games()} - {odd}) == [1, 2, 3, 4]


def test_the_last_number_is_given_once(tmp_path: Path) -> None:
    """After the last that a game can have come those that are still free."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
        store.delete_game(1)
        with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
            games.execute("UPDATE deleted SET number = ?", (MAX_NUMBER - 1,))
        for _ in range(3):
            begin_game(store)
        assert [one.number for one in store.all_saved_games()] == [MAX_NUMBER, 2, 1]


@pytest.mark.parametrize("names", ["[", '["Aki"]', '["Aki", "Aki"]', f'["Aki", "{"x" * 20_000}"]'])
def test_names_that_can_not_be_come_from_the_log(tmp_path: Path, names: str) -> None:
    """What a damaged list of games calls the players doesn't come along where nobody can be called so."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        begin_game(store)
    (tmp_path / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS)
        games.execute("UPDATE kept SET marks = 1")
        games.execute("UPDATE game SET names = ?", (names,))
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        assert [one.names for one in store.all_saved_games()] == [("Aki", "Ben")]
        finish_open_round(resume_game(store))


def test_as_many_play_on_as_began(tmp_path: Path) -> None:
    """A list of games that names fewer players than the log is damage, also where no mark says so."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        begin_game(store)
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS)
        games.execute("UPDATE game SET names = ?", ('["Aki"]',))
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        assert store.notices
        assert [seat.name for seat in resume_game(store).table.seats] == ["Aki", "Ben"]


def test_a_log_that_no_list_names_is_listed(tmp_path: Path) -> None:
    """A next game never begins in the midst of it."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
    (tmp_path / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as games, games:
        games.executescript(DELETE_CHECKSUMS)
        games.execute("DELETE FROM game")
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        assert store.notices
        assert [one.number for one in store.all_saved_games()] == [1]
        begin_game(store)
        assert [one.number for one in store.all_saved_games()] == [2, 1]


def test_a_log_that_lacks_an_event_says_which(tmp_path: Path) -> None:
    """What is read of it is nothing, and the sentence names the directory."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        log = store.new_game_log()
        log.append(Began("sealed_bid", 1, ("Aki", "Ben"), ("orange", "sky"), {}, {}, 1))
        for seat in (1, 2):
            log.append(PlayerLeft(1, seat))
        with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db, db:
            db.execute("DELETE FROM event WHERE seq = 2")
        with pytest.raises(StoreUnavailable) as refused:
            log.events()
    assert render(refused.value.text) == f"A saved game in {tmp_path} is damaged. Event 2 is missing."
