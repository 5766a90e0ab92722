"""Begins scripts of Any Game with shipped templates, or with templates of a few lines in a test."""

from __future__ import annotations

from pathlib import Path

from companion.games.any_game.rulebook import GAME
from companion.rulebook import Deck
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import deck_of, read

NO_DIRECTORY = Path("/nonexistent")
COIN_CARD = 'id = "coin"\nkind = "piece"\nstart = 100\nworth = 1'
NAMES = ("Aki", "Ben", "Chie")


def begin_with_shipped_template(name: str, *names: str, **options: str) -> Script:
    """Begins Any Game with a shipped template."""
    return Script(GAME, *(names or NAMES), options=options, decks={"any_game": deck_of(name, NO_DIRECTORY)})


def begin_with_cards_and_coins(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """Begins Any Game with a template of these cards, and 100 coins for each player."""
    return begin_with_cards(COIN_CARD, *cards, names=names, **options)


def begin_with_cards(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """Begins Any Game with a template of these cards."""
    return Script(GAME, *names, options=options, decks={"any_game": template_deck(*cards)})


def template_deck(*cards: str) -> Deck:
    """Returns the deck of a template of these cards."""
    return read("\n".join(f"[[card]]\n{card}" for card in cards), "own.toml")


def rules_card(**settings: object) -> str:
    """Returns the template card with the rules."""
    lines = [
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in settings.items()
    ]
    return "\n".join(['id = "rules"', 'kind = "rules"', *lines])


def template_card(kind: str, name: str, /, **settings: object) -> str:
    """Returns a template card of another kind, such as a place, a company or a category."""
    return (
        rules_card(**settings)
        .replace('"rules"', f'"{name}"', 1)
        .replace('kind = "rules"', f'kind = "{kind}"')
    )


def purse_counts(script: Script, piece: str = "coin") -> list[int]:
    """Returns how many of a piece each player holds."""
    return [script[f"{seat.name}/purse", piece] for seat in script.session.table.seats]


def question_text(script: Script) -> str:
    """Returns the text of the open question."""
    return render(script.question.text)


def rank_and_total_by_player(script: Script) -> dict[str, tuple[int, float]]:
    """Finishes the game; returns rank and total of each player."""
    script.says("table: finish")
    return {one["seat"]: (one["rank"], one["total"]) for one in script.result_json["standings"]}
