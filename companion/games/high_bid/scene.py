"""How the table of High Bid looks."""

from __future__ import annotations

from companion.games.high_bid.board import (
    ASIDE,
    BLOCK,
    CARD,
    CARDS_IN_ALL,
    DECLARED,
    DOLLAR,
    FRONT,
    GOAL,
    HAND,
    LAST_WINNER,
    PILE,
    PROPERTY,
    PURSE,
    RETURNED,
    SECTIONS,
    price,
)
from companion.rulebook import Badge, Cards, Cell, Figure, Grid, Look, Mat, Pile, Row, Scene, Seat, Setup, say


def priced(section: str) -> Figure:
    """What the lot on the block sells for in a section."""

    def of(look: Look, _: Seat | None) -> int:
        lot = [card for card in look.open_cards(BLOCK) if card.shows(PROPERTY)]
        return price(lot[0], section) if lot else 0

    return Figure(say("price"), of, late=True)


def returned(look: Look, _: Seat | None) -> int:
    """How many lots were not sold yet."""
    slots = range(1, CARDS_IN_ALL + 1)
    return sum(look.number(CARD, RETURNED, slot=slot) > 0 for slot in slots)


def scene(setup: Setup) -> Scene:
    """Before each seat the cash; in the middle the lot with its four prices."""
    goal = GOAL[len(setup.seats)]
    mat = Mat(
        hero=Cell(DOLLAR, PURSE),
        cells=(Cell(CARD, HAND), Cell(CARD, ASIDE, label=ASIDE)),
        badges=(Badge(LAST_WINNER, FRONT), Badge(DECLARED, FRONT)),
        rows=(Row(FRONT), Row(ASIDE)),
    )
    lines = [(place.name, (priced(name), Cell(CARD, place.name))) for name, place in SECTIONS.items()]
    grid = Grid((say("price"), say("for sale")), tuple(lines))
    others = (Pile(CARD, PILE), Figure(say("returned lots"), returned), Figure(say("goal"), lambda *_: goal))
    return Scene(mat, (Cards(BLOCK, back=CARD, label=say("the lot")), grid, *others))
