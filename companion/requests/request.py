"""What all questions have in common.

A Request is a value that knows what it asks, whom it asks, which answers are legal and how answers are
written. A Request doesn't know about screens, devices or the log.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from companion.bounds import MAX_NUMBER
from companion.cards import Card
from companion.errors import IllegalAnswer
from companion.half_numbers import halves_of, number_from_json
from companion.requests.fields import Form
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Account, Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, Say, Text, find_text_fault, say

AnswerT = TypeVar("AnswerT")


class LiveCount(Protocol):
    """Something with a `count` that may change while a question is open, such as an account."""

    @property
    def count(self) -> int:
        """The present count."""

    @property
    def covered(self) -> bool:
        """True if the count is covered: hidden from some players."""


@runtime_checkable
class ExplainedLimit(LiveCount, Protocol):
    """A limit that says itself why a higher number isn't possible."""

    @property
    def too_high_text(self) -> Say:
        """The sentence that refuses a higher number."""


Limit = int | LiveCount
"""A fixed number, or an account whose present count is the limit."""

Subject = Piece | Card | Place
"""A piece, card or place on the table that a question is about."""


class Request(msgspec.Struct, Generic[AnswerT], frozen=True, eq=False, gc=False):
    """A question to one seat, to several seats, or to the whole table; `await` it for the answer.

    Most questions also accept two keywords. `about`: the piece, card or place that the question is about; the
    table frames it. `log_name`: the name of the question in logs, if its own text contains something that
    changes.
    """

    kind: ClassVar[str]
    # Every answer and every view reads these two attributes: a class attribute costs a fifth of a property.
    parts_by_seat: ClassVar[Mapping[Seat, Request[Any]]] = {}
    """The question for each seat, if the question consists of parts; empty if it is asked as a whole."""
    is_sealed: ClassVar[bool] = False
    """True if each seat answers its part in secret."""

    def __await__(self) -> Generator[Request[Any], AnswerT, AnswerT]:
        """Yields the question to the session and returns the answer."""
        answer: AnswerT = yield self
        return answer

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked; empty if the whole table is asked."""
        raise NotImplementedError  # each kind of question says it

    @property
    def log_key(self) -> str:
        """The key that identifies the question in a log: its kind, seats and subject.

        Seats are written as `@1`. Earlier answers are never part of the key.
        """
        raise NotImplementedError  # each kind of question says it

    def matches_log_key(self, log_key: str) -> bool:
        """Returns whether a log key belongs to this question."""
        return log_key == self.log_key

    @property
    def text(self) -> Say:
        """The question as a sentence."""
        raise NotImplementedError  # each kind of question says it

    @property
    def limits_json(self) -> dict[str, Any]:
        """The limits of an answer now, as JSON: what everybody may know, with seats by name."""
        raise NotImplementedError  # each kind of question says it

    @property
    def form(self) -> Form:
        """The form that people fill in to answer the question now; don't store it, because limits change."""
        raise NotImplementedError  # each kind of question says it

    def illegal_parts(self, answer: Any) -> Mapping[Seat, Say]:  # noqa: ARG002 - for questions asked part by part
        """Returns the seats whose part of an answer is no longer legal, each with the reason."""
        return {}

    def question_for(self, seat: Seat) -> Request[Any] | None:
        """Returns what this seat is asked: its part, the question itself, or None if it isn't asked."""
        if self.parts_by_seat:
            return self.parts_by_seat.get(seat)
        return None if self.seats and seat not in self.seats else self

    @property
    def about(self) -> Subject | tuple[Subject, ...] | None:
        """What the question is about: pieces, cards or places, which the table frames; None if nothing."""
        raise NotImplementedError  # each kind of question says it

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All pieces, cards and places that the question is about.

        A small screen hides its subjects last.
        """
        about = self.about
        if about is None:
            return ()
        return about if isinstance(about, tuple) else (about,)

    def parse_answer(self, json_value: object) -> AnswerT:
        """Returns the answer that a JSON value means; raises `IllegalAnswer` if it has another shape."""
        raise NotImplementedError  # each kind of question says it

    def answer_to_json(self, answer: AnswerT) -> Any:
        """Returns an answer as JSON, in the form that the log stores."""
        return answer

    def check_answer(self, answer: AnswerT) -> None:
        """Raises `IllegalAnswer`, which says what is allowed, if an answer isn't legal now."""
        raise NotImplementedError  # each kind of question says it

    def find_definition_fault(self) -> str | None:
        """Returns what is wrong with the definition of the question; None if it is fine.

        The sentence is for the author of the rules: why nobody can answer the question.
        """
        return None

    def confirmation_for(self, answer: AnswerT) -> Say | None:  # noqa: ARG002 - for the kinds that have grave answers
        """Returns what to ask before this answer is given; None if it needs no confirmation."""
        return None

    def random_legal_answer(self, rng: Random) -> AnswerT:
        """Returns a random legal answer."""
        raise NotImplementedError  # each kind of question says it

    @property
    def default_answer(self) -> tuple[AnswerT] | None:
        """The default answer on timeout, as a 1-tuple; None if there is none.

        Without one, the clock only rings.
        """
        return None

    def describe_answer(self, answer: AnswerT) -> Say:
        """Returns what happened as a sentence for the history, without secrets."""
        raise NotImplementedError  # each kind of question says it

    def describe_revealed_answer(self, answer: AnswerT) -> Say:
        """Returns an answer revealed from an envelope as a short sentence, without the common question."""
        return self.describe_answer(answer)

    def revealed_answer_lines(self, answer: AnswerT) -> tuple[Labelled | Text, ...]:
        """Returns an answer revealed from an envelope, one line for each item, without the seat."""
        return (self.describe_answer(answer),)


class HasSubject(Request[AnswerT], Generic[AnswerT], frozen=True, eq=False, kw_only=True):
    """A question that may be about one or several things on the table."""

    about: Subject | tuple[Subject, ...] | None = None
    log_name: Say | None = None
    """Name of the question in logs, if its own text contains something that changes."""


class SingleQuestion(HasSubject[AnswerT], Generic[AnswerT], frozen=True, eq=False):
    """A question in words to one seat, or to the whole table if `seat` is None."""

    seat: Seat | None
    question: Say

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seat that is asked; empty if the whole table is asked."""
        return (self.seat,) if self.seat else ()

    @property
    def log_key(self) -> str:
        """The identity of the question in a log: kind, seat and text, without the limits."""
        return make_log_key(self.kind, self.seat, self.log_name or self.question)

    @property
    def text(self) -> Say:
        """The question as a sentence."""
        return self.question

    def find_definition_fault(self) -> str | None:
        """Returns an error if the question's text can't be rendered; else None."""
        return find_text_fault(self.question)


@lru_cache(maxsize=4096)  # games ask equal questions again and again, and every answer is stored with its key
def make_log_key(kind: str, seat: Seat | None, about: Labelled) -> str:
    """Returns the log key of a question: its kind, the seat it asks, and its subject."""
    return f"{kind} {seat.key}: {about.key}" if seat else f"{kind}: {about.key}"


def are_questions_equal(question: object, other: object) -> bool:
    """Returns whether two questions from different runs are equal; live limits are compared by account.

    Which numbers need a confirmation isn't compared: people needn't be asked again because of it.
    """
    if question is other or isinstance(question, KnownCardTracker) or type(question) is not type(other):
        return type(question) is type(other)
    match question, other:
        case Account(), Account():
            return (question.place, question.piece) == (other.place, other.piece)
        case msgspec.Struct(), msgspec.Struct():
            return all(
                are_questions_equal(getattr(question, name), getattr(other, name))
                for name in question.__struct_fields__
                if name != "confirm_above"
            )
        case Mapping(), Mapping():
            return [*question] == [*other] and all(
                map(are_questions_equal, question.values(), other.values())
            )
        case tuple(), tuple():
            return len(question) == len(other) and all(map(are_questions_equal, question, other))
    return question == other


def parse_whole_number(json_value: object, answerer: Text | Seat, most: int = MAX_NUMBER) -> int:
    """Returns a JSON value as an integer; raises `IllegalAnswer` for anything else and above `most`."""
    if type(json_value) is not int:
        raise IllegalAnswer(say("{who} must answer with a whole number.", who=answerer))
    if abs(json_value) > most:
        raise IllegalAnswer(say("{who} can't use a number above {most}.", who=answerer, most=most))
    return json_value


def parse_halves(json_value: object, answerer: Text | Seat, most: int = MAX_NUMBER) -> int:
    """Returns how many halves a JSON value is: 15 for 7.5; raises `IllegalAnswer` for any other value."""
    number = number_from_json(json_value)
    if number is None:
        raise IllegalAnswer(say("{who} must answer with a whole number or a half, such as 7½.", who=answerer))
    if abs(halves := halves_of(number)) > 2 * most:
        raise IllegalAnswer(say("{who} can't use a number above {most}.", who=answerer, most=most))
    return halves


def current_limit(limit: Limit) -> int:
    """Returns a limit at this moment; at least 0, even if the account is overdrawn."""
    return limit if isinstance(limit, int) else max(limit.count, 0)


def lowest_limit(*limits: Limit | None) -> int | None:
    """Returns the lowest of these limits at this moment; None without limits."""
    lowest = None  # a plain loop, because every bid calls this function
    for limit in limits:
        if limit is not None:
            count = limit if isinstance(limit, int) else current_limit(limit)
            if lowest is None or count < lowest:
                lowest = count
    return lowest


def lowest_public_limit(*limits: Limit | None) -> int | None:
    """Returns the lowest of the limits that everybody may know; None without such a limit."""
    return lowest_limit(*[limit for limit in limits if limit is not None and public_limit(limit) is not None])


def public_limit(limit: Limit) -> int | None:
    """Returns a limit if everybody may know it; None for a hidden account."""
    if isinstance(limit, int):
        return limit
    return None if limit.covered else current_limit(limit)
