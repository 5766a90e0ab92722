"""Connections from the network, with limits to their number, their time and what waits in memory for them.

uvicorn's protocols wait without end for a request and for a browser that doesn't read.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio import TimerHandle
from typing import Any

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from companion.web.link import MAX_CONNECTIONS

REQUEST_SECONDS = 10.0
"""How long a browser may take to send the head of a request."""
RESPONSE_SECONDS = 90.0
"""How long a request may take in all: for pairing, people compare two digits first."""
UNREAD_SECONDS = 15.0
"""How long the kernel waits for a browser that receives nothing, such as a phone that went away."""
CLOSING_SECONDS = 5.0
"""How long a closed WebSocket may take to read what was sent."""
MAX_FRAGMENTS = 16
"""The most fragments of a message."""
MAX_UNHANDLED_MESSAGES = 128
"""The most messages of a browser that wait; of phones' messages fewer come at once."""
TOO_MANY_CONNECTIONS = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 20\r\nConnection: close\r\n\r\nToo many connections"
)


class HttpConnection(H11Protocol):
    """A connection before it is a WebSocket."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Starts the time for the first request; makes room if there are too many connections."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(UNREAD_SECONDS * 1000)
        )
        self._made_at = self.loop.time()
        self._timed_request: Any = None
        self._deadline: TimerHandle | None = None
        self._time_request()
        if len(self.connections) > MAX_CONNECTIONS:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the time for a request."""
        self._stop_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads part of a request."""
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._time_request()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Ends the time for a request: a WebSocket may stay."""
        self._stop_time()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Ends the time for a request."""
        self._stop_time()
        super().on_response_complete()
        if self._is_busy:  # the next request was here already
            self._time_request()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no request; ends the connection if that comes behind a good one, or inside it."""
        if self._is_busy:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self._is_busy or self.conn.our_state is not h11.IDLE:
            self.transport.abort()
        else:
            super().send_400_response(msg)

    @property
    def _is_busy(self) -> bool:
        """True while a request is answered."""
        cycle: RequestResponseCycle | None = (
            self.cycle
        )  # uvicorn's type leaves out that there is none at first
        return cycle is not None and not cycle.response_complete

    def _time_request(self) -> None:
        """Gives each request its time once, however many parts it comes in."""
        timed: Any = self.cycle if self._is_busy else "head"
        if self._deadline is None or self._timed_request is not timed:
            self._stop_time()
            seconds = RESPONSE_SECONDS if self._is_busy else REQUEST_SECONDS
            self._timed_request = timed
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _stop_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _make_room(self) -> None:
        """Drops the connection that has waited longest without a request, or refuses this one."""
        idle = [
            each
            for each in self.connections
            if isinstance(each, HttpConnection) and each is not self and not each._is_busy  # noqa: SLF001 - another of its class
        ]
        if idle:
            min(idle, key=lambda each: each._made_at).transport.abort()  # noqa: SLF001 - another of its class
        else:
            self.transport.write(TOO_MANY_CONNECTIONS)
            self.transport.close()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket. Phones send binary messages, and browsers that watch the table send none."""

    def handle_connect(self, event: Request) -> None:
        """Lets the application end the connection without waiting for the browser."""
        super().handle_connect(event)
        if self.response.status_code == 101:  # noqa: PLR2004 - switching protocols
            self.scope["state"]["abort"] = self.transport.abort

    def handle_text(self, event: Frame) -> None:  # noqa: ARG002 - uvicorn calls it
        """Refuses a message of text."""
        self._refuse(CloseCode.UNSUPPORTED_DATA)

    def handle_bytes(self, event: Frame) -> None:
        """Reads a message, unless too many wait."""
        if self.queue.qsize() < MAX_UNHANDLED_MESSAGES:
            super().handle_bytes(event)
        else:
            self._refuse(CloseCode.POLICY_VIOLATION)

    def handle_cont(self, event: Frame) -> None:
        """Reads the next fragment of a message, unless they are too many."""
        if len(self.frames) < MAX_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._refuse(CloseCode.MESSAGE_TOO_BIG)

    def handle_ping(self) -> None:
        """Answers a ping, unless the browser doesn't read the answers."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    async def send(self, message: ASGISendEvent) -> None:
        """Sends a message of the application; uvicorn forgets that a refusal ends the handshake."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Ends the connection, even if the browser doesn't read what was sent."""
        super().on_task_complete(task)
        self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def _refuse(self, code: CloseCode) -> None:
        if not self.close_sent:
            self.conn.send_close(code)
            self.handle_parser_exception()
