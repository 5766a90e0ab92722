"""What one viewer may see of a game: the only source for a screen, a line of JSON, a light or a page.

A View is a value of one moment. Hidden counts are None unless they belong to the viewer's own seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.cards import CardFace, FaceLayout, face_of_card
from companion.log.events import ABSENT_PLAYER_SOURCE, Answered, Corrected, seal_letters
from companion.log.log import SealedDraft
from companion.requests import Choose, Done, Raise, Request
from companion.session.run import (
    AnsweredQuestion,
    describe_correction,
    is_hidden_correction,
    seats_named_in,
)
from companion.session.session import Session, VisibleUndoneStep
from companion.table.ledger import Account, Piece, Place
from companion.table.outcomes import Outcome
from companion.table.scores import GameResult
from companion.table.seats import Seat, Seats
from companion.texts import Say, say


class Holding(msgspec.Struct, frozen=True, gc=False):
    """The count of a piece at a place; None if it is hidden.

    `is_endless`: the supply never runs out.
    """

    place: Place
    piece: Piece
    count: int | None
    is_endless: bool = False


class EnvelopeView(msgspec.Struct, frozen=True):
    """What can be seen of a seat's envelope: its seal or, in an open round, its answer.

    `seal` has the letters of the answer's commitment, and is empty while there is no answer. An open round
    has no seals; its `open_answer` is the answer as JSON, in a 1-tuple.
    """

    seat: Seat
    seal: str
    open_answer: tuple[Any] | None = None

    @property
    def has_answer(self) -> bool:
        """True if the seat has answered."""
        return bool(self.seal) or self.open_answer is not None


class OpenedEnvelopes(msgspec.Struct, frozen=True):
    """The revealed answers of a sealed question, by seat."""

    question_number: int
    question: Request[Any]
    answers: dict[Seat, Any]


class UntoldStep(msgspec.Struct, frozen=True):
    """What somebody did and no note says, as a sentence; a player's choice without its question.

    `is_open_bid`: it is a bid in an auction that goes on, so that the open question has it, too.
    """

    text: Say
    is_open_bid: bool = False


class View(msgspec.Struct, frozen=True):
    """What one viewer may see of a game at one moment; `notes` say what the last answer led to.

    The last answer is here the last one that a present player gave, with the default answers of absent
    players that followed. Before the first answer, `notes` say what happened before the first question.
    `earlier_notes` say what happened before them, while the last answers of the table only led to the
    question that is open. `untold_steps` are a correction after them, and those of these answers that no
    note says, so that everybody sees who did what.

    `envelopes`: the answers so far if several seats are asked at once. `opened_envelopes` is the last answer
    if it was sealed. `piles` lists places where the order of pieces counts, lowest first.
    `current_slot_by_place`: the current slot of each place in a row that closes up.
    `has_provisional_values`: printed values in play are a guess until the owner has entered those of their
    copy. `absent_seats` are the seats whose players have left. `is_score_so_far`: the result is only the
    score so far. `faces` has what is printed on each piece that is the face of a card. `face_layouts` says
    how the cards of the game look. `help_text` is the rule behind the question, if the game explains it.
    `ending` says what ended the game, if it is over and its rules say it.
    `outcomes` say what the last answer decided, such as a battle or a sale, and who won it.
    `waiting_redo_count`: how many steps that an amendment undid can still be redone, now or later.
    `fitting_redo_count`: how many of these steps can be redone now.
    """

    question_number: int
    game_title: Say
    seats: Seats
    heading: Say | None
    question: Request[Any] | None
    envelopes: tuple[EnvelopeView, ...]
    notes: tuple[Say, ...]
    holdings: tuple[Holding, ...]
    result: GameResult | None
    may_undo: bool
    may_redo: bool
    opened_envelopes: OpenedEnvelopes | None = None
    piles: dict[Place, tuple[Piece, ...]] = {}
    current_slot_by_place: dict[Place, Place] = {}
    has_provisional_values: bool = False
    absent_seats: tuple[Seat, ...] = ()
    is_score_so_far: bool = False
    waiting_redo_count: int = 0
    fitting_redo_count: int = 0
    faces: tuple[tuple[Piece, CardFace], ...] = ()
    face_layouts: tuple[FaceLayout, ...] = ()
    help_text: Say | None = None
    outcomes: tuple[Outcome, ...] = ()
    untold_steps: tuple[UntoldStep, ...] = ()
    earlier_notes: tuple[Say, ...] = ()
    ending: Say | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won what the last answer decided, as the rules say."""
        return tuple(dict.fromkeys(seat for outcome in self.outcomes for seat in outcome.winners))

    @property
    def awaited_seats(self) -> tuple[Seat, ...]:
        """The seats that the table waits for; of several with envelopes, those whose envelope is open.

        If all envelopes are filled but could not be opened, the table waits for everybody who has one.
        """
        asked = self.question.seats if self.question else ()
        return tuple(envelope.seat for envelope in self.envelopes if not envelope.has_answer) or asked

    @property
    def winners_of_finished_game(self) -> tuple[Seat, ...]:
        """The seats that have won the game; empty before its end, and for a score so far."""
        return () if self.result is None or self.is_score_so_far else self.result.winners

    @property
    def notes_from_ending(self) -> tuple[Say, ...]:
        """The notes of a final score: what ended the game is first."""
        if self.ending is None:
            return self.notes
        return self.ending, *[note for note in self.notes if note != self.ending]

    def holdings_of(self, seat: Seat) -> tuple[Holding, ...]:
        """Returns the holdings of a seat."""
        return tuple(holding for holding in self.holdings if holding.place.seat == seat)

    def common_holdings(self) -> tuple[Holding, ...]:
        """Returns the holdings that belong to no seat, in the middle of the table."""
        return tuple(holding for holding in self.holdings if holding.place.seat is None)


class HistoryEntry(msgspec.Struct, frozen=True):
    """One entry of the history: a step that hasn't been undone, in sentences.

    `question_number` is the number to amend; None if the step can't be amended. `heading` is the phase of the
    game. `seats` are the seats that were asked, or whose pieces were moved.
    """

    question_number: int | None
    text: Say
    notes: tuple[Say, ...] = ()
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def make_view(session: Session, viewer: Seat | None = None) -> View:
    """Returns the game as `viewer` may see it; None: as everybody may see it."""
    table, question = session.table, session.question
    holdings = _visible_holdings(session, viewer)
    return View(
        question_number=session.question_number,
        game_title=session.game.title_for_options(session.table.options),
        seats=table.seats,
        heading=table.heading,
        question=question,
        envelopes=_envelope_views(session, question) if question and question.parts_by_seat else (),
        notes=_notes_since_answer_of_present_player(session),
        holdings=holdings,
        result=session.result,
        may_undo=bool(session.steps),
        may_redo=session.may_redo,
        opened_envelopes=_opened_envelopes(session),
        piles=_public_piles(session),
        current_slot_by_place=table.ledger.current_slot_by_place(),
        has_provisional_values=any(deck.provisional for deck in session.began.decks.values()),
        absent_seats=tuple(session.absent_seats),
        waiting_redo_count=session.waiting_redo_count,
        fitting_redo_count=session.fitting_redo_count,
        faces=_visible_faces(session, holdings),
        face_layouts=session.face_layouts,
        help_text=None if question is None else session.game.help_for_question(question),
        outcomes=_outcomes_since_answer_of_present_player(session),
        untold_steps=_untold_steps(session),
        earlier_notes=_notes_before_navigation(session),
        ending=table.ending if session.question is None else None,
    )


def movable_holdings_by_place(session: Session) -> dict[Place, list[Holding]]:
    """Returns the holdings that people may move by hand, by place: public holdings and endless supplies.

    Markers at a seat's places of rounds are left out: people amend the answers of the round instead. Seats'
    places for markers of which none is in play yet are left out too, such as those for lots that will be won.

    Places of one kind are together: the first kind of every seat, the common places, the seats' other places,
    rows of slots, and at the end places with only markers. Of the empty places of a row that closes up, only
    the last one is there, as a target for a move.
    """
    ledger = session.table.ledger
    pieces_in_play = {account.piece for account in ledger if account.count > 0}
    places_in_use = {
        account.place for account in ledger if not account.piece.is_marker or account.piece in pieces_in_play
    }
    has_only_markers: dict[Place, bool] = {}
    for account in ledger:
        place = account.place
        if place.seat is not None and place not in places_in_use:
            continue
        if not (account.piece.is_marker and place.seat is not None and place.slot is not None):
            has_only_markers[place] = account.piece.is_marker and has_only_markers.get(place, True)
    names = list(dict.fromkeys(place.name for place in has_only_markers if not has_only_markers[place]))
    first_name = next(
        (place.name for place in has_only_markers if place.seat and not has_only_markers[place]), None
    )

    def rank(place: Place) -> tuple[int, int]:
        if has_only_markers[place]:
            return len(names) + 3, 0
        if place.slot is not None:
            return len(names) + 2, 0
        if place.seat is None:
            return 1, 0
        return (0 if place.name == first_name else 2 + names.index(place.name)), place.seat.number

    holdings: dict[Place, list[Holding]] = {place: [] for place in sorted(has_only_markers, key=rank)}
    for account in ledger:
        if account.place in holdings and _may_be_moved(account):
            count = None if account.covered else account.count
            is_endless = account.can_go_below_zero and not account.piece.is_marker
            holdings[account.place].append(Holding(account.place, account.piece, count, is_endless))
    last_empty_slots = {place.name: place for place in ledger.current_slot_by_place() if not holdings[place]}
    return {
        place: place_holdings
        for place, place_holdings in holdings.items()
        if place_holdings or last_empty_slots.get(place.name, place) == place
    }


def money_by_place(session: Session) -> dict[Place, list[Holding]]:
    """Returns the money of each place that amounts are paid from and to; a debt is a count below zero.

    Places of seats come first, then those without a seat.
    """
    money: dict[Place, list[Holding]] = {}
    for account in session.table.ledger:
        if account.piece.money_value:
            count = None if account.covered else account.count
            holding = Holding(account.place, account.piece, count, account.can_go_below_zero)
            money.setdefault(account.place, []).append(holding)
    return {place: money[place] for place in sorted(money, key=lambda place: place.seat is None)}


def _may_be_moved(account: Account) -> bool:
    """Returns whether people may move pieces of an account: no covered faces, nothing that isn't there."""
    if account.covered:
        return not account.piece.is_marker
    return account.count > 0 or (account.can_go_below_zero and not account.piece.is_marker)


def list_history_entries(session: Session) -> list[HistoryEntry]:
    """Returns an entry for each step that hasn't been undone, oldest first."""
    entries, answer_indexes = [], iter(range(len(session.rulebook_run.answered_questions)))
    slots_at_corrections = iter(session.rulebook_run.shown_places_at_corrections)
    for step in session.steps:
        if isinstance(step, Answered):
            entries.append(history_entry_of_answer(session, next(answer_indexes)))
        else:
            heading = entries[-1].heading if entries else None
            entries.append(_history_entry_of_correction(session, step, next(slots_at_corrections), heading))
    return entries


def beginning_of_history(session: Session) -> list[HistoryEntry]:
    """Returns an entry for what happened before the first question; [] if the rules noted nothing."""
    notes = _notes_after_answer(session, -1)
    return [HistoryEntry(None, say("The game begins."), notes)] if notes else []


def _history_entry_of_correction(
    session: Session,
    correction: Corrected,
    shown_place_by_place: Mapping[Place, Place],
    heading: Say | None,
) -> HistoryEntry:
    """Returns the history entry of a correction; it names no seats if hidden pieces were moved."""
    ledger = session.table.ledger
    seat_keys: set[str] = set()
    if not is_hidden_correction(ledger, correction):
        place_keys = [key for move in correction.moves for key in (move.source, move.target)]
        seat_keys = {key.partition("/")[0] for key in place_keys}
    seats = tuple(seat for seat in session.table.seats if seat.key in seat_keys)
    text = describe_correction(ledger, correction, shown_place_by_place)
    return HistoryEntry(None, text, heading=heading, seats=seats)


def undone_hidden_corrections_and_rolls(session: Session) -> list[VisibleUndoneStep]:
    """Returns the undone steps that stay visible: hidden corrections and rolls of Companion.

    So everybody sees if somebody undoes a roll to get another one.
    """
    ledger = session.table.ledger
    hidden_corrections = [
        VisibleUndoneStep(correction.n, describe_correction(ledger, correction))
        for correction in session.undone_corrections
        if is_hidden_correction(ledger, correction)
    ]
    undone = sorted([*hidden_corrections, *session.undone_app_rolls], key=lambda step: step.question_number)
    return [VisibleUndoneStep(n, say("{what} (taken back)", what=sentence)) for n, sentence in undone]


def history_entry_of_answer(session: Session, answer_index: int) -> HistoryEntry:
    """Returns the history entry of an answer, by its index among the answers that haven't been undone."""
    answered = session.rulebook_run.answered_questions[answer_index]
    return HistoryEntry(
        answered.question_number,
        answered.sentence,
        _notes_after_answer(session, answer_index),
        answered.heading,
        answered.question.seats,
    )


def _visible_faces(session: Session, holdings: Sequence[Holding]) -> tuple[tuple[Piece, CardFace], ...]:
    """Returns the pieces that are visible card faces, each with what is printed on it."""
    pieces = [holding.piece for holding in holdings if holding.count and holding.piece.is_card_face]
    return tuple(
        [
            (piece, face_of_card(session.face_layouts, card))
            for piece in pieces
            if (card := session.table.card_of_face(piece))
        ]
    )


def _envelope_views(session: Session, question: Request[Any]) -> tuple[EnvelopeView, ...]:
    return tuple(
        [_envelope_view(session.drafts.get(seat), seat, question) for seat in question.parts_by_seat]
    )


def _envelope_view(draft: SealedDraft | None, seat: Seat, question: Request[Any]) -> EnvelopeView:
    if draft is None:
        return EnvelopeView(seat, "")
    if not question.is_sealed:
        return EnvelopeView(seat, "", (draft.answer,))
    return EnvelopeView(seat, seal_letters(draft.commitment))


def _public_piles(session: Session) -> dict[Place, tuple[Piece, ...]]:
    """Returns the piles that everybody may see."""
    ledger = session.table.ledger
    return {
        place: tuple(pieces)
        for place, pieces in ledger.piles.items()
        if pieces and not any(account.covered for account in ledger.accounts_at(place))
    }


def _opened_envelopes(session: Session) -> OpenedEnvelopes | None:
    last = session.rulebook_run.answered_questions[-1] if session.rulebook_run.answered_questions else None
    if last is None or not last.question.is_sealed:
        return None
    return OpenedEnvelopes(last.question_number, last.question, dict(last.answer))


def _first_note_index(session: Session, answer_index: int) -> int:
    """Returns the index of the first note after an answer; for index -1 that of the first note at all."""
    return session.rulebook_run.answered_questions[answer_index].first_note_index if answer_index >= 0 else 0


def _notes_after_answer(session: Session, answer_index: int) -> tuple[Say, ...]:
    """Returns the notes that an answer led to; for index -1 the notes before the first answer."""
    answered = session.rulebook_run.answered_questions
    start = _first_note_index(session, answer_index)
    end = answered[answer_index + 1].first_note_index if answer_index + 1 < len(answered) else None
    return tuple(session.table.notes[start:end])


def _index_of_last_answer_of_present_player(
    session: Session, skipped_question_numbers: Collection[int] = ()
) -> int:
    """Returns the index of the last answer that wasn't given by default for an absent player; -1 for none.

    People haven't seen what it led to before the default answers followed at once.
    """
    absent_seats, answered_questions = {*session.absent_seats}, session.rulebook_run.answered_questions
    steps = (step for step in reversed(session.steps) if isinstance(step, Answered))
    for index, step in zip(range(len(answered_questions) - 1, -1, -1), steps, strict=False):
        # The last envelope of a round may be an absent player's, but the others are not.
        is_by_default = step.via == ABSENT_PLAYER_SOURCE and absent_seats.issuperset(
            answered_questions[index].question.seats
        )
        if not is_by_default and step.n not in skipped_question_numbers:
            return index
    return -1


def _last_answer_of_present_player(session: Session) -> AnsweredQuestion | None:
    """Returns that answer; None if there is none."""
    index = _index_of_last_answer_of_present_player(session)
    return session.rulebook_run.answered_questions[index] if index >= 0 else None


def _notes_since_answer_of_present_player(session: Session) -> tuple[Say, ...]:
    answered = _last_answer_of_present_player(session)
    return tuple(session.table.notes[answered.first_note_index if answered else 0 :])


def _index_of_last_answer_that_did_something(session: Session) -> int:
    """Returns the index of the last answer of a present player that did more than lead to a question."""
    return _index_of_last_answer_of_present_player(session, session.rulebook_run.navigation_question_numbers)


def _notes_before_navigation(session: Session) -> tuple[Say, ...]:
    """Returns the notes of the last answer that did something, if answers that only led on follow it."""
    start_index = _index_of_last_answer_that_did_something(session)
    end_index = _index_of_last_answer_of_present_player(session)
    start, end = (_first_note_index(session, index) for index in (start_index, end_index))
    return tuple(session.table.notes[start:end])


def _outcomes_since_answer_of_present_player(session: Session) -> tuple[Outcome, ...]:
    answered = _last_answer_of_present_player(session)
    return tuple(session.table.outcomes[answered.first_outcome_index if answered else 0 :])


def _last_correction(session: Session) -> Iterator[UntoldStep]:
    """Yields the correction that is the last step in force that did something, if one is."""
    run = session.rulebook_run
    steps = (
        step
        for step in reversed(session.steps)
        if isinstance(step, Corrected) or step.n not in run.navigation_question_numbers
    )
    if isinstance(correction := next(steps, None), Corrected):
        shown_place_by_place = run.shown_places_at_corrections[-1]
        yield UntoldStep(describe_correction(session.table.ledger, correction, shown_place_by_place))


def _untold_steps(session: Session) -> tuple[UntoldStep, ...]:
    """Returns the last correction, and the answers that no note says, without those that only led on.

    No note says an answer if there is none, or if none names the only player who was asked.
    """
    run, steps = session.rulebook_run, [*_last_correction(session)]
    first_index = max(_index_of_last_answer_that_did_something(session), 0)
    for index in range(first_index, len(run.answered_questions)):
        if run.answered_questions[index].question_number not in run.navigation_question_numbers:
            steps += _untold_answer(session, index)
    return tuple(steps)


def _untold_answer(session: Session, index: int) -> Iterator[UntoldStep]:
    """Yields an answer, by its index, if no note says it; a reveal shows the last one if it was sealed."""
    answered_questions = session.rulebook_run.answered_questions
    answered, notes = answered_questions[index], _notes_after_answer(session, index)
    question, answer = answered.question, answered.answer
    if isinstance(question, Done):
        return  # people have just done at the real table what the question said
    is_revealed = question.is_sealed and index == len(answered_questions) - 1
    is_told = bool(notes) and (
        len(question.seats) != 1 or any(question.seats[0] in seats_named_in(note) for note in notes)
    )
    if not is_revealed and not is_told:
        is_open_bid = (
            isinstance(question, Raise) and answer is not None and isinstance(session.question, Raise)
        )
        # A choice of one player tells enough alone; what the table chose, or a bare number, doesn't.
        is_clear_alone = isinstance(question, Choose) and question.seat is not None
        describe = question.describe_revealed_answer if is_clear_alone else question.describe_answer
        yield UntoldStep(describe(answer), is_open_bid=is_open_bid)


def _visible_holdings(session: Session, viewer: Seat | None) -> tuple[Holding, ...]:
    """Returns the holdings that the viewer may see.

    Hidden accounts are always included, so that an empty one reveals nothing. Markers are included only at
    places that have them: an endless marker that is elsewhere leaves a count below zero at its empty source.
    """
    holdings = []
    for account in session.table.ledger:
        place, piece, count = account.place, account.piece, account.count
        if account.covered and (viewer is None or place.seat != viewer):
            if not piece.is_marker:
                holdings.append(Holding(place, piece, None))
        elif count > 0 or (not piece.is_marker and (count or account.covered)):
            holdings.append(Holding(place, piece, count))
    return tuple(holdings)
