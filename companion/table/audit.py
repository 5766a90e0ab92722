"""Audits a player's cards: compares the cards that were read with those the ledger has at the seat.

    for difference in find_audit_differences(session.table.ledger, deck, aki, {"6.1", "13.4"}):
        print(render(difference.text), [render(fix.chosen_place.label) for fix in difference.fixes])

An audit moves nothing. A difference may reveal a hand or paid cards, so only the owner may see it.
Of hidden cards (a hand that nobody has named) only the number can differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal

import msgspec

from companion.cards import Deck
from companion.cards.deck import NAME_FIELD
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.moves import PieceMove
from companion.table.seats import Seat
from companion.texts import Say, say, say_n

FACE_PREFIX, DESIGN_PREFIX = "card ", "card any "
"""Prefixes of a face piece's key: before a card's id, and before a design's id if it was only described."""
AUDIT_CORRECTION_REASON = "audit"
"""Reason stored with corrections that come from an audit."""


class AuditFix(msgspec.Struct, frozen=True):
    """One way to fix a difference. People choose a fix by its `chosen_place`."""

    chosen_place: Place
    moves: tuple[PieceMove, ...]


class AuditDifference(msgspec.Struct, frozen=True):
    """A difference between the cards at a seat and the ledger, with its possible fixes.

    With one fix it is clear what to do. With several fixes people say where the card is or was. Without a fix
    they move the card by hand in the bank.
    """

    kind: Literal["elsewhere", "extra", "missing"]
    text: Say
    fixes: tuple[AuditFix, ...]


def find_audit_differences(
    ledger: Ledger, deck: Deck, seat: Seat, read_card_ids: Collection[str]
) -> list[AuditDifference]:
    """Returns every difference between the cards that were read at a seat and those in the ledger."""
    books = _Books(ledger, deck, seat)
    return [
        *books.elsewhere(read_card_ids),
        *books.described_elsewhere(read_card_ids),
        *books.unknown(read_card_ids),
        *books.missing(read_card_ids),
    ]


class _Books:
    """The cards of one seat, as the ledger has them."""

    def __init__(self, ledger: Ledger, deck: Deck, seat: Seat) -> None:
        self.deck = deck
        self._covering = ledger.covered_places
        self._at = {place: ledger.accounts_at(place) for place in ledger.places}
        self._mine = [place for place in self._at if self._is_of(seat, place)]
        faces = [account for account in ledger if account.count > 0 and account.piece.is_card_face]
        self._faces = {account.piece.key: account for account in faces}
        self._named = deck.cards
        self._described = [account for account in faces if self._designs(account.piece)]

    def _is_of(self, seat: Seat, place: Place) -> bool:
        """Returns whether a place is the seat's own, or a slot of its number covered from everybody."""
        if place.seat is not None or place.slot != seat.number:
            return place.seat == seat
        return all(account.covered and account.piece.is_marker for account in self._at[place])

    def _is_nowhere(self, place: Place) -> bool:
        """Returns whether a place is on no table: nobody's place where Companion only keeps faces."""
        if place == UNSEEN_PLACE:
            return True
        return place.seat is None and place.slot is None and not self._backs(place) and self._has_faces(place)

    def _backs(self, place: Place) -> list[Account]:
        return [account for account in self._at[place] if account.piece.is_physical_card]

    def _has_faces(self, place: Place) -> bool:
        return place in self._covering or any(account.piece.is_card_face for account in self._at[place])

    def _designs(self, face: Piece) -> list[str]:
        """Returns the designs that a described face may be; none for a card that is known by its id."""
        key = face.key.removeprefix(FACE_PREFIX)
        if key in self._named:
            return []
        if face.key.startswith(DESIGN_PREFIX):
            return [face.key.removeprefix(DESIGN_PREFIX)]
        printed, designs = set(key.split(", ")), self.deck.designs
        return [one.id for one in designs if printed <= {f"{name} {is_}" for name, is_ in one.values.items()}]

    def _place(self, card: str) -> Place:
        return self._faces[FACE_PREFIX + card].place

    # What is found

    def elsewhere(self, read: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for each card whose face is at another place of the table."""
        for card in self._ordered(read):
            place = self._place(card)
            if place not in self._mine and not self._is_nowhere(place):
                face = self._faces[FACE_PREFIX + card].piece
                text = "{card} is here, but it is recorded at {place}."
                fixes = tuple(self._here(face, place))
                yield AuditDifference("elsewhere", say(text, card=face, place=place), fixes)

    def described_elsewhere(self, read: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for each card that can't be here: too many were described elsewhere."""
        unplaced = Counter(self._named[card].design for card in self._unplaced(read))
        for account in self._described:
            designs = self._designs(account.piece)
            if account.place in self._mine or account.place == UNSEEN_PLACE or not self._are_counted(designs):
                continue
            over = min(sum(unplaced[one] for one in designs) - self._free(designs), account.count)
            if over > 0:
                unplaced.subtract(dict.fromkeys(designs, over))
                text = "{card} is here, but it is recorded at {place}."
                fixes = tuple(self._here(account.piece, account.place))
                yield AuditDifference("elsewhere", say(text, card=account.piece, place=account.place), fixes)

    def _free(self, designs: Collection[str]) -> int:
        """Returns how many cards of these designs are at no place of the table."""
        names = [name for name, card in self._named.items() if card.design in designs]
        placed = sum(not self._is_nowhere(self._place(name)) for name in names)
        away = sum(
            each.count
            for each in self._described
            if not self._is_nowhere(each.place) and not set(designs).isdisjoint(self._designs(each.piece))
        )
        return max(0, len(names) - placed - away)  # what was typed may be too many already

    def unknown(self, read: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for cards that the seat has and Companion doesn't know of."""
        new = self._unmatched(read)
        if self._covered and not self._hidden:
            for card in new:
                face = self._faces[FACE_PREFIX + card].piece
                fixes = tuple(self._here(face, self._place(card)))
                yield AuditDifference(
                    "extra", say("{card} is here, but it is not recorded here.", card=face), fixes
                )
        elif (more := len(new) - self._hidden) > 0:
            text = say_n(
                "There is {n} more card here than recorded.",
                "There are {n} more cards here than recorded.",
                n=more,
            )
            yield AuditDifference("extra", text, tuple(self._brought(more)))

    def missing(self, read: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for cards that Companion has here and that weren't read."""
        matched, _ = self._match(read)
        for account in self._faces_here():
            count = account.count - matched.get(account, 0)
            if account.piece.key.removeprefix(FACE_PREFIX) in read:
                count = 0
            for _ in range(count):
                text = "{card} isn't here, but it is recorded at {place}."
                fixes = tuple(self._away(account))
                yield AuditDifference("missing", say(text, card=account.piece, place=account.place), fixes)
        if (less := self._hidden - len(self._unmatched(read))) > 0:
            told = say_n("{n} card is missing.", "{n} cards are missing.", n=less)
            yield AuditDifference("missing", told, tuple(self._taken(less)))

    # What is known of the seat's cards

    @property
    def _covered(self) -> list[Place]:
        """The seat's places that are covered from everybody.

        A face there is enough to know that the seat has the card.
        """
        return [place for place in self._mine if place.seat is None]

    @property
    def _hidden(self) -> int:
        """The number of the seat's cards whose faces nobody has named."""
        backs = sum(account.count for place in self._mine for account in self._backs(place))
        return max(0, backs - sum(account.count for account in self._faces_here()))

    def _faces_here(self) -> list[Account]:
        return [
            account
            for place in self._mine
            for account in self._at[place]
            if account.piece.is_card_face and account.count > 0
        ]

    def _ordered(self, read: Collection[str]) -> list[str]:
        return [name for name in self._named if name in read]

    def _unplaced(self, read: Collection[str]) -> list[str]:
        """Returns the cards that were read and are at no place of the table."""
        return [card for card in self._ordered(read) if self._is_nowhere(self._place(card))]

    def _unmatched(self, read: Collection[str]) -> list[str]:
        """Returns the read cards that match no card which was only described here."""
        return self._match(read)[1]

    def _match(self, read: Collection[str]) -> tuple[dict[Account, int], list[str]]:
        """Returns how many read cards each described face may be, and the cards that match none."""
        left, matched = self._unplaced(read), dict[Account, int]()
        here = [account for account in self._faces_here() if self._designs(account.piece)]
        for account in sorted(here, key=lambda account: len(self._designs(account.piece))):
            designs = self._designs(account.piece)
            found = [card for card in left if self._named[card].design in designs][: account.count]
            matched[account] = len(found)
            left = [card for card in left if card not in found]
        return matched, left

    def _are_counted(self, designs: Collection[str]) -> bool:
        """Returns whether the deck has no more cards of these designs than it lists."""
        found = [one for one in self.deck.designs if one.id in designs]
        return all(NAME_FIELD in one.values or not self.deck.provisional for one in found)

    # How it is put right

    def _targets(self) -> list[Place]:
        """Returns the places where a card of this seat may be: the covered ones if there are any."""
        return self._covered or [place for place in self._mine if self._backs(place)]

    def _here(self, face: Piece, source: Place) -> Iterator[AuditFix]:
        for target in self._targets():
            yield AuditFix(target, tuple(self._moved(face, source, target)))

    def _away(self, account: Account) -> Iterator[AuditFix]:
        """Yields a fix for every other place of the table where the card may be."""
        source = account.place
        for target in self._at:
            alike = self._backs(target) if self._backs(source) else self._is_kept(target)
            if target not in self._mine and alike and target != UNSEEN_PLACE:
                yield AuditFix(target, tuple(self._moved(account.piece, source, target)))

    def _is_kept(self, place: Place) -> bool:
        """Returns whether faces are at this place without backs, covered from everybody."""
        return self._has_faces(place) and not self._backs(place) and place.slot is not None

    def _moved(self, face: Piece, source: Place, target: Place) -> Iterator[PieceMove]:
        """Yields the moves of a face and its card.

        The face goes to unseen if none is ever seen at the target; an open face takes its card along.
        """
        back = next((one.piece for one in self._backs(source) if one.count), None)
        goes = back is not None and any(one.piece == back for one in self._backs(target))
        if goes and any(one.piece == face and not one.covered for one in self._at[source]):
            yield PieceMove(face, source, target)
            return
        to = target if self._has_faces(target) else UNSEEN_PLACE
        if source != to:
            yield PieceMove(face, source, to)
        if back is not None and goes:
            yield PieceMove(back, source, target)

    def _hiding(self) -> list[Account]:
        """Returns the accounts of cards that nobody has named, at places where no face is ever seen."""
        return [
            account for place in self._mine if not self._has_faces(place) for account in self._backs(place)
        ]

    def _brought(self, count: int) -> Iterator[AuditFix]:
        """Yields fixes for places that more cards may come from; only if it is clear where they go."""
        hands = self._hiding()
        for place in self._at if len(hands) == 1 else ():
            for one in self._backs(place):
                if place not in self._mine and one.piece == hands[0].piece and one.count >= count:
                    yield AuditFix(place, (PieceMove(one.piece, place, hands[0].place, count),))

    def _taken(self, count: int) -> Iterator[AuditFix]:
        """Yields fixes for places where missing cards may have gone; only if it is clear where they were."""
        hands = [account for account in self._hiding() if account.count]
        for place in self._at if len(hands) == 1 and hands[0].count >= count else ():
            if place not in self._mine and any(one.piece == hands[0].piece for one in self._backs(place)):
                yield AuditFix(place, (PieceMove(hands[0].piece, hands[0].place, place, count),))
