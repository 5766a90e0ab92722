"""Shapes of auctions that several games share: small coroutines and sums, no framework.

Each says in a sentence when it ends; what a game makes of the winner is the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

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
from companion.texts import Labelled, Say, say, say_list

BidTurn = Callable[[Seat], Coroutine[Request[Any], Any, bool]]
"""A coroutine that asks one seat for its turn and returns True if it bid."""

WinnerRule = Callable[[Mapping[Seat, int]], list[Seat]]
"""A function that returns the seats whose bids are ahead: `highest`, `lowest`, `unique` or your own."""

BidPurses = Mapping[Seat, Account] | Mapping[Seat, MoneyAtPlace]
"""What each seat pays its bids from: an account (`table.account_per_seat(COIN, PURSE)`) or all money."""

NO_PURSES: Mapping[Seat, Account] = MappingProxyType({})
"""No purses: bids have no limit, because nothing is paid or nobody counts the money."""

PASS_OPTION = DetailedOption(say("pass"), is_way_out=True)


class EmptiestPurse(msgspec.Struct, frozen=True):
    """The amount in the emptiest of these purses, but no more than `most`; empty purses don't count.

    It is the limit where the winner may have to pay any of the bids. A covered purse limits nobody but its
    owner, because a refusal would tell its content. If no purse is open there is no limit.
    """

    purses: tuple[Account | MoneyAtPlace, ...]
    most: int | None = None

    @property
    def count(self) -> int:
        """Amount in the emptiest purse at this moment, but at most `most`."""
        most = MAX_NUMBER if self.most is None else self.most
        return min([most, *[purse.count for purse in self.purses if purse.count and not purse.covered]])

    @property
    def covered(self) -> bool:
        """Always False: only open purses count."""
        return False


async def ask_until_all_pass(order: Seats, ask: BidTurn) -> Seat | None:
    """Asks the seats round and round until all others pass; returns the last bidder, or None.

    A pass is not final. It ends when all others have passed in a row since the last bid, or when all pass and
    nobody has bid.
    """
    bidder: Seat | None = None
    passes, at = 0, 0
    while passes < len(order) - (bidder is not None):
        seat = order[at % len(order)]
        at += 1
        if await ask(seat):
            bidder, passes = seat, 0
        else:
            passes += 1
    return bidder


async def ask_open_bids(  # noqa: PLR0913 - each is named where it is given
    order: Seats,
    about: Piece,
    least: int = 1,
    step: int = 1,
    most: Limit | None = None,
    purses: BidPurses = NO_PURSES,
    *,
    lots_place: Place | None = None,
) -> tuple[Seat | None, int]:
    """Asks for open bids in turn until all others pass; returns the winner and the bid, or None and 0.

    A pass is not final. `purses`: nobody bids more than is in the purse. `lots_place`: the place of the
    thing on sale.
    """
    bids: dict[Seat, int] = {}

    async def turn(seat: Seat) -> bool:
        still, purse = order.starting_with(seat), purses.get(seat)
        bid = await Raise(
            seat,
            about,
            dict(bids),
            least,
            step,
            most,
            still_bidding=still,
            paid_from=purse,
            lots_place=lots_place,
        )
        if bid is not None:
            bids[seat] = bid
        return bid is not None

    winner = await ask_until_all_pass(order, turn)
    return winner, max(bids.values(), default=0)


async def ask_final_bids(
    order: Seats,
    about: Piece,
    least: int = 1,
    step: int = 1,
    most: Limit | None = None,
    purses: BidPurses = NO_PURSES,
) -> tuple[dict[Seat, int], list[Seat]]:
    """Asks for open bids in turn, a pass is final; returns all last bids and the seats that passed.

    It ends when one bidder is left, or nobody. The seats that passed come in the order in which they did.
    """
    bids: dict[Seat, int] = {}
    left, out = [*order], list[Seat]()
    while len(left) > 1 or (left and left[0] not in bids):
        seat, still = left.pop(0), tuple(left)
        bid = await Raise(
            seat,
            about,
            dict(bids),
            least,
            step,
            most,
            "withdraw",
            still_bidding=(seat, *still),
            paid_from=purses.get(seat),
        )
        if bid is None:
            out.append(seat)
        else:
            bids[seat] = bid
            left.append(seat)
    return bids, out


async def ask_once_around(
    order: Seats,
    about: Piece,
    least: int = 1,
    step: int = 1,
    most: Limit | None = None,
    purses: BidPurses = NO_PURSES,
) -> dict[Seat, int]:
    """Asks each seat once to bid or pass; returns the bids by seat. The last one is the highest."""
    bids: dict[Seat, int] = {}
    for at, seat in enumerate(order):
        bid = await Raise(
            seat, about, dict(bids), least, step, most, still_bidding=order[at:], paid_from=purses.get(seat)
        )
        if bid is not None:
            bids[seat] = bid
    return bids


async def offer_at_fixed_price(
    order: Seats, about: Piece, price: int, purses: BidPurses = NO_PURSES
) -> Seat | None:
    """Asks each seat in turn to buy at that price; returns the first that does, or None."""
    for seat in order:
        options = {"take": _taking(say("Take it"), seat, price, purses), PASS_KEY: PASS_OPTION}
        needs = _needs({"take": seat}, price, purses)
        question = say("{about} for {price}?", about=about, price=price)
        if await Choose(seat, question, options, needs, about=about, log_name=say("Fixed price")) == "take":
            return seat
    return None


async def offer_at_falling_price(
    order: Seats,
    about: Piece,
    prices: Sequence[int],
    purses: BidPurses = NO_PURSES,
    paid_in: Piece | None = None,
) -> tuple[Seat | None, int]:
    """Lowers the price step by step; returns the first seat that takes it and the price, or None and 0.

    Each price is one question to all at once: the first to press gets it. A timeout lets the price fall.
    """
    named = {str(seat.number): seat for seat in order}
    for price, then in zip(prices, chain[int | None](prices[1:], [None]), strict=True):
        takers = {
            key: DetailedOption(say("{seat}", seat=seat), barred_reason=_short(seat, price, purses))
            for key, seat in named.items()
        }
        options = {**takers, PASS_KEY: DetailedOption(say("Nobody yet"), is_way_out=True)}
        question = say("Who takes {about} for {price}?", about=about, price=price)
        needs = _needs(named, price, purses)
        known, falling = say("Falling price"), FallingPriceStep(price, then, paid_in)
        race = Choose(
            None,
            question,
            options,
            needs,
            about=about,
            log_name=known,
            race_seats=tuple(order),
            falling_price=falling,
        )
        if (taker := await race) != PASS_KEY:
            return named[taker], price
    return None, 0


def _taking(label: Say, seat: Seat, price: int, held: BidPurses) -> DetailedOption:
    """An option that costs so much; it says so where all can see that the purse hasn't it."""
    return DetailedOption(label, price=price, barred_reason=_short(seat, price, held))


def _short(seat: Seat, price: int, held: BidPurses) -> Say | None:
    """Why not, where all can see that there is too little in the purse."""
    purse = held.get(seat)
    short = purse is not None and not purse.covered and purse.count < price
    return _cant(seat, price) if short else None


def _needs(takers: Mapping[str, Seat], price: int, held: BidPurses) -> dict[str, OptionRequirement]:
    """What each option takes out of a purse."""
    return {
        key: OptionRequirement(held[seat], price, _cant(seat, price))
        for key, seat in takers.items()
        if seat in held
    }


def _cant(seat: Seat, price: int) -> Say:
    return say("{seat} can't pay {price}.", seat=seat, price=price)


async def ask_sealed_bids(
    heading: Say, question: Say, seats: Sequence[Seat], most: Limit | None, purses: BidPurses, least: int = 0
) -> dict[Seat, int]:
    """Asks each seat for a sealed bid from `least` to `most`, or 0 for no bid; returns the bids by seat.

    `purses`: nobody bids more than is in the purse. `heading` is what logs call the round.
    """
    bids = {
        seat: Amount(seat, question, least, most, paid_from=purses.get(seat), decline=least > 0)
        for seat in seats
    }
    return await Together(say("Everybody bids in secret"), dict(bids), log_name=heading)


def sealed_bid_limit(most: int | None, purses: BidPurses, wins: str, pays: str) -> Limit | None:
    """Returns the limit of all bids that makes sure that every bid can be paid.

    It counts beside the bidder's own purse. In the worst case a bid costs itself; if the lowest bid wins and
    pays the second lowest, it can cost any of the bids. If all purses are covered there is no such limit.
    """
    if (wins, pays) == ("lowest", "second") and not all(purse.covered for purse in purses.values()):
        return EmptiestPurse(tuple(purses.values()), most)
    return most


async def run_sealed_round(
    ask: Callable[[Sequence[Seat]], Coroutine[Request[Any], Any, dict[Seat, int]]],
    winner_rule: WinnerRule,
    seats: Sequence[Seat],
    announce_tie: Callable[[Sequence[Seat], int], None] | None,
) -> tuple[dict[Seat, int], list[Seat]]:
    """Asks for sealed bids and returns all last bids and the seats that are ahead.

    With `announce_tie`, which tells of a tie, the tied seats bid again until one wins.
    """
    bids = await ask(seats)
    ahead = winner_rule(bids)
    while announce_tie and len(ahead) > 1:
        announce_tie(ahead, bids[ahead[0]])
        again = await ask(ahead)
        bids |= again
        ahead = winner_rule(again)
    return bids, ahead


def highest_bidders(bids: Mapping[Seat, int], least: int = 1) -> list[Seat]:
    """Returns who made the best bid of at least `least`: nobody, one seat, or several that tie."""
    best = max(bids.values(), default=0)
    return [seat for seat, bid in bids.items() if bid == best >= least]


def lowest_bidders(bids: Mapping[Seat, int]) -> list[Seat]:
    """Returns who made the lowest bid above 0: nobody, one seat, or several that tie."""
    made = [bid for bid in bids.values() if bid > 0]
    return [seat for seat, bid in bids.items() if made and bid == min(made)]


def highest_unique_bidders(bids: Mapping[Seat, int]) -> list[Seat]:
    """Returns who made the highest bid above 0 that nobody else made: one seat, or nobody."""
    made = list(bids.values())
    return highest_bidders({seat: bid for seat, bid in bids.items() if made.count(bid) == 1})


WINNER_RULES: dict[str, WinnerRule] = {
    "highest": highest_bidders,
    "lowest": lowest_bidders,
    "unique": highest_unique_bidders,
}
"""The functions `highest`, `lowest` and `unique`, by the key of an option that offers them."""


def payments_due(
    bids: Mapping[Seat, int], ahead: Sequence[Seat], pays: str, winner_rule: WinnerRule = highest_bidders
) -> dict[Seat, int]:
    """Returns what each seat pays after a sealed round.

    `pays` is `winner`, `all` or `nobody`; with `second` the winner pays the next best bid. A winner pays only
    if there is no tie.
    """
    winner = ahead if len(ahead) == 1 else ()
    if pays == "second":
        others = {seat: bid for seat, bid in bids.items() if seat not in ahead}
        paid = {seat: max((others[each] for each in winner_rule(others)), default=0) for seat in winner}
    else:
        paid = {seat: bids[seat] for seat in {"winner": winner, "all": bids, "nobody": ()}[pays]}
    return {seat: amount for seat, amount in paid.items() if amount}


def describe_bids(bids: Mapping[Seat, int]) -> Labelled:
    """Lists the bids, without those of 0: `3 by Aki, 4 by Chie`."""
    return say_list([say("{amount} by {seat}", seat=seat, amount=bid) for seat, bid in bids.items() if bid])
