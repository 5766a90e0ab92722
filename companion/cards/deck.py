"""Decks and cards: what is printed on each card, what may be printed there, and which card an answer means.

An answer *names* a card (its tag was read, or somebody picked it), or *describes* it (somebody typed what is
printed on it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cached_property, lru_cache
from random import Random
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from companion import texts
from companion.bounds import (
    MAX_CARDS_PER_DECK,
    MAX_COPIES_PER_CARD,
    MAX_NUMBER,
    BoundedHalf,
    BoundedInteger,
    ShortText,
)
from companion.errors import IllegalAnswer
from companion.files import toml
from companion.half_numbers import (
    HalfNumber,
    number_from_float,
    number_from_halves,
    number_from_json,
    number_to_json,
)
from companion.texts import Labelled, Say, Text, say

CardValue = int | float | str
CardValues = Mapping[str, CardValue]
PrintedValues = dict[ShortText, BoundedInteger | BoundedHalf | ShortText]
NAME_FIELD = "name"
"""The key of the field with a card's name, the only free text on a card.

Nobody needs to type the name to describe a card.
"""


class CardField(msgspec.Struct, frozen=True):
    """A field printed on cards, with the values that are allowed in it.

    A value is one of `choices`, or a number from `least` to `most` in steps of `step`. Numbers are whole; on
    cards with the values of `halves_on`, numbers such as 7.5 are allowed too. Only cards with the
    values of `on` have the field. `default` is the value if the file gives none. `only` are fields with other
    allowed values; each replaces this field on cards with the values of its own `on`. `under`: the key of
    another field, whose number is an upper limit for this one. `hint` says in a sentence what the value
    means, for the person who enters it.
    """

    least: BoundedInteger = 0
    most: BoundedInteger = 0
    choices: tuple[ShortText, ...] = ()
    on: PrintedValues = {}
    default: BoundedInteger | ShortText | None = None
    step: Annotated[int, Meta(ge=1, le=MAX_NUMBER)] | Annotated[float, Meta(ge=0.5, le=0.5)] = 1
    only: tuple[CardField, ...] = ()
    under: str = ""
    hint: ShortText = ""
    halves_on: PrintedValues = {}

    def field_for_card(self, card_values: CardValues) -> CardField:
        """Returns the field with the allowed values on a card with `card_values`."""
        field = next((field for field in self.only if field.on.items() <= card_values.items()), self)
        if field.halves_on and field.halves_on.items() <= card_values.items():
            return msgspec.structs.replace(field, step=0.5)
        return field

    @property
    def allowed_text(self) -> Text:
        """The allowed values as a text."""
        if self.choices:
            return say("one of {names}", names=", ".join(self.choices))
        numbers = say("a number from {least} to {most}", least=self.least, most=self.most)
        if self.step == 1:
            return numbers
        return say("{numbers} in steps of {step}", numbers=numbers, step=number_from_float(self.step))

    def allows(self, value: object) -> bool:
        """Returns whether the field allows a value: JSON's true doesn't count as 1, nor 6.0 as 6."""
        if self.choices:
            return isinstance(value, str) and value in self.choices
        is_number = type(value) is int or isinstance(number_from_json(value), HalfNumber)
        if not is_number or not isinstance(value, int | float) or not self.least <= value <= self.most:
            return False
        return (value - self.least) % self.step == 0

    def random_allowed_value(self, rng: Random) -> CardValue:
        """Returns a random allowed value."""
        if self.choices:
            return rng.choice(self.choices)
        if isinstance(self.step, float):
            return number_to_json(number_from_halves(rng.randint(2 * self.least, 2 * self.most)))
        return rng.randrange(self.least, self.most + 1, self.step)


class CardDesign(msgspec.Struct, frozen=True, dict=True):
    """The design of a card: what is printed on all its copies.

    `copies` is the number of copies in the deck. `id` is the name of the design in files.
    """

    id: ShortText
    copies: Annotated[int, Meta(ge=0, le=MAX_COPIES_PER_CARD)]
    values: PrintedValues

    @cached_property
    def copy_ids(self) -> tuple[str, ...]:
        """The id of each copy of the design: `6.2` is the second copy of design `6`; an only copy is `6`."""
        if self.copies == 1:
            return (self.id,)
        return tuple([f"{self.id}.{copy}" for copy in range(1, self.copies + 1)])

    @cached_property
    def copy_id_set(self) -> frozenset[str]:
        """The ids of the copies as a set, to compare with other sets."""
        return frozenset(self.copy_ids)

    @cached_property
    def card_without_id(self) -> Card:
        """The card of this design without the id of a copy."""
        return Card(None, self.id, self.values)

    def has_printed_values(self, values: CardValues) -> bool:
        """Returns whether all these values are printed on the design."""
        printed = self.values
        return all(
            name in printed and printed[name] == value and type(printed[name]) is type(value)
            for name, value in values.items()
        )


class Card(msgspec.Struct, frozen=True, dict=True):
    """A card on the table, known by its `id` or only by its printed `values`.

    `design` is None if the values fit several designs, or none in the list.
    """

    id: str | None
    design: str | None
    values: dict[str, int | float | str]

    def __hash__(self) -> int:
        """Returns the hash of its names, so that a text can contain a card; the printed values are a dict."""
        return hash((self.id, self.design))

    @cached_property
    def answer_json(self) -> dict[str, Any]:
        """The card as JSON in an answer.

        All answers share one object, because each payment is kept.
        """
        return {"values": self.values} if self.id is None else {"card": self.id}

    @property
    def label(self) -> Say:
        """What people call the card."""
        if NAME_FIELD in self.values:
            return word_label(str(self.values[NAME_FIELD]))
        if self.id or self.design:
            return say("card {id}", id=str(self.id or self.design))
        if not self.values:
            return say("another card")
        return say("a card with {values}", values=describe_values(self.values))

    @property
    def copy_label(self) -> Labelled:
        """What people call this one copy: `Books 2` of three Books."""
        if self.id is None or self.id == self.design or NAME_FIELD not in self.values:
            return self
        return say("{card} {copy}", card=self, copy=self.id.rpartition(".")[2])

    @property
    def without_id(self) -> Card:
        """A card that looks equal but has no id of a copy."""
        return msgspec.structs.replace(self, id=None)

    @property
    def key(self) -> str:
        """The key that identifies the card in a log: its id, else its design, else its printed values."""
        return self.id or self.design or format_values_for_log(self.values)

    def could_be(self, other: Card) -> bool:
        """Returns whether this card could be the other one.

        A card could be another one if it is equal, or if it has no id and the same design.
        """
        return self == other or (self.id is None and self.design == other.design)

    def has_printed_values(self, values: CardValues) -> bool:
        """Returns whether all these values are known to be printed on the card."""
        return values.items() <= self.values.items()


ANY_CARD = Card(None, None, {})
"""A card of which nothing is known."""


class Deck(msgspec.Struct, frozen=True, dict=True):
    """The deck of one game: its cards, by design.

    `board` is what is printed on the game's boards. `fields` are what may be printed on the cards; if there
    are any, people may describe a card that isn't in the list. `provisional`: the values are a guess, and
    owners can enter the values of their own copy.
    """

    name: ShortText
    designs: tuple[CardDesign, ...]
    board: dict[str, tuple[BoundedInteger, ...]] = {}
    fields: dict[str, CardField] = {}
    provisional: bool = False

    def __hash__(self) -> int:
        """Returns the hash of its name, so that a deck can be a key of caches; its other fields are dicts."""
        return hash(self.name)

    def __post_init__(self) -> None:
        """Raises `IllegalAnswer` for more cards than a deck can have, and for two cards with the same id."""
        if sum(design.copies for design in self.designs) > MAX_CARDS_PER_DECK:
            raise IllegalAnswer(say("a deck can have at most {most} cards.", most=MAX_CARDS_PER_DECK))
        names = Counter([name for design in self.designs for name in {design.id, *design.copy_ids}])
        for name, count in names.items():
            if count > 1:
                raise IllegalAnswer(say("card {id} appears twice.", id=name))

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """All cards of the deck by id, each copy on its own."""
        return {
            name: Card(name, design.id, design.values) for design in self.designs for name in design.copy_ids
        }

    def design_of_copy(self, card_id: str) -> CardDesign | None:
        """Returns the design of the card with this id; None if the deck has no such card."""
        return next((design for design in self.designs if card_id in design.copy_ids), None)

    @cached_property
    def card_cache_by_description(self) -> dict[str, Card]:
        """A cache of cards by the description with which somebody entered them."""
        return {}

    def fields_for(self, card_values: CardValues) -> dict[str, CardField]:
        """Returns the fields of a card with these values, by name."""
        return {
            name: field.field_for_card(card_values)
            for name, field in self.fields.items()
            if field.on.items() <= card_values.items()
        }

    @cached_property
    def deciding_fields(self) -> frozenset[str]:
        """The fields whose values decide which other fields a card has."""
        all_fields = [each_field for field in self.fields.values() for each_field in (field, *field.only)]
        return frozenset([name for field in all_fields for name in (*field.on, *field.halves_on)])

    def next_missing_fields(self, values: CardValues) -> dict[str, CardField]:
        """Returns the fields that have no value in `values`.

        If deciding fields are among them, only the first of these is returned.
        """
        missing = {name: field for name, field in self.fields_for(values).items() if name not in values}
        deciding = next((name for name in missing if name in self.deciding_fields), None)
        return missing if deciding is None else {deciding: missing[deciding]}

    def fill_in_defaults(self, values: CardValues) -> dict[str, CardValue]:
        """Returns the values with the defaults of their fields filled in."""
        completed: dict[str, CardValue] = dict(values)
        while defaults := self._missing_defaults(completed):
            completed |= defaults
        with_default = [
            name for name, field in self.fields_for(completed).items() if field.default is not None
        ]
        return {name: completed[name] for name in with_default} | dict(values)

    def _missing_defaults(self, values: CardValues) -> dict[str, CardValue]:
        """Returns the missing defaults; only those of deciding fields if there are any."""
        defaults: dict[str, CardValue] = {
            name: field.default
            for name, field in self.fields_for(values).items()
            if field.default is not None and name not in values
        }
        return {name: defaults[name] for name in defaults if name in self.deciding_fields} or defaults

    def card_from_values(self, values: CardValues) -> Card:
        """Returns the card with these values; raises `IllegalAnswer`, which names what is wrong or missing.

        If the deck has fields, a description must be complete: missing values are not taken from the list,
        which may be a guess. While the deck is provisional, the card needn't be in the list.
        """
        if self.fields:
            values = self.fill_in_defaults(values)
            self.check_values(values)
        designs = self.matching_designs(values)
        if len(designs) == 1:
            return designs[0].card_without_id
        if not designs and not (self.fields and self.provisional):
            raise IllegalAnswer(
                say(
                    "No card in this deck shows {values}.",
                    values=describe_values(self._impossible_values(values)),
                )
            )
        return Card(None, None, dict(values))

    def matching_designs(self, values: CardValues) -> list[CardDesign]:
        """Returns the designs that show these values."""
        return [design for design in self.designs if design.has_printed_values(values)]

    def _impossible_values(self, values: CardValues) -> CardValues:
        """Returns the first value that no card shows; if each is shown by some card, all values."""
        single_values = ({name: value} for name, value in values.items())
        return next(
            (single_value for single_value in single_values if not self.matching_designs(single_value)),
            values,
        )

    def sample_values(self, required_values: CardValues, rng: Random) -> dict[str, CardValue] | None:
        """Returns random values of a complete card that has the required ones; None if there is none."""
        if not self.provisional:
            designs = self.matching_designs(required_values)
            return dict(rng.choice(designs).values) if designs else None
        values = dict(required_values)
        while missing := self.next_missing_fields(values):
            unlimited_fields = (item for item in missing.items() if item[1].under not in missing)
            name, field = next(unlimited_fields, next(iter(missing.items())))
            if field.under in values:
                field = msgspec.structs.replace(field, most=int(values[field.under]))
            values[name] = field.random_allowed_value(rng)
        return values

    def check_values(self, values: CardValues) -> None:
        """Checks that card values are complete and can be printed; raises `IllegalAnswer` if not."""
        fields = self.fields_for(values)
        _require_present(
            values, {name: field for name, field in fields.items() if name in self.deciding_fields}
        )
        for name, value in values.items():
            if name == NAME_FIELD and isinstance(value, str) and value.isprintable():
                continue
            if name not in fields:
                text = "This kind of card has no value called {field}. Choose from: {fields}."
                similar_names = get_close_matches(name, fields)
                suggested_names = [
                    *similar_names,
                    *(field_name for field_name in fields if field_name not in similar_names),
                ]
                raise IllegalAnswer(say(text, field=name, fields=", ".join(suggested_names)))
            if not fields[name].allows(value):
                raise IllegalAnswer(invalid_value_text(name, fields[name], value))
        _require_present(values, fields)
        for name, field in fields.items():
            if field.under in values and float(values[name]) > float(most := values[field.under]):
                text = "{field} can't be higher than {other}: at most {most}, not {value}."
                raise IllegalAnswer(
                    say(text, field=name, other=field.under, most=str(most), value=str(values[name]))
                )


@lru_cache(maxsize=16)
def cached_equal_deck(deck: Deck) -> Deck:
    """Returns the cached deck that is equal to this one: the first such deck.

    Everything that was cached for that deck can be used again. A deck without an equal is returned itself.
    """
    return deck


def _require_present(values: CardValues, fields: Mapping[str, CardField]) -> None:
    """Raises `IllegalAnswer` for the first field that is missing."""
    for name, field in fields.items():
        if name not in values:
            raise IllegalAnswer(
                say("{field} is missing. Allowed: {allowed}.", field=name, allowed=field.allowed_text)
            )


def invalid_value_text(field_name: str, field: CardField, value: object) -> Say:
    """Returns the sentence that says why a value isn't allowed in a field."""
    return say(
        "{field} must be {allowed}, not {value}.",
        field=field_name,
        allowed=field.allowed_text,
        value=toml.shorten_to_one_line(str(value)),
    )


def format_values_for_log(values: CardValues) -> str:
    """Returns card values as a log writes them: `colour white, popularity 3`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def describe_values(values: CardValues) -> Labelled:
    """Returns printed values as people read them; there must be at least one."""
    return texts.say_list(
        [
            say(
                "{field} {value}",
                field=field_label(name),
                value=_value_text(value),
            )
            for name, value in values.items()
        ]
    )


def _value_text(value: object) -> Labelled | str:
    """Returns a printed value as people read it; a value that nobody could print as Python writes it."""
    if isinstance(value, str):
        return word_label(value)
    number = number_from_json(value)
    return number if isinstance(number, HalfNumber) else str(value)


def field_label(field_name: str) -> Say:
    """Returns what a field is called: `red_gems` are red gems."""
    return word_label(field_name.replace("_", " "))


def word_label(word: str) -> Say:
    """Returns the label of a word in a deck's file (a card's name, a field or a choice), to be translated."""
    return texts.say_plain_text(word)


# Cards in answers


class DeckAndCard(NamedTuple):
    """The name of a deck, and the id of a card in it."""

    deck_name: str
    card_id: str


TagLookup = Callable[[str], "tuple[str, str] | None"]
"""A function that returns the deck and the card of a tag; None for a tag that belongs to no card."""

NO_VALUES: CardValues = {}
"""Empty card values: nothing has been said about the card yet."""
MAX_CACHED_DESCRIPTIONS = 1000
"""The most card descriptions that a deck caches; a full deck of different cards has fewer."""


class CardResolver:
    """Finds the cards of a deck that people name or describe in an answer."""

    def __init__(self, deck: Deck, tags: TagLookup) -> None:
        self._deck = deck
        self._tags = tags
        self._described_cards = deck.card_cache_by_description
        if not deck.fields:
            self._described_cards[_description_key({})] = ANY_CARD

    def resolve(self, answer_item: object, known_values: CardValues = NO_VALUES) -> Card:
        """Returns the card that an item of an answer means.

        An item is `{"card": id}`, `{"tag": uid}` or `{"values": {…}}`. `known_values` are added to a
        description. Raises `IllegalAnswer` for any other item.
        """
        if not known_values and (cached_card := self._described_cards.get(repr(answer_item))):
            return cached_card
        if isinstance(answer_item, dict) and len(answer_item) == 1:
            ((item_key, item_value),) = answer_item.items()
            if item_key == "values" and isinstance(item_value, dict):
                return self._card_from_values({**known_values, **item_value})
            if item_key == "card" and isinstance(item_value, str):
                return self._card_by_id(item_value)
            if item_key == "tag" and isinstance(item_value, str):
                return self._card_by_id(self._card_id_of_tag(item_value))
        raise IllegalAnswer(say('Write a card as {{"card": id}}, {{"tag": uid}} or {{"values": {{…}}}}.'))

    def _card_by_id(self, card_id: str) -> Card:
        if card_id not in self._deck.cards:
            raise IllegalAnswer(say("There is no card {id} in this deck.", id=card_id))
        return self._deck.cards[card_id]

    def _card_id_of_tag(self, uid: str) -> str:
        deck_and_card = self._tags(uid)
        if deck_and_card is None:
            raise IllegalAnswer(
                say("Tag {uid} doesn't belong to a card yet. Pick or type the card.", uid=uid)
            )
        deck_name, card_id = deck_and_card
        if deck_name != self._deck.name:
            text = say(
                "Tag {uid} belongs to card {id} of another game: {deck}.", uid=uid, id=card_id, deck=deck_name
            )
            raise IllegalAnswer(text)
        return card_id

    def _card_from_values(self, values: dict[str, Any]) -> Card:
        card = self._deck.card_from_values(values)
        if len(self._described_cards) < MAX_CACHED_DESCRIPTIONS:
            self._described_cards[_description_key(values)] = card
        return card


def _description_key(values: dict[str, Any]) -> str:
    """Returns the cache key of a description as an answer has it."""
    return repr({"values": values})
