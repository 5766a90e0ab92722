"""The cards that people can pick for an answer, those that look alike once.

Many cards are narrowed by what is printed on them.
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

FEW = 3
"""More values than these can't be read on a key."""


class CardChoice(NamedTuple):
    """One card of the list: how an answer names it, how people do, and how often it can be picked."""

    name: str
    item: dict[str, Any]
    title: str
    copies: int
    card: Card


def list_card_choices(field: CardsField, seen: View, lang: str) -> list[CardChoice]:
    """Returns the cards that may be meant: first those known to lie at one of the places, then the deck.

    Of several that look the same one is offered, by its look: nobody can tell which of them was touched.
    Barred ones, those that don't show what they must, and those that all know to lie elsewhere are left out.
    What is covered isn't looked at.
    """
    rules = field.rules
    barred = {card.id or card.design for card in rules.barred_cards}
    lying = [card for card in _at(field, seen) if card.shows(field.required_values)]
    counts = Counter(card.design or card.key for card in lying)
    cards = {(card.design or card.key): card for card in lying}
    copies = {design.id: design.copies for design in field.deck.designs}
    for design in field.deck.designs:
        if design.id not in barred and design.shows(field.required_values):
            cards.setdefault(design.id, Card(None, design.id, design.values))
    offers = []
    for alike in _alike(cards).values():
        name = alike[0]
        card = cards[name]
        item = _item(card, copies) if len(alike) == 1 else {"values": dict(card.values)}
        lies = sum(copies.get(each, counts[each]) for each in alike)
        if many := rules.max_copies(field.read(item), lies):
            offers.append(CardChoice(name, item, _title(card, field, lang), many, card))
    return offers


def _alike(cards: Mapping[str, Card]) -> dict[object, list[str]]:
    """The names of cards that look alike, together: what is printed decides, never a code."""
    found: dict[object, list[str]] = {}
    for name, card in cards.items():
        found.setdefault(tuple(sorted(card.values.items())) or name, []).append(name)
    return found


def _item(card: Card, copies: Mapping[str, int]) -> dict[str, Any]:
    """A card there is only one of by its id; any other by what is printed on it."""
    only = card.design is not None and copies[card.design] == 1
    return {"card": card.design} if only else {"values": dict(card.values)}


def _at(field: CardsField, seen: View) -> list[Card]:
    """Cards whose faces all can see at one of the places."""
    is_open = {one.place for one in seen.holdings if one.piece.is_face and one.count}
    rules = field.rules
    cards = [card for place in rules.places if place in is_open for card in rules.tracker.cards_at(place)]
    return [card for card in cards if card not in rules.barred_cards]


def _title(card: Card, field: CardsField, lang: str) -> str:
    """The card's name; where it has none its id over what is printed, if that isn't too much to read."""
    name, values = card.design or "", card.values
    if NAME_FIELD in values:
        return render(word_label(str(values[NAME_FIELD])), lang)
    printed = [
        (render(field_label(word), lang), str(value).replace("-", "−"))
        for word, value in values.items()
        if word not in field.required_values and isinstance(value, int)
    ]
    if not printed or (name and len(printed) > FEW):
        return name
    few = [value for _, value in printed[:FEW]]
    told = " ".join(printed[0]) if len(printed) == 1 else " · ".join(few)
    return f"{name}\n{told}" if name else told


class CardChoices(NamedTuple):
    """What is printed in one field, and the cards that show it there."""

    field: str
    value: CardValue
    cards: Sequence[CardChoice]


def narrow_by_value(offers: Sequence[CardChoice]) -> list[CardChoices]:
    """Returns the offers by the first of their printed values that tells them apart; none: nothing does."""
    fields = dict.fromkeys(field for offer in offers for field in offer.card.values if field != NAME_FIELD)
    for field in fields:
        found: dict[CardValue, list[CardChoice]] = {}
        for offer in offers:
            if field in offer.card.values:
                found.setdefault(offer.card.values[field], []).append(offer)
        if len(found) > 1 and sum(map(len, found.values())) == len(offers):
            values = sorted(found, key=lambda value: (str(value) if isinstance(value, str) else "", value))
            return [CardChoices(field, value, found[value]) for value in values]
    return []
