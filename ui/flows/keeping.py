"""Before a new game: what becomes of the one that is open."""

from __future__ import annotations

from collections.abc import Callable

from companion.store import Saved
from ui.host import TableHost
from ui.screens import saved_games


def stays_saved(app: TableHost, going: Saved) -> str:
    """Returns the sentence that a game is saved and can be continued."""
    return app.tr("{game} with {names} is saved. You can continue it from the home screen at any time.",
                  game=saved_games.title(app, going),
                  names=saved_games.names(app, going))  # fmt: skip  # one sentence


def keeping(app: TableHost, going: Saved | None, begin: Callable[[], object]) -> None:
    """Begins; if a game is open people are first told that it stays saved, and may leave it at that."""
    if going is None:
        begin()
        return
    answers = [("no", app.tr("Not now"), "paper"), ("yes", app.tr("Begin"), "brass")]
    app.ask(app.tr("Begin a new game?"), stays_saved(app, going), answers, begin)
