"""Cards: laid on a reader, picked from a list, or typed as what is printed on them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion.cards import Card, Faces
from companion.errors import IllegalAnswer
from companion.requests.request import Asked, Limit, now, shown
from companion.words import Say, render, say, say_n


class Rate(msgspec.Struct, frozen=True):
    """What each card that shows `values` is worth; no values: any other card."""

    label: Say
    each: int
    values: dict[str, int | str] = {}


class Worth(msgspec.Struct, frozen=True):
    """A price in cards: their worth must reach `owed`; the first rate that fits a card counts."""

    owed: int
    rates: tuple[Rate, ...]

    def of(self, card: Card) -> int:
        """What one card counts; nothing where no rate fits."""
        for rate in self.rates:
            if card.shows(rate.values):
                return rate.each
        return 0

    def sum(self, cards: Sequence[Card]) -> int:
        """What several cards count together."""
        return sum([self.of(card) for card in cards])


class Read(Asked[tuple[Card, ...] | None], frozen=True, eq=False):
    """`least` to `most` cards of a deck, worth at least a price if there is one; None for `cant`.

    "Can't" is refused while even the cheapest cards in that number would reach the price.
    What is covered is checked last and refused in one way, so that nobody learns of it.
    """

    kind = "Read"
    faces: Faces
    least: int
    most: Limit
    worth: Worth | None = None
    cant: Say | None = None

    @property
    def limits(self) -> dict[str, Any]:
        """How many cards; the price with what each kind of card counts; whether one can't."""
        limits: dict[str, Any] = {
            "least": self.least,
            "most": shown(self.most),
            "cant": self.may_decline if shown(self.most) is not None else self.cant is not None,
        }
        if self.worth:
            limits["owed"] = self.worth.owed
            limits["worth"] = [
                {"label": render(rate.label), "values": rate.values, "each": rate.each}
                for rate in self.worth.rates
            ]
        return limits

    @property
    def may_decline(self) -> bool:
        """Whether "can't" would be believed."""
        if self.cant is None:
            return False
        return (
            self.worth is None
            or now(self.most) * min(rate.each for rate in self.worth.rates) < self.worth.owed
        )

    def load(self, plain: object) -> tuple[Card, ...] | None:
        """A list of cards, or None."""
        if plain is None:
            return None
        if not isinstance(plain, list):
            raise IllegalAnswer(say('Answer with a list of cards, such as [{{"card": id}}], or null.'))
        return tuple([self.faces.read(item) for item in plain])

    def dump(self, answer: tuple[Card, ...] | None) -> Any:
        """Named cards by id, described ones by their values; a tag is kept as the card it stands for."""
        if answer is None:
            return None
        return [{"values": card.values} if card.id is None else {"card": card.id} for card in answer]

    def check(self, answer: tuple[Card, ...] | None) -> None:
        """As many as allowed, all of them possible, and worth the price."""
        if answer is None:
            if not self.may_decline:
                raise IllegalAnswer(self._must())
            return
        self._check_known(answer)
        if len(answer) > now(self.most) or not self.faces.may_show(answer):
            raise IllegalAnswer(say("Not all of these cards can still be there."))

    def _check_known(self, answer: tuple[Card, ...]) -> None:
        most = shown(self.most)
        if most is not None and len(answer) > most:
            raise IllegalAnswer(say_n("At most {n} card is there.", "At most {n} cards are there.", n=most))
        if len(answer) < self.least:
            raise IllegalAnswer(
                say_n("At least {n} card is needed.", "At least {n} cards are needed.", n=self.least)
            )
        self.faces.check(answer)
        if self.worth and (paid := self.worth.sum(answer)) < self.worth.owed:
            raise IllegalAnswer(say("That is worth {sum}; {owed} are owed.", sum=paid, owed=self.worth.owed))

    def sample(self, rng: Random) -> tuple[Card, ...] | None:
        """Cards one by one, named or typed, until the price is reached; None when it isn't."""
        paid: list[Card] = []
        while len(paid) < self.least or (self.worth and self.worth.sum(paid) < self.worth.owed):
            card = self._another(paid, rng)
            if card is None:
                return None
            paid.append(card)
        return tuple(paid)

    def told(self, answer: tuple[Card, ...] | None) -> Say:
        """How many cards; which ones was open for a moment only."""
        who = self.seat or say("The table")
        if answer is None:
            return say("{who}: {cant}", who=who, cant=self.cant or say("none"))
        return say_n("{who} lays down {n} card.", "{who} lays down {n} cards.", n=len(answer), who=who)

    def _must(self) -> Say:
        if self.cant is None or self.worth is None:
            return say("Lay the cards down.")
        return say(
            "{who} has the cards to pay {owed}.",
            who=self.seat or say("The table"),
            owed=self.worth.owed,
        )

    def _another(self, paid: list[Card], rng: Random) -> Card | None:
        unseen = self.faces.unseen()
        tries = [self.faces.read({"card": name}) for name in rng.sample(unseen, min(3, len(unseen)))]
        rates = self.worth.rates if self.worth else ()
        tries += [self.faces.read({"values": rate.values}) for rate in rates]
        rng.shuffle(tries)
        for card in tries if len(paid) < now(self.most) else ():
            if self.faces.may_show([*paid, card]):
                return card
        return None
