"""Companies: their shares, the track of their prices, their treasuries and the trade with the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

import msgspec

from companion.games.any_game.bank import (
    NEEDS_MONEY_ERROR,
    announce_full_payment,
    announce_receipt,
    must_share_shortage,
    pay_or_ask,
    share_shortage,
)
from companion.games.any_game.limits import MAX_VALUE_OF_ONE
from companion.games.any_game.points import GridLine, make_number_cell
from companion.games.any_game.rounding import DOWN, RoundedAmount, round_amount
from companion.games.any_game.state import (
    BANK,
    COMPANIES_GROUP,
    MIN_VERSION_REFUSING_IMPOSSIBLE,
    PURSE,
    FeatureState,
    MenuAction,
    MoneySource,
    NeededPieces,
    TemplateState,
)
from companion.games.any_game.teams import CaptainBySeat, team_label
from companion.games.any_game.template import (
    NO_COLOUR,
    Template,
    describe_design_error,
    design_label,
    read_number,
    read_word,
)
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
PAY_TREASURY_KEY, PAY_SHAREHOLDERS_KEY, PAY_HALF_KEY = "kept", "holders", "half"
TOTAL, NO_HALF_PAY = "total", "no"
"""Words of the template: a dividend is entered as a total, and no company pays out only half."""
NOTE_BY_PRICE_STEP_CHANGE = {1: say("raises the price by one step"), -1: say("lowers the price by one step")}
"""Notes for a share price that moves one step up or down, as it does most of the time."""
DIVIDEND_HELP = say(
    "Shareholders get the money for their shares, or the company keeps it. In some templates, each can get "
    "half."
)
"""Help for both questions about who is paid: after an amount per share, and after a total."""


class ShareSaleRules(msgspec.Struct, frozen=True):
    """How shares are sold: as lots of an auction (`shares`) or by the bank (`numbered`)."""

    lots: str = "numbered"


class DividendRules(msgspec.Struct, frozen=True):
    """Rules for dividends: whether people enter a total, how it is rounded, and whether half can be paid.

    any_game.toml explains each word.
    """

    dividend: str = "share"
    dividend_rounding: str = DOWN
    half_pay: str = NO_HALF_PAY


def make_share_piece(design: CardDesign) -> Piece:
    """Returns the piece that is a share of a company."""
    colour = read_word(design, "livery", NO_COLOUR)
    label = design_label(design)
    count_label = say_n("{n} share of {company}", "{n} shares of {company}", n=2, company=label)
    look_colour = "" if colour == NO_COLOUR else colour
    return Piece(design.id, label, look="chip", colour=look_colour, count_label=count_label)


def make_price_marker(design: CardDesign) -> Piece:
    """Returns the marker of a company on the price track."""
    label = say("price of {company}", company=design_label(design))
    return Piece(f"{design.id} price", label, is_endless=True, is_marker=True)


def share_price_at_step(prices: Sequence[int], step: int) -> int:
    """Returns the price of a share at a step of the price track.

    Before the first step the price is 0. People can put a marker beyond the last step by hand; then the last
    price counts.
    """
    return prices[min(step, len(prices)) - 1] if step > 0 else 0


class Company:
    """A company: its shares in the bank, before seats and in its treasury, and its price on the track."""

    def __init__(self, table: Table, design: CardDesign, prices: Sequence[int]) -> None:
        self.label, self.prices = design_label(design), prices
        self.share = make_share_piece(design)
        self.share_count = read_number(design, "shares")
        self.bank_shares = table.supply_from_box(table.account(self.share, BANK), self.share_count)
        self.seat_shares = table.account_by_seat(self.share, PURSE)
        self.treasury = Place(self.label)
        self.treasury_shares = table.account(self.share, self.label)
        self.price_account = table.account(make_price_marker(design), PRICE_TRACK)
        table.supply_from_box(self.price_account, min(read_number(design, "step_at"), len(prices)))
        self._table = table

    @property
    def price_step(self) -> int:
        """The step of the company's price on the price track; 0 without a price."""
        return self.price_account.count

    @property
    def share_price(self) -> int:
        """The price of a share; 0 without a price."""
        return share_price_at_step(self.prices, self.price_step)

    def move_price_to(self, step: int) -> None:
        """Moves the price marker up or down to a step."""
        change = step - self.price_step
        if change > 0:
            self._table.add_markers(self.price_account, change)
        else:
            self._table.remove_markers(self.price_account, -change)

    def value_of_shares(self, seat: Seat) -> int:
        """Returns the money that the shares of a seat would be sold for."""
        return self.seat_shares[seat].count * self.share_price

    @property
    def dividend_shares_by_place(self) -> dict[Place, Account]:
        """The shares that get a dividend, by place: before seats and in the treasury."""
        return {
            shares.place: shares
            for shares in (*self.seat_shares.values(), self.treasury_shares)
            if shares.count > 0
        }


class Earnings(msgspec.Struct, frozen=True):
    """What each share of a company has earned, how many shares there are, and how dividends are rounded."""

    per_share: Fraction
    share_count: int
    rules: DividendRules

    @property
    def total(self) -> int:
        """The money that all shares of the company earn together."""
        return int(self.per_share * self.share_count)

    @property
    def half_per_share(self) -> RoundedAmount:
        """What a share gets if the company pays half: a whole amount, and never more than it has earned."""
        half = round_amount(self.per_share / 2, self.rules.half_pay)
        return RoundedAmount(min(half.amount, floor(self.per_share)), half.exact_amount)

    @property
    def retained_amount(self) -> int:
        """What the company keeps if it pays half: the rest of the total."""
        return self.total - self.half_per_share.amount * self.share_count

    def dividend_of(self, share_count: int, *, is_half: bool = False) -> RoundedAmount:
        """Returns what a holder of a number of shares gets if the company pays everything, or half."""
        per_share = Fraction(self.half_per_share.amount) if is_half else self.per_share
        return round_amount(per_share * share_count, self.rules.dividend_rounding)


class Companies(FeatureState):
    """All companies of the template, with the money in their treasuries."""

    def __init__(self, state: TemplateState) -> None:
        self.companies = [
            self._open_company(state, design) for design in state.template.designs_of_kind("company")
        ]
        state.treasury_places = [company.treasury for company in self.companies]

    def _open_company(self, state: TemplateState, design: CardDesign) -> Company:
        company = Company(state.table, design, state.template.price_track_values)
        for index, piece in enumerate(state.design_by_piece):
            account = state.table.ledger.open_account(company.treasury, piece, max_debt=0)
            state.table.supply_from_box(account, 0 if index else read_number(design, "treasury"))
        return company


class BuyableShareLimit(msgspec.Struct, frozen=True):
    """Limit of the shares that somebody can buy: those in the bank that the purse can pay for."""

    shares: Account
    purse: MoneyAtPlace
    price: int

    @property
    def count(self) -> int:
        """The number of shares that can be bought now."""
        return max(0, min(self.shares.count, self.purse.count // self.price))

    @property
    def covered(self) -> bool:
        """True if the number is covered: it depends on a covered purse, and only the owner may know it."""
        return self.purse.covered


# Actions of the menu


async def choose_company(
    state: TemplateState,
    question: Say,
    barred_reason_by_index: dict[str, Say],
    *,
    shows_prices: bool = True,
    log_name: Say | None = None,
) -> Company:
    """Asks which company is meant.

    Companies with a reason in `barred_reason_by_index` can't be chosen.
    """
    companies = Companies.of(state).companies
    options: dict[str, Labelled] = {
        str(index): DetailedOption(
            say("{company}", company=company.label),
            piece=company.share,
            note=_describe_amount_per_share(company.share_price)
            if shows_prices and company.share_price
            else None,
            barred_reason=barred_reason_by_index.get(str(index)),
        )
        for index, company in enumerate(companies)
    }
    return companies[int(await Choose(None, question, options, log_name=log_name))]


def _describe_amount_per_share(amount: Labelled | int) -> Say:
    return say("{n} per share", n=amount)


async def ask_and_buy_shares(state: TemplateState) -> None:
    """Asks who buys how many shares of which company from the bank; the bank sells them."""
    companies = Companies.of(state).companies
    barred_reason_by_index = {
        str(index): _why_bank_sells_no_share(company)
        for index, company in enumerate(companies)
        if not company.share_price or not company.bank_shares.count
    }
    if len(barred_reason_by_index) == len(companies):
        state.table.add_note(say("There are no shares for sale."))
        return
    company = await choose_company(state, say("Shares of which company?"), barred_reason_by_index)
    question = say("Who buys shares of {company}?", company=company.label)
    seat = await state.choose_side(question, log_name=say("Who buys?"))
    if not company.share_price:  # people may have moved the price marker away meanwhile
        state.table.add_note(_why_bank_sells_no_share(company))
        return
    limit = BuyableShareLimit(company.bank_shares, state.purse(seat), company.share_price)
    question = say(
        "How many shares of {company} do you buy at {price}?",
        company=company.label,
        price=company.share_price,
    )
    count = await Amount(
        seat, question, 0, company.bank_shares, paid_from=limit, log_name=say("How many shares?")
    )
    if not count:
        state.table.add_note(say("{seat} buys no shares of {company}.", seat=seat, company=company.label))
        return
    cost = count * company.share_price
    source = state.purse(seat).place
    if await pay_or_ask(state, source, state.bank_place, cost, all_or_nothing=True) == cost:
        announce_full_payment(state, source, [state.bank_place], cost, cost)
        # People may have moved shares by hand while the table was asked about the payment.
        state.table.move_up_to(company.bank_shares, company.seat_shares[seat], count)


def _why_bank_sells_no_share(company: Company) -> Say:
    """Returns why the bank sells no share of a company."""
    if not company.share_price:
        return say("{company} has no price yet.", company=company.label)
    return say("The bank has no more shares of {company}.", company=company.label)


def find_shares_to_sell(state: TemplateState) -> NeededPieces:
    """Returns the shares of all players still in the match, without which nobody can sell."""
    accounts = [
        company.seat_shares[seat] for company in Companies.of(state).companies for seat in state.playing_sides
    ]
    return NeededPieces(accounts, say("Nobody has a share."))


async def ask_and_sell_shares(state: TemplateState) -> None:
    """Asks who sells how many shares of which company to the bank; the bank buys them."""
    companies = Companies.of(state).companies
    barred_reason_by_index = {
        str(index): say("Nobody has a share of {company}.", company=company.label)
        for index, company in enumerate(companies)
        if not any(company.seat_shares[seat].count for seat in state.playing_sides)
    }
    if len(barred_reason_by_index) == len(companies):
        state.table.add_note(say("Nobody has a share."))
        return
    company = await choose_company(state, say("Shares of which company?"), barred_reason_by_index)
    holders = [seat for seat in state.playing_sides if company.seat_shares[seat].count]
    if not holders:  # people may have moved the shares away meanwhile
        state.table.add_note(say("Nobody has a share of {company}.", company=company.label))
        return
    question = say("Who sells shares of {company}?", company=company.label)
    seat = await state.choose_side(question, holders, log_name=say("Who sells?"))
    await ask_number_and_sell_shares(state, company, seat)


async def ask_and_sell_shares_to_raise_money(state: TemplateState, seat: Seat) -> None:
    """Asks a seat that has to pay which shares it sells first, and sells them."""
    companies = Companies.of(state).companies
    barred_reason_by_index = {
        str(index): say("{seat} has no share of {company}.", seat=seat, company=company.label)
        for index, company in enumerate(companies)
        if not company.seat_shares[seat].count
    }
    if len(barred_reason_by_index) == len(companies):  # people may have moved the shares away meanwhile
        for reason in barred_reason_by_index.values():
            state.table.add_note(reason)
        return
    await ask_number_and_sell_shares(
        state, await choose_company(state, say("Shares of which company?"), barred_reason_by_index), seat
    )


async def ask_number_and_sell_shares(state: TemplateState, company: Company, seat: Seat) -> None:
    """Asks how many shares of a company a seat sells, and sells them to the bank."""
    question = say(
        "How many shares of {company} do you sell at {price}?",
        company=company.label,
        price=company.share_price,
    )
    count = await Amount(seat, question, 0, company.seat_shares[seat], log_name=say("How many shares?"))
    paid = await sell_shares_to_bank(state, company, seat, count)
    announce_full_payment(
        state, state.bank_place, [state.purse(seat).place], paid, count * company.share_price
    )


async def sell_shares_to_bank(state: TemplateState, company: Company, seat: Seat, count: int) -> int:
    """Sells shares to the bank; returns the amount that the bank paid.

    The bank pays for all of the shares or takes none.
    """
    amount_due = count * company.share_price
    paid = await pay_or_ask(state, state.bank_place, state.purse(seat).place, amount_due, all_or_nothing=True)
    if paid == amount_due:
        # People may have moved shares by hand while the table was asked about the payment.
        state.table.move_up_to(company.seat_shares[seat], company.bank_shares, count)
    return paid


async def sell_everybodys_shares(state: TemplateState) -> None:
    """Sells all shares of all players to the bank."""
    for seat in state.playing_sides:
        count_by_company = [
            (company, count)
            for company in Companies.of(state).companies
            if (count := company.seat_shares[seat].count)
        ]
        paid = sum(
            [await sell_shares_to_bank(state, company, seat, count) for company, count in count_by_company]
        )
        announce_receipt(state, state.purse(seat).place, paid)


async def ask_and_pay_dividend(state: TemplateState) -> None:
    """Asks what a company has earned, and pays it to the shareholders, to the treasury, or half to each."""
    log_name = say("Which company has earned?")
    company = await choose_company(
        state, say("Which company made money?"), {}, shows_prices=False, log_name=log_name
    )
    earnings = await _ask_earnings(state, company)
    who_is_paid = await _ask_who_is_paid(company, earnings)
    if who_is_paid == PAY_TREASURY_KEY:
        await _pay_treasury(state, company, earnings.total)
    elif who_is_paid == PAY_HALF_KEY:
        per_share = earnings.half_per_share.label
        state.table.add_note(say("{company} pays {n} per share.", company=company.label, n=per_share))
        await _pay_shareholders(state, company, earnings, is_half=True)
        await _pay_treasury(state, company, earnings.retained_amount)
    else:
        await _pay_shareholders(state, company, earnings)


async def _ask_earnings(state: TemplateState, company: Company) -> Earnings:
    """Asks what a company has earned: per share, or in all if the template says so."""
    rules = state.template.read_rules(DividendRules)
    if rules.dividend == TOTAL:
        question = say("{company}: how much in all?", company=company.label)
        total = await Amount(
            None,
            question,
            1,
            max(1, state.max_money),
            log_name=say("How much in all?"),
            confirm_above=state.confirm_money_above,
        )
        return Earnings(Fraction(total, company.share_count), company.share_count, rules)
    question = say("{company}: how much for each share?", company=company.label)
    most = MAX_VALUE_OF_ONE
    if state.table.version >= MIN_VERSION_REFUSING_IMPOSSIBLE:
        paid_shares = sum(shares.count for shares in company.dividend_shares_by_place.values())
        most = min(most, max(1, state.max_money // max(1, paid_shares)))
    amount = await Amount(
        None,
        question,
        1,
        most,
        log_name=say("How much for each share?"),
        confirm_above=state.confirm_money_above,
    )
    return Earnings(Fraction(amount), company.share_count, rules)


async def _ask_who_is_paid(company: Company, earnings: Earnings) -> str:
    """Asks whether the shareholders are paid, the company keeps everything, or each gets half."""
    is_whole = earnings.per_share.denominator == 1
    dividends = [
        earnings.dividend_of(shares.count).amount for shares in company.dividend_shares_by_place.values()
    ]
    options: dict[str, Labelled] = {
        PAY_SHAREHOLDERS_KEY: DetailedOption(
            say("Shareholders"),
            gain=_describe_amount_per_share(int(earnings.per_share)) if is_whole else None,
            note=_describe_total(sum(dividends)),
        )
    }
    if earnings.rules.half_pay != NO_HALF_PAY:
        options[PAY_HALF_KEY] = DetailedOption(
            say("Half for the shareholders, half for the company"),
            gain=_describe_amount_per_share(earnings.half_per_share.label),
            note=say("{n} for the company", n=earnings.retained_amount),
        )
    options[PAY_TREASURY_KEY] = DetailedOption(
        say("The company keeps everything"), note=_describe_total(earnings.total)
    )
    text = "{company} earns {n} in all. Who is paid?"
    question = say(text, company=company.label, n=earnings.total)
    if earnings.rules.dividend != TOTAL:
        text = "{company} earns {n} per share. Who is paid?"
        question = say(text, company=company.label, n=int(earnings.per_share))
    return await Choose(None, question, options, log_name=say("Who is paid?"))


async def _pay_shareholders(
    state: TemplateState, company: Company, earnings: Earnings, *, is_half: bool = False
) -> None:
    """Pays each holder of shares the dividend, or half of it."""
    if not company.dividend_shares_by_place:
        state.table.add_note(say("Nobody has a share of {company}.", company=company.label))
    dividends = [  # the seats of a team may each have shares, and are paid into one purse
        (
            state.purse(place.seat).place if place.seat else place,
            earnings.dividend_of(shares.count, is_half=is_half),
        )
        for place, shares in company.dividend_shares_by_place.items()
    ]
    if must_share_shortage(state, state.bank_place, [due.amount for _, due in dividends]):
        await share_shortage(state, [(target, due.amount) for target, due in dividends])
        return
    for target, due in dividends:
        paid = await pay_or_ask(state, state.bank_place, target, due.amount)
        announce_receipt(state, target, due.label_of_payment(paid))


async def _pay_treasury(state: TemplateState, company: Company, amount: int) -> None:
    paid = await pay_or_ask(state, state.bank_place, company.treasury, amount)
    announce_full_payment(state, state.bank_place, [company.treasury], paid, amount)


def _describe_total(amount: int) -> Say:
    return say("{n} in all", n=amount)


async def ask_and_change_share_price(state: TemplateState) -> None:
    """Asks which company's price moves to which step of the price track, and moves it."""
    company = await choose_company(state, say("Which price changes?"), {})
    prices = company.prices
    options: dict[str, Labelled] = {
        f"step {step}": DetailedOption(
            say("{n}", n=prices[step - 1]), note=NOTE_BY_PRICE_STEP_CHANGE.get(step - company.price_step)
        )
        for step in range(1, len(prices) + 1)
        if step != company.price_step
    }
    question = say(
        "What is the new price of {company}? It is {price} now.",
        company=company.label,
        price=company.share_price,
    )
    chosen = await Choose(None, question, options, log_name=say("New price"))
    company.move_price_to(int(chosen.removeprefix("step ")))
    state.table.add_note(
        say("The price of {company} is {price} now.", company=company.label, price=company.share_price)
    )


def has_companies(state: TemplateState) -> bool:
    """Returns True if the template has companies."""
    return bool(Companies.of(state).companies)


def has_share_trading_with_bank(state: TemplateState) -> bool:
    """Returns True if the bank buys and sells shares; False if shares are only won in auctions."""
    return has_companies(state) and state.template.read_rules(ShareSaleRules).lots == "numbered"


def can_sell_shares_to_bank(state: TemplateState, seat: Seat) -> bool:
    """Returns True if a seat has shares that it can sell to the bank."""
    return has_share_trading_with_bank(state) and any(
        company.seat_shares[seat].count for company in Companies.of(state).companies
    )


# Errors and score


def find_company_errors(template: Template) -> Iterator[Say]:
    """Yields errors of the companies in a template.

    Errors are a price beyond the price track, no piece that serves as money, and rules for dividends that
    nobody gets.
    """
    yield from _find_dividend_errors(template)
    designs = template.designs_of_kind("company")
    for design in designs:
        if read_number(design, "step_at") > (step_count := len(template.price_track_values)):
            text = 'step_at can\'t be {value}. The list "prices" has only {most} steps.'
            yield describe_design_error(
                design, say(text, most=step_count, value=read_number(design, "step_at"))
            )
    if designs and template.money_piece is None:
        yield NEEDS_MONEY_ERROR


def _find_dividend_errors(template: Template) -> Iterator[Say]:
    """Yields an error for each rule for dividends without companies that pay them, or without a total."""
    rules, defaults = template.read_rules(DividendRules), DividendRules()
    sells_shares = template.read_rules(ShareSaleRules).lots == "numbered"
    if not (sells_shares and template.designs_of_kind("company")):
        for field in rules.__struct_fields__:
            if getattr(rules, field) != getattr(defaults, field):
                yield say("{field} needs a company whose shares the bank sells.", field=field)
    elif rules.dividend_rounding != DOWN and rules.dividend != TOTAL:
        yield say('dividend_rounding needs the setting "dividend = total".')


def share_score_lines(state: TemplateState, seat: Seat) -> Iterator[ScoreLine]:
    """Yields a score line for a seat's shares of each company, at their prices.

    There are none if money doesn't count at the end.
    """
    does_money_count = (
        bool(state.design_by_piece) and read_number(state.design_by_piece[state.money_piece], "worth") != 0
    )
    for company in Companies.of(state).companies if does_money_count else ():
        value = company.value_of_shares(state.captain_by_seat[seat])
        yield ScoreLine(company.label, state.template.points_for_money(value))


def visible_share_points(look: VisibleTable, template: Template, seat: Seat) -> int:
    """Returns the points of a seat's shares at their prices, as the scene adds them to its total."""
    return sum(
        template.points_for_money(
            look.visible_count_or_zero(make_share_piece(design), PURSE, seat)
            * _visible_share_price(look, template, design)
        )
        for design in template.designs_of_kind("company")
    )


# The scene


def build_company_grids(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[CountGrid]:
    """Yields the grid of prices, shares and treasuries, with a column for each company."""
    if designs := template.designs_of_kind("company"):
        headings = tuple([design_label(design) for design in designs])
        yield CountGrid(headings, lambda look: tuple(_build_share_lines(look, template, captain_by_seat)))


def _build_share_lines(
    look: VisibleTable, template: Template, captain_by_seat: CaptainBySeat
) -> Iterator[GridLine]:
    """Yields a line for the prices, for the shares of each side and of the bank, and for the treasuries."""
    designs = template.designs_of_kind("company")
    yield (
        say("price"),
        tuple([make_number_cell(_visible_share_price(look, template, design)) for design in designs]),
    )
    for side in dict.fromkeys(captain_by_seat.values()):
        share_counts = [
            look.visible_count_or_zero(make_share_piece(design), PURSE, side) for design in designs
        ]
        yield team_label(captain_by_seat, side), tuple([make_number_cell(count) for count in share_counts])
    yield (
        BANK,
        tuple(
            [
                make_number_cell(look.visible_count_or_zero(make_share_piece(design), BANK))
                for design in designs
            ]
        ),
    )
    money_pieces = [design for design in template.design_by_piece if design.money_value]
    treasury_amounts = [
        sum(
            look.visible_count_or_zero(piece, design_label(design)) * piece.money_value
            for piece in money_pieces
        )
        for design in designs
    ]
    if any(treasury_amounts):
        yield say("treasury"), tuple([make_number_cell(count) for count in treasury_amounts])


def _visible_share_price(look: VisibleTable, template: Template, company: CardDesign) -> int:
    """Returns the price of a share as the scene sees it; 0 without a price."""
    return share_price_at_step(
        template.price_track_values, look.visible_count_or_zero(make_price_marker(company), PRICE_TRACK)
    )


MONEY_SOURCE = MoneySource(
    say("Sell shares first"), can_sell_shares_to_bank, ask_and_sell_shares_to_raise_money
)
MENU = (
    MenuAction("buy", say("Buy shares"), ask_and_buy_shares, COMPANIES_GROUP, has_share_trading_with_bank),
    MenuAction("sell", say("Sell shares"), ask_and_sell_shares, COMPANIES_GROUP, has_share_trading_with_bank,
               find_shares_to_sell),
    MenuAction("dividend", say("Dividend"), ask_and_pay_dividend, COMPANIES_GROUP,
               has_share_trading_with_bank),
    MenuAction("price", say("Price"), ask_and_change_share_price, COMPANIES_GROUP, has_companies),
    MenuAction("sell_all", say("Everybody sells"), sell_everybodys_shares, COMPANIES_GROUP, has_companies,
               find_shares_to_sell),
)  # fmt: skip  # a menu
HELP = {
    "Shares of which company?": say("The bank sells shares and buys shares at the company's price."),
    "Who buys shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "Who sells shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "How many shares of {company} do you buy at {price}?": say(
        "Enter the number of shares, or 0 for none. You must have enough money for all the shares."
    ),
    "How many shares of {company} do you sell at {price}?": say(
        "Enter the number of shares, or 0 for none. The bank pays the price for each."
    ),
    "Which company made money?": say(
        "The company's shareholders get a dividend, or the company keeps all the money."
    ),
    "{company}: how much for each share?": say("Enter what each share earns."),
    "{company}: how much in all?": say("Enter what the company earns. The companion shares it by shares."),
    "{company} earns {n} per share. Who is paid?": DIVIDEND_HELP,
    "{company} earns {n} in all. Who is paid?": DIVIDEND_HELP,
    "Which price changes?": say("Prices go up and down on a track, as the rules of your game say."),
    "What is the new price of {company}? It is {price} now.": say("Choose the new step of the price."),
}
