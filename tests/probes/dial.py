"""A kind of question that the product doesn't know: an even number, or skip.

It touches only what a new kind may touch: a file of its own, with its texts. Its field brings the widget.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.errors import IllegalAnswer
from companion.requests import Decline, Form, NumberField
from companion.requests.request import SingleQuestion, parse_whole_number
from companion.texts import Say, say

HIGHEST = 8
SKIP = Decline(key="skip", label=say("skip"), answer=None, typed_letter="s")


class Dial(SingleQuestion[int | None], frozen=True, eq=False):
    """Asks for an even number up to 8; None skips."""

    kind = "Dial"

    @property
    def limits_json(self) -> dict[str, Any]:
        """Nothing: programs read the form."""
        return {}

    @property
    def form(self) -> Form:
        """An even number, or skip."""
        number = NumberField(least=0, most=HIGHEST, step=2)
        return Form(fields=(number,), keypad_line=say("Dial {keys}"), decline=SKIP)

    def parse_answer(self, json_value: object) -> int | None:
        """A whole number or None."""
        return None if json_value is None else parse_whole_number(json_value, "Whoever dials")

    def check_answer(self, answer: int | None) -> None:
        """Even, and not too high."""
        if answer is not None and (answer % 2 or not 0 <= answer <= HIGHEST):
            raise IllegalAnswer(say("Dial an even number up to {most}.", most=HIGHEST))

    def random_legal_answer(self, rng: Random) -> int | None:
        """Any even number, or None."""
        numbers: list[int | None] = [None, *range(0, HIGHEST + 1, 2)]
        return rng.choice(numbers)

    def describe_answer(self, answer: int | None) -> Say:
        """What was dialled."""
        return say("skipped") if answer is None else say("dialled {answer}", answer=answer)
