"""Twins on the network: who records the Wi-Fi, watches the table and plays along can't tell games apart.

The games differ only in what is sealed or hidden. Between box and browsers is the real web process.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from companion.installed_games import playable_game
from companion.log.log import MemoryLog
from companion.phones import state as page_state
from companion.phones.channel import Channel
from companion.presets import chosen_preset_decks
from companion.requests import Together
from companion.session.session import Session
from companion.testing.noninterference import swap_covered_pieces
from companion.testing.random_game import MISSING_STATE_DIRECTORY
from hardware.phones import phones as phones_module
from hardware.phones import shown_state
from tests.outside.shelf import put_on_the_shelf
from tests.support.leaking_web_process import LEAKS
from tests.support.phone_table import answer_at_random
from tests.support.phone_wire import OTHER_SEAT, SECRET_SEAT, PhoneWire, Recording
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage

NAMES = ("Aki", "Ben", "Chie")
GAME_SEED = 7
MAX_SEEDS = 40
"""How many random games are tried until enough have a secret."""


class TwinGame(NamedTuple):
    """A game, its options as people type them, and how many play."""

    name: str
    options: Mapping[str, str] = {}
    player_count: int = 3

    def begin(self) -> Session:
        """Begins the game, always with the same seed."""
        rules = playable_game(self.name)
        decks = chosen_preset_decks(rules, self.options, MISSING_STATE_DIRECTORY) or None
        names = NAMES[: self.player_count]
        return Session.begin(rules, names, self.options, MemoryLog(), deck_by_name=decks, seed=GAME_SEED)


Recordings = tuple[Recording, Recording]


class TwinWires(NamedTuple):
    """Two tables with phones, each with a web process of its own."""

    one: PhoneWire
    other: PhoneWire

    def record_answers(self, answers: Sequence[object]) -> Recordings:
        """Records the tables, at each of which the phone of the secret seat gives one of two answers."""
        one, other = answers
        return self.one.record(partial(self.one.answer, one)), self.other.record(
            partial(self.other.answer, other)
        )


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


def record_sealed(wires: TwinWires, game: TwinGame, seed: int) -> Recordings | None:
    """Records twins in which one phone seals different answers; None if no such question is reached."""
    for wire in wires:
        wire.session = game.begin()
        if not play_until(wire.session, Random(seed), asks_secret_seat_in_secret):
            return None
    assert wires.one.session is not None
    answers = two_answers(wires.one.session, Random(seed))
    return wires.record_answers(answers) if len(answers) == len(wires) else None


def record_covered(wires: TwinWires, game: TwinGame, seed: int) -> Recordings | None:
    """Records twins that differ in pieces which the fellow player may not see; None if there are none."""
    one, other = game.begin(), game.begin()
    wires.one.session, wires.other.session = one, other
    is_reached = partial(has_steps, Random(seed).randint(0, 30))
    if not all(play_until(session, Random(seed), is_reached) for session in (one, other)) or one.drafts:
        return None
    swap = swap_covered_pieces(one, other, Random(seed))
    if swap is None or any(seat.number == OTHER_SEAT for seat in swap.seats_that_see_swap):
        return None
    assert [account.count for account in one.table.ledger] != [
        account.count for account in other.table.ledger
    ]
    return wires.one.record(lambda: None), wires.other.record(lambda: None)


RecordTwins = Callable[[TwinWires, TwinGame, int], Recordings | None]
DEALERS, OYAKATA = TwinGame("any_game", {"template": "dealers"}), TwinGame("oyakata", player_count=2)
SEALED = [DEALERS, *map(TwinGame, ("bidders", "high_bid", "mammon", "moorings", "sealed_bid"))]
COVERED = [DEALERS, OYAKATA, *map(TwinGame, ("bidders", "egypt", "high_bid", "moorings"))]
TWINS: list[tuple[RecordTwins, TwinGame]] = [
    *((record_sealed, game) for game in SEALED),
    *((record_covered, game) for game in COVERED),
]
PAIRS_PER_TWINS = 5 if SOAK else 1
"""In a soak, sixty pairs in all."""


@pytest.fixture(scope="module")
def wires(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwinWires]:
    """Two tables; at the end, neither web process has printed anything."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        put_on_the_shelf(tmp_path_factory.mktemp("site"), patch)
        one, other = (
            stack.enter_context(PhoneWire(tmp_path_factory.mktemp(name))) for name in ("one", "other")
        )
        yield TwinWires(one, other)
        assert one.stop() == other.stop() == (0, "")


def record_pairs(
    record_twins: RecordTwins, wires: TwinWires, game: TwinGame, pair_count: int
) -> Iterator[Recordings]:
    """Yields the recordings of twins that really differ in a secret."""
    for seed in range(MAX_SEEDS):
        if pair_count and (recordings := record_twins(wires, game, seed)) is not None:
            yield recordings
            pair_count -= 1
    assert not pair_count, "too few random games have a secret"


def twins_id(value: RecordTwins | TwinGame) -> str:
    """Returns a word for a parameter of the test."""
    return value.name if isinstance(value, TwinGame) else value.__name__.removeprefix("record_")


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("record_twins", "game"), TWINS, ids=twins_id)
def test_nobody_in_the_network_can_tell_twins_apart(
    record_twins: RecordTwins,
    game: TwinGame,
    wires: TwinWires,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Equal are all bytes that everybody can read, what the fellow player's phone decrypts, and all sizes.

    Neither process logs anything.
    """
    with caplog.at_level(logging.DEBUG):
        for one, other in record_pairs(record_twins, wires, game, PAIRS_PER_TWINS):
            assert one == other
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


# Leaks


def record_leak(wires: TwinWires) -> Recordings:
    """Returns the recordings of twins in which one phone seals a low bid and the other a high one."""
    for wire in wires:
        wire.session = TwinGame("sealed_bid").begin()
    return wires.record_answers((1, 123_456))


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
    monkeypatch.setattr(shown_state, "_private_size", lambda _: 1)


def leak_by_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only after a high bid the others are shown the table again."""
    show_to = phones_module.Phones._show_to

    def leaky(phones: Any, number: int, connection: Any, table: Any, questions: Any) -> None:
        drafts = table.session.drafts.values()
        if connection.seat_number == SECRET_SEAT or not drafts or any(draft.answer > 3 for draft in drafts):
            show_to(phones, number, connection, table, questions)

    monkeypatch.setattr(phones_module.Phones, "_show_to", leaky)


def send_without_encrypting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box encrypts nothing once a phone is connected."""

    def send(_channel: Channel, plaintext: bytes) -> bytes:
        return plaintext

    monkeypatch.setattr(Channel, "encrypt", send)
    monkeypatch.setattr(Channel, "decrypt", send)


@pytest.mark.parametrize("leak", [leak_in_view, leak_by_size, leak_by_messages, send_without_encrypting])
def test_a_leak_of_the_box_is_noticed(
    wires: TwinWires, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """One bit in a view, in a size, in the number of messages or in what isn't encrypted is enough."""
    leak(monkeypatch)
    one, other = record_leak(wires)
    assert one != other


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("leak", "where"),
    [("log", ("log",)), ("viewers", ("/table/socket",)), ("header", ("GET", "POST"))],
    ids=LEAKS,
)
def test_a_leak_of_the_web_process_is_noticed(tmp_path: Path, leak: str, where: tuple[str, ...]) -> None:
    """One byte of what it passes on is enough: in its log, in a message to others, or in a header."""
    program = sys.executable, "-m", "tests.support.leaking_web_process", leak
    with PhoneWire(tmp_path / "one", program) as first, PhoneWire(tmp_path / "other", program) as second:
        one, other = record_leak(TwinWires(first, second))
        logs = first.stop(), second.stop()
    pairs = zip(one.traffic, other.traffic, strict=True)
    names = [mine.name for mine, yours in pairs if mine != yours]
    names += ["log"] if logs[0] != logs[1] else []
    assert names
    assert all(name.startswith(where) for name in names)
