"""What keeping one answer costs, beside SQLite itself with the same pragmas and an equally wide row."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import msgspec

from companion.log.events import Answered, Began
from companion.store import Store

COMMITS = 2000
ANSWER = Answered(7, "Raise @1: chip 7", 12, "keypad", 1234.567)
PRAGMAS = ("journal_mode", "synchronous", "wal_autocheckpoint", "page_size", "cache_size", "locking_mode")


def figures() -> Iterator[dict[str, Any]]:
    """`store.commit`: microseconds until one answer is on the disk; the two take turns, commit by commit."""
    with TemporaryDirectory(dir=Path.cwd()) as folder, closing(sqlite3.connect(Path(folder) / "raw")) as raw:
        store = Store.open(Path(folder) / "state", for_writing=True)
        log = store.new_game_log()
        log.append(Began("egypt", 1, ("Aki", "Ben"), ("orange", "sky"), {}, {}, 1))
        insert = prepared(raw, store)
        ours, beside = [], []
        for _ in range(COMMITS):
            ours.append(timed(lambda: log.append(ANSWER)))
            beside.append(timed(insert))
        store.close()
    ratio = median(own / other for own, other in zip(ours, beside, strict=True))
    yield {
        "name": "store.commit",
        "value": round(median(ours), 1),
        "unit": "µs",
        "beside": {"sqlite3, WAL, FULL": round(median(beside), 1)},
        "ratio": round(ratio, 3),
    }


def prepared(raw: sqlite3.Connection, store: Store) -> Callable[[], object]:
    """The bare insert of the same JSON, in a database set up pragma for pragma like the store's."""
    raw.isolation_level = None
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    assert settings(raw) == settings(store._games)  # noqa: SLF001  what is compared must be alike
    raw.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    body = msgspec.json.encode(ANSWER).decode()
    return lambda: raw.execute("INSERT INTO event (body) VALUES (?)", (body,))


def settings(db: sqlite3.Connection) -> list[object]:
    """The pragmas that decide what a commit costs."""
    return [db.execute(f"PRAGMA {name}").fetchone() for name in PRAGMAS]


def timed(commit: Callable[[], object]) -> float:
    """Microseconds for one commit."""
    start = perf_counter()
    commit()
    return (perf_counter() - start) * 1e6
