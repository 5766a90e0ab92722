"""The link between the process that holds the games and the one that faces the network: a Unix socket.

The process of the games treats everything that comes from the link as hostile: each message has one of the
types below and a limited size. Messages are msgpack, each after its length in four bytes.
"""

from __future__ import annotations

import socket
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

MAX_BYTES_FROM_WEB = 8 * 1024
"""The greatest length of a message from the process that faces the network."""
MAX_BYTES_TO_WEB = 1024 * 1024
"""The greatest length of a message to it."""
LENGTH_BYTES = 4

MAX_CONNECTIONS = 200
"""The most browsers that are connected at once."""
MAX_VIEWERS = 64
"""The most browsers that watch the table; the other connections are for phones of seats."""
MAX_PHONE_MESSAGE_BYTES = 4 * 1024
"""The length of every message of a phone, before it is encrypted."""
MAX_ENCRYPTED_BYTES = MAX_PHONE_MESSAGE_BYTES + 64
"""The greatest message of a browser."""
MAX_PAIRING_BYTES = 1024
"""The greatest body of a request of the pairing."""
MAX_COOKIE_CHARACTERS = 64
MAX_SEAT_NUMBER = 12

ConnectionNumber: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)]
"""A connection's number. The process that faces the network never uses a number twice."""
SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SEAT_NUMBER)]
LanguageCode: TypeAlias = Annotated[str, Meta(max_length=35)]
PhoneBytes: TypeAlias = Annotated[bytes, Meta(max_length=MAX_ENCRYPTED_BYTES)]


class FromWeb(msgspec.Struct, frozen=True, tag=True):
    """Something that a browser did."""


class WebListening(FromWeb, frozen=True):
    """Browsers can connect: at these addresses of the machine, without the loopback, at this port."""

    addresses: Annotated[tuple[Annotated[str, Meta(max_length=45)], ...], Meta(max_length=16)]
    port: Annotated[int, Meta(ge=1, le=65535)]


class PhoneConnected(FromWeb, frozen=True):
    """A browser with the cookie of a seat has connected; `hello` is its key for this connection."""

    connection: ConnectionNumber
    seat: SeatNumber
    cookie: Annotated[str, Meta(max_length=MAX_COOKIE_CHARACTERS)]
    hello: PhoneBytes


class PhoneSent(FromWeb, frozen=True):
    """A phone has sent an encrypted message."""

    connection: ConnectionNumber
    message: PhoneBytes


class PhoneGone(FromWeb, frozen=True):
    """A phone's connection has ended."""

    connection: ConnectionNumber


class PairingPosted(FromWeb, frozen=True):
    """A browser has posted a message of the pairing of a seat; `PairingReply` answers it."""

    request: ConnectionNumber
    seat: SeatNumber
    step: Annotated[int, Meta(ge=1, le=2)]
    body: Annotated[bytes, Meta(max_length=MAX_PAIRING_BYTES)]


class PairingAborted(FromWeb, frozen=True):
    """The browser doesn't wait for the reply to a request any more."""

    request: ConnectionNumber


class TableWatched(FromWeb, frozen=True):
    """In which languages browsers watch the table now."""

    languages: Annotated[tuple[LanguageCode, ...], Meta(max_length=MAX_VIEWERS)]


class ToWeb(msgspec.Struct, frozen=True, tag=True):
    """Something that the process which faces the network has to do."""


class SendToPhone(ToWeb, frozen=True):
    """Send an encrypted message to a phone."""

    connection: int
    message: bytes


class ClosePhone(ToWeb, frozen=True):
    """Close a phone's connection; `reason` is `unpaired`, `replaced` (by further tabs) or `error`."""

    connection: int
    reason: str


class PairingReply(ToWeb, frozen=True):
    """Reply to a request of the pairing; a cookie for the seat is set if it isn't empty."""

    request: int
    status: int
    body: bytes = b""
    seat: int = 0
    cookie: str = ""


class PublishTable(ToWeb, frozen=True):
    """Show the table as everybody may see it, as JSON, to all who watch it in a language."""

    language: str
    state: bytes


AnyFromWeb: TypeAlias = (
    WebListening | PhoneConnected | PhoneSent | PhoneGone | PairingPosted | PairingAborted | TableWatched
)
AnyToWeb: TypeAlias = SendToPhone | ClosePhone | PairingReply | PublishTable

_encoder = msgspec.msgpack.Encoder()
from_web_decoder: msgspec.msgpack.Decoder[AnyFromWeb] = msgspec.msgpack.Decoder(AnyFromWeb)
to_web_decoder: msgspec.msgpack.Decoder[AnyToWeb] = msgspec.msgpack.Decoder(AnyToWeb)


def encode(message: AnyFromWeb | AnyToWeb) -> bytes:
    """Returns the bytes of a message on the link, with their length before them."""
    content = _encoder.encode(message)
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


class LinkBroken(OSError):
    """The link has ended, or what came isn't a message."""


def receive_exactly(link: socket.socket, count: int) -> bytes:
    """Returns the next bytes of a link; raises `LinkBroken` at its end."""
    parts: list[bytes] = []
    while count:
        part = link.recv(min(count, 65536))
        if not part:
            raise LinkBroken
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive_from_web(link: socket.socket) -> AnyFromWeb:
    """Returns the next message from the process that faces the network.

    Raises `LinkBroken` at the end of the link and for anything that isn't a message.
    """
    length = int.from_bytes(receive_exactly(link, LENGTH_BYTES), "big")
    if length > MAX_BYTES_FROM_WEB:
        raise LinkBroken
    try:
        return from_web_decoder.decode(receive_exactly(link, length))
    except msgspec.DecodeError as error:
        raise LinkBroken from error
