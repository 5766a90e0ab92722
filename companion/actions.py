"""What people do besides answering: one table, read by every front end.

    >>> ACTIONS["undo"].run(target, {}, ()).by_hand
    ['2 cards from bank back to Aki's hand']

Each action says its name, when it is offered, which parameters it needs, and what its outcome is. The table
decides no rule: the session decides whether something can be done, and refuses the rest.
To add an action, add it to `ACTIONS`: the terminal's commands and help, JSON's `do` and the window's menu
then have it. What only one front end needs, such as its language, isn't here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import msgspec

from companion import languages
from companion.bounds import MAX_ENTERED_NUMBER, MAX_TEXT_CHARACTERS
from companion.clocks import parse_clocks
from companion.errors import CompanionError, ReplayConflict, UserError, WouldDeleteDrafts, WouldUndoReveal
from companion.log.events import Step
from companion.log.timeline import events_recreating_steps
from companion.requests import Request
from companion.requests.fields import ConfirmField, Field, Form, NumberField, OptionField, TextField
from companion.requests.request import parse_whole_number
from companion.session import typed_payments
from companion.session.corrections import CorrectionResult
from companion.session.session import Session
from companion.session.unusual_moves import find_unusual_number
from companion.session.view import list_history_entries, movable_holdings_by_place
from companion.table.ledger import Place
from companion.table.scores import GameResult
from companion.table.seats import MAX_NAME_LETTERS, Seat
from companion.texts import Say, say, say_n

if TYPE_CHECKING:
    from companion.store import Store

ENVELOPES_CONFIRMATION, LATER_ANSWERS_CONFIRMATION, REVEAL_CONFIRMATION, UNFINISHED_CONFIRMATION = (
    "envelopes",
    "later_answers",
    "reveal",
    "unfinished",
)
"""The keys of what people confirm.

In their order: answers that are in are deleted; the game goes back to an answer that no longer fits; a reveal
is undone; a game is put away before its end.
"""
UNUSUAL_NUMBER_CONFIRMATION = "unusual_number"
"""The key of what people confirm before a number moves that is out of all proportion."""


class ActionTarget(Protocol):
    """What an action changes: a session and the store that saves it, such as an `Evening`."""

    @property
    def current_session(self) -> Session:
        """The session of the game on the table."""

    @property
    def store(self) -> Store | None:
        """Where the game is saved; None if it is saved nowhere."""


class SessionAndStore(msgspec.Struct, frozen=True):
    """A session and its store as the target of actions, where there is no `Evening`.

    `SessionAndStore(session)` has no store.
    """

    current_session: Session
    store: Store | None = None


ParameterValues: TypeAlias = Mapping[str, Any]
"""The values of an action's parameters by key, as in JSON."""


class ActionParameter(msgspec.Struct, frozen=True, kw_only=True):
    """A value that an action needs.

    `json_type` is the type of the value. A parameter with `is_optional` may be left out.
    `make_entry_if_needed` takes the values of earlier parameters and returns how people enter this value: a
    field, the form of a whole answer, or None if the value isn't needed now.
    """

    key: str
    json_type: type
    question: Say
    make_entry_if_needed: Callable[[ActionTarget, ParameterValues], Form | Field | None]
    is_optional: bool = False

    def form_if_needed(self, target: ActionTarget, earlier_values: ParameterValues) -> Form | None:
        """Returns the form with which people enter the value, if the value is needed now; else None."""
        entry = self.make_entry_if_needed(target, earlier_values)
        if entry is None or isinstance(entry, Form):
            return entry
        return Form(fields=(entry,), keypad_line=say("Enter {keys}"))


class ActionOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action.

    `messages` are for front ends on which people don't see what happened, such as a terminal.
    `amended_answer_text` is the changed answer. `moves_by_hand` is what to move on the real table; None for
    an action that never needs it. `why_asked_again` says why another question is open now. `ended_early`: the
    game wasn't over and has this `score`. `is_question_unchanged`: exactly the same question is open as
    before.
    """

    moves_by_hand: Sequence[Say] | None = None
    undone_texts: Sequence[Say] = ()
    redone_texts: Sequence[Say] = ()
    amended_answer_text: Say | None = None
    messages: Sequence[Say] = ()
    why_asked_again: Say | None = None
    ended_early: bool = False
    score: GameResult | None = None
    new_directory: Path | None = None
    is_question_unchanged: bool = False


class NeedsConfirmation(UserError):
    """Raised by an action that people must confirm, before anything is changed.

    A front end asks `question`. If people confirm, it runs the action again with `key` among the confirmed
    keys. `text` says what would happen, and `confirm_text` is the text of the button that confirms.
    """

    def __init__(self, key: str, question: Say, text: Say, yes: Say) -> None:
        super().__init__(text)
        self.key, self.question, self.confirm_text = key, question, yes

    @property
    def session_error_or_self(self) -> CompanionError:
        """The error that the session itself raised; this exception if the session raised none.

        The session raises it if the confirmation is missing. Front ends that confirm beforehand show it.
        """
        return self.__cause__ if isinstance(self.__cause__, CompanionError) else self


class CommandUsage(msgspec.Struct, frozen=True):
    """The word for an action in the terminal, a hint at its arguments, and its help text."""

    word: Say
    argument_hint: str
    help: Say


def is_not_put_away(target: ActionTarget) -> bool:
    """Returns whether the game on the table hasn't been put away."""
    return not target.current_session.is_put_away


class MissingParameter(NamedTuple):
    """A parameter of an action without a value yet, and the form in which people enter it."""

    parameter: ActionParameter
    form: Form


class TableAction(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in the table of actions: something people do besides answering, such as undo.

    `key` is also the name of the action in JSON. `run` does the action with the values of its parameters and
    the confirmed keys. It raises `NeedsConfirmation` before anything changes, or another `CompanionError`.
    `is_offered` returns whether the action makes sense now; otherwise `run` refuses it or changes nothing.
    `command` is how the action is typed, if it has a word of its own. `confirmations` are the keys that
    people may have to confirm. `changes_answers`: the action gives, takes back or changes answers, so front
    ends only show the next question. `replays_answers`: earlier answers are played again and may lead to
    something else.
    """

    key: str
    run: Callable[[ActionTarget, ParameterValues, Collection[str]], ActionOutcome]
    is_offered: Callable[[ActionTarget], bool] = is_not_put_away
    command: CommandUsage | None = None
    parameters: tuple[ActionParameter, ...] = ()
    confirmations: tuple[str, ...] = ()
    changes_answers: bool = False
    replays_answers: bool = False

    def next_missing_parameter(
        self, target: ActionTarget, earlier_values: ParameterValues
    ) -> MissingParameter | None:
        """Returns the first parameter without a value; None if no value is missing."""
        for parameter in self.parameters:
            if parameter.is_optional or parameter.key in earlier_values:
                continue
            form = parameter.form_if_needed(target, earlier_values)
            if form is not None:
                return MissingParameter(parameter, form)
        return None


# How parameters are entered


def _make_confirm_field(_: ActionTarget, __: ParameterValues) -> Field:
    return ConfirmField()


def _make_number_field(_: ActionTarget, __: ParameterValues) -> Field:
    return NumberField(least=1, most=MAX_ENTERED_NUMBER)


def _text_field_maker(max_letters: int) -> Callable[[ActionTarget, ParameterValues], Field]:
    return lambda _, __: TextField(max_letters=max_letters)


def _make_seat_parameter(choosable_seats: Callable[[Session], Iterable[Seat]]) -> ActionParameter:
    """Returns the parameter for one of the choosable seats, by its key or its name."""

    def make_field(target: ActionTarget, _: ParameterValues) -> Field:
        return OptionField(options={seat.key: seat for seat in choosable_seats(target.current_session)})

    return ActionParameter(key="seat", json_type=str, question=say("Who?"), make_entry_if_needed=make_field)


def _find_seat(target: ActionTarget, values: ParameterValues) -> Seat:
    return target.current_session.table.seats.find_seat(values["seat"])


# Roll


def _roll(target: ActionTarget, values: ParameterValues, _: Collection[str]) -> ActionOutcome:
    target.current_session.roll_app_dice(values["n"])
    return ActionOutcome()


def _may_roll(target: ActionTarget) -> bool:
    question = target.current_session.question
    return is_not_put_away(target) and question is not None and question.form.app_may_roll


def _make_roll_field(target: ActionTarget, _: ParameterValues) -> Field:
    return ConfirmField(answer=target.current_session.question_number)


ROLL = TableAction(
    key="roll",
    parameters=(
        ActionParameter(
            key="n",
            json_type=int,
            question=say("Let the companion roll the dice?"),
            make_entry_if_needed=_make_roll_field,
        ),
    ),
    is_offered=_may_roll,
    run=_roll,
    changes_answers=True,
)


# Undo, back, redo


def _undo(target: ActionTarget, _: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    return _undo_with(target.current_session, confirmed_keys, target.current_session.undo)


def _go_back(target: ActionTarget, values: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session = target.current_session
    return _undo_with(session, confirmed_keys, partial(session.undo_to_step_count, values["kept"]))


def _undo_with(
    session: Session, confirmed_keys: Collection[str], undo: Callable[..., list[Say]]
) -> ActionOutcome:
    if session.steps:
        _require_drafts_confirmed(session, confirmed_keys)
    before = _steps_in_force_with_texts(session)
    try:
        by_hand = undo(past_reveal=REVEAL_CONFIRMATION in confirmed_keys)
    except WouldUndoReveal as reveal:
        raise _make_reveal_confirmation() from reveal
    return ActionOutcome(
        moves_by_hand=by_hand,
        undone_texts=_texts_missing_in(_steps_in_force_with_texts(session), before)[::-1],
    )


def _redo(target: ActionTarget, values: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session = target.current_session
    if session.may_redo:
        _require_drafts_confirmed(session, confirmed_keys)
    before = _steps_in_force_with_texts(session)
    by_hand = session.redo(values.get("count", 1))
    return ActionOutcome(
        moves_by_hand=by_hand, redone_texts=_texts_missing_in(before, _steps_in_force_with_texts(session))
    )


def _may_undo(target: ActionTarget) -> bool:
    return is_not_put_away(target) and bool(target.current_session.steps)


def _may_redo(target: ActionTarget) -> bool:
    return is_not_put_away(target) and (
        target.current_session.may_redo or target.current_session.waiting_redo_count > 0
    )


def _make_undo_start_field(target: ActionTarget, _: ParameterValues) -> Field:
    texts = [entry.text for entry in list_history_entries(target.current_session)]
    return NumberField(values=tuple(range(len(texts))), value_names=tuple(texts))


def _require_drafts_confirmed(session: Session, confirmed_keys: Collection[str]) -> None:
    """Raises `NeedsConfirmation` if answers of the open round would be deleted without a confirmation."""
    if session.drafts and ENVELOPES_CONFIRMATION not in confirmed_keys:
        raise _make_drafts_confirmation(session)


def _make_drafts_confirmation(session: Session) -> NeedsConfirmation:
    n = len(session.drafts)
    if session.question is not None and session.question.is_sealed:
        question, yes = say("Tear up the envelopes?"), say("Tear up")
        text = say_n("{n} sealed answer will be torn up.", "{n} sealed answers will be torn up.", n)
    else:
        question, yes = say("Delete the entries?"), say("Delete")
        text = say_n(
            "{n} entry of this round will be deleted.", "{n} entries of this round will be deleted.", n
        )
    return NeedsConfirmation(ENVELOPES_CONFIRMATION, question, text, yes)


def _make_reveal_confirmation() -> NeedsConfirmation:
    text = say("Everybody has seen the answers. If you undo the reveal, everybody answers again.")
    return NeedsConfirmation(REVEAL_CONFIRMATION, say("Undo the reveal?"), text, say("Undo"))


def _steps_in_force_with_texts(session: Session) -> list[tuple[Step, Say]]:
    """Returns each step in force with its sentence in the history."""
    return [
        (step, entry.text) for step, entry in zip(session.steps, list_history_entries(session), strict=True)
    ]


def _texts_missing_in(
    other_steps: Sequence[tuple[Step, Say]], steps: Sequence[tuple[Step, Say]]
) -> list[Say]:
    """Returns the sentences of the steps that aren't among the other steps.

    A correction may come or go before an answer that stays.
    """
    events = events_recreating_steps(step for step, _ in steps)
    other_events = events_recreating_steps(step for step, _ in other_steps)
    equal_count = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(events, other_events, strict=False))
    )
    del other_events[:equal_count]
    texts = []
    for event, (_, text) in zip(events[equal_count:], steps[equal_count:], strict=True):
        if event in other_events:
            other_events.remove(event)
        else:
            texts.append(text)
    return texts


UNDO = TableAction(
    key="undo",
    command=CommandUsage(say("undo"), "", say("undoes the last answer or correction")),
    confirmations=(REVEAL_CONFIRMATION, ENVELOPES_CONFIRMATION),
    is_offered=_may_undo,
    run=_undo,
    changes_answers=True,
)
UNDO_TO_STEP = TableAction(
    key="back",
    command=CommandUsage(say("back"), "N", say("undoes the answer with that number and all later answers")),
    parameters=(
        ActionParameter(
            key="kept",
            json_type=int,
            question=say("Undo from where on?"),
            make_entry_if_needed=_make_undo_start_field,
        ),
    ),
    confirmations=(REVEAL_CONFIRMATION, ENVELOPES_CONFIRMATION),
    is_offered=_may_undo,
    run=_go_back,
    changes_answers=True,
)
REDO = TableAction(
    key="redo",
    command=CommandUsage(say("redo"), "[14|all]", say("redoes the answers that were undone")),
    parameters=(
        ActionParameter(
            key="count",
            json_type=int,
            question=say("How many?"),
            make_entry_if_needed=_make_number_field,
            is_optional=True,
        ),
    ),
    confirmations=(ENVELOPES_CONFIRMATION,),
    is_offered=_may_redo,
    run=_redo,
    changes_answers=True,
)


# Correct and pay


def _correct(target: ActionTarget, values: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session, n = target.current_session, target.current_session.question_number
    correction = correct_by_hand(
        session,
        [(values["from"], values["to"], values["piece"], values["count"])],
        values.get("reason", ""),
        ask_again=values.get("again", False),
        confirmed_keys=confirmed_keys,
    )
    is_question_unchanged = session.question_number == n
    return ActionOutcome(
        messages=(say("Corrected."),),
        why_asked_again=correction.why_asked_again,
        moves_by_hand=None if is_question_unchanged else correction.moves_by_hand,
        is_question_unchanged=is_question_unchanged,
    )


def correct_by_hand(
    session: Session,
    moves: Sequence[tuple[str, str, str, int]],
    reason: str,
    *,
    ask_again: bool = False,
    confirmed_keys: Collection[str] = (),
) -> CorrectionResult:
    """Corrects the table by hand: moves pieces, as `Session.correct_all` does.

    Raises `NeedsConfirmation` before an unusually large number is moved, and before answers of the open
    round are deleted. `ask_again`: the last question is asked again afterwards.
    """
    _require_usual_number_confirmed(session, moves, confirmed_keys)
    try:
        return session.correct_all(
            moves, reason, ask_again=ask_again, drop_drafts=ENVELOPES_CONFIRMATION in confirmed_keys
        )
    except WouldDeleteDrafts as error:
        raise _make_drafts_confirmation(session) from error


def _require_usual_number_confirmed(
    session: Session, moves: Sequence[tuple[str, str, str, int]], confirmed_keys: Collection[str]
) -> None:
    """Raises `NeedsConfirmation` if a number is out of all proportion, and nobody has confirmed it."""
    number = find_unusual_number(session.table.ledger, moves)
    if number is not None and UNUSUAL_NUMBER_CONFIRMATION not in confirmed_keys:
        text = say("{n} is an unusual number here. Is it right?", n=number)
        raise NeedsConfirmation(UNUSUAL_NUMBER_CONFIRMATION, say("Move {n}?", n=number), text, say("Move"))


def _make_source_field(target: ActionTarget, _: ParameterValues) -> Field:
    holdings = movable_holdings_by_place(target.current_session)
    return _make_place_field(target, [place for place in holdings if holdings[place]])


def _make_target_field(target: ActionTarget, values: ParameterValues) -> Field:
    places = movable_holdings_by_place(target.current_session)
    return _make_place_field(target, [place for place in places if place.key != values["from"]])


def _make_place_field(target: ActionTarget, places: Iterable[Place]) -> Field:
    slots = target.current_session.table.ledger.current_slot_by_place()
    return OptionField(options={place.key: slots.get(place, place) for place in places})


def _make_piece_field(target: ActionTarget, values: ParameterValues) -> Field:
    holdings = movable_holdings_by_place(target.current_session)
    holdings_by_place_key = {place.key: holdings[place] for place in holdings}
    return OptionField(
        options={one.piece.key: one.piece for one in holdings_by_place_key.get(values["from"], ())}
    )


def _make_reason_field_if_needed(target: ActionTarget, _: ParameterValues) -> Field | None:
    return None if target.current_session.game.has_free_moves else TextField(max_letters=MAX_TEXT_CHARACTERS)


CORRECT = TableAction(
    key="correct",
    command=CommandUsage(
        say("correct"), "[again]", say('moves pieces by hand; "correct again" repeats the question')
    ),
    parameters=(
        ActionParameter(
            key="from", json_type=str, question=say("Where from?"), make_entry_if_needed=_make_source_field
        ),
        ActionParameter(
            key="to", json_type=str, question=say("Where to?"), make_entry_if_needed=_make_target_field
        ),
        ActionParameter(
            key="piece",
            json_type=str,
            question=say("What do you want to move?"),
            make_entry_if_needed=_make_piece_field,
        ),
        ActionParameter(
            key="count", json_type=int, question=say("How many?"), make_entry_if_needed=_make_number_field
        ),
        ActionParameter(
            key="reason",
            json_type=str,
            question=say("Why?"),
            make_entry_if_needed=_make_reason_field_if_needed,
        ),
        ActionParameter(
            key="again",
            json_type=bool,
            question=say("Ask the question again?"),
            make_entry_if_needed=_make_confirm_field,
            is_optional=True,
        ),
    ),
    confirmations=(UNUSUAL_NUMBER_CONFIRMATION, ENVELOPES_CONFIRMATION),
    run=_correct,
    replays_answers=True,
)


def _pay(target: ActionTarget, values: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session = target.current_session
    payer, payee, piece = values["from"], values["to"], values.get("piece", "")
    language_codes = languages.languages()
    amount = parse_whole_number(values["amount"], say("A payment"), MAX_ENTERED_NUMBER)
    payment = typed_payments.find_payment(session, payer, payee, amount, piece, *language_codes)
    if payment is None:
        raise UserError(typed_payments.why_no_payment(session, payer, payee, piece, *language_codes))
    moves = payment.keyed_moves(session.table.ledger)
    _require_usual_number_confirmed(session, moves, confirmed_keys)
    session.correct_all(moves, "")
    return ActionOutcome(is_question_unchanged=True)


def _may_pay(target: ActionTarget) -> bool:
    return is_not_put_away(target) and target.current_session.game.has_free_moves


def _make_payment_party_field(target: ActionTarget, _: ParameterValues) -> Field:
    return OptionField(options=typed_payments.payment_party_by_english_name(target.current_session))


PAY = TableAction(
    key="pay",
    parameters=(
        ActionParameter(
            key="from",
            json_type=str,
            question=say("Who pays?"),
            make_entry_if_needed=_make_payment_party_field,
        ),
        ActionParameter(
            key="to",
            json_type=str,
            question=say("Who gets the money?"),
            make_entry_if_needed=_make_payment_party_field,
        ),
        ActionParameter(
            key="amount", json_type=int, question=say("How much?"), make_entry_if_needed=_make_number_field
        ),
        ActionParameter(
            key="piece",
            json_type=str,
            question=say("Which piece?"),
            make_entry_if_needed=_text_field_maker(MAX_TEXT_CHARACTERS),
            is_optional=True,
        ),
    ),
    confirmations=(UNUSUAL_NUMBER_CONFIRMATION,),
    is_offered=_may_pay,
    run=_pay,
)


# Amend


def _amend(target: ActionTarget, values: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session, event = target.current_session, values["event"]
    seat = _find_seat(target, values) if "seat" in values else None
    session.step_count_before_answer(event)
    _require_drafts_confirmed(session, confirmed_keys)
    try:
        by_hand = session.amend_answer(
            event,
            values["answer"],
            seat,
            go_back=LATER_ANSWERS_CONFIRMATION in confirmed_keys,
            past_reveal=REVEAL_CONFIRMATION in confirmed_keys,
        )
    except WouldUndoReveal as reveal:
        raise _make_reveal_confirmation() from reveal
    except ReplayConflict as conflict:
        if conflict.event_number == event:
            raise
        question = say("Go back to the answer that is no longer possible? You can redo the later answers.")
        raise NeedsConfirmation(
            LATER_ANSWERS_CONFIRMATION, question, conflict.text, say("Go back")
        ) from conflict
    return ActionOutcome(
        moves_by_hand=by_hand,
        amended_answer_text=next(
            entry.text for entry in list_history_entries(session) if entry.question_number == event
        ),
    )


def _may_amend(target: ActionTarget) -> bool:
    return is_not_put_away(target) and bool(target.current_session.rulebook_run.answered_questions)


def _make_answer_number_field(target: ActionTarget, _: ParameterValues) -> Field:
    answers = [
        (entry.question_number, entry.text)
        for entry in list_history_entries(target.current_session)
        if entry.question_number is not None
    ]
    return NumberField(values=tuple(n for n, _ in answers), value_names=tuple(text for _, text in answers))


def find_question_to_amend(target: ActionTarget, parameter_values: ParameterValues) -> Request[Any]:
    """Returns the earlier question whose answer is to be amended, or one seat's part of that question.

    Raises `UserError` if there is no such answer.
    """
    session = target.current_session
    session.step_count_before_answer(parameter_values["event"])
    question = next(
        entry.question
        for entry in session.rulebook_run.answered_questions
        if entry.question_number == parameter_values["event"]
    )
    if "seat" not in parameter_values:
        return question
    return question.parts_by_seat[_find_seat(target, parameter_values)]


def _make_amended_seat_field_if_needed(target: ActionTarget, values: ParameterValues) -> Field | None:
    question = find_question_to_amend(target, values)
    if not question.is_sealed:
        return None
    return OptionField(options={seat.key: seat for seat in question.parts_by_seat})


def _amended_answer_form(target: ActionTarget, values: ParameterValues) -> Form:
    return find_question_to_amend(target, values).form


AMEND = TableAction(
    key="amend",
    command=CommandUsage(say("amend"), "N", say("changes the answer with that number in the history")),
    parameters=(
        ActionParameter(
            key="event",
            json_type=int,
            question=say("Which answer?"),
            make_entry_if_needed=_make_answer_number_field,
        ),
        ActionParameter(
            key="seat",
            json_type=str,
            question=say("Whose answer?"),
            make_entry_if_needed=_make_amended_seat_field_if_needed,
            is_optional=True,
        ),
        ActionParameter(
            key="answer",
            json_type=object,
            question=say("New answer"),
            make_entry_if_needed=_amended_answer_form,
        ),
    ),
    confirmations=(LATER_ANSWERS_CONFIRMATION, REVEAL_CONFIRMATION, ENVELOPES_CONFIRMATION),
    is_offered=_may_amend,
    run=_amend,
    changes_answers=True,
    replays_answers=True,
)


# People


def _rename(target: ActionTarget, values: ParameterValues, _: Collection[str]) -> ActionOutcome:
    target.current_session.rename_player(_find_seat(target, values), values["name"])
    return ActionOutcome()


RENAME = TableAction(
    key="rename",
    command=CommandUsage(say("rename"), "Aki = Dai", say("changes the name of a player")),
    parameters=(
        _make_seat_parameter(lambda session: session.table.seats),
        ActionParameter(
            key="name",
            json_type=str,
            question=say("New name"),
            make_entry_if_needed=_text_field_maker(MAX_NAME_LETTERS),
        ),
    ),
    run=_rename,
)


def _leave(target: ActionTarget, values: ParameterValues, _: Collection[str]) -> ActionOutcome:
    seat = _find_seat(target, values)
    target.current_session.mark_player_absent(seat)
    text = say("{seat} has left. The Companion passes or bids 0 for this player where the rules allow "
"it. Otherwise, the other players answer.",
               seat=seat)  # fmt: skip  # one sentence
    return ActionOutcome(messages=(text,))


LEAVE = TableAction(
    key="leave",
    command=CommandUsage(
        say("away"),
        "Aki",
        say("marks a player as away; the companion then passes or bids 0 for this player, where allowed"),
    ),
    parameters=(
        _make_seat_parameter(
            lambda session: [seat for seat in session.table.seats if seat not in session.absent_seats]
        ),
    ),
    run=_leave,
)


def _come_back(target: ActionTarget, values: ParameterValues, _: Collection[str]) -> ActionOutcome:
    seat = _find_seat(target, values)
    target.current_session.mark_player_returned(seat)
    return ActionOutcome(messages=(say("{seat} is back.", seat=seat),))


def _is_anybody_away(target: ActionTarget) -> bool:
    return is_not_put_away(target) and bool(target.current_session.absent_seats)


COME_BACK = TableAction(
    key="come_back",
    command=CommandUsage(say("here"), "Aki", say("marks a player as back at the table")),
    parameters=(_make_seat_parameter(lambda session: session.absent_seats),),
    is_offered=_is_anybody_away,
    run=_come_back,
)


# Time


def _pause_clocks(target: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    target.current_session.pause_clocks()
    return ActionOutcome(
        messages=(say("The clocks are stopped until somebody answers."),), is_question_unchanged=True
    )


def _resume_clocks(target: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    target.current_session.resume_clocks()
    return ActionOutcome(is_question_unchanged=True)


def _set_clocks(target: ActionTarget, values: ParameterValues, _: Collection[str]) -> ActionOutcome:
    """Sets the clocks. At first they are stopped, so that nobody is late by surprise."""
    clocks = parse_clocks(values["clocks"])
    target.current_session.set_clock_settings(clocks)
    if target.current_session.has_clocks:
        target.current_session.pause_clocks()
    else:
        target.current_session.resume_clocks()
    return ActionOutcome(is_question_unchanged=True)


def _may_pause_clocks(target: ActionTarget) -> bool:
    return (
        is_not_put_away(target)
        and target.current_session.has_clocks
        and not target.current_session.are_clocks_paused
    )


def _may_resume_clocks(target: ActionTarget) -> bool:
    return (
        is_not_put_away(target)
        and target.current_session.has_clocks
        and target.current_session.are_clocks_paused
    )


PAUSE_CLOCKS = TableAction(
    key="pause",
    command=CommandUsage(say("pause"), "", say("stops the clocks until somebody answers")),
    is_offered=_may_pause_clocks,
    run=_pause_clocks,
)
RESUME_CLOCKS = TableAction(key="go_on", is_offered=_may_resume_clocks, run=_resume_clocks)
SET_CLOCKS = TableAction(
    key="set_clocks",
    parameters=(
        ActionParameter(
            key="clocks",
            json_type=str,
            question=say("Which time limits?"),
            make_entry_if_needed=_text_field_maker(MAX_TEXT_CHARACTERS),
        ),
    ),
    run=_set_clocks,
)


# The game as a whole


def _continue_in_directory(
    target: ActionTarget, values: ParameterValues, _: Collection[str]
) -> ActionOutcome:
    if target.store is None:
        raise UserError(say("This game isn't saved anywhere."))
    directory = Path(values["directory"]).absolute()
    target.store.move_current_game_to(directory)
    text = say("The game continues in {directory}.", directory=str(directory))
    return ActionOutcome(messages=(text,), new_directory=directory)


def _is_directory_lost(target: ActionTarget) -> bool:
    return target.store is not None and target.store.find_new_directory_if_lost() is not None


CONTINUE_IN_DIRECTORY = TableAction(
    key="go_on_in",
    parameters=(
        ActionParameter(
            key="directory",
            json_type=str,
            question=say("Which directory?"),
            make_entry_if_needed=_text_field_maker(MAX_TEXT_CHARACTERS),
        ),
    ),
    is_offered=_is_directory_lost,
    run=_continue_in_directory,
)


def _put_away(target: ActionTarget, _: ParameterValues, confirmed_keys: Collection[str]) -> ActionOutcome:
    session = target.current_session
    is_over = session.result is not None
    if not is_over and not session.is_put_away and UNFINISHED_CONFIRMATION not in confirmed_keys:
        text = say("The score so far is saved. You can reopen the game later.")
        raise NeedsConfirmation(UNFINISHED_CONFIRMATION, say("End the game here?"), text, say("End the game"))
    if not session.is_put_away:
        _require_drafts_confirmed(session, confirmed_keys)
    score = session.put_away()
    return ActionOutcome(
        ended_early=not is_over,
        score=None if is_over else score,
        messages=(say("The game is put away."),),
        is_question_unchanged=True,
    )


def _reopen(target: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    target.current_session.reopen()
    return ActionOutcome()


def _is_put_away(target: ActionTarget) -> bool:
    return target.current_session.is_put_away


PUT_AWAY = TableAction(
    key="put_away",
    command=CommandUsage(say("put away"), "", say("puts this game away, finished or not")),
    confirmations=(UNFINISHED_CONFIRMATION, ENVELOPES_CONFIRMATION),
    run=_put_away,
)
REOPEN = TableAction(key="reopen", is_offered=_is_put_away, run=_reopen)


ACTIONS: dict[str, TableAction] = {
    action.key: action
    for action in (
        *(ROLL, UNDO, UNDO_TO_STEP, REDO, CORRECT, PAY, AMEND),
        *(RENAME, LEAVE, COME_BACK),
        *(PAUSE_CLOCKS, RESUME_CLOCKS, SET_CLOCKS),
        *(CONTINUE_IN_DIRECTORY, PUT_AWAY, REOPEN),
    )
}
"""All actions by key, in the order in which front ends list them."""


def offered_actions(target: ActionTarget) -> list[TableAction]:
    """Returns the actions that make sense now."""
    return [action for action in ACTIONS.values() if action.is_offered(target)]
