"""A choice of one option: an action, a player, a card, yes or no."""

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
from companion.requests.request import LiveCount, Request, SingleQuestion, Subject
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, Say, find_text_fault, render, say, say_list

PASS_KEY = "pass"  # noqa: S105 - no password
"""Key of the option to pass, which is the default answer."""
MAX_OPTIONS_WITH_LABELS_IN_REFUSAL = 9
"""The most options that a refusal explains; of more options it lists only the keys."""
MAX_QUOTED_ANSWER_CHARACTERS = 40
"""The most characters of a wrong answer that a refusal repeats."""


class OptionRequirement(msgspec.Struct, frozen=True, gc=False):
    """The requirement for choosing an option, and the reason if it isn't met.

    An account or purse must have from `least` to `most` when the option is chosen. `refusal` says why the
    option is refused. If the account is hidden, `refusal` must not reveal the count.
    """

    account: LiveCount
    least: int
    refusal: Say
    most: int | None = None

    @property
    def is_met(self) -> bool:
        """True if the account's present count is within the limits."""
        return self.least <= self.account.count and (self.most is None or self.account.count <= self.most)


class FallingPriceStep(msgspec.Struct, frozen=True):
    """The present price in a falling-price auction, and the next price if nobody accepts this one.

    `next_price` is None if `price` is the last one. `paid_in`: the piece in which the price is counted, if
    any.
    """

    price: int
    next_price: int | None
    paid_in: Piece | None = None

    @property
    def next_price_text(self) -> Say:
        """Text that names the next price, or says that the present price is the last one."""
        return say("last price") if self.next_price is None else say("then {n}", n=self.next_price)


class DetailedOption(msgspec.Struct, frozen=True, gc=False):
    """An option of a `Choose` with details: its subject, price and gain.

    Options of the same `group` stand together. `is_decline_option` marks an option such as passing.
    `is_most_likely` marks the most likely option; at most one option has it. `is_usual` marks options that
    people choose more often than others. `barred_reason` says why the
    option can't be chosen now: it is shown, but refused. `emblem` is a character that a screen draws beside
    the label, such as 🔍. `place` is where the thing lies that the option chooses, such as a slot of a
    market: a screen shows it once, and lets people touch it there. `is_payment`: the option asks who pays
    whom how much; a screen with a page for that may open it instead.
    """

    label: Say
    piece: Piece | None = None
    card: Card | None = None
    price: int | None = None
    gain: Say | None = None
    note: Say | None = None
    group: Say | None = None
    is_decline_option: bool = False
    barred_reason: Say | None = None
    is_most_likely: bool = False
    is_usual: bool = False
    emblem: str = ""
    place: Place | None = None
    is_payment: bool = False

    @property
    def key(self) -> str:
        """The key that stands for the option in sentences of the log: that of its label.

        The key of the option in `Choose` is another one: the answer.
        """
        return self.label.key

    @property
    def one_line_label(self) -> Labelled:
        """Label, price, gain and note in one line."""
        price = None if self.price is None else say("costs {n}", n=self.price)
        details = [text for text in (price, self.gain, self.note) if text is not None]
        return reduce(
            lambda line, detail: say("{one} · {other}", one=line, other=detail), details, self.label
        )


def option_line_with_details(option: Labelled) -> Labelled:
    """Returns an option as one line of text."""
    return option.one_line_label if isinstance(option, DetailedOption) else option


class Choose(SingleQuestion[str], frozen=True, eq=False):
    """Asks for one of a few options; returns its key.

    `await Choose(ben, say("What now?"), {"sell": say("Sell"), "pass": say("Pass")})` returns `"sell"` or
    `"pass"`.
    An option is a text, a seat, a piece or a `DetailedOption`, which also shows a price.
    All options are shown. An option in `requirements` is refused while its requirement isn't met.
    `deck`: the deck whose designs are the keys; a card on an RFID reader answers too.
    `confirmations`: what screen, terminal and keypads ask before they accept an option with serious
    consequences.
    `race_seats`: the first of these seats to answer wins the race. Each seat's own device answers with the
    seat's number.
    `falling_price`: the price for which the seats race; everybody sees it.
    `has_free_order`: the order of the options means nothing on a board or in the rulebook, so that a screen
    puts the most likely one first, then the usual ones, and the barred ones last.
    """

    kind = "Choose"
    options: Mapping[str, Labelled]
    requirements: Mapping[str, OptionRequirement] = {}
    deck: Deck | None = None
    confirmations: Mapping[str, Say] = {}
    race_seats: tuple[Seat, ...] = ()
    falling_price: FallingPriceStep | None = None
    has_free_order: bool = False

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are asked: in a race, all seats that take part."""
        return self.race_seats or ((self.seat,) if self.seat else ())

    @property
    def limits_json(self) -> dict[str, Any]:
        """What limits the choice now, as JSON: the options by key and the reasons for barred ones.

        Confirmations and the falling price are in it too.
        """
        limits: dict[str, Any] = {
            "options": {
                key: render(option_line_with_details(option)) for key, option in self.offered_options.items()
            }
        }
        if barred := self.barred_options:
            limits["cant"] = {key: render(reason) for key, reason in barred.items()}
        if self.confirmations:
            limits["sure"] = {key: render(text) for key, text in self.confirmations.items()}
        if self.falling_price is not None:
            limits["falling"] = {
                "price": self.falling_price.price,
                "then": self.falling_price.next_price,
            }
        return limits

    @property
    def offered_options(self) -> Mapping[str, Labelled]:
        """The options that are offered now, by key: all but the barred ones.

        An option whose requirement isn't met is still offered. Keypads and terminals number the offered
        options.
        """
        barred = self.barred_options
        return {key: option for key, option in self.options.items() if key not in barred}

    @property
    def barred_options(self) -> Mapping[str, Say]:
        """The reason why an option can't be chosen, by key; such options are shown, but refused."""
        return {
            key: option.barred_reason
            for key, option in self.options.items()
            if isinstance(option, DetailedOption) and option.barred_reason is not None
        }

    @property
    def form(self) -> Form:
        """The form with one option field, which shows barred options with the reason."""
        barred = {key: (self.options[key], reason) for key, reason in self.barred_options.items()}
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
        """Returns the question that this seat is asked; None if it isn't asked.

        In a race a seat is asked a `RaceClaim`, else the question itself.
        """
        if not self.race_seats:
            return super().question_for(seat)
        if seat not in self.race_seats:
            return None
        return RaceClaim(seat, self.question, race=self, log_name=self.log_name)

    def public_barred_reason(self, option_key: str) -> Say | None:
        """Returns why an option can't be chosen now, if everybody may know the reason; else None."""
        requirement = self.requirements.get(option_key)
        if requirement is not None and not requirement.account.covered and not requirement.is_met:
            return requirement.refusal
        return self.barred_options.get(option_key)

    def parse_answer(self, json_value: object) -> str:
        """Returns the option key in a JSON value; raises `IllegalAnswer` for an unknown key."""
        if isinstance(json_value, str) and json_value in self.options:
            return json_value
        text = "{given} can't be chosen now. Choose from: {options}."
        raise IllegalAnswer(say(text, given=_quoted_answer(json_value), options=self._offered_options_text))

    def check_answer(self, answer: str) -> None:
        """Raises `IllegalAnswer` for a barred option, or if the option's requirement isn't met."""
        if reason := self.barred_options.get(self.parse_answer(answer)):
            raise IllegalAnswer(reason)
        if not self._is_requirement_met(answer):
            requirement = self.requirements[answer]
            error = PrivateRefusal if requirement.account.covered else IllegalAnswer
            raise error(requirement.refusal)

    def find_definition_fault(self) -> str | None:
        """Returns an error if there are no options or if a text can't be rendered; else None."""
        if not isinstance(self.options, Mapping):
            return f'The options of Choose "{render(self.question)}" are {{key: text, …}}'
        if not self.options:
            return f'Choose "{render(self.question)}" has no options'
        texts = (self.question, *[text for text in self.options.values() if isinstance(text, Say)])
        return next((fault for text in texts if (fault := find_text_fault(text))), None)

    def confirmation_for(self, answer: str) -> Say | None:
        """Returns what to ask before this option is accepted; None if it needs no confirmation."""
        return self.confirmations.get(answer)

    def random_legal_answer(self, rng: Random) -> str:
        """Returns a random legal option key."""
        return rng.choice(self.legal_option_keys)

    @property
    def legal_option_keys(self) -> list[str]:
        """Keys of all options that can be chosen now; hidden counts are considered too."""
        return [key for key in self.offered_options if self._is_requirement_met(key)]

    @property
    def default_answer(self) -> tuple[str] | None:
        """The default answer as a 1-tuple: the key of passing, if that is offered; else None."""
        return (PASS_KEY,) if PASS_KEY in self.offered_options else None

    def describe_answer(self, answer: str) -> Say:
        """Returns a sentence that says who chose what, without the question if the option declines."""
        choice = self.options[answer]
        if self.seat is None:
            return say("{question} {choice}", question=self.question, choice=choice)
        if answer == PASS_KEY:
            return say("{seat} passes.", seat=self.seat)
        if isinstance(choice, DetailedOption) and choice.is_decline_option:
            return say("{seat}: {choice}", seat=self.seat, choice=choice)
        return say("{seat}: {question} → {choice}", seat=self.seat, question=self.question, choice=choice)

    def describe_revealed_answer(self, answer: str) -> Say:
        """Returns a sentence that says who chose what, without the question."""
        choice = self.options[answer]
        if self.seat is None:
            return say("{choice}", choice=choice)
        if answer == PASS_KEY:
            return say("{seat} passes.", seat=self.seat)
        return say("{seat}: {choice}", seat=self.seat, choice=choice)

    def revealed_answer_lines(self, answer: str) -> tuple[Labelled, ...]:
        """Returns the label of the chosen option as the only line."""
        return (self.options[answer],)

    @property
    def _offered_options_text(self) -> Labelled:
        """The offered keys as programs write them, with their labels unless there are many."""
        offered = self.offered_options
        are_few = len(offered) <= MAX_OPTIONS_WITH_LABELS_IN_REFUSAL
        return say_list(
            [
                say('"{key}" ({means})', key=key, means=option)
                if are_few and render(option) != key
                else say('"{key}"', key=key)
                for key, option in offered.items()
            ]
        )

    def _is_requirement_met(self, key: str) -> bool:
        requirement = self.requirements.get(key)
        return requirement is None or requirement.is_met


class RaceClaim(SingleQuestion[str], frozen=True, eq=False):
    """The question on the device of one seat in a race: OK means that this seat is first.

    The answer is an answer of the race. Only the device needs the claim: the game asks the race, and the log
    stores the race.
    """

    kind = "Claim"
    race: Choose

    @property
    def form(self) -> Form:
        """The form with which a seat claims to be first: only an OK button, which counts at once."""
        assert self.seat is not None
        claim = ConfirmField(answer=str(self.seat.number))
        return Form(fields=(claim,), keypad_line=say("Take it: {keys}"), is_race=True)

    def parse_answer(self, json_value: object) -> str:
        """Returns the option key in a JSON value, as the race reads it."""
        return self.race.parse_answer(json_value)

    def check_answer(self, answer: str) -> None:
        """Raises `IllegalAnswer` if the race refuses this option."""
        self.race.check_answer(answer)

    def confirmation_for(self, answer: str) -> Say | None:
        """Returns what the race asks before it accepts this option."""
        return self.race.confirmation_for(answer)


def _quoted_answer(json_value: object) -> str:
    """Returns a wrong answer as JSON, shortened."""
    text = json.dumps(json_value, ensure_ascii=False)
    return text if len(text) <= MAX_QUOTED_ANSWER_CHARACTERS else text[:MAX_QUOTED_ANSWER_CHARACTERS] + "…"


async def choose_seat(
    question: Say,
    seats: Iterable[Seat],
    asked_seat: Seat | None = None,
    log_name: Say | None = None,
    about: Subject | None = None,
) -> Seat:
    """Asks for one of these seats and returns it; `asked_seat` answers, or the whole table if it is None.

    `about`: what the seat gets, such as a marker.
    """
    seat_by_key = {str(seat.number): seat for seat in seats}
    return seat_by_key[await Choose(asked_seat, question, dict(seat_by_key), log_name=log_name, about=about)]
