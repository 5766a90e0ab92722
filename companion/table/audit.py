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

FACE_KEY_PREFIX, DESIGN_FACE_KEY_PREFIX = "card ", "card any "
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
    audit = _SeatAudit(ledger, deck, seat)
    return [
        *audit.find_cards_recorded_elsewhere(read_card_ids),
        *audit.find_cards_described_elsewhere(read_card_ids),
        *audit.find_unrecorded_cards(read_card_ids),
        *audit.find_missing_cards(read_card_ids),
    ]


class _SeatAudit:
    """The audit of one seat: compares its cards in the ledger with those that were read."""

    def __init__(self, ledger: Ledger, deck: Deck, seat: Seat) -> None:
        self.deck = deck
        self._covered_places = ledger.covered_places
        self._accounts_by_place = {place: ledger.accounts_at(place) for place in ledger.places}
        self._seat_places = [place for place in self._accounts_by_place if self._belongs_to(seat, place)]
        face_accounts = [account for account in ledger if account.count > 0 and account.piece.is_card_face]
        self._face_account_by_key = {account.piece.key: account for account in face_accounts}
        self._cards_by_id = deck.cards
        self._described_accounts = [
            account for account in face_accounts if self._possible_designs(account.piece)
        ]

    def _belongs_to(self, seat: Seat, place: Place) -> bool:
        """Returns whether a place is the seat's own, or a slot of its number covered from everybody."""
        if place.seat is not None or place.slot != seat.number:
            return place.seat == seat
        return all(account.covered and account.piece.is_marker for account in self._accounts_by_place[place])

    def _is_off_table(self, place: Place) -> bool:
        """Returns whether cards there aren't on the table.

        That is unseen, and any place without a seat or slot where Companion keeps faces but no backs.
        """
        if place == UNSEEN_PLACE:
            return True
        return (
            place.seat is None
            and place.slot is None
            and not self._back_accounts(place)
            and self._has_faces(place)
        )

    def _back_accounts(self, place: Place) -> list[Account]:
        return [account for account in self._accounts_by_place[place] if account.piece.is_physical_card]

    def _has_faces(self, place: Place) -> bool:
        return place in self._covered_places or any(
            account.piece.is_card_face for account in self._accounts_by_place[place]
        )

    def _possible_designs(self, face: Piece) -> list[str]:
        """Returns the designs that a described face may be; none for a card that is known by its id."""
        key = face.key.removeprefix(FACE_KEY_PREFIX)
        if key in self._cards_by_id:
            return []
        if face.key.startswith(DESIGN_FACE_KEY_PREFIX):
            return [face.key.removeprefix(DESIGN_FACE_KEY_PREFIX)]
        printed, designs = set(key.split(", ")), self.deck.designs
        return [
            design.id
            for design in designs
            if printed <= {f"{name} {value}" for name, value in design.values.items()}
        ]

    def _place_of_card(self, card: str) -> Place:
        return self._face_account_by_key[FACE_KEY_PREFIX + card].place

    # Differences

    def find_cards_recorded_elsewhere(self, read_ids: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for each card whose face is at another place of the table."""
        for card in self._in_deck_order(read_ids):
            place = self._place_of_card(card)
            if place not in self._seat_places and not self._is_off_table(place):
                face = self._face_account_by_key[FACE_KEY_PREFIX + card].piece
                text = "{card} is here, but it is recorded at {place}."
                fixes = tuple(self._fixes_to_seat(face, place))
                yield AuditDifference("elsewhere", say(text, card=face, place=place), fixes)

    def find_cards_described_elsewhere(self, read_ids: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for each card that can't be here, because too many were described elsewhere."""
        unplaced_count_by_design = Counter(
            self._cards_by_id[card].design for card in self._cards_off_table(read_ids)
        )
        for account in self._described_accounts:
            designs = self._possible_designs(account.piece)
            if (
                account.place in self._seat_places
                or account.place == UNSEEN_PLACE
                or not self._are_all_copies_listed(designs)
            ):
                continue
            excess_count = min(
                sum(unplaced_count_by_design[design] for design in designs)
                - self._count_unplaced_cards(designs),
                account.count,
            )
            if excess_count > 0:
                unplaced_count_by_design.subtract(dict.fromkeys(designs, excess_count))
                text = "{card} is here, but it is recorded at {place}."
                fixes = tuple(self._fixes_to_seat(account.piece, account.place))
                yield AuditDifference("elsewhere", say(text, card=account.piece, place=account.place), fixes)

    def _count_unplaced_cards(self, designs: Collection[str]) -> int:
        """Returns how many cards of these designs are at no place of the table, at least 0."""
        names = [name for name, card in self._cards_by_id.items() if card.design in designs]
        placed_count = sum(not self._is_off_table(self._place_of_card(name)) for name in names)
        described_count = sum(
            account.count
            for account in self._described_accounts
            if not self._is_off_table(account.place)
            and not set(designs).isdisjoint(self._possible_designs(account.piece))
        )
        return max(0, len(names) - placed_count - described_count)  # people may have typed too many cards

    def find_unrecorded_cards(self, read_ids: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for cards that the seat has and Companion doesn't know of."""
        unknown_cards = self._cards_matching_no_description(read_ids)
        if self._covered_seat_places and not self._unnamed_card_count:
            for card in unknown_cards:
                face = self._face_account_by_key[FACE_KEY_PREFIX + card].piece
                fixes = tuple(self._fixes_to_seat(face, self._place_of_card(card)))
                yield AuditDifference(
                    "extra", say("{card} is here, but it is not recorded here.", card=face), fixes
                )
        elif (extra_count := len(unknown_cards) - self._unnamed_card_count) > 0:
            text = say_n(
                "There is {n} more card here than recorded.",
                "There are {n} more cards here than recorded.",
                n=extra_count,
            )
            yield AuditDifference("extra", text, tuple(self._fixes_for_extra_cards(extra_count)))

    def find_missing_cards(self, read_ids: Collection[str]) -> Iterator[AuditDifference]:
        """Yields a difference for cards that Companion has here, but that weren't read."""
        matched_count_by_account, _ = self._match_descriptions(read_ids)
        for account in self._face_accounts_at_seat():
            count = account.count - matched_count_by_account.get(account, 0)
            if account.piece.key.removeprefix(FACE_KEY_PREFIX) in read_ids:
                count = 0
            for _ in range(count):
                text = "{card} isn't here, but it is recorded at {place}."
                fixes = tuple(self._fixes_to_other_places(account))
                yield AuditDifference("missing", say(text, card=account.piece, place=account.place), fixes)
        if (
            missing_count := self._unnamed_card_count - len(self._cards_matching_no_description(read_ids))
        ) > 0:
            missing_text = say_n("{n} card is missing.", "{n} cards are missing.", n=missing_count)
            yield AuditDifference(
                "missing", missing_text, tuple(self._fixes_for_missing_cards(missing_count))
            )

    # The seat's cards

    @property
    def _covered_seat_places(self) -> list[Place]:
        """The seat's places that are covered from everybody.

        A face there is enough to know that the seat has the card.
        """
        return [place for place in self._seat_places if place.seat is None]

    @property
    def _unnamed_card_count(self) -> int:
        """The number of the seat's cards whose faces nobody has named."""
        back_count = sum(
            account.count for place in self._seat_places for account in self._back_accounts(place)
        )
        return max(0, back_count - sum(account.count for account in self._face_accounts_at_seat()))

    def _face_accounts_at_seat(self) -> list[Account]:
        return [
            account
            for place in self._seat_places
            for account in self._accounts_by_place[place]
            if account.piece.is_card_face and account.count > 0
        ]

    def _in_deck_order(self, read_ids: Collection[str]) -> list[str]:
        return [name for name in self._cards_by_id if name in read_ids]

    def _cards_off_table(self, read_ids: Collection[str]) -> list[str]:
        """Returns the cards that were read and are at no place of the table."""
        return [
            card for card in self._in_deck_order(read_ids) if self._is_off_table(self._place_of_card(card))
        ]

    def _cards_matching_no_description(self, read_ids: Collection[str]) -> list[str]:
        """Returns the read cards that match no card which was only described here."""
        return self._match_descriptions(read_ids)[1]

    def _match_descriptions(self, read_ids: Collection[str]) -> tuple[dict[Account, int], list[str]]:
        """Returns how many read cards each described face may be, and the cards that match none."""
        unmatched, matched_count_by_account = self._cards_off_table(read_ids), dict[Account, int]()
        described_accounts = [
            account for account in self._face_accounts_at_seat() if self._possible_designs(account.piece)
        ]
        for account in sorted(
            described_accounts, key=lambda account: len(self._possible_designs(account.piece))
        ):
            designs = self._possible_designs(account.piece)
            found = [card for card in unmatched if self._cards_by_id[card].design in designs][: account.count]
            matched_count_by_account[account] = len(found)
            unmatched = [card for card in unmatched if card not in found]
        return matched_count_by_account, unmatched

    def _are_all_copies_listed(self, designs: Collection[str]) -> bool:
        """Returns whether the deck has no more cards of these designs than it lists."""
        found_designs = [design for design in self.deck.designs if design.id in designs]
        return all(NAME_FIELD in design.values or not self.deck.provisional for design in found_designs)

    # Fixes

    def _possible_places(self) -> list[Place]:
        """Returns the places where a card of this seat may be: the covered ones if there are any."""
        return self._covered_seat_places or [
            place for place in self._seat_places if self._back_accounts(place)
        ]

    def _fixes_to_seat(self, face: Piece, source: Place) -> Iterator[AuditFix]:
        for target in self._possible_places():
            yield AuditFix(target, tuple(self._moves_of_card(face, source, target)))

    def _fixes_to_other_places(self, account: Account) -> Iterator[AuditFix]:
        """Yields a fix for every other place of the table where the card may be."""
        source = account.place
        for target in self._accounts_by_place:
            can_hold_card = (
                self._back_accounts(target)
                if self._back_accounts(source)
                else self._holds_covered_faces_only(target)
            )
            if target not in self._seat_places and can_hold_card and target != UNSEEN_PLACE:
                yield AuditFix(target, tuple(self._moves_of_card(account.piece, source, target)))

    def _holds_covered_faces_only(self, place: Place) -> bool:
        """Returns whether faces are at this place without backs, covered from everybody."""
        return self._has_faces(place) and not self._back_accounts(place) and place.slot is not None

    def _moves_of_card(self, face: Piece, source: Place, target: Place) -> Iterator[PieceMove]:
        """Yields the moves of a face and its card.

        The face goes to unseen if faces are never seen at the target. A move of an open face also moves its
        card.
        """
        back_piece = next((account.piece for account in self._back_accounts(source) if account.count), None)
        back_moves = back_piece is not None and any(
            account.piece == back_piece for account in self._back_accounts(target)
        )
        if back_moves and any(
            account.piece == face and not account.covered for account in self._accounts_by_place[source]
        ):
            yield PieceMove(face, source, target)
            return
        face_target = target if self._has_faces(target) else UNSEEN_PLACE
        if source != face_target:
            yield PieceMove(face, source, face_target)
        if back_piece is not None and back_moves:
            yield PieceMove(back_piece, source, target)

    def _unnamed_card_accounts(self) -> list[Account]:
        """Returns the accounts of cards that nobody has named, at places where no face is ever seen."""
        return [
            account
            for place in self._seat_places
            if not self._has_faces(place)
            for account in self._back_accounts(place)
        ]

    def _fixes_for_extra_cards(self, count: int) -> Iterator[AuditFix]:
        """Yields a fix for each place that the extra cards may come from; none if their target is unclear."""
        hand_accounts = self._unnamed_card_accounts()
        for place in self._accounts_by_place if len(hand_accounts) == 1 else ():
            for account in self._back_accounts(place):
                if (
                    place not in self._seat_places
                    and account.piece == hand_accounts[0].piece
                    and account.count >= count
                ):
                    yield AuditFix(place, (PieceMove(account.piece, place, hand_accounts[0].place, count),))

    def _fixes_for_missing_cards(self, count: int) -> Iterator[AuditFix]:
        """Yields a fix for each place where the missing cards may be; none if their source is unclear."""
        hand_accounts = [account for account in self._unnamed_card_accounts() if account.count]
        for place in (
            self._accounts_by_place if len(hand_accounts) == 1 and hand_accounts[0].count >= count else ()
        ):
            if place not in self._seat_places and any(
                account.piece == hand_accounts[0].piece for account in self._back_accounts(place)
            ):
                yield AuditFix(
                    place, (PieceMove(hand_accounts[0].piece, hand_accounts[0].place, place, count),)
                )
