"""The power sign, on a PC and on a machine that shows nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.store import Store
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.ui.test_play import check_all

REFUSED = "Call to PowerOff failed: Interactive authentication required."
SIGNALLED = """
import os, sys
from companion.cli import main
from ui import screen

app_of = screen.make_app

def make_app(*args, **kwargs):
    from kivy.clock import Clock

    def play(_):
        app.controller.start_new_game("egypt", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
        os.kill(os.getpid(), int(sys.argv[2]))

    app = app_of(*args, **kwargs)
    Clock.schedule_once(play)
    return app

screen.make_app = make_app
sys.exit(main(["--state", sys.argv[1]]))
"""
"""The program itself, which begins a game and is then sent a signal."""


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The service's own environment, with a systemctl that notes what it is told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_SERVICE", "1")
    monkeypatch.setenv("PATH", str(folder))
    return program(folder / "systemctl", "exit 0")


def program(file: Path, script: str) -> Path:
    """A program that notes its arguments beside itself before it does that; no script, no program."""
    file.write_text(f'#!/bin/sh\necho "$*" >> "$0.told"\n{script}\n')
    file.chmod(0o755)
    if not script:
        file.unlink()
    return file


def told(systemctl: Path) -> list[str]:
    """What it was told, a line each time."""
    notes = systemctl.with_name("systemctl.told")
    return notes.read_text().splitlines() if notes.exists() else []


def open_game(state: Path) -> str | None:
    """The game that waits for whoever comes next."""
    with closing(Store.open(state, for_writing=True)) as store:
        saved = store.find_open_game()
    return saved.game if saved else None


@pytest.fixture
def start(open_app: Any, tmp_path: Path, without_motion: None) -> Callable[..., Any]:
    """How the app is started as `companion` does it, at home; with a game that `waits`, if wanted."""
    from ui.screen import make_app

    async def started(size: tuple[int, int] = (800, 480), lang: str = "en", *, waits: bool = False) -> Any:
        table = await open_app(make_app(tmp_path / "state", lang=lang), size)
        if waits:
            table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
            table.app.controller.leave_table()
            await table.wait_frames()
        return table

    return started


async def ends(table: Any, key: str) -> bool:
    """Whether this key ends the app."""
    table.press(key).touch_up()
    await asyncio.wait({table.running}, timeout=60)
    return bool(table.running.done())


async def test_the_sign_alone_ends_nothing(start: Any) -> None:
    """It asks; whoever slipped stays at home, and a PC isn't shut down."""
    table = await start()
    await table.tap("quit")
    assert {"Close the companion?", "Saved games stay as they are."} <= set(table.texts())
    assert {"Shut down", "Restart the companion"}.isdisjoint(table.texts())
    await table.tap("no")
    assert "Close the companion?" not in table.texts()
    assert "Demo table" in table.texts()


async def test_it_closes_if_that_is_meant(start: Any, tmp_path: Path) -> None:
    """And says before that the open game is kept, which it is."""
    table = await start(waits=True)
    await table.tap("quit")
    assert "Egypt is saved. You can continue it next time." in table.texts()
    assert await ends(table, "end")
    assert open_game(tmp_path / "state") == "egypt"


async def test_it_asks_too_where_it_could_not_start(open_app: Any, tmp_path: Path) -> None:
    """Whoever stays is where they were; nothing is promised of games that couldn't be opened."""
    (tmp_path / "state").write_text("a file, no directory")
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("quit")
    assert {"Close the companion?", "Saved games stay as they are."} <= set(table.texts())
    await table.tap("no")
    assert "The companion can't start yet" in table.texts()
    await table.tap("quit")
    assert await ends(table, "end")


async def test_a_service_is_started_anew_and_never_just_closed(start: Any, systemctl: Path) -> None:
    """To be restarted it ends, and systemd does the rest; nothing is shut down for that."""
    table = await start()
    await table.tap("quit")
    assert {"Stay here", "Restart the companion", "Shut down"} <= set(table.texts())
    assert "Close" not in table.texts()
    await table.tap("no")
    assert "Demo table" in table.texts()
    await table.tap("quit")
    assert await ends(table, "end")
    assert told(systemctl) == []


async def test_a_service_shuts_the_machine_down(start: Any, systemctl: Path) -> None:
    """It tells systemd, stays until systemd ends it, and says when the plug may be pulled."""
    table = await start()
    await table.tap("quit", "off")
    assert told(systemctl) == ["poweroff --no-ask-password --no-wall"]
    assert any("The machine is shutting down." in text for text in table.texts())


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (f'echo "Failed to talk" >&2; echo "{REFUSED}" >&2; exit 1', REFUSED),
        ("exit 3", "systemctl: 3"),
        ("", "No such file or directory: 'systemctl'"),
    ],
)
async def test_what_may_not_be_is_said_with_what_to_do(
    start: Any, systemctl: Path, script: str, why: str
) -> None:
    """Without the right, without a reason, without systemd: a sentence, and the companion goes on."""
    program(systemctl, script)
    table = await start()
    await table.tap("quit", "off")
    said = "\n".join(table.texts())
    assert "The companion can't shut down this machine: " in said
    assert f"{why}\n\nPress the machine's power button" in said
    assert "sudo systemctl poweroff" in said
    await table.tap("done")
    assert "Demo table" in table.texts()


async def test_a_systemctl_that_hangs_is_given_up(
    start: Any, systemctl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its time it is ended and said to be silent."""
    from ui.screens import quit_flow

    monkeypatch.setattr(quit_flow, "SYSTEMCTL_TIMEOUT_SECONDS", 0.1)
    program(systemctl, "while :; do :; done")
    table = await start()
    await table.tap("quit", "off")
    assert any("timed out" in text for text in table.texts())


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
@pytest.mark.parametrize("script", ["exit 0", f"echo '{REFUSED}' >&2; exit 1"])
async def test_what_is_asked_and_said_is_whole(
    start: Any, systemctl: Path, size: tuple[int, int], lang: str, script: str
) -> None:
    """No text is cut, no key too small, on the sheet that asks most and on those that follow."""
    program(systemctl, script)
    table = await start(size, lang, waits=True)
    for key in ("quit", "off"):
        await table.tap(key)
        check_all(table, size)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_at_once_and_the_game_is_kept(
    tmp_path: Path, systemctl: Path, number: signal.Signals, status: int
) -> None:
    """Ctrl-C and `systemctl stop` are asked nothing, in the service neither."""
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED, str(tmp_path / "state"), str(number.value)],
        env={**os.environ, "SDL_VIDEODRIVER": "offscreen", "COMPANION_CONFIG": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert open_game(tmp_path / "state") == "egypt"
    assert told(systemctl) == []
