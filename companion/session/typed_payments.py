"""Payments by hand in a few words: `Aki bank 150`, `all Aki 10`, `Aki Ben 3 wool`.

Where pieces are moved freely a payment is one correction, whatever notes it takes. It decides no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.name_matching import find_by_name, find_name_at_start
from companion.session.session import Session
from companion.table.ledger import Ledger, Piece, Place
from companion.table.money import moves_for_payments
from companion.table.moves import PieceMove
from companion.table.seats import EVERYBODY_WORDS, Seat, ambiguous_name_text
from companion.table.table import BOX_PLACE, Table
from companion.texts import Labelled, Say, render, say, say_list

DIGITS = len(str(MAX_NUMBER))
SEVERAL = 2
"""A number that has the words for several."""


class Payment(msgspec.Struct, frozen=True):
    """Who pays whom, each of them perhaps everybody else, and how many of `piece`; None: so much money."""

    payers: tuple[Place, ...]
    payees: tuple[Place, ...]
    amount: int
    piece: Piece | None = None

    @property
    def single_payments(self) -> list[tuple[Place, Place, int]]:
        """Each single payment; nobody pays themselves."""
        return [
            (source, target, self.amount)
            for source in self.payers
            for target in self.payees
            if len(self.payers) + len(self.payees) == 2 or source != target  # noqa: PLR2004 - one to one
        ]

    def moves(self, ledger: Ledger) -> list[PieceMove]:
        """What it moves; raises `IllegalAnswer` where that isn't there."""
        if self.piece is None:
            return moves_for_payments(ledger, self.single_payments)
        return [PieceMove(self.piece, *way) for way in self.single_payments]


def parse_payment(session: Session, line: str, *languages: str) -> dict[str, Any] | None:
    """Returns who pays whom how much of what, as a line says it in any of these languages, for `pay` in JSON.

    None if the line is no payment.
    """
    words = line.split()
    ends = [at for at, word in enumerate(words) if at > 1 and word.isdecimal() and len(word) <= DIGITS]
    if not ends:
        return None
    at, piece = ends[-1], " ".join(words[ends[-1] + 1 :])
    for cut in range(1, at):
        payer, payee, amount = " ".join(words[:cut]), " ".join(words[cut:at]), int(words[at])
        if find_payment(session, payer, payee, amount, piece, *languages):
            return {"from": payer, "to": payee, "amount": amount, "piece": piece}
    return None


def find_payment(
    session: Session, payer: str, payee: str, amount: int, piece: str = "", *languages: str
) -> Payment | None:
    """A payment between those who are called so; None where nobody is, or pieces aren't moved freely."""
    called = _Called(session.table, languages)
    what = called.piece(piece)
    if not session.game.has_free_moves or (piece and what is None):
        return None
    payers, payees = called.places(payer, what), called.places(payee, what)
    if not (payers and payees) or len(payers) == len(payees) > 1:
        return None
    return Payment(payers, payees, amount, what)


def why_no_payment(session: Session, payer: str, payee: str, piece: str, *languages: str) -> Say:
    """Why there is no payment between those who are called so."""
    called = _Called(session.table, languages)
    unknown = [name for name in (payer, payee) if not called.places(name, None)]
    if session.game.has_free_moves and unknown and (unclear := called.unclear(unknown[0])):
        return unclear
    if session.game.has_free_moves and unknown:
        text = "There is no player or place called {name}. Choose from: {names}."
        return say(text, name=unknown[0], names=say_list(called.parties()))
    if session.game.has_free_moves and piece and called.piece(piece) is None and (pieces := called.pieces()):
        text = "There is no piece called {name}. Pieces: {names}."
        return say(text, name=piece, names=say_list(pieces))
    return say('I can\'t tell who pays whom. Type two names of players or places. "all" means all players.')


@contextmanager
def refuse_as_payment(session: Session, line: str, *languages: str) -> Iterator[None]:
    """A line that is no answer, but begins as a payment, is refused as one."""
    try:
        yield
    except IllegalAnswer:
        if why := why_misread(session, line, *languages):
            raise IllegalAnswer(why) from None
        raise


def why_misread(session: Session, line: str, *languages: str) -> Say | None:
    """Why a line that begins with who pays is no payment; None where it begins otherwise."""
    called, words = _Called(session.table, languages), line.split()
    cut = called.first(words) if session.game.has_free_moves else 0
    payer, rest = " ".join(words[:cut]), words[cut:]
    if not payer or not rest:
        return None
    cut = called.first(rest)
    payee, amount = " ".join(rest[: cut or 1]), rest[cut or 1 :]
    if cut and not (amount and amount[0].isdecimal() and len(amount[0]) <= DIGITS):
        return say(
            'How much? Type the amount as a whole number at the end, such as "{payer} {payee} 37".',
            payer=payer,
            payee=payee,
        )
    return why_no_payment(session, payer, payee, " ".join(amount[1:]), *languages)


def payment_parties(session: Session) -> dict[str, Labelled]:
    """Returns all who pay and are paid, by what they are called in English."""
    return {render(party): party for party in _Called(session.table, ("en",)).parties()}


def make_payment(session: Session, payment: Payment) -> None:
    """Makes it: all of it, as one line of the history, or nothing; raises `UserError`."""
    moves = payment.moves(session.table.ledger)
    session.correct_all([(one.source.key, one.target.key, one.piece.key, one.count) for one in moves], "")


class _Called:
    """What people call the places and pieces of a table."""

    def __init__(self, table: Table, languages: Sequence[str]) -> None:
        self._table, self._ledger, self._languages = table, table.ledger, languages

    def piece(self, word: str) -> Piece | None:
        """The only piece that is called so, by name, alone or as several, or by key."""
        found = find_by_name(
            word, {one: (*self._names(one), *self._plurals(one), one.key) for one in self.pieces()}
        )
        return found[0] if len(found) == 1 else None

    def _plurals(self, piece: Piece) -> Iterator[str]:
        """What stands after a number: `houses`."""
        for name in self._names(piece.quantity(SEVERAL)):
            yield name.removeprefix(f"{SEVERAL} ")

    def pieces(self) -> list[Piece]:
        """All that can be paid: money, and what lies elsewhere than before seats; a loan doesn't."""
        common = [one for one in self._ledger if one.place.seat is None and one.place != BOX_PLACE]
        there = [*[one for one in self._ledger if one.piece.money_value], *common]
        return list(dict.fromkeys(one.piece for one in there if not one.piece.is_marker))

    def parties(self) -> list[Labelled]:
        """All who pay and are paid."""
        places = dict.fromkeys(self._places(lambda at: at.seat is None, None))
        return [*self._table.seats, *places, EVERYBODY_WORDS[0]]

    def first(self, words: Sequence[str]) -> int:
        """How many of the first words are a name; the longest counts."""
        return find_name_at_start(words, self._names_of(self._parties(None)))[1]

    def unclear(self, word: str) -> Say | None:
        """Why nobody knows whom it means, where several are called so."""
        found = self._found(word, self._parties(None))
        return ambiguous_name_text(word, found) if _is_unclear(found) else None

    def places(self, word: str, piece: Piece | None) -> tuple[Place, ...]:
        """Where that piece, or money, of a seat, of everybody in the game, or of nobody lies."""
        parties = self._parties(piece)
        found = self._found(word, parties)
        return parties[found[0]] if found and not _is_unclear(found) else ()

    def _found(self, word: str, parties: Iterable[Labelled]) -> list[Labelled]:
        return find_by_name(word, self._names_of(parties))

    def _parties(self, piece: Piece | None) -> dict[Labelled, tuple[Place, ...]]:
        """Everybody, each seat, and each place that is nobody's, with where that piece, or money, may lie."""
        everybody = [place for seat in self._table.paying_seats for place in self._of(seat, piece)]
        parties: dict[Labelled, tuple[Place, ...]] = {EVERYBODY_WORDS[0]: tuple(everybody)}
        parties |= {seat: tuple(self._of(self._table.keeper_of[seat], piece)) for seat in self._table.seats}
        parties |= {place: (place,) for place in self._places(lambda place: place.seat is None, piece)}
        return {party: places for party, places in parties.items() if places}

    def _of(self, seat: Seat, piece: Piece | None) -> Iterator[Place]:
        """The first place of a seat where it may lie."""
        yield from [*self._places(lambda place: place.seat == seat, piece)][:1]

    def _places(self, fits: Callable[[Place], bool], piece: Piece | None) -> Iterator[Place]:
        for one in self._ledger:
            if fits(one.place) and (one.piece == piece if piece else one.piece.money_value):
                yield one.place

    def _names_of(self, parties: Iterable[Labelled]) -> dict[Labelled, tuple[str, ...]]:
        """What each is called; a seat also by its key, such as `@2`."""
        more: dict[Labelled, tuple[str, ...]] = {seat: (seat.key,) for seat in self._table.seats}
        more[EVERYBODY_WORDS[0]] = self._names(EVERYBODY_WORDS[1])
        return {party: (*self._names(party), *more.get(party, ())) for party in parties}

    def _names(self, thing: Labelled) -> tuple[str, ...]:
        return tuple(render(thing, each) for each in self._languages)


def _is_unclear(found: Sequence[Labelled]) -> bool:
    """Whether these are several, and not several places that are called the same."""
    return len(found) > 1 and not all(isinstance(one, Place) for one in found)
