"""Another client can be written from docs/web.md alone: its example plays, and reads nothing of ours."""

from __future__ import annotations

import ast
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.page_server import PageServer
from tests.support.web_process import TIMEOUT_SECONDS

pytestmark = pytest.mark.without_coverage

EXAMPLE = Path(__file__).parents[2] / "docs/examples/seat_robot.py"
OTHER_PACKAGES = {"nacl", "websockets"}
MAX_LINES = 100


def test_the_example_is_short_and_needs_nothing_of_ours() -> None:
    """The example has at most a hundred lines, and imports the standard library, PyNaCl and websockets."""
    source = EXAMPLE.read_text("utf-8")
    assert len(source.splitlines()) <= MAX_LINES
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - sys.stdlib_module_names == OTHER_PACKAGES


@pytest.mark.parametrize("game", ["sealed_bid", "mammon"])
def test_robots_play_a_game(server: PageServer, game: str) -> None:
    """Each pairs with the code of its seat, shows the digits of the screen, and plays to the result."""
    server.begin(game, "Aki", "Ben")
    with ExitStack() as stack:
        robots = []
        for seat in (1, 2):
            robot = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-u", EXAMPLE, server.offer_code(seat)],
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            stack.callback(robot.kill)
            assert robot.stdout is not None
            digits = robot.stdout.readline().split()[-1]
            pending = server.phones.pending_pairing
            assert pending is not None
            assert digits == pending.keys.digits
            server.confirm_digits()
            robots.append(robot)
        for robot in robots:
            output, _ = robot.communicate(timeout=TIMEOUT_SECONDS)
            assert robot.returncode == 0
            assert output.startswith("Final score: ")
    assert server.run(lambda: server.session is not None and server.session.result is not None)
