"""Open bidding: more than the others, or no."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.fields import Decline, Form, NumberField
from companion.requests.request import (
    Limit,
    Request,
    Subject,
    check_whole_number,
    lowest_limit,
    lowest_public_limit,
)
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Say, say

MAX_SAMPLE_STEPS = 3
"""Samples stay less than so many steps above the lowest bid, so that random games look human."""
DECLINE_SHARE = 0.5
"""The share of samples that decline, if declining is allowed."""
MUST_BID = say("you must bid")
DECLINE_BY_NAME = {
    "pass": Decline(key="pass", label=say("pass"), answer=None, typed_letter="p"),
    "withdraw": Decline(key="withdraw", label=say("withdraw"), answer=None, typed_letter="w"),
    None: Decline(key="pass", label=say("pass"), answer=None, typed_letter="p", barred_reason=MUST_BID),
}
"""How to decline, by what `decline` says."""


class Raise(Request[int | None], frozen=True, eq=False):
    """Asks for a bid on `about` that is higher than all `bids`; returns it, or None for no bid.

    `decline` says what no bid is called ("pass", "withdraw"); with None the seat must bid.
    `least`, `step` and `most` limit the bid; `paid_from` is the money it is paid from.
    `still_bidding` lists the seats that may still bid, in turn order. The others have withdrawn. Empty: all
    may bid.
    `lots_place` is the place of the cards on sale.
    """

    kind = "Raise"
    seat: Seat
    about: Piece
    bids: dict[Seat, int]
    least: int = 1
    step: int = 1
    most: Limit | None = None
    decline: str | None = "pass"
    still_bidding: tuple[Seat, ...] = ()
    paid_from: Limit | None = None
    lots_place: Place | None = None

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What is sold, and where it lies."""
        return (self.about,) if self.lots_place is None else (self.about, self.lots_place)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is asked."""
        return (self.seat,)

    def has_withdrawn(self, seat: Seat) -> bool:
        """Returns whether a seat no longer bids."""
        return bool(self.still_bidding) and seat not in self.still_bidding

    @property
    def log_key(self) -> str:
        """Who bids for what; never how much."""
        return f"Raise {self.seat.key}: {self.about.key}"

    @property
    def lowest_bid(self) -> int:
        """The lowest bid allowed now."""
        return max(self.bids.values()) + self.step if self.bids else self.least

    @property
    def highest_allowed(self) -> int | None:
        """The highest bid allowed now, as all may know it; None: no limit is known."""
        return lowest_public_limit(self.most, self.paid_from)

    @property
    def may_bid(self) -> bool:
        """True if a bid is possible, as far as everybody may know; else only declining is left."""
        return self.decline is None or self.highest_allowed is None or self.lowest_bid <= self.highest_allowed

    @property
    def text(self) -> Say:
        """The question, or that nothing but declining is left."""
        if not self.may_bid and self.decline == "pass":
            return say("{seat} can't bid for {about} now and must pass.", seat=self.seat, about=self.about)
        if not self.may_bid:
            return say(
                "{seat} can't bid for {about} now and must withdraw.", seat=self.seat, about=self.about
            )
        if self.decline is None:
            return say("{seat}, open the bidding for {about}.", seat=self.seat, about=self.about)
        if self.decline == "pass":
            return say("{seat}, bid for {about} or pass.", seat=self.seat, about=self.about)
        return say("{seat}, bid for {about} or withdraw.", seat=self.seat, about=self.about)

    @property
    def limits_json(self) -> dict[str, Any]:
        """The lowest bid (None: there is none) and the highest, the step, how to decline, the bids so far."""
        bids = {seat.name: bid for seat, bid in self.bids.items()}
        return {
            "least": self.lowest_bid if self.may_bid else None,
            "most": self.highest_allowed,
            "step": self.step,
            "no": self.decline,
            "bids": bids,
        }

    @property
    def form(self) -> Form:
        """A bid above the others, or none."""
        bid = NumberField(least=self.lowest_bid, most=self.highest_allowed, step=self.step)
        return Form(
            fields=(bid,) if self.may_bid else (),
            keypad_line=say("Bid {keys}"),
            decline=DECLINE_BY_NAME[self.decline],
            must_answer_text=MUST_BID if self.decline is None else None,
            side_facts={"bids": self.bids, "still": self.still_bidding}
            if self.still_bidding
            else {"bids": self.bids},
        )

    def load(self, plain: object) -> int | None:
        """A whole number or None."""
        if plain is None:
            return None
        if self.decline and type(plain) is not int:
            text = "{seat} must answer with a whole number, or null to {no}."
            raise IllegalAnswer(say(text, seat=self.seat, no=say(self.decline)))
        return check_whole_number(plain, self.seat)

    def check(self, answer: int | None) -> None:
        """Above the others, within the limits, on the grid; None only where one may decline.

        What is covered is checked last, so that nobody learns of it.
        """
        if answer is None:
            if self.decline is None:
                raise IllegalAnswer(
                    say("{seat} must bid at least {least}.", seat=self.seat, least=self.lowest_bid)
                )
            return
        more, highest = answer - self.lowest_bid, lowest_limit(self.most, self.paid_from)
        if more < 0 or more % self.step or (highest is not None and highest < answer):
            self._check_known(answer)
            raise PrivateRefusal(say("{seat} can't bid that.", seat=self.seat))

    def _check_known(self, answer: int) -> None:
        floor, highest = self.lowest_bid, self.highest_allowed
        if answer < floor:
            raise IllegalAnswer(self._too_low() if self.may_bid else self.text)
        if highest is not None and answer > highest:
            most = say("{seat} can bid at most {most}.", seat=self.seat, most=highest)
            raise IllegalAnswer(most if self.may_bid else self.text)
        if (answer - floor) % self.step:
            text = "{seat} must bid {least} or more, in steps of {step}."
            raise IllegalAnswer(say(text, seat=self.seat, least=floor, step=self.step))

    def _too_low(self) -> Say:
        if self.bids and self.step == 1:
            return say(
                "{seat} must bid more than {highest}.",
                seat=self.seat,
                highest=max(self.bids.values()),
            )
        return say("{seat} must bid at least {least}.", seat=self.seat, least=self.lowest_bid)

    def sample(self, rng: Random) -> int | None:
        """A bid not far above the least, or no."""
        bid, highest = (
            self.lowest_bid + self.step * rng.randrange(MAX_SAMPLE_STEPS),
            lowest_limit(self.most, self.paid_from),
        )
        if highest is not None and bid > highest:
            bid = self.lowest_bid
        may_bid = highest is None or bid <= highest
        return None if self.decline is not None and (rng.random() < DECLINE_SHARE or not may_bid) else bid

    @property
    def default_answer(self) -> tuple[int | None] | None:
        """No bid, where one may decline."""
        return None if self.decline is None else (None,)

    def describe(self, answer: int | None) -> Say:
        """Who bid how much."""
        if answer is not None:
            return say("{seat} bids {amount} for {about}.", seat=self.seat, amount=answer, about=self.about)
        if self.decline == "pass":
            return say("{seat} passes.", seat=self.seat)
        return say("{seat} withdraws.", seat=self.seat)
