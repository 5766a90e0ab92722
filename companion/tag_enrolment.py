"""Learning which tag is which card: of one card, or of a whole deck in a row.

    lesson = Lesson(store, copy.deck(), untaught(store, copy.deck()), lessons(store.directory))
    print(render(lesson.arrived("04A2B3C4D5E680", time.monotonic())))
    print(lesson.card, lesson.left)

A tag is one card, a card has one tag. Each is kept before the next card is asked for, so whoever stops
loses nothing. It knows no reader: whoever has one says what arrives there and what is lifted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion import installed_games
from companion.cards import Card, Deck
from companion.errors import UnknownName, UserError
from companion.owner_decks import OwnerDeck
from companion.store import Store
from companion.texts import Labelled, Say, Text, say

SIMULTANEOUS_SECONDS = 0.5
"""Seconds: two tags that arrive so soon after each other were laid at once; a hand takes longer."""


FOUR_BYTE_ID_DIGITS = 8
"""Digits of an id of four bytes."""
REFUSED_ID_PREFIXES: Mapping[str, Say] = {
    "08": say(
        "{tag} (08…) changes each time it is read, like the ids of phones and bank cards. Use another tag."
    ),
    "88": say("{tag} (88…) is only the beginning of a longer id. Use another tag."),
}
"""What ids of four bytes begin with that name no tag (ISO/IEC 14443-3), and what to say of them."""


def decks_with_tags(directory: Path) -> dict[str, OwnerDeck]:
    """The decks whose cards can have tags, by name; the rows of a preset are no cards."""
    copies = installed_games.owner_decks(directory)
    return {name: copy for name, copy in copies.items() if name in copy.game.card_decks}


def cards_without_tag(
    tags: Store, deck: Deck, first: str | None = None, *, anew: bool = False, title: Text = ""
) -> list[str]:
    """The cards that have no tag yet, in the order of the deck, from `first` on; `anew`: the others too.

    Raises `UnknownName`, which names the cards of the deck; `title` is its game's.
    """
    names = list(deck.cards)
    if first is not None:
        check_card_exists(deck, first, title)
    taught = {} if anew else tags.tags(deck.name)
    return [name for name in names[names.index(first) if first else 0 :] if name not in taught]


def check_card_exists(deck: Deck, card: str, title: Text) -> None:
    """Raises `UnknownName`, which names the cards of the deck, for one that it doesn't have."""
    names = deck.cards
    if card not in names:
        known = ", ".join(names)
        raise UnknownName(
            say("{game} has no card {id}. Its cards: {names}.", id=card, game=title, names=known)
        )


def card_label(deck: Deck, name: str) -> Labelled:
    """What a single card is called; of several that look alike, which of them it is."""
    design = deck.design(name)
    if design is None:
        return Card(name, None, {}).label
    card = design.card.label
    if design.copies == 1:
        return card
    copy = design.names.index(name) + 1
    return say("{card}, {copy} of {count}", card=card, copy=copy, count=design.copies)


def labels_of_other_card(
    copies: Mapping[str, OwnerDeck], deck: str, card: str
) -> tuple[Labelled, Labelled | str]:
    """What a card of another game is called, and the game, as far as that is installed."""
    copy = copies.get(deck)
    cards = copy.shipped.deck if copy else Deck(deck, ())
    return card_label(cards, card), copy.game.title if copy else deck


def card_of_tag(tags: Store, deck: Deck, tag: str, copies: Mapping[str, OwnerDeck]) -> str:
    """The card of this deck that a tag is; raises `UserError` for a tag that is none, or another game's."""
    found = tags.tag(tag)
    if found is None:
        raise UserError(say("Tag {uid} doesn't belong to a card yet.", uid=tag))
    name, card = found
    if name != deck.name:
        other, game = labels_of_other_card(copies, name, card)
        raise UserError(say("This tag belongs to {card} in {game}.", card=other, game=game))
    if card not in deck.cards:
        raise UserError(say("There is no card {id} in this deck.", id=card))
    return card


class TagEnrolment:
    """The cards that are to get their tags, one after the other.

    `owner_decks` are all decks there are, to name a card of another game.
    `learnt` counts the tags of this lesson.
    """

    def __init__(
        self, tags: Store, deck: Deck, cards: Sequence[str], copies: Mapping[str, OwnerDeck]
    ) -> None:
        self.deck = deck
        self._tags = tags
        self._cards = list(cards)
        self._copies = copies
        self._at = 0
        self._lying: dict[str, float] = {}
        self._before = tags.tags(deck.name)
        self._taught: dict[str, str] = {}

    @property
    def card(self) -> str | None:
        """The card whose tag is to be laid next; None when all have been."""
        return self._cards[self._at] if self._at < len(self._cards) else None

    @property
    def left(self) -> int:
        """How many cards are to come, with this one."""
        return len(self._cards) - self._at

    @property
    def learnt(self) -> int:
        """How many tags were learnt."""
        return len(self._taught)

    def arrived(self, tag: str, at: float) -> Say:
        """A tag was laid, at a moment in seconds: it is the card asked for. What to say of it.

        Raises `UserError` for a tag that is another card, and for two at once; then nothing is learnt.
        """
        others = [
            other for other, when in self._lying.items() if other != tag and at - when <= SIMULTANEOUS_SECONDS
        ]
        self._lying[tag] = at
        if others:
            self._take_back_of(others)
            text = "Two tags were laid down at the same time: {one} and {other}. Lay down one card at a time."
            raise UserError(say(text, one=others[-1], other=tag))
        if self.card is None:
            raise UserError(say("All these cards have a tag now."))
        self._check(tag)
        card = self.card
        self._tags.learn(tag, self.deck.name, card)
        self._taught[card] = tag
        self._at += 1
        return say("Saved the tag of {card}.", card=card_label(self.deck, card))

    def lifted(self, tag: str) -> None:
        """A tag is gone from the reader."""
        self._lying.pop(tag, None)

    def skip(self) -> None:
        """The next card is asked for; this one stays as it is."""
        self._at = min(self._at + 1, len(self._cards))

    def back(self) -> None:
        """The card before is asked for again; what it was taught in this lesson is forgotten."""
        if self._at:
            self._untaught(self._cards[self._at - 1])
            self._at -= 1

    def _check(self, tag: str) -> None:
        """Raises `UserError` for a tag that no card can have, or that is another card, which it names.

        The tag of a card that the deck no longer has is free: its owner has entered other cards since.
        """
        if len(tag) == FOUR_BYTE_ID_DIGITS and (why := REFUSED_ID_PREFIXES.get(tag[:2])):
            raise UserError(say(why.id, tag=tag))
        found = self._tags.tag(tag)
        if found is None or found == (self.deck.name, self.card):
            return
        deck, card = found
        if deck == self.deck.name:
            if card not in self.deck.cards:
                return
            text = "This tag already belongs to {card}. Lay down another card, or remove that tag first."
            raise UserError(say(text, card=card_label(self.deck, card)))
        other, game = labels_of_other_card(self._copies, deck, card)
        here = self._copies[self.deck.name].game.title
        text = "This tag belongs to {card} in {game}, so it can't be used for a card of {here}."
        raise UserError(say(text, card=other, game=game, here=here))

    def _take_back_of(self, tags: Sequence[str]) -> None:
        """If one of these is the tag learnt last, its card is asked for again."""
        if self._at and self._taught.get(self._cards[self._at - 1]) in tags:
            self.back()

    def _untaught(self, card: str) -> None:
        """What the card had before the lesson, it has again."""
        if card not in self._taught:
            return
        if card in self._before:
            self._tags.learn(self._before[card], self.deck.name, card)
        else:
            self._tags.forget(self._taught[card])
        del self._taught[card]
