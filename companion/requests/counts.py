"""Several whole numbers with limits on their sum: a price in two kinds of coins, the content of a bag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.fields import Decline, Form, NumberField, QuantitiesField
from companion.requests.request import (
    Limit,
    SingleQuestion,
    current_limit,
    lowest_public_limit,
    parse_whole_number,
    public_limit,
)
from companion.table.ledger import Account, Piece
from companion.table.seats import Seat
from companion.texts import Labelled, Say, render, say, say_list, say_n, say_quantity

RANDOM_DECLINE_PROBABILITY = 0.125
"""Probability that a random answer declines although numbers are possible."""


class CountedItem(msgspec.Struct, frozen=True, gc=False):
    """One number of a `Counts`: what is counted, and the highest count.

    `count_label` is the text for a count of the item; a `Piece` as the label brings its own. `value` is what
    one of the item adds to the value of an answer, which a reveal shows.
    """

    label: Labelled
    most: Limit
    count_label: Say | None = None
    value: int = 1

    def quantity_text(self, count: int) -> Say:
        """Returns a count of the item as text: `2 own coins`."""
        count_label = self.label.count_label if isinstance(self.label, Piece) else self.count_label
        return say_quantity(count, self.label, count_label)


class Counts(SingleQuestion[dict[str, int] | None], frozen=True, eq=False):
    """Asks for several whole numbers with limits on their sum; returns a dict by key.

    `await Counts(aki, say("Pay"), {"own": CountedItem(say("own coins"), purse)}, least=3, most=3)` returns
    `{"own": 3}`. The answer has every key. `least` and `most` limit the sum; at most `max_nonzero_items`
    numbers may be above 0. With `decline` the answer may be None. Hidden accounts are checked last, and all
    such refusals read alike, so that nobody learns a secret.
    """

    kind = "Counts"
    items: Mapping[str, CountedItem]
    least: Limit = 0
    most: Limit | None = None
    max_nonzero_items: Limit | None = None
    decline: Say | None = None

    @property
    def can_be_answered_without_declining(self) -> bool:
        """True if the question can be answered with numbers; else only declining is left.

        Only limits that everybody may know are considered.
        """
        maxima = [public_limit(item.most) for item in self.items.values()]
        least = public_limit(self.least)
        if self.decline is None or least is None or None in maxima:
            return True
        kinds = len(maxima) if self.max_nonzero_items is None else public_limit(self.max_nonzero_items)
        highest_sum = sum(sorted((most for most in maxima if most is not None), reverse=True)[:kinds])
        return least <= (lowest_public_limit(highest_sum, self.most) or 0)

    @property
    def text(self) -> Say:
        """The question as a sentence.

        If only declining is left, the sentence says so.
        """
        if self.can_be_answered_without_declining or self.decline is None:
            return self.question
        return say("{question} – the only possible answer: {cant}", question=self.question, cant=self.decline)

    @property
    def limits_json(self) -> dict[str, Any]:
        """The limits as JSON: the highest number of each item, and the limits of the sum.

        A missing or hidden limit is null.
        """
        return {
            "counts": {key: public_limit(item.most) for key, item in self.items.items()},
            "labels": {key: render(item.label) for key, item in self.items.items()},
            "least": public_limit(self.least),
            "most": None if self.most is None else public_limit(self.most),
            "kinds": None if self.max_nonzero_items is None else public_limit(self.max_nonzero_items),
            "cant": self.decline is not None if self.can_be_answered_without_declining else "only",
        }

    @property
    def form(self) -> Form:
        """The form with one quantities field, and the option to decline if declining is allowed."""
        numbers = [
            NumberField(key=key, label=item.label, most=public_limit(item.most))
            for key, item in self.items.items()
        ]
        quantities = QuantitiesField(
            numbers=tuple(numbers),
            least=public_limit(self.least),
            most=None if self.most is None else public_limit(self.most),
            max_nonzero_numbers=None
            if self.max_nonzero_items is None
            else public_limit(self.max_nonzero_items),
        )
        return Form(
            fields=(quantities,) if self.can_be_answered_without_declining else (),
            keypad_line=say("Enter {keys}"),
            decline=Decline(key="cant", label=self.decline, answer=None, typed_letter="c")
            if self.decline
            else None,
        )

    def parse_answer(self, json_value: object) -> dict[str, int] | None:
        """Returns the numbers by key, 0 for a missing key; None if the answer declines."""
        if json_value is None:
            return None
        if not isinstance(json_value, dict) or not json_value.keys() <= self.items.keys():
            raise IllegalAnswer(self._wrong_shape_text())
        return {key: parse_whole_number(json_value.get(key, 0), self._answerer) for key in self.items}

    def _wrong_shape_text(self) -> Say:
        keys = ", ".join(self.items)
        if self.decline:
            return say("Answer with numbers for {keys}, or null for: {cant}.", keys=keys, cant=self.decline)
        return say("Answer with numbers for: {keys}.", keys=keys)

    def check_answer(self, answer: dict[str, int] | None) -> None:
        """Raises `IllegalAnswer` if a number or the sum is outside its limits.

        Public limits are checked first.
        """
        if answer is None:
            if self.decline is None:
                raise IllegalAnswer(say("{who} must answer with numbers.", who=self._answerer))
            return
        if not self.can_be_answered_without_declining:
            raise IllegalAnswer(say("{who}: {text}.", who=self._answerer, text=self.text))
        for key, number in answer.items():
            self._check_public_item_limit(self.items[key], number)
        self._check_public_kind_limit(answer)
        self._check_public_sum_limits(sum(answer.values()))
        self._check_hidden_limits(answer)

    def random_legal_answer(self, rng: Random) -> dict[str, int] | None:
        """Returns random legal numbers; small sums are more likely.

        Returns None now and then, and if no numbers are legal.
        """
        most_by_key = {key: current_limit(item.most) for key, item in self.items.items()}
        keys = list(most_by_key)
        rng.shuffle(keys)
        kinds = len(keys) if self.max_nonzero_items is None else current_limit(self.max_nonzero_items)
        highest = sum(sorted(most_by_key.values(), reverse=True)[:kinds])
        least = current_limit(self.least)
        most = highest if self.most is None else min(highest, current_limit(self.most))
        if most < least or (self.decline is not None and rng.random() < RANDOM_DECLINE_PROBABILITY):
            return None
        total = min(rng.randint(least, most) for _ in range(2))
        if sum([most_by_key[key] for key in keys[:kinds]]) < total:
            keys.sort(key=lambda key: -most_by_key[key])
        return dict.fromkeys(most_by_key, 0) | _split_at_random(total, keys[:kinds], most_by_key, rng)

    @property
    def default_answer(self) -> tuple[dict[str, int] | None] | None:
        """The default answer as a 1-tuple: all counts 0, else None to decline; or no tuple."""
        if self.least == 0:
            return (dict.fromkeys(self.items, 0),)
        return None if self.decline is None else (None,)

    def find_definition_fault(self) -> str | None:
        """Returns an error if there are no items or if a text can't be rendered; else None."""
        return (
            super().find_definition_fault()
            if self.items
            else f'Counts "{render(self.question)}" counts nothing'
        )

    def describe_answer(self, answer: dict[str, int] | None) -> Say:
        """Returns a sentence that says who counted how many of which items."""
        if answer is None:
            return say("{who}: {cant}", who=self._answerer, cant=self.decline or say("none"))
        return say(
            "{who}: {counted}", who=self._answerer, counted=say_list(self.revealed_answer_lines(answer))
        )

    def revealed_answer_lines(self, answer: dict[str, int] | None) -> tuple[Say, ...]:
        """Returns one line for each item with a count above 0."""
        if answer is None:
            return (self.decline or say("none"),)
        counted = [self.items[key].quantity_text(number) for key, number in answer.items() if number]
        return tuple(counted) or (say("nothing"),)

    def value_of(self, answer: dict[str, int] | None) -> int:
        """Returns the sum of the values of all that an answer counts."""
        return sum(self.items[key].value * number for key, number in (answer or {}).items())

    @property
    def _answerer(self) -> Seat | Say:
        return self.seat or say("The table")

    def _check_public_item_limit(self, item: CountedItem, number: int) -> None:
        if number < 0:
            raise IllegalAnswer(say("{what} must be at least 0.", what=item.label))
        if (most := public_limit(item.most)) is not None and number > most:
            raise IllegalAnswer(say("{what} can be at most {most}.", what=item.label, most=most))

    def _check_public_kind_limit(self, answer: dict[str, int]) -> None:
        kinds = None if self.max_nonzero_items is None else public_limit(self.max_nonzero_items)
        if kinds is not None and _count_kinds(answer) > kinds:
            raise IllegalAnswer(say_n("Choose at most {n} kind.", "Choose at most {n} kinds.", n=kinds))

    def _check_public_sum_limits(self, total: int) -> None:
        least, most = public_limit(self.least), None if self.most is None else public_limit(self.most)
        if least is not None and least == most != total:
            raise IllegalAnswer(say("The sum is {sum}; it must be exactly {most}.", sum=total, most=most))
        if least is not None and total < least:
            raise IllegalAnswer(say("The sum is {sum}; it must be at least {least}.", sum=total, least=least))
        if most is not None and total > most:
            raise IllegalAnswer(say("The sum is {sum}; it can be at most {most}.", sum=total, most=most))

    def _check_hidden_limits(self, answer: dict[str, int]) -> None:
        total = sum(answer.values())
        checks = [
            (self.items[key].most, number <= current_limit(self.items[key].most))
            for key, number in answer.items()
        ]
        checks.append((self.least, total >= current_limit(self.least)))
        if self.most is not None:
            checks.append((self.most, total <= current_limit(self.most)))
        if self.max_nonzero_items is not None:
            checks.append(
                (self.max_nonzero_items, _count_kinds(answer) <= current_limit(self.max_nonzero_items))
            )
        for limit, is_kept in checks:
            if not is_kept:
                assert isinstance(limit, Account)
                raise PrivateRefusal(say("These pieces can't come from {place}.", place=limit.place))


def _count_kinds(answer: dict[str, int]) -> int:
    return sum(number > 0 for number in answer.values())


def _split_at_random(
    total: int, keys: Sequence[str], most_by_key: Mapping[str, int], rng: Random
) -> dict[str, int]:
    """Splits `total` at random over the keys, none above its maximum; the maxima suffice together."""
    numbers: dict[str, int] = {}
    room = sum([most_by_key[key] for key in keys])
    for key in keys:
        room -= most_by_key[key]
        numbers[key] = rng.randint(max(0, total - room), min(most_by_key[key], total))
        total -= numbers[key]
    return numbers
