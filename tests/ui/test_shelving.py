"""The shelf behind home, by touch: games that wait, those that are over, and who played them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.log.events import Answered, Began
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.texts import render
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import check_all_texts_are_whole

ATHENS = ["Aki", "Ben", "Chie", "Dai"]


def play(controller: Any, names: Sequence[str] = ATHENS, *, early: bool = False) -> None:
    """Plays the recorded match of Egypt unseen, to its end unless `early`, and puts it away."""
    began, *_ = events = load_recorded_events("egypt")
    assert isinstance(began, Began)
    session = controller.evening.begin_game("egypt", names, {}, colours=[*COLOURS, "purple"])
    for step in build_timeline(events).steps[: 3 if early else None]:
        assert isinstance(step, Answered)  # nothing is moved by hand in it
        session.answer(session.question_number, step.answer)
    controller.put_away()


def titles(table: Any) -> list[str]:
    """The rows that can be touched now, from the top."""
    from ui.screens.past_games import PaperRow

    rows = [each for each in table.widgets() if isinstance(each, PaperRow) and not each.is_static]
    return [row.name for row in sorted(rows, key=lambda row: -row.to_window(*row.pos)[1])]


async def test_every_open_game_is_found_from_home_and_goes_on(home: Any) -> None:
    """The one that was played last with one touch, the others with two."""
    controller = home.app.controller
    for game in ("egypt", "sealed_bid", "any_game"):
        controller.start_new_game(game, NAMES, COLOURS, {})
        controller.leave_table()
    await home.wait_frames()
    assert {"Any Game", "Continue", "2 more open games"} <= set(home.texts())
    await home.tap("waiting")
    assert titles(home) == ["game 3", "game 2", "game 1"]
    await home.tap("game 1")
    assert str(controller.evening.game.key) == "egypt"
    controller.leave_table()
    await home.wait_frames()
    await home.tap("Continue")
    assert str(controller.evening.game.key) == "egypt"


async def test_a_game_that_waits_is_offered_though_none_is_open(home: Any) -> None:
    """Once the open one is put away, the other is the one to go on with."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    controller.put_away()
    await home.wait_frames()
    await home.tap("Continue")
    assert str(controller.evening.game.key) == "egypt"


async def test_a_game_is_called_after_its_template(home: Any) -> None:
    """At home while it waits, and in the page about it once it has been put away."""
    controller = home.app.controller
    controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    controller.leave_table()
    await home.wait_frames()
    assert "train companies" in home.texts()
    (waiting,) = controller.evening.unfinished_games()
    assert render(controller.evening.title_of(waiting), "ja") == "鉄道会社"


async def test_who_begins_a_game_is_told_what_becomes_of_the_open_one(home: Any) -> None:
    """In one sentence, before it begins; nothing begins if that isn't meant."""
    controller = home.app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    controller.leave_table()
    await home.wait_frames()
    await home.tap("Egypt", "Begin")
    said = "Sealed bid with Aki, Ben, ちえ is saved. You can continue it from the home screen at any time."
    assert said in home.texts()
    await home.tap("Not now")
    assert controller.view is None
    await home.tap("Begin", "yes")
    assert str(controller.evening.game.key) == "egypt"
    assert [saved.game for saved in controller.evening.unfinished_games()] == ["egypt", "sealed_bid"]


async def test_a_past_game_is_shown_as_it_ended(home: Any) -> None:
    """Its score and reasons at once, its chart and its history, in which nothing can be changed."""
    controller = home.app.controller
    play(controller)
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    controller.leave_table()
    await home.wait_frames()
    await home.tap("past")
    assert {"Unknown date", "Egypt", ", ".join(ATHENS)} <= set(home.texts())
    assert any(text.startswith(f"{winner}: ") for text in home.texts() for winner in ATHENS)
    await home.tap("game 1")
    assert home.app.stage.screen.result.winners[0].name in ATHENS
    assert home.app.stage.screen.is_ceremony_over
    assert "undo" not in [getattr(each, "name", None) for each in home.widgets()]
    await home.tap("chart")
    assert "Score over time" in home.texts()
    await home.tap("Close", "history")
    names = [str(getattr(each, "name", "")) for each in home.widgets()]
    await home.tap(next(name for name in names if name.startswith("event ")))
    assert "Change this answer" not in home.texts()
    await home.tap("Close", "close", "shelf")
    assert titles(home) == ["game 1"]
    await home.tap("close")
    assert {"Sealed bid", "Continue"} <= set(home.texts())


async def test_a_past_game_is_played_again_by_the_same_people(home: Any) -> None:
    """And stays among the past ones; what becomes of the open one is said first."""
    controller = home.app.controller
    play(controller)
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    controller.leave_table()
    await home.wait_frames()
    await home.tap("past", "game 1", "again")
    assert "Begin a new game?" in home.texts()
    await home.tap("yes")
    assert [seat.name for seat in controller.view.seats] == ATHENS
    assert controller.view.question is not None
    assert len(controller.evening.past_games()) == 1


async def test_a_game_that_ended_early_says_so(home: Any) -> None:
    """Before its score so far, and on its page."""
    play(home.app.controller, early=True)
    await home.wait_frames()
    await home.tap("past")
    assert any(text.startswith("Ended early: ") for text in home.texts())
    await home.tap("game 1")
    assert "Ended early" in home.texts()
    assert not any(place.is_winner for place in home.app.stage.screen.rank_cards)


async def test_a_past_game_is_deleted_if_that_is_meant(home: Any) -> None:
    """It is asked first; then it counts no more."""
    play(home.app.controller)
    await home.wait_frames()
    await home.tap("past", "game 1", "more", "delete", "no", "more", "delete", "yes")
    assert titles(home) == []
    assert "No game has ended yet. Finished games appear here with their scores." in home.texts()
    await home.tap("regulars")
    assert "Players appear here after they have finished a game." in home.texts()


async def test_a_past_game_whose_rules_are_gone_still_has_its_score(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """In a line, with what is wrong; it can be deleted."""
    from companion.store import Store
    from companion.store.state_files import StateFiles
    from ui.evening.controller import TableController

    controller = TableController(Store.open(tmp_path / "state", for_writing=True))
    play(controller)
    controller.close()
    file = StateFiles(tmp_path / "state").games
    with closing(sqlite3.connect(file, isolation_level=None)) as games:
        games.create_function("mark", -1, lambda *_: 0)
        games.execute("UPDATE game SET game = 'gone', mark = 0")
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("past", "game 1")
    assert any("1.\u00a0" in text and "gone" in text for text in table.texts())
    await table.tap("more", "reopen", "yes")
    assert any("There is no game called gone" in text for text in table.texts())
    await table.tap("Understood", "game 1", "more", "delete", "yes")
    assert titles(table) == []


async def test_a_game_that_can_not_go_on_says_why_and_can_be_deleted(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """Its box is gone: it would stand there for ever."""
    from companion.store import Store
    from companion.store.state_files import StateFiles
    from ui.evening.controller import TableController

    controller = TableController(Store.open(tmp_path / "state", for_writing=True))
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    controller.close()
    file = StateFiles(tmp_path / "state").games
    with closing(sqlite3.connect(file, isolation_level=None)) as games:
        games.create_function("mark", -1, lambda *_: 0)
        games.execute("UPDATE game SET game = 'gone', mark = 0")
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("Continue")
    assert any("Aki, Ben, ちえ" in text and "There is no game called gone" in text for text in table.texts())
    await table.tap("close", "Continue", "delete", "yes")
    assert "Continue" not in table.texts()
    assert "Egypt" in table.texts()


async def test_players_are_counted_game_by_game(home: Any) -> None:
    """Who is who: a name is counted as another's, or no more; so set-up offers it."""
    controller = home.app.controller
    controller.remember_value("known players", [["Akiko", "sky"], ["Dai", "rose"], ["Ben", "green"]])
    play(controller)
    play(controller, ["Akiko", "Ben", "Chie", "Dai"])
    await home.wait_frames()
    await home.tap("past", "regulars", "regular Ben")
    assert any(text.startswith("Ben: 2 games") for text in home.texts())
    await home.tap("close", "regular Akiko", "same", "into Aki")
    assert "regular Akiko" not in titles(home)
    await home.tap("regular Aki")
    assert any(text.startswith("Aki: 2 games") for text in home.texts())
    await home.tap("same", "into Ben")
    assert "Aki and Ben played against each other in game 2, so they are two people." in home.texts()
    await home.tap("Understood", "regular Dai", "forget", "yes")
    assert "regular Dai" not in titles(home)
    assert controller.load_remembered_value("known players") == [["Aki", "sky"], ["Ben", "green"]]
    await home.tap("close")
    assert titles(home) == ["game 2", "game 1"]


async def test_a_player_has_dots_scores_and_opponents(home: Any) -> None:
    """A full dot is a win; a touch shows each game with its bars, and who was ahead of whom."""
    from ui.widgets.sheets.player_charts import PlayerScoreBars, ResultDots

    controller = home.app.controller
    play(controller)
    play(controller, ATHENS[::-1])
    (second, _first) = controller.evening.counted_games()
    winner = second.results[0].name
    await home.wait_frames()
    await home.tap("past", "regulars")
    dots = next(each for each in home.find(f"regular {winner}").children if isinstance(each, ResultDots))
    assert [result.is_winner for result in dots._results] == [False, True]
    assert any("50 %" in text for text in home.texts())
    await home.tap(f"regular {winner}")
    assert any(text.startswith("Against ") for text in home.texts())
    await home.tap("scores 0")
    bars = next(each for each in home.widgets() if isinstance(each, PlayerScoreBars))
    assert bars.average_label.text.startswith("best ")


async def test_records_and_evenings_have_pages(home: Any) -> None:
    """Each game has its records, and each evening its games and winners."""
    controller = home.app.controller
    play(controller)
    play(controller)
    await home.wait_frames()
    winner = controller.evening.counted_games()[0].results[0].name
    await home.tap("past", "records")
    assert {"Highest score", "Biggest margin", winner} <= set(home.texts())
    best, margin = (home.find(label) for label in ("Highest score", "Biggest margin"))
    columns = [[label.x for label in label.parent.children] for label in (best, margin)]
    assert columns[0] == columns[1]
    assert find_faults(home, (800, 480)) == []
    await home.tap("evenings")
    assert {"2 games", f"Won: {winner} 2"} <= set(home.texts())
    evening = next(name for name in titles(home) if name.startswith("evening "))
    await home.tap(evening)
    assert any(f"1. {winner}" in text for text in home.texts())
    await home.tap("Close", "close", "close")
    assert titles(home) == ["game 2", "game 1"]


async def test_a_past_game_is_reopened(home: Any) -> None:
    """It is asked first, and said what becomes of the open one; then it lies there with its score."""
    controller = home.app.controller
    play(controller)
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    controller.leave_table()
    await home.wait_frames()
    await home.tap("past", "game 1", "more", "reopen")
    assert any("Sealed bid with" in text and "is saved" in text for text in home.texts())
    await home.tap("no")
    assert controller.evening.finished_game is not None
    await home.tap("more", "reopen", "yes")
    assert controller.evening.finished_game is None
    assert controller.view.result is not None
    assert home.app.stage.screen.past_game_title == ""
    assert [saved.game for saved in controller.evening.unfinished_games()] == ["egypt", "sealed_bid"]


async def test_a_reopened_game_can_be_put_right(home: Any) -> None:
    """It goes back, is changed, and counts as it ends now; its page says that it was reopened."""
    controller = home.app.controller
    play(controller)
    (before,) = controller.evening.past_games()
    await home.wait_frames()
    await home.tap("past", "game 1", "more", "reopen", "yes")
    home.app.stage.screen.turn_up_all_cards()
    await home.wait_frames()
    await home.tap("undo")
    assert controller.view.question is not None
    controller.put_away()
    (after,) = controller.evening.past_games()
    assert (before.state, after.state) == ("finished", "put away")
    await home.wait_frames()
    await home.tap("past", "game 1", "more")
    assert any("This game was reopened after it had been put away." in text for text in home.texts())


async def test_the_history_of_a_past_game_leads_to_reopening_it(home: Any) -> None:
    """Whoever finds the mistake there is asked whether the game is to be reopened."""
    play(home.app.controller)
    await home.wait_frames()
    await home.tap("past", "game 1", "history")
    names = [str(getattr(each, "name", "")) for each in home.widgets()]
    await home.tap(next(name for name in names if name.startswith("event ")), "reopen")
    assert "Reopen this game?" in home.texts()
    await home.tap("yes")
    assert home.app.evening.finished_game is None
    assert home.app.evening.current_session.result is not None


async def test_a_past_game_is_left_out_of_the_statistics_and_counted_again(home: Any) -> None:
    """It stays where it is, and its row and its page say so, also of a game without a score."""
    from ui.screens.saved_games import describe_winners

    play(home.app.controller)
    await home.wait_frames()
    await home.tap("past", "game 1", "more", "count")
    assert any("This game doesn't count in the statistics." in text for text in home.texts())
    await home.tap("Close", "shelf")
    assert any(text.startswith("Not counted: ") for text in home.texts())
    (saved,) = home.app.controller.evening.past_games()
    without_score = msgspec.structs.replace(saved, state="put away", result=None)
    assert describe_winners(home.app, without_score, 400.0, 1) == "Not counted: Ended early"
    await home.tap("regulars")
    assert "Players appear here after they have finished a game." in home.texts()
    await home.tap("close", "game 1", "more", "count", "Close", "shelf", "regulars")
    assert "regular Aki" in titles(home)


async def test_the_total_of_winners_stands_apart_from_how_many_are_left_out(home: Any) -> None:
    """`Aki, +11: 12` isn't read as two numbers of one kind; without names there is nothing to join."""
    from ui.screens.saved_games import describe_winners, join_names_that_fit
    from ui.widgets.keys.key import with_danger_apart

    play(home.app.controller)
    (saved,) = home.app.controller.evening.past_games()
    total = saved.result["standings"][0]["total"]
    winners = ["Aki", *(f"Maximiliane {n}" for n in range(11))]
    shared = msgspec.structs.replace(saved, result={**saved.result, "winners": winners})
    assert describe_winners(home.app, shared, 100.0, 1) == f"Aki, +11: {total}"
    assert (join_names_that_fit([], 100.0, 1), [*with_danger_apart([], 8.0)]) == ("", [])


async def test_a_past_game_is_dated_by_hand(home: Any) -> None:
    """On a box without a clock; a day that isn't in the calendar can't be taken, and the date goes again."""
    from ui.screens.past_games import GameDatePage

    controller = home.app.controller
    controller.evening.store.wall_clock = lambda: None
    play(controller)
    await home.wait_frames()
    await home.tap("past", "game 1", "more")
    assert any("The date is not known" in text for text in home.texts())
    await home.tap("date")
    (page,) = (each for each in home.widgets() if isinstance(each, GameDatePage))
    assert page.entered_date == f"{datetime.now().astimezone():%Y-%m-%d}"
    for dial, count in zip(page.dials, (2026, 3, 1), strict=True):
        dial.count = count
    await home.tap("less month")
    page.dials[2].count = 30
    assert page.done_key.disabled
    assert "Write a date like 2026-11-24, not 2026-02-30." in home.texts()
    page.dials[2].count = 20
    await home.tap("take")
    assert any("Played on 2026-02-20 (date entered by hand)." in text for text in home.texts())
    await home.tap("Close")
    assert home.app.stage.screen.past_game_title.startswith("Egypt  2026-02-20")
    await home.tap("shelf")
    assert "2026-02-20" in home.texts()
    await home.tap("game 1", "more", "date", "none")
    assert any("The date is not known" in text for text in home.texts())


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_past_games_are_lines_of_columns(open_app: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """The date, the game, who won and who played, in letters of a body text or more; names are whole."""
    from ui import theme
    from ui.screens.past_games import PastGameRow
    from ui.widgets.drawing.text import FittedLabel

    table = await open_app(make_test_app(tmp_path / "state"), size)
    long = ["Maximiliane Theresia", "Bartholomäus Meister", "Wolfgang Amadeus Moz", "Anna Katharina Luise"]
    play(table.app.controller)
    play(table.app.controller, long)
    await table.wait_frames()
    await table.tap("past")
    assert find_faults(table, size) == []
    rows = [each for each in table.widgets() if isinstance(each, PastGameRow)]
    short_row, long_row = sorted(rows, key=lambda row: row.name)
    columns = [
        [label for label in row.walk(restrict=True) if isinstance(label, FittedLabel)]
        for row in (short_row, long_row)
    ]
    assert [label.x for label in columns[0]] == [label.x for label in columns[1]]
    assert [label.text for label in columns[0]][:2] == ["Unknown date", "Egypt"]
    assert min(label.font_size for label in columns[0][1:]) >= int(theme.length.body)
    shown = columns[1][3].shown_text
    named = [name for name in long if name in shown]
    assert len(named) == len(long) or f"+{len(long) - len(named)}" in shown


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), [*SIZES_AND_LANGUAGES, ((720, 1280), "ja")])
async def test_every_page_of_the_shelf_is_whole(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str, without_motion: None
) -> None:
    """Also with five long names, and more games than a page holds."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    controller = table.app.controller
    long = ["Maximilian M", "Wolfgang Am.", "Anna-Katha.", "Christopher", "Bartholomew"]
    for _ in range(6):
        play(controller, long[:4], early=True)
    play(controller, long[:4])
    for game in ("sealed_bid", "bidders"):
        controller.start_new_game(game, long, [*COLOURS, "vermilion", "purple"], {})
        controller.leave_table()
    await table.wait_frames()
    for steps in (
        (),
        ("waiting",),
        ("close", "past"),
        ("regulars",),
        ("regular Maximilian M",),
        ("close", "close", "game 7"),
        ("more",),
        ("date",),
        ("close", "more", "count"),
        ("reopen",),
        ("no", "shelf"),
    ):
        await table.tap(*steps)
        await table.wait_frames()
        check_all_texts_are_whole(table.widgets())


@pytest.mark.sweep(1)
@pytest.mark.parametrize("placement", ["flat", "standing"])
@pytest.mark.parametrize(("size", "lang"), [((480, 800), "ja"), *(SIZES_AND_LANGUAGES if SOAK else [])])
async def test_pages_of_past_games_have_room_for_all_their_keys(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str, placement: str, without_motion: None
) -> None:
    """The keys that turn the page, the page's number, the records, the players and the sound."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    table.app.controller.change_setting("placement", placement)
    for _ in range(12):
        play(table.app.controller, ["亜紀", "弁", "千絵", "大"])
    await table.tap("past")
    await table.wait_frames()
    assert {"page on", "records", "regulars"} <= {getattr(each, "name", "") for each in table.widgets()}
    assert not find_faults(table, size)
