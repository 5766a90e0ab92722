"""Enrolling tags: assigning a tag to one card, or to each card of a deck in turn.

    enrolment = TagEnrolment(store, deck, cards_without_tag(store, deck), decks_with_tags(store.directory))
    print(render(enrolment.enrol_tag("04A2B3C4D5E680", time.monotonic())))
    print(enrolment.next_card, enrolment.remaining_count)

A tag belongs to one card, and a card has one tag. Each tag is saved before the next card is asked for, so
whoever stops loses nothing. The module knows no reader: its caller says which tags arrive and leave.
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
"""Two tags that arrive so soon after each other were put down together; a hand takes longer."""


FOUR_BYTE_ID_DIGITS = 8
"""Hex digits of an id of four bytes."""
REFUSED_ID_PREFIXES: Mapping[str, Say] = {
    "08": say(
        "{tag} (08…) changes each time it is read, like the ids of phones and bank cards. Use another tag."
    ),
    "88": say("{tag} (88…) is only the beginning of a longer id. Use another tag."),
}
"""How ids of four bytes begin that identify no tag (ISO/IEC 14443-3), and what to say about them."""


def decks_with_tags(directory: Path) -> dict[str, OwnerDeck]:
    """Returns the decks whose cards can have tags, by name; the rows of a preset are no cards."""
    copies = installed_games.owner_decks(directory)
    return {name: copy for name, copy in copies.items() if name in copy.game.card_decks}


def cards_without_tag(
    tags: Store, deck: Deck, first_card: str | None = None, *, include_tagged: bool = False, title: Text = ""
) -> list[str]:
    """Returns the cards without a tag, or with `include_tagged` all cards, from `first_card` on.

    Raises `UnknownName`, which lists the cards of the deck; `title` is that of its game.
    """
    names = list(deck.cards)
    if first_card is not None:
        check_card_exists(deck, first_card, title)
    taught = {} if include_tagged else tags.tags_by_card(deck.name)
    return [name for name in names[names.index(first_card) if first_card else 0 :] if name not in taught]


def check_card_exists(deck: Deck, card: str, title: Text) -> None:
    """Raises `UnknownName`, which lists the cards of the deck, for a card that it doesn't have."""
    names = deck.cards
    if card not in names:
        known = ", ".join(names)
        raise UnknownName(
            say("{game} has no card {id}. Its cards: {names}.", id=card, game=title, names=known)
        )


def card_label(deck: Deck, name: str) -> Labelled:
    """Returns what a single card is called; if several look alike, also which of them it is."""
    design = deck.design_of(name)
    if design is None:
        return Card(name, None, {}).label
    card = design.card.label
    if design.copies == 1:
        return card
    copy = design.copy_ids.index(name) + 1
    return say("{card}, {copy} of {count}", card=card, copy=copy, count=design.copies)


def labels_of_other_card(
    copies: Mapping[str, OwnerDeck], deck: str, card: str
) -> tuple[Labelled, Labelled | str]:
    """Returns the labels of a card and of its game, which is another one, if that is installed."""
    copy = copies.get(deck)
    cards = copy.shipped_file.deck if copy else Deck(deck, ())
    return card_label(cards, card), copy.game.title if copy else deck


def card_of_tag(tags: Store, deck: Deck, tag: str, copies: Mapping[str, OwnerDeck]) -> str:
    """Returns the card of this deck that has the tag.

    Raises `UserError` for an unknown tag or one of another game.
    """
    found = tags.card_of_tag(tag)
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
    """The cards that get their tags, one after the other.

    `copies` are all decks, to name a card of another game. `enrolled_count` counts the tags of this session.
    """

    def __init__(
        self, tags: Store, deck: Deck, cards: Sequence[str], copies: Mapping[str, OwnerDeck]
    ) -> None:
        self.deck = deck
        self._tags = tags
        self._cards = list(cards)
        self._copies = copies
        self._at = 0
        self._arrival_times: dict[str, float] = {}
        self._tags_before = tags.tags_by_card(deck.name)
        self._enrolled: dict[str, str] = {}

    @property
    def next_card(self) -> str | None:
        """The card whose tag is to be put down next; None when all are done."""
        return self._cards[self._at] if self._at < len(self._cards) else None

    @property
    def remaining_count(self) -> int:
        """The number of cards that remain, including the next one."""
        return len(self._cards) - self._at

    @property
    def enrolled_count(self) -> int:
        """The number of tags that were enrolled."""
        return len(self._enrolled)

    def enrol_tag(self, tag: str, at: float) -> Say:
        """Assigns a tag that arrived to the next card, and returns what to say; `at` is the time in seconds.

        Raises `UserError` for a tag of another card, and for two tags at once; then nothing is assigned.
        """
        others = [
            other
            for other, when in self._arrival_times.items()
            if other != tag and at - when <= SIMULTANEOUS_SECONDS
        ]
        self._arrival_times[tag] = at
        if others:
            self._undo_last_if_in(others)
            text = "Two tags were laid down at the same time: {one} and {other}. Lay down one card at a time."
            raise UserError(say(text, one=others[-1], other=tag))
        if self.next_card is None:
            raise UserError(say("All these cards have a tag now."))
        self._check_tag(tag)
        card = self.next_card
        self._tags.assign_tag(tag, self.deck.name, card)
        self._enrolled[card] = tag
        self._at += 1
        return say("Saved the tag of {card}.", card=card_label(self.deck, card))

    def remove_from_reader(self, tag: str) -> None:
        """Notes that a tag was lifted from the reader."""
        self._arrival_times.pop(tag, None)

    def skip_card(self) -> None:
        """Continues with the next card; the current one stays as it is."""
        self._at = min(self._at + 1, len(self._cards))

    def go_back(self) -> None:
        """Asks for the card before again, and takes back its tag of this session."""
        if self._at:
            self._restore_tag(self._cards[self._at - 1])
            self._at -= 1

    def _check_tag(self, tag: str) -> None:
        """Raises `UserError` for a tag that no card can have, or that belongs to another card.

        The tag of a card that the deck no longer has is free: its owner has entered other cards since.
        """
        if len(tag) == FOUR_BYTE_ID_DIGITS and (why := REFUSED_ID_PREFIXES.get(tag[:2])):
            raise UserError(say(why.template, tag=tag))
        found = self._tags.card_of_tag(tag)
        if found is None or found == (self.deck.name, self.next_card):
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

    def _undo_last_if_in(self, tags: Sequence[str]) -> None:
        """Asks for the last card again if its tag is one of these."""
        if self._at and self._enrolled.get(self._cards[self._at - 1]) in tags:
            self.go_back()

    def _restore_tag(self, card: str) -> None:
        """Gives a card the tag that it had before this session."""
        if card not in self._enrolled:
            return
        if card in self._tags_before:
            self._tags.assign_tag(self._tags_before[card], self.deck.name, card)
        else:
            self._tags.unassign_tag(self._enrolled[card])
        del self._enrolled[card]
