"""`companion web` with a leak: tests show that twins notice it.

    python -m tests.support.leaking_web_process LEAK web --link PATH --fd NUMBER

The web process can't read what phones and box say to each other. A leak tells others something of the bytes
that it passes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from companion.cli import main
from companion.web import guard
from companion.web.link import AnyToWeb, SendToPhone
from companion.web.relay import Relay

_handle = Relay.handle


def _log(relay: Relay, message: AnyToWeb) -> None:
    """Prints the beginning of what is sent to phones."""
    if isinstance(message, SendToPhone):
        print(message.message[:4].hex(), file=sys.stderr, flush=True)
    _handle(relay, message)


def _tell_viewers(relay: Relay, message: AnyToWeb) -> None:
    """Sends people who watch the table one byte of what is sent to phones."""
    if isinstance(message, SendToPhone):
        for viewer in relay._language_by_viewer:
            viewer.send(message.message[:1].hex())
    _handle(relay, message)


def _tell_in_header(relay: Relay, message: AnyToWeb) -> None:
    """Puts the beginning of what is sent to each phone into a header of every page."""
    if isinstance(message, SendToPhone):
        guard.RESPONSE_HEADERS.setdefault(f"X-{message.connection}", message.message[:4].hex())
    _handle(relay, message)


LEAKS: Mapping[str, Callable[[Relay, AnyToWeb], None]] = {
    "log": _log,
    "viewers": _tell_viewers,
    "header": _tell_in_header,
}


if __name__ == "__main__":
    Relay.handle = LEAKS[sys.argv.pop(1)]  # type: ignore[method-assign, assignment] # that is what a leak is
    sys.exit(main())
