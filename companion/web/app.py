"""The pages, the requests of the pairing, and the two WebSockets, as docs/web.md describes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from companion.web.browser import Browser
from companion.web.guard import SECURE_SCHEMES, Guard
from companion.web.link import MAX_COOKIE_CHARACTERS, MAX_PAIRING_BYTES, MAX_SEAT_NUMBER
from companion.web.rates import Rate, RateLimit
from companion.web.relay import UNPAIRED_CODE, Relay
from companion.web.static_files import StaticFile, read_static_files
from companion.web.texts import choose_language, page_texts

SEAT_BY_WORD = {str(number): number for number in range(1, MAX_SEAT_NUMBER + 1)}
PAIRING_STEPS = {"1": 1, "2": 2}
BODY_SECONDS = 10.0
"""How long a browser may take to send the body of a request, or the first message of a WebSocket."""
COOKIE_SECONDS = 12 * 60 * 60
"""How long a browser keeps the cookie of a seat: an evening."""
POSTS_OF_ADDRESS, POSTS_OF_ALL = Rate(30, 0.5), Rate(60, 2)
"""Pairing needs two requests for each seat; people pair all seats of a table in a few minutes."""
SOCKETS_OF_ADDRESS, SOCKETS_OF_ALL = Rate(100, 5), Rate(400, 20)
"""After a restart of the box all browsers connect again at once."""
UNSUPPORTED_CODE = 1003
"""The code that closes the connection of a viewer who sends something."""


class Pages:
    """Answers requests with pages, and connects browsers with the relay."""

    def __init__(self, relay: Relay) -> None:
        self._relay, self._files = relay, read_static_files()
        self._posts = RateLimit(POSTS_OF_ADDRESS, POSTS_OF_ALL)
        self._sockets = RateLimit(SOCKETS_OF_ADDRESS, SOCKETS_OF_ALL)

    def make_app(self) -> ASGIApp:
        """Returns the application with all addresses."""
        routes = [
            Route("/", self._page("index.html")),
            Route("/table", self._page("table.html")),
            Route("/seat/{seat}", self._seat_page),
            Route("/seat/{seat}/pair/{step}", self._pair, methods=["POST"]),
            Route("/static/{name}", self._static_file),
            Route("/texts", self._texts),
            WebSocketRoute("/seat/{seat}/socket", self._seat_socket),
            WebSocketRoute("/table/socket", self._table_socket),
        ]
        return Guard(Router(routes, redirect_slashes=False))

    # Pages

    def _page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            return _file_response(self._files[name], request)

        return respond

    async def _seat_page(self, request: Request) -> Response:
        if request.path_params["seat"] not in SEAT_BY_WORD:
            return _not_found()
        return _file_response(self._files["seat.html"], request)

    async def _static_file(self, request: Request) -> Response:
        file = self._files.get(request.path_params["name"])
        return _not_found() if file is None else _file_response(file, request)

    async def _texts(self, request: Request) -> Response:
        language = choose_language(request.query_params.get("languages", ""))
        return Response(_texts_as_json(language), media_type="application/json")

    # Pairing

    async def _pair(self, request: Request) -> Response:
        seat = SEAT_BY_WORD.get(request.path_params["seat"])
        step = PAIRING_STEPS.get(request.path_params["step"])
        if seat is None or step is None:
            return _not_found()
        if not self._posts.allows(_address(request)):
            return PlainTextResponse("Too many requests", 429)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read_body(request)
        except (ClientDisconnect, TimeoutError):
            return PlainTextResponse("Too slow", 408)
        if body is None:
            return PlainTextResponse("Too long", 413)
        gone = asyncio.ensure_future(_wait_until_gone(request))
        try:
            reply = await self._relay.pair(seat, step, body, gone)
        finally:
            gone.cancel()
        if reply is None:
            return PlainTextResponse("The box can't be reached", 503)
        response = Response(reply.body, reply.status, media_type="application/octet-stream")
        if reply.cookie:
            response.set_cookie(
                "seat",
                reply.cookie,
                max_age=COOKIE_SECONDS,
                path=f"/seat/{seat}",
                secure=request.scope["scheme"] in SECURE_SCHEMES,
                httponly=True,
                samesite="strict",
            )
        return response

    # WebSockets

    async def _seat_socket(self, websocket: WebSocket) -> None:
        seat = SEAT_BY_WORD.get(websocket.path_params["seat"])
        if seat is None:
            await websocket.send_denial_response(_not_found())
            return
        if not await self._accepts(websocket):
            return
        cookie = websocket.cookies.get("seat", "")
        await websocket.accept()
        phone = Browser(websocket)
        async with phone.sending():
            if not 0 < len(cookie) <= MAX_COOKIE_CHARACTERS:
                phone.close(UNPAIRED_CODE)
                return
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    hello = await phone.receive()
            except TimeoutError:
                hello = None
            if hello is not None:
                await self._relay.run_phone(phone, seat, cookie, hello)

    async def _table_socket(self, websocket: WebSocket) -> None:
        if not await self._accepts(websocket):
            return
        language = choose_language(websocket.query_params.get("languages", ""))
        viewer = Browser(websocket)
        with self._relay.viewing(viewer, language) as has_place:
            if not has_place:
                await websocket.send_denial_response(PlainTextResponse("Too many watch the table", 503))
                return
            await websocket.accept()
            async with viewer.sending():
                if await viewer.receive() is not None:
                    viewer.close(UNSUPPORTED_CODE)

    async def _accepts(self, websocket: WebSocket) -> bool:
        """Returns whether a browser may connect now; otherwise tells it why not."""
        response = None
        if not self._relay.is_box_connected:
            response = PlainTextResponse("The box can't be reached", 503)
        elif not self._sockets.allows(_address(websocket)):
            response = PlainTextResponse("Too many requests", 429)
        if response is not None:
            await websocket.send_denial_response(response)
        return response is None


@cache
def _texts_as_json(language: str) -> bytes:
    return msgspec.json.encode({"language": language, "texts": page_texts(language)})


def _address(connection: Request | WebSocket) -> str:
    return "" if connection.client is None else connection.client.host


def _not_found() -> Response:
    return PlainTextResponse("Not found", 404)


def _file_response(file: StaticFile, request: Request) -> Response:
    headers = {"Vary": "Accept-Encoding"}
    if file.compressed is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(file.compressed, headers=headers, media_type=file.media_type)
    return Response(file.content, headers=headers, media_type=file.media_type)


async def _read_body(request: Request) -> bytes | None:
    """Returns the body of a request; None if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_PAIRING_BYTES:
            return None
    return body


async def _wait_until_gone(request: Request) -> None:
    """Returns when the browser doesn't wait for the response any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
