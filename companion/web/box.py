"""The web process's end of the link to the box, the process that holds the games."""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.web.link import (
    LENGTH_BYTES,
    MAX_BYTES_TO_WEB,
    AnyFromWeb,
    AnyToWeb,
    LinkBroken,
    encode,
    to_web_decoder,
)

RECONNECT_SECONDS = 0.5
"""The pause before the web process tries again to reach a box that isn't there."""


class BoxListener(ABC):
    """What hears from the box."""

    @abstractmethod
    def box_connected(self) -> None:
        """The link is there; what was told to an earlier box isn't known to this one."""

    @abstractmethod
    def handle(self, message: AnyToWeb) -> None:
        """A message has come from the box."""

    @abstractmethod
    def box_lost(self) -> None:
        """The link has ended."""


class BoxLink:
    """The link to the box: over the socket at a path, or over an open socket that the box has passed on."""

    def __init__(self, link: Path | socket.socket) -> None:
        self._link = link
        self._writer: asyncio.StreamWriter | None = None

    @property
    def is_connected(self) -> bool:
        """True while the box can be reached."""
        return self._writer is not None

    async def run(self, listener: BoxListener) -> None:
        """Passes messages of the box to the listener.

        Connects again whenever the box restarts. Over a socket that the box has passed on, returns at its
        end: the box has ended, or wants another web process.
        """
        while True:
            with suppress(OSError, EOFError):
                await self._run_once(listener)
            if isinstance(self._link, socket.socket):
                return
            await asyncio.sleep(RECONNECT_SECONDS)

    def send(self, message: AnyFromWeb) -> None:
        """Sends a message that is too rare to fill the link; without a link, it is dropped."""
        if self._writer is not None:
            self._writer.write(encode(message))

    async def send_when_possible(self, message: AnyFromWeb) -> None:
        """Sends a message, and waits while the box doesn't read."""
        writer = self._writer
        if writer is not None:
            writer.write(encode(message))
            with suppress(OSError):
                await writer.drain()

    async def _run_once(self, listener: BoxListener) -> None:
        if isinstance(self._link, socket.socket):
            reader, writer = await asyncio.open_unix_connection(sock=self._link)
        else:
            reader, writer = await asyncio.open_unix_connection(self._link)
        self._writer = writer
        try:
            listener.box_connected()
            await _receive_all(reader, listener.handle)
        finally:
            self._writer = None
            writer.transport.abort()
            listener.box_lost()


async def _receive_all(reader: asyncio.StreamReader, handle: Callable[[AnyToWeb], None]) -> None:
    """Handles all messages; raises `LinkBroken` or EOFError at the end of the link."""
    while True:
        length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
        if length > MAX_BYTES_TO_WEB:
            raise LinkBroken
        try:
            message = to_web_decoder.decode(await reader.readexactly(length))
        except msgspec.DecodeError as error:
            raise LinkBroken from error
        handle(message)
        await asyncio.sleep(0)  # browsers send what they got, before the next messages fill their queues
