"""What tests of Mammon do at the table again and again; nothing here knows more than the questions say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.games.mammon.rulebook import GAME
from companion.requests import Choose
from companion.testing import Script
from tests.support.games.script_helpers import set_count

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
COLOURS = ("orange", "sky", "green", "vermilion", "purple")
COLOUR_BY_NAME = dict(zip(NAMES, COLOURS, strict=True))


def begin_start_auction(players: int = 3) -> Script:
    """The row lies there, its first card is turned up, and everybody is asked for the first start wager."""
    return Script(GAME, *NAMES[:players]).says("table: done")


def begin_market(players: int = 3, starter: str = "Aki") -> Script:
    """The start player bet 1 and took the first card; the next one surveys the market."""
    script = begin_start_auction(players)
    return script.says(*(f"{name} {int(name == starter)}" for name in player_names(script)))


def buy_until_market_closes(script: Script) -> Script:
    """Everybody surveys the last cards they may and buys the head, until the auction is over."""
    while isinstance(question := script.question, Choose):
        keys = option_keys(script)
        key = keys[0] if question.question.template == "Which card do you buy?" else keys[-1]
        script.says(f"{question.seats[0].name}: {key}")
    return script


def begin_battle(*strengths: int, starter: str = "Aki") -> Script:
    """Phase 3 with so much strength each; all other coins are in the treasury of their own colour."""
    return _armed(strengths, starter).copy()


@cache
def _armed(strength: tuple[int, ...], starter: str) -> Script:
    script = buy_until_market_closes(begin_market(len(strength), starter))
    moves = [
        (place, f"{owner}/treasury", coin, count)
        for owner, coin in ((name, f"{COLOUR_BY_NAME[name]} coin") for name in player_names(script))
        for place in ("bank", *(f"{name}/treasury" for name in player_names(script) if name != owner))
        if (count := script[place, coin])
    ]
    script.session.correct_all(moves, "for the test")
    return script.says(*(f"{name} {coins}" for name, coins in zip(NAMES, strength, strict=False)))


def set_treasury(
    script: Script, name: str, *, own: int | None = None, cards: int | None = None, **foreign: int
) -> Script:
    """Corrects a treasury, by the names of the colours' owners, and a hand."""
    treasury = f"{name}/treasury"
    wanted = {owner: foreign.get(owner, 0) for owner in player_names(script)}
    wanted[name] = script[treasury, f"{COLOUR_BY_NAME[name]} coin"] if own is None else own
    for owner, count in wanted.items():
        piece = f"{COLOUR_BY_NAME[owner]} coin"
        is_enough = script["bank", piece] >= count - script[treasury, piece]
        there = "bank" if owner == name or is_enough else f"{owner}/treasury"
        set_count(script, count, piece, treasury, there)
    if cards is not None:
        set_count(script, cards, "card", f"{name}/hand", "box")
    return script


def player_names(script: Script) -> list[str]:
    """Who plays, clockwise."""
    return [seat.name for seat in script.session.table.seats]


def option_keys(script: Script) -> list[str]:
    """The keys that may be chosen."""
    assert isinstance(script.question, Choose)
    return script.question.legal_option_keys


def asked_players(script: Script) -> list[str]:
    """Who is asked."""
    return [seat.name for seat in script.question.seats]


def counts_by_player(script: Script, place: str, piece: str) -> list[int]:
    """How many of a piece everybody has, clockwise from Aki."""
    return [script[f"{name}/{place}", piece] for name in player_names(script)]


def own_coin_counts(script: Script, place: str) -> list[int]:
    """How many coins of the own colour everybody has at a place, clockwise from Aki."""
    return [script[f"{name}/{place}", f"{COLOUR_BY_NAME[name]} coin"] for name in player_names(script)]


def treasury_by_owner(script: Script, name: str) -> dict[str, int]:
    """The coins of a treasury by whose they were, without those of which there are none."""
    held = {
        owner: script[f"{name}/treasury", f"{COLOUR_BY_NAME[owner]} coin"] for owner in player_names(script)
    }
    return {owner: count for owner, count in held.items() if count}


def filled_market_slots(script: Script) -> list[int]:
    """The slots in which a card still lies."""
    return [slot for slot in range(1, 19) if script[f"market/{slot}", "card"]]


def wager_in_turn(script: Script, amounts: Sequence[int | str]) -> Script:
    """Everybody who is asked wagers, in the order in which they are asked."""
    return script.says(
        *(f"{name} {amount}" for name, amount in zip(asked_players(script), amounts, strict=True))
    )
