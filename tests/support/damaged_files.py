"""State directories whose files were damaged at random, for the tests of the store; every trial has a seed.

`Evenings(directory)` keeps evenings to damage and what was acknowledged in each; its `damaged(seed, target)`
leaves a copy in which one file is no longer what was written, and says how.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from companion.store import GameLog, Store
from tests.support.sealed_bid_games import begin, bid, evening, finish, play_round, resume

FILES = (
    *("companion.sqlite3", "companion.sqlite3-wal") * 4,
    *("backup.sqlite3", "backup.sqlite3-wal", "sealed/drafts.sqlite3", "sealed/drafts.sqlite3-wal"),
)
"""What may be damaged; the games most."""
SECTOR, PAGE = 512, 4096
ENDED = ("finished", "put away")
Harm = Callable[[bytearray, bytes, random.Random], None]


class Kept(msgspec.Struct, frozen=True):
    """All that was acknowledged: logs, how games ended, names, tags, settings, and who has sealed what."""

    logs: dict[int, list[Any]]
    games: dict[int, tuple[Any, ...]]
    tags: dict[str, str]
    setting: Any
    drafts: dict[int, Any]


def kept(store: Store) -> Kept:
    """What a store has."""
    saved = store.saved_games()
    ended = {one.number: (one.game, one.names, one.state in ENDED, one.result) for one in saved}
    session = resume(store) if store.find_open_game() else None
    drafts = {seat.number: draft.answer for seat, draft in session.drafts.items()} if session else {}
    # not through the store, which would open those that wait
    logs = {one.number: GameLog(store._disk, one.number).events() for one in saved}
    return Kept(logs, ended, store.tag_uid_by_card("egypt"), store.load_value("sound"), drafts)


class Evenings:
    """One evening in several moments, as the plug was pulled or all was closed, and each moment's past."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.moments: dict[str, Kept] = {}
        with closing(Store.open(folder / "live", for_writing=True)) as store:
            self._first_evening(store)
            self._copy("past", store)
        with closing(Store.open(folder / "live", for_writing=True)) as store:
            self._second_evening(store)
            self._copy("finished", store)
        shutil.copytree(folder / "live", folder / "closed")
        self.moments["closed"] = self.moments["finished"]

    def _first_evening(self, store: Store) -> None:
        """A game that was deleted, a waiting one with an envelope, a finished one, a tag and a setting."""
        finish(begin(store))
        store.assign_tag("04a2", "egypt", "6.1")
        store.save_value("sound", value=True)
        evening(store, rounds=3)
        store.delete_game(1)
        finish(begin(store))

    def _second_evening(self, store: Store) -> None:
        """A long game, with another name, a correction and an envelope; then it ends."""
        session = begin(store)
        for amount in range(1, 25):
            play_round(session, amount, amount + 1)
        self._copy("some rounds", store)
        session.rename_player(session.table.seats.find_seat("Ben"), "Dai")
        session.correct("bank", "Dai/front", "paid", 1, "forgotten")
        for amount in range(1, 25):
            bid(session, "Aki", amount)
            bid(session, "Dai", amount + 1)
            session.answer(session.question_number, "again")
        bid(session, "Aki", 4)
        self._copy("in the middle", store)
        store.assign_tag("04a3", "egypt", "5.1")
        store.unassign_tag("04a2")
        store.save_value("sound", value=False)
        self._copy("after a tag", store)
        bid(session, "Dai", 3)
        session.answer(session.question_number, "finish")
        session.put_away()

    def _copy(self, moment: str, store: Store) -> None:
        shutil.copytree(self._folder / "live", self._folder / moment)
        self.moments[moment] = kept(store)

    def damaged(self, seed: int, target: Path) -> tuple[str, str, str]:
        """A copy of one of the moments with a damage in it: the moment, the file, and what was done to it."""
        rng = random.Random(seed)
        moment = rng.choice(list(self.moments))
        self.copy(moment, target)
        there = [name for name in FILES if (target / name).exists() and (target / name).stat().st_size]
        name = rng.choice(there)
        return moment, name, self.harm(target / name, rng, past=self._folder / "past" / name)

    def copy(self, moment: str, target: Path) -> Path:
        """The files of one of the moments, sound."""
        shutil.rmtree(target, ignore_errors=True)
        return shutil.copytree(self._folder / moment, target)

    def harm(self, file: Path, rng: random.Random, past: Path) -> str:
        """Damages a file; says how."""
        harm = rng.choice(HARMS)
        content = bytearray(file.read_bytes())
        older = past.read_bytes() if past.exists() else b""
        harm(content, older, rng)
        with file.open("r+b") as target:  # in its place: somebody may have it open
            target.write(content)
            target.truncate()
        return harm.__name__


def _flip(content: bytearray, _: bytes, rng: random.Random) -> None:
    """One bit."""
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def _flip_in_a_header(content: bytearray, _: bytes, rng: random.Random) -> None:
    """One bit where a file says what it is."""
    content[rng.randrange(min(100, len(content)))] ^= 1 << rng.randrange(8)


def _flip_some(content: bytearray, older: bytes, rng: random.Random) -> None:
    """A few bits."""
    for _ in range(rng.randint(2, 40)):
        _flip(content, older, rng)


def _spot(content: bytearray, size: int, rng: random.Random) -> slice:
    at = rng.randrange(max(1, len(content) // size)) * size
    return slice(at, min(at + size, len(content)))


def _lost(content: bytearray, _: bytes, rng: random.Random) -> None:
    """A sector or a page holds zeros, ones or anything."""
    spot = _spot(content, rng.choice((SECTOR, PAGE)), rng)
    size = spot.stop - spot.start
    content[spot] = rng.choice((bytes(size), b"\xff" * size, rng.randbytes(size)))


def _torn(content: bytearray, older: bytes, rng: random.Random) -> None:
    """Some sectors or pages are as they were earlier: they were never written."""
    size = rng.choice((SECTOR, PAGE))
    for _ in range(rng.choice((1, 1, 2, 8))):
        spot = _spot(content, size, rng)
        past = older[spot]
        content[spot] = past + bytes(spot.stop - spot.start - len(past))


def _misplaced(content: bytearray, _: bytes, rng: random.Random) -> None:
    """A page was written where another belongs."""
    one, other = _spot(content, PAGE, rng), _spot(content, PAGE, rng)
    content[one] = content[other].ljust(one.stop - one.start, b"\0")[: one.stop - one.start]


def _cut(content: bytearray, _: bytes, rng: random.Random) -> None:
    """The end is missing."""
    del content[rng.choice((rng.randrange(len(content)), rng.randrange(len(content)) // PAGE * PAGE)) :]


def _grown(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Something follows that doesn't belong there."""
    content += rng.choice((bytes, rng.randbytes))(rng.choice((1, SECTOR, PAGE)))


HARMS: tuple[Harm, ...] = (
    *(_flip, _flip, _flip, _flip_in_a_header, _flip_some, _lost, _lost, _torn, _torn),
    *(_misplaced, _cut, _cut, _grown),
)


def lost(had: Kept, has: Kept) -> list[str]:
    """What is missing of what was acknowledged; raises AssertionError where something is another."""
    missing = []
    for number, log in had.logs.items():
        found = has.logs.get(number, [])
        assert found == log[: len(found)], f"game {number} is another"
        if found != log:
            missing.append(f"{len(log) - len(found)} events of game {number}")
    assert set(has.logs) <= set(had.logs)
    pairs = {"games": (had.games, has.games), "tags": (had.tags, has.tags)}
    pairs |= {"setting": (had.setting, has.setting), "drafts": (had.drafts, has.drafts)}
    return missing + [what for what, (one, other) in pairs.items() if one != other]
