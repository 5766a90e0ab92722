"""Several seats answer at once: each in secret, so that nothing is known until all are in, or in the open."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from random import Random
from typing import Any, TypeVar

from companion.errors import IllegalAnswer
from companion.requests.fields import Form
from companion.requests.request import HasSubject, Request
from companion.table.seats import Seat
from companion.texts import Say, find_text_fault, render, say, say_list

A = TypeVar("A")
EMPTY_FORM = Form(fields=(), keypad_line=say(""))


class Together(HasSubject[dict[Seat, A]], frozen=True, eq=False):
    """Asks several seats at once, in secret; returns a dict of the answers by seat.

    `await Together(say("Sealed bid"), {aki: Amount(aki, …), ben: Amount(ben, …)})`.
    With `is_open` nothing is secret, such as the points of a round: all see what has been entered so far, and
    the person at the screen may answer for everybody in one go.
    A log writes the answer as `{"1": …, "2": …}`, by seat number. If a correction made a sealed answer
    impossible, that seat alone is asked again after all are open.
    """

    kind = "Together"
    question: Say
    parts_by_seat: Mapping[Seat, Request[A]]  # type: ignore[misc]  # of all other kinds the class has them
    is_open: bool = False

    def __await__(self) -> Generator[Request[Any], Any, dict[Seat, A]]:
        """All answers, each of them legal at the same moment."""
        answer: dict[Seat, A] = yield self
        while unfit := self.illegal_parts(answer):
            seat = next(iter(unfit))
            again: A = yield self.parts_by_seat[seat]
            answer = {**answer, seat: again}
        return answer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All who are asked."""
        return tuple(self.parts_by_seat)

    @property
    def log_key(self) -> str:
        """The question and who is asked, by number: who opens must be open to amendment."""
        seats = sorted(self.parts_by_seat, key=lambda seat: seat.number)
        return f"{self.kind} {' '.join(seat.key for seat in seats)}: {(self.log_name or self.question).key}"

    def matches_log_key(self, log_key: str) -> bool:
        """Older logs have the seats in the order in which they were asked."""
        head, _, about = log_key.partition(": ")
        kind, *seats = head.split(" ")
        keys = sorted(seat.key for seat in self.parts_by_seat)
        return (kind, sorted(seats), about) == (self.kind, keys, (self.log_name or self.question).key)

    @property
    def text(self) -> Say:
        """The question."""
        return self.question

    @property
    def limits_json(self) -> dict[str, Any]:
        """None of its own: each part has its own."""
        return {}

    @property
    def form(self) -> Form:
        """Nothing of its own: each part has its own."""
        return EMPTY_FORM

    @property
    def is_sealed(self) -> bool:  # type: ignore[override]  # of all other kinds the class says it
        """True unless the round is open."""
        return not self.is_open

    def load(self, plain: object) -> dict[Seat, A]:
        """All parts."""
        if not isinstance(plain, Mapping) or set(plain) != {str(seat.number) for seat in self.parts_by_seat}:
            raise IllegalAnswer(say("All players who are asked must answer. Nobody else can answer."))
        return {seat: part.load(plain[str(seat.number)]) for seat, part in self.parts_by_seat.items()}

    def dump(self, answer: dict[Seat, A]) -> Any:
        """By seat number."""
        return {str(seat.number): part.dump(answer[seat]) for seat, part in self.parts_by_seat.items()}

    def check(self, answer: dict[Seat, A]) -> None:
        """Each part is legal by itself."""
        for seat, part in self.parts_by_seat.items():
            part.check(answer[seat])

    def illegal_parts(self, answer: Mapping[Seat, A]) -> dict[Seat, Say]:
        """Whose part is no longer legal, and why."""
        found = {}
        for seat, part in self.parts_by_seat.items():
            try:
                part.check(answer[seat])
            except IllegalAnswer as error:
                found[seat] = error.text
        return found

    def sample(self, rng: Random) -> dict[Seat, A]:
        """A legal answer from everybody."""
        return {seat: part.sample(rng) for seat, part in self.parts_by_seat.items()}

    def find_fault(self) -> str | None:
        """Nobody is asked, or the fault of a part."""
        if not self.parts_by_seat:
            return f'Together "{render(self.question)}" asks nobody'
        faults = (part.find_fault() for part in self.parts_by_seat.values())
        return find_text_fault(self.question) or next((fault for fault in faults if fault), None)

    def describe(self, answer: dict[Seat, A]) -> Say:
        """All answers, once they are open."""
        return say(
            "{answers}",
            answers=say_list(
                [part.describe_revealed(answer[seat]) for seat, part in self.parts_by_seat.items()]
            ),
        )
