"""Notifies systemd that the app has drawn a frame, that its main thread lives, and which question is open.

    keep_systemd_notified(app)

Without systemd nothing is sent. The messages contain no name and no answer.
"""

from __future__ import annotations

import faulthandler
import os
import socket
from collections.abc import Mapping

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window

from companion.texts import render
from ui.app import CompanionApp

HEARTBEATS_PER_WATCHDOG_TIMEOUT = 4
"""Number of heartbeats within the time after which systemd kills a program that sends none."""
HEARTBEAT_INTERVAL_WITHOUT_WATCHDOG_SECONDS = 5.0
"""Seconds between two messages without a systemd watchdog; only their status matters then."""


def keep_systemd_notified(app: CompanionApp, environ: Mapping[str, str] = os.environ) -> None:
    """Keeps systemd notified about the app from its first frame to its end, if systemd started the program.

    If the main thread hangs, systemd ends the program with SIGABRT, and the journal gets the traceback of
    each thread.
    """
    if "NOTIFY_SOCKET" in environ:
        faulthandler.enable()
        _HeartbeatSender(app, SystemdNotifier(environ["NOTIFY_SOCKET"]), heartbeat_interval_seconds(environ))


def heartbeat_interval_seconds(environ: Mapping[str, str]) -> float:
    """Returns the seconds between two heartbeats that systemd's watchdog needs."""
    return (
        int(environ["WATCHDOG_USEC"]) / 1e6 / HEARTBEATS_PER_WATCHDOG_TIMEOUT
        if "WATCHDOG_USEC" in environ
        else HEARTBEAT_INTERVAL_WITHOUT_WATCHDOG_SECONDS
    )


class SystemdNotifier:
    """Sends messages to systemd: `SystemdNotifier("/run/systemd/notify").send(READY="1")`.

    An address that begins with @ is an abstract socket.
    """

    def __init__(self, address: str) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)

    def send(self, **values: str) -> None:
        """Sends these values to systemd; drops them if systemd is too busy, as the next ones follow."""
        text = "\n".join(f"{key}={value}" for key, value in values.items())
        try:
            self._socket.sendto(text.encode(), self._address)
        except OSError:
            return


class _HeartbeatSender:
    """Sends heartbeats from the thread that runs the game; a thread that hangs sends none."""

    def __init__(self, app: CompanionApp, notifier: SystemdNotifier, interval_seconds: float) -> None:
        self._app, self._notifier, self._interval_seconds = app, notifier, interval_seconds
        app.fbind("on_start", self._wait_for_first_frame)  # this binding alone keeps `self` alive
        app.fbind("on_stop", lambda _: notifier.send(STOPPING="1"))

    def _wait_for_first_frame(self, _app: App) -> None:
        Window.fbind("on_flip", self._handle_first_frame)

    def _handle_first_frame(self, _window: object) -> None:
        Window.funbind("on_flip", self._handle_first_frame)
        self._notifier.send(READY="1", STATUS=describe_game_and_open_question(self._app))
        Clock.schedule_interval(lambda _: self._send_heartbeat(), self._interval_seconds)

    def _send_heartbeat(self) -> None:
        self._notifier.send(WATCHDOG="1", STATUS=describe_game_and_open_question(self._app))


def describe_game_and_open_question(app: CompanionApp) -> str:
    """Returns the title of the game on the table and the number of its open question.

    The text is "home" without a game, and ends with "over" after the last question.
    """
    session = app.evening.session if app.has_open_evening else None
    if session is None:
        return "home"
    title = render(session.game.title)
    return (
        f"{title}: question {session.question_number}" if session.question is not None else f"{title}: over"
    )
