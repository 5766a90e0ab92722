"""The list of languages, and one of another package on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.languages import KEYBOARD_LAYOUTS, languages
from tests.outside.languages import PIRATES, installed
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults


@pytest.fixture
def pirates(tmp_path: Path) -> Iterator[None]:
    """The package of their language is installed."""
    with installed(tmp_path / "site"):
        yield


async def test_a_language_of_another_package_is_offered_and_spoken(
    open_app: Any, tmp_path: Path, pirates: None
) -> None:
    """By its own name, at home and at the table; a text that it lacks is English."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("language", "Arr")
    assert {"Ship's purser", "Logbook", "Pyramid plunder", "Demo table"} <= set(table.texts())
    table.app.home_flow.play_demo()
    assert [seat.name for seat in table.app.controller.view.seats] == ["Anne", "Bart", "Calico", "Drake"]
    await table.wait_frames()
    table.app.controller.leave_table()
    await table.wait_frames()
    await table.tap("language", "日本語")
    assert {"エジプトの人買い", "テーブルメイト"} <= set(table.texts())


async def test_it_is_spoken_again_the_next_evening_unless_its_package_is_gone(
    open_app: Any, tmp_path: Path
) -> None:
    """Then the screen is English, and the other languages are offered."""
    with installed(tmp_path / "site"):
        first = await open_app(make_test_app(tmp_path / "state"))
        await first.tap("language", "Arr")
        first.app.controller.close()
        second = await open_app(make_test_app(tmp_path / "state"))
        assert "Logbook" in second.texts()
        second.app.controller.close()
    third = await open_app(make_test_app(tmp_path / "state"))
    assert "Past games" in third.texts()
    await third.tap("language")
    assert "Arr" not in third.texts()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1920, 1080)], ids=str)
@pytest.mark.parametrize("lang", languages())
async def test_nothing_is_wrong_with_the_list(
    open_app: Any, tmp_path: Path, pirates: None, size: tuple[int, int], lang: str
) -> None:
    """The language that is read now is marked; names are whole and keys large at every size."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    await table.tap("language")
    assert table.find(f"language {lang}").chosen
    assert not table.find(f"language {PIRATES}").chosen
    assert find_faults(table, size) == []


def test_a_keyboard_that_a_language_names_is_there() -> None:
    """Whatever it may name, the screen has."""
    from ui.widgets.keys.keyboard import Keyboard

    assert {*KEYBOARD_LAYOUTS} <= {*Keyboard.script.options}
