"""Which cards of a deck have been seen, and where they are now.

`KnownCardTracker` moves the faces of cards in the ledger as cards are shown. It knows no rule. The backs that
people see on the table are pieces of the game itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from companion.cards.deck import Card, CardResolver, Deck, TagLookup
from companion.table.card_classes import (
    CardClasses,
    build_deck_face_pieces,
    has_id_design_or_values,
    make_face_piece,
)
from companion.table.indistinguishable import (
    CHECKED_ANSWER_PLACE,
    ONLY_UNSEEN,
    UNSEEN_PLACE,
    CardClass,
    IndistinguishableCards,
)
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import Say, say, say_list


def copy_already_elsewhere_text(card: Card, places: Sequence[Place]) -> Say:
    """Returns the sentence that a copy is already at the only one, or at one of several places."""
    if len(places) > 1:
        text = "{card} is already at one of these places: {places}."
        return say(text, card=card.copy_label, places=say_list(places))
    return say("{card} is already at another place: {places}.", card=card.copy_label, places=say_list(places))


def too_many_copies_text(
    card: Card, copy_count: int, possible_count: int, shown_count: int, places: Sequence[Place]
) -> Say:
    """Returns the sentence that fewer copies of a card can be here than were shown."""
    if not places:
        return say(
            "{card}: the deck has only {n}, not {count}.",
            card=card.without_id,
            n=copy_count,
            count=shown_count,
        )
    if possible_count == 0:
        text = "{card}: all {n} copies are already at other places: {places}."
        return say(text, card=card.without_id, n=copy_count, places=say_list(places))
    text = (
        "{card}: only {left} of the {n} copies can be here, not {count}. The other copies are at other "
        "places: {places}."
    )
    return say(
        text,
        card=card.without_id,
        left=possible_count,
        n=copy_count,
        count=shown_count,
        places=say_list(places),
    )


class KnownCardTracker:
    """Tracks which cards of a deck have been seen, and where those cards are now.

    Each card of the deck is a piece of its own. So is each design, for cards that were only described. All
    faces are at `UNSEEN_PLACE` until they are shown; `indistinguishable` infers where copies may be. While
    the deck's list is a guess, more cards than listed may show the same values. At `covered_places` nobody
    sees the faces; `move_faces` without a target place puts faces at the first of them.
    `parse_card` returns the card that one item of an answer means. `check_enough_copies` raises
    `IllegalAnswer` for cards that the deck can't hold together.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: TagLookup, *covered_places: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self.parse_card = CardResolver(deck, tags).resolve
        self._covered_places = covered_places
        ledger.hide_faces_at(UNSEEN_PLACE, *covered_places)
        self._deck_face_pieces = pieces = build_deck_face_pieces(deck)
        self._card_by_face, self._order_by_face = dict(pieces.card_by_piece), dict(pieces.order_by_piece)
        self._home_by_piece = home_by_piece = ledger.supply_covered_from_box(
            UNSEEN_PLACE, pieces.count_by_piece
        )
        self._home_by_copy_id = {
            name: home_by_piece[piece] for name, piece in pieces.piece_by_copy_id.items()
        }
        self._card_classes = CardClasses(deck, pieces, self._add_face_piece)
        self.check_enough_copies = self._card_classes.check_enough_copies

    # Questions

    def possibly_unseen_card_ids(self) -> list[str]:
        """Returns the ids of all cards that may still be unseen, in the order of the deck."""
        unseen_cards = [
            (copy_id, card)
            for copy_id, card in self.deck.cards.items()
            if self._home_by_copy_id[copy_id].count
        ]
        return [
            copy_id
            for copy_id, card in unseen_cards
            if self._card_classes.look_alike_group_of_card(card).can_copy_be_at(copy_id, UNSEEN_PLACE)
        ]

    def max_unseen_count(self, design_id: str) -> int:
        """Returns how many cards of a design can still be unseen at most."""
        copy_ids = self._deck_face_pieces.copy_pieces_by_design_id[design_id]
        described_home = self._home_by_piece[self._deck_face_pieces.piece_by_design_id[design_id]]
        return (
            sum([self._home_by_copy_id[copy_id].count for copy_id in copy_ids])
            + described_home.count
            - len(copy_ids)
        )

    def find_card_by_face(self, face: Piece) -> Card | None:
        """Returns the card that a face piece shows; None for a piece of another deck."""
        return self._card_by_face.get(face)

    def known_cards_at(self, place: Place) -> list[Card]:
        """Returns the cards whose faces are at a place.

        They are in the order of the deck; cards that were only typed come last.
        """
        face_accounts = [
            account
            for account in self._ledger.accounts_at(place)
            if account.count and account.piece in self._card_by_face
        ]
        face_accounts.sort(key=lambda account: self._order_by_face[account.piece])
        return [self._card_by_face[account.piece] for account in face_accounts for _ in range(account.count)]

    def cards_seen_for_first_time(
        self, cards: Sequence[Card], source_places: Sequence[Place] = ()
    ) -> list[Card]:
        """Returns the cards that come from none of the source places: nobody has seen them before."""
        new_cards = [
            card
            for card, source, _ in self._find_sources(cards, source_places)
            if source in {None, UNSEEN_PLACE}
        ]
        return new_cards + [card for card in cards if not has_id_design_or_values(card)]

    def can_be_any_unseen_copies(self, cards: Sequence[Card], source_places: Sequence[Place] = ()) -> bool:
        """Returns whether these cards are unnamed and can be any of the unseen copies."""
        if source_places:
            return False
        for look_alikes, group in self._card_classes.group_look_alikes(cards).items():
            if group[0].id or not self._group_can_be_any_unseen_copies(look_alikes, len(group)):
                return False
        return True

    def can_come_from(
        self, cards: Sequence[Card], source_places: Sequence[Place] = (), *, trust_readers: bool = False
    ) -> bool:
        """Returns whether these cards can come from unseen or from the source places, as far as is known.

        `trust_readers`: cards that a reader read are there, whatever was typed before; only typed cards can
        be too many.
        """
        if self._can_surely_come_from(cards, source_places):
            return True
        return all(
            source is not None
            for _, source, _ in self._find_sources(cards, source_places, trust_readers=trust_readers)
        )

    def why_cannot_come_from(
        self, cards: Sequence[Card], source_places: Sequence[Place] = (), *, trust_readers: bool = False
    ) -> Say | None:
        """Returns why these cards can't come, using only public knowledge; None if they can."""
        for card, source, state in self._find_sources(
            cards, source_places, trust_readers=trust_readers, only_public=True
        ):
            if source is None:
                return self._explain_impossible_card(card, state, cards, source_places)
        return None

    def _can_surely_come_from(self, cards: Sequence[Card], source_places: Sequence[Place]) -> bool:
        """Returns whether the cards can surely come from unseen or from the source places.

        The check is quick and mostly enough, because mostly no look-alike is unnamed.
        """
        for look_alikes, group in self._card_classes.group_look_alikes(cards).items():
            if not (source_places or group[0].id) and self._group_can_be_any_unseen_copies(
                look_alikes, len(group)
            ):
                continue
            if not (
                self._has_only_identified_cards(look_alikes)
                and self._are_available(look_alikes, group, source_places)
            ):
                return False
        return True

    def _are_available(
        self, look_alikes: IndistinguishableCards, cards: Sequence[Card], source_places: Sequence[Place]
    ) -> bool:
        """Returns whether the cards are unseen or at the source places; no look-alike may be unnamed."""
        needed_count = len(cards)
        for card in cards:
            if card.id is not None and not self._home_by_copy_id[card.id].count:
                face = self._home_by_copy_id[card.id].piece
                if self._ledger.find_account_holding(face).place not in source_places:
                    return False
                needed_count -= 1
        unseen_count = sum([self._home_by_copy_id[copy_id].count for copy_id in look_alikes.face_pieces])
        return unseen_count >= needed_count

    def _has_only_identified_cards(self, look_alikes: IndistinguishableCards) -> bool:
        """Returns whether no look-alike is unnamed anywhere."""
        (card_class, *other_classes) = look_alikes.classes
        if look_alikes.once_identified or other_classes:
            return False
        return self._home_by_piece[card_class.piece].count == len(card_class.copy_ids)

    def _group_can_be_any_unseen_copies(self, look_alikes: IndistinguishableCards, count: int) -> bool:
        """Returns whether `count` unnamed cards of the group can be any of its unseen copies."""
        card_class = look_alikes.classes[0]
        class_home = self._home_by_piece[card_class.piece]
        if len(look_alikes.classes) > 1 or class_home.count < count:
            return False
        if look_alikes.uniform_places is not None:
            return True
        unseen_ids = [copy_id for copy_id in look_alikes.face_pieces if self._home_by_copy_id[copy_id].count]
        candidate_sets = {look_alikes.candidate_places.get(copy_id, ONLY_UNSEEN) for copy_id in unseen_ids}
        if look_alikes.once_identified or len(candidate_sets) != 1:
            return False
        if card_class.is_limited and len(card_class.copy_ids) - class_home.count + count > len(unseen_ids):
            return False
        (candidate_places,) = candidate_sets
        return candidate_places.issuperset(
            account.place for account in self._ledger.accounts_of(card_class.piece) if account.count > 0
        )

    def _explain_impossible_card(
        self, card: Card, state: IndistinguishableCards, cards: Sequence[Card], source_places: Sequence[Place]
    ) -> Say:
        """Returns why a card can't come: where the copy is, or where its look-alikes are."""
        card_class = self._card_classes.class_of_card(card)
        possible_places = self._infer_state(
            self._card_classes.look_alike_group_of_card(card), only_public=True
        ).possible_places_of_class(card_class)
        other_places = [place for place in possible_places if place not in source_places] or possible_places
        places_of_copy = state.possible_places_of_copy(card.id) if card.id else []
        if places_of_copy or len(card_class.copy_ids) == 1:
            return copy_already_elsewhere_text(card, places_of_copy or other_places)
        count = self._card_classes.count_certain_members(cards, card_class)
        sources = self._find_sources([card.without_id] * count, source_places, only_public=True)
        possible_count = sum(source is not None for _, source, _ in sources)
        return too_many_copies_text(card, len(card_class.copy_ids), possible_count, count, other_places)

    def _find_sources(
        self,
        cards: Sequence[Card],
        source_places: Sequence[Place],
        *,
        trust_readers: bool = False,
        only_public: bool = False,
    ) -> Iterator[tuple[Card, Place | None, IndistinguishableCards]]:
        """Yields each card, its source and what is known then; a card that can't come has no source.

        The other cards of such a card's group don't follow.
        """
        for group in self._card_classes.group_look_alikes(cards).values():
            state = self._infer_state(
                self._card_classes.look_alike_group_of_card(group[0]), only_public=only_public
            )
            copy_ids_or_classes = [card.id or self._card_classes.class_of_card(card) for card in group]
            assignments = (
                state.assign_sources(
                    copy_ids_or_classes[:assigned_count], source_places, trust_readers=trust_readers
                )
                for assigned_count in range(len(group), -1, -1)
            )
            best_assignment = next(assignment for assignment in assignments if assignment is not None)
            for card, (source, state_after) in zip(group, best_assignment, strict=False):
                state = state_after
                yield card, source, state
            for card in group[len(best_assignment) : len(best_assignment) + 1]:
                yield card, None, state

    # Moves

    def move_faces(
        self,
        cards: Sequence[Card],
        target_place: Place | None = None,
        source_places: Sequence[Place] = (),
        returned_unseen: Collection[Card] = (),
    ) -> None:
        """Moves the faces of these cards to a place, but not their backs.

        `move_cards_openly` moves both. `source_places`: the places from which cards that were only typed
        may come. Without a target place the faces go to the first covered place. A card of which nothing
        is known moves no face. `returned_unseen`: those of the cards that were taken back unseen; among
        look-alikes nobody said which.
        """
        target = self._covered_places[0] if target_place is None else target_place
        for look_alikes, group in self._card_classes.group_look_alikes(cards).items():
            if not (source_places or returned_unseen) and self._move_without_inference(
                look_alikes, group, target
            ):
                continue
            unidentified_cards = group
            if not returned_unseen and self._has_only_identified_cards(look_alikes):
                for card in group:
                    if card.id is not None:
                        self._move_identified_face(look_alikes, card.id, target)
                unidentified_cards = [card for card in group if card.id is None]
            if unidentified_cards and (
                source_places
                or returned_unseen
                or not self._move_without_inference(look_alikes, unidentified_cards, target)
            ):
                self._move_by_inference(
                    look_alikes, unidentified_cards, target, source_places, returned_unseen
                )

    def _move_identified_face(self, look_alikes: IndistinguishableCards, copy_id: str, target: Place) -> None:
        look_alikes.start_tracking_copies_separately()
        home = self._home_by_copy_id[copy_id]
        account = home if home.count else self._ledger.find_account_holding(home.piece)
        if account.place != target:
            self._ledger.transfer(account, self._ledger.open_account(target, home.piece), 1)

    def _move_without_inference(
        self, look_alikes: IndistinguishableCards, cards: Sequence[Card], target: Place
    ) -> bool:
        """Moves unnamed cards if they can be any of the unseen copies; returns whether it moved them."""
        if cards[0].id or not self._group_can_be_any_unseen_copies(look_alikes, len(cards)):
            return False
        piece = look_alikes.classes[0].piece
        self._ledger.transfer(
            self._home_by_piece[piece], self._ledger.open_account(target, piece), len(cards)
        )
        if look_alikes.uniform_places is None:
            for copy_id in look_alikes.face_pieces:
                if self._home_by_copy_id[copy_id].count:
                    places = look_alikes.candidate_places.get(copy_id, ONLY_UNSEEN)
                    look_alikes.candidate_places[copy_id] = places | {target}
        elif target not in look_alikes.uniform_places:
            look_alikes.uniform_places |= {target}
        return True

    def _move_by_inference(
        self,
        look_alikes: IndistinguishableCards,
        cards: Sequence[Card],
        target: Place,
        source_places: Sequence[Place],
        returned_unseen: Collection[Card],
    ) -> None:
        """Moves look-alikes by inference: nobody said which of the unnamed ones they are."""
        state = self._infer_state(look_alikes)
        for card in cards:
            state = self._move_to_checked_answer(
                state, card.id or self._card_classes.class_of_card(card), source_places
            )
        for card in returned_unseen:
            if (
                has_id_design_or_values(card)
                and self._card_classes.look_alike_group_of_card(card) is look_alikes
            ):
                state.move_card(self._card_classes.class_of_card(card), CHECKED_ANSWER_PLACE, UNSEEN_PLACE)
        state.move_all_cards(CHECKED_ANSWER_PLACE, target)
        self._save_state(look_alikes, state)

    def _move_to_checked_answer(
        self, state: IndistinguishableCards, copy_id_or_class: str | CardClass, source_places: Sequence[Place]
    ) -> IndistinguishableCards:
        """Returns what is known once a card is at `CHECKED_ANSWER_PLACE`.

        The card comes from where it may come, or else from where it is recorded, because it was shown.
        """
        sources = (
            state.find_possible_sources(
                copy_id_or_class, source_places, match_unnamed_cards=match_unnamed_cards
            )
            for match_unnamed_cards in (True, False)
        )
        present_place = (
            state.place_of.get(copy_id_or_class, UNSEEN_PLACE)
            if isinstance(copy_id_or_class, str)
            else UNSEEN_PLACE
        )
        _, state_after = next(chain(*sources), (present_place, None))
        return state_after or state.state_after_move(copy_id_or_class, present_place, CHECKED_ANSWER_PLACE)

    def move_cards_openly(self, cards: Iterable[Card], source: Account, target: Account) -> None:
        """Moves cards openly from one account to another, back and face; never more than the source holds.

        A card from a hand or a pile counts as seen from now on.
        """
        for card in cards:
            if source.count < 1:
                return  # people moved only a face there by hand, without its card
            self.move_faces([card], target.place, source_places=(source.place,))
            if source is not target:
                self._ledger.transfer(source, target, 1)

    def record_faces_moved_by_hand(self, face: Piece, source: Place, target: Place, count: int) -> None:
        """Records that people moved these faces by hand.

        Only Companion calls this.
        """
        card = self._card_by_face.get(face)
        if card is None:
            return
        look_alikes = self._card_classes.look_alike_group_of_card(card).start_tracking_copies_separately()
        if card.id is None:
            state = self._infer_state(look_alikes)
            for _ in range(count):
                state.add_candidate_place(self._card_classes.class_of_card(card), source, target)
            state.narrow_candidate_places()
            self._save_state(look_alikes, state)

    def try_move_faces_known_differently_since_amendment(
        self, face: Account, target: Place, count: int
    ) -> bool:
        """Repeats a correction whose faces an amendment has exchanged; returns whether it moved the cards.

        The correction names the faces by which Companion knew the cards before the amendment. Now Companion
        may know a card by its tag that it knew by its values, or the other way round; or a look-alike is
        there under its own name. Only Companion calls this.
        """
        card = self._card_by_face.get(face.piece)
        if card is None or face.covered:
            return False
        if face.count >= count and not (card.id is None and self._has_identified_copy_at(card, face.place)):
            return False
        cards, source_places = [card] * count, (face.place,)
        if not self.can_come_from(cards, source_places) or self.cards_seen_for_first_time(
            cards, source_places
        ):
            return False
        self.move_faces(cards, target, source_places)
        return True

    def _has_identified_copy_at(self, card: Card, place: Place) -> bool:
        """Returns whether the place has an identified copy that this card may be."""
        look_alikes = self._card_classes.look_alike_group_of_card(card)
        pieces = [
            look_alikes.face_pieces[copy_id]
            for copy_id in self._card_classes.class_of_card(card).copy_ids
            if copy_id in look_alikes.face_pieces
        ]
        return any(self._ledger.count_at(place, piece) for piece in pieces)

    def mark_all_unseen(self) -> None:
        """Makes all faces unseen, because all cards were shuffled together."""
        for account, home in self._ledger.find_misplaced_accounts(self._home_by_piece):
            self._ledger.transfer(account, home, account.count)
        self._card_classes.forget_seen_cards()

    def _save_state(self, look_alikes: IndistinguishableCards, state: IndistinguishableCards) -> None:
        """Stores what is known and moves the face pieces accordingly."""
        look_alikes.candidate_places = state.candidate_places
        look_alikes.once_identified = state.once_identified
        look_alikes.unseen_count = state.unseen_count
        for piece, source, target in state.net_piece_moves():
            self._ledger.transfer(
                self._ledger.open_account(source, piece), self._ledger.open_account(target, piece), 1
            )

    # What is known

    def _infer_state(
        self, look_alikes: IndistinguishableCards, *, only_public: bool = False
    ) -> IndistinguishableCards:
        """Returns what is known about a group of look-alikes; `only_public`: only what everybody can see."""
        state = look_alikes.start_tracking_copies_separately().copy()
        hidden_places = {UNSEEN_PLACE, *(self._covered_places if only_public else ())}
        for copy_id, face in state.face_pieces.items():
            if (
                not self._home_by_copy_id[copy_id].count
                and (face_place := self._ledger.find_account_holding(face).place) not in hidden_places
            ):
                state.place_of[copy_id] = face_place
        for card_class in state.classes:
            for account in self._ledger.accounts_of(card_class.piece):
                if account.count > 0 and account.place not in hidden_places:
                    state.unnamed_counts[account.place, card_class] = account.count
        state.treat_places_as_unseen(hidden_places)
        return state

    def _add_face_piece(self, key: str, card: Card) -> Piece:
        face = make_face_piece(key, card)
        self._card_by_face[face], self._order_by_face[face] = card, len(self._order_by_face)
        self._home_by_piece[face] = self._ledger.open_account(UNSEEN_PLACE, face, covered=True)
        return face
