"""The decks of all games, what is printed on them and their tags, as the screen's pages need them.

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

Hear = Callable[[TagSignal], None]


class CardService(EventDispatcher):
    """`CardService(store, devices, wiring.reader)`; `readers` says how many readers are wired."""

    lost = ObjectProperty(None, allownone=True)
    """Why a reader can't be used, and what to do; None while all can."""

    def __init__(self, store: Store, devices: Devices, wired: Sequence[Reader], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.readers = len(wired)
        self._wired = wired
        self._store = store
        self._devices = devices

    def copies(self) -> dict[str, OwnerDeck]:
        """The decks whose cards can have tags, by name."""
        return decks_with_tags(self._store.directory)

    def broken(self) -> list[BrokenGame]:
        """The games that can't be loaded."""
        return broken_games()

    def tags(self, deck: str) -> dict[str, str]:
        """The tag of each card of a deck that has one."""
        return self._store.tags_by_card(deck)

    def card_of(self, deck: Deck, tag: str) -> str:
        """The card of this deck that a tag is; raises `UserError`, which says what else it is."""
        return card_of_tag(self._store, deck, tag, self.copies())

    def untaught(self, deck: Deck, *, anew: bool = False) -> list[str]:
        """The cards that have no tag yet, or all of them."""
        return cards_without_tag(self._store, deck, include_tagged=anew)

    def lesson(self, deck: Deck, cards: Sequence[str]) -> TagEnrolment:
        """Starts to learn the tags of cards."""
        return TagEnrolment(self._store, deck, cards, self.copies())

    def forget(self, tag: str) -> None:
        """From now on it is no card."""
        self._store.unassign_tag(tag)

    def look(self) -> None:
        """A reader may have been lost or found."""
        lost = ((each, self._devices.lost_devices.get(each.device_name)) for each in self._wired)
        self.lost = next((each.describe_missing(why, None) for each, why in lost if why), None)

    def hear(self, hear: Hear | None) -> None:
        """From now on tags are told there and not to the game; None: to the game again."""
        self._devices.tag_listener = hear

    def enter(self, copy: OwnerDeck, design: str, values: CardValues) -> None:
        """What is printed on the cards of that design of one's own copy."""
        rows, key = copy.load_rows(), copy.shipped_file.id
        cards = [_entered(row, values, key) if str(row[key]) == design else row for row in rows.cards]
        copy.save_rows(msgspec.structs.replace(rows, cards=cards), str(copy.path))

    def enter_board(self, copy: OwnerDeck, key: str, numbers: Sequence[int]) -> None:
        """What is printed on a board of one's own copy."""
        rows = copy.load_rows()
        board = {**rows.board, key: list(numbers)}
        copy.save_rows(msgspec.structs.replace(rows, board=board), str(copy.path))

    def all_entered(self, copy: OwnerDeck) -> None:
        """All values are those of one's own copy: they are provisional no longer."""
        copy.save_rows(msgspec.structs.replace(copy.load_rows(), provisional=False), str(copy.path))


def _entered(row: DesignRow, values: CardValues, key: str) -> DesignRow:
    """The row with these values in place of those it had; it keeps its name, if it gets no other."""
    kept = {one: row[one] for one in (key, COPIES_KEY, NAME_FIELD) if one in row}
    return {one: value for one, value in {**kept, **values}.items() if (one, value) != (NAME_FIELD, "")}
