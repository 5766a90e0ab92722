"""One whole evening with each of twenty well-known games by touch on the real window, from home to the score.

What people say is played once without a screen, as a recorded match; then a simulated hand plays the record.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.games.any_game.rulebook import GAME
from companion.presets import starting_decks, with_own_presets
from companion.table.ledger import Ledger
from companion.table.scores import GameResult
from companion.testing import Script
from tests.support.games.twenty_evenings import TWENTY_EVENINGS, Evening, ranks_of_totals
from tests.support.ui.app_helpers import make_test_app

COPY_NAME = "copy"
"""The name of a copied template."""
MAX_RECORDED_EVENTS = 60
"""The most answers and payments of an evening; more would take too long on the window."""


def begin_evening(evening: Evening, state: Path) -> Script:
    """Begins an evening without a screen, with people's own copy of a template in `state`."""
    options = {"template": evening.template, **evening.options}
    if evening.copy_text:
        folder = state / "templates"
        folder.mkdir(parents=True)
        (folder / f"{COPY_NAME}.toml").write_text(evening.copy_text, encoding="utf-8")
        options["template"] = COPY_NAME
    game, decks = with_own_presets(GAME, state), starting_decks(GAME, state, options)
    return Script(game, *evening.names, options=options, decks=decks)


def money_by_place(ledger: Ledger, evening: Evening) -> dict[str, int]:
    """Returns how much money lies at the places that an evening names."""
    return {
        place: sum(
            ledger.find_account_by_keys(place, note).count * value
            for note, value in evening.note_values.items()
        )
        for place in evening.money
    }


def count_pieces(ledger: Ledger) -> Counter[str]:
    """Returns how many of each piece there are in all places together; markers aren't counted."""
    counts = Counter[str]()
    for account in ledger:
        if not account.piece.is_marker:
            counts[account.piece.key] += account.count
    return counts


def test_every_well_known_game_has_an_evening() -> None:
    """The evenings are those of the table in docs/games/any_game.md, with the template that it names."""
    page = Path("docs/games/any_game.md").read_text(encoding="utf-8")
    table = page.partition("### Twenty well-known games")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \|", table, re.MULTILINE)
    assert rows == [(game, make().template) for game, make in TWENTY_EVENINGS.items()]


@pytest.mark.sweep(1)
@pytest.mark.usefixtures("without_motion")
@pytest.mark.parametrize("game", TWENTY_EVENINGS)
async def test_a_whole_evening_is_played_by_touch(open_app: Any, tmp_path: Path, game: str) -> None:
    """Everybody has the rank, total and money of our own books, and no piece is lost."""
    from ui.demo.demo import Demonstration
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    evening, state = TWENTY_EVENINGS[game](), tmp_path / "state"
    script = begin_evening(evening, state)
    counts_at_start = count_pieces(script.session.table.ledger)
    script.says(*evening.lines)
    assert not script.question_log_key
    assert len(script.log) <= MAX_RECORDED_EVENTS
    table = await open_app(make_test_app(state, lang=evening.lang), evening.size)
    hand = AnsweringHand(table.app, SimulatedFinger(table.app, table.window))
    result: GameResult = await Demonstration(table.app, hand, {}, None).play_match(script.log)
    ranks = evening.ranks or ranks_of_totals(evening.totals, lowest_wins=evening.lowest_wins)
    assert {one.seat.name: (one.rank, one.total) for one in result.standings} == {
        name: (ranks[name], evening.totals[name]) for name in evening.names
    }
    ledger = table.app.evening.table.ledger
    assert money_by_place(ledger, evening) == evening.money
    assert {key: ledger.find_account_by_keys(*key).count for key in evening.holdings} == evening.holdings
    assert count_pieces(ledger) == counts_at_start
