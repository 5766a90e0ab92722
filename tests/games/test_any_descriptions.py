"""Any Game: what people read and see of a template before they choose it."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games.any_game.descriptions import DESCRIPTION_BY_TEMPLATE, describe_template
from companion.games.any_game.preset_options import find_unused_options
from companion.games.any_game.rulebook import GAME
from companion.rules.preset_pictures import PICTURE_SIGNS
from companion.table.ledger import PIECE_LOOKS
from companion.texts import render
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    NO_DIRECTORY,
    rules_card,
    template_card,
    template_deck,
)

TEMPLATES = ("plain", *SHIPPED)
MAX_TEMPLATES_IN_GROUP = 6
"""As many cards have room on a page of the smallest screen, so that each is three touches away from home."""


def test_each_template_that_ships_has_its_own_texts() -> None:
    """A sentence, what it is good for, and numbers of players that the game allows."""
    assert set(DESCRIPTION_BY_TEMPLATE) == set(TEMPLATES)
    sentences = {one.sentence.template for one in DESCRIPTION_BY_TEMPLATE.values()}
    assert len(sentences) == len(TEMPLATES)
    least, most = GAME.players
    assert all(least <= one.players[0] <= one.players[1] <= most for one in DESCRIPTION_BY_TEMPLATE.values())
    assert all(one.good_for.template for one in DESCRIPTION_BY_TEMPLATE.values())


def test_no_group_is_too_large_for_a_page() -> None:
    """Nobody turns pages to find a template of a group."""
    groups = [one.group for one in DESCRIPTION_BY_TEMPLATE.values()]
    assert max(map(groups.count, groups)) <= MAX_TEMPLATES_IN_GROUP


def test_templates_of_a_group_have_different_pictures() -> None:
    """What a template keeps track of is seen before it is read."""
    described = {name: describe_template(name, deck_of(name, NO_DIRECTORY)) for name in TEMPLATES}
    alike = [
        (one, other)
        for one, other in combinations(TEMPLATES, 2)
        if described[one].group == described[other].group
        and described[one].picture == described[other].picture
    ]
    assert alike == []
    for each in described.values():
        assert each.picture.signs or each.picture.pieces
        assert set(each.picture.signs) <= set(PICTURE_SIGNS)
        assert {piece.look for piece in each.picture.pieces} <= set(PIECE_LOOKS)


@pytest.mark.parametrize(
    ("cards", "sentence", "group"),
    [
        ((rules_card(scoring="rounds"), template_card("category", "p")), "points by round", "Points"),
        ((COIN_CARD,), "money, auctions", "Auctions"),
        ((template_card("track", "t", goal=4, ends="won"),), "tracks", "Boards"),
    ],
)  # fmt: skip  # one line a template
def test_a_template_of_our_own_lists_its_features(cards: tuple[str, ...], sentence: str, group: str) -> None:
    """Its sentence, its group and its picture follow from what stands in it."""
    described = describe_template("ours", template_deck(*cards))
    assert render(described.sentence) == f"Our own: {sentence}."
    assert described.group.template == group


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_option_that_a_template_sets_is_offered(name: str) -> None:
    """Options without an effect are left out of set-up; the key of the template is no such option."""
    deck = deck_of(name, NO_DIRECTORY)
    assert GAME.presets is not None
    usual = GAME.parse_options({})
    changed = {key for key, value in GAME.presets.read_options(deck).items() if value != usual[key]}
    assert changed.isdisjoint(find_unused_options(deck))
    assert set(find_unused_options(deck)) <= {option.key for option in GAME.options} - {"template"}
