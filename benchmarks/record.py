"""What it costs to open the history at a long game, and to write that game as one page.

The game is sealed bids, round after round, until its log has a thousand events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from companion.commands.history import read_record
from companion.installed_games import playable_game
from companion.log.events import Event
from companion.log.log import MemoryLog
from companion.record.html_page import record_to_html
from companion.record.record import create_record
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.store import Store
from companion.texts import render

NAMES = ("Aki", "Ben", "Chie")
EVENTS, ROUNDS = 1000, 15


def figures() -> Iterator[dict[str, Any]]:
    """`history.open` and `export.html`, in milliseconds, each beside what it can't do without."""
    with TemporaryDirectory() as folder:
        state = Path(folder)
        with closing(Store.open(state, for_writing=True)) as store:
            events = played(store)
        record = create_record(session(events), events)
        replayed = milliseconds(lambda: session(events))
        drawn = milliseconds(lambda: record_to_html(record))
        yield figure("history.open", milliseconds(lambda: opened(state)), "replay", replayed, len(events))
        page = milliseconds(lambda: exported(state))
        yield figure("export.html", page, "the page alone", drawn, len(events))


def played(store: Store) -> list[Event]:
    """A finished game in the store, and its log."""
    log = store.new_game_log()
    playing = Session.begin(playable_game("sealed_bid"), NAMES, {"start": "none"}, log, seed=7)
    for number in range(EVENTS // (len(NAMES) + 2) + 1):
        for seat in playing.table.seats:
            playing.put_answer_in_envelope(playing.question_number, seat, (number * seat.number) % 9)
        playing.answer(playing.question_number, "again" if len(log.events()) < EVENTS - 2 else "finish")
        if playing.result is not None:
            break
    playing.put_away()
    return log.events()


def session(events: Sequence[Event]) -> Session:
    """The game played again."""
    return Session(playable_game("sealed_bid"), events, MemoryLog(events))


def opened(state: Path) -> list[str]:
    """From the closed directory to every event as a sentence."""
    with closing(Store.open(state)) as store:
        (saved,) = store.all_saved_games()
        return [
            render(entry.text)
            for entry in list_history_entries(session(store.open_game_log(saved.number).events()))
        ]


def exported(state: Path) -> str:
    """From the closed directory to the page."""
    with closing(Store.open(state)) as store:
        (saved,) = store.all_saved_games()
        return record_to_html(read_record(store, saved))


def figure(name: str, value: float, other: str, beside: float, events: int) -> dict[str, Any]:
    """One line of the results."""
    return {
        "name": name,
        "value": round(value, 1),
        "unit": "ms",
        "beside": {other: round(beside, 1), "events in the log": events},
        "ratio": round(value / beside, 3),
    }


def milliseconds(way: Callable[[], object]) -> float:
    """The median of so many times."""
    taken = []
    for _ in range(ROUNDS):
        start = perf_counter()
        way()
        taken.append((perf_counter() - start) * 1e3)
    return median(taken)
