"""What ten thousand free moves of one evening of Any Game cost: memory, disk, and undo at their end.

They are kept in a store on the disk, as on the screen; pieces go to and fro between the bank and all purses.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from companion.installed_games import playable_game
from companion.session.session import Session
from companion.store import Store

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
MOVES, ROUNDS = 10_000, 9
MOST_BYTES = 2048


def figures() -> Iterator[dict[str, Any]]:
    """`memory.free_moves`, in bytes a move, and `undo.free_moves`, in milliseconds."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        state = Path(folder)
        with closing(Store.open(state, for_writing=True)) as store:
            session = Session.begin(playable_game("any_game"), NAMES, {}, store.new_game_log(), seed=1)
            grown = traced(session)
            undo, redo = back_and_forth(session)
        on_disk = sum(file.stat().st_size for file in state.rglob("companion.sqlite3*"))
    yield {
        "name": "memory.free_moves",
        "value": round(grown / MOVES),
        "unit": "B/move",
        "beside": {"wanted at most": MOST_BYTES, "on the disk": round(on_disk / MOVES), "moves": MOVES},
        "ratio": round(grown / MOVES / MOST_BYTES, 3),
    }
    yield {
        "name": "undo.free_moves",
        "value": round(undo, 1),
        "unit": "ms",
        "beside": {"redo": round(redo, 1), "moves": MOVES},
        "ratio": None,
    }


def traced(session: Session) -> int:
    """The bytes that are held after so many moves and weren't before; the first few open accounts."""
    moves = free_moves()
    move(session, moves, 2 * len(NAMES))
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    move(session, moves, MOVES)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before


def free_moves() -> Iterator[tuple[str, str]]:
    """From where to where one coin goes, for ever."""
    while True:
        for name in NAMES:
            yield "bank", f"{name}/purse"
        for name in NAMES:
            yield f"{name}/purse", "bank"


def move(session: Session, moves: Iterator[tuple[str, str]], count: int) -> None:
    """Makes `count` corrections and saves each."""
    for source, target in islice(moves, count):
        session.correct(source, target, "coin", 1, "")


def back_and_forth(session: Session) -> tuple[float, float]:
    """What undo and redo of the last move take of the processor, in milliseconds."""
    undo, redo = [], []
    for _ in range(ROUNDS):
        start = process_time()
        session.undo()
        middle = process_time()
        session.redo()
        undo.append((middle - start) * 1e3)
        redo.append((process_time() - middle) * 1e3)
    return median(undo), median(redo)
