"""Hands that seal answers on a real evening by touch."""

from __future__ import annotations

from typing import Any


async def seal_bid_by_touch(table: Any, name: str, bid: int) -> None:
    """One person takes the screen, enters a bid under cover and passes it on."""
    await table.tap(name, f"{name}, take the screen", *str(bid), "confirm")
    await table.until(lambda: not is_sealed_answer_screen_open(table))
    await table.frames(2)


def is_sealed_answer_screen_open(table: Any) -> bool:
    """Whether somebody has the screen for themselves."""
    from ui.questions.sealed_round import SealedAnswerScreen

    return any(isinstance(widget, SealedAnswerScreen) for widget in table.widgets())
