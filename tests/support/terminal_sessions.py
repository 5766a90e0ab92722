"""Helpers for tests of the terminal: begin a game in memory, type lines, read the output."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from companion.log.log import MemoryLog
from companion.rules.game import Game
from companion.session.session import Session
from companion.terminal import Terminal, play_in_terminal

TAGS = {"04a1b2c3": ("egypt", "4.1"), "99": ("oyakata", "ruby")}


def begin_session(game: Game, *names: str, **options: str) -> Session:
    """Begins a game whose log is in memory."""
    return Session.begin(game, names, options, MemoryLog(), seed=1, tags=TAGS.get)


def piped_terminal(*lines: str, language: str = "en", environ: Mapping[str, str] | None = None) -> Terminal:
    """Returns a terminal on pipes whose input is these lines."""
    typed = StringIO("".join(f"{line}\n" for line in lines))
    return Terminal(typed, StringIO(), language, environ or {})


def terminal_output(terminal: Terminal) -> str:
    """Returns everything that a terminal on pipes has shown."""
    output = terminal._stdout
    assert isinstance(output, StringIO)
    return output.getvalue()


def play_lines(session: Session, *lines: str, language: str = "en") -> str:
    """Plays a session with these typed lines until their end; returns the output."""
    terminal = piped_terminal(*lines, language=language)
    assert play_in_terminal(session, terminal) == 0
    return terminal_output(terminal)


def event_count(session: Session) -> int:
    """Returns the number of events in the log."""
    assert isinstance(session._log, MemoryLog)
    return len(session._log)
