"""The bank of Any Game against a reducer kept in tests: acts in any order, back and forth, and restarts.

Rounding, debts, and what a bank without enough money does are rules of the templates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.cards import Deck
from companion.games.any_game.rulebook import GAME
from companion.requests import Amount
from companion.scenes import evaluate_scene
from companion.session.view import make_view
from companion.testing import Script
from tests.any_game_presets import read as template
from tests.support import reference_bank as bank
from tests.support.games.any_game_helpers import NAMES, question_text, rules_card, template_card
from tests.support.soak import SOAK

CARDS = (
    template_card("place", "pot"),
    template_card("company", "north", shares=bank.SHARES, step_at=1),
    template_card("company", "coast", shares=bank.SHARES, step_at=2),
)
SUPPLY = 90
MOST = 99


def deck(*pieces: str, **said: object) -> Deck:
    """The template with this money, and with what the rules say beside."""
    all_rules = rules_card(
        payments="yes", salary=bank.SALARY, income=bank.INCOME, loans="yes", interest=bank.INTEREST,
        auction="aloud", payee="place", out="yes", **said,
    )  # fmt: skip  # a template
    cards = [f"[[card]]\n{one}" for one in (all_rules, *CARDS, *pieces)]
    return template("\n".join([f"[board]\nprices = {[*bank.TRACK]}", *cards]), "bank")


seats, amounts, companies = st.integers(0, bank.SEATS - 1), st.integers(1, MOST), st.integers(0, 1)
places = st.one_of(seats, st.sampled_from([bank.POT, bank.BANK]))


def named(place: bank.Place) -> str:
    """As a line names it."""
    return NAMES[place] if isinstance(place, int) else place


class Banking(RuleBasedStateMachine):
    """A table with notes that never run out, and the books beside it."""

    DECK = deck(
        template_card("piece", "one", note=1, worth=1, start=15),
        template_card("piece", "five", note=5, worth=5, start=(bank.START - 15) // 5),
    )
    NOTES: Mapping[str, int] = {"one": 1, "five": 5}
    BOOKS = bank.Books()

    def __init__(self) -> None:
        super().__init__()
        self.script = Script(GAME, *NAMES, decks={"any_game": self.DECK})
        self.books = self.BOOKS
        self.before: list[tuple[int, bank.Books]] = []
        self.ahead: bank.Books | None = None
        self.money_in_play = self._all_money()

    def does(self, act: bank.Act, *lines: str, part: bool = False) -> None:
        """An act in lines; who can't pay owes, pays a part or nothing, what is left over stays."""
        self.before.append((len(self.script.session.steps), self.books))
        self.ahead = None
        if lines:  # a bank that was overdrawn by hand is declared broken with the next answer
            self.books = self.books.with_money_added(bank.BANK, 0)
        self.script.says(*lines)
        while question_text(self.script) != "What is next?":
            self.script.says(self._answer(part=part))
        after = act.apply_to(self.books)
        self.books = after if lines else replace(after, broken=self.books.broken)

    def _answer(self, *, part: bool) -> str:
        """Answers what is asked about a payment, and goes on if the bank is broken."""
        limits = self.script.open_question_limits
        options = limits.get("options")
        if options is None:
            assert isinstance(self.script.question, Amount)
            assert self.script.question.seat is not None
            return f"{self.script.question.seat.name} {limits['most']}"
        if "becomes debt" in options.get("pay", ""):
            return "table: pay"
        ways = ("go_on", "stays", *(["part"] if part else []), "nothing")
        return f"table: {next(way for way in ways if way in options)}"

    def is_in(self, *places: bank.Place) -> bool:
        """Whether nobody of them has left for good."""
        return all(place in self.books.inside for place in places if isinstance(place, int))

    # Payments

    @rule(source=places, payee=places, amount=amounts, part=st.booleans())
    def pays(self, source: bank.Place, payee: bank.Place, amount: int, part: bool) -> None:
        """From one to another, by the menu."""
        if source != payee and self.is_in(source, payee):
            keys = ["place 0" if one == bank.POT else named(one) for one in (source, payee)]
            who = named(source) if isinstance(source, int) else "table"
            lines = "table: payment", f"table: {keys[0]}", f"table: {keys[1]}", f"{who} {amount}"
            if self.refuses_more_than_there_is(source) and not self.books.can_pay(source, amount):
                probe, held = self.script.copy().says(lines[0]), self.books.money_at(source)
                assert held is not None
                if held > 0:
                    probe.says(*lines[1:-1])
                probe.refuses(lines[-1] if held > 0 else lines[1])
                return
            self.does(bank.Pay(source, payee, amount, part), *lines, part=part)

    def refuses_more_than_there_is(self, source: bank.Place) -> bool:
        """Whether nobody is asked what happens with a payment from there that is too high."""
        return source == bank.POT or (source == bank.BANK and self.books.empty_bank == "ask")

    @rule(source=places, payee=places, amount=amounts)
    def pays_by_hand(self, source: bank.Place, payee: bank.Place, amount: int) -> None:
        """Pays in one line: all of it or nothing."""
        line = f"pay {named(source)} {named(payee)} {amount}"
        if source == payee or not self.books.can_pay(source, amount):
            self.script.refuses(line)
            return
        self.does(bank.Pay(source, payee, amount))
        self.script.says(line)

    @rule(payee=seats, amount=st.integers(1, 30), part=st.booleans())
    def all_pay(self, payee: int, amount: int, part: bool) -> None:
        """Everybody pays somebody."""
        if self.is_in(payee):
            lines = "table: payment", "table: all", f"table: {named(payee)}", f"table {amount}"
            self.does(bank.AllPay(payee, amount, part), *lines, part=part)

    @rule(payee=seats, amount=st.integers(1, 30))
    def all_pay_by_hand(self, payee: int, amount: int) -> None:
        """Lets everybody pay in one line: all of them everything, or nothing."""
        line = f"all {named(payee)} {amount}"
        costs = [(seat, amount) for seat in self.books.inside if seat != payee]
        self.pays_in_a_line(line, bank.AllPay(payee, amount), costs)

    @rule(source=st.one_of(seats, st.just(bank.BANK)), amount=st.integers(1, 30))
    def pays_all_by_hand(self, source: bank.Place, amount: int) -> None:
        """One line the other way round."""
        others = [seat for seat in self.books.inside if seat != source]
        line = f"{named(source)} all {amount}"
        self.pays_in_a_line(line, bank.PayAll(source, amount), [(source, amount * len(others))])

    def pays_in_a_line(self, line: str, act: bank.Act, costs: Sequence[tuple[bank.Place, int]]) -> None:
        """All of it, or where somebody has too little a refusal."""
        if not all(self.books.can_pay(place, cost) for place, cost in costs):
            self.script.refuses(f"pay {line}")
            return
        self.does(act)
        self.script.says(f"pay {line}")

    @rule(payee=st.one_of(seats, st.just(bank.POT)), percent=st.integers(1, 100))
    def are_taxed(self, payee: bank.Place, percent: int) -> None:
        """Everybody pays a part of what they have."""
        if self.is_in(payee):
            key = "place 0" if payee == bank.POT else named(payee)
            lines = "table: percentage", "table: all", f"table: {key}", f"table {percent}"
            self.does(bank.AllPayPercent(payee, percent), *lines)

    @precondition(lambda self: len(self.books.inside) == bank.SEATS)
    @rule(seat=seats)
    def leaves(self, seat: int) -> None:
        """One is out for good; two are left."""
        self.does(bank.Leave(seat), "table: out", f"table: {named(seat)}")

    @rule(source=seats, amount=amounts)
    def shares_out(self, source: int, amount: int) -> None:
        """Somebody shares a sum among the others."""
        if not self.is_in(source):
            return
        lines = "table: payment", f"table: {named(source)}", "table: evenly", f"{named(source)} {amount}"
        self.does(bank.ShareOut(source, amount), *lines, part=True)

    @rule(seat=seats)
    def gets_a_salary(self, seat: int) -> None:
        """What the template says."""
        if self.is_in(seat):
            self.does(bank.Salary(seat), "table: salary", f"table: {named(seat)}", part=True)

    @precondition(lambda self: self.books.pot)
    @rule(winners=st.lists(seats, min_size=1, unique=True))
    def wins_the_pot(self, winners: list[int]) -> None:
        """One, or several who share it."""
        if not self.is_in(*winners):
            return
        names = [f"table: {named(seat)}" for seat in winners]
        if len(names) > 1:
            names = [
                "table: several",
                *names,
                *(["table: done"] if len(names) < len(self.books.inside) else []),
            ]
        self.does(bank.PayOutPot(tuple(winners)), "table: pay_out", *names)

    # Loans and rounds

    @rule(seat=seats, amount=amounts)
    def borrows(self, seat: int, amount: int) -> None:
        """From the bank, if it has so much."""
        if not self.is_in(seat):
            return
        name = named(seat)
        if not self.books.can_pay(bank.BANK, amount):
            table = self.script.copy().says("table: borrow", f"table: {name}")
            assert table.refuses(f"{name} {amount}") == f"{name} can answer at most {self.books.bank}."
            return
        self.does(bank.Borrow(seat, amount), "table: borrow", f"table: {name}", f"{name} {amount}")

    @rule(seat=seats, chance=st.integers(0, MOST))
    def pays_back(self, seat: int, chance: int) -> None:
        """No more than is owed, nor than is there."""
        most = min(self.books.loans[seat], self.books.money[seat])
        if most > 0 and self.is_in(seat):
            name, amount = named(seat), 1 + chance % most
            self.does(bank.Borrow(seat, -amount), "table: repay", f"table: {name}", f"{name} {amount}")

    @rule()
    def goes_round(self) -> None:
        """Income and interest."""
        self.does(bank.PlayRound(), "table: round", part=True)

    # Companies and lots

    @rule(seat=seats, company=companies, count=st.integers(1, bank.SHARES))
    def buys(self, seat: int, company: int, count: int) -> None:
        """As many as are there and can be paid."""
        most = min(
            self.books.bank_shares(company), self.books.money[seat] // self.books.price(company), count
        )
        if self.books.bank_shares(company) and most >= 0 and self.is_in(seat):
            lines = "table: buy", f"table: {company}", f"table: {named(seat)}", f"{named(seat)} {most}"
            self.does(bank.Trade(seat, company, most), *lines)

    @rule(seat=seats, company=companies, count=st.integers(1, bank.SHARES))
    def sells(self, seat: int, company: int, count: int) -> None:
        """As many as are there."""
        most = min(self.books.shares[company][seat], count)
        if most and self.is_in(seat):
            lines = "table: sell", f"table: {company}", f"table: {named(seat)}", f"{named(seat)} {most}"
            self.does(bank.Trade(seat, company, -most), *lines)

    @rule(company=companies, amount=st.integers(1, 30), whose=st.sampled_from(["holders", "half", "kept"]))
    def earns(self, company: int, amount: int, whose: str) -> None:
        """A dividend, or all into the treasury, or half to each where the template allows it."""
        if whose != "half" or self.books.half_pay != "no":
            lines = "table: dividend", f"table: {company}", f"table {amount}", f"table: {whose}"
            self.does(bank.Dividend(company, amount, whose), *lines, part=True)

    @rule(company=companies, step=st.integers(1, len(bank.TRACK)))
    def is_priced(self, company: int, step: int) -> None:
        """Any other step."""
        if step != self.books.steps[company]:
            self.does(
                bank.SetPrice(company, step), "table: price", f"table: {company}", f"table: step {step}"
            )

    @rule()
    def sell_everything(self) -> None:
        """At the prices of now; without any share it is refused."""
        if not any(shares[seat] for shares in self.books.shares for seat in self.books.inside):
            assert self.script.refuses("table: sell_all") == "Nobody has a share."
            return
        self.does(bank.SellAll(), "table: sell_all")

    @rule(seat=seats, chance=st.integers(0, MOST))
    def wins_a_lot(self, seat: int, chance: int) -> None:
        """For no more than is there; the pot is paid."""
        if self.books.money[seat] > 0 and self.is_in(seat):
            name, price = named(seat), 1 + chance % self.books.money[seat]
            act = bank.Pay(seat, bank.POT, price)
            self.does(act, "table: auction", f"table: {name}", f"{name} {price}")

    # Back and forth

    @precondition(lambda self: self.before)
    @rule(far=st.integers(1, 4))
    def goes_back(self, far: int) -> None:
        """Before one of the last acts."""
        now, at = self.books, max(0, len(self.before) - far)
        kept, self.books = self.before[at]
        del self.before[at:]
        self.script.session.undo_to_step_count(kept)
        self.ahead = self.ahead or now

    @precondition(lambda self: self.ahead is not None)
    @rule()
    def puts_it_back(self) -> None:
        """All that was taken back counts again."""
        assert self.ahead is not None
        self.before.append((len(self.script.session.steps), self.books))
        self.script.session.redo(999)
        self.books, self.ahead = self.ahead, None

    @rule()
    def starts_again(self) -> None:
        """The program is started again on its log."""
        self.script.says("restart")

    @invariant()
    def the_books_agree(self) -> None:
        """Money in any notes, loans, shares, prices, treasuries, and what all of it counts."""
        assert tuple(self._money(f"{name}/purse") for name in NAMES) == self.books.money
        assert self._money(bank.POT) == self.books.pot
        assert tuple(self.script[f"{name}/front", "loan"] for name in NAMES) == self.books.loans
        for at, name in enumerate(("north", "coast")):
            assert tuple(self._shares(name)) == self.books.shares[at]
            assert self.script["bank", name] == self.books.bank_shares(at)
            assert self.script["price track", f"{name} price"] == self.books.steps[at]
            assert self._money(name) == self.books.treasuries[at]
        assert self.books.bank is None or self._money(bank.BANK) == self.books.bank
        score = self.script.session.rulebook_run.result_or_score_so_far()
        assert score is not None
        totals = {one.seat.number - 1: one.total for one in score.standings}
        assert totals == {seat: self.books.total(seat) for seat in range(bank.SEATS)}

    @invariant()
    def nobody_owes_a_note(self) -> None:
        """No note of any kind is below zero but in the bank, or as far as the template allows debts."""
        for one in self.script.session.table.ledger:
            assert one.count >= -(one.max_debt or 0) or one.can_go_below_zero, one

    @invariant()
    def no_money_appears_or_vanishes(self) -> None:
        """All money together, that of the bank and its debts included, stays as it was at first."""
        assert self._all_money() == self.money_in_play

    def _all_money(self) -> int:
        return sum(one.count * one.piece.money_value for one in self.script.session.table.ledger)

    def _money(self, place: str) -> int:
        return sum(self.script[place, note] * worth for note, worth in self.NOTES.items())

    def _shares(self, company: str) -> Iterator[int]:
        for name in NAMES:
            yield self.script[f"{name}/purse", company]


FEW_COINS = template_card("piece", "one", worth=1, start=bank.START, supply=SUPPLY)


class FewCoins(Banking):
    """Banking with one kind of coin, of which the bank has few; people are asked when it has too little."""

    DECK = deck(FEW_COINS)
    NOTES: Mapping[str, int] = {"one": 1}
    BOOKS = bank.Books(bank=SUPPLY)


class PartPayingBank(FewCoins):
    """A bank that pays what it has, and purses with debts."""

    SAID: ClassVar[Mapping[str, Any]] = {
        "empty_bank": "part", "debts": 25, "percentage_rounding": "nearest", "interest_rounding": "down",
        "dividend": "total", "dividend_rounding": "up", "half_pay": "down",
    }  # fmt: skip  # rules
    DECK = deck(FEW_COINS, **SAID)
    BOOKS = bank.Books(bank=SUPPLY, **SAID)


class RefusingBank(FewCoins):
    """A bank that pays nothing when it has too little, and rounds up."""

    SAID: ClassVar[Mapping[str, Any]] = {
        "empty_bank": "nothing", "percentage_rounding": "up", "interest_rounding": "nearest",
        "dividend": "total", "dividend_rounding": "nearest", "half_pay": "nearest",
    }  # fmt: skip  # rules
    DECK = deck(FEW_COINS, **SAID)
    BOOKS = bank.Books(bank=SUPPLY, **SAID)


class BreakingBank(FewCoins):
    """A bank that pays with a debt and is broken then, and purses with debts."""

    SAID: ClassVar[Mapping[str, Any]] = {"empty_bank": "broken", "debts": 40, "half_pay": "up"}
    DECK = deck(FEW_COINS, **SAID)
    BOOKS = bank.Books(bank=SUPPLY, **SAID)

    @invariant()
    def a_broken_bank_is_shown(self) -> None:
        """It was declared if a payment or the last answer found it below zero; the table shows it then."""
        assert self.script["bank", "broken bank"] == self.books.broken
        assert self.books.bank is not None
        shown = repr(evaluate_scene(make_view(self.script.session), self.script.session.scene))
        assert ("The bank is broken" in shown) == (self.books.broken or self.books.bank < 0)


MACHINES = (Banking, FewCoins, PartPayingBank, RefusingBank, BreakingBank)
for machine in MACHINES:
    machine.TestCase.settings = settings(
        max_examples=200 if SOAK else 20,
        stateful_step_count=30,
        deadline=None,
        derandomize=not SOAK,
        suppress_health_check=list(HealthCheck),
    )
TestBanking, TestFewCoins, TestPartPayingBank, TestRefusingBank, TestBreakingBank = (
    pytest.mark.without_coverage(machine.TestCase) for machine in MACHINES
)
