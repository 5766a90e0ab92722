"""What every question has in common.

A Request is a value: it knows what it asks, of whom, which answers are legal and how they are written.
It never sees a screen, a device or the log.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from companion.bounds import MAX_NUMBER
from companion.cards import Card
from companion.errors import IllegalAnswer
from companion.requests.fields import Form
from companion.table.faces import FaceTracker
from companion.table.ledger import Account, Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text, find_text_fault, say

A = TypeVar("A")


class LiveCount(Protocol):
    """Something with a `count` that may change while a question is open, such as an account."""

    @property
    def count(self) -> int:
        """The number that is there now."""

    @property
    def covered(self) -> bool:
        """True if not everybody may know the count."""


Limit = int | LiveCount
"""A number, or an account: then the limit is its count at that moment."""

Subject = Piece | Card | Place
"""Something on the table that a question is about."""


class Request(msgspec.Struct, Generic[A], frozen=True, eq=False, gc=False):
    """A question to one seat, to several, or to the whole table; `await` it for the answer.

    Most questions also take two keywords. `about`: the piece, card or place that the question is about; the
    table frames it. `log_name`: what logs call the question, if its own words contain something that changes.
    """

    kind: ClassVar[str]
    # Every answer and every view looks at these two: in the class they cost a fifth of a property.
    parts_by_seat: ClassVar[Mapping[Seat, Request[Any]]] = {}
    """The questions to single seats that this one consists of; empty if it is asked as a whole."""
    is_sealed: ClassVar[bool] = False
    """True if each seat answers its part in secret."""

    def __await__(self) -> Generator[Request[Any], A, A]:
        """Yields the question to the session and returns the answer."""
        answer: A = yield self
        return answer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked; empty if the whole table is asked."""
        raise NotImplementedError  # each kind of question says it

    @property
    def log_key(self) -> str:
        """The identity of the question in a log: kind, seats as `@1`, subject; never earlier answers."""
        raise NotImplementedError  # each kind of question says it

    def matches_log_key(self, log_key: str) -> bool:
        """Whether this is what a log means by this log key."""
        return log_key == self.log_key

    @property
    def text(self) -> Say:
        """The question as a sentence."""
        raise NotImplementedError  # each kind of question says it

    @property
    def limits_json(self) -> dict[str, Any]:
        """What is allowed now, as JSON with seats by name; only what everybody may know."""
        raise NotImplementedError  # each kind of question says it

    @property
    def form(self) -> Form:
        """How an answer is entered now. Nobody keeps the form, because limits change."""
        raise NotImplementedError  # each kind of question says it

    def illegal_parts(self, answer: Any) -> Mapping[Seat, Say]:  # noqa: ARG002 - for questions asked part by part
        """Returns the seats whose part of an answer is no longer legal, each with the reason."""
        return {}

    def question_for(self, seat: Seat) -> Request[Any] | None:
        """Returns what this seat is asked: its part, the question itself, or None."""
        if self.parts_by_seat:
            return self.parts_by_seat.get(seat)
        return None if self.seats and seat not in self.seats else self

    @property
    def about(self) -> Subject | tuple[Subject, ...] | None:
        """What the question is about; the table frames it. None: nothing on the table."""
        raise NotImplementedError  # each kind of question says it

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Everything the question is about; a small screen leaves these things out last."""
        about = self.about
        if about is None:
            return ()
        return about if isinstance(about, tuple) else (about,)

    def load(self, plain: object) -> A:
        """Returns the answer that some JSON means; raises `IllegalAnswer` if it has another shape."""
        raise NotImplementedError  # each kind of question says it

    def dump(self, answer: A) -> Any:
        """Returns an answer as JSON, as the log keeps it."""
        return answer

    def check(self, answer: A) -> None:
        """Raises `IllegalAnswer`, which says what is allowed, for an answer that isn't legal now."""
        raise NotImplementedError  # each kind of question says it

    def find_fault(self) -> str | None:
        """Returns why nobody can answer the question, for the author of the rules; None if it is fine."""
        return None

    def confirmation_for(self, answer: A) -> Say | None:  # noqa: ARG002 - for the kinds that have grave answers
        """Returns what to ask before this answer is given; None if it needs no confirmation."""
        return None

    def sample(self, rng: Random) -> A:
        """Returns a random legal answer."""
        raise NotImplementedError  # each kind of question says it

    @property
    def default_answer(self) -> tuple[A] | None:
        """Default answer on timeout, as a 1-tuple. None means the clock only rings."""
        return None

    def describe(self, answer: A) -> Say:
        """Returns what happened as a sentence for the history; it never tells a secret."""
        raise NotImplementedError  # each kind of question says it

    def describe_revealed(self, answer: A) -> Say:
        """Returns the answer in an opened envelope as a short sentence; all envelopes share the question."""
        return self.describe(answer)

    def answer_lines(self, answer: A) -> tuple[Labelled | Text, ...]:
        """Returns the content of an opened envelope without its owner, one line per thing."""
        return (self.describe(answer),)


class HasSubject(Request[A], Generic[A], frozen=True, eq=False, kw_only=True):
    """A question that may be about something on the table, or several things."""

    about: Subject | tuple[Subject, ...] | None = None
    log_name: Say | None = None
    """What logs call the question if its own words contain something that changes."""


class SingleQuestion(HasSubject[A], Generic[A], frozen=True, eq=False):
    """A question in words, to one seat or (None) to the whole table."""

    seat: Seat | None
    question: Say

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is asked."""
        return (self.seat,) if self.seat else ()

    @property
    def log_key(self) -> str:
        """The question, not its limits."""
        return make_log_key(self.kind, self.seat, self.log_name or self.question)

    @property
    def text(self) -> Say:
        """The question."""
        return self.question

    def find_fault(self) -> str | None:
        """A text that can't be read."""
        return find_text_fault(self.question)


@lru_cache(maxsize=4096)  # the same is asked again and again, and every answer is kept with it
def make_log_key(kind: str, seat: Seat | None, about: Labelled) -> str:
    """Returns the log key of a question: its kind, whom it asks, and what about."""
    return f"{kind} {seat.key}: {about.key}" if seat else f"{kind}: {about.key}"


def offers_same(one: object, other: object) -> bool:
    """Returns whether two questions of two runs offer the same; live limits are compared by their account."""
    if one is other or isinstance(one, FaceTracker) or type(one) is not type(other):
        return type(one) is type(other)
    match one, other:
        case Account(), Account():
            return (one.place, one.piece) == (other.place, other.piece)
        case msgspec.Struct(), msgspec.Struct():
            return all(
                offers_same(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__
            )
        case Mapping(), Mapping():
            return [*one] == [*other] and all(map(offers_same, one.values(), other.values()))
        case tuple(), tuple():
            return len(one) == len(other) and all(map(offers_same, one, other))
    return one == other


def check_whole_number(plain: object, who: Text | Seat) -> int:
    """Returns the answer as an integer; raises `IllegalAnswer` for anything else and for huge numbers."""
    if type(plain) is not int:
        raise IllegalAnswer(say("{who} must answer with a whole number.", who=who))
    if abs(plain) > MAX_NUMBER:
        raise IllegalAnswer(say("{who} can't use a number above {most}.", who=who, most=MAX_NUMBER))
    return plain


def current_limit(limit: Limit) -> int:
    """Returns a limit at this moment; at least 0, even if more was taken out than was counted."""
    return limit if isinstance(limit, int) else max(limit.count, 0)


def lowest_limit(*limits: Limit | None) -> int | None:
    """Returns the lowest of these limits at this moment; None if there is none."""
    found = None  # a plain loop: every bid comes here
    for limit in limits:
        if limit is not None:
            most = limit if isinstance(limit, int) else current_limit(limit)
            if found is None or most < found:
                found = most
    return found


def lowest_public_limit(*limits: Limit | None) -> int | None:
    """Returns the lowest of those limits that everybody may know."""
    return lowest_limit(*[limit for limit in limits if limit is not None and public_limit(limit) is not None])


def public_limit(limit: Limit) -> int | None:
    """Returns a limit if everybody may know it; None over a covered account."""
    return limit if isinstance(limit, int) else None if limit.covered else current_limit(limit)
