"""Auctions that several games share, as small coroutines and functions rather than a framework.

Each docstring says when the auction ends; what follows from winning is up to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from companion.bounds import MAX_NUMBER
from companion.requests import (
    PASS_KEY,
    Amount,
    Choose,
    DetailedOption,
    FallingPriceStep,
    Limit,
    OptionRequirement,
    Raise,
    Request,
    Together,
)
from companion.table.ledger import Account, Piece, Place
from companion.table.money import MoneyAtPlace
from companion.table.seats import Seat, Seats
from companion.texts import Labelled, Say, say, say_amount_of, say_list

AskForBid = Callable[[Seat], Coroutine[Request[Any], Any, bool]]
"""A coroutine that asks one seat for its turn and returns True if the seat bid."""

WinnerRule = Callable[[Mapping[Seat, int]], list[Seat]]
"""A function that returns the seats whose bids lead: one of `WINNER_RULE_BY_KEY` or your own."""

BidPurses = Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]
"""What each seat pays its bids from: an account (`table.account_by_seat(COIN, PURSE)`) or all its money."""

BidPiecesBySeat = Mapping[Seat, Mapping[int, Account]]
"""What each seat may bid: its pieces by their value, as `pieces` of `Raise`."""

NO_BID_PIECES: BidPiecesBySeat = MappingProxyType({})
"""No pieces: bids are any numbers."""

NO_PURSE_LIMITS: Mapping[Seat, Account] = MappingProxyType({})
"""No purses: bids have no limit, because nothing is paid or nobody counts the money."""

PASS_OPTION = DetailedOption(say("pass"), is_decline_option=True)


class EmptiestPurseLimit(msgspec.Struct, frozen=True):
    """A limit: the amount in the emptiest purse that everybody may see and that has money, at most `most`.

    An auction uses the limit if the winner may have to pay any of the bids. A hidden purse limits only its
    owner, because a refusal would reveal its content. If all purses are hidden there is no limit besides
    `most`.
    """

    purses: tuple[Account | MoneyAtPlace, ...]
    most: int | None = None

    @property
    def count(self) -> int:
        """The amount in the emptiest purse at this moment, at most `most`."""
        most = MAX_NUMBER if self.most is None else self.most
        return min([most, *[purse.count for purse in self.purses if purse.count and not purse.covered]])

    @property
    def covered(self) -> bool:
        """Always False, because only purses that everybody may see count."""
        return False


async def ask_until_all_others_pass(turn_order: Seats, ask_for_bid: AskForBid) -> Seat | None:
    """Asks the seats in turn until all others pass; returns the last bidder, or None if nobody bid.

    A seat that passed may bid again. The auction ends when all others have passed in a row since the last
    bid, or when all pass and nobody has bid.
    """
    bidder: Seat | None = None
    passes, turn_count = 0, 0
    while passes < len(turn_order) - (bidder is not None):
        seat = turn_order[turn_count % len(turn_order)]
        turn_count += 1
        if await ask_for_bid(seat):
            bidder, passes = seat, 0
        else:
            passes += 1
    return bidder


class AuctionResult(NamedTuple):
    """The winner of an auction and the price: the last bid, or the price that the winner accepted.

    Without a winner they are None and 0.
    """

    winner: Seat | None
    price: int


async def ask_open_bids(  # noqa: PLR0913 - callers name the optional arguments
    turn_order: Seats,
    piece: Piece,
    min_bid: int = 1,
    bid_step: int = 1,
    max_bid: Limit | None = None,
    purses: BidPurses = NO_PURSE_LIMITS,
    *,
    lots_place: Place | None = None,
    pieces_by_seat: BidPiecesBySeat = NO_BID_PIECES,
    confirm_above: int | None = None,
) -> AuctionResult:
    """Asks for open bids in turn until all others pass; returns the winner and the bid.

    A seat that passed may bid again. `purses`: nobody bids more than is in the purse. `lots_place`: the place
    of the cards on sale. `pieces_by_seat`: each seat bids one of its pieces. `confirm_above`: people are
    asked whether a higher bid is right.
    """
    bids: dict[Seat, int] = {}
    passed: list[Seat] = []

    async def ask_for_bid(seat: Seat) -> bool:
        if seat in passed:
            passed.remove(seat)  # whoever is asked again may bid again
        bid = await Raise(
            seat,
            piece,
            dict(bids),
            min_bid,
            bid_step,
            max_bid,
            still_bidding=turn_order.starting_with(seat),
            passed_seats=tuple(passed),
            paid_from=purses.get(seat),
            lots_place=lots_place,
            pieces=pieces_by_seat.get(seat),
            confirm_above=confirm_above,
        )
        if bid is None:
            passed.append(seat)
        else:
            bids[seat] = bid
        return bid is not None

    winner = await ask_until_all_others_pass(turn_order, ask_for_bid)
    return AuctionResult(winner, max(bids.values(), default=0))


class BidsAndPassedSeats(NamedTuple):
    """The last bid of each seat that bid, and the seats that passed, in the order in which they passed."""

    bids: dict[Seat, int]
    passed_seats: list[Seat]


async def ask_open_bids_with_final_passes(  # noqa: PLR0913 - callers name the optional arguments
    turn_order: Seats,
    piece: Piece,
    min_bid: int = 1,
    bid_step: int = 1,
    max_bid: Limit | None = None,
    purses: BidPurses = NO_PURSE_LIMITS,
    *,
    last_must_bid: bool = True,
    pieces_by_seat: BidPiecesBySeat = NO_BID_PIECES,
    confirm_above: int | None = None,
) -> BidsAndPassedSeats:
    """Asks for open bids in turn; passing is final. The auction ends when at most one bidder is left.

    `last_must_bid`: a last bidder who hasn't bid yet is asked to bid or pass; otherwise nobody asks if others
    have passed, and the last bidder may have no bid. `pieces_by_seat`: each seat bids one of its pieces.
    `confirm_above`: people are asked whether a higher bid is right.
    """
    bids: dict[Seat, int] = {}
    remaining, passed = [*turn_order], list[Seat]()
    while len(remaining) > 1 or (remaining and remaining[0] not in bids and (last_must_bid or not passed)):
        seat = remaining[0]
        bid = await Raise(
            seat,
            piece,
            dict(bids),
            min_bid,
            bid_step,
            max_bid,
            "withdraw",
            still_bidding=tuple(remaining),
            paid_from=purses.get(seat),
            pieces=pieces_by_seat.get(seat),
            confirm_above=confirm_above,
        )
        remaining.pop(0)
        if bid is None:
            passed.append(seat)
        else:
            bids[seat] = bid
            remaining.append(seat)
    return BidsAndPassedSeats(bids, passed)


async def ask_bids_once_around(  # noqa: PLR0913 - callers name the optional arguments
    turn_order: Seats,
    piece: Piece,
    min_bid: int = 1,
    bid_step: int = 1,
    max_bid: Limit | None = None,
    purses: BidPurses = NO_PURSE_LIMITS,
    *,
    pieces_by_seat: BidPiecesBySeat = NO_BID_PIECES,
    confirm_above: int | None = None,
) -> dict[Seat, int]:
    """Asks each seat once to bid or pass; returns the bids by seat. The last bid is the highest.

    `pieces_by_seat`: each seat bids one of its pieces. `confirm_above`: people are asked whether a higher bid
    is right.
    """
    bids: dict[Seat, int] = {}
    for index, seat in enumerate(turn_order):
        bid = await Raise(
            seat,
            piece,
            dict(bids),
            min_bid,
            bid_step,
            max_bid,
            still_bidding=turn_order[index:],
            passed_seats=tuple([other for other in turn_order[:index] if other not in bids]),
            paid_from=purses.get(seat),
            pieces=pieces_by_seat.get(seat),
            confirm_above=confirm_above,
            asks_once=True,
        )
        if bid is not None:
            bids[seat] = bid
    return bids


async def offer_at_fixed_price(
    turn_order: Seats, piece: Piece, price: int, purses: BidPurses = NO_PURSE_LIMITS
) -> Seat | None:
    """Asks each seat in turn to buy at that price; returns the first that buys, or None."""
    for seat in turn_order:
        barred_reason = _why_cannot_pay(seat, price, purses)
        take_option = DetailedOption(say("Take it"), price=price, barred_reason=barred_reason)
        options = {"take": take_option, PASS_KEY: PASS_OPTION}
        requirements = _purse_requirements({"take": seat}, price, purses)
        question = say("{about} for {price}?", about=piece, price=price)
        choice = await Choose(seat, question, options, requirements, about=piece, log_name=say("Fixed price"))
        if choice == "take":
            return seat
    return None


async def offer_at_falling_price(
    buyers: Seats,
    piece: Piece,
    prices: Sequence[int],
    purses: BidPurses = NO_PURSE_LIMITS,
    paid_in: Piece | None = None,
) -> AuctionResult:
    """Lowers the price step by step until a seat accepts it; that seat wins.

    Each price is one question to all at once: the first to press gets the piece. After a timeout the price
    falls.
    """
    seat_by_key = {str(seat.number): seat for seat in buyers}
    for price, next_price in zip(prices, chain[int | None](prices[1:], [None]), strict=True):
        buyer_options = {
            key: DetailedOption(say("{seat}", seat=seat), barred_reason=_why_cannot_pay(seat, price, purses))
            for key, seat in seat_by_key.items()
        }
        options = {**buyer_options, PASS_KEY: DetailedOption(say("Nobody yet"), is_decline_option=True)}
        race = Choose(
            None,
            say("Who takes {about} for {price}?", about=piece, price=price),
            options,
            _purse_requirements(seat_by_key, price, purses),
            about=piece,
            log_name=say("Falling price"),
            race_seats=tuple(buyers),
            falling_price=FallingPriceStep(price, next_price, paid_in),
        )
        if (choice := await race) != PASS_KEY:
            return AuctionResult(seat_by_key[choice], price)
    return AuctionResult(None, 0)


def _why_cannot_pay(seat: Seat, price: int, purses: BidPurses) -> Say | None:
    """Returns why a seat can't pay, if everybody can see that the purse has too little; else None."""
    purse = purses.get(seat)
    has_too_little = purse is not None and not purse.covered and purse.count < price
    return _cannot_pay_text(seat, price) if has_too_little else None


def _purse_requirements(
    buyer_by_option_key: Mapping[str, Seat], price: int, purses: BidPurses
) -> dict[str, OptionRequirement]:
    """Returns what each option requires in its buyer's purse."""
    return {
        key: OptionRequirement(purses[seat], price, _cannot_pay_text(seat, price))
        for key, seat in buyer_by_option_key.items()
        if seat in purses
    }


def _cannot_pay_text(seat: Seat, price: int) -> Say:
    return say("{seat} can't pay {price}.", seat=seat, price=price)


async def ask_sealed_bids(  # noqa: PLR0913 - callers name the optional arguments
    log_name: Say,
    question: Say,
    seats: Sequence[Seat],
    max_bid: Limit | None,
    purses: BidPurses,
    min_bid: int = 0,
    *,
    pieces_by_seat: BidPiecesBySeat = NO_BID_PIECES,
    about: Piece | None = None,
    confirm_above: int | None = None,
) -> dict[Seat, int]:
    """Asks each seat for a sealed bid; returns the bids by seat.

    A bid is from `min_bid` to `max_bid`, or 0 for no bid. `purses`: nobody bids more than is in the purse.
    `log_name` is the name of the round in logs. `pieces_by_seat`: each seat bids one of its pieces, or 0.
    `about`: the lot, if the table shows it. `confirm_above`: people are asked whether a higher bid is right.
    """
    bids = {
        seat: Amount(
            seat,
            question,
            min_bid,
            max_bid,
            paid_from=purses.get(seat),
            decline=min_bid > 0 or seat in pieces_by_seat,
            pieces=pieces_by_seat.get(seat),
            confirm_above=confirm_above,
        )
        for seat in seats
    }
    return await Together(say("Everybody bids in secret"), dict(bids), log_name=log_name, about=about)


def payable_sealed_bid_limit(
    max_bid: int | None, purses: BidPurses, winner_rule_key: str, payment_rule_key: str
) -> Limit | None:
    """Returns the common bid limit with which every winner can pay the price in a sealed round.

    The limit applies in addition to the bidder's own purse. Normally a bid costs at most itself. If the
    lowest bid wins and pays the second lowest, it can cost any of the bids. If all purses are hidden, returns
    `max_bid`.
    """
    if (winner_rule_key, payment_rule_key) == ("lowest", "second") and not all(
        purse.covered for purse in purses.values()
    ):
        return EmptiestPurseLimit(tuple(purses.values()), max_bid)
    return max_bid


class SealedRoundResult(NamedTuple):
    """The last bid of each seat, and the seats that lead: nobody, one seat, or several that tie."""

    bids: dict[Seat, int]
    leading_seats: list[Seat]


async def run_sealed_round(
    ask_for_bids: Callable[[Sequence[Seat]], Coroutine[Request[Any], Any, dict[Seat, int]]],
    winner_rule: WinnerRule,
    seats: Sequence[Seat],
    announce_tie: Callable[[Sequence[Seat], int], None] | None,
) -> SealedRoundResult:
    """Asks for sealed bids; returns all last bids and the leading seats.

    With `announce_tie`, which announces a tie, the tied seats bid again until one wins.
    """
    bids = await ask_for_bids(seats)
    leading_seats = winner_rule(bids)
    while announce_tie and len(leading_seats) > 1:
        announce_tie(leading_seats, bids[leading_seats[0]])
        new_bids = await ask_for_bids(leading_seats)
        bids |= new_bids
        leading_seats = winner_rule(new_bids)
    return SealedRoundResult(bids, leading_seats)


def highest_bidders(bids: Mapping[Seat, int], min_bid: int = 1) -> list[Seat]:
    """Returns the seats with the highest bid of at least `min_bid`: nobody, one seat, or several that tie."""
    highest = max(bids.values(), default=0)
    return [seat for seat, bid in bids.items() if bid == highest >= min_bid]


def lowest_bidders(bids: Mapping[Seat, int]) -> list[Seat]:
    """Returns the seats with the lowest bid above 0: nobody, one seat, or several that tie."""
    lowest = min((bid for bid in bids.values() if bid > 0), default=None)
    return [seat for seat, bid in bids.items() if bid == lowest]


def highest_unique_bidders(bids: Mapping[Seat, int]) -> list[Seat]:
    """Returns the seat with the highest bid above 0 that nobody else made, or nobody."""
    amounts = list(bids.values())
    return highest_bidders({seat: bid for seat, bid in bids.items() if amounts.count(bid) == 1})


WINNER_RULE_BY_KEY: dict[str, WinnerRule] = {
    "highest": highest_bidders,
    "lowest": lowest_bidders,
    "unique": highest_unique_bidders,
}
"""The winner rules `highest`, `lowest` and `unique`, by the key of an option that offers them."""


def payments_due(
    bids: Mapping[Seat, int],
    leading_seats: Sequence[Seat],
    payment_rule_key: str,
    winner_rule: WinnerRule = highest_bidders,
) -> dict[Seat, int]:
    """Returns what each seat pays after a sealed round.

    `payment_rule_key` is `winner`, `all` or `nobody`; with `second` the winner pays the next best bid. A
    winner pays only if there is no tie.
    """
    winners = leading_seats if len(leading_seats) == 1 else ()
    if payment_rule_key == "second":
        other_bids = {seat: bid for seat, bid in bids.items() if seat not in leading_seats}
        next_best = max((other_bids[seat] for seat in winner_rule(other_bids)), default=0)
        payments = dict.fromkeys(winners, next_best)
    else:
        payers = {"winner": winners, "all": bids, "nobody": ()}[payment_rule_key]
        payments = {seat: bids[seat] for seat in payers}
    return {seat: amount for seat, amount in payments.items() if amount}


def describe_bids(bids: Mapping[Seat, int]) -> Labelled:
    """Returns the bids above 0 as text: `3 by Aki, 4 by Chie`."""
    return say_list([say_amount_of(seat, bid) for seat, bid in bids.items() if bid])
