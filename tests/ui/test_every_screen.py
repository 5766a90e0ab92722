"""Every screen and dialog of an evening, at every size, in every language, lying flat: nothing is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from scripts.album import CROWDS, TOURED, Album
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_table import PEOPLE

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (1280, 720), (720, 1280), (1920, 1080), (480, 800)]
LYING = [(800, 480), (480, 800), (1280, 720), (720, 1280)]
LOOKS = [*product(SIZES, languages(), (False,)), *product(LYING, languages(), (True,))]
LONG_NAMES = [*product(SIZES, languages())] if SOAK else [(SIZES[0], "de")]
"""All in a soak, otherwise the smallest window in the language with the longest words."""
ONE_OF = 1 if SOAK else 2
"""One in this many screens is looked at."""


async def find_faults_on_every_screen(
    table: Any, size: tuple[int, int], toured: Sequence[str], crowds: Sequence[int], people: Sequence[str]
) -> list[str]:
    """Returns what is wrong with the screens of an evening that is played by touch."""
    from ui.demo.hand import SimulatedFinger

    found: list[str] = []
    passed = count()

    async def look(what: str) -> None:
        await table.wait_frames(3)
        if next(passed) % ONE_OF == 0:
            found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    album = Album(table.app, SimulatedFinger(table.app, table.window), look, people)
    await album.fill(toured, crowds)
    return found


@pytest.mark.parametrize(("size", "lang"), LONG_NAMES, ids=lambda at: str(at).replace(", ", "x"))
async def test_names_of_twenty_letters_have_room_on_every_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """By touch, from the empty shelf to the score: texts whole and clear, keys large, apart and inside.

    On the smallest panel, too, twelve such people sit down, play, and look at their scores.
    """
    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    crowds = CROWDS if SOAK else CROWDS[-1:]
    found = await find_faults_on_every_screen(table, size, (), crowds, PEOPLE[lang])
    assert not found, "\n".join(found)


@pytest.mark.sweep(0)
@pytest.mark.parametrize(("size", "lang", "flat"), LOOKS, ids=lambda at: str(at).replace(", ", "x"))
async def test_nothing_is_wrong_with_any_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str, *, flat: bool
) -> None:
    """In every language, standing and lying flat, with every question of the recorded matches.

    Only a soak asks all that: what is wrong with short names is wrong with long ones, too.
    """
    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    table.app.controller.change_setting("placement", "flat" if flat else "standing")
    found = await find_faults_on_every_screen(table, size, TOURED, CROWDS, ())
    assert not found, "\n".join(found)
