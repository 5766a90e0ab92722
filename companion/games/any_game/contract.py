"""Tricks under contract: everybody bids a number of tricks, plays, and enters the tricks made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.games.any_game.points import FRONT
from companion.games.any_game.state import FeatureState, TemplateState
from companion.games.any_game.template import Template
from companion.games.any_game.turn_order import current_round
from companion.rulebook import (
    Amount,
    CountCell,
    CountedItem,
    Counts,
    Labelled,
    Piece,
    Place,
    Say,
    Seat,
    Together,
    say,
)

BID_MARKER = Piece("bid", say("bid"), is_endless=True, is_marker=True, count_label=say("bid {n}", n=2))
DEFAULT_MAX_TRICKS = 99
"""Limit of bids and tricks if the template doesn't give one."""


class ContractRules(msgspec.Struct, frozen=True):
    """Rules for bids on tricks: when people bid, and how bids score.

    any_game.toml explains each word.
    """

    bids: str = "after"
    tricks: int = 0
    hit: int = 0
    each: int = 0
    miss: int = 0

    def points_for_bid(self, bid: int, tricks_made: int) -> int:
        """Returns the points for a bid and the tricks made.

        A bid that is met scores `hit`, and `each` for each trick; otherwise `miss` counts for each trick of
        difference.
        """
        if bid == tricks_made:
            return self.hit + self.each * tricks_made
        return self.miss * abs(bid - tricks_made)

    @property
    def max_tricks(self) -> int:
        """Largest number of tricks that somebody can bid or make."""
        return self.tricks or DEFAULT_MAX_TRICKS


class ContractBids(FeatureState):
    """Accounts of the bids of a round; bids lie before the seats while the round is played."""

    def __init__(self, state: TemplateState) -> None:
        self.bid_account_by_seat = (
            state.table.account_by_seat(BID_MARKER, FRONT)
            if state.general_rules.scoring == "contract"
            else {}
        )


async def ask_and_score_bids_and_tricks(state: TemplateState) -> None:
    """Asks for the bids and tricks of a round, and adds the points.

    The bids are entered with the tricks, or before the round is played, as the template says.
    """
    rules = state.template.read_rules(ContractRules)
    bid_by_seat, tricks_by_seat = await (
        ask_bids_then_tricks(state) if rules.bids == "before" else ask_bids_with_tricks(state)
    )
    category = next(candidate for candidate in state.categories if candidate.when == "round")
    points_by_seat = {
        seat: rules.points_for_bid(bid_by_seat[seat], tricks_by_seat[seat]) for seat in bid_by_seat
    }
    for seat, points in points_by_seat.items():
        category.add_points(seat, points, current_round(state))
    text = "{seat} bid {bid} and made {made}. Points: {points}."
    for seat, points in points_by_seat.items():
        state.table.add_note(
            say(text, seat=seat, bid=bid_by_seat[seat], made=tricks_by_seat[seat], points=points)
        )


async def ask_bids_with_tricks(state: TemplateState) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """Asks everybody at once for the bid and the tricks made; returns both by seat."""
    max_tricks = state.template.read_rules(ContractRules).max_tricks
    items = {"bid": CountedItem(say("bid"), max_tricks), "made": CountedItem(say("made"), max_tricks)}
    question = say("How many tricks, bid and made?")
    request_by_seat = {
        seat: Counts(seat, _make_part_question(state, seat, question), items) for seat in state.playing_sides
    }
    answer_by_seat = await Together(
        question,
        dict(request_by_seat),
        is_open=True,
        about=_place_of_current_round(state),
        log_name=_make_log_name(state, "bid"),
    )
    counts_by_seat = {seat: counts or {} for seat, counts in answer_by_seat.items()}
    bid_by_seat = {seat: counts["bid"] for seat, counts in counts_by_seat.items()}
    tricks_by_seat = {seat: counts["made"] for seat, counts in counts_by_seat.items()}
    return bid_by_seat, tricks_by_seat


async def ask_bids_then_tricks(state: TemplateState) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """Asks for the bids, then for the tricks made; returns both by seat.

    The bids lie before the seats until the tricks are entered.
    """
    accounts = ContractBids.of(state).bid_account_by_seat
    bid_by_seat = await _ask_number_of_each_side(
        state, say("Bids of this round"), _make_log_name(state, "bid")
    )
    for seat, bid in bid_by_seat.items():
        state.table.add_markers(accounts[seat], bid)
    tricks_by_seat = await _ask_number_of_each_side(
        state, say("Tricks made in this round"), _make_log_name(state, "made")
    )
    for seat in bid_by_seat:
        state.table.remove_markers(accounts[seat])
    return bid_by_seat, tricks_by_seat


async def _ask_number_of_each_side(state: TemplateState, question: Say, log_name: Say) -> dict[Seat, int]:
    max_tricks = state.template.read_rules(ContractRules).max_tricks
    request_by_seat = {
        seat: Amount(seat, _make_part_question(state, seat, question), 0, max_tricks)
        for seat in state.playing_sides
    }
    return await Together(
        question, dict(request_by_seat), is_open=True, about=_place_of_current_round(state), log_name=log_name
    )


def _make_part_question(state: TemplateState, seat: Seat, question: Say) -> Say:
    return say("{team}", team=state.side_label(seat)) if state.general_rules.teams else question


def _place_of_current_round(state: TemplateState) -> Place:
    return Place(FRONT, slot=current_round(state))


def _make_log_name(state: TemplateState, entry: str) -> Say:
    label_by_entry: dict[str, Labelled] = {"bid": say("bids"), "made": say("tricks")}
    return say("Round {round}: {category}", round=current_round(state) or 1, category=label_by_entry[entry])


def build_bid_cells(template: Template) -> Iterator[CountCell]:
    """Yields the cell with a seat's bid, if bids are made before the round."""
    if template.general_rules.scoring == "contract" and template.read_rules(ContractRules).bids == "before":
        yield CountCell(BID_MARKER, FRONT)


HELP = {
    "How many tricks, bid and made?": say(
        "Enter everybody's bid and the tricks they made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then play the round."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
}
