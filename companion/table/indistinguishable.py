"""Copies of cards that look alike, and the places where each may be.

The module knows no ledger and no rule.

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

    `is_limited`: no other copies exist. Otherwise the deck may have copies that its list lacks.
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
        new.place_of = dict(self.place_of)
        new.unnamed_counts = dict(self.unnamed_counts)
        new.candidate_places = dict(self.candidate_places)
        new.once_identified = set(self.once_identified)
        new.unseen_count = self.unseen_count
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
        self.candidate_places = {}
        self.once_identified = set()
        self.unseen_count = 0
        self.uniform_places = ONLY_UNSEEN

    def start_tracking_copies_separately(self) -> IndistinguishableCards:
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
            copy_id: places
            for copy_id, places in self.candidate_places.items()
            if copy_id not in self.place_of
        }
        if hidden_places != ONLY_UNSEEN:
            for copy_id, places in self.candidate_places.items():
                self.candidate_places[copy_id] = frozenset(
                    [UNSEEN_PLACE if place in hidden_places else place for place in places]
                )
        self.once_identified &= self.candidate_places.keys()
        if hidden_places != ONLY_UNSEEN:
            self.once_identified = {
                copy_id
                for copy_id in self.once_identified
                if UNSEEN_PLACE not in self.candidate_places[copy_id]
            }
            self.unseen_count = 0
        if not self.is_consistent(match_unnamed_cards=False):
            self.once_identified = set()
            all_places = ONLY_UNSEEN.union(place for place, _ in self.unnamed_counts)
            self.candidate_places = dict.fromkeys(self.candidate_places, all_places)

    # Questions

    def is_consistent(self, *, match_unnamed_cards: bool) -> bool:
        """Returns whether every copy that was once identified can be somewhere.

        With `match_unnamed_cards`, every unnamed card of a limited class must also be a copy of its own.
        """
        if not self.once_identified and not match_unnamed_cards:
            return True
        unidentified_ids = [copy_id for copy_id in self.face_pieces if copy_id not in self.place_of]
        if not self.once_identified and all(
            card_class.copy_ids.issuperset(unidentified_ids)
            and all(place in self.candidate_places.get(copy_id, ONLY_UNSEEN) for copy_id in unidentified_ids)
            for place, card_class in self.unnamed_counts
        ):
            limited_count = sum(
                [count for (_, card_class), count in self.unnamed_counts.items() if card_class.is_limited]
            )
            return limited_count <= len(unidentified_ids)
        unnamed_cards = [
            unnamed_card for unnamed_card, count in self.unnamed_counts.items() for _ in range(count)
        ]
        free_spots = [*unnamed_cards, *[(UNSEEN_PLACE, None)] * self.unseen_count]
        if not has_perfect_matching(
            [
                [index for index, spot in enumerate(free_spots) if self._may_be(copy_id, *spot)]
                for copy_id in self.once_identified
            ]
        ):
            return False
        return not match_unnamed_cards or has_perfect_matching(
            [
                [copy_id for copy_id in unidentified_ids if self._may_be(copy_id, *unnamed_card)]
                for unnamed_card in unnamed_cards
                if unnamed_card[1].is_limited
            ]
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
        for source in self._list_sources_to_try(copy_id_or_class, preferred_places):
            state_after = self.state_after_move(copy_id_or_class, source, CHECKED_ANSWER_PLACE)
            if state_after.is_consistent(match_unnamed_cards=match_unnamed_cards):
                yield source, state_after

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
        first, *others = copy_ids_or_classes
        match_unnamed_cards = isinstance(first, CardClass) or not trust_readers
        for source, state_after in self.find_possible_sources(
            first, preferred_places, match_unnamed_cards=match_unnamed_cards
        ):
            other_sources = state_after.assign_sources(others, preferred_places, trust_readers=trust_readers)
            if other_sources is not None:
                return [(source, state_after), *other_sources]
        return None

    def possible_places_of_class(self, card_class: CardClass) -> list[Place]:
        """Returns all places where cards that may belong to this class are."""
        identified_places = [
            place for copy_id, place in self.place_of.items() if copy_id in card_class.copy_ids
        ]
        return list(
            dict.fromkeys(
                [
                    *identified_places,
                    *[
                        place
                        for place, other_class in self.unnamed_counts
                        if _have_common_copies(other_class, card_class)
                    ],
                ]
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

    def _may_be(self, copy_id: str, place: Place, card_class: CardClass | None) -> bool:
        return place in self.candidate_places.get(copy_id, ONLY_UNSEEN) and (
            card_class is None or copy_id in card_class.copy_ids
        )

    def _list_sources_to_try(
        self, copy_id_or_class: str | CardClass, preferred_places: Sequence[Place]
    ) -> list[Place]:
        if isinstance(copy_id_or_class, CardClass):
            return [
                place
                for place in preferred_places
                if place in self.possible_places_of_class(copy_id_or_class)
            ] + [UNSEEN_PLACE]
        if copy_id_or_class in self.place_of:
            return [place for place in preferred_places if place == self.place_of[copy_id_or_class]]
        return [
            place
            for place in (*preferred_places, UNSEEN_PLACE)
            if self.can_copy_be_at(copy_id_or_class, place)
        ]

    def can_copy_be_at(self, copy_id: str, place: Place) -> bool:
        """Returns whether an unidentified copy may be one of the unnamed cards at a place."""
        if place != UNSEEN_PLACE:
            return self._narrowest_class_at(copy_id, place) is not None
        return self._may_be(copy_id, place, None) and (
            copy_id not in self.once_identified or self.unseen_count > 0
        )

    def _narrowest_class_at(self, copy_id: str, place: Place) -> CardClass | None:
        """Returns the smallest class of unnamed cards at a place that a copy may be, or None."""
        classes = [
            card_class
            for unnamed_place, card_class in self.unnamed_counts
            if unnamed_place == place and self._may_be(copy_id, place, card_class)
        ]
        return min(classes, key=_copy_count, default=None)

    # Moves

    def state_after_move(
        self, copy_id_or_class: str | CardClass, source: Place, target: Place
    ) -> IndistinguishableCards:
        """Returns a copy of this state after a card has moved."""
        state_after = self.copy()
        state_after.move_card(copy_id_or_class, source, target)
        return state_after

    def move_card(self, copy_id_or_class: str | CardClass, source: Place, target: Place) -> None:
        """Moves one card (a copy, or an unnamed card of a class), and draws the conclusions."""
        if isinstance(copy_id_or_class, str):
            self._identify(copy_id_or_class, source, target)
        elif source != target:
            self._move_unidentified_card(copy_id_or_class, source, target)
        self.narrow_candidate_places()

    def move_all_cards(self, source: Place, target: Place) -> None:
        """Moves all cards from one place to another."""
        for copy_id in [copy_id for copy_id, place in self.place_of.items() if place == source]:
            self.move_card(copy_id, source, target)
        for card_class in [
            card_class
            for (place, card_class), count in self.unnamed_counts.items()
            if place == source
            for _ in range(count)
        ]:
            self.move_card(card_class, source, target)

    def _identify(self, copy_id: str, source: Place, target: Place) -> None:
        """Puts an identified copy at `target`; the unnamed card that stood for it is gone."""
        if self.place_of.get(copy_id) == source:
            self._record_move(self.face_pieces[copy_id], source, target)
        else:
            if card_class := self._narrowest_class_at(copy_id, source):
                self._move_unnamed_piece(card_class, source, UNSEEN_PLACE)
            elif copy_id in self.once_identified:
                self.unseen_count = max(self.unseen_count - 1, 0)
            self._record_move(self.face_pieces[copy_id], UNSEEN_PLACE, target)
        self._set_known_place(copy_id, target)

    def _set_known_place(self, copy_id: str, place: Place) -> None:
        if place == UNSEEN_PLACE:
            self.place_of.pop(copy_id, None)
        else:
            self.place_of[copy_id] = place
        self.once_identified.discard(copy_id)
        self.candidate_places.pop(copy_id, None)

    def _move_unidentified_card(self, card_class: CardClass, source: Place, target: Place) -> None:
        """Moves a card of a class if nobody said which of several look-alikes it is."""
        if source == UNSEEN_PLACE:
            self._move_unnamed_piece(card_class, source, target)
            self.add_candidate_place(card_class, source, target)
            return
        identified_ids = [
            copy_id
            for copy_id, place in self.place_of.items()
            if place == source and copy_id in card_class.copy_ids
        ]
        unnamed_classes = [
            class_at_source
            for place, class_at_source in self.unnamed_counts
            if place == source and _have_common_copies(class_at_source, card_class)
        ]
        if len(identified_ids) == 1 and not unnamed_classes:
            self._identify(identified_ids[0], source, target)
            return
        class_at_source = self._make_copies_unnamed(identified_ids, unnamed_classes, card_class, source)
        narrower_class = min(class_at_source, card_class, key=_copy_count)
        self.add_candidate_place(narrower_class, source, target)
        self._move_unnamed_piece(
            class_at_source, source, target if narrower_class is class_at_source else UNSEEN_PLACE
        )
        if narrower_class is not class_at_source:
            self._move_unnamed_piece(narrower_class, UNSEEN_PLACE, target)

    def _make_copies_unnamed(
        self,
        copy_ids: Sequence[str],
        unnamed_classes: Sequence[CardClass],
        moved_class: CardClass,
        place: Place,
    ) -> CardClass:
        """Makes identified look-alikes at a place unnamed; returns the class that all of them have now."""
        classes_of_copies = [
            min(
                (card_class for card_class in self.classes if copy_id in card_class.copy_ids), key=_copy_count
            )
            for copy_id in copy_ids
        ]
        classes = [*classes_of_copies, *unnamed_classes]
        all_copy_ids = frozenset[str]().union(*[card_class.copy_ids for card_class in classes])
        common_class = next(
            (
                card_class
                for card_class in sorted([*classes, moved_class], key=_copy_count)
                if card_class.copy_ids >= all_copy_ids
            ),
            moved_class,
        )
        for unnamed_class in unnamed_classes:
            for _ in range(
                self.unnamed_counts[place, unnamed_class] if unnamed_class is not common_class else 0
            ):
                self._move_unnamed_piece(common_class, UNSEEN_PLACE, place)
                self._move_unnamed_piece(unnamed_class, place, UNSEEN_PLACE)
        for copy_id in copy_ids:
            self._record_move(self.face_pieces[copy_id], place, UNSEEN_PLACE)
            self._set_known_place(copy_id, UNSEEN_PLACE)
            self._move_unnamed_piece(common_class, UNSEEN_PLACE, place)
            self.candidate_places[copy_id] = frozenset([place])
            self.once_identified.add(copy_id)
        return common_class

    def add_candidate_place(self, card_class: CardClass, source: Place, target: Place) -> None:
        """Adds `target` to the candidate places of every copy that may be the card that moved."""
        possible_ids = [
            copy_id
            for copy_id in card_class.copy_ids
            if copy_id not in self.place_of and self._may_be(copy_id, source, None)
        ]
        for copy_id in possible_ids:
            self.candidate_places[copy_id] = self.candidate_places.get(copy_id, ONLY_UNSEEN) | {target}
        if target == UNSEEN_PLACE and not self.once_identified.isdisjoint(possible_ids):
            self.unseen_count += 1

    def narrow_candidate_places(self) -> None:
        """Narrows the candidate places of copies to those where they can still be.

        A copy with one candidate place left is identified. Places without unnamed cards that fit are
        dropped.
        """
        while True:
            for copy_id in sorted(self.once_identified):
                places = frozenset(
                    [place for place in self.candidate_places[copy_id] if self.can_copy_be_at(copy_id, place)]
                )
                self.candidate_places[copy_id] = places
                if len(places) == 1:
                    self._identify(copy_id, *places, *places)
                    break
            else:
                return

    def net_piece_moves(self) -> Iterator[tuple[Piece, Place, Place]]:
        """Yields the net moves of pieces since this object was made: piece, source and target."""
        change_by_place_by_piece: dict[Piece, dict[Place, int]] = defaultdict(lambda: defaultdict(int))
        for piece, _, target in self.piece_moves:
            change_by_place_by_piece[piece][target] += 1
        for piece, source, _ in self.piece_moves:
            change_by_place_by_piece[piece][source] -= 1
        for piece, change_by_place in change_by_place_by_piece.items():
            sources = [place for place, count in change_by_place.items() for _ in range(-count)]
            targets = [place for place, count in change_by_place.items() for _ in range(count)]
            for source, target in zip(sources, targets, strict=True):
                yield piece, source, target

    def _move_unnamed_piece(self, card_class: CardClass, source: Place, target: Place) -> None:
        self._record_move(card_class.piece, source, target)
        for place, change in ((source, -1), (target, 1)):
            if place != UNSEEN_PLACE:
                self.unnamed_counts[place, card_class] = (
                    self.unnamed_counts.get((place, card_class), 0) + change
                )
        if self.unnamed_counts.get((source, card_class)) == 0:
            del self.unnamed_counts[source, card_class]
            if source not in {place for place, _ in self.unnamed_counts}:
                self.candidate_places = {
                    copy_id: places - {source} for copy_id, places in self.candidate_places.items()
                }

    def _record_move(self, piece: Piece, source: Place, target: Place) -> None:
        if source != target:
            self.piece_moves.append((piece, source, target))


def has_perfect_matching(candidate_lists: Sequence[Collection[Hashable]]) -> bool:
    """Returns whether each list can get a candidate of its own (perfect bipartite matching)."""
    owner_by_candidate: dict[Hashable, int] = {}

    def assign(index: int, tried: set[Hashable]) -> bool:
        for candidate in candidate_lists[index]:
            if candidate not in tried:
                tried.add(candidate)
                if candidate not in owner_by_candidate or assign(owner_by_candidate[candidate], tried):
                    owner_by_candidate[candidate] = index
                    return True
        return False

    return all(assign(index, set()) for index in range(len(candidate_lists)))


def _copy_count(card_class: CardClass) -> int:
    return len(card_class.copy_ids)


def _have_common_copies(card_class: CardClass, other: CardClass) -> bool:
    return card_class is other or not card_class.copy_ids.isdisjoint(other.copy_ids)
