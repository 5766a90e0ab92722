"""Tricks under contract: everybody bids a number of tricks, plays, and enters the tricks made."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.games.any_game.leaving import playing_seats
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.points import (
    ENTER_AGAIN_OR_KEEP_OPTIONS,
    FRONT,
    KEEP_KEY,
    captain_of_mat,
)
from companion.games.any_game.state import MIN_VERSION_REFUSING_IMPOSSIBLE, FeatureState, TemplateState
from companion.games.any_game.teams import CaptainBySeat, team_in_sentence
from companion.games.any_game.template import Template
from companion.games.any_game.turn_order import current_round
from companion.rulebook import (
    Amount,
    Choose,
    ComputedCell,
    CountCell,
    CountedItem,
    Counts,
    Labelled,
    Piece,
    Place,
    Request,
    Say,
    Seat,
    Together,
    WholeOrHalf,
    number_from_float,
    say,
    say_amount_of,
    say_list,
    say_n,
)

BID_MARKER = Piece("bid", say("bid"), is_endless=True, is_marker=True, count_label=say("bid {n}", n=2))
BAG_MARKER = Piece("overtrick bag", say("bags"), is_endless=True, is_marker=True)
"""Marker of a trick above a bid. Its id is one that no piece of an older template is likely to have."""
DEFAULT_MAX_TRICKS = 99
"""Limit of bids and tricks if the template doesn't give one."""
MAX_BONUS = 9_999
"""The most bonus points for one round; a grand slam in bridge with all extras is below 3,000."""
LIKE_OTHER_BIDS, TIMES_ROUND_NUMBER = "same", "round"
"""Words of the template for how a bid of 0 counts; with `flat` it has points of its own."""
OVERTRICKS_COUNT = "count"
"""Word of the template for tricks above a bid that don't miss it."""


class BidAndTricks(NamedTuple):
    """A bid, the tricks made, and the bonus points that count only if the bid was made."""

    bid: int
    made: int
    bonus: int = 0


class ContractRules(msgspec.Struct, frozen=True):
    """Rules for bids on tricks: when people bid, and how bids score.

    any_game.toml explains each word. Points are numbers of the template, such as 0.5 for half a point.
    """

    bids: str = "after"
    tricks: int = 0
    trick_sum: str = "any"
    hit: float = 0
    each: float = 0
    miss: float = 0
    each_missed: float = 0
    always: float = 0
    overtricks: str = "miss"
    over: float = 0
    bags: int = 0
    bag_penalty: float = 0
    zero: str = LIKE_OTHER_BIDS
    zero_hit: float = 0
    zero_miss: float = 0
    bonus: bool = False

    def points_for_bid(
        self, bid: int, tricks_made: int, bonus: int = 0, round_number: int = 1
    ) -> WholeOrHalf:
        """Returns the points for a bid and the tricks made, with `always` for each trick.

        A bid that is made scores `hit`, `each` for each trick of the bid, `over` for each trick above it, and
        the bonus. A missed bid scores `miss` for each trick of difference and `each_missed` for each trick of
        the bid. A bid of 0 may have points of its own instead, which may be multiplied by the round number.
        """
        is_made = self.is_bid_made(bid, tricks_made)
        points = self.always * tricks_made + (bonus if is_made else 0)
        if self.scores_zero_apart and bid == 0:
            factor = round_number if self.zero == TIMES_ROUND_NUMBER else 1
            points += factor * (self.zero_hit if is_made else self.zero_miss)
        elif is_made:
            points += self.hit + self.each * bid + self.over * (tricks_made - bid)
        else:
            points += self.miss * abs(bid - tricks_made) + self.each_missed * bid
        return number_from_float(points)

    def is_bid_made(self, bid: int, tricks_made: int) -> bool:
        """Returns True if the tricks make the bid: exactly, or with more tricks where these count."""
        if self.overtricks == OVERTRICKS_COUNT and (bid > 0 or not self.scores_zero_apart):
            return tricks_made >= bid
        return tricks_made == bid

    @property
    def scores_zero_apart(self) -> bool:
        """True if a bid of 0 has points of its own; then each player of a team makes a bid."""
        return self.zero != LIKE_OTHER_BIDS

    @property
    def max_tricks(self) -> int:
        """Largest number of tricks that somebody can bid or make."""
        return self.tricks or DEFAULT_MAX_TRICKS

    def tricks_in_round(self, round_number: int) -> int | None:
        """Returns the number of tricks that everybody makes together in a round; None if it isn't known."""
        tricks_by_word = {
            "tricks": self.tricks,
            "round": round_number,
            "down": self.tricks + 1 - round_number,
        }
        tricks = tricks_by_word.get(self.trick_sum, 0)
        return tricks if tricks > 0 else None


class BidsAndBags(FeatureState):
    """Accounts of bids, which lie before the seats while a round is played, and of the bags of each side."""

    def __init__(self, state: TemplateState) -> None:
        is_contract = state.general_rules.scoring == "contract"
        has_bags = is_contract and state.template.read_rules(ContractRules).bags
        self.bid_account_by_seat = state.table.account_by_seat(BID_MARKER, FRONT) if is_contract else {}
        self.bag_account_by_seat = state.table.account_by_seat(BAG_MARKER, FRONT) if has_bags else {}


# Questions


async def ask_and_score_bids_and_tricks(state: TemplateState) -> None:
    """Asks for the bids and tricks of a round, and adds the points.

    The bids are entered with the tricks, or before the round is played, as the template says.
    """
    result_by_seat = await (
        ask_bids_then_tricks(state)
        if state.template.read_rules(ContractRules).bids == "before"
        else ask_until_tricks_add_up(state, lambda: ask_bids_with_tricks(state))
    )
    for side in dict.fromkeys(state.captain_by_seat[seat] for seat in result_by_seat):
        score_side(
            state,
            side,
            {seat: result for seat, result in result_by_seat.items() if state.captain_by_seat[seat] == side},
        )


async def ask_until_tricks_add_up(
    state: TemplateState, ask_results: Callable[[], Coroutine[Request[Any], Any, dict[Seat, BidAndTricks]]]
) -> dict[Seat, BidAndTricks]:
    """Asks for the results of a round until the tricks add up, or until people keep what they entered."""
    rules = state.template.read_rules(ContractRules)
    while True:
        result_by_seat = await ask_results()
        total = sum(result.made for result in result_by_seat.values())
        expected = rules.tricks_in_round(current_round(state) or 1)
        if expected is None or total == expected or await _ask_whether_to_keep(total, expected):
            return result_by_seat


async def _ask_whether_to_keep(total: int, expected: int) -> bool:
    """Asks whether to keep tricks that don't add up; returns True if people keep them."""
    text = "The tricks add up to {sum}, but this round has {n}. Enter them again, or keep them?"
    question, log_name = say(text, sum=total, n=expected), say("Check the tricks")
    return await Choose(None, question, ENTER_AGAIN_OR_KEEP_OPTIONS, log_name=log_name) == KEEP_KEY


async def ask_bids_with_tricks(state: TemplateState) -> dict[Seat, BidAndTricks]:
    """Asks everybody at once for the bid and the tricks made; returns both by seat."""
    max_tricks = state.template.read_rules(ContractRules).max_tricks
    items = {"bid": CountedItem(say("bid"), max_tricks), **_make_trick_items(state)}
    question, log_name = say("How many tricks, bid and made?"), _make_log_name(state, "bid")
    counts_by_seat = await _ask_counts(state, bidding_seats(state), question, items, log_name)
    return {seat: BidAndTricks(**counts) for seat, counts in counts_by_seat.items()}


async def ask_bids_then_tricks(state: TemplateState) -> dict[Seat, BidAndTricks]:
    """Asks for the bids, then for the tricks made; returns both by seat.

    The bids lie before the seats until the tricks are entered.
    """
    accounts = BidsAndBags.of(state).bid_account_by_seat
    bid_by_seat = await _ask_number_of_each_seat(
        state, bidding_seats(state), say("How many tricks does everybody bid?"), _make_log_name(state, "bid")
    )
    for seat, bid in bid_by_seat.items():
        state.table.add_markers(accounts[seat], bid)
    bids = say_list([say_amount_of(seat, bid) for seat, bid in bid_by_seat.items()])
    state.table.add_note(say("Bids: {bids}.", bids=bids))
    result_by_seat = await ask_until_tricks_add_up(state, lambda: ask_tricks(state, bid_by_seat))
    for seat in bid_by_seat:
        state.table.remove_markers(accounts[seat])
    return result_by_seat


async def ask_tricks(state: TemplateState, bid_by_seat: Mapping[Seat, int]) -> dict[Seat, BidAndTricks]:
    """Asks for the tricks made, and for bonus points if there are any; returns them by seat with the bids."""
    question, log_name = say("How many tricks did everybody make?"), _make_log_name(state, "made")
    if not state.template.read_rules(ContractRules).bonus:
        made_by_seat = await _ask_number_of_each_seat(state, tuple(bid_by_seat), question, log_name)
        return {seat: BidAndTricks(bid_by_seat[seat], made) for seat, made in made_by_seat.items()}
    counts_by_seat = await _ask_counts(
        state, tuple(bid_by_seat), question, _make_trick_items(state), log_name
    )
    return {seat: BidAndTricks(bid_by_seat[seat], **counts) for seat, counts in counts_by_seat.items()}


def bidding_seats(state: TemplateState) -> Sequence[Seat]:
    """Returns the seats that bid: one for each side, or each player if a bid of 0 has points of its own."""
    if state.template.read_rules(ContractRules).scores_zero_apart:
        return playing_seats(state)
    return state.playing_sides


def _make_trick_items(state: TemplateState) -> dict[str, CountedItem]:
    """Returns what is counted after a round: tricks, and bonus points if the template has them."""
    rules = state.template.read_rules(ContractRules)
    items = {"made": CountedItem(say("made"), rules.max_tricks)}
    is_bonus_limited = state.table.version >= MIN_VERSION_REFUSING_IMPOSSIBLE
    most = MAX_BONUS if is_bonus_limited else MAX_AMOUNT
    return items | {"bonus": CountedItem(say("extra"), most)} if rules.bonus else items


async def _ask_counts(
    state: TemplateState,
    seats: Sequence[Seat],
    question: Say,
    items: Mapping[str, CountedItem],
    log_name: Say,
) -> dict[Seat, dict[str, int]]:
    request_by_seat = {
        seat: Counts(seat, _make_part_question(state, seat, question), items) for seat in seats
    }
    answer_by_seat = await Together(
        question,
        dict(request_by_seat),
        is_open=True,
        about=_place_of_current_round(state),
        log_name=log_name,
    )
    return {seat: counts or {} for seat, counts in answer_by_seat.items()}


async def _ask_number_of_each_seat(
    state: TemplateState, seats: Sequence[Seat], question: Say, log_name: Say
) -> dict[Seat, int]:
    max_tricks = state.template.read_rules(ContractRules).max_tricks
    request_by_seat = {
        seat: Amount(seat, _make_part_question(state, seat, question), 0, max_tricks) for seat in seats
    }
    return await Together(
        question, dict(request_by_seat), is_open=True, about=_place_of_current_round(state), log_name=log_name
    )


def _make_part_question(state: TemplateState, seat: Seat, question: Say) -> Say:
    bids_for_team = (
        state.general_rules.teams and not state.template.read_rules(ContractRules).scores_zero_apart
    )
    return say("{team}", team=state.side_label(seat)) if bids_for_team else question


def _place_of_current_round(state: TemplateState) -> Place:
    return Place(FRONT, slot=current_round(state))


def _make_log_name(state: TemplateState, entry: str) -> Say:
    label_by_entry: dict[str, Labelled] = {"bid": say("bids"), "made": say("tricks")}
    return say("Round {round}: {category}", round=current_round(state) or 1, category=label_by_entry[entry])


# Points


def score_side(state: TemplateState, side: Seat, result_by_seat: Mapping[Seat, BidAndTricks]) -> None:
    """Adds the points and bags of a round to a side, and says what they are for."""
    rules, round_number = state.template.read_rules(ContractRules), current_round(state)
    points_of_side: WholeOrHalf = 0
    for bidder, (bid, made, bonus) in contracts_of_side(rules, result_by_seat):
        points = rules.points_for_bid(bid, made, bonus, round_number or 1)
        text = "{seat} bid {bid} and made {made}. Points: {points}."
        state.table.add_note(say(text, seat=bidder, bid=bid, made=made, points=points))
        points_of_side += points
        if rules.bags:
            state.table.add_markers(BidsAndBags.of(state).bag_account_by_seat[side], max(0, made - bid))
    category = next(candidate for candidate in state.categories if candidate.when == "round")
    category.add_points(side, points_of_side + settle_full_bags(state, side), round_number)


def contracts_of_side(
    rules: ContractRules, result_by_seat: Mapping[Seat, BidAndTricks]
) -> Iterator[tuple[Labelled, BidAndTricks]]:
    """Yields the contracts of a side, each with the label of its bidders.

    Partners share one contract: their bids and tricks add up. A bid of 0 with points of its own is a contract
    of its own, so the tricks of a partner who missed it don't help the others.
    """
    own = {seat: one for seat, one in result_by_seat.items() if rules.scores_zero_apart and one.bid == 0}
    shared = {seat: one for seat, one in result_by_seat.items() if seat not in own}
    if shared:
        bidders: Labelled = say_list(tuple(shared)) if len(shared) > 1 else next(iter(shared))
        yield bidders, BidAndTricks(*map(sum, zip(*shared.values(), strict=True)))
    yield from own.items()


def settle_full_bags(state: TemplateState, side: Seat) -> WholeOrHalf:
    """Takes each full set of bags from a side, and returns the penalty points for them."""
    rules = state.template.read_rules(ContractRules)
    if not rules.bags:
        return 0
    account = BidsAndBags.of(state).bag_account_by_seat[side]
    full_sets = account.count // rules.bags
    if not full_sets:
        return 0
    bags, points = full_sets * rules.bags, full_sets * number_from_float(rules.bag_penalty)
    state.table.remove_markers(account, bags)
    state.table.add_note(
        say_n(
            "{team} gave back {n} bag. Points: {points}.",
            "{team} gave back {n} bags. Points: {points}.",
            n=bags,
            team=team_in_sentence(state.captain_by_seat, side),
            points=points,
        )
    )
    return points


# Errors in a template, and the scene


def find_contract_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about bids: numbers without the rule that they belong to."""
    rules = template.read_rules(ContractRules)
    if rules.overtricks != OVERTRICKS_COUNT:
        for field, value in {"over": rules.over, "bags": rules.bags}.items():
            if value:
                yield say('{field} needs the setting "overtricks = count".', field=field)
    if not rules.scores_zero_apart:
        for field, value in {"zero_hit": rules.zero_hit, "zero_miss": rules.zero_miss}.items():
            if value:
                yield say('{field} needs the setting "zero = flat" or "zero = round".', field=field)
    if rules.bag_penalty and not rules.bags:
        yield say("bag_penalty needs a number of bags. Set bags to more than 0.")
    if rules.trick_sum in ("tricks", "down") and not rules.tricks:
        text = '"trick_sum = {word}" needs a number of tricks. Set tricks to more than 0.'
        yield say(text, word=rules.trick_sum)


def build_bid_cells(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[CountCell | ComputedCell]:
    """Yields the cells with a seat's bid, if bids are made before the round, and with its side's bags."""
    rules = template.read_rules(ContractRules)
    if template.general_rules.scoring != "contract":
        return
    if rules.bids == "before":
        yield CountCell(BID_MARKER, FRONT)
    if rules.bags:
        yield ComputedCell(
            BAG_MARKER.label,
            lambda look, seat: look.visible_count_or_zero(
                BAG_MARKER, FRONT, captain_of_mat(captain_by_seat, seat)
            ),
        )


HELP = {
    "How many tricks, bid and made?": say(
        "Enter everybody's bid and the tricks they made. The companion works out the points. Extra points "
        "count only if the bid was made."
    ),
    "How many tricks does everybody bid?": say("Enter everybody's bid. Then play the round."),
    "How many tricks did everybody make?": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids. Extra "
        "points count only if the bid was made."
    ),
    "The tricks add up to {sum}, but this round has {n}. Enter them again, or keep them?": say(
        "Count the tricks again. Keep them if your game has a reason, such as a trick that nobody got."
    ),
}
