"""Tracks every single card of a table through all transfers, to know what players really hold.

It uses nothing of the program but the transfers. From a pile the topmost card leaves; from a player's cards
any fitting card leaves, as the player likes: no program knows which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple
from weakref import WeakKeyDictionary

import pytest

from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import Say, render

Spot = tuple[Piece, Place]
MoveSentence = tuple[Piece, Place, Place, int, tuple[Say, ...]]
SingleMove = tuple[Piece, Place, Place, str | None]


class RecordedTransfer(NamedTuple):
    """A transfer of cards or faces, or the supply at the start; a covered place of a face is None."""

    piece: Piece
    source: Place | None
    target: Place | None
    card_count: int


class TransferRecorder:
    """Records every transfer of every ledger that is made from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._transfers_by_ledger: WeakKeyDictionary[Ledger, list[RecordedTransfer]] = WeakKeyDictionary()
        supply, transfer = Ledger.supply_from_box, Ledger.transfer

        def supplies(ledger: Ledger, account: Account, count: int) -> Account:
            self._record(ledger, account.piece, None, account, count)
            return supply(ledger, account, count)

        def transfers(ledger: Ledger, source: Account, target: Account, count: int, **how: bool) -> None:
            transfer(ledger, source, target, count, **how)
            self._record(ledger, source.piece, source, target, count)

        monkeypatch.setattr(Ledger, "supply_from_box", supplies)
        monkeypatch.setattr(Ledger, "transfer", transfers)

    def _record(
        self, ledger: Ledger, piece: Piece, source: Account | None, target: Account, count: int
    ) -> None:
        seen = self._transfers_by_ledger.setdefault(ledger, [])
        if piece.is_physical_card:
            seen.append(RecordedTransfer(piece, source.place if source else None, target.place, count))
        elif piece.is_card_face and source:
            source_place, target_place = (None if one.covered else one.place for one in (source, target))
            seen.append(RecordedTransfer(piece, source_place, target_place, count))

    def track_cards(self, ledger: Ledger) -> CardTracker:
        """Returns the current position of the cards of a ledger."""
        return CardTracker(list(self._transfers_by_ledger[ledger]))


class CardTracker:
    """The cards at each spot, the topmost last, and the faces of the cards that were seen."""

    def __init__(self, happened: Sequence[RecordedTransfer]) -> None:
        self.cards_by_spot: dict[Spot, list[str]] = {}
        self.face_by_card: dict[str, str] = {}
        self._transfers = happened
        self._used_face_transfers: set[int] = set()
        for at, one in enumerate(happened):
            if one.piece.is_physical_card:
                self._apply_transfer(at, one)

    def cards_described_differently(self, other: CardTracker) -> set[str]:
        """Returns the cards for which people named different faces at different times."""
        both = self.face_by_card.keys() & other.face_by_card.keys()
        return {card for card in both if self.face_by_card[card] != other.face_by_card[card]}

    def visible_cards_by_spot(self, other: CardTracker) -> dict[Spot, Counter[str]]:
        """Returns the cards at each spot; cards with the same face, seen now or in `other`, are equal."""
        seen = other.face_by_card | self.face_by_card
        lies = {spot: cards for spot, cards in self.cards_by_spot.items() if cards}
        return {spot: Counter(seen.get(card, card) for card in cards) for spot, cards in lies.items()}

    def _apply_transfer(self, at: int, one: RecordedTransfer) -> None:
        assert one.target is not None
        there = self.cards_by_spot.setdefault((one.piece, one.target), [])
        if one.source is None:
            there += [f"{one.piece.key} {one.target.key} {len(there) + n}" for n in range(one.card_count)]
            return
        here = self.cards_by_spot[one.piece, one.source]
        for _ in range(one.card_count):
            name = self._find_face_name(at)
            fitting = [card for card in here if name in (None, self.face_by_card.get(card))] or [
                card for card in here if card not in self.face_by_card
            ]
            card = max(fitting, key=_preference) if one.source.seat else fitting[-1]
            if name:
                self.face_by_card[card] = name
            here.remove(card)
            there.append(card)

    def _find_face_name(self, at: int) -> str | None:
        """Returns the face that all saw on the card: the face moved the same way just before or after it."""
        one = self._transfers[at]
        close = [
            *self._adjacent_face_transfers(range(at - 1, -1, -1)),
            *self._adjacent_face_transfers(range(at + 1, len(self._transfers))),
        ]
        for both in (True, False):
            for n in close:
                face = self._transfers[n]
                same = [face.source == one.source, face.target == one.target]
                open_ends = [face.source is not None, face.target is not None]
                if all(same) if both else any(open_ends) and same == open_ends:
                    self._used_face_transfers.add(n)
                    return render(face.piece.label)
        return None

    def _adjacent_face_transfers(self, places: range) -> Iterator[int]:
        """Yields the transfers of faces next to a card's transfer, up to the transfer of another card."""
        for n in places:
            if self._transfers[n].piece.is_physical_card:
                return
            if n not in self._used_face_transfers:
                yield n


def apply_sentences(
    before: CardTracker, after: CardTracker, sentences: Sequence[MoveSentence]
) -> CardTracker:
    """Returns the cards after people followed the sentences, with the best choice of face-down cards."""
    tracker, then = CardTracker([]), after.visible_cards_by_spot(before)
    tracker.cards_by_spot = {spot: list(cards) for spot, cards in before.cards_by_spot.items()}
    tracker.face_by_card = after.face_by_card | before.face_by_card
    todo = list[SingleMove]()
    for piece, source, target, count, names in sentences:
        todo += [(piece, source, target, render(name)) for name in names]
        todo += [(piece, source, target, None)] * (count - len(names))
    while found := _find_next_move(tracker, then, todo):
        done, card = found
        piece, source, target, _ = todo.pop(done)
        tracker.cards_by_spot[piece, source].remove(card)
        tracker.cards_by_spot.setdefault((piece, target), []).append(card)
    left = Counter(unit[:2] for unit in todo) - Counter((unit[0], unit[2]) for unit in todo)
    assert not left, "; ".join(
        f"no {name or piece.key} at {at.key_with_player_name}" for piece, at, _, name in todo
    )
    return tracker


def _find_next_move(
    tracker: CardTracker, then: dict[Spot, Counter[str]], todo: Sequence[SingleMove]
) -> tuple[int, str] | None:
    """Returns a move that is possible now, and its card: preferably one that is wanted at the target.

    Otherwise it returns a card that is wanted after further moves, or any card.
    """
    found: dict[int, tuple[int, str]] = {}
    wanted: dict[Spot, Counter[str]] = {}
    for spot, cards in then.items():
        wanted[spot] = cards - Counter(
            tracker.face_by_card.get(one, one) for one in tracker.cards_by_spot.get(spot, [])
        )
    for at, (piece, source, target, name) in enumerate(todo):
        for card in reversed(tracker.cards_by_spot.get((piece, source), [])):
            if name in (None, tracker.face_by_card.get(card)):
                far = _moves_until_wanted(wanted, todo, (piece, target), tracker.face_by_card.get(card, card))
                found.setdefault(far, (at, card))
                if not far:
                    return at, card
    return found[min(found)] if found else None


def _moves_until_wanted(
    wanted: dict[Spot, Counter[str]], todo: Sequence[SingleMove], spot: Spot, card: str
) -> int:
    """Returns after how many more moves such a card would be where it is wanted, at most 3."""
    spots = {spot}
    for far in range(3):
        if any(card in wanted.get(at, ()) for at in spots):
            return far
        spots = {(piece, target) for piece, source, target, _ in todo if (piece, source) in spots}
    return 3


@cache
def _preference(card: str) -> float:
    """Returns a fixed random preference for a card, so that the first card may be the last to leave."""
    return Random(card).random()
