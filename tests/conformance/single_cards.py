"""Every single card of a table, each with an id, followed through all transfers: what people really hold.

It shares nothing with the program but the transfers. Of a pile the topmost card leaves; of what somebody
holds any that it may be, as they like: no program knows which.
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
Sentence = tuple[Piece, Place, Place, int, tuple[Say, ...]]
Unit = tuple[Piece, Place, Place, str | None]


class Happened(NamedTuple):
    """One transfer of cards or faces, or what lay there at first; a covered place of a face is None."""

    piece: Piece
    source: Place | None
    target: Place | None
    number: int


class Watch:
    """Writes down every transfer of every ledger made from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._seen: WeakKeyDictionary[Ledger, list[Happened]] = WeakKeyDictionary()
        supply, transfer = Ledger.supply_from_box, Ledger.transfer

        def supplies(ledger: Ledger, account: Account, count: int) -> Account:
            self._note(ledger, account.piece, None, account, count)
            return supply(ledger, account, count)

        def transfers(ledger: Ledger, source: Account, target: Account, count: int, **how: bool) -> None:
            transfer(ledger, source, target, count, **how)
            self._note(ledger, source.piece, source, target, count)

        monkeypatch.setattr(Ledger, "supply_from_box", supplies)
        monkeypatch.setattr(Ledger, "transfer", transfers)

    def _note(
        self, ledger: Ledger, piece: Piece, source: Account | None, target: Account, count: int
    ) -> None:
        seen = self._seen.setdefault(ledger, [])
        if piece.is_physical_card:
            seen.append(Happened(piece, source.place if source else None, target.place, count))
        elif piece.is_card_face and source:
            came, goes = (None if one.covered else one.place for one in (source, target))
            seen.append(Happened(piece, came, goes, count))

    def bag(self, ledger: Ledger) -> Bag:
        """The cards of a table as they lie now."""
        return Bag(list(self._seen[ledger]))


class Bag:
    """Which card lies where, the topmost last, and what is printed on those that were seen."""

    def __init__(self, happened: Sequence[Happened]) -> None:
        self.lies: dict[Spot, list[str]] = {}
        self.shows: dict[str, str] = {}
        self._happened = happened
        self._told: set[int] = set()
        for at, one in enumerate(happened):
            if one.piece.is_physical_card:
                self._move(at, one)

    def said_else(self, other: Bag) -> set[str]:
        """The cards of which people said something else at another time."""
        both = self.shows.keys() & other.shows.keys()
        return {card for card in both if self.shows[card] != other.shows[card]}

    def prints(self, other: Bag) -> dict[Spot, Counter[str]]:
        """What lies where: cards on which the same was seen, now or another time, are the same."""
        seen = other.shows | self.shows
        lies = {spot: cards for spot, cards in self.lies.items() if cards}
        return {spot: Counter(seen.get(card, card) for card in cards) for spot, cards in lies.items()}

    def _move(self, at: int, one: Happened) -> None:
        assert one.target is not None
        there = self.lies.setdefault((one.piece, one.target), [])
        if one.source is None:
            there += [f"{one.piece.key} {one.target.key} {len(there) + n}" for n in range(one.number)]
            return
        here = self.lies[one.piece, one.source]
        for _ in range(one.number):
            name = self._name(at)
            fitting = [card for card in here if name in (None, self.shows.get(card))] or [
                card for card in here if card not in self.shows
            ]
            card = max(fitting, key=_liking) if one.source.seat else fitting[-1]
            if name:
                self.shows[card] = name
            here.remove(card)
            there.append(card)

    def _name(self, at: int) -> str | None:
        """What all saw on the card: its face went the same way just before or just after."""
        one = self._happened[at]
        close = [*self._faces(range(at - 1, -1, -1)), *self._faces(range(at + 1, len(self._happened)))]
        for both in (True, False):
            for n in close:
                face = self._happened[n]
                same = [face.source == one.source, face.target == one.target]
                open_ends = [face.source is not None, face.target is not None]
                if all(same) if both else any(open_ends) and same == open_ends:
                    self._told.add(n)
                    return render(face.piece.label)
        return None

    def _faces(self, places: range) -> Iterator[int]:
        """The faces that moved next to a card, before any other card did."""
        for n in places:
            if self._happened[n].piece.is_physical_card:
                return
            if n not in self._told:
                yield n


def follow(before: Bag, after: Bag, sentences: Sequence[Sentence]) -> Bag:
    """The cards after people did as they were told; who may choose among face-down cards does it well."""
    bag, then = Bag([]), after.prints(before)
    bag.lies = {spot: list(cards) for spot, cards in before.lies.items()}
    bag.shows = after.shows | before.shows
    todo = list[Unit]()
    for piece, source, target, count, names in sentences:
        todo += [(piece, source, target, render(name)) for name in names]
        todo += [(piece, source, target, None)] * (count - len(names))
    while found := _next(bag, then, todo):
        done, card = found
        piece, source, target, _ = todo.pop(done)
        bag.lies[piece, source].remove(card)
        bag.lies.setdefault((piece, target), []).append(card)
    left = Counter(unit[:2] for unit in todo) - Counter((unit[0], unit[2]) for unit in todo)
    assert not left, "; ".join(
        f"no {name or piece.key} at {at.key_with_player_name}" for piece, at, _, name in todo
    )
    return bag


def _next(bag: Bag, then: dict[Spot, Counter[str]], todo: Sequence[Unit]) -> tuple[int, str] | None:
    """A sentence that can be done now, with a card that is wanted there; or farther on; or with any."""
    found: dict[int, tuple[int, str]] = {}
    wanted: dict[Spot, Counter[str]] = {}
    for spot, cards in then.items():
        wanted[spot] = cards - Counter(bag.shows.get(one, one) for one in bag.lies.get(spot, []))
    for at, (piece, source, target, name) in enumerate(todo):
        for card in reversed(bag.lies.get((piece, source), [])):
            if name in (None, bag.shows.get(card)):
                far = _far(wanted, todo, (piece, target), bag.shows.get(card, card))
                found.setdefault(far, (at, card))
                if not far:
                    return at, card
    return found[min(found)] if found else None


def _far(wanted: dict[Spot, Counter[str]], todo: Sequence[Unit], spot: Spot, card: str) -> int:
    """After how many more sentences such a card would lie where it is wanted."""
    spots = {spot}
    for far in range(3):
        if any(card in wanted.get(at, ()) for at in spots):
            return far
        spots = {(piece, target) for piece, source, target, _ in todo if (piece, source) in spots}
    return 3


@cache
def _liking(card: str) -> float:
    """Who may choose has a taste of their own, so that what came first may leave last."""
    return Random(card).random()
