"""What phones keep when a process is killed or the network drops: every answer that they saw acknowledged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from companion.installed_games import playable_game
from companion.log.events import Answered, Event, Sealed, seal_letters
from companion.log.log import MemoryLog, SealedDraft
from companion.session.session import Session
from companion.store import Store
from companion.store.game_rows import decode_draft
from companion.store.state_files import StateFiles
from tests.support.phone_client import PhoneTab
from tests.support.phone_evening import PhoneEvening
from tests.support.soak import SOAK
from tests.support.web_phone import WebPhone

pytestmark = pytest.mark.without_coverage

DISTURBANCES = 100 if SOAK else 2
MAX_SECONDS_UNTIL_DISTURBANCE = 0.4
"""A disturbance comes after a random time up to this, while answers are under way all the time."""
CHANGED_ANSWER_FRACTION = 0.3
"""How often a player seals another bid while the round is open."""
NAMES = ("Aki", "Ben", "Chie")

AnswerKey = tuple[int, int | None]
"""The number of a question, and the seat that answers it; None for an answer of the whole table."""


class SealedRounds:
    """Rounds of sealed bids on three phones, and what the phones have seen acknowledged."""

    def __init__(self, evening: PhoneEvening, seed: int) -> None:
        self._evening = evening
        self._rng = Random(seed)
        self._phones = {
            seat: evening.pair(seat, evening.network.connect).open_page() for seat in range(1, len(NAMES) + 1)
        }
        self._under_way: tuple[AnswerKey, object] | None = None
        self._seen_closed: set[AnswerKey] = set()
        self._acknowledged: dict[AnswerKey, object] = {}
        self.acknowledged_count = self.lost_count = self.kept_count = 0
        """How many answers were acknowledged, and how many others were lost or kept."""

    def close(self) -> None:
        """Closes all pages."""
        for phone in self._phones.values():
            phone.close()

    def play_until_disturbed(self, disturb: Callable[[], None]) -> None:
        """Plays until a disturbance at a random moment; then all phones reconnect with their keys."""
        timer = threading.Timer(self._rng.uniform(0, MAX_SECONDS_UNTIL_DISTURBANCE), disturb)
        timer.start()
        with suppress(ConnectionClosed, OSError):
            while True:
                self._play_round()
        timer.join()
        self._evening.repair()
        for phone in self._phones.values():
            phone.reconnect()
        self._let_others_read(phone)

    def _play_round(self) -> None:
        seats = list(self._phones)
        self._rng.shuffle(seats)
        if self._rng.random() < CHANGED_ANSWER_FRACTION:
            seats.insert(0, seats[0])
        for seat in seats:
            if self._tab_of(seat).table["sealed"]:
                self._answer(seat, seat, self._rng.randrange(1, 1000))
        if not self._tab_of(seats[0]).table["sealed"]:
            self._answer(seats[0], None, "again")

    def _answer(self, phone_seat: int, answering_seat: int | None, answer: object) -> None:
        phone = self._phones[phone_seat]
        key = self._tab_of(phone_seat).table["n"], answering_seat
        self._under_way = key, answer
        phone.answer(answer)
        self._under_way = None
        self._acknowledged[key] = answer
        self.acknowledged_count += 1
        self._let_others_read(phone)

    def _let_others_read(self, newest: WebPhone) -> None:
        """Lets the other phones read until they show the newest state; notes which envelopes are closed."""
        assert newest.tab is not None
        table = newest.tab.table
        for seat, phone in self._phones.items():
            while self._tab_of(seat).table != table:
                self._note_closed(phone.read_state())

    def _note_closed(self, tab: PhoneTab) -> None:
        for seat in tab.table["seats"]:
            if seat.get("envelope", {}).get("closed"):
                self._seen_closed.add((tab.table["n"], seat["number"]))

    def _tab_of(self, seat: int) -> PhoneTab:
        tab = self._phones[seat].tab
        assert tab is not None
        return tab

    def check(self) -> None:
        """Checks store and pages against what the phones have seen."""
        with closing(Store.open(self._evening.state)) as store:
            events = list(store.open_game_log(1).events())
        drafts = _read_drafts(self._evening.state)
        saved = dict(_answers_in(events))
        commitments = {event.commitment for event in events if isinstance(event, Sealed)}
        for draft in drafts:
            assert draft.commitment in commitments, "half an answer is in the store"
            saved[draft.n, draft.seat] = draft.answer
        self._resolve_what_was_under_way(saved)
        lost = {key: answer for key, answer in self._acknowledged.items() if saved.get(key) != answer}
        assert lost == {}
        assert self._seen_closed <= saved.keys()
        assert saved.keys() <= self._acknowledged.keys()
        letters = {draft.seat: seal_letters(draft.commitment) for draft in drafts}
        number = Session(playable_game("sealed_bid"), events, MemoryLog(events)).question_number
        for seat in self._phones:
            self._check_page(self._tab_of(seat), number, letters, saved)

    def _resolve_what_was_under_way(self, saved: Mapping[AnswerKey, object]) -> None:
        """An answer that nobody has acknowledged is there, or the one before it is."""
        if self._under_way is None:
            return
        key, answer = self._under_way
        self._under_way = None
        if saved.get(key) == answer:
            self._acknowledged[key] = answer
            self.kept_count += 1
        else:
            self.lost_count += 1

    @staticmethod
    def _check_page(
        tab: PhoneTab, number: int, letters: Mapping[int, str], saved: Mapping[AnswerKey, object]
    ) -> None:
        seat = tab.seat_number
        assert tab.table["n"] == number
        shown = {
            each["number"]: each["envelope"]["seal"]
            for each in tab.table["seats"]
            if each.get("envelope", {}).get("closed")
        }
        assert shown == letters
        own = {"answer": str(saved[number, seat]), "letters": letters[seat]} if seat in letters else None
        assert tab.private.get("envelope") == own


def _answers_in(events: Sequence[Event]) -> Iterator[tuple[AnswerKey, object]]:
    for event in events:
        if isinstance(event, Answered) and event.salts:
            yield from (((event.n, int(seat)), bid) for seat, bid in event.answer.items())
        elif isinstance(event, Answered):
            yield (event.n, None), event.answer


def _read_drafts(state: Path) -> list[SealedDraft]:
    """Returns the saved answers of closed envelopes, while the box has the store to itself."""
    path = StateFiles(state).sealed_drafts
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as drafts:
        return [decode_draft(body) for (body,) in drafts.execute("SELECT CAST(body AS BLOB) FROM draft")]


DISTURBANCE_BY_NAME: dict[str, Callable[[PhoneEvening], None]] = {
    "web process killed": PhoneEvening.kill_web,
    "box killed": PhoneEvening.kill_box,
    "network dropped": lambda evening: evening.network.drop(),
}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", DISTURBANCE_BY_NAME)
def test_what_a_phone_saw_acknowledged_is_kept(tmp_path: Path, name: str) -> None:
    """At random moments of sealed rounds: other answers are there as a whole, or not at all."""
    disturb = DISTURBANCE_BY_NAME[name]
    with (
        PhoneEvening(tmp_path, "sealed_bid", *NAMES) as evening,
        closing(SealedRounds(evening, seed=7)) as rounds,
    ):
        for _ in range(DISTURBANCES):
            rounds.play_until_disturbed(partial(disturb, evening))
            rounds.check()
        print(name, rounds.acknowledged_count, rounds.lost_count, rounds.kept_count)
