"""Evenings of Any Game with templates: those that come along, or a few lines of a test's own."""

from __future__ import annotations

from pathlib import Path

from companion.games.any_game.rulebook import GAME
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import deck_of, read

NOWHERE = Path("/nonexistent")
COIN = 'id = "coin"\nkind = "piece"\nstart = 100\nworth = 1'
NAMES = ("Aki", "Ben", "Chie")


def evening(name: str, *names: str, **options: str) -> Script:
    """People with a template that comes along."""
    return Script(GAME, *(names or NAMES), options=options, decks={"any_game": deck_of(name, NOWHERE)})


def own(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """People with a template of these cards, and 100 coins each."""
    return table(COIN, *cards, names=names, **options)


def table(*cards: str, names: tuple[str, ...] = NAMES, **options: str) -> Script:
    """People with a template of these cards."""
    text = "\n".join(f"[[card]]\n{card}" for card in cards)
    return Script(GAME, *names, options=options, decks={"any_game": read(text, "own.toml")})


def rules(**said: object) -> str:
    """The design that says the rules of an evening."""
    lines = [
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in said.items()
    ]
    return "\n".join(['id = "rules"', 'kind = "rules"', *lines])


def card(kind: str, name: str, /, **said: object) -> str:
    """A place, a company, a category."""
    return rules(**said).replace('"rules"', f'"{name}"', 1).replace('kind = "rules"', f'kind = "{kind}"')


def purses(script: Script, piece: str = "coin") -> list[int]:
    """How many of a piece everybody holds."""
    return [script[f"{seat.name}/purse", piece] for seat in script.session.table.seats]


def asks(script: Script) -> str:
    """The open question in words."""
    return render(script.question.text)


def totals(script: Script) -> dict[str, tuple[int, int]]:
    """Rank and total of each seat at the end."""
    script.says("table: finish")
    return {one["seat"]: (one["rank"], one["total"]) for one in script.result_json["standings"]}
