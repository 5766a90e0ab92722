"""Runs the installed program on a real pseudo-terminal, types at it and reads it as a person would."""

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

from tests.support.program import COMPANION, TIMEOUT_SECONDS, wait_until_idle

ESCAPE_SEQUENCE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class PseudoTerminal:
    """Runs `companion …`. `output` is all output so far, `output_since_input` that after the last typed line.

    The keyword `columns` is the width of the terminal; without it the terminal doesn't know its width.
    """

    def __init__(self, command: Sequence[str], **environ: str) -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, int(environ.pop("columns", "0"))))
        self._slave = slave
        self._process = subprocess.Popen(
            ["setsid", "--ctty", COMPANION, *command],  # Ctrl-C needs a controlling terminal
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "", **environ},
        )
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.output = ""
        self.output_since_input = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()  # a signal that a handler takes may come too late, see `wait_until_idle`
        self._process.wait()
        os.close(self._slave)
        os.close(self.master)

    def wait_for_prompt(self, prompt: str) -> str:
        """Waits for a prompt; returns the output since the last typed line, without colours."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while not _without_styles(self.output_since_input).endswith(prompt):
            assert self._read_some(end), f"no {prompt!r} after:\n{self.output[-2000:]}"
        return _without_styles(self.output_since_input)

    def type_line(self, line: str, prompt: str) -> str:
        """Waits for a prompt and types a line; returns the output before it."""
        before = self.wait_for_prompt(prompt)
        self.output_since_input = ""
        os.write(self.master, f"{line}\n".encode())
        return before

    def press_key(self, key: str) -> None:
        """Presses one key, such as Ctrl-C, without Enter, once the program waits for input."""
        wait_until_idle(self._process.pid)
        os.write(self.master, key.encode())

    @property
    def plain_output(self) -> str:
        """All output so far, without colours."""
        return _without_styles(self.output)

    def wait_for_exit(self) -> int:
        """Waits until the program ends and all its output is read; returns the exit status."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while self._process.poll() is None:
            self._read_some(min(end, time.monotonic() + 0.1))
            assert time.monotonic() < end, f"still running after:\n{self.output[-2000:]}"
        while self._read_some(0.0):
            pass
        return self._process.returncode

    @property
    def is_echo_on(self) -> bool:
        """Whether the terminal shows what is typed now."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    def _read_some(self, end: float) -> bool:
        wait = max(0.0, end - time.monotonic())
        if not select.select([self.master], [], [], wait)[0]:
            return False
        try:
            text = self._decoder.decode(os.read(self.master, 65536))
        except OSError:  # the program has closed the terminal
            return False
        self.output += text
        self.output_since_input += text
        return True


def _without_styles(text: str) -> str:
    """Returns the text without colours."""
    return ESCAPE_SEQUENCE.sub("", text)
