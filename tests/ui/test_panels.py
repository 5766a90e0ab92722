"""Players' panels below each other: how high one is at a width, and a width at which all of it is shown."""

from __future__ import annotations

from typing import Any

import pytest

from companion.log.log import MemoryLog
from companion.requests import Done
from companion.rules.game import Game
from companion.rules.scene import ComputedCell, Scene, SeatMat
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.layout_checks import check_marks_inside_and_apart
from tests.support.ui.screen_sizes import make_bare_app

NAMES = ("Anna-Katharina Mayer", "Maximilian Hohenfels", "Bartholomew Prescott", "Konstantinos Vassili",
         "Wilhelmina Schneider")  # fmt: skip  # a table
SIZE = (1280, 720)
USUAL_SHARE = 0.4
"""Panels take no more of the window's width, unless something would be left out."""


def counted(*labels: str) -> Any:
    """A game of five, in which everybody's panel has a number behind each of these words."""

    async def rules(_table: Table) -> GameResult:
        await Done(None, say("Well"))
        return GameResult(())

    cells = tuple([ComputedCell(say(label), lambda _table, _seat: 7) for label in labels])
    game = Game("rich", 1, say("Rich"), (5, 5), rules, scene=lambda _: Scene(SeatMat(cells=cells)))
    return Session.begin(game, NAMES, {}, MemoryLog())


async def panels_of(open_app: Any, session: Session) -> list[Any]:
    """Everybody's panel, on a screen that stands."""
    from ui.screens.play import PlayScreen

    table = await open_app(make_bare_app(lang="en"), SIZE)
    table.app.stage.replace_screen(
        lambda: PlayScreen(
            view=make_view(session), scene_function=session.scene, layout_name="landscape", has_clocks=False
        )
    )
    await table.wait_frames(4)
    return [*table.app.stage.screen.panels.values()]


async def test_a_panel_is_measured_in_whole_pixels(open_app: Any) -> None:
    """As it is placed: else a row that has room in a part of a pixel would be broken once it is drawn."""
    from ui.layouts.panels import candidate_line_heights

    panel, *_ = await panels_of(open_app, counted("strength", "front", "treasury", "debts", "shares"))
    for quarters in range(4 * 300, 4 * 600):
        width = quarters / 4
        for line_height in candidate_line_heights():
            assert panel.needed_height(width, line_height) == panel.needed_height(round(width), line_height)
        assert panel.is_too_narrow(width) == panel.is_too_narrow(round(width))


@pytest.mark.parametrize(
    ("labels", "is_wide"), [("workers orders markets cities", True), ("debts goods tiles marks", False)]
)
async def test_panels_are_wider_rather_than_leave_something_out(
    open_app: Any, labels: str, is_wide: bool
) -> None:
    """Where five of them have no room for another row of numbers; others are no wider than before."""
    panels = await panels_of(open_app, counted(*labels.split() * 2))
    for panel in panels:
        check_marks_inside_and_apart(panel, shows_everything=True)
        assert (panel.width > SIZE[0] * USUAL_SHARE) == is_wide


async def test_what_a_panel_shows_is_chosen_for_its_height_in_whole_pixels(open_app: Any) -> None:
    """As it is placed: else a row that has room in a part of a pixel would be left out once it is drawn."""
    from ui.layouts.panels import arrange_panels

    panels = await panels_of(open_app, counted("strength", "front", "treasury", "debts", "shares"))
    for height in range(600, 1400):
        arrange_panels(panels, 1, (0.0, 0.0, 500.0, float(height)))
        for panel in panels:
            assert panel.needed_height(panel.width, panel.line_height, panel.shape) <= panel.height + 1
