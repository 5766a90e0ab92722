"""Money from purse to purse: what is paid, and what happens where it can't be.

Whoever can't pay is never charged less in silence: the table is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.any_game.laid import LOAN, Laid, Raising
from companion.rulebook import (
    Amount,
    Choose,
    Fund,
    Labelled,
    Need,
    Offer,
    Place,
    Say,
    Seat,
    TableError,
    payment,
    purse,
    say,
)

MOST = 999_999
"""Nobody pays more at once."""


def who(place: Place) -> Labelled:
    """How people call whoever pays or is paid: a seat by its name, anything else by its place."""
    return place.seat or place


def of(shelf: Laid, place: Place) -> Fund:
    """All money that lies there."""
    return purse(shelf.table.ledger, place)


def pay(shelf: Laid, source: Place, target: Place, amount: int) -> bool:
    """Moves the notes that make the amount, with change, be it as a debt; False where it can't be."""
    ledger = shelf.table.ledger
    if not amount:
        return True
    if of(shelf, source).count < amount:
        return False
    try:
        moves = payment(ledger, source, target, amount)
    except TableError:
        return False
    for one in moves:
        there, here = ledger.account(one.source, one.piece), ledger.account(one.target, one.piece)
        shelf.table.move(there, here, one.count)
    return True


async def settle(
    shelf: Laid, source: Place, target: Place, amount: int, *, whole: bool = False, known: bool = False
) -> int:
    """Has so much paid; where it isn't there, or nobody may see whether it is, the table says what happens.

    Gives how much was paid in the end. `whole`: all of it or nothing. `known`: whoever pays has said so much,
    and it was there.
    """
    giver = of(shelf, source)
    if known and pay(shelf, source, target, amount):
        return amount
    while not (_is_there(giver, amount) and pay(shelf, source, target, amount)):
        match await _what_happens(shelf, giver, amount, whole=whole):
            case "pay" if pay(shelf, source, target, amount):
                break
            case "part":
                return await _part(shelf, giver, target, amount)
            case "nothing":
                return 0
            case way if way in shelf.raising and source.seat:
                await shelf.raising[way].do(shelf, source.seat)
    return amount


def _is_there(giver: Fund, amount: int) -> bool:
    """Whether so much is there, as all may know it."""
    return not amount or giver.endless or (not giver.covered and giver.held >= amount)


async def _what_happens(shelf: Laid, giver: Fund, amount: int, *, whole: bool) -> str:
    """What the table says about a payment that isn't sure; the way out is that nothing is paid."""
    place, options = giver.place, dict[str, Labelled]()
    options["pay"] = Offer(say("Pay it"), price=amount, note=_lent(giver, amount))
    if not whole and (giver.covered or giver.held > 0):
        options["part"] = Offer(say("Pay what is there"))
    for key, way in shelf.raising.items():
        if place.seat and way.there(shelf, place.seat):
            options[key] = Offer(way.label)
    options["nothing"] = Offer(say("Nothing is paid"), apart=True)
    needs = {"pay": Need(giver, amount, say("{who} can't pay {amount}.", who=who(place), amount=amount))}
    return await Choose(None, _unsure(giver, amount), options, needs, known_as=say("What happens?"))


def _unsure(giver: Fund, amount: int) -> Say:
    """Why a payment isn't made by itself."""
    name, text = who(giver.place), "{who} has only {held} of {amount}. What happens?"
    if giver.covered:
        return say("{who} has to pay {amount}. What happens?", who=name, amount=amount)
    if giver.held < 0:
        text = "{who} owes {n} already and has to pay {amount}. What happens?"
        return say(text, who=name, n=-giver.held, amount=amount)
    if giver.held >= amount:
        return say("The notes of {who} can't make {amount}. What happens?", who=name, amount=amount)
    return say(text, who=name, held=giver.held, amount=amount)


def _lent(giver: Fund, amount: int) -> Say | None:
    """That it would be a debt, or that something must be sold or borrowed before."""
    if giver.covered or giver.held >= amount:
        return None
    if giver.count >= amount:
        return say("{n} of it as a debt", n=amount - max(giver.held, 0))
    return say("once it is there")


async def _part(shelf: Laid, giver: Fund, target: Place, due: int) -> int:
    """What is there of what is due; out of a covered purse, what its owner says."""
    amount = min(max(giver.held, 0), due)
    if giver.covered:
        question, known_as = say("How much of {due} do you pay?", due=due), say("How much do you pay?")
        amount = await Amount(giver.place.seat, question, 0, due, held=giver, known_as=known_as)
    pay(shelf, giver.place, target, amount)
    shelf.table.tell(say("{who} pays only {amount}.", who=who(giver.place), amount=amount))
    return amount


async def borrow(shelf: Laid, seat: Seat) -> None:
    """The bank lends as much as the seat says, if it has it."""
    amount = await Amount(seat, say("How much do you borrow?"), 1, MOST, held=of(shelf, shelf.bank))
    if await settle(shelf, shelf.bank, shelf.purse(seat).place, amount, whole=True):
        shelf.table.move(shelf.table.account(LOAN, shelf.bank.what), shelf.loans[seat], amount)


def lends(shelf: Laid, _seat: Seat) -> bool:
    """Whether the bank lends to anybody."""
    return bool(shelf.loans)


RAISING = {"loan": Raising(say("Borrow first"), lends, borrow)}


async def repay(shelf: Laid, seat: Seat) -> None:
    """The seat pays back as much as it says of what it owes."""
    owed = shelf.loans[seat]
    amount = await Amount(seat, say("How much do you pay back?"), 1, owed, held=shelf.purse(seat))
    if await settle(shelf, shelf.purse(seat).place, shelf.bank, amount, whole=True, known=True):
        shelf.table.move(owed, shelf.table.account(LOAN, shelf.bank.what), amount)


async def split(shelf: Laid, source: Place, targets: Sequence[Place], amount: int) -> int:
    """Every seat named gets as much; who gets the rest is asked, unless it stays where it is.

    Gives how much was paid in the end.
    """
    share, rest = divmod(amount, len(targets))
    paid = sum([await settle(shelf, source, target, share) for target in targets])
    if not rest:
        return paid
    named = {str(target.seat.number): target for target in targets if target.seat}
    texts: dict[str, Labelled] = {
        key: shelf.side(target.seat) for key, target in named.items() if target.seat
    }
    texts["stays"] = Offer(say("It stays: {who}", who=who(source)), apart=True)
    question = say("{n} is left over. Who gets it?", n=rest)
    chosen = await Choose(None, question, texts, known_as=say("Who gets the rest?"))
    if chosen != "stays":
        paid += await settle(shelf, source, named[chosen], rest)
    return paid
