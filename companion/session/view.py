"""What one pair of eyes may see of a game: the only gate to a screen, a line of JSON, a light or a page.

A View is a value of one moment. Covered counts are None unless they lie before the seat whose eyes look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.cards import CardFace, FaceLayout, face_of_card
from companion.log.events import Answered, Corrected, seal_letters
from companion.log.log import Draft
from companion.requests import Request
from companion.session.run import AnsweredQuestion, describe_correction, is_hidden_correction
from companion.session.session import Session
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult
from companion.table.seats import Seat, Seats
from companion.texts import Say, say


class Holding(msgspec.Struct, frozen=True, gc=False):
    """How many of a piece lie at a place; None where that is covered.

    `is_endless`: there is always more of it.
    """

    place: Place
    piece: Piece
    count: int | None
    is_endless: bool = False


class SeenEnvelope(msgspec.Struct, frozen=True):
    """A seat's envelope; `seal` has the letters of its commitment and is empty while it is open.

    An open round has no seals; `open_answer` is the answer as JSON, in a 1-tuple.
    """

    seat: Seat
    seal: str
    open_answer: tuple[Any] | None = None

    @property
    def is_closed(self) -> bool:
        """True if the answer is in."""
        return bool(self.seal) or self.open_answer is not None


class OpenedEnvelopes(msgspec.Struct, frozen=True):
    """The opened envelopes of question `n`."""

    n: int
    question: Request[Any]
    answers: dict[Seat, Any]


class View(msgspec.Struct, frozen=True):
    """One moment of a game as some eyes see it; `notes` tell what the last answer led to.

    `envelopes`: what has been answered so far where several are asked at once. `opened` is the last answer
    where it was sealed before. `piles` lists places whose order counts, lowest first.
    `slots` has the places of rows that close up, each by the number it has now.
    `provisional`: printed values in play are a guess until the owner has entered those of their copy.
    `absent` are the seats whose players have left. `is_early`: the result is only the score so far.
    `faces` has what is printed on each piece that is the face of a card.
    `looks` says how the cards of the game look.
    `help` is the rule behind the question and what comes next, if the game brings it.
    `winners` are those who won what the last answer decided, as the rules say.
    `waiting_redo_count` steps that an amendment took back can still be redone, `fitting_redo_count` now.
    """

    n: int
    game: Say
    seats: Seats
    heading: Say | None
    question: Request[Any] | None
    envelopes: tuple[SeenEnvelope, ...]
    notes: tuple[Say, ...]
    holdings: tuple[Holding, ...]
    result: GameResult | None
    may_undo: bool
    may_redo: bool
    opened: OpenedEnvelopes | None = None
    piles: dict[Place, tuple[Piece, ...]] = {}
    slots: dict[Place, Place] = {}
    provisional: bool = False
    absent: tuple[Seat, ...] = ()
    is_early: bool = False
    waiting_redo_count: int = 0
    fitting_redo_count: int = 0
    faces: tuple[tuple[Piece, CardFace], ...] = ()
    looks: tuple[FaceLayout, ...] = ()
    help: Say | None = None
    winners: tuple[Seat, ...] = ()

    def holdings_of(self, seat: Seat) -> tuple[Holding, ...]:
        """Returns what lies before a seat."""
        return tuple(holding for holding in self.holdings if holding.place.seat == seat)

    def common_holdings(self) -> tuple[Holding, ...]:
        """Returns what lies in the middle, before nobody."""
        return tuple(holding for holding in self.holdings if holding.place.seat is None)


class HistoryEntry(msgspec.Struct, frozen=True):
    """One step in force as sentences; `n` is the number to amend it by, None if it can't be amended.

    `heading` is where in the game that was, `seats` who was asked, or whose pieces were moved.
    """

    n: int | None
    text: Say
    notes: tuple[Say, ...] = ()
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def view(session: Session, eyes: Seat | None = None) -> View:
    """Returns the game as the owner of `eyes` sees it; None: as everybody may see it."""
    table, question = session.table, session.question
    holdings = _holdings(session, eyes)
    return View(
        n=session.question_number,
        game=session.game.title_for(session.table.options),
        seats=table.seats,
        heading=table.heading,
        question=question,
        envelopes=_envelopes(session, question) if question and question.parts_by_seat else (),
        notes=_notes(session, len(session.run.answered) - 1),
        holdings=holdings,
        result=session.result,
        may_undo=bool(session.steps),
        may_redo=session.may_redo,
        opened=_opened(session),
        piles=_piles(session),
        slots=table.ledger.current_slots(),
        provisional=any(deck.provisional for deck in session.began.decks.values()),
        absent=tuple(session.absent_seats),
        waiting_redo_count=session.waiting_redo_count,
        fitting_redo_count=session.fitting_redo_count,
        faces=_faces(session, holdings),
        looks=session.looks,
        help=None if question is None else session.game.help_for(question),
        winners=_winners(session),
    )


def correctable_holdings(session: Session) -> dict[Place, list[Holding]]:
    """Returns what people may move by hand, by place: public holdings and endless supplies.

    Marks at a seat's places of rounds are left out: they are amended with what was answered in the round.
    So are seats' places of marks none of which lies anywhere yet, such as those for lots that will be won.
    Places of one kind come together: what every seat has first, the common ones, the seats' others, rows of
    slots, and last places of marks that only the companion keeps. Of what lies empty in a row that closes up
    only the last place is there, to lay something down.
    """
    ledger = session.table.ledger
    lying = {account.piece for account in ledger if account.count > 0}
    coming = {account.place for account in ledger if not account.piece.is_marker or account.piece in lying}
    marks_only: dict[Place, bool] = {}
    for account in ledger:
        place = account.place
        if place.seat is not None and place not in coming:
            continue
        if not (account.piece.is_marker and place.seat is not None and place.slot is not None):
            marks_only[place] = account.piece.is_marker and marks_only.get(place, True)
    kinds = list(dict.fromkeys(place.name for place in marks_only if not marks_only[place]))
    first = next((place.name for place in marks_only if place.seat and not marks_only[place]), None)

    def rank(place: Place) -> tuple[int, int]:
        if marks_only[place]:
            return len(kinds) + 3, 0
        if place.slot is not None:
            return len(kinds) + 2, 0
        if place.seat is None:
            return 1, 0
        return (0 if place.name == first else 2 + kinds.index(place.name)), place.seat.number

    found: dict[Place, list[Holding]] = {place: [] for place in sorted(marks_only, key=rank)}
    for account in ledger:
        count = None if account.covered else account.count
        if account.place in found and _may_be_moved(account):
            endless = account.may_go_below_zero and not account.piece.is_marker
            found[account.place].append(Holding(account.place, account.piece, count, endless))
    last = {place.name: place for place in ledger.current_slots() if not found[place]}
    return {place: held for place, held in found.items() if held or last.get(place.name, place) == place}


def _may_be_moved(account: Account) -> bool:
    """Returns whether people may move pieces of an account: no covered faces, nothing that isn't there."""
    if account.covered:
        return not account.piece.is_marker
    return account.count > 0 or (account.may_go_below_zero and not account.piece.is_marker)


def history(session: Session) -> list[HistoryEntry]:
    """Returns an entry for everything in force, oldest first."""
    entries, answers = [], iter(range(len(session.run.answered)))
    numbered = iter(session.run.slots_at_corrections)
    for step in session.steps:
        if isinstance(step, Answered):
            entries.append(history_entry(session, next(answers)))
        else:
            heading = entries[-1].heading if entries else None
            entries.append(_by_hand(session, step, next(numbered), heading))
    return entries


def _by_hand(
    session: Session, step: Corrected, numbered: Mapping[Place, Place], heading: Say | None
) -> HistoryEntry:
    """Returns the entry of a correction; it names no seats if something covered was moved."""
    ledger = session.table.ledger
    places = [place for one in step.moves for place in (one.source, one.target)]
    own = {place.partition("/")[0] for place in places} if not is_hidden_correction(ledger, step) else ()
    seats = tuple(seat for seat in session.table.seats if seat.key in own)
    return HistoryEntry(None, describe_correction(ledger, step, numbered), heading=heading, seats=seats)


def undone_history(session: Session) -> list[tuple[int, Say]]:
    """Returns what was undone but stays known: corrections under cover, and rolls of Companion.

    Each with the number of the question that was open. Whoever takes back a roll to have another is seen.
    """
    ledger = session.table.ledger
    hidden = [
        (step.n, describe_correction(ledger, step))
        for step in session.undone_corrections
        if is_hidden_correction(ledger, step)
    ]
    found = sorted([*hidden, *session.undone_rolls], key=lambda one: one[0])
    return [(n, say("{what} (taken back)", what=what)) for n, what in found]


def history_entry(session: Session, at: int) -> HistoryEntry:
    """Returns the entry of the answer with index `at` among those in force."""
    told = session.run.answered[at]
    return HistoryEntry(told.n, told.sentence, _notes(session, at), told.heading, told.question.seats)


def _faces(session: Session, holdings: Sequence[Holding]) -> tuple[tuple[Piece, CardFace], ...]:
    """Returns the cards whose faces can be seen, with their layouts."""
    printed = session.table.card_of_face
    return tuple(
        [
            (one.piece, face_of_card(session.looks, card))
            for one in holdings
            if one.count and one.piece.is_face and (card := printed(one.piece))
        ]
    )


def _envelopes(session: Session, question: Request[Any]) -> tuple[SeenEnvelope, ...]:
    return tuple([_envelope(session.drafts.get(seat), seat, question) for seat in question.parts_by_seat])


def _envelope(draft: Draft | None, seat: Seat, question: Request[Any]) -> SeenEnvelope:
    if draft is None:
        return SeenEnvelope(seat, "")
    if not question.is_sealed:
        return SeenEnvelope(seat, "", (draft.answer,))
    return SeenEnvelope(seat, seal_letters(draft.commitment))


def _piles(session: Session) -> dict[Place, tuple[Piece, ...]]:
    """Returns the piles that everybody may see."""
    ledger = session.table.ledger
    return {
        place: tuple(pieces)
        for place, pieces in ledger.piles.items()
        if pieces and not any(account.covered for account in ledger.accounts_at(place))
    }


def _opened(session: Session) -> OpenedEnvelopes | None:
    last = session.run.answered[-1] if session.run.answered else None
    if last is None or not last.question.is_sealed:
        return None
    return OpenedEnvelopes(last.n, last.question, dict(last.answer))


def _notes(session: Session, at: int) -> tuple[Say, ...]:
    told: list[AnsweredQuestion] = session.run.answered
    if at < 0:
        return ()
    end = told[at + 1].first_note if at + 1 < len(told) else None
    return tuple(session.table.notes[told[at].first_note : end])


def _winners(session: Session) -> tuple[Seat, ...]:
    first = session.run.answered[-1].first_winner if session.run.answered else 0
    return tuple(dict.fromkeys(session.table.winners[first:]))


def _holdings(session: Session, eyes: Seat | None) -> tuple[Holding, ...]:
    """Covered accounts always, so that an empty one tells nothing; what nobody moves only where it lies.

    An endless mark that lies elsewhere is owed by a place where nothing lies.
    """
    found = []
    for account in session.table.ledger:
        place, piece, count = account.place, account.piece, account.count
        if account.covered and (eyes is None or place.seat != eyes):
            if not piece.is_marker:
                found.append(Holding(place, piece, None))
        elif count > 0 or (not piece.is_marker and (count or account.covered)):
            found.append(Holding(place, piece, count))
    return tuple(found)
