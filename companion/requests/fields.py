"""Forms: how people enter an answer. Every front end, device and test script reads them.

    >>> Amount(ben, say("How much?"), 1, 9).form.fields
    (NumberField(key='', label=Say(''), least=1, most=9, step=1, values=(), value_names=(), unit_value=1,
    confirm_above=None),)

A form is valid only at one moment, because limits change while a question is open; don't store it. A form
contains only what everybody at the table may know: a limit of None means that there is no limit, or that it
is hidden. Whether an answer is legal is decided by the question, never by its form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol, TypeAlias

import msgspec

from companion.cards import Card, CardValues, Deck
from companion.half_numbers import HalfNumber, WholeOrHalf, number_from_json, number_to_json
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Place
from companion.texts import Labelled, Say, say

NO_LABEL = Say("")
MAX_NUMBERS_WITH_KEYS = 10
"""The most numbers that a screen offers with a key each; more are typed, digit by digit."""
MAX_CANDIDATES_TRIED = 1_000
"""The most ways to reach a total that are tried in search of the only one."""
MAX_USUAL_NUMBER, MAX_USUAL_GROWTH = 9_999, 100
"""People are asked about a number above the first that is also more than this many times what is there."""


def confirm_above(*numbers_on_table: float) -> int:
    """Returns the number above which people are asked whether a number is right.

    A number is out of all proportion if it has five digits and is more than a hundred times as large as every
    number that everybody can see.
    """
    return max(MAX_USUAL_NUMBER, MAX_USUAL_GROWTH * int(max(map(abs, numbers_on_table), default=0)))


def _why_count_refused(count: WholeOrHalf, least: int | None, most: int | None) -> Say | None:
    if least is not None and count < least:
        return say("{n} of {least} chosen", n=count, least=least)
    return say("at most {n}", n=most) if most is not None and count > most else None


class NumberField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field for one number from `least` to `most` in steps of `step`, or one of `values`.

    The numbers are whole, unless the step is a half.
    `value_names` are the names of the values, if they have any.
    `unit_value` is what one unit of this number adds to a total.
    A number further from 0 than `confirm_above` needs a confirmation: it is out of all proportion.
    """

    key: str = ""
    label: Labelled = NO_LABEL
    least: WholeOrHalf = 0
    most: WholeOrHalf | None = None
    step: WholeOrHalf = 1
    values: tuple[int, ...] = ()
    value_names: tuple[Labelled, ...] = ()
    unit_value: int = 1
    confirm_above: int | None = None

    @property
    def stated_least(self) -> WholeOrHalf | None:
        """The lowest number as people are told it; None if numbers above it already need a confirmation."""
        return None if self.needs_confirmation(self.least) else self.least

    @property
    def stated_most(self) -> WholeOrHalf | None:
        """The highest number as people are told it; None if numbers below it already need a confirmation."""
        most = self.most
        return None if most is not None and self.needs_confirmation(most) else most

    def needs_confirmation(self, number: WholeOrHalf) -> bool:
        """Returns whether a number is so far from 0 that people are asked whether it is right."""
        most = self.confirm_above
        return most is not None and (number > most or number < -most)

    @property
    def allows_halves(self) -> bool:
        """True if numbers such as 7½ are allowed; every front end then has a way to enter them."""
        return isinstance(self.step, HalfNumber)

    def accepts(self, number: WholeOrHalf) -> bool:
        """Returns whether a number fits the values, or the limits and the step, that everybody may know."""
        return self.why_refused(number) is None

    def why_refused(self, number: WholeOrHalf) -> Say | None:
        """Returns in a few words, for a key, why `accepts` refuses a number; None if it accepts it."""
        if self.values:
            return None if number in self.values else say("not one of the numbers")
        if number < self.least:
            return say("at least {n}", n=self.least)
        if self.most is not None and number > self.most:
            return say("at most {n}", n=self.most)
        return None if (number - self.least) % self.step == 0 else say("in steps of {n}", n=self.step)

    @property
    def few_numbers(self) -> tuple[int, ...]:
        """All whole numbers that `accepts` accepts, if they are few enough for a key each; else ()."""
        numbers: Sequence[int] = self.values
        match self.least, self.most, self.step:
            case int(least), int(most), int(step) if not self.values:
                numbers = range(least, most + 1, step)
        return tuple(numbers) if len(numbers) <= MAX_NUMBERS_WITH_KEYS else ()

    @property
    def named_values(self) -> list[tuple[int, Labelled]]:
        """The values that have a name, each with its name."""
        return list(zip(self.values, self.value_names, strict=False))


class OptionField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field for choosing one of `options` by key.

    `barred_options` are shown too, each with the reason why it can't be chosen. With a `deck`, a card on an
    RFID reader chooses as well: the key is the card's design.
    """

    options: Mapping[str, Labelled]
    barred_options: Mapping[str, tuple[Labelled, Say]] = {}
    deck: Deck | None = None

    @property
    def all_options(self) -> Mapping[str, Labelled]:
        """Every option that is shown, by key: those that can be chosen, then those that can't."""
        return {**self.options, **{key: label for key, (label, _) in self.barred_options.items()}}


class QuantitiesField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field for several numbers by key, with limits on their total.

    The total is from `least` to `most`; at most `max_nonzero_numbers` numbers are above 0.
    """

    numbers: tuple[NumberField, ...]
    least: int | None = 0
    most: int | None = None
    max_nonzero_numbers: int | None = None

    @property
    def highest_total(self) -> WholeOrHalf | None:
        """The highest total that can be entered; None if there is no limit or if it is hidden."""
        maxima = [number.most for number in self.numbers if number.most is not None]
        if len(maxima) < len(self.numbers):
            return self.most
        return sum(maxima) if self.most is None else min(self.most, sum(maxima))

    @property
    def only_fitting_numbers(self) -> dict[str, int] | None:
        """The numbers by key that fit the limits, if no others do; else None.

        It depends only on limits that everybody may know.
        """
        most = self.highest_total
        if self.least is None or not isinstance(most, int):
            return None
        max_nonzero = len(self.numbers) if self.max_nonzero_numbers is None else self.max_nonzero_numbers
        return _only_one(
            _iterate_numbers_with_total(self.numbers, self.least, most),
            lambda numbers: sum(number > 0 for number in numbers.values()) <= max_nonzero,
        )

    def why_total_refused(self, total: WholeOrHalf) -> Say | None:
        """Returns in a few words, for a key, why a total doesn't fit the limits; None if it fits."""
        return _why_count_refused(total, self.least, self.most)


def _iterate_numbers_with_total(
    fields: Sequence[NumberField], least: int, most: int
) -> Iterator[dict[str, int] | None]:
    """Yields all numbers by key whose units add up to `least` to `most`, and None for each dead end."""
    if not fields:
        yield {} if least <= 0 else None
        return
    field, *other_fields = fields
    highest_number = _highest_number(field, most)
    highest_rest = sum(_highest_number(other, most) * other.unit_value for other in other_fields)
    lowest_number = max(0, -(-(least - highest_rest) // field.unit_value))
    if lowest_number > highest_number:
        yield None
    for number in range(lowest_number, highest_number + 1):
        value = number * field.unit_value
        for other_numbers in _iterate_numbers_with_total(other_fields, least - value, most - value):
            yield None if other_numbers is None else {field.key: number, **other_numbers}


def _highest_number(field: NumberField, most_total: int) -> int:
    """Returns the highest number that a field accepts and whose units are at most a total."""
    highest = most_total // field.unit_value
    return min(highest, field.most) if isinstance(field.most, int) else highest


def _only_one(
    candidates: Iterator[dict[str, int] | None], is_answer: Callable[[dict[str, int]], bool]
) -> dict[str, int] | None:
    """Returns the only answer among the candidates; None without one, with two, or with too many to try."""
    answer = None
    for tried_count, numbers in enumerate(candidates):
        if tried_count == MAX_CANDIDATES_TRIED:
            return None
        if numbers is not None and is_answer(numbers):
            if answer is not None:
                return None
            answer = numbers
    return answer


class CardAnswerRules(Protocol):
    """Rules for which cards one answer may contain; a `Read` question implements them for its `CardsField`.

    The rules depend on where cards are known to be.
    """

    @property
    def tracker(self) -> KnownCardTracker:
        """The tracker that knows which card faces of the deck have been seen, and where."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """The places where the cards of an answer may be, besides cards not seen yet."""
        ...

    @property
    def barred_cards(self) -> tuple[Card, ...]:
        """The barred cards, which can't be used in an answer."""
        ...

    def max_copies_in_answer(self, card: Card, existing_copies: int = 1) -> int:
        """Returns how many of the existing copies of a card one answer can contain.

        The other copies are at other places, as everybody knows.
        """
        ...

    def are_cards_possible(self, cards: Sequence[Card]) -> bool:
        """Returns whether these cards can be in one answer together.

        Raises `IllegalAnswer` if everybody may know that they can't; returns False if only hidden places show
        it.
        """
        ...


class CardsField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field for `least` to `most` cards of a deck, each with the printed values `required_values`.

    With `counts`, cards can be entered without naming them: a number of cards for each rate. These cards have
    the values in `rates` at the same position and must reach `counts.least` together.
    """

    rules: CardAnswerRules
    least: int
    most: int | None
    required_values: CardValues
    counts: QuantitiesField | None = None
    rates: tuple[CardValues, ...] = ()

    @property
    def deck(self) -> Deck:
        """The deck that the cards come from."""
        return self.rules.tracker.deck

    @property
    def only_exact_payment(self) -> dict[str, int] | None:
        """The numbers of cards by rate that pay exactly what is owed, if no others do; else None."""
        if self.counts is None or self.counts.least is None:
            return None
        owed = self.counts.least
        return _only_one(
            _iterate_numbers_with_total(self.counts.numbers, owed, owed),
            lambda card_counts: self.why_count_refused(sum(card_counts.values())) is None,
        )

    def why_count_refused(self, card_count: int) -> Say | None:
        """Returns in a few words, for a key, why that many cards are no answer; None if they can be one."""
        if card_count < self.least:
            return say("{n} of {least} cards", n=card_count, least=self.least)
        return _why_count_refused(card_count, self.least, self.most)

    @property
    def asks_for_one_card(self) -> bool:
        """True if the field asks for exactly one card; False for a payment."""
        return self.most == 1 and self.counts is None

    def rate_index_of(self, card: Card) -> int | None:
        """Returns the index of the first rate that fits a card; None if no rate fits."""
        return next((index for index, rate in enumerate(self.rates) if card.has_printed_values(rate)), None)

    def parse_card_item(self, json_item: object) -> Card:
        """Returns the card for one item of a JSON answer; raises `IllegalAnswer` if there is no such card."""
        return self.rules.tracker.parse_card(json_item, self.required_values)


class TextField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field for one line of at most `max_letters` characters."""

    max_letters: int


class ConfirmField(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A field with only an OK button, which gives `answer`."""

    answer: Any = True


Field: TypeAlias = NumberField | OptionField | QuantitiesField | CardsField | TextField | ConfirmField


class Decline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How to decline a question: the answer of somebody who enters nothing, such as pass or can't pay.

    `answer` is the JSON answer, `typed_letter` is what people type for it. `barred_reason` says why declining
    isn't allowed now: front ends no longer offer it, but still send it if somebody enters it, so that the
    question can refuse it.
    """

    key: str
    label: Say
    answer: Any
    typed_letter: str
    barred_reason: Say | None = None


class Form(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How people enter the answer to a question: its fields, how to decline, and what to confirm.

    Without fields, only declining is left, or the question is asked part by part. `keypad_line` is the line
    on a keypad, with a placeholder for {keys}. `must_answer_text` says that declining isn't possible, for
    questions in which people expect it.
    `is_list_answer`: the answer is a list with one value for each field. `is_race`: the first answer counts,
    so there is no time to read the question first. `app_may_roll`: Companion can answer by chance.
    `confirmations`: what to ask before an answer counts, by answer. `side_facts`: what is shown beside the
    fields, such as the bids so far.
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
        """The only field; None if there are no fields or if the answer is a list."""
        return self.fields[0] if self.fields and not self.is_list_answer else None

    def confirmation_for(self, json_answer: Any) -> Say | None:
        """Returns what to ask before a JSON answer counts; None if it needs no confirmation or is refused."""
        if confirmation := self.confirmations.get(json_answer) if self.confirmations else None:
            return confirmation
        if not isinstance(field := self.single_field, NumberField) or self.is_decline(json_answer):
            return None
        number = number_from_json(json_answer)
        if number is None or not (field.needs_confirmation(number) and field.accepts(number)):
            return None
        return say("{n} is an unusual number here. Is it right?", n=number)

    @property
    def may_decline_now(self) -> bool:
        """True if declining is allowed now."""
        return self.decline is not None and self.decline.barred_reason is None

    def is_decline(self, json_answer: object) -> bool:
        """Returns whether a JSON answer is the one that declines."""
        decline = self.decline
        return (
            decline is not None
            and type(json_answer) is type(decline.answer)
            and json_answer == decline.answer
        )

    def answer_from_values(self, field_values: Sequence[Any]) -> Any:
        """Returns the JSON answer made of these values, one for each field."""
        return list(field_values) if self.is_list_answer else field_values[0]

    def values_from_answer(self, json_answer: Any) -> list[Any]:
        """Returns the value of each field in a JSON answer that doesn't decline."""
        return list(json_answer) if self.is_list_answer else [json_answer]


# A form as a row of numbers, which keypads, buttons, simulated presses and the sheet of a round enter


def number_fields_replacing_all_fields(form: Form) -> tuple[NumberField, ...]:
    """Returns the number fields that replace all fields of a form, for devices that enter only numbers.

    Returns () if numbers can't answer the form.
    """
    slots_of_fields = [_slots_of(field) for field in form.fields]
    return (
        ()
        if None in slots_of_fields
        else tuple(chain.from_iterable(slots for slots in slots_of_fields if slots))
    )


def _slots_of(field: Field) -> tuple[NumberField, ...] | None:
    """Returns the number fields that can replace a field; None if numbers can't fill it in."""
    match field:
        case NumberField():
            return (field,)
        case OptionField(options=options):
            return (NumberField(least=1, most=len(options)),)
        case QuantitiesField(numbers=numbers):
            return numbers
        case CardsField(counts=counts) if counts is not None:
            return counts.numbers
        case ConfirmField():
            return ()
    return None


def quantities_field_with_total(form: Form) -> QuantitiesField | None:
    """Returns the quantities field whose total the entered numbers must reach; None if a form has none."""
    match form.single_field:
        case QuantitiesField() as quantities:
            return quantities
        case CardsField(counts=counts):
            return counts
    return None


def answer_from_numbers(form: Form, numbers: Sequence[WholeOrHalf]) -> tuple[Any] | None:
    """Returns the JSON answer that a row of numbers means, as a 1-tuple; None if the row is no answer."""
    if not form.fields and form.decline is not None and [*numbers] == [form.decline.answer]:
        return (form.decline.answer,)
    slots = number_fields_replacing_all_fields(form)
    if not slots or len(slots) != len(numbers):
        return None
    remaining_numbers = map(number_to_json, numbers)
    values = [_take_value(field, remaining_numbers) for field in form.fields]
    return None if None in values else (form.answer_from_values(values),)


def _take_value(field: Field, numbers: Iterator[Any]) -> Any:
    """Takes the numbers of a field's slots, as JSON, and returns the value they mean; None if none."""
    match field:
        case OptionField(options=options):
            number = next(numbers)
            return list(options)[number - 1] if 1 <= number <= len(options) else None
        case QuantitiesField(numbers=parts):
            return {part.key: next(numbers) for part in parts}
        case CardsField(counts=counts, rates=rates) if counts is not None:
            card_counts = [next(numbers) for _ in rates]
            if sum(card_counts) > len(field.deck.cards):
                return None
            return [
                {"values": rate} for rate, count in zip(rates, card_counts, strict=True) for _ in range(count)
            ]
    return next(numbers)


def numbers_from_answer(form: Form, json_answer: Any) -> list[WholeOrHalf] | None:
    """Returns the row of numbers that means a JSON answer that doesn't decline; None if no row does."""
    if not number_fields_replacing_all_fields(form):
        return None
    return list(chain.from_iterable(map(_numbers_of, form.fields, form.values_from_answer(json_answer))))


def _numbers_of(field: Field, value: Any) -> list[WholeOrHalf]:
    match field:
        case OptionField(options=options):
            return [list(options).index(value) + 1]
        case QuantitiesField(numbers=parts):
            return [value[part.key] for part in parts]
        case CardsField(rates=rates):
            rate_indexes = [field.rate_index_of(field.parse_card_item(card)) for card in value]
            return [rate_indexes.count(index) for index in range(len(rates))]
    number = number_from_json(value)
    return [value if number is None else number]
