"""The bank: payments between seats, the bank, places and companies, and what happens if one can't be made.

If somebody can't pay, the table is asked. Nobody is charged less without a question. What a bank without
enough money does may also stand in the template.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd

import msgspec

from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.points import GridLine, make_number_cell
from companion.games.any_game.rounding import DOWN, HUNDRED_PERCENT, percentage_of
from companion.games.any_game.state import (
    BANK,
    MIN_VERSION_REFUSING_IMPOSSIBLE,
    MONEY_GROUP,
    FeatureState,
    MenuAction,
    NeededPieces,
    TemplateState,
)
from companion.games.any_game.teams import team_in_sentence
from companion.games.any_game.template import ASK, BROKEN, Template, design_label, read_number
from companion.rulebook import (
    Amount,
    Choose,
    CountGrid,
    DetailedOption,
    Labelled,
    MoneyAtPlace,
    OptionRequirement,
    Piece,
    PieceRow,
    Place,
    Say,
    Seat,
    UserError,
    VisibleTable,
    plan_payment_moves,
    say,
    say_list,
)

PART, NOTHING = "part", "nothing"
"""Words of the template for what a bank with too little money pays; also answers to the question about it."""
BROKEN_BANK_NOTE = say("The bank is broken.")
BROKEN_BANK_MARKER = Piece("broken bank", say("broken bank"), is_endless=True, is_marker=True)
MAX_PAYMENT = MAX_AMOUNT
AUTOMATIC_PAYMENT_FIELDS = ("salary", "income", "small_blind", "big_blind")
"""Fields of `MoneyRules` with amounts that are paid automatically: nobody enters them."""
FIELDS_NEEDING_MONEY_PIECE = (*AUTOMATIC_PAYMENT_FIELDS, "debts", "covered")
"""Fields of `MoneyRules` that need a piece that serves as money."""
NEEDS_MONEY_ERROR = say("Companies, loans and payments need a piece that serves as money.")
NEEDS_PLACE_ERROR = say('Blinds and "payee = place" need a place in the template.')
PAY_ALL_OPTION, PAY_PART_OPTION = (
    DetailedOption(say("Pay all available money")),
    DetailedOption(say("Pay a part")),
)
PAY_NOTHING_OPTION = DetailedOption(say("Nothing is paid"), is_decline_option=True)
EVERYBODY_KEY, EVENLY_KEY, SEVERAL_KEY, DONE_KEY = "all", "evenly", "several", "done"
EVERYBODY_LABEL = say("Everybody")


class TemplatePlaces(FeatureState):
    """The places of the template where money may lie, such as a pot."""

    def __init__(self, state: TemplateState) -> None:
        self.places = [Place(design_label(design)) for design in state.template.designs_of_kind("place")]
        for place in self.places:
            for piece in state.design_by_piece:
                state.table.ledger.open_account(place, piece, max_debt=0)


class BankStatus(FeatureState):
    """Whether the bank is broken: it paid money that it didn't have, as the template allows.

    A marker in the bank keeps a broken bank broken, also after money has come back.
    """

    def __init__(self, state: TemplateState) -> None:
        self._table, self._bank_money = state.table, state.money_at(state.bank_place)
        self._markers = (
            [state.table.account(BROKEN_BANK_MARKER, BANK)] if state.money_rules.empty_bank == BROKEN else []
        )

    @property
    def is_broken(self) -> bool:
        """True if the bank was declared broken, or is below zero because people moved its money by hand."""
        return any(marker.count > 0 or self._bank_money.total_value < 0 for marker in self._markers)

    def declare_if_broken(self) -> None:
        """Declares the bank broken if it is below zero and wasn't declared before."""
        for marker in self._markers:
            if self.is_broken and not marker.count:
                self._table.add_markers(marker)
                self._table.add_note(BROKEN_BANK_NOTE)


# One payment


def try_payment(state: TemplateState, source: Place, target: Place, amount: int) -> bool:
    """Tries to pay an amount; returns False if that is impossible.

    The payment moves notes that make the amount, with change or as a debt. If there are several kinds of
    notes, a message says which notes move.
    """
    ledger = state.table.ledger
    if not amount:
        return True
    source_money = state.money_at(source)
    if source_money.count < amount:
        return False
    has_only_single_notes = [account.piece.money_value for account in source_money.accounts] == [1]
    if has_only_single_notes:  # most templates; nothing has to be changed
        state.table.move(source_money.accounts[0], state.money_at(target).accounts[0], amount)
        BankStatus.of(state).declare_if_broken()
        return True
    try:
        moves = plan_payment_moves(ledger, source, target, amount)
    except UserError:
        return False
    for move in moves:
        source_account = ledger.open_account(move.source, move.piece)
        target_account = ledger.open_account(move.target, move.piece)
        state.table.move(source_account, target_account, move.count)
    if len(source_money.accounts) > 1:
        note = say("{moves}.", moves=say_list([move.description_text for move in moves]))
        if len(moves) == 1:
            things, whom = moves[0].moved_pieces_text, moves[0].target.label_as_owner
            state.table.add_note_about(
                moves[0].source.label_as_owner,
                note,
                lambda who: say("{things} from each of {who} to {whom}.", things=things, who=who, whom=whom),
            )
        else:
            state.table.add_note(note)
    BankStatus.of(state).declare_if_broken()
    return True


async def pay_or_ask(
    state: TemplateState,
    source: Place,
    target: Place,
    amount: int,
    *,
    all_or_nothing: bool = False,
    is_known_affordable: bool = False,
) -> int:
    """Pays an amount, or asks the table what happens; returns the amount paid in the end.

    The table is asked if the payer hasn't enough money, or if nobody may see whether it has. The template may
    say what a bank without enough money does.
    `all_or_nothing`: no part can be paid. `is_known_affordable`: the payer entered the amount and had enough
    money.
    """
    source_money = state.money_at(source)
    if is_known_affordable and try_payment(state, source, target, amount):
        return amount
    while not (
        _is_known_to_be_available(state, source_money, amount) and try_payment(state, source, target, amount)
    ):
        match _empty_bank_rule(
            state, source_money, amount, all_or_nothing=all_or_nothing
        ) or await _ask_what_happens(state, source_money, [target], amount, all_or_nothing=all_or_nothing):
            case "pay":
                if try_payment(state, source, target, amount):
                    break
                _announce_unpayable_with_notes(state, source, amount)
            case "part":
                part = await _ask_amount_of_part(source_money, amount)
                if try_payment(state, source, target, part):
                    if 0 < part < amount:
                        state.table.add_note(
                            say("{who} pays only {amount}.", who=payment_party_label(source), amount=part)
                        )
                    return part
                _announce_unpayable_with_notes(state, source, part)
            case "nothing":
                return 0
            case key if source.seat:
                await state.money_sources[key].run(state, source.seat)
    return amount


async def pay_each_or_ask(
    state: TemplateState,
    source: Place,
    targets: Sequence[Place],
    amount_each: int,
    *,
    is_known_affordable: bool = False,
) -> int:
    """Pays each target the same amount, or asks what happens; returns the total amount paid.

    If there isn't enough money for all targets, it asks one question about all of them, or shares what the
    bank has. `is_known_affordable` is as for `pay_or_ask`.
    """
    if must_share_shortage(state, source, [amount_each] * len(targets)):
        return sum(await share_shortage(state, [(target, amount_each) for target in targets]))
    if len(targets) > 1:
        source_money, total_due = state.money_at(source), amount_each * len(targets)
        while not (
            _is_known_to_be_available(state, source_money, total_due)
            or (is_known_affordable and source_money.count >= total_due)
        ):
            match _empty_bank_rule(state, source_money, total_due) or await _ask_what_happens(
                state, source_money, targets, total_due
            ):
                case "pay":
                    is_known_affordable = True
                case "part":
                    paid = await split_payment_evenly(
                        state,
                        source,
                        targets,
                        await _ask_amount_of_part(source_money, total_due),
                        is_known_affordable=True,
                    )
                    if 0 < paid < total_due:
                        state.table.add_note(
                            say("{who} pays only {amount}.", who=payment_party_label(source), amount=paid)
                        )
                    return paid
                case "nothing":
                    return 0
                case key if source.seat:
                    await state.money_sources[key].run(state, source.seat)
    return sum(
        [
            await pay_or_ask(state, source, target, amount_each, is_known_affordable=is_known_affordable)
            for target in targets
        ]
    )


def must_share_shortage(state: TemplateState, source: Place, dues: Sequence[int]) -> bool:
    """Returns True if the bank has too little for several receivers, and by its rule pays a part."""
    return (
        len(dues) > 1
        and not state.template.predates_shared_shortage
        and source == state.bank_place
        and state.money_rules.empty_bank == PART
        and 0 < state.money_at(source).total_value < sum(dues)
    )


async def share_shortage(state: TemplateState, due_by_target: Sequence[tuple[Place, int]]) -> list[int]:
    """Pays what the bank has to several receivers in proportion to what is due; returns the amounts paid."""
    bank_money, dues = state.money_at(state.bank_place), [due for _, due in due_by_target]
    text = "{who} has only {held} of {due}. It is shared in proportion to what is due."
    who = payment_party_label(state.bank_place)
    state.table.add_note(say(text, who=who, held=bank_money.total_value, due=sum(dues)))
    unit = smallest_payable_amount(account.piece.money_value for account in bank_money.accounts)
    parts = divide_in_proportion(bank_money.total_value, dues, unit)
    paid_amounts = list[int]()
    for (target, _), part in zip(due_by_target, parts, strict=True):
        paid = await pay_or_ask(state, state.bank_place, target, part) if part else 0
        paid_amounts.append(paid)
        announce_receipt(state, target, paid)
    return paid_amounts


def divide_in_proportion(amount: int, dues: Sequence[int], unit: int = 1) -> list[int]:
    """Returns the part of an amount for each due, in proportion and in multiples of a unit.

    The parts are rounded down. The units that are left over go to the first receivers who can still get one.
    No rulebook that we know says how an empty bank pays several receivers a part: in 1830 it pays
    everything. This is how creditors of the same rank share what a bankrupt has (pari passu).
    """
    parts = [amount * due // sum(dues) // unit * unit for due in dues]
    for index, due in enumerate(dues):
        if sum(parts) + unit <= amount and parts[index] + unit <= due:
            parts[index] += unit
    return parts


def even_share(state: TemplateState, source: Place, amount: int, target_count: int) -> int:
    """Returns each receiver's even share of a payment, rounded down to an amount that notes can make."""
    note = smallest_payable_amount(account.piece.money_value for account in state.money_at(source).accounts)
    return amount // target_count // note * note


def smallest_payable_amount(note_values: Iterable[int]) -> int:
    """Returns the amount of which notes of these values pay multiples: 5 for notes of 10 and 25."""
    return gcd(*filter(None, note_values)) or 1


async def split_payment_evenly(
    state: TemplateState,
    source: Place,
    targets: Sequence[Place],
    amount: int,
    *,
    is_known_affordable: bool = False,
) -> int:
    """Pays each target an even share and asks who gets the remainder; returns the total amount paid.

    A share is an amount that the notes of the template can make.
    The table may also leave the remainder where it is. `is_known_affordable` is as for `pay_or_ask`.
    """
    share = even_share(state, source, amount, len(targets))
    remainder = amount - share * len(targets)
    paid = await pay_each_or_ask(state, source, targets, share, is_known_affordable=is_known_affordable)
    if not remainder or paid < share * len(targets):
        return paid
    place_by_key = {str(target.seat.number): target for target in targets if target.seat}
    options: dict[str, Labelled] = {
        key: state.side_label(target.seat) for key, target in place_by_key.items() if target.seat
    }
    options["stays"] = DetailedOption(
        say("Leave the rest with {who}", who=payment_party_label(source)), is_decline_option=True
    )
    question = say("{n} is left over. Who gets the rest?", n=remainder)
    chosen = await Choose(None, question, options, log_name=say("Who gets the rest?"))
    if chosen != "stays":
        paid += await pay_or_ask(
            state, source, place_by_key[chosen], remainder, is_known_affordable=is_known_affordable
        )
    return paid


def pay_legacy_bid_to_bank(state: TemplateState, seat: Seat, amount: int) -> None:
    """Pays a bid to the bank in matches older than templates' rules.

    If the purse holds less than the bid, all that it holds is paid.
    """
    paid = state.table.move_up_to(
        state.purse_accounts_by_piece[state.money_piece][seat],
        state.bank_account_by_piece[state.money_piece],
        amount,
    )
    text = "{seat} pays {amount}." if paid == amount else "{seat} can pay only {amount}."
    state.table.add_note(say(text, seat=seat, amount=paid))


def payment_party_label(place: Place) -> Labelled:
    """Returns the label of a payer or payee in a sentence: the name of a seat, or else the place."""
    return say("{seat}", seat=place.seat) if place.seat else place


def announce_full_payment(
    state: TemplateState, source: Place, targets: Sequence[Place], amount_paid: int, amount_due: int
) -> None:
    """Announces who paid whom how much, or that people decided that nothing is paid.

    If less was paid, `pay_or_ask` has announced it, and what the template says about a poor bank.
    """
    payees, payer = say_list([payment_party_label(target) for target in targets]), payment_party_label(source)
    if not amount_paid and amount_due:
        if source != state.bank_place or state.money_rules.empty_bank not in (PART, NOTHING):
            state.table.add_note(say("{who} pays nothing.", who=payer))
        return
    if not amount_paid or amount_paid < amount_due:
        return
    if len(targets) == 1:
        state.table.add_note_about(
            payer,
            say("{who} pays {whom} {amount}.", who=payer, whom=payees, amount=amount_paid),
            lambda who: say("{who} each pay {whom} {amount}.", who=who, whom=payees, amount=amount_paid),
        )
    else:
        state.table.add_note(
            say("{who} pays {whom} {amount} in all.", who=payer, whom=payees, amount=amount_paid)
        )


def announce_receipt(state: TemplateState, target: Place, amount: Labelled | int) -> None:
    """Announces how much somebody gets; people who get the same share one sentence."""
    who = payment_party_label(target)
    state.table.add_note_about(
        who,
        say("{who} gets {amount}.", who=who, amount=amount),
        lambda who: say("{who} each get {amount}.", who=who, amount=amount),
    )


# A payment that can't be made, or nobody may know whether it can


def _is_known_to_be_available(state: TemplateState, source_money: MoneyAtPlace, amount: int) -> bool:
    """Returns True if everybody may know that the payer has the money, or that a bank pays with a debt.

    Only the owner of a covered purse may know it.
    """
    may_break = source_money.place == state.bank_place and state.money_rules.empty_bank == BROKEN
    return (
        not amount
        or source_money.is_endless
        or (not source_money.covered and source_money.total_value >= amount)
        or (may_break and source_money.count >= amount)
    )


def _empty_bank_rule(
    state: TemplateState, source_money: MoneyAtPlace, amount: int, *, all_or_nothing: bool = False
) -> str | None:
    """Returns "part" or "nothing" if the template says that a bank with too little money pays only this.

    None means that people must be asked.
    """
    rule = state.money_rules.empty_bank
    if (
        rule not in (PART, NOTHING)
        or source_money.place != state.bank_place
        or source_money.total_value >= amount
    ):
        return None
    if rule == PART and not all_or_nothing and source_money.total_value > 0:
        return PART
    text = "{who} can't pay {amount}. Nothing is paid."
    state.table.add_note(say(text, who=payment_party_label(source_money.place), amount=amount))
    return NOTHING


def _announce_unpayable_with_notes(state: TemplateState, source: Place, amount: int) -> None:
    text = "{who} has no notes for exactly {amount}, and must change some first."
    state.table.add_note(say(text, who=payment_party_label(source), amount=amount))


async def _ask_what_happens(
    state: TemplateState,
    source_money: MoneyAtPlace,
    targets: Sequence[Place],
    amount: int,
    *,
    all_or_nothing: bool = False,
) -> str:
    """Asks what happens with a payment; one answer is that nothing is paid."""
    place, options = source_money.place, dict[str, Labelled]()
    options["pay"] = DetailedOption(
        say("Pay everything"), price=amount, note=_describe_missing_money(source_money, amount)
    )
    if not all_or_nothing and (source_money.covered or source_money.count > 0):
        pays_all_available = (
            source_money.covered or _all_money_if_less_than_due(source_money, amount) is not None
        )
        options["part"] = PAY_ALL_OPTION if pays_all_available else PAY_PART_OPTION
    for key, money_source in state.money_sources.items():
        if place.seat and money_source.is_available_to(state, place.seat):
            options[key] = DetailedOption(money_source.label)
    options["nothing"] = PAY_NOTHING_OPTION
    refusal = say("{who} can't pay {amount}.", who=payment_party_label(place), amount=amount)
    requirements = {"pay": OptionRequirement(source_money, amount, refusal)}
    question = _make_payment_question(source_money, targets, amount)
    return await Choose(None, question, options, requirements, log_name=say("What happens?"))


def _make_payment_question(source_money: MoneyAtPlace, targets: Sequence[Place], amount: int) -> Say:
    """Returns the question what happens with a payment; it says why the payment isn't made by itself."""
    payer = payment_party_label(source_money.place)
    payees = say_list([payment_party_label(target) for target in targets])
    amount_text = say("{n} in all", n=amount) if len(targets) > 1 else say("{n}", n=amount)
    if source_money.covered:
        return say("{who} must pay {whom} {due}. What now?", who=payer, whom=payees, due=amount_text)
    if source_money.total_value < 0:
        text = "{who} already owes {n} and must pay {whom} {due}. What now?"
        return say(text, who=payer, n=-source_money.total_value, whom=payees, due=amount_text)
    if source_money.total_value >= amount:
        text = "{who} has no notes to pay {whom} exactly {due}. What now?"
        return say(text, who=payer, whom=payees, due=amount_text)
    text = "{who} must pay {whom} {due}, but has only {held}. What now?"
    return say(text, who=payer, whom=payees, due=amount_text, held=source_money.total_value)


def _describe_missing_money(source_money: MoneyAtPlace, amount: int) -> Say | None:
    """Returns a note how much of a payment becomes debt, or that there isn't enough money yet.

    In the second case, people must first sell or borrow something. It returns None if the money is there, or
    if the purse is covered.
    """
    if source_money.covered or source_money.total_value >= amount:
        return None
    if source_money.count >= amount:
        return say("{n} of this becomes debt", n=amount - max(source_money.total_value, 0))
    return say("not enough money yet")


def _all_money_if_less_than_due(source_money: MoneyAtPlace, amount_due: int) -> int | None:
    """Returns all the money there is, if it is less than due; None if people must say how much.

    People must say it if the payer may have debts, and if only notes are missing.
    """
    return source_money.total_value if source_money.count == source_money.total_value < amount_due else None


async def _ask_amount_of_part(source_money: MoneyAtPlace, amount_due: int) -> int:
    """Returns the part of a payment that is made: all the money there is, or what the payer enters."""
    available = None if source_money.covered else _all_money_if_less_than_due(source_money, amount_due)
    if available is not None:
        return available
    question = say("You owe {due}. How much will you pay?", due=amount_due)
    log_name = say("How much do you pay?")
    return await Amount(
        source_money.place.seat, question, 0, amount_due, paid_from=source_money, log_name=log_name
    )


# Actions of the menu


class PaymentLimit(msgspec.Struct, frozen=True):
    """The most that a payer can pay now to each of `payee_count` receivers."""

    money: MoneyAtPlace
    payee_count: int = 1

    @property
    def count(self) -> int:
        """The highest amount now."""
        return self.money.count // self.payee_count

    @property
    def covered(self) -> bool:
        """True if only the owner knows the amount."""
        return self.money.covered

    @property
    def too_high_text(self) -> Say:
        """The sentence that refuses a higher amount."""
        who = payment_party_label(self.money.place)
        if self.payee_count > 1:
            text = "{who} has {held} and can pay everybody at most {most}."
            return say(text, who=who, held=self.money.total_value, most=max(0, self.count))
        return say("{who} can pay at most {most}.", who=who, most=max(0, self.count))

    def divided_among(self, payee_count: int) -> PaymentLimit:
        """Returns the limit for each of several receivers."""
        return PaymentLimit(self.money, payee_count)


def find_payment_limit(state: TemplateState, payer: Place) -> PaymentLimit | None:
    """Returns what limits the amount of a payment; None if people are asked about an amount that is too high.

    They are asked where only the owner may see the purse, where a payer may have debts, can borrow or can
    sell something first, and where the template says what an empty bank does.
    """
    money = state.money_at(payer)
    can_raise_money = payer.seat is not None and (
        state.money_rules.debts > 0
        or any(source.is_available_to(state, payer.seat) for source in state.money_sources.values())
    )
    has_own_rule = payer == state.bank_place and state.money_rules.empty_bank != ASK
    if (
        state.table.version < MIN_VERSION_REFUSING_IMPOSSIBLE
        or money.is_endless
        or money.covered
        or can_raise_money
        or has_own_rule
    ):
        return None
    return PaymentLimit(money)


def money_place_by_key(state: TemplateState) -> dict[str, Place]:
    """Returns all places where money may lie, by key: purses, the bank, places and treasuries."""
    return {
        **{str(seat.number): state.purse(seat).place for seat in state.playing_sides},
        "bank": state.bank_place,
        **{f"place {index}": place for index, place in enumerate(TemplatePlaces.of(state).places)},
        **{f"company {index}": place for index, place in enumerate(state.treasury_places)},
    }


def label_by_place_key(state: TemplateState, place_by_key: Mapping[str, Place]) -> dict[str, Labelled]:
    """Returns the label of each place, by the key of the place."""
    return {key: state.side_label(place.seat) if place.seat else place for key, place in place_by_key.items()}


def party_in_sentence(
    state: TemplateState, place_by_key: Mapping[str, Place], labels: Mapping[str, Labelled], key: str
) -> Labelled:
    """Returns an option for a payer or payee as a sentence names it; `labels` are those of the options."""
    seat = place_by_key[key].seat if key in place_by_key else None
    return labels[key] if seat is None else team_in_sentence(state.captain_by_seat, seat)


async def ask_and_make_payment(state: TemplateState) -> None:
    """Asks who pays whom and how much, and makes the payment.

    Payer and payee may be everybody, and all players can share one amount.
    """
    place_by_key = money_place_by_key(state)
    payer_labels = {**label_by_place_key(state, place_by_key), EVERYBODY_KEY: EVERYBODY_LABEL}
    payer_requirements = {
        key: OptionRequirement(limit, 1, say("{who} has no money.", who=payment_party_label(place)))
        for key, place in place_by_key.items()
        if (limit := find_payment_limit(state, place)) is not None
    }
    payer_key = await Choose(None, say("Who pays?"), payer_labels, payer_requirements)
    possible_payees = {key: place for key, place in place_by_key.items() if key != payer_key}
    payee_labels = label_by_place_key(state, possible_payees)
    paid_sides = purses_of_sides_among(state, possible_payees)
    limit = find_payment_limit(state, place_by_key[payer_key]) if payer_key in place_by_key else None
    limit_by_payee = {} if limit is None else {EVERYBODY_KEY: limit.divided_among(len(paid_sides))}
    if payer_key != EVERYBODY_KEY and paid_sides:
        payee_labels |= {
            EVERYBODY_KEY: say("Everybody, this amount each"),
            EVENLY_KEY: say("Everybody, shared evenly"),
        }
    payee_requirements = {
        key: OptionRequirement(each, 1, each.too_high_text)
        for key, each in limit_by_payee.items()
        if key in payee_labels
    }
    payer = party_in_sentence(state, place_by_key, payer_labels, payer_key)
    payee_key = await choose_payee(state, payer, payee_labels, payee_requirements)
    payee = party_in_sentence(state, place_by_key, payee_labels, payee_key)
    paid_from = limit_by_payee.get(payee_key, limit)
    amount = await Amount(
        place_by_key[payer_key].seat if payer_key in place_by_key else None,
        say("From {payer} to {payee}: how much?", payer=payer, payee=payee),
        1,
        max(1, state.max_money),
        paid_from=paid_from,
        log_name=say("How much?"),
        confirm_above=state.confirm_money_above,
    )
    if payee_key == EVENLY_KEY:
        targets = purses_of_sides_among(state, possible_payees)
        due = len(targets) * even_share(state, place_by_key[payer_key], amount, len(targets))
        paid = await split_payment_evenly(state, place_by_key[payer_key], targets, amount)
        announce_full_payment(state, place_by_key[payer_key], targets, paid, due)
    for source, targets in pair_payers_with_payees(state, place_by_key, payer_key, payee_key):
        paid = await pay_each_or_ask(state, source, targets, amount)
        announce_full_payment(state, source, targets, paid, amount * len(targets))


async def choose_payee(
    state: TemplateState,
    payer: Labelled,
    payees: Mapping[str, Labelled],
    requirements: Mapping[str, OptionRequirement] = {},
) -> str:
    """Asks whom the payer pays; returns the key of the payee."""
    question = say("Whom does {payer} pay?", payer=_party_as_subject(state, payer))
    return await Choose(None, question, payees, requirements, log_name=say("Who is paid?"))


def _party_as_subject(state: TemplateState, party: Labelled) -> Labelled:
    """Returns a payer as the subject of a sentence: the bank and other places get an article."""
    if party == EVERYBODY_LABEL:
        return say("everybody")
    if isinstance(party, Place) and party not in state.treasury_places:
        return say("the {place}", place=party)
    return party


def pair_payers_with_payees(
    state: TemplateState, place_by_key: Mapping[str, Place], payer_key: str, payee_key: str
) -> Iterator[tuple[Place, list[Place]]]:
    """Yields each payer with the places that it pays; nobody pays themselves.

    An evenly shared payment has no pairs: it is made separately.
    """
    if payee_key == EVENLY_KEY:
        return
    purses = purses_of_sides_among(state, place_by_key)
    targets = purses if payee_key == EVERYBODY_KEY else [place_by_key[payee_key]]
    for source in purses if payer_key == EVERYBODY_KEY else [place_by_key[payer_key]]:
        if other_targets := [target for target in targets if target != source]:
            yield source, other_targets


def purses_of_sides_among(state: TemplateState, place_by_key: Mapping[str, Place]) -> list[Place]:
    """Returns the places that are purses of sides still in the match."""
    return [state.purse(seat).place for seat in state.playing_sides if str(seat.number) in place_by_key]


async def ask_who_pays_and_pay_percentage(state: TemplateState) -> None:
    """Asks who pays whom what percentage of the payer's money, and pays it, rounded as the template says."""
    place_by_key = money_place_by_key(state)
    label_by_key = {
        key: label
        for key, label in label_by_place_key(state, place_by_key).items()
        if not state.money_at(place_by_key[key]).is_endless
    }
    payer_labels = {**label_by_key, EVERYBODY_KEY: EVERYBODY_LABEL}
    payer_key = await Choose(None, say("Who pays?"), payer_labels)
    possible_payees = {key: place for key, place in place_by_key.items() if key != payer_key}
    payee_labels = label_by_place_key(state, possible_payees)
    payer = party_in_sentence(state, place_by_key, payer_labels, payer_key)
    payee_key = await choose_payee(state, payer, payee_labels)
    asked_seat = place_by_key[payer_key].seat if payer_key in place_by_key else None
    question = say(
        "From {payer} to {payee}: what percentage?",
        payer=payer,
        payee=party_in_sentence(state, place_by_key, payee_labels, payee_key),
    )
    percent = await Amount(asked_seat, question, 1, HUNDRED_PERCENT, log_name=say("How many percent?"))
    for source, (target,) in pair_payers_with_payees(state, place_by_key, payer_key, payee_key):
        held = max(0, state.money_at(source).total_value)
        due = percentage_of(held, percent, state.money_rules.percentage_rounding)
        paid = await pay_or_ask(state, source, target, due.amount)
        amount = due.label_of_payment(paid)
        if paid == due.amount:
            amount = say("{percent} %: {amount}", percent=percent, amount=amount)
        _announce_payment_of_percentage(state, source, amount)


def _announce_payment_of_percentage(state: TemplateState, source: Place, amount: Labelled | int) -> None:
    who = payment_party_label(source)
    state.table.add_note_about(
        who,
        say("{who} pays {amount}.", who=who, amount=amount),
        lambda who: say("{who} each pay {amount}.", who=who, amount=amount),
    )


async def ask_who_gets_salary_and_pay(state: TemplateState) -> None:
    """Asks who gets the salary of the template; the bank pays it."""
    seat = await state.choose_side(say("Who gets the salary?"))
    target = state.purse(seat).place
    paid = await pay_or_ask(state, state.bank_place, target, state.money_rules.salary)
    announce_full_payment(state, state.bank_place, [target], paid, state.money_rules.salary)


def find_money_to_pay_out(state: TemplateState) -> NeededPieces:
    """Returns the money at all places, without which no place can pay out."""
    places = TemplatePlaces.of(state).places
    accounts = [account for place in places for account in state.money_at(place).accounts]
    return NeededPieces(accounts, say("No money is in {place}.", place=say_list(places)))


async def ask_and_pay_out_place(state: TemplateState) -> None:
    """Asks which place pays out all its money, and to whom, and pays it out."""
    place_by_key = {str(index): place for index, place in enumerate(TemplatePlaces.of(state).places)}
    key = next(iter(place_by_key))
    if len(place_by_key) > 1:
        requirements = {
            key: OptionRequirement(state.money_at(place), 1, say("No money is in {place}.", place=place))
            for key, place in place_by_key.items()
            if state.table.version >= MIN_VERSION_REFUSING_IMPOSSIBLE
        }
        labels = label_by_place_key(state, place_by_key)
        key = await Choose(None, say("Which place pays out?"), labels, requirements, log_name=say("Which?"))
    place = place_by_key[key]
    amount = state.money_at(place).total_value
    if not amount:
        state.table.add_note(say("No money is in {place}, so nothing is paid out.", place=place))
        return
    options: dict[str, Labelled] = {str(seat.number): state.side_label(seat) for seat in state.playing_sides}
    options[SEVERAL_KEY] = DetailedOption(say("Several players share it"), is_decline_option=True)
    question = say("{place}: who gets the money?", place=place)
    chosen = await Choose(None, question, options, about=place, log_name=say("Who gets it?"))
    winners = (
        await choose_seats_sharing_money(state, place)
        if chosen == SEVERAL_KEY
        else [state.seats.seat_numbered(int(chosen))]
    )
    targets = [state.purse(seat).place for seat in winners]
    due = len(targets) * even_share(state, place, amount, len(targets))
    paid = await split_payment_evenly(state, place, targets, amount)
    announce_full_payment(state, place, targets, paid, due)


async def choose_seats_sharing_money(state: TemplateState, place: Place) -> list[Seat]:
    """Asks which seats share the money of a place.

    The table chooses one seat after the other; at least two.
    """
    question = say("{place}: who shares the money?", place=place)
    chosen_seats = list[Seat]()
    while len(chosen_seats) < len(state.playing_sides):
        options: dict[str, Labelled] = {
            str(side.number): state.side_label(side)
            for side in state.playing_sides
            if side not in chosen_seats
        }
        if len(chosen_seats) > 1:
            options[DONE_KEY] = DetailedOption(say("Nobody else"), is_decline_option=True)
        chosen = await Choose(None, question, options, log_name=say("Who has a share?"))
        if chosen == DONE_KEY:
            break
        chosen_seats.append(state.seats.seat_numbered(int(chosen)))
        side = state.side_label(chosen_seats[-1])
        state.table.add_note(say("{seat} shares the money of {place}.", seat=side, place=place))
    return chosen_seats


# Payments of each round


async def pay_income_to_everybody(state: TemplateState) -> None:
    """Pays everybody the income of the template."""
    if income := state.money_rules.income:
        targets = [state.purse(seat).place for seat in state.playing_sides]
        paid = await pay_each_or_ask(state, state.bank_place, targets, income)
        announce_full_payment(state, state.bank_place, targets, paid, income * len(targets))


def allows_payments(state: TemplateState) -> bool:
    """Returns True if the template allows payments and has pieces."""
    return bool(state.design_by_piece) and state.money_rules.payments


def can_places_hold_money(state: TemplateState) -> bool:
    """Returns True if the template has places, and money that can come there.

    Where nobody begins with money and no rule pays any, the first piece counts as money but isn't used so: it
    may be cubes on a map.
    """
    rules, designs = state.money_rules, state.design_by_piece.values()
    is_money_used = (
        rules.payments
        or rules.loans
        or any(getattr(rules, field) for field in AUTOMATIC_PAYMENT_FIELDS)
        or any(read_number(design, "note") or read_number(design, "start") for design in designs)
        or bool(state.template.designs_of_kind("company"))
    )
    return bool(TemplatePlaces.of(state).places and state.design_by_piece) and is_money_used


def counts_covered_money(template: Template) -> bool:
    """Returns True if totals depend on money that only its owner may see."""
    return template.money_rules.covered and any(
        piece.money_value and read_number(design, "worth")
        for piece, design in template.design_by_piece.items()
    )


# Errors in a template


def find_money_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about money.

    Errors are contradictions, and a missing piece of money or place.
    """
    rules, note_values = template.money_rules, sorted(filter(None, template.money_value_by_piece_id.values()))
    if rules.payments and not note_values:
        yield NEEDS_MONEY_ERROR
    if rules.covered and len(note_values) > 1:
        yield say("A covered purse can hold only one kind of money.")
    if rules.covered and rules.debts > 0:
        yield say("A covered purse can't have debts. Set debts to 0.")
    if rules.small_blind + rules.big_blind > 0 and not template.designs_of_kind("place"):
        yield NEEDS_PLACE_ERROR
    yield from _find_amount_errors(template, note_values)
    if rules.percentage_rounding != DOWN and not (rules.payments and not rules.covered):
        yield say('percentage_rounding needs the settings "payments = yes" and "covered = no".')
    if rules.empty_bank != ASK:
        yield from _find_empty_bank_errors(template)


def _find_empty_bank_errors(template: Template) -> Iterator[Say]:
    """Yields an error about a bank that never runs out, though the template says what it does then."""
    if template.money_piece is None:
        yield say("{field} needs a piece that serves as money.", field="empty_bank")
    for piece, design in template.design_by_piece.items():
        if piece.money_value and not read_number(design, "supply"):
            text = "empty_bank can't be {value}, because the bank never runs out. Give a supply to {piece}."
            yield say(text, piece=piece.label, value=template.money_rules.empty_bank)


def _find_amount_errors(template: Template, note_values: Sequence[int]) -> Iterator[Say]:
    """Yields an error for each amount that is paid without money, or that the notes can't make."""
    rules = template.money_rules
    for field in FIELDS_NEEDING_MONEY_PIECE:
        if not note_values and getattr(rules, field):
            yield say("{field} needs a piece that serves as money.", field=field)
    for field in AUTOMATIC_PAYMENT_FIELDS:
        yield from find_unpayable_amount_errors(template, field, [getattr(rules, field)])
    if note_values and 0 < rules.debts < note_values[0]:
        text = "debts can't be {value}. It must be 0 or at least the smallest banknote, {least}."
        yield say(text, least=note_values[0], value=rules.debts)


def find_unpayable_amount_errors(template: Template, field: str, amounts: Iterable[int]) -> Iterator[Say]:
    """Yields an error for each amount of a field that the notes can't make."""
    note = smallest_payable_amount(template.money_value_by_piece_id.values())
    for amount in amounts:
        if amount % note:
            text = "{field} can't be {value}: the notes can pay only multiples of {note}."
            yield say(text, field=field, note=note, value=amount)


# The scene


def build_bank_and_place_rows(template: Template) -> Iterator[PieceRow]:
    """Yields a row of pieces for the bank and for each place of the template."""
    if pieces := tuple(template.design_by_piece):
        for place in (BANK, *[design_label(design) for design in template.designs_of_kind("place")]):
            yield PieceRow(place, pieces, label=place)


def build_broken_bank_grid(template: Template) -> Iterator[CountGrid]:
    """Yields the line that says that the bank is broken, with its money; there is none before."""
    if template.money_rules.empty_bank == BROKEN:
        yield CountGrid((say("money"),), lambda look: tuple(_build_broken_bank_lines(look, template)))


def _build_broken_bank_lines(look: VisibleTable, template: Template) -> Iterator[GridLine]:
    money = sum(
        look.visible_count_or_zero(piece, BANK) * piece.money_value for piece in template.design_by_piece
    )
    if money < 0 or look.visible_count_or_zero(BROKEN_BANK_MARKER, BANK):
        yield BROKEN_BANK_NOTE, (make_number_cell(money),)


MENU = (
    MenuAction("payment", say("Payment"), ask_and_make_payment, MONEY_GROUP, allows_payments,
               is_payment=True),
    MenuAction("salary", lambda state: say("Salary {n}", n=state.money_rules.salary),
               ask_who_gets_salary_and_pay, MONEY_GROUP, lambda state: state.money_rules.salary > 0),
    MenuAction("percentage", say("Percentage"), ask_who_pays_and_pay_percentage, MONEY_GROUP,
               lambda state: allows_payments(state) and not state.money_rules.covered),
    MenuAction("pay_out", say("Pay out"), ask_and_pay_out_place, MONEY_GROUP, can_places_hold_money,
               find_money_to_pay_out),
)  # fmt: skip  # a menu
HELP = {
    "Who pays?": say(
        "Players, the bank and other places can all pay each other. Everybody can pay at the same time."
    ),
    "Whom does {payer} pay?": say(
        "Choose who gets the money. Every player can get this amount, or all players can share it evenly."
    ),
    "From {payer} to {payee}: how much?": say(
        "Enter the amount. The companion finds the notes and the change."
    ),
    "From {payer} to {payee}: what percentage?": say(
        "Enter the percentage of their money that the payer pays. The template says how the companion "
        "rounds the amount."
    ),
    "Who gets the salary?": say("The bank pays the salary."),
    "{who} must pay {whom} {due}, but has only {held}. What now?": say(
        "To pay the full amount, first sell something or move money by hand. You can also pay only the money "
        "you have, or nothing. Several receivers share this money."
    ),
    "{who} already owes {n} and must pay {whom} {due}. What now?": say(
        "This template limits debts. Sell something or borrow first, or pay nothing."
    ),
    "{who} must pay {whom} {due}. What now?": say(
        "Only the owner can see this purse. The owner can pay everything, a part, or nothing."
    ),
    "{who} has no notes to pay {whom} exactly {due}. What now?": say(
        "Change notes into smaller notes by hand, then pay everything. Or pay the part that your notes "
        "allow, or nothing."
    ),
    "{n} is left over. Who gets the rest?": say(
        "The money can't be shared evenly. Choose who gets the rest, or leave the rest where it is."
    ),
    "You owe {due}. How much will you pay?": say(
        "Enter how much to pay. You can't pay more than the available money."
    ),
    "Which place pays out?": say("Choose a place. The place pays out all its money."),
    "{place}: who gets the money?": say(
        "One player gets all the money from this place, or several players share it evenly."
    ),
    "{place}: who shares the money?": say("Choose everybody who shares the money, one after the other."),
}
