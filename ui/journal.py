"""What the service tells the journal: its start and end, its devices, its games, and what went wrong.

    speak(service=True)
    LOG.info("a line")

Never a name, an answer, a card or a seed: of a fault only its kind and the lines it came through, as its own
words may repeat what was answered.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType

from companion.distribution import DISTRIBUTION_NAME
from companion.errors import CompanionError
from hardware.signals import DeviceFound, DeviceLost, Signal

LOG = logging.getLogger("companion")
LEVELS = {logging.ERROR: "<3>", logging.WARNING: "<4>", logging.INFO: "<6>", logging.DEBUG: "<7>"}
"""How systemd reads from a line how grave it is: sd-daemon(3)."""


class _Graded(logging.Formatter):
    """Each line of a record begins with its level."""

    def format(self, record: logging.LogRecord) -> str:
        """As systemd reads it."""
        level = LEVELS.get(record.levelno, LEVELS[logging.ERROR])
        return "\n".join(level + line for line in super().format(record).splitlines())


def speak(*, service: bool) -> None:
    """From now on the journal hears everything; on a PC only what went wrong is told, as it is."""
    handler = logging.StreamHandler(sys.stderr)
    if service:
        handler.setFormatter(_Graded())
    LOG.addHandler(handler)
    LOG.propagate = False
    LOG.setLevel(logging.INFO if service else logging.ERROR)
    if service:
        from importlib.metadata import version  # what reads lists of packages delays the first picture

        sys.excepthook = _fell
        python = sys.version.partition(" ")[0]
        LOG.info("companion %s starts with Python %s", version(DISTRIBUTION_NAME), python)


def fault(error: BaseException | None) -> str:
    """What went wrong and where, without what it was about."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"  {Path(one.filename).name}:{one.lineno} in {one.name}" for one in frames]
    return "\n".join([type(error).__name__, *lines])


def _fell(_kind: type[BaseException], error: BaseException, _where: TracebackType | None) -> None:
    LOG.error("the program crashed: %s", fault(error))


def refused(error: CompanionError) -> None:
    """Where the rules failed their lines are told; what people can mend themselves isn't told here."""
    if error.__cause__ is not None:
        LOG.error("%s: %s", type(error).__name__, fault(error.__cause__))


def heard(signal: Signal) -> None:
    """A device is there, or no longer; never what it says."""
    if isinstance(signal, DeviceFound):
        LOG.info("%s is there", signal.device)
    elif isinstance(signal, DeviceLost):
        LOG.warning("%s is lost: %s", signal.device, signal.reason)
