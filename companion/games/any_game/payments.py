"""Payments as lines of the menu: from anybody to anybody, pots, salary, loans; and what each round brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.money import MOST, borrow, pay_each, repay, settle, split, tell_paid, who
from companion.games.any_game.terms import ALL
from companion.rulebook import Amount, Choose, Labelled, Offer, Place, Seat, say

MONEY = say("Money")
HEADS_UP = 2
"""So few play poker in a way of their own."""
EVERYBODY, EVENLY, SEVERAL, DONE = "all", "evenly", "several", "done"


def holders(shelf: Laid) -> dict[str, Place]:
    """Where money may lie, by the key of each: seats, the bank, places and treasuries."""
    return {
        **{str(seat.number): shelf.purse(seat).place for seat in shelf.sides},
        "bank": shelf.bank,
        **{f"place {at}": place for at, place in enumerate(shelf.places)},
        **{f"company {at}": one.treasury for at, one in enumerate(shelf.companies)},
    }


def named(shelf: Laid, places: Mapping[str, Place]) -> dict[str, Labelled]:
    """What each of them is called."""
    return {key: shelf.side(place.seat) if place.seat else place for key, place in places.items()}


async def payment(shelf: Laid) -> None:
    """From one to another, to all others, or from all others; a share each of one sum, too."""
    there = holders(shelf)
    payers = {**named(shelf, there), EVERYBODY: say("Everybody")}
    payer = await Choose(None, say("Who pays?"), payers)
    others = {key: place for key, place in there.items() if key != payer}
    payees = named(shelf, others)
    if payer != EVERYBODY and seats_of(shelf, others):
        payees |= {EVERYBODY: say("Everybody, this amount each"), EVENLY: say("Everybody, shared evenly")}
    payee = await to_whom(payers[payer], payees)
    giver = there[payer].seat if payer in there else None
    question = say("From {payer} to {payee}: how much?", payer=payers[payer], payee=payees[payee])
    amount = await Amount(giver, question, 1, MOST, known_as=say("How much?"))
    if payee == EVENLY:
        targets = seats_of(shelf, others)
        paid = await split(shelf, there[payer], targets, amount)
        tell_paid(shelf, there[payer], targets, paid, amount - amount % len(targets))
    for source, targets in ways(shelf, there, payer, payee):
        paid = await pay_each(shelf, source, targets, amount)
        tell_paid(shelf, source, targets, paid, amount * len(targets))


async def to_whom(payer: Labelled, payees: Mapping[str, Labelled]) -> str:
    """Who is paid by whoever pays."""
    question = say("Whom does {payer} pay?", payer=payer)
    return await Choose(None, question, payees, known_as=say("Who is paid?"))


def ways(
    shelf: Laid, there: Mapping[str, Place], payer: str, payee: str
) -> Iterator[tuple[Place, list[Place]]]:
    """Who pays whom so much each; nobody pays themselves."""
    if payee == EVENLY:
        return
    seats = seats_of(shelf, there)
    targets = seats if payee == EVERYBODY else [there[payee]]
    for source in seats if payer == EVERYBODY else [there[payer]]:
        if others := [target for target in targets if target != source]:
            yield source, others


def seats_of(shelf: Laid, there: Mapping[str, Place]) -> list[Place]:
    """The purses among these places, of those who are in the game."""
    return [shelf.purse(seat).place for seat in shelf.sides if str(seat.number) in there]


async def percentage(shelf: Laid) -> None:
    """So much of a hundred of what somebody has, or everybody, or what lies in a place, rounded down."""
    there = holders(shelf)
    texts = {key: text for key, text in named(shelf, there).items() if not shelf.fund(there[key]).is_endless}
    payers = {**texts, EVERYBODY: say("Everybody")}
    payer = await Choose(None, say("Who pays?"), payers)
    others = {key: place for key, place in there.items() if key != payer}
    payees = named(shelf, others)
    payee = await to_whom(payers[payer], payees)
    giver = there[payer].seat if payer in there else None
    question = say("From {payer} to {payee}: what percentage?", payer=payers[payer], payee=payees[payee])
    percent = await Amount(giver, question, 1, ALL, known_as=say("How many percent?"))
    for source, (target,) in ways(shelf, there, payer, payee):
        amount = max(0, shelf.fund(source).value) * percent // ALL
        paid = await settle(shelf, source, target, amount)
        shelf.table.add_note(say("{who} pays {amount}.", who=who(source), amount=paid))


async def salary(shelf: Laid) -> None:
    """The bank pays somebody what the template says."""
    seat = await shelf.choose_side(say("Who gets the salary?"))
    target = shelf.purse(seat).place
    paid = await settle(shelf, shelf.bank, target, shelf.terms.salary)
    tell_paid(shelf, shelf.bank, [target], paid, shelf.terms.salary)


async def pay_out(shelf: Laid) -> None:
    """All that lies in a place goes to one, or evenly to several."""
    places = {str(at): place for at, place in enumerate(shelf.places)}
    key = next(iter(places))
    if len(places) > 1:
        key = await Choose(None, say("Which place pays out?"), named(shelf, places), known_as=say("Which?"))
    place = places[key]
    amount = shelf.fund(place).value
    if not amount:
        shelf.table.add_note(say("{place} has no money.", place=place))
        return
    texts: dict[str, Labelled] = {str(seat.number): shelf.side(seat) for seat in shelf.sides}
    texts[SEVERAL] = Offer(say("Several players share it"), apart=True)
    question = say("{place}: who gets the money?", place=place)
    chosen = await Choose(None, question, texts, about=place, known_as=say("Who gets it?"))
    winners = await sharing(shelf, place) if chosen == SEVERAL else [shelf.seats.seat_numbered(int(chosen))]
    targets = [shelf.purse(seat).place for seat in winners]
    paid = await split(shelf, place, targets, amount)
    tell_paid(shelf, place, targets, paid, amount - amount % len(targets))


async def sharing(shelf: Laid, place: Place) -> list[Seat]:
    """Those who share what lies there, one after the other; two at least."""
    question = say("{place}: who shares the money?", place=place)
    found = list[Seat]()
    while len(found) < len(shelf.sides):
        texts: dict[str, Labelled] = {
            str(one.number): shelf.side(one) for one in shelf.sides if one not in found
        }
        if len(found) > 1:
            texts[DONE] = Offer(say("Nobody else"), apart=True)
        chosen = await Choose(None, question, texts, known_as=say("Who has a share?"))
        if chosen == DONE:
            break
        found.append(shelf.seats.seat_numbered(int(chosen)))
    return found


async def lend(shelf: Laid) -> None:
    """Somebody borrows from the bank."""
    await borrow(shelf, await shelf.choose_side(say("Who borrows?")))


async def take_back(shelf: Laid) -> None:
    """Somebody pays back."""
    owing = {str(seat.number): _owing(shelf, seat) for seat in shelf.sides}
    seat = await Choose(None, say("Who pays back?"), {**owing, DONE: Offer(say("Nobody"), apart=True)})
    if seat != DONE:
        await repay(shelf, shelf.seats.seat_numbered(int(seat)))


def _owing(shelf: Laid, seat: Seat) -> Offer:
    """A seat with what it owes, or why it pays nothing back."""
    owed, held = shelf.owed(seat), shelf.purse(seat)
    cant = None
    if not owed:
        cant = say("{seat} owes nothing.", seat=seat)
    elif not held.covered and held.count < 1:
        cant = say("{seat} has no money.", seat=seat)
    note = say("owes {n}", n=owed) if owed else None
    return Offer(say("{seat}", seat=shelf.side(seat)), note=note, cant=cant)


async def at_round(shelf: Laid) -> None:
    """Income, interest and blinds, as the template says."""
    terms = shelf.terms
    if terms.income:
        targets = [shelf.purse(seat).place for seat in shelf.sides]
        paid = await pay_each(shelf, shelf.bank, targets, terms.income)
        tell_paid(shelf, shelf.bank, targets, paid, terms.income * len(targets))
    for seat in shelf.sides if terms.interest else ():
        due = -(-shelf.owed(seat) * terms.interest // ALL)
        if due:
            paid = await settle(shelf, shelf.purse(seat).place, shelf.bank, due)
            shelf.table.add_note(say("{seat} pays {amount} interest.", seat=seat, amount=paid))
    await blinds(shelf)


async def blinds(shelf: Laid) -> None:
    """The two after the marker pay into the first place; of two people whoever has it pays the small one."""
    terms, dealer = shelf.terms, shelf.table.first_holder(shelf.starts)
    order = (
        [] if dealer is None else [seat for seat in shelf.seats.starting_after(dealer) if seat in shelf.sides]
    )
    if len(order) < HEADS_UP or not terms.small_blind + terms.big_blind:
        return
    small, big = (order[-1], order[0]) if len(order) == HEADS_UP else order[:HEADS_UP]
    for seat, amount in ((small, terms.small_blind), (big, terms.big_blind)):
        paid = await settle(shelf, shelf.purse(seat).place, shelf.places[0], amount)
        shelf.table.add_note(say("{seat} pays a blind of {amount}.", seat=seat, amount=paid))


def has_payments(shelf: Laid) -> bool:
    """Whether the menu has payments."""
    return bool(shelf.pieces) and shelf.terms.payments


DEEDS = (
    MenuLine("salary", lambda shelf: say("Salary {n}", n=shelf.terms.salary), salary,
         lambda shelf: shelf.terms.salary > 0, MONEY),
    MenuLine("payment", say("Payment"), payment, has_payments, MONEY),
    MenuLine("percentage", say("Percentage"), percentage,
         lambda shelf: has_payments(shelf) and not shelf.terms.covered, MONEY),
    MenuLine("pay_out", say("Pay out"), pay_out, lambda shelf: bool(shelf.places), MONEY),
    MenuLine("borrow", say("Borrow"), lend, lambda shelf: shelf.terms.loans, MONEY),
    MenuLine("repay", say("Pay back"), take_back, lambda shelf: shelf.terms.loans, MONEY),
)  # fmt: skip  # a menu
