"""A step at the real table that must have been done before the game goes on."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

from companion.errors import IllegalAnswer
from companion.requests.fields import ConfirmField, Form
from companion.requests.request import SingleQuestion
from companion.table.ledger import Piece
from companion.texts import Say, say

DONE_FORM = Form(fields=(ConfirmField(),), keypad_line=say("When done: {keys}"))


class Done(SingleQuestion[Literal[True]], frozen=True, eq=False):
    """Asks people to do something at the real table and to confirm it; returns True.

    `await Done(None, say("Deal the cards."), shuffled_pieces=(CARD,))`: `shuffled_pieces` names the cards
    that are shuffled or dealt, because nobody can undo that by hand.
    """

    kind = "Done"
    shuffled_pieces: tuple[Piece, ...] = ()

    @property
    def limits_json(self) -> dict[str, Any]:
        """None."""
        return {}

    @property
    def form(self) -> Form:
        """Only that it was done."""
        return DONE_FORM

    def load(self, plain: object) -> Literal[True]:
        """True and nothing else."""
        if plain is True:
            return True
        raise IllegalAnswer(say("When you have done this, answer with true."))

    def check(self, answer: Literal[True]) -> None:
        """True is legal."""
        self.load(answer)

    def sample(self, rng: Random) -> Literal[True]:  # noqa: ARG002 - there is only one answer
        """True."""
        return True

    def describe(self, answer: Literal[True]) -> Say:  # noqa: ARG002 - there is only one answer
        """Returns the sentence that says the instruction was followed."""
        return say("Done: {instruction}", instruction=self.question)
