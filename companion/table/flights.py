"""The single cards that went somewhere in one thing that happened, and what all saw on them.

Backs and faces move apart from each other; here the faces that moved, too, name the cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence

import msgspec

from companion.table.ledger import CardMovement, Piece, Place
from companion.texts import Say

CardStep = tuple[CardMovement, ...]


class CardTransfer(msgspec.Struct):
    """One card's way, and its name; it lay open where it is `gone` from, or does so where it has `come`.

    `late`: a seat gives it back at once for what it was given, and it may be that very card or another one.
    """

    piece: Piece
    source: Place
    target: Place
    name: Say | None = None
    was_open: bool = False
    is_open: bool = False
    is_return: bool = False

    @property
    def reversed(self) -> CardTransfer:
        """The flight from target to source."""
        return CardTransfer(
            self.piece, self.target, self.source, self.name, self.is_open, self.was_open, self.is_return
        )


def card_transfers(step: CardStep) -> list[CardTransfer]:
    """The cards that lie elsewhere afterwards; what came last to a place leaves it first."""
    found: list[CardTransfer] = []
    for way in step:
        for _ in range(way.count if way.piece.is_back else 0):
            assert way.source is not None
            assert way.target is not None
            came = [one for one in found if (one.piece, one.target) == (way.piece, way.source)]
            late = bool(came and way.source.seat and came[-1].source == way.target)
            if came and not late:
                came[-1].target = way.target
            else:
                late = late or any(one.is_return for one in found)
                found.append(CardTransfer(way.piece, way.source, way.target, is_return=late))
    found = [one for one in found if one.source != one.target]
    _name(found, step)
    return found


def _name(cards: Sequence[CardTransfer], step: CardStep) -> None:
    """A face that was open before and after names its card, another one only where no other can be meant."""
    gone, come = _open(step)
    for source, target in dict.fromkeys((card.source, card.target) for card in cards):
        both = gone[source] & come[target]
        for card in _named([card for card in cards if (card.source, card.target) == (source, target)], both):
            card.was_open = card.is_open = True
        gone[source] -= both
        come[target] -= both
    for place, names in gone.items():
        for card in _named([card for card in cards if card.source == place and not card.name], names):
            card.was_open = True
    for place, names in come.items():
        for card in _named([card for card in cards if card.target == place and not card.name], names):
            card.is_open = True


def _open(step: CardStep) -> tuple[dict[Place, Counter[Say]], dict[Place, Counter[Say]]]:
    """The names that lie open at each place no more, and those that do so from now on."""
    gone, come = defaultdict[Place, Counter[Say]](Counter), defaultdict[Place, Counter[Say]](Counter)
    for way in step:
        if way.piece.is_face:
            for ends, place in ((gone, way.source), (come, way.target)):
                if place:
                    ends[place][way.piece.label] += way.count
    for place in [*gone]:
        passed = gone[place] & come[place]
        gone[place] -= passed
        come[place] -= passed
    return gone, come


def _named(cards: Sequence[CardTransfer], names: Counter[Say]) -> list[CardTransfer]:
    """Gives the names to these cards as long as it makes no difference to which; gives those named."""
    ends = {(card.piece, card.source, card.target) for card in cards}
    is_sure = len(ends) == 1 or (len(names) == 1 and names.total() == len(cards))
    if not is_sure or names.total() > len(cards):
        return []
    named = list(zip(cards, names.elements(), strict=False))
    for card, name in named:
        card.name = name
    return [card for card, _ in named]


def are_equal(things: Iterable[Hashable]) -> bool:
    """Whether there is no difference between them."""
    return len(set(things)) <= 1
