"""The app with a real evening behind it: a store in a directory, and hands that play by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def table_app(state: Path, locale: Path, **kwargs: Any) -> Any:
    """A `TableApp` over the games in that directory."""
    from companion.store import Store
    from ui.evening import Evening
    from ui.table import TableApp
    from ui.words import Words

    return TableApp(lambda: Evening(Store.open(state, playing=True)), Words(locale), **kwargs)


async def seal(table: Any, name: str, bid: int) -> None:
    """One person takes the screen, enters a bid under cover and passes it on."""
    await table.tap(name, f"{name}, take the screen", *str(bid), "confirm")
    await table.until(lambda: not covered(table))
    await table.frames(2)


def covered(table: Any) -> bool:
    """Whether somebody has the screen for themselves."""
    from ui.asking.sealing import Sealing

    return any(isinstance(widget, Sealing) for widget in table.widgets())
