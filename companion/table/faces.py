"""Which cards of a deck have been seen, and where they lie since.

It knows no rule; the backs that people see on the table are pieces of the game's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from companion.cards.deck import Card, Deck
from companion.cards.meaning import Meaning, Tags
from companion.table.alike import HERE, HIDDEN, UNSEEN, Alike, Kind
from companion.table.kinds import Kinds, is_known
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.printed import face_of, pieces_of
from companion.table.whereabouts import copy_is_elsewhere, kind_is_elsewhere
from companion.words import Say


class Faces:
    """Which faces of a deck have been seen, and where those cards are now. `table.faces("bazaar")` makes it.

    Each card of the deck is a piece of its own. So is each design, for cards that were only described.
    All faces lie `UNSEEN` until they are shown; `alike` works out which copies the unnamed ones can be.
    While the list is a guess, more cards than it holds may show the same values.
    At the places `covered` nobody sees the faces; `show` without a place puts them at the first of these.
    `read` returns the card that one item of an answer means. `check` raises `IllegalAnswer` for cards that
    the deck can't hold together.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: Tags, *covered: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self.read = Meaning(deck, tags).read
        self._covered = covered
        ledger.cover(UNSEEN, *covered)
        self._printed = printed = pieces_of(deck)
        self._shown, self._order = dict(printed.cards), dict(printed.order)
        self._homes = homes = ledger.lay_covered(UNSEEN, printed.counts)
        self._unseen = {name: homes[piece] for name, piece in printed.named.items()}
        self._kinds = Kinds(deck, printed, self._lay)
        self.check = self._kinds.check

    # What may be

    def unseen(self) -> list[str]:
        """Returns the ids of all cards that can still come unseen, in the order of the deck."""
        hidden = [(name, card) for name, card in self.deck.cards.items() if self._unseen[name].count]
        return [name for name, card in hidden if self._kinds.alike(card).is_open(name, UNSEEN)]

    def left(self, design: str) -> int:
        """Returns how many cards of a design can still be unseen."""
        names = self._printed.copies[design]
        described = self._homes[self._printed.described[design]]
        return sum([self._unseen[name].count for name in names]) + described.count - len(names)

    def card_of(self, face: Piece) -> Card | None:
        """Returns what is printed on this face; None for a piece of another deck."""
        return self._shown.get(face)

    def lying(self, place: Place) -> list[Card]:
        """Returns the cards whose faces lie at a place, in the order of the deck; only typed ones last."""
        faces = [one for one in self._ledger.at(place) if one.count and one.piece in self._shown]
        faces.sort(key=lambda one: self._order[one.piece])
        return [self._shown[one.piece] for one in faces for _ in range(one.count)]

    def fresh(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> list[Card]:
        """Returns those of the cards that come from none of these places: nobody has seen them before."""
        coming = [card for card, source, _ in self._coming(cards, at) if source in {None, UNSEEN}]
        return coming + [card for card in cards if not is_known(card)]

    def any_will_do(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> bool:
        """True if these cards are unnamed and any copies of them can come unseen."""
        if at:
            return False
        for alike, group in self._kinds.grouped(cards).items():
            if group[0].id or not self._any_may_be(alike, len(group)):
                return False
        return True

    def may_show(self, cards: Sequence[Card], at: Sequence[Place] = (), *, believing: bool = False) -> bool:
        """True if these cards can still come, unseen or from the places `at`, as far as is known.

        `believing`: trust the readers, whatever was typed before; only typed cards can be too many.
        """
        if self._surely(cards, at):
            return True
        return all(source is not None for _, source, _ in self._coming(cards, at, believing=believing))

    def elsewhere(
        self, cards: Sequence[Card], at: Sequence[Place] = (), *, believing: bool = False
    ) -> Say | None:
        """Returns why these cards can't come, from what all can see; None if they can."""
        for card, source, known in self._coming(cards, at, believing=believing, openly=True):
            if source is None:
                return self._why(card, known, cards, at)
        return None

    def _surely(self, cards: Sequence[Card], at: Sequence[Place]) -> bool:
        """Whether these cards come without being weighed; mostly nothing else of their like lies unnamed."""
        for alike, group in self._kinds.grouped(cards).items():
            if not (at or group[0].id) and self._any_may_be(alike, len(group)):
                continue
            if not (self._is_plain(alike) and self._is_there(alike, group, at)):
                return False
        return True

    def _is_there(self, alike: Alike, cards: Sequence[Card], at: Sequence[Place]) -> bool:
        """Whether cards of which nothing lies unnamed are unseen, or the named ones at these places."""
        more = len(cards)
        for card in cards:
            if card.id is not None and not self._unseen[card.id].count:
                if self._ledger.holding(self._unseen[card.id].piece).place not in at:
                    return False
                more -= 1
        return sum([self._unseen[name].count for name in alike.faces]) >= more

    def _is_plain(self, alike: Alike) -> bool:
        """Whether all that lies anywhere is named, as far as it can be."""
        (kind, *others) = alike.kinds
        return not (alike.seen or others) and self._homes[kind.piece].count == len(kind.copies)

    def _any_may_be(self, alike: Alike, more: int) -> bool:
        """Whether so many more unnamed cards can come unseen, and each free copy may be any unnamed one."""
        kind = alike.kinds[0]
        home = self._homes[kind.piece]
        if len(alike.kinds) > 1 or home.count < more:
            return False
        if alike.even is not None:
            return True
        free = [name for name in alike.faces if self._unseen[name].count]
        places = {alike.among.get(name, HIDDEN) for name in free}
        if alike.seen or len(places) != 1:
            return False
        if kind.counted and len(kind.copies) - home.count + more > len(free):
            return False
        (spots,) = places
        return spots.issuperset(account.place for account in self._ledger.of(kind.piece) if account.count > 0)

    def _why(self, card: Card, known: Alike, cards: Sequence[Card], at: Sequence[Place]) -> Say:
        """Where this very copy is; or where its kind is, of which all are elsewhere, or too many."""
        kind = self._kinds.of(card)
        lies = self._known(self._kinds.alike(card), openly=True).whereabouts(kind)
        others = [place for place in lies if place not in at] or lies
        places = known.where(card.id) if card.id else []
        if places or len(kind.copies) == 1:
            return copy_is_elsewhere(card, places or others)
        coming = self._coming([card.unnamed] * (count := self._kinds.so_many(cards, kind)), at, openly=True)
        left = sum(source is not None for _, source, _ in coming)
        return kind_is_elsewhere(card, len(kind.copies), left, count, others)

    def _coming(
        self, cards: Sequence[Card], at: Sequence[Place], *, believing: bool = False, openly: bool = False
    ) -> Iterator[tuple[Card, Place | None, Alike]]:
        """Each card with where it comes from, and what is known then; None for the first that can't come."""
        for group in self._kinds.grouped(cards).values():
            known = self._known(self._kinds.alike(group[0]), openly=openly)
            whats = [card.id or self._kinds.of(card) for card in group]
            tries = (known.come(whats[:many], at, believing=believing) for many in range(len(group), -1, -1))
            found = next(each for each in tries if each is not None)
            for card, (source, then) in zip(group, found, strict=False):
                known = then
                yield card, source, known
            for card in group[len(found) : len(found) + 1]:
                yield card, None, known

    # What happens

    def show(
        self,
        cards: Sequence[Card],
        place: Place | None = None,
        at: Sequence[Place] = (),
        back: Collection[Card] = (),
    ) -> None:
        """Moves the faces of these cards to a place; their backs stay. `carry` moves both.

        `at`: the places from which cards that were only typed may come.
        Without a place the faces go where they lie face down. A card of which nothing is known moves no face.
        `back`: those of the cards that were taken back unseen; among cards that look alike nobody said which.
        """
        target = self._covered[0] if place is None else place
        for alike, group in self._kinds.grouped(cards).items():
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

    def _name(self, alike: Alike, name: str, target: Place) -> None:
        alike.tell_apart()
        home = self._unseen[name]
        account = home if home.count else self._ledger.holding(home.piece)
        if account.place != target:
            self._ledger.transfer(account, self._ledger.account(target, home.piece), 1)

    def _describe(self, alike: Alike, cards: Sequence[Card], target: Place) -> bool:
        """Where each free copy may be any unnamed card, nothing is weighed."""
        if cards[0].id or not self._any_may_be(alike, len(cards)):
            return False
        piece = alike.kinds[0].piece
        self._ledger.transfer(self._homes[piece], self._ledger.account(target, piece), len(cards))
        if alike.even is None:
            for name in alike.faces:
                if self._unseen[name].count:
                    alike.among[name] = alike.among.get(name, HIDDEN) | {target}
        elif target not in alike.even:
            alike.even |= {target}
        return True

    def _weigh(
        self,
        alike: Alike,
        cards: Sequence[Card],
        target: Place,
        at: Sequence[Place],
        back: Collection[Card],
    ) -> None:
        """Cards alike come as they may, and of some that lie unnamed nobody said which."""
        known = self._known(alike)
        for card in cards:
            known = self._come_here(known, card.id or self._kinds.of(card), at)
        for card in back:
            if is_known(card) and self._kinds.alike(card) is alike:
                known.move(self._kinds.of(card), HERE, UNSEEN)
        known.clear(HERE, target)
        self._keep(alike, known)

    def _come_here(self, known: Alike, what: str | Kind, at: Sequence[Place]) -> Alike:
        """As it may come; where it can't, it was shown all the same and comes from wherever it lies."""
        ways = (known.ways(what, at, counting=counting) for counting in (True, False))
        lies = known.named.get(what, UNSEEN) if isinstance(what, str) else UNSEEN
        _, then = next(chain(*ways), (lies, None))
        return then or known.moved(what, lies, HERE)

    def carry(self, cards: Iterable[Card], source: Account, target: Account) -> None:
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
        alike = self._kinds.alike(card).tell_apart()
        if card.id is None:
            known = self._known(alike)
            for _ in range(count):
                known.spread(self._kinds.of(card), source, target)
            known.settle()
            self._keep(alike, known)

    def move_alike(self, face: Account, target: Place, count: int) -> bool:
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
        if not self.may_show(cards, at) or self.fresh(cards, at):
            return False
        self.show(cards, target, at)
        return True

    def _named_at(self, card: Card, place: Place) -> bool:
        """Whether a copy that this card may be lies there by its name."""
        alike = self._kinds.alike(card)
        pieces = [alike.faces[name] for name in self._kinds.of(card).copies if name in alike.faces]
        return any(self._ledger.count(place, piece) for piece in pieces)

    def gather(self) -> None:
        """Makes all faces unseen: all cards were shuffled together."""
        for account, home in self._ledger.astray(self._homes):
            self._ledger.transfer(account, home, account.count)
        self._kinds.forget()

    def _keep(self, alike: Alike, known: Alike) -> None:
        """What is known from now on; the pieces follow, each by the shortest way."""
        alike.among, alike.seen, alike.hidden = known.among, known.seen, known.hidden
        for piece, source, target in known.went():
            self._ledger.transfer(self._ledger.account(source, piece), self._ledger.account(target, piece), 1)

    # What is known

    def _known(self, alike: Alike, *, openly: bool = False) -> Alike:
        """What is known of copies that can be taken for each other; `openly`: as far as all can see it."""
        known = alike.tell_apart().copy()
        closed = {UNSEEN, *(self._covered if openly else ())}
        for name, face in known.faces.items():
            if not self._unseen[name].count and (lies := self._ledger.holding(face).place) not in closed:
                known.named[name] = lies
        for each in known.kinds:
            for account in self._ledger.of(each.piece):
                if account.count > 0 and account.place not in closed:
                    known.unnamed[account.place, each] = account.count
        known.narrow(closed)
        return known

    def _lay(self, key: str, card: Card) -> Piece:
        face = face_of(key, card)
        self._shown[face], self._order[face] = card, len(self._order)
        self._homes[face] = self._ledger.account(UNSEEN, face, covered=True)
        return face
