"""Which cards of a deck have been seen, and where they lie since.

`FaceTracker` moves the faces of cards in the ledger as cards are shown. It knows no rule. The backs that
people see on the table are pieces of the game itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from companion.cards.deck import Card, CardResolver, Deck, TagLookup
from companion.table.card_classes import CardClasses, face_piece, face_pieces_of, says_anything
from companion.table.indistinguishable import (
    CHECKED_CARDS_PLACE,
    ONLY_UNSEEN,
    UNSEEN_PLACE,
    CardClass,
    IndistinguishableCards,
)
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import Say, say, say_list


def copy_elsewhere_text(card: Card, places: Sequence[Place]) -> Say:
    """Returns the sentence that a copy lies at this place, or at one of these places."""
    if len(places) > 1:
        text = "{card} is already at one of these places: {places}."
        return say(text, card=card.copy_label, places=say_list(places))
    return say("{card} is already at another place: {places}.", card=card.copy_label, places=say_list(places))


def copies_elsewhere_text(card: Card, copies: int, left: int, count: int, places: Sequence[Place]) -> Say:
    """Returns the sentence that only `left` of `copies` look-alikes can come, but `count` were shown."""
    if not places:
        return say("{card}: the deck has only {n}, not {count}.", card=card.without_id, n=copies, count=count)
    if left == 0:
        text = "{card}: all {n} copies are already at other places: {places}."
        return say(text, card=card.without_id, n=copies, places=say_list(places))
    text = (
        "{card}: only {left} of the {n} copies can be here, not {count}. The other copies are at other "
        "places: {places}."
    )
    return say(text, card=card.without_id, left=left, n=copies, count=count, places=say_list(places))


class FaceTracker:
    """Which faces of a deck have been seen, and where those cards are now.

    Each card of the deck is a piece of its own. So is each design, for cards that were only described.
    All faces lie at `UNSEEN_PLACE` until they are shown; `indistinguishable` infers where copies may lie.
    While the list is a guess, more cards than it holds may show the same values.
    At the places `covered` nobody sees the faces; `show` without a place puts them at the first of these.
    `parse_card` returns the card that one item of an answer means. `check_counts` raises `IllegalAnswer` for
    cards that the deck can't hold together.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: TagLookup, *covered: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self.parse_card = CardResolver(deck, tags).resolve
        self._covered = covered
        ledger.cover_places(UNSEEN_PLACE, *covered)
        self._printed = printed = face_pieces_of(deck)
        self._shown, self._order = dict(printed.cards), dict(printed.order)
        self._homes = homes = ledger.supply_covered(UNSEEN_PLACE, printed.counts)
        self._unseen = {name: homes[piece] for name, piece in printed.by_copy.items()}
        self._kinds = CardClasses(deck, printed, self._lay)
        self.check_counts = self._kinds.check_counts

    # Questions

    def unseen_ids(self) -> list[str]:
        """Returns the ids of all cards that can still come unseen, in the order of the deck."""
        hidden = [(name, card) for name, card in self.deck.cards.items() if self._unseen[name].count]
        return [
            name
            for name, card in hidden
            if self._kinds.indistinguishable_from(card).can_lie_at(name, UNSEEN_PLACE)
        ]

    def unseen_count_of(self, design: str) -> int:
        """Returns how many cards of a design can still be unseen."""
        names = self._printed.copies_of_design[design]
        described = self._homes[self._printed.by_design[design]]
        return sum([self._unseen[name].count for name in names]) + described.count - len(names)

    def card_of(self, face: Piece) -> Card | None:
        """Returns what is printed on this face; None for a piece of another deck."""
        return self._shown.get(face)

    def cards_at(self, place: Place) -> list[Card]:
        """Returns the cards whose faces lie at a place, in the order of the deck; only typed ones last."""
        faces = [one for one in self._ledger.accounts_at(place) if one.count and one.piece in self._shown]
        faces.sort(key=lambda one: self._order[one.piece])
        return [self._shown[one.piece] for one in faces for _ in range(one.count)]

    def never_seen_before(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> list[Card]:
        """Returns those of the cards that come from none of these places: nobody has seen them before."""
        coming = [card for card, source, _ in self._coming(cards, at) if source in {None, UNSEEN_PLACE}]
        return coming + [card for card in cards if not says_anything(card)]

    def any_copies_can_come(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> bool:
        """True if these cards are unnamed and any copies of them can come unseen."""
        if at:
            return False
        for alike, group in self._kinds.group_cards(cards).items():
            if group[0].id or not self._any_may_be(alike, len(group)):
                return False
        return True

    def can_be_shown(
        self, cards: Sequence[Card], at: Sequence[Place] = (), *, believing: bool = False
    ) -> bool:
        """True if these cards can still come, unseen or from the places `at`, as far as is known.

        `believing`: trusts the readers, whatever was typed before; only typed cards can be too many.
        """
        if self._surely(cards, at):
            return True
        return all(source is not None for _, source, _ in self._coming(cards, at, believing=believing))

    def why_elsewhere(
        self, cards: Sequence[Card], at: Sequence[Place] = (), *, believing: bool = False
    ) -> Say | None:
        """Returns why these cards can't come, from what all can see; None if they can."""
        for card, source, known in self._coming(cards, at, believing=believing, openly=True):
            if source is None:
                return self._why(card, known, cards, at)
        return None

    def _surely(self, cards: Sequence[Card], at: Sequence[Place]) -> bool:
        """Returns whether the cards can surely come. It is quick: mostly no look-alike lies unnamed."""
        for alike, group in self._kinds.group_cards(cards).items():
            if not (at or group[0].id) and self._any_may_be(alike, len(group)):
                continue
            if not (self._is_plain(alike) and self._is_there(alike, group, at)):
                return False
        return True

    def _is_there(self, alike: IndistinguishableCards, cards: Sequence[Card], at: Sequence[Place]) -> bool:
        """Returns whether the cards are unseen or at these places, if no look-alike lies unnamed."""
        more = len(cards)
        for card in cards:
            if card.id is not None and not self._unseen[card.id].count:
                if self._ledger.account_holding(self._unseen[card.id].piece).place not in at:
                    return False
                more -= 1
        return sum([self._unseen[name].count for name in alike.face_pieces]) >= more

    def _is_plain(self, alike: IndistinguishableCards) -> bool:
        """Returns whether no look-alike lies unnamed anywhere."""
        (kind, *others) = alike.classes
        return not (alike.once_identified or others) and self._homes[kind.piece].count == len(kind.copies)

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
        if kind.is_limited and len(kind.copies) - home.count + more > len(free):
            return False
        (spots,) = places
        return spots.issuperset(
            account.place for account in self._ledger.accounts_of(kind.piece) if account.count > 0
        )

    def _why(
        self, card: Card, known: IndistinguishableCards, cards: Sequence[Card], at: Sequence[Place]
    ) -> Say:
        """Returns why a card can't come: where the copy is, or where its look-alikes are."""
        kind = self._kinds.class_of(card)
        lies = self._known(self._kinds.indistinguishable_from(card), openly=True).places_of_class(kind)
        others = [place for place in lies if place not in at] or lies
        places = known.places_of_copy(card.id) if card.id else []
        if places or len(kind.copies) == 1:
            return copy_elsewhere_text(card, places or others)
        coming = self._coming(
            [card.without_id] * (count := self._kinds.count_surely_of(cards, kind)), at, openly=True
        )
        left = sum(source is not None for _, source, _ in coming)
        return copies_elsewhere_text(card, len(kind.copies), left, count, others)

    def _coming(
        self, cards: Sequence[Card], at: Sequence[Place], *, believing: bool = False, openly: bool = False
    ) -> Iterator[tuple[Card, Place | None, IndistinguishableCards]]:
        """Yields each card, its source and what is known then; the first that can't come has no source."""
        for group in self._kinds.group_cards(cards).values():
            known = self._known(self._kinds.indistinguishable_from(group[0]), openly=openly)
            whats = [card.id or self._kinds.class_of(card) for card in group]
            tries = (
                known.assign_sources(whats[:many], at, trust_readers=believing)
                for many in range(len(group), -1, -1)
            )
            found = next(each for each in tries if each is not None)
            for card, (source, then) in zip(group, found, strict=False):
                known = then
                yield card, source, known
            for card in group[len(found) : len(found) + 1]:
                yield card, None, known

    # Moves

    def show(
        self,
        cards: Sequence[Card],
        place: Place | None = None,
        at: Sequence[Place] = (),
        back: Collection[Card] = (),
    ) -> None:
        """Moves the faces of these cards to a place; their backs stay. `move_cards` moves both.

        `at`: the places from which cards that were only typed may come.
        Without a place the faces go where they lie face down. A card of which nothing is known moves no face.
        `back`: those of the cards that were taken back unseen; among cards that look alike nobody said which.
        """
        target = self._covered[0] if place is None else place
        for alike, group in self._kinds.group_cards(cards).items():
            if not (at or back) and self._describe(alike, group, target):
                continue
            coming = group
            if not back and self._is_plain(alike):
                for card in group:
                    if card.id is not None:
                        self._name(alike, card.id, target)
                coming = [card for card in group if card.id is None]
            if coming and (at or back or not self._describe(alike, coming, target)):
                self._weigh(alike, coming, target, at, back)

    def _name(self, alike: IndistinguishableCards, name: str, target: Place) -> None:
        alike.stop_treating_alike()
        home = self._unseen[name]
        account = home if home.count else self._ledger.account_holding(home.piece)
        if account.place != target:
            self._ledger.transfer(account, self._ledger.account(target, home.piece), 1)

    def _describe(self, alike: IndistinguishableCards, cards: Sequence[Card], target: Place) -> bool:
        """Moves unnamed cards without inference, if any free copy may be any of them; else returns False."""
        if cards[0].id or not self._any_may_be(alike, len(cards)):
            return False
        piece = alike.classes[0].piece
        self._ledger.transfer(self._homes[piece], self._ledger.account(target, piece), len(cards))
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
            known = self._come_here(known, card.id or self._kinds.class_of(card), at)
        for card in back:
            if says_anything(card) and self._kinds.indistinguishable_from(card) is alike:
                known.move(self._kinds.class_of(card), CHECKED_CARDS_PLACE, UNSEEN_PLACE)
        known.move_all(CHECKED_CARDS_PLACE, target)
        self._keep(alike, known)

    def _come_here(
        self, known: IndistinguishableCards, what: str | CardClass, at: Sequence[Place]
    ) -> IndistinguishableCards:
        """Moves a card to the answer from where it may come, else from wherever it lies: it was shown."""
        ways = (known.possible_sources(what, at, count_unnamed=counting) for counting in (True, False))
        lies = known.place_of.get(what, UNSEEN_PLACE) if isinstance(what, str) else UNSEEN_PLACE
        _, then = next(chain(*ways), (lies, None))
        return then or known.after_move(what, lies, CHECKED_CARDS_PLACE)

    def move_cards(self, cards: Iterable[Card], source: Account, target: Account) -> None:
        """Moves cards openly from one account to another, back and face; never more than lie there.

        A card from a hand or a pile is seen from now on.
        """
        for card in cards:
            if source.count < 1:
                return  # people moved a face there, and no card
            self.show([card], target.place, at=(source.place,))
            if source is not target:
                self._ledger.transfer(source, target, 1)

    def moved_by_hand(self, piece: Piece, source: Place, target: Place, count: int) -> None:
        """Tells Companion that people moved these faces. Companion calls it itself."""
        card = self._shown.get(piece)
        if card is None:
            return
        alike = self._kinds.indistinguishable_from(card).stop_treating_alike()
        if card.id is None:
            known = self._known(alike)
            for _ in range(count):
                known.spread_candidates(self._kinds.class_of(card), source, target)
            known.narrow_candidates()
            self._keep(alike, known)

    def move_look_alikes(self, face: Account, target: Place, count: int) -> bool:
        """Moves faces that people moved and an amended answer renamed. Returns False if none moved.

        Since the amendment Companion knows a card by its tag that it knew by its looks before, or the other
        way round; or a card that looks the same lies there by its name. Companion calls it itself.
        """
        card = self._shown.get(face.piece)
        if card is None or face.covered:
            return False
        if face.count >= count and not (card.id is None and self._named_at(card, face.place)):
            return False
        cards, at = [card] * count, (face.place,)
        if not self.can_be_shown(cards, at) or self.never_seen_before(cards, at):
            return False
        self.show(cards, target, at)
        return True

    def _named_at(self, card: Card, place: Place) -> bool:
        """Returns whether an identified copy that this card may be lies there."""
        alike = self._kinds.indistinguishable_from(card)
        pieces = [
            alike.face_pieces[name] for name in self._kinds.class_of(card).copies if name in alike.face_pieces
        ]
        return any(self._ledger.count(place, piece) for piece in pieces)

    def shuffle_all(self) -> None:
        """Makes all faces unseen: all cards were shuffled together."""
        for account, home in self._ledger.misplaced(self._homes):
            self._ledger.transfer(account, home, account.count)
        self._kinds.forget_everything()

    def _keep(self, alike: IndistinguishableCards, known: IndistinguishableCards) -> None:
        """Keeps what is known and moves the face pieces accordingly."""
        alike.candidate_places, alike.once_identified, alike.unseen_count = (
            known.candidate_places,
            known.once_identified,
            known.unseen_count,
        )
        for piece, source, target in known.net_moves():
            self._ledger.transfer(self._ledger.account(source, piece), self._ledger.account(target, piece), 1)

    # What is known

    def _known(self, alike: IndistinguishableCards, *, openly: bool = False) -> IndistinguishableCards:
        """Returns what is known about a group of look-alikes; `openly`: only what everybody can see."""
        known = alike.stop_treating_alike().copy()
        closed = {UNSEEN_PLACE, *(self._covered if openly else ())}
        for name, face in known.face_pieces.items():
            if (
                not self._unseen[name].count
                and (lies := self._ledger.account_holding(face).place) not in closed
            ):
                known.place_of[name] = lies
        for each in known.classes:
            for account in self._ledger.accounts_of(each.piece):
                if account.count > 0 and account.place not in closed:
                    known.unnamed_counts[account.place, each] = account.count
        known.hide_places(closed)
        return known

    def _lay(self, key: str, card: Card) -> Piece:
        face = face_piece(key, card)
        self._shown[face], self._order[face] = card, len(self._order)
        self._homes[face] = self._ledger.account(UNSEEN_PLACE, face, covered=True)
        return face
