"""What every request must pass, and what every response says to the browser about its limits.

A request must name the address at which it arrived, so a foreign name that points to this address (DNS
rebinding) gets nothing. Whatever changes something must come from a page of this address.
"""

from __future__ import annotations

import ipaddress
import socket

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

MAX_HEAD_BYTES = 16 * 1024
"""The greatest head of a request."""
METHODS = ("GET", "HEAD", "POST")
SECURE_SCHEMES = ("https", "wss")
DEFAULT_PORT_BY_SCHEME = {"http": 80, "ws": 80, "https": 443, "wss": 443}
RESPONSE_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
SECURE_RESPONSE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Headers for https only: over http browsers ignore them, and log an error for each page."""
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "media-src 'self'; manifest-src 'self'; connect-src {connect_sources}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class Guard:
    """An ASGI application that passes only requests on which are meant for this address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._host_name = app, socket.gethostname().partition(".")[0].lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        response = self._refusal(scope)
        send = _add_headers(scope, send, "'none'" if response else _connect_sources(scope))
        if response is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if _head_bytes(scope) > MAX_HEAD_BYTES:
            return PlainTextResponse("Too long", 431)
        headers = Headers(scope=scope)
        changes_something = scope["type"] == "websocket" or scope["method"] == "POST"
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if not changes_something and scope["method"] not in METHODS:
            return PlainTextResponse("Method not allowed", 405, {"Allow": ", ".join(METHODS)})
        if len(hosts) != 1 or hosts[0].lower() not in self._own_hosts(scope):
            return PlainTextResponse("This isn't the address of this page", 421)
        if changes_something and (len(origins) != 1 or origins[0].lower() != _own_origin(scope, hosts[0])):
            return PlainTextResponse("Not from this page", 403)
        return None

    def _own_hosts(self, scope: Scope) -> set[str]:
        """Returns what `Host` may be on this connection."""
        address, port = scope["server"]
        ip = ipaddress.ip_address(address)
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        names = {str(ip) if ip.version == 4 else f"[{ip}]", f"{self._host_name}.local"}  # noqa: PLR2004 - IPv4
        if ip.is_loopback:
            names.add("localhost")
        hosts = {f"{name}:{port}" for name in names}
        return hosts | names if port == DEFAULT_PORT_BY_SCHEME[scope["scheme"]] else hosts


def _head_bytes(scope: Scope) -> int:
    parts = (
        scope["raw_path"],
        scope["query_string"],
        *(part for header in scope["headers"] for part in header),
    )
    return sum(map(len, parts))


def _own_origin(scope: Scope, host: str) -> str:
    return f"{'https' if scope['scheme'] in SECURE_SCHEMES else 'http'}://{host.lower()}"


def _connect_sources(scope: Scope) -> str:
    """Returns where the page may connect to.

    Browsers before 2022 don't count WebSockets of this address as `'self'`, so these are named, too.
    """
    socket_scheme = "wss" if scope["scheme"] in SECURE_SCHEMES else "ws"
    return f"'self' {socket_scheme}://{Headers(scope=scope)['host']}"


def _add_headers(scope: Scope, send: Send, connect_sources: str) -> Send:
    """Returns a function that sends what it gets, and adds the headers to a response."""
    policy = CONTENT_SECURITY_POLICY.format(connect_sources=connect_sources)
    added = {**RESPONSE_HEADERS, "Content-Security-Policy": policy}
    if scope["scheme"] in SECURE_SCHEMES:
        added |= SECURE_RESPONSE_HEADERS

    async def send_with_headers(message: Message) -> None:
        if message["type"] in {"http.response.start", "websocket.http.response.start"}:
            MutableHeaders(scope=message).update(added)
        await send(message)

    return send_with_headers
