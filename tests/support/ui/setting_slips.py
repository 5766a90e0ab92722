"""Finds slips on the page of settings, and chooses values on them."""

from __future__ import annotations

from typing import Any

MAX_PAGES = 12
"""More pages than the settings have at any size."""


async def turn_to_slip(table: Any, label: str) -> None:
    """Turns the pages until the slip with that label, or with a key of that name, is shown; else fails."""
    for _ in range(MAX_PAGES):
        if label in table.texts() or label in [getattr(widget, "name", "") for widget in table.widgets()]:
            return
        await table.tap("page on")
    table.find(label)


async def choose(table: Any, name: str, value: str) -> None:
    """Touches a value on the slip, or on the list that the slip's key opens if there are many values."""
    shown = {getattr(widget, "name", "") for widget in table.widgets()}
    key = f"{name} {value}"
    await table.tap(*([] if key in shown else [name]), key)
