"""What tests of Bidders! do at the table again and again; nothing here knows more than the questions say."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.bidders.rulebook import GAME
from companion.requests import Amount, Choose, Read, Together
from companion.testing import Script

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
TAGS = {"04b1": ("bidders", "W1"), "99": ("egypt", "4.1")}
COLOURS = dict(zip(NAMES, ("orange", "sky", "green", "vermilion", "purple"), strict=True))


def begin_script(players: int = 4, start: str = "Aki") -> Script:
    """A table that has been set up; round 1 waits for its white card."""
    return Script(GAME, *NAMES[:players], tags=TAGS).says(f"table: {start}", "table: done")


def turn_up_cards(script: Script, white: str = "W1", black: str = "B4") -> Script:
    """Two cards picked by name; B4 has start 6, crew 2."""
    return script.says(f"table: lays card:{white}", f"table: lays card:{black}")


def type_card(script: Script, **values: int) -> Script:
    """A card typed as what is printed on it, its colour left out."""
    script.session.answer(script.question_number, [{"values": dict(values)}])
    return script


def begin_bidding(players: int = 4, start: str = "Aki") -> Script:
    """Round 1, its cards turned up: white W1, black B4."""
    return turn_up_cards(begin_script(players, start))


def pass_until_sold(script: Script) -> Script:
    """Everybody who is asked passes until the auction is over."""
    while isinstance(script.session.question, Choose) and script.session.question.seat:
        script.says(f"{script.session.question.seat.name}: pass")
    return script


def play_round(
    script: Script,
    white: tuple[str, int] | None = None,
    black: tuple[str, int] | None = None,
    share: Mapping[str, int] | None = None,
) -> Script:
    """One round: who wins white with how many workers, black moving how many dollars, and who cooperates."""
    number, wanted = round_number(script), {"white": white, "black": black}
    while script.session.question is not None and round_number(script) == number:
        match script.session.question:
            case Read():
                colour = script.question_limits["shows"]["colour"]
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
    """The first card of a colour that nobody has seen."""
    question = script.question
    assert isinstance(question, Read)
    return next(name for name in question.tracker.possibly_unseen_card_ids() if name[0] == colour[0].upper())


def round_number(script: Script) -> int:
    """How many rounds have begun."""
    return script["round track", "round"]


def worker_counts(script: Script, place: str) -> list[int]:
    """How many workers everybody has at a place that is nobody's or one seat's, clockwise from seat 1."""
    return [count_at(script, place, f"{COLOURS[seat.name]} worker") for seat in script.session.table.seats]


def guild_worker_counts(script: Script) -> list[int]:
    """The workers on all guild cards, clockwise from seat 1."""
    return [
        count_at(script, f"{seat.name}/guild card", f"{seat.colour} worker")
        for seat in script.session.table.seats
    ]


def dollar_counts(script: Script) -> list[int]:
    """Everybody's chips, clockwise from seat 1."""
    return [count_at(script, f"{seat.name}/chips", "dollar") for seat in script.session.table.seats]


def count_at(script: Script, place: str, piece: str) -> int:
    """How many of a piece lie at a place that may not have been used yet."""
    found = [
        one
        for one in script.session.table.ledger
        if (one.place.key_with_player_name, one.piece.key) == (place, piece)
    ]
    return found[0].count if found else 0


def start_player(script: Script) -> str:
    """Who has the start player marker."""
    return next(
        seat.name for seat in script.session.table.seats if script[f"{seat.name}/guild card", "start player"]
    )
