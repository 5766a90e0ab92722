"""Teams with debts or covered purses against plain sums: payments, refunds, leaving, going back, restarts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.support.games.any_game_helpers import begin_with_cards, question_text, rules_card, template_card
from tests.support.soak import SOAK

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi")
KEEPERS = NAMES[:3]
"""Each holds the purse of a team; with Aki plays Dai, with Ben Emi, with Chie Fumi."""
START, DEBTS, REFUND, ALL = 40, 20, 50, 100
POT, BANK = "pot", "bank"
edges = st.sampled_from([None, 0, 1])
"""All that is there, or one more."""
people, amounts, choices = st.sampled_from(NAMES), st.integers(1, 150), st.booleans()
places = st.one_of(people, st.sampled_from([POT, BANK]))


class Sums(NamedTuple):
    """What each team holds, what lies in the pot, and who holds the purse of a team that has not left."""

    held: Mapping[str, int]
    pot: int = 0
    inside: tuple[str, ...] = KEEPERS

    def moved(self, source: str, payee: str, amount: int) -> Sums:
        """So much less there, and more here."""
        by = {source: -amount, payee: amount}
        held = {one: there + by.get(one, 0) for one, there in self.held.items()}
        return self._replace(held=held, pot=self.pot + by.get(POT, 0))


def keeper(place: str) -> str:
    """Where the money of somebody lies; of a place, there."""
    return NAMES[NAMES.index(place) % len(KEEPERS)] if place in NAMES else place


def key_of(place: str) -> str:
    """What a choice is known by: the number of whose purse it is, or the place."""
    return str(1 + NAMES.index(place)) if place in NAMES else place


class Teams(RuleBasedStateMachine):
    """Six people in three teams, and the sums beside them."""

    @initialize(covered=choices)
    def begin(self, covered: bool) -> None:
        """Purses are covered, or may be below zero."""
        self.covered, self.debts = covered, 0 if covered else DEBTS
        money = {"covered": "yes"} if covered else {"debts": DEBTS}
        said = rules_card(
            payments="yes", teams=3, out="yes", auction="final", refund=REFUND, payee="place", **money
        )
        coin = template_card("piece", "coin", start=START, worth=1)
        self.script = begin_with_cards(said, coin, template_card("place", POT), names=NAMES)
        self.sums = Sums(dict.fromkeys(KEEPERS, START * len(NAMES) // len(KEEPERS)))
        self.before: list[tuple[int, Sums]] = []

    def has(self, place: str) -> int:
        """What can be paid out of it, debts and all."""
        if place == BANK:
            return 10**9
        return self.sums.pot if place == POT else self.sums.held[place] + self.debts

    def keeps(self) -> None:
        """The way back to what is now."""
        self.before.append((len(self.script.session.steps), self.sums))

    def is_in(self, *ends: str) -> bool:
        """Whether no team of them has left for good."""
        return all(keeper(one) in self.sums.inside for one in ends if one in NAMES)

    @rule(source=places, payee=places, amount=amounts, edge=edges, part=choices)
    def pays(self, source: str, payee: str, amount: int, edge: int | None, part: bool) -> None:
        """By the menu: where it isn't there, or nobody may know, what people say.

        The pot pays no more than it has.
        """
        source, target = keeper(source), keeper(payee)
        if source == target or not self.is_in(source, target):
            return
        if edge is not None and source != BANK:
            amount = max(1, self.has(source) + edge)
        self.keeps()
        keys = ["place 0" if one == POT else key_of(one) for one in (source, target)]
        who = source if source in NAMES else "table"
        self.script.says("table: payment")
        if source == POT and self.sums.pot < amount:
            self._refuses_more_than_the_pot_has(keys[0], keys[1], amount)
            return
        self.script.says(f"table: {keys[0]}", f"table: {keys[1]}", f"{who} {amount}")
        is_sure = self.has(source) - self.debts * (source in NAMES) >= amount
        if is_sure and not (self.covered and source in NAMES):
            assert question_text(self.script) == "What is next?"
            paid = amount
        else:
            paid = self._says(source, amount, part=part)
        self.sums = self.sums.moved(source, target, paid)

    def _refuses_more_than_the_pot_has(self, payer: str, payee: str, amount: int) -> None:
        """An empty pot isn't chosen, and of a full one no more is paid; then people go back."""
        if self.sums.pot == 0:
            assert self.script.refuses(f"table: {payer}") == "pot has no money."
        else:
            self.script.says(f"table: {payer}", f"table: {payee}")
            assert self.script.refuses(f"table {amount}") == f"pot can pay at most {self.sums.pot}."
        self.goes_back(1)

    def _says(self, source: str, amount: int, *, part: bool) -> int:
        """What people say that happens; gives how much is paid."""
        if self.has(source) >= amount:
            self.script.says("table: pay")
            return amount
        assert "pay" in self.script.refuses("table: pay")
        if not part or "part" not in self.script.open_question_limits["options"]:
            self.script.says("table: nothing")
            return 0
        self.script.says("table: part")
        there = max(0, self.has(source))
        if source in NAMES:
            self.script.refuses(f"{source} {there + 1}")
            self.script.says(f"{source} {there}")
        return there

    @rule(source=places, payee=places, amount=amounts)
    def pays_by_hand(self, source: str, payee: str, amount: int) -> None:
        """In one line, whoever of a team is named; out of a covered purse what people say was there."""
        believed = self.covered and source in NAMES
        line = f"pay {source} {payee} {amount}"
        if keeper(source) == keeper(payee) or (self.has(keeper(source)) < amount and not believed):
            self.script.refuses(line)
            return
        self.keeps()
        self.script.says(line)
        self.sums = self.sums.moved(keeper(source), keeper(payee), amount)

    @rule(raises=st.lists(st.integers(0, 9), max_size=8))
    def sell(self, raises: list[int]) -> None:
        """Whoever withdraws pays half of the bid, rounded up, into the pot; the winner all of it."""
        self.keeps()
        self.script.says("table: auction")
        bids, out = dict.fromkeys(KEEPERS, 0), list[str]()
        while question_text(self.script) != "What is next?":
            (seat,) = self.script.question.seats
            bid = max(bids.values()) + (raises.pop() if raises else 0)
            if max(bids.values()) < bid <= self.has(seat.name):
                self.script.says(f"{seat.name} {bid}")
                bids[seat.name] = bid
            else:
                self.script.says(f"{seat.name} withdraws")
                out.append(seat.name)
        for name, bid in bids.items():
            cost = bid - bid * REFUND // ALL if name in out else bid
            self.sums = self.sums.moved(name, POT, cost)

    @precondition(lambda self: len(self.sums.inside) == len(KEEPERS))
    @rule(seat=st.sampled_from(KEEPERS))
    def leave(self, seat: str) -> None:
        """A team is out for good; two are left."""
        self.keeps()
        self.script.says("table: out", f"table: {key_of(seat)}")
        self.sums = self.sums._replace(inside=tuple(one for one in self.sums.inside if one != seat))

    @precondition(lambda self: self.before)
    @rule(far=st.integers(1, 4))
    def goes_back(self, far: int) -> None:
        """Before one of the last acts."""
        kept, self.sums = self.before[max(0, len(self.before) - far)]
        del self.before[max(0, len(self.before) - far) :]
        self.script.session.undo_to_step_count(kept)

    @rule()
    def starts_again(self) -> None:
        """The program is started again on its log."""
        self.script.says("restart")

    @invariant()
    def the_sums_agree(self) -> None:
        """Of every team, and of the pot."""
        if hasattr(self, "sums"):
            assert {one: self.script[f"{one}/purse", "coin"] for one in KEEPERS} == self.sums.held
            assert self.script[POT, "coin"] == self.sums.pot


Teams.TestCase.settings = settings(
    max_examples=2_000 if SOAK else 50,
    stateful_step_count=30,
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=list(HealthCheck),
)
TestTeams = pytest.mark.without_coverage(Teams.TestCase)
