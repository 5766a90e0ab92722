"""The decks of all games, their printed values and their tags, for the pages of the screen.

The module draws nothing and asks nobody. It raises `UserError` if something can't be saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from kivy.event import EventDispatcher
from kivy.properties import ObjectProperty

from companion.cards import Deck
from companion.cards.deck import NAME_FIELD, CardValues
from companion.cards.deck_file import COPIES_KEY
from companion.installed_games import BrokenGame, broken_games
from companion.owner_decks import DesignRow, OwnerDeck
from companion.store import Store
from companion.tag_enrolment import (
    TagEnrolment,
    card_id_of_tag,
    ids_of_cards_without_tag,
    taggable_decks_by_name,
)
from hardware.devices import Devices
from hardware.signals import TagSignal
from hardware.wiring import Reader

TagHandler = Callable[[TagSignal], None]


class CardService(EventDispatcher):
    """The taggable decks and their tags; `reader_count` is the number of wired readers."""

    lost_reader_text = ObjectProperty(None, allownone=True)
    """A sentence that says why a reader can't be used and what to do; None if all readers work."""

    def __init__(self, store: Store, devices: Devices, readers: Sequence[Reader], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reader_count = len(readers)
        self._readers = readers
        self._store = store
        self._devices = devices

    def taggable_decks(self) -> dict[str, OwnerDeck]:
        """Returns the decks whose cards can have tags, by name."""
        return taggable_decks_by_name(self._store.directory)

    def broken_games(self) -> list[BrokenGame]:
        """Returns the games that can't be loaded."""
        return broken_games()

    def tag_by_card(self, deck_name: str) -> dict[str, str]:
        """Returns the tag of each card of a deck that has a tag."""
        return self._store.tag_uid_by_card(deck_name)

    def require_card_id_of_tag(self, deck: Deck, tag: str) -> str:
        """Returns the id of the card in the deck that has the tag.

        Raises `UserError` if no card of the deck has the tag; the error says what the tag belongs to.
        """
        return card_id_of_tag(self._store, deck, tag, self.taggable_decks())

    def card_ids_without_tag(self, deck: Deck, *, include_tagged: bool = False) -> list[str]:
        """Returns the ids of the cards without a tag, or of all cards if all tags are learned again."""
        return ids_of_cards_without_tag(self._store, deck, include_tagged=include_tagged)

    def start_tag_enrolment(self, deck: Deck, card_ids: Sequence[str]) -> TagEnrolment:
        """Starts learning the tags of these cards, one after the other."""
        return TagEnrolment(self._store, deck, card_ids, self.taggable_decks())

    def delete_tag(self, tag: str) -> None:
        """Deletes a tag: it belongs to no card from now on."""
        self._store.unassign_tag(tag)

    def update_lost_reader(self) -> None:
        """Updates `lost_reader_text`; called after readers may have been lost or found."""
        lost_by_reader = (
            (reader, self._devices.lost_devices.get(reader.device_name)) for reader in self._readers
        )
        self.lost_reader_text = next(
            (reader.describe_missing(lost, None) for reader, lost in lost_by_reader if lost), None
        )

    def set_tag_handler(self, handler_instead_of_game: TagHandler | None) -> None:
        """Sets the function that gets tags instead of the game; None sends tags to the game again."""
        self._devices.tag_listener = handler_instead_of_game

    def save_printed_design_values(self, owner_deck: OwnerDeck, design_id: str, values: CardValues) -> None:
        """Saves what is printed on the cards of a design of the owner's deck."""
        rows, key = owner_deck.load_rows(), owner_deck.shipped_file.id_key
        cards = [
            _replace_printed_values(row, values, key) if str(row[key]) == design_id else row
            for row in rows.cards
        ]
        owner_deck.save_rows(msgspec.structs.replace(rows, cards=cards), str(owner_deck.path))

    def save_printed_board_numbers(
        self, owner_deck: OwnerDeck, board_key: str, numbers: Sequence[int]
    ) -> None:
        """Saves what is printed on a board of the owner's deck."""
        rows = owner_deck.load_rows()
        board = {**rows.board, board_key: list(numbers)}
        owner_deck.save_rows(msgspec.structs.replace(rows, board=board), str(owner_deck.path))

    def mark_values_final(self, owner_deck: OwnerDeck) -> None:
        """Saves that the printed values are final, no longer provisional."""
        owner_deck.save_rows(
            msgspec.structs.replace(owner_deck.load_rows(), provisional=False),
            str(owner_deck.path),
        )


def _replace_printed_values(row: DesignRow, values: CardValues, key: str) -> DesignRow:
    """Returns the row with these printed values; the row keeps its name if the values have none."""
    identity = {field: row[field] for field in (key, COPIES_KEY, NAME_FIELD) if field in row}
    return {
        field: value for field, value in {**identity, **values}.items() if (field, value) != (NAME_FIELD, "")
    }
