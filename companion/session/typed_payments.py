"""Payments by hand in a few words: `Aki bank 150`, `all Aki 10`, `Aki Ben 3 wool`.

In games with free moves, a payment is one correction, however many notes it needs. No rule of the game is
decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.bounds import MAX_ENTERED_NUMBER
from companion.errors import IllegalAnswer
from companion.name_matching import find_by_leading_words, find_by_name
from companion.session.session import Session
from companion.table.ledger import Ledger, Piece, Place
from companion.table.money import plan_moves_of_several_payments
from companion.table.moves import PieceMove
from companion.table.seats import WORDS_FOR_ALL_PLAYERS, Seat, ambiguous_name_text
from companion.table.table import BOX_PLACE, Table
from companion.texts import Labelled, Say, render, say, say_list

MAX_AMOUNT_DIGITS = len(str(MAX_ENTERED_NUMBER))
EXAMPLE_PLURAL_COUNT = 2
"""A number with which a text takes its plural form."""


class Payment(msgspec.Struct, frozen=True):
    """A payment of an amount of money, or of a number of `piece`, between payers and payees.

    Payers or payees may be all players but the other party.
    """

    payers: tuple[Place, ...]
    payees: tuple[Place, ...]
    amount: int
    piece: Piece | None = None

    @property
    def payer_payee_amounts(self) -> list[tuple[Place, Place, int]]:
        """Payer, payee and amount of each payment between two places; nobody pays themselves."""
        return [
            (source, target, self.amount)
            for source in self.payers
            for target in self.payees
            if len(self.payers) + len(self.payees) == 2 or source != target  # noqa: PLR2004 - one to one
        ]

    def piece_moves(self, ledger: Ledger) -> list[PieceMove]:
        """Returns the moves of pieces that pay the amount; raises `IllegalAnswer` if they aren't there."""
        if self.piece is None:
            return plan_moves_of_several_payments(ledger, self.payer_payee_amounts)
        return [PieceMove(self.piece, *payment) for payment in self.payer_payee_amounts]

    def keyed_moves(self, ledger: Ledger) -> list[tuple[str, str, str, int]]:
        """Returns the moves of pieces with the keys of source, target and piece; raises `IllegalAnswer`."""
        moves = self.piece_moves(ledger)
        return [(move.source.key, move.target.key, move.piece.key, move.count) for move in moves]


def parse_payment(session: Session, typed_line: str, *languages: str) -> dict[str, Any] | None:
    """Returns the payment typed in a line, as JSON for `pay`; None if the line is no payment.

    The names may be in any of these languages.
    """
    words = typed_line.split()
    amount_indexes = [index for index, word in enumerate(words) if index > 1 and _is_amount(word)]
    if not amount_indexes:
        return None
    amount_index = amount_indexes[-1]
    amount, piece = int(words[amount_index]), " ".join(words[amount_index + 1 :])
    for payer_length in range(1, amount_index):
        payer, payee = " ".join(words[:payer_length]), " ".join(words[payer_length:amount_index])
        if find_payment(session, payer, payee, amount, piece, *languages):
            return {"from": payer, "to": payee, "amount": amount, "piece": piece}
    return None


def _is_amount(word: str) -> bool:
    return word.isdecimal() and len(word) <= MAX_AMOUNT_DIGITS


def find_payment(
    session: Session, payer_name: str, payee_name: str, amount: int, piece_name: str = "", *languages: str
) -> Payment | None:
    """Returns the payment between the parties with these names.

    Returns None if there are no such parties, or if pieces can't be moved freely.
    """
    lookup = _NameLookup(session.table, languages)
    piece = lookup.find_piece(piece_name)
    if not session.game.has_free_moves or (piece_name and piece is None):
        return None
    payers, payees = lookup.find_places(payer_name, piece), lookup.find_places(payee_name, piece)
    if not (payers and payees) or len(payers) == len(payees) > 1:
        return None
    return Payment(payers, payees, amount, piece)


def why_no_payment(
    session: Session, payer_name: str, payee_name: str, piece_name: str, *languages: str
) -> Say:
    """Returns why there is no payment between the parties with these names."""
    lookup = _NameLookup(session.table, languages)
    unknown_names = [name for name in (payer_name, payee_name) if not lookup.find_places(name, None)]
    if session.game.has_free_moves and unknown_names:
        if ambiguous := lookup.why_ambiguous(unknown_names[0]):
            return ambiguous
        text = "There is no player or place called {name}. Choose from: {names}."
        return say(text, name=unknown_names[0], names=say_list(lookup.parties()))
    is_piece_unknown = bool(piece_name) and lookup.find_piece(piece_name) is None
    if session.game.has_free_moves and is_piece_unknown and (pieces := lookup.pieces()):
        text = "There is no piece called {name}. Pieces: {names}."
        return say(text, name=piece_name, names=say_list(pieces))
    return say('I can\'t tell who pays whom. Type two names of players or places. "all" means all players.')


@contextmanager
def explaining_payment_if_answer_refused(
    session: Session, typed_line: str, *languages: str
) -> Iterator[None]:
    """Explains what is wrong with a payment if a line that begins like one is refused as an answer."""
    try:
        yield
    except IllegalAnswer:
        if why := why_line_is_no_payment(session, typed_line, *languages):
            raise IllegalAnswer(why) from None
        raise


def why_line_is_no_payment(session: Session, typed_line: str, *languages: str) -> Say | None:
    """Returns why a line that begins with a payer is no payment; None if the line begins otherwise."""
    lookup, words = _NameLookup(session.table, languages), typed_line.split()
    payer_length = lookup.count_name_words(words) if session.game.has_free_moves else 0
    payer, words = " ".join(words[:payer_length]), words[payer_length:]
    if not payer or not words:
        return None
    payee_length = lookup.count_name_words(words)
    payee, words = " ".join(words[: payee_length or 1]), words[payee_length or 1 :]
    if payee_length and not (words and _is_amount(words[0])):
        return say(
            'How much? Type the amount as a whole number at the end, such as "{payer} {payee} 37".',
            payer=payer,
            payee=payee,
        )
    return why_no_payment(session, payer, payee, " ".join(words[1:]), *languages)


def payment_party_by_english_name(session: Session) -> dict[str, Labelled]:
    """Returns everybody who can pay or be paid, by English name."""
    return {render(party): party for party in _NameLookup(session.table, ("en",)).parties()}


class _NameLookup:
    """Finds the places and pieces of a table by the names that people use."""

    def __init__(self, table: Table, languages: Sequence[str]) -> None:
        self._table, self._ledger, self._languages = table, table.ledger, languages

    def find_piece(self, name: str) -> Piece | None:
        """Returns the only piece with this name, in the singular, plural or as a key."""
        names_by_piece = {
            piece: (*self._names_of(piece), *self._plurals_of(piece), piece.key) for piece in self.pieces()
        }
        found = find_by_name(name, names_by_piece)
        return found[0] if len(found) == 1 else None

    def _plurals_of(self, piece: Piece) -> Iterator[str]:
        """Yields the names that follow a number: `houses`."""
        for name in self._names_of(piece.quantity_text(EXAMPLE_PLURAL_COUNT)):
            yield name.removeprefix(f"{EXAMPLE_PLURAL_COUNT} ")

    def pieces(self) -> list[Piece]:
        """Returns all pieces that can be paid: money, and pieces at common places; a loan isn't one."""
        money = [account for account in self._ledger if account.piece.money_value]
        common = [
            account for account in self._ledger if account.place.seat is None and account.place != BOX_PLACE
        ]
        accounts = (*money, *common)
        return list(dict.fromkeys(account.piece for account in accounts if not account.piece.is_marker))

    def parties(self) -> list[Labelled]:
        """Returns everybody who can pay or be paid."""
        places = dict.fromkeys(self._places(lambda place: place.seat is None, None))
        return [*self._table.seats, *places, WORDS_FOR_ALL_PLAYERS[0]]

    def count_name_words(self, words: Sequence[str]) -> int:
        """Returns how many of the first words are the name of a party; the longest name counts."""
        return find_by_leading_words(words, self._names_by_party(self._places_by_party(None))).word_count

    def why_ambiguous(self, name: str) -> Say | None:
        """Returns why the name of a party is ambiguous; None if it isn't."""
        found = self._find_parties(name, self._places_by_party(None))
        return ambiguous_name_text(name, found) if _is_ambiguous(found) else None

    def find_places(self, name: str, piece: Piece | None) -> tuple[Place, ...]:
        """Returns the places of that piece, or of money, for a seat, for everybody, or for a common place."""
        places_by_party = self._places_by_party(piece)
        found = self._find_parties(name, places_by_party)
        return places_by_party[found[0]] if found and not _is_ambiguous(found) else ()

    def _find_parties(self, name: str, parties: Iterable[Labelled]) -> list[Labelled]:
        return find_by_name(name, self._names_by_party(parties))

    def _places_by_party(self, piece: Piece | None) -> dict[Labelled, tuple[Place, ...]]:
        """Returns everybody, each seat and each common place, with the places of that piece, or of money."""
        everybody = [
            place for seat in self._table.captains_in_game for place in self._first_place(seat, piece)
        ]
        parties: dict[Labelled, tuple[Place, ...]] = {WORDS_FOR_ALL_PLAYERS[0]: tuple(everybody)}
        parties |= {
            seat: tuple(self._first_place(self._table.captain_by_seat[seat], piece))
            for seat in self._table.seats
        }
        parties |= {place: (place,) for place in self._places(lambda place: place.seat is None, piece)}
        return {party: places for party, places in parties.items() if places}

    def _first_place(self, seat: Seat, piece: Piece | None) -> list[Place]:
        """Returns the first place of a seat for that piece, or for money; [] if there is none."""
        return [*self._places(lambda place: place.seat == seat, piece)][:1]

    def _places(self, is_wanted: Callable[[Place], bool], piece: Piece | None) -> Iterator[Place]:
        """Yields the wanted places that are for that piece, or for money."""
        for account in self._ledger:
            if is_wanted(account.place) and (account.piece == piece if piece else account.piece.money_value):
                yield account.place

    def _names_by_party(self, parties: Iterable[Labelled]) -> dict[Labelled, tuple[str, ...]]:
        """Returns the names of each party; a seat also has its key, such as `@2`."""
        more_names: dict[Labelled, tuple[str, ...]] = {seat: (seat.key,) for seat in self._table.seats}
        more_names[WORDS_FOR_ALL_PLAYERS[0]] = self._names_of(WORDS_FOR_ALL_PLAYERS[1])
        return {party: (*self._names_of(party), *more_names.get(party, ())) for party in parties}

    def _names_of(self, labelled: Labelled) -> tuple[str, ...]:
        return tuple(render(labelled, language) for language in self._languages)


def _is_ambiguous(found: Sequence[Labelled]) -> bool:
    """Returns whether several parties were found that aren't only places with the same name."""
    return len(found) > 1 and not all(isinstance(party, Place) for party in found)
