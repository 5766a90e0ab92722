"""Twins on the wire: phones, viewers and a recorder of the Wi-Fi can't tell two games apart.

The games differ only in what is sealed or hidden. A recorder sees the order and the size of all messages; a
fellow player reads what the own phone decrypts, and what is published for everybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.phones import state as page_state
from companion.requests import Together
from companion.session.session import Session
from companion.testing.noninterference import swap_covered_pieces
from companion.web.link import AnyToWeb, PublishTable, SendToPhone, TableWatched
from hardware.phones import phones as phones_module
from tests.support.phone_table import PhoneTable, answer_at_random

SEAL = re.compile(r"[0-9A-Z]{4} [0-9A-Z]{4} [0-9A-Z]{4}")
GAMES = {
    "any_game": 3,
    "bidders": 3,
    "egypt": 3,
    "high_bid": 3,
    "mammon": 3,
    "oyakata": 2,
    "sealed_bid": 3,
}
NAMES = ("Aki", "Ben", "Chie")
SECRET_SEAT, OTHER_SEAT = 1, 2


class Recording(NamedTuple):
    """What can be recorded: the order and sizes of all messages, and everything that others can read."""

    wire: list[object]
    readable: list[object]


def record(table: PhoneTable, other_tab: int, sent: list[AnyToWeb]) -> Recording:
    """Returns what others can record of these messages, with the letters of seals left out."""
    wire: list[object] = []
    for message in sent:
        size = len(message.message) if isinstance(message, SendToPhone) else 0
        connection = getattr(message, "connection", None)
        published = message.state if isinstance(message, PublishTable) else b""
        wire.append((type(message).__name__, connection, size, SEAL.sub("seal", published.decode())))
    tab = table.tabs[other_tab]
    return Recording(wire, [SEAL.sub("seal", repr(each)) for each in (tab.table, tab.question, tab.private)])


def make_twins(tmp_path: Path, game: str) -> Iterator[tuple[PhoneTable, int, int]]:
    """Yields twice the same table: a phone for the secret seat, one for another, and somebody who watches."""
    for name in ("one", "other"):
        names = NAMES[: GAMES[game]]
        table = PhoneTable(tmp_path / name, game, *names)
        secret_tab, other_tab = (table.connect(table.pair(seat)) for seat in (SECRET_SEAT, OTHER_SEAT))
        table.tell_box(TableWatched(("en",)))
        yield table, secret_tab, other_tab


def play_until(session: Session, rng: Random, is_reached: Callable[[Session], bool]) -> bool:
    """Plays at random until a question is reached; returns False if the game is over before."""
    for _ in range(400):
        if session.question is None or session.result is not None:
            return False
        if is_reached(session):
            return True
        answer_at_random(session, rng)
    return False


def has_steps(count: int, session: Session) -> bool:
    """Returns whether at least so many answers have been given."""
    return len(session.steps) >= count


def asks_secret_seat_in_secret(session: Session) -> bool:
    """Returns whether the secret seat is asked for a sealed answer, and another seat is too."""
    question = session.question
    return (
        isinstance(question, Together)
        and question.is_sealed
        and len(question.parts_by_seat) > 1
        and any(seat.number == SECRET_SEAT for seat in question.parts_by_seat)
    )


def two_answers(session: Session, rng: Random) -> list[object]:
    """Returns two legal sealed answers of the secret seat that differ, if there are two."""
    assert session.question is not None
    seat = session.table.seats.seat_numbered(SECRET_SEAT)
    part = session.question.parts_by_seat[seat]
    answers: list[object] = []
    for _ in range(50):
        answer = part.answer_to_json(part.random_legal_answer(rng))
        if answer not in answers and part.confirmation_for(part.parse_answer(answer)) is None:
            answers.append(answer)
    return answers[:2]


def compare_sealed_twins(tmp_path: Path, game: str, seed: int) -> tuple[Recording, Recording] | None:
    """Records twins in which one phone seals different answers; None if no such question was reached."""
    recordings, answers = [], list[object]()
    for index, (table, secret_tab, other_tab) in enumerate(make_twins(tmp_path, game)):
        with closing(table.store):
            session = table.session
            assert session is not None
            if not play_until(session, Random(seed), asks_secret_seat_in_secret):
                return None
            answers = answers or two_answers(session, Random(seed))
            if len(answers) < 2:
                return None
            table.show()
            before = len(table.sent)
            assert table.answer(secret_tab, answers[index]).get("taken")
            recordings.append(record(table, other_tab, table.sent[before:]))
    return recordings[0], recordings[1]


def compare_covered_twins(tmp_path: Path, game: str, seed: int) -> tuple[Recording, Recording] | None:
    """Records twins that differ in hidden pieces of the secret seat; None if there are none."""
    tables = list(make_twins(tmp_path, game))
    with closing(tables[0][0].store), closing(tables[1][0].store):
        (one, _, other_tab), (other, _, _) = tables
        assert one.session is not None
        assert other.session is not None
        for table in (one, other):
            assert table.session is not None
            play_until(table.session, Random(seed), partial(has_steps, Random(seed).randint(0, 30)))
        if one.session.question is None or one.session.drafts:
            return None
        swap = swap_covered_pieces(one.session, other.session, Random(seed))
        if swap is None or any(seat.number == OTHER_SEAT for seat in swap.seats_that_see_swap):
            return None
        recordings = []
        for table in (one, other):
            before = len(table.sent)
            table.show()
            recordings.append(record(table, other_tab, table.sent[before:]))
    return recordings[0], recordings[1]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("compare", [compare_sealed_twins, compare_covered_twins])
def test_phones_and_viewers_cant_tell_twins_apart(
    tmp_path: Path, compare: Callable[..., tuple[Recording, Recording] | None], game: str, seed: int
) -> None:
    """Bytes for everybody, order and sizes of all messages, and what other phones read are equal."""
    recordings = compare(tmp_path, game, seed)
    if recordings is not None:
        one, other = recordings
        assert one.wire == other.wire
        assert one.readable == other.readable


def leak_in_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table has one more sentence after a high bid."""
    table_state = page_state.table_state

    def leaky(table: page_state.PublicTable, language: str) -> dict[str, Any]:
        values = table_state(table, language)
        is_high = any(draft.answer > 3 for draft in table.session.drafts.values())
        return values | {"happened": [*values["happened"], *["Hm."] * is_high]}

    monkeypatch.setattr(phones_module, "table_state", leaky)


def leak_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only one seat may know isn't padded."""
    monkeypatch.setattr(phones_module, "_private_size", lambda _: 1)


def leak_by_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only after a high bid the others are shown the table again."""
    show_to = phones_module.Phones._show_to

    def leaky(phones: Any, number: int, connection: Any, table: Any, questions: Any) -> None:
        drafts = table.session.drafts.values()
        if connection.seat_number == SECRET_SEAT or not drafts or any(draft.answer > 3 for draft in drafts):
            show_to(phones, number, connection, table, questions)

    monkeypatch.setattr(phones_module.Phones, "_show_to", leaky)


@pytest.mark.parametrize("leak", [leak_in_view, leak_by_size, leak_by_messages])
def test_a_leak_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """One bit in the view, in a size or in the number of messages is enough."""
    leak(monkeypatch)
    monkeypatch.setitem(globals(), "two_answers", lambda _session, _rng: [1, 123456])
    recordings = compare_sealed_twins(tmp_path, "sealed_bid", 0)
    assert recordings is not None
    assert recordings[0] != recordings[1]


def test_the_state_of_twins_is_json() -> None:
    """A state without a game has only a version and no title."""
    assert msgspec.json.encode(page_state.empty_table_state()) == b'{"v":1,"game":null}'
