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
HEX_DIGITS_OF_FOUR_BYTE_ID = 8
"""The number of hex digits of an id of four bytes."""
REFUSAL_BY_ID_PREFIX: Mapping[str, Say] = {
    "08": say(
        "{tag} (08…) changes each time it is read, like the ids of phones and bank cards. Use another tag."
    ),
    "88": say("{tag} (88…) is only the beginning of a longer id. Use another tag."),
}
"""Why a tag can't be used, by the first two digits of its id of four bytes (ISO/IEC 14443-3)."""


def taggable_decks_by_name(directory: Path) -> dict[str, OwnerDeck]:
    """Returns the decks whose cards can have tags, by name. The rows of a preset are no cards."""
    owner_decks = installed_games.owner_decks_by_name(directory)
    return {
        name: owner_deck
        for name, owner_deck in owner_decks.items()
        if name in owner_deck.game.taggable_deck_names
    }


def ids_of_cards_without_tag(
    store: Store,
    deck: Deck,
    first_card_id: str | None = None,
    *,
    include_tagged: bool = False,
    game_title: Text = "",
) -> list[str]:
    """Returns the ids of the cards in a deck that have no tag, from `first_card_id` on.

    With `include_tagged` the cards with a tag are included. Raises `UnknownName`, which lists the cards of
    the deck, for a first card that isn't in the deck; `game_title` is the title of its game.
    """
    card_ids = list(deck.cards)
    if first_card_id is not None:
        require_card_in_deck(deck, first_card_id, game_title)
    tagged_card_ids = {} if include_tagged else store.tag_uid_by_card(deck.name)
    return [
        card_id
        for card_id in card_ids[card_ids.index(first_card_id) if first_card_id else 0 :]
        if card_id not in tagged_card_ids
    ]


def require_card_in_deck(deck: Deck, card_id: str, game_title: Text) -> None:
    """Raises `UnknownName`, which lists the cards of the deck, for a card that isn't in the deck."""
    card_ids = deck.cards
    if card_id not in card_ids:
        known_ids = ", ".join(card_ids)
        raise UnknownName(
            say("{game} has no card {id}. Its cards: {names}.", id=card_id, game=game_title, names=known_ids)
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
    copy_number = design.copy_ids.index(card_id) + 1
    return say("{card}, {copy} of {count}", card=card, copy=copy_number, count=design.copies)


def labels_of_card_and_game(
    owner_decks: Mapping[str, OwnerDeck], deck_name: str, card_id: str
) -> tuple[Labelled, Labelled | str]:
    """Returns the labels of a card and of its game, which may not be installed."""
    owner_deck = owner_decks.get(deck_name)
    deck = owner_deck.shipped_file.deck if owner_deck else Deck(deck_name, ())
    return card_label(deck, card_id), owner_deck.game.title if owner_deck else deck_name


def card_id_of_tag(store: Store, deck: Deck, tag_id: str, owner_decks: Mapping[str, OwnerDeck]) -> str:
    """Returns the id of the card in this deck that has the tag.

    Raises `UserError` for an unknown tag or one of another game.
    """
    deck_and_card = store.card_of_tag(tag_id)
    if deck_and_card is None:
        raise UserError(say("Tag {uid} doesn't belong to a card yet.", uid=tag_id))
    deck_name, card_id = deck_and_card
    if deck_name != deck.name:
        card, game = labels_of_card_and_game(owner_decks, deck_name, card_id)
        raise UserError(say("This tag belongs to {card} in {game}.", card=card, game=game))
    if card_id not in deck.cards:
        raise UserError(say("There is no card {id} in this deck.", id=card_id))
    return card_id


class TagEnrolment:
    """Assigns tags to cards, one card after the other.

    `owner_decks` are the decks of all games, with which errors name a card of another game.
    """

    def __init__(
        self, store: Store, deck: Deck, card_ids: Sequence[str], owner_decks: Mapping[str, OwnerDeck]
    ) -> None:
        self.deck = deck
        self._store = store
        self._card_ids = list(card_ids)
        self._owner_decks = owner_decks
        self._next_index = 0
        self._arrival_time_by_tag: dict[str, float] = {}
        self._earlier_tag_by_card = store.tag_uid_by_card(deck.name)
        self._enrolled_tag_by_card: dict[str, str] = {}

    @property
    def next_card_id(self) -> str | None:
        """The id of the card whose tag is to be put down next; None when all cards are done."""
        return self._card_ids[self._next_index] if self._next_index < len(self._card_ids) else None

    @property
    def remaining_count(self) -> int:
        """The number of cards that remain, including the next one."""
        return len(self._card_ids) - self._next_index

    @property
    def newly_enrolled_count(self) -> int:
        """The number of tags that were enrolled in this session."""
        return len(self._enrolled_tag_by_card)

    def enrol_tag(self, tag_id: str, arrival_seconds: float) -> Say:
        """Assigns a tag that arrived on the reader to the next card, and returns a sentence about it.

        Raises `UserError` for a tag of another card, and for two tags at once; then nothing is assigned.
        """
        simultaneous_tags = [
            other
            for other, seconds in self._arrival_time_by_tag.items()
            if other != tag_id and arrival_seconds - seconds <= MAX_SIMULTANEOUS_TAG_SECONDS
        ]
        self._arrival_time_by_tag[tag_id] = arrival_seconds
        if simultaneous_tags:
            self._go_back_if_last_tag_in(simultaneous_tags)
            text = "Two tags were laid down at the same time: {one} and {other}. Lay down one card at a time."
            raise UserError(say(text, one=simultaneous_tags[-1], other=tag_id))
        if self.next_card_id is None:
            raise UserError(say("All these cards have a tag now."))
        self._require_usable_tag(tag_id)
        card_id = self.next_card_id
        self._store.assign_tag(tag_id, self.deck.name, card_id)
        self._enrolled_tag_by_card[card_id] = tag_id
        self._next_index += 1
        return say("Saved the tag of {card}.", card=card_label(self.deck, card_id))

    def note_tag_lifted(self, tag_id: str) -> None:
        """Notes that a tag was lifted from the reader."""
        self._arrival_time_by_tag.pop(tag_id, None)

    def skip_card(self) -> None:
        """Skips the current card, which stays as it is, and continues with the one after it."""
        self._next_index = min(self._next_index + 1, len(self._card_ids))

    def undo_previous_card(self) -> None:
        """Goes back to the previous card.

        If the card got a tag in this session, it gets back the tag that it had before, or none.
        """
        if self._next_index:
            self._restore_tag(self._card_ids[self._next_index - 1])
            self._next_index -= 1

    def _require_usable_tag(self, tag: str) -> None:
        """Raises `UserError` for a tag that no card can have, or that belongs to another card.

        The tag of a card that the deck no longer has is free: its owner has entered other cards since.
        """
        if len(tag) == HEX_DIGITS_OF_FOUR_BYTE_ID and (why := REFUSAL_BY_ID_PREFIX.get(tag[:2])):
            raise UserError(say(why.template, tag=tag))
        deck_and_card = self._store.card_of_tag(tag)
        if deck_and_card is None or deck_and_card == (self.deck.name, self.next_card_id):
            return
        deck_name, card_id = deck_and_card
        if deck_name == self.deck.name:
            if card_id not in self.deck.cards:
                return
            text = "This tag already belongs to {card}. Lay down another card, or remove that tag first."
            raise UserError(say(text, card=card_label(self.deck, card_id)))
        card, game = labels_of_card_and_game(self._owner_decks, deck_name, card_id)
        own_game = self._owner_decks[self.deck.name].game.title
        text = "This tag belongs to {card} in {game}, so it can't be used for a card of {here}."
        raise UserError(say(text, card=card, game=game, here=own_game))

    def _go_back_if_last_tag_in(self, tags: Sequence[str]) -> None:
        """Goes back to the last card if its tag is one of these."""
        if self._next_index and self._enrolled_tag_by_card.get(self._card_ids[self._next_index - 1]) in tags:
            self.undo_previous_card()

    def _restore_tag(self, card_id: str) -> None:
        """Gives a card the tag that it had before this session."""
        if card_id not in self._enrolled_tag_by_card:
            return
        if card_id in self._earlier_tag_by_card:
            self._store.assign_tag(self._earlier_tag_by_card[card_id], self.deck.name, card_id)
        else:
            self._store.unassign_tag(self._enrolled_tag_by_card[card_id])
        del self._enrolled_tag_by_card[card_id]
