"""How the table of a sealed bid looks."""

from __future__ import annotations

from companion.games.sealed_bid.purses import FRONT, PAID, PURSE, ROUND, TRACK, WON, money
from companion.rulebook import Cell, Mat, Scene, Setup, say


def scene(setup: Setup) -> Scene:
    """Before each seat the rounds it has won, and what it paid or still holds."""
    held = (Cell(money(setup.options), PURSE, label=PURSE),) if setup.options["start"] is not None else ()
    cells = (*held, Cell(PAID, FRONT, label=say("paid")))
    hero = Cell(WON, FRONT, label=say("won"))
    return Scene(Mat(hero, cells), (Cell(ROUND, TRACK, label=say("round")),))
