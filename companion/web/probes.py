"""Answers phones that test whether they can reach the internet, so that they stay in the hotspot.

They ask at port 80 of names that lead to the box in the hotspot. This port has no pages: these are only for
requests that name the box.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

_HEADERS = {"Cache-Control": "no-store"}
_APPLE_SUCCESS = (b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html")


def _response(content: bytes, media_type: str = "text/plain") -> Response:
    return Response(content, headers=_HEADERS, media_type=media_type)


RESPONSES: Mapping[str, Response] = {
    "/hotspot-detect.html": _response(*_APPLE_SUCCESS),
    "/library/test/success.html": _response(*_APPLE_SUCCESS),
    "/generate_204": Response(status_code=204, headers=_HEADERS),
    "/gen_204": Response(status_code=204, headers=_HEADERS),
    "/connecttest.txt": _response(b"Microsoft Connect Test"),
    "/canonical.html": _response(
        b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
        "text/html",
    ),
    "/success.txt": _response(b"success\n"),
}
"""The answers that phones expect on the internet, by path. With others they would leave the Wi-Fi."""
_NOT_FOUND = PlainTextResponse("Not found", 404)


async def answer_probe(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers one request: an ASGI application."""
    is_read = scope["method"] in {"GET", "HEAD"}
    response = RESPONSES.get(scope["path"], _NOT_FOUND) if is_read else _NOT_FOUND
    await response(scope, receive, send)
