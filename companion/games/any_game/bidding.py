"""Auctions as lines of the menu: what is sold, in which way, and who is paid for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.games.any_game.companies import Company
from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import BOTH, LOTS, NO_AUCTION, Laid
from companion.games.any_game.lots import KINDS, ForSale, Sale, WayToSell, in_secret
from companion.games.any_game.money import MOST, settle, split, who
from companion.games.any_game.payments import holders, named
from companion.games.any_game.printed import DECK, kind_of
from companion.games.any_game.terms import terms_of
from companion.rulebook import (
    NO_PURSES,
    Amount,
    Choose,
    Deck,
    Piece,
    Place,
    Purses,
    Say,
    Seat,
    Seats,
    TableError,
    Write,
    say,
)

AUCTION = say("Auction")
ASK, FIXED = "ask", "fixed"
SELLER, PLACE, OTHERS = "seller", "place", "others"
"""Who is paid, by the word of the template."""


async def auction(shelf: Laid, company: Company | None = None) -> None:
    """One lot, sold as the template says: a share of a company, or a numbered lot."""
    if company is not None and not company.bank.count:
        shelf.table.add_note(say("The bank has no more shares of {company}.", company=company.label))
        return
    seller, payee = await who_is_paid(shelf)
    shelf.table.add_markers(shelf.lot)
    number = shelf.lot.count
    about, is_named = await called(shelf, seller, f"lot {number}", label_of(number, company), company)
    kind = await kind_of_sale(shelf)
    reserve, step = await least_of(shelf, kind, seller, about)
    sale = await kind.sell(
        ForSale(shelf, about, order(shelf, seller), seller, limits(shelf), reserve, step, is_named)
    )
    costs = await paid(shelf, sale, payee)
    if company is None and sale.winner is not None:
        lay_lot(shelf, about, sale.winner)
    elif company is not None and sale.winner is not None:
        hand_over(shelf, company, sale.winner, is_paid=costs.get(sale.winner) != 0)
    if seller is not None and shelf.terms.payee == SELLER:
        next_to_dealer = shelf.rules.deal == "left"  # the marker is the dealer's, before whoever sells
        shelf.appoint(seller if next_to_dealer else shelf.following(seller))


async def sealed_bid(shelf: Laid) -> None:
    """Everybody bids in secret, whatever for; nobody sells it."""
    payee = shelf.bank if shelf.terms.payee == SELLER else (await who_is_paid(shelf))[1]
    about, is_named = await called(shelf, None, "lot", say("lot"))
    if is_named:
        about = Piece(f"sealed lot {next(shelf.named_lots)}", about.label)
    terms = shelf.terms
    lot = ForSale(shelf, about, order(shelf, None), None, limits(shelf), terms.reserve, terms.step, is_named)
    sale = await in_secret(lot)
    await paid(shelf, sale, payee)
    if sale.winner is not None:
        lay_lot(shelf, about, sale.winner)


def label_of(number: int, company: Company | None) -> Say:
    """What a lot is called that has no name."""
    if company is None:
        return say("lot {number}", number=number)
    return say("{company}, lot {number}", company=company.label, number=number)


async def called(
    shelf: Laid, seller: Seat | None, key: str, label: Say, company: Company | None = None
) -> tuple[Piece, bool]:
    """A lot, and whether whoever sells it said what it is; logs keep its `key` in either case."""
    name = await Write(seller, say("What is sold?"), decline=say("No name")) if shelf.terms.names else ""
    if not name:
        return Piece(key, label), False
    if company is None:
        return Piece(key, say("{name}", name=name)), True
    return Piece(key, say("{company}: {name}", company=company.label, name=name)), True


async def kind_of_sale(shelf: Laid) -> WayToSell:
    """As the template says, or the table each time."""
    word = shelf.terms.auction
    if word == ASK:
        word = await Choose(None, say("How is it sold?"), {key: kind.label for key, kind in KINDS.items()})
    return KINDS.get(word, KINDS["open"])


async def least_of(shelf: Laid, kind: WayToSell, seller: Seat | None, about: Piece) -> tuple[int, int]:
    """The least bid and the step of a lot: the template's, or whoever sells it says them."""
    reserve, step = shelf.terms.reserve, shelf.terms.step
    if shelf.terms.reserve_by == SELLER and kind.has_reserve:
        most = shelf.most or MOST
        question, known = (
            say("Lowest bid for {about}?", about=about),
            say("Least bid for {about}?", about=about),
        )
        reserve = await Amount(seller, question, 1, most, known_as=known)
        if kind.has_step:
            step = await Amount(seller, say("Step of {about}?", about=about), 1, most)
    return reserve, step


async def who_is_paid(shelf: Laid) -> tuple[Seat | None, Place | None]:
    """Who sells, if anybody, and where the money goes; nowhere in particular: evenly to all others."""
    word = shelf.terms.payee
    if word == SELLER:
        seller = shelf.start or await shelf.choose_side(say("Who sells first?"))
        return seller, shelf.purse(seller).place
    if word == ASK:
        there = holders(shelf)
        payees = named(shelf, there) | {OTHERS: say("All others, shared evenly")}
        word = await Choose(None, say("Who is paid for it?"), payees)
        if word in there:
            return there[word].seat, there[word]
    if word == OTHERS:
        return None, None
    return None, shelf.places[0] if word == PLACE else shelf.bank


def order(shelf: Laid, seller: Seat | None) -> Seats:
    """Who bids in turn: from the start player on, but whoever sells is last."""
    first = shelf.start or shelf.seats[0]
    turn = shelf.seats.starting_with(first) if seller is None else shelf.seats.starting_after(seller)
    return Seats([seat for seat in turn if seat in shelf.sides])


def limits(shelf: Laid) -> Purses:
    """What limits the bids."""
    return shelf.paid_from if shelf.terms.limit == "purse" else NO_PURSES


async def paid(shelf: Laid, sale: Sale, payee: Place | None) -> dict[Seat, int]:
    """Tells who won; then everybody pays the payee, unless nobody pays. Gives who paid what."""
    for text in sale.told:
        shelf.table.add_note(text)
    if sale.winner is not None:
        shelf.table.declare_winners([sale.winner])
    costs = dict[Seat, int]()
    is_there = sale.is_there and bool(limits(shelf))
    for seat, amount in sale.costs.items() if shelf.table.options["pays"] != "nobody" else ():
        if not shelf.rules.knows_rounds:
            shelf.pay(seat, amount)
        else:
            costs[seat] = await charge(shelf, seat, amount, payee, is_there=is_there)
    return costs


async def charge(shelf: Laid, seat: Seat, amount: int, payee: Place | None, *, is_there: bool) -> int:
    """One payment for a lot; nowhere in particular is evenly to all others, and to oneself to the bank.

    Gives how much was paid in the end. Out of a covered purse only what `is_there` is paid unasked:
    else people would see from the question whether it was.
    """
    source, target = shelf.purse(seat).place, payee or shelf.bank
    known = is_there or not shelf.purse(seat).covered
    others = [shelf.purse(one).place for one in shelf.sides if one != seat]
    if payee is None and others:
        rest = amount % len(others)  # where it stays it is settled too
        paid = await split(shelf, source, others, amount, known=known)
        return amount if paid >= amount - rest else paid
    if target == source:
        target = shelf.bank
    given = await settle(shelf, source, target, amount, known=known)
    if given < amount:
        return given  # people were asked, and know
    if target == shelf.bank:
        shelf.table.add_note(say("{seat} pays {amount}.", seat=seat, amount=amount))
    else:
        shelf.table.add_note(say("{seat} pays {who} {amount}.", seat=seat, who=who(target), amount=amount))
    return given


def hand_over(shelf: Laid, company: Company, winner: Seat, *, is_paid: bool) -> None:
    """The winner gets a share that was paid, in part at least, as long as the bank has one."""
    if not is_paid:
        shelf.table.add_note(say("{seat} paid nothing and gets no share.", seat=winner))
    elif company.bank.count:
        shelf.table.move(company.bank, company.held[winner])
    else:
        shelf.table.add_note(say("The bank has no more shares of {company}.", company=company.label))


def lay_lot(shelf: Laid, lot: Piece, winner: Seat) -> None:
    """The lot lies before whoever won it, so that all see who has which."""
    won = Piece(lot.key, lot.label, is_endless=True, is_marker=True)
    shelf.table.add_markers(shelf.table.account_per_seat(won, LOTS)[shelf.keeper[winner]])


def lots(shelf: Laid) -> tuple[MenuLine, ...]:
    """A line for each company whose shares are sold by auction."""
    sold = shelf.companies if shelf.terms.lots == "shares" else ()
    return tuple(
        [
            MenuLine(f"lot {at}", one.label, partial(auction, company=one), group=AUCTION)
            for at, one in enumerate(sold)
        ]
    )


def check_options(options: Mapping[str, str | int | None], decks: Mapping[str, Deck]) -> None:
    """Raises `TableError` where the table's highest bid is below the template's least: nobody could bid."""
    deck, most = decks[DECK], options["most"]
    terms = terms_of(deck)
    is_said = terms.reserve_by == SELLER and terms.auction not in (ASK, BOTH, FIXED)
    are_there = bool(kind_of(deck, "piece")) and terms.auction != NO_AUCTION
    if isinstance(most, int) and most < terms.reserve and are_there and not is_said:
        text = "This template's lowest bid is {least}, so the highest bid allowed can't be {most}."
        raise TableError(say(text, least=terms.reserve, most=most))


def is_sealed(shelf: Laid) -> bool:
    """Whether the menu has sealed bids beside auctions: where the template says nothing of them."""
    return bool(shelf.pieces) and shelf.terms.auction == BOTH


def is_auction(shelf: Laid) -> bool:
    """Whether the menu has auctions of numbered lots."""
    return bool(shelf.pieces) and shelf.terms.auction != NO_AUCTION and shelf.terms.lots == "numbered"


DEEDS = (
    MenuLine("sealed_bid", say("Sealed bid"), sealed_bid, is_sealed),
    MenuLine("auction", AUCTION, auction, is_auction),
)
