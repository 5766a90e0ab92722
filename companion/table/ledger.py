"""Where every piece lies: places, pieces, accounts and transfers between them.

Pieces move, they are never made or lost: a transfer is the only way to change a count.
The ledger knows no rule and no secret; `covered` only says that an account is not to be shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import force_setattr

from companion.errors import IllegalAnswer, PrivateRefusal, UnknownName
from companion.name_matching import find_by_name
from companion.table.seats import Seat
from companion.texts import Say, Text, as_source_code, join_names, render, say, say_quantity

BACK_LOOKS = ("card", "tile")
PURSE = say("purse")
"""The name of a seat's purse. Sentences leave it out: `Aki has only 4 coins`."""
PIECE_LOOKS = ("card", "coin", "cube", "gem", "chip", "tile")


class Place(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A spot on the table: the bank, slot 4 of the market, or one player's hand.

    `slot_name`: the name of a slot that belongs to a seat but is hidden from its owner too.
    """

    name: Say
    seat: Seat | None = None
    slot: int | None = None
    slot_name: Say | None = None

    @property
    def label(self) -> Text:
        """What people call the place."""
        if self.seat is not None and self.slot is not None and self.slot_name is None:
            return say("{seat}'s {place} {slot}", seat=self.seat, place=self.name, slot=self.slot)
        if self.seat is not None:
            return say("{seat}'s {place}", seat=self.seat, place=self.name)
        if self.slot_name is not None:
            return self.slot_name
        if self.slot is not None:
            return say("{place} {slot}", place=self.name, slot=self.slot)
        return self.name

    @property
    def key(self) -> str:
        """The place in a log: `@1/hand`, `market/4`, `bank`."""
        return self._written(self.seat.key if self.seat else "")

    @property
    def shown_key(self) -> str:
        """The place in a test, with the player's name: `Aki/hand`, `market/4`, `bank`."""
        return self._written(self.seat.name if self.seat else "")

    @property
    def holder(self) -> Say | Place:
        """The place as the owner of its pieces in a sentence: a purse is called by the seat's name alone."""
        if self.seat is not None and self.slot is None and self.name == PURSE:
            return say("{seat}", seat=self.seat)
        return self

    def _written(self, owner: str) -> str:
        parts = (owner, render(self.name), "" if self.slot is None else str(self.slot))
        return "/".join(part for part in parts if part)


class Piece(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A kind of thing that moves; all copies are alike.

    `is_endless`: there is always more of it, such as the bank's money.
    `is_marker`: a status that only Companion keeps, such as who starts; nobody moves it by hand.
    `look`: how it is drawn: "card", "coin", "cube", "gem", "chip" or "tile"; without it, as its name.
    `colour`: a seat's colour or a plain one.
    `money_value`: the value of one copy in payments; 0 if it is no money.
    `count_label`: how a count of it reads: `say_n("{n} coin", "{n} coins", n=2)`.
    """

    key: str
    label: Say
    is_endless: bool = False
    is_marker: bool = False
    look: str = ""
    colour: str = ""
    money_value: int = 0
    count_label: Say | None = None

    def quantity(self, count: int | str) -> Say:
        """Returns a count as text: `4 coins`; a single piece with a numbered name is just `daughter 7`."""
        if count == 1 and self.count_label is None and any(type(arg) is int for _, arg in self.label.args):
            return self.label
        if self.is_face:
            return self.label if count == 1 else say("{count} × {card}", count=count, card=self.label)
        return say_quantity(count, self.label, self.count_label)

    @property
    def is_face(self) -> bool:
        """True for the face of a card, which only Companion keeps; people move its back."""
        return self.is_marker and self.look == "card" and self.key.startswith("card ")

    @property
    def is_back(self) -> bool:
        """True for a card or a tile that people see lying somewhere."""
        return not self.is_marker and (self.key == "card" or self.look in BACK_LOOKS)


class CardMovement(msgspec.Struct, frozen=True, gc=False):
    """A number of cards, or faces of cards, that changed places; a face's covered place is None."""

    piece: Piece
    source: Place | None
    target: Place | None
    count: int


class Account(msgspec.Struct, frozen=True, eq=False, gc=False):
    """How many copies of one piece lie at one place. Read its `count`; change it with `table.move`.

    `count`: the copies that lie here now. Below zero if an endless piece is owed (or see `moves_by_hand`).
    `capacity`: there is room for so many, such as on a track. Your rules must keep to it.
    `max_debt`: how far below zero the count may go. None: a place without an owner may owe endless pieces.
    """

    place: Place
    piece: Piece
    covered: bool
    is_card: bool
    capacity: int | None = None
    max_debt: int | None = None
    count: int = 0

    @property
    def public_place(self) -> Place | None:
        """The place, or None for faces that are covered there."""
        return None if self.covered and self.piece.is_marker else self.place

    @property
    def may_go_below_zero(self) -> bool:
        """True if more may leave than lies here."""
        return self.max_debt is None and self.piece.is_endless and self.place.seat is None

    def may_give(self, count: int) -> bool:
        """True if `count` copies may leave, even as a debt."""
        return self.may_go_below_zero or count <= self.count + (self.max_debt or 0)

    def __repr__(self) -> str:
        return f"<{self.place.shown_key}: {self.count} {self.piece.key}>"


class Ledger:
    """All accounts of one table. `covered_places`: the places where nobody sees the faces of cards."""

    def __init__(self) -> None:
        self._accounts: list[Account] = []
        self._at: defaultdict[Place, dict[Piece, Account]] = defaultdict(dict)
        self._first: dict[Piece, Account] = {}
        self._others: defaultdict[Piece, list[Account]] = defaultdict(list)
        self.covered_places: set[Place] = set()
        self._piles: dict[Place, list[Piece]] = {}
        self._rows: dict[Say, Piece] = {}
        self._steps: list[tuple[CardMovement, ...]] = []
        self._moved: list[list[tuple[Account, Account, int]]] = []
        self._moving: list[tuple[Account, Account, int]] = []
        self._written: dict[str, Place] = {}
        self._places_written = 0

    def __iter__(self) -> Iterator[Account]:
        return iter(self._accounts)

    def account(
        self,
        place: Place,
        piece: Piece,
        *,
        covered: bool = False,
        most: int | None = None,
        debt: int | None = None,
    ) -> Account:
        """Returns the account of a piece at a place. The first call opens it, with the other parameters."""
        here = self._at[place]
        found = here.get(piece)
        if found is None:
            _check(place, piece)
            covered = covered or (place in self.covered_places and piece.is_face)
            found = here[piece] = Account(place, piece, covered, _is_card(piece), most, debt)
            self._list(found)
        return found

    def cover_places(self, *places: Place) -> None:
        """Hides the faces of cards at these places from everybody, also in accounts opened later."""
        for place in places:
            self._at[place] |= {}
            self.covered_places.add(place)

    def _covers(self, place: Place, piece: Piece) -> bool:
        return place in self.covered_places and piece.is_face

    @property
    def places(self) -> Collection[Place]:
        """All places of this table, in the order in which they were first used."""
        return self._at.keys()

    @property
    def pieces(self) -> Collection[Piece]:
        """All pieces of this table."""
        return self._first.keys()

    def accounts_at(self, place: Place) -> Sequence[Account]:
        """All accounts of a place, in the order in which they were opened."""
        return [*self._at[place].values()] if place in self._at else ()

    def accounts_of(self, piece: Piece) -> Sequence[Account]:
        """All accounts of a piece, in the order in which they were opened."""
        first = self._first.get(piece)
        return () if first is None else (first, *self._others.get(piece, ()))

    def count(self, place: Place, piece: Piece) -> int:
        """Returns how many lie there, without opening an account."""
        found = self._at[place].get(piece) if place in self._at else None
        return 0 if found is None else found.count

    def account_holding(self, piece: Piece) -> Account:
        """The first account in which a piece lies; raises `LookupError` where it lies nowhere."""
        for account in self.accounts_of(piece):
            if account.count > 0:
                return account
        raise LookupError(f"{piece.key!r} lies nowhere: table.supply it first")

    def supply(self, account: Account, count: int) -> Account:
        """Adds `count` copies from the game's box to an account at the start of a game."""
        force_setattr(account, "count", account.count + count)
        if account.place in self._piles:
            self._piles[account.place] += [account.piece] * count
        return account

    def supply_covered(self, place: Place, counts: Mapping[Piece, int]) -> dict[Piece, Account]:
        """Adds new pieces from the game's box to covered accounts of a place; returns the accounts."""
        assert self._first.keys().isdisjoint(counts)
        opened = {
            piece: Account(place, piece, covered=True, is_card=_is_card(piece), count=count)
            for piece, count in counts.items()
        }
        self._at[place] |= opened
        self._accounts += opened.values()
        self._first |= opened
        return opened

    def transfer(
        self, source: Account, target: Account, count: int, *, may_go_below_zero: bool = False
    ) -> None:
        """Moves copies; raises `IllegalAnswer`, and changes nothing, where there are not so many.

        `may_go_below_zero`: they were there, whatever is counted.
        """
        if count < 1 or source.piece is not target.piece or source.place is target.place:
            self.check_transfer(source, target, count)
        if count > source.count and not (may_go_below_zero or source.may_give(count)):
            self.check_enough(source, count)
        force_setattr(source, "count", source.count - count)
        force_setattr(target, "count", target.count + count)
        if self._piles and (source.place in self._piles or target.place in self._piles):
            self._stack(source.place, target.place, source.piece, count)
        if source.is_card:
            self._moving.append((source, target, count))

    def check_transfer(self, source: Account, target: Account, count: int) -> None:
        """Raises `IllegalAnswer` for a count below 1, another piece, or the same place."""
        if count < 1:
            raise IllegalAnswer(say("Move at least 1 piece, not {count}.", count=count))
        if source.piece != target.piece:
            raise IllegalAnswer(say("{one} can't become {other}.", one=source.piece, other=target.piece))
        if source.place == target.place:
            raise IllegalAnswer(say("Nothing can move from {place} to the same place.", place=source.place))

    def end_step(self) -> None:
        """Ends a step: all card movements since the last call belong together."""
        if self._moving:
            self._moved.append(self._moving)
            self._moving = []

    def step_log(self) -> tuple[tuple[CardMovement, ...], ...]:
        """Returns the card movements of all ended steps; built on demand, so that no answer waits."""
        for step in self._moved:
            self._steps.append(
                tuple(
                    [
                        CardMovement(one.piece, one.public_place, other.public_place, n)
                        for one, other, n in step
                    ]
                )
            )
        self._moved.clear()
        return tuple(self._steps)

    def share_step_log(self, other: Ledger) -> None:
        """Shares the step log of a ledger with the same history, so that it is built only once."""
        so_far = len(self._steps) + len(self._moved)
        self._steps, self._moved = [*other.step_log()[:so_far]], []

    def check_enough(self, source: Account, count: int) -> None:
        """Raises `IllegalAnswer` if an account holds fewer, even if it may go below zero."""
        if count > source.count:
            raise (PrivateRefusal if source.covered else IllegalAnswer)(_short(source, count))

    def check_target_by_hand(self, target: Account, count: int) -> None:
        """Raises `IllegalAnswer` where people would lay what can't lie there on any table.

        In a pile only what the rules look for in it; on a track no more than it has places.
        """
        if target.place in self._piles and target.piece not in self._at.get(target.place, ()):
            raise IllegalAnswer(
                say("{piece} can't be placed at {place}.", piece=target.piece, place=target.place)
            )
        if target.capacity is not None and target.count + count > target.capacity:
            things = target.piece.quantity(target.capacity)
            raise IllegalAnswer(say("{place} has room for only {things}.", place=target.place, things=things))

    def make_pile(self, place: Place) -> None:
        """Makes an empty place a pile: pieces come on top of it, and the topmost of their kind leave it."""
        self._piles[place] = []

    @property
    def piles(self) -> Mapping[Place, Sequence[Piece]]:
        """What lies in each pile, the lowest piece first."""
        return self._piles

    def compact_row(self, what: Say, piece: Piece) -> None:
        """Makes the places of this name a row without gaps: only slots where that piece lies are counted."""
        self._rows[what] = piece

    def current_slots(self) -> dict[Place, Place]:
        """Returns the places of compact rows by present number; an empty slot has the next one's."""
        passed = dict.fromkeys(self._rows, 1)
        found: dict[Place, Place] = {}
        places = [place for place in self._at if place.name in self._rows] if self._rows else []
        for place in sorted(places, key=lambda place: place.slot or 0):
            found[place] = Place(place.name, place.seat, passed[place.name])
            passed[place.name] += self.count(place, self._rows[place.name]) > 0
        return found

    def _stack(self, source: Place, target: Place, piece: Piece, count: int) -> None:
        pile = self._piles.get(source, [])
        for _ in range(min(count, pile.count(piece))):
            del pile[len(pile) - 1 - pile[::-1].index(piece)]
        if target in self._piles:
            self._piles[target] += [piece] * count

    def find_account(self, place: str, piece: str) -> Account:
        """The account written `Aki/hand` or `@1/hand`; raises `UnknownName`, which names those that exist.

        An account that was never used is returned empty; `register` adds it to the ledger.
        """
        places = self._by_name()
        place = place if place in places else _only(place, places)
        if place not in places:
            there = join_names(sorted({place.shown_key for place in self._at}))
            raise UnknownName(
                say("There is no place called {name}. Places: {names}.", name=place, names=there)
            )
        pieces = {found.piece.key: found.piece for found in self}
        piece = piece if piece in pieces else _only(piece, [one.key for one in self._public()])
        if piece not in pieces:
            there = join_names(piece.key for piece in self._public())
            raise UnknownName(
                say("There is no piece called {name}. Pieces: {names}.", name=piece, names=there)
            )
        where, what = places[place], pieces[piece]
        return self._at[where].get(what) or Account(where, what, self._covers(where, what), _is_card(what))

    def _by_name(self) -> Mapping[str, Place]:
        """Places by both of their names: written once, because a replay asks for every move by hand."""
        if self._places_written != len(self._at):
            self._written = {name: place for place in self._at for name in (place.shown_key, place.key)}
            self._places_written = len(self._at)
        return self._written

    def _public(self) -> list[Piece]:
        """The pieces that all may know of: no card's face, because only those seen lie in open accounts."""
        faces = {found.piece for found in self if found.covered and found.piece.is_marker}
        return list({found.piece: None for found in self if not (found.covered or found.piece in faces)})

    def register(self, account: Account) -> None:
        """Adds an account that `find_account` returned to the ledger, if it is new."""
        here = self._at[account.place]
        if account.piece not in here:
            here[account.piece] = account
            self._list(account)

    def _list(self, account: Account) -> None:
        self._accounts.append(account)
        if self._first.setdefault(account.piece, account) is not account:  # most have no other: spares a list
            self._others[account.piece].append(account)

    def misplaced(self, homes: Mapping[Piece, Account]) -> list[tuple[Account, Account]]:
        """Returns every account that holds a piece away from its home, with the home account."""
        return [
            (account, homes[piece])
            for piece, others in self._others.items()  # what never left its home has no other account
            if piece in homes
            for account in (self._first[piece], *others)
            if account.count and account is not homes[piece]
        ]

    def piece_totals(self) -> dict[str, int]:
        """Returns the sum of every piece over all places, without sums of 0; it never changes."""
        sums: dict[str, int] = {}
        for account in self:
            sums[account.piece.key] = sums.get(account.piece.key, 0) + account.count
        return {piece: total for piece, total in sums.items() if total}


def _check(place: Place, piece: Piece) -> None:
    """Raises `TypeError` where rules mix up pieces, texts and seats, which all have a label and a key."""
    for value, kind, what in ((piece, Piece, "piece"), (place.name, Say, "place")):
        if not isinstance(value, kind):
            raise TypeError(f"The {what} of an account is a {kind.__name__}, not {as_source_code(value)}")
    if not (place.seat is None or isinstance(place.seat, Seat)):
        raise TypeError(f"The seat of a place is a Seat, not {as_source_code(place.seat)}")


@lru_cache(maxsize=1024)  # each of a deck's cards has accounts in every match
def _is_card(piece: Piece) -> bool:
    return piece.is_back or piece.is_face


def _only(word: str, names: Iterable[str]) -> str:
    """The only one of these names that reads the same as the word; else the word."""
    found = find_by_name(word, {name: (name,) for name in names})
    return found[0] if len(found) == 1 else word


def _short(source: Account, count: int) -> Say:
    if source.covered:
        return say("These pieces can't come from {place}.", place=source.place)
    held = source.piece.quantity(source.count)
    return say("{place} has only {held}, not {amount}.", place=source.place.holder, held=held, amount=count)
