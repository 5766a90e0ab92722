"""What people move on the real table to get from one moment of a game to another: what, from where, to where.

Only what all may know: nothing about a covered purse, and a card by name only where it lies open.
What went into or came out of a covered place of nobody's, such as a bag, all saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import msgspec

from companion.table.flights import CardStep
from companion.table.ledger import Ledger, Piece, Place
from companion.table.ways import CountsByPlace, trace_cards
from companion.texts import Say, say, say_list


class PieceMove(msgspec.Struct, frozen=True):
    """Pieces that go from one place to another; `cards` is how each of them is called, if all know it.

    `called` is what the two places are called then, where they are in a row that closes up.
    """

    piece: Piece
    source: Place
    target: Place
    count: int = 1
    card_names: tuple[Say, ...] = ()
    shown_places: tuple[Place, Place] | None = None

    @property
    def what(self) -> Say:
        """How many of the piece, with the names of cards that all know."""
        things = self.piece.quantity(self.count)
        return (
            say("{things} ({cards})", things=things, cards=say_list(self.card_names))
            if self.card_names
            else things
        )

    def instruction(self, *, back: bool = False) -> Say:
        """As something to do; `back`: it was there before."""
        text = "{things} from {source} back to {target}"
        return self._said(text) if back else self.line

    @property
    def line(self) -> Say:
        """As something that happened."""
        text = "{things} from {source} to {target}"
        return self._said(text)

    def _said(self, text: str) -> Say:
        source, target = self.shown_places or (self.source, self.target)
        return say(text, things=self.what, source=source.holder, target=target.holder)


class TableSnapshot(msgspec.Struct, frozen=True):
    """What lies where at one moment: pieces, and open cards by what they are called; equal ones are alike.

    `hidden` is what only its owner may count. `numbered`: what the places of rows are called then.
    `ways`: how the cards of a kind came there; none where that makes no difference, or they were shuffled.
    """

    pieces: Mapping[Piece, CountsByPlace]
    open_cards: Mapping[Say, CountsByPlace]
    hidden_counts: frozenset[tuple[Piece, Place]]
    slots: Mapping[Place, Place] = {}
    card_steps: Mapping[Piece, tuple[CardStep, ...]] = {}

    def with_pieces_of(self, other: TableSnapshot, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot with the given pieces as they lie in another one."""
        there = {piece: there for piece, there in other.pieces.items() if piece in pieces}
        ways = {piece: ways for piece, ways in other.card_steps.items() if piece in pieces}
        pieces_now, hidden = {**self.pieces, **there}, self.hidden_counts | other.hidden_counts
        return TableSnapshot(pieces_now, self.open_cards, hidden, self.slots, {**self.card_steps, **ways})

    def without_history_of(self, pieces: Collection[Piece]) -> TableSnapshot:
        """Returns this snapshot without any knowledge of which of the given pieces is which."""
        ways = {piece: ways for piece, ways in self.card_steps.items() if piece not in pieces}
        return msgspec.structs.replace(self, card_steps=ways)

    def shows(self, card: Say, place: Place) -> bool:
        """Whether a card of this name lies open there."""
        return bool(self.open_cards.get(card, {}).get(place))


def take_snapshot(ledger: Ledger) -> TableSnapshot:
    """What lies on the table now."""
    pieces: dict[Piece, dict[Place, int]] = {}
    cards: dict[Say, dict[Place, int]] = {}
    hidden = set()
    for account in ledger:
        piece, place = account.piece, account.place
        if not piece.is_marker:
            pieces.setdefault(piece, {})[place] = account.count
            if account.covered and place.seat:
                hidden.add((piece, place))
        elif piece.is_face and account.count > 0 and not account.covered:
            there = cards.setdefault(piece.label, {})
            there[place] = there.get(place, 0) + account.count
    ways = dict.fromkeys([piece for piece in pieces if piece.is_back], ledger.step_log())
    return TableSnapshot(pieces, cards, frozenset(hidden), ledger.current_slots(), ways)


def diff_snapshots(now: TableSnapshot, then: TableSnapshot) -> list[PieceMove]:
    """What must be moved to get from `now` to `then`; each way is told once."""
    hidden = now.hidden_counts | then.hidden_counts
    found: dict[tuple[Piece, Place, Place, bool], tuple[int, tuple[Say, ...]]] = {}
    for piece in {**now.pieces, **then.pieces}:
        for source, target, count, names in _ways(piece, now, then):
            if (piece, source) not in hidden and (piece, target) not in hidden:
                way = piece, source, target, bool(names)
                before, known = found.get(way, (0, ()))
                found[way] = before + count, known + names
    called = {**then.slots, **now.slots}, {**now.slots, **then.slots}
    return [PieceMove(*way[:3], *what, _called(*way[1:3], *called)) for way, what in found.items()]


def _called(
    source: Place, target: Place, before: Mapping[Place, Place], after: Mapping[Place, Place]
) -> tuple[Place, Place]:
    """What is there is called as it lies now, where it goes as it will lie."""
    return before.get(source, source), after.get(target, target)


_Told = tuple[Place, Place, int, tuple[Say, ...]]


def _ways(piece: Piece, now: TableSnapshot, then: TableSnapshot) -> Iterator[_Told]:
    """The ways of single cards; where they don't tell, what is too many goes where it is too few."""
    here, there = now.pieces.get(piece, {}), then.pieces.get(piece, {})
    if here == there and piece not in now.card_steps:
        return
    more = {place: here.get(place, 0) - there.get(place, 0) for place in {**here, **there}}
    if piece in now.card_steps and piece in then.card_steps:
        cards = trace_cards(piece, here, now.card_steps[piece], then.card_steps[piece])
        ends = Counter(card.origin for card in cards)
        ends.subtract(card.place for card in cards)
        if all(ends[place] == count for place, count in more.items()):
            for card in cards:
                start, end = card.origin, card.place
                names = [name for name in card.names if now.shows(name, start) or then.shows(name, end)]
                yield start, end, 1, tuple(names[:1])
            return
    hidden = now.hidden_counts | then.hidden_counts
    yield from _pairs({place: count for place, count in more.items() if (piece, place) not in hidden})


def _pairs(more: CountsByPlace) -> Iterator[_Told]:
    """Pieces of which any will do."""
    missing = {place: -count for place, count in more.items() if count < 0}
    for source, count in more.items():
        left = count
        for target, wanted in missing.items():
            if (moved := min(left, wanted)) > 0:
                left -= moved
                missing[target] -= moved
                yield source, target, moved, ()
