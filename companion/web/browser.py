"""A browser that is connected by a WebSocket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.websockets import WebSocket, WebSocketDisconnect

MAX_WAITING_MESSAGES, MAX_WAITING_BYTES = 64, 1024 * 1024
"""How much waits for a browser that reads slowly; one that lets more wait is dropped, and connects again."""
SEND_SECONDS = 10.0
"""How long a browser may take to read one message."""


class Browser:
    """Sends messages to one browser in order, and drops a browser that doesn't read them."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waiting: deque[bytes | str] = deque()
        self._waiting_bytes = 0
        self._close_code: int | None = None
        self._has_work = asyncio.Event()

    def send(self, message: bytes | str) -> None:
        """Sends a message as soon as the browser has read the earlier ones."""
        if self._close_code is not None:
            return
        self._waiting.append(message)
        self._waiting_bytes += len(message)
        if len(self._waiting) > MAX_WAITING_MESSAGES or (
            self._waiting_bytes > MAX_WAITING_BYTES and len(self._waiting) > 1
        ):
            self.drop()
        self._has_work.set()

    def close(self, code: int) -> None:
        """Closes the connection after the messages that wait."""
        if self._close_code is None:
            self._close_code = code
        self._has_work.set()

    def drop(self) -> None:
        """Ends the connection at once."""
        self._waiting.clear()
        self._websocket.state.abort()

    async def receive(self) -> bytes | None:
        """Returns the next message of the browser; None at the end of the connection."""
        message = await self._websocket.receive()
        content: bytes | None = message.get("bytes")
        return content

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Sends what is to be sent during the block; after `close`, also what still waits at its end."""
        sender = asyncio.create_task(self._send_all())
        try:
            yield
        finally:
            if self._close_code is None:
                sender.cancel()
            await asyncio.wait({sender}, timeout=SEND_SECONDS)
            sender.cancel()

    async def _send_all(self) -> None:
        try:
            while True:
                await self._has_work.wait()
                self._has_work.clear()
                while self._waiting:
                    message = self._waiting.popleft()
                    self._waiting_bytes -= len(message)
                    async with asyncio.timeout(SEND_SECONDS):
                        await self._send(message)
                if self._close_code is not None:
                    async with asyncio.timeout(SEND_SECONDS):
                        await self._websocket.close(self._close_code)
                    return
        except TimeoutError:
            self.drop()
        except WebSocketDisconnect:
            return

    async def _send(self, message: bytes | str) -> None:
        if isinstance(message, str):
            await self._websocket.send_text(message)
        else:
            await self._websocket.send_bytes(message)
