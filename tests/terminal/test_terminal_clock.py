"""The clock at a terminal: it interrupts a prompt, and what was half typed is nobody's answer."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from io import StringIO
from itertools import count
from pathlib import Path
from typing import TextIO, cast

import pytest

from companion.clocks import parse_clocks
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.store import Store
from companion.terminal import Terminal, play_in_terminal
from tests.support.program import run_companion
from tests.support.pseudo_terminal import PseudoTerminal


class Desk:
    """A real terminal device, and a clock that goes on whenever something is shown on it."""

    def __init__(self) -> None:
        self.master, self.keyboard = pty.openpty()
        self.now = 0.0
        self.leaps: list[float] = []
        self.then: dict[str, str] = {}
        self.out = StringIO()

    def write(self, text: str) -> int:
        """Takes what is shown; at each prompt time leaps, and at some a line is typed."""
        if text.endswith("> ") and self.leaps:
            self.now += self.leaps.pop(0)
        self.types(self.then.get(text, ""))
        return self.out.write(text)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        """Plain lines, please."""
        return False

    def types(self, text: str) -> None:
        """Somebody types."""
        os.write(self.master, text.encode())

    def close(self) -> None:
        """Both ends."""
        os.close(self.keyboard)
        os.close(self.master)


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A terminal to type at."""
    one = Desk()
    yield one
    one.close()


def at(desk: Desk, session: Session) -> str:
    """What the game says until people leave it."""
    with os.fdopen(os.dup(desk.keyboard), encoding="utf-8") as keyboard:
        assert play_in_terminal(session, Terminal(keyboard, cast(TextIO, desk), environ={})) == 0
    return desk.out.getvalue()


def egypt(desk: Desk, clocks: str) -> Session:
    """Egypt at the first bid of Ben."""
    session = Session.begin(
        EGYPT,
        ["Aki", "Ben", "Chie"],
        {},
        MemoryLog(),
        clock_settings=parse_clocks(clocks),
        clock=lambda: desk.now,
    )
    for answer in ("1", True, 1):
        session.answer(session.question_number, answer)
    return session


def test_silence_answers_at_a_prompt(desk: Desk) -> None:
    """When time is up the terminal says so and goes on; what was half typed is thrown away."""
    session = egypt(desk, "Raise=20 answer")
    desk.leaps = [20.0]
    desk.types("3")
    desk.then["Chie> "] = "quit\n"
    heard = at(desk, session)
    assert "Ben> \nTime is up, Ben.\nBen withdraws.\n" in heard
    assert [told.answer for told in session.rulebook_run.answered_questions[2:]] == [1, None]
    assert "time: question 0:20" in heard


def test_a_ring_at_a_prompt(desk: Desk) -> None:
    """Where silence only rings, the line that is being typed goes on."""
    session = egypt(desk, "turn=20 ring")
    desk.leaps = [21.0]
    desk.types("3\nquit\n")
    heard = at(desk, session)
    assert "Ben> \nTime is up, Ben.\n" in heard
    assert [told.answer for told in session.rulebook_run.answered_questions[2:]] == [1, 3]


def test_silence_answers_for_who_holds_the_keyboard(desk: Desk) -> None:
    """In a sealed round the clock fills in the missing envelopes, also while somebody types unseen."""
    session = Session.begin(
        SEALED_BID,
        ["Aki", "Ben"],
        {},
        MemoryLog(),
        clock_settings=parse_clocks("Together=60 answer"),
        clock=lambda: desk.now,
    )
    session.put_answer_in_envelope(1, session.table.seats[1], 5)
    desk.types("\n")
    desk.leaps = [60.0]
    desk.then["> "] = "quit\n"
    heard = at(desk, session)
    assert list(session.rulebook_run.answered_questions[-1].answer.values()) == [0, 5]
    assert "Time is up, Aki.\nAki: 0, Ben: 5\nBen wins with 5." in heard


def test_pause_and_leave(desk: Desk) -> None:
    """The command stops the clocks; who leaves finds them standing still where they stood."""
    session = egypt(desk, "budget=5:00")
    desk.leaps = [30.0, 1000.0]
    desk.types("pause\nquit\n")
    heard = at(desk, session)
    assert "The clocks are stopped until somebody answers.\n" in heard
    assert session.are_clocks_paused
    assert session.played_seconds == 30.0
    desk.types("history\nquit\n")
    assert "  time: Aki 5:00, Ben 4:30, Chie 5:00\n  The clocks are stopped until somebody answers.\n" in at(
        desk, session
    )


def test_a_pipe_has_no_clock() -> None:
    """Lines from a program are answers however late they come, but the clocks are shown."""
    now = count(0.0, 100.0)
    clocks = parse_clocks("turn=5 answer")
    session = Session.begin(
        EGYPT, ["Aki", "Ben", "Chie"], {}, MemoryLog(), clock_settings=clocks, clock=lambda: next(now)
    )
    out = StringIO()
    play_in_terminal(session, Terminal(StringIO("1\n\n2\n"), out, environ={}))
    assert [told.answer for told in session.rulebook_run.answered_questions] == ["1", True, 2]
    assert "time: turn " in out.getvalue()


# The option


def test_clocks_are_chosen_and_changed_on_the_command_line(tmp_path: Path) -> None:
    """`--clock` takes a preset, a line or a TOML file; a game that is resumed may get others."""
    state, file = tmp_path / "state", tmp_path / "clocks.toml"
    file.write_text('turn = "30 answer"\n', encoding="utf-8")
    play_egypt = ["play", "egypt", "--clock"]
    for clock in ("budget", "Raise=20 answer"):
        run_companion([*play_egypt, clock, "--seats", "Aki,Ben,Chie"], state)
    store = Store.open(state)
    assert [parse_clocks(store.open_game_log(number).timing().clocks) for number in (1, 2)] == [
        parse_clocks("budget=900,increment=10"),
        parse_clocks("Raise=20 answer"),
    ]
    run_companion([*play_egypt, str(file), "--resume"], state)
    assert parse_clocks(store.open_game_log(2).timing().clocks) == parse_clocks("turn=30 answer")
    run_companion(["play", "egypt", "--resume"], state)
    assert parse_clocks(store.open_game_log(2).timing().clocks) == parse_clocks("turn=30 answer")
    store.close()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--clock", "blitz"], "blitz isn't a clock. Write KEY=VALUE, such as turn=60"),
        (["--clock", "extension=5"], '"extension" works only with a time limit for "lot".'),
        (["--clock", "none", "--json"], "Clocks don't run with --json. Don't type --clock."),
        (["--clock", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_clocks_that_cant_be(more: list[str], why: str, tmp_path: Path) -> None:
    """A clock that can't be is refused with one sentence, and no game begins."""
    run = run_companion(["play", "egypt", "--seats", "Aki,Ben,Chie", *more], tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert why in run.stderr
    assert run.stderr.count("\n") == 1
    store = Store.open(tmp_path)
    assert store.all_saved_games() == []
    store.close()


def test_a_real_terminal_is_interrupted(tmp_path: Path) -> None:
    """The installed program doesn't wait for a key once time is up."""
    clock = ["--clock", "Together=1 answer"]
    with PseudoTerminal(
        ["play", "sealed_bid", "--state", str(tmp_path), "--seats", "Aki,Ben", *clock]
    ) as tty:
        assert "Time is up.\r\nAki: 0, Ben: 0" in tty.wait_for_prompt("\r\n> ")
