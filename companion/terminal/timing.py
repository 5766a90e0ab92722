"""The clocks at a terminal: shown with each question, and looked at while people think.

A pipe has no clock: a line that comes late can't be told from one for the next question.
"""

from __future__ import annotations

from companion.session.session import Session
from companion.session.timekeeper import Timekeeper
from companion.terminal.terminal import BOLD, Terminal
from companion.words import listed, say


class Overtaken(Exception):
    """Silence has answered the question while somebody was typing."""


class Watching:
    """`Watching(session, terminal)` is what the terminal `waits` with."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self._session = session
        self._terminal = terminal
        self._timekeeper = Timekeeper(session)
        terminal.waits = self._look

    def draw(self) -> None:
        """One line with all clocks, and whether they stand still."""
        clocks = self._timekeeper.clocks
        if clocks:
            faces = [say("{clock} {face}", clock=clock.name, face=clock.face) for clock in clocks]
            self._terminal.show(say("  time: {clocks}", clocks=listed(faces)))
        if clocks and self._session.paused:
            self._terminal.show(say("  The clocks are stopped until somebody answers."))

    def _look(self) -> float | None:
        while ring := self._timekeeper.tick():
            self._terminal.show()
            if not ring.quiet:
                self._terminal.show(ring.text, style=BOLD)
            if ring.answered:
                self._terminal.forget()
                raise Overtaken
        return self._timekeeper.due
