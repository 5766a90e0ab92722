"""What an answer costs the screen, counted: only what is other is made, and nothing is drawn for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.ui.app_helpers import answer_questions

NAMES, COLOURS = ["Aki", "Ben", "ちえ"], ["orange", "sky", "green"]
OTHER = 7
"""Texts of a bid: on its key, who is asked and what, the highest bid and its seat, the bid on the strip, and
who has bid how much."""


@pytest.fixture
async def table(home: Any, without_motion: None) -> Any:
    """Aki and Ben have bid; now it is Chie's turn."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(controller, "1", True, 3)
    await home.wait_frames()
    await home.tap("confirm")
    await home.wait_frames()
    return home


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is made into a picture from now on."""
    from kivy.core.text import LabelBase

    texts: list[str] = []
    refresh = LabelBase.refresh

    def noted(label: Any) -> None:
        texts.append(label.text)
        refresh(label)

    monkeypatch.setattr(LabelBase, "refresh", noted)
    return texts


async def test_an_answer_of_the_same_kind_makes_no_widget(table: Any) -> None:
    """The widgets that are there show the next bidder's question."""
    before = list(table.widgets())
    await table.tap("confirm")
    await table.wait_frames()
    assert table.app.controller.view.question.seat.name == "Aki"
    assert [widget for widget in table.widgets() if widget not in before] == []


async def test_an_answer_of_the_same_kind_makes_only_the_texts_that_changed(
    table: Any, made: list[str]
) -> None:
    """Each of them once: its size is found without making it, and those that say the same keep theirs."""
    await table.tap("1", "7")  # no test has bid so much before: nothing of it is remembered
    await table.wait_frames()
    made.clear()
    before = {widget: widget.texture for widget in table.widgets() if hasattr(widget, "texture")}
    said = {widget: widget.text for widget in before}
    await table.tap("confirm")
    await table.wait_frames()
    assert "Aki" in made
    assert "Bid\n18" in made
    assert len(made) <= OTHER, made
    alike = [widget for widget in before if widget.text == said[widget]]
    assert all(widget.texture is before[widget] for widget in alike)
    assert len(alike) > OTHER


async def test_nothing_is_drawn_while_nothing_happens(table: Any) -> None:
    """An open question rests: no frame is shown until somebody touches something."""
    shown: list[object] = []
    await table.wait_frames(5)
    table.window.bind(on_flip=shown.append)
    await table.wait_frames(2)  # what was changed before anybody looked
    shown.clear()
    await table.wait_frames(30)
    assert shown == []
    await table.tap("confirm")
    await table.wait_frames(2)
    table.window.unbind(on_flip=shown.append)
    assert shown
