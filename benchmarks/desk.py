"""What an answer costs that comes from a keypad: from the signal to what is kept and shown, without a screen.

Whole random matches of Egypt by four players with a keypad each, on simulated cables. Each answer that
keys can give is a signal: heard, settled by the desk, kept on the disk, seen once, and shown on all keypads.
Beside it stands the same answer given to the session itself, which keeps it too. Before each there is a rest:
nobody presses while the keypads still write their lines, and simulated ones do so in this very process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any, Self

from benchmarks.answers import NAMES
from benchmarks.rounds import alternate, ratio
from benchmarks.screen import folder
from benchmarks.workload import Match, matches
from companion.games.egypt.rulebook import GAME
from companion.requests import Choose, Done, Raise, Request
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from hardware.desk.answers import MIN_QUESTION_READING_SECONDS
from hardware.devices import Devices
from hardware.signals import ControlKeyAnswer, DeviceAnswer, Inbox, NumbersAnswer
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Keypad, Wiring

MATCHES, ROUNDS, REST = 2, 9, 0.002
BESIDE = "session.answer"
WIRING = Wiring(keypad=tuple(Keypad(seat, id=f"kp-{seat}") for seat in range(1, len(NAMES) + 1)))


def figures() -> Iterator[dict[str, Any]]:
    """`desk.answer`: microseconds of an answer from a keypad."""
    work = matches(MATCHES)
    with (
        folder() as place,
        closing(Store.open(Path(place) / "state", for_writing=True)) as store,
        SimulatedTable(WIRING) as metal,
        Keyed(metal) as keyed,
    ):
        ways = {"desk.answer": partial(each, work, store, keyed), BESIDE: partial(each, work, store)}
        took = alternate(ROUNDS, ways)
    ours, beside = took["desk.answer"], took[BESIDE]
    yield {
        "name": "desk.answer",
        "value": round(median(ours), 1),
        "unit": "µs",
        "beside": {BESIDE: round(median(beside), 1), "wanted at most": "× 3"},
        "ratio": ratio(ours, beside),
    }


class Keyed:
    """The devices of the table, and what its people press."""

    def __init__(self, metal: SimulatedTable) -> None:
        self._inbox = Inbox(lambda: None)
        self._devices = Devices(metal.wiring, self._inbox, clock=lambda: 0.0)

    def __enter__(self) -> Self:
        self._devices.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self._devices.close()

    def answers(self, session: Session, said: DeviceAnswer) -> None:
        """The signal comes in; when this returns, all keypads show what it led to."""
        self._inbox.put(said)
        self._devices.process_signals(session)
        self._devices.refresh_displays(session, make_view(session))

    def begins(self, session: Session) -> None:
        """The first question is shown."""
        self._devices.refresh_displays(session, make_view(session))


def each(work: list[Match], store: Store, keyed: Keyed | None = None) -> float:
    """Microseconds of an answer that keys can give, from a keypad or given to the session itself."""
    took, answers = 0.0, 0
    for match in work:
        session = Session.begin(GAME, NAMES, {}, store.new_game_log(), seed=1)
        if keyed:
            keyed.begins(session)
        for answer in match.answers:
            n, said = session.question_number, keys(session, answer)
            sleep(REST)
            start = perf_counter()
            if said and keyed:
                keyed.answers(session, said)
            else:
                session.answer(n, answer)
            if said:
                took += perf_counter() - start
                answers += 1
            elif keyed:
                keyed.begins(session)
            assert session.question_number > n, f"{said} was refused"
    return took / answers * 1e6


def keys(session: Session, answer: object) -> DeviceAnswer | None:
    """The signal that means this answer; None where a card is read."""
    question = session.question
    assert question is not None
    if isinstance(question, Raise):
        return signal(session, question, "no" if answer is None else answer)
    if isinstance(question, Choose):
        return signal(session, question, list(question.offered_options).index(str(answer)) + 1)
    return signal(session, question, "ok") if isinstance(question, Done) else None


def signal(session: Session, question: Request[Any], said: object) -> DeviceAnswer:
    """A key by itself, or a number."""
    device, at = (
        f"keypad {(question.seats or session.table.seats)[0].number}",
        2 * MIN_QUESTION_READING_SECONDS,
    )
    if said == "ok":
        return ControlKeyAnswer(device, session.question_number, "ok", at, session.question_number)
    if said == "no":
        return ControlKeyAnswer(device, session.question_number, "no", at, session.question_number)
    assert isinstance(said, int)
    return NumbersAnswer(device, session.question_number, (said,), at, session.question_number)
