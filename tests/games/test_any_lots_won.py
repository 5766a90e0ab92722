"""What an auction's winner has won lies before them, by its name, for all to see."""

from __future__ import annotations

from companion import installed_games
from companion.scenes import evaluate_scene
from companion.session.view import make_view
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import (
    NO_DIRECTORY,
    begin_with_cards_and_coins,
    rules_card,
    template_card,
)


def auctioning(*names: str) -> Script:
    """The template of named lots."""
    decks = {"any_game": deck_of("auction", NO_DIRECTORY)}
    return Script(
        installed_games.playable_game("any_game"), *names, options={"template": "auction"}, decks=decks
    )


def lots(script: Script) -> dict[str, list[tuple[str, int | None]]]:
    """What the strips say that everybody has won, and how often."""
    mats = evaluate_scene(make_view(script.session), script.session.scene).mats
    return {
        mat.seat.name: [(render(piece), count) for row in mat.rows for piece, count in row.counted_pieces]
        for mat in mats
    }


def won(script: Script) -> dict[str, list[str]]:
    """Only what."""
    return {name: [lot for lot, _ in each] for name, each in lots(script).items()}


def test_lots_lie_before_whoever_won_them() -> None:
    """Each by its name; undo takes it back."""
    script = auctioning("Aki", "Ben")
    script.says("table: auction", "table: Vase", "Aki 5", "Ben 6", "Aki pass")
    assert won(script) == {"Aki": [], "Ben": ["Vase"]}
    script.says("table: auction", "table: Chair", "Aki 5", "Ben pass")
    assert won(script) == {"Aki": ["Chair"], "Ben": ["Vase"]}
    script.session.undo()
    assert won(script) == {"Aki": [], "Ben": ["Vase"]}


def test_a_lot_without_a_name_lies_there_by_its_number() -> None:
    """Where the template asks for no names."""
    decks = {"any_game": deck_of("property", NO_DIRECTORY)}
    script = Script(
        installed_games.playable_game("any_game"), "Aki", "Ben", options={"template": "property"}, decks=decks
    )
    script.says("table: auction", "Aki 10", "Ben pass")
    assert won(script) == {"Aki": ["lot 1"], "Ben": []}


def test_a_lot_sold_by_sealed_bid_lies_there_too() -> None:
    """Lots without a name are counted; nobody gets one where nobody wins."""
    script = begin_with_cards_and_coins(rules_card(), names=("Aki", "Ben"))
    for aki, ben in ((3, 8), (4, 4), (0, 0), (2, 9)):
        script.says("table: sealed_bid", f"Aki {aki}", f"Ben {ben}")
    assert lots(script) == {"Aki": [], "Ben": [("lot", 2)]}
    script.session.undo(past_reveal=True)
    assert lots(script) == {"Aki": [], "Ben": [("lot", 1)]}


def test_each_named_lot_of_a_sealed_bid_lies_there_by_its_name() -> None:
    """Whoever wins several sees each; one without a name lies there as a lot."""
    script = begin_with_cards_and_coins(rules_card(names="yes"), names=("Aki", "Ben"))
    for name in ("Vase", "Chair", "No name", "Vase"):
        script.says("table: sealed_bid", f"table: {name}", "Aki 3", "Ben 8")
    assert lots(script)["Ben"] == [("Vase", 1), ("Chair", 1), ("lot", 1), ("Vase", 1)]


def test_sealed_bids_beside_auctions_of_shares_show_their_lots() -> None:
    """Shares lie where shares lie; what a sealed bid was for lies among the lots won."""
    script = begin_with_cards_and_coins(
        rules_card(lots="shares"), template_card("company", "mill", shares=4), names=("Aki", "Ben")
    )
    script.says("table: sealed_bid", "Aki 3", "Ben 8")
    assert lots(script) == {"Aki": [], "Ben": [("lot", 1)]}
