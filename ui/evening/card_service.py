"""The decks of all games, their printed values and their tags, as the pages of the screen need them.

It draws nothing and asks nobody; what can't be kept is raised as `UserError`.
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
from companion.tag_enrolment import TagEnrolment, card_of_tag, cards_without_tag, decks_with_tags
from hardware.devices import Devices
from hardware.signals import TagSignal
from hardware.wiring import Reader

TagHandler = Callable[[TagSignal], None]


class CardService(EventDispatcher):
    """The owner's decks and their tags; `readers` is the number of wired readers."""

    lost = ObjectProperty(None, allownone=True)
    """Why a reader can't be used, and what to do; None if all can."""

    def __init__(self, store: Store, devices: Devices, wired: Sequence[Reader], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.readers = len(wired)
        self._wired = wired
        self._store = store
        self._devices = devices

    def owner_decks(self) -> dict[str, OwnerDeck]:
        """Returns the decks whose cards can have tags, by name."""
        return decks_with_tags(self._store.directory)

    def broken_games(self) -> list[BrokenGame]:
        """Returns the games that can't be loaded."""
        return broken_games()

    def tags_of(self, deck: str) -> dict[str, str]:
        """Returns the tag of each card of a deck that has a tag."""
        return self._store.tags_by_card(deck)

    def card_of(self, deck: Deck, tag: str) -> str:
        """Returns the card that a tag stands for; raises `UserError` that says what else the tag is."""
        return card_of_tag(self._store, deck, tag, self.owner_decks())

    def cards_without_tag(self, deck: Deck, *, anew: bool = False) -> list[str]:
        """Returns the cards without a tag, or all cards if all tags are learned anew."""
        return cards_without_tag(self._store, deck, include_tagged=anew)

    def start_enrolment(self, deck: Deck, cards: Sequence[str]) -> TagEnrolment:
        """Starts to learn the tags of these cards, one after the other."""
        return TagEnrolment(self._store, deck, cards, self.owner_decks())

    def forget_tag(self, tag: str) -> None:
        """Deletes a tag; it stands for no card from now on."""
        self._store.unassign_tag(tag)

    def check_readers(self) -> None:
        """Updates `lost`, as a reader may have been lost or found."""
        lost = ((each, self._devices.lost_devices.get(each.device_name)) for each in self._wired)
        self.lost = next((each.describe_missing(why, None) for each, why in lost if why), None)

    def send_tags_to(self, hear: TagHandler | None) -> None:
        """Sends tags to this function instead of the game; None sends them to the game again."""
        self._devices.tag_listener = hear

    def save_values(self, copy: OwnerDeck, design: str, values: CardValues) -> None:
        """Saves what is printed on the cards of a design of the owner's deck."""
        rows, key = copy.load_rows(), copy.shipped_file.id
        cards = [_entered(row, values, key) if str(row[key]) == design else row for row in rows.cards]
        copy.save_rows(msgspec.structs.replace(rows, cards=cards), str(copy.path))

    def save_board_values(self, copy: OwnerDeck, key: str, numbers: Sequence[int]) -> None:
        """Saves what is printed on a board of the owner's deck."""
        rows = copy.load_rows()
        board = {**rows.board, key: list(numbers)}
        copy.save_rows(msgspec.structs.replace(rows, board=board), str(copy.path))

    def confirm_values(self, copy: OwnerDeck) -> None:
        """Saves that all values are those of the owner's deck, no longer provisional."""
        copy.save_rows(msgspec.structs.replace(copy.load_rows(), provisional=False), str(copy.path))


def _entered(row: DesignRow, values: CardValues, key: str) -> DesignRow:
    """Returns the row with these values; it keeps its name if they have none."""
    kept = {one: row[one] for one in (key, COPIES_KEY, NAME_FIELD) if one in row}
    return {one: value for one, value in {**kept, **values}.items() if (one, value) != (NAME_FIELD, "")}
