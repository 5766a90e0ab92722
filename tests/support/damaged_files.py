"""Makes state directories with a randomly damaged file, for the tests of the store; each has a seed.

`DamageSource(directory)` has copies of a state directory at several moments, and what was acknowledged by
then. `copy_with_damage(seed, target)` copies one of them, damages a file, and returns how.
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
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    play_last_round_and_put_away,
    play_round,
    resume_game,
    seal_bid,
)

DAMAGEABLE_FILES = (
    *("companion.sqlite3", "companion.sqlite3-wal") * 4,
    *("backup.sqlite3", "backup.sqlite3-wal", "sealed/drafts.sqlite3", "sealed/drafts.sqlite3-wal"),
)
"""Files that may be damaged; those of the games most often."""
SECTOR, PAGE = 512, 4096
ENDED = ("finished", "put away")
Damage = Callable[[bytearray, bytes, random.Random], None]


class SavedState(msgspec.Struct, frozen=True):
    """All that was acknowledged: logs, results of games, names, tags, settings, and sealed answers."""

    logs: dict[int, list[Any]]
    games: dict[int, tuple[Any, ...]]
    tags: dict[str, str]
    setting: Any
    drafts: dict[int, Any]


def read_saved_state(store: Store) -> SavedState:
    """Reads all that a store has."""
    saved = store.all_saved_games()
    result_by_number = {
        saved_game.number: (saved_game.game, saved_game.names, saved_game.state in ENDED, saved_game.result)
        for saved_game in saved
    }
    session = resume_game(store) if store.find_open_game() else None
    drafts = {seat.number: draft.answer for seat, draft in session.drafts.items()} if session else {}
    # not through the store, which would open the games that wait
    logs = {saved_game.number: GameLog(store._disk, saved_game.number).events() for saved_game in saved}
    return SavedState(
        logs, result_by_number, store.tag_uid_by_card("egypt"), store.load_value("sound"), drafts
    )


class DamageSource:
    """One evening at several moments, after a power cut or after a clean close, and the state before it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.state_by_moment: dict[str, SavedState] = {}
        with closing(Store.open(folder / "live", for_writing=True)) as store:
            self._first_evening(store)
            self._copy("past", store)
        with closing(Store.open(folder / "live", for_writing=True)) as store:
            self._second_evening(store)
            self._copy("finished", store)
        shutil.copytree(folder / "live", folder / "closed")
        self.state_by_moment["closed"] = self.state_by_moment["finished"]

    def _first_evening(self, store: Store) -> None:
        """Makes a deleted game, a waiting game with an envelope, a finished game, a tag and a setting."""
        play_last_round_and_put_away(begin_game(store))
        store.assign_tag("04a2", "egypt", "6.1")
        store.save_value("sound", value=True)
        begin_game_with_open_envelope(store, rounds=3)
        store.delete_game(1)
        play_last_round_and_put_away(begin_game(store))

    def _second_evening(self, store: Store) -> None:
        """Plays a long game with a renamed player, a correction and an envelope, to its end."""
        session = begin_game(store)
        for amount in range(1, 25):
            play_round(session, amount, amount + 1)
        self._copy("some rounds", store)
        session.rename_player(session.table.seats.find_seat("Ben"), "Dai")
        session.correct("bank", "Dai/front", "paid", 1, "forgotten")
        for amount in range(1, 25):
            seal_bid(session, "Aki", amount)
            seal_bid(session, "Dai", amount + 1)
            session.answer(session.question_number, "again")
        seal_bid(session, "Aki", 4)
        self._copy("in the middle", store)
        store.assign_tag("04a3", "egypt", "5.1")
        store.unassign_tag("04a2")
        store.save_value("sound", value=False)
        self._copy("after a tag", store)
        seal_bid(session, "Dai", 3)
        session.answer(session.question_number, "finish")
        session.put_away()

    def _copy(self, moment: str, store: Store) -> None:
        shutil.copytree(self._folder / "live", self._folder / moment)
        self.state_by_moment[moment] = read_saved_state(store)

    def copy_with_damage(self, seed: int, target: Path) -> tuple[str, str, str]:
        """Copies a random moment and damages a file; returns the moment, the file and the kind of damage."""
        rng = random.Random(seed)
        moment = rng.choice(list(self.state_by_moment))
        self.copy_moment(moment, target)
        file_names = [
            name for name in DAMAGEABLE_FILES if (target / name).exists() and (target / name).stat().st_size
        ]
        name = rng.choice(file_names)
        return moment, name, self.damage_file(target / name, rng, past=self._folder / "past" / name)

    def copy_moment(self, moment: str, target: Path) -> Path:
        """Copies the undamaged files of a moment."""
        shutil.rmtree(target, ignore_errors=True)
        return shutil.copytree(self._folder / moment, target)

    def damage_file(self, file: Path, rng: random.Random, past: Path) -> str:
        """Damages a file; returns the kind of damage. `past` is the file as it was in the evening before."""
        damage = rng.choice(DAMAGES)
        content = bytearray(file.read_bytes())
        older = past.read_bytes() if past.exists() else b""
        damage(content, older, rng)
        with file.open("r+b") as target:  # in place: another process may have the file open
            target.write(content)
            target.truncate()
        return damage.__name__


def _flip_bit(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Flips one bit."""
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def _flip_header_bit(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Flips one bit in the file header."""
    content[rng.randrange(min(100, len(content)))] ^= 1 << rng.randrange(8)


def _flip_some_bits(content: bytearray, older: bytes, rng: random.Random) -> None:
    """Flips a few bits."""
    for _ in range(rng.randint(2, 40)):
        _flip_bit(content, older, rng)


def _random_block(content: bytearray, size: int, rng: random.Random) -> slice:
    at = rng.randrange(max(1, len(content) // size)) * size
    return slice(at, min(at + size, len(content)))


def _overwrite_block(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Overwrites a sector or a page with zeros, ones or random bytes."""
    spot = _random_block(content, rng.choice((SECTOR, PAGE)), rng)
    size = spot.stop - spot.start
    content[spot] = rng.choice((bytes(size), b"\xff" * size, rng.randbytes(size)))


def _restore_old_blocks(content: bytearray, older: bytes, rng: random.Random) -> None:
    """Puts back earlier contents of some sectors or pages, as if they were never written."""
    size = rng.choice((SECTOR, PAGE))
    for _ in range(rng.choice((1, 1, 2, 8))):
        spot = _random_block(content, size, rng)
        past = older[spot]
        content[spot] = past + bytes(spot.stop - spot.start - len(past))


def _misplace_page(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Writes a page where another page belongs."""
    target, source = _random_block(content, PAGE, rng), _random_block(content, PAGE, rng)
    size = target.stop - target.start
    content[target] = content[source].ljust(size, b"\0")[:size]


def _truncate(content: bytearray, _: bytes, rng: random.Random) -> None:
    """The end is missing."""
    del content[rng.choice((rng.randrange(len(content)), rng.randrange(len(content)) // PAGE * PAGE)) :]


def _append_garbage(content: bytearray, _: bytes, rng: random.Random) -> None:
    """Appends bytes that don't belong there."""
    content += rng.choice((bytes, rng.randbytes))(rng.choice((1, SECTOR, PAGE)))


DAMAGES: tuple[Damage, ...] = (
    *(
        _flip_bit,
        _flip_bit,
        _flip_bit,
        _flip_header_bit,
        _flip_some_bits,
        _overwrite_block,
        _overwrite_block,
        _restore_old_blocks,
        _restore_old_blocks,
    ),
    *(_misplace_page, _truncate, _truncate, _append_garbage),
)


def missing_data(expected: SavedState, found: SavedState) -> list[str]:
    """Returns what is missing of what was acknowledged; raises AssertionError if a log has other events."""
    missing = []
    for number, log in expected.logs.items():
        found_log = found.logs.get(number, [])
        assert found_log == log[: len(found_log)], f"game {number} has other events"
        if found_log != log:
            missing.append(f"{len(log) - len(found_log)} events of game {number}")
    assert set(found.logs) <= set(expected.logs)
    values = {
        "games": (expected.games, found.games),
        "tags": (expected.tags, found.tags),
        "setting": (expected.setting, found.setting),
        "drafts": (expected.drafts, found.drafts),
    }
    return missing + [name for name, (before, after) in values.items() if before != after]
