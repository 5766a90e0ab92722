"""The process that faces the network: a child of ours on a desktop, a service of its own on a Pi.

`ServiceWebProcess` is started and stopped by systemd, which also makes the socket of the link. A
`ChildWebProcess` belongs to the same user as the games, which separates less (docs/safety.md).
"""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from companion.errors import UserError
from companion.texts import say
from hardware.phones.link import WebLink

WEB_COMMAND = (str(Path(sys.executable).with_name("companion")), "web")
SYSTEMCTL_COMMAND = ("systemctl", "--no-ask-password", "--no-block")
WEB_UNIT = "companion-web.service"
WEB_USER = "companion-web"
SOCKET_NAME = "companion-web"
"""The name of the link's socket in companion-web.socket."""
FIRST_PASSED_FILE = 3
"""The number of the first file that systemd passes on."""
SYSTEMCTL_SECONDS = 10.0
"""After this time systemctl is killed."""


class ChildWebProcess:
    """The process as our child."""

    must_be_restarted_by_us = True

    def __init__(self, link: WebLink, command: Sequence[str]) -> None:
        self._link, self._command = link, command
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the child."""
        if not self._link.is_connected:
            self.stop()
            self.child = self._link.start_child_process(self._command)

    def stop(self) -> None:
        """Ends the child."""
        child, self.child = self.child, None
        if child is not None:
            with suppress(OSError):
                child.terminate()
            child.wait()


class ServiceWebProcess:
    """The process as a service of systemd; the link listens on the socket that systemd has made."""

    must_be_restarted_by_us = False

    def __init__(self, link: WebLink, listening: socket.socket) -> None:
        link.listen(listening, [pwd.getpwnam(WEB_USER).pw_uid])

    def start(self) -> None:
        """Starts the service."""
        if reason := _run_systemctl("start"):
            raise UserError(say("The pages for phones can't be started: {reason}", reason=reason))

    def stop(self) -> None:
        """Stops the service. A failure doesn't matter: nobody reads the link any more."""
        _run_systemctl("stop")


WebProcess: TypeAlias = ChildWebProcess | ServiceWebProcess
"""The process that faces the network, while phones are on."""


def _run_systemctl(verb: str) -> str:
    """Runs systemctl for the service; returns why it failed, or an empty text."""
    try:
        result = subprocess.run(  # noqa: S603 - the system's own program
            [*SYSTEMCTL_COMMAND, verb, WEB_UNIT],
            capture_output=True,
            text=True,
            timeout=SYSTEMCTL_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if result.returncode == 0 else result.stderr.strip() or f"systemctl: {result.returncode}"


def find_socket_of_systemd(environ: Mapping[str, str] = os.environ) -> socket.socket | None:
    """Returns the listening socket of the link, if systemd has passed one to this process."""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    names = environ.get("LISTEN_FDNAMES", "").split(":")
    for number, name in enumerate(names, FIRST_PASSED_FILE):
        if name == SOCKET_NAME:
            os.set_inheritable(number, False)
            return socket.socket(fileno=number)
    return None


def make_web_process(link: WebLink) -> WebProcess:
    """Returns the process for this machine: the service if systemd has passed its socket, else a child."""
    listening = find_socket_of_systemd()
    return ChildWebProcess(link, WEB_COMMAND) if listening is None else ServiceWebProcess(link, listening)
