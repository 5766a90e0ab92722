"""Everything on the table, and the verbs a rulebook uses on it.

A table knows no rule, no screen and no log: it moves pieces and remembers what to tell the people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from companion.cards import Card, Deck, TagLookup
from companion.table.faces import FaceTracker
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.moves_by_hand import resolve_claimed_source
from companion.table.scores import GameResult
from companion.table.seats import Seat, Seats
from companion.texts import Say, find_text_fault, say

K = TypeVar("K")

BOX = say("box")
"""The place where marks come from, and where pieces go that leave the game."""
BOX_PLACE = Place(BOX)

OptionValue = str | int | None


class Table:
    """What a rulebook plays on: the seats, the chosen options, the decks and all pieces.

    `heading` is shown above the table and says where in the game you are.
    `score_so_far` is a function that returns the score at this moment; it must change nothing.
    `after_moves_by_hand` is a function that Companion calls after people have moved pieces by hand, for rules
    that always hold.
    `keeper_of` maps each seat to the seat that keeps its things; members of a team share one.
    `seats_in_game()` gives everybody who has not left the game for good.
    `start_player` is the seat that started the game; set it as soon as it is known.
    `version` is the rulebook's version with which the match began; an old match goes on under its old rules.
    """

    def __init__(
        self,
        seats: Seats,
        options: Mapping[str, OptionValue],
        decks: Mapping[str, Deck],
        tags: TagLookup,
        version: int = 1,
    ) -> None:
        self.seats = seats
        self.options = options
        self.version = version
        self.ledger = Ledger()
        self.heading: Say | None = None
        self.score_so_far: Callable[[], GameResult] | None = None
        self.after_moves_by_hand: Callable[[], None] = lambda: None
        self.keeper_of: Mapping[Seat, Seat] = {seat: seat for seat in seats}
        self.seats_in_game: Callable[[], Sequence[Seat]] = lambda: seats
        self.start_player: Seat | None = None
        self.notes: list[Say] = []
        self.winners: list[Seat] = []
        self._faces: list[FaceTracker] = []
        self._decks = decks
        self._tags = tags

    @property
    def paying_seats(self) -> Sequence[Seat]:
        """Everybody who pays and is paid when all do: the players still in the game, one per team."""
        return [*dict.fromkeys(self.keeper_of[seat] for seat in self.seats_in_game())]

    def account(self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None) -> Account:
        """Returns the account of a piece at a place: `table.account(CARD, HAND, ben)`."""
        return self.ledger.account(Place(what, seat, slot), piece)

    def accounts(self, pieces: Mapping[K, Piece], what: Say, seat: Seat | None = None) -> dict[K, Account]:
        """Returns the accounts of several pieces at one place, by key: `table.accounts(CHIP, MARKET)`."""
        place = Place(what, seat)
        return {key: self.ledger.account(place, piece) for key, piece in pieces.items()}

    def covered_account(
        self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None
    ) -> Account:
        """Like `account`, but only the owner of the place sees the count. Open it before its first use."""
        return self.ledger.account(Place(what, seat, slot), piece, covered=True)

    def account_per_seat(self, piece: Piece, what: Say, most: int | None = None) -> dict[Seat, Account]:
        """Returns one account of a piece for every seat; each holds at most `most` pieces."""
        return {seat: self.ledger.account(Place(what, seat), piece, most=most) for seat in self.seats}

    def supply(self, account: Account, count: int = 1) -> Account:
        """Lays `count` pieces from the game's box into an account. Only before the first question."""
        return self.ledger.supply(account, count)

    def make_pile(self, what: Say, seat: Seat | None = None) -> Place:
        """Returns an empty place that keeps the order of its pieces."""
        place = Place(what, seat)
        self.ledger.make_pile(place)
        return place

    def make_compact_row(self, what: Say, piece: Piece) -> None:
        """Makes a row whose slots close up when a piece leaves, so that people count them again from 1."""
        self.ledger.compact_row(what, piece)

    def deck(self, name: str) -> Deck:
        """Returns the printed values that this match uses."""
        return self._decks[name]

    def track_faces(self, deck: str, *covered: Place) -> FaceTracker:
        """Returns the faces of a deck, all unseen. At the places `covered` they lie face down."""
        self._faces.append(FaceTracker(self._decks[deck], self.ledger, self._tags, *covered))
        return self._faces[-1]

    def card_of_face(self, face: Piece) -> Card | None:
        """Returns the card whose face this piece is; None if it is no face."""
        return next((card for each in self._faces if (card := each.card_of(face)) is not None), None)

    def move(self, source: Account, target: Account, count: int = 1) -> None:
        """Moves `count` pieces of a kind from one account to another; 0 is allowed and does nothing."""
        if count:
            self.ledger.transfer(source, target, count)

    def move_by_hand(self, source: Account, target: Account, count: int) -> None:
        """Moves pieces as people corrected them; `count` is at least 1."""
        if any(faces.move_look_alikes(source, target.place, count) for faces in self._faces):
            return
        for account, number in resolve_claimed_source(self.ledger, source, target, count):
            self.ledger.transfer(account, target, number, may_go_below_zero=source.covered)
            self.ledger.register(source)
            self.ledger.register(target)  # before the faces are weighed: one lies there now
            for faces in self._faces:
                faces.moved_by_hand(source.piece, account.place, target.place, number)

    def move_up_to(self, source: Account, target: Account, count: int) -> int:
        """Moves `count` pieces, or all if there are fewer. Returns how many it moved."""
        many = count if source.may_go_below_zero else min(count, max(source.count, 0))
        self.move(source, target, many)
        return many

    def move_only_piece(self, target: Account) -> None:
        """Moves the only piece of its kind here from wherever it lies."""
        if not target.count:
            self.move(self.ledger.account_holding(target.piece), target)

    def move_all(self, source: Account, target: Account) -> None:
        """Moves everything from one account to another; a debt stays."""
        if source.count > 0:
            self.ledger.transfer(source, target, source.count)

    def add_markers(self, account: Account, count: int = 1) -> None:
        """Lays marks from the box into an account, or moves a marker `count` steps on."""
        self.move(self.ledger.account(BOX_PLACE, account.piece), account, count)

    def remove_markers(self, account: Account, count: int | None = None) -> None:
        """Puts `count` marks back into the box; without `count` all of them."""
        many = max(account.count, 0) if count is None else count
        self.move(account, self.ledger.account(BOX_PLACE, account.piece), many)

    @staticmethod
    def first_holder(accounts: Mapping[Seat, Account]) -> Seat | None:
        """Returns the first seat whose account is not empty, such as the owner of the start player's mark."""
        for seat, account in accounts.items():
            if account.count > 0:
                return seat
        return None

    def add_note(self, text: Say) -> None:
        """Tells everybody in a sentence what just happened. Raises `ValueError` for a text with a gap."""
        if gap := find_text_fault(text):
            raise ValueError(gap)
        self.notes.append(text)

    def declare_winners(self, winners: Iterable[Seat]) -> None:
        """Says who won what the last answer decided, such as a sealed bid. The screen highlights them."""
        self.winners += winners
