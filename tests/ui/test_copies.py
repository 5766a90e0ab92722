"""What the screen begins a game with: the values printed on the owner's copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.games.bidders import rulebook as bidders
from companion.owner_decks import OwnerDeck
from tests.support.ui.app_helpers import COLOURS, NAMES


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Any]:
    """An evening without a window, in a state directory of its own."""
    from companion.store import Store
    from ui.evening.controller import TableController

    with closing(TableController(Store.open(tmp_path / "state", for_writing=True))) as controller:
        yield controller


def test_a_game_on_the_screen_begins_with_what_was_entered(controller: Any, tmp_path: Path) -> None:
    """Provisional values are called so on the screen; once all are entered, the next game isn't."""
    copy = OwnerDeck(bidders.GAME, "bidders", tmp_path / "state")
    assert controller.start_new_game("bidders", NAMES, COLOURS, {})
    assert controller.view.has_provisional_values
    copy.save_rows(msgspec.structs.replace(copy.load_rows(), provisional=False), "here")
    assert controller.start_new_game("bidders", NAMES, COLOURS, {})
    assert not controller.view.has_provisional_values


def test_a_broken_file_is_told_on_the_screen(controller: Any, tmp_path: Path) -> None:
    """A file that was broken by hand begins no game; the screen gets the sentence with file and key."""
    copy = OwnerDeck(bidders.GAME, "bidders", tmp_path / "state")
    copy.path.parent.mkdir()
    copy.path.write_text("[board]\n", encoding="utf-8")
    told: list[str] = []
    controller.bind(on_refusal=lambda _, text, seat: told.append(text.in_language("en")))
    assert not controller.start_new_game("bidders", NAMES, COLOURS, {})
    assert told == [f"{copy.path}: board.hearts is missing."]
    assert controller.view is None
    assert controller.evening.find_open_game() is None
