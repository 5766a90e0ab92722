"""A question for cards: read by an RFID reader, picked from a list, or typed as their printed values."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

import msgspec

from companion import texts
from companion.cards import ANY_CARD, Card, CardValues
from companion.cards.deck import NAME_FIELD, describe_values
from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests.fields import CardsField, Decline, Form, NumberField, QuantitiesField
from companion.requests.request import Limit, SingleQuestion, current_limit, public_limit
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Account, Place
from companion.texts import Labelled, Say, render, say, say_n

RANDOM_DECLINE_PROBABILITY = 0.125
"""Probability that a random answer declines although cards are possible."""
ENOUGH_CARDS_TEXT = say("Enough cards")
"""Why somebody who can pay can't decline, in a few words for a key."""


class CardRate(msgspec.Struct, frozen=True, gc=False):
    """How much each card with the printed `values` counts in a payment; without values, every other card."""

    label: Say
    value: int
    values: dict[str, int | str] = {}


class PriceInCards(msgspec.Struct, frozen=True, gc=False):
    """A price in cards: the cards' values must add up to `owed`. The first rate that fits a card counts."""

    owed: int
    rates: tuple[CardRate, ...]

    def first_matching_rate(self, card: Card) -> CardRate | None:
        """Returns the first rate that fits a card; None if no rate fits."""
        for rate in self.rates:
            if card.has_printed_values(rate.values):
                return rate
        return None

    def value_of(self, card: Card) -> int:
        """Returns how much one card counts in this payment; 0 if no rate fits."""
        printed_values = card.values
        for rate in self.rates:  # `first_matching_rate` without its calls: every payment values every card
            for name, value in rate.values.items():
                if printed_values.get(name) != value:
                    break
            else:
                return rate.value
        return 0

    def total_value(self, cards: Sequence[Card]) -> int:
        """Returns how much several cards count together in this payment."""
        last_card, value, total = None, 0, 0
        for card in cards:
            if card is not last_card:  # equal descriptions are one object, and mostly stand side by side
                last_card, value = card, self.value_of(card)
            total += value
        return total


class Read(SingleQuestion[tuple[Card, ...] | None], frozen=True, eq=False):
    """Asks for `least` to `most` cards of a deck; returns a tuple of `Card`, or None for `decline`.

    `required_values`: the values that must be printed on each card. `places`: where the cards may be, besides
    cards not seen yet, of which at most `max_unseen` may be used. `barred_cards`: cards that can't be used.
    `is_face_up`: the cards are face up for all to see.
    `price`: a price the cards must reach. Declining is refused while the cheapest cards would reach it.
    Hidden places are checked last, and all such refusals read alike, so that nobody learns a secret.
    """

    kind = "Read"
    tracker: KnownCardTracker
    least: int
    most: Limit
    price: PriceInCards | None = None
    decline: Say | None = None
    required_values: CardValues = msgspec.field(default_factory=dict)
    places: tuple[Place, ...] = ()
    max_unseen: Limit | None = None
    barred_cards: tuple[Card, ...] = ()
    is_face_up: bool = False

    @property
    def limits_json(self) -> dict[str, Any]:
        """The limits as JSON: number of cards, price with its rates, and whether declining is allowed."""
        limits: dict[str, Any] = {
            "least": self.least,
            "most": public_limit(self.most),
            "cant": self.may_decline if public_limit(self.most) is not None else self.decline is not None,
        }
        if self.required_values:
            limits["shows"] = self.required_values
        if self.price:
            limits["owed"] = self.price.owed
            limits["worth"] = [
                {"label": render(rate.label), "values": rate.values, "each": rate.value}
                for rate in self.price.rates
            ]
        return limits

    @property
    def may_decline(self) -> bool:
        """True if declining is allowed.

        With a price, declining is allowed only if the highest number of the cheapest cards doesn't reach it.
        """
        if self.decline is None or self.price is None:
            return self.decline is not None
        return current_limit(self.most) * min(rate.value for rate in self.price.rates) < self.price.owed

    @property
    def form(self) -> Form:
        """The form with one cards field; with a price, counting the cards of each rate is enough."""
        rates = self.price.rates if self.price else ()
        counts = None
        if self.price:
            numbers = [
                NumberField(key=str(rate_number), label=rate.label, unit_value=rate.value)
                for rate_number, rate in enumerate(rates, 1)
            ]
            counts = QuantitiesField(numbers=tuple(numbers), least=self.price.owed)
        cards = CardsField(
            rules=self,
            least=self.least,
            most=public_limit(self.most),
            required_values=self.required_values,
            counts=counts,
            rates=tuple([rate.values for rate in rates]),
        )
        return Form(
            fields=(cards,),
            keypad_line=say("Pay {keys}") if counts else say("Screen, or {keys}"),
            decline=self._decline_choice,
        )

    @property
    def _decline_choice(self) -> Decline | None:
        """How to decline, with the reason in a few words why it is refused if the cards suffice."""
        if self.decline is None:
            return None
        is_offered = self.may_decline or public_limit(self.most) is None
        reason = None if is_offered else ENOUGH_CARDS_TEXT
        return Decline(key="cant", label=self.decline, answer=None, typed_letter="c", barred_reason=reason)

    def parse_answer(self, json_value: object) -> tuple[Card, ...] | None:
        """Returns the cards in a JSON list; None if the answer declines."""
        if json_value is None:
            return None
        if not isinstance(json_value, list):
            raise IllegalAnswer(self._wrong_shape_text())
        last_item, card = None, ANY_CARD
        cards: list[Card] = []
        for item in json_value:
            if item is not last_item:  # typed counts repeat one item object for many cards
                last_item, card = item, self.tracker.parse_card(item, self.required_values)
            cards.append(card)
        return tuple(cards)

    def answer_to_json(self, answer: tuple[Card, ...] | None) -> Any:
        """Returns the cards as JSON: named cards by id, described cards by their values.

        An RFID tag is stored as the card it belongs to.
        """
        if answer is None:
            return None
        return [card.answer_json for card in answer]

    def check_answer(self, answer: tuple[Card, ...] | None) -> None:
        """Raises `IllegalAnswer` for a wrong number of cards, impossible cards, or too low a value."""
        if answer is None:
            if not self.may_decline:
                raise IllegalAnswer(self._cannot_decline_text())
            return
        are_too_many = len(answer) > current_limit(self.most)
        if are_too_many and (most := public_limit(self.most)) is not None:
            raise IllegalAnswer(self._too_many_text(most, len(answer)))
        if len(answer) < self.least:
            raise IllegalAnswer(
                say_n("At least {n} card is needed.", "At least {n} cards are needed.", n=self.least)
            )
        are_possible = self.are_cards_possible(answer)
        if self.max_unseen is not None:
            new_cards = self.tracker.cards_seen_for_first_time(answer, self.places)
            if len(new_cards) > current_limit(self.max_unseen):
                raise IllegalAnswer(self._too_many_unseen_text(new_cards))
        if self.price and (paid := self.price.total_value(answer)) < self.price.owed:
            raise IllegalAnswer(self._too_little_text(paid, self.price.owed))
        if are_too_many or not are_possible:
            # Everybody has seen which cards were laid down, but not how many cards a covered hand has.
            raise PrivateRefusal(
                self._private_refusal_text(answer), is_private=public_limit(self.most) is None
            )

    def are_cards_possible(self, cards: Sequence[Card]) -> bool:
        """Returns whether these cards can be in one answer together; hidden places are considered too.

        Raises `IllegalAnswer` if everybody may know that they can't.
        """
        if self.required_values or self.barred_cards:
            for card in cards:
                self._check_single_card(card)
        if self.tracker.can_be_any_unseen_copies(cards, self.places):
            return True
        self.tracker.check_enough_copies(cards)
        if self.tracker.can_come_from(cards, self.places, trust_readers=self._trusts_read_cards):
            return True
        if reason := self._why_cannot_come_from_places(cards):
            raise IllegalAnswer(reason)
        return False

    def _why_cannot_come_from_places(self, cards: Sequence[Card]) -> Say | None:
        return self.tracker.why_cannot_come_from(cards, self.places, trust_readers=self._trusts_read_cards)

    def _check_single_card(self, card: Card) -> None:
        if not card.has_printed_values(self.required_values):
            raise IllegalAnswer(self._missing_values_text(card))
        if self.barred_cards and any(map(card.could_be, self.barred_cards)):
            raise IllegalAnswer(say("{card} can't be used here. Choose another card.", card=card))

    def max_copies_in_answer(self, card: Card, existing_copies: int = 1) -> int:
        """Returns how many of the existing copies of a card one answer can contain.

        The other copies are at other places, as everybody knows.
        """

        def is_too_many(count: int) -> bool:
            return self._why_cannot_come_from_places([card] * count) is not None

        return bisect_left(range(1, existing_copies + 1), x=True, key=is_too_many)

    @property
    def _trusts_read_cards(self) -> bool:
        """True if a card on a reader is accepted whatever was typed before.

        A payment trusts read cards, because people often type payments as mere numbers of cards.
        """
        return self.price is not None

    # Refusals

    def _wrong_shape_text(self) -> Say:
        if self.decline and self.limits_json["cant"]:
            text = 'Answer with a list of cards, such as [{{"card": id}}], or null for: {cant}.'
            return say(text, cant=self.decline)
        return say('Answer with a list of cards, such as [{{"card": id}}].')

    def _too_many_text(self, most: int, count: int) -> Say:
        if isinstance(self.most, Account):
            return say_n(
                "{place} has only {n} card, not {count}.",
                "{place} has only {n} cards, not {count}.",
                n=most,
                count=count,
                place=self.most.place,
            )
        return say_n(
            "Only {n} card may be laid down here, not {count}.",
            "Only {n} cards may be laid down here, not {count}.",
            n=most,
            count=count,
        )

    def _too_many_unseen_text(self, cards: Sequence[Card]) -> Say:
        if not isinstance(self.max_unseen, Account) or self.max_unseen.covered:
            return say("{who} doesn't have enough cards in hand.", who=self._answerer)
        text = "These cards must come from {place}, which has only {n}: {cards}."
        return say(text, cards=_cards_text(cards), place=self.max_unseen.place, n=self.max_unseen.count)

    def _too_little_text(self, paid: int, owed: int) -> Say:
        text = say("These cards are worth {sum}; the price is {owed}.", sum=paid, owed=owed)
        if self.decline is None or not self.limits_json["cant"]:
            return text
        return say('{why} Or answer "{cant}".', why=text, cant=self.decline)

    def _private_refusal_text(self, cards: Sequence[Card]) -> Say:
        """Returns a refusal of impossible cards that depends only on the answer, not on hidden places."""
        described_cards = [card for card in cards if card.values or card.id]
        if public_limit(self.most) is None:
            return say("Some of these cards can't be in that place any more.")
        if len(described_cards) > 1:
            text = "At least one of these cards can't be here any more: {cards}."
            return say(text, cards=_cards_text(described_cards))
        (card,) = described_cards
        if card.id is None:
            return say("{card}: no such card can be here any more.", card=card)
        if self.price:
            return say("{card} was already paid.", card=card.copy_label)
        return say("{card} has already been turned over.", card=card.copy_label)

    # Random answers and descriptions

    def random_legal_answer(self, rng: Random) -> tuple[Card, ...] | None:
        """Returns random cards, named or described, until the price is reached; None if they don't reach it.

        Without a price, returns a random number of cards (few are more likely), and sometimes None if
        declining is allowed.
        """
        cards: list[Card] = []
        card_count = self.least
        if self.price is None and current_limit(self.most) > card_count:
            card_count = min(rng.randint(card_count, current_limit(self.most)) for _ in range(2))
        if self.price is None and self.may_decline and rng.random() < RANDOM_DECLINE_PROBABILITY:
            return None
        while not self._are_enough(cards, card_count):
            card = self._random_next_card(cards, rng)
            if card is None and (self.price or len(cards) < self.least):
                return None if self.may_decline else self._cards_worth_most()
            if card is None:
                break
            cards.append(card)
        return tuple(cards)

    def describe_answer(self, answer: tuple[Card, ...] | None) -> Say:
        """Returns a sentence with the cards if they are face up, else only with the number of cards.

        Cards that aren't face up were visible only for a moment.
        """
        if answer is None:
            return say("{who}: {cant}", who=self._answerer, cant=self.decline or say("none"))
        if self.is_face_up and answer:
            cards = texts.say_list([self._brief_label(card) for card in answer])
            if self.seat is None:
                return say("Turned over: {cards}.", cards=cards)
            text = "{seat} turns over {cards}."
            if all(NAME_FIELD in card.values for card in answer):
                text = "{seat} turns over these cards: {cards}."
                if len(answer) == 1:
                    text = "{seat} turns over a card: {cards}."
            return say(text, seat=self.seat, cards=cards)
        if self.seat is None:
            return say_n("{n} card is laid down.", "{n} cards are laid down.", n=len(answer))
        if not answer:
            return say("{seat} lays down no cards.", seat=self.seat)
        return say_n(
            "{seat} lays down {n} card.", "{seat} lays down {n} cards.", n=len(answer), seat=self.seat
        )

    def _brief_label(self, card: Card) -> Labelled:
        """Returns the card; for a card without a name, its unusual values that weren't asked for."""
        values, fields = card.values, self.tracker.deck.fields
        usual = {**{name: field.default for name, field in fields.items()}, **self.required_values}
        unusual = {name: values[name] for name in fields if name in values and values[name] != usual[name]}
        has_name = NAME_FIELD in values
        return (
            card if has_name or not unusual else say("a card with {values}", values=describe_values(unusual))
        )

    @property
    def _answerer(self) -> Labelled:
        return self.seat or say("The table")

    def _cannot_decline_text(self) -> Say:
        if self.decline is None or self.price is None:
            return say("You must lay down cards.")
        return say("{who} has enough cards to pay {owed}.", who=self._answerer, owed=self.price.owed)

    def _missing_values_text(self, card: Card) -> Say:
        """Returns a refusal: which required values the card lacks, and what to answer if no card fits."""
        missing_values = {
            name: value
            for name, value in self.required_values.items()
            if not card.has_printed_values({name: value})
        }
        text = say("{card} doesn't show {values}.", card=card, values=describe_values(missing_values))
        if self.decline and self.limits_json["cant"]:
            return say('{why} If no card fits, answer "{cant}".', why=text, cant=self.decline)
        return text

    def _are_enough(self, cards: Sequence[Card], card_count: int) -> bool:
        """Returns whether these are at least so many cards and reach the price."""
        if len(cards) < card_count:
            return False
        return self.price is None or self.price.total_value(cards) >= self.price.owed

    def _cards_worth_most(self) -> tuple[Card, ...] | None:
        """Returns the cards worth most, if declining is refused and random cards don't reach the price."""
        price, cards = self.price, list[Card]()
        for card in sorted(
            self._unseen_and_placed_cards(), key=lambda card: -price.value_of(card) if price else 0
        ):
            if len(cards) < current_limit(self.most) and self._allows([*cards, card]):
                cards.append(card)
        return tuple(cards) if self._are_enough(cards, self.least) else None

    def _random_next_card(self, cards: list[Card], rng: Random) -> Card | None:
        if len(cards) >= current_limit(self.most):
            return None
        # All cards are tried if none of the few random candidates is legal.
        candidates = chain(self._random_candidate_cards(rng), self._unseen_and_placed_cards())
        return next((card for card in candidates if self._allows([*cards, card])), None)

    def _unseen_and_placed_cards(self) -> Iterator[Card]:
        """Yields the cards that are unseen or at one of the places."""
        yield from (
            self.tracker.parse_card({"card": card_id}) for card_id in self.tracker.possibly_unseen_card_ids()
        )
        for place in self.places:
            yield from self.tracker.known_cards_at(place)

    def _random_candidate_cards(self, rng: Random) -> list[Card]:
        """Returns a few cards that may be legal: named cards unseen or at a place, and typed cards."""
        named_cards = [
            card for card in self._unseen_and_placed_cards() if card.has_printed_values(self.required_values)
        ]
        candidates = rng.sample(named_cards, min(3, len(named_cards)))
        typed_values: list[CardValues] = [rate.values for rate in self.price.rates] if self.price else []
        if self.tracker.deck.fields and (
            sample := self.tracker.deck.sample_values(self.required_values, rng)
        ):
            typed_values.append(sample)
        candidates += [card for values in typed_values if (card := self._card_with_values(values))]
        rng.shuffle(candidates)
        return candidates

    def _card_with_values(self, values: CardValues) -> Card | None:
        """Returns the card with these values; None if they describe no card, as those of a rate may."""
        try:
            return self.tracker.parse_card({"values": values}, self.required_values)
        except IllegalAnswer:
            return None

    def _allows(self, cards: list[Card]) -> bool:
        """Returns whether one answer can contain these cards, `max_unseen` included."""
        try:
            are_possible = self.are_cards_possible(cards)
        except IllegalAnswer:
            return False
        return are_possible and (
            self.max_unseen is None
            or len(self.tracker.cards_seen_for_first_time(cards, self.places))
            <= current_limit(self.max_unseen)
        )


def _cards_text(cards: Sequence[Card]) -> Labelled:
    """Returns cards as text; cards that look the same are written as a number of them."""
    label_by_key = {card.key: card.copy_label for card in cards}
    counts = Counter(card.key for card in cards)
    return texts.say_list(
        [
            label_by_key[key] if count == 1 else say("{count} × {card}", count=count, card=label_by_key[key])
            for key, count in counts.items()
        ]
    )
