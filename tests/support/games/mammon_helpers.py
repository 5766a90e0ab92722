"""What tests of Mammon do at the table again and again; nothing here knows more than the questions say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.games.mammon.rulebook import GAME
from companion.requests import Choose
from companion.testing import Script
from tests.support.games.script_helpers import holding

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
COLOURS = ("orange", "sky", "green", "vermilion", "purple")
COLOUR = dict(zip(NAMES, COLOURS, strict=True))


def laid_out(players: int = 3) -> Script:
    """The row lies there, its first card is turned up, and everybody is asked for the first start wager."""
    return Script(GAME, *NAMES[:players]).says("table: done")


def started(players: int = 3, starter: str = "Aki") -> Script:
    """The start player bet 1 and took the first card; the next one surveys the market."""
    script = laid_out(players)
    return script.says(*(f"{name} {int(name == starter)}" for name in names(script)))


def bought(script: Script) -> Script:
    """Everybody surveys the last cards they may and buys the head, until the auction is over."""
    while isinstance(question := script.question, Choose):
        keys = options(script)
        key = keys[0] if question.question.template == "Which card do you buy?" else keys[-1]
        script.says(f"{question.seats[0].name}: {key}")
    return script


def armed(*strength: int, starter: str = "Aki") -> Script:
    """Phase 3 with so much strength each; all other coins are in the treasury of their own colour."""
    return _armed(strength, starter).copy()


@cache
def _armed(strength: tuple[int, ...], starter: str) -> Script:
    script = bought(started(len(strength), starter))
    moves = [
        (place, f"{owner}/treasury", coin, count)
        for owner, coin in ((name, f"{COLOUR[name]} coin") for name in names(script))
        for place in ("bank", *(f"{name}/treasury" for name in names(script) if name != owner))
        if (count := script[place, coin])
    ]
    script.session.correct_all(moves, "for the test")
    return script.says(*(f"{name} {coins}" for name, coins in zip(NAMES, strength, strict=False)))


def holds(
    script: Script, name: str, *, own: int | None = None, cards: int | None = None, **foreign: int
) -> Script:
    """Corrects a treasury, by the names of the colours' owners, and a hand."""
    treasury = f"{name}/treasury"
    wanted = {owner: foreign.get(owner, 0) for owner in names(script)}
    wanted[name] = script[treasury, f"{COLOUR[name]} coin"] if own is None else own
    for owner, count in wanted.items():
        piece = f"{COLOUR[owner]} coin"
        is_enough = script["bank", piece] >= count - script[treasury, piece]
        there = "bank" if owner == name or is_enough else f"{owner}/treasury"
        holding(script, count, piece, treasury, there)
    if cards is not None:
        holding(script, cards, "card", f"{name}/hand", "box")
    return script


def names(script: Script) -> list[str]:
    """Who plays, clockwise."""
    return [seat.name for seat in script.session.table.seats]


def options(script: Script) -> list[str]:
    """The keys that may be chosen."""
    assert isinstance(script.question, Choose)
    return script.question.legal_option_keys


def asked(script: Script) -> list[str]:
    """Who is asked."""
    return [seat.name for seat in script.question.seats]


def each(script: Script, place: str, piece: str) -> list[int]:
    """How many of a piece everybody has, clockwise from Aki."""
    return [script[f"{name}/{place}", piece] for name in names(script)]


def own(script: Script, place: str) -> list[int]:
    """How many coins of the own colour everybody has at a place, clockwise from Aki."""
    return [script[f"{name}/{place}", f"{COLOUR[name]} coin"] for name in names(script)]


def treasury(script: Script, name: str) -> dict[str, int]:
    """The coins of a treasury by whose they were, without those of which there are none."""
    held = {owner: script[f"{name}/treasury", f"{COLOUR[owner]} coin"] for owner in names(script)}
    return {owner: count for owner, count in held.items() if count}


def market(script: Script) -> list[int]:
    """The slots in which a card still lies."""
    return [slot for slot in range(1, 19) if script[f"market/{slot}", "card"]]


def bets(script: Script, amounts: Sequence[int | str]) -> Script:
    """Everybody who is asked wagers, in the order in which they are asked."""
    return script.says(*(f"{name} {amount}" for name, amount in zip(asked(script), amounts, strict=True)))
