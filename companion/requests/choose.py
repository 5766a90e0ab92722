"""One of several things: an action, a player, a card, yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.errors import IllegalAnswer
from companion.requests.request import Asked
from companion.words import Labelled, Say, render, say


class Choose(Asked[str], frozen=True, eq=False):
    """`Choose(ben, say("What now?"), {"sell": say("Sell"), "pass": say("Pass")})`; the answer is a key."""

    kind = "Choose"
    options: Mapping[str, Labelled]

    @property
    def limits(self) -> dict[str, Any]:
        """Each key with what it means."""
        return {"options": {key: render(option) for key, option in self.options.items()}}

    def load(self, plain: object) -> str:
        """The key."""
        if isinstance(plain, str) and plain in self.options:
            return plain
        raise IllegalAnswer(say("Choose one of: {keys}.", keys=", ".join(self.options)))

    def check(self, answer: str) -> None:
        """Every key is legal."""
        self.load(answer)

    def sample(self, rng: Random) -> str:
        """Any key."""
        return rng.choice(list(self.options))

    def told(self, answer: str) -> Say:
        """Who chose what."""
        if self.seat:
            return say("{seat}: {choice}", seat=self.seat, choice=self.options[answer])
        return say("{question} {choice}", question=self.question, choice=self.options[answer])
