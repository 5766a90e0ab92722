"""Everything on the table, and the verbs a rulebook uses on it.

A table knows no rule, no screen and no log: it moves pieces and remembers what to tell the people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from companion.cards import Card, Deck, Tags
from companion.table.belief import believed
from companion.table.faces import Faces
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.scores import Result
from companion.table.seats import Seat, Seats
from companion.words import Say, find_gap, say

K = TypeVar("K")

BOX = say("box")
"""Where marks come from, and where what is out of the game goes."""
IN_BOX = Place(BOX)

Setting = str | int | None


class Table:
    """What one rulebook plays on: the seats, the options chosen, the printed cards and the ledger.

    `heading` says where in the game we are; `so_far` gives the score as it stands, changing nothing.
    `at_once` does what follows from where pieces lie at any time: it is done after people moved some by hand.
    `keeper` is the seat before which everything of a seat lies: of a team one. `playing` are those who have
    not left the game for good. `start_player` is who started the game, for its record; None while nobody has.
    `version` is the rulebook's with which the match began, for what is counted in another way since: a match
    goes on as it began.
    """

    def __init__(
        self,
        seats: Seats,
        options: Mapping[str, Setting],
        decks: Mapping[str, Deck],
        tags: Tags,
        version: int = 1,
    ) -> None:
        self.seats = seats
        self.options = options
        self.version = version
        self.ledger = Ledger()
        self.heading: Say | None = None
        self.so_far: Callable[[], Result] | None = None
        self.at_once: Callable[[], None] = lambda: None
        self.keeper: Mapping[Seat, Seat] = {seat: seat for seat in seats}
        self.playing: Callable[[], Sequence[Seat]] = lambda: seats
        self.start_player: Seat | None = None
        self.notes: list[Say] = []
        self.winners: list[Seat] = []
        self._faces: list[Faces] = []
        self._decks = decks
        self._tags = tags

    @property
    def everybody(self) -> Sequence[Seat]:
        """Who pays and is paid where all do: whoever is in the game, of a team one."""
        return [*dict.fromkeys(self.keeper[seat] for seat in self.playing())]

    def account(self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None) -> Account:
        """The account of a piece at a place: `table.account(CARD, HAND, ben)`."""
        return self.ledger.account(Place(what, seat, slot), piece)

    def accounts(self, pieces: Mapping[K, Piece], what: Say, seat: Seat | None = None) -> dict[K, Account]:
        """The accounts of several pieces at one place, each by its key: `table.accounts(CHIP, MARKET)`."""
        place = Place(what, seat)
        return {key: self.ledger.account(place, piece) for key, piece in pieces.items()}

    def covered(self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None) -> Account:
        """The same, but only the owner of the place may see what lies there; open it before it is used."""
        return self.ledger.account(Place(what, seat, slot), piece, covered=True)

    def each(self, piece: Piece, what: Say, most: int | None = None) -> dict[Seat, Account]:
        """The account of a piece at every seat's place of that name, with room for so many."""
        return {seat: self.ledger.account(Place(what, seat), piece, most=most) for seat in self.seats}

    def lay(self, account: Account, count: int = 1) -> Account:
        """Takes `count` pieces out of the game's box before the game begins."""
        return self.ledger.supply(account, count)

    def pile(self, what: Say, seat: Seat | None = None) -> Place:
        """An empty place that keeps the order of its pieces."""
        place = Place(what, seat)
        self.ledger.keep_order(place)
        return place

    def row(self, what: Say, piece: Piece) -> None:
        """The slots of that name close up as the piece leaves them: people count them again from 1."""
        self.ledger.close_up(what, piece)

    def deck(self, name: str) -> Deck:
        """The printed values that this match uses."""
        return self._decks[name]

    def faces(self, deck: str, *covered: Place) -> Faces:
        """The faces of a deck, unseen; at the places `covered`, the first by itself, they lie face down."""
        self._faces.append(Faces(self._decks[deck], self.ledger, self._tags, *covered))
        return self._faces[-1]

    def printed(self, face: Piece) -> Card | None:
        """The card that this piece is the face of; None: of none on this table."""
        return next((card for each in self._faces if (card := each.card_of(face)) is not None), None)

    def move(self, source: Account, target: Account, count: int = 1) -> None:
        """Moves pieces; moving none is nothing."""
        if count:
            self.ledger.transfer(source, target, count)

    def move_by_hand(self, source: Account, target: Account, count: int) -> None:
        """What people corrected; unlike a rule's move it must be at least one piece."""
        if any(faces.move_alike(source, target.place, count) for faces in self._faces):
            return
        for account, number in believed(self.ledger, source, target, count):
            self.ledger.transfer(account, target, number, believed=source.covered)
            self.ledger.keep(source)
            self.ledger.keep(target)  # before the faces are weighed: one lies there now
            for faces in self._faces:
                faces.moved_by_hand(source.piece, account.place, target.place, number)

    def move_up_to(self, source: Account, target: Account, count: int) -> int:
        """Moves so many, or all there are where those are fewer; gives how many it were."""
        many = count if source.may_owe else min(count, max(source.count, 0))
        self.move(source, target, many)
        return many

    def bring(self, target: Account) -> None:
        """The only piece of its kind comes there, wherever it lies."""
        if not target.count:
            self.move(self.ledger.holding(target.piece), target)

    def clear(self, source: Account, target: Account) -> None:
        """Moves all there is; nothing where that is owed."""
        if source.count > 0:
            self.ledger.transfer(source, target, source.count)

    def mark(self, account: Account, count: int = 1) -> None:
        """Lays marks out of the box there, or moves a marker on by so many steps."""
        self.move(self.ledger.account(IN_BOX, account.piece), account, count)

    def unmark(self, account: Account, count: int | None = None) -> None:
        """Takes so many back into the box, or all there are."""
        many = max(account.count, 0) if count is None else count
        self.move(account, self.ledger.account(IN_BOX, account.piece), many)

    @staticmethod
    def who_has(accounts: Mapping[Seat, Account]) -> Seat | None:
        """The first seat before which something lies there, such as the start player's mark."""
        for seat, account in accounts.items():
            if account.count > 0:
                return seat
        return None

    def tell(self, text: Say) -> None:
        """A sentence for everybody about what just happened. Raises `ValueError` for what can't be read."""
        if gap := find_gap(text):
            raise ValueError(gap)
        self.notes.append(text)

    def declare_winners(self, winners: Iterable[Seat]) -> None:
        """Says who won what the last answer decided, such as a sealed bid; the screen highlights them."""
        self.winners += winners
