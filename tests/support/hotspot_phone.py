"""Runs a server of addresses in a private network, asks it as a phone does, and prints its answers.

    unshare --net --map-user=1000 --map-group=1000 --keep-caps python hotspot_phone.py ADDRESS COMMAND...

ADDRESS is the server's address. As in a hotspot, its interface gets the address after the server was started.
The answers are JSON: the address that the phone is offered, the options of DHCP by number, and addresses of
the names in the standard input.
"""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator

PHONE = "phone"
PHONE_MAC = bytes.fromhex("020000000001")
IPV4 = 0x0800
WAIT_SECONDS = 0.5
TRIES = 40
WANTED_OPTIONS = bytes([1, 3, 6, 114])
MAGIC = bytes.fromhex("63825363")


def main(address: str, *command: str) -> None:
    """Starts the server, then its interface, and asks."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            next(line for line in server.stderr if "started" in line)
            make_interfaces(address)
            offered, options = ask_for_address()
            names = {name: ask_for_name(address, name) for name in sys.stdin.read().split()}
            print(json.dumps({"offered": offered, "options": options, "names": names}))
        finally:
            server.terminate()


def make_interfaces(address: str) -> None:
    """Makes a cable with the server's interface at one end, and the phone's at the other."""
    for words in (
        f"link add hotspot type veth peer name {PHONE} address {PHONE_MAC.hex(':')}",
        f"address add {address}/24 dev hotspot",
        "link set hotspot up",
        f"link set {PHONE} up",
        "link set lo up",
    ):
        subprocess.run(["ip", *words.split()], check=True)


def ask_for_address() -> tuple[str, dict[int, str]]:
    """Asks until an address is offered, as the interface takes a moment; returns it and the options."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(IPV4)) as cable:
        cable.bind((PHONE, IPV4))
        cable.settimeout(WAIT_SECONDS)
        for _ in range(TRIES):
            cable.send(discovery())
            try:
                offer = next(
                    packet for packet in iter(lambda: cable.recv(2000), b"") if is_from_server(packet)
                )
            except TimeoutError:
                continue
            message = offer[42:]
            return socket.inet_ntoa(message[16:20]), dict(read_options(message[240:]))
    raise TimeoutError


def discovery() -> bytes:
    """Returns a packet to everybody that asks for an address."""
    message = struct.pack("!BBBB4sHHIIII", 1, 1, 6, 0, b"test", 0, 0x8000, 0, 0, 0, 0) + PHONE_MAC.ljust(
        208, b"\0"
    )
    options = bytes([53, 1, 1, 55, len(WANTED_OPTIONS), *WANTED_OPTIONS, 255])
    datagram = message + MAGIC + options
    datagram = struct.pack("!HHHH", 68, 67, 8 + len(datagram), 0) + datagram
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0, bytes(4), b"\xff" * 4)
    total = sum(struct.unpack("!10H", header))
    checksum = ~(total + (total >> 16)) & 0xFFFF
    header = header[:10] + struct.pack("!H", checksum) + header[12:]
    return b"\xff" * 6 + PHONE_MAC + struct.pack("!H", IPV4) + header + datagram


def is_from_server(packet: bytes) -> bool:
    """Returns whether a packet is an answer of a server of addresses."""
    return packet[23] == socket.IPPROTO_UDP and packet[34:36] == struct.pack("!H", 67)


def read_options(data: bytes) -> Iterator[tuple[int, str]]:
    """Returns the options: addresses as people write them, texts as they are."""
    while data[0] != 255:
        number, length, data = data[0], data[1], data[2:]
        value, data = data[:length], data[length:]
        yield number, value.decode() if length > 4 else socket.inet_ntoa(value.rjust(4, b"\0"))


def ask_for_name(server: str, name: str) -> str:
    """Returns the address of a name, or why there is none: a number of DNS."""
    question = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as phone:
        phone.settimeout(WAIT_SECONDS * TRIES)
        phone.connect((server, 53))
        phone.send(struct.pack("!6H", 1, 0x100, 1, 0, 0, 0) + question + struct.pack("!BHH", 0, 1, 1))
        answer = phone.recv(2000)
    problem, count = answer[3] & 15, answer[7]
    return socket.inet_ntoa(answer[-4:]) if count else f"problem {problem}"


if __name__ == "__main__":
    main(*sys.argv[1:])
