"""House rules: the options with which a group always plays, of every installed game."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import installed_games
from companion.cards import Deck
from companion.errors import UnknownName, UserError
from companion.evening import Evening
from companion.house_rules import (
    GameVariant,
    find_game_variant,
    game_variants,
    load_house_rules,
    save_house_rule,
    save_moved_house_rules,
)
from companion.presets import PresetLibrary
from companion.rules.game import ChoiceOption, GameOption, NumberOption, option_value_as_typed
from companion.settings import has_saved_settings, load_settings
from companion.store import Store, archive
from companion.table.table import OptionValue
from companion.texts import render, say
from tests.support.third_party_packages import game_module_text, install_games

NAMES = ["Aki", "Ben", "Chie"]
OFFERS = [
    (variant.key, option.key)
    for game in installed_games.playable_games()
    for variant in game_variants(Path(), game)
    for option in variant.options
    if variant.preset_name in ("", "rummy", "estate", "workers")
]
"""The options of every game; of the many presets of a game a few, of which each uses other options."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store where nothing has been set."""
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        yield store


def variant_of(store: Store, words: str) -> GameVariant:
    """The game or the preset that people call so."""
    return find_game_variant(words, store.directory)


def other_value(option: GameOption, usual: OptionValue) -> OptionValue:
    """A value that isn't the usual one."""
    match option:
        case ChoiceOption(choices=choices):
            return next(choice for choice in choices if choice != usual)
        case NumberOption(least=least, most=most):
            return most if usual == least else least
    return "gold"


def options_of_a_new_game(
    store: Store, variant: GameVariant, typed: dict[str, str]
) -> dict[str, OptionValue]:
    """The options with which a game begins, if people choose only what they type."""
    preset = {} if variant.game.presets is None else {variant.game.presets.option: variant.preset_name}
    return dict(Evening(store).begin_game(variant.game.key, NAMES, preset | typed).began.options)


@pytest.mark.parametrize(("words", "option_key"), OFFERS)
def test_each_option_of_each_game_can_be_a_house_rule(store: Store, words: str, option_key: str) -> None:
    """A new game begins with it, also after a restart, unless people choose; reset, all is as before."""
    variant = variant_of(store, words)
    usual = options_of_a_new_game(store, variant, {})
    value = other_value(variant.find_option(option_key), usual[option_key])
    save_house_rule(store, variant, option_key, value)
    assert load_house_rules(store) == ({words: {option_key: value}}, {})
    store.close()
    with closing(Store.open(store.directory, for_writing=True)) as again:
        assert options_of_a_new_game(again, variant, {}) == usual | {option_key: value}
        typed = {option_key: option_value_as_typed(usual[option_key])}
        assert options_of_a_new_game(again, variant, typed) == usual
        save_house_rule(again, variant, option_key, variant.usual_values[option_key])
        assert load_house_rules(again) == ({}, {})
        assert options_of_a_new_game(again, variant, {}) == usual


def test_a_preset_has_house_rules_of_its_own(store: Store) -> None:
    """They count for no other preset, and follow a preset that people rename or delete."""
    rummy = variant_of(store, "any game rummy")
    save_house_rule(store, rummy, "tie_rule", "turn_order")
    assert options_of_a_new_game(store, variant_of(store, "any_game points"), {})["tie_rule"] == "shared"
    save_moved_house_rules(store, "any_game rummy", "any_game ours")
    library = PresetLibrary(rummy.game, store.directory)
    library.create_copy("ours", "rummy")
    ours = variant_of(store, "any_game ours")
    assert options_of_a_new_game(store, ours, {})["tie_rule"] == "turn_order"
    assert options_of_a_new_game(store, rummy, {})["tie_rule"] == "shared"
    library.delete("ours")
    rules, faults = load_house_rules(store)
    assert rules == {}
    sentence = "House rules are saved for any_game ours, which isn't installed or can't be loaded."
    assert [render(fault) for fault in faults["any_game ours"]] == [sentence]
    save_moved_house_rules(store, "any_game ours")
    assert load_house_rules(store) == ({}, {})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("egpt", 'There is no "egpt". Did you mean "egypt"?'),
        ("egypt rummy", "There is no game called egypt rummy. Installed games: "),
        ("any_game", "Type a template of Any Game after its name. Templates: plain, points, "),
        ("any_game rumy", 'There is no "rumy". Did you mean "rummy"?'),
    ],
)
def test_a_game_that_does_not_exist_is_refused(store: Store, words: str, why: str) -> None:
    """In a sentence that says which there are."""
    with pytest.raises(UnknownName) as refused:
        variant_of(store, words)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("words", "option_key", "value", "why"),
    [
        ("egypt", "payrule", "x", 'There is no "payrule". Did you mean "pay_rule"?'),
        ("mammon", "x", "x", "Mammon has no option x. Its options: none."),
        ("any_game rummy", "pays", "all", "rummy has no option pays. Its options: tie_rule."),
        ("egypt", "pay_rule", "x", "pay_rule must be one of own_bid, winning_bid, not x."),
        ("oyakata", "rounds", 3, "rounds must be a number from 1 to 2, not 3."),
    ],
)
def test_what_is_not_allowed_is_refused(
    store: Store, words: str, option_key: str, value: OptionValue, why: str
) -> None:
    """The sentence says what is allowed, and nothing has changed."""
    with pytest.raises(UserError) as refused:
        save_house_rule(store, variant_of(store, words), option_key, value)
    assert str(refused.value) == why
    assert load_house_rules(store) == ({}, {})
    assert not has_saved_settings(store)


def test_rules_that_do_not_go_together_are_refused(store: Store) -> None:
    """If nobody could begin a game with them, the game says why."""
    auctions = variant_of(store, "any_game property")
    with pytest.raises(UserError) as refused:
        save_house_rule(store, auctions, "most", 9)
    text = "This template's lowest bid is 10, so the highest bid allowed can't be 9."
    assert str(refused.value) == text
    assert load_house_rules(store) == ({}, {})
    save_house_rule(store, auctions, "most", 10)
    assert load_house_rules(store).rules == {"any_game property": {"most": 10}}


def test_a_usual_value_must_go_together_with_the_other_rules_too(store: Store) -> None:
    """Otherwise the next game couldn't begin; all usual rules at once are always possible."""

    def check_options(options: Mapping[str, OptionValue], _decks: object, _players: int) -> None:
        if options["rounds"] == 2 and options["bag_odds"] == "true":
            raise UserError(say("Odds need a short game."))

    oyakata = variant_of(store, "oyakata")
    oyakata = msgspec.structs.replace(
        oyakata, game=msgspec.structs.replace(oyakata.game, check_options=check_options)
    )
    save_house_rule(store, oyakata, "rounds", 1)
    save_house_rule(store, oyakata, "bag_odds", "true")
    with pytest.raises(UserError, match="Odds need a short game"):
        save_house_rule(store, oyakata, "rounds", 2)
    assert load_house_rules(store).rules == {"oyakata": {"rounds": 1, "bag_odds": "true"}}
    save_house_rule(store, oyakata, "bag_odds", "false")
    save_house_rule(store, oyakata, "rounds", 2)
    assert load_house_rules(store) == ({}, {})
    save_house_rule(store, oyakata, "rounds", 1)
    save_house_rule(store, oyakata, "bag_odds", "true")
    save_moved_house_rules(store, "oyakata")
    assert load_house_rules(store) == ({}, {})


def write_house_rules(directory: Path, text: str | bytes) -> None:
    """Writes what a later version or a damaged disk may have left."""
    with closing(sqlite3.connect(directory / "companion.sqlite3")) as db, db:
        db.execute("INSERT INTO setting VALUES ('house_rules', CAST(? AS TEXT), 0)", (text,))


UNUSABLE_RULE = "The house rule “{}” of {} can't be used. Until you change it, the usual rule is used."


@pytest.mark.parametrize(
    ("saved", "sentences"),
    [
        ({"egypt": {"pay_rule": "nothing"}}, [UNUSABLE_RULE.format("Payment", "Egypt")]),
        ({"egypt": {"pay_rule": None}}, [UNUSABLE_RULE.format("Payment", "Egypt")]),
        ({"oyakata": {"rounds": "1"}}, [UNUSABLE_RULE.format("Rounds", "Oyakata")]),
        ({"oyakata": {"rounds": True}}, [UNUSABLE_RULE.format("Rounds", "Oyakata")]),
        ({"oyakata": {"rounds": [[1]]}}, [UNUSABLE_RULE.format("Rounds", "Oyakata")]),
        ({"sealed_bid": {"unit": 5}}, [UNUSABLE_RULE.format("Unit", "Sealed bid")]),
        ({"egypt": {"taxes": "high"}}, ["Egypt has no option taxes, for which a house rule is saved."]),
        (
            {"harbour": {"tides": "high", "wind": 3}},
            ["House rules are saved for harbour, which isn't installed or can't be loaded."],
        ),
        (
            {"any_game": {"tie_rule": "money"}},
            ["House rules are saved for any_game, which isn't installed or can't be loaded."],
        ),
    ],
)
def test_what_can_not_be_used_is_told_in_a_sentence_and_stays_in_the_file(
    store: Store, saved: dict[str, Any], sentences: list[str]
) -> None:
    """The usual rule is used, and other house rules count; changing one of these keeps it."""
    high_bid = variant_of(store, "high_bid")
    write_house_rules(store.directory, json.dumps({**saved, "high_bid": {"penalty": "bid"}}))
    settings, faults = load_settings(store)
    assert [render(fault) for fault in faults] == sentences
    assert settings.house_rules == {"high_bid": {"penalty": "bid"}}
    assert Evening(store).begin_game("egypt", NAMES, {}).began.options == {"pay_rule": "own_bid"}
    save_house_rule(store, high_bid, "penalty", "warehouse")
    assert store.load_value("house_rules") == saved
    save_moved_house_rules(store, next(iter(saved)))
    assert load_settings(store).faults == []


@pytest.mark.parametrize("text", ["{", "7", '{"egypt": "winning_bid"}', "[" * 5000, b"\xff"])
def test_house_rules_that_can_not_be_read_are_replaced_by_the_next_one(
    store: Store, text: str | bytes
) -> None:
    """A sentence says so; games begin with the usual rules, and nothing else is lost."""
    write_house_rules(store.directory, text)
    store.save_value("sound", value=False)
    settings, faults = load_settings(store)
    assert [render(fault) for fault in faults] == [
        "The saved house rules can't be read. Until you change one, the usual rules are used."
    ]
    assert (settings.sound, settings.house_rules) == (False, {})
    assert Evening(store).begin_game("egypt", NAMES, {}).began.options == {"pay_rule": "own_bid"}
    save_house_rule(store, variant_of(store, "egypt"), "pay_rule", "winning_bid")
    assert load_house_rules(store) == ({"egypt": {"pay_rule": "winning_bid"}}, {})


def test_house_rules_are_in_a_backup(store: Store, tmp_path: Path) -> None:
    """They are there again when it is restored."""
    variant = variant_of(store, "egypt")
    Evening(store).begin_game("egypt", NAMES, {})
    save_house_rule(store, variant, "pay_rule", "winning_bid")
    archive.write_archive(store.directory, tmp_path / "kept.zip", "0.3.0", "2026-11-30T12:00:00+00:00", {})
    save_house_rule(store, variant, "pay_rule", "own_bid")
    store.close()
    archive.restore_archive(store.directory, tmp_path / "kept.zip")
    with closing(Store.open(store.directory)) as again:
        assert load_house_rules(again).rules == {"egypt": {"pay_rule": "winning_bid"}}


def test_a_game_whose_functions_fail_takes_no_other_game_with_it(store: Store) -> None:
    """It has no house rules, a sentence says so, and nothing crashes."""

    def fail(_deck: Deck) -> Mapping[str, str]:
        raise ValueError("no dice")

    any_game = installed_games.playable_game("any_game")
    assert any_game.presets is not None
    presets = msgspec.structs.replace(any_game.presets, read_options=fail)
    broken = msgspec.structs.replace(any_game, presets=presets)
    save_house_rule(store, variant_of(store, "egypt"), "pay_rule", "winning_bid")
    save_house_rule(store, variant_of(store, "any_game rummy"), "tie_rule", "money")
    with pytest.MonkeyPatch.context() as patch:
        games = {**installed_games.games(), "any_game": broken}
        patch.setattr(installed_games, "games", lambda: games)
        rules, faults = load_house_rules(store)
        assert list(game_variants(store.directory, broken)) == []
    assert rules == {"egypt": {"pay_rule": "winning_bid"}}
    assert list(faults) == ["any_game rummy"]


WEATHER = (
    'ChoiceOption("weather", say("Weather"), say("?"), "sun", choices={"sun": say("s"), "rain": say("r")})'
)


def test_a_game_of_another_package_keeps_its_house_rules_while_it_is_away(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uninstalled, a sentence names it; installed again, it begins with them."""
    site = tmp_path / "site"
    site.mkdir()
    install_games(site, {"clouds": game_module_text("clouds", more=f"options=({WEATHER},)")}, "sky")
    with monkeypatch.context() as installed:
        installed.syspath_prepend(site)
        save_house_rule(store, variant_of(store, "clouds"), "weather", "rain")
    sentence = "House rules are saved for clouds, which isn't installed or can't be loaded."
    assert [render(fault) for fault in load_settings(store).faults] == [sentence]
    with monkeypatch.context() as installed:
        installed.syspath_prepend(site)
        assert Evening(store).begin_game("clouds", NAMES, {}).began.options == {"weather": "rain"}
    sys.modules.pop("sky_clouds", None)
