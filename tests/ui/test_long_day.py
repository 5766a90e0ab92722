"""A day and a night of games: what the program has at its end is what it had after the first of them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.store.archive import MAX_NIGHTLY_ARCHIVES
from companion.testing.random_game import PLAYER_NAMES
from tests.conformance.registry import GAMES
from tests.support.disks import memory_directory
from tests.support.soak import SOAK
from tests.support.ui.long_day import HOUR, KEYPAD_SEATS, LongDay, ResourceUse

pytestmark = [
    pytest.mark.without_coverage,
    pytest.mark.usefixtures("without_motion"),
    pytest.mark.timeout(4 * 3600),
]

NUMBER, WARM = (300, 60) if SOAK else (14, 7)
"""Games in 24 hours, and those after which everything is loaded and drawn once."""
LONGEST = (*[5] * 16, *[30] * 3, 10_000) if SOAK else (3,)
"""Answers after which a game is put away; one of twenty goes to its end."""
ROUND = 30 if SOAK else 7
"""Games between two looks at what is used."""
MORE = 16e6
"""Bytes that the process may have more than when it was warm."""
FONTS = 64
"""Number of fonts, each at a size, that Kivy keeps open, whichever were used last."""
WAITING = 5e6
"""Bytes of a write-ahead log: SQLite folds it in after a thousand pages."""
A_GAME, AN_ANSWER = 20_000, 2_000
"""Bytes that they take at most in the file of the games."""


@pytest.fixture
def day() -> Iterator[LongDay]:
    """One that begins."""
    with memory_directory() as there:
        day = LongDay(Path(there), seed=24)
        yield day
        day.close()


async def test_a_day_of_games_leaves_nothing_behind(open_app: Any, day: LongDay) -> None:
    """Games of all kinds, loose plugs: no memory, file or thread is lost, and what is kept is bounded."""
    await day.open(open_app)
    used: list[ResourceUse] = []
    listeners: list[Counter[str]] = []
    for at in range(NUMBER):
        await day.play_game(GAMES[at % len(GAMES)].key, 24 * HOUR / NUMBER, day.rng.choice(LONGEST))
        if (at + 1) % ROUND == 0:
            await day.plug_in_all()
            used.append(ResourceUse.measure())
            listeners.append(day.listener_counts())
            look(day, at + 1, used[-1])
    warm, *later = used[WARM // ROUND - 1 :]
    assert day.hours >= 24
    assert day.keypad_answer_count
    assert day.moved_plug_count
    assert [each.threads for each in later] == [warm.threads] * len(later)
    for each in later:  # what tests before this one had open may be closed meanwhile
        assert not Counter(each.files) - Counter(warm.files)
    assert listeners[WARM // ROUND - 1 :] == [listeners[-1]] * (len(later) + 1)
    assert max(each.font_count for each in later) <= FONTS
    assert max(each.memory for each in later) - warm.memory <= MORE


def look(day: LongDay, games: int, used: ResourceUse) -> None:
    """What is kept and told so far is what so many games may leave; the test's own log has the figures."""
    kept = {
        str(path.relative_to(day.state)): path.stat().st_size
        for path in day.state.rglob("*")
        if path.is_file()
    }
    copies = [name for name in kept if name.startswith("backups/")]
    most = A_GAME * games + AN_ANSWER * day.answer_count
    assert max(kept["companion.sqlite3"], kept["backup.sqlite3"]) <= most
    assert all(size <= WAITING for name, size in kept.items() if name.endswith("-wal"))
    assert len(copies) <= MAX_NIGHTLY_ARCHIVES
    assert sum(kept[name] for name in copies) <= len(copies) * most
    of_ours = {"companion.sqlite3", "backup.sqlite3", "sealed/drafts.sqlite3"}
    files = {name.removesuffix("-wal").removesuffix("-shm") for name in kept} - {*copies, "lock"}
    assert files == of_ours
    lines = day.journal.lines
    by_device = [
        [line for line in lines if line.startswith(f"keypad {seat} ")] for seat in range(1, KEYPAD_SEATS + 1)
    ]
    assert len(lines) - sum(map(len, by_device)) == 2 * games
    # Not bounded by the plugs that are moved: what a busy machine doesn't hear for a moment is lost, too.
    assert all(one != other for told in by_device for one, other in pairwise(told)), "told twice"
    assert not [line for line in lines if len(line) > 100 or any(name in line for name in PLAYER_NAMES)]
    figures = (
        f"{games} games, {day.hours:.1f} h, "
        f"{day.answer_count} answers, {day.keypad_answer_count} of them on keys, "
        f"{day.moved_plug_count} plugs moved; {used.memory / 1e6:.1f} MB of memory, {len(used.files)} files, "
        f"{used.font_count} fonts, {len(used.threads)} threads; {len(lines)} lines, "
        f"{kept['companion.sqlite3'] / 1e6:.1f} MB of games, {sum(kept.values()) / 1e6:.1f} MB in all"
    )
    logging.getLogger("day").info(figures)
