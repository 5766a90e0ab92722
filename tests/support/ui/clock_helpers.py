"""Games with clocks on the real window, whose time goes on when a test says so."""

from __future__ import annotations

from typing import Any

from tests.support.ui.app_helpers import answer_questions


class ManualSeconds:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Now."""
        return self.now


async def begin_game_with_clocks(
    table: Any, game: str, clocks: str, names: tuple[str, ...] = ("Aki", "Ben", "Chie")
) -> Any:
    """A game with these clocks, begun without set-up."""
    from companion.clocks import parse_clocks

    controller = table.app.controller
    options = {"pay_rule": "winning_bid"} if game == "egypt" else {}
    assert controller.start_new_game(
        game, names, ("orange", "sky", "green")[: len(names)], options, parse_clocks(clocks)
    )
    await table.frames()
    return controller


async def begin_egypt_auction(table: Any, clocks: str, *bids: int | None) -> Any:
    """Egypt with these clocks: Aki leads, the cards are dealt, and this is what was bid so far."""
    controller = await begin_game_with_clocks(table, "egypt", clocks)
    answer_questions(controller, "1", True, *bids)
    return controller


async def turn_to_clock_page(table: Any) -> None:
    """Turns the pages of set-up until the clock of the table is there."""
    while "clock of the table" not in [getattr(widget, "name", "") for widget in table.widgets()]:
        await table.tap("page on")


async def pass_time(table: Any, seconds: ManualSeconds, duration: float) -> None:
    """Lets seconds go by, and the clock look."""
    seconds.now += duration
    table.app.controller.ticker.handle_expired_clock()
    await table.frames()
