"""What the web process passes on between browsers and the box."""

from __future__ import annotations

import json
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from companion.web.link import (
    LENGTH_BYTES,
    MAX_BYTES_TO_WEB,
    MAX_VIEWERS,
    ClosePhone,
    PairingAborted,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
    WebListening,
    receive_from_web,
)
from tests.support.program import COMPANION
from tests.support.web_process import (
    COOKIE,
    HELLO,
    TIMEOUT_SECONDS,
    BoxEnd,
    WebProcess,
    read_to_end,
    wait_until,
)


def close_code(websocket: ClientConnection) -> int:
    """Waits until the other end has closed the connection; returns its code."""
    with suppress(ConnectionClosed):
        while True:
            websocket.recv(TIMEOUT_SECONDS)
    assert websocket.close_code is not None
    return websocket.close_code


# Pairing


def test_a_pairing_is_passed_on_both_ways(web: WebProcess, box: BoxEnd) -> None:
    """The box gets the bytes of the browser, and the browser the status and bytes of the box."""
    with ThreadPoolExecutor() as threads:
        for step, status in ((1, 200), (2, 200), (1, 403), (1, 429)):
            response = threads.submit(web.post, f"/seat/3/pair/{step}", b"\x00offer\xff")
            posted = box.receive(PairingPosted)
            assert (posted.seat, posted.step, posted.body) == (3, step, b"\x00offer\xff")
            box.send(PairingReply(posted.request, status, b"\xffkeys\x00"))
            assert (response.result().status, response.result().content) == (status, b"\xffkeys\x00")
            assert "set-cookie" not in response.result().headers


def test_several_pairings_wait_side_by_side(web: WebProcess, box: BoxEnd) -> None:
    """Each gets its own reply, in whatever order the box replies."""
    with ThreadPoolExecutor() as threads:
        responses = {seat: threads.submit(web.post, f"/seat/{seat}/pair/2") for seat in range(1, 7)}
        posted = [box.receive(PairingPosted) for _ in responses]
        assert len({each.request for each in posted}) == len(posted)
        for each in reversed(posted):
            box.send(PairingReply(each.request, 200, f"for {each.seat}".encode()))
        for seat, response in responses.items():
            assert response.result().content == f"for {seat}".encode()


def test_the_box_hears_that_a_browser_does_not_wait(web: WebProcess, box: BoxEnd) -> None:
    """A page that was closed while people compare the digits leaves nothing open."""
    head = f"POST /seat/1/pair/2 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\n"
    with web.raw(f"{head}Content-Length: 0\r\n\r\n".encode()):
        request = box.receive(PairingPosted).request
    assert box.receive(PairingAborted).request == request
    box.send(PairingReply(request, 200, b"", 1, COOKIE))
    assert web.get("/").status == 200


def test_a_long_body_is_refused(web: WebProcess, box: BoxEnd) -> None:
    """The box never sees it, with a length or in chunks."""
    assert web.post("/seat/1/pair/1", bytes(1025)).status == 413
    head = (
        f"POST /seat/1/pair/1 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\n"
        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunked = head.encode() + (b"1f4\r\n" + bytes(500) + b"\r\n") * 3 + b"0\r\n\r\n"
    assert read_to_end(web.raw(chunked)).startswith(b"HTTP/1.1 413 ")
    with ThreadPoolExecutor() as threads:
        allowed = threads.submit(web.post, "/seat/1/pair/1", bytes(1024))
        box.send(PairingReply(box.receive(PairingPosted).request, 403))
        assert allowed.result().status == 403


# Phones


def test_messages_of_a_phone_are_passed_on_in_order(web: WebProcess, box: BoxEnd) -> None:
    """Ten thousand both ways: none is lost, changed or overtaken."""
    with web.connect_phone(box, seat=7) as (phone, number):
        for start in range(0, 10_000, 50):
            for index in range(start, start + 50):
                phone.send(index.to_bytes(4, "big") * 10)
            for index in range(start, start + 50):
                assert box.receive(PhoneSent) == PhoneSent(number, index.to_bytes(4, "big") * 10)
            box.send(
                *(SendToPhone(number, index.to_bytes(4, "big") * 500) for index in range(start, start + 50))
            )
            for index in range(start, start + 50):
                assert phone.recv(TIMEOUT_SECONDS) == index.to_bytes(4, "big") * 500


def test_the_box_gets_seat_cookie_and_key(web: WebProcess, box: BoxEnd) -> None:
    """All three come with the first message of the phone, before any other."""
    with web.open_socket("/seat/12/socket", {"Cookie": f"other=x; seat={COOKIE}"}) as phone:
        phone.send(HELLO)
        phone.send(b"more")
        connected = box.receive(PhoneConnected)
        assert (connected.seat, connected.cookie, connected.hello) == (12, COOKIE, HELLO)
        assert box.receive_any() == PhoneSent(connected.connection, b"more")


def test_no_number_is_used_twice(web: WebProcess, box: BoxEnd) -> None:
    """A late message for a phone that is gone reaches no other phone, and none is left waiting."""
    numbers = []
    for _ in range(20):
        with web.connect_phone(box) as (_, number):
            numbers.append(number)
        assert box.receive(PhoneGone).connection == number
    assert len({*numbers}) == len(numbers)
    with web.connect_phone(box) as (phone, number):
        box.send(*(SendToPhone(gone, b"late") for gone in numbers), SendToPhone(number, b"now"))
        assert phone.recv(TIMEOUT_SECONDS) == b"now"


def test_each_phone_gets_only_its_own(web: WebProcess, box: BoxEnd) -> None:
    """Two tabs of one seat are two connections, too."""
    with ExitStack() as stack:
        phones = [stack.enter_context(web.connect_phone(box, seat)) for seat in (1, 1, 2, 12)]
        for _, number in reversed(phones):
            box.send(SendToPhone(number, str(number).encode()))
        for phone, number in phones:
            assert phone.recv(TIMEOUT_SECONDS) == str(number).encode()


def test_the_box_closes_a_phone(web: WebProcess, box: BoxEnd) -> None:
    """The code says whether to connect again; what was sent before arrives first."""
    for reason, code in (("unpaired", 4001), ("error", 4000)):
        with web.connect_phone(box) as (phone, number):
            box.send(SendToPhone(number, b"last"), ClosePhone(number, reason), SendToPhone(number, b"never"))
            assert phone.recv(TIMEOUT_SECONDS) == b"last"
            assert close_code(phone) == code
            assert box.receive(PhoneGone).connection == number


def test_a_browser_without_a_cookie_is_not_paired(web: WebProcess, box: BoxEnd) -> None:
    """The box isn't asked about it."""
    for cookie in ("", "seat=", f"seat={'x' * 65}", "chair=x", "seat"):
        with web.open_socket("/seat/1/socket", {"Cookie": cookie} if cookie else {}) as phone:
            assert close_code(phone) == 4001
    with web.connect_phone(box):
        pass


def test_only_seats_have_sockets(web: WebProcess, box: BoxEnd) -> None:
    """Seats are 1 to 12."""
    for path in ("/seat/0/socket", "/seat/13/socket", "/seat/x/socket"):
        with pytest.raises(InvalidStatus) as refused, web.open_socket(path):
            pass
        assert refused.value.response.status_code == 404


# The table


def test_viewers_of_a_language_get_its_states(web: WebProcess, box: BoxEnd) -> None:
    """The box hears which languages are watched, and every viewer gets each state of its own, in order."""
    with web.open_socket("/table/socket?languages=de") as german, web.open_socket("/table/socket") as english:
        while box.receive(TableWatched).languages != ("de", "en"):
            pass
        states = {
            language: [json.dumps([language, number]) for number in range(50)] for language in ("de", "en")
        }
        for state_de, state_en in zip(states["de"], states["en"], strict=True):
            box.send(PublishTable("de", state_de.encode()), PublishTable("en", state_en.encode()))
        assert [german.recv(TIMEOUT_SECONDS) for _ in range(50)] == states["de"]
        assert [english.recv(TIMEOUT_SECONDS) for _ in range(50)] == states["en"]


def test_a_late_viewer_gets_the_last_state_at_once(web: WebProcess, box: BoxEnd) -> None:
    """The box needn't publish again for one more viewer of a language, but for a new language."""
    with web.open_socket("/table/socket?languages=ja") as first:
        while box.receive(TableWatched).languages != ("ja",):
            pass
        box.send(PublishTable("ja", b"[1]"), PublishTable("ja", b"[2]"))
        assert [first.recv(TIMEOUT_SECONDS) for _ in range(2)] == ["[1]", "[2]"]
        with web.open_socket("/table/socket?languages=ja") as late:
            assert late.recv(TIMEOUT_SECONDS) == "[2]"
            assert not box.has_more()
    while box.receive(TableWatched).languages:
        pass
    with web.open_socket("/table/socket?languages=ja") as next_one:
        assert box.receive(TableWatched).languages == ("ja",)
        box.send(PublishTable("ja", b"[3]"))
        assert next_one.recv(TIMEOUT_SECONDS) == "[3]"


def test_an_unknown_language_is_english(web: WebProcess, box: BoxEnd) -> None:
    """The box hears only of languages that it has."""
    assert box.receive(TableWatched).languages == ()
    for language in ("xx", "", "../de", "x" * 2000, "%00", "%ff"):
        with web.open_socket(f"/table/socket?languages={language}"):
            assert box.receive(TableWatched).languages == ("en",)
        assert box.receive(TableWatched).languages == ()


def test_as_many_viewers_as_there_are_places(web: WebProcess, box: BoxEnd) -> None:
    """A further one is refused, phones of seats still connect, and a place that is left can be taken."""
    with ExitStack() as stack:
        viewers = [stack.enter_context(web.open_socket("/table/socket")) for _ in range(MAX_VIEWERS)]
        with pytest.raises(InvalidStatus) as refused, web.open_socket("/table/socket"):
            pass
        assert refused.value.response.status_code == 503
        with web.connect_phone(box) as (phone, number):
            box.send(PublishTable("en", b"[1]"), SendToPhone(number, b"1"))
            assert phone.recv(TIMEOUT_SECONDS) == b"1"
        assert {viewer.recv(TIMEOUT_SECONDS) for viewer in viewers} == {"[1]"}
        viewers.pop().socket.close()

        def has_place() -> bool:
            try:
                with web.open_socket("/table/socket") as viewer:
                    return viewer.recv(TIMEOUT_SECONDS) == "[1]"
            except InvalidStatus:
                return False

        wait_until(has_place)


def test_a_viewer_who_sends_something_is_closed(web: WebProcess, box: BoxEnd) -> None:
    """The table is only watched."""
    for message in ("text", b"bytes"):
        with web.open_socket("/table/socket") as viewer:
            viewer.send(message)
            assert close_code(viewer) == 1003


# The link


def test_browsers_connect_again_when_the_box_restarts(web: WebProcess, box: BoxEnd) -> None:
    """All are closed with code 4000 and refused while there is no box; numbers go on where they were."""
    with web.connect_phone(box) as (phone, number), web.open_socket("/table/socket") as viewer:
        box.close()
        assert close_code(phone) == close_code(viewer) == 4000
        for path in ("/seat/1/socket", "/table/socket"):
            with pytest.raises(InvalidStatus) as refused, web.open_socket(path):
                pass
            assert refused.value.response.status_code == 503
        assert web.post("/seat/1/pair/1").status == 503
        assert web.get("/table").status == 200
    box.restart()
    assert isinstance(box.receive_any(), WebListening)
    assert box.receive_any() == TableWatched(())
    with web.connect_phone(box) as (phone, later_number):
        assert later_number > number
        box.send(SendToPhone(number, b"old"), SendToPhone(later_number, b"new"))
        assert phone.recv(TIMEOUT_SECONDS) == b"new"


def test_a_waiting_pairing_ends_with_the_box(web: WebProcess, box: BoxEnd) -> None:
    """The browser gets 503 at once, not after a minute."""
    with ThreadPoolExecutor() as threads:
        response = threads.submit(web.post, "/seat/1/pair/2")
        box.receive(PairingPosted)
        box.restart()
        assert response.result(TIMEOUT_SECONDS).status == 503


def test_nonsense_on_the_link_ends_it(web: WebProcess, box: BoxEnd) -> None:
    """The web process connects again; it neither crashes nor reads on in the middle of a message."""
    for nonsense in (
        b"\xff" * 100,
        (MAX_BYTES_TO_WEB + 1).to_bytes(LENGTH_BYTES, "big"),
        (3).to_bytes(LENGTH_BYTES, "big") + b"abc",
        (0).to_bytes(LENGTH_BYTES, "big"),
    ):
        box.link.sendall(nonsense)
        with pytest.raises(OSError):  # noqa: PT011 - the end of the link, or its reset
            box.receive(PhoneGone)
        box.disconnect()
        box.receive(WebListening)
        with web.connect_phone(box) as (phone, number):
            box.send(SendToPhone(number, b"again"))
            assert phone.recv(TIMEOUT_SECONDS) == b"again"
        box.receive(PhoneGone)


def test_the_process_waits_for_a_box_that_starts_later(tmp_path: Path) -> None:
    """Pages are served meanwhile."""
    with WebProcess(tmp_path / "link") as web:
        assert web.get("/table").status == 200
        box = BoxEnd(tmp_path / "link")
        assert box.receive_any() == WebListening(("127.0.0.1",), web.port)
        box.close()


def test_a_link_that_was_passed_on_ends_the_process() -> None:
    """A child of the screen never outlives it."""
    ours, theirs = socket.socketpair()
    with theirs:
        child = subprocess.Popen(
            [COMPANION, "web", "--link-fd", str(theirs.fileno()), "--port", "0"], pass_fds=[theirs.fileno()]
        )
    ours.settimeout(TIMEOUT_SECONDS)
    listening = receive_from_web(ours)
    assert isinstance(listening, WebListening)
    assert not any(address.startswith("127.") for address in listening.addresses)
    ours.close()
    assert child.wait(TIMEOUT_SECONDS) == 0
