"""Sockets that systemd has opened for this process, as the .socket units of its service say."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

FIRST_PASSED_FILE = 3
"""The number of the first file that systemd passes on."""


def find_socket_of_systemd(name: str, environ: Mapping[str, str] = os.environ) -> socket.socket | None:
    """Returns the socket with this `FileDescriptorName`, if systemd has passed it to this process."""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    names = environ.get("LISTEN_FDNAMES", "").split(":")
    for number, each in enumerate(names, FIRST_PASSED_FILE):
        if each == name:
            os.set_inheritable(number, False)
            return socket.socket(fileno=number)
    return None
