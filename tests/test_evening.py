"""An evening without a screen: which game lies on the table, and how it came there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import installed_games, logtext
from companion.clocks import parse_clocks
from companion.errors import EventNotSaved, StoreUnavailable, UserError
from companion.evening import Evening
from companion.games.egypt.rulebook import HAND
from companion.log.events import Corrected
from companion.recorded_match import RecordedMatch, load_recorded_events
from companion.rules.scene import CountCell, Scene, SeatMat
from companion.session.session import Session
from companion.store import Store
from companion.store.state_files import StateFiles
from companion.table.ledger import Piece, Place
from companion.table.moves import PieceMove
from companion.table.seats import SEAT_COLOURS
from companion.texts import render, say
from tests.any_game_presets import library

NAMES = ["Aki", "Ben", "Chie"]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """An evening that has just begun, at 1000 seconds since 1970."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        yield Evening(store, clock=lambda: 1000.0)


def test_a_game_that_begins_lies_on_the_table_and_is_the_open_one(evening: Evening) -> None:
    """With the people, the colours and the time that were said."""
    session = evening.begin_game("egypt", NAMES, {}, colours=["sky", "green", "orange"])
    assert evening.session is session
    assert evening.is_game_saved
    saved = evening.find_open_game()
    assert saved is not None
    assert evening.names_and_colours_in_open_game() == (("Aki", "sky"), ("Ben", "green"), ("Chie", "orange"))
    assert evening.last_played_at(saved) == 1000.0


def test_a_game_is_resumed_where_it_stood(evening: Evening) -> None:
    """Whoever leaves the table leaves the game open, and its clocks at the tick."""
    session = evening.begin_game("egypt", NAMES, {}, parse_clocks("turn=60 ring"))
    session.answer(session.question_number, "2")
    evening.save_dates_and_stop_clocks()
    assert session.are_clocks_paused
    evening.take_game_off_table()
    assert evening.session is None
    again = evening.resume_game()
    assert (again.question_number, again.steps) == (session.question_number, session.steps)
    assert again.are_clocks_paused


def test_who_does_not_agree_leaves_open_what_was_open(evening: Evening) -> None:
    """And what lay on the table stays there."""
    evening.begin_game("egypt", NAMES, {})
    waiting = evening.find_open_game()
    assert waiting is not None
    now = evening.begin_game("any_game", NAMES, {})

    def refuse(_: Session) -> None:
        raise UserError(say("Other people play it."))

    with pytest.raises(UserError):
        evening.resume_game(waiting, refuse)
    open_now = evening.find_open_game()
    assert open_now is not None
    assert open_now.game == "any_game"
    assert evening.session is now


@pytest.mark.parametrize("attempt", ["begin", "resume"])
def test_a_game_whose_successor_is_refused_can_still_move_elsewhere(
    evening: Evening, tmp_path: Path, attempt: str
) -> None:
    """After another game could not be opened, the one on the table goes on in a new directory."""
    evening.begin_game("egypt", NAMES, {})
    waiting = evening.find_open_game()
    session = evening.begin_game("egypt", NAMES, {})

    def refuse(_: Session) -> None:
        raise UserError(say("Other people play it."))

    attempts = {
        "begin": lambda: evening.begin_game("egypt", NAMES[:1], {}),
        "resume": lambda: evening.resume_game(waiting, refuse),
    }
    with pytest.raises(UserError):
        attempts[attempt]()
    evening.store.move_current_game_to(tmp_path / "other")
    session.answer(session.question_number, "2")
    moved = evening.find_open_game()
    assert moved is not None
    assert len(evening.store.open_game_log(moved.number).events()) == len(session.steps) + 1


def test_again_is_the_same_table_with_an_empty_board(evening: Evening) -> None:
    """Names as they are now, colours, options and clocks; the other game is put away."""
    clocks = parse_clocks("turn=60 ring")
    first = evening.begin_game("sealed_bid", NAMES, {"ties": "again"}, clocks, ["sky", "green", "orange"])
    first.rename_player(first.table.seats[0], "Akiko")
    second = evening.play_again()
    assert first.is_put_away
    assert [seat.name for seat in second.table.seats] == ["Akiko", "Ben", "Chie"]
    assert second.began.colours == first.began.colours
    assert second.table.options == first.table.options
    assert second.clock_settings.as_text == clocks.as_text
    assert not second.steps


def test_what_can_not_begin_again_goes_on(evening: Evening) -> None:
    """A template may have been deleted since: the game with it isn't put away for another that is refused."""
    directory = evening.store.directory
    library(directory).create_copy("mine", "points")
    first = evening.begin_game("any_game", NAMES, {"template": "mine"})
    library(directory).delete("mine")
    with pytest.raises(UserError, match="There is no template mine"):
        evening.play_again()
    assert not first.is_put_away
    assert evening.session is first


def test_where_again_can_not_begin_the_old_game_lies_there(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is put away, and can still be looked at."""
    first = evening.begin_game("egypt", NAMES, {})

    def full() -> None:
        raise EventNotSaved(say("The disk is full."))

    monkeypatch.setattr(evening.store, "new_game_log", full)
    with pytest.raises(EventNotSaved):
        evening.play_again()
    assert evening.session is first


def test_a_match_that_is_watched_plays_itself_and_is_kept_nowhere(evening: Evening) -> None:
    """Answer by answer to its end; the saved games stay as they are."""
    match = RecordedMatch(load_recorded_events("egypt"))
    evening.show_recorded_match(match)
    assert not evening.is_game_saved
    while not match.is_over:
        match.play_next_step()
    assert evening.view_for().result is not None
    assert evening.find_open_game() is None
    assert evening.history_entries()
    assert evening.scores_after_each_step()
    assert evening.thinking_times()


def test_what_is_put_away_is_open_no_more(evening: Evening) -> None:
    """The table is clear, also after a game that was put away already."""
    for early in (True, False):
        session = evening.begin_game("egypt", NAMES, {})
        if early:
            session.put_away()
        evening.put_game_away()
        assert evening.session is None
        assert session.is_put_away
        assert evening.find_open_game() is None


def test_the_record_of_the_game_is_written_beside_the_games(evening: Evening, tmp_path: Path) -> None:
    """In the language that was asked for."""
    evening.begin_game("egypt", NAMES, {})
    path = evening.export_record("json", "en")
    assert tmp_path in path.parents
    assert "Aki" in path.read_text(encoding="utf-8")


def test_games_that_can_go_on_are_told_by_when_they_lay_on_the_table(tmp_path: Path) -> None:
    """The open one first, whatever the clock says; those of unknown times last."""
    times = iter([1000.0, None, 2000.0, 3000.0])
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = Evening(store, clock=lambda: next(times))
        for game in ("egypt", "any_game", "high_bid"):
            evening.begin_game(game, NAMES, {})
        waiting = next(one for one in evening.unfinished_games() if one.game == "egypt")
        evening.resume_game(waiting)
        assert [one.game for one in evening.unfinished_games()] == ["egypt", "high_bid", "any_game"]
        assert [evening.last_played_at(one) for one in evening.unfinished_games()] == [3000.0, 2000.0, None]
        assert evening.past_games() == []


def test_who_plays_a_waiting_game_is_told_without_opening_it(evening: Evening) -> None:
    """By the names they have now; where its log is gone, with other colours."""
    first = evening.begin_game("egypt", NAMES, {}, colours=["sky", "green", "orange"])
    first.rename_player(first.table.seats[0], "Akiko")
    evening.begin_game("any_game", ["Dai", "Emi"], {})
    _, waiting = evening.unfinished_games()
    assert evening.names_and_colours_of_players(waiting) == (
        ("Akiko", "sky"),
        ("Ben", "green"),
        ("Chie", "orange"),
    )
    assert [one.game for one in evening.unfinished_games()] == ["any_game", "egypt"]
    assert evening.store.read_began_event(99) is None


def test_who_played_is_told_though_the_log_can_not_be_read(evening: Evening) -> None:
    """By the names in the list of games, and any colours."""
    evening.begin_game("egypt", NAMES, {}, colours=["sky", "green", "purple"])
    with closing(sqlite3.connect(StateFiles(evening.store.directory).games, isolation_level=None)) as games:
        games.execute("UPDATE event SET chain = 'another'")
    (saved,) = evening.unfinished_games()
    assert [name for name, _ in evening.names_and_colours_of_players(saved)] == NAMES
    assert evening.names_and_colours_in_open_game() == tuple(zip(NAMES, SEAT_COLOURS, strict=False))


def test_a_game_that_is_over_is_looked_back_at_as_it_ended(evening: Evening) -> None:
    """With the score that was kept and its reasons; nothing in it can change, and what was open still is."""
    match = RecordedMatch(load_recorded_events("egypt"))
    session = evening.begin_game("egypt", match.session.began.names, {}, colours=match.session.began.colours)
    session.put_away()
    evening.take_game_off_table()
    evening.begin_game("any_game", NAMES, {})
    evening.take_game_off_table()
    (over,) = evening.past_games()
    evening.show_finished_game(over)
    seen = evening.view_for()
    assert seen.is_score_so_far
    assert seen.question is None
    assert seen.result is not None
    assert [one.seat.name for one in seen.result.standings] == list(over.names)
    assert evening.finished_game == over
    assert [render(one.text) for one in evening.history_entries()] == [
        "The game was put away before the end. This is the score so far."
    ]
    touched = evening.last_played_at(over)
    evening.save_dates_and_stop_clocks()
    evening.take_game_off_table()
    assert evening.last_played_at(over) == touched
    assert evening.finished_game is None
    assert [one.game for one in evening.unfinished_games()] == ["any_game"]


def test_a_date_that_the_disk_refuses_is_not_worth_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on all the same, with the date it had."""
    times = iter([1000.0, 2000.0])
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = Evening(store, clock=lambda: next(times))
        evening.begin_game("egypt", NAMES, {})

        def full(_do: object) -> None:
            raise StoreUnavailable(say("The disk is full."))

        with monkeypatch.context() as disk:
            disk.setattr(store._disk, "run_transaction", full)
            evening.save_dates_and_stop_clocks()
        (saved,) = evening.unfinished_games()
        assert evening.last_played_at(saved) == 1000.0


def test_a_game_whose_scene_does_not_fit_its_table_is_refused_before_anything_is_kept(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a new one is begun nor an open one gone on with; what was open stays so."""
    evening.begin_game("egypt", NAMES, {})
    wrong = replace(
        installed_games.playable_game("egypt"),
        scene=lambda _: Scene(SeatMat(CountCell(Piece("gem", say("gem")), HAND))),
    )
    monkeypatch.setattr(installed_games, "playable_game", lambda _: wrong)
    kept = evening.store.all_saved_games()
    refused = r"The scene of Egypt names a piece that isn't on its table: gem\."
    with pytest.raises(UserError, match=refused):
        evening.begin_game("egypt", NAMES, {})
    with pytest.raises(UserError, match=refused):
        evening.resume_game()
    assert evening.store.all_saved_games() == kept


def purse(evening: Evening, name: str) -> Place:
    """Whose purse it is."""
    return next(
        place
        for place in evening.movable_holdings_by_place()
        if place.key_with_player_name == f"{name}/purse"
    )


def moved(evening: Evening, *ways: tuple[str, str, int]) -> list[PieceMove]:
    """Money from one purse to another, so much."""
    money = next(held.piece for held in evening.movable_holdings_by_place()[purse(evening, "Aki")])
    return [PieceMove(money, purse(evening, one), purse(evening, other), count) for one, other, count in ways]


def money(evening: Evening) -> list[int | None]:
    """What everybody has."""
    return [
        held.count for name in NAMES for held in evening.movable_holdings_by_place()[purse(evening, name)]
    ]


def test_several_moves_are_made_together(evening: Evening) -> None:
    """Each after those before it: what somebody gets may go on at once."""
    evening.begin_game("any_game", NAMES, {"template": "train"})
    evening.move_pieces(moved(evening, ("Aki", "Ben", 400), ("Ben", "Chie", 700)), "")
    assert money(evening) == [100, 1100]
    assert len(evening.current_session.steps) == 1


def test_several_moves_are_one_in_the_log_and_to_undo(evening: Evening) -> None:
    """The history has one line of them, and they are taken back and put back together."""
    session = evening.begin_game("any_game", NAMES, {"template": "train"})
    evening.move_pieces(moved(evening, ("Aki", "Ben", 5), ("Aki", "Chie", 5)), "")
    assert [render(one.text) for one in evening.history_entries()] == [
        "5 $ from Aki to Ben, 5 $ from Aki to Chie"
    ]
    session.undo()
    assert money(evening) == [400, 400, 400]
    session.redo()
    assert money(evening) == [390, 405, 405]
    events = [*evening.store.open_game_log(1).events()]
    assert "then 5 money: Aki/purse -> Chie/purse" in logtext.format_log_text(events)
    assert logtext.parse_log_text(logtext.format_log_text(events)) == events


def test_where_one_of_several_moves_cant_be_none_is_made(evening: Evening) -> None:
    """Nothing is kept of it either."""
    session = evening.begin_game("any_game", NAMES, {"template": "train"})
    events = evening.history_entries()
    with pytest.raises(UserError, match="Ben"):
        evening.move_pieces(moved(evening, ("Aki", "Ben", 1), ("Ben", "Chie", 402)), "")
    assert money(evening) == [400, 400, 400]
    assert (session.steps, evening.history_entries()) == ([], events)


def test_the_last_of_several_moves_may_ask_the_question_again(evening: Evening) -> None:
    """One reason stands with all of them, and why another question is open is told once."""
    session = evening.begin_game("egypt", NAMES, {})
    session.answer(session.question_number, "1")
    session.answer(session.question_number, True)
    session.answer(session.question_number, 3)
    card = session.table.ledger.find_account_by_keys("Aki/hand", "card")
    ben, chie = (
        session.table.ledger.find_account_by_keys(f"{name}/hand", "card").place for name in ("Ben", "Chie")
    )
    n = session.question_number
    settled = evening.move_pieces(
        [PieceMove(card.piece, card.place, to) for to in (ben, chie)], "dealt wrong", ask_again=True
    )
    assert settled.why_asked_again is None
    assert session.question_number == n + 1
    assert [step.reason for step in session.steps if isinstance(step, Corrected)] == ["dealt wrong"]
