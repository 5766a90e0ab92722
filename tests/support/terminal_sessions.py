"""What tests of the terminal do again and again: a game in memory, lines in, everything written out."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

from companion.log.log import MemoryLog
from companion.rules.game import Game
from companion.session.session import Session
from companion.terminal import Terminal, play_in_terminal

TAGS = {"04a1b2c3": ("egypt", "4.1"), "99": ("oyakata", "ruby")}


def begun(game: Game, *names: str, **options: str) -> Session:
    """A game in memory that has just begun."""
    return Session.begin(game, names, options, MemoryLog(), seed=1, tags=TAGS.get)


def terminal(*lines: str, language: str = "en", environ: Mapping[str, str] | None = None) -> Terminal:
    """A terminal on pipes into which these lines have been written."""
    said = StringIO("".join(f"{line}\n" for line in lines))
    return Terminal(said, StringIO(), language, environ or {})


def written(there: Terminal) -> str:
    """Everything that a terminal on pipes has shown."""
    out = there._stdout
    assert isinstance(out, StringIO)
    return out.getvalue()


def heard(session: Session, *lines: str, language: str = "en") -> str:
    """What a game says to these lines before their end leaves it."""
    there = terminal(*lines, language=language)
    assert play_in_terminal(session, there) == 0
    return written(there)


def log(session: Session) -> int:
    """How many events have been kept."""
    assert isinstance(session._log, MemoryLog)
    return len(session._log)
