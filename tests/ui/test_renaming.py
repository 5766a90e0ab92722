"""A seat gets another name at any moment: at every kind of question, under every page, beside devices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.actions import RENAME
from companion.clocks import parse_clocks
from companion.installed_games import playable_game
from companion.requests import Together
from companion.testing.random_game import sample_answer
from tests.support.ui.app_helpers import COLOURS, make_test_app
from tests.support.ui.device_table import DeviceTable
from tests.support.ui.sealing import seal_bid_by_touch

pytestmark = pytest.mark.usefixtures("without_motion")

NAMES = ["Aki", "Ben", "Chie"]
ENOUGH = 16
"""Answers after which a game has asked all that it asks soon."""
GAMES = ("any_game", "bidders", "egypt", "high_bid", "mammon", "oyakata", "sealed_bid")


@pytest.fixture
async def table(open_app: Any, tmp_path: Path) -> Any:
    """An empty shelf of saved games."""
    return await open_app(make_test_app(tmp_path / "state", lang="en"))


def seated(controller: Any) -> list[str]:
    """What the seats are called."""
    return [seat.name for seat in controller.view.seats]


async def rename_all(table: Any, names: Iterator[str]) -> None:
    """Everybody gets another name, one after the other; of the old ones nothing is left on the screen."""
    controller = table.app.controller
    for seat in controller.view.seats:
        before = seat.name
        controller.run_table_action(RENAME, {"seat": seat.key, "name": next(names)})
        await table.wait_frames(1)
        assert not [text for text in table.texts() if before in text]
    assert [strip.seat.name for strip in table.app.stage.screen.panels.values()] == seated(controller)
    assert table.app.stage.screen.question_widget.request is controller.view.question


async def answered(table: Any, names: Iterator[str], plain: Any, *, is_new: bool) -> None:
    """The open question is answered; of a new kind, under new names, and with one envelope closed before."""
    controller, n = table.app.controller, table.app.controller.view.question_number
    if table.app.table_flow.last_reveal_screen is not None:
        table.app.table_flow.last_reveal_screen.close()
    if not isinstance(controller.view.question, Together):
        if is_new:
            await rename_all(table, names)
        table.app.stage.screen.dispatch("on_answer", n, plain)
        return
    first, *others = controller.view.question.seats
    controller.seal_answer_in_envelope(n, first, plain[str(first.number)])
    if is_new and others:
        await rename_all(table, names)
        assert [each.seat.number for each in controller.view.envelopes if each.has_answer] == [first.number]
    for seat in others:
        controller.seal_answer_in_envelope(
            n, controller.view.seats.seat_numbered(seat.number), plain[str(seat.number)]
        )


@pytest.mark.sweep(1)
@pytest.mark.parametrize("key", GAMES)
async def test_at_every_kind_of_question(table: Any, key: str) -> None:
    """Half-filled envelopes stay closed, the old names are nowhere, and the game goes on."""
    controller, rng = table.app.controller, Random(3)
    names = (f"Name{n:03}x" for n in range(1000))
    controller.start_new_game(key, NAMES, COLOURS, {}, parse_clocks("turn=60 ring, budget=900"))
    seen: set[str] = set()
    for _ in range(ENOUGH):
        question, n = controller.view.question, controller.view.question_number
        if question is None:
            break
        await answered(table, names, sample_answer(question, rng), is_new=question.kind not in seen)
        seen.add(question.kind)
        assert controller.view.question_number > n
    assert len(seen) > 1


async def test_by_touch_in_a_sealed_round(table: Any) -> None:
    """One envelope is closed and stays so under its new name; the others are filled, and all open."""
    await table.tap("Sealed bid", "more players", "Begin")
    await seal_bid_by_touch(table, "Player 2", 7)
    await table.tap("more", "people", "rename Player 2", *["delete"] * 8, "shift", "B", "e", "n", "done")
    assert "Pass the screen on. Not answered yet: Player 1, Player 3" in table.texts()
    assert "Player 2" not in table.texts()
    assert [each.seat.name for each in table.app.controller.view.envelopes if each.has_answer] == ["Ben"]
    await seal_bid_by_touch(table, "Player 1", 5)
    await seal_bid_by_touch(table, "Player 3", 6)
    await table.wait_until(lambda: "Go on" in table.texts())
    assert {"Ben wins with 7.", "To pay: Ben 7."} <= set(table.texts())


async def test_under_the_pages_over_the_table(table: Any) -> None:
    """Bank, history and what one seat alone sees know the seat by its number."""
    controller = table.app.controller
    controller.start_new_game("high_bid", NAMES, COLOURS, {})
    await table.wait_frames()
    aki = controller.view.seats[0]
    for sign in ("bank", "history"):
        await table.tap(sign)
        controller.run_table_action(RENAME, {"seat": "@1", "name": f"{sign}Man"})
        await table.wait_frames()
        assert not [text for text in table.texts() if "Aki" in text]
        await table.tap("close")
    controller.run_table_action(RENAME, {"seat": "@1", "name": "Zoe"})
    assert seated(controller) == ["Zoe", "Ben", "Chie"]
    table.app.table_flow.menu.show_covered_pieces_privately(aki)
    await table.wait_frames()
    table.app.stage.topmost_widget._show()
    assert [text for text in table.texts() if text == "your purse"]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("key", ["sealed_bid", "mammon"])
async def test_beside_devices(open_app: Any, tmp_path: Path, key: str) -> None:
    """Keypad, number pad and buttons of a renamed seat answer as before, in sealed rounds too."""
    metal = DeviceTable(tmp_path, key, 3)
    try:
        await metal.begin_game(await open_app(metal.app))
        assert playable_game(key).title == metal.controller.view.game_title
        for number in range(6):
            for seat in metal.controller.view.seats:
                metal.controller.run_table_action(
                    RENAME, {"seat": seat.key, "name": f"{seat.name[:4]}{number}"}
                )
            if metal.controller.view.question is not None:
                await metal.answer_question()
        assert metal.refusals == []
    finally:
        metal.simulated.close()
