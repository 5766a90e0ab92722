"""Counts of pieces, as people say them: 4 coins, 37 $, Aki has only 3 gold."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.presets import chosen_preset_decks
from companion.rules.game import ChoiceOption, Game
from companion.session.session import Session
from companion.table.ledger import Piece, Place
from companion.table.seats import make_seats
from companion.testing.random_game import MISSING_STATE_DIRECTORY
from companion.texts import render, say, say_n, say_quantity

AKI, BEN = make_seats(["Aki", "Ben"])
SEVERAL = 4
GAMES = {key: game for key, game in installed_games.games().items() if isinstance(game, Game)}
TEMPLATES = next(
    [*option.choices]
    for option in GAMES["any_game"].options
    if isinstance(option, ChoiceOption) and option.key == "template"
)
TABLES: list[tuple[str, dict[str, str]]] = [(key, {}) for key in GAMES if key != "any_game"]
TABLES += [("any_game", {"template": name}) for name in TEMPLATES]


def pieces(key: str, options: dict[str, str]) -> Iterator[Piece]:
    """What people can move on the table of a game of ours, and of which there can be several."""
    game = GAMES[key]
    names = ("Aki", "Ben", "Chie", "Dai")[: max(2, game.players[0])]
    decks = chosen_preset_decks(game, options, MISSING_STATE_DIRECTORY) or None
    ledger = Session.begin(game, names, options, MemoryLog(), deck_by_name=decks).table.ledger
    for piece in ledger.pieces:
        laid = sum(account.count for account in ledger.accounts_of(piece))
        if not piece.is_marker and (piece.is_endless or laid > 1):
            yield piece


@pytest.mark.parametrize(("key", "options"), TABLES, ids=str)
def test_several_pieces_of_every_game_have_their_words(key: str, options: dict[str, str]) -> None:
    """In English a count and the plural, in Japanese a counter; no sign of multiplication in either."""
    for piece in pieces(key, options):
        english, japanese = (render(piece.quantity_text(SEVERAL), language) for language in ("en", "ja"))
        assert "×" not in english + japanese
        assert str(SEVERAL) in english
        assert str(SEVERAL) in japanese
        if re.search("[A-Za-z]", render(piece)):
            assert piece.count_label is not None, f"{piece.key}: a count of it has no words of its own"


COIN = Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2))


@pytest.mark.parametrize(
    ("piece", "count", "said"),
    [
        (COIN, 1, "1 coin"),
        (COIN, 4, "4 coins"),
        (COIN, "∞", "∞ coins"),
        (Piece("tulip", say("tulip token")), 3, "3 tulip tokens"),
        (Piece("wool", say("wool")), 3, "3 wool"),
        (Piece("money", say("{name}", name="$")), 37, "37 $"),
        (Piece("hundred", say("{name}", name="100")), 4, "4 × 100"),
        (Piece("chip 7", say("daughter {number}", number=7)), 1, "daughter 7"),
        (
            Piece("worker", say("worker"), count_label=say("{n} of {seat}'s workers", n=2, seat=AKI)),
            9,
            "9 of Aki's workers",
        ),
    ],
    ids=str,
)
def test_a_count_of_a_piece(piece: Piece, count: int | str, said: str) -> None:
    """In the words that the game gives, else as well as anybody can who knows only its name."""
    assert render(piece.quantity_text(count)) == said


def test_a_count_is_said_in_the_readers_language() -> None:
    """With the counter of the thing, also of what never runs out."""
    assert render(COIN.quantity_text(4), "ja") == "コイン4枚"
    assert render(COIN.quantity_text("∞"), "ja") == "コイン∞枚"
    assert render(say_quantity(3, say("gravel")), "ja") == "gravel 3"


@pytest.mark.parametrize(
    ("place", "said", "japanese"),
    [
        (Place(say("purse"), BEN), "Ben", "Benさん"),
        (Place(say("hand"), BEN), "Ben's hand", "Benさんの手札"),
        (Place(say("purse")), "purse", "財布"),
    ],
)
def test_what_is_in_a_purse_its_owner_has(place: Place, said: str, japanese: str) -> None:
    """A purse is called by its owner's name; any other place by its own."""
    assert render(place.label_as_owner) == said
    assert render(place.label_as_owner, "ja") == japanese
