"""Fuzz target for the line protocol of the keypads: both ends, in simulated time.

Half of the mutated lines have a valid checksum, as another program or another version would send them.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from benchmarks.pad_side import parse_host_line
from companion import installed_games
from companion.log.log import MemoryLog
from companion.rules.game import Game
from companion.session.session import Session
from companion.testing.random_game import PLAYER_NAMES
from hardware.desk.answers import submit_device_answer
from hardware.device_drivers import SeatPanel
from hardware.firmware.keypad.pad import DISPLAY_LINE_LENGTH, KEY_CAPS, KeypadProgram
from hardware.keypad_protocol import (
    ControlKeyMessage,
    EntryMessage,
    HelloMessage,
    crc16,
    verify_and_split_line,
)
from hardware.keypads import KeypadSession, SerialLink
from hardware.signals import ControlKeyAnswer, Inbox, NumbersAnswer
from tests.support.in_process import limit_cpu_time
from tests.support.mutations import mutate

BOOT = "9F2C1A07"
KEYPAD_LINES = (
    f"0 HELLO 1 kp-1 1.1.1 {BOOT} line16,kana",
    "0 BEAT 1200",
    "7 ENTRY 1 1300 12",
    "8 ENTRY 2 1400 2.3",
    "9 PRESS 1 1500 ok",
    "10 PRESS 2 1600 no",
    "11 PRESS 2 1700 own",
)
HOST_LINES = (
    "0 WHO",
    f"0 SHOW {BOOT} 1 on Bid more than 4",
    f"0 SHOW {BOOT} 2 blink %B1%B2%25",
    "1 ACK",
    "1 NAK No",
)
LINES_PER_RUN, VALID_CHECKSUM_FRACTION, MUTATED_LINE_FRACTION = 60, 0.5, 0.6
"""Number of lines per run, the fraction with a valid checksum, and the fraction of mutated bodies."""


def fuzz_keypad_protocol(rng: Random, _there: Path) -> None:
    """Sends mutated lines both ways: the game takes answers, the keypad shows only printable text."""
    with limit_cpu_time():
        _fuzz_host(rng)
        _fuzz_keypad(rng)


def _random_chunks(rng: Random, valid_lines: tuple[str, ...]) -> list[bytes]:
    """Returns lines as they arrive, cut into pieces of any length."""
    stream = b""
    for _ in range(LINES_PER_RUN):
        body = (
            mutate(rng.choice(valid_lines), rng, valid_lines)
            if rng.random() < MUTATED_LINE_FRACTION
            else rng.choice(valid_lines)
        )
        payload = (
            body.encode("utf-8", "surrogatepass").replace(b"\n", b" ")
            if rng.random() < 0.9
            else body.encode()
        )
        checksum = (
            crc16(payload)
            if rng.random() < VALID_CHECKSUM_FRACTION or body in valid_lines
            else rng.getrandbits(16)
        )
        stream += b"%b*%04X\n" % (payload, checksum)
    cuts = sorted(rng.randrange(len(stream) + 1) for _ in range(rng.randrange(1, 2 * LINES_PER_RUN)))
    return [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


def _fuzz_host(rng: Random) -> None:
    game = rng.choice([each for each in installed_games.games().values() if isinstance(each, Game)])
    session = Session.begin(game, PLAYER_NAMES[: game.players[0]], {}, MemoryLog(), seed=rng.getrandbits(32))
    inbox = Inbox(wake=lambda: None)
    link, keypad_session = SerialLink(0.0), KeypadSession("keypad 1", inbox)
    for at, piece in enumerate(_random_chunks(rng, KEYPAD_LINES)):
        now = at / 100
        for seq, message in link.receive_messages(piece, now):
            reply = b""
            if isinstance(message, HelloMessage):
                reply = keypad_session.handle_hello(message)
            if isinstance(message, EntryMessage | ControlKeyMessage):
                reply = keypad_session.handle_answer(
                    seq, message, link.clock.to_host_time(message.ms, now), at + 1
                )
            _check_keypad_can_parse(reply)
        for signal in inbox.drain():
            if isinstance(signal, NumbersAnswer | ControlKeyAnswer):
                refused = submit_device_answer(session, session.table.seats.seat_numbered(1), signal, -1.0)
                _check_keypad_can_parse(
                    keypad_session.set_verdict(signal.receipt, None if refused is None else str(refused.text))
                )
                keypad_session.panel = SeatPanel(session.question_number, "Bid", "on")
                _check_keypad_can_parse(keypad_session.heartbeat_line())


def _check_keypad_can_parse(lines: bytes) -> None:
    """Checks that the keypad can parse every line that the host sends."""
    for line in lines.splitlines():
        parse_host_line(line)


def _fuzz_keypad(rng: Random) -> None:
    pad = KeypadProgram("kp-1", BOOT, 0, "line16,kana")
    for now, piece in enumerate(_random_chunks(rng, HOST_LINES)):
        pad.handle_host_bytes(piece, 10 * now)
        pad.press_key(rng.choice(KEY_CAPS), 10 * now)
        pad.queue_due_lines(10 * now)
        lines_sent: list[Any] = [
            verify_and_split_line(line) for line in pad.take_outgoing_bytes().splitlines()
        ]
        assert all(lines_sent)
        display = pad.display_lines(10 * now)
        assert all(text.isprintable() for text in display), display
        assert len(display[1]) <= DISPLAY_LINE_LENGTH
        assert pad.light_state(10 * now) in {"off", "on", "blink"}
