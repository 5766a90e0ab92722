"""Every screen and dialog of an evening, at every size, in every language, lying flat: nothing is wrong."""

from __future__ import annotations

from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from scripts.album import CROWDS, TOURED, Album
from tests.support.long_names import PEOPLE
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (1280, 720), (720, 1280), (1920, 1080), (480, 800)]
LYING = [(800, 480), (480, 800), (1280, 720), (720, 1280)]
LOOKS = [*product(SIZES, languages(), (False,)), *product(LYING, languages(), (True,))]
LOOKED_AT = LOOKS if SOAK else [(SIZES[-1], "de", False)]
"""All in a soak, otherwise the narrowest window in the language with the longest words."""
ONE_OF = 1 if SOAK else 3
"""One in this many screens is looked at."""


LONG = [*product(SIZES, languages())] if SOAK else [(SIZES[0], "ja")]


@pytest.mark.parametrize(("size", "lang"), LONG, ids=lambda at: str(at).replace(", ", "x"))
async def test_names_of_twenty_letters_have_room_on_every_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """On the smallest panel, too, twelve such people sit down, play, and look at their scores.

    In a soak, they also see all other screens of an evening.
    """
    from ui.demo.hand import SimulatedFinger

    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    found: list[str] = []

    async def look(what: str) -> None:
        await table.wait_frames(3)
        found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    album = Album(table.app, SimulatedFinger(table.app, table.window), look, PEOPLE[lang])
    await (album.fill((), CROWDS) if SOAK else album.show_crowd(CROWDS[-1]))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("size", "lang", "flat"), LOOKED_AT, ids=lambda at: str(at).replace(", ", "x"))
async def test_nothing_is_wrong_with_any_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str, *, flat: bool
) -> None:
    """By touch, from the empty shelf to the score: texts whole and clear, keys large, apart and inside."""
    from ui.demo.hand import SimulatedFinger

    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    table.app.controller.change_setting("placement", "flat" if flat else "standing")
    found: list[str] = []
    passed = count()

    async def look(what: str) -> None:
        await table.wait_frames(3)
        if next(passed) % ONE_OF == 0:
            found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    album = Album(table.app, SimulatedFinger(table.app, table.window), look)
    await album.fill(*(TOURED, CROWDS) if SOAK else ((), ()))
    assert not found, "\n".join(found)
