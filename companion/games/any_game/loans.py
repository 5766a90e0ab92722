"""Loans: the bank lends money, takes it back, and may charge interest each round."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.any_game.bank import (
    DONE_KEY,
    MAX_PAYMENT,
    NEEDS_MONEY_ERROR,
    pay_or_ask,
)
from companion.games.any_game.points import FRONT, captain_of_mat
from companion.games.any_game.rounding import UP, percentage_of
from companion.games.any_game.state import (
    MONEY_GROUP,
    FeatureState,
    MenuAction,
    MoneySource,
    NeededPieces,
    TemplateState,
)
from companion.games.any_game.teams import CaptainBySeat
from companion.games.any_game.template import Template, read_number
from companion.rulebook import (
    BOX,
    Account,
    Amount,
    Choose,
    ComputedCell,
    DetailedOption,
    Labelled,
    Piece,
    Say,
    ScoreLine,
    Seat,
    VisibleTable,
    say,
)

LOAN = Piece("loan", say("loan"), is_endless=True, count_label=say("loan of {n}", n=2))
"""One unit of money owed to the bank; these pieces lie before the seat that owes."""


class LoanRules(msgspec.Struct, frozen=True):
    """Rules for the interest on loans, in percent each round, and its rounding.

    any_game.toml explains each word. Whether the bank lends stands in `MoneyRules`.
    """

    interest: int = 0
    interest_rounding: str = UP


class Loans(FeatureState):
    """Accounts of what each seat owes to the bank; none if the bank doesn't lend."""

    def __init__(self, state: TemplateState) -> None:
        self._captain_by_seat = state.captain_by_seat
        self.accounts = state.table.account_by_seat(LOAN, FRONT) if state.money_rules.loans else {}

    def amount_owed_by(self, seat: Seat) -> int:
        """Returns the amount that a seat owes to the bank."""
        return self.accounts[self._captain_by_seat[seat]].count if self.accounts else 0


class DebtLimit(msgspec.Struct, frozen=True):
    """Limit of what a seat can pay back: the amount that it owes.

    The money in the purse limits a repayment separately.
    """

    loans: Account
    covered: bool = False

    @property
    def count(self) -> int:
        """The amount that is owed now."""
        return self.loans.count


async def ask_amount_and_borrow(state: TemplateState, seat: Seat) -> None:
    """Asks how much a seat borrows; the bank lends it if it has the money."""
    cash, debt = state.purse(seat), Loans.of(state).amount_owed_by(seat)
    question = say("You owe {debt}. How much do you want to borrow?", debt=debt)
    if not cash.covered:
        question = say(
            "You have {cash} and owe {debt}. How much do you want to borrow?", cash=cash.count, debt=debt
        )
    log_name = say("How much do you borrow?")
    bank_money = state.money_at(state.bank_place)
    amount = await Amount(
        seat,
        question,
        0,
        MAX_PAYMENT,
        paid_from=bank_money,
        log_name=log_name,
        confirm_above=state.confirm_money_above,
    )
    target = state.purse(seat).place
    if amount and await pay_or_ask(state, state.bank_place, target, amount, all_or_nothing=True):
        state.table.add_note(say("{seat} borrows {amount}.", seat=seat, amount=amount))
        state.table.move(state.table.account(LOAN, BOX), Loans.of(state).accounts[seat], amount)


async def ask_amount_and_pay_back(state: TemplateState, seat: Seat) -> None:
    """Asks how much of its loans a seat pays back, and pays it to the bank."""
    loans = Loans.of(state).accounts[seat]
    cash, debt = state.purse(seat), loans.count
    question = say("You owe {debt}. How much will you pay back?", debt=debt)
    if not cash.covered:
        question = say(
            "You have {cash} and owe {debt}. How much will you pay back?", cash=cash.count, debt=debt
        )
    log_name = say("How much do you pay back?")
    amount = await Amount(
        seat,
        question,
        1,
        DebtLimit(loans),
        paid_from=cash,
        decline=True,
        zero_label=say("not now"),
        log_name=log_name,
    )
    source = state.purse(seat).place
    if amount and await pay_or_ask(
        state, source, state.bank_place, amount, all_or_nothing=True, is_known_affordable=True
    ):
        state.table.add_note(say("{seat} pays back {amount}.", seat=seat, amount=amount))
        # People may have moved loans by hand while the table was asked about the payment.
        state.table.move_up_to(loans, state.table.account(LOAN, BOX), amount)


def is_lending_allowed(state: TemplateState, _seat: Seat) -> bool:
    """Returns True if the bank lends to a seat; it lends to every seat or to none."""
    return bool(Loans.of(state).accounts)


def _has_loans(state: TemplateState) -> bool:
    return state.money_rules.loans


async def ask_borrower_and_amount(state: TemplateState) -> None:
    """Asks who borrows how much from the bank, and lends it."""
    await ask_amount_and_borrow(state, await state.choose_side(say("Who borrows?")))


def find_debts(state: TemplateState) -> NeededPieces:
    """Returns the loans of all players, without which nobody can pay back."""
    accounts = Loans.of(state).accounts.values()
    return NeededPieces(accounts, say("Nobody owes anything."))


async def ask_debtor_and_repayment(state: TemplateState) -> None:
    """Asks who pays back how much to the bank, and collects it."""
    debtor_options = {str(seat.number): _make_debtor_option(state, seat) for seat in state.playing_sides}
    debtor_key = await Choose(
        None,
        say("Who pays back?"),
        {**debtor_options, DONE_KEY: DetailedOption(say("Nobody"), is_decline_option=True)},
    )
    if debtor_key != DONE_KEY:
        await ask_amount_and_pay_back(state, state.seats.seat_numbered(int(debtor_key)))


def _make_debtor_option(state: TemplateState, seat: Seat) -> DetailedOption:
    """Returns a seat as an option: the amount that it owes, or the reason why it can't pay back."""
    amount_owed, purse = Loans.of(state).amount_owed_by(seat), state.purse(seat)
    barred_reason = None
    if not amount_owed:
        barred_reason = say("{seat} owes nothing.", seat=seat)
    elif not purse.covered and purse.count < 1:
        barred_reason = say("{seat} has no money.", seat=seat)
    note = say("owes {n}", n=amount_owed) if amount_owed else None
    return DetailedOption(say("{seat}", seat=state.side_label(seat)), note=note, barred_reason=barred_reason)


async def charge_everybody_interest(state: TemplateState) -> None:
    """Charges everybody the interest of a round on their loans, rounded as the template says."""
    rules = state.template.read_rules(LoanRules)
    for seat in state.playing_sides:
        due = percentage_of(Loans.of(state).amount_owed_by(seat), rules.interest, rules.interest_rounding)
        if due.amount:
            paid = await pay_or_ask(state, state.purse(seat).place, state.bank_place, due.amount)
            _announce_interest(state, seat, due.label_of_payment(paid))


def _announce_interest(state: TemplateState, seat: Seat, amount: Labelled | int) -> None:
    state.table.add_note_about(
        say("{seat}", seat=seat),
        say("{seat} pays {amount} interest.", seat=seat, amount=amount),
        lambda who: say("{who} each pay {amount} interest.", who=who, amount=amount),
    )


def find_loan_rule_errors(template: Template) -> Iterator[Say]:
    """Yields errors in the rules about loans.

    Errors are loans without money, interest without loans, and its rounding without interest.
    """
    rules, has_loans = template.read_rules(LoanRules), template.money_rules.loans
    if has_loans and template.money_piece is None:
        yield NEEDS_MONEY_ERROR
    if rules.interest > 0 and not has_loans:
        yield say('interest needs the setting "loans = yes".')
    if rules.interest_rounding != UP and not rules.interest:
        yield say("interest_rounding needs interest. Set interest to more than 0.")


def debt_score_lines(state: TemplateState, seat: Seat) -> Iterator[ScoreLine]:
    """Yields a seat's debt as a line of negative points, if money counts at the end."""
    if (
        Loans.of(state).accounts
        and state.design_by_piece
        and read_number(state.design_by_piece[state.money_piece], "worth")
    ):
        yield ScoreLine(say("loans"), -state.template.points_for_money(Loans.of(state).amount_owed_by(seat)))


def visible_debt_points(look: VisibleTable, template: Template, seat: Seat) -> int:
    """Returns a seat's debt as negative points, as the scene adds them to its total."""
    return -template.points_for_money(look.visible_count_or_zero(LOAN, FRONT, seat))


def build_debt_cells(template: Template, captain_by_seat: CaptainBySeat) -> Iterator[ComputedCell]:
    """Yields the cell with a seat's debt, if the bank lends."""
    if template.money_rules.loans:
        yield ComputedCell(
            LOAN.label,
            lambda look, seat: look.visible_count_or_zero(LOAN, FRONT, captain_of_mat(captain_by_seat, seat)),
        )


MONEY_SOURCE = MoneySource(say("Borrow first"), is_lending_allowed, ask_amount_and_borrow)
MENU = (
    MenuAction(
        "borrow",
        say("Borrow"),
        ask_borrower_and_amount,
        MONEY_GROUP,
        _has_loans,
    ),
    MenuAction(
        "repay",
        say("Pay back"),
        ask_debtor_and_repayment,
        MONEY_GROUP,
        _has_loans,
        find_debts,
    ),
)
BORROWING_HELP = say("Enter how much the bank lends you. You owe this money until you pay it back.")
REPAYMENT_HELP = say("Enter how much you pay back now.")
HELP = {
    "Who borrows?": say("The bank lends money. Some templates charge interest each round."),
    "You owe {debt}. How much do you want to borrow?": BORROWING_HELP,
    "You have {cash} and owe {debt}. How much do you want to borrow?": BORROWING_HELP,
    "Who pays back?": say("Choose who pays back all or part of a loan."),
    "You owe {debt}. How much will you pay back?": REPAYMENT_HELP,
    "You have {cash} and owe {debt}. How much will you pay back?": REPAYMENT_HELP,
}
