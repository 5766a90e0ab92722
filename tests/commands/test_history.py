"""Saved games on the command line: history, export and the players' register."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path

import pytest

from companion import cli, installed_games
from companion.errors import UserError
from companion.evening import Evening
from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.record import player_statistics
from companion.record.player_records import summarize_player
from companion.session.session import Session
from companion.store import Store


def round_of(session: Session, *bids: int) -> None:
    """Everybody bids."""
    for seat, bid in zip(session.table.seats, bids, strict=True):
        session.put_answer_in_envelope(session.question_number, seat, bid)


def no_time() -> float:
    """People think for no time at all, unless a test says otherwise."""
    return 0.0


class Evenings:
    """A state directory, and the command as people type it."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.directory = directory
        self.now: float | None = None
        """What the clock on the wall says; None: nobody has set it."""
        self._capsys = capsys

    def finished(self, *names: str) -> None:
        """A sealed bid, won by who sits first."""
        with closing(Store.open(self.directory, for_writing=True)) as store:
            session = Session.begin(sealed_bid.GAME, names, {}, store.new_game_log(), clock=no_time)
            round_of(session, *range(len(names), 0, -1))
            session.answer(session.question_number, "finish")
            session.put_away()

    def put_away(self, *names: str) -> None:
        """A sealed bid, put away after a round."""
        with closing(Store.open(self.directory, for_writing=True)) as store:
            session = Session.begin(sealed_bid.GAME, names, {}, store.new_game_log(), clock=no_time)
            round_of(session, *range(len(names), 0, -1))
            session.put_away()

    def running(self, *names: str) -> None:
        """A game of Egypt that goes on."""
        with closing(Store.open(self.directory, for_writing=True)) as store:
            session = Session.begin(egypt.GAME, names, {}, store.new_game_log(), clock=no_time)
            for answer in ("2", True, 3):
                session.answer(session.question_number, answer)

    def of_other_rules(self, number: int) -> None:
        """As if the rulebook had asked otherwise when this game was played."""
        with closing(sqlite3.connect(self.directory / "companion.sqlite3")) as db, db:
            db.execute(
                "UPDATE event SET chain = '', body = replace(body, '\",\"answer\"', ' once\",\"answer\"')"
                " WHERE game = ?",
                (number,),
            )

    def run(self, *words: str) -> str:
        """What a verb prints where all is well."""
        assert cli.main([*words, "--state", str(self.directory)]) == 0
        return self._capsys.readouterr().out

    def refused(self, *words: str) -> str:
        """The sentence of a verb that the table can mend."""
        assert cli.main([*words, "--state", str(self.directory)]) == 2
        return self._capsys.readouterr().err.rstrip("\n")


@pytest.fixture
def evenings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Evenings:
    """An empty state directory, in English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    made = Evenings(tmp_path / "state", capsys)
    monkeypatch.setattr("companion.wall_clock.trusted_unix_time", lambda: made.now)
    return made


# history


def test_the_history_lists_all_games(evenings: Evenings) -> None:
    """Newest first, with who plays and how each one ended or stands."""
    assert evenings.run("history", "list") == "No game is saved yet.\n"
    evenings.finished("Aki", "Ben")
    evenings.put_away("Aki", "Ben")
    evenings.running("Aki", "Ben", "Chie")
    evenings.running("Dai", "Ben", "Chie")
    assert evenings.run("history", "list").splitlines() == [
        "4  Egypt: Dai, Ben, Chie (open)",
        "3  Egypt: Aki, Ben, Chie (waiting)",
        "2  Sealed bid: Aki, Ben (put away before the end)",
        "1  Sealed bid: Aki, Ben (won by Aki)",
    ]


def test_the_shelf_is_looked_at_once_for_the_whole_list(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many games are saved, and however often, the installed games are looked up once."""
    looks: list[str] = []

    def counted(group: str) -> EntryPoints:
        looks.append(group)
        return entry_points(group=group)

    for _ in range(3):
        evenings.finished("Aki", "Ben")
    monkeypatch.setattr(installed_games, "entry_points", counted)
    installed_games._entry_points.cache_clear()
    assert len(evenings.run("history", "list").splitlines()) == 3
    assert len(evenings.run("history", "list").splitlines()) == 3
    assert looks == ["companion.games"]


def test_a_game_is_shown(evenings: Evenings) -> None:
    """By its number or by its kind, the newest of that; in the language asked for."""
    evenings.finished("Aki", "Ben")
    assert "Final score: Aki wins." in evenings.run("history", "show", "1")
    assert "Akiさんの勝ちです" in evenings.run("history", "show", "sealed_bid", "--lang", "ja")


def test_a_game_that_does_not_exist_is_named(evenings: Evenings) -> None:
    """What is asked for and what there is are both told."""
    assert evenings.refused("history", "show", "1") == "No game is saved yet."
    evenings.finished("Aki", "Ben")
    assert evenings.refused("export", "9") == "There is no saved game 9. Saved games: 1 (sealed_bid)."


def test_a_waiting_game_is_resumed(evenings: Evenings) -> None:
    """It becomes the open one, and the other waits; a finished one is over."""
    evenings.finished("Aki", "Ben")
    evenings.running("Aki", "Ben", "Chie")
    evenings.running("Dai", "Ben", "Chie")
    assert "companion play egypt --resume" in evenings.run("history", "resume", "2")
    states = [line.rpartition(" ")[2] for line in evenings.run("history", "list").splitlines()]
    assert states == ["(waiting)", "(open)", "Aki)"]
    assert evenings.refused("history", "resume", "1").startswith(
        'Game 1 is over. To see it, run "companion history show 1"'
    )


def test_a_game_is_deleted_only_on_purpose(evenings: Evenings) -> None:
    """Without --yes nothing is deleted; with it the game is gone, and its number is not used again."""
    evenings.finished("Aki", "Ben")
    evenings.finished("Chie", "Dai")
    assert evenings.refused("history", "delete", "2") == (
        "This command deletes the game for good. If you are sure, add --yes: 2  Sealed bid: Chie, "
        "Dai (won by Chie)"
    )
    assert len(evenings.run("history", "list").splitlines()) == 2
    assert evenings.run("history", "delete", "2", "--yes").startswith("Deleted: 2  Sealed bid")
    evenings.finished("Emi", "Dai")
    assert [line[0] for line in evenings.run("history", "list").splitlines()] == ["3", "1"]


# Rules that have changed


def test_a_result_outlives_its_rules(evenings: Evenings) -> None:
    """A finished game that the rules no longer play is listed, shown and exported with its score, and why."""
    evenings.finished("Aki", "Ben")
    evenings.of_other_rules(1)
    assert evenings.run("history", "list") == "1  Sealed bid: Aki, Ben (won by Aki)\n"
    sheet = evenings.run("history", "show", "1")
    assert "Final score: Aki wins." in sheet
    assert "1. Aki: 1" in sheet
    assert "With the rules of this version" in sheet
    assert "The result of this game is saved, and you can export it. To print the answers" in sheet
    said = json.loads(evenings.run("export", "1", "--format", "json"))
    assert (said["result"]["winners"], said["events"]) == (["Aki"], [])
    assert "Aki wins" in evenings.run("export", "1", "--format", "html")


def test_an_unfinished_game_of_other_rules_says_what_can_be_done(evenings: Evenings) -> None:
    """It can't be resumed, and what was open stays open; nothing of its table is exported."""
    evenings.running("Aki", "Ben", "Chie")
    evenings.running("Dai", "Ben", "Chie")
    evenings.of_other_rules(1)
    told = evenings.refused("history", "resume", "1")
    assert "Only the version that began this game can continue it." in told
    assert 'To delete the game, run "companion history delete 1".' in told
    assert evenings.run("history", "list").splitlines()[0].endswith("(open)")
    said = json.loads(evenings.run("export", "1", "--format", "json"))
    assert (said["places"], said["events"], said["result"]) == ({}, [], None)


def test_a_game_that_is_no_longer_installed_has_its_result(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its key stands where its title was."""
    evenings.finished("Aki", "Ben")
    monkeypatch.setattr("companion.installed_games.ENTRY_POINT_GROUP", "companion.no_games")
    assert evenings.run("history", "list") == "1  sealed_bid: Aki, Ben (won by Aki)\n"
    assert "There is no game called sealed_bid" in evenings.run("history", "show", "1")
    assert "There is no game called sealed_bid" in evenings.run("export", "1", "--format", "csv")


# export


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("text", "Sealed bid: Aki, Ben\n"),
        ("csv", "\ufeffpart,n,"),
        ("json", "{\n"),
        ("html", "<!DOCTYPE html>"),
    ],
)
def test_a_game_is_exported(evenings: Evenings, form: str, begins: str, tmp_path: Path) -> None:
    """In each form, printed or written to a file; both say the same."""
    evenings.finished("Aki", "Ben")
    printed = evenings.run("export", "1", "--format", form)
    assert printed.startswith(begins)
    evenings.run("export", "1", "--format", form, "--out", str(tmp_path / "game"))
    assert (tmp_path / "game").read_bytes() == printed.encode()


def test_an_export_is_never_written_over_another_file(evenings: Evenings, tmp_path: Path) -> None:
    """A file that is there stays as it is, unless --force says otherwise."""
    evenings.finished("Aki", "Ben")
    out = tmp_path / "notes.txt"
    out.write_text("ours", encoding="utf-8")
    assert evenings.refused("export", "1", "--out", str(out)) == (
        f"{out} already exists. Add --force to overwrite it."
    )
    assert out.read_text(encoding="utf-8") == "ours"
    evenings.run("export", "1", "--out", str(out), "--force")
    assert out.read_text(encoding="utf-8").startswith("Sealed bid")


# players


def test_players_are_counted_over_the_evenings(evenings: Evenings) -> None:
    """Who finished games is listed with games and wins; a game put away early counts for nobody."""
    assert evenings.run("players", "list") == "Nobody has finished a game yet.\n"
    evenings.finished("Aki", "Ben")
    evenings.finished("Aki", "Chie")
    evenings.put_away("Dai", "Ben")
    assert evenings.run("players", "list").splitlines() == [
        "Aki    2 games   2 won   100 %",
        "Ben    1 game    0 won   0 %",
        "Chie   1 game    0 won   0 %",
    ]


def test_one_player_is_shown(evenings: Evenings) -> None:
    """Games, wins and last results, then each game with best and average, then each opponent."""
    evenings.finished("Aki", "Ben")
    evenings.finished("Ben", "Aki", "Chie")
    assert evenings.run("players", "show", "aki").splitlines() == [
        "Aki: 2 games, 1 won, 50 %   ●○",
        "Sealed bid   2 games   1 won   best 1, average 0.5",
        "against Ben   ahead 1, behind 1",
    ]
    assert "Players: Aki, Ben, Chie" in evenings.refused("players", "show", "Emi")


def test_records_and_evenings_are_listed(evenings: Evenings) -> None:
    """Games that are left out of the statistics are in neither."""
    for verb in ("records", "evenings"):
        assert evenings.run("history", verb) == "Nobody has finished a game yet.\n"
    for names in (("Aki", "Ben"), ("Ben", "Aki"), ("Chie", "Dai")):
        evenings.finished(*names)
    evenings.run("history", "leave-out", "3")
    assert evenings.run("history", "records").splitlines() == [
        "Sealed bid (2 games)",
        "  Highest score: 1 by Aki (game 1)",
        "  Biggest margin: 1 by Aki (game 1)",
    ]
    assert evenings.run("history", "evenings").splitlines() == [
        "unknown date  2 games  Ben 1, Aki 1",
        "  2  Sealed bid: 1. Ben 1   2. Aki 0",
        "  1  Sealed bid: 1. Aki 1   2. Ben 0",
    ]


def test_players_are_counted_game_by_game(evenings: Evenings) -> None:
    """What one of them played and won of each game; nothing of what nobody ended."""
    evenings.finished("Aki", "Ben")
    evenings.finished("Ben", "Aki")
    evenings.running("Aki", "Ben", "Chie")
    with closing(Store.open(evenings.directory)) as store:
        games = Evening(store).counted_games()
    (sealed_bids,) = summarize_player(games, "Aki").by_title
    assert (sealed_bids.games, sealed_bids.wins) == (2, 1)
    assert summarize_player(games, "Chie").by_title == ()


def test_two_names_of_one_person_are_merged(evenings: Evenings) -> None:
    """What one name played counts for the other; the log keeps the name that was written."""
    evenings.finished("Akki", "Ben")
    evenings.finished("Aki", "Ben")
    evenings.run("players", "merge", "Akki", "Aki")
    assert evenings.run("players", "list").splitlines()[0] == "Aki   2 games   2 won   100 %"
    assert "Akki" in evenings.run("history", "show", "1")
    evenings.finished("Akki", "Ben")
    assert evenings.run("players", "list").splitlines()[1] == "Akki   1 game    1 won   100 %"


def test_two_people_are_not_merged(evenings: Evenings) -> None:
    """Who played against each other is not one person; a name that nobody has is named."""
    evenings.finished("Aki", "Ben")
    assert evenings.refused("players", "merge", "Aki", "Ben") == (
        "Aki and Ben played against each other in game 1, so they are two people."
    )
    assert (
        evenings.refused("players", "merge", "Aki", "Aki") == "Aki is one player. Name two different players."
    )
    assert evenings.refused("players", "delete", "Emi") == (
        "No player called Emi has finished a game yet. Players: Aki, Ben."
    )


def test_opponents_in_a_game_that_does_not_count_are_two_people(evenings: Evenings) -> None:
    """A game that is left out of the statistics still shows who sat at one table."""
    evenings.finished("Aki", "Ben")
    evenings.finished("Aki", "Chie")
    evenings.finished("Ben", "Chie")
    with closing(Store.open(evenings.directory, for_writing=True)) as store:
        player_statistics.exclude_from_statistics(store, 1)
        with pytest.raises(UserError, match="played against each other in game 1"):
            player_statistics.merge_players(store, "Aki", "Ben")


def test_a_player_is_forgotten(evenings: Evenings) -> None:
    """Until that person plays again; the games stay in the history."""
    evenings.finished("Aki", "Ben")
    evenings.run("players", "delete", "Aki")
    assert evenings.run("players", "list") == "Ben   1 game   0 won   0 %\n"
    assert "Aki" in evenings.run("history", "list")
    evenings.finished("Aki", "Ben")
    assert evenings.run("players", "list").splitlines()[0] == "Aki   1 game    1 won   100 %"
