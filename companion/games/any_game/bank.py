"""The bank: payments between seats, the bank, places and companies, and what happens if one can't be made.

If somebody can't pay, the table is asked: nobody is charged less without a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import gcd

from companion.games.any_game.state import BANK, FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template, design_label
from companion.games.any_game.turn_order import start_or_dealer_marker_holder
from companion.rulebook import (
    Amount,
    Choose,
    DetailedOption,
    Labelled,
    MoneyAtPlace,
    OptionRequirement,
    PieceRow,
    Place,
    Say,
    Seat,
    UserError,
    payment_moves,
    say,
    say_list,
)

MONEY_MENU_GROUP = say("Money")
"""Group of the money actions in the menu."""
MAX_PAYMENT = 999_999
PERCENT = 100
HEADS_UP_PLAYER_COUNT = 2
"""With this number of players, the holder of the marker pays the small blind."""
AUTOMATIC_PAYMENT_FIELDS = ("salary", "income", "small_blind", "big_blind")
"""Fields of `MoneyRules` with amounts that are paid automatically: nobody enters them."""
FIELDS_NEEDING_MONEY_PIECE = (*AUTOMATIC_PAYMENT_FIELDS, "debts", "covered")
"""Fields of `MoneyRules` that need a piece that serves as money."""
NEEDS_MONEY = say("Companies, loans and payments need a piece that serves as money.")
NEEDS_PLACE = say('Blinds and "payee = place" need a place in the template.')
PAY_ALL, PAY_PART = DetailedOption(say("Pay all available money")), DetailedOption(say("Pay a part"))
PAY_NOTHING = DetailedOption(say("Nothing is paid"), is_decline_option=True)
EVERYBODY, EVENLY, SEVERAL, DONE = "all", "evenly", "several", "done"


class TemplatePlaces(FeatureState):
    """The places of the template where money may lie, such as a pot."""

    def __init__(self, state: TemplateState) -> None:
        self.places = [Place(design_label(one)) for one in state.template.designs_of_kind("place")]
        for place in self.places:
            for one in state.pieces:
                state.table.ledger.open_account(place, one, max_debt=0)


# One payment


def try_payment(state: TemplateState, source: Place, target: Place, amount: int) -> bool:
    """Tries to pay an amount; returns False if that is impossible.

    The payment moves notes that make the amount, with change or as a debt. If there are several kinds of
    notes, a message says which notes move.
    """
    ledger = state.table.ledger
    if not amount:
        return True
    giver = state.money_at(source)
    if giver.count < amount:
        return False
    if [one.piece.money_value for one in giver.accounts] == [1]:  # most templates; nothing has to be changed
        state.table.move(giver.accounts[0], state.money_at(target).accounts[0], amount)
        return True
    try:
        moves = payment_moves(ledger, source, target, amount)
    except UserError:
        return False
    for one in moves:
        there, here = ledger.open_account(one.source, one.piece), ledger.open_account(one.target, one.piece)
        state.table.move(there, here, one.count)
    if len(giver.accounts) > 1:
        state.table.add_note(say("{moves}.", moves=say_list([one.description_text for one in moves])))
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

    The table is asked if the payer hasn't enough money, or if nobody may see whether it has.
    `all_or_nothing`: no part can be paid. `is_known_affordable`: the payer entered the amount and had enough
    money.
    """
    giver = state.money_at(source)
    if is_known_affordable and try_payment(state, source, target, amount):
        return amount
    while not (_is_surely_there(giver, amount) and try_payment(state, source, target, amount)):
        match await _ask_what_happens(state, giver, [target], amount, whole=all_or_nothing):
            case "pay":
                if try_payment(state, source, target, amount):
                    break
                _tell_no_notes(state, amount)
            case "part":
                part = await _ask_part(giver, amount)
                if try_payment(state, source, target, part):
                    if part < amount:
                        state.table.add_note(
                            say("{who} pays only {amount}.", who=payment_party_label(source), amount=part)
                        )
                    return part
                _tell_no_notes(state, part)
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

    If there isn't enough money for all targets, it asks one question about all of them. `is_known_affordable`
    is as for `pay_or_ask`.
    """
    if len(targets) > 1:
        giver, due = state.money_at(source), amount_each * len(targets)
        while not (_is_surely_there(giver, due) or (is_known_affordable and giver.count >= due)):
            match await _ask_what_happens(state, giver, targets, due):
                case "pay":
                    is_known_affordable = True
                case "part":
                    paid = await split_payment_evenly(
                        state, source, targets, await _ask_part(giver, due), is_known_affordable=True
                    )
                    if paid < due:
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


async def split_payment_evenly(
    state: TemplateState,
    source: Place,
    targets: Sequence[Place],
    amount: int,
    *,
    is_known_affordable: bool = False,
) -> int:
    """Pays each target an even share of an amount; returns the total amount paid.

    The table says who gets the remainder, or that it stays where it is. `is_known_affordable` is as for
    `pay_or_ask`.
    """
    share, remainder = divmod(amount, len(targets))
    paid = await pay_each_or_ask(state, source, targets, share, is_known_affordable=is_known_affordable)
    if not remainder or paid < share * len(targets):
        return paid
    named = {str(target.seat.number): target for target in targets if target.seat}
    texts: dict[str, Labelled] = {
        key: state.side_label(target.seat) for key, target in named.items() if target.seat
    }
    texts["stays"] = DetailedOption(
        say("Leave the rest with {who}", who=payment_party_label(source)), is_decline_option=True
    )
    question = say("{n} is left over. Who gets the rest?", n=remainder)
    chosen = await Choose(None, question, texts, log_name=say("Who gets the rest?"))
    if chosen != "stays":
        paid += await pay_or_ask(
            state, source, named[chosen], remainder, is_known_affordable=is_known_affordable
        )
    return paid


def pay_legacy_bid_to_bank(state: TemplateState, seat: Seat, amount: int) -> None:
    """Pays a bid to the bank in matches older than templates' rules.

    If the purse holds less than the bid, all that it holds is paid.
    """
    paid = state.table.move_up_to(
        state.purses[state.money_piece][seat], state.banks[state.money_piece], amount
    )
    text = "{seat} pays {amount}." if paid == amount else "{seat} can pay only {amount}."
    state.table.add_note(say(text, seat=seat, amount=paid))


def payment_party_label(place: Place) -> Labelled:
    """Returns the label of a payer or payee: the name of a seat, or else the place."""
    return place.seat or place


def announce_full_payment(
    state: TemplateState, source: Place, targets: Sequence[Place], amount_paid: int, amount_due: int
) -> None:
    """Announces who paid whom how much, if all of the amount due was paid.

    If less was paid, people know why: they were asked.
    """
    if not amount_paid or amount_paid < amount_due:
        return
    whom, giver = say_list([payment_party_label(target) for target in targets]), payment_party_label(source)
    if len(targets) == 1:
        state.table.add_note(say("{who} pays {whom} {amount}.", who=giver, whom=whom, amount=amount_paid))
    else:
        state.table.add_note(
            say("{who} pays {whom} {amount} in all.", who=giver, whom=whom, amount=amount_paid)
        )


# A payment that can't be made, or nobody may know whether it can


def _is_surely_there(giver: MoneyAtPlace, amount: int) -> bool:
    """True if everybody may know that the money is there."""
    return not amount or giver.is_endless or (not giver.covered and giver.total_value >= amount)


def _tell_no_notes(state: TemplateState, amount: int) -> None:
    text = "These notes can't add up to {amount}. Change some notes first."
    state.table.add_note(say(text, amount=amount))


async def _ask_what_happens(
    state: TemplateState, giver: MoneyAtPlace, targets: Sequence[Place], amount: int, *, whole: bool = False
) -> str:
    """Asks what happens with a payment; one answer is that nothing is paid."""
    place, options = giver.place, dict[str, Labelled]()
    options["pay"] = DetailedOption(say("Pay everything"), price=amount, note=_missing_note(giver, amount))
    if not whole and (giver.covered or giver.count > 0):
        is_known = giver.covered or _whole_part(giver, amount) is not None
        options["part"] = PAY_ALL if is_known else PAY_PART
    for key, source in state.money_sources.items():
        if place.seat and source.is_available_to(state, place.seat):
            options[key] = DetailedOption(source.label)
    options["nothing"] = PAY_NOTHING
    refusal = say("{who} can't pay {amount}.", who=payment_party_label(place), amount=amount)
    needs = {"pay": OptionRequirement(giver, amount, refusal)}
    question = _payment_question(giver, targets, amount)
    return await Choose(None, question, options, needs, log_name=say("What happens?"))


def _payment_question(giver: MoneyAtPlace, targets: Sequence[Place], amount: int) -> Say:
    """The question that says why a payment isn't made by itself."""
    whom, due = say_list([payment_party_label(target) for target in targets]), say("{n}", n=amount)
    if len(targets) > 1:
        due = say("{n} in all", n=amount)
    name, text = (
        payment_party_label(giver.place),
        "{who} must pay {whom} {due}, but has only {held}. What now?",
    )
    if giver.covered:
        return say("{who} must pay {whom} {due}. What now?", who=name, whom=whom, due=due)
    if giver.total_value < 0:
        text = "{who} already owes {n} and must pay {whom} {due}. What now?"
        return say(text, who=name, n=-giver.total_value, whom=whom, due=due)
    if giver.total_value >= amount:
        text = "{who} has no notes to pay {whom} exactly {due}. What now?"
        return say(text, who=name, whom=whom, due=due)
    return say(text, who=name, whom=whom, due=due, held=giver.total_value)


def _missing_note(giver: MoneyAtPlace, amount: int) -> Say | None:
    """The note that a payment becomes a debt, or that something must be sold or borrowed first."""
    if giver.covered or giver.total_value >= amount:
        return None
    if giver.count >= amount:
        return say("{n} of this becomes debt", n=amount - max(giver.total_value, 0))
    return say("not enough money yet")


def _whole_part(giver: MoneyAtPlace, due: int) -> int | None:
    """All the money there is, if it is less than due; None if people must say how much, as with debts."""
    return giver.total_value if giver.count == giver.total_value < due else None


async def _ask_part(giver: MoneyAtPlace, due: int) -> int:
    """The part of a payment that can be made: all the money there is, or what the payer enters."""
    there = None if giver.covered else _whole_part(giver, due)
    if there is not None:
        return there
    question, log_text = say("You owe {due}. How much will you pay?", due=due), say("How much do you pay?")
    return await Amount(giver.place.seat, question, 0, due, paid_from=giver, log_name=log_text)


# Actions of the menu


def money_place_by_key(state: TemplateState) -> dict[str, Place]:
    """Returns all places where money may lie, by key: purses, the bank, places and treasuries."""
    return {
        **{str(seat.number): state.purse(seat).place for seat in state.sides},
        "bank": state.bank,
        **{f"place {at}": place for at, place in enumerate(TemplatePlaces.of(state).places)},
        **{f"company {at}": place for at, place in enumerate(state.treasuries)},
    }


def label_by_place_key(state: TemplateState, place_by_key: Mapping[str, Place]) -> dict[str, Labelled]:
    """Returns the label of each place, by the key of the place."""
    return {key: state.side_label(place.seat) if place.seat else place for key, place in place_by_key.items()}


async def ask_and_make_payment(state: TemplateState) -> None:
    """Asks who pays whom and how much, and makes the payment.

    Payer and payee may be everybody, and all players can share one amount.
    """
    there = money_place_by_key(state)
    payers = {**label_by_place_key(state, there), EVERYBODY: say("Everybody")}
    payer = await Choose(None, say("Who pays?"), payers)
    others = {key: place for key, place in there.items() if key != payer}
    payees = label_by_place_key(state, others)
    if payer != EVERYBODY and purses_of_sides_among(state, others):
        payees |= {EVERYBODY: say("Everybody, this amount each"), EVENLY: say("Everybody, shared evenly")}
    payee = await choose_payee(payers[payer], payees)
    giver = there[payer].seat if payer in there else None
    question = say("From {payer} to {payee}: how much?", payer=payers[payer], payee=payees[payee])
    amount = await Amount(giver, question, 1, MAX_PAYMENT, log_name=say("How much?"))
    if payee == EVENLY:
        targets = purses_of_sides_among(state, others)
        paid = await split_payment_evenly(state, there[payer], targets, amount)
        announce_full_payment(state, there[payer], targets, paid, amount - amount % len(targets))
    for source, targets in pair_payers_with_payees(state, there, payer, payee):
        paid = await pay_each_or_ask(state, source, targets, amount)
        announce_full_payment(state, source, targets, paid, amount * len(targets))


async def choose_payee(payer: Labelled, payees: Mapping[str, Labelled]) -> str:
    """Asks whom the payer pays; returns the key of the payee."""
    question = say("Whom does {payer} pay?", payer=payer)
    return await Choose(None, question, payees, log_name=say("Who is paid?"))


def pair_payers_with_payees(
    state: TemplateState, place_by_key: Mapping[str, Place], payer_key: str, payee_key: str
) -> Iterator[tuple[Place, list[Place]]]:
    """Yields each payer with the places that it pays; nobody pays themselves.

    It yields nothing for an evenly shared payment, which is made separately.
    """
    if payee_key == EVENLY:
        return
    seats = purses_of_sides_among(state, place_by_key)
    targets = seats if payee_key == EVERYBODY else [place_by_key[payee_key]]
    for source in seats if payer_key == EVERYBODY else [place_by_key[payer_key]]:
        if others := [target for target in targets if target != source]:
            yield source, others


def purses_of_sides_among(state: TemplateState, place_by_key: Mapping[str, Place]) -> list[Place]:
    """Returns those of these places that are purses of sides still in the match."""
    return [state.purse(seat).place for seat in state.sides if str(seat.number) in place_by_key]


async def ask_and_pay_percentage(state: TemplateState) -> None:
    """Asks who pays whom what percentage of the payer's money, and pays it, rounded down."""
    there = money_place_by_key(state)
    texts = {
        key: text
        for key, text in label_by_place_key(state, there).items()
        if not state.money_at(there[key]).is_endless
    }
    payers = {**texts, EVERYBODY: say("Everybody")}
    payer = await Choose(None, say("Who pays?"), payers)
    others = {key: place for key, place in there.items() if key != payer}
    payees = label_by_place_key(state, others)
    payee = await choose_payee(payers[payer], payees)
    giver = there[payer].seat if payer in there else None
    question = say("From {payer} to {payee}: what percentage?", payer=payers[payer], payee=payees[payee])
    percent = await Amount(giver, question, 1, PERCENT, log_name=say("How many percent?"))
    for source, (target,) in pair_payers_with_payees(state, there, payer, payee):
        amount = max(0, state.money_at(source).total_value) * percent // PERCENT
        paid = await pay_or_ask(state, source, target, amount)
        state.table.add_note(say("{who} pays {amount}.", who=payment_party_label(source), amount=paid))


async def ask_who_gets_salary_and_pay(state: TemplateState) -> None:
    """Asks who gets the salary of the template; the bank pays it."""
    seat = await state.choose_side(say("Who gets the salary?"))
    target = state.purse(seat).place
    paid = await pay_or_ask(state, state.bank, target, state.money_rules.salary)
    announce_full_payment(state, state.bank, [target], paid, state.money_rules.salary)


async def ask_and_pay_out_place(state: TemplateState) -> None:
    """Asks which place pays out all its money, and to whom, and pays it out."""
    places = {str(at): place for at, place in enumerate(TemplatePlaces.of(state).places)}
    key = next(iter(places))
    if len(places) > 1:
        question = say("Which place pays out?")
        key = await Choose(None, question, label_by_place_key(state, places), log_name=say("Which?"))
    place = places[key]
    amount = state.money_at(place).total_value
    if not amount:
        state.table.add_note(say("{place} has no money.", place=place))
        return
    texts: dict[str, Labelled] = {str(seat.number): state.side_label(seat) for seat in state.sides}
    texts[SEVERAL] = DetailedOption(say("Several players share it"), is_decline_option=True)
    question = say("{place}: who gets the money?", place=place)
    chosen = await Choose(None, question, texts, about=place, log_name=say("Who gets it?"))
    winners = (
        await choose_seats_sharing_money(state, place)
        if chosen == SEVERAL
        else [state.seats.seat_numbered(int(chosen))]
    )
    targets = [state.purse(seat).place for seat in winners]
    paid = await split_payment_evenly(state, place, targets, amount)
    announce_full_payment(state, place, targets, paid, amount - amount % len(targets))


async def choose_seats_sharing_money(state: TemplateState, place: Place) -> list[Seat]:
    """Asks which seats share the money of a place.

    The table chooses one seat after the other; at least two.
    """
    question = say("{place}: who shares the money?", place=place)
    found = list[Seat]()
    while len(found) < len(state.sides):
        texts: dict[str, Labelled] = {
            str(one.number): state.side_label(one) for one in state.sides if one not in found
        }
        if len(found) > 1:
            texts[DONE] = DetailedOption(say("Nobody else"), is_decline_option=True)
        chosen = await Choose(None, question, texts, log_name=say("Who has a share?"))
        if chosen == DONE:
            break
        found.append(state.seats.seat_numbered(int(chosen)))
    return found


# Payments of each round


async def pay_income_to_everybody(state: TemplateState) -> None:
    """Pays everybody the income of the template."""
    if income := state.money_rules.income:
        targets = [state.purse(seat).place for seat in state.sides]
        paid = await pay_each_or_ask(state, state.bank, targets, income)
        announce_full_payment(state, state.bank, targets, paid, income * len(targets))


async def pay_blinds(state: TemplateState) -> None:
    """Pays the small and the big blind into the first place of the template.

    The two seats after the marker pay them. With two players, the holder of the marker pays the small
    blind.
    """
    rules, dealer = state.money_rules, start_or_dealer_marker_holder(state)
    order = (
        [] if dealer is None else [seat for seat in state.seats.starting_after(dealer) if seat in state.sides]
    )
    if len(order) < HEADS_UP_PLAYER_COUNT or not rules.small_blind + rules.big_blind:
        return
    small, big = (
        (order[-1], order[0]) if len(order) == HEADS_UP_PLAYER_COUNT else order[:HEADS_UP_PLAYER_COUNT]
    )
    for seat, amount in ((small, rules.small_blind), (big, rules.big_blind)):
        paid = await pay_or_ask(state, state.purse(seat).place, TemplatePlaces.of(state).places[0], amount)
        state.table.add_note(say("{seat} pays a blind of {amount}.", seat=seat, amount=paid))


def has_payments(state: TemplateState) -> bool:
    """True if the template allows payments and has pieces."""
    return bool(state.pieces) and state.money_rules.payments


def has_places(state: TemplateState) -> bool:
    """True if the template has places, which can pay out their money."""
    return bool(TemplatePlaces.of(state).places)


# Errors in a template


def find_money_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about money.

    Errors are contradictions, and a missing piece of money or place.
    """
    rules, notes = template.money_rules, sorted(filter(None, template.money_value_by_piece_id.values()))
    if rules.payments and not notes:
        yield NEEDS_MONEY
    if rules.covered and len(notes) > 1:
        yield say("A covered purse can hold only one kind of money.")
    if rules.covered and rules.debts > 0:
        yield say("A covered purse can't have debts. Set debts to 0.")
    if rules.small_blind + rules.big_blind > 0 and not template.designs_of_kind("place"):
        yield NEEDS_PLACE
    yield from _amount_errors(template, notes)


def _amount_errors(template: Template, notes: Sequence[int]) -> Iterator[Say]:
    """Amounts that are paid where there is no money, or that the notes can't make."""
    rules = template.money_rules
    for field in FIELDS_NEEDING_MONEY_PIECE:
        if not notes and getattr(rules, field):
            yield say("{field} needs a piece that serves as money.", field=field)
    for field in AUTOMATIC_PAYMENT_FIELDS:
        if notes and (amount := getattr(rules, field)) % gcd(*notes):
            text = "{field} can't be {value}: the notes can pay only multiples of {note}."
            yield say(text, field=field, note=gcd(*notes), value=amount)
    if notes and 0 < rules.debts < notes[0]:
        text = "debts can't be {value}. It must be 0 or at least the smallest banknote, {least}."
        yield say(text, least=notes[0], value=rules.debts)


# How it looks


def build_bank_and_place_rows(template: Template) -> Iterator[PieceRow]:
    """Yields a row of pieces for the bank and for each place of the template."""
    if pieces := tuple(template.design_by_piece):
        for place in (BANK, *[design_label(one) for one in template.designs_of_kind("place")]):
            yield PieceRow(place, pieces, label=place)


MENU = (
    MenuAction("salary", lambda state: say("Salary {n}", n=state.money_rules.salary),
               ask_who_gets_salary_and_pay, lambda state: state.money_rules.salary > 0, MONEY_MENU_GROUP),
    MenuAction("payment", say("Payment"), ask_and_make_payment, has_payments, MONEY_MENU_GROUP),
    MenuAction("percentage", say("Percentage"), ask_and_pay_percentage,
               lambda state: has_payments(state) and not state.money_rules.covered, MONEY_MENU_GROUP),
    MenuAction("pay_out", say("Pay out"), ask_and_pay_out_place, has_places, MONEY_MENU_GROUP),
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
        "Enter the percentage of their money that the payer pays. The companion rounds the amount down."
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
