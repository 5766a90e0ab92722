"""Payments by hand in a few words: `Aki bank 150`, `all Aki 10`, `Aki Ben 3 wool`.

In games with free moves, a payment is one correction, however many notes it needs. No rule of the game is
decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.name_matching import find_by_leading_words, find_by_name
from companion.session.session import Session
from companion.table.ledger import Ledger, Piece, Place
from companion.table.money import plan_moves_for_payments
from companion.table.moves import PieceMove
from companion.table.seats import WORDS_FOR_ALL_PLAYERS, Seat, ambiguous_name_text
from companion.table.table import BOX_PLACE, Table
from companion.texts import Labelled, Say, render, say, say_list

MAX_AMOUNT_DIGITS = len(str(MAX_NUMBER))
EXAMPLE_PLURAL_COUNT = 2
"""A number with which a text takes its plural form."""


class Payment(msgspec.Struct, frozen=True):
    """A payment of an amount of money, or of a number of `piece`, between payers and payees.

    Each of the two may be everybody else.
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
        """Returns the moves of pieces that pay it; raises `IllegalAnswer` if the pieces aren't there."""
        if self.piece is None:
            return plan_moves_for_payments(ledger, self.payer_payee_amounts)
        return [PieceMove(self.piece, *way) for way in self.payer_payee_amounts]


def parse_payment(session: Session, typed_line: str, *languages: str) -> dict[str, Any] | None:
    """Returns the payment typed in a line, in any of these languages, as JSON for `pay`.

    None if the line is no payment.
    """
    words = typed_line.split()
    ends = [
        at for at, word in enumerate(words) if at > 1 and word.isdecimal() and len(word) <= MAX_AMOUNT_DIGITS
    ]
    if not ends:
        return None
    at, piece = ends[-1], " ".join(words[ends[-1] + 1 :])
    for cut in range(1, at):
        payer, payee, amount = " ".join(words[:cut]), " ".join(words[cut:at]), int(words[at])
        if find_payment(session, payer, payee, amount, piece, *languages):
            return {"from": payer, "to": payee, "amount": amount, "piece": piece}
    return None


def find_payment(
    session: Session, payer_name: str, payee_name: str, amount: int, piece_name: str = "", *languages: str
) -> Payment | None:
    """Returns the payment between the parties with these names.

    None if there are no such parties, or if pieces can't be moved freely.
    """
    called = _NameLookup(session.table, languages)
    what = called.piece(piece_name)
    if not session.game.has_free_moves or (piece_name and what is None):
        return None
    payers, payees = called.places(payer_name, what), called.places(payee_name, what)
    if not (payers and payees) or len(payers) == len(payees) > 1:
        return None
    return Payment(payers, payees, amount, what)


def why_no_payment(
    session: Session, payer_name: str, payee_name: str, piece_name: str, *languages: str
) -> Say:
    """Returns why there is no payment between the parties with these names."""
    called = _NameLookup(session.table, languages)
    unknown = [name for name in (payer_name, payee_name) if not called.places(name, None)]
    if session.game.has_free_moves and unknown and (unclear := called.unclear(unknown[0])):
        return unclear
    if session.game.has_free_moves and unknown:
        text = "There is no player or place called {name}. Choose from: {names}."
        return say(text, name=unknown[0], names=say_list(called.parties()))
    if (
        session.game.has_free_moves
        and piece_name
        and called.piece(piece_name) is None
        and (pieces := called.pieces())
    ):
        text = "There is no piece called {name}. Pieces: {names}."
        return say(text, name=piece_name, names=say_list(pieces))
    return say('I can\'t tell who pays whom. Type two names of players or places. "all" means all players.')


@contextmanager
def explaining_payment_errors(session: Session, typed_line: str, *languages: str) -> Iterator[None]:
    """Explains what is wrong with a payment if a line that begins like one is refused as an answer."""
    try:
        yield
    except IllegalAnswer:
        if why := why_line_is_no_payment(session, typed_line, *languages):
            raise IllegalAnswer(why) from None
        raise


def why_line_is_no_payment(session: Session, typed_line: str, *languages: str) -> Say | None:
    """Returns why a line that begins with a payer is no payment; None if it begins otherwise."""
    called, words = _NameLookup(session.table, languages), typed_line.split()
    cut = called.first(words) if session.game.has_free_moves else 0
    payer, rest = " ".join(words[:cut]), words[cut:]
    if not payer or not rest:
        return None
    cut = called.first(rest)
    payee, amount = " ".join(rest[: cut or 1]), rest[cut or 1 :]
    if cut and not (amount and amount[0].isdecimal() and len(amount[0]) <= MAX_AMOUNT_DIGITS):
        return say(
            'How much? Type the amount as a whole number at the end, such as "{payer} {payee} 37".',
            payer=payer,
            payee=payee,
        )
    return why_no_payment(session, payer, payee, " ".join(amount[1:]), *languages)


def payment_party_by_english_name(session: Session) -> dict[str, Labelled]:
    """Returns everybody who can pay or be paid, by English name."""
    return {render(party): party for party in _NameLookup(session.table, ("en",)).parties()}


def execute_payment(session: Session, payment: Payment) -> None:
    """Executes a payment completely, as one line of the history, or not at all; raises `UserError`."""
    moves = payment.piece_moves(session.table.ledger)
    session.correct_all([(one.source.key, one.target.key, one.piece.key, one.count) for one in moves], "")


class _NameLookup:
    """Finds the places and pieces of a table by the names that people use."""

    def __init__(self, table: Table, languages: Sequence[str]) -> None:
        self._table, self._ledger, self._languages = table, table.ledger, languages

    def piece(self, word: str) -> Piece | None:
        """Returns the only piece with this name, in the singular, plural or as a key."""
        found = find_by_name(
            word, {one: (*self._names(one), *self._plurals(one), one.key) for one in self.pieces()}
        )
        return found[0] if len(found) == 1 else None

    def _plurals(self, piece: Piece) -> Iterator[str]:
        """Yields the names that follow a number: `houses`."""
        for name in self._names(piece.quantity_text(EXAMPLE_PLURAL_COUNT)):
            yield name.removeprefix(f"{EXAMPLE_PLURAL_COUNT} ")

    def pieces(self) -> list[Piece]:
        """Returns all pieces that can be paid: money, and pieces at common places; a loan isn't one."""
        common = [one for one in self._ledger if one.place.seat is None and one.place != BOX_PLACE]
        there = [*[one for one in self._ledger if one.piece.money_value], *common]
        return list(dict.fromkeys(one.piece for one in there if not one.piece.is_marker))

    def parties(self) -> list[Labelled]:
        """Returns everybody who can pay or be paid."""
        places = dict.fromkeys(self._places(lambda at: at.seat is None, None))
        return [*self._table.seats, *places, WORDS_FOR_ALL_PLAYERS[0]]

    def first(self, words: Sequence[str]) -> int:
        """Returns how many of the first words are a name; the longest name counts."""
        return find_by_leading_words(words, self._names_of(self._parties(None)))[1]

    def unclear(self, word: str) -> Say | None:
        """Returns why a name is ambiguous; None if it isn't."""
        found = self._found(word, self._parties(None))
        return ambiguous_name_text(word, found) if _is_unclear(found) else None

    def places(self, word: str, piece: Piece | None) -> tuple[Place, ...]:
        """Returns the places of that piece, or of money, for a seat, for everybody, or for a common place."""
        parties = self._parties(piece)
        found = self._found(word, parties)
        return parties[found[0]] if found and not _is_unclear(found) else ()

    def _found(self, word: str, parties: Iterable[Labelled]) -> list[Labelled]:
        return find_by_name(word, self._names_of(parties))

    def _parties(self, piece: Piece | None) -> dict[Labelled, tuple[Place, ...]]:
        """Returns everybody, each seat and each common place, with the places of that piece, or of money."""
        everybody = [place for seat in self._table.paying_seats for place in self._of(seat, piece)]
        parties: dict[Labelled, tuple[Place, ...]] = {WORDS_FOR_ALL_PLAYERS[0]: tuple(everybody)}
        parties |= {
            seat: tuple(self._of(self._table.captain_by_seat[seat], piece)) for seat in self._table.seats
        }
        parties |= {place: (place,) for place in self._places(lambda place: place.seat is None, piece)}
        return {party: places for party, places in parties.items() if places}

    def _of(self, seat: Seat, piece: Piece | None) -> Iterator[Place]:
        """Yields the first place of a seat for that piece, or for money."""
        yield from [*self._places(lambda place: place.seat == seat, piece)][:1]

    def _places(self, fits: Callable[[Place], bool], piece: Piece | None) -> Iterator[Place]:
        for one in self._ledger:
            if fits(one.place) and (one.piece == piece if piece else one.piece.money_value):
                yield one.place

    def _names_of(self, parties: Iterable[Labelled]) -> dict[Labelled, tuple[str, ...]]:
        """Returns the names of each party; a seat also has its key, such as `@2`."""
        more: dict[Labelled, tuple[str, ...]] = {seat: (seat.key,) for seat in self._table.seats}
        more[WORDS_FOR_ALL_PLAYERS[0]] = self._names(WORDS_FOR_ALL_PLAYERS[1])
        return {party: (*self._names(party), *more.get(party, ())) for party in parties}

    def _names(self, thing: Labelled) -> tuple[str, ...]:
        return tuple(render(thing, each) for each in self._languages)


def _is_unclear(found: Sequence[Labelled]) -> bool:
    """Returns whether several parties were found that aren't only places with the same name."""
    return len(found) > 1 and not all(isinstance(one, Place) for one in found)
