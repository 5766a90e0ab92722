"""Twelve people at one table, on the real window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.clocks import parse_clocks
from companion.table.seats import SEAT_COLOURS
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import answer_questions, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_play import check_all

NAMES = ("Emmanuelle", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jun", "Ken", "Lea")


def strips(table: Any) -> list[Any]:
    """Everybody's strip, in the order of the seats."""
    return list(table.app.stage.screen.panels.values())


def envelopes(table: Any) -> list[str]:
    """Whose envelopes can be touched now, in the order in which they stand."""
    from ui.questions.sealed_round import EnvelopeKey

    return [key.name for key in table.widgets() if isinstance(key, EnvelopeKey)][::-1]


async def begun(
    open_app: Any, tmp_path: Path, size: tuple[int, int], people: int, *, flat: bool = False
) -> Any:
    """Any Game with so many at the table."""
    table = await open_app(make_test_app(tmp_path / "state"), size)
    controller = table.app.controller
    controller.change_setting("placement", "flat" if flat else "standing")
    controller.start_new_game("any_game", NAMES[:people], SEAT_COLOURS[:people], {"pays": "nobody"})
    await table.wait_frames(4)
    return table


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("size", "people", "stand"),
    [
        ((800, 480), 5, (1, "everything")),
        ((800, 480), 6, (1, "everything")),
        ((800, 480), 12, (2, "headline")),
        ((1280, 720), 8, (2, "everything")),
        ((720, 1280), 12, (2, "everything")),
    ],
)
async def test_strips_say_everything_while_there_is_room(
    open_app: Any,
    tmp_path: Path,
    size: tuple[int, int],
    people: int,
    stand: tuple[int, str],
) -> None:
    """Then all stand in more columns; then all of them say only what matters most."""
    table = await begun(open_app, tmp_path, size, people)
    table.app.controller.leave_table()
    table.app.controller.start_new_game(
        "any_game", NAMES[:people], SEAT_COLOURS[:people], {"template": "poker"}
    )
    answer_questions(table.app.controller, "done")
    await table.wait_frames(4)
    shown, (columns, level) = strips(table), stand
    assert {strip.detail_level for strip in shown} == {level}
    assert len({strip.parent.x for strip in shown}) == columns
    for strip in shown:
        said = " ".join(strip.visible_texts)
        assert "total" in said or "+195" in said  # a sign may take the place of the word
        assert ("W 20" in said) == (level == "everything")
    check_all(table, size)


async def test_a_touch_on_a_brief_strip_shows_the_rest(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """Everything that lies before that seat, by name."""
    table = await begun(open_app, tmp_path, (800, 480), 12)
    table.app.controller.leave_table()
    table.app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {"template": "poker"})
    answer_questions(table.app.controller, "done")
    await table.wait_frames(4)
    shown = strips(table)[-1]
    assert shown.detail_level != "everything"
    assert {"Lea", "+195", "195"} <= set(shown.visible_texts)
    assert "W 20" not in table.texts()
    await table.tap("before Lea")
    assert {"Lea", "white chip", "W 20"} <= set(table.texts())


async def test_a_bid_is_seen_on_the_briefest_strip(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """Beside nothing else where there is no room; what it would hide is left out, and never counted."""
    table = await begun(open_app, tmp_path, (800, 480), 12)
    controller = table.app.controller
    controller.start_new_game(
        "any_game", NAMES, SEAT_COLOURS, {"pays": "nobody"}, parse_clocks("turn=60 ring, budget=900")
    )
    answer_questions(controller, "auction", 12, 15)
    await table.wait_frames(4)
    first, second, *others = strips(table)
    assert [strip.status.bid for strip in (first, second, *others)] == [12, 15, *[None] * 10]
    assert len({strip.detail_level for strip in strips(table)}) == 1
    for strip in strips(table):
        assert not [text for text in strip.visible_texts if "more" in text]
        x, y, wide, high = strip.clock_face.digits_box
        assert strip.x <= x
        assert x + wide <= strip.right
        assert strip.y <= y
        assert y + high <= strip.top


async def test_what_the_middle_has_no_room_for_is_counted_in_words(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """As much as can be stands there, prices before what is left; the rest is named, and a touch opens it."""
    table = await begun(open_app, tmp_path, (960, 540), 12)
    table.app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {"template": "train"})
    answer_questions(table.app.controller, "auction", 5)
    await table.wait_frames(4)
    middle = table.app.stage.screen.middle
    assert [text for text in middle.visible_texts if text.startswith("70 ")]
    assert "North Line ›" in middle.visible_texts, middle.visible_texts
    check_all(table, (960, 540))


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)])
async def test_many_sit_at_the_long_sides(open_app: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """Of a panel that lies flat, wide or upright; twice as many as at the short ones."""
    table = await begun(open_app, tmp_path, size, 12, flat=True)
    at = [int(strip.parent.quarter_turns) for strip in strips(table)]
    long_sides = (0, 2) if size[0] > size[1] else (1, 3)
    assert sorted(set(at)) == [0, 1, 2, 3]
    assert [at.count(side) for side in range(4)] == [4 if side in long_sides else 2 for side in range(4)]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("side", [0, 1])
async def test_all_may_sit_at_one_side(open_app: Any, tmp_path: Path, side: int) -> None:
    """In several rows there; nothing is cut and nobody's strip is left out."""
    table = await begun(open_app, tmp_path, (1280, 720), 12, flat=True)
    table.app.controller.remember_value("sides", dict.fromkeys(NAMES, side))
    table.app.controller.leave_table()
    table.app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {})
    await table.wait_frames(4)
    assert {int(strip.parent.quarter_turns) for strip in strips(table)} == {side}
    rows = {strip.parent.y if side == 0 else strip.parent.x for strip in strips(table)}
    assert len(rows) > 1
    assert not find_faults(table, (1280, 720))


async def test_twelve_sit_down_by_touch_alone(open_app: Any, tmp_path: Path, without_motion: None) -> None:
    """One more at a touch, or as many as are typed; anybody may take any of the twelve pieces."""
    table = await open_app(make_test_app(tmp_path / "state"), (800, 480))
    await table.tap(
        "Any Game", "template plain", "more players", "type players", "clear", "1", "2", "confirm"
    )
    assert "Player 12" in table.texts()
    await table.tap("colour")
    assert all(table.find(colour) for colour in SEAT_COLOURS)
    await table.tap("orange", "Begin")
    seats = table.app.controller.view.seats
    assert len(seats) == 12
    assert {seat.colour for seat in seats} == set(SEAT_COLOURS)


async def test_the_history_of_many_is_narrowed_by_one_key(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """It leads to everybody's name, says whose answers are shown, and to those of all again."""
    table = await begun(open_app, tmp_path, (800, 480), 12)
    answer_questions(table.app.controller, "auction", *range(1, 13))
    await table.wait_frames(3)
    await table.tap("history", "whose", "only Lea")
    assert [text for text in table.texts() if text.startswith("Lea bids")]
    assert not [text for text in table.texts() if text.startswith("Ken bids")]
    assert table.find("whose").text == "Lea"
    await table.tap("whose", "all")
    assert [text for text in table.texts() if text.startswith("Ken bids")]
    assert table.find("whose").text == "Everyone's"


async def test_who_is_missing_is_counted_where_they_are_many(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """Their names would fill the screen; the last few are named."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    controller = table.app.controller
    controller.start_new_game("sealed_bid", NAMES, SEAT_COLOURS, {})
    await table.wait_frames()
    seats = controller.view.seats
    controller.seal_answer_in_envelope(controller.view.question_number, seats[0], 3)
    await table.wait_frames()
    assert "Pass the screen on. 11 players still have to answer." in table.texts()
    for seat in seats[1:10]:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 3)
    await table.wait_frames()
    assert "Pass the screen on. Not answered yet: Ken, Lea" in table.texts()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_twelve_envelopes_on_a_small_flat_panel_stand_on_pages(
    open_app: Any, tmp_path: Path, without_motion: None, size: tuple[int, int]
) -> None:
    """Each is a target a touch away; once all of a page are closed the next open one is shown."""
    table = await open_app(make_test_app(tmp_path / "state"), size)
    controller = table.app.controller
    controller.change_setting("placement", "flat")
    controller.start_new_game("sealed_bid", NAMES, SEAT_COLOURS, {}, parse_clocks("budget=900"))
    await table.wait_frames(4)
    seats, shown = controller.view.seats, list[str]()
    while not table.find("page on").disabled:
        shown += envelopes(table)
        assert not find_faults(table, size)
        await table.tap("page on")
    assert [*shown, *envelopes(table)] == list(NAMES)
    last = envelopes(table)
    for seat in seats:
        if seat.name in (NAMES[0], *last):
            controller.seal_answer_in_envelope(controller.view.question_number, seat, 3)
    await table.wait_frames(3)
    assert envelopes(table)[:2] == list(NAMES[:2])
    for seat in seats[1 : -len(last) - 1]:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 3)
    await table.wait_frames(3)
    assert NAMES[-len(last) - 1] in envelopes(table)
    assert not find_faults(table, size)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
async def test_a_past_game_of_many_names_the_winner(
    open_app: Any, tmp_path: Path, without_motion: None, size: tuple[int, int]
) -> None:
    """In its row are the winner with the total, as many players as fit, and how many more."""
    table = await begun(open_app, tmp_path, size, 12)
    controller = table.app.controller
    answer_questions(controller, "points", {str(number): number for number in range(1, 13)}, "finish")
    controller.put_away()
    await table.wait_frames(3)
    await table.tap("past")
    assert f"{NAMES[11]}: 12" in table.texts()
    (players,) = [text for text in table.texts() if NAMES[0] in text]
    shown = players.split(", ")
    left_out = [f"+{12 - len(shown) + 1}"] if shown[-1].startswith("+") else []
    assert shown == [*NAMES[: len(shown) - len(left_out)], *left_out]
    assert not find_faults(table, size)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (1920, 1080)])
async def test_no_word_of_a_menu_is_broken_beside_many(
    open_app: Any, tmp_path: Path, without_motion: None, size: tuple[int, int]
) -> None:
    """However many keys a template's menu has, a key is as wide as its longest word."""
    table = await begun(open_app, tmp_path, size, 12)
    table.app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {"template": "train"})
    await table.wait_frames(4)
    assert not find_faults(table, size)


LONG_NAMES = (
    "Aki",
    "Ben",
    "Chie",
    "Dai",
    "Emmanuelle",
    "Fumi",
    "Gottfried",
    "Hana",
    "Ian",
    "Josephine",
    "Ken",
    "Lea",
)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("names", "lang", "size"),
    [
        (LONG_NAMES[:10], "en", (800, 480)),
        (LONG_NAMES, "en", (800, 480)),
        *((PEOPLE[lang], lang, (800, 480)) for lang in PEOPLE),
        *((PEOPLE[lang][:8], lang, (1280, 720)) for lang in PEOPLE),
    ],
)
async def test_everybody_is_offered_on_one_page(
    open_app: Any,
    tmp_path: Path,
    without_motion: None,
    names: Sequence[str],
    lang: str,
    size: tuple[int, int],
) -> None:
    """People look for their own name, or its beginning: parts of the middle make room for the keys of all.

    On a larger window nothing is left out: there, names make room for the middle.
    """
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    controller = table.app.controller
    controller.start_new_game("any_game", names, SEAT_COLOURS[: len(names)], {"template": "train"})
    answer_questions(controller, "auction", 15)
    while controller.view.question.seat is not None:
        answer_questions(controller, None)
    answer_questions(controller, "start_player")
    await table.wait_frames(4)
    keys = table.app.stage.screen.question_widget.keys.values()
    assert len(keys) == len(names)
    assert all(key.get_parent_window() for key in keys)
    assert not find_faults(table, size)
