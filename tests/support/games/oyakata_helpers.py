"""Helpers for scripts of Oyakata; they use only what the questions say."""

from __future__ import annotations

from collections import Counter

from companion.games.oyakata.rulebook import GAME
from companion.requests import Choose, Counts, Read
from companion.testing import Script
from tests.support.games.script_helpers import asked_players, correct_count, set_count

NAMES = ("Aki", "Ben", "Chie", "Dai")
START_TILES = ("A1", "A1", "A1", "A6")
CHIPS = ("blue", "black", "red", "yellow", "white")
GEMS = ("red", "blue", "yellow", "white")


def begin_script(players: int = 2, first: str = "Aki", **options: str) -> Script:
    """Begins a game and places the start tiles; the first market card is asked for."""
    script = Script(GAME, *NAMES[:players], options=options).says(f"table: {first}")
    for tile in START_TILES[:players]:
        script.says(f"{asked_players(script)} places {tile}")
    return script


def begin_first_day(players: int = 2, card: str = "M1", **options: str) -> Script:
    """Begins Aki's first day and turns up a market card; `M1` has red 1, blue 2, yellow 3 and white 4."""
    return begin_script(players, **options).says(f"table: shows {card}")


def begin_first_night(gold: int = 3, stored: str = "", **options: str) -> Script:
    """Begins Aki's first night after a day without digging, with this gold and these stored gems."""
    script = set_gold(begin_first_day(2, **options), "Aki", gold)
    add_gems(script, "Aki", **Counter(stored.split())).says("Aki: dig", "Aki: nothing")
    return script if options.get("discontent") == "false" else script.says("Aki: white")


def option_keys(script: Script) -> list[str]:
    """Returns the keys of the offered options."""
    assert isinstance(script.question, Choose)
    return list(script.question.offered_options)


def set_gold(script: Script, name: str, gold: int) -> Script:
    """Sets the gold of a player."""
    return set_count(script, gold, "gold", f"{name}/purse")


def add_gems(script: Script, name: str, **held: int) -> Script:
    """Moves gems from the centre into a player's storage."""
    for colour, count in held.items():
        correct_count(script, count, f"{colour} gem", "centre", f"{name}/storage")
    return script


def add_discontent_chips(script: Script, name: str, *colours: str) -> Script:
    """Puts discontent chips on a player's stack, the first one lowest."""
    for colour in colours:
        correct_count(script, 1, f"{colour} chip", "discontent bag", f"{name}/discontent")
    return script


def move_marker(script: Script, name: str, track: str, steps: int) -> Script:
    """Moves a marker forward, or back if `steps` is negative."""
    return correct_count(script, steps, track, "box", f"{name}/board")


def discontent_stack(script: Script, name: str) -> list[str]:
    """Returns the colours of a player's discontent chips, the lowest first."""
    piles = script.session.table.ledger.piles
    place = next(place for place in piles if place.seat and place.seat.name == name)
    return [piece.key.removesuffix(" chip") for piece in piles[place]]


def gold_counts(script: Script) -> list[int]:
    """Returns the gold of each player, clockwise from seat 1."""
    return [script[f"{seat.name}/purse", "gold"] for seat in script.session.table.seats]


def worker_count(script: Script, name: str) -> int:
    """Returns the position of a player's worker marker."""
    return script[f"{name}/board", "workers"]


def answer_with_least_effect(script: Script) -> Script:
    """Answers one question with the least effect: holidays, nothing dug, nothing done."""
    question, who = script.question, asked_players(script) or "table"
    if isinstance(question, Read):
        card = next(name for name in question.tracker.possibly_unseen_card_ids() if name.startswith("M"))
        return script.says(f"table: shows card:{card}")
    if isinstance(question, Counts):
        return script.says(f"{who}: nothing")
    for key in ("holiday", "end", "top"):
        if key in option_keys(script):
            return script.says(f"{who}: {key}")
    return script.says(f"{who}: {option_keys(script)[0]}")


def idle_until_question(script: Script, asks: str) -> Script:
    """Answers at least one question with the least effect, until a question begins with `asks`."""
    answer_with_least_effect(script)
    while not script.question_log_key.startswith(asks):
        answer_with_least_effect(script)
    return script


def idle_through_turns(script: Script, turns: int) -> Script:
    """Plays turns in which market cards are turned up and nothing else happens."""
    for _ in range(turns):
        answer_with_least_effect(script)
        while script.session.question is not None and not isinstance(script.question, Read):
            answer_with_least_effect(script)
    return script
