"""The log of the service in the systemd journal: start and end, devices, games and errors.

    configure_logging(is_service=True)
    LOG.info("a line")

The module never writes a name, an answer, a card or a seed. Of an error it writes only the class and the
lines of the traceback, because the message may repeat an answer.
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

from companion.distribution import DISTRIBUTION_NAME
from companion.errors import CompanionError
from hardware.signals import DeviceFound, DeviceLost, Signal

LOG = logging.getLogger("companion")
SYSTEMD_PRIORITIES = {logging.ERROR: "<3>", logging.WARNING: "<4>", logging.INFO: "<6>", logging.DEBUG: "<7>"}
"""The prefix for each log level, which gives systemd the priority of a line: sd-daemon(3)."""


class _PriorityFormatter(logging.Formatter):
    """Formats a record for systemd: each line begins with the record's priority."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the text of a record with the priority before each line."""
        priority = SYSTEMD_PRIORITIES.get(record.levelno, SYSTEMD_PRIORITIES[logging.ERROR])
        return "\n".join(priority + line for line in super().format(record).splitlines())


def configure_logging(*, is_service: bool) -> None:
    """Configures logging to stderr.

    A service logs everything with priorities; a PC logs only errors.
    """
    handler = logging.StreamHandler(sys.stderr)
    if is_service:
        handler.setFormatter(_PriorityFormatter())
    LOG.addHandler(handler)
    LOG.propagate = False
    LOG.setLevel(logging.INFO if is_service else logging.ERROR)
    if is_service:
        from importlib.metadata import version  # at the top it would delay the first frame on every machine

        sys.excepthook = _log_crash
        threading.excepthook = _log_thread_crash
        python = sys.version.partition(" ")[0]
        LOG.info("companion %s starts with Python %s", version(DISTRIBUTION_NAME), python)


def format_traceback_without_message(error: BaseException | None) -> str:
    """Returns the class and the traceback of an error, without its message."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join([type(error).__name__, *lines])


def _log_crash(_kind: type[BaseException], error: BaseException, _where: TracebackType | None) -> None:
    LOG.error("the program crashed: %s", format_traceback_without_message(error))


def _log_thread_crash(crash: threading.ExceptHookArgs) -> None:
    """Logs the crash of a thread; Python's own hook would print the message of the error."""
    if crash.exc_type is not SystemExit:  # which only ends the thread
        name = crash.thread.name if crash.thread is not None else ""
        LOG.error('the thread "%s" crashed: %s', name, format_traceback_without_message(crash.exc_value))


def log_error_behind_refusal(error: CompanionError) -> None:
    """Logs the error behind a refusal, if there is one, as when the rules crashed.

    What people can fix themselves has no such error and isn't logged.
    """
    if error.__cause__ is not None:
        LOG.error("%s: %s", type(error).__name__, format_traceback_without_message(error.__cause__))


def log_device_change(signal: Signal) -> None:
    """Logs that a device was found or lost; never its input."""
    if isinstance(signal, DeviceFound):
        LOG.info("%s is there", signal.device)
    elif isinstance(signal, DeviceLost):
        LOG.warning("%s is lost: %s", signal.device, signal.reason)
