"""Helpers for scripts of Bidders!; they use only what the questions say."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.bidders.rulebook import GAME
from companion.requests import Amount, Choose, Read, Together
from companion.testing import Script

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
TAGS = {"04b1": ("bidders", "W1"), "99": ("egypt", "4.1")}
COLOURS = dict(zip(NAMES, ("orange", "sky", "green", "vermilion", "purple"), strict=True))


def begin_script(players: int = 4, start: str = "Aki") -> Script:
    """Begins a game and sets it up; round 1 waits for its white card."""
    return Script(GAME, *NAMES[:players], tags=TAGS).says(f"table: {start}", "table: done")


def turn_up_cards(script: Script, white: str = "W1", black: str = "B4") -> Script:
    """Turns up two cards by name; B4 has start 6, crew 2."""
    return script.says(f"table: lays card:{white}", f"table: lays card:{black}")


def type_card(script: Script, **values: int) -> Script:
    """Types a card by its printed values, without its colour."""
    script.session.answer(script.question_number, [{"values": dict(values)}])
    return script


def begin_bidding(players: int = 4, start: str = "Aki") -> Script:
    """Begins a game and turns up the cards of round 1: white W1, black B4."""
    return turn_up_cards(begin_script(players, start))


def pass_until_sold(script: Script) -> Script:
    """Lets everybody pass until the auction is over."""
    while isinstance(script.session.question, Choose) and script.session.question.seat:
        script.says(f"{script.session.question.seat.name}: pass")
    return script


def play_round(
    script: Script,
    white: tuple[str, int] | None = None,
    black: tuple[str, int] | None = None,
    share: Mapping[str, int] | None = None,
) -> Script:
    """Plays one round.

    `white` is the winner of the white card and the number of workers, `black` the winner of the black card
    and the dollars that move; `share` is what each player contributes to a cooperation.
    """
    number, wanted = round_number(script), {"white": white, "black": black}
    while script.session.question is not None and round_number(script) == number:
        match script.session.question:
            case Read():
                colour = script.open_question_limits["shows"]["colour"]
                script.says(f"table: lays card:{next_card(script, colour)}")
            case Choose(seat=seat):
                assert seat is not None, "nobody is start player"
                mine = [name for name, bid in wanted.items() if bid and bid[0] == seat.name]
                script.says(f"{seat.name}: {mine[0] if mine else 'pass'}")
            case Amount(seats=(seat,)):
                ours = next(name for name, bid in wanted.items() if bid and bid[0] == seat.name)
                bid = wanted.pop(ours)
                assert bid is not None
                script.says(f"{seat.name} {bid[1]}")
            case Together(parts_by_seat=parts):
                script.says(*[f"{seat.name} {(share or {}).get(seat.name, 0)}" for seat in parts])
    return script


def next_card(script: Script, colour: str) -> str:
    """Returns the first card of a colour that nobody has seen."""
    question = script.question
    assert isinstance(question, Read)
    return next(name for name in question.tracker.possibly_unseen_card_ids() if name[0] == colour[0].upper())


def round_number(script: Script) -> int:
    """Returns the number of the current round."""
    return script["round track", "round"]


def worker_counts(script: Script, place: str) -> list[int]:
    """Returns the number of each player's workers at a place, clockwise from seat 1."""
    return [count_at(script, place, f"{COLOURS[seat.name]} worker") for seat in script.session.table.seats]


def guild_worker_counts(script: Script) -> list[int]:
    """Returns the number of workers on each guild card, clockwise from seat 1."""
    return [
        count_at(script, f"{seat.name}/guild card", f"{seat.colour} worker")
        for seat in script.session.table.seats
    ]


def dollar_counts(script: Script) -> list[int]:
    """Returns the dollars of each player, clockwise from seat 1."""
    return [count_at(script, f"{seat.name}/chips", "dollar") for seat in script.session.table.seats]


def count_at(script: Script, place: str, piece: str) -> int:
    """Returns the count of a piece at a place, which may not have been used yet."""
    found = [
        one
        for one in script.session.table.ledger
        if (one.place.key_with_player_name, one.piece.key) == (place, piece)
    ]
    return found[0].count if found else 0


def start_player(script: Script) -> str:
    """Returns the name of the player with the start player marker."""
    return next(
        seat.name for seat in script.session.table.seats if script[f"{seat.name}/guild card", "start player"]
    )
