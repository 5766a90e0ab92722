"""House rules on the touchscreen: set once in the settings, chosen in every set-up from then on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from companion import installed_games
from companion.house_rules import find_game_variant, game_variants, load_house_rules
from companion.languages import languages
from companion.rules.game import ChoiceOption, NumberOption
from tests.support.soak import SOAK
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.setting_slips import choose, turn_to_slip

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)]
LOOKS = list(product(SIZES, languages())) if SOAK else [(SIZES[0], "de"), (SIZES[1], "ja")]


async def open_house_rules(table: Any, game_key: str) -> None:
    """Opens the house rules of a game from home; settings are one touch away."""
    await table.tap("settings")
    await turn_to_slip(table, "house rules")
    await table.tap("house rules")
    await turn_to_slip(table, game_key)
    await table.tap(game_key)


async def test_a_house_rule_is_chosen_in_every_set_up(start: Callable[..., Any]) -> None:
    """Also after a restart; who chooses otherwise there, does so for that game only."""
    table = await start()
    await open_house_rules(table, "egypt")
    await choose(table, "pay_rule", "winning_bid")
    await table.tap("close")
    assert "Payment: the winning bid" in table.texts()
    table.app.close_evening()
    table = await start()
    await set_up_egypt(table)
    assert table.find("pay_rule winning_bid").chosen
    await choose(table, "pay_rule", "own_bid")
    await table.tap("begin")
    assert table.app.evening.table.options == {"pay_rule": "own_bid"}
    table.app.controller.put_away()
    await table.wait_frames()
    await set_up_egypt(table)
    assert table.find("pay_rule winning_bid").chosen
    await table.tap("begin")
    assert table.app.evening.table.options == {"pay_rule": "winning_bid"}


async def set_up_egypt(table: Any) -> None:
    """Opens the rules of Egypt before a game."""
    await table.tap("Egypt", "rules")


async def test_the_usual_rules_are_one_touch_away(start: Callable[..., Any]) -> None:
    """All house rules of the game are gone then; the usual value, chosen by hand, is no house rule either."""
    table = await start()
    await open_house_rules(table, "oyakata")
    assert table.find("usual rules").disabled
    await turn_to_slip(table, "less rounds")
    await table.tap("less rounds")
    assert table.app.controller.settings.house_rules == {"oyakata": {"rounds": 1}}
    await table.tap("more rounds")
    assert table.app.controller.settings.house_rules == {}
    await table.tap("less rounds", "usual rules")
    assert not table.find("less rounds").disabled
    assert table.find("usual rules").disabled
    assert load_house_rules(table.app.evening.store) == ({}, {})


async def test_a_template_has_house_rules_of_its_own(start: Callable[..., Any]) -> None:
    """People choose it from a list; renamed, it keeps them; deleted, they are gone."""
    table = await start()
    await open_house_rules(table, "any_game")
    await table.tap("rules of rummy")
    await choose(table, "tie_rule", "money")
    rules = {"any_game rummy": {"tie_rule": "money"}}
    assert table.app.controller.settings.house_rules == rules
    await table.tap("close")
    assert "1 template with house rules" in table.texts()
    await table.tap("any_game")
    assert table.find("rules of rummy").chosen
    controller, flow = table.app.controller, table.app.preset_flow
    table.app.open_presets(installed_games.playable_game("any_game"), lambda _: None)
    flow._rename_in_choices("rummy", "ours")
    assert controller.settings.house_rules == {"any_game ours": {"tie_rule": "money"}}
    flow._rename_in_choices("ours", "")
    assert controller.settings.house_rules == {}
    assert load_house_rules(table.app.evening.store) == ({}, {})


async def test_each_option_of_each_game_is_chosen_in_set_up(start: Callable[..., Any]) -> None:
    """Every game, and one of its templates, begins with all its house rules."""
    table = await start()
    controller = table.app.controller
    for game in installed_games.playable_games():
        variant = next(game_variants(table.app.evening.store.directory, game), None)
        if variant is None:
            continue
        wanted = dict(variant.usual_values)
        for option in variant.options:
            usual = wanted[option.key]
            match option:
                case ChoiceOption(choices=choices):
                    wanted[option.key] = next(choice for choice in choices if choice != usual)
                case NumberOption(least=least, most=most):
                    wanted[option.key] = most if usual == least else least
                case _:
                    wanted[option.key] = "gold"
            controller.change_house_rule(variant, option.key, wanted[option.key])
        table.app.home_flow.open_set_up(game.key, variant.preset_name)
        await table.wait_frames()
        chosen = table.app.stage.screen.value_by_option
        assert {key: chosen[key] for key in wanted} == wanted


async def test_rules_of_a_game_that_is_away_can_be_deleted(start: Callable[..., Any]) -> None:
    """They are kept until people do so; the start says that they aren't used."""
    table = await start()
    table.app.evening.store.save_value("house_rules", {"harbour": {"tides": "high"}})
    table.app.close_evening()
    table = await start()
    sentence = "House rules are saved for harbour, which isn't installed or can't be loaded."
    assert sentence in table.texts()
    await table.tap("done")
    await open_house_rules(table, "harbour")
    assert "harbour" not in table.texts()
    assert load_house_rules(table.app.evening.store) == ({}, {})


async def test_rules_that_can_not_be_used_end_with_the_usual_rules(start: Callable[..., Any]) -> None:
    """One touch deletes an option that the game hasn't any more, of which there is no slip."""
    table = await start()
    table.app.evening.store.save_value("house_rules", {"egypt": {"taxes": "high"}})
    await open_house_rules(table, "egypt")
    await table.tap("usual rules")
    assert table.find("usual rules").disabled
    assert load_house_rules(table.app.evening.store) == ({}, {})


async def test_rules_that_do_not_go_together_are_refused_on_the_page(start: Callable[..., Any]) -> None:
    """The game says why, and the slip shows what it showed before."""
    table = await start()
    await open_house_rules(table, "any_game")
    page = find_game_variant("any_game property", table.app.evening.store.directory)
    await turn_to_slip(table, "rules of property")
    await table.tap("rules of property")
    await turn_to_slip(table, "most")
    await table.tap("most", "9", "confirm")
    text = "This template's lowest bid is 10, so the highest bid allowed can't be 9."
    assert text in table.texts()
    await table.tap("done")
    assert table.find("most").text == "None"
    assert page.key not in table.app.controller.settings.house_rules


async def test_in_safe_mode_no_house_rule_counts(start: Callable[..., Any]) -> None:
    """One that is set then is forgotten at the next start, and the saved ones stay."""
    table = await start()
    egypt = find_game_variant("egypt", table.app.evening.store.directory)
    table.app.controller.change_house_rule(egypt, "pay_rule", "winning_bid")
    controller = table.app.controller
    controller.is_safe_mode = True
    assert controller.load_settings(None) == []
    assert controller.settings.house_rules == {}
    await set_up_egypt(table)
    assert table.find("pay_rule own_bid").chosen
    controller.move_house_rules("egypt")
    assert load_house_rules(table.app.evening.store).rules == {"egypt": {"pay_rule": "winning_bid"}}


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), LOOKS, ids=lambda at: str(at).replace(", ", "x"))
async def test_nothing_is_wrong_with_the_pages(
    start: Callable[..., Any], size: tuple[int, int], lang: str
) -> None:
    """The games, a game with many options, and the list of templates."""
    table = await start(size, lang=lang)
    await open_house_rules(table, "oyakata")
    found = find_faults(table, size)
    await table.tap("close")
    found += find_faults(table, size)
    await turn_back_to(table, "any_game")
    found += find_faults(table, size)
    await table.tap("any_game")
    await table.wait_frames(3)
    found += find_faults(table, size)
    assert found == []


async def turn_back_to(table: Any, name: str) -> None:
    """Turns the pages back until the key with that name is shown."""
    while name not in [getattr(widget, "name", "") for widget in table.widgets()]:
        await table.tap("page back")
