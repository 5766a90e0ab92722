"""Auctions: a lot is sold in one of seven ways, the winner gets it, and bids are paid.

A lot is a share of a company, or anything else, by number or by a name that the seller writes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import msgspec

from companion.games.any_game.bank import (
    MAX_PAYMENT,
    NEEDS_PLACE,
    PERCENT,
    TemplatePlaces,
    money_places,
    pay_bid_without_rules,
    pay_or_ask,
    payer_label,
    place_labels,
    split_payment,
)
from companion.games.any_game.companies import Companies, Company
from companion.games.any_game.state import FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import DECK, Template
from companion.games.any_game.turn_order import ROUND_TRACK, give_marker, next_playing, start_seat
from companion.rulebook import (
    NO_PURSES,
    WINNER_RULES,
    Account,
    Amount,
    BidPurses,
    Choose,
    Deck,
    DetailedOption,
    EmptiestPurse,
    Labelled,
    MoneyAtPlace,
    OptionRequirement,
    Piece,
    PieceRow,
    Place,
    Request,
    Say,
    Seat,
    Seats,
    UserError,
    Write,
    ask_final_bids,
    ask_once_around,
    ask_open_bids,
    ask_sealed_bids,
    describe_bids,
    offer_at_falling_price,
    offer_at_fixed_price,
    payments_due,
    run_sealed_round,
    say,
    say_list,
    say_n,
    sealed_bid_limit,
)

AUCTION = say("Auction")
LOT = Piece("lot", say("lot"), is_endless=True, is_marker=True, count_label=say_n("{n} lot", "{n} lots", n=2))
LOTS_WON = say("lots won")
PLACEHOLDER = Piece("no lot", LOTS_WON, is_endless=True, is_marker=True)
"""A piece that never lies anywhere; it opens the places for lots that are won."""
NO_AUCTION, BOTH, ASK, FIXED = "none", "both", "ask", "fixed"
"""Words of the template for how a lot is sold; the others are the keys of `SALE_METHODS`."""
SELLER, PLACE, OTHERS = "seller", "place", "others"
"""Words of the template for who is paid."""
MAX_PRICE_STEPS = 1_000
"""A price falls no more often: an evening has no time for it."""


class LotRules(msgspec.Struct, frozen=True):
    """How lots are sold, and who is paid; any_game.toml explains each word."""

    auction: str = BOTH
    payee: str = "bank"
    lots: str = "numbered"
    names: bool = False
    step: int = 1
    reserve: int = 1
    reserve_by: str = "template"
    refund: int = PERCENT
    limit: str = "purse"


def shows_lots(template: Template) -> bool:
    """True if lots other than shares are sold, so that the table shows who won which.

    If the template says nothing of auctions there are sealed bids for other things than shares.
    """
    rules = template.rules(LotRules)
    are_numbered = rules.auction != NO_AUCTION and rules.lots == "numbered"
    return bool(template.designs("piece")) and (are_numbered or rules.auction == BOTH)


class SoldLots(FeatureState):
    """The number of lots sold so far; lots lie before the seats that won them."""

    def __init__(self, state: TemplateState) -> None:
        if shows_lots(state.template):
            state.table.account_per_seat(PLACEHOLDER, LOTS_WON)
        self.counter = state.table.account(LOT, ROUND_TRACK)
        self.sealed_numbers = count(1)
        """Numbers for lots with a name that are sold by sealed bid; other sealed lots have none."""


class LotOnSale(msgspec.Struct, frozen=True):
    """A lot on sale: its bidders in turn (the seller is last), and the purses that limit bids.

    No bid is below the `reserve`; bids in turn rise by at least one `step`. `is_named`: the seller wrote a
    name, and people want to hear it.
    """

    state: TemplateState
    piece: Piece
    bidders: Seats
    seller: Seat | None
    bidding_purses: BidPurses
    reserve: int
    step: int
    is_named: bool = False


class SaleResult(msgspec.Struct, frozen=True):
    """The result of a sale: the notes for the table, the winner, and what each seat has to pay.

    `is_affordable`: the purses that limited the bids hold these sums.
    """

    notes: tuple[Say, ...]
    winner: Seat | None = None
    costs: Mapping[Seat, int] = {}
    is_affordable: bool = True


NO_SALE = SaleResult((say("Nobody wins."),))


# Actions of the menu


async def hold_auction(state: TemplateState, company: Company | None = None) -> None:
    """Sells one lot as the template says: a share of a company, or a numbered lot."""
    if company is not None and not company.bank_shares.count:
        state.table.add_note(say("The bank has no more shares of {company}.", company=company.label))
        return
    rules, counter = state.template.rules(LotRules), SoldLots.of(state).counter
    seller, payee = await choose_seller_and_payee(state)
    state.table.add_markers(counter)
    number = counter.count
    about, is_named = await name_lot(state, seller, f"lot {number}", lot_label(number, company), company)
    method = await choose_sale_method(state)
    reserve, step = await choose_reserve_and_step(state, method, seller, about)
    sale = await method.sell(
        LotOnSale(
            state, about, bidding_order(state, seller), seller, bid_limits(state), reserve, step, is_named
        )
    )
    costs = await charge_bids(state, sale, payee)
    if company is None and sale.winner is not None:
        give_lot(state, about, sale.winner)
    elif company is not None and sale.winner is not None:
        give_share(state, company, sale.winner, is_paid=costs.get(sale.winner) != 0)
    if seller is not None and rules.payee == SELLER:
        next_to_dealer = state.house.deal == "left"  # the marker is the dealer's, before whoever sells
        give_marker(state, seller if next_to_dealer else next_playing(state, seller))


async def hold_sealed_auction(state: TemplateState) -> None:
    """Sells something by sealed bids, without a seller."""
    rules = state.template.rules(LotRules)
    payee = state.bank if rules.payee == SELLER else (await choose_seller_and_payee(state))[1]
    about, is_named = await name_lot(state, None, "lot", say("lot"))
    if is_named:
        about = Piece(f"sealed lot {next(SoldLots.of(state).sealed_numbers)}", about.label)
    lot = LotOnSale(
        state,
        about,
        bidding_order(state, None),
        None,
        bid_limits(state),
        rules.reserve,
        rules.step,
        is_named,
    )
    sale = await sell_sealed(lot)
    await charge_bids(state, sale, payee)
    if sale.winner is not None:
        give_lot(state, about, sale.winner)


def lot_label(number: int, company: Company | None) -> Say:
    """What people call a lot without a name."""
    if company is None:
        return say("lot {number}", number=number)
    return say("{company}, lot {number}", company=company.label, number=number)


async def name_lot(
    state: TemplateState, seller: Seat | None, key: str, label: Say, company: Company | None = None
) -> tuple[Piece, bool]:
    """Asks what the lot is called, if the template has names; returns the lot, and whether it has a name.

    Logs keep its `key` in either case.
    """
    has_names = state.template.rules(LotRules).names
    name = await Write(seller, say("What is sold?"), decline=say("No name")) if has_names else ""
    if not name:
        return Piece(key, label), False
    if company is None:
        return Piece(key, say("{name}", name=name)), True
    return Piece(key, say("{company}: {name}", company=company.label, name=name)), True


async def choose_sale_method(state: TemplateState) -> SaleMethod:
    """Returns the method of sale of the template; some templates ask each time."""
    key = state.template.rules(LotRules).auction
    if key == ASK:
        labels = {key: method.label for key, method in SALE_METHODS.items()}
        key = await Choose(None, say("How is it sold?"), labels)
    return SALE_METHODS.get(key, SALE_METHODS["open"])


async def choose_reserve_and_step(
    state: TemplateState, method: SaleMethod, seller: Seat | None, piece: Piece
) -> tuple[int, int]:
    """The lowest bid and the step of a lot, as the template or the seller says."""
    rules = state.template.rules(LotRules)
    reserve, step = rules.reserve, rules.step
    if rules.reserve_by == SELLER and method.has_reserve:
        most = state.highest_bid or MAX_PAYMENT
        question, log_text = (
            say("Lowest bid for {about}?", about=piece),
            say("Least bid for {about}?", about=piece),
        )
        reserve = await Amount(seller, question, 1, most, log_name=log_text)
        if method.has_step:
            step = await Amount(seller, say("Step of {about}?", about=piece), 1, most)
    return reserve, step


async def choose_seller_and_payee(state: TemplateState) -> tuple[Seat | None, Place | None]:
    """The seller, if there is one, and the place that is paid; None: all others share the money evenly."""
    word = state.template.rules(LotRules).payee
    if word == SELLER:
        seller = start_seat(state) or await state.choose_side(say("Who sells first?"))
        return seller, state.purse(seller).place
    if word == ASK:
        there = money_places(state)
        payees = place_labels(state, there) | {OTHERS: say("All others, shared evenly")}
        word = await Choose(None, say("Who is paid for it?"), payees)
        if word in there:
            return there[word].seat, there[word]
    if word == OTHERS:
        return None, None
    return None, TemplatePlaces.of(state).places[0] if word == PLACE else state.bank


def bidding_order(state: TemplateState, seller: Seat | None) -> Seats:
    """The sides that bid, from the start player on; a seller is last."""
    first = start_seat(state) or state.seats[0]
    turn = state.seats.starting_with(first) if seller is None else state.seats.starting_after(seller)
    return Seats([seat for seat in turn if seat in state.sides])


def bid_limits(state: TemplateState) -> BidPurses:
    """The purses that limit bids; none if the template limits bids otherwise."""
    return state.bidding_purses if state.template.rules(LotRules).limit == "purse" else NO_PURSES


async def charge_bids(state: TemplateState, sale: SaleResult, payee: Place | None) -> dict[Seat, int]:
    """Announces who won and charges the bids, unless nobody pays. Returns who paid how much."""
    for text in sale.notes:
        state.table.add_note(text)
    if sale.winner is not None:
        state.table.declare_winners([sale.winner])
    costs = dict[Seat, int]()
    is_there = sale.is_affordable and bool(bid_limits(state))
    for seat, amount in sale.costs.items() if state.table.options["pays"] != "nobody" else ():
        if state.template.predates_rules:
            pay_bid_without_rules(state, seat, amount)
        else:
            costs[seat] = await charge_bid(state, seat, amount, payee, is_there=is_there)
    return costs


async def charge_bid(
    state: TemplateState, seat: Seat, amount: int, payee: Place | None, *, is_there: bool
) -> int:
    """Charges one bid and returns how much was paid in the end.

    Without a payee all others share it evenly; who would pay themselves pays the bank. A covered purse pays
    unasked only if the money `is_there`: otherwise the question would show people whether it was.
    """
    source, target = state.purse(seat).place, payee or state.bank
    known = is_there or not state.purse(seat).covered
    others = [state.purse(one).place for one in state.sides if one != seat]
    if payee is None and others:
        remainder = amount % len(others)  # where it stays it is settled too
        paid = await split_payment(state, source, others, amount, known=known)
        return amount if paid >= amount - remainder else paid
    if target == source:
        target = state.bank
    given = await pay_or_ask(state, source, target, amount, known=known)
    if given < amount:
        return given  # people were asked, and know
    if target == state.bank:
        state.table.add_note(say("{seat} pays {amount}.", seat=seat, amount=amount))
    else:
        text = "{seat} pays {who} {amount}."
        state.table.add_note(say(text, seat=seat, who=payer_label(target), amount=amount))
    return given


def give_share(state: TemplateState, company: Company, winner: Seat, *, is_paid: bool) -> None:
    """Gives the winner a share that was at least partly paid, if the bank still has one."""
    if not is_paid:
        state.table.add_note(say("{seat} paid nothing and gets no share.", seat=winner))
    elif company.bank_shares.count:
        state.table.move(company.bank_shares, company.seat_shares[winner])
    else:
        state.table.add_note(say("The bank has no more shares of {company}.", company=company.label))


def give_lot(state: TemplateState, lot: Piece, winner: Seat) -> None:
    """Lays the lot before the winner, so that all see who has which."""
    won = Piece(lot.key, lot.label, is_endless=True, is_marker=True)
    state.table.add_markers(state.table.account_per_seat(won, LOTS_WON)[state.keeper[winner]])


# Methods of sale


class SaleMethod(NamedTuple):
    """A method of sale: its label, its function, and whether a lot has a lowest bid and a step."""

    label: Say
    sell: Callable[[LotOnSale], Coroutine[Request[Any], Any, SaleResult]]
    has_reserve: bool = True
    has_step: bool = True


def sold_to(lot: LotOnSale, winner: Seat | None, bid: int) -> SaleResult:
    """The sale to a winner, who pays the bid; without a winner nothing is sold."""
    if winner is None:
        return NO_SALE
    return SaleResult((winner_text(lot, winner, bid),), winner, {winner: bid})


def winner_text(lot: LotOnSale, winner: Seat, bid: int) -> Say:
    """Who wins with which bid, and what, if it has a name."""
    if lot.is_named:
        return say("{seat} wins {about} with {bid}.", seat=winner, about=lot.piece, bid=bid)
    return say("{seat} wins with {bid}.", seat=winner, bid=bid)


async def sell_open(lot: LotOnSale) -> SaleResult:
    """Sells in turn; who passes can bid again."""
    limits = lot.reserve, lot.step, lot.state.highest_bid, lot.bidding_purses
    return sold_to(lot, *await ask_open_bids(lot.bidders, lot.piece, *limits))


async def sell_final(lot: LotOnSale) -> SaleResult:
    """Sells in turn; who withdraws is out, and may have to pay a part of their bid."""
    pays_nothing = lot.state.table.options["pays"] == "nobody"
    refund = PERCENT if pays_nothing else lot.state.template.rules(LotRules).refund
    limits = lot.reserve, lot.step, lot.state.highest_bid, lot.bidding_purses
    bids, out = await ask_final_bids(lot.bidders, lot.piece, *limits)
    winner = next((seat for seat in bids if seat not in out), None)
    sale = sold_to(lot, winner, bids[winner] if winner else 0)
    lost = {seat: bid - bid * refund // PERCENT for seat in out if (bid := bids.get(seat, 0))}
    kept = [
        say("{seat} gets back {n} of {bid}.", seat=seat, n=bids[seat] - cost, bid=bids[seat])
        for seat, cost in lost.items()
        if cost
    ]
    return SaleResult(
        (*kept, *sale.notes), winner, {**{seat: cost for seat, cost in lost.items() if cost}, **sale.costs}
    )


async def sell_once_around(lot: LotOnSale) -> SaleResult:
    """Sells in turn with one bid or pass each."""
    limits = lot.reserve, lot.step, lot.state.highest_bid, lot.bidding_purses
    bids = await ask_once_around(lot.bidders, lot.piece, *limits)
    winner = max(bids, key=lambda seat: bids[seat], default=None)
    return sold_to(lot, winner, bids[winner] if winner else 0)


async def sell_at_fixed_price(lot: LotOnSale) -> SaleResult:
    """Sells to the first in turn who takes it for the price."""
    price = await ask_price(lot)
    return sold_to(
        lot, await offer_at_fixed_price(possible_buyers(lot), lot.piece, price, lot.bidding_purses), price
    )


async def sell_at_falling_price(lot: LotOnSale) -> SaleResult:
    """Sells to the first who takes it, from a price down to the reserve; the last step may be smaller."""
    highest = lot.reserve + MAX_PRICE_STEPS * lot.step
    prices = [*range(await ask_price(lot, highest), lot.reserve, -lot.step), lot.reserve]
    return sold_to(
        lot,
        *await offer_at_falling_price(
            possible_buyers(lot), lot.piece, prices, lot.bidding_purses, bid_unit(lot.state)
        ),
    )


def possible_buyers(lot: LotOnSale) -> Seats:
    """The seats that are asked whether they take it, in turn; none whose own purse is paid."""
    keeper = lot.state.keeper
    return Seats([seat for seat in lot.bidders if not lot.seller or keeper[seat] != keeper[lot.seller]])


async def ask_price(lot: LotOnSale, highest: int = MAX_PAYMENT) -> int:
    """Asks the seller, or the table, for the price."""
    question = say("Price of {about}?", about=lot.piece)
    most = min(lot.state.highest_bid or MAX_PAYMENT, highest)
    return await Amount(lot.seller, question, lot.reserve, most, log_name=say("Price"))


async def sell_aloud(lot: LotOnSale) -> SaleResult:
    """People bid aloud; the table enters who won, and the winner enters the bid."""
    named: dict[str, Labelled] = {str(seat.number): lot.state.side_label(seat) for seat in lot.bidders}
    named["pass"] = DetailedOption(say("Nobody"), is_way_out=True)
    needs = {str(seat.number): _reserve_need(seat, held, lot) for seat, held in lot.bidding_purses.items()}
    question = say("{about}: who wins?", about=lot.piece)
    key = await Choose(None, question, named, needs, log_name=say("Who wins?"))
    if key == "pass":
        return NO_SALE
    seat, most = lot.state.seats.seat_numbered(int(key)), lot.state.highest_bid or MAX_PAYMENT
    least, purse = lot.reserve, lot.bidding_purses.get(seat)
    question = say("{about}: your winning bid?", about=lot.piece)
    bid = await Amount(seat, question, least, most, paid_from=purse, log_name=say("For how much?"))
    return sold_to(lot, seat, bid)


def _reserve_need(seat: Seat, held: Account | MoneyAtPlace, lot: LotOnSale) -> OptionRequirement:
    """The need of a winner to have at least the lowest bid."""
    least = lot.reserve
    return OptionRequirement(held, least, say("{seat} can't pay {price}.", seat=seat, price=least))


async def sell_sealed(lot: LotOnSale) -> SaleResult:
    """Everybody bids in secret; the options say which bid wins, who pays and what a tie means."""
    table, held = lot.state.table, lot.bidding_purses
    wins, pays = str(table.options["wins"]), str(table.options["pays"])
    most, reserve = sealed_bid_limit(lot.state.highest_bid, held, wins, pays), lot.reserve
    least = reserve if reserve > 1 else 0  # as every bid above 0 is
    question = _sealed_question(bid_unit(lot.state), is_bounded=isinstance(most, EmptiestPurse))
    if lot.is_named:
        table.add_note(say("For sale: {about}", about=lot.piece))
        question = say("{about}: {question}", about=lot.piece, question=question)

    def tell_tie(ahead: Sequence[Seat], bid: int) -> None:
        table.add_note(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=say_list(ahead)))

    bids, ahead = await run_sealed_round(
        lambda seats: ask_sealed_bids(say("Sealed bid"), question, seats, most, held, least),
        WINNER_RULES[wins],
        lot.bidders,
        tell_tie if table.options["ties"] == "again" else None,
    )
    told = [_result_text(lot, ahead, bids)]
    if pays == "nobody" and any(bids.values()):
        told.append(say("Nobody pays. Bids: {bids}.", bids=describe_bids(bids)))
    winner = ahead[0] if len(ahead) == 1 else None
    costs = payments_due(bids, ahead, pays, WINNER_RULES[wins])
    is_affordable = isinstance(most, EmptiestPurse) or all(cost <= bids[seat] for seat, cost in costs.items())
    return SaleResult(tuple(told), winner, costs, is_affordable)


def bid_unit(state: TemplateState) -> Piece | None:
    """The piece that bids count; None if the first money is notes of more than 1."""
    return state.money_piece if state.money_piece.money_value == 1 else None


def _sealed_question(unit: Piece | None, *, is_bounded: bool) -> Say:
    """The question for a sealed bid; it says if the emptiest purse limits all bids."""
    if unit is None and is_bounded:
        return say("How much do you bid? At most what the emptiest purse holds; 0 is no bid.")
    if unit is None:
        return say("How much do you bid? 0 is no bid.")
    if is_bounded:
        text = "How much do you bid in {unit}? At most what the emptiest purse holds; 0 is no bid."
        return say(text, unit=unit)
    return say("How much do you bid in {unit}? 0 is no bid.", unit=unit)


def _result_text(lot: LotOnSale, ahead: Sequence[Seat], bids: Mapping[Seat, int]) -> Say:
    """Who won, who tied, or that nobody won."""
    if not ahead:
        return say("Nobody wins.")
    bid = bids[ahead[0]]
    if len(ahead) == 1:
        return winner_text(lot, ahead[0], bid)
    text = "Tie at {bid}: {seats}. Nobody wins here; follow the rules of your game."
    return say(text, bid=bid, seats=say_list(ahead))


SALE_METHODS = {
    "open": SaleMethod(say("In turn; after a pass you can bid again"), sell_open),
    "final": SaleMethod(say("In turn; after a pass you are out"), sell_final),
    "once": SaleMethod(say("In turn; one bid each"), sell_once_around),
    "fixed": SaleMethod(say("At a fixed price"), sell_at_fixed_price, has_reserve=False, has_step=False),
    "falling": SaleMethod(say("At a falling price"), sell_at_falling_price),
    "aloud": SaleMethod(say("Aloud"), sell_aloud, has_step=False),
    "sealed": SaleMethod(say("In secret"), sell_sealed, has_step=False),
}
"""By the word of the template."""


# Errors in a template, and how it looks


def errors(template: Template) -> Iterator[Say]:
    """Shares as lots without a company or an auction, and a place that is paid but missing."""
    rules = template.rules(LotRules)
    if rules.payee == PLACE and not template.designs("place"):
        yield NEEDS_PLACE
    if rules.lots == "shares" and not template.designs("company"):
        yield say('The option "lots = shares" works only with a company.')
    if rules.lots == "shares" and rules.auction == NO_AUCTION:
        yield say('"lots = shares" needs an auction. Set auction to a value other than none.')


def check_options(options: Mapping[str, str | int | None], decks: Mapping[str, Deck]) -> None:
    """Raises `UserError` if the table's highest bid is below the template's lowest: nobody could bid."""
    template, most = Template(decks[DECK]), options["most"]
    rules = template.rules(LotRules)
    is_said = rules.reserve_by == SELLER and rules.auction not in (ASK, BOTH, FIXED)
    are_there = bool(template.designs("piece")) and rules.auction != NO_AUCTION
    if isinstance(most, int) and most < rules.reserve and are_there and not is_said:
        text = "This template's lowest bid is {least}, so the highest bid allowed can't be {most}."
        raise UserError(say(text, least=rules.reserve, most=most))


def mat_rows(template: Template) -> Iterator[PieceRow]:
    """The lots that the seat won."""
    if shows_lots(template):
        yield PieceRow(LOTS_WON, label=say("won"), shows_markers=True)


def share_auctions(state: TemplateState) -> tuple[MenuAction, ...]:
    """An action for each company whose shares are sold by auction."""
    sold = Companies.of(state).companies if state.template.rules(LotRules).lots == "shares" else ()
    return tuple(
        [
            MenuAction(f"lot {at}", one.label, partial(hold_auction, company=one), group=AUCTION)
            for at, one in enumerate(sold)
        ]
    )


def has_sealed_bids(state: TemplateState) -> bool:
    """True if the menu has sealed bids beside auctions: the template says nothing of them."""
    return bool(state.pieces) and state.template.rules(LotRules).auction == BOTH


def has_auctions(state: TemplateState) -> bool:
    """True if the menu has auctions of numbered lots."""
    rules = state.template.rules(LotRules)
    return bool(state.pieces) and rules.auction != NO_AUCTION and rules.lots == "numbered"


MENU = (
    MenuAction("sealed_bid", say("Sealed bid"), hold_sealed_auction, has_sealed_bids),
    MenuAction("auction", AUCTION, hold_auction, has_auctions),
)
HELP = {
    "Everybody bids in secret": say(
        "Everybody bids in secret; 0 means no bid. When all bids are in, they are opened together."
    ),
    "Raise": say(
        "Bid more than the highest bid, pass or withdraw. After a pass you can bid again; after withdrawing "
        "you are out."
    ),
    "What is sold?": say("Write a name for this lot. Without a name, the lot gets a number."),
    "Who is paid for it?": say(
        "Choose the seller, the bank, a place, or all others in equal shares. The seller bids last."
    ),
    "Lowest bid for {about}?": say(
        "Enter the lowest bid allowed for this lot. A falling price stops at this amount."
    ),
    "Step of {about}?": say(
        "Bids for this lot go up in steps of this amount. A falling price drops by this amount each time."
    ),
    "How is it sold?": say(
        "Choose how to sell this lot. At a falling price, the first player to press buys the lot."
    ),
    "Who sells first?": say(
        "The seller gets the money and bids last. The next lot is sold by the player to the left."
    ),
    "{about}: who wins?": say("Bid aloud. Then choose the winner, or nobody."),
    "{about}: your winning bid?": say("Enter the winning bid."),
    "Price of {about}?": say("Enter the price. A falling price starts at this amount."),
    "{about} for {price}?": say("Buy the lot for this price, or offer it to the next player."),
    "Who takes {about} for {price}?": say(
        "The first player to press buys the lot for this price. If nobody presses, the price falls."
    ),
}
