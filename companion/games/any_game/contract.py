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

BID = Piece("bid", say("bid"), is_endless=True, is_marker=True, count_label=say("bid {n}", n=2))
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
    """Accounts of the bids of a round: before each seat while the round is played."""

    def __init__(self, state: TemplateState) -> None:
        self.bids = (
            state.table.account_by_seat(BID, FRONT) if state.general_rules.scoring == "contract" else {}
        )


async def ask_and_score_bids_and_tricks(state: TemplateState) -> None:
    """Asks for the bids and tricks of a round, and adds the points.

    The bids are entered with the tricks, or before the round is played, as the template says.
    """
    rules = state.template.read_rules(ContractRules)
    bids, made = await (
        ask_bids_then_tricks(state) if rules.bids == "before" else ask_bids_with_tricks(state)
    )
    category = next(one for one in state.categories if one.when == "round")
    points = {seat: rules.points_for_bid(bids[seat], made[seat]) for seat in bids}
    for seat, number in points.items():
        category.add_points(seat, number, current_round(state))
    text = "{seat} bid {bid} and made {made}. Points: {points}."
    for seat, number in points.items():
        state.table.add_note(say(text, seat=seat, bid=bids[seat], made=made[seat], points=number))


async def ask_bids_with_tricks(state: TemplateState) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """Asks everybody at once for the bid and the tricks made; returns both by seat."""
    most = state.template.read_rules(ContractRules).max_tricks
    counted = {"bid": CountedItem(say("bid"), most), "made": CountedItem(say("made"), most)}
    question = say("How many tricks, bid and made?")
    parts = {seat: Counts(seat, _part_text(state, seat, question), counted) for seat in state.sides}
    given = await Together(
        question, dict(parts), is_open=True, about=_about(state), log_name=_log_text(state, "bid")
    )
    rows = {seat: row or {} for seat, row in given.items()}
    return {seat: row["bid"] for seat, row in rows.items()}, {seat: row["made"] for seat, row in rows.items()}


async def ask_bids_then_tricks(state: TemplateState) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """Asks for the bids, then for the tricks made; returns both by seat.

    The bids lie before the seats until the tricks are entered.
    """
    accounts = ContractBids.of(state).bids
    bids = await _enter_numbers(state, say("Bids of this round"), _log_text(state, "bid"))
    for seat, number in bids.items():
        state.table.add_markers(accounts[seat], number)
    made = await _enter_numbers(state, say("Tricks made in this round"), _log_text(state, "made"))
    for seat in bids:
        state.table.remove_markers(accounts[seat])
    return bids, made


async def _enter_numbers(state: TemplateState, question: Say, log_text: Say) -> dict[Seat, int]:
    most = state.template.read_rules(ContractRules).max_tricks
    parts = {seat: Amount(seat, _part_text(state, seat, question), 0, most) for seat in state.sides}
    return await Together(question, dict(parts), is_open=True, about=_about(state), log_name=log_text)


def _part_text(state: TemplateState, seat: Seat, question: Say) -> Say:
    return say("{team}", team=state.side_label(seat)) if state.general_rules.teams else question


def _about(state: TemplateState) -> Place:
    return Place(FRONT, slot=current_round(state))


def _log_text(state: TemplateState, what: str) -> Say:
    words: dict[str, Labelled] = {"bid": say("bids"), "made": say("tricks")}
    return say("Round {round}: {category}", round=current_round(state) or 1, category=words[what])


def build_bid_cells(template: Template) -> Iterator[CountCell]:
    """Yields the cell with a seat's bid, if bids are made before the round."""
    if template.general_rules.scoring == "contract" and template.read_rules(ContractRules).bids == "before":
        yield CountCell(BID, FRONT)


HELP = {
    "How many tricks, bid and made?": say(
        "Enter everybody's bid and the tricks they made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then play the round."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
}
