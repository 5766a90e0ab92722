"""Copies of cards that look alike: which of them may be where. The module knows no ledger and no rule.

A copy is *identified* while the very copy is known to be at a place. Other cards are *unnamed*: a number of
cards of a class at a place. When one of several look-alikes moves and nobody said which one, the identified
copies beside it become unnamed too: each then is at one of the places where it may be by now, and nowhere
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
CHECKED_ANSWER_PLACE = Place(Say("here"))
"""The temporary place of an answer's cards while the answer is checked."""
ONLY_UNSEEN = frozenset([UNSEEN_PLACE])


class CardClass(msgspec.Struct, frozen=True, eq=False):
    """A class of cards: the copies that one description fits.

    `is_limited`: no more such cards exist than these copies. Otherwise there may be unlisted ones.
    """

    piece: Piece
    copy_ids: frozenset[str]
    is_limited: bool


class IndistinguishableCards:
    """What is known about a group of copies that look alike: where each may be.

    `place_of` has the place of every identified copy; `unnamed_counts` has the other cards, by place and
    class. All other copies are unseen.
    `candidate_places`: where an unidentified copy may be, if it may be anywhere but unseen.
    `once_identified`: the unidentified copies that were identified once; of them `unseen_count` are
    unseen again.
    `uniform_places`: where every copy may be, as long as all copies are treated alike; else None.
    `piece_moves`: the moves of pieces since this object was made.
    """

    def __init__(self, face_pieces: Mapping[str, Piece], classes: Sequence[CardClass]) -> None:
        self.face_pieces = face_pieces
        self.classes = classes
        self.place_of: dict[str, Place] = {}
        self.unnamed_counts: dict[tuple[Place, CardClass], int] = {}
        self.candidate_places: dict[str, frozenset[Place]] = {}
        self.once_identified: set[str] = set()
        self.unseen_count = 0
        self.uniform_places: frozenset[Place] | None = None
        self.piece_moves: list[tuple[Piece, Place, Place]] = []

    def copy(self) -> IndistinguishableCards:
        """Returns an independent copy, so that a move can be tried on it."""
        new = IndistinguishableCards(self.face_pieces, self.classes)
        new.place_of, new.unnamed_counts = dict(self.place_of), dict(self.unnamed_counts)
        new.candidate_places, new.once_identified, new.unseen_count = (
            dict(self.candidate_places),
            set(self.once_identified),
            self.unseen_count,
        )
        new.piece_moves = list(self.piece_moves)
        return new

    def merge_group(self, other_group: IndistinguishableCards) -> None:
        """Merges another group into this one, because a description fits copies of both."""
        self.face_pieces = {**self.face_pieces, **other_group.face_pieces}
        self.classes = [*self.classes, *other_group.classes]
        self.candidate_places |= other_group.candidate_places
        self.once_identified |= other_group.once_identified
        self.unseen_count += other_group.unseen_count

    def reset_to_unseen(self) -> None:
        """Forgets everything: all copies are unseen again."""
        self.candidate_places, self.once_identified, self.unseen_count, self.uniform_places = (
            {},
            set(),
            0,
            ONLY_UNSEEN,
        )

    def track_copies_separately(self) -> IndistinguishableCards:
        """Tracks each copy separately from now on, and returns the same object.

        Each copy gets candidate places of its own, instead of one set for all copies.
        """
        if self.uniform_places is not None and self.uniform_places != ONLY_UNSEEN:
            self.candidate_places = dict.fromkeys(self.face_pieces, self.uniform_places)
        self.uniform_places = None
        return self

    def treat_places_as_unseen(self, hidden_places: Collection[Place]) -> None:
        """Treats the hidden places as unseen, and drops the candidate places of identified copies.

        If corrections contradict what was seen, a copy may be anywhere.
        """
        self.candidate_places = {
            name: places for name, places in self.candidate_places.items() if name not in self.place_of
        }
        if hidden_places != ONLY_UNSEEN:
            for name, places in self.candidate_places.items():
                self.candidate_places[name] = frozenset(
                    [UNSEEN_PLACE if place in hidden_places else place for place in places]
                )
        self.once_identified &= self.candidate_places.keys()
        if hidden_places != ONLY_UNSEEN:
            self.once_identified = {
                name for name in self.once_identified if UNSEEN_PLACE not in self.candidate_places[name]
            }
            self.unseen_count = 0
        if not self.is_consistent(match_unnamed_cards=False):
            self.once_identified, anywhere = (
                set(),
                ONLY_UNSEEN.union(place for place, _ in self.unnamed_counts),
            )
            self.candidate_places = dict.fromkeys(self.candidate_places, anywhere)

    # Questions

    def is_consistent(self, *, match_unnamed_cards: bool) -> bool:
        """Returns whether every copy that was once identified can be somewhere.

        With `match_unnamed_cards`, every unnamed card of a limited class must also be a copy of its own.
        """
        if not self.once_identified and not match_unnamed_cards:
            return True
        free = [name for name in self.face_pieces if name not in self.place_of]
        if not self.once_identified and all(
            kind.copy_ids.issuperset(free)
            and all(place in self.candidate_places.get(name, ONLY_UNSEEN) for name in free)
            for place, kind in self.unnamed_counts
        ):
            counted = sum([count for (_, kind), count in self.unnamed_counts.items() if kind.is_limited])
            return counted <= len(free)
        lots = [lot for lot, count in self.unnamed_counts.items() for _ in range(count)]
        spots = [*lots, *[(UNSEEN_PLACE, None)] * self.unseen_count]
        if not has_perfect_matching(
            [
                [at for at, spot in enumerate(spots) if self._can_be(name, *spot)]
                for name in self.once_identified
            ]
        ):
            return False
        return not match_unnamed_cards or has_perfect_matching(
            [[name for name in free if self._can_be(name, *lot)] for lot in lots if lot[1].is_limited]
        )

    def find_possible_sources(
        self,
        copy_id_or_class: str | CardClass,
        preferred_places: Sequence[Place],
        *,
        match_unnamed_cards: bool,
    ) -> Iterator[tuple[Place, IndistinguishableCards]]:
        """Yields each place the card may come from, with what is known once it is at `CHECKED_ANSWER_PLACE`.

        `preferred_places` are tried before unseen.
        """
        for source in self._sources_to_try(copy_id_or_class, preferred_places):
            then = self.copy_after_move(copy_id_or_class, source, CHECKED_ANSWER_PLACE)
            if then.is_consistent(match_unnamed_cards=match_unnamed_cards):
                yield source, then

    def assign_sources(
        self,
        copy_ids_or_classes: Sequence[str | CardClass],
        preferred_places: Sequence[Place],
        *,
        trust_readers: bool,
    ) -> list[tuple[Place, IndistinguishableCards]] | None:
        """Assigns a source to each card of an answer; returns None if not all can come.

        Each source comes with what is known then. `trust_readers`: a copy that was read is there, even if
        typed descriptions leave no such card.
        """
        if not copy_ids_or_classes:
            return []
        what, *others = copy_ids_or_classes
        counting = isinstance(what, CardClass) or not trust_readers
        for source, then in self.find_possible_sources(what, preferred_places, match_unnamed_cards=counting):
            rest = then.assign_sources(others, preferred_places, trust_readers=trust_readers)
            if rest is not None:
                return [(source, then), *rest]
        return None

    def possible_places_of_class(self, card_class: CardClass) -> list[Place]:
        """Returns all places where cards that may belong to this class are."""
        named = [place for name, place in self.place_of.items() if name in card_class.copy_ids]
        return list(
            dict.fromkeys(
                [*named, *[place for place, lot in self.unnamed_counts if _overlap(lot, card_class)]]
            )
        )

    def possible_places_of_copy(self, copy_id: str) -> list[Place]:
        """Returns the place of a copy, or all places where it may be; [] if it may be unseen."""
        places = (
            {self.place_of[copy_id]}
            if copy_id in self.place_of
            else self.candidate_places.get(copy_id, ONLY_UNSEEN)
        )
        return [] if UNSEEN_PLACE in places else sorted(places, key=lambda place: place.key)

    def _can_be(self, name: str, place: Place, kind: CardClass | None) -> bool:
        return place in self.candidate_places.get(name, ONLY_UNSEEN) and (
            kind is None or name in kind.copy_ids
        )

    def _sources_to_try(self, what: str | CardClass, at: Sequence[Place]) -> list[Place]:
        if isinstance(what, CardClass):
            return [place for place in at if place in self.possible_places_of_class(what)] + [UNSEEN_PLACE]
        if what in self.place_of:
            return [place for place in at if place == self.place_of[what]]
        return [place for place in (*at, UNSEEN_PLACE) if self.copy_can_lie_at(what, place)]

    def copy_can_lie_at(self, copy_id: str, place: Place) -> bool:
        """Returns whether an unidentified copy may be one of the unnamed cards at a place."""
        if place != UNSEEN_PLACE:
            return self._narrowest_class_at(copy_id, place) is not None
        return self._can_be(copy_id, place, None) and (
            copy_id not in self.once_identified or self.unseen_count > 0
        )

    def _narrowest_class_at(self, name: str, place: Place) -> CardClass | None:
        """Returns the smallest class of unnamed cards at a place that a copy may be, or None."""
        kinds = [
            kind for spot, kind in self.unnamed_counts if spot == place and self._can_be(name, place, kind)
        ]
        return min(kinds, key=_size, default=None)

    # Moves

    def copy_after_move(
        self, copy_id_or_class: str | CardClass, source: Place, target: Place
    ) -> IndistinguishableCards:
        """Returns a copy of this state after a card has moved."""
        then = self.copy()
        then.move_card(copy_id_or_class, source, target)
        return then

    def move_card(self, copy_id_or_class: str | CardClass, source: Place, target: Place) -> None:
        """Moves one card (a copy, or an unnamed card of a class), and draws the conclusions."""
        if isinstance(copy_id_or_class, str):
            self._identify(copy_id_or_class, source, target)
        elif source != target:
            self._move_unidentified(copy_id_or_class, source, target)
        self.narrow_candidate_places()

    def move_all_cards(self, source: Place, target: Place) -> None:
        """Moves all cards from one place to another."""
        for name in [name for name, place in self.place_of.items() if place == source]:
            self.move_card(name, source, target)
        for kind in [
            kind
            for (place, kind), count in self.unnamed_counts.items()
            if place == source
            for _ in range(count)
        ]:
            self.move_card(kind, source, target)

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
            self.add_candidate_place(kind, source, target)
            return
        names = [name for name, place in self.place_of.items() if place == source and name in kind.copy_ids]
        lots = [lot for place, lot in self.unnamed_counts if place == source and _overlap(lot, kind)]
        if len(names) == 1 and not lots:
            self._identify(names[0], source, target)
            return
        lot = self._forget_identities(names, lots, kind, source)
        narrow = min(lot, kind, key=_size)
        self.add_candidate_place(narrow, source, target)
        self._move_unnamed(lot, source, target if narrow is lot else UNSEEN_PLACE)
        if narrow is not lot:
            self._move_unnamed(narrow, UNSEEN_PLACE, target)

    def _forget_identities(
        self, names: Sequence[str], lots: Sequence[CardClass], kind: CardClass, place: Place
    ) -> CardClass:
        """Makes identified look-alikes at a place unnamed; returns the class that they have there now."""
        own = [min((one for one in self.classes if name in one.copy_ids), key=_size) for name in names]
        kinds = [*own, *lots]
        all_of_them = frozenset[str]().union(*[one.copy_ids for one in kinds])
        wide = next((one for one in sorted([*kinds, kind], key=_size) if one.copy_ids >= all_of_them), kind)
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

    def add_candidate_place(self, card_class: CardClass, source: Place, target: Place) -> None:
        """Adds `target` to the candidate places of every copy that may be the card that moved."""
        gone = [
            name
            for name in card_class.copy_ids
            if name not in self.place_of and self._can_be(name, source, None)
        ]
        for name in gone:
            self.candidate_places[name] = self.candidate_places.get(name, ONLY_UNSEEN) | {target}
        if target == UNSEEN_PLACE and not self.once_identified.isdisjoint(gone):
            self.unseen_count += 1

    def narrow_candidate_places(self) -> None:
        """Narrows the candidate places of copies to those where they can still be.

        A copy with one candidate place left is identified. Places without unnamed cards that fit are
        dropped.
        """
        while True:
            for name in sorted(self.once_identified):
                places = frozenset(
                    [place for place in self.candidate_places[name] if self.copy_can_lie_at(name, place)]
                )
                self.candidate_places[name] = places
                if len(places) == 1:
                    self._identify(name, *places, *places)
                    break
            else:
                return

    def net_piece_moves(self) -> Iterator[tuple[Piece, Place, Place]]:
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


def has_perfect_matching(candidate_lists: Sequence[Collection[Hashable]]) -> bool:
    """Returns whether each list can get a candidate of its own (perfect bipartite matching)."""
    owner: dict[Hashable, int] = {}

    def finds(at: int, asked: set[Hashable]) -> bool:
        for one in candidate_lists[at]:
            if one not in asked:
                asked.add(one)
                if one not in owner or finds(owner[one], asked):
                    owner[one] = at
                    return True
        return False

    return all(finds(at, set()) for at in range(len(candidate_lists)))


def _size(kind: CardClass) -> int:
    return len(kind.copy_ids)


def _overlap(one: CardClass, other: CardClass) -> bool:
    return one is other or not one.copy_ids.isdisjoint(other.copy_ids)
