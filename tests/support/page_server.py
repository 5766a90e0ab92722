"""A small server of the pages for phones, in a thread: real pages, real phones, a real game, no web process.

with PageServer(directory) as server:
    server.begin("sealed_bid", "Aki", "Ben")
    address = server.offer_code(seat_number=1)
"""

from __future__ import annotations

import asyncio
import base64
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.clocks import ClockState
from companion.installed_games import playable_game
from companion.languages import languages
from companion.log.events import Answered
from companion.phones.state import PublicTable
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from companion.web import texts
from companion.web.link import (
    AnyFromWeb,
    AnyToWeb,
    ClosePhone,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
)
from hardware.phones.phones import Phones

STATIC_FOLDER = Path(texts.__file__).parent / "static"
NACL = Path("/usr/share/nodejs/tweetnacl/nacl-fast.min.js")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
CLOSE_CODES = {"unpaired": 4001, "error": 4000}
Result = TypeVar("Result")


class PageServer:
    """The server. Everything of phones and game runs in its thread; `run` asks that thread."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._is_ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._numbers = count(1)
        self._queues: dict[int, asyncio.Queue[bytes | int]] = {}
        self._watchers: dict[int, tuple[str, asyncio.Queue[bytes]]] = {}
        self._replies: dict[int, asyncio.Future[PairingReply]] = {}
        self.session: Session | None = None
        self.clocks: tuple[ClockState, ...] = ()
        self._is_reachable = True

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            self._app(), log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._is_ready.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        with closing(Store.open(self._directory, for_writing=True)) as self._store:
            self.phones = Phones(self._store, send=self._send)
            self.phones.switch_on()
            self._loop.call_soon(self._is_ready.set)
            asyncio.set_event_loop(self._loop)
            self._loop.run_until_complete(self._server.serve([self._socket]))
            self._loop.close()

    # What tests do

    def run(self, act: Callable[[], Result]) -> Result:
        """Runs a function in the server's thread, shows the table again, and returns the result."""
        future: Future[Result] = Future()

        def run_and_show() -> None:
            try:
                result = act()
                self._show()
            except BaseException as error:  # noqa: BLE001 - the test that asked gets it
                future.set_exception(error)
            else:
                future.set_result(result)

        self._loop.call_soon_threadsafe(run_and_show)
        return future.result(30)

    def begin(self, game: str | Game, *names: str, options: Mapping[str, str] | None = None) -> Session:
        """Begins a game, always with the same seed."""

        def begin() -> Session:
            if self.session is not None:
                self.session.put_away()
            log = self._store.new_game_log()
            rules = playable_game(game) if isinstance(game, str) else game
            self.session = Session.begin(rules, list(names), dict(options or {}), log, seed=7)
            return self.session

        return self.run(begin)

    def answer(self, *answers: object) -> None:
        """Answers the open questions, one after the other, as the screen does."""

        def answer_all() -> None:
            assert self.session is not None
            for answer in answers:
                self.session.answer(self.session.question_number, answer)

        self.run(answer_all)

    def seal(self, seat_number: int, answer: object) -> None:
        """Answers for one of the seats that are asked at once."""

        def put_in_envelope() -> None:
            assert self.session is not None
            seat = self.session.table.seats.seat_numbered(seat_number)
            self.session.put_answer_in_envelope(self.session.question_number, seat, answer)

        self.run(put_in_envelope)

    def offer_code(self, seat_number: int) -> str:
        """Offers a code for a seat; returns the address in it."""
        secret = self.run(lambda: self.phones.offer_code(seat_number)).code.secret
        fragment = base64.urlsafe_b64encode(secret).decode().rstrip("=")
        return f"{self.address}/seat/{seat_number}#{fragment}"

    @property
    def last_answer(self) -> Any:
        """The last answer of the log, as JSON."""

        def read() -> Any:
            assert self.session is not None
            answered = self.session.steps[-1]
            assert isinstance(answered, Answered)
            return answered.answer

        return self.run(read)

    @property
    def connection_numbers(self) -> frozenset[int]:
        """The numbers of all phones that are connected."""
        return self.run(lambda: frozenset(self._queues))

    def lose_connections(self, *, is_reachable: bool) -> None:
        """Ends all connections, and lets phones connect again or not."""

        def lose() -> None:
            self._is_reachable = is_reachable
            for queue in self._queues.values():
                queue.put_nowait(4000)

        self.run(lose)

    # The process of the games

    def _handle(self, message: AnyFromWeb) -> None:
        self.phones.handle(message, self.session)
        self._show()

    def _show(self) -> None:
        self.phones.show(self._table())

    def _table(self) -> PublicTable | None:
        if self.session is None:
            return None
        return PublicTable(
            self.session, make_view(self.session), self.session.question_number, clocks=self.clocks
        )

    def _send(self, message: AnyToWeb) -> None:
        match message:
            case SendToPhone(number, content):
                if number in self._queues:
                    self._queues[number].put_nowait(content)
            case ClosePhone(number, reason):
                if number in self._queues:
                    self._queues[number].put_nowait(CLOSE_CODES[reason])
            case PairingReply(request):
                self._replies.pop(request).set_result(message)
            case PublishTable(language, state):
                for watched, queue in self._watchers.values():
                    if watched == language:
                        queue.put_nowait(state)

    # The process that faces the network

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", lambda _: self._file("index.html")),
                Route("/table", lambda _: self._file("table.html")),
                Route("/seat/{seat:int}", lambda _: self._file("seat.html")),
                Route("/static/{name}", lambda request: self._file(request.path_params["name"])),
                Route("/texts/{language}.json", self._texts),
                Route("/seat/{seat:int}/pair/{step:int}", self._pair, methods=["POST"]),
                WebSocketRoute("/seat/{seat:int}/socket", self._seat_socket),
                WebSocketRoute("/table/socket", self._table_socket),
            ]
        )

    def _file(self, name: str) -> Response:
        path = NACL if name == "nacl.js" else STATIC_FOLDER / name
        if not path.is_file():
            return Response(status_code=404)
        return FileResponse(
            path,
            headers={
                "Content-Security-Policy": CONTENT_SECURITY_POLICY,
                "Cache-Control": "no-store",
                "Referrer-Policy": "no-referrer",
            },
        )

    def _texts(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in languages():
            return Response(status_code=404)
        return JSONResponse(texts.page_texts(language))

    async def _pair(self, request: Request) -> Response:
        seat, step, number = request.path_params["seat"], request.path_params["step"], next(self._numbers)
        self._replies[number] = reply = self._loop.create_future()
        self._handle(PairingPosted(number, seat, step, await request.body()))
        answer = await reply
        response = Response(answer.body, status_code=answer.status)
        if answer.cookie:
            response.set_cookie(
                f"seat{seat}", answer.cookie, path=f"/seat/{seat}", httponly=True, samesite="strict"
            )
        return response

    async def _seat_socket(self, web_socket: WebSocket) -> None:
        if not self._is_reachable:
            await web_socket.close()
            return
        await web_socket.accept()
        seat, number = web_socket.path_params["seat"], next(self._numbers)
        self._queues[number] = queue = asyncio.Queue[bytes | int]()
        sending = asyncio.create_task(self._send_from(queue, web_socket))
        try:
            hello = await web_socket.receive_bytes()
            self._handle(PhoneConnected(number, seat, web_socket.cookies.get(f"seat{seat}", ""), hello))
            while True:
                self._handle(PhoneSent(number, await web_socket.receive_bytes()))
        except WebSocketDisconnect:
            self._handle(PhoneGone(number))
        finally:
            del self._queues[number]
            sending.cancel()

    async def _send_from(self, queue: asyncio.Queue[bytes | int], web_socket: WebSocket) -> None:
        while True:
            item = await queue.get()
            if isinstance(item, int):
                await web_socket.close(item)
                return
            await web_socket.send_bytes(item)

    async def _table_socket(self, web_socket: WebSocket) -> None:
        await web_socket.accept()
        number, queue = next(self._numbers), asyncio.Queue[bytes]()
        self._watchers[number] = (web_socket.query_params["language"], queue)
        self._watch()

        async def send() -> None:
            while True:
                await web_socket.send_text((await queue.get()).decode())

        sending = asyncio.create_task(send())
        with suppress(WebSocketDisconnect):
            await web_socket.receive_bytes()
        del self._watchers[number]
        sending.cancel()
        self._watch()

    def _watch(self) -> None:
        self._handle(TableWatched(tuple(language for language, _ in self._watchers.values())))
