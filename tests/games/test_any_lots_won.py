"""What an auction's winner has won lies before them, by its name, for all to see."""

from __future__ import annotations

from companion import catalogue
from companion.scenes import lay
from companion.session.view import view
from companion.templates import deck_of
from companion.testing import Script
from companion.words import render
from tests.games.any_evening import NOWHERE


def auctioning(*names: str) -> Script:
    """The template of named lots."""
    decks = {"any_game": deck_of("auction", NOWHERE)}
    return Script(catalogue.game("any_game"), *names, options={"template": "auction"}, decks=decks)


def won(script: Script) -> dict[str, list[str]]:
    """What the strips say that everybody has won."""
    mats = lay(view(script.session), script.session.scene).mats
    return {mat.seat.name: [render(piece) for row in mat.rows for piece, _ in row.things] for mat in mats}


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
    decks = {"any_game": deck_of("property", NOWHERE)}
    script = Script(catalogue.game("any_game"), "Aki", "Ben", options={"template": "property"}, decks=decks)
    script.says("table: auction", "Aki 10", "Ben pass")
    assert won(script) == {"Aki": ["lot 1"], "Ben": []}
