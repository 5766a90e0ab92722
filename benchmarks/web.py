"""Phones: from a tap until all screens have it, what the processes take, and how soon a page is seen.

Box, web process and browsers are processes of their own on the loopback. A bare server of the same library
commits the same bytes with `sqlite3`, and sends as many bytes to as many browsers.
"""

from __future__ import annotations

import os
import select
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, process_time
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.frames import Frame, Opcode

from companion.games.sealed_bid.rulebook import GAME
from companion.log.log import MemoryLog
from companion.phones.state import PublicTable
from companion.session.session import Session
from companion.session.view import make_view
from companion.web.link import PhoneSent, encode
from hardware.desk.answers import answer_or_seal
from tests.support.frames import OPCODE_BITS, receive_frame
from tests.support.page_server import PageServer
from tests.support.pages import Page, start_browser
from tests.support.phone_client import PhoneTab
from tests.support.phone_evening import PhoneEvening
from tests.support.phone_table import PhoneTable
from tests.support.web_phone import WebPhone
from tests.support.web_process import TIMEOUT_SECONDS

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jo", "Ken", "Lea")
VIEWERS = 20
ROUNDS = 25
"""Rounds of sealed bids; each has twelve bids, and the answer that begins the next one."""
IDLE_SECONDS = 20
PAGE_LOADS = 11
SLOWDOWN = 4
MOST_VISIBLE_MS, MOST_RESIDENT_MB, MOST_IDLE_PERCENT, MOST_EXTRA_MS = 400, 60, 0.3, 1
EVENT = b'{"type":"Answered","n":7,"asks":"Together","answer":12,"via":"phone","at":1234.567}'


class Screen:
    """A WebSocket that reads each message as it arrives; `tab` decrypts it if it is a phone's."""

    def __init__(self, connection: socket.socket, tab: PhoneTab | None = None) -> None:
        self.connection, self.tab = connection, tab
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, content: bytes, opcode: Opcode = Opcode.BINARY) -> None:
        """Sends a message."""
        self.connection.sendall(Frame(opcode, content).serialize(mask=True))

    def receive(self) -> bytes:
        """Waits for the next message; pings before it are answered."""
        while (content := self.receive_frame()) is None:
            pass
        return content

    def receive_frame(self) -> bytes | None:
        """Waits for the next frame; returns its message, or None for a ping, which is answered."""
        first, content = receive_frame(self.connection)
        if first & OPCODE_BITS != Opcode.PING:
            return content
        self.send(content, Opcode.PONG)
        return None


def figures() -> Iterator[dict[str, Any]]:
    """All figures of phones."""
    with TemporaryDirectory(dir=Path.cwd()) as folder, ExitStack() as stack:
        evening = stack.enter_context(PhoneEvening(Path(folder), "sealed_bid", *NAMES))
        phones, viewers = connect_all(evening, stack)
        yield from taps(Path(folder), phones, viewers, stack)
        yield from resources(evening.web.pid, [*phones, *viewers])
    yield extra_time()
    yield from visible()


def connect_all(evening: PhoneEvening, stack: ExitStack) -> tuple[list[Screen], list[Screen]]:
    """Pairs and connects all phones and viewers."""
    phones: list[Screen] = []
    for seat in range(1, len(NAMES) + 1):
        phone = WebPhone(evening.offer_code(seat))
        phone.redeem()
        phone.await_confirmation()
        tab = phone.client.open_tab()
        connection = evening.web.raw_socket(f"{phone.path}/socket", [f"Cookie: seat={phone.client.cookie}"])
        screen = Screen(stack.enter_context(connection), tab)
        screen.send(tab.hello)
        tab.connected(screen.receive())
        screen.send(tab.encrypt(language="en"))
        phones.append(screen)
    viewers = [
        Screen(stack.enter_context(evening.web.raw_socket("/table/socket?languages=en")))
        for _ in range(VIEWERS)
    ]
    serve([*phones, *viewers], 2)  # until all have the same state
    return phones, viewers


def serve(screens: Sequence[Screen], seconds: float) -> None:
    """Reads whatever comes for some seconds, and answers pings."""
    end = monotonic() + seconds
    by_connection = {screen.connection: screen for screen in screens}
    while (left := end - monotonic()) > 0:
        for connection in select.select([*by_connection], [], [], left)[0]:
            screen = by_connection[connection]
            content = screen.receive_frame()
            if content is not None and screen.tab is not None:
                screen.tab.read(content)


# From a tap to all screens


def taps(
    folder: Path, phones: list[Screen], viewers: list[Screen], stack: ExitStack
) -> Iterator[dict[str, Any]]:
    """`web.tap`: milliseconds until the answer is saved and all screens have what they show."""
    ours: list[float] = []
    to_all: list[float] = []
    to_one: list[float] = []
    bare = stack.enter_context(BareServer(folder))
    bare_screens: list[Screen] = []
    for round_number in range(ROUNDS):
        # Another phone each time begins the next round: no phone may send more than five answers a second.
        senders = [*phones, phones[round_number % len(phones)]]
        for number, sender in enumerate(senders):
            answer = number + 1 if number < len(phones) else "again"
            took, contents = timed_answer(sender, [*phones, *viewers], answer)
            ours.append(took)
            if not bare_screens:
                bare_screens = [stack.enter_context(bare.connect("all", len(each))) for each in contents]
                bare_screens.append(stack.enter_context(bare.connect("one", len(contents[0]))))
            *bare_all, bare_one = bare_screens
            to_all.append(timed_tap(bare_all[number % len(phones)], bare_all)[0])
            to_one.append(timed_tap(bare_one, [bare_one])[0])
    for name, part in (("p50", median), ("p95", lambda times: quantiles(times, n=20)[-1])):
        beside = {
            "bare server, as many screens": round(part(to_all), 2),
            "bare echo, one screen": round(part(to_one), 2),
        }
        yield {
            "name": f"web.tap.{name}",
            "value": round(part(ours), 2),
            "unit": "ms",
            "beside": beside,
            "ratio": round(part(ours) / part(to_all), 2),
        }


def timed_answer(sender: Screen, screens: Sequence[Screen], answer: object) -> tuple[float, list[bytes]]:
    """Returns the milliseconds until all screens have the state after an answer, and what they got."""
    assert sender.tab is not None
    tab = sender.tab
    took, contents = timed_tap(sender, screens, tab.encrypt(n=tab.table["n"], answer=answer))
    for screen, content in zip(screens, contents, strict=True):
        if screen.tab is not None:
            screen.tab.read(content)
    assert tab.private["feedback"].get("taken"), tab.private["feedback"]
    return took, contents


def timed_tap(
    sender: Screen, screens: Sequence[Screen], message: bytes = bytes(4112)
) -> tuple[float, list[bytes]]:
    """Returns the milliseconds until all screens have what follows a message."""
    start = perf_counter()
    sender.send(message)
    contents = [screen.receive() for screen in screens]
    return (perf_counter() - start) * 1000, contents


class BareServer:
    """Starlette and uvicorn alone, in a process of their own."""

    def __init__(self, folder: Path) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        arguments = [str(self._listening.fileno()), str(folder / "bare.sqlite3")]
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *arguments], pass_fds=[self._listening.fileno()]
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._listening.close()

    @contextmanager
    def connect(self, whom: str, size: int) -> Iterator[Screen]:
        """Connects a screen that gets messages of a size."""
        host, port = self._listening.getsockname()
        head = (
            f"GET /{whom}/{size} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        with socket.create_connection((host, port), TIMEOUT_SECONDS) as connection:
            connection.sendall(head.encode())
            reply = b""
            while not reply.endswith(b"\r\n\r\n"):
                reply += connection.recv(1)
            yield Screen(connection)


def run_bare_server(listening_fd: int, database: str) -> None:
    """For each message: one commit, and bytes to all screens or to the one that sent it."""
    raw = sqlite3.connect(database, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    content_by_screen: dict[WebSocket, bytes] = {}

    async def serve_screen(websocket: WebSocket) -> None:
        await websocket.accept()
        content = bytes(int(websocket.path_params["size"]))
        is_one = websocket.path_params["whom"] == "one"
        if not is_one:
            content_by_screen[websocket] = content
        try:
            while True:
                await websocket.receive_bytes()
                raw.execute("INSERT INTO event (body) VALUES (?)", (EVENT.decode(),))
                for screen, message in ({websocket: content} if is_one else content_by_screen).items():
                    await screen.send_bytes(message)
        except WebSocketDisconnect:
            content_by_screen.pop(websocket, None)

    app = Starlette(routes=[WebSocketRoute("/{whom}/{size}", serve_screen)])
    config = uvicorn.Config(app, log_level="error", ws_per_message_deflate=False, lifespan="off")
    uvicorn.Server(config).run([socket.socket(fileno=listening_fd)])


# What the processes take


def resources(pid: int, screens: Sequence[Screen]) -> Iterator[dict[str, Any]]:
    """`web.memory` and `web.idle_cpu`: the web process with all screens connected, while nobody answers."""
    before, began = processor_seconds(pid), monotonic()
    serve(screens, IDLE_SECONDS)
    share = 100 * (processor_seconds(pid) - before) / (monotonic() - began)
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    connected = {"phones": len(NAMES), "viewers": VIEWERS}
    for name, value, unit, most in (
        ("web.memory", resident, "MB", MOST_RESIDENT_MB),
        ("web.idle_cpu", share, "%", MOST_IDLE_PERCENT),
    ):
        yield {
            "name": name,
            "value": round(value, 2),
            "unit": unit,
            "beside": connected,
            "ratio": round(value / most, 2),
        }


def processor_seconds(pid: int) -> float:
    """Returns the processor time of a process, in ticks of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def extra_time() -> dict[str, Any]:
    """`web.extra_time`: what an answer costs the main process more with twelve phones than without."""
    with TemporaryDirectory(dir=Path.cwd()) as folder:
        table = PhoneTable(Path(folder), "sealed_bid", *NAMES)
        table.session, plain = (
            Session.begin(GAME, NAMES, {}, MemoryLog(), seed=1),
            Session.begin(GAME, NAMES, {}, MemoryLog(), seed=1),
        )
        tabs = [table.connect(table.pair(seat)) for seat in range(1, len(NAMES) + 1)]
        extra = []
        for _ in range(ROUNDS):
            for seat, connection in enumerate(tabs, 1):
                table.now += 1
                with_phones = timed_phone_answer(table, connection, seat)
                extra.append(with_phones - timed_plain_answer(plain, seat))
            for session in (table.session, plain):
                session.answer(session.question_number, "again")
            table.show()
        table.store.close()
    value = round(median(extra), 3)
    return {
        "name": "web.extra_time",
        "value": value,
        "unit": "ms",
        "beside": {"p95": round(quantiles(extra, n=20)[-1], 3), "phones": len(NAMES)},
        "ratio": round(value / MOST_EXTRA_MS, 2),
    }


def timed_phone_answer(table: PhoneTable, connection: int, bid: int) -> float:
    """Returns the milliseconds of the processor for a phone's answer, shown on all phones.

    The view isn't counted: the screen has it anyway.
    """
    session, tab, before = table.session, table.tabs[connection], len(table.sent)
    assert session is not None
    message = PhoneSent(connection, tab.encrypt(n=tab.table["n"], answer=bid))
    start = process_time()
    table.phones.handle(message, session)
    took = process_time() - start
    view = make_view(session)
    start = process_time()
    table.phones.show(PublicTable(session, view, session.question_number))
    for sent in table.sent[before:]:
        encode(sent)
    took += process_time() - start
    table.show()
    return took * 1000


def timed_plain_answer(session: Session, seat: int) -> float:
    """Returns the milliseconds of the processor for the same answer from a keypad."""
    start = process_time()
    answer_or_seal(session, session.table.seats.seat_numbered(seat), seat, "keypad")
    return (process_time() - start) * 1000


# How soon a page is seen


WATCH = """
new MutationObserver(() => {
    if (window.seenAt === undefined && document.documentElement.textContent.includes("TEXT")) {
        window.seenAt = 0;
        requestAnimationFrame(() => setTimeout(() => { window.seenAt = performance.now(); }));
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def visible() -> Iterator[dict[str, Any]]:
    """`web.visible`: from the beginning of the load until the page with the question is painted."""
    with TemporaryDirectory(dir=Path.cwd()) as folder, PageServer(Path(folder)) as server:
        server.begin("sealed_bid", "Aki", "Ben")
        browser = start_browser()
        try:
            page = Page(browser, server)
            page.resize(390, 844)
            page.pair(1)
            for name, path, text in (
                ("seat", "/seat/1", "How much do you bid"),
                ("table", "/table", "Everybody bids in secret"),
            ):
                full_speed = visible_after(page, path, text, 1)
                value = visible_after(page, path, text, SLOWDOWN)
                yield {
                    "name": f"web.visible.{name}",
                    "value": value,
                    "unit": "ms",
                    "beside": {"at full speed": full_speed, "slowed": SLOWDOWN},
                    "ratio": round(value / MOST_VISIBLE_MS, 2),
                }
        finally:
            browser.quit()


def visible_after(page: Page, path: str, text: str, slowdown: int) -> float:
    """Returns the median of the milliseconds until a page shows a text, with a slower processor."""
    browser = page.browser
    script = {"source": WATCH.replace("TEXT", text)}
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    times: list[float] = []
    for _ in range(PAGE_LOADS):
        browser.get("about:blank")
        page.open(path)
        times.append(page.wait(lambda: browser.execute_script("return window.seenAt")))
    browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    return round(median(times), 1)


if __name__ == "__main__":
    run_bare_server(int(sys.argv[1]), sys.argv[2])
