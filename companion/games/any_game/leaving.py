"""Who is in the match: players who left for good are out, and players who come later aren't in yet.

Players rank by the order in which they leave; the last one in is first. Players who never joined are last.
A start player's or dealer's marker stays with its holder until the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.any_game.points import FRONT
from companion.games.any_game.state import PLAYERS_GROUP, FeatureState, MenuAction, TemplateState
from companion.games.any_game.teams import team_in_sentence, team_members
from companion.games.any_game.template import Template
from companion.rulebook import Piece, Say, Seat, SeatBadge, VisibleTable, say

OUT_ORDER_MARKER = Piece("out", say("out"), is_endless=True, is_marker=True)
"""Marker of players who left for good: the first who left has one marker, the second has two."""
LATE_MARKER = Piece("comes later", say("comes later"), is_endless=True, is_marker=True)
"""Marker of seats whose players haven't joined yet."""
START_DEALT_MARKER = Piece("start dealt", say("start dealt"), is_endless=True, is_marker=True)
"""Marker of seats that have had the pieces of the start, where players can join."""


class LateSeats(FeatureState):
    """Accounts of the markers of late seats, and of those that had the start; none if nobody can join."""

    def __init__(self, state: TemplateState) -> None:
        may_join = state.general_rules.lets_players_join
        self.accounts = state.table.account_by_seat(LATE_MARKER, FRONT) if may_join else {}
        self.start_dealt_accounts = state.table.account_by_seat(START_DEALT_MARKER, FRONT) if may_join else {}


class LeavingOrder(FeatureState):
    """Accounts of the order in which seats left, before each seat; none where nobody may leave."""

    def __init__(self, state: TemplateState) -> None:
        self.accounts = (
            state.table.account_by_seat(OUT_ORDER_MARKER, FRONT) if state.general_rules.out else {}
        )
        state.table.seats_in_game = lambda: playing_seats(state)

    def leaving_position(self, seat: Seat) -> int:
        """Returns when a seat left: 1 for the first who left, 0 for those still in."""
        return self.accounts[seat].count if self.accounts else 0


def is_out(state: TemplateState, seat: Seat) -> bool:
    """Returns True if a seat has left the match for good."""
    return LeavingOrder.of(state).leaving_position(seat) > 0


def late_seats(state: TemplateState) -> tuple[Seat, ...]:
    """Returns the seats whose players haven't joined yet."""
    return tuple([seat for seat, account in LateSeats.of(state).accounts.items() if account.count > 0])


def is_visibly_out(look: VisibleTable, seat: Seat) -> bool:
    """Returns True if everybody sees that a seat has left for good."""
    return bool(look.count(OUT_ORDER_MARKER, FRONT, seat))


def is_visibly_absent(look: VisibleTable, seat: Seat) -> bool:
    """Returns True if everybody sees that a seat has left for good, or hasn't joined yet."""
    return is_visibly_out(look, seat) or bool(look.count(LATE_MARKER, FRONT, seat))


def playing_seats(state: TemplateState) -> Sequence[Seat]:
    """Returns the seats in the match; all seats if people marked every one as out by hand."""
    late = late_seats(state)
    return (
        tuple([seat for seat in state.seats if not is_out(state, seat) and seat not in late]) or state.seats
    )


def eliminate_team_of_seat(state: TemplateState, eliminated_seat: Seat, leaving_position: int) -> None:
    """Marks a seat and its team as out, and announces it; the first to leave has position 1."""
    accounts = LeavingOrder.of(state).accounts
    for seat in team_members(state.captain_by_seat, eliminated_seat):
        state.table.add_markers(accounts[seat], leaving_position)
    team = team_in_sentence(state.captain_by_seat, eliminated_seat)
    state.table.add_note(say("{team} is out.", team=team))


async def ask_and_eliminate_player(state: TemplateState) -> None:
    """Asks which player is out, and eliminates this player with all of the team."""
    question = say("Who is out of the game for good?")
    eliminated_seat = await state.choose_side(question, log_name=say("Who is out?"))
    eliminate_team_of_seat(
        state, eliminated_seat, 1 + max(account.count for account in LeavingOrder.of(state).accounts.values())
    )


def can_players_leave(state: TemplateState) -> bool:
    """Returns True if players can leave the match for good.

    Losing a match of a tournament doesn't count as leaving here. The last one in stays.
    """
    return (
        state.general_rules.out and state.general_rules.scoring != "knockout" and len(state.playing_sides) > 1
    )


def find_leaving_errors(template: Template) -> Iterator[Say]:
    """Yields an error in the rules about leaving.

    The error is that players can leave although there is only one team.
    """
    if template.general_rules.out and template.general_rules.teams == 1:
        yield say('"out = yes" doesn\'t work with "teams = 1". Set teams to 0, or to a number from 2 to 6.')


def build_out_badges(template: Template) -> Iterator[SeatBadge]:
    """Yields the badges of the players who are out, and of those who come later."""
    if template.general_rules.out:
        yield SeatBadge(OUT_ORDER_MARKER, FRONT, say("out"), sits_out=True)
    if template.general_rules.lets_players_join:
        yield SeatBadge(LATE_MARKER, FRONT, say("comes later"), sits_out=True, comes_later=True)


MENU = (
    MenuAction("out", say("A player is out"), ask_and_eliminate_player, PLAYERS_GROUP, can_players_leave),
)
HELP = {
    "Who is out of the game for good?": say(
        "A player who is out can't play on. This player ranks behind everybody still in the game. The last "
        "player left wins."
    ),
}
