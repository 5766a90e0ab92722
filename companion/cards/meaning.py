"""What an answer means by a card: the id of one, a tag, or what is printed on it. It knows no table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.cards.deck import ANY_CARD, Card, Deck, Values
from companion.errors import IllegalAnswer
from companion.texts import say

Tags = Callable[[str], "tuple[str, str] | None"]
"""From the id of a tag to its deck and card, or None for a tag nobody has learnt."""

NOTHING: Values = {}
"""Nothing has been said of a card yet."""
REMEMBERED = 1000
"""Most card descriptions of a deck that are cached; a full deck of different cards has fewer."""


class Meaning:
    """The cards of a deck as people name and describe them."""

    def __init__(self, deck: Deck, tags: Tags) -> None:
        self._deck = deck
        self._tags = tags
        self._typed = deck.typed
        if not deck.fields:
            self._typed[_written({})] = ANY_CARD

    def read(self, item: object, shows: Values = NOTHING) -> Card:
        """The card that one item of an answer means: `{"card": id}`, `{"tag": uid}` or `{"values": {…}}`.

        A description gets the values of `shows` added. Raises `IllegalAnswer` for what is no card.
        """
        if not shows and (known := self._typed.get(repr(item))):
            return known
        if isinstance(item, dict) and len(item) == 1:
            ((way, what),) = item.items()
            if way == "values" and isinstance(what, dict):
                return self._described({**shows, **what})
            if way == "card" and isinstance(what, str):
                return self._card(what)
            if way == "tag" and isinstance(what, str):
                return self._card(self._tagged(what))
        raise IllegalAnswer(say('Write a card as {{"card": id}}, {{"tag": uid}} or {{"values": {{…}}}}.'))

    def _card(self, name: str) -> Card:
        if name not in self._deck.cards:
            raise IllegalAnswer(say("There is no card {id} in this deck.", id=name))
        return self._deck.cards[name]

    def _tagged(self, uid: str) -> str:
        found = self._tags(uid)
        if found is None:
            raise IllegalAnswer(
                say("Tag {uid} doesn't belong to a card yet. Pick or type the card.", uid=uid)
            )
        deck, name = found
        if deck != self._deck.name:
            text = say("Tag {uid} belongs to card {id} of another game: {deck}.", uid=uid, id=name, deck=deck)
            raise IllegalAnswer(text)
        return name

    def _described(self, values: dict[str, Any]) -> Card:
        card = self._deck.described(values)
        if len(self._typed) < REMEMBERED:
            self._typed[_written(values)] = card
        return card


def _written(values: dict[str, Any]) -> str:
    """A description as an answer has it, so that what was read once is known by its looks."""
    return repr({"values": values})
