"""A phone in the hotspot of a machine that boots: it joins, and prints what it finds there.

    unshare --net python -m tests.support.hotspot_guest

Prints a line when its network is there. Then somebody gives it the interface `phone`, and writes a line with
what it asks for, `Wishes` as JSON. It prints `Answers`.
"""

from __future__ import annotations

import http.client
import subprocess
import sys

import msgspec
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.support.hotspot_phone import PHONE, ask_for_address, ask_for_name

TIMEOUT_SECONDS = 20.0


class Wishes(msgspec.Struct):
    """What a phone asks for: names, pages by host and path, and a WebSocket."""

    names: list[str]
    pages: list[tuple[str, str]]
    websocket: str


class Answers(msgspec.Struct):
    """What it found: the status and the content of each page, in the order of the wishes."""

    offered: str
    options: dict[int, str]
    names: dict[str, str]
    pages: list[tuple[int, str]]
    message: str


def main() -> None:
    """Joins and asks."""
    print("here", flush=True)
    wishes = msgspec.json.decode(sys.stdin.readline(), type=Wishes)
    set_up_network("link", "set", PHONE, "up")
    offered, options = ask_for_address()
    server = options[6]
    set_up_network("address", "add", f"{offered}/24", "dev", PHONE)
    answers = Answers(
        offered,
        options,
        {name: ask_for_name(server, name) for name in wishes.names},
        [ask_for_page(server, *page) for page in wishes.pages],
        ask_for_message(wishes.websocket),
    )
    print(msgspec.json.encode(answers).decode())


def set_up_network(*words: str) -> None:
    """Runs `ip`."""
    subprocess.run(["ip", *words], check=True)


def ask_for_page(server: str, host: str, path: str) -> tuple[int, str]:
    """Returns the status and the content of a page; the host is a name, or an address with port."""
    name, _, port = host.partition(":")
    address = name if name == server else ask_for_name(server, name)
    connection = http.client.HTTPConnection(address, int(port or 80), timeout=TIMEOUT_SECONDS)
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    return response.status, response.read().decode()


def ask_for_message(address: str) -> str:
    """Returns the first message of a WebSocket at an address without scheme."""
    origin = Origin(f"http://{address.partition('/')[0]}")
    with connect(f"ws://{address}", origin=origin, compression=None, proxy=None) as websocket:
        return str(websocket.recv(TIMEOUT_SECONDS))


if __name__ == "__main__":
    main()
