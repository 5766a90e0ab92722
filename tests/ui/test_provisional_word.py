"""The badge of provisional values: the reason where there is free room, else a word or a sign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_sizes import SIZES
from tests.ui.test_refused_in_the_open import shown_badge

pytestmark = pytest.mark.usefixtures("without_motion")
WIDTHS = range(140, 1300, 37)


def describe(part: Any) -> list[object]:
    """Size, height and letters of everything in a part of the screen but its badge."""
    others = [one for one in part.walk() if one is not part.warning_badge and one is not part]
    letters = [(one.shown_text, one.font_size) for one in others if hasattr(one, "shown_text")]
    tops = [(one.center_y, one.height) for one in others]
    return [part.size, tops, letters]


async def begin(open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str = "en") -> Any:
    """The app with a game whose values are provisional."""
    table = await open_app(make_test_app(tmp_path, lang=lang), size)
    table.app.controller.start_new_game("bidders", NAMES, COLOURS, {})
    await table.wait_frames(4)
    return table


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_a_word_takes_only_free_room(open_app: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """At any width, heading and banner are as high as with the sign, and no text is smaller or elsewhere."""
    table = await begin(open_app, tmp_path, size)
    screen, words = table.app.stage.screen, set[str]()
    for part in (screen.heading, screen.question_banner):
        badge, texts = part.warning_badge, part.warning_badge._texts
        if part is screen.question_banner:
            part.is_warning_elsewhere = False
        for width in WIDTHS:
            seen = []
            for badge._texts in (("≈",), texts):
                heights = part.min_and_preferred_height(width)
                part.size = width, heights[0]
                part.draw_soon()
                await table.wait_frames(1)
                assert part.min_and_preferred_height(width) == heights
                assert part.x <= badge.x <= badge.right <= part.right + 1
                words.add(badge.text)
                seen.append(describe(part))
            assert seen[0] == seen[1], (part, width)
    assert words == {"≈", "provisional", "Some card values are guesses"}


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", SIZES)
async def test_the_heading_has_room_for_the_word(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """On every screen, in every language, behind a short heading."""
    table = await begin(open_app, tmp_path, size, lang)
    texts = ("Some card values are guesses", "provisional")
    words = {table.app.words.translate_text(lang, text) for text in texts}
    assert shown_badge(table.app.stage.screen).text in words
