"""One of several things: an action, a player, a card, yes or no."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import reduce
from random import Random
from typing import Any

import msgspec

from companion.cards import Card, Deck
from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.fields import ConfirmField, Form, OptionField
from companion.requests.request import Asked, Live, Request
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, Say, find_text_fault, render, say, say_list

DECLINED = "pass"
"""The key of the option that silence means."""
FEW = 9
"""Most options that a refusal explains."""
SHOWN = 40
"""Letters of what was wrong that a refusal repeats."""


class Need(msgspec.Struct, frozen=True, gc=False):
    """What an option needs: at least `least` in an account or a purse at the moment of choosing.

    `why` is the refusal. `most`: at most so many. Over a covered account `why` must not tell the count.
    """

    held: Live
    least: int
    why: Say
    most: int | None = None

    @property
    def is_met(self) -> bool:
        """Whether so many are there now."""
        return self.least <= self.held.count and (self.most is None or self.held.count <= self.most)


class Falling(msgspec.Struct, frozen=True):
    """What something costs for now, and `then`, once nobody has taken it; None: nothing less.

    `paid_in`: the piece that is counted, where it is one.
    """

    price: int
    then: int | None
    paid_in: Piece | None = None

    @property
    def after(self) -> Say:
        """What comes once nobody has taken it."""
        return say("last price") if self.then is None else say("then {n}", n=self.then)


class Offer(msgspec.Struct, frozen=True, gc=False):
    """An option of a `Choose` that shows what it is about, what it costs and what it gives.

    Options of the same `group` stand together. `apart` marks the way out, such as passing. `usual` marks the
    most likely option; at most one has it. `cant` says why it can't be chosen now: it is shown, but refused.
    """

    label: Say
    piece: Piece | None = None
    card: Card | None = None
    price: int | None = None
    gives: Say | None = None
    note: Say | None = None
    group: Say | None = None
    apart: bool = False
    cant: Say | None = None
    usual: bool = False

    @property
    def key(self) -> str:
        """What the log keeps of it where a sentence names it."""
        return self.label.key

    @property
    def described(self) -> Labelled:
        """The label with what it costs and gives, in one line."""
        costs = () if self.price is None else (say("costs {n}", n=self.price),)
        more = [text for text in (self.gives, self.note) if text is not None]
        return reduce(
            lambda one, other: say("{one} · {other}", one=one, other=other), (*costs, *more), self.label
        )


def described(option: Labelled) -> Labelled:
    """An option as a line of text says it, where no key is drawn."""
    return option.described if isinstance(option, Offer) else option


class Choose(Asked[str], frozen=True, eq=False):
    """Asks for one of a few options; returns its key.

    `await Choose(ben, say("What now?"), {"sell": say("Sell"), "pass": say("Pass")})` returns `"sell"` or
    `"pass"`.
    An option is a text, a seat, a piece or an `Offer`, which also shows a price.
    All options are shown. An option in `needs` is refused while its account holds too little.
    `cards`: the deck whose designs are the keys; a card laid on a reader answers too.
    `sure`: for grave options, what screen, terminal and keypads ask before they take the answer.
    `race`: the first of these seats to answer gets it. Each seat's own device answers with the seat's number.
    `falling`: the price they race for; everybody sees it.
    """

    kind = "Choose"
    options: Mapping[str, Labelled]
    needs: Mapping[str, Need] = {}
    cards: Deck | None = None
    sure: Mapping[str, Say] = {}
    race: tuple[Seat, ...] = ()
    falling: Falling | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who is asked; in a race all that run."""
        return self.race or ((self.seat,) if self.seat else ())

    @property
    def limits(self) -> dict[str, Any]:
        """Each key with what it means, why others can't be, what to ask before a grave one; a price."""
        limits: dict[str, Any] = {
            "options": {key: render(described(option)) for key, option in self.offered.items()}
        }
        if barred := self.barred:
            limits["cant"] = {key: render(why) for key, why in barred.items()}
        if self.sure:
            limits["sure"] = {key: render(doubt) for key, doubt in self.sure.items()}
        if self.falling is not None:
            limits["falling"] = {"price": self.falling.price, "then": self.falling.then}
        return limits

    @property
    def offered(self) -> Mapping[str, Labelled]:
        """The options that all know may be chosen: those with a number on keypads and terminals."""
        barred = self.barred
        return {key: option for key, option in self.options.items() if key not in barred}

    @property
    def barred(self) -> Mapping[str, Say]:
        """The options that are only shown, each with the reason."""
        return {
            key: option.cant
            for key, option in self.options.items()
            if isinstance(option, Offer) and option.cant is not None
        }

    @property
    def form(self) -> Form:
        """One of the options; those that can't be chosen with the reason."""
        barred = {key: (self.options[key], why) for key, why in self.barred.items()}
        facts: dict[str, Any] = {"race": self.race} if self.race else {}
        if self.falling is not None:
            facts["falling"] = self.falling
        return Form(
            fields=(OptionField(options=self.offered, barred=barred, deck=self.cards),),
            verb=say("Choose {keys}"),
            cautions=self.sure,
            facts=facts,
            at_once=bool(self.race),
        )

    def for_seat(self, seat: Seat) -> Request[Any] | None:
        """In a race each seat is asked whether it is the first."""
        if not self.race:
            return super().for_seat(seat)
        return (
            RaceClaim(seat, self.question, race=self, known_as=self.known_as) if seat in self.race else None
        )

    def why_not(self, key: str) -> Say | None:
        """Why an option can't be chosen now, as far as all may know it; a covered need says nothing."""
        need = self.needs.get(key)
        if need is not None and not need.held.covered and not need.is_met:
            return need.why
        return self.barred.get(key)

    def load(self, plain: object) -> str:
        """The key."""
        if isinstance(plain, str) and plain in self.options:
            return plain
        text = "{given} can't be chosen now. Choose from: {options}."
        raise IllegalAnswer(say(text, given=_given(plain), options=self._there_are))

    def check(self, answer: str) -> None:
        """Every key is legal that needs no more than there is."""
        if why := self.barred.get(self.load(answer)):
            raise IllegalAnswer(why)
        if not self._may_be_had(answer):
            need = self.needs[answer]
            raise PrivateRefusal(need.why) if need.held.covered else IllegalAnswer(need.why)

    def find_fault(self) -> str | None:
        """No options, or a text that can't be read."""
        if not isinstance(self.options, Mapping):
            return f'The options of Choose "{render(self.question)}" are {{key: text, …}}'
        if not self.options:
            return f'Choose "{render(self.question)}" has no options'
        texts = (self.question, *[text for text in self.options.values() if isinstance(text, Say)])
        return next((gap for text in texts if (gap := find_text_fault(text))), None)

    def doubt(self, answer: str) -> Say | None:
        """What is asked before a grave option is taken."""
        return self.sure.get(answer)

    def sample(self, rng: Random) -> str:
        """Any key that may be had."""
        return rng.choice(self.allowed)

    @property
    def allowed(self) -> list[str]:
        """The keys that may be had now."""
        return [key for key in self.offered if self._may_be_had(key)]

    @property
    def otherwise(self) -> tuple[str] | None:
        """To pass, where one can."""
        return (DECLINED,) if DECLINED in self.offered else None

    def told(self, answer: str) -> Say:
        """Who chose what at which question; the way out says enough alone."""
        choice = self.options[answer]
        if self.seat is None:
            return say("{question} {choice}", question=self.question, choice=choice)
        if isinstance(choice, Offer) and choice.apart:
            return say("{seat}: {choice}", seat=self.seat, choice=choice)
        return say("{seat}: {question} → {choice}", seat=self.seat, question=self.question, choice=choice)

    def content(self, answer: str) -> tuple[Labelled, ...]:
        """What was chosen."""
        return (self.options[answer],)

    @property
    def _there_are(self) -> Labelled:
        """Each key as programs write it, with what it means where that says more; of many only the keys."""
        offered = self.offered
        few = len(offered) <= FEW
        means = {key: few and render(option) != key for key, option in offered.items()}
        return say_list(
            [
                say('"{key}" ({means})', key=key, means=option) if means[key] else say('"{key}"', key=key)
                for key, option in offered.items()
            ]
        )

    def _may_be_had(self, key: str) -> bool:
        need = self.needs.get(key)
        return need is None or need.is_met


class RaceClaim(Asked[str], frozen=True, eq=False):
    """A race as one seat is asked: OK means that this seat is first. The answer is one of the race.

    It exists only while a device of that seat answers; the game asks the race, and the log keeps that.
    """

    kind = "Claim"
    race: Choose

    @property
    def form(self) -> Form:
        """Only OK, which counts at once."""
        assert self.seat is not None
        first = ConfirmField(answer=str(self.seat.number))
        return Form(fields=(first,), verb=say("Take it: {keys}"), at_once=True)

    def load(self, plain: object) -> str:
        """The key of a seat that runs."""
        return self.race.load(plain)

    def check(self, answer: str) -> None:
        """As the race decides."""
        self.race.check(answer)

    def doubt(self, answer: str) -> Say | None:
        """What the race asks before it takes the answer."""
        return self.race.doubt(answer)


def _given(plain: object) -> str:
    """What was given, as JSON writes it, and not all of what is long."""
    text = json.dumps(plain, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


async def choose_seat(
    question: Say, seats: Iterable[Seat], asked: Seat | None = None, known_as: Say | None = None
) -> Seat:
    """Asks for one of these seats and returns it; the whole table answers, or `asked` does."""
    named = {str(seat.number): seat for seat in seats}
    return named[await Choose(asked, question, dict(named), known_as=known_as)]
