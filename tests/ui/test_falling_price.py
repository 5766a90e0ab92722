"""A lot whose price falls, on the real window: by the clock, until somebody's key is touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.clocks import read
from companion.games.any_game.rulebook import GAME
from tests.games.any_evening import COIN, rules
from tests.ui.clock_table import Seconds, pass_time
from tests.ui.cuts import check_texts
from tests.ui.evening import COLOURS, NAMES, answer


async def test_a_price_falls_until_a_key_is_touched(
    open_table: Any, app_at: Any, seconds: Seconds, tmp_path: Path, nothing_moves: None
) -> None:
    """Each price stands for its seconds; who can't pay is told why; the first touch has the lot."""
    deck = "\n".join(f"[[card]]\n{card}" for card in (COIN, rules(auction="falling", step=15, reserve=20)))
    (tmp_path / "state/templates").mkdir(parents=True)
    (tmp_path / "state/templates/falling.toml").write_text(deck, encoding="utf-8")
    table = await open_table(app_at())
    evening = table.app.evening
    evening.begin(GAME.key, NAMES, COLOURS, {"template": "falling"}, read("price=4 answer"))
    answer(evening, "auction", 110)
    await table.frames()
    assert "lot 1 for 110" in table.texts()
    await table.tap("Aki")
    assert any("Aki can't pay 110." in text for text in table.texts())
    await pass_time(table, seconds, 4.5)
    assert "lot 1 for 95" in table.texts()
    check_texts(table.widgets())
    await table.tap("Ben")
    assert evening.headless.session.table.ledger.find("Ben/purse", "coin").count == 5
