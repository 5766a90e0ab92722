"""Seals answers by touch on the screen."""

from __future__ import annotations

from typing import Any


async def seal_bid_by_touch(table: Any, name: str, bid: int) -> None:
    """Takes the screen as one player, enters a sealed bid, and waits until the screen is passed on."""
    from ui.widgets.seats.private_view import hand_over_text

    await table.tap(name, hand_over_text(name), *str(bid), "confirm")
    await table.wait_until(lambda: not is_sealed_answer_screen_open(table))
    await table.wait_frames(2)


def is_sealed_answer_screen_open(table: Any) -> bool:
    """Whether one player has the screen to enter a sealed answer."""
    from ui.questions.sealed_round import SealedAnswerScreen

    return any(isinstance(widget, SealedAnswerScreen) for widget in table.widgets())
