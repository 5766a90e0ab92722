"""The installed program on a real pseudo-terminal, typed at and read like a person would."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Sequence
from typing import Self

from tests.support.program import COMPANION, PATIENCE, rests

STYLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Teletype:
    """Runs `companion …`; `heard` is all it has written, `since` what came after the last line typed.

    `columns`: how wide the terminal is, if it knows it.
    """

    def __init__(self, command: Sequence[str], **environ: str) -> None:
        self.master, device = pty.openpty()
        termios.tcsetwinsize(device, (24, int(environ.pop("columns", "0"))))
        self._slave = device
        self._process = subprocess.Popen(
            ["setsid", "--ctty", COMPANION, *command],  # Ctrl-C needs a terminal that controls
            stdin=device,
            stdout=device,
            stderr=device,
            env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "", **environ},
        )
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.heard = ""
        self.since = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()  # what may be handled may be heard too late, see `rests`
        self._process.wait()
        os.close(self._slave)
        os.close(self.master)

    def waits(self, prompt: str) -> str:
        """What was written since the last line typed, without colours, once it ends with this prompt."""
        end = time.monotonic() + PATIENCE
        while not _bare(self.since).endswith(prompt):
            assert self._listens(end), f"no {prompt!r} after:\n{self.heard[-2000:]}"
        return _bare(self.since)

    def types(self, line: str, prompt: str) -> str:
        """Types a line once the prompt is there."""
        before = self.waits(prompt)
        self.since = ""
        os.write(self.master, f"{line}\n".encode())
        return before

    def presses(self, key: str) -> None:
        """One key, such as Ctrl-C, without Enter, while the program waits for it."""
        rests(self._process.pid)
        os.write(self.master, key.encode())

    @property
    def plain(self) -> str:
        """All it has written, without colours."""
        return _bare(self.heard)

    def ends(self) -> int:
        """The exit status, after all that is still to be heard."""
        end = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            self._listens(min(end, time.monotonic() + 0.1))
            assert time.monotonic() < end, f"still running after:\n{self.heard[-2000:]}"
        while self._listens(0.0):
            pass
        return self._process.returncode

    @property
    def echoes(self) -> bool:
        """Whether what is typed now would be seen."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    def _listens(self, end: float) -> bool:
        wait = max(0.0, end - time.monotonic())
        if not select.select([self.master], [], [], wait)[0]:
            return False
        try:
            text = self._decoder.decode(os.read(self.master, 65536))
        except OSError:  # nobody is at the other end any more
            return False
        self.heard += text
        self.since += text
        return True


def _bare(text: str) -> str:
    """Without colours."""
    return STYLE.sub("", text)
