"""Mammon's wagers and arming stay secret until the reveal: twins that differ only in them look alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.games.mammon.rulebook import GAME
from companion.log.log import SealedDraft
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.store import GameLog, Store
from companion.table.seats import Seat
from companion.testing import Script
from companion.testing.noninterference import Observation, ViewFunction, find_observable_differences
from companion.texts import say
from tests.support.games.mammon_helpers import (
    begin_battle,
    begin_market,
    begin_start_auction,
    buy_until_market_closes,
    player_names,
    set_treasury,
)
from tests.support.games.script_helpers import repeat_step
from tests.support.twin_observations import observe_moment

pytestmark = pytest.mark.without_coverage

Secrets = Mapping[str, Any]
NEVER = (True, 1_000, -1, 0.5, "1", {"own": 1_000}, {"foreign": -1})
"""What no sealed answer may be."""


def to_battle() -> Script:
    """Aki, who holds foreign coins, has called a battle."""
    script = begin_battle(5, 4, 3)
    set_treasury(script, "Aki", own=6, Ben=3, Chie=2)
    set_treasury(script, "Ben", own=9, Chie=1)
    return script.says("Aki: battle_2")


SEALED: dict[str, tuple[Callable[[], Script], Secrets, Secrets]] = {
    "start wager": (begin_start_auction, {"Aki": 4, "Ben": 0, "Chie": 20}, {"Aki": 17, "Ben": 6, "Chie": 0}),
    "arming": (
        lambda: buy_until_market_closes(begin_market()),
        {"Aki": 0, "Ben": 9, "Chie": 3},
        {"Aki": 8, "Ben": 0, "Chie": 1},
    ),
    "battle": (
        to_battle,
        {"Aki": {"own": 2, "foreign": 5}, "Ben": {"own": 0, "foreign": 0}, "Chie": 4},
        {"Aki": {"own": 0, "foreign": 1}, "Ben": {"own": 7, "foreign": 1}, "Chie": 0},
    ),
}
each_wager = pytest.mark.parametrize("wager", SEALED)


def sealed(
    directory: Path,
    before: Script,
    secrets: Secrets,
    *,
    look: ViewFunction = make_view,
    log: Callable[[GameLog], GameLog] = lambda log: log,
) -> list[Observation]:
    """Observes what comes after `before` from its question to the reveal; one seat changes its mind."""
    salts, moments = count(), []
    with closing(Store.open(directory, for_writing=True)) as store:
        kept = log(store.new_game_log())
        outside: dict[str, Any] = {"clock": lambda: 0.0, "salt": lambda: f"{next(salts):032x}"}
        session = Session.begin(GAME, player_names(before), {}, kept, seed=7, **outside)
        for step in before.session.steps:
            repeat_step(session, step)

        def observed(deeds: tuple[object, ...]) -> Observation:
            return observe_moment(
                session, log=kept.events(), directory=directory, view_function=look, refused_answers=deeds
            )

        moments.append(observed(NEVER))
        n, seats = session.question_number, list(session.table.seats)
        session.put_answer_in_envelope(
            n, seats[0], 1 if isinstance(secrets[seats[0].name], int) else {"own": 1}
        )
        for seat in seats:
            session.put_answer_in_envelope(n, seat, secrets[seat.name])
            moments.append(observed(NEVER if session.question_number == n else ()))
    return moments


def twins(tmp_path: Path, wager: str, **how: Any) -> list[str]:
    """What differs before the reveal between two tables that differ only in what is sealed."""
    before, one, other = SEALED[wager]
    ones = sealed(tmp_path / "one", before(), one, **how)
    others = sealed(tmp_path / "other", before(), other, **how)
    assert find_observable_differences(ones[-1:], others[-1:]), "the reveal tells it"
    return find_observable_differences(ones[:-1], others[:-1])


@each_wager
def test_a_wager_is_sealed(tmp_path: Path, wager: str) -> None:
    """Until the reveal every file, view, text and refusal is the same, whatever was bet or armed."""
    assert twins(tmp_path, wager) == []


def coins(answer: Any) -> int:
    """How many coins are in an envelope."""
    return sum(answer.values()) if isinstance(answer, dict) else answer


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells whether any hand that is closed is empty."""
    seen = make_view(session, eyes)
    empty = any(not coins(draft.answer) for draft in session.drafts.values())
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("Hm."))) if empty else seen


class LeakyLog(GameLog):
    """Notes beside the envelopes whether a hand is empty."""

    def add_draft(self, draft: SealedDraft) -> None:
        """Keeps the draft, and writes one bit where everybody may read."""
        super().add_draft(draft)
        (self._disk.directory / "journal").write_text(json.dumps([draft.seat, not coins(draft.answer)]))


def leaky_log(log: GameLog) -> GameLog:
    """Makes the log leak."""
    log.__class__ = LeakyLog
    return log


@pytest.mark.sweep(1)
@each_wager
@pytest.mark.parametrize(
    ("how", "where"),
    [({"look": leaky_view}, "view of all"), ({"log": leaky_log}, "file journal")],
    ids=["view", "log"],
)
def test_one_bit_of_a_wager_is_enough(tmp_path: Path, wager: str, how: dict[str, Any], where: str) -> None:
    """A view or a file that tells whether somebody bet or armed nothing is caught."""
    assert any(where in difference for difference in twins(tmp_path, wager, **how))
