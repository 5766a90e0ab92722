"""The score sheet while people play: rounds with the sums so far, page by page; a touch amends a number."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.languages import languages
from companion.table.seats import SEAT_COLOURS
from companion.table.seats import SEAT_COLOURS as COLOURS_OF_ALL
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import NAMES, answer_questions
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES

pytestmark = pytest.mark.usefixtures("without_motion")
TWELVE = [f"Maximilian{at}" for at in range(10, 22)], list(COLOURS_OF_ALL)


async def rounds(home: Any, *points: tuple[int, ...], template: str = "points", people: Any = None) -> Any:
    """Plays rounds of a template with everybody's points unseen, and shows the table after them."""
    names, colours = people or (NAMES, SEAT_COLOURS)
    evening = home.app.controller.evening
    session = evening.begin_game("any_game", names, {"template": template}, colours=colours)
    for each in points:
        given = {str(at): number for at, number in enumerate(each, 1)}
        for answer in ("write_round", given):
            session.answer(session.question_number, answer)
    home.app.controller.resume_saved_game()
    await home.wait_frames()
    return home


def cells(table: Any) -> list[list[str]]:
    """The numbers on the page, line by line; after a slash the sum so far."""
    found: dict[str, list[str]] = {}
    for one in reversed([one for one in table.widgets() if type(one).__name__ == "ScoreCell"]):
        line = one.name.split()[1]
        text = f"{one.figure.text}/{one.running_sum.text}" if one.running_sum.text else one.figure.text
        found.setdefault(line, []).append(text)
    return list(found.values())


async def test_the_sheet_has_every_round_and_the_sums_so_far(home: Any) -> None:
    """From the seldom used keys, or by a touch on the middle of the table."""
    await rounds(home, (5, 0, -2), (1, 7, 4))
    await home.tap("more", "score")
    assert cells(home) == [["5/5", "0/0", "−2/−2"], ["1/6", "7/7", "4/2"], ["6", "7", "2"]]
    assert {"round 1", "round 2", "Ben"} <= set(home.texts())


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", SIZES)
async def test_a_legend_says_what_the_second_number_is(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], lang: str
) -> None:
    """It is whole in the corner of the table."""
    table = await open_app(make_app_with_clock(lang), size)
    legend = table.app.words.translate_text(lang, "below: sum so far")
    await rounds(table, (5, 0, -2), (1, 7, 4))
    await table.tap("more", "score")
    label = table.find(legend)
    assert label.shown_text == legend


async def test_a_number_touched_is_amended(home: Any) -> None:
    """What the others answered in that round stays; the sheet and the strips show it at once."""
    await rounds(home, (5, 0, -2), (1, 7, 4))
    await home.tap("more", "score", "cell 0 1", "9", "confirm")
    assert cells(home) == [["5/5", "9/9", "−2/−2"], ["1/6", "7/16", "4/2"], ["6", "16", "2"]]
    assert home.app.evening.current_session.steps[1].answer == {"1": 5, "2": 9, "3": -2}


async def test_of_several_answers_it_is_asked_which_is_amended(home: Any) -> None:
    """A round of a contract whose bids came first was made of two."""
    controller = home.app.controller
    controller.evening.store.directory.joinpath("templates").mkdir(parents=True)
    text = '[[card]]\nid = "rules"\nkind = "rules"\nscoring = "contract"\nbids = "before"\nhit = 10\n'
    text += 'miss = -5\n[[card]]\nid = "points"\nkind = "category"\n'
    controller.evening.store.directory.joinpath("templates/first.toml").write_text(text)
    controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {"template": "first"})
    answer_questions(controller, "write_round", {"1": 1, "2": 2, "3": 0}, {"1": 1, "2": 1, "3": 0})
    await home.wait_frames()
    await home.tap("more", "score")
    assert cells(home)[-1] == ["10", "−5", "10"]
    await home.tap("cell 0 1", "answer 2", "2", "confirm")
    assert cells(home)[-1] == ["10", "10", "10"]


async def test_a_box_of_a_sheet_is_amended(home: Any) -> None:
    """Sheets that are filled in turn have a line for each box; an empty box can't be touched."""
    home.app.controller.start_new_game("any_game", NAMES[:2], SEAT_COLOURS[:2], {"template": "sheet"})
    answer_questions(home.app.controller, "turns", "ones", 3)
    await home.wait_frames()
    await home.tap("more", "score")
    assert "below: sum so far" not in home.texts()
    await home.tap("cell 0 0", "4")
    assert cells(home)[0] == ["4", ""]
    assert home.find("cell 0 1").is_static


async def test_how_the_score_went_is_drawn_while_people_play(home: Any) -> None:
    """A line for each seat, as at the end."""
    await rounds(home, (5, 0, -2), (1, 7, 4))
    await home.tap("more", "score", "course")
    course = next(one for one in home.widgets() if type(one).__name__ == "ScoreLineChart")
    assert [writing.text for writing in course.names.values()] == ["Ben 7", "Aki 6", "ちえ 2"]


async def test_nothing_is_drawn_of_what_lies_covered(home: Any) -> None:
    """Where anything ever lay covered the score is told at the end, and not before."""
    home.app.controller.start_new_game("high_bid", NAMES, SEAT_COLOURS, {})
    await home.wait_frames()
    await home.tap("more", "score", "course")
    assert "There is no score yet." in home.texts()


async def test_many_rounds_are_paged(home: Any) -> None:
    """Every number is on some page, and the sums of all rounds are on each; the last round is shown first."""
    await rounds(home, *[(at, 2 * at, 3) for at in range(1, 21)])
    await home.tap("more", "score")
    seen = cells(home)
    assert {"7/8", "round 20"} <= set(home.texts())
    while not home.find("page back").disabled:
        assert cells(home)[-1] == ["210", "420", "60"]
        assert "grand total" in home.texts()
        await home.tap("page back")
        seen += cells(home)
    assert {"1/8", "round 1"} <= set(home.texts())
    assert {"20/210", "40/420", "3/60", "1/1"} <= {cell for line in seen for cell in line}


LOOKS = [*product(SIZES, languages())] if SOAK else [(SIZES[0], "ja")]


@pytest.mark.parametrize(("size", "lang"), LOOKS)
async def test_nothing_is_wrong_with_the_sheet(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], lang: str
) -> None:
    """With as many people as have a place, and figures of any size."""
    table = await open_app(make_app_with_clock(lang), size)
    points = [(at * 100, -at, 0, 3, 9999, *[at] * 7) for at in range(1, 12)]
    await rounds(table, *points, people=TWELVE)
    await table.tap("more", "score")
    found = find_faults(table, size)
    while not table.find("page on").disabled:
        await table.tap("page on")
        found += find_faults(table, size)
    while not table.find("page back").disabled:
        await table.tap("page back")
        found += find_faults(table, size)
    await table.tap("course")
    found += find_faults(table, size)
    assert not [fault for fault in found if "untranslated" not in fault], "\n".join(found)


async def test_where_nothing_is_written_down_the_sheet_has_what_the_strips_say(home: Any) -> None:
    """Egypt is counted by the rules: cards, daughters and points of everybody, after a round and before.

    Between rounds, the table of the numbers that decided the last round comes first.
    """
    from companion.log.events import Answered, Began
    from companion.log.timeline import build_timeline
    from companion.recorded_match import load_recorded_events
    from ui.widgets.sheets.result_card import ScoreTableWidget

    began, *_ = events = load_recorded_events("egypt")
    assert isinstance(began, Began)
    session = home.app.controller.evening.begin_game("egypt", began.names, {})
    for step in build_timeline(events).steps:
        assert isinstance(step, Answered)
        session.answer(session.question_number, step.answer)
        assert session.question is not None
        if session.question.kind == "Done" and step.n > 1:
            break
    home.app.controller.resume_saved_game()
    await home.wait_frames()
    await home.tap("more", "score")
    (table,) = [each for each in home.widgets() if isinstance(each, ScoreTableWidget)]
    assert table.visible_texts[:3] == ["daughters", "cards", "total"]
    assert f"{began.names[0]} has the highest total and gets the point." in home.texts()
    await home.tap("page on")
    assert not [each for each in home.widgets() if isinstance(each, ScoreTableWidget)]
    assert {"sum", "points"} <= set(home.texts())
    assert cells(home)[1] == ["43", "10", "9", "23"]
    assert cells(home)[2] == ["1/2", "0/2", "0/2", "0/2"]


async def test_the_page_that_people_read_stays_when_a_round_is_decided(home: Any) -> None:
    """The table that decided the round comes before it, and goes with the next answer by a keypad."""
    from companion.log.events import Answered, Began
    from companion.log.timeline import build_timeline
    from companion.recorded_match import load_recorded_events

    controller = home.app.controller
    began, *_ = events = load_recorded_events("egypt")
    assert isinstance(began, Began)
    controller.evening.begin_game("egypt", began.names, {})
    controller.resume_saved_game()
    await home.wait_frames()
    await home.tap("more", "score")
    rounds_seen = set[bool]()
    for step in build_timeline(events).steps:
        assert isinstance(step, Answered)
        controller.answer_question(controller.view.question_number, step.answer)
        await home.wait_frames(2)
        is_decided = any(outcome.scores is not None for outcome in controller.view.outcomes)
        assert cells(home)
        if rounds_seen == {True, False} and not is_decided:
            return
        rounds_seen.add(is_decided)
    raise AssertionError("no round is decided")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", ["egypt", "bidders", "high_bid", "mammon", "oyakata", "sealed_bid"])
async def test_no_game_has_an_empty_sheet(home: Any, game: str) -> None:
    """Nor one that tells what lies covered: the numbers are those that everybody sees."""
    home.app.controller.start_new_game(game, NAMES, SEAT_COLOURS, {})
    await home.wait_frames()
    await home.tap("more", "score")
    assert "The score sheet is still empty." not in home.texts()
    assert len(cells(home)) >= 1
