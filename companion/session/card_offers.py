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

    After the cards known to be at one of the places comes the deck.
    Of several cards that look alike, one is offered by its printed values: nobody can tell which of them was
    touched. Barred cards, cards without the required values, and cards that everybody knows to be elsewhere
    are left out. Hidden places aren't looked at.
    """
    rules = field.rules
    barred = {card.id or card.design for card in rules.barred_cards}
    lying = [card for card in _at(field, view) if card.has_printed_values(field.required_values)]
    counts = Counter(card.design or card.key for card in lying)
    cards = {(card.design or card.key): card for card in lying}
    copies = {design.id: design.copies for design in field.deck.designs}
    for design in field.deck.designs:
        if design.id not in barred and design.has_printed_values(field.required_values):
            cards.setdefault(design.id, Card(None, design.id, design.values))
    offers = []
    for alike in _alike(cards).values():
        name = alike[0]
        card = cards[name]
        item = _item(card, copies) if len(alike) == 1 else {"values": dict(card.values)}
        lies = sum(copies.get(each, counts[each]) for each in alike)
        if many := rules.max_copies_in_answer(field.parse_card_item(item), lies):
            offers.append(CardChoice(name, item, _title(card, field, lang), many, card))
    return offers


def _alike(cards: Mapping[str, Card]) -> dict[object, list[str]]:
    """Returns the names of cards, grouped by look: printed values decide, never a code."""
    found: dict[object, list[str]] = {}
    for name, card in cards.items():
        found.setdefault(tuple(sorted(card.values.items())) or name, []).append(name)
    return found


def _item(card: Card, copies: Mapping[str, int]) -> dict[str, Any]:
    """Returns the JSON for a card: its id if there is only one copy, else its printed values."""
    only = card.design is not None and copies[card.design] == 1
    return {"card": card.design} if only else {"values": dict(card.values)}


def _at(field: CardsField, view: View) -> list[Card]:
    """Returns the cards at one of the places whose faces everybody can see."""
    is_open = {one.place for one in view.holdings if one.piece.is_card_face and one.count}
    rules = field.rules
    cards = [
        card for place in rules.places if place in is_open for card in rules.tracker.cards_with_face_at(place)
    ]
    return [card for card in cards if card not in rules.barred_cards]


def _title(card: Card, field: CardsField, lang: str) -> str:
    """Returns the card's name, or its id over its printed values if these are few enough to read."""
    name, values = card.design or "", card.values
    if NAME_FIELD in values:
        return render(word_label(str(values[NAME_FIELD])), lang)
    printed = [
        (render(field_label(word), lang), str(value).replace("-", "−"))
        for word, value in values.items()
        if word not in field.required_values and isinstance(value, int)
    ]
    if not printed or (name and len(printed) > MAX_PRINTED_VALUES_ON_KEY):
        return name
    few = [value for _, value in printed[:MAX_PRINTED_VALUES_ON_KEY]]
    told = " ".join(printed[0]) if len(printed) == 1 else " · ".join(few)
    return f"{name}\n{told}" if name else told


class CardChoiceGroup(NamedTuple):
    """The card choices that have the same value in one printed field."""

    field: str
    value: CardValue
    cards: Sequence[CardChoice]


def group_by_first_distinguishing_field(choices: Sequence[CardChoice]) -> list[CardChoiceGroup]:
    """Returns the choices grouped by the first printed field that tells them apart; [] if no field does."""
    fields = dict.fromkeys(field for offer in choices for field in offer.card.values if field != NAME_FIELD)
    for field in fields:
        found: dict[CardValue, list[CardChoice]] = {}
        for offer in choices:
            if field in offer.card.values:
                found.setdefault(offer.card.values[field], []).append(offer)
        if len(found) > 1 and sum(map(len, found.values())) == len(choices):
            values = sorted(found, key=lambda value: (str(value) if isinstance(value, str) else "", value))
            return [CardChoiceGroup(field, value, found[value]) for value in values]
    return []
