"""Faces of cards in the picker: what is printed decides, so all of it can be read at every size."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.languages import languages
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_randomly, make_test_app
from tests.support.ui.screen_faults import letter_box

pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("plan", ["standing", "flat"])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (1920, 1080)])
async def test_all_that_is_printed_can_be_read(
    open_app: Any, tmp_path: Path, size: tuple[int, int], plan: str, lang: str
) -> None:
    """A property's name, how many there are of it and what it is worth, whenever one is asked for."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    table.app.controller.change_setting("placement", plan)
    controller, rng, seen = table.app.controller, Random(3), set[str]()
    controller.start_new_game("high_bid", NAMES, COLOURS, {})
    while (question := controller.view.question) is not None:
        if question.kind == "Read" and (about := question.text.template) not in seen:
            seen.add(about)
            await table.wait_frames(3)
            check_faces(table)
        answer_randomly(controller, rng)
    assert len(seen) > 2


def check_faces(table: Any) -> None:
    """Nothing that is printed is left out of a property's card."""
    from ui.widgets.keys.option_key import CardKey

    keys = [widget for widget in table.widgets() if isinstance(widget, CardKey)]
    faces = [key for key in keys if key.card.big is not None and key.card.row]
    assert len(faces) > 2
    for key in faces:
        printed = [key.card.big, *key.card.corners, *key.card.row]
        told = key.name, key.size
        strokes = [stroke for stroke, _ in key._applied if letter_box(stroke.keyword_args)]
        assert len(strokes) - len(printed) in (0, bool(key.card.emblem)), told


async def test_the_name_of_a_lot_stands_whole_on_its_card(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as wide as its longest word, however small the letters are beside it."""
    from ui.widgets.drawing.text import draw_text

    printed: list[str] = []

    def written(text: str, *how: Any) -> None:
        printed.append(text)
        draw_text(text, *how)

    monkeypatch.setattr("ui.widgets.pieces.card.draw_text", written)
    table = await open_app(make_test_app(tmp_path / "state"), (1024, 600))
    controller, rng = table.app.controller, Random(3)
    controller.start_new_game("high_bid", NAMES, COLOURS, {})
    while (question := controller.view.question) is not None:
        if question.kind == "Raise":
            await table.wait_frames(3)
        answer_randomly(controller, rng)
    assert len(set(printed)) > len(NAMES)
    assert not [text for text in printed if text.endswith("-")]
