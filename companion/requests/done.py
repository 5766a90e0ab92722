"""A request to do something at the real table before the game continues."""

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
        """The limits as JSON: an empty object, because this question has none."""
        return {}

    @property
    def form(self) -> Form:
        """The form with only a confirmation button."""
        return DONE_FORM

    def parse_answer(self, json_value: object) -> Literal[True]:
        """Returns True for JSON true; raises `IllegalAnswer` for anything else."""
        if json_value is True:
            return True
        raise IllegalAnswer(say("When you have done this, answer with true."))

    def check_answer(self, answer: Literal[True]) -> None:
        """Checks the answer, which can only be True.

        Raises `IllegalAnswer` for anything else.
        """
        self.parse_answer(answer)

    def random_legal_answer(self, rng: Random) -> Literal[True]:  # noqa: ARG002 - there is only one answer
        """Returns True, the only answer."""
        return True

    def describe_answer(self, answer: Literal[True]) -> Say:  # noqa: ARG002 - there is only one answer
        """Returns a sentence that says that it is done: the instruction after `Done:`."""
        return say("Done: {instruction}", instruction=self.question)
