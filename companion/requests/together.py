"""One question to several seats at once, answered in secret until all have answered, or openly."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from random import Random
from typing import Any, TypeVar

from companion.errors import IllegalAnswer
from companion.requests.fields import Form
from companion.requests.request import HasSubject, Request
from companion.table.seats import Seat
from companion.texts import Say, find_text_fault, render, say, say_list

AnswerT = TypeVar("AnswerT")
EMPTY_FORM = Form(fields=(), keypad_line=say(""))


class Together(HasSubject[dict[Seat, AnswerT]], frozen=True, eq=False):
    """Asks several seats at once; returns a dict of the answers by seat.

    `await Together(say("Sealed bid"), {aki: Amount(aki, …), ben: Amount(ben, …)})`.
    The answers are secret until all have answered. With `is_open` nothing is secret, such as the points of a
    round: all see what has been entered so far, and the person at the screen may answer for everybody in one
    go.
    A log writes the answer as `{"1": …, "2": …}`, by seat number. If a correction made a sealed answer
    impossible, only that seat is asked again after the reveal.
    """

    kind = "Together"
    question: Say
    parts_by_seat: Mapping[Seat, Request[AnswerT]]  # type: ignore[misc]  # a class attribute of all other kinds
    is_open: bool = False

    def __await__(self) -> Generator[Request[Any], Any, dict[Seat, AnswerT]]:
        """Yields the question and returns all answers, each of them legal at the same moment."""
        answer: dict[Seat, AnswerT] = yield self
        while illegal := self.illegal_parts(answer):
            seat = next(iter(illegal))
            new_answer: AnswerT = yield self.parts_by_seat[seat]
            answer = {**answer, seat: new_answer}
        return answer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked."""
        return tuple(self.parts_by_seat)

    @property
    def log_key(self) -> str:
        """The identity of the question in a log: text and asked seats, sorted by number.

        The order in which seats are asked may change with an amendment, so it isn't part of the key.
        """
        seats = sorted(self.parts_by_seat, key=lambda seat: seat.number)
        return f"{self.kind} {' '.join(seat.key for seat in seats)}: {(self.log_name or self.question).key}"

    def matches_log_key(self, log_key: str) -> bool:
        """Returns whether a log key belongs to this question.

        Older logs list the seats in the order in which they were asked.
        """
        head, _, about = log_key.partition(": ")
        kind, *seats = head.split(" ")
        keys = sorted(seat.key for seat in self.parts_by_seat)
        return (kind, sorted(seats), about) == (self.kind, keys, (self.log_name or self.question).key)

    @property
    def text(self) -> Say:
        """The question as a sentence."""
        return self.question

    @property
    def limits_json(self) -> dict[str, Any]:
        """An empty JSON object, because only the parts have limits."""
        return {}

    @property
    def form(self) -> Form:
        """An empty form, because each part has its own form."""
        return EMPTY_FORM

    @property
    def is_sealed(self) -> bool:  # type: ignore[override]  # a class attribute of all other kinds
        """True if the answers are sealed, that is secret until all seats have answered."""
        return not self.is_open

    def parse_answer(self, json_value: object) -> dict[Seat, AnswerT]:
        """Returns the answers by seat in a JSON object by seat number; all asked seats must be there."""
        seat_numbers = {str(seat.number) for seat in self.parts_by_seat}
        if not isinstance(json_value, Mapping) or set(json_value) != seat_numbers:
            raise IllegalAnswer(say("All players who are asked must answer. Nobody else can answer."))
        return {
            seat: part.parse_answer(json_value[str(seat.number)]) for seat, part in self.parts_by_seat.items()
        }

    def answer_to_json(self, answer: dict[Seat, AnswerT]) -> Any:
        """Returns the answers as JSON by seat number."""
        return {
            str(seat.number): part.answer_to_json(answer[seat]) for seat, part in self.parts_by_seat.items()
        }

    def check_answer(self, answer: dict[Seat, AnswerT]) -> None:
        """Raises `IllegalAnswer` if one of the answers isn't legal by itself."""
        for seat, part in self.parts_by_seat.items():
            part.check_answer(answer[seat])

    def illegal_parts(self, answer: Mapping[Seat, AnswerT]) -> dict[Seat, Say]:
        """Returns the seats whose answers are no longer legal, each with the reason."""
        reason_by_seat = {}
        for seat, part in self.parts_by_seat.items():
            try:
                part.check_answer(answer[seat])
            except IllegalAnswer as error:
                reason_by_seat[seat] = error.text
        return reason_by_seat

    def random_legal_answer(self, rng: Random) -> dict[Seat, AnswerT]:
        """Returns a random legal answer for every seat."""
        return {seat: part.random_legal_answer(rng) for seat, part in self.parts_by_seat.items()}

    def find_definition_fault(self) -> str | None:
        """Returns an error if nobody is asked, or the first error of the text or a part; else None."""
        if not self.parts_by_seat:
            return f'Together "{render(self.question)}" asks nobody'
        faults = (part.find_definition_fault() for part in self.parts_by_seat.values())
        return find_text_fault(self.question) or next((fault for fault in faults if fault), None)

    def describe_answer(self, answer: dict[Seat, AnswerT]) -> Say:
        """Returns a sentence with all answers, after the reveal."""
        answers = [part.describe_revealed_answer(answer[seat]) for seat, part in self.parts_by_seat.items()]
        return say("{answers}", answers=say_list(answers))
