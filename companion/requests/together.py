"""Several seats answer at once: each in secret, so that nothing is known until all are in, or in the open."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from random import Random
from typing import Any, TypeVar

from companion.errors import IllegalAnswer
from companion.requests.fields import Form
from companion.requests.request import Pointed, Request
from companion.table.seats import Seat
from companion.texts import Say, find_text_fault, render, say, say_list

A = TypeVar("A")
EMPTY = Form(fields=(), verb=say(""))


class Together(Pointed[dict[Seat, A]], frozen=True, eq=False):
    """Asks several seats at once, in secret; returns a dict of the answers by seat.

    `await Together(say("Sealed bid"), {aki: Amount(aki, …), ben: Amount(ben, …)})`.
    With `open` nothing is secret, such as the points of a round: all see what has been entered so far, and
    the person at the screen may answer for everybody in one go.
    A log writes the answer as `{"1": …, "2": …}`, by seat number. If a correction made a sealed answer
    impossible, that seat alone is asked again after all are open.
    """

    kind = "Together"
    question: Say
    parts: Mapping[Seat, Request[A]]  # type: ignore[misc]  # of all other kinds the class has them
    open: bool = False

    def __await__(self) -> Generator[Request[Any], Any, dict[Seat, A]]:
        """All answers, each of them legal at the same moment."""
        answer: dict[Seat, A] = yield self
        while unfit := self.unfit(answer):
            seat = next(iter(unfit))
            again: A = yield self.parts[seat]
            answer = {**answer, seat: again}
        return answer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All who are asked."""
        return tuple(self.parts)

    @property
    def asks(self) -> str:
        """The question and who is asked, by number: who opens must be open to amendment."""
        seats = sorted(self.parts, key=lambda seat: seat.number)
        return f"{self.kind} {' '.join(seat.key for seat in seats)}: {(self.known_as or self.question).key}"

    def is_asked(self, asks: str) -> bool:
        """Older logs have the seats in the order in which they were asked."""
        head, _, about = asks.partition(": ")
        kind, *seats = head.split(" ")
        keys = sorted(seat.key for seat in self.parts)
        return (kind, sorted(seats), about) == (self.kind, keys, (self.known_as or self.question).key)

    @property
    def text(self) -> Say:
        """The question."""
        return self.question

    @property
    def limits(self) -> dict[str, Any]:
        """None of its own: each part has its own."""
        return {}

    @property
    def form(self) -> Form:
        """Nothing of its own: each part has its own."""
        return EMPTY

    @property
    def is_sealed(self) -> bool:  # type: ignore[override]  # of all other kinds the class says it
        """True unless the round is open."""
        return not self.open

    def load(self, plain: object) -> dict[Seat, A]:
        """All parts."""
        if not isinstance(plain, Mapping) or set(plain) != {str(seat.number) for seat in self.parts}:
            raise IllegalAnswer(say("All players who are asked must answer. Nobody else can answer."))
        return {seat: part.load(plain[str(seat.number)]) for seat, part in self.parts.items()}

    def dump(self, answer: dict[Seat, A]) -> Any:
        """By seat number."""
        return {str(seat.number): part.dump(answer[seat]) for seat, part in self.parts.items()}

    def check(self, answer: dict[Seat, A]) -> None:
        """Each part is legal by itself."""
        for seat, part in self.parts.items():
            part.check(answer[seat])

    def unfit(self, answer: Mapping[Seat, A]) -> dict[Seat, Say]:
        """Whose part is no longer legal, and why."""
        found = {}
        for seat, part in self.parts.items():
            try:
                part.check(answer[seat])
            except IllegalAnswer as error:
                found[seat] = error.text
        return found

    def sample(self, rng: Random) -> dict[Seat, A]:
        """A legal answer from everybody."""
        return {seat: part.sample(rng) for seat, part in self.parts.items()}

    def find_fault(self) -> str | None:
        """Nobody is asked, or the fault of a part."""
        if not self.parts:
            return f'Together "{render(self.question)}" asks nobody'
        faults = (part.find_fault() for part in self.parts.values())
        return find_text_fault(self.question) or next((fault for fault in faults if fault), None)

    def told(self, answer: dict[Seat, A]) -> Say:
        """All answers, once they are open."""
        return say(
            "{answers}", answers=say_list([part.opened(answer[seat]) for seat, part in self.parts.items()])
        )
