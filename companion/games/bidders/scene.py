"""How the table of Bidders! looks."""

from __future__ import annotations

from companion.games.bidders.board import (
    CARD,
    CHIPS,
    DECK,
    DOLLAR,
    EDGE,
    FRONT,
    GUILD,
    MARKER,
    PROJECT,
    ROUND,
    START,
    TRACK,
    worker,
)
from companion.rulebook import Badge, Cards, Cell, Mat, Part, Pile, Row, Scene, Setup, Track, say

ROUNDS = 10


def scene(setup: Setup) -> Scene:
    """Before each seat the workers on the guild card; in the middle the two projects."""
    workers = tuple([worker(seat) for seat in setup.seats])
    cards = tuple(CARD.values())
    projects: tuple[Part, ...] = tuple(
        [
            Cards(place, on=(Row(place, (MARKER[colour], *workers, DOLLAR)),), label=place)
            for colour, place in PROJECT.items()
        ]
    )
    piles = tuple([Pile(CARD[colour], DECK, label=CARD[colour].label) for colour in CARD])
    mat = Mat(
        hero=Cell(worker, GUILD),
        cells=(Cell(DOLLAR, CHIPS), *[Cell(card, FRONT) for card in cards]),
        badges=(Badge(START, GUILD, say("starts")),),
        rows=(
            Row(FRONT, workers),
            Row(EDGE, (*cards, *workers), label=EDGE),
        ),
    )
    return Scene(mat, (*projects, Track(say("round"), Cell(ROUND, TRACK), ROUNDS), *piles))
