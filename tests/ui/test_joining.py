"""Players who come later, on the real window: an empty seat has a panel, until somebody joins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.any_game.rulebook import GAME
from companion.table.seats import SEAT_COLOURS
from tests.support.games.any_game_helpers import rules_card, template_card
from tests.ui.test_play import check_all

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Guest")
SIZE = (1280, 720)
CHIP = template_card("piece", "chip", look="chip", start=1000, worth=1)
POT = template_card("place", "pot")
POKER = rules_card(deal="left", payments="yes", auction="none", out="yes", join="yes")


@pytest.fixture
def chairs(tmp_path: Path) -> None:
    """A template that somebody may join."""
    deck = "\n".join(f"[[card]]\n{one}" for one in (CHIP, POT, POKER))
    (tmp_path / "state/templates").mkdir(parents=True)
    (tmp_path / "state/templates/chairs.toml").write_text(deck, encoding="utf-8")


@pytest.mark.usefixtures("chairs")
@pytest.mark.parametrize("lang", ["en", "ja"])
async def test_a_guest_joins(
    open_app: Any, make_app_with_clock: Any, lang: str, without_motion: None
) -> None:
    """The panel says that somebody comes later, until the table lets the player join."""
    table = await open_app(make_app_with_clock(lang), SIZE)
    controller = table.app.controller
    controller.start_new_game(GAME.key, NAMES, SEAT_COLOURS, {"template": "chairs"})
    await table.wait_frames()
    check_all(table, SIZE)
    await table.tap("Guest", "Everybody else is here" if lang == "en" else "ほかは全員いる")
    later = "comes later" if lang == "en" else "あとから参加"
    assert any(text == later for text in table.texts())
    check_all(table, SIZE)
    await table.tap("A player joins" if lang == "en" else "途中参加")
    assert later not in table.texts()
    assert controller.evening.table.ledger.find_account_by_keys("Guest/purse", "chip").count == 1000
    check_all(table, SIZE)
