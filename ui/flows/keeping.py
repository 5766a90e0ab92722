"""Before a new game: what becomes of the one that is open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.evening.boxes import Going
from ui.host import Host


def keeping(app: Host, going: Sequence[Going], begin: Callable[[], object]) -> None:
    """Begins; where a game is open people are told first, in a sentence, and may leave it at that."""
    there = [one for one in going if one.is_open]
    if not there:
        begin()
        return
    tr, (kept, *_) = app.tr, there
    text = tr("{game} with {names} is saved. You can continue it from the home screen at any time.",
              game=kept.title, names=kept.names)  # fmt: skip  # one sentence
    answers = [("no", tr("Not now"), "paper"), ("yes", tr("Begin"), "brass")]
    app.ask(tr("Begin a new game?"), text, answers, begin)
