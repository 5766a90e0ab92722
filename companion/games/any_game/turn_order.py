"""The round marker and the start player's marker: which round it is, and who begins it.

Where people deal in turn, the dealer has the marker, and the next seat begins.
"""

from __future__ import annotations

from companion.games.any_game.leaving import is_out, playing_seats
from companion.games.any_game.points import FRONT
from companion.games.any_game.state import FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template
from companion.rulebook import BOX, Piece, Seat, SeatBadge, choose_seat, say

ROUND_TRACK = say("round track")
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))
START_PLAYER = Piece("start player", say("start player"), is_marker=True)
DEALER = Piece("dealer", say("dealer"), is_marker=True)


class RoundTrack(FeatureState):
    """The marker of the round."""

    def __init__(self, state: TemplateState) -> None:
        self.account = state.table.account(ROUND, ROUND_TRACK)

    @property
    def step(self) -> int:
        """The number of rounds on the track; without the current one where rounds are written down."""
        return self.account.count


class StartMarker(FeatureState):
    """The marker of the start player or the dealer; at first it lies in the box."""

    def __init__(self, state: TemplateState) -> None:
        marker = DEALER if state.house.deal == "left" else START_PLAYER
        self.accounts = state.table.account_per_seat(marker, FRONT)
        state.table.supply(state.table.account(marker, BOX))


def current_round(state: TemplateState) -> int | None:
    """The round at whose places points lie; None where rounds don't count."""
    if state.template.predates_rules:
        return None
    return RoundTrack.of(state).step + state.house.writes_rounds or None


def marker_holder(state: TemplateState) -> Seat | None:
    """The seat with the start player's or dealer's marker; None while it lies elsewhere."""
    return state.table.first_holder(StartMarker.of(state).accounts)


def start_seat(state: TemplateState) -> Seat | None:
    """The seat that begins: the holder of the marker, or the seat after the dealer. None if nobody has it.

    If the start player has left for good, the next seat still in the match begins.
    """
    holder = marker_holder(state)
    if holder is None or (state.house.deal == "nobody" and not is_out(state, holder)):
        return holder
    return next_playing(state, holder)


def next_playing(state: TemplateState, seat: Seat) -> Seat:
    """The next seat clockwise that is still in the match; the seat itself if there is no other."""
    there = playing_seats(state)
    return next((one for one in state.seats.starting_after(seat) if one in there), seat)


def give_marker(state: TemplateState, seat: Seat) -> None:
    """Brings the marker to a seat, wherever it lies."""
    state.table.move_only_piece(StartMarker.of(state).accounts[seat])


def pass_marker(state: TemplateState, holder: Seat) -> None:
    """Passes the marker to the left, and announces who has it."""
    seat = next_playing(state, holder)
    give_marker(state, seat)
    announce_holder(state, seat)


def announce_holder(state: TemplateState, seat: Seat) -> None:
    """Announces who starts or deals."""
    starts, deals = say("{seat} is the start player.", seat=seat), say("{seat} deals.", seat=seat)
    state.table.add_note(starts if state.house.deal == "nobody" else deals)


async def choose_start(state: TemplateState) -> None:
    """Asks who gets the marker."""
    nobody_deals = state.house.deal == "nobody"
    question = say("Who is the start player?") if nobody_deals else say("Who deals?")
    give_marker(state, await choose_seat(question, playing_seats(state)))


def has_start_player(state: TemplateState) -> bool:
    """True if people can give out a start player's marker."""
    return state.house.deal == "nobody" and state.house.scoring != "knockout"


def marker_badge(template: Template) -> SeatBadge:
    """The badge of the start player or the dealer."""
    if template.common_rules.deal == "left":
        return SeatBadge(DEALER, FRONT)
    return SeatBadge(START_PLAYER, FRONT, say("starts"))


MENU = (
    MenuAction("start_player", say("Start player"), choose_start, has_start_player),
    MenuAction("start_player", say("Dealer"), choose_start, lambda state: state.house.deal == "left"),
)
HELP = {
    "Who is the start player?": say(
        "Choose who gets the start player marker. Open auctions begin with that player."
    ),
    "Who deals?": say("Choose who gets the dealer marker. The marker moves one seat to the left each round."),
}
