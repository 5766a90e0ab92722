"""A turn in open bidding: a bid higher than all others, or no bid."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.bid_values import (
    BidPieces,
    BidValues,
    bid_values_text,
    list_legal_bid_values,
    list_public_bid_values,
    make_bid_field,
    nothing_to_bid_text,
)
from companion.requests.fields import Decline, Form
from companion.requests.request import (
    Limit,
    Request,
    Subject,
    lowest_limit,
    lowest_public_limit,
    parse_whole_number,
)
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Say, render, say

RANDOM_BID_CHOICE_COUNT = 3
"""The number of bids from which a random bid is drawn: the lowest allowed bid and the next higher ones.

The small number makes random games look human.
"""
RANDOM_DECLINE_PROBABILITY = 0.5
"""Probability that a random answer declines, if declining is allowed."""
MUST_BID_TEXT = say("you must bid")
DECLINE_BY_NAME = {
    "pass": Decline(key="pass", label=say("pass"), answer=None, typed_letter="p"),
    "withdraw": Decline(key="withdraw", label=say("withdraw"), answer=None, typed_letter="w"),
    None: Decline(key="pass", label=say("pass"), answer=None, typed_letter="p", barred_reason=MUST_BID_TEXT),
}
"""How to decline, by the value of `Raise.decline`."""


class Raise(Request[int | None], frozen=True, eq=False):
    """Asks for a bid on `about` that is higher than all `bids`; returns it, or None for no bid.

    `decline` is the word for no bid ("pass", "withdraw"); with None the seat must bid.
    `least`, `step` and `most` limit the bid; `paid_from` is the money from which it is paid.
    `still_bidding` lists the seats that may still bid, in turn order; the other seats have withdrawn. If it
    is empty, all seats may bid.
    `passed_seats` are the seats that passed and haven't bid since.
    `asks_once`: each seat bids once, so whoever has bid is no longer asked, but hasn't withdrawn.
    `lots_place` is the place of the cards on sale.
    `values` are the only numbers that the seat may bid, such as its numbered tiles; `pieces` are pieces
    before the seat by their value, each with the account in which it lies: `pieces={9: nines, 5: fives}`.
    The answer is the value, so `pieces[bid].piece` is the piece that was bid.
    Screen, terminal and keypads ask before they accept a bid above `confirm_above`.
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
    passed_seats: tuple[Seat, ...] = ()
    paid_from: Limit | None = None
    lots_place: Place | None = None
    values: BidValues = None
    pieces: BidPieces = None
    confirm_above: int | None = None
    asks_once: bool = False

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The piece on sale and, if there is one, the place of the cards on sale."""
        return (self.about,) if self.lots_place is None else (self.about, self.lots_place)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seat that is asked."""
        return (self.seat,)

    def has_withdrawn(self, seat: Seat) -> bool:
        """Returns whether a seat may no longer bid, and has no bid that still counts."""
        if self.asks_once and seat in self.bids:
            return False
        return bool(self.still_bidding) and seat not in self.still_bidding

    @property
    def log_key(self) -> str:
        """The identity of the question in the log: the seat and the piece on sale, never the bids."""
        return f"Raise {self.seat.key}: {self.about.key}"

    @property
    def _lowest_higher_bid(self) -> int:
        """The lowest number that is higher than all bids by a step, or the least bid without bids."""
        return max(self.bids.values()) + self.step if self.bids else self.least

    @property
    def allowed_values(self) -> tuple[int, ...] | None:
        """The seat's own numbers that it may bid now, as far as everybody may know, in ascending order.

        None if the seat may bid any number.
        """
        if self.values is None and self.pieces is None:
            return None  # every bid asks for them
        return list_public_bid_values(
            self.values, self.pieces, self._lowest_higher_bid, self.highest_publicly_allowed
        )

    @property
    def lowest_allowed_bid(self) -> int:
        """The lowest bid allowed now."""
        return min(self.allowed_values or (), default=self._lowest_higher_bid)

    @property
    def highest_publicly_allowed(self) -> int | None:
        """The highest bid allowed now by the limits that everybody may know; None without such a limit."""
        return lowest_public_limit(self.most, self.paid_from)

    @property
    def may_bid(self) -> bool:
        """True if the seat may bid; else only declining is left.

        Only limits that everybody may know are considered.
        """
        if (values := self.allowed_values) is not None:
            return bool(values)
        highest = self.highest_publicly_allowed
        return self.decline is None or self.lowest_allowed_bid <= (MAX_NUMBER if highest is None else highest)

    @property
    def text(self) -> Say:
        """The question as a sentence, which says so if the seat must decline."""
        if self.decline is None:
            return say("{seat}, open the bidding for {about}.", seat=self.seat, about=self.about)
        if not self.may_bid and self.decline == "pass":
            return say("{seat} can't bid for {about} now and must pass.", seat=self.seat, about=self.about)
        if not self.may_bid:
            return say(
                "{seat} can't bid for {about} now and must withdraw.", seat=self.seat, about=self.about
            )
        if self.decline == "pass":
            return say("{seat}, bid for {about} or pass.", seat=self.seat, about=self.about)
        return say("{seat}, bid for {about} or withdraw.", seat=self.seat, about=self.about)

    @property
    def limits_json(self) -> dict[str, Any]:
        """The limits as JSON: lowest and highest bid, step, how to decline, and the bids so far.

        The lowest bid is null if no bid is possible. `values` are the only bids allowed, if there are such.
        """
        bids = {seat.name: bid for seat, bid in self.bids.items()}
        values = self.allowed_values
        return {
            "least": self.lowest_allowed_bid if self.may_bid else None,
            "most": self.highest_publicly_allowed,
            "step": self.step,
            "no": self.decline,
            "bids": bids,
        } | ({} if values is None else {"values": list(values)})

    @property
    def form(self) -> Form:
        """The form with one number field for the bid, and how to decline."""
        bid = make_bid_field(
            self.lowest_allowed_bid,
            self.highest_publicly_allowed,
            self.step,
            self.allowed_values,
            self.confirm_above,
        )
        return Form(
            fields=(bid,) if self.may_bid else (),
            keypad_line=say("Bid {keys}"),
            decline=DECLINE_BY_NAME[self.decline],
            must_answer_text=MUST_BID_TEXT if self.decline is None else None,
            side_facts={"bids": self.bids}
            | ({"still": self.still_bidding} if self.still_bidding else {})
            | ({"passed": self.passed_seats} if self.passed_seats else {}),
        )

    def find_definition_fault(self) -> str | None:
        """Returns an error if the seat's own numbers make no sense; else None.

        With both `values` and `pieces` it is unclear which count; without any, the seat can't bid if it must.
        """
        if self.values is not None and self.pieces is not None:
            return f'"{render(self.text)}" has both values and pieces'
        if self.decline is None and self.allowed_values == ():
            return f'{self.seat.name} has nothing to bid and can\'t decline "{render(self.text)}"'
        return None

    def parse_answer(self, json_value: object) -> int | None:
        """Returns the bid in a JSON value, None for null; raises `IllegalAnswer` for anything else."""
        if json_value is None:
            return None
        if self.decline and type(json_value) is not int:
            text = "{seat} must answer with a whole number, or null to {no}."
            raise IllegalAnswer(say(text, seat=self.seat, no=say(self.decline)))
        return parse_whole_number(json_value, self.seat)

    def check_answer(self, answer: int | None) -> None:
        """Raises `IllegalAnswer` for a bid that is too low, too high, between two steps or not one's own.

        None is legal only if declining is allowed. Hidden limits are checked last, so that nobody learns
        them.
        """
        if answer is None:
            if self.decline is None:
                must_bid = say(
                    "{seat} must bid at least {least}.", seat=self.seat, least=self.lowest_allowed_bid
                )
                raise IllegalAnswer(must_bid if self.may_bid else nothing_to_bid_text(self.seat))
            return
        if not self._is_legal_bid(answer):
            self._check_public_limits(answer)
            raise PrivateRefusal(say("{seat} can't bid that.", seat=self.seat))

    def _is_legal_bid(self, bid: int) -> bool:
        """Returns whether a bid is legal now; hidden limits count too."""
        values, highest = self.allowed_values, lowest_limit(self.most, self.paid_from)
        if highest is not None and highest < bid:
            return False
        if values is not None:
            return bid in list_legal_bid_values(values, self.pieces, highest)
        increase = bid - self._lowest_higher_bid
        return increase >= 0 and increase % self.step == 0

    def _check_public_limits(self, answer: int) -> None:
        if (values := self.allowed_values) is not None:
            if answer not in values:
                only = say(
                    "{seat} can bid only these numbers: {numbers}.",
                    seat=self.seat,
                    numbers=bid_values_text(values),
                )
                nothing = self.text if self.decline else nothing_to_bid_text(self.seat)
                raise IllegalAnswer(only if values else nothing)
            return
        lowest, highest = self.lowest_allowed_bid, self.highest_publicly_allowed
        if answer < lowest:
            raise IllegalAnswer(self._too_low_text() if self.may_bid else self.text)
        if highest is not None and answer > highest:
            too_high = say("{seat} can bid at most {most}.", seat=self.seat, most=highest)
            raise IllegalAnswer(too_high if self.may_bid else self.text)
        if (answer - lowest) % self.step:
            text = "{seat} must bid {least} or more, in steps of {step}."
            raise IllegalAnswer(say(text, seat=self.seat, least=lowest, step=self.step))

    def _too_low_text(self) -> Say:
        if self.bids and self.step == 1:
            highest = max(self.bids.values())
            return say("{seat} must bid more than {highest}.", seat=self.seat, highest=highest)
        return say("{seat} must bid at least {least}.", seat=self.seat, least=self.lowest_allowed_bid)

    def confirmation_for(self, answer: int | None) -> Say | None:
        """Returns what to ask before this bid is accepted; None if it needs no confirmation."""
        return None if self.confirm_above is None else self.form.confirmation_for(answer)

    def random_legal_answer(self, rng: Random) -> int | None:
        """Returns a random bid not far above the lowest allowed one, or None for no bid."""
        if (values := self.allowed_values) is not None:
            highest = lowest_limit(self.most, self.paid_from)
            legal_bids = list_legal_bid_values(values, self.pieces, highest)
            may_decline = self.decline is not None
            if may_decline and (rng.random() < RANDOM_DECLINE_PROBABILITY or not legal_bids):
                return None
            return rng.choice(legal_bids[:RANDOM_BID_CHOICE_COUNT] or [self.lowest_allowed_bid])
        bid = self.lowest_allowed_bid + self.step * rng.randrange(RANDOM_BID_CHOICE_COUNT)
        limit = lowest_limit(self.most, self.paid_from)
        highest = MAX_NUMBER if limit is None else limit
        if bid > highest:
            bid = self.lowest_allowed_bid
        may_bid = bid <= highest
        declines = self.decline is not None and (rng.random() < RANDOM_DECLINE_PROBABILITY or not may_bid)
        return None if declines else bid

    @property
    def default_answer(self) -> tuple[int | None] | None:
        """The default answer as a 1-tuple: None for no bid, if declining is allowed; else no tuple."""
        return None if self.decline is None else (None,)

    def describe_answer(self, answer: int | None) -> Say:
        """Returns a sentence that says who bid how much, passed or withdrew."""
        if answer is not None:
            return say("{seat} bids {amount} for {about}.", seat=self.seat, amount=answer, about=self.about)
        if self.decline == "pass":
            return say("{seat} passes.", seat=self.seat)
        return say("{seat} withdraws.", seat=self.seat)
