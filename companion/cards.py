"""Decks and cards: what is printed on them, and which cards of a deck the table has seen.

A card is *named* (its tag was read, or it was picked) or *described* (somebody typed what is printed on it).
The printed values come from a TOML file beside the game; a game keeps the values it began with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from companion.errors import IllegalAnswer
from companion.ledger import Account, Ledger, Piece, Place
from companion.words import say

UNSEEN = Place(say("unseen"))
Values = Mapping[str, int | str]
Tags = Callable[[str], "tuple[str, str] | None"]
"""From the id of a tag to its deck and card, or None for a tag nobody has learnt."""


class Design(msgspec.Struct, frozen=True):
    """What is printed on a card, of which the deck holds `copies` copies; `id` names the design."""

    id: str
    copies: int
    values: dict[str, int | str]

    @property
    def names(self) -> list[str]:
        """Each copy's id: `6.2` is the second copy of design `6`; an only copy is just `6`."""
        return [self.id] if self.copies == 1 else [f"{self.id}.{copy}" for copy in range(1, self.copies + 1)]


class Card(msgspec.Struct, frozen=True):
    """A card on the table: named by its `id`, or only described by `values`, which may be incomplete.

    `design` is None where the description leaves it open.
    """

    id: str | None
    design: str | None
    values: dict[str, int | str]

    def shows(self, values: Values) -> bool:
        """Whether all of these values are printed on it, as far as is known."""
        return values.items() <= self.values.items()


class Deck(msgspec.Struct, frozen=True):
    """The cards of one game, as its file lists them."""

    name: str
    designs: tuple[Design, ...]

    def named(self) -> dict[str, Design]:
        """Every single card by its id."""
        return {name: design for design in self.designs for name in design.names}


@cache
def deck_of(game: str) -> Deck:
    """The deck whose printed values stand in `games/GAME.toml`."""
    rows = tomllib.loads((files("companion.games") / f"{game}.toml").read_text(encoding="utf-8"))
    return Deck(game, tuple(_design(row, rows["id"]) for row in rows["card"]))


def _design(row: dict[str, Any], id_field: str) -> Design:
    values = {name: value for name, value in row.items() if name != "copies"}
    return Design(str(row[id_field]), row.get("copies", 1), values)


@cache
def _face(key: str) -> Piece:
    return Piece(f"card {key}", say("card {id}", id=key), mark=True)


class Faces:
    """Which faces of a deck have been seen, and where those cards went.

    Each card of the deck is a piece of its own, and so is each design for cards that were only described:
    both lie `unseen` until they are shown, then at `shown_at`, and are covered in either place.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: Tags, shown_at: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self._tags = tags
        self._shown_at = shown_at
        named = deck.named()
        self._typed = {repr({}): ANY_CARD}
        self._cards = {name: Card(name, design.id, design.values) for name, design in named.items()}
        self._unseen = {name: self._lay(name, 1) for name in named}
        self._described = {design.id: self._lay(f"any {design.id}", design.copies) for design in deck.designs}
        self._copies = {design.id: [self._unseen[name] for name in design.names] for design in deck.designs}
        self._homes = {
            account.piece: account for account in (*self._unseen.values(), *self._described.values())
        }

    def read(self, item: object) -> Card:
        """The card that one item of an answer means: `{"card": id}`, `{"tag": uid}` or `{"values": {…}}`."""
        if isinstance(item, dict) and len(item) == 1:
            ((way, what),) = item.items()
            if way == "values" and isinstance(what, dict):
                return self._described_card(what)
            if way == "card" and isinstance(what, str):
                return self._card(what)
            if way == "tag" and isinstance(what, str):
                return self._card(self._tagged(what))
        raise IllegalAnswer(say('A card is {{"card": id}}, {{"tag": uid}} or {{"values": {{…}}}}.'))

    def check(self, cards: Sequence[Card]) -> None:
        """Raises `IllegalAnswer` for cards that the deck doesn't hold together, whatever was shown."""
        named = [card.id for card in cards if card.id is not None]
        if len(set(named)) < len(named):
            twice = next(name for name in named if named.count(name) > 1)
            raise IllegalAnswer(say("Card {id} is there twice.", id=twice))
        for design, count in _designs(cards).items():
            if count > len(self._copies[design]):
                raise IllegalAnswer(say("There can't be so many cards {id}.", id=design))

    def may_show(self, cards: Sequence[Card]) -> bool:
        """Whether these cards can still be shown, after all that were; which ones were is covered.

        A card that was read lies there, whatever was typed before: only typed ones can be too many.
        """
        named = [card.id for card in cards if card.id is not None]
        if len(set(named)) < len(named) or not all(self._unseen[name].count for name in named):
            return False
        typed = {card.design for card in cards if card.id is None}
        counts = _designs(cards).items()
        return all(count <= self.left(design) for design, count in counts if design in typed)

    def left(self, design: str) -> int:
        """How many cards of a design can still be anywhere unseen."""
        copies = self._copies[design]
        return sum([account.count for account in copies]) + self._described[design].count - len(copies)

    def unseen(self) -> list[str]:
        """The ids of all cards not shown by name, in the order of the deck."""
        return [name for name, account in self._unseen.items() if account.count]

    def show(self, cards: Iterable[Card]) -> None:
        """Moves the faces of these cards to the place where they now lie face down."""
        for card in cards:
            if card.design is not None:
                source = self._described[card.design] if card.id is None else self._unseen[card.id]
                self._ledger.transfer(source, self._ledger.account(self._shown_at, source.piece), 1)

    def gather(self) -> None:
        """All cards are shuffled again: nothing has been seen."""
        for account, home in self._ledger.astray(self._homes):
            self._ledger.transfer(account, home, account.count)

    def _lay(self, key: str, count: int) -> Account:
        face = _face(key)
        self._ledger.account(self._shown_at, face, covered=True)
        return self._ledger.supply(self._ledger.account(UNSEEN, face, covered=True), count)

    def _card(self, name: str) -> Card:
        if name not in self._cards:
            raise IllegalAnswer(say("There is no card {id} in this deck.", id=name))
        return self._cards[name]

    def _tagged(self, uid: str) -> str:
        found = self._tags(uid)
        if found is None:
            raise IllegalAnswer(say("Tag {uid} has not been learnt; pick or type the card.", uid=uid))
        deck, name = found
        if deck != self.deck.name:
            text = say("Tag {uid} is card {id} of another game, {deck}.", uid=uid, id=name, deck=deck)
            raise IllegalAnswer(text)
        return name

    def _described_card(self, values: dict[str, Any]) -> Card:
        written = repr(values)
        if written not in self._typed:
            self._typed[written] = self._fitting(values)
        return self._typed[written]

    def _fitting(self, values: dict[str, Any]) -> Card:
        fitting = [design.id for design in self.deck.designs if _printed(values, design)]
        if not fitting:
            raise IllegalAnswer(say("No card of this deck shows {values}.", values=_listed(values)))
        return Card(None, fitting[0] if len(fitting) == 1 else None, dict(values))


ANY_CARD = Card(None, None, {})
"""A card of which nothing is known."""


def _designs(cards: Sequence[Card]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card in cards:
        if card.design is not None:
            counts[card.design] = counts.get(card.design, 0) + 1
    return counts


def _printed(values: Values, design: Design) -> bool:
    """JSON's true is not 1, and 6.0 is not 6."""
    known = design.values
    return all(
        name in known and known[name] == value and type(known[name]) is type(value)
        for name, value in values.items()
    )


def _listed(values: Values) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
