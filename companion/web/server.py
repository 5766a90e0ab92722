"""The process that faces the network.

    run_server(listening_socket, Path("/run/companion/web"))

It has no access to games: it serves the pages, and passes messages on between browsers and the box, which it
can't read. Nothing about people is logged.
"""

from __future__ import annotations

import asyncio
import fcntl
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from uvicorn import Config, Server

from companion.errors import UserError
from companion.texts import say
from companion.web.app import Pages
from companion.web.box import BoxLink
from companion.web.connections import HttpConnection, WebSocketConnection
from companion.web.guard import MAX_HEAD_BYTES
from companion.web.link import MAX_ENCRYPTED_BYTES, WebListening
from companion.web.relay import Relay

PING_SECONDS = 7.0
"""The time between two pings, and the time for the answer: a phone that sleeps is noticed after the sum."""
KEEP_ALIVE_SECONDS = 5
"""How long a connection without a request stays open for the next one."""
STOP_SECONDS = 2
"""How long the process waits for browsers when it stops."""
GET_INTERFACE_ADDRESS = 0x8915
"""Linux's request SIOCGIFADDR: the IPv4 address of a network interface."""
INTERFACE_REQUEST = struct.Struct("16s2x2x4s16x")
"""What the request fills in: the interface's name, the kind of the address, its port, and the address."""


class Certificate(NamedTuple):
    """The files of the owner's certificate and of its private key."""

    certificate: Path
    key: Path


def run_server(
    listening: socket.socket, link: Path | socket.socket, certificate: Certificate | None = None
) -> None:
    """Serves browsers until the process is told to stop, or until a passed-on link ends.

    Raises `UserError` if a file that the pages need is missing, or if the certificate can't be used.
    """
    box = BoxLink(link)
    relay = Relay(box, lambda: _find_listening(listening))
    config = Config(
        Pages(relay).make_app(),
        http=HttpConnection,
        ws=WebSocketConnection,
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        ws_max_size=MAX_ENCRYPTED_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        ssl_certfile=certificate and certificate.certificate,
        ssl_keyfile=certificate and certificate.key,
    )
    try:
        config.load()
    except OSError as error:
        raise UserError(say("The certificate can't be used: {why}", why=str(error))) from error
    _Server(config, box, relay).run([listening])


class _Server(Server):
    """uvicorn's server without its timer, which would wake the processor ten times a second."""

    def __init__(self, config: Config, box: BoxLink, relay: Relay) -> None:
        super().__init__(config)
        self._box, self._relay = box, relay
        self._stop = asyncio.Event()

    async def main_loop(self) -> None:
        """Runs until the server is told to stop."""
        address, port = self.servers[0].sockets[0].getsockname()[:2]
        scheme = "https" if self.config.is_ssl else "http"
        print(f"Listening on {scheme}://{f'[{address}]' if ':' in address else address}:{port}", flush=True)  # noqa: T201 - for people and systemd
        work = [
            asyncio.create_task(each)
            for each in (self._box.run(self._relay), self._relay.tell_addresses(), self._stop.wait())
        ]
        done, others = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for task in others:
            task.cancel()
        await asyncio.gather(*done)  # raises what ended one of them

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops the server at the signals with which people and systemd stop a program."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop.set)
        yield


def _find_listening(listening: socket.socket) -> WebListening:
    """Returns the addresses of this machine at which browsers can connect."""
    bound, port = listening.getsockname()[:2]
    is_every_address = bound in {"0.0.0.0", "::"}  # noqa: S104 - it is compared only
    return WebListening(_find_machine_addresses() if is_every_address else (bound,), port)


def _find_machine_addresses() -> tuple[str, ...]:
    """Returns the IPv4 address of each network interface that has one, without the loopback."""
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex()[:16]:
            with suppress(OSError):  # the interface has no address
                request = INTERFACE_REQUEST.pack(name.encode(), bytes(4))
                _, address = INTERFACE_REQUEST.unpack(fcntl.ioctl(asking, GET_INTERFACE_ADDRESS, request))
                addresses.append(socket.inet_ntoa(address))
    return tuple(address for address in addresses if not ip_address(address).is_loopback)
