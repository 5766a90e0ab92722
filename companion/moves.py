"""What people move on the real table to get from one moment of a game to another: what, from where, to where.

Only what all may know: nothing about a covered purse, and a card by name only where it lies open.
What went into or came out of a covered place of nobody's, such as a bag, all saw.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

import msgspec

from companion.ledger import Ledger, Piece, Place
from companion.words import Labelled, Say, listed, say

Counts = Mapping[Place, int]


class Move(msgspec.Struct, frozen=True):
    """Pieces that go from one place to another; `cards` is how each of them is called, if all know it.

    `called` is what the two places are called then, where they are in a row that closes up.
    """

    piece: Piece
    source: Place
    target: Place
    count: int = 1
    cards: tuple[Say, ...] = ()
    called: tuple[Place, Place] | None = None

    @property
    def what(self) -> Labelled:
        """The piece, with its name if it is a card that all know."""
        return (
            say("{piece} ({cards})", piece=self.piece, cards=listed(self.cards)) if self.cards else self.piece
        )

    def told(self, *, back: bool = False) -> Say:
        """As something to do; `back`: it was there before."""
        text = "{count} × {piece} from {source} to {target}"
        if back:
            text = "{count} × {piece} from {source} back to {target}"
        return self._said(text)

    @property
    def line(self) -> Say:
        """As something that happened."""
        return self._said("{count} × {piece}: {source} → {target}")

    def _said(self, text: str) -> Say:
        source, target = self.called or (self.source, self.target)
        return say(text, count=self.count, piece=self.what, source=source, target=target)


class Lying(msgspec.Struct, frozen=True):
    """What lies where at one moment: pieces, and open cards by what they are called; equal ones are alike.

    `hidden` is what only its owner may count. `numbered`: what the places of rows are called then.
    """

    pieces: Mapping[Piece, Counts]
    cards: Mapping[Say, Counts]
    hidden: frozenset[tuple[Piece, Place]]
    numbered: Mapping[Place, Place] = {}

    def but(self, other: Lying, pieces: Collection[Piece]) -> Lying:
        """The same, but of these pieces as in another moment."""
        kept = {piece: there for piece, there in self.pieces.items() if piece not in pieces}
        there = {piece: there for piece, there in other.pieces.items() if piece in pieces}
        return Lying(kept | there, self.cards, self.hidden | other.hidden, self.numbered)

    def backs(self, place: Place) -> set[Piece]:
        """The backs of the cards that lie at a place."""
        return {piece for piece, there in self.pieces.items() if piece.is_back and there.get(place)}


def lying(ledger: Ledger) -> Lying:
    """What lies on the table now."""
    pieces: dict[Piece, dict[Place, int]] = {}
    cards: dict[Say, dict[Place, int]] = {}
    hidden = set()
    for account in ledger:
        piece, place = account.piece, account.place
        if not piece.mark:
            pieces.setdefault(piece, {})[place] = account.count
            if account.covered and place.seat:
                hidden.add((piece, place))
        elif piece.is_face and account.count > 0 and not account.covered:
            there = cards.setdefault(piece.label, {})
            there[place] = there.get(place, 0) + account.count
    return Lying(pieces, cards, frozenset(hidden), ledger.numbered())


def moves(now: Lying, then: Lying) -> list[Move]:
    """What must be moved to get from `now` to `then`; each way is told once."""
    counts: dict[tuple[Piece, Place, Place, bool], int] = {}
    cards: dict[tuple[Piece, Place, Place, bool], tuple[Say, ...]] = {}
    for move in _Gap(now, then).moves():
        way = move.piece, move.source, move.target, bool(move.cards)
        counts[way] = counts.get(way, 0) + move.count
        cards[way] = cards.get(way, ()) + move.cards
    called = {**then.numbered, **now.numbered}, {**now.numbered, **then.numbered}
    return [Move(*way[:3], count, cards[way], _called(*way[1:3], *called)) for way, count in counts.items()]


def _called(
    source: Place, target: Place, before: Mapping[Place, Place], after: Mapping[Place, Place]
) -> tuple[Place, Place]:
    """What is there is called as it lies now, where it goes as it will lie."""
    return before.get(source, source), after.get(target, target)


class _Gap:
    """What lies elsewhere than it should: how many pieces too many, below 0 too few, and which cards."""

    def __init__(self, now: Lying, then: Lying) -> None:
        self.now, self.then = now, then
        hidden = now.hidden | then.hidden
        self.more: dict[Piece, dict[Place, int]] = {}
        for piece in {**now.pieces, **then.pieces}:
            more = _more(now.pieces.get(piece, {}), then.pieces.get(piece, {}))
            self.more[piece] = {place: n for place, n in more.items() if (piece, place) not in hidden}
        self.leaving: dict[Place, list[Say]] = {}
        self.coming: dict[Place, list[Say]] = {}

    def moves(self) -> Iterator[Move]:
        """Cards that lie open before and after, then whatever is still too many here and too few there."""
        for card in {**self.now.cards, **self.then.cards}:
            yield from self._open(card)
        for piece in self.more:
            yield from self._rest(piece)

    def _open(self, card: Say) -> Iterator[Move]:
        """The ways of an open card; what lies open only here or only there keeps its name for the rest."""
        more = _more(self.now.cards.get(card, {}), self.then.cards.get(card, {}))
        sources = [place for place, n in more.items() for _ in range(n)]
        targets = [place for place, n in more.items() for _ in range(-n)]
        while sources and targets:
            source, target = sources.pop(), targets.pop()
            backs = self.now.backs(source) & self.then.backs(target)
            if len(backs) == 1:
                back = backs.pop()
                for place, n in ((source, -1), (target, 1)):
                    self.more[back][place] = self.more[back].get(place, 0) + n
                yield Move(back, source, target, 1, (card,))
        for place in sources:
            self.leaving.setdefault(place, []).append(card)
        for place in targets:
            self.coming.setdefault(place, []).append(card)

    def _rest(self, piece: Piece) -> Iterator[Move]:
        """A card with a name goes where one without is wanted, and the other way round, as long as it can."""
        more = self.more[piece]
        here = [lot for place, n in more.items() for lot in _lots(place, n, self._left(place, piece))]
        there = [lot for place, n in more.items() for lot in _lots(place, -n, self._came(place, piece))]
        pairs = list(product(here, there))
        for source, target in sorted(pairs, key=lambda pair: None not in (pair[0].card, pair[1].card)):
            card, count = source.card or target.card, min(source.count, target.count)
            if count:
                source.count -= count
                target.count -= count
                yield Move(piece, source.place, target.place, count, (card,) * count if card else ())

    def _left(self, place: Place, piece: Piece) -> list[Say]:
        return self.leaving.get(place, []) if self.now.backs(place) == {piece} else []

    def _came(self, place: Place, piece: Piece) -> list[Say]:
        return self.coming.get(place, []) if self.then.backs(place) == {piece} else []


class _Lot(msgspec.Struct):
    """Pieces at one place that are to leave it or to come there, with the name they are known by."""

    place: Place
    count: int
    card: Say | None = None


def _lots(place: Place, count: int, names: list[Say]) -> list[_Lot]:
    """One for each card by name, unless there are more names than cards: then nobody knows which."""
    if count <= 0:
        return []
    known = names if len(names) <= count else []
    return [*(_Lot(place, 1, card) for card in known), _Lot(place, count - len(known))]


def _more(now: Counts, then: Counts) -> dict[Place, int]:
    return {place: now.get(place, 0) - then.get(place, 0) for place in {**now, **then}}
