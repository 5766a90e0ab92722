"""How Egypt's table looks."""

from __future__ import annotations

from companion.games.egypt.board import BANK, CARD, CHIP, CHIPS, FRONT, HAND, LEADER, MARKET, OUT, POINT
from companion.rulebook import Badge, Cell, Figure, Look, Lots, Mat, Pile, Row, Scene, Seat, Setup, say

GOAL = 2


def daughters(look: Look, seat: Seat | None) -> int:
    """The sum of the daughters a seat has won this round."""
    return sum(number for number in CHIPS if look.number(CHIP[number], FRONT, seat))


def scene(_: Setup) -> Scene:
    """Before each seat the cards in hand; in the middle the ten daughters."""
    return Scene(
        Mat(
            hero=Cell(CARD, HAND),
            cells=(
                Figure(say("sum"), daughters),
                Cell(POINT, FRONT, label=say("points"), of=GOAL),
            ),
            badges=(Badge(LEADER, FRONT, say("starts")), Badge(OUT, FRONT, out=True)),
            rows=(Row(FRONT, tuple(CHIP.values())),),
        ),
        (Lots(MARKET, tuple(CHIP.values())), Pile(CARD, BANK)),
    )
