"""Companies: their shares, the track of their prices, their treasuries and the trade with the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.games.any_game.bank import MAX_PAYMENT, NEEDS_MONEY, announce_payment, pay_or_ask, payer_label
from companion.games.any_game.points import GridLine, number_figure
from companion.games.any_game.state import BANK, PURSE, FeatureState, MenuAction, MoneySource, TemplateState
from companion.games.any_game.teams import Keepers, team_label
from companion.games.any_game.template import NO_COLOUR, Template, error_on, label_of, number_on, word_on
from companion.rulebook import (
    Account,
    Amount,
    CardDesign,
    Choose,
    CountGrid,
    DetailedOption,
    Labelled,
    MoneyAtPlace,
    Piece,
    Place,
    Say,
    ScoreLine,
    Seat,
    Table,
    VisibleTable,
    say,
    say_n,
)

PRICE_TRACK = say("price track")
COMPANIES_GROUP = say("Companies")
"""The group of these actions in the menu."""
TO_TREASURY, TO_SHAREHOLDERS = "kept", "holders"
STEP_NOTES = {1: say("raises the price by one step"), -1: say("lowers the price by one step")}
"""The next step up and down have a note: people mean them most of the time."""


class CompanyRules(msgspec.Struct, frozen=True):
    """Whether shares are sold as lots of an auction (`shares`) or by the bank (`numbered`)."""

    lots: str = "numbered"


def share_of(design: CardDesign) -> Piece:
    """A share of a company."""
    colour = word_on(design, "livery", NO_COLOUR)
    label = label_of(design)
    counted = say_n("{n} share of {company}", "{n} shares of {company}", n=2, company=label)
    look_colour = "" if colour == NO_COLOUR else colour
    return Piece(design.id, label, look="chip", colour=look_colour, count_label=counted)


def price_marker(design: CardDesign) -> Piece:
    """The marker of a company on the price track."""
    label = say("price of {company}", company=label_of(design))
    return Piece(f"{design.id} price", label, is_endless=True, is_marker=True)


def price_at(prices: Sequence[int], step: int) -> int:
    """The price of a share at a step; 0 before the first step. Hands may put a marker beyond the last."""
    return prices[min(step, len(prices)) - 1] if step > 0 else 0


class Company:
    """A company: its shares lie in the bank, before seats or in its treasury; its price stands at a step."""

    def __init__(self, table: Table, design: CardDesign, prices: Sequence[int]) -> None:
        self.label, self.prices = label_of(design), prices
        self.share = share_of(design)
        self.share_count = number_on(design, "shares")
        self.bank_shares = table.supply(table.account(self.share, BANK), self.share_count)
        self.seat_shares = table.account_per_seat(self.share, PURSE)
        self.treasury = Place(self.label)
        self.treasury_shares = table.account(self.share, self.label)
        self.price_account = table.account(price_marker(design), PRICE_TRACK)
        table.supply(self.price_account, min(number_on(design, "step_at"), len(prices)))
        self._table = table

    @property
    def step(self) -> int:
        """The step of its price on the track; 0 without a price."""
        return self.price_account.count

    @property
    def price(self) -> int:
        """The price of a share; 0 without a price."""
        return price_at(self.prices, self.step)

    def move_price_to(self, step: int) -> None:
        """Moves the price up or down to a step."""
        more = step - self.step
        if more > 0:
            self._table.add_markers(self.price_account, more)
        else:
            self._table.remove_markers(self.price_account, -more)

    def value_of_shares(self, seat: Seat) -> int:
        """The money that the shares of a seat would be sold for."""
        return self.seat_shares[seat].count * self.price

    @property
    def holders(self) -> dict[Place, Account]:
        """The shares that get a dividend, by place: before seats and in the treasury."""
        return {one.place: one for one in (*self.seat_shares.values(), self.treasury_shares) if one.count > 0}


class Companies(FeatureState):
    """All companies of the template, with the money in their treasuries."""

    def __init__(self, state: TemplateState) -> None:
        self.companies = [self._open(state, one) for one in state.template.designs("company")]
        state.treasuries = [one.treasury for one in self.companies]

    def _open(self, state: TemplateState, printed: CardDesign) -> Company:
        found = Company(state.table, printed, state.template.prices)
        for at, one in enumerate(state.pieces):
            account = state.table.ledger.account(found.treasury, one, debt=0)
            state.table.supply(account, 0 if at else number_on(printed, "treasury"))
        return found


class ShareLimit(msgspec.Struct, frozen=True):
    """The number of shares that somebody can buy: those in the bank that the purse can pay for."""

    shares: Account
    purse: MoneyAtPlace
    price: int

    @property
    def count(self) -> int:
        """The number now."""
        return max(0, min(self.shares.count, self.purse.count // self.price))

    @property
    def covered(self) -> bool:
        """True if only the owner of the purse knows the number."""
        return self.purse.covered


# Actions of the menu


async def choose_company(
    state: TemplateState,
    question: Say,
    refusals: dict[str, Say],
    *,
    priced: bool = True,
    known_as: Say | None = None,
) -> Company:
    """Asks which company is meant, with prices if `priced`; `refusals` say why some can't be chosen."""
    companies = Companies.of(state).companies
    texts: dict[str, Labelled] = {
        str(at): DetailedOption(say("{company}", company=one.label), piece=one.share,
                       note=_per_share(one.price) if priced and one.price else None,
                       barred_reason=refusals.get(str(at)))
        for at, one in enumerate(companies)
    }  # fmt: skip  # a key
    return companies[int(await Choose(None, question, texts, log_name=known_as))]


def _per_share(amount: int) -> Say:
    return say("{n} per share", n=amount)


async def buy_shares(state: TemplateState) -> None:
    """Asks who buys how many shares of which company from the bank."""
    companies = Companies.of(state).companies
    reasons = {
        str(at): _why_not_sold(one)
        for at, one in enumerate(companies)
        if not one.price or not one.bank_shares.count
    }
    if len(reasons) == len(companies):
        state.table.add_note(say("There are no shares for sale."))
        return
    company = await choose_company(state, say("Shares of which company?"), reasons)
    question = say("Who buys shares of {company}?", company=company.label)
    seat = await state.choose_side(question, known_as=say("Who buys?"))
    most = ShareLimit(company.bank_shares, state.purse(seat), company.price)
    question = say("How many shares of {company} at {price}?", company=company.label, price=company.price)
    count = await Amount(
        seat, question, 0, company.bank_shares, paid_from=most, log_name=say("How many shares?")
    )
    cost = count * company.price
    source = state.purse(seat).place
    if await pay_or_ask(state, source, state.bank, cost, whole=True) == cost:
        announce_payment(state, source, [state.bank], cost, cost)
        state.table.move(company.bank_shares, company.seat_shares[seat], count)


def _why_not_sold(company: Company) -> Say:
    """Why the bank sells no share of a company."""
    if not company.price:
        return say("{company} has no price yet.", company=company.label)
    return say("The bank has no more shares of {company}.", company=company.label)


async def sell_shares(state: TemplateState) -> None:
    """Asks who sells how many shares of which company to the bank."""
    companies = Companies.of(state).companies
    reasons = {
        str(at): say("Nobody has a share of {company}.", company=one.label)
        for at, one in enumerate(companies)
        if not any(one.seat_shares[seat].count for seat in state.sides)
    }
    if len(reasons) == len(companies):
        state.table.add_note(say("Nobody has a share."))
        return
    company = await choose_company(state, say("Shares of which company?"), reasons)
    holders = [seat for seat in state.sides if company.seat_shares[seat].count]
    question = say("Who sells shares of {company}?", company=company.label)
    seat = await state.choose_side(question, holders, known_as=say("Who sells?"))
    await sell_chosen_number(state, company, seat)


async def sell_to_pay(state: TemplateState, seat: Seat) -> None:
    """Asks a seat that has to pay which shares it sells first."""
    reasons = {
        str(at): say("{seat} has no share of {company}.", seat=seat, company=one.label)
        for at, one in enumerate(Companies.of(state).companies)
        if not one.seat_shares[seat].count
    }
    await sell_chosen_number(
        state, await choose_company(state, say("Shares of which company?"), reasons), seat
    )


async def sell_chosen_number(state: TemplateState, company: Company, seat: Seat) -> None:
    """Asks how many shares of a company a seat sells."""
    question = say("How many shares of {company} at {price}?", company=company.label, price=company.price)
    count = await Amount(seat, question, 0, company.seat_shares[seat], log_name=say("How many shares?"))
    paid = await sell_to_bank(state, company, seat, count)
    announce_payment(state, state.bank, [state.purse(seat).place], paid, count * company.price)


async def sell_to_bank(state: TemplateState, company: Company, seat: Seat, count: int) -> int:
    """Sells shares to the bank, which pays for all of them or takes none. Returns how much it paid."""
    due = count * company.price
    paid = await pay_or_ask(state, state.bank, state.purse(seat).place, due, whole=True)
    if paid == due:
        state.table.move(company.seat_shares[seat], company.bank_shares, count)
    return paid


async def sell_all_shares(state: TemplateState) -> None:
    """Sells all shares of all players to the bank."""
    for seat in state.sides:
        own = [
            (one, count) for one in Companies.of(state).companies if (count := one.seat_shares[seat].count)
        ]
        paid = sum([await sell_to_bank(state, one, seat, count) for one, count in own])
        state.table.add_note(say("{seat} gets {amount}.", seat=seat, amount=paid))


async def pay_dividend(state: TemplateState) -> None:
    """Asks what a company earned per share; the bank pays the shareholders, or the treasury gets it all."""
    log_text = say("Which company has earned?")
    company = await choose_company(
        state, say("Which company made money?"), {}, priced=False, known_as=log_text
    )
    question = say("{company}: how much for each share?", company=company.label)
    amount = await Amount(None, question, 1, MAX_PAYMENT, log_name=say("How much for each share?"))
    held = sum(shares.count for shares in company.holders.values())
    texts: dict[str, Labelled] = {
        TO_SHAREHOLDERS: DetailedOption(
            say("Shareholders"), gain=_per_share(amount), note=_in_all(amount * held)
        ),
        TO_TREASURY: DetailedOption(
            say("The company keeps everything"), note=_in_all(amount * company.share_count)
        ),
    }
    question = say("{company} earns {n} per share. Who is paid?", company=company.label, n=amount)
    if await Choose(None, question, texts, log_name=say("Who is paid?")) == TO_TREASURY:
        due = amount * company.share_count
        paid = await pay_or_ask(state, state.bank, company.treasury, due)
        announce_payment(state, state.bank, [company.treasury], paid, due)
        return
    if not company.holders:
        state.table.add_note(say("Nobody has a share of {company}.", company=company.label))
    for place, shares in company.holders.items():
        target = state.purse(place.seat).place if place.seat else place
        paid = await pay_or_ask(state, state.bank, target, amount * shares.count)
        state.table.add_note(say("{who} gets {amount}.", who=payer_label(target), amount=paid))


def _in_all(amount: int) -> Say:
    return say("{n} in all", n=amount)


async def change_price(state: TemplateState) -> None:
    """Asks which price moves to which step of the track."""
    company = await choose_company(state, say("Which price changes?"), {})
    prices = company.prices
    texts: dict[str, Labelled] = {
        f"step {step}": DetailedOption(
            say("{n}", n=prices[step - 1]), note=STEP_NOTES.get(step - company.step)
        )
        for step in range(1, len(prices) + 1)
        if step != company.step
    }
    question = say(
        "What is the new price of {company}? It is {price} now.", company=company.label, price=company.price
    )
    chosen = await Choose(None, question, texts, log_name=say("New price"))
    company.move_price_to(int(chosen.removeprefix("step ")))


def has_companies(state: TemplateState) -> bool:
    """True if the template has companies."""
    return bool(Companies.of(state).companies)


def has_market(state: TemplateState) -> bool:
    """True if the bank trades shares, and they aren't only won in auctions."""
    return has_companies(state) and state.template.rules(CompanyRules).lots == "numbered"


def can_sell(state: TemplateState, seat: Seat) -> bool:
    """True if a seat has shares that the bank buys."""
    return has_market(state) and any(one.seat_shares[seat].count for one in Companies.of(state).companies)


# Errors and score


def errors(template: Template) -> Iterator[Say]:
    """Companies without money, or with a price beyond the price track."""
    companies = template.designs("company")
    for one in companies:
        if number_on(one, "step_at") > (steps := len(template.prices)):
            text = 'step_at can\'t be {value}. The list "prices" has only {most} steps.'
            yield error_on(one, say(text, most=steps, value=number_on(one, "step_at")))
    if companies and template.money_piece is None:
        yield NEEDS_MONEY


def score_lines(state: TemplateState, seat: Seat) -> Iterator[ScoreLine]:
    """The shares of a seat at their prices, where money counts at the end."""
    counts = bool(state.pieces) and number_on(state.pieces[state.money_piece], "worth") != 0
    for company in Companies.of(state).companies if counts else ():
        value = company.value_of_shares(state.keeper[seat])
        yield ScoreLine(company.label, state.template.points_of_money(value))


def scene_points(look: VisibleTable, template: Template, seat: Seat) -> int:
    """The shares of a seat at their prices, as the scene adds them to its total."""
    return sum(
        template.points_of_money(
            look.open_count(share_of(one), PURSE, seat) * _seen_price(look, template, one)
        )
        for one in template.designs("company")
    )


# How it looks


def scene_grids(template: Template, keeper: Keepers) -> Iterator[CountGrid]:
    """The grid of prices, shares and treasuries, with a column for each company."""
    if companies := template.designs("company"):
        heads = tuple([label_of(one) for one in companies])
        yield CountGrid(heads, lambda look: tuple(_share_lines(look, template, keeper)))


def _share_lines(look: VisibleTable, template: Template, keeper: Keepers) -> Iterator[GridLine]:
    """A line for the prices, one for the shares of each side and the bank, and one for the treasuries."""
    companies = template.designs("company")
    yield say("price"), tuple([number_figure(_seen_price(look, template, one)) for one in companies])
    for side in dict.fromkeys(keeper.values()):
        held = [look.open_count(share_of(one), PURSE, side) for one in companies]
        yield team_label(keeper, side), tuple([number_figure(count) for count in held])
    yield BANK, tuple([number_figure(look.open_count(share_of(one), BANK)) for one in companies])
    money = [one for one in template.pieces if one.money_value]
    kept = [
        sum(look.open_count(each, label_of(one)) * each.money_value for each in money) for one in companies
    ]
    if any(kept):
        yield say("treasury"), tuple([number_figure(count) for count in kept])


def _seen_price(look: VisibleTable, template: Template, company: CardDesign) -> int:
    """The price of a share now; 0 without a price."""
    return price_at(template.prices, look.open_count(price_marker(company), PRICE_TRACK))


MONEY_SOURCE = MoneySource(say("Sell shares first"), can_sell, sell_to_pay)
MENU = (
    MenuAction("buy", say("Buy shares"), buy_shares, has_market, COMPANIES_GROUP),
    MenuAction("sell", say("Sell shares"), sell_shares, has_market, COMPANIES_GROUP),
    MenuAction("dividend", say("Dividend"), pay_dividend, has_market, COMPANIES_GROUP),
    MenuAction("price", say("Price"), change_price, has_companies, COMPANIES_GROUP),
    MenuAction("sell_all", say("Everybody sells"), sell_all_shares, has_companies, COMPANIES_GROUP),
)
HELP = {
    "Shares of which company?": say("The bank sells shares and buys shares at the company's price."),
    "Who buys shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "Who sells shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "How many shares of {company} at {price}?": say(
        "Enter the number of shares, or 0 for none. You must have enough money for all the shares."
    ),
    "Which company made money?": say(
        "The company's shareholders get a dividend, or the company keeps all the money."
    ),
    "{company}: how much for each share?": say("Enter what each share earns."),
    "{company} earns {n} per share. Who is paid?": say(
        "Shareholders get this amount for each share, or the company keeps all the money."
    ),
    "Which price changes?": say("Prices go up and down on a track, as the rules of your game say."),
    "What is the new price of {company}? It is {price} now.": say("Choose the new step of the price."),
}
