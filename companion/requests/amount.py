"""One number, such as a sealed bid."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer
from companion.requests.request import Limit, Request, asked, now, shown, whole_number
from companion.seats import Seat
from companion.words import Say, say


class Amount(Request[int], frozen=True, eq=False):
    """A number from `least` to `most` in steps; `held` is what it is paid from, if it is paid at all."""

    kind = "Amount"
    seat: Seat
    question: Say
    least: Limit = 0
    most: Limit | None = None
    step: int = 1
    held: Limit | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is asked."""
        return (self.seat,)

    @property
    def asks(self) -> str:
        """The question, not its limits."""
        return asked(self.kind, self.seat, self.question)

    @property
    def text(self) -> Say:
        """The question."""
        return self.question

    @property
    def limits(self) -> dict[str, Any]:
        """The lowest and highest number and the step; null where there is no limit or it is covered."""
        known = [limit for limit in map(shown, self._highest()) if limit is not None]
        return {"least": shown(self.least), "most": min(known, default=None), "step": self.step}

    def load(self, plain: object) -> int:
        """A whole number."""
        return whole_number(plain, self.seat)

    def check(self, answer: int) -> None:
        """Within the limits and on the grid."""
        least = now(self.least)
        if answer < least:
            raise IllegalAnswer(
                self._refusal(self.least, say("{seat}: at least {least}.", seat=self.seat, least=least))
            )
        for limit in self._highest():
            if answer > (most := now(limit)):
                raise IllegalAnswer(
                    self._refusal(limit, say("{seat}: at most {most}.", seat=self.seat, most=most))
                )
        if (answer - least) % self.step:
            raise IllegalAnswer(
                say(
                    "{seat}: {least} or a multiple of {step} more.",
                    seat=self.seat,
                    least=least,
                    step=self.step,
                )
            )

    def sample(self, rng: Random) -> int:
        """Any legal number, small ones more often."""
        least = now(self.least)
        most = min(map(now, self._highest()), default=least + 20 * self.step)
        return least + self.step * min(rng.randint(0, (most - least) // self.step) for _ in range(2))

    def told(self, answer: int) -> Say:
        """Who answered how much."""
        return say("{seat}: {amount}", seat=self.seat, amount=answer)

    def _highest(self) -> tuple[Limit, ...]:
        return tuple(limit for limit in (self.most, self.held) if limit is not None)

    def _refusal(self, limit: Limit, text: Say) -> Say:
        return say("{seat} can't answer that.", seat=self.seat) if shown(limit) is None else text
