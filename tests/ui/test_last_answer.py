"""The final score says what the last answer led to: on the page, or on a sheet that opens over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import installed_games
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.scores import GameResult
from companion.texts import render
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.missing_information import is_text_cut
from tests.support.ui.screen_faults import (
    find_covered_texts,
    find_cut_texts,
    find_overhanging_texts,
    find_overprinted_texts,
    visible_widgets,
)
from tests.support.ui.screen_variants import SCREEN_VARIANTS, ScreenVariant, variant_id
from tests.ui.test_every_table import laid
from tests.ui.test_nothing_hidden import GOLDEN, written


def at_its_end(log: Path) -> View:
    """A recorded match, played to its end, as everybody sees it."""
    began, *_ = events = written(log)
    assert isinstance(began, Began)
    kept = MemoryLog([began])
    session = Session(installed_games.playable_game(began.game), kept, kept)
    session.answer_for_absent_players()
    for step in build_timeline(events).steps:
        repeat_step(session, step)
        if session.question is None:
            break
    return make_view(session)


async def show(table: Any, seen: View, **kwargs: Any) -> Any:
    """The final score."""
    from ui.screens.score import ScoreScreen

    table.app.stage.replace_screen(lambda: ScoreScreen(seen, **kwargs))
    await table.wait_frames(3)
    return table.app.stage.screen


def shown(table: Any) -> tuple[str, bool]:
    """What the page says that happened, and whether all of it can be read."""
    notes = table.app.stage.screen.notes
    if notes.parent is None or not notes.opacity or table.app.stage.has_overlay:
        return "", False
    return notes.label.text, not is_text_cut(notes.label, *notes.label.size)


def is_all_said(table: Any, seen: View, lang: str) -> bool:
    """Whether the sheet over the score says the winners, and each sentence or the numbers in its place."""
    from ui.widgets.sheets.result_card import ScoreTableWidget

    sheet = table.app.stage.topmost_widget
    shown = "\n".join(table.texts())
    assert not [*find_cut_texts([*visible_widgets(sheet)])]
    tables = [widget for widget in table.widgets() if isinstance(widget, ScoreTableWidget)]
    counted = {sentence for widget in tables for sentence in widget.sentences}
    winners = table.app.stage.screen.winners_text
    return all(
        sentence in shown or sentence in counted
        for sentence in (winners, *(render(note, lang) for note in seen.notes_from_ending))
    )


@pytest.mark.sweep(2)
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
@pytest.mark.parametrize("log", GOLDEN, ids=lambda log: log.stem)
async def test_the_final_score_says_what_the_last_answer_led_to(
    open_app: Any, without_motion: None, log: Path, look: ScreenVariant
) -> None:
    """Every sentence is whole on the page that appears when a match ends; none lies over another.

    What ended the match is first where it has room, and always on the sheet.
    """
    table = await laid(open_app, look)
    seen = at_its_end(log)
    score = await show(table, seen, is_flat=look.layout == "flat")
    await table.wait_until(lambda: score.winners_text)
    await table.wait_frames(3)
    told_from_ending, told = (
        "\n".join(render(note, look.lang) for note in notes) for notes in (seen.notes_from_ending, seen.notes)
    )
    assert not table.app.stage.has_overlay  # nothing hides who leads
    if score.notes_key.parent is not None:
        await table.tap("what happened")
        assert is_all_said(table, seen, look.lang)
        await table.tap("close")
    else:
        assert shown(table) in ((told_from_ending, bool(told_from_ending)), (told, bool(told)))
    assert not table.app.stage.has_overlay
    widgets = [*visible_widgets(score)]
    assert not [*find_overprinted_texts(widgets), *find_overhanging_texts(widgets), *find_cut_texts(widgets)]


@pytest.mark.sweep(6)
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
async def test_a_notice_over_the_score_names_all_who_won(
    open_app: Any, without_motion: None, look: ScreenVariant
) -> None:
    """Beside its keys, the title is whole even if four people with long names share the win."""
    table = await laid(open_app, look)
    seen = at_its_end(next(log for log in GOLDEN if log.stem == "bidders-4"))
    assert seen.result is not None
    names = ("Maximilian", "Alexandra-Marie", "Chie", "Konstantin")
    standings = [
        replace(standing, rank=1, is_eliminated=False, seat=replace(standing.seat, name=name))
        for standing, name in zip(seen.result.standings, names, strict=True)
    ]
    seen = replace(seen, result=GameResult(tuple(standings)))
    score = await show(table, seen, is_flat=look.layout == "flat")
    await table.wait_until(lambda: score.winners_text)
    assert not [name for name in names if name not in score.winners_text], score.winners_text
    score._open_notes()
    await table.wait_frames(3)
    widgets = [*visible_widgets(table.app.stage.topmost_widget)]
    assert not [*find_cut_texts(widgets), *find_covered_texts(widgets)]


async def test_cards_wait_until_the_envelopes_are_gone(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """A reveal lies over the score at first: once it is gone the cards turn, and then all is said."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    controller = table.app.controller
    controller.play_recording(written(next(log for log in GOLDEN if log.stem == "bidders-3")))
    while controller.is_playing_recording:
        controller._play_next_step()
    score, reveal = table.app.stage.screen, table.app.table_flow.last_reveal_screen
    await table.wait_frames(6)
    assert table.app.stage.topmost_widget is reveal
    assert not any(place.turned_share for place in score.rank_cards)
    reveal.close()
    await table.wait_until(lambda: score.winners_text)
    await table.wait_frames()
    assert "Chie cooperates with Aki." in shown(table)[0]
    assert shown(table)[1]


async def test_a_demo_waits_until_all_envelopes_are_open(open_app: Any, tmp_path: Path) -> None:
    """And until the outcome could be read; then the reveal goes, and the match goes on."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    controller = table.app.controller
    controller.play_recording(written(next(log for log in GOLDEN if log.stem == "bidders-3")))
    while table.app.table_flow.last_reveal_screen is None:
        controller._play_next_step()
    reveal, number = table.app.table_flow.last_reveal_screen, controller.view.question_number
    controller._play_next_step_if_allowed()
    assert (controller.view.question_number, reveal.parent is None) == (number, False)
    reveal.skip_to_end()
    controller._play_next_step_if_allowed()
    assert (controller.view.question_number, reveal.parent is None) == (number, False)
    reveal._outcome_shown_at -= 60
    controller._play_next_step_if_allowed()
    assert (controller.view.question_number, reveal.parent is None) == (number + 1, True)


async def test_what_names_the_winner_is_said_when_all_cards_are_up(open_app: Any, tmp_path: Path) -> None:
    """On a page that has room it stands below the cards then, and nothing moves for it."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"), (1280, 720))
    seen = at_its_end(next(log for log in GOLDEN if log.stem == "egypt-3"))
    score = await show(table, seen)
    assert "Ben wins the match." not in "".join(table.texts())
    before = [place.box for place in score.rank_cards]
    score.turn_up_all_cards()
    await table.wait_frames()
    assert "Ben wins the match." in score.notes.label.text
    assert shown(table)[1]
    assert [place.box for place in score.rank_cards] == before


async def test_the_last_count_is_one_touch_away(open_app: Any, without_motion: None) -> None:
    """Flat on the smallest panel: a key opens the table of the last round, headed by who has won."""
    table = await laid(open_app, ScreenVariant("flat", (800, 480), "en"))
    seen = at_its_end(next(log for log in GOLDEN if log.stem == "egypt-5"))
    score = await show(table, seen, is_flat=True)
    await table.wait_until(lambda: score.winners_text)
    await table.wait_frames(3)
    await table.tap("what happened")
    assert f"The game is over: {score.winners_text}" in score.events_notice.headline.text
    assert {"daughters", "cards", "total"} <= set(table.texts())
    await table.tap("close")
    assert not table.app.stage.has_overlay
    assert table.find("what happened")


async def test_a_recorded_match_is_photographed_with_its_score_and_sums(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """The sheet over the score has a picture of its own and is taken away; the sums are open at the end."""
    from ui.demo.demo import Demonstration
    from ui.demo.hand import AnsweringHand, SimulatedFinger
    from ui.screens.score_sum import ScoreSumSheet

    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await show(table, at_its_end(next(log for log in GOLDEN if log.stem == "egypt-5")))
    hand = AnsweringHand(table.app, SimulatedFinger(table.app, table.window))
    (tmp_path / "out").mkdir()
    await Demonstration(table.app, hand, {}, tmp_path / "out")._photograph_score()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "01 final score, face down.png",
        "02 what the last answer led to.png",
        "03 final score.png",
        "04 how a total came about.png",
    ]
    assert any(isinstance(widget, ScoreSumSheet) for widget in table.widgets())


async def test_a_game_of_the_past_and_an_early_end_say_nothing_more(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """What was said at the table is in their history."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    seen = at_its_end(next(log for log in GOLDEN if log.stem == "egypt-5"))
    for ended, about in ((seen, "Egypt"), (replace(seen, is_score_so_far=True), "")):
        score = await show(table, ended, past_game_title=about)
        score.turn_up_all_cards()
        await table.wait_frames()
        assert shown(table) == ("", False)
        assert not table.app.stage.has_overlay
