"""The round marker and the start player's marker: which round it is, and who begins it.

Where people deal in turn, the dealer has the marker, and the next seat begins.
"""

from __future__ import annotations

from companion.games.any_game.leaving import is_out, late_seats, playing_seats
from companion.games.any_game.points import FRONT
from companion.games.any_game.state import ROUNDS_GROUP, FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template
from companion.rulebook import BOX, Piece, Seat, SeatBadge, choose_seat, say

ROUND_TRACK = say("round track")
ROUND_MARKER = Piece(
    "round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2)
)
START_PLAYER_MARKER = Piece("start player", say("start player"), is_marker=True)
DEALER_MARKER = Piece("dealer", say("dealer"), is_marker=True)


class RoundTrack(FeatureState):
    """The track with the round marker."""

    def __init__(self, state: TemplateState) -> None:
        self.account = state.table.round_counter = state.table.account(ROUND_MARKER, ROUND_TRACK)

    @property
    def round_marker_position(self) -> int:
        """The position of the round marker: the number of rounds on the track.

        Where whole rounds are scored, the current round isn't on the track yet.
        """
        return self.account.count


class StartOrDealerMarker(FeatureState):
    """The marker of the start player or the dealer; at first it is in the box."""

    def __init__(self, state: TemplateState) -> None:
        self.marker = DEALER_MARKER if state.general_rules.deal == "left" else START_PLAYER_MARKER
        self.accounts = state.table.account_by_seat(self.marker, FRONT)
        state.table.supply_from_box(state.table.account(self.marker, BOX))


def current_round(state: TemplateState) -> int | None:
    """Returns the number of the current round, at whose places points lie; None without rounds."""
    if state.template.predates_rules:
        return None
    return RoundTrack.of(state).round_marker_position + state.general_rules.scores_whole_rounds or None


def start_or_dealer_marker_holder(state: TemplateState) -> Seat | None:
    """Returns the seat with the start player's or dealer's marker; None while it is elsewhere."""
    return state.table.first_holder(StartOrDealerMarker.of(state).accounts)


def start_seat(state: TemplateState) -> Seat | None:
    """Returns the seat that begins; None if nobody has the start or dealer marker.

    The holder of the start player's marker begins, or the seat after the dealer. If the start player isn't in
    the match, the next seat in the match begins.
    """
    holder = start_or_dealer_marker_holder(state)
    if holder is None:
        return None
    if state.general_rules.deal == "nobody" and not is_out(state, holder) and holder not in late_seats(state):
        return holder
    return next_playing_seat(state, holder)


def next_playing_seat(state: TemplateState, seat: Seat) -> Seat:
    """Returns the next seat clockwise still in the match; the seat itself if there is no other."""
    seats_in_match = playing_seats(state)
    return next((other for other in state.seats.starting_after(seat) if other in seats_in_match), seat)


def give_start_or_dealer_marker(state: TemplateState, seat: Seat) -> None:
    """Moves the start or dealer marker to a seat, wherever the marker is."""
    state.table.move_single_piece(StartOrDealerMarker.of(state).accounts[seat])


def pass_start_or_dealer_marker_left(state: TemplateState, holder: Seat) -> None:
    """Passes the start or dealer marker to the next seat still in the match, and announces it."""
    seat = next_playing_seat(state, holder)
    give_start_or_dealer_marker(state, seat)
    announce_start_player_or_dealer(state, seat)


def announce_start_player_or_dealer(state: TemplateState, seat: Seat) -> None:
    """Announces who starts or deals."""
    nobody_deals = state.general_rules.deal == "nobody"
    state.table.add_note(
        say("{seat} is the start player.", seat=seat) if nobody_deals else say("{seat} deals.", seat=seat)
    )


async def ask_and_give_start_or_dealer_marker(state: TemplateState) -> None:
    """Asks who gets the start or dealer marker, gives it, and announces it."""
    nobody_deals = state.general_rules.deal == "nobody"
    question = say("Who is the start player?") if nobody_deals else say("Who deals?")
    marker = StartOrDealerMarker.of(state).marker
    seat = await choose_seat(question, playing_seats(state), about=marker)
    give_start_or_dealer_marker(state, seat)
    announce_start_player_or_dealer(state, seat)


def can_choose_start_player(state: TemplateState) -> bool:
    """Returns True if people can give somebody a start player's marker."""
    return state.general_rules.deal == "nobody" and state.general_rules.scoring != "knockout"


def make_start_or_dealer_badge(template: Template) -> SeatBadge:
    """Returns the badge of the start player or the dealer."""
    if template.general_rules.deal == "left":
        return SeatBadge(DEALER_MARKER, FRONT)
    return SeatBadge(START_PLAYER_MARKER, FRONT, say("starts"))


MENU = (
    MenuAction(
        "start_player",
        say("Start player"),
        ask_and_give_start_or_dealer_marker,
        ROUNDS_GROUP,
        can_choose_start_player,
        emblem="🚩",
    ),
    MenuAction(
        "start_player",
        say("Dealer"),
        ask_and_give_start_or_dealer_marker,
        ROUNDS_GROUP,
        lambda state: state.general_rules.deal == "left",
        emblem="🃏",
    ),
)
HELP = {
    "Who is the start player?": say(
        "Choose who gets the start player marker. Open auctions begin with that player."
    ),
    "Who deals?": say("Choose who gets the dealer marker. The marker moves one seat to the left each round."),
}
