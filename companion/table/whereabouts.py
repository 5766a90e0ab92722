"""Sentences for people who show a card that is known to lie elsewhere; what all can see and nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards.deck import Card
from companion.table.ledger import Place
from companion.texts import Say, say, say_list


def copy_elsewhere_text(card: Card, places: Sequence[Place]) -> Say:
    """A very copy lies there, or at one of these places."""
    if len(places) > 1:
        text = "{card} is already at one of these places: {places}."
        return say(text, card=card.copy_label, places=say_list(places))
    return say("{card} is already at another place: {places}.", card=card.copy_label, places=say_list(places))


def copies_elsewhere_text(card: Card, copies: int, left: int, count: int, places: Sequence[Place]) -> Say:
    """Of so many copies that look like this card so few are left, but so many were shown."""
    if not places:
        return say("{card}: the deck has only {n}, not {count}.", card=card.without_id, n=copies, count=count)
    if left == 0:
        text = "{card}: all {n} copies are already at other places: {places}."
        return say(text, card=card.without_id, n=copies, places=say_list(places))
    text = (
        "{card}: only {left} of the {n} copies can be here, not {count}. The other copies are at other "
        "places: {places}."
    )
    return say(text, card=card.without_id, left=left, n=copies, count=count, places=say_list(places))
