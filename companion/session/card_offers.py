"""The list of cards that people can pick for an answer; cards that look alike are listed once.

Long lists are narrowed by the printed values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.cards import Card
from companion.cards.deck import NAME_FIELD, CardValue, field_label, word_label
from companion.requests import CardsField
from companion.session.view import View
from companion.texts import render

MAX_PRINTED_VALUES_ON_KEY = 3
"""The most printed values that can be read on a key."""


class CardChoice(NamedTuple):
    """One card in the list: its name, its JSON in an answer, its title, and how often it can be picked."""

    name: str
    item: dict[str, Any]
    title: str
    copies: int
    card: Card


def list_card_choices(field: CardsField, view: View, lang: str) -> list[CardChoice]:
    """Returns the cards that people can choose for an answer, those at known places first.

    The other designs of the deck follow. Of several cards that look alike, one is offered by its printed
    values: nobody can tell which card was touched. Barred cards, cards without the required values, and cards
    that everybody knows to be elsewhere are left out. Hidden places aren't read.
    """
    rules = field.rules
    barred_names = {card.id or card.design for card in rules.barred_cards}
    placed_cards = [
        card for card in _visible_cards(field, view) if card.has_printed_values(field.required_values)
    ]
    placed_counts = Counter(card.design or card.key for card in placed_cards)
    card_by_name = {(card.design or card.key): card for card in placed_cards}
    copies_by_design = {design.id: design.copies for design in field.deck.designs}
    for design in field.deck.designs:
        if design.id not in barred_names and design.has_printed_values(field.required_values):
            card_by_name.setdefault(design.id, Card(None, design.id, design.values))
    choices = []
    for names in _group_names_by_look(card_by_name):
        card = card_by_name[names[0]]
        # A card's id may be given only if no other card looks like it.
        is_unique = len(names) == 1 and card.design is not None and copies_by_design[card.design] == 1
        item = {"card": card.design} if is_unique else {"values": dict(card.values)}
        existing_copies = sum(copies_by_design.get(name, placed_counts[name]) for name in names)
        if copies := rules.max_copies_in_answer(field.parse_card_item(item), existing_copies):
            choices.append(CardChoice(names[0], item, _title(card, field, lang), copies, card))
    return choices


def _group_names_by_look(card_by_name: Mapping[str, Card]) -> list[list[str]]:
    """Returns the names of cards, grouped by look: printed values decide, never a code."""
    names_by_look: dict[object, list[str]] = {}
    for name, card in card_by_name.items():
        names_by_look.setdefault(tuple(sorted(card.values.items())) or name, []).append(name)
    return list(names_by_look.values())


def _visible_cards(field: CardsField, view: View) -> list[Card]:
    """Returns the cards at one of the places whose faces everybody can see."""
    open_places = {holding.place for holding in view.holdings if holding.piece.is_card_face and holding.count}
    rules = field.rules
    return [
        card
        for place in rules.places
        if place in open_places
        for card in rules.tracker.known_cards_at(place)
        if card not in rules.barred_cards
    ]


def _title(card: Card, field: CardsField, lang: str) -> str:
    """Returns the card's name, or its id over its printed values if people can read so many on a key."""
    design_id, values = card.design or "", card.values
    if NAME_FIELD in values:
        return render(word_label(str(values[NAME_FIELD])), lang)
    printed = [
        (render(field_label(name), lang), str(value).replace("-", "−"))
        for name, value in values.items()
        if name not in field.required_values and isinstance(value, int)
    ]
    if not printed or (design_id and len(printed) > MAX_PRINTED_VALUES_ON_KEY):
        return design_id
    first_values = [value for _, value in printed[:MAX_PRINTED_VALUES_ON_KEY]]
    values_text = " ".join(printed[0]) if len(printed) == 1 else " · ".join(first_values)
    return f"{design_id}\n{values_text}" if design_id else values_text


class CardChoiceGroup(NamedTuple):
    """The card choices that have the same value in one printed field."""

    field: str
    value: CardValue
    cards: Sequence[CardChoice]


def group_by_first_distinguishing_field(choices: Sequence[CardChoice]) -> list[CardChoiceGroup]:
    """Returns the choices grouped by the first printed field that tells them apart; [] if no field does."""
    fields = dict.fromkeys(field for choice in choices for field in choice.card.values if field != NAME_FIELD)
    for field in fields:
        choices_by_value: dict[CardValue, list[CardChoice]] = {}
        for choice in choices:
            if field in choice.card.values:
                choices_by_value.setdefault(choice.card.values[field], []).append(choice)
        if len(choices_by_value) > 1 and sum(map(len, choices_by_value.values())) == len(choices):
            values = sorted(
                choices_by_value, key=lambda value: (value if isinstance(value, str) else "", value)
            )
            return [CardChoiceGroup(field, value, choices_by_value[value]) for value in values]
    return []
