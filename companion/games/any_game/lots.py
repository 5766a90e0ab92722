"""The ways in which a lot is sold: each gives who won, with what, and who has to pay how much."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.games.any_game.laid import Laid
from companion.games.any_game.money import MOST
from companion.games.any_game.terms import ALL
from companion.rulebook import (
    BEST,
    Account,
    Amount,
    Choose,
    Emptiest,
    Labelled,
    MoneyAtPlace,
    Need,
    Offer,
    Piece,
    Purses,
    Request,
    Say,
    Seat,
    Seats,
    bids_made,
    capped,
    falling_price,
    final_bids,
    fixed_price,
    listed,
    once_around,
    open_bids,
    payments,
    say,
    sealed_bids,
    sealed_round,
)

MOST_FALLS = 1_000
"""A price falls no more often: an evening has no time for it."""


class ForSale(msgspec.Struct, frozen=True):
    """What is sold: to whom in turn, whoever sells it last; what bids are limited by.

    No bid is below the `reserve`, and in turn each is by a `step` higher at least.
    `is_named`: people said what it is, and want to hear it.
    """

    shelf: Laid
    about: Piece
    order: Seats
    seller: Seat | None
    held: Purses
    reserve: int
    step: int
    is_named: bool = False


class Sale(msgspec.Struct, frozen=True):
    """What is told of it, who won, if anybody, and what each who pays at all has to pay.

    `is_there`: what bids were limited by holds so much.
    """

    told: tuple[Say, ...]
    winner: Seat | None = None
    costs: Mapping[Seat, int] = {}
    is_there: bool = True


NO_SALE = Sale((say("Nobody wins."),))


class WayToSell(NamedTuple):
    """A way to sell: what it is called, how it goes, and whether a lot has a least bid and a step in it."""

    label: Say
    sell: Callable[[ForSale], Coroutine[Request[Any], Any, Sale]]
    has_reserve: bool = True
    has_step: bool = True


def bought(lot: ForSale, winner: Seat | None, bid: int) -> Sale:
    """The winner pays the bid."""
    if winner is None:
        return NO_SALE
    return Sale((won(lot, winner, bid),), winner, {winner: bid})


def won(lot: ForSale, winner: Seat, bid: int) -> Say:
    """Who wins with what, and what, where it has a name."""
    if lot.is_named:
        return say("{seat} wins {about} with {bid}.", seat=winner, about=lot.about, bid=bid)
    return say("{seat} wins with {bid}.", seat=winner, bid=bid)


async def in_turn(lot: ForSale) -> Sale:
    """A pass is not final."""
    limits = lot.reserve, lot.step, lot.shelf.most, lot.held
    return bought(lot, *await open_bids(lot.order, lot.about, *limits))


async def to_the_last(lot: ForSale) -> Sale:
    """Whoever withdraws is out, and may have to pay a part of what they bid."""
    refund = ALL if lot.shelf.table.options["pays"] == "nobody" else lot.shelf.terms.refund
    bids, out = await final_bids(lot.order, lot.about, lot.reserve, lot.step, lot.shelf.most, lot.held)
    winner = next((seat for seat in bids if seat not in out), None)
    sale = bought(lot, winner, bids[winner] if winner else 0)
    lost = {seat: bid - bid * refund // ALL for seat in out if (bid := bids.get(seat, 0))}
    kept = [
        say("{seat} gets back {n} of {bid}.", seat=seat, n=bids[seat] - cost, bid=bids[seat])
        for seat, cost in lost.items()
        if cost
    ]
    return Sale(
        (*kept, *sale.told), winner, {**{seat: cost for seat, cost in lost.items() if cost}, **sale.costs}
    )


async def one_each(lot: ForSale) -> Sale:
    """One bid or pass each."""
    bids = await once_around(lot.order, lot.about, lot.reserve, lot.step, lot.shelf.most, lot.held)
    winner = max(bids, key=lambda seat: bids[seat], default=None)
    return bought(lot, winner, bids[winner] if winner else 0)


async def at_a_price(lot: ForSale) -> Sale:
    """The first in turn who takes it for what is said."""
    price = await first_price(lot)
    return bought(lot, await fixed_price(buyers(lot), lot.about, price, lot.held), price)


async def falling(lot: ForSale) -> Sale:
    """The first who takes it, from what is said down to the reserve, which may be less than a step below."""
    highest = lot.reserve + MOST_FALLS * lot.step
    prices = [*range(await first_price(lot, highest), lot.reserve, -lot.step), lot.reserve]
    return bought(lot, *await falling_price(buyers(lot), lot.about, prices, lot.held, counted_in(lot.shelf)))


def buyers(lot: ForSale) -> Seats:
    """Who is asked whether they take it, in turn: nobody whose own purse is paid."""
    keeper = lot.shelf.keeper
    return Seats([seat for seat in lot.order if not lot.seller or keeper[seat] != keeper[lot.seller]])


async def first_price(lot: ForSale, highest: int = MOST) -> int:
    """What whoever sells says, or the table."""
    question = say("Price of {about}?", about=lot.about)
    most = min(lot.shelf.most or MOST, highest)
    return await Amount(lot.seller, question, lot.reserve, most, known_as=say("Price"))


async def aloud(lot: ForSale) -> Sale:
    """People bid aloud; who won, and with what, is written down."""
    named: dict[str, Labelled] = {str(seat.number): lot.shelf.side(seat) for seat in lot.order}
    named["pass"] = Offer(say("Nobody"), apart=True)
    needs = {str(seat.number): _need(seat, held, lot) for seat, held in lot.held.items()}
    question = say("{about}: who wins?", about=lot.about)
    key = await Choose(None, question, named, needs, known_as=say("Who wins?"))
    if key == "pass":
        return NO_SALE
    seat, most = lot.shelf.seats.seat_numbered(int(key)), lot.shelf.most or MOST
    least, purse = lot.reserve, lot.held.get(seat)
    question = say("{about}: your winning bid?", about=lot.about)
    bid = await Amount(seat, question, least, most, held=purse, known_as=say("For how much?"))
    return bought(lot, seat, bid)


def _need(seat: Seat, held: Account | MoneyAtPlace, lot: ForSale) -> Need:
    """Nobody wins who has not even the least bid."""
    least = lot.reserve
    return Need(held, least, say("{seat} can't pay {price}.", seat=seat, price=least))


async def in_secret(lot: ForSale) -> Sale:
    """Everybody bids in secret; the options say what wins, who pays and what a tie means."""
    table, held = lot.shelf.table, lot.held
    wins, pays = str(table.options["wins"]), str(table.options["pays"])
    most, reserve = capped(lot.shelf.most, held, wins, pays), lot.reserve
    least = reserve if reserve > 1 else 0  # as every bid above 0 is
    question = _how_much(counted_in(lot.shelf), is_bounded=isinstance(most, Emptiest))
    if lot.is_named:
        table.add_note(say("For sale: {about}", about=lot.about))
        question = say("{about}: {question}", about=lot.about, question=question)

    def tie(ahead: Sequence[Seat], bid: int) -> None:
        table.add_note(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=listed(ahead)))

    bids, ahead = await sealed_round(
        lambda seats: sealed_bids(say("Sealed bid"), question, seats, most, held, least),
        BEST[wins],
        lot.order,
        tie if table.options["ties"] == "again" else None,
    )
    told = [_ahead(lot, ahead, bids)]
    if pays == "nobody" and any(bids.values()):
        told.append(say("Nobody pays. Bids: {bids}.", bids=bids_made(bids)))
    winner = ahead[0] if len(ahead) == 1 else None
    costs = payments(bids, ahead, pays, BEST[wins])
    is_there = isinstance(most, Emptiest) or all(cost <= bids[seat] for seat, cost in costs.items())
    return Sale(tuple(told), winner, costs, is_there)


def counted_in(shelf: Laid) -> Piece | None:
    """What a bid is so many of; None where the first money is notes of more than 1."""
    return shelf.money if shelf.money.money_value == 1 else None


def _how_much(unit: Piece | None, *, is_bounded: bool) -> Say:
    """What everybody is asked, and what bids are bounded by besides one's own purse."""
    if unit is None and is_bounded:
        return say("How much do you bid? At most what the emptiest purse holds; 0 is no bid.")
    if unit is None:
        return say("How much do you bid? 0 is no bid.")
    if is_bounded:
        text = "How much do you bid in {unit}? At most what the emptiest purse holds; 0 is no bid."
        return say(text, unit=unit)
    return say("How much do you bid in {unit}? 0 is no bid.", unit=unit)


def _ahead(lot: ForSale, ahead: Sequence[Seat], bids: Mapping[Seat, int]) -> Say:
    """Who has won, who ties, or that nobody has bid."""
    if not ahead:
        return say("Nobody wins.")
    bid = bids[ahead[0]]
    if len(ahead) == 1:
        return won(lot, ahead[0], bid)
    text = "Tie at {bid}: {seats}. Nobody wins here; follow the rules of your game."
    return say(text, bid=bid, seats=listed(ahead))


KINDS = {
    "open": WayToSell(say("In turn; after a pass you can bid again"), in_turn),
    "final": WayToSell(say("In turn; after a pass you are out"), to_the_last),
    "once": WayToSell(say("In turn; one bid each"), one_each),
    "fixed": WayToSell(say("At a fixed price"), at_a_price, has_reserve=False, has_step=False),
    "falling": WayToSell(say("At a falling price"), falling),
    "aloud": WayToSell(say("Aloud"), aloud, has_step=False),
    "sealed": WayToSell(say("In secret"), in_secret, has_step=False),
}
"""By the word of the template."""
