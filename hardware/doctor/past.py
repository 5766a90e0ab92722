"""What was played here, for a report: which games, the last answers without what they were, the journal."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.errors import CompanionError
from companion.log.events import Answered, Began, Event, Sealed
from companion.store import Store

LAST = 200
"""Most events and journal lines that are read."""
PATIENCE = 10.0
JOURNAL = (
    "journalctl",
    "--unit",
    "companion",
    "--lines",
    str(LAST),
    "--output",
    "short-iso",
    "--no-pager",
    "--quiet",
)


def games(state: Path) -> Iterator[str]:
    """How many games of each kind, and what came in last in the newest; no name, no answer, no card."""
    try:
        with closing(Store.open(state)) as store:
            saved = store.saved_games()
            for (game, standing), number in sorted(Counter((one.game, one.state) for one in saved).items()):
                yield f"{number} × {game}, {standing}"
            if saved:
                yield f"the last inputs of game {saved[0].number}, {saved[0].game}:"
                yield from map(_told, store.open_log(saved[0].number).events()[-LAST:])
    except CompanionError as error:
        yield f"the saved games can't be read: {error.text.template}"


def _told(event: Event) -> str:
    """What kind of event it was, at which question, and from which device; seats go by their numbers."""
    kind = type(event).__name__
    match event:
        case Began():
            return f"{kind}: version {event.version}, {len(event.names)} people"
        case Answered():
            return f"{event.n} {kind} by {event.via} after {event.at:.0f} s: {event.asks.partition(':')[0]}"
        case Sealed():
            return f"{event.n} {kind} by @{event.seat} after {event.at:.0f} s"
    return f"{event.n} {kind}"


def journal() -> Iterator[str]:
    """The last lines of the service's journal, where there is one that may be read."""
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            JOURNAL, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    yield from done.stdout.splitlines()
