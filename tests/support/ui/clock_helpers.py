"""Games with clocks on the real window; their time advances only when a test says so."""

from __future__ import annotations

from typing import Any

from tests.support.ui.app_helpers import answer_questions


class ManualSeconds:
    """A clock that tests advance by changing `now`."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Returns the time in seconds."""
        return self.now


async def begin_game_with_clocks(
    table: Any, game: str, clocks: str, names: tuple[str, ...] = ("Aki", "Ben", "Chie")
) -> Any:
    """Begins a game with these clocks, without the set-up screens."""
    from companion.clocks import parse_clocks

    controller = table.app.controller
    options = {"pay_rule": "winning_bid"} if game == "egypt" else {}
    assert controller.start_new_game(
        game, names, ("orange", "sky", "green")[: len(names)], options, parse_clocks(clocks)
    )
    await table.wait_frames()
    return controller


async def begin_egypt_auction(table: Any, clocks: str, *bids: int | None) -> Any:
    """Begins Egypt with these clocks: Aki leads, the cards are dealt, and `bids` are made."""
    controller = await begin_game_with_clocks(table, "egypt", clocks)
    answer_questions(controller, "1", True, *bids)
    return controller


async def turn_to_clock_page(table: Any) -> None:
    """Turns the pages of the set-up screen until the clock of the table is visible."""
    while "clock of the table" not in [getattr(widget, "name", "") for widget in table.widgets()]:
        await table.tap("page on")


async def pass_time(table: Any, seconds: ManualSeconds, duration: float) -> None:
    """Advances the time and lets the app handle expired clocks."""
    seconds.now += duration
    table.app.controller.ticker.handle_expired_clock()
    await table.wait_frames()
