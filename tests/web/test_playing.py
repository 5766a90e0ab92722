"""A game on phones through the real web process: pairing, sealed answers, and what everybody sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from companion.web.link import PairingPosted, PhoneConnected, PhoneSent
from tests.support.phone_client import PhoneClient, PhoneTab
from tests.support.phone_table import PhoneTable
from tests.support.web_process import TIMEOUT_SECONDS, BoxEnd, Response, WebProcess


class Evening:
    """A game whose phones reach it over the web process only."""

    def __init__(self, directory: Path, box: BoxEnd, web: WebProcess) -> None:
        self.table = PhoneTable(directory, "sealed_bid", "Aki", "Ben")
        self._box, self._web = box, web
        self._sent_count = 0
        self._threads = ThreadPoolExecutor()

    def close(self) -> None:
        """Closes the store."""
        self._threads.shutdown()
        self.table.store.close()

    def handle_until(self, kind: type[Any]) -> None:
        """Lets the box handle messages until it has handled one of a kind."""
        handled = None
        while not isinstance(handled, kind):
            handled = self._box.receive_any()
            if self.table.phones.handle(handled, self.table.session).must_show:
                self.table.show()
            self._send_all()

    def _send_all(self) -> None:
        self._box.send(*self.table.sent[self._sent_count :])
        self._sent_count = len(self.table.sent)

    def pair(self, seat: int) -> PhoneClient:
        """Pairs a phone by the two POSTs; somebody confirms the digits."""
        secret = self.table.phones.offer_code(seat).code.secret
        client = PhoneClient(seat)
        offered = self._post(seat, 1, client.offer(secret))
        self.handle_until(PairingPosted)
        client.read_reply(secret, offered.result(TIMEOUT_SECONDS).content)
        confirmed = self._post(seat, 2, client.confirmation())
        self.handle_until(PairingPosted)
        pending = self.table.phones.pending_pairing
        assert pending is not None
        assert pending.keys.digits == client.digits
        self.table.phones.confirm_pairing()
        self._send_all()
        client.cookie = confirmed.result(TIMEOUT_SECONDS).headers["set-cookie"].partition(";")[0]
        return client

    def _post(self, seat: int, step: int, body: bytes) -> Future[Response]:
        return self._threads.submit(self._web.post, f"/seat/{seat}/pair/{step}", body)

    def connect(self, client: PhoneClient, stack: ExitStack) -> tuple[ClientConnection, PhoneTab]:
        """Connects the page of a paired phone, which says its language."""
        tab = client.open_tab()
        websocket = stack.enter_context(
            self._web.open_socket(f"/seat/{client.seat_number}/socket", {"Cookie": client.cookie})
        )
        websocket.send(tab.hello)
        self.handle_until(PhoneConnected)
        tab.connected(_receive_bytes(websocket))
        self.tell(websocket, tab, language="en")
        return websocket, tab

    def tell(self, websocket: ClientConnection, tab: PhoneTab, **message: object) -> None:
        """Sends a message of a page, and reads the state that follows."""
        websocket.send(tab.encrypt(**message))
        self.handle_until(PhoneSent)
        tab.read(_receive_bytes(websocket))


def _receive_bytes(websocket: ClientConnection) -> bytes:
    message = websocket.recv(TIMEOUT_SECONDS)
    assert isinstance(message, bytes)
    return message


@pytest.fixture
def evening(tmp_path: Path, box: BoxEnd, web: WebProcess) -> Iterator[Evening]:
    """A game of sealed bids for two."""
    game = Evening(tmp_path, box, web)
    yield game
    game.close()


def test_a_sealed_bid_is_played_on_two_phones(evening: Evening, web: WebProcess) -> None:
    """Both pair, connect and bid; a viewer sees the bids only when both envelopes are closed."""
    aki, ben = evening.pair(1), evening.pair(2)
    with ExitStack() as stack:
        viewer = stack.enter_context(web.open_socket("/table/socket"))
        first, first_tab = evening.connect(aki, stack)
        second, second_tab = evening.connect(ben, stack)
        first_tab.read(_receive_bytes(first))
        assert first_tab.question is not None
        assert first_tab.question["sealed"]
        number = first_tab.table["n"]
        evening.tell(first, first_tab, n=number, answer=37)
        assert first_tab.private["feedback"] == {"n": number, "taken": True}
        second_tab.read(_receive_bytes(second))
        assert second_tab.table["awaited"] == [2]
        evening.tell(second, second_tab, n=number, answer=12)
        assert second_tab.private["feedback"] == {"n": number, "taken": True}
        states: list[dict[str, Any]] = []
        while not (states and states[-1].get("revealed")):
            states.append(json.loads(viewer.recv(TIMEOUT_SECONDS)))
        assert [each["seat"] for each in states[-1]["revealed"]["answers"]] == [1, 2]
        assert "37" in states[-1]["revealed"]["answers"][0]["answer"]
        assert all("37" not in json.dumps(state) for state in states[:-1])


def test_the_cookie_of_another_seat_opens_nothing(evening: Evening, web: WebProcess) -> None:
    """Somebody who sends the cookie of seat 1 to seat 2 is told that no phone is paired."""
    client = evening.pair(1)
    with web.open_socket("/seat/2/socket", {"Cookie": client.cookie}) as websocket:
        websocket.send(client.open_tab().hello)
        evening.handle_until(PhoneConnected)
        with pytest.raises(Exception, match="4001"):
            websocket.recv(TIMEOUT_SECONDS)
