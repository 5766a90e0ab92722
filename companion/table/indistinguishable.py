"""Copies of cards that look alike: which of them may lie where. It knows no ledger and no rule.

A copy is *identified* while the very copy is known to lie at a place. Other cards lie *unnamed*: a number of
cards of a class at a place. When one of several look-alikes moves and nobody said which one, the identified
copies beside it become unnamed too: each then lies at one of the places where it may be by now, and nowhere
else. So an unnamed card may be any copy that isn't known to be elsewhere. Conclusions that follow only from
several such moves together are not drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

import msgspec

from companion.table.ledger import Piece, Place
from companion.texts import Say, say

UNSEEN_PLACE = Place(say("unseen"))
"""The place of all faces that nobody has seen: in hands, in piles, out of the game."""
CHECKED_CARDS_PLACE = Place(Say("here"))
"""The place of an answer's cards while the answer is checked."""
ONLY_UNSEEN = frozenset([UNSEEN_PLACE])


class CardClass(msgspec.Struct, frozen=True, eq=False):
    """The copies that a description of a card fits.

    `is_limited`: there are no more such cards than these copies. Otherwise there may be unlisted ones.
    """

    piece: Piece
    copies: frozenset[str]
    is_limited: bool


class IndistinguishableCards:
    """What is known about a group of copies that can be taken for each other.

    `place_of` has the place of every identified copy; `unnamed_counts` has the other cards, by place and
    class. All other copies are unseen.
    `candidate_places`: where an unidentified copy may lie, if it may lie anywhere but unseen.
    `once_identified`: the unidentified copies that were identified once; of them `unseen_count` are
    unseen again.
    `uniform_places`: where every copy may lie, as long as all copies are treated alike; else None.
    `piece_moves`: the moves of pieces since this object was made.
    """

    def __init__(self, faces: Mapping[str, Piece], kinds: Sequence[CardClass]) -> None:
        self.face_pieces = faces
        self.classes = kinds
        self.place_of: dict[str, Place] = {}
        self.unnamed_counts: dict[tuple[Place, CardClass], int] = {}
        self.candidate_places: dict[str, frozenset[Place]] = {}
        self.once_identified: set[str] = set()
        self.unseen_count = 0
        self.uniform_places: frozenset[Place] | None = None
        self.piece_moves: list[tuple[Piece, Place, Place]] = []

    def copy(self) -> IndistinguishableCards:
        """Returns an independent copy to try a move on."""
        new = IndistinguishableCards(self.face_pieces, self.classes)
        new.place_of, new.unnamed_counts = dict(self.place_of), dict(self.unnamed_counts)
        new.candidate_places, new.once_identified, new.unseen_count = (
            dict(self.candidate_places),
            set(self.once_identified),
            self.unseen_count,
        )
        new.piece_moves = list(self.piece_moves)
        return new

    def absorb(self, other: IndistinguishableCards) -> None:
        """Merges another group into this one, because a description fits copies of both."""
        self.face_pieces = {**self.face_pieces, **other.face_pieces}
        self.classes = [*self.classes, *other.classes]
        self.candidate_places |= other.candidate_places
        self.once_identified |= other.once_identified
        self.unseen_count += other.unseen_count

    def forget_everything(self) -> None:
        """Forgets everything: all copies are unseen again."""
        self.candidate_places, self.once_identified, self.unseen_count, self.uniform_places = (
            {},
            set(),
            0,
            ONLY_UNSEEN,
        )

    def stop_treating_alike(self) -> IndistinguishableCards:
        """Ends uniform treatment: from now on each copy has candidate places of its own. Returns itself."""
        if self.uniform_places is not None and self.uniform_places != ONLY_UNSEEN:
            self.candidate_places = dict.fromkeys(self.face_pieces, self.uniform_places)
        self.uniform_places = None
        return self

    def hide_places(self, closed: Collection[Place]) -> None:
        """Treats these places as unseen and drops candidate places of identified copies.

        Where people corrected so that not all can be true that was seen, a copy may lie anywhere.
        """
        self.candidate_places = {
            name: places for name, places in self.candidate_places.items() if name not in self.place_of
        }
        if closed != ONLY_UNSEEN:
            for name, places in self.candidate_places.items():
                self.candidate_places[name] = frozenset(
                    [UNSEEN_PLACE if place in closed else place for place in places]
                )
        self.once_identified &= self.candidate_places.keys()
        if closed != ONLY_UNSEEN:
            self.once_identified = {
                name for name in self.once_identified if UNSEEN_PLACE not in self.candidate_places[name]
            }
            self.unseen_count = 0
        if not self.is_consistent(count_unnamed=False):
            self.once_identified, anywhere = (
                set(),
                ONLY_UNSEEN.union(place for place, _ in self.unnamed_counts),
            )
            self.candidate_places = dict.fromkeys(self.candidate_places, anywhere)

    # Questions

    def is_consistent(self, *, count_unnamed: bool) -> bool:
        """Returns whether every once identified copy can lie somewhere.

        With `count_unnamed`, every unnamed card of a limited class must also be a copy of its own.
        """
        if not self.once_identified and not count_unnamed:
            return True
        free = [name for name in self.face_pieces if name not in self.place_of]
        if not self.once_identified and all(
            kind.copies.issuperset(free)
            and all(place in self.candidate_places.get(name, ONLY_UNSEEN) for name in free)
            for place, kind in self.unnamed_counts
        ):
            counted = sum([count for (_, kind), count in self.unnamed_counts.items() if kind.is_limited])
            return counted <= len(free)
        lots = [lot for lot, count in self.unnamed_counts.items() for _ in range(count)]
        spots = [*lots, *[(UNSEEN_PLACE, None)] * self.unseen_count]
        if not has_matching(
            [
                [at for at, spot in enumerate(spots) if self._can_be(name, *spot)]
                for name in self.once_identified
            ]
        ):
            return False
        return not count_unnamed or has_matching(
            [[name for name in free if self._can_be(name, *lot)] for lot in lots if lot[1].is_limited]
        )

    def possible_sources(
        self, card: str | CardClass, places: Sequence[Place], *, count_unnamed: bool
    ) -> Iterator[tuple[Place, IndistinguishableCards]]:
        """Yields each place the card may come from, with what is known once it lies at `CHECKED_CARDS_PLACE`.

        `card` is the id of a copy, or a class. `places` are tried before unseen.
        """
        for source in self._sources_to_try(card, places):
            then = self.after_move(card, source, CHECKED_CARDS_PLACE)
            if then.is_consistent(count_unnamed=count_unnamed):
                yield source, then

    def assign_sources(
        self, cards: Sequence[str | CardClass], places: Sequence[Place], *, trust_readers: bool
    ) -> list[tuple[Place, IndistinguishableCards]] | None:
        """Returns a source for each card of an answer, with what is known then; None if not all can come.

        `trust_readers`: a copy that was read is there, even if typed descriptions leave no such card.
        """
        if not cards:
            return []
        what, *others = cards
        counting = isinstance(what, CardClass) or not trust_readers
        for source, then in self.possible_sources(what, places, count_unnamed=counting):
            rest = then.assign_sources(others, places, trust_readers=trust_readers)
            if rest is not None:
                return [(source, then), *rest]
        return None

    def places_of_class(self, kind: CardClass) -> list[Place]:
        """Returns all places where cards that may be of this class lie."""
        named = [place for name, place in self.place_of.items() if name in kind.copies]
        return list(
            dict.fromkeys([*named, *[place for place, lot in self.unnamed_counts if _overlap(lot, kind)]])
        )

    def places_of_copy(self, name: str) -> list[Place]:
        """Returns the place of a copy, or all places where it may lie; [] if it may be unseen."""
        places = (
            {self.place_of[name]} if name in self.place_of else self.candidate_places.get(name, ONLY_UNSEEN)
        )
        return [] if UNSEEN_PLACE in places else sorted(places, key=lambda place: place.key)

    def _can_be(self, name: str, place: Place, kind: CardClass | None) -> bool:
        return place in self.candidate_places.get(name, ONLY_UNSEEN) and (kind is None or name in kind.copies)

    def _sources_to_try(self, what: str | CardClass, at: Sequence[Place]) -> list[Place]:
        if isinstance(what, CardClass):
            return [place for place in at if place in self.places_of_class(what)] + [UNSEEN_PLACE]
        if what in self.place_of:
            return [place for place in at if place == self.place_of[what]]
        return [place for place in (*at, UNSEEN_PLACE) if self.can_lie_at(what, place)]

    def can_lie_at(self, name: str, place: Place) -> bool:
        """Returns whether an unidentified copy may lie at a place where a card is left that it can be."""
        if place != UNSEEN_PLACE:
            return self._narrowest_class_at(name, place) is not None
        return self._can_be(name, place, None) and (name not in self.once_identified or self.unseen_count > 0)

    def _narrowest_class_at(self, name: str, place: Place) -> CardClass | None:
        """Returns the smallest class of unnamed cards at a place that a copy may be, or None."""
        kinds = [
            kind for spot, kind in self.unnamed_counts if spot == place and self._can_be(name, place, kind)
        ]
        return min(kinds, key=_size, default=None)

    # Moves

    def after_move(self, card: str | CardClass, source: Place, target: Place) -> IndistinguishableCards:
        """Returns what is known after a copy, or a card of a class, has moved."""
        then = self.copy()
        then.move(card, source, target)
        return then

    def move(self, card: str | CardClass, source: Place, target: Place) -> None:
        """Moves a copy, or an unnamed card of a class, and draws the conclusions."""
        if isinstance(card, str):
            self._identify(card, source, target)
        elif source != target:
            self._move_unidentified(card, source, target)
        self.narrow_candidates()

    def move_all(self, source: Place, target: Place) -> None:
        """Moves everything that lies at a place."""
        for name in [name for name, place in self.place_of.items() if place == source]:
            self.move(name, source, target)
        for kind in [
            kind
            for (place, kind), count in self.unnamed_counts.items()
            if place == source
            for _ in range(count)
        ]:
            self.move(kind, source, target)

    def _identify(self, name: str, source: Place, target: Place) -> None:
        """Puts an identified copy at `target`; the unnamed card that stood for it is gone."""
        if self.place_of.get(name) == source:
            self._record_move(self.face_pieces[name], source, target)
        else:
            if kind := self._narrowest_class_at(name, source):
                self._move_unnamed(kind, source, UNSEEN_PLACE)
            elif name in self.once_identified:
                self.unseen_count = max(self.unseen_count - 1, 0)
            self._record_move(self.face_pieces[name], UNSEEN_PLACE, target)
        self._set_known_place(name, target)

    def _set_known_place(self, name: str, place: Place) -> None:
        self.place_of[name] = place
        if place == UNSEEN_PLACE:
            del self.place_of[name]
        self.once_identified.discard(name)
        self.candidate_places.pop(name, None)

    def _move_unidentified(self, kind: CardClass, source: Place, target: Place) -> None:
        """Moves a card of a class when nobody said which of several look-alikes it is."""
        if source == UNSEEN_PLACE:
            self._move_unnamed(kind, source, target)
            self.spread_candidates(kind, source, target)
            return
        names = [name for name, place in self.place_of.items() if place == source and name in kind.copies]
        lots = [lot for place, lot in self.unnamed_counts if place == source and _overlap(lot, kind)]
        if len(names) == 1 and not lots:
            self._identify(names[0], source, target)
            return
        lot = self._forget_identities(names, lots, kind, source)
        narrow = min(lot, kind, key=_size)
        self.spread_candidates(narrow, source, target)
        self._move_unnamed(lot, source, target if narrow is lot else UNSEEN_PLACE)
        if narrow is not lot:
            self._move_unnamed(narrow, UNSEEN_PLACE, target)

    def _forget_identities(
        self, names: Sequence[str], lots: Sequence[CardClass], kind: CardClass, place: Place
    ) -> CardClass:
        """Makes identified look-alikes at a place unnamed; returns the class as which they lie there now."""
        own = [min((one for one in self.classes if name in one.copies), key=_size) for name in names]
        kinds = [*own, *lots]
        all_of_them = frozenset[str]().union(*[one.copies for one in kinds])
        wide = next((one for one in sorted([*kinds, kind], key=_size) if one.copies >= all_of_them), kind)
        for lot in lots:
            for _ in range(self.unnamed_counts[place, lot] if lot is not wide else 0):
                self._move_unnamed(wide, UNSEEN_PLACE, place)
                self._move_unnamed(lot, place, UNSEEN_PLACE)
        for name in names:
            self._record_move(self.face_pieces[name], place, UNSEEN_PLACE)
            self._set_known_place(name, UNSEEN_PLACE)
            self._move_unnamed(wide, UNSEEN_PLACE, place)
            self.candidate_places[name] = frozenset([place])
            self.once_identified.add(name)
        return wide

    def spread_candidates(self, kind: CardClass, source: Place, target: Place) -> None:
        """Adds `target` to the candidate places of every copy that may be the card that moved."""
        gone = [
            name for name in kind.copies if name not in self.place_of and self._can_be(name, source, None)
        ]
        for name in gone:
            self.candidate_places[name] = self.candidate_places.get(name, ONLY_UNSEEN) | {target}
        if target == UNSEEN_PLACE and not self.once_identified.isdisjoint(gone):
            self.unseen_count += 1

    def narrow_candidates(self) -> None:
        """Identifies copies with one candidate place left; drops places without unnamed cards that fit."""
        while True:
            for name in sorted(self.once_identified):
                places = frozenset(
                    [place for place in self.candidate_places[name] if self.can_lie_at(name, place)]
                )
                self.candidate_places[name] = places
                if len(places) == 1:
                    self._identify(name, *places, *places)
                    break
            else:
                return

    def net_moves(self) -> Iterator[tuple[Piece, Place, Place]]:
        """Yields the net moves of pieces since this object was made: piece, source and target."""
        more: dict[Piece, dict[Place, int]] = defaultdict(lambda: defaultdict(int))
        for piece, _, target in self.piece_moves:
            more[piece][target] += 1
        for piece, source, _ in self.piece_moves:
            more[piece][source] -= 1
        for piece, places in more.items():
            sources = [place for place, count in places.items() for _ in range(-count)]
            targets = [place for place, count in places.items() for _ in range(count)]
            for source, target in zip(sources, targets, strict=True):
                yield piece, source, target

    def _move_unnamed(self, kind: CardClass, source: Place, target: Place) -> None:
        self._record_move(kind.piece, source, target)
        for place, more in ((source, -1), (target, 1)):
            if place != UNSEEN_PLACE:
                self.unnamed_counts[place, kind] = self.unnamed_counts.get((place, kind), 0) + more
        if self.unnamed_counts.get((source, kind)) == 0:
            del self.unnamed_counts[source, kind]
            if source not in {place for place, _ in self.unnamed_counts}:
                self.candidate_places = {
                    name: places - {source} for name, places in self.candidate_places.items()
                }

    def _record_move(self, piece: Piece, source: Place, target: Place) -> None:
        if source != target:
            self.piece_moves.append((piece, source, target))


def has_matching(wanted: Sequence[Collection[Hashable]]) -> bool:
    """Returns whether every list can get an item of its own (bipartite matching)."""
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


def _size(kind: CardClass) -> int:
    return len(kind.copies)


def _overlap(one: CardClass, other: CardClass) -> bool:
    return one is other or not one.copies.isdisjoint(other.copies)
