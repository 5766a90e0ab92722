"""A few words that people write, such as the name of a lot; no program interprets them."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

from companion.errors import IllegalAnswer
from companion.name_matching import count_graphemes
from companion.requests.fields import Decline, Form, TextField
from companion.requests.request import SingleQuestion
from companion.table.seats import Seat
from companion.texts import Say, Text, render, say, say_n

DEFAULT_MAX_LETTERS = 20
"""The highest number of letters by default: more don't fit on a line of the table."""
RANDOM_DECLINE_PROBABILITY = 0.25
"""Probability that a random answer is empty, if an empty answer is allowed."""
SAMPLE_TEXTS = (
    "Vase",
    "花瓶",
    "No. 3",
    "あおい つぼ",
    "{0}",
    'the "Egg"',
    "= 12 (x)",
    "Œuvre d'été",
    "-7",
    "no",
    "#1",
)


class Write(SingleQuestion[str], frozen=True, eq=False):
    """Asks for a few words; returns one line of at most `max_letters` letters.

    `await Write(aki, say("What is sold?"), decline=say("No name"))`: with `decline` an empty answer is
    allowed, and `decline` says what it means. The returned text is composed (NFC), without spaces at its
    ends.
    """

    kind = "Write"
    max_letters: int = DEFAULT_MAX_LETTERS
    decline: Say | None = None

    @property
    def limits_json(self) -> dict[str, Any]:
        """The highest number of letters and, if an empty answer is allowed, its meaning, as JSON."""
        limits: dict[str, Any] = {"most": self.max_letters}
        if self.decline is not None:
            limits["none"] = render(self.decline)
        return limits

    @property
    def form(self) -> Form:
        """The form with one text field and, if an empty answer is allowed, how to decline."""
        decline = None
        if self.decline is not None:
            decline = Decline(key="none", label=self.decline, answer="", typed_letter="")
        return Form(
            fields=(TextField(max_letters=self.max_letters),),
            keypad_line=say("Screen, or {keys}"),
            decline=decline,
        )

    def parse_answer(self, json_value: object) -> str:
        """Returns the text in a JSON value with single spaces between words."""
        if not isinstance(json_value, str):
            raise IllegalAnswer(say("{who} must answer with a text.", who=self._answerer))
        return unicodedata.normalize("NFC", " ".join(json_value.split()))

    def check_answer(self, answer: str) -> None:
        """Raises `IllegalAnswer` for a text that is too long, contains invisible characters, or is empty.

        An empty text is legal if it has a meaning.
        """
        if not answer and self.decline is None:
            raise IllegalAnswer(say("{who} must write at least one character.", who=self._answerer))
        if count_graphemes(answer) > self.max_letters:
            raise IllegalAnswer(
                say_n(
                    "{who} can write at most {n} character.",
                    "{who} can write at most {n} characters.",
                    n=self.max_letters,
                    who=self._answerer,
                )
            )
        if not answer.isprintable():
            raise IllegalAnswer(say("{who} can write only visible characters.", who=self._answerer))

    def random_legal_answer(self, rng: Random) -> str:
        """Returns a random text in one of several scripts; sometimes an empty one if that is allowed."""
        if self.decline is not None and rng.random() < RANDOM_DECLINE_PROBABILITY:
            return ""
        return rng.choice(SAMPLE_TEXTS)[: self.max_letters].strip()

    @property
    def default_answer(self) -> tuple[str] | None:
        """The default answer as a 1-tuple: an empty text if that is allowed; else None."""
        return None if self.decline is None else ("",)

    def describe_answer(self, answer: str) -> Say:
        """Returns a sentence that says who wrote what to which question."""
        text = self._answer_text(answer)
        if self.seat is None:
            return say("{question} {choice}", question=self.question, choice=text)
        return say("{seat}: {question} → {choice}", seat=self.seat, question=self.question, choice=text)

    def describe_revealed_answer(self, answer: str) -> Say:
        """Returns a sentence that says who wrote what, without the question."""
        return say("{seat}: {choice}", seat=self._answerer, choice=self._answer_text(answer))

    def revealed_answer_lines(self, answer: str) -> tuple[Text, ...]:
        """Returns the written text, or the meaning of an empty one, as the only line."""
        return (self._answer_text(answer),)

    def _answer_text(self, answer: str) -> Text:
        return answer or self.decline or ""

    @property
    def _answerer(self) -> Seat | Say:
        return self.seat or say("The table")
