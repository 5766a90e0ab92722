"""One number, such as a sealed bid."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.half_numbers import JsonNumber, WholeOrHalf, number_from_halves, number_to_json
from companion.requests.bid_values import (
    BidPieces,
    BidValues,
    bid_values_text,
    list_legal_bid_values,
    list_public_bid_values,
    make_bid_field,
    may_use_bid_value,
    nothing_to_bid_text,
)
from companion.requests.fields import Decline, Form
from companion.requests.request import (
    ExplainedLimit,
    Limit,
    SingleQuestion,
    lowest_limit,
    lowest_public_limit,
    parse_halves,
    parse_whole_number,
)
from companion.table.ledger import Account
from companion.table.seats import Seat
from companion.texts import Say, render, say

MAX_RANDOM_STEPS_IF_UNLIMITED = 20
"""Random answers without a highest number stay within this many steps above the lowest number."""
MAX_RANDOM_NUMBER_IF_CONFIRMED = 9_999
"""Random answers to a question that asks whether a number is right are at most as far from 0."""
RANDOM_DECLINE_PROBABILITY = 0.5
"""Probability that a random answer is 0, if 0 means no bid."""
NO_BID = say("no bid")


class Amount(SingleQuestion[int], frozen=True, eq=False):
    """Asks for one number, such as a bid, and returns it.

    The number is whole. With `in_halves` people may answer 7½: then the limits, the step and the answer that
    the rules get are numbers of halves, so 7½ is 15.
    The number is from `least` to `most`, in steps of `step`. `paid_from` is the money that pays it, if any.
    With `decline`, 0 is allowed too; `zero_label` says what 0 means, usually that there is no bid.
    `zero_confirmation`: what screen, terminal and keypads ask before they accept 0, for a question where 0
    has serious consequences.
    `values` and `pieces` are the only numbers allowed, as for `Raise`: bids with numbered tiles or cards.
    Screen, terminal and keypads also ask before they accept a number that is further from 0 than
    `confirm_above`, which is never in halves.
    """

    kind = "Amount"
    least: int = 0
    most: Limit | None = None
    step: int = 1
    paid_from: Limit | None = None
    decline: bool = False
    zero_label: Say = NO_BID
    zero_confirmation: Say | None = None
    values: BidValues = None
    pieces: BidPieces = None
    in_halves: bool = False
    confirm_above: int | None = None

    def _shown(self, number: int) -> WholeOrHalf:
        """Returns a number of this question as people see it: 7½ for 15 halves."""
        return number_from_halves(number) if self.in_halves else number

    def _shown_limit(self, number: int | None) -> WholeOrHalf | None:
        return None if number is None else self._shown(number)

    @property
    def allowed_values(self) -> tuple[int, ...] | None:
        """The only numbers allowed now, as far as everybody may know; None if any number may be."""
        if self.values is None and self.pieces is None:
            return None
        return list_public_bid_values(self.values, self.pieces, self.least, self.highest_publicly_allowed)

    @property
    def highest_publicly_allowed(self) -> int | None:
        """The highest number allowed now by the limits that everybody may know; None without such a limit."""
        return lowest_public_limit(self.most, self.paid_from)

    @property
    def may_bid(self) -> bool:
        """True if the seat may bid: a number above 0 is possible.

        Only limits that everybody may know are considered.
        """
        if (values := self.allowed_values) is not None:
            return bool(values)
        highest = self.highest_publicly_allowed
        return not self.decline or highest is None or self.least <= highest

    @property
    def limits_json(self) -> dict[str, Any]:
        """The limits of the answer as JSON: the lowest number, the highest number and the step.

        A missing or hidden limit is null. If only 0 is possible, both limits are 0; if no number is
        possible, because pieces were moved away, both are null.
        """
        only_answer = 0 if self.decline else None
        least, most = (
            (self.least, self.highest_publicly_allowed) if self.may_bid else (only_answer, only_answer)
        )
        limits: dict[str, Any] = {
            name: None if number is None else self.answer_to_json(number)
            for name, number in {"least": least, "most": most, "step": self.step}.items()
        }
        if self.decline:
            limits["none"] = True
        if (values := self.allowed_values) is not None:
            limits["values"] = list(values)
        if self.zero_confirmation:
            limits["sure"] = render(self.zero_confirmation)
        return limits

    @property
    def form(self) -> Form:
        """The form with one number field and, if 0 means no bid, the option to decline."""
        number = make_bid_field(
            self._shown(self.least),
            self._shown_limit(self.highest_publicly_allowed),
            self._shown(self.step),
            self.allowed_values,
            self.confirm_above,
        )
        return Form(
            fields=(number,) if self.may_bid else (),
            keypad_line=say("Enter {keys}"),
            decline=self._zero_as_decline if self.decline else None,
            must_answer_text=None if self.decline or self.may_bid else nothing_to_bid_text(self._answerer),
            confirmations={} if self.zero_confirmation is None else {0: self.zero_confirmation},
        )

    def find_definition_fault(self) -> str | None:
        """Returns an error if the text can't be rendered, or if the own numbers make no sense; else None.

        With both `values` and `pieces` it is unclear which count; without any, no number can be answered.
        Bids with numbers of one's own, money, and pieces that limit the number have no halves.
        """
        if self.in_halves and (
            (self.values, self.pieces, self.paid_from) != (None, None, None)
            or not isinstance(self.most, int | None)
        ):
            unfit = "values, pieces, money or an account, which have no halves"
            return f'Amount "{render(self.question)}" has {unfit}'
        if self.values is not None and self.pieces is not None:
            return f'Amount "{render(self.question)}" has both values and pieces'
        if not self.decline and self.allowed_values == ():
            return f'Amount "{render(self.question)}" has no values that can be answered'
        return super().find_definition_fault()

    def parse_answer(self, json_value: object) -> int:
        """Returns the number in a JSON value, in halves if they count; raises `IllegalAnswer` without one."""
        return (parse_halves if self.in_halves else parse_whole_number)(json_value, self._answerer)

    def answer_to_json(self, answer: int) -> JsonNumber:
        """Returns the answer as JSON, in the form that the log stores: 7.5 for 15 halves."""
        return number_to_json(self._shown(answer))

    def check_answer(self, answer: int) -> None:
        """Raises `IllegalAnswer` for a number outside the limits or between two steps.

        Hidden limits are checked last, so that nobody learns them.
        """
        self.check_public_limits(answer)
        if self.decline and not answer:
            return
        highest = lowest_limit(self.most, self.paid_from)
        if (highest is not None and highest < answer) or not may_use_bid_value(self.pieces, answer):
            raise PrivateRefusal(say("{seat} can't answer that.", seat=self._answerer))

    def check_public_limits(self, answer: int) -> None:
        """Raises `IllegalAnswer` for a number outside the limits that everybody may know.

        A number between two steps is refused as well. A screen may show this refusal early.
        """
        if self.decline and not answer:
            return
        if not self.may_bid:
            only_zero = say("{seat} can answer only 0.", seat=self._answerer)
            raise IllegalAnswer(only_zero if self.decline else nothing_to_bid_text(self._answerer))
        if (values := self.allowed_values) is not None:
            if answer not in values:
                numbers = bid_values_text((0, *values) if self.decline else values)
                text = "{seat} can answer only these numbers: {numbers}."
                raise IllegalAnswer(say(text, seat=self._answerer, numbers=numbers))
            return
        if answer < self.least:
            raise IllegalAnswer(self._too_low_text())
        highest = self.highest_publicly_allowed
        if highest is not None and highest < answer:
            raise IllegalAnswer(self._too_high_text(highest))
        if (answer - self.least) % self.step:
            text = "{seat} must answer {least} or more, in steps of {step}."
            least, step = self._shown(self.least), self._shown(self.step)
            raise IllegalAnswer(say(text, seat=self._answerer, least=least, step=step))

    def _too_high_text(self, highest: int) -> Say:
        """Returns the refusal of a number that is too high; it names the place if its count is public."""
        for limit in (self.most, self.paid_from):
            if isinstance(limit, Account) and not limit.covered and limit.count == highest:
                things = limit.piece.quantity_text(highest)
                return say("{place} has only {things}.", place=limit.place.label_as_owner, things=things)
            if isinstance(limit, ExplainedLimit) and not limit.covered and limit.count == highest:
                return limit.too_high_text
        return say("{seat} can answer at most {most}.", seat=self._answerer, most=self._shown(highest))

    def confirmation_for(self, answer: int) -> Say | None:
        """Returns what to ask before this number is accepted; None if it needs no confirmation.

        Only 0 and numbers out of all proportion may need one.
        """
        return self.form.confirmation_for(self.answer_to_json(answer))

    def random_legal_answer(self, rng: Random) -> int:
        """Returns a random legal number; small numbers are more likely.

        If 0 means no bid, half of the answers are 0. If a correction left no legal number, returns the lowest
        number, which is refused.
        """
        highest = lowest_limit(self.most, self.paid_from)
        if (values := self.allowed_values) is not None:
            legal = list_legal_bid_values(values, self.pieces, highest)
            may_be_zero = self.decline and (rng.random() < RANDOM_DECLINE_PROBABILITY or not legal)
            return 0 if may_be_zero else rng.choice(legal or [self.least])
        most = self.least + MAX_RANDOM_STEPS_IF_UNLIMITED * self.step if highest is None else highest
        if self.decline and (rng.random() < RANDOM_DECLINE_PROBABILITY or most < self.least):
            return 0
        least, most = self._usual_range(most)
        steps = max(0, (most - least) // self.step)
        return least + self.step * min(rng.randint(0, steps) for _ in range(2))

    def _usual_range(self, most: int) -> tuple[int, int]:
        """Returns the lowest and the highest random number, on the grid of the steps.

        They need no confirmation.
        """
        if self.confirm_above is None:
            return self.least, most
        usual = min(self.confirm_above, MAX_RANDOM_NUMBER_IF_CONFIRMED) * (2 if self.in_halves else 1)
        least = self.least + -(-max(0, -usual - self.least) // self.step) * self.step
        return (self.least, most) if least > min(most, usual) else (least, min(most, usual))

    @property
    def default_answer(self) -> tuple[int] | None:
        """The default answer as a 1-tuple: 0 if that is allowed; else None."""
        values = self.allowed_values
        is_zero_allowed = self.least == 0 if values is None else 0 in values
        return (0,) if self.decline or is_zero_allowed else None

    def describe_answer(self, answer: int) -> Say:
        """Returns a sentence that says who answered which number to which question."""
        if self.seat is None:
            return say("{question} {amount}", question=self.question, amount=self._shown(answer))
        text = "{seat}: {question} → {amount}"
        return say(text, seat=self.seat, question=self.question, amount=self._shown(answer))

    def describe_revealed_answer(self, answer: int) -> Say:
        """Returns a sentence that says who bid how much, without the question."""
        return say("{seat}: {amount}", seat=self._answerer, amount=self._shown(answer))

    @property
    def _zero_as_decline(self) -> Decline:
        key = "none" if self.zero_label == NO_BID else "zero"
        return Decline(key=key, label=self.zero_label, answer=0, typed_letter="0")

    @property
    def _answerer(self) -> Seat | Say:
        return self.seat or say("The table")

    def _too_low_text(self) -> Say:
        least = self._shown(self.least)
        if self.decline:
            return say("{seat} must answer 0, or at least {least}.", seat=self._answerer, least=least)
        return say("{seat} must answer at least {least}.", seat=self._answerer, least=least)
