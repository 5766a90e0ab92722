"""How an answer is entered: a form of one or more fields, read by every front end, device and test script.

    >>> Amount(ben, say("How much?"), 1, 9).form.fields
    (NumberField(key='', label=Say(''), least=1, most=9, step=1, values=(), value_names=(), unit_value=1),)

A form belongs to one moment, because limits change while a question is open; nobody keeps it. It holds only
what everybody at the table may know: a limit of None means that there is no limit, or that it is hidden.
Whether an answer is legal is decided by the question, never by its form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol, TypeAlias

import msgspec

from companion.cards import Card, CardValues, Deck
from companion.table.faces import FaceTracker
from companion.table.ledger import Place
from companion.texts import Labelled, Say

NO_LABEL = Say("")


class NumberField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A whole number from `least` to `most` in steps of `step`, or one of `values`.

    `value_names` are the names of the values, if they have any.
    `unit_value` is what one of it adds to a total.
    """

    key: str = ""
    label: Labelled = NO_LABEL
    least: int = 0
    most: int | None = None
    step: int = 1
    values: tuple[int, ...] = ()
    value_names: tuple[Labelled, ...] = ()
    unit_value: int = 1

    def accepts(self, number: int) -> bool:
        """True if a number is within the limits and on a step, as far as everybody may know."""
        if self.values:
            return number in self.values
        if number < self.least or (self.most is not None and number > self.most):
            return False
        return (number - self.least) % self.step == 0

    @property
    def named_values(self) -> list[tuple[int, Labelled]]:
        """Returns the values that have a name, each with its name."""
        return list(zip(self.values, self.value_names, strict=False))


class OptionField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One of `options` by key. `barred_options` are shown too, each with the reason why it can't be chosen.

    With a `deck` a card that is laid on a reader chooses as well: the key is the card's design.
    """

    options: Mapping[str, Labelled]
    barred_options: Mapping[str, tuple[Labelled, Say]] = {}
    deck: Deck | None = None

    @property
    def all_options(self) -> Mapping[str, Labelled]:
        """Returns every option that is shown: those that can be chosen, then those that can't."""
        return {**self.options, **{key: label for key, (label, _) in self.barred_options.items()}}


class QuantitiesField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Several numbers by key: their total is from `least` to `most`, at most `max_kinds` are above 0."""

    numbers: tuple[NumberField, ...]
    least: int | None = 0
    most: int | None = None
    max_kinds: int | None = None

    @property
    def highest_total(self) -> int | None:
        """Returns the highest total that can be entered; None if there is no limit or it is hidden."""
        caps = [part.most for part in self.numbers if part.most is not None]
        if len(caps) < len(self.numbers):
            return self.most
        return sum(caps) if self.most is None else min(self.most, sum(caps))


class CardRules(Protocol):
    """What depends on where cards lie, and is asked of the question itself."""

    @property
    def tracker(self) -> FaceTracker:
        """Which faces of the deck have been seen."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the cards may lie, besides unseen."""
        ...

    @property
    def barred_cards(self) -> tuple[Card, ...]:
        """The cards that can't be used."""
        ...

    def max_copies(self, card: Card, copies: int = 1) -> int:
        """How many of so many copies can be in one answer; the others lie elsewhere, as all know."""
        ...

    def check_cards_possible(self, cards: Sequence[Card]) -> bool:
        """Raises `IllegalAnswer` for cards that can't be part of an answer, as far as everybody may know."""
        ...


class CardsField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """From `least` to `most` cards of a deck, each of which shows the values `required_values`.

    With `counts` cards can be entered without naming them: a number of cards for each rate, which show the
    values in `rates` at the same position and must reach `counts.least` together.
    """

    rules: CardRules
    least: int
    most: int | None
    required_values: CardValues
    counts: QuantitiesField | None = None
    rates: tuple[CardValues, ...] = ()

    @property
    def deck(self) -> Deck:
        """Returns the deck that the cards come from."""
        return self.rules.tracker.deck

    @property
    def is_single(self) -> bool:
        """True if exactly one card is asked for, and not as a payment."""
        return self.most == 1 and self.counts is None

    def rate_of(self, card: Card) -> int | None:
        """Returns the position of the first rate that fits a card; None if no rate fits."""
        return next((at for at, rate in enumerate(self.rates) if card.shows(rate)), None)

    def read(self, plain: object) -> Card:
        """Returns the card that one item of an answer in JSON means; raises `IllegalAnswer` for none."""
        return self.rules.tracker.parse_card(plain, self.required_values)


class TextField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One line of at most `max_letters` characters."""

    max_letters: int


class ConfirmField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Nothing but OK, which means `answer`."""

    answer: Any = True


Field: TypeAlias = NumberField | OptionField | QuantitiesField | CardsField | TextField | ConfirmField


class Decline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The answer of somebody who enters nothing: pass, withdraw, no bid, can't pay, no name.

    `answer` is its JSON, `typed_letter` is what people type for it. `barred_reason` says why it isn't
    allowed now: front ends offer it no more, but send it all the same if somebody gives it, so that the
    question can refuse it.
    """

    key: str
    label: Say
    answer: Any
    typed_letter: str
    barred_reason: Say | None = None


class Form(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a front end needs to take an answer.

    Without fields only declining is left, or the question is asked part by part. `keypad_line` is the line
    of a keypad, with a place for {keys}. `must_answer_text` says that declining isn't possible where people
    expect it.
    `is_list_answer`: the answer is a list with one value per field. `is_race`: the first answer counts, so
    there is no time to read the question first. `app_may_roll`: Companion can answer by chance.
    `confirmations`: by answer, what to ask before it counts. `side_facts`: what stands beside the fields,
    such as the bids so far.
    """

    fields: tuple[Field, ...]
    keypad_line: Say
    decline: Decline | None = None
    must_answer_text: Say | None = None
    is_list_answer: bool = False
    is_race: bool = False
    app_may_roll: bool = False
    confirmations: Mapping[Any, Say] = {}
    side_facts: Mapping[str, Any] = {}

    @property
    def single_field(self) -> Field | None:
        """Returns the only field; None if there is none or if the answer is a list."""
        return self.fields[0] if self.fields and not self.is_list_answer else None

    @property
    def may_decline(self) -> bool:
        """True if declining is allowed now."""
        return self.decline is not None and self.decline.barred_reason is None

    def is_decline(self, answer: object) -> bool:
        """True if an answer in JSON is the one that declines."""
        declined = self.decline
        return declined is not None and type(answer) is type(declined.answer) and answer == declined.answer

    def answer_from_values(self, values: Sequence[Any]) -> Any:
        """Returns the answer in JSON that these values make, one for each field."""
        return list(values) if self.is_list_answer else values[0]

    def values_from_answer(self, answer: Any) -> list[Any]:
        """Returns the value of each field in an answer in JSON that doesn't decline."""
        return list(answer) if self.is_list_answer else [answer]


# A form as a row of whole numbers: what keypads, buttons, simulated presses and the sheet of a round enter


def number_slots(form: Form) -> tuple[NumberField, ...]:
    """Returns the numbers that can stand for the fields, in order; () if a row of numbers can't."""
    found = [_slots_of(field) for field in form.fields]
    return () if None in found else tuple(chain.from_iterable(one for one in found if one))


def _slots_of(field: Field) -> tuple[NumberField, ...] | None:
    """Returns the numbers that can stand for one field; None if numbers can't say it."""
    match field:
        case NumberField():
            return (field,)
        case OptionField(options=options):
            return (NumberField(least=1, most=len(options)),)
        case QuantitiesField(numbers=parts):
            return parts
        case CardsField(counts=counts) if counts is not None:
            return counts.numbers
        case ConfirmField():
            return ()
    return None


def total_field(form: Form) -> QuantitiesField | None:
    """Returns the quantities whose total the slots must reach; None if the slots have no total."""
    match form.single_field:
        case QuantitiesField() as numbers:
            return numbers
        case CardsField(counts=counts):
            return counts
    return None


def answer_from_numbers(form: Form, numbers: Sequence[int]) -> tuple[Any] | None:
    """Returns the answer in JSON that a row of numbers means, alone in a tuple; None if it means none."""
    if not form.fields and form.decline is not None and [*numbers] == [form.decline.answer]:
        return (form.decline.answer,)
    wanted = number_slots(form)
    if not wanted or len(wanted) != len(numbers):
        return None
    left = iter(numbers)
    values = [_value_of(field, left) for field in form.fields]
    return None if None in values else (form.answer_from_values(values),)


def _value_of(field: Field, numbers: Iterator[int]) -> Any:
    """Returns the value of a field that takes its slots from these numbers; None if they can't mean one."""
    match field:
        case OptionField(options=options):
            number = next(numbers)
            return list(options)[number - 1] if 1 <= number <= len(options) else None
        case QuantitiesField(numbers=parts):
            return {part.key: next(numbers) for part in parts}
        case CardsField(counts=counts, rates=rates) if counts is not None:
            each = [next(numbers) for _ in rates]
            if sum(each) > len(field.deck.cards):
                return None
            return [{"values": rate} for rate, count in zip(rates, each, strict=True) for _ in range(count)]
    return next(numbers)


def numbers_from_answer(form: Form, answer: Any) -> list[int] | None:
    """Returns the row of numbers that means an answer in JSON that doesn't decline; None if no row does."""
    if not number_slots(form):
        return None
    return list(chain.from_iterable(map(_numbers_of, form.fields, form.values_from_answer(answer))))


def _numbers_of(field: Field, value: Any) -> list[int]:
    match field:
        case OptionField(options=options):
            return [list(options).index(value) + 1]
        case QuantitiesField(numbers=parts):
            return [value[part.key] for part in parts]
        case CardsField(rates=rates):
            fitting = [field.rate_of(field.read(card)) for card in value]
            return [fitting.count(at) for at in range(len(rates))]
    return [value]
