"""Copies that can be taken for each other, and what is known of each: arithmetic, without a ledger or a rule.

A copy is *named* where that very one is known to lie. The others lie unnamed: so many of a kind at a place.
Once one of several alike copies goes away and nobody said which, those that were named beside it are unnamed
too: each lies at one of the places where it may be by now, and nowhere else. So what is unnamed can become
any copy that isn't known to be elsewhere. What several such moves rule out only together isn't followed.
Over 300 lines, because what may be and what happens change the same few fields.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

import msgspec

from companion.table.ledger import Piece, Place
from companion.words import Say, say

UNSEEN = Place(say("unseen"))
"""The place of all faces that nobody has seen: in hands, in piles, out of the game."""
HERE = Place(Say("here"))
"""Where the cards of an answer lie while it is weighed."""
HIDDEN = frozenset([UNSEEN])


class Kind(msgspec.Struct, frozen=True, eq=False):
    """One way to describe a card: as any of these copies; not `counted`, it may also be one of no list."""

    piece: Piece
    copies: frozenset[str]
    counted: bool


class Alike:
    """Copies by their ids, each with its face, and the kinds by which they are described.

    `named` and `unnamed` say what lies where; all else is `UNSEEN`. `among`: where a copy may lie that is not
    named, if not only unseen. `seen`: those of them that were named once; `hidden` of these lie unseen again.
    `even`: where any copy may lie, as long as none is named and none was told apart from others; else None.
    `moves`: which pieces went where since it was made.
    """

    def __init__(self, faces: Mapping[str, Piece], kinds: Sequence[Kind]) -> None:
        self.faces = faces
        self.kinds = kinds
        self.named: dict[str, Place] = {}
        self.unnamed: dict[tuple[Place, Kind], int] = {}
        self.among: dict[str, frozenset[Place]] = {}
        self.seen: set[str] = set()
        self.hidden = 0
        self.even: frozenset[Place] | None = None
        self.moves: list[tuple[Piece, Place, Place]] = []

    def copy(self) -> Alike:
        """Returns a copy to try something on."""
        new = Alike(self.faces, self.kinds)
        new.named, new.unnamed = dict(self.named), dict(self.unnamed)
        new.among, new.seen, new.hidden = dict(self.among), set(self.seen), self.hidden
        new.moves = list(self.moves)
        return new

    def join(self, other: Alike) -> None:
        """Takes in copies that somebody described so that they may be taken for these."""
        self.faces = {**self.faces, **other.faces}
        self.kinds = [*self.kinds, *other.kinds]
        self.among |= other.among
        self.seen |= other.seen
        self.hidden += other.hidden

    def forget(self) -> None:
        """Nothing has been seen."""
        self.among, self.seen, self.hidden, self.even = {}, set(), 0, HIDDEN

    def tell_apart(self) -> Alike:
        """Makes what is known differ from copy to copy from now on; returns itself."""
        if self.even is not None and self.even != HIDDEN:
            self.among = dict.fromkeys(self.faces, self.even)
        self.even = None
        return self

    def narrow(self, closed: Collection[Place]) -> None:
        """What lies at these places is as good as unseen; what is named lies nowhere else.

        Where people corrected so that not all can be true that was seen, a copy may lie anywhere.
        """
        self.among = {name: places for name, places in self.among.items() if name not in self.named}
        if closed != HIDDEN:
            for name, places in self.among.items():
                self.among[name] = frozenset([UNSEEN if place in closed else place for place in places])
        self.seen &= self.among.keys()
        if closed != HIDDEN:
            self.seen = {name for name in self.seen if UNSEEN not in self.among[name]}
            self.hidden = 0
        if not self.fits(counting=False):
            self.seen, anywhere = set(), HIDDEN.union(place for place, _ in self.unnamed)
            self.among = dict.fromkeys(self.among, anywhere)

    # What may be

    def fits(self, *, counting: bool) -> bool:
        """Whether each copy that was seen can lie somewhere; `counting`: and each unnamed card be a copy."""
        if not self.seen and not counting:
            return True
        free = [name for name in self.faces if name not in self.named]
        if not self.seen and all(
            kind.copies.issuperset(free) and all(place in self.among.get(name, HIDDEN) for name in free)
            for place, kind in self.unnamed
        ):
            counted = sum([count for (_, kind), count in self.unnamed.items() if kind.counted])
            return counted <= len(free)
        lots = [lot for lot, count in self.unnamed.items() for _ in range(count)]
        spots = [*lots, *[(UNSEEN, None)] * self.hidden]
        if not matched(
            [[at for at, spot in enumerate(spots) if self._may_be(name, *spot)] for name in self.seen]
        ):
            return False
        return not counting or matched(
            [[name for name in free if self._may_be(name, *lot)] for lot in lots if lot[1].counted]
        )

    def ways(self, what: str | Kind, at: Sequence[Place], *, counting: bool) -> Iterator[tuple[Place, Alike]]:
        """From where a copy or a card of a kind may come `HERE`, of `at` first; and what is known then."""
        for source in self._sources(what, at):
            then = self.moved(what, source, HERE)
            if then.fits(counting=counting):
                yield source, then

    def come(
        self, whats: Sequence[str | Kind], at: Sequence[Place], *, believing: bool
    ) -> list[tuple[Place, Alike]] | None:
        """From where each of these may come `HERE` together; None where they can't.

        `believing`: very copies are there though so many may have been described that none is left.
        """
        if not whats:
            return []
        what, *others = whats
        counting = isinstance(what, Kind) or not believing
        for source, then in self.ways(what, at, counting=counting):
            rest = then.come(others, at, believing=believing)
            if rest is not None:
                return [(source, then), *rest]
        return None

    def whereabouts(self, kind: Kind) -> list[Place]:
        """All places where cards lie that may be of this kind."""
        named = [place for name, place in self.named.items() if name in kind.copies]
        return list(dict.fromkeys([*named, *[place for place, lot in self.unnamed if _meet(lot, kind)]]))

    def where(self, name: str) -> list[Place]:
        """Where a copy is known to lie, or all places where it may; none where that may be unseen."""
        places = {self.named[name]} if name in self.named else self.among.get(name, HIDDEN)
        return [] if UNSEEN in places else sorted(places, key=lambda place: place.key)

    def _may_be(self, name: str, place: Place, kind: Kind | None) -> bool:
        return place in self.among.get(name, HIDDEN) and (kind is None or name in kind.copies)

    def _sources(self, what: str | Kind, at: Sequence[Place]) -> list[Place]:
        if isinstance(what, Kind):
            return [place for place in at if place in self.whereabouts(what)] + [UNSEEN]
        if what in self.named:
            return [place for place in at if place == self.named[what]]
        return [place for place in (*at, UNSEEN) if self.is_open(what, place)]

    def is_open(self, name: str, place: Place) -> bool:
        """Whether a copy that is not named may lie there, and there is still one that it may be."""
        if place != UNSEEN:
            return self._lot(name, place) is not None
        return self._may_be(name, place, None) and (name not in self.seen or self.hidden > 0)

    def _lot(self, name: str, place: Place) -> Kind | None:
        """As what a copy lies unnamed at a place, if it may: the narrowest."""
        kinds = [kind for spot, kind in self.unnamed if spot == place and self._may_be(name, place, kind)]
        return min(kinds, key=_width, default=None)

    # What happens

    def moved(self, what: str | Kind, source: Place, target: Place) -> Alike:
        """What is known after a copy, or a card of a kind, went from a place to another; or from `UNSEEN`."""
        then = self.copy()
        then.move(what, source, target)
        return then

    def move(self, what: str | Kind, source: Place, target: Place) -> None:
        """A copy, or a card of a kind, goes from a place to another."""
        if isinstance(what, str):
            self._name(what, source, target)
        elif source != target:
            self._go(what, source, target)
        self.settle()

    def clear(self, source: Place, target: Place) -> None:
        """Everything that lies at a place goes to another."""
        for name in [name for name, place in self.named.items() if place == source]:
            self.move(name, source, target)
        for kind in [
            kind for (place, kind), count in self.unnamed.items() if place == source for _ in range(count)
        ]:
            self.move(kind, source, target)

    def _name(self, name: str, source: Place, target: Place) -> None:
        """What stood for this very copy lies nowhere any more."""
        if self.named.get(name) == source:
            self._put(self.faces[name], source, target)
        else:
            if kind := self._lot(name, source):
                self._count(kind, source, UNSEEN)
            elif name in self.seen:
                self.hidden = max(self.hidden - 1, 0)
            self._put(self.faces[name], UNSEEN, target)
        self._know(name, target)

    def _know(self, name: str, place: Place) -> None:
        self.named[name] = place
        if place == UNSEEN:
            del self.named[name]
        self.seen.discard(name)
        self.among.pop(name, None)

    def _go(self, kind: Kind, source: Place, target: Place) -> None:
        """A card of a kind: of several alike ones nobody said which."""
        if source == UNSEEN:
            self._count(kind, source, target)
            self.spread(kind, source, target)
            return
        names = [name for name, place in self.named.items() if place == source and name in kind.copies]
        lots = [lot for place, lot in self.unnamed if place == source and _meet(lot, kind)]
        if len(names) == 1 and not lots:
            self._name(names[0], source, target)
            return
        lot = self._blurred(names, lots, kind, source)
        narrow = min(lot, kind, key=_width)
        self.spread(narrow, source, target)
        self._count(lot, source, target if narrow is lot else UNSEEN)
        if narrow is not lot:
            self._count(narrow, UNSEEN, target)

    def _blurred(self, names: Sequence[str], lots: Sequence[Kind], kind: Kind, place: Place) -> Kind:
        """As what alike cards lie at a place from which one of them goes: named ones become unnamed."""
        own = [min((one for one in self.kinds if name in one.copies), key=_width) for name in names]
        kinds = [*own, *lots]
        all_of_them = frozenset[str]().union(*[one.copies for one in kinds])
        wide = next((one for one in sorted([*kinds, kind], key=_width) if one.copies >= all_of_them), kind)
        for lot in lots:
            for _ in range(self.unnamed[place, lot] if lot is not wide else 0):
                self._count(wide, UNSEEN, place)
                self._count(lot, place, UNSEEN)
        for name in names:
            self._put(self.faces[name], place, UNSEEN)
            self._know(name, UNSEEN)
            self._count(wide, UNSEEN, place)
            self.among[name] = frozenset([place])
            self.seen.add(name)
        return wide

    def spread(self, kind: Kind, source: Place, target: Place) -> None:
        """A card of a kind has moved: each copy that may have lain where it came from may be it."""
        gone = [name for name in kind.copies if name not in self.named and self._may_be(name, source, None)]
        for name in gone:
            self.among[name] = self.among.get(name, HIDDEN) | {target}
        if target == UNSEEN and not self.seen.isdisjoint(gone):
            self.hidden += 1

    def settle(self) -> None:
        """A copy that can be at one place only is named there; it isn't where no unnamed card is left."""
        while True:
            for name in sorted(self.seen):
                places = frozenset([place for place in self.among[name] if self.is_open(name, place)])
                self.among[name] = places
                if len(places) == 1:
                    self._name(name, *places, *places)
                    break
            else:
                return

    def went(self) -> Iterator[tuple[Piece, Place, Place]]:
        """Which pieces lie elsewhere than when it was made: each from where to where, by the shortest way."""
        more: dict[Piece, dict[Place, int]] = defaultdict(lambda: defaultdict(int))
        for piece, _, target in self.moves:
            more[piece][target] += 1
        for piece, source, _ in self.moves:
            more[piece][source] -= 1
        for piece, places in more.items():
            sources = [place for place, count in places.items() for _ in range(-count)]
            targets = [place for place, count in places.items() for _ in range(count)]
            for source, target in zip(sources, targets, strict=True):
                yield piece, source, target

    def _count(self, kind: Kind, source: Place, target: Place) -> None:
        self._put(kind.piece, source, target)
        for place, more in ((source, -1), (target, 1)):
            if place != UNSEEN:
                self.unnamed[place, kind] = self.unnamed.get((place, kind), 0) + more
        if self.unnamed.get((source, kind)) == 0:
            del self.unnamed[source, kind]
            if source not in {place for place, _ in self.unnamed}:
                self.among = {name: places - {source} for name, places in self.among.items()}

    def _put(self, piece: Piece, source: Place, target: Place) -> None:
        if source != target:
            self.moves.append((piece, source, target))


def matched(wanted: Sequence[Collection[Hashable]]) -> bool:
    """Whether each can have one of those it wants to itself."""
    owner: dict[Hashable, int] = {}

    def finds(at: int, asked: set[Hashable]) -> bool:
        for one in wanted[at]:
            if one not in asked:
                asked.add(one)
                if one not in owner or finds(owner[one], asked):
                    owner[one] = at
                    return True
        return False

    return all(finds(at, set()) for at in range(len(wanted)))


def _width(kind: Kind) -> int:
    return len(kind.copies)


def _meet(one: Kind, other: Kind) -> bool:
    return one is other or not one.copies.isdisjoint(other.copies)
