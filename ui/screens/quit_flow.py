"""Quitting: asks first, says what stays saved, and never leaves people at an empty screen.

On a PC the companion closes. As a service the companion is all that its machine shows: there it shuts the
machine down, or ends so that systemd restarts it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from ui.host import AppWithStage
from ui.pages import DialogChoice, open_dialog, show_message

SHUT_DOWN_COMMAND = ("systemctl", "poweroff", "--no-ask-password", "--no-wall")
SYSTEMCTL_TIMEOUT_SECONDS = 10.0
"""After this time systemctl is killed."""

ShutDownFunction = Callable[[], str]
"""A function that shuts the machine down; it returns why it can't, or an empty text."""


def shut_down_machine() -> str:
    """Shuts the machine down by systemd, which also ends this program.

    Returns why that failed, or an empty text.
    """
    try:
        result = subprocess.run(  # noqa: S603 - a command of our own
            SHUT_DOWN_COMMAND,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SYSTEMCTL_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return ""
    lines = result.stderr.split("\n")
    return next(filter(None, reversed(lines)), f"systemctl: {result.returncode}")


class QuitFlow:
    """Asks whether to close, restart or shut down, and does it; `shut_down_machine` is None on a PC."""

    def __init__(self, app: AppWithStage) -> None:
        self.app = app
        self.shut_down_machine: ShutDownFunction | None = None

    def ask_to_quit(self, open_game_title: str = "") -> None:
        """Asks whether to close, restart or shut down; `open_game_title` is the game that stays saved."""
        tr = self.app.tr
        text = tr("Saved games stay as they are.")
        if open_game_title:
            text = tr("{game} is saved. You can continue it next time.", game=open_game_title)
        stay = DialogChoice("no", tr("Stay here"))
        if self.shut_down_machine is None:
            close = DialogChoice("end", tr("Close"), self.app.stop, "brass")
            open_dialog(tr("Close the companion?"), text, stay, close)
            return
        text += "\n\n" + tr("Shut down the machine here before you unplug it.")
        restart = DialogChoice("end", tr("Restart the companion"), self.app.stop)
        power_off = DialogChoice("off", tr("Shut down"), self._power_off, "brass")
        open_dialog(tr("Shut down or restart?"), text, stay, restart, power_off)

    def _power_off(self) -> None:
        """Shuts down; the app stays until systemd ends it, so that the screen isn't empty meanwhile."""
        assert self.shut_down_machine is not None
        tr = self.app.tr
        problem = self.shut_down_machine()
        if not problem:
            text = tr(
                "The machine is shutting down. When the screen is dark, wait ten seconds, then "
                "unplug the machine."
            )
        else:
            text = tr(
                "The companion can't shut down this machine: {why}\n\nPress the machine's power button, or "
                "run this command on the machine: sudo systemctl poweroff",
                why=problem,
            )
        show_message(text)
