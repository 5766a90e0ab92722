"""Alters random database cells of saved games, for the tests of the store; each alteration has a seed.

`RowAlterer(directory)` keeps unaltered files; `copy_with_alterations(seed, target)` copies them, alters one
to three cells of any table, and returns which.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.games.egypt import rulebook as egypt
from companion.session.session import Session
from companion.store import Store
from companion.store.database import CREATE_COUNT_TRIGGERS, TABLES_WITH_WRITE_COUNTERS
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    play_last_round_and_put_away,
    seal_bid,
)

COLUMNS_BY_TABLE = {
    "game": ("number", "game", "names", "state", "result", "mark"),
    "event": ("game", "seq", "n", "kind", "body", "chain"),
    "tag": ("uid", "deck", "card", "mark"),
    "setting": ("key", "value", "mark"),
    "deleted": ("number", "mark"),
    "kept": ("deeds", "marks"),
}
DELETE_CHECKSUMS = """
    UPDATE event SET chain = '';
    UPDATE game SET mark = 0;
    UPDATE tag SET mark = 0;
    UPDATE setting SET mark = 0;
    UPDATE deleted SET mark = 0;
    UPDATE kept SET marks = 0;
"""
"""Makes the rows look as old as before checksums, so that their contents must be checked."""


class InvalidText(bytes):
    """Text that is not UTF-8, as after a flipped bit."""


REPLACEMENT_CELLS: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2, 7, 10**18, 2**63 - 1, 1.5, float("inf")),
    *("", "x", "3", "open", "waiting", "finished", "null", "[]", "{}", "[1, 2]", '"Aki"', "1e999"),
    *('["Aki", "Ben", "Chie"]', "{" * 2000, "[" * 5000, "9" * 5000),
    *('{"type": "Began"}', '{"type": "Returned", "n": 1, "seat": 9}'),
    *(b"", b"\xff\x00", b"{}", InvalidText(b"c\xff\x00")),
)
"""Values that a cell may get."""
DEEPLY_NESTED: list[Any] = []
for _ in range(900):
    DEEPLY_NESTED = [DEEPLY_NESTED]
REPLACEMENT_JSON_VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2, 99, 10**18, 10**400, 1.5, 1e308),
    *("", "x", "Aki", "\0", "[", "{0}", "{x.y}"),
    *([], {}, [[]], DEEPLY_NESTED, {"x": 1}, [1, "2"], {"1": 3, "2": "x"}, [{"card": "x"}], [{"values": {}}]),
)
"""Values that may replace a value inside of JSON."""


class RowAlterer:
    """Saved games to alter: finished, put away early, waiting with cards, and open with an envelope."""

    def __init__(self, unaltered_directory: Path) -> None:
        self.unaltered_directory = unaltered_directory
        with closing(Store.open(unaltered_directory, for_writing=True)) as store:
            play_last_round_and_put_away(begin_game(store))
            early_session = begin_game(store)
            seal_bid(early_session, "Aki", 5)
            seal_bid(early_session, "Ben", 3)
            early_session.put_away()
            egypt_session = Session.begin(
                egypt.GAME, ["Aki", "Ben", "Chie"], {}, store.new_game_log(), seed=5
            )
            answers: tuple[Any, ...] = ("2", True, 1, 2, None, None, [{"values": {}}], [{"card": "4.1"}])
            for answer in answers:
                egypt_session.answer(egypt_session.question_number, answer)
            egypt_session.correct("Aki/hand", "bank", "card", 1, "lost")
            egypt_session.undo()
            begin_game_with_open_envelope(store, rounds=2)
            store.assign_tag("04a2", "egypt", "6.1")
            store.save_value("sound", value=False)
            store.save_value("register", [{"name": "Aki", "into": "Dai", "until": 1}])

    def copy_with_alterations(self, seed: int, target: Path) -> list[str]:
        """Copies the saved games and alters some cells; returns the alterations as SQL."""
        rng = random.Random(seed)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.unaltered_directory, target)
        if rng.random() < 0.7:
            (target / "backup.sqlite3").unlink()
        with closing(sqlite3.connect(target / "companion.sqlite3")) as db, db:
            db.text_factory = lambda raw: raw.decode(errors="replace")
            db.execute("PRAGMA ignore_check_constraints = ON")
            for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {trigger}")  # a bad disk runs no triggers
            alterations = [_alter(db, rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
            if rng.random() < 0.5:
                db.executescript(DELETE_CHECKSUMS)
            db.executescript(
                "".join(CREATE_COUNT_TRIGGERS.format(table=table) for table in TABLES_WITH_WRITE_COUNTERS)
            )
        return alterations


def _alter(db: sqlite3.Connection, rng: random.Random) -> str:
    table = rng.choice(["event"] * 4 + ["game"] * 3 + ["tag", "setting", "setting", "deleted", "kept"])
    column = rng.choice(COLUMNS_BY_TABLE[table])
    where = {"event": "game, seq", "kept": "rowid"}.get(table, COLUMNS_BY_TABLE[table][0])
    rows = db.execute(f"SELECT {where}, {column} FROM {table}").fetchall()  # noqa: S608 - our own tables
    if rng.random() < 0.05 or not rows:
        values = tuple(rng.choice(REPLACEMENT_CELLS) for _ in COLUMNS_BY_TABLE[table])
        sql = f"INSERT OR REPLACE INTO {table} VALUES ({', '.join(map(_placeholder, values))})"  # noqa: S608 - ours
    else:
        *row_key, old_value = rng.choice(rows)
        new_value = _random_replacement(old_value, column, rng)
        values = (new_value, *row_key)
        to, key = _placeholder(new_value), ", ".join("?" * len(row_key))
        sql = f"UPDATE {table} SET {column} = {to} WHERE ({where}) = ({key})"  # noqa: S608 - ours
    try:
        db.execute(sql, values)
    except (sqlite3.Error, OverflowError) as error:
        return f"refused: {error}"
    return f"{sql} {values!r}"


def _placeholder(value: Any) -> str:
    return "CAST(? AS TEXT)" if isinstance(value, InvalidText) else "?"


def _random_replacement(old_value: Any, column: str, rng: random.Random) -> Any:
    if column in {"body", "names", "result", "value"} and isinstance(old_value, str) and rng.random() < 0.8:
        try:
            return json.dumps(_change_json(json.loads(old_value), rng))
        except (ValueError, RecursionError):  # altered before
            return ""
    if isinstance(old_value, int) and rng.random() < 0.4:
        return old_value + rng.choice((-1, 1, 1000))
    return rng.choice(REPLACEMENT_CELLS)


def _change_json(value: Any, rng: random.Random) -> Any:
    """Returns the JSON value with a value in it replaced, deleted, repeated or under another key."""
    spots = list(_positions_in_json(value))
    if not spots:
        return rng.choice(REPLACEMENT_JSON_VALUES)
    container, key = rng.choice(spots)
    match rng.randrange(8):
        case 0 if isinstance(container, dict):
            del container[key]
        case 1 if isinstance(container, list):
            container.append(container[key])
        case 2 if isinstance(container, dict):
            container[str(rng.choice(REPLACEMENT_JSON_VALUES))] = container.pop(key)
        case _:
            container[key] = rng.choice(REPLACEMENT_JSON_VALUES)
    return value


def _positions_in_json(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _positions_in_json(inner)
