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
from companion.requests.request import LiveCount, Request, SingleQuestion
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, Say, find_text_fault, render, say, say_list

PASS_KEY = "pass"  # noqa: S105 - no password
"""The key of the option to pass, which is the default answer."""
MAX_EXPLAINED_OPTIONS = 9
"""A refusal explains the options only if there are no more than these."""
MAX_QUOTED_CHARACTERS = 40
"""A refusal repeats at most so many characters of a wrong answer."""


class OptionRequirement(msgspec.Struct, frozen=True, gc=False):
    """What an option needs: at least `least` in an account or a purse at the moment of choosing.

    `refusal` says why it is refused. `most`: at most so many. Over a covered account `refusal` must not tell
    the count.
    """

    account: LiveCount
    least: int
    refusal: Say
    most: int | None = None

    @property
    def is_met(self) -> bool:
        """True if the account holds enough now."""
        return self.least <= self.account.count and (self.most is None or self.account.count <= self.most)


class FallingPriceStep(msgspec.Struct, frozen=True):
    """What something costs for now, and `next_price`, once nobody has taken it; None: nothing less.

    `paid_in`: the piece that is counted, where it is one.
    """

    price: int
    next_price: int | None
    paid_in: Piece | None = None

    @property
    def next_price_text(self) -> Say:
        """What happens if nobody takes it: the next price, or that this is the last one."""
        return say("last price") if self.next_price is None else say("then {n}", n=self.next_price)


class DetailedOption(msgspec.Struct, frozen=True, gc=False):
    """An option of a `Choose` that shows what it is about, what it costs and what it gives.

    Options of the same `group` stand together. `is_way_out` marks the way out, such as passing. `is_usual`
    marks the most likely option; at most one has it. `barred_reason` says why it can't be chosen now: it is
    shown, but refused.
    """

    label: Say
    piece: Piece | None = None
    card: Card | None = None
    price: int | None = None
    gain: Say | None = None
    note: Say | None = None
    group: Say | None = None
    is_way_out: bool = False
    barred_reason: Say | None = None
    is_usual: bool = False

    @property
    def key(self) -> str:
        """The key of the label, for sentences in the log."""
        return self.label.key

    @property
    def full_label(self) -> Labelled:
        """The label with price, gain and note in one line."""
        costs = () if self.price is None else (say("costs {n}", n=self.price),)
        more = [text for text in (self.gain, self.note) if text is not None]
        return reduce(
            lambda one, other: say("{one} · {other}", one=one, other=other), (*costs, *more), self.label
        )


def option_label(option: Labelled) -> Labelled:
    """Returns an option as one line of text."""
    return option.full_label if isinstance(option, DetailedOption) else option


class Choose(SingleQuestion[str], frozen=True, eq=False):
    """Asks for one of a few options; returns its key.

    `await Choose(ben, say("What now?"), {"sell": say("Sell"), "pass": say("Pass")})` returns `"sell"` or
    `"pass"`.
    An option is a text, a seat, a piece or an `DetailedOption`, which also shows a price.
    All options are shown. An option in `requirements` is refused while its account holds too little.
    `deck`: the deck whose designs are the keys; a card laid on a reader answers too.
    `confirmations`: for grave options, what screen, terminal and keypads ask before they take the answer.
    `race_seats`: the first of these seats to answer gets it. Each seat's own device answers with the seat's
    number.
    `falling_price`: the price they race for; everybody sees it.
    """

    kind = "Choose"
    options: Mapping[str, Labelled]
    requirements: Mapping[str, OptionRequirement] = {}
    deck: Deck | None = None
    confirmations: Mapping[str, Say] = {}
    race_seats: tuple[Seat, ...] = ()
    falling_price: FallingPriceStep | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked; in a race all that take part."""
        return self.race_seats or ((self.seat,) if self.seat else ())

    @property
    def limits_json(self) -> dict[str, Any]:
        """Each key with what it means, why others can't be, what to ask before a grave one; a price."""
        limits: dict[str, Any] = {
            "options": {key: render(option_label(option)) for key, option in self.offered_options.items()}
        }
        if barred := self.barred_options:
            limits["cant"] = {key: render(why) for key, why in barred.items()}
        if self.confirmations:
            limits["sure"] = {key: render(doubt) for key, doubt in self.confirmations.items()}
        if self.falling_price is not None:
            limits["falling"] = {
                "price": self.falling_price.price,
                "then": self.falling_price.next_price,
            }
        return limits

    @property
    def offered_options(self) -> Mapping[str, Labelled]:
        """The options that may be chosen, as everybody knows; keypads and terminals number them."""
        barred = self.barred_options
        return {key: option for key, option in self.options.items() if key not in barred}

    @property
    def barred_options(self) -> Mapping[str, Say]:
        """The options that are shown but can't be chosen, each with the reason."""
        return {
            key: option.barred_reason
            for key, option in self.options.items()
            if isinstance(option, DetailedOption) and option.barred_reason is not None
        }

    @property
    def form(self) -> Form:
        """One of the options; those that can't be chosen with the reason."""
        barred = {key: (self.options[key], why) for key, why in self.barred_options.items()}
        facts: dict[str, Any] = {"race": self.race_seats} if self.race_seats else {}
        if self.falling_price is not None:
            facts["falling"] = self.falling_price
        return Form(
            fields=(OptionField(options=self.offered_options, barred_options=barred, deck=self.deck),),
            keypad_line=say("Choose {keys}"),
            confirmations=self.confirmations,
            side_facts=facts,
            is_race=bool(self.race_seats),
        )

    def question_for(self, seat: Seat) -> Request[Any] | None:
        """In a race each seat is asked whether it is the first."""
        if not self.race_seats:
            return super().question_for(seat)
        return (
            RaceClaim(seat, self.question, choose=self, log_name=self.log_name)
            if seat in self.race_seats
            else None
        )

    def why_barred(self, key: str) -> Say | None:
        """Returns why an option can't be chosen now, if everybody may know the reason; else None."""
        need = self.requirements.get(key)
        if need is not None and not need.account.covered and not need.is_met:
            return need.refusal
        return self.barred_options.get(key)

    def load(self, plain: object) -> str:
        """The key."""
        if isinstance(plain, str) and plain in self.options:
            return plain
        text = "{given} can't be chosen now. Choose from: {options}."
        raise IllegalAnswer(say(text, given=_given(plain), options=self._there_are))

    def check(self, answer: str) -> None:
        """Every key is legal that needs no more than there is."""
        if why := self.barred_options.get(self.load(answer)):
            raise IllegalAnswer(why)
        if not self._may_be_had(answer):
            need = self.requirements[answer]
            raise PrivateRefusal(need.refusal) if need.account.covered else IllegalAnswer(need.refusal)

    def find_fault(self) -> str | None:
        """No options, or a text that can't be read."""
        if not isinstance(self.options, Mapping):
            return f'The options of Choose "{render(self.question)}" are {{key: text, …}}'
        if not self.options:
            return f'Choose "{render(self.question)}" has no options'
        texts = (self.question, *[text for text in self.options.values() if isinstance(text, Say)])
        return next((gap for text in texts if (gap := find_text_fault(text))), None)

    def confirmation_for(self, answer: str) -> Say | None:
        """What is asked before a grave option is taken."""
        return self.confirmations.get(answer)

    def sample(self, rng: Random) -> str:
        """Any key that may be had."""
        return rng.choice(self.allowed_keys)

    @property
    def allowed_keys(self) -> list[str]:
        """The keys of all options that can be chosen now, also by hidden counts."""
        return [key for key in self.offered_options if self._may_be_had(key)]

    @property
    def default_answer(self) -> tuple[str] | None:
        """To pass, where one can."""
        return (PASS_KEY,) if PASS_KEY in self.offered_options else None

    def describe(self, answer: str) -> Say:
        """Who chose what at which question; the way out says enough alone."""
        choice = self.options[answer]
        if self.seat is None:
            return say("{question} {choice}", question=self.question, choice=choice)
        if isinstance(choice, DetailedOption) and choice.is_way_out:
            return say("{seat}: {choice}", seat=self.seat, choice=choice)
        return say("{seat}: {question} → {choice}", seat=self.seat, question=self.question, choice=choice)

    def answer_lines(self, answer: str) -> tuple[Labelled, ...]:
        """What was chosen."""
        return (self.options[answer],)

    @property
    def _there_are(self) -> Labelled:
        """Each key as programs write it, with what it means where that says more; of many only the keys."""
        offered = self.offered_options
        few = len(offered) <= MAX_EXPLAINED_OPTIONS
        means = {key: few and render(option) != key for key, option in offered.items()}
        return say_list(
            [
                say('"{key}" ({means})', key=key, means=option) if means[key] else say('"{key}"', key=key)
                for key, option in offered.items()
            ]
        )

    def _may_be_had(self, key: str) -> bool:
        need = self.requirements.get(key)
        return need is None or need.is_met


class RaceClaim(SingleQuestion[str], frozen=True, eq=False):
    """A race as one seat is asked: OK means that this seat is first. The answer is one of the race.

    It exists only while a device of that seat answers; the game asks the race, and the log keeps that.
    """

    kind = "Claim"
    choose: Choose

    @property
    def form(self) -> Form:
        """Only OK, which counts at once."""
        assert self.seat is not None
        first = ConfirmField(answer=str(self.seat.number))
        return Form(fields=(first,), keypad_line=say("Take it: {keys}"), is_race=True)

    def load(self, plain: object) -> str:
        """The key of a seat that runs."""
        return self.choose.load(plain)

    def check(self, answer: str) -> None:
        """As the race decides."""
        self.choose.check(answer)

    def confirmation_for(self, answer: str) -> Say | None:
        """What the race asks before it takes the answer."""
        return self.choose.confirmation_for(answer)


def _given(plain: object) -> str:
    """Returns a wrong answer as JSON, shortened."""
    text = json.dumps(plain, ensure_ascii=False)
    return text if len(text) <= MAX_QUOTED_CHARACTERS else text[:MAX_QUOTED_CHARACTERS] + "…"


async def choose_seat(
    question: Say, seats: Iterable[Seat], asked: Seat | None = None, log_name: Say | None = None
) -> Seat:
    """Asks for one of these seats and returns it; the whole table answers, or `asked` does."""
    named = {str(seat.number): seat for seat in seats}
    return named[await Choose(asked, question, dict(named), log_name=log_name)]
