"""The verb `screen`, and what it shows when the evening can't begin."""

from __future__ import annotations

import os
import subprocess
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import COMPANION
from tests.support.ui.app_helpers import make_test_app
from ui.screen import SCREEN, make_app, make_window_settings, parse_rotation, parse_window_size


@pytest.mark.parametrize(("text", "pixels"), [("800x480", (800, 480)), ("1280x720", (1280, 720))])
def test_a_size_is_width_by_height(text: str, pixels: tuple[int, int]) -> None:
    """A wanted size is a window of that size, also on a Pi."""
    assert pixels == parse_window_size(text)
    assert pixels == (make_window_settings(pixels).width, make_window_settings(pixels).height)
    assert not make_window_settings(pixels).fullscreen


@pytest.mark.parametrize("text", ["800", "800*480", "0x480", "800x", "-800x480", "８００x480"])
def test_a_size_that_is_none_is_refused(text: str) -> None:
    """The sentence shows one that is."""
    with pytest.raises(ArgumentTypeError, match="such as 800x480"):
        parse_window_size(text)


def test_a_picture_is_turned_as_the_panel_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """By an argument, or for the service by its environment; a turn that is none is refused."""
    parser = ArgumentParser()
    SCREEN.add_arguments(parser)
    assert parser.parse_args([]).turn == make_window_settings(None).rotation == 0
    assert parser.parse_args(["--turn", "180"]).turn == 180
    monkeypatch.setenv("COMPANION_TURN", "270")
    parser = ArgumentParser()
    SCREEN.add_arguments(parser)
    assert make_window_settings(None, parser.parse_args([]).turn).rotation == 270
    with pytest.raises(ArgumentTypeError, match="must be 0, 90, 180, 270 degrees, not 45"):
        parse_rotation("45")


async def test_a_second_player_is_told_who_has_the_games_and_may_try_again(
    open_app: Any, tmp_path: Path
) -> None:
    """The sentence fills the screen; once the other one has left, one touch goes on."""
    from companion.store import Store

    other = Store.open(tmp_path / "state", for_writing=True)
    table = await open_app(make_test_app(tmp_path / "state"))
    assert "is already using the saved games" in "\n".join(table.texts())
    await table.tap("again")
    assert "is already using the saved games" in "\n".join(table.texts())
    other.close()
    await table.tap("again")
    assert "Demo table" in table.texts()


async def test_trouble_is_told_in_the_readers_language(open_app: Any, tmp_path: Path) -> None:
    """Also before any setting could be read."""
    (tmp_path / "state").write_text("a file, no directory")
    table = await open_app(make_test_app(tmp_path / "state", lang="ja"))
    assert {"閉じる", "もう一度試す"} <= set(table.texts())


async def test_wrong_wiring_is_told_and_people_may_play_by_touch(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing of it can be read; one touch goes on without devices, which holds no games before."""
    (tmp_path / "hardware.toml").write_text("[[keypad]]\nseat = [[[1, 2")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    table = await open_app(make_app(tmp_path / "state", lang="en"))
    await table.tap("again")
    assert "can't be read: at the end of the file: a bracket or a quotation mark is not closed" in "\n".join(
        table.texts()
    )
    await table.tap("without")
    assert "Demo table" in table.texts()


async def test_mended_wiring_is_read_at_the_next_try(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever corrects the file need not start again."""
    file = tmp_path / "hardware.toml"
    file.write_text("[[keypad]")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path))
    table = await open_app(make_app(tmp_path / "state", lang="en"))
    file.write_text("")
    await table.tap("again")
    assert "Demo table" in table.texts()


def test_without_a_display_the_reason_is_printed(tmp_path: Path) -> None:
    """No window can be made: a sentence and a status, no traceback; trouble with the games comes first."""
    for state, sentence in (
        (tmp_path / "state", "There is no display here."),
        (Path("/proc/1/x"), "/proc/1/x"),
    ):
        started = subprocess.run(
            [COMPANION, "--state", str(state)],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert started.returncode == 2, started.stderr
        assert sentence in started.stderr
        assert len(started.stderr.splitlines()) == 1
