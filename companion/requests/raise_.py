"""Open bidding: more than the others, or no."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer
from companion.ledger import Piece
from companion.requests.request import Request, whole_number
from companion.seats import Seat
from companion.words import Say, say

FAR = 3
"""Samples stay less than this many steps above the least, so that random games stay human."""
FAINT = 0.5
"""How often a sample declines where it may."""


class Raise(Request[int | None], frozen=True, eq=False):
    """A bid on `about` above all `bids`, in steps, or None for `no` ("pass", "withdraw"; None: must bid).

    `still` lists who may bid yet, in turn; whoever has a bid but isn't in it has withdrawn.
    """

    kind = "Raise"
    seat: Seat
    about: Piece
    bids: dict[Seat, int]
    least: int = 1
    step: int = 1
    most: int | None = None
    no: str | None = "pass"
    still: tuple[Seat, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is asked."""
        return (self.seat,)

    @property
    def asks(self) -> str:
        """Who bids for what; never how much."""
        return f"Raise {self.seat.key}: {self.about.key}"

    @property
    def floor(self) -> int:
        """The lowest bid allowed now."""
        return max(self.bids.values()) + self.step if self.bids else self.least

    @property
    def text(self) -> Say:
        """The question."""
        if self.no is None:
            return say("{seat}, open the bidding for {about}.", seat=self.seat, about=self.about)
        if self.no == "pass":
            return say("{seat}, bid for {about} or pass.", seat=self.seat, about=self.about)
        return say("{seat}, bid for {about} or withdraw.", seat=self.seat, about=self.about)

    @property
    def limits(self) -> dict[str, Any]:
        """The lowest and highest bid, the step, how to decline, and the bids so far."""
        bids = {seat.name: bid for seat, bid in self.bids.items()}
        return {
            "least": self.floor,
            "most": self.most,
            "step": self.step,
            "no": self.no,
            "bids": bids,
        }

    def load(self, plain: object) -> int | None:
        """A whole number or None."""
        return None if plain is None else whole_number(plain, self.seat)

    def check(self, answer: int | None) -> None:
        """Above the others, within the limits, on the grid; None only where one may decline."""
        if answer is None:
            if self.no is None:
                raise IllegalAnswer(
                    say("{seat} must bid at least {least}.", seat=self.seat, least=self.floor)
                )
            return
        floor = self.floor
        if answer < floor:
            raise IllegalAnswer(self._too_low())
        if self.most is not None and answer > self.most:
            raise IllegalAnswer(say("{seat} can bid at most {most}.", seat=self.seat, most=self.most))
        if self.step > 1 and (answer - floor) % self.step:
            raise IllegalAnswer(
                say(
                    "{seat} must bid {least} or a multiple of {step} more.",
                    seat=self.seat,
                    least=floor,
                    step=self.step,
                )
            )

    def _too_low(self) -> Say:
        if self.bids and self.step == 1:
            return say(
                "{seat} must bid more than {highest}.",
                seat=self.seat,
                highest=max(self.bids.values()),
            )
        return say("{seat} must bid at least {least}.", seat=self.seat, least=self.floor)

    def sample(self, rng: Random) -> int | None:
        """A bid not far above the least, or no."""
        bid = self.floor + self.step * rng.randrange(FAR)
        if self.most is not None and bid > self.most:
            bid = self.floor
        if self.no is not None and (rng.random() < FAINT or (self.most is not None and bid > self.most)):
            return None
        return bid

    @property
    def otherwise(self) -> tuple[int | None] | None:
        """No bid, where one may decline."""
        return None if self.no is None else (None,)

    def told(self, answer: int | None) -> Say:
        """Who bid how much."""
        if answer is not None:
            return say("{seat} bids {amount} for {about}.", seat=self.seat, amount=answer, about=self.about)
        if self.no == "pass":
            return say("{seat} passes.", seat=self.seat)
        return say("{seat} withdraws.", seat=self.seat)
