"""Shares as lines of the menu: bought and sold at the bank, dividends, and prices that go up and down."""

from __future__ import annotations

import msgspec

from companion.games.any_game.companies import Company
from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid, Raising
from companion.games.any_game.money import MOST, settle, tell_paid, who
from companion.rulebook import (
    Account,
    Amount,
    Choose,
    Labelled,
    MoneyAtPlace,
    Offer,
    Say,
    Seat,
    say,
)

COMPANIES = say("Companies")
KEPT, HOLDERS = "kept", "holders"
WAYS = {1: say("raises the price by one step"), -1: say("lowers the price by one step")}
"""The next step up and down are said: they are what is meant most of the time."""


class Affordable(msgspec.Struct, frozen=True):
    """A number of shares at a price: what lies there, and what the purse pays for."""

    shares: Account
    purse: MoneyAtPlace
    price: int

    @property
    def count(self) -> int:
        """How many there are now."""
        return max(0, min(self.shares.count, self.purse.count // self.price))

    @property
    def covered(self) -> bool:
        """Whether only the owner of the purse knows."""
        return self.purse.covered


async def which(
    shelf: Laid, question: Say, cant: dict[str, Say], *, priced: bool = True, known_as: Say | None = None
) -> Company:
    """One of the companies, `priced` with what a share costs or brings; those that can't be say why."""
    texts: dict[str, Labelled] = {
        str(at): Offer(say("{company}", company=one.label), piece=one.share,
                       note=_each(one.price) if priced and one.price else None, cant=cant.get(str(at)))
        for at, one in enumerate(shelf.companies)
    }  # fmt: skip  # a key
    return shelf.companies[int(await Choose(None, question, texts, known_as=known_as))]


def _each(amount: int) -> Say:
    return say("{n} per share", n=amount)


async def buy(shelf: Laid) -> None:
    """Somebody buys shares of the bank at their price."""
    cant = {
        str(at): _unsold(one) for at, one in enumerate(shelf.companies) if not one.price or not one.bank.count
    }
    if len(cant) == len(shelf.companies):
        shelf.table.add_note(say("There are no shares for sale."))
        return
    company = await which(shelf, say("Shares of which company?"), cant)
    question = say("Who buys shares of {company}?", company=company.label)
    seat = await shelf.choose_side(question, known_as=say("Who buys?"))
    most = Affordable(company.bank, shelf.purse(seat), company.price)
    question = say("How many shares of {company} at {price}?", company=company.label, price=company.price)
    count = await Amount(seat, question, 0, company.bank, held=most, known_as=say("How many shares?"))
    cost = count * company.price
    source = shelf.purse(seat).place
    if await settle(shelf, source, shelf.bank, cost, whole=True) == cost:
        tell_paid(shelf, source, [shelf.bank], cost, cost)
        shelf.table.move(company.bank, company.held[seat], count)


def _unsold(company: Company) -> Say:
    """Why the bank sells no share of it."""
    if not company.price:
        return say("{company} has no price yet.", company=company.label)
    return say("The bank has no more shares of {company}.", company=company.label)


async def sell(shelf: Laid) -> None:
    """Somebody sells shares to the bank at their price."""
    cant = {
        str(at): say("Nobody has a share of {company}.", company=one.label)
        for at, one in enumerate(shelf.companies)
        if not any(one.held[seat].count for seat in shelf.sides)
    }
    if len(cant) == len(shelf.companies):
        shelf.table.add_note(say("Nobody has a share."))
        return
    company = await which(shelf, say("Shares of which company?"), cant)
    holders = [seat for seat in shelf.sides if company.held[seat].count]
    question = say("Who sells shares of {company}?", company=company.label)
    seat = await shelf.choose_side(question, holders, known_as=say("Who sells?"))
    await offered(shelf, company, seat)


async def sell_own(shelf: Laid, seat: Seat) -> None:
    """Somebody who has to pay sells shares first."""
    cant = {
        str(at): say("{seat} has no share of {company}.", seat=seat, company=one.label)
        for at, one in enumerate(shelf.companies)
        if not one.held[seat].count
    }
    await offered(shelf, await which(shelf, say("Shares of which company?"), cant), seat)


async def offered(shelf: Laid, company: Company, seat: Seat) -> None:
    """The seat says how many it sells."""
    question = say("How many shares of {company} at {price}?", company=company.label, price=company.price)
    count = await Amount(seat, question, 0, company.held[seat], known_as=say("How many shares?"))
    paid = await sold(shelf, company, seat, count)
    tell_paid(shelf, shelf.bank, [shelf.purse(seat).place], paid, count * company.price)


def has_shares(shelf: Laid, seat: Seat) -> bool:
    """Whether a seat has shares that the bank buys."""
    return has_market(shelf) and any(one.held[seat].count for one in shelf.companies)


RAISING = {"sell": Raising(say("Sell shares first"), has_shares, sell_own)}


async def sold(shelf: Laid, company: Company, seat: Seat, count: int) -> int:
    """Sells shares to the bank, which pays for all of them or takes none. Returns how much it paid."""
    due = count * company.price
    paid = await settle(shelf, shelf.bank, shelf.purse(seat).place, due, whole=True)
    if paid == due:
        shelf.table.move(company.held[seat], company.bank, count)
    return paid


async def sell_all(shelf: Laid) -> None:
    """Everybody sells all shares of all companies to the bank."""
    for seat in shelf.sides:
        own = [(one, count) for one in shelf.companies if (count := one.held[seat].count)]
        paid = sum([await sold(shelf, one, seat, count) for one, count in own])
        shelf.table.add_note(say("{seat} gets {amount}.", seat=seat, amount=paid))


async def dividend(shelf: Laid) -> None:
    """A company has earned so much a share: the bank pays whoever holds them, or its treasury gets it all."""
    known_as = say("Which company has earned?")
    company = await which(shelf, say("Which company made money?"), {}, priced=False, known_as=known_as)
    question = say("{company}: how much for each share?", company=company.label)
    amount = await Amount(None, question, 1, MOST, known_as=say("How much for each share?"))
    held = sum(shares.count for shares in company.holders.values())
    texts: dict[str, Labelled] = {
        HOLDERS: Offer(say("Shareholders"), gives=_each(amount), note=_in_all(amount * held)),
        KEPT: Offer(say("The company keeps everything"), note=_in_all(amount * company.shares)),
    }
    question = say("{company} earns {n} per share. Who is paid?", company=company.label, n=amount)
    if await Choose(None, question, texts, known_as=say("Who is paid?")) == KEPT:
        due = amount * company.shares
        paid = await settle(shelf, shelf.bank, company.treasury, due)
        tell_paid(shelf, shelf.bank, [company.treasury], paid, due)
        return
    if not company.holders:
        shelf.table.add_note(say("Nobody has a share of {company}.", company=company.label))
    for place, shares in company.holders.items():
        target = shelf.purse(place.seat).place if place.seat else place
        paid = await settle(shelf, shelf.bank, target, amount * shares.count)
        shelf.table.add_note(say("{who} gets {amount}.", who=who(target), amount=paid))


def _in_all(amount: int) -> Say:
    return say("{n} in all", n=amount)


async def price(shelf: Laid) -> None:
    """A price goes to another step of the track."""
    company = await which(shelf, say("Which price changes?"), {})
    prices = company.prices
    texts: dict[str, Labelled] = {
        f"step {step}": Offer(say("{n}", n=prices[step - 1]), note=WAYS.get(step - company.step))
        for step in range(1, len(prices) + 1)
        if step != company.step
    }
    question = say(
        "What is the new price of {company}? It is {price} now.", company=company.label, price=company.price
    )
    chosen = await Choose(None, question, texts, known_as=say("New price"))
    company.stand_at(int(chosen.removeprefix("step ")))


def has_companies(shelf: Laid) -> bool:
    """Whether there are any."""
    return bool(shelf.companies)


def has_market(shelf: Laid) -> bool:
    """Whether shares are traded at the bank, and not only won in auctions."""
    return has_companies(shelf) and shelf.terms.lots == "numbered"


DEEDS = (
    MenuLine("buy", say("Buy shares"), buy, has_market, COMPANIES),
    MenuLine("sell", say("Sell shares"), sell, has_market, COMPANIES),
    MenuLine("dividend", say("Dividend"), dividend, has_market, COMPANIES),
    MenuLine("price", say("Price"), price, has_companies, COMPANIES),
    MenuLine("sell_all", say("Everybody sells"), sell_all, has_companies, COMPANIES),
)
