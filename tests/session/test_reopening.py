"""A mistake found after the game was put away: it is reopened and put right, and its record says so."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from companion import installed_games, jsonlines, logtext
from companion.errors import RulesDifferFromLog, StoreUnavailable, UserError, WouldUndoReveal
from companion.evening import Evening
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.languages import languages
from companion.log.events import Began, Event, PutAway, Reopened
from companion.log.log import MemoryLog
from companion.log.proof import describe_first_misplaced_event
from companion.record import player_statistics
from companion.record.exports import record_to_csv, record_to_json
from companion.record.html_page import record_to_html
from companion.record.record import GameRecord, create_record, result_from_json
from companion.record.text_export import record_to_text
from companion.recorded_match import RecordedMatch
from companion.session.session import Session
from companion.store import Store, archive
from companion.store.database import (
    GAMES_MIGRATIONS,
    check_schema_version_supported,
    has_tables_of_its_version,
    open_read_only,
    schema_version,
)
from companion.store.state_files import StateFiles
from companion.testing.noninterference import Observation, find_observable_differences, observe_session
from companion.texts import render, text_to_json
from scripts.update_catalogue import ROOT
from tests.commands.test_history import Evenings, evenings, round_of
from tests.store.test_old_states import GAMES, copy_release

__all__ = ["evenings"]
GOLDEN = sorted((ROOT / "tests/golden").glob("*.log"))
FORMS = {"text": record_to_text, "csv": record_to_csv, "json": record_to_json, "html": record_to_html}


def bids(*seals: int, names: Sequence[str] = ("Aki", "Ben")) -> tuple[Session, MemoryLog]:
    """A sealed bid of one round, put away at its end."""
    log = MemoryLog()
    session = Session.begin(sealed_bid.GAME, names, {}, log, clock=lambda: 0.0)
    round_of(session, *seals)
    session.answer(session.question_number, "finish")
    session.put_away()
    return session, log


# In a game


def test_a_game_that_was_put_away_is_taken_up_as_it_stood() -> None:
    """Its score is there, everything can be taken back and amended, and no number is used again."""
    session, log = bids(5, 3)
    n, result = session.question_number, session.result
    session.reopen()
    assert (session.result, session.is_put_away) == (result, False)
    assert session.question_number == n + 1
    session.undo()
    assert session.question is not None
    assert session.question.log_key == "Choose: Another round?"
    session.redo()
    session.amend_answer(1, 9, session.table.seats.find_seat("Ben"))
    assert [
        seat.name for seat in session.table.seats if session.result and seat in session.result.winners
    ] == ["Ben"]
    session.put_away()
    assert session.is_put_away
    assert describe_first_misplaced_event(log) is None


def test_time_on_the_page_of_the_score_is_no_play() -> None:
    """A game that was put away is opened, looked at, and reopened: only its own seconds count."""
    now, log = [0.0], MemoryLog()
    session = Session.begin(sealed_bid.GAME, ("Aki", "Ben"), {}, log, clock=lambda: now[0])
    now[0] = 10.0
    session.put_away()
    opened = Session(sealed_bid.GAME, list(log), log, clock=lambda: now[0])
    now[0] = 100.0
    opened.reopen()
    now[0] = 103.0
    assert opened.played_seconds == 13


def test_only_what_was_put_away_is_reopened() -> None:
    """And what is put away again takes nothing more, until it is reopened again."""
    session, log = bids(5, 3)
    session.reopen()
    with pytest.raises(UserError, match="This game has not been put away"):
        session.reopen()
    session.put_away()
    with pytest.raises(UserError, match="This game has been put away"):
        session.undo()
    session.reopen()
    assert [type(event) for event in log[-4:]] == [PutAway, Reopened, PutAway, Reopened]


def test_late_input_from_before_the_end_is_dropped() -> None:
    """The open question of a game that ended early has another number once it is reopened."""
    session, _ = bids(5, 3)
    other = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, MemoryLog())
    n, aki = other.question_number, other.table.seats.find_seat("Aki")
    other.put_answer_in_envelope(n, aki, 4)
    other.put_away()
    other.reopen()
    assert other.drafts == {}
    with pytest.raises(UserError, match=f"Question {n} has been answered"):
        other.put_answer_in_envelope(n, aki, 4)
    round_of(other, 4, 2)
    assert session.result is not None


def test_the_clocks_of_a_reopened_game_stand_still() -> None:
    """Until somebody answers, as in any game that is resumed."""
    from companion.clocks import parse_clocks

    session = Session.begin(
        sealed_bid.GAME, ["Aki", "Ben"], {}, MemoryLog(), clock_settings=parse_clocks("turn=60 ring")
    )
    session.put_away()
    session.reopen()
    assert session.are_clocks_paused


def test_a_reveal_is_not_taken_back_unasked_after_reopening() -> None:
    """What everybody saw at the end is confirmed to be undone, as before it."""
    session, _ = bids(5, 3)
    session.reopen()
    session.undo()
    with pytest.raises(WouldUndoReveal):
        session.undo()


# In the record


def record(session: Session, log: Sequence[Event]) -> GameRecord:
    """The record at this moment."""
    return create_record(session, log, 1)


def test_the_record_says_that_a_game_was_reopened() -> None:
    """Every form does; the history says where, and what the result was until then."""
    session, log = bids(5, 3)
    assert "reopened" not in record_to_text(record(session, log)).lower()
    session.reopen()
    session.amend_answer(1, 9, session.table.seats.find_seat("Ben"))
    session.put_away()
    now = record(session, log)
    for form in FORMS.values():
        assert "reopened" in form(now).lower()
    (entry,) = [one for one in now.entries if render(one.text) == "The game was put away and later reopened."]
    assert entry.is_undone
    assert [render(note) for note in entry.notes] == [
        "The result before the game was reopened: 1. Aki 1, 2. Ben 0"
    ]
    assert json.loads(record_to_json(now))["reopened"] == 1
    assert "This game was reopened after it had been put away." in record_to_text(now)


def test_a_game_that_ended_early_and_was_reopened_does_not_say_that_it_ended() -> None:
    """Only the last end is the end."""
    log = MemoryLog()
    session = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, log)
    round_of(session, 5, 3)
    session.put_away()
    session.reopen()
    assert "before the end" not in record_to_text(record(session, log))
    session.answer(session.question_number, "finish")
    session.put_away()
    assert "before the end" not in record_to_text(record(session, log))
    assert not record(session, log).was_put_away_early


def without_way(kept: GameRecord) -> object:
    """The result as JSON."""
    return kept.result and kept.result.to_json(text_to_json)


@pytest.mark.sweep(4)
@pytest.mark.without_coverage
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_recorded_match_can_be_reopened(path: Path) -> None:
    """It stands as it ended, goes back and forth and comes to the same end; its log is read as it is."""
    events = logtext.parse_log_text(path.read_text(encoding="utf-8"))
    began = events[0]
    assert isinstance(began, Began)
    log = MemoryLog(events)
    session = Session(installed_games.playable_game(began.game), events, log)
    if not session.is_put_away:
        session.put_away()
    before = without_way(record(session, log))
    session.reopen()
    assert without_way(record(session, log)) == before
    steps = list(session.steps)
    session.undo_to_step_count(len(steps) // 2, past_reveal=True)
    assert session.result is None
    session.redo(len(steps) - len(steps) // 2)
    session.put_away()
    assert without_way(record(session, log)) == before
    assert describe_first_misplaced_event(log) is None
    assert logtext.parse_log_text(logtext.format_log_text(log)) == list(log)
    again = Session(installed_games.playable_game(began.game), list(log), MemoryLog())
    assert again.is_put_away
    assert without_way(record(again, log)) == before


# In the store


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Evening]:
    """A sealed bid that Aki won, and another game that is open."""
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        evening = Evening(store)
        session = evening.begin_game("sealed_bid", ["Aki", "Ben"], {})
        round_of(session, 5, 3)
        session.answer(session.question_number, "finish")
        evening.put_game_away()
        evening.begin_game("egypt", ["Aki", "Ben", "Chie"], {})
        evening.take_game_off_table()
        yield evening


def test_a_reopened_game_is_the_open_one(over: Evening) -> None:
    """What was open waits; it has no result until it is put away again, and then counts with the new one."""
    (saved,) = over.past_games()
    session = over.reopen_game(saved)
    assert [(one.number, one.state) for one in over.store.all_saved_games()] == [(2, "waiting"), (1, "open")]
    assert over.store.all_saved_games()[1].result is None
    assert over.past_games() == []
    assert player_statistics.statistics_of_all_players(over.store) == []
    session.amend_answer(1, 9, session.table.seats.find_seat("Ben"))
    over.put_game_away()
    assert over.past_games()[0].winners == ["Ben"]
    assert [(one.name, one.wins) for one in player_statistics.statistics_of_all_players(over.store)] == [
        ("Ben", 1),
        ("Aki", 0),
    ]
    assert over.store.reopen_count(1) == 1


def test_what_is_reopened_survives_the_program(over: Evening, tmp_path: Path) -> None:
    """It is on the disk and in the backup, and in a copy that is restored."""
    over.reopen_game(over.past_games()[0])
    over.store.close()
    state = tmp_path / "state"
    archive.write_archive(state, tmp_path / "kept.zip", "0.3", "2026-11-28 03:00:00", {})
    archive.restore_archive(tmp_path / "restored", tmp_path / "kept.zip")
    only_backup = tmp_path / "backup"
    only_backup.mkdir(mode=0o700)
    shutil.copy(StateFiles(state).backup, StateFiles(only_backup).games)
    for directory in (state, tmp_path / "restored", only_backup):
        with closing(Store.open(directory, for_writing=True)) as store:
            assert store.notices == []
            session = Evening(store).resume_game()
            assert session.game.key == "sealed_bid"
            session.undo()
            session.answer(session.question_number, "finish")
            session.put_away()
            assert store.all_saved_games()[1].winners == ["Aki"]


def test_a_reopened_game_is_rescued_from_a_damaged_file(over: Evening, tmp_path: Path) -> None:
    """As the open one, from its log alone."""
    over.reopen_game(over.past_games()[0])
    over.store.close()
    places = StateFiles(tmp_path / "state")
    with closing(sqlite3.connect(places.games, isolation_level=None)) as db:
        db.execute("UPDATE setting SET value = 'x', mark = 1")
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        assert store.notices
        assert [(one.number, one.state) for one in store.all_saved_games()] == [(2, "waiting"), (1, "open")]


def test_a_game_whose_rules_are_gone_is_not_reopened(evenings: Evenings) -> None:
    """What was open stays so, and the result stays with it."""
    evenings.finished("Aki", "Ben")
    evenings.running("Aki", "Ben", "Chie")
    evenings.of_other_rules(1)
    with closing(Store.open(evenings.directory, for_writing=True)) as store:
        before = store.all_saved_games()
        with pytest.raises(RulesDifferFromLog):
            Evening(store).reopen_game(before[1])
        assert store.all_saved_games() == before


def test_a_program_that_knows_no_reopening_refuses_the_games(over: Evening, tmp_path: Path) -> None:
    """As those of a newer Companion, not as damaged: 0.2 knows them by version and tables."""
    over.store.close()
    with closing(open_read_only(StateFiles(tmp_path / "state").games)) as db:
        assert has_tables_of_its_version(db, GAMES_MIGRATIONS[:4])
        with pytest.raises(StoreUnavailable, match="from a newer Companion"):
            check_schema_version_supported(schema_version(db), GAMES_MIGRATIONS[:4])


@pytest.mark.parametrize(("release", "game"), GAMES)
def test_a_game_that_a_release_put_away_can_be_reopened(tmp_path: Path, release: str, game: str) -> None:
    """Its end is the one that was kept; put away again it is the same."""
    copy_release(release, tmp_path / "state")
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        evening = Evening(store)
        for saved in [one for one in evening.past_games() if one.game == game]:
            session = evening.reopen_game(saved)
            kept = result_from_json(saved.result, session.table.seats)
            led_to = session.rulebook_run.result_or_score_so_far()
            assert [(one.seat, one.total) for one in (kept.standings if kept else ())] == [
                (one.seat, one.total) for one in (led_to.standings if led_to else ())
            ]
            evening.put_game_away()
            (again,) = (one for one in evening.past_games() if one.number == saved.number)
            assert (again.state, again.winners) == (saved.state, saved.winners)


# On the command line, and in JSON lines


def test_a_game_is_reopened_and_put_right_on_the_command_line(evenings: Evenings) -> None:
    """It is open until it is put away again; the list, the record and the statistics follow."""
    evenings.finished("Aki", "Ben")
    said = evenings.run("history", "reopen", "1")
    assert "companion play sealed_bid --resume" in said
    assert evenings.run("history", "list") == "1  Sealed bid: Aki, Ben (open; reopened)\n"
    assert evenings.run("players", "list") == "Nobody has finished a game yet.\n"
    assert evenings.refused("history", "reopen", "1") == "Game 1 has not been put away."
    with closing(Store.open(evenings.directory, for_writing=True)) as store:
        session = Evening(store, clock=lambda: None).resume_game()
        session.amend_answer(1, 9, session.table.seats.find_seat("Ben"))
        session.put_away()
    assert evenings.run("history", "list") == "1  Sealed bid: Aki, Ben (won by Ben; reopened)\n"
    assert evenings.run("players", "list").splitlines()[0] == "Ben   1 game   1 won   100 %"
    assert "The result before the game was reopened: 1. Aki 2, 2. Ben 1" not in evenings.run(
        "history", "show", "1"
    )
    assert "The result before the game was reopened: 1. Aki 1, 2. Ben 0" in evenings.run(
        "history", "show", "1"
    )
    assert "are intact" in evenings.run("verify", "1")


def test_a_game_is_reopened_in_json_lines() -> None:
    """In the conversation that put it away; the open question or the result comes back."""
    session, _ = bids(5, 3)
    out = io.BytesIO()
    jsonlines.play_over_streams(
        session, io.BytesIO(b'{"do": "reopen"}\n{"do": "undo"}\n{"do": "reopen"}\n'), out
    )
    _, reopened, undone, refused = map(json.loads, out.getvalue().splitlines())
    assert (reopened["done"], reopened["result"]["winners"]) == ("reopen", ["Aki"])
    assert undone["asks"] == "Choose: Another round?"
    assert refused["error"] == "This game has not been put away."


# What the end had revealed


def reopened_twin(lost: int, *, leaks: bool = False) -> list[Observation]:
    """High Bid, where Aki got so much under cover; its end told all, and it is taken back to its middle."""
    match = RecordedMatch(
        logtext.parse_log_text((ROOT / "tests/golden/high_bid-3.log").read_text(encoding="utf-8"))
    )
    log, game = match.log, match.session.game
    match.session = session = Session(game, [match.session.began], log, clock=lambda: 0.0)
    for _ in range(12):
        match.play_next_step()
    session.correct("bank", "@1/purse", "dollar", lost, "a note was lost")
    kept = len(session.steps)
    while not match.is_over:
        match.play_next_step()
    session.put_away()
    ended = log[-1]
    assert isinstance(ended, PutAway)
    told = str(ended.result["standings"]) if leaks and ended.result else ""
    session.reopen()
    session.undo_to_step_count(kept, past_reveal=True)
    sights = []
    for _ in range(3):
        now = record(session, log)
        seen = observe_session(session, log, excluded_seats=session.table.seats[:1]).values
        seen |= {
            f"{name} {lang}": form(now, lang).encode() for name, form in FORMS.items() for lang in languages()
        }
        seen["json lines"] = json.dumps(
            [jsonlines.public_table_as_json(session), jsonlines.question_or_result_as_json(session)]
        ).encode()
        sights.append(Observation(seen | {"the list": told.encode()}))
        session.redo()
    return sights


def test_a_reopened_game_covers_again_what_its_end_had_shown() -> None:
    """Before its end again, tables that differ only in covered money look the same to all but its owner."""
    assert find_observable_differences(reopened_twin(100), reopened_twin(700)) == []


def test_a_reopened_game_that_tells_its_earlier_result_is_caught() -> None:
    """The result counts what is covered, so twins with other totals would be told apart."""
    assert find_observable_differences(reopened_twin(100, leaks=True), reopened_twin(700, leaks=True))
