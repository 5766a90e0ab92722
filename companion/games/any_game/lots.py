"""Auctions: a lot is sold in one of seven ways, the winner gets it, and bids are paid.

A lot is a share of a company, or anything else, by number or by a name that the seller writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.games.any_game.bank import (
    MAX_PAYMENT,
    NEEDS_PLACE_ERROR,
    TemplatePlaces,
    label_by_place_key,
    money_place_by_key,
    pay_legacy_bid_to_bank,
    pay_or_ask,
    payment_party_label,
    split_payment_evenly,
)
from companion.games.any_game.companies import Companies, Company
from companion.games.any_game.rounding import DOWN, HUNDRED_PERCENT, percentage_of
from companion.games.any_game.state import LOTS_GROUP, FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template
from companion.games.any_game.tiles import (
    DEALT,
    SHARED,
    BidTiles,
    TileRules,
    bids_with_tiles,
    make_tile,
)
from companion.games.any_game.turn_order import (
    ROUND_TRACK,
    give_start_or_dealer_marker,
    next_playing_seat,
    start_seat,
)
from companion.rulebook import (
    NO_PURSE_LIMITS,
    WINNER_RULE_BY_KEY,
    Account,
    Amount,
    AnnouncedLot,
    BidPurses,
    Choose,
    DetailedOption,
    EmptiestPurseLimit,
    Labelled,
    Limit,
    LotQueue,
    MiddlePart,
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
    ask_bids_once_around,
    ask_open_bids,
    ask_open_bids_with_final_passes,
    ask_sealed_bids,
    confirm_above,
    describe_bids,
    offer_at_falling_price,
    offer_at_fixed_price,
    payable_sealed_bid_limit,
    payments_due,
    run_sealed_round,
    say,
    say_n,
    say_people,
)

AUCTION_LABEL = say("Auction")
SOLD_LOT_MARKER = Piece(
    "lot", say("lot"), is_endless=True, is_marker=True, count_label=say_n("{n} lot", "{n} lots", n=2)
)
LOTS_WON = say("lots won")
LOTS_WON_PLACEHOLDER = Piece("no lot", LOTS_WON, is_endless=True, is_marker=True)
"""A piece that is never on the table; its accounts open the places for lots won."""
LOTS_TO_COME = say("lots to come")
NO_AUCTION, AUCTION_AND_SEALED_BID, ASK_TABLE = "none", "both", "ask"
LAST_LEFT_AUCTION, FIXED_PRICE = "final", "fixed"
"""Words of the template for how a lot is sold; the others are the keys of `SALE_METHOD_BY_TEMPLATE_WORD`."""
SELLER, FIRST_PLACE, ALL_OTHERS = "seller", "place", "others"
"""Words of the template for who is paid."""
AUCTION_KINDS_WITH_TILE_BIDS = ("both", "none", "open", "final", "once", "sealed")
"""Words of the template for ways to sell in which people can bid with tiles: each bid is a number."""
UNSOLD_TO_SELLER, UNSOLD_FREE, UNSOLD_CHEAPER, UNSOLD_TO_LAST = "seller", "free", "cheaper", "last"
"""Words of the template for what happens with a lot that nobody takes; `stays` is another."""
MAX_PRICE_DROPS = 1_000
"""Limit of the number of times that a price falls: more would take too long."""
MAX_CHEAPER_OFFERS = 100
"""Limit of the number of times that all are asked again about a lot that became cheaper."""


class LotRules(msgspec.Struct, frozen=True):
    """Rules for lots: how they are sold, and who is paid.

    any_game.toml explains each word.
    """

    auction: str = AUCTION_AND_SEALED_BID
    payee: str = "bank"
    lots: str = "numbered"
    names: bool = False
    step: int = 1
    reserve: int = 1
    reserve_by: str = "template"
    refund: int = HUNDRED_PERCENT
    refund_rounding: str = DOWN
    limit: str = "purse"
    unsold: str = "stays"


def shows_lots_won(template: Template) -> bool:
    """Returns True if the table shows who won which lots.

    The table shows them if lots other than shares are sold. A template that says nothing about auctions
    has sealed bids, which sell no shares.
    """
    rules = template.read_rules(LotRules)
    are_numbered = rules.auction != NO_AUCTION and rules.lots == "numbered"
    return can_hold_auctions(template) and (are_numbered or rules.auction == AUCTION_AND_SEALED_BID)


def can_hold_auctions(template: Template) -> bool:
    """Returns True if people have something to bid with: pieces, or numbered tiles."""
    return bool(template.designs_of_kind("piece")) or bids_with_tiles(template)


def predates_unsold_lots(template: Template) -> bool:
    """Returns True for a match that was begun before templates could say what happens with unsold lots.

    Such a match asks for a price without buyers too, and a seller's team isn't always last.
    """
    return "unsold" not in template.deck.fields


class SoldLotCounter(FeatureState):
    """Counts the lots sold so far; won lots lie before the seats that won them."""

    def __init__(self, state: TemplateState) -> None:
        if shows_lots_won(state.template):
            state.table.account_by_seat(LOTS_WON_PLACEHOLDER, LOTS_WON)
        self.counter = state.table.account(SOLD_LOT_MARKER, ROUND_TRACK)
        self.sealed_numbers = count(1)
        """Numbers for lots with a name that are sold by sealed bid; other sealed lots have none."""


LOT_KEY_STARTS = ("lot ", "sealed lot ")
"""Beginnings of the keys of lots on sale."""


def may_list_lots(template: Template) -> bool:
    """Returns True if people may name lots before they are sold: lots with names, of no seller."""
    rules = template.read_rules(LotRules)
    return shows_lots_won(template) and rules.names and rules.payee != SELLER


class LotsToCome(FeatureState):
    """The lots that people have named before they are sold; the next auction sells the first."""

    def __init__(self, state: TemplateState) -> None:
        self._table = state.table
        self._accounts: list[Account] = []

    def add(self, name: str) -> None:
        """Puts a lot at the end."""
        key = f"lot to come {len(self._accounts) + 1}"
        lot = Piece(key, say("{name}", name=name), is_endless=True, is_marker=True)
        account = self._table.account(lot, LOTS_TO_COME)
        self._accounts.append(account)
        self._table.add_markers(account)

    def take_first(self) -> Piece | None:
        """Removes the first lot and returns it; None if none waits. People may have removed some by hand."""
        for account in self._accounts:
            if account.count:
                self._table.remove_markers(account)
                return account.piece
        return None


class LotOnSale(msgspec.Struct, frozen=True):
    """A lot on sale: its bidders in turn (the seller is last), and the purses that limit bids.

    A price falls to the `reserve`. No bid is below `lowest_bid`. Bids in turn rise by at least one `step`.
    `is_named`: the lot has a name, which announcements repeat. `price`: what the lot costs now; None
    until somebody names a price.
    """

    state: TemplateState
    piece: Piece
    bidders: Seats
    seller: Seat | None
    bidding_purses: BidPurses
    reserve: int
    step: int
    is_named: bool = False
    price: int | None = None

    @property
    def lowest_bid(self) -> int:
        """The lowest bid allowed: at least 1."""
        return max(1, self.reserve)

    @property
    def buyers(self) -> Seats:
        """The bidders in turn without the seller and the seller's team."""
        captain_by_seat, seller = self.state.captain_by_seat, self.seller
        return Seats(
            [seat for seat in self.bidders if not seller or captain_by_seat[seat] != captain_by_seat[seller]]
        )

    def with_present_bidders(self) -> LotOnSale:
        """Returns the lot with the bidders of this moment: people move pieces while a question is open."""
        return replace(self, bidders=bidding_order(self.state, self.seller))

    @property
    def rules(self) -> LotRules:
        """The template's rules for lots."""
        return self.state.template.read_rules(LotRules)

    @property
    def has_tiles(self) -> bool:
        """True if people bid with tiles instead of money."""
        return bids_with_tiles(self.state.template)

    @property
    def tiles_exist_once(self) -> bool:
        """True if people bid with tiles that all share, so that no two bids can be the same tile."""
        return self.state.template.read_rules(TileRules).bid_with == SHARED

    @property
    def tiles_by_seat(self) -> Mapping[Seat, Mapping[int, Account]]:
        """The tiles that each bidder may bid, by number; empty if people bid money."""
        if not self.has_tiles:
            return {}
        return {seat: BidTiles.of(self.state).tiles_to_bid(seat) for seat in self.bidders}

    @property
    def max_price(self) -> int:
        """The highest price that can be named: what the table allows and, where purses pay, all the money."""
        allowed = self.state.max_bid_option or MAX_PAYMENT
        return min(allowed, max(self.state.max_money, self.lowest_bid)) if self.bidding_purses else allowed

    @property
    def confirm_above(self) -> int:
        """The bid or price above which people are asked whether it is right."""
        return max(self.state.confirm_money_above, confirm_above(self.lowest_bid))

    @property
    def purse_of_named_price(self) -> Account | MoneyAtPlace | None:
        """The purse that limits what the seller names, because the seller may have to pay it.

        None without such a limit.
        """
        may_have_to_pay = self.seller is not None and self.rules.unsold == UNSOLD_TO_SELLER
        return self.bidding_purses.get(self.seller) if self.seller and may_have_to_pay else None


class LotPrice(Amount, frozen=True, eq=False):
    """Asks for the price or the lowest bid of a lot; a seller who doesn't answer gives nothing away."""

    @property
    def default_answer(self) -> None:
        """No default answer: a clock only rings, even where 0 is allowed."""
        return None


class SaleResult(msgspec.Struct, frozen=True):
    """Result of a sale: announcements for the table, the winner, and what each seat has to pay.

    The last announcement says who wins. `notes_after_result` are announced after it.
    `is_affordable`: the purses that limited the bids hold these amounts. `unsold_at`: the lowest bid or price
    for which nobody took the lot; None if somebody bid, or if there was nobody to offer it to.
    """

    announcements: tuple[Say, ...]
    winner: Seat | None = None
    cost_by_seat: Mapping[Seat, int] = {}
    is_affordable: bool = True
    unsold_at: int | None = None
    notes_after_result: tuple[Say, ...] = ()


NOBODY_WINS = say("Nobody wins.")


# Actions of the menu


async def hold_auction(state: TemplateState, company: Company | None = None) -> None:
    """Holds an auction of one lot by the template's method of sale.

    The lot is a share of a company, or a numbered lot.
    """
    if company is not None and not company.bank_shares.count:
        state.table.add_note(say("The bank has no more shares of {company}.", company=company.label))
        return
    rules, counter = state.template.read_rules(LotRules), SoldLotCounter.of(state).counter
    seller, payee = await choose_seller_and_payee(state)
    state.table.add_markers(counter)
    number = counter.count
    lot_piece, is_named = await ask_lot_name(
        state, seller, f"lot {number}", unnamed_lot_label(number, company), company
    )
    method = await choose_sale_method(state)
    lot = LotOnSale(
        state,
        lot_piece,
        bidding_order(state, seller),
        seller,
        purses_limiting_bids(state),
        rules.reserve,
        rules.step,
        is_named,
    )
    lot = await ask_reserve_and_step(lot, method)
    sale = await sell_lot(lot.with_present_bidders(), method)
    paid_by_seat = await announce_winner_and_charge_bids(state, sale, payee)
    if company is None and sale.winner is not None:
        give_lot_to_winner(state, lot_piece, sale.winner)
    elif company is not None and sale.winner is not None:
        give_share_if_paid(state, company, sale.winner, is_paid=paid_by_seat.get(sale.winner) != 0)
    if seller is not None and rules.payee == SELLER:
        # The dealer is the seat before the next seller; the start player is the next seller.
        has_dealer = state.general_rules.deal == "left"
        give_start_or_dealer_marker(state, seller if has_dealer else next_playing_seat(state, seller))


async def hold_sealed_auction(state: TemplateState) -> None:
    """Holds an auction with sealed bids and without a seller."""
    rules = state.template.read_rules(LotRules)
    payee = state.bank_place if rules.payee == SELLER else (await choose_seller_and_payee(state))[1]
    lot_piece, is_named = await ask_lot_name(state, None, "lot", say("lot"))
    if is_named:
        lot_piece = Piece(f"sealed lot {next(SoldLotCounter.of(state).sealed_numbers)}", lot_piece.label)
    lot = LotOnSale(
        state,
        lot_piece,
        bidding_order(state, None),
        None,
        purses_limiting_bids(state),
        rules.reserve,
        rules.step,
        is_named,
    )
    sale = await sell_lot(lot, SALE_METHOD_BY_TEMPLATE_WORD["sealed"])
    await announce_winner_and_charge_bids(state, sale, payee)
    if sale.winner is not None:
        give_lot_to_winner(state, lot_piece, sale.winner)


async def list_lots(state: TemplateState) -> None:
    """Asks for the names of lots that will be sold later, one after the other."""
    while name := await Write(None, say("Which lot comes later?"), decline=say("No more lots")):
        LotsToCome.of(state).add(name)
        state.table.add_note(say("Later for sale: {lot}.", lot=name))


def build_lot_parts(template: Template) -> Iterator[MiddlePart]:
    """Yields the parts of the middle with the named lot on sale, and the lots that will be sold later."""
    if template.read_rules(LotRules).names:
        yield AnnouncedLot(say("up for sale"), lambda piece: piece.key.startswith(LOT_KEY_STARTS))
    if may_list_lots(template):
        yield LotQueue(LOTS_TO_COME)


def unnamed_lot_label(number: int, company: Company | None) -> Say:
    """Returns the label of a lot without a name: its number, and its company if it is a share."""
    if company is None:
        return say("lot {number}", number=number)
    return say("{company}, lot {number}", company=company.label, number=number)


async def ask_lot_name(
    state: TemplateState,
    seller: Seat | None,
    log_key: str,
    default_label: Say,
    company: Company | None = None,
) -> tuple[Piece, bool]:
    """Asks what the lot is called; returns the lot, and whether it has a name.

    Nobody is asked if the template has no names, or if the lot was named beforehand. A share has the name of
    its company at least. Logs keep the lot's `log_key` in any case.
    """
    listed_lot = LotsToCome.of(state).take_first() if company is None else None
    has_names = listed_lot is None and state.template.read_rules(LotRules).names
    label = default_label if listed_lot is None else listed_lot.label
    is_named = listed_lot is not None or company is not None
    if has_names and (written := await Write(seller, say("What is sold?"), decline=say("No name"))):
        label, is_named = say("{name}", name=written), True
        if company is not None:
            label = say("{company}: {name}", company=company.label, name=written)
    lot = Piece(log_key, label)
    if is_named or has_names:
        state.table.add_note(
            say("Up for sale: {lot}.", lot=lot)
            if seller is None
            else say("{seat} puts {lot} up for sale.", seat=seller, lot=lot)
        )
    return lot, is_named


async def choose_sale_method(state: TemplateState) -> SaleMethod:
    """Asks for the method of sale, unless the template gives one; returns the method."""
    key = state.template.read_rules(LotRules).auction
    if key == ASK_TABLE:
        labels = {key: method.label for key, method in SALE_METHOD_BY_TEMPLATE_WORD.items()}
        key = await Choose(None, say("How is it sold?"), labels)
    return SALE_METHOD_BY_TEMPLATE_WORD.get(key, SALE_METHOD_BY_TEMPLATE_WORD["open"])


async def ask_reserve_and_step(lot: LotOnSale, method: SaleMethod) -> LotOnSale:
    """Asks the seller for the lowest bid and the step, where the template wants it; returns the lot.

    A seller who may have to pay the lowest bid can name 0, and no more than the purse holds.
    """
    if lot.rules.reserve_by != SELLER or not method.has_reserve:
        return lot
    max_bid, purse = lot.max_price, lot.purse_of_named_price
    reserve = await LotPrice(
        lot.seller,
        say("Lowest bid for {about}?", about=lot.piece),
        1 if purse is None else 0,
        max_bid,
        paid_from=purse,
        log_name=say("Least bid for {about}?", about=lot.piece),
        confirm_above=lot.confirm_above,
    )
    announce_of_seller(lot, lambda seat: say("{seat} asks for at least {n}.", seat=seat, n=reserve))
    if not method.has_step:
        return replace(lot, reserve=reserve)
    question = say("Step of {about}?", about=lot.piece)
    step = await Amount(lot.seller, question, 1, max_bid, confirm_above=lot.confirm_above)
    announce_of_seller(lot, lambda seat: say("{seat} sets the step: {n}.", seat=seat, n=step))
    return replace(lot, reserve=reserve, step=step)


def announce_of_seller(lot: LotOnSale, make_note: Callable[[Seat], Say]) -> None:
    """Announces what the seller of a lot decided; the next question says what the table decided."""
    if lot.seller is not None:
        lot.state.table.add_note(make_note(lot.seller))


async def choose_seller_and_payee(state: TemplateState) -> tuple[Seat | None, Place | None]:
    """Returns the seller, if there is one, and the place that is paid; some templates ask who is paid.

    If the place is None, all others share the money evenly.
    """
    word = state.template.read_rules(LotRules).payee
    if word == SELLER:
        seller = start_seat(state)
        if seller is None:
            seller = await state.choose_side(say("Who sells first?"))
            state.table.add_note(say("{seat} sells first.", seat=seller))
        return seller, state.purse(seller).place
    if word == ASK_TABLE:
        place_by_key = money_place_by_key(state)
        options = label_by_place_key(state, place_by_key) | {ALL_OTHERS: say("All others, shared evenly")}
        word = await Choose(None, say("Who is paid for it?"), options)
        if word in place_by_key:
            return place_by_key[word].seat, place_by_key[word]
    if word == ALL_OTHERS:
        return None, None
    return None, TemplatePlaces.of(state).places[0] if word == FIRST_PLACE else state.bank_place


def bidding_order(state: TemplateState, seller: Seat | None) -> Seats:
    """Returns the sides in the order in which they bid, from the start player on.

    If there is a seller, the order begins after the seller, whose side is last. Where people bid with tiles,
    sides without a tile don't bid.
    """
    start_player = start_seat(state) or state.seats[0]
    order = state.seats.starting_with(start_player) if seller is None else state.seats.starting_after(seller)
    sides = [seat for seat in order if seat in state.playing_sides]
    if seller is not None and not predates_unsold_lots(state.template):
        sides.sort(key=lambda side: side == state.captain_by_seat[seller])
    if not bids_with_tiles(state.template):
        return Seats(sides)
    tiles = BidTiles.of(state)
    return Seats([side for side in sides if tiles.has_tile_to_bid(side)])


def purses_limiting_bids(state: TemplateState) -> BidPurses:
    """Returns the purses that limit bids; none if the template limits bids otherwise."""
    has_purse_limits = state.template.read_rules(LotRules).limit == "purse"
    if not has_purse_limits or bids_with_tiles(state.template):
        return NO_PURSE_LIMITS
    return state.purses_paying_bids


async def announce_winner_and_charge_bids(
    state: TemplateState, sale: SaleResult, payee: Place | None
) -> dict[Seat, int]:
    """Announces the winner and charges the bids, unless nobody pays; returns the amount paid by seat.

    Bids are paid with money, or with the tiles that people bid.
    """
    *notes, headline = sale.announcements
    for text in notes:
        state.table.add_note(text)
    state.table.declare_outcome(headline, [] if sale.winner is None else [sale.winner])
    for text in sale.notes_after_result:
        state.table.add_note(text)
    paid_by_seat = dict[Seat, int]()
    is_known_affordable = sale.is_affordable and bool(purses_limiting_bids(state))
    for seat, amount in sale.cost_by_seat.items() if state.table.options["pays"] != "nobody" else ():
        if bids_with_tiles(state.template):
            BidTiles.of(state).pay_tile(seat, amount)
        elif state.template.predates_rules:
            pay_legacy_bid_to_bank(state, seat, amount)
        else:
            paid_by_seat[seat] = await charge_bid(
                state, seat, amount, payee, is_known_affordable=is_known_affordable
            )
    return paid_by_seat


async def charge_bid(
    state: TemplateState, seat: Seat, amount: int, payee: Place | None, *, is_known_affordable: bool
) -> int:
    """Charges one bid and returns how much was paid in the end.

    Without a payee all others share the bid evenly. A seat that would pay itself pays the bank. A covered
    purse pays without a question only if `is_known_affordable`: otherwise a question that is asked, or isn't,
    would show people whether the purse holds the money.
    """
    source, target = state.purse(seat).place, payee or state.bank_place
    pays_without_question = is_known_affordable or not state.purse(seat).covered
    other_purses = [state.purse(side).place for side in state.playing_sides if side != seat]
    if payee is None and other_purses:
        remainder = amount % len(other_purses)  # if people leave it with the payer, the bid is paid too
        paid = await split_payment_evenly(
            state, source, other_purses, amount, is_known_affordable=pays_without_question
        )
        return amount if paid >= amount - remainder else paid
    if target == source:
        target = state.bank_place
    paid = await pay_or_ask(state, source, target, amount, is_known_affordable=pays_without_question)
    if paid < amount:
        return paid  # people were asked, and know
    if target == state.bank_place:
        state.table.add_note(say("{seat} pays {amount}.", seat=seat, amount=amount))
    else:
        text = "{seat} pays {who} {amount}."
        state.table.add_note(say(text, seat=seat, who=payment_party_label(target), amount=amount))
    return paid


def give_share_if_paid(state: TemplateState, company: Company, winner: Seat, *, is_paid: bool) -> None:
    """Gives the winner a share if at least part of it was paid and the bank has a share left."""
    if not is_paid:
        state.table.add_note(say("{seat} paid nothing and gets no share.", seat=winner))
    elif company.bank_shares.count:
        state.table.move(company.bank_shares, company.seat_shares[winner])
    else:
        state.table.add_note(say("The bank has no more shares of {company}.", company=company.label))


def give_lot_to_winner(state: TemplateState, lot: Piece, winner: Seat) -> None:
    """Places the lot before its winner, where everybody sees who has which lot."""
    won_lot = Piece(lot.key, lot.label, is_endless=True, is_marker=True)
    state.table.add_markers(state.table.account_by_seat(won_lot, LOTS_WON)[state.captain_by_seat[winner]])


# Lots that nobody takes


async def sell_lot(lot: LotOnSale, method: SaleMethod) -> SaleResult:
    """Sells a lot; if nobody takes it, the template says what happens.

    Where it becomes cheaper, it is offered again while somebody but the seller's side could take it. After
    `MAX_CHEAPER_OFFERS` it stays unsold. Where nobody has a tile to bid, nobody is asked.
    """
    if lot.has_tiles and not lot.bidders:
        return SaleResult((say("Nobody has a tile to bid."),))
    sale = await method.sell(lot)
    for _ in range(MAX_CHEAPER_OFFERS if lot.rules.unsold == UNSOLD_CHEAPER and lot.buyers else 0):
        price = max(0, (sale.unsold_at or 0) - lot.step)
        if not price or sale.unsold_at is None:
            break
        lot.state.table.add_note(say("Nobody takes {about}. Now: {price}", about=lot.piece, price=price))
        sale = await method.sell(replace(lot.with_present_bidders(), reserve=price, price=price))
    return resolve_unsold_lot(lot.with_present_bidders(), method, sale)


def resolve_unsold_lot(lot: LotOnSale, method: SaleMethod, sale: SaleResult) -> SaleResult:
    """Returns the result if nobody took a lot: its new owner and price by the template; else the sale.

    A lowest bid is no price where people bid with tiles, and where nobody pays.
    """
    if sale.unsold_at is None:
        return sale
    is_paid = not lot.has_tiles and lot.state.table.options["pays"] != "nobody"
    if lot.rules.unsold == UNSOLD_TO_SELLER and lot.seller is not None and sale.unsold_at and is_paid:
        text = "Nobody takes {about}. {seat} must buy it for {price}."
        note = say(text, about=lot.piece, seat=lot.seller, price=sale.unsold_at)
        is_named_by_seller = not method.has_reserve or lot.rules.reserve_by == SELLER
        return SaleResult((note,), lot.seller, {lot.seller: sale.unsold_at}, is_named_by_seller)
    if lot.rules.unsold == UNSOLD_TO_SELLER:
        return _give_for_nothing(lot, lot.seller) or sale
    is_free_by_price = lot.rules.unsold == UNSOLD_CHEAPER and sale.unsold_at <= lot.step
    if lot.rules.unsold == UNSOLD_FREE or is_free_by_price:
        return _give_for_nothing(lot, next(iter(lot.buyers), None)) or sale
    return sale


def _give_for_nothing(lot: LotOnSale, owner: Seat | None) -> SaleResult | None:
    """Returns a sale in which the owner pays nothing; None without an owner."""
    if owner is None:
        return None
    text = "Nobody takes {about}. {seat} gets it for nothing."
    return SaleResult((say(text, about=lot.piece, seat=owner),), owner)


# Methods of sale


class SaleMethod(NamedTuple):
    """A method of sale: its label, its function, and whether a lot has a lowest bid and a step."""

    label: Say
    sell: Callable[[LotOnSale], Coroutine[Request[Any], Any, SaleResult]]
    has_reserve: bool = True
    has_step: bool = True


def make_sale_result(lot: LotOnSale, winner: Seat | None, bid: int) -> SaleResult:
    """Returns the result of a sale to the winner, who pays the bid.

    Without a winner nobody took the lot at the lowest bid, or at the price that was named.
    """
    if winner is None:
        price = lot.reserve if lot.price is None else lot.price
        return SaleResult((NOBODY_WINS,), unsold_at=price if lot.bidders else None)
    return SaleResult((winner_text(lot, winner, bid),), winner, {winner: bid} if bid else {})


def winner_text(lot: LotOnSale, winner: Seat, bid: int) -> Say:
    """Returns a text that says who wins with which bid, and what, if the lot has a name."""
    if lot.is_named:
        return say("{seat} wins {about} with {bid}.", seat=winner, about=lot.piece, bid=bid)
    return say("{seat} wins with {bid}.", seat=winner, bid=bid)


async def sell_with_temporary_passes(lot: LotOnSale) -> SaleResult:
    """Sells by bids in turn; a pass is temporary, so who passes can bid again."""
    limits = lot.lowest_bid, lot.step, lot.state.max_bid_option, lot.bidding_purses
    winner, bid = await ask_open_bids(
        lot.bidders,
        lot.piece,
        *limits,
        pieces_by_seat=lot.tiles_by_seat,
        confirm_above=lot.confirm_above,
    )
    return make_sale_result(lot, winner, bid)


async def sell_with_final_withdrawals(lot: LotOnSale) -> SaleResult:
    """Sells by bids in turn; who withdraws is out for good.

    Those who withdraw may have to pay a part of their bid. Where the template says so, the last one left
    needs no bid and gets the lot for nothing.
    """
    pays_nothing = lot.state.table.options["pays"] == "nobody"
    refund = HUNDRED_PERCENT if pays_nothing else lot.rules.refund
    limits = lot.lowest_bid, lot.step, lot.state.max_bid_option, lot.bidding_purses
    bids, withdrawn_seats = await ask_open_bids_with_final_passes(
        lot.bidders,
        lot.piece,
        *limits,
        last_must_bid=lot.rules.unsold != UNSOLD_TO_LAST,
        pieces_by_seat=lot.tiles_by_seat,
        confirm_above=lot.confirm_above,
    )
    winner = next((seat for seat in lot.bidders if seat not in withdrawn_seats), None)
    sale = make_sale_result(lot, winner, bids.get(winner, 0) if winner else 0)
    if winner is not None and winner not in bids:
        text = "All others have withdrawn. {seat} gets {about} for nothing."
        sale = replace(sale, announcements=(say(text, seat=winner, about=lot.piece),))
    refund_by_seat = {
        seat: percentage_of(bid, refund, lot.rules.refund_rounding)
        for seat in withdrawn_seats
        if (bid := bids.get(seat, 0))
    }
    refund_notes = [
        say("{seat} gets back {n} of {bid}.", seat=seat, n=part.label, bid=bids[seat])
        for seat, part in refund_by_seat.items()
        if part.exact_amount < bids[seat]
    ]
    cost_by_withdrawn_seat = {
        seat: cost for seat, part in refund_by_seat.items() if (cost := bids[seat] - part.amount)
    }
    return replace(
        sale,
        announcements=(*refund_notes, *sale.announcements),
        cost_by_seat={**cost_by_withdrawn_seat, **sale.cost_by_seat},
    )


async def sell_with_one_bid_each(lot: LotOnSale) -> SaleResult:
    """Sells by bids in turn: one bid or pass for each bidder."""
    limits = lot.lowest_bid, lot.step, lot.state.max_bid_option, lot.bidding_purses
    bids = await ask_bids_once_around(
        lot.bidders,
        lot.piece,
        *limits,
        pieces_by_seat=lot.tiles_by_seat,
        confirm_above=lot.confirm_above,
    )
    winner = max(bids, key=lambda seat: bids[seat], default=None)
    return make_sale_result(lot, winner, bids[winner] if winner else 0)


async def sell_at_fixed_price(lot: LotOnSale) -> SaleResult:
    """Sells at a fixed price to the first in turn who takes the lot.

    The seller, or the table, is asked for the price. Without buyers nobody is asked, except in older matches.
    """
    if not lot.buyers and not predates_unsold_lots(lot.state.template):
        return SaleResult((NOBODY_WINS,))
    least = lot.reserve if lot.purse_of_named_price is None else 0
    price = await ask_lot_price(lot, least, paid_from=lot.purse_of_named_price)
    buyer = await offer_at_fixed_price(lot.buyers, lot.piece, price, lot.bidding_purses)
    return make_sale_result(replace(lot, price=price), buyer, price)


async def sell_at_falling_price(lot: LotOnSale) -> SaleResult:
    """Sells at a falling price to the first who takes the lot.

    The price falls to the reserve. The last step may be smaller. Without buyers nobody is asked, except in
    older matches.
    """
    if not lot.buyers and not predates_unsold_lots(lot.state.template):
        return SaleResult((NOBODY_WINS,))
    first_price = await ask_lot_price(lot, lot.reserve, lot.reserve + MAX_PRICE_DROPS * lot.step)
    prices = [*range(first_price, lot.reserve, -lot.step), lot.reserve]
    unit = piece_used_for_bids(lot.state)
    return make_sale_result(
        lot, *await offer_at_falling_price(lot.buyers, lot.piece, prices, lot.bidding_purses, unit)
    )


async def ask_lot_price(
    lot: LotOnSale,
    least: int,
    most: int = MAX_PAYMENT,
    paid_from: Account | MoneyAtPlace | None = None,
) -> int:
    """Returns the price of the lot; asks the seller, or the table, if nobody has named it yet."""
    if lot.price is not None:
        return lot.price
    question = say("Price of {about}?", about=lot.piece)
    limit = min(lot.max_price, most)
    price = await LotPrice(
        lot.seller,
        question,
        least,
        limit,
        paid_from=paid_from,
        zero_confirmation=None if least else say("Offer it for nothing?"),
        log_name=say("Price"),
        confirm_above=lot.confirm_above,
    )
    announce_of_seller(lot, lambda seat: say("{seat} asks for {n}.", seat=seat, n=price))
    return price


async def sell_by_bids_aloud(lot: LotOnSale) -> SaleResult:
    """Sells by bids that people call aloud, and asks who won.

    The winner enters the bid.
    """
    options: dict[str, Labelled] = {str(seat.number): lot.state.side_label(seat) for seat in lot.bidders}
    options["pass"] = DetailedOption(say("Nobody"), is_decline_option=True)
    requirements = {
        str(seat.number): _require_reserve(seat, purse, lot) for seat, purse in lot.bidding_purses.items()
    }
    question = say("{about}: who wins?", about=lot.piece)
    key = await Choose(None, question, options, requirements, log_name=say("Who wins?"))
    if key == "pass":
        return make_sale_result(lot, None, 0)
    seat, max_bid = lot.state.seats.seat_numbered(int(key)), lot.max_price
    question = say("{about}: your winning bid?", about=lot.piece)
    bid = await Amount(
        seat,
        question,
        lot.lowest_bid,
        max_bid,
        paid_from=lot.bidding_purses.get(seat),
        log_name=say("For how much?"),
        confirm_above=lot.confirm_above,
    )
    return make_sale_result(lot, seat, bid)


def _require_reserve(seat: Seat, purse: Account | MoneyAtPlace, lot: LotOnSale) -> OptionRequirement:
    """Returns the requirement that the winner's purse holds at least the lowest bid."""
    reason = say("{seat} can't pay {price}.", seat=seat, price=lot.lowest_bid)
    return OptionRequirement(purse, lot.lowest_bid, reason)


async def sell_by_sealed_bids(lot: LotOnSale) -> SaleResult:
    """Sells by sealed bids.

    The options say which bid wins, who pays and what a tie means.
    """
    if not lot.bidders:
        return SaleResult((NOBODY_WINS,))
    table, purses = lot.state.table, lot.bidding_purses
    winner_rule_key, pays_key = str(table.options["wins"]), str(table.options["pays"])
    max_bid = payable_sealed_bid_limit(lot.state.max_bid_option, purses, winner_rule_key, pays_key)
    tied_bids = list[int]()

    def announce_tie(tied_seats: Sequence[Seat], bid: int) -> None:
        tied_bids.append(bid)
        table.add_note(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=say_people(tied_seats)))

    bid_by_seat, best_bidders = await run_sealed_round(
        lambda seats: _ask_for_sealed_bids(lot, max_bid, seats),
        WINNER_RULE_BY_KEY[winner_rule_key],
        lot.bidders,
        announce_tie if table.options["ties"] == "again" else None,
    )
    announcements = []
    if table.options["ties"] == "order" and len(best_bidders) > 1:
        first, *_ = tied_seats = _in_order_from_seller(lot, best_bidders)
        text = "Tie at {bid}: {seats}. {seat} comes first in turn order."
        announcements.append(say(text, bid=bid_by_seat[first], seats=say_people(tied_seats), seat=first))
        best_bidders = [first]
    announcements.append(_describe_sealed_result(lot, best_bidders, bid_by_seat))
    notes_after_result = _announce_unpaid_bids(bid_by_seat) if pays_key == "nobody" else ()
    winner = best_bidders[0] if len(best_bidders) == 1 else None
    cost_by_seat = payments_due(bid_by_seat, best_bidders, pays_key, WINNER_RULE_BY_KEY[winner_rule_key])
    is_affordable = isinstance(max_bid, EmptiestPurseLimit) or all(
        cost <= bid_by_seat[seat] for seat, cost in cost_by_seat.items()
    )
    unsold_at = None if tied_bids or any(bid_by_seat.values()) else lot.reserve
    return SaleResult(
        tuple(announcements), winner, cost_by_seat, is_affordable, unsold_at, notes_after_result
    )


def _announce_unpaid_bids(bid_by_seat: Mapping[Seat, int]) -> tuple[Say, ...]:
    """Returns the note about bids that nobody pays; none if nobody bid more than 0."""
    if not any(bid_by_seat.values()):
        return ()
    return (say("Nobody pays. Bids: {bids}.", bids=describe_bids(bid_by_seat)),)


async def _ask_for_sealed_bids(
    lot: LotOnSale, max_bid: Limit | None, seats: Sequence[Seat]
) -> dict[Seat, int]:
    """Asks seats for sealed bids; returns the bids by seat.

    Seats that bid one tile, of which there is only one, bid again. They can't bid what others have bid.
    """
    question = _make_sealed_bid_question(lot, is_bounded=isinstance(max_bid, EmptiestPurseLimit))
    min_bid = lot.reserve if lot.reserve > 1 else 0  # a lowest bid of 1 allows every bid above 0
    bids, tiles_by_seat = dict[Seat, int](), lot.tiles_by_seat
    while True:
        bids |= await ask_sealed_bids(
            say("Sealed bid"),
            question,
            seats,
            max_bid,
            lot.bidding_purses,
            min_bid,
            pieces_by_seat=tiles_by_seat,
            about=lot.piece,
            confirm_above=lot.confirm_above,
        )
        count_by_bid = Counter(bid for bid in bids.values() if bid and lot.tiles_exist_once)
        number = next((bid for bid, count in count_by_bid.items() if count > 1), None)
        if number is None:
            return bids
        seats = [seat for seat, bid in bids.items() if bid == number]
        text = "There is only one {tile}: {seats} bid again."
        lot.state.table.add_note(say(text, tile=make_tile(number), seats=say_people(seats)))
        tiles_by_seat = {
            seat: {
                n: tile for n, tile in lot.tiles_by_seat[seat].items() if n == number or n not in count_by_bid
            }
            for seat in seats
        }


def _in_order_from_seller(lot: LotOnSale, bidders: Sequence[Seat]) -> list[Seat]:
    """Returns bidders clockwise from the seller on; without a seller from the start player on."""
    order = lot.bidders
    if lot.seller is not None:
        order = lot.state.seats.starting_with(lot.state.captain_by_seat[lot.seller])
    return sorted(bidders, key=order.index)


def piece_used_for_bids(state: TemplateState) -> Piece | None:
    """Returns the piece that is the unit of bids; None if bids are plain amounts of money.

    Bids are plain amounts if the first money is notes of more than 1.
    """
    return state.money_piece if state.money_piece.money_value == 1 else None


def _make_sealed_bid_question(lot: LotOnSale, *, is_bounded: bool) -> Say:
    """Returns the question for a sealed bid, with the name of a named lot."""
    question = say("Which tile do you bid? 0 is no bid.")
    if not lot.tiles_by_seat:
        question = _sealed_money_question(piece_used_for_bids(lot.state), is_bounded=is_bounded)
    return say("{about}: {question}", about=lot.piece, question=question) if lot.is_named else question


def _sealed_money_question(unit: Piece | None, *, is_bounded: bool) -> Say:
    """Returns the question for a sealed bid of money; it says if the emptiest purse limits all bids."""
    if unit is None and is_bounded:
        return say("How much do you bid? At most what the emptiest purse holds; 0 is no bid.")
    if unit is None:
        return say("How much do you bid? 0 is no bid.")
    if is_bounded:
        text = "How much do you bid in {unit}? At most what the emptiest purse holds; 0 is no bid."
        return say(text, unit=unit)
    return say("How much do you bid in {unit}? 0 is no bid.", unit=unit)


def _describe_sealed_result(
    lot: LotOnSale, best_bidders: Sequence[Seat], bid_by_seat: Mapping[Seat, int]
) -> Say:
    """Returns a text that says who won, who tied, or that nobody won."""
    if not best_bidders:
        return NOBODY_WINS
    bid = bid_by_seat[best_bidders[0]]
    if len(best_bidders) == 1:
        return winner_text(lot, best_bidders[0], bid)
    text = "Tie at {bid}: {seats}. Nobody wins here; follow the rules of your game."
    return say(text, bid=bid, seats=say_people(best_bidders))


SALE_METHOD_BY_TEMPLATE_WORD = {
    "open": SaleMethod(say("In turn; after a pass you can bid again"), sell_with_temporary_passes),
    "final": SaleMethod(say("In turn; after a pass you are out"), sell_with_final_withdrawals),
    "once": SaleMethod(say("In turn; one bid each"), sell_with_one_bid_each),
    "fixed": SaleMethod(say("At a fixed price"), sell_at_fixed_price, has_reserve=False, has_step=False),
    "falling": SaleMethod(say("At a falling price"), sell_at_falling_price),
    "aloud": SaleMethod(say("Aloud"), sell_by_bids_aloud, has_step=False),
    "sealed": SaleMethod(say("In secret"), sell_by_sealed_bids, has_step=False),
}
"""Methods of sale, by the template's word for them."""


# Errors in a template, and the scene


def find_lot_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about lots.

    Errors are shares as lots without a company or an auction, a missing place that is paid, and unsold lots
    that go to a seller or a last bidder whom the template doesn't have.
    """
    rules = template.read_rules(LotRules)
    if rules.payee == FIRST_PLACE and not template.designs_of_kind("place"):
        yield NEEDS_PLACE_ERROR
    if rules.lots == "shares" and not template.designs_of_kind("company"):
        yield say('The option "lots = shares" works only with a company.')
    if rules.unsold == UNSOLD_TO_SELLER and rules.payee not in (SELLER, ASK_TABLE):
        yield say('"unsold = seller" needs a seller. Set payee to seller or ask.')
    if rules.unsold == UNSOLD_TO_LAST and rules.auction not in (LAST_LEFT_AUCTION, ASK_TABLE):
        yield say('"unsold = last" needs an auction in which a pass is final. Set auction to final or ask.')
    can_withdraw = rules.auction in (LAST_LEFT_AUCTION, ASK_TABLE) and can_hold_auctions(template)
    if rules.refund_rounding != DOWN and not (can_withdraw and 0 < rules.refund < HUNDRED_PERCENT):
        text = "refund_rounding needs a refund of 1 to 99 and an auction in which a pass is final."
        yield say(text)
    if bids_with_tiles(template) and rules.auction not in AUCTION_KINDS_WITH_TILE_BIDS:
        text = "With tiles, auction can't be {auction}. Set it to one of these: {words}."
        yield say(text, auction=rules.auction, words=", ".join(AUCTION_KINDS_WITH_TILE_BIDS))
    if bids_with_tiles(template) and rules.refund < HUNDRED_PERCENT:
        yield say("With tiles, refund must be 100: a tile can't be paid in parts.")
    if rules.lots == "shares" and rules.auction == NO_AUCTION:
        yield say('"lots = shares" needs an auction. Set auction to a value other than none.')


def find_pays_errors(template: Template, pays: str) -> Iterator[Say]:
    """Yields an error if tiles can't be paid as the option `pays` says."""
    if pays == "second" and bids_with_tiles(template):
        yield say("With tiles, nobody can pay the second bid. Choose another rule for who pays.")
    if pays == "all" and template.read_rules(TileRules).bid_with == DEALT:
        yield say("With dealt tiles, only the winner can pay. Choose another rule for who pays.")


def check_bid_options(option_values: Mapping[str, str | int | None], template: Template) -> None:
    """Checks the options about bids; raises `UserError` if nobody could bid, or pay with tiles.

    The highest bid can't be below the template's lowest bid, and a tile can't be paid for another bid.
    """
    rules, max_bid = template.read_rules(LotRules), option_values["most"]
    is_reserve_asked = rules.reserve_by == SELLER and rules.auction not in (
        ASK_TABLE,
        AUCTION_AND_SEALED_BID,
        FIXED_PRICE,
    )
    has_auctions = can_hold_auctions(template) and rules.auction != NO_AUCTION
    for error in find_pays_errors(template, str(option_values["pays"])):
        raise UserError(error)
    if isinstance(max_bid, int) and max_bid < rules.reserve and has_auctions and not is_reserve_asked:
        text = "This template's lowest bid is {least}, so the highest bid allowed can't be {most}."
        raise UserError(say(text, least=rules.reserve, most=max_bid))


def build_lots_won_rows(template: Template) -> Iterator[PieceRow]:
    """Yields the row of the lots that a seat won, if the table shows lots."""
    if shows_lots_won(template):
        yield PieceRow(LOTS_WON, label=say("won"), shows_markers=True)


def share_auction_actions(state: TemplateState) -> tuple[MenuAction, ...]:
    """Returns a menu action for each company whose shares are sold by auction."""
    companies = Companies.of(state).companies if state.template.read_rules(LotRules).lots == "shares" else ()
    return tuple(
        [
            MenuAction(
                f"lot {index}",
                company.label,
                partial(hold_auction, company=company),
                LOTS_GROUP,
                note=AUCTION_LABEL,
            )
            for index, company in enumerate(companies)
        ]
    )


def has_sealed_bid_action(state: TemplateState) -> bool:
    """Returns True if the menu has an action for sealed bids, beside the one for auctions.

    The menu has both actions if the template says nothing about auctions.
    """
    rules = state.template.read_rules(LotRules)
    return can_hold_auctions(state.template) and rules.auction == AUCTION_AND_SEALED_BID


def has_numbered_lot_auction_action(state: TemplateState) -> bool:
    """Returns True if the menu has auctions of numbered lots."""
    rules = state.template.read_rules(LotRules)
    are_numbered = rules.auction != NO_AUCTION and rules.lots == "numbered"
    return are_numbered and can_hold_auctions(state.template)


MENU = (
    MenuAction("sealed_bid", say("Sealed bid"), hold_sealed_auction, LOTS_GROUP, has_sealed_bid_action),
    MenuAction("auction", AUCTION_LABEL, hold_auction, LOTS_GROUP, has_numbered_lot_auction_action),
    MenuAction("lots_to_come", say("Lots to come"), list_lots, LOTS_GROUP,
               lambda state: may_list_lots(state.template)),
)  # fmt: skip  # a menu
HELP = {
    "Everybody bids in secret": say(
        "Everybody bids in secret; 0 means no bid. When all bids are in, they are opened together."
    ),
    "Raise": say(
        "Bid more, pass or withdraw. After a pass you can bid again, unless everybody bids only once. After "
        "withdrawing you are out. With tiles, bid one of yours."
    ),
    "Which lot comes later?": say(
        "Write the names of lots that will be sold later. Everybody sees them in this order. The next "
        "auction sells the first."
    ),
    "What is sold?": say("Write a name for this lot. Without a name, the lot gets a number."),
    "Who is paid for it?": say(
        "Choose the seller, the bank, a place, or all others in equal shares. The seller bids last."
    ),
    "Lowest bid for {about}?": say(
        "Enter the lowest bid allowed for this lot. A falling price stops at this amount. In some templates "
        "the seller must pay it if nobody bids."
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
    "Price of {about}?": say(
        "Enter the price. A falling price starts at this amount. In some templates the seller must pay a "
        "fixed price that nobody else pays."
    ),
    "{about} for {price}?": say("Buy the lot for this price, or offer it to the next player."),
    "Who takes {about} for {price}?": say(
        "The first player to press buys the lot for this price. If nobody presses, the price falls."
    ),
}
