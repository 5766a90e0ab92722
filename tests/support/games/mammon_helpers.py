"""Helpers for scripts of Mammon; they use only what the questions say."""

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
    """Begins a game and lays out the row; everybody is asked for the first start wager."""
    return Script(GAME, *NAMES[:players]).says("table: done")


def begin_market(players: int = 3, starter: str = "Aki") -> Script:
    """Begins a game; the start player bets 1 and takes the first card, and the next surveys the market."""
    script = begin_start_auction(players)
    return script.says(*(f"{name} {int(name == starter)}" for name in player_names(script)))


def buy_until_market_closes(script: Script) -> Script:
    """Lets everybody survey the last allowed cards and buy the first, until the auction is over."""
    while isinstance(question := script.question, Choose):
        keys = option_keys(script)
        key = keys[0] if question.question.template == "Which card do you buy?" else keys[-1]
        script.says(f"{question.seats[0].name}: {key}")
    return script


def begin_battle(*strengths: int, starter: str = "Aki") -> Script:
    """Begins phase 3 with these strengths; all other coins are in the treasury of their own colour."""
    return _begin_battle(strengths, starter).copy()


@cache
def _begin_battle(strength: tuple[int, ...], starter: str) -> Script:
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
    """Sets the coins of a treasury by corrections, by the names of the colours' owners, and a hand size."""
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
    """Returns the names of the players, clockwise."""
    return [seat.name for seat in script.session.table.seats]


def option_keys(script: Script) -> list[str]:
    """Returns the keys of the options that may be chosen."""
    assert isinstance(script.question, Choose)
    return script.question.legal_option_keys


def asked_players(script: Script) -> list[str]:
    """Returns the names of the players who are asked."""
    return [seat.name for seat in script.question.seats]


def counts_by_player(script: Script, place: str, piece: str) -> list[int]:
    """Returns how many of a piece each player has at a place, clockwise from Aki."""
    return [script[f"{name}/{place}", piece] for name in player_names(script)]


def own_coin_counts(script: Script, place: str) -> list[int]:
    """Returns how many coins of their own colour each player has at a place, clockwise from Aki."""
    return [script[f"{name}/{place}", f"{COLOUR_BY_NAME[name]} coin"] for name in player_names(script)]


def treasury_by_owner(script: Script, name: str) -> dict[str, int]:
    """Returns the coins in a treasury by the owner of their colour, without colours that have none."""
    held = {
        owner: script[f"{name}/treasury", f"{COLOUR_BY_NAME[owner]} coin"] for owner in player_names(script)
    }
    return {owner: count for owner, count in held.items() if count}


def filled_market_slots(script: Script) -> list[int]:
    """Returns the slots of the market that still have a card."""
    return [slot for slot in range(1, 19) if script[f"market/{slot}", "card"]]


def wager_in_turn(script: Script, amounts: Sequence[int | str]) -> Script:
    """Makes the wagers of the players who are asked, in their order."""
    return script.says(
        *(f"{name} {amount}" for name, amount in zip(asked_players(script), amounts, strict=True))
    )
