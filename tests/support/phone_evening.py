"""An evening on phones with all its processes: the box, `companion web`, and a network between it and phones.

    with PhoneEvening(directory, "sealed_bid", "Aki", "Ben") as evening:
        phone = evening.pair(1, evening.network.connect).open_page()
        evening.kill_box()
        evening.repair()
        phone.reconnect()

Each process can be killed, and the network dropped, from another thread.
"""

from __future__ import annotations

import select
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from tests.support.web_phone import WebPhone
from tests.support.web_process import TIMEOUT_SECONDS, WebProcess

RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which closing a connection resets it."""


class DroppingNetwork:
    """Passes bytes on between phones and the web process; `drop` resets all connections."""

    def __init__(self, web_address: tuple[str, int]) -> None:
        self._web_address = web_address
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._wakes, self._wake = socket.socketpair()
        self._thread = threading.Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def connect(self) -> socket.socket:
        """Returns a connection with the web process."""
        return socket.create_connection(self._listening.getsockname(), TIMEOUT_SECONDS)

    def drop(self) -> None:
        """Resets all connections, and what is under way is lost."""
        self._wake.send(b"d")

    def close(self) -> None:
        """Ends all connections."""
        self._wake.send(b"e")
        self._thread.join()
        for each in (self._listening, self._wakes, self._wake):
            each.close()

    def _pass_on(self) -> None:
        other_ends: dict[socket.socket, socket.socket] = {}
        while True:
            readable, _, _ = select.select([self._wakes, self._listening, *other_ends], [], [])
            for each in readable:
                if each is self._wakes:
                    must_end = self._wakes.recv(1) == b"e"
                    for end in other_ends:
                        _reset(end)
                    other_ends.clear()
                    if must_end:
                        return
                    break
                if each is self._listening:
                    phone, _ = self._listening.accept()
                    try:
                        web = socket.create_connection(self._web_address, TIMEOUT_SECONDS)
                    except OSError:
                        _reset(phone)
                        continue
                    other_ends |= {phone: web, web: phone}
                elif each in other_ends:
                    _pass_on_or_reset(each, other_ends)


def _pass_on_or_reset(end: socket.socket, other_ends: dict[socket.socket, socket.socket]) -> None:
    content = b""
    with suppress(OSError):
        content = end.recv(65536)
        other_ends[end].sendall(content)
    if not content:
        other = other_ends.pop(end)
        del other_ends[other]
        _reset(end)
        _reset(other)


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
    connection.close()


class PhoneEvening:
    """A game whose box and web process are children of the test."""

    def __init__(self, directory: Path, game: str, *names: str) -> None:
        self.state = directory / "state"
        self._link_path = directory / "link"
        self._game, self._names = game, names
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._listening = self._open.enter_context(socket.socket(socket.AF_UNIX))
        self._listening.bind(str(self._link_path))
        self._listening.listen()
        self._box = self._start_box()
        self._web = WebProcess(self._link_path)
        self.network = DroppingNetwork((self._web.address, self._web.port))
        self._open.callback(self.network.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self.kill_web()
        self.kill_box()
        for process in (self._web.process, self._box):
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

    def _start_box(self) -> subprocess.Popen[str]:
        arguments = [str(self.state), str(self._listening.fileno()), self._game, *self._names]
        return subprocess.Popen(
            [sys.executable, "-m", "tests.support.phone_box", *arguments],
            pass_fds=[self._listening.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def web(self) -> WebProcess:
        """The web process."""
        return self._web

    def kill_web(self) -> None:
        """Kills the process that faces the network."""
        self._web.process.kill()
        self._web.process.wait()

    def kill_box(self) -> None:
        """Kills the process that holds the game."""
        self._box.kill()
        self._box.wait()

    def repair(self) -> None:
        """Starts what was killed again, as systemd does."""
        if self._box.poll() is not None:
            self._box.communicate()
            self._box = self._start_box()
        if self._web.process.poll() is not None:
            self._web.process.communicate()
            self._web = WebProcess(self._link_path, port=self._web.port)

    def stop(self) -> tuple[int, str, int, str]:
        """Ends both processes as systemd does; returns the status of each, and what it has printed."""
        _, box_errors = self._box.communicate(timeout=TIMEOUT_SECONDS)  # its input ends
        return *self._web.stop(), self._box.returncode, box_errors

    def offer_code(self, seat_number: int) -> str:
        """Returns the address in a new QR code; the box confirms the digits of the phone that uses it."""
        assert self._box.stdin is not None
        assert self._box.stdout is not None
        self._box.stdin.write(f"{seat_number}\n")
        self._box.stdin.flush()
        assert select.select([self._box.stdout], [], [], TIMEOUT_SECONDS)[0], "no code comes"
        return self._box.stdout.readline().strip()

    def pair(self, seat_number: int, connect_to_host: Callable[[], socket.socket] | None = None) -> WebPhone:
        """Pairs a phone; `connect_to_host` is `network.connect` for one whose connection can be dropped."""
        phone = WebPhone(self.offer_code(seat_number), connect_to_host)
        phone.redeem()
        assert phone.await_confirmation() == 200
        return phone
