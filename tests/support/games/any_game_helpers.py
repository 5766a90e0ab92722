"""Evenings of Any Game with templates: those that come along, or a few lines of a test's own."""

from __future__ import annotations

from pathlib import Path

from companion.games.any_game.rulebook import GAME
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import deck_of, read

NO_DIRECTORY = Path("/nonexistent")
COIN_CARD = 'id = "coin"\nkind = "piece"\nstart = 100\nworth = 1'
NAMES = ("Aki", "Ben", "Chie")


def begin_with_shipped_template(name: str, *names: str, **options: str) -> Script:
    """People with a template that comes along."""
    return Script(GAME, *(names or NAMES), options=options, decks={"any_game": deck_of(name, NO_DIRECTORY)})


def begin_with_cards_and_coins(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """People with a template of these cards, and 100 coins each."""
    return begin_with_cards(COIN_CARD, *cards, names=names, **options)


def begin_with_cards(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """People with a template of these cards."""
    text = "\n".join(f"[[card]]\n{card}" for card in cards)
    return Script(GAME, *names, options=options, decks={"any_game": read(text, "own.toml")})


def rules_card(**settings: object) -> str:
    """The design that says the rules of an evening."""
    lines = [
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in settings.items()
    ]
    return "\n".join(['id = "rules"', 'kind = "rules"', *lines])


def template_card(kind: str, name: str, /, **settings: object) -> str:
    """A place, a company, a category."""
    return (
        rules_card(**settings)
        .replace('"rules"', f'"{name}"', 1)
        .replace('kind = "rules"', f'kind = "{kind}"')
    )


def purse_counts(script: Script, piece: str = "coin") -> list[int]:
    """How many of a piece everybody holds."""
    return [script[f"{seat.name}/purse", piece] for seat in script.session.table.seats]


def question_text(script: Script) -> str:
    """The open question in words."""
    return render(script.question.text)


def rank_and_total_by_player(script: Script) -> dict[str, tuple[int, int]]:
    """Rank and total of each seat at the end."""
    script.says("table: finish")
    return {one["seat"]: (one["rank"], one["total"]) for one in script.result_json["standings"]}
