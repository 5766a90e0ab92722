"""Who leaves the game for good: ranked by the order of leaving, the last one in is first.

A start player's or dealer's marker stays with whoever leaves until the next round.
"""

from __future__ import annotations

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.teams import called, members
from companion.rulebook import Seat, say


async def leave(shelf: Laid) -> None:
    """Somebody is out, and of a team all."""
    gone = await shelf.choose_side(say("Who is out?"))
    put_out(shelf, gone, 1 + max(one.count for one in shelf.outs.values()))


def put_out(shelf: Laid, gone: Seat, order: int) -> None:
    """A seat, or its team, is out as the first, the second, the third."""
    for seat in members(shelf.keeper, gone):
        shelf.table.add_markers(shelf.outs[seat], order)
    shelf.table.add_note(say("{team} is out.", team=called(shelf.keeper, gone)))


def may_leave(shelf: Laid) -> bool:
    """Whether people leave by themselves, and not by losing a match; the last one in stays."""
    return shelf.rules.out and shelf.rules.scoring != "knockout" and len(shelf.sides) > 1


DEEDS = (MenuLine("out", say("A player is out"), leave, may_leave),)
