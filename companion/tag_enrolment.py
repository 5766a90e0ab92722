"""Enrolling tags: assigning a tag to one card, or to each card of a deck in turn.

    card_ids = ids_of_cards_without_tag(store, deck)
    enrolment = TagEnrolment(store, deck, card_ids, taggable_decks_by_name(store.directory))
    print(render(enrolment.enrol_tag("04A2B3C4D5E680", time.monotonic())))
    print(enrolment.next_card_id, enrolment.remaining_count)

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

MAX_SIMULTANEOUS_TAG_SECONDS = 0.5
"""The longest time between two tags that were put down together; a hand takes longer."""


FOUR_BYTE_ID_DIGITS = 8
"""The number of hex digits of an id of four bytes."""
REFUSAL_BY_ID_PREFIX: Mapping[str, Say] = {
    "08": say(
        "{tag} (08…) changes each time it is read, like the ids of phones and bank cards. Use another tag."
    ),
    "88": say("{tag} (88…) is only the beginning of a longer id. Use another tag."),
}
"""Why a tag can't be used, by the first two digits of its id of four bytes (ISO/IEC 14443-3)."""


def taggable_decks_by_name(directory: Path) -> dict[str, OwnerDeck]:
    """Returns the decks whose cards can have tags, by name; the rows of a preset are no cards."""
    copies = installed_games.owner_decks(directory)
    return {name: copy for name, copy in copies.items() if name in copy.game.taggable_deck_names}


def ids_of_cards_without_tag(
    store: Store,
    deck: Deck,
    first_card_id: str | None = None,
    *,
    include_tagged: bool = False,
    game_title: Text = "",
) -> list[str]:
    """Returns the ids of the cards in a deck that have no tag.

    With `include_tagged` all cards count. The ids begin at `first_card_id`. Raises `UnknownName`,
    which lists the cards of the deck; `game_title` is the title of its game.
    """
    names = list(deck.cards)
    if first_card_id is not None:
        require_card_in_deck(deck, first_card_id, game_title)
    taught = {} if include_tagged else store.tag_uid_by_card(deck.name)
    return [
        name for name in names[names.index(first_card_id) if first_card_id else 0 :] if name not in taught
    ]


def require_card_in_deck(deck: Deck, card_id: str, game_title: Text) -> None:
    """Checks that a card is in the deck; raises `UnknownName` if not.

    The error lists the cards of the deck.
    """
    names = deck.cards
    if card_id not in names:
        known = ", ".join(names)
        raise UnknownName(
            say("{game} has no card {id}. Its cards: {names}.", id=card_id, game=game_title, names=known)
        )


def card_label(deck: Deck, card_id: str) -> Labelled:
    """Returns the label of one card in a deck.

    If several cards look alike, the label says which of them it is.
    """
    design = deck.design_of_copy(card_id)
    if design is None:
        return Card(card_id, None, {}).label
    card = design.card_without_id.label
    if design.copies == 1:
        return card
    copy = design.copy_ids.index(card_id) + 1
    return say("{card}, {copy} of {count}", card=card, copy=copy, count=design.copies)


def labels_of_card_and_game(
    owner_decks: Mapping[str, OwnerDeck], deck_name: str, card_id: str
) -> tuple[Labelled, Labelled | str]:
    """Returns the labels of a card and of its game, which may not be installed."""
    copy = owner_decks.get(deck_name)
    cards = copy.shipped_file.deck if copy else Deck(deck_name, ())
    return card_label(cards, card_id), copy.game.title if copy else deck_name


def card_id_of_tag(store: Store, deck: Deck, tag_id: str, owner_decks: Mapping[str, OwnerDeck]) -> str:
    """Returns the id of the card in this deck that has the tag.

    Raises `UserError` for an unknown tag or one of another game.
    """
    found = store.card_of_tag(tag_id)
    if found is None:
        raise UserError(say("Tag {uid} doesn't belong to a card yet.", uid=tag_id))
    name, card = found
    if name != deck.name:
        other, game = labels_of_card_and_game(owner_decks, name, card)
        raise UserError(say("This tag belongs to {card} in {game}.", card=other, game=game))
    if card not in deck.cards:
        raise UserError(say("There is no card {id} in this deck.", id=card))
    return card


class TagEnrolment:
    """Assigns tags to cards, one card after the other.

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
        self._tags_before = tags.tag_uid_by_card(deck.name)
        self._enrolled: dict[str, str] = {}

    @property
    def next_card_id(self) -> str | None:
        """The id of the next card: its tag is to be put down next.

        None when all are done.
        """
        return self._cards[self._at] if self._at < len(self._cards) else None

    @property
    def remaining_count(self) -> int:
        """The number of cards that remain, including the next one."""
        return len(self._cards) - self._at

    @property
    def enrolled_count(self) -> int:
        """The number of tags that were enrolled in this session."""
        return len(self._enrolled)

    def enrol_tag(self, tag_id: str, arrival_seconds: float) -> Say:
        """Assigns a tag that arrived on the reader to the next card, and returns a sentence about it.

        Raises `UserError` for a tag of another card, and for two tags at once; then nothing is assigned.
        """
        others = [
            other
            for other, when in self._arrival_times.items()
            if other != tag_id and arrival_seconds - when <= MAX_SIMULTANEOUS_TAG_SECONDS
        ]
        self._arrival_times[tag_id] = arrival_seconds
        if others:
            self._undo_last_if_in(others)
            text = "Two tags were laid down at the same time: {one} and {other}. Lay down one card at a time."
            raise UserError(say(text, one=others[-1], other=tag_id))
        if self.next_card_id is None:
            raise UserError(say("All these cards have a tag now."))
        self._check_tag(tag_id)
        card = self.next_card_id
        self._tags.assign_tag(tag_id, self.deck.name, card)
        self._enrolled[card] = tag_id
        self._at += 1
        return say("Saved the tag of {card}.", card=card_label(self.deck, card))

    def note_tag_lifted(self, tag_id: str) -> None:
        """Notes that a tag was lifted from the reader."""
        self._arrival_times.pop(tag_id, None)

    def skip_card(self) -> None:
        """Skips the current card: continues with the next one.

        The current card stays as it is.
        """
        self._at = min(self._at + 1, len(self._cards))

    def go_back_to_previous_card(self) -> None:
        """Goes back to the previous card.

        The tag that this card got in this session is removed.
        """
        if self._at:
            self._restore_tag(self._cards[self._at - 1])
            self._at -= 1

    def _check_tag(self, tag: str) -> None:
        """Raises `UserError` for a tag that no card can have, or that belongs to another card.

        The tag of a card that the deck no longer has is free: its owner has entered other cards since.
        """
        if len(tag) == FOUR_BYTE_ID_DIGITS and (why := REFUSAL_BY_ID_PREFIX.get(tag[:2])):
            raise UserError(say(why.template, tag=tag))
        found = self._tags.card_of_tag(tag)
        if found is None or found == (self.deck.name, self.next_card_id):
            return
        deck, card = found
        if deck == self.deck.name:
            if card not in self.deck.cards:
                return
            text = "This tag already belongs to {card}. Lay down another card, or remove that tag first."
            raise UserError(say(text, card=card_label(self.deck, card)))
        other, game = labels_of_card_and_game(self._copies, deck, card)
        here = self._copies[self.deck.name].game.title
        text = "This tag belongs to {card} in {game}, so it can't be used for a card of {here}."
        raise UserError(say(text, card=other, game=game, here=here))

    def _undo_last_if_in(self, tags: Sequence[str]) -> None:
        """Asks for the last card again if its tag is one of these."""
        if self._at and self._enrolled.get(self._cards[self._at - 1]) in tags:
            self.go_back_to_previous_card()

    def _restore_tag(self, card: str) -> None:
        """Gives a card the tag that it had before this session."""
        if card not in self._enrolled:
            return
        if card in self._tags_before:
            self._tags.assign_tag(self._tags_before[card], self.deck.name, card)
        else:
            self._tags.unassign_tag(self._enrolled[card])
        del self._enrolled[card]
