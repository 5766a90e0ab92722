"""One number, such as a sealed bid."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import Hushed, IllegalAnswer
from companion.requests.request import Asked, Limit, now, shown, whole_number
from companion.seats import Seat
from companion.words import Say, render, say

FAR = 20
"""Where there is no highest number, samples stay within so many steps above the lowest."""
FAINT = 0.5
"""How often a sample is 0 where that means no bid."""


class Amount(Asked[int], frozen=True, eq=False):
    """A number from `least` to `most` in steps; `held` is what it is paid from, if it is paid at all.

    With `none` 0 is an answer too, whatever `least` says: no bid.
    `sure` is what screen, terminal and keypads ask before they give 0 as the answer, where that is grave.
    """

    kind = "Amount"
    seat: Seat
    least: int = 0
    most: Limit | None = None
    step: int = 1
    held: Limit | None = None
    none: bool = False
    sure: Say | None = None

    @property
    def limits(self) -> dict[str, Any]:
        """The lowest and highest number and the step; null where there is no limit or it is covered."""
        limits: dict[str, Any] = {
            "least": self.least,
            "most": min(self._known(), default=None),
            "step": self.step,
        }
        if self.none:
            limits["none"] = True
        if self.sure:
            limits["sure"] = render(self.sure)
        return limits

    def load(self, plain: object) -> int:
        """A whole number."""
        return whole_number(plain, self.seat)

    def check(self, answer: int) -> None:
        """Within the limits and on the grid; what is covered is checked last, so that nobody learns of it."""
        self.check_known(answer)
        is_bid = bool(answer) or not self.none
        if is_bid and any(now(limit) < answer for limit in self._highest()):
            raise Hushed(say("{seat} can't answer that.", seat=self.seat))

    def check_known(self, answer: int) -> None:
        """The part of the check that all may know: what a screen may show beforehand."""
        if self.none and not answer:
            return
        if answer < self.least:
            raise IllegalAnswer(self._too_low())
        if (most := min(self._known(), default=answer)) < answer:
            raise IllegalAnswer(say("{seat}: at most {most}.", seat=self.seat, most=most))
        if (answer - self.least) % self.step:
            text = "{seat}: {least} or a multiple of {step} more."
            raise IllegalAnswer(say(text, seat=self.seat, least=self.least, step=self.step))

    def doubt(self, answer: int) -> Say | None:
        """What is asked before 0 is taken."""
        return None if answer else self.sure

    def sample(self, rng: Random) -> int:
        """Any legal number, small ones more often; where 0 is one besides, half of the time that.

        Where a correction left no legal number, it is the least, which is refused.
        """
        if self.none and rng.random() < FAINT:
            return 0
        most = min(map(now, self._highest()), default=self.least + FAR * self.step)
        steps = max(0, (most - self.least) // self.step)
        return self.least + self.step * min(rng.randint(0, steps) for _ in range(2))

    @property
    def otherwise(self) -> tuple[int] | None:
        """0, where that can be answered."""
        return (0,) if self.none or self.least == 0 else None

    def told(self, answer: int) -> Say:
        """Who answered how much."""
        return say("{seat}: {amount}", seat=self.seat, amount=answer)

    def _too_low(self) -> Say:
        if self.none:
            return say("{seat}: 0, or at least {least}.", seat=self.seat, least=self.least)
        return say("{seat}: at least {least}.", seat=self.seat, least=self.least)

    def _highest(self) -> list[Limit]:
        return [limit for limit in (self.most, self.held) if limit is not None]

    def _known(self) -> list[int]:
        return [known for limit in self._highest() if (known := shown(limit)) is not None]
