"""Frames of WebSockets as they come from a server, byte by byte and without a library's own replies."""

from __future__ import annotations

import socket

OPCODE_BITS, MEDIUM, LONG = 0x0F, 126, 127
"""The bits of a frame's kind in its first byte, and what stands for a length of two or eight bytes."""


def receive_exactly(connection: socket.socket, count: int) -> bytes:
    """Waits for this number of bytes."""
    content = b""
    while len(content) < count:
        part = connection.recv(count - len(content))
        assert part, "the connection has ended"
        content += part
    return content


def receive_frame(connection: socket.socket) -> tuple[int, bytes]:
    """Waits for the next frame; returns its first byte and its content."""
    first, length = receive_exactly(connection, 2)
    if length >= MEDIUM:
        length = int.from_bytes(receive_exactly(connection, 8 if length == LONG else 2), "big")
    return first, receive_exactly(connection, length)
