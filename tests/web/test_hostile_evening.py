"""Hostile browsers during a real game: nothing they send counts, nothing breaks, and the game goes on."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from companion.log.events import Answered
from companion.phones.channel import pad
from companion.store import Store
from companion.web.link import MAX_PHONE_MESSAGE_BYTES
from hardware.phones.answers import VIA_PHONE
from hardware.phones.phones import MAX_CONNECTIONS_PER_SEAT
from tests.support.phone_evening import PhoneEvening
from tests.support.soak import SOAK
from tests.support.web_phone import WebPhone
from tests.support.web_process import HTTP_SWITCHING, WebProcess
from tests.web.test_hostile import MALFORMED_FRAMES, MALFORMED_REQUESTS, frame

pytestmark = pytest.mark.without_coverage

SECONDS = 600 if SOAK else 3
ATTACKERS = 2
REPLY_SECONDS = 0.2
"""How long an attacker waits for a reply; connections of phones stay open without one."""
NAMES = ("Aki", "Ben", "Chie")


class Attacker:
    """Sends what nobody should; it has recorded the Wi-Fi, so it knows the cookies and what phones sent."""

    def __init__(self, web: WebProcess, phones: dict[int, WebPhone], seed: int) -> None:
        self._web, self._phones, self._rng = web, phones, Random(seed)
        self._ways = (
            self._send_malformed_request,
            self._send_altered_request,
            self._post_pairing,
            self._send_frames_to_the_table,
            self._send_frames_as_a_phone,
            self._repeat_what_a_phone_sent,
            self._take_the_places_of_a_phone,
        )
        self.faults: list[bytes] = []
        """Replies that tell of an error of ours."""

    def attack_until(self, end: float) -> int:
        """Attacks in random ways; returns how often."""
        count = 0
        while time.monotonic() < end:
            self._rng.choice(self._ways)()
            count += 1
        return count

    def _send_malformed_request(self) -> None:
        request = self._rng.choice(MALFORMED_REQUESTS)
        self._send(request.replace(b"HOST", self._web.host.encode()))

    def _send_altered_request(self) -> None:
        content = bytearray(
            f"POST /seat/1/pair/1 HTTP/1.1\r\nHost: {self._web.host}\r\nOrigin: elsewhere\r\n"
            "Cookie: seat=x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 5\r\n\r\n"
            "hello".encode()
        )
        for _ in range(self._rng.randint(1, 5)):
            at = self._rng.randrange(len(content))
            content[at : at + self._rng.randrange(4)] = self._rng.randbytes(self._rng.randrange(4))
        self._send(bytes(content))

    def _post_pairing(self) -> None:
        body = self._rng.randbytes(self._rng.choice((0, 24, 104, 1024, 2000)))
        seat, step = self._rng.randint(0, 13), self._rng.randint(0, 3)
        head = (
            f"POST /seat/{seat}/pair/{step} HTTP/1.1\r\nHost: {self._web.host}\r\n"
            f"Origin: {self._web.origin}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._send(head.encode() + body)

    def _send_frames_to_the_table(self) -> None:
        self._send_frames("/table/socket", "", self._frames())

    def _send_frames_as_a_phone(self) -> None:
        """Before or after a key for the connection, with the right cookie or another."""
        seat = self._rng.choice([*self._phones])
        cookie = self._rng.choice((self._phones[seat].client.cookie, "x" * 43, ""))
        hello = self._rng.choice((b"", self._rng.randbytes(32), bytes(32), self._rng.randbytes(31)))
        frames = frame(Opcode.BINARY, hello) if hello else b""
        self._send_frames(f"/seat/{seat}/socket", cookie, frames + self._frames())

    def _repeat_what_a_phone_sent(self) -> None:
        seat = self._rng.choice([*self._phones])
        phone = self._phones[seat]
        frames = b"".join(frame(Opcode.BINARY, message) for message in [*phone.sent_messages])
        self._send_frames(f"/seat/{seat}/socket", phone.client.cookie, frames)

    def _take_the_places_of_a_phone(self) -> None:
        """More connections with the right cookie than a seat may have."""
        seat = self._rng.choice([*self._phones])
        request = self._socket_request(f"/seat/{seat}/socket", self._phones[seat].client.cookie)
        with ExitStack() as stack, suppress(OSError):
            for _ in range(MAX_CONNECTIONS_PER_SEAT + 1):
                source = f"127.0.0.{self._rng.randint(2, 200)}"
                connection = stack.enter_context(self._web.raw(request, source))
                connection.settimeout(REPLY_SECONDS)
                connection.recv(65536)
                connection.sendall(frame(Opcode.BINARY, self._rng.randbytes(32)))

    def _frames(self) -> bytes:
        answer = json.dumps({"language": "en", "n": self._rng.randrange(1, 500), "answer": 7}).encode()
        return self._rng.choice(
            (
                self._rng.choice([*MALFORMED_FRAMES.values()]),
                self._rng.randbytes(self._rng.randrange(1, 2000)),
                frame(Opcode.BINARY, self._rng.randbytes(self._rng.choice((0, 1, 32, 4112, 4160)))) * 30,
                frame(Opcode.TEXT, answer),
                frame(Opcode.BINARY, pad(answer, MAX_PHONE_MESSAGE_BYTES)),
            )
        )

    def _send_frames(self, path: str, cookie: str, frames: bytes) -> None:
        self._send(self._socket_request(path, cookie), frames)

    def _socket_request(self, path: str, cookie: str) -> bytes:
        head = (
            f"GET {path} HTTP/1.1\r\nHost: {self._web.host}\r\nOrigin: {self._web.origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: seat={cookie}\r\n\r\n"
        )
        return head.encode()

    def _send(self, request: bytes, frames: bytes = b"") -> None:
        """Sends a request, and frames if it opens a WebSocket; keeps a reply that tells of a fault."""
        source = f"127.0.0.{self._rng.randint(2, 200)}"
        reply = b""
        with suppress(OSError), closing(self._web.raw(request, source)) as connection:
            connection.settimeout(REPLY_SECONDS)
            reply = connection.recv(65536)
            if frames and reply.split()[1:2] == [str(HTTP_SWITCHING).encode()]:
                connection.sendall(frames)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                reply += part
        if b"Traceback" in reply or reply.startswith(b"HTTP/1.1 500"):
            self.faults.append(reply)


def seal(phone: WebPhone, number: int, bid: int) -> None:
    """Seals a bid for question `number`; a phone that reconnects looks first whether the bid is in."""
    while True:
        try:
            assert phone.tab is not None
            tab = phone.read_until(lambda tab: bool(tab.table["n"] >= number))
            if tab.table["n"] > number or tab.private.get("envelope"):
                return
            phone.answer(bid)
        except (ConnectionClosed, OSError):
            phone.reconnect()


def begin_next_round(phone: WebPhone, number: int) -> None:
    """Answers question `number`, which asks for another round."""
    while True:
        try:
            tab = phone.read_until(lambda tab: bool(tab.table["n"] >= number))
            if tab.table["n"] > number:
                return
            phone.answer("again")
        except (ConnectionClosed, OSError):
            phone.reconnect()


def play_until(end: float, phones: dict[int, WebPhone]) -> list[dict[str, int]]:
    """Plays rounds of sealed bids; returns the bids of each."""
    rng, rounds = Random(7), list[dict[str, int]]()
    while time.monotonic() < end:
        number = 2 * len(rounds) + 1
        bids = {str(seat): rng.randrange(1000) for seat in phones}
        for seat, phone in phones.items():
            seal(phone, number, bids[str(seat)])
        rounds.append(bids)
        begin_next_round(phones[1], number + 1)
    return rounds


@pytest.mark.timeout(1800)
def test_a_game_goes_on_among_hostile_browsers(tmp_path: Path) -> None:
    """The log has exactly the answers of the phones, and neither process has printed anything."""
    with PhoneEvening(tmp_path, "sealed_bid", *NAMES) as evening:
        phones = {seat: evening.pair(seat).open_page() for seat in range(1, len(NAMES) + 1)}
        end = time.monotonic() + SECONDS
        attackers = [Attacker(evening.web, phones, seed) for seed in range(ATTACKERS)]
        with ThreadPoolExecutor(ATTACKERS) as threads:
            attacks = [threads.submit(each.attack_until, end) for each in attackers]
            rounds = play_until(end, phones)
        assert sum(attack.result() for attack in attacks) > 0
        assert [fault for each in attackers for fault in each.faults] == []
        for phone in phones.values():
            phone.close()
        assert evening.stop() == (0, "", 0, "")
        with closing(Store.open(evening.state)) as store:
            events = list(store.open_game_log(1).events())
    answered = [event for event in events if isinstance(event, Answered)]
    assert [event.answer for event in answered[::2]] == rounds
    assert {event.answer for event in answered[1::2]} == {"again"}
    assert {event.via for event in answered[1::2]} == {VIA_PHONE}
    print(f"{sum(attack.result() for attack in attacks)} attacks, {len(rounds)} rounds")
