"""The kinds of cards of a deck, and which of them can be taken for each other. It knows no ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from companion.cards.deck import ANY_CARD, Card, Deck, Design, Value
from companion.errors import IllegalAnswer
from companion.table.alike import HIDDEN, Alike, Kind
from companion.table.ledger import Piece
from companion.table.printed import PrintedFaces
from companion.words import say


class Kinds:
    """A kind for each design, and one for each description of several designs or of none.

    `printed` are the faces of the deck; `lay` makes another for a card that is described again.
    """

    def __init__(
        self,
        deck: Deck,
        printed: PrintedFaces,
        lay: Callable[[str, Card], Piece],
    ) -> None:
        self._deck = deck
        self._printed = printed
        self._lay = lay
        self._kinds: dict[str | frozenset[tuple[str, Value]] | None, Kind] = {}
        self._alike: dict[Kind, Alike] = {}
        self._grouping: tuple[Iterable[Card], Mapping[Alike, Sequence[Card]]] = (), {}

    def of(self, card: Card) -> Kind:
        """The copies that a card may be, by its design or by its description."""
        key = card.design or frozenset(card.values.items())
        if key not in self._kinds:
            self._kinds[key] = self._of_design(card.design) if card.design else self._of_several(card)
        return self._kinds[key]

    def alike(self, card: Card) -> Alike:
        """The copies that can be taken for those that a card may be."""
        return self._alike[self.of(card)]

    def forget(self) -> None:
        """Nothing has been seen."""
        for alike in self._alike.values():
            alike.forget()

    def grouped(self, cards: Sequence[Card]) -> Mapping[Alike, Sequence[Card]]:
        """The cards of which anything is known, those alike together, named ones first."""
        if cards is self._grouping[0]:
            return self._grouping[1]
        groups: Mapping[Alike, Sequence[Card]]
        first = cards[0] if cards else ANY_CARD
        if cards.count(first) < len(cards):
            groups = self._grouped(cards)
        else:  # most payments are of one kind
            groups = {self.alike(first): cards} if is_known(first) else {}
        if isinstance(cards, tuple):  # an answer, which is asked about again until it has been shown
            self._grouping = cards, groups
        return groups

    def _grouped(self, cards: Sequence[Card]) -> Mapping[Alike, Sequence[Card]]:
        named, last = False, None
        for card in cards:  # before they are grouped, as a kind that is new makes others alike
            if card is not last:
                last, named = card, named or card.id is not None
                if card.design not in self._kinds and is_known(card):
                    self.of(card)
        groups: dict[Alike, list[Card]] = {}
        last = None
        group: list[Card] = []
        for card in cards:
            if card is not last:  # those that look the same are mostly one and the same, and lie together
                last, group = card, groups.setdefault(self.alike(card), []) if is_known(card) else []
            group.append(card)
        if named:
            for group in groups.values():
                group.sort(key=_is_unnamed)
        return groups

    def check(self, cards: Sequence[Card]) -> None:
        """Raises `IllegalAnswer` for a card that is there twice, and for more than there are of a kind."""
        for alike, group in self.grouped(cards).items():
            if group[0].id is not None:
                _check_named(group)
            for kind in alike.kinds if len(group) > 1 else ():
                if len(group) > len(kind.copies):
                    self._check_counts(cards, group)

    def _check_counts(self, cards: Sequence[Card], group: Sequence[Card]) -> None:
        for card in group:
            if card.id is None and (kind := self.of(card)).counted:
                most, count = len(kind.copies), self.so_many(cards, kind)
                if count > most:
                    text = "{card}: the deck has only {n}, not {count}."
                    raise IllegalAnswer(say(text, card=card, n=most, count=count))

    def so_many(self, cards: Sequence[Card], kind: Kind) -> int:
        """How many of the cards can only be of a kind."""
        copies = [{card.id} if card.id else self.of(card).copies for card in cards if is_known(card)]
        return sum(bool(each) and each <= kind.copies for each in copies)

    def _of_design(self, name: str) -> Kind:
        """Before any of its cards has moved, or has just been moved by hand, which tells them apart."""
        kind = self._printed.kinds[name]
        alike = self._alike[kind] = Alike(self._printed.copies[name], [kind])
        alike.even = HIDDEN
        return kind

    def _of_several(self, card: Card) -> Kind:
        """Cards become alike by being described so that they may be taken for each other."""
        inner = [self.of(design.card) for design in _fitting(self._deck, frozenset(card.values.items()))]
        counted = bool(inner) and all(each.counted for each in inner)
        copies = frozenset[str]().union(*[each.copies for each in inner])
        kind = Kind(self._lay(card.key, card), copies, counted)
        alike = Alike({}, [kind])
        for other in dict.fromkeys(self._alike[each] for each in inner):
            alike.join(other.tell_apart())
        self._alike |= dict.fromkeys(alike.kinds, alike)
        self._grouping = (), {}
        return kind


@lru_cache(maxsize=1024)  # every replay comes upon the same descriptions
def _fitting(deck: Deck, values: frozenset[tuple[str, Value]]) -> list[Design]:
    return deck.fitting(dict(values))


def is_known(card: Card) -> bool:
    """Whether anything is known of it."""
    return bool(card.id or card.design or card.values)


def _check_named(cards: Sequence[Card]) -> None:
    named = [card.id for card in cards if card.id is not None]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise IllegalAnswer(say("Card {id} is listed twice. Remove one of the two entries.", id=twice))


def _is_unnamed(card: Card) -> bool:
    return card.id is None
