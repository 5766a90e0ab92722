"""Where people sit round a panel that lies flat: said on a page by dragging names, and remembered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import make_test_app
from tests.ui.test_play import in_window

NAMES, COLOURS = ["Aki", "Ben", "Chie"], ["orange", "sky", "green"]


def middle(widget: Any) -> tuple[float, float]:
    """The middle of it in the window."""
    left, low, right, high = in_window(widget)
    return (left + right) / 2, (low + high) / 2


def along(places: dict[str, tuple[float, float]], side: int) -> list[str]:
    """The names of two who share a side, as they stand there from the left or from below."""
    return sorted(NAMES[:2], key=lambda name: places[name][side % 2])


async def drag(table: Any, plate: Any, to: tuple[float, float]) -> None:
    """A name to a point of the window."""
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(*middle(plate))
    touch.touch_down()
    touch.touch_move(*to)
    await table.wait_frames(1)
    touch.touch_up()
    await table.wait_frames(2)


async def test_names_are_dragged_to_the_sides_of_the_table(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """From the play screen's menu: flat at once, each strip where its name was let go, next evening too."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    controller = table.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames()
    play = table.app.stage.screen
    assert play.layout_name == ""
    await table.tap("more", "sides", "Lying flat")
    page = table.app.stage.topmost_widget.content
    around = page.seating_table
    plates = {plate.children[0].name: plate for plate in around.children}
    left, low, right, high = in_window(around)
    await drag(table, plates["Ben"], ((left + right) / 2, high - 8))
    await drag(table, plates["Chie"], (right - 8, (low + high) / 2))
    assert around.sides == {"Aki": 0, "Ben": 2, "Chie": 1}
    await table.tap("close")
    seats = controller.view.seats
    assert play.layout_name == "flat"
    assert [play.panels[seat].parent.quarter_turns for seat in seats] == [0, 2, 1]
    controller.leave_table()
    controller.start_new_game("egypt", NAMES[::-1], COLOURS, {})
    await table.wait_frames()
    play = table.app.stage.screen
    assert [play.panels[seat].parent.quarter_turns for seat in controller.view.seats] == [1, 2, 0]


async def test_who_stays_at_home_keeps_their_side(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """What other people say of themselves on another evening changes nothing for who isn't there."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    controller = table.app.controller
    for names in (NAMES, ["Dan", "Emi", "Fumi"]):
        controller.start_new_game("egypt", names, COLOURS, {})
        await table.wait_frames()
        await table.tap("more", "sides", "Lying flat")
        around = table.app.stage.topmost_widget.content.seating_table
        plate = next(plate for plate in around.children if plate.children[0].name == names[0])
        before = around.sides[names[0]]
        await drag(table, plate, middle(plate))
        assert around.sides[names[0]] == (before + 1) % 4
        await table.tap("close")
        controller.leave_table()
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames()
    play = table.app.stage.screen
    assert play.panels[controller.view.seats[0]].parent.quarter_turns == 1


@pytest.mark.sweep(2)
@pytest.mark.parametrize("side", range(4))
async def test_who_shares_a_side_sits_there_in_play_as_on_the_page(
    open_app: Any, tmp_path: Path, without_motion: None, side: int
) -> None:
    """Names and strips stand in the same order: people pass the cards clockwise round the table."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames()
    play = table.app.stage.screen
    await table.tap("more", "sides", "Lying flat")
    around = table.app.stage.topmost_widget.content.seating_table
    for name, there in zip(NAMES, (side, side, (side + 1) % 4), strict=True):
        while around.sides.get(name, 0) != there:
            plate = next(plate for plate in around.children if plate.children[0].name == name)
            await drag(table, plate, middle(plate))
    plates = {plate.children[0].name: middle(plate) for plate in around.children}
    await table.tap("close")
    strips = {seat.name: middle(strip) for seat, strip in play.panels.items()}
    assert along(plates, side) == along(strips, side)


async def test_a_name_that_is_only_touched_goes_on_to_the_next_side(
    open_app: Any, tmp_path: Path, without_motion: None
) -> None:
    """Round the table and back again."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    await table.tap("Egypt", "sides", "Lying flat")
    around = table.app.stage.topmost_widget.content.seating_table
    name = around.people[0][0]
    sides = [around.sides[name]]
    for _ in range(4):
        plate = next(plate for plate in around.children if plate.children[0].name == name)
        await drag(table, plate, middle(plate))
        sides.append(around.sides[name])
    assert sides == [0, 1, 2, 3, 0]


async def test_a_panel_that_stands_has_no_sides(open_app: Any, tmp_path: Path) -> None:
    """The page says so, and shows the table only for one that lies."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("Egypt", "sides")
    page: Any = table.app.stage.topmost_widget.content
    assert "Everybody looks at the screen from the same side." in table.texts()
    assert page.seating_table not in page.children
    await table.tap("Lying flat")
    assert page.seating_table in page.children
    await table.tap("On a stand")
    assert page.seating_table not in page.children
