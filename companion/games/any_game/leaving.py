"""Leaving the match for good: players rank by the order in which they leave; the last one in is first.

A start player's or dealer's marker stays with its holder until the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.any_game.points import FRONT
from companion.games.any_game.state import FeatureState, MenuAction, TemplateState
from companion.games.any_game.teams import members, team_label
from companion.games.any_game.template import Template
from companion.rulebook import Piece, Say, Seat, SeatBadge, say

OUT = Piece("out", say("out"), is_endless=True, is_marker=True)
"""One of these lies before the first who left for good, two before the second."""


class LeavingOrder(FeatureState):
    """The markers of those who left, before each seat; none where nobody may leave."""

    def __init__(self, state: TemplateState) -> None:
        self.accounts = state.table.account_per_seat(OUT, FRONT) if state.house.out else {}
        state.table.seats_in_game = lambda: playing_seats(state)

    def position(self, seat: Seat) -> int:
        """When a seat left: 1 for the first who left, 0 for those still in."""
        return self.accounts[seat].count if self.accounts else 0


def is_out(state: TemplateState, seat: Seat) -> bool:
    """True if a seat has left the match for good."""
    return LeavingOrder.of(state).position(seat) > 0


def playing_seats(state: TemplateState) -> Sequence[Seat]:
    """The seats still in the match; all seats if people moved a marker before every one of them."""
    return tuple([seat for seat in state.seats if not is_out(state, seat)]) or state.seats


def eliminate(state: TemplateState, gone: Seat, order: int) -> None:
    """Puts a seat, or its team, out as the first, the second or the third."""
    orders = LeavingOrder.of(state).accounts
    for seat in members(state.keeper, gone):
        state.table.add_markers(orders[seat], order)
    state.table.add_note(say("{team} is out.", team=team_label(state.keeper, gone)))


async def choose_who_leaves(state: TemplateState) -> None:
    """Asks who is out; with a seat all of its team is out."""
    gone = await state.choose_side(say("Who is out?"))
    eliminate(state, gone, 1 + max(one.count for one in LeavingOrder.of(state).accounts.values()))


def may_leave(state: TemplateState) -> bool:
    """True if players can leave without losing a match; the last one in stays."""
    return state.house.out and state.house.scoring != "knockout" and len(state.sides) > 1


def errors(template: Template) -> Iterator[Say]:
    """A single team can't lose its players."""
    if template.common_rules.out and template.common_rules.teams == 1:
        yield say('"out = yes" doesn\'t work with "teams = 1". Set teams to 0, or to a number from 2 to 6.')


def badges(template: Template) -> Iterator[SeatBadge]:
    """The badge of those who left."""
    if template.common_rules.out:
        yield SeatBadge(OUT, FRONT, say("out"), sits_out=True)


MENU = (MenuAction("out", say("A player is out"), choose_who_leaves, may_leave),)
HELP = {
    "Who is out?": say(
        "A player who is out can't play on. This player ranks behind everybody still in the game. The last "
        "player left wins."
    ),
}
