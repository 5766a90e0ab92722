"""Which cards of a deck have been seen, and where they are now.

`FaceTracker` moves the faces of cards in the ledger as cards are shown. It knows no rule. The backs that
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
    """Returns the sentence that a copy is already at this place, or at one of these places."""
    if len(places) > 1:
        text = "{card} is already at one of these places: {places}."
        return say(text, card=card.copy_label, places=say_list(places))
    return say("{card} is already at another place: {places}.", card=card.copy_label, places=say_list(places))


def too_many_copies_text(
    card: Card, copy_count: int, possible_count: int, shown_count: int, places: Sequence[Place]
) -> Say:
    """Returns the sentence that fewer copies can be here than were shown."""
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


class FaceTracker:
    """Tracks which cards of a deck have been seen, and where those cards are now.

    Each card of the deck is a piece of its own. So is each design, for cards that were only described. All
    faces lie at `UNSEEN_PLACE` until they are shown; `indistinguishable` infers where copies may lie. While
    the deck's list is a guess, more cards than listed may show the same values. At the places
    `covered_places` nobody sees the faces; `move_faces` without a place puts them at the first of these.
    `parse_card` returns the card that one item of an answer means. `check_enough_copies` raises
    `IllegalAnswer` for cards that the deck can't hold together.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: TagLookup, *covered_places: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self.parse_card = CardResolver(deck, tags).resolve
        self._covered = covered_places
        ledger.hide_faces_at(UNSEEN_PLACE, *covered_places)
        self._deck_face_pieces = printed = build_deck_face_pieces(deck)
        self._shown, self._order = dict(printed.card_by_piece), dict(printed.order_by_piece)
        self._homes = homes = ledger.supply_covered_from_box(UNSEEN_PLACE, printed.count_by_piece)
        self._unseen = {name: homes[piece] for name, piece in printed.piece_by_copy_id.items()}
        self._card_classes = CardClasses(deck, printed, self._lay)
        self.check_enough_copies = self._card_classes.check_enough_copies

    # Questions

    def possibly_unseen_card_ids(self) -> list[str]:
        """Returns the ids of all cards that may still be unseen, in the order of the deck."""
        hidden = [(name, card) for name, card in self.deck.cards.items() if self._unseen[name].count]
        return [
            name
            for name, card in hidden
            if self._card_classes.look_alike_group_of_card(card).copy_can_lie_at(name, UNSEEN_PLACE)
        ]

    def max_unseen_count(self, design_id: str) -> int:
        """Returns how many cards of a design can still be unseen at most."""
        names = self._deck_face_pieces.copy_pieces_by_design_id[design_id]
        described = self._homes[self._deck_face_pieces.piece_by_design_id[design_id]]
        return sum([self._unseen[name].count for name in names]) + described.count - len(names)

    def find_card_by_face(self, face: Piece) -> Card | None:
        """Returns the card that a face piece shows; None for a piece of another deck."""
        return self._shown.get(face)

    def cards_with_face_at(self, place: Place) -> list[Card]:
        """Returns the cards whose faces are at a place.

        They are in the order of the deck; cards that were only typed come last.
        """
        faces = [one for one in self._ledger.accounts_at(place) if one.count and one.piece in self._shown]
        faces.sort(key=lambda one: self._order[one.piece])
        return [self._shown[one.piece] for one in faces for _ in range(one.count)]

    def cards_seen_for_first_time(
        self, cards: Sequence[Card], source_places: Sequence[Place] = ()
    ) -> list[Card]:
        """Returns the cards that come from none of the source places: nobody has seen them before."""
        coming = [
            card for card, source, _ in self._coming(cards, source_places) if source in {None, UNSEEN_PLACE}
        ]
        return coming + [card for card in cards if not has_id_design_or_values(card)]

    def can_be_any_unseen_copies(self, cards: Sequence[Card], source_places: Sequence[Place] = ()) -> bool:
        """Returns whether these cards are unnamed and can be any of the unseen copies."""
        if source_places:
            return False
        for alike, group in self._card_classes.group_look_alikes(cards).items():
            if group[0].id or not self._any_may_be(alike, len(group)):
                return False
        return True

    def can_come_from(
        self, cards: Sequence[Card], source_places: Sequence[Place] = (), *, trust_readers: bool = False
    ) -> bool:
        """Returns whether these cards can come from unseen or from the source places, as far as is known.

        `trust_readers`: cards that a reader read are there, whatever was typed before; only typed cards can
        be too many.
        """
        if self._surely(cards, source_places):
            return True
        return all(
            source is not None
            for _, source, _ in self._coming(cards, source_places, trust_readers=trust_readers)
        )

    def why_cannot_come_from(
        self, cards: Sequence[Card], source_places: Sequence[Place] = (), *, trust_readers: bool = False
    ) -> Say | None:
        """Returns why these cards can't come, using only public knowledge; None if they can."""
        for card, source, known in self._coming(
            cards, source_places, trust_readers=trust_readers, openly=True
        ):
            if source is None:
                return self._why(card, known, cards, source_places)
        return None

    def _surely(self, cards: Sequence[Card], source_places: Sequence[Place]) -> bool:
        """Returns whether the cards can surely come. It is quick: mostly no look-alike is unnamed."""
        for alike, group in self._card_classes.group_look_alikes(cards).items():
            if not (source_places or group[0].id) and self._any_may_be(alike, len(group)):
                continue
            if not (self._is_plain(alike) and self._is_there(alike, group, source_places)):
                return False
        return True

    def _is_there(
        self, alike: IndistinguishableCards, cards: Sequence[Card], source_places: Sequence[Place]
    ) -> bool:
        """Returns whether the cards are unseen or at these places, if no look-alike lies unnamed."""
        more = len(cards)
        for card in cards:
            if card.id is not None and not self._unseen[card.id].count:
                if self._ledger.find_account_holding(self._unseen[card.id].piece).place not in source_places:
                    return False
                more -= 1
        return sum([self._unseen[name].count for name in alike.face_pieces]) >= more

    def _is_plain(self, alike: IndistinguishableCards) -> bool:
        """Returns whether no look-alike lies unnamed anywhere."""
        (kind, *others) = alike.classes
        return not (alike.once_identified or others) and self._homes[kind.piece].count == len(kind.copy_ids)

    def _any_may_be(self, alike: IndistinguishableCards, more: int) -> bool:
        """Returns whether `more` unnamed cards can come unseen if any free copy may be any of them."""
        kind = alike.classes[0]
        home = self._homes[kind.piece]
        if len(alike.classes) > 1 or home.count < more:
            return False
        if alike.uniform_places is not None:
            return True
        free = [name for name in alike.face_pieces if self._unseen[name].count]
        places = {alike.candidate_places.get(name, ONLY_UNSEEN) for name in free}
        if alike.once_identified or len(places) != 1:
            return False
        if kind.is_limited and len(kind.copy_ids) - home.count + more > len(free):
            return False
        (spots,) = places
        return spots.issuperset(
            account.place for account in self._ledger.accounts_of(kind.piece) if account.count > 0
        )

    def _why(
        self, card: Card, known: IndistinguishableCards, cards: Sequence[Card], at: Sequence[Place]
    ) -> Say:
        """Returns why a card can't come: where the copy is, or where its look-alikes are."""
        kind = self._card_classes.class_of_card(card)
        lies = self._known(
            self._card_classes.look_alike_group_of_card(card), openly=True
        ).possible_places_of_class(kind)
        others = [place for place in lies if place not in at] or lies
        places = known.possible_places_of_copy(card.id) if card.id else []
        if places or len(kind.copy_ids) == 1:
            return copy_already_elsewhere_text(card, places or others)
        coming = self._coming(
            [card.without_id] * (count := self._card_classes.count_certain_members(cards, kind)),
            at,
            openly=True,
        )
        left = sum(source is not None for _, source, _ in coming)
        return too_many_copies_text(card, len(kind.copy_ids), left, count, others)

    def _coming(
        self,
        cards: Sequence[Card],
        source_places: Sequence[Place],
        *,
        trust_readers: bool = False,
        openly: bool = False,
    ) -> Iterator[tuple[Card, Place | None, IndistinguishableCards]]:
        """Yields each card, its source and what is known then; the first that can't come has no source."""
        for group in self._card_classes.group_look_alikes(cards).values():
            known = self._known(self._card_classes.look_alike_group_of_card(group[0]), openly=openly)
            whats = [card.id or self._card_classes.class_of_card(card) for card in group]
            tries = (
                known.assign_sources(whats[:many], source_places, trust_readers=trust_readers)
                for many in range(len(group), -1, -1)
            )
            found = next(each for each in tries if each is not None)
            for card, (source, then) in zip(group, found, strict=False):
                known = then
                yield card, source, known
            for card in group[len(found) : len(found) + 1]:
                yield card, None, known

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
        target = self._covered[0] if target_place is None else target_place
        for alike, group in self._card_classes.group_look_alikes(cards).items():
            if not (source_places or returned_unseen) and self._describe(alike, group, target):
                continue
            coming = group
            if not returned_unseen and self._is_plain(alike):
                for card in group:
                    if card.id is not None:
                        self._name(alike, card.id, target)
                coming = [card for card in group if card.id is None]
            if coming and (source_places or returned_unseen or not self._describe(alike, coming, target)):
                self._weigh(alike, coming, target, source_places, returned_unseen)

    def _name(self, alike: IndistinguishableCards, name: str, target: Place) -> None:
        alike.track_copies_separately()
        home = self._unseen[name]
        account = home if home.count else self._ledger.find_account_holding(home.piece)
        if account.place != target:
            self._ledger.transfer(account, self._ledger.open_account(target, home.piece), 1)

    def _describe(self, alike: IndistinguishableCards, cards: Sequence[Card], target: Place) -> bool:
        """Moves unnamed cards without inference, if any free copy may be any of them; else returns False."""
        if cards[0].id or not self._any_may_be(alike, len(cards)):
            return False
        piece = alike.classes[0].piece
        self._ledger.transfer(self._homes[piece], self._ledger.open_account(target, piece), len(cards))
        if alike.uniform_places is None:
            for name in alike.face_pieces:
                if self._unseen[name].count:
                    alike.candidate_places[name] = alike.candidate_places.get(name, ONLY_UNSEEN) | {target}
        elif target not in alike.uniform_places:
            alike.uniform_places |= {target}
        return True

    def _weigh(
        self,
        alike: IndistinguishableCards,
        cards: Sequence[Card],
        target: Place,
        at: Sequence[Place],
        back: Collection[Card],
    ) -> None:
        """Moves look-alikes by inference, because nobody said which of the unnamed ones they are."""
        known = self._known(alike)
        for card in cards:
            known = self._come_here(known, card.id or self._card_classes.class_of_card(card), at)
        for card in back:
            if has_id_design_or_values(card) and self._card_classes.look_alike_group_of_card(card) is alike:
                known.move_card(self._card_classes.class_of_card(card), CHECKED_ANSWER_PLACE, UNSEEN_PLACE)
        known.move_all_cards(CHECKED_ANSWER_PLACE, target)
        self._keep(alike, known)

    def _come_here(
        self, known: IndistinguishableCards, what: str | CardClass, at: Sequence[Place]
    ) -> IndistinguishableCards:
        """Moves a card to the answer from where it may come, else from wherever it lies: it was shown."""
        ways = (
            known.find_possible_sources(what, at, match_unnamed_cards=counting) for counting in (True, False)
        )
        lies = known.place_of.get(what, UNSEEN_PLACE) if isinstance(what, str) else UNSEEN_PLACE
        _, then = next(chain(*ways), (lies, None))
        return then or known.copy_after_move(what, lies, CHECKED_ANSWER_PLACE)

    def move_cards_openly(self, cards: Iterable[Card], source: Account, target: Account) -> None:
        """Moves cards openly from one account to another, back and face; never more than the source holds.

        A card from a hand or a pile counts as seen from now on.
        """
        for card in cards:
            if source.count < 1:
                return  # people moved a face there, and no card
            self.move_faces([card], target.place, source_places=(source.place,))
            if source is not target:
                self._ledger.transfer(source, target, 1)

    def record_faces_moved_by_hand(self, face: Piece, source: Place, target: Place, count: int) -> None:
        """Records that people moved these faces by hand. Only Companion calls this."""
        card = self._shown.get(face)
        if card is None:
            return
        alike = self._card_classes.look_alike_group_of_card(card).track_copies_separately()
        if card.id is None:
            known = self._known(alike)
            for _ in range(count):
                known.add_candidate_place(self._card_classes.class_of_card(card), source, target)
            known.narrow_candidate_places()
            self._keep(alike, known)

    def move_faces_renamed_by_amendment(self, face: Account, target: Place, count: int) -> bool:
        """Moves faces by hand that an amended answer has renamed. Returns False if none moved.

        After the amendment Companion may know a card by its tag that it knew by its values before, or the
        other way round; or a look-alike is there under its own name. Only Companion calls this.
        """
        card = self._shown.get(face.piece)
        if card is None or face.covered:
            return False
        if face.count >= count and not (card.id is None and self._named_at(card, face.place)):
            return False
        cards, at = [card] * count, (face.place,)
        if not self.can_come_from(cards, at) or self.cards_seen_for_first_time(cards, at):
            return False
        self.move_faces(cards, target, at)
        return True

    def _named_at(self, card: Card, place: Place) -> bool:
        """Returns whether an identified copy that this card may be is at the place."""
        alike = self._card_classes.look_alike_group_of_card(card)
        pieces = [
            alike.face_pieces[name]
            for name in self._card_classes.class_of_card(card).copy_ids
            if name in alike.face_pieces
        ]
        return any(self._ledger.count_at(place, piece) for piece in pieces)

    def mark_all_unseen(self) -> None:
        """Makes all faces unseen, because all cards were shuffled together."""
        for account, home in self._ledger.find_misplaced_accounts(self._homes):
            self._ledger.transfer(account, home, account.count)
        self._card_classes.forget_seen_cards()

    def _keep(self, alike: IndistinguishableCards, known: IndistinguishableCards) -> None:
        """Stores what is known and moves the face pieces accordingly."""
        alike.candidate_places, alike.once_identified, alike.unseen_count = (
            known.candidate_places,
            known.once_identified,
            known.unseen_count,
        )
        for piece, source, target in known.net_piece_moves():
            self._ledger.transfer(
                self._ledger.open_account(source, piece), self._ledger.open_account(target, piece), 1
            )

    # What is known

    def _known(self, alike: IndistinguishableCards, *, openly: bool = False) -> IndistinguishableCards:
        """Returns what is known about a group of look-alikes; `openly`: only what everybody can see."""
        known = alike.track_copies_separately().copy()
        closed = {UNSEEN_PLACE, *(self._covered if openly else ())}
        for name, face in known.face_pieces.items():
            if (
                not self._unseen[name].count
                and (lies := self._ledger.find_account_holding(face).place) not in closed
            ):
                known.place_of[name] = lies
        for each in known.classes:
            for account in self._ledger.accounts_of(each.piece):
                if account.count > 0 and account.place not in closed:
                    known.unnamed_counts[account.place, each] = account.count
        known.treat_places_as_unseen(closed)
        return known

    def _lay(self, key: str, card: Card) -> Piece:
        face = make_face_piece(key, card)
        self._shown[face], self._order[face] = card, len(self._order)
        self._homes[face] = self._ledger.open_account(UNSEEN_PLACE, face, covered=True)
        return face
