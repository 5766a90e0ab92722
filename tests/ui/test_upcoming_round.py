"""Points by rounds, by touch: the sheet of the next round is open at once, and a key leads to the menu."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.table.seats import SEAT_COLOURS
from hardware.simulated.keypads import SimulatedKeypad
from hardware.wiring import Keypad, Wiring
from tests.support.ui.app_helpers import answer_questions, make_test_app
from tests.ui.test_keypads import BEN_MISSES, missed, wired_app
from tests.ui.test_open_round import rows

pytestmark = pytest.mark.usefixtures("without_motion")
FOUR = ("Aki", "Ben", "Chie", "Dai")
ROUND_1 = {"1": 10, "2": 20, "3": 30, "4": 40}
NOTHING = dict.fromkeys(FOUR, ("–", False))


async def begin(table: Any, *answers: object, template: str = "points") -> Any:
    """A table at which four people have entered the first round."""
    controller = table.app.controller
    controller.start_new_game("any_game", FOUR, SEAT_COLOURS[:4], {"template": template})
    answer_questions(controller, *(answers or ("write_round", ROUND_1)))
    await table.wait_frames()
    return table


def answers(table: Any) -> list[object]:
    """All answers in force."""
    return [step.answer for step in table.app.evening.current_session.steps]


async def test_a_round_of_four_players_is_twelve_touches(home: Any, touches: list[Any]) -> None:
    """Two digits and one key for each; nothing else comes between two rounds, and the log has the menu."""
    table = await begin(home)
    for _ in range(2):
        assert rows(table) == NOTHING
        await table.tap("1", "2", "Next", "3", "4", "Next", "5", "6", "Next", "7", "8", "Enter all answers")
    assert len(touches) == 2 * 12
    numbers = {"1": 12, "2": 34, "3": 56, "4": 78}
    assert answers(table) == ["write_round", ROUND_1, *("write_round", numbers) * 2]
    assert table.app.controller.view.question.kind == "Choose"


async def test_the_next_empty_cell_is_active_and_large(home: Any) -> None:
    """What is typed stands there; the others have the size of digits."""
    table = await begin(home)
    await table.tap("5", "Next", "6")
    found = [one for one in table.widgets() if type(one).__name__ == "SeatNumbersRow"]
    by_name = {row.seat.name: row for row in found}
    assert [name for name in FOUR if by_name[name].active_number_index == 0] == ["Ben"]
    sizes = {name: by_name[name].number_labels[0].font_size for name in FOUR}
    assert sizes["Ben"] > 1.3 * sizes["Aki"]
    assert rows(table)["Ben"] == ("6", False)


async def test_one_undo_takes_back_the_round_that_people_see(home: Any) -> None:
    """It leads to the sheet of that round, and Put back leads to the sheet after it."""
    table = await begin(home)
    await table.tap("undo")
    assert answers(table) == ["write_round"]
    assert table.app.controller.view.question.kind == "Together"
    await table.tap("put back")
    assert answers(table) == ["write_round", ROUND_1]
    assert rows(table) == NOTHING
    await table.tap("undo", "undo")
    assert answers(table) == []
    assert "What is next?" in table.texts()


async def test_a_key_leads_to_the_menu(home: Any) -> None:
    """Nothing is undone for it; what is chosen there counts, and its round brings the sheet back."""
    table = await begin(home)
    await table.tap("4", "menu")
    assert "What is next?" in table.texts()
    assert not table.app.controller.view.may_redo
    await table.tap("Start player", "Ben")
    assert "What is next?" in table.texts()
    await table.tap("Round 2")
    assert rows(table) == NOTHING


async def test_once_a_number_is_in_the_key_asks_before_it_is_wiped(home: Any) -> None:
    """The round has begun then, and is undone."""
    table = await begin(home)
    await table.tap("4", "Next", "menu")
    assert "1 entry of this round will be deleted." in table.texts()
    await table.tap("no")
    assert rows(table)["Aki"] == ("4", True)
    await table.tap("menu", "yes")
    assert "What is next?" in table.texts()
    assert answers(table) == ["write_round", ROUND_1]


async def test_the_round_opens_with_the_first_whole_answer(open_app: Any, tmp_path: Path) -> None:
    """A seat with two numbers has answered once both are there; numbers of others that are typed stay."""
    bids = {str(at): {"bid": 1, "made": 1} for at in range(1, 5)}
    app = make_test_app(tmp_path / "state")
    table = await begin(await open_app(app, (1280, 720)), "write_round", bids, template="contract")
    await table.tap("Ben", "3", "Aki", "1", "Next")
    assert answers(table) == ["write_round", bids]
    await table.tap("2", "Next")
    assert answers(table) == ["write_round", bids, "write_round"]
    shown = rows(table)
    assert (shown["Aki"], shown["Ben"]) == (("1 2", True), ("3 –", False))


async def test_without_room_a_key_opens_the_sheet_and_another_the_menu(home: Any) -> None:
    """The page of the sheet stays open while its first number opens the round."""
    bids = {str(at): {"bid": 1, "made": 1} for at in range(1, 5)}
    table = await begin(home, "write_round", bids, template="contract")
    await table.tap("unfold", "1", "Next", "2", "Next", "3")
    assert rows(table)["Ben"] == ("3 –", False)
    await table.tap("close", "menu", "yes")
    assert "What is next?" in table.texts()


async def test_a_keypad_can_answer_in_the_round_at_any_time(open_app: Any, tmp_path: Path) -> None:
    """It shows the round, and its first number opens it; what is being typed on the screen stays."""
    with SimulatedKeypad("kp-2", tmp_path / "kp-2") as pad:
        wiring = Wiring((Keypad(2, port=str(tmp_path / "kp-2")),))
        table = await begin(await open_app(wired_app(tmp_path, wiring)))
        await table.wait_until(lambda: pad.light == "on" and "Choose" not in pad.display)
        await table.tap("4")
        pad.type("9 OK")
        await table.wait_until(lambda: rows(table)["Ben"] == ("9", True))
        assert rows(table)["Aki"] == ("4", False)
        await table.tap("Next", "5", "Next", "6", "Enter all answers")
        assert answers(table)[2:] == ["write_round", {"1": 4, "2": 9, "3": 5, "4": 6}]
        await table.tap("menu")
        await table.wait_until(lambda: "Choose" in pad.display)


async def test_a_keypad_that_is_missing_is_named_while_the_round_is_shown(
    open_app: Any, tmp_path: Path
) -> None:
    """The menu asks nobody's seat, but the round does."""
    with SimulatedKeypad("kp-2", tmp_path / "kp-2") as pad:
        wiring = Wiring((Keypad(2, port=str(tmp_path / "kp-2")),))
        table = await begin(await open_app(wired_app(tmp_path, wiring)))
        await table.wait_until(lambda: pad.light == "on")
        pad.unplug()
        await table.wait_until(lambda: missed(table) == [BEN_MISSES])


async def test_across_the_room_the_round_is_shown(home: Any) -> None:
    """Instead of the menu, as on the table."""
    table = await begin(home)
    table.app.table_flow.across_room_flow.show()
    await table.wait_frames()
    texts = [getattr(widget, "text", "") for widget in table.app.table_flow.across_room_flow.page.walk()]
    assert "What is next?" not in texts
    assert [text for text in texts if "points" in text]


async def test_nobody_uses_time_before_the_round_is_opened(
    open_app: Any, make_app_with_clock: Any, seconds: Any
) -> None:
    """While people play a round, no clock runs and nobody thinks."""
    table = await begin(await open_app(make_app_with_clock()))
    seconds.now += 600
    await table.tap(*["1", "Next"] * 3, "1", "Enter all answers")
    times = table.app.evening.current_session.time_used.ticks_by_seat
    assert max(times.values()) < 60_000


async def test_a_game_that_is_opened_again_shows_the_sheet_as_it_was(home: Any) -> None:
    """An untouched sheet is there again, and so are the numbers of a round that has begun."""
    table = await begin(home)
    for sheet in (NOTHING, NOTHING | {"Aki": ("8", True)}):
        table.app.controller.leave_table()
        table.app.controller.resume_saved_game()
        await table.wait_frames()
        assert rows(table) == sheet
        await table.tap("8", "Next")


async def test_a_name_or_language_changes_on_the_sheet(home: Any) -> None:
    """The sheet is that of the same round."""
    table = await begin(home)
    session = table.app.evening.current_session
    session.rename_player(session.table.seats[0], "Zoe")
    table.app.controller._show()
    table.app.lang = "ja"
    await table.wait_frames()
    assert [*rows(table)] == ["Zoe", *FOUR[1:]]
    assert "メニュー" in table.texts()
