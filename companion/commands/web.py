"""The subcommand `web`: serves the pages on which phones play and browsers watch the table."""

from __future__ import annotations

import socket
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from companion.errors import UserError
from companion.subcommand import Subcommand
from companion.systemd_sockets import find_socket_of_systemd
from companion.texts import say

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104 - phones are elsewhere
DEFAULT_PORT, MAX_PORT = 8080, 65535
LISTENING_BACKLOG = 128
PROBES_SOCKET_NAME = "companion-probes"
"""The name of the socket in companion-probes.socket, at which phones in the hotspot ask for the internet."""


def _serve(args: Namespace) -> int:
    from companion.web.server import Certificate, run_server

    if (args.certificate is None) != (args.key is None):
        raise UserError(say("A certificate needs its key: give both --certificate and --key."))
    certificate = None if args.certificate is None else Certificate(args.certificate, args.key)
    link = args.link if args.link_fd is None else _passed_on_socket(args.link_fd)
    with _listening_socket(args) as listening:
        run_server(listening, link, certificate, find_socket_of_systemd(PROBES_SOCKET_NAME))
    return 0


def _listening_socket(args: Namespace) -> socket.socket:
    if args.fd is not None:
        return _passed_on_socket(args.fd)
    family = socket.AF_INET6 if ":" in args.host else socket.AF_INET
    try:
        return socket.create_server((args.host, args.port), family=family, backlog=LISTENING_BACKLOG)
    except OSError as error:
        text = "The pages can't be served on {host}, port {port}: {why}"
        raise UserError(say(text, host=args.host, port=str(args.port), why=str(error))) from error


def _passed_on_socket(number: int) -> socket.socket:
    try:
        return socket.socket(fileno=number)
    except (OSError, OverflowError, ValueError) as error:
        raise UserError(say("No socket was passed on with number {number}.", number=str(number))) from error


def _parse_port(word: str) -> int:
    port = int(word)
    if not 0 <= port <= MAX_PORT:
        raise ArgumentTypeError(f"a port is a number from 0 to {MAX_PORT}, not {word}")
    return port


def _add_arguments(parser: ArgumentParser) -> None:
    link = parser.add_mutually_exclusive_group(required=True)
    link.add_argument(
        "--link", type=Path, metavar="PATH", help="the socket of the process that holds the games"
    )
    link.add_argument(
        "--link-fd", type=int, metavar="N", help="an open socket that leads to this process, by its number"
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default=ALL_ADDRESSES,
        help="the address to listen on (default: all)",
    )
    parser.add_argument(
        "--port",
        type=_parse_port,
        metavar="N",
        default=DEFAULT_PORT,
        help=f"the port (default: {DEFAULT_PORT})",
    )
    parser.add_argument(
        "--fd", type=int, metavar="N", help="a listening socket that was passed on, by its number"
    )
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="your own certificate, for https")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the key of your certificate")


WEB = Subcommand(
    "Serve the pages for phones and for browsers that watch the table; the screen starts this itself.",
    _add_arguments,
    _serve,
    ("companion web --link /run/companion/web.socket",),
)
