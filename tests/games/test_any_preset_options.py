"""Any Game: options that a template sets, and that people can still choose otherwise."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.evening import Evening
from companion.games.any_game.preset_options import read_options
from companion.games.any_game.rulebook import GAME
from companion.presets import options_set_by_preset
from companion.store import Store
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import (
    NO_DIRECTORY,
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    rules_card,
)


def test_ties_of_dealers_go_by_turn_order_at_once() -> None:
    """Ben sells in secret; of two equal bids the one nearer to his left wins, without any option."""
    script = begin_with_shipped_template("dealers").says("table: start_player", "table: Ben")
    script.says("table: lot 0", "table: sealed", "Aki 7", "Ben 0", "Chie 7")
    assert script.last_notes[:2] == [
        "Tie at 7: Chie, Aki. Chie comes first in turn order.",
        "Chie wins Lime, lot 1 with 7.",
    ]


def test_what_people_choose_counts_before_what_the_template_sets() -> None:
    """A template is a proposal."""
    template = rules_card(auction="sealed", pays="second", tie_rule="order")
    assert begin_with_cards_and_coins(template).session.table.options["pays"] == "second"
    script = begin_with_cards_and_coins(template, pays="all")
    assert (script.session.table.options["pays"], script.session.table.options["tie_rule"]) == (
        "all",
        "turn_order",
    )


def test_an_evening_begins_with_the_options_of_its_template(tmp_path: Path) -> None:
    """As the terminal and JSON begin it; typed options are kept."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        evening = Evening(store)
        session = evening.begin_game("any_game", ["Aki", "Ben"], {"template": "dealers", "wins": "unique"})
        assert (session.table.options["ties"], session.table.options["wins"]) == ("order", "unique")
        assert evening.options_set_by_preset(GAME, "dealers")["ties"] == "order"


@pytest.mark.parametrize("name", SHIPPED)
def test_options_of_a_template_are_options_of_the_game(name: str) -> None:
    """Each value is one that people could choose; a template that sets nothing sets the usual values."""
    options = read_options(deck_of(name, NO_DIRECTORY))
    assert options_set_by_preset(GAME, NO_DIRECTORY, name) == options
    usual = GAME.parse_options({})
    unusual = {key: value for key, value in options.items() if value != usual[key]}
    assert unusual == ({"ties": "order"} if name == "dealers" else {})


def test_a_template_that_nobody_can_play_with_sets_nothing(tmp_path: Path) -> None:
    """Set-up goes on; the game then says what is wrong."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "odd.toml").write_text("card", encoding="utf-8")
    assert options_set_by_preset(GAME, tmp_path, "odd") == {}
    with (
        closing(Store.open(tmp_path, for_writing=True)) as store,
        pytest.raises(UserError, match=r"odd\.toml"),
    ):
        Evening(store).begin_game("any_game", ["Aki", "Ben"], {"template": "odd"})
