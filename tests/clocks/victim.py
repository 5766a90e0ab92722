"""A program to be killed: it plays `ROUNDS` in a state directory by a clock that its tester sets.

Its wall clock jumps a year with every look at it. A line in, a line out, after what it acknowledges is kept.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import count
from pathlib import Path

from companion.clocks import parse_clocks
from companion.session.session import Session
from companion.session.timekeeper import Timekeeper
from companion.store import Store
from tests.clocks.reference import CLOCKS
from tests.clocks.table import NAMES, ROUNDS, do

YEAR = 365 * 86_400


def main(state: Path, zero: float) -> None:
    """Plays until it is killed; its monotonic clock begins at `zero`."""
    years = count()
    time.time = lambda: float(next(years) % 2 * YEAR)
    now = zero

    def clock() -> float:
        return now

    store = Store.open(state, for_writing=True)
    saved = store.find_open_game()
    log = store.open_game_log(saved.number) if saved else store.new_game_log()
    session = (
        Session(ROUNDS, log.events(), log, clock=clock)
        if saved
        else Session.begin(ROUNDS, NAMES, {}, log, clock_settings=parse_clocks(CLOCKS), clock=clock)
    )
    keeper = Timekeeper(session)
    for line in sys.stdin:
        deed, _, some = line.strip().partition(":")
        now = round(now + int(some or 0) / 1000, 3)
        keeper.ring_next_due_clock()
        do(session, deed)
        print(json.dumps([clock.remaining_ticks for clock in keeper.clock_states]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
