"""Money from purse to purse: what is paid, and what happens where it can't be.

Whoever can't pay is never charged less in silence: the table is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.any_game.laid import LOAN, Laid, Raising
from companion.rulebook import (
    BOX,
    Account,
    Amount,
    Choose,
    Labelled,
    MoneyAtPlace,
    Need,
    Offer,
    Place,
    Say,
    Seat,
    TableError,
    listed,
    payment_moves,
    say,
)

MOST = 999_999
"""Nobody pays more at once."""
ALL_OF_IT, A_PART = Offer(say("Pay all available money")), Offer(say("Pay a part"))
NOTHING = Offer(say("Nothing is paid"), apart=True)


def who(place: Place) -> Labelled:
    """How people call whoever pays or is paid: a seat by its name, anything else by its place."""
    return place.seat or place


def pay(shelf: Laid, source: Place, target: Place, amount: int) -> bool:
    """Moves the notes that make the amount, with change, be it as a debt; False where it can't be.

    Where there are several kinds of notes it says which.
    """
    ledger = shelf.table.ledger
    if not amount:
        return True
    giver = shelf.fund(source)
    if giver.count < amount:
        return False
    if [one.piece.money_value for one in giver.accounts] == [1]:  # most templates; nothing has to be changed
        shelf.table.move(giver.accounts[0], shelf.fund(target).accounts[0], amount)
        return True
    try:
        moves = payment_moves(ledger, source, target, amount)
    except TableError:
        return False
    for one in moves:
        there, here = ledger.account(one.source, one.piece), ledger.account(one.target, one.piece)
        shelf.table.move(there, here, one.count)
    if len(giver.accounts) > 1:
        shelf.table.add_note(say("{moves}.", moves=listed([one.line for one in moves])))
    return True


async def settle(
    shelf: Laid, source: Place, target: Place, amount: int, *, whole: bool = False, known: bool = False
) -> int:
    """Has so much paid; where it isn't there, or nobody may see whether it is, the table says what happens.

    Gives how much was paid in the end. `whole`: all of it or nothing. `known`: whoever pays has said so much,
    and it was there.
    """
    giver = shelf.fund(source)
    if known and pay(shelf, source, target, amount):
        return amount
    while not (_is_there(giver, amount) and pay(shelf, source, target, amount)):
        match await _what_happens(shelf, giver, [target], amount, whole=whole):
            case "pay":
                if pay(shelf, source, target, amount):
                    break
                _cant_make(shelf, amount)
            case "part":
                part = await _part(giver, amount)
                if pay(shelf, source, target, part):
                    if part < amount:
                        shelf.table.add_note(say("{who} pays only {amount}.", who=who(source), amount=part))
                    return part
                _cant_make(shelf, part)
            case "nothing":
                return 0
            case way if source.seat:
                await shelf.raising[way].do(shelf, source.seat)
    return amount


async def pay_each(
    shelf: Laid, source: Place, targets: Sequence[Place], share: int, *, known: bool = False
) -> int:
    """Pays each of `targets` one share. If there isn't enough for all, it asks one question about all.

    Gives how much was paid in the end.
    """
    if len(targets) > 1:
        giver, due = shelf.fund(source), share * len(targets)
        while not (_is_there(giver, due) or (known and giver.count >= due)):
            match await _what_happens(shelf, giver, targets, due):
                case "pay":
                    known = True
                case "part":
                    paid = await split(shelf, source, targets, await _part(giver, due), known=True)
                    if paid < due:
                        shelf.table.add_note(say("{who} pays only {amount}.", who=who(source), amount=paid))
                    return paid
                case "nothing":
                    return 0
                case way if source.seat:
                    await shelf.raising[way].do(shelf, source.seat)
    return sum([await settle(shelf, source, target, share, known=known) for target in targets])


def _is_there(giver: MoneyAtPlace, amount: int) -> bool:
    """Whether so much is there, as all may know it."""
    return not amount or giver.is_endless or (not giver.covered and giver.value >= amount)


def _cant_make(shelf: Laid, amount: int) -> None:
    text = "These notes can't add up to {amount}. Change some notes first."
    shelf.table.add_note(say(text, amount=amount))


async def _what_happens(
    shelf: Laid, giver: MoneyAtPlace, targets: Sequence[Place], amount: int, *, whole: bool = False
) -> str:
    """What the table says about a payment that isn't sure; the way out is that nothing is paid."""
    place, options = giver.place, dict[str, Labelled]()
    options["pay"] = Offer(say("Pay everything"), price=amount, note=_lent(giver, amount))
    if not whole and (giver.covered or giver.count > 0):
        is_known = giver.covered or _all_there_is(giver, amount) is not None
        options["part"] = ALL_OF_IT if is_known else A_PART
    for key, way in shelf.raising.items():
        if place.seat and way.there(shelf, place.seat):
            options[key] = Offer(way.label)
    options["nothing"] = NOTHING
    needs = {"pay": Need(giver, amount, say("{who} can't pay {amount}.", who=who(place), amount=amount))}
    return await Choose(None, _unsure(giver, targets, amount), options, needs, known_as=say("What happens?"))


def _unsure(giver: MoneyAtPlace, targets: Sequence[Place], amount: int) -> Say:
    """Why a payment isn't made by itself."""
    whom, due = listed([who(target) for target in targets]), say("{n}", n=amount)
    if len(targets) > 1:
        due = say("{n} in all", n=amount)
    name, text = who(giver.place), "{who} must pay {whom} {due}, but has only {held}. What now?"
    if giver.covered:
        return say("{who} must pay {whom} {due}. What now?", who=name, whom=whom, due=due)
    if giver.value < 0:
        text = "{who} already owes {n} and must pay {whom} {due}. What now?"
        return say(text, who=name, n=-giver.value, whom=whom, due=due)
    if giver.value >= amount:
        text = "{who} has no notes to pay {whom} exactly {due}. What now?"
        return say(text, who=name, whom=whom, due=due)
    return say(text, who=name, whom=whom, due=due, held=giver.value)


def _lent(giver: MoneyAtPlace, amount: int) -> Say | None:
    """That it would be a debt, or that something must be sold or borrowed before."""
    if giver.covered or giver.value >= amount:
        return None
    if giver.count >= amount:
        return say("{n} of this becomes debt", n=amount - max(giver.value, 0))
    return say("not enough money yet")


def _all_there_is(giver: MoneyAtPlace, due: int) -> int | None:
    """What is there of what is due; None where that is for people to say: as a debt, or for want of notes."""
    return giver.value if giver.count == giver.value < due else None


async def _part(giver: MoneyAtPlace, due: int) -> int:
    """What is there of what is due, or what people say."""
    there = None if giver.covered else _all_there_is(giver, due)
    if there is not None:
        return there
    question, known_as = say("You owe {due}. How much will you pay?", due=due), say("How much do you pay?")
    return await Amount(giver.place.seat, question, 0, due, held=giver, known_as=known_as)


def tell_paid(shelf: Laid, source: Place, targets: Sequence[Place], paid: int, due: int) -> None:
    """Says who paid whom, and how much in all; nothing where less than was due: people said what happens."""
    if not paid or paid < due:
        return
    whom, giver = listed([who(target) for target in targets]), who(source)
    if len(targets) == 1:
        shelf.table.add_note(say("{who} pays {whom} {amount}.", who=giver, whom=whom, amount=paid))
    else:
        shelf.table.add_note(say("{who} pays {whom} {amount} in all.", who=giver, whom=whom, amount=paid))


async def borrow(shelf: Laid, seat: Seat) -> None:
    """The bank lends as much as the seat says, if it has it."""
    question, known_as = say("How much do you want to borrow?"), say("How much do you borrow?")
    amount = await Amount(seat, question, 0, MOST, held=shelf.fund(shelf.bank), known_as=known_as)
    target = shelf.purse(seat).place
    if paid := await settle(shelf, shelf.bank, target, amount, whole=True):
        tell_paid(shelf, shelf.bank, [target], paid, amount)
        shelf.table.move(shelf.table.account(LOAN, BOX), shelf.loans[seat], amount)


def lends(shelf: Laid, _seat: Seat) -> bool:
    """Whether the bank lends to anybody."""
    return bool(shelf.loans)


class Debt(msgspec.Struct, frozen=True):
    """What a seat owes, as the most that it pays back."""

    loans: Account
    covered: bool = False

    @property
    def count(self) -> int:
        """So much now."""
        return self.loans.count


RAISING = {"loan": Raising(say("Borrow first"), lends, borrow)}


async def repay(shelf: Laid, seat: Seat) -> None:
    """The seat pays back as much as it says of what it owes."""
    owed = shelf.loans[seat]
    question, known_as = say("How much will you pay back?"), say("How much do you pay back?")
    amount = await Amount(seat, question, 0, Debt(owed), held=shelf.purse(seat), known_as=known_as)
    source = shelf.purse(seat).place
    if paid := await settle(shelf, source, shelf.bank, amount, whole=True, known=True):
        tell_paid(shelf, source, [shelf.bank], paid, amount)
        shelf.table.move(owed, shelf.table.account(LOAN, BOX), amount)


async def split(
    shelf: Laid, source: Place, targets: Sequence[Place], amount: int, *, known: bool = False
) -> int:
    """Every seat named gets as much; who gets the rest is asked, unless it stays where it is.

    Gives how much was paid in the end.
    """
    share, rest = divmod(amount, len(targets))
    paid = await pay_each(shelf, source, targets, share, known=known)
    if not rest or paid < share * len(targets):
        return paid
    named = {str(target.seat.number): target for target in targets if target.seat}
    texts: dict[str, Labelled] = {
        key: shelf.side(target.seat) for key, target in named.items() if target.seat
    }
    texts["stays"] = Offer(say("Leave the rest with {who}", who=who(source)), apart=True)
    question = say("{n} is left over. Who gets the rest?", n=rest)
    chosen = await Choose(None, question, texts, known_as=say("Who gets the rest?"))
    if chosen != "stays":
        paid += await settle(shelf, source, named[chosen], rest, known=known)
    return paid
