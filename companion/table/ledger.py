"""Where every piece is: places, pieces, accounts and transfers between them.

Pieces move; they are never made or lost. A transfer is the only way to change a count.
The ledger knows no rule and no secret; `covered` only says that an account is not to be shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from companion.errors import IllegalAnswer, PrivateRefusal, UnknownName
from companion.name_matching import find_by_name
from companion.table.seats import Seat
from companion.texts import Say, Text, as_source_code, join_names_with_commas, render, say, say_quantity

CARD_LOOKS = ("card", "tile")
PURSE = say("purse")
"""The name of the place where a seat keeps its money. Sentences leave it out: `Aki has only 4 coins`."""
PIECE_LOOKS = ("card", "coin", "cube", "gem", "chip", "tile")


class Place(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A place on the table: the bank, slot 4 of the market, or one player's hand.

    `slot_name`: the name of a slot that belongs to a seat but is hidden from its owner too.
    """

    name: Say
    seat: Seat | None = None
    slot: int | None = None
    slot_name: Say | None = None

    @property
    def label(self) -> Text:
        """The name of the place as people read it."""
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
        """The key of the place in a log: `@1/hand`, `market/4`, `bank`."""
        return self._key_with_owner(self.seat.key if self.seat else "")

    @property
    def key_with_player_name(self) -> str:
        """The key of the place with the player's name, as in tests: `Aki/hand`, `market/4`, `bank`."""
        return self._key_with_owner(self.seat.name if self.seat else "")

    @property
    def label_as_owner(self) -> Say | Place:
        """The label of the place as an owner in a sentence: a purse has the player's name alone."""
        if self.seat is not None and self.slot is None and self.name == PURSE:
            return say("{seat}", seat=self.seat)
        return self

    def _key_with_owner(self, owner: str) -> str:
        parts = (owner, render(self.name), "" if self.slot is None else str(self.slot))
        return "/".join(part for part in parts if part)


class Piece(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A kind of piece, such as a coin or a card.

    All copies of a piece are alike.

    `is_endless`: there is always more of it, such as the bank's money.
    `is_marker`: a status that only Companion tracks, such as who starts; nobody moves it by hand.
    `look`: how it is drawn: "card", "coin", "cube", "gem", "chip" or "tile"; without it, as its name.
    `colour`: a seat's colour or a plain one.
    `money_value`: the value of one copy in payments; 0 if it is no money.
    `count_label`: the text of a count: `say_n("{n} coin", "{n} coins", n=2)`.
    `emblem`: a character that a screen draws on a tile instead of a letter.
    """

    key: str
    label: Say
    is_endless: bool = False
    is_marker: bool = False
    look: str = ""
    colour: str = ""
    money_value: int = 0
    count_label: Say | None = None
    emblem: str = ""

    def quantity_text(self, count: int | str) -> Say:
        """Returns a count as text: `4 coins`; a single piece with a numbered name is just `daughter 7`."""
        if count == 1 and self.count_label is None and any(type(arg) is int for _, arg in self.label.args):
            return self.label
        if self.is_card_face:
            return self.label if count == 1 else say("{count} × {card}", count=count, card=self.label)
        return say_quantity(count, self.label, self.count_label)

    @property
    def is_money(self) -> bool:
        """True if the piece is money: it has a value in payments, or is a coin."""
        return self.money_value != 0 or self.look == "coin"

    @property
    def is_card_face(self) -> bool:
        """True if the piece is the face of a card.

        Only Companion tracks faces; people move the physical card.
        """
        return self.is_marker and self.look == "card" and self.key.startswith("card ")

    @property
    def is_physical_card(self) -> bool:
        """True if the piece is a card or tile on the real table, not the face of a card.

        A face is a piece of its own.
        """
        return not self.is_marker and (self.key == "card" or self.look in CARD_LOOKS)


class CardMovement(msgspec.Struct, frozen=True, gc=False):
    """A number of cards, or of faces of cards, that changed places.

    The place of a covered face is None.
    """

    piece: Piece
    source: Place | None
    target: Place | None
    count: int


class Account(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The number of copies of one piece at one place.

    Read its `count`; change it with `table.move`.

    `count`: the copies that are here now. Below zero if an endless piece is owed (or see `moves_by_hand`).
    `capacity`: the most copies the place has room for, such as on a track. Your rules must respect it.
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
        """The place, or None for a face that is covered there."""
        return None if self.covered and self.piece.is_marker else self.place

    @property
    def can_go_below_zero(self) -> bool:
        """True if any number of copies may leave: an endless piece at a place without an owner.

        A place with a `max_debt` may owe only that many, see `can_give`.
        """
        return self.max_debt is None and self.piece.is_endless and self.place.seat is None

    @property
    def is_common_counter(self) -> bool:
        """True for markers that belong to no player, such as those on the track of rounds, and in the box."""
        return self.place.seat is None and self.piece.is_marker and not self.piece.is_card_face

    def can_give(self, count: int) -> bool:
        """Returns whether `count` copies may leave, even as a debt."""
        return self.can_go_below_zero or count <= self.count + (self.max_debt or 0)

    def __repr__(self) -> str:
        return f"<{self.place.key_with_player_name}: {self.count} {self.piece.key}>"


class MisplacedAccount(NamedTuple):
    """An account that holds a piece away from its home, and the account that is the piece's home."""

    account: Account
    home: Account


class Ledger:
    """All accounts of one table.

    `covered_places`: the places where nobody sees the faces of cards.
    """

    def __init__(self) -> None:
        self._accounts: list[Account] = []
        self._accounts_by_place: defaultdict[Place, dict[Piece, Account]] = defaultdict(dict)
        self._first_account_by_piece: dict[Piece, Account] = {}
        self._other_accounts_by_piece: defaultdict[Piece, list[Account]] = defaultdict(list)
        self.covered_places: set[Place] = set()
        self._piles: dict[Place, list[Piece]] = {}
        self._piece_by_compact_row: dict[Say, Piece] = {}
        self._steps: list[tuple[CardMovement, ...]] = []
        self._unbuilt_steps: list[list[tuple[Account, Account, int]]] = []
        self._current_step: list[tuple[Account, Account, int]] = []
        self._place_by_either_key_cache: dict[str, Place] = {}
        self._cached_place_count = 0

    def __iter__(self) -> Iterator[Account]:
        return iter(self._accounts)

    def open_account(
        self,
        place: Place,
        piece: Piece,
        *,
        covered: bool = False,
        capacity: int | None = None,
        max_debt: int | None = None,
    ) -> Account:
        """Opens the account of a piece at a place, unless it is open already, and returns it.

        Only the first call uses the other parameters.
        """
        account_by_piece = self._accounts_by_place[place]
        account = account_by_piece.get(piece)
        if account is None:
            _check_types(place, piece)
            covered = covered or self._is_covered_at(place, piece)
            account = account_by_piece[piece] = Account(
                place, piece, covered, _is_card(piece), capacity, max_debt
            )
            self._add_to_lists(account)
        return account

    def hide_faces_at(self, *places: Place) -> None:
        """Hides the faces of cards at these places from everybody, also in accounts opened later."""
        for place in places:
            self._accounts_by_place[place] |= {}
            self.covered_places.add(place)

    def _is_covered_at(self, place: Place, piece: Piece) -> bool:
        return place in self.covered_places and piece.is_card_face

    @property
    def places(self) -> Collection[Place]:
        """All places of this table, in the order in which they were first used."""
        return self._accounts_by_place.keys()

    @property
    def pieces(self) -> Collection[Piece]:
        """All pieces of this table."""
        return self._first_account_by_piece.keys()

    def accounts_at(self, place: Place) -> Sequence[Account]:
        """Returns all accounts of a place, in the order in which they were opened."""
        return [*self._accounts_by_place[place].values()] if place in self._accounts_by_place else ()

    def accounts_of(self, piece: Piece) -> Sequence[Account]:
        """Returns all accounts of a piece, in the order in which they were opened."""
        first = self._first_account_by_piece.get(piece)
        return () if first is None else (first, *self._other_accounts_by_piece.get(piece, ()))

    def count_at(self, place: Place, piece: Piece) -> int:
        """Returns the count of a piece at a place, without opening an account."""
        account = self._accounts_by_place[place].get(piece) if place in self._accounts_by_place else None
        return 0 if account is None else account.count

    def find_account_holding(self, piece: Piece) -> Account:
        """Returns the first account that holds a piece; raises `LookupError` if none does."""
        for account in self.accounts_of(piece):
            if account.count > 0:
                return account
        raise LookupError(f"{piece.key!r} lies nowhere: table.supply_from_box it first")

    def supply_from_box(self, account: Account, count: int) -> Account:
        """Adds pieces from the game's box to an account at the start of a game; returns the account."""
        force_setattr(account, "count", account.count + count)
        if account.place in self._piles:
            self._piles[account.place] += [account.piece] * count
        return account

    def supply_covered_from_box(
        self, place: Place, count_by_piece: Mapping[Piece, int]
    ) -> dict[Piece, Account]:
        """Adds new pieces from the game's box to covered accounts of a place; returns the accounts."""
        assert self._first_account_by_piece.keys().isdisjoint(count_by_piece)
        account_by_piece = {
            piece: Account(place, piece, covered=True, is_card=_is_card(piece), count=count)
            for piece, count in count_by_piece.items()
        }
        self._accounts_by_place[place] |= account_by_piece
        self._accounts += account_by_piece.values()
        self._first_account_by_piece |= account_by_piece
        return account_by_piece

    def transfer(
        self, source: Account, target: Account, count: int, *, allow_below_zero: bool = False
    ) -> None:
        """Transfers copies from one account to another.

        Raises `IllegalAnswer` and changes nothing if the source holds too few. `allow_below_zero`: people
        said that the copies were there, so the source's count may be too low.
        """
        if count < 1 or source.piece is not target.piece or source.place is target.place:
            self.check_transfer_apart_from_stock(source, target, count)
        if count > source.count and not (allow_below_zero or source.can_give(count)):
            self.check_holds_enough(source, count)
        force_setattr(source, "count", source.count - count)
        force_setattr(target, "count", target.count + count)
        if self._piles and (source.place in self._piles or target.place in self._piles):
            self._update_piles(source.place, target.place, source.piece, count)
        if source.is_card:
            self._current_step.append((source, target, count))

    def check_transfer_apart_from_stock(self, source: Account, target: Account, count: int) -> None:
        """Raises `IllegalAnswer` unless both accounts have the same piece, at two different places.

        A count below 1 is refused, too. Whether the source holds enough is not checked.
        """
        if count < 1:
            raise IllegalAnswer(say("Move at least 1 piece, not {count}.", count=count))
        if source.piece != target.piece:
            raise IllegalAnswer(say("{one} can't become {other}.", one=source.piece, other=target.piece))
        if source.place == target.place:
            raise IllegalAnswer(
                say("Nothing can move from {place} to the same place. Choose two places.", place=source.place)
            )

    def end_movement_step(self) -> None:
        """Ends a step: all card movements since the last call belong together."""
        if self._current_step:
            self._unbuilt_steps.append(self._current_step)
            self._current_step = []

    def card_movements_by_step(self) -> tuple[tuple[CardMovement, ...], ...]:
        """Returns the card movements of all ended steps.

        They are built on demand, so that no answer waits for it.
        """
        for step in self._unbuilt_steps:
            self._steps.append(
                tuple(
                    [
                        CardMovement(source.piece, source.public_place, target.public_place, count)
                        for source, target, count in step
                    ]
                )
            )
        self._unbuilt_steps.clear()
        return tuple(self._steps)

    def reuse_card_movements_of(self, other_ledger: Ledger) -> None:
        """Takes over the card movements of a ledger with equal history: they are built only once."""
        step_count = len(self._steps) + len(self._unbuilt_steps)
        self._steps, self._unbuilt_steps = [*other_ledger.card_movements_by_step()[:step_count]], []

    def check_holds_enough(self, source: Account, count: int) -> None:
        """Raises `IllegalAnswer` if an account holds fewer pieces, even if its count may go below zero."""
        if count > source.count:
            raise (PrivateRefusal if source.covered else IllegalAnswer)(_too_few_text(source, count))

    def check_target_of_move_by_hand(self, target: Account, count: int) -> None:
        """Raises `IllegalAnswer` if people can't put these pieces here by hand.

        A pile takes only the pieces that the rules look for in it; a track no more than it has room for.
        """
        if target.place in self._piles and target.piece not in self._accounts_by_place.get(target.place, ()):
            raise IllegalAnswer(
                say(
                    "{piece} can't be placed at {place}. Choose another place.",
                    piece=target.piece,
                    place=target.place,
                )
            )
        if target.capacity is not None and target.count + count > target.capacity:
            things = target.piece.quantity_text(target.capacity)
            raise IllegalAnswer(say("{place} has room for only {things}.", place=target.place, things=things))

    def make_pile(self, place: Place) -> None:
        """Makes an empty place a pile, which keeps the order of its pieces.

        Pieces are added on top, and the topmost of their kind leave first.
        """
        self._piles[place] = []

    @property
    def piles(self) -> Mapping[Place, Sequence[Piece]]:
        """The pieces in each pile, the lowest piece first."""
        return self._piles

    def define_compact_row(self, row_name: Say, piece: Piece) -> None:
        """Makes the places of this name a compact row: a row without gaps.

        Only slots that hold the piece are counted.
        """
        self._piece_by_compact_row[row_name] = piece

    def current_slot_by_place(self) -> dict[Place, Place]:
        """Maps each place of a compact row to its present slot; an empty slot has the next one's."""
        next_slot_by_row = dict.fromkeys(self._piece_by_compact_row, 1)
        slot_by_place: dict[Place, Place] = {}
        places = (
            [place for place in self._accounts_by_place if place.name in self._piece_by_compact_row]
            if self._piece_by_compact_row
            else []
        )
        for place in sorted(places, key=lambda place: place.slot or 0):
            slot_by_place[place] = Place(place.name, place.seat, next_slot_by_row[place.name])
            next_slot_by_row[place.name] += self.count_at(place, self._piece_by_compact_row[place.name]) > 0
        return slot_by_place

    def _update_piles(self, source: Place, target: Place, piece: Piece, count: int) -> None:
        pile = self._piles.get(source, [])
        for _ in range(min(count, pile.count(piece))):
            del pile[len(pile) - 1 - pile[::-1].index(piece)]
        if target in self._piles:
            self._piles[target] += [piece] * count

    def find_account_by_keys(self, place_key: str, piece_key: str) -> Account:
        """Returns the account of keys such as `Aki/hand` or `@1/hand`; raises `UnknownName`.

        The error lists the known names. If the piece was never at that place, the account is returned empty,
        and `register_account` adds it to the ledger. A place that was never used is an unknown name.
        """
        place_by_key = self._places_by_either_key()
        place_key = place_key if place_key in place_by_key else _complete_name(place_key, place_by_key)
        if place_key not in place_by_key:
            known_names = join_names_with_commas(
                sorted({place.key_with_player_name for place in self._accounts_by_place})
            )
            raise UnknownName(
                say("There is no place called {name}. Places: {names}.", name=place_key, names=known_names)
            )
        piece_by_key = {account.piece.key: account.piece for account in self}
        piece_key = (
            piece_key
            if piece_key in piece_by_key
            else _complete_name(piece_key, [one.key for one in self._publicly_known_pieces()])
        )
        if piece_key not in piece_by_key:
            known_names = join_names_with_commas(piece.key for piece in self._publicly_known_pieces())
            raise UnknownName(
                say("There is no piece called {name}. Pieces: {names}.", name=piece_key, names=known_names)
            )
        place, piece = place_by_key[place_key], piece_by_key[piece_key]
        return self._accounts_by_place[place].get(piece) or Account(
            place, piece, self._is_covered_at(place, piece), _is_card(piece)
        )

    def _places_by_either_key(self) -> Mapping[str, Place]:
        """Returns places by both of their keys.

        The result is cached, because a replay asks for every move by hand.
        """
        if self._cached_place_count != len(self._accounts_by_place):
            self._place_by_either_key_cache = {
                name: place
                for place in self._accounts_by_place
                for name in (place.key_with_player_name, place.key)
            }
            self._cached_place_count = len(self._accounts_by_place)
        return self._place_by_either_key_cache

    def _publicly_known_pieces(self) -> list[Piece]:
        """Returns the pieces that everybody may know of: no face of a card that nobody has seen."""
        hidden_faces = {account.piece for account in self if account.covered and account.piece.is_marker}
        return list(
            {
                account.piece: None
                for account in self
                if not (account.covered or account.piece in hidden_faces)
            }
        )

    def register_account(self, account: Account) -> None:
        """Adds an account that `find_account_by_keys` returned to the ledger, if it is new."""
        account_by_piece = self._accounts_by_place[account.place]
        if account.piece not in account_by_piece:
            account_by_piece[account.piece] = account
            self._add_to_lists(account)

    def _add_to_lists(self, account: Account) -> None:
        self._accounts.append(account)
        if (
            self._first_account_by_piece.setdefault(account.piece, account) is not account
        ):  # most pieces have one account, and need no list
            self._other_accounts_by_piece[account.piece].append(account)

    def find_misplaced_accounts(self, home_by_piece: Mapping[Piece, Account]) -> list[MisplacedAccount]:
        """Returns every account that holds a piece away from its home."""
        return [
            MisplacedAccount(account, home_by_piece[piece])
            for piece, others in self._other_accounts_by_piece.items()  # only of pieces that left home
            if piece in home_by_piece
            for account in (self._first_account_by_piece[piece], *others)
            if account.count and account is not home_by_piece[piece]
        ]

    def total_by_piece_key(self) -> dict[str, int]:
        """Returns the total count of each piece, without zeros.

        Totals never change in a game.
        """
        sums: dict[str, int] = {}
        for account in self:
            sums[account.piece.key] = sums.get(account.piece.key, 0) + account.count
        return {piece: total for piece, total in sums.items() if total}


def _check_types(place: Place, piece: Piece) -> None:
    """Raises `TypeError` where rules mix up pieces, texts and seats, which all have a label and a key."""
    for value, expected_type, argument in ((piece, Piece, "piece"), (place.name, Say, "place")):
        if not isinstance(value, expected_type):
            raise TypeError(
                f"The {argument} of an account is a {expected_type.__name__}, not {as_source_code(value)}"
            )
    if not (place.seat is None or isinstance(place.seat, Seat)):
        raise TypeError(f"The seat of a place is a Seat, not {as_source_code(place.seat)}")


@lru_cache(maxsize=1024)  # each of a deck's cards has accounts in every match
def _is_card(piece: Piece) -> bool:
    return piece.is_physical_card or piece.is_card_face


def _complete_name(word: str, names: Iterable[str]) -> str:
    """Returns the only name that matches the word; the word itself if none or several match."""
    matches = find_by_name(word, {name: (name,) for name in names})
    return matches[0] if len(matches) == 1 else word


def _too_few_text(source: Account, count: int) -> Say:
    if source.covered:
        return say("These pieces can't come from {place}.", place=source.place)
    held = source.piece.quantity_text(source.count)
    return say(
        "{place} has only {held}, not {amount}.", place=source.place.label_as_owner, held=held, amount=count
    )
