"""A few words that people write, such as what a lot is called; no program reads a meaning into them."""

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
"""The number of letters that fit on a line of the table."""
DECLINE_SHARE = 0.25
"""The share of samples that are empty, if an empty answer means something."""
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
    allowed, and `decline` says what it means. The text comes back composed (NFC), without spaces at its ends.
    """

    kind = "Write"
    max_letters: int = DEFAULT_MAX_LETTERS
    decline: Say | None = None

    @property
    def limits_json(self) -> dict[str, Any]:
        """How many letters at most, and what nothing means where it is an answer."""
        limits: dict[str, Any] = {"most": self.max_letters}
        if self.decline is not None:
            limits["none"] = render(self.decline)
        return limits

    @property
    def form(self) -> Form:
        """One line; or nothing, where that means something."""
        nothing = (
            None
            if self.decline is None
            else Decline(key="none", label=self.decline, answer="", typed_letter="")
        )
        return Form(
            fields=(TextField(max_letters=self.max_letters),),
            keypad_line=say("Screen, or {keys}"),
            decline=nothing,
        )

    def load(self, plain: object) -> str:
        """A text; whatever spaces are in it are single ones between words."""
        if not isinstance(plain, str):
            raise IllegalAnswer(say("{who} must answer with a text.", who=self._who))
        return unicodedata.normalize("NFC", " ".join(plain.split()))

    def check(self, answer: str) -> None:
        """Something, unless nothing means something; not more than has room; and all of it can be seen."""
        if not answer and self.decline is None:
            raise IllegalAnswer(say("{who} must write at least one character.", who=self._who))
        if count_graphemes(answer) > self.max_letters:
            raise IllegalAnswer(
                say_n(
                    "{who} can write at most {n} character.",
                    "{who} can write at most {n} characters.",
                    n=self.max_letters,
                    who=self._who,
                )
            )
        if not answer.isprintable():
            raise IllegalAnswer(say("{who} can write only visible characters.", who=self._who))

    def sample(self, rng: Random) -> str:
        """Words of several scripts, and where that means something nothing."""
        if self.decline is not None and rng.random() < DECLINE_SHARE:
            return ""
        return rng.choice(SAMPLE_TEXTS)[: self.max_letters].strip()

    @property
    def default_answer(self) -> tuple[str] | None:
        """Nothing, where that means something."""
        return None if self.decline is None else ("",)

    def describe(self, answer: str) -> Say:
        """Who wrote what at which question."""
        choice = self._said(answer)
        if self.seat is None:
            return say("{question} {choice}", question=self.question, choice=choice)
        return say("{seat}: {question} → {choice}", seat=self.seat, question=self.question, choice=choice)

    def describe_revealed(self, answer: str) -> Say:
        """Who wrote what."""
        return say("{seat}: {choice}", seat=self._who, choice=self._said(answer))

    def answer_lines(self, answer: str) -> tuple[Text, ...]:
        """What was written."""
        return (self._said(answer),)

    def _said(self, answer: str) -> Text:
        return answer or self.decline or ""

    @property
    def _who(self) -> Seat | Say:
        return self.seat or say("The table")
