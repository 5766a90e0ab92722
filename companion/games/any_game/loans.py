"""Loans: the bank lends money, takes it back, and may charge interest each round."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.any_game.bank import (
    DONE,
    MAX_PAYMENT,
    MONEY_GROUP,
    NEEDS_MONEY,
    PERCENT,
    announce_payment,
    pay_or_ask,
)
from companion.games.any_game.points import FRONT, keeper_of_mat
from companion.games.any_game.state import FeatureState, MenuAction, MoneySource, TemplateState
from companion.games.any_game.teams import Keepers
from companion.games.any_game.template import Template, number_on
from companion.rulebook import (
    BOX,
    Account,
    Amount,
    Choose,
    ComputedCell,
    DetailedOption,
    Piece,
    Say,
    ScoreLine,
    Seat,
    VisibleTable,
    say,
)

LOAN = Piece("loan", say("loan"), is_endless=True, count_label=say("loan of {n}", n=2))
"""One of these lies before a seat for each unit of money that it owes to the bank."""


class LoanRules(msgspec.Struct, frozen=True):
    """Whether the bank lends, and the interest in percent each round; any_game.toml explains each word."""

    loans: bool = False
    interest: int = 0


class Loans(FeatureState):
    """What each seat owes to the bank; no accounts if the bank doesn't lend."""

    def __init__(self, state: TemplateState) -> None:
        self._keeper = state.keeper
        self.accounts = (
            state.table.account_per_seat(LOAN, FRONT) if state.template.rules(LoanRules).loans else {}
        )

    def owed(self, seat: Seat) -> int:
        """The sum that a seat owes to the bank."""
        return self.accounts[self._keeper[seat]].count if self.accounts else 0


class OwedLimit(msgspec.Struct, frozen=True):
    """The most that a seat can pay back: the sum that it owes."""

    loans: Account
    covered: bool = False

    @property
    def count(self) -> int:
        """The sum that is owed now."""
        return self.loans.count


async def borrow(state: TemplateState, seat: Seat) -> None:
    """Asks how much a seat borrows; the bank lends it if it has it."""
    question, log_text = say("How much do you want to borrow?"), say("How much do you borrow?")
    fund = state.money_at(state.bank)
    amount = await Amount(seat, question, 0, MAX_PAYMENT, paid_from=fund, log_name=log_text)
    target = state.purse(seat).place
    if paid := await pay_or_ask(state, state.bank, target, amount, whole=True):
        announce_payment(state, state.bank, [target], paid, amount)
        state.table.move(state.table.account(LOAN, BOX), Loans.of(state).accounts[seat], amount)


async def pay_back(state: TemplateState, seat: Seat) -> None:
    """Asks how much a seat pays back."""
    owed = Loans.of(state).accounts[seat]
    question, log_text = say("How much will you pay back?"), say("How much do you pay back?")
    amount = await Amount(seat, question, 0, OwedLimit(owed), paid_from=state.purse(seat), log_name=log_text)
    source = state.purse(seat).place
    if paid := await pay_or_ask(state, source, state.bank, amount, whole=True, known=True):
        announce_payment(state, source, [state.bank], paid, amount)
        state.table.move(owed, state.table.account(LOAN, BOX), amount)


def lends(state: TemplateState, _seat: Seat) -> bool:
    """True if the bank lends to anybody."""
    return bool(Loans.of(state).accounts)


async def choose_borrower(state: TemplateState) -> None:
    """Asks who borrows, and how much."""
    await borrow(state, await state.choose_side(say("Who borrows?")))


async def choose_debtor(state: TemplateState) -> None:
    """Asks who pays back, and how much."""
    debtors = {str(seat.number): _debtor_offer(state, seat) for seat in state.sides}
    seat = await Choose(
        None, say("Who pays back?"), {**debtors, DONE: DetailedOption(say("Nobody"), is_way_out=True)}
    )
    if seat != DONE:
        await pay_back(state, state.seats.seat_numbered(int(seat)))


def _debtor_offer(state: TemplateState, seat: Seat) -> DetailedOption:
    """A seat with the sum that it owes, or the reason why it pays nothing back."""
    owed, held = Loans.of(state).owed(seat), state.purse(seat)
    cant = None
    if not owed:
        cant = say("{seat} owes nothing.", seat=seat)
    elif not held.covered and held.count < 1:
        cant = say("{seat} has no money.", seat=seat)
    note = say("owes {n}", n=owed) if owed else None
    return DetailedOption(say("{seat}", seat=state.side_label(seat)), note=note, barred_reason=cant)


async def charge_interest(state: TemplateState) -> None:
    """Charges everybody the interest of a round, rounded up."""
    interest = state.template.rules(LoanRules).interest
    for seat in state.sides if interest else ():
        due = -(-Loans.of(state).owed(seat) * interest // PERCENT)
        if due:
            paid = await pay_or_ask(state, state.purse(seat).place, state.bank, due)
            state.table.add_note(say("{seat} pays {amount} interest.", seat=seat, amount=paid))


def errors(template: Template) -> Iterator[Say]:
    """Loans need money, and interest needs loans."""
    rules = template.rules(LoanRules)
    if rules.loans and template.money_piece is None:
        yield NEEDS_MONEY
    if rules.interest > 0 and not rules.loans:
        yield say('interest needs the setting "loans = yes".')


def score_lines(state: TemplateState, seat: Seat) -> Iterator[ScoreLine]:
    """The debt of a seat as negative points, where money counts at the end."""
    if Loans.of(state).accounts and state.pieces and number_on(state.pieces[state.money_piece], "worth"):
        yield ScoreLine(say("loans"), -state.template.points_of_money(Loans.of(state).owed(seat)))


def scene_points(look: VisibleTable, template: Template, seat: Seat) -> int:
    """The debt of a seat, as the scene subtracts it from its total."""
    return -template.points_of_money(look.open_count(LOAN, FRONT, seat))


def mat_cells(template: Template, keeper: Keepers) -> Iterator[ComputedCell]:
    """The debt of the seat."""
    if template.rules(LoanRules).loans:
        yield ComputedCell(
            LOAN.label, lambda look, seat: look.open_count(LOAN, FRONT, keeper_of_mat(keeper, seat))
        )


MONEY_SOURCE = MoneySource(say("Borrow first"), lends, borrow)
MENU = (
    MenuAction(
        "borrow",
        say("Borrow"),
        choose_borrower,
        lambda state: state.template.rules(LoanRules).loans,
        MONEY_GROUP,
    ),
    MenuAction(
        "repay",
        say("Pay back"),
        choose_debtor,
        lambda state: state.template.rules(LoanRules).loans,
        MONEY_GROUP,
    ),
)
HELP = {
    "Who borrows?": say("The bank lends money. Some templates charge interest each round."),
    "How much do you want to borrow?": say(
        "Enter how much the bank lends you. You owe this money until you pay it back."
    ),
    "Who pays back?": say("Choose who pays back all or part of a loan."),
    "How much will you pay back?": say("Enter how much you pay back now."),
}
