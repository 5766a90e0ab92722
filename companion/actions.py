"""What people do besides answering: one table, read by every front end.

    >>> ACTIONS["undo"].run(evening, {}, ()).by_hand
    ['2 cards from bank back to Aki's hand']

Each action says what it is called, when it is offered, what it needs to know, and what came of it. The table
decides no rule: whether something can be done is decided by the session, which refuses the rest.
To add an action, add it to `ACTIONS`: the terminal's commands and help, JSON's `do` and the window's menu
then have it. What only one front end needs, such as its language, isn't here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from companion import languages
from companion.bounds import MAX_NUMBER, MAX_TEXT_CHARACTERS
from companion.clocks import parse_clocks
from companion.errors import CompanionError, ReplayConflict, UserError, WouldDeleteDrafts, WouldUndoReveal
from companion.log.events import Step
from companion.log.timeline import events_recreating_steps
from companion.requests import Request
from companion.requests.fields import ConfirmField, Field, Form, NumberField, OptionField, TextField
from companion.session import typed_payments
from companion.session.corrections import CorrectionResult
from companion.session.session import Session
from companion.session.view import history_in_force, movable_holdings_by_place
from companion.table.ledger import Place
from companion.table.scores import GameResult
from companion.table.seats import MAX_NAME_LETTERS, Seat
from companion.texts import Say, say, say_n

if TYPE_CHECKING:
    from companion.store import Store

ENVELOPES, LATER_ANSWERS, REVEAL, UNFINISHED = "envelopes", "later_answers", "reveal", "unfinished"
"""What people confirm: answers that are in are deleted; the game goes back to an answer that no longer fits;
a reveal is undone; a game is put away before its end."""


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

    `json_type` is the type of the value. A parameter with `is_optional` may be left out. `field_for`
    returns how people enter the value, given the values of earlier parameters: a field, the form of a
    whole answer, or None if the value isn't needed now.
    """

    key: str
    json_type: type
    question: Say
    field_for: Callable[[ActionTarget, ParameterValues], Form | Field | None]
    is_optional: bool = False

    def form_if_needed(self, evening: ActionTarget, earlier_values: ParameterValues) -> Form | None:
        """Returns the form with which people enter the value, if the value is needed now; else None."""
        found = self.field_for(evening, earlier_values)
        if found is None or isinstance(found, Form):
            return found
        return Form(fields=(found,), keypad_line=say("Enter {keys}"))


class ActionOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an action.

    `messages` are for front ends on which people don't see what happened, such as a terminal.
    `amended_answer_text` is the changed answer. `by_hand` is what to move on the real table; None for an
    action that never needs it. `why_asked_again` says why another question is open now. `ended_early`: the
    game wasn't over and has this `score`. `is_question_unchanged`: exactly the same question is open as
    before.
    """

    by_hand: Sequence[Say] | None = None
    undone_texts: Sequence[Say] = ()
    redone_texts: Sequence[Say] = ()
    amended_answer_text: Say | None = None
    messages: Sequence[Say] = ()
    why_asked_again: Say | None = None
    ended_early: bool = False
    score: GameResult | None = None
    moved_to: Path | None = None
    is_question_unchanged: bool = False


class NeedsConfirmation(UserError):
    """Raised by an action that people must confirm, before anything is changed.

    They confirm `key`, and then pass it in `confirmed`. `question` asks for the confirmation, `text`
    says what would happen, and `yes` is the text of the button that confirms.
    """

    def __init__(self, key: str, question: Say, text: Say, yes: Say) -> None:
        super().__init__(text)
        self.key, self.question, self.yes = key, question, yes

    @property
    def session_error_or_self(self) -> CompanionError:
        """The error that the session itself raised; this exception if the session raised none.

        The session raises it if the confirmation is missing. Front ends that confirm beforehand show it.
        """
        return self.__cause__ if isinstance(self.__cause__, CompanionError) else self


class TypedCommand(msgspec.Struct, frozen=True):
    """How people type an action in the terminal: its word, a hint at its arguments, and its help text."""

    word: Say
    argument_hint: str
    help: Say


def is_not_put_away(evening: ActionTarget) -> bool:
    """Returns whether the game on the table hasn't been put away."""
    return not evening.current_session.is_put_away


class TableAction(msgspec.Struct, frozen=True, kw_only=True):
    """An entry in the table of actions: something people do besides answering, such as undo.

    `key` is also the name of the action in JSON. `run` does the action with the given values and confirmed
    keys; it raises `NeedsConfirmation` before anything changes, or another `CompanionError`. `is_offered`
    returns whether the action makes sense now; otherwise `run` refuses it or changes nothing. `command` is
    how the action is typed, if it has a word of its own. `confirmations` are the keys that the action may
    need confirmed. `is_answer`: the action gives, takes back or changes answers, so front ends only show the
    next question. `replays_answers`: earlier answers are played again and may lead to something else.
    """

    key: str
    run: Callable[[ActionTarget, ParameterValues, Collection[str]], ActionOutcome]
    is_offered: Callable[[ActionTarget], bool] = is_not_put_away
    command: TypedCommand | None = None
    parameters: tuple[ActionParameter, ...] = ()
    confirmations: tuple[str, ...] = ()
    is_answer: bool = False
    replays: bool = False

    def next_missing_parameter(
        self, evening: ActionTarget, earlier_values: ParameterValues
    ) -> tuple[ActionParameter, Form] | None:
        """Returns the first parameter without a value and its form; None if no value is missing."""
        for one in self.parameters:
            form = (
                None
                if one.is_optional or one.key in earlier_values
                else one.form_if_needed(evening, earlier_values)
            )
            if form is not None:
                return one, form
        return None


# How parameters are entered


def _confirm(_: ActionTarget, __: ParameterValues) -> Field:
    return ConfirmField()


def _number(_: ActionTarget, __: ParameterValues) -> Field:
    return NumberField(least=1, most=MAX_NUMBER)


def _words(most: int) -> Callable[[ActionTarget, ParameterValues], Field]:
    return lambda _, __: TextField(max_letters=most)


def _seat_of(choose: Callable[[Session], Iterable[Seat]]) -> ActionParameter:
    """Returns the parameter for one of these seats, by its key or its name."""

    def field(evening: ActionTarget, _: ParameterValues) -> Field:
        return OptionField(options={seat.key: seat for seat in choose(evening.current_session)})

    return ActionParameter(key="seat", json_type=str, question=say("Who?"), field_for=field)


def _seat(evening: ActionTarget, given: ParameterValues) -> Seat:
    return evening.current_session.table.seats.find_seat(given["seat"])


# Roll


def _roll(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    evening.current_session.roll_app_dice(given["n"])
    return ActionOutcome()


def _may_roll(evening: ActionTarget) -> bool:
    question = evening.current_session.question
    return is_not_put_away(evening) and question is not None and question.form.app_may_roll


def _open_roll(evening: ActionTarget, _: ParameterValues) -> Field:
    return ConfirmField(answer=evening.current_session.question_number)


ROLL = TableAction(
    key="roll",
    parameters=(
        ActionParameter(
            key="n", json_type=int, question=say("Let the companion roll the dice?"), field_for=_open_roll
        ),
    ),
    is_offered=_may_roll,
    run=_roll,
    is_answer=True,
)


# Undo, back, redo


def _undo(evening: ActionTarget, _: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    return _take_back(evening.current_session, confirmed, evening.current_session.undo)


def _go_back(evening: ActionTarget, given: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session = evening.current_session
    return _take_back(session, confirmed, partial(session.undo_to_step_count, given["kept"]))


def _take_back(session: Session, confirmed: Collection[str], go: Callable[..., list[Say]]) -> ActionOutcome:
    if session.steps:
        _confirm_envelopes(session, confirmed)
    before = _in_force(session)
    try:
        by_hand = go(past_reveal=REVEAL in confirmed)
    except WouldUndoReveal as reveal:
        raise _past_reveal() from reveal
    return ActionOutcome(by_hand=by_hand, undone_texts=_only_in(before, _in_force(session))[::-1])


def _redo(evening: ActionTarget, given: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session = evening.current_session
    if session.may_redo:
        _confirm_envelopes(session, confirmed)
    before = _in_force(session)
    by_hand = session.redo(given.get("count", 1))
    return ActionOutcome(by_hand=by_hand, redone_texts=_only_in(_in_force(session), before))


def _may_undo(evening: ActionTarget) -> bool:
    return is_not_put_away(evening) and bool(evening.current_session.steps)


def _may_redo(evening: ActionTarget) -> bool:
    return is_not_put_away(evening) and (
        evening.current_session.may_redo or evening.current_session.waiting_redo_count > 0
    )


def _entries(evening: ActionTarget, _: ParameterValues) -> Field:
    texts = [entry.text for entry in history_in_force(evening.current_session)]
    return NumberField(values=tuple(range(len(texts))), value_names=tuple(texts))


def _confirm_envelopes(session: Session, confirmed: Collection[str]) -> None:
    """Raises `NeedsConfirmation` if answers of a round would be deleted that are in already."""
    if session.drafts and ENVELOPES not in confirmed:
        raise _envelopes_lost(session)


def _envelopes_lost(session: Session) -> NeedsConfirmation:
    n = len(session.drafts)
    if session.question is not None and session.question.is_sealed:
        question, yes = say("Tear up the envelopes?"), say("Tear up")
        text = say_n("{n} sealed answer will be torn up.", "{n} sealed answers will be torn up.", n)
    else:
        question, yes = say("Delete the entries?"), say("Delete")
        text = say_n(
            "{n} entry of this round will be deleted.", "{n} entries of this round will be deleted.", n
        )
    return NeedsConfirmation(ENVELOPES, question, text, yes)


def _past_reveal() -> NeedsConfirmation:
    text = say("Everybody has seen the answers. If you undo the reveal, everybody answers again.")
    return NeedsConfirmation(REVEAL, say("Undo the reveal?"), text, say("Undo"))


def _in_force(session: Session) -> list[tuple[Step, Say]]:
    """Returns each thing in force with its sentence in the history."""
    return [(step, entry.text) for step, entry in zip(session.steps, history_in_force(session), strict=True)]


def _only_in(some: Sequence[tuple[Step, Say]], others: Sequence[tuple[Step, Say]]) -> list[Say]:
    """Returns the sentences of what is among some, but not among the others.

    A correction may come or go before an answer that stays.
    """
    steps, left = (
        events_recreating_steps(step for step, _ in some),
        events_recreating_steps(step for step, _ in others),
    )
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(steps, left, strict=False)))
    del left[:alike]
    found = []
    for step, (_, text) in zip(steps[alike:], some[alike:], strict=True):
        if step in left:
            left.remove(step)
        else:
            found.append(text)
    return found


UNDO = TableAction(
    key="undo",
    command=TypedCommand(say("undo"), "", say("undoes the last answer or correction")),
    confirmations=(REVEAL, ENVELOPES),
    is_offered=_may_undo,
    run=_undo,
    is_answer=True,
)
BACK = TableAction(
    key="back",
    command=TypedCommand(say("back"), "N", say("undoes the answer with that number and all later answers")),
    parameters=(
        ActionParameter(key="kept", json_type=int, question=say("Undo from where on?"), field_for=_entries),
    ),
    confirmations=(REVEAL, ENVELOPES),
    is_offered=_may_undo,
    run=_go_back,
    is_answer=True,
)
REDO = TableAction(
    key="redo",
    command=TypedCommand(say("redo"), "[14|all]", say("redoes the answers that were undone")),
    parameters=(
        ActionParameter(
            key="count", json_type=int, question=say("How many?"), field_for=_number, is_optional=True
        ),
    ),
    confirmations=(ENVELOPES,),
    is_offered=_may_redo,
    run=_redo,
    is_answer=True,
)


# Correct and pay


def _correct(evening: ActionTarget, given: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session, n = evening.current_session, evening.current_session.question_number
    move = given["from"], given["to"], given["piece"], given["count"]
    again = given.get("again", False)
    settled = correct_by_hand(
        session, [move], given.get("reason", ""), ask_again=again, confirmed_keys=confirmed
    )
    said = (say("Corrected."),)
    if session.question_number == n:
        return ActionOutcome(
            messages=said, why_asked_again=settled.why_asked_again, is_question_unchanged=True
        )
    return ActionOutcome(
        messages=said, why_asked_again=settled.why_asked_again, by_hand=settled.moves_by_hand
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

    Raises `NeedsConfirmation` before answers of the open round are deleted. `ask_again`: the last
    question is asked again afterwards.
    """
    try:
        return session.correct_all(moves, reason, again=ask_again, drop_drafts=ENVELOPES in confirmed_keys)
    except WouldDeleteDrafts as error:
        raise _envelopes_lost(session) from error


def _sources(evening: ActionTarget, _: ParameterValues) -> Field:
    return _places(
        evening, [place for place, held in movable_holdings_by_place(evening.current_session).items() if held]
    )


def _targets(evening: ActionTarget, given: ParameterValues) -> Field:
    there = movable_holdings_by_place(evening.current_session)
    return _places(evening, [place for place in there if place.key != given["from"]])


def _places(evening: ActionTarget, places: Iterable[Place]) -> Field:
    numbered = evening.current_session.table.ledger.current_slot_by_place()
    return OptionField(options={place.key: numbered.get(place, place) for place in places})


def _pieces(evening: ActionTarget, given: ParameterValues) -> Field:
    lying = {place.key: held for place, held in movable_holdings_by_place(evening.current_session).items()}
    return OptionField(options={one.piece.key: one.piece for one in lying.get(given["from"], ())})


def _reason(evening: ActionTarget, _: ParameterValues) -> Field | None:
    return None if evening.current_session.game.has_free_moves else TextField(max_letters=MAX_TEXT_CHARACTERS)


CORRECT = TableAction(
    key="correct",
    command=TypedCommand(
        say("correct"), "[again]", say('moves pieces by hand; "correct again" repeats the question')
    ),
    parameters=(
        ActionParameter(key="from", json_type=str, question=say("Where from?"), field_for=_sources),
        ActionParameter(key="to", json_type=str, question=say("Where to?"), field_for=_targets),
        ActionParameter(
            key="piece", json_type=str, question=say("What do you want to move?"), field_for=_pieces
        ),
        ActionParameter(key="count", json_type=int, question=say("How many?"), field_for=_number),
        ActionParameter(key="reason", json_type=str, question=say("Why?"), field_for=_reason),
        ActionParameter(
            key="again",
            json_type=bool,
            question=say("Ask the question again?"),
            field_for=_confirm,
            is_optional=True,
        ),
    ),
    confirmations=(ENVELOPES,),
    run=_correct,
    replays=True,
)


def _pay(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    session, payer, payee, piece = evening.current_session, given["from"], given["to"], given.get("piece", "")
    spoken = languages.languages()
    payment = typed_payments.find_payment(session, payer, payee, given["amount"], piece, *spoken)
    if payment is None:
        raise UserError(typed_payments.why_no_payment(session, payer, payee, piece, *spoken))
    typed_payments.execute_payment(session, payment)
    return ActionOutcome(is_question_unchanged=True)


def _may_pay(evening: ActionTarget) -> bool:
    return is_not_put_away(evening) and evening.current_session.game.has_free_moves


def _parties(evening: ActionTarget, _: ParameterValues) -> Field:
    return OptionField(options=typed_payments.payment_party_by_english_name(evening.current_session))


PAY = TableAction(
    key="pay",
    parameters=(
        ActionParameter(key="from", json_type=str, question=say("Who pays?"), field_for=_parties),
        ActionParameter(key="to", json_type=str, question=say("Who gets the money?"), field_for=_parties),
        ActionParameter(key="amount", json_type=int, question=say("How much?"), field_for=_number),
        ActionParameter(
            key="piece",
            json_type=str,
            question=say("Which piece?"),
            field_for=_words(MAX_TEXT_CHARACTERS),
            is_optional=True,
        ),
    ),
    is_offered=_may_pay,
    run=_pay,
)


# Amend


def _amend(evening: ActionTarget, given: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session, event = evening.current_session, given["event"]
    seat = _seat(evening, given) if "seat" in given else None
    session.step_count_before_answer(event)
    _confirm_envelopes(session, confirmed)
    sure = {"go_back": LATER_ANSWERS in confirmed, "past_reveal": REVEAL in confirmed}
    try:
        by_hand = session.amend_answer(event, given["answer"], seat, **sure)
    except WouldUndoReveal as reveal:
        raise _past_reveal() from reveal
    except ReplayConflict as misfit:
        if misfit.event == event:
            raise
        question = say("Go back to the answer that is no longer possible? You can redo the later answers.")
        raise NeedsConfirmation(LATER_ANSWERS, question, misfit.text, say("Go back")) from misfit
    return ActionOutcome(
        by_hand=by_hand,
        amended_answer_text=next(
            one.text for one in history_in_force(session) if one.question_number == event
        ),
    )


def _may_amend(evening: ActionTarget) -> bool:
    return is_not_put_away(evening) and bool(evening.current_session.run.answered_questions)


def _events(evening: ActionTarget, _: ParameterValues) -> Field:
    answers = [
        (one.question_number, one.text)
        for one in history_in_force(evening.current_session)
        if one.question_number is not None
    ]
    return NumberField(values=tuple(n for n, _ in answers), value_names=tuple(text for _, text in answers))


def find_question_to_amend(evening: ActionTarget, parameter_values: ParameterValues) -> Request[Any]:
    """Returns the earlier question whose answer is to be amended, or one seat's part of that question.

    Raises `UserError` if there is no such answer.
    """
    session = evening.current_session
    session.step_count_before_answer(parameter_values["event"])
    question = next(
        told.question
        for told in session.run.answered_questions
        if told.question_number == parameter_values["event"]
    )
    return (
        question.parts_by_seat[_seat(evening, parameter_values)] if "seat" in parameter_values else question
    )


def _amended_seat(evening: ActionTarget, given: ParameterValues) -> Field | None:
    question = find_question_to_amend(evening, given)
    return (
        OptionField(options={seat.key: seat for seat in question.parts_by_seat})
        if question.is_sealed
        else None
    )


def _amended_answer(evening: ActionTarget, given: ParameterValues) -> Form:
    return find_question_to_amend(evening, given).form


AMEND = TableAction(
    key="amend",
    command=TypedCommand(say("amend"), "N", say("changes the answer with that number in the history")),
    parameters=(
        ActionParameter(key="event", json_type=int, question=say("Which answer?"), field_for=_events),
        ActionParameter(
            key="seat",
            json_type=str,
            question=say("Whose answer?"),
            field_for=_amended_seat,
            is_optional=True,
        ),
        ActionParameter(
            key="answer", json_type=object, question=say("New answer"), field_for=_amended_answer
        ),
    ),
    confirmations=(LATER_ANSWERS, REVEAL, ENVELOPES),
    is_offered=_may_amend,
    run=_amend,
    is_answer=True,
    replays=True,
)


# People


def _rename(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    evening.current_session.rename_player(_seat(evening, given), given["name"])
    return ActionOutcome()


RENAME = TableAction(
    key="rename",
    command=TypedCommand(say("rename"), "Aki = Dai", say("changes the name of a player")),
    parameters=(
        _seat_of(lambda session: session.table.seats),
        ActionParameter(
            key="name", json_type=str, question=say("New name"), field_for=_words(MAX_NAME_LETTERS)
        ),
    ),
    run=_rename,
)


def _leave(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    seat = _seat(evening, given)
    evening.current_session.mark_player_absent(seat)
    text = say("{seat} has left. The Companion passes or bids 0 for this player where the rules allow "
"it. Otherwise, the other players answer.",
               seat=seat)  # fmt: skip  # one sentence
    return ActionOutcome(messages=(text,))


LEAVE = TableAction(
    key="leave",
    command=TypedCommand(
        say("away"),
        "Aki",
        say("marks a player as away; the companion then passes or bids 0 for this player, where allowed"),
    ),
    parameters=(
        _seat_of(lambda session: [one for one in session.table.seats if one not in session.absent_seats]),
    ),
    run=_leave,
)


def _come_back(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    seat = _seat(evening, given)
    evening.current_session.mark_player_returned(seat)
    return ActionOutcome(messages=(say("{seat} is back.", seat=seat),))


def _is_anybody_away(evening: ActionTarget) -> bool:
    return is_not_put_away(evening) and bool(evening.current_session.absent_seats)


COME_BACK = TableAction(
    key="come_back",
    command=TypedCommand(say("here"), "Aki", say("marks a player as back at the table")),
    parameters=(_seat_of(lambda session: session.absent_seats),),
    is_offered=_is_anybody_away,
    run=_come_back,
)


# Time


def _pause(evening: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    evening.current_session.pause_clocks()
    return ActionOutcome(
        messages=(say("The clocks are stopped until somebody answers."),), is_question_unchanged=True
    )


def _go_on(evening: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    evening.current_session.resume_clocks()
    return ActionOutcome(is_question_unchanged=True)


def _set_clocks(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    """The clocks stand still at first, so that nobody is late by surprise."""
    clocks = parse_clocks(given["clocks"])
    evening.current_session.set_clock_settings(clocks)
    if clocks:
        evening.current_session.pause_clocks()
    else:
        evening.current_session.resume_clocks()
    return ActionOutcome(is_question_unchanged=True)


def _may_pause(evening: ActionTarget) -> bool:
    return (
        is_not_put_away(evening)
        and bool(evening.current_session.clock_settings)
        and not evening.current_session.are_clocks_paused
    )


def _may_go_on(evening: ActionTarget) -> bool:
    return (
        is_not_put_away(evening)
        and bool(evening.current_session.clock_settings)
        and evening.current_session.are_clocks_paused
    )


PAUSE = TableAction(
    key="pause",
    command=TypedCommand(say("pause"), "", say("stops the clocks until somebody answers")),
    is_offered=_may_pause,
    run=_pause,
)
GO_ON = TableAction(key="go_on", is_offered=_may_go_on, run=_go_on)
SET_CLOCKS = TableAction(
    key="set_clocks",
    parameters=(
        ActionParameter(
            key="clocks",
            json_type=str,
            question=say("Which time limits?"),
            field_for=_words(MAX_TEXT_CHARACTERS),
        ),
    ),
    run=_set_clocks,
)


# The game as a whole


def _go_on_in(evening: ActionTarget, given: ParameterValues, _: Collection[str]) -> ActionOutcome:
    if evening.store is None:
        raise UserError(say("This game isn't saved anywhere."))
    place = Path(given["directory"]).absolute()
    evening.store.move_current_game_to(place)
    text = say("The game continues in {directory}.", directory=str(place))
    return ActionOutcome(messages=(text,), moved_to=place)


def _is_lost(evening: ActionTarget) -> bool:
    return evening.store is not None and evening.store.find_replacement_directory() is not None


GO_ON_IN = TableAction(
    key="go_on_in",
    parameters=(
        ActionParameter(
            key="directory",
            json_type=str,
            question=say("Which directory?"),
            field_for=_words(MAX_TEXT_CHARACTERS),
        ),
    ),
    is_offered=_is_lost,
    run=_go_on_in,
)


def _put_away(evening: ActionTarget, _: ParameterValues, confirmed: Collection[str]) -> ActionOutcome:
    session = evening.current_session
    is_over = session.result is not None
    if not is_over and not session.is_put_away and UNFINISHED not in confirmed:
        text = say("The score so far is saved. You can reopen the game later.")
        raise NeedsConfirmation(UNFINISHED, say("End the game here?"), text, say("End the game"))
    if not session.is_put_away:
        _confirm_envelopes(session, confirmed)
    score = session.put_away()
    said = (say("The game is put away."),)
    if is_over:
        return ActionOutcome(messages=said, is_question_unchanged=True)
    return ActionOutcome(ended_early=True, score=score, messages=said, is_question_unchanged=True)


def _reopen(evening: ActionTarget, _: ParameterValues, __: Collection[str]) -> ActionOutcome:
    evening.current_session.reopen()
    return ActionOutcome()


def _is_put_away(evening: ActionTarget) -> bool:
    return evening.current_session.is_put_away


PUT_AWAY = TableAction(
    key="put_away",
    command=TypedCommand(say("put away"), "", say("puts this game away, finished or not")),
    confirmations=(UNFINISHED, ENVELOPES),
    run=_put_away,
)
REOPEN = TableAction(key="reopen", is_offered=_is_put_away, run=_reopen)


ACTIONS: dict[str, TableAction] = {
    action.key: action
    for action in (
        *(ROLL, UNDO, BACK, REDO, CORRECT, PAY, AMEND),
        *(RENAME, LEAVE, COME_BACK),
        *(PAUSE, GO_ON, SET_CLOCKS),
        *(GO_ON_IN, PUT_AWAY, REOPEN),
    )
}
"""All actions by key, in the order in which front ends list them."""


def offered_actions(evening: ActionTarget) -> list[TableAction]:
    """Returns the actions that make sense now."""
    return [action for action in ACTIONS.values() if action.is_offered(evening)]
