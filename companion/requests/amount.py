"""One number, such as a sealed bid."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.fields import Decline, Form, NumberField
from companion.requests.request import (
    Limit,
    SingleQuestion,
    check_whole_number,
    lowest_limit,
    lowest_public_limit,
)
from companion.table.ledger import Account
from companion.table.seats import Seat
from companion.texts import Say, render, say

MAX_SAMPLE_STEPS = 20
"""Samples without a highest number stay within so many steps above the lowest."""
DECLINE_SHARE = 0.5
"""The share of samples that are 0, if 0 means no bid."""
DECLINE_WITH_ZERO = Decline(key="none", label=say("no bid"), answer=0, typed_letter="0")


class Amount(SingleQuestion[int], frozen=True, eq=False):
    """Asks for one number from `least` to `most`, in steps of `step`; returns the number.

    `paid_from` is the money it is paid from, if any. With `decline` 0 is allowed too and means no bid.
    `zero_confirmation`: what screen, terminal and keypads ask before they take 0, where 0 is a grave answer.
    """

    kind = "Amount"
    least: int = 0
    most: Limit | None = None
    step: int = 1
    paid_from: Limit | None = None
    decline: bool = False
    zero_confirmation: Say | None = None

    @property
    def highest_allowed(self) -> int | None:
        """The highest number allowed now, as far as everybody may know it; None if no limit is known."""
        return lowest_public_limit(self.most, self.paid_from)

    @property
    def may_bid(self) -> bool:
        """True if a bid above 0 is possible, as far as everybody may know."""
        return not self.decline or self.highest_allowed is None or self.least <= self.highest_allowed

    @property
    def limits_json(self) -> dict[str, Any]:
        """The lowest and highest number and the step; null where there is no limit or it is covered.

        Where only 0 is left, it is both.
        """
        least, most = (self.least, self.highest_allowed) if self.may_bid else (0, 0)
        limits: dict[str, Any] = {"least": least, "most": most, "step": self.step}
        if self.decline:
            limits["none"] = True
        if self.zero_confirmation:
            limits["sure"] = render(self.zero_confirmation)
        return limits

    @property
    def form(self) -> Form:
        """One number; and 0 besides, where it means no bid."""
        number = NumberField(least=self.least, most=self.highest_allowed, step=self.step)
        return Form(
            fields=(number,) if self.may_bid else (),
            keypad_line=say("Enter {keys}"),
            decline=DECLINE_WITH_ZERO if self.decline else None,
            confirmations={} if self.zero_confirmation is None else {0: self.zero_confirmation},
        )

    def load(self, plain: object) -> int:
        """A whole number."""
        return check_whole_number(plain, self._who)

    def check(self, answer: int) -> None:
        """Within the limits and on the grid; what is covered is checked last, so that nobody learns of it."""
        self.check_known(answer)
        is_bid, highest = bool(answer) or not self.decline, lowest_limit(self.most, self.paid_from)
        if is_bid and highest is not None and highest < answer:
            raise PrivateRefusal(say("{seat} can't answer that.", seat=self._who))

    def check_known(self, answer: int) -> None:
        """Checks only against what everybody may know; a screen may show the refusal beforehand."""
        if self.decline and not answer:
            return
        if not self.may_bid:
            raise IllegalAnswer(say("{seat} can answer only 0.", seat=self._who))
        if answer < self.least:
            raise IllegalAnswer(self._too_low())
        if self.highest_allowed is not None and self.highest_allowed < answer:
            raise IllegalAnswer(self._too_high(self.highest_allowed))
        if (answer - self.least) % self.step:
            text = "{seat} must answer {least} or more, in steps of {step}."
            raise IllegalAnswer(say(text, seat=self._who, least=self.least, step=self.step))

    def _too_high(self, highest: int) -> Say:
        """Returns the refusal of a number that is too high; it names the place if its count is public."""
        for limit in (self.most, self.paid_from):
            if isinstance(limit, Account) and not limit.covered and limit.count == highest:
                things = limit.piece.quantity(highest)
                return say("{place} has only {things}.", place=limit.place.holder, things=things)
        return say("{seat} can answer at most {most}.", seat=self._who, most=highest)

    def confirmation_for(self, answer: int) -> Say | None:
        """What is asked before 0 is taken."""
        return None if answer else self.zero_confirmation

    def sample(self, rng: Random) -> int:
        """Any legal number, small ones more often; where 0 is one besides, half of the time that.

        Where a correction left no legal number, it is the least, which is refused.
        """
        highest = lowest_limit(self.most, self.paid_from)
        most = self.least + MAX_SAMPLE_STEPS * self.step if highest is None else highest
        if self.decline and (rng.random() < DECLINE_SHARE or most < self.least):
            return 0
        steps = max(0, (most - self.least) // self.step)
        return self.least + self.step * min(rng.randint(0, steps) for _ in range(2))

    @property
    def default_answer(self) -> tuple[int] | None:
        """0, where that can be answered."""
        return (0,) if self.decline or self.least == 0 else None

    def describe(self, answer: int) -> Say:
        """Who answered how much, and what for."""
        if self.seat is None:
            return say("{question} {amount}", question=self.question, amount=answer)
        return say("{seat}: {question} → {amount}", seat=self.seat, question=self.question, amount=answer)

    def describe_revealed(self, answer: int) -> Say:
        """Who bid how much."""
        return say("{seat}: {amount}", seat=self._who, amount=answer)

    @property
    def _who(self) -> Seat | Say:
        return self.seat or say("The table")

    def _too_low(self) -> Say:
        if self.decline:
            return say("{seat} must answer 0, or at least {least}.", seat=self._who, least=self.least)
        return say("{seat} must answer at least {least}.", seat=self._who, least=self.least)
