"""Rounds and points: what is written down for everybody, and when the start player marker passes on."""

from __future__ import annotations

from companion.games.any_game.deeds import Deed
from companion.games.any_game.laid import Laid
from companion.rulebook import Amount, Choose, Labelled, choose_seat, say

MOST_POINTS = 9_999


async def next_round(shelf: Laid) -> None:
    """The round track goes on, and the start player marker passes to the left."""
    shelf.table.mark(shelf.round)
    shelf.table.heading = say("Round {round}", round=shelf.round.count)
    if shelf.start:
        shelf.appoint(shelf.seats.after(shelf.start)[0])
        shelf.table.tell(say("{seat} is the start player.", seat=shelf.start))


async def choose_start(shelf: Laid) -> None:
    """The table says who has the marker."""
    shelf.appoint(await choose_seat(say("Who is the start player?"), shelf.seats))


async def points(shelf: Laid) -> None:
    """Points of one category for everybody; they add to what was entered before."""
    categories = {str(at): one for at, one in enumerate(shelf.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    for seat in shelf.seats:
        question, logged = (
            say("Add to {category}", category=category.label),
            say("Points for {category}", category=category.label),
        )
        category.add(seat, await Amount(seat, question, -MOST_POINTS, MOST_POINTS, known_as=logged))


ROUNDS = (
    Deed("round", say("Next round"), next_round),
    Deed("start_player", say("Start player"), choose_start),
)
POINTS = (Deed("points", say("Points"), points, lambda shelf: bool(shelf.categories)),)
